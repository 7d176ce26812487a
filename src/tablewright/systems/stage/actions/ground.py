"""Uncertain ground, where every action needs a check first; and the moments in which others may interrupt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from tablewright.engine import Closed, yes_no
from tablewright.engine.tally import Part
from tablewright.errors import whole
from tablewright.game.actions import Action, Use
from tablewright.game.common import Checked
from tablewright.game.prices import Price
from tablewright.game.scene import Live, Scene
from tablewright.game.windows import window
from tablewright.systems.stage.actions.checking import against, plainly, result_of, with_powers
from tablewright.systems.stage.actions.common import use_up
from tablewright.systems.stage.chances import falling
from tablewright.systems.stage.events.fighting import Hurt, Spent, emit_harm
from tablewright.systems.stage.events.moving import Slipped, StanceChanged, WentUnder
from tablewright.systems.stage.status import Status, stands
from tablewright.systems.stage.ways import rerolls_left

Perform = Callable[[Live, str, Use], Awaitable[None]]
GROUNDS = {
    "climbing": ("athletics.climb", "stage.athletics.climb"),
    "swimming": ("athletics.swim", "stage.environment.swimming"),
    "balancing": ("agility.balance", "stage.agility.balance"),
}
TWICE = 2
HASTE = "hurry"
CUBE = 10
GRAVITIES: dict[str, tuple[int, int]] = {
    "very_high": (10, 1),
    "high": (2, 1),
    "normal": (1, 1),
    "low": (1, 2),
    "very_low": (1, 10),
    "zero": (0, 1),
}  # stage.environment.gravity


def fall_dice(metres: int) -> int:
    """Dice of damage for a fall: one from half a cube, doubled for every full cube beyond the first.

    >>> [fall_dice(metres) for metres in (4, 5, 10, 19, 20, 30, 40)]
    [0, 1, 1, 1, 2, 4, 8]
    """
    if 2 * metres < CUBE:
        return 0
    return int(2 ** (max(1, metres // CUBE) - 1))  # stage.environment.falling


def sure_footed(action: Action) -> Action:
    """An action that fails on uncertain ground where the check for it fails; its AP are spent all the same."""
    if action.id in ("end_turn", "yield", "drop"):
        return action

    async def perform(game: Live, who: str, use: Use) -> None:
        if game.scene.turn == who:
            before = game.scene
            await interruptions(game, {"before": _deed(game.scene, who, use)})
            if game.scene is not before and not _still(action, game.scene, who, use):
                result = "it comes to nothing"
                game.emit(Checked(who=who, what=action.title.lower(), result=result, cause="stage.action.interruption"))
                return
        if not game.scene.facts.entries or await _keeps_hold(game, who, hasty=action.id == HASTE):
            await action.perform(game, who, use)
        if game.scene.turn == who:
            await interruptions(game, {"after": _deed(game.scene, who, use)})

    return replace(action, perform=perform)


def _still(action: Action, scene: Scene, who: str, use: Use) -> bool:
    """Whether what was begun and paid for can still be done after others have come between: what it takes is paid."""
    if not stands(scene[who]) or (use.target is not None and use.target not in scene):
        return False
    paid = [each for each in action.requires if each.once and each.rule == action.price_rule]
    return all(each in paid or each.holds(scene, who, use) is None for each in action.requires)


def _deed(scene: Scene, who: str, use: Use) -> str:
    """What somebody is about to do or has done, as others see it: nobody sees what spell is being cast.

    (stage.action.interruption)
    """
    said = "a spell" if use.action == "cast" else use.label or use.action.replace("_", " ")
    return "something unseen" if scene[who].hidden else f"{scene.called(who)}: {said}"


async def interruptions(game: Live, about: Mapping[str, str]) -> None:
    """Before and after a deed, whoever has prepared an interruption may take it (stage.action.interruption)."""
    if not any(one.status.held("prepared") is not None for one in game.scene.participants):
        return

    def asked(now: Scene) -> list[str]:
        ready = [one.id for one in now.present if one.id != now.turn and one.status.held("prepared") is not None]
        return [who for who in ready if stands(now[who])]

    def offers(now: Scene, who: str) -> list[Use | Closed]:
        return [
            one for one in game.book.actions.offers(now, who) if isinstance(one, Use) and one.action != game.book.idle
        ]

    await window(game, "interrupt?", asked, offers, idle=Use("pass", label="Let it pass"), about=about)


def _difficulty(scene: Scene, who: str, ground: str) -> int:
    return whole(str(scene.facts.get(ground, who))) or 0


async def _keeps_hold(game: Live, who: str, *, hasty: bool = False) -> bool:
    for ground, (key, rule) in GROUNDS.items():
        difficulty = _difficulty(game.scene, who, ground)
        if not difficulty:
            continue
        haste = (Part("haste", -1, rule, "penalty"),) if hasty else ()
        made = await with_powers(game, who, key, plainly(game, who, key, dice=haste))
        result = await against(game, who, made, difficulty)
        status: Status = game[who].status
        if result.success:
            if status.failures:
                game.emit(Slipped(who=who, failures=0, cause=rule))
            if status.under and ground == "swimming":
                game.emit(WentUnder(who=who, rounds=0, cause="stage.environment.drowning"))
            continue
        game.emit(Slipped(who=who, failures=status.failures + 1, cause=rule))
        if game[who].status.failures >= TWICE:
            await _loses_hold(game, who, ground)
        return False
    return True


async def _loses_hold(game: Live, who: str, ground: str) -> None:
    """Twice in a row: under water, or down."""
    game.emit(Slipped(who=who, failures=0, cause="stage.environment.drowning"))
    if ground == "swimming":
        if not game[who].status.under:
            game.emit(WentUnder(who=who, rounds=1, cause="stage.environment.drowning"))
        return
    metres = int(str(game.scene.facts.get("height", who) or 0))
    if fall_dice(metres):
        await falls(game, who, metres, str(game.scene.facts.get("gravity", who) or "normal"))
    game.emit(StanceChanged(who=who, stance="prone", cause="stage.environment.falling"))


async def falls(game: Live, who: str, metres: int, gravity: str) -> None:
    """Somebody falls; Athletics (land) for 1 AP takes its result off the damage, armour nothing."""
    rule = "stage.environment.falling"
    factor, divisor = GRAVITIES.get(gravity, (1, 1))
    status: Status = game[who].status
    lands = bool(fall_dice(metres)) and status.able and (not game.scene.round or status.ap >= 1)
    if lands:
        lands = await yes_no(game.seat(who), "land?", cost="1 AP", default=True, about={"of": who})
    key = "athletics.land"
    make = plainly(game, who, key)
    made = await with_powers(game, who, key, make, Price.of(ap=1 if game.scene.round else 0)) if lands else make(())
    again = lands and bool(rerolls_left(game.scene, who, made.skill))  # stage.power_effect.reroll
    landed = (await result_of(game, who, made)).result if again else 0
    rolled = (made.dice.total, made.flat.total) if lands and not again else (0, 0)
    call = falling(min(200, fall_dice(metres)), *rolled, factor, divisor)
    damage = max(0, await call.by(game.seat(who), tallies={"landing": made.dice} if rolled[0] else {}) - landed)
    if lands:
        use_up(game, who, made.once, "stage.athletics.land")
    if lands and game.scene.round:
        game.emit(Spent(who=who, price=Price.of(ap=1), on="landing", cause="stage.athletics.land"))
    emit_harm(game, Hurt(who=who, damage=damage, source=f"a fall of {metres} m", cause=rule))
