"""A year of four seasons: a base, a patron, training, a fight by the ounce and an heir, in two cores."""

from __future__ import annotations

import pytest

from systems.marchen.people import book
from systems.playing import play_typed
from tablewright.game.play.common_events import RoundStarted
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import careful, play_to_end
from tablewright.game.session.session import Session
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.events.fight import Struck
from tablewright.systems.marchen.options import Core
from tablewright.systems.marchen.status import chronicle, sanctuaries

PARTY = ("roland", "gretel", "agnes", "morwen")
DAY, OUNCE = 24 * 3600 * 8, 60


def year(core: Core) -> Session:
    """A whole year by commands alone, in which the party rolls well."""
    session = open_session(load_scenario("marchen:easy"), seed=7)

    def do(process: str, **given: object) -> None:
        session.do(f"marchen.{process}", **given)
        play_typed(session, careful, lambda seat: 0.8 if seat in PARTY else 0.4)

    if core != "2d6":
        do("change_core", core=core)
    do("encounter")  # wolves at the ford, on the first day
    for who in [one.id for one in session.scene.participants if one.side != "party" and one.present]:
        session.do("table.leave", who=who)
    do("arrive", place="Rivendell", features=["trainer", "guards", "market"])
    do("season", plans=[f"{who}=open_sanctuary" for who in PARTY])
    do("take_patron", who="roland", person="the Countess")
    plans = ["roland=meet_patron:the Countess", "gretel=training:perception", "agnes=research_lore:the wood"]
    do("season", plans=[*plans, "morwen=write_song:The Ford"])
    do("hurt", who="roland", dice=2)
    do("rest", days=3)
    do("season", plans=["roland=recovery", "gretel=name_an_heir:Hans", "agnes=resupply", "morwen=hearten"])
    do("season", plans=["gretel=epilogue:sage", "roland=guard", "agnes=forge_bond:temple sister", "morwen=rest"])
    return session


@pytest.mark.parametrize("core", ["2d6", "D20"])
def test_a_year(core: Core) -> None:
    session = year(core)
    fought = [line for line in session.log if isinstance(line, RoundStarted)]
    assert (session.scene.ended, len(fought)) == ("party win", session.scene.round)
    assert any(isinstance(line, Struck) for line in session.log)
    here = chronicle(session.scene)
    assert (here.season, sanctuaries(session.scene)) == (4, ("Rivendell",))
    ounces = session.scene.clock.now - (4 * 90 + 3) * DAY
    assert ounces == (session.scene.round - 1) * OUNCE  # the last round is not over when no one is left
    people: dict[str, MarchenCharacter] = {who: session.scene[who].character for who in PARTY}
    assert people["roland"].patrons == ("the Countess",)
    assert people["gretel"].level("perception") == 1
    assert (people["gretel"].heir, people["gretel"].retired) == ("Hans", "sage")
    assert people["agnes"].connections["temple sister"] == 2
    assert people["morwen"].songs == ("The Ford",)
    assert {one.age for one in people.values()} == {31}
    assert session.scene.options.core == core
    for who, character in people.items():
        assert book().export_character(session.scene, who).age == character.age


@pytest.mark.parametrize("core", ["2d6", "D20", "D100", "4d7"])
def test_a_fight_by_the_ounce_ends_on_every_core(core: Core) -> None:
    session = open_session(load_scenario("marchen:together"), seed=2)
    session.do("marchen.change_core", core=core)
    session.do("marchen.encounter")
    assert play_to_end(session, {}, otherwise=careful)
    assert session.scene.ended in ("party win", "robbers win")
    assert session.scene.clock.now == (session.scene.round - 1) * 60


def test_a_year_is_replayed_the_same() -> None:
    assert year("2d6").scene == year("2d6").scene
