"""Regressions that long runs of random play have found."""

from __future__ import annotations

import pytest

from systems.marchen.fights import begun, duel, fighter
from systems.marchen.people import OPTIONS, options, somebody, template
from tablewright.systems.marchen.character.figures import figures, threshold
from tablewright.systems.marchen.now import body
from tablewright.systems.marchen.values import ASPECTS


@pytest.mark.rule("marchen.gap.threshold.size")
def test_nobody_has_a_threshold_of_nothing_on_the_long_scale() -> None:
    using = options(score_scale="cepheus")
    for one in (somebody(), template("wolf"), template("ghost")):
        for aspect in ASPECTS:
            assert threshold(one, aspect, using).total >= 4
            assert figures(one, using).thresholds[aspect] == threshold(one, aspect, using).total
    assert body(begun(duel(fighter("Ann"), score_scale="cepheus")).scene, "ann", "physical").bearing.threshold == 4
    assert threshold(somebody(), "physical", OPTIONS).total == 12
