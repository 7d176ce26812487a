"""What happens in every system: people come and go, rounds and turns begin, time passes, and the game master rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from tablewright.engine.values import to_json
from tablewright.errors import BadInput, nearest
from tablewright.game.belongings import Belongings
from tablewright.game.clock import ANY, AnyData, Data
from tablewright.game.events import GAME_MASTER, OWNER, Apply, Event, secret, shown
from tablewright.game.ground import ANYONE, Position
from tablewright.game.lasting import lasting
from tablewright.game.lying import Lying, lay_down, take_up
from tablewright.game.pending import come, gone
from tablewright.game.prices import paying
from tablewright.game.scene import Modifier, Participant, Scene, SeatOf, replaced
from tablewright.game.wording import said


@dataclass(frozen=True, kw_only=True)
class Joined(Event):
    """Somebody came."""

    about = ("who",)
    who: str = shown()
    name: str = shown()
    side: str = shown()
    participant: Participant = secret()

    def to_json(self) -> dict[str, Any]:
        """The fact without the participant's whole value, which the record brings about again."""
        return {"event": self.kind, "who": self.who, "name": self.name, "side": self.side, "cause": self.cause}

    def in_words(self) -> str:
        """Who came."""
        return f"{self.name} joins ({self.side})"


@dataclass(frozen=True, kw_only=True)
class Left(Event):
    """Somebody is gone: fled, yielded, carried off."""

    who: str = shown()
    how: str = shown(default="left")

    def in_words(self) -> str:
        """Who left, and how."""
        return f"{self.who} {self.how}"


@dataclass(frozen=True, kw_only=True)
class ChangedSides(Event):
    """Somebody fights for others now."""

    words = "{who} is on the side of {side} now"
    who: str = shown()
    side: str = shown()


@dataclass(frozen=True, kw_only=True)
class Hid(Event):
    """Somebody is no longer known to the other sides."""

    words = "{who} is hidden"
    who: str = shown()


@dataclass(frozen=True, kw_only=True)
class Revealed(Event):
    """Somebody is known to everyone from now on."""

    words = "{who} comes to light"
    who: str = shown()


@dataclass(frozen=True, kw_only=True)
class OrderSet(Event):
    """Who acts when."""

    about: ClassVar[tuple[str, ...]] = ()
    order: tuple[str, ...] = shown()

    def in_words(self) -> str:
        """The order."""
        return f"order: {', '.join(self.order)}"


@dataclass(frozen=True, kw_only=True)
class RoundStarted(Event):
    """A round begins."""

    about: ClassVar[tuple[str, ...]] = ()
    number: int = shown()

    def in_words(self) -> str:
        """Its number."""
        return f"round {self.number}"


@dataclass(frozen=True, kw_only=True)
class TurnStarted(Event):
    """Somebody's turn begins."""

    who: str = shown()

    def in_words(self) -> str:
        """Whose turn."""
        return f"{self.who}'s turn"


@dataclass(frozen=True, kw_only=True)
class TurnEnded(Event):
    """Somebody's turn is over."""

    who: str = shown()

    def in_words(self) -> str:
        """Whose turn."""
        return f"{self.who}'s turn ends"


@dataclass(frozen=True, kw_only=True)
class Moved(Event):
    """Somebody is somewhere else."""

    who: str = shown()
    position: Position = shown()

    def in_words(self) -> str:
        """Where to."""
        return f"{self.who} moves to {self.position}"


@dataclass(frozen=True, kw_only=True)
class TimePassed(Event):
    """The clock went on, in the system's smallest unit; how much that is, a system's calendar says."""

    words = "some time passes"
    about: ClassVar[tuple[str, ...]] = ()
    amount: int = shown()


@dataclass(frozen=True, kw_only=True)
class Scheduled(Event):
    """Something will fall due after so many ticks, and then every so many. Only the game master hears of it."""

    words = "later on: [{who} ]{what}"
    who: str | None = shown(default=None)
    what: str = secret()
    after: int = secret()
    every: int = secret(default=0)
    data: Data = secret(default=None)
    rank: int = secret(default=0)
    to: str = secret(default=GAME_MASTER)


@dataclass(frozen=True, kw_only=True)
class Cancelled(Event):
    """Something will not fall due after all. Only the game master hears of it."""

    words = "no more: [{who} ]{what}"
    who: str | None = shown(default=None)
    what: str = secret()
    data: AnyData = secret(default=ANY)
    to: str = secret(default=GAME_MASTER)


@dataclass(frozen=True, kw_only=True)
class OptionsChanged(Event):
    """The table plays by another variant from now on."""

    about: ClassVar[tuple[str, ...]] = ()
    name: str = shown()
    value: str | int | bool | None = shown()
    reason: str = shown()

    def in_words(self) -> str:
        """Which option, and why."""
        return f"from now on: {self.name} is {to_json(self.value)} ({self.reason})"


@dataclass(frozen=True, kw_only=True)
class FactSet(Event):
    """The game master set what is so between two: cover, sight. None clears it."""

    about = ("who", "other")
    who: str = shown()
    fact: str = shown()
    other: str | None = shown(default=None)
    value: str | None = shown(default=None)

    def in_words(self) -> str:
        """What is so, of whom and towards whom."""
        towards = f" towards {self.other}" if self.other else ""
        what = self.fact.replace("_", " ")
        return f"{self.who}{towards}: {f'no {what} any more' if self.value is None else f'{what} {self.value}'}"


@dataclass(frozen=True, kw_only=True)
class Modified(Event):
    """The game master added a number to what is tallied under a name."""

    who: str | None = shown(default=None)
    what: str = shown()
    value: int = shown()
    reason: str = shown()

    def in_words(self) -> str:
        """The number with its sign, on what, and why."""
        return f"{f'{self.who}: ' if self.who else ''}{self.value:+d} on {self.what.replace('_', ' ')} ({self.reason})"


@dataclass(frozen=True, kw_only=True)
class Unmodified(Event):
    """The game master took such a number away again."""

    words = "[{who}: ]nothing more on {what} ({reason})"
    who: str | None = shown(default=None)
    what: str = shown()
    reason: str = shown()


@dataclass(frozen=True, kw_only=True)
class Ruled(Event):
    """The game master set something to a value, past all rules, for a reason."""

    who: str | None = shown(default=None)
    field: str = shown(OWNER)
    value: Any = shown(OWNER)
    reason: str = shown(OWNER)

    def in_words(self) -> str:
        """What was ruled."""
        whom = f"{self.who}'s " if self.who else ""
        return f"the game master rules: {whom}{self.field} is {to_json(self.value)} ({self.reason})"


@dataclass(frozen=True, kw_only=True)
class Spared(Event):
    """The game master lets harm that was just done count half, or not at all."""

    about = ("who",)
    who: str = shown()
    part: str = shown()
    status: Any = secret()

    def to_json(self) -> dict[str, Any]:
        """The fact without the status, which the record brings about again."""
        return {"event": self.kind, "who": self.who, "part": self.part, "cause": self.cause}

    def in_words(self) -> str:
        """How much of it counts."""
        return f"{'half' if self.part == 'half' else 'none'} of it counts for {self.who}"


@dataclass(frozen=True, kw_only=True)
class Checked(Event):
    """Somebody made a check in free play, perhaps ``against`` another; dice and trace stand before it in the log."""

    about: ClassVar[tuple[str, ...]] = ("who", "against")
    who: str = shown()
    what: str = shown()
    result: str = shown(default="")
    against: str | None = shown(default=None)

    def to_json(self) -> dict[str, Any]:
        """The fact; a check against nobody does not speak of it."""
        return {name: value for name, value in super().to_json().items() if name != "against" or value is not None}

    def in_words(self) -> str:
        """Who checked what, and how it came out where that is known."""
        opposed = f" against {self.against}" if self.against else ""
        result = f": {said(self.result)}" if self.result else ""
        return f"{self.who} checks {self.what.replace('_', ' ')}{opposed}{result}"


@dataclass(frozen=True, kw_only=True)
class CharacterChanged(Event):
    """The character itself changed for good: advancement, belongings, scars."""

    who: str = shown()
    what: str = shown(OWNER)
    character: Any = shown(OWNER)

    def to_json(self) -> dict[str, Any]:
        """The fact with the character as its file has it."""
        dumped = self.character.model_dump(mode="json") if hasattr(self.character, "model_dump") else self.character
        return {"event": self.kind, "who": self.who, "what": self.what, "character": dumped, "cause": self.cause}

    def in_words(self) -> str:
        """What changed."""
        return f"{self.who}: {self.what}"


@dataclass(frozen=True, kw_only=True)
class BelongingsChanged(Event):
    """Somebody has other things than before, or has them elsewhere; money may have changed hands.

    Belongings are in the status, money is in the character's field ``purse``; ``laid_down`` and ``taken_up`` are what
    came onto the ground and from it.
    """

    who: str = shown()
    what: str = shown()
    belongings: Belongings = shown(OWNER)
    money: int | Fraction | None = shown(OWNER, default=None)
    purse: str = shown(OWNER, default="money")
    laid_down: tuple[Lying, ...] = shown(default=())
    taken_up: tuple[Lying, ...] = shown(default=())

    def in_words(self) -> str:
        """What was done."""
        return f"{self.who}: {self.what}"


@dataclass(frozen=True, kw_only=True)
class SceneEnded(Event):
    """It is over, and why."""

    about: ClassVar[tuple[str, ...]] = ()
    outcome: str = shown()
    reason: str = shown(default="")

    def in_words(self) -> str:
        """How it ended."""
        return f"the end: {self.outcome}" + (f" ({self.reason})" if self.reason else "")


common: Apply[Scene] = Apply(lasting, paying)
"""How the events of every system change a scene; a system's own apply starts from it."""


@common.on(Joined)
def _joined(scene: Scene, event: Joined) -> Scene:
    if event.who in scene:
        scene = scene.with_participant(event.participant)
    else:
        scene = replaced(scene, participants=(*scene.participants, event.participant))
    return come(scene, event.who)


@dataclass(frozen=True)
class _Arrival:
    """What applies `Joined` in a system that does more when somebody comes: ``first`` as always, then ``arrives``."""

    first: Callable[[Scene, Any], Scene]
    arrives: Callable[[Scene, str], Scene]

    def __call__(self, scene: Scene, event: Joined) -> Scene:
        return self.arrives(self.first(scene, event), event.who)


def arriving(apply: Apply[Scene], arrives: Callable[[Scene, str], Scene]) -> Apply[Scene]:
    """The same functions, but whoever joins also ``arrives``; once, however often this is asked for."""
    first = apply.by_kind[Joined]
    whole: Apply[Scene] = Apply(apply)
    whole.by_kind[Joined] = _Arrival(first.first if isinstance(first, _Arrival) else first, arrives)
    return whole


@common.on(Left)
def _left(scene: Scene, event: Left) -> Scene:
    return gone(scene, event.who)


@common.on(ChangedSides)
def _changed_sides(scene: Scene, event: ChangedSides) -> Scene:
    return scene.with_participant(replaced(scene[event.who], side=event.side))


@common.on(Hid)
def _hid(scene: Scene, event: Hid) -> Scene:
    return scene.with_participant(replaced(scene[event.who], hidden=True))


@common.on(Revealed)
def _revealed(scene: Scene, event: Revealed) -> Scene:
    return scene.with_participant(replaced(scene[event.who], hidden=False))


@common.on(OrderSet)
def _order_set(scene: Scene, event: OrderSet) -> Scene:
    return replaced(scene, order=event.order)


@common.on(RoundStarted)
def _round_started(scene: Scene, event: RoundStarted) -> Scene:
    return replaced(scene, round=event.number, acted=(), turn=None)


@common.on(TurnStarted)
def _turn_started(scene: Scene, event: TurnStarted) -> Scene:
    return replaced(scene, turn=event.who)


@common.on(TurnEnded)
def _turn_ended(scene: Scene, event: TurnEnded) -> Scene:
    turn = None if scene.turn == event.who else scene.turn  # whoever moved up ends no turn but their own
    return replaced(scene, turn=turn, acted=(*scene.acted, event.who))


@common.on(Moved)
def _moved(scene: Scene, event: Moved) -> Scene:
    return scene.with_participant(replaced(scene[event.who], position=event.position))


@common.on(TimePassed)
def _time_passed(scene: Scene, event: TimePassed) -> Scene:
    """To the next thing that falls due or by the whole amount, whichever comes first."""
    return replaced(scene, clock=scene.clock.step(scene.clock.now + event.amount)[0])


@common.on(Scheduled)
def _scheduled(scene: Scene, event: Scheduled) -> Scene:
    clock = scene.clock.schedule(
        event.what, after=event.after, who=event.who or "", every=event.every, data=event.data, rank=event.rank
    )
    return replaced(scene, clock=clock)


@common.on(Cancelled)
def _cancelled(scene: Scene, event: Cancelled) -> Scene:
    return replaced(scene, clock=scene.clock.cancel(event.what, who=event.who, data=event.data))


@common.on(OptionsChanged)
def _options_changed(scene: Scene, event: OptionsChanged) -> Scene:
    return replaced(scene, options=scene.options.put(event.name, event.value))


@common.on(FactSet)
def _fact_set(scene: Scene, event: FactSet) -> Scene:
    against = event.other or ANYONE
    if event.value is None:
        return replaced(scene, facts=scene.facts.clear(event.fact, event.who, against))
    return replaced(scene, facts=scene.facts.set(event.fact, event.who, event.value, against))


@common.on(Modified)
def _modified(scene: Scene, event: Modified) -> Scene:
    added = Modifier(event.what, event.value, event.reason, event.who)
    return replaced(scene, modifiers=(*[known for known in scene.modifiers if known.id != added.id], added))


@common.on(Unmodified)
def _unmodified(scene: Scene, event: Unmodified) -> Scene:
    gone = Modifier(event.what, 0, event.reason, event.who).id
    return replaced(scene, modifiers=tuple([known for known in scene.modifiers if known.id != gone]))


@common.on(Checked)
def _checked(scene: Scene, event: Checked) -> Scene:
    return scene


@common.on(CharacterChanged)
def _character_changed(scene: Scene, event: CharacterChanged) -> Scene:
    return scene.with_participant(replaced(scene[event.who], character=event.character))


@common.on(BelongingsChanged)
def _belongings_changed(scene: Scene, event: BelongingsChanged) -> Scene:
    scene = scene.change(event.who, belongings=event.belongings)
    if event.money is not None:
        participant = scene[event.who]
        paid = participant.character.changed(**{event.purse: event.money})
        scene = scene.with_participant(replaced(participant, character=paid))
    return lay_down(take_up(scene, *event.taken_up), *event.laid_down)


@common.on(SceneEnded)
def _scene_ended(scene: Scene, event: SceneEnded) -> Scene:
    return replaced(scene, ended=event.outcome, turn=None)


_OF_THE_SCENE = ("round", "order", "acted", "turn", "ended")
_OF_THE_PARTICIPANT = ("name", "side", "seat", "position", "hidden", "present")


@common.on(Spared)
def _spared(scene: Scene, event: Spared) -> Scene:
    return scene.with_participant(replaced(scene[event.who], status=event.status))


@common.on(Ruled)
def _ruled(scene: Scene, event: Ruled) -> Scene:
    """Set a field of the scene, of a participant or of its status; the name decides which."""
    if event.who is None:
        if event.field not in _OF_THE_SCENE:
            raise _no_such_field(event.field, _OF_THE_SCENE)
        return replaced(scene, **{event.field: _of_the_scene(scene, event)})
    participant = scene[event.who]
    if event.field == "present":
        is_here = _like(participant.present, event)
        return scene if is_here is participant.present else (come if is_here else gone)(scene, event.who)
    if event.field in _OF_THE_PARTICIPANT:
        ruled = {event.field: _of_the_participant(scene, participant, event)}
        return scene.with_participant(replaced(participant, **ruled))
    status = participant.status
    known = [entry.name for entry in fields(status)] if is_dataclass(status) else []
    if event.field not in known:
        raise _no_such_field(event.field, (*known, *_OF_THE_PARTICIPANT))
    return scene.change(
        event.who, **{event.field: _fitting(type(status), _like(getattr(status, event.field), event), event)}
    )


def _of_the_scene(scene: Scene, event: Ruled) -> Any:
    """What the game master may set of the scene itself: people in orders and turns must be here."""
    value = tuple(event.value) if isinstance(event.value, list) else event.value
    if event.field == "round":
        return _like(scene.round, event)
    if event.field in ("order", "acted"):
        for who in _like((), event):
            scene[str(who)]
        return value
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{event.field} is a word or null, not {to_json(value)!r:.40}", field=event.field)
    return scene[value].id if event.field == "turn" and value is not None else value


def _of_the_participant(scene: Scene, participant: Participant, event: Ruled) -> Any:
    if event.field == "seat" and isinstance(event.value, str):
        return SeatOf(event.value, participant.id)
    if event.field != "position":
        return _like(getattr(participant, event.field), event)
    if event.value is None:
        return None
    if not isinstance(event.value, str):
        raise BadInput(f"position is a word such as 3,4, not {to_json(event.value)!r:.40}", field=event.field)
    return scene.ground.parse(event.value)


def _like(present: object, event: Ruled) -> Any:
    """The ruled value in the form that the field has: a ruling may set anything, but not to another kind of thing."""
    value = tuple(event.value) if isinstance(event.value, list) else event.value
    if present is not None and type(value) is not type(present):
        kinds = {int: "a whole number", bool: "true or false", str: "a word", SeatOf: "a word", tuple: "a list"}
        kind = kinds.get(type(present))
        raise BadInput(
            f"{event.field} is {kind or type(present).__name__}, not {to_json(value)!r:.40}", field=event.field
        )
    return value


def _fitting(kind: type, value: Any, event: Ruled) -> Any:
    """A list that the field of a status can hold: words, numbers, or nothing; records are made by what happens."""
    if not isinstance(value, tuple) or not value:
        return value
    each = _held_in(kind).get(event.field)
    if each in (str, int) and all(type(one) is each for one in value):
        return value
    if get_origin(each) is Literal and all(one in get_args(each) for one in value):
        return value
    wanted = {str: "words", int: "whole numbers"}.get(each) if each else None
    wanted = ", ".join(map(str, get_args(each))) if get_origin(each) is Literal else wanted
    allowed = f"a list of {wanted}" if wanted else "only emptied by a ruling: []"
    raise BadInput(f"{event.field} is {allowed}, not {to_json(value)!r:.40}", field=event.field)


@cache
def _held_in(kind: type) -> dict[str, Any]:
    """What each field of a status holds that is a list of any length, as far as its annotations say."""
    try:
        hints = get_type_hints(kind)
    except NameError:
        return {}
    return {name: get_args(hint)[0] for name, hint in hints.items() if get_args(hint)[1:] == (Ellipsis,)}


def _no_such_field(name: str, known: tuple[str, ...]) -> BadInput:
    return BadInput(
        f'there is nothing called "{name:.40}" to rule on; there are: {", ".join(known)}{nearest(name, known)}'
    )
