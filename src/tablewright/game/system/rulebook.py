"""The lazily loaded half of a system: characters, checks, actions, encounters and content."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewright.engine import Process
from tablewright.engine.request import Request
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.character.character import Character, read_character
from tablewright.game.play.actions import Actions, ActionUse
from tablewright.game.play.checks import Check, Subject
from tablewright.game.play.common_apply import arriving, common_reducer
from tablewright.game.play.costs import ActionEconomy, Cost, Resources
from tablewright.game.play.foresight import DecisiveCall
from tablewright.game.play.vitals import Vitals
from tablewright.game.rules.options import RuleOptions
from tablewright.game.scene.arrival import with_pending_timers
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.events import Reducer
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import ActingSeat, Participant, Scene
from tablewright.game.scene.visibility import hidden_numbers

if TYPE_CHECKING:
    from tablewright.game.character.legality import Legality
    from tablewright.game.character.sheet import Sheet
    from tablewright.game.content.entries import ContentEntry
    from tablewright.game.content.library import Library
    from tablewright.game.time.calendar import Calendar
    from tablewright.game.time.clock import Timer


class Rating(NamedTuple):
    """A quick rating of an option: damage to foes, own safety and cost, on any integer scale."""

    harm: int | Fraction = 0
    safety: int | Fraction = 0
    cost: int | Fraction = 0


def _no_value(scene: Scene, side: str) -> int:
    return 0


def _no_rating(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating()


def _unknown_health(participant: Participant) -> str:
    return "unknown"


def _as_it_is(scene: Scene, who: str) -> Any:
    """The character with the belongings of its status and its pending timers."""
    character, has = scene[who].character, scene[who].belongings
    return with_pending_timers(
        scene, who, character if has is character.belongings else character.changed(belongings=has)
    )


def _unchanged(scene: Scene) -> Scene:
    return scene


def _unconverted(character: Any, old: Any, new: Any) -> Any:
    return character


def _made_by(enter: Callable[[Subject], Any]) -> type | None:
    """The annotated return type of ``enter`` if it is a dataclass, or None."""
    said = getattr(enter, "__annotations__", {}).get("return")
    kind = getattr(enter, "__globals__", {}).get(said) if isinstance(said, str) else said
    return kind if isinstance(kind, type) and is_dataclass(kind) else None


async def _nothing_due(game: Game, due: Timer) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """Everything that the program needs to create characters and play scenes of one system.

    ``make_status`` creates the status of a character that enters a scene. ``export_character`` returns the character
    that leaves it, with what it keeps of the status (wounds, points spent). ``on_arrival`` completes a scene after a
    participant has arrived, at its opening or later: it schedules their timers. ``on_open`` completes a new scene with
    what belongs to the scene itself; ``open_scene`` does both. ``convert_character`` converts a character to other rule
    options (character, old options, new options). ``encounter`` is the process that runs a fight from any scene to its
    end. ``on_timer`` handles a timer that has run out.

    ``score_scene`` is the value of a scene to a side (damage done, damage to expect, resources). ``rate_use`` rates one
    option quickly. ``assume_hidden`` returns the scene as a side assumes it, with guesses for the hidden numbers of
    others; by default these are assumed as on arrival. ``health`` is the word that others see instead of hidden
    numbers. ``vitals`` declares what is counted over many fights. ``decisive_call`` returns the call that decides an
    action, where landing its results is faster than playing it (rulebook, scene, who, use); None means to play it.
    ``preview`` returns the rule whose odds stand for an action of several rolls (scene, who, use); None means its
    first rule.

    ``character_kinds`` are the content kinds whose entries hold a whole ``character``: templates and creatures.
    ``pass_action`` is the id of the action that does nothing. ``modifier_names`` returns the names under which the
    rules of a scene read modifiers, ``fact_names`` are the facts that they read; None means that any name is taken.
    ``calendar_by`` returns the calendar for rule options that change the length of its units.
    """

    character: type[Character]
    create: Process[..., Any]
    legality: Callable[[Any, Any, Any], Legality]
    sheet: Callable[[Any, Any, Any], Sheet]
    make_status: Callable[[Subject], Any]
    encounter: Process[..., Any]
    actions: Actions
    calendar: Calendar
    apply: Reducer[Scene] = field(default_factory=lambda: common_reducer)
    kinds: Mapping[str, type[ContentEntry]] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    processes: tuple[Process[..., Any], ...] = ()
    character_kinds: tuple[str, ...] = ()
    pass_action: str = ""
    on_timer: Callable[[Game, Timer], Awaitable[None]] = _nothing_due
    export_character: Callable[[Scene, str], Any] = _as_it_is
    on_arrival: Callable[[Scene, str], Scene] | None = None
    on_open: Callable[[Scene], Scene] = _unchanged
    convert_character: Callable[[Any, Any, Any], Any] = _unconverted
    score_scene: Callable[[Scene, str], int | Fraction | float] = _no_value
    rate_use: Callable[[Scene, str, ActionUse], Rating] = _no_rating
    assume_hidden: Callable[[Scene, str], Scene] | None = None
    health: Callable[[Participant], str] = _unknown_health
    vitals: Vitals = field(default_factory=Vitals)
    calendar_by: Callable[[Any], Calendar] | None = None
    modifier_names: Callable[[Scene], Sequence[str]] | None = None
    fact_names: tuple[str, ...] | None = None
    decisive_call: Callable[[Rulebook, Scene, str, ActionUse], DecisiveCall | None] | None = None
    preview: Callable[[Scene, str, ActionUse], Request[Any] | None] | None = None

    def __post_init__(self) -> None:
        if self.on_arrival is not None:
            object.__setattr__(self, "apply", arriving(self.apply, self.on_arrival))
        status = _made_by(self.make_status)
        if status is None or type(self.actions.purses) not in (Resources, ActionEconomy):
            return  # a system's own resource class may accept any name
        for action in self.actions:
            for purse, _ in action.cost.amounts if isinstance(action.cost, Cost) else ():
                if not self.actions.purses.knows(purse, status):
                    hint = did_you_mean(purse, [entry.name for entry in fields(status)])
                    raise InvalidInputError(f'the price of "{action.id}" is in {purse}, which no status has{hint}')

    def open_scene(self, scene: Scene) -> Scene:
        """Complete a new scene: run the arrival of every participant, then ``on_open``."""
        if self.on_arrival is not None:
            for participant in scene.participants:
                scene = self.on_arrival(scene, participant.id)
        return self.on_open(scene)

    def foresee(self, scene: Scene, who: str, use: ActionUse) -> list[tuple[Scene, int]] | None:
        """All scenes that an action can lead to, with weights, by the call that decides it; None to play it."""
        found = None if self.decisive_call is None else self.decisive_call(self, scene, who, use)
        return None if found is None else found.outcomes(self)

    def calendar_of(self, options: Any) -> Calendar:
        """The calendar under these rule options."""
        return self.calendar if self.calendar_by is None else self.calendar_by(options)

    def check(self, name: str) -> Check:
        """Find a check by id or by another name of it; an unknown one is refused with the nearest id."""
        for check in self.checks:
            if check.id == name or name in check.aliases:
                return check
        known = [check.id for check in self.checks]
        raise InvalidInputError(
            f'there is no check "{name:.40}"; try {", ".join(known[:12])}{did_you_mean(name, known)}'
        )

    def character_of(self, id_: str, library: Library) -> Character:
        """The character of a content entry, a template or a creature; an unknown id is refused with the nearest one."""
        for kind in self.character_kinds:
            if library.has(kind, id_):
                return _held_by(library.get(kind, id_), self.character)
        known = [entry.id for kind in self.character_kinds for entry in library.of(kind)]
        raise InvalidInputError(
            f'nobody in the content is called "{id_:.40}"; there are: {", ".join(known)}{did_you_mean(id_, known)}'
        )

    def supposed_by(self, scene: Scene, side: str) -> Scene:
        """The scene as a side assumes it: hidden numbers of others are guesses."""
        if self.assume_hidden is not None:
            return self.assume_hidden(scene, side)
        for participant in scene.participants:
            if participant.side != side:
                fresh = self.make_status(Subject(participant.character, scene.options, scene.library))
                scene = scene.with_status(
                    participant.id, **{name: getattr(fresh, name) for name in hidden_numbers(participant.status)}
                )
        return scene

    def subject(self, participant: Participant, scene: Scene) -> Subject:
        """The participant as the subject of a check."""
        return Subject(participant.character, scene.options, scene.library, participant.status, scene, participant.id)

    def participant(self, character: Any, options: RuleOptions, library: Library | None, **places: Any) -> Participant:
        """Create a participant from a character; ``places`` holds id, side, seat, position and other fields."""
        subject = Subject(character, options, library)
        own = {"name": character.name, "pending": getattr(character, "pending", ())}
        whole = own | places
        whole["seat"] = ActingSeat(whole["seat"], whole["id"])
        return Participant(character=character, status=self.make_status(subject), **whole)


@cached_by_identity
def _held_by(entry: Any, kind: type[Character]) -> Character:
    """The character of a content entry, parsed once and cached: thousands of fights start with the same ones."""
    return read_character(dict(entry.character), kind).character
