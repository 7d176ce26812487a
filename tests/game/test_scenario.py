"""Scenarios: words and files by one loader, every mistake with its place, and nothing of a system inside."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.ground.bands import HERE, Together, spot
from tablewright.game.ground.facts import ANYONE
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import cell
from tablewright.game.scenario.loader import find_scenario, load_scenario, read_scenario, scenario_names
from tablewright.game.values import Frozen

SYSTEM = """
from dataclasses import dataclass
from typing import Literal
from tablewright.game.rules.options import RuleOptions, rule_option
from tablewright.game.system.system import System

@dataclass(frozen=True, kw_only=True)
class GroatOptions(RuleOptions):
    tie: Literal["reroll", "defender"] = rule_option("reroll", rule="groat.tie", description="who wins a tie")
    purse: int = rule_option(3, rule="groat.purse", description="coins at the start", low=0, high=10)

system = System(id="groat", title="Groat", summary="Pennies.", version="1", package=__name__, options=GroatOptions,
                rulebook_module="groat_rules.book")
"""
BOOK = """
from types import SimpleNamespace
from pydantic import Field
from tablewright.game.content.entries import ContentEntry

class Item(ContentEntry):
    pass

class Creature(ContentEntry):
    grit: int = Field(ge=1)

rulebook = SimpleNamespace(kinds={"items": Item, "creatures": Creature}, character_kinds=("creatures",))
"""
PACK = """
pack: {id: starter, title: Starter, version: "1", origin: house}
system: groat
items: [{id: rope, name: Rope}]
creatures:
  - {id: bandit, name: Bandit, grit: 2}
  - {id: wolf, name: Wolf, grit: 3}
"""
EVEN = """\
title: The toll bridge
about: Two against three.
system: groat
options: {tie: defender}
ground:
  kind: grid
  size: [12, 8]
  blocked: ["5,0..5,2"]
sides: [party, bandits]
participants:
  - {character: party/anna.yaml, side: party, seat: Anna's player, position: "1,2"}
  - character: {name: Bert, grit: 4}
    side: party
    position: 1,3
    policy: best
  - {character: bandit, side: bandits, count: 3, position: ["9,2", "9,3", "9,4"], policy: careful}
  - {character: wolf, id: greyback, name: Greyback, side: bandits, position: "10,4", hidden: true}
surprise: [party]
facts:
  - {what: cover, who: bandits, against: anna, value: half}
  - {what: light, who: "*", value: 2}
start: {ambush: true, signs: [a, {b: 1}]}
rounds: 30
ends: first_fall
"""


@pytest.fixture(scope="module", autouse=True)
def groat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A system with content and scenarios, installed like any third party's."""
    folder = tmp_path_factory.mktemp("site")
    package = folder / "groat_rules"
    for inside in ("data/pack", "data/demo/party"):
        (package / inside).mkdir(parents=True)
    (package / "__init__.py").write_text(SYSTEM)
    (package / "book.py").write_text(BOOK)
    (package / "data/pack/pack.yaml").write_text(PACK)
    (package / "data/demo/even.yaml").write_text(EVEN)
    (package / "data/demo/together.yaml").write_text("like: even\ntitle: All together\nground: together\n")
    (package / "data/demo/party/anna.yaml").write_text("name: Anna\ngrit: 5\n")
    info = folder / "groat_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: groat_rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tablewright.systems]\ngroat = groat_rules:system\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield package / "data/demo"
        for name in ("groat_rules", "groat_rules.book"):
            sys.modules.pop(name, None)


def problems_with(text: str) -> list[str]:
    with pytest.raises(InvalidInputError) as refusal:
        read_scenario(text)
    return str(refusal.value).splitlines()


def test_a_scenario_by_its_word() -> None:
    scenario = load_scenario("groat:even")
    assert (scenario.title, scenario.system, scenario.rounds, scenario.ends) == (
        "The toll bridge",
        "groat",
        30,
        "first_fall",
    )
    assert scenario.options.changed() == {"tie": "defender"}
    assert scenario.ground == Grid(size=(12, 8), blocked=(cell(5, 0), cell(5, 1), cell(5, 2)))
    assert scenario.sides == ("party", "bandits")
    assert [(entrant.id, entrant.name) for entrant in scenario.entrants] == [
        ("anna", "Anna"),
        ("bert", "Bert"),
        ("bandit-1", "Bandit 1"),
        ("bandit-2", "Bandit 2"),
        ("bandit-3", "Bandit 3"),
        ("greyback", "Greyback"),
    ]
    anna, bert, *_, greyback = scenario.entrants
    assert anna.character == Frozen({"name": "Anna", "grit": 5})
    assert anna.seat == "Anna's player"
    assert bert.character == Frozen({"name": "Bert", "grit": 4})
    assert (bert.position, bert.policy) == (cell(1, 3), "best")
    assert (greyback.character, greyback.hidden, greyback.position) == ("wolf", True, cell(10, 4))
    assert scenario["bandit-2"].position == cell(9, 3)
    assert scenario.surprised == ("anna", "bert")
    assert scenario.facts.get("cover", "bandit-3", "anna") == "half"
    assert scenario.facts.get("cover", "anna", "bandit-3") is None
    assert scenario.facts.get("light", "anna") == 2
    assert scenario.start == Frozen({"ambush": True, "signs": ("a", Frozen({"b": 1}))})
    assert scenario.library is not None
    assert scenario.library.get("creatures", "wolf").name == "Wolf"
    assert len(scenario.on("bandits")) == 4
    hash(scenario)
    with pytest.raises(InvalidInputError, match='did you mean "anna"'):
        scenario["ana"]


def test_a_file_of_your_own_by_the_same_loader(groat: Path) -> None:
    by_word, by_path = load_scenario("groat:even"), load_scenario(groat / "even.yaml")
    assert by_word == by_path == load_scenario(str(groat / "even.yaml"))
    bert = by_path["bert"]
    assert bert.document is not None
    assert bert.document.value == {"name": "Bert", "grit": 4}
    assert bert.document.at(("grit",)) == f"{groat}/even.yaml:12:35"
    assert bert.at == f"{groat}/even.yaml:12:5"


def test_together_is_like_even_with_everyone_in_reach() -> None:
    together, even = load_scenario("groat:together"), load_scenario("groat:even")
    assert together.title == "All together"
    assert together.ground == Together()
    assert [entrant.position for entrant in together.entrants] == [HERE] * 6
    assert [entrant.id for entrant in together.entrants] == [entrant.id for entrant in even.entrants]
    assert together.options == even.options


def test_a_scenario_goes_through_json_unchanged() -> None:
    for word in ("groat:even", "groat:together"):
        scenario = load_scenario(word)
        again = read_scenario(json.loads(json.dumps(scenario.to_json())))
        assert again == scenario
        assert again.to_json() == scenario.to_json()


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("groat:evn", 'Groat has no scenario "evn"; did you mean "even"? (scenarios: even, together)'),
        ("grot:even", 'there is no system "grot"; did you mean "groat"?'),
        ("even", '"even" is not a scenario: allowed are SYSTEM:NAME and files (.yaml, .json)'),
        ("groat:", "is not a scenario"),
        ("", "is not a scenario"),
        ("x" * 5_000, "is not a scenario"),
        ("nowhere.yaml", "there is no such file"),
        ("groat:../even", "is not a scenario"),
    ],
)
def test_unknown_words_are_refused_with_the_nearest(word: str, complaint: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        load_scenario(word)
    assert complaint in str(refusal.value)
    assert len(str(refusal.value)) < 400


def test_the_names_of_a_system() -> None:
    assert scenario_names("groat") == ("even", "together")
    assert find_scenario("groat:even").name == "even.yaml"


SCHEMA_MISTAKES = """\
title: Bad
system: groat
rounds: 0
ends: last_sid
participents: []
participants:
  - {character: 7, side: party}
  - {character: wolf, side: "two words", count: 1000, hidden: maybe}
  - {side: party, position: [1, 2]}
facts:
  - {what: cover, who: a, value: 1.5}
"""
MEANING_MISTAKES = """\
title: Bad
system: groat
options:
  tie: defnder
  purze: 3
packs: [/etc/passwd, nowhere.yaml]
ground:
  kind: grid
  size: [4, 4]
  blokced: ["1,1"]
sides: [party, foes, party, ghosts]
participants:
  - {character: wofl, side: party, position: "1,1"}
  - {character: wolf, id: w, side: foe, position: "9,9"}
  - {character: wolf, id: w, side: foes, count: 2, position: ["1,2"], policy: carefull}
  - {character: none.yaml, side: foes}
surprise: [nobody]
facts:
  - {what: cover, who: w, against: parti, value: half}
"""


def check(found: list[str], begins: list[str]) -> None:
    for line, begin in zip(found, begins, strict=True):
        assert line.startswith(begin)


def test_wrong_fields_come_with_their_places() -> None:
    begins = [
        "scenario:3:9: rounds: 0 is not allowed, allowed is 1 or more",
        'scenario:4:7: ends: "last_sid" is not allowed, allowed is last_side, first_fall or game_master; did you mean',
        'scenario:5:15: participents: unknown field; did you mean "participants"?',
        "scenario:7:17: participants[0].character: 7 is not a character: an id, a file or a mapping",
        'scenario:8:29: participants[1].side: "two words" is not a word: letters, digits, - and _, at most 60 in all',
        "scenario:8:49: participants[1].count: 1000 is not allowed, allowed is 100 or less",
        'scenario:8:63: participants[1].hidden: "maybe" is not true or false',
        "scenario:9:5: participants[2].character: missing",
        'scenario:9:29: participants[2].position: a list is not a position: text such as "3,4", or a list of them',
        "scenario:11:34: facts[0].value: 1.5 is not a value of a fact: a word, a whole number, true or false",
    ]
    check(problems_with(SCHEMA_MISTAKES), begins)
    assert problems_with("{title: T, system: groat, participants: []}") == [
        "scenario:1:41: participants: nobody takes part; at least one does"
    ]


def test_wrong_meanings_come_with_their_places(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(MEANING_MISTAKES)
    with pytest.raises(ProblemListError) as refusal:
        load_scenario(file)
    found = [line.removeprefix(f"{tmp_path}/") for line in refusal.value.problems]
    begins = [
        'bad.yaml:4:8: options.tie: option "tie" is "defnder", allowed are reroll, defender; did you mean "defender"?',
        'bad.yaml:5:10: options.purze: option "purze" is unknown; did you mean "purse"?',
        'bad.yaml:6:9: packs[0]: "/etc/passwd" must be a path relative to the scenario',
        "bad.yaml:6:22: packs[1]: there is no ",
        'bad.yaml:10:12: ground.blokced: unknown field "blokced"; did you mean "blocked"?',
        'bad.yaml:11:22: sides[2]: "party" is given twice',
        'bad.yaml:11:29: sides[3]: nobody is on the side "ghosts"',
        'bad.yaml:13:17: participants[0].character: nobody is called "wofl"; did you mean "wolf"?',
        'bad.yaml:14:36: participants[1].side: there is no side "foe"; allowed are party, foes, party, ghosts',
        'bad.yaml:15:79: participants[2].policy: there is no policy "carefull"; allowed are random, aggressive',
        "bad.yaml:16:17: participants[3].character: there is no ",
        'bad.yaml:17:12: surprise[0]: nobody is called "nobody" (known: ',
        'bad.yaml:19:36: facts[0].against: nobody is called "parti"; did you mean "party"?',
    ]
    check(found, begins)


GRID = """\
title: Bad
system: groat
ground: {kind: grid, size: [4, 4]}
participants:
  - {character: wolf, id: w, side: a, position: "9,9"}
  - {character: wolf, id: w, side: a, count: 2, position: ["1,2"]}
  - {character: wolf, id: w, side: b, position: "1,1"}
  - {character: wolf, side: b, position: "1,1"}
  - {character: wolf, side: b}
"""


def test_positions_and_ids_are_checked_against_ground_and_others() -> None:
    begins = [
        'scenario:5:49: participants[0].position: "9,9" is outside of the grid, allowed are columns and rows 0 to 3',
        "scenario:6:59: participants[1].position: 1 positions for 2 participants",
        'scenario:7:27: participants[2].id: "w" is given twice',
        'scenario:8:42: participants[3].position: "1,1" is taken, see participants[2].position',
        "scenario:9:5: participants[4].position: missing; the ground is a grid",
    ]
    check(problems_with(GRID), begins)


def test_on_bands_a_side_stands_together_unless_told_otherwise() -> None:
    scenario = read_scenario(
        """
        title: Range
        system: groat
        ground: {kind: bands, bands: [near, far], usual: far}
        participants:
          - {character: wolf, side: a, count: 2}
          - {character: wolf, side: b, position: hill}
        """
    )
    assert [entrant.position for entrant in scenario.entrants] == [spot("a"), spot("a"), spot("hill")]
    assert [entrant.id for entrant in scenario.entrants] == ["wolf-1", "wolf-2", "wolf"]
    assert scenario.sides == ("a", "b")


def test_ids_made_of_names_do_not_clash() -> None:
    scenario = read_scenario(
        "{title: T, system: groat, participants: [{character: wolf, side: a}, {character: wolf, side: a},"
        " {character: wolf, id: wolf-2, side: b}, {character: {name: Zoë the Wolf}, side: b}]}"
    )
    assert [entrant.id for entrant in scenario.entrants] == ["wolf", "wolf-3", "wolf-2", "zoë-the-wolf"]
    assert scenario.facts.get("cover", "wolf", ANYONE) is None


def test_only_people_take_part() -> None:
    (line,) = problems_with("{title: T, system: groat, participants: [{character: rope, side: a}]}")
    assert 'nobody is called "rope"' in line


def test_text_without_a_folder_names_no_files() -> None:
    (line,) = problems_with("{title: T, system: groat, participants: [{character: a.yaml, side: a}]}")
    assert 'participants[0].character: "a.yaml" is a file, which cannot be named here' in line


def test_the_own_packs_of_a_scenario_are_read(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(PACK.replace("starter", "mine").replace("id: wolf", "id: bear"))
    file = tmp_path / "own.yaml"
    file.write_text("{title: T, system: groat, packs: [mine.yaml], participants: [{character: bear, side: a}]}")
    scenario = load_scenario(file)
    assert scenario.packs == (str(tmp_path / "mine.yaml"),)
    assert scenario.entrants[0].name == "Wolf"
    assert read_scenario(scenario.to_json(), folder=Path("/")) == scenario
    with pytest.raises(InvalidInputError, match=r"packs\[0\]: .* cannot be named here"):
        read_scenario(scenario.to_json())
    with pytest.raises(InvalidInputError, match=r"packs\[0\]: .* must be a path relative"):
        read_scenario(scenario.to_json(), folder=tmp_path / "other")
    (tmp_path / "mine.yaml").write_text(PACK.replace("starter", "mine").replace("grit: 3", "grit: 0"))
    with pytest.raises(ProblemListError, match=r"mine\.yaml:7:\d+: creatures\[1\]\.grit: 0 is not allowed"):
        load_scenario(file)


def test_being_like_another_one(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("title: T\nsystem: groat\nparticipants:\n  - {character: wofl, side: a}\n")
    (tmp_path / "own.yaml").write_text("like: base\nrounds: none\n")
    with pytest.raises(ProblemListError) as refusal:
        load_scenario(tmp_path / "own.yaml")
    assert refusal.value.problems == (f'{tmp_path}/own.yaml:2:9: rounds: "none" is not a whole number',)
    (tmp_path / "own.yaml").write_text("like: base\nrounds: 7\n")
    with pytest.raises(ProblemListError) as refusal:
        load_scenario(tmp_path / "own.yaml")
    assert refusal.value.problems[0].startswith(f"{tmp_path}/base.yaml:4:17: participants[0].character: nobody is")
    (tmp_path / "own.yaml").write_text("like: bse\n")
    with pytest.raises(
        InvalidInputError, match=r'own\.yaml:1:7: like: "bse" is not another scenario.*did you mean "base"'
    ):
        load_scenario(tmp_path / "own.yaml")
    (tmp_path / "base.yaml").write_text("like: own\n")
    (tmp_path / "own.yaml").write_text("like: base\n")
    with pytest.raises(InvalidInputError, match="itself like another"):
        load_scenario(tmp_path / "own.yaml")


def test_a_wrong_character_file_is_reported_with_the_rest(tmp_path: Path) -> None:
    (tmp_path / "anna.yaml").write_text("a: [\n")
    (tmp_path / "bert.yaml").write_text("[1]\n")
    file = tmp_path / "own.yaml"
    people = "[{character: anna.yaml, side: a}, {character: bert.yaml, side: a}]"
    file.write_text(f"{{title: T, system: grot, participants: {people}}}")
    with pytest.raises(ProblemListError) as refusal:
        load_scenario(file)
    assert len(refusal.value.problems) == 3
    assert any('no system "grot"; did you mean "groat"' in line for line in refusal.value.problems)


@pytest.mark.parametrize(
    "hostile", ["a: &a [*a]", "[" * 3_000, "title: !!python/none x", "a: 1\na: 2", "", "7", "\ufeff"]
)
def test_hostile_text_is_refused(hostile: str) -> None:
    assert problems_with(hostile)


@pytest.mark.parametrize("data", [{"x": float("nan")}, {"x": object()}, {1: 2}])
def test_data_that_json_cannot_hold_is_refused(data: Any) -> None:
    with pytest.raises(InvalidInputError):
        read_scenario(data)


def test_sizes_are_bounded() -> None:
    people = ", ".join(["{character: wolf, side: a, count: 100}"] * 3)
    lines = problems_with(f"{{title: T, system: groat, participants: [{people}]}}")
    assert any("more than 200 participants" in line for line in lines)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["character", "side", "kind", "what", "position", "count"]), inner)
    ),
    max_leaves=10,
)
keys = [
    "title",
    "system",
    "options",
    "packs",
    "ground",
    "sides",
    "participants",
    "surprise",
    "facts",
    "start",
    "rounds",
]


@given(st.dictionaries(st.sampled_from(keys), values))
def test_nonsense_is_refused_and_never_breaks(nonsense: dict[str, Any]) -> None:
    whole = {"title": "T", "system": "groat", "participants": [{"character": "wolf", "side": "a"}]} | nonsense
    try:
        scenario = read_scenario(whole)
    except InvalidInputError:
        return
    assert read_scenario(scenario.to_json()) == scenario
