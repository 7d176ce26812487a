"""Encounters: awareness, turn order, rounds, turns and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from tablewright.engine import Param, process
from tablewright.engine.request import EVERYONE
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.play.common_events import OrderSet, ParticipantLeft
from tablewright.game.play.effects import EffectEnded
from tablewright.game.play.turns import Causes, ask_order, play_rounds, rank_by_rolls, take_turn, winning_side
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.stage.actions.checks import plainly, result_of, with_powers
from tablewright.systems.stage.actions.defences import rerolls_left
from tablewright.systems.stage.events.turn import Braced, InitiativeRolled, LiesInWait
from tablewright.systems.stage.mechanics.turn import initiative, loses_heart
from tablewright.systems.stage.modifiers import counters_of
from tablewright.systems.stage.now import pool, subject
from tablewright.systems.stage.status import Status, fights, stands

FLOW, ROUND = "stage.encounter.flow", "stage.encounter.round"


# ---------------------------------------------------------------------- the beginning


def members(scene: Scene, side: str) -> list[str]:
    """Present and visible members of a group, in the order of listing."""
    return [one.id for one in scene.participants if one.side == side and one.present and not one.hidden]


async def group_order(game: Game, side: str, opener: str, ask: bool) -> tuple[str, ...]:
    """A group's own order: as its players fix it; who opens hostilities comes first (stage.initiative.one_sided)."""
    who = members(game.scene, side)
    if ask:
        asked = f"who of {side} acts next?"
        who = list(await ask_order(game.seat(who[0]), asked, who, {"of": side}))  # stage.encounter.member_order
    else:
        who.sort(key=lambda one: -pool(game.scene, one, "agility.initiative").dice.total)
    if opener in who:
        who.remove(opener)
        who.insert(0, opener)
    return tuple(who)


async def roll_for(game: Game, who: str, *, opens: bool, audience: str = EVERYONE) -> int:
    """The first of a group rolls Agility (initiative) for all of it; a hidden character does so unseen."""
    key = "agility.initiative"
    if audience == EVERYONE:
        made = await with_powers(game, who, key, plainly(game, who, key))  # stage.power.announce
    else:
        made = pool(game.scene, who, key)
    if not opens and rerolls_left(game.scene, who, made.skill) and audience == EVERYONE:
        return (await result_of(game, who, made)).result  # stage.power_effect.reroll
    call = initiative(made.dice.total, made.flat.total, opens)
    return await call.by(game.seat(who), audience=audience, tallies=made.tallies)


def unaware_of(scene: Scene, ambush: str) -> dict[str, tuple[str, ...]]:
    """The sides that lie in ambush, each with those who are unaware of it (stage.initiative.ambush).

    ``ambush`` names a side; the unaware are those whom the scenario calls surprised, or else everyone else. Where it
    only says who is surprised, all sides ambush them of which no one is.
    """
    surprised = [one.id for one in scene.present if one.id in scene.setup.surprised]
    caught = {scene[who].side for who in surprised}
    sides = [ambush] if ambush else [side for side in scene.sides if surprised and side not in caught]
    return {
        side: tuple([one.id for one in scene.present if one.side != side and (not surprised or one.id in surprised)])
        for side in sides
    }


def _validate(scene: Scene, opens: str, ambush: str) -> None:
    """Refuse an opener or an ambush that names no one here."""
    people = [one.id for one in scene.present]
    for name, value, allowed in (("opens", opens, [*scene.sides, *people]), ("ambush", ambush, [*scene.sides])):
        if value and value not in allowed:
            raise InvalidInputError(
                f'{name}: "{value:.40}" is not here; allowed are {", ".join(allowed)}{did_you_mean(value, allowed)}'
            )


async def begin(game: Game, opens: str, ambush: str, ask: bool) -> None:
    """Groups fix their order, the first of each rolls; then they act from the highest to the lowest result.

    (The book's example in its three variants: stage.initiative.example.)
    """
    _validate(game.scene, opens, ambush)
    opening_side = game[opens].side if opens in game.scene else opens
    unaware = unaware_of(game.scene, ambush)
    for one in [one for one in game.scene.present if one.side in unaware]:
        audience = game.seat(one.id) if one.hidden else EVERYONE
        aware = [each.id for each in game.scene.present if each.side != one.side and each.id not in unaware[one.side]]
        waits = LiesInWait(who=one.id, seen_by=tuple(aware), to=audience, cause="stage.initiative.ambush")
        game.emit(waits)
    orders: dict[str, tuple[str, ...]] = {}
    for side in [side for side in game.scene.sides if members(game.scene, side)]:
        orders[side] = await group_order(game, side, opens, ask)
    totals = {side: (await roll_for(game, orders[side][0], opens=side == opening_side),) for side in orders}
    for side in [side for side in unaware if side in totals]:
        ambushed = [one for one in totals if one != side and {*members(game.scene, one)} <= {*unaware[side]}]
        best = max([totals[one][0] for one in ambushed], default=-1)
        totals[side] = (max(*totals[side], 1 + best),)  # stage.initiative.ambush
    leaders = {side: orders[side][0] for side in orders}
    ranked = await _ranked(game, leaders, totals, opening_side)
    rule = "stage.initiative.simultaneous"
    for side, (total, *_) in totals.items():
        game.emit(InitiativeRolled(who=leaders[side], side=side, total=total, cause=rule))
    game.emit(OrderSet(order=tuple([who for side in ranked for who in orders[side]]), cause=FLOW))


async def _ranked(
    game: Game, leaders: Mapping[str, str], totals: Mapping[str, tuple[int, ...]], opening_side: str = ""
) -> list[str]:
    """Groups from the highest to the lowest result; those that are tied roll again among themselves alone."""
    return await rank_by_rolls(totals, lambda side: roll_for(game, leaders[side], opens=side == opening_side))


async def newcomers(game: Game) -> None:
    """Add newcomers to the turn order of the next round: with their group, or as a new group by initiative."""
    scene = game.scene
    missing = [one for one in scene.present if one.id not in scene.order]
    for one in missing:
        known = [who for who in game.scene.order if who in game.scene and game.scene[who].side == one.side]
        audience = one.seat if one.hidden else EVERYONE
        if known:
            at = game.scene.order.index(known[-1]) + 1
        else:
            total = await roll_for(game, one.id, opens=False, audience=audience)
            if one.hidden:  # no one knows of this group: it has an Ambush advantage over all
                others = [each.status.initiative or 0 for each in game.scene.present]
                total = max(total, 1 + max(others, default=0))
            rule = "stage.initiative.ambush" if one.hidden else "stage.initiative.simultaneous"
            game.emit(InitiativeRolled(who=one.id, side=one.side, total=total, to=audience, cause=rule))
            first = await _faster(game, one.id, total)
            faster = [place for place, who in enumerate(game.scene.order) if who in first]
            at = faster[-1] + 1 if faster else 0
        order = (*game.scene.order[:at], one.id, *game.scene.order[at:])
        game.emit(OrderSet(order=order, to=audience, cause=FLOW))


async def _faster(game: Game, who: str, total: int) -> list[str]:
    """Groups that act before a newcomer; on equal results both roll again."""
    scene = game.scene
    known = [scene[one] for one in scene.order if one in scene]
    results = {one.side: one.status.initiative for one in known if one.status.initiative is not None}
    seen = {one.side for one in known if not one.hidden}  # a roll against the others would tell of them
    first = [side for side, result in results.items() if result > total or (result == total and side not in seen)]
    tied = [side for side, result in results.items() if result == total and side in seen]
    mine = scene[who].side
    if tied:
        leaders = {side: next(one.id for one in known if one.side == side) for side in tied} | {mine: who}
        ranked = await _ranked(game, leaders, dict.fromkeys(leaders, (total,)))
        first += ranked[: ranked.index(mine)]
    return [one.id for one in known if one.side in first]


# ---------------------------------------------------------------------- turns


async def turn(game: Game, who: str) -> None:
    """One turn: those who lie skip it, who has lost heart runs, everyone else spends AP until nothing is left."""
    status: Status = game[who].status
    if not status.able or status.misses or status.integrity is not None:
        return
    if any(one.status.rides == who and stands(one) for one in game.scene.participants):
        return  # a mount acts on its rider's turn (stage.mount.control)
    if may_run(game.scene, who):
        if await loses_heart().by(game.seat(who)):
            game.emit(ParticipantLeft(who=who, how="flees", cause="stage.gap.encounter.flight"))
            return
        game.emit(Braced(who=who, cause="stage.gap.encounter.flight"))
    await take_turn(game, who, goes_on=goes_on, about=_left)


def may_run(scene: Scene, who: str) -> bool:
    """True if a character of the game master might run: their Stamina is gone, and it is not decided for this turn."""
    one = scene[who]
    status: Status = one.status
    if status.held("held") is not None:  # stage.brawl.grapple
        return False
    return one.character.is_creature and status.stamina <= 0 and not status.braced and not status.insane


def _left(scene: Scene, who: str) -> dict[str, Any]:
    """Means of a turn: AP, a prepared AP, and the dice lost to Disability Counters.

    (stage.action.prepare_interruption, stage.injury.disability)
    """
    one = scene[who]
    prepared = " and 1 prepared" if one.status.held("prepared") is not None else ""
    counters = counters_of(subject(scene, who)).total
    lost = {"disability counters": counters} if counters else {}
    return {"left": f"{one.status.ap} AP{prepared}", **lost}


def goes_on(scene: Scene, who: str) -> bool:
    """True if a turn goes on: able, and a character is left to turn against."""
    return scene.turn == who and scene.ended is None and stands(scene[who]) and outcome(scene) is None


def outcome(scene: Scene) -> str | None:
    """Outcome of the encounter; None while it goes on."""
    return winning_side(scene, fights)


async def finish(game: Game) -> None:
    """Close the encounter: effects counted in rounds end, and temporary points are lost."""
    for one in game.scene.participants:
        for held in one.status.lasting:
            if held.until.in_rounds or held.source.startswith("encounter"):
                game.emit(EffectEnded(who=one.id, what=held, cause=FLOW))


@process(rules=["stage.encounter.begin_end", "stage.encounter.flow", "stage.encounter.round", "stage.encounter.groups"])
async def encounter(
    game: Game,
    opens: Annotated[str, Param("the side or participant that opens hostilities; all are aware of each other")] = "",
    ambush: Annotated[str, Param("the side that lies in ambush, if one does")] = "",
    ask: Annotated[bool, Param("whether each group is asked for the order of its members")] = False,
) -> None:
    """Run an encounter from wherever it stands to its end: groups, initiative, rounds of turns."""
    if not game.scene.order:
        more = dict(game.scene.setup.more) if game.scene.setup.more else {}
        await begin(
            game,
            opens or str(more.get("opens", "")),
            ambush or str(more.get("ambush", "")),
            ask or bool(more.get("ask", False)),
        )
    await play_rounds(
        game, turn, outcome, cause=Causes(FLOW, ROUND, "stage.encounter.begin_end"), length=1, round_begins=newcomers
    )
    await finish(game)
