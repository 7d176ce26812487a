"""People are called by their names: in what is refused, in what is offered and in what is asked."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import go
from systems.stage.fights import place, playing, scene_with, session_with
from systems.stage.people import library, scene_of, somebody
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.ground.facts import Facts
from tablewright.game.ground.grid import Grid
from tablewright.game.play.actions import ActionUse, Refusal
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.index import ACTIONS
from tablewright.systems.stage.actions.move import FAR_AWAY
from tablewright.systems.stage.actions.strike import _steps
from tablewright.systems.stage.effects import Do, Power, Trigger

ME, FOE = "q7-me", "q8-foe"


def fighter(name: str, **more: Any) -> Any:
    fields: dict[str, Any] = {"has": ["spear@hand", "hunting_bow"], "spells": ("flare", "daze", "mend"), "name": name}
    return somebody(3, **(fields | more))


def facing(apart: int | None, facts: Facts | None = None, has: Any = None, **theirs: Any) -> Scene:
    first, second = (None, None) if apart is None else ((1, 5), (1 + apart, 5))
    foe = fighter("Bob Brook") if has is None else fighter("Bob Brook", has=has)
    people = [place(fighter("Ann Ash"), "party", first, who=ME), place(foe, "foes", second, who=FOE, **theirs)]
    return scene_with(people, facts=facts)


SCENES = {
    "adjacent": facing(None),
    "in one cube": facing(0),
    "far": facing(17),
    "out of it": facing(None, unconscious="a test"),
    "covered": facing(None, Facts().set("cover", FOE, "full")),
    "unarmed": facing(None, has=()),
    "a thing": facing(None, integrity=4),
}


def reasons(scene: Scene) -> set[str]:
    """Every refusal by any requirement of any action in any of the scenes."""
    ways = {(action, use) for action in ACTIONS for each in SCENES.values() for use in action.uses_for(each, ME)}
    said = {one.refuse(scene, ME, use) for action, use in ways for one in action.requires}
    return {one.reason if isinstance(one, Refusal) else one for one in said if one is not None}


EXPECTED = {
    "adjacent": (),
    "in one cube": ("Bob Brook is in the same cube", f"Bob Brook is within {FAR_AWAY} cubes"),
    "far": (
        "Bob Brook is not adjacent",
        "Bob Brook is out of reach",
        "Bob Brook is 17 cubes away, too far for a charge",
        "in plain sight of Bob Brook",
    ),
    "out of it": ("Bob Brook is out of it",),
    "covered": ("Bob Brook is behind full cover",),
    "unarmed": ("Bob Brook has no weapon in hand",),
    "a thing": ("Bob Brook is a thing",),
}


@pytest.mark.rule("stage.encounter.flow")
@pytest.mark.parametrize("name", SCENES)
def test_no_refusal_calls_anybody_by_an_id(name: str) -> None:
    said = reasons(SCENES[name])
    assert not [reason for reason in said if ME in reason or FOE in reason]
    assert said >= set(EXPECTED[name])


@pytest.mark.rule("stage.encounter.flow")
def test_no_option_calls_anybody_by_an_id() -> None:
    for scene in SCENES.values():
        for action in ACTIONS:
            labels = [use.label for use in action.uses_for(scene, ME)]
            assert not [label for label in labels if ME in label or FOE in label]


@pytest.mark.rule("stage.equipment.range_increment")
def test_targets_beyond_bow_range_are_named() -> None:
    people = [
        place(fighter("Ann Ash"), "party", (0, 0), who=ME),
        place(fighter("Bob Brook"), "foes", (900, 0), who=FOE),
    ]
    scene = scene_with(people, ground=Grid(size=(1000, 1), shared=True))
    assert "Bob Brook is out of range" in reasons(scene)


@pytest.mark.rule("stage.power_effect.dodge_extra")
def test_the_target_of_striking_back_is_named() -> None:
    back = [
        one.id
        for one in library().of(Power)
        for effect in one.effects
        if isinstance(effect, Trigger) and effect.at == "dodging"
        if any(isinstance(each, Do) and each.what == "attack" for each in effect.then)
    ]
    people = [
        place(fighter("Ann Ash", powers=tuple(back)), "party", who=ME),
        place(fighter("Bob Brook"), "foes", who=FOE),
    ]
    found = _steps(scene_with(people, turn=FOE), ME, FOE)
    assert {one.label for one in found} == {"Strike back at Bob Brook"}


def at_peace(**fields: Any) -> Session:
    scene = scene_of({ME: fighter("Ann Ash", **fields), FOE: fighter("Bob Brook")})
    return playing(scene)


@pytest.mark.rule("stage.poison.infection", "stage.poison.cure")
@pytest.mark.parametrize(
    ("process", "given", "why"),
    [
        ("stage.step_back", {}, "Ann Ash has bought nothing yet"),
        ("stage.meditate", {}, "Ann Ash has no power to meditate"),
        ("stage.masterwork", {"patient": FOE, "track": "sanity"}, "Ann Ash has no power for such a work"),
        (
            "stage.antidote",
            {"ailment": "radiation_sickness"},
            "Ann Ash does not carry Radiation Sickness, but no poison or disease",
        ),
        ("stage.loot", {"fallen": FOE}, "Bob Brook is awake and keeps it"),
        ("stage.ranking", {"who": [ME]}, f"Ann Ash cannot compete alone; name at least two, with {FOE}"),
        ("stage.ranking", {"who": []}, "nobody cannot compete alone"),
        ("stage.break_object", {"thing": "good_lok"}, 'no lock or item "good_lok"; did you mean "good_lock"'),
        ("stage.break_object", {"thing": "good_lock", "weapon": "axe"}, '"axe" is not at hand; at hand is spear'),
        ("stage.get_used_to", {"power": "thief", "item": "spear"}, '"thief" was not bought for an item'),
        ("stage.enchant", {"enchantment": "keen_edge", "item": "spear", "core": 1}, "does not know Keen Edge, but no"),
        ("stage.learn", {"what": "flare", "skill": "animism"}, "Flare is learned with Projection, not Animism"),
        ("table.check", {"what": "guile.sneak", "situation": [f"helped_by={ME}"]}, f"cannot help .*; here is {FOE}"),
        ("table.check", {"what": "medicine.treatment", "situation": [f"target={ME}"]}, "another target than Ann Ash"),
        ("table.check", {"what": "projection.cast", "situation": []}, "name the spell as spell=...: flare, daze, mend"),
    ],
)
def test_refusals_outside_fights_say_what_was_given_and_what_is_allowed(
    process: str, given: dict[str, Any], why: str
) -> None:
    with pytest.raises((IllegalActionError, InvalidInputError), match=why):
        at_peace().do(process, **{"who": ME, **given})


@pytest.mark.rule("stage.poison.infection")
def test_a_character_who_has_an_ailment_already_is_named() -> None:
    session = at_peace()
    go(session, "stage.infect", who=ME, ailment="radiation_sickness", faces=[[1, 1, 1, 1, 1, 1]])
    with pytest.raises(IllegalActionError, match="Ann Ash has Radiation Sickness already"):
        session.do("stage.infect", who=ME, ailment="radiation_sickness")


@pytest.mark.rule("stage.action.interruption")
def test_the_acting_character_is_named() -> None:
    session = session_with(SCENES["adjacent"].participants, turn=FOE)
    go(session, "stage.perform", who=ME, use="prepare")
    session.do("stage.perform", who=FOE, use="crouch")
    question = session.question
    assert isinstance(question, Choice)
    assert question.question == "interrupt?"
    assert str(question.details["before"]).startswith("Bob Brook: ")


# ---------------------------------------------------------------------- numbers


@pytest.mark.rule("stage.athletics.climb")
@pytest.mark.parametrize("said", ["²", "٣", "steep"])
def test_ground_that_is_no_number_asks_for_no_check(said: str) -> None:
    session = playing(facing(None, Facts().set("climbing", ME, said)))
    go(session, "stage.perform", who=ME, use="crouch")
    assert session.scene[ME].status.stance == "crouching"


@pytest.mark.rule("stage.power.payment")
@pytest.mark.parametrize(("points", "will"), [("2", 2), ("²", 0), ("٣", 0), ("9" * 5_000, 0), ("many", 0)])
def test_points_that_are_no_number_cost_nothing(points: str, will: int) -> None:
    people = [
        place(fighter("Ann Ash", powers=("braggadocio",)), "party", who=ME),
        place(fighter("Bob Brook"), "foes", who=FOE),
    ]
    use = ActionUse("power", None, f"braggadocio={points}")
    assert ACTIONS.by_id["power"].price_of(scene_with(people), ME, use)["will"] == will
