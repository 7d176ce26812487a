"""Words for people: options with dice and costs, refusals and questions by the names of those concerned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import answer, events, go, status
from systems.stage.fights import asked, duel, offered, place, playing, scene_with, session_with, strike
from systems.stage.people import library, person, refused, scene_of, session_of, somebody
from tablewright.engine.trace import Trace
from tablewright.game.character.character import Ranks
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.play.actions import ActionUse, Refusal
from tablewright.game.play.costs import Cost
from tablewright.game.scene.scene import Scene
from tablewright.game.session.preview import preview_rule
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.index import ACTIONS
from tablewright.systems.stage.actions.move import FAR_AWAY
from tablewright.systems.stage.actions.strike import _steps
from tablewright.systems.stage.effects import Do, Power, Trigger
from tablewright.systems.stage.mechanics.attack import attack
from tablewright.systems.stage.mechanics.forms import Block, Blow, Defence, Form
from tablewright.systems.stage.status import PURSES

ME, FOE = "q7-me", "q8-foe"


def fighter(name: str, **more: Any) -> Any:
    fields: dict[str, Any] = {"has": ["spear@hand", "hunting_bow"], "spells": ("flare", "daze", "mend"), "name": name}
    return somebody(3, **(fields | more))


def facing(apart: int | None, facts: Facts | None = None, has: Any = None, **theirs: Any) -> Scene:
    first, second = (None, None) if apart is None else ((1, 5), (1 + apart, 5))
    foe = fighter("Bob Brook") if has is None else fighter("Bob Brook", has=has)
    people = [place(fighter("Ann Ash"), "party", first, who=ME), place(foe, "foes", second, who=FOE, **theirs)]
    return scene_with(people, facts=facts)


SCENES: dict[str, tuple[Scene, tuple[str, ...]]] = {
    "adjacent": (facing(None), ()),
    "in one cube": (facing(0), ("Bob Brook is in the same cube", f"Bob Brook is within {FAR_AWAY} cubes")),
    "far": (
        facing(17),
        (
            "Bob Brook is not adjacent",
            "Bob Brook is out of reach",
            "Bob Brook is 17 cubes away, too far for a charge",
            "in plain sight of Bob Brook",
        ),
    ),
    "out of it": (facing(None, unconscious="a test"), ("Bob Brook is out of it",)),
    "covered": (facing(None, Facts().set("cover", FOE, "full")), ("Bob Brook is behind full cover",)),
    "unarmed": (facing(None, has=()), ("Bob Brook has no weapon in hand",)),
    "a thing": (facing(None, integrity=4), ("Bob Brook is a thing",)),
}
"""Scenes with the refusals that they lead to."""


def reasons(scene: Scene) -> set[str]:
    """Every refusal by any requirement of any action in any of the scenes."""
    ways = {(action, use) for action in ACTIONS for each, _ in SCENES.values() for use in action.uses_for(each, ME)}
    said = {one.refuse(scene, ME, use) for action, use in ways for one in action.requires}
    return {one.reason if isinstance(one, Refusal) else one for one in said if one is not None}


@pytest.mark.rule("stage.encounter.flow")
@pytest.mark.parametrize(("scene", "expected"), SCENES.values(), ids=SCENES)
def test_no_refusal_and_no_option_calls_anybody_by_an_id(scene: Scene, expected: tuple[str, ...]) -> None:
    said = reasons(scene)
    labels = {use.label for action in ACTIONS for use in action.uses_for(scene, ME)}
    assert not [words for words in said | labels if ME in words or FOE in words]
    assert said >= set(expected)


@pytest.mark.rule("stage.equipment.range_increment")
def test_targets_beyond_bow_range_are_named() -> None:
    people = [
        place(fighter("Ann Ash"), "party", (0, 0), who=ME),
        place(fighter("Bob Brook"), "foes", (900, 0), who=FOE),
    ]
    scene = scene_with(people, ground=Grid(size=(1000, 1), shared=True))
    assert "Bob Brook is out of range" in reasons(scene)


@pytest.mark.rule("stage.power_effect.dodge_extra")
def test_the_target_of_striking_back_is_named() -> None:
    back = [
        one.id
        for one in library().of(Power)
        for effect in one.effects
        if isinstance(effect, Trigger) and effect.at == "dodging"
        if any(isinstance(each, Do) and each.what == "attack" for each in effect.then)
    ]
    people = [
        place(fighter("Ann Ash", powers=tuple(back)), "party", who=ME),
        place(fighter("Bob Brook"), "foes", who=FOE),
    ]
    found = _steps(scene_with(people, turn=FOE), ME, FOE)
    assert {one.label for one in found} == {"Strike back at Bob Brook"}


def at_peace(**fields: Any) -> Session:
    scene = scene_of({ME: fighter("Ann Ash", **fields), FOE: fighter("Bob Brook")})
    return playing(scene)


@pytest.mark.rule("stage.poison.infection", "stage.poison.cure")
@pytest.mark.parametrize(
    ("process", "given", "why"),
    [
        ("stage.step_back", {}, "Ann Ash has bought nothing yet"),
        ("stage.meditate", {}, "Ann Ash has no power to meditate"),
        ("stage.masterwork", {"patient": FOE, "track": "sanity"}, "Ann Ash has no power for such a work"),
        (
            "stage.antidote",
            {"ailment": "radiation_sickness"},
            "Ann Ash does not carry Radiation Sickness, but no poison or disease",
        ),
        ("stage.loot", {"fallen": FOE}, "Bob Brook is awake and keeps it"),
        ("stage.ranking", {"who": [ME]}, f"Ann Ash cannot compete alone; name at least two, with {FOE}"),
        ("stage.ranking", {"who": []}, "nobody cannot compete alone"),
        ("stage.break_object", {"thing": "good_lok"}, 'no lock or item "good_lok"; did you mean "good_lock"'),
        ("stage.break_object", {"thing": "good_lock", "weapon": "axe"}, '"axe" is not at hand; at hand is spear'),
        ("stage.get_used_to", {"power": "thief", "item": "spear"}, '"thief" was not bought for an item'),
        ("stage.enchant", {"enchantment": "keen_edge", "item": "spear", "core": 1}, "does not know Keen Edge, but no"),
        ("stage.learn", {"what": "flare", "skill": "animism"}, "Flare is learned with Projection, not Animism"),
        ("table.check", {"what": "guile.sneak", "situation": [f"helped_by={ME}"]}, f"cannot help .*; here is {FOE}"),
        ("table.check", {"what": "medicine.treatment", "situation": [f"target={ME}"]}, "another target than Ann Ash"),
        ("table.check", {"what": "projection.cast", "situation": []}, "name the spell as spell=...: flare, daze, mend"),
    ],
)
def test_refusals_outside_fights_say_what_was_given_and_what_is_allowed(
    process: str, given: dict[str, Any], why: str
) -> None:
    refused(why, at_peace().do, process, **{"who": ME, **given})


@pytest.mark.rule("stage.poison.infection")
def test_a_character_who_has_an_ailment_already_is_named() -> None:
    session = at_peace()
    go(session, "stage.infect", who=ME, ailment="radiation_sickness", faces=[[1, 1, 1, 1, 1, 1]])
    refused("Ann Ash has Radiation Sickness already", session.do, "stage.infect", who=ME, ailment="radiation_sickness")


@pytest.mark.rule("stage.athletics.climb")
@pytest.mark.parametrize("said", ["²", "٣", "steep"])
def test_ground_that_is_no_number_asks_for_no_check(said: str) -> None:
    session = playing(facing(None, Facts().set("climbing", ME, said)))
    go(session, "stage.perform", who=ME, use="crouch")
    assert session.scene[ME].status.stance == "crouching"


@pytest.mark.rule("stage.power.payment")
@pytest.mark.parametrize(("points", "will"), [("2", 2), ("²", 0), ("٣", 0), ("9" * 5_000, 0), ("many", 0)])
def test_points_that_are_no_number_cost_nothing(points: str, will: int) -> None:
    people = [
        place(fighter("Ann Ash", powers=("braggadocio",)), "party", who=ME),
        place(fighter("Bob Brook"), "foes", who=FOE),
    ]
    use = ActionUse("power", None, f"braggadocio={points}")
    assert ACTIONS.by_id["power"].price_of(scene_with(people), ME, use)["will"] == will


@pytest.mark.rule("stage.survival.train", "stage.mount.size_limit")
def test_refusals_call_animals_by_name() -> None:
    wolf = person("wolf", tricks=("sit",))
    session = session_of({"ann": somebody(2), "w": wolf.changed(name="Grey")})
    refused("Grey knows sit already", go, session, "stage.train", who="ann", animal="w", trick="sit")
    assert wolf.skills == Ranks({"brawl": 3, "agility": 2, "athletics": 2, "perception": 2, "survival": 1})


@pytest.mark.rule("stage.encounter.flow")
def test_two_of_one_name_are_told_apart() -> None:
    people = [place(somebody(3), "party", who="ann")]
    session = session_with([*people, *[place(somebody(2), "foes", who=f"guard-{number}") for number in (1, 2)]])
    session.do("stage.encounter")
    labels = [one.label for one in session.question.options if one.action == "trip"]  # type: ignore[union-attr]
    assert labels == ["Trip Somebody 2", "Trip Somebody 3"]
    assert "trip:guard-2" in offered(session)


def told(session: Session) -> dict[str, tuple[str, str]]:
    """The options of the open question: what each is called, and what it is made with and costs."""
    question = asked(session)
    return {
        name: (question.label(option), question.cost_text(option))
        for name, option in zip(question.ids, question.options, strict=True)
    }


def labels(session: Session, who: str = "ann") -> dict[str, str]:
    """Options with their costs."""
    return {use.label: use.cost_text for use in ACTIONS.options(session.scene, who) if isinstance(use, ActionUse)}


def fought(session: Session) -> Session:
    """The fight from here to the first question of what to do."""
    session.do("stage.encounter")
    return session


@pytest.mark.rule("stage.attack.procedure", "stage.power.announce", "stage.attack.defensive")
def test_both_sides_of_an_attack_see_what_it_is_made_with_and_what_it_costs() -> None:
    session = fought(duel(person("torvald"), person("torvald")))
    answer(session, "attack:bob:short_sword")
    assert told(session)["melee_expert"] == ("melee expert", "4 dice, 1 point")
    answer(session, "plain")
    assert asked(session).details == {"pool": 3, "Hit Difficulty": "3"}
    answer(session, "2")
    assert session.seat == "bob"
    assert asked(session).details == {"to hit": "2 dice", "damage": "1 die", "Hit Difficulty": "3"}
    assert told(session) == {
        "nothing": ("nothing", ""),
        "dodge": ("dodge", "1 die, 1 AP"),
        "parry": ("parry", "2 dice +1, 1 Stamina"),
        "parry+melee_expert": ("parry with melee expert", "3 dice +1, 2 Stamina"),
    }


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (Form.parse("plain/1d"), "1 die"),
        (
            Form.parse("all/3d/b1/b2/p1/f2/x1/o2/i3/c2/no_parry/no_dodge"),
            "3 dice +4, 1 die more damage, 2 dice of other damage, ignores 3 of armour, no parry, no dodge, 2 points",
        ),
        (Defence.parse("parry/2d/f-1/c1"), "2 dice -1, 1 Stamina"),
        (Defence.parse("dodge/2d/l5/ap1/o1/bare"), "2 dice, at least 5, Size and cover do not count, 1 AP, 1 point"),
        (Defence.parse("cover/f3/c2"), "+3, 2 Stamina"),
        (Block.parse("block/2d/f1/m9/t2"), "2 dice +1, twice, at most 9, 1 Stamina"),
        (Block.parse("deflect/1d/m6/r1/ap1/c0/o3"), "1 die, at most 6, Resistance 1, 1 AP, 3 points"),
        (Block.parse("endure/a3/c0"), "stops 3"),
    ],
    ids=str,
)
@pytest.mark.rule("stage.power.announce", "stage.attack.defensive", "stage.defense.block")
def test_a_way_says_what_it_is_made_with_and_costs(way: Form | Defence | Block, words: str) -> None:
    assert way.cost == words


@pytest.mark.parametrize(
    ("blow", "hit", "damage"),
    [
        (Blow(Form("plain", 3), 2, 1), "2 dice", "1 die"),
        (Blow(Form("plain", 3, extra=1), 3, 0, first=-1), "3 dice -1", "1 and 1 die"),
        (Blow(Form("plain", 4), 1, 3, second=2), "1 die", "3 dice +2"),
    ],
)
@pytest.mark.rule("stage.attack.procedure")
def test_a_character_who_defends_sees_both_rolls(blow: Blow, hit: str, damage: str) -> None:
    assert blow.words == {"to hit": hit, "damage": damage}


@pytest.mark.rule("stage.resource.death", "stage.resource.spend")
def test_a_block_that_takes_the_last_point_says_so_and_who_died_of_it_is_told() -> None:
    hit = ("attack:bob:spear", "2", "nothing", [3, 3], [4])
    safe = fought(duel(person("guard"), person("torvald"), theirs={"stamina": 1, "vitality": 5, "ap": 0}))
    assert asked(answer(safe, *hit)).details == {"damage": 4}
    session = fought(duel(person("guard"), person("torvald"), theirs={"stamina": 0, "vitality": 1, "ap": 0}))
    assert asked(answer(session, *hit)).details == {"damage": 4, "left before death": "1"}
    answer(session, "block", [4])
    (struck,) = events(session, "Attacked")
    assert status(session, "bob").dead
    assert (struck.damage, struck.fallen) == (0, "Torvald is dead")
    (result,) = [line.result for line in session.log if isinstance(line, Trace) and line.call.mechanic is attack]
    assert (result.points, result.last) == (1, "paid")  # what was paid is told, not what it was worth
    assert struck.narrate() == "ann hits bob with spear; block: no damage; Torvald is dead"


@pytest.mark.parametrize(
    ("vitality", "dice", "fallen"), [(6, [6], ""), (5, [6], "Somebody is dead")], ids=["a point is left", "none is"]
)
@pytest.mark.rule("stage.resource.death", "stage.resource.damage_overflow")
def test_a_blow_tells_who_falls_by_it(vitality: int, dice: list[int], fallen: str) -> None:
    bare = somebody(close_combat=1)
    session = duel(person("guard"), bare, theirs={"stamina": 1, "vitality": vitality, "ap": 0})
    strike(session, [3, 3], dice)
    assert [one.fallen for one in events(session, "Attacked")] == [fallen]


@pytest.mark.rule("stage.resource.spend")
def test_a_price_says_from_which_track_it_would_be_paid() -> None:
    for stamina, vitality, price in (
        (2, 3, "2 AP, 1 stamina"),
        (0, 3, "2 AP, 1 vitality"),
        (0, 1, "2 AP, 1 vitality, the last of it"),
    ):
        session = duel(person("torvald"), person("guard"), mine={"stamina": stamina, "vitality": vitality})
        assert labels(session)["Tumble"] == price
    session = duel(person("torvald"), person("guard"), mine={"stamina": 1, "vitality": 3})
    both_tracks = Cost.of(ap=1, stamina=2, will=1)
    assert PURSES.words_for(session.scene, "ann", both_tracks) == "1 AP, 1 stamina, 1 vitality, 1 will"


@pytest.mark.rule("stage.athletics.throw", "stage.gap.magic.spells", "stage.action.multi_turn")
def test_labels_tell_throws_elements_and_actions_that_are_begun() -> None:
    told_of = {
        name: labels(duel(person(name), person("guard"), mine={"ap": 2})) for name in ("brynh", "ysolt", "torvald")
    }
    assert {"Attack Guard with the spear", "Attack Guard with the spear, thrown"} <= set(told_of["brynh"])
    assert {"Flare (fire) on Guard", "Flare (cold) on Guard", "Healing Touch on Ysolt"} <= set(told_of["ysolt"])
    assert told_of["torvald"]["Begin: Grapple Guard"] == "2 of 3 AP"


@pytest.mark.rule("stage.action.interruption", "stage.action.prepare_interruption")
def test_an_interrupter_is_told_the_action_and_its_odds_beforehand() -> None:
    people = [
        place(person("torvald"), "party", who="ann"),
        place(person("brynh"), "party", who="cid"),
        place(person("guard"), "foes", who="bob", stamina=9),
    ]
    session = fought(session_with(people))
    answer(session, "prepare")
    assert asked(session).details == {"who": "ann", "left": "0 AP and 1 prepared"}
    answer(session, "end_turn")
    use = asked(session).option("attack:bob:spear")
    assert preview_rule(session, "cid", use, "cid").subject.mechanic.name == "stage.attack"
    answer(session, "attack:bob:spear")
    assert session.seat == "ann"
    assert asked(session).details == {"who": "ann", "kind": "window", "before": "Brynh: Attack Guard with the spear"}
    answer(session, "pass", "1", "nothing", [1])
    assert asked(session).details == {"who": "ann", "kind": "window", "after": "Brynh: Attack Guard with the spear"}


@pytest.mark.rule("stage.action.interruption")
def test_odds_are_told_though_a_companion_of_the_same_seat_could_interrupt() -> None:
    mine = [
        replace(place(person(name), "party", who=who), seat="me")
        for who, name in (("ann", "torvald"), ("cid", "brynh"))
    ]
    session = fought(session_with([*mine, place(person("guard"), "foes", who="bob")]))
    answer(session, "prepare", "end_turn")
    use = asked(session).option("attack:bob:spear")
    assert preview_rule(session, "cid", use, "me").subject.mechanic.name == "stage.attack"


@pytest.mark.rule("stage.action.interruption", "stage.magic.visibility")
def test_an_interruption_does_not_know_which_spell_is_coming() -> None:
    session = fought(duel(person("torvald"), person("ysolt")))
    answer(session, "prepare", "end_turn", "cast:ann:flare=fire")
    assert asked(session).details["before"] == "Ysolt: a spell"


@pytest.mark.rule("stage.injury.disability")
def test_the_counters_that_take_dice_stand_beside_the_question() -> None:
    session = fought(duel(person("torvald"), person("guard"), mine={"vitality": 3}))
    assert asked(session).details == {"who": "ann", "left": "3 AP", "disability counters": 2}
