"""Legality of a character: every violation with its rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from tablewright.game.character.belongings import hands_taken, listed_worth
from tablewright.game.character.character import Frozen
from tablewright.game.character.legality import (
    Found,
    Legality,
    Violation,
    changed_fields,
    duplicates,
    forbidden,
    not_all_spent,
    out_of_range,
    overspent,
    unknown_id,
    unknown_ids,
    unless,
    wrong_number,
)
from tablewright.game.content.library import Library
from tablewright.game.narration.formatting import as_meant
from tablewright.game.values import Ranks
from tablewright.systems.mars import content
from tablewright.systems.mars.character import costs
from tablewright.systems.mars.character.gear import MOST_HANDS, items, slots_taken
from tablewright.systems.mars.character.record import HAND, HANDS, PACK, WORN, Advance, MarsCharacter
from tablewright.systems.mars.creation import (
    ARRAY,
    CUSTOM_BASIC,
    CUSTOM_COMPLEX,
    CUSTOM_TALENTS,
    STARTING_MONEY,
    among,
    from_background,
    slots_of,
    starting_kit,
    unmet,
)
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.values import RollValue

ANCESTRY, BACKGROUND, ARCHETYPE = "mars.character.ancestry", "mars.character.background", "mars.character.archetype"
TRAIT, CUSTOM, SPENDING = "mars.character.trait", "mars.gap.archetype.custom", "mars.advancement.spending"
Violations: TypeAlias = Iterator[Violation]
PLACES = (PACK, WORN, HAND, HANDS)


def legality(character: MarsCharacter, options: MarsOptions, library: Library) -> Legality:
    """Everything about a character that the rules forbid."""
    owned = [one.item for one in character.belongings]
    traits = [one.id for one in character.traits if one.id]
    known = [
        unknown_ids("belongings", owned, items(library), rule="mars.equipment.availability"),
        unknown_ids("skills", character.skills, library.ids(content.Skill), rule="mars.skill.basic"),
        unknown_ids("talents", character.talents, library.ids(content.Talent), rule="mars.talent.requirements"),
        unknown_ids("maneuvers", character.maneuvers, library.ids(content.Maneuver), rule="mars.maneuver.overview"),
        unknown_ids("weapons", character.weapons, library.ids(content.Weapon), rule="mars.equipment.weapons"),
        unknown_ids("traits", traits, library.ids(content.Trait), rule=TRAIT),
    ]
    if character.is_creature:
        return Legality.of(*known, _worn(character, library))
    return Legality.of(
        *known,
        _ancestry(character, library),
        _background(character, library),
        _archetype(character, library),
        changed_fields(character, _OF_CREATURES, "is written for creatures alone", rule="mars.gap.creature.printed"),
        unless(bool(character.motivation.strip()), "motivation", "is missing", rule="mars.character.motivation"),
        _traits(character),
        _advances(character, options, library),
        _stats(character),
        _skills(character, library),
        _talents(character, library),
        _maneuvers(character, library),
        _experience(character),
        _worn(character, library),
        _money(character, library),
    )


# ---------------------------------------------------------------------- origins


def _ancestry(character: MarsCharacter, library: Library) -> Violations:
    if not library.has(content.Ancestry, character.ancestry):
        yield from unknown_id("ancestry", character.ancestry, library.ids(content.Ancestry), rule=ANCESTRY)
        return
    ancestry = library.get(content.Ancestry, character.ancestry)
    allowed = ", ".join(ancestry.sizes)
    fits = character.size in ancestry.sizes
    yield from unless(
        fits, "size", f"{ancestry.name} is never {character.size}, allowed is {allowed}", rule="mars.stat.size"
    )
    number = ancestry.choose_stats
    yield from wrong_number("ancestry_stats", character.ancestry_stats, number, what="stats of choice", rule=ANCESTRY)
    yield from duplicates("ancestry_stats", character.ancestry_stats, rule=ANCESTRY)
    chooses = any(isinstance(grant, content.SkillChoiceGrant) for grant in ancestry.grants)
    chosen = [character.ancestry_skill] if character.ancestry_skill else []
    yield from wrong_number("ancestry_skill", chosen, int(chooses), what="skills of choice", rule=ANCESTRY)
    yield from unknown_ids("ancestry_skill", chosen, library.ids(content.Skill), rule=ANCESTRY)
    if library.has(content.Background, character.background):
        background = library.get(content.Background, character.background)
        taken = from_background(background, character.background_skills)
        message = f"{character.ancestry_skill} has a bonus from the background already"
        yield from unless(character.ancestry_skill not in taken, "ancestry_skill", message, rule=ANCESTRY)
    rule = "mars.skill.languages"
    for name in ancestry.languages:
        yield from unless(name in character.native, "native", f"{name} is missing", rule=rule)
    number = len(ancestry.languages) + ancestry.choose_languages
    yield from wrong_number("native", character.native, number, what="native languages", rule=rule)
    yield from duplicates("native", [as_meant(name) for name in character.native], rule=rule)


def _background(character: MarsCharacter, library: Library) -> Violations:
    if not library.has(content.Background, character.background):
        yield from unknown_id("background", character.background, library.ids(content.Background), rule=BACKGROUND)
        return
    background = library.get(content.Background, character.background)
    chosen = character.background_skills
    yield from wrong_number("background_skills", chosen, background.choose, what="skills of choice", rule=BACKGROUND)
    yield from duplicates("background_skills", chosen, rule=BACKGROUND)
    able = [one.id for one in among(background, library)]
    for name in chosen if background.choose else ():
        message = f"{background.name} gives no bonus to {name}"
        yield from unless(name in able, "background_skills", message, rule=BACKGROUND)


def starting_skills(character: MarsCharacter, archetype: content.Archetype) -> dict[str, int]:
    """The skills that a character began with, by the choices that stand on the sheet."""
    if archetype.custom:
        return dict(zip(character.archetype_skills, character.archetype_spread, strict=False))
    chosen = list(character.archetype_skills)
    skills: dict[str, int] = {}
    for slot in archetype.skills:
        name = slot.any_of[0]
        if len(slot.any_of) > 1:
            name = chosen.pop(0) if chosen else ""
        if name:
            skills[name] = slot.value
    return skills


def starting_talents(character: MarsCharacter, archetype: content.Archetype) -> dict[str, int]:
    """The talents that a character began with."""
    return dict(Counter(character.archetype_talents)) if archetype.custom else dict(archetype.talents)


def _archetype(character: MarsCharacter, library: Library) -> Violations:
    if not library.has(content.Archetype, character.archetype):
        yield from unknown_id("archetype", character.archetype, library.ids(content.Archetype), rule=ARCHETYPE)
        return
    archetype = library.get(content.Archetype, character.archetype)
    if archetype.custom:
        yield from _custom(character, archetype, library)
    else:
        slots = [slot for slot in archetype.skills if len(slot.any_of) > 1]
        chosen = character.archetype_skills
        yield from wrong_number("archetype_skills", chosen, len(slots), what="skills of choice", rule=ARCHETYPE)
        for slot, name in zip(slots, chosen, strict=False):
            message = f"{name} is not one of {', '.join(slot.any_of)}"
            yield from unless(name in slot.any_of, "archetype_skills", message, rule=ARCHETYPE)
        stray = bool(character.archetype_talents or character.archetype_spread)
        message = f"{archetype.name} leaves no talents and roll values to choose"
        yield from unless(not stray, "archetype", message, rule=ARCHETYPE)
    for message in unmet(archetype.needs, as_made(character), library):
        yield from forbidden("archetype", f"{archetype.name} {message}", rule=ARCHETYPE)


_OF_CREATURES = ("rank", "printed", "weapons")


def unharmed(character: MarsCharacter) -> MarsCharacter:
    """The character without its permanent losses, so that earlier purchases stay legal."""
    if all(change.value > 0 for change in character.changes):
        return character
    return character.changed(changes=tuple([change for change in character.changes if change.value > 0]))


def as_made(character: MarsCharacter) -> MarsCharacter:
    """The character as it was made: stats before anything was bought, no checkpoints, no lasting changes."""
    bought = Counter([advance.name for advance in character.advances if advance.what == "stat"])
    stats = {name: RollValue(getattr(character.stats, name).n - costs.STEP * bought[name]) for name in content.STATS}
    lowest = {name: RollValue(max(0, value.n)) for name, value in stats.items()}
    return character.changed(stats=type(character.stats)(**lowest), checkpoints=(), changes=())


def _custom(character: MarsCharacter, archetype: content.Archetype, library: Library) -> Violations:
    chosen = character.archetype_skills
    spreads = [" ".join([f"r{value}" for value in spread]) for spread in archetype.spreads]
    known = character.archetype_spread in archetype.spreads
    yield from unless(known, "archetype_spread", f"allowed are {' or '.join(spreads)}", rule=CUSTOM)
    number = len(archetype.spreads[0])
    yield from wrong_number("archetype_skills", chosen, number, what="starting skills", rule=CUSTOM)
    yield from duplicates("archetype_skills", chosen, rule=CUSTOM)
    yield from unknown_ids("archetype_skills", chosen, library.ids(content.Skill), rule=CUSTOM)
    groups = [library.get(content.Skill, name).group for name in chosen if library.has(content.Skill, name)]
    basic = groups.count("basic")
    for what, count, least in (("basic", basic, CUSTOM_BASIC), ("complex", len(groups) - basic, CUSTOM_COMPLEX)):
        message = f"{count} {what} skills, at least {least} are needed"
        yield from unless(count >= least, "archetype_skills", message, rule=CUSTOM)
    talents = [name for name in character.archetype_talents if library.has(content.Talent, name)]
    yield from unknown_ids("archetype_talents", character.archetype_talents, library.ids(content.Talent), rule=CUSTOM)
    spent = sum([library.get(content.Talent, name).cost for name in talents])
    yield from not_all_spent("archetype_talents", spent, CUSTOM_TALENTS, rule=CUSTOM)


def _traits(character: MarsCharacter) -> Found:
    for own in character.traits:
        if not (own.id or own.text.strip() or own.name.strip()):
            return forbidden("traits", "a trait is known by its id, its name or its text", rule=TRAIT)
    new = not (character.experience or character.opportunity)
    most = 1 if new else len(character.traits)  # later the game master may give more
    return wrong_number("traits", character.traits, 1, max(1, most), what="traits", rule=TRAIT)


# ---------------------------------------------------------------------- figures


def _stats(character: MarsCharacter) -> Violations:
    rule = "mars.stat.primary"
    for name in content.STATS:
        value: RollValue = getattr(character.stats, name)
        where = f"stats.{name}"
        yield from out_of_range(where, value.n, costs.LEAST_STAT, costs.MOST_STAT, rule=rule)
        yield from unless(value.n % costs.STEP == 0, where, f"r{value.n} is not a step", rule=rule)
        message = f"the modifier {value.modifier:+d} follows from ancestry, size and checkpoints; it is not written"
        yield from unless(value.modifier == 0, where, message, rule=rule)
    made = [getattr(as_made(character).stats, name).n for name in content.STATS]
    shown, array = ", ".join([f"r{value}" for value in made]), ", ".join([f"r{value}" for value in ARRAY])
    message = f"it began with {shown}; one stat starts at each of {array}"
    right = sorted(made) == sorted(ARRAY)
    yield from unless(right, "stats", message, rule="mars.character.starting_stats")


def _skills(character: MarsCharacter, library: Library) -> Violations:
    if not library.has(content.Archetype, character.archetype):
        return
    expected = starting_skills(character, library.get(content.Archetype, character.archetype))
    for advance in character.advances:
        if advance.what == "skill":
            expected[advance.name] = costs.next_step(expected.get(advance.name, 0))
    for name in dict.fromkeys([*expected, *character.skills]):
        value = character.skills.get(name, RollValue(0))
        should = expected.get(name, 0)
        message = f"{_shown(value)} where archetype and experience give {_shown(RollValue(should))}"
        yield from unless(value == RollValue(should), f"skills.{name}", message, rule=ARCHETYPE)
    bought = Counter([advance.name for advance in character.advances if advance.what == "language"])
    for name in dict.fromkeys([*bought, *character.languages]):
        should = 0
        for _ in range(bought[name]):
            should = costs.next_step(should)
        value = character.languages.get(name, RollValue(0))
        message = f"{_shown(value)} where experience gives {_shown(RollValue(should))}"
        rule = "mars.advancement.language_cost"
        yield from unless(value == RollValue(should), f"languages.{name}", message, rule=rule)
    spelled = [as_meant(name) for name in character.languages]
    yield from duplicates("languages", spelled, rule="mars.advancement.spending")
    native = [as_meant(name) for name in character.native]
    for name in character.languages:
        own = as_meant(name) in native
        yield from unless(not own, f"languages.{name}", "is native", rule="mars.skill.languages")


def _shown(value: RollValue) -> str:
    return str(value) if value != (0, 0) else "untrained"


def _talents(character: MarsCharacter, library: Library) -> Violations:
    if not library.has(content.Archetype, character.archetype):
        return
    expected = Counter(starting_talents(character, library.get(content.Archetype, character.archetype)))
    expected.update([advance.name for advance in character.advances if advance.what == "talent"])
    for name in dict.fromkeys([*expected, *character.talents]):
        owned = character.talents.get(name, 0)
        message = f"{owned} times where archetype and experience give {expected[name]}"
        yield from unless(owned == expected[name], f"talents.{name}", message, rule="mars.talent.repeat_cost")
        if not library.has(content.Talent, name):
            continue
        talent = library.get(content.Talent, name)
        if talent.steps is not None:
            yield from out_of_range(f"talents.{name}", owned, 0, talent.steps, rule="mars.talent.repeat_cost")
        for missing in unmet(talent.needs, unharmed(character), library) if owned else ():
            yield from forbidden(f"talents.{name}", f"{talent.name} {missing}", rule="mars.talent.requirements")


def _maneuvers(character: MarsCharacter, library: Library) -> Violations:
    rule = "mars.maneuver.number_known"
    slots = slots_for(character, library)
    if len(character.maneuvers) > len(slots) or learnable(character, library):
        yield from wrong_number("maneuvers", character.maneuvers, len(slots), what="maneuvers", rule=rule)
    yield from duplicates("maneuvers", character.maneuvers, rule=rule)
    known = [library.get(content.Maneuver, name) for name in character.maneuvers if library.has(content.Maneuver, name)]
    for one in unplaced(known, slots):
        message = f"{one.name} is learned with {', '.join(one.skills)}, and no place for it is left there"
        yield from forbidden("maneuvers", message, rule="mars.maneuver.overview")


def slots_for(character: MarsCharacter, library: Library) -> list[tuple[str, ...]]:
    """Combat skills for every maneuver that the character may know."""
    talents = {name: steps for name, steps in character.talents.items() if library.has(content.Talent, name)}
    return slots_of({name: value.n for name, value in character.skills.items()}, talents, library)


def learnable(character: MarsCharacter, library: Library) -> list[content.Maneuver]:
    """The maneuvers that could still be learned; none where every place is taken."""
    slots = slots_for(character, library)
    if len(slots) <= len(character.maneuvers):
        return []
    known = [library.get(content.Maneuver, name) for name in character.maneuvers if library.has(content.Maneuver, name)]
    others = [one for one in library.of(content.Maneuver) if one.id not in character.maneuvers]
    return [one for one in others if not unplaced([*known, one], slots)]


def unplaced(maneuvers: Iterable[content.Maneuver], slots: list[tuple[str, ...]]) -> list[content.Maneuver]:
    """The maneuvers for which no place is left when as many as possible are learned with some skill."""
    holder: dict[int, content.Maneuver] = {}

    def place(one: content.Maneuver, tried: set[int]) -> bool:
        for at, able in enumerate(slots):
            if at in tried or not set(able) & set(one.skills):
                continue
            tried.add(at)
            if at not in holder or place(holder[at], tried):
                holder[at] = one
                return True
        return False

    return [one for one in maneuvers if not place(one, set())]


# ---------------------------------------------------------------------- experience


def _experience(character: MarsCharacter) -> Violations:
    yield from overspent("experience", character.spent, character.experience, rule="mars.advancement.tracking")
    rule = "mars.advancement.checkpoints"
    reached = costs.checkpoints_reached(character.experience)
    yield from overspent("checkpoints", len(character.checkpoints), reached, rule=rule)
    for name, count in Counter(character.checkpoints).items():
        message = f"{name} was chosen {count} times, at most {costs.PER_STAT} are allowed"
        yield from unless(count <= costs.PER_STAT, "checkpoints", message, rule=rule)


def _advances(character: MarsCharacter, options: MarsOptions, library: Library) -> Violations:
    """Buy everything again, one thing after the other, and compare."""
    if not character.advances or not library.has(content.Archetype, character.archetype):
        return
    archetype = library.get(content.Archetype, character.archetype)
    skills = {name: RollValue(value) for name, value in starting_skills(character, archetype).items()}
    now = as_made(character).changed(
        skills=Frozen(skills),
        talents=Ranks(starting_talents(character, archetype)),
        languages=Frozen(),
        checkpoints=character.checkpoints,
        changes=unharmed(character).changes,
    )
    seen: Counter[tuple[int, str, str]] = Counter()
    for number, advance in enumerate(character.advances):
        where = f"advances[{number}]"
        key = (advance.opportunity, advance.what, as_meant(advance.name))
        seen[key] += 1
        once = f"{advance.name} was advanced before in the same opportunity"
        yield from unless(seen[key] == 1, where, once, rule=SPENDING)
        later = f"opportunity {advance.opportunity} has not come yet"
        yield from unless(advance.opportunity <= character.opportunity, where, later, rule=SPENDING)
        problem = _unknown(advance, library)
        if problem:
            yield from forbidden(where, problem, rule=SPENDING)
            continue
        price = costs.price(now, advance.what, advance.name, library)
        wrong = f"{advance.name} costs {price.cost.total}, {advance.cost} were paid"
        yield from unless(price.cost.total == advance.cost, where, wrong, rule=price.cost.rules[-1])
        for reason, rule in beyond(now, advance.what, advance.name, options, library):
            yield from forbidden(where, reason, rule=rule)
        now = advanced(now, advance)


def _unknown(advance: Advance, library: Library) -> str:
    if advance.what == "stat" and advance.name not in content.STATS:
        return f'"{advance.name}" is not a stat'
    if advance.what == "skill" and not library.has(content.Skill, advance.name):
        return f'"{advance.name}" is not a skill'
    if advance.what == "talent" and not library.has(content.Talent, advance.name):
        return f'"{advance.name}" is not a talent'
    return ""


def beyond(
    character: MarsCharacter, what: costs.What, name: str, options: MarsOptions, library: Library
) -> Iterator[tuple[str, str]]:
    """Reasons why an advance goes no further, each with its rule."""
    value = costs.price(character, what, name, library).value
    if what == "stat":
        if value > costs.MOST_STAT:
            yield f"{name} is at r{costs.MOST_STAT}, the highest step", "mars.advancement.stat_cost"
    elif what == "skill":
        limit = costs.skill_limit(character, name, library, options.skill_limit_bonuses, options.skill_hard_cap)
        if value > limit.total:
            yield f"{library.get(content.Skill, name).name} cannot go beyond r{limit.total} now", limit.rules[-1]
    elif what == "language":
        if as_meant(name) in [as_meant(one) for one in character.native]:
            yield f"{name} is native", "mars.skill.languages"
        if value > costs.MOST_LANGUAGE:
            yield f"{name} is at r{costs.MOST_LANGUAGE}, as good as native", "mars.skill.languages"
    else:
        talent = library.get(content.Talent, name)
        if talent.steps is not None and value > talent.steps:
            yield f"{talent.name} can be bought {talent.steps} times at most", "mars.talent.repeat_cost"
        for missing in unmet(talent.needs, character, library):
            yield f"{talent.name} {missing}", "mars.talent.requirements"


def advanced(character: MarsCharacter, advance: Advance) -> MarsCharacter:
    """The character with one step more of something, not yet paid for."""
    name = advance.name
    if advance.what == "stat":
        value: RollValue = getattr(character.stats, name)
        return character.changed(stats=character.stats.changed(**{name: value._replace(n=value.n + costs.STEP)}))
    if advance.what == "skill":
        old = character.skills.get(name, RollValue(0))
        return character.changed(skills=character.skills.put(name, old._replace(n=costs.next_step(old.n))))
    if advance.what == "language":
        known = character.languages.get(name, RollValue(0))
        return character.changed(languages=character.languages.put(name, RollValue(costs.next_step(known.n))))
    return character.changed(talents=character.talents.put(name, character.talents.get(name, 0) + 1))


# ---------------------------------------------------------------------- belongings


def _worn(character: MarsCharacter, library: Library) -> Violations:
    rule = "mars.equipment.armour_slots"
    for slot, count in slots_taken(character.belongings, library).items():
        yield from unless(count <= 1, "belongings", f"{count} things are in the slot {slot}", rule=rule)
    hands = hands_taken(character.belongings)
    message = f"{hands} hands are needed for what is wielded, there are {MOST_HANDS}"
    yield from unless(hands <= MOST_HANDS, "belongings", message, rule="mars.action.brandish")
    for carried in character.belongings:
        message = f"{carried.item} is in {carried.place}, allowed are {', '.join(PLACES)}"
        yield from unless(carried.place in PLACES, "belongings", message, rule="mars.action.brandish")


def _money(character: MarsCharacter, library: Library) -> Found:
    if character.traded or character.experience or character.opportunity:
        return ()
    kit = starting_kit(library)
    total = listed_worth(character.belongings, items(library), kit) + character.money
    message = f"belongings and money are worth {total}, there were {STARTING_MONEY}"
    return unless(total <= STARTING_MONEY, "money", message, rule="mars.equipment.starting_money")
