"""Attacks and what comes between: carrying off, rolling again, deflected spells, powers announced, sweeps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, events, go, status
from systems.stage.fights import TWO, act, duel, held_by, offered, place, session_with
from systems.stage.people import OPTIONS, somebody
from tablewright.engine import Choice, advise, odds
from tablewright.engine.trace import ChoiceStep
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.session.session import Session
from tablewright.systems.stage.harm import survives
from tablewright.systems.stage.mechanics.attack import attack, maneuver
from tablewright.systems.stage.mechanics.forms import BLOCKS, DEFENCES, FORMS, Block, Defence, Form

NOTHING = {"how to defend": "nothing"}
COVERED = Facts().set("cover", "bob", "1/2")


def fighter(level: int = 3, *, has: tuple[str, ...] = ("spear@hand",), **fields: Any) -> Any:
    return somebody(level, has=list(has), **fields)


def was_asked(session: Session, question: str) -> bool:
    """True if a character had to answer a question."""
    return any(isinstance(line, ChoiceStep) and line.question == question for line in session.log)


@pytest.mark.parametrize(
    "value",
    [
        Form("a", 3, (1, 2), (1,), 1, -2, 0, 1, 2, 3, 1, True, True, True, 2, 1),
        Form("plain", 2),
        Defence("dodge", 2, -1, 1, 1, 2, 4, 2, True, True, True),
        Defence("cover", flat=3),
        Block("block", 2, 1, 9, 2, 1, 3, 1, 4, 2),
        Block("no", points=0),
    ],
)
def test_choices_are_written_and_read_back(value: Any) -> None:
    assert type(value).parse(str(value)) == value
    assert {one.what for one in (FORMS, DEFENCES, BLOCKS)} == {"form of attack", "defence", "block"}


@pytest.mark.rule("stage.brawl.grapple")
def test_a_victim_is_carried_off_instead_of_hurt() -> None:
    session = duel(fighter(has=()), fighter(has=()), apart=0, mine={"beside": ("bob",)}, theirs={"beside": ("ann",)})
    assert "grapple:bob:carry" in offered(session)
    act(session, "grapple:bob:carry", faces=[[1, 1, 1]], choices={**NOTHING, "where to?": "6,5"})
    assert events(session, "Attacked")[0].damage == 0
    assert (status(session, "bob").stamina, status(session, "bob").ap) == (24, 0)
    assert status(session, "bob").held("held") is not None
    assert [str(session.scene[who].position) for who in ("ann", "bob")] == ["6,5", "6,5"]
    assert status(session).beside == ("bob",)
    assert not [use for use in offered(session, "bob") if use.startswith("move")]


@pytest.mark.rule("stage.power_effect.reroll")
def test_a_throw_is_rolled_again_after_a_miss_and_so_is_its_damage() -> None:
    session = duel(fighter(powers=("the_zone",)), fighter(), apart=1)
    choices = {**TWO, "roll to hit again": ["yes"], "roll the damage again": ["yes"]}
    act(session, "attack:bob:spear@throw", faces=[[1, 1], [2, 2], [1, 1], [5, 4]], choices=choices)
    struck = events(session, "Attacked")[0]
    assert (struck.hit, struck.damage) == (True, 9)
    assert status(session).stamina == 24 - 4  # 2 Stamina each
    other = duel(fighter(powers=("the_zone",)), fighter())
    act(other, "attack:bob:spear", faces=[[1, 1]], choices={**TWO, **NOTHING})  # Close Combat is no Athletics
    assert status(other).stamina == 24


@pytest.mark.rule("stage.power_effect.reroll")
def test_a_dodge_is_rolled_again_and_the_new_result_stands() -> None:
    session = duel(fighter(), fighter(powers=("acrobats_luck",)))
    choices = {**TWO, "how to defend": "dodge", "roll again": "yes"}
    act(session, "attack:bob:spear", faces=[[1, 1, 1], [6, 6, 6], [6, 6]], choices=choices)
    assert not events(session, "Attacked")[0].hit
    assert (status(session, "bob").stamina, status(session, "bob").ap) == (22, 2)


@pytest.mark.rule("stage.power_effect.reroll")
@pytest.mark.parametrize("ground", ["climbing", "swimming", "balancing"])
def test_a_slip_is_made_good_by_a_second_roll(ground: str) -> None:
    luck = "acrobats_luck" if ground == "balancing" else "the_zone"
    session = duel(fighter(powers=(luck,)), fighter(), facts=Facts().set(ground, "ann", "9"))
    act(session, "crouch", faces=[[1, 1, 1], [3, 3, 3]], choices={"roll it again": ["yes", "no"]})
    assert (status(session).stance, status(session).failures, status(session).stamina) == ("crouching", 0, 22)


@pytest.mark.rule("stage.power_effect.reroll")
def test_tumbles_falls_and_initiative_are_rolled_again() -> None:
    session = duel(fighter(powers=("acrobats_luck", "the_zone")), fighter())
    act(session, "tumble", faces=[[1, 1, 1], [4, 4, 4]], choices={"roll it again": ["yes", "no"]})
    held = held_by(session, "tumbling")
    assert held.degree == 12
    choices = {"land?": "yes", "roll it again": ["yes", "no"]}
    go(session, "stage.fall", who="ann", metres=20, faces=[[1, 1, 1], [2, 2, 2], [6, 5]], choices=choices)
    assert events(session, "Hurt")[0].damage == 5
    assert status(session).stamina == 24 - 1 - 2 - 2 - 5
    begun = duel(fighter(powers=("acrobats_luck",)), fighter(), begun=False)
    begun.do("stage.encounter")
    answer(begun, [1, 1, 1], "yes", [6, 6, 6], "no", [3, 3, 3])
    assert [one.total for one in events(begun, "InitiativeRolled")] == [18, 9]
    assert status(begun).stamina == 22


@pytest.mark.rule("stage.power_effect.reroll")
def test_advice_weighs_a_second_roll_against_its_price() -> None:
    call = attack((Form("plain", 2, own_second=3, reroll=1, rerolls=1),), 8)
    assert (
        odds(call, policy=lambda question: 1 if "damage" not in question.question else 0).map(lambda made: made.hit)[
            True
        ]
        > odds(attack((Form("plain", 2, own_second=3),), 8)).map(lambda made: made.hit)[True]
    )
    dear = attack((Form("plain", 2, own_second=1, reroll=9, rerolls=1),), 8)
    assert odds(dear).map(lambda made: made.own_rerolls)[0] == 1


@pytest.mark.rule("stage.power_effect.on_defend", "stage.defense.block")
def test_damage_that_comes_back_can_be_blocked() -> None:
    session = duel(fighter(has=("spear@hand", "mail_shirt@worn")), fighter(has=(), powers=("turnaround",)))
    choices = {**TWO, "how to defend": "parry", "Turnaround?": "power:ann:turnaround", "block": "block"}
    act(session, "attack:bob:spear", faces=[[6, 6, 6], [1, 1], [5], [1, 1, 1]], choices=choices)
    back = events(session, "Attacked")[1]
    assert (back.who, back.damage, back.block) == ("ann", 1, "block")  # 5 less Resistance 1 and 3 Defense Points
    assert (status(session).stamina, status(session, "bob").stamina) == (24 - 1 - 1, 24 - 1 - 1)


@pytest.mark.rule("stage.defense.deflect", "stage.magic.target_ranged")
def test_an_ally_deflects_a_spell_that_hurts() -> None:
    session = duel(
        fighter(spells=("flare",)),
        somebody(2),
        place(fighter(has=("mail_shirt@worn",)), "foes", who="cat"),
        theirs={"ap": 0, "stamina": 5},
    )
    choices = {"deflect": "deflect"}
    act(session, "cast:bob:flare=fire", faces=[[6, 6, 6], [6], [1, 1, 1]], choices=choices)
    struck = events(session, "Attacked")[0]
    assert (struck.damage, struck.ally, struck.block) == (3, "cat", "deflect")  # 7 less 1 and 3
    assert (status(session, "cat").stamina, status(session, "cat").ap, status(session, "bob").stamina) == (23, 2, 2)


@pytest.mark.rule("stage.power.announce", "stage.magic.app_cast")
@pytest.mark.parametrize(("power", "dice"), [(None, 3), ("power_sign", 4)])
def test_a_power_is_announced_for_a_spell_in_one_roll(power: str | None, dice: int) -> None:
    session = duel(fighter(spells=("stoneskin",), powers=(power,) if power else ()), fighter())
    choices = {"announce a power": power} if power else {}
    act(session, "cast:ann:stoneskin", faces=[[6] * dice], choices=choices)
    assert status(session).stamina == 24 - 2 - (1 if power else 0)
    assert events(session, "Tried")[0].success


@pytest.mark.rule("stage.power.announce", "stage.magic.app_cast")
def test_a_power_is_announced_for_a_spell_without_a_target() -> None:
    session = duel(fighter(spells=("blink",), powers=("channel",)), fighter(), apart=3)
    choices = {"announce a power": "channel", "where to?": "7,5"}
    act(session, "cast::blink", faces=[[3, 1, 1, 1]], choices=choices)  # Difficulty 6
    assert (str(session.scene["ann"].position), status(session).will) == ("7,5", 24 - 2 - 1)


@pytest.mark.rule("stage.power.announce", "stage.attack.trip_push")
def test_a_power_is_announced_for_a_special_attack() -> None:
    session = duel(fighter(has=(), powers=("fighter",)), fighter())
    act(session, "trip:bob", faces=[[1, 1, 1, 1]], choices={"announce a power": "fighter", **NOTHING})
    assert (status(session, "bob").stance, status(session).stamina) == ("prone", 23)
    plain = maneuver(2, difficulty=9, announced=(Form("more", 4, points=1),))
    asked = advise(plain).choices[0]
    assert [one.id for one in asked.options] == ["plain", "more"]
    worth = {one.id: one.value for one in asked.options}
    chance = {dice: odds(maneuver(dice, difficulty=9)).map(lambda made: made.success)[True] for dice in (2, 4)}
    assert worth == {"plain": 2 * chance[2], "more": 2 * chance[4] - 1}


@pytest.mark.rule("stage.brawl.grapple", "stage.agility.dodge_rules")
@pytest.mark.parametrize(("first", "held"), [([6, 6], True), ([1, 1], False)])
def test_a_held_character_has_no_free_move_after_a_dodge(first: list[int], held: bool) -> None:
    session = duel(fighter(has=()), fighter(has=()), apart=0, mine={"beside": ("bob",)}, theirs={"beside": ("ann",)})
    choices = {"dice for": "2", "how to defend": "dodge", **({} if held else {"move after the dodge?": "step"})}
    faces = [[1, 1, 1], first, *([[1]] if held else [])]
    act(session, "grapple:bob", faces=faces, choices=choices)
    assert (status(session, "bob").held("held") is not None) is held
    assert bool(status(session, "bob").beside) is held
    assert was_asked(session, "move after the dodge?") is not held


@pytest.mark.rule("stage.agility.dodge_rules")
@pytest.mark.parametrize("at", [None, (5, 5)], ids=["nobody has a place", "nobody is in the cube"])
def test_a_character_who_has_nobody_in_the_cube_is_not_asked_for_a_step_after_a_dodge(
    at: tuple[int, int] | None,
) -> None:
    archer = fighter(has=("bow@hands", "arrow@belt"))
    there = None if at is None else (at[0] + 1, at[1])
    session = session_with([place(archer, "party", at, who="ann"), place(fighter(), "foes", there, who="bob")])
    choices = {"dice for": "1", "how to defend": "dodge"}
    act(session, "attack:bob:bow", faces=[[1, 1, 1], [1]], choices=choices)
    assert not was_asked(session, "move after the dodge?")


@pytest.mark.rule("stage.agility.tumble", "stage.attack.hit_difficulty")
@pytest.mark.parametrize("rerolls", [0, 1])
def test_a_tumble_counts_where_it_is_higher_than_the_dodge(rerolls: int) -> None:
    form = Form("plain", 2, own_second=1, reroll=1, rerolls=rerolls)
    call = attack((form,), 3 + 4, 3, (Defence("dodge", 1, ap=1, least=4),))
    asked = {"how to defend": 1, "roll to hit again": 0, "roll the damage again": 0}
    made = odds(call, policy=lambda question: asked[question.question])
    throws = [(dodge, one + two) for dodge in range(1, 7) for one in range(1, 7) for two in range(1, 7)]
    hits = [total >= max(4, dodge) + 3 for dodge, total in throws]
    assert made.chance(lambda result: result.hit) == Fraction(sum(hits), len(throws))


@pytest.mark.rule("stage.power_effect.attack_form")
def test_one_swing_reaches_friends_too_and_pays_its_power_once() -> None:
    session = duel(
        fighter(powers=("whirlwind_attack",)),
        fighter(),
        place(fighter(has=("mail_shirt@worn",)), "party", who="cat", ap=0),
        theirs={"ap": 0},
    )
    choices = {"dice for": "1", "how to defend": ["nothing", "nothing"], "block": "block"}
    act(session, "attack:bob:spear+whirlwind_attack", faces=[[4], [2, 2, 2], [1, 1, 1]], choices=choices)
    assert [(one.who, one.damage) for one in events(session, "Attacked")] == [("bob", 6), ("cat", 2)]
    assert (status(session).ap, status(session).stamina, status(session, "cat").stamina) == (1, 23, 24 - 1 - 2)


@pytest.mark.rule("stage.power_effect.attack_form", "stage.check.distribution")
@pytest.mark.parametrize(
    ("on_first", "face", "hit", "damage"), [("0", 2, False, 0), ("1", 2, True, 6), ("0", 3, True, 7)]
)
def test_the_flat_bonus_of_a_swing_goes_on_one_roll(on_first: str, face: int, hit: bool, damage: int) -> None:
    swinger = fighter(powers=("whirlwind_attack",), has=("long_sword@hand",))
    session = duel(swinger, fighter(), theirs={"ap": 0})
    choices = {"flat bonuses": on_first, "dice for": "1", "how to defend": "nothing"}
    faces = [[face], *([[2, 2, 2]] if hit else [])]
    act(session, "attack:bob:long_sword+whirlwind_attack", faces=faces, choices=choices)
    assert [(one.hit, one.damage) for one in events(session, "Attacked")] == [(hit, damage)]


@pytest.mark.rule("stage.power_effect.attack_form", "stage.check.distribution")
@pytest.mark.parametrize(("roll", "face", "damage"), [("first", 5, 6), ("second", 3, 4)])
def test_the_flat_penalty_of_a_swing_goes_where_the_table_says(roll: str, face: int, damage: int) -> None:
    options = OPTIONS.put("flat_penalty_roll", roll)
    session = duel(fighter(powers=("whirlwind_attack",)), fighter(), theirs={"ap": 0}, options=options)
    go(session, "table.modify", what="close_combat.attack", value=-2, reason="rain", who="ann")
    choices = {"dice for": "1", "how to defend": "nothing"}
    act(session, "attack:bob:spear+whirlwind_attack", faces=[[face], [2, 2, 2]], choices=choices)
    assert [(one.hit, one.damage) for one in events(session, "Attacked")] == [(True, damage)]


@pytest.mark.rule("stage.power_effect.attack_form", "stage.check.botch")
def test_a_swing_without_the_skill_can_be_botched() -> None:
    unskilled = somebody(brawl=3, perception=1, operate=1, powers=("whirlwind_attack",), has=["spear@hand"])
    session = duel(unskilled, fighter(), theirs={"ap": 0}, options=OPTIONS.put("power_prerequisites", "none"))
    act(session, "attack:bob:spear+whirlwind_attack", faces=[[1]], choices={"how to defend": "nothing"})
    struck = events(session, "Attacked")[0]
    assert (struck.hit, struck.botch) == (False, True)
    assert not was_asked(session, "dice for the first roll"), "one die is not divided"


@pytest.mark.rule("stage.power_effect.attack_form")
@pytest.mark.parametrize(
    ("power", "use", "kind"), [("power_throw", "spear@throw", "parry"), ("unerring_shot", "bow", "dodge")]
)
def test_attacks_that_cannot_be_parried_or_dodged(power: str, use: str, kind: str) -> None:
    has = ("bow@hands", "arrow@belt") if use == "bow" else ("spear@hand",)
    for form, can in ((power, False), ("plain", True)):
        session = duel(fighter(has=has, powers=(power,)), fighter(has=()), theirs={"stamina": 9})
        session.do("stage.perform", who="ann", use=f"attack:bob:{use}")
        answer(session, form, "2")
        ways = session.question.ids if isinstance(session.question, Choice) else ()
        assert (kind in [way.partition("+")[0] for way in ways]) is can
        assert status(session).stamina == 24


@pytest.mark.rule("stage.power_effect.attack_form")
@pytest.mark.parametrize(
    ("power", "needed", "stamina"), [("two_weapon_fighting", 8, 24), ("imp_two_weapon_fighting", 6, 23)]
)
def test_two_weapons_at_two_less_or_without(power: str, needed: int, stamina: int) -> None:
    two = ("dagger@hand", "short_sword@hand")  # 3 levels, +1 of the dagger, +1d of the sword
    for rolled, hit in ((needed - 1, False), (needed, True)):
        session = duel(fighter(has=two, powers=(power,)), fighter(has=()), theirs={"ap": 0}, facts=COVERED)
        first = [rolled - 3, 1, 1, 1]
        choices = {"dice for the first roll": "4", "flat bonuses on the first roll": "0", **NOTHING}
        act(session, f"attack:bob:dagger+{power}", faces=[first], choices=choices)
        assert events(session, "Attacked")[0].hit is hit
        assert status(session).stamina == stamina


@pytest.mark.rule("stage.power_effect.assist_equipment", "stage.check.assist")
def test_a_helper_lends_the_die_of_a_spear_to_a_throw() -> None:
    session = duel(fighter(), fighter(has=()), place(fighter(powers=("barrage",)), "party", who="amy"))
    act(session, "stand_by:ann", who="amy")
    choices = {"assist?": "assist:ann:barrage", "dice for the first roll": "1", **NOTHING}
    act(session, "attack:bob:spear@throw", faces=[[6], [1] * 5], choices=choices)  # 3 levels, two spears, a helper
    assert events(session, "Attacked")[0].damage == 5
    assert status(session, "amy").stamina == 23


@pytest.mark.rule("stage.power_effect.substitute_skill", "stage.gap.attack.objects")
def test_a_combat_engineer_strikes_things_with_crafts() -> None:
    engineer = somebody(brawl=1, crafts=4, perception=1, powers=("combat_engineer",), has=["hand_axe@hand"])
    session = session_with([place(engineer, "party", who="ann", intellect=4)], begun=False)
    choices = {"dice for the first roll": "3", "flat bonuses on the first roll": "0"}
    axe: dict[str, Any] = {"who": "ann", "thing": "club", "weapon": "hand_axe"}
    go(session, "stage.break_object", announce="combat_engineer", faces=[[6, 6, 6], [4]], choices=choices, **axe)
    assert (session.result, status(session).intellect) == (4 + 2, 2)  # 4 levels of Crafts, +2 of the axe
    with pytest.raises(IllegalActionError, match=r'"thief" is no power against things; .* has combat_engineer'):
        go(session, "stage.break_object", announce="thief", **axe)


@pytest.mark.rule("stage.magic.app_cast", "stage.power_effect.survive")
@pytest.mark.parametrize(
    ("vitality", "damage", "by"),
    [(3, 2, ""), (3, 3, "iron_man"), (3, 9, "iron_man"), (1, 1, "iron_man"), (0, 1, ""), (0, 0, "")],
)
def test_a_power_keeps_the_last_point_where_there_is_one(vitality: int, damage: int, by: str) -> None:
    session = duel(fighter(powers=("iron_man",)), fighter())
    scene = session.scene.with_status("ann", stamina=0, vitality=vitality)
    assert survives(scene, "ann", "body", damage) == by
    assert survives(scene, "ann", "mind", 99) == ""


@pytest.mark.rule("stage.power_effect.extra_damage", "stage.power_effect.attack_form")
def test_powers_announced_for_a_swing_hurt_every_target() -> None:
    ann = somebody(6, powers=("whirlwind_attack", "insult_to_injury"), has=["great_sword@hands"])
    people = [place(ann, "party", who="ann"), *[place(somebody(1), "foes", who=who) for who in ("bob", "cat")]]
    session = session_with(people)
    will = status(session).will
    choices = {"how to attack": "insult_to_injury", "dice for": "4", "which damage?": ["mind", "soul"]}
    faces = [[6] * 4, [1] * 4, [5]]
    act(session, "attack:bob:great_sword+whirlwind_attack", faces=faces, choices=choices)
    assert (status(session, "bob").intellect, status(session, "cat").will) == (3, 3)
    assert will - status(session).will == 1


@pytest.mark.rule("stage.power_effect.attack_form")
@pytest.mark.parametrize(("count", "open_"), [(1, False), (2, True)])
def test_two_weapons_of_one_kind_are_two(count: int, open_: bool) -> None:
    ann = somebody(close_combat=3, perception=1, academics=1, powers=("two_weapon_fighting",))
    session = duel(ann.changed(belongings=(ItemStack("dagger", count, "hand"),)), fighter())
    assert ("attack:bob:dagger+two_weapon_fighting" in offered(session)) is open_
