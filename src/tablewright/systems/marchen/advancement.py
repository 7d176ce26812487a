"""Advancement: awards, purchases with experience, and stepping back."""

from __future__ import annotations

from typing import Annotated, Literal

from tablewright.engine import ClosedOption, Param, Tally, process
from tablewright.errors import IllegalActionError, did_you_mean, refuse_if
from tablewright.game.character.creation import CreationOption, Step, choose_step
from tablewright.game.play.purchases import Advancement, purchasing
from tablewright.game.play.time_passage import AtLeisure, Who, each_named
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.marchen.chapters.life import became, permanently
from tablewright.systems.marchen.character import costs
from tablewright.systems.marchen.character.figures import limits, mastered, scale_of, score
from tablewright.systems.marchen.character.record import Advance, Change, MarchenCharacter, Study
from tablewright.systems.marchen.content import Skill
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.status import lives
from tablewright.systems.marchen.values import (
    ASPECT_NAMES,
    ASPECTS,
    CHARACTERISTICS,
    MYTHIC,
    SKILL_NAMES,
    SKILLS,
    SkillId,
    alias_of,
)

SESSION, GOAL, REMARKABLE, SPARRING = 1, 1, 1, 1
EARNING = "marchen.gap.advancement.earning"
TRAINING, SAGE = "marchen.season.training", "marchen.sojourn.confer_with_sage"
APOTHEOSIS, BURNING, MYTHIC_LEVELS = (
    "marchen.mythic.apotheosis",
    "marchen.mythic.burn_for_success",
    "marchen.option.mythic_levels",
)
DEMIGOD, DEITY = 5, 6
TAUGHT_BY_SAGES = ("Lore", "Travel", "Explore")
LEARNING = Step("learning", "Learning")

What = Annotated[Literal["skill", "specialization", "characteristic", "aspect"], Param("kind of step")]
Name = Annotated[str, Param("which one, by its id or name")]
OfSkill = Annotated[str, Param("the skill that a specialization belongs to, by its id")]


# ---------------------------------------------------------------------- earning


def session_experience(*, goal: bool, remarkable: bool, lost_sparring: int = 0) -> Tally:
    """Experience for a session.

    >>> session_experience(goal=True, remarkable=False).total
    2
    """
    tally = Tally.of("session", SESSION, EARNING).add("goal reached", GOAL * goal, EARNING)
    tally = tally.add("first catastrophic or serendipitous result", REMARKABLE * remarkable, EARNING)
    return tally.add("lost sparring", SPARRING * lost_sparring, "marchen.month.sparring")


@process(rules=["marchen.gap.advancement.earning"])
async def award(
    game: Game,
    who: Annotated[tuple[str, ...], Param("ids of those who get it; empty for every character still in play")] = (),
    goal: Annotated[bool, Param("whether a goal was reached")] = False,
    remarkable: Annotated[bool, Param("whether there was a catastrophic or serendipitous result")] = False,
    bonus: Annotated[int, Param("bonus of the game master", 0, 1000)] = 0,
) -> None:
    """Award experience at the end of a session."""
    amount = session_experience(goal=goal, remarkable=remarkable).add("bonus", bonus).total
    for one in each_named(game, who, _plays_on):
        character: MarchenCharacter = game[one].character
        changed = character.changed(experience=character.experience + amount)
        became(game, one, f"{amount} experience", changed, cause=EARNING)


def _plays_on(one: Participant) -> bool:
    character: MarchenCharacter = one.character
    return lives(one) and not character.is_creature and not character.retired


# ---------------------------------------------------------------------- what a step makes


def stepped(character: MarchenCharacter, what: str, name: str, skill: str, options: MarchenOptions) -> MarchenCharacter:
    """A character with one step more of something; what the rules do not allow is refused."""
    if what == "skill":
        return costs.study_skill(character, _skill(name))
    if what == "specialization":
        return costs.study_specialization(character, _skill(skill), name, options)
    name = costs.scored(what, name)
    if what == "aspect" and scale_of(character, options) == "cepheus":
        raise IllegalActionError("an aspect follows from its characteristics", rule="marchen.gap.score.cepheus_aspect")
    raised = permanently(character, name, 1, costs.BOUGHT, options)
    if raised == character:
        raise IllegalActionError(
            f"{name} is at {limits(character, options)[1]}, the most", rule="marchen.aspect.current_and_maximum"
        )
    return raised


def _skill(name: str) -> SkillId:
    meant = alias_of(name).skill
    if meant is None:
        raise IllegalActionError(f"{name} is not a skill", rule="marchen.skill.tree")
    return meant


def advanced(
    character: MarchenCharacter,
    what: Literal["skill", "specialization", "characteristic", "aspect"],
    name: str,
    skill: str,
    options: MarchenOptions,
    *,
    cost: int,
    how: Literal["experience", "training", "sage"] = "experience",
) -> MarchenCharacter:
    """A character with one step more, written down so that it can be taken back."""
    if what == "skill":
        name = _skill(name)
    if what == "specialization":
        skill = _skill(skill)
        known = character.specialization(skill, name)
        name = known.name if known else name.strip()
    if what in ("characteristic", "aspect"):
        name = costs.scored(what, name)
    before = mastered(character, skill) if what == "specialization" else 0  # type: ignore[arg-type]
    changed = stepped(character, what, name, skill, options)
    lifted = what == "specialization" and mastered(changed, skill) > before  # type: ignore[arg-type]
    step = Advance(what=what, name=name, skill=skill, cost=cost, how=how, lifted=lifted)
    return changed.changed(advances=(*character.advances, step))


def _buy(game: Game, who: str, what: str, name: str, skill: str, *, sage: bool) -> MarchenCharacter:
    character: MarchenCharacter = game[who].character
    options: MarchenOptions = game.scene.options
    if what == "skill":
        name = _skill(name)
    if what == "specialization":
        skill = _skill(skill)
    how: Literal["experience", "sage"] = "sage" if sage else "experience"
    cost = costs.price(character, what, name, skill, how, options)
    changed = advanced(character, what, name, skill, options, cost=cost, how=how)  # type: ignore[arg-type]
    if cost > character.available:
        raise IllegalActionError(
            f"costs {cost} experience and {character.name} has {character.available}", rule=costs.COSTS
        )
    return changed


def _words(changed: MarchenCharacter) -> str:
    step = changed.advances[-1]
    name, level = step.name, ""
    if step.what == "skill":
        name, level = SKILL_NAMES[step.name], f" to level {changed.skills[step.name]}"  # type: ignore[index]
    elif step.what == "specialization":
        found = changed.specialization(step.skill, step.name)  # type: ignore[arg-type]
        level = f" to level {found.level if found else 0}"
    lifted = f"; {SKILL_NAMES[step.skill]} rises to {changed.skills[step.skill]}" if step.lifted else ""  # type: ignore[index]
    return f"{name}{level}{f' for {step.cost}' if step.cost else ''}{lifted}"


@process(rules=["marchen.gap.advancement.costs", "marchen.specialization.study", "marchen.specialization.master_bonus"])
async def advance(game: Game, who: AtLeisure, what: What, name: Name, skill: OfSkill = "") -> None:
    """Buy one step of a skill, a specialization, a characteristic or an aspect with experience."""
    changed = _buy(game, who, what, name, skill, sage=False)
    became(game, who, _words(changed), changed, cause=costs.COSTS)


@process(rules=["marchen.sojourn.confer_with_sage"])
async def confer_with_sage(
    game: Game,
    who: AtLeisure,
    lore: Annotated[str, Param("Lore, Travel or Explore")],
    specialization: Annotated[str, Param("which specialization of Lore, from level 1 of the skill on")] = "",
) -> None:
    """Learn the next level of Lore, Travel or Explore from a sage for half the experience, rounded up."""
    refuse_if(lore.title() not in TAUGHT_BY_SAGES, f"sages teach {', '.join(TAUGHT_BY_SAGES)}, not {lore}", rule=SAGE)
    changed = _buy(game, who, *lesson(game[who].character, lore, specialization), sage=True)
    became(game, who, _words(changed), changed, cause=SAGE)


def lesson(character: MarchenCharacter, lore: str, special: str = "") -> tuple[str, str, str]:
    """The next lesson of a sage: the skill up to level 1, and then a specialization of it.

    The learner chooses the specialization of Lore; Travel and Explore stand for one each.
    """
    meant = alias_of(lore)
    skill: SkillId = meant.skill or "social_sciences"
    if (character.level(skill) or 0) < 1:
        return "skill", skill, ""
    return "specialization", meant.specialization or special.strip() or SKILL_NAMES[skill], skill


# ---------------------------------------------------------------------- training


def trained(character: MarchenCharacter, skill: SkillId, special: str, options: MarchenOptions) -> MarchenCharacter:
    """A character after a season with a trainer: a level more, or a season nearer to it."""
    same = special.strip().casefold()
    wanted = [one for one in character.studies if (one.skill, one.specialization.casefold()) == (skill, same)]
    others = tuple([one for one in character.studies if one not in wanted])
    seasons = (wanted[0].seasons if wanted else 0) + 1
    what: Literal["skill", "specialization"] = "specialization" if special else "skill"
    learned = advanced(character, what, special or skill, skill if special else "", options, cost=0, how="training")
    if seasons < options.training_seasons_per_level:
        return character.changed(studies=(*others, Study(skill=skill, specialization=special.strip(), seasons=seasons)))
    return learned.changed(studies=others)


@process(rules=["marchen.season.training", "marchen.specialization.study", "marchen.advancement.study_time"])
async def train(
    game: Game,
    who: AtLeisure,
    skill: Annotated[str, Param("the skill, by its id")],
    specialization: Annotated[str, Param("which specialization of it, from level 1 of the skill on")] = "",
) -> None:
    """Train for a season: one level of a skill or specialization, without experience."""
    before: MarchenCharacter = game[who].character
    changed = trained(before, _skill(skill), specialization, game.scene.options)
    done = len(changed.advances) > len(before.advances)
    words = f"trained: {_words(changed)}" if done else f"a season of training in {specialization or skill}"
    became(game, who, words, changed, cause=TRAINING)


# ---------------------------------------------------------------------- demigods and deities


def _mythic(scene: Scene) -> None:
    if not scene.options.mythic_levels:
        raise IllegalActionError("there are no demigods at this table (mythic_levels is off)", rule=MYTHIC_LEVELS)


def burnt(character: MarchenCharacter, name: str, points: int, options: MarchenOptions) -> MarchenCharacter:
    """A character who has burnt points of a score for good."""
    name, known = name.strip().casefold(), (*ASPECTS, *CHARACTERISTICS)
    if name not in known:
        near = did_you_mean(name, known)
        raise IllegalActionError(f'"{name:.40}" is neither an aspect nor a characteristic{near}', rule=BURNING)
    left = score(character, name, options).total - limits(character, options)[0]
    refuse_if(points > left, f"{name} has only {left} points to burn", rule=BURNING)
    return permanently(character, name, -points, "burnt", options)


def highest_level(character: MarchenCharacter) -> int:
    """The highest level of any skill or specialization."""
    levels = [*character.skills.values(), *[one.level for one in character.specializations]]
    return max(levels, default=0)


@process(rules=["marchen.mythic.burn_for_success"])
async def burn(
    game: Game,
    who: Who,
    score_name: Annotated[str, Param("the aspect or characteristic that is burnt")],
    skill: Annotated[str, Param("the skill at level 5 whose check failed")],
    points: Annotated[int, Param("number of points", 1, 8)] = 1,
) -> int:
    """Burn points for good with a skill at level 5: each is a success, of a failed check or in a pool."""
    _mythic(game.scene)
    character: MarchenCharacter = game[who].character
    level = character.level(_skill(skill)) or 0
    special = [one.level for one in character.specializations if one.skill == _skill(skill)]
    game.refuse_if(max([level, *special]) < DEMIGOD, who, f"has no {skill} at level {DEMIGOD}", BURNING)
    changed = burnt(character, score_name, points, game.scene.options)
    became(game, who, f"burns {points} of {score_name} for as many successes", changed, cause=BURNING)
    return points


@process(rules=["marchen.mythic.apotheosis"])
async def move_level(
    game: Game,
    who: Who,
    target: Annotated[str, Param("id of the character whose level is moved")],
    skill: Annotated[str, Param("which skill, by its id")],
    score_name: Annotated[str, Param("the aspect or characteristic that is burnt")],
    points: Annotated[int, Param("levels up, or below 0 down, for a point each", -MYTHIC, MYTHIC)],
) -> None:
    """Burn points for good as a deity and move another's skill by as many levels, between 0 and 6."""
    target = game[target].id
    _mythic(game.scene)
    options = game.scene.options
    if highest_level(game[who].character) < DEITY:
        raise game.scene.cannot(who, f"is not a deity: nothing is at level {DEITY}", APOTHEOSIS)
    refuse_if(points == 0, "no points, no levels", rule=APOTHEOSIS)
    wanted = _skill(skill)
    changed = moved(game[target].character, wanted, points)
    became(
        game,
        who,
        f"burns {abs(points)} of {score_name}",
        burnt(game[who].character, score_name, abs(points), options),
        cause=APOTHEOSIS,
    )
    became(game, target, f"{SKILL_NAMES[wanted]} is at level {changed.skills[wanted]}", changed, cause=APOTHEOSIS)


def moved(character: MarchenCharacter, skill: SkillId, levels: int) -> MarchenCharacter:
    """A character after a deity has moved a skill by some levels, between 0 and 6."""
    before = character.level(skill)
    if before is None:
        raise IllegalActionError(f"{character.name} has never learned {SKILL_NAMES[skill]}", rule=APOTHEOSIS)
    after = min(max(before + levels, 0), MYTHIC)
    change = Change(what=skill, value=after - before, source="a deity") if after != before else None
    changes = (*character.changes, change) if change else character.changes
    return character.changed(skills=character.skills.put(skill, after), changes=changes)


# ---------------------------------------------------------------------- everything that can be bought


def purchases(scene: Scene, who: str) -> list[CreationOption | ClosedOption]:
    """Purchases with their costs, and the reasons why the others are closed."""
    character: MarchenCharacter = scene[who].character
    options: MarchenOptions = scene.options
    every: list[tuple[str, str, str]] = [("skill", skill, "") for skill in SKILLS]
    every += [("specialization", one.name, one.skill) for one in character.specializations]
    every += [("characteristic", name, "") for name in CHARACTERISTICS]
    every += [("aspect", name, "") for name in ASPECTS]
    found = [_offered(character, what, name, skill, options) for what, name, skill in every]
    return found + [_new_specialization(character, skill) for skill in SKILLS if (character.level(skill) or 0) >= 1]


def _offered(
    character: MarchenCharacter, what: str, name: str, skill: str, options: MarchenOptions
) -> CreationOption | ClosedOption:
    id_ = f"{what}:{name}" if not skill else f"{what}:{name}:{skill}"
    cost = costs.cost_of(character, what, name, skill, options).total
    label = _display_name(what, name, options)
    try:
        stepped(character, what, name, skill, options)
    except IllegalActionError as refused:
        return ClosedOption(id_, refused.message, refused.rule, label)
    return _affordable(character, CreationOption(id_, label, cost, rule=costs.COSTS, value=(name, skill)))


def _display_name(what: str, name: str, options: MarchenOptions) -> str:
    """A skill, specialization or score as the sheet calls it."""
    if what == "skill":
        return SKILL_NAMES[_skill(name)]
    if what == "aspect":
        return ASPECT_NAMES[options.aspect_names].get(name, name)  # type: ignore[call-overload,no-any-return]
    return name if what == "specialization" else name.title()


def _new_specialization(character: MarchenCharacter, skill: SkillId) -> CreationOption | ClosedOption:
    """Any name may be given to a specialization, so one more of a skill can always be begun."""
    label = f"A new specialization of {SKILL_NAMES[skill]}"
    return _affordable(
        character,
        CreationOption(f"specialization:{skill}", label, costs.PER_LEVEL, rule=costs.COSTS, value=("", skill)),
    )


def _affordable(character: MarchenCharacter, offer: CreationOption) -> CreationOption | ClosedOption:
    if offer.cost > character.available:
        reason = f"costs {offer.cost} and {character.name} has {character.available}"
        return ClosedOption(offer.id, reason, costs.COSTS, offer.label)
    return offer


async def _named(game: Game, who: str, skill: SkillId) -> str:
    """The name of a new specialization, one that is known or any other."""
    rule = "marchen.skill.specialization_scope"
    known = [one.name for one in game[who].character.specializations if one.skill == skill]
    closed = [ClosedOption(name, "is studied already", rule) for name in known]
    named = [name for name in game.scene.library.get(Skill, skill).named if name not in known]
    offers = [CreationOption(name, rule=rule) for name in named or [f"{SKILL_NAMES[skill]} {len(known) + 1}"]]
    question = f"which specialization of {SKILL_NAMES[skill]}?"
    return (await choose_step(LEARNING, question, offers, closed=closed, seat=game.seat(who), own_words=True)).id


async def _buy_offer(game: Game, who: str, taken: CreationOption) -> None:
    name, skill = taken.value
    name = name or await _named(game, who, skill)
    changed = _buy(game, who, taken.id.partition(":")[0], name, skill, sage=False)
    became(game, who, _words(changed), changed, cause=costs.COSTS)


ADVANCEMENT = Advancement(
    rule=costs.COSTS,
    rules=("marchen.specialization.study",),
    points="experience",
    left=lambda scene, who: scene[who].character.available,
    offers=purchases,
    buy=_buy_offer,
    lower=lambda scene, character, last: costs.lowered_by(character, last, scene.options),
    counter="",
)
PROCESSES = (award, advance, *purchasing(ADVANCEMENT), train, confer_with_sage, burn, move_level)
