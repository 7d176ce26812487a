"""Gear in hand during a fight: draw, stow, load, drop, pick up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tablewright.engine import choose
from tablewright.game.character.belongings import PACK, Belongings, ItemStack, add_item, hands_taken, load
from tablewright.game.ground.facts import ANYONE
from tablewright.game.play.action_kinds import with_each
from tablewright.game.play.actions import ActionUse, each_use, needs, once
from tablewright.game.play.loose_items import items_in_reach, nearest_lying
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.systems.mars.actions.aim import aim
from tablewright.systems.mars.actions.attack import strike, targets, why_out_of_range
from tablewright.systems.mars.actions.requirements import (
    ONE_CHECK,
    cost_words,
    free,
    swift,
    time_needed,
    time_spent,
    unhurried,
    why_no_time,
)
from tablewright.systems.mars.character.gear import MOST_HANDS, Wielded, item, slots_taken
from tablewright.systems.mars.character.record import HAND, HANDS
from tablewright.systems.mars.content import COMBAT_SKILLS, Armour, Weapon
from tablewright.systems.mars.events.effects import MarsEffectEnded
from tablewright.systems.mars.events.turn import Acted, HandsChanged
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Status

BRANDISH, INTERACT, RELOAD = "mars.action.brandish", "mars.action.interact", "mars.gap.weapon.reload"


class Grip(NamedTuple):
    """Items in the hands, each with its place."""

    held: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        things = [f"{name.replace('_', ' ')}{' in both hands' if place == HANDS else ''}" for name, place in self.held]
        return " and ".join(things) or "nothing"


def in_hand(belongings: Belongings) -> Grip:
    """The present grip."""
    held = [(one.item, one.place) for one in belongings if one.place in (HAND, HANDS) for _ in range(one.count)]
    return Grip(tuple(sorted(held)))


def grips(scene: Scene, who: str) -> list[Grip]:
    """Every sensible way to fill the hands: two of a kind only if there are two, both hands for what needs them.

    What lies within reach counts like what is carried.
    """
    lying = tuple([one.item for one in items_in_reach(scene, who)])
    return now(scene, who).remember(("grips", lying), lambda: _grips(scene, who, lying))


def _grips(scene: Scene, who: str, lying: Sequence[str]) -> list[Grip]:
    status: Status = scene[who].status
    one_hand: list[str] = []
    found: list[Grip] = [Grip(())]
    shields: set[str] = set()
    for name, count in [*[(one.item, one.count) for one in status.belongings], *[(name, 1) for name in lying]]:
        known = item(name, scene.library)
        if isinstance(known, Weapon) and not known.natural:
            features = known.features
            if features.two_handed or features.versatile:
                found.append(Grip(((known.id, HANDS),)))
            if not (features.two_handed and features.ranged is not None):
                one_hand += [known.id] * min(2, count)
        elif isinstance(known, Armour) and known.is_shield:
            one_hand.append(known.id)
            shields.add(known.id)
    found += [Grip(((name, HAND),)) for name in dict.fromkeys(one_hand)]
    for at, name in enumerate(one_hand):
        for other in one_hand[at + 1 :]:
            pair = Grip(tuple(sorted(((name, HAND), (other, HAND)))))
            if pair not in found and not {name, other} <= shields:  # mars.equipment.armour_slots
                found.append(pair)
    now_held = in_hand(status.belongings)
    return [grip for grip in dict.fromkeys(found) if grip != now_held]


def taken_in_hand(belongings: Belongings, grip: Grip) -> tuple[Belongings, tuple[tuple[str, str], ...]]:
    """Belongings with other items in the hands, and the items still missing for that.

    What was in the hands goes into the pack.
    """
    loose = [replace(one, place=PACK) if one.place in (HAND, HANDS) else one for one in belongings]
    result: list[ItemStack] = []
    wanted = list(grip.held)
    for one in loose:
        left = one.count
        for name, place in list(wanted):
            if name == one.item and left > 0 and one.place == PACK:
                wanted.remove((name, place))
                result.append(replace(one, count=1, place=place))
                left -= 1
        if left:
            result.append(replace(one, count=left) if left != one.count else one)
    return tuple(result), tuple(wanted)


def taken_up(scene: Scene, who: str, grip: Grip) -> tuple[Belongings, tuple[LooseItem, ...]]:
    """Belongings with other items in the hands, and the items among them that are picked up from the ground."""
    belongings, missing = taken_in_hand(scene[who].status.belongings, grip)
    near, lifted = list(items_in_reach(scene, who)), []
    for name, place in missing:
        lies = next((one for one in near if one.item == name), None)
        if lies is not None:
            near.remove(lies)
            lifted.append(lies)
            belongings = add_item(belongings, name, place=place, left=lies.left)
    return belongings, tuple(lifted)


_HAS_SOMETHING = needs(lambda scene, who: len(grips(scene, who)) > 0, "nothing else to wield")


@free("Change what is in hand", BRANDISH, (_HAS_SOMETHING,))
async def _brandish(game: Game, who: str, use: ActionUse) -> None:
    best = sorted(grips(game.scene, who), key=lambda grip: -grip_worth(game.scene, who, grip))
    options = [
        ActionUse("wield", detail="+".join([f"{name}@{place}" for name, place in grip.held]), label=str(grip))
        for grip in best
    ]
    taken = await choose(game.seat(who), "wield what?", options, details={"who": who})
    held = [one.split("@") for one in str(taken.detail).split("+") if one]
    grip = Grip(tuple([(name, place) for name, place in held]))
    belongings, lifted = taken_up(game.scene, who, grip)
    cost = time_spent(game[who].status, "free")
    what = f"wields {grip}"
    game.emit(HandsChanged(who=who, belongings=belongings, what=what, picked_up=lifted, cause=BRANDISH, **cost))


def grip_worth(scene: Scene, who: str, grip: Grip) -> int:
    """A rough order of ways to fill the hands: the damage of the best weapon, and a shield."""
    worth = 0
    for name, place in grip.held:
        known = item(name, scene.library)
        if isinstance(known, Weapon):
            skills = COMBAT_SKILLS if known.basic else known.skills  # mars.equipment.basic_weapons
            skill = max([scene[who].character.skills.get(one, (0, 0))[0] for one in skills])
            worth = max(worth, known.damage.maximum + skill + (place == HANDS))
        elif isinstance(known, Armour):
            worth += 4
    return worth


def unarmed(scene: Scene, who: str) -> bool:
    """True if a participant has weapons, but none in hand."""
    return all(one.bare for one in now(scene, who).wielded) and not scene[who].character.weapons


# ---------------------------------------------------------------------- interacting


def _to_reload(scene: Scene, who: str) -> list[tuple[str, str]]:
    mine = now(scene, who).wielded
    return [(one.key, one.weapon.name.lower()) for one in mine if one.weapon.features.reload is not None]


def _reload_speed(scene: Scene, who: str, use: ActionUse) -> str:
    wielded = now(scene, who).weapon(str(use.detail))
    return str(wielded.weapon.features.reload) if wielded is not None else "full-round"


def _reload_time(scene: Scene, who: str, use: ActionUse) -> str | None:
    return why_no_time(scene, who, _reload_speed(scene, who, use))


def _can_reload(scene: Scene, who: str, use: ActionUse) -> str | None:
    wielded = now(scene, who).weapon(str(use.detail))
    if wielded is None:
        return "not wielded"
    if wielded.left:
        return "loaded already"
    if wielded.hands < 2:
        return "needs both hands"
    ammunition = wielded.weapon.ammunition
    held = scene[who].status.belongings
    return None if ammunition is None or any(one.item == ammunition for one in held) else f"no {ammunition} left"


def _reload_cost(scene: Scene, who: str, use: ActionUse) -> str:
    return cost_words(time_needed(scene[who].status, _reload_speed(scene, who, use))[0])


@unhurried(
    "Reload",
    RELOAD,
    (each_use(_can_reload), each_use(_reload_time, "mars.action.speeds")),
    with_each(_to_reload, "Reload the {}"),
    _reload_cost,
)
async def _reload(game: Game, who: str, use: ActionUse) -> None:
    status: Status = game[who].status
    wielded = now(game.scene, who).weapon(str(use.detail))
    assert wielded is not None
    weapon = wielded.weapon
    belongings = load(status.belongings, weapon.id, str(weapon.ammunition), capacity=1, place=HANDS, rule=RELOAD)
    cost = time_spent(status, _reload_speed(game.scene, who, use))
    game.emit(HandsChanged(who=who, belongings=belongings, what=f"reloads {weapon.name.lower()}", cause=RELOAD, **cost))


def _on_the_ground(scene: Scene, who: str) -> list[str]:
    return [one.item for one in scene.loose_items]


def _lies_near(scene: Scene, who: str, use: ActionUse) -> str | None:
    return "not within reach" if nearest_lying(scene, who, str(use.detail)) is None else None


@swift("Take up", INTERACT, (each_use(_lies_near),), with_each(_on_the_ground, "Take up {}"))
async def _take(game: Game, who: str, use: ActionUse) -> None:
    lies = nearest_lying(game.scene, who, str(use.detail))
    assert lies is not None
    belongings = game[who].status.belongings
    free = hands_taken(belongings) < MOST_HANDS
    known = item(lies.item, game.scene.library)
    if isinstance(known, Armour) and known.is_shield and slots_taken(belongings, game.scene.library)["shield"]:
        free = False
    belongings = add_item(belongings, lies.item, place=HAND if free else PACK, left=lies.left)
    cost = time_spent(game[who].status, "swift")
    what = f"takes up {lies.item.replace('_', ' ')}"
    game.emit(HandsChanged(who=who, belongings=belongings, what=what, picked_up=(lies,), cause=INTERACT, **cost))


def _objects(scene: Scene, who: str) -> list[tuple[str, str]]:
    facts = [one for one in scene.facts.entries if one.what == "object" and one.who in (who, ANYONE)]
    return [(str(one.value), str(one.value)) for one in facts]


@swift("Interact", INTERACT, uses=with_each(_objects, "Use the {}"))
async def _interact(game: Game, who: str, use: ActionUse) -> None:
    cost = time_spent(game[who].status, "swift")
    game.emit(Acted(who=who, action="interact", detail=str(use.detail), cause=INTERACT, **cost))


_BURNS = needs(lambda scene, who: scene[who].status.has("burning"), "not burning")
_WATER = needs(lambda scene, who: scene.facts.get("water", who) is not None, "no water here")


@swift("Douse the fire", "mars.effect.burning", (_BURNS, _WATER))
async def _douse(game: Game, who: str, use: ActionUse) -> None:
    cost = time_spent(game[who].status, "swift")
    game.emit(Acted(who=who, action="douse", cause="mars.effect.burning", **cost))
    game.emit(MarsEffectEnded(who=who, effect="burning", cause="mars.effect.burning"))


HANDLING = (_brandish, _reload, _take, _interact, _douse)


HURL = "mars.gap.weapon.improvised"


def hurled(scene: Scene, who: str) -> Iterator[Wielded]:
    """Held items that can be hurled although they were not made for it; weapons that shoot are not."""
    for wielded in now(scene, who).wielded:
        if not wielded.bare and wielded.manners == ("melee",):
            yield wielded


def throws(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Every throw of a held item at every target in range."""
    for wielded in hurled(scene, who):
        for foe in targets(scene, who):
            if why_out_of_range(scene, who, wielded, "thrown", foe.id) is None:
                yield ActionUse(
                    "hurling", foe.id, wielded.key, f"{wielded.weapon.name} at {scene.display_name(foe.id)}", "2 s"
                )


def _something(scene: Scene, who: str, use: ActionUse) -> str | None:
    if next(hurled(scene, who), None) is None:
        return "nothing in hand to throw"
    return None if next(throws(scene, who), None) is not None else "nobody is near enough"


@swift("Hurl what is in hand", (HURL, "mars.gap.weapon.thrown"), (ONE_CHECK, once(_something, HURL)))
async def _hurl(game: Game, who: str, use: ActionUse) -> None:
    taken = await choose(
        game.seat(who), "throw what, and at whom?", lambda: list(throws(game.scene, who)), details={"who": who}
    )
    wielded = now(game.scene, who).weapon(str(taken.detail))
    assert wielded is not None
    aimed = aim(game.scene, who, wielded, "thrown", str(taken.target))
    await strike(game, aimed, cost=time_spent(game[who].status, "swift"), wielded=wielded, cause=HURL)


HURLING = (_hurl,)
