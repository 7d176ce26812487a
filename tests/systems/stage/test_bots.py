"""What bots of The Stage make of what is offered to them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from systems.stage.fights import duel, place, scene_with
from systems.stage.people import person, scene_of, somebody
from tablewright.engine import Choose
from tablewright.game.actions import Use
from tablewright.game.belongings import Carried
from tablewright.game.ground import cell
from tablewright.game.lasting import OPEN_END, Lasting
from tablewright.game.lying import Lying
from tablewright.game.policies import best
from tablewright.systems.stage.actions import ACTIONS
from tablewright.systems.stage.bots import arms_worth, promise, rate, value


@pytest.mark.rule("stage.check.assist")
def test_best_does_nothing_for_nothing() -> None:
    session = duel(person("ysolt"), person("guard"))
    session.do(session.book.encounter.name)
    taken: list[str] = []
    while len(taken) < 20 and (question := session.question) is not None:
        if isinstance(question, Choose):
            option = question.ids[best(session, question)]
            taken.append(option.partition(":")[0])
            session.choose(option)
        else:
            session.roll()
    assert not {"stand_by", "drop", "store"} & set(taken)
    assert {"power_attack", "attack", "cast"} & set(taken)


@pytest.mark.rule("stage.check.assist")
def test_what_is_in_the_hands_is_worth_something_and_a_promise_costs_a_little() -> None:
    scene = scene_of({"ann": person("ysolt")})
    bare = scene.change("ann", belongings=())
    armed = scene.change("ann", belongings=(Carried("spear", place="hands"), Carried("rope", place="pack")))
    assert value(armed, "party") - value(bare, "party") == pytest.approx(1 / 8)
    promised = bare.change("ann", lasting=(Lasting("stands_by", OPEN_END, source="bob"),))
    assert 0 < value(bare, "party") - value(promised, "party") < value(armed, "party") - value(bare, "party")


# ---------------------------------------------------------------------- what a weapon is worth


def worth_of(place_of: str = "", lying: tuple[int, int] | None = None, has: str = "spear") -> Fraction:
    """What a guard's weapon adds to the worth of a scene, wherever it is."""
    guard = person("guard", belongings=(Carried(has, place=place_of),) if place_of else ())
    scene = scene_with([place(guard, "foes", (5, 5), who="guard"), place(somebody(1), "party", (9, 5), who="ann")])
    if lying is not None:
        scene = replace(scene, lying=(Lying(has, "guard", None, cell(*lying)),))
    return arms_worth(scene, scene["guard"])


@pytest.mark.rule("stage.attack.offensive", "stage.equipment.retrieve")
def test_a_weapon_is_worth_the_attacks_of_a_turn_that_are_left_to_make_with_it() -> None:
    whole = worth_of("hand")
    assert whole == 3 * (promise(3, 0, 5) - promise(1, 0, 5)) > 0
    assert worth_of("belt") == worth_of(lying=(5, 5)) == whole * Fraction(2, 3)
    assert worth_of("pack") == whole / 3
    assert worth_of() == worth_of(lying=(9, 5)) == worth_of("hand", has="javelin") == worth_of("hands", has="bow") == 0


@pytest.mark.rule("stage.athletics.throw", "stage.attack.offensive")
@pytest.mark.parametrize(("fighter", "throws"), [("guard", False), ("javelins", True)])
def test_best_does_not_throw_its_only_weapon_away(fighter: str, throws: bool) -> None:
    javelins = somebody(athletics=3, perception=1, academics=1, has=["javelin@hand"])
    thrower = person("guard") if fighter == "guard" else javelins
    session = duel(thrower, somebody(3, has=["spear@hand"]), apart=2)
    session.do("stage.encounter")
    assert isinstance(session.question, Choose)
    taken = session.question.ids[best(session, session.question)]
    assert ("javelin" in taken or "@throw" in taken) is throws


@pytest.mark.rule("stage.manipulation.insult")
def test_who_is_provoked_goes_for_whoever_did_it() -> None:
    provoked = (Lasting("provoked", OPEN_END, by="cat"),)
    people = [
        place(person("guard"), "foes", who="guard", lasting=provoked),
        place(somebody(1), "party", who="bob", vitality=1),
        place(somebody(1), "party", who="cat"),
    ]
    scene = scene_with(people)
    uses = [use for use in ACTIONS.offers(scene, "guard") if isinstance(use, Use)]
    first = max(uses, key=lambda use: sum(rate(scene, "guard", use)[:2]) - rate(scene, "guard", use).cost)
    assert first.target == "cat"
