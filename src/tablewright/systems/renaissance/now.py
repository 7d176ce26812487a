"""Figures of a participant at this moment of a scene: rolls, weapons and their modifiers.

All of it follows from the character, from what it feels and carries, from options and content; it is worked out once
for each such state, for everyone who comes into it again, and is remembered.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from tablewright.engine import Tally
from tablewright.game.character.belongings import Belongings
from tablewright.game.content.library import Library
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Position
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.renaissance.character.figures import (
    Given,
    Sustaining,
    active_for,
    given,
    linked_aptitude,
    natural_weapons,
    numbers,
    of_kind,
    skill,
    skill_of,
    split,
    stand_in,
)
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF, RenaissanceCharacter
from tablewright.systems.renaissance.content import Attack, Power, SpecialNumber, Weapon
from tablewright.systems.renaissance.effects import (
    ANY,
    Bonus,
    Explodes,
    Fiercer,
    Hardened,
    HeldWeapon,
    LuckBonus,
    PowerEffect,
    Reroll,
    ShieldWeapon,
    Sneak,
    Sustain,
)
from tablewright.systems.renaissance.status import HURRIED, Status, hands_left
from tablewright.systems.renaissance.values import DV, Formula


def adjacent(scene: Scene, who: str, other: str) -> bool:
    """True if two participants stand in adjacent squares; without a grid all of them do."""
    return in_reach(scene, who, other, 1)


def in_reach(scene: Scene, who: str, other: str, reach: int) -> bool:
    """True if another participant is in reach: an adjacent square, or as near in a straight line."""
    return next_to(scene, scene[who].position, scene[other].position, reach)


def next_to(scene: Scene, here: Position | None, there: Position | None, reach: int = 1) -> bool:
    """True if two places are within a reach; what has no place is next to everything."""
    if here is None or there is None:
        return True
    touching = isinstance(scene.ground, Grid) and touches(here, there)
    return touching or scene.ground.within(here, there, reach)


def touches(here: Position, there: Position) -> bool:
    """True if one square is another or one of the eight around it (renaissance.grid.squares)."""
    return max(abs(here.x - there.x), abs(here.y - there.y)) <= 1


def vulnerability_of(them: Now, tags: tuple[str, ...]) -> int:
    """Vulnerabilities less resistances of a participant to the tags of an attack."""
    resists = them.numbers.resists
    worn = them.numbers.worn.resists
    return -sum([resists.get(tag, 0) + worn.count(tag) for tag in tags]) if resists or worn else 0


SENSES = "renaissance.gap.race.senses"


def sees_in(light: str, has: tuple[str, ...], *, warm: bool = False) -> bool:
    """True if a participant with these senses is not hampered by dim light or darkness."""
    if "blind_sight" in has or ("infrared" in has and warm):
        return True
    return light == "dim" and "low_light" in has


def light_penalty(light: str) -> int:
    """Penalty of dim light or darkness on checks and attacks that need sight."""
    return int(Ledger.load("renaissance")[SENSES].data.get(light, 0))


def in_words(light: str) -> str:
    """Name of a penalty for light."""
    return "darkness" if light == "dark" else f"{light} light"


WOUNDS, TRAUMAS = "renaissance.injury.wound_penalty", "renaissance.stress.trauma_penalty"
SUSTAINING, HEAVY = "renaissance.action.sustain_penalty", "renaissance.gap.armor.heavy"
ARMOR_PENALTY, HURRY = "renaissance.armor.penalty", "renaissance.movement.move_quickly"
SPECIALIZATION = "renaissance.modifier.specialization"
UNARMED = "unarmed"
NO_HAND = ""
"""Hand of a kick: an unarmed attack that needs no free hand (renaissance.unarmed.attack)."""


EXPLODING = "~explodes"
"""End of the key of a throw that explodes (renaissance.gap.power.list)."""


class Piece(NamedTuple):
    """One part of a target."""

    label: str
    value: int
    rule: str


MOST_TARGET = 500
"""Upper bound for targets and penalties as mechanics take them; checks count them as 0 to 98 in the end."""


class Goal(NamedTuple):
    """A target with its parts: what it comes to, and how much of it negative modifiers take away."""

    total: int
    penalties: int
    parts: tuple[Piece, ...]

    @staticmethod
    def of(parts: Iterable[Piece]) -> Goal:
        """The sum of some parts."""
        kept = tuple(parts)
        return Goal(sum([part.value for part in kept]), -sum([part.value for part in kept if part.value < 0]), kept)

    def plus(self, more: list[Piece]) -> Goal:
        """The same with further parts."""
        if not more:
            return self
        values = [part.value for part in more]
        return Goal(
            self.total + sum(values),
            self.penalties - sum([value for value in values if value < 0]),
            (*self.parts, *more),
        )

    @property
    def bounded(self) -> Goal:
        """The same within the bounds of the mechanics: a ruling may add more than they take."""
        if -MOST_TARGET <= self.total <= MOST_TARGET and self.penalties <= MOST_TARGET:
            return self
        total = max(-MOST_TARGET, min(MOST_TARGET, self.total))
        return self._replace(total=total, penalties=min(MOST_TARGET, self.penalties))

    def tally(self) -> Tally:
        """The target as it is explained."""
        first, *rest = self.parts
        tally = Tally.of(first.label, first.value, first.rule)
        return tally.add_all([tuple(part) for part in rest])  # type: ignore[misc]


class Arm(NamedTuple):
    """One way to attack with something that is wielded: by which key, which attack of the weapon, in which hand."""

    key: str
    weapon: Weapon
    attack: Attack
    hand: str
    dv: DV
    ap: int

    def __hash__(self) -> int:
        return hash((self.key, self.hand))

    @property
    def ranged(self) -> bool:
        """True if it is thrown or shot."""
        return self.attack.is_ranged

    @property
    def reach(self) -> int:
        """Reach in melee, in squares."""
        return 2 if self.weapon.has("reach") else 1

    @property
    def joins(self) -> bool:
        """True if one action can use it with other weapons: in a hand, to strike or to throw."""
        return self.hand != NO_HAND and (not self.ranged or self.attack.skill == "thrown_weapons")

    @property
    def unarmed(self) -> bool:
        """True if it is a bare hand."""
        return self.weapon.id == UNARMED


def in_hand(key: str) -> str:
    """Weapon and hand of a way to attack.

    >>> in_hand("dagger@off~thrown_weapons")
    'dagger@off'
    """
    return key.partition("~")[0]


class Felt(NamedTuple):
    """Part of a status that counts for checks and arms: harm, Luck, sustained powers, active effects, belongings."""

    wounds: int
    bound: int
    traumas: int
    soothed: int
    luck: int
    hurried: bool
    sustained: Sustaining
    active: tuple[Given, ...]
    belongings: Belongings
    hands: int

    @staticmethod
    def by(character: RenaissanceCharacter, status: Status, library: Library) -> Felt:
        """Read this part from a status."""
        return Felt(
            status.wounds,
            status.bound,
            status.traumas,
            status.soothed,
            status.luck,
            status.has(HURRIED),
            status.sustained,
            active_for(character, status, library),
            status.belongings,
            hands_left(status.lost),
        )


class Now:
    """Targets, weapons and modifiers of a participant at this moment."""

    def __init__(self, character: RenaissanceCharacter, felt: Felt, options: Any, library: Library) -> None:
        self.character, self.felt, self.options, self.library = character, felt, options, library
        active = felt.active
        self.active = active
        self.numbers = numbers(character, library, felt.belongings, active)
        self.bonuses = [(grant, one) for grant, one in of_kind(Bonus, given(character, library), active)]
        self._goals: dict[tuple[str, ...], Goal] = {}
        self.any = tuple(self._any())
        self.physical = tuple(self._physical())
        self.powers = [library.get(Power, id_) for id_ in character.powers if library.has(Power, id_)]

    # ------------------------------------------------------------------ what counts for every check

    @property
    def wounds_felt(self) -> int:
        """The wounds that give a penalty: neither bound nor negated."""
        return max(0, self.felt.wounds - self.felt.bound - self.numbers.negated_wounds)

    @property
    def traumas_felt(self) -> int:
        """The traumas that give a penalty."""
        return max(0, self.felt.traumas - self.felt.soothed - self.numbers.negated_traumas)

    @property
    def wounds_to_negate(self) -> int:
        """Number of wounds to come that give no penalty (renaissance.injury.negate)."""
        return max(0, self.felt.bound + self.numbers.negated_wounds - self.felt.wounds)

    @property
    def traumas_to_negate(self) -> int:
        """Number of traumas to come that give no penalty (renaissance.stress.stack_negate)."""
        return max(0, self.felt.soothed + self.numbers.negated_traumas - self.felt.traumas)

    def _any(self) -> Iterable[Piece]:
        felt = self.felt
        if felt.wounds and self.wounds_felt:
            yield Piece("wounds", -10 * self.wounds_felt, WOUNDS)
        if felt.traumas and self.traumas_felt:
            yield Piece("traumas", -10 * self.traumas_felt, TRAUMAS)
        beyond = len(felt.sustained) - 1
        if beyond > 0:
            yield Piece("sustaining", -max(0, 10 * beyond - self._sustain_less()), SUSTAINING)
        for bonus, one in self.bonuses:
            if bonus.what == ANY and bonus.when is None:
                yield Piece(one.source, bonus.value, one.rule)

    def _sustain_less(self) -> int:
        kinds = [power.kinds for power in self._sustained_powers()]
        return max(
            [
                grant.less
                for grant, _ in of_kind(Sustain, given(self.character, self.library), self.active)
                if any(grant.kind in kind for kind in kinds)
            ],
            default=0,
        )

    def _sustained_powers(self) -> list[Power]:
        known = [one.what for one in self.felt.sustained if one.power]
        return [self.library.get(Power, id_) for id_ in known if self.library.has(Power, id_)]

    def _physical(self) -> Iterable[Piece]:
        if self.felt.hurried:
            yield Piece("moved quickly", -10, HURRY)
        beyond = self.numbers.worn.heavy - self.numbers.STR // 10
        if beyond > 0:
            yield Piece("heavy load", -10 * beyond, HEAVY)

    # ------------------------------------------------------------------ luck and gifts

    @property
    def luck(self) -> int:
        """The Luck points that one check may take (renaissance.luck.limit)."""
        most: int | None = self.options.luck_per_check
        return self.felt.luck if most is None else min(most, self.felt.luck)

    @cached_property
    def daring(self) -> int:
        """Bonus of a daredevil's Luck point before a check (renaissance.gap.class.daredevil)."""
        own = of_kind(LuckBonus, given(self.character, self.library), self.active)
        return sum([grant.value for grant, _ in own])

    def rolls_twice(self, key: str) -> bool:
        """True if a Luck point buys a second roll of a check: a Human's of Social skills."""
        if self.options.social_animal == "off" or not key:
            return False
        social = "social" in skill_of(key, self.library).categories
        return social and any(
            grant.what == "social" for grant, _ in of_kind(Reroll, given(self.character, self.library), self.active)
        )

    def graded(self, key: str) -> bool:
        """True if a check of a skill has grades: not where instinct stands in for training."""
        found = stand_in(self.character, key, self.library, self.active)
        if found is None or found[1].graded:
            return True
        return found[0].total <= self.numbers.aptitudes[linked_aptitude(self.character, key, self.library)]

    # ------------------------------------------------------------------ targets

    def skill(self, key: str, *when: str) -> Goal:
        """Target of a skill check with gear, harm and effects; ``when`` are circumstances."""
        asked = (key, *when)
        known = self._goals.get(asked)
        if known is None:
            known = self._goals[asked] = Goal.of(self._skill(key, when))
        return known

    def _skill(self, key: str, when: tuple[str, ...]) -> Iterable[Piece]:
        character, library = self.character, self.library
        own = skill(character, key, library, self.active)
        yield Piece(own.label, own.base, own.rule or "")
        for part in own.parts:
            yield Piece(part.label, part.changed, part.rule or "")
        name, _ = split(key)
        found = skill_of(key, library)
        if self.options.armor_penalty:
            linked = linked_aptitude(character, key, library)
            for label, aptitude, value in self.numbers.worn.penalties:
                if aptitude == linked:
                    yield Piece(label, value, ARMOR_PENALTY)
        yield from self._applying({key, name, *found.categories}, when)
        yield from self.any
        if "physical" in found.categories:
            yield from self.physical

    def number(self, made_of: str, *words: str) -> Goal:
        """A check against a combination of figures, such as SOM*3, with what counts for the words it goes by."""
        asked = (made_of, *words)
        known = self._goals.get(asked)
        if known is None:
            known = self._goals[asked] = Goal.of(self._number(made_of, words))
        return known

    def special(self, name: str) -> Goal:
        """A check that no skill is made for, by its id."""
        entry = self.library.get(SpecialNumber, name)
        return self.number(str(entry.formula), name, *entry.words)

    def _number(self, made_of: str, words: tuple[str, ...]) -> Iterable[Piece]:
        rule = "renaissance.check.target_sources"
        for name, times in Formula.parse(made_of).terms:
            label = name if times == 1 else f"{name}, {times} times"
            yield Piece(label, self.numbers.figure(name) * times, rule)
        yield from self._applying(set(words), words)
        yield from self.any

    def _applying(self, words: set[str], when: tuple[str, ...]) -> Iterable[Piece]:
        """Bonuses on some checks, always or under a circumstance; and on all of them under one."""
        for bonus, one in self.bonuses:
            fits = bonus.what in words or (bonus.what == ANY and bonus.when is not None)
            if fits and (bonus.when is None or bonus.when in when):
                yield Piece(one.source, bonus.value, one.rule)

    def hardened(self, source: str) -> list[Piece]:
        """Bonus against a source of stress for characters hardened against it: their Willpower once more."""
        found = of_kind(Hardened, given(self.character, self.library))
        return [
            Piece(one.source, self.numbers.aptitudes["WIL"], one.rule)
            for _, one in found
            if _plainly(one.detail) == _plainly(source)
        ]

    # ------------------------------------------------------------------ arms

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """Every way to attack with what is in the hands, and with the body itself."""
        return tuple(self._all_arms())

    def _all_arms(self) -> Iterable[Arm]:
        held = [(hand, weapon) for hand, weapon in self.numbers.worn.weapons]
        bash = [effect.weapon for power in self.powers for effect in power.effects if isinstance(effect, ShieldWeapon)]
        held += [(hand, self.library.get(Weapon, bash[0])) for hand, _ in self.numbers.worn.shields if bash]
        for hand, weapon in held:
            if self._can_hold(hand):
                yield from self._ways(weapon, hand)
        full = {hand for hand, _ in (*self.numbers.worn.weapons, *self.numbers.worn.shields)}
        for weapon in natural_weapons(self.character, self.library):
            if weapon.id != UNARMED:
                yield from self._ways(weapon, MAIN)
                continue
            yield from self._ways(weapon, NO_HAND if full & {MAIN, BOTH} else MAIN)
            if not full & {OFF, BOTH} and self.felt.hands == 2:
                yield from self._ways(weapon, OFF)

    def _can_hold(self, hand: str) -> bool:
        """True if the hands that are left serve: both where two are needed, else the main or the off hand."""
        if self.felt.hands == 2:
            return True
        full = {held for held, _ in self.numbers.worn.weapons}
        return self.felt.hands == 1 and (hand == MAIN or (hand == OFF and MAIN not in full))

    def _ways(self, weapon: Weapon, hand: str) -> Iterable[Arm]:
        for at, attack in enumerate(weapon.attacks):
            key = weapon.id + ("@off" if hand == OFF else "") + (f"~{attack.skill}" if at else "")
            bonus = self.numbers.DB if attack.dv.bonus else 0
            dice, ap = self._fiercer(weapon)
            dv = DV(attack.dv.dice + dice, attack.dv.plus + bonus, False, attack.dv.half)
            yield Arm(key, weapon, attack, MAIN if hand == BOTH else hand, dv, attack.ap + ap)
            if self.explodes(weapon.id):
                burst = weapon.model_copy(update={"tags": (*weapon.tags, "blast"), "used_up": True})
                yield Arm(key + EXPLODING, burst, attack, MAIN if hand == BOTH else hand, dv, attack.ap + ap)

    def explodes(self, weapon: str) -> bool:
        """True if a weapon of magic may end in a blast."""
        found = [effect for effect in self._modifying(weapon) if isinstance(effect, Explodes)]
        return any(effect.weapon == weapon for effect in found)

    def _modifying(self, weapon: str) -> Iterable[PowerEffect]:
        """Effects of own powers on a weapon of magic: a power that modifies others counts for what those make."""
        made_by = {power.id for power in self.powers if any(_makes(effect, weapon) for effect in power.effects)}
        for power in self.powers:
            if not power.modifies or made_by.intersection(power.modifies):
                yield from power.effects

    def _fiercer(self, weapon: Weapon) -> tuple[int, int]:
        """Dice and AP that powers add to a weapon of magic."""
        if weapon.price is not None or weapon.natural:
            return 0, 0
        found = [effect for effect in self._modifying(weapon.id) if isinstance(effect, Fiercer)]
        mine = [effect for effect in found if weapon.has(effect.tag)]
        return sum([effect.dice for effect in mine]), sum([effect.ap for effect in mine])

    def magic_arm(self, weapon: str) -> Arm:
        """The attack with an own weapon of magic, in the hand or on the ground."""
        return next(iter(self._ways(self.library.get(Weapon, weapon), MAIN)))

    @cached_property
    def turns_in_the_air(self) -> dict[str, int]:
        """Weapons made by powers, with the turns that they last after leaving the hand."""
        found = [effect for power in self.powers for effect in power.effects if isinstance(effect, HeldWeapon)]
        return {effect.weapon: effect.turns for effect in found}

    @cached_property
    def sneak_dice(self) -> int:
        """More dice against the unaware and the helpless."""
        return sum([effect.dice for power in self.powers for effect in power.effects if isinstance(effect, Sneak)])

    def arm(self, key: str) -> Arm | None:
        """A way to attack by its key."""
        return self._by_key.get(key)

    @cached_property
    def together(self) -> int:
        """Number of things that can be used in one action with all of them, struck with or thrown."""
        return len({in_hand(arm.key) for arm in self.arms if arm.joins})

    @cached_property
    def _by_key(self) -> dict[str, Arm]:
        return {arm.key: arm for arm in reversed(self.arms)}

    @cached_property
    def armed(self) -> bool:
        """True if a participant wields a weapon or has a natural one (renaissance.unarmed.attack_penalty)."""
        return any(not arm.unarmed for arm in self.arms)

    @cached_property
    def reach(self) -> int:
        """Longest reach of the melee weapons."""
        return max([arm.reach for arm in self.arms if not arm.ranged], default=0)

    @cached_property
    def parries(self) -> tuple[tuple[str, Goal, bool], ...]:
        """Every way to parry: name, target, and whether it is bare hands."""
        return tuple(self._all_parries())

    def _all_parries(self) -> Iterable[tuple[str, Goal, bool]]:
        seen: set[str] = set()
        for arm in self.arms:
            if arm.ranged or arm.key in seen:
                continue
            seen.add(arm.key)
            goal = self.with_weapon(arm)
            if arm.weapon.parry:
                goal = goal.plus([Piece(arm.weapon.name, arm.weapon.parry, "renaissance.gap.weapon.list")])
            yield arm.weapon.id, goal, arm.weapon.natural

    def with_weapon(self, arm: Arm) -> Goal:
        """The skill of an attack, with the specialization where it fits the weapon."""
        goal = self.skill(arm.attack.skill)
        special = self.character.specializations.get(arm.attack.skill, "")
        if special and arm.weapon.fits(special):
            goal = goal.plus([Piece(special, 10, SPECIALIZATION)])
        return goal


def _makes(effect: PowerEffect, weapon: str) -> bool:
    return isinstance(effect, HeldWeapon) and effect.weapon == weapon


def _plainly(words: str) -> str:
    """Words or an id as they are compared.

    >>> _plainly("Failed_Motivation") == _plainly("failed motivation")
    True
    """
    return words.replace("_", " ").casefold()


@cached_by_identity
def _felt(character: RenaissanceCharacter, felt: tuple[Any, ...], options: Any, library: Library) -> Now:
    return Now(character, Felt(*felt), options, library)


@cached_by_identity
def _now(character: RenaissanceCharacter, status: Status, options: Any, library: Library) -> Now:
    return _felt(character, tuple(Felt.by(character, status, library)), options, library)


def now_with(character: RenaissanceCharacter, status: Status, options: Any, library: Library) -> Now:
    """A character with a status, in a scene or outside of one; remembered for what it feels."""
    return _now(character, status, options, library)


def now_of(scene: Scene, one: Participant) -> Now:
    """A participant as it is now; kept on it, as long as the table plays by the same options."""
    kept: tuple[Any, Any, Now] | None = one.answers.get(now_of)
    if kept is None or kept[0] is not scene.options or kept[1] is not scene.library:
        found = _now(one.character, one.status, scene.options, scene.library)
        kept = one.answers[now_of] = scene.options, scene.library, found
    return kept[2]


def now(scene: Scene, who: str) -> Now:
    """A participant at this moment."""
    return now_of(scene, scene[who])
