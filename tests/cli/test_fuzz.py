"""Random command lines: an answer, a refusal by the rules, or an input error; never a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.places import at_length
from patience import at_most_calls
from tablewright.game.system.registry import load_all

if TYPE_CHECKING:
    from cli.conftest import Runner

MOST_CALLS = 5_000_000
"""A bound on the work of one question, far above what any of them takes."""

MECHANICS = [mechanic for system in load_all().systems for mechanic in system.mechanics]
NAMES = [mechanic.name for mechanic in MECHANICS]
KEYS = sorted({parameter.name for mechanic in MECHANICS for parameter in mechanic.params})
RULES = ["mars", "mars.check", "mars.check.outcomes", "stage.", "critical", "Schaden"]
OPTIONS = [
    "--json",
    "--at-least",
    "--objective",
    "--seed",
    "--faces",
    "--times",
    "--choose",
    "--options",
    "--kind",
    "--",
]

text = st.text(max_size=20)
number = st.integers(-(10**13), 10**13).map(str)
value = st.one_of(
    number,
    st.integers(-5, 100).map(str),
    text,
    st.sampled_from(
        ["yes", "no", "none", "r16", "4D+1", "r14+1,r8", "d10:3", "difficult+2", "1,2,3", "fixed_one", "2d6"]
    ),
)
dice = st.text(alphabet="0123456789dDkhlr!<>=+-*()% ", max_size=14)
word = st.one_of(
    st.sampled_from([*NAMES, *RULES, *OPTIONS]),
    st.builds(lambda key, given: f"{key}={given}", st.sampled_from(KEYS), value),
    dice,
    text,
    number,
)
commands = st.sampled_from(["roll", "odds", "advise", "mechanics", "rules"])
fuzzed = settings(max_examples=200 if at_length() else 30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def answered(tw: Runner, *argv: str) -> None:
    with at_most_calls(MOST_CALLS):
        ran = tw(*argv)
    assert ran.status in (0, 1, 2), (argv, ran.err)
    assert "Traceback" not in ran.out + ran.err
    if ran.status:
        assert len([line for line in ran.err.splitlines() if not line.startswith("note: ")]) == 1, (argv, ran.err)


@fuzzed
@given(command=commands, words=st.lists(word, max_size=6))
def test_any_words(tw: Runner, command: str, words: list[str]) -> None:
    answered(tw, command, *words)


@fuzzed
@given(data=st.data(), command=st.sampled_from(["roll", "odds", "advise"]))
def test_any_values_for_known_parameters(tw: Runner, data: st.DataObject, command: str) -> None:
    mechanic = data.draw(st.sampled_from(MECHANICS))
    given_words = [
        f"{parameter.name}={data.draw(value)}"
        for parameter in mechanic.params
        if parameter.required or data.draw(st.booleans())
    ]
    answered(tw, command, mechanic.name, *given_words, *data.draw(st.sampled_from([[], ["--json"]])))


@fuzzed
@given(written=dice, command=st.sampled_from(["roll", "odds"]))
def test_any_dice(tw: Runner, written: str, command: str) -> None:
    answered(tw, command, "--json", "--", written)


@fuzzed
@given(argv=st.lists(word, max_size=3))
def test_anything_at_all(tw: Runner, argv: list[str]) -> None:
    if "--install-completion" not in argv:
        answered(tw, *argv)
