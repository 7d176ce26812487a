"""Sentences for events and results."""

from tablewright.systems.mars.narration import attacks, outcomes, questions, throws, turns
from tablewright.systems.mars.narration.words import sayings

__all__ = ["attacks", "outcomes", "questions", "sayings", "throws", "turns"]
