"""Deeds of the spirit: who can do them, what they do, how far they reach and what they cost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.marchen.acts import done, refused_by, told
from systems.marchen.fights import begun, duel, fighter, on_a_line, ruled, three
from systems.marchen.people import PUNCTI, WATCH, alone, book, data, hero, hurt, library, somebody, template, together
from systems.playing import answer as go_on
from systems.playing import status
from tablewright.dice import TypedDice
from tablewright.engine import Playthrough, Roll, odds, play
from tablewright.engine.options import ClosedOption
from tablewright.errors import IllegalActionError
from tablewright.game.content.library import Pack
from tablewright.game.scene.game import Game
from tablewright.systems.marchen.actions.index import ACTIONS
from tablewright.systems.marchen.chapters.magic import adept_in, cast_deed, too_far, ways_of
from tablewright.systems.marchen.content import Depth
from tablewright.systems.marchen.mechanics.magic import cast


@pytest.mark.rule("marchen.gap.casting.level", "marchen.gap.face.outcomes")
def test_depths_take_levels_of_skill_or_specialization() -> None:
    adept = hero(skills={"arcana": 1}, specials=[("arcana", "Fire", 3)])
    assert [adept_in(adept, depth) for depth in (1, 3, 4)] == ["arcana", "arcana", None]
    assert adept_in(hero(), 1) is None
    session = alone(hero(skills={"arcana": 1}))
    assert refused_by(session, "cast_deed", who="ann", skill="arcana", depth="shape") == "marchen.gap.casting.level"
    assert refused_by(session, "cast_deed", who="ann", skill="athletics") == "marchen.gap.casting.depths"
    ruled(session, "ann", down=True)
    assert refused_by(session, "cast_deed", who="ann", skill="arcana") == "marchen.gap.face.outcomes"


@pytest.mark.rule("marchen.gap.casting.depths")
@pytest.mark.parametrize("depth", ["sense", "shape", "weave", "govern"])
def test_depths_are_as_hard_as_long_and_as_strong_as_the_ledger_says(depth: str) -> None:
    said = data("marchen.gap.casting.depths")[depth]
    master = hero(skills={"arcana": 4}, wounds=hurt(physical=11))
    session = alone(master)
    dice = [1] * said["depth"]
    needed = 8 - 4 - {"routine": 2, "average": 0, "difficult": -2, "very_difficult": -4}[said["difficulty"]]
    faces = [min(6, needed - 1), needed - min(6, needed - 1)]
    done(session, "cast_deed", [*faces, *dice], who="ann", skill="arcana", depth=depth, purpose="heal", target="ann")
    assert status(session).physical == 11 - said["depth"]
    assert status(session).spiritual == said["depth"] - 1
    assert session.scene.clock.now == {"significant": 0, "puncti": PUNCTI, "watch": WATCH}[said["time"]]


@pytest.mark.rule("marchen.gap.casting.price")
def test_costs_of_failures_to_the_caster() -> None:
    for faces, price in (([1, 2, 4], 4), ([1, 1, 4, 5], 9), ([1, 4], 0)):
        assert play(cast(0, 2), TypedDice(faces)).result.price.damage == price
    won = play(cast(0, 2, purpose="heal"), TypedDice([4, 4, 3, 4])).result
    assert (won.healed, won.price.damage) == (7, 1)
    harmed = play(cast(0, 2, armour=2, threshold=50), TypedDice([4, 4, 3, 4, 1, 2])).result
    assert harmed.hurt.damage == 5
    session = alone(hero(skills={"arcana": 2}, wounds=hurt(spiritual=12)))
    done(session, "cast_deed", [4, 3, 4, 3], who="ann", skill="arcana", depth="shape")  # hurt: DM-1
    assert (status(session).spiritual, status(session).down) == (13, True)


@pytest.mark.rule("marchen.gap.casting.depths")
def test_the_time_of_a_depth_decides_whether_it_fits_into_a_turn() -> None:
    adept = somebody(skills={"arcana": 4})
    assert [depth for depth, _ in ways_of(adept, library())] == ["shape", "sense"]
    slow = [depth.model_copy(update={"time": "watch"}) for depth in library().of(Depth) if depth.id == "shape"]
    quick = [depth.model_copy(update={"time": "significant"}) for depth in library().of(Depth) if depth.id == "weave"]
    own = library().with_pack(Pack("own", "Own", "1", "marchen", entries=(("depths", (*slow, *quick)),)))
    assert [depth for depth, _ in ways_of(adept, own)] == ["weave", "sense"]


@pytest.mark.rule("marchen.gap.casting.depths", "marchen.gap.casting.price")
def test_a_deed_of_the_spirit_heals_and_wearies() -> None:
    session = ruled(begun(duel(fighter("Ann", skills={"theurgy": 2}))), "ann", physical=9)
    go_on(session, "cast_heal:ann:shape", [6, 5], [3, 4])
    assert (status(session).physical, status(session).spiritual) == (2, 1)


@pytest.mark.rule("marchen.gap.casting.depths")
@pytest.mark.parametrize(("metres", "near"), [(20, True), (21, False)])
def test_a_deed_reaches_as_far_as_one_can_catch(metres: int, near: bool) -> None:
    scene = on_a_line(duel(fighter("Ann", skills={"arcana": 2, "theurgy": 1})), ann=0, bob=metres)
    assert too_far(scene, "ann", "bob") is not near
    game = Game(scene, book())
    deed: dict[str, Any] = {"skill": "arcana", "depth": "shape", "target": "bob"}
    if near:
        assert isinstance(Playthrough(cast_deed(game, "ann", **deed, purpose="harm"), game.log).question, Roll)
    else:
        with pytest.raises(IllegalActionError, match="too far"):
            Playthrough(cast_deed(game, "ann", **deed, purpose="harm"), game.log)
        assert isinstance(Playthrough(cast_deed(game, "ann", **deed, purpose="other"), game.log).question, Roll)
    in_turn = replace(scene, order=("ann", "bob"), round=1)
    closed = [one.rule for one in ACTIONS.options(in_turn, "ann") if isinstance(one, ClosedOption)]
    harms = [one.id for one in ACTIONS.options(in_turn, "ann") if one.id.startswith("cast_harm:bob:")]
    assert bool(harms) is near
    assert ("marchen.gap.casting.depths" in closed) is not near


@pytest.mark.rule("marchen.gap.casting.depths")
def test_characters_who_can_be_healed() -> None:
    healer = template("healer").changed(name="Ann")
    session = three(healer, fighter("Bob"), fighter("Cid"), fighter("Dan"), fighter("Eva"))
    for who in ("bob", "cid", "dan"):
        ruled(session, who, physical=3)
    ruled(session, "dan", fate="dead")
    heal = book().actions.by_id["cast_heal"]
    assert {use.target for use in heal.uses_for(session.scene, "ann")} == {"cid"}  # not the foe, the dead, the unhurt
    session.do("table.leave", who="cid")
    assert not list(heal.uses_for(session.scene, "ann"))


@pytest.mark.rule("marchen.gap.casting.depths")
@pytest.mark.parametrize(
    ("dice", "said"),
    [([1, 1, 6, 5], "a success. Bob takes no physical damage."), ([6, 6, 1, 2], "a success. 12 physical damage.")],
)
def test_a_deed_outside_of_a_fight_says_what_it_did(dice: list[int], said: str) -> None:
    session = together(somebody("Ann", skills={"arcana": 2}), somebody("Bob"))
    deed = {"skill": "arcana", "depth": "shape", "purpose": "harm", "target": "bob"}
    done(session, "cast_deed", [4, 4, *dice], who="ann", **deed)
    assert told(session).startswith(f"Ann shapes Arcana against Bob: {said}")
    assert "in control" not in told(session)


@pytest.mark.rule("marchen.gap.casting.depths")
def test_a_deed_of_the_spirit_has_succeeded_from_a_tie_on() -> None:
    """On 2d6 an Average deed succeeds from 8 on: 15 of 36; 7 and 6 are a Fail in Style and a Minor Fail."""
    harming, healing = odds(cast()), odds(cast(purpose="heal"))
    success, healed, damage = (cast.objectives[name] for name in ("success", "healed", "damage"))
    assert harming.expected(success) * 36 == 15
    assert harming.expected(healed) == 0
    assert healing.expected(healed) * 36 == 15 * 7  # two dice
    assert healing.expected(damage) == 0 < harming.expected(damage)
