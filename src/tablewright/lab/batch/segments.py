"""One piece of a fight at a time, played by the real encounter on a recording scene.

A fight is cut where the scene alone is enough to go on: where a turn starts, and where somebody is asked in their own
turn what to do. There are three kinds of pieces: ``go`` leads up to such a question, ``pick`` is the choice itself, and
``deed`` is what follows from it. What happens in a piece depends on the scene where it starts and on what rules come
out as, and on nothing else, so that the tree of one piece serves every fight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tablewright.engine import Choose, Offer
from tablewright.engine.offering import Closed
from tablewright.game.actions import Action, Actions, Use
from tablewright.game.common import TurnStarted
from tablewright.game.events import Event
from tablewright.game.policies import SCORES, Policy, at_random
from tablewright.game.reckoning import Harm
from tablewright.game.rulebook import Rating
from tablewright.game.scene import Live, Scene
from tablewright.lab.batch.forest import CHOSEN, DRAWN
from tablewright.lab.batch.tracing import Frame, Recorder, StaleRead, key_of
from tablewright.lab.batch.views import READER, ForeignRead
from tablewright.lab.fights import Ring
from tablewright.lab.solving import MOST_WAYS, Solver, TooLarge, TurnStarts, is_deed

MOST_TRIES = 200
MOST_CHANCES = 1_000_000
"""How many chances all tables of draws may hold together."""

GO, PICK, DEED = "go", "pick", "deed"


class CannotCut(Exception):
    """A piece does not start where it should: what happens in it is played without a table."""


class Root(NamedTuple):
    """Where a piece starts: its kind, whose turn it is, which question is asked, and what was chosen."""

    kind: str
    who: str = ""
    question: str = ""
    option: Any = None


class Choice(NamedTuple):
    """A choice by ratings: ``offers`` are functions that give options, ``given`` are options that are known."""

    offers: tuple[int, ...]
    given: tuple[Any, ...]
    who: str
    policy: Policy


class _Scratch(Frame):
    """A frame that keeps nothing: for what is read without consequence."""

    __slots__ = ()

    def step(self, kind: int, about: int, answer: int) -> None:
        """Nothing is kept."""

    def happens(self, event: Event) -> None:
        """Nothing may happen here."""
        raise CannotCut(f"{event.kind} happens before the question")


class _Watched(Live):
    """A scene under way whose events and questions go into the tree of the piece."""

    __slots__ = ("happened", "offered_to", "recorder")

    def __init__(self, recorder: Recorder, book: Any) -> None:
        self.recorder = recorder
        self.happened = False
        self.offered_to = ""
        super().__init__(recorder.layout.scene, book)

    @property
    def state(self) -> Any:
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
        self.happened = True
        self.offered_to = ""
        if type(event) is TurnStarted:
            raise TurnStarts(event.who)

    def of_scene(self, function: Callable[..., Any], *given: Any) -> Any:
        """What a pure function gives, remembered by what it has read."""
        recorder, frame = self.recorder, READER[-1]
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

    def aside(self, function: Callable[..., Any], *given: Any) -> Any:
        """What is only offered or shown: it is not kept that it was read."""
        if _is_offering(function):
            self.offered_to = given[0]
        frame = _Scratch(self.recorder, 0)
        READER.append(frame)
        try:
            return function(frame.scene, *given)
        finally:
            READER.pop()


class _Unwatched(Live):
    """A scene under way without any table; it notes what blows take."""

    __slots__ = ("fell", "happened", "harms", "offered_to")

    def __init__(self, scene: Scene, book: Any) -> None:
        self.happened = False
        self.offered_to = ""
        self.harms: list[Harm] = []
        self.fell: list[str] = []
        super().__init__(scene, book)

    def emit(self, event: Event) -> None:
        """Let something happen, and count what it took."""
        before = self.state
        self.state = after = self._apply(before, event)
        self.happened = True
        self.offered_to = ""
        reckoning = self.book.reckoning
        if type(event) in reckoning.blows:
            for harm in reckoning.harms(before, event, after):
                self.harms.append(harm)
                if not reckoning.stands(after[harm.who]):
                    self.fell.append(harm.who)
        if type(event) is TurnStarted:
            raise TurnStarts(event.who)

    def aside(self, function: Callable[..., Any], *given: Any) -> Any:
        """What is only offered or shown."""
        if _is_offering(function):
            self.offered_to = given[0]
        return function(self.scene, *given)


class _WatchedActions(Actions):
    """The actions of a system; what each of them offers is remembered by what it has read."""

    def __init__(self, actions: Actions, recorder: Recorder) -> None:
        self.__dict__.update(vars(actions))
        self.recorder = recorder
        self.taken: tuple[str, Any] = ("", None)

    def offer(self, action: Action, who: str) -> int:
        """The function that gives the ways to take an action."""
        key = ("offer", action.id, who)
        known = self.recorder.functions.get(key)
        if known is None:
            plainly = super().offered_by
            known = self.recorder.function(key, lambda scene: tuple(plainly(action, scene, who)))
        return known

    def offered_by(self, action: Action, scene: Scene, who: str) -> Sequence[Use | Closed]:
        """The ways to take one action."""
        if not READER or scene is not READER[-1].scene:
            return super().offered_by(action, scene, who)
        found: Sequence[Use | Closed] = READER[-1].ask(self.offer(action, who))
        return found

    def open_to(self, scene: Scene, who: str, *, reactions: bool = False, among: Iterable[str] = ()) -> Offer[Use]:
        """The ways to take all of them."""
        found = self.offers(scene, who, reactions=reactions, among=among)
        return Offer(
            [one for one in found if isinstance(one, Use)], lambda: [one for one in found if isinstance(one, Closed)]
        )

    def check(self, scene: Scene, who: str, use: Use) -> Action:
        """The action of a use; what was just chosen among what is offered is allowed."""
        if self.taken == (who, use):
            self.taken = ("", None)
            return self.by_id[use.action]
        return super().check(scene, who, use)


class Pieces:
    """The pieces of one fight with their trees, and how to play one. ``pick`` draws from a table by its number."""

    def __init__(self, ring: Ring, recorder: Recorder, pick: Callable[[int], int], *, tables: bool = True) -> None:
        self.recorder = recorder
        self._tables = tables
        self.actions = _WatchedActions(ring.book.actions, recorder)
        self.plain = ring
        book = replace(ring.book, actions=self.actions)
        self.ring = Ring(ring.header, book, ring.policies, ring.seed)
        self.solver = Solver(self.ring, MOST_WAYS)
        self.roots: list[Root] = []
        self.nodes: list[int] = []
        self.raw: list[bool] = []
        self.runs: list[int] = []
        self._number: dict[Root, int] = {}
        self.tables: dict[Any, int] = {}
        self.weights: list[tuple[Any, ...]] = []
        self.chances = 0
        self.choices: list[Choice] = []
        self._choice: dict[Choice, int] = {}
        self.pick = pick
        self.asks = 0
        self.root(Root(GO))

    def root(self, root: Root) -> int:
        """The number of a piece."""
        known = self._number.get(root)
        if known is None:
            known = self._number[root] = len(self.roots)
            self.roots.append(root)
            self.nodes.append(self.recorder.forest.node())
            self.raw.append(not self._tables)
            self.runs.append(0)
        return known

    # ------------------------------------------------------------------ playing one

    def play(self, number: int, restart: Callable[[], None]) -> int:
        """Play the real encounter from the present values through one piece; gives the number of the next.

        Where something was read too late it is played again, from the same values and with the same dice.
        """
        recorder = self.recorder
        values, codes = list(recorder.values), list(recorder.codes)
        for _ in range(MOST_TRIES):
            recorder.begin(list(values), list(codes))
            restart()
            depth = len(READER)
            try:
                return self._watched(number)
            except StaleRead:
                continue
            finally:
                del READER[depth:]
        raise CannotCut("what was read of an old scene could not be found out in time")

    def _watched(self, number: int) -> int:
        root, recorder = self.roots[number], self.recorder
        self.runs[number] += 1
        live = _Watched(recorder, self.ring.book)
        rule = self.ring.book.encounter.read(live, self.ring.arguments)
        frame = Frame(recorder, self.nodes[number])
        answer: Any = None
        ask: Any
        recorder.trail = []
        self.asks = 0
        try:
            if root.kind == GO:
                READER.append(frame)
            else:
                READER.append(_Scratch(recorder, 0))
                ask = self._question(live, rule, root)
                READER[-1] = frame = Frame(recorder, self.nodes[number])
                if root.kind == PICK:
                    option = self._chosen(live, frame, ask)
                    return self._end(frame, Root(DEED, root.who, root.question, option))
                answer = next(one for one in ask.options if one == root.option)
                self.actions.taken = (root.who, answer)
                live.offered_to = ""
            while True:
                ask = rule.send(answer)
                if (live.happened or root.kind == GO) and is_own_deed(live, ask):
                    return self._end(frame, Root(PICK, ask.about["who"], ask.question))
                answer = self._answer(live, frame, ask)
        except StopIteration:
            return self._end(frame, Root(GO))
        except TurnStarts as started:
            return self._end(frame, Root(GO, started.args[0]))
        finally:
            rule.close()

    def _question(self, live: _Watched | _Unwatched, rule: Any, root: Root) -> Choose[Any]:
        """The question that a piece starts with: the first that is asked from here, before anything happens."""
        ask = rule.send(None)
        if not is_own_deed(live, ask) or (ask.about["who"], ask.question) != (root.who, root.question):
            raise CannotCut(f"{ask!r} is asked first")
        return ask  # type: ignore[no-any-return]

    def _end(self, frame: Frame, root: Root) -> int:
        number = self.root(root)
        self.recorder.leaf(frame, number)
        return number

    def unwatched(self, number: int, scene: Scene) -> tuple[int, Scene, list[Harm], list[str]]:
        """Play one piece without any table: the next piece, the scene, and what blows took."""
        root, ring = self.roots[number], self.plain
        live = _Unwatched(scene, ring.book)
        rule = ring.book.encounter.read(live, ring.arguments)
        answer: Any = None
        ask: Any
        self.asks = 0
        following = Root(GO)
        try:
            if root.kind != GO:
                ask = self._question(live, rule, root)
                if root.kind == PICK:
                    option = self._decided(live, ask)
                    return self.root(Root(DEED, root.who, root.question, option)), live.scene, [], []
                answer = next(one for one in ask.options if one == root.option)
                live.offered_to = ""
            while True:
                ask = rule.send(answer)
                if (live.happened or root.kind == GO) and is_own_deed(live, ask):
                    following = Root(PICK, ask.about["who"], ask.question)
                    break
                if isinstance(ask, Choose):
                    answer = ask.options[0] if ask.by_itself else self._decided(live, ask)
                else:
                    answer = self._drawn(None, self._outcomes(live, ask))
        except StopIteration:
            pass
        except TurnStarts as started:
            following = Root(GO, started.args[0])
        finally:
            rule.close()
        return self.root(following), live.scene, live.harms, live.fell

    def _decided(self, live: _Unwatched, ask: Choose[Any]) -> Any:
        live.offered_to = ""
        chooser = self.solver._chooser.asks(live, ask)  # noqa: SLF001
        policy = self.ring.policy_for(chooser, ask)
        if policy is at_random:
            return self._drawn(None, tuple([(option, 1) for option in ask.options]))
        self.asks += is_rated(policy, ask)
        return ask.options[policy(chooser, ask)]

    # ------------------------------------------------------------------ answering

    def _answer(self, live: _Watched, frame: Frame, ask: Any) -> Any:
        if isinstance(ask, Choose):
            return ask.options[0] if ask.by_itself else self._chosen(live, frame, ask)
        return self._drawn(frame, self._outcomes(live, ask))

    def _outcomes(self, live: Live, ask: Any) -> tuple[tuple[Any, Any], ...]:
        """What a rule can come out as; too large where it has too many ways to go, with choices in it."""
        self.solver.ways = 0
        return self.solver.outcomes(live, ask)

    def _drawn(self, frame: Frame | None, outcomes: tuple[tuple[Any, Any], ...]) -> Any:
        if len(outcomes) == 1:
            return outcomes[0][0]
        self.asks += 1
        weights = tuple([chance for _, chance in outcomes])
        table = self.tables.get(weights)
        if table is None:
            self.chances += len(weights)
            if self.chances > MOST_CHANCES:
                raise TooLarge(f"its rules come out in more than {MOST_CHANCES:,} ways, which is too much for tables")
            table = self.tables[weights] = len(self.weights)
            self.weights.append(weights)
        at = self.pick(table)
        if frame is not None:
            frame.step(DRAWN, table, at)
        return outcomes[at][0]

    def _chosen(self, live: _Watched, frame: Frame, ask: Choose[Any]) -> Any:
        """Let the policy choose. What is offered to somebody in their own turn was put aside, and is read here."""
        chooser = self.solver._chooser.asks(live, ask)  # noqa: SLF001
        policy = self.ring.policy_for(chooser, ask)
        who = ask.about.get("who")
        own = is_own_deed(live, ask)
        if live.offered_to and not own:
            raise CannotCut(f"what is offered was put aside, but {ask!r} is asked")
        live.offered_to = ""
        if is_rated(policy, ask):
            self.asks += 1
            return self._rated(frame, ask, policy, str(who), own)
        if own:
            for action in self.actions:
                if not action.reaction:
                    frame.ask(self.actions.offer(action, str(who)))
        if policy is at_random:
            return self._drawn(frame, tuple([(option, 1) for option in ask.options]))
        return ask.options[policy(chooser, ask)]

    def _rated(self, frame: Frame, ask: Choose[Any], policy: Policy, who: str, own: bool) -> Any:
        offers: tuple[int, ...] = ()
        given = tuple(ask.options)
        if own:
            found = [self.actions.offer(action, who) for action in self.actions if not action.reaction]
            uses = [
                use for one in found for use in self.recorder.evaluate(self.recorder.of[one])[0] if isinstance(use, Use)
            ]
            if uses == list(given):
                offers, given = tuple(found), ()
            elif [*uses, ask.options[ask.default]] == list(given):
                offers, given = tuple(found), (ask.options[ask.default],)
            else:
                raise CannotCut("what is offered is not what the actions offer")
        number = self.choice(Choice(offers, given, who, policy))
        scores = [(self.score(policy, who, option)) for option in ask.options]
        best = max(scores)
        at = scores.index(best)
        frame.step(CHOSEN, number, self.rating(policy, who, ask.options[at]))
        return ask.options[at]

    def choice(self, choice: Choice) -> int:
        """The number of a choice."""
        known = self._choice.get(choice)
        if known is None:
            known = self._choice[choice] = len(self.choices)
            self.choices.append(choice)
        return known

    def score(self, policy: Policy, who: str, option: Any) -> Any:
        """What an option promises now."""
        return self.recorder.evaluate(self.recorder.of[self.rating(policy, who, option)])[0]

    def rating(self, policy: Policy, who: str, option: Any) -> int:
        """The function that says what an option promises."""
        key = ("rate", policy, who, option)
        known = self.recorder.functions.get(key)
        if known is None:
            rate, score = self.plain.book.rate, SCORES[policy]
            if isinstance(option, Use):
                known = self.recorder.function(
                    key, lambda scene: score(rate(scene, who, option)), codes=self.recorder.scores
                )
            else:
                known = self.recorder.function(key, lambda scene: score(Rating()), codes=self.recorder.scores)
        return known


def is_rated(policy: Policy, ask: Choose[Any]) -> bool:
    """Whether a policy goes by ratings of the options."""
    return policy in SCORES and ask.leads_to is None and "who" in ask.about and is_deed(ask)


def is_own_deed(live: _Watched | _Unwatched, ask: Any) -> bool:
    """Whether somebody is asked in their own turn what to do: the scene alone is enough to go on from there."""
    return is_deed(ask) and live.offered_to == ask.about["who"] == live.scene.turn


def _is_offering(function: Any) -> bool:
    return isinstance(getattr(function, "__self__", None), Actions) and function.__name__ in ("offers", "open_to")
