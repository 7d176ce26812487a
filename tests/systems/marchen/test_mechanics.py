"""The checks of Märchen Engine: worked examples, every option in every core, and all rolls tried out one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any, get_args

import pytest

from each_case import each_case
from systems.marchen.people import faces
from systems.playing import counted, examples
from tablewright.dice import TypedDice
from tablewright.engine import Trace, odds, play
from tablewright.errors import InvalidInputError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.marchen.mechanics.checks import (
    TRIVIALLY,
    CheckResult,
    GroupResult,
    OpposedResult,
    Task,
    Winner,
    aided,
    check,
    group,
    helper_dm,
    judge,
    opposed,
    passive,
    task_chain,
)
from tablewright.systems.marchen.mechanics.dice import (
    DICE,
    DIFFICULTIES,
    DIFFICULTY_DM,
    SIGMA,
    TARGETS,
    Degree,
    Difficulty,
    Measure,
    degree_of,
    dice_of,
    measure_of,
    sigma_of,
)
from tablewright.systems.marchen.options import Core, D20Scale, DegreeMethod, ExceptionalRule, TargetRule, TwoD6Extremes

LEDGER = Ledger.load("marchen")
CORES: tuple[Core, ...] = get_args(Core)
PLAIN = Measure(8, 0)


def rolls(core: Core) -> Iterable[tuple[int, ...]]:
    """Every roll of the core's dice."""
    number, sides = DICE[core]
    return product(range(1, sides + 1), repeat=number)


def chances(dist: Any) -> dict[Any, Fraction]:
    return dict(dist.fractions())


# ---------------------------------------------------------------------- worked examples


@pytest.mark.rule("marchen.check.core_procedure", "marchen.core.no_natural_results", "marchen.core.d100_scale")
def test_a_total_against_a_target_and_nothing_else() -> None:
    for given, expect in examples("marchen.check.core_procedure"):
        assert given["threshold"] == measure_of(given["core"]).target
        call = check(given["core"], modifier=sum(given["modifiers"]))
        assert play(call, TypedDice(faces(given["core"], given["roll"]))).result.success is expect["success"]
    for given, expect in examples("marchen.core.no_natural_results"):
        result = play(check(given["core"], modifier=given["dm"]), TypedDice(faces(given["core"], given["roll"]))).result
        assert (result.effect, result.success) == (expect["total"] - 8, expect["success"])
    for given, expect in examples("marchen.core.d100_scale"):
        modifier = given["aspect"] + given["characteristic"] + given["skill"]
        result = play(check(given["core"], given["difficulty"], modifier), TypedDice([given["roll"]])).result
        assert measure_of(given["core"]).target == expect["target"] == expect["total"] - result.effect
        assert (result.effect, result.success) == (expect["effect"], expect["success"])


@pytest.mark.rule("marchen.difficulty.modifies_result", "marchen.effect.definition", "marchen.core.d100_scale")
def test_the_difficulty_goes_into_the_total_and_is_not_five_fold() -> None:
    ((given, expect),) = examples("marchen.difficulty.modifies_result")
    assert given["dm"] == DIFFICULTY_DM["2d6"]["routine"]
    result = play(check("2d6", "routine"), TypedDice(faces("2d6", given["roll"]))).result
    assert (result.effect, result.success) == (expect["total"] - 8, expect["success"])
    for given, expect in examples("marchen.effect.definition"):
        assert judge(given["total"], given["core"], measure_of(given["core"])).effect == expect["effect"]
    result = play(check("D100", "difficult", 2, dm=-7), TypedDice([60])).result
    assert result.effect == 60 + 10 - 25 - 7 - 51


@pytest.mark.rule("marchen.difficulty.trivial")
@pytest.mark.parametrize("core", CORES)
def test_trivial_tasks(core: Core) -> None:
    assert play(check(core, "trivial", -60), TypedDice([])).result == TRIVIALLY
    assert CheckResult(1, Degree.SUCCEED, 1, True, False) == TRIVIALLY
    number, _ = DICE[core]
    rolled = play(check(core, "trivial", trivial="roll"), TypedDice([1] * number)).result
    assert rolled.effect == number + DIFFICULTY_DM[core]["trivial"] - TARGETS["printed"][core]


@pytest.mark.rule("marchen.degree.tie", "marchen.degree.sigma_method")
def test_a_tie_succeeds_but_not_in_a_contest() -> None:
    for given, expect in examples("marchen.degree.tie"):
        result = play(check(contest=given["contest"]), TypedDice([4, 4])).result
        assert (result.effect, result.success) == (given["effect"], expect["success"])
        assert result.degree.value == expect.get("treated_as", "tie")
        assert result.sigma == (-1 if given["contest"] else 0)
    assert judge(7, "2d6", PLAIN, degree_method="sigma").success
    lost = judge(7, "2d6", PLAIN, contest=True, degree_method="sigma")
    assert (lost.degree, lost.sigma, lost.success) == (Degree.FAIL_IN_STYLE, -1, False)


@pytest.mark.rule("marchen.degree.sigma_method", "marchen.dice_chain.use")
def test_sigma_is_read_from_the_cores_dice_whatever_dice_are_rolled() -> None:
    for steps, shown in ((0, [5, 4]), (1, [5, 4]), (2, [8, 1]), (-1, [5, 4])):  # 2d6, 2d7, 2d8, 2d5
        result = play(check("2d6", steps=steps, degree_method="sigma"), TypedDice(shown)).result
        assert (result.sigma, result.degree.value) == (2, "succeed_in_style")


# ---------------------------------------------------------------------- every option in every core


def by_hand(
    total: int,
    core: Core,
    difficulty: Difficulty,
    target_rule: TargetRule,
    d20_scale: D20Scale,
    exceptional_rule: ExceptionalRule,
    two_d6_extremes: TwoD6Extremes,
    degree_method: DegreeMethod,
) -> CheckResult:
    """The result of a total without the difficulty's DM, said in another way than the rule does."""
    ledger = LEDGER["marchen.difficulty.complete_table"].data
    target = LEDGER["marchen.core.target_other"].data["values"][target_rule][core]
    if core == "D20" and d20_scale == "dc" and degree_method == "table":
        target = ledger["D20_dc"][difficulty]
    else:
        total += ledger["D20_dm" if core == "D20" else core][difficulty]
    effect = total - target
    degree: Degree
    if degree_method == "sigma":
        sigma = sigma_of(dice_of(core), total)
        (degree,) = [each for each in Degree if SIGMA[each] == sigma and each is not Degree.MINOR_FAIL]
    else:
        degree = degree_of(core, effect, two_d6_extremes)
        sigma = SIGMA[degree]
    low, high = LEDGER["marchen.effect.exceptional"].data["values"][exceptional_rule][core]
    exceptional = effect <= low or effect >= high
    if degree_method == "sigma" and exceptional_rule == "sigma4" and core != "2d6":
        exceptional = abs(sigma) == 4
    success = sigma >= 0 if degree_method == "sigma" else effect >= 0
    return CheckResult(effect, degree, sigma, success, exceptional)


VARIANTS = [
    ("printed", "dm", "sigma4", "sigma4", "table"),
    ("centre", "dm", "sigma4", "clamp", "table"),
    ("match_odds", "dc", "flat6", "sigma4", "table"),
    ("printed", "dc", "sigma4", "sigma4", "sigma"),
    ("match_odds", "dm", "flat6", "clamp", "sigma"),
]


@pytest.mark.rule("marchen.core.target_other", "marchen.degree.bands", "marchen.effect.exceptional")
@pytest.mark.rule("marchen.degree.sigma_method", "marchen.difficulty.d20_scale", "marchen.difficulty.complete_table")
@each_case("variant", VARIANTS)
@each_case("core", CORES)
def test_every_core_under_every_option(core: Core, variant: tuple[Any, ...]) -> None:
    target_rule, d20_scale, *reading = variant
    scale = 5 if core == "D100" else 1
    totals = Counter(map(sum, rolls(core)))
    for difficulty, modifier in product(DIFFICULTIES, (-3, 2)):
        call = check(core, difficulty, modifier, "none", 0, 0, False, target_rule, d20_scale, "roll", *reading)
        assert chances(odds(call)) == {
            by_hand(total + scale * modifier, core, difficulty, *variant): Fraction(ways, totals.total())
            for total, ways in totals.items()
        }


@pytest.mark.rule("marchen.advantage.roll")
@pytest.mark.parametrize("core", CORES)
def test_advantage_and_disadvantage_as_all_rolls_say(core: Core) -> None:
    totals = Counter(map(sum, rolls(core)))
    for mode, used in (("advantage", max), ("disadvantage", min)):
        ways: Counter[int] = Counter()
        for (a, ways_a), (b, ways_b) in product(totals.items(), repeat=2):
            ways[used(a, b) - TARGETS["printed"][core]] += ways_a * ways_b
        dist = odds(check(core, advantage=mode)).map(lambda result: result.effect)
        assert chances(dist) == {effect: Fraction(weight, ways.total()) for effect, weight in ways.items()}


@pytest.mark.rule("marchen.dice_chain.pools", "marchen.dice_chain.use")
def test_other_dice_keep_the_target_and_the_bands() -> None:
    for given, expect in examples("marchen.dice_chain.pools"):
        mode = given.get("dice_chain_mode", "per_die")
        dist = odds(check(given["core"], steps=given["steps"], dice_chain_mode=mode))
        dice = dice_of(given["core"], given["steps"], mode)
        assert str(dice) == expect["dice"]
        assert [result.effect for result in dist.outcomes] == [
            total - expect["target"] for total in range(dice.number, dice.number * dice.sides + 1)
        ]
        assert all(result.degree is degree_of(given["core"], result.effect) for result in dist.outcomes)


@pytest.mark.rule("marchen.check.passive", "marchen.check.passive_base")
def test_passive_checks() -> None:
    for given, expect in examples("marchen.check.passive_base"):
        core, base = given["core"], given.get("passive_base", "mean")
        result = play(passive(core, modifier=given["modifiers"], passive_base=base), TypedDice([])).result
        assert result == judge(expect["total"], core, measure_of(core))
        assert result.success is expect.get("success", result.success)


# ---------------------------------------------------------------------- several checks


@pytest.mark.rule("marchen.chain.dm")
def test_a_chain_carries_the_sigma_of_the_task_before() -> None:
    for given, expect in examples("marchen.chain.dm")[:2]:
        assert expect["next_dm"] == expect["sigma"]
        first = given["first_effect"] + 8
        played = play(task_chain((Task(), Task())), TypedDice([*faces("2d6", first), 4, 4]))
        assert played.result.effect == expect["next_dm"]
        before = next(step for step in played.trace.steps if isinstance(step, Trace))
        assert before.result.sigma == expect["sigma"]
    given, expect = examples("marchen.chain.dm")[2]
    for effect, dm in zip(given["effects_of_first_checks"], expect["next_dms"], strict=True):
        shown = [*faces("4d7", effect + 16), *faces("4d7", 16)]
        assert play(task_chain((Task(), Task()), "4d7"), TypedDice(shown)).result.effect == dm


@pytest.mark.rule("marchen.chain.dm")
@pytest.mark.parametrize("core", CORES)
def test_a_chain_is_its_checks_one_after_the_other(core: Core) -> None:
    tasks = (Task("difficult", 2), Task("average", -1), Task("easy"))

    def slowly(at: int, carried: int) -> dict[CheckResult, Fraction]:
        dist = odds(check(core, tasks[at].difficulty, tasks[at].modifier + carried))
        if at == len(tasks) - 1:
            return chances(dist)
        mixed: dict[CheckResult, Fraction] = {}
        for sigma, chance in dist.map(lambda result: result.sigma).fractions():
            for result, part in slowly(at + 1, sigma).items():
                mixed[result] = mixed.get(result, Fraction(0)) + chance * part
        return mixed

    assert chances(odds(task_chain(tasks, core, 1))) == slowly(0, 1)


@pytest.mark.rule("marchen.chain.dm", "marchen.difficulty.trivial")
def test_trivial_links_of_a_chain() -> None:
    assert play(task_chain((Task(), Task("trivial"), Task())), TypedDice([1, 1, 4, 4])).result.effect == 1
    assert play(task_chain((Task("trivial"), Task())), TypedDice([4, 4])).result.effect == 1
    assert play(task_chain((Task(), Task("trivial"))), TypedDice([1, 1])).result == TRIVIALLY


@pytest.mark.rule("marchen.chain.dm")
def test_tasks_are_read_and_written_and_chains_are_bounded() -> None:
    for text, task in (
        ("difficult+2", Task("difficult", 2)),
        ("easy", Task("easy")),
        ("-1", Task("average", -1)),
        (" godly-12 ", Task("godly", -12)),
    ):
        assert Task.parse(text) == Task.parse(str(task)) == task
    for wrong in ("", " ", "hard+2", "easy+", "easy+1234", "easy+²", "+", "easy 2", "EASY"):
        with pytest.raises(InvalidInputError):
            Task.parse(wrong)
    with pytest.raises(InvalidInputError, match='did you mean "difficult"'):
        Task.parse("dificult+2")
    two = task_chain((Task("difficult", 2), Task("easy")), "3d6")
    assert task_chain.read({"tasks": "difficult+2,easy", "core": "3d6"}) == two
    for tasks in ((), (Task(),) * 21):
        with pytest.raises(InvalidInputError, match="1 to 20 tasks"):
            odds(task_chain(tasks))
    assert sum(chances(odds(task_chain((Task(),) * 20, "8D4"))).values()) == 1
    with pytest.raises(InvalidInputError, match="modifier"):
        odds(task_chain((Task("easy", 999),)))


@pytest.mark.rule("marchen.opposed.resolve", "marchen.opposed.tie")
def test_opposed_examples() -> None:
    for given, expect in examples("marchen.opposed.resolve"):
        shown = [*faces("2d6", 8 + given["a_effect"]), *faces("2d6", 8 + given["b_effect"])]
        result = play(opposed(), TypedDice(shown)).result
        assert result == OpposedResult(given["a_effect"] - given["b_effect"], Winner(expect["winner"]))
    for given, expect in examples("marchen.opposed.tie"):
        call = opposed(a_characteristic=given["a_characteristic"], b_characteristic=given["b_characteristic"])
        equal = [*faces("2d6", 8 + given["a_effect"]), *faces("2d6", 8 + given["b_effect"])]
        if expect["reroll"]:
            assert play(call, TypedDice([*equal, 2, 2, 6, 6])).result == OpposedResult(-8, Winner.B)
        else:
            assert play(call, TypedDice(equal)).result == OpposedResult(0, Winner(expect["winner"]))


@pytest.mark.rule("marchen.opposed.resolve", "marchen.opposed.tie", "marchen.difficulty.trivial")
def test_opposed_checks_as_all_rolls_say() -> None:
    def margins() -> Iterable[int]:
        for a, b in product(rolls("2d6"), repeat=2):
            yield (sum(a) + 2 + 8) - (sum(b) + 1 - 2)

    call = opposed("2d6", 2, 1, "trivial", "difficult", 0, 1)
    expected = counted(
        OpposedResult(margin, Winner.A if margin > 0 else Winner.B) for margin in margins()
    )  # b has the higher characteristic
    assert chances(odds(call)) == expected
    even = odds(opposed())
    assert even.again == counted(sum(a) - sum(b) for a, b in product(rolls("2d6"), repeat=2))[0]
    assert even.chance(lambda result: result.winner is Winner.A) == Fraction(1, 2)
    nobody = odds(opposed(opposed_tie="fail_in_style", a_characteristic=3))
    assert nobody[OpposedResult(0, Winner.NOBODY)] == even.again


@pytest.mark.rule("marchen.opposed.resolve", "marchen.core.d100_scale", "marchen.difficulty.d20_scale")
def test_opposed_margins_in_other_cores() -> None:
    assert play(opposed("D100", 2, -1), TypedDice([50, 50])).result.margin == 15
    dc = opposed("D20", a_difficulty="easy", b_difficulty="difficult", d20_scale="dc")
    assert play(dc, TypedDice([10, 10])).result.margin == 20 - 10
    better = opposed("D20", a_advantage="advantage", b_advantage="disadvantage")
    assert play(better, TypedDice([2, 9, 5, 4])).result.margin == 9 - 4


@pytest.mark.rule("marchen.aid.helper_dm")
def test_value_of_helpers() -> None:
    for given, expect in examples("marchen.aid.helper_dm"):
        results = [judge(8 + effect, given["core"], PLAIN) for effect in given["helper_effects"]]
        assert sum(map(helper_dm, results)) == expect["dm"]
        # effects beyond what the dice show come from the helpers' modifiers
        helpers = tuple(given["helper_effects"])
        shown = [4, 4] * (len(helpers) + 1)
        assert play(aided(helpers), TypedDice(shown)).result.effect == expect["dm"]


@pytest.mark.rule("marchen.aid.helper_dm", "marchen.core.d100_scale", "marchen.aid.limit")
def test_aid_is_helpers_first_and_then_the_leader() -> None:
    for core in ("2d6", "D100"):
        mixed: dict[CheckResult, Fraction] = {}
        helpers = [odds(check(core, "easy", modifier)).map(helper_dm) for modifier in (1, -2)]
        for (a, chance_a), (b, chance_b) in product(helpers[0].fractions(), helpers[1].fractions()):
            for result, chance in odds(check(core, "easy", 1 + a + b)).fractions():
                mixed[result] = mixed.get(result, Fraction(0)) + chance_a * chance_b * chance
        assert chances(odds(aided((1, -2), core, "easy", 1))) == mixed
    assert odds(aided((3, 0, 0), max_helpers=1)) == odds(aided((3,)))  # in the order given
    assert odds(aided((3, 0), max_helpers=0)) == odds(aided(())) == odds(check())


@pytest.mark.rule("marchen.group.check", "marchen.difficulty.trivial")
def test_half_of_a_group_is_enough() -> None:
    for given, expect in examples("marchen.group.check"):
        size, successes = given["group_size"], given["successes"]
        shown = [4, 4] * successes + [4, 3] * (size - successes)
        assert play(group((0,) * size), TypedDice(shown)).result == GroupResult(successes, expect["success"])
    assert play(group((0, -9), difficulty="trivial"), TypedDice([1, 1, 1, 1])).result == GroupResult(1, True)
    chance = [odds(check(modifier=modifier)).chance(lambda result: result.success) for modifier in (0, 2)]
    assert odds(group((0, 2)))[GroupResult(2, True)] == chance[0] * chance[1]


@pytest.mark.rule("marchen.difficulty.trivial")
def test_veiled_dice_count_for_nothing_on_trivial_tasks_alone() -> None:
    assert odds(check(difficulty="trivial", modifier=-9, trivial="veiled")) == odds(check(difficulty="trivial"))
    assert odds(check(difficulty="easy", trivial="veiled")) == odds(check(difficulty="easy"))
    assert odds(aided((0,), difficulty="trivial", modifier=-9, trivial="veiled"))[TRIVIALLY] == 1
    assert odds(passive(difficulty="trivial", modifier=-20, trivial="veiled"))[TRIVIALLY] == 1
