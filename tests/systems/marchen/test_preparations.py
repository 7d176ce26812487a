"""Preparations for a skill: they count for its next check, a blow, an answer, a deed, a battle."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.fights import begun, duel, fighter
from systems.marchen.people import ann, done
from systems.marchen.test_seasons import alone, hero
from systems.playing import answer as go_on
from tablewright.game.play.actions import ActionUse
from tablewright.game.session.session import Session
from tablewright.systems.marchen.actions.attack import answering
from tablewright.systems.marchen.book import rulebook
from tablewright.systems.marchen.character.record import Boon
from tablewright.systems.marchen.now import arms_of, attack_dm, attack_tally, skill_total

READY = "an advantage in"
STRIKE = ActionUse("strike", "bob", "sword")


def boon(matter: str, dm: int = 3) -> tuple[Boon, ...]:
    """Preparations for a matter."""
    return (Boon(name=f"{READY} {matter}", dm=dm, matter=matter),)


def left(session: Session, who: str) -> list[str]:
    """The boons that are left."""
    return [one.name for one in session.scene[who].character.boons]


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.gap.casting.depths")
def test_preparations_for_a_spiritual_skill_count_for_one_deed() -> None:
    session = alone(hero(skills={"arcana": 1}, boons=boon("Arcana", 2)))
    words: dict[str, Any] = {"who": "ann", "skill": "arcana", "depth": "sense"}
    assert done(session, "cast_deed", [2, 1], **words).degree == "tie"  # 3 + 1 + 2, and 2 for a routine task
    assert not ann(session).boons
    assert done(session, "cast_deed", [2, 1], **words).degree == "minor_fail"


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.play.basic_process")
def test_decisions_of_the_referee_use_up_no_preparations() -> None:
    session = alone(hero(skills={"perception": 0}, boons=boon("Perception")))
    for outcome in ("success", "failure"):
        session.do("table.check", who="ann", what="perception", situation=(f"automatic={outcome}",))
        assert left(session, "ann")
    session.do("table.check", who="ann", what="perception", situation=("passive=yes",))
    assert not left(session, "ann")


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.attack.is_skill_check")
def test_preparations_for_a_skill_count_for_one_blow() -> None:
    session = begun(duel(fighter("Ann", boons=boon("Melee Combat")), fighter("Bob")))
    sword = arms_of(session.scene, "ann")["sword"]
    assert attack_dm(session.scene, "ann", "bob", sword) == 3
    assert attack_tally(session.scene, "ann", "bob", sword).total == 3
    go_on(session, "strike:bob:sword", "none", [3, 2], [1, 1, 1], [1, 1])
    assert not left(session, "ann")
    assert attack_dm(session.scene, "ann", "bob", sword) == 0
    after = rulebook.foresee(begun(duel(fighter("Ann", boons=boon("Melee Combat")))).scene, "ann", STRIKE)
    assert after
    assert not any(scene["ann"].character.boons for scene, _ in after)


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.ounces.clash")
def test_preparations_for_a_skill_count_for_one_answer() -> None:
    far = fighter("Bob", belongings=(), boons=(*boon("Acrobatics", 4), *boon("acuity", 2), *boon("Stealth")))
    session = duel(fighter("Ann", skills={"melee_combat": 0, "deception": 0}), far)
    assert skill_total(session.scene, "bob", "acrobatics") == 1  # untrained
    assert answering(session.scene, "bob", "ann", "mental")[1] == 2
    begun(session, first=3, second=2)
    go_on(session, "clash:bob:fright", [3, 3], [3, 2])  # 6 against 5 + 2: nothing is done
    assert left(session, "bob") == [f"{READY} Acrobatics", f"{READY} Stealth"]


@pytest.mark.rule("marchen.week.secure_advantage", "marchen.puncti.battle")
def test_preparations_for_a_skill_count_for_one_battle() -> None:
    session = duel(fighter("Ann", boons=boon("Melee Combat")), fighter("Bob", boons=boon("Stealth")))
    fought = done(session, "fight_battle", [4, 5, 5, 6, 1, 1, 1], side="party", against="foes")
    assert fought.winner == "a"  # 9 + 3 against 11
    assert (left(session, "ann"), left(session, "bob")) == ([], [f"{READY} Stealth"])
