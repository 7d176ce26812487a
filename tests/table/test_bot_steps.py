"""Steps of bots after an act are written in batches, and other people act in between."""

from __future__ import annotations

from typing import Any

import pytest

from table import playing
from table.playing import Group
from tablewright.errors import IllegalActionError
from tablewright.table import Store, loaded_campaign

BOTS = {"folk": "careful", "vermin": "careful"}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Pieces of three steps."""
    monkeypatch.setattr(loaded_campaign, "MOST_AT_ONCE", 3)
    return 3


def group(store: Store, **more: Any) -> Group:
    """A table with its seats, and bots for every participant."""
    g = playing.group(store, **more)
    for who in ("ann", "bob"):
        g.act(g.gm, "character.drop", who=who)
    return g


def begun(g: Group, **more: object) -> dict[str, object]:
    return g.table.act(g.gm, {"do": "scene.begin", "scenario": "together", "bots": BOTS}, **more)  # type: ignore[arg-type]


def steps(g: Group) -> int:
    """Number of lines of the open scene."""
    return len(g.table._present().entries())


def test_a_fight_of_bots_is_cut_into_pieces(quick: Store, small: int) -> None:
    g = group(quick)
    answer = begun(g, finish=False, key="first")
    assert steps(g) <= small + 1
    g.table.act(g.anna, {"do": "note.write", "text": "meanwhile"}, finish=False)
    pieces = 1
    while g.table.go_further():
        pieces += 1
        assert steps(g) <= 1 + small * (pieces + 1)
    assert pieces > 3
    assert g.table.view(g.gm)["scene"]["ended"]
    lines = g.table.view(g.gm)["lines"]
    texts = [line.get("text", "") for line in lines]
    told = next(place for place, text in enumerate(texts) if "meanwhile" in text)
    assert any(line.get("scene") for line in lines[:told])
    assert any(line.get("scene") for line in lines[told:])
    assert begun(g, finish=False, key="first") == answer
    assert g.table.is_as_the_log_says()


def test_pieces_come_to_the_same_as_the_whole(quick: Store, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for size in (small, 10_000):
        monkeypatch.setattr(loaded_campaign, "MOST_AT_ONCE", size)
        g = group(quick, seed=7)
        begun(g)
        told.append([line.get("text") for line in g.table.view(g.gm)["lines"]])
        assert g.table.view(g.gm)["scene"]["ended"]
    assert told[0] == told[1]


def test_after_an_undo_nothing_goes_further(quick: Store, small: int) -> None:
    g = group(quick)
    begun(g, finish=False)
    number = g.table.cursor(g.gm)
    g.undo(number)
    assert not g.table.go_further()
    seen = steps(g)
    g.act(g.gm, "throw", dice="d6")
    assert steps(g) == seen
    g.act(g.gm, "go_on")
    assert g.table.view(g.gm)["scene"]["ended"]


def test_steps_of_one_act_are_bounded(quick: Store, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded_campaign, "MOST_AUTOMATIC", 7)
    g = group(quick)
    begun(g)
    assert steps(g) == 1 + 7


def test_refusals_do_not_stop_the_bots(quick: Store, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    g = group(quick)
    begun(g, finish=False)
    add = loaded_campaign.LoadedCampaign.add

    def fails(self: loaded_campaign.LoadedCampaign, *given: Any) -> Any:
        add(self, *given)
        raise IllegalActionError("not now")

    with monkeypatch.context() as patched:
        patched.setattr(loaded_campaign.LoadedCampaign, "add", fails)
        with pytest.raises(IllegalActionError):
            g.act(g.anna, "note.write", text="never")
    while g.table.go_further():
        pass
    assert g.table.view(g.gm)["scene"]["ended"]
