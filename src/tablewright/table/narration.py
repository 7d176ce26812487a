"""Entries of a campaign: its feed items in sentences, made when they are asked for and never stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from tablewright.game.narration.draft import LineSeen
from tablewright.game.narration.entries import people_in, tell
from tablewright.game.narration.entry import DiceThrow, Entry, Face, Sentence
from tablewright.game.narration.phrases import dice_words, sentence, title_case
from tablewright.game.narration.voice import Voice
from tablewright.game.narration.voices import sayings_of, voice_for, words_of
from tablewright.game.system.registry import load_system
from tablewright.table.campaign import Seat
from tablewright.table.loaded_campaign import LoadedCampaign

LOOKED_BACK = 120
"""Number of earlier feed items in which the start of an action is looked for."""

_TOLD_BY_TEXT = ("table", "proposed")
Item = Mapping[str, Any]


def entries_of(sitting: LoadedCampaign, seat: Seat, items: Sequence[Item], after: int = 0) -> list[dict[str, Any]]:
    """Entries as JSON of a seat's feed items that hold a line after a number."""
    found: list[Entry] = []
    told = [item for before, item in zip([None, *items], items, strict=False) if not _follows(before, item)]
    for scene, group in groupby(told, key=_scene_of):
        row = list(group)
        found += _of_scene(sitting, seat, row, scene) if scene else _of_table(row)
    return [entry.to_json() for entry in found if entry.lines[1] > after]


def _follows(before: Item | None, item: Item) -> bool:
    """True if a ruling only brings into the scene who plays a character, which the item before it has told."""
    said, ruled = (before or {}).get("fact"), item.get("fact")
    if not isinstance(said, dict) or not isinstance(ruled, dict):
        return False
    return said.get("event") == "CharacterHanded" and ruled.get("event") == "Ruled" and said["who"] == ruled.get("who")


def _scene_of(item: Item) -> str:
    return str(item.get("scene", "")) if item["kind"] not in _TOLD_BY_TEXT else ""


def _of_table(items: Iterable[Item]) -> Iterator[Entry]:
    """Entries of what happens to the campaign itself."""
    for item in items:
        text = str(item.get("text", ""))
        if item.get("fact", {}).get("event") != "Said":  # people's own words stay as they are
            text = sentence(text)
        if text:
            yield Entry("talk", (item["number"], item["number"]), "", Sentence((text,)), _dice(item.get("fact", {})))


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
