"""Preparation of an attack: from a scene to the arguments of the mechanic."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import Call, Role, Tally, choose
from tablewright.engine.cache import BoundedCache
from tablewright.game.play.actions import Refusal
from tablewright.game.play.effects import Effect
from tablewright.game.play.targeting import distance
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.renaissance.character.figures import race_of, senses
from tablewright.systems.renaissance.content import Strike as StrikeEntry
from tablewright.systems.renaissance.harm import table_of
from tablewright.systems.renaissance.mechanics.attack import (
    Attacked,
    Attacker,
    Attempt,
    Declared,
    Foe,
    Striking,
    Table,
    attack,
    strikable,
)
from tablewright.systems.renaissance.mechanics.harm import (
    NO_RESERVE,
    PLAIN_ATTACK,
    PRECISE,
    Body,
    Defence,
    Strike,
    multiple_penalty,
    off_hand_penalty,
)
from tablewright.systems.renaissance.now import (
    SENSES,
    Arm,
    Goal,
    Now,
    Piece,
    adjacent,
    in_reach,
    in_words,
    light_penalty,
    now,
    now_of,
    sees_in,
    vulnerability_of,
)
from tablewright.systems.renaissance.status import (
    ASSISTED,
    COVERED,
    COWED,
    FEINTED,
    GUARDED,
    PRONE,
    RIVAL,
    UNAWARE,
    WEAVING,
    Status,
    conditions_of,
    helpless,
)
from tablewright.systems.renaissance.values import DV

IGNORED, DARED = "renaissance.luck.ignore_penalties", "renaissance.gap.class.daredevil"


async def lucky_aim(game: Game, who: str, target: str, aimed: Callable[[], Goal]) -> tuple[Goal, int]:
    """The target of the attack with the Luck that is spent before its roll, and how many points that takes."""

    def find() -> list[Striking]:
        me, goal = now(game.scene, who), aimed()
        return strikable((), goal.penalties, min(me.luck, MOST_LUCK), daring=me.daring, target=goal.total)

    offered = find()
    how = offered[0]
    if len(offered) > 1:
        about = {"who": who, "target": target, "open": not game[who].hidden}
        how = await choose(game.seat(who), "which Luck before the roll?", find, details=about)
    goal, more = aimed(), []
    if how.ignores:
        more.append(Piece("penalties ignored", goal.penalties, IGNORED))
    if how.dares:
        more.append(Piece("daring", now(game.scene, who).daring, DARED))
    return goal.plus(more), how.spent


RANGES = {"short": 0, "medium": -10, "long": -20, "extreme": -30}  # renaissance.ranged.range_modifiers
CATEGORIES = tuple(RANGES)
POINT_BLANK = -20
AIMED_SKILLS = ("projectile_weapons", "thrown_weapons")
COVER = {"minimal": -10, "partial": -30}  # renaissance.gap.hazard.cover
AT_RANGE = {"small": -10, "medium": 0, "large": 10}  # renaissance.size.combat
NO_DEFENCE_TAGS = ("blast", "splash")
CALLED = {
    "location": "called_shot",
    "knock_down": "knock_down",
    "maim": "maim",
    "damage_bonus": "mighty_blow",
    "ap_bonus": "armor_gap",
}
"""Names of the book's strikes by their results."""

MOST_LUCK = 20
"""Most Luck points that an attack considers on each side; no character has more (renaissance.luck.limit)."""


def metres(scene: Scene, who: str, other: str) -> int:
    """Distance in a straight line as the ground of the scene measures it, rounded to the nearest metre
    (renaissance.grid.distance, renaissance.grid.other_maps)."""
    return distance(scene, who, other)


def range_category(scene: Scene, who: str, other: str, arm: Arm) -> str | None:
    """Short, medium, long or extreme; None beyond the last (renaissance.ranged.range_modifiers)."""
    return category_of(metres(scene, who, other), arm)


def category_of(apart: int, arm: Arm) -> str | None:
    """The category of a distance for a weapon, limits included."""
    names = arm.attack.categories or CATEGORIES
    for name, limit in zip(names, arm.attack.ranges, strict=False):
        if apart <= limit:
            return name
    return None


def why_out_of_range(scene: Scene, who: str, other: str, arm: Arm) -> str | Refusal | None:
    """Reason why a target cannot be attacked from here; None if it can."""
    if scene.facts.entries and cover_of(scene, who, scene[other]) == "total":
        return Refusal("behind total cover", "renaissance.gap.hazard.cover")
    if not arm.ranged:
        return None if in_reach(scene, who, other, arm.reach) else "out of reach"
    return None if range_category(scene, who, other, arm) is not None else "out of range"


@cached_on_scene
def ranges(scene: Scene, who: str, other: str) -> dict[str, str | Refusal | None]:
    """Reason why each way to attack does not reach a target, by its key; None if it does."""
    found: dict[str, str | Refusal | None] = {}
    by_reach: dict[int, str | Refusal | None] = {}
    for arm in now(scene, who).arms:
        if arm.ranged:
            found[arm.key] = why_out_of_range(scene, who, other, arm)
            continue
        reach = arm.reach
        if reach not in by_reach:
            by_reach[reach] = why_out_of_range(scene, who, other, arm)
        found[arm.key] = by_reach[reach]
    return found


@cached_on_scene
def can_attack(scene: Scene, who: str, foe: str) -> bool:
    """True if a participant can be attacked from here with anything that is wielded."""
    return None in ranges(scene, who, foe).values()


class Aim(NamedTuple):
    """An attack ready to be made: the call, where its numbers come from, and the weapon."""

    call: Call[Any]
    tallies: dict[str, Tally]
    arm: Arm
    unaware: bool


def is_unaware(scene: Scene, who: str, foe: Participant) -> bool:
    """True if a target does not know of its attacker."""
    status: Status = foe.status
    return scene[who].hidden or any(held.id == UNAWARE for held in status.lasting)


@cached_on_scene
def attack_goal(scene: Scene, who: str, target: str, arm: Arm) -> Goal:
    """The target of an attack with everything that the situation adds."""
    foe = scene[target]
    me, them = now(scene, who), now_of(scene, foe)
    status: Status = scene[who].status
    more: list[Piece] = []
    if arm.ranged:
        more += at_range(range_category(scene, who, foe.id, arm))
        more += point_blank(scene, who, foe.id, arm.attack.skill)
    more += of_target(foe, them, ranged=arm.ranged)
    if arm.unarmed and scene.options.unarmed_penalty and them.armed:
        more.append(Piece("unarmed against armed", -10, "renaissance.unarmed.attack_penalty"))
    hand = off_hand_penalty(arm.hand, arm.weapon.has("off_hand"), me.numbers.ambidextrous)
    if hand:
        more.append(Piece("off hand", hand, "renaissance.multi.off_hand"))
    turn = status.turn
    if turn.volley_of:
        blast = any(arm.weapon.has(tag) for tag in NO_DEFENCE_TAGS)
        general = scene.options.multiple_target_scope == "general"
        aimed_at = 2 if turn.spread and not blast else 1
        several = multiple_penalty(1 if turn.sweeps else turn.volley_of, aimed_at, general=general)
        if several:
            label, rule = ("several targets", "targets_scope") if turn.sweeps else ("multiple attacks", "attacks")
            more.append(Piece(label, several, f"renaissance.multi.{rule}"))
    more += between(scene, who, foe)
    goal = me.with_weapon(arm).plus(more)
    return with_rulings(scene, goal, who, "attack", arm.attack.skill)


def at_range(category: str | None) -> list[Piece]:
    if category is None or not RANGES[category]:
        return []
    return [Piece(f"{category} range", RANGES[category], "renaissance.ranged.range_modifiers")]


def point_blank(scene: Scene, who: str, foe: str, skill: str) -> list[Piece]:
    if skill not in AIMED_SKILLS or not adjacent(scene, who, foe):
        return []
    return [Piece("point-blank", POINT_BLANK, "renaissance.ranged.point_blank")]


def of_target(foe: Participant, them: Now, *, ranged: bool) -> list[Piece]:
    """Modifiers of every attack on a target by its size and its conditions."""
    found: list[Piece] = []
    if ranged and AT_RANGE[them.numbers.size_at_range]:
        size = AT_RANGE[them.numbers.size_at_range]
        found.append(Piece(f"{them.numbers.size_at_range} target", size, "renaissance.size.combat"))
    for one in conditions_of(foe.status, them.library):
        against = one.ranged_against if ranged else one.melee_against
        if against:
            rule = "renaissance.prone.effects" if one.id == PRONE else "renaissance.condition.framework"
            found.append(Piece(f"{one.name.lower()} target", against, rule))
    return found


def between(scene: Scene, who: str, foe: Participant) -> list[Piece]:
    """Modifiers of every attack from cover, light, help and rivalry."""
    found: list[Piece] = []
    cover = cover_of(scene, who, foe)
    if cover in COVER:
        found.append(Piece(f"{cover} cover", COVER[cover], "renaissance.gap.hazard.cover"))
    if scene.facts.entries:
        found += in_the_light(scene, who, foe.id)
    for held in scene[who].status.lasting:
        if held.id == ASSISTED:
            found.append(Piece("assisted", held.degree, "renaissance.modifier.assist"))
        elif held.id == RIVAL:
            found.append(_rivalry(held, foe.id))
    return found


def _rivalry(held: Effect, other: str) -> Piece:
    """Modifier of a duelist against an opponent: the rival, or anyone else."""
    return Piece("rival", held.degree if held.by == other else int(held.data), "renaissance.gap.class.list")


def duel(scene: Scene, who: str, other: str) -> list[Piece]:
    """Modifiers of rivalry on an opposed check of a combat skill."""
    return [_rivalry(held, other) for held in scene[who].status.lasting if held.id == RIVAL]


def cover_of(scene: Scene, who: str, foe: Participant) -> str:
    """Cover of a target: as the game master says, or partial in smoke; the better one counts."""
    said = str(scene.facts.get("cover", foe.id, who) or "") if scene.facts.entries else ""
    smoke = "partial" if foe.status.lasting and foe.status.has(COVERED) else ""
    return max(said, smoke, key=_COVERS.index) if said in _COVERS else smoke


_COVERS = ("", "minimal", "partial", "total")


def in_the_light(scene: Scene, who: str, foe: str) -> list[Piece]:
    """Penalty of the light that the game master set, for one participant who looks at another."""
    found: list[Piece] = []
    me = now(scene, who)
    light = str(scene.facts.get("light", foe, who) or "bright")
    race = race_of(scene[foe].character, scene.library)
    warm = race is None or race.warm
    if light_penalty(light) and not sees_in(light, senses(me.character, me.library), warm=warm):
        found.append(Piece(in_words(light), light_penalty(light), SENSES))
    return found


def with_rulings(scene: Scene, goal: Goal, who: str, *words: str) -> Goal:
    """A target with whatever the game master added to it."""
    if not scene.modifiers:
        return goal
    more = [Piece(one.reason, one.value, "") for one in scene.modifiers if one.what in words and one.who in (None, who)]
    return goal.plus(more)


# ---------------------------------------------------------------------- defences


@cached_on_scene
def defences(scene: Scene, who: str, target: str, arm: Arm) -> tuple[tuple[str, Goal], ...]:
    """Every way in which a target can defend against an attack; those that another one beats in all are left out."""
    return tuple(undominated(all_defences(scene, who, target, arm)))


def all_defences(scene: Scene, who: str, target: str, arm: Arm) -> list[tuple[str, Goal]]:
    """Every way in which a target can defend against an attack, however poor."""
    foe = scene[target]
    if any(arm.weapon.has(tag) for tag in NO_DEFENCE_TAGS):
        return []
    return all_ways(scene, who, foe, [], ranged=arm.ranged, unarmed=arm.unarmed)


_GUARDS = {
    GUARDED: ("full defense", "renaissance.defense.full_defense"),
    COWED: ("cowed", "renaissance.gap.class.list"),
    FEINTED: ("feinted", "renaissance.maneuver.feint"),
    WEAVING: ("weaving", "renaissance.defense.movement_skill"),
}


def guard_of(status: Status) -> list[Piece]:
    """Modifiers of every defence: full defense, a feint, and other effects."""
    held = [(one, *_GUARDS[one.id]) for one in status.lasting if one.id in _GUARDS]
    return [Piece(label, one.degree, rule) for one, label, rule in held]


def all_ways(
    scene: Scene, who: str, foe: Participant, more: list[Piece], *, ranged: bool, unarmed: bool
) -> list[tuple[str, Goal]]:
    """Every way to defend against an attack of a kind, with what counts for all of them."""
    if helpless(foe) or is_unaware(scene, who, foe):
        return []
    if any(one.no_defense for one in conditions_of(foe.status, scene.library)):
        return []
    them = now_of(scene, foe)
    movement: list[str] = []
    rivals: list[Piece] = []
    more += guard_of(foe.status)
    for held in foe.status.lasting:
        if held.id == WEAVING:
            movement.append(held.source)
        elif held.id == RIVAL:
            rivals.append(_rivalry(held, who))
    armed = [*more, *rivals]  # rivals count for combat skills
    found = [("fray", them.skill("fray").plus(armed))]
    if not ranged:
        for name, goal, bare in them.parries:
            bare_hands = bare and scene.options.unarmed_penalty and not unarmed
            extra = [*armed, Piece("bare hands", -10, "renaissance.unarmed.defense_penalty")] if bare_hands else armed
            found.append((name, goal.plus(extra)))
    found += [(name, them.skill(name).plus(more)) for name in movement]
    if scene.modifiers:
        found = [(name, with_rulings(scene, goal, foe.id, "defence", name)) for name, goal in found]
    return found


def undominated(found: list[tuple[str, Goal]]) -> list[tuple[str, Goal]]:
    kept: list[tuple[str, Goal]] = []
    for name, goal in sorted(found, key=lambda one: -one[1].total):
        bare = goal.total + goal.penalties
        if all(bare > other.total + other.penalties for _, other in kept):
            kept.append((name, goal))
    return kept


# ---------------------------------------------------------------------- the blow


@cached_on_scene
def strikes_for(scene: Scene, arm: Arm) -> tuple[Strike, ...]:
    """The strikes that can be tried with a weapon."""
    if not scene.options.strikes_and_maneuvers or any(arm.weapon.has(tag) for tag in NO_DEFENCE_TAGS):
        return ()
    return tuple(
        [
            Strike(CALLED[one.result], one.penalty, "" if one.id == CALLED[one.result] else one.id)
            for one in scene.library.of(StrikeEntry)
            if not (one.melee_only and arm.ranged)
        ]
    )


def damage_of(scene: Scene, who: str, arm: Arm, *, unaware: bool, extra: int = 0) -> DV:
    """The DV of an attack with every flat bonus that is known before it."""
    me, dv = now(scene, who), arm.dv
    dice = dv.dice + (me.sneak_dice if unaware else 0)
    charge = me.numbers.DB if scene.turn == who and scene[who].status.turn.far else 0
    return dv._replace(dice=dice, plus=dv.plus + charge + extra)


PRIVATE = {"luck": Role.ACTOR, "their_luck": Role.OPPONENT, "left": Role.OPPONENT}


def aim(
    scene: Scene,
    who: str,
    target: str,
    arm: Arm,
    *,
    extra: int = 0,
    told: bool = True,
    holds: int | None = None,
    strike: Strike = PLAIN_ATTACK,
    ignoring: bool | None = False,
    dares: bool | None = False,
) -> Aim:
    """An attack on a target with a weapon; ``extra`` is further DV, such as of a braced weapon.

    ``holds`` is what its margin has to exceed to grab instead of to hurt (renaissance.grab.mos_over_str).
    """
    met = facing(scene, who, target, arm, extra)
    call = met.call(scene, strike, declare(strike, holds, ignoring, dares))
    tallies = {"target": attack_goal(scene, who, target, arm).tally()} if told else {}
    against = defences(scene, who, target, arm) if told else ()
    if against:
        tallies["defences"] = against[0][1].tally()
    return Aim(call, tallies, arm, met.unaware)


def aim_as_seen(
    scene: Scene, who: str, target: str, arm: Arm, how: Striking, *, extra: int = 0, less: int = 0
) -> Call[Attacked]:
    """An attack as far as the attacker can know it: nothing of the target's reserves and Luck, but who is down is seen.

    Of the own Luck only what is meant to be spent before the roll counts: what may be done after it is left aside.
    """
    met = _facing_as_seen(scene, who, target, arm, extra)
    if less:
        met = met._replace(attempt=met.attempt._replace(target=met.attempt.target - less))
    if how.spent:
        met = met._replace(attacker=_attacker(how.spent, *met.attacker[1:]))
    return met.call(scene, how.strike, declare(how.strike, None, how.ignores, how.dares))


@lru_cache(maxsize=1_024)
def declare(strike: Strike, holds: int | None, ignoring: bool | None, dares: bool | None) -> Declared:
    """A strike or a plain attack as it is declared; the same one is the same object."""
    return Declared((Strike(*strike),) if strike.result else (), not strike.result, holds, ignoring, dares)


class Facing(NamedTuple):
    """An attacker with a weapon in front of a target: everything that is the same for every strike."""

    attempt: Attempt
    body: Body
    attacker: Attacker
    foe: Foe
    table: Table
    unaware: bool

    def call(self, scene: Scene, strike: Strike, declared: Declared) -> Call[Attacked]:
        """The attack with a strike; it has the Precision tag if its entry in the content says so."""
        attempt, entry = self.attempt, strike.id
        if attempt.precision and scene.library.has(StrikeEntry, entry):
            if not scene.library.get(StrikeEntry, entry).precision:
                attempt = attempt._replace(precision=0)
            elif strike.result not in PRECISE:
                both = attempt.vulnerability + attempt.precision
                attempt = attempt._replace(vulnerability=both, precision=0)
        return attack(attempt, self.body, self.attacker, self.foe, declared, self.table)


@cached_on_scene
def _facing_as_seen(scene: Scene, who: str, target: str, arm: Arm, extra: int) -> Facing:
    """The same by what the attacker knows, without Luck: the target cannot ignore penalties either."""
    attempt, body, attacker, foe, table, unaware = facing(scene, who, target, arm, extra)
    armor, threshold, balance, _, negated, left = body
    seen = _body(armor, threshold, balance, 0, negated, NO_RESERVE if left else 0)
    return Facing(attempt, seen, _attacker(0, *attacker[1:]), _foe(0, *foe[1:]), table, unaware)


_body, _attacker, _foe = lru_cache(maxsize=512)(Body), lru_cache(maxsize=512)(Attacker), lru_cache(maxsize=512)(Foe)
"""Records that come again, as the same objects."""


@cached_on_scene
def facing(scene: Scene, who: str, target: str, arm: Arm, extra: int) -> Facing:
    """An attacker with a weapon in front of a target, found once for all scenes in which the two stand alike."""
    foe = scene[target]
    if scene.modifiers or scene.facts.entries:
        return find_facing(scene, who, foe, arm, extra)
    key = (*_standing(scene, who, target, arm), extra)
    known = _known.peek(key)
    if known is None:
        known = find_facing(scene, who, foe, arm, extra)
        _known.put(key, known)
    left = _left(foe.status)
    return known if known.body.left == left else known._replace(body=_body(*known.body[:-1], left))


_known: BoundedCache[tuple[Any, ...], Facing] = BoundedCache(16_384)
"""Attackers in front of their targets, by everything that counts for it besides rulings and the damage taken."""


def _standing(scene: Scene, who: str, target: str, arm: Arm) -> tuple[Any, ...]:
    """Everything that an attack reads of a scene without rulings, besides the damage that the target has taken."""
    ranged = (range_category(scene, who, target, arm), adjacent(scene, who, target)) if arm.ranged else None
    return _opposed(scene, who, target), arm, ranged


@cached_on_scene
def _opposed(scene: Scene, who: str, target: str) -> tuple[Any, ...]:
    """Everything that attacks with all arms read of the two."""
    one, foe = scene[who], scene[target]
    turn, mine, theirs = one.status.turn, one.status.lasting, foe.status.lasting
    held = tuple([(rank, *_seen(effect)) for rank, effects in enumerate((mine, theirs)) for effect in effects])
    return (
        now_of(scene, one),
        now_of(scene, foe),
        helpless(foe),
        one.hidden,
        (turn.volley_of, turn.spread, turn.sweeps, scene.turn == who and turn.far),
        held and (held, who, target),
    )


def _seen(effect: Effect) -> tuple[Any, ...]:
    return effect.id, effect.degree, effect.source, effect.by, effect.data if effect.id == RIVAL else None


def _left(status: Status) -> int:
    """Damage that a target can still take before it is disabled."""
    return max(0, status.durability - status.damage)


def find_facing(scene: Scene, who: str, foe: Participant, arm: Arm, extra: int) -> Facing:
    """The same without a look at scenes of before."""
    target = foe.id
    me, them = now_of(scene, scene[who]), now_of(scene, foe)
    goal = attack_goal(scene, who, target, arm).bounded
    unaware = helpless(foe) or is_unaware(scene, who, foe)
    status: Status = foe.status
    balance, footing = them.number("SOM*3"), them.number("SOM*2")
    attempt = Attempt(
        goal.total,
        damage_of(scene, who, arm, unaware=unaware, extra=extra),
        tuple([Defence(name, one.total, one.penalties) for name, one in defences(scene, who, target, arm)]),
        arm.ap,
        goal.penalties,
        vulnerability_of(them, arm.weapon.tags),
        vulnerability_of(them, ("precision",)),
        me.graded(arm.attack.skill),
    )
    body = Body(
        them.numbers.armor,
        them.numbers.WT,
        None if status.has(PRONE) else balance.total,
        balance.penalties,
        them.wounds_to_negate,
        _left(status),
    )
    attacker = Attacker(min(me.felt.luck, MOST_LUCK), me.daring, me.numbers.DB)
    theirs = Foe(min(status.luck, MOST_LUCK), them.daring, footing.total)
    return Facing(attempt, body, attacker, theirs, table_of(scene.options), unaware)
