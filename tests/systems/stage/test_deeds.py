"""Smaller deeds in an encounter: tricks, hands, haste, chases, interruptions, who has lost their mind, long works."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events, go, status
from systems.stage.fights import act, asked, closed, duel, fighter, offered, place, playing, session_with
from systems.stage.people import refused, scene_of, session_of, somebody
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.game.scene.scene import LooseItem
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.systems.stage.bots import POOR, rate
from tablewright.systems.stage.now import pool

HIGH, LOW = [6, 6, 6], [1, 1, 1]


def able(level: int = 3, *, has: tuple[str, ...] = ("spear@hand",), **fields: Any) -> Any:
    return somebody(level, has=list(has), **fields)


# ---------------------------------------------------------------------- tricks


@pytest.mark.rule("stage.guile.bluff")
@pytest.mark.parametrize(("theirs", "ap"), [(LOW, 2), (HIGH, 3)])
def test_a_feint_takes_an_ap(theirs: list[int], ap: int) -> None:
    session = act(duel(able(), able()), "bluff:bob", faces=[theirs, [3, 3, 3]])
    assert (status(session, "bob").ap, status(session).ap) == (ap, 2)
    none_left = act(duel(able(), able(), theirs={"ap": 0}), "bluff:bob", faces=[LOW, HIGH])
    assert status(none_left, "bob").ap == 0


@pytest.mark.rule("stage.manipulation.distract", "stage.manipulation.insult", "stage.intimidate.bully")
@pytest.mark.parametrize(
    ("deed", "word"), [("distract", "distracted"), ("insult", "provoked"), ("bully", "intimidated")]
)
def test_words_take_hold_through_the_end_of_the_next_turn(deed: str, word: str) -> None:
    session = duel(able(), able())
    act(session, f"{deed}:bob", faces=[[3, 3, 3], [3, 3, 3]])  # a tie is a success
    held = status(session, "bob").held(word)
    assert held is not None
    assert (held.until.whose, held.until.edge, held.by) == ("bob", "end", "ann")
    assert status(session).ap == 0
    failed = act(duel(able(), able()), f"{deed}:bob", faces=[[3, 3, 3], [3, 3, 2]])
    assert status(failed, "bob").held(word) is None


@pytest.mark.rule("stage.manipulation.distract")
def test_a_distracted_character_does_not_see_others_hide() -> None:
    people = [place(able(), "party", who=who) for who in ("ann", "cat")]
    session = session_with([*people, place(able(), "foes", who="bob")])
    assert closed(session, "hide") == ("in plain sight of Somebody 3", "stage.guile.sneak")
    act(session, "distract:bob", faces=[LOW, HIGH], who="cat")
    act(session, "hide", faces=[LOW])
    assert session.scene["ann"].hidden


@pytest.mark.rule("stage.manipulation.distract")
def test_a_character_who_distracts_is_watched() -> None:
    session = act(duel(able(), able()), "distract:bob", faces=[LOW, HIGH])
    go(session, "table.rule", who="ann", field="ap", value="1", reason="a moment later")
    assert closed(session, "hide") == ("in plain sight of Somebody 2", "stage.guile.sneak")
    dark = duel(
        able(), able(), theirs={"lasting": status(session, "bob").lasting}, facts=Facts().set("darkness", "bob", 1)
    )
    act(dark, "hide", faces=[LOW, HIGH])  # the one who was distracted looks
    assert not dark.scene["ann"].hidden


# ---------------------------------------------------------------------- hands


def things(session: Session, who: str = "ann") -> dict[str, str]:
    return {one.item: one.place for one in session.scene[who].status.belongings}


@pytest.mark.rule("stage.equipment.retrieve")
@pytest.mark.parametrize(("where", "ap"), [("belt", 1), ("pack", 2)])
def test_drawing_takes_one_ap_from_the_belt_and_two_from_elsewhere(where: str, ap: int) -> None:
    session = act(duel(able(has=(f"short_sword@{where}",)), able()), "draw::short_sword")
    assert (things(session), status(session).ap) == ({"short_sword": "hand"}, 3 - ap)


@pytest.mark.rule("stage.equipment.retrieve", "stage.equipment.size")
def test_storing_dropping_and_taking_up() -> None:
    session = duel(able(has=("short_sword@hand", "great_sword@belt")), able())
    assert closed(session, "draw") == ("no hand is free for Great sword", "stage.equipment.size")
    act(session, "store::short_sword@belt")
    assert (things(session)["short_sword"], status(session).ap) == ("belt", 2)
    act(session, "draw::great_sword")
    act(session, "drop::great_sword")
    assert status(session).ap == 1
    assert [(one.item, one.owner) for one in session.scene.loose_items] == [("great_sword", "ann")]
    act(session, "take_up::great_sword")
    assert (things(session)["great_sword"], session.scene.loose_items, status(session).ap) == ("hands", (), 0)


@pytest.mark.rule("stage.equipment.retrieve")
def test_a_damaged_thing_keeps_its_marks_on_the_ground() -> None:
    session = duel(able(has=()).changed(belongings=(ItemStack("spear", place="hand", left=2),)), able())
    act(session, "drop::spear")
    act(session, "take_up::spear")
    assert status(session).belongings[0].left == 2


# ---------------------------------------------------------------------- haste and chases


@pytest.mark.rule("stage.athletics.climb", "stage.athletics.swim", "stage.agility.balance")
@pytest.mark.parametrize("ground", ["climbing", "swimming", "balancing"])
def test_moving_costs_double_or_the_usual_at_a_die_less(ground: str) -> None:
    facts = Facts().set(ground, "ann", "4")
    session = act(duel(able(), able(), apart=2, facts=facts), "move::6,5", faces=[[2, 1, 1]])
    assert (str(session.scene["ann"].position), status(session).ap) == ("6,5", 1)
    hasty = act(duel(able(), able(), apart=2, facts=facts), "hurry::6,5", faces=[[3, 1]])
    assert (str(hasty.scene["ann"].position), status(hasty).ap) == ("6,5", 2)
    slips = act(duel(able(), able(), apart=2, facts=facts), "hurry::6,5", faces=[[2, 1]])
    assert (str(slips.scene["ann"].position), status(slips).ap, status(slips).failures) == ("5,5", 2, 1)
    assert not [use for use in offered(duel(able(), able(), apart=2)) if use.startswith("hurry")]


@pytest.mark.rule("stage.athletics.pursue")
@pytest.mark.parametrize(
    ("mine", "theirs", "places"), [([4, 4, 4], [3, 3, 3, 3], ("6,5", "7,5")), ([4, 4, 3], [3, 3, 3, 3], ("5,5", "8,5"))]
)
def test_a_chase_is_won_by_cubes(mine: list[int], theirs: list[int], places: tuple[str, str]) -> None:
    asks = duel(able(), able(), apart=2)
    asks.do("stage.perform", who="ann", use="pursue:bob")
    assert [one.cost_text for one in asked(asks).options] == ["", "3 AP"]
    session = duel(able(), able(), apart=2)
    lost = places[0] == "5,5"
    choices = {"run?": "run", **({"where to?": "8,5"} if lost else {})}
    act(session, "pursue:bob", faces=[theirs, mine], choices=choices)
    assert tuple([str(session.scene[who].position) for who in ("ann", "bob")]) == places
    assert (status(session).ap, status(session, "bob").ap) == (0, 0)


@pytest.mark.rule("stage.athletics.pursue")
def test_a_character_who_has_too_few_ap_to_run_is_caught_up_with() -> None:
    session = act(duel(able(), able(), apart=1, theirs={"ap": 2}), "pursue:bob")
    assert (str(session.scene["ann"].position), status(session).beside) == ("6,5", ("bob",))
    assert status(session, "bob").ap == 2
    assert not [use for use in offered(duel(able(), able())) if use.startswith("pursue")]


# ---------------------------------------------------------------------- coming between


def waiting(session: Session) -> Session:
    """Ann prepares an interruption, and then it is Bob's turn."""
    act(session, "prepare")
    go(session, "table.rule", who="", field="acted", value='["ann"]', reason="ann's turn is over")
    go(session, "table.rule", who="", field="turn", value='"bob"', reason="bob's turn")
    session.do("stage.encounter")
    return session


@pytest.mark.rule("stage.action.interruption", "stage.action.prepare_interruption")
def test_an_interruption_comes_before_the_check_it_may_influence() -> None:
    session = answer(waiting(duel(able(), able())), "attack:ann:spear")
    assert (session.seat, asked(session).question) == ("ann", "interrupt?")
    assert events(session, "Attacked") == []
    session.choose("lie_down")
    assert status(session).stance == "prone"
    assert (session.seat, asked(session).question) == ("bob", "dice for the first roll")


@pytest.mark.rule("stage.action.interruption")
def test_an_impossible_action_has_no_effect_and_its_ap_are_spent() -> None:
    together: Any = {"apart": 0, "mine": {"beside": ("bob",)}, "theirs": {"beside": ("ann",)}}
    session = answer(waiting(duel(able(), able(), **together)), "attack:ann:spear", "move::6,5")
    assert events(session, "Attacked") == []
    assert [(one.who, one.result) for one in events(session, "Checked")] == [("bob", "it comes to nothing")]
    assert status(session, "bob").ap == 2


@pytest.mark.rule("stage.action.interruption", "stage.equipment.retrieve")
def test_items_taken_up_by_faster_characters_are_gone() -> None:
    scene = replace(duel(able(has=()), able(has=())).scene, loose_items=(LooseItem("dagger", "cid"),))
    session = answer(waiting(playing(scene)), "take_up::dagger", "take_up::dagger")
    assert [one.item for one in status(session).belongings] == ["dagger"]
    assert [(one.who, one.result) for one in events(session, "Checked")] == [("bob", "it comes to nothing")]
    assert (status(session, "bob").ap, status(session, "bob").belongings) == (2, ())


@pytest.mark.rule("stage.equipment.retrieve")
def test_only_what_lies_here_is_taken_up_and_only_what_is_held_is_stored() -> None:
    rule = r"\[stage.equipment.retrieve\]"
    refused(f"dagger does not lie here {rule}", act, duel(able(), able()), "take_up::dagger")
    refused(f"dagger is not in hand {rule}", act, duel(able(), able()), "store::dagger@belt")


@pytest.mark.rule("stage.action.interruption")
def test_the_reserve_can_be_used_in_your_own_turn_when_ap_are_gone() -> None:
    session = act(duel(able(), able()), "prepare")
    assert status(session).ap == 0
    act(session, "crouch")
    assert (status(session).stance, status(session).held("prepared")) == ("crouching", None)


# ---------------------------------------------------------------------- the insane


@pytest.mark.rule("stage.resource.insanity")
def test_the_game_master_decides_for_the_insane_until_they_come_to_their_senses() -> None:
    session = duel(able(spells=("daze",)), somebody(1), theirs={"intellect": 0, "sanity": 2, "ap": 0})
    act(session, "cast:bob:daze", faces=[HIGH, [4]])
    assert (status(session, "bob").insane, status(session, "bob").able) == (True, True)
    assert (session.scene["bob"].seat, status(session, "bob").player) == (GAME_MASTER, "bob")
    go(session, "table.rule", who="bob", field="sanity", value="1", reason="a moment of clarity")
    assert (session.scene["bob"].seat, status(session, "bob").player) == ("bob", "")
    mad = somebody(2)
    comes = scene_of({"ann": mad.changed(wounds=mad.wounds.changed(sanity=0)), "bob": somebody(2)})
    assert [comes[who].seat for who in ("ann", "bob")] == [GAME_MASTER, "bob"]


# ---------------------------------------------------------------------- long works, heavy loads


@pytest.mark.rule("stage.power_effect.restore")
@pytest.mark.parametrize("track", ["sanity", "spirit"])
def test_a_magnum_opus_gives_a_core_point_back_in_eight_hours(track: str) -> None:
    people = [
        place(somebody(3, powers=("magnum_opus",)), "party", who="ann"),
        place(somebody(2), "party", who="bob", sanity=3, spirit=3),
    ]
    session = session_with(people, begun=False)
    go(session, "stage.masterwork", who="ann", patient="bob", track=track)
    assert (getattr(status(session, "bob"), track), status(session).will) == (4, 21)
    assert session.scene.clock.now == 8 * 300
    refused("does not restore vitality", go, session, "stage.masterwork", who="ann", patient="bob", track="vitality")
    refused(r"Somebody 2 has no power", go, session, "stage.masterwork", who="bob", patient="ann", track="spirit")


@pytest.mark.rule("stage.environment.gravity", "stage.environment.heat", "stage.encumbrance.loads")
@pytest.mark.rule("stage.check.dice_pool")
@pytest.mark.parametrize(
    ("fact", "value", "flat"),
    [("", "", 0), ("gravity", "high", -3), ("gravity", "low", 0), ("gravity", "zero", 0), ("heat", "yes", -3)],
)
def test_gravity_and_heat_make_loads_heavier(fact: str, value: str, flat: int) -> None:
    carrier = able(1, has=("mail_shirt@worn", "long_sword@hand", "small_shield@hand"), guile=1)  # 5.5 at Body level 8
    facts = Facts().set(fact, "ann", value) if fact else None
    session = duel(carrier.changed(belongings=(*carrier.belongings, ItemStack("rope", 2))), able(), facts=facts)
    sneaking = pool(session.scene, "ann", "guile.sneak")
    assert (sneaking.dice.total, sneaking.flat.total) == (carrier.level("guile"), flat)


@pytest.mark.rule("stage.environment.gravity", "stage.encumbrance.loads")
def test_an_item_that_is_too_heavy_is_refused_on_the_spot() -> None:
    people = [place(somebody(2), "party", who="ann")]
    light, heavy = [
        session_with(people, begun=False, facts=Facts().set("gravity", "ann", gravity))
        for gravity in ("normal", "very_high")
    ]
    go(light, "stage.take", who="ann", item="plate_harness")
    assert things(light) == {"plate_harness": "worn"}
    refused("cannot be carried", go, heavy, "stage.take", who="ann", item="plate_harness")


@pytest.mark.rule("stage.power_effect.restore")
def test_a_masterwork_is_for_the_living_who_have_lost_something() -> None:
    artist = somebody(creativity=5, agility=1, academics=1, powers=("magnum_opus",))
    session = session_of({"ann": artist, "bob": somebody(2)})
    refused("'s Sanity is full", go, session, "stage.masterwork", who="ann", patient="bob")
    dead = playing(session.scene.with_status("bob", vitality=0, sanity=1))
    refused("is dead", go, dead, "stage.masterwork", who="ann", patient="bob")


@pytest.mark.rule("stage.check.minimum", "stage.medicine.first_aid")
def test_tricks_and_care_need_no_training() -> None:
    session = duel(fighter(), fighter(), place(fighter(), "party", who="cat", vitality=1, stamina=1))
    for use in ("first_aid:cat", "treat:cat", "bluff:bob", "insult:bob", "bully:bob", "distract:bob"):
        assert use in offered(session)
    for poor in (ActionUse("bluff", "bob"), ActionUse("first_aid", "cat")):
        assert rate(session.scene, "ann", poor) == POOR
    act(session, "bluff:bob", faces=[[1], [2]])
    assert status(session, "bob").ap == 2


@pytest.mark.rule("stage.encumbrance.loads", "stage.equipment.retrieve", "stage.environment.gravity")
@pytest.mark.parametrize(("gravity", "open_"), [("zero", True), ("very_low", True), ("low", False), ("normal", False)])
def test_nobody_takes_up_more_than_the_maximum_load(gravity: str, open_: bool) -> None:
    weak = somebody(agility=1, perception=1, academics=1, has=["great_sword@pack"])
    session = duel(weak, fighter(), facts=Facts().set("gravity", "ann", gravity))
    lying = playing(replace(session.scene, loose_items=(LooseItem("great_sword", "bob"),)))
    assert ("take_up::great_sword" in offered(lying)) is open_
    if not open_:
        assert closed(lying, "take_up")[1] == "stage.encumbrance.loads"


@pytest.mark.rule("stage.opposed.basic", "stage.manipulation.insult")
@pytest.mark.parametrize(("answer", "dice"), [("perception.intuition", 1), ("manipulation.insult", 3), ("", 3)])
def test_the_target_chooses_what_it_resists_with(answer: str, dice: int) -> None:
    session = duel(somebody(2), fighter(manipulation=3))
    choices = {"resist with what?": answer} if answer else {}
    act(session, "insult:bob", faces=[[6] * dice, [1, 1]], choices=choices)
    assert events(session, "Tried")[0].defence == ("intuition" if dice == 1 else "insult")


@pytest.mark.rule("stage.equipment.retrieve")
def test_lights_and_wands_are_drawn_and_tools_are_not() -> None:
    session = duel(somebody(2, has=["torch@belt", "wand@pack", "medicine_kit@pack", "ration@pack"]), fighter())
    assert [use for use in offered(session) if use.startswith("draw")] == ["draw::torch", "draw::wand"]
    assert rate(session.scene, "ann", ActionUse("draw", detail="torch")) == POOR
    drawn = ActionUse("draw", detail="spear")
    worth = [rate(duel(able(has=has), able()).scene, "ann", drawn) for has in (("spear",), ("spear", "club@hand"))]
    assert (worth[0].harm > 0, worth[1]) == (True, POOR), "a weapon is drawn by those who have none"
    act(session, "draw::torch")
    assert next(one.place for one in status(session).belongings if one.item == "torch") == "hand"


# ---------------------------------------------------------------------- moving in hiding


def hidden(*powers: str, **fields: Any) -> Any:
    ann = place(somebody(2, powers=powers), "party", (5, 5), who="ann", hidden=True, ambush=True)
    return session_with([ann, place(somebody(1), "foes", (8, 5), who="bob", **fields)])


@pytest.mark.rule("stage.guile.sneak", "stage.power_effect.normal_move_cost", "stage.opposed.basic")
@pytest.mark.parametrize(("powers", "left"), [((), 1), (("stalker",), 2)])
@pytest.mark.parametrize(("face", "seen"), [(3, False), (4, True)])
def test_a_move_in_hiding_costs_double_and_may_be_noticed(
    powers: tuple[str, ...], left: int, face: int, seen: bool
) -> None:
    session = hidden(*powers)
    act(session, "move::6,5", faces=[[1, 1], [face]])  # 2, and 2 cubes away
    assert status(session).ap == left
    assert (session.scene["ann"].hidden, status(session).ambush) == (not seen, not seen)


@pytest.mark.rule("stage.guile.sneak", "stage.manipulation.distract")
def test_a_distracted_character_notices_nobody() -> None:
    session = hidden(lasting=(Effect("distracted", OPEN_END),))
    act(session, "move::6,5", faces=[[1, 1]])
    assert session.scene["ann"].hidden
    session = duel(somebody(1), somebody(1), apart=2)
    act(session, "move::6,5")  # who is seen anyway rolls nothing
    assert status(session).ap == 2
