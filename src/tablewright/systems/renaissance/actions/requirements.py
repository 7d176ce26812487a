"""Requirements and costs that several actions share."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.game.play.action_kinds import ActionKind
from tablewright.game.play.actions import ActionUse, Requirement, needs
from tablewright.game.play.costs import Cost
from tablewright.game.play.targeting import targets as known_targets
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.renaissance.character.figures import race_of
from tablewright.systems.renaissance.character.gear import HELD, place_for, worn
from tablewright.systems.renaissance.character.record import BOTH
from tablewright.systems.renaissance.content import Condition, Item
from tablewright.systems.renaissance.status import GRABBED, PRONE, UNAWARE, Status, conditions_of, hands_left, stands

STANDARD, QUICK, NOTHING = Cost.of(standard=1), Cost.of(quick=1), Cost()
ALLOTMENT_RULE = "renaissance.combat.allotment"


def _awake(scene: Scene, who: str, use: ActionUse) -> str | None:
    if not stands(scene[who]):
        return "cannot act"
    for one in conditions_of(scene[who].status, scene.library):
        if one.no_actions:
            return one.name.lower()
    return None


def _free(scene: Scene, who: str, use: ActionUse) -> str | None:
    status: Status = scene[who].status
    if not status.lasting:
        return None
    for one in conditions_of(status, scene.library):
        if one.only_escape:
            return f"{one.name.lower()}: only breaking free is possible"
    return None


def _free_minded(scene: Scene, who: str, use: ActionUse) -> str | None:
    return None if scene.options.grab_rule == "mos_over_str" else _free(scene, who, use)


AWAKE = Requirement("renaissance.injury.damage_track", _awake, always=True)
FREE = Requirement("renaissance.maneuver.grab", _free, always=True)
FREE_MIND = Requirement("renaissance.maneuver.grab", _free_minded, always=True)
"""For actions without the body: by the second grab rule a held character can still take them."""
UPRIGHT = needs(lambda scene, who: not scene[who].status.has(PRONE), "prone", "renaissance.prone.effects", always=True)
LYING = needs(lambda scene, who: scene[who].status.has(PRONE), "not prone", "renaissance.prone.stand", always=True)
AWARE = needs(
    lambda scene, who: not scene[who].status.has(UNAWARE),
    "does not know of any enemy",
    "renaissance.attack.unaware",
    always=True,
)
ONE_MOVE = needs(
    lambda scene, who: not scene[who].status.turn.moved,
    "one movement action a turn",
    "renaissance.movement.one_per_turn",
    always=True,
)
CHARGE_GOES_ON = needs(
    lambda scene, who: not scene[who].status.turn.stopped,
    "the charge was stopped",
    "renaissance.brace.charge_goes_on",
    always=True,
)
SPECIAL = needs(
    lambda scene, _: scene.options.strikes_and_maneuvers,
    "this table plays without strikes and maneuvers",
    "renaissance.strike.enabled",
    always=True,
)
ABLE = (AWAKE, FREE)
quick = ActionKind(ABLE, cost=QUICK, price_rule=ALLOTMENT_RULE)
standard = ActionKind(ABLE, cost=STANDARD, price_rule=ALLOTMENT_RULE)
able, awake = ActionKind(ABLE, price_rule=ALLOTMENT_RULE), ActionKind((AWAKE,), price_rule=ALLOTMENT_RULE)
"""Kinds of actions: quick and standard ones, and others of the able and of the awake."""


def price_of_ending(condition: str) -> Callable[[Scene, str, ActionUse], Cost]:
    """Cost of the action that ends a condition, as its entry in the content says: quick or standard."""

    def price(scene: Scene, who: str, use: ActionUse) -> Cost:
        id_ = condition or str(use.detail)
        ends = scene.library.get(Condition, id_).ends if scene.library.has(Condition, id_) else "quick"
        return STANDARD if ends == "standard" else QUICK

    return price


def _alive(one: Participant) -> bool:
    return one.present and not one.status.dead


def prey_of(scene: Scene, who: str) -> list[Participant]:
    """Participants held by this one."""
    return [
        one
        for one in scene.participants
        if one.present
        and one.status.lasting
        and any(held.id == GRABBED and held.by == who for held in one.status.lasting)
    ]


def free_hands(scene: Scene, who: str) -> int:
    """Number of free hands: they hold neither a thing nor a prey. Beasts need none."""
    one = scene[who]
    race = race_of(one.character, scene.library)
    if race is not None and race.animal:
        return 2
    return hands_left(one.status.lost) - worn(one.status.belongings, scene.library).hands - len(prey_of(scene, who))


def room_for(scene: Scene, who: str, found: Item) -> str | None:
    """Place for a thing taken in hand; None if no hand is free for it (renaissance.gap.weapon.hands)."""
    place = place_for(found, scene[who].status.belongings, scene.library)
    if place not in HELD:
        return place
    return place if free_hands(scene, who) >= (2 if place == BOTH else 1) else None


@cached_on_scene
def victims(scene: Scene, who: str) -> list[Participant]:
    """Possible victims of an attack: standing foes, then those down but alive (renaissance.attack.unaware)."""
    return sorted(known_targets(scene, who, _alive), key=lambda foe: not stands(foe))


@cached_on_scene
def targets(scene: Scene, who: str) -> list[Participant]:
    """Standing foes that a participant knows of."""
    return known_targets(scene, who, stands)
