"""Rows are made here: the real functions run on recording scenes, and what they read becomes a tree of questions.

A tree is one pure function (what an event changes, whether an action is open, what an option promises) or one piece of
the encounter, from one thing that somebody does to the next. Each inner node asks for one thing: the value of an atom,
what another function gives, what a rule comes out as; each leads on by the answer. Whoever goes through the tree with
another scene and gets the same answers gets the same result, whatever else is different.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from tablewright.game.events import Event
from tablewright.game.reckoning import Harm
from tablewright.game.rulebook import Rulebook
from tablewright.game.scene import Live
from tablewright.lab.batch.forest import ASKED, ATOM, HAPPENS, LEAF, OPEN, Forest
from tablewright.lab.batch.layout import Codes, Layout
from tablewright.lab.batch.views import READER, Views, is_view, plain


class Function:
    """A pure function of the scene with what is known of it."""

    __slots__ = ("call", "codes", "name", "of", "root", "runs")

    def __init__(
        self, name: Any, call: Callable[[Any], Any], root: int, of: int = -1, codes: Codes | None = None
    ) -> None:
        self.name = name
        self.call = call
        self.of = of  # the participant whose atoms alone it reads, or -1
        self.root = root
        self.codes = Codes() if codes is None else codes
        self.runs = 0


class Change(NamedTuple):
    """What an event does to the atoms, and what it took from whom."""

    writes: tuple[tuple[int, int], ...]
    which: int
    harms: tuple[Harm, ...]
    fell: tuple[str, ...]


class NewlyVarying(Exception):
    """An atom has changed that was thought to stay as it is."""


class StaleRead(Exception):
    """Something was read of an old scene which is not known any more; now it is read in time."""


class Frame:
    """One function under way: where in its tree it is, and what it has read."""

    __slots__ = ("alive", "asked", "history", "known", "node", "person", "recorder", "scene")

    def __init__(self, recorder: Recorder, node: int) -> None:
        self.recorder = recorder
        self.node = node
        self.known: set[int] = set()
        self.asked: dict[int, Any] = {}
        self.history: dict[int, list[tuple[int, Any, int | None]]] = {}
        self.person: dict[int, tuple[int, int]] = {}
        people = tuple([self._person(who) for who in range(recorder.layout.people)])
        self.scene = recorder.views.scene(people, recorder.epoch, self)
        self.alive: list[Any] = [self.scene]

    def _person(self, who: int) -> Any:
        one, status = self.recorder.views.person(who, self.recorder.epoch, self)
        self.person[id(status)] = (who, self.recorder.epoch)
        return one

    def step(self, kind: int, about: Any, answer: int) -> None:
        """Go on in the tree; what is not there yet is made."""
        forest = self.recorder.forest
        node = self.node
        if forest.kind[node] != kind or forest.about[node] != about:
            if forest.kind[node] != OPEN:
                self.recorder.mended += 1
                forest.forget(node)
            forest.asks(node, kind, about)
        following = forest.after(node, answer)
        if following is None:
            following = forest.node()
            forest.link(node, answer, following)
        self.node = following

    def read(self, atom: int, epoch: int) -> Any:
        """Somebody reads an atom, of the scene as it was at some moment."""
        recorder = self.recorder
        if recorder.written_at[atom] > epoch:
            return self._old(atom, epoch)
        if recorder.varying[atom] and atom not in self.known:
            self.known.add(atom)
            self.step(ATOM, atom, recorder.codes[atom])
        return recorder.values[atom]

    def has_read(self, atom: int) -> Any:
        """The value of an atom that was read, or that never changes; something else where it was not."""
        recorder = self.recorder
        return recorder.values[atom] if atom in self.known or not recorder.varying[atom] else self

    def _old(self, atom: int, epoch: int) -> Any:
        for written, value, node in self.history.get(atom, ()):
            if written > epoch:
                if node is not None:
                    self.recorder.forest.forget(node)
                    self.recorder.forest.first.setdefault(node, []).append(atom)
                    raise StaleRead
                return value
        raise AssertionError("an atom was written that has no history")

    def derive(self, view: Any, name: str) -> Any:
        """What a property or a method of a status gives."""
        kind = type(view).recorded_from
        member = vars(kind)[name]
        found = self.person.get(id(view))
        recorder = self.recorder
        if not isinstance(member, (property, FunctionType)):
            return member.__get__(view, kind)
        if found is None or any(recorder.written_at[atom] > found[1] for atom in recorder.layout.of_person[found[0]]):
            return member.__get__(view, kind)
        who = found[0]
        if isinstance(member, property):
            return self._derived(who, name, ())

        def method(*given: Any, **named: Any) -> Any:
            if named:
                return member(view, *given, **named)
            try:
                hash(given)
            except TypeError:
                return member(view, *given)
            return self._derived(who, name, given)

        return method

    def _derived(self, who: int, name: str, given: tuple[Any, ...]) -> Any:
        key = ("status", who, name, given)
        recorder = self.recorder
        function = recorder.functions.get(key)
        if function is None:
            if any(map(is_view, given)):
                given = tuple(map(plain, given))
                key = ("status", who, name, given)
            call = partial(_of_status, who, name, given)
            function = recorder.function(key, call, who)
        return self.ask(function)

    def ask(self, function: int) -> Any:
        """What a function of the scene gives now."""
        if function in self.asked:
            return thawed(self.asked[function])
        recorder = self.recorder
        asked = recorder.of[function]
        value, code = recorder.evaluate(asked)
        self.asked[function] = value
        self.step(ASKED, function, code)
        return thawed(value)

    def happens(self, event: Event) -> None:
        """Something happens."""
        recorder = self.recorder
        first = recorder.forest.first
        while wanted := [atom for atom in first.get(self.node, ()) if atom not in self.known]:
            others = first[self.node]
            self.known.add(wanted[0])
            self.step(ATOM, wanted[0], recorder.codes[wanted[0]])
            first[self.node] = list(dict.fromkeys([*first.get(self.node, ()), *others]))
        number = recorder.event(event)
        kept = recorder.happened(number)
        change = recorder.kept[kept]
        recorder.trail.append(kept)
        node = self.node
        self.step(HAPPENS, number, change.which)
        recorder.epoch += 1
        epoch = recorder.epoch
        people: set[int] = set()
        for atom, code in change.writes:
            was_known = atom in self.known or not recorder.varying[atom]
            self.history.setdefault(atom, []).append((epoch, recorder.values[atom], None if was_known else node))
            self.known.discard(atom)
            recorder.write(atom, code)
            recorder.written_at[atom] = epoch
            who = recorder.layout.paths[atom].who
            if who >= 0:
                people.add(who)
        if not change.writes:
            return
        self.asked = {
            function: value
            for function, value in self.asked.items()
            if recorder.of[function].of >= 0 and recorder.of[function].of not in people
        }
        old = self.scene.participants
        everybody = tuple([self._person(who) if who in people else one for who, one in enumerate(old)])
        self.scene = recorder.views.scene(everybody, epoch, self)
        self.alive.append(self.scene)


def _of_status(who: int, name: str, given: tuple[Any, ...], scene: Any) -> Any:
    status = scene.participants[who].status
    member = vars(type(status).recorded_from)[name]
    if isinstance(member, property):
        return member.fget(status)  # type: ignore[misc]
    return member(status, *given)


class Recorder:
    """All trees of one fight, and the scene that is being watched."""

    def __init__(self, layout: Layout, book: Rulebook, varying: set[int]) -> None:
        self.layout = layout
        self.book = book
        self.views = Views(layout)
        self.varying = [atom in varying for atom in range(len(layout.paths))]
        self.functions: dict[Hashable, int] = {}
        self.of: list[Function] = []
        self.events: dict[Hashable, int] = {}
        self.event_of: list[Event] = []
        self.changes: list[Function] = []
        self.kinds_of_change: dict[frozenset[int], int] = {}
        self.forest = Forest()
        self.inline: set[Hashable] = set()
        self.kept: list[Change] = []
        self.numbers: dict[Change, int] = {}
        self.scores = Codes()
        self.trail: list[int] = []
        self.mended = self.runs = self.hits = 0
        self.epoch = 0
        self.values: list[Any] = []
        self.codes: list[int] = []
        self.written_at: list[int] = []

    def begin(self, values: list[Any], codes: list[int]) -> None:
        """Watch another scene."""
        self.values, self.codes = values, codes
        self.epoch = 0
        self.written_at = [0] * len(values)

    def notice(self, codes: list[int], first: list[int]) -> None:
        """Look at a scene that came about without being watched: whether something has changed in it that never did."""
        pairs = zip(self.varying, codes, first, strict=True)
        self._vary([atom for atom, (varies, code, was) in enumerate(pairs) if not varies and code != was])

    def _vary(self, atoms: list[int]) -> None:
        for atom in atoms:
            self.varying[atom] = True
        if atoms:
            raise NewlyVarying

    def write(self, atom: int, code: int) -> None:
        """An atom gets another value."""
        self.codes[atom] = code
        self.values[atom] = self.layout.codes[atom].values[code]

    def function(self, key: Hashable, call: Callable[[Any], Any], of: int = -1, codes: Codes | None = None) -> int:
        """The number of a function of the scene."""
        known = self.functions.get(key)
        if known is None:
            known = self.functions[key] = len(self.of)
            self.of.append(Function(key, call, self.forest.node(), of, codes))
        return known

    # ------------------------------------------------------------------ what functions give

    def walk(self, node: int) -> int | None:
        """Go through a tree with the present values; gives what its leaf says, None where it is not known so far."""
        codes, forest = self.codes, self.forest
        while True:
            kind, about = forest.kind[node], forest.about[node]
            if kind == ATOM:
                answer = codes[about]
            elif kind == ASKED:
                asked = self.of[about]
                leaf = self.walk(asked.root)
                answer = self.run(asked)[1] if leaf is None else leaf
            elif kind == LEAF:
                return about
            else:
                return None
            following = forest.after(node, answer)
            if following is None:
                return None
            node = following

    def evaluate(self, asked: Function) -> tuple[Any, int]:
        """What a function gives, with its code: from its tree, or by running it."""
        leaf = self.walk(asked.root)
        if leaf is not None:
            self.hits += 1
            return asked.codes.values[leaf], leaf
        return self.run(asked)

    def run(self, asked: Function) -> tuple[Any, int]:
        """Run a function on the present scene, and keep what it has read and what it gives."""
        self.runs += 1
        asked.runs += 1
        frame = Frame(self, asked.root)
        READER.append(frame)
        try:
            value = frozen(asked.call(frame.scene))
            code = asked.codes.code(value)
        finally:
            READER.pop()
        self.leaf(frame, code)
        return value, code

    def leaf(self, frame: Frame, about: int) -> None:
        """A function has come to its end."""
        if self.forest.kind[frame.node] not in (OPEN, LEAF):
            self.forest.forget(frame.node)
            self.mended += 1
        self.forest.asks(frame.node, LEAF, about)

    # ------------------------------------------------------------------ what events do

    def event(self, event: Event) -> int:
        """The number of an event."""
        for name, value in vars(event).items():
            clean = plain(value)
            if clean is not value:
                object.__setattr__(event, name, clean)
        try:
            known = self.events.get(event)
        except TypeError:
            key: Hashable = (type(event), repr(event))
            known = self.events.get(key)
        else:
            key = event
        if known is None:
            known = self.events[key] = len(self.event_of)
            self.event_of.append(event)
            self.changes.append(Function(event, lambda scene: None, self.forest.node()))
        return known

    def happened(self, number: int) -> int:
        """The number of what an event does to the present scene."""
        leaf = self.walk(self.changes[number].root)
        if leaf is not None:
            self.hits += 1
            return leaf
        return self.change_of(number)

    def change_of(self, number: int) -> int:
        """The number of what an event does to the present scene, found by applying it."""
        known = self.changes[number]
        self.runs += 1
        known.runs += 1
        frame = Frame(self, known.root)
        event = self.event_of[number]
        READER.append(frame)
        harms: list[Harm] = []
        fell: list[str] = []
        try:
            after = self.book.apply(frame.scene, event)
            written = self.views.written(frame.scene, after)
            reckoning = self.book.reckoning
            if type(event) in reckoning.blows:
                for harm in reckoning.harms(frame.scene, event, after):
                    harms.append(Harm(*map(plain, harm)))
                    if not reckoning.stands(after[harm.who]):
                        fell.append(harm.who)
        finally:
            READER.pop()
        self._vary([atom for atom in written if not self.varying[atom] and written[atom] != self.values[atom]])
        written = {atom: value for atom, value in written.items() if self.varying[atom]}
        writes = tuple([(atom, self.layout.codes[atom].code(value)) for atom, value in written.items()])
        which = self.kinds_of_change.setdefault(frozenset(written), len(self.kinds_of_change))
        change = Change(writes, which, tuple(harms), tuple(fell))
        kept = self.numbers.setdefault(change, len(self.kept))
        if kept == len(self.kept):
            self.kept.append(change)
        self.leaf(frame, kept)
        return kept


class Kept(NamedTuple):
    """A list or a mapping as a value that can be remembered."""

    kind: type
    inside: tuple[Any, ...]


def frozen(value: Any) -> Any:
    """A value without recording in it, that can be remembered."""
    if isinstance(value, list):
        return Kept(list, tuple(map(plain, value)))
    if isinstance(value, dict):
        return Kept(dict, tuple([(key, plain(held)) for key, held in value.items()]))
    if isinstance(value, Iterator):
        return tuple(map(plain, value))
    return plain(value)


def thawed(value: Any) -> Any:
    """The value as it was given."""
    return value.kind(value.inside) if type(value) is Kept else value


def key_of(function: Any) -> Hashable | None:
    """What a function is, with everything that it has closed over; None where that cannot be told."""
    if isinstance(function, partial):
        inner = key_of(function.func)
        if inner is None or function.keywords:
            return None
        return _hashed((inner, *function.args))
    if isinstance(function, MethodType):
        return _hashed((key_of(function.__func__), function.__self__))
    if not isinstance(function, FunctionType):
        return _hashed(function)
    if not function.__closure__ and not function.__defaults__ and not function.__kwdefaults__:
        return function.__code__
    inside: list[Hashable] = [function.__code__]
    for cell in function.__closure__ or ():
        held = cell.cell_contents
        if isinstance(held, Live):
            inside.append("live")
            continue
        key = key_of(held) if callable(held) else _hashed(held)
        if key is None:
            return None
        inside.append(key)
    inside += map(_hashed, function.__defaults__ or ())
    return None if None in inside[1:] or function.__kwdefaults__ else _hashed(tuple(inside))


def _hashed(value: Any) -> Hashable | None:
    """A value as part of a key, unless it is a recording one or has no hash."""
    inside = value if isinstance(value, tuple) else (value,)
    if is_view(value) or any(map(is_view, inside)):
        return None
    try:
        hash(value)
    except TypeError:
        return None
    return (type(value), value)
