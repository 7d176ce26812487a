"""Kinds of actions: what an action takes from its kind, and the uses that it offers."""

from __future__ import annotations

import pytest

from tablewright.game.play.action_kinds import ActionKind, action, on_each, only_if, with_each
from tablewright.game.play.actions import ActionUse, Requirement, needs, of_target
from tablewright.game.play.costs import Cost
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene


def one(id_: str, name: str) -> Participant:
    return Participant(id=id_, name=name, side=id_, seat=id_, character=None, status=None)


SCENE = Scene("demo", (one("ann", "Ann"), one("bob", "{Bob}")))
UP, TIMELY = needs(lambda scene, who: who == "ann", "is down", "demo.up"), needs(lambda scene, who: False, "no time")


async def _wave(game: Game, who: str, use: ActionUse) -> None:
    """Nothing happens."""


def test_an_action_demands_cites_and_costs_what_its_kind_does() -> None:
    able = needs(lambda scene, who: True, "not able")
    kind = ActionKind((UP,), (TIMELY,), ("demo.listed",), "2 s", Cost.of(ap=1), "demo.price", reaction=True)
    made = kind("Wave", "demo.wave", (able,))(_wave)
    assert (made.id, made.title, made.rules) == ("wave", "Wave", ("demo.wave", "demo.listed"))
    assert [each.refuse for each in made.requires] == [UP.refuse, able.refuse, TIMELY.refuse]
    assert [each.rule for each in made.requires] == ["demo.up", "demo.wave", "demo.wave"]
    assert (made.cost_text, made.cost, made.price_rule, made.reaction) == ("2 s", Cost.of(ap=1), "demo.price", True)


def test_an_action_has_its_own_cost_and_id_where_it_says_so() -> None:
    kind = ActionKind(cost_text="2 s", cost=Cost.of(ap=1), price_rule="demo.price")
    made = kind("Wave", ("demo.wave", "demo.more"), cost_text="free", cost=Cost(), price_rule="demo.own", id="greet")(
        _wave
    )
    assert (made.id, made.cost_text, made.cost, made.price_rule) == ("greet", "free", Cost(), "demo.own")
    assert action("Wave", "demo.wave")(_wave).plain == ActionUse("wave")


@pytest.mark.parametrize(
    ("uses", "offered"),
    [
        (
            on_each(lambda scene, who: scene.participants, "Wave to {}"),
            ["wave:ann Wave to Ann", "wave:bob Wave to {Bob}"],
        ),
        (with_each(lambda scene, who: ["red_flag", "red_flag"], "Wave the {}"), ["wave::red_flag Wave the red flag"]),
        (with_each(lambda scene, who: [("x_1", "Flag_1")], "Wave the {}"), ["wave::x_1 Wave the Flag_1"]),
        (only_if(lambda scene, who: who == "ann", "Wave at all"), ["wave Wave at all"]),
        (only_if(lambda scene, who: who == "bob", "Wave at all"), []),
    ],
)
def test_uses_have_the_id_and_the_cost_of_their_action(uses: object, offered: list[str]) -> None:
    made = ActionKind(cost_text="2 s")("Wave", "demo.wave", uses=uses)(_wave)  # type: ignore[arg-type]
    found = list(made.uses_for(SCENE, "ann"))
    assert [f"{use.id} {use.label}" for use in found] == offered
    assert {use.cost_text for use in found} <= {"2 s"}


def test_a_requirement_of_the_target_names_it() -> None:
    required: Requirement = of_target(lambda scene, target: target == "ann", "{} does not look", "demo.look")
    assert required.refuse(SCENE, "bob", ActionUse("wave", "ann")) is None
    assert required.refuse(SCENE, "ann", ActionUse("wave", "bob")) == "{Bob} does not look"
    assert (required.rule, required.once, required.always) == ("demo.look", False, False)
