"""What dice are, show and weigh. This room knows no game."""

from tablewright.dice.dist import Dist
from tablewright.dice.rollable import (
    BestOf,
    Exploding,
    Keep,
    PoolHighest,
    PoolShowing,
    Rollable,
    Sum,
    SumHighest,
    SumShown,
)
from tablewright.dice.source import Dice, Die, Face, Typed

__all__ = [
    "BestOf",
    "Dice",
    "Die",
    "Dist",
    "Exploding",
    "Face",
    "Keep",
    "PoolHighest",
    "PoolShowing",
    "Rollable",
    "Sum",
    "SumHighest",
    "SumShown",
    "Typed",
]
