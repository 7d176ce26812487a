"""Special attacks and other maneuvers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from tablewright.engine import choose
from tablewright.game.ground.bands import Together
from tablewright.game.narration.phrases import weapon_phrase
from tablewright.game.play.actions import ActionUse, needs, once
from tablewright.game.play.targeting import occupied, within_reach
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.actions.aim import aim, aimed_at, turned
from tablewright.systems.mars.actions.attack import arms, strike, targets, wielded_in
from tablewright.systems.mars.actions.maneuver_uses import (
    IMPROVISE,
    LIMIT,
    LIST,
    OVERVIEW,
    RESIST,
    USABLE,
    Way,
    attack_step,
    cost_of,
    every_maneuver,
    goes_with,
    improvisable,
    intercept_step,
    known_uses,
    legal_uses,
    of_use,
    reached,
    speed_of,
    stamina_of,
    steps_of,
)
from tablewright.systems.mars.actions.requirements import (
    ONE_CHECK,
    REACTION,
    cost_words,
    reacting,
    time_spent,
    unhurried,
)
from tablewright.systems.mars.character.gear import Wielded
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.content import (
    AttackStep,
    CheckStep,
    InflictStep,
    Maneuver,
    ManeuverStep,
    OpeningStep,
    RallyStep,
    RatingStep,
    StopStep,
    When,
)
from tablewright.systems.mars.events.attack import Intercepted, exchanged
from tablewright.systems.mars.events.effects import MarsEffectGained
from tablewright.systems.mars.events.turn import ManeuverUsed, Stopped
from tablewright.systems.mars.harm import as_rolled, dice_rules, take_hold
from tablewright.systems.mars.mechanics.attack import IMPROVISED, SECONDS, TURN_SECONDS, resisted
from tablewright.systems.mars.mechanics.attack import resist as resist_total
from tablewright.systems.mars.mechanics.checks import opposed, roll
from tablewright.systems.mars.now import now, ruled, rulings
from tablewright.systems.mars.status import Incoming, Status, fight, lasting, stands
from tablewright.systems.mars.values import Degree, Manner, Part, Throw

# ---------------------------------------------------------------------- doing it


class Deed(NamedTuple):
    """A maneuver under way: user, target, weapon and form."""

    maneuver: Maneuver
    steps: tuple[ManeuverStep, ...]
    who: str
    target: str | None
    wielded: Wielded | None
    manner: Manner
    skill: str | None
    improvised: bool
    cost: dict[str, Any]
    reaction: bool = False

    @property
    def first(self) -> bool:
        """True if an attack comes first; the target then resists its total."""
        return isinstance(self.steps[0], AttackStep)


async def use_maneuver(game: Game, who: str, use: ActionUse, *, improvised: bool, reaction: bool = False) -> None:
    """Use a maneuver, step by step."""
    maneuver, way = of_use(game.scene, use.detail)
    found = wielded_in(game.scene, who, way.arm) if way.arm else None
    cost: dict[str, Any] = {"stamina": stamina_of(maneuver, way.boosted, improvised)}
    status: Status = game[who].status
    if reaction:
        cost["reaction"] = True
    else:
        cost |= time_spent(status, speed_of(maneuver, improvised))
    me = now(game.scene, who)
    skill = None if improvised or found is None else me.skill_for(maneuver, found[0].weapon, way.boosted)
    deed = Deed(
        maneuver,
        steps_of(maneuver, way.boosted),
        who,
        use.target,
        found[0] if found else None,
        found[1] if found else "melee",
        skill or None,
        improvised,
        cost,
        reaction,
    )
    await _do(game, deed)


async def _do(game: Game, deed: Deed) -> None:
    """Perform the steps in order; the attack or check against the resist decides which effects apply."""
    unpaid = True
    outcomes: list[tuple[str, Degree | None, bool]] = []
    for step in deed.steps:
        if isinstance(step, AttackStep):
            if not stands(game[deed.who]):
                return
            outcomes += await _attack(game, deed, step, paid=not unpaid)
            unpaid = False
            continue
        if unpaid:
            game.emit(
                ManeuverUsed(who=deed.who, maneuver=deed.maneuver.id, target=deed.target, cause=LIMIT, **deed.cost)
            )
            unpaid = False
        if isinstance(step, CheckStep):
            outcomes = await _check(game, deed, step)
        elif isinstance(step, InflictStep):
            for target, degree, hit in outcomes:
                await _inflict(game, deed, step, target, degree if deed.maneuver.resist else _unresisted(hit))
        elif isinstance(step, OpeningStep):
            _open_up(game, deed, step, outcomes)
        elif isinstance(step, RatingStep):
            effect = MarsEffect("rating", value=step.value, source=deed.maneuver.id)
            game.emit(MarsEffectGained(who=deed.who, effect=lasting(game.scene, effect, step.rounds), cause=LIST))
        elif isinstance(step, RallyStep):
            _rally(game, deed, step)
        elif isinstance(step, StopStep):
            for target, _, hit in outcomes:
                if hit:
                    game.emit(Stopped(who=target, cause=LIST))


def _unresisted(hit: bool) -> Degree:
    return Degree.SUCCESS if hit else Degree.FAILURE


async def _attack(game: Game, deed: Deed, step: AttackStep, *, paid: bool) -> list[tuple[str, Degree | None, bool]]:
    assert deed.target is not None
    assert deed.wielded is not None
    resist = deed.maneuver.resist or "" if not paid else ""
    chosen = [deed.target]
    if step.targets > 1:
        chosen += await _more_targets(game, deed, step.targets - 1)
    every = [
        aim(
            game.scene,
            deed.who,
            deed.wielded,
            deed.manner,
            target,
            step=step,
            maneuver=deed.maneuver.id,
            resist=resist,
            skill=deed.skill,
            improvised=deed.improvised,
            reaction=deed.reaction,
        )
        for target in chosen
    ]
    first = every[0]
    if len(every) == 1:
        outcome = await strike(game, first, cost={} if paid else deed.cost, wielded=deed.wielded, cause=LIMIT)
        return [(outcome.target, outcome.effect, outcome.hits)]
    rolled = await _one_roll(game, as_rolled(game.scene, deed.who, first.to_hit), deed.who)
    found: list[tuple[str, Degree | None, bool]] = []
    further = [one._replace(blow=evolve(one.blow, maneuver="", further=True)) for one in every[1:]]  # it is one attack
    for aimed in (first, *further):
        if aimed is not first and not stands(game[deed.who]):
            break
        cost = deed.cost if aimed is first and not paid else {}
        total = rolled + aimed.to_hit.value.modifier - first.to_hit.value.modifier  # range counts for each by itself
        outcome = await strike(game, aimed, cost=cost, wielded=deed.wielded, cause=LIMIT, total=total)
        found.append((outcome.target, outcome.effect, outcome.hits))
    return found


async def _one_roll(game: Game, throw: Throw, who: str) -> int:
    call = roll(throw.value, throw.advantage, throw.disadvantage, dice_rules(game.scene))
    return await call.by(game.seat(who), tallies=throw.tallies("roll_value"))


async def _more_targets(game: Game, deed: Deed, count: int) -> list[str]:
    """The further targets of an attack on several: different ones, within range."""
    assert deed.wielded is not None
    chosen: list[str] = []
    for _ in range(count):
        every = reached(game.scene, deed.who, deed.wielded, deed.manner)
        able = [one for one in every if one != deed.target and one not in chosen]
        if not able:
            break
        options = [ActionUse("another_target", one, label=game.scene.display_name(one)) for one in able]
        taken = await choose(game.seat(deed.who), "who else?", options, details={"who": deed.who})
        chosen.append(str(taken.target))
    return chosen


def circumstances(steps: Sequence[ManeuverStep]) -> tuple[When, ...]:
    """Circumstances of a maneuver and its resist: fear where it shakes the target."""
    if any(isinstance(step, InflictStep) and step.effect == "shaken" for step in steps):
        return ("intimidation", "fear")
    if any(isinstance(step, InflictStep) and step.effect == "prone" for step in steps):
        return ("knocked_down",)
    if any(isinstance(step, InflictStep) and step.effect == "unsighted" for step in steps):
        return ("hiding",)
    return ()


def check_throw(scene: Scene, deed_who: str, step: CheckStep, when: tuple[When, ...], improvised: bool) -> Throw:
    """Roll of a maneuver's check."""
    throw = now(scene, deed_who).skill(step.skill, when, aimed=True)
    own: tuple[Part, ...] = (("improvised", IMPROVISED, IMPROVISE),) if improvised else ()
    return throw.with_parts((*own, *rulings(scene, step.skill, deed_who)))


def resist_throw(scene: Scene, who: str, maneuver: Maneuver, when: tuple[When, ...]) -> Throw:
    """Roll that resists a maneuver."""
    me = now(scene, who)
    if maneuver.resist in ("FORT", "WILL"):
        throw = me.roll(maneuver.resist, when)
    else:
        throw = me.skill(maneuver.resist or "perception", when)
    throw = ruled(scene, who, maneuver.resist or "perception", throw)
    return as_rolled(scene, who, throw, defending=True)


async def _check(game: Game, deed: Deed, step: CheckStep) -> list[tuple[str, Degree | None, bool]]:
    when = circumstances(deed.steps)
    throw = as_rolled(game.scene, deed.who, check_throw(game.scene, deed.who, step, when, deed.improvised))
    if not step.observers:
        assert deed.target is not None
        against = resist_throw(game.scene, deed.target, deed.maneuver, when)
        sources = (throw.advantage, throw.disadvantage, against.advantage, against.disadvantage)
        call = opposed(throw.value, against.value, *sources, dice_rules(game.scene))
        tallies = {**throw.tallies("roll_value"), **against.tallies("against", "against_")}
        degree: Degree = await call.by(game.seat(deed.who), game.seat(deed.target), tallies=tallies)
        return [(deed.target, degree, degree.succeeds)]
    total = await _one_roll(game, throw, deed.who)
    found: list[tuple[str, Degree | None, bool]] = []
    for foe in [one.id for one in targets(game.scene, deed.who) if one.status.conscious]:
        against = resist_throw(game.scene, foe, deed.maneuver, when)
        luck = (against.advantage, against.disadvantage)
        seen = resist_total(total, against.value, None, *luck, dice_rules(game.scene))
        outcome = await seen.by(game.seat(deed.who), game.seat(foe), tallies=against.tallies("roll_value"))
        found.append((foe, Degree.SUCCESS if outcome.takes_hold else Degree.FAILURE, outcome.takes_hold))
    return found


async def _inflict(game: Game, deed: Deed, step: InflictStep, target: str, degree: Degree | None) -> None:
    left = resisted(degree, step.rounds)
    if not left.takes_hold or game[target].status.dead:
        return
    status: Status = game[target].status
    if step.at_zero_endurance is not None and status.endurance == 0:
        await take_hold(game, target, MarsEffect("unconscious", source=deed.maneuver.id), cause=RESIST)
        return
    if not status.conscious and step.effect != "prone":
        return
    kind = step.effect
    stunning = 1 if kind == "stunned" else 0
    stat = deed.who if kind == "unsighted" else ""
    slipping = int(kind == "unsighted" and not isinstance(game.scene.ground, Together))  # a Move has to follow
    effect = MarsEffect(kind, stat=stat, degree=stunning or slipping, value=step.value, source=deed.maneuver.id)
    if kind == "unsighted" and left.rounds is None:
        left = left._replace(rounds=1)  # until the next own turn: out of sight lasts as long as no one looks
    other = deed.who if kind == "unsighted" else None
    await take_hold(game, target, lasting(game.scene, effect, left.rounds), cause=RESIST, other=other)


def _open_up(game: Game, deed: Deed, step: OpeningStep, outcomes: Sequence[tuple[str, Degree | None, bool]]) -> None:
    for target, degree, _ in outcomes:
        left = resisted(degree, step.rounds)
        if left.takes_hold:
            effect = MarsEffect("opening", stat=target, source=deed.maneuver.id)
            lasts = lasting(game.scene, effect, left.rounds)
            game.emit(MarsEffectGained(who=deed.who, effect=lasts, other=target, cause=RESIST))


def _rally(game: Game, deed: Deed, step: RallyStep) -> None:
    for ally in game.scene.allies(deed.who):
        if stands(ally) and within_reach(game.scene, deed.who, ally.id, step.metres):
            effect = MarsEffect("rally", value=step.value, source=deed.maneuver.id)
            game.emit(MarsEffectGained(who=ally.id, effect=lasting(game.scene, effect, step.rounds), cause=LIST))


# ---------------------------------------------------------------------- the actions


@unhurried("Maneuver", (OVERVIEW, LIMIT, RESIST), (ONE_CHECK, USABLE), known_uses, cost_of, legal=legal_uses)
async def _maneuver(game: Game, who: str, use: ActionUse) -> None:
    await use_maneuver(game, who, use, improvised=False)


def _anything_to_improvise(scene: Scene, who: str, use: ActionUse) -> str | None:
    me = now(scene, who)
    soonest = me.remember("improvised in", lambda: _soonest(scene, me.character.maneuvers))
    turn = scene[who].status.turn
    hasty = turn.seconds < soonest and not turn.reacting
    return "nothing can be improvised now" if hasty or next(improvisable(scene, who), None) is None else None


def _soonest(scene: Scene, known: Sequence[str]) -> int:
    """The fewest seconds that any maneuver takes which is not known."""
    unknown = [one for one in every_maneuver(scene) if one.id not in known and one.trigger is None]
    return min([SECONDS[speed_of(one, True)] for one in unknown], default=TURN_SECONDS + 1)


def _improvised(scene: Scene, who: str) -> list[ActionUse]:
    """Maneuvers that can be improvised now, with their costs."""
    return [
        ActionUse(use.action, use.target, use.detail, use.label, partial(cost_of, scene, who, use, improvised=True))
        for use in improvisable(scene, who)
    ]


@unhurried(
    "Improvise a maneuver", IMPROVISE, (ONE_CHECK, once(_anything_to_improvise)), cost_text="slower, 1 stamina more"
)
async def _improvise(game: Game, who: str, use: ActionUse) -> None:
    chosen = await choose(game.seat(who), "improvise what?", lambda: _improvised(game.scene, who), details={"who": who})
    await use_maneuver(game, who, chosen, improvised=True)


def _reaction_uses(trigger: str, action: str) -> Any:
    def uses(scene: Scene, who: str) -> Iterator[ActionUse]:
        known = scene[who].character.maneuvers
        for maneuver in every_maneuver(scene):
            if maneuver.trigger != trigger:
                continue
            improvised = maneuver.id not in known
            word = f"{maneuver.name}{', improvised' if improvised else ''}"
            if trigger == "ally_attacked":
                yield ActionUse(action, _attacked(scene), str(Way(maneuver.id, False, "")), word)
                continue
            step = attack_step(maneuver.steps)
            assert step is not None
            mover, me = fight(scene).mover, now(scene, who)
            for wielded, manner, arm in arms(scene, who):
                if mover in scene and goes_with(me, maneuver, wielded, manner, step, improvised):
                    yield ActionUse(
                        action, mover, str(Way(maneuver.id, False, arm)), f"{word} {weapon_phrase(wielded.weapon.name)}"
                    )

    return uses


def _attacked(scene: Scene) -> str | None:
    blow: Incoming | None = fight(scene).blow
    return blow.target if blow is not None else None


def _reaction_cost(scene: Scene, who: str, use: ActionUse) -> str:
    maneuver, way = of_use(scene, use.detail)
    improvised = maneuver.id not in scene[who].character.maneuvers
    return cost_words(0, stamina_of(maneuver, way.boosted, improvised), reaction=True)


@reacting(
    "Opportunity strike",
    OVERVIEW,
    (REACTION, USABLE),
    _reaction_uses("moves_in_reach", "opportunity"),
    _reaction_cost,
)
async def _opportunity(game: Game, who: str, use: ActionUse) -> None:
    maneuver, _ = of_use(game.scene, use.detail)
    improvised = maneuver.id not in game[who].character.maneuvers
    await use_maneuver(game, who, use, improvised=improvised, reaction=True)


_CAN_STEP = needs(lambda scene, who: now(scene, who).metres, "cannot move at all", "mars.effect.overencumbered")


def _has_room(scene: Scene, who: str, use: ActionUse) -> str | None:
    """Reason why there is no place beside a fallen ally: the square may be taken."""
    ally = _attacked(scene)
    there = None if ally is None or isinstance(scene.ground, Together) else scene[ally].position
    if there is None or not any(one.position == there and one.id != ally for one in scene.participants):
        return None
    taken = there in occupied(scene, who, lambda one: one.id != ally and stands(one))
    return "the square is taken" if taken else None


@reacting(
    "Intercept",
    OVERVIEW,
    (REACTION, _CAN_STEP, once(_has_room, LIST), USABLE),
    _reaction_uses("ally_attacked", "intercept"),
    _reaction_cost,
)
async def _intercept(game: Game, who: str, use: ActionUse) -> None:
    maneuver, way = of_use(game.scene, use.detail)
    improvised = maneuver.id not in game[who].character.maneuvers
    step = intercept_step(maneuver)
    ally, blow = str(use.target), fight(game.scene).blow
    assert blow is not None
    before, after = aimed_at(game.scene, blow, ally), aimed_at(exchanged(game.scene, who, ally), blow, who)
    game.emit(
        Intercepted(
            who=who,
            ally=ally,
            rating=step.rating,
            blow=turned(blow, before.blow, after.blow),
            maneuver=maneuver.id,
            stamina=stamina_of(maneuver, way.boosted, improvised),
            reaction=True,
            cause=LIST,
        )
    )


MANEUVERS = (_maneuver, _improvise, _opportunity, _intercept)
