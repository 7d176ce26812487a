"""A policy that weighs the features of each option: the simplest form in which a learner can be kept and played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tablewright.agents.features import FEATURES, Looks, feature_rows
from tablewright.agents.menu import ActionMenu, menu_of
from tablewright.api.fight import session_behind
from tablewright.api.option import Option
from tablewright.api.turn import Turn
from tablewright.engine import Choice
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.narration.projection import as_offered, secret_words


class LinearPolicy:
    """Policy that takes the option with the highest weighted sum of features; the first of equals.

    It goes wherever a policy goes: ``bots=LinearPolicy({"harm": 1, "cost": -1})``. Features with odds are slower.

    >>> import tablewright as tw
    >>> eager = LinearPolicy({"harm": 1.0, "at foe": 0.1}, odds=False)
    >>> tw.Fight("stage:together", seed=1, bots=eager, rounds=1).over
    True
    """

    def __init__(self, weights: Mapping[str, float], *, odds: bool = True, name: str = "linear") -> None:
        for feature in weights:
            if feature not in FEATURES:
                raise InvalidInputError(
                    f'"{feature:.40}" is no feature; there are {", ".join(FEATURES)}{did_you_mean(feature, FEATURES)}'
                )
        self.weights = {feature: float(weights.get(feature, 0.0)) for feature in FEATURES}
        self.odds = odds
        self.__name__ = name
        self.__doc__ = "The option with the highest weighted sum of features."
        self._row = tuple(self.weights.values())

    def __call__(self, turn: Turn) -> Option:
        session = session_behind(turn)
        question = session.question
        assert isinstance(question, Choice)
        assert session.seat is not None
        offered = as_offered(question, secret_words(session.scene, session.seat)) or question
        looks = Looks({one.id: session.rulebook.health(one) for one in session.header.scene.participants})
        menu = menu_of(offered.options)
        while True:
            rows = feature_rows(session, offered, menu, looks, odds=self.odds)
            slot = menu.slots[self._best(rows, menu)]
            if not slot.is_group:
                return turn.option(offered.ids[slot.options[0]])
            menu = menu.opened(slot)

    def _best(self, rows: list[list[float]], menu: ActionMenu) -> int:
        row = self._row
        scores = [sum([weight * number for weight, number in zip(row, one, strict=True)]) for one in rows]
        return max(range(len(menu.slots)), key=lambda place: (scores[place], -place))

    def save(self, path: str | Path) -> None:
        """Write the weights to a file that :meth:`load` reads."""
        plain = {"odds": self.odds, "weights": {name: round(weight, 4) for name, weight in self.weights.items()}}
        Path(path).write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: str | Path) -> LinearPolicy:
        """Read the weights of a policy; its name is that of the file."""
        try:
            plain = json.loads(Path(path).read_text(encoding="utf-8"))
            return LinearPolicy(plain["weights"], odds=bool(plain["odds"]), name=Path(path).stem)
        except OSError as problem:
            raise InvalidInputError(f"{path} cannot be read: {problem.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InvalidInputError(f"{path} holds no weights of a policy") from None
