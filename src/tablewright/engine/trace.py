"""Traces of played rules: rolls, choices, rulings, nested calls and their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from tablewright.dice import Rollable
from tablewright.dice.outcomes import format_outcome
from tablewright.engine.json_values import to_json
from tablewright.engine.mechanic import Call
from tablewright.engine.request import EVERYONE
from tablewright.engine.tally import Tally

_NOTHING: Mapping[str, Any] = {}


class RollStep(NamedTuple):
    """A roll and its faces."""

    thrown: Rollable[Any]
    faces: tuple[int, ...]
    outcome: Any
    seat: str | None = None
    """Seat that threw the dice; None for the actor."""

    @property
    def dice(self) -> str:
        """Dice as text."""
        return str(self.thrown)

    def to_json(self) -> dict[str, Any]:
        """Roll as JSON."""
        rolled = {"roll": self.dice, "faces": list(self.faces), "outcome": to_json(self.outcome)}
        return rolled if self.seat is None else rolled | {"seat": self.seat}


class ChoiceStep(NamedTuple):
    """A choice and the option taken."""

    seat: str
    question: str
    option: str

    def to_json(self) -> dict[str, Any]:
        """Choice as JSON."""
        return {"choice": self.question, "seat": self.seat, "option": self.option}


class RulingStep(NamedTuple):
    """A roll whose outcome was set by a ruling."""

    dice: str
    outcome: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Ruling as JSON."""
        return {"set": self.dice, "outcome": self.outcome, "reason": self.reason}


class TailStep(NamedTuple):
    """A tail call or a restart of the rule."""

    call: Call[Any]
    afresh: bool

    def to_json(self) -> dict[str, Any]:
        """Step as JSON, with the name of the next rule but without its arguments, which may be secret."""
        return {"again" if self.afresh else "on": self.call.mechanic.name}


class Trace(NamedTuple):
    """One finished call with its steps and result."""

    call: Call[Any]
    steps: tuple[Step, ...]
    result: Any
    tallies: Mapping[str, Tally] = _NOTHING
    actor: str | None = None
    opponent: str | None = None
    audience: str = EVERYONE
    hide: tuple[str, ...] = ()
    private: Mapping[str, str | None] = _NOTHING
    """Arguments that only one seat may see, with that seat."""

    @property
    def under_way(self) -> bool:
        """True if the call has not ended."""
        return False

    def known_to(self, seat: str, argument: str) -> bool:
        """True if a seat other than the game master may see an argument."""
        return argument not in self.hide and self.private.get(argument, seat) == seat

    @property
    def rules(self) -> tuple[str, ...]:
        """Ids of all rules involved, without duplicates, in the order met."""
        found: dict[str, None] = dict.fromkeys(self.call.mechanic.rules)
        for tally in self.tallies.values():
            found.update(dict.fromkeys(tally.rules))
        for step in self.steps:
            if isinstance(step, Trace):
                found.update(dict.fromkeys(step.rules))
            elif isinstance(step, TailStep):
                found.update(dict.fromkeys(step.call.mechanic.rules))
        return tuple(found)

    def explain(self, title: Callable[[str], str] | None = None) -> str:
        """Explain the trace in words, one line per step; ``title`` returns the title of a rule id."""
        return "\n".join(self.lines(title))

    def steps_in_words(self) -> list[str]:
        """Lines of the steps alone, for a reader who knows the call and its result."""
        return [line for line in self.lines(None) if line.startswith("  ")][: -len(self.rules) - 1 or None]

    def lines(self, title: Callable[[str], str] | None, depth: int = 0) -> Iterator[str]:
        """Lines of the explanation, indented by depth."""
        indent = "  " * depth
        given = zip(self.call.mechanic.params, self.call.values, strict=True)
        unusual = [(one.name, value) for one, value in given if one.required or value != one.default]
        named = ", ".join([f"{name} {format_outcome(value)}" for name, value in _spread(unusual)])
        name = (
            self.call.mechanic.name
            if depth == 0 or self.actor is None
            else f"{self.call.mechanic.name} by {self.actor}"
        )
        yield f"{indent}{name}: {named}" if named else f"{indent}{name}"
        for name, tally in self.tallies.items():
            yield f"{indent}  {name}: {tally.total}"
            yield from [f"{indent}    {line}" for line in tally.explain().splitlines()]
        for step in self.steps:
            if isinstance(step, Trace):
                yield from step.lines(title, depth + 1)
            else:
                yield f"{indent}  {_in_words(step)}"
        if not self.under_way:
            yield f"{indent}  gives {format_outcome(self.result)}"
        if depth == 0:
            for rule in self.rules:
                yield f"  [{rule}] {title(rule)}" if title else f"  [{rule}]"

    def to_json(self) -> dict[str, Any]:
        """Trace as JSON."""
        own: dict[str, Any] = {
            "mechanic": self.call.mechanic.name,
            "arguments": {name: to_json(value) for name, value in self.call.named_arguments().items()},
            "rules": list(self.call.mechanic.rules),
            "steps": [step.to_json() for step in self.steps],
            "result": to_json(self.result),
        }
        if self.under_way:
            del own["result"]
        if self.actor is not None:
            own |= {"actor": self.actor, "opponent": self.opponent, "audience": self.audience}
        if self.tallies:
            own["tallies"] = {name: tally.to_json() for name, tally in self.tallies.items()}
        return own


class PartialTrace(Trace):
    """One call in progress, without a result yet."""

    __slots__ = ()

    @property
    def under_way(self) -> bool:
        """True if the call has not ended."""
        return True


Step: TypeAlias = RollStep | ChoiceStep | RulingStep | TailStep | Trace


_UNSET = object()


def _spread(given: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Arguments, and of a record those fields alone that differ from their defaults."""
    for name, value in given:
        usual = getattr(value, "_field_defaults", None)
        if not usual or "__str__" in vars(type(value)) or hasattr(value, "json_text"):
            yield name, value
            continue
        yield from _spread([pair for pair in value._asdict().items() if pair[1] != usual.get(pair[0], _UNSET)])


def _in_words(step: RollStep | ChoiceStep | RulingStep | TailStep) -> str:
    if isinstance(step, RollStep):
        faces = " ".join(map(str, step.faces)) or "no dice"
        rolled = "rolled" if step.seat is None else f"{step.seat} rolled"
        return f"{rolled} {step.dice}: {faces} = {format_outcome(step.outcome)}"
    if isinstance(step, ChoiceStep):
        return f"{step.seat} chose {step.option} ({step.question})"
    if isinstance(step, RulingStep):
        return f"{step.dice} was ruled to be {step.outcome} ({step.reason})"
    return "rerolled" if step.afresh else f"went on with {step.call!r}"
