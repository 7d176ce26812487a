"""Rule books: their systems, and the rules by id or by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.api.arguments import checked
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.rules.entry_points import system_ids, unknown_system
from tablewright.game.rules.ledger import Ledger, Rule
from tablewright.game.system.registry import load_system

if TYPE_CHECKING:
    from tablewright.game.system.system import System

__all__ = ["Rule", "rule", "rules", "system", "system_ids"]

MOST_WORDS = 200
"""Upper bound for the characters of a search."""


@checked
def rules(words: str, system: str | None = None) -> list[Rule]:
    """Rules of one book, or of all, that hold all of the words; the best matches of each book first.

    >>> import tablewright as tw
    >>> [rule.id for rule in tw.rules("falling damage", "mars")]
    ['mars.gap.fight.falling']
    """
    if not words.strip() or len(words) > MOST_WORDS:
        raise InvalidInputError(f"words to search for are a text of 1 to {MOST_WORDS} characters, not {words!r:.60}")
    if system is not None and system not in system_ids():
        raise unknown_system(system)
    books = system_ids() if system is None else (system,)
    return [rule for book in books for rule in Ledger.load(book).search(words)]


@checked
def rule(id: str) -> Rule:  # noqa: A002 - the word of the ledger
    """One rule by its id; an unknown id is refused with the nearest one.

    >>> import tablewright as tw
    >>> tw.rule("mars.check.outcomes").citation
    'MARS, Skills / Skill Checks'
    """
    book = id.partition(".")[0]
    if book not in system_ids():
        raise unknown_system(book)
    ledger = Ledger.load(book)
    if id not in ledger:
        raise InvalidInputError(f'{ledger.book} has no rule "{id:.100}"{did_you_mean(id, ledger)}', field="id")
    return ledger[id]


@checked
def system(id: str) -> System:  # noqa: A002 - the word of the registry
    """A system by its id: title, mechanics and rule options.

    >>> import tablewright as tw
    >>> tw.system("mars").title
    'MARS'
    """
    return load_system(id)
