"""The escape from the keep, as the book tells it: one story through five scenes, all of its dice typed in.

Where the book gives only a total the faces are ours, as the ledger says (stage.example.story). Wounds, points and
belongings go along from one scene into the next. Smaller tests follow of what the story leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from systems.playing import answer, events, go, status
from systems.stage.fights import BOOK, act, offered, place, playing, scene_with, session_with
from systems.stage.people import library, person
from tablewright.dice import TypedDice
from tablewright.engine import play
from tablewright.engine.trace import RollStep, TailStep, Trace
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.scene import SceneSetup
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.move import move_ap
from tablewright.systems.stage.character.costs import spent
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Lock
from tablewright.systems.stage.mechanics.turn import initiative
from tablewright.systems.stage.modifiers import applications, counters_of

STEPS = {step["step"]: step for step in Ledger.load("stage")["stage.example.story"].data["steps"]}


class Story:
    """Those who escape, as they go from one scene into the next."""

    def __init__(self) -> None:
        self.people: dict[str, StageCharacter] = {name: person(name) for name in ("arlef", "brynh", "guard", "priest")}

    def scene(
        self,
        sides: dict[str, str],
        at: dict[str, tuple[int, int]] | None = None,
        beside: dict[str, str] | None = None,
        **start: Any,
    ) -> Session:
        """A scene with some of them, each on a side; ``beside`` says who stands next to whom in the same cube."""
        next_to: dict[str, Any] = {who: {"beside": (other,)} for who, other in (beside or {}).items()}
        people = [
            place(self.people[who], side, None if at is None else at[who], who=who, **next_to.get(who, {}))
            for who, side in sides.items()
        ]
        scene = scene_with(people, begun=False, start=SceneSetup(more=tuple(start.items())))
        return playing(scene)

    def goes_on(self, session: Session) -> None:
        """Everyone takes along what has become of them."""
        for one in session.scene.participants:
            kept = BOOK.export_character(session.scene, one.id)
            assert isinstance(kept, StageCharacter)
            self.people[one.id] = kept


def last(session: Session, mechanic: str) -> Trace:
    """The rule that was rolled last, of this name."""
    return [line for line in session.log if isinstance(line, Trace) and line.call.mechanic.name == mechanic][-1]


def totals(trace: Trace) -> list[int]:
    """Totals of a rule's rolls in order."""
    found = []
    for step in trace.steps:
        if isinstance(step, Trace):
            found += totals(step)
        elif isinstance(step, RollStep):
            found.append(sum(step.faces))
    return found


def past_resistance(trace: Trace) -> int:
    """The damage of an attack that a block is asked about."""
    calls = [step.call for step in trace.steps if isinstance(step, TailStep)]
    (asked,) = [call for call in calls if call.mechanic.name == "stage.blocking"]
    return int(asked.named_arguments()["damage"])


@pytest.mark.rule("stage.example.story", "stage.initiative.example", "stage.initiative.ambush")
@pytest.mark.rule("stage.attack.example_ranged", "stage.attack.example_armour", "stage.damage.order")
@pytest.mark.rule("stage.attack.example_parry", "stage.attack.example_dodge", "stage.resource.damage_overflow")
@pytest.mark.rule("stage.magic.example_melee", "stage.magic.target_melee", "stage.gap.magic.willing")
@pytest.mark.rule("stage.magic.example_ranged", "stage.magic.target_ranged")
def test_two_prisoners_break_out_of_the_keep() -> None:
    story = Story()

    # Step 1: Arlef is made for 440 Character Points.
    arlef = story.people["arlef"]
    prices = spent(arlef, library()).total
    assert (prices, arlef.points - prices) == (440, 0)
    assert STEPS[1]["expect"]["skill_cp"] + STEPS[1]["expect"]["power_cp"] == 440

    # Steps 2 to 5: two locks of Complexity 8, and a guard in the corridor.
    keep = story.scene({"arlef": "heroes", "brynh": "heroes", "guard": "foes"})
    assert (library().get(Lock, "good_lock").complexity, library().get(Lock, "good_lock").size) == (8, 2)
    go(keep, "table.check", who="arlef", what="guile.disable", situation=("thing=good_lock",), faces=[[5, 3]])
    opened = last(keep, "stage.flat")
    assert (opened.call.arguments[:2], totals(opened)) == ((2, STEPS[2]["expect"]["difficulty"]), [STEPS[2]["total"]])
    assert keep.result.success is STEPS[2]["expect"]["success"]
    assert applications(library())["guile.disable"].ap == STEPS[2]["expect"]["ap"]
    words = ("thing=good_lock", "improvised=yes")
    choices = {"dice for the first roll": "2"}
    go(keep, "table.check", who="brynh", what="crafts.sabotage", situation=words, faces=[[6, 5]], choices=choices)
    tried = last(keep, "stage.leveled")
    named = tried.call.named_arguments()
    assert (named["dice"], named["penalties"], named["difficulty"]) == (3, (2,), STEPS[3]["expect"]["difficulty"])
    assert totals(tried) == [STEPS[3]["first_total"]]  # 11 less 2 is 9 and not 10: no second roll
    assert STEPS[3]["first_total"] - 2 == STEPS[3]["expect"]["first_result"]
    assert (keep.result.success, keep.result.effect) == (False, 0)
    assert keep.scene.clock.now == 300  # an hour
    go(
        keep,
        "table.contest",
        who="arlef",
        what="guile.sneak",
        against="guard",
        with_what="perception.detect",
        situation=("when=bad_visibility",),
        faces=[[4, 3, 3], [3]],
    )
    assert keep.result.success is not STEPS[4]["expect"]["detected"]
    assert totals(last(keep, "stage.unnoticed")) == [STEPS[4]["total"], STEPS[4]["opponent_total"]]
    go(keep, "table.check", who="arlef", what="guile.disable", situation=("thing=good_lock",), faces=[[4, 4]])
    assert keep.result.success
    assert move_ap(keep.scene, "arlef", "guile.sneak") == 1  # Stalker
    assert move_ap(keep.scene, "brynh", "guile.sneak") == 2

    # Steps 6 and 7: an ambush at the door, which this guard does not survive.
    story.people["guard"] = person("guard")
    door = story.scene({"arlef": "heroes", "brynh": "heroes", "guard": "foes"}, ambush="heroes")
    door.do("stage.encounter")
    answer(door, "pass", [2, 1], [5])
    assert (status(door, "arlef").initiative, door.scene.order) == (6, ("arlef", "brynh", "guard"))
    answer(door, "attack:guard:bow", "1", [6], [6], [6], "no")
    struck = events(door, "Attacked")[0]
    shot = last(door, "stage.attack")
    assert shot.call.named_arguments()["difficulty"] == STEPS[7]["expect"]["hit_difficulty"]
    assert totals(shot) == [6, 6, 6]
    assert past_resistance(shot) == STEPS[7]["expect"]["after_resistance"] == STEPS[7]["expect"]["body_damage"] - 1
    assert (struck.hit, struck.damage, status(door, "guard").dead) == (True, 11, True)
    assert door.scene.ended == "heroes win"
    story.goes_on(door)

    # Steps 8 to 15: the third guard outside.
    story.people["guard"] = person("guard")
    at = {"arlef": (5, 5), "brynh": (5, 5), "guard": (6, 5)}
    outside = story.scene({"arlef": "heroes", "brynh": "heroes", "guard": "foes"}, at)
    outside.do("stage.encounter")
    answer(outside, "pass", [4, 3], [5])
    assert outside.scene.order == ("arlef", "brynh", "guard")
    stamina = [status(outside, "guard").stamina]
    for first, second, block in ((3, 5, (2, 1)), (4, 3, (2, 2)), (4, 3, (2, 2))):
        answer(outside, "attack:guard:bow", "1", "nothing", [first], [second], "block", block)
        stamina.append(status(outside, "guard").stamina)
        shot = last(outside, "stage.attack")
        assert shot.call.named_arguments()["difficulty"] == STEPS[9]["expect"]["hit_difficulty"]
        assert (totals(shot), past_resistance(shot)) == ([first, second, sum(block)], second - 1)
    assert STEPS[9]["expect"]["body_damage"] - 1 == STEPS[10]["expect"]["damage_after_resistance"]
    assert [one.damage for one in events(outside, "Attacked")] == [1, 0, 0]
    assert (status(outside, "arlef").ap, status(outside, "guard").ap) == (0, 3)
    answer(outside, "end_turn")
    assert status(outside, "arlef").ap == 3
    answer(outside, "charge:guard:spear", "2", "parry", [3, 3], [4, 2])
    stamina.append(status(outside, "guard").stamina)
    charged = last(outside, "stage.attack")
    (form,) = charged.call.named_arguments()["forms"]
    assert (form.dice, sum(STEPS[13]["pool_parts"].values())) == (3, 3)
    assert totals(charged) == [STEPS[13]["parry_total"], STEPS[13]["first_total"]]
    assert charged.call.named_arguments()["difficulty"] + totals(charged)[0] == STEPS[13]["expect"]["hit_difficulty"]
    assert (events(outside, "Attacked")[-1].hit, status(outside, "brynh").ap) == (False, 1)
    answer(outside, "attack:guard:spear", "1", "dodge", [1], [3], "step")
    stamina.append(status(outside, "guard").stamina)
    stabbed = last(outside, "stage.attack")
    assert totals(stabbed) == [STEPS[14]["dodge_total"], STEPS[14]["first_total"]]
    assert stabbed.call.named_arguments()["difficulty"] + totals(stabbed)[0] == STEPS[14]["expect"]["hit_difficulty"]
    assert not events(outside, "Attacked")[-1].hit
    assert stamina == [5, 3, 2, 1, 0, 0]
    assert (status(outside, "brynh").ap, status(outside, "guard").ap) == (0, 2)
    assert status(outside, "guard").beside == ()
    answer(outside, "end_turn")
    assert (outside.scene.turn, status(outside, "guard").ap, status(outside, "brynh").ap) == ("guard", 2, 3)
    answer(outside, [4])  # the guard is out of Stamina and runs
    assert outside.scene.ended == "heroes win"
    story.goes_on(outside)
    assert story.people["guard"].wounds.stamina == 0

    # Steps 16 to 19: the priest, five cubes away.
    at = {"priest": (1, 1), "guard": (1, 1), "arlef": (6, 1), "brynh": (6, 1)}
    sides = {"priest": "foes", "guard": "foes", "arlef": "heroes", "brynh": "heroes"}
    temple = story.scene(sides, at, {"priest": "guard", "guard": "priest"})
    temple.do("stage.encounter")
    answer(temple, [5], "pass", [3, 1])
    assert temple.scene.order == ("priest", "guard", "arlef", "brynh")
    assert status(temple, "guard").stamina == 0
    answer(temple, "cast:guard:healing_touch", [5], [6])
    touched = last(temple, "stage.maneuver")
    assert touched.call.named_arguments()["difficulty"] == STEPS[17]["expect"]["hit_difficulty"]
    assert (totals(touched), touched.result.defence) == ([STEPS[17]["total"]], "nothing")
    assert totals(last(temple, "stage.dice")) == [STEPS[17]["expect"]["rolled"]]
    assert (status(temple, "guard").stamina, status(temple, "priest").stamina) == (5, 2)
    assert status(temple, "priest").ap == STEPS[17]["expect"]["priest_ap"]
    answer(temple, "end_turn", "end_turn", "end_turn", "end_turn")
    temple.do("table.rule", who="brynh", field="stamina", value="1", reason="a round of blows is not told")
    answer(temple, "cast:brynh:flare=fire", "dodge", [2], [4, 2], [3])
    flare = last(temple, "stage.attack")
    assert totals(flare) == [STEPS[19]["dodge_total"], STEPS[19]["total"], 3]
    assert flare.call.named_arguments()["difficulty"] + totals(flare)[0] == STEPS[19]["expect"]["hit_difficulty"]
    burnt = events(temple, "Attacked")[-1]
    assert (burnt.hit, burnt.damage, burnt.attribute, burnt.what) == (True, 4, "body", "Flare (fire)")
    brynh = status(temple, "brynh")
    assert (brynh.stamina, brynh.vitality, brynh.ap) == (0, 1, 2)
    assert (status(temple, "priest").intellect, status(temple, "priest").ap) == (2, 1)
    assert counters_of(BOOK.subject(temple.scene["brynh"], temple.scene)).total == 3


# ---------------------------------------------------------------------- what the story leaves out


def begins(start: dict[str, Any], *told: Any) -> Session:
    """An encounter of Arlef and Brynh with a guard, up to its first question of a turn."""
    session = Story().scene({"arlef": "heroes", "brynh": "heroes", "guard": "foes"}, **start)
    session.do("stage.encounter")
    return answer(session, *told)


HEROES_FIRST, GUARD_FIRST = ("arlef", "brynh", "guard"), ("guard", "arlef", "brynh")


@pytest.mark.rule("stage.initiative.simultaneous", "stage.encounter.groups")
@pytest.mark.parametrize(
    ("told", "order"),
    [
        (("pass", [2, 1], [5]), GUARD_FIRST),
        (("pass", [4, 3], [5]), HEROES_FIRST),
        (("pass", [2, 3], [5], "pass", [1, 1], [6]), GUARD_FIRST),
    ],
)
def test_the_higher_result_acts_first_and_equal_groups_roll_again(told: Sequence[Any], order: tuple[str, ...]) -> None:
    assert begins({}, *told).scene.order == order


@pytest.mark.rule("stage.initiative.one_sided", "stage.initiative.example")
def test_a_character_who_opens_hostilities_has_every_die_at_six() -> None:
    session = begins({"opens": "arlef"}, "pass", [5])
    assert (status(session, "arlef").initiative, session.scene.order[0]) == (12, "arlef")
    assert begins({"opens": "brynh"}, [5]).scene.order[0] == "brynh"
    assert play(initiative(2, 1, True), TypedDice([])).result == 13


@pytest.mark.rule("stage.attack.example_end", "stage.agility.dodge_rules")
def test_a_character_who_dodged_may_step_away_within_the_cube() -> None:
    people = [
        place(person("brynh"), "heroes", (5, 5), who="brynh"),
        place(person("guard"), "foes", (6, 5), who="guard"),
    ]
    session = session_with(people)
    charge = {"how to defend": "dodge", "dice for the first roll": "2", "move after the dodge?": "step"}
    act(session, "charge:guard:spear", who="brynh", faces=[[1], [4, 2], [1]], choices=charge)
    assert session.scene["guard"].position == session.scene["brynh"].position
    assert status(session, "guard").beside == ()
    assert not [use for use in offered(session, "brynh") if use.startswith("attack:guard:spear") and "throw" not in use]


@pytest.mark.rule("stage.magic.example_melee", "stage.gap.magic.willing")
def test_a_healing_touch_that_misses_gives_nothing_back_and_is_paid() -> None:
    people = [place(person("priest"), "foes", who="priest"), place(person("guard"), "foes", who="guard", stamina=0)]
    missed = act(
        session_with([*people, place(person("brynh"), "heroes", who="brynh")]),
        "cast:guard:healing_touch",
        who="priest",
        faces=[[2]],
    )
    assert (status(missed, "guard").stamina, status(missed, "priest").stamina) == (0, 2)
