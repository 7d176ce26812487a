"""Poisons, diseases and other ailments by the clock."""

from __future__ import annotations

from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import InvalidInputError
from tablewright.game.play.common_events import Cancelled, Scheduled
from tablewright.game.play.time_passage import Who, advance_time, require_alive
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.time.clock import Timer
from tablewright.systems.stage.actions.checks import result_of
from tablewright.systems.stage.actions.hands import prepared
from tablewright.systems.stage.character.record import Sickness
from tablewright.systems.stage.content import Ailment, Period
from tablewright.systems.stage.events.fight import Hurt, emit_harm
from tablewright.systems.stage.events.recovery import Infected, SicknessChanged
from tablewright.systems.stage.harm import Ready, begin_care
from tablewright.systems.stage.mechanics.turn import ailment_attacks, dice
from tablewright.systems.stage.status import Status, most
from tablewright.systems.stage.values import ATTRIBUTES, DAY, HOUR, ROUND, WEEK

UNITS = {"round": ROUND, "hour": HOUR, "day": DAY, "week": WEEK}
Name = Annotated[str, Param("the poison or disease, by id")]


async def _length(game: Game, period: Period) -> int:
    """Length of a period in ticks; the game master rolls its dice."""
    number = period.number
    if period.dice:
        number += await dice(period.dice).by("game master", audience="game master")
    return number * UNITS[period.unit]


def sickness_of(scene: Scene, who: str, ailment: str) -> Sickness | None:
    """The case of an ailment that a character carries."""
    return next((one for one in scene[who].status.sicknesses if one.ailment == ailment), None)


def _carried(scene: Scene, who: str, ailment: str, rule: str) -> Sickness:
    """The case of an ailment, which a character must carry."""
    found = sickness_of(scene, who, ailment)
    if found is None:
        carried = ", ".join([scene.library.get(Ailment, one.ailment).name for one in scene[who].status.sicknesses])
        name = scene.library.get(Ailment, ailment).name
        raise scene.cannot(who, f"does not carry {name}, but {carried or 'no poison or disease'}", rule)
    return found


@process(rules=["stage.poison.infection", "stage.poison.incubation", "stage.poison.table"])
async def infect(
    game: Game,
    who: Who,
    ailment: Name,
    level: Annotated[int, Param("the level of this strain or dose; 0 for the lowest there is", 0, 50)] = 0,
) -> None:
    """Infect a participant with a poison or disease; its first attack comes when the incubation is over."""
    entry = game.scene.library.get(Ailment, ailment)
    level = level or entry.low
    if not entry.low <= level <= entry.high:
        raise InvalidInputError(
            f"{entry.name} has a level from {entry.low} to {entry.high}, not {level}", field="level"
        )
    require_alive(game, who, "stage.resource.death")
    if sickness_of(game.scene, who, ailment) is not None:
        raise game.scene.cannot(who, f"has {entry.name} already", "stage.poison.infection")
    incubation = await _length(game, entry.incubation)
    rule = "stage.poison.incubation"
    game.emit(Infected(who=who, sickness=Sickness(ailment=ailment, level=level, incubation=incubation), cause=rule))
    game.emit(Scheduled(what="ailment", who=who, after=max(1, incubation), data=ailment, cause=rule))


def difficulty(scene: Scene, who: str, entry: Ailment, sickness: Sickness) -> int:
    """Difficulty of an ailment's attack: two tracks of the carrier, current or maximum, and the bonus of treatment."""
    status: Status = scene[who].status
    source = most(scene, who) if scene.options.pair_difficulty == "maximum" else status
    return sum([int(getattr(source, track)) for track in entry.against]) + sickness.helped


async def ailment_falls_due(game: Game, due: Timer) -> None:
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


async def attack_by(game: Game, who: str, ailment: str) -> None:
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
    game: Game,
    healer: Ready,
    patient: Annotated[str, Param("the id of the patient, who lies still")],
    ailment: Name,
    hours: Annotated[int, Param("the number of hours", 1, 100)] = 1,
    helped_by: Annotated[tuple[str, ...], Param("the ids of helpers")] = (),
) -> None:
    """Medicine (cure): once the hours are over, the result is added to the Difficulty of the ailment's next attack."""
    rule = "stage.medicine.cure"
    begin_care(game, healer, patient, rule, _carried(game.scene, patient, ailment, rule), "")
    await advance_time(game, hours * HOUR, cause=rule)
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
async def antidote(game: Game, who: Who, ailment: Name) -> None:
    """Cure an ailment at once, as by magic; its effects fade over the incubation period."""
    found = _carried(game.scene, who, ailment, "stage.poison.cure")
    game.emit(Cancelled(what="ailment", who=who, data=ailment, cause="stage.poison.cure"))
    game.emit(SicknessChanged(who=who, what="cured", sickness=found.changed(cured=True), cause="stage.poison.cure"))
    fades = max(1, found.incubation)
    game.emit(Scheduled(what="fade", who=who, after=fades, data=ailment, cause="stage.poison.effect"))


PROCESSES = (infect, cure, antidote)
