"""Fields of the pack that few entries use: what each of them decides in play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import events, go, status
from systems.stage.fights import BOOK, act, asked, duel, place, session_with
from systems.stage.people import OPTIONS, library, person, somebody
from tablewright.engine import Choice, Process, Roll
from tablewright.errors import InvalidInputError
from tablewright.game.content.packs import read_pack
from tablewright.game.play.checks import Subject
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.game import Game
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.defences import BRAWL_PARRY, Answering
from tablewright.systems.stage.actions.strike import after_defence
from tablewright.systems.stage.content import KINDS, Gear
from tablewright.systems.stage.creation import _is_unwise
from tablewright.systems.stage.now import pool, stops
from tablewright.systems.stage.status import most

LEDGER = Ledger.load("stage")
HEAD = "pack: {id: own, title: Own, version: '1', origin: house}\nsystem: stage\n"


@pytest.mark.rule("stage.poison.attack")
def test_an_ailment_is_no_stronger_than_its_highest_level() -> None:
    session = session_with([place(somebody(3), "party", who="ann")])
    with pytest.raises(InvalidInputError, match="has a level from 2 to 5, not 6"):
        session.do("stage.infect", who="ann", ailment="nerve_agent", level=6)


@pytest.mark.rule("stage.power_effect.ally_cube_bonus")
def test_a_flat_bonus_of_allies_is_the_level_of_the_skill() -> None:
    options = OPTIONS.put("ally_bonus", "skill_level_flat")
    session = duel(
        somebody(1, academics=3, powers=("mentor",)),
        somebody(1),
        place(somebody(1), "party", who="amy", options=options),
        options=options,
    )
    act(session, "power::mentor")
    assert pool(session.scene, "amy", "academics.knowledge").flat.total == 3


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


@pytest.mark.rule("stage.power_effect.area_damage")
def test_the_level_of_a_skill_is_how_many_are_hurt() -> None:
    people = [place(somebody(3, creativity=1, powers=("disturbia",)), "party", who="ann")]
    people += [place(somebody(3), "foes", who=who) for who in ("bob", "cat")]
    session = session_with(people)
    session.do("stage.perform", who="ann", use="power::disturbia=soul")
    assert asked(session).ids == ("bob", "cat")


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


@pytest.mark.rule("stage.gap.attack.objects")
def test_a_broken_lock_tells_its_integrity() -> None:
    session = duel(somebody(2, has=["short_sword@hand"]), somebody(2))
    how: dict[str, Any] = {"faces": [[4, 4], [5]], "choices": {"dice for the first roll": "2"}}
    go(session, "stage.break_object", who="ann", thing="good_lock", weapon="short_sword", **how)
    assert events(session, "Checked")[-1].result == "5 damage of 6 Integrity Points"


@pytest.mark.rule("stage.magic.visibility")
@pytest.mark.parametrize(("spell", "seen"), [("soul_sting", False), ("flare=fire", True)])
def test_only_a_spell_that_is_seen_is_defended_against(spell: str, seen: bool) -> None:
    caster = somebody(3, spells=(spell.partition("=")[0],))
    session = duel(caster, somebody(3, powers=("uncanny_awareness",)), apart=2)
    scene = session.scene.with_participant(replace(session.scene["ann"], hidden=True))
    session = Session(replace(session.header, scene=scene), BOOK)
    session.do("stage.perform", who="ann", use=f"cast:bob:{spell}")
    while isinstance(session.question, Roll):
        session.roll()
    assert (isinstance(session.question, Choice) and "dodge" in str(session.question.ids)) is seen


@pytest.mark.rule("stage.gap.mount.vehicles", "stage.mount.properties")
@pytest.mark.parametrize("name", LEDGER["stage.gap.mount.vehicles"].data)
def test_a_craft_is_as_fast_as_its_row_says(name: str) -> None:
    session = session_with([place(person(name), "party", who="craft")])
    assert most(session.scene, "craft").speed == LEDGER["stage.gap.mount.vehicles"].data[name]["speed"]


@pytest.mark.rule("stage.mount.properties")
def test_a_craft_brings_its_weapons() -> None:
    own = "vehicles:\n  - {id: galley, name: Galley, size: 12, speed: 2, integrity: 30, weapons: [bow]}\n"
    known = library().with_pack(read_pack(HEAD + own, KINDS, library()))
    assert known.get("vehicles", "galley").character["weapons"] == ("bow",)  # type: ignore[attr-defined]


@pytest.mark.rule("stage.athletics.pursue")
def test_running_away_costs_as_much_as_pursuing() -> None:
    session = duel(somebody(3), somebody(3), apart=2)
    session.do("stage.perform", who="ann", use="pursue:bob")
    assert [one.cost_text for one in asked(session).options] == ["", "3 AP"]
    session.choose("run")
    assert status(session, "bob").ap == 0
