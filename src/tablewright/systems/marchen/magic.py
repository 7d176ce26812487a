"""The smallest frame for the nine spiritual skills: four depths, what they take, what they do and what they cost."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tablewright.engine import Call, Param, Seat, process
from tablewright.errors import RulesSayNo
from tablewright.game.common import Revealed
from tablewright.game.content import Library
from tablewright.game.events import Event
from tablewright.game.passing import let_time_pass
from tablewright.game.scene import Live, Scene
from tablewright.game.standing import distance
from tablewright.game.trading import Who
from tablewright.systems.marchen.character import MarchenCharacter
from tablewright.systems.marchen.content import Depth
from tablewright.systems.marchen.deeds import Cast, Purpose, cast
from tablewright.systems.marchen.events import Harmed, Healed, Maneuvered
from tablewright.systems.marchen.harm import aftermath
from tablewright.systems.marchen.now import ASSAULT_BAND, Ready, body, how_checked, readied
from tablewright.systems.marchen.outside import Followed
from tablewright.systems.marchen.suffering import NOTHING, SUCCEEDED
from tablewright.systems.marchen.timing import ticks_of
from tablewright.systems.marchen.trying import able, count, takes_time
from tablewright.systems.marchen.values import METRES, SKILL_NAMES, SPIRITUAL, Aspect, SkillId

CAST, PRICE, LEVEL = "marchen.gap.casting.depths", "marchen.gap.casting.price", "marchen.gap.casting.level"

# ---------------------------------------------------------------------- who can do what


def level_in(character: MarchenCharacter, skill: SkillId) -> int:
    """The higher of skill and specialization; -1 for the unlearned."""
    level = character.level(skill)
    if level is None:
        return -1
    special = character.specialization(skill, deepest(character, skill))
    return max(level, special.level if special else 0)


def deepest(character: MarchenCharacter, skill: SkillId) -> str:
    """The specialization with which somebody goes deepest in a skill, which is the one that a deed is done with."""
    known = [one for one in character.specializations if one.skill == skill]
    return max(known, key=lambda one: one.level).name if known else ""


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
    return f"{depth.name} takes level {depth.depth} in {SKILL_NAMES[skill]}, {character.name} has {max(level, 0)}"


def too_far(scene: Scene, who: str, target: str) -> bool:
    """Whether somebody is beyond what a deed reaches: the band catch."""
    return distance(scene, who, target) > METRES[ASSAULT_BAND]


def cast_call(
    scene: Scene, who: str, target: str | None, made: Ready, depth: Depth, purpose: Purpose, aspect: Aspect
) -> tuple[Call[Cast], dict[str, Any]]:
    """A deed of the spirit as it stands now, and how it is asked: with its tally, and what is whose secret."""
    core, table = how_checked(scene.options)
    mine = body(scene, who, "spiritual")
    theirs = body(scene, target or who, aspect)
    called = cast(
        made.tally.total,
        depth.depth,
        depth.difficulty,
        purpose,
        depth.cost,
        made.luck,
        *theirs,
        *mine[3:],
        core,
        *table,
        scene.options.damage_model,
    )
    hidden = dict.fromkeys(("endure", "taken", "threshold", "face_modifier"), Seat.OPPONENT)
    hidden |= dict.fromkeys(("own_taken", "own_threshold", "own_face"), Seat.ACTOR)
    return called, {"tallies": {"modifier": made.tally}, "private": hidden}


async def work_magic(
    game: Live, who: str, target: str | None, skill: SkillId, depth: Depth, purpose: Purpose, aspect: Aspect
) -> Cast:
    """Do a deed of the spirit, on somebody where it harms or heals."""
    if purpose == "harm" and game[who].hidden:
        game.emit(Revealed(who=who, cause=CAST))  # as by any other attack
    made = readied(game.scene, who, skill, specialization=deepest(game[who].character, skill))
    called, how = cast_call(game.scene, who, target, made, depth, purpose, aspect)
    result: Cast = await called.by(game.seat(who), None if target is None else game.seat(target), **how)
    count(game, who, made)
    events: list[Event] = [_told(game, who, f"{depth.name} by {SKILL_NAMES[skill]}", result.degree)]
    if target is not None and purpose == "harm" and result.degree in SUCCEEDED:
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
        aftermath(game, target, aspect, result.hurt)
    aftermath(game, who, "spiritual", result.price)
    return result


def _told(game: Live, who: str, what: str, degree: str) -> Event:
    """How a deed went; in a fight also how one stands after it."""
    if game.scene.in_encounter:
        return Maneuvered(who=who, what=what, degree=degree, control=game[who].status.in_control, cause=CAST)
    return Followed(who=who, what=f"{what}: {degree.replace('_', ' ')}", cause=CAST)


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
    able(game, who)
    if purpose != "other" and on is None:
        raise RulesSayNo(f"to {purpose} takes somebody", rule=CAST)
    if purpose != "other" and on is not None and too_far(game.scene, who, on):
        raise RulesSayNo(f"{game.scene.called(on)} is too far away", rule=CAST)
    refused = why_not(game[who].character, skill, found)
    if refused is not None:
        raise RulesSayNo(refused, rule=LEVEL)
    if found.time != "significant":
        takes_time(game)
    result = await work_magic(game, who, on, skill, found, purpose, aspect)
    if found.time != "significant":
        await let_time_pass(game, ticks_of(found.time), cause=CAST)
    return result


PROCESSES = (cast_deed,)
