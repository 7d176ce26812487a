"""Registry of the sayings of OpenD6, with its words and resources."""

from __future__ import annotations

from tablewright.game.narration.common_sayings import COMMON
from tablewright.game.narration.sayings import Sayings

ROUND_SECONDS = 5  # opend6.time.round

sayings = Sayings(COMMON, system="opend6", unit="metre")
sayings.alike |= {"WasSurprised": (), "DyingWentOn": ()}
sayings.repeats |= {"Struck": ("by", "who", "weapon", "manoeuvre", "at")}
sayings.pool = lambda given: str(given.get("code", ""))
sayings.walks |= {"Walked"}
sayings.moves |= {"Walked"}
sayings.orders |= {"InitiativeRolled"}
sayings.resources |= {
    "character_points": "Character Point|Character Points",
    "fate_points": "Fate Point|Fate Points",
    "wound_levels": "wound level left|wound levels left",
}
sayings.promises |= {
    "felled": "brings down {n}",
    "harm": "",
    "opend6.attack.loss": "{n} Body Points on average",
}
sayings.words |= {
    "healthy": "unhurt",
    "severely_wounded": "severely wounded",
    "mortally_wounded": "mortally wounded",
    "unarmed": "bare hands",
    "know_how": "Know-how",
    "reading_writing": "Reading/Writing",
    "sleight_of_hand": "Sleight of Hand",
    "water": "the water",
    "to_hit": "rolls to hit",
    "critical_failure": "Critical Failure",
    "character_points": "Character Points",
    "fate_points": "Fate Points",
    "difficulty": "Difficulty",
    "assumed": "Difficulty",
    "code_pips": "Code in pips",
    "dice": "Dice",
    "added": "Added to the total",
    "penalty": "Dice lost",
}


def plural_verb(noun: str, verb: str) -> str:
    """A verb of the third person, or of the plural for bare hands and claws."""
    if not noun.endswith("s") or noun.endswith("ss"):
        return verb
    first, _, rest = verb.partition(" ")
    bare = {"misses": "miss", "goes": "go", "does": "do"}.get(first) or first.removesuffix("s")
    return f"{bare} {rest}".strip()
