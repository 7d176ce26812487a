"""Companions: a Corpse-Herder's minion is made, is limited, is repaired, and heals in no other way."""

from __future__ import annotations

from typing import Any

import pytest

from systems.renaissance.fights import at_home, fighter, then, went
from systems.renaissance.folk import LEDGER, creature, figures_of, library, person, refused, session_of
from tablewright.errors import InvalidInputError
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.chapters.companions import minion_of, minion_problems

RULE = "renaissance.gap.class.companions"
SKILLS = {"spellcraft": 45, "fray": 50, "unarmed_combat": 50, "blunt_weapons": 50, "athletics": 50, "knowledge:law": 30}
MAKER = creature("Mal", COG=15, luck=0, classes=("corpse_herder",), skills=SKILLS)
RANKS = ("fray=50", "unarmed=50", "blunt_weapons=50", "athletics=50")


def raised(rolled: int = 10) -> Session:
    """A session in which a character tries to make a minion."""
    return then(session_of({"mal": MAKER}), "raise_corpse", rolled, who="mal", skills=list(RANKS))


@pytest.mark.rule("renaissance.gap.class.companions")
def test_a_minion_joins_its_maker() -> None:
    session, data = raised(), LEDGER[RULE].data
    minion = session.scene["mal-corpse-1"]
    found = figures_of(minion.character)
    assert (data["DUR"], data["STR"]) == (found.DUR, found.STR)
    assert (found.aptitudes["SOM"], found.aptitudes["WIL"]) == (data["SOM"], data["WIL"])
    assert {found.aptitudes[name] for name in ("COG", "COO", "INT", "REF", "SAV")} == {data["other"]}
    assert (found.base, found.full) == (4, 12)
    assert sum(minion.character.skills.values()) == data["ranks"]
    assert (minion.side, minion.seat) == ("party", "mal")
    assert session.scene.clock.now == 3600


@pytest.mark.rule("renaissance.gap.class.companions", "renaissance.gap.state.grid")
def test_a_corpse_that_rises_has_a_square_of_its_own() -> None:
    herder = fighter(
        "Ann", race="human", classes=("corpse_herder",), skills={"spellcraft": 60, "knowledge:theology": 10}
    )
    scene = at_home(herder, fighter("Bob"))
    session = went(scene, 10, process="renaissance.raise_corpse", who="ann", skills=("fray=30",))
    places = [one.position for one in session.scene.participants]
    assert len(places) == len(set(places)) == 3
    assert None not in places


@pytest.mark.rule("renaissance.gap.class.companions")
def test_a_failure_makes_none() -> None:
    session = raised(rolled=70)
    assert [one.id for one in session.scene.participants] == ["mal"]
    assert session.scene.clock.now == 900


@pytest.mark.rule("renaissance.gap.class.companions")
@pytest.mark.parametrize(
    ("skills", "reason"),
    [
        (["fray=51"], "its maker has 50"),
        ([*RANKS, "spellcraft=1"], "201 ranks"),
        (["knowledge:law=11"], "10 ranks are the most"),
        (["stealth=1"], "its maker has 0"),
    ],
)
def test_limits_of_a_minion(skills: list[str], reason: str) -> None:
    assert refused(session_of({"mal": MAKER}), "raise_corpse", reason, who="mal", skills=skills) == RULE


@pytest.mark.rule("renaissance.gap.class.companions")
def test_a_minion_is_limited_by_its_maker_and_by_the_class() -> None:
    minion = person("corpse_minion")
    assert (minion.aptitudes.SOM, minion.aptitudes.WIL, minion.aptitudes.COG) == (15, 20, 5)
    maker = creature(skills=dict.fromkeys(minion.skills, 50))
    grant = minion_of(creature(classes=("corpse_herder",)), library())
    many = minion.changed(skills=minion.skills.put("fray", 41))
    learned = minion.changed(skills={"knowledge:law": 11, "fray": 50})
    taught = maker.changed(skills={"knowledge:law": 50, "fray": 49})
    looser = grant.model_copy(update={"ranks": 201, "most_knowledge": 11})
    assert minion_problems(minion, maker, grant, library()) == []
    assert minion_problems(many, maker, grant, library()) == ["201 ranks, 200 are the most"]
    assert len(minion_problems(learned, taught, grant, library())) == 2
    assert minion_problems(many, maker, looser, library()) == []
    assert len(minion_problems(learned, taught, looser, library())) == 1


@pytest.mark.rule("renaissance.gap.class.companions")
@pytest.mark.parametrize("text", ["fray", "fray=²", "fray=٣", "fray=" + "9" * 100])
def test_makers_and_materials(text: str) -> None:
    session: Any = session_of({"mal": MAKER.changed(classes=()), "bob": MAKER})
    refused(session, "raise_corpse", "is no Corpse-Herder", who="mal", skills=["fray=5"])
    refused(session, "repair_corpse", r"is not a minion|nothing to repair", who="bob", minion="mal")
    with pytest.raises(InvalidInputError, match="write fray=40"):
        then(session, "raise_corpse", who="bob", skills=[text])


@pytest.mark.rule("renaissance.gap.class.companions")
def test_repair_removes_a_wound_and_damage() -> None:
    session, repair = raised(), {"who": "mal", "minion": "mal-corpse-1"}
    refused(session, "repair_corpse", "nothing to repair", **repair)
    for field, value in (("damage", 20), ("wounds", 2)):
        session.do("table.rule", who="mal-corpse-1", field=field, value=str(value), reason="a fall")
    before = session.scene.clock.now
    then(session, "repair_corpse", 10, 7, **repair)
    status = session.scene["mal-corpse-1"].status
    assert (status.damage, status.wounds) == (13, 1)
    assert session.scene.clock.now - before == 1800
    then(session, "repair_corpse", 80, **repair)
    assert session.scene["mal-corpse-1"].status == status
    refused(session, "bind_wounds", who="mal-corpse-1", by="mal")
