"""Encounters: awareness, turn order, rounds, turns and the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

from tablewright.engine import Param, Role, Tally, choose, process
from tablewright.errors import IllegalActionError, InvalidInputError, refuse
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import OrderSet
from tablewright.game.play.effects import EffectEnded
from tablewright.game.play.movement import has_place
from tablewright.game.play.reactions import open_reaction_window
from tablewright.game.play.time_passage import Who
from tablewright.game.play.turns import MOST_DEEDS, Causes, play_rounds, winning_side
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.opend6 import now
from tablewright.systems.opend6.actions.aim import Attack, deal_call, planned
from tablewright.systems.opend6.actions.attack import ATTACKS, KINDS, go_on, met, missed, roll_to_hit
from tablewright.systems.opend6.actions.attack import declare as declare_result
from tablewright.systems.opend6.actions.index import IDLE
from tablewright.systems.opend6.actions.move import free_metres
from tablewright.systems.opend6.actions.requirements import declare
from tablewright.systems.opend6.character.figures import effects_of, figures
from tablewright.systems.opend6.character.gear import Manner, arms
from tablewright.systems.opend6.content import GoesFirst, NeverSurprised
from tablewright.systems.opend6.events.attack import Released
from tablewright.systems.opend6.events.turn import CameBetween, Declared, InitiativeRolled, WasSurprised
from tablewright.systems.opend6.harm import MASSIVE, end_of_round, endure, find_out_how_long, squeeze
from tablewright.systems.opend6.mechanics.attack import Dealt
from tablewright.systems.opend6.mechanics.points import Aimed
from tablewright.systems.opend6.mechanics.turn import Initiative, initiative, lot
from tablewright.systems.opend6.status import SHAKEN, Status, fight, is_here, is_out, stands, wound_penalty
from tablewright.systems.opend6.values import DieCode

METHOD, ROLL = "opend6.initiative.method", "opend6.initiative.roll"
ROUND, SEQUENCE, DISABLED = "opend6.time.round", "opend6.time.sequential", "opend6.initiative.disabled_loses_action"
SURPRISE, UP, END = "opend6.gap.attack.surprise", "opend6.turn.move_up", "opend6.gap.encounter.end"
GROUP = "opend6.group.single_roll"
HOLDING = "opend6.gap.manoeuvre.holding"
ROUND_SECONDS = 5
GO_ON_WAITING = ActionUse("go_on_waiting", label="Go on waiting")
EASY = 10
_NOUGHT = Tally.of("rulings", 0)


# ---------------------------------------------------------------------- who acts when


def factors(scene: Scene, who: str) -> tuple[int, ...]:
    """Tie breakers in the order of the book; the higher goes first. [opend6.initiative.ties]"""
    one = scene[who]
    codes = figures(one.character, scene.library).codes
    ability = any(isinstance(effect, GoesFirst) for _, effect in effects_of(one.character, scene.library))
    equipped = bool(scene.facts.entries and scene.facts.get("goes_first", who))
    compared = [codes[name].in_pips for name in ("acumen", "search", "agility", "dodge")]
    return (int(ability), *compared, int(equipped))


def initiative_bonus(scene: Scene, who: str) -> int:
    """The optional bonus: for search above its attribute, for Agility, for many ranks. [opend6.initiative.bonus]"""
    if scene.options.initiative_bonus == "off":
        return 0
    character = scene[who].character
    codes = figures(character, scene.library).codes
    searching = max(0, codes["search"].in_pips - codes["acumen"].in_pips) // 6
    agile = codes["agility"].dice // 4
    ranks: int = sum(
        [own.ranks // 6 for own in character.abilities if own.attribute == "agility" or "search" in own.skills]
    )
    parts = searching + agile if scene.options.initiative_bonus == "cumulative" else max(searching, agile)
    return parts + ranks


def groups(scene: Scene, people: Iterable[Participant]) -> list[list[Participant]]:
    """Participants who roll together: creatures of one kind on one side, if the game master rolls for groups."""
    found: dict[tuple[str, ...], list[Participant]] = {}
    for one in people:
        alone = one.hidden or not one.character.is_creature or not scene.options.single_roll
        key = (one.id,) if alone else (one.side, one.character.name, one.seat)
        found.setdefault(key, []).append(one)
    return list(found.values())


async def roll_initiative(game: Game, people: list[str]) -> None:
    """Acumen rolls for everyone named; a group rolls once and acts together.

    It is no action, and other actions take no dice from it. [opend6.initiative.not_an_action, opend6.map.exempt_rolls]
    """
    for group in groups(game.scene, [game[who] for who in people]):
        leader = group[0].id
        one = game[leader]
        scene = game.scene
        found = figures(one.character, scene.library)
        acumen = found.codes["acumen"]
        own = DieCode(max(1, acumen.dice - _typical_penalty(scene, group)), acumen.pips)
        status: Status = one.status
        bonus = found.bonus("acumen") + initiative_bonus(scene, leader)
        bonus += scene.apply_rulings(_NOUGHT, "initiative", leader).total
        rolling, most = now.terms(scene, leader).how(), scene.options.challenge_level
        call = initiative(own, bonus, found.initiative_dice, status.points, most, rolling)
        result: Initiative = await call.by(one.seat, private={"points": Role.ACTOR}, audience=now.seen_by(one))
        rolled = Aimed(result.total, False, result.points)
        raised = await now.mended(game, leader, rolled, 0, known=False)  # opend6.cp.timing
        for member in group:
            points = raised.points if member.id == leader else 0
            if is_here(game.scene, member.id):
                game.emit(InitiativeRolled(who=member.id, total=raised.total, points=points, cause=ROLL))


def _typical_penalty(scene: Scene, group: list[Participant]) -> int:
    """Dice that injuries take from a group that rolls together: the median of its members."""
    dice = sorted([wound_penalty(scene, one.id) for one in group])
    return dice[(len(dice) - 1) // 2]


async def ordered(game: Game, *, rolled_first: bool, drawn_before: bool = False) -> tuple[str, ...]:
    """Turn order of everyone who can act: by initiative, then factor by factor, then as the table decides.

    Participants who are equal in everything keep the places of an earlier draw by lot.
    """
    scene = game.scene
    players = scene.options.final_tie == "players_then_random"
    keys: dict[str, tuple[int, ...]] = {}
    for one in scene.present:
        if is_out(one):
            continue
        first = (one.status.initiative,) if rolled_first else ()
        keys[one.id] = (*first, *factors(scene, one.id), int(players and not one.character.is_creature))
    order: list[str] = []
    for key in sorted(set(keys.values()), reverse=True):
        seen = [who for who, own in keys.items() if own == key and not scene[who].hidden]
        drawn = drawn_before and all(who in scene.order for who in seen)
        order += sorted(seen, key=scene.order.index) if drawn else await _by_lot(game, seen)
        order += [who for who, own in keys.items() if own == key and scene[who].hidden]
    return tuple(order)


async def _by_lot(game: Game, equal: list[str]) -> list[str]:
    """Ties drawn by lot; a group of one kind keeps its order."""
    if len({(game[who].side, game[who].character.name) for who in equal}) < 2:
        return equal
    drawn: list[str] = []
    left = list(equal)
    while len(left) > 1:
        drawn.append(left.pop(await lot(len(left)).by(GAME_MASTER)))
    return [*drawn, *left]


def surprised_by(scene: Scene, who: str) -> bool:
    """True if a character can be surprised at all."""
    return not any(isinstance(effect, NeverSurprised) for _, effect in effects_of(scene[who].character, scene.library))


WITHOUT_ROLLS = {"no_roll": "opend6.initiative.no_roll", "first_action": "opend6.initiative.first_action"}


async def _round_begins(game: Game) -> None:
    """Set the order of acting for the next round by the table's method."""
    scene = game.scene
    number = scene.round + 1
    if number == 1:
        for who in scene.setup.surprised:
            if is_here(game.scene, who) and surprised_by(game.scene, who):
                game.emit(WasSurprised(who=who, cause=SURPRISE))
    method = scene.options.initiative_method
    here = [one.id for one in scene.present if not is_out(one)]
    new = [who for who in here if who not in scene.order]
    ambushed = scene.options.surprise_rule == "act_first" and any(scene[who].status.surprised for who in here)
    over = number == 2 and ambushed
    if method in ("no_roll", "first_action"):
        if number > 1 and not new and not over:
            return
        order = await ordered(game, rolled_first=False, drawn_before=over)
        first = first_mover(game.scene)
        if method == "first_action" and first:
            order = (first, *[who for who in order if who != first])
            if number > 1 and not over:
                order = (*[who for who in scene.order if who in here], *[who for who in order if who in new])
    else:
        roll = here if method == "roll_each_round" else new
        if not roll and not over:
            return
        await roll_initiative(game, roll)
        order = await ordered(game, rolled_first=True, drawn_before=over and method != "roll_each_round")
    if number == 1 and scene.options.surprise_rule == "act_first":
        order = ambushers_first(game.scene, order)
    is_told = number == 1 or over or method == "roll_each_round" or any(not game[who].hidden for who in new)
    _set_order(game, order, WITHOUT_ROLLS.get(method, METHOD), is_told=is_told)


def _set_order(game: Game, order: tuple[str, ...], cause: str, *, is_told: bool) -> None:
    """Set the turn order: where it is told, the one that everyone sees, then the one with hidden participants."""
    seen = tuple([who for who in order if not game[who].hidden])
    if is_told:
        game.emit(OrderSet(order=seen, cause=cause))
    if order != game.scene.order:
        game.emit(OrderSet(order=order, to=GAME_MASTER, cause=cause))


def first_mover(scene: Scene) -> str:
    """The participant who acts first: named by the scenario, or the first who is not surprised or hidden."""
    seen = [one for one in scene.present if not one.hidden]
    more = dict(scene.setup.more) if scene.setup.more else {}
    named = str(more.get("first", ""))
    if is_here(scene, named):
        return named
    if scene.setup.surprised:
        for one in seen:
            if one.id not in scene.setup.surprised:
                return one.id
    return seen[0].id if seen else ""


def ambushers_first(scene: Scene, order: tuple[str, ...]) -> tuple[str, ...]:
    """Turn order of the first round, with surprised participants last."""
    if not any(scene[who].status.surprised for who in order):
        return order
    return tuple(sorted(order, key=lambda who: scene[who].status.surprised))


# ---------------------------------------------------------------------- turns


def _goes_on(scene: Scene, who: str) -> bool:
    if scene.turn != who or scene.ended is not None or not stands(scene[who]) or outcome(scene) is not None:
        return False
    status: Status = scene[who].status
    if status.waiting:
        return False
    return status.left > 0 or (has_place(scene, who) and not status.moved and free_metres(scene, who) > 0)


async def turn(game: Game, who: str) -> None:
    """Run a turn: ask for the number of actions, then for each one; waiting participants may act after each."""
    if not stands(game[who]):
        return  # opend6.initiative.disabled_loses_action
    if not game[who].status.declared:
        await _held_from_before(game, who)
        if not stands(game[who]) or game.scene.turn != who:
            return
        await declare(game, who)
    await _act(game, who, _goes_on)


async def _act(game: Game, who: str, goes_on: Callable[[Scene, str], bool]) -> None:
    """One action after the other, as long as a character goes on."""
    for _ in range(MOST_DEEDS):
        if not goes_on(game.scene, who):
            return
        before = game[who].status.left
        use = await choose(
            game.seat(who), "what now?", lambda: game.legal_uses(who), details={"who": who, **_left(game.scene, who)}
        )
        if use.action == IDLE or not is_here(game.scene, who):
            return
        await game.rulebook.actions.perform(game, who, use)
        if game.scene.ended is not None:
            return
        if game[who].status.left < before or now.last_between(game.scene, who) is not None:
            await let_waiters_act(game, who)


def _left(scene: Scene, who: str) -> dict[str, Any]:
    """Actions left in a turn and the dice that every roll lacks, as details of a question."""
    status: Status = scene[who].status
    left = {"left": status.left, "declared": status.declared}
    lacking = now.lost(scene, who)
    return left | ({"each roll at": f"-{lacking}D"} if lacking else {})


async def let_waiters_act(game: Game, actor: str) -> None:
    """Let waiting participants act after an action, those who interrupted it first. [opend6.turn.waiting]"""
    await go_on_between(game, actor)
    if not now.waiters(game.scene, actor):
        return

    async def come(game: Game, who: str, use: ActionUse) -> None:
        await now.come_between(game, who, use)
        await let_waiters_act(game, who)
        await go_on_between(game, actor)

    await open_reaction_window(
        game,
        "act now?",
        lambda scene: now.waiters(scene, actor) if outcome(scene) is None else [],
        lambda scene, who: now.open_between(game, who),
        idle=GO_ON_WAITING,
        perform=come,
        about={"actor": actor},
    )


async def go_on_between(game: Game, after: str | None) -> None:
    """Continue the actions of a participant that interrupted, until it waits again, stops or has none left."""
    while (who := now.last_between(game.scene, after)) is not None and outcome(game.scene) is None:
        await _act(game, who, _goes_on_between)
        if game.scene.ended is not None:
            return
        if now.goes_on_between(game.scene, who):
            game.emit(CameBetween(who=who, over=True, cause=now.WAIT))


def _goes_on_between(scene: Scene, who: str) -> bool:
    return scene.ended is None and outcome(scene) is None and now.goes_on_between(scene, who)


async def _held_from_before(game: Game, who: str) -> None:
    """Deal Strength Damage by a hold each round. [opend6.gap.manoeuvre.holding]"""
    for one in game.scene.participants:
        grip = one.status.grip
        if grip is None or grip.by != who or grip.how == "pinned" or not is_here(game.scene, one.id, who):
            continue
        if is_out(one):
            game.emit(Released(who=one.id, by=who, cause=HOLDING))
            continue
        if grip.how != "held":
            await squeeze(game, one.id, who, cause=HOLDING)


# ---------------------------------------------------------------------- the whole


def outcome(scene: Scene) -> str | None:
    """Outcome of the fight; None while it goes on."""
    return winning_side(scene, stands)


def _may_act(scene: Scene, who: str) -> bool:
    """Take the turn from characters who cannot act."""
    return not is_out(scene[who])


async def _go_on(game: Game) -> None:
    """An attack under way is finished first, and the one who may lose consciousness does so or not."""
    while (swing := fight(game.scene).swing) is not None:
        await go_on(game)
        if fight(game.scene).swing == swing:
            break
    await go_on_between(game, None)
    for one in game.scene.present:
        if one.status.enduring and is_here(game.scene, one.id):
            await endure(game, one.id)


async def _round_ends(game: Game) -> None:
    """The dying roll for their lives; the shaken may collect themselves."""
    await end_of_round(game)
    for one in game.scene.present:
        shaken = one.status.held(SHAKEN)
        if shaken is not None and stands(one) and is_here(game.scene, one.id):
            skill = now.better(game.scene, one.id, ("stamina", "mettle"))
            calm = await now.succeeds(game, one.id, skill, EASY, free=True)
            if calm and is_here(game.scene, one.id) and shaken in game[one.id].status.lasting:
                game.emit(EffectEnded(who=one.id, what=shaken, cause=MASSIVE))


@process(rules=[METHOD, ROUND, SEQUENCE, END, DISABLED])
async def encounter(game: Game) -> None:
    """Run a fight from wherever it stands to its end: surprise, initiative, rounds of five seconds, turns."""
    await play_rounds(
        game,
        turn,
        outcome,
        cause=Causes(SEQUENCE, ROUND, END),
        length=ROUND_SECONDS,
        round_begins=_round_begins,
        round_ends=_round_ends,
        may_act=_may_act,
        go_on=_go_on,
    )
    await find_out_how_long(game)


@process(rules=[GROUP, "opend6.gap.attack.hit", "opend6.gap.damage.total"])
async def group_attack(
    game: Game,
    who: Annotated[tuple[str, ...], Param("the ids of those who attack together; it is the turn of one of them")],
    targets: Annotated[tuple[str, ...], Param("the id of each one's target; one for all")],
    weapon: Annotated[str, Param("what they attack with, by its id; if it is not said, what each has in hand")] = "",
) -> None:
    """Let a group of the game master's attack under one roll: one attack roll and one damage roll for all of them."""
    members, aims = [game[one].id for one in who], [game[one].id for one in targets]
    if len(members) < 2 or len(set(members)) < len(members):
        raise InvalidInputError("a group has at least two members, each named once", field="who")
    if len(aims) not in (1, len(members)):
        raise InvalidInputError(
            f"{len(members)} attack, and there are {len(aims)} targets; one is for all", field="targets"
        )
    aims = aims * len(members) if len(aims) == 1 else aims
    if not game.scene.options.single_roll:
        raise IllegalActionError("groups do not roll together at this table; roll for each participant", rule=GROUP)
    leader = game.scene.turn
    if leader not in members or not game[leader].status.left:
        raise IllegalActionError("a group attacks in the turn of one of its members who has an action left", rule=GROUP)
    plans = []
    for one, aim in sorted(zip(members, aims, strict=True), key=lambda pair: pair[0] != leader):
        plans.append(_group_member(game.scene, one, aim, weapon, leader))
    for plan in plans:
        if plan.who != leader:
            game.emit(Declared(who=plan.who, actions=1, moved_up=True, cause=GROUP))
    await _strike_together(game, plans)


async def _strike_together(game: Game, plans: Sequence[Attack]) -> None:
    """Resolve several attacks by the attack roll and damage roll of the first. [opend6.group.single_roll]

    Each is compared with the difficulty of its own target, and each target resists by itself.
    """
    leader = plans[0]
    aimed, more = await roll_to_hit(game, leader)
    await now.let_interrupt(game, leader.who)
    here = [plan for plan in plans if is_here(game.scene, plan.who, plan.target) and stands(game[plan.who])]
    overs = [aimed.total - plan.against.total(more) for plan in here]
    dealt = 0
    if any(over >= 0 for over in overs) and stands(game[leader.who]):
        me = game[leader.who]
        rolled_damage: Dealt = await deal_call(game.scene, leader, 0).by(me.seat, audience=now.seen_by(me))
        dealt = rolled_damage.total
    for place, (plan, over) in enumerate(zip(here, overs, strict=True)):
        if not is_here(game.scene, plan.who, plan.target):
            continue
        complication = aimed.complication and place == 0
        if over < 0:
            await declare_result(game, plan, missed(game.scene, plan, over, complication))
            continue
        result = await met(game, plan, dealt + plan.blow.extra(over), complication)
        if result is not None:
            await declare_result(game, plan, result)


def _group_member(scene: Scene, who: str, target: str, weapon: str, leader: str) -> Attack:
    """The attack of one of a group; refused where it cannot be made."""
    one, name = scene[who], scene.display_name(who)
    if not one.character.is_creature or one.side != scene[leader].side:
        raise IllegalActionError(f"{name} does not belong to a group of the game master's", rule=GROUP)
    if not stands(one) or (who != leader and (one.status.declared or who in scene.acted)):
        raise IllegalActionError(f"{name} cannot act any more in this round", rule=DISABLED)
    if one.side == scene[target].side or not is_here(scene, target):
        raise scene.cannot(target, f"is not a target for {name}", GROUP)
    mine = arms(scene, who)
    arm = next((each for each in mine if not weapon or each.weapon.id == weapon), None)
    if arm is None:
        known = " or ".join([each.weapon.name for each in mine])
        raise InvalidInputError(f"{name} has no {weapon:.40} ready, but {known}", field="weapon")
    declared = scene if who == leader else scene.with_status(who, declared=1)
    plain = next(action for kind, action in zip(KINDS, ATTACKS, strict=True) if kind.plain and kind.fits(arm))
    refuse(plain.refusal(declared, who, ActionUse(plain.id, target, arm.weapon.id)), name)
    return planned(declared, who, target, arm.weapon, Manner(arm.weapon.id))


def _reactions(game: Game, who: str) -> list[ActionUse]:
    return [use for use in game.rulebook.actions.options(game.scene, who) if isinstance(use, ActionUse)]


@process(rules=[UP])
async def move_up(game: Game, who: Who) -> None:
    """Let a participant who has not acted yet react at once; it costs their action of this round."""
    if not fight(game.scene).begun or game.scene.ended is not None:
        raise IllegalActionError("no round is under way; start the encounter first", rule=UP)
    if who in game.scene.acted or game.scene.turn == who or game[who].status.declared:
        raise game.scene.cannot(who, "has acted already", UP)
    game.refuse_if(not stands(game[who]), who, "cannot act", DISABLED)
    already = now.last_between(game.scene)
    await declare(game, who, moved_up=True)
    while stands(game[who]) and game[who].status.left > 0:
        use = await choose(game.seat(who), "react how?", lambda: _reactions(game, who), details={"who": who})
        if not is_here(game.scene, who):
            return
        await game.rulebook.actions.perform(game, who, use)
        await go_on_between(game, already)
        if use.action in (IDLE, "wait"):
            return
