"""Sentences for events and results."""

from tablewright.systems.stage.narration import attacks, outcomes, questions, throws
from tablewright.systems.stage.narration.words import sayings

__all__ = ["attacks", "outcomes", "questions", "sayings", "throws"]
