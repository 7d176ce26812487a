from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.dice import SeededDice
from tablewright.engine import Choice, ClosedOption, Roll, RollStep, choose, d
from tablewright.errors import IllegalActionError, InvalidInputError, TablewrightError
from tablewright.game.character import creation
from tablewright.game.character.character import Character, Ranks, write_character
from tablewright.game.character.creation import (
    DONE,
    Budget,
    CharacterCreation,
    CreationOption,
    Spread,
    Step,
    at_random,
    choose_step,
    from_file,
    spread,
)
from tablewright.game.character.legality import Legality, not_all_spent, out_of_range, too_low, unknown_id

# ---------------------------------------------------------------------- an invented system: two stats, one budget

POINTS = 6
STATS = ("brawn", "wits")
FOLK, RAISE, GIFT, FATE = Step("folk", "Folk"), Step("stats", "Stats"), Step("gift", "Gift"), Step("fate", "Fate")


class Coiner(Character):
    system: Literal["coinfolk"] = "coinfolk"
    rules: str = "1.0"
    folk: str = "tall"
    stats: Ranks = Ranks()
    gift: str = "none"
    fate: int = 1


def cost(stat: str, folk: str) -> int:
    return 1 if (stat == "brawn") == (folk == "tall") else 2


async def create() -> Coiner:
    folk = (
        await choose_step(
            FOLK, "which folk?", [CreationOption("tall", "Tall folk"), CreationOption("small", "Small folk")]
        )
    ).id
    stats = dict.fromkeys(STATS, 1)
    budget = Budget("points", POINTS, rule="coinfolk.creation.points")
    while budget.left:
        full = [ClosedOption(stat, "at most 4", "coinfolk.creation.limit") for stat, rank in stats.items() if rank == 4]
        offers = [CreationOption(stat, cost=cost(stat, folk), note=f"now {stats[stat]}") for stat in STATS]
        save = CreationOption("save", "Save a point", cost=1)
        taken = await choose_step(RAISE, "raise what?", [*offers, save], budget=budget, closed=full, note="up to 4")
        budget = budget.spend(taken.cost)
        if taken.id in stats:
            stats[taken.id] += 1
    closed = [] if stats["wits"] >= 3 else [ClosedOption("spark", "needs wits 3", "coinfolk.gift.spark")]
    gift = (
        await choose_step(
            GIFT,
            "which gift?",
            [CreationOption("none"), CreationOption("spark"), CreationOption("song")],
            closed=closed,
        )
    ).id
    fate = await d(6)
    if fate == 1 and (await choose("player", "try again?", ["yes", "no"])) == "yes":
        fate = await d(6)
    return Coiner(name="New", folk=folk, stats=Ranks(stats), gift=gift, fate=fate)


def legality(coiner: Coiner) -> Legality:
    spent = sum([(coiner.stats[stat] - 1) * cost(stat, coiner.folk) for stat in STATS])
    return Legality.of(
        unknown_id("folk", coiner.folk, ["tall", "small"], rule="coinfolk.creation.folk"),
        *[out_of_range(f"stats.{stat}", coiner.stats[stat], 1, 4, rule="coinfolk.creation.limit") for stat in STATS],
        () if spent <= POINTS else not_all_spent("points", spent, POINTS, rule="coinfolk.creation.points"),
        too_low(
            "gift", "wits", coiner.stats["wits"], 3 * (coiner.gift == "spark"), by="spark", rule="coinfolk.gift.spark"
        ),
        out_of_range("fate", coiner.fate, 1, 6, rule="coinfolk.fate.roll"),
    )  # fmt: skip


def state(making: CharacterCreation[Any]) -> str:
    """All that can be seen of a character in the making."""
    return json.dumps([making.to_json(), [step.to_json() for step in making.history], list(making.draft_record)])


def any_option(data: st.DataObject, making: CharacterCreation[Any]) -> str:
    assert isinstance(making.question, Choice)
    return data.draw(st.sampled_from(making.question.ids))


# ---------------------------------------------------------------------- step by step


def test_step_by_step() -> None:
    making = CharacterCreation(create)
    assert making.step == FOLK
    assert making.to_json()["budget"] is None
    assert [(offer.id, offer.title) for offer in making.options] == [("tall", "Tall folk"), ("small", "Small folk")]
    making.answer("tall")
    assert making.step == RAISE
    assert making.budget == Budget("points", 6, 0, "coinfolk.creation.points")
    for _ in range(3):
        making.answer("brawn")
    assert making.closed == (ClosedOption("brawn", "at most 4", "coinfolk.creation.limit"),)
    making.answer("wits")
    # one option is left: it needs no answer
    assert making.step == GIFT
    assert making.closed == (ClosedOption("spark", "needs wits 3", "coinfolk.gift.spark"),)
    with pytest.raises(IllegalActionError) as refusal:
        making.answer("spark")
    assert str(refusal.value) == '"spark" cannot be chosen: needs wits 3 [coinfolk.gift.spark]'
    with pytest.raises(
        InvalidInputError, match='unknown option "sogn"; choose one of: none, song; did you mean "song"'
    ):
        making.answer("sogn")
    with pytest.raises(InvalidInputError, match="no roll is asked for now"):
        making.type_in([3])
    making.answer("song")
    assert isinstance(making.question, Roll)
    assert making.to_json()["done"] is False
    with pytest.raises(InvalidInputError, match="no choice is asked for now"):
        making.answer("song")
    with pytest.raises(TablewrightError, match="has not ended"):
        making.result  # noqa: B018
    for wrong in ([], [7], [1, 2]):
        with pytest.raises(InvalidInputError):
            making.type_in(wrong)
    making.type_in([4])
    assert making.is_done
    assert making.result == Coiner(name="New", stats=Ranks({"brawn": 4, "wits": 2}), gift="song", fate=4)
    with pytest.raises(InvalidInputError):
        making.answer("song")


def test_contents_of_a_screen() -> None:
    making = CharacterCreation(create)
    making.answer("small")
    shown = making.to_json()
    assert shown == {
        "answers": 1,
        "done": False,
        "question": "raise what?",
        "seat": "actor",
        "step": {"id": "stats", "title": "Stats"},
        "budget": {"label": "points", "total": 6, "spent": 0, "left": 6, "rule": "coinfolk.creation.points"},
        "note": "up to 4",
        "shown": {},
        "options": [
            {"id": "brawn", "label": "brawn", "cost": 2, "note": "now 1", "rule": None},
            {"id": "wits", "label": "wits", "cost": 1, "note": "now 1", "rule": None},
            {"id": "save", "label": "Save a point", "cost": 1, "note": "", "rule": None},
        ],
        "closed": [],
    }
    making.follow({"stats": ["save"] * 6, "gift": "none"})
    assert making.to_json() == {"answers": 8, "done": False, "roll": "d6"}
    making.type_in([1])
    assert making.step is None
    assert making.budget is None
    assert making.to_json()["options"] == [{"id": "yes", "label": "yes"}, {"id": "no", "label": "no"}]
    making.answer("no")
    assert making.to_json() == {"answers": 10, "done": True}
    assert making.history[0].to_json() == {"choice": "which folk?", "seat": "actor", "option": "small"}


def test_unaffordable_items_are_closed() -> None:
    making = CharacterCreation(create)
    making.follow({"folk": "small", "stats": ["wits", *["save"] * 4]})
    assert making.closed == (ClosedOption("brawn", "costs 2, 1 more than is left", "coinfolk.creation.points"),)
    with pytest.raises(IllegalActionError, match=r"costs 2, 1 more than is left \[coinfolk\.creation\.points\]"):
        making.answer("brawn")


# ---------------------------------------------------------------------- back, save, resume


@given(st.data(), st.integers(0, 2**32), st.booleans())
def test_back_and_forward_changes_nothing(data: st.DataObject, seed: int, rolled: bool) -> None:
    making = CharacterCreation(create, SeededDice(seed) if rolled else None)
    seen = []
    answers: list[Any] = []
    while not making.is_done:
        seen.append(state(making))
        if isinstance(making.question, Roll):
            answers.append([data.draw(st.integers(1, 6))])
            making.type_in(answers[-1])
        else:
            answers.append(any_option(data, making))
            making.answer(answers[-1])
    last, result = state(making), making.result
    steps = data.draw(st.integers(1, len(answers)))
    for taken_back in range(1, steps + 1):
        making.back()
        assert state(making) == seen[-taken_back]
    for answer in answers[-steps:]:
        making.answer(answer) if isinstance(answer, str) else making.type_in(answer)
    assert state(making) == last
    assert making.result == result


@given(st.data(), st.integers(0, 2**32))
def test_saved_and_resumed_after_every_answer(data: st.DataObject, seed: int) -> None:
    making = CharacterCreation(create, SeededDice(seed))
    while not making.is_done:
        resumed = CharacterCreation(create, SeededDice(seed), making.draft_record)
        assert state(resumed) == state(making)
        option = any_option(data, making)
        making.answer(option)
        resumed.answer(option)
        assert state(resumed) == state(making)
    assert CharacterCreation(create, record=making.draft_record).result == making.result


def test_nothing_to_take_back() -> None:
    making = CharacterCreation(create)
    with pytest.raises(IllegalActionError, match="nothing to take back"):
        making.back()
    assert making.step == FOLK

    async def only_dice() -> int:
        return await d(6)

    thrown = CharacterCreation(only_dice, SeededDice(7))
    before = thrown.result
    with pytest.raises(IllegalActionError, match="nothing to take back"):
        thrown.back()
    assert thrown.result == before


def test_going_back_does_not_change_the_luck() -> None:
    making = CharacterCreation(create, SeededDice(7))
    making.follow({"folk": "tall", "stats": ["save"] * 6, "gift": "none"})
    first = [step for step in making.history if isinstance(step, RollStep)]
    making.back()
    assert making.step == GIFT
    making.answer("song")
    assert [step for step in making.history if isinstance(step, RollStep)] == first


def test_the_dice_of_a_roll_depend_on_the_rolls_before_it_alone() -> None:
    async def process() -> tuple[str, int, int]:
        taken = await choose_step(FOLK, "which?", [CreationOption("short"), CreationOption("long")])
        if taken.id == "long":
            await choose_step(FOLK, "sure?", [CreationOption("yes"), CreationOption("no")])
        return taken.id, await d(1000), await d(1000)

    for seed in range(5):
        short, long = CharacterCreation(process, SeededDice(seed)), CharacterCreation(process, SeededDice(seed))
        short.answer("short")
        long.follow({"folk": ["long", "yes"]})
        assert short.result[1:] == long.result[1:]
        assert short.result[1] != short.result[2]


def test_a_process_that_refuses_leaves_everything_as_it_was() -> None:
    async def strict() -> str:
        await choose_step(FOLK, "which?", [CreationOption("a"), CreationOption("b")])
        taken = await choose_step(GIFT, "what?", [CreationOption("c"), CreationOption("d")])
        if taken.id == "c":
            raise IllegalActionError("c is taken", rule="coinfolk.gift.one")
        return taken.id

    making = CharacterCreation(strict)
    making.answer("a")
    before = state(making)
    with pytest.raises(IllegalActionError, match="c is taken"):
        making.answer("c")
    assert state(making) == before
    making.answer("d")
    assert making.result == "d"


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (["huge"], 'unknown option "huge"'),
        ([(3,)], "no roll is asked for now"),
        (["tall", *["save"] * 6, "spark"], "needs wits 3"),
        (["tall", *["save"] * 6, "none", (9,)], "d6 shows"),
        (["tall", *["save"] * 6, "none", (2,), "x"], "goes on after the character is made"),
    ],
)
def test_records_that_do_not_fit(record: list[Any], problem: str) -> None:
    with pytest.raises(TablewrightError, match=problem):
        CharacterCreation(create, record=record)


def test_answers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creation, "MOST_ANSWERS", 3)
    making = CharacterCreation(create)
    with pytest.raises(TablewrightError, match="does not end: more than 3 answers"):
        making.follow({"folk": "tall", "stats": ["brawn"] * 4})
    with pytest.raises(InvalidInputError, match="at most 3 answers"):
        CharacterCreation(create, record=["tall", "brawn", "brawn", "brawn"])


# ---------------------------------------------------------------------- the other ways


@given(st.integers(0, 2**64))
def test_random_characters_are_legal_and_repeatable(seed: int) -> None:
    made = at_random(create, SeededDice(seed))
    assert legality(made).explain() == "within the rules"
    assert at_random(create, SeededDice(seed)) == made


def test_random_characters_are_various() -> None:
    made = [at_random(create, SeededDice(seed, "creation")) for seed in range(300)]
    assert {one.folk for one in made} == {"tall", "small"}
    assert {one.gift for one in made} == {"none", "spark", "song"}
    assert {one.fate for one in made} == {1, 2, 3, 4, 5, 6}
    assert 110 < sum([one.folk == "tall" for one in made]) < 190


def test_random_with_some_answers_named() -> None:
    for seed in range(20):
        made = at_random(create, SeededDice(seed), {"folk": "small", "stats": ["wits", "wits"]})
        assert made.folk == "small"
        assert made.stats["wits"] >= 3


def test_answers_named_beforehand() -> None:
    making = CharacterCreation(create, SeededDice(1))
    making.follow({"folk": "tall", "stats": ["brawn", "save"]})
    assert making.step == RAISE
    assert making.budget is not None
    assert making.budget.spent == 2
    making.follow({"raise what?": ["save"] * 4})
    assert making.step == GIFT
    with pytest.raises(InvalidInputError, match=r'gfit: "song" was never asked for; did you mean "gift"'):
        making.follow({"gfit": "song"})
    with pytest.raises(IllegalActionError, match="needs wits 3"):
        making.follow({"gift": ["spark"]})


def test_from_a_file(tmp_path: Path) -> None:
    character = Coiner(name="Bo", stats=Ranks({"brawn": 4, "wits": 1}))
    path = tmp_path / "bo.yaml"
    write_character(path, character)
    assert from_file(path, Coiner).character == character


def test_making_characters_needs_no_file_libraries() -> None:
    modules = "creation, sheet, legality, belongings"
    program = f"import sys\nfrom tablewright.game.character import {modules}\n"
    program += "print({'pydantic', 'yaml'} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ran.stdout == "set()\n"


# ---------------------------------------------------------------------- the words


def test_budgets() -> None:
    budget = Budget("points", 5, rule="coinfolk.creation.points")
    assert CreationOption("free").cost == Budget("points", 5).spent == 0
    assert budget.spend(2).spend(3).left == 0
    assert budget.spend(2).spend(-1).left == 4
    with pytest.raises(
        IllegalActionError, match=r"points: costs 6, 1 more than is left \[coinfolk\.creation\.points\]"
    ):
        budget.spend(6)


def test_pick_closes_what_is_too_dear_and_keeps_other_reasons() -> None:
    asked = choose_step(
        RAISE,
        "what?",
        [CreationOption("a", cost=1), CreationOption("b", cost=9), CreationOption("c"), DONE],
        budget=Budget("points", 1),
        closed=[ClosedOption("c", "not at sea", "coinfolk.sea")],
        shown={"wits": 3},
        seat="player",
    )
    assert asked.ids == ("a", "done")
    assert {shut.id: shut.reason for shut in asked.closed} == {"b": "costs 9, 8 more than is left", "c": "not at sea"}
    assert asked.details["shown"] == {"wits": 3}
    assert asked.seat == "player"


# ---------------------------------------------------------------------- points over ranks


TRIANGLE = Spread("points", 7, "demo.points", least=1, most=4, free=1, cost=lambda name, rank: rank)


def spreading(points: Spread, names: tuple[str, ...] = ("brawn", "wits")) -> CharacterCreation[dict[str, int]]:
    async def create() -> dict[str, int]:
        return await spread(Step("ranks", "Ranks"), "raise which?", names, points)

    return CharacterCreation(create)


def test_points_are_spread_step_by_step_at_their_cost() -> None:
    making = spreading(TRIANGLE)
    assert making.budget == Budget("points", 7, 0, "demo.points")
    making.answer("wits")
    assert (making.budget.left, [(offer.id, offer.cost) for offer in making.options]) == (
        5,
        [("brawn", 2), ("wits", 3)],
    )
    making.answer("wits")  # 2 are left: only brawn can be paid for, and no one needs to be asked
    assert making.result == {"brawn": 2, "wits": 3}
    assert TRIANGLE.spent(making.result) == 7


def test_a_full_rank_is_closed_and_what_nobody_can_pay_is_left() -> None:
    making = spreading(Spread("points", 9, "demo.points", most=2, cost=lambda name, rank: 2))
    for name in ("wits", "wits"):
        making.answer(name)
    assert making.result == {"brawn": 2, "wits": 2}  # the cap leaves a point
    three = spreading(Spread("points", 3, "demo.points", most=1), ("a", "b", "c", "d"))
    three.answer("b")
    assert [(closed.id, closed.reason, closed.rule) for closed in three.closed] == [
        ("b", "1 is the most", "demo.points")
    ]


def test_points_may_be_left_over_and_raised_in_larger_steps() -> None:
    making = spreading(Spread("percent", 30, "demo.points", most=25, all_spent=False, steps=(1, 10)))
    assert [offer.id for offer in making.options] == ["brawn+1", "brawn+10", "wits+1", "wits+10", "done"]
    making.follow({"ranks": ["wits+10", "wits+10"]})
    assert [closed.reason for closed in making.closed] == ["25 is the most"]
    making.follow({"ranks": ["wits+1", "done"]})
    assert making.result == {"brawn": 0, "wits": 21}


@pytest.mark.parametrize(
    ("points", "ranks", "later", "problems"),
    [
        (TRIANGLE, {"brawn": 2, "wits": 3}, 0, []),
        (TRIANGLE, {"brawn": 2, "wits": 2}, 0, ["ranks: 4 of 7 spent: 3 are left [demo.points]"]),
        (TRIANGLE, {"brawn": 3, "wits": 3}, 0, ["ranks: 10 spent, there are 7: 3 too many [demo.points]"]),
        (TRIANGLE, {"brawn": 3, "wits": 3}, 3, []),
        (replace(TRIANGLE, all_spent=False), {"brawn": 2, "wits": 2}, 0, []),
        (
            replace(TRIANGLE, total=9),
            {"brawn": 1, "wits": 5},
            0,
            [
                "ranks.wits: 5 is out of range, allowed are 1 to 4 [demo.points]",
                "ranks: 14 spent, there are 9: 5 too many [demo.points]",
            ],
        ),
        (
            replace(TRIANGLE, least=-1, free=1),
            {"brawn": -1, "wits": 3},
            0,
            ["ranks: 4 of 7 spent: 3 are left [demo.points]"],
        ),
    ],
)
def test_finished_ranks_are_judged_by_the_same_costs(
    points: Spread, ranks: dict[str, int], later: int, problems: list[str]
) -> None:
    assert [str(found) for found in points.problems("ranks", ranks, later)] == problems


@given(st.integers(0, 40), st.integers(1, 6), st.integers(0, 2), st.integers(0, 2**32))
def test_random_spending_is_legal_unless_points_could_not_be_spent(total: int, most: int, free: int, seed: int) -> None:
    points = Spread("points", total, "demo.points", most=most, free=free, cost=lambda name, rank: 1 + rank % 2)

    async def create() -> dict[str, int]:
        return await spread(Step("ranks", "Ranks"), "raise which?", ("a", "b", "c"), points)

    ranks = at_random(create, SeededDice(seed, "creation"))
    left = total - points.spent(ranks)
    assert left >= 0
    assert replace(points, total=total - left).problems("ranks", ranks) == ()
    assert all(rank == most or points.cost("a", rank + 1) > left for rank in ranks.values())


# ---------------------------------------------------------------------- in one's own words


def telling() -> CharacterCreation[str]:
    async def create() -> str:
        offers = [CreationOption("avenge", "To avenge a death", value="To avenge a death")]
        told = await choose_step(Step("why", "Why"), "what drives you?", offers, own_words=True)
        return str(told.value)

    return CharacterCreation(create)


def test_a_question_can_be_answered_in_your_own_words() -> None:
    making = telling()
    assert making.to_json()["own_words"]
    making.answer("The smell of the sea.")
    assert making.result == "The smell of the sea."
    again = CharacterCreation(making._start, record=making.draft_record)
    assert again.result == making.result
    making.back()
    assert [offer.id for offer in making.options] == ["avenge"]
    making.answer("avenge")
    assert making.result == "To avenge a death"


@pytest.mark.parametrize("wrong", ["", "   ", "x" * 201])
def test_own_words_are_some(wrong: str) -> None:
    making = telling()
    with pytest.raises(InvalidInputError):
        making.answer(wrong)
    assert [offer.id for offer in making.options] == ["avenge"]


def test_own_words_may_resemble_an_option_and_are_one_only_but_for_their_case() -> None:
    making = telling()
    making.answer("avenged")
    assert making.result == "avenged"
    making.back()
    making.answer(" Avenge ")
    assert making.result == "To avenge a death"
    assert CharacterCreation(making._start, record=("AVENGE",)).result == making.result
