from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from each_case import each_case
from tablewright.errors import InvalidInputError, ProblemListError, TablewrightError
from tablewright.game.character import character as module
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import (
    Character,
    Frozen,
    FrozenModel,
    Ranks,
    character_text,
    freeze,
    read_character,
    system_of_file,
    write_character,
)
from tablewright.game.files.documents import Format, parse_document


class Folk(Enum):
    TALL = "tall"
    SMALL = "small"


class Scar(FrozenModel):
    where: str
    depth: int = Field(default=1, ge=1, le=3)


@dataclass(frozen=True, slots=True)
class Home:
    town: str
    street: str = ""


class Pet(BaseModel):
    """A record that drops what it does not know."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    name: str


class Coiner(Character):
    system: Literal["coinfolk"] = "coinfolk"
    rules: str = "1.10"
    folk: Folk = Folk.TALL
    luck: int = Field(default=1, ge=0, le=6)
    skills: Ranks = Ranks()
    scars: tuple[Scar, ...] = ()
    home: Home | None = None
    homes: Frozen[tuple[Home, ...]] = Frozen()
    pet: Pet | None = None

    @classmethod
    def upgraded(cls, written: dict[str, Any], rules: str) -> dict[str, Any]:
        if rules == "0.1":
            raise InvalidInputError("luck was rolled with other coins then")
        if "fortune" in written:
            written["luck"] = written.pop("fortune")
        return written


ANN = """\
system: coinfolk
rules: "1.10"
name: Ann
folk: small
luck: 3
skills: {climb: 4, brew: 2}
scars:
  - where: chin
    depth: 2
belongings:
  - {item: rope, count: 2, place: pack}
  - item: wand
    left: 3
notes: |
  Born at sea.
  Fears rain.
"""

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=6,
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
characters = st.builds(
    Coiner,
    name=texts.filter(bool),
    notes=texts,
    folk=st.sampled_from(Folk),
    luck=st.integers(0, 6),
    skills=st.builds(Frozen, st.dictionaries(texts, st.integers(), max_size=4)),
    scars=st.lists(st.builds(Scar, where=texts, depth=st.integers(1, 3), smell=json_values), max_size=2).map(tuple),
    home=st.none() | st.builds(Home, texts, texts),
    belongings=st.lists(
        st.builds(
            ItemStack,
            texts.filter(bool),
            st.integers(1, 99),
            texts.filter(bool),
            st.none() | st.integers(0, 9),
            st.builds(freeze, st.dictionaries(st.sampled_from(["colour", "smell"]), json_values)),
        ),
        max_size=3,
    ).map(tuple),
    hat=json_values,
)


def ann() -> Coiner:
    return read_character(ANN, Coiner).character


def test_a_file_becomes_a_value() -> None:
    loaded = read_character(ANN, Coiner)
    assert loaded.messages == ()
    assert loaded.character == Coiner(
        name="Ann",
        folk=Folk.SMALL,
        luck=3,
        skills=Ranks({"climb": 4, "brew": 2}),
        scars=(Scar(where="chin", depth=2),),
        belongings=(ItemStack("rope", 2), ItemStack("wand", left=3)),
        notes="Born at sea.\nFears rain.\n",
    )
    assert list(loaded.character.to_json()) == [
        "system", "rules", "kind", "name", "folk", "luck", "skills", "scars", "home", "homes", "pet",
        "belongings", "notes",
    ]  # fmt: skip


@given(characters, st.sampled_from(["yaml", "json"]))
def test_text_round_trips_exactly(character: Coiner, kind: Format) -> None:
    written = character_text(character, kind)
    document = parse_document(written, "x", kind)
    loaded = read_character(document, Coiner)
    assert loaded.character == character
    assert loaded.character.model_dump() == character.model_dump()
    assert hash(loaded.character) == hash(character)
    assert character_text(loaded.character, kind) == written
    assert document.value == character.to_json() == json.loads(json.dumps(character.to_json()))
    assert any("hat: unknown field, kept as it is" in message for message in loaded.messages)


@given(characters)
def test_copies_are_equal_and_changes_are_not(character: Coiner) -> None:
    twin = copy.deepcopy(character)
    assert twin == character
    assert {twin, character, pickle.loads(pickle.dumps(character))} == {character}
    other = character.changed(luck=(character.luck + 1) % 7)
    assert other != character
    assert other.unknown == character.unknown
    assert character.model_copy(update={"luck": other.luck}) == other
    assert copy.copy(character) == character


def test_characters_are_different_by_value_and_type() -> None:
    class Other(Coiner):
        pass

    assert ann() != Other(**dict(ann()))
    assert ann() != "Ann"
    assert Coiner(name="a", mark=True) != Coiner(name="a", mark=1)  # type: ignore[call-arg]


def test_the_digest_is_the_same_in_every_process() -> None:
    program = (
        "from tablewright.game.character.character import *\n"
        "class Coiner(Character):\n"
        '    system: str = "coinfolk"\n'
        '    rules: str = "1"\n'
        "    skills: Ranks = Ranks()\n"
        'one = Coiner(name="Ann", skills=Ranks({"b": 1, "a": 2}))\n'
        "print(one.digest.hex(), hash(one))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_nothing_in_a_character_can_change() -> None:
    class Listed(Coiner):
        pets: list[str] = []

    with pytest.raises(TablewrightError, match=r"Listed\.pets is a list; use a tuple or Frozen"):
        Listed(name="Ann", pets=["cat"])
    character = read_character(ANN + "hat: {colour: [red]}\n", Coiner).character
    for name in ("luck", "hat"):
        with pytest.raises(ValueError, match="frozen"):
            setattr(character, name, 2)
    hash(character.unknown)


def test_a_change_is_checked() -> None:
    assert ann().changed(luck=6).luck == 6
    with pytest.raises(ProblemListError, match=r"^Coiner: luck: 7 is not allowed, allowed is 6 or less$"):
        ann().changed(luck=7)
    with pytest.raises(InvalidInputError, match=r'^Coiner: luk: unknown field; did you mean "luck"\?$'):
        ann().changed(luk=7)


def test_unknown_fields_survive_and_are_reported_wherever_they_are() -> None:
    written = (
        ANN.replace("depth: 2", "depth: 2\n    healed: {by: Bo}")
        .replace("left: 3", "left: 3\n    runes: [x, y]")
        .replace("folk: small", "folk: small\nhat: red")
    )
    loaded = read_character(written, Coiner)
    assert loaded.messages == (
        "text:5: hat: unknown field, kept as it is",
        "text:11: scars[0].healed: unknown field, kept as it is",
        "text:16: belongings[1].runes: unknown field, kept as it is",
    )
    kept = loaded.character.changed(luck=0).to_json()
    assert kept["hat"] == "red"
    assert kept["scars"][0]["healed"] == {"by": "Bo"}
    assert kept["belongings"][1] == {"item": "wand", "count": 1, "place": "pack", "left": 3, "runes": ["x", "y"]}


def test_a_field_that_would_be_lost_is_refused() -> None:
    with pytest.raises(ProblemListError, match=r'^text:19: home\.stret: unknown field; did you mean "street"\?$'):
        read_character(ANN + "home:\n  town: Ys\n  stret: Main\n", Coiner)
    with pytest.raises(ProblemListError, match=r'^text:3: pet\.nme: unknown field; did you mean "name"\?$'):
        read_character("name: Ann\npet: {name: Rex,\n  nme: Tom}\n", Coiner)
    with pytest.raises(ProblemListError) as refusal:
        read_character("name: Ann\nluck: 9\nhomes:\n  old:\n    - {twon: Ys, town: Ys}\n", Coiner)
    assert refusal.value.problems == (
        "text:2: luck: 9 is not allowed, allowed is 6 or less",
        'text:5: homes.old[0].twon: unknown field; did you mean "town"?',
    )


def test_everything_wrong_comes_at_once_with_its_line() -> None:
    written = (
        ANN.replace("luck: 3", "luck: 9")
        .replace("small", "smal")
        .replace("climb: 4", "climb: four")
        .replace("depth: 2", "depth: true")
        .replace("name: Ann", "nam: Ann")
        .replace("count: 2", "count: 0")
        .replace("left: 3", "left: [3]")
    )
    with pytest.raises(ProblemListError) as refusal:
        read_character(written, Coiner)
    assert sorted(refusal.value.problems, key=lambda problem: int(problem.split(":")[1])) == [
        "text:1: name: missing",
        'text:4: folk: "smal" is not allowed, allowed is tall or small; did you mean "small"?',
        "text:5: luck: 9 is not allowed, allowed is 6 or less",
        'text:6: skills.climb: "four" is not a whole number',
        "text:9: scars[0].depth: true is not a whole number",
        "text:11: belongings[0].count: 0 is not allowed, allowed is 1 or more",
        "text:13: belongings[1].left: a list is not a whole number",
    ]


@each_case(
    ("written", "problem"),
    [
        ("", "text: a character is a mapping of fields, not nothing"),
        ("- 1", "text: a character is a mapping of fields, not a list"),
        ("{}", "text:1: name: missing"),
        ("system: elsewhere\nname: Ann", 'text:1: system: "elsewhere" is not allowed, allowed is "coinfolk"'),
        ("name: ''", 'text:1: name: "" is not allowed, allowed is 1 characters or more'),
        ("name: [Ann]", "text:1: name: a list is not text"),
        ("name: Ann\nrules: 1.0", "text:2: rules: 1.0 is not text"),
        ("name: Ann\nbelongings: rope", 'text:2: belongings: "rope" is not a list'),
        ("name: Ann\nbelongings: [rope]", 'text:2: belongings[0]: "rope" is not a mapping'),
        ("name: Ann\nskills: [climb]", "text:2: skills: a list is not a mapping"),
        ("name: Ann\nnotes: &a x\nhat: *a", "text:2: anchors (&a) are not allowed"),
        ('{"name": "Ann",\n "luck": 1.0}', "text:2: luck: 1.0 is not a whole number"),
        (
            "name: " + "x" * 300,
            'text:1: name: "' + "x" * 57 + '..." is not allowed, allowed is 200 characters or fewer',
        ),
        (
            "name: Ann\nbelongings:" + "\n- {item: x}" * 1001,
            "text:2: belongings: a list is not allowed, allowed is 1000",
        ),
    ],
)
def test_wrong_files(written: str, problem: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        read_character(written, Coiner)
    assert str(refusal.value).splitlines()[0].startswith(problem)


def test_too_large_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ann.yaml"
    path.write_text(ANN + "#" * module.MOST_BYTES)
    with pytest.raises(InvalidInputError, match="larger than"):
        read_character(path, Coiner)
    with pytest.raises(InvalidInputError, match="larger than"):
        write_character(tmp_path / "b.json", Coiner(name="Ann", hat="x" * module.MOST_BYTES))  # type: ignore[call-arg]


def test_older_rules_are_brought_up_to_date_and_said() -> None:
    loaded = read_character('rules: "1.9"\nname: Ann\nfortune: 5\nhat: red\n', Coiner)
    assert loaded.character.luck == 5
    assert loaded.character.rules == "1.10"
    assert loaded.messages == (
        "text: written by rules 1.9, opened with rules 1.10",
        "text:4: hat: unknown field, kept as it is",
    )
    with pytest.raises(
        InvalidInputError, match=r"written by rules 0\.1, cannot be opened with rules 1\.10: luck was rolled"
    ):
        read_character("rules: '0.1'\nname: Ann\n", Coiner)


def test_newer_rules_open_as_far_as_they_are_understood() -> None:
    loaded = read_character('rules: "2.0"\nname: Ann\naura: {blue: 1}\n', Coiner)
    assert loaded.character.rules == "2.0"  # saved again it still says who wrote it
    assert loaded.messages[0] == "text: written by newer rules 2.0; these are 1.10, please check it"
    assert loaded.character.to_json()["aura"] == {"blue": 1}
    with pytest.raises(ProblemListError) as refusal:
        read_character('rules: "2.0"\nname: Ann\nluck: blue\n', Coiner)
    assert refusal.value.problems == (
        "text: written by newer rules 2.0; these are 1.10, please check it",
        'text:3: luck: "blue" is not a whole number',
    )


def test_rules_without_numbers_count_as_older() -> None:
    assert read_character("rules: draft\nname: Ann\n", Coiner).character.rules == "1.10"


def test_plain_data() -> None:
    assert read_character(ann().to_json(), Coiner).character == ann()
    assert read_character({"name": "Ann", "skills": Ranks({"climb": 1})}, Coiner).character.skills == {"climb": 1}
    with pytest.raises(ProblemListError, match=r"^data: luck: 9 is not allowed"):
        read_character({"name": "Ann", "luck": 9}, Coiner)
    with pytest.raises(InvalidInputError, match="this is not plain data"):
        read_character({"name": object()}, Coiner)


@pytest.mark.parametrize("name", ["ann.yaml", "ann.yml", "ann.json"])
def test_files_round_trip(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_character(path, ann())
    assert read_character(path, Coiner).character == ann()
    assert system_of_file(path) == "coinfolk"
    first = path.read_bytes()
    write_character(path, ann())
    assert path.read_bytes() == first
    write_character(path, ann().changed(luck=0))
    assert read_character(path, Coiner).character.luck == 0
    assert [left.name for left in tmp_path.iterdir()] == [name]


def test_only_a_character_is_replaced(tmp_path: Path) -> None:
    for name, content in [("a.yaml", "shopping: milk\n"), ("b.json", "{"), ("c.yaml", "")]:
        path = tmp_path / name
        path.write_text(content)
        with pytest.raises(InvalidInputError, match="is there already and is not a character; it is not replaced"):
            write_character(path, ann())
        assert path.read_text() == content
        write_character(path, ann(), force=True)
        assert read_character(path, Coiner).character == ann()
    with pytest.raises(InvalidInputError, match=r"ends in \.yaml, \.yml or \.json"):
        write_character(tmp_path / "d.txt", ann())
    with pytest.raises(InvalidInputError, match="cannot be written"):
        write_character(tmp_path / "nowhere" / "e.yaml", ann())


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ann.yaml"
    write_character(path, ann())

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InvalidInputError, match="cannot be written: No space left on device"):
        write_character(path, ann().changed(luck=0))
    assert read_character(path, Coiner).character == ann()
    assert [left.name for left in tmp_path.iterdir()] == ["ann.yaml"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text(ANN)
    link = tmp_path / "link.yaml"
    link.symlink_to(tmp_path / "real.yaml")
    write_character(link, ann().changed(luck=0))
    assert link.is_symlink()
    assert read_character(tmp_path / "real.yaml", Coiner).character.luck == 0


def test_a_file_that_is_no_character_says_so() -> None:
    for text in ("name: Ann", "- 1", "system: [1]"):
        with pytest.raises(InvalidInputError, match="not a character"):
            system_of_file(text)
