"""Making a character in seven steps: points, details, bonuses, skills, attribute levels, powers, finishing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Annotated, Any

from tablewright.engine import Closed, Param, process
from tablewright.game.content import Library
from tablewright.game.creation import DONE, Budget, Offer, Step, pick
from tablewright.game.scene import Live
from tablewright.systems.stage.character.costs import (
    choices_for,
    highest_level,
    is_free_choice,
    level_cost,
    may_learn,
    meant,
    power_cost,
    refused,
    replacement_points,
    skills_of,
    spent,
    suggestions,
    without_magic,
)
from tablewright.systems.stage.character.figures import attribute_of, figures, items
from tablewright.systems.stage.character.placing import acquired
from tablewright.systems.stage.character.possessions import STARTING_MONEY, starting_kit
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Background, Item, Race, Skill, Spell, SubRace
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.powers import Power
from tablewright.systems.stage.values import ATTRIBUTES, SCHOOLS, TRACKS

POINTS, DETAILS = Step("points", "Character Points"), Step("details", "Details")
BONUSES, SKILLS = Step("bonuses", "Bonuses and penalties"), Step("skills", "Skill levels")
LEVELS, POWERS = Step("attribute_levels", "Body, Mind and Soul"), Step("powers", "Powers")
FINISH = Step("finish", "Finish")
STEPS = (POINTS, DETAILS, BONUSES, SKILLS, LEVELS, POWERS, FINISH)


@process(rules=["stage.character.creation", "stage.character.point_budget"])
async def create(
    game: Live,
    name: Annotated[str, Param("the character's name")] = "Nobody",
    looks: Annotated[str, Param("gender, culture, height, looks: whatever there is to say")] = "",
    group: Annotated[
        tuple[int, ...], Param("the Character Points of the others, where somebody who died is replaced", 0, 100_000)
    ] = (),
) -> StageCharacter:
    """Make a character: points, details, bonuses, skill levels, attribute levels, powers, and what is owned."""
    options, library = game.scene.options, game.scene.library
    points = replacement_points(group, options) if group else options.starting_points
    made = StageCharacter(name=name, looks=looks, points=points)
    made = await _details(made, library)
    made = await _skills(made, options, library)
    made = await _powers(made, options, library)
    made = await _spells(made, options, library)
    return await _equipment(made, options, library)


def so_far(character: StageCharacter, options: StageOptions, library: Library) -> dict[str, Any]:
    """The character so far, for whoever is asked: what was chosen, and the levels and tracks that follow."""
    most = figures(character, options, library)
    shown: dict[str, Any] = {"skills": dict(character.skills), "powers": list(character.powers)}
    shown |= {attribute: most.level(attribute) for attribute in ATTRIBUTES}
    return shown | {track: getattr(most, track) for track in TRACKS}


# ---------------------------------------------------------------------- details and bonuses


async def _details(made: StageCharacter, library: Library) -> StageCharacter:
    races = [_heritage(one, one.rule) for one in library.of(Race)]
    made = made.changed(race=(await pick(DETAILS, "which race?", races)).id)
    peoples = [_heritage(one, one.rule) for one in library.of(SubRace) if one.race == made.race]
    if peoples:
        made = made.changed(sub_race=(await pick(BONUSES, "which people?", peoples)).id)
    backgrounds = [_heritage(one, one.rule) for one in library.of(Background)]
    return made.changed(background=(await pick(BONUSES, "which background?", backgrounds)).id)


def _heritage(entry: Any, rule: str) -> Offer:
    words = [f"{'+1d' if one.amount.dice else f'{one.amount.flat:+d}'} {', '.join(one.on)}" for one in entry.gives]
    words += [f"powers {entry.power_discount} cheaper"] if getattr(entry, "power_discount", 0) else []
    return Offer(entry.id, entry.name, note="; ".join(words), rule=rule)


# ---------------------------------------------------------------------- skills


def missing_attributes(character: StageCharacter, options: StageOptions, library: Library) -> list[str]:
    """The attributes in which no skill is known yet."""
    source = options.skill_attribute_source
    known = {attribute_of(skill, library, source) for skill, level in character.skills.items() if level}
    return [attribute for attribute in ATTRIBUTES if attribute not in known]


async def _skills(made: StageCharacter, options: StageOptions, library: Library) -> StageCharacter:
    while True:
        budget = Budget("Character Points", made.points, spent(made, library).total, "stage.character.creation")
        missing = missing_attributes(made, options, library)
        offers = [
            Offer(one.id, f"{one.name} {made.level(one.id) + 1}", level_cost(made.level(one.id) + 1), one.attribute)
            for one in skills_of(options, library)
        ]
        closed = list(_closed_skills(made, missing, options, library, budget.left))
        able = [offer for offer in offers if offer.cost <= budget.left and offer.id not in [one.id for one in closed]]
        if not able and not missing:
            return made
        if missing:
            reason = f"some {' and some '.join([name.title() for name in missing])} skill is still needed"
            closed.append(Closed(DONE.id, reason, "stage.character.minimum_skills"))
        shown = so_far(made, options, library)
        taken = await pick(SKILLS, "which skill?", [*offers, DONE], budget=budget, closed=closed, shown=shown)
        if taken is DONE:
            return made
        made = made.changed(skills=made.skills.put(taken.id, made.level(taken.id) + 1))


def _closed_skills(
    made: StageCharacter, missing: list[str], options: StageOptions, library: Library, left: int
) -> Iterator[Closed]:
    """Levels beyond the highest, and those that leave too few points for a first level in each attribute."""
    most, source = highest_level(options), options.skill_attribute_source
    for one in skills_of(options, library):
        level = made.level(one.id) + 1
        if most is not None and level > most:
            yield Closed(one.id, f"{most} is the highest level", "stage.character.skill_cost")
            continue
        still = [name for name in missing if name != attribute_of(one.id, library, source)]
        if left - level_cost(level) < len(still) * level_cost(1) and level_cost(level) <= left:
            reason = f"leaves too few points for {' and '.join([f'a {name.title()} skill' for name in still])}"
            yield Closed(one.id, reason, "stage.character.minimum_skills")


# ---------------------------------------------------------------------- powers


async def _powers(made: StageCharacter, options: StageOptions, library: Library) -> StageCharacter:
    while True:
        budget = Budget("Character Points", made.points, spent(made, library).total, "stage.character.creation")
        offers, closed = [], []
        for power in library.of(Power):
            no = refused(power, made, options, library)
            if no is not None:
                closed.append(Closed(power.id, *no))
            else:
                cost = power_cost(power, made, library).total
                offers.append(Offer(power.id, power.name, cost, power.does, power.rule, power))
        if all(offer.cost > budget.left for offer in offers):
            return made
        shown = so_far(made, options, library)
        taken = await pick(POWERS, "which power?", [*offers, DONE], budget=budget, closed=closed, shown=shown)
        if taken is DONE:
            return made
        made = await _with_power(made, taken.value, library)


async def _with_power(made: StageCharacter, power: Power, library: Library) -> StageCharacter:
    if choices_for(power, library) is None:
        return made.changed(powers=(*made.powers, power.id))
    had = made.choices.get(power.id, ())
    closed = [Closed(name, "was chosen before", power.rule) for name in had]
    offers = [Offer(name, name.replace("_", " "), rule=power.rule) for name in suggestions(power, had, library)]
    question = f"what is {power.name} for?"
    chosen = await pick(POWERS, question, offers, closed=closed, own_words=is_free_choice(power))
    choices = made.choices.put(power.id, (*had, meant(chosen.id, had)))
    return made.changed(powers=(*made.powers, power.id), choices=choices)


# ---------------------------------------------------------------------- finishing


async def _spells(made: StageCharacter, options: StageOptions, library: Library) -> StageCharacter:
    """One spell per level in each skill of magic, free of charge (stage.gap.magic.starting_spells)."""
    rule = "stage.gap.magic.starting_spells"
    if without_magic(options):
        return made
    for school in SCHOOLS:
        for number in range(made.level(school)):
            offers = [Offer(one.id, one.name, note=f"circle {one.circle}", rule=rule) for one in _of(school, library)]
            closed = list(_unlearnable(made, _of(school, library)))
            if len(closed) == len(offers):
                break
            budget = Budget(f"{library.get(Skill, school).name} spells", made.level(school), number, rule)
            taken = await pick(FINISH, f"which {school} spell?", offers, closed=closed, budget=budget)
            made = made.changed(spells=(*made.spells, taken.id))
    return made


def _of(school: str, library: Library) -> list[Spell]:
    return [one for one in library.of(Spell) if school in one.schools]


def _unlearnable(made: StageCharacter, spells: Iterable[Spell]) -> Iterator[Closed]:
    for one in spells:
        if one.id in made.spells:
            yield Closed(one.id, "is known already", "stage.gap.magic.starting_spells")
        elif not may_learn(one, made):
            needed = " and ".join([f"{school} {one.circle}" for school in one.schools])
            yield Closed(one.id, f"needs {needed}", "stage.magic.learn_limit")


def on_sale(library: Library) -> list[tuple[Item, int]]:
    """What can be bought, with its price in whole coins; ammunition comes in bundles."""
    return [(one, int(one.price)) for one in items(library).values() if one.price is not None]


async def _equipment(made: StageCharacter, options: StageOptions, library: Library) -> StageCharacter:
    rule = "stage.gap.character.starting_equipment"
    money = Budget("coins", STARTING_MONEY, 0, rule)
    made = made.changed(belongings=starting_kit(library))
    while True:
        offers, closed = [], []
        for one, price in on_sale(library):
            label = f"{one.name} ({one.bundle})" if one.bundle > 1 else one.name
            offers.append(Offer(one.id, label, price, rule=rule))
            if acquired(made, one.id, one.bundle, library, options=options) is None:
                closed.append(Closed(one.id, "is too much to carry", "stage.encumbrance.loads"))
        shown = {"belongings": [str(carried) for carried in made.belongings]}
        taken = await pick(FINISH, "buy what?", [*offers, DONE], budget=money, closed=closed, shown=shown)
        if taken is DONE:
            return made.changed(money=Fraction(money.left))
        money = money.spend(taken.cost)
        got = acquired(made, taken.id, items(library)[taken.id].bundle, library, options=options)
        assert got is not None
        made = made.changed(belongings=got)
