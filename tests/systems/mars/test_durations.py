"""Durations: effects of several strengths, falls for some rounds, permanent changes; fire and dying."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.mars.fights import DOWN, HERO, RIVAL, act, duel, effect, place, session_with, with_status
from systems.mars.people import alone, character, do, left, person, session_of, somebody
from systems.playing import answer, events, go, status
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.session.session import Session
from tablewright.systems.mars.bots import value
from tablewright.systems.mars.character.figures import figures, maximum, secondary, stat
from tablewright.systems.mars.character.record import Change, MarsEffect, Wounds, counting
from tablewright.systems.mars.events.effects import BurnedDown, MarsEffectEnded
from tablewright.systems.mars.events.harm import DyingChecked, Fell, Hurt
from tablewright.systems.mars.events.turn import Gathered
from tablewright.systems.mars.now import now
from tablewright.systems.mars.prospects import RATING_WORTH
from tablewright.systems.mars.status import Work, due, end, gain

FALLEN = (MarsEffect("dying"), MarsEffect("unconscious"))
DYING = Wounds(endurance=0, health=-4, effects=FALLEN)


def strength(session: Session) -> str:
    return str(now(session.scene, "ann").stat("STR").value)


# ---------------------------------------------------------------------- several strengths


def changed(value: int, until: int | None = None, *, source: str = "spell", stat: str = "STR") -> MarsEffect:
    return MarsEffect("stat_change", stat=stat, value=value, source=source, until=until)


@pytest.mark.rule("mars.effect.no_stacking", "mars.time.duration")
def test_a_strong_effect_ends_when_its_own_time_is_over() -> None:
    session = duel(HERO, RIVAL)
    go(session, "mars.afflict", who="ann", effect="stat_change:STR:1", rounds=10, source="spell")
    go(session, "mars.afflict", who="ann", effect="stat_change:STR:3", rounds=1, source="spell")
    assert strength(session) == "r10+3"
    assert [one.value for one in due(status(session).effects, "ann", 2)] == [3]
    after = end(status(session).effects, "stat_change", stat="STR", source="spell", value=3)
    assert [one.value for one in after] == [1]
    bonus = duel(HERO, RIVAL)
    go(bonus, "mars.afflict", who="ann", effect="stat_change:STR:3", rounds=1)
    go(bonus, "mars.afflict", who="ann", effect="stat_change:STR:-2", rounds=10)
    assert strength(bonus) == "r10+1"


@pytest.mark.rule("mars.time.duration", "mars.effect.no_stacking")
def test_before_a_turn_only_what_is_due_ends() -> None:
    timed = tuple([replace(one, turn_of="ann") for one in (changed(3, 2), changed(1, 9))])
    people = [
        place(HERO, "party", (1, 1), who="ann", effects=timed, initiative=5),
        place(RIVAL, "foes", (9, 1), who="bob", initiative=9),
    ]
    session = session_with(people, turn="bob", round_=1)
    session.do("mars.encounter")
    answer(session, "end_turn", "end_turn", "end_turn")
    assert (session.scene.round, session.seat) == (2, "ann")
    assert [one.value for one in status(session).effects] == [1]
    assert [(one.effect, one.value) for one in events(session, MarsEffectEnded)] == [("stat_change", 3)]


@pytest.mark.rule("mars.effect.no_stacking")
def test_effects_of_several_strengths() -> None:
    effects = gain(gain(gain((), changed(1, 9)), changed(3, 2)), changed(-2, 5))
    assert [one.value for one in effects] == [1, 3, -2]
    assert [one.value for one in counting(effects, "stat_change")] == [3, -2]
    assert [one.value for one in counting(gain(effects, changed(2, source="potion")), "stat_change")] == [3, -2, 2]
    assert [one.value for one in counting(gain(effects, changed(2, stat="DEX")), "stat_change")] == [3, -2, 2]
    assert counting(effects, "rating") == ()
    assert [one.value for one in counting((changed(0), changed(-1)), "stat_change")] == [0, -1]
    for first, second in ((3, 2), (2, 3)):
        (met,) = gain((changed(2, first),), changed(2, second))
        assert (met.value, met.until) == (2, 3)
    tired = gain((MarsEffect("fatigue", degree=2, source="hunger"),), MarsEffect("fatigue", degree=1, source="hunger"))
    assert [one.degree for one in tired] == [2]


@pytest.mark.rule("mars.effect.no_stacking")
@pytest.mark.parametrize("kind", ["rating", "rally", "shaken"])
def test_the_strongest_of_a_source_counts_for_rolls(kind: Any) -> None:
    effects = tuple([MarsEffect(kind, value=value, source="one", until=9) for value in (-1, -2)])
    me = now(duel(HERO, RIVAL, mine={"effects": effects}).scene, "ann")
    parts = {"rating": me.ratings, "rally": me.rallies, "shaken": me.shaken}[kind]()
    assert [value for _, value, _ in parts] == [-2]


def test_bots_count_the_strongest_rating() -> None:
    plain = duel(HERO, RIVAL).scene
    effects = tuple([MarsEffect("rating", value=value, source="brace", until=9) for value in (1, 2)])
    assert value(plain.with_status("ann", effects=effects), "party") - value(plain, "party") == 2 * RATING_WORTH


# ---------------------------------------------------------------------- falling for some rounds


@pytest.mark.rule("mars.effect.dying", "mars.effect.unconscious")
def test_a_character_who_is_made_dying_is_unconscious_as_well() -> None:
    session = go(duel(HERO, RIVAL), "mars.afflict", who="ann", effect="dying")
    assert [one.kind for one in status(session).effects] == ["dying", "unconscious", "prone"]
    assert not status(session).conscious
    assert [one.fate.value for one in events(session, Fell)] == ["dying"]


@pytest.mark.rule("mars.effect.duration", "mars.effect.unconscious", "mars.time.duration")
def test_an_unconsciousness_of_some_rounds_ends() -> None:
    session = go(duel(HERO, RIVAL), "mars.afflict", who="bob", effect="unconscious", rounds=2, source="sleep")
    found = effect(session, "bob", "unconscious")
    assert found is not None
    assert (found.turn_of, found.until, found.source) == ("ann", 3, "sleep")
    assert [one.kind for one in due(status(session, "bob").effects, "ann", 3)] == ["unconscious"]
    awake = session.scene.with_status("bob", effects=end(status(session, "bob").effects, "unconscious"))
    assert awake["bob"].status.conscious
    assert awake["bob"].status.has("prone")


@pytest.mark.rule("mars.effect.no_stacking", "mars.effect.unconscious", "mars.damage.thresholds")
@pytest.mark.parametrize(
    ("first", "second", "until"), [(2, 3, 4), (3, 2, 4), (2, None, None), (None, 2, None), (2, 2, 3)]
)
def test_the_longer_unconsciousness_counts(first: int | None, second: int | None, until: int | None) -> None:
    session = duel(HERO, RIVAL)
    for rounds in (first, second):
        go(session, "mars.afflict", who="bob", effect="unconscious", rounds=rounds)
    (found,) = [one for one in status(session, "bob").effects if one.kind == "unconscious"]
    assert found.until == until
    known, new = MarsEffect("unconscious", until=3), MarsEffect("unconscious")
    assert [known.lasts_as_long(one) for one in (2, 3, 4, None)] == [True, True, False, False]
    assert [new.lasts_as_long(one) for one in (2, None)] == [True, True]


@pytest.mark.rule("mars.damage.thresholds", "mars.effect.unconscious")
def test_a_character_who_is_struck_down_asleep_does_not_wake_by_time() -> None:
    session = duel(HERO, RIVAL, theirs={"endurance": 0, "health": 4})
    go(session, "mars.afflict", who="bob", effect="unconscious", rounds=1)
    go(session, "mars.hazard", who="bob", damage="r0+4", faces=[()])
    found = effect(session, "bob", "unconscious")
    assert found is not None
    assert found.until is None


# ---------------------------------------------------------------------- changes for good


@pytest.mark.rule("mars.effect.stat_changes", "mars.effect.duration")
def test_a_change_of_a_stat_without_duration_is_permanent() -> None:
    session = alone(somebody("Ann", STR="r12", kind="character"))
    do(session, "mars.afflict", who="ann", effect="stat_change:STR:2", source="giant's blood")
    assert character(session).changes == (Change(what="STR", value=2, source="giant's blood"),)
    assert not status(session).effects
    assert str(now(session.scene, "ann").stat("STR").value) == "r12+2"
    assert figures(left(session), session.scene.library).health == 14
    assert status(session).health == 14
    (told,) = events(session, CharacterChanged)
    assert (told.what, told.cause) == ("STR +2 for good", "mars.effect.stat_changes")


@pytest.mark.rule("mars.effect.stat_changes")
def test_a_lowered_maximum_cuts_what_is_there() -> None:
    session = alone(somebody("Ann", STR="r12", wounds=Wounds(health=11)))
    for amount, health, kept in ((-1, 11, [-1]), (-3, 9, [-3]), (-2, 9, [-3]), (-3, 9, [-3]), (1, 10, [-3, 1])):
        told = len(events(session, CharacterChanged))
        before = [one.value for one in character(session).changes]
        do(session, "mars.afflict", who="ann", effect=f"stat_change:STR:{amount}")
        assert status(session).health == health
        assert [one.value for one in character(session).changes] == kept
        assert len(events(session, CharacterChanged)) - told == (kept != before)
    assert str(stat(left(session), "STR", session.scene.library).value) == "r12-2"


@pytest.mark.rule("mars.effect.stat_changes", "mars.gap.creature.printed")
def test_printed_figures_change_as_well() -> None:
    beast = somebody("Wolf", printed={"health": 13, "DEF": "r10+1", "stamina": 15})
    session = alone(beast)
    library = session.scene.library
    do(session, "mars.afflict", who="ann", effect="stat_change:RES:-2")
    do(session, "mars.afflict", who="ann", effect="stat_change:STR:3")
    assert str(secondary(left(session), "DEF", library).value) == "r10-1"
    assert maximum(left(session), "health", library).total == 16
    assert maximum(left(session), "stamina", library).total == 15


@pytest.mark.rule("mars.effect.stat_changes", "mars.effect.duration")
def test_temporary_changes_are_not_permanent() -> None:
    session = alone(somebody("Ann", STR="r12"))
    do(session, "mars.afflict", who="ann", effect="stat_change:STR:2", rounds=1)
    assert not character(session).changes
    assert status(session).has("stat_change")
    with pytest.raises(InvalidInputError, match="by 50 at most, not by 51"):
        do(session, "mars.afflict", who="ann", effect="stat_change:STR:51")
    do(session, "mars.afflict", who="ann", effect="stat_change:STR:50", source="wish")
    do(session, "mars.relieve", who="ann", effect="stat_change:STR")
    assert not character(session).changes
    assert not status(session).has("stat_change")
    assert status(session).health == 12
    with pytest.raises(IllegalActionError):
        do(session, "mars.relieve", who="ann", effect="stat_change:STR")
    do(session, "mars.afflict", who="ann", effect="stat_change:DEX:1")
    do(session, "mars.relieve", who="ann", effect="stat_change:DEX")
    assert not character(session).changes


# ---------------------------------------------------------------------- fire outside of fights


@pytest.mark.rule("mars.effect.burning")
def test_a_fire_burns_on_outside_of_fights() -> None:
    session = alone(somebody("Ann"))
    do(session, "mars.ignite", who="ann", degree=3)
    assert session.scene.clock.left("fire", who="ann") == 6
    do(session, "table.pass_time", amount="5 seconds")
    assert status(session).endurance == 10
    do(session, "table.pass_time", amount="1 second", faces=[(8,)])
    assert status(session).endurance == 2
    do(session, "table.pass_time", amount="1 minute", faces=[(1,), (1,)])
    assert status(session).endurance == 0
    assert not status(session).has("burning")
    assert session.scene.clock.left("fire", who="ann") is None


@pytest.mark.rule("mars.effect.burning", "mars.rest.long")
def test_a_character_who_burns_burns_before_the_rest_helps() -> None:
    session = alone(somebody("Ann"))
    do(session, "mars.ignite", who="ann", degree=2)
    do(session, "mars.long_rest", who=["ann"], faces=[(6,), (4,)])
    assert [one.damage for one in events(session, Hurt)] == [6, 4]
    assert status(session).endurance == 10
    assert not status(session).has("burning")


@pytest.mark.rule("mars.effect.burning")
def test_water_takes_a_fire_off_the_clock() -> None:
    session = alone(somebody("Ann"))
    do(session, "mars.ignite", who="ann", degree=2)
    do(session, "mars.douse", who="ann")
    assert session.scene.clock.due == ()
    do(session, "table.rule", who="ann", field="effects", value='["burning:1"]', reason="an oven")
    assert session.scene.clock.left("fire", who="ann") == 6


@pytest.mark.rule("mars.effect.burning", "mars.effect.dying")
def test_a_character_felled_by_fire_holds_on() -> None:
    session = session_of({"ann": somebody("Ann", wounds=Wounds(endurance=0, health=1))})
    do(session, "mars.ignite", who="ann", degree=2)
    # 3 damage, a check; 1 more and a check; then the fire is out, and a third success
    do(session, "table.pass_time", amount="18 seconds", faces=[(3,), (2, 2), (1,), (3, 3), (9, 4)])
    assert [one.successes for one in events(session, DyingChecked)] == [1, 1, 2]
    assert not status(session).has("dying")
    assert not status(session).dead
    assert len(events(session, BurnedDown)) == 2


@pytest.mark.rule("mars.effect.burning", "mars.effect.dying")
@pytest.mark.parametrize(
    ("who", "process", "arguments", "clock"),
    [
        ("ann", "mars.ignite", {"degree": 2}, "fire"),
        ("bob", "mars.hazard", {"damage": "r0+3", "reduced": "never", "faces": [()]}, "death"),
    ],
    ids=["fire", "death"],
)
def test_in_a_fight_turns_count_and_afterwards_the_clock(
    who: str, process: str, arguments: dict[str, Any], clock: str
) -> None:
    session = duel(HERO, RIVAL, theirs={"endurance": 0, "health": 0, "effects": (MarsEffect("unconscious"),)})
    go(session, process, who=who, **arguments)
    assert session.scene.clock.due == ()
    session.do("mars.encounter")
    assert events(session, Gathered)
    assert session.scene.clock.left(clock, who=who) == 6


@pytest.mark.rule("mars.effect.burning")
def test_a_character_who_comes_burning_burns_by_the_clock() -> None:
    come = alone(somebody("Ann", wounds=Wounds(effects=(MarsEffect("burning", degree=1),))))
    assert come.scene.clock.left("fire", who="ann") == 6


# ---------------------------------------------------------------------- dying outside of fights


@pytest.mark.rule("mars.effect.dying")
def test_a_dying_character_struggles_while_time_passes_for_others() -> None:
    session = session_of({"ann": somebody("Ann", wounds=DYING), "bob": somebody("Bob")})
    assert session.scene.clock.left("death", who="ann") == 6
    do(session, "table.pass_time", amount="5 seconds")
    do(session, "table.pass_time", amount="1 second", faces=[(1, 1)])  # 2 against 4: a graze
    assert status(session).health == -5
    do(session, "mars.short_rest", who=["bob"], faces=[(9, 3), (3, 4)])
    assert not status(session).has("dying")
    assert session.scene.clock.due == ()


@pytest.mark.rule("mars.effect.dying")
def test_nobody_outlives_a_rest_of_others_without_a_check() -> None:
    session = session_of({"ann": somebody("Ann", wounds=Wounds(endurance=0, health=-19, effects=FALLEN)), "bob": HERO})
    do(session, "mars.short_rest", who=["bob"], faces=[(2, 2), (2, 2), (2, 2)])
    assert status(session).dead
    assert session.scene.clock.due == ()


# ---------------------------------------------------------------------- rage


@pytest.mark.rule("mars.gap.talent.rage", "mars.concentration.single")
def test_rage_is_over_with_the_turns_that_pay_for_it() -> None:
    session = act(duel(person("berserker"), RIVAL), "rage")
    assert effect(session, "ann", "rage") is not None
    assert left(session).wounds.effects == ()  # what is kept up by concentration stays behind
    over = with_status(session, "bob", effects=DOWN)
    over.do("mars.encounter")
    assert events(over, Gathered)
    assert (status(over).effects, status(over).concentration) == ((), "")


# ---------------------------------------------------------------------- after the last turn


@pytest.mark.rule("mars.effect.stunned", "mars.action.extended")
def test_effects_of_a_turn_end_with_the_last_turn() -> None:
    busy = {"effects": (MarsEffect("stunned", degree=2),), "work": Work("use_skill", "medicine", 180, 6)}
    session = duel(HERO, RIVAL, mine=busy, theirs={"dead": True})
    session.do("mars.encounter")
    assert events(session, Gathered)
    assert status(session).effects == ()
    assert status(session).work is None
