"""Everything else that is done in an encounter: weapons in hand, skills, first aid, talents, and ending the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tablewright.engine import Call, choose
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.belongings import PACK, Belongings, Carried, add, load
from tablewright.game.common import Checked
from tablewright.game.events import GAME_MASTER
from tablewright.game.ground import ANYONE
from tablewright.game.lying import nearest_lying
from tablewright.game.scene import Live, Scene
from tablewright.game.standing import near
from tablewright.systems.mars.actions.costs import (
    AWAKE,
    FREE,
    NOT_BUSY,
    ONE_CHECK,
    STANDARD,
    SWIFTLY,
    cost_words,
    time_needed,
    time_spent,
    why_no_time,
)
from tablewright.systems.mars.actions.ready import may_start, start_work
from tablewright.systems.mars.aiming import rulings
from tablewright.systems.mars.attack import TURN_SECONDS
from tablewright.systems.mars.character import HAND, HANDS, can_use, figures, grants_of, item, worn
from tablewright.systems.mars.content import Armour, RageGrant, SecondWindGrant, Skill, Weapon
from tablewright.systems.mars.damage import stabilise
from tablewright.systems.mars.events import (
    Acted,
    CaughtBreath,
    ConcentrationChanged,
    EffectEnded,
    FlewIntoRage,
    HandsChanged,
    Stabilised,
)
from tablewright.systems.mars.harm import as_rolled, dice_rules
from tablewright.systems.mars.mechanics import check
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Status, Work
from tablewright.systems.mars.values import Degree

BRANDISH, INTERACT, USE_SKILL = "mars.action.brandish", "mars.action.interact", "mars.action.use_skill"
SPECIAL, DYING, GATE = "mars.action.special", "mars.effect.dying", "mars.skill.complex_gate"
RELOAD, CONCENTRATION = "mars.gap.weapon.reload", "mars.concentration.single"
WIND, RAGE_RULE, STABILISE = "mars.gap.talent.second_wind", "mars.gap.talent.rage", "mars.gap.recovery.stabilise"
DIFFICULTIES = {
    "everyday": 5,
    "easy": 7,
    "moderate": 10,
    "hard": 14,
    "challenging": 19,
    "ambitious": 25,
    "absurd": 32,
    "improbable": 40,
}
STABILISING = 10
RAGE = "rage"


# ---------------------------------------------------------------------- what is in hand


class Grip(NamedTuple):
    """What is to be in the hands: items with the place of each."""

    held: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return " and ".join([f"{name}{' in both hands' if place == HANDS else ''}" for name, place in self.held]) or (
            "nothing"
        )


def in_hand(belongings: Belongings) -> Grip:
    """What is in the hands now."""
    held = [(one.item, one.place) for one in belongings if one.place in (HAND, HANDS) for _ in range(one.count)]
    return Grip(tuple(sorted(held)))


def grips(scene: Scene, who: str) -> list[Grip]:
    """Every sensible way to fill the hands: two of a kind only if there are two, both hands for what needs them."""
    return now(scene, who).remember("grips", lambda: _grips(scene, who))


def _grips(scene: Scene, who: str) -> list[Grip]:
    status: Status = scene[who].status
    one_hand: list[str] = []
    found: list[Grip] = [Grip(())]
    for carried in status.belongings:
        known = item(carried.item, scene.library)
        if isinstance(known, Weapon) and not known.natural:
            features = known.features
            if features.two_handed or features.versatile:
                found.append(Grip(((known.id, HANDS),)))
            if not (features.two_handed and features.ranged is not None):
                one_hand += [known.id] * min(2, carried.count)
        elif isinstance(known, Armour) and known.is_shield:
            one_hand.append(known.id)
    found += [Grip(((name, HAND),)) for name in dict.fromkeys(one_hand)]
    for at, name in enumerate(one_hand):
        for other in one_hand[at + 1 :]:
            pair = Grip(tuple(sorted(((name, HAND), (other, HAND)))))
            if pair not in found:
                found.append(pair)
    now_held = in_hand(status.belongings)
    return [grip for grip in dict.fromkeys(found) if grip != now_held]


def taken_in_hand(belongings: Belongings, grip: Grip) -> Belongings:
    """Belongings with other things in the hands; what was there goes into the pack."""
    loose = [replace(one, place=PACK) if one.place in (HAND, HANDS) else one for one in belongings]
    result: list[Carried] = []
    wanted = list(grip.held)
    for one in loose:
        left = one.count
        for name, place in list(wanted):
            if name == one.item and left > 0 and one.place == PACK:
                wanted.remove((name, place))
                result.append(replace(one, count=1, place=place))
                left -= 1
        if left:
            result.append(replace(one, count=left) if left != one.count else one)
    return tuple(result)


def _has_something(scene: Scene, who: str, use: Use) -> str | None:
    return None if len(grips(scene, who)) > 0 else "nothing else to wield"


async def _brandish(game: Live, who: str, use: Use) -> None:
    able = grips(game.scene, who)
    best = sorted(able, key=lambda grip: -grip_worth(game.scene, who, grip))
    options = [
        Use("wield", detail="+".join([f"{name}@{place}" for name, place in grip.held]), label=str(grip))
        for grip in best
    ]
    taken = await choose(game.seat(who), "wield what?", options, about={"who": who})
    held = [one.split("@") for one in str(taken.detail).split("+") if one]
    grip = Grip(tuple([(name, place) for name, place in held]))
    belongings = taken_in_hand(game[who].status.belongings, grip)
    cost = time_spent(game[who].status, "free")
    game.emit(HandsChanged(who=who, belongings=belongings, what=f"wields {grip}", cause=BRANDISH, **cost))


def grip_worth(scene: Scene, who: str, grip: Grip) -> int:
    """A rough order of ways to fill the hands: the damage of the best weapon, and a shield."""
    worth = 0
    for name, place in grip.held:
        known = item(name, scene.library)
        if isinstance(known, Weapon):
            skill = max([scene[who].character.skills.get(one, (0, 0))[0] for one in known.skills], default=4)
            worth = max(worth, known.damage.maximum + skill + (place == HANDS))
        elif isinstance(known, Armour):
            worth += 4
    return worth


def unarmed(scene: Scene, who: str) -> bool:
    """Whether somebody has weapons, but none in hand."""
    held = now(scene, who).wielded
    return all(one.weapon.natural for one in held) and not scene[who].character.weapons


# ---------------------------------------------------------------------- interacting


def _reload_uses(scene: Scene, who: str) -> Iterator[Use]:
    for wielded in now(scene, who).wielded:
        if wielded.weapon.features.reload is not None:
            yield Use("reload", detail=wielded.key, label=f"Reload the {wielded.weapon.name.lower()}")


def _reload_speed(scene: Scene, who: str, use: Use) -> str:
    wielded = now(scene, who).weapon(str(use.detail))
    return str(wielded.weapon.features.reload) if wielded is not None else "full-round"


def _reload_time(scene: Scene, who: str, use: Use) -> str | None:
    return why_no_time(scene, who, _reload_speed(scene, who, use))


def _can_reload(scene: Scene, who: str, use: Use) -> str | None:
    wielded = now(scene, who).weapon(str(use.detail))
    if wielded is None:
        return "not wielded"
    if wielded.left:
        return "loaded already"
    if wielded.hands < 2:
        return "needs both hands"
    ammunition = wielded.weapon.ammunition
    held = scene[who].status.belongings
    return None if ammunition is None or any(one.item == ammunition for one in held) else f"no {ammunition} left"


async def _reload(game: Live, who: str, use: Use) -> None:
    status: Status = game[who].status
    wielded = now(game.scene, who).weapon(str(use.detail))
    assert wielded is not None
    weapon = wielded.weapon
    belongings = load(status.belongings, weapon.id, str(weapon.ammunition), capacity=1, place=HANDS, rule=RELOAD)
    cost = time_spent(status, _reload_speed(game.scene, who, use))
    game.emit(HandsChanged(who=who, belongings=belongings, what=f"reloads {weapon.name.lower()}", cause=RELOAD, **cost))


def _reload_cost(scene: Scene, who: str, use: Use) -> str:
    return cost_words(time_needed(scene[who].status, _reload_speed(scene, who, use))[0])


def _take_uses(scene: Scene, who: str) -> Iterator[Use]:
    for name in dict.fromkeys([one.item for one in scene.lying]):
        yield Use("take", detail=name, label=f"Take up {name.replace('_', ' ')}")


def _lies_near(scene: Scene, who: str, use: Use) -> str | None:
    return "not within reach" if nearest_lying(scene, who, str(use.detail)) is None else None


async def _take(game: Live, who: str, use: Use) -> None:
    lies = nearest_lying(game.scene, who, str(use.detail))
    assert lies is not None
    belongings = game[who].status.belongings
    free = sum([2 if one.place == HANDS else one.count for one in belongings if one.place in (HAND, HANDS)]) < 2
    belongings = add(belongings, lies.item, place=HAND if free else PACK, left=lies.left)
    cost = time_spent(game[who].status, "swift")
    what = f"takes up {lies.item.replace('_', ' ')}"
    game.emit(HandsChanged(who=who, belongings=belongings, what=what, picked_up=lies.item, cause=INTERACT, **cost))


def _interact_uses(scene: Scene, who: str) -> Iterator[Use]:
    things = [str(fact.value) for fact in scene.facts.entries if fact.what == "object" and fact.who in (who, ANYONE)]
    for thing in dict.fromkeys(things):
        yield Use("interact", detail=thing, label=f"Use the {thing}")


async def _interact(game: Live, who: str, use: Use) -> None:
    cost = time_spent(game[who].status, "swift")
    game.emit(Acted(who=who, action="interact", detail=str(use.detail), cause=INTERACT, **cost))


def _burns(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene[who].status.has("burning") else "not burning"


def _water(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene.facts.get("water", who) is not None else "no water here"


async def _douse(game: Live, who: str, use: Use) -> None:
    cost = time_spent(game[who].status, "swift")
    game.emit(Acted(who=who, action="douse", cause="mars.effect.burning", **cost))
    game.emit(EffectEnded(who=who, effect="burning", cause="mars.effect.burning"))


# ---------------------------------------------------------------------- skills


def usable_skills(scene: Scene, who: str) -> list[Skill]:
    """The skills that somebody can use, combat skills left out."""
    character = scene[who].character
    return [
        skill
        for skill in scene.library.of(Skill)
        if skill.group != "combat" and can_use(character, skill.id, scene.library)
    ]


def seconds_for(scene: Scene, skill: Skill) -> int:
    """How long a use of a skill takes."""
    options = scene.options
    return int(options.basic_skill_seconds if skill.group == "basic" else options.complex_skill_seconds)


async def _use_skill(game: Live, who: str, use: Use) -> None:
    skills = usable_skills(game.scene, who)
    options = [
        Use("which_skill", detail=one.id, label=one.name, cost=f"{seconds_for(game.scene, one)} s") for one in skills
    ]
    taken = await choose(game.seat(who), "which skill?", options, about={"who": who})
    skill = game.scene.library.get(Skill, str(taken.detail))
    seconds = seconds_for(game.scene, skill)
    challenge = game.scene.options.encounter_mode == "complex_challenge"
    if challenge or seconds <= game[who].status.turn.seconds or game[who].status.turn.reacting:
        cost = 0 if challenge or game[who].status.turn.reacting else seconds
        game.emit(Acted(who=who, action="use_skill", detail=skill.id, check=True, seconds=cost, cause=USE_SKILL))
        await roll_skill(game, who, skill.id)
    elif may_start(game.scene, who, seconds) is None:
        start_work(game, who, "use_skill", skill.id, seconds)


async def roll_skill(game: Live, who: str, skill_id: str) -> Degree:
    """The game master says how hard it is, and somebody rolls."""
    words = await choose(
        GAME_MASTER, f"how hard is it for {game[who].name} ({skill_id})?", list(DIFFICULTIES), default="moderate"
    )
    throw = now(game.scene, who).skill(skill_id).with_parts(rulings(game.scene, skill_id, who))
    throw = as_rolled(game.scene, who, throw)
    call = Call(
        check,
        (throw.value, DIFFICULTIES[words], throw.advantage, throw.disadvantage, *dice_rules(game.scene)),
    )
    degree: Degree = await call.by(game.seat(who), tallies=throw.tallies("roll_value"), hide=("difficulty",))
    game.emit(Checked(who=who, what=skill_id, cause=USE_SKILL))
    return degree


async def finish_work(game: Live, who: str, work: Work) -> None:
    """An extended action has taken all its time: now it has its effect."""
    if work.action == "use_skill":
        await roll_skill(game, who, work.detail)


def _some_time(scene: Scene, who: str, use: Use) -> str | None:
    turn = scene[who].status.turn
    return None if turn.seconds > 0 or turn.reacting else "no time is left"


# ---------------------------------------------------------------------- first aid


def _dying_friends(scene: Scene, who: str) -> Iterator[Use]:
    for one in scene.participants:
        if one.present and one.id != who and one.status.has("dying") and not one.status.dead and not one.hidden:
            yield Use("stabilise", one.id, label=f"Stabilise {one.name}")


def _knows_medicine(scene: Scene, who: str, use: Use) -> str | None:
    return None if can_use(scene[who].character, "medicine", scene.library) else "not trained in medicine"


def _beside(scene: Scene, who: str, use: Use) -> str | None:
    return None if near(scene, who, str(use.target)) else "not within 1 m"


async def _stabilise(game: Live, who: str, use: Use) -> None:
    patient = str(use.target)
    cost = time_spent(game[who].status, "standard")
    game.emit(Acted(who=who, action="stabilise", target=patient, check=True, cause=STABILISE, **cost))
    throw = now(game.scene, who).skill("medicine").with_parts(rulings(game.scene, "medicine", who))
    throw = as_rolled(game.scene, who, throw)
    call = Call(stabilise, (throw.value, STABILISING, throw.advantage, throw.disadvantage, *dice_rules(game.scene)))
    if await call.by(game.seat(who), tallies=throw.tallies("medicine")):
        game.emit(Stabilised(who=patient, cause=STABILISE))


# ---------------------------------------------------------------------- talents


def _wind(scene: Scene, who: str) -> int:
    """How often a second wind is left until the next rest."""
    able = sum(
        [grant.uses * steps for grant, steps, *_ in grants_of(scene[who].character, scene.library, SecondWindGrant)]
    )
    return able - int(scene[who].status.used.get("second_wind", 0))


def _has_wind(scene: Scene, who: str, use: Use) -> str | None:
    if not any(grants_of(scene[who].character, scene.library, SecondWindGrant)):
        return "no such talent"
    if "second_wind" in scene[who].status.turn.talents:
        return "once a turn"
    return None if _wind(scene, who) > 0 else "used up until the next rest"


def _not_at_most(scene: Scene, who: str, use: Use) -> str | None:
    most = figures(scene[who].character, scene.library).endurance
    return None if scene[who].status.endurance < most else "not tired"


async def _second_wind(game: Live, who: str, use: Use) -> None:
    most = figures(game[who].character, game.scene.library).endurance
    gained = min((most + 1) // 2, most - game[who].status.endurance)
    cost = time_spent(game[who].status, "swift")
    game.emit(CaughtBreath(who=who, endurance=gained, cause=WIND, **cost))


def rage_of(scene: Scene, who: str) -> tuple[RageGrant, int] | None:
    """The rage that somebody is capable of, with its steps."""
    for grant, steps, *_ in grants_of(scene[who].character, scene.library, RageGrant):
        return grant, steps
    return None


def _can_rage(scene: Scene, who: str, use: Use) -> str | None:
    found = rage_of(scene, who)
    if found is None:
        return "no such talent"
    if scene[who].status.has("rage"):
        return "raging already"
    left = scene[who].status.focus
    return None if left >= found[0].focus else f"costs {found[0].focus} focus, {left} left"


async def _rage(game: Live, who: str, use: Use) -> None:
    found = rage_of(game.scene, who)
    assert found is not None
    grant, steps = found
    if not await concentrate(game, who, RAGE):
        return
    strength = grant.first + grant.further * (steps - 1)
    clad = any("body" in piece.slots for piece in worn_by(game.scene, who))
    game.emit(
        FlewIntoRage(
            who=who,
            strength=strength,
            reduction=(strength + 1) // 2 if clad else strength,
            rating=grant.rating,
            focus=grant.focus,
            cause=RAGE_RULE,
            **time_spent(game[who].status, "swift"),
        )
    )


def worn_by(scene: Scene, who: str) -> tuple[Armour, ...]:
    """The armour that somebody wears."""
    return worn(scene[who].status.belongings, scene.library).pieces


async def concentrate(game: Live, who: str, on: str) -> bool:
    """Concentrate on something; what was kept up before is lost, unless it is preferred. Whether the new one holds."""
    before = game[who].status.concentration
    if before and before != on:
        keep = await choose(game.seat(who), "concentrate on what?", [on, before], about={"who": who})
        if keep == before:
            return False
    game.emit(ConcentrationChanged(who=who, on=on, cause=CONCENTRATION))
    return True


def _concentrates(scene: Scene, who: str, use: Use) -> str | None:
    return None if scene[who].status.concentration else "not concentrating"


async def _let_go(game: Live, who: str, use: Use) -> None:
    game.emit(ConcentrationChanged(who=who, cause=CONCENTRATION))


# ---------------------------------------------------------------------- the end


async def _end_turn(game: Live, who: str, use: Use) -> None:
    """Nothing more is done in this turn."""


def other_actions() -> Sequence[Action]:
    """The actions of this room."""
    return (
        Action(
            "brandish",
            "Change what is in hand",
            (BRANDISH,),
            _brandish,
            (AWAKE, Requirement(BRANDISH, _has_something, once=True), FREE),
            None,
            "free",
        ),
        Action(
            "reload",
            "Reload",
            (RELOAD,),
            _reload,
            (AWAKE, NOT_BUSY, Requirement(RELOAD, _can_reload), Requirement("mars.action.speeds", _reload_time)),
            _reload_uses,
            _reload_cost,
        ),
        Action(
            "take",
            "Take up",
            (INTERACT,),
            _take,
            (AWAKE, NOT_BUSY, Requirement(INTERACT, _lies_near), SWIFTLY),
            _take_uses,
            "2 s",
        ),
        Action("interact", "Interact", (INTERACT,), _interact, (AWAKE, NOT_BUSY, SWIFTLY), _interact_uses, "2 s"),
        Action(
            "douse",
            "Douse the fire",
            ("mars.effect.burning",),
            _douse,
            (
                AWAKE,
                NOT_BUSY,
                Requirement("mars.effect.burning", _burns, once=True),
                Requirement("mars.effect.burning", _water, once=True),
                SWIFTLY,
            ),
            None,
            "2 s",
        ),
        Action(
            "use_skill",
            "Use a skill",
            (USE_SKILL, "mars.check.duration"),
            _use_skill,
            (AWAKE, NOT_BUSY, ONE_CHECK, Requirement("mars.action.speeds", _some_time, once=True)),
            None,
            "the time of the skill",
        ),
        Action(
            "stabilise",
            "Stabilise",
            (STABILISE, DYING),
            _stabilise,
            (
                AWAKE,
                NOT_BUSY,
                ONE_CHECK,
                Requirement(STABILISE, _beside),
                Requirement(GATE, _knows_medicine, once=True),
                STANDARD,
            ),
            _dying_friends,
            "4 s",
        ),
        Action(
            "second_wind",
            "Second wind",
            (SPECIAL, WIND),
            _second_wind,
            (
                AWAKE,
                NOT_BUSY,
                Requirement(WIND, _has_wind, once=True),
                Requirement(WIND, _not_at_most, once=True),
                SWIFTLY,
            ),
            None,
            "2 s",
        ),
        Action(
            "rage",
            "Rage",
            (SPECIAL, RAGE_RULE, CONCENTRATION),
            _rage,
            (AWAKE, NOT_BUSY, Requirement(RAGE_RULE, _can_rage, once=True), SWIFTLY),
            None,
            "2 s, 2 focus",
        ),
        Action(
            "let_go",
            "Stop concentrating",
            (CONCENTRATION,),
            _let_go,
            (AWAKE, Requirement(CONCENTRATION, _concentrates, once=True)),
            None,
            "nothing",
        ),
        Action("end_turn", "End the turn", ("mars.time.round",), _end_turn, cost="nothing"),
    )


__all__ = ["DIFFICULTIES", "TURN_SECONDS", "concentrate", "finish_work", "grips", "other_actions", "unarmed"]
