"""Mounts and vehicles in an encounter: who can ride what, control, what they do, and how they defend and suffer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import events, go, status
from systems.stage.fights import ONE, TWO, act, closed, duel, fighter, offered, place, session_with
from systems.stage.people import OPTIONS, library, person, refused, session_of, somebody
from tablewright.game.character.belongings import ItemStack
from tablewright.game.content.library import Pack
from tablewright.game.session.session import Session
from tablewright.game.values import Ranks
from tablewright.systems.stage.actions.aim import blocks
from tablewright.systems.stage.actions.defences import defences
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.chapters.riding import hours_of_practice
from tablewright.systems.stage.content import Vehicle
from tablewright.systems.stage.encounter import outcome
from tablewright.systems.stage.now import hit_difficulty, resistance_of
from tablewright.systems.stage.sheet import sheet
from tablewright.systems.stage.status import most
from tablewright.systems.stage.values import HOUR

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
    assert (status(session, "craft").integrity, most(session.scene, "craft").speed) == (
        vehicle.integrity,
        vehicle.speed,
    )
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
    act(session, "attack:craft:spear", faces=[[1], [6, 5]], choices=ONE)
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
    session = act(session_with(people), "mount:boat")
    assert status(session).rides == "boat"
    giant = session_with([place(somebody(2, size=10), "party", who="ann"), *people[1:]])
    refused("boat is too small", act, giant, "mount:boat")


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
    session = act(crafted("motor_car", (2, 2)), "control", faces=[[6, 6]])
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
    act(session, "spur:bob:attack/bow", faces=[[4, 4], [3, 3]], choices=TWO)
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
def test_a_mount_defends_its_rider_with_the_riders_survival_and_its_own_points() -> None:
    session = ridden(brawl=4, agility=4)
    found = {way.name: way for way in defences(session.scene, "ann", "bob", melee=True).ways}
    assert (found["parry+mount"].dice, found["parry+mount"].points) == (2, 1)  # as many as the rider's Survival
    for way, roll, left in (("parry+mount", [4, 4], (11, 3)), ("dodge+mount", [5, 5], (11, 2))):
        choices = {"dice for the first roll": "2", **NOTHING, "defend your neighbour": way}
        act(session, "attack:ann:spear", who="bob", faces=[[6, 3], roll], choices=choices)
        assert not events(session, "Attacked")[-1].hit  # 8 or 10 against 9 and 3
        assert (status(session, "horse").stamina, status(session, "horse").ap) == left
    assert status(session).stamina == 2
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
    refused("Motor Car is a thing", act, session, "insult:car")
    assert "attack:car:spear" in offered(session)


@pytest.mark.rule("stage.mount.control")
def test_a_rider_gets_off_and_then_steers_nothing() -> None:
    session = act(crafted("motor_car", (5, 5)), "dismount")
    assert status(session).rides == ""
    assert not [use for use in offered(session) if use.partition(":")[0] in ("control", "spur", "dismount")]


def on_horseback(rider: Any = None, **mount: Any) -> Session:
    """Ann on the back of a riding horse, in a wide field."""
    people = [
        place(rider or somebody(survival=2, perception=1, academics=1), "party", (5, 5), who="ann", rides="horse"),
        place(person("riding_horse", **mount), "party", (5, 5), who="horse"),
        place(fighter(), "foes", (15, 15), who="bob"),
    ]
    return session_with(people)


@pytest.mark.rule("stage.mount.properties", "stage.operate.control")
def test_a_craft_asks_for_skill_and_goes_as_far_as_its_least_speed_each_round() -> None:
    novice, session = [
        crafted("glider", (5, 5), driver=somebody(operate=operate, perception=1, academics=1)) for operate in (1, 2)
    ]
    assert closed(novice, "control") == ("needs Operate 2", "stage.mount.properties")
    act(session, "control", faces=[[5, 5]])
    reached = [f"spur::move/{column},5" in offered(session) for column in (6, 7, 8, 9)]
    assert reached == [False, True, True, False]  # at least 2, at most 3 to begin with
    act(session, "spur::move/7,5")
    assert "spur::move/8,5" in offered(session)  # in this round it has gone far enough


PRACTICE = ("needs 3 hours of practice", "stage.mount.properties")


@pytest.mark.rule("stage.mount.properties")
def test_an_animal_under_control_keeps_its_least_speed_and_its_acceleration() -> None:
    session = act(on_horseback(least_speed=2, acceleration=2), "control", faces=[[2, 2]])
    assert {one for one in offered(session) if one.startswith("spur::move/") and one.endswith(",5")} == {
        "spur::move/3,5",
        "spur::move/7,5",
    }
    act(session, "spur::move/7,5")
    assert (status(session, "horse").pace, status(session, "horse").went) == (0, 2)
    free = act(on_horseback(), "control", faces=[[2, 2]])
    assert {"spur::move/6,5", "spur::move/8,5"} <= {*offered(free)}


@pytest.mark.rule("stage.mount.properties", "stage.survival.ride")
def test_an_animal_asks_for_skill_and_practice_from_its_rider() -> None:
    assert closed(on_horseback(needs=Ranks({"survival": 3})), "control") == (
        "needs Survival 3",
        "stage.mount.properties",
    )
    assert closed(on_horseback(practice=3), "control") == PRACTICE
    seasoned = somebody(survival=2, perception=1, academics=1, practised=Ranks({"riding-horse": 3}))
    assert "control" in offered(on_horseback(seasoned, practice=3))


@pytest.mark.rule("stage.mount.properties")
def test_practice_takes_its_hours_and_adds_up() -> None:
    session = session_of({"ann": somebody(survival=2), "horse": person("riding_horse", practice=3)})
    go(session, "stage.practise", who="ann", mount="horse", hours=2)
    assert session.scene["ann"].character.practised == {"riding-horse": 2}
    assert session.scene.clock.now == 2 * HOUR
    go(session, "stage.practise", who="ann", mount="horse", hours=1)
    assert session.result == 3
    assert rulebook.export_character(session.scene, "ann").practised == {"riding-horse": 3}


@pytest.mark.rule("stage.mount.properties", "stage.power_effect.grant_ability")
def test_schooling_in_a_craft_stands_for_practice() -> None:
    def hours(**pilot: Any) -> int:
        people = [
            place(somebody(operate=2, **pilot), "party", who="ann", rides="craft"),
            place(person("glider", vehicle="strict_glider"), "party", who="craft", integrity=8),
        ]
        scene = session_with(people).scene
        demanding = scene.library.get(Vehicle, "glider").model_copy(update={"id": "strict_glider", "practice": 20})
        own = Pack("own", "Own", "1", "stage", entries=(("vehicles", (demanding,)),))
        return hours_of_practice(replace(scene, library=scene.library.with_pack(own)), "ann", "craft")

    assert hours() == 0
    assert hours(practised=Ranks({"strict_glider": 5})) == 5
    assert hours(powers=("schooling",), choices={"schooling": ["vehicle"]}) == 20
    assert hours(powers=("schooling",), choices={"schooling": ["language"]}) == 0


def mounted(vitality: int) -> Session:
    """`ann` on a horse that has so much Vitality left, and a foe in the next cube."""
    return duel(
        fighter(survival=2),
        fighter(),
        place(person("riding_horse"), "party", (5, 5), who="horse", vitality=vitality),
        apart=1,
        mine={"rides": "horse"},
    )


@pytest.mark.rule("stage.mount.control")
def test_a_character_who_rides_does_not_walk_and_no_dead_horse_is_dragged_along() -> None:
    for vitality, goes in ((7, False), (0, True)):
        found = {one.partition(":")[0] for one in offered(mounted(vitality))}
        assert ({"move", "charge", "tumble"} <= found) is goes
        assert ("dismount" in found) is not goes
    session = mounted(0)
    act(session, "move::4,5")
    assert (str(session.scene["ann"].position), str(session.scene["horse"].position)) == ("4,5", "5,5")
    assert status(session).rides == ""


@pytest.mark.rule("stage.defense.deflect", "stage.mount.defend", "stage.power_effect.defend_other")
def test_a_rider_has_the_help_of_allies_where_the_mount_gives_none() -> None:
    cat = fighter(defense=3, agility=2, powers=("interference",), has=["mail_shirt@worn"])
    for mount_ap, defender in ((0, "cat"), (3, "hor")):
        people = [
            place(fighter(), "foes", who="ann"),
            place(fighter(survival=2), "party", who="bob", rides="hor"),
            place(person("riding_horse"), "party", who="hor", ap=mount_ap),
            place(cat, "party", who="cat"),
        ]
        scene = session_with(people).scene
        assert blocks(scene, "bob", "body").ally == "cat"
        assert defences(scene, "bob", "ann", melee=False).ally == defender


@pytest.mark.rule("stage.mount.control", "stage.mount.size_limit", "stage.mount.attack")
def test_a_mount_under_control_acts_on_its_riders_turn() -> None:
    session = duel(
        fighter(survival=2),
        fighter(),
        place(person("riding_horse"), "party", (5, 5), who="horse", beside=("ann",)),
        place(person("wolf"), "party", (5, 5), who="wolf", beside=("ann",)),
        apart=2,
        mine={"beside": ("horse", "wolf")},
    )
    refused("Wolf is too small", act, session, "mount:wolf")
    act(session, "mount:horse")
    go(session, "table.rule", who="ann", field="ap", value="3", reason="the next turn")
    act(session, "control", faces=[[3, 1]])  # Will and Spirit: 4
    assert status(session).ap == 0
    act(session, "spur:bob:move/")
    assert (status(session, "horse").ap, str(session.scene["ann"].position)) == (2, "7,5")
    act(session, "spur:bob:attack/kick", faces=[[1]], choices=ONE)
    assert status(session, "horse").ap == 1
    assert events(session, "Attacked")[0].by == "horse"


@pytest.mark.rule("stage.mount.control")
def test_two_failures_in_a_row_and_it_turns_away() -> None:
    session = duel(
        fighter(survival=1), fighter(), place(person("riding_horse"), "party", who="horse"), mine={"rides": "horse"}
    )
    for rides in ("horse", ""):
        go(session, "table.rule", who="ann", field="ap", value="3", reason="a turn")
        act(session, "control", faces=[[3]])
        assert status(session).rides == rides
    assert session.scene["horse"].side != "party"
