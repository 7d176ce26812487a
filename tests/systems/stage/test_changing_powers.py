"""Powers that change powers: borrowed, passed on, for more targets, past the cap, replaced by a better one."""

from __future__ import annotations

import pytest

from systems.stage.people import alone, library, somebody
from systems.stage.test_powers import ROWS, id_of, of_type
from tablewright.engine.tally import Part
from tablewright.systems.stage.effects import usable
from tablewright.systems.stage.modifiers import rolled


@pytest.mark.rule("stage.power_effect.share_power")
@pytest.mark.parametrize("name", of_type("share_power"))
def test_an_allys_power_is_borrowed(name: str) -> None:
    wanted = [id_of(each) for each in ROWS[name]["effect"]["powers"]]
    mine = (id_of(name),)
    assert not set(wanted) & set(usable(mine, library()))
    lent = usable(mine, library(), lenders=[("bob", (wanted[0],)), ("cy", ("thief",))])
    assert lent[wanted[0]].lender == "bob"
    assert lent[wanted[0]].via == id_of(name)
    assert "thief" not in lent
    own = usable((*mine, wanted[0]), library(), lenders=[("bob", (wanted[0],))])
    assert own[wanted[0]].lender == ""


@pytest.mark.rule("stage.power_effect.bestow")
@pytest.mark.parametrize("name", of_type("bestow"))
def test_a_benefit_is_passed_on(name: str) -> None:
    effect = ROWS[name]["effect"]
    (given,) = [id_of(each) for each in effect["powers"]]
    one = usable((given, id_of(name)), library())[given]
    assert (one.instead, one.also) == (effect["mode"] == "instead", effect["mode"] == "also")
    assert dict(one.each) == ({"will": 1} if one.also else {})
    plain = usable((given,), library())[given]
    assert (plain.instead, plain.also) == (False, False)


@pytest.mark.rule("stage.power_effect.more_targets")
@pytest.mark.parametrize("name", of_type("more_targets"))
def test_more_targets_for_a_price(name: str) -> None:
    effect = ROWS[name]["effect"]
    for each in effect["powers"]:
        one = usable((id_of(each), id_of(name)), library())[id_of(each)]
        assert one.more is not None
        assert dict(one.more) == dict(effect["cost_per_target"])
        assert usable((id_of(each),), library())[id_of(each)].more is None


@pytest.mark.rule("stage.power_effect.bonus_cap_up")
def test_bonuses_may_pass_the_cap() -> None:
    for names, cap in ((("morale",), 2), (("art_of_war",), 4), (("morale", "art_of_war"), 4), ((), 0)):
        assert usable(("inspiring_art", *names), library())["inspiring_art"].cap == cap
    few = somebody(guile=1, creativity=1)
    for cap_up, total in ((0, 1), (2, 3), (4, 5)):
        flat = rolled(alone(few), "guile.sneak", flat=[Part("inspired", 5, None, "special")], cap_up=cap_up).flat
        assert flat.total == total


def test_a_better_power_replaces_another() -> None:
    assert set(usable(("item_affinity", "improved_item_affinity"), library())) == {"improved_item_affinity"}
