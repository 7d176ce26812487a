"""Policies that examples/learner.py has trained: tablewright league marchen:together --policy learned:marchen ..."""

from pathlib import Path

from tablewright.agents import LinearPolicy

HERE = Path(__file__).parent

mars = LinearPolicy.load(HERE / "learned_mars.json")
marchen = LinearPolicy.load(HERE / "learned_marchen.json")
