"""Consequences of defences, blocks and survival: used-up bonuses, defenders, prices paid before."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import events, go, status
from systems.stage.fights import act, duel, fighter, offered, place, playing, scene_with, session_with
from systems.stage.people import person, session_of, somebody
from tablewright.engine import Choice
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.defences import defences
from tablewright.systems.stage.now import pool
from tablewright.systems.stage.status import Gift

ONE = {"dice for the first roll": "1"}


def gift(*on: str, flat: int = 0, dice: int = 0, against: str = "") -> tuple[Effect, ...]:
    """Something that counts for one check."""
    return (Effect("gift", OPEN_END, data=Gift(on, dice, flat, once=True, against=against)),)


# ---------------------------------------------------------------------- for the next check only


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.power_effect.group_bonus")
def test_a_penalty_on_the_next_check_is_used_up_by_a_dodge() -> None:
    ann = fighter(manipulation=2, powers=("rebuke",))
    session = duel(ann, fighter(agility=3))
    act(session, "power:bob:rebuke")
    assert status(session, "bob").held("rebuke") is not None
    for dice in (2, 3):
        act(session, "attack:bob:spear", faces=[[6] * dice, [1]], choices={**ONE, "how to defend": "dodge"})
        assert status(session, "bob").held("rebuke") is None


@pytest.mark.rule("stage.power_effect.target_penalty")
@pytest.mark.parametrize(
    ("defence", "faces"), [("parry", [[6, 6], [1]]), ("nothing", [[1]]), ("nothing", [[6], [6, 6], [1]])]
)
def test_a_gift_for_the_next_check_waits_for_a_check(defence: str, faces: list[list[int]]) -> None:
    bob = fighter(defense=1, has=["spear@hand", "padded_coat@worn"])
    session = duel(fighter(close_combat=2), bob, theirs={"lasting": gift("any_check", flat=1)})
    blocks = {"block": "block"} if len(faces) == 3 else {}
    if defence == "parry":
        faces = [faces[0], faces[1]]
    act(session, "attack:bob:spear", faces=faces, choices={**ONE, "how to defend": defence, **blocks})
    assert (status(session, "bob").held("gift") is None) is (defence == "parry" or bool(blocks))


@pytest.mark.rule("stage.power_effect.dice_per_resource")
def test_dice_for_the_next_opposed_check_count_for_a_defence_and_once_only() -> None:
    thinker = fighter(academics=5, powers=("strategic_observation",))
    session = duel(thinker, fighter(agility=2), mine={"ap": 6})
    act(session, "power::strategic_observation=2")
    found = {way.name: way.dice for way in defences(session.scene, "ann", "bob", melee=True).ways}
    assert (found["dodge"], found["parry"]) == (2, 4)
    act(session, "attack:bob:spear", faces=[[1]], choices={**ONE, "how to defend": "nothing"})  # no one opposes it
    assert status(session).held("strategic_observation") is not None
    act(session, "attack:bob:spear", faces=[[6, 6], [1, 1, 1]], choices={**ONE, "how to defend": "dodge"})
    assert status(session).held("strategic_observation") is None
    assert pool(session.scene, "ann", "close_combat.attack", words=("opposed",)).dice.total == 2


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.power.announce")
@pytest.mark.parametrize(
    ("use", "faces"),
    [("tumble", [[1]]), ("insult:bob", [[1], [1]]), ("first_aid:ann", [[1]]), ("treat:cat", [[1]]), ("hide", [[1]])],
)
def test_every_check_uses_up_what_was_for_the_next_one(use: str, faces: list[list[int]]) -> None:
    ann = somebody(1)
    session = duel(
        ann,
        fighter(),
        place(fighter(), "party", who="cat", stamina=0),
        mine={"vitality": 1, "lasting": gift("any_check", flat=1)},
        theirs={"lasting": (Effect("distracted", OPEN_END),)},
    )
    before = pool(session.scene, "ann", "agility.tumble").once
    assert [held.id for held in before] == ["gift"]
    go(session, "stage.perform", who="ann", use=use, faces=[each * 1 for each in faces])
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


# ---------------------------------------------------------------------- surviving


def sturdy(*powers: str, **fields: Any) -> Any:
    """A character in a padded coat, with powers."""
    return fighter(**{"athletics": 6, "defense": 1, "powers": powers, "has": ["padded_coat@worn"], **fields})


@pytest.mark.rule("stage.power_effect.survive", "stage.damage.order")
@pytest.mark.parametrize(("stamina", "survived", "vitality"), [(1, "iron_man", 1), (2, "", 1)])
def test_survival_looks_at_what_is_left_after_a_block_was_paid(stamina: int, survived: str, vitality: int) -> None:
    session = duel(fighter(close_combat=6), sturdy("iron_man"), theirs={"stamina": stamina, "vitality": 2})
    choices = {"dice for the first roll": "4", "how to defend": "nothing", "block": "block"}
    act(session, "attack:bob:spear", faces=[[6, 6, 6, 6], [1, 1, 1], [1]], choices=choices)
    event = events(session, "Attacked")[0]
    assert (event.damage, event.survived) == (2, survived)
    assert (status(session, "bob").vitality, status(session, "bob").dead) == (vitality, False)


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


# ---------------------------------------------------------------------- absorbing Mind and Soul damage


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


@pytest.mark.rule("stage.power_effect.absorb_damage", "stage.power_effect.extra_damage")
@pytest.mark.parametrize(("absorb", "through"), [("slippery_soul", 3), ("no", 6)])
def test_damage_besides_another_can_be_absorbed(absorb: str, through: int) -> None:
    ann = fighter(close_combat=4, manipulation=3, powers=("insult_to_injury",))
    session = duel(ann, somebody(agility=3, perception=1, academics=1, powers=("slippery_soul",)))
    choices = {"how to attack": "insult_to_injury", "dice for the first roll": "3", "which damage": "soul"}
    act(
        session,
        "attack:bob:spear",
        faces=[[6, 6, 6], [6], [1, 1]],
        choices={**choices, "how to defend": "nothing", "absorb it": absorb},
    )
    assert events(session, "Attacked")[1].damage == through


@pytest.mark.rule("stage.gap.magic.enchantments")
@pytest.mark.parametrize(("kind", "lost", "left"), [("soul", 3, False), ("mind", 5, True)])
def test_a_soul_anchor_halves_the_next_soul_damage_of_whatever_source(kind: str, lost: int, left: bool) -> None:
    ann = fighter(close_combat=4, manipulation=3, powers=("insult_to_injury",))
    anchor = (Effect("soul_anchor", OPEN_END),)
    session = duel(ann, somebody(agility=3, perception=5, academics=5), theirs={"lasting": anchor})
    track = {"soul": "will", "mind": "intellect"}[kind]
    before = getattr(status(session, "bob"), track)
    face = 6 if kind == "soul" else 5
    choices = {"how to attack": "insult_to_injury", "dice for the first roll": "3", "which damage": kind}
    act(session, "attack:bob:spear", faces=[[6, 6, 6], [face], [1, 1]], choices={**choices, "how to defend": "nothing"})
    assert before - getattr(status(session, "bob"), track) == lost
    assert (status(session, "bob").held("soul_anchor") is not None) is left


# ---------------------------------------------------------------------- who defended


@pytest.mark.rule("stage.power_effect.defend_other", "stage.power_effect.on_defend", "stage.agility.dodge_rules")
def test_a_neighbours_dodge_moves_nobody_and_benefits_the_neighbour() -> None:
    cat = somebody(agility=4, perception=1, academics=1, powers=("interference", "flank"))
    bob = somebody(agility=5, perception=1, academics=1, powers=("flank",))
    session = duel(
        fighter(),
        bob,
        place(cat, "foes", (5, 5), who="cat", beside=("bob",)),
        apart=0,
        mine={"beside": ("bob",)},
        theirs={"beside": ("ann", "cat"), "ap": 0},
    )
    act(
        session,
        "attack:bob:spear",
        faces=[[6, 6, 6, 6], [1]],
        choices={**ONE, "how to defend": "nothing", "defend your": "dodge+interference"},
    )
    assert [status(session, who).held("flank") is not None for who in ("bob", "cat")] == [False, True]
    assert status(session, "bob").beside == ("ann", "cat")


@pytest.mark.rule("stage.power_effect.on_defend")
@pytest.mark.parametrize(("brawl", "close", "asked"), [(3, 1, True), (3, 3, False), (3, 4, False)])
def test_a_parry_with_brawl_counts_as_one_whatever_is_in_hand(brawl: int, close: int, asked: bool) -> None:
    bob = somebody(
        brawl=brawl, close_combat=close, perception=1, academics=1, powers=("turnaround",), has=["dagger@hand"]
    )
    session = duel(fighter(), bob)
    used = {"Turnaround": "power:ann:turnaround"} if asked else {}
    act(
        session,
        "attack:bob:spear",
        faces=[[6] * max(brawl, close), [1], *([[2]] if asked else [])],
        choices={**ONE, "how to defend": "parry", **used},
    )
    assert status(session).stamina == (0 if asked else 2)


# ---------------------------------------------------------------------- knocked out


@pytest.mark.rule("stage.attack.non_lethal_rules", "stage.damage.order")
@pytest.mark.parametrize(
    ("stamina", "temporary", "defence", "out"),
    [(1, 0, "parry", True), (2, 0, "parry", False), (1, 0, "nothing", False), (0, 1, "nothing", False)],
)
def test_a_knock_out_looks_at_stamina_when_the_hit_arrives(
    stamina: int, temporary: int, defence: str, out: bool
) -> None:
    bob = fighter(close_combat=3)
    theirs: dict[str, Any] = {"stamina": stamina}
    session = duel(somebody(brawl=5, perception=1), bob, theirs=theirs)
    ranks = status(session, "bob").temporary.put("stamina", temporary) if temporary else None
    if ranks is not None:
        session = duel(somebody(brawl=5, perception=1), bob, theirs={**theirs, "temporary": ranks})
    parry = [[1, 1, 1]] if defence == "parry" else []
    faces = [*parry, [6, 6, 6], [1, 1], *([[2]] if out else [])]
    choices = {"dice for the first roll": "3", "how to defend": defence}
    act(session, "non_lethal:bob:unarmed", faces=faces, choices=choices)
    assert bool(status(session, "bob").unconscious) is out


@pytest.mark.rule("stage.attack.non_lethal_rules")
def test_claws_lend_nothing_to_an_attack_that_is_to_subdue() -> None:
    bear = person("bear")
    session = duel(bear, fighter())
    use = next(use for use in offered(session) if use.startswith("non_lethal:bob"))
    weapon = use.split(":")[2]
    session.do("stage.perform", who="ann", use=f"non_lethal:bob:{weapon}")
    question = session.question
    assert isinstance(question, Choice)
    assert question.details["pool"] == bear.level("brawl")


# ---------------------------------------------------------------------- one swing


def whirl(**fields: Any) -> Any:
    return somebody(
        **{"close_combat": 6, "perception": 1, "academics": 1, "powers": ("whirlwind_attack",), **fields},
        has=["great_sword@hands"],
    )


@pytest.mark.rule("stage.equipment.attack_rating", "stage.power_effect.attack_form")
def test_a_swing_is_one_attack_however_many_it_reaches() -> None:
    people = [place(whirl(), "party", who="ann"), *[place(fighter(), "foes", who=who) for who in ("bob", "cat", "dan")]]
    session = session_with(people)
    act(session, "attack:bob:great_sword+whirlwind_attack", faces=[[1]], choices=ONE)
    assert status(session).attacks == {"great_sword": 1}
    assert len(events(session, "Attacked")) == 3
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


# ---------------------------------------------------------------------- nothing is paid twice


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
    ("ap", "defence", "offered_then"),
    [
        (1, "nothing", ["block", "block+juggernaut"]),
        (1, "dodge", ["block"]),
        (2, "dodge", ["block", "block+juggernaut"]),
        (1, "parry", ["block", "block+juggernaut"]),
    ],
)
def test_ap_spent_on_a_dodge_are_missing_for_a_block(ap: int, defence: str, offered_then: list[str]) -> None:
    bob = fighter(defense=5, agility=1, powers=("juggernaut",), has=["spear@hand", "padded_coat@worn"])
    session = duel(fighter(close_combat=6), bob, theirs={"ap": ap})
    dice = {"nothing": 0, "dodge": 1, "parry": 2}[defence]
    assert asked_to_block(session, defence, dice) == offered_then


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
    session.choose("5")
    session.choose("nothing")
    session.choose("dodge+interference")
    session.type_in([1])
    session.type_in([6] * 5)
    session.type_in([6, 6])
    question = session.question
    assert (list(question.ids[1:]) if isinstance(question, Choice) else []) == offered_then
