"""Attack actions: declaration, reactions, the roll and its consequences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tablewright.engine import Call
from tablewright.game.character.belongings import remove_item, spend_charges
from tablewright.game.ground.bands import Together
from tablewright.game.ground.grid import Grid
from tablewright.game.narration.phrases import weapon_phrase
from tablewright.game.play.actions import ActionUse, Refusal, each_use
from tablewright.game.play.common_events import Revealed
from tablewright.game.play.targeting import distance, within_reach
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.evolve import evolve, evolver
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Participant, Scene
from tablewright.systems.mars.actions import defences
from tablewright.systems.mars.actions.aim import (
    TRIP,
    Aim,
    Faced,
    aim,
    aimed_at,
    attack_call,
    attempt_of,
    farthest,
    followed,
    landed_call,
    reduction,
    retaken,
    struck_with,
    uncounted,
)
from tablewright.systems.mars.actions.requirements import (
    ONE_CHECK,
    STANDARD,
    SWIFTLY,
    stamina,
    time_spent,
    unhurried,
    why_no_time,
)
from tablewright.systems.mars.actions.turn import set_off, set_off_by_word
from tablewright.systems.mars.character.gear import Wielded
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.events.attack import AimedAnew, AttackDeclared, AttackRolled, Missed, WouldHit
from tablewright.systems.mars.harm import dice_rules, suffer, take_hold
from tablewright.systems.mars.mechanics.attack import Attacked, landed, resisted
from tablewright.systems.mars.mechanics.checks import roll
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Incoming, Status, fight, stands
from tablewright.systems.mars.values import Degree, Manner, RollValue

ATTACK, TRIPPING, STRAY = "mars.attack.procedure", "mars.gap.weapon.trip", "mars.gap.weapon.stray_shot"


def arms(scene: Scene, who: str) -> Iterator[tuple[Wielded, Manner, str]]:
    """All ways to attack with the wielded weapons, by their names in a use."""
    for detail, (wielded, manner) in now(scene, who).arms.items():
        yield wielded, manner, detail


def targets(scene: Scene, who: str) -> Sequence[Participant]:
    """Foes that can be attacked: those one knows of and who are not dead, standing ones first."""
    return _targets_of(scene, scene[who].side)


@cached_on_scene
def _targets_of(scene: Scene, side: str) -> Sequence[Participant]:
    standing: list[Participant] = []
    lying: list[Participant] = []
    for one in scene.participants:
        if one.side != side and one.present and not one.hidden and not one.status.dead:
            (standing if one.status.conscious else lying).append(one)
    return [*standing, *lying]


def wielded_in(scene: Scene, who: str, detail: str | None) -> tuple[Wielded, Manner] | None:
    """The weapon that a use names, if it is wielded."""
    return now(scene, who).arms.get(detail or "")


# ---------------------------------------------------------------------- requirements


SPEED = "2 s"
WORDS: dict[Manner, str] = {"melee": "Attack", "shot": "Shoot at"}
_ORDINALS = {"2": "second", "3": "third"}


def _label(scene: Scene, foe: str, manner: Manner, wielded: Wielded) -> str:
    name = scene.display_name(foe)
    weapon = f"{_ORDINALS.get(wielded.key.partition('#')[2], '')} {wielded.weapon.name}".strip()
    if manner == "thrown":
        return f"Throw the {weapon.lower()} at {name}"
    return f"{WORDS[manner]} {name} {weapon_phrase(weapon)}"


def in_range(
    scene: Scene, who: str, wielded: Wielded, manner: Manner, foes: Sequence[Participant]
) -> Sequence[Participant]:
    """The foes that a weapon reaches; where it reaches none, the first one, so that the reason can be told."""
    most = farthest(wielded.weapon, manner)
    here, within = scene[who].position, scene.ground.within
    able = [foe for foe in foes if here is None or foe.position is None or within(here, foe.position, most)]
    return able or foes[:1]


def _uses(scene: Scene, who: str) -> Iterator[ActionUse]:
    foes = targets(scene, who)
    hasty = why_no_time(scene, who, "swift") is not None
    for wielded, manner, detail in arms(scene, who):
        for foe in in_range(scene, who, wielded, manner, foes):
            yield ActionUse("attack", foe.id, detail, _label(scene, foe.id, manner, wielded))
            if hasty:  # one way is enough to be told why not
                return


class Reach(NamedTuple):
    """A weapon that can be used now, by its name in a use, and the foes that it reaches."""

    detail: str
    wielded: Wielded
    manner: Manner
    foes: list[Participant]


@cached_on_scene
def reaches(scene: Scene, who: str) -> list[Reach]:
    """The weapons that can be used now on any foe; of the foes, standing ones come first."""
    me, foes, here, within = now(scene, who), targets(scene, who), scene[who].position, scene.ground.within
    found = []
    by_range: dict[int, list[Participant]] = {}
    for detail, wielded, manner, most in me.remember(reaches, lambda: _ready(scene, who)):
        near = by_range.get(most)
        if near is None:
            near = [foe for foe in foes if here is None or foe.position is None or within(here, foe.position, most)]
            by_range[most] = near
        if near and _no_room(scene, who, wielded, manner) is None:
            found.append(Reach(detail, wielded, manner, near))
    return found


def _ready(scene: Scene, who: str) -> list[tuple[str, Wielded, Manner, int]]:
    """The weapons that can be used where there is room, with their range; figures alone decide."""
    return [
        (detail, wielded, manner, farthest(wielded.weapon, manner))
        for wielded, manner, detail in arms(scene, who)
        if all(reason(scene, who, wielded, manner) is None for reason, _ in READINESS if reason is not _no_room)
    ]


def attacks(scene: Scene, who: str) -> list[ActionUse]:
    """The attacks that meet every requirement."""
    return [attack_on(scene, who, reach, foe.id) for reach in reaches(scene, who) for foe in reach.foes]


def attack_on(scene: Scene, who: str, reach: Reach, foe: str) -> ActionUse:
    """The attack on a foe with a weapon that reaches it; remembered."""
    known: dict[tuple[str, str, str], ActionUse] = now(scene, who).remember(attack_on, dict)
    key = (reach.detail, foe, scene.display_name(foe))
    use = known.get(key)
    if use is None:
        label = _label(scene, foe, reach.manner, reach.wielded)
        use = known[key] = ActionUse("attack", foe, reach.detail, label, SPEED)
    return use


def why_out_of_range(scene: Scene, who: str, wielded: Wielded, manner: Manner, target: str) -> str | None:
    """Reason why a weapon does not reach a target; None if it does."""
    most = farthest(wielded.weapon, manner)
    if within_reach(scene, who, target, most):
        return None
    return f"{distance(scene, who, target)} m away, {wielded.weapon.name} reaches {most} m"


def why_not_usable(scene: Scene, who: str, wielded: Wielded, manner: Manner) -> str | None:
    """Reason against a use of a weapon: too few hands, not loaded, no ammunition, no room."""
    for reason, _ in READINESS:
        found = reason(scene, who, wielded, manner)
        if found is not None:
            return found
    return None


def _too_few_hands(scene: Scene, who: str, wielded: Wielded, manner: Manner) -> str | None:
    return "needs both hands" if manner == "shot" and wielded.weapon.features.two_handed and wielded.hands < 2 else None


def _unloaded(scene: Scene, who: str, wielded: Wielded, manner: Manner) -> str | None:
    return "not loaded" if manner == "shot" and wielded.weapon.features.reload and not wielded.left else None


def _nothing_to_shoot(scene: Scene, who: str, wielded: Wielded, manner: Manner) -> str | None:
    ammunition = wielded.weapon.ammunition
    if manner != "shot" or ammunition is None or wielded.weapon.features.reload is not None:
        return None
    return None if any(one.item == ammunition for one in scene[who].status.belongings) else f"no {ammunition} left"


def _no_room(scene: Scene, who: str, wielded: Wielded, manner: Manner) -> str | None:
    return "no room to swing it" if wielded.weapon.features.large and beside_an_obstacle(scene, who) else None


def beside_an_obstacle(scene: Scene, who: str) -> bool:
    """True if a participant stands next to an obstacle, on the map or by a ruling."""
    if scene.facts.entries and scene.facts.get("obstacle", who) is not None:
        return True
    here = scene[who].position
    if here is None or not isinstance(scene.ground, Grid):
        return False
    return any(scene.ground.adjacent(here, wall) for wall in scene.ground.blocked)


READINESS: tuple[tuple[Callable[[Scene, str, Wielded, Manner], str | None], str], ...] = (
    (_too_few_hands, "mars.gap.weapon.two_handed"),
    (_unloaded, "mars.gap.weapon.reload"),
    (_nothing_to_shoot, "mars.gap.weapon.ammunition"),
    (_no_room, "mars.gap.weapon.large"),
)


@cached_on_scene
def _unready(scene: Scene, who: str, detail: str) -> Refusal | None:
    """Refuse a weapon that cannot be used now, against any target."""
    wielded, manner = now(scene, who).arms[detail]
    for reason, rule in READINESS:
        found = reason(scene, who, wielded, manner)
        if found is not None:
            return Refusal(found, rule)
    return None


def _reaches(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    """Refuse a weapon that is not wielded or does not reach the target."""
    found = wielded_in(scene, who, use.detail)
    if found is None:
        return Refusal(f"{use.detail} is not wielded", MELEE_REACH)
    reason = why_out_of_range(scene, who, *found, str(use.target))
    if reason is None:
        return None
    return Refusal(reason, MELEE_REACH if found[1] == "melee" else "mars.gap.weapon.ranged")


MELEE_REACH = "mars.gap.weapon.reach"
REACH = each_use(_reaches, MELEE_REACH)
READY = each_use(lambda scene, who, use: _unready(scene, who, str(use.detail)), "mars.gap.weapon.reload")


# ---------------------------------------------------------------------- declaring


class Outcome(NamedTuple):
    """Outcome of an attack."""

    degree: Degree
    effect: Degree | None = None
    target: str = ""
    damage: int = 0

    @property
    def hits(self) -> bool:
        """True if it was a hit."""
        return self.degree is not Degree.FAILURE


def used_up(scene: Scene, who: str, wielded: Wielded, manner: Manner, target: str) -> dict[str, Any]:
    """Things that an attack uses up (the arrow, the load, the thrown weapon), as fields of its event."""
    status: Status = scene[who].status
    weapon = wielded.weapon
    if manner == "melee" or weapon.natural:
        return {}
    if manner == "thrown":
        place = "hand" if wielded.hands == 1 else "hands"
        lies = LooseItem(weapon.id, who, wielded.left, scene[target].position)
        return {
            "belongings": remove_item(status.belongings, weapon.id, 1, place, rule="mars.gap.weapon.thrown"),
            "lying": (lies,),
        }
    if weapon.features.reload is not None:
        return {"belongings": spend_charges(status.belongings, weapon.id, 1, rule="mars.gap.weapon.reload")}
    if weapon.ammunition is not None:
        return {"belongings": remove_item(status.belongings, weapon.ammunition, 1, rule="mars.gap.weapon.ammunition")}
    return {}


def shots(scene: Scene, who: str, wielded: Wielded, manner: Manner) -> int | None:
    """Number of shots or throws before a reload or draw; None where nothing is used up."""
    status: Status = scene[who].status
    weapon = wielded.weapon
    if manner == "melee" or weapon.natural:
        return None
    if manner == "thrown":
        place = "hand" if wielded.hands == 1 else "hands"
        return sum([one.count for one in status.belongings if (one.item, one.place) == (weapon.id, place)])
    if weapon.features.reload is not None:
        return wielded.left or 0
    if weapon.ammunition is None:
        return None
    return sum([one.count for one in status.belongings if one.item == weapon.ammunition])


async def strike(
    game: Game,
    aimed: Aim,
    *,
    cost: dict[str, Any],
    wielded: Wielded | None = None,
    cause: str = ATTACK,
    total: int | None = None,
) -> Outcome:
    """Declare an attack and see it through to the end."""
    blow = aimed.blow
    hidden = game[blow.attacker].hidden
    if hidden:
        game.emit(Revealed(who=blow.attacker, cause="mars.attack.sneak"))
    spent = {} if wielded is None else used_up(game.scene, blow.attacker, wielded, blow.manner, blow.target)
    game.emit(
        AttackDeclared(
            who=blow.attacker,
            target=blow.target,
            weapon=blow.weapon,
            manner=blow.manner,
            maneuver=blow.maneuver,
            counted=not (blow.reaction or blow.stray or blow.further),
            blow=blow if total is None else evolve(blow, total=total),
            cause=cause,
            **cost,
            **spent,
        )
    )
    declared = game.scene
    if hidden:
        await set_off(game, "appears", blow.attacker)
    await set_off(game, "attacks", blow.attacker)
    await set_off_by_word(game, blow.attacker)
    return await resolve(game, aimed if game.scene is declared else _aimed_anew(game, declared, aimed))


def _aimed_anew(game: Game, declared: Scene, aimed: Aim) -> Aim:
    """The attack after readied actions: the target may be elsewhere, prone or in cover."""
    blow = _blow(game)
    before, after = [aimed_at(scene, blow, blow.target) for scene in (declared, game.scene)]
    anew = followed(aimed._replace(blow=blow), before, after)
    if anew.blow == blow:
        return aimed
    game.emit(AimedAnew(who=blow.attacker, target=blow.target, blow=anew.blow, cause="mars.action.ready"))
    return anew


async def resolve(game: Game, aimed: Aim | None = None) -> Outcome:
    """See the innermost attack under way through to the end, from wherever it stands."""
    depth = len(fight(game.scene).incoming)
    blow = _blow(game)
    if not blow.stray and (not game[blow.attacker].status.conscious or not game[blow.attacker].present):
        return _missed(game, blow, "cannot go on")
    if not game[blow.target].present or game[blow.target].status.dead:
        return _missed(game, blow, "nobody there")
    if _is_away(game.scene, blow):
        return _missed(game, blow, "out of reach")
    if not blow.intercepted:
        await defences.step_in(game)
        if aimed is not None and _blow(game).intercepted:
            aimed = retaken(game.scene, aimed, _blow(game))
    if game.scene.options.defence_declaration == "after_attack_roll" and _blow(game).total is None:
        await _roll_first(game, aimed)
    if _blow(game).defence is None:
        await defences.declare(game)
    blow = _blow(game)
    assert len(fight(game.scene).incoming) == depth
    rest: Call[Attacked] | None = None
    if blow.degree is None:
        met = await _meet(game, blow, aimed)
        if isinstance(met, Attacked):
            outcome = _missed(game, blow)
            await defences.afterwards(game, blow)
            await _astray(game, blow)
            return outcome
        rest, (strike, *_) = met, met.arguments
        blow = _with_degree(blow, strike.degree, strike.resisted)
        if defences.may_block(game.scene, blow):
            game.emit(
                WouldHit(who=blow.target, by=blow.attacker, degree=strike.degree, effect=blow.effect, cause=ATTACK)
            )
            await defences.ask_to_block(game)
            blow = _blow(game)
    assert blow.degree is not None
    shield = defences.blocking(game.scene, blow)
    if rest is None:
        rest = landed_call(game.scene, blow, shield)
    elif shield is not None:
        rest = rest.with_arguments(block=shield.armour.block, durability=shield.left, blocks="yes")
    result = await _land(game, blow, aimed, rest)
    await suffer(game, blow, result, item=shield.item if shield else "")
    await defences.afterwards(game, blow)
    return Outcome(blow.degree, blow.effect, blow.target, result.damage)


_with_degree = evolver(Incoming, "degree", "effect")


def _blow(game: Game) -> Incoming:
    blow = fight(game.scene).blow
    assert blow is not None
    return blow


def _is_away(scene: Scene, blow: Incoming) -> bool:
    """True if the target has got out of reach since the attack was declared."""
    if blow.stray or blow.degree is not None:
        return False
    wielded = now(scene, blow.attacker).weapon(blow.weapon) or struck_with(scene, blow)
    return wielded is not None and why_out_of_range(scene, blow.attacker, wielded, blow.manner, blow.target) is not None


def _missed(game: Game, blow: Incoming, reason: str = "") -> Outcome:
    game.emit(Missed(who=blow.target, by=blow.attacker, reason=reason, cause="mars.attack.hit"))
    return Outcome(Degree.FAILURE, None, blow.target)


async def _roll_first(game: Game, aimed: Aim | None) -> None:
    """Roll the attack by itself, before the defence is declared."""
    blow = _blow(game)
    tallies = aimed.to_hit.tallies("roll_value") if aimed else {}
    rolled = attempt_of(game.scene, blow)
    call = roll(rolled.attack, *rolled.luck, dice_rules(game.scene))
    total = await call.by(game.seat(blow.attacker), tallies=tallies)
    game.emit(AttackRolled(who=blow.attacker, total=total, cause=ATTACK))


async def _meet(game: Game, blow: Incoming, aimed: Aim | None) -> Attacked | Call[Attacked]:
    """Play the attack as it stands up to its damage: the rest of a hit, or the result of a miss."""
    faced = Faced.of(game.scene, blow)
    tallies = faced.tallies(blow.defence or "deflect")
    if aimed is not None and blow.total is None:
        tallies = {**tallies, **aimed.to_hit.tallies("attack")}
    call = attack_call(game.scene, blow, faced).until(landed)
    return await call.by(game.seat(blow.attacker), game.seat(blow.target), tallies=tallies)


async def _land(game: Game, blow: Incoming, aimed: Aim | None, rest: Call[Attacked]) -> Attacked:
    """Play the rest of an attack that has hit."""
    tallies = {"reduction": reduction(game.scene, blow)}
    if aimed is not None:
        tallies |= aimed.damage.tallies("damage_roll", "damage_")
    return await rest.by(game.seat(blow.attacker), game.seat(blow.target), tallies=tallies)


# ---------------------------------------------------------------------- stray shots


async def _astray(game: Game, blow: Incoming) -> None:
    """A shot that misses may hit a friend of the shooter next to the target; so may a large weapon."""
    if blow.stray or (blow.reaction and blow.manner == "melee"):
        return
    scene = game.scene
    wielded = struck_with(scene, blow)
    if wielded is None:
        return
    middle = blow.target
    if blow.manner == "melee" and not wielded.weapon.features.large:
        return
    if isinstance(scene.ground, Together):
        return  # no one knows who stands beside whom
    side = scene[blow.attacker].side
    friends = [
        one
        for one in scene.participants
        if one.side == side
        and one.id not in (blow.attacker, blow.target)
        and stands(one)
        and not one.hidden  # the roll among several would tell of it
        and within_reach(scene, one.id, middle)
    ]
    if not friends:
        return
    hit = friends[0] if len(friends) == 1 else friends[await _one_of(game, blow, len(friends))]
    turn = uncounted(game.scene, blow)  # it flies as it was shot, earlier attacks and all
    aimed = aim(game.scene, blow.attacker, wielded, blow.manner, hit.id, reaction=blow.reaction, stray=True, turn=turn)
    await strike(game, aimed, cost={}, cause=STRAY)


async def _one_of(game: Game, blow: Incoming, count: int) -> int:
    """Place of the friend that a stray shot flies at."""
    return await roll(RollValue(min(count, 10))).by(game.seat(blow.attacker)) - 1


# ---------------------------------------------------------------------- the actions


@unhurried(
    "Attack",
    (ATTACK, "mars.attack.hit", "mars.attack.multiple_attack_penalty"),
    (SWIFTLY, ONE_CHECK, REACH, READY),
    _uses,
    SPEED,
    legal=attacks,
)
async def _attack(game: Game, who: str, use: ActionUse) -> None:
    found = wielded_in(game.scene, who, use.detail)
    assert found is not None
    wielded, manner = found
    aimed = aim(game.scene, who, wielded, manner, str(use.target))
    await strike(game, aimed, cost=time_spent(game[who].status, "swift"), wielded=wielded)


def _trip_uses(scene: Scene, who: str) -> Iterator[ActionUse]:
    for wielded in now(scene, who).wielded:
        if wielded.weapon.features.trip:
            for foe in in_range(scene, who, wielded, "melee", targets(scene, who)):
                yield ActionUse(
                    "trip",
                    foe.id,
                    wielded.key,
                    f"Trip {scene.display_name(foe.id)} {weapon_phrase(wielded.weapon.name)}",
                )


@unhurried("Trip", TRIPPING, (STANDARD, ONE_CHECK, stamina(1, TRIPPING), REACH), _trip_uses, "4 s, 1 stamina")
async def _trip(game: Game, who: str, use: ActionUse) -> None:
    found = wielded_in(game.scene, who, use.detail)
    assert found is not None
    wielded, manner = found
    target = str(use.target)
    aimed = aim(game.scene, who, wielded, manner, target, step=TRIP, resist="agility", halvings=1)
    cost = {**time_spent(game[who].status, "standard"), "stamina": 1}
    outcome = await strike(game, aimed, cost=cost, wielded=wielded, cause=TRIPPING)
    if resisted(outcome.effect, None).takes_hold and stands(game[outcome.target]):
        await take_hold(game, outcome.target, MarsEffect("prone"), cause=TRIPPING)


ATTACKS = (_attack, _trip)
