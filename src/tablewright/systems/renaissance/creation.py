"""Steps of character creation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from tablewright.engine import ClosedOption, Param, process
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import Belongings, add_item
from tablewright.game.character.creation import DONE, Budget, CreationOption, Step, choose_step
from tablewright.game.content.library import Library
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.game import Game
from tablewright.game.values import Frozen
from tablewright.systems.renaissance.character.costs import COMMON, free_luck, free_ranks, native_key, spent_on
from tablewright.systems.renaissance.character.figures import field_name, key_of, skill_name, strength
from tablewright.systems.renaissance.character.gear import items, place_for, worn
from tablewright.systems.renaissance.character.record import PACK, RenaissanceCharacter
from tablewright.systems.renaissance.character.shop import (
    apply_purchase,
    detail_of,
    purchases,
    suggested_fields,
)
from tablewright.systems.renaissance.character.warnings import warnings_of
from tablewright.systems.renaissance.content import (
    APTITUDES,
    Armour,
    Background,
    CharacterClass,
    FormFeature,
    Item,
    Language,
    Power,
    Race,
    Skill,
    SkillChoice,
    Weapon,
)
from tablewright.systems.renaissance.effects import Companion, Shape
from tablewright.systems.renaissance.legality import (
    LEAST_APTITUDE,
    LOWERED,
    MOST_APTITUDE,
    RAISED,
    TWEAKS,
    is_among,
    least_spent,
    start_of,
)
from tablewright.systems.renaissance.options import RenaissanceOptions

FREE, SET = Step("free", "What is free"), Step("aptitudes", "Aptitudes")
RACE, TWEAK = Step("race", "Race"), Step("tweaks", "Tweak points")
BACKGROUND, POINTS = Step("background", "Background"), Step("points", "Creation points")
MOTIVATIONS = Step("motivations", "Motivations")

MOST_BODY = 50
FOLLOWER_POINTS = 450  # renaissance.gap.creation.npcs, where no class of the content says otherwise
SUGGESTED = ("+Family", "+Commonwealth", "+Knowledge", "+Honour", "+Wealth", "-Slavery", "-Tyranny", "-Undeath")
Made = Literal["character", "major_npc", "minor_npc", "follower"]


@process(
    rules=[
        "renaissance.gap.creation.order",
        "renaissance.gap.creation.free",
        "renaissance.gap.creation.points",
        "renaissance.character.components",
    ]
)
async def create(
    game: Game,
    name: Annotated[str, Param("the character's name")] = "Nobody",
    kind: Annotated[
        Made, Param("a player's character, a major or minor one of the game master, a follower")
    ] = "character",
) -> RenaissanceCharacter:
    """Make a character in the steps of the book: each says what is left to spend and why something is closed."""
    library: Library = game.scene.library
    options: RenaissanceOptions = game.scene.options
    made = RenaissanceCharacter(name=name, kind=kind)
    start = start_of(made)
    points = _follower_points(library) if kind == "follower" else made.points
    made = made.changed(
        aptitudes=made.aptitudes.changed(**dict.fromkeys(APTITUDES, start)), points=points, luck=free_luck(made)
    )
    made = await _native(made, library)
    if options.aptitude_method == "transfer_and_tweak":
        made = await _transfers(made, library)
    made = await _race(made, library)
    if options.aptitude_method == "transfer_and_tweak":
        made = await _tweaks(made, library, TWEAKS, (*APTITUDES, "DUR", "STR"))
    else:
        made = await _tweaks(made, library, RAISED, APTITUDES)
        made = await _lowered(made, library)
    made = await _background(made, library)
    made = await _spend(made, library, options)
    made = await _motivations(made)
    return made.changed(belongings=_stowed(made.background_things, made.bought.items(), library))


def _follower_points(library: Library) -> int:
    """Creation points of a follower: the most that any class grants (renaissance.gap.creation.npcs)."""
    grants = [grant for one in library.of(CharacterClass) for grant in one.grants if isinstance(grant, Companion)]
    return max([grant.points for grant in grants if grant.nature == "follower"], default=FOLLOWER_POINTS)


def _shown(made: RenaissanceCharacter, library: Library) -> dict[str, Any]:
    """Summary of the character so far, to show with a question."""
    skills = {skill_name(key, library): ranks for key, ranks in made.skills.items()}
    race, background = library.get(Race, made.race).name, library.get(Background, made.background).name
    return {"race": race, "background": background, "skills": skills, "luck": made.luck}


# ---------------------------------------------------------------------- language and aptitudes


async def _native(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.free"
    spoken = {group for race in library.of(Race) if race.playable for group in race.groups}
    offers = [CreationOption(one.id, one.name, rule=rule) for one in library.of(Language) if one.group in spoken]
    native = (await choose_step(FREE, "which native language?", offers)).id
    made = made.changed(native=native)
    return made.changed(skills=made.skills.put(native_key(made), 60).put(COMMON, 10))


def _races(native: str, aptitudes: Mapping[str, int], library: Library) -> Iterator[tuple[Race, str]]:
    """The races that can be played, each with the reason why it is closed."""
    group = library.get(Language, native).group
    for race in library.of(Race):
        if not race.playable:
            continue
        values = {name: aptitudes[name] + race.aptitudes.get(name, 0) for name in APTITUDES}
        over = [name for name in APTITUDES if values[name] > MOST_APTITUDE]
        under = [name for name in APTITUDES if values[name] < LEAST_APTITUDE]
        if group not in race.groups:
            yield race, f"cannot pronounce {library.get(Language, native).name}"
        elif over:
            yield race, f"{over[0]} would be above {MOST_APTITUDE}"
        elif under:
            yield race, f"{under[0]} would be below {LEAST_APTITUDE}"
        else:
            yield race, ""


def _aptitudes(made: RenaissanceCharacter) -> dict[str, int]:
    return {name: getattr(made.aptitudes, name) for name in APTITUDES}


def _fits(native: str, aptitudes: Mapping[str, int], library: Library) -> bool:
    """True if some race would fit the aptitudes, without building a character: a step asks for dozens."""
    return min(aptitudes.values()) >= 0 and any(not reason for _, reason in _races(native, aptitudes, library))


def _skills_by_aptitude(library: Library) -> dict[str, str]:
    """Skills that are rolled with each aptitude, as a list in words."""
    return {name: ", ".join([one.name for one in library.of(Skill) if one.aptitude == name]) for name in APTITUDES}


async def _transfers(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.aptitudes"
    while True:
        values = _aptitudes(made)
        able = [name for name in APTITUDES if _fits(made.native, values | {name: values[name] - 1}, library)]
        closed = [ClosedOption(name, f"has its least, {values[name]}", rule) for name in APTITUDES if name not in able]
        served = _skills_by_aptitude(library)
        notes = {name: f"now {values[name]}; {served[name]}" for name in able}
        offers = [CreationOption(name, f"lower {name}", note=notes[name], rule=rule) for name in able]
        lower = await choose_step(
            SET, "lower which aptitude to raise another?", [*offers, DONE], closed=closed, shown=values
        )
        if lower is DONE:
            return made
        raised: list[CreationOption] = []
        shut: list[ClosedOption] = []
        for name in APTITUDES:
            for by in (5, 1):
                id_ = f"{name}+{by}"
                if name == lower.id:
                    shut.append(ClosedOption(id_, "is the one that is lowered", rule, name))
                elif values[name] + by > MOST_APTITUDE:
                    shut.append(ClosedOption(id_, f"{MOST_APTITUDE} is the most", "renaissance.gap.creation.limits"))
                else:
                    then = Frozen(values | {name: values[name] + by, lower.id: values[lower.id] - by})
                    if _fits(made.native, then, library):
                        title = f"{name} +{by}, {lower.id} -{by}"
                        raised.append(CreationOption(id_, title, note=served[name], rule=rule, value=then))
                    else:
                        shut.append(ClosedOption(id_, "no race would fit", "renaissance.gap.creation.limits"))
        if not raised:  # everything else is full
            continue
        chosen = await choose_step(SET, "raise which?", raised, closed=shut, shown=values)
        made = made.changed(aptitudes=made.aptitudes.changed(**chosen.value))


async def _race(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.character.race"
    closed = [
        ClosedOption(race.id, reason, rule) for race, reason in _races(made.native, _aptitudes(made), library) if reason
    ]
    offers = [
        CreationOption(race.id, race.name, rule=rule, value=race)
        for race, _ in _races(made.native, _aptitudes(made), library)
    ]
    race: Race = (await choose_step(RACE, "which race?", offers, closed=closed)).value
    made = made.changed(race=race.id)
    picks = sum([grant.picks for grant in race.grants if isinstance(grant, Shape)])
    for _ in range(picks):
        rule = "renaissance.gap.race.shifter"
        closed = [ClosedOption(id_, "is chosen already", rule) for id_ in made.features]
        features = [CreationOption(one.id, one.name, rule=rule) for one in library.of(FormFeature)]
        chosen = await choose_step(RACE, "which feature has the hybrid form?", features, closed=closed)
        made = made.changed(features=(*made.features, chosen.id))
    return made


def _value(made: RenaissanceCharacter, name: str, library: Library) -> int:
    race = library.get(Race, made.race)
    own: int = made.tweaks.get(name, 0) - made.lowered.get(name, 0)
    if name in APTITUDES:
        return own + int(getattr(made.aptitudes, name)) + race.aptitudes.get(name, 0)
    return own + int(getattr(race, name))


async def _tweaks(
    made: RenaissanceCharacter, library: Library, points: int, names: Iterable[str]
) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.tweak_points"
    budget = Budget("tweak points" if points == TWEAKS else "points to add", points, 0, rule)
    while budget.left:
        values = {name: _value(made, name, library) for name in names}
        served = _skills_by_aptitude(library)
        offers: list[CreationOption] = []
        closed: list[ClosedOption] = []
        for name, value in values.items():
            most = MOST_APTITUDE if name in APTITUDES else MOST_BODY
            for by in (5, 1):
                id_ = f"{name}+{by}"
                if value + by > most:
                    closed.append(ClosedOption(id_, f"{most} is the most", "renaissance.gap.creation.limits"))
                else:
                    note = "; ".join([f"now {value}", *([served[name]] if name in served else [])])
                    offers.append(CreationOption(id_, f"{name} +{by}", by, note, rule, (name, by)))
        taken = await choose_step(TWEAK, "raise what?", offers, budget=budget, closed=closed, shown=values)
        name, by = taken.value
        made = made.changed(tweaks=made.tweaks.put(name, made.tweaks.get(name, 0) + by))
        budget = budget.spend(by)
    return made


async def _lowered(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.aptitude_method"
    budget = Budget("points to take away", LOWERED, 0, rule)
    while budget.left:
        values: dict[str, int] = {name: _value(made, name, library) for name in APTITUDES}
        closed = [
            ClosedOption(n, f"has its least, {LEAST_APTITUDE}", rule) for n in APTITUDES if values[n] <= LEAST_APTITUDE
        ]
        offers = [CreationOption(name, f"{name} -1", 1, f"now {values[name]}", rule) for name in APTITUDES]
        taken = await choose_step(TWEAK, "lower what?", offers, budget=budget, closed=closed, shown=values)
        made = made.changed(lowered=made.lowered.put(taken.id, made.lowered.get(taken.id, 0) + 1))
        budget = budget.spend(1)
    return made


# ---------------------------------------------------------------------- background


async def _background(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.background"
    entries = library.of(Background)
    shut = [one for one in entries if one.races and made.race not in one.races]
    closed = [ClosedOption(one.id, f"is for {_names(Race, one.races, library)}", rule, one.name) for one in shut]
    offers = [CreationOption(one.id, one.name, rule=rule, value=one) for one in entries]
    background: Background = (await choose_step(BACKGROUND, "which background?", offers, closed=closed)).value
    made = made.changed(background=background.id, classes=background.classes)
    made = made.changed(traits=dict.fromkeys(background.traits, ""))
    for choice in background.choices:
        for _ in range(choice.number):
            made = await _background_skill(made, background, choice, library)
    skills = made.skills
    for key, ranks in free_ranks(made, library).items():
        skills = skills.put(key, ranks)
    made = made.changed(skills=skills)
    if background.powers:
        made = await _background_power(made, background, library)
    if background.things:
        sets = [
            CreationOption(
                "+".join(things),
                ", ".join([items(library)[one].name for one in things]),
                rule=rule,
                value=things,
                unwise=_too_much((things, (*made.bought.items(),), strength(made, library).total), library),
            )
            for things in background.things
        ]
        things = (await choose_step(BACKGROUND, "which things?", sets)).value
        made = made.changed(background_things=things)
    return made


def _names(kind: type[Race], ids: Iterable[str], library: Library) -> str:
    return ", ".join([library.get(kind, one).name for one in ids])


async def _background_skill(
    made: RenaissanceCharacter, background: Background, choice: SkillChoice, library: Library
) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.background"
    taken = [*background.skills, *made.background_skills]
    named = [key for key in choice.skills if ":" in key]
    offers: list[CreationOption] = []
    closed: list[ClosedOption] = []
    for key in named or library.ids(Skill):
        if key in taken:
            closed.append(ClosedOption(key, "has its ranks already", rule))
        elif not is_among(key, choice, library):
            closed.append(ClosedOption(key, "cannot be chosen here", rule))
        else:
            offers.append(CreationOption(key, f"{skill_name(key, library)} +{choice.ranks}", rule=rule))
    question = f"which skill gets {choice.ranks} ranks?"
    key = (await choose_step(BACKGROUND, question, offers, closed=closed)).id
    key = await field_of(BACKGROUND, key, library, taken)
    return made.changed(background_skills=(*made.background_skills, key))


async def field_of(step: Step, key: str, library: Library, taken: Iterable[str] = ()) -> str:
    """A skill with its field: which one is asked where it has fields and none is named."""
    skill = library.get(Skill, key.partition(":")[0])
    if not skill.field or ":" in key:
        return key
    rule = "renaissance.gap.skill.list"
    used = [name.partition(":")[2] for name in taken if name.partition(":")[0] == key]
    names = suggested_fields(skill, library)
    offers = [CreationOption(one, field_name(key, one, library), rule=rule) for one in names if one not in used]
    closed = [ClosedOption(one, "is known already", rule, field_name(key, one, library)) for one in used]
    field = await choose_step(step, f"which field of {skill.name}?", offers, closed=closed, own_words=True)
    return key_of(key, field.id)


async def _background_power(
    made: RenaissanceCharacter, background: Background, library: Library
) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.background"
    offers: list[CreationOption] = []
    closed: list[ClosedOption] = []
    for power in library.of(Power):
        if power.granted_by is not None or not set(power.kinds) & set(background.powers):
            closed.append(ClosedOption(power.id, "is neither a spell nor a sleight", rule))
        else:
            offers.append(CreationOption(power.id, power.name, rule=rule))
    power_id = (await choose_step(BACKGROUND, "which power?", offers, closed=closed)).id
    return made.changed(background_power=power_id, powers=(power_id,))


# ---------------------------------------------------------------------- creation points


async def _spend(made: RenaissanceCharacter, library: Library, options: RenaissanceOptions) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.points"
    budget = Budget("creation points", made.points, 0, rule)
    while budget.left > 0:
        combat, other = _still_needed(made, library, options)
        offers, closed = [], []
        spare = budget.left - combat - other
        strong = strength(made, library).total
        for one in purchases(made, library):
            if isinstance(one, ClosedOption):
                closed.append(one)
                continue
            if one.cost > spare and not _helps(one, spare, combat, other, library, options):
                reason = f"{combat} points more on Combat skills and {other} on others are needed"
                closed.append(ClosedOption(one.id, reason, "renaissance.gap.creation.limits"))
            else:
                offers.append(_weighed(one, made, strong, library))
        if combat or other:
            closed.append(ClosedOption(DONE.id, f"{combat} more on Combat skills, {other} on others", rule))
        else:
            belongings = _stowed(made.background_things, made.bought.items(), library)
            offers.append(replace(DONE, warnings=warnings_of(made, belongings, budget.left, offers, library)))
        question = "spend creation points on what?"
        taken = await choose_step(POINTS, question, offers, budget=budget, closed=closed, shown=_shown(made, library))
        if taken.id == DONE.id:
            break
        bought = await detail_of(POINTS, taken.value, made, library, field_of)
        made = apply_purchase(made, bought)
        budget = budget.spend(taken.cost)
    return made


def _weighed(offer: CreationOption, made: RenaissanceCharacter, strong: int, library: Library) -> CreationOption:
    """The offer, marked as unwise if it is a thing that cannot be carried, worn or wielded well."""
    name = offer.value.name
    if offer.value.what != "item":
        return offer
    item = items(library).get(name)
    if isinstance(item, Weapon) and not any(made.skills.get(one.skill, 0) >= 10 for one in item.attacks):
        return replace(offer, unwise=True)
    things = made.bought.put(name, made.bought.get(name, 0) + 1)
    too_much = _too_much((made.background_things, (*things.items(),), strong), library)
    return replace(offer, unwise=True) if too_much else offer


@cached_by_identity
def _too_much(load: tuple[tuple[str, ...], tuple[tuple[str, int], ...], int], library: Library) -> bool:
    """True if there are too many heavy things for a Strength, or armour and weapons that stay in the pack.

    The load is what the background gives, what is bought, and the Strength. A second weapon in the pack is no burden; a
    second suit or shield, or a third weapon, is.
    """
    given, bought, strong = load
    belongings = _stowed(given, bought, library)
    if worn(belongings, library).heavy > strong // 10:
        return True
    known = items(library)
    stowed = [(known[one.item], one.count) for one in belongings if one.place == PACK]
    weapons = sum([count for item, count in stowed if isinstance(item, Weapon) and not item.used_up])
    return weapons > 1 or any(isinstance(item, Armour) for item, _ in stowed)


def _helps(
    offer: CreationOption, spare: int, combat: int, other: int, library: Library, options: RenaissanceOptions
) -> bool:
    """True if something that costs more than can be spared goes into the skills that points are kept for."""
    toward = offer.value.toward(library, options.aptitude_method)
    kept = min(offer.cost, combat if toward == "combat" else other if toward == "other" else 0)
    return offer.cost - kept <= spare


def _still_needed(made: RenaissanceCharacter, library: Library, options: RenaissanceOptions) -> tuple[int, int]:
    combat, other = least_spent(made, options)
    if options.aptitude_method == "plus20_minus5":
        others = spent_on(made, library, "knowledge")
    else:
        others = spent_on(made, library, "combat", others=True)
    return max(0, combat - spent_on(made, library, "combat")), max(0, other - others)


async def _motivations(made: RenaissanceCharacter) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.motivations"
    chosen: tuple[str, ...] = ()
    while len(chosen) < 3:
        closed = [ClosedOption(word, "is one of them already", rule) for word in chosen]
        offers = [CreationOption(word, rule=rule) for word in SUGGESTED]
        left = Budget("motivations", 3, len(chosen), rule)
        word = (
            await choose_step(MOTIVATIONS, "which motivation?", offers, closed=closed, budget=left, own_words=True)
        ).id
        if word[:1] not in "+-" or " " in word or len(word) < 2:
            raise IllegalActionError(f'"{word}" is not + or - and one word', rule=rule)
        chosen = (*chosen, word)
    return made.changed(motivations=chosen)


# ---------------------------------------------------------------------- things


def acquired(belongings: Belongings, item: str, count: int, library: Library) -> Belongings:
    """With something new among the belongings, worn or in hand where there is room for it."""
    found = items(library)[item]
    for _ in range(min(count, 2)):
        belongings = add_item(belongings, item, 1, place_for(found, belongings, library) or PACK)
    return add_item(belongings, item, count - 2) if count > 2 else belongings


def _stowed(given: Iterable[str], bought: Iterable[tuple[str, int]], library: Library) -> Belongings:
    belongings: Belongings = ()
    for item in given:
        belongings = acquired(belongings, item, 1, library)
    known = items(library)
    in_order = sorted(bought, key=lambda one: _is_bottle(known[one[0]]))  # hands are for real weapons first
    for item, count in in_order:
        belongings = acquired(belongings, item, count, library)
    return belongings


def _is_bottle(item: Item) -> bool:
    return isinstance(item, Weapon) and item.used_up
