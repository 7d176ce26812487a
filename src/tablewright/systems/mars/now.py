"""Figures of a participant at this moment of a scene: rolls, weapons and their modifiers.

The same function serves the attack itself, the bots that weigh it, and the explanation of its numbers.

Remembered by the very objects they follow from: a character, its belongings and its effects stay the same objects until
an event changes them, so that asking again costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from tablewright.engine import Tally
from tablewright.errors import parse_whole_number
from tablewright.game.character.belongings import ItemStack
from tablewright.game.content.library import Library
from tablewright.game.ground.facts import ANYONE
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.mars.character.figures import (
    SECONDARY_STATS,
    armour_penalty,
    attack,
    bare_hands,
    damage,
    damage_reduction,
    encumbrance,
    is_trained,
    maneuver_skills,
    secondary,
    skill,
    skill_stat,
    speed,
    stat,
    weapon_skills,
)
from tablewright.systems.mars.character.gear import (
    Shield,
    Wielded,
    borne_only,
    grants_of,
    grip,
    helping_hands,
    however_long,
    however_many,
    item,
    missing_hand,
    worn,
)
from tablewright.systems.mars.character.record import HAND, HANDS, MarsCharacter, MarsEffect, counting
from tablewright.systems.mars.content import (
    AdvantageGrant,
    Armour,
    Maneuver,
    OtherWeaponGrant,
    Secondary,
    Skill,
    Stat,
    TeamworkGrant,
    Weapon,
    When,
)
from tablewright.systems.mars.mechanics.dice import MOST_REROLLS
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import Status
from tablewright.systems.mars.values import Manner, Part, RollValue, Throw

SOURCES = "mars.advantage.sources"


def rulings(scene: Scene, what: str, who: str) -> tuple[Part, ...]:
    """Rulings of the game master on a kind of roll."""
    if not scene.modifiers:
        return ()
    return tuple(
        [(one.reason, one.value, None) for one in scene.modifiers if one.what == what and one.who in (None, who)]
    )


FACTS = (
    "advantage",
    "disadvantage",
    "cover",
    "flanked",
    "behind",
    "movement",
    "terrain",
    "obstacle",
    "object",
    "water",
    "simple",
)
"""Facts of a scene that the rules read."""


def circumstances(scene: Scene, who: str, against: str = ANYONE) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Advantage and disadvantage that the game master grants by circumstances: a number, or a word for one source."""
    if not scene.facts.entries:
        return (), ()
    return _granted_by(scene, "advantage", who, against), _granted_by(scene, "disadvantage", who, against)


def _granted_by(scene: Scene, fact: str, who: str, against: str) -> tuple[Part, ...]:
    value = scene.facts.get(fact, who, against)
    if value is None:
        return ()
    number = value if isinstance(value, int) else parse_whole_number(value)
    if number is None:
        return ((str(value), 1, SOURCES),)
    return (("circumstances", min(max(0, number), MOST_REROLLS), SOURCES),) if number > 0 else ()


def ruled(scene: Scene, who: str, what: str, throw: Throw) -> Throw:
    """A roll value with the modifiers that the game master added under its names."""
    return throw.with_parts(rulings(scene, what, who))


T = TypeVar("T")


class Now:
    """Figures of a participant at this moment, each computed on first use."""

    def __init__(
        self,
        character: MarsCharacter,
        library: Library,
        options: MarsOptions,
        belongings: tuple[ItemStack, ...],
        effects: tuple[MarsEffect, ...],
    ) -> None:
        self.character = character
        self.library = library
        self.options = options
        self.belongings = belongings
        self.effects = effects
        self._memo: dict[Any, Any] = {}

    def remember(self, key: Any, make: Callable[[], T]) -> T:
        """Work something out that follows from the same character, belongings and effects, once."""
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = make()
        found: T = known
        return found

    @cached_property
    def borne(self) -> Now:
        """The same without what is stowed; of charges and durability it counts whether there is any."""
        if self.options.weight_tracking:
            return self
        return now_of(self.character, self.library, self.options, borne_only(self.belongings), self.effects)

    # ------------------------------------------------------------------ what has taken hold

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of effects that have taken hold."""
        return frozenset([effect.kind for effect in self.effects])

    @cached_property
    def encumbered(self) -> str:
        """`none`, `encumbered` or `overencumbered`, by an effect or, where weight is tracked, by the load."""
        if "overencumbered" in self.kinds:
            return "overencumbered"
        found = "encumbered" if "encumbered" in self.kinds else "none"
        if self.options.weight_tracking:
            rounding = self.options.capacity_rounding
            loaded = encumbrance(self.character, self.library, self.belongings, rounding)
            found = found if loaded == "none" else loaded
        return found

    @cached_property
    def penalty(self) -> tuple[Part, ...]:
        """Penalties that every roll takes."""
        sick = max([effect.degree for effect in self.effects if effect.kind == "sickness"], default=0)
        tired = sum([effect.degree for effect in self.effects if effect.kind == "fatigue"])
        parts: list[Part] = [("sickness", -sick, "mars.effect.sickness_penalty")] if sick else []
        if tired and self.options.fatigue == "on":
            parts.append(("fatigue", -((tired + 1) // 2), "mars.gap.fatigue.degrees"))
        return tuple(parts)

    def _sources(self, stats: Iterable[str]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Sources of advantage and disadvantage on rolls of some stats; the same effect on a stat counts once."""
        pros: list[Part] = []
        cons: list[Part] = []
        for name in stats:
            if self._concerns("enhancement", name):
                pros.append((f"enhanced {name}", 1, "mars.effect.enhancement"))
            if self._concerns("debilitation", name):
                cons.append((f"debilitated {name}", 1, "mars.effect.debilitation"))
            if name in ("STR", "DEX") and self.encumbered != "none":
                cons.append((f"{self.encumbered}, {name}", 1, f"mars.effect.{self.encumbered}"))
        return tuple(pros), tuple(cons)

    def _concerns(self, kind: str, stat: str) -> bool:
        return kind in self.kinds and any(effect.kind == kind and effect.stat == stat for effect in self.effects)

    def _granted(self, on: str, when: tuple[When, ...]) -> tuple[Part, ...]:
        """Advantage that talents and ancestry give."""
        return tuple(
            [
                (source, 1, rule)
                for grant, _, source, rule in grants_of(self.character, self.library, AdvantageGrant)
                if grant.on == on and (grant.when is None or grant.when in when)
            ]
        )

    def ratings(self) -> Iterator[Part]:
        """Changes of armour rating by maneuvers and talents."""
        for effect in counting(self.effects, "rating"):
            yield effect.source.replace("_", " ") or "armour rating", effect.value, "mars.stat.armour_rating"

    # ------------------------------------------------------------------ rolls

    def roll(self, name: Secondary, when: tuple[When, ...] = ()) -> Throw:
        """Initiative, deflection, evasion, fortitude or willpower."""
        key = (name, when)
        known: Throw | None = self._memo.get(key)
        if known is None:
            rolled = secondary(self.character, name, self.library, self.belongings, self.effects, when)
            parts = list(self.penalty)
            if name in ("DEF", "EVA"):
                parts += self.ratings()
                parts += self.rallies()
            pros, cons = self._sources((*SECONDARY_STATS[name], name))
            known = Throw(rolled, (*pros, *self._granted(name, when)), cons).with_parts(parts)
            self._memo[key] = known
        return known

    def stat(self, name: Stat) -> Throw:
        """A primary stat by itself."""
        known: Throw | None = self._memo.get(name)
        if known is None:
            pros, cons = self._sources((name,))
            known = Throw(stat(self.character, name, self.library, self.effects), pros, cons).with_parts(self.penalty)
            self._memo[name] = known
        return known

    def rallies(self) -> Iterator[Part]:
        """Bonus of a battle cry to the first attack, deflection or evasion."""
        for effect in counting(self.effects, "rally"):
            yield effect.source.replace("_", " ") or "battle cry", effect.value, "mars.gap.maneuver.list"

    @cached_property
    def groping(self) -> tuple[Part, ...]:
        """Disadvantage of the blind on everything aimed at a target."""
        return (("blind", 1, "mars.effect.blind"),) if "blind" in self.kinds else ()

    def skill(self, skill_id: str, when: tuple[When, ...] = (), *, aimed: bool = False) -> Throw:
        """A skill with its stat; ``aimed`` at an enemy it may be shaken, and needs eyes."""
        key = (skill_id, when, aimed)
        known: Throw | None = self._memo.get(key)
        if known is None:
            rolled = skill(self.character, skill_id, self.library, when, self.effects)
            stat = skill_stat(self.character, skill_id, self.library, when, self.effects)
            pros, cons = self._sources((stat, skill_id))
            parts = [*self.penalty, *(self.shaken() if aimed else ())]
            own = self.library.get(Skill, skill_id)
            if own.stat == "DEX":
                parts += self.armour_penalty
            worn_now = worn(self.belongings, self.library)
            hampered: list[Part] = [*(self.groping if aimed else ())]
            if skill_id == "perception" and worn_now.has("limited_vision"):
                hampered.append(("limited vision", 1, "mars.gap.armour.limited_vision"))
            if skill_id == "agility" and "silent_movement" in when and worn_now.has("noisy"):
                hampered.append(("noisy armour", 1, "mars.gap.armour.noisy"))
            helped = self._granted(skill_id, when)
            if "disarming" in when and worn_now.has("locking_grip"):
                helped = (*helped, ("locking grip", 1, "mars.gap.armour.locking_grip"))
            known = Throw(rolled, (*pros, *helped), (*cons, *hampered)).with_parts(parts)
            self._memo[key] = known
        return known

    def teamwork(self, skill_id: str) -> tuple[Part, ...]:
        """Advantage of Teamwork in group actions with trained skills."""
        if not self.trained(skill_id):
            return ()
        grants = grants_of(self.character, self.library, TeamworkGrant)
        return tuple([(source, 1, rule) for _, _, source, rule in grants])

    @cached_property
    def armour_penalty(self) -> tuple[Part, ...]:
        """Armour penalty on DEX skills."""
        found = armour_penalty(self.character, self.library, self.belongings).total
        return (("armour penalty", found, "mars.equipment.armour_penalty"),) if found else ()

    def shaken(self) -> Iterator[Part]:
        """Penalty of intimidation on rolls aimed at enemies."""
        for effect in counting(self.effects, "shaken"):
            yield effect.source.replace("_", " ") or "intimidated", effect.value, "mars.gap.maneuver.list"

    # ------------------------------------------------------------------ weapons

    @cached_property
    def wielded(self) -> tuple[Wielded, ...]:
        """Everything to attack with: what is in the hands, and natural weapons or bare hands (mars.action.brandish)."""
        found: list[Wielded] = []
        for carried in self.belongings:
            if carried.place not in (HAND, HANDS):
                continue
            known = item(carried.item, self.library)
            if isinstance(known, Weapon):
                hands = 1 if carried.place == HAND else 2
                for _ in range(carried.count):
                    same = sum([one.weapon is known for one in found])
                    key = known.id if not same else f"{known.id}#{same + 1}"
                    found.append(Wielded(key, known, hands, carried.left))
        own = [self.library.get(Weapon, id_) for id_ in self.character.weapons]
        natural = own or [bare_hands(self.belongings, self.library)]
        return (*found, *[Wielded(weapon.id, weapon, 0) for weapon in natural])

    @cached_property
    def _weapons(self) -> list[Weapon]:
        """Everything to attack with, in hand or not."""
        carried = [item(one.item, self.library) for one in self.belongings]
        return [*[one for one in carried if isinstance(one, Weapon)], *[one.weapon for one in self.wielded]]

    @cached_property
    def cleaves(self) -> bool:
        """True if any weapon takes no penalty for earlier attacks on others (mars.gap.weapon.cleave)."""
        return any(one.features.cleave for one in self._weapons)

    @cached_property
    def gathers_momentum(self) -> bool:
        """True if any weapon hits harder who was hit in this turn (mars.gap.weapon.momentum)."""
        return any(one.features.momentum for one in self._weapons)

    @cached_property
    def reach(self) -> int:
        """Reach of the longest melee weapon in metres (mars.gap.weapon.reach)."""
        return max([one.weapon.features.reach for one in self.wielded if one.manners[0] == "melee"], default=1)

    @cached_property
    def arms(self) -> dict[str, tuple[Wielded, Manner]]:
        """Every way to attack with what is wielded, by its name in a use: `knife`, and `knife/thrown`."""
        return {
            f"{one.key}/thrown" if manner == "thrown" else one.key: (one, manner)
            for one in self.wielded
            for manner in one.manners
        }

    def weapon(self, key: str) -> Wielded | None:
        """The wielded weapon under a key."""
        for one in self.wielded:
            if one.key == key:
                return one
        return None

    @cached_property
    def shields(self) -> tuple[Shield, ...]:
        """Shields in a hand, broken or not."""
        found = []
        for carried in self.belongings:
            if carried.place in (HAND, HANDS):
                known = item(carried.item, self.library)
                if isinstance(known, Armour) and known.is_shield:
                    found.append(Shield(known.id, known, carried.left if carried.left is not None else 0))
        return tuple(found)

    @cached_property
    def parries(self) -> tuple[tuple[str, RollValue], ...]:
        """Items to parry with, the best first (mars.defence.parry)."""
        found: dict[str, RollValue] = {}
        for one in self.wielded:
            if one.weapon.features.parry is not None:
                found[one.weapon.id] = one.weapon.features.parry
        for shield in self.shields:
            if shield.armour.features.parry is not None:  # a broken one too: it cannot block any more, no less
                found[shield.item] = shield.armour.features.parry
        return tuple(sorted(found.items(), key=lambda one: (-one[1].maximum, one[0])))

    @cached_property
    def blocking(self) -> Shield | None:
        """The best shield to block with (mars.defence.block)."""
        able = [shield for shield in self.shields if shield.armour.block is not None and shield.left > 0]
        return max(able, key=lambda shield: (shield.armour.block or 0, shield.left), default=None)

    def attack(self, wielded: Wielded, manner: Manner, skill_id: str | None = None) -> Throw:
        """Roll to hit before circumstances."""
        key = ("attack", wielded.weapon.id, wielded.hands, manner, skill_id)
        known: Throw | None = self._memo.get(key)
        if known is None:
            weapon = wielded.weapon
            rolled = attack(self.character, weapon, self.library, skill_id, self.effects, self.belongings)
            pros, cons = self._sources(("DEX", skill_id or self.weapon_skill(weapon)))
            parts = [*self.penalty, *self.shaken(), *self.rallies(), *grip(wielded, manner)]
            known = Throw(rolled, pros, cons).with_parts(parts)
            self._memo[key] = known
        return known

    def aimed(
        self,
        wielded: Wielded,
        manner: Manner,
        skill_id: str | None,
        parts: tuple[Part, ...],
        pros: tuple[Part, ...],
        cons: tuple[Part, ...],
    ) -> Throw:
        """Roll to hit under all circumstances."""
        key = ("aimed", wielded.weapon.id, wielded.hands, manner, skill_id, parts, pros, cons)
        known: Throw | None = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self.attack(wielded, manner, skill_id).with_parts(parts, pros, cons)
        return known

    def hurting(self, wielded: Wielded, manner: Manner, parts: tuple[Part, ...]) -> Throw:
        """Damage roll of a weapon under all circumstances."""
        if not parts:
            return self.damage(wielded, manner)
        key = ("hurting", wielded.weapon.id, wielded.hands, manner, parts)
        known: Throw | None = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self.damage(wielded, manner).with_parts(parts)
        return known

    def weapon_skill(self, weapon: Weapon) -> str:
        """The combat skill that a weapon is best used with."""
        return weapon_skills(self.character, weapon, self.library)[0]

    def damage(self, wielded: Wielded, manner: Manner) -> Throw:
        """Damage roll of a weapon."""
        key = ("damage", wielded.weapon.id, wielded.hands, manner)
        known: Throw | None = self._memo.get(key)
        if known is None:
            rolled = damage(self.character, wielded.weapon, self.library, self.effects)
            pros, cons = self._sources(("STR",) if wielded.weapon.strength else ())
            more, less = helping_hands(wielded, manner), missing_hand(wielded, manner)
            known = Throw(rolled, (*pros, *more), (*cons, *less)).with_parts(self.penalty)
            self._memo[key] = known
        return known

    @cached_property
    def other_weapon(self) -> int:
        """The bonus for attacking with another weapon than the last one."""
        return sum(
            [grant.value * steps for grant, steps, _, _ in grants_of(self.character, self.library, OtherWeaponGrant)]
        )

    def reduction(self, kind: str) -> Tally:
        """Damage reduction against a type of damage."""
        key = ("reduction", kind)
        known: Tally | None = self._memo.get(key)
        if known is None:
            known = damage_reduction(self.character, self.library, self.belongings, kind)
            for effect in self.effects:
                if effect.kind == "rage":
                    known = known.add("rage", effect.degree, "mars.gap.talent.rage")
            self._memo[key] = known
        return known

    @cached_property
    def critical_defense(self) -> int:
        """By how much worn armour raises the critical threshold of attackers."""
        return worn(self.belongings, self.library).critical_defense

    # ------------------------------------------------------------------ moving

    @cached_property
    def speed(self) -> Tally:
        """Metres that one Move covers; 0 for who cannot move at all."""
        return self.speed_with(())

    @cached_property
    def metres(self) -> int:
        """Speed as a plain number."""
        return self.speed.total

    def speed_with(self, circumstances: tuple[str, ...]) -> Tally:
        """Speed while climbing, swimming or flying, which halve it once more."""
        key = ("speed", circumstances)
        known: Tally | None = self._memo.get(key)
        if known is None:
            rule = "mars.move.speed_modifiers"
            known = speed(self.character, self.library, self.belongings)
            if self.options.fatigue == "on":
                tired = sum([effect.degree for effect in self.effects if effect.kind == "fatigue"])
                known = known.add("fatigue", -((tired + 1) // 2), "mars.gap.fatigue.degrees").limit(0, rule=rule)
            halvings = ["prone"] if "prone" in self.kinds else []
            halvings += [self.encumbered] if self.encumbered != "none" else []
            if "halved_speed" in self.kinds:
                halvings.append("crippled")
            halvings += circumstances
            if halvings:
                count = len(halvings)
                factor = Fraction(1, 2**count if self.options.speed_halving == "sequential" else count + 1)
                known = known.scale(factor, ", ".join(halvings), rule)
            if self.encumbered == "overencumbered":
                known = known.scale(Fraction(0), "overencumbered", "mars.effect.overencumbered")
            else:
                known = known.limit(1, rule=rule)
            self._memo[key] = known
        return known

    # ------------------------------------------------------------------ maneuvers

    @cached_property
    def maneuvers(self) -> tuple[Maneuver, ...]:
        """The maneuvers that are known."""
        return tuple([self.library.get(Maneuver, id_) for id_ in self.character.maneuvers])

    def knows(self, maneuver: Maneuver) -> bool:
        """True if a maneuver is known."""
        return maneuver.id in self.character.maneuvers

    def skill_for(self, maneuver: Maneuver, weapon: Weapon | None, boosted: bool = False) -> str | None:
        """The combat skill by which a known maneuver can be used, with a weapon where it attacks; None if with none.

        A boosted one goes with a skill that is high enough, where there is one. A creature uses the maneuvers of its
        block with whatever it attacks with.
        """
        key = ("skill for", maneuver.id, weapon.id if weapon is not None else "", boosted)
        if key not in self._memo:
            self._memo[key] = self._skill_for(maneuver, weapon, boosted)
        found: str | None = self._memo[key]
        return found

    def _skill_for(self, maneuver: Maneuver, weapon: Weapon | None, boosted: bool) -> str | None:
        only = self.character.printed.maneuvers_with.get(maneuver.id)
        if weapon is not None and only not in (None, weapon.id):
            return None
        able = maneuver_skills(self.character, maneuver)
        fitting = able if weapon is None else weapon_skills(self.character, weapon, self.library)
        found = [one for one in fitting if one in able]
        if found:
            least = maneuver.boost.at if boosted and maneuver.boost is not None else 0
            return next((one for one in found if self.character.skills[one].n >= least), found[0])
        if weapon is None:
            return "" if self.character.is_creature else None
        return self.weapon_skill(weapon) if self.character.is_creature else None  # mars.gap.creature.printed

    def trained(self, skill_id: str) -> bool:
        """True if a skill is trained."""
        return is_trained(self.character, skill_id)


# ---------------------------------------------------------------------- remembering


def now_of(
    character: MarsCharacter,
    library: Library,
    options: MarsOptions,
    belongings: tuple[ItemStack, ...],
    effects: tuple[MarsEffect, ...],
) -> Now:
    """Figures of a character, cached by identity; they are the same however long its effects last."""
    return _now_of(character, library, options, belongings, however_long(effects) if effects else effects)


_now_of: Callable[[MarsCharacter, Library, MarsOptions, tuple[ItemStack, ...], tuple[MarsEffect, ...]], Now] = (
    cached_by_identity(Now)
)


def now(scene: Scene, who: str) -> Now:
    """Figures of a participant of a scene by its id."""
    participant = scene[who]
    known: Now | None = participant.answers.get(Now)
    if known is not None and known.library is scene.library and known.options is scene.options:
        return known  # asked thousands of times in a fight: a call less
    return of_participant(scene, participant)


def of_participant(scene: Scene, participant: Participant) -> Now:
    """Figures of a participant."""
    known: Now | None = participant.answers.get(Now)
    if known is not None and known.library is scene.library and known.options is scene.options:
        return known
    status: Status = participant.status
    known = _as_carried(participant.character, scene.library, scene.options, status.belongings, status.effects)
    participant.answers[Now] = known
    return known


@cached_by_identity
def _as_carried(
    character: MarsCharacter,
    library: Library,
    options: MarsOptions,
    belongings: tuple[ItemStack, ...],
    effects: tuple[MarsEffect, ...],
) -> Now:
    """Figures with these belongings; how many of a thing are in the pack counts only by weight."""
    carried = belongings if options.weight_tracking else however_many(belongings, library)
    return now_of(character, library, options, carried, effects)


def as_target(scene: Scene, participant: Participant) -> Now:
    """Figures of a participant as a target: the same object for all who are alike as far as attacks on them go."""
    return of_participant(scene, participant).borne
