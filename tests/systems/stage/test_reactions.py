"""Consequences of defences, blocks and survival: used-up bonuses, defenders, prices paid before."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from systems.playing import answer, events, go, status, words
from systems.stage.fights import (
    ONE,
    act,
    asked,
    duel,
    fighter,
    held_by,
    offered,
    place,
    playing,
    scene_with,
    session_with,
)
from systems.stage.people import OPTIONS, library, person, session_of, somebody
from tablewright.engine import Choice, odds
from tablewright.game.ground.facts import Facts
from tablewright.game.play.effects import OPEN_END, Duration, Effect
from tablewright.game.session.session import Session
from tablewright.game.values import Ranks
from tablewright.systems.stage.actions.aim import blocks
from tablewright.systems.stage.actions.defences import MOST_WAYS, Defending, defences
from tablewright.systems.stage.actions.resolution import Met
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.mechanics.attack import Answer, attack
from tablewright.systems.stage.mechanics.checks import CheckRules
from tablewright.systems.stage.mechanics.forms import Block, Form, Shield
from tablewright.systems.stage.mechanics.harm import last_of
from tablewright.systems.stage.now import hit_difficulty, pool
from tablewright.systems.stage.status import Gift


def gift(*on: str, flat: int = 0, dice: int = 0, against: str = "") -> tuple[Effect, ...]:
    """Effect that counts for one check."""
    return (Effect("gift", OPEN_END, data=Gift(on, dice, flat, once=True, against=against)),)


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.power_effect.group_bonus")
def test_a_penalty_on_the_next_check_is_used_up_by_a_dodge() -> None:
    ann = fighter(manipulation=2, powers=("rebuke",))
    session = act(duel(ann, fighter(agility=3)), "power:bob:rebuke")
    assert status(session, "bob").held("rebuke") is not None
    for dice in (2, 3):
        act(session, "attack:bob:spear", faces=[[6] * dice, [1]], choices={**ONE, "how to defend": "dodge"})
        assert status(session, "bob").held("rebuke") is None


@pytest.mark.rule("stage.power_effect.target_penalty")
@pytest.mark.parametrize(
    ("defence", "block", "faces", "used"),
    [
        ("parry", {}, [[6, 6], [1]], True),
        ("nothing", {}, [[1]], False),
        ("nothing", {"block": "block"}, [[6], [6, 6], [1]], True),
    ],
)
def test_a_gift_for_the_next_check_waits_for_a_check(
    defence: str, block: dict[str, str], faces: list[list[int]], used: bool
) -> None:
    bob = fighter(defense=1, has=["spear@hand", "padded_coat@worn"])
    session = duel(fighter(close_combat=2), bob, theirs={"lasting": gift("any_check", flat=1)})
    act(session, "attack:bob:spear", faces=faces, choices={**ONE, "how to defend": defence, **block})
    assert (status(session, "bob").held("gift") is None) is used


@pytest.mark.rule("stage.power_effect.dice_per_resource")
def test_dice_for_the_next_opposed_check_count_for_a_defence_and_once_only() -> None:
    thinker = fighter(academics=5, powers=("strategic_observation",))
    session = act(duel(thinker, fighter(agility=2), mine={"ap": 6}), "power::strategic_observation=2")
    found = {way.name: way.dice for way in defences(session.scene, "ann", "bob", melee=True).ways}
    assert (found["dodge"], found["parry"]) == (2, 4)
    act(session, "attack:bob:spear", faces=[[1]], choices={**ONE, "how to defend": "nothing"})  # no one opposes it
    assert status(session).held("strategic_observation") is not None
    act(session, "attack:bob:spear", faces=[[6, 6], [1, 1, 1]], choices={**ONE, "how to defend": "dodge"})
    assert status(session).held("strategic_observation") is None
    assert pool(session.scene, "ann", "close_combat.attack", words=("opposed",)).dice.total == 2


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.power.announce")
@pytest.mark.parametrize("use", ["tumble", "insult:bob", "first_aid:ann", "treat:cat", "hide"])
def test_every_check_uses_up_what_was_for_the_next_one(use: str) -> None:
    session = duel(
        somebody(1),
        fighter(),
        place(fighter(), "party", who="cat", stamina=0),
        mine={"vitality": 1, "lasting": gift("any_check", flat=1)},
        theirs={"lasting": (Effect("distracted", OPEN_END),)},
    )
    assert [held.id for held in pool(session.scene, "ann", "agility.tumble").once] == ["gift"]
    act(session, use, faces=[[1], [1]] if use == "insult:bob" else [[1]])
    assert status(session).held("gift") is None


@pytest.mark.rule("stage.defense.deflect", "stage.power_effect.group_bonus")
def test_a_deflection_uses_up_the_gift_of_the_ally() -> None:
    cat = fighter(defense=3, has=["mail_shirt@worn"])
    session = duel(
        fighter(),
        fighter(),
        place(cat, "foes", who="cat", lasting=gift("defense", flat=1)),
        theirs={"lasting": gift("defense", flat=1)},
    )
    faces = [[6], [6, 6], [1, 1, 1]]
    choices = {**ONE, "how to defend": "nothing", "deflect": "deflect"}
    act(session, "attack:bob:spear", faces=faces, choices=choices)
    assert status(session, "cat").held("gift") is None
    assert status(session, "bob").held("gift") is not None


def sturdy(*powers: str, **fields: Any) -> Any:
    """A character in a padded coat, with powers."""
    return fighter(**{"athletics": 6, "defense": 1, "powers": powers, "has": ["padded_coat@worn"], **fields})


@pytest.mark.rule("stage.power_effect.survive", "stage.damage.order")
@pytest.mark.parametrize(("stamina", "survived"), [(1, "iron_man"), (2, "")])
def test_survival_looks_at_what_is_left_after_a_block_was_paid(stamina: int, survived: str) -> None:
    session = duel(fighter(close_combat=6), sturdy("iron_man"), theirs={"stamina": stamina, "vitality": 2})
    choices = {"dice for the first roll": "4", "how to defend": "nothing", "block": "block"}
    act(session, "attack:bob:spear", faces=[[6, 6, 6, 6], [1, 1, 1], [1]], choices=choices)
    event = events(session, "Attacked")[0]
    assert (event.damage, event.survived) == (2, survived)
    assert words(session)[-1].endswith("; iron man keeps the last point") is bool(survived)
    assert (status(session, "bob").vitality, status(session, "bob").dead) == (1, False)


@pytest.mark.rule("stage.power_effect.survive", "stage.trap.attack")
def test_survival_holds_against_traps_and_once_a_day() -> None:
    for used, dead in ((0, False), (1, True)):
        session = session_of({"bob": somebody(athletics=6, perception=1, academics=1, powers=("iron_man",))})
        one = session.scene["bob"]
        day = one.status.day.changed(used=one.status.day.used.put("iron_man", used))
        people = [place(one.character, "party", who="bob", stamina=0, vitality=1, day=day)]
        trapped = playing(scene_with(people, begun=False))
        go(trapped, "stage.trap", who="bob", kind="landmine", looks=False, faces=[[6, 6, 6], [6, 6]])
        assert trapped.scene["bob"].status.dead is dead


@pytest.mark.rule("stage.power_effect.survive", "stage.power_effect.extra_damage")
@pytest.mark.parametrize(("power", "spirit"), [("mountain", 1), ("iron_man", 0)])
def test_survival_is_looked_at_for_each_kind_of_damage(power: str, spirit: int) -> None:
    ann = fighter(close_combat=4, manipulation=3, powers=("insult_to_injury",))
    session = duel(ann, sturdy(power, has=[]), theirs={"will": 0, "spirit": 1, "stamina": 0, "vitality": 5})
    choices = {"how to attack": "insult_to_injury", "dice for the first roll": "3", "which damage": "soul"}
    act(session, "attack:bob:spear", faces=[[6, 6, 6], [6], [1, 1]], choices={**choices, "how to defend": "nothing"})
    first, second = events(session, "Attacked")
    assert (first.attribute, first.survived, second.attribute) == ("body", "", "soul")
    assert (second.damage, second.survived) == (6, "mountain" if spirit else "")
    assert status(session, "bob").spirit == spirit
    assert status(session).attacks == {"spear": 1}


@pytest.mark.rule("stage.power_effect.survive", "stage.attack.non_lethal_rules")
def test_a_blow_that_cannot_kill_does_not_use_survival_up() -> None:
    session = duel(somebody(brawl=4, perception=1), sturdy("iron_man", has=[]), theirs={"stamina": 1, "vitality": 1})
    choices = {"dice for the first roll": "2", "how to defend": "nothing"}
    act(session, "non_lethal:bob:unarmed", faces=[[6, 6], [6, 6]], choices=choices)
    assert events(session, "Attacked")[0].survived == ""
    assert (status(session, "bob").stamina, status(session, "bob").vitality) == (0, 1)


@pytest.mark.rule("stage.power_effect.absorb_damage", "stage.power_effect.area_damage")
@pytest.mark.parametrize(("absorb", "lost"), [("slippery_soul", 1), ("no", 5)])
def test_damage_to_several_can_be_absorbed(absorb: str, lost: int) -> None:
    ann = somebody(intimidate=6, agility=1, academics=1, powers=("rage",))
    session = duel(ann, somebody(agility=3, perception=3, academics=1, manipulation=5, powers=("slippery_soul",)))
    will, stamina = status(session, "bob").will, status(session, "bob").stamina
    act(session, "power::rage", faces=[[1] * 3, [6] * 6, [5]], choices={"absorb it": absorb})
    price = events(session, "Attacked")[0].paid
    paid = sum([amount for _, amount in price.amounts])
    assert paid == (absorb != "no")
    assert will - status(session, "bob").will == lost + price["will"] + (5 - 3 - 1 if absorb != "no" else 0)
    assert stamina - status(session, "bob").stamina == price["stamina"]


INSULTED = {"how to attack": "insult_to_injury", "dice for the first roll": "3", "how to defend": "nothing"}


@pytest.mark.rule("stage.power_effect.absorb_damage", "stage.power_effect.extra_damage")
@pytest.mark.parametrize(("absorb", "through"), [("slippery_soul", 3), ("no", 6)])
def test_damage_besides_another_can_be_absorbed(absorb: str, through: int) -> None:
    ann = fighter(close_combat=4, manipulation=3, powers=("insult_to_injury",))
    session = duel(ann, somebody(agility=3, perception=1, academics=1, powers=("slippery_soul",)))
    choices = {**INSULTED, "which damage": "soul", "absorb it": absorb}
    act(session, "attack:bob:spear", faces=[[6, 6, 6], [6], [1, 1]], choices=choices)
    assert events(session, "Attacked")[1].damage == through


@pytest.mark.rule("stage.gap.magic.enchantments")
@pytest.mark.parametrize(
    ("kind", "track", "face", "lost", "left"), [("soul", "will", 6, 3, False), ("mind", "intellect", 5, 5, True)]
)
def test_a_soul_anchor_halves_the_next_soul_damage_of_whatever_source(
    kind: str, track: str, face: int, lost: int, left: bool
) -> None:
    ann = fighter(close_combat=4, manipulation=3, powers=("insult_to_injury",))
    anchor = (Effect("soul_anchor", OPEN_END),)
    session = duel(ann, somebody(agility=3, perception=5, academics=5), theirs={"lasting": anchor})
    before = getattr(status(session, "bob"), track)
    act(session, "attack:bob:spear", faces=[[6, 6, 6], [face], [1, 1]], choices={**INSULTED, "which damage": kind})
    assert before - getattr(status(session, "bob"), track) == lost
    assert (status(session, "bob").held("soul_anchor") is not None) is left


@pytest.mark.rule("stage.power_effect.defend_other", "stage.power_effect.on_defend", "stage.agility.dodge_rules")
def test_a_neighbours_dodge_moves_nobody_and_benefits_the_neighbour() -> None:
    cat = somebody(agility=4, perception=1, academics=1, powers=("interference", "flank"))
    bob = somebody(agility=5, perception=1, academics=1, powers=("flank",))
    neighbour = place(cat, "foes", (5, 5), who="cat", beside=("bob",))
    near: dict[str, Any] = {"mine": {"beside": ("bob",)}, "theirs": {"beside": ("ann", "cat"), "ap": 0}}
    session = duel(fighter(), bob, neighbour, apart=0, **near)
    choices = {**ONE, "how to defend": "nothing", "defend your": "dodge+interference"}
    act(session, "attack:bob:spear", faces=[[6, 6, 6, 6], [1]], choices=choices)
    assert [status(session, who).held("flank") is not None for who in ("bob", "cat")] == [False, True]
    assert status(session, "bob").beside == ("ann", "cat")


@pytest.mark.rule("stage.power_effect.on_defend")
@pytest.mark.parametrize(("brawl", "close", "is_asked"), [(3, 1, True), (3, 3, False), (3, 4, False)])
def test_a_parry_with_brawl_counts_as_one_whatever_is_in_hand(brawl: int, close: int, is_asked: bool) -> None:
    armed: Any = {"powers": ("turnaround",), "has": ["dagger@hand"]}
    session = duel(fighter(), somebody(brawl=brawl, close_combat=close, perception=1, academics=1, **armed))
    used = {"Turnaround": "power:ann:turnaround"} if is_asked else {}
    faces = [[6] * max(brawl, close), [1], *([[2]] if is_asked else [])]
    act(session, "attack:bob:spear", faces=faces, choices={**ONE, "how to defend": "parry", **used})
    assert status(session).stamina == (0 if is_asked else 2)


@pytest.mark.rule("stage.attack.non_lethal_rules", "stage.damage.order")
@pytest.mark.parametrize(
    ("stamina", "temporary", "defence", "out"),
    [(1, 0, "parry", True), (2, 0, "parry", False), (1, 0, "nothing", False), (0, 1, "nothing", False)],
)
def test_a_knock_out_looks_at_stamina_when_the_hit_arrives(
    stamina: int, temporary: int, defence: str, out: bool
) -> None:
    theirs: dict[str, Any] = {"stamina": stamina, "temporary": Ranks({"stamina": temporary} if temporary else {})}
    session = duel(somebody(brawl=5, perception=1), fighter(close_combat=3), theirs=theirs)
    parry = [[1, 1, 1]] if defence == "parry" else []
    choices = {"dice for the first roll": "3", "how to defend": defence}
    act(session, "non_lethal:bob:unarmed", faces=[*parry, [6, 6, 6], [1, 1], *([[2]] if out else [])], choices=choices)
    assert bool(status(session, "bob").unconscious) is out


@pytest.mark.rule("stage.attack.non_lethal_rules")
def test_claws_lend_nothing_to_an_attack_that_is_to_subdue() -> None:
    bear = person("bear")
    session = duel(bear, fighter())
    subdue = next(use for use in offered(session) if use.startswith("non_lethal:bob"))
    session.do("stage.perform", who="ann", use=subdue)
    assert asked(session).details["pool"] == bear.level("brawl")


def whirl(**fields: Any) -> Any:
    return somebody(
        **{"close_combat": 6, "perception": 1, "academics": 1, "powers": ("whirlwind_attack",), **fields},
        has=["great_sword@hands"],
    )


@pytest.mark.rule("stage.equipment.attack_rating", "stage.power_effect.attack_form", "stage.terrain.cover")
def test_a_swing_is_one_attack_on_all_who_are_not_behind_full_cover() -> None:
    people = [place(whirl(), "party", who="ann"), *[place(fighter(), "foes", who=who) for who in ("bob", "cat", "dan")]]
    session = session_with(people, facts=Facts().set("cover", "dan", "full"))
    act(session, "attack:bob:great_sword+whirlwind_attack", faces=[[1]], choices=ONE)
    assert status(session).attacks == {"great_sword": 1}
    assert [event.who for event in events(session, "Attacked")] == ["bob", "cat"]
    assert "attack:bob:great_sword" in offered(session)


@pytest.mark.rule("stage.defense.deflect", "stage.action.reaction")
@pytest.mark.parametrize(("ap", "times"), [(1, 1), (2, 2), (0, 0)])
def test_a_character_who_deflects_for_several_pays_for_each(ap: int, times: int) -> None:
    cat = fighter(defense=3, has=["mail_shirt@worn"])
    session = duel(whirl(), fighter(), place(fighter(), "foes", who="dan"), place(cat, "foes", who="cat", ap=ap))
    faces = [[6] * 4, [1] * 4, *([[1, 1, 1]] * times)]
    choices = {"dice for the first roll": "4", "deflect": ["deflect"] * times, "how to defend": ["nothing"] * 3}
    act(session, "attack:bob:great_sword+whirlwind_attack", faces=faces, choices=choices)
    assert [event.ally for event in events(session, "Attacked")].count("cat") == times
    assert status(session, "cat").ap == ap - times


@pytest.mark.rule("stage.power_effect.swap_cost")
def test_a_power_that_swaps_a_cost_leaves_what_other_powers_cost() -> None:
    bob = somebody(brawl=3, perception=1, academics=1, powers=("mobility", "deflective_stance"))
    archer = somebody(ranged_combat=2, perception=1, academics=1, has=["bow@hands", "arrow@belt"])
    session = duel(archer, bob, apart=1)
    prices = defences(session.scene, "bob", "ann", melee=False).prices
    assert dict(prices["parry+deflective_stance"].amounts) == {"stamina": 2}
    assert dict(prices["parry+deflective_stance+mobility"].amounts) == {"ap": 1, "stamina": 1}


def asked_to_block(session: Session, defence: str, own: int) -> list[str]:
    """Options against the damage of a hit after a failed defence of some dice."""
    faces = [*([[1] * own] if own else []), [6] * 5, [6, 6]]
    session.do("stage.perform", who="ann", use="attack:bob:spear")
    found: list[str] = []
    while session.question is not None:
        question = session.question
        if not isinstance(question, Choice):
            session.type_in(faces.pop(0))
        elif question.question in ("block", "absorb it"):
            found += question.ids[1:]
            session.choose("no")
        else:
            answers = {"dice for the first roll": "5", "how to defend": defence}
            session.choose(answers.get(question.question, question.ids[question.default]))
    return found


@pytest.mark.rule("stage.action.reaction", "stage.attack.defensive", "stage.power_effect.swap_cost")
@pytest.mark.parametrize(
    ("ap", "defence", "dice", "both"),
    [(1, "nothing", 0, True), (1, "dodge", 1, False), (2, "dodge", 1, True), (1, "parry", 2, True)],
)
def test_ap_spent_on_a_dodge_are_missing_for_a_block(ap: int, defence: str, dice: int, both: bool) -> None:
    bob = fighter(defense=5, agility=1, powers=("juggernaut",), has=["spear@hand", "padded_coat@worn"])
    session = duel(fighter(close_combat=6), bob, theirs={"ap": ap})
    assert asked_to_block(session, defence, dice) == ["block", "block+juggernaut"][: 2 if both else 1]


@pytest.mark.rule("stage.action.reaction", "stage.resource.spend", "stage.power_effect.absorb_damage")
@pytest.mark.parametrize(
    ("intellect", "defence", "offered_then"),
    [(0, "dodge", ["risk_minimization"]), (0, "dodge+dynamics", []), (1, "dodge+dynamics", ["risk_minimization"])],
)
def test_points_spent_on_a_defence_are_missing_for_absorbing(
    intellect: int, defence: str, offered_then: list[str]
) -> None:
    bob = somebody(agility=2, perception=1, academics=3, science=3, powers=("dynamics", "risk_minimization"))
    session = duel(fighter(close_combat=6), bob, theirs={"intellect": intellect, "sanity": 1})
    assert asked_to_block(session, defence, 1) == offered_then


@pytest.mark.rule("stage.action.reaction", "stage.power_effect.defend_other", "stage.defense.deflect")
@pytest.mark.parametrize(("ap", "offered_then"), [(1, []), (2, ["deflect"])])
def test_a_character_who_dodged_for_a_neighbour_needs_another_ap_to_deflect(ap: int, offered_then: list[str]) -> None:
    cat = fighter(agility=1, defense=3, powers=("interference",), has=["mail_shirt@worn"])
    session = duel(fighter(close_combat=6), fighter(), place(cat, "foes", who="cat", ap=ap), theirs={"ap": 0})
    session.do("stage.perform", who="ann", use="attack:bob:spear")
    answer(session, "5", "nothing", "dodge+interference", [1], [6] * 5, [6, 6])
    question = session.question
    assert (list(question.ids[1:]) if isinstance(question, Choice) else []) == offered_then


@pytest.mark.rule("stage.attack.defensive", "stage.attack.hit_difficulty")
def test_every_legal_parry_is_offered_with_its_own_dice() -> None:
    def ways(**fields: Any) -> dict[str, int]:
        bob = fighter(has=["quarterstaff@hand"], **fields)
        scene = duel(fighter(), bob).scene
        return {way.name: way.dice for way in defences(scene, "bob", "ann", melee=True).ways}

    boxer = ways(brawl=3, close_combat=2, powers=("melee_expert",))
    assert boxer == {"dodge": 1, "parry": 3, "parry+weapon": 3, "parry+weapon+melee_expert": 4}
    assert ways(brawl=1, close_combat=2) == {"dodge": 1, "parry": 3, "parry+bare_hands": 1}
    assert ways(brawl=0, close_combat=2) == {"dodge": 1, "parry": 3}


@pytest.mark.rule("stage.check.botch", "stage.defense.block")
@pytest.mark.parametrize(
    ("scope", "fails", "untrained", "botches"),
    [
        ("versus_difficulty", True, True, False),
        ("any_check", True, True, True),
        ("any_check", False, True, False),
        ("any_check", True, False, False),
    ],
)
def test_blocks_can_be_botched_where_any_check_can(scope: Any, fails: bool, untrained: bool, botches: bool) -> None:
    """Nine points of damage against two dice of armour: with a 1 among them a botch stops only one point."""
    armour, rules = Block("block", 2, most=9, untrained=untrained), CheckRules(fails, scope)
    blow = (Form("plain", 1, own_second=0, second=8),)
    call = attack(blow, 1, blocks=(armour,), **rules._asdict() | {"empty_second_roll": "one_plus_flat"})
    through = odds(call, "damage").expected(lambda made: made.damage)
    rolls = [(one, two) for one in range(1, 7) for two in range(1, 7)]
    stopped = [1 if botches and 1 in roll else min(9, sum(roll)) for roll in rolls]
    assert through == 9 - Fraction(sum(stopped), 36)


@pytest.mark.rule("stage.check.botch", "stage.defense.block", "stage.defense.deflect")
@pytest.mark.parametrize("defense", [0, 2])
def test_a_block_without_training_says_so(defense: int) -> None:
    options = OPTIONS.put("botch_scope", "any_check")
    fields: Any = {"defense": defense, "athletics": 3, "perception": 1, "has": ["mail_shirt@worn"]}
    bob, cat = [somebody(**fields, name=name) for name in ("Bob", "Cat")]
    ally = place(cat, "foes", who="cat", options=options, beside=("bob",))
    scene = duel(fighter(), bob, ally, theirs={"beside": ("cat",)}, options=options).scene
    found = blocks(scene, "bob", "body")
    assert [way.untrained for way in (*found.blocks, *found.deflections)] == [defense == 0] * 2
    met = Met(hit_difficulty(scene, "bob", "ann"), Defending(), found)
    assert met.shield(scene, "bob", Answer(0, "", 0, 0)).botches


@pytest.mark.rule("stage.power_effect.on_defend")
def test_a_defence_bonus_lasts_from_the_last_defence_on() -> None:
    flanker = fighter(agility=5, powers=("flank",))
    session = duel(fighter(), flanker, theirs={"ap": 3})
    dodge = {**ONE, "how to defend": "dodge"}
    act(session, "attack:bob:spear", faces=[[6] * 5, [1]], choices=dodge)
    held = held_by(session, "flank", "bob")
    assert held.until == Duration(1, "bob", "end")
    scene = replace(session.scene, turn="bob").with_status("ann", ap=3)  # an attack in the middle of his own turn
    own = playing(scene)
    act(own, "attack:bob:spear", faces=[[6] * 5, [1]], choices=dodge)
    again = held_by(own, "flank", "bob")
    assert again.until == Duration(2, "bob", "end")


@pytest.mark.rule("stage.power_effect.substitute_skill", "stage.power.announce")
def test_a_defence_by_another_skill_has_the_powers_of_that_skill() -> None:
    sly = fighter(guile=5, agility=1, powers=("feign", "thief", "acrobat"))
    found = {way.name: way for way in defences(duel(fighter(), sly).scene, "bob", "ann", melee=True).ways}
    assert (found["dodge+feign+thief"].dice, found["dodge+feign+thief"].points) == (6, 3)
    assert "dodge+feign+acrobat" not in found


@pytest.mark.rule("stage.attack.defensive", "stage.power.reuse")
def test_plain_options_are_not_crowded_out_by_powers() -> None:
    powers = ("acrobat", "lightning_reflexes", "warriors_senses", "dynamics", "running_dodge", "feign", "untouchable")
    master = somebody(6, has=["spear@hand"], powers=powers)
    scene = duel(fighter(), master).scene
    found = [way.name for way in defences(scene, "bob", "ann", melee=True, school="projection").ways]
    assert len(found) == MOST_WAYS
    assert {"dodge", "parry", "counter"} <= {*found}


@pytest.mark.rule("stage.power_effect.parry_ranged", "stage.attack.defensive")
def test_a_power_for_one_way_to_parry_is_of_use_beside_a_better_one() -> None:
    boxer = fighter(close_combat=3, brawl=5, powers=("deflect_projectile",))
    scene = duel(fighter(), boxer, apart=2).scene
    found = {way.name: way.dice for way in defences(scene, "bob", "ann", melee=False).ways}
    assert found["parry+weapon+deflect_projectile"] == 3
    fencer = fighter(close_combat=5, brawl=3, powers=("deflective_stance", "mobility"))
    scene = duel(fighter(), fencer).scene
    near = {way.name: way for way in defences(scene, "bob", "ann", melee=True).ways}
    assert (near["parry"].dice, near["parry+bare_hands"].dice) == (5, 3)
    assert (near["parry+bare_hands+mobility"].ap, near["parry+bare_hands+mobility"].points) == (1, 0)


@pytest.mark.rule("stage.defense.deflect", "stage.power_effect.skill_die", "stage.power_effect.skill_level_flat")
def test_powers_can_be_announced_for_a_deflection() -> None:
    cat = somebody(3, powers=("defender", "dynamics"), has=["mail_shirt@worn"])
    session = duel(somebody(3, has=["spear@hand"]), somebody(1), place(cat, "foes", who="cat"))
    ways = {way.name: (way.dice, way.flat) for way in blocks(session.scene, "bob", "body").deflections}
    assert ways["deflect"] == (3, 0)
    assert ways["deflect+defender+dynamics"] == (4, 3)
    choices = {"dice for the first roll": "2", "how to defend": "nothing", "deflect": "deflect+defender"}
    act(session, "attack:bob:spear", faces=[[6, 6], [6, 6], [1, 1, 1, 1]], choices=choices)
    assert events(session, "Attacked")[0].damage == 12 - 4 - 1  # and the mail's Resistance
    assert (status(session, "cat").stamina, status(session, "cat").ap) == (22, 2)


@pytest.mark.rule("stage.defense.deflect")
@pytest.mark.parametrize(("lies", "able"), [({"unconscious": "a blow"}, True), ({"vitality": 0}, False)])
def test_allies_deflect_for_the_fallen(lies: dict[str, Any], able: bool) -> None:
    cat = place(fighter(defense=3, has=["mail_shirt@worn"]), "foes", who="cat")
    scene = duel(fighter(), fighter(defense=1, has=["padded_coat@worn"]), cat, theirs=lies).scene
    found = blocks(scene, "bob", "body")
    assert (found.ally, found.blocks) == ("cat" if able else "", ())


@pytest.mark.rule("stage.magic.app_counter", "stage.power_effect.ap_cost")
@pytest.mark.parametrize(("ap", "names"), [(0, ["counter+voiding_symbol"]), (1, ["counter", "counter+voiding_symbol"])])
def test_a_counter_for_no_ap_needs_none(ap: int, names: list[str]) -> None:
    bob = somebody(6, powers=("voiding_symbol",))
    scene = duel(somebody(6), bob, theirs={"ap": ap}).scene
    school = next(one.skill for one in library().of(Power) if one.id == "voiding_symbol")
    found = [way.name for way in defences(scene, "bob", "ann", melee=False, school=school).ways]
    assert [name for name in found if name.startswith("counter")] == names
    assert ("dodge" in found) is (ap == 1)


@pytest.mark.rule("stage.movement.cubes", "stage.agility.dodge_rules")
def test_a_character_who_dodged_may_step_next_to_a_character_in_the_cube() -> None:
    people = [
        place(fighter(), "foes", (5, 5), who="ann", beside=("bob",)),
        place(fighter(agility=2), "party", (5, 5), who="bob", beside=("ann",)),
        place(fighter(), "party", (5, 5), who="cat"),
        place(fighter(), "party", (6, 5), who="dan"),
    ]
    session = session_with(people)
    choices = {**ONE, "how to defend": "dodge", "move after": "step:cat"}
    act(session, "attack:bob:spear", faces=[[6, 6], [1]], choices=choices)
    assert status(session, "bob").beside == ("cat",)
    session = session_with(people)
    with pytest.raises(Exception, match="step:dan"):
        act(session, "attack:bob:spear", faces=[[6, 6], [1]], choices={**choices, "move after": "step:dan"})


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


@pytest.mark.rule("stage.attack.defensive", "stage.resource.spend")
@pytest.mark.parametrize(("points", "left", "told"), [(2, 3, ""), (3, 3, "paid"), (0, 0, "")])
def test_a_defence_that_takes_all_points_says_that_the_last_is_paid(points: int, left: int, told: str) -> None:
    assert last_of(points, Shield(left=left)) == told


@pytest.mark.rule("stage.power_effect.dodge_extra", "stage.equipment.attack_rating")
@pytest.mark.parametrize(("made", "weapon", "dice"), [(1, "great sword", 8), (2, "unarmed", 6)])
def test_a_counter_keeps_to_the_attack_rating(made: int, weapon: str, dice: int) -> None:
    bob = somebody(6, powers=("counter",), has=["great_sword@hands"])
    session = duel(somebody(1, has=["spear@hand"]), bob, theirs={"attacks": Ranks({"great_sword": made})})
    choices: dict[str, Any] = {"dice for the first roll": ["1", str(dice)], "how to defend": ["dodge", "nothing"]}
    choices["move after"] = "strike_back:ann"
    act(session, "attack:bob:spear", faces=[[6] * 6, [1], [6] * dice], choices=choices)
    assert [event.what for event in events(session, "Attacked")] == ["spear", weapon]
