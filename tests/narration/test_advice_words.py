"""The words of advice beside the figures that stand on the same line."""

from __future__ import annotations

from fractions import Fraction

import pytest

from narration.samples import play_on
from tablewright.cli.views.turn_advice import RankedOption, draw_ranked, draw_turn
from tablewright.engine import Choice
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.game.session.promises import Figure
from tablewright.lab.fights.forecast import weigh_turn
from tablewright.lab.fights.turn_advice import advise_turn


def option(label: str, hits: int, value: float, cost: str = "") -> RankedOption:
    """An option that hits so many times in a hundred."""
    promise = f"hits {hits}%"
    figures = (Figure("demo.attack", "hit", Fraction(hits, 100), is_chance=True),)
    return RankedOption(label, promise, cost, value, f"{promise}|{cost}", figures)


def drawn(capsys: pytest.CaptureFixture[str], *rows: RankedOption) -> list[str]:
    """The lines of the advice."""
    draw_ranked("Ann", rows)
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_options_of_one_value_with_the_same_figures_are_as_good(capsys: pytest.CaptureFixture[str]) -> None:
    lines = drawn(capsys, option("Hit the rat", 60, 5), option("Hit the cat", 60, 5), option("Wait", 10, 1))
    assert lines[0] == "Best for Ann: hit the rat, or another that is as good."
    assert lines[2] == "Hit the cat hits 60% as good"


@pytest.mark.parametrize("other", [option("Hit the cat", 40, 5), option("Hit the cat", 60, 5, "1 AP")])
def test_no_option_is_as_good_beside_another_figure_or_cost(
    capsys: pytest.CaptureFixture[str], other: RankedOption
) -> None:
    lines = drawn(capsys, option("Hit the rat", 60, 5), other, option("Wait", 10, 1))
    assert lines[0] == "Best for Ann: hit the rat, with another rated the same."
    assert lines[2].endswith("rated the same")


def test_options_that_no_value_tells_apart_are_left_to_the_player(capsys: pytest.CaptureFixture[str]) -> None:
    lines = drawn(capsys, option("Hit the rat", 60, 5), option("Hit the cat", 40, 5))
    assert lines == [
        "The rules do not say which of these is better. Your call.",
        "Hit the rat hits 60%",
        "Hit the cat hits 40%",
    ]


def test_a_best_option_with_smaller_figures_is_the_best_on_balance(capsys: pytest.CaptureFixture[str]) -> None:
    lines = drawn(capsys, option("Hit the rat", 40, 9), option("Hit the cat", 60, 5), option("Wait", 10, 1))
    assert lines[0] == "Best for Ann, on balance: hit the rat, clearly."
    assert lines[2] == "Hit the cat hits 60% much worse on balance"
    assert lines[3] == "Wait hits 10% much worse"


def test_an_action_that_leads_to_a_further_menu_is_never_called_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    """Only the default behind it was weighed: no star, and no grade."""
    session = open_session(load_scenario("mars:even"), seed=7)
    begin_encounter(session)
    play_on(session, lambda now: isinstance(now.question, Choice) and now.question.key == "what now?")
    advice = advise_turn(session)
    menus = {one.id for one in advice.offers if one.is_menu}
    assert "improvise" in menus
    assert max(advice.offers, key=lambda one: one.value).id == "improvise"
    assert advice.best.id not in menus
    assert weigh_turn(session, seat=session.seat).best == advice.best.id
    draw_turn(advice, session, session.seat or "")
    (told,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Improvise")]
    assert told.rstrip().endswith("depends on what follows")
