"""The 97 applications row by row: what each rolls in a situation, what it costs, how long it takes, who opposes it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from systems.stage.people import OPTIONS, alone, library, numbers, person, plan, scene_of, session_of, somebody
from tablewright.engine import odds
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.rules.ledger import Ledger
from tablewright.game.session.views import project_session
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.checks import CHECKS, cost_of, hours_of
from tablewright.systems.stage.content import Application, Skill, Task
from tablewright.systems.stage.modifiers import applications
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.situations import DifficultyValue, band_of, bands, jump_difficulty
from tablewright.systems.stage.values import SCHOOLS

LEDGER = Ledger.load("stage")
KITS = ["lockpicks", "crafts_kit", "medicine_kit", "science_kit"]
APPS = [
    key for skill, names in LEDGER["stage.skill.applications"].data.items() for key in [f"{skill}.{n}" for n in names]
]


@pytest.mark.rule("stage.skill.applications", "stage.skill.notation")
def test_the_97_applications_are_all_there() -> None:
    assert len(APPS) == 97
    assert list(applications(library())) == APPS
    assert [check.id for check in CHECKS] == [*APPS, "application"]
    assert rulebook.check("guile.pick_pocket").title == "Guile (pick pocket)"


PARRIES = ("brawl.parry", "close_combat.parry")
OPPOSING = {"dodge": ("agility.dodge",), "parry": PARRIES, "parry (melee)": PARRIES}


@pytest.mark.rule("stage.skill.description_fields")
@pytest.mark.parametrize(
    "key",
    [pytest.param(key, marks=pytest.mark.rule(f"stage.{key}")) for key in APPS if key.partition(".")[0] not in SCHOOLS],
)
def test_each_application_is_as_its_description_says(key: str) -> None:
    data, one = LEDGER[f"stage.{key}"].data, applications(library())[key]
    assert one.rule == f"stage.{key}"
    assert one.check == ("flat" if data["check"] == "varies" else data["check"])
    assert dict(one.cost) == dict(data["cost"])
    assert (one.reaction or None) == data["reaction"]
    opposing = [key for name in data["opposed_by"] for key in OPPOSING.get(name, (name.replace(" ", "_"),))]
    assert sorted(one.opposed_by) == sorted(opposing)
    if data.get("ap") is not None:
        assert one.ap == int(str(data["ap"]).partition(" ")[0]), "the least that it takes"
    if "ap_defender" in data:
        assert one.ap_defender == data["ap_defender"]
    assert one.sets is bool(data.get("sets_difficulty_for_opponent"))
    assert one.move_factor == data.get("move_factor", 2 if "move" in data else 1)
    time = data.get("time")
    if hasattr(time, "get") and "hours" in time:
        assert one.time is not None
        assert hours_of(one) == time["hours"]
        if "minus" in time:
            assert hours_of(one, Fraction(1), 3) == time["hours"] - 3
            assert hours_of(one, Fraction(1), 20) == time["minimum_hours"]
        else:
            assert hours_of(one, Fraction(1), 3) == time["hours"]


MAGIC = [
    pytest.param("animation", marks=pytest.mark.rule("stage.animation.skill")),
    pytest.param("animism", marks=pytest.mark.rule("stage.animism.skill")),
    pytest.param("apportation", marks=pytest.mark.rule("stage.apportation.skill")),
    pytest.param("infusion", marks=pytest.mark.rule("stage.infusion.skill")),
    pytest.param("projection", marks=pytest.mark.rule("stage.projection.skill")),
    pytest.param("psionics", marks=pytest.mark.rule("stage.psionics.skill")),
]


@pytest.mark.parametrize("skill", MAGIC)
def test_the_five_applications_of_a_skill_of_magic(skill: str) -> None:
    data, known, caster = LEDGER[f"stage.{skill}.skill"].data, applications(library()), somebody(3)
    found = library().get(Skill, skill)
    assert (found.attribute, found.magic) == (data["attribute"], True)
    for name in ("counter", "detect", "learn"):
        one = known[f"{skill}.{name}"]
        assert one.check == data[name]["check"]
        assert cost_of(one, alone(caster)).to_json() == dict(data[name]["cost"])
        if "ap" in data[name]:
            assert one.ap == data[name]["ap"]
    assert hours_of(known[f"{skill}.learn"]) == data["learn"]["hours"]
    enchant = known[f"{skill}.enchant"]
    assert cost_of(enchant, alone(caster), core=1).to_json() == dict(data["enchant"]["cost_per_core"])
    assert known[f"{skill}.cast"].check == "spell"
    counter = known[f"{skill}.counter"]
    assert (counter.sets, counter.reaction) == (True, LEDGER["stage.magic.app_counter"].data["reaction"])
    assert [known[f"{skill}.{name}"].sets for name in ("cast", "detect", "enchant", "learn")] == [False] * 4
    rules = {name: known[f"{skill}.{name}"].difficulty for name in ("cast", "counter", "detect", "enchant", "learn")}
    assert list(rules.values()) == ["hit", "none", "circle", "enchant", "circle_3"]
    assert {known[f"{skill}.{name}"].rule for name in rules} == {f"stage.magic.app_{name}" for name in rules}
    assert hours_of(known[f"{skill}.learn"], Fraction(1), 9) == 1
    defences = ("agility.dodge", "brawl.parry", "close_combat.parry", f"{skill}.counter")
    assert known[f"{skill}.cast"].opposed_by == defences
    for other in SCHOOLS:
        assert (f"{other}.counter" in known[f"{skill}.cast"].opposed_by) is (other == skill)


# ---------------------------------------------------------------------- what each rolls


def row(mark: pytest.MarkDecorator, *values: Any) -> Any:
    """A row of the table below, whose application is named by its rule."""
    return pytest.param(mark.args[0].removeprefix("stage.").removesuffix("_tasks"), *values, marks=mark)


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
    both = plan(tracker, "survival.track", days=1, when="hard_soil,rock_or_metal")
    assert numbers(both)[1] == 7
    assert numbers(plan(tracker, "survival.track", days=1, when="rock_or_metal,rain_or_snow"))[1] == 3
    assert numbers(plan(tracker, "survival.track", days=0))[3] == 1  # fresh tracks


@pytest.mark.rule("stage.athletics.jump")
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
    with pytest.raises(IllegalActionError, match="zero gravity"):
        plan(jumper, "athletics.jump", metres="4", gravity="zero")
    with pytest.raises(InvalidInputError, match=r'metres: "4 gold" is not a length in metres; write 4, 2.5 or 1/4'):
        plan(jumper, "athletics.jump", metres="4 gold")
    with pytest.raises(InvalidInputError, match="difficulty and task each say"):
        plan(jumper, "athletics.climb", difficulty=5, task="climb_ladder")


@pytest.mark.rule("stage.athletics.lift")
def test_light_loads_need_no_check() -> None:
    with pytest.raises(IllegalActionError, match="no check is needed"):
        plan(somebody(guile=4), "athletics.lift", encumbrance=4)
    assert numbers(plan(somebody(guile=4), "athletics.lift", encumbrance=5))[3] == 5


@pytest.mark.rule("stage.academics.analysis")
@pytest.mark.parametrize(("pair", "difficulty"), [("mind_level", 7 + 5), ("intellect", 6 + 5)])
def test_to_analyse_a_character(pair: str, difficulty: int) -> None:
    scene = _scene(StageOptions(analysis_pair=pair))  # type: ignore[arg-type]
    assert numbers(plan(scene["me"].character, "academics.analysis", scene=scene, target="foe"))[3] == difficulty


@pytest.mark.rule("stage.speechcraft.converse", "stage.survival.ride")
@pytest.mark.parametrize(("pair", "difficulty"), [("current", 3 + 4), ("maximum", 4 + 4)])
def test_a_pair_of_tracks_is_what_is_left_or_the_maximum(pair: str, difficulty: int) -> None:
    scene = _scene(StageOptions(pair_difficulty=pair))  # type: ignore[arg-type]
    for key in ("speechcraft.converse", "survival.ride", "survival.handle_animal", "survival.train"):
        assert numbers(plan(scene["me"].character, key, scene=scene, target="foe"))[3] == difficulty


@pytest.mark.rule("stage.medicine.treatment", "stage.medicine.surgery")
def test_not_on_oneself_and_not_for_nothing() -> None:
    scene = _scene()
    me = scene["me"].character
    for key in ("medicine.treatment", "medicine.surgery"):
        with pytest.raises(IllegalActionError, match=r"needs another target than .*, who makes the check"):
            plan(me, key, scene=scene, target="me")
    well = scene_of({"me": me, "foe": somebody(guile=2, name="Foe")})
    for key in ("medicine.treatment", "medicine.surgery"):
        with pytest.raises(IllegalActionError, match="nothing to treat"):
            plan(me, key, scene=well, target="foe")
    assert applications(library())["medicine.first_aid"].on_oneself
    foe = somebody(guile=2, name="Foe")
    hurt = scene_of({"me": me, "foe": foe.changed(wounds=foe.wounds.changed(stamina=1, vitality=1))})
    for key in ("medicine.treatment", "medicine.surgery"):
        assert numbers(plan(me, key, scene=hurt, target="foe"))[3] == 1


@pytest.mark.rule("stage.survival.train")
def test_an_animal_learns_only_so_many_tricks() -> None:
    trainer = somebody(3, name="Me")
    for tricks, able in (("sit", "stay"), True), (("sit", "stay", "fetch"), False):
        scene = scene_of({"me": trainer, "wolf": person("wolf").changed(tricks=tricks)})
        if able:
            assert numbers(plan(trainer, "survival.train", scene=scene, target="wolf"))[3] == 6
        else:
            with pytest.raises(IllegalActionError, match="Wolf knows 3 tricks"):
                plan(trainer, "survival.train", scene=scene, target="wolf")


@pytest.mark.rule("stage.guile.pick_pocket")
def test_items_too_large_to_steal() -> None:
    assert numbers(plan(somebody(9), "guile.pick_pocket", size=5))[1] == 7
    with pytest.raises(IllegalActionError, match="too large"):
        plan(somebody(9), "guile.pick_pocket", size=6)
    assert numbers(plan(somebody(9, race="gettefolk"), "guile.pick_pocket", size=6))[1] == 6


@pytest.mark.rule("stage.gap.equipment.tools")
def test_tools() -> None:
    data = LEDGER["stage.gap.equipment.tools"].data
    lock = {"thing": "good_lock"}
    with pytest.raises(IllegalActionError, match="needs tools"):
        plan(somebody(2), "guile.disable", **lock)
    assert numbers(plan(somebody(2), "guile.disable", improvised="yes", **lock))[2] == data["without"]
    assert numbers(plan(somebody(2, has=["lockpicks"]), "guile.disable", **lock))[2] == 0
    for skill, key in (
        ("crafts", "crafts.sabotage"),
        ("science", "science.chemistry"),
        ("medicine", "medicine.first_aid"),
    ):
        given = {} if skill == "medicine" else lock
        assert numbers(plan(somebody(2), key, **given))[2] == data["without"]
        assert numbers(plan(somebody(2, has=[f"{skill}_kit"]), key, **given))[2] == 0
        assert numbers(plan(somebody(2, has=[f"fine_{skill}_kit", f"{skill}_kit"]), key, **given))[2] == data["fine"]
    assert numbers(plan(somebody(2), "science.knowledge", difficulty=3))[2] == 0
    practical = {"crafts": "craft repair sabotage", "science": "analysis chemistry design"}
    practical["medicine"] = "analysis cure first_aid reanimate surgery treatment"
    kits = {f"{skill}.{name}" for skill, names in practical.items() for name in names.split()}
    tools = {key: one.tools for key, one in applications(library()).items()}
    assert tools == {key: "kit" if key in kits else "needed" if key == "guile.disable" else "none" for key in tools}
    for id_, price in (("lockpicks", "lockpicks"), ("crafts_kit", "kit"), ("fine_science_kit", "fine_kit")):
        assert library().get("gear", id_).price == data[price]  # type: ignore[attr-defined]


# ---------------------------------------------------------------------- Difficulties


@pytest.mark.rule("stage.check.difficulty_table")
def test_the_bands_of_difficulty() -> None:
    rows = LEDGER["stage.check.difficulty_table"].data
    assert list(bands().values()) == [2, 4, 9, 15, 21, 27, 33, 37]
    for row in rows:
        for number in (row["from"], row["to"] or 250):
            if (number, row["task"]) != (3, "average"):
                assert band_of(number) == row["task"]
    assert DifficultyValue.parse("nigh impossible").value == 33
    with pytest.raises(InvalidInputError, match="epic"):
        DifficultyValue.parse("epics")
    with pytest.raises(InvalidInputError, match="no Difficulty"):
        DifficultyValue.parse("0")


TASKS = [
    row(pytest.mark.rule("stage.academics.analysis_tasks")),
    row(pytest.mark.rule("stage.academics.research_tasks")),
    row(pytest.mark.rule("stage.agility.balance_tasks")),
    row(pytest.mark.rule("stage.athletics.climb_tasks")),
    row(pytest.mark.rule("stage.athletics.swim_tasks")),
    row(pytest.mark.rule("stage.creativity.compose_tasks")),
    row(pytest.mark.rule("stage.creativity.perform_tasks")),
    row(pytest.mark.rule("stage.medicine.analysis_tasks")),
    row(pytest.mark.rule("stage.perception.detect_tasks")),
    row(pytest.mark.rule("stage.perception.investigate_tasks")),
    row(pytest.mark.rule("stage.science.analysis_tasks")),
    row(pytest.mark.rule("stage.science.research_tasks")),
    row(pytest.mark.rule("stage.speechcraft.orate_tasks")),
    row(pytest.mark.rule("stage.survival.forage_gather_hunt_tasks")),
]


@pytest.mark.parametrize("key", TASKS)
def test_example_tasks(key: str) -> None:
    rows = LEDGER[f"stage.{key}_tasks"].data["rows"]
    tasks = [one for one in library().of(Task) if one.application == key]
    assert [one.name.casefold() for one in tasks] == [row["task"].casefold() for row in rows]
    for one, row, difficulty in zip(tasks, rows, bands().values(), strict=True):
        low, _, high = str(row["difficulty"]).partition("-")
        assert (one.low, one.high) == (int(low.rstrip("+")), int(high) if high else None)
        planned = plan(somebody(3, has=KITS), key, task=one.id)
        assert numbers(planned)[3] == one.difficulty == difficulty
    other = "agility.balance" if key != "agility.balance" else "athletics.swim"
    with pytest.raises(IllegalActionError, match=r"is a task of .* \(.*\), not of "):
        plan(somebody(3), other, task=tasks[0].id)


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
        with pytest.raises(InvalidInputError, match=hint):
            plan(somebody(3, has=KITS), key)
    with pytest.raises(InvalidInputError, match="not here"):
        plan(somebody(3), "survival.ride", target="wolf")
    assert numbers(plan(somebody(3), "survival.ride", difficulty=6))[3] == 6


def test_every_check_has_exact_odds_somehow() -> None:
    caster = person("ysolt")
    for one in library().of(Application):
        given: dict[str, Any] = {"difficulty": 5, "improvised": "yes"}
        if one.check == "spell":
            spell = next((s for s in caster.spells if one.skill in library().get("spells", s).schools), None)  # type: ignore[attr-defined]
            if spell is None:
                continue
            given["spell"] = spell
        exact = odds(plan(caster, one.key, **given).call)
        assert sum(dict(exact.fractions()).values()) == 1
