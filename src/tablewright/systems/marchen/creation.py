"""Steps of character creation."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from tablewright.engine import ClosedOption, Param, process
from tablewright.game.character.belongings import Belongings, add_item
from tablewright.game.character.creation import DONE, Budget, CreationOption, CreationWarning, Step, choose_step
from tablewright.game.content.library import Library
from tablewright.game.play.checks import Subject
from tablewright.game.scene.game import Game
from tablewright.systems.marchen.character.costs import (
    study_skill,
    study_specialization,
    with_skill_at_zero,
    years_studied,
    years_to_study,
)
from tablewright.systems.marchen.character.figures import limits, scale_of, score, score_modifier
from tablewright.systems.marchen.character.gear import acquired
from tablewright.systems.marchen.character.record import WORN, Change, Condition, MarchenCharacter, Served
from tablewright.systems.marchen.character.scores import generate
from tablewright.systems.marchen.content import Armour, Career, Skill, Weapon
from tablewright.systems.marchen.mechanics.checks import Attempt, CheckResult, check
from tablewright.systems.marchen.mechanics.dice import Degree, Difficulty
from tablewright.systems.marchen.modifiers import modifier_tally, table_of
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import (
    CHARACTERISTICS_OF,
    SCORES,
    SKILL_NAMES,
    SKILLS,
    SPIRITUAL,
    SkillId,
    years_to,
)

START_AGE, TERM, MOST_TERMS, USUAL_TERMS = 18, 4, 7, 3
BACKGROUND, LEAST_BACKGROUND = 6, 3
PICKS, EXTRA_PICK_FROM, MOST_SPECIALIZED = 2, 2, 3
AGEING = 34
TREASURE, BENEFIT = 3, 2
MOST_RAISED = 3

BACKGROUND_STEP = Step("background", "Background")
CAREER_STEP = Step("career", "Career")
STUDY_STEP = Step("study", "Study")
BENEFIT_STEP = Step("benefit", "Benefit")
AGEING_STEP = Step("ageing", "Ageing")
ARMS_STEP = Step("arms", "Mustering out")

CAREERS, CHECKED, BENEFITS = "marchen.gap.career.terms", "marchen.gap.career.check", "marchen.gap.career.benefits"
YEARS, MUSTER, AGED = "marchen.gap.career.years", "marchen.gap.career.muster_out", "marchen.gap.career.ageing"
LEARNED = "marchen.gap.career.study"

Name = Annotated[str, Param("the character's name")]


@process(
    rules=[
        "marchen.gap.career.background",
        "marchen.gap.career.terms",
        "marchen.gap.career.study",
        "marchen.gap.career.check",
        "marchen.gap.career.benefits",
        "marchen.gap.career.ageing",
        "marchen.gap.career.muster_out",
        "marchen.gap.generation.method",
    ]
)
async def create(
    game: Game,
    name: Name = "Nobody",
    culture: Annotated[str, Param("the home culture")] = "",
    home_tl: Annotated[int, Param("the technology level of home", 0, 33)] = 2,
    race: Annotated[str, Param("home culture, if it matters")] = "",
    terms: Annotated[int, Param("number of terms of four years", 0, MOST_TERMS)] = USUAL_TERMS,
) -> MarchenCharacter:
    """Scores, background skills, careers in terms of four years, and what one has in the end."""
    options, library = game.scene.options, game.scene.library
    made = await generate(options)
    made = made.changed(name=name, culture=culture, home_tl=home_tl, race=race, age=START_AGE, treasure=TREASURE)
    made = await _background(made, options)
    for served in range(1, terms + 1):
        made = await _term(made, served, options, library)
    return await _arms(made, library)


def so_far(made: MarchenCharacter, options: MarchenOptions) -> dict[str, Any]:
    """The character so far, shown with a question: scores that are or were not 0, age, treasure, and all skills."""
    totals = {name: score(made, name, options).total for name in SCORES}
    scores = {str(name): total for name, total in totals.items() if total or getattr(made.scores, name)}
    skills = {SKILL_NAMES[skill]: made.skills[skill] for skill in SKILLS if skill in made.skills}
    special = {one.name: one.level for one in made.specializations}
    return {**scores, "age": str(made.age), "treasure": str(made.treasure), "skills": skills | special}


def background_skills(character: MarchenCharacter, options: MarchenOptions) -> int:
    """Number of skills at level 0 from childhood."""
    return max(LEAST_BACKGROUND, BACKGROUND + score_modifier(character, "intellect", options))


async def _background(made: MarchenCharacter, options: MarchenOptions) -> MarchenCharacter:
    rule, number = "marchen.gap.career.background", background_skills(made, options)
    for at in range(number):
        closed = [
            ClosedOption(skill, "is known already", rule, SKILL_NAMES[skill])
            for skill in SKILLS
            if skill in made.skills
        ]
        offers = [CreationOption(skill, SKILL_NAMES[skill], 1, rule=rule, value=skill) for skill in SKILLS]
        budget = Budget("background skills", number, at, rule)
        chosen = await choose_step(
            BACKGROUND_STEP,
            "which skill at level 0?",
            offers,
            budget=budget,
            closed=closed,
            shown=so_far(made, options),
        )
        made = made.changed(skills=made.skills.put(chosen.value, 0))
    return made


# ---------------------------------------------------------------------- careers


async def _term(made: MarchenCharacter, served: int, options: MarchenOptions, library: Library) -> MarchenCharacter:
    """Serve one term: a career, study, the check with its result, and ageing."""
    made = made.changed(age=START_AGE + TERM * served)
    made, at = await _career(made, served, options, library)
    for _ in range(PICKS):
        made = await _study(made, at, options, library)
    result = await _checked(made, made.careers[at].skills[0], "average", 0, options, library)
    made = await _outcome(made, at, result, options, library)
    if made.age >= AGEING:
        made = await _ageing(made, served, options, library)
    return made


async def _career(
    made: MarchenCharacter, served: int, options: MarchenOptions, library: Library
) -> tuple[MarchenCharacter, int]:
    """Choose the career of a term; the first term in it teaches its skills."""
    over = [known.career for known in made.careers if known.mishap]
    closed = [ClosedOption(one, "ended by a mishap", CHECKED, library.get(Career, one).name) for one in over]
    offers = [
        CreationOption(one.id, one.name, note=_teaches(one), rule=CAREERS, value=one) for one in library.of(Career)
    ]
    chosen = await choose_step(
        CAREER_STEP, f"which career in term {served}?", offers, closed=closed, shown=so_far(made, options)
    )
    career: Career = chosen.value
    for at, known in enumerate(made.careers):
        if known.career == career.id:
            careers = (*made.careers[:at], known.changed(terms=known.terms + 1), *made.careers[at + 1 :])
            return made.changed(careers=careers), at
    skills = await _skills_of(career)
    made = with_skill_at_zero(made, skills)
    return made.changed(careers=(*made.careers, Served(career=career.id, skills=skills))), len(made.careers)


def _teaches(career: Career) -> str:
    """The skills of a career in words, the key skill first."""
    key: tuple[SkillId, ...] = () if career.key is None else (career.key,)
    named = [SKILL_NAMES[skill] for skill in dict.fromkeys([*key, *career.skills])]
    spiritual = [f"{career.spiritual} spiritual skills"] if career.spiritual else []
    one = [" or ".join([SKILL_NAMES[skill] for skill in career.one_of])] if career.one_of else []
    return ", ".join([*spiritual, *named, *one])


async def _skills_of(career: Career) -> tuple[SkillId, ...]:
    """The skills of a career, the key skill first; a mystic chooses most of them."""
    chosen: list[SkillId] = [] if career.key is None else [career.key]
    for _ in range(career.spiritual):
        closed = [ClosedOption(skill, "is chosen already", CAREERS, SKILL_NAMES[skill]) for skill in chosen]
        offers = [CreationOption(skill, SKILL_NAMES[skill], rule=CAREERS, value=skill) for skill in SPIRITUAL]
        chosen.append((await choose_step(CAREER_STEP, "which spiritual skill?", offers, closed=closed)).value)
    if career.one_of and not set(career.one_of) <= set(chosen):
        known = [skill for skill in chosen if skill in career.one_of]
        closed = [ClosedOption(skill, "is chosen already", CAREERS, SKILL_NAMES[skill]) for skill in known]
        offers = [CreationOption(skill, SKILL_NAMES[skill], rule=CAREERS, value=skill) for skill in career.one_of]
        chosen.append((await choose_step(CAREER_STEP, "which of these as well?", offers, closed=closed)).value)
    return tuple(dict.fromkeys([*chosen, *career.skills]))


async def _study(made: MarchenCharacter, at: int, options: MarchenOptions, library: Library) -> MarchenCharacter:
    """Make one study pick; it is lost if no years are left for it."""
    years = Budget("years of study", years_to_study(made.age), years_studied(made), YEARS)
    if years.left < years_to(0):
        return made
    offers, closed = [], []
    for skill in made.careers[at].skills:
        level = made.level(skill)
        if level is not None and level >= 1:
            reason = "is at level 1; its specializations are studied now"
            closed.append(ClosedOption(skill, reason, LEARNED, SKILL_NAMES[skill]))
        else:
            label = f"{SKILL_NAMES[skill]} to level {0 if level is None else 1}"
            offers.append(CreationOption(skill, label, years_to(0), rule=LEARNED))
    for skill in SKILLS:
        if (made.level(skill) or 0) >= 1:
            label = f"a specialization of {SKILL_NAMES[skill]}"
            offers.append(
                CreationOption(f"specialize:{skill}", label, years_to(0), rule="marchen.specialization.study")
            )
    chosen = await choose_step(
        STUDY_STEP, "study what?", offers, budget=years, closed=closed, shown=so_far(made, options)
    )
    kind, _, name = chosen.id.partition(":")
    if not name:
        return study_skill(made, kind)  # type: ignore[arg-type]
    special = await _specialization(made, name, library)  # type: ignore[arg-type]
    return study_specialization(made, name, special, options, most=MOST_SPECIALIZED)  # type: ignore[arg-type]


async def _specialization(made: MarchenCharacter, skill: SkillId, library: Library) -> str:
    rule = "marchen.skill.specialization_scope"
    known = {one.name: one.level for one in made.specializations if one.skill == skill}
    full = [name for name, level in known.items() if level >= MOST_SPECIALIZED]
    closed = [ClosedOption(name, f"{MOST_SPECIALIZED} is the most in the beginning", LEARNED) for name in full]
    names = dict.fromkeys([*known, *library.get(Skill, skill).named])
    offers = [
        CreationOption(name, f"{name} to level {known.get(name, 0) + 1}", rule=rule, value=name) for name in names
    ]
    question = f"which specialization of {SKILL_NAMES[skill]}?"
    chosen = await choose_step(STUDY_STEP, question, offers, closed=closed, own_words=True)
    text: str = chosen.value
    return text


async def _checked(
    made: MarchenCharacter, what: str, difficulty: Difficulty, dm: int, options: MarchenOptions, library: Library
) -> CheckResult:
    tally = modifier_tally(Subject(made, options, library), what).total + dm
    mode = options.dice_chain_mode
    return await check(options.core, Attempt(difficulty, tally), table_of(options), mode)


async def _outcome(
    made: MarchenCharacter, at: int, result: CheckResult, options: MarchenOptions, library: Library
) -> MarchenCharacter:
    """Apply the check of a term: rank and benefit, a further pick, nothing, or a mishap."""
    served = made.careers[at]
    if result.degree is Degree.CATASTROPHIC:
        offers = [
            CreationOption(aspect, f"a {aspect} scar", rule=CHECKED, value=aspect) for aspect in ("physical", "social")
        ]
        scar = (await choose_step(CAREER_STEP, "a mishap: what scar stays?", offers)).value
        condition = Condition(name=f"{scar} scar", aspect=scar, permanent=True)
        wounds = made.wounds.changed(conditions=(*made.wounds.conditions, condition))
        traits = tuple(dict.fromkeys([*made.traits, condition.name]))
        return _with(made, at, served.changed(mishap=True)).changed(wounds=wounds, traits=traits)
    if result.success:
        made = _with(made, at, served.changed(rank=served.rank + 1))
    if result.sigma >= EXTRA_PICK_FROM:
        made = await _study(made, at, options, library)
    if result.degree is Degree.COSTLY:
        return made
    return await _benefit(made, at, options, library)


def _with(made: MarchenCharacter, at: int, served: Served) -> MarchenCharacter:
    return made.changed(careers=(*made.careers[:at], served, *made.careers[at + 1 :]))


async def _benefit(made: MarchenCharacter, at: int, options: MarchenOptions, library: Library) -> MarchenCharacter:
    served, career = made.careers[at], library.get(Career, made.careers[at].career)
    offers = [
        CreationOption("treasure", f"{BENEFIT + served.rank} Treasure", rule=BENEFITS),
        CreationOption("connection", "a connection", rule=BENEFITS),
    ]
    able = [] if served.raised else raisable(made, career, options)
    closed = []
    if able:
        offers.append(CreationOption("score", f"+1 on a {career.aspect} score", rule=BENEFITS))
    else:
        reason = "was raised in this career already" if served.raised else f"every score is at {MOST_RAISED}"
        closed.append(ClosedOption("score", reason, BENEFITS))
    chosen = await choose_step(BENEFIT_STEP, "which benefit?", offers, closed=closed, shown=so_far(made, options))
    if chosen.id == "treasure":
        return made.changed(treasure=made.treasure + BENEFIT + served.rank)
    if chosen.id == "connection":
        known = [ClosedOption(name, "is known already", BENEFITS) for name in made.connections]
        people = [
            CreationOption(name, value=name, rule=BENEFITS)
            for name in (*career.connections, f"friend made at {made.age}")
        ]
        who = await choose_step(
            BENEFIT_STEP, "who is it?", people, closed=known, shown=so_far(made, options), own_words=True
        )
        return made.connected(who.value)
    scores = [CreationOption(name, f"{name.title()} +1", rule=BENEFITS) for name in able]
    raised = (await choose_step(BENEFIT_STEP, "which score?", scores, shown=so_far(made, options))).id
    change = Change(what=raised, value=1, source=f"{career.name}, a benefit")
    made = _with(made, at, served.changed(raised=raised))
    return made.changed(changes=(*made.changes, change))


def raisable(made: MarchenCharacter, career: Career, options: MarchenOptions) -> list[str]:
    """The scores of a career's aspect that a benefit can raise."""
    names = list(CHARACTERISTICS_OF[career.aspect])
    found: list[str] = []
    if scale_of(made, options) == "direct":
        if score(made, career.aspect, options).total < MOST_RAISED:
            found.append(career.aspect)
        return [*found, *[name for name in names if score(made, name, options).total < MOST_RAISED]]
    return [name for name in names if score(made, name, options).total < limits(made, options)[1]]


async def _ageing(made: MarchenCharacter, served: int, options: MarchenOptions, library: Library) -> MarchenCharacter:
    """From 34 on the end of a term may cost the body something."""
    result = await _checked(made, "stamina", "routine", -served, options, library)
    if result.success:
        return made
    low = limits(made, options)[0]
    able = [name for name in CHARACTERISTICS_OF["physical"] if score(made, name, options).total > low]
    if result.degree is not Degree.CATASTROPHIC and able:
        offers = [CreationOption(name, f"{name.title()} -1", rule=AGED, value=name) for name in able]
        able = [(await choose_step(AGEING_STEP, "years take their toll: which one is lower?", offers)).value]
    return made.changed(changes=(*made.changes, *[Change(what=name, value=-1, source="ageing") for name in able]))


# ---------------------------------------------------------------------- mustering out


def can_use(character: MarchenCharacter, item: Weapon | Armour) -> bool:
    """True if a character may muster out with an item: of home's technology or below, with a skill for it."""
    if item.tl > character.home_tl or item.price is None:
        return False
    return isinstance(item, Armour) or character.level(item.skill) is not None


def is_suit(item: Weapon | Armour) -> bool:
    """True if an item is armour for the body."""
    return isinstance(item, Armour) and not item.shield


def _in_use(item: Weapon | Armour) -> str:
    """The figures of an item: "3D6, touch", "armour 5"."""
    if isinstance(item, Armour):
        return f"armour {item.rating}, parry +{item.parry}" if item.parry else f"armour {item.rating}"
    hands = ", two hands" if item.two_handed else ""
    return f"{item.dice}D6, {item.band}{f', thrown {item.thrown}' if item.thrown else ''}{hands}"


async def _arms(made: MarchenCharacter, library: Library) -> MarchenCharacter:
    """Free arms: everything that home makes and the character can use, each once; and basic clothing."""
    mine: Belongings = ()
    names = {one.id: one.name for kind in (Weapon, Armour) for one in library.of(kind)}
    every: list[Weapon | Armour] = [*library.of(Weapon), *library.of(Armour)]
    every = [item for item in every if item.price is not None]  # what is for sale anywhere
    while True:
        offers, closed = [], []
        dressed = any(is_suit(item) for carried in mine for item in every if item.id == carried.item)
        for item in every:
            if any(carried.item == item.id for carried in mine):
                closed.append(ClosedOption(item.id, "is taken already", MUSTER, item.name))
            elif item.tl > made.home_tl:
                reason = f"is of technology level {item.tl}, home has {made.home_tl}"
                closed.append(ClosedOption(item.id, reason, MUSTER, item.name))
            elif not can_use(made, item):
                closed.append(ClosedOption(item.id, "cannot be used without its skill", MUSTER, item.name))
            else:
                unwise = dressed and is_suit(item)
                offers.append(CreationOption(item.id, item.name, note=_in_use(item), rule=MUSTER, unwise=unwise))
        unarmed = not any(item.id == carried.item for carried in mine for item in library.of(Weapon))
        could_be_armed = any(library.has(Weapon, offer.id) for offer in offers)
        warnings = (
            (CreationWarning("You have no weapon yet, and every one of these is free."),)
            if unarmed and could_be_armed
            else ()
        )
        done = replace(DONE, unwise=unarmed and could_be_armed, warnings=warnings)
        shown = {"belongings": [carried.told(names.get(carried.item, carried.item)) for carried in mine]}
        chosen = await choose_step(ARMS_STEP, "take which arms?", [*offers, done], closed=closed, shown=shown)
        if chosen.id == DONE.id:
            break
        mine = acquired(mine, chosen.id, library)
    return made.changed(belongings=add_item(mine, "clothing", 1, WORN))
