"""Mounts and vehicles in an encounter: who can ride what, control, what they do, and how they defend and suffer."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import events, go, status
from systems.stage.fights import act, closed, duel, offered, place, session_with
from systems.stage.people import OPTIONS, library, person, somebody
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.aim import blocks
from tablewright.systems.stage.actions.defences import defences
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.content import Vehicle
from tablewright.systems.stage.encounter import outcome
from tablewright.systems.stage.now import hit_difficulty, resistance_of
from tablewright.systems.stage.sheet import sheet

NOTHING = {"how to defend": "nothing"}


def crafted(
    name: str, at: tuple[int, int] | None = None, *, driver: Any = None, foe: Any = None, **craft: Any
) -> Session:
    """A craft with a character at the controls, and a foe some cubes away."""
    place_of = None if at is None else (at[0] + 2, at[1])
    return session_with(
        [
            place(driver or somebody(operate=2, close_combat=2, perception=1), "party", at, who="ann", rides="craft"),
            place(person(name), "party", at, who="craft", **craft),
            place(foe or somebody(2, has=["spear@hand"]), "foes", place_of, who="bob"),
        ]
    )


@pytest.mark.rule("stage.mount.properties", "stage.gap.mount.vehicles")
@pytest.mark.parametrize("vehicle", library().of(Vehicle), ids=lambda one: one.id)
def test_a_craft_has_integrity_resistance_size_and_speed(vehicle: Vehicle) -> None:
    session = crafted(vehicle.id, (5, 5))
    assert status(session, "craft").integrity == vehicle.integrity
    assert resistance_of(session.scene, "craft", "body") == vehicle.resistance
    assert hit_difficulty(session.scene, "craft", "bob").tally.total == 10 - vehicle.size
    go(session, "table.rule", who="craft", field="integrity", value="1", reason="a rock")
    kept = rulebook.export_character(session.scene, "craft")
    assert kept.wounds.integrity == 1
    assert place(kept, "party", who="again").status.integrity == 1
    go(session, "table.rule", who="craft", field="integrity", value="0", reason="a rock")
    assert not status(session, "craft").able


@pytest.mark.rule("stage.mount.properties")
def test_a_blow_takes_integrity_points_less_resistance() -> None:
    session = session_with(
        [place(somebody(2, has=["spear@hand"]), "foes", who="ann"), place(person("motor_car"), "party", who="craft")]
    )
    act(session, "attack:craft:spear", faces=[[1], [6, 5]], choices={"dice for the first roll": "1"})
    assert events(session, "Attacked")[0].damage == 9  # 11 less Resistance 2
    assert status(session, "craft").integrity == 16
    assert status(session, "craft").died is None


@pytest.mark.rule("stage.mount.size_limit")
def test_a_craft_may_be_one_category_smaller_than_its_operator_and_a_mount_not() -> None:
    people = [
        place(somebody(2, size=9), "party", who="ann"),
        place(person("rowboat"), "party", who="boat"),
        place(person("wolf"), "party", who="wolf"),
        place(somebody(2), "foes", who="bob"),
    ]
    session = session_with(people)
    act(session, "mount:boat")
    assert status(session).rides == "boat"
    giant = session_with([place(somebody(2, size=10), "party", who="ann"), *people[1:]])
    with pytest.raises(IllegalActionError, match="boat is too small"):
        act(giant, "mount:boat")


@pytest.mark.rule("stage.mount.control", "stage.operate.control")
def test_a_craft_is_controlled_with_operate_against_its_own_difficulty() -> None:
    session = crafted("motor_car", (5, 5))
    act(session, "control", faces=[[5, 1]])  # Difficulty 6
    assert (status(session).ap, status(session, "craft").ap) == (0, 3)
    assert status(session, "craft").held("controlled") is not None
    failing = crafted("motor_car", (5, 5))
    for _ in range(2):
        go(failing, "table.rule", who="ann", field="ap", value="3", reason="a turn")
        act(failing, "control", faces=[[4, 1]])
    told = [one.what for one in events(failing, "Checked")]
    assert told == ["does not respond", "out of control"]
    assert status(failing, "craft").held("controlled") is None
    assert (status(failing).rides, status(failing, "craft").failures) == ("craft", 0)


@pytest.mark.rule("stage.gap.mount.vehicles", "stage.mount.control")
def test_a_cart_goes_where_an_animal_draws_it() -> None:
    session = crafted("cart", (5, 5), driver=somebody(2))
    assert closed(session, "control") == ("nothing draws it", "stage.gap.mount.vehicles")
    drawn = session_with([*session.scene.participants, place(person("riding_horse"), "party", (5, 5), who="horse")])
    act(drawn, "control", faces=[[3, 1]])  # Survival (ride) against Will 2 and Spirit 2
    assert status(drawn, "craft").held("controlled") is not None


@pytest.mark.rule("stage.mount.properties")
def test_a_craft_gets_faster_and_slower_by_its_acceleration() -> None:
    session = crafted("motor_car", (2, 2))
    act(session, "control", faces=[[6, 6]])
    spurs = [use for use in offered(session) if use.startswith("spur::move/")]
    assert "spur::move/5,2" in spurs
    assert "spur::move/6,2" not in spurs  # from 0 to 3 cubes at most
    act(session, "spur::move/5,2")
    assert (status(session, "craft").ap, str(session.scene["ann"].position)) == (2, "5,2")
    go(session, "table.rule", who="ann", field="ap", value="3", reason="the next turn")
    act(session, "control", faces=[[6, 6]])
    assert status(session, "craft").pace == 3
    for to, can in (("11,2", True), ("12,2", False), ("6,2", True)):
        assert (f"spur::move/{to}" in offered(session)) is can
    act(session, "spur::move/11,2")
    go(session, "table.rule", who="ann", field="ap", value="3", reason="the next turn")
    act(session, "control", faces=[[6, 6]])
    assert ("spur::move/13,2" in offered(session), "spur::move/14,2" in offered(session)) == (False, True)  # 3 to 9
    go(session, "table.rule", who="ann", field="ap", value="3", reason="it rolls on by itself")
    act(session, "control", faces=[[6, 6]])
    assert status(session, "craft").pace == 3  # 3 slower where no one let it go on


@pytest.mark.rule("stage.mount.attack")
def test_a_weapon_of_a_craft_is_fired_with_operate_and_the_crafts_ap() -> None:
    session = crafted("motor_car", (5, 5))
    armed = person("motor_car", weapons=("bow",))
    session = duel(
        somebody(operate=3, close_combat=1, perception=1),
        somebody(1),
        place(armed, "party", (5, 5), who="craft"),
        apart=2,
        mine={"rides": "craft"},
        theirs={"ap": 0},
    )
    act(session, "control", faces=[[6, 6, 6]])
    act(session, "spur:bob:attack/bow", faces=[[4, 4], [3, 3]], choices={"dice for the first roll": "2"})
    assert events(session, "Attacked")[0].damage == 6  # 3 levels of Operate, and the die of the bow
    assert (status(session, "craft").ap, status(session).ap) == (2, 0)


@pytest.mark.rule("stage.mount.defend")
def test_a_craft_dodges_with_operate_and_the_ap_of_who_steers_it() -> None:
    session = crafted("motor_car")
    found = defences(session.scene, "craft", "bob", melee=True)
    assert [(way.name, way.dice, way.ally) for way in found.ways] == [("dodge+craft", 2, True)]
    choices = {"dice for the first roll": "2", "defend your neighbour": "dodge+craft"}
    act(session, "attack:craft:spear", who="bob", faces=[[6, 6], [5, 5]], choices=choices)
    assert not events(session, "Attacked")[0].hit  # 12 against 10 and Size 10
    assert (status(session).ap, status(session, "craft").ap) == (2, 3)
    own = {way.name: way for way in defences(session.scene, "ann", "bob", melee=True).ways}
    assert (own["dodge+craft"].dice, own["dodge+craft"].ally) == (2, False)
    empty = session_with([place(person("motor_car"), "party", who="craft"), place(somebody(2), "foes", who="bob")])
    assert defences(empty.scene, "craft", "bob", melee=True).ways == ()


@pytest.mark.rule("stage.encounter.begin_end", "stage.mount.properties")
def test_a_craft_alone_does_not_keep_a_fight_going() -> None:
    session = crafted("motor_car")
    assert outcome(session.scene) is None
    go(session, "table.rule", who="ann", field="vitality", value="0", reason="an arrow")
    assert outcome(session.scene) == "foes win"


# ---------------------------------------------------------------------- animals


def ridden(*, survival: int = 2, has: tuple[ItemStack, ...] = (), **skills: int) -> Session:
    horse = person("riding_horse")
    for skill, level in skills.items():
        horse = horse.changed(skills=horse.skills.put(skill, level))
    return duel(
        somebody(survival=survival, close_combat=2, perception=1),
        somebody(2, has=["spear@hand"]),
        place(horse.changed(belongings=has), "party", who="horse"),
        mine={"rides": "horse", "ap": 0},
        turn="bob",
    )


@pytest.mark.rule("stage.mount.defend")
def test_a_mount_parries_for_its_rider_with_its_own_stamina() -> None:
    session = ridden(brawl=4)
    found = {way.name: way for way in defences(session.scene, "ann", "bob", melee=True).ways}
    assert (found["parry+mount"].dice, found["parry+mount"].points) == (2, 1)  # as many as the rider's Survival
    choices = {"dice for the first roll": "2", **NOTHING, "defend your neighbour": "parry+mount"}
    act(session, "attack:ann:spear", who="bob", faces=[[6, 3], [4, 4]], choices=choices)
    assert not events(session, "Attacked")[0].hit  # 8 against 9 and 3
    assert (status(session, "horse").stamina, status(session, "horse").ap, status(session).stamina) == (8, 3, 2)
    missiles = {way.name for way in defences(session.scene, "ann", "bob", melee=False).ways}
    assert "parry+mount" not in missiles


@pytest.mark.rule("stage.mount.defend")
@pytest.mark.parametrize(("trained", "offered_"), [(0, []), (3, ["block+mount"])])
def test_the_armour_of_a_trained_mount_works_for_its_rider(trained: int, offered_: list[str]) -> None:
    mail = ItemStack("mail_shirt", place="worn")
    session = ridden(has=(mail,), **({"defense": trained} if trained else {}))
    found = blocks(session.scene, "ann", "body")
    assert [one.name for one in found.deflections] == offered_
    if not offered_:
        return
    assert (found.deflections[0].dice, found.deflections[0].most, found.deflections[0].resistance) == (2, 6, 1)
    choices = {"dice for the first roll": "1", **NOTHING, "defend": "nothing", "deflect": "block+mount"}
    act(session, "attack:ann:spear", who="bob", faces=[[6], [6, 6], [2, 1]], choices=choices)
    assert events(session, "Attacked")[0].damage == 8  # 12 less 1 and 3
    assert (status(session, "horse").stamina, status(session).stamina) == (9, 0)


@pytest.mark.rule("stage.mount.defend")
def test_a_ridden_animal_defends_itself_with_no_more_dice_than_its_riders_survival() -> None:
    session = ridden(survival=1, agility=3, brawl=3, defense=3, has=(ItemStack("mail_shirt", place="worn"),))
    dice = {way.name: way.dice for way in defences(session.scene, "horse", "bob", melee=True).ways if not way.ally}
    assert (dice["dodge"], dice["parry"]) == (1, 1)
    assert blocks(session.scene, "horse", "body").blocks[0].dice == 1
    free = session_with([place(person("riding_horse"), "party", who="horse"), place(somebody(2), "foes", who="bob")])
    assert next(way for way in defences(free.scene, "horse", "bob", melee=True).ways if way.name == "parry").dice == 2


@pytest.mark.rule("stage.mount.properties")
def test_the_sheet_of_a_craft_has_its_integrity_and_no_fists() -> None:
    car = person("motor_car")
    shown = sheet(car.changed(wounds=car.wounds.changed(integrity=9)), OPTIONS, library())
    text = repr(shown)
    assert "9 of 25" in text
    assert "Unarmed" not in text


@pytest.mark.rule("stage.mount.properties")
def test_a_thing_is_neither_insulted_nor_wrestled_with() -> None:
    people = [place(somebody(2, has=["spear@hand"]), "foes", who="ann"), place(person("motor_car"), "party", who="car")]
    session = session_with([*people, place(somebody(2), "party", who="bob")])
    for deed in ("insult", "bluff", "grapple", "trip", "push"):
        assert f"{deed}:car" not in offered(session)
        assert f"{deed}:bob" in offered(session)
    with pytest.raises(IllegalActionError, match="Motor Car is a thing"):
        act(session, "insult:car")
    assert "attack:car:spear" in offered(session)


@pytest.mark.rule("stage.mount.control")
def test_a_rider_gets_off() -> None:
    session = crafted("motor_car", (5, 5))
    act(session, "dismount")
    assert status(session).rides == ""
    assert not [use for use in offered(session) if use.startswith("control")]


def test_nobody_steers_what_nobody_is_on() -> None:
    session = duel(somebody(2), somebody(2), options=OPTIONS)
    assert not [use for use in offered(session) if use.partition(":")[0] in ("control", "spur", "dismount")]
