"""From making a thief for 440 points to buying a power with what was learned: all of it in one go."""

from __future__ import annotations

from typing import Any

import pytest

from systems.playing import events, go, play_typed, status
from systems.stage.fights import BOOK, place, scene_with
from systems.stage.people import OPTIONS, library, person
from systems.stage.test_creation import ARLEF, start
from tablewright.engine import Choice
from tablewright.errors import IllegalActionError
from tablewright.game.character.creation import CharacterCreation
from tablewright.game.scene.scene import SceneSetup
from tablewright.game.session.policies import careful
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.stage.character.costs import points_left
from tablewright.systems.stage.character.record import StageCharacter, Wounds
from tablewright.systems.stage.legality import legality

WANTED = {"charge": "charge:", "Flare": "cast:brynh:flare", "dodge": "dodge", "parry": "parry", "block": "block"}
"""Features that the fight has to show, with the prefix of the option behind each."""


def opened(*people: object, begun: bool = False, seed: int = 1, **start_: str) -> Session:
    scene = scene_with(people, begun=begun, start=SceneSetup(more=tuple(start_.items())))  # type: ignore[arg-type]
    return Session(SessionHeader("stage", "0.1.0", scene, seed), BOOK)


def shown(fight: Session) -> set[str]:
    """Features that a fight has shown so far."""
    blows, tries = events(fight, "Attacked"), events(fight, "Tried")
    done = {one.what.partition(" (")[0] for one in (*blows, *tries)}
    done |= {one.defence.partition("+")[0] for one in blows}
    done |= {"block" for one in blows if one.block} | {"charge" for one in blows if one.cause == "stage.attack.charge"}
    return done & set(WANTED)


def curious(session: Session, question: Choice[Any]) -> int:
    """Do what has not been done yet in this fight, and otherwise be careful.

    The two heroes only charge for the show of it, and go for the guard until the priest has cast his Flare.
    """
    wanted = set(WANTED) - shown(session)
    heroes = session.seat in ("arlef", "brynh")
    for what in sorted(wanted & {"charge"} if heroes else wanted):
        for at, option in enumerate(question.ids):
            if option.startswith(WANTED[what]):
                return at
    taken = careful(session, question)
    instead = question.ids[taken].replace(":priest", ":guard")
    return question.ids.index(instead) if heroes and "Flare" in wanted and instead in question.ids else taken


def fought(arlef: StageCharacter, brynh: StageCharacter) -> Session:
    """An ambush with the bow and a fight with guard and priest to its end, with typed dice."""
    people = [
        place(arlef, "party", (4, 5), who="arlef"),
        place(brynh, "party", (4, 5), who="brynh"),
        place(person("guard"), "foes", (5, 5), who="guard", beside=("priest",)),
        place(person("priest"), "foes", (5, 5), who="priest", beside=("guard",)),
    ]
    fight = opened(*people, ambush="party")
    fight.do("stage.encounter")
    play_typed(fight, curious, lambda seat: 0.8 if seat in ("arlef", "brynh") else 0.4)
    assert fight.scene.ended == "party win"
    assert shown(fight) == set(WANTED)
    assert not status(fight, "arlef").dead
    assert not status(fight, "brynh").dead
    return fight


def kept(session: Session, who: str) -> StageCharacter:
    found = BOOK.export_character(session.scene, who)
    assert isinstance(found, StageCharacter)
    return found


def healed(character: StageCharacter) -> StageCharacter:
    whole: StageCharacter = character.changed(wounds=Wounds())
    return whole


@pytest.mark.rule("stage.character.creation", "stage.advancement.award")
def test_from_creation_to_buying_a_power() -> None:
    making = CharacterCreation(start(name="Arlef"))
    making.follow({**ARLEF, "finish": ["bow", "arrow", "lockpicks", "done"]})
    arlef = making.result
    assert (arlef.points, points_left(arlef, library()), arlef.money) == (440, 0, 100 - 40 - 4 - 10)
    assert legality(arlef, OPTIONS, library()).ok
    brynh = person("brynh")

    # Out of the cell and past the guard.
    cell = opened(place(arlef, "party", who="arlef"), place(person("guard"), "foes", who="guard"))
    go(cell, "table.check", who="arlef", what="guile.disable", situation=("thing=good_lock",), faces=[[4, 4]])
    assert cell.result.success
    go(
        cell,
        "table.contest",
        who="arlef",
        what="guile.sneak",
        against="guard",
        with_what="perception.detect",
        faces=[[3, 3], [5]],
    )
    assert cell.result.success

    fight = fought(kept(cell, "arlef"), brynh)
    assert events(fight, "Attacked")[0].by == "arlef"  # out of the ambush

    # Care: treatment, first aid, surgery; then a night's rest.
    healer = person("ysolt", skills=person("ysolt").skills.put("medicine", 3))
    hurt = max(("arlef", "brynh"), key=lambda who: 24 - status(fight, who).stamina - status(fight, who).vitality)
    patient = kept(fight, hurt)
    wounds = patient.wounds.changed(stamina=0, vitality=2)
    home = opened(place(healer, "party", who="ysolt"), place(patient.changed(wounds=wounds), "party", who=hurt))
    whole = place(healed(patient), "party", who="whole").status
    go(home, "stage.first_aid", healer="ysolt", patient=hurt, faces=[[3, 2, 1]])
    assert status(home, hurt).first_aid
    split = {"dice for the first roll": "2"}
    go(home, "stage.treatment", healer="ysolt", patient=hurt, faces=[[6, 6], [3]], choices=split)
    assert status(home, hurt).stamina == 3
    go(home, "stage.surgery", healer="ysolt", patient=hurt, faces=[[6, 6], [3]], choices=split)
    assert status(home, hurt).vitality == whole.vitality
    go(home, "stage.rest", who=hurt)
    assert status(home, hurt).stamina == whole.stamina

    # 20 points for the session, and a power of the first tier for 10.
    thief = opened(place(healed(kept(fight, "arlef")), "party", who="arlef"))
    go(thief, "stage.award", who=("arlef",))
    assert points_left(thief.scene["arlef"].character, library()) == 20
    with pytest.raises(IllegalActionError, match="needs Guile 4"):
        go(thief, "stage.advance", who="arlef", what="power", name="assassin")
    go(thief, "stage.advance", who="arlef", what="power", name="thieves")
    learned = thief.scene["arlef"].character
    assert ("thieves" in learned.powers, points_left(learned, library())) == (True, 10)
    assert legality(learned, OPTIONS, library()).ok
