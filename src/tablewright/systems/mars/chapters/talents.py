"""Actions that talents give: second wind, rage, concentration."""

from __future__ import annotations

from tablewright.game.play.actions import ActionUse, needs, once
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.actions.requirements import awake, swift, time_spent
from tablewright.systems.mars.character.figures import figures
from tablewright.systems.mars.character.gear import grants_of, worn
from tablewright.systems.mars.content import RageGrant, SecondWindGrant
from tablewright.systems.mars.events.effects import ConcentrationChanged
from tablewright.systems.mars.events.turn import CaughtBreath, FlewIntoRage
from tablewright.systems.mars.harm import turn_concentration

SPECIAL, CONCENTRATION = "mars.action.special", "mars.concentration.single"
WIND, RAGE_RULE = "mars.gap.talent.second_wind", "mars.gap.talent.rage"
RAGE = "rage"


def _wind(scene: Scene, who: str) -> int:
    """Uses of Second Wind that are left until the next rest."""
    able = sum(
        [grant.uses * steps for grant, steps, *_ in grants_of(scene[who].character, scene.library, SecondWindGrant)]
    )
    return able - int(scene[who].status.used.get("second_wind", 0))


def _has_wind(scene: Scene, who: str, use: ActionUse) -> str | None:
    if not any(grants_of(scene[who].character, scene.library, SecondWindGrant)):
        return "no such talent"
    if "second_wind" in scene[who].status.turn.talents:
        return "once a turn"
    return None if _wind(scene, who) > 0 else "used up until the next rest"


def _not_at_most(scene: Scene, who: str, use: ActionUse) -> str | None:
    most = figures(scene[who].character, scene.library).endurance
    return None if scene[who].status.endurance < most else "not tired"


@swift("Second wind", (SPECIAL, WIND), (once(_has_wind, WIND), once(_not_at_most, WIND)))
async def _second_wind(game: Game, who: str, use: ActionUse) -> None:
    most = figures(game[who].character, game.scene.library).endurance
    gained = min((most + 1) // 2, most - game[who].status.endurance)
    cost = time_spent(game[who].status, "swift")
    game.emit(CaughtBreath(who=who, endurance=gained, cause=WIND, **cost))


def rage_of(scene: Scene, who: str) -> tuple[RageGrant, int] | None:
    """The rage of a participant, with its steps."""
    for grant, steps, *_ in grants_of(scene[who].character, scene.library, RageGrant):
        return grant, steps
    return None


def _can_rage(scene: Scene, who: str, use: ActionUse) -> str | None:
    found = rage_of(scene, who)
    if found is None:
        return "no such talent"
    if scene[who].status.has("rage"):
        return "raging already"
    left = scene[who].status.focus
    return None if left >= found[0].focus else f"costs {found[0].focus} focus, {left} left"


@swift("Rage", (SPECIAL, RAGE_RULE, CONCENTRATION), (once(_can_rage, RAGE_RULE),), cost_text="2 s, 2 focus")
async def _rage(game: Game, who: str, use: ActionUse) -> None:
    found = rage_of(game.scene, who)
    assert found is not None
    grant, steps = found
    if not await turn_concentration(game, who, RAGE):
        return
    strength = grant.first + grant.further * (steps - 1)
    clad = any("body" in piece.slots for piece in worn(game.scene[who].status.belongings, game.scene.library).pieces)
    game.emit(
        FlewIntoRage(
            who=who,
            strength=strength,
            reduction=(strength + 1) // 2 if clad else strength,
            rating=grant.rating,
            focus=grant.focus,
            cause=RAGE_RULE,
            **time_spent(game[who].status, "swift"),
        )
    )


_CONCENTRATES = needs(lambda scene, who: scene[who].status.concentration, "not concentrating")


@awake("Stop concentrating", CONCENTRATION, (_CONCENTRATES,), cost_text="nothing")
async def _let_go(game: Game, who: str, use: ActionUse) -> None:
    game.emit(ConcentrationChanged(who=who, cause=CONCENTRATION))


TALENTS = (_second_wind, _rage, _let_go)
