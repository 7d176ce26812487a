"""Fields of the pack that few entries use: what each of them decides in play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import go
from systems.stage.fights import BOOK, duel
from systems.stage.people import OPTIONS, library, numbers, somebody
from tablewright.engine import Process
from tablewright.errors import InvalidInputError
from tablewright.game.content.packs import read_pack
from tablewright.game.play.checks import Subject
from tablewright.game.scene.game import Game
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.defences import BRAWL_PARRY, Answering
from tablewright.systems.stage.actions.strike import after_defence
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.content import KINDS, Gear
from tablewright.systems.stage.creation import _is_unwise
from tablewright.systems.stage.now import pool, stops

HEAD = "pack: {id: own, title: Own, version: '1', origin: house}\nsystem: stage\n"


@pytest.mark.rule("stage.guile.sneak")
def test_the_rule_of_an_application_stands_beside_its_circumstances() -> None:
    subject = Subject(somebody(3), OPTIONS, library())
    planned = BOOK.check("guile.sneak").read(subject, {"when": "bad_visibility"})
    assert "stage.guile.sneak" in [part.rule for part in planned.tallies["dice"].parts]


@pytest.mark.rule("stage.damage.order")
def test_armour_may_stop_damage_to_mind_and_soul() -> None:
    own = "armours:\n  - {id: charm, name: Charm, slot: head, max_defense_points: 2, stops: [mind]}\n"
    session = duel(somebody(3), somebody(3, has=["helmet@worn"]))
    assert [stops(session.scene, "bob", kind) for kind in ("body", "mind", "soul")] == [True, False, False]
    known = library().with_pack(read_pack(HEAD + own, KINDS, library()))
    charmed = duel(somebody(3), somebody(3, has=["charm@worn"]))
    scene = replace(charmed.scene, library=known)
    assert [stops(scene, "bob", kind) for kind in ("body", "mind", "soul")] == [True, True, False]


@pytest.mark.rule("stage.gap.character.starting_equipment")
def test_more_light_is_bought_but_no_second_rope() -> None:
    for item, unwise in (("torch", False), ("rope", True)):
        owner = somebody(3, has=[item])
        entry = library().get(Gear, item)
        assert _is_unwise(owner, entry, owner.belongings, OPTIONS, library()) is unwise


@pytest.mark.rule("stage.power_effect.on_defend")
def test_redirected_momentum_adds_up() -> None:
    async def defended(game: Game) -> None:
        """Bob has parried twice."""
        for _ in range(2):
            await after_defence(game, "bob", "ann", Answering("bob", BRAWL_PARRY), success=True, school="")

    bare: Any = {"has": ()}
    session = duel(somebody(3, **bare), somebody(3, powers=("redirect_momentum",), **bare))
    book = replace(BOOK, processes=(*BOOK.processes, Process("stage.defended", defended, ())))
    session = go(Session(session.header, book), "stage.defended")
    assert pool(session.scene, "bob", "brawl.attack").flat.total == 2


@pytest.mark.rule("stage.mount.properties")
def test_a_craft_brings_its_weapons() -> None:
    own = "vehicles:\n  - {id: galley, name: Galley, size: 12, speed: 2, integrity: 30, weapons: [bow]}\n"
    known = library().with_pack(read_pack(HEAD + own, KINDS, library()))
    assert known.get("vehicles", "galley").character["weapons"] == ("bow",)  # type: ignore[attr-defined]


@pytest.mark.rule("stage.skill.description_fields")
def test_an_application_of_another_pack_can_be_rolled() -> None:
    text = """
pack: {id: fair, title: The fair, version: "1", origin: house}
system: stage
applications:
  - id: guile_juggle
    name: Guile (juggle)
    skill: guile
    application: juggle
    check: flat
    ap: 2
    difficulty: set
    circumstances: [{name: knives, dice: -1}]
    rule: stage.guile.bluff
"""
    fair = library().with_pack(read_pack(text, KINDS, library()))
    check, juggler = rulebook.check("application"), Subject(somebody(3), OPTIONS, fair)
    planned = check.read(juggler, {"of": "guile.juggle", "difficulty": "9", "when": "knives"})
    assert numbers(planned) == ("flat", 2, 0, 9)
    with pytest.raises(InvalidInputError, match=r'no application "guile\.juggl"; did you mean "guile\.juggle"'):
        check.read(juggler, {"of": "guile.juggl", "difficulty": "9"})
    with pytest.raises(InvalidInputError, match='knows no circumstance "balls"'):
        check.read(juggler, {"of": "guile.juggle", "difficulty": "9", "when": "balls"})
