"""A game master at the terminal, an ambush, and three depths of telling."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from cli.conftest import Ran, Runner

FIGHT = ("coinfolk:together", "--seed", "7")


def play(folk: Runner, monkeypatch: pytest.MonkeyPatch, typed: str, *words: str) -> Ran:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    return folk("fight", *words)


def test_a_game_master_rules_checks_and_ends(folk: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = (
        "rule rat health 1 because the trap has snapped",
        "check ann grit difficulty=2 secret",
        "bonus ann grit +2 because the light is good",
        "rule nobody health 1 because",
        "nonsense",
        "end peace because everybody is tired",
    )
    typed = "".join([f"{line}\n" for line in lines])
    out = play(folk, monkeypatch, typed, *FIGHT, "--seat", "gm=me", "--save", str(tmp_path / "k.json")).out
    plain = " ".join(out.split())
    assert "The game master sets Rat's health to 1: the trap has snapped." in plain
    assert " at Grit." in plain
    assert "the players do not hear how it went" in plain
    assert "The game master gives Ann +2 on Grit: the light is good." in plain
    assert 'Nobody here is called "nobody"' in plain
    assert 'I do not know "nonsense"' in plain
    assert "The game master ends the scene: peace." in plain


def test_an_ambush_surprises_the_others(folk: Runner) -> None:
    ran = folk("fight", *FIGHT, "--ambush", "vermin", "--json")
    assert ran.status == 0
    refused = folk("fight", *FIGHT, "--ambush", "vermon")
    assert refused.status == 2
    assert 'no side is called "vermon"' in refused.err
    assert 'did you mean "vermin"' in refused.err


def test_brief_leaves_out_dice_and_costs(folk: Runner) -> None:
    usual, brief = folk("fight", *FIGHT).out, folk("fight", *FIGHT, "--brief").out
    assert "[" in usual
    assert "[" not in brief
    told = [line for line in usual.splitlines() if line.startswith("  ") and not line.startswith("   ")]
    short = [line for line in brief.splitlines() if line.startswith("  ") and not line.startswith("   ")]
    assert [line.partition(" (")[0] for line in told] == [line.partition(" (")[0] for line in short]
