"""Answers to a blow: by resisting, and by striking back."""

from __future__ import annotations

import pytest

from systems.marchen.fights import begun, closed, duel, fighter
from systems.marchen.people import together
from systems.marchen.test_seasons import hurt
from systems.playing import answer as go_on
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.actions import ActionUse
from tablewright.systems.marchen.actions.attack import answering
from tablewright.systems.marchen.book import rulebook
from tablewright.systems.marchen.now import body


@pytest.mark.rule("marchen.gap.threshold.hurt", "marchen.ounces.clash")
def test_a_hurt_character_resists_words_and_curses_worse_but_endures_as_well() -> None:
    for mental, resists in ((5, 0), (6, -1)):
        session = duel(fighter("Ann"), fighter("Bob", wounds=hurt(mental=mental)))
        assert answering(session.scene, "bob", "ann", "mental")[1] == resists
        assert answering(session.scene, "bob", "ann", "spiritual")[1] == 0
        assert body(session.scene, "bob", "mental").bearing.endure == 0


@pytest.mark.rule("marchen.gap.fight.minor_actions", "marchen.ounces.strike")
def test_a_character_who_strikes_back_with_a_crossbow_has_shot_it() -> None:
    shooter = fighter("Bob", skills={"ranged_combat": 0}, belongings=(ItemStack("crossbow", 1, "hand"),))
    for faces, shot in (([1, 3], ()), ([1, 2], ("crossbow",)), ([1, 1], ("crossbow",))):
        session = begun(duel(fighter("Ann"), shooter))
        go_on(session, "strike:bob:sword", "none", faces)
        if shot:
            go_on(session, [1, 1], [1, 1])  # what it does to Ann, and how she endures it
        assert session.scene["bob"].status.unloaded == shot
    foreseen = rulebook.foresee(begun(duel(fighter("Ann"), shooter)).scene, "ann", ActionUse("strike", "bob", "sword"))
    assert foreseen
    assert {scene["bob"].status.unloaded for scene, _ in foreseen} == {(), ("crossbow",)}


@pytest.mark.rule("marchen.puncti.aid_your_ally", "marchen.skill.level_gates")
def test_an_ally_is_aided_with_what_is_known_well_enough() -> None:
    for level, may in ((2, True), (1, False)):  # her words are better than her sword, but no one taught her
        skills = {"melee_combat": level, "persuasion": 0, "athletics": 0}
        ann = fighter("Ann", skills=skills, social=4, personality=4)
        session = together(ann, fighter("Bob"), fighter("Cid"))
        session.do("table.change_sides", who="bob", side="foes")
        session.do("marchen.encounter")
        go_on(session, [6, 6], [4, 4], [4, 4])
        assert ("aid_your_ally" not in closed(session)) == may
        if may:
            go_on(session, "aid_your_ally:cid", [3, 3])
            assert [one.dm for one in session.scene["cid"].status.nexts] == [1]  # 6 + 2
