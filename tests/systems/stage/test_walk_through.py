"""From making a thief for 440 points to buying a power with what was learned: all of it in one go."""

from __future__ import annotations

import pytest

from systems.playing import go
from systems.stage.fights import BOOK, events, place, scene_with, status
from systems.stage.people import OPTIONS, library, person
from systems.stage.test_creation import ARLEF, start
from tablewright.errors import RulesSayNo
from tablewright.game.creation import Creating
from tablewright.game.policies import careful, play_on
from tablewright.game.scene import Start
from tablewright.game.session import Header, Session
from tablewright.systems.stage.character.costs import points_left
from tablewright.systems.stage.character.legality import legality
from tablewright.systems.stage.character.record import StageCharacter, Wounds

SEED = 4
"""With these dice the two get away, and not unhurt."""


def opened(*people: object, begun: bool = False, **start_: str) -> Session:
    scene = scene_with(people, begun=begun, start=Start(more=tuple(start_.items())))  # type: ignore[arg-type]
    return Session(Header("stage", "0.1.0", scene, SEED), BOOK)


def kept(session: Session, who: str) -> StageCharacter:
    found = BOOK.leave(session.scene, who)
    assert isinstance(found, StageCharacter)
    return found


def healed(character: StageCharacter) -> StageCharacter:
    whole: StageCharacter = character.changed(wounds=Wounds())
    return whole


@pytest.mark.rule("stage.character.creation", "stage.advancement.award")
def test_from_creation_to_buying_a_power() -> None:
    making = Creating(start(name="Arlef"))
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

    # An ambush with the bow, and a fight with guard and priest to its end.
    party = [place(kept(cell, "arlef"), "party", who="arlef"), place(brynh, "party", who="brynh")]
    foes = [place(person("guard"), "foes", who="guard"), place(person("priest"), "foes", who="priest")]
    party = [*party, place(person("torvald"), "party", who="torvald")]
    fight = opened(*party, *foes, ambush="party")
    fight.do("stage.encounter")
    assert play_on(fight, {}, otherwise=careful)
    assert fight.scene.ended == "party win"
    answers = {one.defence.partition("+")[0] for one in events(fight, "Attacked")}
    assert {"dodge", "parry"} & answers
    assert [one for one in events(fight, "Attacked") if one.block]

    # Care: treatment, first aid, surgery; then a night's rest.
    healer = person("ysolt", skills=person("ysolt").skills.put("medicine", 3))
    hurt = max(
        ("arlef", "brynh", "torvald"), key=lambda who: 24 - status(fight, who).stamina - status(fight, who).vitality
    )
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
    with pytest.raises(RulesSayNo, match="needs Guile 4"):
        go(thief, "stage.advance", who="arlef", what="power", name="assassin")
    go(thief, "stage.advance", who="arlef", what="power", name="thieves")
    learned = thief.scene["arlef"].character
    assert ("thieves" in learned.powers, points_left(learned, library())) == (True, 10)
    assert legality(learned, OPTIONS, library()).ok
