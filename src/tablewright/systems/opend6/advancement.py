"""Advancement: what adventures earn, and what Character Points buy between them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple, TypeAlias

from tablewright.engine import Closed, Param, Tally, process
from tablewright.engine.tally import Rounding
from tablewright.errors import RulesSayNo, nearest
from tablewright.game.actions import Refused
from tablewright.game.advancing import buy_step_by_step
from tablewright.game.character import Ranks
from tablewright.game.common import CharacterChanged
from tablewright.game.content import Library
from tablewright.game.creation import Offer
from tablewright.game.events import GAME_MASTER
from tablewright.game.scene import Live, Scene
from tablewright.systems.opend6.character.figures import code, skill, skill_of
from tablewright.systems.opend6.character.record import (
    Advance,
    Attributes,
    Bought,
    OpenD6Character,
    OwnAbility,
    Specialisation,
)
from tablewright.systems.opend6.content import ATTRIBUTES, EXTRANORMAL, Ability, Attribute, Skill, TotalEffect
from tablewright.systems.opend6.mechanics import HUMAN_LIMIT, How, new_die, upper_limit
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.points import AdventureEnded, PointsGained, end_session
from tablewright.systems.opend6.values import DieCode

OBSTACLES, PLAYING, GOAL, DEFAULT = (
    "opend6.gap.reward.obstacles",
    "opend6.gap.reward.playing",
    "opend6.gap.reward.goal",
    "opend6.gap.reward.default",
)
NEW_SKILL, SKILL, SPECIAL = (
    "opend6.gap.advancement.new_skill",
    "opend6.gap.advancement.skill",
    "opend6.gap.advancement.specialisation",
)
DOUBLE, ATTRIBUTE, LIMIT = (
    "opend6.gap.advancement.extranormal",
    "opend6.gap.advancement.attribute",
    "opend6.gap.advancement.upper_limit",
)
NEEDS, NOT_BOTH, BODY = (
    "opend6.gap.advancement.needs",
    "opend6.gap.advancement.not_both",
    "opend6.gap.advancement.body_points",
)
ADVANTAGE, DISADVANTAGE, ABILITY, INCREASED = (
    "opend6.gap.advancement.advantage",
    "opend6.gap.advancement.disadvantage",
    "opend6.gap.advancement.ability",
    "opend6.gap.advancement.increased_attribute",
)
SPENDING, SKILL_LIMIT = "opend6.cp.spent_and_earned", "opend6.gap.advancement.skill_upper_limit"
EASY, SOMEWHAT, CHALLENGING = 0, 1, 2
USUAL_CHARACTER_POINTS, USUAL_FATE_POINTS, GOAL_FATE_POINTS = 5, 1, 1
PER_DIE, PER_ADVANTAGE, BOUGHT_OFF, GIVES, PER_ABILITY, PER_INCREASED = 10, 5, 10, 3, 5, 4
SKILL_TEST_FROM, SKILL_TEST = DieCode(8), DieCode(7)
MOST_RANK = 10
_HALF, _TWICE = Fraction(1, 2), Fraction(2)

Who: TypeAlias = Annotated[str, Param("the id of whose")]
Kind: TypeAlias = Annotated[Bought, Param("what is bought")]
Name: TypeAlias = Annotated[str, Param("the skill, attribute, ability, advantage or disadvantage, by its name")]
Subject: TypeAlias = Annotated[str, Param("the subject of a specialisation")]
Rank: TypeAlias = Annotated[int, Param("the rank of an advantage or disadvantage", 1, MOST_RANK)]


# ---------------------------------------------------------------------- earning


def reward(
    easy: int = 0, somewhat_difficult: int = 0, challenging: int = 0, individual: int = 0, group: int = 0, fun: int = 0
) -> Tally:
    """What an adventure is worth in Character Points."""
    tally = Tally.of("Character Points", 0, OBSTACLES)
    tally = tally.add("easy obstacles", EASY * easy, OBSTACLES)
    tally = tally.add("somewhat difficult obstacles", SOMEWHAT * somewhat_difficult, OBSTACLES)
    tally = tally.add("challenging obstacles", CHALLENGING * challenging, OBSTACLES)
    tally = tally.add("individual roleplaying", individual, PLAYING)
    return tally.add("roleplaying of the group", group, PLAYING).add("everybody had fun", fun, PLAYING)


@process(rules=["opend6.gap.reward.obstacles", "opend6.gap.reward.playing", "opend6.gap.reward.goal"])
async def award(
    game: Live,
    who: Who,
    easy: Annotated[int, Param("easy obstacles overcome", 0, 50)] = 0,
    somewhat_difficult: Annotated[int, Param("somewhat difficult obstacles overcome", 0, 50)] = 0,
    challenging: Annotated[int, Param("challenging obstacles overcome", 0, 50)] = 0,
    individual: Annotated[Literal["0", "2", "3"], Param("points for individual roleplaying")] = "0",
    group: Annotated[Literal["0", "3", "4"], Param("points for the roleplaying of the group")] = "0",
    fun: Annotated[Literal["0", "1", "2"], Param("points where everybody had fun")] = "0",
    goal: Annotated[bool, Param("whether the goal of the adventure was accomplished")] = False,
    character_points: Annotated[int, Param("Character Points besides", 0, 1_000)] = 0,
    fate_points: Annotated[int, Param("Fate Points besides", 0, 100)] = 0,
) -> None:
    """Character Points for obstacles and roleplaying, a Fate Point for the goal; if nothing is said, five and one."""
    who = game[who].id
    tally = reward(easy, somewhat_difficult, challenging, int(individual), int(group), int(fun))
    earned, fate = tally.total + character_points, fate_points + (GOAL_FATE_POINTS if goal else 0)
    said = (
        easy,
        somewhat_difficult,
        challenging,
        int(individual),
        int(group),
        int(fun),
        goal,
        character_points,
        fate_points,
    )
    cause, reason = OBSTACLES, "the adventure"
    if not any(said):
        earned, fate, cause, reason = USUAL_CHARACTER_POINTS, USUAL_FATE_POINTS, DEFAULT, "a session"
    game.emit(PointsGained(who=who, reason=reason, character_points=earned, fate_points=fate, cause=cause))


@process(rules=["opend6.gap.advancement.skill", "opend6.fate.loss_and_return"])
async def end_adventure(game: Live, who: Who) -> None:
    """An adventure and its session end: a new time begins in which Character Points can be spent on improvement."""
    who = game[who].id
    await end_session.function(game, who)
    character: OpenD6Character = game[who].character
    after = character.changed(interval=character.interval + 1, improvable=game[who].status.used)
    game.emit(CharacterChanged(who=who, what="can improve what was used", character=after, cause=NEEDS))
    game.emit(AdventureEnded(who=who, cause=SKILL))


@process(rules=["opend6.gap.advancement.needs"])
async def train(
    game: Live,
    who: Who,
    skill: Annotated[str, Param("the skill that is trained, by its id")],
    teacher: Annotated[str, Param("the id of a teacher who is here; empty for training alone")] = "",
) -> None:
    """Train a skill between adventures, alone or with a teacher, who must have a higher code."""
    who = game[who].id
    library = game.scene.library
    skill_of(skill, library)
    if teacher:
        learned, taught = _code(game[who].character, skill, library), _code(game[teacher].character, skill, library)
        if taught.in_pips <= learned.in_pips:
            raise RulesSayNo(f"{teacher} has {taught}, which is not above {learned}", rule=NEEDS)
    character: OpenD6Character = game[who].character
    if skill in character.improvable:
        raise RulesSayNo(f"{skill} was used or trained already", rule=NEEDS)
    trained = character.changed(improvable=(*character.improvable, skill))
    game.emit(CharacterChanged(who=who, what=f"trains {skill}", character=trained, cause=NEEDS))


# ---------------------------------------------------------------------- costs


class Price(NamedTuple):
    """What a step costs, and the code or rank that it leads to."""

    cost: Tally
    to: str
    test: DieCode | None = None
    """What the upper-limit test rolls, where there is one."""


def _code(character: OpenD6Character, name: str, library: Library, subject: str = "") -> DieCode:
    return code(skill(character, name, library, subject=subject))


def _written(character: OpenD6Character, name: str, library: Library, subject: str = "") -> DieCode:
    """A skill's code as it was bought: what a late rescue has taken comes off when it is rolled."""
    whole = character.changed(wounds=character.wounds.changed(weakened=0))
    return _code(whole, name, library, subject)


def price(
    character: OpenD6Character,
    what: Bought,
    name: str,
    library: Library,
    options: OpenD6Options,
    *,
    subject: str = "",
    rank: int = 1,
    concerning: tuple[str, ...] = (),
) -> Price:
    """What the next step of something costs."""
    if what == "skill":
        return _skill_price(character, name, library, options)
    if what == "specialisation":
        own = _written(character, name, library, subject)
        half = Tally.of(f"whole dice of {own}", own.dice, SPECIAL).scale(_HALF, "half", SPECIAL, Rounding.UP)
        half = half.scale(_TWICE, "Extranormal", DOUBLE) if _is_extranormal(name, library) else half
        return Price(half, str(DieCode.of_pips(own.in_pips + 1)))
    if what == "attribute":
        now = _attribute(character, name)
        cost = Tally.of(f"ten times the dice of {now}", PER_DIE * now.dice, ATTRIBUTE)
        to = DieCode.of_pips(now.in_pips + 1)
        return Price(cost, str(to), to if name in ATTRIBUTES else None)
    if what == "funds":
        from tablewright.systems.opend6.character.figures import funds_code  # noqa: PLC0415 - only here

        funds = funds_code(character, library)
        cost = Tally.of(f"ten times the dice of {funds}", PER_DIE * funds.dice, ATTRIBUTE)
        return Price(cost, str(DieCode.of_pips(funds.in_pips + 1)))
    if what == "ability":
        return _ability_price(character, name, library, concerning)
    if what == "advantage":
        return Price(Tally.of(f"five times rank {rank}", PER_ADVANTAGE * rank, ADVANTAGE), f"rank {rank}")
    if what == "bought_off":
        held = character.disadvantages.get(name, 0)
        return Price(Tally.of(f"ten times rank {held}", BOUGHT_OFF * held, DISADVANTAGE), "nothing")
    return Price(Tally.of(f"gives three times rank {rank}", -GIVES * rank, DISADVANTAGE), f"rank {rank}")


def _skill_price(character: OpenD6Character, name: str, library: Library, options: OpenD6Options) -> Price:
    own, new = _written(character, name, library), name not in character.skills
    rule = NEW_SKILL if new else SKILL
    cost = Tally.of(f"whole dice of {own}", own.dice, rule)
    if _is_extranormal(name, library):
        cost = cost.scale(_TWICE, "Extranormal", DOUBLE)
    to = DieCode.of_pips(own.in_pips + 1)
    tested = options.skill_upper_limit and own.in_pips >= SKILL_TEST_FROM.in_pips
    return Price(cost, str(to), to if tested else None)


def _ability_price(character: OpenD6Character, name: str, library: Library, concerning: tuple[str, ...] = ()) -> Price:
    entry = library.get(Ability, name)
    held = _meant(character, name, concerning)
    ranks = held.ranks if held is not None else 0
    named = next((one for one in ATTRIBUTES if one in concerning), None)
    attribute = held.attribute if held is not None else named
    if _raises_attribute(entry) and attribute is not None:
        dice = _attribute(character, attribute).dice
        cost = Tally.of(f"four times {dice} dice", PER_INCREASED * dice, INCREASED).add("ranks", ranks, INCREASED)
    else:
        cost = Tally.of(f"five times {entry.cost} and {ranks}", PER_ABILITY * (entry.cost + ranks), ABILITY)
    return Price(cost, f"rank {ranks + 1}")


def _meant(character: OpenD6Character, name: str, concerning: tuple[str, ...]) -> OwnAbility | None:
    """The ability that somebody has and means: the one that concerns this, or the only one where nothing is named."""
    own = [one for one in character.abilities if one.id == name]
    if concerning:
        return next((one for one in own if {one.attribute, *one.skills} - {None} == set(concerning)), None)
    return own[0] if len(own) == 1 else None


def _concern(character: OpenD6Character, name: str, concerning: tuple[str, ...]) -> str:
    """What an ability that is bought or raised concerns."""
    held = _meant(character, name, concerning)
    return ",".join(concerning) if held is None else held.concern


def _raises_attribute(entry: Ability) -> bool:
    return any(isinstance(effect, TotalEffect) and effect.of == "attribute" for effect in entry.effects)


def _is_extranormal(name: str, library: Library) -> bool:
    return library.has(Skill, name) and library.get(Skill, name).attribute in EXTRANORMAL


def _attribute(character: OpenD6Character, name: str) -> DieCode:
    found: DieCode = getattr(character.attributes, "extranormal" if name in EXTRANORMAL else name)
    return found


# ---------------------------------------------------------------------- refusals


def refusal(
    scene: Scene,
    who: str,
    what: Bought,
    name: str,
    subject: str = "",
    rank: int = 1,
    concerning: tuple[str, ...] = (),
) -> Refused | None:
    """Why something cannot be bought now; None where it can."""
    character: OpenD6Character = scene[who].character
    library: Library = scene.library
    unknown = _unknown(character, what, name, subject, library)
    if unknown is not None:
        return unknown
    if what == "ability":
        subject = _concern(character, name, concerning)
        if not concerning and len([one for one in character.abilities if one.id == name]) > 1:
            return Refused("there are several of them: say what the one concerns that is meant", ABILITY)
    if character.interval == 0:
        return Refused("points are spent on improvement only between adventures, and none is over yet", SPENDING)
    now = [one for one in character.advances if one.interval == character.interval]
    same = [one for one in now if (one.what, one.name, one.subject) == (what, name, subject)]
    if same:
        return Refused("was improved already since the last adventure", SKILL)
    if what == "skill" and any(one.what == "specialisation" and one.name == name for one in now):
        return Refused("a specialisation of it was improved since the last adventure", NOT_BOTH)
    if what == "specialisation" and any(one.what == "skill" and one.name == name for one in now):
        return Refused("the skill itself was improved since the last adventure", NOT_BOTH)
    if what in ("skill", "specialisation") and name not in character.improvable:
        return Refused("was neither used nor trained in the last adventure and since", NEEDS)
    if what in ("skill", "attribute") and name in character.at_limit:
        return Refused("has reached its upper limit", LIMIT)
    paid = price(character, what, name, library, scene.options, subject=subject, rank=rank, concerning=concerning)
    cost = paid.cost.total
    if cost > scene[who].status.character_points:
        return Refused(f"costs {cost}, there are {scene[who].status.character_points}", SPENDING)
    return None


def _unknown(character: OpenD6Character, what: Bought, name: str, subject: str, library: Library) -> Refused | None:
    """What is not there to be bought."""
    if what in ("skill", "specialisation"):
        known = library.ids(Skill)
        if name not in known:
            return Refused(f'there is no skill "{name:.40}"{nearest(name, known)}', "opend6.gap.skill.list")
        governing = library.get(Skill, name).attribute
        if governing in EXTRANORMAL and character.extranormal != governing:
            return Refused(f"needs the attribute {governing}", "opend6.gap.creation.extranormal_skills")
        if what == "specialisation" and not 1 <= len(subject.strip()) <= 60:
            return Refused("a specialisation has a subject", "opend6.gap.creation.specialisations")
    elif what == "attribute":
        if name not in ATTRIBUTES and name != character.extranormal:
            return Refused(f'there is no attribute "{name:.40}" here{nearest(name, ATTRIBUTES)}', ATTRIBUTE)
    elif what == "ability":
        if not library.has(Ability, name):
            known = library.ids(Ability)
            return Refused(f'there is no ability "{name:.40}"{nearest(name, known)}', "opend6.gap.ability.list")
        if not library.get(Ability, name).ranked and any(one.id == name for one in character.abilities):
            return Refused("has no ranks", "opend6.gap.ability.cost")
    elif what == "bought_off" and name not in character.disadvantages:
        return Refused(f'there is no disadvantage "{name:.40}"', DISADVANTAGE)
    elif what == "advantage" and name in character.advantages:
        return Refused(f'"{name:.40}" is there already', ADVANTAGE)
    elif what == "disadvantage" and name in character.disadvantages:
        return Refused(f'"{name:.40}" is there already', DISADVANTAGE)
    elif not 1 <= len(name.strip()) <= 60:
        return Refused("it has a name", ADVANTAGE)
    return None


# ---------------------------------------------------------------------- buying


@process(rules=["opend6.cp.spent_and_earned", "opend6.gap.advancement.needs", "opend6.gap.advancement.not_both"])
async def advance(
    game: Live,
    who: Who,
    what: Kind,
    name: Name,
    subject: Subject = "",
    rank: Rank = 1,
    concerning: Annotated[tuple[str, ...], Param("what a new ability concerns: an attribute, or its skills")] = (),
) -> None:
    """Buy one step of a skill, specialisation, attribute or ability, or an advantage, or be rid of a disadvantage."""
    who = game[who].id
    if what == "ability":
        subject = _concern(game[who].character, name, concerning)
    _demand(game, who, what, name, subject, rank, concerning)
    options: OpenD6Options = game.scene.options
    paid = price(
        game[who].character,
        what,
        name,
        game.scene.library,
        options,
        subject=subject,
        rank=rank,
        concerning=concerning,
    )
    improves = True
    if paid.test is not None:
        limit = HUMAN_LIMIT if what == "attribute" else SKILL_TEST
        improves = await upper_limit(paid.test, limit, *How.of(options)).by(game.seat(who), GAME_MASTER)
    more = 0
    if improves and what == "attribute" and name == "physique" and paid.test is not None and paid.test.pips == 0:
        more = await new_die().by(game.seat(who)) if game[who].character.body_points is not None else 0
    _demand(game, who, what, name, subject, rank, concerning)  # somebody may have done something while it was rolled
    character: OpenD6Character = game[who].character
    cost = paid.cost.total if improves else paid.cost.total - paid.cost.total // 2
    bought = Advance(
        what=what,
        name=name,
        subject=subject,
        cost=cost,
        interval=character.interval,
        pips=int(improves),
        rolled=paid.test is not None,
        body_points=more,
    )
    raised = raised_by(character, bought, game.scene.library, rank, concerning) if improves else character
    changed = raised.changed(advances=(*character.advances, bought))
    if not improves:
        changed = changed.changed(at_limit=(*character.at_limit, name))
    words = f"{name}{f': {subject}' if subject else ''} to {paid.to}" if improves else f"{name} is at its limit"
    rule = paid.cost.rule or SPENDING
    game.emit(CharacterChanged(who=who, what=words, character=changed, cause=rule if improves else LIMIT))
    if cost:
        game.emit(PointsGained(who=who, reason=words, character_points=-cost, cause=SPENDING))


def _demand(
    game: Live, who: str, what: Bought, name: str, subject: str, rank: int, concerning: tuple[str, ...]
) -> None:
    refused = refusal(game.scene, who, what, name, subject, rank, concerning)
    if refused is not None:
        raise RulesSayNo(f"{name}: {refused.reason}", rule=refused.rule)


def raised_by(
    character: OpenD6Character, bought: Advance, library: Library, rank: int, concerning: tuple[str, ...] = ()
) -> OpenD6Character:
    """The character with one more step."""
    name = bought.name
    if bought.what == "skill":
        own = _written(character, name, library)
        return character.changed(skills=character.skills.put(name, DieCode.of_pips(own.in_pips + 1)))
    if bought.what == "specialisation":
        return character.changed(specialisations=_specialised(character, name, bought.subject, 1))
    if bought.what == "attribute":
        more = None if character.body_points is None else character.body_points + bought.body_points
        return _attribute_by(character, name, 1, library).changed(body_points=more)
    if bought.what == "funds":
        return character.changed(funds_adds=DieCode.of_pips(character.funds_adds.in_pips + 1))
    if bought.what == "ability":
        return character.changed(abilities=_abilities(character, name, concerning, library))
    if bought.what == "advantage":
        return character.changed(advantages=Ranks({**character.advantages, name: rank}))
    if bought.what == "disadvantage":
        return character.changed(disadvantages=Ranks({**character.disadvantages, name: rank}))
    return character.changed(disadvantages=character.disadvantages.drop(name))


def _specialised(character: OpenD6Character, name: str, subject: str, by: int) -> tuple[Specialisation, ...]:
    found = [one for one in character.specialisations if (one.skill, one.subject) == (name, subject)]
    others = [one for one in character.specialisations if (one.skill, one.subject) != (name, subject)]
    pips = sum([one.adds.in_pips for one in found]) + by
    own = [Specialisation(skill=name, subject=subject, adds=DieCode.of_pips(pips))] if pips else []
    return (*others, *own)


def _attribute_by(character: OpenD6Character, name: str, by: int, library: Library) -> OpenD6Character:
    """An attribute a pip higher or lower, and every skill above it with it: adds stay adds."""
    field = "extranormal" if name in EXTRANORMAL else name
    changed = {field: DieCode.of_pips(_attribute(character, name).in_pips + by)}
    attributes: Attributes = character.attributes.changed(**changed)
    skills = character.skills
    for one, own in character.skills.items():
        if library.has(Skill, one) and library.get(Skill, one).attribute == name:
            skills = skills.put(one, DieCode.of_pips(own.in_pips + by))
    return character.changed(attributes=attributes, skills=skills)


def _abilities(
    character: OpenD6Character, name: str, concerning: tuple[str, ...], library: Library
) -> tuple[OwnAbility, ...]:
    held = _meant(character, name, concerning)
    if held is not None:
        return tuple([one.changed(ranks=one.ranks + 1) if one is held else one for one in character.abilities])
    attribute: Attribute | None = next((one for one in ATTRIBUTES if one in concerning), None)
    skills = tuple([one for one in concerning if one not in ATTRIBUTES])
    wanted = [effect for effect in library.get(Ability, name).effects if isinstance(effect, TotalEffect)]
    if _raises_attribute(library.get(Ability, name)) != (attribute is not None):
        raise RulesSayNo(f"{name}: names an attribute it concerns, or none", rule="opend6.gap.ability.cost")
    if len(skills) != sum([effect.skills for effect in wanted]):
        number = sum([effect.skills for effect in wanted])
        raise RulesSayNo(f"{name}: concerns {number} skills, not {len(skills)}", rule="opend6.gap.ability.cost")
    for one in skills:
        skill_of(one, library)
    return (*character.abilities, OwnAbility(id=name, attribute=attribute, skills=skills))


@process(rules=["opend6.cp.spent_and_earned"])
async def step_back(game: Live, who: Who) -> None:
    """Take back the last thing that was bought, as long as no other adventure is over and nothing was rolled for it."""
    who = game[who].id
    character: OpenD6Character = game[who].character
    if not character.advances:
        raise RulesSayNo(f"{game.scene.called(who)} has bought nothing yet", rule=SPENDING)
    last = character.advances[-1]
    if last.interval != character.interval:
        raise RulesSayNo(f"{last.name} was bought before the last adventure; it stays", rule=SPENDING)
    if last.rolled:
        raise RulesSayNo(f"{last.name} was rolled for; it stays", rule=LIMIT)
    if last.what == "disadvantage" and -last.cost > game[who].status.character_points:
        raise RulesSayNo("the points that it gave are spent", rule=DISADVANTAGE)
    lowered = lowered_by(character, last, game.scene.library).changed(advances=character.advances[:-1])
    words = f"{last.name} taken back"
    game.emit(CharacterChanged(who=who, what=words, character=lowered, cause=SPENDING))
    game.emit(PointsGained(who=who, reason=words, character_points=last.cost, cause=SPENDING))


def lowered_by(character: OpenD6Character, last: Advance, library: Library) -> OpenD6Character:
    """The character as it was before the last thing was bought."""
    name = last.name
    if last.what == "skill":
        own = DieCode.of_pips(character.skills[name].in_pips - 1)
        base = _attribute(character, library.get(Skill, name).attribute)
        skills = character.skills.drop(name) if own == base else character.skills.put(name, own)
        return character.changed(skills=skills)
    if last.what == "specialisation":
        return character.changed(specialisations=_specialised(character, name, last.subject, -1))
    if last.what == "attribute":
        return _attribute_by(character, name, -1, library)
    if last.what == "funds":
        return character.changed(funds_adds=DieCode.of_pips(character.funds_adds.in_pips - 1))
    if last.what == "ability":
        held = _meant(character, name, _named("ability", last.subject))
        fewer = [
            one.changed(ranks=one.ranks - 1) if one is held else one
            for one in character.abilities
            if one is not held or one.ranks > 1
        ]
        return character.changed(abilities=tuple(fewer))
    if last.what == "advantage":
        return character.changed(advantages=character.advantages.drop(name))
    if last.what == "disadvantage":
        return character.changed(disadvantages=character.disadvantages.drop(name))
    rank = last.cost // BOUGHT_OFF
    return character.changed(disadvantages=Ranks({**character.disadvantages, name: rank}))


# ---------------------------------------------------------------------- everything that can be bought


def purchases(scene: Scene, who: str) -> Iterator[Offer | Closed]:
    """Everything that can be improved with its cost, and why the rest cannot."""
    character: OpenD6Character = scene[who].character
    library: Library = scene.library
    every: list[tuple[Bought, str, str]] = [("skill", one.id, "") for one in library.of(Skill)]
    every += [("specialisation", one.skill, one.subject) for one in character.specialisations]
    every += [
        ("attribute", one, "") for one in (*ATTRIBUTES, *([character.extranormal] if character.extranormal else []))
    ]
    every += [("ability", one.id, one.concern) for one in character.abilities]
    every += [("bought_off", one, "") for one in character.disadvantages]
    every.append(("funds", "funds", ""))
    for what, name, subject in every:
        id_ = f"{what}:{name}{f':{subject}' if subject else ''}"
        concerning = _named(what, subject)
        refused = refusal(scene, who, what, name, subject, concerning=concerning)
        if refused is not None:
            yield Closed(id_, refused.reason, refused.rule)
            continue
        paid = price(character, what, name, library, scene.options, subject=subject, concerning=concerning)
        label = f"{name}{f': {subject}' if subject else ''} to {paid.to}"
        yield Offer(id_, label, paid.cost.total, rule=paid.cost.rule)


def _named(what: str, subject: str) -> tuple[str, ...]:
    """What an ability concerns that is shown with its concern."""
    return tuple(subject.split(",")) if what == "ability" and subject else ()


@process(rules=["opend6.cp.spent_and_earned"])
async def spend(game: Live, who: Who) -> None:
    """Spend Character Points step by step: everything that can be improved is shown with its cost."""
    who = game[who].id

    async def buy(taken: Offer) -> None:
        what, _, rest = taken.id.partition(":")
        name, _, subject = rest.partition(":")
        await advance.function(game, who, what, name, subject, concerning=_named(what, subject))

    await buy_step_by_step(
        game,
        who,
        lambda: f"{game[who].status.character_points} Character Points",
        lambda: purchases(game.scene, who),
        buy,
    )


PROCESSES = (award, end_adventure, train, advance, step_back, spend)
