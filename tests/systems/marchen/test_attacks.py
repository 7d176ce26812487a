"""Blows in a fight: strikes, reactions, a blow that waits for its answer, weapons that are thrown or break."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.fights import STRUCK, SWORD, begun, duel, fighter, ruled
from systems.marchen.people import book, template, together
from systems.playing import answer as go_on
from systems.playing import asked, status
from tablewright.engine import Choice, Roll, odds
from tablewright.engine.odds import expected_value
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.marchen.actions.attack import (
    SUPPOSED,
    hit_chances,
    reactions_to,
    ready,
    strike_call,
    worth_of_reactions,
)
from tablewright.systems.marchen.mechanics.harm import SUCCEEDED
from tablewright.systems.marchen.now import arms_of, attack_dm, attack_tally, hurt_anywhere, readied, skill_total
from tablewright.systems.marchen.status import UnderWay, chronicle
from tablewright.systems.marchen.values import SKILLS

# ---------------------------------------------------------------------- strikes


@pytest.mark.rule("marchen.ounces.strike")
@pytest.mark.parametrize(
    ("answers", "bob", "ann", "control", "left"),
    [
        ([[4, 4], [2, 2, 2], [1, 2]], 6, 0, True, None),
        ([[4, 3]], 0, 0, True, None),  # Fail in Style keeps the position
        ([[3, 3]], 0, 0, False, None),
        ([[1, 2], [2, 2, 2], [1, 2]], 0, 6, False, None),
        ([[1, 1], [1, 1, 1], [1, 2]], 0, 3, False, 3),  # a catastrophe costs a condition of the weapon
    ],
)
def test_a_strike_hurts_and_a_bad_one_costs_the_initiative(
    answers: Any, bob: int, ann: int, control: bool, left: int | None
) -> None:
    session = go_on(begun(duel()), "strike:bob:sword", "none", *answers)
    assert (status(session, "bob").physical, status(session).physical) == (bob, ann)
    assert (status(session).in_control, status(session).belongings[0].left) == (control, left)
    assert arms_of(session.scene, "ann")["sword"].base == (0 if left is None else -1)


@pytest.mark.rule("marchen.gap.assault.levels", "marchen.interrupted.face_depression")
def test_words_hurt_the_social_aspect() -> None:
    ann = fighter("Ann", skills={"persuasion": 1})
    session = ruled(begun(duel(ann)), "bob", social=9)
    go_on(session, "strike:bob:snub", [4, 3], [5], [1, 2], [3, 3])
    assert (status(session, "bob").social, status(session, "bob").down, status(session, "bob").physical) == (
        14,
        True,
        0,
    )
    assert [one.aspect for one in status(session, "bob").conditions] == ["social"]
    assert not status(session, "bob").dying


@pytest.mark.rule("marchen.gap.threshold.hurt")
def test_being_hurt_hampers_checks_of_that_aspect() -> None:
    session = begun(duel())
    sword = arms_of(session.scene, "ann")["sword"]
    for damage, dm in ((5, 0), (6, -1)):
        assert attack_dm(ruled(session, "ann", physical=damage).scene, "ann", "bob", sword) == dm
    assert [hurt_anywhere(session.scene, who) for who in ("ann", "bob")] == [True, False]


def test_the_quick_totals_are_those_of_the_tallies() -> None:
    session = begun(duel(template("soldier")))
    who = session.scene.participants[0].id
    for arms in arms_of(session.scene, who).values():
        assert attack_tally(session.scene, who, "bob", arms).total == attack_dm(session.scene, who, "bob", arms)
    session = ruled(together(template("mystic")), "morwen", spiritual=9, reactions=1)
    session.do("table.modify", what="arcana", value=2, reason="a charm", who="morwen")
    for skill in SKILLS:
        assert skill_total(session.scene, "morwen", skill) == readied(session.scene, "morwen", skill).tally.total


@pytest.mark.rule("marchen.gap.fight.aim")
@pytest.mark.parametrize(("faces", "aim"), [([4, 4], 0), ([3, 4], 3)])
def test_aim_is_lost_on_being_hit_also_where_armour_stops_it(faces: list[int], aim: int) -> None:
    plated = fighter("Bob", belongings=(*SWORD, ItemStack("combat_armor", 1, "worn")))
    session = ruled(begun(duel(bob=plated)), "bob", aim=3)
    go_on(session, "strike:bob:sword", "none", faces)
    if isinstance(session.question, Roll):
        go_on(session, [1, 1, 1])
    assert (status(session, "bob").aim, status(session, "bob").physical) == (aim, 0)


# ---------------------------------------------------------------------- reactions


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_reactions_are_asked_for_and_cost_until_the_next_turn() -> None:
    ready = fighter("Bob", skills={"melee_combat": 2}, belongings=(*SWORD, ItemStack("shield", 1, "hand")))
    session = go_on(begun(duel(bob=ready)), "strike:bob:sword")
    assert asked(session) == ("none", "dodge", "parry")
    scene = session.scene
    assert reactions_to(scene, STRUCK, arms_of(scene, "ann")["sword"]) == (1, 3)
    go_on(session, "parry", [4, 4])
    assert status(session, "bob").reactions == 1
    before = arms_of(session.scene, "bob")["sword"].base
    assert attack_dm(session.scene, "bob", "ann", arms_of(session.scene, "bob")["sword"]) == before - 1
    go_on(session, "hold")
    assert status(session, "bob").reactions == 0  # his own turn has come


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_characters_who_cannot_dodge_or_parry() -> None:
    def reacts(session: Session, arms: str = "sword", **struck: Any) -> tuple[int, int]:
        found = reactions_to(session.scene, STRUCK._replace(**struck), arms_of(session.scene, "ann")[arms])
        return found[0], found[1]

    assert reacts(begun(duel())) == (1, 0)  # level 0 takes nothing off
    for trouble in ({"stance": "prone"}, {"down": True}, {"surprised": True}):
        assert reacts(ruled(duel(), "bob", **trouble)) == (0, 0)
    near = duel()
    near.do("table.set_fact", who="bob", fact="cover_near", value="yes")
    assert reacts(near)[0] == 2
    unseen = duel()
    unseen.do("table.hide", who="ann")
    assert reacts(unseen, unseen=True) == (0, 0)
    able = fighter("Bob", skills={"melee_combat": 3})
    assert reacts(duel(fighter("Ann", skills={"persuasion": 1}), able), "snub") == (0, 0)
    archer = fighter("Ann", belongings=(ItemStack("bow", 1, "hand"),))
    assert reacts(duel(archer, able), "bow") == (1, 0)  # an arrow is not parried


@pytest.mark.rule("marchen.gap.fight.reactions")
@pytest.mark.parametrize("tide", [False, True])
def test_the_chances_of_a_reaction_are_those_of_the_blow(tide: bool) -> None:
    session = begun(duel(bob=fighter("Bob", skills={"melee_combat": 2})), 3 if tide else 6, 2 if tide else 4)
    session.choose("turn_the_tide:bob:sword" if tide else "strike:bob:sword")
    blow = chronicle(session.scene).blow
    assert blow is not None
    found = hit_chances(session.scene, blow)
    assert set(found) == {"none", "dodge", "parry"}
    for way, chance in found.items():
        call, _ = ready(session.scene, blow, way)  # type: ignore[arg-type]
        assert chance == odds(call).expected(lambda struck: int(struck.degree in SUCCEEDED))


@pytest.mark.rule("marchen.ounces.turn_the_tide", "marchen.gap.fight.reactions")
@pytest.mark.parametrize(("how", "dm"), [("strike", 0), ("turn_the_tide", 1)])
def test_reactions_are_weighed_against_the_attack_as_it_is(how: str, dm: int) -> None:
    session = begun(duel(), 4, 4)
    arms = arms_of(session.scene, "ann")["sword"]
    worth = worth_of_reactions(session.scene, UnderWay("ann", "bob", "sword", how), arms)
    attack = attack_dm(session.scene, "ann", "bob", arms) + dm
    call = strike_call(session.scene, "ann", "bob", arms, attack, tide=bool(dm)).with_arguments(**SUPPOSED._asdict())
    assert worth("none") == -expected_value(call, "harm")
    dodged = call.with_arguments(modifier=attack - 1, reaction="dodge")
    assert worth("dodge") == -expected_value(dodged, "harm")  # a reaction costs something, and that counts


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_nobody_reacts_to_a_blow_of_a_character_unseen_and_forecasts_know_it() -> None:
    session = go_on(begun(duel()), "hold")
    use = ActionUse("strike", "ann", "sword")
    seen = book().foresee(session.scene, "bob", use)
    session.do("table.hide", who="bob")
    unseen = book().foresee(session.scene, "bob", use)
    assert seen is not None
    assert unseen is not None
    assert {scene["ann"].status.reactions for scene, _ in unseen} == {0}
    assert {scene["ann"].status.reactions for scene, _ in seen} <= {0, 1}
    go_on(session, "strike:ann:sword")
    blow = chronicle(session.scene).blow
    assert blow is not None
    assert blow.unseen
    assert isinstance(session.question, Roll)
    assert not session.scene["bob"].hidden


# ---------------------------------------------------------------------- a blow that is under way


def picked_up(session: Session) -> Session:
    """The fight gone on with from its scene alone, as if the record were lost."""
    fresh = Session(SessionHeader("marchen", "0.1.0", session.scene, 1), book())
    fresh.do("marchen.encounter")
    return fresh


@pytest.mark.rule("marchen.gap.fight.reactions", "marchen.ounces.strike")
def test_a_strike_waits_in_the_scene_for_the_answer() -> None:
    session = go_on(begun(duel()), "strike:bob:sword")
    assert chronicle(session.scene).blow == UnderWay("ann", "bob", "sword", "strike")
    again = picked_up(session)
    assert isinstance(again.question, Choice)
    assert (again.question.details["who"], again.question.ids) == ("bob", ("none", "dodge"))
    for played in (session, again):
        go_on(played, "dodge", [5, 4], [2, 2, 2], [1, 2])
        assert status(played, "bob").physical == 6  # 9 - 1: a tie
        assert status(played, "bob").reactions == 1
        assert chronicle(played.scene).blow is None
        assert status(played).spent.get("significant", 0) == 1  # not paid twice


@pytest.mark.rule("marchen.puncti.end_the_fight")
def test_the_fate_of_the_foe_is_asked_again() -> None:
    session = go_on(ruled(begun(duel()), "bob", physical=6), "end_the_fight:bob:sword")
    again = picked_up(session)
    assert isinstance(again.question, Choice)
    assert again.question.question == "what becomes of the foe?"
    later = picked_up(go_on(again, "yields"))
    assert chronicle(later.scene).blow == UnderWay("ann", "bob", "sword", "end_the_fight", "yields")
    go_on(later, "none", [6, 5], [1, 1, 1], [1, 2], [4, 4])
    assert later.scene.ended == "party win"


@pytest.mark.rule("marchen.ounces.strike")
def test_a_ruling_in_the_middle_of_a_blow_is_heeded() -> None:
    session = go_on(begun(duel()), "strike:bob:sword")
    ruled(session, "bob", physical=3)
    go_on(session, "none", [4, 4], [2, 2, 2], [1, 2])
    assert status(session, "bob").physical == 9
    gone = go_on(begun(duel()), "strike:bob:sword")
    ruled(gone, "bob", down=True)
    go_on(gone, "none")  # nothing comes of it
    assert (gone.scene.ended, status(gone, "bob").physical) == ("party win", 0)
    assert chronicle(gone.scene).blow is None


# ---------------------------------------------------------------------- things that break


def thrown(left: int | None) -> Session:
    """A duel in which Ann has thrown a spear as badly as can be."""
    spear = (ItemStack("spear", 1, "hand", left),)
    session = begun(duel(fighter("Ann", home_tl=0, belongings=spear), fighter("Bob", belongings=())))
    return rolled_to_the_end(go_on(session, "strike:bob:spear/thrown", "none", [1, 1, 1, 1]))


def rolled_to_the_end(session: Session) -> Session:
    """A session in which the dice that are left have fallen somehow."""
    while isinstance(session.question, Roll):
        session.roll()
    return session


@pytest.mark.rule("marchen.ounces.strike", "marchen.resource.tracks")
def test_a_thrown_weapon_takes_its_condition_along_or_goes_to_pieces() -> None:
    for left, lying in ((None, [("spear", 3)]), (1, [])):
        session = thrown(left)
        assert [(one.item, one.left) for one in session.scene.loose_items] == lying
        assert status(session).belongings == ()


@pytest.mark.rule("marchen.ounces.strike", "marchen.gap.weapon.list")
def test_the_item_in_hand_breaks_or_is_thrown() -> None:
    daggers = (ItemStack("dagger", 1, "hand"), ItemStack("dagger", 1, "pack", 3))
    session = begun(duel(fighter("Ann", home_tl=0, belongings=daggers), fighter("Bob", belongings=())))
    rolled_to_the_end(go_on(session, "strike:bob:dagger", "none", [1, 1]))
    assert {one.place: one.left for one in status(session).belongings} == {"hand": 3, "pack": 3}
    held = (ItemStack("dagger", 1, "pack", 4), ItemStack("shield", 1, "hand"), ItemStack("dagger", 1, "hand", 2))
    session = begun(duel(fighter("Ann", belongings=held)))
    go_on(session, "strike:bob:dagger/thrown", "none", [5, 4, 5, 4])
    assert [(one.item, one.left) for one in session.scene.loose_items] == [("dagger", 2)]
    assert [(one.item, one.place) for one in status(session).belongings] == [("dagger", "pack"), ("shield", "hand")]
