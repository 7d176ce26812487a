"""Movement, stances and ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tablewright.engine import ClosedOption, yes_no
from tablewright.engine.tally import Part
from tablewright.errors import parse_whole_number
from tablewright.game.ground.bands import Together
from tablewright.game.ground.grid import Grid
from tablewright.game.ground.position import Ground, Position
from tablewright.game.play.action_kinds import action
from tablewright.game.play.actions import Action, ActionUse, needs, once
from tablewright.game.play.common_events import Checked, Moved, ParticipantLeft
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect, EffectGained
from tablewright.game.play.movement import has_place
from tablewright.game.play.reactions import open_reaction_window
from tablewright.game.rules.ledger import table
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.stage.actions.checks import against, plainly, result_of, with_powers
from tablewright.systems.stage.actions.defences import rerolls_left
from tablewright.systems.stage.actions.requirements import ABLE, able, end_of_next_turn, use_up
from tablewright.systems.stage.actions.turn import assisted, stays_hidden
from tablewright.systems.stage.character.figures import ignored
from tablewright.systems.stage.events.fight import Begun, Hurt, Spent, emit_harm
from tablewright.systems.stage.events.turn import CameBeside, Slipped, StanceChanged, WentUnder
from tablewright.systems.stage.mechanics.turn import falling
from tablewright.systems.stage.modifiers import applications
from tablewright.systems.stage.now import distance, price_in_fight
from tablewright.systems.stage.status import (
    PURSES,
    Stance,
    Status,
    adjacent,
    ap_of,
    carrier,
    handling_of,
    lost,
    most,
    stands,
)
from tablewright.systems.stage.values import ACTION_POINTS

GROUNDS = {
    "climbing": ("athletics.climb", "stage.athletics.climb"),
    "swimming": ("athletics.swim", "stage.environment.swimming"),
    "balancing": ("agility.balance", "stage.agility.balance"),
}
TWICE = 2
HASTE = "hurry"
CUBE = 10
CUBES = "stage.movement.cubes"


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

    async def perform(game: Game, who: str, use: ActionUse) -> None:
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


def _still(action: Action, scene: Scene, who: str, use: ActionUse) -> bool:
    """True if what was begun and paid for can still be done after others have come between: what it takes is paid."""
    if not stands(scene[who]) or (use.target is not None and use.target not in scene):
        return False
    paid = [each for each in action.requires if each.once and each.rule == action.price_rule]
    return all(each in paid or each.refuse(scene, who, use) is None for each in action.requires)


def _deed(scene: Scene, who: str, use: ActionUse) -> str:
    """An action as others see it, before or after it: no one sees which spell is being cast.

    (stage.action.interruption)
    """
    said = "a spell" if use.action == "cast" else use.label or use.action.replace("_", " ")
    return "something unseen" if scene[who].hidden else f"{scene.display_name(who)}: {said}"


async def interruptions(game: Game, about: Mapping[str, str]) -> None:
    """Before and after a deed, the one who has prepared an interruption may take it (stage.action.interruption)."""
    if not any(one.status.held("prepared") is not None for one in game.scene.participants):
        return

    def asked(now: Scene) -> list[str]:
        ready = [one.id for one in now.present if one.id != now.turn and one.status.held("prepared") is not None]
        return [who for who in ready if stands(now[who])]

    def offers(now: Scene, who: str) -> list[ActionUse | ClosedOption]:
        return [
            one
            for one in game.rulebook.actions.options(now, who)
            if isinstance(one, ActionUse) and one.action != game.rulebook.pass_action
        ]

    await open_reaction_window(
        game, "interrupt?", asked, offers, idle=ActionUse("pass", label="Let it pass"), about=about
    )


def _difficulty(scene: Scene, who: str, ground: str) -> int:
    return parse_whole_number(str(scene.facts.get(ground, who))) or 0


async def _keeps_hold(game: Game, who: str, *, hasty: bool = False) -> bool:
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


async def _loses_hold(game: Game, who: str, ground: str) -> None:
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


async def falls(game: Game, who: str, metres: int, gravity: str) -> None:
    """A character falls; Athletics (land) takes its result off the damage, armour nothing."""
    rule = "stage.environment.falling"
    share = Fraction(str(table("stage.environment.gravity").get(gravity, {"fall_damage": 1})["fall_damage"]))
    status: Status = game[who].status
    key = "athletics.land"
    price = price_in_fight(game.scene, key)
    lands = bool(fall_dice(metres)) and status.able and (not game.scene.round or status.ap >= price["ap"])
    if lands:
        words = PURSES.words(price)
        lands = await yes_no(game.seat(who), "land?", cost_text=words, default=True, details={"of": who})
    make = plainly(game, who, key)
    made = await with_powers(game, who, key, make, price if game.scene.round else Cost()) if lands else make(())
    again = lands and bool(rerolls_left(game.scene, who, made.skill))  # stage.power_effect.reroll
    landed = (await result_of(game, who, made)).result if again else 0
    rolled = (made.dice.total, made.flat.total) if lands and not again else (0, 0)
    call = falling(min(200, fall_dice(metres)), *rolled, share.numerator, share.denominator)
    damage = max(0, await call.by(game.seat(who), tallies={"landing": made.dice} if rolled[0] else {}) - landed)
    if lands:
        use_up(game, who, made.once, "stage.athletics.land")
    if lands and game.scene.round:
        game.emit(Spent(who=who, price=price, on="landing", cause="stage.athletics.land"))
    emit_harm(game, Hurt(who=who, damage=damage, source=f"a fall of {metres} m", cause=rule))


TUMBLE = "agility.tumble"
FAR_AWAY = 5  # stage.gap.encounter.end
SLOW_MODES = {"climbing": "athletics.climb", "swimming": "athletics.swim", "balancing": "agility.balance"}
GRAVITY = {"very_high": 3, "high": 2}  # stage.environment.gravity


def _carried(scene: Scene, who: str, use: ActionUse) -> str | None:
    mount = carrier(scene, who)
    return f"on {scene.display_name(mount)}, which goes where it is ridden" if mount else None


FREE = needs(lambda scene, who: scene[who].status.held("held") is None, "held in place", "stage.brawl.grapple")
AFOOT = once(_carried, "stage.mount.control")


# ---------------------------------------------------------------------- what moving costs


def move_ap(scene: Scene, who: str, mode: str = "", *, slow: bool = False, hasty: bool = False) -> int:
    """AP for one move: doubled by stance, by a slow mode or difficult ground, once; gravity and darkness multiply.

    Powers lift the doubling of a mode (stage.power_effect.normal_move_cost), and so does haste.
    """
    status: Status = scene[who].status
    if not slow and not mode and status.stance == "standing" and not scene.facts.entries:
        return 1
    modes = [
        key for fact, key in SLOW_MODES.items() if scene.facts.entries and not hasty and scene.facts.get(fact, who)
    ]
    slowed = [key for key in (*modes, mode) if key and ignored(f"move_cost.{key}", *_character(scene, who)) is not None]
    factors = [applications(scene.library)[key].move_factor for key in slowed]
    cost = max([2 if slow or status.stance != "standing" else 1, *factors])  # stage.movement.impediments
    cost *= GRAVITY.get(str(scene.facts.get("gravity", who)), 1)
    return cost * (2 if scene.facts.get("darkness", who) else 1)


def _character(scene: Scene, who: str) -> tuple[Any, Any, Any]:
    return scene[who].character, scene.options, scene.library


def _slow(scene: Scene, who: str, use: ActionUse) -> bool:
    """True if the way leads over difficult ground: there is no other of the same speed."""
    ground, here = scene.ground, scene[who].position
    if not isinstance(ground, Grid) or not ground.difficult or here is None:
        return False
    there = here
    if use.target is not None:
        there = scene[use.target].position or here
    elif use.detail not in (None, "", "away"):
        there = ground.parse(str(use.detail))
    if there == here:
        return here in dict(ground.difficult)
    return there not in _easily(ground, here, most(scene, who).speed)


@lru_cache(maxsize=4_096)
def _easily(ground: Grid, here: Position, cubes: int) -> frozenset[Position]:
    """Positions within some cubes that can be reached without difficult ground."""
    walls = {*ground.blocked, *[at for at, _ in ground.difficult]} - {here}
    return frozenset(replace(ground, difficult=(), blocked=tuple(sorted(walls))).reachable(here, cubes))


def _sneaking(scene: Scene, who: str) -> str:
    """The mode in which a character moves who is hidden (stage.guile.sneak)."""
    return "guile.sneak" if scene[who].hidden else ""


PRICES = [Cost.of(ap=ap) for ap in range(30)]


@lru_cache(maxsize=32)
def _words(ap: int) -> str:
    return f"{ap} AP"


def _moves(scene: Scene, who: str) -> Iterator[ActionUse]:
    """To everyone within reach of a move, and to the cubes around; within the own cube away from others."""
    here = scene[who].position
    if here is None or isinstance(scene.ground, Together):
        return
    least, speed = cubes_of(scene, who)
    for one in scene.participants:
        if one.id == who or not stands(one) or (one.hidden and one.side != scene[who].side) or one.position is None:
            continue
        if adjacent(scene, who, one.id) or not scene.ground.within(here, one.position, speed):
            continue
        if not least or distance(scene, who, one.id) >= least:
            yield ActionUse("move", one.id, label=f"Move next to {scene.display_name(one.id)}")
    if scene[who].status.beside and not least:
        yield ActionUse("move", detail="away", label="Step away within the cube")
    for at, name in around(scene.ground, here, speed):
        if not least or scene.ground.distance(here, at) >= least:
            yield ActionUse("move", detail=name, label=f"Move to {name}")


def cubes_of(scene: Scene, who: str) -> tuple[int, int]:
    """The fewest and the most cubes of a move: up to the speed score; an acceleration limits the change of pace.

    A craft or ridden animal with a least speed goes that far each round, or as far as it can get up to it.

    (stage.movement.cubes, stage.mount.properties)
    """
    speed, status = most(scene, who).speed, scene[who].status
    handling = handling_of(scene, who)
    if not handling.keeps_pace or (status.integrity is None and status.held("controlled") is None):
        return 0, speed
    faster, least = handling.acceleration, handling.least_speed if not status.went else 0
    if faster is None:
        return min(least, speed), speed
    highest = min(speed, status.pace + faster)
    return min(max(least, status.pace - faster), highest), highest


@lru_cache(maxsize=4_096)
def around(ground: Ground, here: Position, cubes: int) -> tuple[tuple[Position, str], ...]:
    """Positions within some cubes, with their text; difficult ground costs AP, not cubes."""
    if isinstance(ground, Grid) and ground.difficult:
        ground = replace(ground, difficult=())
    return tuple([(at, str(at)) for at in ground.reachable(here, cubes) if at != here])


async def _move(game: Game, who: str, use: ActionUse) -> None:
    rule = "stage.movement.cubes"
    if use.target is not None:
        there = game[use.target].position
        if there is not None and there != game[who].position:
            game.emit(Moved(who=who, position=there, cause=rule))
        game.emit(CameBeside(who=who, others=(use.target,), cause=rule))
    elif use.detail == "away":
        game.emit(CameBeside(who=who, others=(), cause=rule))
    else:
        game.emit(Moved(who=who, position=game.scene.ground.parse(str(use.detail)), cause=rule))
    if game[who].hidden:
        await stays_hidden(game, who)


def _hurries(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Moves where one climbs, swims or balances, for the usual AP but with a die less on the check."""
    if scene.facts.entries and move_ap(scene, who) > move_ap(scene, who, hasty=True):
        for use in _moves(scene, who):
            yield ActionUse("hurry", use.target, use.detail, label=f"In haste: {use.label[:1].lower()}{use.label[1:]}")


# ---------------------------------------------------------------------- stances


STANCES: dict[str, Stance] = {"crouch": "crouching", "lie_down": "prone", "get_up": "standing"}


def _other_stance(scene: Scene, who: str, use: ActionUse) -> str | None:
    stance = STANCES[use.action]
    return f"is {stance} already" if scene[who].status.stance == stance else None


async def _change_stance(game: Game, who: str, use: ActionUse) -> None:
    game.emit(StanceChanged(who=who, stance=STANCES[use.action], cause="stage.terrain.stance"))


# ---------------------------------------------------------------------- tumbling


def _tumbles(scene: Scene, who: str) -> Iterator[ActionUse]:
    here = scene[who].position
    if here is None or isinstance(scene.ground, Together):
        yield ActionUse("tumble", label="Tumble")
        return
    yield ActionUse("tumble", detail="away", label="Tumble within the cube")
    for _, name in around(scene.ground, here, most(scene, who).speed):
        yield ActionUse("tumble", detail=name, label=f"Tumble to {name}")


def _tumble_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    """Own price of a tumble, and more AP where moving so costs more (stage.agility.tumble)."""
    return _tumbling(scene, who, _slow(scene, who, use))


@cached_on_scene
def _tumbling(scene: Scene, who: str, slow: bool) -> Cost:
    own = price_in_fight(scene, TUMBLE)
    return own.instead(ap=max(own["ap"], move_ap(scene, who, TUMBLE, slow=slow)))


@cached_on_scene
def _tumbling_words(scene: Scene, who: str, slow: bool) -> str:
    return PURSES.words_for(scene, who, _tumbling(scene, who, slow))


def _two_ap(scene: Scene, who: str, use: ActionUse) -> str | None:
    begun = scene[who].status.progress
    if begun is not None and begun.use.startswith("tumble"):
        return None
    least = price_in_fight(scene, TUMBLE)["ap"]
    return None if ap_of(scene, who) >= least else f"costs {least} AP, {ap_of(scene, who)} left"


@able(
    "Tumble",
    "stage.agility.tumble",
    (FREE, AFOOT, once(_two_ap)),
    _tumbles,
    lambda scene, who, use: _tumbling_words(scene, who, _slow(scene, who, use)),
    cost=_tumble_price,
)
async def _tumble(game: Game, who: str, use: ActionUse) -> None:
    """The result is the Difficulty to hit the tumbler until the end of the next turn."""
    rule, key = "stage.agility.tumble", TUMBLE
    dice, _ = await assisted(game, who, key, _tumble_price(game.scene, who, use)["ap"])
    made = await with_powers(game, who, key, plainly(game, who, key, dice=dice))
    result = await result_of(game, who, made)
    if use.detail not in (None, "away"):
        game.emit(Moved(who=who, position=game.scene.ground.parse(str(use.detail)), cause=rule))
    elif game[who].status.beside:
        game.emit(CameBeside(who=who, others=(), cause=rule))
    held = Effect("tumbling", end_of_next_turn(game.scene, who), degree=result.result, stacks="apart")
    game.emit(EffectGained(who=who, what=held, cause=rule))


# ---------------------------------------------------------------------- getting away, giving up


def _flees(scene: Scene, who: str, use: ActionUse) -> str | None:
    near = [one for one in scene.participants if one.side != scene[who].side and stands(one) and not one.hidden]
    if not has_place(scene, who):
        return "next to everybody" if near else None
    close = [one for one in near if distance(scene, who, one.id) <= FAR_AWAY]
    return f"{scene.display_name(close[0].id)} is within {FAR_AWAY} cubes" if close else None


@able("Get away", "stage.gap.encounter.end", (FREE, once(_flees)))
async def _flee(game: Game, who: str, use: ActionUse) -> None:
    game.emit(ParticipantLeft(who=who, how="flees", cause="stage.gap.encounter.end"))


def _hurt(scene: Scene, who: str, use: ActionUse) -> str | None:
    status: Status = scene[who].status
    return None if status.stamina <= 0 or lost(scene, who, "vitality") else f"{scene.display_name(who)} is not hurt yet"


@able("Give up", "stage.gap.encounter.end", (once(_hurt),))
async def _yield(game: Game, who: str, use: ActionUse) -> None:
    game.emit(ParticipantLeft(who=who, how="yields", cause="stage.gap.encounter.end"))


# ---------------------------------------------------------------------- preparing, beginning, waiting


_NOT_PREPARED = needs(lambda scene, who: scene[who].status.held("prepared") is None, "one is prepared already")


ONE, THREE = Cost.of(ap=1), Cost.of(ap=3)


@able("Prepare an interruption", "stage.action.prepare_interruption", (_NOT_PREPARED,), cost=THREE)
async def _prepare(game: Game, who: str, use: ActionUse) -> None:
    """One AP for an interruption until the end of the next turn."""
    rule = "stage.action.prepare_interruption"
    game.emit(EffectGained(who=who, what=Effect("prepared", end_of_next_turn(game.scene, who)), cause=rule))


def _beginnings(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Actions for which too few AP are left: they can be begun now and finished in the next turn."""
    left = scene[who].status.ap  # what was prepared for an interruption is no beginning
    if left <= 0 or scene.turn not in (None, who):
        return
    if left >= ACTION_POINTS and not scene.facts.entries:
        return  # nothing costs more than a turn's AP without darkness, gravity or bad ground
    from tablewright.systems.stage.actions.index import ACTIONS, LONG  # noqa: PLC0415 - all actions are known only there

    for name in LONG:
        action, alone = ACTIONS.by_id[name], ActionUse(name, label=ACTIONS.by_id[name].title)
        wanting = [each for each in action.requires if each.rule != action.price_rule]
        if any((each.once or each.always) and each.refuse(scene, who, alone) is not None for each in wanting):
            continue
        for use in (alone,) if action.candidates is None else action.candidates(scene, who):
            price = action.price_of(scene, who, use)
            if price["ap"] > left and all(each.refuse(scene, who, use) is None for each in wanting):
                yield ActionUse("begin", use.target, f"{use.action}/{use.detail or ''}", label=f"Begin: {use.label}")


def _begun(use: ActionUse) -> ActionUse:
    """The whole action that is begun."""
    action, _, detail = str(use.detail).partition("/")
    return ActionUse(action, use.target, detail or None)


def _begin_words(scene: Scene, who: str, use: ActionUse) -> str:
    """AP that go into an action now, and its whole price (stage.action.multi_turn)."""
    from tablewright.systems.stage.actions.index import ACTIONS  # noqa: PLC0415 - all actions are known only there

    whole = _begun(use)
    price = ACTIONS.by_id[whole.action].price_of(scene, who, whole)
    return f"{scene[who].status.ap} of {PURSES.words(price)}"


@action("Begin", "stage.action.multi_turn", (ABLE,), _beginnings, _begin_words)
async def _begin(game: Game, who: str, use: ActionUse) -> None:
    whole = _begun(use)
    game.emit(Begun(who=who, use=whole.id, ap=game[who].status.ap, cause="stage.action.multi_turn"))


@action("End the turn", "stage.encounter.flow")
async def _end_turn(game: Game, who: str, use: ActionUse) -> None:
    return None


def _stance(action: str, title: str) -> Action:
    rule = "stage.terrain.stance"
    return able(title, rule, (once(_other_stance, rule),), cost=ONE, id=action)(_change_stance)


def _moving(title: str, rules: tuple[str, ...], uses: Any, *, id_: str, hasty: bool = False) -> Action:
    def ap(scene: Scene, who: str, use: ActionUse) -> int:
        return move_ap(scene, who, _sneaking(scene, who), slow=_slow(scene, who, use), hasty=hasty)

    return able(
        title,
        rules,
        (FREE, AFOOT),
        uses,
        lambda scene, who, use: _words(ap(scene, who, use)),
        cost=lambda scene, who, use: PRICES[ap(scene, who, use)],
        price_rule=CUBES,
        id=id_,
    )(_move)


HASTY = ("stage.athletics.climb", "stage.athletics.swim", "stage.agility.balance")
MOVES = (
    _moving("Move", (CUBES, "stage.movement.impediments"), _moves, id_="move"),
    _moving("Move in haste", HASTY, _hurries, id_=HASTE, hasty=True),
    _stance("crouch", "Crouch"),
    _stance("lie_down", "Go prone"),
    _stance("get_up", "Get up"),
    _tumble,
)
OTHERS = (_prepare, _begin, _flee, _yield, _end_turn)
