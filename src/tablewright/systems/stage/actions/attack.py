"""Attack actions: declaration, reactions, the roll and its consequences."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine.tally import Part
from tablewright.game.ground.bands import Together
from tablewright.game.ground.position import Position
from tablewright.game.play.actions import ActionUse, each_use
from tablewright.game.play.common_events import Moved
from tablewright.game.play.costs import Cost
from tablewright.game.play.movement import has_place
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.stage.actions import aim
from tablewright.systems.stage.actions.move import AFOOT, move_ap
from tablewright.systems.stage.actions.requirements import (
    AP,
    EXPOSED,
    LIVING,
    STANDS,
    TO_BE_HIT,
    able,
    beside,
    foes,
    foes_beside,
    two_ap,
)
from tablewright.systems.stage.actions.strike import STRIKES, arm_to_strike, strike, sweep
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.effects import Permit
from tablewright.systems.stage.events.turn import CameBeside
from tablewright.systems.stage.now import Arm, arms, distance, out_of_sight, powers, price_in_fight
from tablewright.systems.stage.status import adjacent, most

GRAPPLE = "stage.brawl.grapple"

# ---------------------------------------------------------------------- doing it


@able(
    "Attack",
    ("stage.attack.procedure", "stage.attack.offensive", "stage.close_combat.attack", "stage.brawl.attack"),
    (TO_BE_HIT, aim.REACH, EXPOSED, aim.LOADED, aim.RATING, aim.TWO_WEAPONS),
    aim.uses_of("attack"),
    aim.price_words,
    cost=aim.attack_price,
    price_rule=AP,
)
async def _attack(game: Game, who: str, use: ActionUse) -> None:
    way = aim.way_of(game.scene, who, use)
    if way is None:
        return
    way = way._replace(ap=aim.attack_price(game.scene, who, use)["ap"])
    everybody = False
    if way.power is not None:
        for effect in way.power.effects:
            if isinstance(effect, Permit) and effect.what == "attack_all_in_reach":
                everybody = True
            elif isinstance(effect, Permit) and effect.what == "two_weapons":
                second = aim.second_arm(game.scene, who, way.arm)
                rule = "stage.power_effect.attack_form"
                penalty = Part(way.power.power.name, -effect.penalty_flat, rule, "penalty")
                way = way._replace(second=second, extra=(penalty,))
        chosen = aim.split_detail(use.detail)[1].partition("=")[2]
        if chosen in ("mind", "soul"):
            way = way._replace(attribute=chosen)  # type: ignore[arg-type]
    if everybody:
        near = [one.id for one in game.scene.participants if one.id != who and adjacent(game.scene, who, one.id)]
        seen = [one for one in near if not out_of_sight(game.scene, one, who)]
        reached = [one for one in seen if game[one].present and game[one].status.able]
        await sweep(game, who, reached, way, "stage.power_effect.attack_form")
        return
    await strike(game, who, str(use.target), way, "stage.attack.procedure")


# ---------------------------------------------------------------------- special attacks


def _power_dice(scene: Scene, who: str, arm: Arm) -> Part:
    """Dice of a charge: the speed score, at most the skill level (stage.attack.charge)."""
    level = scene[who].character.level(arm.key.partition(".")[0])
    return Part("power attack", min(most(scene, who).speed, level), "stage.attack.charge", "mundane")


@two_ap(
    "Power attack",
    ("stage.attack.charge", "stage.attack.special"),
    (TO_BE_HIT, aim.REACH, EXPOSED, aim.RATING),
    aim.uses_of("power_attack"),
)
async def _power_attack(game: Game, who: str, use: ActionUse) -> None:
    way = aim.way_of(game.scene, who, use)
    if way is not None:
        extra = (_power_dice(game.scene, who, way.arm),)
        special = way._replace(extra=extra, moments=("hit", "charge_hit"), ap=2)
        await strike(game, who, str(use.target), special, "stage.attack.charge")


@cached_on_scene
def charge_cubes(scene: Scene, who: str) -> int:
    """Reach of a charge in cubes: the speed score, and additions of powers."""
    one = scene[who]
    more = 0
    for power in powers(scene, who).values():
        for effect in power.effects:
            if getattr(effect, "on", ()) == ("charge_cubes",):
                more += effect.amount.flat  # type: ignore[union-attr]
    return figures(one.character, scene.options, scene.library).speed + more


def _charge_way(scene: Scene, who: str, use: ActionUse) -> str | None:
    """A straight way to the target that nothing slows."""
    here, there = scene[who].position, scene[str(use.target)].position
    if here is None or there is None or isinstance(scene.ground, Together):
        return "there is no way to go" if adjacent(scene, who, str(use.target)) else None
    if scene[who].status.stance != "standing":
        return f"{scene[who].status.stance}"
    if adjacent(scene, who, str(use.target)):
        return "adjacent already: that is a power attack"
    far = distance(scene, who, str(use.target))
    if far > charge_cubes(scene, who):
        return f"{scene.display_name(str(use.target))} is {far} cubes away, too far for a charge"
    if move_ap(scene, who) > 1:
        return "nothing is fast here"
    slowed = dict(getattr(scene.ground, "difficult", ()))
    line: tuple[Position, ...] = scene.ground.line(here, there)
    walls = getattr(scene.ground, "blocked", ())
    if any(at in slowed or at in walls for at in line):
        return "the ground is difficult"
    return "held in place" if scene[who].status.held("held") is not None else None


def _charges(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Targets of a charge; if there are none, one who cannot be charged, to say why not."""
    for foe in charged_at(scene, who) or foes(scene, who)[:1]:
        for detail, way in aim.ways_of(scene, who, "charge"):
            yield aim.use_of(scene, "charge", way, detail, foe.id)


@two_ap("Charge", "stage.attack.charge", (STANDS, AFOOT, each_use(_charge_way), EXPOSED, aim.RATING), _charges)
async def _charge(game: Game, who: str, use: ActionUse) -> None:
    target = str(use.target)
    there = game[target].position
    if there is not None and game[who].position != there:
        game.emit(Moved(who=who, position=there, cause="stage.attack.charge"))
    game.emit(CameBeside(who=who, others=(target,), cause="stage.attack.charge"))
    await _power_attack.perform(game, who, use)


@two_ap("Snipe", "stage.attack.snipe", (TO_BE_HIT, aim.REACH, EXPOSED, aim.LOADED, aim.RATING), aim.uses_of("snipe"))
async def _snipe(game: Game, who: str, use: ActionUse) -> None:
    way = aim.way_of(game.scene, who, use)
    if way is not None:
        extra = (Part("snipe", 1, "stage.attack.snipe", "mundane"),)
        special = way._replace(extra=extra, moments=("hit", "snipe_hit"), ap=2)
        await strike(game, who, str(use.target), special, "stage.attack.snipe")


@able(
    "Subdue",
    ("stage.attack.non_lethal", "stage.attack.non_lethal_rules"),
    (STANDS, LIVING, aim.REACH, EXPOSED, aim.RATING),
    aim.uses_of("non_lethal"),
    cost=aim.price_to_subdue,
    price_rule="stage.attack.non_lethal_rules",
)
async def _non_lethal(game: Game, who: str, use: ActionUse) -> None:
    way = aim.way_of(game.scene, who, use)
    if way is not None:
        special = way._replace(bonus=False, non_lethal=True, ap=aim.price_to_subdue(game.scene, who, use)["ap"])
        await strike(game, who, str(use.target), special, "stage.attack.non_lethal")


def _grapple_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    return price_in_fight(scene, "brawl.grapple")


def _grapples(scene: Scene, who: str) -> Iterator[ActionUse]:
    for foe in foes_beside(scene, who):
        yield ActionUse("grapple", foe.id, label=f"Grapple {scene.display_name(foe.id)}")
        if has_place(scene, who):
            yield ActionUse("grapple", foe.id, "carry", label=f"Grapple {scene.display_name(foe.id)} and carry it off")


@beside("Grapple", GRAPPLE, uses=_grapples, cost=_grapple_price, price_rule=GRAPPLE)
async def _grapple(game: Game, who: str, use: ActionUse) -> None:
    """A hold and damage; or the victim is carried off instead of hurt, as was said beforehand."""
    scene = game.scene
    arm = next((one for one in arms(scene, who) if one.key == "brawl.attack"), None)
    if arm is None:
        return
    way = aim.Way(arm._replace(key="brawl.grapple"), held=True, ap=_grapple_price(scene, who, use)["ap"])
    await strike(game, who, str(use.target), way._replace(carries=use.detail == "carry"), GRAPPLE)


def charged_at(scene: Scene, who: str) -> list[Participant]:
    """Foes that are near enough for a charge, and not beside the character already."""
    far = charge_cubes(scene, who)
    return [foe for foe in foes(scene, who) if not adjacent(scene, who, foe.id) and distance(scene, who, foe.id) <= far]


ATTACK_ACTIONS = (_attack, _power_attack, _charge, _snipe, _non_lethal, _grapple)


async def _strike_back(game: Game, who: str, target: str) -> None:
    """The power Counter: one plain attack with what is at hand, in melee."""
    arm = arm_to_strike(game.scene, who)
    if arm is not None:
        await strike(game, who, target, aim.Way(arm, ap=0), "stage.power_effect.dodge_extra")


STRIKES.append(_strike_back)
