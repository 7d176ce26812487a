"""Refusals: to the dead, the down and the retired, in the middle of a fight, and what nobody may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from each_case import each_case
from systems.marchen.acts import done, refusal, why_not
from systems.marchen.fights import SWORD, begun, duel, ruled, three
from systems.marchen.people import DEAD, OUT, OUTCOMES, alone, book, data, hero, plan, somebody, together
from systems.playing import answer as go_on
from systems.playing import status
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session
from tablewright.systems.marchen.character.record import MarchenCharacter

# ---------------------------------------------------------------------- the dead, the down and the retired


LYING: dict[str, Any] = {"down": True}


TRIED: dict[str, dict[str, Any]] = {
    "forage": {"who": "bob"},
    "face_danger": {"who": "bob", "skill": "athletics"},
    "check_gear": {"who": "bob", "item": "rope"},
    "month": {"plans": ("bob=go_riding",)},
    "week": {"plans": ("bob=honor_your_people",)},
    "group_check": {"who": ("ann", "bob"), "what": "athletics"},
    "aid": {"who": ("ann", "bob"), "what": "stamina"},
    "pool": {"who": ("ann", "bob"), "what": "stamina"},
    "chain": {"tasks": ("ann:stamina", "bob:stamina")},
    "work": {"who": "bob", "what": "athletics"},
    "attempt": {"who": "bob", "what": "athletics", "obstacle": "a wall"},
    "cast_deed": {"who": "bob", "skill": "arcana"},
}


def company(**bob: Any) -> Session:
    """Three people, one of whom is in some state."""
    return ruled(together(hero(), hero("Bob"), hero("Cid")), "bob", **bob)


@pytest.mark.rule("marchen.gap.face.outcomes")
@each_case("process", TRIED)
def test_a_down_character_does_nothing(process: str) -> None:
    assert refusal(company(**DEAD), process, **TRIED[process]) == "Bob is dead"
    assert refusal(company(**LYING), process, **TRIED[process]) == "Bob is down"


@pytest.mark.rule("marchen.gap.face.outcomes", "marchen.puncti.negotiate", "marchen.puncti.compel")
@pytest.mark.parametrize("process", ["negotiate", "compel"])
def test_words_need_a_character_who_hears_them(process: str) -> None:
    for who, against in (("ann", "bob"), ("bob", "ann")):
        assert refusal(company(**DEAD), process, who=who, against=against) == "Bob is dead"
        assert refusal(company(**OUT), process, who=who, against=against) == "Bob is unconscious"
    done(company(**LYING), process, [3, 3, 4, 4], who="ann", against="bob")


@pytest.mark.rule("marchen.gap.face.outcomes", "marchen.season.recover")
def test_the_dead_have_no_season_but_the_fallen_recover() -> None:
    assert refusal(company(**DEAD), "season", plans=("bob=recovery",)) == "Bob is dead"
    assert refusal(company(**DEAD), "undertake", who="bob", plan="recovery") == "Bob is dead"
    session = ruled(company(**OUT), "bob", physical=20)
    done(session, "season", plans=("ann=rest", "bob=recovery", "cid=rest"))
    assert (status(session, "bob").physical, status(session, "bob").down) == (0, False)


@pytest.mark.rule("marchen.gap.face.outcomes", "marchen.interrupted.face_death", "marchen.ounces.endure")
def test_a_character_who_has_come_to_an_end_has_nothing_more_to_face() -> None:
    assert refusal(company(**DEAD), "face_the_end", who="bob") == "Bob is dead"
    assert refusal(company(**DEAD), "hurt", who="bob") == "Bob is dead"
    done(company(**OUT), "face_the_end", [4, 4], who="bob")


ACTS: dict[str, dict[str, Any]] = {
    "overcome_destruction": {"who": "ann"},
    "make_connection": {"who": "ann", "person": "Udo"},
    "forge_bond": {"who": "ann", "person": "Otto"},
    "aid_connection": {"who": "ann", "person": "Otto"},
    "compel_connection": {"who": "ann", "person": "Otto"},
    "test_connection": {"who": "ann", "person": "Otto"},
    "take_patron": {"who": "ann", "person": "Udo"},
    "raise_standing": {"who": "ann"},
    "name_heir": {"who": "ann", "heir": "Udo"},
    "write_epilogue": {"who": "ann"},
    "withstand_damage": {"who": "ann", "item": "sword"},
}


@pytest.mark.rule("marchen.gap.face.outcomes")
@each_case("process", ACTS)
def test_the_dead_have_no_life_left_to_live(process: str) -> None:
    session = ruled(together(somebody("Ann", connections={"Otto": 1}, treasure=40, belongings=SWORD)), "ann", **DEAD)
    assert why_not(session, process, **ACTS[process]) == f"Ann is dead [{OUTCOMES}]"


@pytest.mark.rule("marchen.puncti.negotiate", "marchen.puncti.compel", "marchen.season.epilogue")
def test_nobody_talks_themselves_over_and_the_retired_have_no_season() -> None:
    for process in ("negotiate", "compel"):
        assert "would only talk to themselves" in why_not(together(hero()), process, who="ann", against="ann")
    session = together(somebody("Ann", heir="Udo", retired="sage"))
    assert "Ann has retired" in why_not(session, "undertake", who="ann", plan="epilogue:sage")


# ---------------------------------------------------------------------- the list of refusals


def _acts(session: Session, action: str) -> None:
    book().actions.check(session.scene, "ann", ActionUse(action, "bob", "sword"))


def _does(*people: MarchenCharacter, process: str, **given: Any) -> None:
    together(*people).do(f"marchen.{process}", **given)


BEGINNER = somebody(skills={"stealth": 1})
DEEPER = {"process": "advance", "who": "ann", "what": "specialization", "name": "Shadowing", "skill": "stealth"}
MASTER = somebody(skills={"stealth": 2}, specials=[("stealth", "Shadowing", 4)], experience=99)
REFUSED: dict[str, Callable[[], object]] = {
    "specialization_below_skill_1": lambda: _does(somebody(skills={"stealth": 0}, experience=99), **DEEPER),
    "levels_above_4": lambda: _does(MASTER, **DEEPER),
    "aid_below_gate": lambda: _does(
        BEGINNER, BEGINNER.changed(name="Bob"), process="aid", who=("ann", "bob"), what="stealth"
    ),
    "chain_below_gate": lambda: _does(BEGINNER, process="chain", tasks=("ann:stealth", "ann:athletics")),
    "pool_below_gate": lambda: _does(BEGINNER, process="pool", who=("ann",), what="stealth"),
    "epilogue_without_heir": lambda: _does(BEGINNER, process="write_epilogue", who="ann"),
    "second_heir": lambda: _does(somebody(heir="Oliver"), process="name_heir", who="ann", heir="Hans"),
    "three_rows": lambda: plan(BEGINNER, "stealth", frame="watch", rows=3),
    "past_the_table": lambda: plan(BEGINNER, "stealth", frame="season", rows=1),
    "strike_in_a_bad_spot": lambda: _acts(begun(duel(), 3, 2), "strike"),
    "clash_in_control": lambda: _acts(begun(duel()), "clash"),
    "second_turn_of_the_tide": lambda: _acts(ruled(begun(duel(), 3, 2), "ann", turned=True), "turn_the_tide"),
}


@pytest.mark.rule("marchen.gap.refusal.list")
@each_case("name", list(data("marchen.gap.refusal.list")))
def test_forbidden_acts_are_refused_by_their_rule(name: str) -> None:
    with pytest.raises(IllegalActionError) as refused:
        REFUSED[name]()
    assert refused.value.rule == data("marchen.gap.refusal.list")[name]


@pytest.mark.rule("marchen.month.go_hunting", "marchen.puncti.aid_your_ally", "marchen.skill.level_gates")
def test_a_refusal_names_its_rule_once() -> None:
    luck = why_not(alone(), "month", plans=("ann=go_hunting:luck",))
    assert luck == "Go Hunting: Ann has no boon luck [marchen.sojourn.patrol_wild]"
    chain = why_not(alone(hero(skills={"stealth": 0})), "chain", tasks=("ann:stealth",))
    assert chain.startswith("Ann has level 0 in Stealth; to start a task chain takes level 3")
    session = three()
    session.do("marchen.encounter")
    go_on(session, [6, 6], [5, 5], [4, 4])
    assert isinstance(session.question, Choice)
    reasons = {one.id: one.reason for one in session.question.closed}
    assert reasons["aid_your_ally"] == "Ann has level 0 in Melee Combat; to aid another takes level 2"
