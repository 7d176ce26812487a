"""Creation at the keyboard: step by step, with what is left, what each option costs and why others are closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.text import Text

from tablewright.cli.failing import INTERRUPTED, note
from tablewright.cli.keyboard import Ended, Keyboard, closed_by, keys_of, not_an_answer, picked
from tablewright.cli.paper import HEAD, QUIET, closed_options, heading, indented, options, paper
from tablewright.cli.words import faces_of
from tablewright.engine import Roll
from tablewright.errors import BadInput, TablewrightError, nearest
from tablewright.game.wording import shown

if TYPE_CHECKING:
    from tablewright.game.creation import Creating
    from tablewright.game.system import System

HELP = "a number or an id takes an option, b goes back, ? says why, q quits"
COMMANDS = ("b", "back", "?", "q", "quit")


def ask_name(usual: str) -> str:
    """What the character is called; an empty line takes the usual name."""
    try:
        return Keyboard().line(f"name [{usual}]: ") or usual
    except Ended:
        raise BadInput("the input ended before the character had a name; nothing is written") from None


def make(making: Creating[Any], system: System) -> None:
    """Ask until the character is made."""
    console, keyboard = paper(), Keyboard()
    console.print(heading(system.title, HELP))
    drawn_step = None
    while not making.is_done:
        step = making.step
        if step is not None and step != drawn_step:
            console.print()
            console.print(Text(step.title, style=HEAD))
        drawn_step = step
        _draw(console, making)
        try:
            _answer(making, keyboard, console, system)
        except Ended:
            raise BadInput("the input ended before the character was made; nothing is written") from None
    console.print()


def _answer(making: Creating[Any], keyboard: Keyboard, console: Console, system: System) -> None:
    """One line that means something: an answer, a step back or a question of one's own."""
    while True:
        typed = keyboard.line("> ")
        try:
            if _understood(typed, making, console, system):
                keyboard.accept()
                return
        except TablewrightError as problem:
            keyboard.refuse(problem)


def _understood(typed: str, making: Creating[Any], console: Console, system: System) -> bool:
    """Whether a line has led to another question; raises what is wrong with it."""
    asked = making.question
    ids = [] if isinstance(asked, Roll) or asked is None else list(asked.ids)
    if typed not in ids:
        if typed in ("q", "quit"):
            console.print(Text("left unfinished; nothing is written", style=QUIET))
            raise typer.Exit(INTERRUPTED)
        if typed in ("b", "back"):
            making.back()
            return True
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
            asked.option(shut.id)  # refuses with the reason
        if asked.about.get("own_words"):
            making.answer(typed)
            if alike := nearest(typed, [*ids, *[closed.id for closed in asked.closed]]):
                note(f"taken in your own words{alike} (b goes back)")
            return True
        raise not_an_answer(typed, ids, asked.question, COMMANDS)
    making.answer(ids[place])
    return True


def _draw(console: Console, making: Creating[Any]) -> None:
    """The question: what there is to spend, the options with what they cost, and those that are closed."""
    asked = making.to_json()
    if "roll" in asked:
        console.print(Text(f"roll {asked['roll']} and type the faces"))
        return
    budget = f"  ({making.budget})" if making.budget else ""
    console.print(Text(f"{asked['question']}{budget}"))
    if asked["note"]:
        console.print(indented(asked["note"], style=QUIET))
    chosen = {name: value for name, value in asked["shown"].items() if value not in ([], {})}
    if chosen:
        so_far = "; ".join([f"{name} {_in_words(value)}" for name, value in chosen.items()])
        console.print(indented(f"so far: {so_far}", style=QUIET))
    keys = keys_of([str(offer["id"]) for offer in asked["options"]])
    width = options(console, [(_label(offer), _more(offer)) for offer in asked["options"]], keys)
    closed_options(console, asked["closed"], width, "a name says why")
    if asked.get("own_words"):
        console.print(indented("or say it in your own words", style=QUIET))


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        value = [f"{name} {part}" for name, part in value.items()]
    return ", ".join([str(part).replace("_", " ") for part in value]) if isinstance(value, list) else shown(value)


def _label(offer: dict[str, Any]) -> str:
    label, name = str(offer["label"]), str(offer["id"])
    return label if label.casefold() == name.casefold() else f"{label} ({name})"


def _more(offer: dict[str, Any]) -> str:
    """What an option costs, and what else there is to say about it."""
    cost = f"costs {offer['cost']}" if offer.get("cost") else ""
    return ", ".join([part for part in (cost, offer.get("note", "")) if part])


def _explain(console: Console, making: Creating[Any], system: System) -> None:
    """The rules behind the budget, the options and what is closed."""
    asked = making.to_json()
    rules = [making.budget.rule if making.budget else None]
    rules += [offer.get("rule") for offer in asked.get("options", ())]
    rules += [shut["rule"] for shut in asked.get("closed", ())]
    ledger = system.ledger
    found = [ledger[rule] for rule in dict.fromkeys(rules) if rule and rule in ledger]
    for rule in found:
        console.print(heading(rule.title, f"[{rule.id}]"))
        console.print(indented(rule.text))
    if not found:
        console.print(Text("no rule is named for this question", style=QUIET))
    console.print(Text(HELP, style=QUIET))
