"""Specializations: which one counts for a check, in whatever words it is named."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.acts import ann, done, month, refused_by
from systems.marchen.fights import fighter, ruled
from systems.marchen.people import alone, data, hero, hurt, library, options, plan, somebody, together, total
from systems.playing import examples
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.systems.marchen.content import Skill
from tablewright.systems.marchen.now import arms_of, readied, skill_total
from tablewright.systems.marchen.values import meant_by


@pytest.mark.rule("marchen.check.specialization", "marchen.specialization.unlock")
def test_level_one_opens_all_specializations_at_zero() -> None:
    for level, expected in ((None, -3), (0, 0), (1, 1)):
        one = somebody(skills={} if level is None else {"unarmed_combat": level})
        assert total(one, "unarmed_combat", specialization="Boxing") == expected
    for given, expect in examples("marchen.specialization.unlock"):
        one = somebody(skills={given["skill"]: given["skill_level"]})
        names = ("boxing", "brawling", "judo", "karate", "sumo_wrestling", "wrestling")
        found = {name: one.specialization("unarmed_combat", name.replace("_", " ").title()) for name in names}
        assert {name: known.level for name, known in found.items() if known} == dict(expect["specializations"])


@pytest.mark.rule("marchen.check.skill")
@pytest.mark.parametrize(("stack", "totals"), [("best", [2, 4, 2]), ("all", [3, 6, 2])])
def test_the_higher_of_skill_and_specialization_counts_where_the_table_says_so(stack: Any, totals: list[int]) -> None:
    one = somebody(skills={"athletics": 2}, specials=[("athletics", "Climbing", 1), ("athletics", "Running", 4)])
    using = options(check_stack=stack)
    found = [total(one, "athletics", using, specialization=name) for name in ("Climbing", "Running", "Lifting")]
    assert found == totals


@pytest.mark.rule("marchen.specialization.unlock", "marchen.skill.aliases")
def test_a_specialization_that_nobody_knows_is_asked_about() -> None:
    one = somebody(skills={"sleight_of_hand": 1}, specials=[("sleight_of_hand", "Cups and balls", 2)])
    with pytest.raises(
        InvalidInputError, match=r'"Cup and ball" counts for nothing with Ann.*did you mean "Cups and balls"'
    ):
        plan(one, "sleight_of_hand", specialization="Cup and ball")
    known = total(one, "sleight_of_hand", specialization="cups and balls")
    assert total(one, "skill", name="Sleight of Hand", specialization="Cups and balls") == known
    with pytest.raises(InvalidInputError, match='"Cups and balls" counts for nothing'):
        plan(one, "stealth", specialization="Cups and balls")


@pytest.mark.rule("marchen.check.specialization", "marchen.skill.aliases")
def test_a_specialization_counts_however_it_is_written() -> None:
    session = together(
        fighter("Ann", skills={"ranged_combat": 1}, belongings=(ItemStack("bow", 1, "hand"),), experience=4)
    )
    before = arms_of(session.scene, "ann")["bow"].base
    session.do("marchen.advance", who="ann", what="specialization", name="bow", skill="ranged_combat")
    assert arms_of(session.scene, "ann")["bow"].base == before + 1
    assert total(ann(session), "skill", name="Bows") == 2


@pytest.mark.rule("marchen.skill.aliases", "marchen.check.specialization")
def test_a_specialization_counts_where_it_is_the_one_that_is_meant() -> None:
    whip = hero(skills={"melee_combat": 1}, specials=[("melee_combat", "Whip", 3)])
    spear = hero(skills={"melee_combat": 1}, specials=[("melee_combat", "Spear", 3)])
    assert not ann(month(alone(whip), "sparring:Spear", [6, 4])).raises  # 10 + 1 - 4
    assert [one.value for one in ann(month(alone(spear), "sparring:Spear", [4, 4])).raises] == [1]  # 8 + 1 + 3 - 4
    assert not ann(month(alone(spear), "sparring:Sword", [6, 4])).raises
    assert readied(alone(whip).scene, "ann", "melee_combat").tally.total == total(whip, "skill", name="Spear") == 1
    assert skill_total(alone(whip).scene, "ann", "melee_combat") == 1


@pytest.mark.rule("marchen.skill.specialization_scope")
def test_the_same_name_under_two_skills_is_two_specializations() -> None:
    for name, skills in data("marchen.skill.specialization_scope")["shared"].items():
        for skill in skills:
            listed = [
                one.casefold().replace("-", "_").replace(" ", "_")
                for one in library().get(Skill, skill).specializations
            ]
            assert listed.count(name) == 1
    thief = somebody(skills={"sleight_of_hand": 1, "engineering": 1}, specials=[("sleight_of_hand", "Lockpicking", 2)])
    assert total(thief, "sleight_of_hand", specialization="Lockpicking") == 3
    assert total(thief, "engineering", specialization="Lockpicking") == 1
    own = somebody(skills={"insight": 1}, specials=[("insight", "Reading Dragons", 1)])
    assert total(own, "insight", specialization="reading dragons") == 2


@pytest.mark.rule("marchen.month.field_of_heroes", "marchen.skill.aliases")
@pytest.mark.parametrize(
    ("event", "skill", "special"),
    [
        ("Bows", "ranged_combat", "Bow"),
        ("Axe", "melee_combat", "Axe/Mace"),
        ("Hunting", "physical_sciences_survival", "Tracking"),
    ],
)
def test_games_are_won_with_the_specialization_of_the_event(event: str, skill: str, special: str) -> None:
    skilled = hero(skills={skill: 1}, specials=[(skill, special, 2)])
    other = hero(skills={skill: 1}, specials=[(skill, "Another", 2)])
    assert ann(month(alone(skilled), f"field_of_heroes:{event}", [2, 3])).discount == 3
    assert ann(month(alone(other), f"field_of_heroes:{event}", [2, 3])).discount == 0
    assert (meant_by(event).what, meant_by(event).specialization) == (skill, special)


@pytest.mark.rule("marchen.watch.first_aid", "marchen.puncti.triage", "marchen.check.specialization")
def test_first_aid_is_the_specialization_for_wounds_and_no_other() -> None:
    def healing(special: str) -> Session:
        healer = hero(skills={"life_sciences": 1}, specials=[("life_sciences", special, 4)])
        return together(healer, somebody("Bob", wounds=hurt(physical=9)))

    for special, healed in (("Farming", 2), ("First Aid", 6)):
        assert done(healing(special), "first_aid", [4, 4], who="ann", patient="bob") == healed
    dying = ruled(healing("First Aid"), "bob", dying="watch", down=True)
    assert done(dying, "triage", [1, 2], who="ann", patient="bob")


@pytest.mark.rule("marchen.month.go_hunting", "marchen.watch.resupply", "marchen.puncti.face_danger")
def test_hunting_takes_tracking_and_foraging_takes_survival_and_danger_what_is_named() -> None:
    skill = "physical_sciences_survival"
    for special, supply in (("Tracking", 0), ("Survival", 1)):
        able = hero(skills={skill: 1}, specials=[(skill, special, 2)], supply=0)
        assert done(alone(able), "forage", [2, 3], who="ann") == supply
        assert ann(month(alone(able), "go_hunting", [2, 3])).supply == 1 - supply
    climber = hero(skills={"athletics": 1}, specials=[("athletics", "Climbing", 2)], supply=0, treasure=0)
    for special, dm in (("Climbing", 0), ("", -1)):
        words = {"skill": "athletics", "specialization": special}
        assert done(alone(climber), "face_danger", [2, 3], who="ann", **words).dm == dm


@pytest.mark.rule("marchen.gap.casting.level")
def test_a_deed_is_done_with_the_specialization_that_goes_deepest() -> None:
    known = [("arcana", "Runes", 1), ("arcana", "Wards", 2)]
    session = alone(hero(skills={"arcana": 1}, specials=known))
    assert done(session, "cast_deed", [3, 2], who="ann", skill="arcana", depth="shape").degree == "tie"
    assert readied(session.scene, "ann", "arcana").tally.total == 1


@pytest.mark.rule("marchen.skill.aliases", "marchen.opposed.resolve")
def test_a_name_brings_its_specialization_into_a_contest() -> None:
    able = hero(skills={"melee_combat": 1}, specials=[("melee_combat", "Broadsword", 3)])
    session = together(able, hero("Bob", skills={"melee_combat": 1}))
    words = {"situation": ["name=Sword"], "other_situation": ["name=Strength"]}
    result = done(session, "table.contest", [3, 3, 5, 4], who="ann", against="bob", what="skill", **words)
    assert result.margin == 1  # 6 + 1 + 3 against 9


@pytest.mark.rule("marchen.skill.level_gates", "marchen.chain.dm")
def test_a_chain_may_be_started_with_a_specialization() -> None:
    master = hero(skills={"melee_combat": 1, "stealth": 0}, specials=[("melee_combat", "Broadsword", 3)])
    for named in ("Sword", "melee_combat/Broadsword"):
        tasks = [f"ann:{named}:average", "ann:stealth"]
        result = done(alone(master), "chain", [2, 2, 4, 4], tasks=tasks)  # 4 + 4: a tie
        assert result.effect == 0
    assert refused_by(alone(master), "chain", tasks=["ann:melee_combat", "ann:stealth"]) == "marchen.skill.level_gates"
    low = hero(skills={"melee_combat": 1}, specials=[("melee_combat", "Broadsword", 2)])
    with pytest.raises(IllegalActionError):
        alone(low).do("marchen.chain", tasks=["ann:Sword"])


@pytest.mark.rule("marchen.skill.level_gates", "marchen.skill.aliases")
def test_names_bring_their_specializations_along_when_people_work_together() -> None:
    journeyman = [("melee_combat", "Broadsword", 2)]
    people = [hero(name, skills={"melee_combat": 1}, specials=journeyman) for name in ("Ann", "Bob")]
    session = together(*people)
    assert done(session, "aid", [3, 2, 2, 2], who=["ann", "bob"], what="Sword").effect == 0  # 4 + 3 and 1
    assert done(session, "group_check", [3, 2, 2, 2], who=["ann", "bob"], what="Sword").successes == 1
    assert done(session, "work", [3, 2, 1], who="ann", what="Sword", frame="ounce").effect == 0
    assert done(session, "attempt", [3, 2], who="ann", what="Sword", obstacle="a post").effect == 0
    grand = hero(skills={"melee_combat": 2}, specials=[("melee_combat", "Broadsword", 4)])
    assert done(alone(grand), "pool", [1, 1], who=["ann"], what="Sword", needed=1).complete
