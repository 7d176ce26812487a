"""Mechanics and processes and whoever drives them. This room knows dice, and no game."""

from tablewright.engine.advice import Advice, Situation, Worth, advise
from tablewright.engine.asks import (
    Ask,
    Choose,
    Closed,
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
)
from tablewright.engine.mechanic import Call, ClosedForm, Mechanic, mechanic
from tablewright.engine.odds import Odds, Policy, forget, odds
from tablewright.engine.parameters import Param, Parameter
from tablewright.engine.play import Answer, Played, Playing, play, replay
from tablewright.engine.process import Game, Process, enumerate, process  # noqa: A004
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
    "Game",
    "Mechanic",
    "Odds",
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
    "Situation",
    "Tally",
    "TooMuch",
    "Trace",
    "WentOn",
    "Worth",
    "advise",
    "again",
    "become",
    "best_of",
    "both",
    "choose",
    "d",
    "enumerate",
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
    "versus",
    "worst_of",
]
