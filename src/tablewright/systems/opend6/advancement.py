"""Advancement: awards, purchases with experience, and stepping back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

from tablewright.engine import ClosedOption, Param, Tally, process
from tablewright.errors import IllegalActionError, did_you_mean, refuse, refuse_if
from tablewright.game.character.creation import CreationOption, Step
from tablewright.game.content.library import Library
from tablewright.game.narration.formatting import as_meant
from tablewright.game.play.actions import Refusal
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.purchases import Advancement, purchasing
from tablewright.game.play.time_passage import AtLeisure, Who
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.opend6.chapters.points import AdventureEnded, PointsGained, end_session
from tablewright.systems.opend6.character import costs
from tablewright.systems.opend6.character.figures import skill_of
from tablewright.systems.opend6.character.growth import (
    ABILITY,
    ADVANTAGE,
    ATTRIBUTE,
    DISADVANTAGE,
    GIVES,
    LIMIT,
    NEEDS,
    NOT_BOTH,
    PER_ADVANTAGE,
    SKILL,
    SKILL_TEST,
    SPENDING,
    code_of,
    concern_of,
    lowered_by,
    named,
    price,
    raised_by,
    raises_attribute,
    room_for_disadvantages,
)
from tablewright.systems.opend6.character.record import Advance, Bought, OpenD6Character
from tablewright.systems.opend6.content import ATTRIBUTES, EXTRANORMAL, Ability, Skill
from tablewright.systems.opend6.creation import MOST_RANK, concerned, subject_of, with_rank
from tablewright.systems.opend6.mechanics.checks import HUMAN_LIMIT, new_die, upper_limit
from tablewright.systems.opend6.mechanics.rolls import How
from tablewright.systems.opend6.options import OpenD6Options

OBSTACLES, PLAYING, DEFAULT = "opend6.gap.reward.obstacles", "opend6.gap.reward.playing", "opend6.gap.reward.default"
EASY, SOMEWHAT, CHALLENGING = 0, 1, 2
USUAL_CHARACTER_POINTS, USUAL_FATE_POINTS, GOAL_FATE_POINTS = 5, 1, 1
UNNAMED = "?"
"""Stands for the subject of a specialisation that is not named yet."""
GROWING = Step("growing", "Between adventures")

Kind: TypeAlias = Annotated[Bought, Param("what is bought")]
Name: TypeAlias = Annotated[str, Param("the skill, attribute, ability, advantage or disadvantage, by its name")]
Subject: TypeAlias = Annotated[str, Param("the subject of a specialisation")]
Rank: TypeAlias = Annotated[int, Param("the rank of an advantage or disadvantage", 1, MOST_RANK)]


# ---------------------------------------------------------------------- earning


def reward(
    easy: int = 0, somewhat_difficult: int = 0, challenging: int = 0, individual: int = 0, group: int = 0, fun: int = 0
) -> Tally:
    """Character Points for an adventure."""
    tally = Tally.of("Character Points", 0, OBSTACLES)
    tally = tally.add("easy obstacles", EASY * easy, OBSTACLES)
    tally = tally.add("somewhat difficult obstacles", SOMEWHAT * somewhat_difficult, OBSTACLES)
    tally = tally.add("challenging obstacles", CHALLENGING * challenging, OBSTACLES)
    tally = tally.add("individual roleplaying", individual, PLAYING)
    return tally.add("roleplaying of the group", group, PLAYING).add("everybody had fun", fun, PLAYING)


@process(rules=["opend6.gap.reward.obstacles", "opend6.gap.reward.playing", "opend6.gap.reward.goal"])
async def award(
    game: Game,
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
async def end_adventure(game: Game, who: Who) -> None:
    """An adventure and its session end: a new time begins in which Character Points can be spent on improvement."""
    await end_session.function(game, who)
    character: OpenD6Character = game[who].character
    after = character.changed(interval=character.interval + 1, improvable=game[who].status.used)
    game.emit(CharacterChanged(who=who, what="can improve what was used", character=after, cause=NEEDS))
    game.emit(AdventureEnded(who=who, cause=SKILL))


@process(rules=["opend6.gap.advancement.needs"])
async def train(
    game: Game,
    who: AtLeisure,
    skill: Annotated[str, Param("the skill that is trained, by its id")],
    teacher: Annotated[str, Param("the id of a teacher who is here; empty for training alone")] = "",
) -> None:
    """Train a skill between adventures, alone or with a teacher, who must have a higher code."""
    library = game.scene.library
    skill_of(skill, library)
    if teacher:
        learned, taught = code_of(game[who].character, skill, library), code_of(game[teacher].character, skill, library)
        if taught.in_pips <= learned.in_pips:
            raise IllegalActionError(f"{teacher} has {taught}, which is not above {learned}", rule=NEEDS)
    character: OpenD6Character = game[who].character
    refuse_if(skill in character.improvable, f"{skill} was used or trained already", rule=NEEDS)
    trained = character.changed(improvable=(*character.improvable, skill))
    game.emit(CharacterChanged(who=who, what=f"trains {skill}", character=trained, cause=NEEDS))


# ---------------------------------------------------------------------- refusals


def refusal(
    scene: Scene, who: str, what: Bought, name: str, subject: str = "", rank: int = 1, concerning: tuple[str, ...] = ()
) -> Refusal | None:
    """Reason why something cannot be bought now; None where it can."""
    character: OpenD6Character = scene[who].character
    library: Library = scene.library
    unknown = _unknown(character, what, name, subject, library)
    if unknown is not None:
        return unknown
    if what == "ability":
        subject = concern_of(character, name, concerning)
        if not concerning and len([one for one in character.abilities if one.id == name]) > 1:
            return Refusal("there are several of them: say what the one concerns that is meant", ABILITY)
    if character.interval == 0:
        return Refusal("points are spent on improvement only between adventures, and none is over yet", SPENDING)
    now = [one for one in character.advances if one.interval == character.interval]
    wanted = (what, name, as_meant(subject))
    same = [one for one in now if (one.what, one.name, as_meant(one.subject)) == wanted]
    if same:
        return Refusal("was improved already since the last adventure", SKILL)
    if what == "skill" and any(one.what == "specialisation" and one.name == name for one in now):
        return Refusal("a specialisation of it was improved since the last adventure", NOT_BOTH)
    if what == "specialisation" and any(one.what == "skill" and one.name == name for one in now):
        return Refusal("the skill itself was improved since the last adventure", NOT_BOTH)
    if what == "disadvantage" and any(one.what == "disadvantage" for one in now):
        return Refusal("one disadvantage is gained between two adventures, and one was since the last", DISADVANTAGE)
    if what == "disadvantage" and rank > room_for_disadvantages(character):
        held = sum(character.disadvantages.values())
        return Refusal(f"at most {costs.MOST_DISADVANTAGES} ranks of disadvantages, there are {held}", DISADVANTAGE)
    if what in ("skill", "specialisation") and name not in character.improvable:
        return Refusal("was neither used nor trained in the last adventure and since", NEEDS)
    if what in ("skill", "attribute") and name in character.at_limit:
        return Refusal("has reached its upper limit", LIMIT)
    paid = price(character, what, name, library, scene.options, subject=subject, rank=rank, concerning=concerning)
    cost = paid.cost.total
    if cost > scene[who].status.character_points:
        return Refusal(f"costs {cost} and {scene.display_name(who)} has {scene[who].status.character_points}", SPENDING)
    return None


def _unknown(character: OpenD6Character, what: Bought, name: str, subject: str, library: Library) -> Refusal | None:
    """A purchase that does not exist."""
    if what in ("skill", "specialisation"):
        known = library.ids(Skill)
        if name not in known:
            return Refusal(f'there is no skill "{name:.40}"{did_you_mean(name, known)}', "opend6.gap.skill.list")
        governing = library.get(Skill, name).attribute
        if governing in EXTRANORMAL and character.extranormal != governing:
            return Refusal(f"needs the attribute {governing}", "opend6.gap.creation.extranormal_skills")
        if what == "specialisation" and not 1 <= len(subject.strip()) <= 60:
            return Refusal("a specialisation has a subject", "opend6.gap.creation.specialisations")
    elif what == "attribute":
        if name not in ATTRIBUTES and name != character.extranormal:
            return Refusal(f'there is no attribute "{name:.40}" here{did_you_mean(name, ATTRIBUTES)}', ATTRIBUTE)
    elif what == "ability":
        if not library.has(Ability, name):
            known = library.ids(Ability)
            return Refusal(f'there is no ability "{name:.40}"{did_you_mean(name, known)}', "opend6.gap.ability.list")
        if not library.get(Ability, name).ranked and any(one.id == name for one in character.abilities):
            return Refusal("has no ranks", "opend6.gap.ability.cost")
    elif what == "bought_off" and name not in character.disadvantages:
        return Refusal(f'there is no disadvantage "{name:.40}"', DISADVANTAGE)
    elif what == "advantage" and name in character.advantages:
        return Refusal(f'"{name:.40}" is there already', ADVANTAGE)
    elif what == "disadvantage" and name in character.disadvantages:
        return Refusal(f'"{name:.40}" is there already', DISADVANTAGE)
    elif not 1 <= len(name.strip()) <= 60:
        return Refusal("it has a name", ADVANTAGE)
    return None


# ---------------------------------------------------------------------- buying


@process(rules=["opend6.cp.spent_and_earned", "opend6.gap.advancement.needs", "opend6.gap.advancement.not_both"])
async def advance(
    game: Game,
    who: AtLeisure,
    what: Kind,
    name: Name,
    subject: Subject = "",
    rank: Rank = 1,
    concerning: Annotated[tuple[str, ...], Param("what a new ability concerns: an attribute, or its skills")] = (),
) -> None:
    """Buy one step of a skill, specialisation, attribute or ability, or an advantage, or be rid of a disadvantage."""
    if what == "ability":
        subject = concern_of(game[who].character, name, concerning)
    elif what == "specialisation":
        subject = _as_known(game[who].character, name, subject)
    _demand(game, who, what, name, subject, rank, concerning)
    options: OpenD6Options = game.scene.options
    paid = price(
        game[who].character, what, name, game.scene.library, options, subject=subject, rank=rank, concerning=concerning
    )
    improves = True
    if paid.test is not None:
        limit = HUMAN_LIMIT if what == "attribute" else SKILL_TEST
        improves = await upper_limit(paid.test, limit, How.of(options)).by(game.seat(who), GAME_MASTER)
    more = 0
    if improves and what == "attribute" and name == "physique" and paid.test is not None and paid.test.pips == 0:
        more = await new_die().by(game.seat(who)) if game[who].character.body_points is not None else 0
    _demand(game, who, what, name, subject, rank, concerning)  # a character may have done something while it was rolled
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


def _as_known(character: OpenD6Character, name: str, subject: str) -> str:
    """A subject as the character has it already, however it is written now."""
    own = [one.subject for one in character.specialisations if one.skill == name]
    return next((one for one in own if as_meant(one) == as_meant(subject)), " ".join(subject.split()))


def _demand(
    game: Game, who: str, what: Bought, name: str, subject: str, rank: int, concerning: tuple[str, ...]
) -> None:
    refuse(refusal(game.scene, who, what, name, subject, rank, concerning), name)


def _keeps(game: Game, who: str, last: Advance) -> None:
    """Refuse to take back a purchase that was rolled for, or a disadvantage whose points are spent."""
    refuse_if(last.rolled, f"{last.name} was rolled for; it stays", rule=LIMIT)
    if last.what == "disadvantage" and -last.cost > game[who].status.character_points:
        raise IllegalActionError("the points that it gave are spent", rule=DISADVANTAGE)


def _return_points(game: Game, who: str, last: Advance) -> None:
    game.emit(PointsGained(who=who, reason=f"{last.name} taken back", character_points=last.cost, cause=SPENDING))


# ---------------------------------------------------------------------- everything that can be bought


def purchases(scene: Scene, who: str) -> Iterator[CreationOption | ClosedOption]:
    """Improvements with their costs, and the reasons against the others."""
    character: OpenD6Character = scene[who].character
    every: list[tuple[Bought, str, str]] = [("skill", one.id, "") for one in scene.library.of(Skill)]
    every += [("specialisation", one.skill, one.subject) for one in character.specialisations]
    every += [
        ("attribute", one, "") for one in (*ATTRIBUTES, *([character.extranormal] if character.extranormal else []))
    ]
    every += [("ability", one.id, one.concern) for one in character.abilities]
    every += [("bought_off", one, "") for one in character.disadvantages]
    every.append(("funds", "funds", ""))
    for what, name, subject in every:
        id_ = f"{what}:{name}{f':{subject}' if subject else ''}"
        yield _offered(scene, who, id_, what, name, subject)
    yield from _new_things(scene, who)


def _offered(
    scene: Scene, who: str, id_: str, what: Bought, name: str, subject: str, label: str = ""
) -> CreationOption | ClosedOption:
    concerning = named(what, subject)
    called = _display_name(what, name, concerning or ((subject,) if subject else ()), scene.library)
    refused = refusal(scene, who, what, name, subject, concerning=concerning)
    if refused is not None:
        return ClosedOption(id_, refused.reason, refused.rule, label or called)
    options: OpenD6Options = scene.options
    paid = price(scene[who].character, what, name, scene.library, options, subject=subject, concerning=concerning)
    return CreationOption(id_, label or f"{called} to {paid.to}", paid.cost.total, rule=paid.cost.rule)


def _new_things(scene: Scene, who: str) -> Iterator[CreationOption | ClosedOption]:
    """Purchases that are new to a character: specialisations of what was used, abilities, advantages, disadvantages."""
    character: OpenD6Character = scene[who].character
    for name in character.improvable:
        label = f"A new specialisation of {_display_name('skill', name, (), scene.library)}"
        yield _offered(scene, who, f"new_specialisation:{name}", "specialisation", name, UNNAMED, label)
    owned = [one.id for one in character.abilities]
    for ability in scene.library.of(Ability):
        concerns: tuple[str, ...] = () if ability.id in owned else ("",)
        if raises_attribute(ability):
            known = [one.attribute for one in character.abilities if one.id == ability.id]
            concerns = tuple([one for one in ATTRIBUTES if one not in known])
        for concern in concerns:
            label = f"New: {_display_name('ability', ability.id, named('ability', concern), scene.library)}"
            id_ = f"new_ability:{ability.id}{f':{concern}' if concern else ''}"
            yield _offered(scene, who, id_, "ability", ability.id, concern, label)
    yield _offered(scene, who, "new_advantage", "advantage", UNNAMED, "", "A new advantage, for each rank")
    yield _offered(scene, who, "new_disadvantage", "disadvantage", UNNAMED, "", "A new disadvantage, for each rank")


def _display_name(what: Bought, name: str, subjects: Iterable[str], library: Library) -> str:
    """A purchase as the sheet calls it, with its subjects."""

    def called(kind: type[Ability | Skill], id_: str) -> str:
        return library.get(kind, id_).name if library.has(kind, id_) else id_[:1].upper() + id_[1:]

    of = ", ".join([called(Skill, one) if what == "ability" else one for one in subjects])
    return f"{called(Ability if what == 'ability' else Skill, name)}{f': {of}' if of else ''}"


async def _buy(game: Game, who: str, taken: CreationOption) -> None:
    what, _, rest = taken.id.partition(":")
    name, _, subject = rest.partition(":")
    rank = 1
    if what == "new_specialisation":
        known = [one.subject for one in game[who].character.specialisations if one.skill == name]
        subject = await subject_of(GROWING, name, known, game.seat(who))
    elif what == "new_ability" and not subject:
        own = await concerned(GROWING, game.scene.library.get(Ability, name), game.scene.library, game.seat(who))
        subject = own.concern
    elif what in ("new_advantage", "new_disadvantage"):
        name, rank = await _named_with_rank(game, who, what.removeprefix("new_"))
    kind: Bought = what.removeprefix("new_")  # type: ignore[assignment]
    await advance.function(game, who, kind, name, subject, rank, named(kind, subject))


async def _named_with_rank(game: Game, who: str, what: str) -> tuple[str, int]:
    """A new advantage or disadvantage by its name, and its rank as far as the points go."""
    character: OpenD6Character = game[who].character
    held = list(character.advantages if what == "advantage" else character.disadvantages)
    held += [one.name for one in character.advances if (one.what, one.interval) == (what, character.interval)]
    each, rule = (PER_ADVANTAGE, ADVANTAGE) if what == "advantage" else (-GIVES, DISADVANTAGE)
    ranks = [CreationOption(str(rank), f"rank {rank}", each * rank, rule=rule) for rank in range(1, MOST_RANK + 1)]
    able = [one for one in ranks if one.cost <= game[who].status.character_points]
    able = able if what == "advantage" else able[: room_for_disadvantages(character)]
    return await with_rank(GROWING, what, held, able, game.seat(who))


ADVANCEMENT = Advancement(
    rule=SPENDING,
    points="Character Points",
    left=lambda scene, who: scene[who].status.character_points,
    offers=purchases,
    buy=_buy,
    lower=lambda scene, character, last: lowered_by(character, last, scene.library).changed(
        advances=character.advances[:-1]
    ),
    period="adventure",
    counter="interval",
    keeps=_keeps,
    taken_back=_return_points,
)
PROCESSES = (award, end_adventure, train, advance, *purchasing(ADVANCEMENT))
