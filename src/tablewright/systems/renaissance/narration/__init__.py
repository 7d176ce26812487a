"""Sentences for events and results."""

from tablewright.systems.renaissance.narration import attacks, outcomes, questions, turns
from tablewright.systems.renaissance.narration.words import sayings

__all__ = ["attacks", "outcomes", "questions", "sayings", "turns"]
