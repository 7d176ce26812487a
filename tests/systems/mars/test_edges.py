"""The edges of single rules: just enough and just not, the first and the last, each where a figure decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import act, duel, fighter, offered, place, session_with, status
from systems.mars.people import OPTIONS, alone, do, left, library, person, scene_of, somebody
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.actions import Use
from tablewright.game.character import Ranks
from tablewright.game.scene import Live
from tablewright.systems.mars.actions import ACTIONS
from tablewright.systems.mars.actions.attack import resolve
from tablewright.systems.mars.actions.move import approach
from tablewright.systems.mars.actions.other import Grip, grip_worth
from tablewright.systems.mars.aiming import aim
from tablewright.systems.mars.book import rulebook
from tablewright.systems.mars.character import Day, Effect, Wounds, encumbrance, natural_weapons
from tablewright.systems.mars.character.legality import legality
from tablewright.systems.mars.effects import gain
from tablewright.systems.mars.harm import wake_if_recovered
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Turn, fight
from tablewright.systems.mars.values import Degree, Shown

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
    effects = (Effect("unconscious"), *((Effect("dying"),) if dying else ()))
    one = somebody(wounds=Wounds(health=health, endurance=endurance, effects=effects))
    game = Live(scene_of({"ann": one}), rulebook)
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
    with pytest.raises(RulesSayNo, match="one a day"):
        do(session, "mars.long_rest", who="ann")


@pytest.mark.rule("mars.rest.limits")
def test_days_of_rest_go_on_when_nobody_can_sleep() -> None:
    ill = somebody(wounds=Wounds(health=1, endurance=0, effects=(Effect("sickness", degree=2, left=30 * 24 * HOUR),)))
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


@pytest.mark.rule("mars.effect.no_stacking")
@pytest.mark.parametrize(
    ("known", "new", "value", "until"),
    [
        (-1, -2, -2, 3),  # the stronger
        (-2, -1, -2, 3),
        (2, -3, -3, 3),  # by its size, whichever way
        (-2, -2, -2, 3),
        (0, 1, 1, 3),
    ],
)
def test_the_same_effect_of_the_same_source_keeps_the_stronger_value_and_the_longer_time(
    known: int, new: int, value: int, until: int
) -> None:
    for first, second in ((3, 2), (2, 3)):
        old = Effect("shaken", value=known, source="one", until=first)
        (met,) = gain((old,), Effect("shaken", value=new, source="one", until=second))
        assert (met.value, met.until) == (value, until)


@pytest.mark.rule("mars.gap.talent.rage", "mars.effect.no_stacking")
def test_the_stronger_rage_counts() -> None:
    for degrees in ((2, 3), (3, 2)):
        first, second = [Effect("rage", degree=degree, source="rage") for degree in degrees]
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
        ((("knife", "hand"),), 4 + 4),  # a basic weapon
        ((("small_shield", "hand"),), 4),
        ((("dagger", "hand"), ("small_shield", "hand")), 4 + 8 + 4),
        ((("dagger", "hand"), ("knife", "hand")), 4 + 8),  # the better of two
        ((("knife", "hand"), ("dagger", "hand")), 4 + 8),
    ],
)
def test_what_is_offered_first_to_be_wielded(held: Any, worth: int) -> None:
    scene = duel(fighter("Ann", skills={"finesse": "r8"}), FOE).scene
    assert grip_worth(scene, "ann", Grip(held)) == worth


@pytest.mark.rule("mars.gap.weapon.list")
def test_bare_hands_or_claws() -> None:
    assert [weapon.id for weapon in natural_weapons(person("fighter"), library())] == ["unarmed"]
    assert [weapon.id for weapon in natural_weapons(person("wolf"), library())] == ["wolf_bite", "wolf_claw"]


@pytest.mark.rule("mars.gap.weapon.reach", "mars.gap.weapon.list")
def test_who_is_too_far_away_and_what_is_not_wielded() -> None:
    session = duel(fighter("Ann", ["knife"]), FOE, apart=41)
    with pytest.raises(RulesSayNo, match="41 m away, Knife reaches 1 m") as stab:
        act(session, "attack:bob:knife")
    with pytest.raises(RulesSayNo, match="41 m away, Knife reaches 40 m") as throw:
        act(session, "attack:bob:knife/thrown")
    assert (stab.value.rule, throw.value.rule) == ("mars.gap.weapon.reach", "mars.gap.weapon.ranged")
    with pytest.raises(RulesSayNo, match="club is not wielded"):
        act(session, "attack:bob:club")


# ---------------------------------------------------------------------- time and ways


@pytest.mark.rule("mars.maneuver.improvise", "mars.action.speeds")
@pytest.mark.parametrize(("seconds", "open_"), [(6, True), (5, True), (4, True), (3, False), (2, False), (0, False)])
def test_improvising_takes_four_seconds_at_least(seconds: int, open_: bool) -> None:
    session = duel(fighter("Ann", ["mace"]), FOE, mine={})
    scene = session.scene.change("ann", turn=Turn(seconds=seconds))
    assert any(use.id == "improvise" for use in ACTIONS.offers(scene, "ann") if isinstance(use, Use)) is open_


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
        x, y, steps = ending(("cid", side, (9, 5)))  # next to him somebody stands already
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
def test_how_long_the_units_of_time_are(amount: str, seconds: int) -> None:
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
        with pytest.raises(BadInput, match="not possible"):
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
def test_what_is_left_and_what_was_bought_come_to_fifty(money: int, problems: list[str]) -> None:
    report = legality(person("fighter", money=money), OPTIONS, library())  # armour 20, sword 5, shield 15
    assert [violation.rule for violation in report.violations] == problems


# ---------------------------------------------------------------------- blows at nobody


@pytest.mark.rule("mars.attack.procedure")
@pytest.mark.parametrize(("dead", "present", "missed"), [(True, True, True), (False, False, True)])
def test_a_blow_at_the_dead_or_gone_misses(dead: bool, present: bool, missed: bool) -> None:
    scene = duel(HERO, FOE).scene
    blow = aim(scene, "ann", *now(scene, "ann").arms["club"], "bob").blow
    scene = scene.change("bob", dead=dead)
    people = tuple([replace(one, present=present) if one.id == "bob" else one for one in scene.participants])
    scene = replace(scene, participants=people, extra=replace(fight(scene), incoming=(blow,)))
    game = Live(scene, rulebook)
    with pytest.raises(StopIteration) as ended:
        resolve(game).send(None)
    assert (ended.value.value.degree is Degree.FAILURE) is missed
    assert not fight(game.scene).incoming
