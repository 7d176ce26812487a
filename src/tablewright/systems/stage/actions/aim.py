"""Preparation of an attack: from a scene to the arguments of the mechanic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from tablewright.engine.tally import Part
from tablewright.game.narration.phrases import weapon_phrase
from tablewright.game.play.actions import ActionUse, Requirement, each_use
from tablewright.game.play.costs import Cost
from tablewright.game.scene.caching import cached_by_identity, cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.values import Frozen
from tablewright.systems.stage.actions import defences
from tablewright.systems.stage.actions.requirements import fallen, foes, foes_beside
from tablewright.systems.stage.character.figures import furthest
from tablewright.systems.stage.effects import Adjust, Do, Forbid, Permit, Substitute, Trigger, Usable, deeds
from tablewright.systems.stage.effects import Price as OtherPrice
from tablewright.systems.stage.mechanics.forms import Block, Form
from tablewright.systems.stage.modifiers import Rolled
from tablewright.systems.stage.now import (
    Arm,
    affordable,
    ammunition_left,
    arm_named,
    arms,
    by_name,
    distance,
    doublings,
    effects,
    most_defense_points,
    neighbours,
    other_prices,
    pool,
    powers,
    price_in_fight,
    price_of,
    resistance_of,
    stops,
    triggers,
)
from tablewright.systems.stage.now import announced as announced_price
from tablewright.systems.stage.status import PURSES, Status, adjacent, same_cube, stands
from tablewright.systems.stage.values import Attribute


class Way(NamedTuple):
    """One way to attack: the arm, the power behind it, and its special rules.

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


def way_of(scene: Scene, who: str, use: ActionUse) -> Way | None:
    """The way of a use to attack; None if its weapon or power is gone."""
    return _way(scene, who, use.detail)


@cached_on_scene
def _way(scene: Scene, who: str, detail: str | None) -> Way | None:
    weapon, power = split_detail(detail)
    arm = arm_named(scene, who, weapon)
    if arm is None:
        return None
    if not power:
        return Way(arm)
    found = powers(scene, who).get(power.partition("=")[0])
    return None if found is None else Way(arm, found)


def uses_of(action: str) -> Callable[[Scene, str], Iterator[ActionUse]]:
    """Candidates of an attack: every way to make it, against every target of its weapon."""

    def uses(scene: Scene, who: str) -> Iterator[ActionUse]:
        for detail, way in ways_of(scene, who, action):
            for foe in within_reach(scene, who, way.arm):
                yield use_of(scene, action, way, detail, foe.id)

    return uses


def ways_of(scene: Scene, who: str, action: str) -> tuple[tuple[str, Way], ...]:
    """The ways to make an attack with what is at hand, by the details of their uses."""
    return _ways_with(arms(scene, who), powers(scene, who)).get(action, ())


@cached_by_identity
def _ways_with(mine: tuple[Arm, ...], known: dict[str, Usable]) -> dict[str, tuple[tuple[str, Way], ...]]:
    at_hand = tuple(by_name(mine).values())
    found = {
        action: tuple([(arm.id, Way(arm)) for arm in at_hand if arm.key in wanted])
        for action, wanted in WEAPONS.items()
    }
    found["attack"] += tuple(_by_power(at_hand, known))
    return found


def use_of(scene: Scene, action: str, way: Way, detail: str, target: str) -> ActionUse:
    """A use of an attack as it stands in a list."""
    label = f"{TITLES[action]} {scene.display_name(target)} {with_what(way.arm)}"
    if way.power is not None:
        label += f", {way.power.power.name} {detail.partition('=')[2]}".rstrip()
    return ActionUse(action, target, detail, label=label)


def with_what(arm: Arm) -> str:
    """A weapon as it stands in a list: what is thrown is gone from the hand, and says so (stage.athletics.throw)."""
    return f"{weapon_phrase(arm.weapon.name)}, thrown" if arm.thrown else weapon_phrase(arm.weapon.name)


def within_reach(scene: Scene, who: str, arm: Arm) -> list[Participant]:
    """Targets of a weapon, the fallen last; if no one is adjacent, one who is not, to say why."""
    known = foes_beside(scene, who) if arm.melee else foes(scene, who)
    return [*known, *[one for one in fallen(scene, who) if not arm.melee or adjacent(scene, who, one.id)]]


def _by_power(mine: Iterable[Arm], known: dict[str, Usable]) -> Iterator[tuple[str, Way]]:
    """Attacks that a power makes cheaper or other: each is a way of its own."""
    for one in known.values():
        for arm in mine if one.power.type in OWN_ATTACKS else ():
            for choice in _choices(one, arm):
                yield f"{arm.id}+{one.id}{choice}", Way(arm, one)


def _choices(one: Usable, arm: Arm) -> list[str]:
    """True if a power gives attacks of its own with a weapon, and what is chosen with it."""
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
WEAPONS = {"attack": ATTACKS, "power_attack": MELEE, "charge": MELEE, "snipe": MISSILES, "non_lethal": MELEE}
TITLES = {
    "attack": "Attack",
    "power_attack": "Power attack on",
    "charge": "Charge",
    "snipe": "Snipe at",
    "non_lethal": "Subdue",
    "grapple": "Grapple",
}


def attack_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    """1 AP; a power may make it other AP, for its own cost."""
    return ONE if "+" not in str(use.detail) else _power_price(scene, who, use.detail)


@cached_on_scene
def _power_price(scene: Scene, who: str, detail: str | None) -> Cost:
    way = _way(scene, who, detail)
    if way is None or way.power is None:
        return ONE
    ap = 1
    for effect in way.power.effects:
        if isinstance(effect, OtherPrice):
            ap = effect.ap
        elif way.power.power.ap is not None:
            ap = way.power.power.ap
    return Cost.of(ap=ap) + price_of(way.power.power)


def price_words(scene: Scene, who: str, use: ActionUse) -> str:
    return "1 AP" if "+" not in str(use.detail) else PURSES.words_for(scene, who, attack_price(scene, who, use))


ONE = Cost.of(ap=1)


TWO = Cost.of(ap=2)


def price_to_subdue(scene: Scene, who: str, use: ActionUse) -> Cost:
    """1 AP with Brawl, 2 AP otherwise (stage.attack.non_lethal_rules)."""
    way = way_of(scene, who, use)
    return ONE if way is not None and way.arm.key == "brawl.attack" else TWO


# ---------------------------------------------------------------------- what is required


def _in_reach(scene: Scene, who: str, use: ActionUse) -> str | None:
    way = way_of(scene, who, use)
    if way is None:
        return "that is not at hand"
    target = str(use.target)
    if way.arm.melee:
        return None if adjacent(scene, who, target) else f"{scene.display_name(target)} is not adjacent"
    increment = way.arm.weapon.increment or 1
    far = furthest(increment, scene.options.max_increments, doublings(scene, who, way.arm, target))
    return None if distance(scene, who, target) <= far else f"{scene.display_name(target)} is out of range"


def _loaded(scene: Scene, who: str, use: ActionUse) -> str | None:
    way = way_of(scene, who, use)
    if way is None or way.arm.key != "ranged_combat.attack":
        return None
    return "no ammunition is left" if ammunition_left(scene, who, way.arm.weapon) == 0 else None


def _rated(scene: Scene, who: str, use: ActionUse) -> str | None:
    way = way_of(scene, who, use)
    if way is None or way.arm.weapon.attack_rating is None:
        return None
    rating = way.arm.weapon.attack_rating
    done = scene[who].status.attacks.get(way.arm.weapon.id, 0)
    return f"{way.arm.weapon.name} has made its {rating} attacks" if done >= rating else None


def _two_in_hand(scene: Scene, who: str, use: ActionUse) -> str | None:
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
        if other.key != arm.key or other.carried is None or other.carried == arm.carried or arm.carried is None:
            continue
        if other.carried.place == arm.carried.place == "hand":
            return other
    return None


REACH = Requirement(  # and stage.gap.movement.melee_reach
    "stage.attack.offensive", _in_reach
)
LOADED = each_use(_loaded, "stage.ranged_combat.attack")
RATING = each_use(_rated, "stage.equipment.attack_rating")
TWO_WEAPONS = each_use(_two_in_hand, "stage.power_effect.attack_form")


_NO_PRICE = Cost()


class Forming(NamedTuple):
    """The forms of an attack that can be chosen, with the powers announced in each.

    ``rolled`` is the plain one as it is rolled, ``opposed`` as it is once the target defends.
    """

    forms: tuple[Form, ...]
    powers: Frozen[tuple[Usable, ...]]
    rolled: Rolled
    opposed: Rolled


def forms(
    scene: Scene,
    who: str,
    arm: Arm,
    target: str,
    *,
    dice: tuple[Part, ...] = (),
    flat: tuple[Part, ...] = (),
    moments: tuple[str, ...] = ("hit",),
    bonus: bool = True,
    skill: str = "",
) -> Forming:
    """Every form of an attack: plain, and with each power that can be announced for it, alone or two together.

    ``moments`` are when powers add damage by themselves: on a hit, a charge, a snipe, an ambush. ``bonus`` says whether
    the weapon's bonus counts.
    """
    weapon = arm.weapon if bonus else None
    extra = _extra(scene, who, moments, always=True)
    minds = defences.minds_opposition(scene, who, target)

    def rolls(used: str = skill, bundle: tuple[Usable, ...] = (), words: tuple[str, ...] = ()) -> Rolled:
        with_what = {"weapon": weapon, "announced": bundle, "dice": dice, "flat": flat}
        return pool(scene, who, arm.key, skill=used, against=target, words=words, **with_what)  # type: ignore[arg-type]

    plain = rolls()
    opposed = rolls(words=defences.OPPOSED) if minds else plain
    found = [again(defences.once_opposed(_form("plain", plain, extra), plain, opposed), scene, who, plain.skill)]
    chosen: dict[str, tuple[Usable, ...]] = {"plain": ()}
    changing = [one for one in _changing(scene, who, arm.key) if affordable(scene, who, price_of(one.power))]
    others = [(one, use) for one in changing for use in _instead(one)]
    rest = [one for one in changing if not _instead(one)]
    every = defences.bundles([*defences.helping(scene, who, arm.key, skill), *rest])
    every += defences.by_other_skills(scene, who, arm.key, others, rest)
    for bundle in sorted(every, key=len):
        price = announced_price(bundle)
        if len(found) >= defences.MOST_WAYS or not affordable(scene, who, price):
            continue
        used = next((use for one in bundle for use in _instead(one)), skill)
        made = rolls(used, bundle)
        name = "+".join([one.id for one in bundle])
        form = _with(_form(name, made, extra), scene, who, bundle, arm.key)
        if minds:
            form = defences.once_opposed(form, made, rolls(used, bundle, defences.OPPOSED))
        found.append(again(form, scene, who, made.skill, price))
        chosen[name] = bundle
    return Forming(tuple(found), Frozen(chosen), plain, opposed)


def _form(name: str, made: Rolled, extra: int) -> Form:
    return Form(
        name, made.dice.total, bonuses=made.bonuses, penalties=made.penalties, extra=extra, untrained=made.untrained
    )


def again(form: Form, scene: Scene, who: str, skill: str, price: Cost = _NO_PRICE) -> Form:
    """A form that can be rolled again where a power of the skill that is rolled allows it."""
    times = defences.rerolls_left(scene, who, skill, price)
    return form._replace(reroll=defences.rerollpoints_of(scene, who, skill), rerolls=times) if times else form


def _changing(scene: Scene, who: str, key: str) -> Iterator[Usable]:
    """Announced powers that change an attack otherwise: armour ignored, no parry, another skill, more damage."""
    for one in powers(scene, who).values():
        if one.power.when != "announced" or one.power.ap is not None:
            continue
        for effect in one.effects:
            if _changes(effect, key):
                yield one
                break


def _instead(one: Usable) -> list[str]:
    """The skill that a power puts in the place of an attack's own, if it does."""
    return [effect.use for effect in one.effects if isinstance(effect, Substitute)]


def _changes(effect: object, key: str) -> bool:
    if isinstance(effect, Adjust):
        return "target_armour" in effect.on
    if isinstance(effect, Forbid):
        return effect.what in ("parry", "dodge") and effect.application in ("", key)
    if isinstance(effect, Substitute):
        return "attack" in effect.uses_for
    return isinstance(effect, Trigger) and effect.at == "hit" and (not effect.of or key in effect.of)


def _with(form: Form, scene: Scene, who: str, bundle: tuple[Usable, ...], key: str) -> Form:
    """A form with what the announced powers do besides adding to the pool."""
    points = sum([sum(one.power.cost.values()) for one in bundle])
    ignores = other = 0
    no_parry = no_dodge = False
    for one in bundle:
        for effect in one.effects:
            if isinstance(effect, Adjust) and "target_armour" in effect.on:
                ignores += scene[who].character.level(effect.amount.level_of or "")
            elif isinstance(effect, Forbid) and effect.application in ("", key):
                no_parry, no_dodge = no_parry or effect.what == "parry", no_dodge or effect.what == "dodge"
            elif isinstance(effect, Trigger) and effect.at == "hit":
                other += sum([each.amount.dice for each in deeds(effect.then, "damage")])
    return form._replace(points=points, ignores=ignores, other=other, no_parry=no_parry, no_dodge=no_dodge)


def _extra(scene: Scene, who: str, moments: tuple[str, ...], *, always: bool) -> int:
    """Dice of Body damage that powers add by themselves at a moment (stage.power_effect.extra_damage)."""
    total = 0
    for one, trigger in effects(scene, who, Trigger):
        if trigger.at in moments and (one.power.when == "always") is always:
            total += sum([each.amount.dice for each in trigger.then if isinstance(each, Do) and "body" in each.of])
    return total


BARDING = "block+mount"


class Blocking(NamedTuple):
    """The blocks that can be chosen, with their prices; ``ally`` is who could deflect."""

    blocks: tuple[Block, ...] = ()
    deflections: tuple[Block, ...] = ()
    absorptions: tuple[Block, ...] = ()
    prices: Frozen[Cost] = Frozen()
    ally: str = ""
    helpers: tuple[str, ...] = ()


def blocks(
    scene: Scene, who: str, attribute: Attribute, *, ambush: bool = False, helpers: tuple[str, ...] = ()
) -> Blocking:
    """Every way to stop damage that has got through: block with armour, an ally who deflects, powers that absorb.

    ``helpers`` are those who have agreed to assist, as far as they can.
    """
    status: Status = scene[who].status
    prices: dict[str, Cost] = {}
    if not status.able:  # the fallen stop nothing themselves
        able = not ambush and not status.dead and status.integrity is None
        ally, deflecting = _deflector(scene, who, attribute, prices) if able else ("", [])
        return Blocking(deflections=tuple(deflecting), prices=Frozen(prices), ally=ally)
    helpers = defences.able_helpers(scene, helpers, "defense", 0) if helpers else ()
    own = list(_own_blocks(scene, who, prices, helpers)) if stops(scene, who, attribute) else []
    absorbing = []
    for one, trigger in triggers(scene, who, "damaged"):
        if attribute in trigger.of and affordable(scene, who, price_of(one.power)):
            given = [each.amount for each in trigger.then if isinstance(each, Adjust)]
            level = sum([scene[who].character.level(amount.level_of or "") for amount in given])
            _, points, others = defences.points_of(price_of(one.power))
            absorbing.append(Block(one.id, points=points, others=others, absorbs=level))
            prices[one.id] = price_of(one.power)
    ally, deflecting = "", []
    if not ambush:
        ally, deflecting = _deflector(scene, who, attribute, prices)
    return Blocking(tuple(own), tuple(deflecting), tuple(absorbing), Frozen(prices), ally, helpers)


_Stopping: TypeAlias = list[tuple[str, Rolled, Cost]]


def _stopping(
    scene: Scene, who: str, key: str, price: Cost, dice: tuple[Part, ...] = ()
) -> tuple[_Stopping, _Stopping]:
    """A block or deflection: plain and for the other prices that powers give it, and with announced powers."""
    name, plain = key.partition(".")[2], pool(scene, who, key, dice=dice)
    priced, announced = [(name, plain, price)], []
    for one, other in other_prices(scene, who, key):
        priced.append((f"{name}+{one.id}", plain, defences.otherwise(price, one, other)))
    for bundle in defences.bundles(defences.helping(scene, who, key)):
        called = "+".join([name, *[one.id for one in bundle]])
        made = pool(scene, who, key, dice=dice, announced=bundle)
        announced.append((called, made, price + announced_price(bundle)))
    return priced, announced


def _block(name: str, made: Rolled, price: Cost, most: int, times: int = 1, resistance: int = 0) -> Block:
    ap, points, others = defences.points_of(price)
    way = Block(name, made.dice.total, made.flat.total, most, times, ap, points, resistance, others=others)
    return way._replace(untrained=made.untrained)


def _own_blocks(scene: Scene, who: str, prices: dict[str, Cost], helpers: tuple[str, ...]) -> Iterator[Block]:
    most, price = most_defense_points(scene, who), Cost.of(stamina=1)
    if not most:
        return
    held = defences.lent_dice(scene, who, helpers, "defense", 0)
    if scene[who].character.is_creature:
        held += (defences.reined(scene, who, "defense"),)
    (first, *priced), announced = _stopping(scene, who, "defense.block", price, held)
    found = [(*way, most, 1) for way in (first, *announced, *priced)]
    plain = first[1]
    for one, permit in effects(scene, who, Permit):
        more = price + price_of(one.power)
        if permit.what == "second_block":
            found.append((f"block+{one.id}", plain, price + more, most, 2))
        elif permit.what == "ally_maximum":
            best = max([most_defense_points(scene, each.id) for each in _allies(scene, who)], default=0)
            if best > most:
                found.append((f"block+{one.id}", plain, more, best, 1))
    for name, made, cost, highest, times in found[: defences.MOST_WAYS]:
        if affordable(scene, who, cost):
            prices[name] = cost
            yield _block(name, made, cost, highest, times)


def _allies(scene: Scene, who: str) -> list[Participant]:
    side = scene[who].side
    return [
        one
        for one in scene.participants
        if one.id != who and one.side == side and stands(one) and same_cube(scene, who, one.id)
    ]


def _deflector(scene: Scene, who: str, attribute: Attribute, prices: dict[str, Cost]) -> tuple[str, list[Block]]:
    """The ally next to the target whose armour stops most, and how they would deflect (stage.defense.deflect)."""
    mount: str = scene[who].status.rides
    if mount and mount in scene and stands(scene[mount]) and scene[mount].status.integrity is None:
        barding = _barding(scene, mount, attribute, prices)
        if barding[0]:
            return barding
    side, best, highest = scene[who].side, "", 0
    found: list[tuple[Block, Cost]] = []
    for ally in neighbours(scene, who):
        if ally.side != side or ally.id == mount or not most_defense_points(scene, ally.id):
            continue
        if not stops(scene, ally.id, attribute):
            continue
        made = pool(scene, ally.id, "defense.deflect")
        stopped = min(4 * made.dice.total + made.flat.total, most_defense_points(scene, ally.id))
        if stopped > highest:
            ways = _deflections(scene, ally.id, attribute)
            if ways:
                highest, best, found = stopped, ally.id, ways
    for way, price in found:
        prices[way.name] = price
    return best, [way for way, _ in found]


def _barding(scene: Scene, mount: str, attribute: Attribute, prices: dict[str, Cost]) -> tuple[str, list[Block]]:
    """The armour of a mount that is trained in Defense works for its rider too (stage.mount.defend)."""
    price, most = Cost.of(stamina=1), most_defense_points(scene, mount)
    trained = scene[mount].character.level("defense")
    if not trained or not most or not stops(scene, mount, attribute) or not affordable(scene, mount, price):
        return "", []
    made = pool(scene, mount, "defense.block", dice=(defences.reined(scene, mount, "defense"),))
    resistance = resistance_of(scene, mount, attribute)
    prices[BARDING] = price
    return mount, [Block(BARDING, made.dice.total, made.flat.total, most, resistance=resistance)]


def _deflections(scene: Scene, who: str, attribute: Attribute) -> list[tuple[Block, Cost]]:
    """Ways to deflect: plain, for other AP, or with announced powers (stage.power.announce)."""
    key, most, resistance = "defense.deflect", most_defense_points(scene, who), resistance_of(scene, who, attribute)
    priced, announced = _stopping(scene, who, key, price_in_fight(scene, key))
    able = [way for way in [*priced, *announced][: defences.MOST_WAYS] if affordable(scene, who, way[2])]
    return [(_block(*way, most, resistance=resistance), way[2]) for way in able]
