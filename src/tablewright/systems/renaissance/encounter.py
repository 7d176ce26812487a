"""Combat: who is aware, who acts when, rounds of three seconds, turns, and how it ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from tablewright.engine import Call, Param, Seat, choose, process
from tablewright.errors import BadInput
from tablewright.game.common import OrderSet
from tablewright.game.events import GAME_MASTER
from tablewright.game.lasting import Lasting, TookHold, WoreOff
from tablewright.game.rounds import Causes, act, last_side, play_rounds
from tablewright.game.scene import Live, Participant, Scene
from tablewright.systems.renaissance.actions.move import receive, waiting
from tablewright.systems.renaissance.aiming import in_the_light, with_rulings
from tablewright.systems.renaissance.character.giving import given, of_kind
from tablewright.systems.renaissance.events import ALLOTMENT, Contested, InitiativeRolled, SustainChanged, TurnBegan
from tablewright.systems.renaissance.grants import Reroll
from tablewright.systems.renaissance.harm import begins_with_something, seen_by, settle, turn_begins
from tablewright.systems.renaissance.lucky import lucky_contest
from tablewright.systems.renaissance.now import now
from tablewright.systems.renaissance.status import STUNNED, UNAWARE, Status, stands
from tablewright.systems.renaissance.trials import initiative
from tablewright.systems.renaissance.values import Variable

TURN_ORDER, INITIATIVE = "renaissance.turn.combat_is_turn_order", "renaissance.combat.initiative"
TIES, AMBUSH = "renaissance.turn.initiative_tie", "renaissance.gap.state.ambush"
TURN_SECONDS = 3  # renaissance.combat.turn_length
MOST_TIES = 50
PASSIVE = -20  # renaissance.modifier.passive


# ---------------------------------------------------------------------- order


async def roll_initiative(game: Live, who: str) -> None:
    """Somebody rolls initiative; whoever is hidden does so unseen."""
    participant = game[who]
    me = now(game.scene, who)
    ruled = [one for one in game.scene.modifiers if one.what == "initiative" and one.who in (None, who)]
    total = me.numbers.INIT + sum([one.value for one in ruled])
    ready = any(
        one.what == "initiative" for one, _ in of_kind(Reroll, given(participant.character, game.scene.library))
    )
    how = getattr(game.scene.options, "ready_trait", "luck_reroll")
    call = Call(
        initiative,
        (
            total,
            ready and how == "luck_reroll",
            participant.status.luck if ready else 0,
            ready and how == "best_of_two",
        ),
    )
    audience = seen_by(participant)
    rolled = await call.by(participant.seat, audience=audience, private={"luck": Seat.ACTOR})
    first = ready and how == "head_of_order"
    game.emit(
        InitiativeRolled(
            who=who, total=rolled.total + (100 if first else 0), luck=rolled.luck, to=audience, cause=INITIATIVE
        )
    )


def _rank(scene: Scene, one: Participant) -> tuple[int, int]:
    """The higher initiative first, then the higher modifier."""
    return -(one.status.initiative or 0), -now(scene, one.id).numbers.INIT


async def set_order(game: Live, newcomers: Iterable[str]) -> None:
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


async def _ordered(game: Live, people: list[Participant], known: set[str]) -> list[str]:
    """Sorted by rank; those who tie roll for it, or the game master says who is first."""
    groups: dict[tuple[int, int], list[str]] = {}
    for one in people:
        groups.setdefault(_rank(game.scene, one), []).append(one.id)
    order: list[str] = []
    for rank in sorted(groups):
        order += await _settle_tie(game, groups[rank], known)
    return order


async def _settle_tie(game: Live, tied: list[str], known: set[str]) -> list[str]:
    if len(tied) == 1 or all(who in known for who in tied):
        return [who for who in game.scene.order if who in tied] if len(tied) > 1 else tied
    if game.scene.options.initiative_tie == "gm":
        left, order = list(tied), []
        while len(left) > 1:
            first = await choose(GAME_MASTER, "who acts first of those who tie?", left, about={"open": True})
            order.append(first)
            left.remove(first)
        return [*order, *left]
    shown: dict[str, list[int]] = {who: [] for who in tied}
    for _ in range(MOST_TIES):
        equal = [who for who in tied if list(shown.values()).count(shown[who]) > 1]
        if not equal:
            break
        for who in equal:
            rolled = await Call(initiative, (0, False, 0, False)).by(game.seat(who))
            shown[who].append(rolled.total)
    return sorted(tied, key=lambda who: [-number for number in shown[who]])


# ---------------------------------------------------------------------- the beginning


async def begin(game: Live, sneaking: str) -> None:
    """Who is surprised is unaware; everybody rolls initiative."""
    for who in game.scene.start.surprised:
        if who in game.scene:
            _unaware(game, who)
    if sneaking:
        await _ambush(game, sneaking)
    for one in game.scene.present:
        if game[one.id].status.initiative is None and not one.status.dead:
            await roll_initiative(game, one.id)
    await set_order(game, [one.id for one in game.scene.present if one.status.initiative is not None])


def _unaware(game: Live, who: str) -> None:
    if not game[who].status.has(UNAWARE):
        game.emit(TookHold(who=who, what=Lasting(UNAWARE), cause="renaissance.attack.unaware"))


async def _ambush(game: Live, side: str) -> None:
    """Those who sneak roll Stealth against the Perception of everybody else; who loses to all of them is unaware."""
    sneaks = [one.id for one in game.scene.present if one.side == side]
    if not sneaks:
        sides = ", ".join(game.scene.sides)
        raise BadInput(f'there is no side "{side:.40}"; there are: {sides}', field="sneaking")
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
            call = lucky_contest(stealth.total, against, 0, 0, 0, 0, "variable")
            result = await call.by(game.seat(sneak), game.seat(one.id), audience=game.seat(sneak))
            noticed = noticed or result.result is not Variable.A_WINS
            word = {Variable.A_WINS: "unnoticed", Variable.B_WINS: "noticed"}.get(result.result, "something is amiss")
            told = Contested(who=sneak, against=one.id, what="stealth", result=word, to=game.seat(sneak), cause=AMBUSH)
            game.emit(told)
        if not noticed:
            _unaware(game, one.id)


async def _round_begins(game: Live) -> None:
    """Whoever has come rolls and is put into the order."""
    missing = [one.id for one in game.scene.present if one.id not in game.scene.order and not one.status.dead]
    if not missing:
        return
    for who in missing:
        if game[who].status.initiative is None:
            await roll_initiative(game, who)
    await set_order(game, missing)


async def _round_ends(game: Live) -> None:
    """Whoever has companions who were hurt in this round is warned by now (renaissance.gap.state.ambush)."""
    around = game.scene.round
    if around < 1:
        return
    for one in game.scene.participants:
        held = one.status.held(UNAWARE) if one.status.lasting else None
        if held is not None and any(other.status.hurt_in == around for other in game.scene.friends(one.id)):
            game.emit(WoreOff(who=one.id, what=held, cause=AMBUSH))


# ---------------------------------------------------------------------- turns


async def turn(game: Live, who: str) -> None:
    """One turn: what happens by itself, then one action after the other within the allotment."""
    await receive(game)
    if not _goes_on(game.scene, who):
        return
    await act(game, who, goes_on=_goes_on, about=_left)


def _left(scene: Scene, who: str) -> dict[str, str]:
    """What the turn still allows, in words: a standard and a quick action, or quick ones alone."""
    spent = scene[who].status.spent
    words: list[str] = []
    for pattern in ALLOTMENT.patterns:
        if all(pattern.get(kind, 0) >= count for kind, count in spent.items()):
            rest = [(kind, count - spent.get(kind, 0)) for kind, count in pattern.items()]
            words.append(" and ".join([f"{count} {kind}" for kind, count in rest if count]))
    told = [one for one in dict.fromkeys(words) if one]
    return {"left": ", or ".join(told) or "nothing"}


def _goes_on(scene: Scene, who: str) -> bool:
    if scene.turn != who or not stands(scene[who]) or scene[who].status.has(STUNNED):
        return False
    return not waiting(scene) and outcome(scene) is None


def outcome(scene: Scene) -> str | None:
    """How it ended: when one side alone stands."""
    return last_side(scene, stands)


def next_to_act(scene: Scene) -> str | None:
    """The next in the order; who is dead has no turn."""
    for who in scene.order:
        if who not in scene.acted and who in scene and scene[who].present and not scene[who].status.dead:
            return who
    return None


async def _turn(game: Live, who: str) -> None:
    _pay_for_sustaining(game, who)
    if begins_with_something(game.scene, who):
        game.emit(TurnBegan(who=who, cause="renaissance.turn.allotment"))
        await turn_begins(game, who)
        settle(game)
    await turn(game, who)


def _pay_for_sustaining(game: Live, who: str) -> None:
    """Whoever is stunned has no quick action for what they sustain, and loses it (renaissance.combat.sustain_cost)."""
    status: Status = game[who].status
    if status.sustained and status.has(STUNNED) and game.scene.options.sustain_costs_quick_action:
        cause = "renaissance.combat.sustain_cost"
        game.emit(SustainChanged(who=who, what="sustains nothing any more", sustained=(), cause=cause))


@process(
    rules=[TURN_ORDER, "renaissance.turn.initiative", "renaissance.combat.allotment", "renaissance.combat.turn_length"]
)
async def encounter(
    game: Live, sneaking: Annotated[str, Param("a side that tries to attack unnoticed; none if empty")] = ""
) -> None:
    """Turn order: initiative, rounds of three seconds, a turn each, until one side alone stands."""
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
        next_to_act=next_to_act,
    )
