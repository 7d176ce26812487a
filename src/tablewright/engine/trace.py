"""What happened in a played rule, step by step: dice, choices, sub-rules, and the rules behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from tablewright.dice import Rollable
from tablewright.dice.dist import show_outcome
from tablewright.engine.asks import EVERYONE
from tablewright.engine.mechanic import Call
from tablewright.engine.tally import Tally
from tablewright.engine.values import to_json


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice were thrown."""

    thrown: Rollable[Any]
    faces: tuple[int, ...]
    outcome: Any
    seat: str | None = None
    """Whose dice they were, where they were not those of whoever acts."""

    @property
    def dice(self) -> str:
        """The dice in writing."""
        return str(self.thrown)

    def to_json(self) -> dict[str, Any]:
        """The roll as JSON."""
        rolled = {"roll": self.dice, "faces": list(self.faces), "outcome": to_json(self.outcome)}
        return rolled if self.seat is None else rolled | {"seat": self.seat}


@dataclass(frozen=True, slots=True)
class Chosen:
    """Somebody decided."""

    seat: str
    question: str
    option: str

    def to_json(self) -> dict[str, Any]:
        """The choice as JSON."""
        return {"choice": self.question, "seat": self.seat, "option": self.option}


@dataclass(frozen=True, slots=True)
class OutcomeSet:
    """A roll was settled by a ruling instead of by dice."""

    dice: str
    outcome: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        """The ruling as JSON."""
        return {"set": self.dice, "outcome": self.outcome, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class WentOn:
    """The rule was left for another call, or started afresh."""

    call: Call[Any]
    afresh: bool

    def to_json(self) -> dict[str, Any]:
        """The step as JSON: which rule it was left for, not with what, for that may be nobody's to know."""
        return {"again" if self.afresh else "on": self.call.mechanic.name}


@dataclass(frozen=True, slots=True)
class Trace:
    """One call from start to end."""

    call: Call[Any]
    steps: tuple[Step, ...]
    result: Any
    tallies: Mapping[str, Tally] = field(default_factory=dict)
    actor: str | None = None
    opponent: str | None = None
    audience: str = EVERYONE
    hide: tuple[str, ...] = ()
    private: Mapping[str, str | None] = field(default_factory=dict)
    """The arguments that only one seat may know, with its name."""
    under_way: ClassVar[bool] = False

    def known_to(self, seat: str, argument: str) -> bool:
        """Whether a seat, other than the game master's, may know an argument."""
        return argument not in self.hide and self.private.get(argument, seat) == seat

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that had a hand in it, once, in the order met."""
        found: dict[str, None] = dict.fromkeys(self.call.mechanic.rules)
        for tally in self.tallies.values():
            found.update(dict.fromkeys(tally.rules))
        for step in self.steps:
            if isinstance(step, Trace):
                found.update(dict.fromkeys(step.rules))
            elif isinstance(step, WentOn):
                found.update(dict.fromkeys(step.call.mechanic.rules))
        return tuple(found)

    def explain(self, title: Callable[[str], str] | None = None) -> str:
        """What happened in words, one line a step; ``title`` gives the wording of a rule by its id."""
        return "\n".join(self.lines(title))

    def lines(self, title: Callable[[str], str] | None, depth: int = 0) -> Iterator[str]:
        """The lines of the explanation, indented by depth."""
        indent = "  " * depth
        given = zip(self.call.mechanic.params, self.call.arguments, strict=True)
        unusual = [(one.name, value) for one, value in given if one.required or value != one.default]
        named = ", ".join([f"{name} {show_outcome(value)}" for name, value in unusual])
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
            yield f"{indent}  -> {show_outcome(self.result)}"
        if depth == 0:
            for rule in self.rules:
                yield f"  [{rule}] {title(rule)}" if title else f"  [{rule}]"

    def to_json(self) -> dict[str, Any]:
        """The trace as JSON."""
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


class TraceSoFar(Trace):
    """One call as far as it has come while it is still under way: it has no result yet."""

    __slots__ = ()

    under_way = True


Step: TypeAlias = Rolled | Chosen | OutcomeSet | WentOn | Trace


def _in_words(step: Rolled | Chosen | OutcomeSet | WentOn) -> str:
    if isinstance(step, Rolled):
        faces = " ".join(map(str, step.faces)) or "no dice"
        rolled = "rolled" if step.seat is None else f"{step.seat} rolled"
        return f"{rolled} {step.dice}: {faces} = {show_outcome(step.outcome)}"
    if isinstance(step, Chosen):
        return f"{step.seat} chose {step.option} ({step.question})"
    if isinstance(step, OutcomeSet):
        return f"{step.dice} was ruled to be {step.outcome} ({step.reason})"
    return "rolled afresh" if step.afresh else f"went on with {step.call!r}"
