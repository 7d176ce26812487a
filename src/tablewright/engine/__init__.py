"""Mechanics, processes and their drivers; the engine depends on dice and on no game."""

from tablewright.engine.advice import Advice, DecisionPoint, OptionValue, advise
from tablewright.engine.choice import Choice, choose, yes_no
from tablewright.engine.exact.tree import TooComplexError
from tablewright.engine.mechanic import Call, ClosedForm, Mechanic, certain, chance, mechanic
from tablewright.engine.odds import Odds, Strategy, forget, odds
from tablewright.engine.options import ClosedOption, OptionList, Role
from tablewright.engine.parameter_types import internal_argument
from tablewright.engine.parameters import Param, Parameter
from tablewright.engine.play import Answer, PlayResult, Playthrough, SetOutcome, play, replay
from tablewright.engine.process import Process, World, distribution_after, process, states_after_step
from tablewright.engine.progress import HiddenDependencyError
from tablewright.engine.request import (
    Request,
    Roll,
    again,
    become,
    best_of,
    both,
    d,
    finish,
    minus,
    plus,
    roll,
    versus,
    worst_of,
)
from tablewright.engine.sample import sample
from tablewright.engine.tally import Part, Rounding, Tally
from tablewright.engine.trace import ChoiceStep, RollStep, TailStep, Trace

__all__ = [
    "Advice",
    "Answer",
    "Call",
    "Choice",
    "ChoiceStep",
    "ClosedForm",
    "ClosedOption",
    "DecisionPoint",
    "HiddenDependencyError",
    "Mechanic",
    "Odds",
    "OptionList",
    "OptionValue",
    "Param",
    "Parameter",
    "Part",
    "PlayResult",
    "Playthrough",
    "Process",
    "Request",
    "Role",
    "Roll",
    "RollStep",
    "Rounding",
    "SetOutcome",
    "Strategy",
    "TailStep",
    "Tally",
    "TooComplexError",
    "Trace",
    "World",
    "advise",
    "again",
    "become",
    "best_of",
    "both",
    "certain",
    "chance",
    "choose",
    "d",
    "distribution_after",
    "finish",
    "forget",
    "internal_argument",
    "mechanic",
    "minus",
    "odds",
    "play",
    "plus",
    "process",
    "replay",
    "roll",
    "sample",
    "states_after_step",
    "versus",
    "worst_of",
    "yes_no",
]
