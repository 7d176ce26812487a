"""Facts that the game master sets: cover, sight, high ground, flanking. They are stored, not computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from tablewright.errors import InvalidInputError

ANYONE = "*"
MOST_FACTS = 1_000
MOST_WORD = 60
Value: TypeAlias = str | int | bool


class Fact(NamedTuple):
    """`what` holds for `who` with regard to `against`: Anna's cover against the archer is `half`."""

    what: str
    who: str
    against: str
    value: Value

    def to_json(self) -> dict[str, Any]:
        """The fact as plain JSON."""
        return self._asdict()


def _is_value(value: object) -> bool:
    return len(value) <= MOST_WORD if isinstance(value, str) else isinstance(value, int) and abs(value) < 10**9


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a scene, sorted. A fact about `ANYONE` holds unless a more specific one overrides it.

    >>> facts = Facts().set("cover", "anna", "half", against="archer").set("light", ANYONE, "dim")
    >>> facts.get("cover", "anna", "archer"), facts.get("cover", "anna", "wolf"), facts.get("light", "anna")
    ('half', None, 'dim')
    >>> facts.clear("cover", "anna").get("cover", "anna", "archer") is None
    True
    """

    entries: tuple[Fact, ...] = ()

    def get(self, what: str, who: str, against: str = ANYONE, default: Value | None = None) -> Value | None:
        """Value of a fact for `who` against `against`.

        The most specific fact wins: about both, about `who` alone, about `against` alone, about anyone.
        """
        found, closeness = default, -1
        for fact in self.entries:
            if fact.what == what and fact.who in (who, ANYONE) and fact.against in (against, ANYONE):
                own = 2 * (fact.who == who) + (fact.against == against)
                if own > closeness:
                    found, closeness = fact.value, own
        return found

    def set(self, what: str, who: str, value: Value, against: str = ANYONE) -> Facts:
        """Copy with this fact set; it replaces an earlier value."""
        for word in (what, who, against):
            if not word or len(word) > MOST_WORD or not word.isprintable():
                raise InvalidInputError(
                    f'"{word[:40]}" cannot be part of a fact: 1 to {MOST_WORD} printable characters'
                )
        if not _is_value(value):
            raise InvalidInputError(
                f"the fact {what} of {who} is {value!r:.40}; allowed are short words, whole numbers, yes or no"
            )
        kept = [fact for fact in self.entries if fact[:3] != (what, who, against)]
        if len(kept) >= MOST_FACTS:
            raise InvalidInputError(f"there are already {MOST_FACTS:,} facts, no more can be kept")
        return Facts(tuple(sorted([*kept, Fact(what, who, against, value)], key=lambda fact: fact[:3])))

    def clear(self, what: str | None = None, who: str | None = None, against: str | None = None) -> Facts:
        """Copy without the matching facts; `clear(who="anna")` removes all facts about Anna."""
        return Facts(
            tuple(
                [
                    fact
                    for fact in self.entries
                    if not (what in (None, fact.what) and who in (None, fact.who) and against in (None, fact.against))
                ]
            )
        )

    def about(self, who: str) -> tuple[Fact, ...]:
        """Facts that name a participant on either side."""
        return tuple([fact for fact in self.entries if who in (fact.who, fact.against)])

    def to_json(self) -> list[dict[str, Any]]:
        """The facts as plain JSON; `from_json` returns equal ones."""
        return [fact.to_json() for fact in self.entries]

    @classmethod
    def from_json(cls, entries: Sequence[Mapping[str, Any]]) -> Facts:
        """Read facts from JSON."""
        facts = cls()
        for entry in entries:
            unknown = sorted(set(entry) - {"what", "who", "against", "value"})
            if unknown or not {"what", "who", "value"} <= set(entry):
                raise InvalidInputError(
                    f"a fact has what, who, value and perhaps against, not {', '.join(sorted(entry))[:80]}"
                )
            words = [str(entry["what"]), str(entry["who"]), str(entry.get("against", ANYONE))]
            facts = facts.set(words[0], words[1], entry["value"], words[2])
        return facts
