"""A policy that weighs the features of each option: the simplest form in which a learner can be kept and played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tablewright.agents.menu import ActionMenu, menu_of, slot_rows
from tablewright.api.option import Option
from tablewright.api.turn import Turn
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.lab.fights.option_features import FEATURES


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
                    f'"{feature:.40}" is not a feature; allowed: {", ".join(FEATURES)}{did_you_mean(feature, FEATURES)}'
                )
        self.weights = {feature: float(weights.get(feature, 0.0)) for feature in FEATURES}
        self.odds = odds
        self.__name__ = name
        self.__doc__ = "The option with the highest weighted sum of features."
        self._row = tuple(self.weights.values())

    def __call__(self, turn: Turn) -> Option:
        described = turn.features(odds=self.odds)
        menu = menu_of(described.options)
        while True:
            slot = menu.slots[self._best(slot_rows(described, menu), menu)]
            if not slot.is_group:
                return turn.option(described.ids[slot.options[0]])
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
