"""Gear in hand during a fight: draw, stow, load, drop, pick up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import add_item, hands_taken, move, remove_item
from tablewright.game.play.action_kinds import action, on_each, with_each
from tablewright.game.play.actions import Action, ActionUse, each_use
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.play.costs import Cost
from tablewright.game.play.loose_items import items_in_reach
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Participant, Scene
from tablewright.systems.stage.actions.checks import against, in_two_rolls, plainly, with_powers
from tablewright.systems.stage.actions.requirements import ABLE, ADJACENT, able, of_ap, one_ap
from tablewright.systems.stage.actions.turn import assisted, helped
from tablewright.systems.stage.character.figures import items, load
from tablewright.systems.stage.character.gear import MOST_HANDS, drawn, taken_up
from tablewright.systems.stage.character.record import BELT, HAND, HANDS, PACK
from tablewright.systems.stage.content import Armour, Gear, Item, Weapon
from tablewright.systems.stage.events.fight import Tried, emit_harm
from tablewright.systems.stage.events.recovery import FirstAidGiven, Reanimated
from tablewright.systems.stage.events.turn import TurnLost
from tablewright.systems.stage.harm import restore
from tablewright.systems.stage.modifiers import Rolled, limits_now
from tablewright.systems.stage.now import other_prices, price_in_fight, subject, with_tools
from tablewright.systems.stage.status import Status, lost, most
from tablewright.systems.stage.values import CORE

RULE = "stage.equipment.retrieve"
FIRST_AID = 6  # stage.medicine.first_aid


def _words(item: str) -> str:
    return item.replace("_", " ")


def _quick(scene: Scene, who: str) -> bool:
    """True if a power draws things for 0 AP."""
    return bool(other_prices(scene, who, "retrieve"))


def _to_draw(scene: Scene, who: str) -> list[tuple[str, str]]:
    known = items(scene.library)
    stowed = [known.get(one.item) for one in scene[who].status.belongings if one.place in (BELT, PACK)]
    return [(found.id, found.name.lower()) for found in stowed if _is_held_up(found)]


def _is_held_up(found: Item | None) -> TypeGuard[Item]:
    """True if something is of use in the hand: weapons, shields, a light, a wand, a rope; no tools nor supplies."""
    if isinstance(found, Gear):
        return not (found.tools_for or found.food or found.water or found.protects or found.free)
    return isinstance(found, Weapon) or (isinstance(found, Armour) and found.is_shield)


def _draw_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    """1 AP from easy reach, 2 AP from elsewhere; a power makes it free."""
    if _quick(scene, who):
        return Cost()
    easy = any(one.item == use.detail and one.place == BELT for one in scene[who].status.belongings)
    return of_ap(1 if easy else 2)


def _free_hands(scene: Scene, who: str, use: ActionUse) -> str | None:
    try:
        drawn(scene[who].status.belongings, str(use.detail), most(scene, who).size, scene.library)
    except IllegalActionError as problem:
        return str(problem.args[0]) if problem.args else "no hand is free"
    return None


@able(
    "Draw",
    RULE,
    (each_use(_free_hands, "stage.equipment.size"),),
    with_each(_to_draw, "Draw the {}"),
    cost=_draw_price,
)
async def _draw(game: Game, who: str, use: ActionUse) -> None:
    mine = drawn(game[who].status.belongings, str(use.detail), most(game.scene, who).size, game.scene.library)
    game.emit(BelongingsChanged(who=who, what=f"draws {_words(str(use.detail))}", belongings=mine, cause=RULE))


def _in_hand(scene: Scene, who: str) -> list[str]:
    held = [one.item for one in scene[who].status.belongings if one.place in (HAND, HANDS)]
    return list(dict.fromkeys(held))


def _to_store(scene: Scene, who: str) -> list[tuple[str, str]]:
    return [(f"{item}@{BELT}", _words(item)) for item in _in_hand(scene, who)]


def _is_held(scene: Scene, who: str, use: ActionUse) -> str | None:
    item = str(use.detail).partition("@")[0]
    return None if item in _in_hand(scene, who) else f"{_words(item)} is not in hand"


@one_ap("Store", RULE, (each_use(_is_held),), with_each(_to_store, "Put {} in the belt"))
async def _store(game: Game, who: str, use: ActionUse) -> None:
    item, _, place = str(use.detail).partition("@")
    mine = game[who].status.belongings
    held = next(one.place for one in mine if one.item == item and one.place in (HAND, HANDS))
    changed = move(mine, item, place or BELT, place=held, rule=RULE)
    game.emit(BelongingsChanged(who=who, what=f"stores {_words(item)}", belongings=changed, cause=RULE))


@action("Drop", RULE, (ABLE,), with_each(_in_hand, "Drop the {}"), "nothing", cost=Cost(), price_rule=RULE)
async def _drop(game: Game, who: str, use: ActionUse) -> None:
    item = str(use.detail)
    mine = game[who].status.belongings
    held = next(one for one in mine if one.item == item and one.place in (HAND, HANDS))
    left = remove_item(mine, item, place=held.place, rule=RULE)
    lying = LooseItem(item, who, held.left, game[who].position)
    game.emit(BelongingsChanged(who=who, what=f"drops {_words(item)}", belongings=left, laid_down=(lying,), cause=RULE))


def _lying(scene: Scene, who: str) -> list[str]:
    return [one.item for one in items_in_reach(scene, who, 0)]


def _lies_here(scene: Scene, who: str, use: ActionUse) -> str | None:
    return None if use.detail in _lying(scene, who) else f"{_words(str(use.detail))} does not lie here"


def _not_too_heavy(scene: Scene, who: str, use: ActionUse) -> str | None:
    """No one carries more than the maximum load (stage.encumbrance.loads)."""
    one, limits = scene[who], limits_now(subject(scene, who))
    weighs = load(
        one.character, scene.options, scene.library, add_item(one.status.belongings, str(use.detail), place=PACK)
    )
    too_heavy = limits is not None and weighs > limits.maximum
    return f"too heavy: {weighs} of {limits.maximum}" if limits is not None and too_heavy else None


def _a_hand(scene: Scene, who: str, use: ActionUse) -> str | None:
    return "no hand is free" if hands_taken(scene[who].status.belongings) >= MOST_HANDS else None


@one_ap(
    "Take up",
    RULE,
    (
        each_use(_lies_here),
        each_use(_a_hand, "stage.equipment.size"),
        each_use(_not_too_heavy, "stage.encumbrance.loads"),
    ),
    with_each(_lying, "Take up {}"),
)
async def _take_up(game: Game, who: str, use: ActionUse) -> None:
    found = next(one for one in items_in_reach(game.scene, who, 0) if one.item == use.detail)
    mine = add_item(game[who].status.belongings, found.item, place=PACK, left=found.left)
    mine = taken_up(mine, found.item, most(game.scene, who).size, game.scene.library)
    what = f"takes up {_words(found.item)}"
    game.emit(BelongingsChanged(who=who, what=what, belongings=mine, taken_up=(found,), cause=RULE))


# ---------------------------------------------------------------------- care


def _patients(need: str, *, oneself: bool) -> Callable[[Scene, str], list[Participant]]:
    def patients(scene: Scene, who: str) -> list[Participant]:
        own = [one for one in scene.present if one.side == scene[who].side and (oneself or one.id != who)]
        return [one for one in own if _needs(scene, one.id, need)]

    return patients


def _needs(scene: Scene, who: str, need: str) -> bool:
    status: Status = scene[who].status
    if need == "dead":
        return status.dead
    if status.dead:
        return False
    if need == "first_aid":
        return lost(scene, who, "vitality") > 0 and not status.first_aid
    return lost(scene, who, "stamina") > 0


CARE = {"first_aid": "medicine.first_aid", "treat": "medicine.treatment", "reanimate": "medicine.reanimate"}


def _care_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    return price_in_fight(scene, CARE[use.action])


async def prepared(
    game: Game, who: str, key: str, *, improvised: bool = False, ap: int = -1, helpers: Iterable[str] = ()
) -> Rolled:
    """The dice pool of a check with tools, helpers and announced powers."""
    flat = with_tools(game.scene, who, key, improvised=improvised)
    dice = helped(game.scene, who, key, helpers)
    if ap >= 0:
        dice += (await assisted(game, who, key, ap))[0]
    return await with_powers(game, who, key, plainly(game, who, key, dice=dice, flat=flat))


async def check(
    game: Game,
    who: str,
    target: str,
    key: str,
    difficulty: int,
    cause: str,
    *,
    improvised: bool = False,
    ap: int = -1,
    helpers: Iterable[str] = (),
) -> bool:
    """A flat check against a known Difficulty, with the tools at hand; whether it succeeded.

    Where it takes AP, those who stand by may help; elsewhere those who are named.
    """
    made = await prepared(game, who, key, improvised=improvised, ap=ap, helpers=helpers)
    result = await against(game, who, made, difficulty)
    emit_harm(game, Tried(who=target, by=who, what=key, success=result.success, reveals=False, cause=cause))
    return result.success


async def bind_wounds(game: Game, healer: str, patient: str, **how: Any) -> None:
    """Medicine (first aid) against 6: counters of Body damage are suppressed until Body damage comes again."""
    rule = "stage.medicine.first_aid"
    if await check(game, healer, patient, "medicine.first_aid", FIRST_AID, rule, **how):
        game.emit(FirstAidGiven(who=patient, cause=rule))


async def treat(game: Game, healer: str, patient: str, *, in_a_fight: bool = False, **how: Any) -> None:
    """Medicine (treatment): the second roll is the Stamina that comes back; in a fight the patient loses a turn."""
    rule, key = "stage.medicine.treatment", "medicine.treatment"
    made = await prepared(game, healer, key, **how)
    result = await in_two_rolls(game, healer, made, max(1, lost(game.scene, patient, "stamina")))
    emit_harm(game, Tried(who=patient, by=healer, what=key, success=result.success, reveals=False, cause=rule))
    if in_a_fight:
        game.emit(TurnLost(who=patient, cause=rule))
    if result.success:
        restore(game, patient, "stamina", result.effect, rule)


async def bring_back(game: Game, healer: str, patient: str, **how: Any) -> bool:
    """Medicine (reanimate) against the rounds since death: alive again with one point of the core tracks."""
    rule, died = "stage.medicine.reanimate", game[patient].status.died
    rounds = 0 if died is None else game.scene.clock.now - died
    done = await check(game, healer, patient, "medicine.reanimate", rounds, rule, **how)
    if done:
        core = tuple(CORE.values()) if game.scene.options.reanimate_sets == "all_core" else ("vitality",)
        game.emit(Reanimated(who=patient, core=core, cause=rule))
    return done


def _medicine(title: str, key: str, patients: str, words: str, *, oneself: bool = False) -> Callable[[Any], Action]:
    """Declare an action of Medicine on a neighbour; its price is that of the application."""
    on = on_each(_patients(patients, oneself=oneself), words)
    return able(title, f"stage.medicine.{key}", (ADJACENT,), on, cost=_care_price)


@_medicine("First aid", "first_aid", "first_aid", "First Aid {}", oneself=True)
async def _first_aid(game: Game, who: str, use: ActionUse) -> None:
    if use.target != who:
        game.emit(TurnLost(who=str(use.target), cause="stage.medicine.first_aid"))
    await bind_wounds(game, who, str(use.target), ap=_care_price(game.scene, who, use)["ap"])


@_medicine("Treatment", "treatment", "stamina", "Treat {}")
async def _treat(game: Game, who: str, use: ActionUse) -> None:
    await treat(game, who, str(use.target), in_a_fight=True, ap=_care_price(game.scene, who, use)["ap"])


@_medicine("Reanimate", "reanimate", "dead", "Reanimate {}")
async def _reanimate(game: Game, who: str, use: ActionUse) -> None:
    await bring_back(game, who, str(use.target), ap=_care_price(game.scene, who, use)["ap"])


HANDLING = (_draw, _store, _drop, _take_up, _first_aid, _treat, _reanimate)
