"""Encounters: awareness, turn order, rounds, turns and the end."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any

from tablewright.engine import Param, Process, Role, process
from tablewright.errors import InvalidInputError
from tablewright.game.play.common_events import OrderSet, RoundStarted, TurnEnded, TurnStarted
from tablewright.game.play.costs import ActionEconomy
from tablewright.game.play.effects import Effect, EffectEnded, EffectGained, expire_effects
from tablewright.game.play.time_passage import advance_time, require_no_encounter
from tablewright.game.play.turns import Causes, ask_order, play_rounds, rank_by_rolls, take_turn, winning_side
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.values import Ranks
from tablewright.systems.renaissance.actions.aim import in_the_light, with_rulings
from tablewright.systems.renaissance.actions.move import receive, waiting
from tablewright.systems.renaissance.character.figures import given, of_kind
from tablewright.systems.renaissance.effects import Reroll
from tablewright.systems.renaissance.events.fight import (
    ALLOTMENT,
    Contested,
    InitiativeRolled,
    SustainChanged,
    TurnBegan,
    TurnOrderSet,
)
from tablewright.systems.renaissance.harm import begins_with_something, seen_by, settle, turn_begins
from tablewright.systems.renaissance.mechanics.luck import Contestants, lucky_contest
from tablewright.systems.renaissance.mechanics.turn import initiative
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import STUNNED, UNAWARE, Status, TurnOrder, conditions_of, stands
from tablewright.systems.renaissance.values import MINUTE, Formula, Variable

TURN_ORDER, INITIATIVE = "renaissance.turn.combat_is_turn_order", "renaissance.combat.initiative"
AMBUSH = "renaissance.gap.state.ambush"
TURN_SECONDS = 3  # renaissance.combat.turn_length
PASSIVE = -20  # renaissance.modifier.passive


# ---------------------------------------------------------------------- order


async def roll_initiative(game: Game, who: str, modifier: Formula | None = None) -> None:
    """Roll initiative, secretly for hidden participants; outside combat with the game master's modifier."""
    participant = game[who]
    me = now(game.scene, who)
    ruled = [one for one in game.scene.modifiers if one.what == "initiative" and one.who in (None, who)]
    own = me.numbers.INIT if modifier is None else modifier.value(me.numbers.figure)
    total = own + sum([one.value for one in ruled])
    ready = any(
        one.what == "initiative" for one, _ in of_kind(Reroll, given(participant.character, game.scene.library))
    )
    how = getattr(game.scene.options, "ready_trait", "luck_reroll")
    luck = participant.status.luck if ready else 0
    call = initiative(total, ready and how == "luck_reroll", luck, ready and how == "best_of_two")
    audience = seen_by(participant)
    rolled = await call.by(participant.seat, audience=audience, private={"luck": Role.ACTOR})
    first = ready and how == "head_of_order"
    game.emit(
        InitiativeRolled(
            who=who, total=rolled.total + (100 if first else 0), luck=rolled.luck, to=audience, cause=INITIATIVE
        )
    )


def _rank(scene: Scene, one: Participant) -> tuple[int, int]:
    """The higher initiative first, then the higher modifier."""
    return -(one.status.initiative or 0), -now(scene, one.id).numbers.INIT


async def set_order(game: Game, newcomers: Iterable[str]) -> None:
    """Put people into the order by initiative, equals by the table's option; who is hidden is put there unseen."""
    known = [game[who] for who in game.scene.order if who in game.scene]
    fresh = [game[who] for who in newcomers]
    seen = [one for one in (*known, *fresh) if not one.hidden]
    order = await _ordered(game, seen, {one.id for one in known})
    hidden = [one for one in (*known, *fresh) if one.hidden]
    if tuple(order) != tuple([who for who in game.scene.order if not game[who].hidden]):
        game.emit(OrderSet(order=tuple(order), cause=INITIATIVE))
    for one in hidden:
        rank = _rank(game.scene, one)
        at = next((at for at, who in enumerate(order) if _rank(game.scene, game[who]) > rank), len(order))
        order.insert(at, one.id)
        game.emit(OrderSet(order=tuple(order), to=one.seat, cause=INITIATIVE))


async def _ordered(game: Game, people: list[Participant], known: set[str]) -> list[str]:
    """Sorted by rank; those who tie roll for it, or the game master says who is first."""
    groups: dict[tuple[int, int], list[str]] = {}
    for one in people:
        groups.setdefault(_rank(game.scene, one), []).append(one.id)
    order: list[str] = []
    for rank in sorted(groups):
        order += await _settle_tie(game, groups[rank], known)
    return order


async def _settle_tie(game: Game, tied: list[str], known: set[str]) -> list[str]:
    if len(tied) == 1 or all(who in known for who in tied):
        return [who for who in game.scene.order if who in tied] if len(tied) > 1 else tied
    if game.scene.options.initiative_tie == "gm":
        return list(await ask_order(GAME_MASTER, "who acts first of those who tie?", tied, {"open": True}))

    async def roll(who: str) -> int:
        rolled = await initiative(0).by(game.seat(who))
        return rolled.total

    return await rank_by_rolls(dict.fromkeys(tied, ()), roll)


# ---------------------------------------------------------------------- the beginning


async def begin(game: Game, sneaking: str) -> None:
    """Begin a fight: the surprised are unaware, and everyone rolls initiative."""
    for who in game.scene.setup.surprised:
        if who in game.scene:
            _unaware(game, who)
    if sneaking:
        await _ambush(game, sneaking)
    for one in game.scene.present:
        if game[one.id].status.initiative is None and not one.status.dead:
            await roll_initiative(game, one.id)
    await set_order(game, [one.id for one in game.scene.present if one.status.initiative is not None])


def _unaware(game: Game, who: str) -> None:
    if not game[who].status.has(UNAWARE):
        game.emit(EffectGained(who=who, what=Effect(UNAWARE), cause="renaissance.attack.unaware"))


async def _ambush(game: Game, side: str) -> None:
    """Roll Stealth of one side against the Perception of all others; those who lose to all of them are unaware."""
    sneaks = [one.id for one in game.scene.present if one.side == side]
    if not sneaks:
        sides = ", ".join(game.scene.sides)
        raise InvalidInputError(f'there is no side "{side:.40}"; there are: {sides}', field="sneaking")
    for one in game.scene.present:
        if one.side == side or not stands(one):
            continue
        noticed = False
        for sneak in sneaks:
            stealth = now(game.scene, sneak).skill("stealth", "sight")
            watch = now(game.scene, one.id)
            alert = "perception" in watch.numbers.alert
            seen = watch.skill("perception", "sight").plus(in_the_light(game.scene, one.id, sneak))
            seen = with_rulings(game.scene, seen, one.id, "perception")
            against = seen.total if alert else seen.total + PASSIVE
            call = lucky_contest(Contestants(stealth.total, against), "variable")
            result = await call.by(game.seat(sneak), game.seat(one.id), audience=game.seat(sneak))
            noticed = noticed or result.result is not Variable.A_WINS
            word = {Variable.A_WINS: "unnoticed", Variable.B_WINS: "noticed"}.get(result.result, "something is amiss")
            told = Contested(who=sneak, against=one.id, what="stealth", result=word, to=game.seat(sneak), cause=AMBUSH)
            game.emit(told)
        if not noticed:
            _unaware(game, one.id)


async def _round_begins(game: Game) -> None:
    """Let newcomers roll, and put them into the order."""
    missing = [one.id for one in game.scene.present if one.id not in game.scene.order and not one.status.dead]
    if not missing:
        return
    for who in missing:
        if game[who].status.initiative is None:
            await roll_initiative(game, who)
    await set_order(game, missing)


async def _round_ends(game: Game) -> None:
    """Warn those whose companions were hurt in this round (renaissance.gap.state.ambush)."""
    around = game.scene.round
    if around < 1:
        return
    for one in game.scene.participants:
        held = one.status.held(UNAWARE) if one.status.lasting else None
        if held is not None and any(other.status.hurt_in == around for other in game.scene.allies(one.id)):
            game.emit(EffectEnded(who=one.id, what=held, cause=AMBUSH))


# ---------------------------------------------------------------------- turns


async def turn(game: Game, who: str) -> None:
    """One turn: what happens by itself, then one action after the other within the allotment."""
    await receive(game)
    if not _goes_on(game.scene, who):
        return
    await take_turn(game, who, goes_on=_goes_on, about=_left)


def _left(scene: Scene, who: str) -> dict[str, str]:
    """Actions left in the turn, in words."""
    return {"left": _in_words(ALLOTMENT.of(scene), scene[who].status.spent)}


@lru_cache(maxsize=256)
def _in_words(turn: ActionEconomy, spent: Ranks) -> str:
    """Actions left in a turn: a standard and a quick action, or quick ones alone."""
    words: list[str] = []
    for pattern in turn.patterns:
        if all(pattern.get(kind, 0) >= count for kind, count in spent.items()):
            rest = [(kind, count - spent.get(kind, 0)) for kind, count in pattern.items()]
            words.append(" and ".join([f"{count} {kind}" for kind, count in rest if count]))
    return ", or ".join([one for one in dict.fromkeys(words) if one]) or "nothing"


def _goes_on(scene: Scene, who: str) -> bool:
    if scene.turn != who or not stands(scene[who]):
        return False
    if any(one.no_actions for one in conditions_of(scene[who].status, scene.library)):
        return False
    return not waiting(scene) and outcome(scene) is None


def outcome(scene: Scene) -> str | None:
    """Outcome of a fight: one side alone stands; turn order outside combat has none."""
    return None if isinstance(scene.system_state, TurnOrder) else winning_side(scene, stands)


def _may_act(scene: Scene, who: str) -> bool:
    return not scene[who].status.dead


async def _turn(game: Game, who: str) -> None:
    _pay_for_sustaining(game, who)
    if begins_with_something(game.scene, who):
        game.emit(TurnBegan(who=who, cause="renaissance.turn.allotment"))
        await turn_begins(game, who)
        settle(game)
    await turn(game, who)


def _pay_for_sustaining(game: Game, who: str) -> None:
    """End everything that the stunned sustain: they have no quick action for it (renaissance.combat.sustain_cost)."""
    status: Status = game[who].status
    if status.sustained and status.has(STUNNED) and game.scene.options.sustain_costs_quick_action:
        cause = "renaissance.combat.sustain_cost"
        game.emit(SustainChanged(who=who, what="sustains nothing any more", sustained=(), cause=cause))


@process(
    rules=[TURN_ORDER, "renaissance.turn.initiative", "renaissance.combat.allotment", "renaissance.combat.turn_length"]
)
async def encounter(
    game: Game, sneaking: Annotated[str, Param("a side that tries to attack unnoticed; none if empty")] = ""
) -> None:
    """Fight in turn order: initiative, rounds of three seconds, a turn each, until one side alone stands."""
    if not game.scene.order:
        await begin(game, sneaking)
    causes = Causes("renaissance.turn.allotment", "renaissance.combat.turn_length", TURN_ORDER)
    await play_rounds(
        game,
        _turn,
        outcome,
        cause=causes,
        length=TURN_SECONDS,
        round_begins=_round_begins,
        round_ends=_round_ends,
        may_act=_may_act,
    )


# ---------------------------------------------------------------------- turn order outside combat


@process(rules=["renaissance.turn.initiative", "renaissance.turn.allotment", "renaissance.turn.task_allotment"])
async def turn_order(
    game: Game,
    modifier: Annotated[str, Param("figures added to the initiative roll, such as INIT, COG or REF*2")] = "INIT",
    standard: Annotated[int, Param("standard actions of a turn", 0, 10)] = 1,
    quick: Annotated[int, Param("quick actions of a turn", 0, 10)] = 1,
    minutes: Annotated[int, Param("minutes that a turn contributes to a task; 0 for no tasks", 0, 480)] = 0,
    rounds: Annotated[int, Param("rounds to play", 1, 100)] = 3,
) -> None:
    """Take turns outside combat, with the initiative modifier and the actions that the game master allots.

    A turn is three seconds, or as long as it contributes to a task.
    """
    require_no_encounter(game.scene, "renaissance.turn.allotment")
    formula = None if modifier == "INIT" else Formula.parse(modifier)
    people = [one.id for one in game.scene.present if not one.status.dead]
    game.emit(TurnOrderSet(allotment=TurnOrder(standard, quick, minutes), cause="renaissance.turn.allotment"))
    for one in people:
        await roll_initiative(game, one, formula)
    await set_order(game, people)
    for number in range(1, rounds + 1):
        game.emit(RoundStarted(number=number, cause="renaissance.turn.initiative"))
        while (who := game.scene.next_to_act(_may_act)) is not None:
            expire_effects(game, who, "start", cause="renaissance.turn.allotment")
            game.emit(TurnStarted(who=who, cause="renaissance.turn.allotment"))
            await _turn(game, who)
            game.emit(TurnEnded(who=who, cause="renaissance.turn.allotment"))
            expire_effects(game, who, "end", cause="renaissance.turn.allotment")
        await advance_time(game, minutes * MINUTE or TURN_SECONDS, cause="renaissance.turn.allotment")
    game.emit(TurnOrderSet(cause="renaissance.turn.allotment"))


PROCESSES: tuple[Process[..., Any], ...] = (turn_order,)
