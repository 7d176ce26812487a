"""Processes refused in fights and for the fallen; duration, reach and mending of spells."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import events
from systems.stage.fights import act, duel, offered
from systems.stage.people import somebody
from tablewright.game.values import Ranks
from tablewright.systems.stage.chapters.spells import upkeeps


@pytest.mark.rule("stage.power_effect.spell_modifier")
def test_effects_can_be_extended_and_their_reach_expanded() -> None:
    spells = ("healing_touch", "flare", "ward", "stoneskin", "spirit_guardian")
    session = duel(somebody(6, spells=spells, powers=("extend_spell", "expand_spell")), somebody(1))
    details = [use.rpartition(":")[2] for use in offered(session) if "+" in use and use.startswith("cast")]
    changed = {(one.partition("+")[0].partition("=")[0], one.partition("+")[2]) for one in details}
    longer = {(spell, "extend_spell") for spell in ("ward", "stoneskin", "spirit_guardian")}
    assert changed == longer | {("flare", "expand_spell")}


@pytest.mark.rule("stage.power_effect.spell_modifier", "stage.magic.concentration")
@pytest.mark.parametrize(("spell", "track"), [("ward", "intellect"), ("stoneskin", "stamina"), ("shove", "will")])
def test_battle_mages_pay_from_the_track_of_the_spell(spell: str, track: str) -> None:
    session = duel(somebody(6, powers=("battle_mage",)), somebody(1))
    assert dict(upkeeps(session.scene, "ann", spell)["battle_mage"].amounts) == {track: 1}


@pytest.mark.rule("stage.power_effect.dodge_extra", "stage.equipment.attack_rating")
@pytest.mark.parametrize(("made", "weapon", "dice"), [(1, "great sword", 8), (2, "unarmed", 6)])
def test_a_counter_keeps_to_the_attack_rating(made: int, weapon: str, dice: int) -> None:
    bob = somebody(6, powers=("counter",), has=["great_sword@hands"])
    session = duel(somebody(1, has=["spear@hand"]), bob, theirs={"attacks": Ranks({"great_sword": made})})
    choices: dict[str, Any] = {"dice for the first roll": ["1", str(dice)], "how to defend": ["dodge", "nothing"]}
    choices["move after"] = "strike_back:ann"
    act(session, "attack:bob:spear", faces=[[6] * 6, [1], [6] * dice], choices=choices)
    assert [event.what for event in events(session, "Attacked")] == ["spear", weapon]
