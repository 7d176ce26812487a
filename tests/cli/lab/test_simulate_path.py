"""`simulate --path`: fights one after the other or in lock step, and what does not go together."""

from __future__ import annotations

import pytest

from cli.conftest import Runner


def test_the_path_that_was_asked_for_is_taken_and_told(tw: Runner) -> None:
    ran = tw("simulate", "coinfolk:together", "--runs", "4", "--path", "batch", "--workers", "1", "--json")
    assert (ran.json["path"], ran.json["why_path"], ran.json["fights"]) == ("batch", "as it was asked for", 4)
    ran = tw("simulate", "coinfolk:together", "--runs", "4", "--path", "played", "--workers", "1", "--json")
    assert (ran.json["path"], ran.json["fights"]) == ("played", 4)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--path", "bach"], 'did you mean "batch"'),
        (["--path", "batch", "--show", "1"], "none of --exact, --change and --show"),
        (["--path", "batch", "--policy", "ann=best"], "ann weighs every action"),
    ],
)
def test_what_does_not_go_together_is_refused(tw: Runner, more: list[str], words: str) -> None:
    ran = tw("simulate", "coinfolk:together", "--workers", "1", *more)
    assert ran.status == 2
    assert words in " ".join(ran.err.split())
