"""Data for drawing a scene: its ground and the state of each participant, limited to the seat's knowledge."""

from __future__ import annotations

from server.serving import Served


def test_the_ground_and_the_state_in_words(served: Served) -> None:
    gm = served.campaign()
    gm.done("character.add", character="ann", id="ann")
    gm.done("scene.begin", scenario="coinfolk:together")
    ann = gm.invite("Bea")
    seen, public = gm.view()["scene"], ann.view()["scene"]
    assert seen["ground"] == public["ground"] == {"kind": "together"}
    words = {one["id"]: one["words"] for one in seen["participants"]}
    told = {one["id"]: one["words"] for one in public["participants"]}
    assert "health 9" in words["ann"]
    assert "health" not in told["ann"]
