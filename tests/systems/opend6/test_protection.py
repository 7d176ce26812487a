"""Protection from damage: shields, size, awareness; and bonuses that Fate does not double."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from systems.opend6.fights import FOE, HERO, begin, fact, meeting, person, plan
from systems.playing import answer, last
from tablewright.dice import OrMore
from tablewright.engine import Call, Playthrough, Roll, odds
from tablewright.engine.request import Attributed
from tablewright.game.session.session import Session
from tablewright.systems.opend6.mechanics.attack import attack
from tablewright.systems.opend6.mechanics.harm import resist, two_less
from tablewright.systems.opend6.now import resistance_of, resisted
from tablewright.systems.opend6.status import Grip, level
from tablewright.systems.opend6.values import DieCode

C = DieCode.parse
SHIELDED = person(FOE, belongings=[{"item": "large_shield", "place": "hand"}, {"item": "hides", "place": "worn"}])


def choking(holder: dict[str, Any], victim: dict[str, Any], **options: Any) -> Session:
    """A fight in which the first has the second by the neck already."""
    ready = meeting(holder, victim, options=options)
    session = Session(
        replace(ready.header, scene=ready.scene.with_status("b", grip=Grip("a", "choked", "neck"))), ready.rulebook
    )
    session.do("opend6.encounter")
    return session


@pytest.mark.rule("opend6.gap.armour.shields")
def test_a_shield_protects_nobody_who_is_attacked_from_behind() -> None:
    session = begin(HERO, SHIELDED)
    assert plan(session, "short_sword").protection.armour == C("3D+1")  # 2D+2 and 0D+2
    fact(session, "a", "from_behind", "yes", "b")
    assert plan(session, "short_sword").protection.armour == C("0D+2")


@pytest.mark.rule("opend6.gap.armour.shields")
@pytest.mark.parametrize("held", [True, False])
def test_a_shield_helps_against_no_fall_and_no_hand_at_the_throat(held: bool) -> None:
    victim = SHIELDED if held else person(FOE, belongings=[{"item": "hides", "place": "worn"}])
    session = meeting(HERO, victim)
    session.do("opend6.hazard", who="b", what="fall", metres=3)
    answer(session, [3, 3])
    assert isinstance(session.question, Roll)
    assert str(session.question.dice).startswith("3D")  # Physique alone; the hides are pips
    choked = choking(HERO, victim)
    answer(choked, [3, 3])
    assert str(choked.question.dice).startswith("3D")  # type: ignore[union-attr]


@pytest.mark.rule("opend6.gap.attack.scale", "opend6.gap.manoeuvre.holding")
@pytest.mark.parametrize(("mine", "theirs", "hurt"), [(0, 0, "stunned"), (4, 0, "wounded"), (0, 4, "healthy")])
def test_size_counts_for_anyone_who_is_held_as_for_anyone_who_is_struck(mine: int, theirs: int, hurt: str) -> None:
    session = choking(person(kind="creature", scale=mine), person(FOE, scale=theirs))
    answer(session, [5, 5], [3, 3, 3])  # 10 against 9
    assert level(session.scene, "b") == hurt


@pytest.mark.rule("opend6.gap.attack.scale", "opend6.fate.external_not_doubled")
def test_fate_doubles_no_size() -> None:
    small = person(FOE, scale=-4)
    session = begin(person(fate_points=1), small)
    answer(session, "1", "burn_fate")
    found = plan(session, "short_sword", "b", "a")
    assert (found.protection.resistance_bonus, found.protection.resistance_plain) == (0, 4)
    doubled = odds(resist(20, C("2D"), resistance_plain=4, doubled=True))
    assert doubled == odds(resist(16, C("4D")))
    whole = {"code": C("4D"), "damage": C("4D"), "resistance": C("2D"), "difficulty": 3}
    assert odds(attack(**whole, resistance_plain=4, their_doubled=True)) == odds(
        attack(**whole | {"resistance": C("4D")}, damage_plain=-4)
    )


@pytest.mark.rule("opend6.gap.defence.bare_block", "opend6.gap.defence.blade_parry")
@pytest.mark.parametrize("asked", ["on_request", "always"])
def test_a_blade_with_pips_alone_cuts_anyone_who_blocks_it(asked: str) -> None:
    knife = person(FOE, belongings=[{"item": "small_knife", "place": "hand"}])
    session = begin(person(character_points=1), knife, options={"points.asked": asked})
    answer(session, "1", "block")
    answer(session, *(["nothing"] if asked == "always" else []), [5, 5, 5, 5])
    answer(session, *(["no"] if asked == "always" else []), "1", "slash:a:small_knife", [2, 2, 2, 2], [2, 1, 1])
    assert (last(session, "Hurt").by, last(session, "Hurt").harm) == ("small_knife", False)  # 2 against a 2 and a 1


@pytest.mark.rule("opend6.gap.damage.stun", "opend6.gap.wound.few_levels")
@pytest.mark.parametrize("levels", [1, 2, 3, 4, 5])
def test_a_stun_weapon_gives_nobody_a_level_that_they_do_not_have(levels: int) -> None:
    tracks = {
        1: {"incapacitated"},
        2: {"stunned", "incapacitated"},
        3: {"stunned", "wounded", "incapacitated"},
        4: {"stunned", "wounded", "severely_wounded", "incapacitated"},
        5: {"stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded"},
    }
    for excess in range(1, 30):
        assert two_less("healthy", excess, levels) in tracks[levels]
    assert two_less("healthy", 9, 2) == two_less("healthy", 20, 2) == "stunned"


# ---------------------------------------------------------------------- points beside a climactic Fate Point


@pytest.mark.rule("opend6.points.no_mixing", "opend6.fate.climactic")
@pytest.mark.parametrize("mixing", [False, True])
def test_no_character_points_on_rolls_that_a_climactic_fate_point_doubles(mixing: bool) -> None:
    options = {"points.asked": "always", "points.allow_mixing": mixing}
    session = begin(person(character_points=3, fate_points=1), FOE, options=options)
    answer(session, "1", "burn_fate", "slash:b:short_sword")
    assert isinstance(session.question, Roll) is not mixing
    if mixing:
        return
    answer(session, [2] * 8, [2] * 5)  # hits, and Strength Damage is doubled: 4D and 1D+2
    assert isinstance(session.question, Roll)  # the resistance: no one was asked for more damage


@pytest.mark.rule("opend6.points.no_mixing", "opend6.fate.climactic", "opend6.cp.timing")
@pytest.mark.parametrize("mixing", [False, True])
def test_the_odds_of_a_doubled_attack_have_no_character_points_in_them(mixing: bool) -> None:
    given = {"code": C("2D"), "difficulty": 15, "damage": C("2D"), "resistance": C("3D"), "doubled": True}
    playing = Playthrough(attack(**given, points=3, allow_mixing=mixing))
    assert isinstance(playing.question, Roll) is not mixing
    theirs = {**given, "doubled": False, "their_doubled": True, "difficulty": 3}
    hurt = Playthrough(attack(**theirs, their_points=3, allow_mixing=mixing))
    for faces in ([2, 2], [5, 5], [2, 1, 1, 1, 1, 1]):  # 10 and one against 7
        hurt.type_in(faces)
    assert (hurt.question is None) is not mixing


def test_damage_beyond_the_end_of_its_table_is_resisted_as_the_least_of_it() -> None:
    """Advice on an attack with many dice was refused: the last line of exact damage is "60 or more"."""
    session = begin(HERO, FOE)
    rule = resisted(session.live, "b", OrMore(60, Fraction(63)), resistance_of(session.scene, "b"))
    asked = rule.send(None)
    rule.close()
    assert isinstance(asked, Attributed)
    assert isinstance(asked.ask, Call)
    assert asked.ask.arguments[0] == 60
