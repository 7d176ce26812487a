"""Sayings: how a system tells its events, throws and questions.

A system keeps them in ``narration.py`` beside its rulebook, as ``sayings``. Every kind of event has one saying, or is
quiet; every mechanic names its throws. A saying works on a fact as the viewer may see it: a hidden field is not there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Any, NamedTuple, TypeAlias

from tablewright.game.narration.reasons import Patterns

Fact: TypeAlias = Mapping[str, Any]
"""One line of the log as a viewer may see it."""

EventSaying: TypeAlias = Callable[[Any, Fact], None]
"""Function that tells a fact in a draft (see ``game.narration.draft``)."""

QuestionSaying: TypeAlias = Callable[[Any], None]
"""Function that words a question (see ``game.narration.question``)."""


class Form(NamedTuple):
    """One way to tell an event: the fields that it reads, and what tells it. Forms go from full to silent."""

    reads: frozenset[str]
    tell: EventSaying


class ConditionWords(NamedTuple):
    """Words for a condition: how it begins, how it lasts and how it ends; an empty text is not told.

    ``begins`` and ``ends`` are templates with ``{who}``, ``{degree}`` and ``{by}``; ``lasts`` is a word for lists.
    """

    begins: str = ""
    lasts: str = ""
    ends: str = ""


def fields_of(template: str) -> frozenset[str]:
    """Fields that a template needs: those outside of square brackets.

    >>> sorted(fields_of("{who} is hit[ for {amount}] by {by}"))
    ['by', 'who']
    """
    needed, depth = "", 0
    for letter in template:
        depth += (letter == "[") - (letter == "]")
        needed += letter if not depth and letter != "]" else ""
    return frozenset([name.partition(".")[0] for _, name, _, _ in Formatter().parse(needed) if name])


class Sayings:
    """Registry of sayings; a system's own come before those of its parents.

    ``unit`` is the book's unit of distance. ``walks`` are the kinds of events that change a position; ``moves`` are
    all kinds that make up a plain move: actions of one turn that consist of nothing else are told as one.
    """

    def __init__(self, *parents: Sayings, unit: str = "", system: str = "") -> None:
        self.system = system
        self.unit = unit
        self.events: dict[str, tuple[Form, ...]] = {}
        self._registered: set[str] = set()
        self.throws: dict[str, EventSaying] = {}
        self.labels: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.part_words: Callable[[str, int], tuple[str, str] | None] = lambda label, amount: None
        """Words and amount of a part of a tally, where the system tells it in a notation of its own."""
        self.pool: Callable[[Mapping[str, Any]], str] = lambda given: ""
        """Dice of a check in the system's notation, from its arguments, where the parts of a tally do not say them."""
        self.words_under: Callable[[Any], Mapping[str, str]] = lambda options: {}
        self.resources: dict[str, str] = {}
        self.conditions: dict[str, ConditionWords] = {}
        self.questions: dict[str, QuestionSaying] = {}
        self.headings: dict[str, str] = {}
        self.option_labels: dict[str, Mapping[str, str]] = {}
        """Labels of options by the key of their question and their id."""
        self.reasons: dict[str, str] = {}
        self.reason_patterns: Patterns = ()
        self.promises: dict[str, str] = {}
        self.walks: set[str] = set()
        self.moves: set[str] = set()
        self.orders: set[str] = set()
        self.repeats: dict[str, tuple[str, ...]] = {}
        """Fields that are alike where an event of a kind repeats the one before it in the same turn."""
        self.alike: dict[str, tuple[str, ...]] = {}
        """Kinds of events outside of actions that are told once for several people in a row, if these fields agree."""
        for parent in parents:
            self.unit = self.unit or parent.unit
            self.reason_patterns += parent.reason_patterns
            for name, known in vars(parent).items():
                if isinstance(known, dict | set) and not name.startswith("_"):
                    getattr(self, name).update(known)

    @property
    def status_words(self) -> dict[str, str]:
        """Words for the fields of a status: resources, tracks and conditions."""
        resources = {name: word.partition("|")[0] for name, word in self.resources.items() if "{" not in word}
        lasting = {name: one.lasts for name, one in self.conditions.items() if one.lasts and "{" not in one.lasts}
        return resources | lasting | self.words

    def amount(self, name: str, amount: Any) -> str:
        """An amount of a resource in words: "2 AP"; with ``one|{n} many`` a single one goes without a number."""
        word = self.resources.get(name) or self.words.get(name) or name.replace("_", " ")
        one, _, many = word.partition("|")
        if "{" in word:
            return (one if amount == 1 or not many else many).format(n=amount)
        return f"{amount} {one if amount == 1 or not many else many}"

    # ------------------------------------------------------------------ events

    def on(self, kind: str, *reads: str, actor: str = "", entry: str = "") -> Callable[[EventSaying], EventSaying]:
        """Register a function that tells an event if the viewer may see the fields that it ``reads``.

        Several functions for one kind are tried in the order of their registration: the fullest one comes first.
        ``actor`` is the field with the participant who acts, ``entry`` the kind of the entry.
        """

        def declare(tell: EventSaying) -> EventSaying:
            self._add(kind, Form(frozenset(reads), _beginning_with(tell, actor, entry)))
            return tell

        return declare

    def say(
        self,
        kind: str,
        *templates: str,
        actor: str = "",
        entry: str = "",
        reads: Iterable[str] = (),
        cases: tuple[str, Mapping[str, str]] = ("", {}),
        first: EventSaying | None = None,
        after: tuple[str, ...] = (),
        unless: str = "",
        lead: bool = False,
    ) -> None:
        """Register templates that tell an event, from the fullest to the tersest; ``actor`` and ``entry`` as above.

        With ``reads`` they are one form: the first template whose fields are there tells the event. ``cases`` are a
        field and the templates for some of its values. ``first`` is told before, and ``after`` is the consequence: its
        sort, its text, and the field of an amount, without which there is none. Nothing is said beside an event of the
        kind ``unless``; ``lead`` says it only if nothing else is told.
        """
        field, known = cases
        forms = [(frozenset(reads), templates)] if reads else [(fields_of(one), (one,)) for one in templates]
        for needed, tried in forms:

            def tell(draft: Any, fact: Fact, tried: tuple[str, ...] = tried) -> None:
                if first is not None:
                    first(draft, fact)
                if after and (len(after) == 2 or fact.get(after[2])):
                    text = str(draft.fill(after[1], fact))
                    draft.after(fact["who"], after[0], text, *[fact[name] for name in after[2:]])
                if not unless or not draft.events(unless):
                    own = known.get(str(fact.get(field)))
                    draft.say_first((own,) if own else tried, fact, lead=lead)

            self._add(kind, Form(needed | ({field} if field else set()), _beginning_with(tell, actor, entry)))

    def match(
        self,
        kind: str,
        field: str,
        *told: tuple[str, str],
        actor: str = "",
        lead: bool = False,
        more: Callable[[Fact], Mapping[str, Any]] = lambda fact: {},
    ) -> None:
        """Register a template for each pattern that a text of an event may have, filled with its groups and ``more``.

        An empty template says nothing. Where no pattern is that of the whole text, the inherited saying tells it.
        """
        known = [(re.compile(pattern), template) for pattern, template in told]
        inherited = self.events[kind][0].tell

        def tell(draft: Any, fact: Fact) -> None:
            for pattern, template in known:
                if found := pattern.fullmatch(str(fact[field])):
                    draft.say_first((template,), fact, lead=lead, **found.groupdict(), **more(fact))
                    return
            inherited(draft, fact)

        self._add(kind, Form(frozenset({"who", field}), _beginning_with(tell, actor, "")))

    def share(self, kind: str, one: str, several: str, *alike: str, actor: str = "") -> None:
        """Register a saying for several participants in a row with the same event; fields ``alike`` must agree.

        ``one`` and ``several`` are told after the names.
        """
        self.alike[kind] = alike

        def tell(draft: Any, fact: Fact) -> None:
            shared = draft.shared(fact)
            if shared is not None:
                draft.say(f"{{names:text}} {several if shared[1] else one}.", names=shared[0])

        self._add(kind, Form(frozenset({"who"}), _beginning_with(tell, actor, "")))

    def quiet(self, *kinds: str) -> None:
        """Register kinds of events that are never told by themselves."""
        for kind in kinds:
            self._own(kind)
            self.events[kind] = (Form(frozenset(), _silence),)

    def _add(self, kind: str, form: Form) -> None:
        self.events[kind] = (*self._own(kind), form)

    def _own(self, kind: str) -> tuple[Form, ...]:
        """The forms of a kind registered here; inherited ones are replaced as a whole."""
        if kind not in self._registered:
            self._registered.add(kind)
            return ()
        return self.events.get(kind, ())

    # ------------------------------------------------------------------ dice, conditions, questions

    def name_throws(self, labels: Mapping[str, str]) -> None:
        """Name throws by their mechanics: each label with the names, without the system's, of those that it is for."""
        self.labels.update({f"{self.system}.{name}": label for label, all_ in labels.items() for name in all_.split()})

    def rolled(self, *mechanics: str, acts: bool = True) -> Callable[[EventSaying], EventSaying]:
        """Register a function that names the throws of a mechanic's trace; its actor ``acts`` in the entry."""

        def declare(tell: EventSaying) -> EventSaying:
            def tell_with(draft: Any, trace: Fact) -> None:
                draft.actor(draft.about(trace).get("actor"))
                tell(draft, trace)

            self.throws.update(dict.fromkeys(mechanics, tell_with if acts else tell))
            return tell

        return declare

    def asked(self, *keys: str) -> Callable[[QuestionSaying], QuestionSaying]:
        """Register a function that words a question, by the key under which logs store it."""

        def declare(tell: QuestionSaying) -> QuestionSaying:
            self.questions.update(dict.fromkeys(keys, tell))
            return tell

        return declare

    def form_for(self, kind: str, seen: Iterable[str]) -> Form | None:
        """The fullest form of a kind of event whose fields are all seen; None if there is no saying for the kind.

        Where the viewer may see too little for any form, the saying is silence.
        """
        forms = self.events.get(kind)
        if forms is None:
            return None
        known = frozenset(seen)
        return next((form for form in forms if form.reads <= known), Form(frozenset(), _silence))


def _beginning_with(tell: EventSaying, actor: str, entry: str) -> EventSaying:
    """The same saying, which first names who acts and the kind of the entry."""
    if not actor and not entry:
        return tell

    def tell_with(draft: Any, fact: Fact) -> None:
        if entry:
            draft.kind = entry
        if actor:
            draft.actor(fact[actor])
        tell(draft, fact)

    return tell_with


def _silence(draft: Any, fact: Fact) -> None:
    """Say nothing."""
