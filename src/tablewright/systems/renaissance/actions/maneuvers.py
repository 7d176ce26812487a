"""Special attacks and other maneuvers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from tablewright.engine import Call, Role
from tablewright.game.character.belongings import remove_item
from tablewright.game.play.action_kinds import action, on_each
from tablewright.game.play.actions import ActionUse, each_use, needs
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect, EffectEnded, EffectGained, until_turn_of
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Participant, Scene
from tablewright.systems.renaissance.actions.aim import (
    PRIVATE,
    aim,
    attack_goal,
    can_attack,
    duel,
    guard_of,
    is_unaware,
    ranges,
    with_rulings,
)
from tablewright.systems.renaissance.actions.attack import struck
from tablewright.systems.renaissance.actions.requirements import (
    AWAKE,
    AWARE,
    QUICK,
    SPECIAL,
    STANDARD,
    able,
    awake,
    free_hands,
    prey_of,
    standard,
    targets,
)
from tablewright.systems.renaissance.actions.throw import gutter
from tablewright.systems.renaissance.character.gear import coating_of, laid_down
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF
from tablewright.systems.renaissance.content import CombatManeuver, Skill, SpecialNumber
from tablewright.systems.renaissance.events.fight import ALLOTMENT, Contested, Declared, HandsChanged, spoken
from tablewright.systems.renaissance.harm import come_into_view, has_been_attacked, settle, suffer
from tablewright.systems.renaissance.mechanics.attack import Attacked as Result
from tablewright.systems.renaissance.mechanics.luck import Contest, Contestants, Gifts, gifted_check, lucky_contest
from tablewright.systems.renaissance.now import NO_HAND, Goal, Now, Piece, adjacent, now, now_of
from tablewright.systems.renaissance.status import FEINTED, GRABBED, PRONE, Status, stands
from tablewright.systems.renaissance.values import Variable

MANEUVER, ESCAPE, RAKE = (
    "renaissance.maneuver.procedure",
    "renaissance.maneuver.grab_escape",
    "renaissance.gap.creature.attacks",
)
GRAB_SIZE = {"small": 10, "medium": 0, "large": -10}  # renaissance.size.combat
COMBAT = ("melee", "fray", "unarmed_combat")
"""Words of maneuvers for combat skills."""
CONTEST_PRIVATE = {"a_luck": Role.ACTOR, "b_luck": Role.OPPONENT}
RULES = {
    "disarmed": "renaissance.maneuver.disarm",
    "feinted": "renaissance.maneuver.feint",
    "grabbed": "renaissance.maneuver.grab",
    "prone": "renaissance.maneuver.trip",
}


def _entry(scene: Scene, use: ActionUse) -> CombatManeuver:
    return scene.library.get(CombatManeuver, str(use.detail).partition("/")[0])  # type: ignore[no-any-return]


def held_items(foe: Participant) -> list[str]:
    """Items in the hands of a participant."""
    return [one.item for one in foe.status.belongings if one.place in (MAIN, OFF, BOTH)]


def _uses(scene: Scene, who: str) -> Iterable[ActionUse]:
    if all(ALLOTMENT.short(scene, who, price) is not None for price in (QUICK, STANDARD)):
        yield from islice(_ways(scene, who), 1)  # refused, with the reason
    else:
        yield from _ways(scene, who)


_TRIED = {"feint": "Feint against {}", "grab": "Grab {}", "trip": "Trip {}"}
"""Labels of the book's maneuvers by target; maneuvers of other packs are told by their names."""


def _ways(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Every maneuver against every foe that is near enough, whatever it costs."""
    entries = scene.library.of(CombatManeuver)
    reach = max(1, now(scene, who).reach)
    for foe in targets(scene, who):
        near = why_near(scene, who, foe.id, reach)
        for entry in entries:
            if not near and (entry.skill != "deception" or not can_attack(scene, who, foe.id)):
                continue  # a feint prepares an attack: it is of use where one is possible
            name = scene.display_name(foe.id)
            if entry.result == "disarmed":
                for item in dict.fromkeys(held_items(foe)):
                    label = f"{entry.name} {name} of the {spoken(item)}"
                    yield ActionUse("maneuver", foe.id, f"{entry.id}/{item}", label)
            else:
                label = _TRIED[entry.id].format(name) if entry.id in _TRIED else f"{entry.name}: {name}"
                yield ActionUse("maneuver", foe.id, entry.id, label)


def why_near(scene: Scene, who: str, foe: str, reach: int) -> bool:
    """True if a foe is near enough for a maneuver with the weapon in hand."""
    if reach <= 1:
        return adjacent(scene, who, foe)
    refused = ranges(scene, who, foe)
    return any(not arm.ranged and refused[arm.key] is None for arm in now(scene, who).arms)


def _possible(scene: Scene, who: str, use: ActionUse) -> str | None:
    entry = _entry(scene, use)
    foe: Status = scene[str(use.target)].status
    if entry.result == "prone" and foe.has(PRONE):
        return "lies on the ground already"
    if entry.result == "grabbed":
        if foe.has(GRABBED):
            return "is held already"
        return None if free_hands(scene, who) > 0 else "no hand is free"
    return None


def _price(scene: Scene, who: str, use: ActionUse) -> Cost:
    return QUICK if _entry(scene, use).action == "quick" else STANDARD


def own_goal(scene: Scene, who: str, foe: str, entry: CombatManeuver) -> Goal:
    """Target of a maneuver: the best of the skills that it allows, with a weapon that reaches."""
    me = now(scene, who)
    if entry.skill == "melee":
        refused = ranges(scene, who, foe)
        near = [arm for arm in me.arms if not arm.ranged and refused[arm.key] is None]
        goals = [me.with_weapon(arm) for arm in near] or [me.skill("unarmed_combat")]
        best = max(goals, key=lambda goal: goal.total).plus(duel(scene, who, foe))
        return with_rulings(scene, best, who, "maneuver")
    rivals = duel(scene, who, foe) if entry.skill in COMBAT else []
    return with_rulings(scene, me.skill(entry.skill).plus(rivals), who, "maneuver", entry.skill)


def their_goal(scene: Scene, foe: str, who: str, entry: CombatManeuver) -> Goal:
    """Target of the opposing check: the better of the skills that the maneuver offers."""
    return their_answer(scene, foe, who, entry)[1]


def their_answer(scene: Scene, foe: str, who: str, entry: CombatManeuver) -> tuple[str, Goal]:
    """The same with the word for it that the maneuver has."""
    them = now(scene, foe)
    defending = [*duel(scene, foe, who), *guard_of(scene[foe].status)]
    found = [
        (word, goal.plus(defending if word in COMBAT else []))
        for word in entry.against
        for goal in _against(them, word)
    ]
    word, best = max(found, key=lambda one: one[1].total)
    return word, with_rulings(scene, best, foe, "maneuver")


def _against(them: Now, word: str) -> list[Goal]:
    if word == "melee":
        return [goal for _, goal, _ in them.parries]
    return [them.special(word) if them.library.has(SpecialNumber, word) else them.skill(word)]


def contest_call(
    scene: Scene, mine: Goal, theirs: Goal, who: str, foe: str, way: str, skills: tuple[str, str] = ("", "")
) -> Call[Contest]:
    """A contest of two in a scene, with the Luck and the gifts of both; ``skills`` are those that are used."""
    options = scene.options
    me, them = now(scene, who), now(scene, foe)
    mine, theirs = mine.bounded, theirs.bounded
    sides = Contestants(
        mine.total, theirs.total, scene[who].status.luck, scene[foe].status.luck, mine.penalties, theirs.penalties
    )
    gifts = Gifts(me.daring, them.daring, me.rolls_twice(skills[0]), them.rolls_twice(skills[1]))
    return lucky_contest(sides, way, options.luck_per_check, options.ordered_first_failure, gifts)


async def contest(
    game: Game,
    who: str,
    foe: str,
    mine: Goal,
    theirs: Goal,
    what: str,
    *,
    cause: str,
    way: str,
    skills: tuple[str, str] = ("", ""),
) -> bool:
    """Two against each other; whether the first one wins."""
    game.emit(Declared(who=who, against=foe, what=what, cause=cause))
    call = contest_call(game.scene, mine, theirs, who, foe, way, skills)
    tallies = {"a": mine.tally(), "b": theirs.tally()}
    result: Contest = await call.by(game.seat(who), game.seat(foe), tallies=tallies, private=CONTEST_PRIVATE)
    won = result.result is Variable.A_WINS
    game.emit(
        Contested(
            who=who,
            against=foe,
            what=what,
            result="won" if won else "lost",
            luck=result.a_spent,
            their_luck=result.b_spent,
            cause=cause,
        )
    )
    return won


def is_defenceless(scene: Scene, who: str, foe: str, entry: CombatManeuver) -> bool:
    """True if a target is unaware and cannot oppose with combat skills (renaissance.attack.unaware)."""
    return is_unaware(scene, who, scene[foe]) and any(word in COMBAT for word in entry.against)


async def _try_alone(game: Game, who: str, foe: str, mine: Goal, what: str, *, cause: str) -> bool:
    """A maneuver against a target that cannot defend: the check alone decides."""
    game.emit(Declared(who=who, against=foe, what=what, cause=cause))
    me = now(game.scene, who)
    call = gifted_check(mine.total, me.luck, mine.penalties, me.daring)
    result = await call.by(game.seat(who), private={"luck": Role.ACTOR}, tallies={"target": mine.tally()})
    won = bool(result.grade.succeeds)
    told = "won" if won else "lost"
    game.emit(Contested(who=who, against=foe, what=what, result=told, luck=result.spent, cause=cause))
    return won


@able("Maneuver", (MANEUVER, *RULES.values()), (AWARE, SPECIAL, each_use(_possible)), _uses, cost=_price)
async def _maneuver(game: Game, who: str, use: ActionUse) -> None:
    entry, foe = _entry(game.scene, use), str(use.target)
    cause = RULES[entry.result]
    if entry.result == "grabbed" and game.scene.options.grab_rule == "mos_over_str":
        await _grab_by_attack(game, who, foe)
        return
    mine, (answer, theirs) = own_goal(game.scene, who, foe, entry), their_answer(game.scene, foe, who, entry)
    if entry.result == "grabbed":
        mine = mine.plus(_grab_size(now(game.scene, foe).numbers.size))
    way = game.scene.options.maneuver_check
    used = [word if game.scene.library.has(Skill, word) else "" for word in (entry.skill, answer)]
    if is_defenceless(game.scene, who, foe, entry):
        won = await _try_alone(game, who, foe, mine, entry.id, cause=cause)
    else:
        won = await contest(game, who, foe, mine, theirs, entry.id, cause=cause, way=way, skills=(used[0], used[1]))
    come_into_view(game, who)
    has_been_attacked(game, foe)
    if not won or not game[foe].present:
        return
    if entry.result == "disarmed":
        _disarm(game, foe, str(use.detail).partition("/")[2], cause)
    elif entry.result == "feinted":
        until = until_turn_of(game.scene, foe)
        feinted = Effect(FEINTED, until, entry.value, by=who, source=who, stacks="apart")
        game.emit(EffectGained(who=foe, what=feinted, cause=cause))
    elif entry.result == "grabbed":
        game.emit(EffectGained(who=foe, what=Effect(GRABBED, by=who, source=who), cause=cause))
    elif not game[foe].status.has(PRONE):
        game.emit(EffectGained(who=foe, what=Effect(PRONE), cause=cause))
    settle(game)


def _disarm(game: Game, foe: str, item: str, cause: str) -> None:
    status: Status = game[foe].status
    held = next((one for one in status.belongings if one.item == item and one.place in (MAIN, OFF, BOTH)), None)
    if held is None:
        return
    left = remove_item(status.belongings, item, 1, held.place, rule=cause)
    lies = (LooseItem(item, foe, held.left, game[foe].position),)
    coating, _ = coating_of(status.coated, status.belongings, item, held.place)
    coated = laid_down(status.coated, coating) if coating else None
    what = f"drops {spoken(item)}"
    game.emit(HandsChanged(who=foe, what=what, belongings=left, lying=lies, coated=coated, cause=cause))
    gutter(game, foe, item)


async def _grab_by_attack(game: Game, who: str, foe: str) -> None:
    """The second grab rule: an unarmed attack whose margin exceeds the target's STR (renaissance.grab.mos_over_str)."""
    me = now(game.scene, who)
    hands = [one for one in me.arms if one.hand != NO_HAND]  # it takes a hand: no one grabs with a kick
    arm = next((one for one in hands if one.attack.skill == "unarmed_combat"), None)
    if arm is None:
        return
    cause = "renaissance.grab.mos_over_str"
    game.emit(Declared(who=who, against=foe, what="grab", cause=cause))
    them = now_of(game.scene, game[foe]).numbers
    aimed = aim(game.scene, who, foe, arm, holds=them.STR, ignoring=None, dares=None)
    goal = attack_goal(game.scene, who, foe, arm).plus(_grab_size(them.size))
    call = aimed.call.with_arguments(target=goal.bounded.total, penalties=goal.bounded.penalties)
    tallies = aimed.tallies | {"target": goal.tally()}
    result: Result = await call.by(game.seat(who), game.seat(foe), tallies=tallies, private=PRIVATE)
    await struck(game, who, foe, arm, result, cause=cause, volley="")
    if result.holds and game[foe].present:
        game.emit(EffectGained(who=foe, what=Effect(GRABBED, by=who, source=who), cause=cause))


def _grab_size(size: str) -> list[Piece]:
    """Modifier for grabbing a target of a size."""
    return [Piece(f"{size} target", GRAB_SIZE[size], "renaissance.size.combat")] if GRAB_SIZE[size] else []


# ---------------------------------------------------------------------- held and holding


_HELD = needs(lambda scene, who: scene[who].status.has(GRABBED), "not grabbed")


@awake("Break free", ESCAPE, (_HELD,), cost=STANDARD)
async def _escape(game: Game, who: str, use: ActionUse) -> None:
    held = game[who].status.held(GRABBED)
    if held is None:
        return
    me, them = now(game.scene, who), now(game.scene, held.by)
    wrestling = me.skill("unarmed_combat").plus(duel(game.scene, who, held.by))
    mine = max(wrestling, me.number("STR+SOM"), key=lambda goal: goal.total)
    theirs = them.skill("unarmed_combat").plus(duel(game.scene, held.by, who))
    won = await contest(game, who, held.by, mine, theirs, "break free", cause=ESCAPE, way="opposed")
    still = game[who].status.held(GRABBED)
    if won and still is not None:
        game.emit(EffectEnded(who=who, what=still, cause=ESCAPE))


@action("Let go", "renaissance.gap.state.grabbed", (AWAKE,), on_each(prey_of, "Let go of {}"), "nothing")
async def _let_go(game: Game, who: str, use: ActionUse) -> None:
    for held in game[str(use.target)].status.lasting:
        if held.id == GRABBED and held.by == who:
            game.emit(EffectEnded(who=str(use.target), what=held, cause="renaissance.gap.state.grabbed"))
            return


_RAKES = needs(
    lambda scene, who: any(arm.weapon.rake is not None for arm in now(scene, who).arms), "has no claws for it"
)


@standard("Rake", RAKE, (_RAKES,), on_each(prey_of, "Rake {}"))
async def _rake(game: Game, who: str, use: ActionUse) -> None:
    """Claws into a prey that is held: no check (renaissance.gap.creature.attacks)."""
    arm = next((one for one in now(game.scene, who).arms if one.weapon.rake is not None), None)
    if arm is not None and arm.weapon.rake is not None and stands(game[str(use.target)]):
        claws = f"{game.scene.display_name(who)}'s claws"
        await suffer(game, str(use.target), arm.weapon.rake, claws, cause=RAKE, armor=True, doer=who)
        settle(game)


MANEUVERS = (_maneuver, _escape, _let_go, _rake)
