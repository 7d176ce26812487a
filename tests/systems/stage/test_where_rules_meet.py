"""Rules that meet: repeated tumbles, dice bought twice, substituted skills, helpers of a target."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import events, go, status, words
from systems.stage.fights import BOOK, act, asked, duel, fighter, held_by, place, playing, session_with
from systems.stage.people import OPTIONS, library, person, scene_of, session_of, somebody
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import Ranks
from tablewright.game.play.effects import OPEN_END, Duration, Effect, expired_effects
from tablewright.game.scene.arrival import enter_scene
from tablewright.game.session.session import Session
from tablewright.game.values import Frozen, freeze
from tablewright.systems.stage.actions.aim import blocks, forms
from tablewright.systems.stage.actions.defences import MOST_WAYS, defences
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.character.record import Wounds
from tablewright.systems.stage.legality import legality
from tablewright.systems.stage.now import arm_named, hit_difficulty, pool
from tablewright.systems.stage.status import most
from tablewright.systems.stage.values import HOUR

ONE = {"dice for the first roll": "1"}


def next_round(session: Session, who: str = "ann") -> Session:
    """The same a round later, in the turn of the same one, with all AP."""
    scene = replace(session.scene, round=session.scene.round + 1, turn=who, acted=())
    return playing(scene.with_status(who, ap=3))


def standing_by(who: str) -> dict[str, Any]:
    """Ready to assist a character."""
    return {"lasting": (Effect("stands_by", OPEN_END, source=who),)}


# ---------------------------------------------------------------------- one after the other


@pytest.mark.rule("stage.agility.tumble")
def test_a_worse_tumble_counts_once_the_better_one_is_over() -> None:
    session = duel(fighter(agility=2), fighter())
    act(session, "tumble", faces=[[6, 5]])
    later = next_round(session)
    act(later, "tumble", faces=[[1, 2]])
    assert hit_difficulty(later.scene, "ann", "bob").tally.total == 11 + 3
    first = next(one for one in status(later).lasting if one.until.round == 2)
    after = later.scene.with_status("ann", lasting=tuple([one for one in status(later).lasting if one is not first]))
    assert hit_difficulty(after, "ann", "bob").tally.total == 3 + 3


@pytest.mark.rule("stage.agility.tumble")
@pytest.mark.parametrize(("roll", "prone"), [([4, 4, 3], True), ([4, 3, 3], False)])
def test_the_higher_of_tumble_and_dodge_counts_against_a_trip_too(roll: list[int], prone: bool) -> None:
    options = OPTIONS.put("tumble_stacking", "highest")
    tumbling = {"lasting": (Effect("tumbling", Duration(2, "bob"), 8),)}
    session = duel(somebody(brawl=3, perception=1, academics=1), fighter(agility=2), options=options, theirs=tumbling)
    act(session, "trip:bob", faces=[[1, 1, 1], roll], choices={"how to defend": "dodge"})  # 8 and 3 for Size
    assert (status(session, "bob").stance == "prone") is prone


@pytest.mark.rule("stage.power_effect.dice_per_resource")
def test_dice_that_were_bought_again_lapse_in_their_own_time() -> None:
    braggart = somebody(manipulation=5, agility=1, academics=1, powers=("braggadocio",))
    session = duel(braggart, fighter(), mine={"will": 9})
    act(session, "power::braggadocio=4")
    later = next_round(session)
    act(later, "power::braggadocio=2")
    assert [(one.until.round, one.data.dice) for one in status(later).lasting] == [(2, 4), (3, 2)]
    assert pool(later.scene, "ann", "agility.tumble").dice.total == 1 + 4  # of special dice the best count
    go(later, "table.rule", who="ann", field="ap", value="1", reason="a moment later")
    act(later, "bluff:bob", faces=[[1], [1] * 4])
    assert not status(later).lasting  # one check is the next one for both


@pytest.mark.rule("stage.power_effect.dice_per_resource", "stage.resource.spend")
@pytest.mark.parametrize(("value", "most"), [("allow", 2), ("forbid", 1)])
def test_the_last_point_may_be_spent_on_dice_where_the_table_allows_it(value: str, most: int) -> None:
    options = OPTIONS.put("spend_last_core", value)
    braggart = somebody(manipulation=5, agility=1, academics=1, powers=("braggadocio",))
    session = duel(braggart, fighter(), options=options, mine={"will": 0, "spirit": 2})
    assert [one for one in _uses(session) if one.startswith("power:")] == [
        f"power::braggadocio={number}" for number in range(1, most + 1)
    ]


def _uses(session: Session) -> list[str]:
    found = BOOK.actions.options(session.scene, "ann")
    return [one.id for one in found if hasattr(one, "action")]


@pytest.mark.rule("stage.power_effect.hd_from_check")
def test_a_new_stance_replaces_the_old_one_even_in_the_same_turn() -> None:
    shelled = somebody(defense=2, perception=1, academics=1, has=["padded_coat@worn"], powers=("shell",))
    session = duel(shelled, fighter(), mine={"ap": 6})
    act(session, "power::shell", faces=[[6, 6]])
    act(session, "power::shell", faces=[[1, 1]])
    assert hit_difficulty(session.scene, "ann", "bob").tally.total == 2 + 3


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


@pytest.mark.rule("stage.power_effect.war_cry", "stage.power_effect.convert_disability")
def test_core_damage_ends_a_war_cry_and_no_last_stand() -> None:
    hero = somebody(creativity=6, intimidate=6, agility=6, academics=1, powers=("war_cry", "last_stand"))
    crier = duel(hero, fighter(), mine={"stamina": 0, "vitality": 4, "ap": 5})
    act(crier, "power::war_cry", faces=[[1]])
    act(crier, "power:ann:last_stand")
    both = status(crier).lasting
    assert {"war_cry", "last_stand"} <= {one.id for one in both}
    session = duel(fighter(), hero, theirs={"stamina": 0, "vitality": 4, "ap": 0, "lasting": both})
    act(session, "attack:bob:spear", faces=[[6], [1, 1]], choices={**ONE, "how to defend": "nothing"})
    assert status(session, "bob").vitality == 2
    assert status(session, "bob").held("war_cry") is None
    assert status(session, "bob").held("last_stand") is not None


# ---------------------------------------------------------------------- by another skill


@pytest.mark.rule("stage.power_effect.substitute_skill", "stage.power.announce")
def test_bonuses_to_the_rolled_skill_can_be_announced_with_it() -> None:
    mocker = fighter(manipulation=5, powers=("derisive_attack", "manipulator", "melee_expert"))
    scene = duel(mocker, fighter()).scene
    arm = arm_named(scene, "ann", "spear")
    assert arm is not None
    found = {form.name: form.dice for form in forms(scene, "ann", arm, "bob").forms}
    assert found["derisive_attack+manipulator"] == 5 + 1 + 1  # the level, the spear, the power
    assert not any("melee_expert" in name and "derisive" in name for name in found)  # it would do nothing


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


# ---------------------------------------------------------------------- helpers


def three(**fields: Any) -> Session:
    """`ann` attacks `bob`, by whom `cat` stands."""
    bob = fighter(**{"agility": 1, "defense": 1, "has": ["padded_coat@worn", "spear@hand"], **fields})
    return duel(fighter(), bob, place(fighter(agility=1, defense=1), "foes", who="cat", **standing_by("bob")))


@pytest.mark.rule("stage.check.assist", "stage.action.reaction")
def test_a_character_who_stands_by_helps_to_dodge_for_the_same_ap() -> None:
    session = three()
    choices = {**ONE, "assist?": "assist:bob", "how to defend": "dodge"}
    act(session, "attack:bob:spear", faces=[[6, 6], [1]], choices=choices)
    assert (status(session, "bob").ap, status(session, "cat").ap) == (2, 2)
    assert "cat spends 1 AP on assisting Somebody 2" in words(session)


@pytest.mark.rule("stage.check.assist", "stage.power_effect.assist_cap", "stage.defense.block")
def test_helpers_count_for_a_block_up_to_their_limit() -> None:
    session = three(powers=("back_to_back",))
    assert [one.dice for one in blocks(session.scene, "bob", "body", helpers=("cat",)).blocks] == [2]
    choices = {**ONE, "assist?": "assist:bob", "how to defend": "nothing", "block": "block"}
    act(session, "attack:bob:spear", faces=[[6], [6, 6], [1, 1]], choices=choices)
    (struck,) = events(session, "Attacked")
    assert (struck.damage, status(session, "cat").ap) == (10, 3)
    more = session_with(
        [*three(powers=("back_to_back",)).scene.participants, place(fighter(defense=1), "party", who="dan")]
    )
    helped = blocks(more.scene, "bob", "body", helpers=("cat", "dan")).blocks
    assert [one.dice for one in helped] == [3]  # Back to Back allows two


@pytest.mark.rule("stage.check.assist", "stage.power_effect.assist_cap")
@pytest.mark.parametrize(("powers", "asked"), [((), 1), (("gang",), 2)])
def test_nobody_is_asked_to_help_beyond_the_limit(powers: tuple[str, ...], asked: int) -> None:
    people = [place(somebody(intimidate=2, agility=1, academics=1, powers=powers), "party", who="ann")]
    people += [
        place(somebody(intimidate=1, agility=1), "party", who=who, **standing_by("ann")) for who in ("cat", "dan")
    ]
    session = session_with([*people, place(fighter(), "foes", who="bob")])
    faces = [[1], [1] * (2 + asked)]
    act(
        session, "bully:bob", faces=faces, choices={"assist?": ["assist:ann"] * asked, "resist": "perception.intuition"}
    )
    assert [status(session, who).ap for who in ("cat", "dan")] == [0, 0 if asked == 2 else 3]


@pytest.mark.rule("stage.check.assist")
def test_nobody_helps_to_defend_with_what_they_do_not_know_or_cannot_pay() -> None:
    session = three()
    scene = session.scene.with_status("cat", ap=0)
    found = {way.name: way.dice for way in defences(scene, "bob", "ann", melee=True, helpers=("cat",)).ways}
    assert found == {"dodge": 1, "parry": 3}  # a parry takes no AP
    act(session, "attack:bob:spear", faces=[[6], [1]], choices={**ONE, "assist?": "pass", "how to defend": "dodge"})
    assert status(session, "cat").ap == 3


@pytest.mark.rule("stage.check.assist", "stage.power_effect.attack_form")
def test_helpers_are_asked_for_a_swing_at_everybody() -> None:
    ann = fighter(close_combat=6, powers=("whirlwind_attack",))
    session = duel(
        ann, somebody(agility=1), place(fighter(), "party", who="cat", **standing_by("ann")), theirs={"ap": 0}
    )
    session.do("stage.perform", who="ann", use="attack:bob:spear+whirlwind_attack")
    assert asked(session).question == "assist?"
    session.choose("assist:ann")
    assert asked(session).ids[-1] == str(6 + 1 + 1)  # the level, the spear, one who helps
    assert status(session, "cat").ap == 1


@pytest.mark.rule("stage.power_effect.reroll", "stage.power_effect.defend_other")
def test_an_ally_who_dodges_for_a_character_rolls_again_for_points_of_their_own() -> None:
    lucky = somebody(agility=4, perception=1, academics=1, powers=("interference", "acrobats_luck"))
    session = duel(fighter(), fighter(), place(lucky, "foes", who="cat"), theirs={"ap": 0, "stamina": 0, "vitality": 1})
    choices = {**ONE, "how to defend": "nothing", "defend your neighbour": "dodge+interference", "roll again": "yes"}
    act(session, "attack:bob:spear", faces=[[1] * 4, [3] * 4, [6]], choices=choices)
    (struck,) = events(session, "Attacked")
    assert (struck.hit, struck.ally, struck.defence) == (False, "cat", "dodge+interference+acrobats_luck")
    assert (status(session, "cat").stamina, status(session, "cat").ap) == (4 - 1 - 2, 2)
    assert status(session, "bob").vitality == 1


# ---------------------------------------------------------------------- who can do nothing, and what is nothing to do


@pytest.mark.rule("stage.encounter.flow", "stage.medicine.cure")
@pytest.mark.parametrize(
    ("process", "told"),
    [
        ("stage.cure", {"healer": "ann", "patient": "bob", "ailment": "skinflake_disease"}),
        ("stage.ranking", {"who": ("ann", "bob")}),
        ("stage.disarm_trap", {"who": "ann", "kind": "arrow_trap"}),
        ("stage.break_object", {"who": "ann", "thing": "spear"}),
        ("stage.wear", {"who": "ann", "item": "padded_coat"}),
        ("stage.use_supplies", {"who": "ann"}),
    ],
)
def test_a_character_who_is_not_awake_does_none_of_it(process: str, told: dict[str, Any]) -> None:
    session = session_of({"ann": somebody(2, has=["padded_coat", "lockpicks"]), "bob": somebody(2)})
    go(session, "stage.infect", who="bob", ailment="skinflake_disease", faces=[[1]])
    asleep = session.scene.with_status("ann", unconscious="knocked out")
    with pytest.raises(IllegalActionError, match="can do nothing"):
        go(playing(asleep), process, **told)


@pytest.mark.rule("stage.medicine.first_aid")
def test_first_aid_needs_something_to_suppress_and_is_over_with_it() -> None:
    session = session_of({"ann": somebody(medicine=3, academics=1, agility=1), "bob": somebody(2)})
    with pytest.raises(IllegalActionError, match="no counters"):
        go(session, "stage.first_aid", healer="ann", patient="bob")
    session = session_of({"ann": somebody(medicine=3, academics=1, agility=1), "bob": somebody(2)})
    go(session, "table.rule", who="bob", field="vitality", value="14", reason="a fall")
    go(session, "stage.first_aid", healer="ann", patient="bob", choices={}, faces=[[6, 6, 6]])
    assert status(session, "bob").first_aid
    go(session, "stage.surgery", healer="ann", patient="bob", faces=[[6, 6], [6]])
    assert not status(session, "bob").first_aid


@pytest.mark.rule("stage.trap.attack", "stage.action.ap")
def test_traps_outside_of_encounters_take_no_ap() -> None:
    session = session_of({"ann": somebody(2)})
    for _ in range(4):
        go(session, "stage.trap", who="ann", kind="arrow_trap", looks=False, faces=[[6, 6], [1]], choices=DODGE)
    assert status(session).ap == 3
    assert words(session)[-1] == "arrow trap misses ann; dodge"


DODGE = {"how to defend": "dodge"}


@pytest.mark.rule("stage.trap.attack", "stage.power_effect.on_defend")
def test_a_trap_that_was_dodged_gives_what_a_dodge_gives_and_hurts_nobody_back() -> None:
    flanker = somebody(agility=5, brawl=6, academics=1, perception=1, powers=("flank", "turnaround"))
    session = duel(flanker, fighter())
    go(session, "stage.trap", who="ann", kind="arrow_trap", looks=False, faces=[[6] * 5, [1]], choices=DODGE)
    assert status(session).held("flank") is not None
    assert status(session).ap == 2  # in an encounter it is counted
    parry = {"how to defend": "parry"}
    go(session, "stage.trap", who="ann", kind="landmine", looks=False, faces=[[6] * 6, [1, 1, 1]], choices=parry)
    assert [one.by for one in events(session, "Attacked")] == ["ann", "ann"]


@pytest.mark.rule("stage.survival.train", "stage.mount.size_limit")
def test_refusals_call_animals_by_name() -> None:
    wolf = person("wolf", tricks=("sit",))
    session = session_of({"ann": somebody(2), "w": wolf.changed(name="Grey")})
    with pytest.raises(IllegalActionError, match="Grey knows sit already"):
        go(session, "stage.train", who="ann", animal="w", trick="sit")
    assert wolf.skills == Ranks({"brawl": 3, "agility": 2, "athletics": 2, "perception": 2, "survival": 1})


# ---------------------------------------------------------------------- what is wielded, and who begins


@pytest.mark.rule("stage.gap.magic.enchantments", "stage.magic.enchantment_types")
def test_vigour_comes_and_goes_with_the_thing_in_hand() -> None:
    more = freeze({"enchantments": ["vigour"], "energy": {"vitality": 2}})
    ann = somebody(agility=3, perception=1, academics=1).changed(belongings=(ItemStack("wand", more=more),))
    session = session_of({"ann": ann})
    assert (status(session).stamina, status(session).vitality) == (3, 3)
    go(session, "stage.draw", who="ann", item="wand")
    assert (status(session).stamina, most(session.scene, "ann").stamina) == (5, 5)
    go(session, "stage.stow", who="ann", item="wand")
    assert (status(session).stamina, most(session.scene, "ann").stamina) == (3, 3)
    assert rulebook.export_character(session.scene, "ann").wounds == ann.wounds
    spent = session_of({"ann": ann})
    go(spent, "table.rule", who="ann", field="stamina", value="1", reason="a run")
    go(spent, "stage.draw", who="ann", item="wand")
    assert status(spent).stamina == 3
    go(spent, "stage.stow", who="ann", item="wand")
    assert status(spent).stamina == 1


@pytest.mark.rule("stage.agility.initiative", "stage.power.announce", "stage.power_effect.skill_die")
@pytest.mark.parametrize(("opens", "total"), [("", 6), ("ann", 12)])
def test_powers_can_be_announced_for_initiative(opens: str, total: int) -> None:
    session = duel(fighter(agility=1, powers=("acrobat",)), fighter(), begun=False)
    session.do("stage.encounter", opens=opens)
    assert asked(session).details == {"who": "ann", "kind": "window", "for": "Agility (initiative)"}
    session.choose("announce::acrobat")
    faces: list[list[int]] = [[3, 3], [1]] if not opens else [[1]]
    for roll in faces:
        session.type_in(roll)
    assert [one.total for one in events(session, "InitiativeRolled")] == [total, 1]
    assert status(session).stamina == 2


# ---------------------------------------------------------------------- days, and those who spend them together


def kept(session: Session, who: str = "ann") -> Any:
    """A character as they go out of a scene."""
    return rulebook.export_character(session.scene, who)


@pytest.mark.rule("stage.gap.time.day_change", "stage.healing.recompose")
def test_a_day_goes_on_from_scene_to_scene() -> None:
    ann = somebody(2).changed(wounds=Wounds(stamina=0, will=0))
    session = session_of({"ann": ann})
    go(session, "stage.recompose", who="ann")
    for left in (24, 16, 8):
        ann = kept(session)
        assert [(one.what, one.left) for one in ann.pending] == [("midnight", left * HOUR)]
        session = playing(enter_scene(scene_of({"ann": ann}), "ann"))
        go(session, "stage.rest", who="ann")
    ann = kept(session)
    assert (ann.day.used, ann.pending) == (Ranks(), ())  # a new day has begun, and nothing is left to reckon


@pytest.mark.rule("stage.travel.modes", "stage.gap.time.day_change")
def test_walking_after_midnight_counts_for_the_new_day() -> None:
    session = session_of({"ann": somebody(agility=9, perception=1, academics=1)})
    go(session, "table.pass_time", amount="20 hours")
    go(session, "stage.travel", who="ann", minutes=14 * 60)  # four hours, and ten: two too many
    assert status(session).stamina == 9 - 2
    assert status(session).day.travelled == Ranks({"walk": 600})


@pytest.mark.rule("stage.travel.modes", "stage.healing.surface", "stage.upkeep.hunger")
def test_companions_rest_walk_and_live_in_the_same_time() -> None:
    people = {"ann": somebody(2), "bob": somebody(2), "wolf": person("wolf")}
    session = session_of(people)
    go(session, "table.rule", who="bob", field="stamina", value="0", reason="a run")
    go(session, "stage.rest")
    assert (status(session, "bob").stamina, session.scene.clock.now) == (16, 8 * HOUR)
    go(session, "stage.travel", minutes=60, who=("ann", "wolf"))
    assert [one.result for one in events(session, "Checked")] == ["4.5 km"] * 2  # as fast as the slowest
    assert session.scene.clock.now == 9 * HOUR
    assert not status(session, "bob").day.travelled
    go(session, "stage.live", days=3, food=False, who=("ann", "bob"))
    assert session.scene.clock.now == 81 * HOUR
    assert (status(session, "bob").blocked, status(session, "wolf").blocked) == (
        Frozen({"hunger": Ranks({"stamina": 1})}),
        Frozen(),
    )
    go(session, "stage.expose", rounds=50, place="cold", who=("ann", "wolf"))
    assert [one.who for one in events(session, "Hurt")][-2:] == ["ann", "wolf"]


@pytest.mark.rule("stage.upkeep.thirst", "stage.resource.death")
def test_a_character_who_dies_of_thirst_is_not_rested_afterwards() -> None:
    session = session_of({"ann": somebody(agility=4, perception=1, academics=1)})
    go(session, "stage.live", who="ann", days=3, water=False)
    assert status(session).dead
    assert session.scene.clock.now == (48 + 8) * HOUR
    assert words(session)[-1].endswith("is dead")


@pytest.mark.rule("stage.healing.surface", "stage.medicine.treatment")
def test_it_is_told_how_much_comes_back() -> None:
    session = session_of({"ann": somebody(medicine=3, academics=1, agility=1), "bob": somebody(2)})
    go(session, "table.rule", who="bob", field="stamina", value="15", reason="a run")
    go(session, "stage.treatment", healer="ann", patient="bob", faces=[[6], [6, 6]], choices=ONE)
    assert [one.amount for one in events(session, "Restored")] == [1]


# ---------------------------------------------------------------------- what a character may be and know


@pytest.mark.rule("stage.guidance.death", "stage.character.minimum_skills")
def test_even_a_poor_group_gets_a_replacement_that_can_be_made() -> None:
    session = session_of({})
    session.do("stage.create", group=(130,))
    while isinstance(session.question, Choice):
        session.choose("done" if "done" in session.question.ids else session.question.ids[0])
    made = session.result
    assert (made.points, legality(made, OPTIONS, library()).ok) == (120, True)


@pytest.mark.rule("stage.magic.app_learn", "stage.gap.magic.starting_spells")
def test_enchantments_are_learned_and_nobody_begins_with_them() -> None:
    ysolt = person("ysolt")
    unlearned = legality(ysolt.changed(enchantments=("vigour",)), OPTIONS, library()).violations
    assert [(one.where, one.rule) for one in unlearned] == [("enchantments", "stage.magic.app_learn")]
    session = session_of({"ann": ysolt})
    go(session, "stage.learn", who="ann", what="vigour", faces=[[3], [1]], choices=ONE)
    knows = kept(session)
    assert (knows.enchantments, knows.learned) == (("vigour",), 1)
    assert legality(knows, OPTIONS, library()).ok


# ---------------------------------------------------------------------- what is offered


@pytest.mark.rule("stage.brawl.grapple", "stage.power_effect.free_step", "stage.power_effect.hd_from_check")
def test_a_held_character_does_not_move_by_a_power() -> None:
    quick = somebody(athletics=3, guile=2, perception=1, academics=1, powers=("short_sprint", "catstep"))
    for held in ((), (Effect("held", Duration(2, "ann"), by="bob"),)):
        people = [
            place(quick, "party", (5, 5), who="ann", beside=("bob",), lasting=held),
            place(fighter(), "foes", (5, 5), who="bob", beside=("ann",)),
        ]
        session = session_with(people)
        able = [] if held else ["power::short_sprint", "power::catstep"]
        assert [one for one in _uses(session) if one.startswith("power:")] == able


@pytest.mark.rule("stage.action.multi_turn", "stage.action.prepare_interruption")
def test_nothing_is_begun_with_what_was_prepared_for_an_interruption() -> None:
    session = duel(fighter(), fighter())
    act(session, "prepare")
    found = _uses(session)
    assert "attack:bob:spear" in found  # it may be used in one's own turn
    assert not [one for one in found if one.startswith("begin")]


@pytest.mark.rule("stage.brawl.grapple")
def test_nobody_is_carried_off_where_there_are_no_places() -> None:
    session = duel(fighter(), fighter())
    assert [one for one in _uses(session) if one.startswith("grapple")] == ["grapple:bob"]
    beside = {"beside": ("bob",)}, {"beside": ("ann",)}
    on_a_map = duel(fighter(), fighter(), apart=0, mine=beside[0], theirs=beside[1])
    assert [one for one in _uses(on_a_map) if one.startswith("grapple")] == ["grapple:bob", "grapple:bob:carry"]


@pytest.mark.rule("stage.power_effect.recovery", "stage.healing.recompose")
def test_second_wind_is_for_a_track_that_has_lost_something() -> None:
    session = duel(somebody(2, powers=("second_wind",)), fighter(), mine={"will": 3})
    assert [one for one in _uses(session) if one.startswith("power:")] == ["power::second_wind=will"]


@pytest.mark.rule("stage.power_effect.spell_modifier")
def test_dispel_says_that_there_is_nothing_to_end_and_helps_your_own() -> None:
    mage = somebody(4, powers=("dispel",))
    session = duel(mage, fighter())
    act(session, "power:bob:dispel")
    assert "ann checks Dispel: there is no magic to end" in words(session)
    warded = Effect("ward", Duration(3, "bob"), by="bob", source="spell:ward")
    own = duel(mage, fighter(), mine={"lasting": (warded,)})
    act(own, "power:ann:dispel", faces=[[6] * 4])
    assert not status(own).lasting


@pytest.mark.rule("stage.encounter.flow", "stage.gap.magic.spells", "stage.power_effect.spell_modifier")
def test_a_guardian_stays_to_the_end_of_the_third_turn_or_until_it_is_dispelled() -> None:
    caller = somebody(6, spells=("spirit_guardian",))
    session = duel(caller, somebody(4, powers=("dispel",)))
    act(session, "cast::spirit_guardian", faces=[[1] * 6])
    guardian = session.scene.participants[-1].id
    third = replace(session.scene, round=4, turn="ann", acted=())
    assert [who for who, _ in expired_effects(third, "ann", "start")] == []
    assert [who for who, _ in expired_effects(third, "ann", "end")] == [guardian]
    other = playing(replace(session.scene, turn="bob"))
    act(other, f"power:{guardian}:dispel", who="bob", faces=[[6] * 4])
    assert not other.scene[guardian].present


def mounted(vitality: int) -> Session:
    """`ann` on a horse that has so much Vitality left, and a foe in the next cube."""
    return duel(
        fighter(survival=2),
        fighter(),
        place(person("riding_horse"), "party", (5, 5), who="horse", vitality=vitality),
        apart=1,
        mine={"rides": "horse"},
    )


@pytest.mark.rule("stage.mount.control")
def test_a_character_who_rides_does_not_walk_and_no_dead_horse_is_dragged_along() -> None:
    for vitality, goes in ((7, False), (0, True)):
        found = {one.partition(":")[0] for one in _uses(mounted(vitality))}
        assert ({"move", "charge", "tumble"} <= found) is goes
        assert ("dismount" in found) is not goes
    session = mounted(0)
    act(session, "move::4,5")
    assert (str(session.scene["ann"].position), str(session.scene["horse"].position)) == ("4,5", "5,5")
    assert status(session).rides == ""


@pytest.mark.rule("stage.power_effect.restore")
def test_a_masterwork_is_for_the_living_who_have_lost_something() -> None:
    artist = somebody(creativity=5, agility=1, academics=1, powers=("magnum_opus",))
    session = session_of({"ann": artist, "bob": somebody(2)})
    with pytest.raises(IllegalActionError, match="'s Sanity is full"):
        go(session, "stage.masterwork", who="ann", patient="bob")
    dead = playing(session.scene.with_status("bob", vitality=0, sanity=1))
    with pytest.raises(IllegalActionError, match="is dead"):
        go(dead, "stage.masterwork", who="ann", patient="bob")


@pytest.mark.rule("stage.power_effect.survive")
def test_it_is_told_what_has_kept_the_last_point() -> None:
    sturdy = somebody(defense=6, perception=1, academics=1, powers=("mountain",))
    session = duel(fighter(), sturdy, theirs={"stamina": 0, "vitality": 1, "ap": 0})
    act(session, "attack:bob:spear", faces=[[6], [6, 6]], choices={**ONE, "how to defend": "nothing"})
    assert words(session)[-1] == "ann hits bob with spear: 12 Body damage; mountain keeps the last point"
    assert status(session, "bob").vitality == 1
