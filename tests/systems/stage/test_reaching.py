"""Targets: spells and cover, powers announced for spells, ties in initiative, powers with several targets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import events, status
from systems.stage.fights import (
    act,
    asked,
    closed,
    duel,
    fighter,
    offered,
    place,
    playing,
    scene_with,
    session_with,
)
from systems.stage.people import OPTIONS, somebody
from tablewright.engine import Choice
from tablewright.game.ground.facts import Facts
from tablewright.systems.stage.actions.requirements import EXPOSED
from tablewright.systems.stage.mechanics.forms import Shield
from tablewright.systems.stage.mechanics.harm import last_of
from tablewright.systems.stage.now import hit_difficulty

ONE = {"dice for the first roll": "1"}


def mage(**fields: Any) -> Any:
    """A character who casts Flare with three dice."""
    return somebody(**{"projection": 3, "perception": 1, "agility": 1, "spells": ("flare",), **fields})


# ---------------------------------------------------------------------- cover


@pytest.mark.rule("stage.terrain.cover", "stage.magic.freedom", "stage.magic.app_cast")
@pytest.mark.parametrize(("cover", "open_", "difficulty"), [("full", False, 12), ("7/8", True, 12), ("3/4", True, 9)])
def test_no_spell_reaches_through_full_cover(cover: str, open_: bool, difficulty: int) -> None:
    session = duel(mage(), fighter(), facts=Facts().set("cover", "bob", cover))
    assert ("cast:bob:flare=fire" in offered(session)) is open_
    if not open_:
        assert closed(session, "cast") == ("Somebody 2 is behind full cover", EXPOSED.rule)
    assert hit_difficulty(session.scene, "bob", "ann").tally.total == difficulty


@pytest.mark.rule("stage.terrain.cover")
def test_full_cover_does_not_keep_a_spell_from_oneself_nor_one_without_a_target() -> None:
    healer = somebody(3, spells=("healing_touch", "spirit_guardian"))
    facts = Facts().set("cover", "ann", "full")
    session = duel(healer, fighter(), mine={"stamina": 0}, facts=facts)
    casts = [use for use in offered(session) if use.startswith("cast")]
    assert {use.split(":")[1] for use in casts} == {"ann", ""}


@pytest.mark.rule("stage.terrain.cover", "stage.power_effect.attack_form")
def test_a_whirlwind_passes_by_who_is_behind_full_cover() -> None:
    ann = fighter(close_combat=6, powers=("whirlwind_attack",), has=["great_sword@hands"])
    people = [place(ann, "party", who="ann"), *[place(fighter(), "foes", who=who) for who in ("bob", "cat")]]
    session = session_with(people, facts=Facts().set("cover", "cat", "full"))
    act(session, "attack:bob:great_sword+whirlwind_attack", faces=[[1]], choices=ONE)
    assert [event.who for event in events(session, "Attacked")] == ["bob"]


# ---------------------------------------------------------------------- powers for spells


@pytest.mark.rule("stage.power.announce", "stage.magic.focus", "stage.modifier.mundane")
@pytest.mark.parametrize(
    ("way", "faces", "paid"), [("plain", [[1, 1, 1, 1], [4]], 2), ("blaze", [[1, 1, 1, 1, 1], [4]], 3)]
)
def test_a_power_for_a_spell_is_paid_besides_it_and_the_focus_counts_all_the_same(
    way: str, faces: list[list[int]], paid: int
) -> None:
    own = mage(powers=("blaze", "focus"), focus="dagger", prepared=("flare",), has=["dagger@hand"])
    session = duel(own, fighter(), apart=2)
    before = status(session)
    act(session, "cast:bob:flare=lightning", faces=faces, choices={"how to attack": way, "how to defend": "nothing"})
    lost = sum([getattr(before, track) - getattr(status(session), track) for track in ("stamina", "intellect", "will")])
    assert (lost, status(session).ap) == (paid, 1)


@pytest.mark.rule("stage.power.announce", "stage.resource.spend")
@pytest.mark.parametrize(("left", "is_asked"), [(4, True), (3, False)])
def test_a_power_for_a_spell_must_be_payable_after_the_spell(left: int, is_asked: bool) -> None:
    """Flare takes two points and Blaze one: the last core point is not among them where the table keeps it."""
    options = OPTIONS.put("spend_last_core", "forbid")
    own = mage(powers=("blaze",))
    session = duel(own, fighter(), apart=2, options=options, mine={"intellect": left - 1, "sanity": 1})
    session.do("stage.perform", who="ann", use="cast:bob:flare=lightning")
    assert (asked(session).question == "how to attack") is is_asked


# ---------------------------------------------------------------------- ties


@pytest.mark.rule("stage.initiative.simultaneous")
@pytest.mark.parametrize(
    ("faces", "order"),
    [
        ([[5, 5], [5, 5], [4, 3], [1, 2], [2, 3]], ("bb", "aa", "cc")),
        ([[5, 5], [5, 5], [6, 6], [6, 6], [2, 3]], ("cc", "aa", "bb")),
        ([[5, 5], [5, 5], [5, 5], [1, 2], [1, 2], [1, 1], [6, 6], [5, 6]], ("aa", "bb", "cc")),
    ],
)
def test_tied_groups_roll_again_between_them_alone(faces: list[list[int]], order: tuple[str, ...]) -> None:
    people = [place(fighter(agility=2), who, who=who) for who in ("aa", "bb", "cc")]
    session = session_with(people, begun=False)
    session.do("stage.encounter")
    for each in faces:
        session.type_in(each)
    assert session.scene.order == order
    assert [event.total for event in events(session, "InitiativeRolled")] == [sum(each) for each in faces[:3]]


@pytest.mark.rule("stage.initiative.simultaneous")
@pytest.mark.parametrize(
    ("faces", "order"),
    [
        ([[3, 3]], ("bob", "ann", "new")),
        ([[4, 4]], ("bob", "new", "ann")),
        ([[6, 1], [2, 2], [2, 1]], ("bob", "ann", "new")),
        ([[6, 1], [2, 2], [3, 3]], ("bob", "new", "ann")),
        ([[5, 5], [1, 1], [3, 3]], ("new", "bob", "ann")),
    ],
)
def test_a_newcomer_with_the_same_result_rolls_against_that_group(
    faces: list[list[int]], order: tuple[str, ...]
) -> None:
    people = [
        place(fighter(agility=2), "foes", who="bob", initiative=10),
        place(fighter(agility=2), "party", who="ann", initiative=7),
        place(fighter(agility=2), "others", who="new"),
    ]
    scene = replace(scene_with(people), order=("bob", "ann"), turn=None, acted=("bob", "ann"))
    session = playing(scene)
    session.do("stage.encounter")
    for each in faces:
        session.type_in(each)
    assert session.scene.order == order


@pytest.mark.rule("stage.initiative.simultaneous")
def test_a_newcomer_does_not_roll_again_for_a_hidden_group() -> None:
    """The second roll told that someone hides; the hidden group goes first."""
    people = [
        place(fighter(agility=2), "foes", who="bob", initiative=10, hidden=True),
        place(fighter(agility=2), "party", who="ann", initiative=7),
        place(fighter(agility=2), "others", who="new"),
    ]
    scene = replace(scene_with(people), order=("bob", "ann"), turn=None, acted=("bob", "ann"))
    session = playing(scene)
    session.do("stage.encounter")
    session.type_in([5, 5])
    assert session.scene.order == ("bob", "new", "ann")


# ---------------------------------------------------------------------- several targets


def band(leader: Any, *foes: str, **mine: Any) -> Any:
    """Ann with bob, cat and dan beside her, against some foes."""
    people = [place(leader, "party", who="ann", **mine)]
    people += [place(fighter(), "party", who=who, stamina=0) for who in ("bob", "cat", "dan")]
    return session_with([*people, *[place(fighter(), "foes", who=who) for who in foes]])


def held_by(session: Any, power: str) -> list[str]:
    """Participants under a power's effect."""
    everybody = session.scene.participants
    return [one.id for one in everybody if any(held.source.startswith(power) for held in one.status.lasting)]


@pytest.mark.rule("stage.power_effect.group_bonus")
@pytest.mark.parametrize("power", ["inspiring_art", "inspire_heroism"])
def test_inspiration_reaches_anyone_who_was_named_and_then_whom_the_user_chooses(power: str) -> None:
    session = band(somebody(creativity=2, perception=1, agility=1, powers=(power,)), "foe")
    detail = power if power == "inspiring_art" else f"{power}=brawl"
    act(session, f"power:dan:{detail}", choices={"who is reached?": "bob"})
    assert held_by(session, power) == ["bob", "dan"]


@pytest.mark.rule("stage.power_effect.group_bonus")
@pytest.mark.parametrize(("apart", "open_"), [(1, True), (2, False)])
def test_inspiration_reaches_one_cube_far(apart: int, open_: bool) -> None:
    ann = somebody(creativity=2, perception=1, agility=1, powers=("inspiring_art",))
    people = [place(ann, "party", (5, 5), who="ann"), place(fighter(), "party", (5 + apart, 5), who="bob")]
    session = session_with([*people, place(fighter(), "foes", (9, 9), who="foe")])
    assert ("power:bob:inspiring_art" in offered(session)) is open_


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.power_effect.area_damage")
def test_a_character_who_has_more_foes_than_levels_chooses_among_them() -> None:
    session = band(somebody(intimidate=2, perception=1, agility=1, powers=("bring_it_on",)), "eve", "fay", "gus")
    act(session, "power::bring_it_on", choices={"who is reached?": ["gus", "eve"]})
    assert held_by(session, "bring_it_on") == ["eve", "gus"]
    two = band(somebody(intimidate=2, perception=1, agility=1, powers=("bring_it_on",)), "eve", "fay")
    act(two, "power::bring_it_on")
    assert held_by(two, "bring_it_on") == ["eve", "fay"]
    rage = band(somebody(intimidate=1, perception=1, agility=1, powers=("rage",)), "eve", "fay")
    act(rage, "power::rage", faces=[[1], [6], [2]], choices={"who is reached?": "fay"})
    assert [event.who for event in events(rage, "Attacked")] == ["fay"]


# ---------------------------------------------------------------------- sharing a power


@pytest.mark.rule("stage.power_effect.bestow", "stage.resource.spend")
def test_war_song_asks_with_whom_and_shares_all_of_it() -> None:
    singer = somebody(intimidate=6, agility=4, academics=1, powers=("war_cry", "war_song"))
    session = band(singer, "foe", will=5, stamina=0)
    session.do("stage.perform", who="ann", use="power::war_cry")
    assert (asked(session).ids, asked(session).details["costs"]) == (("enough", "bob", "cat", "dan"), "1 will")
    session.choose("cat")
    session.choose("enough")
    session.type_in([3])
    session.type_in([1])
    assert [status(session, who).stamina for who in ("ann", "bob", "cat", "dan")] == [3, 0, 1, 0]
    assert status(session).will == 1
    against = [held.data.against for held in status(session, "foe").lasting]
    assert against == ["ann", "cat"]
    assert [held.data.flat for held in status(session, "foe").lasting] == [-6, -6]


@pytest.mark.rule("stage.power_effect.bestow", "stage.resource.spend")
def test_nobody_shares_a_power_to_the_last_point_unasked() -> None:
    singer = somebody(intimidate=6, agility=1, academics=1, powers=("war_cry", "war_song"))
    session = band(singer, "foe", will=3, spirit=1)
    session.do("stage.perform", who="ann", use="power::war_cry")
    assert asked(session).details["costs"] == "1 spirit, the last of it"
    session.choose("enough")
    assert (status(session).will, status(session).spirit) == (0, 1)
    session = band(singer, "foe", will=3, spirit=1)
    session.do("stage.perform", who="ann", use="power::war_cry")
    session.choose("dan")
    assert status(session).comatose
    assert not isinstance(session.question, Choice)


@pytest.mark.rule("stage.power_effect.war_cry")
def test_core_damage_ends_a_suppression_and_not_what_hinders() -> None:
    crier = somebody(intimidate=6, agility=1, academics=1, powers=("war_cry",))
    session = duel(crier, crier, mine={"stamina": 1}, theirs={"ap": 3})
    act(session, "power::war_cry", faces=[[1]])
    held = status(session, "bob").held("war_cry")
    assert held is not None
    bob = duel(crier, crier, theirs={"stamina": 0, "lasting": (held,)})
    act(bob, "attack:bob:unarmed", faces=[[6]], choices={"how to defend": "nothing"})
    assert status(bob, "bob").vitality < 6
    assert status(bob, "bob").held("war_cry") is not None


# ---------------------------------------------------------------------- ranges


@pytest.mark.rule("stage.attack.offensive", "stage.equipment.range_increment")
@pytest.mark.parametrize(("apart", "reached"), [(10, True), (11, False)])
def test_a_bow_reaches_to_the_end_of_its_last_increment(apart: int, reached: bool) -> None:
    """Two increments of five cubes."""
    archer = somebody(ranged_combat=2, perception=1, has=["bow@hands", "arrow@belt"])
    session = duel(archer, fighter(), apart=apart, options=OPTIONS.put("max_increments", 2))
    assert ("attack:bob:bow" in offered(session)) is reached


@pytest.mark.rule("stage.attack.defensive", "stage.resource.spend")
@pytest.mark.parametrize(("points", "left", "told"), [(2, 3, ""), (3, 3, "paid"), (0, 0, "")])
def test_a_defence_that_takes_all_points_says_that_the_last_is_paid(points: int, left: int, told: str) -> None:
    assert last_of(points, Shield(left=left)) == told
