"""Characters as values: made, loaded, changed, checked and kept."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import tablewright as tw

ANN = tw.Character.load("mars:fighter").changed(name="Ann")


@pytest.mark.parametrize("system", tw.system_ids())
def test_every_system_makes_characters_at_random(system: str, tmp_path: Path) -> None:
    made = tw.Character.random(system, seed=3, name="Wren")
    assert made.name == "Wren"
    assert made.problems == ()
    assert made == tw.Character.random(system, seed=3, name="Wren")
    made.save(tmp_path / "wren.json")
    assert tw.Character.load(tmp_path / "wren.json") == made
    assert "Wren" in str(made)
    assert "Wren" in made._repr_markdown_()


def test_a_character_is_immutable_hashable_and_picklable() -> None:
    with pytest.raises(AttributeError, match="use changed"):
        ANN.name = "Bob"  # type: ignore[misc]
    assert len({ANN, ANN.changed(name="Ann"), ANN.changed(name="Bob")}) == 2
    assert pickle.loads(pickle.dumps(ANN)) == ANN
    assert repr(ANN) == "<Character Ann of mars>"


def test_a_character_made_in_code_is_validated() -> None:
    stats = {"STR": "r14", "DEX": "r10", "INT": "r8", "RES": "r10"}
    brute = tw.Character.make("mars", name="Brute", kind="creature", stats=stats)
    assert brute.to_dict()["stats"]["STR"] == "r14"
    assert brute.kind == "creature"
    with pytest.raises(tw.BadInput, match=r'has no "stat"; .* did you mean "stats"'):
        tw.Character.make("mars", name="Brute", stat=stats)
    with pytest.raises(tw.BadInput, match="name"):
        tw.Character.make("mars", stats=stats)
    with pytest.raises(tw.BadInput, match="STR"):
        tw.Character.make("mars", name="Brute", stats=stats | {"STR": "strong"})
    with pytest.raises(tw.BadInput, match='did you mean "mars"'):
        tw.Character.make("mrs", name="Brute")
    with pytest.raises(AttributeError, match="strength"):
        brute.strength  # noqa: B018


def test_a_character_is_made_step_by_step() -> None:
    making = tw.Character.making("mars", seed=1, name="Wren")
    first = making.question
    assert first is not None
    assert making.options
    assert not making.is_done


def test_the_sheet_explains_its_numbers() -> None:
    entry = next(entry for entry in ANN.sheet.entries() if entry.tally is not None)
    assert "=" in ANN.why(entry.label)
    with pytest.raises(tw.BadInput, match="on the sheet"):
        ANN.why("nothing of the kind")


def test_a_check_has_tallies_odds_and_a_roll() -> None:
    climb = ANN.check("Athletics", difficulty="hard")
    assert climb.odds == ANN.check("athletics", difficulty="hard").odds
    assert str(climb).startswith("Ann, athletics: ")
    assert climb.tallies
    assert climb.roll(seed=1) == climb.roll(seed=1)
    assert ANN.check("athletics", difficulty=14).odds == ANN.check("athletics", difficulty="14").odds
    assert "athletics" in ANN.checks
    with pytest.raises(tw.BadInput, match='did you mean "athletics"'):
        ANN.check("athletcs", difficulty="hard")
    with pytest.raises(tw.BadInput, match="dificulty"):
        ANN.check("athletics", dificulty="hard")


@pytest.mark.parametrize("word", ["mars:figther", "mrs:fighter", "nowhere.yaml", "fighter"])
def test_an_unknown_character_is_refused(word: str) -> None:
    with pytest.raises(tw.BadInput):
        tw.Character.load(word)
