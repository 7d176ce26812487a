"""Magic: spells and rituals as actions and processes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from tablewright.engine import Call, Param, Role, process
from tablewright.errors import IllegalActionError
from tablewright.game.content.library import Library
from tablewright.game.play.action_kinds import ActionKind
from tablewright.game.play.actions import ActionUse, each_use
from tablewright.game.play.common_events import Revealed
from tablewright.game.play.targeting import distance
from tablewright.game.play.time_passage import advance_time
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.events import Event
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.marchen.actions.requirements import FIGHTING, SIGNIFICANT, TURN, UP, foes_by_name
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.content import Depth
from tablewright.systems.marchen.events.fight import Harmed, Healed, Maneuvered
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.harm import aftermath
from tablewright.systems.marchen.mechanics.harm import NOTHING, SUCCEEDED
from tablewright.systems.marchen.mechanics.magic import Cast, Deed, Purpose, Strain, cast
from tablewright.systems.marchen.mechanics.turn import ticks_of
from tablewright.systems.marchen.now import ASSAULT_BAND, Ready, body, how_checked, readied
from tablewright.systems.marchen.tasks import Able, count, takes_time
from tablewright.systems.marchen.values import METRES, SKILL_NAMES, SPIRITUAL, Aspect, SkillId


@cached_by_identity
def ways_of(character: MarchenCharacter, library: Library) -> tuple[tuple[str, SkillId], ...]:
    """Depths within reach in one turn, those of a significant action, each with its skill, the deepest first."""
    found: list[tuple[str, SkillId]] = []
    quick = [one for one in library.of(Depth) if one.time == "significant"]
    for depth in sorted(quick, key=lambda one: one.depth, reverse=True):
        skill = adept_in(character, depth.depth)
        if skill is not None:
            found.append((depth.id, skill))
    return tuple(found)


def _harms(scene: Scene, who: str) -> Iterator[ActionUse]:
    if not ways_of(scene[who].character, scene.library):
        return
    for foe, name in foes_by_name(scene, who):
        for depth, _ in ways_of(scene[who].character, scene.library):
            yield ActionUse("cast_harm", foe, depth, f"{depth.title()}: harm {name}")


def _heals(scene: Scene, who: str) -> Iterator[ActionUse]:
    if not ways_of(scene[who].character, scene.library):
        return
    side = scene[who].side
    for one in scene.participants:
        if one.side == side and one.present and one.status.physical and not one.status.fate:
            for depth, _ in ways_of(scene[who].character, scene.library):
                yield ActionUse("cast_heal", one.id, depth, f"{depth.title()}: heal {scene.display_name(one.id)}")


def _near(scene: Scene, who: str, use: ActionUse) -> str | None:
    return f"{scene.display_name(str(use.target))} is too far away" if too_far(scene, who, str(use.target)) else None


def _deep(scene: Scene, who: str, use: ActionUse) -> str | None:
    if any(depth == use.detail for depth, _ in ways_of(scene[who].character, scene.library)):
        return None
    return f"no spiritual skill of {scene.display_name(who)} goes as deep as {use.detail}"


def _skill(scene: Scene, who: str, depth: str) -> tuple[Depth, SkillId]:
    skill = dict(ways_of(scene[who].character, scene.library))[depth]
    return depth_named(depth, scene.library), skill


def _cost(scene: Scene, who: str, use: ActionUse) -> str:
    """An action, and what a success takes out of the spirit (marchen.gap.casting.price)."""
    spirit = depth_named(str(use.detail), scene.library).cost
    return f"significant action, {spirit} spiritual damage" if spirit else "significant action"


CAST, PRICE, LEVEL = "marchen.gap.casting.depths", "marchen.gap.casting.price", "marchen.gap.casting.level"


casting = ActionKind((UP, FIGHTING, each_use(_deep, LEVEL), each_use(_near, CAST)), cost=SIGNIFICANT, price_rule=TURN)


@casting("Harm by the spirit", (CAST, PRICE), (), _harms, _cost)
async def _cast_harm(game: Game, who: str, use: ActionUse) -> None:
    depth, skill = _skill(game.scene, who, str(use.detail))
    await work_magic(game, who, str(use.target), skill, depth, "harm", "physical")


@casting("Heal by the spirit", (CAST, PRICE), (), _heals, _cost)
async def _cast_heal(game: Game, who: str, use: ActionUse) -> None:
    depth, skill = _skill(game.scene, who, str(use.detail))
    await work_magic(game, who, str(use.target), skill, depth, "heal", "physical")


CASTING = (_cast_harm, _cast_heal)


# ---------------------------------------------------------------------- who can do what


def level_in(character: MarchenCharacter, skill: SkillId) -> int:
    """The higher of skill and specialization; -1 for the unlearned."""
    level = character.level(skill)
    if level is None:
        return -1
    special = character.specialization(skill, deepest(character, skill))
    return max(level, special.level if special else 0)


def deepest(character: MarchenCharacter, skill: SkillId) -> str:
    """The highest specialization of a skill, which deeds are done with."""
    known = [one for one in character.specializations if one.skill == skill]
    return max(known, key=lambda one: one.level).name if known else ""


def adept_in(character: MarchenCharacter, depth: int) -> SkillId | None:
    """The best spiritual skill of a character, if it is deep enough."""
    best = max(SPIRITUAL, key=lambda skill: level_in(character, skill))
    return best if level_in(character, best) >= depth else None


def depth_named(name: str, library: Library) -> Depth:
    """A depth by its id."""
    found: Depth = library.get(Depth, name)
    return found


def why_not(character: MarchenCharacter, skill: SkillId, depth: Depth) -> str | None:
    """Reason why a depth is out of reach; None if it is not."""
    level = level_in(character, skill)
    if level >= depth.depth:
        return None
    return f"{depth.name} takes level {depth.depth} in {SKILL_NAMES[skill]}, {character.name} has {max(level, 0)}"


def too_far(scene: Scene, who: str, target: str) -> bool:
    """True if a target is out of range of deeds: beyond the band catch."""
    return distance(scene, who, target) > METRES[ASSAULT_BAND]


def cast_call(
    scene: Scene, who: str, target: str | None, made: Ready, depth: Depth, purpose: Purpose, aspect: Aspect
) -> tuple[Call[Cast], dict[str, Any]]:
    """A deed of the spirit as it stands now, and how it is asked: with its tally, and what is whose secret."""
    core, table = how_checked(scene.options)
    mine = body(scene, who, "spiritual")
    theirs = body(scene, target or who, aspect)
    deed = Deed(made.tally.total, depth.depth, depth.difficulty, purpose, depth.cost, made.luck)
    called = cast(deed, theirs, Strain(*mine.bearing[1:]), core, table, scene.options.damage_model)
    hidden = dict.fromkeys(("endure", "taken", "threshold", "face_modifier"), Role.OPPONENT)
    hidden |= dict.fromkeys(("own_taken", "own_threshold", "own_face"), Role.ACTOR)
    return called, {"tallies": {"modifier": made.tally}, "private": hidden}


async def work_magic(
    game: Game, who: str, target: str | None, skill: SkillId, depth: Depth, purpose: Purpose, aspect: Aspect
) -> Cast:
    """Do a deed of the spirit; one that harms or heals has a target."""
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
        damage = getattr(game[target].status, aspect)
        healed = min(result.healed, damage)
        if healed:
            events.append(Healed(who=target, aspect=aspect, amount=healed, left=damage - healed, cause=CAST))
    if result.price != NOTHING:
        events.append(Harmed(who=who, aspect="spiritual", suffered=result.price, cause=PRICE))
    for event in events:
        game.emit(event)
    if target is not None:
        aftermath(game, target, aspect, result.hurt)
    aftermath(game, who, "spiritual", result.price)
    return result


def _told(game: Game, who: str, what: str, degree: str) -> Event:
    """The event that tells of a deed; in a fight also of the position after it."""
    if game.scene.in_encounter:
        return Maneuvered(who=who, what=what, degree=degree, control=game[who].status.in_control, cause=CAST)
    return Followed(who=who, what=f"{what}: {degree.replace('_', ' ')}", cause=CAST)


@process(rules=["marchen.gap.casting.depths", "marchen.gap.casting.level", "marchen.gap.casting.price"])
async def cast_deed(
    game: Game,
    who: Able,
    skill: Annotated[SkillId, Param("one of the nine spiritual skills")],
    depth: Annotated[Literal["sense", "shape", "weave", "govern"], Param("depth of the deed")] = "sense",
    purpose: Annotated[Purpose, Param("whether it harms, heals or does something else")] = "other",
    target: Annotated[str, Param("target of harm or healing")] = "",
    aspect: Annotated[Aspect, Param("which aspect it harms or heals")] = "physical",
) -> Cast:
    """Do a deed of a spiritual skill, in a fight or outside; it takes the time of its depth."""
    on = game[target].id if target else None
    found = depth_named(depth, game.scene.library)
    if skill not in SPIRITUAL:
        known = ", ".join([SKILL_NAMES[one] for one in SPIRITUAL])
        raise IllegalActionError(f"{SKILL_NAMES[skill]} is not a spiritual skill; these are: {known}", rule=CAST)
    if purpose != "other" and on is None:
        raise IllegalActionError(f"name a target to {purpose}", rule=CAST)
    if purpose != "other" and on is not None and too_far(game.scene, who, on):
        raise game.scene.cannot(on, "is too far away", CAST)
    refused = why_not(game[who].character, skill, found)
    if refused is not None:
        raise IllegalActionError(refused, rule=LEVEL)
    if found.time != "significant":
        takes_time(game)
    result = await work_magic(game, who, on, skill, found, purpose, aspect)
    if found.time != "significant":
        await advance_time(game, ticks_of(found.time), cause=CAST)
    return result


PROCESSES = (cast_deed,)
