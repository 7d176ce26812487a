"""Making a character: language, aptitudes, race, tweak points, background, creation points, motivations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from tablewright.engine import Closed, Param, process
from tablewright.errors import RulesSayNo
from tablewright.game.belongings import Belongings, add
from tablewright.game.content import Library
from tablewright.game.creation import DONE, Budget, Offer, Step, pick
from tablewright.game.scene import Live
from tablewright.systems.renaissance.character.costs import (
    COMMON,
    free_luck,
    free_ranks,
    native_key,
    spent_on,
)
from tablewright.systems.renaissance.character.figures import key_of, skill_name
from tablewright.systems.renaissance.character.legality import (
    LEAST_APTITUDE,
    LOWERED,
    MOST_APTITUDE,
    RAISED,
    TWEAKS,
    is_among,
    least_spent,
    start_of,
)
from tablewright.systems.renaissance.character.record import PACK, RenaissanceCharacter
from tablewright.systems.renaissance.character.shopping import apply_purchase, detail_of, purchases, suggested_fields
from tablewright.systems.renaissance.character.wearing import items, place_for
from tablewright.systems.renaissance.content import (
    APTITUDES,
    Background,
    Choice,
    FormFeature,
    Language,
    Power,
    Race,
    Skill,
)
from tablewright.systems.renaissance.grants import Shape
from tablewright.systems.renaissance.options import RenaissanceOptions

FREE, SET = Step("free", "What is free"), Step("aptitudes", "Aptitudes")
RACE, TWEAK = Step("race", "Race"), Step("tweaks", "Tweak points")
BACKGROUND, POINTS = Step("background", "Background"), Step("points", "Creation points")
MOTIVATIONS = Step("motivations", "Motivations")

MOST_BODY = 50
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
    game: Live,
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
    points = 450 if kind == "follower" else 800  # renaissance.gap.creation.npcs
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
    return _equipped(made, library)


def _shown(made: RenaissanceCharacter, library: Library) -> dict[str, Any]:
    """What people see of the character so far."""
    skills = {skill_name(key, library): ranks for key, ranks in made.skills.items()}
    return {"race": made.race, "background": made.background, "skills": skills, "luck": made.luck}


# ---------------------------------------------------------------------- language and aptitudes


async def _native(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.free"
    spoken = {group for race in library.of(Race) if race.playable for group in race.groups}
    offers = [Offer(one.id, one.name, rule=rule) for one in library.of(Language) if one.group in spoken]
    native = (await pick(FREE, "which native language?", offers)).id
    made = made.changed(native=native)
    return made.changed(skills=made.skills.put(native_key(made), 60).put(COMMON, 10))


def _races(made: RenaissanceCharacter, library: Library) -> Iterator[tuple[Race, str]]:
    """The races that can be played, each with the reason why it is closed."""
    group = library.get(Language, made.native).group
    for race in library.of(Race):
        if not race.playable:
            continue
        values = {name: getattr(made.aptitudes, name) + race.aptitudes.get(name, 0) for name in APTITUDES}
        over = [name for name in APTITUDES if values[name] > MOST_APTITUDE]
        under = [name for name in APTITUDES if values[name] < LEAST_APTITUDE]
        if group not in race.groups:
            yield race, f"cannot pronounce {made.native}"
        elif over:
            yield race, f"{over[0]} would be above {MOST_APTITUDE}"
        elif under:
            yield race, f"{under[0]} would be below {LEAST_APTITUDE}"
        else:
            yield race, ""


def _fits(made: RenaissanceCharacter, values: Mapping[str, int], library: Library) -> RenaissanceCharacter | None:
    """The character with other aptitudes, where some race would fit them."""
    if min(values.values()) < 0:
        return None
    then = made.changed(aptitudes=made.aptitudes.changed(**values))
    return then if any(not reason for _, reason in _races(then, library)) else None


async def _transfers(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.aptitudes"
    while True:
        values: dict[str, int] = {name: getattr(made.aptitudes, name) for name in APTITUDES}
        able = [name for name in APTITUDES if _fits(made, values | {name: values[name] - 1}, library)]
        closed = [Closed(name, f"{values[name]} is the least", rule) for name in APTITUDES if name not in able]
        offers = [Offer(name, f"lower {name}", note=f"now {values[name]}", rule=rule) for name in able]
        lower = await pick(SET, "lower which aptitude to raise another?", [*offers, DONE], closed=closed, shown=values)
        if lower is DONE:
            return made
        raised: list[Offer] = []
        shut: list[Closed] = []
        for name in APTITUDES:
            for by in (5, 1):
                id_ = f"{name}+{by}"
                if name == lower.id:
                    shut.append(Closed(id_, "is the one that is lowered", rule))
                elif values[name] + by > MOST_APTITUDE:
                    shut.append(Closed(id_, f"{MOST_APTITUDE} is the most", "renaissance.gap.creation.limits"))
                else:
                    then = _fits(made, values | {name: values[name] + by, lower.id: values[lower.id] - by}, library)
                    if then is None:
                        shut.append(Closed(id_, "no race would fit", "renaissance.gap.creation.limits"))
                    else:
                        raised.append(Offer(id_, f"{name} +{by}, {lower.id} -{by}", rule=rule, value=then))
        if not raised:  # everything else is full
            continue
        made = (await pick(SET, "raise which?", raised, closed=shut, shown=values)).value


async def _race(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.character.race"
    closed = [Closed(race.id, reason, rule) for race, reason in _races(made, library) if reason]
    offers = [Offer(race.id, race.name, rule=rule, value=race) for race, _ in _races(made, library)]
    race: Race = (await pick(RACE, "which race?", offers, closed=closed)).value
    made = made.changed(race=race.id)
    picks = sum([grant.picks for grant in race.grants if isinstance(grant, Shape)])
    for _ in range(picks):
        rule = "renaissance.gap.race.shifter"
        closed = [Closed(id_, "is chosen already", rule) for id_ in made.features]
        features = [Offer(one.id, one.name, rule=rule) for one in library.of(FormFeature)]
        chosen = await pick(RACE, "which feature has the hybrid form?", features, closed=closed)
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
        offers: list[Offer] = []
        closed: list[Closed] = []
        for name, value in values.items():
            most = MOST_APTITUDE if name in APTITUDES else MOST_BODY
            for by in (5, 1):
                id_ = f"{name}+{by}"
                if value + by > most:
                    closed.append(Closed(id_, f"{most} is the most", "renaissance.gap.creation.limits"))
                else:
                    offers.append(Offer(id_, f"{name} +{by}", by, f"now {value}", rule, (name, by)))
        taken = await pick(TWEAK, "raise what?", offers, budget=budget, closed=closed, shown=values)
        name, by = taken.value
        made = made.changed(tweaks=made.tweaks.put(name, made.tweaks.get(name, 0) + by))
        budget = budget.spend(by)
    return made


async def _lowered(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.aptitude_method"
    budget = Budget("points to take away", LOWERED, 0, rule)
    while budget.left:
        values: dict[str, int] = {name: _value(made, name, library) for name in APTITUDES}
        closed = [Closed(n, f"{LEAST_APTITUDE} is the least", rule) for n in APTITUDES if values[n] <= LEAST_APTITUDE]
        offers = [Offer(name, f"{name} -1", 1, f"now {values[name]}", rule) for name in APTITUDES]
        taken = await pick(TWEAK, "lower what?", offers, budget=budget, closed=closed, shown=values)
        made = made.changed(lowered=made.lowered.put(taken.id, made.lowered.get(taken.id, 0) + 1))
        budget = budget.spend(1)
    return made


# ---------------------------------------------------------------------- background


async def _background(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.background"
    entries = library.of(Background)
    shut = [one for one in entries if one.races and made.race not in one.races]
    closed = [Closed(one.id, f"is for {', '.join(one.races)}", rule) for one in shut]
    offers = [Offer(one.id, one.name, rule=rule, value=one) for one in entries]
    background: Background = (await pick(BACKGROUND, "which background?", offers, closed=closed)).value
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
        sets = [Offer("+".join(things), ", ".join(things), rule=rule, value=things) for things in background.things]
        things = (await pick(BACKGROUND, "which things?", sets)).value
        made = made.changed(background_things=things)
    return made


async def _background_skill(
    made: RenaissanceCharacter, background: Background, choice: Choice, library: Library
) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.background"
    taken = [*background.skills, *made.background_skills]
    named = [key for key in choice.skills if ":" in key]
    offers: list[Offer] = []
    closed: list[Closed] = []
    for key in named or library.ids(Skill):
        if key in taken:
            closed.append(Closed(key, "has its ranks already", rule))
        elif not is_among(key, choice, library):
            closed.append(Closed(key, "cannot be chosen here", rule))
        else:
            offers.append(Offer(key, f"{skill_name(key, library)} +{choice.ranks}", rule=rule))
    question = f"which skill gets {choice.ranks} ranks?"
    key = (await pick(BACKGROUND, question, offers, closed=closed)).id
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
    offers = [Offer(name, name.replace("_", " ").title(), rule=rule) for name in names if name not in used]
    closed = [Closed(name, "is known already", rule) for name in used]
    field = await pick(step, f"which field of {skill.name}?", offers, closed=closed, own_words=True)
    return key_of(key, field.id)


async def _background_power(
    made: RenaissanceCharacter, background: Background, library: Library
) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.background"
    offers: list[Offer] = []
    closed: list[Closed] = []
    for power in library.of(Power):
        if power.granted_by is not None or not set(power.kinds) & set(background.powers):
            closed.append(Closed(power.id, "is no spell and no sleight", rule))
        else:
            offers.append(Offer(power.id, power.name, rule=rule))
    power_id = (await pick(BACKGROUND, "which power?", offers, closed=closed)).id
    return made.changed(background_power=power_id, powers=(power_id,))


# ---------------------------------------------------------------------- creation points


async def _spend(made: RenaissanceCharacter, library: Library, options: RenaissanceOptions) -> RenaissanceCharacter:
    rule = "renaissance.gap.creation.points"
    budget = Budget("creation points", made.points, 0, rule)
    while budget.left > 0:
        combat, other = _still_needed(made, library, options)
        offers, closed = [], []
        spare = budget.left - combat - other
        for one in purchases(made, library):
            if isinstance(one, Closed):
                closed.append(one)
                continue
            if one.cost > spare and not _helps(one, spare, combat, other, library, options):
                reason = f"{combat} points more on Combat skills and {other} on others are needed"
                closed.append(Closed(one.id, reason, "renaissance.gap.creation.limits"))
            else:
                offers.append(one)
        if combat or other:
            closed.append(Closed(DONE.id, f"{combat} more on Combat skills, {other} on others", rule))
        else:
            offers.append(DONE)
        question = "spend creation points on what?"
        taken = await pick(POINTS, question, offers, budget=budget, closed=closed, shown=_shown(made, library))
        if taken is DONE:
            break
        bought = await detail_of(POINTS, taken.value, made, library, field_of)
        made = apply_purchase(made, bought)
        budget = budget.spend(taken.cost)
    return made


def _helps(offer: Offer, spare: int, combat: int, other: int, library: Library, options: RenaissanceOptions) -> bool:
    """Whether something that costs more than can be spared goes into the skills that points are kept for."""
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
        closed = [Closed(word, "is one of them already", rule) for word in chosen]
        offers = [Offer(word, rule=rule) for word in SUGGESTED]
        left = Budget("motivations", 3, len(chosen), rule)
        word = (await pick(MOTIVATIONS, "which motivation?", offers, closed=closed, budget=left, own_words=True)).id
        if word[:1] not in "+-" or " " in word or len(word) < 2:
            raise RulesSayNo(f'"{word}" is not + or - and one word', rule=rule)
        chosen = (*chosen, word)
    return made.changed(motivations=chosen)


# ---------------------------------------------------------------------- things


def acquired(belongings: Belongings, item: str, count: int, library: Library) -> Belongings:
    """With something new among the belongings, worn or in hand where there is room for it."""
    found = items(library)[item]
    for _ in range(min(count, 2)):
        belongings = add(belongings, item, 1, place_for(found, belongings, library) or PACK)
    return add(belongings, item, count - 2) if count > 2 else belongings


def _equipped(made: RenaissanceCharacter, library: Library) -> RenaissanceCharacter:
    """The character with everything that was bought or given, worn and in hand as far as it goes."""
    belongings: Belongings = ()
    for item in made.background_things:
        belongings = acquired(belongings, item, 1, library)
    for item, count in made.bought.items():
        belongings = acquired(belongings, item, count, library)
    return made.changed(belongings=belongings)
