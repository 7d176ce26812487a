"""Somebody as they are now: what every check adds up to with wounds and effects, and what they hold in their hands.

All of it follows from the character, from what it feels and carries, from options and content; it is worked out once
for each such state, whoever comes into it again, and is remembered.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from tablewright.engine.tally import Tally
from tablewright.game.belongings import Belongings
from tablewright.game.content import Library
from tablewright.game.remembering import by_identity
from tablewright.game.scene import Participant, Scene
from tablewright.systems.renaissance.character.active import Sustaining, active_for
from tablewright.systems.renaissance.character.figures import (
    linked_aptitude,
    natural_weapons,
    numbers,
    skill,
    skill_of,
    split,
    stand_in,
)
from tablewright.systems.renaissance.character.giving import Given, given, of_kind
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF, RenaissanceCharacter
from tablewright.systems.renaissance.content import Attack, Power, Weapon
from tablewright.systems.renaissance.grants import (
    ANY,
    Bonus,
    Explodes,
    Fiercer,
    Hardened,
    HeldWeapon,
    LuckBonus,
    Reroll,
    ShieldWeapon,
    Sneak,
    Sustain,
)
from tablewright.systems.renaissance.status import HURRIED, Status
from tablewright.systems.renaissance.values import DV, Formula

WOUNDS, TRAUMAS = "renaissance.injury.wound_penalty", "renaissance.stress.trauma_penalty"
SUSTAINING, HEAVY = "renaissance.action.sustain_penalty", "renaissance.gap.armor.heavy"
ARMOR_PENALTY, HURRY = "renaissance.armor.penalty", "renaissance.movement.move_quickly"
SPECIALIZATION = "renaissance.modifier.specialization"
UNARMED = "unarmed"
NO_HAND = ""
"""Where a kick comes from: whoever has the main hand full still has a body (renaissance.unarmed.attack)."""


EXPLODING = "~explodes"
"""How the way to throw something as a blast ends, that may end in one (renaissance.gap.power.list)."""


class Piece(NamedTuple):
    """One part of a target."""

    label: str
    value: int
    rule: str


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
        """Whether it is thrown or shot."""
        return self.attack.is_ranged

    @property
    def reach(self) -> int:
        """How far it reaches hand to hand."""
        return 2 if self.weapon.has("reach") else 1

    @property
    def unarmed(self) -> bool:
        """Whether it is a bare hand."""
        return self.weapon.id == UNARMED


class Felt(NamedTuple):
    """What of a status counts for checks and arms: wounds and traumas, Luck, what is sustained, active and carried."""

    wounds: int
    bound: int
    traumas: int
    soothed: int
    luck: int
    hurried: bool
    sustained: Sustaining
    active: tuple[Given, ...]
    belongings: Belongings

    @staticmethod
    def by(character: RenaissanceCharacter, status: Status, library: Library) -> Felt:
        """What somebody with a status feels."""
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
        )


class Now:
    """What somebody comes to at this moment."""

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
        """How many wounds to come give no penalty (renaissance.injury.negate)."""
        return max(0, self.felt.bound + self.numbers.negated_wounds - self.felt.wounds)

    @property
    def traumas_to_negate(self) -> int:
        """How many traumas to come give no penalty (renaissance.stress.stack_negate)."""
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
        """What a Luck point before a check adds, for daredevils (renaissance.gap.class.daredevil)."""
        own = of_kind(LuckBonus, given(self.character, self.library), self.active)
        return sum([grant.value for grant, _ in own])

    def rolls_twice(self, key: str) -> bool:
        """Whether a Luck point buys a second roll of a check: a Human's of Social skills."""
        if self.options.social_animal == "off" or not key:
            return False
        social = "social" in skill_of(key, self.library).categories
        return social and any(
            grant.what == "social" for grant, _ in of_kind(Reroll, given(self.character, self.library), self.active)
        )

    def graded(self, key: str) -> bool:
        """Whether a check of a skill can be exceptional or critical: not where instinct stands in for training."""
        found = stand_in(self.character, key, self.library, self.active)
        if found is None or found[1].graded:
            return True
        return found[0].total <= self.numbers.aptitudes[linked_aptitude(self.character, key, self.library)]

    # ------------------------------------------------------------------ targets

    def skill(self, key: str, *when: str) -> Goal:
        """A skill check with everything that somebody carries, wears and suffers; ``when`` are circumstances."""
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
        """What those add to resisting stress who are hardened against its source: the Willpower once more."""
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
            yield from self._ways(weapon, hand)
        full = {hand for hand, _ in (*self.numbers.worn.weapons, *self.numbers.worn.shields)}
        for weapon in natural_weapons(self.character, self.library):
            if weapon.id != UNARMED:
                yield from self._ways(weapon, MAIN)
                continue
            yield from self._ways(weapon, NO_HAND if full & {MAIN, BOTH} else MAIN)
            if not full & {OFF, BOTH}:
                yield from self._ways(weapon, OFF)

    def _ways(self, weapon: Weapon, hand: str) -> Iterable[Arm]:
        for at, attack in enumerate(weapon.attacks):
            key = weapon.id + ("@off" if hand == OFF else "") + (f"~{attack.skill}" if at else "")
            bonus = self.numbers.DB if attack.dv.bonus else 0
            dice, ap = self._fiercer(weapon)
            dv = DV(attack.dv.dice + dice, attack.dv.plus + bonus, False, attack.dv.half)
            yield Arm(key, weapon, attack, MAIN if hand == BOTH else hand, dv, attack.ap + ap)
            if any(effect.weapon == weapon.id for effect in self._exploding):
                burst = weapon.model_copy(update={"tags": (*weapon.tags, "blast"), "used_up": True})
                yield Arm(key + EXPLODING, burst, attack, MAIN if hand == BOTH else hand, dv, attack.ap + ap)

    @cached_property
    def _exploding(self) -> list[Explodes]:
        return [effect for power in self.powers for effect in power.effects if isinstance(effect, Explodes)]

    def _fiercer(self, weapon: Weapon) -> tuple[int, int]:
        """What powers add to weapons of magic."""
        if weapon.price is not None or weapon.natural:
            return 0, 0
        found = [effect for power in self.powers for effect in power.effects if isinstance(effect, Fiercer)]
        mine = [effect for effect in found if weapon.has(effect.tag)]
        return sum([effect.dice for effect in mine]), sum([effect.ap for effect in mine])

    def magic_arm(self, weapon: str) -> Arm:
        """A way to attack with what somebody has made by magic, wherever it is."""
        return next(iter(self._ways(self.library.get(Weapon, weapon), MAIN)))

    @cached_property
    def turns_in_the_air(self) -> dict[str, int]:
        """What somebody can make by magic, with the turns for which it lasts once it has left the hand."""
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
    def _by_key(self) -> dict[str, Arm]:
        return {arm.key: arm for arm in reversed(self.arms)}

    @cached_property
    def armed(self) -> bool:
        """Whether somebody wields a weapon or has a natural one (renaissance.unarmed.attack_penalty)."""
        return any(not arm.unarmed for arm in self.arms)

    @cached_property
    def reach(self) -> int:
        """How far they threaten."""
        return max([arm.reach for arm in self.arms if not arm.ranged], default=0)

    @cached_property
    def parries(self) -> tuple[tuple[str, Goal, bool], ...]:
        """What can parry: by name, its target, and whether it is bare hands."""
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


def _plainly(words: str) -> str:
    """Words or an id as they are compared.

    >>> _plainly("Failed_Motivation") == _plainly("failed motivation")
    True
    """
    return words.replace("_", " ").casefold()


@by_identity
def _felt(character: RenaissanceCharacter, felt: tuple[Any, ...], options: Any, library: Library) -> Now:
    return Now(character, Felt(*felt), options, library)


@by_identity
def _now(character: RenaissanceCharacter, status: Status, options: Any, library: Library) -> Now:
    return _felt(character, tuple(Felt.by(character, status, library)), options, library)


def now_with(character: RenaissanceCharacter, status: Status, options: Any, library: Library) -> Now:
    """A character with a status, in a scene or outside of one; remembered for what it feels."""
    return _now(character, status, options, library)


def now_of(scene: Scene, one: Participant) -> Now:
    """A participant as it is now."""
    return _now(one.character, one.status, scene.options, scene.library)


def now(scene: Scene, who: str) -> Now:
    """Somebody as they are now."""
    return now_of(scene, scene[who])
