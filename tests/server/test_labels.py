"""Words of creation and advancement in all five games: every option has a name for people, none is made of an id."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from conformance.places import at_length
from server.serving import Person, Served
from server.test_creation import asked
from server.test_growth import growth, spending
from systems.playing import starter

GAMES = ("marchen", "mars", "opend6", "renaissance", "stage")
MOST_STEPS = 400
WAYS = 3 if at_length() else 1
RAW = re.compile(r"[a-z0-9]_[a-z0-9]|\b[a-z]+[.:][a-z]")
"""Marks of an id: an underscore, and a point or colon without a blank behind it."""


def names_of(system: str) -> Mapping[str, set[str]]:
    """Names of the content entries of a game by id."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    library = starter(system)
    for kind, _ in library.kinds:
        for entry in library.of(kind):
            if entry.name:
                found[entry.id].add(entry.name)
    return found


def made_of_ids(id_: str, text: str, names: Mapping[str, set[str]]) -> bool:
    """True if the label of an option shows an id instead of the name that belongs to it."""
    if RAW.search(text) or not text.strip():
        return True
    parts = [part for part in re.split(r"[:+]", id_) if part]
    named = [part for part in parts if part in names]
    of_their_own = [part for part in parts[1:] if part not in named and not part.isdigit()]
    shown = [name for part in named for name in names[part]] + [words(part) for part in of_their_own]
    if named and not any(name.casefold() in text.casefold() for name in shown):
        return True
    return any(re.match(rf"{re.escape(words(part))}\b", text) for part in parts if re.fullmatch(r"[a-z_.]+", part))


def words(part: str) -> str:
    """The words of an id, or of a field or subject that stands in one."""
    return part.replace("_", " ")


def says_an_id(reason: str, names: Mapping[str, set[str]]) -> bool:
    """True if a reason has the words of an id of several words where the name is written otherwise."""
    several = [id_ for id_ in names if "_" in id_ and re.search(rf"\b{id_.replace('_', ' ')}\b", reason)]
    return bool(RAW.search(reason)) or any(not any(name in reason for name in names[id_]) for id_ in several)


def told_badly(found: dict[str, Any], names: Mapping[str, set[str]], known: set[str]) -> Iterator[str]:
    """Options of a question of creation whose label, note or reason is made of ids; known texts are left out."""
    for one in (*found.get("options", ()), *found.get("closed", ())):
        if is_new(f"{one['id']} {one['label']}", known) and made_of_ids(one["id"], one["label"], names):
            yield f'{found["question"]} {one["id"]}: "{one["label"]}"'
        for what in ("note", "reason"):
            if is_new(one.get(what, ""), known) and says_an_id(one[what], names):
                yield f'{found["question"]} {one["id"]}: {what} "{one[what]}"'
    for one in found.get("figures", ()):
        is_id = one["value"] in names and one["value"] not in names[one["value"]]
        if is_id or RAW.search(f"{one['group']} {one['name']} {one['value']}"):
            yield f"figure {one}"


def is_new(text: str, known: set[str]) -> bool:
    """True if a text is not known yet; it is from then on."""
    is_known = text in known
    known.add(text)
    return not is_known


def test_the_check_finds_what_is_made_of_ids() -> None:
    names = {"sneak": {"Sneak"}, "ash_elf": {"Ash Elf"}, "arts": {"Fine Arts"}}
    wrong = [("skill:sneak", "sneak to 4D"), ("sneak", "guile.sneak"), ("arts+5", "Arts +5"), ("agility", "agility +1")]
    assert all(made_of_ids(id_, label, names) for id_, label in wrong)
    right = [("skill:sneak", "Sneak to 4D"), ("arts+5", "Fine Arts +5"), ("ash_elf", "Ash Elf"), ("agility", "Agility")]
    assert not any(made_of_ids(id_, label, names) for id_, label in right)
    assert says_an_id("is for ash elf", names)
    assert not says_an_id("is for Ash Elf", names)


@pytest.mark.parametrize("system", GAMES)
def test_every_option_of_creation_has_a_name(system: str) -> None:
    names, known = names_of(system), {""}
    wrong: set[str] = set()
    questions: set[str] = set()
    for way in range(WAYS):
        answers: list[Any] = []
        for number in range(MOST_STEPS):
            found = asked(system, answers, seed=way)
            if found["done"]:
                break
            questions.add(found["question"])
            wrong |= {*told_badly(found, names, known)}
            ids = [one["id"] for one in found["options"]]
            answers.append("done" if "done" in ids and number > 25 else ids[(7 * number + 3 * way) % len(ids)])
        else:
            raise AssertionError("it does not end")
    assert len(questions) > 5
    assert sorted(wrong) == []


@pytest.mark.parametrize("system", GAMES)
def test_every_purchase_of_advancement_has_a_name(served: Served, system: str) -> None:
    names = names_of(system)
    _, anna, _ = spending(served, system)
    question = anna.view()["question"]
    found = growth(anna)
    wrong = [f'{id_}: "{label}"' for id_, label in found["closed"].items() if made_of_ids(id_, label, names)]
    wrong += [f"{shut['id']}: {shut['reason']}" for shut in question["closed"] if says_an_id(shut["reason"], names)]
    for one in found["figures"]:
        if RAW.search(f"{one['group']} {one['name']} {one['value']}"):
            wrong.append(f"figure {one}")
    assert {one["id"].partition(":")[0] for one in question["options"]} > {question["default"]}
    wrong += [
        f'{one["id"]}: "{one["label"]}"' for one in question["options"] if made_of_ids(one["id"], one["label"], names)
    ]
    wrong += further_questions(anna, names)
    assert wrong == []


def further_questions(anna: Person, names: Mapping[str, set[str]]) -> list[str]:
    """Options made of ids in the questions that follow purchases, one purchase of each kind that asks for more."""
    wrong: list[str] = []
    tried: set[str] = set()
    for _ in range(MOST_STEPS):
        question = anna.view()["question"]
        if question is None or question.get("kind") != "choice":
            return wrong  # dice, or a question to the game master
        ids = [one["id"] for one in question["options"]]
        if "budget" not in question["about"]:
            labels = {one["id"]: one["label"] for one in question["options"]}
            wrong += [f'{id_}: "{label}"' for id_, label in labels.items() if made_of_ids(id_, label, names)]
        else:
            ids = [id_ for id_ in ids if id_.partition(":")[0] not in tried]
            if ids == [question["default"]] or not ids:
                return wrong
            tried.add(ids[0].partition(":")[0])
        anna.done("answer", question=question["id"], option=ids[0])
    raise AssertionError("it does not end")
