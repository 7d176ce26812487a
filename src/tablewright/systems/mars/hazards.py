"""What the game master lets happen: traps and falls, fire, effects that take hold or end, noise that wakes sleepers."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from tablewright.engine import Call, Param, process
from tablewright.errors import BadInput, RulesSayNo, nearest
from tablewright.game.scene import Live, Scene
from tablewright.systems.mars.actions.talents import concentrate as turn_to
from tablewright.systems.mars.advancement import change
from tablewright.systems.mars.aiming import category_of, rulings
from tablewright.systems.mars.character import Change, Effect, MarsCharacter
from tablewright.systems.mars.content import SECONDARY, STATS, DamageType, Skill
from tablewright.systems.mars.damage import Fall, Reduced
from tablewright.systems.mars.damage import damage as roll_damage
from tablewright.systems.mars.damage import fall as land
from tablewright.systems.mars.effects import lasting
from tablewright.systems.mars.events import EffectEnded, Woke, effect_named
from tablewright.systems.mars.harm import as_rolled, can_wake, dice_rules, hurt, take_hold
from tablewright.systems.mars.now import now
from tablewright.systems.mars.values import Degree, RollValue

Who = Annotated[str, Param("the id of somebody in the scene")]
PIPELINE, BURNING, EFFECTS = "mars.damage.pipeline", "mars.effect.burning", "mars.effect.list"
CHANGES = "mars.effect.stat_changes"
MOST_CHANGE = 50


@process(rules=[PIPELINE, "mars.damage.types"])
async def hazard(
    game: Live,
    who: Who,
    damage: Annotated[RollValue, Param("the damage, such as r8+1")],
    kind: Annotated[DamageType, Param("the type of damage")] = "bludgeoning",
    reduced: Annotated[Reduced, Param("whether damage reduction counts: by the type, always or never")] = "by_type",
    halvings: Annotated[int, Param("how often it is halved", 0, 9)] = 0,
    doublings: Annotated[int, Param("how often it is doubled", 0, 9)] = 0,
    nonlethal: Annotated[bool, Param("whether it stuns rather than kills")] = False,
    source: Annotated[str, Param("what it is: a trap, a spell, a rockfall")] = "hazard",
) -> int:
    """Something hurts somebody: the damage goes the way of all damage."""
    options = game.scene.options
    less = now(game.scene, who).reduction(kind)
    call = roll_damage(
        damage,
        Degree.SUCCESS,
        max(0, less.total),
        category=category_of(kind),
        reduced=reduced,
        halvings=halvings,
        doublings=doublings,
        half_double_mix=options.half_double_mix,
        **dice_rules(game.scene)._asdict(),
    )
    harm = await call.by("game master", game.seat(who), tallies={"reduction": less})
    await hurt(game, who, harm.character, source, cause=PIPELINE, nonlethal=nonlethal)
    return harm.character


@process(rules=["mars.gap.fight.falling", PIPELINE])
async def fall(game: Live, who: Who, metres: Annotated[int, Param("how deep", 1, 100)]) -> Fall:
    """Somebody falls and, while conscious, tries to land well."""
    throw = now(game.scene, who).skill("agility").with_parts(rulings(game.scene, "agility", game[who].id))
    throw = as_rolled(game.scene, who, throw)
    helpless = not game[who].status.conscious  # mars.effect.unconscious
    luck = (throw.advantage, throw.disadvantage)
    call: Call[Fall] = Call(land, (throw.value, metres, *luck, helpless, *dice_rules(game.scene)))
    result = await call.by(game.seat(who), tallies=throw.tallies("agility"))
    if result.damage:
        await hurt(game, who, result.damage, f"a fall of {metres} m", cause="mars.gap.fight.falling")
    return result


@process(rules=[BURNING])
async def ignite(game: Live, who: Who, degree: Annotated[int, Param("the degree of the fire", 1, 20)] = 1) -> None:
    """Somebody catches fire, or burns more than before."""
    await take_hold(game, who, Effect("burning", degree=degree), cause=BURNING)


@process(rules=[BURNING])
async def douse(game: Live, who: Who) -> None:
    """Water puts a fire out entirely."""
    if not game[who].status.has("burning"):
        raise RulesSayNo(f"{game.scene.called(who)} is not burning", rule=BURNING)
    game.emit(EffectEnded(who=who, effect="burning", cause=BURNING))


@process(rules=[EFFECTS, "mars.effect.duration", "mars.effect.no_stacking", CHANGES])
async def afflict(
    game: Live,
    who: Who,
    effect: Annotated[str, Param("the effect, such as blind, burning:3, debilitation:STR or stat_change:STR:2")],
    rounds: Annotated[int | None, Param("for how many rounds; none: until something ends it", 1, 1_000)] = None,
    source: Annotated[str, Param("what it comes from")] = "",
    difficulty: Annotated[int | None, Param("how hard it is to shake off", 0, 100)] = None,
) -> None:
    """An effect takes hold of somebody; a change of a stat without a duration is one for good."""
    named = replace(effect_named(effect), source=source, difficulty=difficulty)
    _demand_stat(game.scene, named)
    if rounds is None and named.kind == "stat_change" and named.stat in STATS:
        _for_good(game, who, named)
        return
    await take_hold(game, who, lasting(game.scene, named, rounds), cause=EFFECTS, difficulty=difficulty)


def _demand_stat(scene: Scene, effect: Effect) -> None:
    """What concerns a stat names one that is changed or rolled."""
    every = (*STATS, *SECONDARY, *scene.library.ids(Skill))
    able = {"stat_change": STATS, "debilitation": every, "enhancement": every}.get(effect.kind)
    if able is not None and effect.stat not in able:
        said = f'"{effect.stat:.40}" is none of {", ".join(able)}{nearest(effect.stat, able)}'
        raise BadInput(f"{effect.kind} concerns a stat; {said}", field="effect", rule=CHANGES)


def _for_good(game: Live, who: str, effect: Effect) -> None:
    """A stat changes permanently, and with it the maxima of resources; the same does not stack."""
    if abs(effect.value) > MOST_CHANGE:
        raise BadInput(f"a stat changes by {MOST_CHANGE} at most, not by {effect.value}", field="effect")
    character: MarsCharacter = game[who].character
    new = Change(what=effect.stat, value=effect.value, source=effect.source)
    met = [one for one in character.changes if _is_like(one, new)]
    if any(abs(one.value) >= abs(new.value) for one in met):
        return
    changed = character.changed(changes=(*[one for one in character.changes if one not in met], new))
    change(game, game[who].id, f"{new.what} {new.value:+d} for good", changed, cause=CHANGES)


def _is_like(one: Change, other: Change) -> bool:
    return (one.what, one.source, one.value < 0) == (other.what, other.source, other.value < 0)


@process(rules=[EFFECTS, CHANGES])
async def relieve(game: Live, who: Who, effect: Annotated[str, Param("the effect that ends, such as prone")]) -> None:
    """An effect on somebody ends."""
    named = effect_named(effect)
    character: MarsCharacter = game[who].character
    kept = tuple([one for one in character.changes if one.what != named.stat])
    if named.kind == "stat_change" and named.stat in STATS and kept != character.changes:
        change(game, game[who].id, f"{named.stat} is as before", character.changed(changes=kept), cause=CHANGES)
        if not game[who].status.has(named.kind):
            return
    if not game[who].status.has(named.kind):
        raise RulesSayNo(f"{game.scene.called(who)} is not affected: {named.kind}", rule=EFFECTS)
    game.emit(EffectEnded(who=who, effect=named.kind, stat=named.stat or None, cause=EFFECTS))


@process(rules=["mars.effect.unconscious"])
async def disturb(game: Live, who: Who) -> None:
    """Noise or a hand on the shoulder: whoever merely sleeps wakes up."""
    reason = can_wake(game.scene, who)
    if reason is not None:
        raise RulesSayNo(f"{game.scene.called(who)} does not wake: {reason}", rule="mars.effect.unconscious")
    game.emit(Woke(who=who, cause="mars.effect.unconscious"))


@process(rules=["mars.concentration.single", "mars.concentration.break"])
async def concentrate(game: Live, who: Who, on: Annotated[str, Param("what is kept up")]) -> bool:
    """Somebody keeps something up by concentration; one thing at a time."""
    if not game[who].status.conscious:
        raise RulesSayNo(f"{game.scene.called(who)} is not conscious", rule="mars.concentration.break")
    return await turn_to(game, game[who].id, on)


HAZARDS = (hazard, fall, ignite, douse, afflict, relieve, disturb, concentrate)
