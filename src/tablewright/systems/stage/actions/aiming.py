"""Which attacks somebody can make now: with what, by which power, at which price, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tablewright.engine.tally import Part
from tablewright.game.actions import Requirement, Use
from tablewright.game.prices import Price
from tablewright.game.remembering import of_scene
from tablewright.game.scene import Participant, Scene
from tablewright.systems.stage.actions.common import (
    fallen,
    foes,
    foes_beside,
    of_ap,
)
from tablewright.systems.stage.character.figures import furthest
from tablewright.systems.stage.harm import PURSES
from tablewright.systems.stage.now import (
    Arm,
    ammunition_left,
    arm_named,
    arms,
    distance,
    doublings,
    named_arms,
    powers,
    price_of,
)
from tablewright.systems.stage.powers import Permit, Trigger, Usable
from tablewright.systems.stage.powers import Price as OtherPrice
from tablewright.systems.stage.status import adjacent
from tablewright.systems.stage.values import Attribute


class Way(NamedTuple):
    """How an attack is made: with what, by which power, and what is special about it.

    ``held`` holds the target, ``carries`` moves it rather than hurting it; ``skill`` is rolled in the place of the
    weapon's own.
    """

    arm: Arm
    power: Usable | None = None
    extra: tuple[Part, ...] = ()
    moments: tuple[str, ...] = ("hit",)
    bonus: bool = True
    non_lethal: bool = False
    attribute: Attribute = "body"
    held: bool = False
    carries: bool = False
    second: Arm | None = None
    skill: str = ""
    ap: int = 1


# ---------------------------------------------------------------------- which


def split_detail(detail: str | None) -> tuple[str, str]:
    """The weapon and the power that a use names."""
    weapon, _, power = str(detail or "").partition("+")
    return weapon, power


def way_of(scene: Scene, who: str, use: Use) -> Way | None:
    """How a use attacks; None where the weapon or the power is not there any more."""
    return _way(scene, who, use.detail)


@of_scene
def _way(scene: Scene, who: str, detail: str | None) -> Way | None:
    weapon, power = split_detail(detail)
    arm = arm_named(scene, who, weapon)
    if arm is None:
        return None
    if not power:
        return Way(arm)
    found = powers(scene, who).get(power.partition("=")[0])
    return None if found is None else Way(arm, found)


def ways_with(action: str, scene: Scene, who: str, wanted: tuple[str, ...]) -> Iterator[Use]:
    mine = [arm for arm in named_arms(scene, who) if arm.key in wanted]
    for arm in mine:
        named, what = arm.id, with_what(arm)
        for foe in within_reach(scene, who, arm):
            yield Use(action, foe.id, named, label=f"{TITLES[action]} {scene.called(foe.id)}: {what}")


def with_what(arm: Arm) -> str:
    """A weapon as it stands in a list: what is thrown is gone from the hand, and says so (stage.athletics.throw)."""
    return f"{arm.weapon.name}, thrown" if arm.thrown else arm.weapon.name


def within_reach(scene: Scene, who: str, arm: Arm) -> list[Participant]:
    """Whom a weapon could be turned against, the fallen last; where nobody is adjacent, one who is not, to say why."""
    known = foes_beside(scene, who) if arm.melee else foes(scene, who)
    return [*known, *[one for one in fallen(scene, who) if not arm.melee or adjacent(scene, who, one.id)]]


def plain_attacks(scene: Scene, who: str) -> Iterator[Use]:
    yield from ways_with("attack", scene, who, ATTACKS)
    yield from by_power(scene, who)


def by_power(scene: Scene, who: str) -> Iterator[Use]:
    """Attacks that a power makes cheaper or other: each is a way of its own."""
    for one in powers(scene, who).values():
        for arm in named_arms(scene, who) if one.power.type in OWN_ATTACKS else ():
            for choice in _choices(one, arm):
                detail = f"{arm.id}+{one.id}{choice}"
                for foe in within_reach(scene, who, arm):
                    label = (
                        f"Attack {scene.called(foe.id)}: {with_what(arm)}, {one.power.name}{choice.replace('=', ' ')}"
                    )
                    yield Use("attack", foe.id, detail, label=label)


def _choices(one: Usable, arm: Arm) -> list[str]:
    """Whether a power gives attacks of its own with a weapon, and what is chosen with it."""
    for effect in one.effects:
        if isinstance(effect, OtherPrice) and arm.key in effect.actions:
            return [""]
        if isinstance(effect, Trigger) and effect.at == "hit" and one.power.ap is not None and arm.key in effect.of:
            return [""]
        if isinstance(effect, Permit) and effect.what == "attack_all_in_reach" and arm.key == effect.application:
            return [""]
        if isinstance(effect, Permit) and effect.what == "damage_type":
            return [f"={attribute}" for attribute in effect.of]
        if isinstance(effect, Permit) and effect.what == "two_weapons" and arm.melee and arm.carried is not None:
            return [""] if arm.key == "close_combat.attack" else []
    return []


OWN_ATTACKS = ("ap_cost", "ap_strip", "attack_form")
ATTACKS = ("close_combat.attack", "brawl.attack", "ranged_combat.attack", "athletics.throw")
MELEE = ("close_combat.attack", "brawl.attack")
MISSILES = ("ranged_combat.attack", "athletics.throw")
TITLES = {
    "attack": "Attack",
    "power_attack": "Power attack on",
    "charge": "Charge",
    "snipe": "Snipe at",
    "non_lethal": "Subdue",
    "grapple": "Grapple",
}


def attack_price(scene: Scene, who: str, use: Use) -> Price:
    """1 AP; a power may make it other AP, for its own cost."""
    return ONE if "+" not in str(use.detail) else _power_price(scene, who, use.detail)


@of_scene
def _power_price(scene: Scene, who: str, detail: str | None) -> Price:
    way = _way(scene, who, detail)
    if way is None or way.power is None:
        return ONE
    ap = 1
    for effect in way.power.effects:
        if isinstance(effect, OtherPrice):
            ap = effect.ap
        elif way.power.power.ap is not None:
            ap = way.power.power.ap
    return Price.of(ap=ap) + price_of(way.power.power)


def price_words(scene: Scene, who: str, use: Use) -> str:
    return "1 AP" if "+" not in str(use.detail) else PURSES.words_for(scene, who, attack_price(scene, who, use))


ONE = Price.of(ap=1)


def three_ap(scene: Scene, who: str, use: Use) -> Price:
    return of_ap(3)


TWO = Price.of(ap=2)


def price_to_subdue(scene: Scene, who: str, use: Use) -> Price:
    """1 AP with Brawl, 2 AP otherwise (stage.attack.non_lethal_rules)."""
    way = way_of(scene, who, use)
    return ONE if way is not None and way.arm.key == "brawl.attack" else TWO


# ---------------------------------------------------------------------- what is required


def _in_reach(scene: Scene, who: str, use: Use) -> str | None:
    way = way_of(scene, who, use)
    if way is None:
        return "that is not at hand"
    target = str(use.target)
    if way.arm.melee:
        return None if adjacent(scene, who, target) else f"{scene.called(target)} is not adjacent"
    increment = way.arm.weapon.increment or 1
    far = furthest(increment, scene.options.max_increments, doublings(scene, who, way.arm, target))
    return None if distance(scene, who, target) <= far else f"{scene.called(target)} is out of range"


def _loaded(scene: Scene, who: str, use: Use) -> str | None:
    way = way_of(scene, who, use)
    if way is None or way.arm.key != "ranged_combat.attack":
        return None
    return "no ammunition is left" if ammunition_left(scene, who, way.arm.weapon) == 0 else None


def _rated(scene: Scene, who: str, use: Use) -> str | None:
    way = way_of(scene, who, use)
    if way is None or way.arm.weapon.attack_rating is None:
        return None
    rating = way.arm.weapon.attack_rating
    done = scene[who].status.attacks.get(way.arm.weapon.id, 0)
    return f"{way.arm.weapon.name} has made its {rating} attacks" if done >= rating else None


def _two_in_hand(scene: Scene, who: str, use: Use) -> str | None:
    way = way_of(scene, who, use)
    if way is None or way.power is None:
        return None
    if not any(isinstance(each, Permit) and each.what == "two_weapons" for each in way.power.effects):
        return None
    return None if second_arm(scene, who, way.arm) is not None else "no second weapon is in hand"


def second_arm(scene: Scene, who: str, arm: Arm) -> Arm | None:
    """The weapon in the other hand: another one, or a second of the same kind."""
    if arm.carried is not None and arm.carried.place == "hand" and arm.carried.count > 1:
        return arm
    for other in arms(scene, who):
        if other.key != arm.key or other.carried is None or other.carried is arm.carried or arm.carried is None:
            continue
        if other.carried.place == arm.carried.place == "hand":
            return other
    return None


REACH = Requirement(  # and stage.gap.movement.melee_reach
    "stage.attack.offensive", _in_reach
)
LOADED = Requirement("stage.ranged_combat.attack", _loaded)
RATING = Requirement("stage.equipment.attack_rating", _rated)
TWO_WEAPONS = Requirement("stage.power_effect.attack_form", _two_in_hand)
