"""Entries of a campaign: its feed items in sentences, made when they are asked for and never stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from tablewright.game.narration.draft import LineSeen
from tablewright.game.narration.entries import people_in, tell
from tablewright.game.narration.entry import DiceThrow, Entry, Face, Sentence, joined
from tablewright.game.narration.phrases import and_list, dice_words, sentence, title_case
from tablewright.game.narration.voice import Voice
from tablewright.game.narration.voices import sayings_of, voice_for, words_of
from tablewright.game.scene.scene import capitalised
from tablewright.game.system.registry import load_system
from tablewright.table.campaign import Seat
from tablewright.table.loaded_campaign import LoadedCampaign

LOOKED_BACK = 120
"""Number of earlier feed items in which the start of an action is looked for."""

_PROPOSED = "proposed"
"""Kind of feed items that wait for the game master's word."""

_PART = " is part of the campaign"
FIRST_SCENE = "scene-1"
"""Id of the first scene of a campaign."""

_LEADING = re.compile(r"^([^:\n]+: )?(?:#{1,6}|>) +")
"""Marks at the start of a line of Markdown, perhaps after the name of its writer."""

_AROUND = re.compile(r"(\*\*|\*|`)(?=\S)(.+?)(?<=\S)\1")
"""Marks around words: bold, italic and code."""

Item = Mapping[str, Any]


def entries_of(sitting: LoadedCampaign, seat: Seat, items: Sequence[Item], after: int = 0) -> list[dict[str, Any]]:
    """Entries as JSON of a seat's feed items that hold a line after a number."""
    found: list[Entry] = []
    told = [item for before, item in zip([None, *items], items, strict=False) if not _follows(before, item)]
    for (scene, waits), group in groupby(told, key=_scene_of):
        row = list(group)
        if waits:
            found += _of_proposal(_of_scene(sitting, seat, _as_one_act(row), scene))
        else:
            found += _of_scene(sitting, seat, row, scene) if scene else _of_table(row, sitting.campaign.title)
    following = [*found, None][1:]
    kept = [entry for entry, then in zip(found, following, strict=True) if not _is_proposed_in(then, entry)]
    return [entry.to_json() for entry in kept if entry.lines[1] > after]


def _is_proposed_in(then: Entry | None, entry: Entry) -> bool:
    """True if an action under way is told in full by the proposal after it."""
    return (
        then is not None and then.kind == _PROPOSED and entry.kind == "action" and str(entry.headline).endswith("...")
    )


def _follows(before: Item | None, item: Item) -> bool:
    """True if a ruling only brings into the scene who plays a character, which the item before it has told."""
    said, ruled = (before or {}).get("fact"), item.get("fact")
    if not isinstance(said, dict) or not isinstance(ruled, dict):
        return False
    return said.get("event") == "CharacterHanded" and ruled.get("event") == "Ruled" and said["who"] == ruled.get("who")


def _scene_of(item: Item) -> tuple[str, bool]:
    """Scene of an item, or empty for an item of the campaign itself; and whether the item is only proposed."""
    return str(item.get("scene", "")) if item["kind"] != "table" else "", item["kind"] == _PROPOSED


def _as_one_act(items: Sequence[Item]) -> list[Item]:
    """Items of one proposal, which are told together."""
    return [dict(item) | {"act": "same" if place else "new"} for place, item in enumerate(items)]


def _of_proposal(entries: Sequence[Entry]) -> Iterator[Entry]:
    """One entry for everything that is proposed at once; whose turn would come next is not part of it."""
    entries = [entry for entry in entries if entry.kind not in ("turn", "round")]
    if entries:
        dice = tuple([throw for entry in entries for throw in entry.dice])
        after = tuple([one for entry in entries for one in entry.after])
        told = joined([entry.headline for entry in entries])
        lines = entries[0].lines[0], entries[-1].lines[1]
        yield entries[0]._replace(kind=_PROPOSED, lines=lines, headline=told, dice=dice, after=after)


def _of_table(items: Iterable[Item], title: str) -> Iterator[Entry]:
    """Entries of what happens to the campaign itself; characters that are added one after the other share one.

    The first scene of a campaign with the same title begins with it: that is told once.
    """
    for event, group in groupby(items, key=lambda item: str(item.get("fact", {}).get("event", ""))):
        row = list(group)
        if event == "CharacterAdded" and len(row) > 1:
            yield _of_party(row)
        else:
            facts = [item.get("fact", {}) for item in row]
            again = [
                event == "SceneBegan" and fact.get("title") == title and fact.get("scene") == FIRST_SCENE
                for fact in facts
            ]
            yield from _one_by_one([item for item, is_told in zip(row, again, strict=True) if not is_told])


def _of_party(items: Sequence[Item]) -> Entry:
    """One entry for several characters that are added."""
    names = [str(item.get("text", "")).removesuffix(_PART) for item in items]
    text = sentence(f"{and_list(map(capitalised, names))}{_PART.replace(' is ', ' are ')}")
    return Entry("talk", (items[0]["number"], items[-1]["number"]), "", Sentence((text,)))


def _one_by_one(items: Iterable[Item]) -> Iterator[Entry]:
    for item in items:
        text, event = str(item.get("text", "")), item.get("fact", {}).get("event")
        if event == "NoteWritten":
            text = _without_marks(text)
        elif event == "CharacterAdded" and text.endswith(_PART):
            text = sentence(capitalised(text.removesuffix(_PART)) + _PART)
        elif event != "Said":  # people's own words stay as they are
            text = sentence(text)
        if text:
            yield Entry("talk", (item["number"], item["number"]), "", Sentence((text,)), _dice(item.get("fact", {})))


def _without_marks(text: str) -> str:
    """The words of a note in Markdown as plain lines, for a log that shows no headings.

    >>> _without_marks("Gwen: # A *red* **ribbon**\\n\\n> Never_ever at night.")
    'Gwen: A red ribbon\\nNever_ever at night.'
    """
    lines = [_LEADING.sub(r"\1", line).rstrip() for line in text.splitlines()]
    return "\n".join([_AROUND.sub(r"\2", line) for line in lines if line])


def _dice(fact: Any) -> tuple[DiceThrow, ...]:
    """Dice thrown beside the game."""
    if not isinstance(fact, dict) or fact.get("event") != "Thrown" or "faces" not in fact:
        return ()
    faces, total = tuple([Face(value) for value in fact["faces"]]), fact.get("outcome")
    dice = dice_words(str(fact.get("dice", "")))
    return (DiceThrow(dice, faces, total if isinstance(total, int) else None, dice=dice),)


def _of_scene(sitting: LoadedCampaign, seat: Seat, items: Sequence[Item], scene: str) -> list[Entry]:
    campaign = sitting.campaign
    book = load_system(campaign.system).rulebook
    lines: list[LineSeen] = []
    act = 0
    for item in items:
        fact = item.get("fact")
        act += item.get("act") == "new"
        if isinstance(fact, dict) and "asked" not in fact:
            number = act if "act" in item else 0
            people = people_in(str(fact.get("event", "")), book)
            text = str(item.get("text", ""))
            lines.append(LineSeen(item["number"], number, fact, text, item.get("about", {}), people))
    names = _names(sitting, items, lines)
    is_open = sitting.has_scene and campaign.play.scene is not None and campaign.play.scene.id == scene
    sayings = sayings_of(campaign.system)
    if is_open:
        voice = voice_for(sitting.session.scene, book, seat.viewer, names)
    else:
        voice = Voice(names=names, words=words_of(campaign.system), span=book.calendar.show)
    return tell(lines, voice, sayings, scene)


def _names(sitting: LoadedCampaign, items: Iterable[Item], lines: Iterable[LineSeen]) -> dict[str, str]:
    """Display names of the participants in some items; older items do not have them, and the campaign may know."""
    names: dict[str, str] = {}
    for item in items:
        names |= item.get("names", {})
    heroes = sitting.campaign.play.characters
    for line in lines:
        for field in line.people:
            who = line.fact.get(field)
            if isinstance(who, str) and who not in names:
                names[who] = heroes[who].name if who in heroes else title_case(who)
    return names
