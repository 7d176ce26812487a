"""Set-up of the tests of every system: its people, its processes with typed dice, open and closed options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, TypeVar

from tablewright.dice import Die
from tablewright.engine import Choice, Param, Process, Roll
from tablewright.game.character.character import Character
from tablewright.game.content.library import Library
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import Actions, ActionUse
from tablewright.game.rules.ledger import Ledger
from tablewright.game.rules.options import RuleOptions
from tablewright.game.scenario.scenario import Entrant
from tablewright.game.scene.events import Event
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.policies import Policy
from tablewright.game.session.session import Session, SessionHeader
from tablewright.game.system.registry import load_system
from tablewright.game.system.rulebook import Rulebook
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.values import freeze

C = TypeVar("C", bound=Character)


@cache
def starter(system: str) -> Library:
    """The starter pack of a system."""
    return shipped_library(load_system(system))


def of_starter(system: str, kind: type[C], name: str, /, **changes: Any) -> C:
    """A character of a starter pack, with some fields changed."""
    character = load_system(system).rulebook.character_of(name, starter(system))
    assert isinstance(character, kind)
    return character.changed(**changes) if changes else character


def character_in(system: str, entrant: Entrant) -> Any:
    """The character of an entrant, whether named or written out."""
    book, given = load_system(system).rulebook, entrant.character
    return (
        book.character_of(given, starter(system))
        if isinstance(given, str)
        else book.character.model_validate(dict(given))
    )


def with_character(entrant: Entrant, character: Character) -> Entrant:
    """The entrant with another character."""
    return replace(entrant, character=freeze(character.to_json()), document=None)


def in_one_place(system: str, people: Mapping[str, Character], options: RuleOptions) -> Scene:
    """People of one side together in a scene outside fights."""
    book, content = load_system(system).rulebook, starter(system)
    everybody = [book.participant(one, options, content, id=who, side="party", seat=who) for who, one in people.items()]
    return book.open_scene(Scene(system, tuple(everybody), options=options, library=content))


def outside_fights(system: str, people: Mapping[str, Character], options: RuleOptions, seed: int = 1) -> Session:
    """A session of people who do things outside fights."""
    return Session(
        SessionHeader(system, "0.1.0", in_one_place(system, people, options), seed), load_system(system).rulebook
    )


def chances(weighted: Iterable[tuple[Scene, int]]) -> dict[Scene, Fraction]:
    """The chance of each scene, from scenes with their weights."""
    found: Counter[Scene] = Counter()
    for scene, weight in weighted:
        found[scene] += weight
    return {scene: Fraction(weight, found.total()) for scene, weight in found.items()}


def why_closed(
    actions: Actions, session: Session, who: str, action: str, *, reactions: bool = False
) -> tuple[str, str | None]:
    """Reason why a character cannot take an action at all, and the rule."""
    for one in actions.options(session.scene, who, reactions=reactions):
        if not isinstance(one, ActionUse) and one.id == action:
            return one.reason, one.rule
    raise AssertionError(f"{action} is not closed")


def go(
    session: Session,
    process: str,
    *,
    faces: Iterable[Sequence[int]] = (),
    choices: Mapping[str, str | Sequence[str]] | None = None,
    **arguments: Any,
) -> Session:
    """Run a process with typed dice; choices by the question's first words, else the default. All dice are used up."""
    rolls = [list(one) for one in faces]
    wanted = {key: [value] if isinstance(value, str) else list(value) for key, value in (choices or {}).items()}
    session.do(process, **arguments)
    while session.question is not None:
        question = session.question
        if isinstance(question, Roll):
            assert rolls, f"a roll was not typed: {question} in {session.playing and session.playing.calls}"
            session.type_in(rolls.pop(0))
        else:
            assert isinstance(question, Choice)
            key = next((key for key in wanted if question.question.startswith(key) and wanted[key]), None)
            session.choose(question.ids[question.default] if key is None else wanted[key].pop(0))
    assert not rolls, f"{rolls} were not asked for"
    assert not any(wanted.values()), f"{wanted} were not asked for"
    return session


def dice_in(question: Roll[Any]) -> list[Die]:
    """The dice that a roll asks for."""
    shown: list[Die] = []

    def face(die: Die) -> int:
        shown.append(die)
        return die.low

    question.dice.read(face)
    return shown


def play_typed(session: Session, policy: Policy, share: Callable[[str | None], float]) -> Session:
    """Let a policy answer to the end; every die of a seat shows the same share of its sides, from 0 to 1."""
    while (question := session.question) is not None:
        if isinstance(question, Choice):
            session.choose(question.ids[policy(session, question)])
        else:
            high = share(session.seat)
            session.type_in([die.low + round(high * (die.sides - 1)) for die in dice_in(question)])
    return session


def answer(session: Session, *answers: Any) -> Session:
    """Answer one question after the other: words are choices, numbers and sequences are the faces of dice."""
    for given in answers:
        if isinstance(given, str):
            assert isinstance(session.question, Choice), f"{given} is answered to {session.question}"
            session.choose(given)
        else:
            assert isinstance(session.question, Roll), f"{given} is answered to {session.question}"
            session.type_in([given] if isinstance(given, int) else list(given))
    return session


def asked(session: Session) -> tuple[str, ...]:
    """The options of the open question."""
    assert isinstance(session.question, Choice)
    return session.question.ids


def status(session: Session, who: str = "ann") -> Any:
    """The status of a participant."""
    return session.scene[who].status


def events(session: Session, kind: type[Event] | str) -> list[Any]:
    """The events of a kind, in order."""
    found = [line for line in session.log if isinstance(line, Event)]
    return [line for line in found if (line.kind == kind if isinstance(kind, str) else isinstance(line, kind))]


def last(session: Session, kind: type[Event] | str) -> Any:
    """The last event of a kind."""
    found = events(session, kind)
    assert found, f"no {kind} in {[line.kind for line in session.log if isinstance(line, Event)]}"
    return found[-1]


def words(session: Session) -> list[str]:
    """Everything that was told."""
    return [line.narrate() for line in session.log if isinstance(line, Event)]


def choosing(*options: str) -> Callable[[Choice[Any]], int]:
    """A policy that takes these options one after the other."""
    waiting = list(options)
    return lambda question: question.ids.index(waiting.pop(0))


def examples(rule_id: str) -> list[tuple[Any, Any]]:
    """The worked examples of a rule as pairs of what is given and what is expected."""
    return [(one["given"], one["expect"]) for one in Ledger.load(rule_id.partition(".")[0])[rule_id].examples]


def counted(outcomes: Iterable[Any]) -> dict[Any, Fraction]:
    """The chance of each of several equally likely outcomes."""
    every = list(outcomes)
    return {outcome: Fraction(every.count(outcome), len(every)) for outcome in set(every)}


# ---------------------------------------------------------------------- fights under way


async def _perform(game: Game, who: Annotated[str, Param("who")], use: Annotated[str, Param("what")]) -> None:
    """Take one action, as if it had been chosen."""
    action, _, rest = use.partition(":")
    target, _, detail = rest.partition(":")
    await game.rulebook.actions.perform(game, who, ActionUse(action, target or None, detail or None))


def with_perform(system: str) -> Rulebook:
    """The rulebook of a system with a process that takes one action."""
    book = load_system(system).rulebook
    return replace(book, processes=(*book.processes, Process(f"{system}.perform", _perform, ())))


def placed(
    system: str,
    character: Character,
    side: str,
    at: tuple[int, int] | None,
    *,
    who: str,
    options: RuleOptions,
    hidden: bool = False,
    seat: str | None = None,
    **changes: Any,
) -> Participant:
    """A participant on the field, with some fields of the status changed."""
    given = {"id": who, "side": side, "seat": seat or who, "position": None if at is None else cell(*at)}
    one = load_system(system).rulebook.participant(character, options, starter(system), hidden=hidden, **given)
    return replace(one, status=replace(one.status, **changes)) if changes else one


def offered_by(actions: Actions, session: Session, who: str, *, reactions: bool = False) -> list[str]:
    """The ids of every action that a participant may take now."""
    return [use.id for use in actions.options(session.scene, who, reactions=reactions) if isinstance(use, ActionUse)]
