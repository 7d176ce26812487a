"""Named checks of people who are in a fight: what takes dice from them is what takes dice from every roll there."""

from __future__ import annotations

import pytest

from systems.opend6 import fights
from systems.opend6.people import arguments, planned
from systems.playing import answer
from tablewright.game.session import Session
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.status import wound_penalty


def lost_in(session: Session, what: str) -> int:
    """The dice that a check of somebody in a fight lacks."""
    subject = rulebook.subject(session.scene["a"], session.scene)
    own = arguments(rulebook.check(what).read(subject, {}))["code"]
    return int(arguments(planned(subject.character, what))["code"].dice - own.dice)


@pytest.mark.rule("opend6.gap.manoeuvre.list")
def test_a_check_of_agility_in_a_fight_is_off_balance_once() -> None:
    session = fights.begin(fights.HERO, fights.FOE)
    fights.ruled(session, "a", "unbalanced", "2")
    found = [lost_in(session, what) for what in ("dodge", "stamina", "agility")]
    assert found == [2, 0, 2]
    session.do("table.check", who="a", what="stamina")
    session.roll()
    assert session.scene["a"].status.unbalanced == 2
    session.do("table.check", who="a", what="dodge")
    session.roll()
    assert session.scene["a"].status.unbalanced == 0


@pytest.mark.rule("opend6.gap.wound.stunned")
@pytest.mark.parametrize(("value", "dice"), [("penalty", 1), ("defend_only", 0)])
def test_a_stun_takes_the_same_from_checks_as_from_fights(value: str, dice: int) -> None:
    session = fights.begin(fights.FOE, fights.HERO, options={"injury.stunned": value})
    first = "b" if session.seat == "b" else "a"
    deeds = ["1", "slash:a:short_sword", fights.HIT, [3, 3, 3], [4, 4, 4]]
    answer(session, *(deeds if first == "b" else ["1", "stop", *deeds]))
    assert (lost_in(session, "stamina"), wound_penalty(session.scene, "a")) == (dice, dice)
