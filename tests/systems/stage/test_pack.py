"""The pack, options, processes and mechanics of The Stage are the reviewed ones, with all figures and defaults."""

from __future__ import annotations

import pytest

from systems.packs import cases, check

MARKS = {
    "powers": pytest.mark.rule("stage.power.vocabulary", "stage.power.announce", "stage.power.format"),
    "weapons": pytest.mark.rule("stage.gap.equipment.weapons"),
    "spells": pytest.mark.rule("stage.gap.magic.spells", "stage.magic.types"),
    "enchantments": pytest.mark.rule("stage.gap.magic.enchantments"),
    "armours": pytest.mark.rule("stage.gap.equipment.armour"),
    "gear": pytest.mark.rule("stage.gap.equipment.supplies"),
    "locks": pytest.mark.rule("stage.gap.equipment.locks", "stage.equipment.complexity"),
    "vehicles": pytest.mark.rule("stage.gap.mount.vehicles"),
    "ailments": pytest.mark.rule("stage.poison.table"),
    "traps": pytest.mark.rule("stage.trap.table", "stage.trap.trigger"),
}


@pytest.mark.parametrize("kind", cases("stage", MARKS))
def test_offered_options_are_those_reviewed(kind: str) -> None:
    check("stage", kind)
