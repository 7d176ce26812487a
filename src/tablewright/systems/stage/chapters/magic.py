"""Magic: spells and rituals as actions and processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from tablewright.engine import choose
from tablewright.engine.tally import Part
from tablewright.game.character.belongings import ItemStack, with_one
from tablewright.game.play.actions import ActionUse, each_use
from tablewright.game.play.common_events import BelongingsChanged, Checked, Moved, ParticipantJoined
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Duration, Effect, EffectEnded, EffectGained
from tablewright.game.play.movement import ask_place, has_place
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.stage.actions.aim import blocks
from tablewright.systems.stage.actions.checks import against
from tablewright.systems.stage.actions.defences import (
    MOST_WAYS,
    OPPOSED,
    Defending,
    Once,
    announcing,
    bundles,
    defences,
    helping,
    once_opposed,
)
from tablewright.systems.stage.actions.maneuvers import put_elsewhere
from tablewright.systems.stage.actions.requirements import EXPOSED, able, ambushes, end_of_next_turn, show_up, use_up
from tablewright.systems.stage.actions.resolution import Met, attempt, declare, resolve, use_up_answers
from tablewright.systems.stage.actions.strike import after_defence, fails_in_the_dark
from tablewright.systems.stage.actions.turn import assisted, backing
from tablewright.systems.stage.chapters.spells import (
    KEEPING_UP,
    SPELL,
    Casting,
    best_school,
    casting_named,
    casting_of,
    known_spells,
)
from tablewright.systems.stage.character.figures import items
from tablewright.systems.stage.content import Spell
from tablewright.systems.stage.effects import Adjust, ChangeSpell, Do, Permit, Usable, deeds
from tablewright.systems.stage.effects import Lasting as Lasts
from tablewright.systems.stage.effects import Price as OtherPrice
from tablewright.systems.stage.events.fight import ApChanged, Spent
from tablewright.systems.stage.events.turn import SUMMONED, StanceChanged
from tablewright.systems.stage.harm import land, restore
from tablewright.systems.stage.mechanics.attack import Maneuver, Target, maneuver
from tablewright.systems.stage.mechanics.forms import Form, is_opposed
from tablewright.systems.stage.mechanics.turn import dice
from tablewright.systems.stage.modifiers import Rolled
from tablewright.systems.stage.now import (
    affordable,
    check_rules,
    distance,
    hit_difficulty,
    pool,
    powers,
    price_of,
    resistance_of,
)
from tablewright.systems.stage.now import announced as announced_price
from tablewright.systems.stage.status import Gift, Status, adjacent, stands
from tablewright.systems.stage.values import ATTRIBUTES, SURFACE, Attribute


def _casts(scene: Scene, who: str) -> Iterator[ActionUse]:
    if not scene[who].character.spells and not scene[who].character.powers:
        return
    for spell, _ in known_spells(scene, who):
        others = [f"{spell.id}@{school}" for school in spell.schools if school != best_school(scene, who, spell)]
        named = [spell.id, *others] if len(spell.schools) > 1 else [spell.id]
        forms = [f"{name}={one.name}" for name in named for one in spell.elements] or named
        changing = _changing(scene, who, spell)
        for target in _targets(scene, who, spell):
            on = "" if target is None else f" on {scene.display_name(target)}"
            for form in forms:
                element = form.partition("=")[2]
                label = f"{spell.name} ({element}){on}" if element else f"{spell.name}{on}"
                school = form.partition("=")[0].partition("@")[2]
                label += f", with {school.title()}" if school else ""
                yield ActionUse("cast", target, form, label=label)
                for one in changing:
                    yield ActionUse("cast", target, f"{form}+{one.id}", label=f"{label}, {one.power.name}")


def _changing(scene: Scene, who: str, spell: Spell) -> list[Usable]:
    """Powers with which a spell is cast otherwise: for other AP, longer, further."""
    found = []
    for one in powers(scene, who).values():
        for effect in one.effects:
            quick = isinstance(effect, OtherPrice) and any(
                f"{school}.cast" in effect.actions for school in spell.schools
            )
            longer = isinstance(effect, ChangeSpell) and (bool(spell.cubes) if effect.op == "expand" else _lasts(spell))
            unbound = isinstance(effect, Permit) and effect.what == "cast_unbound" and effect.school in spell.schools
            if quick or longer or (unbound and _is_bound(scene, who)):
                found.append(one)
    return found


def _lasts(spell: Spell) -> bool:
    """True if a spell has a duration that could be longer."""
    return bool(deeds(spell.effects, "summon")) or any(isinstance(one, Lasts) for one in spell.effects)


def _longer_by(casting: Casting) -> int:
    """The rounds that a power adds to a spell (stage.power_effect.spell_modifier)."""
    effects_ = () if casting.power is None else casting.power.effects
    return int(any(isinstance(one, ChangeSpell) and one.op == "extend" for one in effects_))


def _is_bound(scene: Scene, who: str) -> bool:
    """True if a character lacks the freedom to cast: bound, or mute (stage.magic.freedom)."""
    return bool(scene.facts.get("bound", who) or scene.facts.get("mute", who))


def _targets(scene: Scene, who: str, spell: Spell) -> list[str | None]:
    """Targets of a spell: foes for harm, the own side for help."""
    if spell.on_oneself or spell.on_object or (spell.difficulty is not None and not spell.cubes):
        return [None]
    helps = bool(deeds(spell.effects, "restore", "message")) or any(isinstance(one, Lasts) for one in spell.effects)
    side = scene[who].side
    found: list[str | None] = []
    for one in scene.participants:
        if not one.present or one.status.dead or (one.hidden and one.side != side):
            continue
        if helps == (one.side == side):
            found.append(one.id)
    return found


def reach_of(casting: Casting) -> int | None:
    """Reach of a spell in cubes; None for one in melee."""
    if casting.spell.cubes is None:
        return None
    expands = casting.power is not None and any(
        isinstance(one, ChangeSpell) and one.op == "expand" for one in casting.power.effects
    )
    return casting.spell.cubes * (2 if expands else 1)


# ---------------------------------------------------------------------- what it takes


def cost_of(scene: Scene, who: str, casting: Casting) -> Cost:
    """AP and points: the spell's own, a point less once it was made cheaper, and the power's on top."""
    spell = casting.spell
    price = Cost.of(**dict(spell.cost))
    status: Status = scene[who].status
    if any("spell_cost" in held.data.on for held in status.lasting if isinstance(held.data, Gift)):
        first = next(iter(spell.cost))
        price = price.instead(**{first: max(0, price[first] - 1)})  # stage.power_effect.spell_modifier
    ap = spell.ap
    if casting.power is not None:
        surface = SURFACE[_attribute_of(casting.school, scene)]
        for effect in casting.power.effects:
            if isinstance(effect, OtherPrice):
                ap = effect.ap
            elif isinstance(effect, ChangeSpell):
                price += Cost.of(**{surface: spell.circle if effect.op == "expand" else 1})
        price += price_of(casting.power.power)
    return Cost.of(ap=ap) + price


def _attribute_of(school: str, scene: Scene) -> Attribute:
    found: Attribute = scene.library.get("skills", school).attribute
    return found


def _price(scene: Scene, who: str, use: ActionUse) -> Cost:
    return _cost(scene, who, str(use.detail))


@cached_on_scene
def _cost(scene: Scene, who: str, detail: str) -> Cost:
    casting = casting_named(scene, who, detail)
    return Cost() if casting is None else cost_of(scene, who, casting)


def _in_reach(scene: Scene, who: str, use: ActionUse) -> str | None:
    casting = casting_of(scene, who, use)
    if casting is None:
        return "not known"
    if use.target is None or use.target == who:
        return None
    reach = reach_of(casting)
    if reach is None:
        return None if adjacent(scene, who, use.target) else f"{scene.display_name(use.target)} is not adjacent"
    return None if distance(scene, who, use.target) <= reach else f"{scene.display_name(use.target)} is out of reach"


def _free_to_cast(scene: Scene, who: str, use: ActionUse) -> str | None:
    """An arm, a leg and an eye, and speech; a power lifts that for spells out of the Focus (stage.magic.freedom)."""
    if not _is_bound(scene, who):
        return None
    casting = casting_of(scene, who, use)
    own = casting.power.effects if casting is not None and casting.focus and casting.power is not None else ()
    unbound = any(isinstance(one, Permit) and one.what == "cast_unbound" for one in own)
    return None if unbound else "bound or mute"


# ---------------------------------------------------------------------- casting


def _pool(
    scene: Scene,
    who: str,
    casting: Casting,
    target: str | None,
    announced: tuple[Usable, ...] = (),
    words: tuple[str, ...] = (),
) -> Rolled:
    """The dice pool of a spell; ``words`` say that the target defends (stage.opposed.basic)."""
    more = casting.lent
    if casting.focus and not casting.spell.focus:
        more += (Part("Focus", 1, "stage.magic.focus", "mundane"),)
    key = f"{casting.school}.cast"
    return pool(scene, who, key, against=target or "", words=words, dice=more, announced=announced)


def _announcing(scene: Scene, who: str, casting: Casting, target: str | None) -> Once:
    """The powers that can be announced for a spell in one roll (stage.power.announce)."""
    made = partial(_pool, scene, who, casting, target)
    return announcing(scene, who, f"{casting.school}.cast", made, Cost(), partial(made, words=OPPOSED))


def _something_damaged(scene: Scene, who: str, use: ActionUse) -> str | None:
    casting = casting_of(scene, who, use)
    on_object = casting is not None and casting.spell.on_object
    return "nothing is damaged" if on_object and not _damaged(scene, who) else None


@able(
    "Cast",
    ("stage.magic.app_cast", "stage.magic.cast_skill", "stage.magic.target_melee", "stage.magic.target_ranged"),
    (
        each_use(_free_to_cast, "stage.magic.freedom"),
        each_use(_in_reach, "stage.magic.target_ranged"),
        each_use(_something_damaged, "stage.gap.magic.spells"),
        EXPOSED,
    ),
    _casts,
    cost=_price,
    price_rule="stage.resource.spend",
)
async def _cast(game: Game, who: str, use: ActionUse) -> None:
    casting = casting_of(game.scene, who, use)
    if casting is None:
        return
    rule, spell = "stage.magic.app_cast", casting.spell
    ap = cost_of(game.scene, who, casting)["ap"]
    for held in game[who].status.lasting:
        if isinstance(held.data, Gift) and "spell_cost" in held.data.on:
            game.emit(EffectEnded(who=who, what=held, cause="stage.power_effect.spell_modifier"))
    if use.target is not None and await fails_in_the_dark(game, who, f"{casting.school}.cast"):
        return
    lent, _ = await assisted(game, who, f"{casting.school}.cast", ap)
    casting = casting._replace(lent=lent)
    if use.target is None:
        difficulty = spell.difficulty or 1
        if spell.on_object:
            casting = casting._replace(thing=await _touched(game, who))
            difficulty = 1 if casting.thing is None else items(game.scene.library)[casting.thing.item].complexity
        if await _flat(game, who, casting, difficulty):
            await happen(game, who, who, casting)
        return
    target = use.target
    harm = deeds(spell.effects, "damage")
    if harm:
        await _strike(game, who, target, casting, harm[0])
    elif await _hits(game, who, target, casting):
        await happen(game, who, target, casting)
    show_up(game, who, rule)


def _damaged(scene: Scene, who: str) -> list[ItemStack]:
    """The things that a character carries and that could be mended."""
    known = items(scene.library)
    mine = scene[who].status.belongings
    return [one for one in mine if one.left is not None and known[one.item].integrity is not None]


async def _touched(game: Game, who: str) -> ItemStack | None:
    """The thing that a spell is meant for, as the caster chooses (stage.gap.magic.spells)."""
    able = {one.item: one for one in reversed(_damaged(game.scene, who))}
    if len(able) < 2:
        return next(iter(able.values()), None)
    return able[await choose(game.seat(who), "which thing?", list(reversed(able)), details={"of": who})]


async def _flat(game: Game, who: str, casting: Casting, difficulty: int) -> bool:
    """A spell without a target, against a Difficulty of its own."""
    scene = game.scene
    made, once = _pool(scene, who, casting, None), _announcing(scene, who, casting, None)
    rule, what = "stage.magic.app_cast", casting.spell.name
    if once.forms:
        call = maneuver(
            made.dice.total,
            made.flat.total,
            Target(max(1, difficulty)),
            untrained=made.untrained,
            announced=once.forms,
            rules=check_rules(scene),
        )
        tallies = {"dice": made.dice, "modifier": made.flat}
        result: Maneuver = await call.by(game.seat(who), tallies=tallies)
        success, price = result.success, once.prices.get(result.form, Cost())
        if price.amounts:
            game.emit(Spent(who=who, price=price, on=what, cause="stage.power.announce"))
    else:
        success = (await against(game, who, made, difficulty)).success
    game.emit(Checked(who=who, what=what, result="cast" if success else "fails", cause=rule))
    return success


async def _hits(game: Game, who: str, target: str, casting: Casting) -> bool:
    """A spell must hit even a willing target, whose Size and cover still count; only who is unwilling defends.

    (stage.magic.target_melee, stage.gap.magic.willing, and the example stage.magic.example_melee)
    """
    scene = game.scene
    made, once = _pool(scene, who, casting, target), _announcing(scene, who, casting, target)
    met = Met(hit_difficulty(scene, target, who, missile=bool(casting.spell.cubes)), Defending())
    if scene[target].side != scene[who].side:
        declare(game, who, target, casting.spell.name, "stage.magic.app_cast")
        if not _unnoticed(scene, who, casting.spell):
            met, _ = await _meeting(game, who, target, casting)
    opposed = _pool(scene, who, casting, target, words=OPPOSED)
    result = await attempt(game, who, target, casting.spell.name, made, opposed, once, met, _targeted(casting.spell))
    answered = met.defending.answers.get(result.defence)
    await after_defence(game, target, who, answered, success=not result.success, school=casting.school)
    return result.success


def _unnoticed(scene: Scene, who: str, spell: Spell) -> bool:
    """True if the target is unaware of a spell: it is not seen, and neither is the caster (stage.magic.visibility)."""
    return not spell.visible and scene[who].hidden


def _targeted(spell: Spell) -> str:
    """The rule by which a spell reaches its target."""
    return "stage.magic.target_melee" if spell.cubes is None else "stage.magic.target_ranged"


async def _meeting(game: Game, who: str, target: str, casting: Casting) -> tuple[Met, tuple[str, ...]]:
    """The target's Hit Difficulty and defences against a spell, and who helps it; none against what no one sees."""
    scene, spell = game.scene, casting.spell
    hard = hit_difficulty(scene, target, who, missile=bool(spell.cubes))
    helpers = await backing(game, target, casting.school)
    if _unnoticed(scene, who, spell):
        return Met(hard, Defending()), helpers
    melee, ambush, school = spell.cubes is None, ambushes(scene, who, target), casting.school
    found = defences(scene, target, who, melee=melee, school=school, ambush=ambush, cover=hard.cover, helpers=helpers)
    return Met(hard, found), helpers


async def _strike(game: Game, who: str, target: str, casting: Casting, harm: Do) -> None:
    """A spell that hurts: an attack like any other, with the spell's own damage or the second roll.

    (The book's example: stage.magic.example_ranged.)
    """
    scene, spell = game.scene, casting.spell
    attribute: Attribute = next(one for one in ATTRIBUTES if one in harm.of)
    flat_more = harm.amount.flat + (casting.element.flat if casting.element else 0)
    if casting.focus and spell.focus:
        flat_more += spell.focus
    form = f" ({casting.element.name})" if casting.element else ""
    declare(game, who, target, spell.name + form, "stage.magic.app_cast")
    met, helpers = await _meeting(game, who, target, casting)
    blocking = blocks(scene, target, attribute, ambush=ambushes(scene, who, target), helpers=helpers)
    resistance = 0 if harm.ignores_resistance else resistance_of(scene, target, attribute)
    if casting.element is not None:
        resistance = max(0, resistance - casting.element.ignores_resistance)
    met = met._replace(blocking=blocking, resistance=resistance)
    forming = _forms(scene, who, casting, target, harm, flat_more)
    resolved = await resolve(game, scene[who].seat, target, tuple([made for made, _ in forming.values()]), met)
    result = resolved.result
    struck = resolved.attacked(
        target,
        who,
        spell.name + form,
        _targeted(spell),
        attribute=attribute,
        form="" if result.form == "plain" else result.form,
        defence=result.defence,
        spent=forming[result.form][1],
        botch=result.botch,
    )
    land(game, struck)
    words = OPPOSED if is_opposed(result.defence) else ()
    use_up(game, who, _pool(scene, who, casting, target, words=words).once, "stage.magic.app_cast")
    use_up_answers(game, target, resolved, "stage.magic.app_cast")
    if result.hit and stands(game[target]):
        loses = casting.element.loses_ap if casting.element is not None and result.damage else 0
        loses += sum([one.amount.flat for one in deeds(spell.effects, "lose_ap")])
        if loses and game[target].status.ap:
            game.emit(ApChanged(who=target, amount=-loses, cause="stage.gap.magic.spells"))
    await after_defence(game, target, who, resolved.answered, success=not result.hit, school=casting.school)


def _forms(scene: Scene, who: str, casting: Casting, target: str, harm: Do, more: int) -> dict[str, tuple[Form, Cost]]:
    """A spell plain and with the powers that can be announced for it, with their price; the spell is paid already."""

    def form(name: str, bundle: tuple[Usable, ...]) -> Form:
        rolled = _pool(scene, who, casting, target, bundle)
        points = sum([sum(one.power.cost.values()) for one in bundle])
        made = Form(name, rolled.dice.total, second=more, points=points, untrained=rolled.untrained)
        if casting.spell.check == "leveled":
            made = made._replace(bonuses=rolled.bonuses, penalties=rolled.penalties)
        else:
            made = made._replace(first=rolled.flat.total, own_second=harm.amount.dice)
        return once_opposed(made, rolled, _pool(scene, who, casting, target, bundle, OPPOSED))

    found: dict[str, tuple[Usable, ...]] = {"plain": ()}
    for bundle in bundles(helping(scene, who, f"{casting.school}.cast")):
        if len(found) < MOST_WAYS and affordable(scene, who, announced_price(bundle)):
            found["+".join([one.id for one in bundle])] = bundle
    return {name: (form(name, bundle), announced_price(bundle)) for name, bundle in found.items()}


# ---------------------------------------------------------------------- what a spell does


async def happen(game: Game, who: str, target: str, casting: Casting) -> None:
    """Apply the effects of a successful spell to its target."""
    rule, spell = "stage.gap.magic.spells", casting.spell
    for one in spell.effects:
        if isinstance(one, Lasts):
            _take_hold(game, who, target, casting, one, longer=_longer_by(casting))
        elif isinstance(one, Do):
            await _do(game, who, target, casting, one, rule)


def _take_hold(game: Game, who: str, target: str, casting: Casting, one: Lasts, *, longer: int) -> None:
    for each in one.gives:
        if not isinstance(each, Adjust):
            continue
        rounds = (one.rounds or 1) + longer
        until: Duration = end_of_next_turn(game.scene, who, rounds)
        gift = Gift(each.on, each.amount.dice, each.amount.flat, each.stack, rule="stage.gap.magic.spells")
        source = f"{SPELL}{casting.spell.id}" if one.until == "maintained" else casting.spell.id
        held = Effect(casting.spell.id, until, casting.spell.circle, by=who, source=source, data=gift)
        game.emit(EffectGained(who=target, what=held, cause="stage.magic.app_cast"))


async def _do(game: Game, who: str, target: str, casting: Casting, one: Do, rule: str) -> None:
    if one.what == "restore":
        amount = await dice(one.amount.dice, one.amount.flat).by(game.seat(who))
        more = casting.spell.focus if casting.focus else 0
        restore(game, target, one.of[0], amount + more, rule)
    elif one.what == "lose_ap":
        game.emit(ApChanged(who=target, amount=-one.amount.flat, cause=rule))
    elif one.what == "shove":
        prone = await choose(game.seat(who), "move or trip?", ["move", "trip"], details={"of": target})
        if prone == "trip":
            game.emit(StanceChanged(who=target, stance="prone", cause=rule))
        else:
            await put_elsewhere(game, who, target, one.cubes, rule)
    elif one.what == "teleport":
        await _teleport(game, who, one.cubes, rule)
    elif one.what == "summon":
        summon(game, who, casting.spell.id, one.of[0], one.amount.flat + _longer_by(casting), rule)
    elif one.what == "restore_integrity":
        await _mend(game, who, casting.thing, one, rule)
    elif one.what == "message":
        to = game.scene.display_name(target)
        game.emit(Checked(who=who, what=f"a message to {to}", result="for a minute", cause=rule))


async def _teleport(game: Game, who: str, cubes: int, rule: str) -> None:
    here = game[who].position
    if here is None or not has_place(game.scene, who):
        return
    places = [at for at in game.scene.ground.reachable(here, cubes) if at != here]
    if places:
        game.emit(Moved(who=who, position=await ask_place(game, who, places, {"of": who}), cause=rule))


def summon(game: Game, who: str, spell: str, creature: str, rounds: int, rule: str) -> None:
    """A creature joins the caster's group for some rounds."""
    number = 1 + sum([one.id.startswith(f"{who}-{creature}") for one in game.scene.participants])
    id_ = f"{who}-{creature}-{number}"
    character = game.rulebook.character_of(creature, game.scene.library)
    me = game[who]
    joins = game.rulebook.participant(
        character, game.scene.options, game.scene.library, id=id_, side=me.side, seat=me.seat, position=me.position
    )
    game.emit(ParticipantJoined(who=id_, name=character.name, side=me.side, participant=joins, cause=rule))
    stays = Effect(spell, end_of_next_turn(game.scene, who, rounds), by=who, source=SUMMONED)
    game.emit(EffectGained(who=id_, what=stays, cause=rule))


async def _mend(game: Game, who: str, chosen: ItemStack | None, one: Do, rule: str) -> None:
    mine = game[who].status.belongings
    if chosen is None or chosen not in mine:
        return
    amount = await dice(one.amount.dice).by(game.seat(who))
    whole = items(game.scene.library)[chosen.item].integrity or 0
    now = min(whole, (chosen.left or 0) + amount)
    fixed = with_one(mine, mine.index(chosen), replace(chosen, count=1, left=None if now == whole else now))
    game.emit(BelongingsChanged(who=who, what=f"{chosen.item} is mended", belongings=fixed, cause=rule))


MAGIC = (_cast, *KEEPING_UP)
