"""Smaller things: powers for a deflection, loads without gravity, ammunition on things, traps that are spoilt."""

from __future__ import annotations

import pytest

from systems.playing import answer, events, status
from systems.stage.fights import act, duel, offered, place
from systems.stage.people import session_of, somebody
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.systems.stage.actions.aim import blocks
from tablewright.systems.stage.values import HOUR


@pytest.mark.rule("stage.defense.deflect", "stage.power_effect.skill_die", "stage.power_effect.skill_level_flat")
def test_powers_can_be_announced_for_a_deflection() -> None:
    cat = somebody(3, powers=("defender", "dynamics"), has=["mail_shirt@worn"])
    session = duel(somebody(3, has=["spear@hand"]), somebody(1), place(cat, "foes", who="cat"))
    ways = {way.name: (way.dice, way.flat) for way in blocks(session.scene, "bob", "body").deflections}
    assert ways["deflect"] == (3, 0)
    assert ways["deflect+defender+dynamics"] == (4, 3)
    choices = {"dice for the first roll": "2", "how to defend": "nothing", "deflect": "deflect+defender"}
    act(session, "attack:bob:spear", faces=[[6, 6], [6, 6], [1, 1, 1, 1]], choices=choices)
    assert events(session, "Attacked")[0].damage == 12 - 4 - 1  # and the mail's Resistance
    assert (status(session, "cat").stamina, status(session, "cat").ap) == (22, 2)


@pytest.mark.rule("stage.environment.gravity", "stage.encumbrance.loads")
@pytest.mark.parametrize(("gravity", "takes"), [("normal", False), ("zero", True)])
def test_nothing_is_too_heavy_to_take_up_in_zero_gravity(gravity: str, takes: bool) -> None:
    weak = somebody(agility=1, perception=1, academics=1).changed(belongings=(ItemStack("large_shield", place="hand"),))
    session = duel(weak, somebody(1), facts=Facts().set("gravity", "ann", gravity))
    act(session, "drop::large_shield")
    ann = session.scene["ann"].status.belongings
    assert ann == ()
    heavy = session.scene.with_status("ann", belongings=(ItemStack("mail_shirt", place="pack"),))
    uses = [use.id for use in session.rulebook.actions.options(heavy, "ann")]
    assert ("take_up::large_shield" in uses) is takes
    assert offered(session)


@pytest.mark.rule("stage.gap.attack.objects", "stage.ranged_combat.attack")
def test_a_shot_at_a_thing_uses_up_an_arrow() -> None:
    archer = somebody(2, name="Ann").changed(
        belongings=(ItemStack("bow", place="hands"), ItemStack("arrow", place="belt", count=1))
    )
    session = session_of({"ann": archer})
    session.do("stage.break_object", who="ann", thing="club", weapon="bow")
    answer(session, "3", [6, 6, 6])
    assert session.result == 1
    assert [one.item for one in session.scene["ann"].belongings] == ["bow"]
    with pytest.raises(IllegalActionError, match="no ammunition"):
        session.do("stage.break_object", who="ann", thing="club", weapon="bow")


@pytest.mark.rule("stage.trap.disarm", "stage.crafts.sabotage")
@pytest.mark.parametrize(("second", "done"), [(1, False), (2, True)])
def test_a_trap_is_spoilt_once_its_integrity_is_gone(second: int, done: bool) -> None:
    session = session_of({"ann": somebody(4, name="Ann", has=["crafts_kit"])})
    session.do("stage.disarm_trap", who="ann", kind="arrow_trap", spoil=True)  # Size 5, Complexity 5, Integrity 2
    answer(session, "3", [3, 3, 4], [second])
    assert session.result is done
    assert session.scene.clock.now == HOUR


@pytest.mark.rule("stage.trap.disarm", "stage.power_effect.time_factor")
def test_a_character_who_fails_to_spoil_a_trap_has_lost_an_hour_or_half_of_it() -> None:
    people = {"ann": somebody(4, name="Ann", has=["crafts_kit"]), "bob": somebody(2, powers=("engineering_squad",))}
    session = session_of(people)
    session.do("stage.disarm_trap", who="ann", kind="arrow_trap", spoil=True, helped_by=["bob"])
    answer(session, "1", [6])
    assert session.result is False
    assert session.scene.clock.now == HOUR // 2


# ---------------------------------------------------------------------- hours


@pytest.mark.rule("stage.magic.focus", "stage.gap.magic.focus")
def test_spells_are_prepared_in_a_rest() -> None:
    mage = somebody(2, name="Ann", spells=("flare", "ward"), powers=("focus",), has=["wand@hand"])
    session = session_of({"ann": mage.changed(wounds=mage.wounds.changed(intellect=1))})
    session.do("stage.prepare", who="ann", spells=["flare", "ward"], item="wand")
    assert session.scene.clock.now == 8 * HOUR
    assert session.scene["ann"].character.prepared == ("flare", "ward")
    assert session.scene["ann"].status.intellect == 16


@pytest.mark.rule("stage.power_effect.item_bonus")
def test_a_lost_item_is_replaced_by_one_that_was_used_for_eight_hours() -> None:
    ann = somebody(
        3, name="Ann", powers=("item_affinity",), choices={"item_affinity": ["spear"]}, has=["spear", "club"]
    )
    session = session_of({"ann": ann})
    with pytest.raises(IllegalActionError, match="Spear is not lost"):
        session.do("stage.get_used_to", who="ann", power="item_affinity", item="club")
    lost = session_of({"ann": ann.changed(belongings=(ItemStack("club"),))})
    with pytest.raises(IllegalActionError, match="not among the belongings"):
        lost.do("stage.get_used_to", who="ann", power="item_affinity", item="dagger")
    with pytest.raises(IllegalActionError, match="not bought for an item"):
        lost.do("stage.get_used_to", who="ann", power="style", item="club")
    lost.do("stage.get_used_to", who="ann", power="item_affinity", item="club")
    assert lost.scene.clock.now == 8 * HOUR
    assert lost.scene["ann"].character.choices["item_affinity"] == ("club",)


@pytest.mark.rule("stage.gap.recovery.waking", "stage.healing.surface")
@pytest.mark.parametrize(("cause", "wakes"), [("drowning", True), ("cold", True), ("knocked out", False)])
def test_a_rest_wakes_who_has_fainted(cause: str, wakes: bool) -> None:
    ann = somebody(2, name="Ann")
    session = session_of({"ann": ann.changed(wounds=ann.wounds.changed(stamina=0, unconscious=cause))})
    session.do("stage.rest", who="ann")
    assert (session.scene["ann"].status.unconscious == "") is wakes
