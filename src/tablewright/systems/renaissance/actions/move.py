"""Movement, stances and ground."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TypeAlias

from tablewright.engine import Role, choose
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Path, Position
from tablewright.game.play.action_kinds import ActionKind, action, only_if
from tablewright.game.play.actions import ActionUse, each_use, needs, once
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect, EffectEnded, EffectGained, until_turn_of
from tablewright.game.play.movement import ask_destination, has_place
from tablewright.game.play.reactions import open_reaction_window
from tablewright.game.play.targeting import destinations, occupied, path_toward
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.renaissance.actions.aim import metres
from tablewright.systems.renaissance.actions.requirements import (
    ABLE,
    AWAKE,
    LYING,
    NOTHING,
    ONE_MOVE,
    QUICK,
    STANDARD,
    UPRIGHT,
    able,
    price_of_ending,
    quick,
    standard,
    targets,
)
from tablewright.systems.renaissance.events.fight import ALLOTMENT, Answered, LuckChanged, Stopped, Walked
from tablewright.systems.renaissance.harm import settle
from tablewright.systems.renaissance.mechanics.luck import gifted_check
from tablewright.systems.renaissance.now import in_reach, now
from tablewright.systems.renaissance.status import BRACED, GRABBED, HURRIED, PRONE, stands, upright

MOVE, QUICKLY, CHARGE = (
    "renaissance.movement.move",
    "renaissance.movement.move_quickly",
    "renaissance.movement.charge",
)
STUNT, BRACE = "renaissance.movement.stunt", "renaissance.brace.attack"
FAR = 10_000
STAY = ActionUse("destination", None, "here", "stay here")
Ways: TypeAlias = Callable[[Scene, str], Iterable[ActionUse]]


def rate_of(scene: Scene, who: str, action: str) -> int:
    """Metres of a kind of movement."""
    numbers = now(scene, who).numbers
    return numbers.full if action in ("move_quickly", "charge") else numbers.base


@cached_on_scene
def way_to(scene: Scene, who: str, foe: str, budget: int) -> Position | None:
    """Last square of a move toward a foe until it is in reach; None if the move leads nowhere.

    The way is the same for walking, running and charging; each gets along it as far as it can pay
    (renaissance.grid.path_length).
    """
    ground, reach = scene.ground, max(1, now(scene, who).reach)
    whole = isinstance(ground, Grid) and ground.diagonal == "one_and_a_half" and not ground.difficult
    path = path_toward(scene, who, foe, FAR if whole else budget, upright, reach=reach)
    if path is None or len(path.steps) < 2:
        return None
    return _as_far_as(path, budget, occupied(scene, who, upright)) if path.cost > budget else path.end


def _as_far_as(path: Path, budget: int, taken: frozenset[Position]) -> Position | None:
    """Last free square of a path within the budget: a metre a step, half a metre more if it is diagonal."""
    found, halves = None, 0
    for here, there in pairwise(path.steps):
        halves += 3 if here.x != there.x and here.y != there.y else 2
        if halves > 2 * budget:
            break
        found = found if there in taken else there
    return found


@cached_on_scene
def far_foes(scene: Scene, who: str) -> list[Participant]:
    """Foes to move toward, the nearest first: not yet in reach, and with a place."""
    reach = max(1, now(scene, who).reach)
    found = [foe for foe in targets(scene, who) if foe.position is not None and not in_reach(scene, who, foe.id, reach)]
    return sorted(found, key=lambda foe: metres(scene, who, foe.id))


def _a_way(scene: Scene, who: str, use: ActionUse) -> str | None:
    if ALLOTMENT.short(scene, who, QUICK) is not None:
        return None  # ways are long to find, and none can be paid for
    budget = rate_of(scene, who, use.action)
    some = any(way_to(scene, who, foe.id, budget) is not None for foe in far_foes(scene, who))
    return None if some else "no way to any foe"


A_WAY = once(_a_way, "renaissance.grid.path_length")


async def _where(game: Game, who: str, budget: int, *, over: bool = False) -> Position | None:
    """Ask for a destination that is no foe; None to stay."""

    def find() -> list[Position]:
        if over and (here := game[who].position) is not None:
            taken = occupied(game.scene, who, stands)
            return [at for at in game.scene.ground.reachable(here, budget) if at != here and at not in taken]
        return destinations(game.scene, who, budget, upright)

    return await ask_destination(game, who, find, label="{}", stay=STAY)


async def _towards(game: Game, who: str, budget: int, *, charge: bool) -> Position | None:
    """Ask for the foe to move toward, or elsewhere unless it is a charge; returns the destination."""
    elsewhere = ActionUse("elsewhere", label="elsewhere")

    def find() -> list[ActionUse]:
        scene = game.scene
        near = [foe for foe in far_foes(scene, who) if way_to(scene, who, foe.id, budget) is not None]
        found = [ActionUse("toward", foe.id, label=f"toward {scene.display_name(foe.id)}") for foe in near]
        return found if charge else [*found, elsewhere]

    if charge and not find():
        return None
    use = await choose(game.seat(who), "towards whom?", find, details={"who": who}, lapse=elsewhere)
    if use.target is None:
        return await _where(game, who, budget)
    return way_to(game.scene, who, use.target, budget)


async def walk(game: Game, who: str, use: ActionUse, *, how: str, cause: str, towards: bool = True) -> Position | None:
    """Move a participant; returns its former place."""
    start: Position | None = game[who].position
    budget = rate_of(game.scene, who, use.action)
    charges = use.action == "charge"
    end = await (_towards(game, who, budget, charge=charges) if towards else _where(game, who, budget))
    if end is None or not stands(game[who]):
        return None
    charge = use.action == "charge"
    far = False
    if charge and start is not None:
        far = game.scene.ground.distance(start, end) >= 2 * now(game.scene, who).numbers.base
    game.emit(Walked(who=who, how=how, position=end, charged=charge, far=far, cause=cause))
    settle(game)
    return start


@quick("Move", MOVE, (UPRIGHT, ONE_MOVE), only_if(has_place, "Move"))
async def _move(game: Game, who: str, use: ActionUse) -> None:
    await walk(game, who, use, how="", cause=MOVE)


@quick("Move quickly", QUICKLY, (UPRIGHT, ONE_MOVE), only_if(has_place, "Run"))
async def _move_quickly(game: Game, who: str, use: ActionUse) -> None:
    _hurry(game, who, QUICKLY)
    await walk(game, who, use, how="quickly", cause=QUICKLY)


def _hurry(game: Game, who: str, cause: str) -> None:
    game.emit(EffectGained(who=who, what=Effect(HURRIED, until_turn_of(game.scene, who), -10), cause=cause))


@quick("Charge", (CHARGE, "renaissance.charge.bonus"), (UPRIGHT, ONE_MOVE, A_WAY), only_if(has_place, "Charge"))
async def _charge(game: Game, who: str, use: ActionUse) -> None:
    _hurry(game, who, CHARGE)
    await walk(game, who, use, how="charging", cause=CHARGE)
    await receive(game)


@standard("Crawl", "renaissance.prone.effects", (LYING, ONE_MOVE), only_if(has_place, "Crawl"))
async def _crawl(game: Game, who: str, use: ActionUse) -> None:
    await walk(game, who, use, how="crawling", cause="renaissance.prone.effects")


@quick("Drop prone", "renaissance.prone.enter", (UPRIGHT,))
async def _drop_prone(game: Game, who: str, use: ActionUse) -> None:
    game.emit(EffectGained(who=who, what=Effect(PRONE), cause="renaissance.prone.enter"))


@able("Stand up", "renaissance.prone.stand", (LYING,), cost=price_of_ending(PRONE))
async def _stand(game: Game, who: str, use: ActionUse) -> None:
    held = game[who].status.held(PRONE)
    if held is not None:
        game.emit(EffectEnded(who=who, what=held, cause="renaissance.prone.stand"))


# ---------------------------------------------------------------------- stunts


def _stunts(scene: Scene, who: str) -> Iterable[ActionUse]:
    if not has_place(scene, who):
        return
    yield ActionUse("stunt", None, "quick", "Stunt: tumble or vault, up to the base rate")
    yield ActionUse("stunt", None, "standard", "Stunt: climb or swing, up to the full rate")


def _stunt_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    return STANDARD if use.detail == "standard" else QUICK


@action("Stunt", STUNT, (*ABLE, UPRIGHT, ONE_MOVE), _stunts, cost=_stunt_price)
async def _stunt(game: Game, who: str, use: ActionUse) -> None:
    """A check with Athletics; failed, the action is gone without the movement."""
    participant, me = game[who], now(game.scene, who)
    goal = me.skill("athletics", "suppleness")
    call = gifted_check(goal.total, me.luck, goal.penalties, me.daring)
    tallies = {"target": goal.tally()}
    result = await call.by(participant.seat, private={"luck": Role.ACTOR}, tallies=tallies)
    if result.spent:
        game.emit(LuckChanged(who=who, change=-result.spent, why="stunt", cause="renaissance.luck.flip"))
    here = game[who].position
    if not result.grade.succeeds or not stands(game[who]) or here is None:
        if here is not None:
            game.emit(Walked(who=who, how="a stunt that fails", position=here, cause=STUNT))
        return
    numbers = now(game.scene, who).numbers
    end = await _where(game, who, numbers.full if use.detail == "standard" else numbers.base, over=True)
    if end is not None and stands(game[who]):
        game.emit(Walked(who=who, how="stunt", position=end, cause=STUNT))
        settle(game)


# ---------------------------------------------------------------------- bracing


_BRACES = needs(lambda scene, who: any(arm.weapon.has("brace") for arm in now(scene, who).arms), "nothing to brace")


@standard("Brace", "renaissance.brace.prepare", (_BRACES,))
async def _brace(game: Game, who: str, use: ActionUse) -> None:
    game.emit(
        EffectGained(who=who, what=Effect(BRACED, until_turn_of(game.scene, who)), cause="renaissance.brace.prepare")
    )


def waiting(scene: Scene) -> list[str]:
    """The braced foes who have a moment against the charge of whose turn it is, read from the scene alone."""
    charger = scene.turn
    if charger is None or not scene[charger].status.turn.charged or not stands(scene[charger]):
        return []
    answered = scene[charger].status.turn.answered
    return [
        one.id
        for one in scene.participants
        if one.side != scene[charger].side
        and stands(one)
        and one.id not in answered
        and one.status.has(BRACED)
        and not one.status.has(GRABBED)
        and _braced_reach(scene, one.id, charger)
    ]


def _braced_reach(scene: Scene, who: str, charger: str) -> bool:
    reach = [arm.reach for arm in now(scene, who).arms if arm.weapon.has("brace") and not arm.ranged]
    return bool(reach) and in_reach(scene, who, charger, max(reach))


def _charged(scene: Scene, who: str, use: ActionUse) -> str | None:
    if use.target is None or scene.turn != use.target:
        return "nobody charges"
    return None if who in waiting(scene) else "no charge to meet"


CHARGED = each_use(_charged, BRACE)


def _chargers(action: str, word: str) -> Ways:
    def uses(scene: Scene, who: str) -> Iterable[ActionUse]:
        if scene.turn is not None and who in waiting(scene):
            yield ActionUse(action, scene.turn, label=word)

    return uses


answering = ActionKind((AWAKE, CHARGED), cost=NOTHING, reaction=True)


@answering(
    "Strike the charger",
    (BRACE, "renaissance.brace.charge_goes_on"),
    uses=_chargers("meet_charge", "Strike the charger"),
)
async def _meet_charge(game: Game, who: str, use: ActionUse) -> None:
    from tablewright.systems.renaissance.actions.attack import strike  # noqa: PLC0415 - attacks know of moving

    charger = str(use.target)
    game.emit(Answered(who=charger, by=who, cause=BRACE))
    me = now(game.scene, who)
    arm = next((arm for arm in me.arms if arm.weapon.has("brace") and not arm.ranged), None)
    if arm is not None:
        struck = await strike(game, who, charger, arm, extra=me.numbers.DB, cause=BRACE)
        if struck.wounds and struck.prone:
            game.emit(Stopped(who=charger, by=who, cause="renaissance.brace.charge_goes_on"))


@answering("Let it pass", BRACE, uses=_chargers("let_pass", "Let it pass"))
async def _let_pass(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Answered(who=str(use.target), by=who, cause=BRACE))


async def receive(game: Game) -> None:
    """Let a foe with a braced weapon strike the charger first."""
    charger = game.scene.turn
    if charger is None or not waiting(game.scene):
        return
    idle = ActionUse("let_pass", charger, label="Let it pass")
    actions = game.rulebook.actions

    def offers(scene: Scene, who: str) -> list[ActionUse]:
        return list(actions.legal_uses(scene, who, reactions=True, among=("meet_charge", "let_pass")).open)

    await open_reaction_window(game, "meet the charge?", waiting, offers, idle=idle)
    for who in waiting(game.scene):
        if game.scene.turn is not None:
            game.emit(Answered(who=game.scene.turn, by=who, cause=BRACE))


MOVES = (_move, _move_quickly, _charge, _stunt, _crawl, _stand, _drop_prone, _brace, _meet_charge, _let_pass)
