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
    assert "The game master ends the scene: peace (everybody is tired)." in plain


def test_a_game_master_needs_no_ids(folk: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = (
        "rule Rat Health 1 because the trap has snapped",
        "rule rat feathers 1 because it is odd",
        "rule rat health 1",
        "check ann GRIT difficulty=2",
        "check ann juggling",
        "bonus ann Grit +2 because the light is good",
        "nobonus ann luck",
        "nobonus ann grit",
        "nobonus ann grit",
        "hide rat",
        "look",
        'do table.pass_time amount="1 hour"',
        "pass 2 hours",
        "do table.hide",
        'do table.hide who="rat',
        "end vermin because everybody is tired",
    )
    typed = "".join([f"{line}\n" for line in lines])
    out = play(folk, monkeypatch, typed, *FIGHT, "--seat", "gm=me", "--save", str(tmp_path / "k.json")).out
    plain = " ".join(out.split())
    for told in (
        "The game master sets Rat's health to 1: the trap has snapped.",
        'There is nothing called "feathers"; a ruling can set health',
        "A ruling names its reason: add because and why.",
        " at Grit.",
        'There is no check "juggling"; there are Grit',
        "The game master takes back Ann's modifier on Grit (the light is good).",
        "Nothing was added to grit for Ann.",
        "hidden",
        "One hour passes.",
        "Two hours pass.",
        "Add who=...",
        "A quotation mark is missing.",
        "The game master ends the scene: the vermin wins (everybody is tired).",
    ):
        assert told in plain
    after = plain.partition("everybody is tired).")[2]
    assert "Game master (" not in after, "nobody is asked after the end"
    assert after.startswith(" Standing ")


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


def test_a_player_at_the_masters_terminal_is_asked_by_what_the_character_knows(
    folk: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed = "hide rat\n\nlook\nadvise\nno\nlook\nadvise\nodds\nquit\n"
    words = (*FIGHT, "--seat", "gm=me", "--seat", "ann=me", "--dice", "auto", "--save", str(tmp_path / "k.json"))
    out = play(folk, monkeypatch, typed, *words).out
    _, hidden, after = out.partition("slips out of sight.")
    assert hidden, out
    assert "Best for Ann" in after
    assert "Cat" in after
    assert "Rat" not in after


def test_a_master_who_plays_still_sees_everything_between_the_questions(
    folk: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = (*FIGHT, "--seat", "gm=me", "--seat", "ann=me", "--dice", "auto", "--save", str(tmp_path / "k.json"))
    out = play(folk, monkeypatch, "hide rat\nlook\nquit\n", *words).out
    assert "Rat" in out.partition("slips out of sight.")[2]
