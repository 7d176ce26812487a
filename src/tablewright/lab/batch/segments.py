"""One piece of a fight at a time: from one thing that somebody does, or the start of a turn, to the next.

A piece is played by the real encounter on a recording scene. What happens in it depends on the scene where it starts
and on what the rules come out as, and on nothing else, so that the tree of one piece serves every fight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tablewright.engine import Choose
from tablewright.engine.asks import Closed
from tablewright.errors import TablewrightError
from tablewright.game.actions import Action, Actions, Use
from tablewright.game.common import TurnStarted
from tablewright.game.events import Event
from tablewright.game.policies import aggressive, at_random, careful
from tablewright.game.rulebook import Rating
from tablewright.game.scene import Live, Scene
from tablewright.lab.batch.layout import Codes, Layout
from tablewright.lab.batch.tracing import (
    CHOSEN,
    DRAWN,
    LEAF,
    READER,
    ForeignRead,
    Frame,
    NewlyVarying,
    Node,
    Recorder,
    StaleRead,
    key_of,
)
from tablewright.lab.fights import Ring
from tablewright.lab.solving import Solver, _is_deed, _TurnStarts

MOST_TRIES = 200


class _Watched(Live):
    """A scene under way whose events and questions go into the tree of the piece."""

    __slots__ = ("harms", "recorder")

    def __init__(self, recorder: Recorder, book: Any) -> None:
        self.recorder = recorder
        self.harms: list[Any] = []
        super().__init__(recorder.layout.scene, book)

    @property
    def state(self) -> Any:  # type: ignore[override]
        """The present scene, as the function under way may see it."""
        return READER[-1].scene

    @state.setter
    def state(self, scene: Any) -> None:
        """It follows from the events alone."""

    @property
    def scene(self) -> Any:
        """The present scene."""
        return READER[-1].scene

    def emit(self, event: Event) -> None:
        """Let something happen."""
        READER[-1].happens(event)
        if type(event) is TurnStarted:
            raise _TurnStarts

    def of_scene(self, function: Callable[..., Any], *given: Any) -> Any:
        """What a pure function gives, remembered by what it has read."""
        return remembered(self.recorder, function, given)


def remembered(recorder: Recorder, function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    """What a pure function of the present scene gives."""
    frame = READER[-1]
    inner = key_of(function)
    if inner is None or inner in recorder.inline:
        return function(frame.scene, *given)
    key = ("of", inner, given)
    number = recorder.functions.get(key)
    if number is None:
        number = recorder.function(key, lambda scene: function(scene, *given))
    try:
        return frame.ask(number)
    except ForeignRead:
        recorder.inline.add(inner)
        return function(frame.scene, *given)


class _WatchedActions(Actions):
    """The actions of a system; what each of them offers is remembered by what it has read."""

    def __init__(self, actions: Actions, recorder: Recorder) -> None:
        self.__dict__.update(vars(actions))
        self.recorder = recorder

    def offered_by(self, action: Action, scene: Scene, who: str) -> Sequence[Use | Closed]:
        """The ways to take one action."""
        if not READER or scene is not READER[-1].scene:
            return super().offered_by(action, scene, who)
        key = ("offer", action.id, who)
        number = self.recorder.functions.get(key)
        if number is None:
            plainly = super().offered_by
            number = self.recorder.function(key, lambda scene: tuple(plainly(action, scene, who)))
        found: Sequence[Use | Closed] = READER[-1].ask(number)
        return found


class Draw(NamedTuple):
    """What a rule can come out as: which table, and the outcomes."""

    table: int
    outcomes: tuple[Any, ...]


_SCORES: dict[Any, Callable[[Rating], tuple[Any, ...]]] = {
    aggressive: lambda rating: (rating.harm, rating.safety, -rating.cost),
    careful: lambda rating: (rating.harm + rating.safety - rating.cost,),
}


class Pieces:
    """The pieces of one fight, their tree, and how to play one."""

    def __init__(self, ring: Ring, recorder: Recorder, pick: Callable[[int], int]) -> None:
        self.ring = ring
        self.recorder = recorder
        self.root = Node()
        self.book = replace(ring.book, actions=_WatchedActions(ring.book.actions, recorder))
        recorder.book = self.book
        self.solver = Solver(replace_book(ring, self.book), most=2_000_000)
        self.tables: dict[Any, int] = {}
        self.weights: list[tuple[Any, ...]] = []
        self.pick = pick
        self.played = 0

    def play(self) -> None:
        """Play the real encounter up to the next piece."""
        recorder = self.recorder
        values, codes = list(recorder.values), list(recorder.codes)
        for _ in range(MOST_TRIES):
            recorder.begin(list(values), list(codes))
            try:
                self._play()
            except StaleRead:
                continue
            return
        raise TablewrightError("what was read of an old scene could not be found out in time")

    def _play(self) -> None:
        self.played += 1
        frame = Frame(self.recorder, self.root)
        READER.append(frame)
        live = _Watched(self.recorder, self.book)
        rule = self.book.encounter.read(live, self.ring.arguments)
        answer, first = None, True
        self.restart()
        try:
            while True:
                ask = rule.send(answer)
                if _is_deed(ask):
                    if not first:
                        break
                    first = False
                answer = self._answer(live, frame, ask)
                first = False
        except (StopIteration, _TurnStarts):
            pass
        finally:
            rule.close()
            READER.remove(frame)
        node = frame.node
        node.kind, node.about = LEAF, None

    restart: Callable[[], None] = staticmethod(lambda: None)

    def _answer(self, live: _Watched, frame: Frame, ask: Any) -> Any:
        if isinstance(ask, Choose):
            if ask.by_itself:
                return ask.options[0]
            return self._chosen(live, frame, ask)
        return self._drawn(frame, self.solver._outcomes(live, ask))  # noqa: SLF001

    def _drawn(self, frame: Frame, outcomes: tuple[tuple[Any, Any], ...]) -> Any:
        if len(outcomes) == 1:
            return outcomes[0][0]
        weights = tuple([chance for _, chance in outcomes])
        table = self.tables.get(weights)
        if table is None:
            table = self.tables[weights] = len(self.weights)
            self.weights.append(weights)
        at = self.pick(table)
        frame.step(DRAWN, table, at)
        return outcomes[at][0]

    def _chosen(self, live: _Watched, frame: Frame, ask: Choose[Any]) -> Any:
        chooser = self.solver._chooser.asks(live, ask)  # noqa: SLF001
        policy = self.ring.policy_for(chooser, ask)
        if policy is at_random:
            return self._drawn(frame, tuple([(option, 1) for option in ask.options]))
        who = ask.about.get("who")
        score = _SCORES.get(policy)
        rated = who is not None and ask.leads_to is None and any(isinstance(option, Use) for option in ask.options)
        if score is None or not rated:
            return ask.options[policy(chooser, ask)]
        functions, scores = [], []
        for option in ask.options:
            if isinstance(option, Use):
                functions.append(self._rating(policy, score, who, option))
                value, _ = self.recorder.evaluate(self.recorder.of[functions[-1]])
                scores.append(value)
            else:
                functions.append(-1)
                scores.append(score(Rating()))
        at = scores.index(max(scores))
        frame.step(CHOSEN, tuple(functions), at)
        return ask.options[at]

    def _rating(self, policy: Any, score: Callable[[Rating], tuple[Any, ...]], who: str, option: Use) -> int:
        key = ("rate", policy, who, option)
        known = self.recorder.functions.get(key)
        if known is None:
            rate = self.ring.book.rate
            known = self.recorder.function(key, lambda scene: score(rate(scene, who, option)))
        return known


def replace_book(ring: Ring, book: Any) -> Ring:
    """The same ring with the rulebook that watches."""
    return Ring(ring.header, book, ring.policies, ring.seed)


__all__ = ["Codes", "Layout", "NewlyVarying", "Pieces"]
