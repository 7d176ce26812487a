"""Modifiers of the next check: named specializations, boons, and waiting helps."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.fights import duel, fighter, ruled
from systems.marchen.people import OPTIONS, ann, data, done, options, plan, somebody, together, total
from systems.marchen.test_seasons import alone, hero, hurt, month, season, week
from systems.playing import answer as go_on
from tablewright.dice.source import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.session.session import Session
from tablewright.systems.marchen.character.figures import current
from tablewright.systems.marchen.character.record import Boon, Raise
from tablewright.systems.marchen.events.recovery import TasksFound
from tablewright.systems.marchen.mechanics.checks import GroupResult, aided, check, group, succeeded
from tablewright.systems.marchen.mechanics.clash import battle
from tablewright.systems.marchen.mechanics.dice import rated_dm, under_law
from tablewright.systems.marchen.mechanics.harm import withstand
from tablewright.systems.marchen.mechanics.magic import treat
from tablewright.systems.marchen.now import arms_of, attack_dm, attack_tally, body, readied, skill_total
from tablewright.systems.marchen.values import meant_by

NEXT = {"dm": 3, "reason": "help"}


def helped(session: Session, *people: str, hindered: bool = False) -> Session:
    """A session with +3 on the next check of some people, who may have lost momentum as well."""
    for who in people:
        session.do("marchen.gain_help", who=who, **NEXT)
        if hindered:
            session.do("marchen.lose_momentum", who=who)
    return session


def waits(session: Session, who: str) -> tuple[int, bool]:
    """The helps that wait for a participant's next check."""
    status = session.scene[who].status
    return sum([one.dm for one in status.nexts]), status.hindered


# ---------------------------------------------------------------------- specializations


@pytest.mark.rule("marchen.skill.aliases", "marchen.check.specialization")
def test_a_specialization_counts_where_it_is_the_one_that_is_meant() -> None:
    whip = hero(skills={"melee_combat": 1}, specials=[("melee_combat", "Whip", 3)])
    spear = hero(skills={"melee_combat": 1}, specials=[("melee_combat", "Spear", 3)])
    assert not ann(month(alone(whip), "sparring:Spear", [6, 4])).raises  # 10 + 1 - 4
    assert [one.value for one in ann(month(alone(spear), "sparring:Spear", [4, 4])).raises] == [1]  # 8 + 1 + 3 - 4
    assert not ann(month(alone(spear), "sparring:Sword", [6, 4])).raises
    assert readied(alone(whip).scene, "ann", "melee_combat").tally.total == total(whip, "skill", name="Spear") == 1
    assert skill_total(alone(whip).scene, "ann", "melee_combat") == 1


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
    for special, healed in (("Farming", 2), ("First Aid", 6)):
        healer = hero(skills={"life_sciences": 1}, specials=[("life_sciences", special, 4)])
        session = together(healer, somebody("Bob", wounds=hurt(physical=9)))
        assert done(session, "first_aid", [4, 4], who="ann", patient="bob") == healed
    healer = hero(skills={"life_sciences": 1}, specials=[("life_sciences", "First Aid", 4)])
    session = ruled(together(healer, somebody("Bob")), "bob", dying="watch", down=True)
    assert done(session, "triage", [1, 2], who="ann", patient="bob")


@pytest.mark.rule("marchen.month.go_hunting", "marchen.watch.resupply")
def test_hunting_takes_tracking_and_foraging_takes_survival() -> None:
    tracker = hero(skills={"physical_sciences_survival": 1}, specials=[("physical_sciences_survival", "Tracking", 2)])
    assert ann(month(alone(tracker.changed(supply=0)), "go_hunting", [2, 3])).supply == 1
    session = alone(tracker)
    assert done(session, "forage", [2, 3], who="ann") == 0
    forager = hero(skills={"physical_sciences_survival": 1}, specials=[("physical_sciences_survival", "Survival", 2)])
    assert done(alone(forager), "forage", [2, 3], who="ann") == 1


@pytest.mark.rule("marchen.puncti.face_danger", "marchen.check.specialization")
def test_danger_is_faced_with_the_specialization_that_is_named() -> None:
    climber = hero(skills={"athletics": 1}, specials=[("athletics", "Climbing", 2)])
    words = {"who": "ann", "skill": "athletics"}
    assert not done(alone(climber), "face_danger", [2, 3], specialization="Climbing", **words).dm
    assert done(alone(climber.changed(supply=0, treasure=0)), "face_danger", [2, 3], **words).dm == -1


@pytest.mark.rule("marchen.puncti.aid_your_ally", "marchen.check.specialization")
def test_an_ally_is_aided_with_what_one_fights_with() -> None:
    sword = [("melee_combat", "Broadsword", 2)]
    ann = fighter("Ann", skills={"melee_combat": 1, "athletics": 0}, specials=sword, home_tl=2, muscle=4)
    session = together(ann, fighter("Bob"), fighter("Cid"))
    session.do("table.change_sides", who="bob", side="foes")
    session.do("marchen.encounter")
    go_on(session, [4, 4], [4, 4], [4, 4], "aid_your_ally:cid", [1, 1])
    assert readied(session.scene, "ann", "melee_combat").tally.total == 5
    assert [one.dm for one in session.scene["cid"].status.nexts] == [1]  # 2 + 4 + 1 + 2


@pytest.mark.rule("marchen.gap.casting.level")
def test_a_deed_is_done_with_the_specialization_that_goes_deepest() -> None:
    known = [("arcana", "Runes", 1), ("arcana", "Wards", 2)]
    session = alone(hero(skills={"arcana": 1}, specials=known))
    assert done(session, "cast_deed", [3, 2], who="ann", skill="arcana", depth="shape").degree == "tie"
    assert readied(session.scene, "ann", "arcana").tally.total == 1


# ---------------------------------------------------------------------- what waits for the next check


@pytest.mark.rule("marchen.ounces.secure_advantage", "marchen.ounces.lose_momentum")
@pytest.mark.parametrize(
    ("process", "given", "faces"),
    [
        ("first_aid", {"who": "ann", "patient": "bob"}, [1, 1, 6, 6]),
        ("withstand_damage", {"who": "ann", "item": "sword"}, [6, 6, 1, 4]),
        ("undertake_journey", {"who": ["ann"]}, [1, 4, 6, 6]),
        ("forage", {"who": "ann"}, [1, 4, 6, 6]),
        ("compel_connection", {"who": "ann", "person": "Eva"}, [1, 4, 6, 6]),
        ("group_check", {"who": ["ann"], "what": "muscle"}, [1, 4, 6, 6]),
        ("pool", {"who": ["ann"], "what": "muscle"}, [1, 4, 6, 6]),
    ],
)
def test_pending_help_counts_once(process: str, given: dict[str, Any], faces: list[int]) -> None:
    skills = dict.fromkeys(("life_sciences", "engineering", "physical_sciences_survival", "persuasion"), 0)
    one = hero(skills=skills, belongings=(ItemStack("sword", 1, "hand"),), connections={"Eva": 0})
    session = together(one, somebody("Bob", wounds=hurt(physical=9)))
    result = done(helped(session, "ann", hindered=True), process, faces, **given)
    good = {
        "first_aid": -1,  # two sets, of which the worse is a catastrophe with the +3
        "withstand_damage": 0,
        "undertake_journey": 1,
        "forage": 1,
        "group_check": GroupResult(1, True),
    }
    if process == "first_aid":
        assert result == 0  # 2 and 3 is 5: Fail, and nothing heals
    elif process == "pool":
        assert result.successes == 1
    elif process == "compel_connection":
        assert result.effect == 0
    else:
        assert result == good[process]
    assert waits(session, "ann") == (0, False)


@pytest.mark.rule("marchen.puncti.negotiate", "marchen.ounces.lose_momentum")
def test_both_who_negotiate_use_up_what_waits_for_them() -> None:
    session = together(hero(skills={"persuasion": 0}), hero("Bob", skills={"insight": 0}))
    helped(session, "ann", "bob", hindered=True)
    result = done(session, "negotiate", [6, 6, 2, 2, 5, 5, 2, 3], who="ann", against="bob")
    assert result.margin == -1  # 4 + 3 against 5 + 3
    assert (waits(session, "ann"), waits(session, "bob")) == ((0, False), (0, False))


@pytest.mark.rule("marchen.puncti.compel", "marchen.ounces.lose_momentum")
def test_a_character_who_is_to_stand_down_uses_up_what_waits_too() -> None:
    session = together(hero(skills={"persuasion": 0}), hero("Bob"))
    helped(session, "ann", "bob", hindered=True)
    assert done(session, "compel", [6, 6, 3, 3, 6, 6, 2, 3], who="ann", against="bob")
    assert (waits(session, "ann"), waits(session, "bob")) == ((0, False), (0, False))


@pytest.mark.rule("marchen.aid.helper_dm", "marchen.ounces.lose_momentum")
def test_leader_and_helpers_use_up_what_waits_for_them() -> None:
    able = {"athletics": 2}
    session = together(hero(skills=able), hero("Bob", skills=able))
    helped(session, "ann", "bob", hindered=True)
    result = done(session, "aid", [6, 6, 1, 2, 6, 6, 1, 1], who=["ann", "bob"], what="athletics", leader="ann")
    assert result.effect == 0  # 2 + 2 + 3, and 1 of the helper with 3 + 2 + 3
    assert (waits(session, "ann"), waits(session, "bob")) == ((0, False), (0, False))


@pytest.mark.rule("marchen.group.check", "marchen.ounces.lose_momentum")
def test_each_of_a_group_has_a_luck_of_their_own() -> None:
    both = odds(group((0, 2)))
    assert odds(group((0, 2), luck=("none", "none"))) == both
    worse = odds(group((2, 0), luck=("disadvantage",)))
    plain, hindered = odds(check(modifier=0)), odds(check(modifier=2, advantage="disadvantage"))
    won = [one.expected(succeeded) for one in (plain, hindered)]
    assert worse[GroupResult(2, True)] == won[0] * won[1]
    assert play(aided((0,), helpers_luck=("disadvantage",)), TypedDice([6, 6, 1, 1, 6, 6])).result.effect == 2


@pytest.mark.rule("marchen.ounces.lose_momentum")
def test_treatment_things_and_battles_may_be_hindered() -> None:
    assert play(treat(0, advantage="disadvantage"), TypedDice([6, 6, 1, 1])).result == -1
    assert play(withstand(0, advantage="disadvantage"), TypedDice([6, 6, 1, 2])).result == 2
    met = play(battle(0, 0, advantage="disadvantage"), TypedDice([6, 6, 1, 1, 2, 2])).result
    assert met.winner == "b"
    assert play(battle(0, 0, foe_advantage="disadvantage"), TypedDice([4, 4, 6, 6, 1, 1])).result.winner == "a"


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.ounces.lose_momentum")
def test_entering_the_fray_uses_up_what_waits() -> None:
    session = helped(duel(), "ann", "bob")
    session.do("marchen.encounter")
    go_on(session, [3, 3], [1, 1])
    assert [session.scene[who].status.effect for who in ("ann", "bob")] == [1, -3]
    assert (waits(session, "ann"), waits(session, "bob")) == ((0, False), (0, False))


@pytest.mark.rule("marchen.gap.fight.battle", "marchen.ounces.lose_momentum")
def test_leaders_of_a_battle_use_up_what_waits_for_them() -> None:
    session = helped(duel(), "ann", "bob", hindered=True)
    done(session, "fight_battle", [6, 6, 1, 1, 6, 6, 1, 2, 1, 1, 1, 1, 1, 1], side="party", against="foes")
    assert (waits(session, "ann"), waits(session, "bob")) == ((0, False), (0, False))
    assert session.scene["ann"].status.physical == 3  # 3 + 3 against 2 + 3, without a bonus
    assert session.scene["bob"].status.physical == 1  # half of 3


# ---------------------------------------------------------------------- battles


@pytest.mark.rule("marchen.gap.fight.battle", "marchen.gap.damage.tiers")
def test_by_tiers_a_battle_hits_by_tiers() -> None:
    armoured = fighter("Bob", belongings=(ItemStack("sword", 1, "hand"), ItemStack("padded", 1, "worn")))
    session = duel(bob=armoured, damage_model="tiers")
    tier = arms_of(session.scene, "ann")["sword"].tier
    assert (tier, body(session.scene, "bob", "physical").soak) == (3, 1)
    done(session, "fight_battle", [6, 6, 1, 1], side="party", against="foes")
    bob = session.scene["bob"].status
    assert (bob.physical, bob.soaked, session.scene["ann"].status.physical) == (2, 1, 0)
    narrow = duel(bob=armoured, damage_model="tiers")
    done(narrow, "fight_battle", [5, 5, 1, 1], side="party", against="foes")
    assert (narrow.scene["bob"].status.physical, narrow.scene["ann"].status.physical) == (2, 1)


@pytest.mark.rule("marchen.gap.fight.battle", "marchen.puncti.battle")
def test_a_leader_rolls_with_the_arms_in_hand() -> None:
    whip = [("melee_combat", "Whip", 3)]
    leader = fighter("Ann", skills={"melee_combat": 1, "athletics": 0}, specials=whip, home_tl=2)
    session = duel(leader)
    call = done(session, "fight_battle", [4, 4, 4, 3, 1, 1, 1, 1, 1, 1], side="party", against="foes")
    assert (call.winner, call.sigma, call.narrow) == ("a", 0, True)  # 8 + 1 - 1 for a sword of another level


# ---------------------------------------------------------------------- preparations and boons


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.chain.dm")
def test_preparations_count_once_and_for_better_or_worse() -> None:
    session = week(alone(hero(skills={"insight": 0})), "secure_advantage:insight", [4, 5])
    week(session, "secure_advantage:insight", [6, 6])  # the first sigma counts for the second check: 12 + 1
    assert [(one.name, one.dm, one.uses) for one in ann(session).boons] == [("an advantage in Insight", 3, 1)]
    bad = week(alone(hero(skills={"insight": 0, "stealth": 0})), "secure_advantage:insight", [1, 1])
    assert total(ann(bad), "stealth") == 0
    assert total(ann(bad), "insight") == -4
    assert done(bad, "table.check", [4, 4], who="ann", what="insight").effect == -4
    assert ann(bad).boons == ()
    even = week(alone(hero(skills={"insight": 0})), "secure_advantage:insight", [4, 4])
    assert ann(even).boons == ()


@pytest.mark.rule("marchen.week.secure_advantage")
def test_preparations_are_for_the_matter_that_was_named() -> None:
    session = week(alone(hero(skills={"insight": 0, "stealth": 0})), "secure_advantage:insight/the siege", [6, 5])
    assert [(one.matter, one.dm) for one in ann(session).boons] == [("the siege", 2)]
    assert (total(ann(session), "insight"), total(ann(session), "stealth", issue="the siege")) == (0, 2)
    with pytest.raises(IllegalActionError, match="no help"):
        plan(ann(session), "stealth", boon="an advantage in the siege")
    with pytest.raises(InvalidInputError):
        plan(ann(session), "stealth", issue="the sieg")
    named = plan(ann(session), "stealth", issue="the siege", boon="an advantage in the siege")
    assert named.tallies["modifier"].total == 2
    done(session, "table.check", [4, 4], who="ann", what="stealth", situation=["issue=the siege"])
    assert ann(session).boons == ()


@pytest.mark.rule("marchen.month.climb_mountains", "marchen.month.journey")
def test_a_view_counts_on_the_next_journey_and_nowhere_else() -> None:
    climber = hero(skills={"athletics": 0, "physical_sciences_survival": 0})
    session = month(alone(climber), "climb_mountains", [4, 4])
    with pytest.raises(IllegalActionError, match="no help"):
        plan(ann(session), "physical_sciences_survival", boon="a view")
    assert done(session, "forage", [3, 4], who="ann") == 0
    assert done(session, "undertake_journey", [3, 4, 3, 4], ["supply"], who=["ann"], months=2) == 1
    assert (ann(session).boons, ann(session).supply) == ((), 2)


@pytest.mark.rule("marchen.sojourn.patrol_wild")
def test_a_benefit_may_be_used_wherever_its_skill_is_rolled() -> None:
    lore = Boon(name="Wilderness-lore", uses=4, skills=("physical_sciences_survival",))
    wild = hero(skills={"physical_sciences_survival": 0, "life_sciences": 0}, boons=(lore,), supply=0)
    session = together(wild, hero("Bob", skills={"physical_sciences_survival": 0}))
    assert done(session, "forage", [3, 4], who="ann", boon="wilderness-lore") == 1
    words = {"who": "ann", "skill": "physical_sciences_survival", "boon": "Wilderness-lore"}
    assert not done(session, "face_danger", [3, 4], **words).dm
    month(session, "go_hunting:Wilderness-lore", [3, 4])
    journey = {"who": ["ann"], "months": 2, "boons": ["ann=Wilderness-lore"]}
    assert done(session, "undertake_journey", [3, 4, 3, 4], ["supply"], **journey) == 1
    assert (ann(session).boons, ann(session).supply) == ((), 1)
    for boons in (["ann=x"], ["bob"]):
        with pytest.raises(InvalidInputError):
            done(session, "undertake_journey", [4, 4], who=["bob"], boons=boons)
    with pytest.raises(IllegalActionError):
        session.do("marchen.month", plans=["ann=go_hunting:Merry"])


@pytest.mark.rule("marchen.sojourn.meet_patron", "marchen.sojourn.write_song", "marchen.modifier.circumstance")
def test_counsel_and_songs_are_reasons_of_help_like_others() -> None:
    one = hero(skills={"persuasion": 0}, patrons=("Otto",), songs=("Lay", "Air"))
    session = season(alone(one), "meet_patron:Otto")
    name = "counsel of Otto"
    assert [total(ann(session), "persuasion", boon=name, helps=helps) for helps in (0, 1)] == [1, 1]
    assert total(ann(session), "persuasion", boon=name, hampers=1) == 0
    assert total(ann(session), "persuasion", options(circumstance_stack=True), boon=name, helps=1) == 2
    for song in ("Lay", "Air"):
        session.do("marchen.sing", who="ann", song=song)
    words = [f"boon={name}", "helps=1"]
    assert done(session, "table.check", [4, 4], who="ann", what="persuasion", situation=words).effect == 1
    assert ann(session).boons == ()
    stacked = alone(one, circumstance_stack=True)
    for session in (stacked, alone(one)):
        for song in ("Lay", "Air"):
            session.do("marchen.sing", who="ann", song=song)
    assert [skill_total(each.scene, "ann", "persuasion") for each in (stacked, session)] == [2, 1]
    assert readied(session.scene, "ann", "persuasion").tally.total == 1


@pytest.mark.rule("marchen.sojourn.write_song")
def test_a_song_counts_in_a_fight_once() -> None:
    session = duel(fighter("Ann", songs=("Lay", "Air")))
    for song in ("Lay", "Air"):
        session.do("marchen.sing", who="ann", song=song)
    arms = arms_of(session.scene, "ann")["sword"]
    assert attack_dm(session.scene, "ann", "bob", arms) == 1
    assert attack_tally(session.scene, "ann", "bob", arms).total == 1


# ---------------------------------------------------------------------- contests


@pytest.mark.rule("marchen.opposed.resolve", "marchen.sojourn.patrol_wild")
def test_boons_are_used_up_in_contests_by_both() -> None:
    boon = (Boon(name="counsel", circumstance=True),)
    session = together(hero(boons=boon), hero("Bob", boons=boon))
    words = {"situation": ["boon=counsel"], "other_situation": ["boon=counsel"]}
    result = done(session, "table.contest", [4, 4, 4, 3], who="ann", against="bob", what="persuasion", **words)
    assert result.margin == 1
    assert [session.scene[who].character.boons for who in ("ann", "bob")] == [(), ()]


@pytest.mark.rule("marchen.skill.aliases", "marchen.opposed.resolve")
def test_a_name_brings_its_specialization_into_a_contest() -> None:
    able = hero(skills={"melee_combat": 1}, specials=[("melee_combat", "Broadsword", 3)])
    session = together(able, hero("Bob", skills={"melee_combat": 1}))
    words = {"situation": ["name=Sword"], "other_situation": ["name=Strength"]}
    result = done(session, "table.contest", [3, 3, 5, 4], who="ann", against="bob", what="skill", **words)
    assert result.margin == 1  # 6 + 1 + 3 against 9


@pytest.mark.rule("marchen.opposed.resolve")
@pytest.mark.parametrize("word", ["passive=yes", "automatic=success", "helper_modifiers=1", "contest=yes"])
def test_words_that_are_nothing_for_a_contest_are_refused(word: str) -> None:
    session = together(hero(), hero("Bob"))
    with pytest.raises(InvalidInputError, match="both roll"):
        session.do("table.contest", who="ann", against="bob", what="muscle", situation=[word])
    with pytest.raises(InvalidInputError, match="both roll"):
        session.do("table.contest", who="ann", against="bob", what="muscle", other_situation=[word])


# ---------------------------------------------------------------------- chains


@pytest.mark.rule("marchen.skill.level_gates", "marchen.chain.dm")
def test_a_chain_may_be_started_with_a_specialization() -> None:
    master = hero(skills={"melee_combat": 1, "stealth": 0}, specials=[("melee_combat", "Broadsword", 3)])
    for named in ("Sword", "melee_combat/Broadsword"):
        tasks = [f"ann:{named}:average", "ann:stealth"]
        result = done(alone(master), "chain", [2, 2, 4, 4], tasks=tasks)  # 4 + 4: a tie
        assert result.effect == 0
    with pytest.raises(IllegalActionError) as no:
        alone(master).do("marchen.chain", tasks=["ann:melee_combat", "ann:stealth"])
    assert no.value.rule == "marchen.skill.level_gates"
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


# ---------------------------------------------------------------------- standing in a society


@pytest.mark.rule("marchen.month.sparring")
def test_matches_that_are_won_add_up_and_count_in_that_society() -> None:
    strong = hero(skills={"athletics": 1, "persuasion": 0}, physical=4, muscle=4)
    session = alone(strong)
    session.do("marchen.arrive", place="Köln", culture="Rhineland", features=["guards"])
    month(session, "sparring:Athletics", [5, 5])
    month(session, "sparring:Athletics", [1, 2])
    assert [(one.value, one.issue) for one in ann(session).raises] == [(4, "Rhineland")]
    assert readied(session.scene, "ann", "social").tally.total == 4
    assert skill_total(session.scene, "ann", "persuasion") == 4
    assert body(session.scene, "ann", "social").bearing.face_modifier == 4
    assert done(session, "table.check", [2, 2], who="ann", what="social").effect == 0
    arms = arms_of(session.scene, "ann")["snub"]
    assert (attack_dm(session.scene, "ann", "ann", arms), attack_tally(session.scene, "ann", "ann", arms).total) == (
        4,
        4,
    )
    session.do("marchen.arrive", place="Gent", culture="Brabant", features=["guards"])
    assert readied(session.scene, "ann", "social").tally.total == 0
    assert attack_dm(session.scene, "ann", "ann", arms) == 0


@pytest.mark.rule("marchen.month.sparring")
def test_a_society_knows_a_fencer_up_to_ten() -> None:
    raised = Raise(aspect="social", value=9, phases=50, issue="this society", source="sparring")
    session = month(alone(hero(skills={"athletics": 1}, physical=4, muscle=4, raises=(raised,))), "sparring", [5, 5])
    assert [(one.value, one.phases) for one in ann(session).raises] == [(10, 100)]


@pytest.mark.rule("marchen.month.sparring", "marchen.core.d100_scale")
@pytest.mark.parametrize(("core", "least"), [("D100", [18]), ("D20", [18]), ("4d7", [4, 4, 4, 6])])
def test_a_plain_18_is_18_on_every_core(core: str, least: list[int]) -> None:
    def spars(faces: list[int]) -> bool:
        session = alone(hero(skills={"athletics": 0}), core=core, sparring_difficulty="literal_18")
        return bool(ann(month(session, "sparring:Athletics", faces)).raises)

    assert data("marchen.month.sparring")["tn"] == sum(least)
    assert spars(least)
    assert not spars([*least[:-1], least[-1] - 1])


@pytest.mark.rule("marchen.sojourn.raise_standard_of_living")
def test_a_plainer_life_does_not_take_away_what_was_paid_for() -> None:
    session = season(alone(hero(treasure=9)), "standard_of_living:2")
    session.do("marchen.undertake", who="ann", plan="standard_of_living:1")
    season(session, "standard_of_living:1")
    assert [(one.value, one.phases) for one in ann(session).raises] == [(1, 1)]
    both = hero(raises=tuple([Raise(aspect="social", value=v, phases=1, source="living") for v in (1, 2)]))
    assert current(both, "social", OPTIONS).total == 2
    again = season(alone(hero(treasure=20)), "standard_of_living:1")
    season(again, "standard_of_living:2")
    assert [(one.value, one.phases) for one in ann(again).raises] == [(2, 1)]


# ---------------------------------------------------------------------- small things about checks


@pytest.mark.rule("marchen.degree.tie", "marchen.check.passive")
def test_a_passive_tie_wins_no_contest() -> None:
    one = hero(skills={"perception": 1})
    plain = play(plan(one, "perception", passive="yes").call, TypedDice([])).result
    contest = play(plan(one, "perception", passive="yes", contest="yes").call, TypedDice([])).result
    assert ((plain.effect, plain.success), (contest.effect, contest.success)) == ((0, True), (0, False))


@pytest.mark.rule("marchen.degree.tie")
def test_a_tie_helps_the_next_try_only() -> None:
    session = alone()
    tries = {"who": "ann", "what": "muscle", "obstacle": "a lock", "situation": ["contest=yes"]}
    effects = [done(session, "attempt", faces, **tries).effect for faces in ([4, 4], [3, 3], [3, 3])]
    assert effects == [0, -1, -2]


@pytest.mark.rule("marchen.degree.critical", "marchen.degree.succeed_in_style")
@pytest.mark.parametrize(("faces", "effects"), [([6, 5], [-1, -2]), ([6, 6], [-2, -2])])
def test_lesson_of_a_good_success(faces: list[int], effects: list[int]) -> None:
    session = alone(hero(muscle=1 if faces == [6, 6] else 0))
    tries: dict[str, Any] = {"who": "ann", "what": "muscle", "obstacle": "a lock", "repeatable": True}
    done(session, "attempt", faces, **tries)
    more = [3, 3] if faces == [6, 5] else [2, 2]
    assert [done(session, "attempt", more, **tries).effect for _ in range(2)] == effects


@pytest.mark.rule("marchen.degree.tie", "marchen.degree.sigma_method")
def test_a_tie_by_sigma_teaches_as_well() -> None:
    session = alone(degree_method="sigma")
    tries = {"who": "ann", "what": "muscle", "obstacle": "a lock", "situation": ["contest=yes"]}
    assert [done(session, "attempt", faces, **tries).effect for faces in ([3, 4], [3, 3])] == [-1, -1]
    plain = alone(degree_method="sigma")
    assert [done(plain, "attempt", faces, **tries).effect for faces in ([3, 3], [3, 3])] == [-2, -2]


@pytest.mark.rule("marchen.degree.sigma_method", "marchen.difficulty.d20_scale")
def test_the_scale_of_targets_is_not_used_with_sigma() -> None:
    assert under_law("D20", 10, None, "add", "dc", "sigma") == ("average", -15)
    assert under_law("D20", 10, None, "add", "dc", "table") == ("average", -12)
    assert rated_dm("2d6", "difficult", "dc") == -2
    using = options(core="D20", d20_scale="dc", degree_method="sigma")
    assert plan(hero(), "muscle", using, law=10).tallies["dm"].total == -15
    for method, margin in (("sigma", -5), ("table", -2)):
        session = together(hero(), hero("Bob"), core="D20", d20_scale="dc", degree_method=method)
        words = {"who": "ann", "against": "bob", "what": "muscle", "situation": ["difficulty=difficult"]}
        assert done(session, "table.contest", [10, 10], **words).margin == margin


@pytest.mark.rule("marchen.modifier.law_level_mode")
def test_of_a_dm_and_the_law_the_harder_one_counts() -> None:
    using = options(law_level_mode="base")

    def effect(**words: Any) -> int:
        found = plan(hero(), "muscle", using, **words)
        return int(play(found.call, TypedDice([4, 4])).result.effect)

    assert effect(law=5, difficulty="-3") == -3
    assert effect(law=5, difficulty="-1") == effect(law=5, difficulty="-2") == effect(law=5, difficulty="4") == -2
    assert effect(law=0) == 2
    assert effect(law=0, difficulty="1") == 1
    assert effect(law=5, difficulty="routine") == -2
    added = plan(hero(), "muscle", law=5, difficulty="-3").tallies["dm"].total
    assert added == -5


@pytest.mark.rule("marchen.difficulty.d20_scale", "marchen.skill.task_tables")
def test_difficulties_are_told_as_targets_where_they_are_targets() -> None:
    told = {}
    for scale in ("dm", "dc"):
        session = alone(core="D20", d20_scale=scale)
        session.do("marchen.look_up", words="hit someone in the dark")
        told[scale] = next(line.found[0] for line in session.log if isinstance(line, TasksFound))
    assert told["dm"].startswith("Heroic (-20)")
    assert told["dc"].startswith("Heroic (target 35)")


@pytest.mark.rule("marchen.gap.fight.reactions")
def test_reactions_weigh_on_free_checks_too() -> None:
    session = ruled(alone(hero(skills={"athletics": 0})), "ann", reactions=2)
    assert done(session, "table.check", [5, 5], who="ann", what="athletics").effect == 0
    assert skill_total(session.scene, "ann", "athletics") == -2


@pytest.mark.rule("marchen.sojourn.artificer")
def test_custom_made_items_help_checks_with_them() -> None:
    own = (ItemStack("lockpicks", 1, "pack"), ItemStack("sword", 1, "hand"))
    one = hero(skills={"sleight_of_hand": 0}, belongings=own, treasure=20)
    session = season(alone(one), "artificer:lockpicks/check")
    assert total(ann(session), "sleight_of_hand", tools="lockpicks") == 2
    with pytest.raises(IllegalActionError, match="not a weapon"):
        alone(one).do("marchen.season", plans=["ann=artificer:lockpicks/damage"])
    asked = alone(one)
    asked.do("marchen.season")
    ids = [each for each in asked.question.ids if each.startswith("artificer")]  # type: ignore[union-attr]
    assert ids == ["artificer::lockpicks/check", "artificer::sword/check", "artificer::sword/damage"]
