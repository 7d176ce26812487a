"""Dice, dice expressions and exact distributions; independent of any game."""

from tablewright.dice.dist import Dist
from tablewright.dice.rest import OrMore
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
from tablewright.dice.source import Die, Face, SeededDice, TypedDice

__all__ = [
    "BestOf",
    "Die",
    "Dist",
    "Exploding",
    "Face",
    "Keep",
    "OrMore",
    "PoolHighest",
    "PoolShowing",
    "Rollable",
    "SeededDice",
    "Sum",
    "SumHighest",
    "SumShown",
    "TypedDice",
]
