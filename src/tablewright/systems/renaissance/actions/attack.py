"""Attack actions: declaration, reactions, the roll and its consequences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tablewright.engine import Call, Role, choose, odds
from tablewright.engine.odds import expected_value
from tablewright.engine.request import Request
from tablewright.game.narration.phrases import weapon_phrase
from tablewright.game.play.action_kinds import ActionKind
from tablewright.game.play.actions import ActionUse, Refusal, each_use, needs, once
from tablewright.game.play.effects import Effect, EffectGained, until_turn_of
from tablewright.game.play.foresight import DecisiveCall, next_request
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.system.rulebook import Rulebook
from tablewright.systems.renaissance.actions.aim import (
    NO_DEFENCE_TAGS,
    PRIVATE,
    aim,
    aim_as_seen,
    attack_goal,
    cover_of,
    ranges,
    strikes_for,
    why_out_of_range,
)
from tablewright.systems.renaissance.actions.near import near_attack, pointing_range
from tablewright.systems.renaissance.actions.requirements import (
    ABLE,
    ALLOTMENT_RULE,
    AWARE,
    CHARGE_GOES_ON,
    STANDARD,
    able,
    free_hands,
    standard,
    targets,
    victims,
)
from tablewright.systems.renaissance.actions.throw import area, gutter, thrown
from tablewright.systems.renaissance.chapters.ailments import is_disease, take_coating
from tablewright.systems.renaissance.character.figures import given, of_kind, race_of
from tablewright.systems.renaissance.character.gear import coating_of
from tablewright.systems.renaissance.effects import FreeIntimidation
from tablewright.systems.renaissance.events.fight import Attacked, Declared, Volley
from tablewright.systems.renaissance.harm import come_into_view, has_been_attacked, is_dead, settle
from tablewright.systems.renaissance.mechanics import harm
from tablewright.systems.renaissance.mechanics.attack import (
    Arms,
    FurtherArm,
    Striking,
    attack,
    exchange,
    prize,
    strikable,
    two_weapons,
)
from tablewright.systems.renaissance.mechanics.attack import Attacked as Result
from tablewright.systems.renaissance.mechanics.checks import luck_for_one
from tablewright.systems.renaissance.mechanics.clash import clash
from tablewright.systems.renaissance.mechanics.defences import Clash, Sides
from tablewright.systems.renaissance.now import EXPLODING, NO_HAND, Arm, Now, adjacent, in_hand, now
from tablewright.systems.renaissance.status import GRABBED, GUARDED, PRONE, Status, stands
from tablewright.systems.renaissance.values import Regrade, limited

ATTACK, MULTIPLE, DEFENSE = (
    "renaissance.attack.procedure",
    "renaissance.multi.attacks",
    "renaissance.defense.full_defense",
)
TOUCH, INDICATE = "renaissance.touch.attack", "renaissance.indicate.attack"
PARTS = {
    "maim": ("what is maimed?", ("hand", "arm", "leg", "eye", "ear")),
    "called_shot": ("where is the shot called?", ("head", "throat", "chest", "arm", "hand", "leg", "foot")),
}
"""Parts that a strike can aim at, asked when it is declared (renaissance.strike.called_shot, .maim)."""

UNHARMED = Result(False)
PLAINLY = Striking(harm.PLAIN_ATTACK)


# ---------------------------------------------------------------------- ways to attack


def _uses(scene: Scene, who: str) -> Iterable[ActionUse]:
    arms, foes = now(scene, who).arms, victims(scene, who)
    some = False
    for foe in foes:
        refused = ranges(scene, who, foe.id)
        for arm in arms:
            if not isinstance(refused[arm.key], str):  # behind total cover: a reason of its own
                some = True
                yield attack_on(scene, foe.id, arm)
    if foes and arms and not some:
        yield ActionUse("attack", foes[0].id, arms[0].key)  # refused, with the reason


def _legal(scene: Scene, who: str) -> list[ActionUse]:
    """The attacks that reach their targets."""
    return [attack_on(scene, foe.id, arm) for foe, arm in reached(scene, who)]


def reached(scene: Scene, who: str) -> list[tuple[Participant, Arm]]:
    """Targets of attacks with the arms that reach them."""
    arms = now(scene, who).arms
    every = [(foe, ranges(scene, who, foe.id)) for foe in victims(scene, who)] if arms else []
    return [(foe, arm) for foe, refused in every for arm in arms if refused[arm.key] is None]


def attack_on(scene: Scene, foe: str, arm: Arm) -> ActionUse:
    """The use of an attack as it stands in a list."""
    label = f"Attack {scene.display_name(foe)} {weapon_phrase(arm.weapon.name)}{_how(arm)}"
    return ActionUse("attack", foe, arm.key, label)


def _how(arm: Arm) -> str:
    hand = {"off": ", off hand", NO_HAND: ", a kick"}.get(arm.hand, "")
    flies = ", thrown" if arm.ranged and arm.attack.skill == "thrown_weapons" else ""
    return hand + flies + (" to explode" if arm.key.endswith(EXPLODING) else "")


def _in_range(scene: Scene, who: str, use: ActionUse) -> str | Refusal | None:
    arm = now(scene, who).arm(str(use.detail))
    if arm is None:
        return "nothing of the kind is wielded"
    return ranges(scene, who, str(use.target))[arm.key]


IN_RANGE = each_use(_in_range, "renaissance.grid.squares")


# ---------------------------------------------------------------------- one attack


async def strike(
    game: Game, who: str, target: str, arm: Arm, *, extra: int = 0, cause: str = ATTACK, volley: str = ""
) -> Result:
    """Attack a target and see it through to the end."""
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


async def struck(game: Game, who: str, target: str, arm: Arm, result: Result, *, cause: str, volley: str) -> None:
    """Apply an attack that has been rolled: the attacker comes into view, and the result becomes fact."""
    come_into_view(game, who)
    await land(game, who, target, arm, result, cause=cause, volley=volley)


async def which_strike(game: Game, who: str, target: str, arm: Arm, extra: int) -> Striking:
    """The strike is declared before anything is rolled (renaissance.strike.declare), and so is ignoring penalties."""

    def leads_to(how: Striking) -> Any:
        return promise(aim_as_seen(game.scene, who, target, arm, how, extra=extra))

    def find() -> list[Striking]:
        scene = game.scene
        me, goal = now(scene, who), attack_goal(scene, who, target, arm)
        return strikable(strikes_for(scene, arm), goal.penalties, me.luck, daring=me.daring, target=goal.total)

    about = {"who": who, "target": target, "weapon": arm.weapon.name, "open": not game[who].hidden}
    return await choose(game.seat(who), "which strike?", find, details=about, leads_to=leads_to)


async def _which_part(game: Game, who: str, target: str, strike: str) -> str:
    """A strike that goes for a place names it before the roll."""
    if strike not in PARTS:
        return ""
    asked, parts = PARTS[strike]
    race = race_of(game[target].character, game.scene.library)
    if race is not None and race.animal:
        parts = tuple([part for part in parts if part not in ("hand", "arm")])
    about = {"who": who, "target": target, "open": not game[who].hidden}
    return str(await choose(game.seat(who), asked, list(parts), details=about))


@lru_cache(maxsize=65_536)
def promise(call: Call[Result]) -> int:
    """Average worth of an attack by its objective; a point of damage is worth 10."""
    return round(worth_of(call))


def worth_of(call: Call[Result]) -> Fraction:
    """The expected worth of an attack, by its two stages where nothing is left to decide but the defence.

    Clashes of two numbers and hits on a body come again in many attacks, so that each is worked out once. The target
    takes its highest defence, unless a worse one leaves the attacker less (a harmless hit is better than a tie, which
    is rolled again): then the whole attack is asked for.
    """
    attempt, body, attacker, _, declared, table = call.arguments
    luck = luck_for_one(attacker.luck, table.luck_per_check)
    offered = declared.open_to(attempt.penalties, luck, attacker.daring)
    sides, struck, _ = exchange(offered[0], *call.arguments)
    if len(offered) > 1 or declared.holds is not None or sides.luck or sides.their_luck:
        return expected_value(call, "worth")

    def worth(clashed: Clash) -> Fraction | int:
        if not clashed.hit:
            return 0
        blow, manner = struck(clashed)
        return prize(manner.strike, manner.effect) + _harm(blow, body, table.injury)

    def against(*defences: harm.Defence) -> Fraction:
        regrade = sides.regrade
        return odds(clash(_sides(limited(sides.target), defences, regrade), table.rules)).expected(worth)

    goals = sorted({limited(one.target) for one in sides.defences})
    worths = [against(harm.Defence("", goal)) for goal in goals] or [against()]
    return worths[-1] - harm.LUCK_POINT * sides.spent if worths[-1] == min(worths) else expected_value(call, "worth")


@lru_cache(maxsize=16_384)
def _harm(blow: harm.Blow, body: harm.Body, injury: harm.InjuryRules) -> Fraction:
    """The expected worth of a hit on a target without Luck."""
    return expected_value(harm.hurt(blow, body, harm.NO_MEANS, 0, True, injury), "worth")


@lru_cache(maxsize=16_384)
def _sides(target: int, defences: tuple[harm.Defence, ...], regrade: Regrade) -> Sides:
    """A clash without Luck; the same one is the same object."""
    return Sides(target, defences, regrade=regrade)


async def land(game: Game, who: str, target: str, arm: Arm, result: Result, *, cause: str, volley: str) -> None:
    """Emit the result of an attack and its consequences."""
    scene = game.scene
    status: Status = scene[target].status
    by: Status = scene[who].status
    coating, poison = coating_of(by.coated, by.belongings, arm.weapon.id, arm.hand)
    poison = poison if result.wounds else ""
    infects = is_disease(scene, poison)
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
            poisoned="" if infects else poison,
            consumed=infects,
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
        await take_coating(game, target, poison, cause="renaissance.chemical.weapon_poison")
    settle(game)


def _intimidates(scene: Scene, who: str) -> bool:
    return any(True for _ in of_kind(FreeIntimidation, given(scene[who].character, scene.library)))


def _afterwards(game: Game, who: str, target: str, arm: Arm, result: Result) -> None:
    """Make the target aware, use up assistance, and let a bite hold on."""
    has_been_attacked(game, target, by=who)
    grabs = arm.weapon.grabs
    if not grabs or not result.special or not stands(game[target]):
        return
    charged = game[who].status.turn.charged
    if grabs == "exceptional" or charged:
        _grab(game, who, target, "renaissance.gap.creature.attacks")
        if arm.weapon.trips and not game[target].status.has(PRONE):
            game.emit(EffectGained(who=target, what=Effect(PRONE), cause="renaissance.gap.creature.attacks"))


def _grab(game: Game, who: str, target: str, cause: str) -> None:
    game.emit(EffectGained(who=target, what=Effect(GRABBED, by=who, source=who), cause=cause))


# ---------------------------------------------------------------------- the actions


def made_with(scene: Scene, who: str, use: ActionUse) -> tuple[Arm, str] | None:
    """Weapon of an attack, and its key among several; None if it has no target yet."""
    if use.target is None:
        return None
    me = now(scene, who)
    if use.action == "attack_with_all":
        key = volley_of(scene, who, use.target)[0]
        arm = me.arm(key)
    else:
        arm = me.arm(str(use.detail))
        left = scene[who].status.turn.volley if arm is not None and use.action == "next_attack" else ()
        key = next((key for key in left if arm is not None and in_hand(key) == in_hand(arm.key)), "")
    return None if arm is None else (arm, key)


NO_VOLLEY = needs(lambda scene, who: not scene[who].status.turn.volley, "further attacks are left", MULTIPLE)
striking = ActionKind((*ABLE, AWARE, CHARGE_GOES_ON, NO_VOLLEY), cost=STANDARD, price_rule=ALLOTMENT_RULE)


@striking(
    "Attack",
    (
        *(ATTACK, "renaissance.attack.skill", "renaissance.combat.threaten", "renaissance.action.standard"),
        *("renaissance.grid.facing", "renaissance.area.blast_no_defense", "renaissance.ranged.scatter_when"),
    ),
    (IN_RANGE,),
    _uses,
    legal=_legal,
)
async def _attack(game: Game, who: str, use: ActionUse) -> None:
    made = made_with(game.scene, who, use)
    if made is not None:
        arm, key = made
        await strike(game, who, str(use.target), arm, cause=MULTIPLE if key else ATTACK, volley=key)


def volley_of(scene: Scene, who: str, foe: str | None = None) -> tuple[str, ...]:
    """The attacks of one action with every wielded weapon that reaches a foe, or any; nothing for less than two.

    A weapon that can be thrown too is used in the first way that reaches. Bare hands count only beside one weapon, and
    only those that hold no one.
    """
    me = now(scene, who)
    if me.together < 2:
        return ()
    foes = [one.id for one in victims(scene, who)] if foe is None else [foe]
    found: dict[str, Arm] = {}
    for arm in me.arms:
        held = in_hand(arm.key)
        if arm.joins and held not in found and any(ranges(scene, who, one)[arm.key] is None for one in foes):
            found[held] = arm
    armed = [arm.key for arm in found.values() if not arm.unarmed]
    bare = [arm.key for arm in found.values() if arm.unarmed] if len(armed) < 2 else []
    keys = [*armed, *(bare[: free_hands(scene, who)] if bare else ())]
    return tuple(keys) if len(keys) > 1 else ()


def _volleys(scene: Scene, who: str) -> Iterable[ActionUse]:
    keys = volley_of(scene, who)
    if not keys:
        return
    me = now(scene, who)
    near = 0
    for foe in victims(scene, who):
        near += stands(foe) and any(_reaching(scene, who, foe.id, key) is not None for key in keys)
        both = volley_of(scene, who, foe.id)
        if both:
            yield ActionUse("attack_with_all", foe.id, label=f"Attack {scene.display_name(foe.id)} {_named(me, both)}")
    if near > 1:
        yield ActionUse("attack_with_all", None, "spread", f"Attack several {_named(me, keys)}")


def _named(me: Now, keys: Sequence[str]) -> str:
    arms = [arm for key in keys if (arm := me.arm(key)) is not None]
    first, *others = [f"{weapon_phrase(arm.weapon.name)}{_how(arm)}" for arm in arms]
    return " and ".join([first, *[text.removeprefix("with ") for text in others]])


def _next_uses(scene: Scene, who: str) -> Iterable[ActionUse]:
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
                label = attack_on(scene, foe.id, arm).label
                yield ActionUse("next_attack", foe.id, key, label)


def _reaching(scene: Scene, who: str, foe: str, key: str) -> Arm | None:
    """The first way to use the weapon of an attack of several that reaches a foe: struck with, or thrown."""
    refused = ranges(scene, who, foe)
    for arm in now(scene, who).arms:
        if refused[arm.key] is None and in_hand(arm.key) == in_hand(key):
            return arm
    return None


def swept(scene: Scene, who: str, most: int) -> tuple[Arm | None, list[str]]:
    """Melee weapon for a sweep, and the foes within its reach, so many at most."""
    for arm in now(scene, who).arms:
        if arm.ranged:
            continue
        foes = [foe.id for foe in targets(scene, who) if why_out_of_range(scene, who, foe.id, arm) is None]
        if foes:
            return arm, foes[:most]
    return None, []


async def sweep(game: Game, who: str, most: int) -> None:
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


UNDER_WAY = needs(lambda scene, who: scene[who].status.turn.volley, "no further attack is left")


@striking("Attack with every weapon", (MULTIPLE, "renaissance.multi.targets"), uses=_volleys)
async def _attack_with_all(game: Game, who: str, use: ActionUse) -> None:
    """The first of the attacks; what is left is the next attack, and the next."""
    made = made_with(game.scene, who, use)
    weapons = volley_of(game.scene, who, use.target)
    game.emit(Volley(who=who, weapons=weapons, spread=use.target is None, cause=MULTIPLE))
    if made is not None:
        arm, key = made
        await strike(game, who, str(use.target), arm, cause=MULTIPLE, volley=key)


@cached_on_scene
def _touchable(scene: Scene, who: str) -> list[str]:
    return [foe.id for foe in targets(scene, who) if adjacent(scene, who, foe.id)]


@cached_on_scene
def _in_sight(scene: Scene, who: str) -> list[str]:
    """Foes to point at: within the ranges of a throw, and not behind total cover."""
    near = [foe for foe in targets(scene, who) if pointing_range(scene, who, foe.id) is not None]
    return [foe.id for foe in near if cover_of(scene, who, foe) != "total"]


def _near_uses(action: str, word: str, near: Callable[[Scene, str], list[str]]) -> Any:
    """One use for all foes: which of them is asked afterwards."""

    def uses(scene: Scene, who: str) -> Iterable[ActionUse]:
        found = near(scene, who)
        if len(found) == 1:
            yield ActionUse(action, found[0], label=f"{word} {scene.display_name(found[0])}")
        else:
            yield ActionUse(action, label=f"{word} a foe")

    return uses


def _near_a_foe(near: Callable[[Scene, str], list[str]], reason: str) -> Any:
    return lambda scene, who, use: None if near(scene, who) else reason


@striking(
    "Touch",
    (TOUCH, "renaissance.touch.rule_option"),
    (once(_near_a_foe(_touchable, "out of reach")),),
    _near_uses("touch", "Touch", _touchable),
)
async def _touch(game: Game, who: str, use: ActionUse) -> None:
    target = await _which_foe(game, who, use, "who is touched?", _touchable)
    await near_attack(game, who, target, touch=True)


@striking(
    "Point at a foe",
    (INDICATE, "renaissance.indicate.rule_option"),
    (once(_near_a_foe(_in_sight, "out of range")),),
    _near_uses("indicate", "Point at", _in_sight),
)
async def _indicate(game: Game, who: str, use: ActionUse) -> None:
    target = await _which_foe(game, who, use, "who is pointed at?", _in_sight)
    category = pointing_range(game.scene, who, target) or "extreme"
    await near_attack(game, who, target, touch=False, category=category)


async def _which_foe(
    game: Game, who: str, use: ActionUse, question: str, near: Callable[[Scene, str], list[str]]
) -> str:
    if use.target is not None:
        return use.target

    def find() -> list[ActionUse]:
        return [ActionUse("toward", foe, label=game.scene.display_name(foe)) for foe in near(game.scene, who)]

    chosen = await choose(game.seat(who), question, find, details={"who": who})
    return str(chosen.target)


_OFFERED = needs(
    lambda scene, who: scene.options.full_defense,
    "this table plays without it",
    "renaissance.defense.full_defense_option",
)


@standard("Full defense", DEFENSE, (_OFFERED,))
async def _full_defense(game: Game, who: str, use: ActionUse) -> None:
    game.emit(EffectGained(who=who, what=Effect(GUARDED, until_turn_of(game.scene, who), 10), cause=DEFENSE))


_next_attack = able("Next attack", MULTIPLE, (UNDER_WAY, IN_RANGE), _next_uses, "nothing more", id="next_attack")(
    _attack.perform
)
ATTACKS = (_attack, _attack_with_all, _next_attack, _full_defense)
NEAR = (_touch, _indicate)
"""Actions for effects that need only a touch or a pointing finger."""


# ---------------------------------------------------------------------- looking ahead


def decisive_attack(book: Rulebook, scene: Scene, who: str, use: ActionUse) -> DecisiveCall | None:
    """The roll of an attack on which no one can spend Luck; None for other actions."""
    made = made_with(scene, who, use) if use.action in ("attack", "attack_with_all", "next_attack") else None
    if made is None:
        return None
    game = Game(scene, book)
    call = next_request(book.actions.perform(game, who, use))
    if not isinstance(call, Call) or call.mechanic is not attack:
        return None
    given = call.named_arguments()
    if given["luck"] or given["their_luck"]:
        return None
    (arm, key), target = made, str(use.target)
    cause = MULTIPLE if key else ATTACK

    async def land(after: Game, result: Result) -> None:
        await struck(after, who, target, arm, result, cause=cause, volley=key)

    return DecisiveCall(game.scene, call, land)


def whole_attack(scene: Scene, who: str, use: ActionUse) -> Request[Any] | None:
    """All blows of an attack with every weapon as one rule, without strikes and Luck; None for anything else.

    Blows that meet different defences or resistances are told by their first one.
    """
    if use.action != "attack_with_all" or use.target is None:
        return None
    arms = [arm for key in volley_of(scene, who, use.target) if (arm := now(scene, who).arm(key)) is not None]
    if any(arm.weapon.has(tag) for arm in arms for tag in NO_DEFENCE_TAGS):
        return None
    aimed = [aim(scene, who, use.target, arm, told=False).call.arguments for arm in arms]
    blows, (_, body, _, _, _, table) = [arguments[0] for arguments in aimed], aimed[0]
    main, off, *further = blows
    if any(one.defences != main.defences or one.vulnerability or not one.graded for one in blows):
        return None
    beside = tuple([FurtherArm(one.target, one.dv, one.ap) for one in further])
    every = Arms(main.target, main.dv, off.target, off.dv, main.ap, off.ap, beside)
    call = two_weapons(every, main.defences, body, table.rules, table.injury, "both")
    return call.by(scene[who].seat, scene[use.target].seat, private={"left": Role.OPPONENT})
