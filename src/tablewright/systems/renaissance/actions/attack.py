"""Attacks: one weapon or several, one target or several, blasts and splashes, touch and pointing, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from tablewright.engine import Call, choose
from tablewright.game.actions import Action, Refused, Requirement, Use
from tablewright.game.bots import expected
from tablewright.game.lasting import Lasting, TookHold, until_turn
from tablewright.game.scene import Live, Scene
from tablewright.systems.renaissance.actions.common import (
    ABLE,
    ALLOTMENT_RULE,
    AWARE,
    CHARGE_GOES_ON,
    STANDARD,
    free_hands,
    targets,
    victims,
)
from tablewright.systems.renaissance.actions.throwing import area, gutter, thrown
from tablewright.systems.renaissance.aiming import (
    NO_DEFENCE_TAGS,
    PRIVATE,
    aim,
    attack_goal,
    ranges,
    strikes_for,
    why_out_of_range,
)
from tablewright.systems.renaissance.attack import Attacked as Result
from tablewright.systems.renaissance.attack import Striking, attack, strikable
from tablewright.systems.renaissance.blows import NO_RESERVE
from tablewright.systems.renaissance.character.giving import given, of_kind
from tablewright.systems.renaissance.coating import coating_of
from tablewright.systems.renaissance.events import Attacked, Declared, Volley
from tablewright.systems.renaissance.grants import FreeIntimidation
from tablewright.systems.renaissance.harm import come_into_view, has_been_attacked, is_dead, settle
from tablewright.systems.renaissance.now import EXPLODING, NO_HAND, Arm, Now, now
from tablewright.systems.renaissance.status import (
    GRABBED,
    GUARDED,
    PRONE,
    Status,
    stands,
)
from tablewright.systems.renaissance.weighing import attack_worth, is_plain

ATTACK, MULTIPLE, DEFENSE = (
    "renaissance.attack.procedure",
    "renaissance.multi.attacks",
    "renaissance.defense.full_defense",
)
PARTS = {
    "maim": ("what is maimed?", ("hand", "arm", "leg", "eye", "ear")),
    "called_shot": ("where is the shot called?", ("head", "throat", "chest", "arm", "hand", "leg", "foot")),
}
"""What a strike can go for, as it is asked when it is declared (renaissance.strike.called_shot, .maim)."""

UNHARMED = Result(False)


# ---------------------------------------------------------------------- ways to attack


def _uses(scene: Scene, who: str) -> Iterable[Use]:
    arms, foes = now(scene, who).arms, victims(scene, who)
    some = False
    for foe in foes:
        refused = ranges(scene, who, foe.id)
        for arm in arms:
            if not isinstance(refused[arm.key], str):  # behind total cover: a reason of its own
                some = True
                yield Use("attack", foe.id, arm.key, f"Attack {scene.called(foe.id)}: {arm.weapon.name}{_how(arm)}")
    if foes and arms and not some:
        yield Use("attack", foes[0].id, arms[0].key)  # refused, with the reason


def _how(arm: Arm) -> str:
    hand = {"off": ", off hand", NO_HAND: ", a kick"}.get(arm.hand, "")
    flies = ", thrown" if arm.ranged and arm.attack.skill == "thrown_weapons" else ""
    return hand + flies + (" to explode" if arm.key.endswith(EXPLODING) else "")


def _in_range(scene: Scene, who: str, use: Use) -> str | Refused | None:
    arm = now(scene, who).arm(str(use.detail))
    if arm is None:
        return "nothing of the kind is wielded"
    return why_out_of_range(scene, who, str(use.target), arm)


IN_RANGE = Requirement("renaissance.grid.squares", _in_range)


# ---------------------------------------------------------------------- one attack


async def strike(
    game: Live, who: str, target: str, arm: Arm, *, extra: int = 0, cause: str = ATTACK, volley: str = ""
) -> Result:
    """Attack somebody and see it through to the end."""
    if any(arm.weapon.has(tag) for tag in NO_DEFENCE_TAGS):
        await area(game, who, target, arm, volley=volley)
        return UNHARMED
    how = await which_strike(game, who, target, arm, extra)
    part = await _which_part(game, who, target, how.strike.result)
    if not stands(game[who]) or not game[target].present:
        return UNHARMED
    chosen: dict[str, Any] = {"strike": how.strike, "ignoring": how.ignores, "dares": how.dares}
    named = how.strike.result.replace("_", " ") + (f" at the {part}" if part else "")
    what = f"attack with {arm.weapon.name.lower()}{f' ({named})' if named else ''}"
    game.emit(Declared(who=who, against=target, what=what, part=part, cause="renaissance.strike.declare"))
    aimed = aim(game.scene, who, target, arm, extra=extra, **chosen)
    attacker, foe = game[who], game[target]
    result: Result = await aimed.call.by(attacker.seat, foe.seat, tallies=aimed.tallies, private=PRIVATE)
    await struck(game, who, target, arm, result, cause=cause, volley=volley)
    return result


async def struck(game: Live, who: str, target: str, arm: Arm, result: Result, *, cause: str, volley: str) -> None:
    """An attack has been rolled: whoever made it is seen, and what it has come to becomes fact."""
    come_into_view(game, who)
    await land(game, who, target, arm, result, cause=cause, volley=volley)


async def which_strike(game: Live, who: str, target: str, arm: Arm, extra: int) -> Striking:
    """The strike is declared before anything is rolled (renaissance.strike.declare), and so is ignoring penalties."""

    def leads_to(how: Striking) -> Any:
        scene = game.scene
        chosen: dict[str, Any] = {"strike": how.strike, "ignoring": how.ignores, "dares": how.dares}
        return promise(as_seen(aim(scene, who, target, arm, extra=extra, told=False, **chosen).call, how.spent))

    def find() -> list[Striking]:
        scene = game.scene
        me, goal = now(scene, who), attack_goal(scene, who, target, arm)
        return strikable(strikes_for(scene, arm), goal.penalties, me.luck, daring=me.daring, target=goal.total)

    about = {"who": who, "target": target, "weapon": arm.weapon.name, "open": not game[who].hidden}
    return await choose(game.seat(who), "which strike?", find, about=about, leads_to=leads_to)


async def _which_part(game: Live, who: str, target: str, strike: str) -> str:
    """A strike that goes for a place names it before the roll."""
    if strike not in PARTS:
        return ""
    asked, parts = PARTS[strike]
    about = {"who": who, "target": target, "open": not game[who].hidden}
    return str(await choose(game.seat(who), asked, list(parts), about=about))


def as_seen(call: Call[Any], luck: int = 0) -> Call[Any]:
    """An attack as far as the attacker can know it: nothing of the target's reserves and Luck, but who is down is seen.

    Of the own Luck only what is meant to be spent before the roll counts: what may be done after it is left aside.
    """
    given = list(call.arguments)
    given[_LEFT], given[_THEIR_LUCK], given[_LUCK] = NO_RESERVE if given[_LEFT] else 0, 0, luck
    return Call(call.mechanic, tuple(given))


_NAMES = [parameter.name for parameter in attack.params]
_LEFT, _LUCK, _THEIR_LUCK = _NAMES.index("left"), _NAMES.index("luck"), _NAMES.index("their_luck")


@lru_cache(maxsize=65_536)
def promise(call: Call[Any]) -> int:
    """What an attack is worth on average, as its objective says; a point of damage is worth 10."""
    return round(attack_worth(call) if is_plain(call) else expected(call, "worth"))


async def land(game: Live, who: str, target: str, arm: Arm, result: Result, *, cause: str, volley: str) -> None:
    """What an attack has come to becomes fact, with what follows from it."""
    scene = game.scene
    status: Status = scene[target].status
    by: Status = scene[who].status
    coating, poison = coating_of(by.coated, by.belongings, arm.weapon.id, arm.hand)
    poison = poison if result.wounds else ""
    part = by.turn.part
    lost = part if result.strike == "maim" and result.effect and result.hit else ""
    belongings, lying = thrown(scene, who, target, arm, by)
    dead = result.felled and is_dead(scene, target, status.damage + result.damage)
    game.emit(
        Attacked(
            who=target,
            by=who,
            weapon=arm.weapon.id,
            result="critical hit" if result.critical else "hit" if result.hit else "miss",
            strike=result.strike,
            part=part,
            effect=result.effect,
            special=result.special,
            critical=result.critical,
            damage=result.damage,
            wounds=result.wounds,
            prone=result.prone,
            felled=result.felled,
            dead=dead,
            lost=lost,
            luck=result.luck,
            their_luck=result.their_luck,
            poisoned=poison,
            coating=coating if poison or belongings is not None else "",
            intimidates=result.special and _intimidates(scene, who),
            volley=volley,
            belongings=belongings,
            lying=lying,
            cause=cause,
        )
    )
    if lying:
        gutter(game, who, arm.weapon.id)
    _afterwards(game, who, target, arm, result)
    if poison and game[target].present:
        from tablewright.systems.renaissance.effects import poisoned  # noqa: PLC0415 - poisons hurt in their turn

        await poisoned(game, target, poison, cause="renaissance.chemical.weapon_poison")
    settle(game)


def _intimidates(scene: Scene, who: str) -> bool:
    return any(True for _ in of_kind(FreeIntimidation, given(scene[who].character, scene.library)))


def _afterwards(game: Live, who: str, target: str, arm: Arm, result: Result) -> None:
    """Who was attacked is aware; who helped has helped; a bite may hold on."""
    has_been_attacked(game, target, by=who)
    grabs = arm.weapon.grabs
    if not grabs or not result.special or not stands(game[target]):
        return
    charged = game[who].status.turn.charged
    if grabs == "exceptional" or charged:
        _grab(game, who, target, "renaissance.gap.creature.attacks")
        if arm.weapon.trips and not game[target].status.has(PRONE):
            game.emit(TookHold(who=target, what=Lasting(PRONE), cause="renaissance.gap.creature.attacks"))


def _grab(game: Live, who: str, target: str, cause: str) -> None:
    game.emit(TookHold(who=target, what=Lasting(GRABBED, by=who, source=who), cause=cause))


# ---------------------------------------------------------------------- the actions


def made_with(scene: Scene, who: str, use: Use) -> tuple[Arm, str] | None:
    """With what an attack is made, and which of several it is; None where nothing is aimed at anybody yet."""
    if use.target is None:
        return None
    me = now(scene, who)
    if use.action == "attack_with_all":
        key = volley_of(scene, who, use.target)[0]
        arm = me.arm(key)
    else:
        arm = me.arm(str(use.detail))
        left = scene[who].status.turn.volley if arm is not None and use.action == "next_attack" else ()
        key = next((key for key in left if arm is not None and _in_hand(key) == _in_hand(arm.key)), "")
    return None if arm is None else (arm, key)


async def _attack(game: Live, who: str, use: Use) -> None:
    made = made_with(game.scene, who, use)
    if made is not None:
        arm, key = made
        await strike(game, who, str(use.target), arm, cause=MULTIPLE if key else ATTACK, volley=key)


def volley_of(scene: Scene, who: str, foe: str | None = None) -> tuple[str, ...]:
    """The attacks of one action with every wielded weapon that reaches a foe, or any; nothing for less than two.

    A weapon that can be thrown too is used in the first way that reaches. Bare hands count only beside one weapon, and
    only those that hold nobody.
    """
    foes = [one.id for one in victims(scene, who)] if foe is None else [foe]
    found: dict[str, Arm] = {}
    for arm in now(scene, who).arms:
        if arm.hand == NO_HAND or (arm.ranged and arm.attack.skill != "thrown_weapons"):
            continue
        if _in_hand(arm.key) not in found and any(ranges(scene, who, one)[arm.key] is None for one in foes):
            found[_in_hand(arm.key)] = arm
    held = [arm.key for arm in found.values() if not arm.unarmed]
    bare = [arm.key for arm in found.values() if arm.unarmed] if len(held) < 2 else []
    keys = [*held, *(bare[: free_hands(scene, who)] if bare else ())]
    return tuple(keys) if len(keys) > 1 else ()


def _volleys(scene: Scene, who: str) -> Iterable[Use]:
    keys = volley_of(scene, who)
    if not keys:
        return
    me = now(scene, who)
    near = 0
    for foe in victims(scene, who):
        near += stands(foe) and any(_reaching(scene, who, foe.id, key) is not None for key in keys)
        both = volley_of(scene, who, foe.id)
        if both:
            yield Use("attack_with_all", foe.id, label=f"Attack {scene.called(foe.id)}: {_named(me, both)}")
    if near > 1:
        yield Use("attack_with_all", None, "spread", f"Attack several: {_named(me, keys)}")


def _named(me: Now, keys: Sequence[str]) -> str:
    arms = [arm for key in keys if (arm := me.arm(key)) is not None]
    return " and ".join([f"{arm.weapon.name}{_how(arm)}" for arm in arms])


async def _attack_with_all(game: Live, who: str, use: Use) -> None:
    """The first of the attacks; what is left is the next attack, and the next."""
    made = made_with(game.scene, who, use)
    weapons = volley_of(game.scene, who, use.target)
    game.emit(Volley(who=who, weapons=weapons, spread=use.target is None, cause=MULTIPLE))
    if made is not None:
        arm, key = made
        await strike(game, who, str(use.target), arm, cause=MULTIPLE, volley=key)


def _next_uses(scene: Scene, who: str) -> Iterable[Use]:
    turn = scene[who].status.turn
    if not turn.volley:
        return
    last = turn.spread and len(turn.volley) == 1 and len(set(turn.against)) == 1
    for foe in victims(scene, who):
        if (last and foe.id in turn.against) or (not turn.spread and foe.id not in turn.against):
            continue
        for key in turn.volley:
            arm = _reaching(scene, who, foe.id, key)
            if arm is not None:
                yield Use("next_attack", foe.id, key, f"Attack {scene.called(foe.id)}: {arm.weapon.name}{_how(arm)}")


def _reaching(scene: Scene, who: str, foe: str, key: str) -> Arm | None:
    """The first way to use the weapon of an attack of several that reaches a foe: struck with, or thrown."""
    refused = ranges(scene, who, foe)
    for arm in now(scene, who).arms:
        if refused[arm.key] is None and _in_hand(arm.key) == _in_hand(key):
            return arm
    return None


def _in_hand(key: str) -> str:
    """Which weapon in which hand a way to attack is one of.

    >>> _in_hand("dagger@off~thrown_weapons")
    'dagger@off'
    """
    return key.partition("~")[0]


def swept(scene: Scene, who: str, most: int) -> tuple[Arm | None, list[str]]:
    """The melee weapon with which somebody can sweep, and the foes within its reach, so many at most."""
    for arm in now(scene, who).arms:
        if arm.ranged:
            continue
        foes = [foe.id for foe in targets(scene, who) if why_out_of_range(scene, who, foe.id, arm) is None]
        if foes:
            return arm, foes[:most]
    return None, []


async def sweep(game: Live, who: str, most: int) -> None:
    """One attack on each of several foes in reach: a penalty only where the table has it for all such attacks."""
    arm, foes = swept(game.scene, who, most)
    if arm is None:
        return
    weapons = tuple([arm.key for _ in foes])
    game.emit(
        Volley(who=who, weapons=weapons, spread=len(foes) > 1, sweeps=True, cause="renaissance.multi.targets_scope")
    )
    for foe in foes:
        again = now(game.scene, who).arm(arm.key)
        if again is None or not stands(game[who]):
            break
        if stands(game[foe]) and why_out_of_range(game.scene, who, foe, again) is None:
            await strike(game, who, foe, again, cause="renaissance.multi.targets_scope", volley=again.key)
    if game[who].status.turn.volley:
        game.emit(Volley(who=who, weapons=(), cause=MULTIPLE))


def _under_way(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene[who].status.turn.volley else "no further attack is left"


def _no_volley(scene: Scene, who: str, use: Use) -> str | None:
    return "further attacks are left" if scene[who].status.turn.volley else None


NO_VOLLEY = Requirement(MULTIPLE, _no_volley, once=True)


def _offered(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene.options.full_defense else "this table plays without it"


async def _full_defense(game: Live, who: str, use: Use) -> None:
    game.emit(TookHold(who=who, what=Lasting(GUARDED, until_turn(game.scene, who), 10), cause=DEFENSE))


def attack_actions() -> Sequence[Action]:
    """The actions of this room."""
    standard: dict[str, Any] = {"price": STANDARD, "price_rule": ALLOTMENT_RULE}
    return (
        Action(
            "attack",
            "Attack",
            (
                ATTACK,
                "renaissance.attack.skill",
                "renaissance.combat.threaten",
                "renaissance.action.standard",
                "renaissance.grid.facing",
                "renaissance.area.blast_no_defense",
                "renaissance.ranged.scatter_when",
            ),
            _attack,
            (*ABLE, AWARE, CHARGE_GOES_ON, NO_VOLLEY, IN_RANGE),
            _uses,
            **standard,
        ),
        Action(
            "attack_with_all",
            "Attack with every weapon",
            (MULTIPLE, "renaissance.multi.targets"),
            _attack_with_all,
            (*ABLE, AWARE, CHARGE_GOES_ON, NO_VOLLEY),
            _volleys,
            **standard,
        ),
        Action(
            "next_attack",
            "Next attack",
            (MULTIPLE,),
            _attack,
            (*ABLE, Requirement(MULTIPLE, _under_way, once=True), IN_RANGE),
            _next_uses,
            "nothing more",
        ),
        Action(
            "full_defense",
            "Full defense",
            (DEFENSE,),
            _full_defense,
            (*ABLE, Requirement("renaissance.defense.full_defense_option", _offered, once=True)),
            **standard,
        ),
    )
