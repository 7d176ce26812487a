"""What many actions require, each with the rule that demands it, and what they cost."""

from __future__ import annotations

from tablewright.game.actions import Requirement, Use
from tablewright.game.prices import Price
from tablewright.game.remembering import of_scene
from tablewright.game.scene import Participant, Scene
from tablewright.game.standing import targets as known_targets
from tablewright.systems.renaissance.character.giving import race_of
from tablewright.systems.renaissance.character.record import BOTH
from tablewright.systems.renaissance.character.wearing import HELD, place_for, worn
from tablewright.systems.renaissance.content import Item
from tablewright.systems.renaissance.status import GRABBED, PRONE, STUNNED, UNAWARE, Status, stands

STANDARD, QUICK, NOTHING = Price.of(standard=1), Price.of(quick=1), Price()
ALLOTMENT_RULE = "renaissance.combat.allotment"


def _awake(scene: Scene, who: str, use: Use) -> str | None:
    if not stands(scene[who]):
        return "cannot act"
    return "stunned" if scene[who].status.has(STUNNED) else None


def _free(scene: Scene, who: str, use: Use) -> str | None:
    status: Status = scene[who].status
    if not status.lasting:
        return None
    return "grabbed: only breaking free is possible" if status.has(GRABBED) else None


def _upright(scene: Scene, who: str, use: Use) -> str | None:
    return "prone" if scene[who].status.has(PRONE) else None


def _prone(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene[who].status.has(PRONE) else "not prone"


def _aware(scene: Scene, who: str, use: Use) -> str | None:
    return "does not know of any enemy" if scene[who].status.has(UNAWARE) else None


def _one_move(scene: Scene, who: str, use: Use) -> str | None:
    return "one movement action a turn" if scene[who].status.turn.moved else None


def _gets_there(scene: Scene, who: str, use: Use) -> str | None:
    return "the charge was stopped" if scene[who].status.turn.stopped else None


def _special(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene.options.strikes_and_maneuvers else "this table plays without strikes and maneuvers"


def _free_minded(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene.options.grab_rule == "mos_over_str" else _free(scene, who, use)


AWAKE = Requirement("renaissance.injury.damage_track", _awake, always=True)
FREE = Requirement("renaissance.maneuver.grab", _free, always=True)
FREE_MIND = Requirement("renaissance.maneuver.grab", _free_minded, always=True)
"""For what is done without the body: by the second grab rule whoever is held can still do it."""
UPRIGHT = Requirement("renaissance.prone.effects", _upright, always=True)
LYING = Requirement("renaissance.prone.stand", _prone, always=True)
AWARE = Requirement("renaissance.attack.unaware", _aware, always=True)
ONE_MOVE = Requirement("renaissance.movement.one_per_turn", _one_move, always=True)
CHARGE_GOES_ON = Requirement("renaissance.brace.charge_goes_on", _gets_there, always=True)
SPECIAL = Requirement("renaissance.strike.enabled", _special, always=True)
ABLE = (AWAKE, FREE)


def _alive(one: Participant) -> bool:
    return one.present and not one.status.dead


def prey_of(scene: Scene, who: str) -> list[Participant]:
    """Those whom somebody holds."""
    return [
        one
        for one in scene.participants
        if one.present
        and one.status.lasting
        and any(held.id == GRABBED and held.by == who for held in one.status.lasting)
    ]


def free_hands(scene: Scene, who: str) -> int:
    """How many hands hold neither a thing nor somebody; beasts hold with teeth and claws and need none."""
    one = scene[who]
    race = race_of(one.character, scene.library)
    if race is not None and race.animal:
        return 2
    return 2 - worn(one.status.belongings, scene.library).hands - len(prey_of(scene, who))


def room_for(scene: Scene, who: str, found: Item) -> str | None:
    """Where somebody can take something in hand; None where no hand is free for it (renaissance.gap.weapon.hands)."""
    place = place_for(found, scene[who].status.belongings, scene.library)
    if place not in HELD:
        return place
    return place if free_hands(scene, who) >= (2 if place == BOTH else 1) else None


@of_scene
def victims(scene: Scene, who: str) -> list[Participant]:
    """Whom somebody could strike: foes who stand, then those who are down and not dead (renaissance.attack.unaware)."""
    return sorted(known_targets(scene, who, _alive), key=lambda foe: not stands(foe))


@of_scene
def targets(scene: Scene, who: str) -> list[Participant]:
    """Whom somebody could turn against."""
    return known_targets(scene, who, stands)
