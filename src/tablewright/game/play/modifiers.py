"""Modifiers of a number besides its base: parts from the system's sources, then the game master's rulings.

A system lists its sources once (effects, belongings, powers, the situation) and says how parts of one kind combine.
Every tally is then built the same way and always includes the game master's rulings.

>>> from tablewright.game.play.checks import Subject
>>> def charms(subject: Subject, words: frozenset[str]) -> Iterator[EntryPart]:
...     for name, bonus in subject.character.items():
...         yield from bonus.parts(name, "demo.charm.bonus", words)
>>> modified = Modifiers(charms, settle=lambda tally: tally.only_best("charm", "demo.charm.one"))
>>> hers = {"lucky penny": Bonus(what="climb", value=2, kind="charm"), "cat's claw": Bonus(what="climb", value=1,
...         kind="charm"), "candle": Bonus(what="climb", value=1, when="dark")}
>>> ann = Subject(hers, None, None)
>>> modified(Tally.of("climb", 3), ann, "climb").total, modified(Tally.of("climb", 3), ann, "climb", "dark").total
(5, 6)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from tablewright.engine.tally import Part, Tally
from tablewright.game.character.character import Field
from tablewright.game.content.entries import EntryPart as Content
from tablewright.game.play.checks import Subject

Source: TypeAlias = Callable[[Subject, frozenset[str]], Iterable[Part]]
"""Function that returns the parts one source gives the subject for a number described by these words."""


class Bonus(Content):
    """A plain number that a content entry gives, always or only under a circumstance.

    ``what`` is the word under which it counts (a skill, ``attack``, ``damage``); ``when`` is a further word that must
    be given too. Parts of one ``kind`` may not add up. A system narrows ``what`` and ``when`` to its own words: ``class
    PowerBonus(Bonus): what: Literal["attack", "dodge"]``.
    """

    what: str = Field(min_length=1, max_length=60)
    value: int = Field(ge=-1_000, le=1_000)
    when: str | None = Field(default=None, min_length=1, max_length=60)
    kind: str | None = Field(default=None, min_length=1, max_length=60)

    def parts(self, label: str, rule: str | None, words: frozenset[str], times: int = 1) -> Iterator[Part]:
        """The bonus as a part of a number described by these words; nothing if it does not apply."""
        if self.what in words and (self.when is None or self.when in words):
            yield Part(label, self.value * times, rule, self.kind)


def _as_it_is(tally: Tally) -> Tally:
    return tally


class Modifiers:
    """The sources of a system in display order; calling it with a tally adds their parts.

    ``settle`` combines parts (``tally.only_best("magic")``, ``tally.limit_kind("aid", 3)``). It runs after the sources
    and before the rulings, which no rule limits.
    """

    __slots__ = ("settle", "sources")

    def __init__(self, *sources: Source, settle: Callable[[Tally], Tally] = _as_it_is) -> None:
        self.sources = sources
        self.settle = settle

    def __call__(self, tally: Tally, subject: Subject, *words: str) -> Tally:
        """Add everything that applies to a number described by these words: its name and the circumstances."""
        under = frozenset(words)
        found = [part for source in self.sources for part in source(subject, under)]
        tally = self.settle(tally.add_parts(found))
        for word in dict.fromkeys(words):
            tally = subject.with_rulings(tally, word)
        return tally
