"""Numbers that describe each option of a choice, from what its seat may see; the same columns for every system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from tablewright.engine import Choice
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.ground.position import Position
from tablewright.game.narration.projection import as_offered, secret_words
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.session.promises import Figure, figures_inside, figures_of_use
from tablewright.game.session.session import Session

FEATURES = (
    "action",  # the option is an action of a turn
    "reaction",  # the option is a reaction
    "answer",  # the option answers a question inside a rule
    "group",  # the slot opens a second question or the next page
    "place",  # the option leads to a place
    "pass",  # the option does nothing
    "default",  # the option is the usual answer
    "number",  # a number among the options, as a share of the largest; 1 for yes
    "at foe",  # the target is of another side
    "at ally",  # the target is of the own side
    "at self",  # the target is the participant itself
    "target fresh",  # the target looks as it did at the start
    "target hurt",  # the target looks worse, but stands
    "target down",  # the target no longer stands
    "distance",  # from the participant to the target or place, in twentieths
    "foe distance",  # from the target or place to the nearest foe in sight, in twentieths
    "chance",  # the chance of success by exact odds, negative for one that is suffered; 0 if nothing is rolled at once
    "average",  # average damage by exact odds, as a share of the largest among the options; negative if it is taken
    "harm",  # rated harm, as a share of the largest rating among the options
    "safety",  # rated safety, likewise
    "cost",  # rated cost, likewise
    "self fresh",  # the participant that is asked looks as at the start
    "allies standing",  # share of the own side that stands
    "foes standing",  # share of the visible foes that stand
    "round",  # in twentieths
)
"""Names of the columns; every number lies between -1 and 1."""

WIDTH = len(FEATURES)
_AT = {name: place for place, name in enumerate(FEATURES)}
_FAR = 20


class DescribedOptions(Protocol):
    """Options of a choice with a row of features for each."""

    @property
    def options(self) -> Sequence[Any]:
        """Options: uses of actions, or answers inside a rule."""

    @property
    def ids(self) -> Sequence[str]:
        """Ids of the options, in the same order."""

    def row(self, index: int) -> list[float]:
        """Features of an option."""

    def worth(self, index: int) -> float:
        """Rated worth of an option: harm and safety less cost."""


class Looks(NamedTuple):
    """Health words of all participants at the start of a fight, with which later ones are compared."""

    words: Mapping[str, str]

    @staticmethod
    def at_start(session: Session) -> Looks:
        """Looks of the scene that a session began with."""
        return Looks({one.id: session.rulebook.health(one) for one in session.header.scene.participants})


def features_of(session: Session, secret: frozenset[str] | None = None, *, odds: bool = True) -> OptionFeatures:
    """Features of the open choice of a session for its seat, without options that name a secret word.

    By default these are the words of participants hidden from the seat.
    """
    question, seat = session.question, session.seat
    if not isinstance(question, Choice) or seat is None:
        raise IllegalActionError("nobody has to choose now; ask again when a choice is open")
    words = secret_words(session.scene, seat) if secret is None else secret
    return OptionFeatures(session, as_offered(question, words) or question, Looks.at_start(session), odds=odds)


class ReceivedFeatures:
    """Features of a choice at a live table, as the server sends them."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        if tuple(told["columns"]) != FEATURES:
            raise InvalidInputError("the server describes options by other columns; it runs another version")
        rows: Sequence[Mapping[str, Any]] = told["options"]
        self.ids = [str(one["id"]) for one in rows]
        self.options: list[Any] = [one["id"] if one["use"] is None else ActionUse(*one["use"]) for one in rows]
        self._rows: list[list[float]] = [one["row"] for one in rows]

    def row(self, index: int) -> list[float]:
        """Features of an option."""
        return list(self._rows[index])

    def worth(self, index: int) -> float:
        """Rated worth of an option: harm and safety less cost."""
        row = self._rows[index]
        return row[_AT["harm"]] + row[_AT["safety"]] - row[_AT["cost"]]


class OptionFeatures:
    """Features of the options of one choice of a session; without ``odds`` chances and averages stay 0 (faster)."""

    def __init__(self, session: Session, question: Choice[Any], looks: Looks, *, odds: bool) -> None:
        assert session.seat is not None
        self._session = session
        self._seat = str(session.seat)
        self._scene: Scene = session.scene.visible_to(self._seat)
        self._question = question
        self._looks = looks
        who = question.details.get("who")
        self._who = self._scene[who] if isinstance(who, str) and who in self._scene else None
        self._sides = {one.side for one in self._scene.participants if one.seat == self._seat}
        self._foes = [one for one in self._scene.participants if one.side not in self._sides and one.present]
        self._common = self._of_the_scene()
        self._ratings = self._rated()
        self._figures = self._known_figures() if odds else {}
        self._largest = max([abs(_average(row)) for row in self._figures.values()], default=0.0) or 1.0
        numbers = [option for option in question.options if type(option) is int]
        self._top = max([abs(number) for number in numbers], default=0) or 1

    @property
    def options(self) -> Sequence[Any]:
        """Options of the choice."""
        return self._question.options

    @property
    def ids(self) -> Sequence[str]:
        """Ids of the options."""
        return self._question.ids

    def worth(self, index: int) -> float:
        """Rated worth of an option: harm and safety less cost."""
        harm, safety, cost = self._ratings[index]
        return harm + safety - cost

    def to_json(self) -> dict[str, Any]:
        """Columns, and each option with its use of an action, if it is one, and its row."""
        rows = [
            {
                "id": name,
                "use": [option.action, option.target, option.detail] if isinstance(option, ActionUse) else None,
                "row": self.row(index),
            }
            for index, (name, option) in enumerate(zip(self.ids, self.options, strict=True))
        ]
        return {"columns": list(FEATURES), "options": rows}

    def row(self, index: int) -> list[float]:
        """Features of an option."""
        row = list(self._common)
        question, option = self._question, self._question.options[index]
        row[_AT["default"]] = float(index == question.default)
        if isinstance(option, ActionUse):
            self._describe_use(row, option)
        else:
            row[_AT["answer"]] = 1.0
            row[_AT["number"]] = float(option) if type(option) is bool else self._number(option)
        row[_AT["harm"]], row[_AT["safety"]], row[_AT["cost"]] = self._ratings[index]
        figures = self._figures.get(index, ())
        row[_AT["chance"]] = _clip(float(next((one.mean for one in figures if one.is_chance), 0)))
        row[_AT["average"]] = _average(figures) / self._largest
        return row

    def _number(self, option: Any) -> float:
        return option / self._top if type(option) is int else 0.0

    def _describe_use(self, row: list[float], use: ActionUse) -> None:
        scene, who = self._scene, self._who
        action = self._session.rulebook.actions.by_id.get(use.action)
        row[_AT["reaction" if action is not None and action.reaction else "action"]] = 1.0
        row[_AT["pass"]] = float(use.action == self._session.rulebook.pass_action)
        place = place_of(use)
        if place is not None:
            row[_AT["place"]] = 1.0
        if use.target is not None and use.target in scene:
            target = scene[use.target]
            if who is not None and target.id == who.id:
                row[_AT["at self"]] = 1.0
            else:
                row[_AT["at ally" if target.side in self._sides else "at foe"]] = 1.0
            row[_AT[self._look(target)]] = 1.0
            place = target.position if place is None else place
        if place is not None and who is not None:
            row[_AT["distance"]] = self._distance(who.position, place)
            others = [one.position for one in self._foes if one.id != use.target]
            row[_AT["foe distance"]] = min([self._distance(place, one) for one in others], default=0.0)

    def _look(self, one: Participant) -> str:
        if not self._session.rulebook.vitals.is_standing(one):
            return "target down"
        return "target fresh" if self._is_fresh(one) else "target hurt"

    def _is_fresh(self, one: Participant) -> bool:
        word = self._session.rulebook.health(one)
        return self._looks.words.get(one.id, word) == word

    def _distance(self, here: Position | None, there: Position | None) -> float:
        if here is None or there is None:
            return 0.0
        return min(1.0, float(self._scene.ground.distance(here, there)) / _FAR)

    def _of_the_scene(self) -> list[float]:
        row = [0.0] * WIDTH
        stands = self._session.rulebook.vitals.is_standing
        own = [one for one in self._scene.participants if one.side in self._sides]
        row[_AT["self fresh"]] = float(self._who is not None and self._is_fresh(self._who))
        row[_AT["allies standing"]] = _share([stands(one) for one in own])
        row[_AT["foes standing"]] = _share([stands(one) for one in self._foes])
        row[_AT["round"]] = min(1.0, self._scene.round / _FAR)
        return row

    def _rated(self) -> list[tuple[float, float, float]]:
        """Ratings of all options, as shares of the largest."""
        question, who, rate = self._question, self._who, self._session.rate
        found = [
            tuple(map(float, rate(self._scene, who.id, option)))
            if who is not None and isinstance(option, ActionUse)
            else (0.0, 0.0, 0.0)
            for option in question.options
        ]
        largest = max([part for row in found for part in row], default=0.0)
        if largest <= 0:
            largest = 1.0
        return [(_clip(harm / largest), _clip(safety / largest), _clip(cost / largest)) for harm, safety, cost in found]

    def _known_figures(self) -> Mapping[int, Sequence[Figure]]:
        """Chances and averages of the options by index, as far as the seat may know them."""
        question, who = self._question, self._who
        if who is not None and any(isinstance(option, ActionUse) for option in question.options):
            return {
                index: figures_of_use(self._session, who.id, option, self._seat)
                for index, option in enumerate(question.options)
                if isinstance(option, ActionUse)
            }
        inside = figures_inside(self._session, self._seat)
        return {index: inside[name] for index, name in enumerate(question.ids) if name in inside}


def _average(figures: Sequence[Figure]) -> float:
    return float(next((one.mean for one in figures if not one.is_chance), 0))


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0


def _clip(number: float) -> float:
    return max(-1.0, min(1.0, number))


def place_of(use: ActionUse) -> Position | None:
    """Place that a use of an action names; None for any other detail.

    >>> place_of(ActionUse("move", detail="3,4")), place_of(ActionUse("attack", "rat", "club"))
    (Position(x=3, y=4, z=0, name=''), None)
    """
    if use.detail is None or not (use.detail[:1].isdigit() or use.detail[:1] == "-" or ":" in use.detail):
        return None
    try:
        return Position.parse(use.detail)
    except InvalidInputError:
        return None
