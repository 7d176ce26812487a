"""Encounters: groups and their order, the three kinds of initiative, rounds, turns, interruptions, and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from tablewright.engine import Param, process
from tablewright.engine.asks import EVERYONE
from tablewright.game.common import Left, OrderSet
from tablewright.game.lasting import WoreOff
from tablewright.game.rounds import Causes, act, last_side, play_rounds
from tablewright.game.scene import Live, Scene
from tablewright.systems.stage.actions.checking import plainly, result_of, with_powers
from tablewright.systems.stage.actions.move import ask_order
from tablewright.systems.stage.chances import initiative, loses_heart
from tablewright.systems.stage.events.moving import Braced, InitiativeRolled, LiesInWait
from tablewright.systems.stage.now import pool, subject
from tablewright.systems.stage.rolling import counters_of
from tablewright.systems.stage.status import Status, fights, stands
from tablewright.systems.stage.ways import rerolls_left

FLOW, ROUND = "stage.encounter.flow", "stage.encounter.round"
MOST_TIES = 100
"""How often groups with equal results roll again before the order of listing decides."""


# ---------------------------------------------------------------------- the beginning


def members(scene: Scene, side: str) -> list[str]:
    """Those of a group who are present and seen, in the order in which they are listed."""
    return [one.id for one in scene.participants if one.side == side and one.present and not one.hidden]


async def group_order(game: Live, side: str, opener: str, ask: bool) -> tuple[str, ...]:
    """A group's own order: as its players fix it; who opens hostilities comes first (stage.initiative.one_sided)."""
    who = members(game.scene, side)
    if ask:
        who = list(await ask_order(game, who, game.seat(who[0]), side))
    else:
        who.sort(key=lambda one: -pool(game.scene, one, "agility.initiative").dice.total)
    if opener in who:
        who.remove(opener)
        who.insert(0, opener)
    return tuple(who)


async def roll_for(game: Live, who: str, *, opens: bool, audience: str = EVERYONE) -> int:
    """The first of a group rolls Agility (initiative) for all of it; whoever is hidden does so unseen."""
    key = "agility.initiative"
    if audience == EVERYONE:
        made = await with_powers(game, who, key, plainly(game, who, key))  # stage.power.announce
    else:
        made = pool(game.scene, who, key)
    if not opens and rerolls_left(game.scene, who, made.skill) and audience == EVERYONE:
        return (await result_of(game, who, made)).result  # stage.power_effect.reroll
    call = initiative(made.dice.total, made.flat.total, opens)
    return await call.by(game.seat(who), audience=audience, tallies=made.tallies)


async def begin(game: Live, opens: str, ambush: str, ask: bool) -> None:
    """Groups fix their order, the first of each rolls; then they act from the highest to the lowest result.

    (The book's example in its three variants: stage.initiative.example.)
    """
    opening_side = game[opens].side if opens in game.scene else opens
    if ambush:
        for who in [one.id for one in game.scene.present if one.side == ambush]:
            audience = game.seat(who) if game[who].hidden else EVERYONE
            game.emit(LiesInWait(who=who, to=audience, cause="stage.initiative.ambush"))
    orders: dict[str, tuple[str, ...]] = {}
    for side in [side for side in game.scene.sides if members(game.scene, side)]:
        orders[side] = await group_order(game, side, opens, ask)
    totals = {side: (await roll_for(game, orders[side][0], opens=side == opening_side),) for side in orders}
    if ambush in totals:
        others = [total for side, (total,) in totals.items() if side != ambush]
        totals[ambush] = (max(*totals[ambush], 1 + max(others, default=0)),)  # stage.initiative.ambush
    leaders = {side: orders[side][0] for side in orders}
    ranked = await _ranked(game, leaders, totals, opening_side)
    rule = "stage.initiative.simultaneous"
    for side, (total, *_) in totals.items():
        game.emit(InitiativeRolled(who=leaders[side], side=side, total=total, cause=rule))
    game.emit(OrderSet(order=tuple([who for side in ranked for who in orders[side]]), cause=FLOW))


async def _ranked(
    game: Live, leaders: Mapping[str, str], totals: Mapping[str, tuple[int, ...]], opening_side: str = ""
) -> list[str]:
    """Groups from the highest to the lowest result; those that are tied roll again among themselves alone."""
    totals = dict(totals)
    for _ in range(MOST_TIES):
        every = list(totals.values())
        tied = [side for side in totals if every.count(totals[side]) > 1]
        if not tied:
            break
        for side in tied:
            totals[side] = (*totals[side], await roll_for(game, leaders[side], opens=side == opening_side))
    return sorted(totals, key=lambda side: totals[side], reverse=True)


async def newcomers(game: Live) -> None:
    """Whoever has come acts from the next round: with their group, or as a new one after rolling initiative."""
    scene = game.scene
    missing = [one for one in scene.present if one.id not in scene.order]
    for one in missing:
        known = [who for who in game.scene.order if who in game.scene and game.scene[who].side == one.side]
        audience = one.seat if one.hidden else EVERYONE
        if known:
            at = game.scene.order.index(known[-1]) + 1
        else:
            total = await roll_for(game, one.id, opens=False, audience=audience)
            if one.hidden:  # nobody knows of this group: it has an Ambush advantage over all
                others = [each.status.initiative or 0 for each in game.scene.present]
                total = max(total, 1 + max(others, default=0))
            rule = "stage.initiative.ambush" if one.hidden else "stage.initiative.simultaneous"
            game.emit(InitiativeRolled(who=one.id, side=one.side, total=total, to=audience, cause=rule))
            first = await _faster(game, one.id, total)
            faster = [place for place, who in enumerate(game.scene.order) if who in first]
            at = faster[-1] + 1 if faster else 0
        order = (*game.scene.order[:at], one.id, *game.scene.order[at:])
        game.emit(OrderSet(order=order, to=audience, cause=FLOW))


async def _faster(game: Live, who: str, total: int) -> list[str]:
    """Those who act before a newcomer; a group with the same result rolls again, and so does the newcomer."""
    scene = game.scene
    known = [scene[one] for one in scene.order if one in scene]
    results = {one.side: one.status.initiative for one in known if one.status.initiative is not None}
    first = [side for side, result in results.items() if result > total]
    tied = [side for side, result in results.items() if result == total]
    mine = scene[who].side
    if tied:
        leaders = {side: next(one.id for one in known if one.side == side) for side in tied} | {mine: who}
        ranked = await _ranked(game, leaders, dict.fromkeys(leaders, (total,)))
        first += ranked[: ranked.index(mine)]
    return [one.id for one in known if one.side in first]


# ---------------------------------------------------------------------- turns


async def turn(game: Live, who: str) -> None:
    """One turn: those who lie skip it, who has lost heart runs, everybody else spends AP until nothing is left."""
    status: Status = game[who].status
    if not status.able or status.misses or status.integrity is not None:
        return
    if any(one.status.rides == who and stands(one) for one in game.scene.participants):
        return  # a mount acts on its rider's turn (stage.mount.control)
    if may_run(game.scene, who):
        if await loses_heart().by(game.seat(who)):
            game.emit(Left(who=who, how="flees", cause="stage.gap.encounter.flight"))
            return
        game.emit(Braced(who=who, cause="stage.gap.encounter.flight"))
    await act(game, who, goes_on=goes_on, about=_left)


def may_run(scene: Scene, who: str) -> bool:
    """Whether somebody of the game master might run: their Stamina is gone, and it is not decided for this turn."""
    one = scene[who]
    status: Status = one.status
    if status.held("held") is not None:  # stage.brawl.grapple
        return False
    return one.character.is_creature and status.stamina <= 0 and not status.braced and not status.insane


def _left(scene: Scene, who: str) -> dict[str, Any]:
    """What there is to act with: AP, one that was prepared, and the dice that Disability Counters take.

    (stage.action.prepare_interruption, stage.injury.disability)
    """
    one = scene[who]
    prepared = " and 1 prepared" if one.status.held("prepared") is not None else ""
    counters = counters_of(subject(scene, who)).total
    lost = {"disability counters": counters} if counters else {}
    return {"left": f"{one.status.ap} AP{prepared}", **lost}


def goes_on(scene: Scene, who: str) -> bool:
    """Whether a turn goes on: able, and somebody is left to turn against."""
    return scene.turn == who and scene.ended is None and stands(scene[who]) and outcome(scene) is None


def outcome(scene: Scene) -> str | None:
    """How it ended; None while it goes on."""
    return last_side(scene, fights)


async def finish(game: Live) -> None:
    """The encounter is over: what was counted in rounds is gone, and temporary points with it."""
    for one in game.scene.participants:
        for held in one.status.lasting:
            if held.until.in_rounds or held.source.startswith("encounter"):
                game.emit(WoreOff(who=one.id, what=held, cause=FLOW))


@process(rules=["stage.encounter.begin_end", "stage.encounter.flow", "stage.encounter.round", "stage.encounter.groups"])
async def encounter(
    game: Live,
    opens: Annotated[str, Param("who opens hostilities while all are aware of each other: one, or a side")] = "",
    ambush: Annotated[str, Param("the side that lies in ambush, if one does")] = "",
    ask: Annotated[bool, Param("whether each group is asked for the order of its members")] = False,
) -> None:
    """Run an encounter from wherever it stands to its end: groups, initiative, rounds of turns."""
    if not game.scene.order:
        more = dict(game.scene.start.more) if game.scene.start.more else {}
        await begin(
            game,
            opens or str(more.get("opens", "")),
            ambush or str(more.get("ambush", "")),
            ask or bool(more.get("ask", False)),
        )
    await play_rounds(
        game,
        turn,
        outcome,
        cause=Causes(FLOW, ROUND, "stage.encounter.begin_end"),
        length=1,
        round_begins=newcomers,
    )
    await finish(game)
