"""Game: a scene under way, as processes get it, and the protocol of the rulebook behind it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Protocol

from tablewright.engine import ChoiceStep, OptionList, World
from tablewright.engine.request import EVERYONE
from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import Participant, Scene

if TYPE_CHECKING:
    from tablewright.game.character.legality import Legality
    from tablewright.game.time.calendar import Calendar
    from tablewright.game.time.clock import Timer


class Rules(Protocol):
    """Part of a rulebook that a game needs.

    Actions, checks and vitals are typed ``Any`` here, because their classes build on scenes.
    """

    @property
    def apply(self) -> Callable[[Scene, Event], Scene]:
        """Function that applies an event to a scene."""

    @property
    def actions(self) -> Any:
        """Actions of the system (see ``game.play.actions``)."""

    @property
    def checks(self) -> tuple[Any, ...]:
        """Kinds of checks (see ``game.play.checks``)."""

    @property
    def vitals(self) -> Any:
        """Vitals: who stands, who is dead, how much damage an event did (see ``game.play.vitals``)."""

    @property
    def rate_use(self) -> Callable[[Scene, str, Any], Any]:
        """Function that rates a use of an action at a glance."""

    @property
    def pass_action(self) -> str:
        """Id of the action that does nothing."""

    @property
    def modifier_names(self) -> Callable[[Scene], Sequence[str]] | None:
        """Function that lists the names under which a modifier counts; None if any name is taken."""

    @property
    def fact_names(self) -> tuple[str, ...] | None:
        """Facts that the rules read; None if any name is taken."""

    @property
    def on_timer(self) -> Callable[[Game, Timer], Awaitable[None]]:
        """Handler of a timer that has run out."""

    @property
    def convert_character(self) -> Callable[[Any, Any, Any], Any]:
        """Function that converts a character to other rule options."""

    @property
    def legality(self) -> Callable[[Any, Any, Any], Legality]:
        """Function that reports the violations of a character."""

    def check(self, name: str) -> Any:
        """The kind of check with this id."""

    def subject(self, participant: Participant, scene: Scene) -> Any:
        """A participant as the subject of a check."""

    def participant(self, character: Any, options: Any, library: Any, **places: Any) -> Participant:
        """A character as a participant who enters a scene."""

    def character_of(self, id_: str, library: Any) -> Any:
        """The character that a content entry holds."""

    def calendar_of(self, options: Any) -> Calendar:
        """The calendar under these rule options."""


class Game(World[Scene, Event]):
    """A scene under way, as processes get it: ``g.scene``, ``g[who]``, ``g.emit(event)`` and the rulebook."""

    __slots__ = ("_acting", "_acts", "_last_act", "_moves", "_purposes", "_sights", "rulebook", "temper", "told_to")

    def __init__(self, scene: Scene, book: Rules, apply: Callable[[Scene, Event], Scene] | None = None) -> None:
        super().__init__(scene, apply or book.apply)
        self.rulebook = book
        self.temper: Callable[[Game, Scene, Event], None] | None = None
        self.told_to = EVERYONE
        self._sights: list[tuple[int, Scene]] = [(0, scene)]
        self._moves: dict[int, Scene] = {}
        self._acts: list[tuple[int, int]] = [(0, 0)]
        self._acting: list[int] = []
        self._last_act = 0
        self._purposes: dict[int, str] = {}

    def begin_act(self, *, inside: bool = True) -> None:
        """Number everything emitted or rolled until :meth:`end_act` as one action.

        An action that another one brings about, such as a reaction, belongs to that one, unless ``inside`` is false. A
        choice directly before the action belongs to it.
        """
        if self._acting and inside:
            self._acting.append(self._acting[-1])
            return
        start = len(self.log)
        if self.log and isinstance(self.log[-1], ChoiceStep) and self._acts[-1][0] < start:
            start -= 1
        self._last_act += 1
        self._acting.append(self._last_act)
        self._acts.append((start, self._last_act))

    def end_act(self) -> None:
        """End what :meth:`begin_act` began."""
        ended = self._acting.pop()
        around = self._acting[-1] if self._acting else 0
        if around != ended:
            self._acts.append((len(self.log), around))
            self._purposes.pop(ended, None)

    @property
    def purpose(self) -> str:
        """Purpose of the dice of the action under way, such as the title of a check; empty if it has no name."""
        return self._purposes.get(self._acting[-1], "") if self._acting else ""

    @purpose.setter
    def purpose(self, words: str) -> None:
        if self._acting:
            self._purposes[self._acting[-1]] = words

    def act_of(self, line: int) -> int:
        """Number of the action that a line of the log belongs to; 0 if it belongs to none."""
        return self._acts[bisect_right(self._acts, line, key=itemgetter(0)) - 1][1]

    @property
    def acting(self) -> tuple[int, ...]:
        """Numbers of the actions that are under way."""
        return tuple(self._acting)

    def emit(self, event: Event) -> None:
        """Apply and log an event; remember the scene if someone moved, or if it changed who can see whom.

        While ``told_to`` names a seat, what everyone would see is seen by this seat and the game master alone.
        """
        before = self.state
        if self.told_to != EVERYONE and event.to == EVERYONE:
            event = replace(event, to=self.told_to)
        self.state = self._apply(before, event)
        self.log.append(event)
        if event.is_move:
            self._moves[len(self.log) - 1] = self.state
        if not before.shows_the_same(self.state):
            self._sights.append((len(self.log) - 1, self.state))
        if self.temper is not None:
            self.temper(self, before, event)

    def scenes_of(self, line: int) -> tuple[Scene, Scene]:
        """Two scenes that show who could see whom before and after a line of the log."""
        before, after = [bisect_right(self._sights, at, key=itemgetter(0)) - 1 for at in (line - 1, line)]
        return self._sights[max(0, before)][1], self._sights[after][1]

    def scene_of_move(self, line: int) -> Scene:
        """The scene after the move at a line of the log; for other lines, one that shows who could see whom."""
        return self._moves.get(line) or self.scenes_of(line)[1]

    def scenes_along(self) -> list[Scene]:
        """Scenes of the log at which it changed who can see whom, the first one included."""
        return [scene for _, scene in self._sights]

    def take_back(self, scene: Scene, lines: int) -> None:
        """Restore a scene and cut the log to ``lines`` lines."""
        self.state = scene
        del self.log[lines:]
        while len(self._sights) > 1 and self._sights[-1][0] >= lines:
            self._sights.pop()
        self._moves = {line: moved for line, moved in self._moves.items() if line < lines}
        while len(self._acts) > 1 and self._acts[-1][0] >= lines:
            self._acts.pop()
        around = self._acting[-1] if self._acting else 0
        if self._acts[-1][1] != around:
            self._acts.append((lines, around))
        self._last_act = max([number for _, number in self._acts])

    scene: Scene = property(attrgetter("state"), doc="The current scene; every event replaces it.")  # type: ignore[assignment]

    def __getitem__(self, who: str) -> Participant:
        return self.state[who]

    def refuse_if(self, forbidden: object, who: str, why: str, rule: str) -> None:
        """Refuse something to a participant if it is forbidden; the reason follows their name."""
        if forbidden:
            raise self.scene.cannot(who, why, rule)

    def legal_uses(self, who: str) -> OptionList[Any]:
        """Legal uses of actions for a participant on their turn."""
        uses: OptionList[Any] = self.rulebook.actions.legal_uses(self.state, who)
        return uses

    def seat(self, who: str) -> str:
        """The seat that decides for a participant."""
        return self.state[who].seat
