"""The pack, options, processes and mechanics of OpenD6 are the reviewed ones, with all figures and defaults."""

from __future__ import annotations

import pytest

from systems.packs import cases, check

MARKS = {
    "skills": pytest.mark.rule("opend6.gap.skill.list", "opend6.gap.skill.extranormal"),
    "weapons": pytest.mark.rule("opend6.gap.weapon.edges"),
    "abilities": pytest.mark.rule("opend6.gap.ability.cost"),
}


@pytest.mark.parametrize("kind", cases("opend6", MARKS))
def test_offered_options_are_those_reviewed(kind: str) -> None:
    check("opend6", kind)
