"""A fight to be played step by step by people, programs and bots, with odds, advice, undo and replay."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

from tablewright.api.advice import Advice
from tablewright.api.arguments import Packs, checked, paths_of
from tablewright.api.character import Character
from tablewright.api.odds import Odds
from tablewright.api.option import Option
from tablewright.api.session_question import (
    asked_of,
    bot_for,
    heading_of,
    narration,
    option_odds,
    options_of,
    question_in_words,
    turn_advice,
    waits_for,
)
from tablewright.api.subject import checked_seed
from tablewright.api.turn import Policy, Turn, answer_of, find_option
from tablewright.engine import Choice, ClosedOption, Roll
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean
from tablewright.game.free_text import FreeTextChoice
from tablewright.game.narration.projection import as_offered, project_question, project_scene, secret_words
from tablewright.game.scenario.cast import CastScenario, assign, expand_words, read_options, scenario_of_sides
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.history import Past
from tablewright.game.session.opening import begin_encounter, open_session, resume_session
from tablewright.game.session.policies import Policy as SessionPolicy
from tablewright.game.session.policies import load_policy
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.lab.deadline import FIRST_SECONDS
from tablewright.lab.fights.option_features import DescribedOptions, features_of
from tablewright.lab.fights.trial import winner_of

Side: TypeAlias = "str | Character | Sequence[str | Character]"
"""One side of a fight: words such as ``"mars:goblin*2"``, a character, or a list of both."""

Bots: TypeAlias = "Policy | str | Mapping[str, Policy | str]"
"""Policies of bots: one for everyone, or by side, participant or name."""

DICE = ("auto", "ask")
MOST_ANSWERS = 100_000
"""Upper bound for the answers that bots and dice give in a row."""


class Fight:
    """A fight under way: ``Fight("mars:even")``, or two sides of words or characters.

    It stops only where a participant without a bot has to choose, and with ``dice="ask"`` also at that participant's
    dice. A fight is the one object that changes; it belongs to one thread, and :meth:`copy` gives another its own.

    >>> import tablewright as tw
    >>> fight = tw.Fight("mars:fighter", "mars:goblin", seed=0, bots={"foes": "careful"})
    >>> fight, fight.options[0].label
    (<Fight mars, round 1, Aldith is asked: what now?>, 'Attack Goblin with the straight sword')
    """

    @checked
    def __init__(
        self,
        *who: Side,
        seed: int | None = None,
        bots: Bots | None = None,
        options: Mapping[str, object] | None = None,
        packs: Packs = (),
        rounds: int | None = None,
        dice: Literal["auto", "ask"] = "auto",
    ) -> None:
        scenario = scenario_of(who, packs=packs, options=options, rounds=rounds).scenario
        entrants = [(entrant.id, entrant.side, entrant.name) for entrant in scenario.entrants]
        policies = read_bots(bots, entrants)
        named = {who: how if isinstance(how, str) and ":" not in how else "" for who, how in policies.items()}
        entrants_with = [replace(entrant, policy=named.get(entrant.id, "")) for entrant in scenario.entrants]
        seats = {entrant.id: entrant.seat or entrant.side for entrant in scenario.entrants}
        drawn = secrets.randbits(32) if seed is None else checked_seed(seed)
        session = open_session(replace(scenario, entrants=tuple(entrants_with)), seed=drawn, seats=seats)
        begin_encounter(session)
        self._take_up(session, policies, dice)

    @staticmethod
    def of_session(
        session: Session, bots: Mapping[str, Policy | str] | None = None, dice: Literal["auto", "ask"] = "auto"
    ) -> Fight:
        """Take up a session with bots by participant id."""
        made = Fight.__new__(Fight)
        Fight._take_up(made, session, bots or {}, dice)
        return made

    def _take_up(self, session: Session, policies: Mapping[str, Policy | str], dice: Literal["auto", "ask"]) -> None:
        if dice not in DICE:
            allowed = f"{', '.join(DICE)}{did_you_mean(str(dice), DICE)}"
            raise InvalidInputError(f'dice is "{dice!s:.40}"; allowed are {allowed}')
        self._session = session
        self._dice = dice
        self._bots = dict(policies)
        self._answers = {who: session_policy(how) for who, how in policies.items()}
        self._past = Past(session)
        self._go_on()

    # ------------------------------------------------------------------ reading

    @property
    def system(self) -> str:
        """Id of the system."""
        return self._session.header.system

    @property
    def seed(self) -> int:
        """Seed of the dice; the same seed and answers give the same fight."""
        return self._session.header.seed

    @property
    def round(self) -> int:
        """Number of the round."""
        return self._session.scene.round

    @property
    def turn(self) -> str | None:
        """Id of the participant whose turn it is; None between turns."""
        return self._session.scene.turn

    @property
    def asked(self) -> str | None:
        """Id of the participant who has to choose or roll, or the seat if it is none of them; None at the end."""
        return asked_of(self._session)

    @property
    def question(self) -> str:
        """The open question; for dice, what is to be rolled. Empty at the end."""
        question = self._session.question
        if question is None:
            return ""
        return question.question if isinstance(question, Choice) else str(question.dice)

    @property
    def heading(self) -> str:
        """The open question in a sentence or two, for people: what happens, and what is asked. Empty at the end."""
        return heading_of(self._session, GAME_MASTER)

    @property
    def options(self) -> tuple[Option, ...]:
        """Options of the open choice; empty at dice and at the end."""
        question = self._session.question
        if not isinstance(question, Choice):
            return ()
        return options_of(question, question_in_words(self._session, GAME_MASTER))

    @property
    def closed(self) -> tuple[ClosedOption, ...]:
        """Options that cannot be taken now, with reason and rule."""
        question = self._session.question
        return tuple(question.closed) if isinstance(question, Choice) else ()

    @property
    def people(self) -> tuple[Mapping[str, Any], ...]:
        """All participants with their whole status, as plain data."""
        return tuple(project_scene(self._session.scene, self._session.rulebook, GAME_MASTER)["participants"])

    @property
    def over(self) -> bool:
        """True if the fight has ended."""
        return self._session.question is None

    @property
    def ended(self) -> str | None:
        """The end in words, such as "party win"; None while it goes on."""
        return self._session.scene.ended

    @property
    def winner(self) -> str | None:
        """Side that won; None for a draw and while it goes on."""
        return winner_of(self._session.scene, self._session.rulebook) or None

    @checked
    def seen_by(self, seat: str) -> Turn:
        """The open choice as its seat sees it; refused if another seat is asked."""
        session = self._session
        if not isinstance(session.question, Choice) or seat not in (session.seat, asked_of(session)):
            raise InvalidInputError(f'"{seat:.40}" is not asked for a choice now; {waits_for(session)}')
        return turn_of(session, in_words=True)

    @checked
    def scene_of(self, viewer: str) -> Mapping[str, Any]:
        """The scene as plain data as one side or seat may see it."""
        return project_scene(self._session.scene, self._session.rulebook, self._seat_of(viewer))

    def odds(self, option: Option | str) -> Odds[Any]:
        """Exact odds of the first rule that an option leads to, with everything that is hidden from the seat."""
        return option_odds(self._session, self._option(option).id, GAME_MASTER)

    @checked
    def advice(self, seconds: float = FIRST_SECONDS) -> Advice[Any]:
        """Values of all options, by what the asked seat may know; after ``seconds`` quick ratings instead.

        The seconds are of processor time. Asked again, it goes on, and gives the exact values once all are there.
        """
        return turn_advice(self._session, seconds)

    @checked
    def narrate(self, since: int = 0, viewer: str | None = None, *, dice: bool = False) -> str:
        """The fight in sentences, from a line of the log on, for one side or seat or for the game master.

        ``dice`` adds the throws and costs behind each sentence.
        """
        seat = GAME_MASTER if viewer is None else self._seat_of(viewer)
        return narration(self._session, seat, max(0, since), dice=dice)

    @property
    def lines(self) -> int:
        """Number of lines of the log so far; ``narrate(since=...)`` takes it."""
        return len(self._session.log)

    def _seat_of(self, viewer: str) -> str:
        participants = self._session.scene.participants
        for participant in participants:
            if viewer in (participant.seat, participant.side, participant.id):
                return str(participant.seat)
        if viewer == GAME_MASTER:
            return GAME_MASTER
        known = list(dict.fromkeys([str(participant.seat) for participant in participants]))
        raise InvalidInputError(
            f'"{viewer:.40}" has no seat; there are {", ".join(known)}{did_you_mean(viewer, known)}'
        )

    # ------------------------------------------------------------------ answering

    def choose(self, option: Option | str) -> Self:
        """Take an option; dice and bots then go on until a participant without a bot is asked."""
        name = self._option(option).id
        self._enter(lambda: self._session.choose(name))
        return self

    def roll(self) -> Self:
        """Roll the dice that are asked for, with ``dice="ask"``."""
        self._demand_roll()
        self._enter(self._session.roll)
        return self

    def type_in(self, *faces: int) -> Self:
        """Answer a roll with the faces of real dice, with ``dice="ask"``."""
        self._demand_roll()
        self._enter(lambda: self._session.type_in(faces))
        return self

    def play(self, how: Policy | str = "best") -> Self:
        """Let one policy answer for everyone without a bot, to the end."""
        answer = session_policy(how)
        for _ in range(MOST_ANSWERS):
            question = self._session.question
            if question is None:
                return self
            if isinstance(question, Roll):
                self._enter(self._session.roll)
            else:
                name = question.id_at(answer(self._session, question))
                self._enter(lambda name=name: self._session.choose(name))
        raise TablewrightError(f"the fight does not end: {MOST_ANSWERS:,} answers were given (round {self.round})")

    @checked
    def undo(self, count: int = 1) -> Self:
        """Take back the last answers of those without a bot, with everything that bots and dice did since."""
        mine = self._mine()
        if not 1 <= count <= len(mine):
            raise InvalidInputError(f"{count} answers cannot be undone; {len(mine)} were given")
        self._past.take_back(mine[-count])
        return self

    def copy(self) -> Fight:
        """An independent copy at the same place, with the same dice ahead."""
        old = self._session
        session = Session(old.header, old.rulebook, old.entries, branch=old.branch, remembered=old.remembered)
        return Fight.of_session(session, self._bots, self._dice)

    @checked
    def save(self, path: str | Path) -> None:
        """Write the fight to a file that :meth:`load` and ``tablewright fight --resume`` read."""
        try:
            self._session.save(Path(path))
        except OSError as problem:
            raise InvalidInputError(f"{path} cannot be written: {problem.strerror}") from None

    @staticmethod
    @checked
    def load(path: str | Path, *, bots: Bots | None = None, dice: Literal["auto", "ask"] = "auto") -> Fight:
        """Take up a saved fight; its bots are those with a name that it was saved with, unless others are given."""
        session = resume_session(Path(path))
        people = session.header.source["scenario"]["participants"]
        policies: dict[str, Policy | str] = {one["id"]: one["policy"] for one in people if one.get("policy")}
        if bots is not None:
            policies = read_bots(bots, [(one["id"], one["side"], one.get("name") or one["id"]) for one in people])
        return Fight.of_session(session, policies, dice)

    def __repr__(self) -> str:
        where = f"<Fight {self.system}, round {self.round}"
        return f"{where}: {self.ended or 'over'}>" if self.over else f"{where}, {waits_for(self._session)}>"

    # ------------------------------------------------------------------ inside

    def _option(self, option: Option | str) -> Option:
        question = self._session.question
        if not isinstance(question, Choice):
            now = "the fight is over" if question is None else f"{question.dice} is to be rolled, by roll or type_in"
            raise InvalidInputError(f"no choice is open; {now}")
        name = option.id if isinstance(option, Option) else option
        if not isinstance(name, str):
            raise InvalidInputError(f"{option!r:.60} is not an option; give one of .options or its id")
        if any(closed.id == name for closed in question.closed):
            question.option(name)  # raises with the reason and the rule
        offered = options_of(question) if name in question.ids else self.options
        return find_option(name, offered, own_words=isinstance(question, FreeTextChoice))

    def _demand_roll(self) -> None:
        if not isinstance(self._session.question, Roll):
            raise InvalidInputError("no roll is asked for now")

    def _enter(self, answer: Any) -> None:
        """Give an answer for a participant without a bot, then let bots and dice go on."""
        self._past.note()
        answer()
        self._past.typed()
        self._go_on()

    def _go_on(self) -> None:
        """Let bots and dice answer until a participant without a bot is asked or the fight is over."""
        session = self._session
        for _ in range(MOST_ANSWERS):
            question = session.question
            if question is None:
                return
            answer = bot_for(session, self._answers)
            if isinstance(question, Roll):
                if self._dice == "ask" and answer is None:
                    return
                self._past.note()
                session.roll()
            elif answer is None:
                return
            else:
                self._past.note()
                session.choose(question.id_at(answer(session, question)))
        raise TablewrightError(f"the fight does not end: {MOST_ANSWERS:,} answers were given (round {self.round})")

    def _mine(self) -> list[int]:
        """Places of the entries that participants without a bot gave."""
        seats = {str(one.seat) for one in self._session.scene.participants if one.id not in self._bots}
        return sorted({place for seat in seats for place in self._past.mine(seat)})


# ---------------------------------------------------------------------- who fights


def scenario_of(
    who: Sequence[Side],
    *,
    packs: Packs = (),
    options: Mapping[str, object] | None = None,
    rounds: int | None = None,
) -> CastScenario:
    """Scenario by name or file, or of sides given as words and characters, under rule options and a limit of rounds."""
    if not who:
        raise InvalidInputError('name a scenario, such as "mars:even", or two sides')
    own = paths_of(packs)
    if len(who) == 1:
        word = who[0]
        if not isinstance(word, str | Path):
            raise InvalidInputError("one side alone cannot fight; name a scenario or two sides")
        if own:
            raise InvalidInputError("packs are for sides of characters; a scenario names its packs itself")
        cast = CastScenario(load_scenario(word), {}, ())
    else:
        sides = [_side(side) for side in who]
        for one in [one for side in sides for one in side if isinstance(one, Character)]:
            own += [pack for pack in one.packs if pack not in own]
        values = [[one.value if isinstance(one, Character) else one for one in side] for side in sides]
        cast = scenario_of_sides(values, packs=own, title=title_of(who))
    scenario = cast.scenario
    if options:
        system = load_system(scenario.system)
        changed = scenario.options.to_mapping() | read_options(system, options).changed()
        scenario = replace(scenario, options=system.options.from_mapping(changed))
    if rounds is not None:
        scenario = _limited(scenario, rounds)
    return cast._replace(scenario=scenario)


def _limited(scenario: Scenario, rounds: object) -> Scenario:
    from tablewright.game.scenario.schema import MOST_ROUNDS  # noqa: PLC0415

    if type(rounds) is not int or not 1 <= rounds <= MOST_ROUNDS:
        raise InvalidInputError(
            f"rounds is {rounds!r:.40}; allowed is a whole number from 1 to {MOST_ROUNDS:,}", field="rounds"
        )
    return replace(scenario, rounds=rounds)


def _side(side: object) -> list[str | Character]:
    if isinstance(side, Character):
        return [side]
    if isinstance(side, str):
        return [*expand_words(side)]
    if isinstance(side, Iterable):
        return [one for part in side for one in _side(part)]
    raise InvalidInputError(f"{side!r:.60} is not a side of a fight; give words, a character or a list of them")


def title_of(who: Sequence[Side]) -> str:
    """Title of a fight: its sides in words."""
    return " vs ".join([_words(side) for side in who])


def _words(side: object) -> str:
    if isinstance(side, Character):
        return side.name
    return side if isinstance(side, str) else ", ".join([_words(one) for one in _side(side)])


def read_bots(bots: Bots | None, entrants: Sequence[tuple[str, str, str]]) -> dict[str, Policy | str]:
    """Policies by participant id; unknown names of participants and policies are refused with the nearest one."""
    if bots is None:
        return {}
    given: Mapping[str, Policy | str] = bots if isinstance(bots, Mapping) else {"*": bots}
    for how in given.values():
        session_policy(how)
    return assign(given, entrants, "bots")


# ---------------------------------------------------------------------- turns of a session


def session_policy(how: Policy | str) -> SessionPolicy:
    """A policy by name or as a function, in the form that sessions take."""
    if isinstance(how, str):
        return load_policy(how)
    if not callable(how):
        raise InvalidInputError(f"{how!r:.60} is not a policy; give a name or a function of a turn")

    def answer(session: Session, question: Choice[Any]) -> int:
        name = answer_of(how, turn_of(session))
        return question.offer(name) if isinstance(question, FreeTextChoice) else question.ids.index(name)

    answer.__doc__ = how.__doc__
    return answer


def turn_of(session: Session, *, in_words: bool = False) -> Turn:
    """The open choice of a session as its seat sees it; ``in_words`` with the labels that people read."""
    question, seat = session.question, session.seat
    assert isinstance(question, Choice)
    assert seat is not None
    offered = as_offered(question, secret_words(session.scene, seat)) or question
    who = question.details.get("who")
    return Turn(
        seat=str(seat),
        who=who if isinstance(who, str) else getattr(seat, "who", ""),
        question=question.question,
        options=options_of(offered, question_in_words(session, str(seat)) if in_words else None),
        default=offered.ids[offered.default],
        own_words=isinstance(question, FreeTextChoice),
        at=_SessionTable(session, str(seat)),
    )


class _SessionTable:
    """A session behind a turn; it answers for the moment of the turn only."""

    def __init__(self, session: Session, seat: str) -> None:
        self._session = session
        self._seat = seat
        self._scene = session.scene
        self._place = len(session.entries)

    def scene(self) -> Mapping[str, Any]:
        """The scene as the seat may see it."""
        return project_scene(self._scene, self._session.rulebook, self._seat)

    def heading(self) -> str:
        """The question in sentences."""
        return heading_of(self.now(), self._seat)

    def closed(self) -> tuple[ClosedOption, ...]:
        """Closed options with the reasons that the seat may know."""
        seen = project_question(self.now().playing, self._scene, self._seat) or {}
        return tuple(
            [ClosedOption(one["id"], one["reason"], one["rule"], one["label"]) for one in seen.get("closed", ())]
        )

    def odds(self, option: str) -> Odds[Any]:
        """Odds by what the seat may know."""
        return option_odds(self.now(), option, self._seat)

    def advice(self, seconds: float) -> Advice[Any]:
        """Advice by what the seat may know."""
        return turn_advice(self.now(), seconds)

    def features(self, *, odds: bool) -> DescribedOptions:
        """Features of all options by what the seat may see."""
        return features_of(self.now(), odds=odds)

    def now(self) -> Session:
        """The session, if the turn is still open."""
        if len(self._session.entries) != self._place or self._session.scene is not self._scene:
            raise TablewrightError("this turn is over; ask the fight for the present one")
        return self._session
