"""Advancement: awards, purchases with experience, and stepping back."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from tablewright.engine import ClosedOption, Param, Process, Tally, process
from tablewright.errors import IllegalActionError
from tablewright.game.character.creation import CreationOption, Step
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.purchases import Advancement, purchasing
from tablewright.game.play.time_passage import AtLeisure, Who
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.character.costs import without
from tablewright.systems.renaissance.character.figures import key_of
from tablewright.systems.renaissance.character.record import Advance, RenaissanceCharacter, What
from tablewright.systems.renaissance.character.shop import (
    SPENDING,
    PointPurchase,
    apply_purchase,
    detail_of,
    offered,
    purchases,
)
from tablewright.systems.renaissance.content import Power
from tablewright.systems.renaissance.creation import field_of

SESSION, GOAL, MOTIVATION, PLAY, LEAST = 2, 3, 2, 1, 1  # renaissance.gap.advancement.award
AWARD = "renaissance.gap.advancement.award"
DOWN_TIME = Step("down_time", "Down-time")


# ---------------------------------------------------------------------- earning


def award_tally(sessions: int, goal: int = 0, motivation: int = 0, good_play: int = 0) -> Tally:
    """The Rez points of an adventure, one by one; never less than 1.

    >>> award_tally(3, 1, -1, 2).total, award_tally(1, -1, -1).total
    (9, 1)
    """
    tally = Tally.of("sessions", SESSION * sessions, AWARD)
    tally = tally.add("goal", GOAL * goal, AWARD).add("motivation", MOTIVATION * motivation, AWARD)
    return tally.add("good play", PLAY * good_play, AWARD).limit(LEAST, rule=AWARD)


@process(rules=["renaissance.gap.advancement.award"])
async def award(
    game: Game,
    who: Who,
    sessions: Annotated[int, Param("sessions of the adventure", 1, 50)] = 1,
    goal: Annotated[int, Param("1 if the goal was far exceeded, -1 if it was missed by far", -1, 1)] = 0,
    motivation: Annotated[int, Param("major successes less major failures of motivations", -5, 5)] = 0,
    good_play: Annotated[int, Param("instances of strong technical play or good role-play", 0, 20)] = 0,
) -> int:
    """Award Rez points at the end of an adventure; earlier purchases can no longer be taken back."""
    character: RenaissanceCharacter = game[who].character
    tally = award_tally(sessions, goal, motivation, good_play)
    changed = character.changed(rez=character.rez + tally.total, opportunity=character.opportunity + 1)
    game.emit(CharacterChanged(who=who, what=f"{tally.total} Rez points", character=changed, cause=AWARD))
    return tally.total


# ---------------------------------------------------------------------- spending


@process(rules=["renaissance.gap.advancement.rez_points"])
async def advance(
    game: Game,
    who: AtLeisure,
    what: Annotated[What, Param("kind of purchase")],
    name: Annotated[str, Param("which one, by its id; a skill with its field")] = "",
    ranks: Annotated[int, Param("how many ranks of a skill", 1, 70)] = 1,
    detail: Annotated[str, Param("the specialization, or what a trait is about")] = "",
) -> None:
    """Buy something with Rez points, at the prices of creation points."""
    name = key_of(name) if what in ("skill", "specialization") else name
    purchase: PointPurchase = replace(offer_for(game.scene, who, what, name, ranks).value, detail=detail)
    purchase = await detail_of(DOWN_TIME, purchase, game[who].character, game.scene.library, field_of)
    _buy(game, who, offer_for(game.scene, who, what, name, ranks), purchase)


def offer_for(scene: Scene, who: str, what: What, name: str, ranks: int) -> CreationOption:
    """Offer of a purchase at its cost now; refused with the rule if it cannot be had."""
    return offered(scene[who].character, what, name, ranks, scene.library, buy_off=scene.options.buy_off_traits)


def _buy(game: Game, who: str, offer: CreationOption, purchase: PointPurchase) -> None:
    character: RenaissanceCharacter = game[who].character
    if offer.cost > character.available:
        owned = f"{character.name} has {character.available}"
        reason = f"{purchase.name or purchase.what} costs {offer.cost} Rez points and {owned}"
        raise IllegalActionError(reason, rule=SPENDING)
    before = character.traits.get(purchase.name, "") if purchase.what == "buy_off" else purchase.detail
    bought = Advance.model_validate(
        {
            "what": purchase.what,
            "name": purchase.name,
            "cost": offer.cost,
            "opportunity": character.opportunity,
            "detail": before,
            "ranks": purchase.ranks,
        }
    )
    raised = apply_purchase(character, purchase)
    raised = raised.changed(advances=(*character.advances, bought))
    ranks = ""
    if purchase.what == "skill":
        ranks = f" {character.skills.get(purchase.name, 0)} to {raised.skills.get(purchase.name, 0)}"
    words = f"{purchase.name or purchase.what}{ranks} for {offer.cost} Rez points, {raised.available} left"
    game.emit(CharacterChanged(who=who, what=words, character=raised, cause=SPENDING))


def rez_purchases(scene: Scene, who: str) -> list[CreationOption | ClosedOption]:
    """Everything that Rez points buy with its cost, and why the rest cannot be had."""
    character: RenaissanceCharacter = scene[who].character
    found: list[CreationOption | ClosedOption] = []
    for one in purchases(character, scene.library, creation=False, buy_off=scene.options.buy_off_traits):
        if isinstance(one, CreationOption) and one.cost > character.available:
            found.append(ClosedOption(one.id, f"costs {one.cost}, {character.available} left", SPENDING))
        else:
            found.append(one)
    return found


async def _buy_offer(game: Game, who: str, taken: CreationOption) -> None:
    purchase = await detail_of(DOWN_TIME, taken.value, game[who].character, game.scene.library, field_of)
    _buy(game, who, taken, purchase)


@process(rules=["renaissance.power.categories", "renaissance.gap.power.requirements"])
async def bless(
    game: Game,
    who: Who,
    power: Annotated[str, Param("the boon, by its id")],
    back: Annotated[bool, Param("whether the spirit takes it back")] = False,
) -> None:
    """Let a spirit grant a boon or take it back; boons are not bought."""
    rule = "renaissance.power.categories"
    found = game.scene.library.get(Power, power)
    character: RenaissanceCharacter = game[who].character
    if found.granted_by is None:
        raise IllegalActionError(f"{found.name} is learned, not granted", rule=rule)
    if (power in character.powers) is not back:
        raise game.scene.cannot(who, f"{'has' if not back else 'has not'} {found.name}", rule)
    powers = tuple([id_ for id_ in character.powers if id_ != power]) if back else (*character.powers, power)
    words = f"{found.name} is {'taken back' if back else 'granted'}"
    game.emit(CharacterChanged(who=who, what=words, character=character.changed(powers=powers), cause=rule))


ADVANCEMENT = Advancement(
    rule=SPENDING,
    points="Rez points",
    returned="Rez points",
    left=lambda scene, who: scene[who].character.available,
    offers=rez_purchases,
    buy=_buy_offer,
    lower=lambda scene, character, last: without(character, last),
)
PROCESSES: tuple[Process[..., Any], ...] = (award, advance, *purchasing(ADVANCEMENT), bless)
