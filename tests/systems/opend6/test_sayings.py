"""Sentences of OpenD6, with all dice typed in."""

from __future__ import annotations

from typing import Any

import pytest

from each_case import each_case
from systems.opend6.fights import BOW, FOE, HERO, HIT, begin, field, meeting, person
from systems.opend6.people import library
from systems.playing import answer
from tablewright.game.narration.entries import entries
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import QuestionDraft, word_question
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.systems.opend6.content import Ability
from tablewright.systems.opend6.creation import gives

ARCHER = person(name="Sela", belongings=BOW)
SLOW = person(FOE, attributes={"acumen": "1D"})


def last(session: Session) -> list[str]:
    """Headline and quiet line of the last action."""
    shown = entries(session.live, session.rulebook, GAME_MASTER)
    told = [one for one in shown if one.kind not in ("turn", "round")][-1]
    return [str(told.headline), told.quiet]


def told(session: Session, viewer: str = GAME_MASTER) -> list[str]:
    """All headlines; of the two words for a miss always the same."""
    shown = entries(session.live, session.rulebook, viewer)
    return [str(one.headline).replace("goes wide of", "misses").replace("go wide of", "miss") for one in shown]


def question(session: Session) -> QuestionDraft:
    """The open question in words."""
    seen = project_question(session.playing, session.scene, GAME_MASTER)
    assert seen is not None
    key = getattr(session.question, "key", "") if seen["kind"] == "choice" else ""
    return word_question(key, seen, session.scene, session.rulebook, GAME_MASTER)


# ---------------------------------------------------------------------- what has happened


@each_case(
    ("answers", "headline"),
    [
        (("slash:b:short_sword", [1, 1, 1, 1]), "Hero's short sword misses Foe."),
        (("slash:b:short_sword", HIT, [1, 1, 1], [4, 4, 4]), "Hero's short sword strikes Foe without harm."),
        (("slash:b:short_sword", HIT, [4, 1, 1], [2, 1, 1]), "Hero's short sword wounds Foe."),
        (
            ("all_out:b:short_sword/all_out", HIT, [2, 1, 1, 1], [5, 5, 5]),
            "Hero attacks all out: the short sword strikes Foe without harm.",
        ),
        (
            ("called_shot:b:short_sword/called", "10cm", [6, 5, 5, 5, 5], [2, 2, 1, 1], [5, 5, 5]),
            "Hero aims at a 10 cm target on Foe and hits it, without harm.",
        ),
        (("punch:b:unarmed", HIT, [2, 1], [4, 4, 4]), "Hero's bare hands strike Foe without harm."),
        (("kick:b:unarmed", [1, 1, 1, 1]), "Hero's bare hands miss Foe."),
        (("tackle:b:unarmed/tackle", [1, 1, 1, 1]), "Hero tries to tackle Foe and fails."),
        (("tackle:b:unarmed/tackle", HIT, [2, 1], [4, 4, 4]), "Hero brings Foe to the ground and holds on."),
        (("push:b:unarmed/push", HIT), "Hero pushes Foe. Foe staggers: -2D on the next Agility roll."),
        (("grab:b:unarmed/hold", HIT, [3, 3, 3], "arm"), "Hero grabs Foe by the arm and holds on."),
        (
            ("disarm:b:short_sword/disarm", HIT, [3, 3, 3], "no", "1", "take_up::short_sword"),
            "Hero knocks the short sword out of Foe's hand.",
        ),
        (
            ("disarm:b:short_sword/disarm", HIT, [3, 3, 3], "no", "1", "take_up::short_sword"),
            "Foe takes up a short sword.",
        ),
        (("glance", [4, 4, 4]), "Hero looks around and rolls 12."),
        (("run_away", [6, 5, 5, 5]), "Hero runs away."),
        (("communicate",), "Hero explains a plan."),
    ],
)
def test_deeds_of_a_turn(answers: tuple[Any, ...], headline: str) -> None:
    assert headline in told(answer(begin(HERO, SLOW), "1", *answers))


def test_a_critical_failure_names_the_dice_that_drop_out() -> None:
    session = answer(begin(ARCHER, FOE), "1", "shoot:b:short_bow", [1, 1, 4, 2])
    assert last(session) == [
        "Sela's arrow goes wide of Foe.",
        "to hit [(1) 1 (4) 2] = 3 against 5, the 1 and the 4 drop out · an arrow",
    ]


def test_a_hit_that_fells_is_one_sentence() -> None:
    session = begin(ARCHER, FOE, person(SLOW, name="Other"))
    answer(session, "1", "shoot:b:short_bow", [5, 4, 2, 6], [3, 6, 2], [3, 3, 1], [6, 5, 1, 1])
    assert last(session) == [
        "Sela's arrow leaves Foe incapacitated and out cold.",
        (
            "to hit [5 4 2 6] = 17 against 5 · damage [3 6 2]+5 = 16 · Resistance [3 3 1] = 7"
            " · stay awake [6+5 1 1] = 13 against 15, failed · an arrow"
        ),
    ]


def test_loading_is_told_and_points_are_not() -> None:
    session = begin(person(ARCHER, character_points=3), FOE)
    answer(session, "2", "use_points::yes", "shoot:b:short_bow", "nothing", [2, 1, 1], "no", "ready_weapon::short_bow")
    assert last(session)[0] == "Sela nocks another arrow."
    assert not [one for one in told(session) if "asked" in one or "mind" in one]


def test_a_move_is_told_by_where_it_leads() -> None:
    session = answer(begin(HERO, FOE, **field(a="0,0", b="30,0")), "1", "step:b", "move:b")
    assert last(session)[0] == "Hero advances ten metres toward Foe."


def test_order_names_totals_and_groups() -> None:
    session = begin(HERO, FOE, FOE, options={"initiative.method": "roll_each_round"})
    assert "Hero (9) acts first, then Foes 1 and 2 (4)." in told(answer(session, [3, 3, 3], [2, 2], [2, 2]))


def test_unconsciousness_is_counted_for_its_owner_only() -> None:
    session = meeting(HERO, FOE)
    session.do("opend6.set_wounds", who="b", level="incapacitated", unconscious=36)
    assert "Foe will be out for 36 minutes." in told(session)[-1]
    assert "Foe is out cold." in told(session, "a")[-1]


def test_the_dying_are_told_by_the_minute() -> None:
    session = meeting(person(wounds={"level": "mortally_wounded"}), FOE)
    session.do("opend6.dying", who="a")
    assert last(answer(session, [1, 4, 2])) == [
        "Hero lies dying. After a minute Hero is still alive.",
        "stay alive [(1) (4) 2] = 2 against 1, the 1 and the 4 drop out",
    ]


def test_treatment_and_checks_say_what_came_of_them() -> None:
    session = meeting(person(skills={"healing": "5D"}), person(FOE, wounds={"level": "severely_wounded"}))
    session.do("opend6.treat", who="b", healer="a")
    assert last(answer(session, [5, 5, 5, 5, 5]))[0] == "Hero treats Foe: from severely wounded to wounded."
    session.do("opend6.try_task", who="a", task="climb the wall", what="climbing", difficulty="10")
    headline = last(answer(session, [5, 5, 5]))[0]
    assert headline.startswith("Hero succeeds")
    assert "Climbing" in headline


# ---------------------------------------------------------------------- what is asked


def test_questions_name_who_does_what() -> None:
    session = begin(HERO, person(FOE, name="Guard"))
    assert str(question(session).heading) == (
        "How many actions does Hero take this round? Each beyond the first takes 1D from every roll."
    )
    assert [one.label for one in question(session).options][:2] == ["One action", "Two actions"]
    answer(session, "2")
    asked = question(session)
    assert (str(asked.heading), asked.stakes) == ("What does Hero do?", "2 actions left, -1D on each roll")
    answer(session, "slash:b:short_sword")
    assert str(question(session).heading) == "Hero rolls 3D to hit Guard, Wild Die first."


def test_a_roll_to_resist_names_who_hits_whom() -> None:
    asked = question(answer(begin(HERO, FOE), "1", "slash:b:short_sword", HIT, [3, 3, 3]))
    assert str(asked.heading) == "Hero hits Foe for 14. Foe rolls 3D to resist the damage, Wild Die first."
    assert asked.stakes == "to hit [5 5 5 5] = 20 against 5 · damage [3 3 3]+5 = 14"


@pytest.mark.parametrize(
    ("ability", "words"),
    [
        ("skill_bonus", "+1 on the totals of three skills"),
        ("fast_reactions", "+1D on initiative, three times an adventure one more action"),
        ("combat_sense", "never surprised"),
    ],
)
def test_an_ability_says_what_it_gives(ability: str, words: str) -> None:
    assert gives(library().get(Ability, ability)) == words
