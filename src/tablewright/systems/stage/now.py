"""Figures of a participant at this moment of a scene: rolls, weapons and their modifiers.

Everything is a pure function of the scene. What is asked again and again in a fight is remembered for the very
participant it was asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from tablewright.engine import Tally
from tablewright.engine.tally import Part
from tablewright.game.character.belongings import Belongings, ItemStack
from tablewright.game.content.library import Library
from tablewright.game.ground.bands import Together
from tablewright.game.play.checks import Subject
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect as Held
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.stage.character.figures import (
    armour_set,
    factor_of,
    figures,
    is_whole,
    items,
    natural_weapons,
    resistance,
    worn,
)
from tablewright.systems.stage.character.record import HAND, HANDS, StageCharacter
from tablewright.systems.stage.content import Application, Weapon
from tablewright.systems.stage.effects import (
    GROUPS,
    At,
    ChangePower,
    Effect,
    Permit,
    Permitted,
    Power,
    Trigger,
    Usable,
    powers_of,
    usable,
)
from tablewright.systems.stage.effects import Price as OtherPrice
from tablewright.systems.stage.mechanics.checks import CheckRules
from tablewright.systems.stage.modifiers import (
    Rolled,
    applications,
    carries_lightly,
    disability,
    rolled,
    tool_parts,
    words_of,
)
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.status import Gift, Status, adjacent, payable, same_cube, stands
from tablewright.systems.stage.values import ATTRIBUTE_OF, Attribute

UNARMED = "unarmed"
STANCE_COVER = {"standing": 0, "crouching": 3, "prone": 6}  # stage.terrain.stance
STANCE_DICE = {"standing": 0, "crouching": -1, "prone": -2}
PENALISED = ("close_combat", "brawl")
SIZE_BASE = 10  # stage.attack.size_table
COVER = {"1/4": 3, "1/2": 3, "3/4": 6}  # stage.terrain.cover
MOST_COVER = 9  # and behind full cover, where something gets there all the same
MOST_REMEMBERED = 20_000

_known: dict[tuple[Any, ...], tuple[Any, ...]] = {}
"""Cache of figures by the identity of their sources; the sources are kept so that their ids stay valid."""


def _remember(key: tuple[Any, ...], kept: tuple[Any, ...], value: Any) -> Any:
    if len(_known) > MOST_REMEMBERED:
        _known.clear()
    _known[key] = (value, *kept)
    return value


def subject(scene: Scene, who: str) -> Subject:
    """A character as the one who makes a check."""
    one = scene[who]
    return Subject(one.character, scene.options, scene.library, one.status, scene, who)


def check_rules(scene: Scene) -> CheckRules:
    """The table's rules for botches, empty second rolls and free penalties."""
    options = scene.options
    return CheckRules(options.botch_fails, options.botch_scope, options.empty_second_roll, options.flat_penalty_roll)


# ---------------------------------------------------------------------- pools


def gifts(status: Status) -> Iterator[tuple[Held, Gift]]:
    """Everything that has hold of a character and changes numbers."""
    for one in status.lasting:
        if isinstance(one.data, Gift):
            yield one, one.data


def minds_opponents(status: Status) -> bool:
    """True if a pool may differ from one opponent to the other."""
    return bool(status.lasting) and any(gift.against for _, gift in gifts(status))


def pool(
    scene: Scene,
    who: str,
    key: str,
    *,
    skill: str = "",
    weapon: Weapon | None = None,
    announced: tuple[Usable, ...] = (),
    against: str = "",
    words: tuple[str, ...] = (),
    dice: tuple[Part, ...] = (),
    flat: tuple[Part, ...] = (),
) -> Rolled:
    """The dice pool of an application now: the character's modifiers and the effects that last."""
    one = scene[who]
    status: Status = one.status
    core = status.vitality, status.sanity, status.spirit, status.counters, status.first_aid, status.stance
    same = one.character, status.belongings, status.lasting, scene.modifiers, scene.facts, scene.options, weapon
    seen = against if minds_opponents(status) else ""
    asked = key, skill, tuple([power.id for power in announced]), seen, words, dice, flat
    memory = ("pool", *map(id, same), core, asked)
    known = _known.get(memory)
    if known is not None:
        found: Rolled = known[0]
        return found
    used = skill or key.partition(".")[0]
    counts = words_of(key, skill, _attribute(scene, used)) | {used, *words}
    more_dice, more_flat, cap_up = list(dice), list(flat), 0
    suppressed = any("disability" in gift.on for _, gift in gifts(status))
    counting = _counting(subject(scene, who), counts, against)
    for held, gift in counting:
        label, rule = held.id.replace("_", " "), gift.rule or "stage.modifier.forms"
        more_dice.append(Part(label, gift.dice, rule, gift.stack))
        more_flat.append(Part(label, gift.flat, rule, gift.stack))
        cap_up = max(cap_up, gift.cap)
    if status.stance != "standing" and used in PENALISED:
        more_dice.append(Part(status.stance, STANCE_DICE[status.stance], "stage.terrain.stance", "penalty"))
    me = subject(scene, who)
    if suppressed:  # those that a power ignores anyway are not given back twice
        counting_ones = -sum([part.changed for part in disability(me)])
        more_dice.append(Part("Counters suppressed", counting_ones, "stage.power_effect.war_cry", "mundane"))
    made = rolled(
        me,
        key,
        skill=skill,
        words=words,
        announced=announced,
        weapon=weapon,
        dice=more_dice,
        flat=more_flat,
        cap_up=cap_up,
    )
    once = tuple([held for held, gift in counting if gift.once])
    result: Rolled = _remember(memory, same, made._replace(once=once) if once else made)
    return result


def _attribute(scene: Scene, skill: str) -> str:
    found = scene.library.get("skills", skill)
    return str(found.attribute if scene.options.skill_attribute_source == "chapter2" else found.printed)


def with_tools(scene: Scene, who: str, key: str, *, improvised: bool = False) -> tuple[Part, ...]:
    """The bonus of owned tools for an application, or the penalty for improvising."""
    return tuple(tool_parts(applications(scene.library)[key], subject(scene, who), improvised))


def _counting(one: Subject, counts: frozenset[str], against: str) -> list[tuple[Held, Gift]]:
    """Lasting effects that count for a check with these words, against an opponent or none.

    What hinders a character against another does so in opposed checks alone (stage.opposed.basic).
    """
    return [
        (held, gift)
        for held, gift in gifts(one.status)
        if gift.against in ("", against)
        and (
            counts.intersection(gift.on) or (gift.against and "opposed" in counts and "opposed_against_user" in gift.on)
        )
        and (not gift.light or carries_lightly(one))
    ]


def used_up(scene: Scene, who: str, key: str, against: str = "", words: tuple[str, ...] = ()) -> list[Held]:
    """Effects that a check uses up."""
    used = key.partition(".")[0]
    counts = words_of(key, "", _attribute(scene, used)) | {used, *words}
    return [held for held, gift in _counting(subject(scene, who), counts, against) if gift.once]


# ---------------------------------------------------------------------- powers


class Own(NamedTuple):
    """A character's own powers: by their ids, their effects by kind, and whether others' can be borrowed."""

    powers: dict[str, Usable]
    effects: dict[Any, tuple[tuple[Usable, Any], ...]]
    borrows: bool


@cached_by_identity
def _own(character: StageCharacter, options: StageOptions, library: Library) -> Own:
    found = powers_of(character.powers, library, options.power_typos)
    if options.magic == "off":
        found = tuple([each for each in found if not each.power.magic])
    changes = [effect for each in found for effect in each.effects if isinstance(effect, ChangePower)]
    return Own({each.id: each for each in found}, {}, any(effect.change == "borrow" for effect in changes))


def powers(scene: Scene, who: str) -> dict[str, Usable]:
    """Every power that a character can use now: own ones and those that allies in the same cube lend."""
    one = scene[who]
    character: StageCharacter = one.character
    own = _own(character, scene.options, scene.library)
    if not own.borrows:
        return own.powers
    lenders = [
        (other.id, other.character.powers)
        for other in scene.participants
        if other.id != who and other.side == one.side and stands(other) and same_cube(scene, who, other.id)
    ]
    return usable(character.powers, scene.library, scene.options.power_typos, lenders)


def effects(scene: Scene, who: str, kind: type[Effect] | Any) -> tuple[tuple[Usable, Any], ...]:
    """Every effect of a kind among a character's powers, with the power."""
    own = _own(scene[who].character, scene.options, scene.library)
    if own.borrows:
        return _of_kind(powers(scene, who), kind)
    found = own.effects.get(kind)
    if found is None:
        found = own.effects[kind] = _of_kind(own.powers, kind)
    return found


def permits(scene: Scene, who: str, what: Permitted) -> list[tuple[Usable, Permit]]:
    """The permits of a kind among a character's powers, each with its power."""
    return [(one, permit) for one, permit in effects(scene, who, Permit) if permit.what == what]


def other_prices(scene: Scene, who: str, action: str) -> list[tuple[Usable, OtherPrice]]:
    """The prices that a character's powers give an action or application, each with its power."""
    return [(one, price) for one, price in effects(scene, who, OtherPrice) if action in price.actions]


def triggers(scene: Scene, who: str, at: At) -> list[tuple[Usable, Trigger]]:
    """What a character's powers do at a moment, each with its power."""
    return [(one, trigger) for one, trigger in effects(scene, who, Trigger) if trigger.at == at]


def _of_kind(known: dict[str, Usable], kind: Any) -> tuple[tuple[Usable, Any], ...]:
    return tuple([(one, effect) for one in known.values() for effect in one.effects if isinstance(effect, kind)])


@cached_by_identity
def price_of(power: Power) -> Cost:
    """The price of a power in points, without AP."""
    return Cost.of(**dict(power.cost))


def affordable(scene: Scene, who: str, price: Cost) -> bool:
    """True if a character can pay AP and points."""
    status: Status = scene[who].status
    for purse, amount in price.amounts:
        if purse == "ap":
            if amount > status.ap:
                return False
        elif not payable(scene, who, ATTRIBUTE_OF[purse], amount):
            return False
    return True


# ---------------------------------------------------------------------- weapons


class Arm(NamedTuple):
    """A weapon at hand, with the application it is used with."""

    weapon: Weapon
    key: str
    carried: ItemStack | None = None

    @property
    def id(self) -> str:
        """Id of the arm in a use of an action: the weapon, and the application if it is not the first one."""
        first = self.weapon.uses[0]
        return self.weapon.id if self.key == first else f"{self.weapon.id}@{self.key.partition('.')[2]}"

    @property
    def melee(self) -> bool:
        """True if it strikes who is adjacent."""
        return self.key in GROUPS["melee_attack"]

    @property
    def thrown(self) -> bool:
        """True if it leaves the hand."""
        return self.key == "athletics.throw"


def arms(scene: Scene, who: str) -> tuple[Arm, ...]:
    """Everything that a character can attack with now: what is in hand, natural weapons, or bare hands."""
    one = scene[who]
    return _arms(one.character, one.status.belongings, scene.library)


@cached_by_identity
def _arms(character: StageCharacter, belongings: Belongings, library: Library) -> tuple[Arm, ...]:
    known, found = items(library), []
    for carried in belongings:
        weapon = known.get(carried.item)
        if isinstance(weapon, Weapon) and carried.place in (HAND, HANDS) and is_whole(carried):
            found += [Arm(weapon, key, carried) for key in weapon.uses]
    of_a_craft = bool(character.vehicle)
    natural = natural_weapons(character, library)
    return (*found, *[Arm(weapon, weapon.uses[0] if of_a_craft else "brawl.attack") for weapon in natural])


@cached_by_identity
def by_name(mine: tuple[Arm, ...]) -> dict[str, Arm]:
    """Arms by the names that an attack gives them: of two equal weapons in hand the first."""
    found: dict[str, Arm] = {}
    for arm in mine:
        found.setdefault(arm.id, arm)
    return found


def arm_named(scene: Scene, who: str, text: str) -> Arm | None:
    """The weapon at hand that a use names."""
    return by_name(arms(scene, who)).get(text)


def ammunition_left(scene: Scene, who: str, weapon: Weapon) -> int | None:
    """Shots left; None for a weapon that needs no ammunition."""
    if weapon.ammunition is None:
        return None
    status: Status = scene[who].status
    return sum([one.count for one in status.belongings if one.item == weapon.ammunition])


def parrying_weapon(scene: Scene, who: str) -> Weapon | None:
    """The melee weapon in hand that parries best."""
    able = [one.weapon for one in arms(scene, who) if one.key == "close_combat.attack"]
    return max(
        able, key=lambda weapon: (weapon.parry.dice * 4 + weapon.parry.flat) if weapon.parry else 0, default=None
    )


# ---------------------------------------------------------------------- distance, sight, cover


def distance(scene: Scene, who: str, other: str) -> int:
    """Distance of two participants in cubes; 0 in the same cube or without positions."""
    one, two = scene[who].position, scene[other].position
    if one is None or two is None or isinstance(scene.ground, Together):
        return 0
    return int(scene.ground.distance(one, two))


def higher(scene: Scene, who: str, other: str) -> bool:
    """True if a character is at least a metre above another: said so, or a cube above."""
    if scene.facts.get("high_ground", who, other):
        return True
    one, two = scene[who].position, scene[other].position
    return one is not None and two is not None and one.is_cell and two.is_cell and one.point[2] > two.point[2]


def cover_bonus(covered: Fraction) -> int | None:
    """The bonus to Hit Difficulty for the part of the body that is covered; None where nothing can be hit.

    >>> [cover_bonus(Fraction(n, 8)) for n in (1, 2, 4, 5, 6, 7, 8)]
    [0, 3, 3, 6, 6, 9, None]
    """
    if covered >= 1:
        return None
    if covered > Fraction(3, 4):
        return MOST_COVER
    if covered > Fraction(1, 2):
        return 6
    return 3 if covered >= Fraction(1, 4) else 0  # stage.terrain.cover


FACTS = (
    "cover",
    "between",
    "high_ground",
    "darkness",
    "visibility",
    "climbing",
    "swimming",
    "balancing",
    "height",
    "gravity",
    "heat",
    "bound",
    "mute",
)
"""Facts that the rules read; the first three hold against a character."""


def covered(scene: Scene, who: str, by: str) -> Fraction:
    """The part of a character that is covered against another, as the game master says: 1/2, 3/4, full."""
    said = scene.facts.get("cover", who, by)
    if said is None or said is False:
        return Fraction(0)
    if said == "full":
        return Fraction(1)
    try:
        return Fraction(str(said))
    except (ValueError, ZeroDivisionError):
        return Fraction(1, 2)


def out_of_sight(scene: Scene, who: str, by: str) -> bool:
    """True if a character is behind full cover against another: nothing hits them, and no one sees them to cast at."""
    return who != by and bool(scene.facts.entries) and covered(scene, who, by) >= 1


def cover(scene: Scene, who: str, by: str) -> int | None:
    """The cover that counts: of the terrain or of the stance, whichever is better; None behind full cover."""
    terrain = cover_bonus(covered(scene, who, by)) if scene.facts.entries else 0
    if terrain is None:
        return None
    return max(terrain, STANCE_COVER[scene[who].status.stance])


class HitDifficulty(NamedTuple):
    """Hit Difficulty without a defence: the whole of it, the part that is Size and cover, and the cover alone."""

    tally: Tally
    bonuses: int
    cover: int


def somebody_between(scene: Scene, who: str, by: str) -> bool:
    """True if a character stands in the line: said so, or in a cube between (stage.gap.terrain.between)."""
    if scene.facts.entries and scene.facts.get("between", who, by):
        return True
    here, there = scene[by].position, scene[who].position
    if here is None or there is None or isinstance(scene.ground, Together) or not here.is_cell:
        return False
    inner = scene.ground.line(here, there)[1:-1]
    return bool(inner) and any(one.position in inner and stands(one) and not one.hidden for one in scene.participants)


def hit_difficulty(scene: Scene, who: str, by: str, *, missile: bool = False) -> HitDifficulty:
    """0, what a tumble has set, and bonuses: Size, cover, powers and spells; denied to who is seen through."""
    one = scene[who]
    status: Status = one.status
    size = figures(one.character, scene.options, scene.library).size
    parts = [Part("Size category", SIZE_BASE - size, "stage.attack.size_table", "bonus")]
    known = cover(scene, who, by)
    behind = MOST_COVER if known is None else known
    rule = "stage.terrain.cover" if STANCE_COVER[status.stance] < behind else "stage.terrain.stance"
    if missile and behind < COVER["1/2"] and somebody_between(scene, who, by):
        behind, rule = COVER["1/2"], "stage.gap.terrain.between"
    if behind:
        parts.append(Part("cover", behind, rule, "bonus"))
    denied = False
    special = 0
    for held, gift in gifts(status):
        if "hit_difficulty" in gift.on:
            rule = gift.rule or "stage.attack.hit_difficulty"
            if gift.stack == "special":
                special += gift.flat
            parts.append(Part(held.id.replace("_", " "), gift.flat, rule, gift.stack))
        denied = denied or ("denied" in gift.on and gift.against == by)
    base = Tally.of("no defence", status.tumbled, "stage.attack.hit_difficulty")
    if denied:
        parts = [part for part in parts if part.changed < 0]
        behind = 0
    tally = base.add_parts(parts)
    if special and scene.options.body_bonus_cap == "body_level":
        body = figures(one.character, scene.options, scene.library).body
        tally = tally.limit_kind("special", body, "stage.modifier.special_flat")
    tally = scene.apply_rulings(tally, "hit_difficulty", who)
    bonuses = sum([part.changed for part in parts if part.kind == "bonus"])
    return HitDifficulty(tally, bonuses, behind)


# ---------------------------------------------------------------------- armour


def most_defense_points(scene: Scene, who: str) -> int:
    """The maximum of Defense Points that a character's armour allows now."""
    one = scene[who]
    total = _armour(one.character, scene.options, scene.library, one.status.belongings)[0]
    return total + given_now(one.status, "max_defense_points") if total else 0


def resistance_of(scene: Scene, who: str, attribute: Attribute) -> int:
    """Resistance against damage: only Body damage is cut by it (stage.damage.order)."""
    if attribute != "body":
        return 0
    one = scene[who]
    own = _armour(one.character, scene.options, scene.library, one.status.belongings)[1]
    return own + given_now(one.status, "resistance")


@cached_by_identity
def _armour(
    character: StageCharacter, options: StageOptions, library: Library, belongings: Belongings
) -> tuple[int, int]:
    """The maximum of Defense Points and the Resistance of what is worn."""
    worn_now = character, options, library, belongings
    return armour_set(*worn_now).total, resistance(*worn_now).total


def given_now(status: Status, number: str) -> int:
    """Flat bonus that lasting effects give to a number."""
    return sum([gift.flat for _, gift in gifts(status) if number in gift.on]) if status.lasting else 0


def stops(scene: Scene, who: str, attribute: Attribute) -> bool:
    """True if the armour that a character wears stops damage of a kind at all (stage.damage.order)."""
    return attribute == "body" or any(
        attribute in piece.stops for piece in worn(scene[who].status.belongings, scene.library).pieces
    )


def application(scene: Scene, key: str) -> Application:
    """An application by how the rules write it."""
    return applications(scene.library)[key]


def price_in_fight(scene: Scene, key: str) -> Cost:
    """Price of an application in a fight: its AP and its points."""
    return _prices(scene.library)[key]


@cached_by_identity
def _prices(library: Library) -> dict[str, Cost]:
    prices = {key: {"ap": one.ap or 0, **one.cost} for key, one in applications(library).items()}
    return {key: Cost.of(**{name: amount for name, amount in price.items() if amount}) for key, price in prices.items()}


def doublings(scene: Scene, who: str, arm: Arm, target: str) -> int:
    """Number of doublings of the first range increment: by powers, and from high ground."""
    one = scene[who]
    when = "thrown" if arm.thrown else "ranged_weapon"
    doubled = factor_of("first_increment", one.character, scene.options, scene.library, when) > 1
    return int(doubled) + int(higher(scene, who, target))


def neighbours(scene: Scene, who: str) -> list[Participant]:
    """Standing allies adjacent to a character; hidden ones are left out, because stepping in would reveal them."""
    beside = [one for one in scene.participants if one.id != who and not one.hidden and stands(one)]
    return [one for one in beside if adjacent(scene, who, one.id)]


def announced(found: Iterable[Usable]) -> Cost:
    """Total price of announcing some powers."""
    total = Cost()
    for one in found:
        total += price_of(one.power)
    return total
