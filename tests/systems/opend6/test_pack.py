"""The starter pack of OpenD6 is the reviewed one: every entry, and what its models say by default."""

from __future__ import annotations

import pytest

from systems.packs import cases, check

MARKS = {
    "skills": pytest.mark.rule("opend6.gap.skill.list", "opend6.gap.skill.extranormal"),
    "weapons": pytest.mark.rule("opend6.gap.weapon.edges"),
    "abilities": pytest.mark.rule("opend6.gap.ability.cost"),
}


@pytest.mark.parametrize(("kind", "rule"), cases("opend6", MARKS))
def test_the_pack_is_the_reviewed_one(kind: str, rule: str) -> None:
    check("opend6", kind, rule)
