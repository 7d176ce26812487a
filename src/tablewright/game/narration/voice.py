"""Voice: the display names that a viewer may hear, and templates filled with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from tablewright.game.narration.entry import Named, Part, Sentence
from tablewright.game.narration.phrases import article, count, plain, signed, the, title_case

_BRACKETS = re.compile(r"(\[[^\[\]]*\])")
_ENDS = (".", "?", "!", ":", ")")


def _as_is(text: str) -> str:
    return text


def _clause(text: str) -> str:
    """A text without its full stop: the sentence around it has one."""
    return text.rstrip(". ")


def _unknown(_: str) -> None:
    return None


@dataclass(frozen=True)
class Voice:
    """Names for one viewer.

    ``names`` maps participant ids to display names, ``content`` returns the name of a content entry by its id,
    ``sides`` maps side ids to display names, ``words`` are the system's words for ids that are no content (degrees,
    tracks, defences), ``span`` formats a number of ticks, and ``title`` returns the title of a rule.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    content: Callable[[str], str | None] = _unknown
    sides: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    span: Callable[[int], str] = str
    title: Callable[[str], str] = _as_is

    def name(self, who: str) -> Named:
        """Display name of a participant; an unknown id is "somebody"."""
        return Named(self.names.get(who, "somebody"), who)

    def has(self, who: object) -> bool:
        """True if an id is that of a participant with a name."""
        return isinstance(who, str) and who in self.names

    def thing(self, id_: str) -> str:
        """Name of an everyday thing, in lower case: "long bow"."""
        known = self.content(id_)
        return self.words.get(id_) or (known[:1].lower() + known[1:] if known else plain(id_)).lower()

    def term(self, id_: str) -> str:
        """Name of a term of the book, capitalised: "Melee Expert"."""
        return self.words.get(id_) or self.content(id_) or title_case(id_)

    def word(self, id_: str) -> str:
        """The system's word for an id, otherwise the name of the content, otherwise its plain words."""
        return self.words.get(id_) or self.content(id_) or plain(id_)

    def side(self, id_: str) -> str:
        """Display name of a side, with its article: "the watch"."""
        return self.sides.get(id_) or the(plain(id_))

    # ------------------------------------------------------------------ templates

    def fill(self, template: str, values: Mapping[str, Any], people: Collection[str] = ()) -> Sentence | None:
        """Fill a template; None if one of its fields is missing.

        Field names stand in braces, with a dot before a part of a field. Text in square brackets is left out if one of
        its fields is missing or empty; the text after a bar stands in its place. ``people`` are the fields that hold
        participant ids. A format is one of ``name``, ``names``, ``thing``, ``a``, ``the``, ``term``, ``side``, ``text``
        (as it is), ``plain`` (an id), ``low`` (lower case), ``clause`` (without its full stop), ``signed``, ``time``,
        ``count NOUN`` and ``words NOUN``; ``low a`` and ``low the`` add an article. ``if`` prints nothing and counts as
        missing if the field is empty. Without a format, text is looked up as a word of the system.

        >>> voice = Voice(names={"ann": "Ann"})
        >>> str(voice.fill("{who} draws {what:a}[ from {place}].", {"who": "ann", "what": "long_bow"}, ["who"]))
        'Ann draws a long bow.'
        >>> voice.fill("{who} draws {what}.", {"who": "ann"}, ["who"])
        >>> str(voice.fill("[{by:name} hits|A blow hits] for {far:count point}.", {"far": 2}))
        'A blow hits for 2 points.'
        """
        parts: list[Part] = []
        for piece in _BRACKETS.split(template):
            optional = piece.startswith("[")
            tried = piece[1:-1].split("|") if optional else [piece]
            filled = [self._piece(one, values, people, optional=optional) for one in tried]
            if not optional and filled[0] is None:
                return None
            parts += next((one for one in filled if one is not None), ())
        return Sentence(tuple(parts))

    def _piece(
        self, piece: str, values: Mapping[str, Any], people: Collection[str], *, optional: bool
    ) -> list[Part] | None:
        parts: list[Part] = []
        for text, name, form, _ in Formatter().parse(piece):
            if text:
                parts.append(text)
            if name is None:
                continue
            first, _, inner = name.partition(".")
            value = values.get(first)
            if inner:
                value = value.get(inner) if isinstance(value, Mapping) else None
            if value is None or ((optional or form == "if") and not value):
                return None
            parts += self._value(value, form or ("name" if name in people else ""))
        return parts

    def _value(self, value: Any, form: str) -> Iterable[Part]:
        if form == "if":
            return ()
        if isinstance(value, Sentence):
            return value.parts
        if isinstance(value, Named):
            return (value,)
        if form == "names" or (form == "name" and isinstance(value, list | tuple)):
            return self.list_of([self.name(one) for one in value])
        if form == "name":
            return (self.name(str(value)),)
        if isinstance(value, bool):
            return ("yes" if value else "no",)
        if isinstance(value, int):
            return (self._number(value, form),)
        text = str(value)
        if form.startswith("count "):
            return (self._number(int(text), form),)
        if form.startswith("low"):
            return ({"low a": article, "low the": the}.get(form, _as_is)(text.lower()),)
        if form in ("thing", "a", "the"):
            known = self.thing(text)
            return (article(known) if form == "a" else the(known) if form == "the" else known,)
        ways = {"term": self.term, "side": self.side, "text": _as_is, "plain": plain, "clause": _clause}
        return (ways.get(form, self.word)(text),)

    def _number(self, value: int, form: str) -> str:
        way, _, noun = form.partition(" ")
        if noun:
            return count(value, noun, words=way == "words")
        return signed(value) if form == "signed" else self.span(value) if form == "time" else f"{value:,}"

    @staticmethod
    def list_of(parts: Iterable[Part], last: str = "and") -> tuple[Part, ...]:
        """Parts joined as a list: "a, b and c"."""
        known = list(parts)
        told: list[Part] = []
        for at, part in enumerate(known):
            if at:
                told.append(f" {last} " if at == len(known) - 1 else ", ")
            told.append(part)
        return tuple(told)


def finished(sentence: Sentence) -> Sentence:
    """The sentence with a capital at the start and a full stop at the end.

    >>> str(finished(Sentence(("the spear misses ", Named("ann", "ann")))))
    'The spear misses ann.'
    """
    parts = [part for part in sentence.parts if str(part)]
    if not parts:
        return Sentence()
    first, text = parts[0], str(parts[0]).lstrip()
    capital = text[:1].upper() + text[1:]
    parts[0] = Named(capital, first.id) if isinstance(first, Named) else capital
    if not str(parts[-1]).rstrip().endswith(_ENDS):
        parts.append(".")
    return Sentence(tuple(parts))
