"""A game master at the terminal beside a player's seat: what they do is told while an action waits for the player."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from narration.samples import lines_of, play_on
from narration.test_processes import told
from tablewright.errors import IllegalActionError
from tablewright.game.narration.entries import entries
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import word_question
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.game.session.session import Session

CHECKS = {
    "marchen": ("roland", "athletics", "Roland rolls 2d6 for Athletics."),
    "mars": ("aldith", "athletics", "Aldith rolls d10+d8+2 for Athletics."),
    "opend6": ("mirre", "stealth", "Mirre rolls 2D for Stealth, Wild Die first."),
    "renaissance": ("pip", "athletics", "Pip rolls d100 for Athletics."),
    "stage": ("arlef", "perception.intuition", "Arlef rolls d6 for Perception (intuition)."),
}
"""A participant, a check, and the roll that it asks for, of each system."""


def played(monkeypatch: pytest.MonkeyPatch, folder: Path, scenario: str, *typed: str) -> list[str]:
    """Lines of a fight in which one person plays Aldith and is the game master."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join([f"{line}\n" for line in typed])))
    status, lines = told("fight", scenario, "--seat", "gm=me", "--seat", "aldith=me", "--seed", "3")
    assert status == 0
    return [line.strip() for line in lines]


def asked(session: Session) -> str:
    """Heading of the open question, as its seat reads it."""
    seen = project_question(session.playing, session.scene, str(session.seat))
    assert seen is not None
    return str(word_question("", seen, session.scene, session.rulebook, str(session.seat), game=session.live).heading)


@pytest.mark.parametrize("system", CHECKS)
def test_a_roll_names_the_check_that_it_is_for(system: str) -> None:
    who, what, heading = CHECKS[system]
    session = open_session(load_scenario(f"{system}:together"), seed=1)
    session.do("table.check", who=who, what=what)
    assert asked(session) == heading
    play_on(session)
    assert session.live.purpose == ""


def test_a_check_in_the_middle_of_an_attack_is_told_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    typed = ("roll", "", "check brakka athletics blind", "1", "quit")
    lines = played(monkeypatch, tmp_path, "mars:together", *typed)
    attack = next(at for at, line in enumerate(lines) if line.startswith("Dilly steps between"))
    assert lines.index("Brakka succeeds at Athletics.") < attack
    assert lines.count("Brakka succeeds at Athletics.") == 1


def test_the_end_that_a_game_master_rules_asks_nobody_any_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = played(monkeypatch, tmp_path, "mars:together", "roll", "", "end raiders because they ran")
    assert "The game master ends the scene: the raiders win (they ran)." in lines
    assert any(line.startswith("Standing") for line in lines)
    assert not any(line.startswith("Saved") for line in lines)


def test_a_refused_process_leaves_the_lines_after_it_to_their_own_action() -> None:
    session = open_session(load_scenario("stage:together"), seed=3)
    begin_encounter(session)
    play_on(session, lambda now: now.scene.round == 1)
    session.do("table.check", who="arlef", what="perception.intuition")
    session.do("table.check", who="torvald", what="perception.intuition")
    session.type_in([6])
    with pytest.raises(IllegalActionError):
        session.do("stage.rest", who="arlef")
    session.type_in([4])
    lines = lines_of(entries(session.live, session.rulebook, GAME_MASTER))
    assert "Torvald rolls 6 for Perception (intuition)." in lines
    assert "Arlef rolls 4 for Perception (intuition)." in lines


def test_a_roll_half_typed_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = played(monkeypatch, tmp_path, "mars:together", "1", "roll", "quit")
    assert '"roll" is not a face; type the faces that are missing, or Enter to start over.' in lines


def test_a_check_that_there_is_not_names_those_with_the_word(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = played(monkeypatch, tmp_path, "mars:together", "roll", "check aldith athletic", "check aldith xy", "quit")
    known = [line for line in lines if line.startswith("There is no check")]
    assert known[0] == 'There is no check "athletic"; there are Athletics; did you mean "Athletics"?'
    assert known[1].endswith(" more.")
