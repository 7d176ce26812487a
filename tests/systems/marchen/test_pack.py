"""The starter pack of Märchen Engine is the reviewed one: every entry, and what its models say by default."""

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


@pytest.mark.parametrize(("kind", "rule"), cases("marchen", MARKS))
def test_the_pack_is_the_reviewed_one(kind: str, rule: str) -> None:
    check("marchen", kind, rule)
