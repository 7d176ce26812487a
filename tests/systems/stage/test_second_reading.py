"""Rules that a second reading of the book found missing or too narrow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer, go, status
from systems.stage.fights import act, closed, duel, fighter, offered, place, playing, session_with
from systems.stage.people import OPTIONS, library, numbers, person, plan, session_of, somebody
from systems.stage.test_creation import start
from tablewright.cli.arguments.scenarios import open_fight
from tablewright.dice import SeededDice
from tablewright.engine import Choice, Roll, Trace, odds
from tablewright.errors import InvalidInputError
from tablewright.game.character.creation import at_random
from tablewright.game.content.library import Pack
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.position import cell
from tablewright.game.narration.projection import project_line
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.game.scene.scene import SceneSetup
from tablewright.game.session.session import Session
from tablewright.game.values import Ranks
from tablewright.systems.stage.actions.aim import Way, blocks
from tablewright.systems.stage.actions.defences import Defending, defences, rerolls_left
from tablewright.systems.stage.actions.index import ACTIONS
from tablewright.systems.stage.actions.move import move_ap
from tablewright.systems.stage.actions.requirements import ambushes
from tablewright.systems.stage.actions.resolution import Met
from tablewright.systems.stage.actions.strike import aimed
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.bots import rate
from tablewright.systems.stage.chapters.riding import hours_of_practice
from tablewright.systems.stage.character.figures import figures, items, load
from tablewright.systems.stage.content import Ammunition, Vehicle, Weapon
from tablewright.systems.stage.mechanics.attack import Answer, attack
from tablewright.systems.stage.mechanics.checks import CheckRules
from tablewright.systems.stage.mechanics.forms import Block, Defence, Form
from tablewright.systems.stage.mechanics.rerolls import RerolledResult
from tablewright.systems.stage.mechanics.turn import ailment_course
from tablewright.systems.stage.modifiers import applications
from tablewright.systems.stage.now import arms, hit_difficulty, pool
from tablewright.systems.stage.values import HOUR

# ---------------------------------------------------------------------- parries


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


# ---------------------------------------------------------------------- heat


@pytest.mark.rule("stage.environment.heat", "stage.upkeep.supplies")
@pytest.mark.parametrize(("hot", "left"), [(False, 2), (True, 1)])
def test_heat_doubles_the_need_for_water(hot: bool, left: int) -> None:
    facts = Facts().set("heat", "bob", "yes") if hot else Facts()
    bob = somebody(2, has=["water@pack"] * 3)
    session = session_with([place(bob, "party", who="bob")], facts=facts, begun=False)
    go(session, "stage.use_supplies", who="bob", food=0, water=1)
    assert sum([one.count for one in status(session, "bob").belongings if one.item == "water"]) == left


# ---------------------------------------------------------------------- botches


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
    scene = duel(
        fighter(),
        bob,
        place(cat, "foes", who="cat", options=options, beside=("bob",)),
        theirs={"beside": ("cat",)},
        options=options,
    ).scene
    found = blocks(scene, "bob", "body")
    assert [way.untrained for way in (*found.blocks, *found.deflections)] == [defense == 0] * 2
    met = Met(hit_difficulty(scene, "bob", "ann"), Defending(), found)
    assert met.shield(scene, "bob", Answer(0, "", 0, 0)).botches


# ---------------------------------------------------------------------- rerolls


@pytest.mark.rule("stage.power_effect.reroll")
def test_a_check_is_rolled_again_as_often_as_it_can_be_paid_for() -> None:
    """Eleven points pay five rerolls at 2 points each; nineteen pay nine, which no rule cuts short."""
    lucky = somebody(guile=5, close_combat=6, brawl=6, agility=1, powers=("acrobats_luck",))
    session = session_of({"ann": lucky})
    had = status(session).stamina
    situation = ["difficulty=5", "powers=acrobats_luck"]
    session.do("table.check", who="ann", what="agility.balance", situation=situation)
    for _ in range(8):
        answer(session, [1], "yes")
    answer(session, [5], "no")
    assert session.result == RerolledResult(True, False, 8)
    assert status(session).stamina == had - 16
    assert rerolls_left(session.scene, "ann", "agility") == status(session).left("body") // 2


@pytest.mark.rule("stage.power_effect.reroll", "stage.attack.defensive")
def test_a_defence_is_rolled_again_as_often_as_it_can_be_paid_for() -> None:
    """One die to hit against one die: the defender rolls again whatever is below 6, four times or none."""

    def hit(left: int) -> Fraction:
        dodge = Defence("dodge", 1, reroll=2)
        call = attack((Form("plain", 1),), 0, 0, (dodge,), left=left)
        return odds(call, "hit").chance(lambda made: made.hit)

    never, four = hit(1), hit(8)
    assert never == Fraction(21, 36)
    best = Fraction(7, 2) / 6  # what a last roll leaves to be hit with: the mean of (7 - result) / 6
    for _ in range(4):
        best = sum([min(Fraction(7 - result, 6), best) for result in range(1, 7)], Fraction(0)) / 6
    assert four == best


@pytest.mark.rule("stage.power_effect.reroll", "stage.attack.procedure")
@pytest.mark.parametrize("rerolls", [0, 1, 5, 20])
def test_a_first_roll_is_repeated_as_often_as_it_can_be_paid_for(rerolls: int) -> None:
    call = attack((Form("plain", 1, reroll=2, rerolls=rerolls),), 5)
    assert odds(call, "hit").chance(lambda made: made.hit) == 1 - Fraction(2, 3) ** (rerolls + 1)


# ---------------------------------------------------------------------- tracks


@pytest.mark.rule("stage.survival.track", "stage.check.minimum")
@pytest.mark.parametrize(("days", "difficulty"), [("0", 1), ("0.5", 1), ("1/2", 1), ("1.5", 2), ("2", 2), ("2.25", 3)])
def test_tracks_may_be_half_a_day_old(days: str, difficulty: int) -> None:
    assert numbers(plan(somebody(2), "survival.track", days=days))[3] == difficulty


@pytest.mark.rule("stage.survival.track")
@pytest.mark.parametrize("days", ["soon", "-1", "251", "1/0"])
def test_the_age_of_tracks_is_a_number_of_days(days: str) -> None:
    with pytest.raises(InvalidInputError, match="is not an age of at most 250 days"):
        plan(somebody(2), "survival.track", days=days)


# ---------------------------------------------------------------------- craft


def flown(operate: int) -> Session:
    """Ann at the controls of a glider."""
    pilot = somebody(operate=operate, perception=1, academics=1)
    people = [
        place(pilot, "party", (5, 5), who="ann", rides="craft"),
        place(person("glider"), "party", (5, 5), who="craft"),
        place(fighter(), "foes", (15, 15), who="bob"),
    ]
    return session_with(people)


@pytest.mark.rule("stage.mount.properties")
def test_a_craft_with_a_least_speed_goes_that_far_each_round() -> None:
    session = flown(2)
    act(session, "control", faces=[[5, 5]])
    assert "spur::move/6,5" not in offered(session)
    assert {"spur::move/7,5", "spur::move/8,5"} <= {*offered(session)}  # at least 2, at most 3 to begin with
    assert "spur::move/9,5" not in offered(session)
    act(session, "spur::move/7,5")
    assert "spur::move/8,5" in offered(session)  # in this round it has gone far enough


@pytest.mark.rule("stage.mount.properties", "stage.operate.control")
def test_a_craft_asks_for_skill_from_who_controls_it() -> None:
    assert closed(flown(1), "control") == ("needs Operate 2", "stage.mount.properties")
    assert "control" in offered(flown(2))


PRACTICE = ("needs 3 hours of practice", "stage.mount.properties")


def ridden(rider: Any = None, **mount: Any) -> Session:
    """Ann on the back of a riding horse, in a wide field."""
    horse = person("riding_horse", **mount)
    people = [
        place(rider or somebody(survival=2, perception=1, academics=1), "party", (5, 5), who="ann", rides="horse"),
        place(horse, "party", (5, 5), who="horse"),
        place(fighter(), "foes", (15, 15), who="bob"),
    ]
    return session_with(people)


@pytest.mark.rule("stage.mount.properties")
def test_an_animal_under_control_keeps_its_least_speed_and_its_acceleration() -> None:
    session = ridden(least_speed=2, acceleration=2)
    act(session, "control", faces=[[2, 2]])
    assert {one for one in offered(session) if one.startswith("spur::move/") and one.endswith(",5")} == {
        "spur::move/3,5",
        "spur::move/7,5",
    }
    act(session, "spur::move/7,5")
    assert (status(session, "horse").pace, status(session, "horse").went) == (0, 2)
    free = ridden()
    act(free, "control", faces=[[2, 2]])
    assert {"spur::move/6,5", "spur::move/8,5"} <= {*offered(free)}


@pytest.mark.rule("stage.mount.properties", "stage.survival.ride")
def test_an_animal_asks_for_skill_and_practice_from_its_rider() -> None:
    assert closed(ridden(needs=Ranks({"survival": 3})), "control") == ("needs Survival 3", "stage.mount.properties")
    assert closed(ridden(practice=3), "control") == PRACTICE
    seasoned = somebody(survival=2, perception=1, academics=1, practised=Ranks({"riding-horse": 3}))
    assert "control" in offered(ridden(seasoned, practice=3))


@pytest.mark.rule("stage.mount.properties")
def test_practice_takes_its_hours_and_adds_up() -> None:
    session = session_of({"ann": somebody(survival=2), "horse": person("riding_horse", practice=3)})
    go(session, "stage.practise", who="ann", mount="horse", hours=2)
    assert session.scene["ann"].character.practised == {"riding-horse": 2}
    assert session.scene.clock.now == 2 * HOUR
    go(session, "stage.practise", who="ann", mount="horse", hours=1)
    assert session.result == 3
    assert rulebook.export_character(session.scene, "ann").practised == {"riding-horse": 3}


@pytest.mark.rule("stage.mount.properties", "stage.power_effect.grant_ability")
def test_schooling_in_a_craft_stands_for_practice() -> None:
    def hours(**pilot: Any) -> int:
        people = [
            place(somebody(operate=2, **pilot), "party", who="ann", rides="craft"),
            place(person("glider", vehicle="strict_glider"), "party", who="craft", integrity=8),
        ]
        scene = session_with(people).scene
        demanding = scene.library.get(Vehicle, "glider").model_copy(update={"id": "strict_glider", "practice": 20})
        own = Pack("own", "Own", "1", "stage", entries=(("vehicles", (demanding,)),))
        return hours_of_practice(replace(scene, library=scene.library.with_pack(own)), "ann", "craft")

    assert hours() == 0
    assert hours(practised=Ranks({"strict_glider": 5})) == 5
    assert hours(powers=("schooling",), choices={"schooling": ["vehicle"]}) == 20
    assert hours(powers=("schooling",), choices={"schooling": ["language"]}) == 0


# ---------------------------------------------------------------------- ambush


@pytest.mark.rule("stage.initiative.one_sided")
def test_a_fight_of_files_can_say_who_opens_hostilities() -> None:
    """The opener acts first in its group, and its result is the highest that its dice allow."""
    session = open_fight(["stage:guard", "vs", "stage:arlef", "stage:brynh"], opens="Brynh", seed=1)
    while session.scene["brynh"].status.initiative is None:
        assert session.question is not None
        session.roll() if isinstance(session.question, Roll) else session.choose(session.question.ids[-1])
    assert session.scene["brynh"].status.initiative == 6
    assert [who for who in session.scene.order if who != "guard"] == ["brynh", "arlef"]


@pytest.mark.rule("stage.initiative.one_sided", "stage.initiative.ambush")
def test_an_opener_who_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidInputError, match='nobody is called "gard"; there are: a, b, guard, arlef'):
        open_fight(["stage:guard", "vs", "stage:arlef"], opens="gard", seed=1)
    with pytest.raises(InvalidInputError, match="MARS has no rule about who opens hostilities"):
        open_fight(["mars:even"], opens="party", seed=1)
    for name in ("opens", "ambush"):
        session = duel(fighter(), fighter(), begun=False)
        with pytest.raises(InvalidInputError, match=f'{name}: "foe" is not here; .*did you mean "foes"'):
            session.do("stage.encounter", **{name: "foe"})


def ambushed(*surprised: str) -> Session:
    """Arlef and Brynh come upon two guards, of whom some are unaware; dice 3 for the heroes, 5 for the guards."""
    people = [
        place(person("arlef"), "heroes", who="arlef"),
        place(person("brynh"), "heroes", who="brynh"),
        place(person("guard"), "foes", who="near"),
        place(person("guard"), "foes", who="far"),
    ]
    session = session_with(people, begun=False, start=SceneSetup(surprised=surprised))
    session.do("stage.encounter")
    for faces in ([2, 1], [5], None):
        if isinstance(session.question, Choice) and session.question.question == "announce a power?":
            session.choose("pass")
        if faces is not None:
            session.type_in(faces)
    return session


@pytest.mark.rule("stage.initiative.ambush", "stage.attack.ambush")
@pytest.mark.parametrize(
    ("surprised", "initiative", "over"), [((), 3, []), (("near",), 3, ["near"]), (("near", "far"), 6, ["near", "far"])]
)
def test_an_ambush_counts_against_those_who_are_unaware(
    surprised: tuple[str, ...], initiative: int, over: list[str]
) -> None:
    session = ambushed(*surprised)
    assert status(session, "arlef").initiative == initiative
    for hero in ("arlef", "brynh"):
        assert [guard for guard in ("near", "far") if ambushes(session.scene, hero, guard)] == over
    assert not any(ambushes(session.scene, guard, "arlef") for guard in ("near", "far"))


@pytest.mark.rule("stage.attack.ambush", "stage.initiative.ambush_defence")
@pytest.mark.parametrize(("seen_by", "dodges"), [((), False), (("bob",), True)])
def test_a_character_who_is_aware_of_an_ambush_defends_as_usual(seen_by: tuple[str, ...], dodges: bool) -> None:
    arm = Way(arms(duel(fighter(), fighter()).scene, "ann")[0])
    session = duel(fighter(), fighter(), mine={"ambush": True, "seen_by": seen_by})
    found = aimed(session.scene, "ann", "bob", arm).met.ways
    assert ("dodge" in [way.name for way in found]) is dodges


@pytest.mark.rule("stage.guile.sneak", "stage.attack.ambush")
@pytest.mark.parametrize(
    ("faces", "hidden", "over"), [((1, 1), True, ["bob", "cat"]), ((6, 1), False, ["cat"]), ((6, 6), False, [])]
)
def test_a_character_who_is_noticed_by_some_still_surprises_the_others(
    faces: tuple[int, int], hidden: bool, over: list[str]
) -> None:
    facts = Facts().set("cover", "ann", "2", "bob").set("cover", "ann", "2", "cat")
    session = duel(somebody(2), somebody(1), place(somebody(1), "foes", (6, 5), who="cat"), apart=1, facts=facts)
    act(session, "hide", faces=[[2, 2], *[[face] for face in faces]])
    assert session.scene["ann"].hidden is hidden
    assert [foe for foe in ("bob", "cat") if ambushes(session.scene, "ann", foe)] == over


# ---------------------------------------------------------------------- dice of the game master


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
    options = OPTIONS.put("reveal_difficulty", reveal)
    bob = fighter(close_combat=2, defense=2, kind=kind, has=["spear@hand", "mail_shirt@worn"])
    session = duel(fighter(close_combat=4), bob, options=options)
    act(
        session,
        "attack:bob:spear",
        faces=[[2, 1], [6, 5], [6, 6, 1], [3, 1]],
        choices={"dice for the first roll": "2", "how to defend": "parry", "block": "block"},
    )
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


# ---------------------------------------------------------------------- moods


def torn(**held: str) -> Session:
    """A guard between Ann, whom he stands by, and Cat, with conditions that one of them has brought about."""
    lasting = tuple([Effect(condition, OPEN_END, by=by) for condition, by in held.items()])
    people = [
        place(person("guard"), "foes", (5, 5), who="guard", lasting=lasting, beside=("ann", "cat")),
        place(fighter(name="Ann"), "party", (5, 5), who="ann", beside=("guard",)),
        place(fighter(name="Cat"), "party", (5, 5), who="cat", beside=("guard",)),
    ]
    return session_with(people)


@pytest.mark.rule("stage.intimidate.bully", "stage.manipulation.insult")
@pytest.mark.parametrize(
    ("held", "best"),
    [
        ({"intimidated": "ann"}, "cat"),
        ({"intimidated": "cat"}, "ann"),
        ({"provoked": "cat"}, "cat"),
        ({"provoked": "ann"}, "ann"),
    ],
)
def test_a_bot_keeps_off_the_bully_and_goes_for_who_provoked_it(held: dict[str, str], best: str) -> None:
    scene = torn(**held).scene
    uses = [one for one in ACTIONS.options(scene, "guard") if isinstance(one, ActionUse)]
    chosen = max(uses, key=lambda use: sum(rate(scene, "guard", use)[:2]) - rate(scene, "guard", use)[2])
    assert chosen.target == best
    handled = [use for use in uses if use.action in ("grapple", "trip") and use.target == held.get("intimidated")]
    assert all(rate(scene, "guard", use).harm < 0 for use in handled)


@pytest.mark.rule("stage.manipulation.insult")
@pytest.mark.parametrize(("provoked", "goes"), [({}, False), ({"provoked": "cat"}, True)])
def test_a_provoked_bot_leaves_the_foe_at_hand(provoked: dict[str, str], goes: bool) -> None:
    lasting = tuple([Effect(condition, OPEN_END, by=by) for condition, by in provoked.items()])
    people = [
        place(person("guard"), "foes", (5, 5), who="guard", lasting=lasting, beside=("ann",)),
        place(fighter(name="Ann"), "party", (5, 5), who="ann", beside=("guard",)),
        place(fighter(name="Cat"), "party", (6, 5), who="cat"),
    ]
    scene = session_with(people).scene
    assert (rate(scene, "guard", ActionUse("move", "cat")).harm > 0) is goes


# ---------------------------------------------------------------------- the course of an ailment


@pytest.mark.rule("stage.poison.cure", "stage.poison.attack")
def test_odds_to_be_cured_over_time() -> None:
    """Level 2 against 9: an attack succeeds in 10 of 36 cases; two in a row withstood are a cure."""
    withstands = Fraction(26, 36)

    def cured(attacks: int) -> Fraction:
        return odds(ailment_course(2, 9, attacks)).chance(lambda course: course.cured)

    assert [cured(attacks) for attacks in (1, 2, 3)] == [0, withstands**2, withstands**2 * (2 - withstands)]
    before = [
        Fraction(1),
        Fraction(1),
    ]  # not cured after n attacks: the last failed, or it was withstood once after one
    for _ in range(2, 31):
        before.append((1 - withstands) * (before[-1] + withstands * before[-2]))
    assert cured(30) == 1 - before[30]


@pytest.mark.rule("stage.poison.effect", "stage.poison.attack")
def test_damage_makes_the_next_attack_of_an_ailment_easier() -> None:
    exact = odds(ailment_course(1, 4, 2, damage=1))
    strikes = Fraction(3, 6)
    assert exact.chance(lambda course: course.cured and course.attacks == 1) == 1 - strikes
    assert exact.chance(lambda course: course.succumbed and course.attacks == 1) == strikes * Fraction(3, 6)
    cured_then = sum([Fraction(4 - damage - 1, 6) for damage in (1, 2, 3)], Fraction(0)) / 6
    assert exact.chance(lambda course: course.cured and course.attacks == 2) == strikes * cured_then


# ---------------------------------------------------------------------- characters at random


@pytest.mark.rule("stage.gap.character.starting_equipment", "stage.encumbrance.loads")
@each_case("seed", range(12))
def test_a_random_character_carries_a_light_load_of_things_it_can_use(seed: int) -> None:
    made = at_random(start(), SeededDice(seed))
    known, limits = items(library()), figures(made, OPTIONS, library()).limits
    assert load(made, OPTIONS, library()) <= limits.light
    owned = [known[one.item] for one in made.belongings]
    shot = {one.ammunition for one in owned if isinstance(one, Weapon)}
    assert {one.id for one in owned if isinstance(one, Ammunition)} <= shot
    for one in owned:
        if isinstance(one, Weapon):
            assert any(made.level(use.partition(".")[0]) for use in one.uses)


# ---------------------------------------------------------------------- rulings


@pytest.mark.rule("stage.check.gm_modifiers", "stage.check.dice_pool")
@pytest.mark.parametrize(
    ("what", "key", "dice", "flat"),
    [
        ("attack", "close_combat.attack", 3, -2),
        ("attack dice", "close_combat.attack", 1, 0),
        ("attack", "close_combat.parry", 2, 0),
        ("defence", "close_combat.parry", 2, -2),
        ("defence", "agility.dodge", 1, -2),
        ("initiative", "agility.initiative", 1, -2),
        ("close_combat", "close_combat.parry", 2, -2),
    ],
)
def test_a_ruling_counts_for_the_rolls_it_names(what: str, key: str, dice: int, flat: int) -> None:
    session = duel(fighter(), fighter())
    go(session, "table.modify", what=what, value=-2, reason="rain", who="ann")
    spear = arms(session.scene, "ann")[0].weapon
    made = pool(session.scene, "ann", key, weapon=spear)
    assert (made.dice.total, made.flat.total) == (dice, flat)


@pytest.mark.rule("stage.check.gm_modifiers", "stage.terrain.cover")
def test_a_ruling_that_no_rule_reads_is_refused() -> None:
    session = duel(fighter(), fighter())
    with pytest.raises(InvalidInputError, match=r'no rule reads a modifier of "atack".*did you mean "attack"'):
        session.do("table.modify", what="atack", value=1, reason="luck", who="ann")
    with pytest.raises(InvalidInputError, match=r'no rule reads the fact "covr".*did you mean "cover"'):
        session.do("table.set_fact", who="ann", fact="covr", value="1/2")


# ---------------------------------------------------------------------- actions over several turns


@pytest.mark.rule("stage.action.multi_turn", "stage.environment.darkness", "stage.environment.gravity")
def test_a_move_of_more_ap_than_a_turn_has_is_begun_and_finished() -> None:
    """A cube in the dark under high gravity takes 4 AP: three in this turn, one in the next."""
    facts = Facts().set("darkness", "ann", "yes").set("gravity", "ann", "high")
    session = duel(fighter(), fighter(), apart=3, facts=facts)
    assert "begin::move/6,5" in offered(session)
    assert "begin:bob:insult/" not in offered(session)  # 3 AP are enough for it
    act(session, "begin::move/6,5")
    assert (status(session).ap, status(session).progress) == (0, ("move::6,5", 3))
    later = playing(session.scene.with_status("ann", ap=3))
    act(later, "move::6,5")
    assert (later.scene["ann"].position, status(later).ap) == (cell(6, 5), 2)


# ---------------------------------------------------------------------- food and drink


@pytest.mark.rule("stage.upkeep.thirst", "stage.upkeep.hunger", "stage.upkeep.supplies")
@pytest.mark.parametrize(("need", "item", "lost"), [("water", "water", 24), ("food", "ration", 1)])
def test_points_lost_to_thirst_and_hunger_come_back_after_a_meal(need: str, item: str, lost: int) -> None:
    """A third day without drink takes a point an hour, one without food a point."""
    session = session_of({"ann": somebody(6, has=[f"{item}@pack"])})
    whole = status(session).stamina
    without: dict[str, Any] = {need: False}
    meal: dict[str, Any] = {"food": 0, "water": 0, need: 1}
    go(session, "stage.live", who=["ann"], days=3, **without)
    go(session, "stage.rest", who=["ann"])
    assert status(session).stamina == whole - lost
    go(session, "stage.use_supplies", who="ann", **meal)
    assert (status(session).day.thirst, status(session).day.hunger) == (0, 0)
    go(session, "stage.rest", who=["ann"])
    assert status(session).stamina == whole


# ---------------------------------------------------------------------- movement by data


@pytest.mark.rule("stage.movement.impediments", "stage.athletics.swim")
@pytest.mark.parametrize(("factor", "ap"), [(1, 1), (2, 2), (3, 3)])
def test_a_slow_mode_costs_as_much_as_its_application_says(factor: int, ap: int) -> None:
    facts = Facts().set("swimming", "ann", "5")
    scene = duel(fighter(), fighter(), apart=3, facts=facts).scene
    swim = applications(scene.library)["athletics.swim"].model_copy(update={"move_factor": factor})
    packs = [
        replace(
            pack,
            entries=tuple(
                [(kind, tuple([swim if one.id == swim.id else one for one in every])) for kind, every in pack.entries]
            ),
        )
        for pack in scene.library.packs
    ]
    assert move_ap(replace(scene, library=replace(scene.library, packs=tuple(packs))), "ann") == ap
