"""Hiding in the middle of an encounter, and staying hidden on the move."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine.asks import EVERYONE
from tablewright.engine.tally import Part
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.common import Hid
from tablewright.game.prices import Price
from tablewright.game.scene import Live, Participant, Scene
from tablewright.systems.stage.actions.assisting import assisted
from tablewright.systems.stage.actions.checking import against, plainly, result_of, with_powers
from tablewright.systems.stage.actions.common import ABLE, foes, show_up
from tablewright.systems.stage.events.moving import LiesInWait
from tablewright.systems.stage.now import distance, effects, pool, powers, price_of
from tablewright.systems.stage.powers import Permit
from tablewright.systems.stage.rolling import Rolled
from tablewright.systems.stage.ways import OPPOSED

KEY, RULE = "guile.sneak", "stage.guile.sneak"
PLAIN_SIGHT = "stage.power_effect.hide_in_plain_sight"
GAME_MASTER = "game master"


def _unseen(scene: Scene, who: str, use: Use) -> str | None:
    """Nobody hides in plain sight, but by a power: cover, darkness or distance must help."""
    if scene[who].hidden:
        return "hidden already"
    if use.detail:
        return None
    watching = [foe for foe in foes(scene, who) if not _looks_away(foe, who)]
    for foe in watching:
        if not scene.facts.get("cover", who, foe.id) and not scene.facts.get("darkness", foe.id):
            return f"in plain sight of {scene.called(foe.id)}"
    return None


def _looks_away(foe: Participant, who: str) -> bool:
    """Whether a foe is distracted, and by another: whoever distracts is watched (stage.manipulation.distract)."""
    held = foe.status.held("distracted")
    return held is not None and held.by != who


def _hidings(scene: Scene, who: str) -> Iterator[Use]:
    if scene[who].character.level("guile") or scene.facts.entries:
        yield Use("hide", label="Hide")
    for one, permit in effects(scene, who, Permit):
        if permit.what == "hide_in_plain_sight":
            yield Use("hide", detail=one.id, label=f"Hide: {one.power.name}")


def _hide_price(scene: Scene, who: str, use: Use) -> Price:
    power = powers(scene, who).get(use.detail or "")
    if power is None:
        return Price.of(ap=1)
    return Price.of(ap=power.power.ap or 0) + price_of(power.power)


async def _hide(game: Live, who: str, use: Use) -> None:
    """Unseen by all gives an Ambush advantage."""
    permits = [each for one, each in effects(game.scene, who, Permit) if one.id == use.detail]
    plain = Part("in plain sight", -sum([each.penalty_dice for each in permits]), PLAIN_SIGHT, "penalty")
    lent, _ = await assisted(game, who, KEY, _hide_price(game.scene, who, use)["ap"])
    dice = (plain, _visibility(game.scene, who), *lent)
    made = await with_powers(game, who, KEY, plainly(game, who, KEY, words=OPPOSED, dice=dice))
    if await _unnoticed(game, who, made):
        game.emit(Hid(who=who, cause=RULE))
        game.emit(LiesInWait(who=who, to=game.seat(who), cause=RULE))


async def stays_hidden(game: Live, who: str) -> None:
    """Whoever moves in hiding sneaks: one roll against every observer, and who is noticed is seen by all."""
    made = pool(game.scene, who, KEY, words=OPPOSED, dice=(_visibility(game.scene, who),))
    if not await _unnoticed(game, who, made, secretly=True):
        show_up(game, who, RULE)
        game.emit(LiesInWait(who=who, now=False, cause=RULE))


async def _unnoticed(game: Live, who: str, made: Rolled, *, secretly: bool = False) -> bool:
    """One Guile (sneak) roll against every observer's Perception (detect), who each add their distance."""
    hidden = await result_of(game, who, made, audience=game.seat(who) if secretly else EVERYONE)
    seen = 0
    for foe in [one.id for one in foes(game.scene, who)]:
        if _looks_away(game[foe], who):
            continue
        theirs = pool(game.scene, foe, "perception.detect", against=who, words=OPPOSED)
        needed = hidden.result + distance(game.scene, who, foe)
        told = GAME_MASTER if secretly else EVERYONE
        seen += (await against(game, foe, theirs, needed, secret=True, audience=told)).success
    return not seen


def _visibility(scene: Scene, who: str) -> Part:
    """+1d in bad, -1d in good visibility (stage.guile.sneak)."""
    return Part("visibility", {"bad": 1, "good": -1}.get(str(scene.facts.get("visibility", who)), 0), RULE, "mundane")


SNEAKING = (
    Action(
        "hide",
        "Hide",
        (RULE, PLAIN_SIGHT),
        _hide,
        (ABLE, Requirement(RULE, _unseen)),
        _hidings,
        price=_hide_price,
        price_rule="stage.action.ap",
    ),
)
