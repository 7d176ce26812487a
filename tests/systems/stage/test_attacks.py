"""Attacks and what can be done about them: Hit Difficulty, defences, armour, special attacks, ambushes, subduing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer, events, go, status
from systems.stage.fights import ONE, TWO, act, closed, duel, fighter, offered, place, session_with, strike
from systems.stage.people import OPTIONS, refused, session_of, somebody
from tablewright.dice import TypedDice
from tablewright.engine import Trace, odds, play
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.narration.projection import project_line
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.costs import Cost
from tablewright.game.play.vitals import Damage
from tablewright.game.values import freeze
from tablewright.systems.stage.actions.aim import forms as forms_of
from tablewright.systems.stage.bots import POOR, rate
from tablewright.systems.stage.events.fight import Attacked
from tablewright.systems.stage.mechanics.attack import attack
from tablewright.systems.stage.mechanics.forms import Block, Defence, Form
from tablewright.systems.stage.mechanics.harm import Attack
from tablewright.systems.stage.now import arm_named, hit_difficulty, pool


def forms(*texts: str) -> tuple[Form, ...]:
    return tuple([Form.parse(text) for text in texts])


def defences(*texts: str) -> tuple[Defence, ...]:
    return tuple([Defence.parse(text) for text in texts])


def blocks(*texts: str) -> tuple[Block, ...]:
    return tuple([Block.parse(text) for text in texts])


@pytest.mark.rule("stage.attack.size_table", "stage.attack.hit_difficulty")
@each_case(("size", "bonus"), zip(range(4, 13), (6, 5, 4, 3, 2, 1, 0, -1, -2), strict=True))
def test_size_changes_hit_difficulty(size: int, bonus: int) -> None:
    session = duel(fighter(), fighter(size=size))
    assert hit_difficulty(session.scene, "bob", "ann").tally.total == bonus


@pytest.mark.rule("stage.terrain.cover")
@each_case(("part", "bonus"), [("1/8", 0), ("1/4", 3), ("1/2", 3), ("5/8", 6), ("3/4", 6), ("7/8", 9), ("99/100", 9)])
def test_each_step_of_cover_begins_where_the_table_says(part: str, bonus: int) -> None:
    session = duel(fighter(), fighter(), facts=Facts().set("cover", "bob", part, against="ann"))
    assert hit_difficulty(session.scene, "bob", "ann").cover == bonus


@pytest.mark.rule("stage.attack.hit_difficulty")
@pytest.mark.parametrize(("defence", "rolled", "needed"), [("", [], 3), ("parry/2d", [3, 3], 9), ("dodge/1d", [1], 4)])
def test_hit_difficulty_is_what_the_defence_rolls_and_bonuses(defence: str, rolled: list[int], needed: int) -> None:
    ways = defences(defence) if defence else ()
    for total, hit in ((needed - 1, False), (needed, True)):
        first = [6] * (total // 6) + ([total % 6] if total % 6 else [])
        call = attack(forms(f"plain/{len(first)}d/=0"), 3, 3, ways)
        faces = [*rolled, *first]
        result = play(call, TypedDice(faces), lambda ask: 1 if ask.question == "how to defend" else 0).result
        assert result.hit is hit
    assert odds(attack(forms("plain/1d/=0"), -5))[Attack(True, 1, 0, "plain", "nothing")] == 1


@pytest.mark.rule("stage.terrain.cover")
def test_cover_counts_by_the_part_of_the_body() -> None:
    facts = Facts().set("cover", "bob", "3/4", against="ann")
    session = duel(fighter(), fighter(), facts=facts)
    assert hit_difficulty(session.scene, "bob", "ann").tally.total == 3 + 6
    assert hit_difficulty(session.scene, "ann", "bob").tally.total == 3
    whole = duel(fighter(), fighter(), facts=Facts().set("cover", "bob", "full", against="ann"))
    assert closed(whole, "attack") == ("Somebody 2 is behind full cover", "stage.terrain.cover")


@pytest.mark.rule("stage.terrain.stance")
def test_crouching_and_lying_cover_and_hinder() -> None:
    session = act(duel(fighter(), fighter()), "crouch")
    assert status(session).ap == 2
    assert hit_difficulty(session.scene, "ann", "bob").tally.total == 6
    assert pool(session.scene, "ann", "close_combat.attack").dice.total == 1
    act(session, "lie_down")
    assert hit_difficulty(session.scene, "ann", "bob").tally.total == 9
    assert pool(session.scene, "ann", "brawl.attack").dice.total == 1
    assert pool(session.scene, "ann", "perception.detect").dice.total == 1
    act(session, "get_up")
    assert (status(session).stance, status(session).ap) == ("standing", 0)
    half = duel(fighter(), fighter(), facts=Facts().set("cover", "ann", "1/2"), mine={"stance": "prone"})
    assert hit_difficulty(half.scene, "ann", "bob").tally.total == 9  # the better one counts, they do not add


@pytest.mark.rule("stage.gap.terrain.between")
def test_a_character_in_the_line_is_cover_from_missiles() -> None:
    archer = somebody(ranged_combat=2, has=["bow@hands", "arrow@belt"])
    people = [
        place(archer, "party", (1, 1), who="ann"),
        place(fighter(), "foes", (5, 1), who="bob"),
        place(fighter(), "foes", (3, 1), who="cat"),
    ]
    scene = session_with(people).scene
    assert hit_difficulty(scene, "bob", "ann", missile=True).tally.total == 6
    assert hit_difficulty(scene, "bob", "ann").tally.total == 3
    assert hit_difficulty(scene, "cat", "ann", missile=True).tally.total == 3


@pytest.mark.rule("stage.attack.defensive", "stage.action.reaction", "stage.action.ap")
def test_cost_of_each_defence() -> None:
    armed = fighter(agility=2, defense=2, has=["spear@hand", "mail_shirt@worn"])
    session = duel(fighter(), armed)
    act(session, "attack:bob:spear", faces=[[3, 3], [3]], choices={**ONE, "how to defend": "parry"})
    assert (status(session, "bob").ap, status(session, "bob").stamina) == (3, 5)
    assert not events(session, "Attacked")[0].hit
    dodged = duel(fighter(), armed)
    for left in (2, 1, 0):
        act(dodged, "attack:bob:spear", faces=[[6, 6], [1]], choices={**ONE, "how to defend": "dodge"})
        assert (status(dodged, "bob").ap, status(dodged, "bob").stamina) == (left, 6)
    assert not any(use.startswith("attack") for use in offered(dodged, "bob")), "nothing is left for one's own turn"
    assert status(dodged).ap == 0
    assert closed(dodged, "power_attack") == ("costs 2 AP, 0 left", "stage.action.ap")


@pytest.mark.rule("stage.damage.order", "stage.resource.damage_overflow")
def test_resistance_then_points_then_stamina_then_vitality() -> None:
    call = attack(forms("plain/2d/=1/s0"), 3, 3, (), 1, blocks("block/1d/m2/c1"))
    blocked = play(call, TypedDice([6, 6, 5, 6]), lambda ask: 1).result  # 5, less 1, less at most 2
    assert (blocked.damage, blocked.points) == (2, 1)
    session = duel(fighter(), fighter(close_combat=1), theirs={"stamina": 1})
    act(session, "attack:bob:spear", faces=[[5, 5], [3]], choices=TWO)
    bob = status(session, "bob")
    assert (bob.stamina, bob.vitality) == (0, 0)
    assert bob.dead


@pytest.mark.rule("stage.power_effect.ignore_armour")
def test_damage_that_ignores_armour_meets_resistance_first() -> None:
    call = attack(forms("plain/1d/=2/i5"), 1, 0, (), 2, blocks("block/1d/m6/c1"))
    result = play(call, TypedDice([1, 3, 4, 6]), lambda ask: 1).result
    assert result.damage == 4  # 7, no Resistance, 6 points less the 3 that are left to ignore


@pytest.mark.rule("stage.attack.snipe")
def test_a_snipe_has_a_die_more_for_two_ap() -> None:
    archer = somebody(ranged_combat=2, close_combat=1, perception=1, has=["bow@hands", "arrow@belt", "arrow@belt"])
    session = duel(archer, fighter(), apart=2)
    act(session, "snipe:bob:bow", faces=[[6, 6], [1, 1]], choices=TWO)
    assert status(session).ap == 1
    assert events(session, "Attacked")[0].damage == 2
    assert sum(one.count for one in status(session).belongings if one.item == "arrow") == 1


@pytest.mark.rule("stage.attack.charge", "stage.attack.special")
def test_a_charge_moves_and_adds_speed_in_dice_up_to_the_level() -> None:
    session = duel(fighter(), fighter(), apart=1)
    assert any(use.startswith("charge:bob") for use in offered(session))
    act(session, "charge:bob:spear", faces=[[6, 6], [1, 1]], choices=TWO)
    assert session.scene["ann"].position == session.scene["bob"].position
    assert status(session).beside == ("bob",)
    assert status(session).ap == 1
    near = duel(fighter(), fighter(), apart=0)
    act(near, "charge:bob:spear", faces=[[6, 6], [1, 1]], choices=TWO)
    assert (status(near).beside, str(near.scene["ann"].position)) == (("bob",), "5,5")
    assert [rate(session.scene, "ann", ActionUse(use, "bob", "spear")).cost < 0 for use in ("charge", "attack")] == [
        True,
        False,
    ], "a charge saves the AP of the move"
    power = duel(fighter(close_combat=0), fighter())
    act(power, "power_attack:bob:spear", faces=[[2]], choices={})  # level 0: only the spear's die
    assert closed(duel(fighter(), fighter(), apart=2), "charge") == (
        "Somebody 2 is 2 cubes away, too far for a charge",
        "stage.attack.charge",
    )


@pytest.mark.rule("stage.attack.offensive", "stage.attack.charge", "stage.action.multi_turn")
@pytest.mark.parametrize(("apart", "ap"), [(0, 3), (1, 3), (1, 1)])
def test_two_weapons_of_a_kind_are_one_way_to_attack(apart: int, ap: int) -> None:
    session = duel(fighter(has=["short_sword@hand", "short_sword@hand"]), fighter(), apart=apart, mine={"ap": ap})
    found = offered(session)
    assert len(found) == len(set(found))
    assert [use for use in found if "short_sword" in use and "bob" in use]


@pytest.mark.rule("stage.attack.disarm")
def test_a_disarmed_weapon_lies_there_or_is_taken() -> None:
    session = act(duel(fighter(), fighter()), "disarm:bob", faces=[[6, 6]])
    assert [one.item for one in session.scene.loose_items] == ["spear"]
    assert not status(session, "bob").belongings
    assert status(session).ap == 1
    brawler = duel(fighter(close_combat=0, brawl=2, has=[]), fighter())
    act(brawler, "disarm:bob", faces=[[6, 6]])
    assert [one.item for one in status(brawler).belongings] == ["spear"]
    assert closed(brawler, "disarm")[1] == "stage.attack.disarm"
    defended = duel(fighter(), fighter(agility=1))
    act(defended, "disarm:bob", faces=[[6, 5], [6, 6]], choices={"how to defend": "dodge"})  # a die more: 2 dice
    assert [one.item for one in status(defended, "bob").belongings] == ["spear"]


@pytest.mark.rule("stage.attack.trip_push")
def test_trip_and_push() -> None:
    tripped = act(duel(fighter(brawl=2), fighter()), "trip:bob", faces=[[2, 1]])
    assert (status(tripped, "bob").stance, status(tripped).ap) == ("prone", 1)
    pushed = duel(fighter(brawl=2), fighter(), apart=0, mine={"beside": ("bob",)}, theirs={"beside": ("ann",)})
    act(pushed, "push:bob", faces=[[6, 6]], choices={"where to?": "6,5"})
    assert str(pushed.scene["bob"].position) == "6,5"
    missed = act(duel(fighter(brawl=2), fighter()), "trip:bob", faces=[[1, 1]])
    assert status(missed, "bob").stance == "standing"


@pytest.mark.rule("stage.brawl.grapple")
def test_a_grapple_takes_all_ap_and_holds() -> None:
    session = duel(fighter(brawl=3), fighter(), apart=0, mine={"beside": ("bob",)}, theirs={"beside": ("ann",)})
    act(session, "grapple:bob", faces=[[6], [1, 2]], choices=ONE)
    bob = status(session, "bob")
    assert (bob.ap, bob.stamina, bob.vitality, status(session).ap) == (0, 0, 1, 0)
    assert bob.held("held") is not None
    assert closed(session, "move", "bob")[1] == "stage.brawl.grapple"


@pytest.mark.rule("stage.attack.non_lethal", "stage.attack.non_lethal_rules")
@pytest.mark.parametrize("overflow", [False, True])
def test_subduing_never_touches_vitality_and_knocks_out_at_no_stamina(overflow: bool) -> None:
    options = OPTIONS.put("knockout_on_overflow", overflow)
    session = duel(fighter(brawl=2, has=[]), fighter(), theirs={"stamina": 1}, options=options)
    act(session, "non_lethal:bob:unarmed", faces=[[6], [5], *([[2]] if overflow else [])], choices=ONE)
    assert (status(session, "bob").stamina, bool(status(session, "bob").unconscious)) == (0, overflow)
    if not overflow:
        act(session, "non_lethal:bob:unarmed", faces=[[6], [5], [3]], choices=ONE)
        assert status(session, "bob").unconscious == "knocked out"
        assert session.scene.clock.left("wake", who="bob") == 3 * 300
    assert status(session, "bob").vitality == 2
    blade = duel(fighter(), fighter())
    act(blade, "non_lethal:bob:spear", faces=[[6], [5]], choices=ONE)  # two dice: the spear's does not count
    assert status(blade).ap == 1


@pytest.mark.rule("stage.attack.ambush", "stage.initiative.ambush_defence", "stage.defense.block")
def test_an_ambush_allows_no_dodge_and_no_parry_but_a_block() -> None:
    armed = fighter(agility=2, defense=1, has=["spear@hand", "mail_shirt@worn"])
    session = duel(fighter(), armed, mine={"ambush": True})
    strike(session, [5, 5], [6], after=[[1]], choices={"block": "block"})
    attacked = events(session, "Attacked")[0]
    assert (attacked.defence, attacked.block, attacked.damage) == ("nothing", "block", 4)
    assert status(session).ambush is False
    strike(session, [5, 5], [6], before=[[1, 1]], choices={"how to defend": "dodge", "block": "no"})


@pytest.mark.rule("stage.attack.ambush")
def test_beyond_the_first_increment_an_ambush_can_be_dodged_and_is_spent() -> None:
    archer = somebody(ranged_combat=3, perception=1, has=["bow@hands", "arrow@belt"])
    session = duel(archer, fighter(agility=1), apart=6, mine={"ambush": True})
    choices = {"dice for the first roll": "2", "how to defend": "dodge"}
    act(session, "attack:bob:bow", faces=[[6], [1, 1]], choices=choices)
    assert (events(session, "Attacked")[0].defence, status(session).ambush) == ("dodge", False)


@pytest.mark.rule("stage.attack.offensive", "stage.gap.movement.melee_reach")
def test_melee_reaches_who_is_adjacent_only() -> None:
    session = duel(fighter(), fighter(), apart=0)
    assert closed(session, "power_attack") == ("Somebody 2 is not adjacent", "stage.attack.offensive")
    act(session, "move:bob")
    assert status(session).ap == 2
    assert "attack:bob:spear" in offered(session)
    act(session, "move::away")
    assert "attack:bob:spear" not in offered(session)
    assert "attack:bob:spear@throw" in offered(session)


@pytest.mark.rule("stage.equipment.attack_rating")
def test_a_bulky_weapon_strikes_so_often_a_round() -> None:
    heavy = fighter(close_combat=2, has=["great_sword@hands"])
    session = duel(heavy, fighter(close_combat=6))
    for _ in range(2):
        act(session, "attack:bob:great_sword", faces=[[1, 1, 1, 1]], choices={"dice for the first roll": "4"})
    assert status(session).ap == 1
    refused("has made its 2 attacks", act, session, "attack:bob:great_sword")


@pytest.mark.rule("stage.environment.darkness")
def test_in_the_dark_half_of_what_needs_sight_fails() -> None:
    facts = Facts().set("darkness", "ann", 1)
    session = act(duel(fighter(), fighter(), facts=facts), "attack:bob:spear", faces=[[3]])
    assert not events(session, "Attacked")
    assert status(session).ap == 2
    act(session, "attack:bob:spear", faces=[[4], [6], [1, 1]], choices=ONE)
    assert events(session, "Attacked")


@pytest.mark.rule("stage.gap.attack.objects")
def test_a_thing_is_hit_at_ten_less_its_size() -> None:
    session = duel(fighter(has=["short_sword@hand"]), fighter())
    lock: dict[str, Any] = {"who": "ann", "thing": "good_lock"}
    two = {"dice for the first roll": "2"}
    go(session, "stage.break_object", weapon="short_sword", faces=[[4, 4], [5]], choices=two, **lock)
    assert session.result == 5
    assert events(session, "Checked")[-1].result == "5 damage of 6 Integrity Points"
    refused("wood does nothing to steel", go, duel(fighter(), fighter()), "stage.break_object", weapon="spear", **lock)


@pytest.mark.rule("stage.magic.app_counter", "stage.magic.app_counter_rules")
@pytest.mark.parametrize("counts", [True, False])
def test_a_spell_is_countered_with_its_own_skill(counts: bool) -> None:
    options = OPTIONS.put("size_on_counter", counts)
    caster = somebody(projection=2, close_combat=1, perception=1, spells=("flare",))
    session = duel(caster, fighter(projection=1), options=options)
    faces = [[3], [2, 2]] if counts else [[5], [2, 2]]
    act(session, "cast:bob:flare=cold", faces=faces, choices={"how to defend": "counter"})
    attacked = events(session, "Attacked")[0]
    assert (attacked.defence, attacked.hit) == ("counter", False)
    assert status(session, "bob").ap == 2
    hits = [[3], [3, 3], [2]] if counts else [[5], [3, 2], [2]]
    again = duel(caster, fighter(projection=1), options=options)
    act(again, "cast:bob:flare=cold", faces=hits, choices={"how to defend": "counter"})
    assert events(again, "Attacked")[0].hit
    assert status(again, "bob").ap == 1  # the counter, and cold


@pytest.mark.rule("stage.resource.spend")
def test_points_on_a_blow_are_not_taken_from_the_other() -> None:
    session = duel(fighter(), fighter())
    before, book = session.scene, session.rulebook
    blow: Any = {"who": "bob", "by": "ann", "what": "close_combat.attack", "weapon": "spear", "hit": True, "damage": 3}
    event = Attacked(**blow, paid=Cost.of(ap=2, stamina=1), spent=Cost.of(stamina=2))
    after = book.apply(before, event)
    assert (status(session).stamina - after["ann"].status.stamina) == 2
    assert list(book.vitals.damage_from(before, event, after)) == [Damage("bob", 3, "ann", "spear", paid=1)]


@pytest.mark.rule("stage.check.difficulty", "stage.attack.example_armour", "stage.attack.example_parry")
@pytest.mark.parametrize(
    ("reveal", "kind", "viewer", "seen"),
    [
        ("hidden", "creature", "ann", False),
        ("hidden", "creature", "bob", True),
        ("hidden", "creature", "game master", True),
        ("shown", "creature", "ann", True),
        ("hidden", "character", "ann", True),
    ],
)
def test_players_do_not_see_what_the_game_master_defends_with(reveal: Any, kind: str, viewer: str, seen: bool) -> None:
    bob = fighter(close_combat=2, defense=2, kind=kind, has=["spear@hand", "mail_shirt@worn"])
    session = duel(fighter(close_combat=4), bob, options=OPTIONS.put("reveal_difficulty", reveal))
    parried = {"how to defend": "parry", "block": "block"}
    strike(session, [6, 5], [6, 6, 1], before=[[2, 1]], after=[[3, 1]], choices=parried)
    (trace,) = [line for line in session.log if isinstance(line, Trace) and line.call.mechanic is attack]
    shown = project_line(trace, session.scene, viewer)
    assert shown is not None
    rolls = [step["faces"] for step in _rolls(shown)]
    assert [faces in rolls for faces in ([6, 5], [2, 1], [3, 1])] == [True, seen, seen]


def _rolls(shown: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for step in shown["steps"]:
        if "faces" in step:
            yield step
        elif "steps" in step:
            yield from _rolls(step)


@pytest.mark.rule("stage.power_effect.substitute_skill", "stage.power.announce")
def test_bonuses_to_the_rolled_skill_can_be_announced_with_it() -> None:
    mocker = fighter(manipulation=5, powers=("derisive_attack", "manipulator", "melee_expert"))
    scene = duel(mocker, fighter()).scene
    arm = arm_named(scene, "ann", "spear")
    assert arm is not None
    found = {form.name: form.dice for form in forms_of(scene, "ann", arm, "bob").forms}
    assert found["derisive_attack+manipulator"] == 5 + 1 + 1  # the level, the spear, the power
    assert not any("melee_expert" in name and "derisive" in name for name in found)  # it would do nothing


@pytest.mark.rule("stage.brawl.grapple")
def test_nobody_is_carried_off_where_there_are_no_places() -> None:
    session = duel(fighter(), fighter())
    assert [one for one in offered(session) if one.startswith("grapple")] == ["grapple:bob"]
    beside = {"beside": ("bob",)}, {"beside": ("ann",)}
    on_a_map = duel(fighter(), fighter(), apart=0, mine=beside[0], theirs=beside[1])
    assert [one for one in offered(on_a_map) if one.startswith("grapple")] == ["grapple:bob", "grapple:bob:carry"]


@pytest.mark.rule("stage.magic.enchantment_types")
def test_a_thing_that_changes_hands_keeps_what_is_in_it() -> None:
    keen = ItemStack(
        "short_sword", place="hand", more=freeze({"enchantments": ["keen_edge"], "energy": {"vitality": 1}})
    )
    session = duel(somebody(3), somebody(3).changed(belongings=(keen,)), theirs={"ap": 0, "stamina": 0, "vitality": 3})
    act(session, "disarm:bob", faces=[[6, 6, 6]], choices={"how to defend": "nothing"})  # with bare hands: it is taken
    (held,) = session.scene["ann"].status.belongings
    assert tuple(held.more["enchantments"]) == ("keen_edge",)


@pytest.mark.rule("stage.gap.attack.objects", "stage.ranged_combat.attack")
def test_a_shot_at_a_thing_uses_up_an_arrow() -> None:
    archer = somebody(2, name="Ann").changed(
        belongings=(ItemStack("bow", place="hands"), ItemStack("arrow", place="belt", count=1))
    )
    session = session_of({"ann": archer})
    session.do("stage.break_object", who="ann", thing="club", weapon="bow")
    answer(session, "3", [6, 6, 6])
    assert session.result == 1
    assert [one.item for one in session.scene["ann"].belongings] == ["bow"]
    refused("no ammunition", session.do, "stage.break_object", who="ann", thing="club", weapon="bow")


@pytest.mark.rule("stage.attack.hit_difficulty", "stage.attack.procedure")
@pytest.mark.parametrize(
    ("lies", "open_"), [({"unconscious": "a blow"}, True), ({"spirit": 0}, True), ({"vitality": 0}, False), ({}, True)]
)
def test_the_fallen_can_be_attacked_and_the_dead_cannot(lies: dict[str, Any], open_: bool) -> None:
    session = duel(fighter(), fighter(agility=3), place(fighter(), "foes", who="cat"), theirs=lies)
    found = [action for action in ("attack", "power_attack", "non_lethal") if f"{action}:bob:spear" in offered(session)]
    assert found == (["attack", "power_attack", *([] if lies else ["non_lethal"])] if open_ else [])
    if lies and open_:
        act(session, "attack:bob:spear", faces=[[3], [1, 1]], choices=ONE)
        assert events(session, "Attacked")[0].hit
        worth = [rate(session.scene, "ann", ActionUse("attack", foe, "spear")) == POOR for foe in ("bob", "cat")]
        assert worth == [True, False]


@pytest.mark.rule("stage.attack.disarm")
@pytest.mark.parametrize(("use", "dice"), [("disarm:bob", 1), ("disarm:bob:brawl", 5)])
def test_a_character_who_is_armed_may_disarm_with_bare_hands(use: str, dice: int) -> None:
    ann = somebody(brawl=5, close_combat=1, perception=1, academics=1, has=["dagger@hand"])
    session = act(duel(ann, fighter()), use, faces=[[6] * dice], choices={"how to defend": "nothing"})
    assert status(session).ap == 1
    held = {one.item: one.place for one in status(session).belongings}
    assert held == ({"dagger": "hand"} if dice == 1 else {"dagger": "hand", "spear": "hand"})


@pytest.mark.rule("stage.attack.disarm", "stage.equipment.size")
@pytest.mark.parametrize(("has", "where"), [(["small_shield@hand", "dagger@belt"], "pack"), ([], "hands")])
def test_a_weapon_that_was_won_needs_free_hands(has: list[str], where: str) -> None:
    ann = somebody(brawl=5, perception=1, academics=1, has=has)
    session = duel(ann, fighter(has=["great_sword@hands"]))
    act(session, "disarm:bob", faces=[[6] * 5], choices={"how to defend": "nothing"})
    assert next(one.place for one in status(session).belongings if one.item == "great_sword") == where


@pytest.mark.rule("stage.power.reuse", "stage.modifier.special_flat")
def test_flat_bonuses_of_two_skills_are_announced_together() -> None:
    own = fighter(agility=2, guile=3, powers=("finesse", "surprise_attack", "melee_expert"))
    scene = duel(own, fighter()).scene
    arm = arm_named(scene, "ann", "spear")
    assert arm is not None
    found = {form.name: form for form in forms_of(scene, "ann", arm, "bob").forms}
    both = found["finesse+surprise_attack"]
    assert (sorted(both.bonuses), both.points) == ([2, 3], 2)
    assert "finesse+melee_expert" in found


@pytest.mark.rule("stage.terrain.high_ground", "stage.attack.trip_push")
@pytest.mark.parametrize(("high", "success"), [(True, True), (False, False)])
def test_high_ground_counts_for_special_attacks(high: bool, success: bool) -> None:
    own = somebody(brawl=2, perception=1, academics=1)
    facts = Facts().set("high_ground", "ann", high, against="bob")
    session = duel(own, fighter(), facts=facts)
    act(session, "trip:bob", faces=[[1, 1]], choices={"how to defend": "nothing"})
    assert events(session, "Tried")[0].success is success


@pytest.mark.rule("stage.attack.offensive", "stage.equipment.range_increment")
@pytest.mark.parametrize(("apart", "reached"), [(10, True), (11, False)])
def test_a_bow_reaches_to_the_end_of_its_last_increment(apart: int, reached: bool) -> None:
    """Two increments of five cubes."""
    archer = somebody(ranged_combat=2, perception=1, has=["bow@hands", "arrow@belt"])
    session = duel(archer, fighter(), apart=apart, options=OPTIONS.put("max_increments", 2))
    assert ("attack:bob:bow" in offered(session)) is reached
