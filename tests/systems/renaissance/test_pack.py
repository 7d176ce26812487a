"""The pack, options, processes and mechanics of Renaissance are the reviewed ones, with all figures and defaults."""

from __future__ import annotations

import pytest

from systems.packs import cases, check

MARKS = {
    "skills": pytest.mark.rule("renaissance.gap.skill.list", "renaissance.gap.skill.martial"),
    "languages": pytest.mark.rule("renaissance.gap.language.groups"),
    "races": pytest.mark.rule("renaissance.gap.language.groups"),
    "weapons": pytest.mark.rule("renaissance.natural.attacks", "renaissance.gap.chemical.list"),
    "gear": pytest.mark.rule("renaissance.gap.money.prices"),
    "chemicals": pytest.mark.rule("renaissance.gap.chemical.list", "renaissance.gap.money.prices"),
    "classes": pytest.mark.rule("renaissance.gap.class.list"),
    "spirits": pytest.mark.rule("renaissance.gap.magic.spirits"),
    "creatures": pytest.mark.rule("renaissance.gap.creature.list"),
}


@pytest.mark.parametrize("kind", cases("renaissance", MARKS))
def test_offered_options_are_those_reviewed(kind: str) -> None:
    check("renaissance", kind)
