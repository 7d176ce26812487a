"""Support for checks, attacks and defences: characters who stand by may help, and powers can be announced."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer, events, go, status, words
from systems.stage.fights import ONE, act, ap_of, asked, duel, fighter, place, session_with
from systems.stage.people import person, refused, session_of, somebody
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.ground.facts import Facts
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.aim import blocks
from tablewright.systems.stage.actions.defences import defences

# ---------------------------------------------------------------------- with defences and blocks


def standing_by(who: str) -> dict[str, Any]:
    """Ready to assist a character."""
    return {"lasting": (Effect("stands_by", OPEN_END, source=who),)}


def three(**fields: Any) -> Session:
    """`ann` attacks `bob`, by whom `cat` stands."""
    bob = fighter(**{"agility": 1, "defense": 1, "has": ["padded_coat@worn", "spear@hand"], **fields})
    return duel(fighter(), bob, place(fighter(agility=1, defense=1), "foes", who="cat", **standing_by("bob")))


@pytest.mark.rule("stage.check.assist", "stage.action.reaction")
def test_a_character_who_stands_by_helps_to_dodge_for_the_same_ap() -> None:
    session = three()
    choices = {**ONE, "assist?": "assist:bob", "how to defend": "dodge"}
    act(session, "attack:bob:spear", faces=[[6, 6], [1]], choices=choices)
    assert (status(session, "bob").ap, status(session, "cat").ap) == (2, 2)
    assert "cat spends 1 AP on assisting Somebody 2" in words(session)


@pytest.mark.rule("stage.check.assist", "stage.power_effect.assist_cap", "stage.defense.block")
def test_helpers_count_for_a_block_up_to_their_limit() -> None:
    session = three(powers=("back_to_back",))
    people = [*session.scene.participants, place(fighter(defense=1), "party", who="dan")]
    for helpers, dice in ((("cat",), 2), (("cat", "dan"), 3)):  # Back to Back allows two
        assert [one.dice for one in blocks(session_with(people).scene, "bob", "body", helpers=helpers).blocks] == [dice]
    choices = {**ONE, "assist?": "assist:bob", "how to defend": "nothing", "block": "block"}
    act(session, "attack:bob:spear", faces=[[6], [6, 6], [1, 1]], choices=choices)
    (struck,) = events(session, "Attacked")
    assert (struck.damage, status(session, "cat").ap) == (10, 3)


@pytest.mark.rule("stage.check.assist", "stage.power_effect.assist_cap")
@pytest.mark.parametrize(("powers", "helpers"), [((), 1), (("gang",), 2)])
def test_nobody_is_asked_to_help_beyond_the_limit(powers: tuple[str, ...], helpers: int) -> None:
    ann = somebody(intimidate=2, agility=1, academics=1, powers=powers)
    people = [place(ann, "party", who="ann"), place(fighter(), "foes", who="bob")]
    helper = somebody(intimidate=1, agility=1)
    people += [place(helper, "party", who=who, **standing_by("ann")) for who in ("cat", "dan")]
    session = session_with(people)
    choices = {"assist?": ["assist:ann"] * helpers, "resist": "perception.intuition"}
    act(session, "bully:bob", faces=[[1], [1] * (2 + helpers)], choices=choices)
    assert [status(session, who).ap for who in ("cat", "dan")] == [0, 0 if helpers == 2 else 3]


@pytest.mark.rule("stage.check.assist")
def test_nobody_helps_to_defend_with_what_they_do_not_know_or_cannot_pay() -> None:
    session = three()
    scene = session.scene.with_status("cat", ap=0)
    found = {way.name: way.dice for way in defences(scene, "bob", "ann", melee=True, helpers=("cat",)).ways}
    assert found == {"dodge": 1, "parry": 3}  # a parry takes no AP
    act(session, "attack:bob:spear", faces=[[6], [1]], choices={**ONE, "assist?": "pass", "how to defend": "dodge"})
    assert status(session, "cat").ap == 3


@pytest.mark.rule("stage.check.assist", "stage.power_effect.attack_form")
def test_helpers_are_asked_for_a_swing_at_everybody() -> None:
    ann = fighter(close_combat=6, powers=("whirlwind_attack",))
    session = duel(
        ann, somebody(agility=1), place(fighter(), "party", who="cat", **standing_by("ann")), theirs={"ap": 0}
    )
    session.do("stage.perform", who="ann", use="attack:bob:spear+whirlwind_attack")
    assert asked(session).question == "assist?"
    session.choose("assist:ann")
    assert asked(session).ids[-1] == str(6 + 1 + 1)  # the level, the spear, one who helps
    assert status(session, "cat").ap == 1


# ---------------------------------------------------------------------- for so many AP


def helped(own: Any, helper: Any, helper_ap: int = 3) -> Any:
    """Ann with cat standing by, against bob; dan lies about hurt."""
    cat = place(helper, "party", who="cat", ap=helper_ap, **standing_by("ann"))
    return duel(own, fighter(), cat, place(fighter(), "party", who="dan", stamina=1, vitality=1), mine={"stamina": 9})


@pytest.mark.rule("stage.check.assist")
@each_case(
    ("use", "ap"),
    [
        ("attack:bob:spear", 1),
        ("attack:bob:spear+crippling_attack", 2),
        ("attack:bob:spear+rapid_attack", 0),
        ("non_lethal:bob:spear", 2),
        ("non_lethal:bob:unarmed", 1),
        ("power_attack:bob:spear", 2),
        ("disarm:bob", 2),
        ("trip:bob", 2),
        ("push:bob", 2),
        ("cast:bob:flare=fire", 2),
        ("cast:dan:healing_touch", 2),
        ("first_aid:dan", 3),
        ("treat:dan", 3),
        ("bluff:bob", 1),
        ("insult:bob", 3),
    ],
)
def test_a_character_who_helps_pays_as_many_ap_as_it_takes(use: str, ap: int) -> None:
    knows: Any = {"powers": ("crippling_attack", "rapid_attack"), "spells": ("flare", "healing_touch")}
    own = somebody(3, has=["spear@hand", "medicine_kit"], **knows)
    assert ap_of(helped(own, somebody(3)), use) == ap
    for left, is_asked in ((ap, True), (ap - 1, False)):
        if left < 0:
            continue
        session = helped(own, somebody(3), left)
        session.do("stage.perform", who="ann", use=use)
        question = session.question
        assert (isinstance(question, Choice) and question.question == "assist?") is is_asked
        if is_asked:
            session.choose("assist:ann")
            assert status(session, "cat").ap == 0


@pytest.mark.rule("stage.check.assist")
@pytest.mark.parametrize(("helps", "dice"), [("assist:ann", 4), ("pass", 3)])
def test_help_is_a_die_more_in_every_kind_of_check(helps: str, dice: int) -> None:
    own = somebody(3, spells=("soul_sting",), has=["medicine_kit"])
    faces = {"trip:bob": [[1] * dice], "first_aid:dan": [[1] * dice], "bluff:bob": [[6], [1] * dice]}
    for use, rolls in {**faces, "cast:bob:soul_sting": [[1] * dice, [1]]}.items():
        session = helped(own, somebody(3))
        defends = {"how to defend": "nothing"} if use[0] in "tc" else {}
        act(session, use, faces=rolls, choices={"assist?": helps, **defends})
        assert (status(session, "cat").ap < 3) is (helps != "pass")


# ---------------------------------------------------------------------- with any check


def scene_for(use: str, powers: tuple[str, ...] = ()) -> Any:
    """Ann, whom cat stands by, in a place where an action can be taken; bob is against them."""
    at = (5, 5) if use.startswith("pursue") else None
    rides: dict[str, Any] = {"rides": "horse"} if use == "control" else {}
    ann = somebody(1, powers=powers, has=["medicine_kit"])
    people = [
        place(ann, "party", at, who="ann", beside=("cat",) if at else (), ap=6, **rides),
        place(somebody(1), "party", at, who="cat", beside=("ann",) if at else (), ap=3, **standing_by("ann")),
        place(somebody(1), "party", at, who="dan", stamina=1, vitality=1),
        place(somebody(1), "foes", (6, 5) if at else None, who="bob"),
        *([place(person("riding_horse"), "party", who="horse")] if use == "control" else []),
    ]
    facts = Facts().set("cover", "ann", "1/2") if use == "hide" else None
    return session_with(people, facts=facts)


@pytest.mark.rule("stage.check.assist")
@pytest.mark.parametrize(
    ("use", "ap"),
    [
        ("tumble", 2),
        ("hide", 1),
        ("detect::projection", 3),
        ("pursue:bob", 3),
        ("control", 3),
        ("power::catstep", 2),
        ("power::rage", 1),
        ("power:bob:infuriate", 2),
    ],
)
def test_a_character_who_stands_by_may_assist_any_check(use: str, ap: int) -> None:
    session = scene_for(use, (use.rpartition(":")[2],) if use.startswith("power") else ())
    session.do("stage.perform", who="ann", use=use)
    questions = []
    while isinstance(session.question, Choice):
        questions.append(session.question.question)
        ids = session.question.ids
        session.choose("assist:ann" if "assist:ann" in ids else ids[session.question.default])
    assert "assist?" in questions
    assert status(session, "cat").ap == 3 - ap


@pytest.mark.rule("stage.check.assist", "stage.encounter.flow")
def test_nobody_is_helped_by_the_dead() -> None:
    dead = somebody(2, name="Dead")
    dead = dead.changed(wounds=dead.wounds.changed(vitality=0, dead=True))
    session = session_of({"ann": somebody(2, name="Ann"), "dead": dead})
    refused("can do nothing", session.do, "table.check", who="ann", what="guile.sneak", situation=["helped_by=dead"])


@pytest.mark.rule("stage.check.assist")
def test_nobody_is_asked_to_announce_or_assist_without_a_power_or_a_helper() -> None:
    session = go(duel(somebody(1), somebody(1)), "stage.perform", who="ann", use="tumble", faces=[[1]])
    assert not events(session, "Spent")


# ---------------------------------------------------------------------- powers for any check


ANNOUNCED = [
    ("tumble", "acrobat", [[1, 1]]),
    ("hide", "thief", [[6, 6], [1]]),
    ("bluff:bob", "thief", [[1], [1, 1]]),
    ("insult:bob", "manipulator", [[1], [1, 1]]),
    ("bully:bob", "gangster", [[1], [1, 1]]),
    ("pursue:bob", "athlete", [[6, 6], [1, 1]]),
    ("first_aid:dan", "physician", [[1, 1]]),
    ("detect::projection", "blaze", [[1, 1]]),
    ("control", "outdoorsman", [[1, 1]]),
]


@pytest.mark.rule("stage.power_effect.skill_die", "stage.power.announce", "stage.power.payment")
@pytest.mark.parametrize(("use", "power", "faces"), ANNOUNCED)
def test_a_power_can_be_announced_for_any_check(use: str, power: str, faces: list[list[int]]) -> None:
    session = scene_for(use, (power,))
    before = sum([getattr(status(session), track) for track in ("stamina", "intellect", "will")])
    act(session, use, faces=faces, choices={"announce a power?": f"announce::{power}"})
    spent = [event for event in events(session, "Spent") if event.who == "ann"]
    assert sum([amount for event in spent for _, amount in event.price.amounts]) == 1
    after = sum([getattr(status(session), track) for track in ("stamina", "intellect", "will")])
    assert before - after >= 1


@pytest.mark.rule("stage.power_effect.skill_die", "stage.opposed.basic")
def test_a_character_who_is_tricked_may_announce_a_power_too() -> None:
    session = duel(somebody(1), somebody(1, powers=("watchful",)))
    act(session, "bluff:bob", faces=[[1, 1], [2]], choices={"announce a power?": "announce::watchful"})
    assert (status(session, "bob").will, status(session, "bob").ap) == (7, 2)


@pytest.mark.rule("stage.power_effect.skill_die", "stage.athletics.climb", "stage.athletics.land")
def test_powers_for_hold_and_for_landing() -> None:
    ann = somebody(1, powers=("athlete",))
    session = duel(ann, somebody(1), facts=Facts().set("climbing", "ann", 4))
    act(session, "crouch", faces=[[2, 2]], choices={"announce a power?": "announce::athlete"})
    assert status(session).stance == "crouching"
    falling = session_of({"ann": ann})
    falling.do("stage.fall", who="ann", metres=10)
    answer(falling, "yes", "announce::athlete", [5], [2, 2])
    assert falling.scene["ann"].status.stamina == 8 - 1 - 1


@pytest.mark.rule("stage.power_effect.skill_die", "stage.power_effect.skill_level_flat", "stage.medicine.surgery")
def test_powers_and_helpers_in_surgery() -> None:
    doctor = somebody(3, name="Doc", powers=("physician", "infusers_touch"), has=["medicine_kit"])
    hurt = somebody(2, name="Pat")
    hurt = hurt.changed(wounds=hurt.wounds.changed(vitality=6))
    people = {"doc": doctor, "pat": hurt, "nurse": somebody(1, name="Nurse")}
    session = session_of(people)
    session.do("stage.surgery", healer="doc", patient="pat", helped_by=["nurse"])
    answer(session, "announce::physician+infusers_touch")
    assert asked(session).details["pool"] == 5
    answer(session, "4", "3", [2, 2, 2, 2], [4])
    assert session.scene["pat"].status.vitality == 16
    assert session.scene["doc"].status.stamina == 24 - 1
    assert session.scene["doc"].status.intellect == 24 - 2
    with pytest.raises(IllegalActionError, match="does not know Medicine"):
        session_of({**people, "nurse": somebody(agility=1)}).do(
            "stage.first_aid", healer="doc", patient="pat", helped_by=["nurse"]
        )


@pytest.mark.rule("stage.power_effect.substitute_skill", "stage.trap.spot")
def test_a_trap_is_seen_by_another_skill() -> None:
    scholar = somebody(academics=4, agility=1, perception=1, name="Ann", powers=("tactical_perception",))
    session = session_of({"ann": scholar})
    session.do("stage.trap", who="ann", kind="landmine")
    answer(session, "announce::tactical_perception", [1, 1, 2, 2])
    assert session.result is False
    assert session.scene["ann"].status.intellect == 3
