"""Gifts and burdens of the next check: help, lost momentum, preparations, boons and songs."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.acts import ann, done, followed, later, month, season, week
from systems.marchen.fights import SWORD, begun, duel, fighter
from systems.marchen.people import OPTIONS, alone, book, hero, hurt, library, options, plan, somebody, together, total
from systems.playing import answer as go_on
from systems.playing import status, words
from tablewright.dice import TypedDice
from tablewright.engine import odds, play
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.character.sheet import sheet_text
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import Checked
from tablewright.game.session.session import Session
from tablewright.systems.marchen.actions.attack import answering
from tablewright.systems.marchen.book import rulebook
from tablewright.systems.marchen.character.record import Boon
from tablewright.systems.marchen.mechanics.checks import GroupResult, aided, check, group, succeeded
from tablewright.systems.marchen.mechanics.clash import battle
from tablewright.systems.marchen.mechanics.harm import withstand
from tablewright.systems.marchen.mechanics.magic import treat
from tablewright.systems.marchen.now import advantage_now, arms_of, attack_dm, attack_tally, readied, skill_total
from tablewright.systems.marchen.status import Help
from tablewright.systems.marchen.values import SkillId

NEXT = {"dm": 3, "reason": "help"}


def helped(session: Session, *people: str) -> Session:
    """A session with +3 on the next check of some people, who have lost momentum as well."""
    for who in people:
        session.do("marchen.gain_help", who=who, **NEXT)
        session.do("marchen.lose_momentum", who=who)
    return session


def waits(session: Session, who: str) -> tuple[int, bool]:
    """The helps that wait for a participant's next check."""
    status = session.scene[who].status
    return sum([one.dm for one in status.nexts]), status.hindered


# ---------------------------------------------------------------------- help and lost momentum


@pytest.mark.rule("marchen.ounces.secure_advantage", "marchen.ounces.lose_momentum")
def test_modifiers_of_the_next_check_count_once() -> None:
    session = together(somebody())
    ready = session.scene.with_status("ann", nexts=(Help("a good plan", 2),), hindered=True)
    subject = book().subject(ready["ann"], ready)
    found = book().check("muscle").read(subject, {"advantage": "0"})
    assert found.tallies["modifier"].total == 2
    assert found.call.named_arguments()["advantage"] == "disadvantage"
    after = book().apply(ready, Checked(who="ann", what="muscle"))
    assert (after["ann"].status.nexts, after["ann"].status.hindered) == ((), False)
    assert book().apply(session.scene, Checked(who="ann", what="muscle"))["ann"].status == status(session)


@pytest.mark.rule("marchen.ounces.lose_momentum", "marchen.puncti.face_danger", "marchen.chain.dm")
def test_lost_momentum_is_a_disadvantage_once_in_fights_and_outside_of_them() -> None:
    session = begun(duel())
    session.do("marchen.lose_momentum", who="ann")
    assert advantage_now(session.scene, "ann", arms_of(session.scene, "ann")["sword"]) == "disadvantage"
    go_on(session, "strike:bob:sword", "none", [6, 6, 4, 4], [1, 1, 1], [1, 2])
    assert (status(session, "bob").physical, status(session).hindered) == (3, False)
    session = together(fighter("Ann"))
    session.do("marchen.lose_momentum", who="ann")
    assert done(session, "face_danger", [6, 6, 4, 3], who="ann", skill="athletics").dm == 0  # the worse: Fail in Style
    assert "ann: fails" in followed(session)
    assert not status(session).hindered
    done(session, "face_danger", [4, 4], who="ann", skill="athletics")  # two dice again
    assert status(session).nexts == ()


@pytest.mark.rule("marchen.ounces.secure_advantage", "marchen.ounces.lose_momentum")
@pytest.mark.parametrize(
    ("process", "given", "faces", "expected"),
    [
        ("first_aid", {"who": "ann", "patient": "bob"}, [1, 1, 6, 6], 0),  # 2 and 3 is 5: Fail, and nothing heals
        ("withstand_damage", {"who": "ann", "item": "sword"}, [6, 6, 1, 4], 0),
        ("undertake_journey", {"who": ["ann"]}, [1, 4, 6, 6], 1),
        ("forage", {"who": "ann"}, [1, 4, 6, 6], 1),
        ("compel_connection", {"who": "ann", "person": "Eva"}, [1, 4, 6, 6], 0),  # the effect
        ("group_check", {"who": ["ann"], "what": "muscle"}, [1, 4, 6, 6], GroupResult(1, True)),
        ("pool", {"who": ["ann"], "what": "muscle"}, [1, 4, 6, 6], (1, False, False)),
    ],
)
def test_pending_help_counts_once(process: str, given: dict[str, Any], faces: list[int], expected: Any) -> None:
    skills = dict.fromkeys(("life_sciences", "engineering", "physical_sciences_survival", "persuasion"), 0)
    one = hero(skills=skills, belongings=SWORD, connections={"Eva": 0})
    session = together(one, somebody("Bob", wounds=hurt(physical=9)))
    result = done(helped(session, "ann"), process, faces, **given)
    assert getattr(result, "effect", result) == expected
    assert waits(session, "ann") == (0, False)


@pytest.mark.rule("marchen.play.basic_process", "marchen.check.passive", "marchen.ounces.lose_momentum")
@pytest.mark.parametrize(
    ("words", "helps", "hindered"),
    [(("automatic=success",), 1, True), (("passive=yes",), 0, True), ((), 0, False)],
)
def test_pending_help_is_used_by_checks_it_can_change(words: tuple[str, ...], helps: int, hindered: bool) -> None:
    session = together(hero())
    session.do("marchen.gain_help", who="ann", dm=2)
    session.do("marchen.lose_momentum", who="ann")
    session.do("table.check", who="ann", what="stamina", situation=words)
    if not words:
        session.type_in([3, 3, 4, 4])
    assert (len(status(session).nexts), status(session).hindered) == (helps, hindered)


@pytest.mark.rule("marchen.ounces.pay_the_price", "marchen.ounces.lose_momentum", "marchen.puncti.aid_your_ally")
def test_pending_help_waits_in_the_next_scene_too() -> None:
    session = together(hero(supply=0, treasure=0, skills={"athletics": 0}))
    done(session, "face_danger", [3, 3], who="ann", skill="athletics")  # a minor failure: -1 on the next check
    session.do("marchen.lose_momentum", who="ann")
    again = later(session)
    assert total(ann(again), "stamina") == -1
    assert plan(ann(again), "stamina").call.named_arguments()["advantage"] == "disadvantage"
    text = " ".join(sheet_text(book().sheet(ann(again), OPTIONS, library())).split())
    assert "On the next check the price -1, a disadvantage" in text
    again.do("table.check", who="ann", what="stamina")
    again.type_in([4, 5, 4, 4])
    assert "degree fail in style" in words(again)[-1]  # 8 - 1
    after = later(again)
    assert (status(after).nexts, status(after).hindered) == ((), False)
    for dm, reason in ((2, " " * 70), (1, "x" * 90)):
        after.do("marchen.gain_help", who="ann", dm=dm, reason=reason)
    assert [(one.name, one.dm) for one in status(later(after)).nexts] == [("help", 2), ("x" * 60, 1)]


@pytest.mark.rule("marchen.puncti.negotiate", "marchen.puncti.compel", "marchen.aid.helper_dm")
@pytest.mark.rule("marchen.ounces.lose_momentum")
@pytest.mark.parametrize(
    ("process", "faces", "given", "expected"),
    [
        ("negotiate", [6, 6, 2, 2, 5, 5, 2, 3], {"who": "ann", "against": "bob"}, -1),  # 4 + 3 against 5 + 3
        ("compel", [6, 6, 3, 3, 6, 6, 2, 3], {"who": "ann", "against": "bob"}, True),
        # 2 + 2 + 3, and 1 of the helper with 3 + 2 + 3
        ("aid", [6, 6, 1, 2, 6, 6, 1, 1], {"who": ["ann", "bob"], "what": "athletics", "leader": "ann"}, 0),
    ],
)
def test_both_who_take_part_use_up_what_waits_for_them(
    process: str, faces: list[int], given: dict[str, Any], expected: Any
) -> None:
    skills = {"persuasion": 0, "insight": 0, "athletics": 2}
    session = helped(together(hero(skills=skills), hero("Bob", skills=skills)), "ann", "bob")
    result = done(session, process, faces, **given)
    assert getattr(result, "margin", getattr(result, "effect", result)) == expected
    assert (waits(session, "ann"), waits(session, "bob")) == ((0, False), (0, False))


@pytest.mark.rule("marchen.group.check", "marchen.ounces.lose_momentum")
def test_each_roll_has_a_luck_of_its_own() -> None:
    assert odds(group((0, 2), luck=("none", "none"))) == odds(group((0, 2)))
    worse = odds(group((2, 0), luck=("disadvantage",)))
    plain, hindered = odds(check(modifier=0)), odds(check(modifier=2, advantage="disadvantage"))
    won = [one.expected(succeeded) for one in (plain, hindered)]
    assert worse[GroupResult(2, True)] == won[0] * won[1]
    assert play(aided((0,), helpers_luck=("disadvantage",)), TypedDice([6, 6, 1, 1, 6, 6])).result.effect == 2
    assert play(treat(0, advantage="disadvantage"), TypedDice([6, 6, 1, 1])).result == -1
    assert play(withstand(0, advantage="disadvantage"), TypedDice([6, 6, 1, 2])).result == 2
    assert play(battle(0, 0, advantage="disadvantage"), TypedDice([6, 6, 1, 1, 2, 2])).result.winner == "b"
    assert play(battle(0, 0, foe_advantage="disadvantage"), TypedDice([4, 4, 6, 6, 1, 1])).result.winner == "a"


@pytest.mark.rule("marchen.puncti.enter_the_fray", "marchen.gap.fight.battle", "marchen.ounces.lose_momentum")
def test_fighters_and_leaders_of_a_battle_use_up_what_waits_for_them() -> None:
    session = duel()
    for who in ("ann", "bob"):
        session.do("marchen.gain_help", who=who, **NEXT)
    session.do("marchen.encounter")
    go_on(session, [3, 3], [1, 1])
    assert [session.scene[who].status.effect for who in ("ann", "bob")] == [1, -3]
    assert (waits(session, "ann"), waits(session, "bob")) == ((0, False), (0, False))
    session = helped(duel(), "ann", "bob")
    done(session, "fight_battle", [6, 6, 1, 1, 6, 6, 1, 2, 1, 1, 1, 1, 1, 1], side="party", against="foes")
    assert (waits(session, "ann"), waits(session, "bob")) == ((0, False), (0, False))
    assert status(session).physical == 3  # 3 + 3 against 2 + 3, without a bonus
    assert status(session, "bob").physical == 1  # half of 3


@pytest.mark.rule("marchen.puncti.check_gear", "marchen.ounces.lose_momentum")
def test_looking_for_gear_is_a_check_like_others() -> None:
    session = alone(hero(supply=1, songs=("The road",)))
    done(session, "gain_help", who="ann", dm=2)
    done(session, "sing", who="ann", song="The road")
    assert done(session, "check_gear", [2, 2], who="ann", item="a rope")  # 4 + 1 + 2 + 1: a tie
    assert (ann(session).supply, status(session).nexts) == (0, ())
    done(session, "lose_momentum", who="ann")
    assert not done(session, "check_gear", [6, 6, 3, 4], who="ann", item="a rope")
    assert not status(session).hindered
    assert done(session, "check_gear", [4, 4], who="ann", item="a rope")


@pytest.mark.rule("marchen.aid.limit")
def test_helpers_for_whom_there_is_no_room_have_made_no_check() -> None:
    helpers = [somebody(one, skills={"athletics": 2}) for one in ("Bob", "Cid")]
    session = together(hero(skills={"athletics": 2}, muscle=4), *helpers, max_helpers=1)
    for who in ("ann", "bob", "cid"):
        done(session, "gain_help", who=who, dm=1)
    done(session, "aid", [4, 4, 4, 4], who=("ann", "bob", "cid"), what="athletics")
    assert [len(session.scene[who].status.nexts) for who in ("ann", "bob", "cid")] == [0, 0, 1]


# ---------------------------------------------------------------------- preparations


READY = "an advantage in"
STRIKE = ActionUse("strike", "bob", "sword")


def boon(matter: str, dm: int = 3) -> tuple[Boon, ...]:
    """Preparations for a matter."""
    return (Boon(name=f"{READY} {matter}", dm=dm, matter=matter),)


def left(session: Session, who: str) -> list[str]:
    """The boons that are left."""
    return [one.name for one in session.scene[who].character.boons]


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.chain.dm")
def test_preparations_count_once_and_for_better_or_worse() -> None:
    session = week(alone(hero(skills={"insight": 0})), "secure_advantage:insight", [4, 5])
    week(session, "secure_advantage:insight", [6, 6])  # the first sigma counts for the second check: 12 + 1
    assert [(one.name, one.dm, one.uses) for one in ann(session).boons] == [(f"{READY} Insight", 3, 1)]
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


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.gap.casting.depths")
def test_preparations_for_a_spiritual_skill_count_for_one_deed() -> None:
    session = alone(hero(skills={"arcana": 1}, boons=boon("Arcana", 2)))
    words: dict[str, Any] = {"who": "ann", "skill": "arcana", "depth": "sense"}
    assert done(session, "cast_deed", [2, 1], **words).degree == "tie"  # 3 + 1 + 2, and 2 for a routine task
    assert not ann(session).boons
    assert done(session, "cast_deed", [2, 1], **words).degree == "minor_fail"


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.play.basic_process")
def test_decisions_of_the_referee_use_up_no_preparations() -> None:
    session = alone(hero(skills={"perception": 0}, boons=boon("Perception")))
    for outcome in ("success", "failure"):
        session.do("table.check", who="ann", what="perception", situation=(f"automatic={outcome}",))
        assert left(session, "ann")
    session.do("table.check", who="ann", what="perception", situation=("passive=yes",))
    assert not left(session, "ann")


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.attack.is_skill_check")
def test_preparations_for_a_skill_count_for_one_blow() -> None:
    session = begun(duel(fighter("Ann", boons=boon("Melee Combat")), fighter("Bob")))
    sword = arms_of(session.scene, "ann")["sword"]
    assert attack_dm(session.scene, "ann", "bob", sword) == 3
    assert attack_tally(session.scene, "ann", "bob", sword).total == 3
    go_on(session, "strike:bob:sword", "none", [3, 2], [1, 1, 1], [1, 1])
    assert not left(session, "ann")
    assert attack_dm(session.scene, "ann", "bob", sword) == 0
    after = rulebook.foresee(begun(duel(fighter("Ann", boons=boon("Melee Combat")))).scene, "ann", STRIKE)
    assert after
    assert not any(scene["ann"].character.boons for scene, _ in after)


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.ounces.clash", "marchen.puncti.battle")
def test_preparations_for_a_skill_count_for_one_answer_or_battle() -> None:
    far = fighter("Bob", belongings=(), boons=(*boon("Acrobatics", 4), *boon("acuity", 2), *boon("Stealth")))
    session = duel(fighter("Ann", skills={"melee_combat": 0, "deception": 0}), far)
    assert skill_total(session.scene, "bob", "acrobatics") == 1  # untrained
    assert answering(session.scene, "bob", "ann", "mental")[1] == 2
    begun(session, first=3, second=2)
    go_on(session, "clash:bob:fright", [3, 3], [3, 2])  # 6 against 5 + 2: nothing is done
    assert left(session, "bob") == [f"{READY} Acrobatics", f"{READY} Stealth"]
    session = duel(fighter("Ann", boons=boon("Melee Combat")), fighter("Bob", boons=boon("Stealth")))
    fought = done(session, "fight_battle", [4, 5, 5, 6, 1, 1, 1], side="party", against="foes")
    assert fought.winner == "a"  # 9 + 3 against 11
    assert (left(session, "ann"), left(session, "bob")) == ([], [f"{READY} Stealth"])


# ---------------------------------------------------------------------- boons and songs


@pytest.mark.rule("marchen.sojourn.patrol_wild", "marchen.opposed.resolve")
def test_boons_help_with_what_they_are_for_and_are_used_up() -> None:
    wild: SkillId = "physical_sciences_survival"
    lore, merry = Boon(name="Wilderness-lore", skills=(wild,), uses=2), Boon(name="Merry", aspect="social")
    one = somebody(skills={wild: 0}, boons=(lore, merry))
    assert total(one, wild, boon="wilderness-lore") == 1
    assert total(one, "etiquette", boon="Merry") == -3 + 1
    assert total(one, "social", boon="Merry") == 1
    for name in ("Merry", "Wilderness-lore", "Firemaking"):
        with pytest.raises(IllegalActionError):
            plan(one, "stealth", boon=name)
    session = together(one)
    for what, name, kept in (
        (wild, "Wilderness-lore", {"Wilderness-lore": 1, "Merry": 1}),
        ("etiquette", "Merry", {"Wilderness-lore": 1}),
    ):
        done(session, "table.check", [3, 4], who="ann", what=what, situation=(f"boon={name}",))
        assert {boon.name: boon.uses for boon in ann(session).boons} == kept
    counsel = (Boon(name="counsel", circumstance=True),)
    session = together(hero(boons=counsel), hero("Bob", boons=counsel))
    given = {"situation": ["boon=counsel"], "other_situation": ["boon=counsel"]}
    result = done(session, "table.contest", [4, 4, 4, 3], who="ann", against="bob", what="persuasion", **given)
    assert result.margin == 1
    assert [session.scene[who].character.boons for who in ("ann", "bob")] == [(), ()]


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
    def sung(session: Session) -> Session:
        for song in ("Lay", "Air"):
            session.do("marchen.sing", who="ann", song=song)
        return session

    one = hero(skills={"persuasion": 0}, patrons=("Otto",), songs=("Lay", "Air"))
    session = season(alone(one), "meet_patron:Otto")
    name = "counsel of Otto"
    assert [total(ann(session), "persuasion", boon=name, helps=helps) for helps in (0, 1)] == [1, 1]
    assert total(ann(session), "persuasion", boon=name, hampers=1) == 0
    assert total(ann(session), "persuasion", options(circumstance_stack=True), boon=name, helps=1) == 2
    given = [f"boon={name}", "helps=1"]
    assert done(sung(session), "table.check", [4, 4], who="ann", what="persuasion", situation=given).effect == 1
    assert ann(session).boons == ()
    for stack, helps in ((True, 2), (False, 1)):
        scene = sung(alone(one, circumstance_stack=stack)).scene
        assert skill_total(scene, "ann", "persuasion") == readied(scene, "ann", "persuasion").tally.total == helps
    scene = sung(duel(fighter("Ann", songs=("Lay", "Air")))).scene
    arms = arms_of(scene, "ann")["sword"]
    assert attack_dm(scene, "ann", "bob", arms) == attack_tally(scene, "ann", "bob", arms).total == 1
