"""Advancement shows what each purchase changes, and the purchase then changes exactly that."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.places import at_length
from patience import LIMIT
from server.serving import Person, Served
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.values import thaw

GAMES = ("marchen", "mars", "opend6", "renaissance", "stage") if at_length() else ("mars", "opend6")
EARNED: dict[str, dict[str, Any]] = {
    "marchen": {"bonus": 60},
    "mars": {"bonus": 60},
    "opend6": {"character_points": 60},
    "renaissance": {"good_play": 20},
    "stage": {"bonus": 60},
}


def spending(served: Served, system: str) -> tuple[Person, Person, Person]:
    """A game master, a player who is asked what to buy, and another player."""
    gm = served.campaign(f"Growth in {system}", system)
    anna, ben = gm.invite("Anna"), gm.invite("Ben")
    scenario = load_scenario(f"{system}:together")
    first = scenario.on(scenario.sides[0])[0]
    gm.done("character.add", character=thaw(first.character), id=first.id, seat="anna")
    gm.done("scene.begin", form="time", who=[first.id])
    whom = [first.id] if system in ("marchen", "mars", "stage") else first.id
    gm.done("start", process=f"{system}.award", **{"with": {"who": whom} | EARNED[system]})
    if system == "opend6":  # points are spent between adventures
        gm.done("start", process="opend6.end_adventure", **{"with": {"who": first.id}})
    gm.done("start", process=f"{system}.spend", **{"with": {"who": first.id}})
    return gm, anna, ben


def growth(person: Person) -> dict[str, Any]:
    answer = person.client.get(f"{person.base}/growth", timeout=LIMIT)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def figures(told: dict[str, Any]) -> dict[tuple[str, str], str]:
    return {(one["group"], one["name"]): one["value"] for one in told["figures"]}


@pytest.mark.parametrize("system", GAMES)
def test_a_purchase_changes_what_was_shown_before(served: Served, system: str) -> None:
    _, anna, _ = spending(served, system)
    question = anna.view()["question"]
    told = growth(anna)
    assert told["id"] == question["id"]
    offered = [one["id"] for one in question["options"] if one["id"] != question["default"]]
    shown = told["options"]
    assert set(shown) <= set(offered)
    assert told["complete"] == (len(shown) == len(offered))
    assert all(one["changes"] or one["then"] for one in shown.values()), "nothing is bought blindly"
    assert all(":" not in name for name in told["closed"].values()), "names, no ids"
    bought = next(id_ for id_, one in shown.items() if len(one["changes"]) > 1)
    before = figures(told)
    changes = {(one["group"], one["name"]): one for one in shown[bought]["changes"]}
    assert all(before.get(key, "") == one["before"] != one["value"] for key, one in changes.items())
    anna.done("answer", question=question["id"], option=bought)
    after = figures(growth(anna))
    differing = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    assert differing == set(changes)
    assert all(after.get(key, "") == one["value"] for key, one in changes.items())
    assert anna.view()["question"]["id"] != question["id"]


def test_only_the_asked_seat_and_the_game_master_see_it(served: Served) -> None:
    gm, anna, ben = spending(served, "mars")
    assert ben.client.get(f"{ben.base}/growth").status_code == 403
    assert ben.view()["question"] == {"waiting": "anna"}, "others know who chooses, and nothing else"
    gm.done("setting.set", name="odds", value=False)
    assert growth(anna)["options"], "it is no matter of odds"
    assert growth(gm)["options"]
    question = anna.view()["question"]
    anna.done("answer", question=question["id"], option=question["default"])
    over = anna.client.get(f"{anna.base}/growth")
    assert (over.status_code, over.json()["detail"]) == (
        409,
        "nobody has to choose now; ask again when a choice is open",
    )
