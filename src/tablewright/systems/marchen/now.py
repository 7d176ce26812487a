"""Figures of a participant at this moment of a scene: rolls, weapons and their modifiers.

Everything that does not change in a fight is worked out once for a character; the rest are small additions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from tablewright.engine import Tally
from tablewright.game.character.belongings import Belongings
from tablewright.game.content.library import Library
from tablewright.game.ground.facts import ANYONE
from tablewright.game.narration.phrases import article, weapon_phrase
from tablewright.game.play.checks import Subject
from tablewright.game.play.targeting import distance
from tablewright.game.scene.caching import MOST_REMEMBERED, cached_by_identity, cached_on_scene
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.marchen.character.figures import (
    PUSHED,
    best_specialization,
    damage_dice,
    damage_tier,
    figures,
    handling,
    harder,
    hurt_at,
    score_modifier,
    weapons,
    worn_armour,
)
from tablewright.systems.marchen.character.figures import armour as armour_of
from tablewright.systems.marchen.character.record import HAND, SOUND, MarchenCharacter
from tablewright.systems.marchen.content import Assault, Weapon
from tablewright.systems.marchen.mechanics.attack import FightTable, Own
from tablewright.systems.marchen.mechanics.checks import Table
from tablewright.systems.marchen.mechanics.clash import ClashTable
from tablewright.systems.marchen.mechanics.dice import Advantage, advantage_of
from tablewright.systems.marchen.mechanics.harm import Bearing, Body
from tablewright.systems.marchen.modifiers import (
    CIRCUMSTANCE,
    REACTION_DM,
    Parts,
    boons_in,
    circumstance,
    helped,
    modifier_tally,
    score_rule,
    skill_parts,
    table_of,
)
from tablewright.systems.marchen.options import Core, MarchenOptions
from tablewright.systems.marchen.status import Status, society
from tablewright.systems.marchen.values import (
    ASPECT_OF,
    BANDS,
    CHARACTERISTIC_OF,
    METRES,
    SKILL_ASPECT,
    SKILLS,
    Aspect,
    Band,
    Characteristic,
    SkillId,
)

ASSAULT_BAND: Band = "catch"
BEYOND = -3
TOUCH = METRES["touch"]
COVER = {"half": -1, "three_quarters": -2, "full": -4}
LIGHT = {"low": -1, "dark": -4}


class Arms(NamedTuple):
    """A way to attack: a weapon in hand, the same thrown, or an assault on another aspect than the body.

    ``base`` is everything that is added to the check and does not change in a fight.
    """

    id: str
    name: str
    item: str
    aspect: Aspect
    skill: SkillId
    specialization: str
    dice: int
    tier: int
    plus: int
    band: Band
    reach: int
    melee: bool
    thrown: bool
    reload: bool
    base: int
    parts: tuple[tuple[str, int, str | None], ...]

    @property
    def parries(self) -> bool:
        """True if a defender can parry with these arms, and whether they can be parried."""
        return self.melee and self.aspect == "physical"

    @property
    def means(self) -> str:
        """The arms as a tool: "with the sword", "with a snub (social)"."""
        if self.aspect != "physical":
            return f"with {article(self.name.lower())} ({self.aspect})"
        return weapon_phrase(self.name)


def _base(character: MarchenCharacter, options: MarchenOptions, skill: SkillId, specialization: str) -> Parts:
    characteristic = CHARACTERISTIC_OF[skill]
    known = figures(character, options).modifiers
    parts: Parts = [(name, known[name], score_rule(name)) for name in (ASPECT_OF[characteristic], characteristic)]
    return parts + skill_parts(character, skill, specialization, options)


def _with_weapon(character: MarchenCharacter, options: MarchenOptions, weapon: Weapon, worn: int) -> Iterator[Arms]:
    special = best_specialization(character, weapon)
    parts = _base(character, options, weapon.skill, special)
    parts += handling(character, weapon, worn)
    more = harder(character, weapon)
    melee = weapon.skill != "ranged_combat"
    muscle = figures(character, options).muscle
    base = sum([value for _, value, _ in parts])
    # marchen.gap.damage.formula, marchen.gap.quality.effects: what is added to damage is never below nothing
    dice, told = damage_dice(weapon, options), tuple([part for part in parts if part[1]])
    held = Arms(
        weapon.id,
        weapon.name,
        weapon.id,
        "physical",
        weapon.skill,
        special,
        dice,
        damage_tier(weapon, options),
        max(0, more + (muscle if melee else 0)),
        weapon.band,
        weapon.reach,
        melee,
        False,
        weapon.reload,
        base,
        told,
    )
    yield held
    if weapon.thrown is not None:
        yield held._replace(
            id=f"{weapon.id}/thrown",
            name=f"{weapon.name}, thrown",
            plus=max(0, more + muscle),
            band=weapon.thrown,
            reach=0,
            melee=False,
            thrown=True,
            reload=False,
        )


def _assaults(character: MarchenCharacter, options: MarchenOptions, library: Library) -> Iterator[Arms]:
    """The strongest assault on each other aspect that a participant is skilled enough for (marchen.gap.assault.levels).

    So many dice take such a level in the skill itself; specializations do not count for it.
    """
    best: dict[Aspect, Arms] = {}
    for assault in library.of(Assault):
        for skill in assault.skills:
            level = character.level(skill)
            if level is None:
                continue
            if max(1, level) < assault.dice:
                continue
            parts = _base(character, options, skill, "")
            base = sum([value for _, value, _ in parts])
            found = best.get(assault.aspect)
            if found is not None and (found.dice, found.base) >= (assault.dice, base):
                continue
            best[assault.aspect] = Arms(
                assault.id,
                assault.name,
                "",
                assault.aspect,
                skill,
                "",
                assault.dice,
                assault.tier,
                0,
                ASSAULT_BAND,
                0,
                False,
                False,
                False,
                base,
                tuple([part for part in parts if part[1]]),
            )
    yield from best.values()


@cached_by_identity
def _arms(
    character: MarchenCharacter, belongings: Belongings, options: MarchenOptions, library: Library
) -> dict[str, Arms]:
    worn = {one.item: SOUND - (SOUND if one.left is None else one.left) for one in belongings if one.place == HAND}
    found: list[Arms] = []
    for weapon in weapons(character, library, belongings):
        found += _with_weapon(character, options, weapon, worn.get(weapon.id, 0))
    if any(arms.id != "unarmed" and arms.melee for arms in found):
        found = [arms for arms in found if arms.id != "unarmed"]  # bare hands are for those who have nothing better
    found += _assaults(character, options, library)
    return {arms.id: arms for arms in found}


@cached_on_scene
def arms_of(scene: Scene, who: str) -> dict[str, Arms]:
    """Every way of a participant to attack now, by id."""
    one = scene[who]
    return _arms(one.character, one.status.belongings, scene.options, scene.library)


metres_to = cached_on_scene(distance)
"""Metres between two participants, which a turn asks for again and again."""


R = TypeVar("R")


_records: dict[Any, Any] = {}


def kept(record: R) -> R:
    """The first record that equals this one: a mechanic checks the same record only once."""
    if len(_records) >= MOST_REMEMBERED:
        _records.clear()
    found: R = _records.setdefault(record, record)
    return found


# ---------------------------------------------------------------------- hindrances


def limit(scene: Scene, one: Participant, aspect: Aspect) -> int:
    """The threshold of an aspect of a participant."""
    return figures(one.character, scene.options).thresholds[aspect]


def is_hurt(scene: Scene, one: Participant, aspect: Aspect) -> bool:
    """True if a participant is hurt: damage of at least half the threshold."""
    taken: int = getattr(one.status, aspect)
    return bool(taken) and taken >= hurt_at(limit(scene, one, aspect))


@cached_on_scene
def hurt_anywhere(scene: Scene, who: str) -> bool:
    """True if a participant is hurt in any aspect, as everyone can see."""
    one = scene[who]
    status: Status = one.status
    if not (status.physical or status.mental or status.social or status.spiritual):
        return False
    return any(is_hurt(scene, one, aspect) for aspect in FOUR)


FOUR: tuple[Aspect, ...] = ("physical", "mental", "social", "spiritual")


def harm_dm(scene: Scene, one: Participant, aspect: Aspect) -> int:
    """The DM of harm on checks of an aspect: being hurt, conditions, and the weight of facing the end."""
    return -int(is_hurt(scene, one, aspect)) + lasting_dm(one, aspect)


def lasting_dm(one: Participant, aspect: Aspect) -> int:
    """The DM of harm without being hurt, for enduring and for facing the end."""
    status: Status = one.status
    dm = 0
    for condition in status.conditions:
        if condition.aspect == aspect:
            dm -= 1
    if status.weight:
        dm -= sum(status.weight.values())
    return dm


def moment_dm(scene: Scene, one: Participant, what: str) -> int:
    """The DM of recent acts and preparations on a check."""
    status: Status = one.status
    if not status.nexts and not one.character.boons:
        return REACTION_DM * status.reactions
    return sum([value for _, value, _ in moment_parts(scene, one, what)])


def moment_parts(scene: Scene, one: Participant, what: str) -> Parts:
    """The parts of the DM of recent acts; songs are one reason of help, however many there are."""
    waits = helped(subject_of(scene, one.id), what)
    songs = circumstance(waits.reasons, 0, scene.options.circumstance_stack)
    return [*waits.parts, ("circumstances", songs, CIRCUMSTANCE)] if songs else waits.parts


def prepared(one: Participant, what: str) -> tuple[str, ...]:
    """The names of the boons that a check of something uses up by itself (marchen.week.secure_advantage)."""
    return tuple([boon.name for boon in boons_in(one.character, what, "")])


def society_dm(scene: Scene, one: Participant, aspect: Aspect) -> int:
    """The DM of standing in the society here on checks of an aspect (marchen.month.sparring)."""
    character: MarchenCharacter = one.character
    if not character.raises:
        return 0
    here = score_modifier(character, aspect, scene.options, (society(scene),))
    return here - figures(character, scene.options).modifiers[aspect]


@cached_on_scene
def passing_dm(scene: Scene, who: str, skill: SkillId) -> int:
    """The DM on checks of a skill that changes in a fight: standing here, harm, recent acts."""
    one, aspect = scene[who], SKILL_ASPECT[skill]
    return society_dm(scene, one, aspect) + harm_dm(scene, one, aspect) + moment_dm(scene, one, skill)


def harm_parts(scene: Scene, one: Participant, aspect: Aspect) -> Parts:
    """The parts of the DM of harm on checks of an aspect."""
    status: Status = one.status
    parts: Parts = [("hurt", -int(is_hurt(scene, one, aspect)), "marchen.gap.threshold.hurt")]
    parts += [(found.name, -1, "marchen.resource.tracks") for found in status.conditions if found.aspect == aspect]
    parts += [(f"{name}: faced the end", -value, "marchen.gap.face.outcomes") for name, value in status.weight.items()]
    return parts


@cached_on_scene
def body(scene: Scene, who: str, aspect: Aspect) -> Body:
    """The defence of an aspect against a hit."""
    one = scene[who]
    status: Status = one.status
    options: MarchenOptions = scene.options
    mine = figures(one.character, options)
    pushed: Characteristic = PUSHED[aspect]
    lasting, here = lasting_dm(one, aspect), society_dm(scene, one, aspect)
    endure = mine.modifiers[pushed] + lasting
    if options.characteristic_check_adds_aspect:
        endure += mine.modifiers[aspect] + here
    facing = mine.modifiers[aspect] + here + lasting
    bearing = Bearing(endure, getattr(status, aspect), mine.thresholds[aspect], facing)
    return kept(Body(*protection(scene, one, aspect), bearing))


def protection(scene: Scene, one: Participant, aspect: Aspect) -> tuple[int, int]:
    """The armour of an aspect, and the points of it where damage goes by tiers."""
    options: MarchenOptions = scene.options
    protected = _protection(one.character, one.status.belongings, options, scene.library)[aspect]
    if options.damage_model == "tiers" and aspect == "physical":
        return 0, max(0, protected - one.status.soaked)
    return protected, 0


@cached_on_scene
def own_body(scene: Scene, who: str, aspect: Aspect) -> Own:
    """The body of an attacker, which the foe's answer meets."""
    return kept(Own.of(body(scene, who, aspect)))


@cached_by_identity
def _protection(
    character: MarchenCharacter, belongings: Belongings, options: MarchenOptions, library: Library
) -> dict[Aspect, int]:
    return {aspect: armour_of(character, aspect, options, library, belongings).total for aspect in FOUR}


@cached_by_identity
def shield_parry(belongings: Belongings, library: Library) -> int:
    """The bonus of a shield on a parry."""
    return sum([item.parry for item in worn_armour(belongings, library)])


# ---------------------------------------------------------------------- an attack


def range_dm(arms: Arms, metres: int) -> int | None:
    """The DM for the distance; None where the weapon does not go so far.

    Hand weapons reach as far as they reach; what is shot, thrown or said goes one band beyond its own with a DM.
    """
    near, far = ranges_of(arms.band, arms.reach, arms.melee)
    if metres <= near:
        return 0
    return BEYOND if metres <= far else None


@lru_cache(maxsize=256)
def ranges_of(band: Band, reach: int, melee: bool) -> tuple[int, int]:
    """Metres that arms reach without a DM, and at all (marchen.gap.range.bands)."""
    if melee:
        return METRES[band] + reach, METRES[band] + reach
    beyond = BANDS[BANDS.index(band) :][1:2]
    return METRES[band], METRES[beyond[0] if beyond else band]


@cached_on_scene
def threatened(scene: Scene, who: str) -> bool:
    """True if a foe who stands is in touch."""
    side = scene[who].side
    for one in scene.participants:
        if one.side == side or not one.present or one.status.down or one.hidden:
            continue
        if metres_to(scene, who, one.id) <= TOUCH:
            return True
    return False


@cached_on_scene
def in_melee(scene: Scene, who: str, target: str) -> bool:
    """True if an ally of the attacker is in touch with the target; one in hiding is not in the melee."""
    side = scene[who].side
    for one in scene.participants:
        if one.side != side or one.id == who or not one.present or one.status.down or one.hidden:
            continue
        if metres_to(scene, target, one.id) <= TOUCH:
            return True
    return False


def situation(scene: Scene, who: str, target: str, arms: Arms) -> Parts:
    """The DMs of an attack from where people stand: distance, cover, stance, light, friends in the way, defence."""
    metres = metres_to(scene, who, target)
    foe: Status = scene[target].status
    parts: Parts = []
    far = range_dm(arms, metres)
    if far:
        parts.append(("beyond its range", far, "marchen.gap.range.bands"))
    if arms.aspect == "physical":
        if foe.stance == "prone":
            if metres > METRES["catch"]:
                parts.append(("prone target", -2, "marchen.gap.fight.dms"))
            elif metres <= TOUCH:
                parts.append(("prone target", 2, "marchen.gap.fight.dms"))
        if not arms.melee and in_melee(scene, who, target):
            parts.append(("into a melee", -2, "marchen.gap.fight.dms"))
        if scene.facts.entries:
            cover = COVER.get(str(scene.facts.get("cover", target, who)), 0)
            parts.append(("cover", cover, "marchen.gap.fight.dms"))
    if scene.facts.entries:
        light = LIGHT.get(str(scene.facts.get("light", target) or scene.facts.get("light", ANYONE)), 0)
        parts.append(("light", light, "marchen.gap.fight.dms"))
    for held in foe.lasting:
        if held.id == "guarded":
            parts.append(("guarded", -held.degree, "marchen.ounces.take_defensive_action"))
    mine: Status = scene[who].status
    if mine.aim:
        parts.append(("aim", mine.aim, "marchen.gap.fight.aim"))
    return parts


def advantage_now(scene: Scene, who: str, arms: Arms) -> Advantage:
    """Disadvantage for shooting with a foe in touch, and for lost momentum."""
    hindered = int(scene[who].status.hindered)
    if not arms.melee and arms.aspect == "physical" and threatened(scene, who):
        hindered += 1  # marchen.gap.range.threatened
    return advantage_of(0, hindered)


def attack_dm(scene: Scene, who: str, target: str, arms: Arms) -> int:
    """The whole modifier of an attack."""
    total = arms.base + passing_dm(scene, who, arms.skill)
    for _, value, _ in situation(scene, who, target, arms):
        total += value
    if scene.modifiers:
        total += scene.apply_rulings(Tally.of("", 0), "attack", who).total
    return total


def attack_tally(scene: Scene, who: str, target: str, arms: Arms, *more: tuple[str, int, str | None]) -> Tally:
    """The tally of the modifier of an attack."""
    return arms_tally(scene, who, arms, *situation(scene, who, target, arms), *more)


def arms_tally(scene: Scene, who: str, arms: Arms, *more: tuple[str, int, str | None]) -> Tally:
    """The tally of fighting with some arms, against anyone."""
    one, aspect = scene[who], SKILL_ASPECT[arms.skill]
    tally = Tally.of(arms.name, 0, "marchen.check.skill")
    parts = [
        *arms.parts,
        ("standing here", society_dm(scene, one, aspect), score_rule(aspect)),
        *harm_parts(scene, one, aspect),
        *moment_parts(scene, one, arms.skill),
        *more,
    ]
    tally = tally.add_all([part for part in parts if part[1]])
    return scene.apply_rulings(tally, "attack", who)


def dice_of_damage(scene: Scene, arms: Arms) -> int:
    """The dice of an attack, or its tier where damage goes by tiers."""
    return arms.tier if scene.options.damage_model == "tiers" else arms.dice


def strikes_back(scene: Scene, who: str, target: str) -> Arms | None:
    """The best arms to strike back with at this distance; None if nothing reaches."""
    metres = metres_to(scene, who, target)
    best: Arms | None = None
    for arms in arms_of(scene, who).values():
        if arms.aspect != "physical" or arms.id in scene[who].status.unloaded or arms.thrown:
            continue
        if range_dm(arms, metres) is None:
            continue
        if best is None or (arms.base + 2 * arms.dice) > (best.base + 2 * best.dice):
            best = arms
    return best


@cached_by_identity
def how_checked(options: MarchenOptions) -> tuple[Core, Table]:
    """The campaign's dice and how its checks are read."""
    return options.core, table_of(options)


@cached_by_identity
def fight_table(options: MarchenOptions) -> FightTable:
    """The options of a table that attacks read."""
    return FightTable(options.core, options.damage_bonus, options.damage_model, table_of(options))


@cached_by_identity
def clash_table(options: MarchenOptions) -> ClashTable:
    """The options of a table that clashes read."""
    return ClashTable(options.core, options.damage_bonus, options.damage_model, options.opposed_tie, table_of(options))


def subject_of(scene: Scene, who: str) -> Subject:
    """A participant as the subject of a check."""
    one = scene[who]
    return Subject(one.character, scene.options, scene.library, one.status, scene, who)


@cached_by_identity
def _bases(character: MarchenCharacter, options: MarchenOptions) -> dict[str, int]:
    """Modifiers of every skill, as far as they do not change."""
    return {skill: sum([value for _, value, _ in _base(character, options, skill, "")]) for skill in SKILLS}


def skill_total(scene: Scene, who: str, skill: SkillId) -> int:
    """The whole modifier of a check of a skill in a scene."""
    total = _bases(scene[who].character, scene.options)[skill] + passing_dm(scene, who, skill)
    return total + scene.apply_rulings(Tally.of("", 0), skill, who).total if scene.modifiers else total


class Ready(NamedTuple):
    """A check about to be made: its tally, its luck, and the boons that it uses up."""

    tally: Tally
    luck: Advantage
    boons: tuple[str, ...] = ()


def lucks(made: Iterable[Ready]) -> tuple[Advantage, ...]:
    """The luck of each one of several who make a check; nothing where none of them has any."""
    found = tuple([one.luck for one in made])
    return found if any(luck != "none" for luck in found) else ()


def readied(
    scene: Scene,
    who: str,
    what: str,
    *more: tuple[str, int, str | None],
    specialization: str = "",
    advantages: int = 0,
    boon: str = "",
    matter: str = "",
) -> Ready:
    """A check of a skill, characteristic or aspect as a participant would make it now.

    A specialization counts where it is the one that is meant, and a boon where it is named or the matter is its own.
    """
    subject = subject_of(scene, who)
    tally = modifier_tally(subject, what, specialization=specialization)
    waits = helped(subject, what, boon, matter)
    tally = tally.add("circumstances", circumstance(waits.reasons, 0, scene.options.circumstance_stack), CIRCUMSTANCE)
    tally = scene.apply_rulings(tally.add_all([part for part in (*waits.parts, *more) if part[1]]), what, who)
    return Ready(tally, advantage_of(advantages, int(scene[who].status.hindered)), waits.boons)
