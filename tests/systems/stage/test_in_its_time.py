"""Processes refused in fights and for the fallen; duration, reach and mending of spells."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer, events, status
from systems.stage.fights import act, closed, duel, offered, place, session_with
from systems.stage.people import OPTIONS, session_of, somebody
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.game.values import Ranks
from tablewright.systems.stage.chapters.spells import casting_of, upkeeps
from tablewright.systems.stage.encounter import may_run
from tablewright.systems.stage.values import HOUR, MINUTE

# ---------------------------------------------------------------------- not in the middle of an encounter

LONG = [
    ("stage.rest", {"who": "ann"}),
    ("stage.meditate", {"who": "ann"}),
    ("stage.masterwork", {"who": "ann", "patient": "cat"}),
    ("stage.surgery", {"healer": "ann", "patient": "cat"}),
    ("stage.core_treatment", {"healer": "ann", "patient": "cat"}),
    ("stage.treatment", {"healer": "ann", "patient": "cat"}),
    ("stage.first_aid", {"healer": "ann", "patient": "cat"}),
    ("stage.live", {"who": "ann"}),
    ("stage.travel", {"who": "ann", "minutes": 60}),
    ("stage.draw", {"who": "ann", "item": "spear"}),
    ("stage.stow", {"who": "ann", "item": "club"}),
    ("stage.wear", {"who": "ann", "item": "mail_shirt"}),
    ("stage.craft", {"who": "ann", "item": "club"}),
    ("stage.forage", {"who": "ann", "situation": ["difficulty=average"]}),
    ("stage.sabotage", {"who": "ann", "owner": "cat", "item": "club"}),
    ("stage.learn", {"who": "ann", "what": "flare"}),
]


@pytest.mark.rule("stage.healing.surface", "stage.equipment.retrieve", "stage.travel.modes")
@each_case(("process", "arguments"), LONG)
def test_it_is_refused_in_an_encounter(process: str, arguments: dict[str, Any]) -> None:
    ann = somebody(6, powers=("meditation", "magnum_opus"), has=["spear", "club@hand", "mail_shirt", "medicine_kit"])
    cat = somebody(2, has=["club@hand"])
    people = [place(ann, "party", who="ann"), place(cat, "party", who="cat", stamina=0, vitality=9, sanity=9)]
    session = session_with([*people, place(somebody(1), "foes", who="bob")])
    with pytest.raises(IllegalActionError, match="not in the middle of an encounter"):
        session.do(process, **arguments)


@pytest.mark.rule("stage.resource.death", "stage.encounter.flow")
@pytest.mark.parametrize(
    ("process", "arguments"),
    [
        ("stage.rest", {}),
        ("stage.live", {}),
        ("stage.recompose", {}),
        ("stage.travel", {"minutes": 60}),
        ("table.check", {"what": "guile.sneak", "situation": []}),
    ],
)
def test_the_dead_do_none_of_it(process: str, arguments: dict[str, Any]) -> None:
    dead = somebody(2, name="Dead")
    session = session_of({"dead": dead.changed(wounds=dead.wounds.changed(stamina=0, vitality=0, dead=True))})
    with pytest.raises(IllegalActionError, match=r"is dead|can do nothing"):
        session.do(process, who="dead", **arguments)
    assert session.scene["dead"].status.stamina == 0


@pytest.mark.rule("stage.gap.equipment.armour")
@pytest.mark.parametrize(("item", "minutes"), [("mail_shirt", 5), ("helmet", 0)])
def test_body_armour_takes_five_minutes_to_don(item: str, minutes: int) -> None:
    session = session_of({"ann": somebody(3, name="Ann", has=[item])})
    session.do("stage.wear", who="ann", item=item)
    assert session.scene.clock.now == minutes * MINUTE


@pytest.mark.rule("stage.gap.encounter.flight", "stage.brawl.grapple")
@pytest.mark.parametrize(("held", "runs"), [(True, False), (False, True)])
def test_nobody_runs_who_is_held(held: bool, runs: bool) -> None:
    lasting = (Effect("held", OPEN_END, by="bob"),) if held else ()
    session = duel(somebody(1), somebody(1), mine={"stamina": 0, "lasting": lasting})
    assert may_run(session.scene, "ann") is runs


@pytest.mark.rule("stage.magic.sacrifice")
def test_the_dead_are_no_sacrifice() -> None:
    dead = somebody(2, name="Dead")
    dead = dead.changed(wounds=dead.wounds.changed(stamina=0, vitality=0, dead=True))
    mage = somebody(3, name="Ann", enchantments=("clear_mind",), has=["dagger"])
    session = session_of({"ann": mage, "dead": dead})
    with pytest.raises(IllegalActionError, match="is dead"):
        session.do("stage.enchant", who="ann", enchantment="clear_mind", item="dagger", core=2, sacrifice="dead")


# ---------------------------------------------------------------------- spells


@pytest.mark.rule("stage.power_effect.spell_modifier")
def test_effects_can_be_extended_and_their_reach_expanded() -> None:
    spells = ("healing_touch", "flare", "ward", "stoneskin", "spirit_guardian")
    session = duel(somebody(6, spells=spells, powers=("extend_spell", "expand_spell")), somebody(1))
    details = [use.rpartition(":")[2] for use in offered(session) if "+" in use and use.startswith("cast")]
    changed = {(one.partition("+")[0].partition("=")[0], one.partition("+")[2]) for one in details}
    longer = {(spell, "extend_spell") for spell in ("ward", "stoneskin", "spirit_guardian")}
    assert changed == longer | {("flare", "expand_spell")}


@pytest.mark.rule("stage.power_effect.spell_modifier", "stage.gap.magic.spells")
@pytest.mark.parametrize(("power", "rounds"), [("", 3), ("+extend_spell", 4)])
def test_a_guardian_stays_a_round_longer(power: str, rounds: int) -> None:
    session = duel(somebody(6, spells=("spirit_guardian",), powers=("extend_spell",)), somebody(1))
    act(session, f"cast::spirit_guardian{power}", faces=[[1] * 6])
    assert [event.what.until.round for event in events(session, "TookHold")] == [1 + rounds]
    assert status(session).will == 48 - 2 - (rounds - 3)


@pytest.mark.rule("stage.power_effect.focus", "stage.magic.freedom")
@pytest.mark.parametrize("fact", ["bound", "mute"])
def test_a_character_who_is_bound_or_mute_casts_out_of_the_focus(fact: str) -> None:
    powers = ("focus", "mantra")
    ann = somebody(6, spells=("soul_sting",), powers=powers, prepared=("soul_sting",), focus="wand", has=["wand@hand"])
    session = duel(ann, somebody(1), facts=Facts().set(fact, "ann", True))
    assert [use for use in offered(session) if use.startswith("cast")] == ["cast:bob:soul_sting+mantra"]


@pytest.mark.rule("stage.power_effect.focus", "stage.gap.magic.focus")
@pytest.mark.parametrize(("at", "knows", "casts", "focus"), [("hand", (), True, True), ("pack", (), False, False)])
def test_a_shared_focus_must_be_in_hand(at: str, knows: tuple[str, ...], casts: bool, focus: bool) -> None:
    session = shared(at, knows)
    assert ("cast:bob:flare=fire" in offered(session)) is casts


@pytest.mark.rule("stage.power_effect.focus", "stage.magic.focus")
@pytest.mark.parametrize(("at", "focus"), [("hand", True), ("pack", False)])
def test_a_character_who_knows_the_spell_casts_it_out_of_an_allys_focus_too(at: str, focus: bool) -> None:
    session = shared(at, ("flare",))
    use = next(one for one in session.rulebook.actions.options(session.scene, "ann") if one.id == "cast:bob:flare=fire")
    casting = casting_of(session.scene, "ann", use)
    assert casting is not None
    assert casting.focus is focus


def shared(at: str, knows: tuple[str, ...]) -> Any:
    ann = somebody(3, spells=knows, powers=("shared_flame",))
    amy = somebody(3, spells=("flare",), prepared=("flare",), focus="wand", powers=("focus",), has=[f"wand@{at}"])
    return duel(ann, somebody(1), place(amy, "party", who="amy"))


@pytest.mark.rule("stage.gap.magic.spells", "stage.equipment.integrity")
@pytest.mark.parametrize(("thing", "face", "left"), [("club", 1, (4, 1)), ("great_sword", 1, (1, 1))])
def test_the_caster_chooses_what_is_mended_and_its_complexity_counts(thing: str, face: int, left: Any) -> None:
    broken = (ItemStack("club", place="pack", left=1), ItemStack("great_sword", place="pack", left=1))
    mage = somebody(3, spells=("mend_object",))
    session = duel(mage.changed(belongings=broken), somebody(1))
    faces = [[face] * 3, *([[3]] if thing == "club" else [])]  # 3 reaches 1 and not 8
    act(session, "cast::mend_object", faces=faces, choices={"which thing?": thing})
    now = {one.item: one.left for one in status(session).belongings}
    assert (now["club"] or 4, now["great_sword"]) == left
    assert closed(duel(mage, somebody(1)), "cast") == ("nothing is damaged", "stage.gap.magic.spells")


@pytest.mark.rule("stage.power_effect.spell_modifier", "stage.magic.concentration")
@pytest.mark.parametrize(("spell", "track"), [("ward", "intellect"), ("stoneskin", "stamina"), ("shove", "will")])
def test_battle_mages_pay_from_the_track_of_the_spell(spell: str, track: str) -> None:
    session = duel(somebody(6, powers=("battle_mage",)), somebody(1))
    assert dict(upkeeps(session.scene, "ann", spell)["battle_mage"].amounts) == {track: 1}


# ---------------------------------------------------------------------- striking back


@pytest.mark.rule("stage.power_effect.dodge_extra", "stage.equipment.attack_rating")
@pytest.mark.parametrize(("made", "weapon"), [(1, "great sword"), (2, "unarmed")])
def test_a_counter_keeps_to_the_attack_rating(made: int, weapon: str) -> None:
    bob = somebody(6, powers=("counter",), has=["great_sword@hands"])
    session = duel(somebody(1, has=["spear@hand"]), bob, theirs={"attacks": Ranks({"great_sword": made})})
    dice = 8 if weapon == "great sword" else 6
    choices = {"dice for the first roll": ["1", str(dice)], "move after": "strike_back:ann"}
    choices = {**choices, "how to defend": ["dodge", "nothing"]}
    act(session, "attack:bob:spear", faces=[[6] * 6, [1], [6] * dice], choices=choices)
    assert [event.what for event in events(session, "Attacked")] == ["spear", weapon]


@pytest.mark.rule("stage.power_effect.dodge_extra")
def test_a_counter_may_be_for_any_enemy_in_reach() -> None:
    bob = somebody(6, powers=("counter",), has=["spear@hand"])
    archer = somebody(1, has=["bow@hands", "arrow@belt"])
    people = [
        place(archer, "foes", (9, 5), who="ann"),
        place(bob, "party", (5, 5), who="bob", beside=("cat",)),
        place(somebody(1), "foes", (5, 5), who="cat", beside=("bob",)),
    ]
    session = session_with(people)
    choices = {"dice for the first roll": ["1", "7"], "how to defend": ["dodge", "nothing"]}
    act(session, "attack:bob:bow", faces=[[6] * 6, [1], [1] * 7], choices={**choices, "move after": "strike_back:cat"})
    assert [(event.by, event.who) for event in events(session, "Attacked")] == [("ann", "bob"), ("bob", "cat")]


@pytest.mark.rule("stage.healing.surface")
def test_the_unconscious_do_rest() -> None:
    ann = somebody(2, name="Ann")
    session = session_of({"ann": ann.changed(wounds=ann.wounds.changed(stamina=0, unconscious="knocked out"))}, OPTIONS)
    session.do("stage.rest", who="ann")
    answer(session)
    assert (session.scene["ann"].status.stamina, session.scene.clock.now) == (16, 8 * HOUR)
