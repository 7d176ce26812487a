"""Making characters: scores by every method, background, terms with typed dice, ageing, arms; and their legality."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from each_case import each_case
from systems.marchen.people import OPTIONS, book, data, library, options, somebody, template
from systems.playing import examples
from tablewright.dice import SeededDice
from tablewright.engine import Roll, odds
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.creation import CharacterCreation, at_random
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.marchen.character.costs import (
    study_skill,
    study_specialization,
    with_skill_at_zero,
    years_studied,
    years_to_study,
)
from tablewright.systems.marchen.character.figures import score, skill_from_mastery
from tablewright.systems.marchen.character.record import (
    Advance,
    Change,
    Condition,
    MarchenCharacter,
    Served,
    Specialization,
)
from tablewright.systems.marchen.character.scores import ARRAY
from tablewright.systems.marchen.content import Armour, Career, Weapon
from tablewright.systems.marchen.creation import (
    EXTRA_PICK_FROM,
    MOST_SPECIALIZED,
    MOST_TERMS,
    PICKS,
    TERM,
    USUAL_TERMS,
    background_skills,
    can_use,
    raisable,
)
from tablewright.systems.marchen.mechanics.tasks import rolled_score, score_of_roll
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import CHARACTERISTICS, SCORES

METHODS = ("array", "roll", "narrative", "points", "npc")
PLACED = ["physical", "muscle", "agility", "stamina", "identity", "mental", "reasoning", "skepticism", "mystery"]
BACKGROUND = ["unarmed_combat", "stealth", "perception", "life_sciences", "etiquette", "intimidation", "deception"]


def starts(using: MarchenOptions = OPTIONS, **given: Any) -> Callable[[], Any]:
    """The start of a creation."""

    def start() -> Any:
        scene = Scene(system="marchen", options=using, library=library())
        return book().create.read(
            Game(scene, book()), {"name": "Ann", **{key: str(value) for key, value in given.items()}}
        )

    return start


def made(
    answers: Mapping[str, Sequence[str]],
    dice: Sequence[Sequence[int]] = (),
    using: MarchenOptions = OPTIONS,
    **given: Any,
) -> MarchenCharacter:
    """A character by named answers and typed dice."""
    making = CharacterCreation(starts(using, **given))
    waiting = {step: list(names) for step, names in answers.items()}
    thrown = [list(faces) for faces in dice]
    while not making.is_done:
        if isinstance(making.question, Roll):
            making.type_in(thrown.pop(0))
        else:
            assert making.step is not None
            making.answer(waiting[making.step.id].pop(0))
    assert not thrown
    assert not any(waiting.values())
    return making.result  # type: ignore[no-any-return]


BASE = {"scores": PLACED, "background": BACKGROUND, "arms": ["jack", "done"]}


def rules_of(character: MarchenCharacter, using: MarchenOptions = OPTIONS) -> tuple[str, ...]:
    """The rules that a character breaks."""
    return book().legality(character, using, library()).rules


# ---------------------------------------------------------------------- scores


@pytest.mark.rule("marchen.gap.generation.array")
def test_the_array_is_placed_in_any_order() -> None:
    row = data("marchen.gap.generation.array")
    assert row["scores"] == ARRAY
    assert sum(ARRAY) == row["sum"]
    one = made(BASE, terms=0)
    assert sorted([getattr(one.scores, name) for name in SCORES]) == sorted(ARRAY)
    assert (one.scores.physical, one.scores.identity, one.scores.mental, one.scores.mystery) == (3, 2, -1, -2)
    assert rules_of(one) == ()
    wrong = one.changed(scores=one.scores.changed(physical=4))
    assert rules_of(wrong) == ("marchen.gap.generation.array",)


@pytest.mark.rule("marchen.gap.generation.roll")
def test_rolled_scores() -> None:
    using, rule = options(generation="roll"), "marchen.gap.generation.roll"
    for total, expected in data(rule).items():
        assert score_of_roll(int(total)) == expected
    assert 0 not in odds(rolled_score()).outcomes
    dice = [[8, 8, 8, 7, 1]] + [[5, 5, 4, 4, 1]] * 15
    answers: dict[str, Sequence[str]] = {"scores": list(SCORES[:15]), "background": BACKGROUND, "arms": ["done"]}
    one = made(answers, dice, using, terms=0)
    assert (one.scores.physical, one.scores.mental, one.rolled[:2]) == (4, 1, (4, 1))
    assert rules_of(one, using) == ()
    assert rules_of(one.changed(scores=one.scores.changed(mental=2)), using) == (rule,)
    for rolled in ((0, *one.rolled[1:]), one.rolled[1:]):
        assert rule in rules_of(one.changed(rolled=rolled), using)


@pytest.mark.rule("marchen.gap.generation.narrative")
def test_scores_from_a_story() -> None:
    using, rule = options(generation="narrative"), "marchen.gap.generation.narrative"
    steps = ["physical", "muscle", "mental", "faith", "stamina", "agility", "physical", "muscle", "stamina"]
    one = made({"scores": steps, "background": BACKGROUND, "arms": ["done"]}, using=using, terms=0)
    found = one.scores
    assert (found.physical, found.muscle, found.mental, found.faith) == (4, 3, -2, -1)
    assert (found.stamina, found.agility, found.social) == (1, 0, 1)
    apart = found.changed(stamina=0, social=2)  # three rose and two others fell
    for scores, broken in (
        (found, ()),
        (found.changed(social=2), (rule,)),
        (apart, ()),
        (apart.changed(spiritual=2, identity=0), (rule,)),
    ):
        assert rules_of(one.changed(scores=scores), using) == broken
    making = CharacterCreation(starts(using, terms=0))
    for name in ("physical", "muscle"):
        making.answer(name)
    with pytest.raises(IllegalActionError, match="already"):
        making.answer("physical")


@pytest.mark.rule("marchen.gap.generation.points")
def test_bought_scores() -> None:
    using, row = options(generation="points"), data("marchen.gap.generation.points")
    making = CharacterCreation(starts(using, terms=0))
    for step in ["mental-", "mental-", "social-"]:
        making.answer(step)
    assert making.budget is not None
    assert making.budget.total == row["points"] + 3
    for step in ("mental-", "mental+"):
        with pytest.raises(IllegalActionError, match=r"marchen\.gap\.generation\.points"):
            making.answer(step)
    for step in (
        ["muscle+"] * 3 + ["agility+"] * 3 + ["stamina+"] * 3 + ["physical+"] * 3 + ["faith+"] * 3 + ["acuity+"]
    ):
        making.answer(step)
    with pytest.raises(IllegalActionError, match="3 is the most"):
        making.answer("muscle+")
    for step in ("spiritual-", "manners-"):
        making.answer(step)
    with pytest.raises(IllegalActionError, match="4 scores are lowered already"):
        making.answer("identity-")
    for step in ("mystery+", "mystery+", "done"):
        making.answer(step)
    assert making.step is not None
    assert making.step.id == "background"
    fits = somebody(kind="character", generation="points", muscle=3, agility=3, stamina=3, physical=3, faith=1)
    assert rules_of(fits, using) == ()
    for wrong in ({"faith": 2}, {"faith": 0}, {"muscle": 4, "faith": 0}, {"mental": -3, "mystery": 3, "faith": 1}):
        changed = fits.changed(scores=fits.scores.changed(**wrong))
        assert rules_of(changed, using) == ("marchen.gap.generation.points",)
    five = fits.scores.changed(mental=-1, social=-1, spiritual=-1, reasoning=-1, manners=-1, mystery=3, acuity=2)
    assert rules_of(fits.changed(scores=five), using) == ("marchen.gap.generation.points",)


@pytest.mark.rule("marchen.gap.generation.npc", "marchen.gap.generation.cepheus")
def test_other_people_are_normal_and_two_dice_make_each_long_characteristic() -> None:
    row, answers = data("marchen.gap.generation.npc"), {"background": BACKGROUND[:6], "arms": ["done"]}
    for scale, names, normal in (("direct", SCORES, row["score"]), ("cepheus", CHARACTERISTICS, row["cepheus"])):
        using = options(generation="npc", score_scale=scale)
        one = made(answers, using=using, terms=0)
        assert {getattr(one.scores, name) for name in names} == {normal}
        assert rules_of(one, using) == ()
    using = options(score_scale="cepheus")
    one = made(answers, [[6, 6]] + [[4, 3]] * 11, using, terms=0)
    assert (one.scores.muscle, one.scores.mystery) == (12, 7)
    assert score(one, "physical", using).total == (12 + 7 + 7) // 3
    assert rules_of(one, using) == ()
    assert rules_of(one.changed(scores=one.scores.changed(muscle=13)), using) == ("marchen.gap.generation.cepheus",)


@pytest.mark.rule("marchen.gap.generation.method")
@pytest.mark.parametrize("method", METHODS)
def test_a_character_is_made_in_the_way_of_the_table(method: str) -> None:
    using = options(generation=method)
    one = at_random(starts(using), SeededDice(3))
    assert one.generation == method
    assert rules_of(one, using) == ()
    other = options(generation="array" if method != "array" else "points")
    assert "marchen.gap.generation.method" in rules_of(one, other)
    assert data("marchen.gap.generation.method")["values"] == METHODS
    assert rules_of(template("wolf"), other) == ()


@hypothesis.settings(max_examples=25, deadline=None)
@hypothesis.given(
    seed=st.integers(0, 10**9),
    method=st.sampled_from(METHODS),
    scale=st.sampled_from(["direct", "cepheus"]),
    core=st.sampled_from(["D10", "D20", "D100", "2d6", "3d6", "4d7", "8D4"]),
    terms=st.integers(0, 7),
)
def test_at_random_everybody_is_within_the_rules(seed: int, method: Any, scale: Any, core: Any, terms: int) -> None:
    using = options(generation=method, score_scale=scale, core=core)
    one = at_random(starts(using, terms=terms), SeededDice(seed))
    assert book().legality(one, using, library()).explain() == "within the rules"
    assert one.age == 18 + 4 * terms
    assert sum([served.terms for served in one.careers]) == terms
    suits = {item.id for item in library().of(Armour) if not item.shield}
    assert len([held for held in one.belongings if held.item in suits]) <= 1
    weapons = [item for item in library().of(Weapon) if can_use(one, item)]
    assert not weapons or any(held.item == item.id for held in one.belongings for item in weapons)
    assert at_random(starts(using, terms=terms), SeededDice(seed)) == one


# ---------------------------------------------------------------------- background and careers


@pytest.mark.rule("marchen.gap.career.background")
def test_background_skills() -> None:
    for given, expect in examples("marchen.gap.career.background"):
        assert background_skills(somebody(intellect=given["intellect"]), OPTIONS) == expect["skills"]
    one = made(BASE, terms=0, culture="Rhineland")
    row = data("marchen.gap.career.background")
    assert (one.age, one.home_tl, one.culture) == (row["age"], row["home_tl"], "Rhineland")
    assert dict(one.skills) == dict.fromkeys(BACKGROUND, 0)
    making = CharacterCreation(starts(terms=0))
    making.follow({"scores": PLACED})
    making.answer("stealth")
    with pytest.raises(IllegalActionError, match="known already"):
        making.answer("stealth")


SOLDIER = {
    **BASE,
    "career": ["soldier"],
    "study": ["melee_combat", "specialize:melee_combat", "Broadsword"],
    "benefit": ["treasure"],
}


@pytest.mark.rule("marchen.gap.career.terms", "marchen.gap.career.study", "marchen.gap.career.check")
def test_a_term() -> None:
    # melee combat: 3 + 2 + 1 = 6; a roll of 2 has effect 0
    one = made(SOLDIER, [[1, 1]], terms=1)
    assert (one.age, one.careers[0].terms, one.careers[0].rank) == (22, 1, 1)
    assert one.skills["melee_combat"] == 1
    assert {one.skills[skill] for skill in ("ranged_combat", "athletics", "ruggedness", "leadership")} == {0}
    assert [(special.name, special.level, special.tl) for special in one.specializations] == [("Broadsword", 1, 2)]
    assert one.treasure == 3 + 2 + 1
    assert rules_of(one) == ()
    assert made(SOLDIER, [[2, 2]], terms=1).skills["athletics"] == 0  # effect 2: sigma 1
    further = made({**SOLDIER, "study": [*SOLDIER["study"], "athletics"]}, [[3, 2]], terms=1)  # effect 3: sigma 2
    assert (further.skills["athletics"], further.careers[0].rank) == (1, 1)


LOW = options(core="D20")


@pytest.mark.rule("marchen.gap.career.check")
@pytest.mark.parametrize(
    ("face", "rank", "treasure"),
    [(5, 1, 6), (4, 0, 5), (3, 0, 5), (1, 0, 5)],
    ids=["tie", "fail in style", "minor fail", "fail"],
)
def test_a_plain_failure_has_the_benefit_without_the_rank(face: int, rank: int, treasure: int) -> None:
    one = made(SOLDIER, [[face]], LOW, terms=1)
    assert (one.careers[0].rank, one.treasure) == (rank, treasure)


@pytest.mark.rule("marchen.gap.career.check")
def test_costly_and_catastrophic_terms() -> None:
    talker = ["social", "manners", "personality", "identity", "faith", "physical", "muscle", "reasoning", "mystery"]
    weak = {**BASE, "scores": talker, "career": ["soldier"], "study": ["athletics", "ranged_combat"]}
    # melee combat: -1 -1 + 0 = -2
    costly = made({**weak, "benefit": []}, [[4]], LOW, terms=1)  # 4 - 2 - 11 = -9
    assert (costly.treasure, costly.careers[0].rank, costly.careers[0].mishap) == (3, 0, False)
    scarred = made({**weak, "career": ["soldier", "physical"]}, [[3]], LOW, terms=1)
    assert scarred.careers[0].mishap
    assert scarred.wounds.conditions == (Condition(name="physical scar", aspect="physical", permanent=True),)
    assert scarred.traits == ("physical scar",)
    assert (scarred.treasure, rules_of(scarred)) == (3, ())
    making = CharacterCreation(starts(LOW, terms=2))
    making.follow({"scores": talker, "background": BACKGROUND, "career": "soldier", "study": weak["study"]})
    making.type_in([3])
    making.answer("social")
    with pytest.raises(IllegalActionError, match="ended by a mishap"):
        making.answer("soldier")


@pytest.mark.rule("marchen.gap.career.benefits")
def test_benefits() -> None:
    row = data("marchen.gap.career.benefits")
    twice = {**SOLDIER, "career": ["soldier"] * 2, "study": [*SOLDIER["study"], "athletics", "ruggedness"]}

    def brought(*benefits: str) -> MarchenCharacter:
        return made({**twice, "benefit": benefits}, [[1, 1], [1, 1]], terms=2)

    one = brought("connection", "old captain", "score", "muscle")
    assert one.connections == {"old captain": row["connection"]}
    assert (score(one, "muscle", OPTIONS).total, one.careers[0].raised) == (2 + row["score"], "muscle")
    assert brought("treasure", "treasure").treasure == 3 + (row["treasure"] + 1) + (row["treasure"] + 2)
    assert brought("connection", "Hildebrand the smith", "treasure").connections == {"Hildebrand the smith": 1}
    assert set(raisable(one, library().get(Career, "soldier"), OPTIONS)) == {"agility", "stamina"}
    making = CharacterCreation(starts(terms=2))
    making.follow({"scores": PLACED, "background": BACKGROUND, "career": "soldier", "study": SOLDIER["study"]})
    making.type_in([1, 1])
    making.follow({"benefit": ["score", "agility"], "career": "soldier", "study": ["athletics", "ruggedness"]})
    making.type_in([1, 1])
    with pytest.raises(IllegalActionError, match="raised in this career already"):
        making.answer("score")


@pytest.mark.rule("marchen.gap.career.ageing")
def test_ageing() -> None:
    row = data("marchen.gap.career.ageing")
    study = ["melee_combat", "athletics", "ruggedness", "leadership", *["specialize:athletics", "Running"] * 3]
    study += ["specialize:athletics", "Climbing"]
    four = {**BASE, "career": ["soldier"] * 4, "study": study, "benefit": ["treasure"] * 4}
    # stamina 2, routine +2, less 4 terms: effect is the roll less 8
    for faces, chosen, lost in (
        ([4, 4], [], []),
        ([4, 3], ["agility"], ["agility"]),
        ([1, 1], [], ["muscle", "agility", "stamina"]),
    ):
        one = made({**four, "ageing": chosen}, [*[[1, 1]] * 4, faces], terms=4)
        assert (one.age, rules_of(one)) == (row["from"], ())
        assert [(change.what, change.value) for change in one.changes] == [(name, -1) for name in lost]


@pytest.mark.rule("marchen.gap.career.muster_out")
def test_mustering_out() -> None:
    row = data("marchen.gap.career.muster_out")
    one = made({**SOLDIER, "arms": ["sword", "shield", "mail", "dagger", "done"]}, [[1, 1]], terms=1)
    assert one.supply == row["supply"]
    places = {carried.item: carried.place for carried in one.belongings}
    assert places == {"sword": "hand", "shield": "hand", "mail": "worn", "dagger": "pack", row["clothing"]: "worn"}
    making = CharacterCreation(starts(terms=0))
    making.follow({"scores": PLACED, "background": BACKGROUND})
    closed = {entry.id: entry.reason for entry in making.closed}
    assert "cannot be used without its skill" in closed["sword"]
    assert "technology level 4" in closed["revolver"]
    making.answer("jack")
    with pytest.raises(IllegalActionError, match="taken already"):
        making.answer("jack")
    for able, fields, item in (
        (True, {"skills": {"melee_combat": 0}}, library().get(Weapon, "sword")),
        (False, {}, library().get(Weapon, "sword")),
        (False, {"skills": {"unarmed_combat": 2}}, library().get(Weapon, "bite")),
        (False, {"home_tl": 6}, library().get(Armour, "mesh")),
        (True, {"home_tl": 7}, library().get(Armour, "mesh")),
    ):
        assert can_use(somebody(**fields), item) is able


@pytest.mark.rule("marchen.gap.career.list")
def test_a_mystic_chooses_three_spiritual_skills_and_gnosis_or_order() -> None:
    answers = {
        **BASE,
        "career": ["mystic", "arcana", "gnosis", "chaos"],  # of gnosis and order only one is left
        "study": ["arcana", "specialize:arcana", "Fire"],
        "benefit": ["treasure"],
    }
    one = made({**answers, "arms": ["done"]}, [[4, 3]], terms=1)
    assert one.careers[0].skills == ("arcana", "gnosis", "chaos", "order", "insight", "traditions")
    assert one.skills["arcana"] == 1


@pytest.mark.rule("marchen.gap.career.years", "marchen.advancement.study_time")
def test_years_of_study_are_limited() -> None:
    for given, expect in examples("marchen.gap.career.years"):
        assert years_to_study(given["age"]) == expect["years"]
    one = somebody(age=10, skills={"stealth": 1, "arcana": 0}, specials=[("stealth", "Shadowing", 3)])
    assert years_studied(one) == 4 + 2 + 6
    assert years_studied(somebody(skills={"stealth": 3})) == 4
    few = with_skill_at_zero(somebody(age=8), ["stealth", "arcana", "adept"])
    assert dict(few.skills) == {"stealth": 0, "arcana": 0}
    soldier = template("soldier")
    assert rules_of(soldier.changed(age=24)) == ("marchen.gap.career.years", "marchen.gap.career.terms")


# ---------------------------------------------------------------------- study


@pytest.mark.rule("marchen.specialization.study", "marchen.specialization.master_bonus")
def test_after_level_one_study_goes_into_specializations_and_mastery_lifts_the_skill() -> None:
    one = study_skill(study_skill(somebody(), "stealth"), "stealth")
    assert one.skills["stealth"] == 1
    with pytest.raises(IllegalActionError, match=r"marchen\.specialization\.study"):
        study_skill(one, "stealth")
    for name in ("Shadowing", "Hiding"):
        one = study_specialization(one, "stealth", name, OPTIONS)
    assert [(special.name, special.level) for special in one.specializations] == [("Shadowing", 1), ("Hiding", 1)]
    assert one.skills["stealth"] == 1
    for given, expect in examples("marchen.specialization.master_bonus"):
        arts = [f"Art {number}" for number in range(given["specializations_at_4"])]
        one = somebody(skills={"stealth": 1}, specials=[("stealth", art, 3) for art in arts])
        for art in arts:
            one = study_specialization(one, "stealth", art, OPTIONS)
        assert one.skills["stealth"] == expect["skill_level"] == skill_from_mastery(one, "stealth", OPTIONS)


@pytest.mark.rule("marchen.specialization.cap", "marchen.skill.cap", "marchen.option.mythic_levels")
def test_four_is_the_highest_level() -> None:
    four = somebody(skills={"stealth": 2}, specials=[("stealth", "Shadowing", 4)])
    with pytest.raises(IllegalActionError, match=r"marchen\.specialization\.cap"):
        study_specialization(four, "stealth", "Shadowing", OPTIONS)
    mythic = options(mythic_levels=True)
    five = study_specialization(four, "stealth", "Shadowing", mythic)
    assert five.specializations[0].level == 5
    assert rules_of(five) == ("marchen.specialization.cap",)
    assert rules_of(five, mythic) == ()
    with pytest.raises(IllegalActionError, match="highest"):
        study_specialization(study_specialization(five, "stealth", "Shadowing", mythic), "stealth", "Shadowing", mythic)


# ---------------------------------------------------------------------- legality


@pytest.mark.rule("marchen.gap.character.legal")
@each_case(
    ("change", "rules"),
    [
        ({"skills": {"melee_combat": 2}}, {"marchen.specialization.master_bonus"}),
        ({"skills": {"melee_combat": 5}}, {"marchen.skill.cap"}),
        ({"skills": {"melee_combat": 0}}, {"marchen.specialization.unlock"}),
        ({"skills": {"cookery": 1, "melee_combat": 1}}, {"marchen.skill.tree"}),
        ({"changes": (Change(what="physical", value=2),)}, {"marchen.gap.score.direct"}),
        ({"changes": (Change(what="mystery", value=-3),)}, {"marchen.gap.score.direct"}),
        ({"careers": (Served(career="pirate", terms=3),)}, {"marchen.gap.career.terms"}),
        ({"careers": (Served(career="soldier", terms=4),)}, {"marchen.gap.career.terms"}),
        ({"careers": (Served(career="soldier"), Served(career="soldier"))}, {"marchen.gap.career.terms"}),
        ({"careers": (Served(career="soldier", terms=2, rank=3),)}, {"marchen.gap.career.check"}),
        ({"retired": "sage"}, {"marchen.season.epilogue"}),
        ({"wounds": {"damage": {"physical": -1}}}, {"marchen.resource.tracks"}),
        ({"belongings": (ItemStack("grail"),)}, {"marchen.gap.belongings.market"}),
        ({"natural": ("tail",)}, {"marchen.gap.weapon.list"}),
        ({"belongings": (ItemStack("sword", left=5),)}, {"marchen.ounces.withstand_damage"}),
        (
            {"belongings": tuple([ItemStack(id_, place="hand") for id_ in ("sword", "pike")])},
            {"marchen.gap.belongings.hands"},
        ),
        (
            {"belongings": tuple([ItemStack(id_, place="worn") for id_ in ("jack", "mail")])},
            {"marchen.gap.belongings.hands"},
        ),
    ],
)
def test_every_violation_has_its_rule(change: dict[str, Any], rules: set[str]) -> None:
    assert set(rules_of(template("soldier").changed(**change))) == rules


@pytest.mark.rule("marchen.gap.advancement.costs", "marchen.skill.specialization_scope", "marchen.gap.career.study")
def test_specializations_and_advances_that_cannot_be() -> None:
    soldier = template("soldier")

    def special(name: str, level: int) -> Specialization:
        return Specialization(skill="melee_combat", name=name, level=level)

    twice = (*soldier.specializations, special("broadsword", 1))
    assert rules_of(soldier.changed(specializations=twice)) == ("marchen.skill.specialization_scope",)
    master = soldier.changed(specializations=(special("Broadsword", 4),))
    assert rules_of(master.changed(skills=soldier.skills.put("melee_combat", 2))) == ("marchen.gap.career.study",)
    nothing = soldier.changed(specializations=(special("Broadsword", 0),))
    assert rules_of(nothing) == ("marchen.specialization.cap",)
    every = soldier.changed(age=20, retired="sage", natural=("tail",), skills={"melee_combat": 0})
    assert len(rules_of(every)) >= 4
    step = Advance(what="skill", name="arcana", cost=2)
    grown = soldier.changed(advances=(step,), skills=soldier.skills.put("arcana", 0))
    assert rules_of(grown.changed(experience=1)) == ("marchen.gap.advancement.costs",)
    assert rules_of(grown.changed(experience=2)) == ()


@pytest.mark.rule("marchen.gap.career.study", "marchen.gap.career.check")
def test_figures_of_a_term() -> None:
    study, check = data("marchen.gap.career.study"), data("marchen.gap.career.check")
    assert (study["picks"], study["most"], check["extra_pick_from"]) == (PICKS, MOST_SPECIALIZED, EXTRA_PICK_FROM)
    terms = data("marchen.gap.career.terms")
    assert (terms["years"], terms["most"], terms["usual"]) == (TERM, MOST_TERMS, USUAL_TERMS)
    making = CharacterCreation(starts(terms=2))
    making.follow({"scores": PLACED, "background": BACKGROUND, "career": "soldier"})
    making.follow({"study": ["melee_combat", "specialize:melee_combat", "Broadsword"]})
    making.type_in([1, 1])
    making.follow({"benefit": "treasure", "career": "soldier"})
    making.follow({"study": ["specialize:melee_combat", "Broadsword", "specialize:melee_combat", "Broadsword"]})
    making.type_in([3, 2])  # 5 + 6 - 8: one study more
    making.answer("specialize:melee_combat")
    with pytest.raises(IllegalActionError, match="3 is the most"):
        making.answer("Broadsword")
