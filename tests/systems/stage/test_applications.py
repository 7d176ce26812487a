"""The 97 applications row by row: what each rolls in a situation, what it costs, how long it takes, who opposes it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.stage.people import OPTIONS, alone, library, numbers, person, plan, refused, scene_of, session_of, somebody
from tablewright.errors import InvalidInputError
from tablewright.game.rules.ledger import Ledger
from tablewright.game.session.views import project_session
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.checks import CHECKS, cost_of, hours_of
from tablewright.systems.stage.content import Task
from tablewright.systems.stage.modifiers import applications
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.situations import DifficultyValue, band_of, bands, jump_difficulty
from tablewright.systems.stage.values import SCHOOLS

LEDGER = Ledger.load("stage")
KITS = ["lockpicks", "crafts_kit", "medicine_kit", "science_kit"]


@pytest.mark.rule("stage.skill.applications", "stage.skill.notation")
def test_each_of_the_97_applications_has_a_check() -> None:
    names = LEDGER["stage.skill.applications"].data
    assert [check.id for check in CHECKS] == [f"{skill}.{one}" for skill in names for one in names[skill]] + [
        "application"
    ]
    assert len(CHECKS) == 97 + 1
    assert rulebook.check("guile.pick_pocket").title == "Guile (pick pocket)"


@pytest.mark.rule("stage.animation.skill", "stage.animism.skill", "stage.apportation.skill")
@pytest.mark.rule("stage.infusion.skill", "stage.projection.skill", "stage.psionics.skill")
@pytest.mark.parametrize("skill", SCHOOLS)
def test_the_five_applications_of_a_skill_of_magic(skill: str) -> None:
    data, caster = LEDGER[f"stage.{skill}.skill"].data, alone(somebody(3))
    known = {
        name: applications(library())[f"{skill}.{name}"] for name in ("cast", "counter", "detect", "enchant", "learn")
    }
    for name in ("counter", "detect", "learn"):
        assert known[name].check == data[name]["check"]
        assert cost_of(known[name], caster).to_json() == dict(data[name]["cost"])
    assert [hours_of(known["learn"]), hours_of(known["learn"], Fraction(1), 9)] == [data["learn"]["hours"], 1]
    assert cost_of(known["enchant"], caster, core=1).to_json() == dict(data["enchant"]["cost_per_core"])
    assert [name for name, one in known.items() if one.sets] == ["counter"]
    assert [one.difficulty for one in known.values()] == ["hit", "none", "circle", "enchant", "circle_3"]
    defences = ("agility.dodge", "brawl.parry", "close_combat.parry", f"{skill}.counter")
    assert known["cast"].opposed_by == defences


def row(mark: pytest.MarkDecorator, *values: Any) -> Any:
    """A row of the table below, whose application is named by its rule."""
    return pytest.param(mark.args[0].removeprefix("stage."), *values, marks=mark)


# rule, situation, mechanic, dice, flat, Difficulty: somebody with all skills at 3, Body 24, Mind 24, Soul 24, and kits
ROLLS = [
    row(pytest.mark.rule("stage.academics.analysis"), {"target": "foe"}, "flat", 3, 0, 7 + 5),
    row(pytest.mark.rule("stage.academics.knowledge"), {"difficulty": 9}, "flat", 3, 0, 9),
    row(pytest.mark.rule("stage.academics.research"), {"difficulty": "average"}, "leveled", 3, 0, 4),
    row(pytest.mark.rule("stage.agility.balance"), {"difficulty": 4, "when": "full_speed"}, "flat", 2, 0, 4),
    row(pytest.mark.rule("stage.agility.dodge"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.agility.initiative"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.agility.tumble"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.athletics.climb"), {"difficulty": 9, "when": "full_speed"}, "flat", 2, 0, 9),
    row(pytest.mark.rule("stage.athletics.jump"), {"metres": 4, "when": "running"}, "flat", 4, 0, 3 + 9),
    row(pytest.mark.rule("stage.athletics.land"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.athletics.lift"), {"encumbrance": 25}, "flat", 3, 0, 25),
    row(pytest.mark.rule("stage.athletics.swim"), {"difficulty": "difficult", "when": "full_speed"}, "flat", 2, 0, 9),
    row(pytest.mark.rule("stage.athletics.throw"), {"size": 7}, "leveled", 3, 0, 3),
    row(pytest.mark.rule("stage.brawl.attack"), {"size": 7}, "leveled", 3, 0, 3),
    row(pytest.mark.rule("stage.brawl.grapple"), {"size": 9}, "leveled", 3, 0, 1),
    row(pytest.mark.rule("stage.brawl.parry"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.close_combat.attack"), {"size": 6}, "leveled", 3, 0, 4),
    row(pytest.mark.rule("stage.close_combat.parry"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.crafts.craft"), {"thing": "long_sword"}, "leveled", 3, 0, 12),
    row(pytest.mark.rule("stage.crafts.repair"), {"thing": "bow"}, "leveled", 3, 0, 11),
    row(pytest.mark.rule("stage.crafts.sabotage"), {"thing": "good_lock", "improvised": "yes"}, "leveled", 3, -2, 10),
    row(pytest.mark.rule("stage.creativity.compose"), {"difficulty": 9}, "leveled", 3, 0, 9),
    row(pytest.mark.rule("stage.creativity.design"), {"size": 3, "complexity": 5}, "leveled", 3, 0, 8),
    row(pytest.mark.rule("stage.defense.block"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.defense.deflect"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.guile.disable"), {"thing": "good_lock"}, "flat", 3, 0, 8),
    row(pytest.mark.rule("stage.medicine.analysis"), {"level": 5}, "flat", 3, 0, 5),
    row(pytest.mark.rule("stage.medicine.cure"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.medicine.first_aid"), {}, "flat", 3, 0, 6),
    row(pytest.mark.rule("stage.medicine.reanimate"), {"rounds": 4}, "flat", 3, 0, 4),
    row(pytest.mark.rule("stage.medicine.surgery"), {"target": "foe"}, "leveled", 3, 0, 2),
    row(pytest.mark.rule("stage.medicine.treatment"), {"target": "foe"}, "leveled", 3, 0, 4),
    row(pytest.mark.rule("stage.operate.control"), {"difficulty": 6}, "flat", 3, 0, 6),
    row(pytest.mark.rule("stage.operate.navigate"), {"difficulty": 3}, "flat", 3, 0, 3),
    row(pytest.mark.rule("stage.perception.intuition"), {}, "set_difficulty", 3, 0, None),
    row(pytest.mark.rule("stage.perception.investigate"), {"difficulty": 9}, "flat", 3, 0, 9),
    row(pytest.mark.rule("stage.ranged_combat.attack"), {"size": 7}, "leveled", 3, 0, 3),
    row(pytest.mark.rule("stage.science.analysis"), {"size": 2, "complexity": 8}, "flat", 3, 0, 10),
    row(pytest.mark.rule("stage.science.chemistry"), {"complexity": 6}, "leveled", 3, 0, 6),
    row(pytest.mark.rule("stage.science.control"), {"complexity": 7}, "flat", 3, 0, 7),
    row(pytest.mark.rule("stage.science.design"), {"thing": "crossbow"}, "leveled", 3, 0, 14),
    row(pytest.mark.rule("stage.science.knowledge"), {"difficulty": 4}, "flat", 3, 0, 4),
    row(pytest.mark.rule("stage.science.research"), {"difficulty": 4}, "leveled", 3, 0, 4),
    row(pytest.mark.rule("stage.speechcraft.converse"), {"target": "foe"}, "flat", 3, 0, 3 + 4),
    row(pytest.mark.rule("stage.speechcraft.orate"), {"difficulty": 15}, "flat", 3, 0, 15),
    row(pytest.mark.rule("stage.survival.conceal_tracks"), {}, "set_difficulty", 3, 0, None),
    row(
        pytest.mark.rule("stage.survival.forage_gather_hunt"),
        {"difficulty": 9, "when": "on_the_move"},
        "leveled",
        2,
        0,
        9,
    ),
    row(pytest.mark.rule("stage.survival.handle_animal"), {"target": "foe"}, "flat", 3, 0, 7),
    row(pytest.mark.rule("stage.survival.ride"), {"target": "foe"}, "flat", 3, 0, 7),
    row(pytest.mark.rule("stage.survival.train"), {"target": "foe"}, "leveled", 3, 0, 7),
]


def _scene(options: StageOptions = OPTIONS) -> Any:
    me = somebody(3, name="Me", has=KITS)
    foe = somebody(name="Foe", guile=8, academics=7, perception=4)
    hurt = foe.changed(wounds=foe.wounds.changed(stamina=4, vitality=6, intellect=6, sanity=5, will=3, spirit=4))
    return scene_of({"me": me, "foe": hurt}, options)


@pytest.mark.parametrize(("key", "situation", "mechanic", "dice", "flat", "difficulty"), ROLLS)
def test_roll_of_an_application(
    key: str, situation: dict[str, Any], mechanic: str, dice: int, flat: int, difficulty: int | None
) -> None:
    scene = _scene()
    planned = plan(scene["me"].character, key, scene=scene, **situation)
    assert numbers(planned) == (mechanic, dice, flat, difficulty)
    assert planned.call.mechanic.rules
    one = applications(library())[key]
    assert planned.tallies["dice"].total == dice
    if difficulty is not None:
        assert one.difficulty != "none"
        assert planned.tallies["difficulty"].total == difficulty


@pytest.mark.rule("stage.guile.conceal", "stage.guile.pick_pocket", "stage.guile.sneak")
@pytest.mark.rule("stage.survival.track", "stage.perception.detect")
@pytest.mark.parametrize(
    ("key", "situation", "dice", "flat"),
    [
        ("guile.conceal", {"size": 4}, 4, 0),  # small things hide well
        ("guile.conceal", {"size": 5}, 3, 0),
        ("guile.conceal", {"size": 7}, 1, 0),
        ("guile.pick_pocket", {"size": 5}, 1, 0),
        ("guile.pick_pocket", {"size": 3}, 3, 0),
        ("guile.sneak", {"when": "bad_visibility"}, 4, 0),
        ("guile.sneak", {"when": "good_visibility", "distance": 3}, 2, 3),
        ("guile.sneak", {"distance": 0}, 3, 0),
        ("survival.track", {"days": 2, "when": "hard_soil,water", "characters": 25}, 1, 2),
        ("survival.track", {"days": 2, "when": "hard_soil,rain_or_snow"}, 1, 0),
        ("survival.track", {"days": 2, "when": "hard_soil", "characters": 9}, 2, 0),
        ("perception.detect", {"difficulty": 9, "distance": 2}, 3, -2),
    ],
)
def test_circumstances(key: str, situation: dict[str, Any], dice: int, flat: int) -> None:
    assert numbers(plan(somebody(3, has=KITS), key, **situation))[1:3] == (dice, flat)


@pytest.mark.rule("stage.survival.track")
def test_of_several_grounds_the_worst_counts_and_rain_adds() -> None:
    tracker = somebody(9)
    assert numbers(plan(tracker, "survival.track", days=1, when="hard_soil,rock_or_metal"))[1] == 7
    assert numbers(plan(tracker, "survival.track", days=1, when="rock_or_metal,rain_or_snow"))[1] == 3
    assert numbers(plan(tracker, "survival.track", days=0))[3] == 1  # fresh tracks


@pytest.mark.rule("stage.athletics.jump", "stage.environment.gravity")
def test_distance_of_a_jump() -> None:
    long, high = LEDGER["stage.athletics.jump"].examples
    carried = Fraction(long["given"]["encumbrance"])
    assert jump_difficulty(carried, Fraction(long["given"]["horizontal_m"])) == long["expect"]["difficulty"]
    assert jump_difficulty(carried, Fraction(high["given"]["vertical_m"]), high=True) == high["expect"]["difficulty"]
    jumper = somebody(3, has=["rope", "rope", "torch"])
    assert [numbers(plan(jumper, "athletics.jump", metres=metres))[3] for metres in ("1", "1.5", "2", "2.1")] == [
        3,
        6,
        6,
        9,
    ]
    assert numbers(plan(jumper, "athletics.jump", metres="1/3", high="yes"))[3] == 3
    assert numbers(plan(somebody(3), "athletics.jump", metres="1"))[3] == 1
    assert numbers(plan(jumper, "athletics.jump", metres="4", gravity="low"))[3] == 6
    assert numbers(plan(jumper, "athletics.jump", metres="1", gravity="high"))[3] == 6
    refused("zero gravity", plan, jumper, "athletics.jump", metres="4", gravity="zero")
    with pytest.raises(InvalidInputError, match=r'metres: "4 gold" is not a length in metres; write 4, 2.5 or 1/4'):
        plan(jumper, "athletics.jump", metres="4 gold")
    refused("difficulty and task each say", plan, jumper, "athletics.climb", difficulty=5, task="climb_ladder")


@pytest.mark.rule("stage.athletics.lift")
def test_light_loads_need_no_check() -> None:
    refused("no check is needed", plan, somebody(guile=4), "athletics.lift", encumbrance=4)
    assert numbers(plan(somebody(guile=4), "athletics.lift", encumbrance=5))[3] == 5


@pytest.mark.rule("stage.speechcraft.converse", "stage.survival.ride", "stage.academics.analysis")
def test_two_tracks_are_what_is_left_of_them_or_their_maximum() -> None:
    by_options = [({"pair_difficulty": "current"}, 3 + 4), ({"pair_difficulty": "maximum"}, 4 + 4)]
    pairs = ("speechcraft.converse", "survival.ride", "survival.handle_animal", "survival.train")
    rows = [(key, *row) for row in by_options for key in pairs]
    rows += [
        ("academics.analysis", {"analysis_pair": pair}, 5 + own) for pair, own in (("mind_level", 7), ("intellect", 6))
    ]
    for key, options, difficulty in rows:
        scene = _scene(StageOptions(**options))  # type: ignore[arg-type]
        assert numbers(plan(scene["me"].character, key, scene=scene, target="foe"))[3] == difficulty, (key, options)


@pytest.mark.rule("stage.medicine.treatment", "stage.medicine.surgery")
def test_not_on_oneself_and_not_for_nothing() -> None:
    scene = _scene()
    me = scene["me"].character
    for key in ("medicine.treatment", "medicine.surgery"):
        refused(r"needs another target than .*, who makes the check", plan, me, key, scene=scene, target="me")
    well = scene_of({"me": me, "foe": somebody(guile=2, name="Foe")})
    for key in ("medicine.treatment", "medicine.surgery"):
        refused("nothing to treat", plan, me, key, scene=well, target="foe")
    assert applications(library())["medicine.first_aid"].on_oneself
    foe = somebody(guile=2, name="Foe")
    hurt = scene_of({"me": me, "foe": foe.changed(wounds=foe.wounds.changed(stamina=1, vitality=1))})
    for key in ("medicine.treatment", "medicine.surgery"):
        assert numbers(plan(me, key, scene=hurt, target="foe"))[3] == 1


@pytest.mark.rule("stage.survival.train")
def test_an_animal_learns_only_so_many_tricks() -> None:
    trainer, wolf = somebody(3, name="Me"), person("wolf")
    knows_two = scene_of({"me": trainer, "wolf": wolf.changed(tricks=("sit", "stay"))})
    assert numbers(plan(trainer, "survival.train", scene=knows_two, target="wolf"))[3] == 6
    knows_three = scene_of({"me": trainer, "wolf": wolf.changed(tricks=("sit", "stay", "fetch"))})
    refused("Wolf knows 3 tricks", plan, trainer, "survival.train", scene=knows_three, target="wolf")


@pytest.mark.rule("stage.guile.pick_pocket")
def test_items_too_large_to_steal() -> None:
    assert numbers(plan(somebody(9), "guile.pick_pocket", size=5))[1] == 7
    refused("too large", plan, somebody(9), "guile.pick_pocket", size=6)
    assert numbers(plan(somebody(9, race="gettefolk"), "guile.pick_pocket", size=6))[1] == 6


@pytest.mark.rule("stage.gap.equipment.tools")
def test_tools_help_and_their_lack_hinders() -> None:
    data = LEDGER["stage.gap.equipment.tools"].data
    lock = {"thing": "good_lock"}
    refused("needs tools", plan, somebody(2), "guile.disable", **lock)
    assert numbers(plan(somebody(2), "guile.disable", improvised="yes", **lock))[2] == data["without"]
    assert numbers(plan(somebody(2, has=["lockpicks"]), "guile.disable", **lock))[2:] == (0, 8)
    for skill, name in (("crafts", "sabotage"), ("science", "chemistry"), ("medicine", "first_aid")):
        given = {} if skill == "medicine" else lock
        for kits, flat in (
            ([], data["without"]),
            ([f"{skill}_kit"], 0),
            ([f"fine_{skill}_kit", f"{skill}_kit"], data["fine"]),
        ):
            assert numbers(plan(somebody(2, has=kits), f"{skill}.{name}", **given))[2] == flat
    assert numbers(plan(somebody(2), "science.knowledge", difficulty=3))[2] == 0


@pytest.mark.rule("stage.check.difficulty_table")
def test_the_bands_of_difficulty() -> None:
    rows = LEDGER["stage.check.difficulty_table"].data
    assert list(bands().values()) == [2, 4, 9, 15, 21, 27, 33, 37]
    for row in rows:
        for number in (row["from"], row["to"] or 250):
            if (number, row["task"]) != (3, "average"):
                assert band_of(number) == row["task"]
    assert DifficultyValue.parse("nigh impossible").value == 33
    refused("epic", DifficultyValue.parse, "epics")
    refused("no Difficulty", DifficultyValue.parse, "0")


@pytest.mark.rule("stage.academics.analysis_tasks", "stage.academics.research_tasks", "stage.agility.balance_tasks")
@pytest.mark.rule("stage.athletics.climb_tasks", "stage.athletics.swim_tasks", "stage.creativity.compose_tasks")
@pytest.mark.rule("stage.creativity.perform_tasks", "stage.medicine.analysis_tasks", "stage.perception.detect_tasks")
@pytest.mark.rule("stage.perception.investigate_tasks", "stage.science.analysis_tasks", "stage.science.research_tasks")
@pytest.mark.rule("stage.speechcraft.orate_tasks", "stage.survival.forage_gather_hunt_tasks")
@each_case("key", sorted({one.application for one in library().of(Task)}))
def test_example_tasks(key: str) -> None:
    rows = LEDGER[f"stage.{key}_tasks"].data["rows"]
    tasks = [one for one in library().of(Task) if one.application == key]
    assert [one.name.casefold() for one in tasks] == [row["task"].casefold() for row in rows]
    for one, row, difficulty in zip(tasks, rows, bands().values(), strict=True):
        low, _, high = str(row["difficulty"]).partition("-")
        assert (one.low, one.high) == (int(low.rstrip("+")), int(high) if high else None)
        assert numbers(plan(somebody(3, has=KITS), key, task=one.id))[3] == one.difficulty == difficulty
    other = "agility.balance" if key != "agility.balance" else "athletics.swim"
    refused(r"is a task of .* \(.*\), not of ", plan, somebody(3), other, task=tasks[0].id)


@pytest.mark.rule("stage.check.difficulty")
@pytest.mark.parametrize("reveal", ["hidden", "shown"])
def test_whether_players_see_the_difficulty(reveal: str) -> None:
    options = StageOptions(reveal_difficulty=reveal)  # type: ignore[arg-type]
    session = session_of({"ann": somebody(2, name="Ann")}, options)
    session.do("table.check", who="ann", what="agility.balance", situation=["difficulty=7"])
    session.type_in([3, 4])
    seen, known = str(project_session(session, "ann")), str(project_session(session, "game master"))
    assert ("'difficulty': 7" in seen) is (reveal == "shown")
    assert "'difficulty': 7" in known
    assert "success" in seen  # what came of it is known


def test_missing_arguments_are_asked_for() -> None:
    for key, hint in (
        ("guile.disable", "thing=good_lock"),
        ("athletics.jump", "metres=4"),
        ("survival.track", "days=2"),
    ):
        refused(hint, plan, somebody(3, has=KITS), key)
    refused("not here", plan, somebody(3), "survival.ride", target="wolf")
    assert numbers(plan(somebody(3), "survival.ride", difficulty=6))[3] == 6


@pytest.mark.rule("stage.survival.track", "stage.check.minimum")
def test_tracks_may_be_half_a_day_old_and_no_more_than_250_days() -> None:
    for days, difficulty in (("0", 1), ("0.5", 1), ("1/2", 1), ("1.5", 2), ("2", 2), ("2.25", 3)):
        assert numbers(plan(somebody(2), "survival.track", days=days))[3] == difficulty
    for days in ("soon", "-1", "251", "1/0"):
        refused("is not an age of at most 250 days", plan, somebody(2), "survival.track", days=days)
