"""Excerpts of rules: the piece of a rule that a search found, and the terms in a rule that other rules explain."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from tablewright.game.rules.ledger import Ledger, Rule, found_in_data

SNIPPET = 150
"""Length of a snippet in letters, without the marks at its ends."""

MOST_TERMS = 24
_LONGEST_TERM = 3
_SHORTEST_TERM = 4


def snippet_of(rule: Rule, words: str, length: int = SNIPPET) -> str:
    """The piece of a rule around the words that were searched for; its beginning if they are elsewhere.

    >>> snippet_of(Ledger.load("mars")["mars.check.outcomes"], "graze", 60)
    '… -6 <= margin <= -1 graze; margin <= -7 failure.'
    """
    text = " ".join(rule.text.split())
    flat, wanted = _flat(text), [word for word in _flat(words).split() if word]
    places = [place for word in wanted if (place := _place(flat, word)) >= 0]
    if not places:
        inside = found_in_data(rule, words)
        if inside:
            where, what = inside[0]
            text, places = f"{where}: {what}", [0]
    start = max(0, min(places) - length // 3) if places else 0
    if start:
        start = text.find(" ", start) + 1
    end = start + length
    if end >= len(text):
        return f"{'… ' if start else ''}{text[start:]}"
    end = max(text.rfind(" ", start, end), start + length // 2)
    return f"{'… ' if start else ''}{text[start:end].rstrip(' ,;:')} …"


def _flat(text: str) -> str:
    """Text in lower case without accents, letter by letter, so that places stay the same."""
    return "".join([unicodedata.normalize("NFKD", letter)[0].lower()[:1] or letter for letter in text])


def _place(text: str, word: str) -> int:
    """Place of a word in a text; a match inside a word counts only if no word begins with it."""
    found = re.search(rf"\b{re.escape(word)}", text)
    return found.start() if found else text.find(word)


def terms_in(ledger: Ledger, rule: Rule) -> list[tuple[str, Rule]]:
    """Terms in a rule's text that are titles of other rules of the book, each with that rule, in order of the text."""
    pattern, rules = _terms(ledger)
    found: dict[str, tuple[str, Rule]] = {}
    for match in pattern.finditer(rule.text) if pattern else ():
        other = rules[match[0].lower()]
        if other.id != rule.id and other.id not in found:
            found[other.id] = (match[0], other)
    return list(found.values())[:MOST_TERMS]


@lru_cache(maxsize=16)
def _terms(ledger: Ledger) -> tuple[re.Pattern[str] | None, dict[str, Rule]]:
    """Titles that are terms, as one pattern, and their rules in lower case.

    A title also stands for its plural or singular; of two equal ones the first counts.
    """
    rules: dict[str, Rule] = {}
    for rule in ledger.rules:
        title = rule.title.lower()
        is_term = len(title.split()) <= _LONGEST_TERM and len(title) >= _SHORTEST_TERM and title[0].isalpha()
        for form in (title, f"{title}s", title.removesuffix("s")) if is_term else ():
            rules.setdefault(form, rule)
    if not rules:
        return None, rules
    longest_first = sorted(rules, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE), rules
