"""Making characters: step by step and back, in your own words, with points, experienced ones, and at random."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.people import (
    LEDGER,
    OPTIONS,
    C,
    budget,
    closed,
    library,
    making,
    offered,
    person,
    random_character,
    rows,
)
from tablewright.dice import SeededDice, TypedDice
from tablewright.engine import Choice, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.character import Frozen
from tablewright.game.character.creation import CharacterCreation
from tablewright.systems.opend6.character.costs import spent
from tablewright.systems.opend6.character.figures import items
from tablewright.systems.opend6.character.record import Attributes, OpenD6Character, Specialisation
from tablewright.systems.opend6.content import ATTRIBUTES, Ammunition, Armour, Calling, Weapon
from tablewright.systems.opend6.creation import STEPS
from tablewright.systems.opend6.legality import legality
from tablewright.systems.opend6.mechanics.checks import body_points as rolled_body_points
from tablewright.systems.opend6.options import OpenD6Options

POINTS = OpenD6Options(creation_method="creation_points")
HEDDA: dict[str, Any] = {
    "which calling?": "monster_slayer",
    "which ability?": "done",
    "how many dice for specialisations?": "0D",
    "raise which skill?": [
        "melee_combat+3", "melee_combat+3", "dodge+3", "stamina+3", "tracking+3", "mettle+3", "intimidation+3",
    ],
    "which moral code?": "heroic",
    "which small weapon?": "dagger",
    "which protection?": "padded_leather",
    "which tools?": "backpack_kit",
    "buy what?": ["long_sword", "small_shield", "done"],
}  # fmt: skip


def answered(
    making_: CharacterCreation[OpenD6Character], answers: dict[str, Any]
) -> CharacterCreation[OpenD6Character]:
    """Answer question after question as far as there are answers."""
    waiting = {question: [given] if isinstance(given, str) else list(given) for question, given in answers.items()}
    while isinstance(making_.question, Choice) and waiting.get(making_.question.question):
        making_.answer(waiting[making_.question.question].pop(0))
    return making_


def saying(making_: CharacterCreation[OpenD6Character], *words: str) -> CharacterCreation[OpenD6Character]:
    """Give one answer after the other."""
    for word in words:
        making_.answer(word)
    return making_


def at_random_with(answers: dict[str, Any], options: OpenD6Options = OPTIONS) -> OpenD6Character:
    """A character made with some answers, and at random where there are none."""
    steps = answered(making(options=options), answers)
    draws = SeededDice(3).fork("choices")
    while not steps.is_done:
        if isinstance(steps.question, Choice):
            ids = steps.question.ids
            steps.answer(ids[-1] if ids[-1] == "done" else ids[draws.below(len(ids))])
        else:
            steps.type_in([3] * 10)
    return steps.result


def is_legal(character: OpenD6Character, options: OpenD6Options = OPTIONS) -> bool:
    """True if a character is within the rules."""
    return not legality(character, options, library()).violations


# ---------------------------------------------------------------------- step by step


@pytest.mark.rule(
    "opend6.gap.creation.skill_dice", "opend6.gap.creation.equipment", "opend6.gap.creation.character_points"
)
def test_a_slayer_step_by_step() -> None:
    made = answered(making("Hedda"), HEDDA).result
    template = person("slayer")
    assert (made.attributes, made.skills) == (template.attributes, template.skills)
    assert (made.character_points, made.fate_points) == (5, 1)
    assert made.silver == 180 - 24 - 16
    assert {(one.item, one.place) for one in made.belongings} == {
        ("dagger", "hand"), ("padded_leather", "worn"), ("backpack_kit", "pack"),
        ("long_sword", "hand"), ("small_shield", "pack"),
    }  # fmt: skip
    assert is_legal(made)


@pytest.mark.rule("opend6.gap.creation.skill_dice", "opend6.gap.creation.extranormal_skills")
def test_the_way_back_and_what_is_closed() -> None:
    steps = answered(making("Hedda"), HEDDA | {"raise which skill?": ["melee_combat+3"]})
    assert steps.step is not None
    assert (STEPS[0].id, steps.step.id, budget(steps)) == ("calling", "skills", (21, 18))
    saying(steps, "melee_combat+3", "melee_combat+3")
    assert {one.id: one for one in steps.closed}["melee_combat+1"].rule == "opend6.gap.creation.skill_dice"
    with pytest.raises(IllegalActionError):
        steps.answer("melee_combat+3")
    steps.back()
    steps.answer("melee_combat+3")
    assert "alteration+1" not in offered(steps)  # no Extranormal attribute


@pytest.mark.rule("opend6.gap.creation.attribute_dice", "opend6.gap.creation.attribute_limits")
def test_your_own_attributes() -> None:
    steps = answered(
        making(), {"which calling?": "own", "which Extranormal attribute?": "magic", "how much Magic?": "2D"}
    )
    assert budget(steps) == (48, 30)
    saying(steps, *["agility+3"] * 4)
    assert {"agility+3", "agility+1"} <= set(closed(steps))  # 5D is the most
    saying(
        steps, *[f"{name}+3" for name in ("coordination", "physique", "intellect", "acumen", "charisma", "intellect")]
    )
    assert steps.step is not None
    assert steps.step.id == "options"
    rest = {
        "which ability?": "done",
        "how many dice for specialisations?": "1D",
        "raise which specialisation?": ["speaking: Elvish+3", "speaking: Elvish+3", "speaking: Elvish+3"],
        "raise which skill?": ["alteration+3", "alteration+3", "dodge+3", "dodge+3", "hide+3", "hide+3"],
        "which moral code?": "My own.",
        "which small weapon?": "dagger",
        "which protection?": "soft_leather",
        "which tools?": "backpack_kit",
        "buy what?": "done",
    }
    made = answered(steps, rest).result
    assert made.attributes == Attributes(
        agility=C("5D"), coordination=C("2D"), physique=C("2D"), intellect=C("3D"), acumen=C("2D"), charisma=C("2D"),
        extranormal=C("2D"),
    )  # fmt: skip
    assert made.skills["alteration"] == C("4D")
    assert made.specialisations == (Specialisation(skill="speaking", subject="Elvish", adds=C("3D")),)
    assert made.moral_code == "My own."
    assert is_legal(made)


@pytest.mark.rule("opend6.gap.creation.templates")
@each_case(("name", "pips"), rows("opend6.gap.creation.templates"))
def test_every_calling_brings_its_attributes(name: str, pips: Any) -> None:
    assert library().get(Calling, name).extranormal == {"cleric": "miracles", "wizard": "magic"}.get(name)
    made = at_random_with({"which calling?": name})
    assert [getattr(made.attributes, one).in_pips for one in (*ATTRIBUTES, "extranormal")] == list(pips)
    assert is_legal(made)


@pytest.mark.rule("opend6.gap.creation.disadvantages", "opend6.gap.ability.cost")
def test_abilities_advantages_and_disadvantages_cost_dice() -> None:
    steps = answered(making(), {"which calling?": "wanderer", "which ability?": ["hardiness", "hardiness"]})
    assert budget(steps)[1] == 5  # one for the first rank, one for the second
    steps.answer("disadvantage:Enemy")
    assert budget(steps)[1] == 7
    saying(steps, "fast_reactions", "increased_attribute", "agility", "advantage:Patron")
    assert budget(steps)[1] == 0
    assert "skill_bonus" in closed(steps)
    steps.answer("done")
    made = answered(steps, HEDDA | {"raise which skill?": []}).result
    assert made.skills == Frozen()
    assert is_legal(made)


@pytest.mark.rule("opend6.gap.creation.body_points", "opend6.gap.wound.injury_system")
def test_body_points_are_rolled_where_they_are_in_use() -> None:
    assert random_character(1).body_points is None
    for system in ("body_points", "body_points_with_levels"):
        steps = answered(making(options=OpenD6Options(injury_system=system)), HEDDA)
        assert steps.question is not None
        steps.type_in([1, 4, 6])
        assert steps.result.body_points == 20 + 11 + 2  # Physique 3D+2
    (example,) = LEDGER["opend6.gap.creation.body_points"].examples
    given = example["given"]
    rolled = play(rolled_body_points(C(given["physique"])), TypedDice([given["wild"], *given["dice"]])).result
    assert rolled == example["expect"]["body_points"] == 32  # 3D+1 rolled 4, 6, and a 1 on the Wild Die


@pytest.mark.rule("opend6.gap.creation.equipment")
def test_the_usual_equipment_stands_first_and_everything_small_after_it() -> None:
    until = {question: given for question, given in HEDDA.items() if question != "which small weapon?"}
    steps = answered(making(), until)
    data = LEDGER["opend6.gap.creation.equipment"].data
    assert offered(steps)[0] == data["default"][0]
    assert set(offered(steps)) == {one.id for one in library().of(Weapon) if one.small} == set(data["small_weapons"])
    assert {one.id for one in library().of(Armour) if one.small} == set(data["little_protection"])


# ---------------------------------------------------------------------- in your own words


@pytest.mark.rule("opend6.gap.creation.specialisations", "opend6.gap.creation.skill_limits")
def test_all_dice_may_go_into_specialisations_of_any_subject() -> None:
    made = making("Ann")
    made.follow({"calling": "wanderer", "options": "done"})
    assert offered(made) == [f"{dice}D" for dice in range(8)]
    made.answer("1D")
    assert budget(made)[0] == 9
    saying(made, "new", "tracking", "  wild   beasts", "tracking: wild beasts+3", "tracking: wild beasts+3")
    assert closed(made)["tracking: wild beasts+9"] == "9 is the most"
    saying(made, "new", "tracking")
    assert closed(made)["wild beasts"] == "is there already"
    with pytest.raises(InvalidInputError, match="60 letters are the most, these are 61"):
        made.answer("x" * 61)
    saying(made, "x" * 60, "speaking: Elvish+3")
    assert made.step is not None
    assert (made.step.id, budget(made)[0]) == ("skills", 18)


@pytest.mark.rule("opend6.gap.creation.disadvantages")
def test_advantages_and_disadvantages_in_your_own_words() -> None:
    made = making("Ann")
    made.follow({"calling": "wanderer"})
    saying(made, "disadvantage", "Hunted by the moon", "8")
    assert budget(made) == (15, 15)
    assert "disadvantage:Enemy" not in closed(made)
    saying(made, "disadvantage", "Vain")
    assert offered(made) == ["1", "2"]
    made.answer("1")
    assert closed(made)["disadvantage:Enemy"] == "at most 10 ranks of disadvantages"
    made.answer("disadvantage:Debt")
    assert closed(made)["disadvantage"] == "at most 10 ranks of disadvantages"
    saying(made, "advantage", "Friend of crows")
    assert offered(made) == [str(rank) for rank in range(1, 11)]
    made.answer("10")
    assert budget(made)[1] == 7
    saying(made, "advantage", "Wealth")
    assert offered(made) == [str(rank) for rank in range(1, 8)]


# ---------------------------------------------------------------------- with Creation Points


@pytest.mark.rule("opend6.gap.creation.points")
def test_with_creation_points() -> None:
    own = {"which calling?": "own", "disadvantages for more points?": "done"}
    steps = answered(making(options=POINTS), own)
    assert budget(steps)[0] == 79
    assert {one.id: one.cost for one in steps.options}["15D"] == 60
    saying(steps, "15D", "none", *[f"{name}+3" for name in ("agility", "coordination", "physique") * 3])
    assert budget(steps)[0] == 79 - 60  # for skills and the like
    least = answered(making(options=POINTS), own | {"how many attribute dice?": "6D"})
    assert least.step is not None
    assert least.step.id == "options"  # no dice are left for an Extranormal attribute, so that is settled
    one_more = answered(making(options=POINTS), own | {"how many attribute dice?": "7D"})
    assert set(offered(one_more)) == {"none", "magic", "miracles"}
    made = at_random_with({"which calling?": "wanderer"}, POINTS)
    assert (made.method, spent(made, library()).points()) == ("creation_points", 79)
    assert is_legal(made, POINTS)


@pytest.mark.rule("opend6.gap.creation.points", "opend6.gap.creation.disadvantages")
def test_the_points_of_disadvantages_reach_attributes() -> None:
    made = making("Ann", options=POINTS)
    saying(made, "own", "more", "Vain", "9", "more", "Hunted")  # one rank is left, so that it is not asked
    assert budget(made)[0] == 89
    assert offered(made)[-1] == "22D"
    names = ("agility", "coordination", "physique", "intellect")
    saying(made, "22D", "none", *[f"{name}+3" for name in names * 4])
    assert budget(made)[1] == 1  # 89 points less 88 for the attributes
    assert closed(made)["disadvantage"] == "at most 10 ranks of disadvantages"


@pytest.mark.rule("opend6.gap.creation.disadvantages", "opend6.gap.creation.experienced")
@pytest.mark.parametrize(("years", "most"), [(0, 10), (1, 20), (2, 30)])
def test_disadvantages_in_your_own_words_come_to_an_end(years: int, most: int) -> None:
    steps = answered(making(options=POINTS, years=years), {"which calling?": "wanderer"})
    taken = 0
    while "disadvantage" in offered(steps) and taken <= most:
        saying(steps, "disadvantage", f"fear of {taken}")
        taken += int(offered(steps)[-1])
        steps.answer(offered(steps)[-1])
    assert taken == most
    assert "disadvantage" in closed(steps)
    assert budget(answered(making(options=POINTS, years=years), {"which calling?": "own"}))[0] == most


@pytest.mark.rule("opend6.gap.creation.attribute_limits", "opend6.gap.creation.experienced")
def test_an_extranormal_attribute_holds_what_the_others_cannot() -> None:
    made = saying(making("Ann", options=POINTS, years=4), "own", "more", "Vain", "10", "done")
    assert offered(made)[-1] == "37D"
    made.answer("30D")
    assert "none" in offered(made)
    made.back()
    made.answer("31D")
    assert offered(made) == ["magic", "miracles"]
    made.answer("magic")
    assert offered(made)[0] == "1D"


# ---------------------------------------------------------------------- experienced and at random


@pytest.mark.rule(
    "opend6.gap.creation.experienced", "opend6.gap.creation.skill_dice", "opend6.gap.creation.fate_points"
)
@each_case(
    ("years", "part", "dice", "points", "fate"),
    [(0, 0, 7, 5, 1), (1, 0, 22, 20, 3), (0, 1, 15, 13, 2), (2, 1, 45, 43, 6)],
)
def test_experienced_characters(years: int, part: int, dice: int, points: int, fate: int) -> None:
    one = random_character(5, years=years, part_time_years=part)
    assert spent(one, library()).skill_dice() == dice * 3
    assert (one.character_points, one.fate_points) == (points, fate)
    assert is_legal(one)


@pytest.mark.rule("opend6.gap.creation.equipment", "opend6.gap.equipment.prices")
@each_case("seed", range(15))
def test_characters_drawn_at_random_are_legal_and_can_use_what_they_have(seed: int) -> None:
    options = (OPTIONS, POINTS)[seed % 2]
    made = random_character(seed, options, years=(0, 0, 0, 1, 2)[seed % 5])
    assert legality(made, options, library()).explain() == "within the rules"
    assert seed or made == random_character(seed, options), "one seed makes one character"
    owned = {one.item for one in made.belongings}
    things = [items(library())[name] for name in owned]
    shot = {one.ammunition for one in things if isinstance(one, Weapon) and one.ammunition}
    assert shot == {one.id for one in things if isinstance(one, Ammunition)}
    suits = [one.shield for one in things if isinstance(one, Armour)]
    assert max(suits.count(True), suits.count(False)) < 2
    assert made.silver >= 0
