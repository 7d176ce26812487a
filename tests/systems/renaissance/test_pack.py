"""The starter pack of Renaissance is the reviewed one: every entry, and what its models say by default."""

from __future__ import annotations

import pytest

from systems.packs import cases, check

MARKS = {
    "skills": pytest.mark.rule("renaissance.gap.skill.list"),
    "languages": pytest.mark.rule("renaissance.gap.language.groups"),
    "races": pytest.mark.rule("renaissance.gap.language.groups"),
    "weapons": pytest.mark.rule("renaissance.natural.attacks", "renaissance.gap.chemical.list"),
    "gear": pytest.mark.rule("renaissance.gap.money.prices"),
    "chemicals": pytest.mark.rule("renaissance.gap.chemical.list", "renaissance.gap.money.prices"),
    "classes": pytest.mark.rule("renaissance.gap.class.list"),
    "spirits": pytest.mark.rule("renaissance.gap.magic.spirits"),
    "creatures": pytest.mark.rule("renaissance.gap.creature.list"),
}


@pytest.mark.parametrize(("kind", "rule"), cases("renaissance", MARKS))
def test_the_pack_is_the_reviewed_one(kind: str, rule: str) -> None:
    check("renaissance", kind, rule)
