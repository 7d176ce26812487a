"""The fallen: what is lost first, unconsciousness, dying, and what still happens to those who lie on the ground."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.mars.fights import (
    CAPTAIN,
    DOWN,
    DYING,
    FOE,
    HERO,
    RIVAL,
    STILL,
    act,
    at_turn_start,
    before_turn,
    closed,
    duel,
    effect,
    fighter,
    offered,
    place,
    session_with,
)
from systems.mars.people import OPTIONS, alone, do, person, scene_of, session_of, somebody
from systems.playing import answer, events, go, status
from tablewright.engine import Trace
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import Facts
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.policies import POLICIES
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.attack import targets
from tablewright.systems.mars.actions.maneuver_uses import known_uses
from tablewright.systems.mars.book import rulebook
from tablewright.systems.mars.bots import rate
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect, Wounds
from tablewright.systems.mars.events.attack import AttackDeclared
from tablewright.systems.mars.events.harm import Died, Fell, HealthLost, Stabilised, Tolerated, Woke
from tablewright.systems.mars.harm import Loss, lose_health, wake_if_recovered
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import leave

STAFF = fighter("Ann", ["staff"], skills={"martial": "r8", "medicine": "r4"}, maneuvers=("feint", "heavy_strike"))


@pytest.mark.rule("mars.effect.unconscious")
def test_a_character_who_goes_down_is_prone_and_does_nothing() -> None:
    session = duel(HERO, FOE, theirs={**STILL, "endurance": 3, "health": 4})
    go(session, "mars.hazard", who="bob", damage="r0+7", source="a rock", faces=[()])
    assert [one.fate.value for one in events(session, Fell)] == ["unconscious"]
    assert {one.kind for one in status(session, "bob").effects} == {"unconscious", "prone"}
    assert not status(session, "bob").conscious
    assert closed(session, "attack", "bob")[1] == "mars.effect.unconscious"
    assert session.scene.ended is None


@pytest.mark.rule("mars.effect.unconscious")
@pytest.mark.parametrize("rule", ["recovery", "noise"])
def test_waking_up(rule: Any) -> None:
    down = {"effects": (MarsEffect("unconscious"), MarsEffect("prone")), "health": 0, "endurance": 0}
    session = duel(HERO, FOE, theirs=down, options=MarsOptions(wake_rule=rule))
    if rule == "recovery":
        with pytest.raises(IllegalActionError, match="nothing but recovery helps"):
            go(session, "mars.disturb", who="bob")
    else:
        go(session, "mars.disturb", who="bob")
        assert events(session, Woke)
        assert [one.kind for one in status(session, "bob").effects] == ["prone"]
    asleep = duel(HERO, FOE, theirs={"effects": (MarsEffect("unconscious", source="sleep"),)})
    go(asleep, "mars.disturb", who="bob")
    assert status(asleep, "bob").conscious
    dying = duel(HERO, FOE, theirs={"effects": DYING, "health": -1}, options=MarsOptions(wake_rule=rule))
    with pytest.raises(IllegalActionError, match="dying"):
        go(dying, "mars.disturb", who="bob")


def doomed(health: int, **more: Any) -> Session:
    """A fight in which the turn of `ann`, who is dying, is about to begin."""
    return before_turn(HERO, FOE, **{"effects": DYING, "health": health, "endurance": 0, **more})


@pytest.mark.rule("mars.effect.dying")
def test_dying_in_a_scene() -> None:
    session = at_turn_start(doomed(-4), faces=[(6, 5)])  # 11: seven above
    dying = effect(session, "ann", "dying")
    assert dying is not None
    assert (dying.successes, dying.failures) == (2, 0)
    assert session.seat == "bob"
    answer(session, "end_turn", "end_turn")  # bob's and cid's
    assert [one.amount for one in events(session, HealthLost)] == [1]
    assert status(session).health == -5
    answer(session, "begin_turn", (3, 2))
    assert events(session, Stabilised)
    assert effect(session, "ann", "unconscious")
    assert status(session).health == -5


@pytest.mark.rule("mars.effect.dying")
def test_the_end_of_dying() -> None:
    whole = at_turn_start(doomed(0), faces=[])  # without a roll
    assert events(whole, Stabilised)
    assert effect(whole, "ann", "unconscious")
    for faces, dead in (((2, 3), True), ((3, 3), False)):  # a failure is the third, a graze is none
        session = at_turn_start(doomed(-12, effects=(MarsEffect("dying", failures=2), *DOWN)), faces=[faces])
        assert (bool(events(session, Died)), status(session).dead) == (dead, dead)


@pytest.mark.rule("mars.effect.dying", "mars.damage.thresholds")
def test_more_damage_raises_the_difficulty_and_nothing_else() -> None:
    session = duel(
        HERO, FOE, theirs={"effects": (MarsEffect("dying", failures=1), *DYING[1:]), "health": -2, "endurance": 0}
    )
    go(session, "mars.hazard", who="bob", damage="r0+5", faces=[()])
    assert status(session, "bob").health == -7
    dying = effect(session, "bob", "dying")
    assert dying is not None
    assert dying.failures == 1
    assert not events(session, Fell)


@pytest.mark.rule("mars.damage.thresholds")
@pytest.mark.parametrize("counts", ["apply", "damage_only"])
def test_health_lost_without_damage(counts: Any) -> None:
    scene = duel(
        HERO, FOE, theirs={"health": 0, "endurance": 5}, options=MarsOptions(health_loss_thresholds=counts)
    ).scene
    game = lost(scene, 2)
    assert (game["bob"].status.health, game["bob"].status.endurance) == (-2, 5)
    assert game["bob"].status.has("dying") is (counts == "apply")


def lost(scene: Scene, amount: int) -> Game:
    """The game after bob has lost some health to a sickness; nothing may be asked."""
    game = Game(scene, rulebook)
    with pytest.raises(StopIteration):
        lose_health(game, "bob", amount, "sickness", cause="mars.effect.sickness_daily").send(None)
    return game


DIEHARD = fighter("Bob", RES="r14", talents={"diehard": 1})


@pytest.mark.rule("mars.gap.talent.senses", "mars.effect.dying")
@pytest.mark.parametrize("stays", [True, False])
def test_the_diehard_choose_whether_to_stay_conscious(stays: bool) -> None:
    session = duel(HERO, DIEHARD, theirs={**STILL, "endurance": 0, "health": 1})
    go(session, "mars.hazard", who="bob", damage="r0+3", faces=[()], choices={"stay conscious": str(stays)})
    assert effect(session, "bob", "dying")
    assert status(session, "bob").conscious is stays
    own = before_turn(DIEHARD, FOE, effects=DYING, health=-4, endurance=0)
    own.do("mars.encounter")
    own.choose("begin_turn")
    assert own.playing is not None
    assert own.playing.calls[0].named_arguments()["advantage"] == 1


@pytest.mark.rule("mars.gap.ancestry.abilities")
def test_pain_tolerance() -> None:
    orc = person("berserker")
    session = duel(HERO, orc, theirs={**STILL, "endurance": 4})
    go(session, "mars.hazard", who="bob", damage="r0+12", faces=[()])
    assert (status(session, "bob").endurance, status(session, "bob").health) == (0, status(session, "bob").most.health)
    assert events(session, Tolerated)
    go(session, "mars.hazard", who="bob", damage="r0+5", faces=[()])
    assert status(session, "bob").health == status(session, "bob").most.health - 3  # once, and 2 are stopped by armour


@pytest.mark.rule("mars.gap.creature.ranks", "mars.damage.thresholds")
@pytest.mark.parametrize(("rank", "down"), [("", False), ("common", True)])
def test_common_creatures_are_out_without_endurance(rank: Any, down: bool) -> None:
    session = duel(HERO, FOE.changed(rank=rank), theirs={**STILL, "endurance": 4})
    go(session, "mars.hazard", who="bob", damage="r0+4", faces=[()])
    assert status(session, "bob").conscious is not down


@pytest.mark.rule("mars.encounter.simple_enemies")
@pytest.mark.parametrize("counts", [False, True])
def test_simple_enemies_fall_to_any_hit(counts: bool) -> None:
    options = MarsOptions(simple_enemies_one_hit=counts)
    session = duel(HERO, FOE.changed(rank="simple"), theirs=STILL, options=options)
    act(session, "attack:bob:club", faces=[(2,), (8,), (1, 1)])  # a graze
    assert status(session, "bob").conscious is not counts
    flagged = duel(HERO, FOE, theirs=STILL, options=options, facts=Facts().set("simple", "bob", "yes"))
    act(flagged, "attack:bob:club", faces=[(2,), (8,), (1, 1)])
    assert status(flagged, "bob").conscious is not counts


@pytest.mark.rule("mars.effect.unconscious", "mars.effect.prone")
def test_a_character_who_is_carried_away_unconscious_still_lies() -> None:
    down = (MarsEffect("unconscious"), MarsEffect("prone"))
    session = duel(HERO, FOE, mine={"effects": down}, theirs={"effects": (MarsEffect("prone"),)})
    assert leave(session.scene, "ann").wounds.effects == down
    assert leave(session.scene, "bob").wounds.effects == ()


@pytest.mark.rule("mars.effect.unconscious", "mars.gap.talent.senses")
@each_case(
    ("use", "faces", "awake"),
    [
        ("maneuver:bob:concussive_strike/mace", [(10, 8), (1, 1), (1, 1, 1), (1, 1)], False),
        ("attack:bob:mace", [(10, 8), (1, 1), (1, 1)], True),  # wounds alone do not do it
    ],
)
def test_a_character_who_stays_awake_while_dying_can_be_knocked_out(use: str, faces: Any, awake: bool) -> None:
    session = duel(CAPTAIN, DIEHARD, theirs={"health": -3, "endurance": 0, "effects": (MarsEffect("dying"),)})
    act(session, use, faces=faces)
    assert status(session, "bob").conscious is awake
    assert effect(session, "bob", "dying") is not None  # still dying


@pytest.mark.rule("mars.effect.unconscious", "mars.concentration.break")
@pytest.mark.parametrize(
    ("process", "arguments"),
    [
        ("mars.concentrate", {"on": "a song"}),
        ("mars.find", {"item": "rope"}),
        ("mars.eat", {"meals": 1}),
        ("mars.fill", {}),
        ("table.check", {"what": "athletics"}),
        ("table.check", {"what": "medicine"}),
    ],
)
def test_the_unconscious_do_nothing_outside_fights_either(process: str, arguments: dict[str, Any]) -> None:
    asleep = Wounds(health=0, endurance=0, effects=DOWN)
    session = alone(person("magister", wounds=asleep))
    before = session.scene
    with pytest.raises(IllegalActionError, match="conscious"):
        session.do(process, who="ann", **arguments)
    assert session.scene == before


@pytest.mark.rule("mars.effect.unconscious", "mars.effect.dying")
def test_unconscious_characters_roll_what_happens_to_them() -> None:
    session = alone(person("magister", wounds=Wounds(health=0, endurance=0, effects=DOWN)))
    do(session, "table.check", who="ann", what="FORT", faces=[(5, 5)])
    do(session, "table.check", who="ann", what="perception", faces=[(5,)])  # a noise may be heard
    assert len([line for line in session.log if isinstance(line, Trace)]) == 2


@pytest.mark.rule("mars.gap.ancestry.abilities", "mars.damage.endurance_first")
@each_case(
    ("ancestry", "endurance", "tolerated", "lost", "spared"),
    [
        ("orc", 3, False, (3, 0), True),  # the excess of two is lost
        ("orc", 1, False, (1, 0), True),
        ("orc", 0, False, (0, 5), False),  # there was nothing left to reach 0
        ("orc", 5, False, (5, 0), False),  # no excess
        ("orc", 3, True, (3, 2), False),  # once an encounter
        ("human", 3, False, (3, 2), False),
    ],
)
def test_pain_tolerance_spares_what_goes_beyond_endurance(
    ancestry: str, endurance: int, tolerated: bool, lost: tuple[int, int], spared: bool
) -> None:
    one = fighter("Bob", ancestry=ancestry)
    loss = Loss(duel(HERO, one, theirs={"endurance": endurance, "tolerated": tolerated}).scene, "bob", 5)
    assert (loss.endurance, loss.health, loss.spared) == (*lost, spared)


@pytest.mark.rule("mars.gap.ancestry.abilities")
def test_pain_is_tolerated_the_first_time_that_endurance_is_used_up() -> None:
    session = duel(HERO, fighter("Bob", ancestry="orc"), theirs={"endurance": 4})
    go(session, "mars.hazard", who="bob", damage="r0+4", reduced="never", faces=[()])  # none of it goes beyond
    loss = Loss(session.scene.with_status("bob", endurance=5), "bob", 8)
    assert (loss.endurance, loss.health, loss.spared) == (5, 3, False)


@pytest.mark.rule("mars.effect.sickness_daily", "mars.damage.thresholds")
@each_case(("amount", "times"), [(-1, 0), (0, 0), (1, 1), (2, 1)])
def test_nothing_lost_is_no_event(amount: int, times: int) -> None:
    scene = duel(HERO, FOE).scene
    game = lost(scene, amount)
    assert game["bob"].status.health == 10 - times * amount
    assert (game.scene is scene) == (times == 0)


@pytest.mark.rule("mars.gap.ancestry.abilities")
def test_pain_outside_of_encounters_is_no_matter_in_the_next_one() -> None:
    session = session_of({"ann": fighter("Ann", ancestry="orc")})
    for _ in range(2):
        do(session, "mars.hazard", who="ann", damage="r0+30", reduced="never", faces=[()])
        assert (status(session).endurance, status(session).health) == (0, 11)
        do(session, "table.rule", who="ann", field="endurance", value="11", reason="a rest")
    assert not status(session).tolerated


@pytest.mark.rule("mars.effect.unconscious", "mars.effect.dying")
@each_case(
    ("health", "endurance", "effects", "awake"),
    [
        (0, 0, DOWN, False),
        (1, 0, DOWN, True),
        (0, 1, DOWN, True),
        (-1, 1, DOWN, True),
        (-1, 0, DOWN, False),
        (-1, 1, DYING, False),
        (0, 1, DYING, True),  # health of 0 ends dying first
        (0, 0, DYING, False),
    ],
)
def test_one_point_wakes_up_who_is_not_dying(
    health: int, endurance: int, effects: tuple[MarsEffect, ...], awake: bool
) -> None:
    one = somebody(wounds=Wounds(health=health, endurance=endurance, effects=effects))
    game = Game(scene_of({"ann": one}), rulebook)
    wake_if_recovered(game, "ann")
    assert game["ann"].status.conscious is awake
    assert game["ann"].status.has("dying") is (effects == DYING and health < 0)


# ---------------------------------------------------------------------- the fallen and their foes


def three(*, hero: MarsCharacter = STAFF, options: MarsOptions | None = None, **theirs: Any) -> Session:
    """One against two, of whom `bob` lies on the ground."""
    table = options or OPTIONS
    down: dict[str, Any] = {"effects": DOWN, "endurance": 0, "health": 0, **theirs}
    people = [
        place(hero, "party", (10, 10), who="ann", options=table),
        place(RIVAL, "foes", (11, 10), who="bob", options=table, **down),
        place(RIVAL, "foes", (9, 10), who="cat", options=table),
    ]
    return session_with(people, options=table)


@pytest.mark.rule("mars.attack.procedure", "mars.effect.unconscious", "mars.damage.nonlethal")
def test_the_fallen_can_be_attacked_while_others_stand() -> None:
    session = three()
    assert [one.id for one in targets(session.scene, "ann")] == ["cat", "bob"]
    attacks = [one for one in offered(session) if one.startswith("attack")]
    assert attacks == ["attack:cat:staff", "attack:bob:staff", "attack:cat:unarmed", "attack:bob:unarmed"]
    act(session, "attack:bob:staff", faces=[(5, 5, 5, 5), (4,), (6, 6)])
    (attack,) = events(session, AttackDeclared)
    assert attack.blow.advantage == 2  # unseen and prone
    assert [one.fate.value for one in events(session, Fell)] == ["dying"]
    assert effect(session, "bob", "dying")


@pytest.mark.rule("mars.attack.procedure")
def test_the_dead_cannot_be_attacked_and_the_hidden_neither() -> None:
    assert [one.id for one in targets(three(dead=True).scene, "ann")] == ["cat"]
    scene = three().scene
    hidden = scene.with_participant(replace(scene["bob"], hidden=True))
    assert [one.id for one in targets(hidden, "ann")] == ["cat"]


@pytest.mark.rule("mars.effect.unconscious", "mars.damage.nonlethal")
@pytest.mark.parametrize(("helpless", "faces"), [("roll", [(3,)]), ("passive", [()]), ("none", [()])])
def test_the_helpless_defend_as_the_table_says(helpless: Any, faces: list[tuple[int, ...]]) -> None:
    session = three(options=replace(OPTIONS, helpless_defence=helpless))
    act(session, "attack:bob:staff", faces=[(1, 1, 1, 1), *faces, (5, 5)])
    against = next(line.call.named_arguments() for line in session.log if isinstance(line, Trace))["deflection"]
    assert str(against) == {"roll": "r10", "passive": "r0+5", "none": "r0"}[helpless]


@pytest.mark.rule("mars.gap.maneuver.list")
def test_nobody_feints_at_who_lies_unconscious() -> None:
    uses = [use.id for use in known_uses(three().scene, "ann")]
    assert [use for use in uses if "feint" in use] == ["maneuver:cat:feint"]
    assert "maneuver:bob:heavy_strike/staff" in uses


@pytest.mark.parametrize("policy", ["aggressive", "careful"])
def test_bots_let_the_fallen_lie(policy: str) -> None:
    session = three()
    for use in ("attack:bob:staff", "trip:bob:staff", "maneuver:bob:heavy_strike/staff"):
        rating = rate(session.scene, "ann", ActionUse(*use.split(":")))
        assert rating.harm + rating.safety - rating.cost < 0
    session.do("mars.encounter")
    while status(session, "cat").conscious and session.scene.round < 6 and session.question is not None:
        question: Any = session.question
        if hasattr(question, "ids"):
            session.choose(question.ids[POLICIES[policy](session, question)])
        else:
            session.roll()
    struck = {one.target for one in events(session, AttackDeclared) if one.who == "ann"}
    assert struck == {"cat"}
