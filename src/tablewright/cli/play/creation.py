"""Character creation at the keyboard, step by step, with budget, costs and closed options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.text import Text

from tablewright.cli.arguments.text import faces_of
from tablewright.cli.output.console import HEAD, QUIET, closed_options, heading, indented, make_console, options
from tablewright.cli.output.errors import INTERRUPTED, note
from tablewright.cli.play.keyboard import Ended, Keyboard, closed_by, keys_of, not_an_answer, picked
from tablewright.engine import Roll
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean
from tablewright.game.narration.formatting import format_value
from tablewright.game.narration.phrases import spaced
from tablewright.game.narration.question import word_creation
from tablewright.game.narration.voices import sayings_of

if TYPE_CHECKING:
    from tablewright.game.character.creation import CharacterCreation
    from tablewright.game.system.system import System

HELP = "A number or a name takes an option; b goes back, list shows all options, ? says why, q quits."
COMMANDS = ("b", "back", "list", "?", "q", "quit")
_MANY = 12
"""Number of options that are not printed again when the same question comes again."""


def ask_name(usual: str) -> str:
    """Ask for the character's name; an empty line takes the default."""
    try:
        return Keyboard().line("What is your character called? (Enter: decide later) ") or usual
    except Ended:
        raise InvalidInputError(_UNFINISHED) from None


def make(making: CharacterCreation[Any], system: System) -> None:
    """Ask until the character is complete."""
    console, keyboard = make_console(), Keyboard()
    console.print(heading(system.title, HELP))
    drawn_step, asked_before = None, ""
    while not making.is_done:
        step = making.step
        if step is not None and step != drawn_step:
            console.print()
            console.print(Text(step.title, style=HEAD))
            asked_before = ""
        drawn_step = step
        asked_before = _draw(console, making, system, asked_before)
        try:
            _answer(making, keyboard, console, system)
        except Ended:
            raise InvalidInputError(_UNFINISHED) from None
    console.print()


def _answer(making: CharacterCreation[Any], keyboard: Keyboard, console: Console, system: System) -> None:
    """Read lines until one is accepted; report every refused one."""
    while True:
        typed = keyboard.line("> ")
        try:
            if _understood(typed, making, console, system):
                keyboard.accept()
                return
        except TablewrightError as problem:
            keyboard.refuse(problem)


def _understood(typed: str, making: CharacterCreation[Any], console: Console, system: System) -> bool:
    """True if a line led to another question; False for help; raises on invalid input."""
    asked = making.question
    ids = [] if isinstance(asked, Roll) or asked is None else list(asked.ids)
    if typed not in ids:
        if typed in ("q", "quit"):
            console.print(Text(_UNFINISHED, style=QUIET))
            raise typer.Exit(INTERRUPTED)
        if typed in ("b", "back"):
            making.back()
            return True
        if typed == "list":
            _draw(console, making, system, "")
            return False
        if typed == "?":
            _explain(console, making, system)
            return False
    if isinstance(asked, Roll):
        making.type_in(faces_of(typed, hint="type what the dice show, such as 3 5; b goes back"))
        return True
    assert asked is not None
    place = picked(typed, ids, asked.question)
    if place is None:
        shut = closed_by(typed, asked.closed)
        if shut is not None:
            asked.option(shut.id)  # raises with the reason
        if asked.details.get("own_words"):
            making.answer(typed)
            if alike := did_you_mean(typed, [*ids, *[closed.id for closed in asked.closed]]):
                note(f"taken in your own words{alike} (b goes back)")
            return True
        raise not_an_answer(typed, ids, COMMANDS)
    making.answer(ids[place])
    return True


def _draw(console: Console, making: CharacterCreation[Any], system: System, before: str) -> str:
    """Print the question: budget, options with costs, and closed options; return the question with its options.

    A long list is not printed again while it is the same.
    """
    asked = making.to_json()
    if "roll" in asked:
        console.print(Text(f"Roll {asked['roll']} and type what the dice show."))
        return ""
    word_creation(asked, sayings_of(system.id))
    budget = f"  ({making.budget})" if making.budget else ""
    console.print(Text(f"{asked['heading']}{budget}"))
    if asked["note"]:
        console.print(indented(asked["note"], style=QUIET))
    chosen = {name: value for name, value in asked["shown"].items() if value not in ([], {})}
    if chosen:
        so_far = "; ".join([f"{name} {_in_words(value)}" for name, value in chosen.items()])
        console.print(indented(f"Now: {so_far}", style=QUIET))
    offered = "\n".join([asked["question"], *[str(offer["id"]) for offer in asked["options"]]])
    if offered == before and len(asked["options"]) > _MANY:
        hint = f"The same {len(asked['options'])} options as before; list shows them again."
        console.print(indented(hint, style=QUIET))
        return offered
    keys = keys_of([str(offer["id"]) for offer in asked["options"]])
    width = options(console, [(_label(offer), _more(offer)) for offer in asked["options"]], keys)
    closed_options(console, asked["closed"], width, "a name says why")
    if asked.get("own_words"):
        console.print(indented("Or say it in your own words.", style=QUIET))
    return offered


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        value = [f"{name} {part}" for name, part in value.items()]
    return (
        ", ".join([str(part).replace("_", " ") for part in value]) if isinstance(value, list) else format_value(value)
    )


def _label(offer: dict[str, Any]) -> str:
    label = spaced(str(offer["label"]))
    return label[:1].upper() + label[1:]


def _more(offer: dict[str, Any]) -> str:
    """Cost and gain of an option."""
    cost = offer.get("cost")
    price = f"gives back {-cost}" if isinstance(cost, int) and cost < 0 else f"costs {cost}" if cost else ""
    return ", ".join([part for part in (price, _DOTTED.sub(_termed, spaced(str(offer.get("note", ""))))) if part])


_DOTTED = re.compile(r"\b([a-z]+)\.([a-z]+)\b")
_UNFINISHED = "The character is not finished, so nothing was saved."


def _termed(found: re.Match[str]) -> str:
    """A skill and its application in words: "Sneak (Guile)"."""
    return f"{found[2].title()} ({found[1].title()})"


def _explain(console: Console, making: CharacterCreation[Any], system: System) -> None:
    """Print the rules behind the budget, the options and the closed options."""
    asked = making.to_json()
    rules = [making.budget.rule if making.budget else None]
    rules += [offer.get("rule") for offer in asked.get("options", ())]
    rules += [shut["rule"] for shut in asked.get("closed", ())]
    ledger = system.ledger
    found = [ledger[rule] for rule in dict.fromkeys(rules) if rule and rule in ledger]
    for rule in found:
        console.print(heading(rule.title))
        console.print(indented(rule.text))
    if not found:
        console.print(Text("No rule is named for this question.", style=QUIET))
    console.print(Text(HELP, style=QUIET))
