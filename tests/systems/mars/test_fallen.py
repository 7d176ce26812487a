"""The fallen and the blind: who lies on the ground can be struck, who sees nothing strikes and helps badly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import act, duel, effect, fighter, offered, place, session_with
from systems.mars.people import OPTIONS, do, session_of
from systems.playing import events, status
from tablewright.engine import Trace
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.policies import POLICIES
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.attack import targets
from tablewright.systems.mars.actions.maneuver_uses import check_step, known_uses
from tablewright.systems.mars.actions.maneuvers import check_throw
from tablewright.systems.mars.bots import rate
from tablewright.systems.mars.character.record import MarsCharacter, MarsEffect, Wounds
from tablewright.systems.mars.content import Maneuver
from tablewright.systems.mars.events.attack import AttackDeclared
from tablewright.systems.mars.events.harm import Fell
from tablewright.systems.mars.now import now
from tablewright.systems.mars.options import MarsOptions

HERO = fighter("Ann", ["staff"], skills={"martial": "r8", "medicine": "r4"}, maneuvers=("feint", "heavy_strike"))
FOE = fighter("Bob", ["club"])
DOWN = (MarsEffect("unconscious"), MarsEffect("prone"))


def three(*, hero: MarsCharacter = HERO, options: MarsOptions | None = None, **theirs: Any) -> Session:
    """One against two, of whom `bob` lies on the ground."""
    table = options or OPTIONS
    down: dict[str, Any] = {"effects": DOWN, "endurance": 0, "health": 0, **theirs}
    people = [
        place(hero, "party", (10, 10), who="ann", options=table),
        place(FOE, "foes", (11, 10), who="bob", options=table, **down),
        place(FOE, "foes", (9, 10), who="cat", options=table),
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
    session = three()
    hidden = session.scene["bob"]
    scene = session.scene.with_participant(type(hidden)(**{**_fields(hidden), "hidden": True}))
    assert [one.id for one in targets(scene, "ann")] == ["cat"]


def _fields(one: Any) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("id", "name", "side", "seat", "character", "status", "position")}


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


# ---------------------------------------------------------------------- blind


@pytest.mark.rule("mars.effect.blind")
def test_the_blind_have_disadvantage_in_maneuvers_that_check() -> None:
    for effects, expected in (((), 0), ((MarsEffect("blind"),), 1)):
        session = duel(HERO, FOE, mine={"effects": effects})
        feint = session.scene.library.get(Maneuver, "feint")
        step = check_step(feint.steps)
        assert step is not None
        assert check_throw(session.scene, "ann", step, (), False).disadvantage == expected
        session.do("mars.perform", who="ann", use="maneuver:bob:feint")
        assert session.playing is not None
        assert session.playing.calls[-1].named_arguments()["disadvantage"] == expected


@pytest.mark.rule("mars.effect.blind")
def test_the_blind_have_disadvantage_in_checks_that_are_aimed_and_only_in_those() -> None:
    blind = duel(HERO, FOE, mine={"effects": (MarsEffect("blind"),)})
    me = now(blind.scene, "ann")
    assert me.skill("charisma", aimed=True).disadvantage == 1
    assert me.skill("charisma").disadvantage == 0
    assert now(blind.scene, "bob").skill("charisma", aimed=True).disadvantage == 0


@pytest.mark.rule("mars.effect.blind", "mars.gap.recovery.stabilise")
def test_the_blind_help_badly() -> None:
    dying = (MarsEffect("dying"), *DOWN)
    for effects, faces in (((), (9, 1)), ((MarsEffect("blind"),), (9, 1, 9))):
        people = [
            place(HERO, "party", (10, 10), who="ann", effects=effects),
            place(FOE, "party", (11, 10), who="bob", effects=dying, health=-1, endurance=0),
            place(FOE, "foes", (20, 10), who="cat"),
        ]
        session = session_with(people)
        act(session, "stabilise:bob", faces=[faces])
        assert not effect(session, "bob", "dying")
    outside = session_of({"ann": HERO, "bob": FOE.changed(wounds=Wounds(health=3))})
    do(outside, "mars.afflict", who="ann", effect="blind")
    do(outside, "mars.long_rest", who=["bob"], healer="ann", faces=[(9, 1, 8)])
    assert not outside.scene["bob"].character.day.treated
