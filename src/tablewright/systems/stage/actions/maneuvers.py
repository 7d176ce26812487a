"""Special attacks and other maneuvers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from tablewright.engine import choose
from tablewright.engine.tally import Part
from tablewright.game.character.belongings import remove_item
from tablewright.game.ground.position import Position
from tablewright.game.play.action_kinds import on_each
from tablewright.game.play.actions import ActionUse, each_use, of_target
from tablewright.game.play.common_events import BelongingsChanged, Moved
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect, EffectGained
from tablewright.game.play.movement import ask_place, has_place
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Participant, Scene
from tablewright.systems.stage import now
from tablewright.systems.stage.actions.checks import beats, once_for_all, plainly, result_of, with_powers
from tablewright.systems.stage.actions.defences import OPPOSED, announcing, defences
from tablewright.systems.stage.actions.move import AFOOT, FREE, around
from tablewright.systems.stage.actions.requirements import (
    AP,
    LIVING,
    STANDS,
    able,
    ambushes,
    beside,
    end_of_next_turn,
    foes,
    foes_beside,
    of_ap,
    show_up,
)
from tablewright.systems.stage.actions.resolution import Met, attempt, declare
from tablewright.systems.stage.actions.strike import after_defence, fails_in_the_dark
from tablewright.systems.stage.actions.turn import assisted, backing
from tablewright.systems.stage.character.gear import taken_up
from tablewright.systems.stage.character.record import HAND, HANDS, PACK
from tablewright.systems.stage.effects import Price as OtherPrice
from tablewright.systems.stage.effects import Substitute, Usable
from tablewright.systems.stage.events.fight import ApChanged, Spent, Tried, emit_harm
from tablewright.systems.stage.events.turn import CameBeside, StanceChanged
from tablewright.systems.stage.modifiers import Rolled
from tablewright.systems.stage.status import PURSES, Status, most, stands

KEY, RULE = "athletics.pursue", "stage.athletics.pursue"


def _effort(scene: Scene) -> Cost:
    """Price of running away from a pursuer."""
    return of_ap(now.application(scene, KEY).ap_defender or 0)


def _far_off(scene: Scene, who: str) -> list[Participant]:
    placed = [foe for foe in foes(scene, who) if foe.position is not None] if has_place(scene, who) else []
    return [foe for foe in placed if now.distance(scene, who, foe.id) >= 1]


def _runs(scene: Scene, who: str, use: ActionUse) -> str | None:
    target = str(use.target)
    return None if now.distance(scene, who, target) >= 1 else f"{scene.display_name(target)} is in the same cube"


@able(
    "Pursue",
    RULE,
    (STANDS, FREE, AFOOT, each_use(_runs)),
    on_each(_far_off, "Pursue {}"),
    cost=lambda scene, who, use: now.price_in_fight(scene, KEY),
    price_rule=AP,
)
async def _pursue(game: Game, who: str, use: ActionUse) -> None:
    """Pursue: the pursued may run with +1d; the winner gains cubes equal to the speed score."""
    target = str(use.target)
    if not await _runs_away(game, target):
        emit_harm(game, Tried(who=target, by=who, what=KEY, success=True, reveals=False, cause=RULE))
        _close_in(game, who, target)
        return
    game.emit(Spent(who=target, price=_effort(game.scene), on="running", cause=RULE))
    mine = await _running(game, who, target)
    theirs = await _running(game, target, who, Part("pursued", 1, RULE, "mundane"))
    success = await beats(game, who, target, mine, theirs)
    emit_harm(game, Tried(who=target, by=who, what=KEY, success=success, reveals=False, cause=RULE))
    if success:
        _close_in(game, who, target)
    else:
        await _get_ahead(game, who, target)


async def _running(game: Game, who: str, other: str, *more: Part) -> Rolled:
    """The dice pool of one side of a chase, with helpers and powers (stage.check.assist)."""
    lent, _ = await assisted(game, who, KEY, now.price_in_fight(game.scene, KEY)["ap"])
    make = plainly(game, who, KEY, against=other, words=OPPOSED, dice=(*more, *lent))
    return await with_powers(game, who, KEY, make)


async def _runs_away(game: Game, target: str) -> bool:
    price = _effort(game.scene)
    if game[target].status.ap < price["ap"] or game[target].status.held("held") is not None:
        return False
    stay, run = ActionUse("pass", label="Stay"), ActionUse("run", label="Run", cost=PURSES.words(price))
    told = {"who": target, "kind": "window"}
    return await choose(game.seat(target), "run?", [stay, run], details=told, default=run) == run


def _close_in(game: Game, who: str, target: str) -> None:
    """Move as near as the speed score allows, next to a caught character."""
    scene = game.scene
    here, there = scene[who].position, scene[target].position
    assert here is not None
    assert there is not None
    reach = [here, *[at for at, _ in around(scene.ground, here, most(scene, who).speed)]]
    straight = scene.ground.line(here, there)
    nearest: Position = min(reach, key=lambda at: (scene.ground.distance(at, there), at not in straight))
    if nearest != here:
        game.emit(Moved(who=who, position=nearest, cause=RULE))
    if nearest == there:
        game.emit(CameBeside(who=who, others=(target,), cause=RULE))


async def _get_ahead(game: Game, who: str, target: str) -> None:
    """Away by the speed score, to where the one who runs likes among the furthest places."""
    scene = game.scene
    here, behind = scene[target].position, scene[who].position
    assert here is not None
    assert behind is not None
    far = {
        name: scene.ground.distance(at, behind) for at, name in around(scene.ground, here, most(scene, target).speed)
    }
    furthest = max(far.values(), default=0)
    places = [name for name, cubes in far.items() if cubes == furthest]
    if places and furthest > scene.ground.distance(here, behind):
        game.emit(Moved(who=target, position=await ask_place(game, target, places, {"of": target}), cause=RULE))


CHASING = (_pursue,)


BARE = "brawl"
UNHARMED_DICE = 1  # stage.attack.disarm, stage.attack.trip_push: what the defender gets


# ---------------------------------------------------------------------- one roll against Hit Difficulty


async def hits(
    game: Game,
    who: str,
    target: str,
    key: str,
    cause: str,
    *,
    skill: str = "",
    what: str,
    ap: int,
    more: int = UNHARMED_DICE,
) -> bool:
    """True if one roll reaches a character who defends as usual, with a die more; one event says what came of it.

    ``ap`` is what it takes, for those who help; high ground counts as in any attack.
    """
    if await fails_in_the_dark(game, who, what):
        return False
    dice, flat = await assisted(game, who, key, ap, skill=skill)
    scene = game.scene
    ambush = ambushes(scene, who, target)
    if now.higher(scene, who, target):
        flat += (Part("high ground", 1, "stage.terrain.high_ground", "mundane"),)

    def with_powers(bundle: tuple[Usable, ...], words: tuple[str, ...] = ()) -> Rolled:
        return now.pool(
            scene, who, key, skill=skill, against=target, words=words, announced=bundle, dice=dice, flat=flat
        )

    opposed = partial(with_powers, words=OPPOSED)
    once = announcing(scene, who, key, with_powers, Cost(), opposed, skill)
    hard = now.hit_difficulty(scene, target, who)
    declare(game, who, target, what, cause)
    helpers = await backing(game, target)
    defending = defences(scene, target, who, melee=True, ambush=ambush, more=more, cover=hard.cover, helpers=helpers)
    result = await attempt(game, who, target, what, with_powers(()), opposed(()), once, Met(hard, defending), cause)
    show_up(game, who, "stage.attack.ambush")
    answered = defending.answers.get(result.defence)
    await after_defence(game, target, who, answered, success=not result.success)
    return result.success


def _near(action: str, title: str) -> Callable[[Scene, str], Iterator[ActionUse]]:
    def uses(scene: Scene, who: str) -> Iterator[ActionUse]:
        for foe in foes_beside(scene, who):
            yield ActionUse(action, foe.id, label=f"{title} {scene.display_name(foe.id)}")
            if action == "disarm" and _disarming(scene, who) == "close_combat.attack":
                yield ActionUse(action, foe.id, BARE, label=f"{title} {scene.display_name(foe.id)} with bare hands")
            yield from _cheaper(scene, who, action, title, foe)

    return uses


def _cheaper(scene: Scene, who: str, action: str, title: str, foe: Participant) -> Iterator[ActionUse]:
    """Powers that make it cheaper, or let another skill do it."""
    found = [one for one, _ in now.other_prices(scene, who, "trip_push")] if action in ("trip", "push") else []
    if action == "disarm":
        found = [one for one, other in now.effects(scene, who, Substitute) if "disarm" in other.uses_for]
    for one in found:
        yield ActionUse(action, foe.id, one.id, label=f"{title} {scene.display_name(foe.id)}: {one.power.name}")


def _price(scene: Scene, who: str, use: ActionUse) -> Cost:
    """2 AP, or what a power makes of it."""
    power = now.powers(scene, who).get(use.detail or "")
    if power is None:
        return of_ap(2)
    ap = power.power.ap if power.power.ap is not None else 2
    return Cost.of(ap=ap) + now.price_of(power.power)


def weapon_in_hand(scene: Scene, who: str) -> str:
    """The item that a disarm would take; empty for none."""
    status: Status = scene[who].status
    for carried in status.belongings:
        if carried.place in (HAND, HANDS) and scene.library.has("weapons", carried.item):
            return carried.item
    return ""


def _disarming(scene: Scene, who: str) -> str:
    """The first means to disarm: the weapon in hand, or bare hands (stage.attack.disarm)."""
    armed = bool(weapon_in_hand(scene, who)) and scene[who].character.level("close_combat")
    return "close_combat.attack" if armed else "brawl.attack"


@beside(
    "Disarm",
    "stage.attack.disarm",
    (of_target(weapon_in_hand, "{} has no weapon in hand"),),
    _near("disarm", "Disarm"),
    cost=_price,
)
async def _disarm(game: Game, who: str, use: ActionUse) -> None:
    """The weapon is gone from the hand: with Brawl the attacker holds it, otherwise it lies there."""
    target, rule = str(use.target), "stage.attack.disarm"
    power = now.powers(game.scene, who).get(use.detail or "")
    skill = next((each.use for each in power.effects if isinstance(each, Substitute)), "") if power else ""
    key = "brawl.attack" if use.detail == BARE else _disarming(game.scene, who)
    if not await hits(game, who, target, key, rule, skill=skill, what="disarm", ap=_price(game.scene, who, use)["ap"]):
        return
    item = weapon_in_hand(game.scene, target)
    if not item:
        return
    theirs = game[target].status.belongings
    carried = next(one for one in theirs if one.item == item and one.place in (HAND, HANDS))
    left = remove_item(theirs, item, place=carried.place, rule=rule)
    if key == "brawl.attack" and not skill:
        game.emit(BelongingsChanged(who=target, what=f"loses {item.replace('_', ' ')}", belongings=left, cause=rule))
        mine = (*game[who].status.belongings, replace(carried, count=1, place=PACK))
        mine = taken_up(mine, item, most(game.scene, who).size, game.scene.library)
        game.emit(BelongingsChanged(who=who, what=f"holds {item.replace('_', ' ')}", belongings=mine, cause=rule))
        return
    lying = LooseItem(item, target, carried.left, game[target].position)
    game.emit(
        BelongingsChanged(
            who=target, what=f"drops {item.replace('_', ' ')}", belongings=left, laid_down=(lying,), cause=rule
        )
    )


@beside("Trip", "stage.attack.trip_push", uses=_near("trip", "Trip"), cost=_price)
async def _trip(game: Game, who: str, use: ActionUse) -> None:
    target, rule = str(use.target), "stage.attack.trip_push"
    ap = _price(game.scene, who, use)["ap"]
    if await hits(game, who, target, "brawl.attack", rule, what="trip", ap=ap) and stands(game[target]):
        game.emit(StanceChanged(who=target, stance="prone", cause=rule))


@beside("Push", "stage.attack.trip_push", uses=_near("push", "Push"), cost=_price)
async def _push(game: Game, who: str, use: ActionUse) -> None:
    """The target is moved anywhere within one cube, as the attacker likes."""
    target, rule = str(use.target), "stage.attack.trip_push"
    ap = _price(game.scene, who, use)["ap"]
    if await hits(game, who, target, "brawl.attack", rule, what="push", ap=ap) and stands(game[target]):
        await put_elsewhere(game, who, target, 1, rule)


async def put_elsewhere(game: Game, who: str, target: str, cubes: int, rule: str) -> None:
    """A character is moved within so many cubes, where another decides."""
    here = game[target].position
    if here is None or not has_place(game.scene, target):
        game.emit(StanceChanged(who=target, stance="prone", cause=rule))
        return
    to = await ask_place(game, who, game.scene.ground.reachable(here, cubes), {"of": target}, last=True)
    stays = CameBeside(who=target, others=(), cause=rule)
    game.emit(stays if to == here else Moved(who=target, position=to, cause=rule))


# ---------------------------------------------------------------------- wits


async def outwits(
    game: Game, who: str, target: str, key: str, answer: str, cause: str, *, dice: tuple[Part, ...] = ()
) -> bool:
    """A check against another's: the target sets the Difficulty with Perception (intuition), for 0 AP."""
    made = await with_powers(game, who, key, plainly(game, who, key, against=target, words=OPPOSED, dice=dice))
    theirs = await with_powers(game, target, answer, plainly(game, target, answer, against=who, words=OPPOSED))
    success = await beats(game, who, target, made, theirs)
    resisted = answer.partition(".")[2]
    emit_harm(game, Tried(who=target, by=who, what=key, success=success, defence=resisted, reveals=False, cause=cause))
    return success


async def outwitted(game: Game, who: str, targets: list[str], key: str, cause: str, *, ap: int) -> list[str]:
    """Targets that lose against one check: each sets a Difficulty with Perception (intuition), for 0 AP."""
    answer, alone = "perception.intuition", targets[0] if len(targets) == 1 else ""
    dice, _ = await assisted(game, who, key, ap)
    mine = await with_powers(game, who, key, plainly(game, who, key, against=alone, words=OPPOSED, dice=dice))
    needed: dict[str, int] = {}
    for target in targets:
        theirs = await with_powers(game, target, answer, plainly(game, target, answer, against=who, words=OPPOSED))
        needed[target] = (await result_of(game, target, theirs)).result
    made = await once_for_all(game, who, mine)
    lost = [target for target in targets if made.reaches(needed[target])]
    for target in targets:
        resisted, success = answer.partition(".")[2], target in lost
        tried = Tried(who=target, by=who, what=key, success=success, defence=resisted, reveals=False, cause=cause)
        emit_harm(game, tried)
    return lost


WITS = {
    "bluff": ("guile.bluff", "Feint against", "stage.guile.bluff"),
    "distract": ("manipulation.distract", "Distract", "stage.manipulation.distract"),
    "insult": ("manipulation.insult", "Insult", "stage.manipulation.insult"),
    "bully": ("intimidate.bully", "Bully", "stage.intimidate.bully"),
}


def best_answer(scene: Scene, who: str, key: str) -> str:
    """The best application to resist a trick: intuition, or the same application if it has more dice."""
    return max(answers(key), key=lambda one: now.pool(scene, who, one).dice.total)


def answers(key: str) -> list[str]:
    """Applications that resist a trick (stage.opposed.basic)."""
    own = [key] if key in ("manipulation.distract", "manipulation.insult", "intimidate.bully") else []
    return ["perception.intuition", *own]


async def _resisting(game: Game, target: str, key: str) -> str:
    """The skill that the target resists with, as it chooses."""
    able, best = answers(key), best_answer(game.scene, target, key)
    if len(able) == 1:
        return best
    return await choose(game.seat(target), "resist with what?", able, details={"of": target}, default=best)


def _wits(action: str) -> Callable[[Scene, str], Iterator[ActionUse]]:
    def uses(scene: Scene, who: str) -> Iterator[ActionUse]:
        for foe in foes(scene, who):
            label = f"{WITS[action][1]} {scene.display_name(foe.id)}"
            yield ActionUse(action, foe.id, label=label)
            for one, _ in now.other_prices(scene, who, WITS[action][0]):
                yield ActionUse(action, foe.id, one.id, label=f"{label}: {one.power.name}")

    return uses


def _wits_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    power = now.powers(scene, who).get(use.detail or "")
    for effect in power.effects if power is not None else ():
        if isinstance(effect, OtherPrice):
            return Cost.of(ap=effect.ap) + now.price_of(power.power)  # type: ignore[union-attr]
    return now.price_in_fight(scene, WITS[use.action][0])


async def _outwit(game: Game, who: str, use: ActionUse) -> None:
    key, _, rule = WITS[use.action]
    target = str(use.target)
    dice, _ = await assisted(game, who, key, _wits_price(game.scene, who, use)["ap"])
    if not await outwits(game, who, target, key, await _resisting(game, target, key), rule, dice=dice):
        return
    if use.action == "bluff":
        if game[target].status.ap:
            game.emit(ApChanged(who=target, amount=-1, cause=rule))
        return
    word = {"distract": "distracted", "insult": "provoked", "bully": "intimidated"}[use.action]
    held = Effect(word, end_of_next_turn(game.scene, target), by=who)
    game.emit(EffectGained(who=target, what=held, cause=rule))


MANEUVERS = (
    _disarm,
    _trip,
    _push,
    *[
        able(name.title(), WITS[name][2], (STANDS, LIVING), _wits(name), cost=_wits_price, id=name)(_outwit)
        for name in WITS
    ],
)
