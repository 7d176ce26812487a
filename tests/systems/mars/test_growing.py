"""Growth between sessions, due checkpoints, and the legality of grown characters."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from systems.mars.people import OPTIONS, alone, character, do, library, person
from tablewright.engine import ClosedOption
from tablewright.errors import IllegalActionError
from tablewright.game.character.character import Frozen
from tablewright.game.scene.events import Event
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.mars.advancement import purchases
from tablewright.systems.mars.book import rulebook
from tablewright.systems.mars.character.costs import checkpoints_due
from tablewright.systems.mars.character.record import Advance, Change, MarsCharacter, OwnTrait, Printed
from tablewright.systems.mars.content import Maneuver
from tablewright.systems.mars.creation import on_sale
from tablewright.systems.mars.legality import learnable, legality, slots_for, unharmed
from tablewright.systems.mars.values import RollValue


def wrong(one: MarsCharacter) -> list[str]:
    """Violations of the rules by a character."""
    return [f"{found.where}: {found.message}" for found in legality(one, OPTIONS, library()).violations]


def veteran(experience: int = 100, **changes: Any) -> MarsCharacter:
    """A fighter between two sessions."""
    return person("fighter", **{"experience": experience, "opportunity": 1, **changes})


@pytest.mark.rule("mars.advancement.spending", "mars.advancement.checkpoints")
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("advance", {"what": "skill", "name": "athletics"}),
        ("spend", {}),
        ("step_back", {}),
        ("checkpoint", {"stat": "STR"}),
    ],
)
def test_nobody_grows_in_the_middle_of_a_fight(name: str, given: dict[str, str]) -> None:
    scene = replace(alone(veteran()).scene, round=1)
    session = Session(SessionHeader("mars", "0.1.0", scene, 1), rulebook)
    with pytest.raises(IllegalActionError, match="in the middle of an encounter") as error:
        session.do(f"mars.{name}", who="ann", **given)
    assert error.value.rule == f"mars.advancement.{'checkpoints' if name == 'checkpoint' else 'spending'}"


# ---------------------------------------------------------------------- checkpoints


@pytest.mark.rule("mars.advancement.checkpoints")
def test_checkpoints_that_are_due_are_told_and_offered() -> None:
    session = alone(person("fighter"))
    do(session, "mars.award", bonus=46)
    assert checkpoints_due(character(session)) == 0
    do(session, "mars.reward", who="ann", experience=1)
    told = [line.narrate() for line in session.log if isinstance(line, Event)]
    assert "a checkpoint is due" not in told[-2]
    assert "1 experience; a checkpoint is due" in told[-1]
    do(session, "mars.award")
    assert "3 experience; a checkpoint is due" in [one.narrate() for one in session.log if isinstance(one, Event)][-1]
    session.do("mars.spend", who="ann")
    session.choose("checkpoint:DEX")
    session.choose("done")
    assert character(session).checkpoints == ("DEX",)
    assert character(session).spent == 0
    assert [one.id for one in purchases(session.scene, "ann") if one.id.startswith("checkpoint")] == []


@pytest.mark.rule("mars.advancement.checkpoints")
def test_a_stat_that_was_chosen_twice_is_closed() -> None:
    session = alone(veteran(200, checkpoints=("STR", "STR", "DEX")))
    found = {one.id: one for one in purchases(session.scene, "ann") if one.id.startswith("checkpoint")}
    assert isinstance(found["checkpoint:STR"], ClosedOption)
    assert found["checkpoint:STR"].reason == "was chosen 2 times already"
    assert not isinstance(found["checkpoint:DEX"], ClosedOption)
    assert len(found) == 4
    assert checkpoints_due(veteran(200)) == 4
    assert checkpoints_due(veteran(49)) == 0


@pytest.mark.rule("mars.advancement.checkpoints")
def test_the_sheet_says_what_is_due() -> None:
    def shown(one: MarsCharacter) -> str:
        sections = rulebook.sheet(one, OPTIONS, library()).sections
        return next(str(entry.value) for each in sections for entry in each.entries if entry.label == "Checkpoints")

    assert shown(veteran(49)) == "none"
    assert shown(veteran(150, checkpoints=("STR",))) == "STR, 2 due"


# ---------------------------------------------------------------------- maneuvers


def learned_in() -> MarsCharacter:
    """A fighter who knows every maneuver that can be learned with what is trained."""
    one = veteran(1_000)
    while True:
        more = one.changed(
            talents=one.talents.put("extra_maneuver", one.talents["extra_maneuver"] + 1),
            advances=(*one.advances, Advance(what="talent", name="extra_maneuver", cost=0)),
        )
        able = learnable(more, library())
        if not able:
            return one
        one = more.changed(maneuvers=(*one.maneuvers, able[0].id))


@pytest.mark.rule("mars.maneuver.number_known")
def test_room_for_a_maneuver_is_not_sold_where_none_is_left() -> None:
    full = learned_in().changed(advances=())
    found = {one.id: one for one in purchases(alone(full).scene, "ann")}
    shut = found["talent:extra_maneuver"]
    assert isinstance(shut, ClosedOption)
    assert (shut.reason, shut.rule) == ("no maneuver is left to learn", "mars.maneuver.number_known")
    with pytest.raises(IllegalActionError, match="no maneuver is left to learn"):
        alone(full).do("mars.advance", who="ann", what="talent", name="extra_maneuver")
    one_less = full.changed(maneuvers=full.maneuvers[:-1])
    assert [one.id for one in learnable(one_less, library())] == [full.maneuvers[-1]]
    assert not isinstance({one.id: one for one in purchases(alone(full).scene, "ann")}["stat:STR"], ClosedOption)


@pytest.mark.rule("mars.maneuver.number_known")
def test_fewer_maneuvers_than_there_is_room_for_where_no_other_can_be_learned() -> None:
    full = learned_in()
    room = full.changed(talents=full.talents.put("extra_maneuver", full.talents["extra_maneuver"] + 1))
    assert len(slots_for(room, library())) == len(room.maneuvers) + 1
    assert not [one for one in wrong(room) if one.startswith("maneuvers")]
    lacking = room.changed(maneuvers=room.maneuvers[1:])
    assert f"maneuvers: {len(lacking.maneuvers)} maneuvers, allowed are {len(full.maneuvers) + 1}" in wrong(lacking)
    every = tuple([one.id for one in library().of(Maneuver)])
    assert any(one.startswith(f"maneuvers: {len(every)} maneuvers") for one in wrong(full.changed(maneuvers=every)))


# ---------------------------------------------------------------------- what stays legal, and what is not


@pytest.mark.rule("mars.talent.requirements", "mars.effect.stat_changes")
def test_a_loss_for_good_takes_no_talent_that_was_bought_before() -> None:
    session = alone(veteran())
    do(session, "mars.advance", who="ann", what="talent", name="weightlifter")
    bought = character(session)
    assert wrong(bought) == []
    hurt = bought.changed(changes=(Change(what="STR", value=-1, source="a curse"),))
    assert wrong(hurt) == []
    session = alone(veteran(changes=hurt.changes))
    with pytest.raises(IllegalActionError, match="Weightlifter needs maximum STR 13, it is 12"):
        session.do("mars.advance", who="ann", what="talent", name="weightlifter")
    gift = Change(what="DEX", value=1, source="a gift")
    assert unharmed(hurt.changed(changes=(*hurt.changes, gift))).changes == (gift,)


@pytest.mark.rule("mars.skill.languages", "mars.advancement.spending")
def test_a_language_is_one_however_it_is_written() -> None:
    elven: dict[str, Any] = {"what": "language", "name": "elven", "cost": 2}
    known = veteran(languages=Frozen({"elven": RollValue(4)}), advances=(Advance(**elven),))
    assert wrong(known) == []
    twice = known.changed(
        languages=Frozen({"elven": RollValue(4), " Elven": RollValue(4)}),
        advances=(Advance(**elven), Advance(**{**elven, "name": " Elven"})),
    )
    found = wrong(twice)
    assert 'languages: "elven" stands there 2 times' in found
    assert "advances[1]:  Elven was advanced before in the same opportunity" in found
    native = known.changed(
        languages=Frozen({"Common": RollValue(4)}), advances=(Advance(**{**elven, "name": "Common"}),)
    )
    assert "languages.Common: is native" in wrong(native)
    assert "advances[0]: Common is native" in wrong(native)


@pytest.mark.rule("mars.character.trait")
def test_more_traits_may_be_given_later() -> None:
    two = (*person("fighter").traits, OwnTrait(text="friend of wolves"))
    assert wrong(person("fighter", traits=two)) == ["traits: 2 traits, allowed are 1"]
    assert wrong(person("fighter", traits=two, experience=1)) == []
    assert wrong(person("fighter", traits=two, opportunity=1)) == []
    assert wrong(veteran(traits=())) == ["traits: 0 traits, allowed are 1"]


@pytest.mark.rule("mars.gap.creature.printed", "mars.stat.resource_maxima")
@pytest.mark.parametrize(
    ("name", "value"), [("rank", "legendary"), ("printed", Printed(health=200)), ("weapons", ("bite",))]
)
def test_printed_figures_are_for_creatures(name: str, value: Any) -> None:
    found = wrong(person("fighter", **{name: value}))
    assert f"{name}: is written for creatures alone" in found
    assert f"{name}: is written for creatures alone" not in wrong(person("fighter", kind="creature", **{name: value}))


@pytest.mark.rule("mars.equipment.starting_money", "mars.equipment.availability")
def test_everything_with_a_price_can_be_bought_in_the_beginning() -> None:
    prices = {one.id: price for one, price in on_sale(library())}
    assert (prices["torch"], prices["belt"], prices["ration"]) == (2, 5, 8)
    for one, price in on_sale(library()):
        assert Fraction(price, 10) == one.price
