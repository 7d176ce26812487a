"""Powers as actions, step by step from their data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tablewright.engine import choose
from tablewright.errors import parse_whole_number
from tablewright.game.character.belongings import add_item
from tablewright.game.ground.bands import Together
from tablewright.game.play.actions import ActionUse, each_use
from tablewright.game.play.common_events import BelongingsChanged, Checked, Moved
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import OPEN_END, Duration, Effect, EffectEnded, EffectGained, Stacks
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.stage.actions.checks import against, plainly, result_of, with_powers
from tablewright.systems.stage.actions.maneuvers import outwits, outwitted
from tablewright.systems.stage.actions.move import around
from tablewright.systems.stage.actions.requirements import LIVING, able, end_of_next_turn, foes, friends
from tablewright.systems.stage.actions.resolution import suffer
from tablewright.systems.stage.actions.strike import endure
from tablewright.systems.stage.actions.turn import assisted
from tablewright.systems.stage.character.costs import skills_of
from tablewright.systems.stage.character.figures import amount_of, enchantments_in, surface_of, too_much_energy, wielded
from tablewright.systems.stage.character.gear import taken_up
from tablewright.systems.stage.character.record import PACK
from tablewright.systems.stage.content import Enchantment, Spell
from tablewright.systems.stage.effects import Adjust, Amount, Do, Forbid, Usable, deeds
from tablewright.systems.stage.effects import Lasting as Lasts
from tablewright.systems.stage.events.fight import ApChanged, Spent, Used
from tablewright.systems.stage.events.recovery import Rested
from tablewright.systems.stage.events.turn import CameBeside
from tablewright.systems.stage.harm import restore
from tablewright.systems.stage.mechanics.turn import dice
from tablewright.systems.stage.modifiers import carries_lightly, counters_of
from tablewright.systems.stage.now import affordable, distance, powers, price_of, subject
from tablewright.systems.stage.status import ANCHOR, PURSES, Gift, Status, carrier, lost, most, same_cube, stands
from tablewright.systems.stage.values import ATTRIBUTE_OF, ATTRIBUTES, SKILLS, SURFACE, TRACKS

# ---------------------------------------------------------------------- which


def action_powers(scene: Scene, who: str) -> Iterator[Usable]:
    """The powers that a character can use as an action in an encounter."""
    for one in powers(scene, who).values():
        if one.power.when == "action" and one.power.hours is None and one.power.type != "hide_in_plain_sight":
            yield one


def _aims(scene: Scene, who: str, one: Usable) -> list[str | None]:
    """Targets of a power."""
    to = [effect.to for effect in one.effects if isinstance(effect, (Lasts, Do))]
    if "targets" in to:
        far = max([1, *[effect.cubes for effect in one.effects if isinstance(effect, Lasts)]])
        return [each.id for each in friends(scene, who) if distance(scene, who, each.id) <= far]
    if "target" in to or "other" in to:
        if deeds(one.effects, "dispel"):
            return [each.id for each in (*foes(scene, who), *friends(scene, who))]
        harmful = any(
            isinstance(effect, Lasts)
            and any(isinstance(each, Forbid) or each.stack == "penalty" for each in effect.gives)
            for effect in one.effects
        )
        if harmful or deeds(one.effects, "lose_ap", "reveal"):
            return [foe.id for foe in foes(scene, who)]
        near = [one for one in friends(scene, who) if same_cube(scene, who, one.id)]
        return [each.id for each in near if "other" not in to or each.id != who]
    return [None]


def _uses(scene: Scene, who: str) -> Iterator[ActionUse]:
    if not scene[who].character.powers:
        return
    for one in action_powers(scene, who):
        for target in _aims(scene, who, one):
            label = one.power.name + (f" on {scene.display_name(target)}" if target else "")
            for detail in _details(scene, who, one):
                yield ActionUse("power", target, f"{one.id}{detail}", label=f"{label}{detail.replace('=', ' ')}")


def _details(scene: Scene, who: str, one: Usable) -> list[str]:
    """Choices that come before a power is used: points to spend, a track, a kind of damage, an item."""
    status: Status = scene[who].status
    for effect in one.effects:
        if isinstance(effect, Lasts):
            for each in effect.gives:
                if isinstance(each, Adjust) and each.amount.per in TRACKS:
                    level = scene[who].character.level(each.amount.most_level_of or "")
                    kept = 0 if scene.options.spend_last_core == "allow" else 1  # stage.resource.spend
                    left = status.left(ATTRIBUTE_OF[str(each.amount.per)]) - kept
                    return [f"={number}" for number in range(1, min(level, left) + 1)]
            if effect.choose:
                return [f"={each.on[0]}" for each in effect.gives if isinstance(each, Adjust)]
            if any(isinstance(each, Adjust) and "one_skill" in each.on for each in effect.gives):
                return [f"={skill.id}" for skill in skills_of(scene.options, scene.library)]
        elif isinstance(effect, Do) and len(effect.of) > 1 and effect.what in ("damage", "restore"):
            return [f"={kind}" for kind in effect.of]
        elif isinstance(effect, Do) and effect.what == "recompose":
            return [f"={track}" for track in SURFACE.values()]
    return [""]


def _named(scene: Scene, who: str, use: ActionUse) -> tuple[Usable | None, str]:
    name, _, choice = str(use.detail).partition("=")
    return powers(scene, who).get(name), choice


def _price(scene: Scene, who: str, use: ActionUse) -> Cost:
    one, choice = _named(scene, who, use)
    if one is None:
        return Cost()
    price = Cost.of(ap=one.power.ap or 0) + price_of(one.power)
    points = parse_whole_number(choice)
    if one.power.special == "points" and points is not None:
        for effect in one.effects:
            for each in effect.gives if isinstance(effect, Lasts) else ():
                if isinstance(each, Adjust) and each.amount.per in TRACKS:
                    price += Cost.of(**{str(each.amount.per): points})
    return price


def _sensible(scene: Scene, who: str, use: ActionUse) -> str | None:
    """A power is not used past its day, nor to move by the one who is held, nor for a light load with a heavy one."""
    one, choice = _named(scene, who, use)
    if one is None:
        return "is not at hand"
    if deeds(one.effects, "recompose"):
        if scene[who].status.day.used.get("recompose", 0) >= recompose_uses(scene, who):
            return "used up for today"
        every = SURFACE.values() if scene.options.recompose_scope == "all_tracks" else (choice or "stamina",)
        return None if any(lost(scene, who, each) for each in every) else f"no {' or '.join(every)} is lost"
    given = [each for effect in one.effects if isinstance(effect, Lasts) for each in effect.gives]
    moves = deeds(one.effects, "move") or any(isinstance(each, Adjust) and each.when == "moving" for each in given)
    if moves and scene[who].status.held("held") is not None:
        return "held in place"  # stage.brawl.grapple
    if moves and carrier(scene, who):
        return f"on {scene.display_name(carrier(scene, who))}"
    if any(isinstance(each, Adjust) and each.when == "light_load" for each in given):
        return None if carries_lightly(subject(scene, who)) else "too much load"
    return None


def recompose_uses(scene: Scene, who: str) -> int:
    """Uses of recompose a day: once, and once more by a power (stage.healing.recompose)."""
    more = 0
    for one in powers(scene, who).values():
        for effect in one.effects:
            if isinstance(effect, Adjust) and "recompose_per_day" in effect.on:
                more += effect.amount.flat
    return 1 + more


# ---------------------------------------------------------------------- doing it


@able(
    "Use a power",
    ("stage.power.concept", "stage.power.payment", "stage.power.reuse", "stage.power.format"),
    (LIVING, each_use(_sensible, "stage.power.reuse")),
    _uses,
    cost=_price,
    price_rule="stage.power.payment",
)
async def _power(game: Game, who: str, use: ActionUse) -> None:
    one, choice = _named(game.scene, who, use)
    if one is None:
        return
    rule = one.power.rule
    sharing = await _sharing(game, who, one) if one.also else ()
    for target in await _reached(game, who, use.target, one):
        for effect in one.effects:
            if isinstance(effect, Lasts):
                await last(game, who, target, one, effect, choice, sharing)
            elif isinstance(effect, Do):
                for each in (target, *sharing):
                    await do(game, who, each, one, effect, choice)
    game.emit(Checked(who=who, what=one.power.name, result="used", cause=rule))


async def _reached(game: Game, who: str, target: str | None, one: Usable) -> list[str]:
    """The target, and more where another power allows it, each for its cost (stage.power_effect.more_targets)."""
    if target is None:
        return [who]
    return [target, *await _more(game, who, one, [foe.id for foe in foes(game.scene, who) if foe.id != target])]


async def _more(game: Game, who: str, one: Usable, others: list[str]) -> list[str]:
    """Further targets out of those who could be reached, as the user chooses, each for its cost."""
    found: list[str] = []
    while one.more is not None:
        price, enough = Cost.of(**dict(one.more)), "enough"
        left = [each for each in others if each not in found]
        if not left or not stands(game[who]) or not affordable(game.scene, who, price):
            break
        taken = await choose(game.seat(who), "another target?", [enough, *left], details={"of": who})
        if taken == enough:
            break
        game.emit(Spent(who=who, price=price, on=one.power.name, cause="stage.power_effect.more_targets"))
        found.append(taken)
    return found


def _level(scene: Scene, who: str, skill: str | None) -> int:
    return int(scene[who].character.level(skill)) if skill else 0


async def _chosen(game: Game, who: str, found: list[str], skill: str | None, named: str = "") -> list[str]:
    """Targets in reach that the user chooses, at most as many as their level; the named target comes first."""
    most = max(1, _level(game.scene, who, skill))
    if len(found) <= most:
        return found
    taken = [named] if named in found else []
    while len(taken) < most:
        rest = [one for one in found if one not in taken]
        told = {"of": who, "left": most - len(taken)}
        taken.append(await choose(game.seat(who), "who is reached?", rest, details=told))
    return taken


async def _receivers(
    game: Game, who: str, target: str, one: Usable, effect: Lasts, sharing: tuple[str, ...]
) -> list[str]:
    """Characters that something lasting takes hold of; in the cube more than the level if a power allows it."""
    scene = game.scene
    if effect.to == "allies_in_cube":
        return [each.id for each in friends(scene, who) if each.id != who and same_cube(scene, who, each.id)]
    if effect.to == "foes_in_cube":
        near = [foe.id for foe in foes(scene, who) if same_cube(scene, who, foe.id)]
        if not effect.level_of:
            return near
        reached = await _chosen(game, who, near, effect.level_of)
        return [*reached, *await _more(game, who, one, [foe for foe in near if foe not in reached])]
    if effect.to == "targets":
        near = [each.id for each in friends(scene, who) if distance(scene, who, each.id) <= max(1, effect.cubes)]
        return await _chosen(game, who, near, effect.level_of, target)
    if effect.to in ("self", "item"):
        return [who, *sharing]
    return [target]


async def _sharing(game: Game, who: str, one: Usable) -> tuple[str, ...]:
    """Allies who share a power, each for its cost, as the user chooses (stage.power_effect.bestow)."""
    found: list[str] = []
    price = Cost.of(**dict(one.each))
    near = [each.id for each in friends(game.scene, who) if each.id != who and same_cube(game.scene, who, each.id)]
    while len(found) < len(near) and stands(game[who]) and affordable(game.scene, who, price):
        enough = "enough"
        told = {"of": who, "costs": PURSES.words_for(game.scene, who, price)}
        others = [each for each in near if each not in found]
        ally = await choose(game.seat(who), "share it with whom?", [enough, *others], details=told)
        if ally == enough:
            break
        game.emit(Spent(who=who, price=price, on=one.power.name, cause="stage.power_effect.bestow"))
        found.append(ally)
    return tuple(found)


def _until(scene: Scene, who: str, receiver: str, effect: Lasts) -> Duration:
    if effect.until == "targets_next_turn":
        return end_of_next_turn(scene, receiver)
    if effect.until == "rounds":
        return end_of_next_turn(scene, who, max(1, effect.rounds))
    if effect.until == "level_rounds":
        return end_of_next_turn(scene, who, max(1, _level(scene, who, effect.level_of)))
    return OPEN_END if effect.until == "end_of_encounter" else end_of_next_turn(scene, who)


async def last(
    game: Game, who: str, target: str, one: Usable, effect: Lasts, choice: str = "", sharing: tuple[str, ...] = ()
) -> None:
    """Apply a lasting effect to everyone it reaches: each of its parts, or the chosen one.

    What hinders others against the user hinders them against those who share the power as well.
    """
    rule = one.power.rule
    given = [each for each in effect.gives if not effect.choose or (isinstance(each, Adjust) and choice in each.on)]
    if any(isinstance(each, Adjust) and each.when == "moving" for each in given):
        await _go(game, who, rule)
    for receiver in await _receivers(game, who, target, one, effect, sharing):
        for each in given:
            gift = await _gift(game, who, receiver, one, effect, each, choice)
            if gift is None:
                continue
            stationary = isinstance(each, Adjust) and each.when == "stationary"
            id_ = "stationary" if stationary else one.id if len(given) == 1 else f"{one.id}_{each.effect}"
            if isinstance(each, Adjust) and each.op == "ignore":
                id_ = one.id
            elif isinstance(each, Adjust) and len(given) > 1:
                id_ = f"{one.id}_{each.on[0]}"
            until = _until(game.scene, who, receiver, effect)
            source = "encounter" if effect.until == "end_of_encounter" else _source(who, one, gift, choice)
            degree = max(1, abs(gift.flat) + abs(gift.dice))
            held = Effect(id_, until, degree, by=who, source=source, stacks=_stacks(each), data=gift)
            if isinstance(each, Adjust) and each.amount.check:
                _end_before(game, receiver, held)
            game.emit(EffectGained(who=receiver, what=held, cause=rule))
            for ally in sharing if gift.against else ():
                shared = replace(held, source=f"{source} {ally}", data=gift._replace(against=ally))
                game.emit(EffectGained(who=receiver, what=shared, cause=rule))


def _end_before(game: Game, who: str, new: Effect) -> None:
    """A new check in the place of an old one ends what that gave, also where it was better.

    (stage.power_effect.hd_from_check)
    """
    for held in game[who].status.lasting:
        if (held.id, held.source) == (new.id, new.source):
            game.emit(EffectEnded(who=who, what=held, cause="stage.power_effect.hd_from_check"))


def _source(who: str, one: Usable, gift: Gift, choice: str) -> str:
    """Key of a use of a power: its target, or its choice; uses with the same key do not add up.

    (stage.power_effect.target_penalty, stage.power_effect.ally_cube_bonus)
    """
    what = who if gift.against else choice if parse_whole_number(choice) is None else ""
    return f"{one.id} {what}" if what else one.id


def _stacks(each: Adjust | Forbid) -> Stacks:
    """Dice that were bought more than once lapse each in their time; the most count, and one check uses up all.

    (stage.power_effect.dice_per_resource, stage.modifier.special_dice)
    """
    return "apart" if isinstance(each, Adjust) and each.amount.per in TRACKS else "longest"


async def _gift(
    game: Game, who: str, receiver: str, one: Usable, effect: Lasts, each: Adjust | Forbid, choice: str
) -> Gift | None:
    rule = one.power.rule
    if isinstance(each, Forbid):
        return Gift(("denied",), against=who, rule=rule)
    character = game[who].character
    bonus = amount_of(each, character)
    pooled, flat_ = bonus.dice, bonus.flat
    amount: Amount = each.amount
    if amount.check:
        dice_, _ = await assisted(game, who, amount.check, one.power.ap or 0)
        make = plainly(game, who, amount.check, dice=dice_)
        result = await result_of(game, who, await with_powers(game, who, amount.check, make))
        flat_ = result.result if game.scene.options.hd_from_check == "result" else result.result // 2
    if amount.instead_level_of and game.scene.options.ally_bonus == "skill_level_flat":
        pooled, flat_ = 0, character.level(amount.instead_level_of)
    if amount.per == "disability":
        from_counters = counters_of(subject(game.scene, receiver)).total
        pooled = min(from_counters, _level(game.scene, who, amount.most_level_of))
        if not pooled:
            return None
    elif amount.per is not None:
        points = parse_whole_number(choice)
        pooled = pooled if points is None else points
    on = tuple([choice if word == "one_skill" and choice in SKILLS else word for word in each.on])
    against, light = who if "opposed_against_user" in on else "", each.when == "light_load"
    return Gift(on, pooled, flat_, each.stack, once=effect.once, against=against, cap=one.cap, rule=rule, light=light)


async def _go(game: Game, who: str, rule: str) -> None:
    """A move that is part of a power: up to the speed score, or none."""
    here = game[who].position
    if here is None or isinstance(game.scene.ground, Together):
        return
    stay = "stay"
    places = [stay, *[name for _, name in around(game.scene.ground, here, most(game.scene, who).speed)]]
    to = await choose(game.seat(who), "where to?", places, details={"of": who})
    if to != stay:
        game.emit(Moved(who=who, position=game.scene.ground.parse(to), cause=rule))


async def do(game: Game, who: str, target: str, one: Usable, effect: Do, choice: str = "") -> None:
    """Apply an immediate effect."""
    rule = one.power.rule
    if effect.what == "gain_ap":
        game.emit(ApChanged(who=target, amount=effect.amount.flat, cause=rule))
    elif effect.what == "lose_ap":
        strips = not effect.check or await _provokes(game, who, target, one, effect.check)
        if strips and game[target].status.ap:
            game.emit(ApChanged(who=target, amount=-game[target].status.ap, cause=rule))
    elif effect.what == "damage":
        await _hurt_many(game, who, one, effect, choice)
    elif effect.what == "restore":
        track = choice or effect.of[0]
        amount = await dice(effect.amount.dice, effect.amount.flat).by(game.seat(who))
        restore(game, target, track, amount, rule)
    elif effect.what == "move":
        others = [foe.id for foe in foes(game.scene, who) if same_cube(game.scene, who, foe.id)]
        to = await choose(game.seat(who), "next to whom?", ["nobody", *others], details={"of": who})
        game.emit(CameBeside(who=who, others=() if to == "nobody" else (to,), cause=rule))
    elif effect.what == "reveal":
        status: Status = game[target].status
        told = ", ".join([f"{track} {getattr(status, track)}" for track in TRACKS])
        what = f"{one.power.name} on {game.scene.display_name(target)}"
        game.emit(Checked(who=who, what=what, result=told, to=game.seat(who), cause=rule))
    elif effect.what == "recompose":
        await recompose(game, who, choice or "stamina", rule)
    elif effect.what == "dispel":
        await _dispel(game, who, target, one.power.ap or 0, rule)
    elif effect.what == "rest":
        game.emit(Used(who=who, what=one.id, cause=rule))
        game.emit(Rested(who=who, cause=rule))
    elif effect.what == "telekinesis":
        game.emit(Checked(who=who, what=one.power.name, result="something small moves", cause=rule))


async def _provokes(game: Game, who: str, target: str, one: Usable, key: str) -> bool:
    """True if a power comes off that a check against Perception (intuition) decides."""
    lent, _ = await assisted(game, who, key, one.power.ap or 0)
    return await outwits(game, who, target, key, "perception.intuition", one.power.rule, dice=lent)


async def recompose(game: Game, who: str, track: str, rule: str) -> None:
    """One surface track is full again, or all of them where the table says so."""
    tracks = list(SURFACE.values()) if game.scene.options.recompose_scope == "all_tracks" else [track]
    game.emit(Used(who=who, what="recompose", cause=rule))
    for each in tracks:
        restore(game, who, each, int(getattr(most(game.scene, who), each)), rule)


async def _hurt_many(game: Game, who: str, one: Usable, effect: Do, choice: str) -> None:
    """Damage to those in the cube who lose against one's check, rolled once (stage.power_effect.area_damage)."""
    near = [foe.id for foe in foes(game.scene, who) if same_cube(game.scene, who, foe.id)]
    near = await _chosen(game, who, near, effect.level_of)
    ap, rule = one.power.ap or 0, one.power.rule
    lost = await outwitted(game, who, near, effect.check, rule, ap=ap) if near else []
    if not lost:
        return
    damage = await dice(effect.amount.dice, effect.amount.flat).by(game.seat(who))
    attribute = next(kind for kind in ATTRIBUTES if kind == choice or (not choice and kind in effect.of))
    for foe in lost:
        suffered = await suffer(game, game.seat(who), foe, damage, attribute)
        endure(game, foe, who, one.power.name, attribute, suffered, one.power.rule)


async def _dispel(game: Game, who: str, target: str, ap: int, rule: str) -> None:
    """A magical effect ends on a counter check of its skill against three times its circle."""
    for held in game[target].status.lasting:
        if not game.scene.library.has(Spell, held.id):
            continue
        spell = game.scene.library.get(Spell, held.id)
        price = Cost.of(**{surface_of(spell.schools[0], game.scene.library): spell.circle})
        if not affordable(game.scene, who, price):
            return
        game.emit(Spent(who=who, price=price, on="Dispel", cause=rule))
        key = f"{spell.schools[0]}.counter"
        lent, _ = await assisted(game, who, key, ap)
        made = await with_powers(game, who, key, plainly(game, who, key, dice=lent))
        result = await against(game, who, made, 3 * spell.circle)
        if result.success and held in game[target].status.lasting:
            game.emit(EffectEnded(who=target, what=held, cause=rule))
        return
    game.emit(Checked(who=who, what="Dispel", result="there is no magic to end", cause=rule))


# ---------------------------------------------------------------------- enchanted items


def _activations(scene: Scene, who: str) -> Iterator[ActionUse]:
    if scene.options.magic == "off":
        return
    status: Status = scene[who].status
    for away, things in ((False, wielded(status.belongings)), (True, status.away)):
        for carried in things:
            for id_ in enchantments_in(carried):
                found = scene.library.get(Enchantment, id_) if scene.library.has(Enchantment, id_) else None
                # a thing that comes back is called on when it is away
                if found is not None and not found.passive and bool(deeds(found.effects, "return_item")) is away:
                    label = f"{found.name} of {carried.item.replace('_', ' ')}"
                    yield ActionUse("activate", detail=f"{carried.item}={id_}", label=label)


def _enchantment(scene: Scene, use: ActionUse) -> Enchantment:
    found: Enchantment = scene.library.get(Enchantment, str(use.detail).partition("=")[2])
    return found


def _activation_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    found = _enchantment(scene, use)
    return Cost.of(ap=found.ap, **dict(found.cost))


def _within_limits(scene: Scene, who: str, use: ActionUse) -> str | None:
    one: Participant = scene[who]
    over = too_much_energy(one.character, one.status.belongings, scene.options, scene.library)
    return f"too much {', '.join(over)} in what is wielded" if over else None


def _not_used_today(scene: Scene, who: str, use: ActionUse) -> str | None:
    found = _enchantment(scene, use)
    used = scene[who].status.day.used.get(found.id, 0)
    return "used up for today" if found.per_day and used >= found.per_day else None


@able(
    "Call on an item",
    ("stage.magic.enchantment_types", "stage.magic.use_limits"),
    (
        each_use(_within_limits, "stage.magic.use_limits"),
        each_use(_not_used_today, "stage.gap.magic.enchantments"),
    ),
    _activations,
    cost=_activation_price,
)
async def _activate(game: Game, who: str, use: ActionUse) -> None:
    found, rule = _enchantment(game.scene, use), "stage.magic.enchantment_types"
    if found.per_day:
        game.emit(Used(who=who, what=found.id, cause=rule))
    for effect in found.effects:
        if isinstance(effect, Lasts):
            for each in effect.gives:
                if isinstance(each, Adjust):
                    gift = Gift(
                        each.on, each.amount.dice, each.amount.flat, each.stack, rule="stage.gap.magic.enchantments"
                    )
                    until = end_of_next_turn(game.scene, who)
                    held = Effect(found.id, until, by=who, source=found.id, data=gift)
                    game.emit(EffectGained(who=who, what=held, cause=rule))
        elif isinstance(effect, Do) and effect.what == "return_item":
            _call_back(game, who, str(use.detail).partition("=")[0], effect.cubes, rule)
        elif isinstance(effect, Do) and effect.what == "halve_soul_damage":
            held = Effect(ANCHOR, OPEN_END, by=who, source="encounter")
            game.emit(EffectGained(who=who, what=held, cause=rule))


def _call_back(game: Game, who: str, item: str, cubes: int, rule: str) -> None:
    """Return an item within reach to its wielder's hand."""
    here = game[who].position
    for lying in game.scene.loose_items:
        near = here is None or lying.position is None or game.scene.ground.within(here, lying.position, cubes)
        if lying.owner == who and lying.item == item and near:
            mine = add_item(game[who].status.belongings, lying.item, place=PACK, left=lying.left)
            mine = taken_up(mine, lying.item, most(game.scene, who).size, game.scene.library)
            what = f"{lying.item} jumps back"
            game.emit(BelongingsChanged(who=who, what=what, belongings=mine, taken_up=(lying,), cause=rule))
            return


USING = (_power, _activate)
