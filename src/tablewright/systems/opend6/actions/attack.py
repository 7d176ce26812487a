"""Attack actions: declaration, reactions, the roll and its consequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tablewright.engine import choose
from tablewright.game.character.belongings import count_of, remove_item
from tablewright.game.content.library import Library
from tablewright.game.play.actions import Action, ActionUse, Refusal, Requirement, each_use, of_target
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.play.targeting import distance
from tablewright.game.scene.caching import cached_by_identity, cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.opend6.actions.aim import (
    Attack,
    aim_call,
    attack_call,
    band,
    bands_at,
    cannot_be_hit,
    deal_call,
    planned,
    reaches,
)
from tablewright.systems.opend6.actions.maneuvers import after_hit, after_miss, at_stake
from tablewright.systems.opend6.actions.requirements import (
    ACTING,
    HANDS,
    LEGS,
    LISTED,
    WHOLE_ROUND,
    apart,
    fallen,
    held_by,
    offer_fate,
)
from tablewright.systems.opend6.chapters.points import fate_of, note_use
from tablewright.systems.opend6.character.figures import figures, items
from tablewright.systems.opend6.character.gear import (
    SIZES,
    Arm,
    Manner,
    arm_of,
    arms_by_id,
    can_pin,
    is_any_arm,
    is_bare_hand,
    is_blade,
    is_blunt,
    is_edged,
    is_fist,
    is_held,
    is_pointed,
    is_shot,
    is_thrown,
    is_whip,
    size_of,
    skill_of,
)
from tablewright.systems.opend6.character.record import HAND
from tablewright.systems.opend6.character.record import HANDS as BOTH
from tablewright.systems.opend6.content import Location, Manoeuvre, Weapon
from tablewright.systems.opend6.events.attack import Defended, RangeRolled, Struck, Swung, Unbalanced, manner_in_words
from tablewright.systems.opend6.harm import settle
from tablewright.systems.opend6.mechanics.attack import Dealt, deepen
from tablewright.systems.opend6.mechanics.blows import Struck as Result
from tablewright.systems.opend6.mechanics.blows import short_by
from tablewright.systems.opend6.mechanics.checks import total
from tablewright.systems.opend6.mechanics.points import Aimed, Mended
from tablewright.systems.opend6.now import (
    OWN_FATE,
    OWN_LEFT,
    OWN_POINTS,
    better,
    complicate,
    left_after,
    let_interrupt,
    mended,
    prepared_for,
    resisted,
    rolled,
    seen_by,
    terms,
    waiters,
    why_not,
)
from tablewright.systems.opend6.status import Defence, Status, Swing, fight, is_here, level, stands, uses_points
from tablewright.systems.opend6.values import DieCode, lower_first

HIT, RANGE, RELOAD = "opend6.gap.attack.hit", "opend6.gap.range.bands", "opend6.gap.weapon.reload"
REPEATED, COVER = "opend6.map.equipment_limit", "opend6.gap.cover.list"
INTERRUPT, STRONGER = "opend6.turn.interrupt", "opend6.gap.manoeuvre.limits"
ONE_ACTION = "1 action"


class Kind(NamedTuple):
    """An attack of the list: which arms it is made with, and by which manoeuvre."""

    id: str
    title: str
    fits: Callable[[Arm], bool]
    manoeuvre: str = ""
    rules: tuple[str, ...] = ()
    more: tuple[Requirement, ...] = ()
    plain: bool = False
    """True for a plain blow or shot, which can also be aimed at fallen characters."""

    def uses(self, scene: Scene, who: str) -> Sequence[ActionUse]:
        """Every way to make it, legal or not."""
        return candidates(scene, who).get(self.id, ())


_Foes: TypeAlias = tuple[tuple[str, str, tuple[str | None, ...]], ...]
"""Foes by id and name, with the range bands of their distance."""


@cached_on_scene
def candidates(scene: Scene, who: str) -> Mapping[str, list[ActionUse]]:
    """Every target with every arm that fits; of those out of reach only one, so that the reason can be seen."""
    mine, library = arms_by_id(scene, who), scene.library
    away = [(foe.id, distance(scene, who, foe.id)) for foe in fallen(scene, who)]
    foes = tuple([(foe.id, scene.display_name(foe.id), bands_at(scene, who, far)) for foe, far in apart(scene, who)])
    down = tuple([(foe, scene.display_name(foe), bands_at(scene, who, far)) for foe, far in away])
    return _uses_against(mine, library, foes, down)


@cached_by_identity
def _uses_against(mine: Mapping[str, Arm], library: Library, foes: _Foes, down: _Foes) -> dict[str, list[ActionUse]]:
    found: dict[str, list[ActionUse]] = {}
    for at, arm, kind, _ in ways_with(mine, library):
        near = [foe for foe in foes if foe[2][at]] or foes[:1]
        near = [*near, *[foe for foe in down if kind.plain and foe[2][at]]]
        found.setdefault(kind.id, []).extend([use_of(kind, arm.weapon, foe, name) for foe, name, _ in near])
    return found


@cached_by_identity
def ways_with(mine: Mapping[str, Arm], library: Library) -> Sequence[tuple[int, Arm, Kind, str]]:
    """Attacks that can be made with some arms, each with its place among the bands of a distance (`bands_at`), and the
    detail of its uses.

    What is done with any weapon is offered with bare hands to those who have none.
    """
    farther = reaches(library)
    found: list[tuple[int, Arm, Kind, str]] = []
    pins = any(can_pin(arm) for arm in mine.values() if not is_bare_hand(arm))
    spared = (is_any_arm, is_held, *([can_pin] if pins else []))
    for place, arm in enumerate(mine.values()):
        armed = is_bare_hand(arm) and len(mine) > 1
        kinds = [kind for kind in KINDS if kind.fits(arm) and not (armed and kind.fits in spared)]
        at = [len(farther) * place + farther.index(_extra_cm(library, kind.manoeuvre)) for kind in kinds]
        manners = [str(Manner(arm.weapon.id, kind.manoeuvre)) for kind in kinds]
        found += [(number, arm, kind, manner) for number, kind, manner in zip(at, kinds, manners, strict=True)]
    return found


AT = dict.fromkeys(("slash", "shoot", "throw", "sweep", "lunge"), " at") | {"called_shot": " of", "pin_part": " of"}


def use_of(kind: Kind, weapon: Weapon, foe: str, name: str) -> ActionUse:
    thing = lower_first(weapon.name)
    if kind.id == "throw" and not weapon.ammunition:
        label = f"Throw the {thing} at {name}"
    elif kind.id == "punch" and weapon.id != "unarmed":
        label = f"Attack {name} with the {thing}"
    else:
        with_it = "" if weapon.id == "unarmed" else f" with the {thing}"
        label = f"{kind.title}{AT.get(kind.id, '')} {name}{with_it}"
    return ActionUse(kind.id, foe, f"{weapon.id}/{kind.manoeuvre}" if kind.manoeuvre else weapon.id, label, ONE_ACTION)


# ---------------------------------------------------------------------- what must be so


def _feasible(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    """Refusal of an attack whose weapon is not ready, does not reach the target, or cannot be rolled for."""
    manner = Manner.parse(str(use.detail))
    refused = unready(scene, who, manner.weapon)
    if refused is None:
        extra_cm = _extra_cm(scene.library, manner.manoeuvre) if manner.manoeuvre else 0
        refused = _out_of_range(scene, who, str(use.target), manner.weapon, extra_cm)
    if refused is None:
        status: Status = scene[who].status
        aimed = status.aim if status.aim_at == use.target else 0
        refused = _cannot_roll(scene, who, manner.weapon, manner.manoeuvre, aimed)
    return refused


@cached_on_scene
def unready(scene: Scene, who: str, named: str) -> Refusal | None:
    """Refusal of any attack with a weapon that cannot be used now."""
    arm = arm_of(scene, who, named)
    if arm is None:
        return Refusal(f"the {named.replace('_', ' ')} is not in hand", RELOAD)
    status: Status = scene[who].status
    weapon = arm.weapon
    if weapon.id in status.unloaded:
        return Refusal(f"{weapon.name} has to be readied first", RELOAD)
    if weapon.reload == "separate_round" and weapon.id in status.loaded:
        return Refusal(f"{weapon.name} cannot be shot in the round in which it was loaded", RELOAD)
    if weapon.uses_per_round is not None and status.fired.count(weapon.id) >= weapon.uses_per_round:
        return Refusal(f"{weapon.name} cannot be used again in this round", REPEATED)
    if weapon.ammunition and not count_of(status.belongings, weapon.ammunition):
        return Refusal(f"nothing is left to shoot with {weapon.name}", RELOAD)
    return None


def _extra_cm(library: Library, manoeuvre: str) -> int:
    """Reach of a manoeuvre beyond that of the weapon, in centimetres."""
    return library.get(Manoeuvre, manoeuvre).reach_cm if library.has(Manoeuvre, manoeuvre) else 0


@cached_on_scene
def _out_of_range(scene: Scene, who: str, target: str, named: str, extra_cm: int) -> Refusal | None:
    weapon = arms_by_id(scene, who)[named].weapon
    if band(scene, who, target, weapon, extra_cm) is None:
        reach = "reach" if weapon.natural or named == "unarmed" else f"reach of the {lower_first(weapon.name)}"
        return Refusal(f"{scene.display_name(target)} is out of {reach}", RANGE)
    if cannot_be_hit(scene, who, target):
        return Refusal(f"{scene.display_name(target)} is wholly behind cover", COVER)
    return None


@cached_on_scene
def _cannot_roll(scene: Scene, who: str, named: str, manoeuvre: str, aimed: int) -> Refusal | None:
    arm = arms_by_id(scene, who)[named]
    skill = skill_of(arm.weapon, Manner(named, manoeuvre))
    more = DieCode(aimed) if arm.weapon.ranges is not None else prepared_for(scene, who)
    found = why_not(scene, who, skill, arm.weapon, outside=more)
    return None if found is None else Refusal(found.reason, found.rule)


def _not_stronger(scene: Scene, who: str, use: ActionUse) -> str | None:
    manner = Manner.parse(str(use.detail))
    if not scene.library.has(Manoeuvre, manner.manoeuvre):
        return None
    if not scene.library.get(Manoeuvre, manner.manoeuvre).not_stronger:
        return None
    mine = figures(scene[who].character, scene.library).codes["physique"].in_pips
    theirs = figures(scene[str(use.target)].character, scene.library).codes["physique"].in_pips
    return f"{scene.display_name(str(use.target))} is stronger" if theirs > mine else None


def _has_something(scene: Scene, target: str) -> bool:
    return any(one.place in (HAND, BOTH) for one in scene[target].status.belongings)


def _free_arm(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    """Refusal for an item in hand while the arm is held."""
    arm = arm_of(scene, who, Manner.parse(str(use.detail)).weapon)
    return held_by(scene, who, "arm") if arm is not None and arm.held else None


FEASIBLE = each_use(_feasible, RELOAD)
FREE_ARM = each_use(_free_arm, "opend6.action.grab")
NOT_STRONGER = each_use(_not_stronger, STRONGER)
UPRIGHT = of_target(
    lambda scene, target: scene[target].status.posture != "prone", "{} is on the ground already", STRONGER
)
UNHELD = of_target(lambda scene, target: scene[target].status.grip is None, "{} is held already", "opend6.action.grab")
ARMED = of_target(_has_something, "{} has nothing in hand", "opend6.action.disarm")


# ---------------------------------------------------------------------- an attack is made


async def strike(game: Game, who: str, use: ActionUse) -> None:
    """Resolve an attack from the roll to the damage; without choices in between it is one mechanic."""
    manner = Manner.parse(str(use.detail))
    target = str(use.target)
    if places_to_aim_at(game.scene, manner, target) and not manner.at:
        manner = await _aimed_at(game, who, manner, target)
    await offer_fate(game, target, who)
    await _free_defence(game, who, target)
    arm = arm_of(game.scene, who, manner.weapon)
    if arm is None or not is_here(game.scene, target) or not stands(game[who]):
        return
    reaches = await _reaches(game, who, target, arm)
    if not is_here(game.scene, who, target):
        return
    if not reaches:
        now = level(game.scene, target)
        await declare(game, planned(game.scene, who, target, arm.weapon, manner), Result(False, now))
        return
    scene = game.scene
    plan = planned(scene, who, target, arm.weapon, manner)
    me, them = scene[who], scene[target]
    if decided(scene, plan):
        call = attack_call(scene, plan)
        tallies = {"difficulty": plan.difficulty, "penalty": plan.penalty}
        result: Result = await call.by(me.seat, them.seat, audience=seen_by(me), tallies=tallies)
        if is_here(game.scene, who, target):
            await declare(game, plan, result)
        return
    game.emit(Swung(who=who, target=target, how=manner_in_words(*manner), cause=HIT))
    aimed, more = await roll_to_hit(game, plan)
    if not is_here(game.scene, who, target):
        return
    if waiters(game.scene, who):
        swing = Swing(who, use.action, target, str(manner), aimed.total, aimed.complication, more)
        game.emit(Swung(who=who, target=target, swing=swing, cause=INTERRUPT))
        await go_on(game)
        return
    await _land(game, plan, aimed.total, aimed.complication, more)


async def _reaches(game: Game, who: str, target: str, arm: Arm) -> bool:
    """True if a throw with a rolled range reaches the target; the roll sets its range bands.

    [opend6.gap.range.physique]
    """
    ranges = arm.weapon.ranges
    if ranges is None or not ranges.physique or game.scene.options.thrown_range != "rolled":
        return True
    skill = better(game.scene, who, ("physique", "lifting"))
    far = distance(game.scene, who, target) - ranges.long
    found = await rolled(game, who, skill, max(1, far))
    if not is_here(game.scene, who, target):
        return False
    game.emit(RangeRolled(who=who, metres=max(1, found.total), cause="opend6.gap.range.physique"))
    return found.total >= far


def decided(scene: Scene, plan: Attack) -> bool:
    """True if there is nothing to choose in an attack and no one may come between."""
    for who in (plan.who, plan.target):
        status: Status = scene[who].status
        points = status.points if terms(scene).may_add_points(0, status.climactic) else 0
        if points or (fate_of(scene, who) and terms(scene).may_add_fate(status.climactic)):
            return False
    return settled(scene, plan)


def settled(scene: Scene, plan: Attack) -> bool:
    """True if an attack can be rolled without points, and no one may come between."""
    rolled = plan.throw.rolled(0, scene[plan.who].status.climactic, terms(scene))
    return rolled is not None and scene.options.critical_failure != "ask" and not waiters(scene, plan.who)


async def _aimed_at(game: Game, who: str, manner: Manner, target: str) -> Manner:
    """Ask for the target of a called shot, if there are several."""
    places = places_to_aim_at(game.scene, manner, target)
    if len(places) == 1:
        return manner._replace(at=places[0])
    at = await choose(game.seat(who), "aim at what?", places, details={"who": who})
    return manner._replace(at=at)


def places_to_aim_at(scene: Scene, manner: Manner, target: str) -> list[str]:
    """Targets of a called shot: parts of the body where the table has them, otherwise sizes; empty for other attacks.

    What is knocked out of a hand has the size that it has. [opend6.gap.manoeuvre.disarm]
    """
    if manner.manoeuvre == "disarm":
        lost = at_stake(scene, target)
        return [] if lost is None else [size_of(items(scene.library).get(lost.item))]
    if manner.manoeuvre not in ("called", "pin_part"):
        return []
    if scene.options.hit_locations and manner.manoeuvre == "called":
        return [one.id for one in scene.library.of(Location) if one.id != "torso"]
    return [size for size, harder in SIZES.items() if harder]


async def _free_defence(game: Game, who: str, target: str) -> None:
    """The game master may grant a partial defence as a free action. [opend6.gap.defence.free_partial]"""
    scene = game.scene
    if scene.options.free_partial != "ask" or not is_here(scene, target) or not stands(scene[target]):
        return
    if scene[target].status.defence is not None:
        return
    about = {"who": target, "rule": "opend6.gap.defence.free_partial"}
    question = f"may {scene.display_name(target)} dodge for free?"
    granted = await choose(GAME_MASTER, question, ["no", "yes"], details=about) == "yes"
    if granted and is_here(game.scene, target) and why_not(game.scene, target, "dodge") is None:
        found = await rolled(game, target, "dodge", 12, pays=False)
        if not is_here(game.scene, target):
            return
        defence = Defence(max(3, found.total), "dodge")
        game.emit(
            Defended(
                who=target,
                defence=defence,
                points=found.points,
                fate=found.fate,
                actions=0,
                cause="opend6.gap.defence.free_partial",
            )
        )


async def roll_to_hit(game: Game, plan: Attack) -> tuple[Aimed, int]:
    """The attack roll and the roll for its difficulty; points spent on it are paid at once."""
    scene = game.scene
    me = scene[plan.who]
    more = 0
    if not plan.possible(scene):
        return Aimed(0, False), 0
    if plan.against.harder or plan.against.easier:
        more = await _rolled_modifiers(game, plan)
    assumed = plan.against.total(more)
    tallies = {"assumed": plan.difficulty, "penalty": plan.penalty}
    call = aim_call(scene, plan, assumed)
    found: Aimed = await call.by(me.seat, private=OWN_POINTS, audience=seen_by(me), tallies=tallies)
    found = await mended(game, plan.who, found, assumed)
    if is_here(game.scene, plan.who) and (found.points or found.fate):
        game.emit(Swung(who=plan.who, points=found.points, fate=found.fate, cause="opend6.cp.spent_and_earned"))
    return found, more


async def _rolled_modifiers(game: Game, plan: Attack) -> int:
    """Modifiers that the table rolls. [opend6.gap.attack.modifier_style]"""
    more = 0
    for sign, dice in ((1, plan.against.harder), (-1, plan.against.easier)):
        if dice:
            more += sign * await total(DieCode(dice)).by(GAME_MASTER)
    return more


async def go_on(game: Game) -> None:
    """An attack whose roll is made: the one who has waited may interrupt it, then its result is declared."""
    under_way = fight(game.scene).swing
    if under_way is None:
        return
    await let_interrupt(game, under_way.who, goes_on=lambda scene: fight(scene).swing == under_way)
    swing = fight(game.scene).swing
    if swing is None or swing != under_way:
        return
    manner = Manner.parse(swing.detail)
    arm = arm_of(game.scene, swing.who, manner.weapon)
    if arm is None or not stands(game[swing.who]) or not is_here(game.scene, swing.target):
        _come_to_nothing(game, swing.who)
        return
    plan = planned(game.scene, swing.who, swing.target, arm.weapon, manner)
    await _land(game, plan, swing.total, swing.complication, swing.more)


def _come_to_nothing(game: Game, who: str) -> None:
    """End an attack after its roll without a result, if one is open."""
    for swing in fight(game.scene).swings:
        if swing.who == who:
            game.emit(Swung(who=swing.who, target=swing.target, cause=INTERRUPT))


async def _land(game: Game, plan: Attack, aimed: int, complication: bool, more: int) -> None:
    """The result of an attack roll against the difficulty as it is now, with damage and resistance."""
    over = aimed - plan.against.total(more)
    if over < 0:
        await declare(game, plan, missed(game.scene, plan, over, complication))
        return
    me = game[plan.who]
    call = deal_call(game.scene, plan, plan.blow.extra(over))
    dealt: Dealt = await call.by(me.seat, private=OWN_FATE, audience=seen_by(me))
    raised = Mended()
    left = left_after(game.scene, plan.who, dealt.fate)
    if left > 0:
        raised = await deepen(left).by(me.seat, private=OWN_LEFT, audience=seen_by(me))
    result = await met(game, plan, dealt.total + raised.gain, complication)
    if result is None:
        _come_to_nothing(game, plan.who)
        return
    await declare(game, plan, result._replace(points=raised.points, fate=dealt.fate))


def missed(scene: Scene, plan: Attack, over: int, complication: bool) -> Result:
    """Result of an attack roll that is below its difficulty."""
    return Result(False, level(scene, plan.target), complication=complication, short=short_by(over, complication))


async def met(game: Game, plan: Attack, total: int, complication: bool) -> Result | None:
    """Result of a hit with this damage, which the target resists; None if one of the two is gone."""
    if not is_here(game.scene, plan.who, plan.target):
        return None
    damage = plan.blow.dealt(total)
    if plan.blow.harmless:
        return Result(True, level(game.scene, plan.target), 0, damage, complication=complication)
    kept = await resisted(game, plan.target, damage, plan.protection, stun=plan.blow.stun)
    if not is_here(game.scene, plan.who, plan.target):
        return None
    loss = kept.over if plan.blow.stun or uses_points(game.scene) else 0
    return Result(True, kept.level, loss, 0, 0, 0, kept.points, kept.fate, complication)


async def declare(game: Game, plan: Attack, result: Result) -> None:
    """Record the result of an attack and apply its consequences."""
    weapon, manner = plan.weapon, plan.manner
    manoeuvre, library, stun = manner.manoeuvre, game.scene.library, weapon.stun
    whole = library.has(Manoeuvre, manoeuvre) and library.get(Manoeuvre, manoeuvre).whole_round
    loses = game[plan.who].status.unbalanced and plan.skill in ("fighting", "melee_combat")
    game.emit(
        Struck(
            who=plan.target,
            by=plan.who,
            hit=result.hit,
            level="healthy" if uses_points(game.scene) else result.level,
            harm=bool(result.loss) or result.level != level(game.scene, plan.target),
            loss=0 if stun else result.loss,
            damage=result.damage,
            stunned=result.loss if stun else 0,
            points=result.points,
            fate=result.fate,
            their_points=result.their_points,
            their_fate=result.their_fate,
            actions=max(1, game[plan.who].status.left) if whole else 1,
            manoeuvre=manner.manoeuvre,
            weapon=weapon.id,
            at=manner.at,
            shot=weapon.ranges is not None,
            spends=weapon.ranges is not None and weapon.reload != "none",
            cause=HIT,
        )
    )
    note_use(game, plan.who, plan.skill)
    if loses:
        game.emit(Unbalanced(who=plan.who, cause="opend6.gap.manoeuvre.list"))
    if weapon.ranges is not None:
        _use_up(game, plan)
    if result.complication:
        await complicate(game, plan.who, -result.short)
    if result.hit:
        await after_hit(game, plan, result)
        if is_here(game.scene, plan.target) and (result.loss or result.level != "healthy"):
            await settle(game, plan.target, 0 if stun else result.loss, result.loss if stun else 0)
    else:
        await after_miss(game, plan)


def _use_up(game: Game, plan: Attack) -> None:
    """Use up a missile, or let a thrown weapon lie until it is taken up."""
    mine, weapon = game[plan.who].belongings, plan.weapon
    if weapon.ammunition:
        if count_of(mine, weapon.ammunition):
            left = remove_item(mine, weapon.ammunition, 1, rule=RELOAD)
            what = f"shoots {weapon.ammunition.replace('_', ' ')}"
            game.emit(BelongingsChanged(who=plan.who, what=what, belongings=left, cause=RELOAD))
    elif count_of(mine, weapon.id, HAND) or count_of(mine, weapon.id, BOTH):
        place = HAND if count_of(mine, weapon.id, HAND) else BOTH
        left = remove_item(mine, weapon.id, 1, place=place, rule=RELOAD)
        lies = LooseItem(weapon.id, plan.who, position=game[plan.target].position)
        what = f"throws {weapon.name}"
        game.emit(BelongingsChanged(who=plan.who, what=what, belongings=left, laid_down=(lies,), cause=RELOAD))


# ---------------------------------------------------------------------- the list


MANOEUVRES = "opend6.gap.manoeuvre.list"
CALLED, DISARMING = "opend6.gap.attack.called_shot", "opend6.gap.manoeuvre.disarm"
PINNING = "opend6.gap.manoeuvre.pinning"
KINDS = (
    Kind("slash", "Slash or stab", is_edged, more=(HANDS,), plain=True),
    Kind("bash", "Bash", is_blunt, more=(HANDS,), plain=True),
    Kind("flat", "Hit with the flat of the blade", is_blade, "flat", ("opend6.gap.weapon.flat",), more=(HANDS,)),
    Kind("punch", "Punch", is_fist, plain=True),
    Kind("kick", "Kick", is_bare_hand, more=(LEGS,), plain=True),
    Kind("shoot", "Shoot", is_shot, more=(HANDS,), plain=True),
    Kind("throw", "Throw", is_thrown, more=(HANDS,), plain=True),
    Kind("all_out", "Attack all out", is_held, "all_out", (MANOEUVRES,), more=(WHOLE_ROUND, FREE_ARM)),
    Kind("sweep", "Sweep", is_held, "sweep", (MANOEUVRES,), more=(FREE_ARM,)),
    Kind("lunge", "Lunge", is_pointed, "lunge", (MANOEUVRES,), more=(HANDS,)),
    Kind("called_shot", "Aim at a part", is_any_arm, "called", (CALLED,), more=(FREE_ARM,)),
    Kind("grab", "Grab and hold", is_bare_hand, "hold", ("opend6.action.grab", MANOEUVRES), more=(UNHELD,)),
    Kind("choke", "Grab and choke", is_bare_hand, "choke", (MANOEUVRES,), more=(UNHELD,)),
    Kind("flip", "Grab and flip", is_bare_hand, "flip", (MANOEUVRES,), more=(UPRIGHT,)),
    Kind("tackle", "Tackle", is_fist, "tackle", ("opend6.action.tackle", MANOEUVRES), more=(UNHELD,)),
    Kind("pin", "Pin down", is_fist, "pin", ("opend6.action.pin", PINNING, MANOEUVRES), more=(UNHELD,)),
    Kind("pin_part", "Pin a part", can_pin, "pin_part", ("opend6.action.pin", PINNING), more=(UNHELD, FREE_ARM)),
    Kind("push", "Push", is_fist, "push", (MANOEUVRES,), more=(NOT_STRONGER,)),
    Kind("trip", "Trip", is_bare_hand, "knockdown", (MANOEUVRES,), more=(NOT_STRONGER, UPRIGHT)),
    Kind("disarm", "Disarm", is_any_arm, "disarm", ("opend6.action.disarm", DISARMING, CALLED), more=(ARMED, FREE_ARM)),
    Kind("entangle", "Entangle", is_whip, "entangle", ("opend6.gap.manoeuvre.entangle",), more=(FREE_ARM,)),
)
ATTACKS = tuple(
    [
        Action(
            kind.id,
            kind.title,
            (*kind.rules, LISTED, HIT),
            strike,
            (*ACTING, *kind.more, FEASIBLE),
            kind.uses,
            ONE_ACTION,
        )
        for kind in KINDS
    ]
)
