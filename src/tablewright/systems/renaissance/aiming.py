"""From two people in a scene to the numbers of an attack: targets with every modifier, defences, what the blow does."""

from __future__ import annotations

from typing import Any, NamedTuple

from tablewright.engine import Call, Seat, Tally
from tablewright.game.actions import Refused
from tablewright.game.ground import Grid, Position
from tablewright.game.lasting import Lasting
from tablewright.game.remembering import by_identity, of_scene
from tablewright.game.scene import Participant, Scene
from tablewright.game.standing import distance
from tablewright.systems.renaissance.attack import attack
from tablewright.systems.renaissance.blows import (
    PLAIN_ATTACK,
    Defence,
    FightRules,
    InjuryRules,
    Strike,
    multiple_penalty,
    off_hand_penalty,
)
from tablewright.systems.renaissance.character.figures import senses
from tablewright.systems.renaissance.character.giving import race_of
from tablewright.systems.renaissance.character.seeing import SENSES, in_words, light_penalty, sees_in
from tablewright.systems.renaissance.content import Strike as StrikeEntry
from tablewright.systems.renaissance.now import Arm, Goal, Now, Piece, now, now_of
from tablewright.systems.renaissance.options import RenaissanceOptions
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
    helpless,
)
from tablewright.systems.renaissance.values import DV

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
"""What strikes are called by what they bring about."""

MOST_LUCK = 20
"""The points that an attack takes account of on each side: more than anybody can have (renaissance.luck.limit)."""


def metres(scene: Scene, who: str, other: str) -> int:
    """How far two are from each other in a straight line, rounded to the nearest metre (renaissance.grid.distance)."""
    return distance(scene, who, other)


def adjacent(scene: Scene, who: str, other: str) -> bool:
    """Whether two stand in adjacent squares; where nobody has a place everybody is next to everybody."""
    return in_reach(scene, who, other, 1)


def in_reach(scene: Scene, who: str, other: str, reach: int) -> bool:
    """Whether somebody reaches another: all adjacent squares, and what is as near as that in a straight line."""
    return next_to(scene, scene[who].position, scene[other].position, reach)


def next_to(scene: Scene, here: Position | None, there: Position | None, reach: int = 1) -> bool:
    """Whether two places are within a reach; what has no place is next to everything."""
    if here is None or there is None:
        return True
    touching = isinstance(scene.ground, Grid) and touches(here, there)
    return touching or scene.ground.within(here, there, reach)


def touches(here: Position, there: Position) -> bool:
    """Whether one square is another or one of the eight around it (renaissance.grid.squares)."""
    return max(abs(here.x - there.x), abs(here.y - there.y)) <= 1


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


def why_out_of_range(scene: Scene, who: str, other: str, arm: Arm) -> str | Refused | None:
    """Why somebody cannot be attacked from here; None if they can."""
    if scene.facts.entries and cover_of(scene, who, scene[other]) == "total":
        return Refused("behind total cover", "renaissance.gap.hazard.cover")
    if not arm.ranged:
        return None if in_reach(scene, who, other, arm.reach) else "out of reach"
    return None if range_category(scene, who, other, arm) is not None else "out of range"


@of_scene
def ranges(scene: Scene, who: str, other: str) -> dict[str, str | Refused | None]:
    """For every way in which somebody can attack, by its key: why another is not reached with it; None if they are."""
    return {arm.key: why_out_of_range(scene, who, other, arm) for arm in now(scene, who).arms}


@of_scene
def can_attack(scene: Scene, who: str, foe: str) -> bool:
    """Whether somebody can be attacked from here with anything that is wielded."""
    return None in ranges(scene, who, foe).values()


class Aim(NamedTuple):
    """An attack ready to be made: the call, where its numbers come from, and the weapon."""

    call: Call[Any]
    tallies: dict[str, Tally]
    arm: Arm
    unaware: bool


def is_unaware(scene: Scene, who: str, foe: Participant) -> bool:
    """Whether a target does not know that it is attacked by somebody."""
    status: Status = foe.status
    return scene[who].hidden or any(held.id == UNAWARE for held in status.lasting)


@of_scene
def attack_goal(scene: Scene, who: str, target: str, arm: Arm) -> Goal:
    """The target of an attack with everything that the situation adds."""
    foe = scene[target]
    me, them = now(scene, who), now_of(scene, foe)
    status: Status = scene[who].status
    more: list[Piece] = []
    if arm.ranged:
        more += _at_range(range_category(scene, who, foe.id, arm))
        more += _point_blank(scene, who, foe.id, arm.attack.skill)
    more += _of_target(foe, them, ranged=arm.ranged)
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
    more += _between(scene, who, foe)
    goal = me.with_weapon(arm).plus(more)
    return with_rulings(scene, goal, who, "attack", arm.attack.skill)


def _at_range(category: str | None) -> list[Piece]:
    if category is None or not RANGES[category]:
        return []
    return [Piece(f"{category} range", RANGES[category], "renaissance.ranged.range_modifiers")]


def _point_blank(scene: Scene, who: str, foe: str, skill: str) -> list[Piece]:
    if skill not in AIMED_SKILLS or not adjacent(scene, who, foe):
        return []
    return [Piece("point-blank", POINT_BLANK, "renaissance.ranged.point_blank")]


def _of_target(foe: Participant, them: Now, *, ranged: bool) -> list[Piece]:
    """What a target's size and its lying on the ground do for every attack on it."""
    found: list[Piece] = []
    if ranged and AT_RANGE[them.numbers.size_at_range]:
        size = AT_RANGE[them.numbers.size_at_range]
        found.append(Piece(f"{them.numbers.size_at_range} target", size, "renaissance.size.combat"))
    if foe.status.lasting and foe.status.has(PRONE):
        found.append(Piece("prone target", -10 if ranged else 10, "renaissance.prone.effects"))
    return found


def _between(scene: Scene, who: str, foe: Participant) -> list[Piece]:
    """What cover, light, help and rivalry do for every attack of somebody on another."""
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


def _rivalry(held: Lasting, other: str) -> Piece:
    """What a rival is worth to a duelist whom somebody opposes: the rival, or anybody else."""
    return Piece("rival", held.degree if held.by == other else int(held.data), "renaissance.gap.class.list")


def duel(scene: Scene, who: str, other: str) -> list[Piece]:
    """What rivalry does for a check of a combat skill that another opposes, or where it opposes another."""
    return [_rivalry(held, other) for held in scene[who].status.lasting if held.id == RIVAL]


def cover_of(scene: Scene, who: str, foe: Participant) -> str:
    """The cover that somebody has from another: as the game master says, or partial in smoke; the better one counts."""
    said = str(scene.facts.get("cover", foe.id, who) or "") if scene.facts.entries else ""
    smoke = "partial" if foe.status.lasting and foe.status.has(COVERED) else ""
    return max(said, smoke, key=_COVERS.index) if said in _COVERS else smoke


_COVERS = ("", "minimal", "partial", "total")


def in_the_light(scene: Scene, who: str, foe: str) -> list[Piece]:
    """What the light takes from somebody who looks at another, as the game master said what it is."""
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


@of_scene
def defences(scene: Scene, who: str, target: str, arm: Arm) -> tuple[tuple[str, Goal], ...]:
    """Every way in which a target can defend against an attack; those that another one beats in all are left out."""
    return tuple(_undominated(all_defences(scene, who, target, arm)))


def all_defences(scene: Scene, who: str, target: str, arm: Arm) -> list[tuple[str, Goal]]:
    """Every way in which a target can defend against an attack, however poor."""
    foe = scene[target]
    if any(arm.weapon.has(tag) for tag in NO_DEFENCE_TAGS):
        return []
    return _all_ways(scene, who, foe, [], ranged=arm.ranged, unarmed=arm.unarmed)


def _all_ways(
    scene: Scene, who: str, foe: Participant, more: list[Piece], *, ranged: bool, unarmed: bool
) -> list[tuple[str, Goal]]:
    """Every way to defend against an attack of a kind, with what counts for all of them."""
    if helpless(foe) or is_unaware(scene, who, foe):
        return []
    them = now_of(scene, foe)
    movement: list[str] = []
    rivals: list[Piece] = []
    for held in foe.status.lasting:
        if held.id == GUARDED:
            more.append(Piece("full defense", held.degree, "renaissance.defense.full_defense"))
        elif held.id == COWED:
            more.append(Piece("cowed", held.degree, "renaissance.gap.class.list"))
        elif held.id == FEINTED:
            more.append(Piece("feinted", held.degree, "renaissance.maneuver.feint"))
        elif held.id == WEAVING:
            more.append(Piece("weaving", held.degree, "renaissance.defense.movement_skill"))
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


def _undominated(found: list[tuple[str, Goal]]) -> list[tuple[str, Goal]]:
    kept: list[tuple[str, Goal]] = []
    for name, goal in sorted(found, key=lambda one: -one[1].total):
        bare = goal.total + goal.penalties
        if all(bare > other.total + other.penalties for _, other in kept):
            kept.append((name, goal))
    return kept


# ---------------------------------------------------------------------- the blow


@of_scene
def strikes_for(scene: Scene, arm: Arm) -> tuple[Strike, ...]:
    """The strikes that can be tried with a weapon."""
    if not scene.options.strikes_and_maneuvers or any(arm.weapon.has(tag) for tag in NO_DEFENCE_TAGS):
        return ()
    return tuple(
        [
            Strike(CALLED[one.result], one.penalty)
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


def vulnerability_of(them: Now, tags: tuple[str, ...]) -> int:
    """Vulnerabilities less resistances of somebody to the tags of an attack."""
    resists = them.numbers.resists
    worn = them.numbers.worn.resists
    return -sum([resists.get(tag, 0) + worn.count(tag) for tag in tags]) if resists or worn else 0


def clash_rules(scene: Scene) -> FightRules:
    """How this table reads an attack that meets a defence."""
    return _clash_rules(scene.options)


@by_identity
def _clash_rules(options: RenaissanceOptions) -> FightRules:
    return FightRules(*[getattr(options, name) for name in FightRules._fields])


@by_identity
def _fight_rules(options: RenaissanceOptions) -> tuple[Any, ...]:
    """How this table reads attacks: the last arguments of the mechanic."""
    injury = [getattr(options, name) for name in InjuryRules._fields]
    return (options.luck_per_check, *_clash_rules(options), *injury)


PRIVATE = {"luck": Seat.ACTOR, "their_luck": Seat.OPPONENT, "left": Seat.OPPONENT}


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
    """An attack of somebody on a target with a weapon; ``extra`` is further DV, such as of a braced weapon.

    ``holds`` is what its margin has to exceed to grab instead of to hurt (renaissance.grab.mos_over_str).
    """
    numbers = _facing(scene, who, target, arm, extra)
    declared = (Strike(*strike),) if strike.result else ()
    chosen = holds, not strike.result, ignoring, numbers.daring, dares
    call = Call(attack, (*numbers.first, declared, *numbers.between, *chosen, *numbers.last))
    tallies = {"target": attack_goal(scene, who, target, arm).tally()} if told else {}
    against = defences(scene, who, target, arm) if told else ()
    if against:
        tallies["defences"] = against[0][1].tally()
    return Aim(call, tallies, arm, numbers.unaware)


class Facing(NamedTuple):
    """What of an attack does not hang on how it is made: arguments of the mechanic, in the order it takes them."""

    first: tuple[Any, ...]
    between: tuple[int, ...]
    daring: int
    last: tuple[Any, ...]
    unaware: bool


@of_scene
def _facing(scene: Scene, who: str, target: str, arm: Arm, extra: int) -> Facing:
    """Somebody with a weapon in front of a target: asked once for all strikes that are compared."""
    foe = scene[target]
    me, them = now_of(scene, scene[who]), now_of(scene, foe)
    goal = attack_goal(scene, who, target, arm)
    unaware = helpless(foe) or is_unaware(scene, who, foe)
    status: Status = foe.status
    balance, footing = them.number("SOM*3"), them.number("SOM*2")
    first = (
        goal.total,
        damage_of(scene, who, arm, unaware=unaware, extra=extra),
        tuple([Defence(name, one.total, one.penalties) for name, one in defences(scene, who, target, arm)]),
        them.numbers.armor,
        arm.ap,
        them.numbers.WT,
        None if status.has(PRONE) else balance.total,
        balance.penalties,
        them.wounds_to_negate,
        footing.total,
        max(0, status.durability - status.damage),
        goal.penalties,
        min(me.felt.luck, MOST_LUCK),
        min(status.luck, MOST_LUCK),
    )
    matching = vulnerability_of(them, arm.weapon.tags), vulnerability_of(them, ("precision",))
    last = (them.daring, me.graded(arm.attack.skill), *_fight_rules(scene.options))
    return Facing(first, (me.numbers.DB, *matching), me.daring, last, unaware)


# ---------------------------------------------------------------------- touching and pointing


def near_goal(scene: Scene, who: str, target: str, *, touch: bool, category: str = "short") -> Goal:
    """The target of an attack that needs only a touch or a pointing finger.

    The better of an aptitude formula and the skills that serve (renaissance.touch.attack, renaissance.indicate.attack).
    """
    foe = scene[target]
    me, them = now_of(scene, scene[who]), now_of(scene, foe)
    rule = "renaissance.touch.attack" if touch else "renaissance.indicate.attack"
    skills = ("unarmed_combat",) if touch else AIMED_SKILLS
    if _near_rule(scene, touch=touch) == "plus_coo":
        skill = "unarmed_combat" if touch else "projectile_weapons"
        coo = Piece("COO", me.numbers.figure("COO"), rule)
        best = me.skill(skill).plus([*_point_blank(scene, who, target, skill), coo])
    else:
        trained = [me.skill(one).plus(_point_blank(scene, who, target, one)) for one in skills]
        best = max([me.number("COO+REF+SOM" if touch else "COO+COO+REF"), *trained], key=lambda goal: goal.total)
        best = best.plus([Piece("a touch is enough" if touch else "pointing is enough", 20, rule)])
    more = [*_at_range(None if touch else category), *_of_target(foe, them, ranged=not touch)]
    return with_rulings(scene, best.plus([*more, *_between(scene, who, foe)]), who, "attack", *skills)


def _near_rule(scene: Scene, *, touch: bool) -> str:
    return str(scene.options.touch_attack_rule if touch else scene.options.indicate_attack_rule)


def near_defences(scene: Scene, who: str, foe: str, *, touch: bool) -> tuple[Defence, ...]:
    """How a target can avoid to be touched or pointed at: as against every attack, with less hope."""
    rule = "renaissance.touch.attack" if touch else "renaissance.indicate.attack"
    less = 30 if _near_rule(scene, touch=touch) == "plus_coo" else 20
    lessened = [Piece("hardly to be avoided", -less, rule)]
    found = _all_ways(scene, who, scene[foe], lessened, ranged=not touch, unarmed=True)
    daring = now(scene, foe).daring
    return tuple([Defence(name, goal.total, goal.penalties, daring) for name, goal in _undominated(found)])
