"""The smallest frame for the nine spiritual skills: four depths, what they take, what they do and what they cost."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tablewright.dice import Die, Sum
from tablewright.engine import Call, Mechanic, Param, Seat, mechanic, process, roll
from tablewright.engine.settings import spelled_out
from tablewright.errors import RulesSayNo
from tablewright.game.content import Library
from tablewright.game.events import Event
from tablewright.game.passing import let_time_pass
from tablewright.game.scene import Live, Scene
from tablewright.game.trading import Who
from tablewright.systems.marchen.character import MarchenCharacter
from tablewright.systems.marchen.content import Depth
from tablewright.systems.marchen.events import Harmed, Healed, Maneuvered
from tablewright.systems.marchen.harm import aftermath
from tablewright.systems.marchen.mechanics import PLAIN, Modifier, Table, TheAdvantage, TheCore, TheDifficulty, check
from tablewright.systems.marchen.now import body, how_checked, skill_tally
from tablewright.systems.marchen.suffering import (
    NOTHING,
    ArmourRating,
    Endure,
    FaceModifier,
    Suffered,
    Taken,
    Threshold,
    suffer,
    word_of,
    worth,
    wounded,
)
from tablewright.systems.marchen.tables import Advantage
from tablewright.systems.marchen.timing import ticks_of
from tablewright.systems.marchen.values import SPIRITUAL, Aspect, SkillId

CAST, PRICE, LEVEL = "marchen.gap.casting.depths", "marchen.gap.casting.price", "marchen.gap.casting.level"
Purpose: TypeAlias = Literal["harm", "heal", "other"]
PRICE_DICE = {"costly": 1, "catastrophic": 2}


class Cast(NamedTuple):
    """How a deed of the spirit went: its degree, what it did to another, how much it healed, what it cost."""

    degree: str
    hurt: Suffered
    healed: int
    price: Suffered


def good(cast: Cast) -> int:
    """What it is worth to the caster."""
    return worth(cast.hurt) + cast.healed - worth(cast.price) // 2


@mechanic(
    rules=["marchen.gap.casting.depths", "marchen.gap.casting.price"],
    objectives={"good": good, "success": lambda cast: int(cast.degree not in ("catastrophic", "costly", "fail"))},
)
@spelled_out
async def cast(
    modifier: Modifier = 0,
    depth: Annotated[int, Param("how deep it goes: sense 1, shape 2, weave 3, govern 4", 1, 4)] = 2,
    difficulty: TheDifficulty = "average",
    purpose: Annotated[Purpose, Param("whether it harms, heals or does something else")] = "harm",
    cost: Annotated[int, Param("spiritual damage that a success costs", 0, 4)] = 1,
    advantage: TheAdvantage = "none",
    armour: ArmourRating = 0,
    endure: Endure = 0,
    taken: Taken = 0,
    threshold: Threshold = 14,
    face_modifier: FaceModifier = 0,
    own_taken: Taken = 0,
    own_threshold: Threshold = 14,
    own_face: FaceModifier = 0,
    core: TheCore = "2d6",
    table: Table = PLAIN,
) -> Cast:
    """A check of a spiritual skill; its depth says how hard it is, how much it does, and what it costs the caster."""
    won, degree = await check(core, difficulty, modifier, advantage, 0, 0, False, *table, "per_die").map(
        lambda result: (result.success, word_of(result))
    )
    own = (own_taken, own_threshold, own_face, core, False)
    if not won:
        dice = PRICE_DICE.get(degree, 0)
        if not dice:
            return Cast(degree, NOTHING, 0, NOTHING)
        lost = await roll(Sum.copies(dice, Die(6)))
        return Cast(degree, NOTHING, 0, await suffer(lost, 0, *own, *table))
    hurt, healed = NOTHING, 0
    if purpose == "harm":
        wound = await wounded(depth, 0, armour, 0, 0, "dice")
        hurt = await suffer(wound.damage, endure, taken, threshold, face_modifier, core, True, *table).across()
    elif purpose == "heal":
        healed = await roll(Sum.copies(depth, Die(6)))
    return Cast(degree, hurt, healed, await suffer(cost, 0, *own, *table))


# ---------------------------------------------------------------------- who can do what


def level_in(character: MarchenCharacter, skill: SkillId) -> int:
    """The higher of skill and specialization; -1 for the unlearned."""
    level = character.level(skill)
    if level is None:
        return -1
    return max([level, *[one.level for one in character.specializations if one.skill == skill]])


def adept_in(character: MarchenCharacter, depth: int) -> SkillId | None:
    """The spiritual skill in which somebody is best, if it is deep enough."""
    best = max(SPIRITUAL, key=lambda skill: level_in(character, skill))
    return best if level_in(character, best) >= depth else None


def depth_named(name: str, library: Library) -> Depth:
    """A depth by its id."""
    found: Depth = library.get(Depth, name)
    return found


def why_not(character: MarchenCharacter, skill: SkillId, depth: Depth) -> str | None:
    """Why somebody cannot go so deep; None if they can."""
    level = level_in(character, skill)
    if level >= depth.depth:
        return None
    return f"{depth.name} takes level {depth.depth} in {skill}, {character.name} has {max(level, 0)}"


def cast_call(
    scene: Scene, who: str, target: str | None, skill: SkillId, depth: Depth, purpose: Purpose, aspect: Aspect
) -> tuple[Call[Cast], dict[str, Any]]:
    """A deed of the spirit as it stands now, and how it is asked: with its tally, and what is whose secret."""
    tally = skill_tally(scene, who, skill)
    core, table = how_checked(scene.options)
    mine = body(scene, who, "spiritual")
    theirs = body(scene, target or who, aspect)
    luck: Advantage = "disadvantage" if scene[who].status.hindered else "none"
    called = cast(
        tally.total,
        depth.depth,
        depth.difficulty,
        purpose,
        depth.cost,
        luck,
        theirs.armour,
        *theirs[2:],
        *mine[3:],
        core,
        *table,
    )
    hidden = dict.fromkeys(("endure", "taken", "threshold", "face_modifier"), Seat.OPPONENT)
    hidden |= dict.fromkeys(("own_taken", "own_threshold", "own_face"), Seat.ACTOR)
    return called, {"tallies": {"modifier": tally}, "private": hidden}


async def work_magic(
    game: Live, who: str, target: str | None, skill: SkillId, depth: Depth, purpose: Purpose, aspect: Aspect
) -> Cast:
    """Do a deed of the spirit, on somebody where it harms or heals."""
    called, how = cast_call(game.scene, who, target, skill, depth, purpose, aspect)
    result: Cast = await called.by(game.seat(who), None if target is None else game.seat(target), **how)
    events: list[Event] = [
        Maneuvered(
            who=who, what=f"{depth.name} by {skill}", degree=result.degree, control=game[who].status.control, cause=CAST
        )
    ]
    if target is not None and result.hurt != NOTHING:
        events.append(Harmed(who=target, aspect=aspect, suffered=result.hurt, cause=CAST))
    if target is not None and result.healed:
        healed = min(result.healed, getattr(game[target].status, aspect))
        if healed:
            events.append(Healed(who=target, aspect=aspect, amount=healed, cause=CAST))
    if result.price != NOTHING:
        events.append(Harmed(who=who, aspect="spiritual", suffered=result.price, cause=PRICE))
    for event in events:
        game.emit(event)
    if target is not None:
        await aftermath(game, target, aspect, result.hurt)
    await aftermath(game, who, "spiritual", result.price)
    return result


@process(rules=["marchen.gap.casting.depths", "marchen.gap.casting.level", "marchen.gap.casting.price"])
async def cast_deed(
    game: Live,
    who: Who,
    skill: Annotated[SkillId, Param("one of the nine spiritual skills")],
    depth: Annotated[Literal["sense", "shape", "weave", "govern"], Param("how deep it goes")] = "sense",
    purpose: Annotated[Purpose, Param("whether it harms, heals or does something else")] = "other",
    target: Annotated[str, Param("on whom, where it harms or heals")] = "",
    aspect: Annotated[Aspect, Param("which aspect it harms or heals")] = "physical",
) -> Cast:
    """A deed of one of the spiritual skills, outside of a fight as well; it takes the time of its depth."""
    who = game[who].id
    on = game[target].id if target else None
    found = depth_named(depth, game.scene.library)
    if skill not in SPIRITUAL:
        raise RulesSayNo(f"{skill} is no spiritual skill", rule=CAST)
    if purpose != "other" and on is None:
        raise RulesSayNo(f"to {purpose} takes somebody", rule=CAST)
    refused = why_not(game[who].character, skill, found)
    if refused is not None:
        raise RulesSayNo(refused, rule=LEVEL)
    result = await work_magic(game, who, on, skill, found, purpose, aspect)
    if found.time != "significant":
        await let_time_pass(game, ticks_of(found.time), cause=CAST)
    return result


MAGIC: tuple[Mechanic[..., Any], ...] = (cast,)
PROCESSES = (cast_deed,)
