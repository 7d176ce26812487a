"""Legality of a character: every violation with its rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.character.legality import (
    Found,
    Legality,
    Violation,
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
from tablewright.systems.renaissance import content
from tablewright.systems.renaissance.character import costs
from tablewright.systems.renaissance.character.figures import given, key_of, of_kind, race_of, skill_of, split
from tablewright.systems.renaissance.character.gear import items
from tablewright.systems.renaissance.character.record import BOTH, MAIN, OFF, START, WORN, RenaissanceCharacter
from tablewright.systems.renaissance.character.shop import SPENDING, offered
from tablewright.systems.renaissance.effects import Shape
from tablewright.systems.renaissance.options import RenaissanceOptions

KINDS = ("character", "major_npc", "minor_npc", "follower", "creature")
CREATION_RANKS, MOST_RANKS = 50, 70
LEAST_APTITUDE, MOST_APTITUDE = 5, 35
TWEAKS, RAISED, LOWERED = 15, 20, 5
MINOR_START = 10
_MOTIVATION = re.compile(r"[+-]\S+\Z")


def legality(character: RenaissanceCharacter, options: RenaissanceOptions, library: Library) -> Legality:
    """Everything about a character that the rules forbid."""
    checks = [_known(character, library), _hands(character, library)]
    if not character.is_creature:
        steps = tuple(costs.steps_back(character))
        new = costs.before_all(character, steps)
        checks += [
            _aptitudes(character, options, library),
            _background(character, library),
            _skills(character, new, library),
            _features(character, library),
            _points(character, new, options, library),
            _luck(character, new),
            _things(character),
            _motivations(character),
            overspent("rez", character.spent, character.rez, rule=SPENDING),
            tuple(_advances(character, steps, options, library)),
        ]
    return Legality.of(*checks)


# ---------------------------------------------------------------------- what there is


def _known(character: RenaissanceCharacter, library: Library) -> Found:
    races = library.ids(content.Race)
    found = unknown_id("kind", character.kind, KINDS, rule="renaissance.character.components")
    found += unknown_id("race", character.race, races, rule="renaissance.character.race")
    found += tuple(_unknown_skills(character, library))
    for where, names, kind, rule in (
        ("traits", character.traits, content.Trait, "renaissance.character.traits"),
        ("classes", character.classes, content.CharacterClass, "renaissance.character.classes"),
        ("powers", character.powers, content.Power, "renaissance.character.powers"),
        ("features", character.features, content.FormFeature, "renaissance.gap.race.shifter"),
    ):
        known = library.ids(kind)
        found += unknown_ids(where, names, known, rule=rule) + duplicates(where, tuple(names), rule=rule)
    owned = [carried.item for carried in character.belongings]
    return found + unknown_ids("belongings", owned, items(library), rule="renaissance.gap.weapon.list")


def _unknown_skills(character: RenaissanceCharacter, library: Library) -> Iterator[Violation]:
    rule = "renaissance.character.skills"
    known = library.ids(content.Skill)
    same = "renaissance.modifier.field_specialization"
    yield from duplicates("skills", [key_of(key) for key in character.skills], rule=same)
    for key in dict.fromkeys([*character.skills, *character.specializations, *character.exotic]):
        wrong = unknown_id("skills", split(key)[0], known, rule=rule)
        if not wrong:
            try:
                skill_of(key, library)
            except InvalidInputError as error:
                wrong = forbidden("skills", error.message, rule="renaissance.modifier.field_specialization")
        yield from wrong


def _hands(character: RenaissanceCharacter, library: Library) -> Found:
    """One suit, one shield, two hands."""
    found: Found = ()
    known = items(library)
    suits, shields, hands = 0, 0, 0
    for carried in character.belongings:
        item = known.get(carried.item)
        where = f"belongings.{carried.item}"
        if isinstance(item, content.Armour) and not item.shield:
            suits += carried.count if carried.place == WORN else 0
            wrong = carried.place in (MAIN, OFF, BOTH)
            found += unless(not wrong, where, "is worn, not held", rule="renaissance.gap.armor.one_suit")
        elif carried.place in (MAIN, OFF, BOTH):
            shields += carried.count if isinstance(item, content.Armour) else 0
            hands += carried.count * (2 if carried.place == BOTH else 1)
            fits = (carried.place == BOTH) == (isinstance(item, content.Weapon) and item.hands == 2)
            found += unless(fits, where, f"cannot be in {carried.place}", rule="renaissance.gap.weapon.hands")
        elif carried.place == WORN and item is not None:
            found += forbidden(where, "cannot be worn", rule="renaissance.gap.armor.one_suit")
    found += unless(suits <= 1, "belongings", f"{suits} suits are worn", rule="renaissance.gap.armor.one_suit")
    found += unless(shields <= 1, "belongings", f"{shields} shields are held", rule="renaissance.gap.armor.one_suit")
    places = [carried.place for carried in character.belongings if carried.place in (MAIN, OFF)]
    found += duplicates("belongings", places, rule="renaissance.gap.weapon.hands")
    return found + unless(hands <= 2, "belongings", f"{hands} hands are full", rule="renaissance.gap.weapon.hands")


# ---------------------------------------------------------------------- aptitudes


def start_of(character: RenaissanceCharacter) -> int:
    """Start value of all aptitudes."""
    return MINOR_START if character.kind == "minor_npc" else START


def _aptitudes(character: RenaissanceCharacter, options: RenaissanceOptions, library: Library) -> Found:
    start = start_of(character)
    values = {name: int(getattr(character.aptitudes, name)) for name in content.APTITUDES}
    raisable = (*content.APTITUDES, "DUR", "STR")
    found = unknown_ids("tweaks", character.tweaks, raisable, rule="renaissance.gap.creation.tweak_points")
    if options.aptitude_method == "transfer_and_tweak":
        rule = "renaissance.gap.creation.aptitudes"
        found += not_all_spent("aptitudes", sum(values.values()), start * len(content.APTITUDES), rule=rule)
        rule = "renaissance.gap.creation.tweak_points"
        found += overspent("tweaks", sum(character.tweaks.values()), TWEAKS, rule=rule)
        found += unless(not character.lowered, "lowered", "nothing is lowered with this method", rule=rule)
    else:
        rule = "renaissance.gap.creation.aptitude_method"
        for each, value in values.items():
            found += out_of_range(f"aptitudes.{each}", value, start, start, rule=rule)
        found += not_all_spent("tweaks", sum(character.tweaks.values()), RAISED, rule=rule)
        found += not_all_spent("lowered", sum(character.lowered.values()), LOWERED, rule=rule)
        found += unknown_ids("tweaks", character.tweaks, content.APTITUDES, rule=rule)
        found += unknown_ids("lowered", character.lowered, content.APTITUDES, rule=rule)
    negative = [name for name, value in character.tweaks.items() if value < 0]
    found += tuple([one for name in negative for one in forbidden(f"tweaks.{name}", "takes away", rule=rule)])
    return found + _within_limits(character, library)


def _within_limits(character: RenaissanceCharacter, library: Library) -> Found:
    found: Found = ()
    race = race_of(character, library)
    bonuses = race.aptitudes if race else {}
    for name in content.APTITUDES:
        value = getattr(character.aptitudes, name) + bonuses.get(name, 0)
        value += character.tweaks.get(name, 0) - character.lowered.get(name, 0)
        where, rule = f"aptitudes.{name}", "renaissance.gap.creation.limits"
        found += out_of_range(where, value, LEAST_APTITUDE, MOST_APTITUDE, rule=rule)
    for figure in ("DUR", "STR") if race else ():
        body = getattr(race, figure) + character.tweaks.get(figure, 0)
        found += out_of_range(figure, body, high=50, rule="renaissance.gap.creation.global_limits")
    return found


# ---------------------------------------------------------------------- background and skills


def _background(character: RenaissanceCharacter, library: Library) -> Found:
    rule = "renaissance.gap.creation.background"
    known = library.ids(content.Background)
    background = costs.background_of(character, library)
    if background is None:
        return unknown_id("background", character.background, known, rule=rule)
    found: Found = ()
    if background.races:
        fits = character.race in background.races
        found += unless(fits, "background", f"{background.name} is for {', '.join(background.races)}", rule=rule)
    slots = [choice for choice in background.choices for _ in range(choice.number)]
    found += wrong_number("background_skills", character.background_skills, len(slots), what="skills", rule=rule)
    found += duplicates("background_skills", [*background.skills, *character.background_skills], rule=rule)
    for key, choice in zip(character.background_skills, slots, strict=False):
        found += unless(is_among(key, choice, library), "background_skills", f'"{key}" cannot be chosen', rule=rule)
    found += _background_extras(character, background, library)
    for key, ranks in costs.free_ranks(character, library).items():
        has = character.skills.get(key, 0)
        found += unless(has >= ranks, f"skills.{key}", f"{ranks} ranks are free, it has {has}", rule=rule)
    return found


def is_among(key: str, choice: content.SkillChoice, library: Library) -> bool:
    """True if a skill is one that a background lets choose."""
    name = split(key)[0]
    if key in choice.but or not library.has(content.Skill, name):
        return False
    return (
        key in choice.skills
        or name in choice.skills
        or any(library.get(content.Skill, name).is_in(category) for category in choice.categories)
    )


def _background_extras(character: RenaissanceCharacter, background: content.Background, library: Library) -> Found:
    rule = "renaissance.gap.creation.background"
    found: Found = ()
    if background.powers:
        power = character.background_power
        fits = library.has(content.Power, power) and set(library.get(content.Power, power).kinds) & set(
            background.powers
        )
        found += unless(bool(fits) and power in character.powers, "background_power", "one power is free", rule=rule)
    else:
        found += unless(not character.background_power, "background_power", "gives no power", rule=rule)
    sets = [set(things) for things in background.things] or [set()]
    found += unless(set(character.background_things) in sets, "background_things", "are not its things", rule=rule)
    missing = [id_ for id_ in background.classes if id_ not in character.classes]
    bought_off = [advance.name for advance in character.advances if advance.what == "buy_off"]
    missing += [id_ for id_ in background.traits if id_ not in character.traits and id_ not in bought_off]
    return found + tuple([one for id_ in missing for one in forbidden("background", f"gives {id_}", rule=rule)])


def _skills(character: RenaissanceCharacter, new: RenaissanceCharacter, library: Library) -> Found:
    found: Found = ()
    own = costs.native_key(character)
    if own:
        languages = {one.id: one for one in library.of(content.Language)}
        rule = "renaissance.gap.language.groups"
        race = race_of(character, library)
        language = languages.get(character.native)
        groups = race.groups if race else ()
        fits = language is None or language.group in groups
        found += unless(fits, "native", f"{character.race} cannot pronounce {character.native}", rule=rule)
        found += unless(own != costs.COMMON, "native", "the common language is not a native language", rule=rule)
    else:
        found += forbidden("native", "no native language is chosen", rule="renaissance.gap.creation.free")
    for key, ranks in character.skills.items():
        limit = MOST_RANKS
        found += out_of_range(f"skills.{key}", ranks, 0, limit, rule="renaissance.gap.creation.global_limits")
        bought = new.skills.get(key, 0)
        if key != own:
            rule = "renaissance.gap.creation.limits"
            found += out_of_range(f"skills.{key}", bought, 0, CREATION_RANKS, rule=rule)
    least = int(costs.prices()["specialization_ranks"])
    for key in character.specializations:
        rule = "renaissance.modifier.field_specialization" if split(key)[1] else "renaissance.modifier.specialization"
        has = character.skills.get(key, 0)
        found += unless(has >= least, "specializations", f"{key} needs {least} ranks, it has {has}", rule=rule)
    for key, linked in character.exotic.items():
        allowed = (
            library.get(content.Skill, "exotic_skill").aptitudes if library.has(content.Skill, "exotic_skill") else ()
        )
        rule = "renaissance.gap.skill.list"
        found += unless(split(key)[0] == "exotic_skill", "exotic", f"{key} is not an exotic skill", rule=rule)
        found += unknown_id("exotic", linked, allowed, rule=rule)
    return found


# ---------------------------------------------------------------------- traits, classes, powers


def _features(character: RenaissanceCharacter, library: Library) -> Found:
    found: Found = ()
    background = costs.background_of(character, library)
    for id_, detail in character.traits.items():
        if not library.has(content.Trait, id_):
            continue
        trait, rule = library.get(content.Trait, id_), "renaissance.gap.trait.list"
        excluded = [other for other in trait.excludes if other in character.traits and other > id_]
        found += tuple([one for other in excluded for one in forbidden("traits", f"{id_} excludes {other}", rule=rule)])
        found += unless(bool(detail) or not trait.detail, f"traits.{id_}", f"say {trait.detail}", rule=rule)
    free = background.classes if background else ()
    for id_ in character.classes:
        if id_ not in free and library.has(content.CharacterClass, id_):
            for reason in costs.unmet(library.get(content.CharacterClass, id_).needs, character, library):
                found += forbidden("classes", f"{id_} {reason}", rule="renaissance.gap.class.list")
    for id_ in character.powers:
        if id_ != character.background_power and library.has(content.Power, id_):
            for reason in costs.unmet(library.get(content.Power, id_).needs, character, library):
                found += forbidden("powers", f"{id_} {reason}", rule="renaissance.gap.power.requirements")
    picks = sum([shape.picks for shape, _ in of_kind(Shape, given(character, library))])
    rule = "renaissance.gap.race.shifter"
    found += wrong_number("features", character.features, picks, what="features", rule=rule)
    return found + unless(not character.form or picks > 0, "form", "only shifters change", rule=rule)


# ---------------------------------------------------------------------- points


def _points(
    character: RenaissanceCharacter, new: RenaissanceCharacter, options: RenaissanceOptions, library: Library
) -> Found:
    rule = "renaissance.gap.creation.points"
    found: Found = ()
    if character.kind in ("character", "major_npc"):
        total = int(costs.prices()["points"])
        found += out_of_range("points", character.points, total, total, rule=rule)
    for item in new.bought:
        found += unless(costs.item_cost(item, library) is not None, "bought", f'"{item}" cannot be bought', rule=rule)
    found += overspent("points", costs.reckoning(new, library).total, character.points, rule=rule)
    rule = "renaissance.gap.creation.limits"
    combat, other = least_spent(character, options)
    on_combat = costs.spent_on(new, library, "combat")
    few = f"{on_combat} points on Combat skills, {combat} are needed"
    found += unless(on_combat >= combat, "skills", few, rule=rule)
    if options.aptitude_method == "plus20_minus5":
        on_others, what = costs.spent_on(new, library, "knowledge"), "Knowledge"
    else:
        on_others, what = costs.spent_on(new, library, "combat", others=True), "other"
    few = f"{on_others} points on {what} skills, {other} are needed"
    return found + unless(on_others >= other, "skills", few, rule=rule)


def least_spent(character: RenaissanceCharacter, options: RenaissanceOptions) -> tuple[int, int]:
    """The points that have to go into Combat skills and into others: a quarter each, or an eighth each."""
    part = 8 if options.aptitude_method == "plus20_minus5" else 4
    return character.points // part, character.points // part


def _advances(
    character: RenaissanceCharacter, steps: Sequence[costs.StepBack], options: RenaissanceOptions, library: Library
) -> Iterator[Violation]:
    """Differences between prices at the time of purchase and the points paid."""
    for step in reversed(steps):
        where, one = f"advances[{step.number}]", step.advance
        what = one.name or one.what
        later = f"down-time {one.opportunity} has not come yet"
        yield from unless(one.opportunity <= character.opportunity, where, later, rule=SPENDING)
        if step.before is None:
            yield from forbidden(where, f"{what} is not there as it was bought", rule=SPENDING)
            continue
        try:
            offer = offered(step.before, one.what, one.name, one.ranks, library, buy_off=options.buy_off_traits)
        except TablewrightError as error:
            yield from forbidden(where, error.message, rule=error.rule or SPENDING)
        else:
            wrong = f"{what} costs {offer.cost}, {one.cost} were paid"
            yield from unless(offer.cost == one.cost, where, wrong, rule=SPENDING)


def _things(character: RenaissanceCharacter) -> Found:
    """Report belongings beyond those that creation points bought and the background gave, if nothing came since."""
    if character.traded or character.rez or character.opportunity:
        return ()
    paid = Counter(dict(character.bought)) + Counter(character.background_things)
    owned: Counter[str] = Counter()
    for carried in character.belongings:
        owned[carried.item] += carried.count
    found = unless(not character.copper, "copper", "new characters have none", rule="renaissance.gap.money.starting")
    for item, count in (owned - paid).items():
        message = f"{owned[item]}, creation points and background give {owned[item] - count}"
        found += forbidden(f"belongings.{item}", message, rule="renaissance.gap.creation.points")
    return found


def _luck(character: RenaissanceCharacter, new: RenaissanceCharacter) -> Found:
    free = costs.free_luck(character)
    if character.kind == "character":
        return out_of_range("luck", character.luck, free, 10, rule="renaissance.gap.creation.global_limits")
    return out_of_range("luck", character.luck, free, free, rule="renaissance.gap.creation.npcs")


def _motivations(character: RenaissanceCharacter) -> Found:
    rule = "renaissance.gap.creation.motivations"
    if character.kind in ("minor_npc", "follower") and not character.motivations:
        return ()
    found = wrong_number("motivations", character.motivations, 3, what="motivations", rule=rule)
    found += duplicates("motivations", [word.casefold() for word in character.motivations], rule=rule)
    for word in character.motivations:
        found += unless(bool(_MOTIVATION.match(word)), "motivations", f'"{word}" is not + or - and one word', rule=rule)
    return found
