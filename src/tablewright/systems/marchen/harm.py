"""Consequences of damage in play: falling, dying, burning, recovering consciousness."""

from __future__ import annotations

from typing import Any

from tablewright.engine import Role
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.time_passage import restart_timer
from tablewright.game.scene.game import Game
from tablewright.systems.marchen.chapters.life import became, permanently
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.character.record import MarchenCharacter
from tablewright.systems.marchen.events.fight import Harmed, HelpGained
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.mechanics.checks import CheckResult
from tablewright.systems.marchen.mechanics.harm import (
    BAD_SPOT,
    Damage,
    FailureCost,
    Suffered,
    face,
    hazard,
    pay_the_price,
    word_of,
)
from tablewright.systems.marchen.mechanics.turn import ticks_of
from tablewright.systems.marchen.now import body, how_checked
from tablewright.systems.marchen.values import CHARACTERISTICS_OF, Aspect

DIES = "dies"
FACES: dict[Aspect, str] = {  # marchen.interrupted.trigger
    "physical": "marchen.interrupted.face_death",
    "mental": "marchen.interrupted.face_duress",
    "social": "marchen.interrupted.face_depression",
    "spiritual": "marchen.interrupted.face_desolation",
}
OUTCASTS = -2
PRIVATE = {"endure": Role.ACTOR, "taken": Role.ACTOR, "threshold": Role.ACTOR, "face_modifier": Role.ACTOR}


def aftermath(game: Game, who: str, aspect: Aspect, suffered: Suffered) -> None:
    """Apply the lasting consequences of facing the end: a scar, a deadline for help, an outcast's losses."""
    outcome = suffered.outcome
    if outcome is None:
        return
    cause = FACES[aspect]
    if outcome.scar:
        scar(game, who, aspect, cause)
    if outcome.dying and aspect == "physical":
        left, after = game.scene.clock.left(DIES, who=who), ticks_of(outcome.dying)
        if left is None or after < left:  # a further wound never gives more time
            restart_timer(game, DIES, who, after=after, cause=cause)
    if outcome.end and aspect == "social":
        outcast(game, who, cause)


def scar(game: Game, who: str, aspect: Aspect, cause: str) -> None:
    """Lower the highest characteristic of the aspect for good; the first of equals.

    That it is one of the aspect's is the book's (marchen.gap.face.outcomes), which one is ours.
    """
    character: MarchenCharacter = game[who].character
    options = game.scene.options
    worst = max(CHARACTERISTICS_OF[aspect], key=lambda one: score(character, one, options).total)
    became(game, who, f"{worst} -1 for good", permanently(character, worst, -1, "scar", options), cause=cause)


def outcast(game: Game, who: str, cause: str) -> None:
    """An outcast loses two ranks with everyone and two points of the social maximum."""
    character: MarchenCharacter = game[who].character
    for name in character.connections:
        character = character.with_connection(name, OUTCASTS)
    character = permanently(character, "social", OUTCASTS, "outcast", game.scene.options)
    became(game, who, "outcast: social -2 for good", character, cause=cause)


async def harm(
    game: Game, who: str, aspect: Aspect, dice: int, plus: int = 0, *, cause: str, enduring: bool = True
) -> Suffered:
    """Deal dice of damage to a participant."""
    meets = body(game.scene, who, aspect)
    core, table = how_checked(game.scene.options)
    call = hazard(Damage(dice, plus), meets.bearing, core, enduring, False, table, 0, game.scene.options.damage_model)
    suffered: Suffered = await call.by(game.seat(who), private=PRIVATE)
    game.emit(Harmed(who=who, aspect=aspect, suffered=suffered, cause=cause))
    aftermath(game, who, aspect, suffered)
    return suffered


async def face_now(game: Game, who: str, aspect: Aspect) -> Suffered:
    """Let a participant face the end now: by its damage, or at the Referee's call (then DM 0)."""
    meets = body(game.scene, who, aspect).bearing
    core, table = how_checked(game.scene.options)
    call = face(max(meets.taken, meets.threshold), meets.threshold, meets.face_modifier, core, table)
    hidden = {"damage": Role.ACTOR, "threshold": Role.ACTOR, "modifier": Role.ACTOR}
    degree = await call.by(game.seat(who), private=hidden)
    suffered = Suffered(face=degree)
    outcome = suffered.outcome
    if outcome is not None and outcome.recovers and meets.taken <= meets.threshold:
        suffered = Suffered()  # there is nothing to recover from
        game.emit(Followed(who=who, what=f"faces the end: {degree.replace('_', ' ')}", cause=FACES[aspect]))
        return suffered
    game.emit(Harmed(who=who, aspect=aspect, suffered=suffered, cause=FACES[aspect]))
    aftermath(game, who, aspect, suffered)
    return suffered


# ---------------------------------------------------------------------- checks and their price


def change(game: Game, who: str, what: str, cause: str, **fields: Any) -> None:
    """Change something of a character for good, as an event."""
    changed = game[who].character.changed(**fields)
    if changed != game[who].character:
        game.emit(CharacterChanged(who=who, what=what, character=changed, cause=cause))


async def pay(game: Game, who: str, aspect: Aspect, result: CheckResult, cause: str) -> FailureCost:
    """Pay the price of a failed check (marchen.ounces.pay_the_price), or give up a resource for it."""
    degree = word_of(result)
    if degree not in BAD_SPOT:
        return FailureCost()
    character: MarchenCharacter = game[who].character
    meets = body(game.scene, who, aspect)
    core, table = how_checked(game.scene.options)
    model = game.scene.options.damage_model
    call = pay_the_price(degree, character.supply, character.treasure, meets.bearing, core, table, model)
    private = {**PRIVATE, "supply": Role.ACTOR, "treasure": Role.ACTOR}
    cost: FailureCost = await call.by(game.seat(who), private=private)
    rule = "marchen.ounces.pay_the_price"
    character = game[who].character
    if cost.given:
        spent = {cost.given: getattr(character, cost.given) - 1}
        change(game, who, f"gives up 1 {cost.given}", "marchen.ounces.sacrifice_resource", **spent)
    if cost.dm:
        game.emit(HelpGained(who=who, name="the price", dm=cost.dm, cause=rule))
    if cost.suffered != Suffered():
        game.emit(Harmed(who=who, aspect=aspect, suffered=cost.suffered, cause=rule))
        aftermath(game, who, aspect, cost.suffered)
    return cost
