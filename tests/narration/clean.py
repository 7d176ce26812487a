"""Text that a person may read: no ids, no values of the program, none of the phrases that were banned."""

from __future__ import annotations

import re
from collections.abc import Iterable

PENDING: tuple[str, ...] = ()
"""Systems whose sayings are not complete yet; a finished system that still stands here fails a test."""

BANNED = (
    "-> ",
    "hit no",
    "hit yes",
    "form plain",
    "defence nothing",
    "level healthy",
    "critical failure none",
    "critical failure yes",
    "with dice dropped",
    "degree failure",
    "degree succeed",
    "success yes",
    "winner a",
    "winner b",
    "pays 1 ",
    "has used ",
    "skill used",
    "uses up ",
    "is next to",
    "what now?",
    "how to defend?",
    "which strike?",
    "dice for the first roll",
    "cannot be taken now",
    "what names no cost",
    "so far: ",
    "d0..99",
    "with the Wild Die first",
    "one die rerolled once",
    "Enter throws",
    "it works",
    "it fails",
    "later on: ",
    "pending: ",
    "time passed: ",
    "the end: ",
    "order: ",
    "by the system's value",
    "best by ",
    "nothing that counts",
    "is no answer to",
    "nobody was asked",
)
_RAW = re.compile(r"\w_\w|\b(?:True|False|None)\b|\bzz\b|[a-z][A-Z]|\[[a-z0-9]+\.[a-z0-9_.]+\]|\w[@~]\w|\w#\d|\w=\w")


def problems_of(text: str, ids: Iterable[str] = ()) -> list[str]:
    """Everything in a text that no person should read.

    >>> problems_of("Torvald parries."), problems_of("form_plain is True")
    ([], ['_', 'True'])
    """
    found = [match[0][1] if "_" in match[0] else match[0] for match in _RAW.finditer(text)]
    found += [phrase for phrase in BANNED if phrase in text]
    return found + [id_ for id_ in ids if re.search(rf"(?<![\w-]){re.escape(id_)}(?![\w-])", text)]
