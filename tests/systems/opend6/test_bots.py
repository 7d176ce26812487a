"""Bots: their forecasts are those of play, and what hits, defences and actions are worth to them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from systems.opend6.fights import BOW, FOE, HERO, HIT, begin, field, person, plan, ruled
from systems.opend6.people import C
from systems.playing import answer, chances
from tablewright.engine import Call, advise, odds
from tablewright.engine.odds import forget
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import after_action
from tablewright.systems.opend6 import prospects
from tablewright.systems.opend6.actions.aim import attack_call
from tablewright.systems.opend6.bots import rate, value
from tablewright.systems.opend6.mechanics import harm
from tablewright.systems.opend6.mechanics.attack import attack
from tablewright.systems.opend6.mechanics.blows import Against, Blow
from tablewright.systems.opend6.mechanics.harm import Dicing, Kept, Protection, damage_roll, injure
from tablewright.systems.opend6.mechanics.points import Purse, Throw
from tablewright.systems.opend6.mechanics.rolls import Resistance
from tablewright.systems.opend6.now import terms
from tablewright.systems.opend6.prospects import best_attack, prospect, worth_of_actions
from tablewright.systems.opend6.status import level
from tablewright.systems.opend6.values import DieCode, WoundLevel


def hurt_by(call: Call[Kept]) -> int:
    """Average worth of damage to a character unhurt, in hundredths."""
    return int(-100 * odds(call).expected(injure.objectives["spared"]))


@pytest.mark.parametrize("options", [{}, {"injury.system": "body_points"}], ids=["wounds", "body points"])
@pytest.mark.parametrize("defence", ["", "parry::short_sword", "block"])
def test_forecasts_lead_where_play_does(options: dict[str, str], defence: str) -> None:
    session = begin(HERO, person(FOE, wounds={"level": "stunned"}), FOE, options=options)
    if defence:
        session.do("opend6.move_up", who="b")
        answer(session, "1", defence, [5, 4, 4, 4])
    answer(session, "1")
    book, scene = session.rulebook, session.scene
    seen = 0
    for use in book.actions.options(scene, "a"):
        known = book.foresee(scene, "a", use) if isinstance(use, ActionUse) else None
        if known is None or not isinstance(use, ActionUse):
            continue
        seen += 1
        assert chances(known) == chances(after_action(book, scene, "a", use)), use.id
    assert seen > 10


@pytest.mark.rule("opend6.gap.attack.scale", "opend6.gap.resistance.tie", "opend6.gap.resistance.body_points")
@pytest.mark.parametrize(
    ("scale", "injury", "plus", "resists"),
    [(0, "wounds", 1, 0), (2, "wounds", 1, 2), (-2, "wounds", 3, 0), (0, "body_points", 1, 0)],
)
def test_bots_reckon_with_the_very_resistance_and_size(scale: int, injury: str, plus: int, resists: int) -> None:
    session = begin(HERO, person(FOE, belongings=[], scale=scale), options={"injury.system": injury})
    found = prospect(session.scene, "a", "b", "short_sword").promise
    own = terms(session.scene)
    against = Protection(DieCode(3), resistance_plain=resists)
    assert found.harm == hurt_by(injure(C("3D+2"), against, plain=plus, terms=own))
    if injury == "body_points":  # nothing resists
        beyond = odds(damage_roll(C("3D+2"), Resistance(DieCode(0), 0, 0), Dicing(own.how())))
        assert found.harm == int(100 * (beyond.expected(lambda over: over) + 1))
    struck = odds(attack_call(session.scene, plan(session, "short_sword")))
    assert found.hits == int(1_000 * struck.chance(lambda one: one.hit))


@pytest.mark.rule("opend6.gap.defence.skills")
def test_bots_do_not_parry_arrows() -> None:
    session = answer(begin(HERO, person(FOE, belongings=BOW)), "2", "wait", "1", "shoot:a:short_bow", HIT)
    rating = {name: rate(session.scene, "a", ActionUse(name)).safety for name in ("dodge", "parry", "block")}
    assert rating["parry"] == rating["block"] == -100 < rating["dodge"]


@pytest.mark.rule("opend6.gap.encounter.end")
def test_bots_leave_the_fallen_alone() -> None:
    scene = begin(HERO, person(FOE, wounds={"level": "mortally_wounded"}), FOE).scene
    slash, stop = [rate(scene, "a", use) for use in (ActionUse("slash", "b", "short_sword"), ActionUse("stop"))]
    assert slash.harm < stop.harm
    dead = scene.with_status("b", wounds=scene["b"].status.wounds.changed(level="dead"))
    assert value(scene, "a") == value(dead, "a")


@pytest.mark.rule("opend6.map.zero_rule")
@pytest.mark.parametrize(("hurt", "goes"), [("wounded", True), ("incapacitated", False)])
def test_bots_who_cannot_strike_go_near_nobody(hurt: str, goes: bool) -> None:
    feeble = person(skills={"melee_combat": "3D", "fighting": "3D", "dodge": "3D"}, wounds={"level": hurt})
    scene = answer(begin(feeble, FOE, **field(a="0,1", b="20,1")), "1").scene
    move, stop = [rate(scene, "a", use) for use in (ActionUse("move", "b"), ActionUse("stop"))]
    assert (move.harm > stop.harm) is goes
    assert (rate(scene, "a", ActionUse("dodge")).safety > -100) is goes


@pytest.mark.rule("opend6.turn.declare_count")
def test_value_of_a_number_of_actions_to_bots() -> None:
    def worth(scene: Scene, of_others: int, hits: dict[int, int]) -> None:
        for count, many in hits.items():
            each = best_attack(scene, "a", count - 1)
            assert worth_of_actions(scene, "a")(count) == each * many - of_others * (count - 1)

    worth(begin(HERO, FOE, FOE).scene, 80, {1: 1, 2: 2, 3: 3})
    archer = begin(person(belongings=BOW), FOE)
    worth(archer.scene, 1, {1: 1, 2: 1, 3: 2, 4: 2})  # an arrow has to be readied between two shots
    worth(archer.scene.with_status("a", unloaded=("short_bow",)), 1, {1: 0, 2: 1, 3: 1, 4: 2})  # and before the first
    ruled(archer, "a", "posture", "prone")
    assert [worth_of_actions(archer.scene, "a")(count) for count in (1, 2, 3)] == [0, -1, -2]
    assert best_attack(archer.scene, "a", 0) > best_attack(archer.scene, "a", 1) > 0


# ---------------------------------------------------------------------- one rule in one place


def seen() -> tuple[WoundLevel, Fraction, list[Fraction], int]:
    """Results of play, odds, advice and bots for a hit by 3 more than the resistance, with empty caches."""
    forget()
    prospects._harm.cache_clear()
    prospects._fighters.clear()
    harm.wounded_by.cache_clear()
    session = begin(HERO, person(FOE, belongings=[]))
    call = attack(Throw(C("3D")), Against(10), Blow(C("2D"), C("1D+2")), Protection(C("3D")), mine=Purse(1))
    advised = [option.value for option in advise(call).choices[0].options]
    found = prospect(session.scene, "a", "b", "short_sword").promise
    exact = odds(attack_call(session.scene, plan(session, "short_sword"))).chance(lambda done: done.level == "stunned")
    answer(session, "1", "slash:b:short_sword", HIT, [3, 3, 3], [3, 4, 4])
    return level(session.scene, "b"), exact, advised, found.harm


@pytest.mark.rule("opend6.gap.wound.levels")
def test_an_edit_of_a_rule_is_seen_in_play_odds_advice_and_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wounds begin at a damage of 1 beyond the resistance instead of 4."""
    before = seen()
    assert before[1] > 0
    graver = tuple([(1 if name == "wounded" else least, name) for least, name in harm._FROM])
    with monkeypatch.context() as changed:
        changed.setattr(harm, "_FROM", graver)
        after = seen()
    assert (before[0], after[0]) == ("stunned", "wounded")
    assert after[1] == 0
    assert before[2] != after[2]
    assert before[3] < after[3]
    assert seen() == before, "nothing but the edit makes a difference"
