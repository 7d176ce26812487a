"""Vocabulary of MARS: resources, throws and the cost of an action."""

from __future__ import annotations

import re

from tablewright.game.narration.common_sayings import COMMON
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.sayings import Fact, Sayings

sayings = Sayings(COMMON, system="mars", unit="metre")
sayings.walks |= {"Walked"}
sayings.moves |= {"Walked"}
sayings.alike |= {"HealthLost": ("amount", "why")}
sayings.repeats |= {"AttackDeclared": ("who", "target", "weapon", "manner", "maneuver")}
sayings.orders |= {"InitiativeRolled", "OrderDecided", "SurpriseOver", "TieDecided", "WasSurprised"}
sayings.resources |= {"seconds": "{n} s"}
sayings.words |= {
    "deflect": "Deflect",
    "evade": "Evade",
    "parry": "Parry",
    "block": "Block",
    "FORT": "Fortitude",
    "WILL": "Will",
    "rating": "armour rating",
    "mars.attack.attack": "Roll to hit",
    "mars.check.roll_value": "Roll value",
    "mars.initiative.roll_value": "Initiative",
}
sayings.labels |= {
    "mars.initiative": "initiative",
    "mars.check": "check",
    "mars.roll": "roll",
    "mars.reroll": "roll",
    "mars.opposed": "roll",
    "mars.contest": "roll",
    "mars.contest_of_several": "roll",
    "mars.damage": "damage",
    "mars.dying_check": "Fortitude",
    "mars.fall": "fall",
    "mars.hazard": "damage",
    "mars.group_action": "roll",
    "mars.attack": "to hit",
    "mars.to_hit": "to hit",
    "mars.to_hit.opponent": "defence",
    "mars.opposed.opponent": "resistance",
    "mars.defend": "defence",
    "mars.resist": "resist",
    "mars.attack_routine": "to hit",
    "mars.awareness": "Awareness",
    "mars.burning": "fire",
    "mars.burning_out": "fire",
    "mars.dying": "Fortitude",
    "mars.dying_checks": "Fortitude",
    "mars.stabilise": "Medicine",
    "mars.sickness_check": "Fortitude",
    "mars.concentration": "concentration",
}


_ROLL_VALUE = re.compile(r"(?P<name>.+) r(?P<n>\d+)")


def _part_words(label: str, amount: int) -> tuple[str, str] | None:
    """A stat in a tally as a roll value: its number counts with its modifier.

    >>> _part_words("DEX r10", 11), _part_words("RES r8", 8), _part_words("cover", 2)
    (('DEX r10+1', ''), ('RES r8', ''), None)
    """
    found = _ROLL_VALUE.fullmatch(label)
    more = amount - int(found["n"]) if found else 0
    return None if found is None else (f"{label}{more:+d}" if more else label, "")


sayings.part_words = _part_words

COSTS = ("seconds", "stamina", "focus")


def pay(draft: EntryDraft, fact: Fact) -> None:
    """Add the cost of an action to the quiet line."""
    draft.actor(fact["who"])
    draft.price(fact["who"], {name: fact[name] for name in COSTS if fact.get(name)})
    if fact.get("reaction"):
        draft.cost(fact["who"], "reaction")
