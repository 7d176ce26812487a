"""Sustained actions outside of turns: watching, remembering a way, a power that is kept up."""

from __future__ import annotations

from typing import Annotated, Any

from tablewright.engine import Param, Process, process
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.scene import Live, Scene
from tablewright.systems.renaissance.actions.powers import improved_by
from tablewright.systems.renaissance.character.active import Sustained
from tablewright.systems.renaissance.content import Power
from tablewright.systems.renaissance.events import SustainChanged, spoken
from tablewright.systems.renaissance.grants import Raise
from tablewright.systems.renaissance.status import Status
from tablewright.systems.renaissance.tasks import able

SUSTAINED, COST = "renaissance.action.sustained", "renaissance.combat.sustain_cost"
Who = Annotated[str, Param("who")]


def _out_of_turns(scene: Scene) -> None:
    if scene.turn is not None and scene.ended is None:
        raise RulesSayNo("in combat this takes a quick action of one's own turn", rule=COST)


def _power(game: Live, who: str, what: str, figure: str) -> Sustained:
    """What is begun: a power that somebody has and that is sustained, or anything else in words."""
    if not game.scene.library.has(Power, what):
        return Sustained(what, power=False)
    entry = game.scene.library.get(Power, what)
    if what not in game[who].character.powers or entry.action != "sustained":
        raise RulesSayNo(f"{game.scene.called(who)} cannot sustain {entry.name}", rule=SUSTAINED)
    raised = next((one.of for one in entry.effects if isinstance(one, Raise)), ())
    if raised and figure not in raised:
        raise BadInput(f"{entry.name} raises one of {', '.join(raised)}", field="figure")
    better = improved_by(game.scene, what) is not None  # no check is needed outside of combat
    return Sustained(what, choice=figure if raised else "", better=better)


@process(rules=["renaissance.action.sustained", "renaissance.action.sustain_penalty"])
async def sustain(
    game: Live,
    who: Who,
    what: Annotated[str, Param("a power by its id, or what is done, in words")],
    figure: Annotated[str, Param("the figure that the power raises, if it raises one")] = "",
) -> None:
    """Begin something that needs no focus; each one beyond the first hampers every check."""
    able(game, who)
    _out_of_turns(game.scene)
    status: Status = game[who].status
    if any(one.what == what for one in status.sustained):
        raise RulesSayNo(f"{game.scene.called(who)} sustains that already", rule=SUSTAINED)
    begun = (*status.sustained, _power(game, who, what, figure))
    game.emit(SustainChanged(who=who, what=f"begins {spoken(what)}", sustained=begun, cause=SUSTAINED))


@process(rules=["renaissance.action.sustained"])
async def stop_sustaining(game: Live, who: Who, what: Annotated[str, Param("what was begun")]) -> None:
    """Give up something that is sustained."""
    _out_of_turns(game.scene)
    status: Status = game[who].status
    left = tuple([one for one in status.sustained if one.what != what])
    if left == status.sustained:
        raise BadInput(f'{game.scene.called(who)} sustains no "{what:.40}"', field="what")
    game.emit(SustainChanged(who=who, what=f"ends {spoken(what)}", sustained=left, cause=SUSTAINED))


PROCESSES: tuple[Process[..., Any], ...] = (sustain, stop_sustaining)
