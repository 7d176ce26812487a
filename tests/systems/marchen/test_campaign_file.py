"""Play kept in a file from one command to the next, two sides in `do`, and characters of either scale."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import table.older as older_files
from golden.runner import empty_folder, run_here
from systems.marchen.people import somebody
from tablewright.game.character.character import read_character, write_character
from tablewright.systems.marchen.character.figures import modifier_of
from tablewright.systems.marchen.character.record import MarchenCharacter


@pytest.fixture(autouse=True)
def folder() -> Iterator[Path]:
    """An empty folder with Ann and Bob in it."""
    with empty_folder() as here:
        for name in ("Ann", "Bob"):
            write_character(here / f"{name.lower()}.yaml", somebody(name, kind="character", spiritual=2))
        yield here


def do(process: str, *words: str) -> str:
    """The answer of a command that must succeed."""
    status, out, err = run_here(["do", f"marchen.{process}", *words], "")
    assert status == 0, err
    return out


def refused(process: str, *words: str) -> str:
    """The error of a command that must fail."""
    status, _, err = run_here(["do", f"marchen.{process}", *words], "")
    assert status != 0
    return err


def stored(name: str) -> MarchenCharacter:
    """A character as its file has it."""
    return read_character(Path(name), MarchenCharacter).character


KEPT = ("--campaign", "winter.json")


@pytest.mark.rule("marchen.check.retry", "marchen.resource.tracks")
def test_obstacles_last_from_one_command_to_the_next() -> None:
    lock = ("who=Ann", "what=sleight_of_hand", "obstacle=the lock")
    do("attempt", "ann.yaml", "bob.yaml", *lock, *KEPT, "--faces", "6,6")
    assert "the lock is overcome already" in refused("attempt", *lock, *KEPT, "--faces", "6,6")
    do("attempt", "ann.yaml", *lock, "--faces", "6,6")  # without the file nothing is remembered


@pytest.mark.rule("marchen.action.scales", "marchen.sojourn.raise_standing")
def test_a_place_lasts_from_one_command_to_the_next() -> None:
    do("arrive", "ann.yaml", "bob.yaml", "place=The ford", "culture=Elves", *KEPT)
    assert "Ann is not at home" in refused("raise_standing", "who=ann", *KEPT)
    do("arrive", "place=The mill", *KEPT)
    assert "that costs 12" in refused("raise_standing", "who=ann", *KEPT)


@pytest.mark.rule("marchen.gap.healing.company_pool")
def test_the_pool_lasts_from_one_command_to_the_next() -> None:
    do("refill_pool", "ann.yaml", "bob.yaml", *KEPT, "--option", "company_pool=yes")
    do("hurt", "who=ann", "aspect=social", "dice=0", "plus=9", *KEPT, "--faces", "1,1")
    for _ in range(2):
        do("use_pool", "who=ann", "aspect=social", *KEPT)
    assert "the pool is empty" in refused("use_pool", "who=ann", "aspect=social", *KEPT)


@pytest.mark.rule("marchen.ounces.gain_ground", "marchen.ounces.face_defeat")
def test_an_objective_lasts_into_the_fight() -> None:
    do("set_objective", "ann.yaml", "vs", "bob.yaml", "name=the bridge", "steps=1", *KEPT, "--seed", "3")
    assert "there is no objective" in refused("lose_objective", "ann.yaml", "side=party")
    status, out, err = run_here(["fight", "--resume", "winter.json", "--policy", "party=careful"], "")
    assert status == 0, err
    saved = json.loads(Path("winter.json").read_text())
    kinds = [fact.get("event") for fact in saved["facts"]]
    assert kinds.index("ObjectiveChanged") < kinds.index("EnteredTheFray")
    assert "enters the fray" in out or "wins" in out


@pytest.mark.rule("marchen.resource.tracks")
def test_characters_are_written_only_over_files_that_nobody_changed() -> None:
    do("hurt", "ann.yaml", "bob.yaml", "who=ann", "dice=0", "plus=5", *KEPT, "--faces", "1,1")
    assert not stored("ann.yaml").wounds.damage
    do("hurt", "who=bob", "dice=0", "plus=5", *KEPT, "--faces", "1,1", "--write")
    assert stored("ann.yaml").wounds.damage == stored("bob.yaml").wounds.damage != {}
    do("lose_momentum", "who=ann", *KEPT)
    do("lose_momentum", "who=bob", *KEPT, "--write")
    assert stored("ann.yaml").wounds.hindered
    do("name_heir", "ann.yaml", "heir=Oliver", "--write")
    assert "has changed since the campaign began" in refused("name_heir", "who=bob", "heir=Ann", *KEPT, "--write")
    assert not stored("bob.yaml").heir


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("who=ann", "bob.yaml"), "has its characters already, Ann and Bob; leave out bob.yaml"),
        (("who=ann", "--option", "core=3d6"), "--option is for the first command"),
        (("who=ann", "--seed", "4"), "--seed is for the first command"),
        (("who=cid",), "cid"),
    ],
)
def test_options_of_the_first_command_are_refused_later(words: tuple[str, ...], error: str) -> None:
    do("lose_momentum", "ann.yaml", "bob.yaml", "who=ann", *KEPT)
    before = Path("winter.json").read_text()
    assert error in refused("lose_momentum", *words, *KEPT)
    assert Path("winter.json").read_text() == before


@pytest.mark.rule("marchen.puncti.battle", "marchen.gap.fight.battle")
def test_a_battle_has_two_sides() -> None:
    assert "a battle takes two sides" in refused("fight_battle", "ann.yaml", "bob.yaml")
    do("fight_battle", "ann.yaml", "vs", "bob.yaml", "--faces", "6,6,1,1,4,3", "--write")  # a narrow win
    assert stored("bob.yaml").wounds.damage == {"physical": 4 + 2 * 1}  # untrained, effect 12 - 3 - 8
    assert stored("ann.yaml").wounds.damage == {"physical": 3 // 2}


@pytest.mark.rule("marchen.aspect.list", "marchen.characteristic.modifier")
def test_a_character_keeps_the_scale_it_was_made_on() -> None:
    status, _, err = run_here(
        ["new", "marchen", "--random", "--seed", "5", "--option", "score_scale=cepheus", "-o", "c.yaml"], ""
    )
    assert status == 0, err
    assert stored("c.yaml").scale == "cepheus"
    made = somebody("Cid", kind="character", agility=12, scale="cepheus")
    write_character(Path("c.yaml"), made)
    status, out, err = run_here(["check", "c.yaml", "agility", "--json"], "")  # at a table of the other scale
    assert status == 0, err
    found = json.loads(out)
    assert found["odds"]["arguments"]["modifier"] == modifier_of(made.scores.agility, "cepheus") != made.scores.agility
    do("award", "c.yaml", "--write")
    assert stored("c.yaml").scale == "cepheus"


@pytest.mark.rule("marchen.ounces.turn_the_tide")
def test_a_fight_of_another_rule_is_refused_with_its_entry(folder: Path) -> None:
    """In the saved fight the tide was turned without taking the initiative from the foe."""
    packed = Path(older_files.__file__).parent / "files" / "0.1.0" / "marchen.fight.json.gz"
    (folder / "old.json").write_bytes(gzip.decompress(packed.read_bytes()))
    status, _, err = run_here(["fight", "--replay", "old.json"], "")
    assert status == 1
    assert "entry 81 of 104 does not fit any more" in err
    assert "the rules or the content have changed since" in err
