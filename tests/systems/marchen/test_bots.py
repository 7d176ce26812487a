"""Bots: foresight is exact, and hidden facts do not trip them up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.marchen.fights import begun, duel, fighter, ruled
from systems.marchen.people import book, hurt
from systems.playing import answer, chances, status
from tablewright.engine import Choice, advise
from tablewright.engine.advice import value_options
from tablewright.engine.odds import expected_value, forget
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import after_action, careful, find_policy, play_to_end
from tablewright.game.session.session import Session
from tablewright.systems.marchen import bots
from tablewright.systems.marchen.mechanics import attack
from tablewright.systems.marchen.mechanics.attack import Swing, mean_harm, strike, struck
from tablewright.systems.marchen.mechanics.harm import Body
from tablewright.systems.marchen.now import advantage_now, arms_of


def moments(name: str, seed: int, every: int, **options: Any) -> list[tuple[Session, Choice[Any]]]:
    """Sessions at some moments of a fight in which a participant acts."""
    session = open_session(load_scenario(f"marchen:{name}"), seed=seed)
    for option, value in options.items():
        session.do("table.set_option", name=option, value=value, reason="a test")
    session.do("marchen.encounter")
    found = 0
    seen: list[tuple[Session, Choice[Any]]] = []
    while (asked := session.question) is not None and len(seen) < 3:
        if not isinstance(asked, Choice):
            session.roll()
            continue
        if asked.question == "what now?":
            found += 1
            if found % every == 0:
                seen.append((session, asked))
                compare(session, asked)
        session.choose(asked.ids[careful(session, asked)])
    return seen


def compare(session: Session, asked: Choice[Any]) -> None:
    """Of each kind of attack that is open, one is foreseen and played through: the same scenes, equally likely."""
    who = str(asked.details["who"])
    scene = book().supposed_by(session.scene, session.scene[who].side)
    uses = {use.action: use for use in asked.options if isinstance(use, ActionUse)}
    for use in uses.values():
        known = book().foresee(scene, who, use)
        if known is None:
            continue
        assert chances(known) == chances(after_action(book(), scene, who, use))


@pytest.mark.parametrize(
    ("name", "seed", "every", "options"),
    [
        ("together", 3, 7, {}),
        ("even", 4, 11, {}),
        ("together", 5, 5, {"core": "D20", "opposed_tie": "fail_in_style"}),
    ],
)
def test_forecasts_equal_play(name: str, seed: int, every: int, options: dict[str, str]) -> None:
    assert len(moments(name, seed, every, **options)) == 3


def test_the_best_bot_fights_to_the_end() -> None:
    session = begun(duel())
    assert play_to_end(session, {}, otherwise=find_policy("best"))
    assert session.scene.ended is not None


@pytest.mark.rule("marchen.gap.threshold.hurt")
def test_of_others_a_side_supposes_what_anybody_sees() -> None:
    session = ruled(duel(), "bob", physical=7, mental=3, social=2, spiritual=1, hindered=True)
    ruled(session, "ann", physical=7, mental=3)
    seen = book().supposed_by(session.scene, "party")
    bob = seen["bob"].status
    assert (bob.physical, bob.mental, bob.social, bob.spiritual) == (6, 0, 0, 0)  # hurt: half of what he can take
    assert (bob.conditions, bob.nexts, bob.hindered, bob.plan) == ((), (), False, "")
    assert seen["ann"].status == status(session)
    looks = {0: 0, 1: 3, 5: 3, 6: 6, 12: 6, 13: 13}
    for taken, supposed in looks.items():
        scene = ruled(duel(), "bob", physical=taken).scene
        assert book().supposed_by(scene, "party")["bob"].status.physical == supposed


# ---------------------------------------------------------------------- deeds of the spirit


def rating(session: Session, use: ActionUse) -> Any:
    """The rating of an option for Ann."""
    return book().rate_use(session.scene, "ann", use)


@pytest.mark.rule("marchen.gap.casting.depths", "marchen.gap.casting.level", "marchen.gap.threshold.hurt")
def test_a_deed_promises_what_the_specialization_behind_it_and_the_foes_hurts_make_likely() -> None:
    heal, harm = ActionUse("cast_heal", "ann", "shape"), ActionUse("cast_harm", "bob", "shape")
    known: dict[str, Any] = {"skills": {"theurgy": 2}, "wounds": hurt(physical=9)}
    plain, deep = duel(fighter("Ann", **known)), duel(fighter("Ann", specials=[("theurgy", "Rites", 4)], **known))
    assert rating(deep, heal).safety > rating(plain, heal).safety
    assert rating(deep, harm).harm > rating(plain, harm).harm
    weak = duel(fighter("Ann", **known), fighter("Bob", wounds=hurt(physical=11)))  # about to fall
    assert rating(weak, harm).harm > rating(plain, harm).harm


@pytest.mark.rule("marchen.fight.control", "marchen.ounces.turn_the_tide")
def test_turning_the_tide_promises_more_harm_than_a_strike() -> None:
    session = duel()
    strike, tide = [rating(session, ActionUse(how, "bob", "sword")) for how in ("strike", "turn_the_tide")]
    assert tide.harm > strike.harm


@pytest.mark.rule("marchen.gap.casting.price", "marchen.interrupted.trigger")
def test_nobody_of_sense_does_a_deed_that_breaks_the_spirit() -> None:
    use = ActionUse("cast_heal", "ann", "shape")
    known: dict[str, Any] = {"skills": {"theurgy": 2}}
    for spirit, dear in ((11, False), (12, True)):  # 12 is what can be taken
        session = duel(fighter("Ann", wounds=hurt(physical=9, spiritual=spirit), **known))
        assert (rating(session, use).cost > 20) == dear


@pytest.mark.rule("marchen.gap.range.threatened", "marchen.gap.movement.metres")
@pytest.mark.parametrize("policy", ["careful", "aggressive"])
def test_a_character_who_shoots_steps_away_from_foes_first(policy: str) -> None:
    scenario = load_scenario("marchen:even")
    near = tuple([replace(one, position=cell(8, 10)) if one.id == "gretel" else one for one in scenario.entrants])
    near = tuple([replace(one, position=cell(9, 10)) if one.id == "bandit" else one for one in near])
    session = open_session(replace(scenario, entrants=near), seed=1)
    session.do("marchen.encounter")
    named = find_policy(policy)
    did: list[str] = []
    while (asked := session.question) is not None and len(did) < 2:
        if not isinstance(asked, Choice):
            session.roll()
        elif asked.question == "what now?" and asked.details["who"] == "gretel":
            did.append(asked.ids[named(session, asked)])
            session.choose(did[-1])
        else:
            session.choose("hold" if asked.question == "what now?" else asked.ids[0])
    assert did[0] == "move::away"
    assert did[1].endswith(":bow")
    assert advantage_now(session.scene, "gretel", arms_of(session.scene, "gretel")["bow"]) == "none"


def look_at_a_strike() -> dict[str, Any]:
    """The same strike in play, in odds, in advice and as bots rate it, without anything remembered."""
    forget()
    mean_harm.cache_clear()
    bots._strike_promise.cache_clear()
    session = begun(duel())
    use = ActionUse("strike", "bob", "sword")
    rating = bots.rate(session.scene, "ann", use)
    foreseen_harm = {after["bob"].status.physical for after, _ in book().foresee(session.scene, "ann", use) or []}
    answer(session, use.id)
    weighed = value_options(session.question) if isinstance(session.question, Choice) else None
    assert weighed is not None
    answer(session, "none", [5, 5], [1, 1, 1], [1, 2])
    return {
        "play": status(session, "bob").physical,
        "odds": expected_value(struck(Swing(0, 3), Body()), "damage"),
        "advice": advise(strike(dodge=1)).value,
        "what a bot expects": rating.harm,
        "how a bot weighs reactions": [option.value for option in weighed.options],
        "looking ahead": max(foreseen_harm),
    }


@pytest.mark.rule("marchen.gap.damage.formula")
def test_one_change_of_a_rule_is_seen_in_play_odds_advice_and_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    before = look_at_a_strike()
    usual = attack.bonus_of
    monkeypatch.setattr(attack, "bonus_of", lambda *given: usual(*given) + 3)
    after = look_at_a_strike()
    assert after["play"] == before["play"] + 3
    assert [name for name in before if before[name] == after[name]] == []
    monkeypatch.undo()
    assert look_at_a_strike() == before
