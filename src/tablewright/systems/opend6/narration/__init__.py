"""Sentences for events and results."""

from tablewright.systems.opend6.narration import attacks, outcomes, questions, throws, turns
from tablewright.systems.opend6.narration.words import sayings

__all__ = ["attacks", "outcomes", "questions", "sayings", "throws", "turns"]
