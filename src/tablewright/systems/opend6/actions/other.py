"""Everything else on the list: waiting, readying weapons, aiming, preparing, getting free, catching, talking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import whole
from tablewright.game import belongings as goods
from tablewright.game.actions import Action, Refused, Requirement, Use
from tablewright.game.common import BelongingsChanged, Checked, Left, Revealed
from tablewright.game.lying import lying_near
from tablewright.game.scene import Live, Scene
from tablewright.systems.opend6.actions.common import (
    ABLE,
    ACTING,
    COMPOSED,
    FREE,
    HANDS,
    LEFT,
    LISTED,
    UNHINDERED,
    WHOLE_ROUND,
    targets,
)
from tablewright.systems.opend6.between import WAIT
from tablewright.systems.opend6.character import HAND, PACK, effects_of, figures, items
from tablewright.systems.opend6.character import HANDS as BOTH
from tablewright.systems.opend6.content import InitiativeEffect, Skill, Weapon
from tablewright.systems.opend6.events import (
    Aimed,
    CameBetween,
    FateBurned,
    PointsAsked,
    Prepared,
    Quickened,
    Readied,
    Released,
    Said,
    Taken,
)
from tablewright.systems.opend6.harm import let_go
from tablewright.systems.opend6.points import climactic_refused
from tablewright.systems.opend6.rolling import better, prepared_for, rolled, succeeds, why_not
from tablewright.systems.opend6.status import Status, fight, is_here, stands
from tablewright.systems.opend6.wielding import arm_of, arms

READY, RELOAD, AIM = "opend6.action.ready_weapon", "opend6.gap.weapon.reload", "opend6.gap.attack.aiming"
ESCAPE, ENTANGLED = "opend6.gap.manoeuvre.escape", "opend6.gap.manoeuvre.entangle"
PREPARE, TALK, ABILITY = "opend6.prepare.bonus", "opend6.action.communicate", "opend6.action.use_ability"
CLIMACTIC, FAST, CATCH = "opend6.fate.climactic", "opend6.gap.ability.fast_reactions", "opend6.action.catch"
CATCHING, PINNED = "opend6.gap.difficulty.catching", "opend6.gap.manoeuvre.pinning"
STOP, YIELD = "opend6.turn.no_extra_no_carry", "opend6.gap.encounter.end"
DRIVE, DRIVING = "opend6.gap.movement.vehicles", 5
MOST_AIM, LOOSE_PIN, MEANT_TO_BE_CAUGHT = 3, 10, 9
QUICK_SKILLS = ("acrobatics", "hide", "stealth", "intimidation", "search", "climbing", "contortion")
"""Skills that are offered by themselves in a fight; all others are checks of free play."""


# ---------------------------------------------------------------------- waiting and stopping


async def _wait(game: Live, who: str, use: Use) -> None:
    game.emit(Taken(who=who, on="waits", waiting=True, cause=WAIT))


def _can_act_later(scene: Scene, who: str, use: Use) -> str | None:
    left = scene[who].status.left
    return None if left > 1 else "waiting is an action itself: another one has to be left to act with"


async def _stop(game: Live, who: str, use: Use) -> None:
    """Whatever was declared and is not used is lost."""


async def _yield(game: Live, who: str, use: Use) -> None:
    let_go(game, who, YIELD)
    game.emit(Left(who=who, how="yields", cause=YIELD))


# ---------------------------------------------------------------------- weapons


def _to_ready(scene: Scene, who: str) -> Iterator[Use]:
    """Weapons to draw, and weapons to load."""
    status: Status = scene[who].status
    known = items(scene.library)
    loading = [item for item in dict.fromkeys(status.unloaded) if arm_of(scene, who, item) is not None]
    for item in loading:
        yield Use("ready_weapon", detail=item, label=f"Ready {known[item].name}")
    for carried in status.belongings:
        found = known.get(carried.item)
        if isinstance(found, Weapon) and carried.place == PACK and carried.item not in loading:
            yield Use("ready_weapon", detail=carried.item, label=f"Draw {found.name}")


def _may_ready(scene: Scene, who: str, use: Use) -> Refused | str | None:
    status: Status = scene[who].status
    item = str(use.detail)
    weapon = items(scene.library).get(item)
    if not isinstance(weapon, Weapon):
        return f"{item} is no weapon"
    if item in status.unloaded and arm_of(scene, who, item) is not None:
        if weapon.reload == "separate_round" and item in status.fired:
            return Refused(f"{weapon.name} cannot be loaded in the round in which it was shot", RELOAD)
        if weapon.reload == "whole_round" and (status.taken or status.declared > 1):
            return Refused(f"loading {weapon.name} takes the whole round", RELOAD)
    return None


async def _make_ready(game: Live, who: str, use: Use) -> None:
    item = str(use.detail)
    status: Status = game[who].status
    weapon = items(game.scene.library)[item]
    assert isinstance(weapon, Weapon)
    if arm_of(game.scene, who, item) is not None:
        whole = weapon.reload == "whole_round"
        game.emit(Readied(who=who, item=item, actions=max(1, status.left) if whole else 1, cause=RELOAD))
        return
    mine = game[who].belongings
    both = weapon.hands > 1
    known = items(game.scene.library)
    for carried in mine:
        shield = known.get(carried.item)
        in_the_way = carried.place == BOTH or (carried.place == HAND and (both or isinstance(shield, Weapon)))
        if in_the_way:
            mine = goods.move(mine, carried.item, PACK, carried.count, place=carried.place, rule=READY)
    mine = goods.move(mine, item, BOTH if both else HAND, 1, place=PACK, rule=READY)
    game.emit(BelongingsChanged(who=who, what=f"draws {weapon.name}", belongings=mine, cause=READY))
    game.emit(Readied(who=who, item=item, cause=READY))


def _on_the_ground(scene: Scene, who: str) -> Iterator[Use]:
    if scene.lying:
        for item in dict.fromkeys([lies.item for lies in lying_near(scene, who, 3)]):
            yield Use("take_up", detail=item, label=f"Take up {item.replace('_', ' ')}")


async def _take_up(game: Live, who: str, use: Use) -> None:
    found = next((one for one in lying_near(game.scene, who, 3) if one.item == use.detail), None)
    if found is None:
        return
    mine = goods.add(game[who].belongings, found.item, 1, left=found.left)
    what = f"takes up {found.item.replace('_', ' ')}"
    game.emit(BelongingsChanged(who=who, what=what, belongings=mine, taken_up=(found,), cause=READY))
    game.emit(Taken(who=who, on=what, cause=READY))


# ---------------------------------------------------------------------- aiming and preparing


def _to_aim(scene: Scene, who: str) -> Iterator[Use]:
    if any(arm.weapon.ranges is not None for arm in arms(scene, who)):
        for foe in targets(scene, who):
            yield Use("aim", foe.id, label=f"Aim at {scene.called(foe.id)}")


def _still(scene: Scene, who: str, use: Use) -> str | None:
    return "it takes the whole round, and some of it went into moving" if scene[who].status.moved else None


def _can_aim(scene: Scene, who: str, use: Use) -> str | None:
    status: Status = scene[who].status
    if status.aim >= MOST_AIM and status.aim_at == use.target:
        return "three rounds of aiming are the most"
    return None


async def _aim(game: Live, who: str, use: Use) -> None:
    status: Status = game[who].status
    rounds = status.aim + 1 if status.aim_at == use.target else 1
    game.emit(Aimed(who=who, at=str(use.target), rounds=rounds, cause=AIM))


async def _prepare(game: Live, who: str, use: Use) -> None:
    game.emit(Prepared(who=who, rounds=game[who].status.prepared + 1, cause=PREPARE))


# ---------------------------------------------------------------------- getting free


def _held(scene: Scene, who: str) -> Iterator[Use]:
    status: Status = scene[who].status
    if status.tangled:
        yield Use("escape", detail="break", label="Break what entangles you")
        yield Use("escape", detail="slip", label="Slip out of it")
    elif status.grip is not None:
        pinned = status.grip.how == "pinned"
        holder = scene.called(status.grip.by)
        label = "Tear yourself loose" if pinned else f"Break {holder}'s grip"
        yield Use("escape", None if pinned else status.grip.by, label=label)


async def _escape(game: Live, who: str, use: Use) -> None:
    """Against a grip both use Physique or lifting; whoever holds on without having waited counts as derived."""
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
        code = figures(game[holder].character, game.scene.library).codes[against]
        waits = game[holder].status.waiting and game[holder].status.left > 0 and stands(game[holder])
        if waits or game.scene.options.opposed_fallback == "free_reaction":
            if waits:
                game.emit(CameBetween(who=holder, cause=WAIT))
                game.emit(Taken(who=holder, on="holds on", cause="opend6.opposed.action_cost"))
            ready = prepared_for(game.scene, who)
            mine = (await rolled(game, who, strong, code.derived_difficulty + 3, outside=ready)).total
            held = (
                (await rolled(game, holder, against, mine + 1, known=True)).total if is_here(game.scene, holder) else 0
            )
            free = mine >= held
        else:
            derived = code.derived_difficulty  # opend6.special.derived
            free = await succeeds(game, who, strong, derived, offered=True)
        free = free or not is_here(game.scene, holder)
    if not is_here(game.scene, who):
        return
    if free:
        game.emit(Released(who=who, actions=1, net=cause == ENTANGLED, cause=cause))
    else:
        game.emit(Taken(who=who, on="does not get free", cause=cause))


def _my_victims(scene: Scene, who: str) -> Iterator[Use]:
    for one in scene.participants:
        grip = one.status.grip
        if grip is not None and grip.by == who and one.present and not grip.fast:
            yield Use("let_go", one.id, label=f"Let go of {scene.called(one.id)}")


async def _let_go(game: Live, who: str, use: Use) -> None:
    game.emit(Released(who=str(use.target), cause="opend6.action.grab"))


# ---------------------------------------------------------------------- talking, skills, free actions


async def _communicate(game: Live, who: str, use: Use) -> None:
    game.emit(Taken(who=who, on="explains a plan", cause=TALK))


async def _speak(game: Live, who: str, use: Use) -> None:
    game.emit(Said(who=who, what="says a few words", deed="speak", cause="opend6.free.list"))


async def _glance(game: Live, who: str, use: Use) -> None:
    """A quick glance round with an Acumen roll; what is to be seen the game master says (`notice`)."""
    found = await rolled(game, who, "acumen", 10)
    if not is_here(game.scene, who):
        return
    game.emit(Said(who=who, what="looks around", deed="glance", cause="opend6.free.list"))
    game.emit(Checked(who=who, what="acumen", result=str(found.total), cause="opend6.free.list"))


@process(rules=["opend6.free.list", "opend6.special.derived"])
async def notice(
    game: Live,
    who: Annotated[str, Param("the id of who looks")],
    total: Annotated[int, Param("the total of the glance or of a search", 0, 1_000)],
) -> int:
    """Foes who hide are seen unless hide or stealth makes it harder than the total; how many."""
    who = game[who].id
    found = [one.id for one in game.scene.present if one.hidden and one.side != game[who].side]
    found = [one for one in found if total >= _hiding(game.scene, one)]
    for one in found:
        game.emit(Revealed(who=one, cause="opend6.free.list"))
    return len(found)


def _hiding(scene: Scene, who: str) -> int:
    """What has to be reached to see somebody who hides. [opend6.special.derived]"""
    codes = figures(scene[who].character, scene.library).codes
    return max(codes["hide"].derived_difficulty, codes["stealth"].derived_difficulty)


def _skills(scene: Scene, who: str) -> Iterator[Use]:
    trained = figures(scene[who].character, scene.library).trained
    for skill in QUICK_SKILLS:
        if skill in trained:
            yield Use("use_skill", detail=skill, label=f"Use {skill}")


def _can_use(scene: Scene, who: str, use: Use) -> Refused | None:
    found = why_not(scene, who, str(use.detail))
    return None if found is None else Refused(found.reason, found.rule)


async def _use_skill(game: Live, who: str, use: Use) -> None:
    """A quick use of a skill, with what was prepared for it; what comes of the total the game master says."""
    skill = str(use.detail)
    if not game.scene.library.has(Skill, skill):
        return
    found = await rolled(game, who, skill, 15, outside=prepared_for(game.scene, who))
    if not is_here(game.scene, who):
        return
    game.emit(Taken(who=who, on=f"uses {skill}", cause=ABILITY))
    game.emit(Checked(who=who, what=skill, result=str(found.total), cause=ABILITY))


def _vehicles(scene: Scene, who: str) -> Iterator[Use]:
    if scene.facts.entries and scene.facts.get("vehicle", who):
        skill = better(scene, who, ("charioteering", "pilotry"))
        yield Use("vehicle_maneuver", detail=skill, label=f"Manoeuvre a vehicle ({skill})")


async def _vehicle(game: Live, who: str, use: Use) -> None:
    """Driving is a roll against 5, a stunt against what the game master has said; a failure loses control."""
    said = whole(str(game.scene.facts.get("vehicle", who)))
    kept = await succeeds(game, who, str(use.detail), DRIVING if said is None else said)
    if not is_here(game.scene, who):
        return
    game.emit(Taken(who=who, on="keeps the vehicle in hand" if kept else "loses control of the vehicle", cause=DRIVE))


def _falling(scene: Scene, who: str) -> Iterator[Use]:
    """Something that was thrown or falls, as the game master has said: its total is the difficulty."""
    if scene.facts.entries:
        said = str(scene.facts.get("thrown", who))
        thrown = whole(said)
        if thrown is not None:
            yield Use("catch", detail=said, label="Catch it")
            meant = str(max(1, thrown - MEANT_TO_BE_CAUGHT))
            yield Use("catch", detail=meant, label="Catch what is meant for you")


async def _catch(game: Live, who: str, use: Use) -> None:
    difficulty = int(str(use.detail))
    caught = await succeeds(game, who, "throwing", difficulty)
    if not is_here(game.scene, who):
        return
    game.emit(Taken(who=who, on="catches it" if caught else "does not catch it", cause=CATCH))


# ---------------------------------------------------------------------- points and abilities


def _may_burn(scene: Scene, who: str, use: Use) -> Refused | None:
    one = scene[who]
    return climactic_refused(one.character, one.status, scene.options, moment=fight(scene).moment)


async def _burn(game: Live, who: str, use: Use) -> None:
    counted = not (fight(game.scene).moment == "climactic" and game.scene.options.unlimited_in_climax)
    game.emit(FateBurned(who=who, counted=counted, cause=CLIMACTIC))


def _fast(scene: Scene, who: str) -> Iterator[Use]:
    left = extra_actions(scene, who)
    if left:
        yield Use("fast_reactions", label=f"React faster: one more action without penalty ({left} left)")


def extra_actions(scene: Scene, who: str) -> int:
    """How often Fast Reactions still give an action in this adventure."""
    times = 0
    if not scene[who].character.abilities:
        return 0
    for own, effect in effects_of(scene[who].character, scene.library):
        if isinstance(effect, InitiativeEffect) and effect.extra_actions:
            times += effect.times * (own.ranks > 0)
    return max(0, times - scene[who].status.fast_reactions_used) if times else 0


def _not_quick_yet(scene: Scene, who: str, use: Use) -> str | None:
    status: Status = scene[who].status
    return "once a round" if status.quick else None


def _points(scene: Scene, who: str) -> Iterator[Use]:
    status: Status = scene[who].status
    if status.spending:
        yield Use("use_points", detail="no", label="Be asked for points no more")
    elif status.character_points or status.fate_points:
        yield Use("use_points", detail="yes", label="Be asked for points before and after every roll")


async def _use_points(game: Live, who: str, use: Use) -> None:
    """Whoever says so is asked for points before and after every roll."""
    game.emit(PointsAsked(who=who, asked=use.detail == "yes", cause="opend6.cp.timing"))


@process(rules=["opend6.gap.points.asked", "opend6.cp.timing", "opend6.points.limits"])
async def use_points(
    game: Live,
    who: Annotated[str, Param("the id of whose")],
    asked: Annotated[bool, Param("whether they are asked for points before and after their rolls in fights")] = True,
) -> None:
    """Say whether somebody wants to be asked for Character and Fate Points with every roll of a fight."""
    game.emit(PointsAsked(who=game[who].id, asked=asked, cause="opend6.cp.timing"))


async def _quicken(game: Live, who: str, use: Use) -> None:
    """One more action in this round, without a penalty for it."""
    game.emit(Quickened(who=who, cause=FAST))


# ---------------------------------------------------------------------- the list


def _not_yet(scene: Scene, who: str, use: Use) -> str | None:
    return "once a round" if use.action in scene[who].status.freely else None


FREELY = (ABLE,)
ONCE = (ABLE, Requirement(FREE, _not_yet, once=True))
OTHERS = (
    Action(
        "ready_weapon",
        "Ready a weapon",
        (READY, RELOAD, LISTED),
        _make_ready,
        (*ACTING, HANDS, Requirement(READY, _may_ready)),
        _to_ready,
        "1 action",
    ),
    Action("take_up", "Take something up", (READY, LISTED), _take_up, (*ACTING, HANDS), _on_the_ground, "1 action"),
    Action(
        "aim",
        "Aim",
        (AIM,),
        _aim,
        (*ACTING, HANDS, WHOLE_ROUND, Requirement(AIM, _still, once=True), Requirement(AIM, _can_aim)),
        _to_aim,
        "the whole round",
    ),
    Action(
        "prepare",
        "Prepare",
        (PREPARE,),
        _prepare,
        (*ACTING, WHOLE_ROUND, Requirement(PREPARE, _still, once=True)),
        None,
        "the whole round",
    ),
    Action("escape", "Get free", (ESCAPE, LISTED), _escape, (ABLE, LEFT), _held, "1 action"),
    Action("let_go", "Let go", ("opend6.action.grab",), _let_go, FREELY, _my_victims, "free"),
    Action("communicate", "Explain a plan", (TALK, LISTED), _communicate, (ABLE, LEFT), None, "1 action"),
    Action(
        "use_skill",
        "Use a skill",
        (ABILITY, LISTED),
        _use_skill,
        (*ACTING, Requirement("opend6.map.zero_rule", _can_use)),
        _skills,
        "1 action",
    ),
    Action("vehicle_maneuver", "Manoeuvre a vehicle", (DRIVE, LISTED), _vehicle, ACTING, _vehicles, "1 action"),
    Action("catch", "Catch", (CATCH, CATCHING, LISTED), _catch, (*ACTING, HANDS), _falling, "1 action"),
    Action("speak", "Say a few words", ("opend6.free.list", FREE), _speak, ONCE, None, "free"),
    Action("glance", "Look around", ("opend6.free.list", FREE), _glance, ONCE, None, "free"),
    Action(
        "burn_fate",
        "Spend a Fate Point for the whole round",
        (CLIMACTIC,),
        _burn,
        (ABLE, Requirement(CLIMACTIC, _may_burn, once=True)),
        None,
        "1 Fate Point",
    ),
    Action(
        "fast_reactions",
        "React faster",
        (FAST,),
        _quicken,
        (ABLE, Requirement(FAST, _not_quick_yet, once=True)),
        _fast,
        "free",
    ),
    Action(
        "use_points",
        "Spend points on rolls",
        ("opend6.gap.points.asked", "opend6.cp.timing", "opend6.fate.timing"),
        _use_points,
        ONCE,
        _points,
        "free",
    ),
    Action(
        "wait",
        "Wait",
        (WAIT, LISTED),
        _wait,
        (ABLE, LEFT, UNHINDERED, COMPOSED, Requirement(WAIT, _can_act_later, once=True)),
        None,
        "1 action",
    ),
    Action("yield", "Yield", (YIELD,), _yield, FREELY, None, "free"),
    Action("stop", "End the turn", (STOP,), _stop, (), None, "free"),
)
