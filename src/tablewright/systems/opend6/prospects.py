"""Prospects of attacks, for bots: the chance to hit and the worth of a hit, as far as anyone can see.

A prospect follows from an attacker and a target. Both are kept as one value each as long as nothing happens to them
that counts for attacks, and what follows is kept with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import Call, odds
from tablewright.engine.odds import expected_value
from tablewright.game.character.belongings import count_of
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.foresight import DecisiveCall
from tablewright.game.play.targeting import distance
from tablewright.game.scene.caching import MOST_REMEMBERED, cached_by_identity, cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.system.rulebook import Rating, Rulebook
from tablewright.systems.opend6.actions.aim import (
    BANDS,
    attack_call,
    band_at,
    bands_at,
    cannot_be_hit,
    defence_of,
    from_target,
    lowness,
    planned,
)
from tablewright.systems.opend6.actions.attack import ATTACKS, Kind, declare, places_to_aim_at, settled
from tablewright.systems.opend6.actions.requirements import apart, within_reach
from tablewright.systems.opend6.character.gear import (
    SKILLS_OF_AGILITY,
    Arm,
    Manner,
    Means,
    arm_of,
    arms,
    arms_by_id,
    known_means,
    means_of,
)
from tablewright.systems.opend6.content import Weapon
from tablewright.systems.opend6.mechanics.attack import aim
from tablewright.systems.opend6.mechanics.blows import LEAST_DIFFICULTY
from tablewright.systems.opend6.mechanics.dice import penalty_dice
from tablewright.systems.opend6.mechanics.harm import RANK, Body, Protection, injure
from tablewright.systems.opend6.mechanics.points import EMPTY, WORTH, Aimed, Terms, Throw
from tablewright.systems.opend6.now import body_of, lost, ought, prepared_for, resistance_of, sturdier, terms
from tablewright.systems.opend6.status import Status
from tablewright.systems.opend6.values import DieCode

HUNDRED = 100
STRIKES = frozenset([action.id for action in ATTACKS])


class Promise(NamedTuple):
    """Promise of an attack: chance to hit in thousandths, and worth of a hit in hundredths."""

    hits: int
    harm: int

    @property
    def worth(self) -> int:
        """Average worth."""
        return self.hits * self.harm // 1_000


NO_PROMISE = Promise(0, 0)


class Mark(NamedTuple):
    """A participant as a target: its defence, its resistance to damage, and its modifiers to be hit."""

    defence: int
    against_missiles: int
    protection: Protection
    body: Body
    low_near: int
    low_far: int
    scale: int
    shoots: bool
    creature: bool
    ought: bool


def mark_of(scene: Scene, them: Participant) -> Mark:
    """The mark of a participant, kept with it as long as nothing happens to it; a ruling can change it."""
    target, known = them.id, them.answers.get(Mark)
    if known is not None and known[1] is scene.options and known[2] is scene.library and not scene.modifiers:
        found: Mark = known[0]
        return found
    made = _same_mark(
        defence_of(scene, target, missile=False).changed,
        defence_of(scene, target, missile=True).changed,
        resistance_of(scene, target, shield=True),
        body_of(scene, target),
        sum([part.changed for part in lowness(them, "short")]),
        sum([part.changed for part in lowness(them, "long")]),
        them.character.scale,
        shoots(scene, target),
        them.character.is_creature,
        ought(them.character),
    )
    if not scene.modifiers:
        them.answers[Mark] = (made, scene.options, scene.library)
    return made


@lru_cache(maxsize=MOST_REMEMBERED)
def _same_mark(*numbers: Any) -> Mark:
    """One shared mark for equal numbers, so that caches find it by identity."""
    return Mark(*numbers)


_Bands: TypeAlias = tuple[str | None, ...]


class Against:
    """Cached prospects of one fighter's attacks on targets that are alike, at one range, by detail and by score."""

    __slots__ = ("bands", "mark", "prospects", "ranked")

    def __init__(self, mark: Mark | None, bands: _Bands) -> None:
        self.mark = mark  # kept, so that no id is used again
        self.bands = bands
        self.prospects: dict[str | None, Prospect] = {}
        self.ranked: dict[tuple[Any, int], list[Ranked]] = {}


Ranked: TypeAlias = tuple[tuple[Any, int, int], Kind, Weapon, Rating]
"""An attack with its rating, after its rank: score, and the negated places of the kind and the arm."""


class Fighter:
    """A participant as an attacker of any target, with a cache of prospects by mark and range."""

    __slots__ = (
        "against",
        "aim",
        "aim_at",
        "arms",
        "bands",
        "facing",
        "lost",
        "means",
        "off_balance",
        "prepared",
        "rolling",
        "scale",
        "seen",
        "tables",
    )

    def __init__(self, scene: Scene, who: str) -> None:
        me = scene[who]
        status: Status = me.status
        self.arms: Mapping[str, Arm] = arms_by_id(scene, who)
        self.means: Mapping[Manner, Means] = known_means(scene, who)
        self.rolling = terms(scene, who)
        self.tables = attack_tables(self.rolling)
        self.lost, self.off_balance = lost(scene, who), status.unbalanced
        self.aim, self.aim_at = min(3, status.aim), status.aim_at
        self.prepared = prepared_for(scene, who).dice if status.prepared else 0
        self.scale = me.character.scale
        self.against: dict[tuple[int, _Bands, bool, str | None], Against] = {}
        self.bands: dict[int, _Bands] = {}
        """Range bands by distance."""
        self.facing: dict[tuple[Any, ...], Facing] = {}
        """By each foe: its id, mark, nearness and bands. Of marks and bands it is the identity; both are kept here."""
        self.seen: dict[tuple[int, ...], tuple[Facing, Any]] = {}
        """By the identity of the ground, of the own position and of each participant on other sides; all kept here."""


_fighters: dict[tuple[Any, ...], Fighter] = {}
MOST_FIGHTERS, MOST_FACING, MOST_AGAINST = 1_024, 256, 1_024


@cached_on_scene
def fighter(scene: Scene, who: str) -> Fighter:
    """The fighter, kept as one object until a figure that attacks depend on changes; positions do not count."""
    if scene.facts.entries or scene.modifiers:
        return Fighter(scene, who)
    status: Status = scene[who].status
    means = known_means(scene, who)  # of this character with these things at this table; kept, so that no id is reused
    aimed = (status.aim, status.aim_at) if status.aim else None
    key = (id(means), lost(scene, who), aimed, status.prepared, status.unbalanced, status.thrown)
    known = _fighters.get(key)
    if known is None:
        if len(_fighters) >= MOST_FIGHTERS:
            _fighters.clear()
        known = _fighters[key] = Fighter(scene, who)
    return known


class Facing:
    """A fighter with all possible targets: the number that can strike back, and cached figures of attacks on each."""

    __slots__ = ("against", "best", "threat", "worths")

    def __init__(self, against: Mapping[str, Against], threat: int) -> None:
        self.against = against
        self.threat = threat
        self.best: dict[int, Promise] = {}
        """The best attack with some dice less."""
        self.worths: dict[tuple[int, bool, tuple[str, ...]], dict[int, int]] = {}
        """Worth of each number of actions, by what of the status counts for it."""


@cached_on_scene
def facing(scene: Scene, who: str) -> Facing:
    """The fighter and its targets, kept as one object until a figure or a range that attacks depend on changes."""
    me, one = fighter(scene, who), scene[who]
    around = (scene.ground, one.position, *[other for other in scene.participants if other.side != one.side])
    as_before = tuple(map(id, around))
    seen = me.seen.get(as_before)
    if seen is not None:
        return seen[0]
    if len(me.seen) >= MOST_FACING:
        me.seen.clear()
    found = _facing(scene, who, me)
    me.seen[as_before] = found, around
    return found


def _facing(scene: Scene, who: str, me: Fighter) -> Facing:
    marks: list[tuple[str, Mark, bool, _Bands]] = []
    numbers: list[Any] = []
    for foe, metres in apart(scene, who):
        bands = me.bands.get(metres)
        if bands is None:
            bands = me.bands[metres] = _same_bands(bands_at(scene, who, metres))
        mark, near = mark_of(scene, foe), metres <= STRIKING_DISTANCE
        marks.append((foe.id, mark, near, bands))
        numbers += foe.id, id(mark), near, id(bands)
    key = tuple(numbers)
    known = me.facing.get(key)
    if known is None:
        if len(me.facing) >= MOST_FACING:
            me.facing.clear()
        against = {foe: _against(scene, me, foe, mark, bands) for foe, mark, _, bands in marks}
        threat = len([foe for foe, mark, near, _ in marks if near or mark.shoots])
        known = me.facing[key] = Facing(against, threat)
    return known


@lru_cache(maxsize=MOST_REMEMBERED)
def _same_bands(bands: _Bands) -> _Bands:
    """The very same for equal ones."""
    return bands


STRIKING_DISTANCE = 4


def on_the_fallen(scene: Scene, who: str, foe: str) -> Against:
    """The same of a foe that has fallen."""
    return _against(scene, fighter(scene, who), foe, None, bands_at(scene, who, distance(scene, who, foe)))


def _against(scene: Scene, me: Fighter, foe: str, mark: Mark | None, bands: _Bands) -> Against:
    """Cached prospects of attacks on a target at a range; targets that are alike share them."""
    key = (id(mark), bands, bool(me.aim) and me.aim_at == foe, foe if scene.facts.entries else None)
    known = me.against.get(key)
    if known is None:
        if len(me.against) >= MOST_AGAINST:
            me.against.clear()
        known = me.against[key] = Against(mark, bands)
    return known


class Prospect(NamedTuple):
    """An attack in the present scene: its roll, its difficulty and its rating."""

    dice: int
    pips: int
    needed: int
    promise: Promise
    rating: Rating


_NO_PROSPECT = Prospect(0, 0, 0, NO_PROMISE, Rating())


def prospect(scene: Scene, who: str, target: str, detail: str | None) -> Prospect:
    """Prospect of an attack, none without its weapon.

    [opend6.gap.attack.hit, opend6.gap.resistance.tie, opend6.gap.resistance.body_points]
    """
    against = facing(scene, who).against.get(target)
    if against is None:
        return _prospect(scene, who, target, detail)
    found = against.prospects.get(detail)
    if found is None:
        found = against.prospects[detail] = _prospect(scene, who, target, detail)
    return found


def _prospect(scene: Scene, who: str, target: str, detail: str | None) -> Prospect:
    me, mark, manner = fighter(scene, who), mark_of(scene, scene[target]), Manner.parse(str(detail))
    arm = me.arms.get(manner.weapon)
    if arm is None:
        return _NO_PROSPECT
    means = me.means.get(manner) or means_of(scene, who, arm.weapon, manner)
    near = band_at(scene, who, distance(scene, who, target), arm.weapon, means.extra_cm) or "long"
    missile = arm.weapon.ranges is not None
    needed = mark.against_missiles if missile else mark.defence
    needed += mark.low_near if near in ("point_blank", "short") else mark.low_far
    larger = me.scale - mark.scale
    if larger > 0 or scene.facts.entries:
        needed += sum([part.changed for part in from_target(scene, who, target)])
    needed += BANDS[near] + means.harder
    needed = max(LEAST_DIFFICULTY, needed) - means.bonus - max(0, -larger)
    dice = means.code.dice - me.lost
    if me.off_balance and means.skill in SKILLS_OF_AGILITY:
        dice -= me.off_balance
    if not missile:
        dice += me.prepared
    elif me.aim_at == target:
        dice += me.aim
    hits = _hits(dice, means.code.pips, needed, me)
    if not hits:
        return _NO_PROSPECT
    plus = means.damage_plain + means.strength_bonus + TYPICAL_BONUS + max(0, larger)
    harm = _harm(means.dealt, sturdier(mark.protection, -larger), mark.body, plus, terms(scene, who, target))
    found = Promise(hits, harm)
    rating = Rating(harm=found.worth + RANK[mark.body.level] * hits // 10)
    return Prospect(dice, means.code.pips, needed, found, rating)


TYPICAL_BONUS = 1
"""Addition to the damage that a typical hit has from its result points."""


def _hits(dice: int, pips: int, needed: int, me: Fighter) -> int:
    """Chance in thousandths that an attack roll reaches a difficulty; 0 for a code that is used up."""
    if dice < 1:
        return 0
    if needed <= 0:
        return 1_000
    table = me.tables.get((dice, pips))
    if table is None:
        table = me.tables[dice, pips] = chances_to_reach(aim(Throw(DieCode(dice, pips)), 0, EMPTY, me.rolling))
    return table[needed] if needed < len(table) else 0


@lru_cache(maxsize=16_384)
def _harm(damage: DieCode, protection: Protection, body: Body, plus: int, rolling: Terms) -> int:
    """Average worth of a hit, in hundredths."""
    spared = expected_value(injure(damage, protection, body, False, plus, rolling))
    return int(HUNDRED * (-spared - WORTH[body.level]))


def best_promise(scene: Scene, who: str, extra: int = 0) -> Promise:
    """Promise of the best attack that is open now, with some dice less."""
    known = facing(scene, who).best
    found = known.get(extra)
    if found is None:
        found = known[extra] = _best_promise(scene, who, extra)
    return found


def _best_promise(scene: Scene, who: str, extra: int) -> Promise:
    best, most = NO_PROMISE, 0
    if extra and not best_promise(scene, who, extra - 1).worth:
        return best  # with fewer dice nothing gets better
    me = fighter(scene, who)
    for unarmed, prospects in _open_prospects(scene, who):
        if unarmed and most:
            continue
        for dice, pips, needed, found, _ in prospects:
            hits = _hits(dice - extra, pips, needed, me) if extra else found.hits
            if hits * found.harm // 1_000 > most:
                best, most = Promise(hits, found.harm), hits * found.harm // 1_000
    return best


@cached_on_scene
def _open_prospects(scene: Scene, who: str) -> list[tuple[bool, Iterable[Prospect]]]:
    """Different prospects of plain attacks that are open now, by weapon, and whether that is the bare hand."""
    found: list[tuple[bool, Iterable[Prospect]]] = []
    for arm in arms(scene, who):
        if has_shots(scene, who, arm):
            foes = within_reach(scene, who, arm.weapon.id, 0)
            hit = [foe.id for foe in foes if not cannot_be_hit(scene, who, foe.id)]
            prospects = [prospect(scene, who, foe, arm.weapon.id) for foe in hit]
            different = {id(one): one for one in prospects}  # foes that are alike share theirs
            found.append((arm.weapon.id == "unarmed", different.values()))
    return found


def best_attack(scene: Scene, who: str, extra: int = 0) -> int:
    """Worth of the best attack that is open now, with some dice less."""
    return best_promise(scene, who, extra).worth


def threat(scene: Scene, who: str) -> int:
    """Number of foes that are near enough to strike."""
    return facing(scene, who).threat


@cached_on_scene
def shoots(scene: Scene, who: str) -> bool:
    """True if a participant has a weapon in hand that reaches far, and something to shoot with it."""
    return any(arm.weapon.ranges is not None and arm.held and has_shots(scene, who, arm) for arm in arms(scene, who))


def has_shots(scene: Scene, who: str, arm: Arm) -> bool:
    """True if there is still something to shoot with a weapon, where it takes something."""
    return not arm.weapon.ammunition or count_of(scene[who].status.belongings, arm.weapon.ammunition) > 0


def worth_of_actions(scene: Scene, who: str) -> Callable[[int], int]:
    """Worth of declaring a number of actions: as many of the best attack, each with fewer dice.

    What has to be loaded takes an action for it before each further shot, or a round; what is too far away to be struck
    is worth one action and no more. [opend6.turn.declare_count]
    """
    status: Status = scene[who].status
    hindered = status.grip is not None or bool(status.tangled) or status.posture == "prone"
    on = (status.quick, hindered, status.unloaded)
    known = facing(scene, who).worths.setdefault(on, {})

    def worth(count: int) -> int:
        found = known.get(count)
        if found is None:
            found = known[count] = _worth_of_actions(scene, who, count, *on)
        return found

    return worth


def _worth_of_actions(scene: Scene, who: str, count: int, quick: int, hindered: bool, unloaded: tuple[str, ...]) -> int:
    less = penalty_dice(count, 1 + quick)
    attack = 0 if hindered else best_attack(scene, who, less)
    if not attack:
        return -less
    weapon = arms(scene, who)[0].weapon
    if weapon.reload != "none":
        loaded = weapon.id not in unloaded
        shots = (count + loaded) // 2 if weapon.reload == "action" else int(loaded)
        return attack * shots - less
    if unloaded:
        return -less
    return attack * count - 40 * less * min(2, threat(scene, who))


# ---------------------------------------------------------------------- looking ahead


@cached_by_identity
def attack_tables(rolling: Terms) -> dict[tuple[int, int], list[int]]:
    """Cache of a table's attack rolls: the chance in thousandths that each code reaches each total."""
    return {}


def chances_to_reach(call: Call[Aimed]) -> list[int]:
    """Chance in thousandths that a roll reaches each total."""
    left, reached = Fraction(1), list[int]()
    by_total: dict[int, Fraction] = {}
    for aimed, share in odds(call).fractions():
        by_total[aimed.total] = by_total.get(aimed.total, Fraction(0)) + share
    for shown in range(max(by_total) + 1):
        reached.append(int(left * 1_000))
        left -= by_total.get(shown, Fraction(0))
        if not reached[-1]:
            break
    return reached


def decisive_attack(_: Rulebook, scene: Scene, who: str, use: ActionUse) -> DecisiveCall | None:
    """An attack as one rule, if no one spends anything or comes between; None for other actions."""
    if use.action not in STRIKES or scene.options.free_partial == "ask" or scene.options.thrown_range == "rolled":
        return None
    manner, target = Manner.parse(str(use.detail)), str(use.target)
    arm = arm_of(scene, who, manner.weapon)
    if arm is None:
        return None
    places = places_to_aim_at(scene, manner, target)
    if places and not manner.at:
        manner = manner._replace(at=places[0])
    plan = planned(scene, who, target, arm.weapon, manner)
    if not settled(scene, plan):
        return None
    return DecisiveCall(scene, attack_call(scene, plan), lambda game, result: declare(game, plan, result))
