"""People who leave while a question is open: whoever is gone is neither hurt nor changed by what was under way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import BOW, FOE, HIT, begin, fact, field, kinds, meeting, person, ruled
from systems.playing import answer, asked, events, last
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.session.session import Session
from tablewright.systems.opend6.events.attack import Gripped
from tablewright.systems.opend6.status import fight, is_here

STRONG = person(skills={"melee_combat": "9D", "fighting": "9D", "marksmanship": "9D", "throwing": "9D"})
RICH = person(STRONG, character_points=3, fate_points=1)
WEAK = person(FOE, attributes={"physique": "1D"})
ASKED = {"points.asked": "always"}
FREE = {"defence.free_partial": "ask"}
BETWEEN = ("what now?", "how many actions this round?")


def fight_of(*people: dict[str, Any], **more: Any) -> Session:
    """A fight that no one's leaving ends."""
    return begin(*people, ends="game_master", **more)


def is_between(session: Session) -> bool:
    """True if nothing is under way."""
    question = session.question
    return question is None or (isinstance(question, Choice) and question.question in BETWEEN)


def go_on(session: Session) -> None:
    """Answer the open question: the last option that is offered, or a throw of the dice."""
    if isinstance(session.question, Choice):
        answer(session, "yes" if "yes" in asked(session) else asked(session)[-1])
    else:
        session.roll()


def moments(deed: str, *people: dict[str, Any], **more: Any) -> Iterator[Session]:
    """The same deed, every time stopped at another of the questions that it asks."""
    for stop in range(30):
        session = answer(fight_of(*people, **more), *deed.split())
        for _ in range(stop):
            if not is_between(session):
                go_on(session)
        if is_between(session):
            assert stop, "the deed asks nothing"
            return
        yield session
    raise AssertionError("the deed does not end")


DEEDS: dict[str, tuple[str, tuple[dict[str, Any], ...], dict[str, Any]]] = {
    "a dodge for free": ("1 slash:b:short_sword", (STRONG, WEAK), {"options": FREE}),
    "points on both sides": (
        "1 slash:b:short_sword",
        (RICH, person(WEAK, character_points=3, fate_points=1)),
        {"options": ASKED | FREE},
    ),
    "Body Points": (
        "1 slash:b:short_sword",
        (RICH, person(WEAK, character_points=3)),
        {"options": ASKED | {"injury.system": "body_points_with_levels"}},
    ),
    "a called shot": (
        "1 called_shot:b:short_sword/called",
        (STRONG, WEAK),
        {"options": {"attack.hit_locations": True}},
    ),
    "a complication": ("1 slash:b:short_sword", (STRONG, WEAK), {"options": {"wild.critical_failure": "ask"}}),
    "disarming": ("1 disarm:b:short_sword/disarm", (RICH, WEAK), {"options": ASKED}),
    "a grab": ("1 grab:b:unarmed/hold", (RICH, WEAK), {"options": ASKED}),
    "a throw": (
        "1 throw:b:throwing_dagger",
        (person(RICH, belongings=[{"item": "throwing_dagger", "place": "hand", "count": 1}]), WEAK),
        {"options": ASKED | {"range.physique": "rolled"}},
    ),
    "a shot": ("1 shoot:b:short_bow", (person(RICH, belongings=BOW), WEAK), {"options": ASKED}),
    "a miss": ("1 kick:b:unarmed", (person(character_points=3), FOE), {"options": ASKED}),
    "a defence": ("1 dodge", (RICH, WEAK), {"options": ASKED}),
    "a run": ("1 run::elsewhere", (RICH, WEAK, WEAK), {"options": ASKED, **field(a="0,0", b="1,0", c="9,4")}),
    "a flight": ("1 run_away", (person(RICH, skills={"running": "1D"}), WEAK), {"options": ASKED}),
    "a glance": ("1 glance", (RICH, WEAK), {"options": ASKED}),
    "a skill": ("1 use_skill::stealth", (person(RICH, skills={"stealth": "4D"}), WEAK), {"options": ASKED}),
    "a skill against a foe": ("1 use_skill::stealth b", (RICH, WEAK), {"options": ASKED}),
}


@each_case("leaver", ["a", "b"])
@each_case("name", DEEDS)
def test_a_character_who_leaves_in_the_middle_is_not_changed_any_more(name: str, leaver: str) -> None:
    deed, people, more = DEEDS[name]
    crowd = people if len(people) > 2 else (*people, WEAK)
    for session in moments(deed, *crowd, **more):
        session.do("table.leave", who=leaver)
        gone = session.scene[leaver]
        for _ in range(30):
            if is_between(session):
                break
            go_on(session)
        assert is_between(session)
        assert session.scene[leaver] == gone
        assert fight(session.scene).swing is None


@pytest.mark.rule("opend6.gap.healing.assisted_wounds", "opend6.gap.damage.hazards")
def test_a_character_who_has_left_is_neither_treated_nor_hurt() -> None:
    session = meeting(person(skills={"healing": "6D"}), person(WEAK, wounds={"level": "wounded"}))
    session.do("opend6.treat", who="b", healer="a")
    session.do("table.leave", who="b")
    session.roll()
    assert session.scene["b"].status.wounds.level == "wounded"
    for process, given in (("treat", {"healer": "a"}), ("hazard", {"what": "torch_fire"}), ("dying", {})):
        with pytest.raises(IllegalActionError, match="Foe has left"):
            session.do(f"opend6.{process}", who="b", **given)
    assert is_here(session.scene, "a")
    assert not is_here(session.scene, "a", "b")
    assert not is_here(session.scene, "a", "nobody")


# ---------------------------------------------------------------------- names and numbers


NAMES = {"a": "Hedda", "b": "Old Bran", "c": "Young Bran"}
IDS = {"a": "xqa", "b": "xqb", "c": "xqc"}


@pytest.mark.rule("opend6.gap.defence.free_partial", "opend6.gap.attack.hit")
@pytest.mark.parametrize("granted", ["no", "yes"])
def test_nobody_hits_a_foe_who_left_at_the_question_of_a_dodge(granted: str) -> None:
    session = answer(fight_of(STRONG, WEAK, WEAK, options=FREE), "1", "slash:b:short_sword")
    session.do("table.leave", who="b")
    answer(session, granted)
    assert not events(session, "Struck")
    assert not events(session, "Defended")
    assert (session.scene["b"].status.wounds.level, session.scene["a"].status.left) == ("healthy", 1)


@pytest.mark.rule("opend6.turn.interrupt")
@pytest.mark.parametrize("leaver", ["a", "b", "c"])
def test_a_character_leaves_between_the_roll_and_the_result(leaver: str) -> None:
    session = answer(fight_of(person(), WEAK, WEAK), "2", "wait", "1", "slash:a:short_sword", HIT)
    assert session.seat == "a"
    session.do("table.leave", who=leaver)
    gone = session.scene[leaver]
    while not is_between(session):
        answer(session, asked(session)[0]) if isinstance(session.question, Choice) else session.roll()
    assert session.scene[leaver] == gone
    assert bool(events(session, "Struck")) == (leaver == "c")
    assert fight(session.scene).swing is None


@pytest.mark.rule("opend6.gap.manoeuvre.escape", "opend6.special.derived")
@pytest.mark.parametrize(("fallback", "asked_of"), [("free_reaction", "b"), ("free_reaction", "a"), ("derived", "b")])
@pytest.mark.parametrize("leaves", [False, True])
def test_nobody_is_held_by_who_has_left(fallback: str, asked_of: str, leaves: bool) -> None:
    session = answer(fight_of(STRONG, FOE, FOE, options={"opposed.fallback": fallback}), "1", "stop")
    session.live.emit(Gripped(who="b", by="a", how="held", part="arm"))
    answer(session, "1", "escape:a", *([[2, 1, 1]] if asked_of == "a" else []))
    assert session.seat == asked_of
    if leaves:
        session.do("table.leave", who="a")
    answer(session, [5, 5, 5] if asked_of == "a" else [2, 1, 1])
    while not is_between(session):
        answer(session, [5, 5, 5])
    assert (session.scene["b"].status.grip is None) is leaves


@pytest.mark.rule("opend6.gap.wound.mortally")
@pytest.mark.parametrize("carried_off", [False, True])
def test_a_character_who_is_carried_off_does_not_die_of_the_round(carried_off: bool) -> None:
    session = fight_of(STRONG, person(WEAK, wounds={"level": "mortally_wounded"}), WEAK)
    ruled(session, "b", "dying_rounds", "23")
    answer(session, "1", "stop", "1", "stop")
    assert session.seat == "b"
    if carried_off:
        session.do("table.leave", who="b", how="is carried off")
    answer(session, [1])  # below the two minutes
    assert session.scene["b"].status.wounds.level == ("mortally_wounded" if carried_off else "dead")


# ---------------------------------------------------------------------- names and numbers


@each_case("said", ["²", "١٢", "1" * 12, "-3", "1e3"])
def test_a_catch_needs_a_number(said: str) -> None:
    session = begin(STRONG, WEAK)
    fact(session, "a", "thrown", said)
    fact(session, "a", "vehicle", said)
    assert "catch" not in kinds(answer(session, "1"))
    answer(session, "vehicle_maneuver::charioteering", [4, 3, 3])
    assert last(session, "Taken").on == "keeps the vehicle in hand"


def words(session: Session) -> Iterator[str]:
    """The open question, and the reasons of its closed options."""
    question = session.question
    if isinstance(question, Choice):
        yield question.question
        yield from [closed.reason for closed in question.closed]


def cast_by_name(*at: str, **more: Any) -> Session:
    """A fight of people whose names are not their ids; the second is stronger than the first."""
    cast = [person(STRONG if one == "a" else FOE, name=NAMES[one]) for one in at]
    cast[1] = person(cast[1], attributes={"physique": "6D"}, belongings=[])
    places = more.pop("places", {})
    named = {one: {"id": IDS[one], **places.get(one, {})} for one in at}
    return begin(*cast, ends="game_master", places=named, **more)


@pytest.mark.rule("opend6.gap.cover.list", "opend6.gap.manoeuvre.limits")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("prone", "Old Bran is on the ground already"),
        ("", "Old Bran is stronger"),
        ("", "Old Bran has nothing in hand"),
        ("held", "Old Bran is held already"),
        ("holding", "Old Bran has hold of them"),
        ("cover", "Old Bran is wholly behind cover"),
        ("tackled", "Old Bran has them on the ground: only speaking and escaping are left"),
    ],
)
def test_refusals_call_people_by_their_names(change: str, reason: str) -> None:
    more = field(a="0,0", b="1,0") if change == "holding" else {}
    session = cast_by_name("a", "b", **more)
    if change == "prone":
        ruled(session, "xqb", "posture", "prone")
    elif change == "held":
        session.live.emit(Gripped(who="xqb", by="xqa", how="held", part="arm"))
    elif change == "holding":
        session.live.emit(Gripped(who="xqa", by="xqb", how="held", part="leg"))
    elif change == "tackled":
        session.live.emit(Gripped(who="xqa", by="xqb", how="tackled", part=""))
    elif change == "cover":
        fact(session, "xqb", "cover", "hidden_100")
    answer(session, "1")
    assert reason in set(words(session))
    assert not [line for line in words(session) if "xq" in line]
