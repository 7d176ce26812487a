"""Mechanics and processes and whoever drives them. This room knows dice, and no game."""

from tablewright.engine.advice import Advice, DependsOnHidden, Situation, Worth, advise
from tablewright.engine.asks import (
    Ask,
    Choose,
    Roll,
    Seat,
    again,
    become,
    best_of,
    both,
    choose,
    d,
    finish,
    minus,
    plus,
    roll,
    versus,
    worst_of,
    yes_no,
)
from tablewright.engine.mechanic import Call, ClosedForm, Mechanic, chance, mechanic
from tablewright.engine.odds import Odds, Policy, forget, odds
from tablewright.engine.offering import Closed, Offer
from tablewright.engine.parameters import Param, Parameter, unwritten
from tablewright.engine.play import Answer, Played, Playing, Set, play, replay
from tablewright.engine.process import Game, Process, after_step, process, states_after
from tablewright.engine.sample import sample
from tablewright.engine.tally import Part, Rounding, Tally
from tablewright.engine.trace import Chosen, Rolled, Trace, WentOn
from tablewright.engine.tree import TooMuch

__all__ = [
    "Advice",
    "Answer",
    "Ask",
    "Call",
    "Choose",
    "Chosen",
    "Closed",
    "ClosedForm",
    "DependsOnHidden",
    "Game",
    "Mechanic",
    "Odds",
    "Offer",
    "Param",
    "Parameter",
    "Part",
    "Played",
    "Playing",
    "Policy",
    "Process",
    "Roll",
    "Rolled",
    "Rounding",
    "Seat",
    "Set",
    "Situation",
    "Tally",
    "TooMuch",
    "Trace",
    "WentOn",
    "Worth",
    "advise",
    "after_step",
    "again",
    "become",
    "best_of",
    "both",
    "chance",
    "choose",
    "d",
    "finish",
    "forget",
    "mechanic",
    "minus",
    "odds",
    "play",
    "plus",
    "process",
    "replay",
    "roll",
    "sample",
    "states_after",
    "unwritten",
    "versus",
    "worst_of",
    "yes_no",
]
