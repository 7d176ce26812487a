"""Rulings: numbers, advantage and facts that the game master adds to whatever is rolled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import CAPTAIN, DYING, FOE, HERO, RIVAL, act, aimed, calls, duel
from systems.mars.people import do, session_of
from tablewright.errors import InvalidInputError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.scene.scene import Modifier
from tablewright.game.session.session import Session
from tablewright.systems.mars.actions.aim import aim, defending
from tablewright.systems.mars.character.record import Wounds
from tablewright.systems.mars.now import now, rulings


def modified(session: Session, what: str, value: int = 3, who: str | None = None) -> Session:
    """The game master adds a number to something."""
    session.do("table.modify", what=what, value=value, reason="a blessing", who=who)
    return session


@pytest.mark.rule("mars.advantage.sources")
@pytest.mark.parametrize(
    ("process", "given", "told"),
    [
        ("table.modify", {"what": "advantage", "value": 1, "reason": "high ground"}, "no rule reads a modifier of"),
        ("table.modify", {"what": "agilty", "value": 1, "reason": "high ground"}, 'did you mean "agility"'),
        ("table.set_fact", {"who": "ann", "fact": "high_ground", "value": "yes"}, "no rule reads the fact"),
        ("table.set_fact", {"who": "ann", "fact": "advantag", "value": "1"}, 'did you mean "advantage"'),
    ],
)
def test_unread_modifiers_are_refused(process: str, given: dict[str, Any], told: str) -> None:
    session = duel(CAPTAIN, RIVAL)
    with pytest.raises(InvalidInputError, match=told):
        session.do(process, **given)


@pytest.mark.rule("mars.advantage.sources", "mars.advantage.advantage")
@pytest.mark.parametrize(("fact", "value", "pair"), [("advantage", "2", (2, 0)), ("disadvantage", "rain", (0, 1))])
def test_the_game_master_grants_advantage_to_an_attack(fact: str, value: str, pair: tuple[int, int]) -> None:
    session = duel(CAPTAIN, RIVAL)
    session.do("table.set_fact", who="ann", other="bob", fact=fact, value=value)
    blow = aimed(session.scene)
    assert (blow.advantage, blow.disadvantage) == pair
    assert aimed(session.scene, "bob", "ann").advantage == 0
    session.do("table.set_fact", who="ann", other="bob", fact=fact)  # it is over
    assert aimed(session.scene).advantage == 0


@pytest.mark.rule("mars.advantage.sources")
@pytest.mark.parametrize(("what", "situation"), [("agility", ()), ("skill", ("name=agility",))])
def test_a_modifier_of_one_check_counts_under_either_name(what: str, situation: tuple[str, ...]) -> None:
    session = duel(CAPTAIN, RIVAL)
    session.do("table.check", who="ann", what=what, situation=situation, plus=3, because="a blessing")
    session.roll()
    assert calls(session, "mars.check")[-1]["roll_value"].modifier == 3


DYING_BOB = RIVAL.changed(wounds=Wounds(health=-1, endurance=0, effects=DYING))


@pytest.mark.rule("mars.effect.dying", "mars.effect.sickness_end", "mars.concentration.break")
@pytest.mark.parametrize(
    ("what", "process", "arguments", "mechanic", "argument"),
    [
        ("FORT", "hold_on", {"who": "bob"}, "mars.dying_check", "fortitude"),
        ("FORT", "fall_sick", {"who": "ann", "degree": 1, "resisted": True}, "mars.check", "roll_value"),
        ("WILL", "afflict", {"who": "ann", "effect": "stunned"}, "mars.concentration", "willpower"),
    ],
)
@pytest.mark.parametrize("value", [0, 3])
def test_numbers_of_the_game_master_count_in_what_is_endured(
    what: str, process: str, arguments: dict[str, Any], mechanic: str, argument: str, value: int
) -> None:
    session = session_of({"ann": CAPTAIN, "bob": DYING_BOB})
    do(session, "mars.concentrate", who="ann", on="a song")
    session = modified(session, what, value) if value else session
    do(session, f"mars.{process}", faces=[(10, 10)] * (2 if process == "hold_on" else 1), **arguments)
    assert calls(session, mechanic)[-1][argument].modifier == value


@pytest.mark.rule("mars.rest.treatment", "mars.gap.recovery.stabilise", "mars.gap.armour.repair")
@pytest.mark.parametrize(
    ("process", "arguments"),
    [
        ("long_rest", {"who": ["cid"], "healer": "ann"}),
        ("stabilise", {"who": "bob", "healer": "ann"}),
        ("repair", {"who": "ann", "item": "small_shield", "workshop": True}),
    ],
)
def test_numbers_of_the_game_master_count_in_help_and_in_repair(process: str, arguments: dict[str, Any]) -> None:
    smith = CAPTAIN.changed(belongings=(ItemStack("small_shield", left=2),))
    people = {"ann": smith, "cid": RIVAL.changed(wounds=Wounds(health=3))}
    session = session_of(people | ({"bob": DYING_BOB} if process == "stabilise" else {}))
    modified(session, "craft" if process == "repair" else "medicine", who="ann")
    do(session, f"mars.{process}", faces=[(9, 2)], **arguments)
    assert str(calls(session, "mars.check")[-1]["roll_value"]) == "r14+3"


@pytest.mark.rule("mars.maneuver.resist", "mars.attack.procedure", "mars.initiative.roll")
def test_numbers_of_the_game_master_count_by_whatever_is_rolled() -> None:
    session = duel(CAPTAIN, RIVAL)
    plain = aim(session.scene, "ann", now(session.scene, "ann").wielded[0], "melee", "bob").blow
    act(session, "maneuver:bob:knock_down/mace", faces=[(9, 8), (1,), (9, 9), (1, 1)])
    assert str(calls(session, "mars.attack")[-1]["resist"]) == "r20"
    for what in ("FORT", "martial", "DEF", "EVA"):
        modified(session, what)
    blow = aim(session.scene, "ann", now(session.scene, "ann").wielded[0], "melee", "bob").blow
    assert blow.attack.modifier - plain.attack.modifier == 3 - 4  # an earlier attack
    both = [defending(session.scene, blow._replace(defence=how)).value.modifier for how in (None, "evade")]
    assert both == [3, 3]
    fresh = modified(duel(CAPTAIN, RIVAL), "FORT")
    act(fresh, "maneuver:bob:knock_down/mace", faces=[(9, 8), (1,), (9, 9), (1, 1)])
    assert str(calls(fresh, "mars.attack")[-1]["resist"]) == "r20+3"


@pytest.mark.rule("mars.attack.sneak")
def test_a_ruling_counts_for_whom_and_what_it_was_made() -> None:
    made = (
        Modifier("attack", 2, "high ground"),
        Modifier("attack", 1, "a blessing", "ann"),
        Modifier("attack", 4, "a curse", "bob"),
        Modifier("damage", 8, "poison"),
    )
    scene = replace(duel(HERO, FOE).scene, modifiers=made)
    assert rulings(scene, "attack", "ann") == (("high ground", 2, None), ("a blessing", 1, None))
    assert rulings(scene, "damage", "bob") == (("poison", 8, None),)
    assert rulings(scene, "defence", "ann") == ()
