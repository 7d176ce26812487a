"""Ledger: the rules of a rule book in our own words, with ids that code, tests and traces cite.

>>> ledger = Ledger.load("mars")
>>> ledger.book
'MARS'
>>> ledger["mars.check.outcomes"].citation
'MARS, Skills / Skill Checks'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from tablewright.errors import InvalidInputError, ProblemListError, did_you_mean
from tablewright.game.rules.entry_points import package_of, unknown_system
from tablewright.game.rules.yaml_compiler import LEDGER_FILE, YamlError, read_data
from tablewright.game.values import thaw

Kind = Literal["mechanic", "procedure", "table", "option", "guidance"]
Origin = Literal["seed", "upstream", "house"]

MOST_IN_PASSING = 2
"""Upper bound for the length of words that are ignored when searching a rule's data."""

_WORDS = (("kind", get_args(Kind)), ("origin", get_args(Origin)))
_RULE_ID = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+\Z")
_REQUIRED = ("id", "title", "section", "kind", "rule")
_PUNCTUATION = dict.fromkeys(map(ord, "\n!\"#$&'()*,/:;<=>?@[\\]^`{|}~„“”‘’–—…"), " ")
_ALLOWED = frozenset({*_REQUIRED, "at", "data", "examples", "ruling", "origin", "changed"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a rule book.

    `data` and `examples` are read-only: mappings with text keys (`4:` in the file is the key "4") and tuples;
    `numbered` converts number keys. `origin` is the source of the rule: `seed` is the text the ledger restates,
    `upstream` another text of the same game, `house` ourselves. `at` is the first and last line in the seed. `changed`
    is the reason that an entry differs from its first reading.
    """

    id: str
    book: str
    title: str
    section: str
    kind: Kind
    text: str
    data: Any = None
    examples: tuple[Any, ...] = ()
    ruling: str = ""
    origin: Origin = "seed"
    changed: str = ""
    at: tuple[int, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def topic(self) -> str:
        """The id without its last word: `mars.check` of `mars.check.outcomes`."""
        return self.id.rpartition(".")[0]

    @property
    def citation(self) -> str:
        """Book and section of the rule, for people."""
        return f"{self.book}, {self.section}"

    def to_json(self) -> dict[str, Any]:
        """The rule as plain JSON data; empty fields are left out."""
        plain: dict[str, Any] = {
            "id": self.id,
            "title": self.title,
            "book": self.book,
            "section": self.section,
            "kind": self.kind,
            "origin": self.origin,
            "rule": self.text,
        }
        for name in ("ruling", "data", "examples", "changed"):
            value = getattr(self, name)
            if value not in (None, "", ()):
                plain[name] = thaw(value)
        return plain


@dataclass(frozen=True, repr=False)
class Ledger(Mapping[str, Rule]):
    """Rules of one rule book in the order of the book: a read-only mapping from rule id to `Rule`."""

    system: str
    book: str
    source: str
    licence: str
    rules: tuple[Rule, ...] = field(repr=False)

    @classmethod
    def load(cls, name: str) -> Ledger:
        """Load the ledger of a registered system, by id, or of any package that holds a `ledger.yaml`.

        The system itself is not imported.
        """
        return _load_folder(_folder_of(name))

    @classmethod
    def from_content(cls, content: Any, *, name: str = LEDGER_FILE) -> Ledger:
        """Build a ledger from the content of a ledger file; the error lists all problems at once."""
        problems = list(_problems(content))
        if problems:
            raise ProblemListError(f"{name}: {problem}" for problem in problems)
        book = content["title"]
        return cls(
            system=content["system"],
            book=book,
            source=content.get("source", ""),
            licence=content.get("licence", ""),
            rules=tuple(
                Rule(
                    id=entry["id"],
                    book=book,
                    title=entry["title"],
                    section=entry["section"],
                    kind=entry["kind"],
                    text=entry["rule"],
                    data=_frozen(entry.get("data")),
                    examples=_frozen(entry.get("examples", [])),
                    ruling=entry.get("ruling", ""),
                    origin=entry.get("origin", "seed"),
                    changed=entry.get("changed", ""),
                    at=_frozen(entry.get("at", [])),
                )
                for entry in content["rules"]
            ),
        )

    @cached_property
    def _by_id(self) -> dict[str, Rule]:
        return {rule.id: rule for rule in self.rules}

    def __getitem__(self, rule_id: str) -> Rule:
        return self._by_id[rule_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self.rules)

    def __hash__(self) -> int:
        return hash((self.system, self.rules))

    def __repr__(self) -> str:
        return f"<Ledger of {self.book}: {len(self)} rules>"

    def rule(self, rule_id: str) -> Rule:
        """The rule with this id; an unknown id is refused with the nearest one.

        >>> Ledger.load("mars").rule("mars.check.outcome")
        Traceback (most recent call last):
        tablewright.errors.InvalidInputError: MARS has no rule "mars.check.outcome"; did you mean "mars.check.outcomes"?
        """
        try:
            return self._by_id[rule_id]
        except KeyError:
            raise InvalidInputError(
                f'{self.book} has no rule "{rule_id}"{did_you_mean(rule_id, self._by_id)}'
            ) from None

    def topics(self) -> tuple[str, ...]:
        """Topics of the rules, without duplicates, in the order of the book."""
        return tuple(dict.fromkeys(rule.topic for rule in self.rules))

    def under(self, topic: str) -> tuple[Rule, ...]:
        """Rules below a topic, in the order of the book; a topic without rules is refused with the nearest one."""
        prefix = topic + "."
        found = tuple(rule for rule in self.rules if rule.id.startswith(prefix))
        if not found:
            topics = self.topics()
            raise InvalidInputError(f'{self.book} has no rules under "{topic}"{did_you_mean(topic, topics)}')
        return found

    def search(self, words: str) -> tuple[Rule, ...]:
        """Rules that contain all the words, best match first, then in the order of the book.

        A match in the id counts most, then in the title, the text and the data. The start of a word counts more than
        its inside. Case and accents are ignored.
        """
        wanted = _plain(words).split()
        if not wanted:
            return ()
        ranked = []
        for place, (rule, texts) in enumerate(zip(self.rules, self._searchable, strict=True)):
            scores = [_score(word, texts) for word in wanted]
            if all(scores):
                ranked.append((-sum(scores), place, rule))
        return tuple(rule for _, _, rule in sorted(ranked, key=lambda entry: entry[:2]))

    @cached_property
    def _searchable(self) -> tuple[tuple[str, str, str, str], ...]:
        return tuple(
            (
                f" {rule.id.replace('.', ' ')} {rule.id}",
                " " + _plain(rule.title),
                " " + _plain(f"{rule.text} {rule.ruling} {rule.section}"),
                " " + _plain("  ".join([f"{place} {text}" for place, text in _leaves(rule.data)])),
            )
            for rule in self.rules
        )


def found_in_data(rule: Rule, words: str) -> tuple[tuple[str, str], ...]:
    """Entries of a rule's data that contain some of the words, most matches first, as (path, text) pairs.

    >>> found_in_data(Ledger.load("marchen")["marchen.skill.athletics"], "sheer wall")[0]
    ('tasks / formidable', 'climb a sheer wall')
    """
    wanted = [word for word in _plain(words).split() if len(word) > MOST_IN_PASSING]
    ranked = []
    for place, (where, text) in enumerate(_leaves(rule.data)):
        held = sum([f" {word}" in f" {_plain(text)}" for word in wanted])
        if held:
            ranked.append((-held, place, (where, text)))
    return tuple([found for _, _, found in sorted(ranked)])


def _leaves(data: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Texts and numbers of nested data, each with the path of keys that leads there."""
    if isinstance(data, Mapping):
        for key, item in data.items():
            yield from _leaves(item, f"{where} / {key}" if where else str(key))
    elif isinstance(data, tuple):
        for item in data:
            yield from _leaves(item, where)
    elif data is not None:
        yield where, str(data)


def table(rule_id: str) -> Any:
    """Data of a rule, by the id alone.

    >>> table("renaissance.ranged.range_modifiers")["medium"]
    -10
    """
    return Ledger.load(rule_id.partition(".")[0])[rule_id].data


def numbered(table: Mapping[str, Any]) -> dict[int, Any]:
    """Copy of a table with its text keys converted to ints.

    >>> numbered({"4": "graze", "-1": "miss"})
    {4: 'graze', -1: 'miss'}
    """
    return {int(key): value for key, value in table.items()}


@lru_cache(maxsize=32)
def _folder_of(name: str) -> Path:
    """Folder of a system's ledger, by the system's id or its package."""
    package = package_of(name)
    try:
        spec = find_spec(package or name)
    except (ImportError, ValueError):
        spec = None
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if Path(folder, LEDGER_FILE).is_file():
            return Path(folder)
    if package or spec:
        raise InvalidInputError(f'"{name}" has no {LEDGER_FILE}')
    raise unknown_system(name)


@lru_cache(maxsize=32)
def _load_folder(folder: Path) -> Ledger:
    source = folder / LEDGER_FILE
    try:
        content = read_data(source)
    except YamlError as error:
        raise InvalidInputError(str(error)) from None
    return Ledger.from_content(content, name=str(source))


def _problems(content: Any) -> Iterator[str]:
    if not isinstance(content, dict):
        yield "not a mapping with system, title and rules"
        return
    for name in ("system", "title"):
        if not isinstance(content.get(name), str):
            yield f"{name} is missing or not text"
    if not isinstance(content.get("rules"), list):
        yield "rules is missing or not a list"
        return
    seen: set[str] = set()
    for number, entry in enumerate(content["rules"], start=1):
        if not isinstance(entry, dict):
            yield f"rule {number} is not a mapping"
            continue
        rule_id = entry.get("id")
        label = rule_id if isinstance(rule_id, str) else f"rule {number}"
        for name in _REQUIRED:
            if not isinstance(entry.get(name), str) or not entry[name]:
                yield f"{label}: {name} is missing or not text"
        for name in ("ruling", "changed", "origin"):
            if not isinstance(entry.get(name, ""), str):
                yield f"{label}: {name} is not text"
        for name in ("examples", "at"):
            if not isinstance(entry.get(name, []), list):
                yield f"{label}: {name} is not a list"
        for name in entry.keys() - _ALLOWED:
            yield f'{label}: unknown field "{name}"{did_you_mean(name, sorted(_ALLOWED))}'
        yield from _wrong_words(label, entry)
        if not isinstance(rule_id, str):
            continue
        if rule_id in seen:
            yield f"{label}: the id is given twice"
        seen.add(rule_id)
        if not _RULE_ID.match(rule_id) or not rule_id.startswith(f"{content.get('system')}."):
            yield f'{label}: an id is lower-case words joined by dots and begins with "{content.get("system")}."'


def _wrong_words(label: str, entry: Mapping[str, Any]) -> Iterator[str]:
    for name, allowed in _WORDS:
        value = entry.get(name)
        if isinstance(value, str) and value not in allowed:
            yield f'{label}: {name} is "{value}", allowed are {", ".join(allowed)}'


def _score(word: str, texts: Iterable[str]) -> int:
    score = 0
    for weight, text in zip((300, 90, 9, 3), texts, strict=True):
        found = text.find(word)
        if found < 0:
            continue
        if f" {word} " in f"{text} ":
            score += weight
        elif f" {word}" in text:
            score += weight * 2 // 3
        else:
            score += weight // 3
    return score


def _plain(text: str) -> str:
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return text.casefold().translate(_PUNCTUATION).replace(". ", " ").rstrip(".")


def _frozen(value: Any) -> Any:
    """Read-only copy of plain data that keeps the order of keys."""
    kind = type(value)
    if kind is dict:
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    if kind is list:
        return tuple([_frozen(item) for item in value])
    return value
