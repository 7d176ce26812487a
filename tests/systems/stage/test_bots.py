"""Decisions of bots in The Stage."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from systems.stage.fights import asked, duel, fighter, place, scene_with, session_with
from systems.stage.people import person, scene_of, somebody
from tablewright.engine import Choice
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.position import cell
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import OPEN_END, Effect
from tablewright.game.scene.scene import LooseItem
from tablewright.game.session.policies import best
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.index import ACTIONS
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.bots import arms_worth, promise, rate, value


@pytest.mark.rule("stage.check.assist")
def test_best_does_nothing_for_nothing() -> None:
    session = duel(person("ysolt"), person("guard"))
    session.do(session.rulebook.encounter.name)
    taken: list[str] = []
    while len(taken) < 20 and (question := session.question) is not None:
        if isinstance(question, Choice):
            option = question.ids[best(session, question)]
            taken.append(option.partition(":")[0])
            session.choose(option)
        else:
            session.roll()
    assert not {"stand_by", "drop", "store"} & set(taken)
    assert {"power_attack", "attack", "cast"} & set(taken)


@pytest.mark.rule("stage.check.assist")
def test_items_in_hand_have_value_and_a_promise_costs_a_little() -> None:
    scene = scene_of({"ann": person("ysolt")})
    bare = scene.with_status("ann", belongings=())
    armed = scene.with_status("ann", belongings=(ItemStack("spear", place="hands"), ItemStack("rope", place="pack")))
    assert value(armed, "party") - value(bare, "party") == pytest.approx(1 / 8)
    promised = bare.with_status("ann", lasting=(Effect("stands_by", OPEN_END, source="bob"),))
    assert 0 < value(bare, "party") - value(promised, "party") < value(armed, "party") - value(bare, "party")


def worth_of(place_of: str = "", lying: tuple[int, int] | None = None, has: str = "spear") -> Fraction:
    """Value that a guard's weapon adds to a scene, by its place."""
    guard = person("guard", belongings=(ItemStack(has, place=place_of),) if place_of else ())
    scene = scene_with([place(guard, "foes", (5, 5), who="guard"), place(somebody(1), "party", (9, 5), who="ann")])
    if lying is not None:
        scene = replace(scene, loose_items=(LooseItem(has, "guard", None, cell(*lying)),))
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
    taken = asked(session).ids[best(session, asked(session))]
    assert ("javelin" in taken or "@throw" in taken) is throws


@pytest.mark.rule("stage.resource.death")
def test_best_takes_the_dead_for_dead_and_others_for_what_they_look() -> None:
    foes: dict[str, dict[str, Any]] = {
        "bob": {"vitality": 0},
        "cat": {"stamina": 0, "vitality": 5, "intellect": 1},
        "dan": {"stamina": 15},
    }
    people = [place(somebody(2), "party", who="ann")]
    people += [place(somebody(2), "foes", who=who, **left) for who, left in foes.items()]
    scene = rulebook.supposed_by(scene_with(people), "party")
    assert scene["ann"].status == people[0].status
    assert scene["bob"].status.dead
    looks = [(scene[who].status.stamina, scene[who].status.vitality) for who in ("cat", "dan")]
    assert (looks, scene["cat"].status.intellect) == ([(0, 8), (16, 16)], 16)


@pytest.mark.rule("stage.action.ap", "stage.movement.cubes")
@pytest.mark.parametrize(("fighter", "closes"), [("guard", True), ("arlef", False)])
def test_best_closes_in_unless_it_shoots(fighter: str, closes: bool) -> None:
    """AP that are left at the end of the turn are lost: the one who fights hand to hand spends them on the way."""
    shooter = person(fighter)
    session = duel(shooter, somebody(1), apart=4, mine={"ap": 1})
    session.do("stage.encounter")
    while not isinstance(session.question, Choice) or session.question.details.get("who") != "ann":
        session.roll() if not isinstance(session.question, Choice) else session.choose(session.question.ids[-1])
    taken = session.question.ids[best(session, session.question)]
    assert taken.startswith("move" if closes else "attack")


@pytest.mark.rule("stage.movement.cubes")
def test_bots_do_not_walk_past_their_foes() -> None:
    scene = duel(person("guard"), somebody(1), apart=4).scene
    towards, aside, back = [rate(scene, "ann", ActionUse("move", None, to)) for to in ("6,5", "5,6", "4,5")]
    assert towards.harm > aside.harm
    assert aside == back


@pytest.mark.rule("stage.defense.block", "stage.equipment.armor")
def test_an_attacker_prefers_a_target_without_armour() -> None:
    people = [
        place(person("guard"), "foes", who="guard"),
        place(somebody(1, has=["plate_harness@worn"]), "party", who="bob"),
        place(somebody(1), "party", who="cat"),
    ]
    scene = scene_with(people)
    uses = [ActionUse("attack", target, "spear") for target in ("bob", "cat")]
    armoured, bare = [rate(scene, "guard", use).harm for use in uses]
    assert bare > armoured


def torn(held: dict[str, str], cat: tuple[int, int] = (5, 5)) -> Session:
    """A guard beside Ann, and Cat there or elsewhere; one of them has brought about conditions of the guard."""
    lasting = tuple([Effect(condition, OPEN_END, by=by) for condition, by in held.items()])
    near = ("ann", "cat") if cat == (5, 5) else ("ann",)
    people = [
        place(person("guard"), "foes", (5, 5), who="guard", lasting=lasting, beside=near),
        place(fighter(name="Ann"), "party", (5, 5), who="ann", beside=("guard",)),
        place(fighter(name="Cat"), "party", cat, who="cat", beside=("guard",) if cat == (5, 5) else ()),
    ]
    return session_with(people)


@pytest.mark.rule("stage.intimidate.bully", "stage.manipulation.insult")
@pytest.mark.parametrize(
    ("held", "best"),
    [
        ({"intimidated": "ann"}, "cat"),
        ({"intimidated": "cat"}, "ann"),
        ({"provoked": "cat"}, "cat"),
        ({"provoked": "ann"}, "ann"),
    ],
)
def test_a_bot_keeps_off_the_bully_and_goes_for_who_provoked_it(held: dict[str, str], best: str) -> None:
    scene = torn(held).scene
    uses = [one for one in ACTIONS.options(scene, "guard") if isinstance(one, ActionUse)]
    chosen = max(uses, key=lambda use: sum(rate(scene, "guard", use)[:2]) - rate(scene, "guard", use)[2])
    assert chosen.target == best
    handled = [use for use in uses if use.action in ("grapple", "trip") and use.target == held.get("intimidated")]
    assert all(rate(scene, "guard", use).harm < 0 for use in handled)


@pytest.mark.rule("stage.manipulation.insult")
@pytest.mark.parametrize(("provoked", "goes"), [({}, False), ({"provoked": "cat"}, True)])
def test_a_provoked_bot_leaves_the_foe_at_hand(provoked: dict[str, str], goes: bool) -> None:
    scene = torn(provoked, (6, 5)).scene
    assert (rate(scene, "guard", ActionUse("move", "cat")).harm > 0) is goes
