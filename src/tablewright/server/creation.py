"""Character creation step by step: the client sends all answers so far and gets the next question.

A process caches the most recent creations, and one more answer then costs one step instead of all of them. The cache
holds nothing beyond the answers: without it the result is the same, only later.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import thread_time
from typing import Any

from tablewright.dice import SeededDice
from tablewright.engine.options import option_id
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.character.creation import CharacterCreation, CreationOption
from tablewright.game.content.entries import ContentEntry
from tablewright.game.content.library import Library
from tablewright.game.narration.question import word_creation
from tablewright.game.narration.voices import sayings_of
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.system.ruleset import Ruleset
from tablewright.lab.deadline import Deadline

MOST_REMEMBERED = 12
MOST_FACTS = 9
MOST_REMEDIES = 2
"""Upper bounds for the facts that are told of one option, and for the remedies beside a warning."""
PREVIEW_SECONDS = 0.4
"""Processor time for the previews of one question, and for its things: a long creation has fewer of them."""

_ABOUT = ("about", "text", "does", "hallmark")
"""Fields of a content entry that describe it in a sentence."""

_SILENT = frozenset(
    [
        *("id", "name", "origin", "rule", "natural", "tags", "price", "worth", "printed", "covers", "key", "ruling"),
        *("sized", "cost", "group", "boost", "bundle", "retry", "exempt", "alternates", *_ABOUT),
        *("choose", "among", "choose_stats", "choose_languages"),
    ]
)
"""Fields of a content entry that are not told as facts."""

_IS_ID = re.compile(r"^[a-z0-9_]+$")
_PARTS = re.compile(r"^(.*?)(\+\d+)?$", re.DOTALL)
_INSIDE_ID = re.compile(r"(?<=[a-z])[_.](?=[a-z])")
_lately: OrderedDict[str, Making] = OrderedDict()


class Making:
    """A character creation with its answers as text, each with its step, and the labels of all options so far."""

    def __init__(self, setting: Ruleset, body: Mapping[str, Any], name: str) -> None:
        self.setting = setting
        self.creating: CharacterCreation[Any] = CharacterCreation(
            setting.start_creation(body["arguments"], name), SeededDice(body["seed"])
        )
        self.answers: list[Any] = []
        self.taken: list[dict[str, Any]] = []
        self.labels: dict[str, str] = {}
        self.words = ContentWords(setting.library)
        self.shown: dict[tuple[str, str], str] = {}
        """Figures as last shown, by group and name; a step that shows others leaves them as they are."""

    def answer(self, answer: str | list[int]) -> None:
        """Apply one more answer; refuse an invalid one with the reason."""
        creating, place = self.creating, len(self.answers)
        if creating.is_done:
            raise InvalidInputError(
                "the character is finished before this answer; leave it out", field=f"answers.{place}"
            )
        step, question = creating.step, getattr(creating.question, "question", "")
        labels = self._offered()
        self.shown = self.figures_by_name()
        self.replay(answer)
        self.labels |= labels
        self.answers.append(answer)
        told = labels.get(answer, answer) if isinstance(answer, str) else " ".join(map(str, answer))
        self.taken.append({"step": step.title if step else "", "question": question, "id": answer, "label": told})

    def replay(self, answer: str | list[int]) -> None:
        """Apply one more answer without keeping it as text; for previews, which only need the figures."""
        if isinstance(answer, str):
            self.creating.answer(answer)
        else:
            self.creating.type_in(answer)

    def to_json(self) -> dict[str, Any]:
        """The next question as JSON; ``taken`` are the answers as text, and closed options have labels too."""
        told = self.creating.to_json()
        labels = {shut.id: shut.label for shut in self.creating.closed if shut.label}
        offered = self._offered()
        for option in told.get("options", ()):
            shown = {"label": offered.get(option["id"], option["label"]), "note": _plain(option.get("note", ""))}
            option.update(shown | self.words.described(option["id"], str(told.get("question", ""))))
        for shut in told.get("closed", ()):
            called = labels.get(shut["id"]) or self.labels.get(shut["id"]) or self.words.name(shut["id"])
            shut |= {"label": called, "reason": _plain(shut["reason"])}
        word_creation(told, sayings_of(self.setting.system.id))
        told["warnings"] = self._warnings()
        told["figures"] = self.figures()
        told["history"] = [str(happened) for happened in self.creating.history]
        told["taken"] = list(self.taken)
        return told

    def _warnings(self) -> list[dict[str, Any]]:
        """Sentences on what was forgotten; where no remedies are named, the cheapest wise options are."""
        offered = [option for option in self.creating.options if isinstance(option, CreationOption)]
        wise = sorted([option for option in offered if not option.unwise], key=lambda option: option.cost)
        usual = [option.id for option in wise]
        return [
            {
                "id": one.id,
                "text": said.text,
                "remedies": [*(usual if said.remedies is None else said.remedies)][:MOST_REMEDIES],
            }
            for one in offered
            for said in one.warnings
        ]

    def figures(self) -> list[dict[str, str]]:
        """Figures of the character so far, for people: groups, names and values instead of ids."""
        return [
            {"group": group, "name": name, "value": value} for (group, name), value in self.figures_by_name().items()
        ]

    def figures_by_name(self) -> dict[tuple[str, str], str]:
        """The figures of this step, and those of earlier ones that it does not show."""
        found: dict[tuple[str, str], str] = {}
        for name, value in self.creating.to_json().get("shown", {}).items():
            group = self.words.word(str(name))
            if isinstance(value, Mapping):
                found |= {(group, self.words.word(str(key))): self.words.said(held) for key, held in value.items()}
            elif isinstance(value, Sequence) and not isinstance(value, str):
                found |= {(group, self.words.word(str(held))): "" for held in value}
            elif value is not None:
                found["", group] = self.words.said(value)
        groups = {group for group, _ in found if group}
        kept = {key: value for key, value in self.shown.items() if key in found or key[0] not in groups}
        return kept | found  # what was shown before keeps its place

    def _offered(self) -> dict[str, str]:
        """Labels of the open options by id; an option without a title gets the name of its content entry."""
        found = {option_id(option): _title(option) for option in self.creating.options}
        return {id_: self.words.name(id_) if title == id_ else title for id_, title in found.items()}


class ContentWords:
    """Words for content entries and the ids that name them: descriptions, facts and readable names."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def described(self, id_: str, question: str) -> dict[str, Any]:
        """Description and gifts of the content entry behind an option; empty for other options."""
        entry = self._entry(id_, question)
        if entry is None:
            return {}
        return dict(_told_of(self.library, entry))

    def _entry(self, id_: str, question: str) -> Any:
        """The content entry with an id; of several, the one whose kind the question names."""
        bare = _PARTS.match(id_).groups()[0].rpartition(":")[2]  # type: ignore[union-attr]
        found = self.library.find(bare)
        named = [entry for kind, entry in found if kind[:5] in question.lower()]
        if named or "language" in question:  # a language may be called like the people who speak it
            return named[0] if named else None
        return found[0][1] if found else None

    def facts(self, name: str, value: Any) -> list[str]:
        """A field of a content entry in short words; nested data is left out."""
        if name in _SILENT or value in (None, False, "", [], {}):
            return []
        called = self.word(name)
        if value is True:
            return [called]
        if isinstance(value, Mapping):
            return [fact for key, held in value.items() for fact in self._fact(str(key), held)]
        if isinstance(value, list):
            plain = [held for held in value if isinstance(held, str)]
            if not any(" " in held for held in plain):  # ids; other lists hold words of their own
                plain = [self.word(_plain(held)) if "." in held else self.word(held) for held in plain]
            return (
                [f"{called}: {', '.join(plain[:6])}{' …' if len(plain) > 6 else ''}"] if plain else self._choices(value)
            )
        return [f"{called}: {self.word(value)}" if isinstance(value, str) else f"{called} {value}"]

    def _fact(self, name: str, value: Any) -> list[str]:
        """A figure of an entry beside its name; a plain yes is the name alone, and a no is left out."""
        if value in (None, False) or not isinstance(value, int | str):
            return []
        return [self.word(name) if value is True else f"{self.word(name)} {self.said(value)}"]

    def _choices(self, value: Sequence[Any]) -> list[str]:
        """Entries such as "Finesse or Ranged 6"."""
        found = []
        for one in value:
            if isinstance(one, Mapping) and isinstance(one.get("any_of"), list):
                names = " or ".join([self.word(str(name)) for name in one["any_of"]])
                found.append(f"{names} {one.get('value', '')}".strip())
        return found

    def said(self, value: Any) -> str:
        """A value in words."""
        if isinstance(value, str):
            return self.word(value) if _IS_ID.match(value) and "_" in value else value
        return "yes" if value is True else "no" if value is False else str(value)

    def name(self, id_: str) -> str:
        """Readable name of an option id: the name of its content entry or its words, with the amount of a raise."""
        bare, amount = _PARTS.match(id_).groups()  # type: ignore[union-attr]
        what, colon, subject = bare.partition(": ")
        named = f"{self.word(what)}{colon}{subject}"
        return f"{named} {amount}" if amount else named

    def word(self, id_: str) -> str:
        """Name of the content entry with an id, or the words of the id."""
        bare = id_.rpartition(":")[2]
        if not _IS_ID.match(bare):
            return bare
        named = _names_in(self.library).get(bare)
        if named is not None:
            return named
        plain = bare.replace("_", " ")
        return f"{plain[:1].upper()}{plain[1:]}"


@cached_by_identity
def _told_of(library: Library, entry: ContentEntry) -> dict[str, Any]:
    """Description and gifts of a content entry; every question that offers it tells the same."""
    words, plain = ContentWords(library), entry.to_json()
    about = next((str(plain[name]) for name in _ABOUT if plain.get(name)), "")
    facts = dict.fromkeys([fact for name, value in plain.items() for fact in words.facts(name, value)])
    return {"about": about, "gives": list(facts)[:MOST_FACTS]}


@cached_by_identity
def _names_in(library: Library) -> dict[str, str]:
    """Names of the content entries by id; of several with one id, the first counts."""
    found: dict[str, str] = {}
    for kind, _ in library.kinds:
        for entry in library.of(kind):
            if entry.name:
                found.setdefault(entry.id, entry.name)
    return found


def previews_of(
    setting: Ruleset, body: Mapping[str, Any], name: str, making: Making, deadline: Deadline
) -> dict[str, Any]:
    """Changes of the figures by each open option, by its id; options beyond the deadline are left out."""
    before = making.figures_by_name()
    found: dict[str, Any] = {}
    worked = Deadline(PREVIEW_SECONDS, clock=thread_time)
    for option in making.creating.options:
        if deadline.passed or worked.passed:
            break
        id_ = option_id(option)
        trial = Making(setting, body, name)
        trial.shown = before
        with suppress(TablewrightError):
            for answer in (*making.answers, id_):
                trial.replay(answer)
            changed = [one for one in trial.figures() if before.get((one["group"], one["name"])) != one["value"]]
            found[id_] = [one | {"before": before.get((one["group"], one["name"]), "")} for one in changed]
    return _by_choice(found)


def _by_choice(previews: dict[str, Any]) -> dict[str, Any]:
    """The previews without figures that the next step begins with, whatever is chosen now."""
    if len(previews) < 2:
        return previews
    first, *others = previews.values()
    always = [one for one in first if one["before"] == "" and all(one in other for other in others)]
    return {id_: [change for change in changes if change not in always] for id_, changes in previews.items()}


def making_of(setting: Ruleset, body: Mapping[str, Any], name: str) -> Making:
    """The creation after the given answers, continued from the cache if possible."""
    given: Sequence[Any] = body["answers"]
    same = [body[what] for what in ("system", "options", "packs", "arguments", "seed")]
    key = json.dumps([*same, name], sort_keys=True)
    found = _lately.pop(key, None)
    if found is None or found.answers != given[: len(found.answers)]:
        found = Making(setting, body, name)
    for answer in given[len(found.answers) :]:
        found.answer(answer)  # a refused answer leaves nothing in the cache
    _lately[key] = found
    if len(_lately) > MOST_REMEMBERED:
        _lately.popitem(last=False)
    return found


def _plain(text: str) -> str:
    """Replace the separators inside ids by blanks.

    >>> _plain("+1d guile.sneak, up to close_combat level. No more")
    '+1d guile sneak, up to close combat level. No more'
    """
    return _INSIDE_ID.sub(" ", text)


def _title(option: Any) -> str:
    return option.title if isinstance(option, CreationOption) else option_id(option)
