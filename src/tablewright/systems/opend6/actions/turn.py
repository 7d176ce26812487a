"""Other actions of a turn: wait, ready, help, use a skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, NamedTuple

from tablewright.engine import Param, choose, process
from tablewright.errors import IllegalActionError, parse_whole_number, refuse
from tablewright.game.content.library import Library
from tablewright.game.play.action_kinds import action, on_each
from tablewright.game.play.actions import ActionUse, Refusal, each_use, needs, once
from tablewright.game.play.common_events import Checked, ParticipantLeft, Revealed
from tablewright.game.play.time_passage import Who
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.opend6.actions.requirements import (
    ACTING,
    COMPOSED,
    FREE,
    HANDS,
    LISTED,
    UNHINDERED,
    WHOLE_ROUND,
    able,
    acting,
    burn,
    burn_refused,
    freely,
    once_a_round,
    targets,
)
from tablewright.systems.opend6.character.figures import effects_of, figures, titled
from tablewright.systems.opend6.character.gear import arms
from tablewright.systems.opend6.content import ATTRIBUTES, InitiativeEffect, Skill, Task
from tablewright.systems.opend6.events.attack import Released
from tablewright.systems.opend6.events.turn import Aimed, CameBetween, PointsAsked, Prepared, Quickened, Said, Taken
from tablewright.systems.opend6.harm import let_go
from tablewright.systems.opend6.mechanics.dice import RUSH_SECONDS, NotPossible, rushed_difficulty
from tablewright.systems.opend6.now import WAIT, better, lost, prepared_for, rolled, succeeds, why_not
from tablewright.systems.opend6.situations import levels as difficulty_levels
from tablewright.systems.opend6.status import Status, fight, is_here, stands

AIM = "opend6.gap.attack.aiming"
ESCAPE, ENTANGLED = "opend6.gap.manoeuvre.escape", "opend6.gap.manoeuvre.entangle"
PREPARE, TALK, ABILITY = "opend6.prepare.bonus", "opend6.action.communicate", "opend6.action.use_ability"
CLIMACTIC, FAST, CATCH = "opend6.fate.climactic", "opend6.gap.ability.fast_reactions", "opend6.action.catch"
CATCHING, PINNED = "opend6.gap.difficulty.catching", "opend6.gap.manoeuvre.pinning"
STOP, YIELD = "opend6.turn.no_extra_no_carry", "opend6.gap.encounter.end"
DERIVED = "opend6.special.derived"
DRIVE, DRIVING = "opend6.gap.movement.vehicles", 5
MOST_AIM, LOOSE_PIN, MEANT_TO_BE_CAUGHT = 3, 10, 9
MODERATE, ROUND = 15, 5


# ---------------------------------------------------------------------- waiting and stopping


_MORE_LEFT = needs(
    lambda scene, who: scene[who].status.left > 1,
    "waiting is an action itself: another one has to be left to act with",
)


@able("Wait", (WAIT, LISTED), (UNHINDERED, COMPOSED, _MORE_LEFT))
async def _wait(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Taken(who=who, on="waits", waiting=True, cause=WAIT))


@action("End the turn", STOP, cost_text="free")
async def _stop(game: Game, who: str, use: ActionUse) -> None:
    """End the turn: declared actions that were not used are lost."""


@freely("Yield", YIELD)
async def _yield(game: Game, who: str, use: ActionUse) -> None:
    let_go(game, who, YIELD)
    game.emit(ParticipantLeft(who=who, how="yields", cause=YIELD))


# ---------------------------------------------------------------------- aiming and preparing


def _to_aim_at(scene: Scene, who: str) -> list[Participant]:
    return targets(scene, who) if any(arm.weapon.ranges is not None for arm in arms(scene, who)) else []


_STILL = needs(
    lambda scene, who: not scene[who].status.moved, "it takes the whole round, and some of it went into moving"
)


def _can_aim(scene: Scene, who: str, use: ActionUse) -> str | None:
    status: Status = scene[who].status
    if status.aim >= MOST_AIM and status.aim_at == use.target:
        return "three rounds of aiming are the most"
    return None


@action(
    "Aim",
    AIM,
    (*ACTING, HANDS, WHOLE_ROUND, _STILL, each_use(_can_aim)),
    on_each(_to_aim_at, "Aim at {}"),
    "the whole round",
)
async def _aim(game: Game, who: str, use: ActionUse) -> None:
    status: Status = game[who].status
    rounds = status.aim + 1 if status.aim_at == use.target else 1
    game.emit(Aimed(who=who, at=str(use.target), rounds=rounds, cause=AIM))


@action("Prepare the next action", PREPARE, (*ACTING, WHOLE_ROUND, _STILL), cost_text="the whole round")
async def _prepare(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Prepared(who=who, rounds=game[who].status.prepared + 1, cause=PREPARE))


# ---------------------------------------------------------------------- getting free


def _held(scene: Scene, who: str) -> Iterator[ActionUse]:
    status: Status = scene[who].status
    if status.tangled:
        yield ActionUse("escape", detail="break", label="Break what entangles you")
        yield ActionUse("escape", detail="slip", label="Slip out of it")
    elif status.grip is not None:
        pinned = status.grip.how == "pinned"
        holder = scene.display_name(status.grip.by)
        label = "Tear yourself loose" if pinned else f"Break {holder}'s grip"
        yield ActionUse("escape", None if pinned else status.grip.by, label=label)


@able("Get free", (ESCAPE, LISTED), uses=_held)
async def _escape(game: Game, who: str, use: ActionUse) -> None:
    """Against a grip both use Physique or lifting; the one who holds on without having waited counts as derived."""
    status: Status = game[who].status
    strong = better(game.scene, who, ("physique", "lifting"))
    if status.tangled:
        skill = better(game.scene, who, ("agility", "acrobatics")) if use.detail == "slip" else strong
        cause = ENTANGLED
        free = await succeeds(game, who, skill, status.tangled, offered=True)
    elif status.grip is None or status.grip.how == "pinned" or not is_here(game.scene, status.grip.by):
        cause = PINNED
        free = await succeeds(game, who, strong, LOOSE_PIN, offered=True)
    else:
        cause, holder = ESCAPE, status.grip.by
        against = better(game.scene, holder, ("physique", "lifting"))
        free = await _outdoes(game, who, strong, holder, against, holding="holds on")
        free = free or not is_here(game.scene, holder)
    if not is_here(game.scene, who):
        return
    if free:
        game.emit(Released(who=who, actions=1, net=cause == ENTANGLED, cause=cause))
    else:
        game.emit(Taken(who=who, on="does not get free", cause=cause))


async def _outdoes(game: Game, who: str, skill: str, other: str, opposing: str, *, holding: str = "resists") -> bool:
    """True if a character's roll gets the better of another: a roll of one who has waited, else a derived difficulty.

    [opend6.opposed.action_cost, opend6.opposed.fallback, opend6.special.derived]
    """
    code = figures(game[other].character, game.scene.library).codes[opposing]
    waits = game[other].status.waiting and game[other].status.left > 0 and stands(game[other])
    if not waits and game.scene.options.opposed_fallback != "free_reaction":
        return await succeeds(game, who, skill, code.derived_difficulty, offered=True)
    if waits:
        game.emit(CameBetween(who=other, cause=WAIT))
        game.emit(Taken(who=other, on=holding, cause="opend6.opposed.action_cost"))
    ready = prepared_for(game.scene, who)
    mine = (await rolled(game, who, skill, code.derived_difficulty + 3, outside=ready)).total
    if not is_here(game.scene, other):
        return True
    theirs = (await rolled(game, other, opposing, mine + 1, known=True)).total
    return mine >= theirs


def _my_victims(scene: Scene, who: str) -> list[Participant]:
    held = [one for one in scene.present if one.status.grip is not None and not one.status.grip.fast]
    return [one for one in held if one.status.grip.by == who]


@freely("Let go", "opend6.action.grab", uses=on_each(_my_victims, "Let go of {}"))
async def _let_go(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Released(who=str(use.target), by=who, cause="opend6.action.grab"))


# ---------------------------------------------------------------------- talking, skills, free actions


PLAIN_TALK = ActionUse("communicate", label="Explain a plan")


def _talks(scene: Scene, who: str) -> list[ActionUse]:
    """Explaining something without a roll, or with an interaction skill. [opend6.action.communicate]"""
    codes, lacking = figures(scene[who].character, scene.library).codes, lost(scene, who)
    rolled_with = _talk_uses(scene.library)
    able = [use for skill, use in rolled_with if codes[skill].dice > lacking or why_not(scene, who, skill) is None]
    return [PLAIN_TALK, *able]


@lru_cache(maxsize=256)
def _talk_uses(library: Library) -> tuple[tuple[str, ActionUse], ...]:
    skills = [skill for skill in library.of(Skill) if skill.interaction]
    label = "Explain a plan, rolling {}"
    return tuple([(one.id, ActionUse("communicate", detail=one.id, label=label.format(one.name))) for one in skills])


@able("Explain a plan", (TALK, LISTED), uses=_talks)
async def _communicate(game: Game, who: str, use: ActionUse) -> None:
    if use.detail:
        await _try_skill(game, who, str(use.detail), TALK)
    else:
        game.emit(Taken(who=who, on="explains a plan", cause=TALK))


@once_a_round("Say a few words", ("opend6.free.list", FREE))
async def _speak(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Said(who=who, what="says a few words", deed="speak", cause="opend6.free.list"))


@once_a_round("Look around", ("opend6.free.list", FREE))
async def _glance(game: Game, who: str, use: ActionUse) -> None:
    """Glance round with an Acumen roll; the game master tells the result (`notice`)."""
    found = await rolled(game, who, "acumen", 10)
    if not is_here(game.scene, who):
        return
    game.emit(Said(who=who, what="looks around", deed="glance", cause="opend6.free.list"))
    game.emit(Checked(who=who, what="acumen", result=str(found.total), cause="opend6.free.list"))


@process(rules=["opend6.free.list", "opend6.special.derived"])
async def notice(
    game: Game,
    who: Who,
    total: Annotated[int, Param("the total of the glance or of a search", 0, 1_000)],
) -> int:
    """Foes who hide are seen unless hide or stealth makes it harder than the total; how many."""
    found = [one.id for one in game.scene.present if one.hidden and one.side != game[who].side]
    found = [one for one in found if total >= _hiding(game.scene, one)]
    for one in found:
        game.emit(Revealed(who=one, cause="opend6.free.list"))
    return len(found)


def _hiding(scene: Scene, who: str) -> int:
    """Difficulty of noticing a hidden participant. [opend6.special.derived]"""
    codes = figures(scene[who].character, scene.library).codes
    return max(codes["hide"].derived_difficulty, codes["stealth"].derived_difficulty)


def _skills(scene: Scene, who: str) -> Sequence[ActionUse]:
    """Every skill that a character may try, trained or not. [opend6.check.skill_check, opend6.untrained.impossible]"""
    mine, closed = figures(scene[who].character, scene.library), scene.options.trained_only
    unable = [name for name, code in mine.codes.items() if name not in mine.trained and (closed or code.dice < 1)]
    return _skill_uses(scene.library, frozenset(unable))


@lru_cache(maxsize=256)
def _skill_uses(library: Library, unable: frozenset[str]) -> tuple[ActionUse, ...]:
    able = [skill for skill in library.of(Skill) if skill.id not in unable]
    return tuple([ActionUse("use_skill", detail=skill.id, label=f"Use {skill.name}") for skill in able])


def _can_use(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    found = why_not(scene, who, str(use.detail)) or (_too_long(scene, who) if scene.facts.entries else None)
    return None if found is None else Refusal(found.reason, found.rule)


def _task(scene: Scene, who: str) -> Task | None:
    """The common task that the game master has set a character by its id, if there is one."""
    said = str(scene.facts.get("task", who)) if scene.facts.entries else ""
    return scene.library.get(Task, said) if scene.library.has(Task, said) else None


def forced(task: Task) -> int | NotPossible:
    """Addition to a difficulty for forcing a longer task into one round. [opend6.action.use_ability]"""
    if task.seconds < RUSH_SECONDS:
        return 0
    if not task.can_be_rushed:
        return NotPossible(f"{task.name} cannot be rushed", "opend6.rush.limits")
    return rushed_difficulty(Fraction(1, -(-task.seconds // ROUND)))


def _too_long(scene: Scene, who: str) -> NotPossible | None:
    task = _task(scene, who)
    harder = 0 if task is None else forced(task)
    return harder if isinstance(harder, NotPossible) else None


@acting("Use a skill", ABILITY, (each_use(_can_use, "opend6.map.zero_rule"),), _skills)
async def _use_skill(game: Game, who: str, use: ActionUse) -> None:
    skill = str(use.detail)
    if game.scene.library.has(Skill, skill):
        await _try_skill(game, who, skill, ABILITY)


async def _try_skill(game: Game, who: str, skill: str, cause: str) -> None:
    """Try a skill in a fight: against a difficulty, an opponent, or for the bare total.

    The difficulty is the fact ``task`` (a number or a common task) or is asked of the game master now. For a bare total
    the game master decides the consequence.
    """
    said = parse_whole_number(str(game.scene.facts.get("task", who))) if game.scene.facts.entries else None
    task = _task(game.scene, who)
    if task is not None:
        harder = forced(task)
        said = task.difficulty + (harder if isinstance(harder, int) else 0)
    other = None if said is not None else await _opponent(game, who)
    if not is_here(game.scene, who):
        return
    if other is not None:
        opposing = await _opposing(game, skill, other)
        if not is_here(game.scene, who):
            return
        game.purpose = game.scene.library.get(Skill, skill).name
        won = not is_here(game.scene, other) or await _outdoes(game, who, skill, other, opposing)
        told = "success" if won else "failure"
    else:
        named = str(said) if said is not None else await _difficulty(game, who, skill)
        if not is_here(game.scene, who):
            return
        game.purpose = game.scene.library.get(Skill, skill).name
        needed = _number(game.scene, named)
        if needed is not None:
            reached = await succeeds(game, who, skill, needed)
            told = "success" if reached else "failure"
        else:
            found = await rolled(game, who, skill, MODERATE, outside=prepared_for(game.scene, who))
            told = str(found.total)
    if is_here(game.scene, who):
        game.emit(Taken(who=who, on=f"uses {skill}", cause=cause))
        game.emit(Checked(who=who, what=skill, result=told, cause=cause))


async def _opponent(game: Game, who: str) -> str | None:
    """Ask for the target of a skill; None if no foe is present."""
    foes = {one.id: game.scene.display_name(one.id) for one in targets(game.scene, who)}
    if not foes:
        return None
    options = [NOBODY, *[Answer(foe, f"against {name}") for foe, name in foes.items()]]
    chosen = await choose(game.seat(who), "against whom?", options, details={"who": who})
    return chosen.id if chosen is not NOBODY else None


async def _opposing(game: Game, skill: str, other: str) -> str:
    """The attribute or skill that a character resists with: as the book has it, or as the game master says.

    [opend6.gap.difficulty.interaction, opend6.gap.difficulty.hiding]
    """
    entry = game.scene.library.get(Skill, skill)
    known = OPPOSED_BY.get(skill, ("charisma", "mettle") if entry.interaction else ())
    if known:
        return better(game.scene, other, known)
    usual = entry.attribute if entry.attribute in ATTRIBUTES else "acumen"
    names = [usual, *[one for one in ATTRIBUTES if one != usual]]
    options = [Answer(name, titled(name)) for name in names]
    return (await choose(GAME_MASTER, "resist with what?", options, details={"who": other, "rule": DERIVED})).id


async def _difficulty(game: Game, who: str, skill: str) -> str:
    """Ask the game master how hard something is; the bare total is an answer too."""
    levels = [Answer(level, level.replace("_", " ")) for level in difficulty_levels()["high"] if level != "automatic"]
    options = [Answer("total", "the total decides"), *levels]
    about = {"who": who, "on": skill, "rule": "opend6.difficulty.standard"}
    return (await choose(GAME_MASTER, "how hard is it?", options, details=about)).id


def _number(scene: Scene, named: str) -> int | None:
    """The number of a difficulty that was named, by the table's way to read levels; none for the bare total."""
    number = parse_whole_number(named)
    return difficulty_levels()[scene.options.number_for_level].get(named) if number is None else number


class Answer(NamedTuple):
    """An answer with an id and a label for people."""

    id: str
    label: str


NOBODY = Answer("nobody", "against nobody in particular")
OPPOSED_BY = {"hide": ("acumen", "search"), "stealth": ("acumen", "tracking")}


def _vehicles(scene: Scene, who: str) -> Iterator[ActionUse]:
    if scene.facts.entries and scene.facts.get("vehicle", who):
        skill = better(scene, who, ("charioteering", "pilotry"))
        yield ActionUse("vehicle_maneuver", detail=skill, label=f"Manoeuvre a vehicle with {titled(skill)}")


@acting("Manoeuvre a vehicle", DRIVE, uses=_vehicles)
async def _vehicle_maneuver(game: Game, who: str, use: ActionUse) -> None:
    """Driving is a roll against 5, a stunt against what the game master has said; a failure loses control."""
    said = parse_whole_number(str(game.scene.facts.get("vehicle", who)))
    kept = await succeeds(game, who, str(use.detail), DRIVING if said is None else said)
    if not is_here(game.scene, who):
        return
    game.emit(Taken(who=who, on="keeps the vehicle in hand" if kept else "loses control of the vehicle", cause=DRIVE))


def _falling(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Uses of catching a thrown thing; its total, which the game master has stated, is the difficulty."""
    if scene.facts.entries:
        said = str(scene.facts.get("thrown", who))
        thrown = parse_whole_number(said)
        if thrown is not None:
            yield ActionUse("catch", detail=said, label="Catch it")
            meant = str(max(1, thrown - MEANT_TO_BE_CAUGHT))
            yield ActionUse("catch", detail=meant, label="Catch what is meant for you")


@acting("Catch", (CATCH, CATCHING), (HANDS,), _falling)
async def _catch(game: Game, who: str, use: ActionUse) -> None:
    caught = await succeeds(game, who, "throwing", int(str(use.detail)))
    if not is_here(game.scene, who):
        return
    game.emit(Taken(who=who, on="catches it" if caught else "does not catch it", cause=CATCH))


# ---------------------------------------------------------------------- points and abilities


@freely(
    "Spend a Fate Point for the whole round",
    CLIMACTIC,
    (once(lambda scene, who, _: burn_refused(scene, who)),),
    cost_text="1 Fate Point",
)
async def _burn_fate(game: Game, who: str, use: ActionUse) -> None:
    burn(game, who)


@process(rules=[CLIMACTIC, "opend6.fate.climax_repeat", "opend6.fate.timing"])
async def burn_fate(game: Game, who: Who) -> None:
    """Spend a Fate Point for all rolls of this round, at any moment of it: before one's turn, or while waiting."""
    if not fight(game.scene).begun or game.scene.ended is not None:
        raise IllegalActionError("no round is under way; start the encounter first", rule=CLIMACTIC)
    game.refuse_if(not stands(game[who]), who, "cannot do anything now", CLIMACTIC)
    refuse(burn_refused(game.scene, who))
    burn(game, who)


def _fast(scene: Scene, who: str) -> Iterator[ActionUse]:
    left = extra_actions(scene, who)
    if left:
        yield ActionUse("fast_reactions", label=f"React faster: one more action without penalty ({left} left)")


def extra_actions(scene: Scene, who: str) -> int:
    """Uses of Fast Reactions that are left in this adventure."""
    times = 0
    if not scene[who].character.abilities:
        return 0
    for own, effect in effects_of(scene[who].character, scene.library):
        if isinstance(effect, InitiativeEffect) and effect.extra_actions:
            times += effect.times * (own.ranks > 0)
    return max(0, times - scene[who].status.fast_reactions_used) if times else 0


_NOT_QUICK_YET = needs(lambda scene, who: not scene[who].status.quick, "once a round")


def _points(scene: Scene, who: str) -> Iterator[ActionUse]:
    status: Status = scene[who].status
    if status.spending:
        yield ActionUse("use_points", detail="no", label="Stop asking me about points")
    elif status.character_points or status.fate_points:
        yield ActionUse("use_points", detail="yes", label="Ask me about Character and Fate Points on every roll")


@once_a_round(
    "Spend points on rolls", ("opend6.gap.points.asked", "opend6.cp.timing", "opend6.fate.timing"), uses=_points
)
async def _use_points(game: Game, who: str, use: ActionUse) -> None:
    """Ask a character for points before and after every roll from now on."""
    game.emit(PointsAsked(who=who, asked=use.detail == "yes", cause="opend6.cp.timing"))


@process(rules=["opend6.gap.points.asked", "opend6.cp.timing", "opend6.points.limits"])
async def use_points(
    game: Game,
    who: Who,
    asked: Annotated[bool, Param("whether they are asked for points before and after their rolls in fights")] = True,
) -> None:
    """Set whether a character is asked for Character and Fate Points with every roll of a fight."""
    game.emit(PointsAsked(who=who, asked=asked, cause="opend6.cp.timing"))


@freely("React faster", FAST, (_NOT_QUICK_YET,), _fast)
async def _fast_reactions(game: Game, who: str, use: ActionUse) -> None:
    """One more action in this round, without a penalty for it."""
    game.emit(Quickened(who=who, cause=FAST))


OTHERS = (
    *(_aim, _prepare, _escape, _let_go, _communicate, _use_skill, _vehicle_maneuver, _catch),
    *(_speak, _glance, _burn_fate, _fast_reactions, _use_points, _wait, _yield, _stop),
)
