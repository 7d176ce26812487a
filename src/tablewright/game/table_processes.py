"""Processes that every system has: checks in free play, people coming and going, time passing, and rulings.

A ruling is the only way past legality: it names its reason, is an event like all others and can be undone like them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from tablewright.dice.dist import show_outcome
from tablewright.engine import Param, Process
from tablewright.engine.asks import EVERYONE
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.common import (
    ChangedSides,
    CharacterChanged,
    Checked,
    FactSet,
    Hid,
    Left,
    Modified,
    OptionsChanged,
    Revealed,
    Ruled,
    SceneEnded,
    TimePassed,
    Unmodified,
)
from tablewright.game.events import GAME_MASTER
from tablewright.game.passing import demand_alive, let_time_pass
from tablewright.game.projection import project_line
from tablewright.game.rulebook import Rulebook
from tablewright.game.scene import Live, Scene

Who = Annotated[str, Param("the id of somebody in the scene")]
Reason = Annotated[str, Param("why, in words; it stands in the log")]
Audience = Annotated[
    Literal["public", "gm", "blind", "self"],
    Param("who sees it: everyone, roller and game master, game master alone, roller alone"),
]


Plus = Annotated[int, Param("what the game master adds to this roll alone", -1000, 1000)]
Because = Annotated[str, Param("why the game master adds it")]


def with_plus(book: Rulebook, scene: Scene, who: str, what: str, *, plus: int, because: str) -> Scene:
    """The scene as one roll sees it to which the game master adds something, with the reason in its tally."""
    if not plus:
        return scene
    _reasoned(because)
    return book.apply(scene, Modified(who=who, what=what, value=plus, reason=because, cause="ruling"))


async def check(  # noqa: PLR0917 - all of them can be named on the command line
    game: Live,
    who: Who,
    what: Annotated[str, Param("the check, by its id")],
    situation: Annotated[tuple[str, ...], Param("words of the situation, each as name=value")] = (),
    audience: Audience = "public",
    secret: Annotated[bool, Param("whether the difficulty and the outcome stay with the game master")] = False,
    plus: Plus = 0,
    because: Because = "",
) -> Any:
    """Somebody makes a check, at any time."""
    participant = demand_alive(game, who)
    kind = game.book.check(what)
    scene = with_plus(game.book, game.scene, participant.id, kind.id, plus=plus, because=because)
    plan = kind.read(game.book.subject(participant, scene), named_words(situation))
    seen_by = {"public": EVERYONE, "blind": GAME_MASTER}.get(audience, participant.seat)
    hide = (*plan.hide, *(kind.hides or kind.hidden)) if secret else plan.hide
    call = plan.secretly if secret and plan.secretly is not None else plan.call
    result = await call.by(participant.seat, audience=seen_by, hide=hide, private=plan.private, tallies=plan.tallies)
    if plan.then is not None:
        await plan.then(game, who, result)
    told = "" if hide or audience == "blind" else _in_words(result)
    game.emit(Checked(who=who, what=what, result=told, to=seen_by, cause=plan.call.mechanic.rules[0]))
    return result


async def contest(  # noqa: PLR0917 - all of them can be named on the command line
    game: Live,
    who: Who,
    what: Annotated[str, Param("the check, by its id")],
    against: Annotated[str, Param("the id of the other one")],
    with_what: Annotated[str, Param("the other one's check, if it is another one")] = "",
    situation: Annotated[tuple[str, ...], Param("words of the situation, each as name=value")] = (),
    other_situation: Annotated[tuple[str, ...], Param("words of the other one's situation")] = (),
    blind: Annotated[bool, Param("whether only the game master sees it")] = False,
) -> Any:
    """Two make a check against each other, at any time."""
    one, other = demand_alive(game, who), demand_alive(game, against)
    if one.id == other.id:
        raise BadInput(f"{who} cannot be against {who}", field="against")
    kind, others = game.book.check(what), game.book.check(with_what or what)
    if kind.against is None:
        able = [check.id for check in game.book.checks if check.against is not None]
        raise RulesSayNo(f"{what} cannot be opposed; try {', '.join(able[:12]) or 'a system with contests'}")
    plan = kind.against(
        kind.contender(game.book.subject(one, game.scene), named_words(situation)),
        others.contender(game.book.subject(other, game.scene), named_words(other_situation)),
    )
    seen_by = GAME_MASTER if blind else EVERYONE
    result = await plan.call.by(
        one.seat, other.seat, audience=seen_by, hide=plan.hide, private=plan.private, tallies=plan.tallies
    )
    if plan.then is not None:
        await plan.then(game, who, result)
    told = ("", "") if plan.hide or blind else plan.each(result) if plan.each else (_in_words(result), "")
    cause = plan.call.mechanic.rules[0]
    game.emit(Checked(who=who, what=kind.id, result=told[0], against=against, to=seen_by, cause=cause))
    game.emit(Checked(who=against, what=others.id, result=told[1], against=who, to=seen_by, cause=cause))
    return result


def _in_words(result: Any) -> str:
    return ("yes" if result else "no") if isinstance(result, bool) else show_outcome(result)


async def call_for_check(  # noqa: PLR0917 - all of them can be named on the command line
    game: Live,
    who: Annotated[tuple[str, ...], Param("the ids of those who roll")],
    what: Annotated[str, Param("the check, by its id")],
    situation: Annotated[tuple[str, ...], Param("words of the situation, each as name=value")] = (),
    secret: Annotated[bool, Param("whether the difficulty and the outcomes stay with the game master")] = False,
    plus: Plus = 0,
    because: Because = "",
) -> tuple[Any, ...]:
    """The game master calls for the same check from several."""
    if not who:
        raise BadInput("a check is called for from somebody; nobody was named", field="who")
    for one in who:
        demand_alive(game, one)
    more: dict[str, Any] = {"secret": secret, "plus": plus, "because": because}
    return tuple([await check(game, one, what, situation, **more) for one in who])


def named_words(words: Sequence[str]) -> dict[str, str]:
    """Words of a situation, each as name=value, by their names."""
    named: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise BadInput(f'"{word:.40}" is not of the form name=value', field="situation")
        named[name.strip()] = value.strip()
    return named


async def leave(game: Live, who: Who, how: Annotated[str, Param("fled, yielded, carried off")] = "left") -> None:
    """Somebody leaves the scene."""
    if not game[who].present:
        raise RulesSayNo(f"{game.scene.called(who)} has left already")
    game.emit(Left(who=who, how=how, cause="table"))


async def change_sides(game: Live, who: Who, side: Annotated[str, Param("the side from now on")]) -> None:
    """Somebody goes over to another side."""
    game.emit(ChangedSides(who=game[who].id, side=side, cause="table"))


async def hide(game: Live, who: Who) -> None:
    """The game master makes somebody unknown to the other sides."""
    game.emit(Hid(who=game[who].id, cause="table", to=GAME_MASTER))


async def reveal(game: Live, who: Who) -> None:
    """The game master makes somebody known to everyone."""
    game.emit(Revealed(who=game[who].id, cause="table"))


async def rule(
    game: Live,
    field: Annotated[str, Param("what is set: a field of the status, the place, the turn order")],
    value: Annotated[str, Param("the new value, as JSON or as a plain word")],
    reason: Reason,
    who: Annotated[str | None, Param("whose; none for the scene itself")] = None,
) -> None:
    """The game master sets something to a value, whatever the rules say."""
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
        raise BadInput(f"{text:.40} is not allowed; a ruling sets whole numbers, words, true, false, null or lists")
    return tuple(value) if isinstance(value, list) else value


def _reasoned(reason: str) -> None:
    if not reason.strip():
        raise BadInput("a ruling names its reason; none was given", field="reason")


async def modify(
    game: Live,
    what: Annotated[str, Param("the name under which the number is tallied, such as a check's id")],
    value: Annotated[int, Param("how much is added", -1000, 1000)],
    reason: Reason,
    who: Annotated[str | None, Param("for whom; none for everybody")] = None,
) -> None:
    """The game master adds a number to whatever is tallied under a name."""
    _reasoned(reason)
    game.emit(Modified(who=who and game[who].id, what=what, value=value, reason=reason, cause="ruling"))


async def unmodify(
    game: Live,
    what: Annotated[str, Param("the name under which the number is tallied")],
    reason: Reason,
    who: Annotated[str | None, Param("for whom; none for everybody")] = None,
) -> None:
    """The game master takes an added number away again."""
    known = [(modifier.what, modifier.who, modifier.reason) for modifier in game.scene.modifiers]
    if (what, who, reason) not in known:
        raise BadInput(f"no such modifier; there are: {', '.join(modifier.id for modifier in game.scene.modifiers)}")
    game.emit(Unmodified(who=who, what=what, reason=reason, cause="ruling"))


async def set_fact(
    game: Live,
    who: Who,
    fact: Annotated[str, Param("what is so: cover, sight, or another word the system knows")],
    other: Annotated[str | None, Param("with regard to whom; none for everybody")] = None,
    value: Annotated[str | None, Param("how it is; none clears it")] = None,
) -> None:
    """The game master says what is so between two."""
    other = other and game[other].id
    game.emit(FactSet(who=game[who].id, fact=fact, other=other, value=value, cause="ruling"))


async def pass_time(
    game: Live,
    amount: Annotated[str, Param("how long, such as 3 days or 10 minutes")],
    stop: Annotated[
        Literal["always", "news", "never"],
        Param("whether time stops where something falls due: always, where a player hears of something, never"),
    ] = "never",
) -> int:
    """Time passes with nothing else happening than what falls due; the result is how many ticks are left over."""
    before = len(game.log)

    def is_news(live: Live) -> bool:
        players = {one.seat for one in live.scene.participants} - {GAME_MASTER}
        return any(
            not isinstance(line, TimePassed) and project_line(line, live.scene, seat) is not None
            for line in live.log[before:]
            for seat in players
        )

    stops: Callable[[Live], bool] | None = {"always": lambda _: True, "news": is_news}.get(stop)
    calendar = game.book.calendar_of(game.scene.options)
    return await let_time_pass(game, calendar.parse(amount), cause="table", stop=stops)


async def set_option(
    game: Live,
    name: Annotated[str, Param("the option, by its name")],
    value: Annotated[str, Param("its value from now on")],
    reason: Reason,
) -> None:
    """The table plays by another variant from now on; everybody here must be within the rules then."""
    _reasoned(reason)
    scene, book = game.scene, game.book
    field = scene.options.field(name)
    new = scene.options.put(name, field.read(value))
    under_way = scene.ended is None and (scene.round > 0 or bool(scene.order))
    if field.changes == "never" or (field.changes == "between_scenes" and under_way):
        when = "once a game has begun" if field.changes == "never" else "while a scene is under way"
        raise RulesSayNo(f"{name} cannot change {when}", rule=field.rule)
    changed = {one.id: book.converted(one.character, scene.options, new) for one in scene.present}
    problems = [
        f"{who}: {violation}"
        for who, character in changed.items()
        for violation in book.legality(character, new, scene.library).violations
        if violation not in book.legality(game[who].character, scene.options, scene.library).violations
    ]
    if problems:
        raise RulesSayNo("\n".join([f"not everybody here would be within the rules with {name} {value}:", *problems]))
    game.emit(OptionsChanged(name=name, value=field.read(value), reason=reason, cause="ruling"))
    for who, character in changed.items():
        if character != game[who].character:
            game.emit(
                CharacterChanged(who=who, what=f"converted to {name} {value}", character=character, cause="ruling")
            )


async def end(game: Live, outcome: Annotated[str, Param("how it ended, in words")], reason: Reason = "") -> None:
    """The game master ends the scene."""
    if game.scene.ended is not None:
        raise RulesSayNo(f"the scene has ended already: {game.scene.ended}")
    game.emit(SceneEnded(outcome=outcome, reason=reason, cause="ruling"))


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
