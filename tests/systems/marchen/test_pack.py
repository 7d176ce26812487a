"""The pack, options, processes and mechanics of Märchen Engine are the reviewed ones, with all figures and defaults."""

from __future__ import annotations

import pytest

from systems.packs import cases, check

MARKS = {
    "careers": pytest.mark.rule("marchen.gap.career.list"),
    "weapons": pytest.mark.rule("marchen.gap.weapon.list", "marchen.gap.belongings.market"),
    "armour": pytest.mark.rule("marchen.gap.armour.list"),
    "gear": pytest.mark.rule("marchen.gap.belongings.market"),
    "skills": pytest.mark.rule("marchen.skill.task_tables"),
}


@pytest.mark.parametrize("kind", cases("marchen", MARKS))
def test_offered_options_are_those_reviewed(kind: str) -> None:
    check("marchen", kind)
