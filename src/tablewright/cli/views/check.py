"""Checks on the screen: the tallies of one check, and the situation words of all checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tablewright.cli.output.console import HEAD, QUIET, definitions, heading, indented, make_console
from tablewright.cli.views.story import draw_entries
from tablewright.dice.outcomes import format_outcome
from tablewright.engine import Call, PlayResult
from tablewright.engine.parameter_types import ListType, OptionalType
from tablewright.engine.parameter_types import TextType as Words
from tablewright.game.narration.draft import LineSeen
from tablewright.game.narration.entries import tell
from tablewright.game.narration.formatting import format_value
from tablewright.game.narration.phrases import percents, sentence, spaced
from tablewright.game.narration.voice import Voice
from tablewright.game.narration.voices import rule_title, sayings_of, words_of
from tablewright.game.session.promises import figures_of_call, promise_words

_FEW_OUTCOMES = 12
_VERBS = {
    "success": "succeeds",
    "failure": "fails",
    "graze": "grazes",
    "critical": "succeeds critically",
}
_WHO = "who"

if TYPE_CHECKING:
    from tablewright.engine import Parameter
    from tablewright.engine.report import OddsReport
    from tablewright.game.play.checks import Check, CheckPlan
    from tablewright.game.system.ruleset import Ruleset


def draw_plan(name: str, check: Check, plan: CheckPlan) -> None:
    """Print a check with every tally, part by part."""
    console = make_console()
    console.print(heading(f"{name}: {check.title}", " ".join([f"[{rule}]" for rule in check.rules])))
    for label, tally in plan.tallies.items():
        console.print(Text().append(f"{label} ").append(tally.reads or str(tally.total), style=HEAD))
        for line in tally.explain().splitlines()[:-1]:
            console.print(indented(line, style=QUIET))
    if plan.hint:
        console.print(Text(plan.hint, style=QUIET))
    console.print()


def draw_promise(name: str, check: Check, plan: CheckPlan, answer: OddsReport, system: str) -> None:
    """Print a check and its chances in a sentence, and its parts on one line."""
    console = make_console()
    chances = _chances(answer, system)
    against = plan.call.named_arguments().get("difficulty")
    goal = f" against {against}" if isinstance(against, int) else ""
    console.print(Text(f"{name} tries {check.title}{goal}{f': {chances}' if chances else ''}.", style=HEAD))
    words, pool = sayings_of(system).words, sayings_of(system).pool(plan.call.named_arguments())
    parts = (
        [pool]
        if pool
        else [
            f"{words.get(label, spaced(label))} {tally.reads or tally.total}"
            for label, tally in plan.tallies.items()
            if not goal or label != "difficulty"
        ]
    )
    if parts:
        console.print(indented(" · ".join(parts), style=QUIET))
    if plan.hint:
        console.print(indented(sentence(plan.hint), style=QUIET))


def _chances(answer: OddsReport, system: str) -> str:
    """Chances of the outcomes in whole percent that add up to 100; of a result with parts, the declared ones."""
    exact, words = answer.odds, sayings_of(system).words
    outcomes = list(exact.outcomes)
    if len(outcomes) <= _FEW_OUTCOMES and all(isinstance(one, bool | str | Enum) for one in outcomes):
        found = list(exact.fractions())
        shares = percents([Fraction(chance) for _, chance in found])
        told = zip(found, shares, strict=True)
        return ", ".join([f"{_outcome(outcome, words)} {share}" for (outcome, _), share in reversed(list(told))])
    call = answer.subject
    return promise_words(figures_of_call(call), sayings_of(system)) if isinstance(call, Call) else ""


def _outcome(outcome: object, words: Mapping[str, str]) -> str:
    if isinstance(outcome, bool):
        return "succeeds" if outcome else "fails"
    plain = str(outcome.value if isinstance(outcome, Enum) else outcome)
    return _VERBS.get(plain) or words.get(plain, spaced(plain))


def draw_roll(name: str, check: Check, played: PlayResult[Any], ruleset: Ruleset) -> None:
    """Print a rolled check as the table would hear it."""
    system, library = ruleset.system.id, ruleset.library
    sayings = sayings_of(system)

    def content(id_: str) -> str | None:
        found = library.find(id_)
        return str(found[0][1].name) if found else None

    words = {**words_of(system), **sayings.words_under(ruleset.options)}
    voice = Voice({_WHO: name}, content, words=words, title=lambda rule: rule_title(system, rule))
    result = format_outcome(played.result) if not isinstance(played.result, bool) else "yes" if played.result else "no"
    checked = {"event": "Checked", "who": _WHO, "what": check.id, "result": result, "against": None}
    lines = [
        LineSeen(1, 1, played.trace.to_json(), "", {"actor": _WHO}),
        LineSeen(2, 1, checked, "", {}, ("who", "against")),
    ]
    draw_entries(make_console(), tell(lines, voice, sayings))


def draw_checks(checks: Sequence[Check]) -> None:
    """Print every check, grouped by equal situation words."""
    console = make_console()
    groups: dict[tuple[Parameter, ...], list[Check]] = {}
    for check in checks:
        groups.setdefault(check.situation, []).append(check)
    for place, (words, members) in enumerate(groups.items()):
        if place:
            console.print()
        names = [check.id if check.title == check.id else f"{check.id} ({check.title})" for check in members]
        console.print(Text(", ".join(names), style=HEAD))
        definitions(console, [(word.name, describe(word)) for word in words])
    if not checks:
        console.print(Text("no checks yet", style=QUIET))


def describe(word: Parameter) -> str:
    """Meaning, allowed values and default of a parameter."""
    kind = word.kind.some if isinstance(word.kind, OptionalType) else word.kind
    allowed = "" if isinstance(kind, Words) and word.about else word.kind.allowed()
    if isinstance(kind, ListType) and isinstance(kind.each, Words):
        allowed = "a list with commas"
    about = ": ".join([part for part in (word.about, allowed) if part])
    if word.required:
        return about
    usual = {(): "empty", "": "empty", None: "none"}.get(word.default) if _is_plain(word.default) else None
    return f"{about} (default {usual or format_value(word.default)})"


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | tuple)
