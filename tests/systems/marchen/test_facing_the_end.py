"""Facing the end: death and other ends, what it leaves behind, lying down and getting up again."""

from __future__ import annotations

import pytest

from systems.marchen.acts import ann, done, later
from systems.marchen.fights import begun, duel, fighter, ruled
from systems.marchen.people import alone, book, hero, options, somebody, together, total
from systems.playing import answer as go_on
from systems.playing import status
from tablewright.game.character.character import Ranks
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.character.record import Wounds
from tablewright.systems.marchen.events.fight import Healed
from tablewright.systems.marchen.harm import DIES
from tablewright.systems.marchen.mechanics.harm import Suffered
from tablewright.systems.marchen.mechanics.turn import ticks_of
from tablewright.systems.marchen.now import arms_of, attack_dm
from tablewright.systems.marchen.status import Status, falls, hurt_by
from tablewright.systems.marchen.values import CHARACTERISTICS_OF

# ---------------------------------------------------------------------- facing it


@pytest.mark.rule("marchen.interrupted.face_death", "marchen.gap.face.outcomes")
def test_facing_death_costly_leaves_a_scar_and_little_time() -> None:
    session = ruled(begun(duel(bob=fighter("Bob", muscle=1))), "bob", physical=13)
    go_on(session, "strike:bob:sword", "none", [4, 4], [1, 1, 1], [1, 2], [2, 1])
    bob = session.scene["bob"]
    assert (bob.status.down, bob.status.conscious, bob.status.dying) == (True, False, "puncti")
    assert [(one.what, one.value) for one in bob.character.changes] == [("muscle", -1)]
    assert session.scene.clock.left("dies", who="bob") == 15 * 60 * 8
    session.do("table.pass_time", amount="1 puncti")
    assert status(session, "bob").fate == "dead"


@pytest.mark.rule("marchen.gap.face.outcomes")
@pytest.mark.parametrize(
    ("faces", "physical", "weight", "down"),
    [
        ((4, 4), 15, 2, False),
        ((5, 4), 15, 1, False),
        ((6, 5), 12, 0, False),
        ((6, 6), 12, 0, False),
        ((4, 3), 15, 0, True),
    ],
)
def test_other_ends_of_facing_death(faces: tuple[int, int], physical: int, weight: int, down: bool) -> None:
    session = ruled(begun(duel()), "bob", physical=12)
    go_on(session, "strike:bob:sword", "none", [4, 4], [1, 1, 1], [1, 2], faces)
    assert (
        status(session, "bob").physical,
        status(session, "bob").weight.get("physical", 0),
        status(session, "bob").down,
    ) == (physical, weight, down)
    if weight:
        sword = arms_of(session.scene, "bob")["sword"]
        assert attack_dm(session.scene, "bob", "ann", sword) == -1 - weight  # hurt as well


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_the_end_of_each_aspect() -> None:
    for aspect, fate in {"mental": "mind gone", "spiritual": "soul lost", "physical": "dead"}.items():
        session = together(fighter("Ann"))
        done(session, "hurt", [6, 6, 6, 6, 1, 2], who="ann", dice=4, aspect=aspect)
        assert status(session).fate == fate
    outcast = together(fighter("Ann", connections={"uncle": 3, "cousin": -3}))
    done(outcast, "hurt", [6, 6, 6, 6, 1, 2], who="ann", dice=4, aspect="social")
    character = ann(outcast)
    assert status(outcast).fate == "outcast"
    assert dict(character.connections) == {"uncle": 1, "cousin": -4}
    assert [(one.what, one.value) for one in character.changes] == [("social", -2)]


@pytest.mark.rule(
    "marchen.interrupted.face_duress", "marchen.interrupted.face_desolation", "marchen.interrupted.face_death"
)
@pytest.mark.parametrize("aspect", ["physical", "mental", "spiritual"])
def test_the_aspect_concerned_is_what_is_checked_also_without_damage(aspect: str) -> None:
    session = ruled(together(fighter("Ann", **{aspect: 2})), "ann", **{aspect: 14})
    done(session, "hurt", [1, 1, 2, 3, 3], who="ann", dice=1, aspect=aspect)  # 15 of 14; 6 + 2 is a tie
    assert status(session).weight[aspect] == 2
    session = alone()  # the referee may call for it
    for faces, down in (([5, 6], False), ([1, 1], True)):
        done(session, "face_the_end", faces, who="ann", aspect=aspect)
        assert status(session).down is down
    assert status(session).fate == {"physical": "dead", "mental": "mind gone", "spiritual": "soul lost"}[aspect]


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_a_further_wound_never_gives_more_time() -> None:
    costly, fail = [2, 1], [1, 3]
    soon, late = ("puncti", ticks_of("puncti")), ("watch", ticks_of("watch"))
    assert (time_left(costly), time_left(fail)) == (soon, late)
    assert (time_left(costly, fail), time_left(fail, [2, 2])) == (soon, soon)


def time_left(*faces: list[int]) -> tuple[str, int | None]:
    """Ticks left for a participant who has faced the end some times."""
    session = ruled(together(hero()), "ann", physical=13)
    for each in faces:
        done(session, "face_the_end", each, who="ann")
    return status(session).dying, session.scene.clock.left(DIES, who="ann")


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_a_second_fall_wakes_nobody_and_undoes_no_end() -> None:
    both = fallen("physical fail", "mental fail_in_style")
    assert (both.down, both.conscious, both.dying) == (True, False, "watch")
    assert fallen("mental fail_in_style").conscious
    assert fallen("physical catastrophic", "mental catastrophic").fate == "dead"
    dead = fallen("physical catastrophic", "physical fail")
    assert (dead.fate, dead.dying, dead.conscious) == ("dead", "", False)


def fallen(*falling: str) -> Status:
    """Ann's status after falls that waited for the end of the moment."""
    found: Status = falls(together(somebody("Ann")).scene.with_status("ann", falling=falling), "ann")["ann"].status
    return found


@pytest.mark.rule("marchen.aspect.current_and_maximum", "marchen.gap.face.outcomes")
def test_an_outcast_falls_no_lower_than_the_scale() -> None:
    for before, after in ((-3, -4), (0, -2), (-4, -4)):
        session = together(hero(social=before))
        done(session, "face_the_end", [1, 1], who="ann", aspect="social")
        assert score(ann(session), "social", options()).total == after
    scarred = together(hero(muscle=-4, agility=-4, stamina=-4))
    done(scarred, "face_the_end", [1, 2], who="ann")
    assert [score(ann(scarred), name, options()).total for name in CHARACTERISTICS_OF["physical"]] == [-4] * 3
    assert ann(scarred).changes == ()


# ---------------------------------------------------------------------- what it leaves


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_a_weight_is_left_by_damage_beyond_the_threshold_until_it_is_down() -> None:
    for faces in ([4, 4], [5, 4]):  # a tie, a success
        session = together(somebody("Ann"))
        done(session, "face_the_end", faces, who="ann")
        assert (status(session).down, dict(status(session).weight)) == (False, {})
        assert total(ann(session), "stamina") == 0
    session = ruled(together(somebody("Ann")), "ann", physical=13)
    done(session, "face_the_end", [4, 4], who="ann")
    assert dict(status(session).weight) == {"physical": 2}
    done(session, "rest", [1], who=("ann",))
    assert not status(session).weight
    for damage, weighs in ((12, False), (13, True)):  # also for those who come with it
        wounds = Wounds(damage=Ranks({"physical": damage}), weight=Ranks({"physical": 2}))
        assert bool(status(together(somebody("Ann", wounds=wounds))).weight) is weighs


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_consequences_of_facing_the_end_go_at_the_threshold() -> None:
    before = {"physical": 2, "mental": 1}
    scene = duel().scene.with_status("ann", physical=13, weight=Ranks(before))
    for taken, harm, face, damage, weight in (
        (13, 3, "succeed_in_style", 12, {"mental": 1}),
        (13, 1, "tie", 14, before),
        (13, 1, "succeed", 14, before),  # a lighter weight does not take the place of a heavier one
        (11, 1, "tie", 12, {"mental": 1}),  # what is not beyond the threshold weighs nothing
    ):
        faced = scene.with_status("ann", physical=taken)
        after = hurt_by(faced, "ann", "physical", Suffered(harm, 0, False, face))["ann"].status
        assert (after.physical, dict(after.weight)) == (damage, weight)
    for amount, weight in ((1, {"mental": 1}), (0, before)):
        healed = book().apply(scene, Healed(who="ann", aspect="physical", amount=amount, cause="x"))["ann"].status
        assert dict(healed.weight) == weight


@pytest.mark.rule("marchen.gap.threshold.size")
def test_a_character_who_has_grown_can_take_more_at_once() -> None:
    session = together(somebody("Ann", experience=20))
    assert status(session).limits == (12, 12, 12, 12)
    ruled(session, "ann", physical=13)
    done(session, "face_the_end", [4, 4], who="ann")
    assert dict(status(session).weight) == {"physical": 2}
    session.do("marchen.advance", who="ann", what="characteristic", name="muscle")
    assert status(session).limits == (13, 12, 12, 12)
    assert not status(session).weight


# ---------------------------------------------------------------------- down, and up again


@pytest.mark.rule("marchen.gap.face.outcomes", "marchen.gap.healing.rest")
@pytest.mark.parametrize("steps", [["4 hours"], ["1 hour"] * 4, ["3 hours", "30 minutes", "30 minutes"], ["1 watch"]])
def test_the_fallen_rise_after_a_watch_in_however_many_steps_and_scenes(steps: list[str]) -> None:
    session = together(somebody("Ann"))
    done(session, "face_the_end", [4, 3], who="ann")  # fail in style: down, but conscious
    for step in steps:
        session = later(session)
        assert status(session).down
        session.do("table.pass_time", amount=step)
    assert not status(session).down
    beyond = ruled(together(somebody("Ann")), "ann", physical=13, down=True)
    beyond.do("table.pass_time", amount="1 month")
    assert status(beyond).down


@pytest.mark.rule("marchen.gap.healing.rest")
def test_a_down_character_gets_up_at_the_threshold_again() -> None:
    session = alone(hero(wounds=Wounds.model_validate({"damage": {"physical": 15}, "down": True})))
    for healed, physical, down in (([2], 13, True), ([1], 12, False)):
        done(session, "rest", healed, days=1)
        assert (status(session).physical, status(session).down) == (physical, down)
    scene = duel().scene.with_status("ann", physical=13, down=True, conscious=False)
    for amount, down in ((1, False), (0, True)):
        found = book().apply(scene, Healed(who="ann", aspect="physical", amount=amount, cause="x"))["ann"].status
        assert (found.down, found.conscious) == (down, not down)
    also = scene.with_status("ann", mental=13)
    assert book().apply(also, Healed(who="ann", aspect="physical", amount=9, cause="x"))["ann"].status.down


@pytest.mark.rule("marchen.gap.face.outcomes")
def test_a_character_who_is_down_but_conscious_stays_so_from_scene_to_scene() -> None:
    for conscious in (True, False):
        again = later(ruled(alone(), "ann", down=True, conscious=conscious))
        assert (status(again).down, status(again).conscious) == (True, conscious)


@pytest.mark.rule("marchen.puncti.triage", "marchen.gap.healing.rest")
def test_a_character_who_is_healed_while_dying_gets_up_with_the_triage() -> None:
    session = together(somebody("Ann"), somebody("Bob", skills={"life_sciences": 0}))
    ruled(session, "ann", physical=3, down=True, conscious=False, dying="watch")
    assert done(session, "triage", [4, 4], who="bob", patient="ann")
    assert (status(session).down, status(session).conscious, status(session).dying) == (False, True, "")
