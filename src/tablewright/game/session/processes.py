"""Processes of every system: checks in free play, joining and leaving, passing time, and rulings.

A ruling is the only way past legality. It names its reason, is an event like all others, and can be undone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import Annotated, Any, Literal

from tablewright.dice.outcomes import format_outcome
from tablewright.engine import Param, Process
from tablewright.engine.request import EVERYONE
from tablewright.errors import MOST_NAMED, IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.narration.projection import project_line
from tablewright.game.play.checks import CheckPlan
from tablewright.game.play.common_events import (
    ChangedSides,
    CharacterChanged,
    Checked,
    FactSet,
    Modified,
    OptionsChanged,
    ParticipantHidden,
    ParticipantLeft,
    Revealed,
    Ruled,
    SceneEnded,
    TimePassed,
    Unmodified,
)
from tablewright.game.play.time_passage import advance_time, require_alive
from tablewright.game.scene.game import Game, Rules
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.system.rulebook import Rulebook

Who = Annotated[str, Param("a participant of the scene")]
Reason = Annotated[str, Param("why, in words; it stands in the log")]
Audience = Annotated[
    Literal["public", "gm", "blind", "self"],
    Param("who sees it: everyone, roller and game master, game master alone, roller alone"),
]


Plus = Annotated[int, Param("what the game master adds to this roll alone", -1000, 1000)]
Because = Annotated[str, Param("why the game master adds it")]


def with_plus(book: Rules, scene: Scene, who: str, what: str, *, plus: int, because: str) -> Scene:
    """The scene for one roll with the game master's one-time modifier, whose reason appears in the tally."""
    if not plus:
        return scene
    _reasoned(because)
    return book.apply(scene, Modified(who=who, what=what, value=plus, reason=because, cause="ruling"))


async def check(  # noqa: PLR0917 - each can be named on the command line
    game: Game,
    who: Who,
    what: Annotated[str, Param("the check, by its id")],
    situation: Annotated[tuple[str, ...], Param("words of the situation, each as name=value")] = (),
    audience: Audience = "public",
    secret: Annotated[bool, Param("whether the difficulty and the outcome stay with the game master")] = False,
    plus: Plus = 0,
    because: Because = "",
) -> Any:
    """Make a check, at any time."""
    participant = require_alive(game, who)
    kind = game.rulebook.check(what)
    game.purpose = kind.title
    scene = with_plus(game.rulebook, game.scene, participant.id, kind.id, plus=plus, because=because)
    plan = kind.read(game.rulebook.subject(participant, scene), named_words(situation))
    seen_by = {"public": EVERYONE, "blind": GAME_MASTER}.get(audience, participant.seat)
    hide = (*plan.hide, *(kind.hides or kind.hidden)) if secret else plan.hide
    call = plan.secretly if secret and plan.secretly is not None else plan.call
    result = await call.by(participant.seat, audience=seen_by, hide=hide, private=plan.private, tallies=plan.tallies)
    await _afterwards(game, plan, who, result, seen_by)
    told = "" if hide or audience == "blind" else _in_words(result)
    game.emit(Checked(who=who, what=what, result=told, to=seen_by, cause=plan.call.mechanic.rules[0]))
    return result


async def contest(  # noqa: PLR0917 - each can be named on the command line
    game: Game,
    who: Who,
    what: Annotated[str, Param("the check, by its id")],
    against: Annotated[str, Param("the id of the other one")],
    with_what: Annotated[str, Param("the other one's check, if it is another one")] = "",
    situation: Annotated[tuple[str, ...], Param("words of the situation, each as name=value")] = (),
    other_situation: Annotated[tuple[str, ...], Param("words of the other one's situation")] = (),
    blind: Annotated[bool, Param("whether only the game master sees it")] = False,
) -> Any:
    """Make a check against another participant, at any time."""
    one, other = require_alive(game, who), require_alive(game, against)
    if one.id == other.id:
        raise InvalidInputError(f"{who} cannot oppose themselves; name another participant", field="against")
    kind, others = game.rulebook.check(what), game.rulebook.check(with_what or what)
    game.purpose = kind.title
    if kind.against is None:
        able = [check.id for check in game.rulebook.checks if check.against is not None]
        raise IllegalActionError(f"{what} cannot be opposed; try {', '.join(able[:12]) or 'a system with contests'}")
    plan = kind.against(
        kind.contender(game.rulebook.subject(one, game.scene), named_words(situation)),
        others.contender(game.rulebook.subject(other, game.scene), named_words(other_situation)),
    )
    seen_by = GAME_MASTER if blind else EVERYONE
    result = await plan.call.by(
        one.seat, other.seat, audience=seen_by, hide=plan.hide, private=plan.private, tallies=plan.tallies
    )
    await _afterwards(game, plan, who, result, seen_by)
    told = ("", "") if plan.hide or blind else plan.each(result) if plan.each else (_in_words(result), "")
    cause = plan.call.mechanic.rules[0]
    game.emit(Checked(who=who, what=kind.id, result=told[0], against=against, to=seen_by, cause=cause))
    game.emit(Checked(who=against, what=others.id, result=told[1], against=who, to=seen_by, cause=cause))
    return result


async def _afterwards(game: Game, plan: CheckPlan, who: str, result: Any, seen_by: str) -> None:
    """Bring about what follows from a check, such as a skill mark; only those who see the roll see it."""
    if plan.then is None:
        return
    game.told_to = seen_by
    try:
        await plan.then(game, who, result)
    finally:
        game.told_to = EVERYONE


def _in_words(result: Any) -> str:
    return ("yes" if result else "no") if isinstance(result, bool) else format_outcome(result)


async def call_for_check(  # noqa: PLR0917 - each can be named on the command line
    game: Game,
    who: Annotated[tuple[str, ...], Param("the ids of those who roll")],
    what: Annotated[str, Param("the check, by its id")],
    situation: Annotated[tuple[str, ...], Param("words of the situation, each as name=value")] = (),
    secret: Annotated[bool, Param("whether the difficulty and the outcomes stay with the game master")] = False,
    plus: Plus = 0,
    because: Because = "",
) -> tuple[Any, ...]:
    """Call for the same check from several participants."""
    if not who:
        raise InvalidInputError("name who makes the check", field="who")
    for one in who:
        require_alive(game, one)
    more: dict[str, Any] = {"secret": secret, "plus": plus, "because": because}
    return tuple([await check(game, one, what, situation, **more) for one in who])


def named_words(words: Sequence[str]) -> dict[str, str]:
    """Parse the words of a situation, each written as name=value, into a mapping."""
    named: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise InvalidInputError(f'"{word:.40}" is not of the form name=value', field="situation")
        named[name.strip()] = value.strip()
    return named


async def leave(game: Game, who: Who, how: Annotated[str, Param("fled, yielded, carried off")] = "left") -> None:
    """Leave the scene."""
    if not game[who].present:
        raise IllegalActionError(f"{game.scene.display_name(who)} has left already")
    game.emit(ParticipantLeft(who=who, how=how, cause="table"))


async def change_sides(game: Game, who: Who, side: Annotated[str, Param("the side from now on")]) -> None:
    """Change to another side."""
    game.emit(ChangedSides(who=game[who].id, side=side, cause="table"))


async def hide(game: Game, who: Who) -> None:
    """Hide a participant from the other sides."""
    game.emit(ParticipantHidden(who=game[who].id, cause="table", to=GAME_MASTER))


async def reveal(game: Game, who: Who) -> None:
    """Reveal a participant to everyone."""
    game.emit(Revealed(who=game[who].id, cause="table"))


async def rule(
    game: Game,
    field: Annotated[str, Param("what is set: a field of the status, the place, the turn order")],
    value: Annotated[str, Param("the new value, as JSON or as a plain word")],
    reason: Reason,
    who: Annotated[str | None, Param("whose; none for the scene itself")] = None,
) -> None:
    """Set a field to a value by a ruling."""
    _reasoned(reason)
    if who is not None:
        who = game[who].id
    game.emit(Ruled(who=who, field=field, value=_value(value), reason=reason, cause="ruling"))


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    inside = value if isinstance(value, list) else [value]
    if any(isinstance(one, float | dict | list) for one in inside):
        raise InvalidInputError(
            f"{text:.40} is not allowed; a ruling sets whole numbers, words, true, false, null or lists"
        )
    return tuple(value) if isinstance(value, list) else value


def _reasoned(reason: str) -> None:
    if not reason.strip():
        raise InvalidInputError("a ruling names its reason; none was given", field="reason")


def _demand_read(name: str, known: Sequence[str], kind: str, *, field: str) -> None:
    """Refuse a name that no rule reads, so that no one waits for an effect that never comes."""
    if name not in known:
        raise InvalidInputError(
            f'no rule reads {kind} "{name:.40}"; these count: {", ".join(known)}{did_you_mean(name, known)}',
            field=field,
        )


async def modify(
    game: Game,
    what: Annotated[str, Param("the name under which the number is tallied, such as a check's id")],
    value: Annotated[int, Param("how much is added", -1000, 1000)],
    reason: Reason,
    who: Annotated[str | None, Param("participant; none for everyone")] = None,
) -> None:
    """Add a number by a ruling to everything tallied under a name."""
    _reasoned(reason)
    if game.rulebook.modifier_names is not None:
        _demand_read(what, game.rulebook.modifier_names(game.scene), "a modifier of", field="what")
    game.emit(Modified(who=who and game[who].id, what=what, value=value, reason=reason, cause="ruling"))


async def unmodify(
    game: Game,
    what: Annotated[str, Param("the name under which the number is tallied")],
    reason: Reason,
    who: Annotated[str | None, Param("participant; none for everyone")] = None,
) -> None:
    """Remove a number that a ruling added."""
    known = [(modifier.what, modifier.who, modifier.reason) for modifier in game.scene.modifiers]
    if (what, who, reason) not in known:
        raise InvalidInputError(
            f"no such modifier; there are: {', '.join(modifier.id for modifier in game.scene.modifiers)}"
        )
    game.emit(Unmodified(who=who, what=what, reason=reason, cause="ruling"))


async def set_fact(
    game: Game,
    who: Who,
    fact: Annotated[str, Param("what is so: cover, sight, or another word the system knows")],
    other: Annotated[str | None, Param("the other participant; none for everyone")] = None,
    value: Annotated[str | None, Param("how it is; none clears it")] = None,
) -> None:
    """Set or clear a fact between two participants by a ruling, such as cover or sight."""
    if value is not None and game.rulebook.fact_names is not None:
        _demand_read(fact, game.rulebook.fact_names, "the fact", field="fact")
    other = other and game[other].id
    game.emit(FactSet(who=game[who].id, fact=fact, other=other, value=value, cause="ruling"))


async def pass_time(
    game: Game,
    amount: Annotated[str, Param("how long, such as 3 days or 10 minutes")],
    stop: Annotated[
        Literal["always", "news", "never"],
        Param("whether time stops where something falls due: always, where a player hears of something, never"),
    ] = "never",
) -> int:
    """Let time pass and run the timers on the way; the result is the number of ticks left over."""
    before = len(game.log)

    def is_news(live: Game) -> bool:
        players = {participant.seat for participant in live.scene.participants} - {GAME_MASTER}
        return any(
            not isinstance(line, TimePassed) and project_line(line, live.scene, seat) is not None
            for line in live.log[before:]
            for seat in players
        )

    stops: Callable[[Game], bool] | None = {"always": lambda _: True, "news": is_news}.get(stop)
    calendar = game.rulebook.calendar_of(game.scene.options)
    return await advance_time(game, calendar.parse(amount), cause="table", stop=stops)


async def set_option(
    game: Game,
    name: Annotated[str, Param("the option, by its name")],
    value: Annotated[str, Param("its value from now on")],
    reason: Reason,
) -> None:
    """Change a rule option from now on; every participant present must stay within the rules."""
    _reasoned(reason)
    scene, book = game.scene, game.rulebook
    field = scene.options.field(name)
    new = scene.options.put(name, field.read(value))
    under_way = scene.ended is None and (scene.round > 0 or bool(scene.order))
    if field.changes == "never" or (field.changes == "between_scenes" and under_way):
        when = "once a game has begun" if field.changes == "never" else "while a scene is under way"
        raise IllegalActionError(f"{name} cannot change {when}", rule=field.rule)
    changed = {
        participant.id: book.convert_character(participant.character, scene.options, new)
        for participant in scene.present
    }
    problems = [
        f"{who}: {violation}"
        for who, character in changed.items()
        for violation in book.legality(character, new, scene.library).violations
        if violation not in book.legality(game[who].character, scene.options, scene.library).violations
    ]
    if problems:
        raise IllegalActionError(
            "\n".join([f"not everybody here would be within the rules with {name} {value}:", *problems])
        )
    game.emit(OptionsChanged(name=name, value=field.read(value), reason=reason, cause="ruling"))
    for who, character in changed.items():
        if character != game[who].character:
            game.emit(
                CharacterChanged(who=who, what=f"converted to {name} {value}", character=character, cause="ruling")
            )


async def end(game: Game, outcome: Annotated[str, Param("how it ended, in words")], reason: Reason = "") -> None:
    """End the scene by a ruling."""
    if game.scene.ended is not None:
        raise IllegalActionError(f"the scene has ended already: {game.scene.ended}")
    game.emit(SceneEnded(outcome=outcome, reason=reason, how="ruled", cause="ruling"))


TABLE_PROCESSES: tuple[Process[..., Any], ...] = tuple(
    [
        Process(f"table.{function.__name__}", function, ())
        for function in (
            check,
            call_for_check,
            contest,
            leave,
            change_sides,
            hide,
            reveal,
            rule,
            modify,
            unmodify,
            set_fact,
            pass_time,
            set_option,
            end,
        )
    ]
)


def processes_by_name(book: Rulebook) -> dict[str, Process[..., Any]]:
    """All processes of a system by public name, including the common ones."""
    own = {process.name: process for process in (book.create, book.encounter, *book.processes)}
    return own | {process.name: process for process in TABLE_PROCESSES}


def find_process(book: Rulebook, name: str) -> Process[..., Any]:
    """Find a process by public name; an unknown name is refused with the nearest one."""
    known = processes_by_name(book)
    try:
        return known[name]
    except KeyError:
        raise unknown_process(name, known) from None


def unknown_process(name: str, known: Collection[str]) -> InvalidInputError:
    """Error for a process that a system does not have, with the nearest one."""
    close = did_you_mean(name, known)
    listed = "" if close else f"; there are: {', '.join(list(known)[:MOST_NAMED])}, ..."
    return InvalidInputError(f'there is no process "{name:.60}"{listed}{close}')
