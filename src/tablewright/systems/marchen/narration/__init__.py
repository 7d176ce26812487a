"""Sentences for events and results."""

from tablewright.systems.marchen.narration import attacks, outcomes, questions, turns
from tablewright.systems.marchen.narration.words import sayings

__all__ = ["attacks", "outcomes", "questions", "sayings", "turns"]
