"""Rows of the tables at work: every weapon, armour, ailment and trap changes a scene by what its data say."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.playing import events, go, status
from systems.stage.fights import act, duel, place, session_with
from systems.stage.people import library, refused, somebody
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.stage.actions.defences import defences
from tablewright.systems.stage.content import Ailment, Ammunition, Armour, Trap, Weapon
from tablewright.systems.stage.now import Arm, arms, most_defense_points, pool, resistance_of

WEAPONS = [(one, use) for one in library().of(Weapon) for use in one.uses]


def armed(weapon: Weapon, level: int = 2) -> tuple[Any, Arm]:
    things = [ItemStack(weapon.id, place="hands" if weapon.size > 5 else "hand")]
    if weapon.ammunition is not None:
        things.append(ItemStack(weapon.ammunition, 20, "belt"))
    natural = {"weapons": (weapon.id,)} if weapon.natural else {}
    character = somebody(level, **natural).changed(belongings=() if weapon.natural else tuple(things))
    session = duel(character, somebody(1), theirs={"ap": 0})
    return session, next(arm for arm in arms(session.scene, "ann") if arm.weapon.id == weapon.id)


@pytest.mark.rule("stage.gap.equipment.weapons", "stage.equipment.bonus")
@each_case(("weapon", "use"), WEAPONS)
def test_every_weapon_strikes_with_its_bonus(weapon: Weapon, use: str) -> None:
    session, _ = armed(weapon)
    arm = next(arm for arm in arms(session.scene, "ann") if arm.weapon.id == weapon.id and arm.key == use)
    made = pool(session.scene, "ann", use, weapon=weapon)
    assert (made.dice.total, made.flat.total) == (2 + weapon.bonus.dice, weapon.bonus.flat)
    dice = 2 + weapon.bonus.dice
    choices = {"dice for the first roll": "1", "how to defend": "nothing"}
    if weapon.bonus.flat > 0:
        choices["flat bonuses on the first roll"] = "0"
    act(session, f"attack:bob:{arm.id}", faces=[[6], [3] * (dice - 1)], choices=choices)
    assert events(session, "Attacked")[0].damage == 3 * (dice - 1) + weapon.bonus.flat
    left = sum([one.count for one in session.scene["ann"].status.belongings if one.item == weapon.ammunition])
    assert left == (19 if weapon.ammunition and use == "ranged_combat.attack" else 0)


@pytest.mark.rule("stage.gap.equipment.weapons", "stage.close_combat.parry")
@each_case("weapon", [one for one in library().of(Weapon) if one.parry is not None])
def test_every_melee_weapon_parries_with_its_bonus(weapon: Weapon) -> None:
    session, _ = armed(weapon)
    parry = next(way for way in defences(session.scene, "ann", "bob", melee=True).ways if way.name == "parry")
    assert weapon.parry is not None
    assert (parry.dice, parry.flat) == (2 + weapon.parry.dice, weapon.parry.flat)


@pytest.mark.rule("stage.ranged_combat.attack")
@pytest.mark.parametrize("ammunition", library().of(Ammunition), ids=lambda one: one.id)
def test_without_ammunition_nothing_is_shot(ammunition: Ammunition) -> None:
    weapon = next(one for one in library().of(Weapon) if one.ammunition == ammunition.id)
    session, arm = armed(weapon)
    empty = duel(session.scene["ann"].character.changed(belongings=(ItemStack(weapon.id, place="hands"),)), somebody(1))
    refused("no ammunition is left", act, empty, f"attack:bob:{arm.id}")


@pytest.mark.rule("stage.gap.equipment.armour", "stage.equipment.armor")
@pytest.mark.parametrize("armour", library().of(Armour), ids=lambda one: one.id)
def test_every_armour_stops_what_it_can(armour: Armour) -> None:
    worn = ItemStack(armour.id, place="hand" if armour.is_shield else "worn")
    session = duel(somebody(2, has=["spear@hand"]), somebody(2).changed(belongings=(worn,)), theirs={"ap": 0})
    assert most_defense_points(session.scene, "bob") == armour.max_defense_points
    assert resistance_of(session.scene, "bob", "body") == armour.resistance
    choices = {"dice for the first roll": "1", "how to defend": "nothing", "block": "block"}
    act(session, "attack:bob:spear", faces=[[6], [6, 6], [6, 6]], choices=choices)
    stopped = min(12, armour.max_defense_points) + armour.resistance
    assert events(session, "Attacked")[0].damage == max(0, 12 - stopped)


@pytest.mark.rule("stage.poison.table", "stage.poison.effect")
@pytest.mark.parametrize("ailment", library().of(Ailment), ids=lambda one: one.id)
def test_every_ailment_strikes_after_its_incubation(ailment: Ailment) -> None:
    session = session_with([place(somebody(5), "party", who="ann")], begun=False)
    dice = ailment.incubation.dice
    go(session, "stage.infect", who="ann", ailment=ailment.id, faces=[[1] * dice] if dice else [])
    unit = {"round": 1, "hour": 300, "day": 7_200, "week": 50_400}[ailment.incubation.unit]
    after = unit * (dice or ailment.incubation.number)
    go(session, "table.pass_time", amount=f"{after - 1} rounds" if after > 1 else "0 rounds")
    go(session, "table.rule", who="ann", field=ailment.against[0], value="0", reason="weak")
    go(session, "table.rule", who="ann", field=ailment.against[1], value="1", reason="weak")
    before = status(session)
    struck = [[6] * ailment.low, *[[2] * number for number in ailment.damage.values() if number]]
    go(session, "table.pass_time", amount="1 round", faces=struck)
    now = status(session)
    assert now.counters == ailment.counters
    lost = {
        "body": before.stamina + before.vitality - now.stamina - now.vitality,
        "mind": before.intellect + before.sanity - now.intellect - now.sanity,
        "soul": before.will + before.spirit - now.will - now.spirit,
    }
    attacked = {"stamina": "body", "intellect": "mind", "will": "soul"}[ailment.against[0]]
    most = {kind: 1 if kind == attacked else 2 for kind in lost}
    assert lost == {kind: min(most[kind], 2 * ailment.damage.get(kind, 0)) for kind in lost}


@pytest.mark.rule("stage.poison.cure", "stage.poison.effect")
def test_an_antidote_cures_at_once_and_what_was_done_fades() -> None:
    weak = somebody(guile=1, academics=1, survival=1)
    session = session_with([place(weak, "party", who="ann")], begun=False)
    go(session, "stage.infect", who="ann", ailment="skinflake_disease", faces=[[1]])
    go(session, "table.pass_time", amount="1 day", faces=[[6, 6]])
    assert status(session).counters == 1
    go(session, "stage.antidote", who="ann", ailment="skinflake_disease")
    assert status(session).sicknesses[0].cured
    go(session, "table.pass_time", amount="23 hours")
    assert status(session).counters == 1
    go(session, "table.pass_time", amount="1 hour")
    assert (status(session).counters, status(session).sicknesses) == (0, ())
    refused("does not carry ", go, session, "stage.antidote", who="ann", ailment="skinflake_disease")


@pytest.mark.rule("stage.trap.table", "stage.trap.attack", "stage.trap.spot")
@pytest.mark.parametrize("trap", library().of(Trap), ids=lambda one: one.id)
def test_every_trap_is_noticed_or_strikes(trap: Trap) -> None:
    def people() -> Any:
        return session_with([place(somebody(2), "party", who=who, ap=0) for who in ("ann", "bob")], begun=False)

    noticed = people()
    go(noticed, "stage.trap", who="ann", kind=trap.id, faces=[[trap.detect - 1, 1]])
    assert (noticed.result, events(noticed, "Attacked")) == (False, [])
    caught = people()
    low = [[trap.detect - 2, 1]] if trap.detect > 2 else [[1, 1]]
    blows = [[6] * trap.first_dice, [3] * trap.second_dice] * (2 if trap.everybody else 1)
    choices = {"how to defend": ["nothing"] * (2 if trap.everybody else 1)} if trap.melee else {}
    go(caught, "stage.trap", who="ann", kind=trap.id, faces=[*low, *blows], choices=choices)
    assert [one.who for one in events(caught, "Attacked")] == (["ann", "bob"] if trap.everybody else ["ann"])
    assert {one.damage for one in events(caught, "Attacked")} == {3 * trap.second_dice}
