"""The edges of single rules: just enough and just not, the first and the last, each where a figure decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import act, duel, fighter, offered, place, session_with
from systems.mars.people import OPTIONS, alone, do, left, library, person, scene_of, session_of, somebody
from systems.playing import go, status
from tablewright.engine import odds
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.character import Ranks
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.game import Game
from tablewright.game.values import Frozen
from tablewright.systems.mars.actions.aim import aim
from tablewright.systems.mars.actions.attack import resolve
from tablewright.systems.mars.actions.hands import Grip, grip_worth
from tablewright.systems.mars.actions.index import ACTIONS
from tablewright.systems.mars.actions.move import approach
from tablewright.systems.mars.book import rulebook
from tablewright.systems.mars.character.figures import encumbrance, natural_weapons
from tablewright.systems.mars.character.record import Day, MarsEffect, Wounds
from tablewright.systems.mars.content import AttackStep
from tablewright.systems.mars.creation import acquired
from tablewright.systems.mars.events.encounter import effect_named
from tablewright.systems.mars.harm import Loss, lose_health, struggle, waits, wake_if_recovered
from tablewright.systems.mars.legality import legality
from tablewright.systems.mars.mechanics.turn import Routine, attack_routine
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Ready, Turn, Work, fight, gain
from tablewright.systems.mars.values import Degree, RollValue, Shown

HERO = fighter("Ann", ["club"])
FOE = fighter("Bob")
HOUR = 3600


# ---------------------------------------------------------------------- waking and resting


@pytest.mark.rule("mars.effect.unconscious", "mars.effect.dying")
@pytest.mark.parametrize(
    ("health", "endurance", "dying", "awake"),
    [
        (0, 0, False, False),
        (1, 0, False, True),
        (0, 1, False, True),
        (-1, 1, False, True),
        (-1, 0, False, False),
        (-1, 1, True, False),
        (0, 1, True, True),  # health of 0 ends dying first
        (0, 0, True, False),
    ],
)
def test_one_point_wakes_up_who_is_not_dying(health: int, endurance: int, dying: bool, awake: bool) -> None:
    effects = (MarsEffect("unconscious"), *((MarsEffect("dying"),) if dying else ()))
    one = somebody(wounds=Wounds(health=health, endurance=endurance, effects=effects))
    game = Game(scene_of({"ann": one}), rulebook)
    wake_if_recovered(game, "ann")
    assert game["ann"].status.conscious is awake
    assert game["ann"].status.has("dying") is (dying and health < 0)


@pytest.mark.rule("mars.rest.long", "mars.gap.rest.one_a_day")
@pytest.mark.parametrize(("hours", "takes"), [(1, 4), (19, 4), (20, 8), (21, 8)])
def test_a_broken_rest_is_resumed_within_a_day_of_its_beginning(hours: int, takes: int) -> None:
    session = alone(somebody(wounds=Wounds(endurance=0), day=Day(short_rests=2)))
    do(session, "table.pass_time", amount="30 hours")
    do(session, "mars.long_rest", who="ann", interrupted=True)  # four hours
    do(session, "table.pass_time", amount=f"{hours} hours")
    before = session.scene.clock.now
    do(session, "mars.long_rest", who="ann")
    assert session.scene.clock.now - before == takes * HOUR


@pytest.mark.rule("mars.rest.limits", "mars.gap.rest.one_a_day")
@pytest.mark.parametrize("days", [1, 2, 3])
def test_so_many_days_of_rest_take_so_many_days(days: int) -> None:
    session = do(alone(somebody()), "mars.days_of_rest", who="ann", days=days)
    assert session.scene.clock.now == days * 24 * HOUR
    with pytest.raises(IllegalActionError, match="one a day"):
        do(session, "mars.long_rest", who="ann")


@pytest.mark.rule("mars.rest.limits")
def test_days_of_rest_go_on_when_nobody_can_sleep() -> None:
    ill = somebody(
        wounds=Wounds(health=1, endurance=0, effects=(MarsEffect("sickness", degree=2, left=30 * 24 * HOUR),))
    )
    session = do(alone(ill), "mars.days_of_rest", who="ann", days=2)
    assert session.scene.clock.now == 2 * 24 * HOUR


@pytest.mark.rule("mars.rest.short", "mars.rest.long", "mars.rest.cap")
def test_rests_fill_up_what_is_missing_and_no_more() -> None:
    for missing, rest in ((1, "short_rest"), (2, "long_rest")):
        full = scene_of({"ann": person("fighter")})["ann"].status
        tired = person("fighter", wounds=Wounds(stamina=full.stamina - missing))
        session = do(alone(tired), f"mars.{rest}", who="ann")
        assert (session.scene["ann"].status.stamina, session.scene["ann"].status.endurance) == (12, 15)


# ---------------------------------------------------------------------- stepping back


@pytest.mark.rule("mars.advancement.spending")
def test_stepping_back_takes_one_purchase_and_leaves_the_others() -> None:
    session = alone(person("fighter", experience=60, opportunity=1))
    for what, name in (("skill", "athletics"), ("talent", "toughness"), ("stat", "RES")):
        do(session, "mars.advance", who="ann", what=what, name=name)
    names = ["athletics", "toughness", "RES"]
    for number in (2, 1, 0):
        assert [one.name for one in left(session).advances] == names[: number + 1]
        do(session, "mars.step_back", who="ann")
        assert [one.name for one in left(session).advances] == names[:number]
    assert left(session).talents == person("fighter").talents
    assert left(session).stats == person("fighter").stats
    assert left(session).skills == person("fighter").skills


# ---------------------------------------------------------------------- effects that meet


@pytest.mark.rule("mars.gap.talent.rage", "mars.effect.no_stacking")
def test_the_stronger_rage_counts() -> None:
    for degrees in ((2, 3), (3, 2)):
        first, second = [MarsEffect("rage", degree=degree, source="rage") for degree in degrees]
        assert [one.degree for one in gain((first,), second)] == [3]


# ---------------------------------------------------------------------- what is in hand


@pytest.mark.rule("mars.action.brandish")
@pytest.mark.parametrize(
    ("held", "worth"),
    [
        ((), 0),
        ((("dagger", "hand"),), 4 + 8),  # damage r4, finesse r8
        ((("mace", "hand"),), 8),  # damage r8, martial not trained
        ((("mace", "hands"),), 8 + 1),
        ((("knife", "hand"),), 4 + 8),  # a basic weapon goes with any trained skill
        ((("small_shield", "hand"),), 4),
        ((("dagger", "hand"), ("small_shield", "hand")), 4 + 8 + 4),
        ((("dagger", "hand"), ("mace", "hand")), 4 + 8),  # the better of two
        ((("mace", "hand"), ("dagger", "hand")), 4 + 8),
    ],
)
def test_first_offered_weapon_to_wield(held: Any, worth: int) -> None:
    scene = duel(fighter("Ann", skills={"finesse": "r8"}), FOE).scene
    assert grip_worth(scene, "ann", Grip(held)) == worth


@pytest.mark.rule("mars.gap.weapon.list")
def test_bare_hands_or_claws() -> None:
    assert [weapon.id for weapon in natural_weapons(person("fighter"), library())] == ["unarmed"]
    assert [weapon.id for weapon in natural_weapons(person("wolf"), library())] == ["wolf_bite", "wolf_claw"]


@pytest.mark.rule("mars.gap.weapon.reach", "mars.gap.weapon.list")
def test_a_character_who_is_too_far_away_and_what_is_not_wielded() -> None:
    session = duel(fighter("Ann", ["knife"]), FOE, apart=41)
    with pytest.raises(IllegalActionError, match="41 m away, Knife reaches 1 m") as stab:
        act(session, "attack:bob:knife")
    with pytest.raises(IllegalActionError, match="41 m away, Knife reaches 40 m") as throw:
        act(session, "attack:bob:knife/thrown")
    assert (stab.value.rule, throw.value.rule) == ("mars.gap.weapon.reach", "mars.gap.weapon.ranged")
    with pytest.raises(IllegalActionError, match="club is not wielded"):
        act(session, "attack:bob:club")


# ---------------------------------------------------------------------- time and ways


@pytest.mark.rule("mars.maneuver.improvise", "mars.action.speeds")
@pytest.mark.parametrize(("seconds", "open_"), [(6, True), (5, True), (4, True), (3, False), (2, False), (0, False)])
def test_improvising_takes_four_seconds_at_least(seconds: int, open_: bool) -> None:
    session = duel(fighter("Ann", ["mace"]), FOE, mine={})
    scene = session.scene.with_status("ann", turn=Turn(seconds=seconds))
    assert any(use.id == "improvise" for use in ACTIONS.options(scene, "ann") if isinstance(use, ActionUse)) is open_


@pytest.mark.rule("mars.move.action")
def test_the_straight_way_ends_where_nobody_stands() -> None:
    def ending(*others: tuple[str, str, tuple[int, int]]) -> Any:
        people = [place(HERO, "party", (5, 5), who="ann"), place(FOE, "foes", (10, 5), who="bob")]
        people += [place(FOE, side, at, who=who) for who, side, at in others]
        found = approach(session_with(people).scene, "ann", "bob")
        assert found is not None
        return found.end.x, found.end.y, len(found.steps) - 1

    assert ending() == (9, 5, 4)
    for side in ("foes", "party"):
        x, y, steps = ending(("cid", side, (9, 5)))  # next to him a character stands already
        assert (x, y) in ((9, 4), (9, 6))
        assert steps == 4


@pytest.mark.rule("mars.carry.encumbrance", "mars.effect.overencumbered", "mars.move.speed_modifiers")
@pytest.mark.parametrize(
    ("torches", "word"), [(48, "none"), (49, "encumbered"), (80, "encumbered"), (81, "overencumbered")]
)
def test_the_load_may_be_as_heavy_as_the_capacity(torches: int, word: str) -> None:
    one = fighter("Ann", STR="r10", skills={"athletics": "r6"}, pack={"torch": torches})  # 16 times 3 kg, or 5 kg
    assert encumbrance(one, library(), one.belongings) == word


@pytest.mark.rule("mars.time.round", "mars.gap.rest.one_a_day")
@pytest.mark.parametrize(
    ("amount", "seconds"),
    [("1 second", 1), ("2 rounds", 12), ("3 minutes", 180), ("1 hour", 3600), ("1 day", 86400), ("1 week", 604800)],
)
def test_lengths_of_the_units_of_time(amount: str, seconds: int) -> None:
    assert do(alone(somebody()), "table.pass_time", amount=amount).scene.clock.now == seconds


@pytest.mark.rule("mars.advantage.die_choice", "mars.advantage.advantage")
@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("d1:1", True),
        ("d12:12", True),
        ("d12:1", True),
        ("d0:0", False),
        ("d13:1", False),
        ("d6:7", False),
        ("d6:0", False),
    ],
)
def test_which_dice_can_lie_on_the_table(text: str, possible: bool) -> None:
    if possible:
        assert str(Shown.parse(text)) == text
    else:
        with pytest.raises(InvalidInputError, match="not possible"):
            Shown.parse(text)


# ---------------------------------------------------------------------- talents and money


@pytest.mark.rule("mars.gap.talent.second_wind", "mars.rest.abilities")
@pytest.mark.parametrize(("steps", "used", "open_"), [(1, 0, True), (1, 1, False), (2, 1, True), (2, 2, False)])
def test_a_second_wind_for_every_step(steps: int, used: int, open_: bool) -> None:
    winded = fighter("Ann", talents={"second_wind": steps})
    session = duel(winded, FOE, mine={"endurance": 1, "used": Ranks({"second_wind": used} if used else {})})
    assert ("second_wind" in offered(session)) is open_
    fresh = duel(winded, FOE, mine={"endurance": 1})
    act(fresh, "second_wind")
    assert status(fresh).used["second_wind"] == 1


@pytest.mark.rule("mars.equipment.starting_money")
@pytest.mark.parametrize(("money", "problems"), [(0, []), (9, []), (10, []), (11, ["mars.equipment.starting_money"])])
def test_remaining_and_spent_points_add_up_to_fifty(money: int, problems: list[str]) -> None:
    report = legality(person("fighter", money=money), OPTIONS, library())  # armour 20, sword 5, shield 15
    assert [violation.rule for violation in report.violations] == problems


# ---------------------------------------------------------------------- blows at no one


@pytest.mark.rule("mars.attack.procedure")
@pytest.mark.parametrize(("dead", "present", "missed"), [(True, True, True), (False, False, True)])
def test_a_blow_at_the_dead_or_gone_misses(dead: bool, present: bool, missed: bool) -> None:
    scene = duel(HERO, FOE).scene
    blow = aim(scene, "ann", *now(scene, "ann").arms["club"], "bob").blow
    scene = scene.with_status("bob", dead=dead)
    people = tuple([replace(one, present=present) if one.id == "bob" else one for one in scene.participants])
    scene = replace(scene, participants=people, system_state=replace(fight(scene), incoming=(blow,)))
    game = Game(scene, rulebook)
    with pytest.raises(StopIteration) as ended:
        resolve(game).send(None)
    assert (ended.value.value.degree is Degree.FAILURE) is missed
    assert not fight(game.scene).incoming


# ---------------------------------------------------------------------- a turn of attacks, without dice


def turn_of(policy: str, **arguments: Any) -> Routine:
    """Outcome of a turn without chance."""
    given = {"damage_roll": RollValue(0, 5), "stamina": 9, **arguments}
    call = attack_routine(RollValue(0, 20), given.pop("defence", RollValue(0, 20)), **given)
    (result,) = odds(call, policy=lambda ask: ask.ids.index(policy) if policy in ask.ids else 0)
    return result


@pytest.mark.rule("mars.attack.multiple_attack_penalty", "mars.action.speeds")
@pytest.mark.parametrize(("seconds", "damage"), [(0, 0), (1, 0), (2, 5), (3, 5), (4, 5 + 2), (6, 5 + 2)])
def test_every_two_seconds_are_an_attack(seconds: int, damage: int) -> None:
    assert turn_of("attack", seconds=seconds) == Routine(damage, 0, False, False)  # level, a graze at -4, a miss at -8


@pytest.mark.rule("mars.maneuver.use_limit", "mars.attack.multiple_attack_penalty")
@each_case(
    ("more", "expected"),
    [
        ({}, Routine(5, 1, True)),
        ({"maneuver_damage": 3}, Routine(8, 1, True)),
        ({"maneuver_hit": -7}, Routine(0, 1, False)),
        ({"maneuver_hit": -6}, Routine(2, 1, True)),  # a graze
        ({"maneuver_hit": 7, "critical_bonus": 4}, Routine(9, 1, True)),
        ({"maneuver_hit": 5, "critical_bonus": 4}, Routine(5, 1, True)),
        ({"maneuver_hit": 5, "critical_bonus": 4, "maneuver_threshold": -2}, Routine(9, 1, True)),
        ({"maneuver_hit": 4, "critical_bonus": 4, "maneuver_threshold": -2}, Routine(5, 1, True)),
        ({"maneuver_hit": 1, "critical_bonus": 4, "threshold": 3, "maneuver_threshold": -6}, Routine(9, 1, True)),
        ({"maneuver_hit": 0, "critical_bonus": 4, "threshold": 3, "maneuver_threshold": -6}, Routine(5, 1, True)),
        ({"maneuver_stamina": 3}, Routine(5, 3, True)),
        ({"maneuver_stamina": 9}, Routine(5, 9, True)),
        ({"maneuver_stamina": 10}, Routine(5, 0, False)),  # an attack instead
        ({"maneuver_resist": RollValue(0, 20)}, Routine(5, 1, True)),
        ({"maneuver_resist": RollValue(0, 21)}, Routine(5, 1, False)),
        ({"effect_worth": 7}, Routine(12, 1, True)),
        ({"effect_worth": 7, "maneuver_resist": RollValue(0, 21)}, Routine(5, 1, False)),
        ({"reduction": 2}, Routine(3, 1, True)),
        ({"left": 5}, Routine(5, 1, True, True)),
        ({"left": 4}, Routine(4, 1, True, True)),
        ({"left": 6}, Routine(5, 1, True, False)),
    ],
)
def test_a_maneuver_in_a_turn(more: dict[str, Any], expected: Routine) -> None:
    assert turn_of("maneuver", seconds=2, maneuver_speed="swift", **more) == expected


@pytest.mark.rule("mars.maneuver.improvise", "mars.action.speeds")
@pytest.mark.parametrize(
    ("speed", "improvised", "seconds", "stamina"),
    [
        ("standard", False, 4, 1),
        ("standard", False, 3, 0),
        ("standard", True, 6, 2),
        ("standard", True, 5, 0),
        ("swift", True, 4, 2),
        ("swift", True, 3, 0),
        ("full-round", False, 6, 1),
    ],
)
def test_whether_there_is_time_for_a_maneuver(speed: Any, improvised: bool, seconds: int, stamina: int) -> None:
    found = turn_of("maneuver", seconds=seconds, maneuver_speed=speed, improvised=improvised)
    assert found.stamina == stamina


@pytest.mark.rule("mars.attack.multiple_attack_penalty", "mars.maneuver.use_limit")
def test_actions_after_a_maneuver_take_the_penalty() -> None:
    found = turn_of("maneuver", seconds=4, maneuver_speed="swift", penalty=1, effect_worth=10)
    assert found == Routine(5 + 10 + 2, 1, True)  # then an attack at -1, a graze
    assert turn_of("attack", seconds=4, penalty=0) == Routine(10, 0)


# ---------------------------------------------------------------------- new belongings, and two sicknesses


@pytest.mark.rule("mars.equipment.armour_slots", "mars.equipment.availability", "mars.equipment.starting_money")
@pytest.mark.parametrize(
    ("item", "count", "places"),
    [
        ("dagger", 1, ["hand 1"]),
        ("dagger", 2, ["hand 2"]),
        ("dagger", 3, ["pack 3"]),
        ("small_shield", 1, ["hand 1"]),
        ("padded", 1, ["worn 1"]),
        ("arrow", None, ["pack 20"]),
    ],
)
def test_places_of_new_items(item: str, count: int | None, places: list[str]) -> None:
    had = acquired((), item, library(), count)
    assert [f"{one.item} {one.place} {one.count}" for one in had] == [f"{item} {place}" for place in places]


@pytest.mark.rule("mars.effect.sickness_end", "mars.effect.sickness_multiple")
@pytest.mark.parametrize("order", [("cold", "fever"), ("fever", "cold")])
def test_a_check_is_about_one_sickness(order: tuple[str, str]) -> None:
    lasting = {"cold": (1, 30), "fever": (3, 7)}
    session = alone(somebody(RES="r20", STR="r20"))
    for name in order:
        degree, days = lasting[name]
        do(session, "mars.fall_sick", who="ann", degree=degree, source=name, days=days)
    do(session, "table.pass_time", amount="7 days", faces=[(10, 10, 10, 10)])
    degrees = {one.source: one.degree for one in session.scene["ann"].status.effects if one.kind == "sickness"}
    assert degrees == {"cold": 1, "fever": 2}


# ---------------------------------------------------------------------- losing endurance and health


@pytest.mark.rule("mars.gap.ancestry.abilities", "mars.damage.endurance_first")
@pytest.mark.parametrize(
    ("ancestry", "endurance", "tolerated", "lost", "spared"),
    [
        ("orc", 3, False, (3, 0), True),  # the excess of two is lost
        ("orc", 1, False, (1, 0), True),
        ("orc", 0, False, (0, 5), False),  # there was nothing left to reach 0
        ("orc", 5, False, (5, 0), False),  # no excess
        ("orc", 3, True, (3, 2), False),  # once an encounter
        ("human", 3, False, (3, 2), False),
    ],
)
def test_pain_tolerance_spares_what_goes_beyond_endurance(
    ancestry: str, endurance: int, tolerated: bool, lost: tuple[int, int], spared: bool
) -> None:
    one = fighter("Bob", ancestry=ancestry)
    scene = duel(HERO, one, theirs={"endurance": endurance, "tolerated": tolerated}).scene
    loss = Loss(scene, "bob", 5)
    assert (loss.endurance, loss.health, loss.spared) == (*lost, spared)


@pytest.mark.rule("mars.effect.sickness_daily", "mars.damage.thresholds")
@pytest.mark.parametrize(("amount", "times"), [(-1, 0), (0, 0), (1, 1), (2, 1)])
def test_nothing_lost_is_no_event(amount: int, times: int) -> None:
    scene = duel(HERO, FOE).scene
    game = Game(scene, rulebook)
    before = game["bob"].status.health
    with pytest.raises(StopIteration):
        lose_health(game, "bob", amount, "sickness", cause="mars.effect.sickness_daily").send(None)
    assert game["bob"].status.health == before - times * amount
    assert (game.scene is scene) == (times == 0)


@pytest.mark.rule("mars.effect.dying")
@pytest.mark.parametrize(("health", "over"), [(-1, False), (0, True), (1, True)])
def test_dying_is_over_at_a_health_of_zero(health: int, over: bool) -> None:
    dying = (MarsEffect("dying"), MarsEffect("unconscious"), MarsEffect("prone"))
    game = Game(duel(HERO, FOE, theirs={"effects": dying, "health": health}).scene, rulebook)
    struggling = struggle(game, "bob")
    try:
        struggling.send(None)
        struggling.close()
    except StopIteration:
        pass
    assert game["bob"].status.has("dying") is not over


@pytest.mark.rule("mars.stat.resource_behaviour", "mars.advancement.spending")
@pytest.mark.parametrize(
    ("health", "after", "back"),
    [
        (13, 15, 13),  # full stays full, and is full again without the step
        (12, 12, 12),
        (1, 1, 1),
    ],
)
def test_a_higher_maximum_and_back(health: int, after: int, back: int) -> None:
    session = alone(person("fighter", experience=60, opportunity=1, wounds=Wounds(health=health)))
    do(session, "mars.advance", who="ann", what="stat", name="STR")
    assert session.scene["ann"].status.health == after
    do(session, "mars.step_back", who="ann")
    assert session.scene["ann"].status.health == back


@pytest.mark.rule("mars.effect.list")
@each_case(
    ("word", "degree", "value", "stat"),
    [
        ("prone", 0, 0, ""),
        ("burning", 1, 0, ""),
        ("burning:0", 1, 0, ""),
        ("burning:3", 3, 0, ""),
        ("sickness:2", 2, 0, ""),
        ("stunned:1", 1, 0, ""),
        ("fatigue:4", 4, 0, ""),
        ("debilitation:STR", 0, 0, "STR"),
        ("stat_change:STR:2", 0, 2, "STR"),
        ("stat_change:DEX:-3", 0, -3, "DEX"),
    ],
)
def test_effects_as_a_game_master_writes_them(word: str, degree: int, value: int, stat: str) -> None:
    found = effect_named(word)
    assert (found.degree, found.value, found.stat) == (degree, value, stat)


@pytest.mark.rule("mars.character.archetype", "mars.advancement.language_cost")
@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({}, []),
        ({"archetype_talents": ("toughness",)}, ["archetype"]),
        ({"archetype_spread": (8, 6, 6, 4, 4)}, ["archetype"]),
        ({"skills": {"martial": 8, "athletics": 6, "medicine": 6, "charisma": 4}}, ["skills.perception"]),
        (
            {"skills": {"martial": 8, "athletics": 6, "medicine": 6, "charisma": 4, "perception": 4, "sleight": 4}},
            ["skills.sleight"],
        ),
        ({"languages": {"elven": 4}}, ["languages.elven"]),
    ],
)
def test_purchases_outside_the_archetype_are_named(changes: dict[str, Any], fields: list[str]) -> None:
    values = {
        key: Frozen({name: RollValue(value) for name, value in given.items()}) if isinstance(given, dict) else given
        for key, given in changes.items()
    }
    report = legality(person("fighter", **values), OPTIONS, library())
    assert [violation.where for violation in report.violations] == fields


# ---------------------------------------------------------------------- what waits, what a blow is called


@pytest.mark.rule("mars.action.speeds")
@pytest.mark.parametrize(
    ("kept", "something"),
    [
        ({}, False),
        ({"work": Work("craft", "spear", 60)}, True),
        ({"ready": Ready("attacks", "attack")}, True),
    ],
)
def test_actions_begun_or_readied_wait_for_the_turn(kept: dict[str, Any], something: bool) -> None:
    scene = session_with([place(HERO, "party", (1, 1), who="ann", **kept), place(FOE, "foes", (2, 1), who="bob")]).scene
    assert waits(scene, "ann") is something


@pytest.mark.rule("mars.gap.maneuver.list")
@pytest.mark.parametrize(("maneuver", "called"), [("power_attack", "power attack"), ("", "trip")])
def test_name_of_a_change_to_the_roll(maneuver: str, called: str) -> None:
    scene = duel(HERO, FOE).scene
    wielded, manner = now(scene, "ann").arms["club"]
    step = AttackStep(step="attack", hit=-2)
    aimed = aim(scene, "ann", wielded, manner, "bob", step=step, maneuver=maneuver)
    assert (called, -2) in [(part.label, part.changed) for part in aimed.to_hit.tallies("roll")["roll"].parts]


@pytest.mark.rule("mars.gap.ancestry.abilities")
def test_pain_is_tolerated_the_first_time_that_endurance_is_used_up() -> None:
    orc = fighter("Bob", ancestry="orc", talents={"second_wind": 1})
    session = duel(HERO, orc, theirs={"endurance": 4})
    go(session, "mars.hazard", who="bob", damage="r0+4", reduced="never", faces=[()])  # none of it goes beyond
    scene = session.scene.with_status("bob", endurance=5)
    loss = Loss(scene, "bob", 8)
    assert (loss.endurance, loss.health, loss.spared) == (5, 3, False)


@pytest.mark.rule("mars.gap.ancestry.abilities")
def test_pain_outside_of_encounters_is_no_matter_in_the_next_one() -> None:
    session = session_of({"ann": fighter("Ann", ancestry="orc")})
    for _ in range(2):
        do(session, "mars.hazard", who="ann", damage="r0+30", reduced="never", faces=[()])
        assert (status(session).endurance, status(session).health) == (0, 11)
        do(session, "table.rule", who="ann", field="endurance", value="11", reason="a rest")
    assert not status(session).tolerated
