"""Companions: a Corpse-Herder's minion is made, is limited, is repaired, and heals in no other way."""

from __future__ import annotations

from typing import Any

import pytest

from systems.renaissance.folk import LEDGER, figures_of, library, session_of, somebody
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.session.session import Session
from tablewright.systems.renaissance.chapters.companions import PROCESSES

RULE = "renaissance.gap.class.companions"
SKILLS = {"spellcraft": 45, "fray": 50, "unarmed_combat": 50, "blunt_weapons": 50, "athletics": 50, "knowledge:law": 30}
MAKER = somebody("Mal", COG=15, luck=0, classes=("corpse_herder",), skills=SKILLS)
RANKS = ("fray=50", "unarmed=50", "blunt_weapons=50", "athletics=50")


def raised(rolled: int = 10, **words: Any) -> Session:
    """A session in which a character tries to make a minion."""
    session = session_of({"mal": MAKER})
    session.do("renaissance.raise_corpse", who="mal", **({"skills": list(RANKS)} | words))
    session.type_in([rolled])
    return session


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
    session = session_of({"mal": MAKER})
    with pytest.raises(IllegalActionError, match=reason) as error:
        session.do("renaissance.raise_corpse", who="mal", skills=skills)
    assert error.value.rule == RULE


def test_makers_and_materials() -> None:
    session = session_of({"mal": MAKER.changed(classes=()), "bob": MAKER})
    with pytest.raises(IllegalActionError, match="is no Corpse-Herder"):
        session.do("renaissance.raise_corpse", who="mal", skills=["fray=5"])
    with pytest.raises(InvalidInputError, match="write fray=40"):
        session.do("renaissance.raise_corpse", who="bob", skills=["fray"])
    with pytest.raises(IllegalActionError, match=r"is not a minion|nothing to repair"):
        session.do("renaissance.repair_corpse", who="bob", minion="mal")
    assert [process.name for process in PROCESSES] == ["renaissance.raise_corpse", "renaissance.repair_corpse"]
    assert library().has("races", "corpse")


@pytest.mark.rule("renaissance.gap.class.companions")
def test_repair_removes_a_wound_and_damage() -> None:
    session = raised()
    with pytest.raises(IllegalActionError, match="nothing to repair"):
        session.do("renaissance.repair_corpse", who="mal", minion="mal-corpse-1")
    for field, value in (("damage", 20), ("wounds", 2)):
        session.do("table.rule", who="mal-corpse-1", field=field, value=str(value), reason="a fall")
    before = session.scene.clock.now
    session.do("renaissance.repair_corpse", who="mal", minion="mal-corpse-1")
    session.type_in([10])
    session.type_in([7])
    status = session.scene["mal-corpse-1"].status
    assert (status.damage, status.wounds) == (13, 1)
    assert session.scene.clock.now - before == 1800
    session.do("renaissance.repair_corpse", who="mal", minion="mal-corpse-1")
    session.type_in([80])
    assert session.scene["mal-corpse-1"].status == status
    with pytest.raises(IllegalActionError):
        session.do("renaissance.bind_wounds", who="mal-corpse-1", by="mal")
