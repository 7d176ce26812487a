"""Random text typed into fights and character creation: an answer or a refusal, never a traceback."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.places import at_length

if TYPE_CHECKING:
    from cli.conftest import Runner

WORDS = [
    "odds",
    "why",
    "advise",
    "look",
    "undo",
    "save",
    "help",
    "?",
    "b",
    "yes",
    "no",
    "1",
    "2",
    "3",
    "1 2",
    "2 2 2",
    "",
]
line = st.one_of(
    st.sampled_from(
        [*WORDS, "grit", "wit", "knife", "done", "strike:rat", "wait", "why strike:cat", "odds 1", "undo 2"]
    ),
    st.builds(lambda word, rest: f"{word} {rest}", st.sampled_from(WORDS), st.text(max_size=6)),
    st.text(max_size=12),
)
fuzzed = settings(max_examples=100 if at_length() else 12, deadline=None, suppress_health_check=list(HealthCheck))


@fuzzed
@given(lines=st.lists(line, max_size=25), seed=st.integers(0, 30), dice=st.sampled_from(["ask", "typed", "auto"]))
def test_at_a_fight(
    folk: Runner, tmp_path_factory: pytest.TempPathFactory, lines: list[str], seed: int, dice: str
) -> None:
    folder = tmp_path_factory.mktemp("fight")
    kept = folder / "kept.json"
    typed = "".join([f"{one}\n" for one in lines if not one.startswith("save ")])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "stdin", io.StringIO(typed))
        begin = ("fight", "coinfolk:together", "--seat", "ann=me", "--seed", str(seed), "--dice", dice)
        ran = folk(*begin, "--save", str(kept))
        assert ran.status in (0, 2), (ran.out, ran.err)
        assert "bug in tablewright" not in ran.err
        if ran.status == 2:
            assert "answers in a row" in ran.err
        # whatever happened, what was kept is whole, and comes out the same once more
        again = folk("fight", "--replay", str(kept), "--json")
        assert again.status == 0, again.err
        assert again.json["same"] is True
        assert json.loads(kept.read_text(encoding="utf-8"))["seed"] == seed


@fuzzed
@given(lines=st.lists(line, max_size=25))
def test_in_the_making_of_a_character(folk: Runner, tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path: Path = tmp_path_factory.mktemp("new") / "made.yaml"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("".join([f"{one}\n" for one in lines])))
        ran = folk("new", "coinfolk", "-o", str(path))
    assert ran.status in (0, 2, 130), ran.err
    assert "bug in tablewright" not in ran.err
    assert path.exists() == (ran.status == 0)
