"""The requirements for the golden campaign of a finished system."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from conformance.places import folder_of_tests, shown
from golden.runner import Command, commands, wrong_exits

CAMPAIGN = "campaign.txt"
WAYS = ("--random", "--template", "--from", "by steps")
AT_LEAST = {"check": 3, "fight": 2, "do": 3}
DECIDED = {"--seed", "--resume", "--replay"}
MOST_LINES = 1500
"""Lines of one campaign: no more than a person reads."""


def campaign_of(system_id: str) -> Path | None:
    """The place of a system's campaign, whether or not it exists; None for a system without a folder of tests."""
    folder = folder_of_tests(system_id)
    return None if folder is None else folder / "golden" / CAMPAIGN


def lacking(system_id: str) -> list[str]:
    """Everything that the campaign of a system lacks; nothing for a whole one."""
    file = campaign_of(system_id)
    if file is None:
        return [f"{system_id} has no {CAMPAIGN}, and no folder of tests for it (conformance/places.py says where)"]
    if not file.is_file():
        return [f"{system_id} has no {CAMPAIGN}; its place is {shown(file)}"]
    text = file.read_text(encoding="utf-8")
    try:
        return [*_unreadable(text), *wrong_exits(text), *_lacking(system_id, _succeeded(text))]
    except ValueError as error:
        return [str(error)]


def _unreadable(text: str) -> Iterator[str]:
    """The reasons why a person would not read a campaign."""
    lines = len(text.splitlines())
    if lines > MOST_LINES:
        yield f"{lines} lines, at most {MOST_LINES} are read"
    for command in commands(text)[0]:
        if not any(comment.strip("# ") for comment in command.before):
            yield f"no comment with a reason above: {command.line}"


def _succeeded(text: str) -> list[list[str]]:
    """The words of every command that does something: one that fails, even as declared, shows a refusal alone."""
    found: list[Command] = commands(text)[0]
    return [words for command in found if (words := command.words) and not command.status and not command.expected]


def _lacking(system_id: str, done: list[list[str]]) -> Iterator[str]:
    ways = {
        next((word for word in words if word in WAYS), WAYS[-1])
        for place, words in enumerate(done)
        if words[:2] == ["new", system_id] and _is_used(_output(words), done[place + 1 :])
    }
    for way in WAYS:
        if way not in ways:
            yield f"no character is made {way} and used later: tablewright new {system_id} ... -o FILE"
    for name, least in AT_LEAST.items():
        count = sum([words[0] == name for words in done])
        if count < least:
            yield f"{least} times tablewright {name}, not {count}"
    fights = [place for place, words in enumerate(done) if words[0] == "fight"]
    sheets = [place for place, words in enumerate(done) if words[0] == "sheet"]
    if fights and not any(place < fights[0] for place in sheets):
        yield "no sheet before the first fight"
    if fights and not any(place > fights[-1] for place in sheets):
        yield "no sheet after the last fight"
    for name in ("even", "hard"):
        if not any(words[:2] == ["fight", f"{system_id}:{name}"] for words in done):
            yield f"no fight {system_id}:{name}"
    for words in done:
        if words[0] == "fight" and not DECIDED & set(words):
            yield f"a fight without --seed comes out differently each time: {' '.join(words)}"


def _output(words: list[str]) -> str | None:
    """The file that a command writes by -o."""
    return next((after for word, after in pairwise(words) if word == "-o"), None)


def _is_used(file: str | None, later: list[list[str]]) -> bool:
    """Tell whether a later command names the file, alone or as in name=FILE."""
    return file is not None and any(word.rpartition("=")[2] == file for words in later for word in words)
