"""Attacks that need only a touch, a pointing finger or a gaze, for effects of powers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tablewright.engine import Param, Process, Role, process
from tablewright.errors import IllegalActionError
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.renaissance.actions import aim
from tablewright.systems.renaissance.events.fight import Contested
from tablewright.systems.renaissance.harm import clash_rules, come_into_view, has_been_attacked
from tablewright.systems.renaissance.mechanics.clash import clash
from tablewright.systems.renaissance.mechanics.defences import Clash, Sides
from tablewright.systems.renaissance.mechanics.harm import Defence
from tablewright.systems.renaissance.now import Goal, Piece, adjacent, now, now_of
from tablewright.systems.renaissance.status import stands

THROWN = (5, 15, 30, 45)  # renaissance.ranged.throw_ranges


def pointing_range(scene: Scene, who: str, other: str) -> str | None:
    """Range category of pointing at a target, by the ranges of a throw; None beyond them."""
    apart = aim.metres(scene, who, other)
    return next((name for name, limit in zip(aim.CATEGORIES, THROWN, strict=True) if apart <= limit), None)


def near_goal(scene: Scene, who: str, target: str, *, touch: bool, category: str = "short") -> Goal:
    """The target of an attack that needs only a touch or a pointing finger.

    The better of an aptitude formula and the skills that serve (renaissance.touch.attack, renaissance.indicate.attack).
    """
    foe = scene[target]
    me, them = now_of(scene, scene[who]), now_of(scene, foe)
    rule = "renaissance.touch.attack" if touch else "renaissance.indicate.attack"
    skills = ("unarmed_combat",) if touch else aim.AIMED_SKILLS
    if _near_rule(scene, touch=touch) == "plus_coo":
        skill = "unarmed_combat" if touch else "projectile_weapons"
        coo = Piece("COO", me.numbers.figure("COO"), rule)
        best = me.skill(skill).plus([*aim.point_blank(scene, who, target, skill), coo])
    else:
        trained = [me.skill(one).plus(aim.point_blank(scene, who, target, one)) for one in skills]
        best = max([me.number("COO+REF+SOM" if touch else "COO+COO+REF"), *trained], key=lambda goal: goal.total)
        best = best.plus([Piece("a touch is enough" if touch else "pointing is enough", 20, rule)])
    more = [*aim.at_range(None if touch else category), *aim.of_target(foe, them, ranged=not touch)]
    return aim.with_rulings(scene, best.plus([*more, *aim.between(scene, who, foe)]), who, "attack", *skills)


def _near_rule(scene: Scene, *, touch: bool) -> str:
    return str(scene.options.touch_attack_rule if touch else scene.options.indicate_attack_rule)


def near_defences(scene: Scene, who: str, foe: str, *, touch: bool) -> tuple[Defence, ...]:
    """Defences against a touch or a pointing finger: those against every attack, with a penalty."""
    rule = "renaissance.touch.attack" if touch else "renaissance.indicate.attack"
    less = 30 if _near_rule(scene, touch=touch) == "plus_coo" else 20
    lessened = [Piece("hardly to be avoided", -less, rule)]
    found = aim.all_ways(scene, who, scene[foe], lessened, ranged=not touch, unarmed=True)
    daring = now(scene, foe).daring
    return tuple([Defence(name, goal.total, goal.penalties, daring) for name, goal in aim.undominated(found)])


Range = Literal["short", "medium", "long", "extreme"]


async def near_attack(game: Game, who: str, target: str, *, touch: bool, category: str = "short") -> bool:
    """An attack that needs only contact or a gaze: whether it reaches its target."""
    if not stands(game[who]):
        raise IllegalActionError(f"{game.scene.display_name(who)} cannot act", rule="renaissance.injury.damage_track")
    goal, spent = await aim.lucky_aim(
        game, who, target, lambda: near_goal(game.scene, who, target, touch=touch, category=category)
    )
    scene = game.scene
    against = near_defences(scene, who, target, touch=touch)
    luck, their_luck = min(now(scene, who).luck, aim.MOST_LUCK) - spent, min(now(scene, target).luck, aim.MOST_LUCK)
    call = clash(Sides(goal.bounded.total, against, luck, their_luck, spent=spent), clash_rules(scene))
    private = {"luck": Role.ACTOR, "their_luck": Role.OPPONENT}
    tallies = {"target": goal.tally()}
    found: Clash = await call.by(game.seat(who), game.seat(target), private=private, tallies=tallies)
    come_into_view(game, who)
    game.emit(
        Contested(
            who=who,
            against=target,
            what="touch" if touch else "point at",
            result="won" if found.hit else "lost",
            luck=found.luck,
            their_luck=found.their_luck,
            cause="renaissance.touch.attack" if touch else "renaissance.indicate.attack",
        )
    )
    has_been_attacked(game, target, by=who)
    return found.hit


@process(rules=["renaissance.touch.attack", "renaissance.touch.rule_option"])
async def touch(
    game: Game, who: Annotated[str, Param("the character who touches")], target: Annotated[str, Param("the target")]
) -> bool:
    """Try to touch a target, for an effect that needs contact; the power or the game master says what it does."""
    if not adjacent(game.scene, who, target):
        raise IllegalActionError(f"{game.scene.display_name(target)} is out of reach", rule="renaissance.touch.attack")
    return await near_attack(game, who, target, touch=True)


@process(rules=["renaissance.indicate.attack", "renaissance.indicate.rule_option"])
async def indicate(
    game: Game,
    who: Annotated[str, Param("the character who points or gazes")],
    target: Annotated[str, Param("the target")],
    category: Annotated[Range, Param("the range by the categories of the power")] = "short",
) -> bool:
    """Point or gaze at a target, for an effect that needs no more; the power or the game master says what it does."""
    return await near_attack(game, who, target, touch=False, category=category)


PROCESSES: tuple[Process[..., Any], ...] = (touch, indicate)
