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
sayings.name_throws(
    {
        "initiative": "initiative",
        "check": "check",
        "roll": "roll reroll opposed contest contest_of_several group_action",
        "damage": "damage hazard",
        "Fortitude": "dying_check dying dying_checks sickness_check",
        "fall": "fall",
        "to hit": "attack to_hit attack_routine",
        "defence": "to_hit.opponent defend",
        "resistance": "opposed.opponent",
        "resist": "resist",
        "Awareness": "awareness",
        "fire": "burning burning_out",
        "Medicine": "stabilise",
        "concentration": "concentration",
    }
)


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
