"""Events common to all systems: joining and leaving, rounds and turns, time, and the game master's rulings."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, ClassVar

from tablewright.engine.json_values import to_json
from tablewright.game.character.belongings import Belongings
from tablewright.game.ground.position import Position
from tablewright.game.scene.events import Event, ParticipantEvent
from tablewright.game.scene.scene import LooseItem, Participant
from tablewright.game.scene.visibility import GAME_MASTER, OWNER, secret, visible
from tablewright.game.time.clock import ANY, AnyData, Data

_WRITTEN = {"True": "yes", "False": "no", "None": "nothing"}


def said(written: str) -> str:
    """A written result in everyday words.

    >>> said("success True, critical_failure None")
    'success yes, critical failure nothing'
    """
    return re.sub(r"\b(True|False|None)\b", lambda found: _WRITTEN[found[0]], written).replace("_", " ")


class ParticipantJoined(ParticipantEvent, kind="Joined"):
    """A participant joined the scene."""

    mentions = ("who",)
    name: str = visible()
    side: str = visible()
    participant: Participant = secret()

    def to_json(self) -> dict[str, Any]:
        """The record without the participant's data, which a replay creates again."""
        return {"event": self.kind, "who": self.who, "name": self.name, "side": self.side, "cause": self.cause}

    def narrate(self) -> str:
        """Name and side of the newcomer."""
        return f"{self.name} joins ({self.side})"


class ParticipantLeft(ParticipantEvent, kind="Left"):
    """A participant left the scene: fled, yielded, carried off."""

    how: str = visible(default="left")

    def narrate(self) -> str:
        """The participant and the way they left."""
        return f"{self.who} {self.how}"


class ChangedSides(ParticipantEvent):
    """A participant changed sides."""

    template = "{who} is on the side of {side} now"
    side: str = visible()


class ParticipantHidden(ParticipantEvent, kind="Hid"):
    """A participant became hidden from the other sides."""

    template = "{who} is hidden"


class Revealed(ParticipantEvent):
    """A hidden participant became visible to everyone."""

    template = "{who} comes to light"


class OrderSet(Event):
    """The turn order was set."""

    mentions: ClassVar[tuple[str, ...]] = ()
    order: tuple[str, ...] = visible()

    def narrate(self) -> str:
        """The turn order."""
        return f"order: {', '.join(self.order)}"


class RoundStarted(Event):
    """A round started."""

    mentions: ClassVar[tuple[str, ...]] = ()
    number: int = visible()

    def narrate(self) -> str:
        """Number of the round."""
        return f"round {self.number}"


class TurnStarted(ParticipantEvent):
    """A participant's turn started."""

    def narrate(self) -> str:
        """The participant whose turn started."""
        return f"{self.who}'s turn"


class TurnEnded(ParticipantEvent):
    """A participant's turn ended."""

    def narrate(self) -> str:
        """The participant whose turn ended."""
        return f"{self.who}'s turn ends"


class Moved(ParticipantEvent):
    """A participant moved to another position."""

    is_move = True
    position: Position = visible()

    def narrate(self) -> str:
        """The participant and the new position."""
        return f"{self.who} moves to {self.position}"


class TimePassed(Event):
    """The clock advanced by ``amount`` ticks; the system's calendar says how long a tick is."""

    template = "some time passes"
    mentions: ClassVar[tuple[str, ...]] = ()
    amount: int = visible()


class Scheduled(Event):
    """A timer was set, visible to the game master only.

    It runs out after ``after`` ticks and then every ``every`` ticks; 0 means only once.
    """

    template = "later on: [{who} ]{what}"
    who: str | None = visible(default=None)
    what: str = secret()
    after: int = secret()
    every: int = secret(default=0)
    data: Data = secret(default=None)
    rank: int = secret(default=0)
    to: str = secret(default=GAME_MASTER)


class Cancelled(Event):
    """A timer was cancelled. Visible to the game master only."""

    template = "no more: [{who} ]{what}"
    who: str | None = visible(default=None)
    what: str = secret()
    data: AnyData = secret(default=ANY)
    to: str = secret(default=GAME_MASTER)


class OptionsChanged(Event):
    """A rule option changed for the rest of play."""

    mentions: ClassVar[tuple[str, ...]] = ()
    name: str = visible()
    value: str | int | bool | None = visible()
    reason: str = visible()

    def narrate(self) -> str:
        """The rule option, its value and the reason."""
        return f"from now on: {self.name} is {to_json(self.value)} ({self.reason})"


class FactSet(ParticipantEvent):
    """The game master set a fact about a participant, such as cover or sight; a value of None clears it."""

    mentions = ("who", "other")
    fact: str = visible()
    other: str | None = visible(default=None)
    value: str | None = visible(default=None)

    def narrate(self) -> str:
        """The fact, its participant and the other participant, if any."""
        towards = f" towards {self.other}" if self.other else ""
        what = self.fact.replace("_", " ")
        return f"{self.who}{towards}: {f'no {what} any more' if self.value is None else f'{what} {self.value}'}"


class Modified(Event):
    """The game master added a number to everything tallied under a name."""

    who: str | None = visible(default=None)
    what: str = visible()
    value: int = visible()
    reason: str = visible()

    def narrate(self) -> str:
        """The signed number, its name and the reason."""
        return f"{f'{self.who}: ' if self.who else ''}{self.value:+d} on {self.what.replace('_', ' ')} ({self.reason})"


class Unmodified(Event):
    """The game master removed an added number."""

    template = "[{who}: ]nothing more on {what} ({reason})"
    who: str | None = visible(default=None)
    what: str = visible()
    reason: str = visible()


class Ruled(Event):
    """The game master set a field to a value, past all rules, for a reason."""

    who: str | None = visible(default=None)
    field: str = visible(OWNER)
    value: Any = visible(OWNER)
    reason: str = visible(OWNER)

    def narrate(self) -> str:
        """The field, its value and the reason."""
        whom = f"{self.who}'s " if self.who else ""
        return f"the game master rules: {whom}{self.field} is {to_json(self.value)} ({self.reason})"


class DamageReduced(ParticipantEvent, kind="Spared"):
    """The game master reduced damage just dealt to half or none."""

    mentions = ("who",)
    part: str = visible()
    status: Any = secret()

    def to_json(self) -> dict[str, Any]:
        """The record without the status, which a replay computes again."""
        return {"event": self.kind, "who": self.who, "part": self.part, "cause": self.cause}

    def narrate(self) -> str:
        """The share of the damage that counts."""
        return f"{'half' if self.part == 'half' else 'none'} of it counts for {self.who}"


class Checked(ParticipantEvent):
    """A participant made a check in free play, perhaps ``against`` another; dice and trace precede it in the log."""

    mentions: ClassVar[tuple[str, ...]] = ("who", "against")
    what: str = visible()
    result: str = visible(default="")
    against: str | None = visible(default=None)

    def to_json(self) -> dict[str, Any]:
        """The record; an unopposed check has no ``against`` key."""
        return {name: value for name, value in super().to_json().items() if name != "against" or value is not None}

    def narrate(self) -> str:
        """The check and, where visible, its result."""
        opposed = f" against {self.against}" if self.against else ""
        result = f": {said(self.result)}" if self.result else ""
        return f"{self.who} checks {self.what.replace('_', ' ')}{opposed}{result}"


class CharacterChanged(ParticipantEvent):
    """The character itself changed for good: advancement, belongings, scars."""

    what: str = visible(OWNER)
    character: Any = visible(OWNER)

    def to_json(self) -> dict[str, Any]:
        """The record with the character in the form of its file."""
        dumped = self.character.model_dump(mode="json") if hasattr(self.character, "model_dump") else self.character
        return {"event": self.kind, "who": self.who, "what": self.what, "character": dumped, "cause": self.cause}

    def narrate(self) -> str:
        """The change in words."""
        return f"{self.who}: {self.what}"


class BelongingsChanged(ParticipantEvent):
    """A participant's belongings changed, were moved between slots, or money changed hands.

    Belongings are in the status; money is in the character's field ``purse``, and ``paid`` is what left it.
    ``laid_down`` and ``taken_up`` are the items put on the ground and picked up from it.
    """

    what: str = visible()
    belongings: Belongings = visible(OWNER)
    money: int | Fraction | None = visible(OWNER, default=None)
    purse: str = visible(OWNER, default="money")
    paid: int | Fraction | None = visible(OWNER, default=None)
    laid_down: tuple[LooseItem, ...] = visible(default=())
    taken_up: tuple[LooseItem, ...] = visible(default=())

    def narrate(self) -> str:
        """The change in words."""
        return f"{self.who}: {self.what}"


class SceneEnded(Event):
    """The scene ended, with its outcome and reason.

    ``winner`` is the side that won, if one did; ``how`` is ``stands`` (by who is left standing), ``rounds`` (the limit
    was reached) or ``ruled``.
    """

    mentions: ClassVar[tuple[str, ...]] = ()
    outcome: str = visible()
    reason: str = visible(default="")
    winner: str | None = visible(default=None)
    how: str = visible(default="")

    def narrate(self) -> str:
        """The outcome and the reason, if any."""
        return f"the end: {self.outcome}" + (f" ({self.reason})" if self.reason else "")
