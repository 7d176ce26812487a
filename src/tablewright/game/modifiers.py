"""What goes into a number besides its base: parts gathered from the system's sources, the game master's rulings last.

A system names its sources once (effects, belongings, powers, the situation) and says how parts of one kind go together;
every tally is then made the same way, and none can forget what the game master added.

>>> from tablewright.game.checks import Subject
>>> def charms(subject: Subject, words: frozenset[str]) -> Iterator[Part]:
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
from tablewright.game.character import Field
from tablewright.game.checks import Subject
from tablewright.game.content.entries import Part as Content

Source: TypeAlias = Callable[[Subject, frozenset[str]], Iterable[Part]]
"""Gives the parts that somebody has from one source for a number that goes by these words."""


class Bonus(Content):
    """A plain number that an entry of the content gives, always or only under a circumstance.

    ``what`` is the word under which it counts (a skill, ``attack``, ``damage``), ``when`` a further one that must be
    given too; parts of one ``kind`` may not add up. A system narrows ``what`` and ``when`` to its own words:
    ``class PowerBonus(Bonus): what: Literal["attack", "dodge"]``.
    """

    what: str = Field(min_length=1, max_length=60)
    value: int = Field(ge=-1_000, le=1_000)
    when: str | None = Field(default=None, min_length=1, max_length=60)
    kind: str | None = Field(default=None, min_length=1, max_length=60)

    def parts(self, label: str, rule: str | None, words: frozenset[str], times: int = 1) -> Iterator[Part]:
        """The part that it is of a number that goes by these words; nothing where it does not count."""
        if self.what in words and (self.when is None or self.when in words):
            yield Part(label, self.value * times, rule, self.kind)


def _as_it_is(tally: Tally) -> Tally:
    return tally


class Modifiers:
    """The sources of a system, in the order in which they are shown; called with a tally it adds what they give.

    ``settle`` says how parts go together (``tally.only_best("magic")``, ``tally.limit_kind("aid", 3)``); it comes after
    the sources and before the rulings, which no rule limits.
    """

    __slots__ = ("settle", "sources")

    def __init__(self, *sources: Source, settle: Callable[[Tally], Tally] = _as_it_is) -> None:
        self.sources = sources
        self.settle = settle

    def __call__(self, tally: Tally, subject: Subject, *words: str) -> Tally:
        """A tally with everything that counts for a number that goes by these words: its name, the circumstances."""
        under = frozenset(words)
        found = [part for source in self.sources for part in source(subject, under)]
        tally = self.settle(tally.add_parts(found))
        for word in dict.fromkeys(words):
            tally = subject.with_rulings(tally, word)
        return tally
