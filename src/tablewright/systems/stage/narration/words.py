"""Words of The Stage, and the sayings that the other files of this folder add to."""

from __future__ import annotations

from tablewright.game.narration.common_sayings import COMMON
from tablewright.game.narration.sayings import Sayings

sayings = Sayings(COMMON, system="stage", unit="cube")
sayings.repeats |= {"AttackDeclared": ("who", "by", "what")}
sayings.moves |= {"CameBeside"}
sayings.orders |= {"InitiativeRolled", "LiesInWait"}
sayings.resources |= {"ap": "AP"}
for _track in ("stamina", "vitality", "intellect", "sanity", "will", "spirit"):
    sayings.resources[_track] = _track.title()
    sayings.words[_track] = _track.title()
sayings.words |= {
    "body": "Body",
    "mind": "Mind",
    "soul": "Soul",
    "unarmed": "bare hands",
    "prone": "prone",
    "survival.forage_gather_hunt": "Survival (forage, gather, hunt)",
    "stage.attack.difficulty": "Hit Difficulty",
    "stage.attack.dice": "Dice to attack with",
}

sayings.promises |= {"stage.attack.worth": "{n} with costs"}
