"""Poisons and diseases: catching one, its attacks after the incubation, withstanding, treating, getting rid of it."""

from __future__ import annotations

from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.clock import Due
from tablewright.game.common import Cancelled, Scheduled
from tablewright.game.passing import demand_alive, demand_peace, let_time_pass
from tablewright.game.prices import Price
from tablewright.game.scene import Live, Scene
from tablewright.systems.stage.actions.checking import result_of
from tablewright.systems.stage.actions.handling import prepared
from tablewright.systems.stage.chances import ailment_attacks, dice
from tablewright.systems.stage.character.record import Sickness
from tablewright.systems.stage.content import Ailment, Period
from tablewright.systems.stage.events.afterwards import Infected, SicknessChanged
from tablewright.systems.stage.events.fighting import Hurt, Spent, emit_harm
from tablewright.systems.stage.harm import demand_able, most, payable
from tablewright.systems.stage.status import Status
from tablewright.systems.stage.times import DAY, HOUR, ROUND, WEEK
from tablewright.systems.stage.values import ATTRIBUTES

UNITS = {"round": ROUND, "hour": HOUR, "day": DAY, "week": WEEK}
Who = Annotated[str, Param("whose")]
Name = Annotated[str, Param("the poison or disease, by id")]


async def _length(game: Live, period: Period) -> int:
    """How long a period is, in ticks; dice are the game master's."""
    number = period.number
    if period.dice:
        number += await dice(period.dice).by("game master", audience="game master")
    return number * UNITS[period.unit]


def sickness_of(scene: Scene, who: str, ailment: str) -> Sickness | None:
    """The case of an ailment that somebody carries."""
    return next((one for one in scene[who].status.sicknesses if one.ailment == ailment), None)


@process(rules=["stage.poison.infection", "stage.poison.incubation", "stage.poison.table"])
async def infect(
    game: Live,
    who: Who,
    ailment: Name,
    level: Annotated[int, Param("the level of this strain or dose; 0 for the lowest there is", 0, 50)] = 0,
) -> None:
    """Somebody catches a poison or disease; it attacks for the first time when the incubation is over."""
    entry = game.scene.library.get(Ailment, ailment)
    level = level or entry.low
    if not entry.low <= level <= entry.high:
        raise BadInput(f"{entry.name} has a level from {entry.low} to {entry.high}, not {level}", field="level")
    demand_alive(game, who, "stage.resource.death")
    if sickness_of(game.scene, who, ailment) is not None:
        raise RulesSayNo(f"{game.scene.called(who)} has it already", rule="stage.poison.infection")
    incubation = await _length(game, entry.incubation)
    rule = "stage.poison.incubation"
    game.emit(Infected(who=who, sickness=Sickness(ailment=ailment, level=level, incubation=incubation), cause=rule))
    game.emit(Scheduled(what="ailment", who=who, after=max(1, incubation), data=ailment, cause=rule))


def difficulty(scene: Scene, who: str, entry: Ailment, sickness: Sickness) -> int:
    """What an ailment must reach: two tracks of the carrier, as they are or at their most, and what treatment gives."""
    status: Status = scene[who].status
    source = most(scene, who) if scene.options.pair_difficulty == "maximum" else status
    return sum([int(getattr(source, track)) for track in entry.against]) + sickness.helped


async def ailment_falls_due(game: Live, due: Due) -> None:
    """An ailment attacks, or what it did fades after the cure."""
    ailment = str(due.data)
    sickness = sickness_of(game.scene, due.who, ailment)
    if sickness is None or game[due.who].status.dead:
        return
    if due.what == "fade":
        what = f"{ailment.replace('_', ' ')} has faded"
        game.emit(SicknessChanged(who=due.who, what=what, sickness=sickness, gone=True, cause="stage.poison.effect"))
    elif due.what == "ailment":
        await attack_by(game, due.who, ailment)


async def attack_by(game: Live, who: str, ailment: str) -> None:
    """One attack: level dice against the Difficulty; the effect, or one more attack withstood."""
    rule, entry = "stage.poison.attack", game.scene.library.get(Ailment, ailment)
    sickness = sickness_of(game.scene, who, ailment)
    assert sickness is not None
    call = ailment_attacks(sickness.level, difficulty(game.scene, who, entry, sickness))
    struck = await call.by("game master", audience="game master")
    found = sickness_of(game.scene, who, ailment)
    if found is None:
        return
    if not struck:
        withstood = found.withstood + 1
        cured = withstood >= found.level  # stage.poison.cure
        after = found.changed(withstood=withstood, helped=0, cured=cured)
        what = f"{entry.name} is {'cured' if cured else 'withstood'}"
        game.emit(SicknessChanged(who=who, what=what, sickness=after, cause="stage.poison.cure"))
        if cured:
            game.emit(Scheduled(what="fade", who=who, after=max(1, found.incubation), data=ailment, cause=rule))
            return
    else:
        after = found.changed(withstood=0, helped=0, counters=found.counters + entry.counters)
        what = f"{entry.name} strikes"
        game.emit(SicknessChanged(who=who, what=what, sickness=after, counters=entry.counters, cause=rule))
        for attribute in ATTRIBUTES:
            if entry.damage.get(attribute, 0):
                damage = await dice(entry.damage[attribute]).by("game master", audience="game master")
                hurt = Hurt(
                    who=who,
                    damage=damage,
                    attribute=attribute,
                    source=entry.name,
                    ailment=ailment,
                    cause="stage.poison.effect",
                )
                emit_harm(game, hurt)
    interval = await _length(game, entry.interval)
    game.emit(Scheduled(what="ailment", who=who, after=max(1, interval), data=ailment, cause=rule))


@process(rules=["stage.medicine.cure"])
async def cure(
    game: Live,
    healer: Annotated[str, Param("who treats")],
    patient: Annotated[str, Param("who is treated and lies still")],
    ailment: Name,
    hours: Annotated[int, Param("how long", 1, 100)] = 1,
    helped_by: Annotated[tuple[str, ...], Param("who of those present helps, by id")] = (),
) -> None:
    """Medicine (cure): once the hours are over, the result is added to the Difficulty of the ailment's next attack."""
    demand_peace(game.scene, "stage.medicine.cure")
    rule = "stage.medicine.cure"
    demand_able(game.scene, healer)
    if healer == patient:
        raise RulesSayNo("not on oneself", rule=rule)
    demand_alive(game, patient, "stage.resource.death")
    if sickness_of(game.scene, patient, ailment) is None:
        raise RulesSayNo(f"{game.scene.called(patient)} does not carry that", rule=rule)
    if not payable(game.scene, healer, "mind", 1):
        raise RulesSayNo(f"{game.scene.called(healer)} has no Intellect left", rule="stage.resource.spend")
    game.emit(Spent(who=healer, price=Price.of(intellect=1), on="a cure", cause=rule))
    await let_time_pass(game, hours * HOUR, cause=rule)
    if sickness_of(game.scene, patient, ailment) is None or game[patient].status.dead:
        return
    result = await result_of(game, healer, await prepared(game, healer, "medicine.cure", helpers=helped_by))
    found = sickness_of(game.scene, patient, ailment)
    if found is not None:
        add = game.scene.options.cure_stacking == "add"
        helped = found.helped + result.result if add else max(found.helped, result.result)
        changed = found.changed(helped=helped)
        game.emit(SicknessChanged(who=patient, what="treated", sickness=changed, cause=rule))


@process(rules=["stage.poison.cure"])
async def antidote(game: Live, who: Who, ailment: Name) -> None:
    """Something has cured an ailment at once; its effects fade over the incubation."""
    found = sickness_of(game.scene, who, ailment)
    if found is None:
        raise RulesSayNo(f"{game.scene.called(who)} does not carry that", rule="stage.poison.cure")
    game.emit(Cancelled(what="ailment", who=who, data=ailment, cause="stage.poison.cure"))
    game.emit(SicknessChanged(who=who, what="cured", sickness=found.changed(cured=True), cause="stage.poison.cure"))
    fades = max(1, found.incubation)
    game.emit(Scheduled(what="fade", who=who, after=fades, data=ailment, cause="stage.poison.effect"))


PROCESSES = (infect, cure, antidote)
