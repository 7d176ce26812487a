"""Steps of character creation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any

from tablewright.engine import ClosedOption, Param, Role, process
from tablewright.game.character.belongings import Belongings, add_item, listed_worth
from tablewright.game.character.creation import DONE, Budget, CreationOption, CreationWarning, Step, choose_step
from tablewright.game.character.legality import Violation, duplicates, unless
from tablewright.game.content.library import Library
from tablewright.game.scene.game import Game
from tablewright.systems.stage import content
from tablewright.systems.stage.character import costs
from tablewright.systems.stage.character.figures import attribute_of, figures, items, load, maximum, size_of
from tablewright.systems.stage.character.gear import acquired, natural_place
from tablewright.systems.stage.character.record import HAND, HANDS, PACK, WORN, StageCharacter
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import ATTRIBUTE_OF, ATTRIBUTES, SCHOOLS, TRACKS, titled

POINTS, DETAILS = Step("points", "Character Points"), Step("details", "Details")
BONUSES, SKILLS = Step("bonuses", "Bonuses and penalties"), Step("skills", "Skill levels")
LEVELS, POWERS = Step("attribute_levels", "Body, Mind and Soul"), Step("powers", "Powers")
FINISH = Step("finish", "Finish")
STEPS = (POINTS, DETAILS, BONUSES, SKILLS, LEVELS, POWERS, FINISH)


@process(rules=["stage.character.creation", "stage.character.point_budget"])
async def create(
    game: Game,
    name: Annotated[str, Param("the character's name")] = "Nobody",
    looks: Annotated[str, Param("gender, culture, height and looks, in a few words")] = "",
    group: Annotated[
        tuple[int, ...], Param("Character Points of the others, if this character replaces a dead one", 0, 100_000)
    ] = (),
) -> StageCharacter:
    """Make a character: points, details, bonuses, skill levels, attribute levels, powers, equipment."""
    options, library = game.scene.options, game.scene.library
    points = costs.replacement_points(group, options) if group else options.starting_points
    made = StageCharacter(name=name, looks=looks, points=points)
    made = await _details(made, library)
    made = await _skills(made, options, library)
    made = await _powers(made, options, library)
    made = await _spells(made, options, library)
    return await _equipment(made, options, library)


def so_far(character: StageCharacter, options: StageOptions, library: Library) -> dict[str, Any]:
    """The character so far, for the one who is asked: what was chosen, and the levels and tracks that follow."""
    most = figures(character, options, library)
    shown: dict[str, Any] = {"skills": dict(character.skills), "powers": list(character.powers)}
    shown |= {attribute: most.level(attribute) for attribute in ATTRIBUTES}
    return shown | {track: getattr(most, track) for track in TRACKS}


# ---------------------------------------------------------------------- details and bonuses


async def _details(made: StageCharacter, library: Library) -> StageCharacter:
    races = [_heritage(one, one.rule) for one in library.of(content.Race)]
    made = made.changed(race=(await choose_step(DETAILS, "which race?", races)).id)
    peoples = [_heritage(one, one.rule) for one in library.of(content.SubRace) if one.race == made.race]
    if peoples:
        made = made.changed(sub_race=(await choose_step(BONUSES, "which people?", peoples)).id)
    backgrounds = [_heritage(one, one.rule) for one in library.of(content.Background)]
    return made.changed(background=(await choose_step(BONUSES, "which background?", backgrounds)).id)


def _heritage(entry: Any, rule: str) -> CreationOption:
    words = [
        f"{'+1d' if one.amount.dice else f'{one.amount.flat:+d}'} {', '.join(map(titled, one.on))}"
        for one in entry.gives
    ]
    words += [f"powers {entry.power_discount} cheaper"] if getattr(entry, "power_discount", 0) else []
    return CreationOption(entry.id, entry.name, note="; ".join(words), rule=rule)


# ---------------------------------------------------------------------- skills


def missing_attributes(character: StageCharacter, options: StageOptions, library: Library) -> list[str]:
    """The attributes in which no skill is known yet."""
    source = options.skill_attribute_source
    known = {attribute_of(skill, library, source) for skill, level in character.skills.items() if level}
    return [attribute for attribute in ATTRIBUTES if attribute not in known]


async def _skills(made: StageCharacter, options: StageOptions, library: Library) -> StageCharacter:
    while True:
        budget = Budget("Character Points", made.points, costs.spent(made, library).total, "stage.character.creation")
        missing = missing_attributes(made, options, library)
        raised = {one.id: _raised(made, one, options, library) for one in costs.skills_of(options, library)}
        usual = _usually_raised(raised, options, library)
        offers = [
            CreationOption(
                one.id,
                f"{one.name} {made.level(one.id) + 1}",
                costs.level_cost(made.level(one.id) + 1),
                _about(one) + ("" if raised[one.id] in usual.values() else f"; {raised[one.id]}"),
            )
            for one in costs.skills_of(options, library)
        ]
        closed = list(_closed_skills(made, missing, options, library, budget.left))
        able = [offer for offer in offers if offer.cost <= budget.left and offer.id not in [one.id for one in closed]]
        if not able and not missing:
            return made
        if missing:
            first, *others = [f"a {name.title()}" for name in reversed(missing)]
            needed = f"{', '.join(reversed(others))} and {first}" if others else first
            reason = f"you still need {needed} skill"
            closed.append(ClosedOption(DONE.id, reason, "stage.character.minimum_skills"))
        shown = so_far(made, options, library)
        of_each = [f"a {attribute.title()} skill: {changes}" for attribute, changes in usual.items() if changes]
        note = f"The next level of {'; of '.join(of_each)}." if of_each else ""
        taken = await choose_step(
            SKILLS, "which skill?", [*offers, DONE], budget=budget, closed=closed, shown=shown, note=note
        )
        if taken is DONE:
            return made
        made = made.changed(skills=made.skills.put(taken.id, made.level(taken.id) + 1))


def _about(skill: content.Skill) -> str:
    return f"{skill.attribute.title()}, {skill.about}" if skill.about else skill.attribute.title()


def _usually_raised(raised: dict[str, str], options: StageOptions, library: Library) -> dict[str, str]:
    """Changes by another level of most skills of each attribute."""
    found: dict[str, Counter[str]] = {attribute: Counter() for attribute in ATTRIBUTES}
    for skill, changes in raised.items():
        found[attribute_of(skill, library, options.skill_attribute_source)][changes] += 1
    return {attribute: counted.most_common(1)[0][0] for attribute, counted in found.items() if counted}


def _raised(made: StageCharacter, skill: content.Skill, options: StageOptions, library: Library) -> str:
    """Changes of the tracks by another level of a skill, before and after; empty if there are none."""
    after = made.changed(skills=made.skills.put(skill.id, made.level(skill.id) + 1))
    attribute, now = attribute_of(skill.id, library, options.skill_attribute_source), figures(made, options, library)
    changes = []
    for track in [one for one in TRACKS if ATTRIBUTE_OF[one] == attribute]:
        was, becomes = getattr(now, track), maximum(after, track, options, library).total
        if was != becomes:
            changes.append(f"{track.title()} {was} to {becomes}")
    return ", ".join(changes)


def _closed_skills(
    made: StageCharacter, missing: list[str], options: StageOptions, library: Library, left: int
) -> Iterator[ClosedOption]:
    """Levels beyond the highest, and those that leave too few points for a first level in each attribute."""
    most, source = costs.highest_level(options), options.skill_attribute_source
    for one in costs.skills_of(options, library):
        level = made.level(one.id) + 1
        if most is not None and level > most:
            yield ClosedOption(one.id, f"{most} is the highest level", "stage.character.skill_cost")
            continue
        still = [name for name in missing if name != attribute_of(one.id, library, source)]
        if left - costs.level_cost(level) < len(still) * costs.level_cost(1) and costs.level_cost(level) <= left:
            reason = f"leaves too few points for {' and '.join([f'a {name.title()} skill' for name in still])}"
            yield ClosedOption(one.id, reason, "stage.character.minimum_skills")


# ---------------------------------------------------------------------- powers


async def _powers(made: StageCharacter, options: StageOptions, library: Library) -> StageCharacter:
    while True:
        budget = Budget("Character Points", made.points, costs.spent(made, library).total, "stage.character.creation")
        offers, closed = [], []
        for power in library.of(Power):
            no = costs.refused(power, made, options, library)
            if no is not None:
                closed.append(ClosedOption(power.id, *no))
            else:
                cost = costs.power_cost(power, made, library).total
                offers.append(CreationOption(power.id, power.name, cost, power.does, power.rule, power))
        if all(offer.cost > budget.left for offer in offers):
            return made
        shown = so_far(made, options, library)
        taken = await choose_step(POWERS, "which power?", [*offers, DONE], budget=budget, closed=closed, shown=shown)
        if taken is DONE:
            return made
        made = await _with_power(made, taken.value, library)


async def _with_power(made: StageCharacter, power: Power, library: Library) -> StageCharacter:
    made = made.changed(powers=(*made.powers, power.id))
    chosen = await choice_for(made, power, library, POWERS)
    if not chosen:
        return made
    had = made.choices.get(power.id, ())
    return made.changed(choices=made.choices.put(power.id, (*had, costs.meant(chosen, had))))


async def choice_for(
    character: StageCharacter, power: Power, library: Library, step: Step, seat: Role | str = Role.ACTOR
) -> str:
    """The choice of a power, such as an item or a kind of art; empty for most powers."""
    if costs.choices_for(power, library) is None:
        return ""
    had = character.choices.get(power.id, ())
    closed = [ClosedOption(name, "was chosen before", power.rule, costs.choice_name(name, library)) for name in had]
    offers = [
        CreationOption(name, costs.choice_name(name, library), rule=power.rule)
        for name in costs.suggestions(power, had, library)
    ]
    question, free = f"what is {power.name} for?", costs.is_free_choice(power)
    return (await choose_step(step, question, offers, closed=closed, seat=seat, own_words=free)).id


# ---------------------------------------------------------------------- finishing


async def _spells(made: StageCharacter, options: StageOptions, library: Library) -> StageCharacter:
    """One spell per level in each skill of magic, free of charge (stage.gap.magic.starting_spells)."""
    rule = "stage.gap.magic.starting_spells"
    if costs.without_magic(options):
        return made
    for school in SCHOOLS:
        for number in range(made.level(school)):
            offers = [
                CreationOption(one.id, one.name, note=f"circle {one.circle}", rule=rule) for one in _of(school, library)
            ]
            closed = list(_unlearnable(made, _of(school, library)))
            if len(closed) == len(offers):
                break
            budget = Budget(f"{library.get(content.Skill, school).name} spells", made.level(school), number, rule)
            taken = await choose_step(FINISH, f"which {school} spell?", offers, closed=closed, budget=budget)
            made = made.changed(spells=(*made.spells, taken.id))
    return made


def _of(school: str, library: Library) -> list[content.Spell]:
    return [one for one in library.of(content.Spell) if school in one.schools]


def _unlearnable(made: StageCharacter, spells: Iterable[content.Spell]) -> Iterator[ClosedOption]:
    for one in spells:
        if one.id in made.spells:
            yield ClosedOption(one.id, "is known already", "stage.gap.magic.starting_spells")
        elif not costs.may_learn(one, made):
            yield ClosedOption(one.id, f"needs {costs.levels_to_learn(one)}", "stage.magic.learn_limit")


def on_sale(library: Library) -> list[tuple[content.Item, int]]:
    """Items for sale with their price in whole coins; ammunition comes in bundles."""
    return [(one, int(one.price)) for one in items(library).values() if one.price is not None]


async def _equipment(made: StageCharacter, options: StageOptions, library: Library) -> StageCharacter:
    rule = "stage.gap.character.starting_equipment"
    money = Budget("coins", STARTING_MONEY, 0, rule)
    made = made.changed(belongings=starting_kit(library))
    while True:
        offers, closed = [], []
        for one, price in on_sale(library):
            label = f"{one.name} ({one.bundle})" if one.bundle > 1 else one.name
            got = acquired(made, one.id, one.bundle, library, options=options)
            unwise = got is None or _is_unwise(made, one, got, options, library)
            offers.append(CreationOption(one.id, label, price, rule=rule, unwise=unwise))
            if got is None:
                closed.append(ClosedOption(one.id, "is too much to carry", "stage.encumbrance.loads"))
        missing = _missing_ammunition(made, library)
        able = any(one.id in missing and one.cost <= money.left and not one.unwise for one in offers)
        shown = {"belongings": [one.told(items(library)[one.item].name) for one in made.belongings]}
        lacking = [items(library)[one].name.lower() for one in sorted(missing)]
        warnings = (CreationWarning(f"You have nothing to shoot: no {lacking[0]}."),) if able else ()
        every = [*offers, replace(DONE, unwise=able, warnings=warnings)]
        taken = await choose_step(FINISH, "buy what?", every, budget=money, closed=closed, shown=shown)
        if taken.id == DONE.id:
            return made.changed(money=Fraction(money.left))
        money = money.spend(taken.cost)
        got = acquired(made, taken.id, items(library)[taken.id].bundle, library, options=options)
        assert got is not None
        made = made.changed(belongings=got)


def _missing_ammunition(made: StageCharacter, library: Library) -> set[str]:
    """The ammunition of weapons that have none to shoot."""
    owned = [one.item for one in made.belongings]
    weapons = [library.get(content.Weapon, item) for item in owned if library.has(content.Weapon, item)]
    return {one.ammunition for one in weapons if one.ammunition is not None} - {*owned}


def _is_unwise(
    made: StageCharacter, item: content.Item, got: Belongings, options: StageOptions, library: Library
) -> bool:
    """True if few would buy an item: it is too heavy for a light load, owned already, or of no use to the character."""
    if isinstance(item, content.Weapon) and item.ammunition is not None:
        got = add_item(got, item.ammunition, items(library)[item.ammunition].bundle)
    if load(made, options, library, got) > figures(made, options, library).limits.light:
        return True
    if isinstance(item, content.Ammunition):
        return item.id not in _missing_ammunition(made, library)
    if any(one.item == item.id for one in made.belongings):
        return not (isinstance(item, content.Gear) and (item.food or item.water or item.light))
    if isinstance(item, content.Weapon):
        wielded = natural_place(made.belongings, item, size_of(made, library).total, library) in (HAND, HANDS)
        return not (wielded and any(made.level(use.partition(".")[0]) for use in item.uses))
    if isinstance(item, content.Armour):
        return natural_place(made.belongings, item, size_of(made, library).total, library) == PACK
    skills = [name.partition(".")[0] for name in item.tools_for] if isinstance(item, content.Gear) else []
    return bool(skills) and not any(made.level(skill) for skill in skills)


STARTING_MONEY = 100  # stage.gap.character.starting_equipment
EQUIPMENT, SPELLS = "stage.gap.character.starting_equipment", "stage.gap.magic.starting_spells"


def starting_kit(library: Library) -> Belongings:
    """Belongings that every character has for free."""
    kit: Belongings = ()
    for one in library.of(content.Gear):
        if one.free:
            kit = add_item(kit, one.id, one.free, WORN, rule="stage.gap.character.starting_equipment")
    return kit


def worth(character: StageCharacter, library: Library) -> Fraction:
    """Price of the belongings, without the free kit."""
    return listed_worth(character.belongings, items(library), starting_kit(library))


def problems(character: StageCharacter, library: Library) -> Iterator[Violation]:
    """Violations in belongings of a character that never traded, and in spells that were never learned."""
    yield from duplicates("spells", character.spells, rule=SPELLS)
    over, learned = unpaid_spells(character, library), character.learned
    message = f"{over} spells more than one for each level, {learned} were learned"
    yield from unless(over <= learned, "spells", message, rule=SPELLS)
    known, rest = len(character.enchantments), max(0, learned - over)
    message = f"{known} enchantments are known, {rest} were learned"
    yield from unless(known <= rest, "enchantments", message, rule="stage.magic.app_learn")
    if not (character.traded or character.awarded or character.opportunity):
        total = worth(character, library) + character.money
        message = f"belongings and money are worth {total}, there were {STARTING_MONEY}"
        yield from unless(total <= STARTING_MONEY, "money", message, rule=EQUIPMENT)


def unpaid_spells(character: StageCharacter, library: Library) -> int:
    """Number of spells beyond one for each starting level in the magic skills."""
    bought = Counter([one.name for one in character.advances if one.what == "skill"])
    left = {school: character.level(school) - bought[school] for school in SCHOOLS}
    known = [
        library.get(content.Spell, id_) for id_ in dict.fromkeys(character.spells) if library.has(content.Spell, id_)
    ]
    over = 0
    for spell in sorted(known, key=lambda one: len(one.schools)):
        school = max(spell.schools, key=lambda name: left[name])
        left[school] -= 1
        over += left[school] < 0
    return over
