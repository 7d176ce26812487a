"""The page on the powers of The Stage has every power with what it does and a test that shows it."""

from __future__ import annotations

from systems.stage.people import library
from systems.stage.power_page import PAGE as PAGE_OF_POWERS
from systems.stage.power_page import shown_by, written
from tablewright.systems.stage.effects import Power


def test_the_list_of_powers_says_what_each_changes_and_which_test_shows_it() -> None:
    assert PAGE_OF_POWERS.read_text(encoding="utf-8") == written(), "python -m systems.stage.power_page writes it again"
    assert len(library().of(Power)) == 288 + 63
    assert [one.id for one in library().of(Power) if not shown_by(one)] == []
