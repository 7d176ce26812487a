"""What the golden campaign of a finished system must contain, and what of it is lacking."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from conformance.places import folder_of_tests, shown
from golden.runner import commands

CAMPAIGN = "campaign.txt"
WAYS = ("--random", "--template", "--from", "by steps")
AT_LEAST = {"check": 3, "fight": 2, "do": 3}
DECIDED = {"--seed", "--resume", "--replay"}


def campaign_of(system_id: str) -> Path | None:
    """Where the campaign of a system stands, or would; None for a system without a folder of tests."""
    folder = folder_of_tests(system_id)
    return None if folder is None else folder / "golden" / CAMPAIGN


def lacking(system_id: str) -> list[str]:
    """Everything that the campaign of a system lacks; nothing for a whole one."""
    file = campaign_of(system_id)
    if file is None:
        return [f"{system_id} has no {CAMPAIGN}, and no folder of tests for it (conformance/places.py says where)"]
    if not file.is_file():
        return [f"{system_id} has no {CAMPAIGN}; its place is {shown(file)}"]
    try:
        asked = [command.words for command in commands(file.read_text(encoding="utf-8"))[0]]
    except ValueError as error:
        return [str(error)]
    return list(_lacking(system_id, [words for words in asked if words]))


def _lacking(system_id: str, asked: list[list[str]]) -> Iterator[str]:
    made = [words for words in asked if words[0] == "new" and "-o" in words]
    ways = {next((word for word in words if word in WAYS), WAYS[-1]) for words in made}
    for way in WAYS:
        if way not in ways:
            yield f"no character is made {way} and kept: tablewright new {system_id} ... -o FILE"
    for name, least in AT_LEAST.items():
        count = sum([words[0] == name for words in asked])
        if count < least:
            yield f"{least} times tablewright {name}, not {count}"
    fights = [place for place, words in enumerate(asked) if words[0] == "fight"]
    sheets = [place for place, words in enumerate(asked) if words[0] == "sheet"]
    if fights and not any(place < fights[0] for place in sheets):
        yield "no sheet before the first fight"
    if fights and not any(place > fights[-1] for place in sheets):
        yield "no sheet after the last fight"
    for name in ("even", "hard"):
        if not any(words[:2] == ["fight", f"{system_id}:{name}"] for words in asked):
            yield f"no fight {system_id}:{name}"
    for words in asked:
        if words[0] == "fight" and not DECIDED & set(words):
            yield f"a fight without --seed comes out differently each time: {' '.join(words)}"
