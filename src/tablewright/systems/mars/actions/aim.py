"""Preparation of an attack: from a scene to the arguments of the mechanic.

The same function serves the attack itself, the bots that weigh it, and the explanation of its numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from tablewright.engine import Call, Tally
from tablewright.game.ground.bands import Together
from tablewright.game.ground.position import Ground, Position
from tablewright.game.play.targeting import distance
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.evolve import evolve, evolver
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.mars.character.gear import Shield, Wielded, attack_penalty, grants_of, item
from tablewright.systems.mars.content import AlertGrant, AttackStep, Range, Weapon
from tablewright.systems.mars.harm import as_rolled, attack_rules
from tablewright.systems.mars.mechanics.attack import (
    IMPROVISED,
    Attacked,
    Attempt,
    Blocks,
    Body,
    Defence,
    Settled,
    Strike,
    Target,
    Turned,
    Wound,
    attack,
    landed,
)
from tablewright.systems.mars.mechanics.checks import Luck
from tablewright.systems.mars.mechanics.harm import NO_SHIELD, UNSCALED, Blocking, Scaling, category_of
from tablewright.systems.mars.now import Now, circumstances, now, of_participant, ruled, rulings
from tablewright.systems.mars.status import Incoming, Status, Turn, stands
from tablewright.systems.mars.values import THRESHOLD, Manner, Part, Rolled, RollValue, Throw

R = TypeVar("R", bound=tuple[Any, ...])

REACH = 1
PARRY = "mars.defence.parry"


PLAIN = AttackStep(step="attack")
MOMENTUM, UNFIT = 2, -2
ANYTHING_THROWN = Range(near=2, far=20)  # mars.gap.weapon.improvised
TRIP = AttackStep(step="attack", hit=-2, becomes="bludgeoning")


class Aim(NamedTuple):
    """An attack that is ready to be declared, and where its numbers come from."""

    blow: Incoming
    to_hit: Throw
    damage: Throw


# ---------------------------------------------------------------------- circumstances


def _is_unseen(attacker: Participant, status: Status) -> bool:
    """True if a target with this status cannot see who attacks it."""
    if status.surprised or attacker.hidden:
        return True
    for effect in status.effects:
        if effect.kind in ("blind", "unconscious"):
            return True
        if effect.kind == "unsighted" and effect.stat == attacker.id and not effect.degree:
            return True
    return False


def is_out_of_sight(scene: Scene, who: str, watcher: str) -> bool:
    """True if a participant is hidden from a viewer, or slips away."""
    if scene[who].hidden:
        return True
    return any(effect.kind == "unsighted" and effect.stat == who for effect in scene[watcher].status.effects)


@cached_on_scene
def is_flanked(scene: Scene, target: str, hidden_attacker: str | None = None) -> bool:
    """True if enemies stand on two opposite sides of a target, or a ruling says so.

    Hidden enemies do not count, except the one who attacks. (mars.attack.flanking, mars.gap.fight.flanked)
    """
    if scene.facts.entries and scene.facts.get("flanked", target) is not None:
        return True
    participant = scene[target]
    here = participant.position
    if here is None or isinstance(scene.ground, Together):
        return False
    around = _foes_of(scene, participant.side)
    unseen = None if hidden_attacker is None else scene[hidden_attacker]
    if unseen is not None and unseen.hidden and unseen.side != participant.side and stands(unseen):
        around += () if unseen.position is None else (unseen.position,)
    return len(around) > 1 and _between_two(scene.ground, here, around)


@cached_on_scene
def _foes_of(scene: Scene, side: str) -> tuple[Position, ...]:
    """Positions of the standing enemies of a side that are not hidden."""
    foes = [one for one in scene.participants if one.side != side and not one.hidden and stands(one)]
    return tuple([one.position for one in foes if one.position is not None])


@lru_cache(maxsize=16_384)
def _between_two(ground: Ground, here: Position, others: tuple[Position, ...]) -> bool:
    """True if two of the others are within reach on opposite sides."""
    around = [one for one in others if ground.within(here, one, REACH)]
    return any(ground.opposite(here, one, other) for at, one in enumerate(around) for other in around[at + 1 :])


def is_alert(scene: Scene, who: str) -> bool:
    """True if a participant is never surprised and gives sneak attacks no advantage."""
    return any(grants_of(scene[who].character, scene.library, AlertGrant))


def in_cover(scene: Scene, attacker: str, target: str) -> bool:
    """True if the target is in cover against this attacker."""
    status: Status = scene[target].status
    if any(effect.kind == "cover" for effect in status.effects):
        return True
    return bool(scene.facts.entries) and scene.facts.get("cover", target, attacker) is not None


@cached_on_scene
def sight(scene: Scene, attacker: str, target: str, manner: Manner) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Sources of advantage and disadvantage of an attack, by sight and by the posture of the target."""
    pros: list[Part] = []
    cons: list[Part] = []
    striker = scene[attacker]
    status: Status = scene[target].status
    mine: Status = striker.status
    if _is_unseen(striker, status) and not is_alert(scene, target):
        pros.append(("unseen", 1, "mars.attack.sneak"))
    if is_flanked(scene, target, attacker if striker.hidden else None):
        pros.append(("flanked", 1, "mars.attack.flanking"))
    if status.effects and status.has("prone"):
        (pros if manner == "melee" else cons).append(("prone", 1, "mars.effect.prone"))
    if manner != "melee" and (status.effects or scene.facts.entries) and in_cover(scene, attacker, target):
        cons.append(("in cover", 1, "mars.action.seek_cover"))
    if mine.effects:
        cons += now(scene, attacker).groping
        if manner == "melee" and mine.effect("opening", target) is not None:
            pros.append(("an opening", 1, "mars.gap.maneuver.list"))
    if scene.facts.entries:
        given, taken = circumstances(scene, attacker, target)
        return (*pros, *given), (*cons, *taken)
    return tuple(pros), tuple(cons)


@lru_cache(maxsize=1_024)
def _earlier(penalty: int, attacks: int) -> Part:
    return (
        f"{attacks} earlier attacks" if attacks > 1 else "an earlier attack",
        -penalty * attacks,
        "mars.attack.multiple_attack_penalty",
    )


# ---------------------------------------------------------------------- the attack


def aim(
    scene: Scene,
    who: str,
    wielded: Wielded,
    manner: Manner,
    target: str,
    *,
    step: AttackStep = PLAIN,
    maneuver: str = "",
    resist: str = "",
    skill: str | None = None,
    improvised: bool = False,
    reaction: bool = False,
    halvings: int = 0,
    stray: bool = False,
    turn: Turn | None = None,
) -> Aim:
    """An attack on a target with everything that counts for it; ``turn`` may stand in for the attacker's own."""
    attacker = scene[who]
    turn = attacker.status.turn if turn is None else turn
    me, foe = of_participant(scene, attacker), now(scene, target)
    weapon = wielded.weapon
    parts = _hit_parts(scene, who, turn, me, wielded, manner, target, reaction or turn.reacting)
    parts += rulings(scene, skill or me.weapon_skill(weapon), who) if scene.modifiers else ()
    if step.hit:
        parts.append((maneuver.replace("_", " ") or "trip", step.hit, "mars.gap.maneuver.list"))
    if improvised:
        parts.append(("improvised", IMPROVISED, "mars.maneuver.improvise"))
    kind, off_type = _kind(weapon, foe, step)
    hurting: list[Part] = []
    if off_type:
        parts.append(("against its type", off_type, "mars.gap.maneuver.list"))
        hurting.append(("against its type", off_type, "mars.gap.maneuver.list"))
    pros, cons = sight(scene, who, target, manner)
    if stray:
        cons = (*cons, ("a stray shot", 1, "mars.gap.weapon.stray_shot"))
    to_hit = me.aimed(wielded, manner, skill, tuple(parts), pros, cons)
    if weapon.features.momentum and target in turn.hit and scene.turn == who:
        hurting.append(("momentum", MOMENTUM, "mars.gap.weapon.momentum"))
    if step.damage:
        hurting.append((maneuver.replace("_", " "), step.damage, "mars.gap.maneuver.list"))
    hurting += rulings(scene, "damage", who)
    damage = me.hurting(wielded, manner, tuple(hurting))
    blow = Incoming(
        attacker=who,
        target=target,
        weapon=wielded.key,
        manner=manner,
        attack=to_hit.value,
        damage=damage.value,
        # mars.gap.weapon.bypass, mars.gap.armour.critical_defense
        threshold=max(1, THRESHOLD - weapon.features.bypass + foe.critical_defense + step.threshold),
        critical=weapon.critical,
        category=category_of(kind),
        kind=kind,
        nonlethal=weapon.features.nonlethal,
        halvings=halvings,
        advantage=to_hit.advantage,
        disadvantage=to_hit.disadvantage,
        damage_advantage=damage.advantage,
        damage_disadvantage=damage.disadvantage,
        maneuver=maneuver,
        resist=resist,
        reaction=reaction or turn.reacting,
        sneak=any(part[2] == "mars.attack.sneak" for part in pros),
        stray=stray,
    )
    return Aim(blow, to_hit, damage)


def aimed_at(scene: Scene, blow: Incoming, target: str) -> Aim:
    """A plain attack like a blow under way, as if it were declared now."""
    turn = None if blow.stray else uncounted(scene, blow)
    wielded = now(scene, blow.attacker).weapon(blow.weapon) or struck_with(scene, blow)
    assert wielded is not None
    return aim(scene, blow.attacker, wielded, blow.manner, target, reaction=blow.reaction, stray=blow.stray, turn=turn)


def uncounted(scene: Scene, blow: Incoming) -> Turn:
    """The turn of the attacker before a blow was counted among its attacks, as it was when it was declared."""
    turn: Turn = scene[blow.attacker].status.turn
    if blow.reaction:
        return turn
    return _with_attacks(turn, turn.attacks - 1, turn.attacked[:-1])


_with_attacks = evolver(Turn, "attacks", "attacked")


def turned(blow: Incoming, before: Incoming, after: Incoming) -> Incoming:
    """A blow with a new target: the parts that depend on the target are computed again, the rest stays as declared.

    ``before`` and ``after`` are plain attacks on the two.
    """
    changed = blow.kind != before.kind  # a maneuver has given it another type of damage
    more = after.attack.modifier - before.attack.modifier
    return evolve(
        blow,
        target=after.target,
        attack=RollValue(blow.attack.n, blow.attack.modifier + more),
        total=None if blow.total is None else blow.total + more,
        damage=RollValue(blow.damage.n, blow.damage.modifier + after.damage.modifier - before.damage.modifier),
        threshold=max(1, blow.threshold + after.threshold - before.threshold),
        kind=blow.kind if changed else after.kind,
        category=blow.category if changed else after.category,
        advantage=after.advantage,
        disadvantage=after.disadvantage,
        sneak=after.sneak,
    )


def followed(aimed: Aim, before: Aim, after: Aim) -> Aim:
    """An attack on a target that has moved, dropped or taken cover since: distance and sight are computed again.

    ``before`` and ``after`` are plain attacks as they were then and are now.
    """
    more = after.blow.attack.modifier - before.blow.attack.modifier
    rolled = aimed.to_hit.rolled.add("meanwhile", more, "mars.action.ready") if more else aimed.to_hit.rolled
    pros = _instead(aimed.to_hit.pros, before.to_hit.pros, after.to_hit.pros)
    to_hit = Throw(rolled, pros, _instead(aimed.to_hit.cons, before.to_hit.cons, after.to_hit.cons))
    total = aimed.blow.total
    blow = evolve(
        aimed.blow,
        attack=to_hit.value,
        advantage=to_hit.advantage,
        disadvantage=to_hit.disadvantage,
        total=None if total is None else total + more,
    )
    return Aim(blow, to_hit, aimed.damage)


def _instead(known: tuple[Part, ...], before: tuple[Part, ...], after: tuple[Part, ...]) -> tuple[Part, ...]:
    """Some sources with those of before left out and those of now put in."""
    kept = list(known)
    for source in before:
        if source in kept:
            kept.remove(source)
    return (*kept, *after)


def struck_with(scene: Scene, blow: Incoming) -> Wielded | None:
    """The weapon of a blow, which may have left the hand by now."""
    known = item(blow.weapon.partition("#")[0], scene.library)
    return Wielded(blow.weapon, known, 2 if blow.manner == "shot" else 1) if isinstance(known, Weapon) else None


def retaken(scene: Scene, aimed: Aim, blow: Incoming) -> Aim:
    """Sources of the numbers of a blow after an ally has stepped in."""
    fresh = aimed_at(scene, blow, blow.target)
    to_hit, damage = aimed.to_hit.rolled, aimed.damage.rolled
    to_hit = to_hit.add("another target", blow.attack.modifier - to_hit.value.modifier, "mars.gap.maneuver.list")
    damage = damage.add("another target", blow.damage.modifier - damage.value.modifier, "mars.gap.maneuver.list")
    return Aim(
        blow,
        Throw(to_hit, fresh.to_hit.pros, fresh.to_hit.cons),
        Throw(damage, aimed.damage.pros, aimed.damage.cons),
    )


def _hit_parts(
    scene: Scene, who: str, turn: Turn, me: Now, wielded: Wielded, manner: Manner, target: str, reaction: bool
) -> list[Part]:
    weapon = wielded.weapon
    parts: list[Part] = []
    if turn.attacks and not reaction:
        if not weapon.features.cleave or target in turn.attacked:  # mars.gap.weapon.cleave
            parts.append(_earlier(attack_penalty(weapon), turn.attacks))
        if me.other_weapon and turn.weapon != wielded.key:
            parts.append(("the other weapon", me.other_weapon, "mars.gap.talent.senses"))
    swung = turn.swung(wielded.key)
    if swung and not reaction:
        parts.append(("backswing", swung, "mars.gap.weapon.backswing"))
    if manner != "melee":
        parts += _range_parts(scene, who, weapon, manner, target)
    if _least(weapon) and is_too_close(weapon, distance(scene, who, target)):
        parts.append(("too close", UNFIT, "mars.gap.weapon.unfit"))
    parts += rulings(scene, "attack", who)
    return parts


def _range_parts(scene: Scene, who: str, weapon: Weapon, manner: Manner, target: str) -> list[Part]:
    further = ranges_beyond(weapon, manner, distance(scene, who, target))
    return [("range", -further, "mars.gap.weapon.ranged")] if further else []


def ranges_beyond(weapon: Weapon, manner: Manner, metres: int) -> int:
    """By how many ranges a target is farther away than the first one."""
    reach = flight(weapon, manner)
    return 0 if reach is None else (max(1, metres) - 1) // reach.near


def is_too_close(weapon: Weapon, metres: int) -> bool:
    """True if a weapon is unfit for a target as near as that."""
    return metres <= _least(weapon)


def _least(weapon: Weapon) -> int:
    """Metres up to which a weapon is unfit; 0 if it never is."""
    return max(weapon.features.unfit, int(weapon.features.large))


def _kind(weapon: Weapon, foe: Now, step: AttackStep) -> tuple[str, int]:
    """The type of damage that is reduced least, and the price that a maneuver pays for changing the type."""
    if step.becomes is None:
        if len(weapon.types) == 1:
            return weapon.types[0], 0
        types = weapon.types
        return foe.remember((_kind, types), lambda: min(types, key=lambda kind: foe.reduction(kind).total)), 0
    off = step.off_type if step.becomes not in weapon.types else 0
    if weapon.id == "unarmed":
        off += step.off_type
    return step.becomes, off


def farthest(weapon: Weapon, manner: Manner) -> int:
    """Longest distance of an attack in metres."""
    if manner == "melee":
        return weapon.features.reach
    reach = flight(weapon, manner)
    return reach.far if reach is not None else 0


def flight(weapon: Weapon, manner: Manner) -> Range | None:
    """Range of a shot or throw; weapons that were not made for it can be thrown as well."""
    return weapon.features.ranged if manner == "shot" else weapon.features.thrown or ANYTHING_THROWN


def defending(scene: Scene, blow: Incoming) -> Throw:
    """Roll of the declared defence against a blow."""
    me = now(scene, blow.target)
    if blow.defence == "evade":
        throw = me.roll("EVA").with_parts([*defence_parts(scene, blow), *rulings(scene, "EVA", blow.target)])
    else:
        throw = _deflection(scene, blow)
        value = dict(me.parries).get(blow.with_item) if blow.defence == "parry" else None
        if value is not None:
            label = f"parry with {blow.with_item.replace('_', ' ')}"
            throw = Throw(throw.rolled.add(label, value, PARRY), throw.pros, throw.cons)
    return as_rolled(scene, blow.target, throw, defending=True)


def _deflection(scene: Scene, blow: Incoming) -> Throw:
    """Deflection of the target of a blow; the option on the helpless may replace it."""
    throw = now(scene, blow.target).roll("DEF")
    throw = throw.with_parts([*defence_parts(scene, blow), *rulings(scene, "DEF", blow.target)])
    helpless = scene.options.helpless_defence
    if helpless != "roll" and not scene[blow.target].status.conscious:
        if helpless == "passive":
            return throw.passive(scene.options.odd_roll_values)
        return Throw(Rolled.of("helpless", 0, "mars.effect.unconscious"))
    return throw


def defence_parts(scene: Scene, blow: Incoming) -> tuple[Part, ...]:
    """Parts of every defence against a blow: the bonus for stepping in, and rulings."""
    own: tuple[Part, ...] = (("stepping in", blow.rating, "mars.gap.maneuver.list"),) if blow.rating else ()
    return (*own, *rulings(scene, "defence", blow.target))


def resisting(scene: Scene, blow: Incoming) -> Throw | None:
    """Roll of the target against the effect of a maneuver."""
    if not blow.resist:
        return None
    me = now(scene, blow.target)
    throw = me.roll(blow.resist) if blow.resist in ("FORT", "WILL") else me.skill(blow.resist)  # type: ignore[arg-type]
    throw = ruled(scene, blow.target, blow.resist, throw)
    return as_rolled(scene, blow.target, throw, defending=True)


def reduction(scene: Scene, blow: Incoming) -> Tally:
    """The damage reduction of the target against a blow."""
    return now(scene, blow.target).reduction(blow.kind)


# ---------------------------------------------------------------------- the call of the mechanic


class Faced(NamedTuple):
    """An attack as its target meets it: deflection, the declared defence, and the resist where there is one."""

    deflection: Throw
    defence: Throw
    resist: Throw | None

    @staticmethod
    def of(scene: Scene, blow: Incoming) -> Faced:
        """The rolls of the target of a blow, remembered where no ruling counts."""
        if scene.modifiers:
            return Faced._of(scene, blow)
        conscious = scene[blow.target].status.conscious
        key = (Faced, blow.defence, blow.with_item, blow.rating, blow.resist, conscious)
        return now(scene, blow.target).remember(key, lambda: Faced._of(scene, blow))

    @staticmethod
    def _of(scene: Scene, blow: Incoming) -> Faced:
        defence = defending(scene, blow)
        plain = defence if blow.defence in (None, "deflect") else defending(scene, evolve(blow, defence=None))
        return Faced(plain, defence, resisting(scene, blow))

    def rolls(self, how: Defence) -> Target:
        """The rolls as the mechanic takes them."""
        deflection, defence, resist = self
        whole, plain = defence.value, deflection.value
        luck = (0, 0) if resist is None else (resist.advantage, resist.disadvantage)
        evasion = whole if how == "evade" else None
        parry = RollValue(whole.n - plain.n, whole.modifier - plain.modifier) if how == "parry" else None
        turned = Turned(defence.advantage, defence.disadvantage, *luck)
        return _same(Target(plain, evasion, parry, None if resist is None else resist.value, turned))

    def tallies(self, how: Defence) -> dict[str, Tally]:
        """Sources of the numbers of the declared defence."""
        if how == "evade":
            return self.defence.tallies("evasion", "defence_")
        if how == "deflect" or len(self.defence.rolled.parts) <= len(self.deflection.rolled.parts):
            return self.deflection.tallies("deflection", "defence_")
        parry = Rolled(self.defence.rolled.parts[-1:])
        return {**self.deflection.tallies("deflection", "defence_"), "parry": _tally_of(parry)}


_tally_of = lru_cache(maxsize=1_024)(Rolled.tally)


def attack_call(scene: Scene, blow: Incoming, faced: Faced) -> Call[Attacked]:
    """An attack under way as the mechanic takes it; no one blocks before it has hit."""
    how = blow.defence or "deflect"
    return attack(
        attempt_of(scene, blow),
        faced.rolls(how),
        _wound(blow),
        _same(Body(max(0, reduction(scene, blow).total))),
        _same(Settled(blow.total, how, "no")),
        attack_rules(scene),
    )


def landed_call(scene: Scene, blow: Incoming, shield: Shield | None = None) -> Call[Attacked]:
    """The rest of an attack that has hit, with the shield that takes the blow."""
    assert blow.degree is not None
    between = NO_SHIELD if shield is None else Blocking(shield.armour.block, shield.left)
    body = _same(Body(max(0, reduction(scene, blow).total), between))
    strike = _same(Strike(blow.degree, blow.effect))
    blocks: Blocks = "no" if shield is None else "yes"
    return landed(strike, blow.defence or "deflect", _wound(blow), body, blocks, attack_rules(scene).damage)


def attempt_of(scene: Scene, blow: Incoming) -> Attempt:
    """Roll of the attacker; a passive value in its place where the table uses them for creatures."""
    if scene.options.passive_rolls != "all_npc":
        return _same(Attempt(blow.attack, blow.threshold, Luck(blow.advantage, blow.disadvantage)))
    pros = (("advantage", blow.advantage, None),) if blow.advantage else ()
    cons = (("disadvantage", blow.disadvantage, None),) if blow.disadvantage else ()
    throw = as_rolled(scene, blow.attacker, Throw(Rolled.of("attack", blow.attack), pros, cons))
    return Attempt(throw.value, blow.threshold, Luck(throw.advantage, throw.disadvantage))


def _wound(blow: Incoming) -> Wound:
    luck = (blow.damage_advantage, blow.damage_disadvantage)
    scaling = Scaling(halvings=blow.halvings) if blow.halvings else UNSCALED
    return _same(Wound(blow.damage, blow.critical, blow.category, blow.nonlethal, *luck, scaling))


def _same(record: R) -> R:
    """One object for equal records, which the mechanic has to check only once."""
    kept: R = _records.setdefault(record, record) if len(_records) < MOST_RECORDS else record
    return kept


MOST_RECORDS = 65_536
_records: dict[Any, Any] = {}
