"""Making a character: ancestry, background, archetype, trait, starting stats, motivation, equipment.

A character made so from beginning to end: mars.gap.character.reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations
from typing import Annotated, Any

from tablewright.engine import Closed, Param, process
from tablewright.game.belongings import Belongings, add
from tablewright.game.character import Frozen, Ranks
from tablewright.game.content import Library
from tablewright.game.creation import DONE, Budget, Offer, Step, pick
from tablewright.game.scene import Live
from tablewright.game.trading import in_figures
from tablewright.systems.mars.character.figures import is_trained, maneuvers_of_skill, stat
from tablewright.systems.mars.character.placing import natural_place
from tablewright.systems.mars.character.record import PACK, WORN, MarsCharacter, OwnTrait, Stats
from tablewright.systems.mars.character.wearing import item, items
from tablewright.systems.mars.content import (
    COMBAT_SKILLS,
    STATS,
    Ancestry,
    Archetype,
    ArchetypeSkill,
    Armour,
    Background,
    Gear,
    Item,
    Maneuver,
    ManeuversGrant,
    Needs,
    Skill,
    SkillChoiceGrant,
    Stat,
    Talent,
    Trait,
    Weapon,
)
from tablewright.systems.mars.values import RollValue

ARRAY = (12, 10, 10, 8)  # mars.character.starting_stats
STARTING_MONEY = 50  # mars.equipment.starting_money
TENTHS = 10
CUSTOM_TALENTS = 8  # one talent of 8 or two of 4
CUSTOM_BASIC, CUSTOM_COMPLEX = 2, 2

ANCESTRY, BACKGROUND = Step("ancestry", "Ancestry"), Step("background", "Background")
ARCHETYPE, TRAIT = Step("archetype", "Archetype"), Step("trait", "Trait")
STARTING_STATS, MOTIVATION = Step("starting_stats", "Starting stats"), Step("motivation", "Motivation")
EQUIPMENT = Step("equipment", "Equipment")
STEPS = (ANCESTRY, BACKGROUND, ARCHETYPE, TRAIT, STARTING_STATS, MOTIVATION, EQUIPMENT)

MOTIVATIONS = {
    "protect": "To protect the weak from the powerful.",
    "find": "To find a relative who was lost.",
    "avenge": "To avenge a death.",
    "learn": "To learn what nobody knows any more.",
    "home": "To earn a home that nobody can take away.",
}

NEEDS = "mars.character.archetype"


@dataclass(frozen=True, slots=True)
class Draft:
    """A character in the making: what was chosen so far."""

    library: Library
    name: str
    ancestry: Ancestry | None = None
    size: str = "medium"
    ancestry_stats: tuple[Stat, ...] = ()
    ancestry_skill: str = ""
    native: tuple[str, ...] = ()
    background: Background | None = None
    background_skills: tuple[str, ...] = ()
    archetype: Archetype | None = None
    archetype_skills: tuple[str, ...] = ()
    archetype_spread: tuple[int, ...] = ()
    archetype_talents: tuple[str, ...] = ()
    skills: dict[str, int] = field(default_factory=dict)
    talents: dict[str, int] = field(default_factory=dict)
    maneuvers: tuple[str, ...] = ()

    def shown(self) -> dict[str, Any]:
        """The character so far, for whoever is asked."""
        chosen = {"ancestry": self.ancestry, "background": self.background, "archetype": self.archetype}
        plain: dict[str, Any] = {name: entry.name for name, entry in chosen.items() if entry}
        if self.skills:
            plain["skills"] = {name: f"r{value}" for name, value in self.skills.items()}
        if self.maneuvers:
            plain["maneuvers"] = list(self.maneuvers)
        return plain

    def character(self, assigned: Sequence[int] = ARRAY) -> MarsCharacter:
        """The character with the starting stats assigned in the order STR, DEX, INT, RES."""
        stats = dict(zip(STATS, [RollValue(value) for value in assigned], strict=True))
        return MarsCharacter(
            name=self.name,
            ancestry=self.ancestry.id if self.ancestry else "",
            size=self.size,  # type: ignore[arg-type]
            ancestry_stats=self.ancestry_stats,
            ancestry_skill=self.ancestry_skill,
            native=self.native,
            background=self.background.id if self.background else "",
            background_skills=self.background_skills,
            archetype=self.archetype.id if self.archetype else "",
            archetype_skills=self.archetype_skills,
            archetype_spread=self.archetype_spread,
            archetype_talents=self.archetype_talents,
            skills=Frozen({name: RollValue(value) for name, value in self.skills.items()}),
            talents=Ranks(self.talents),
            maneuvers=self.maneuvers,
            stats=Stats(**stats),
        )


# ---------------------------------------------------------------------- what is needed


def unmet(needs: Needs, character: MarsCharacter, library: Library, *, skills: bool = True) -> Iterator[str]:
    """What is missing for a requirement, in words; nothing where all is there."""
    maxima = {name: stat(character, name, library).maximum for name in STATS if name in needs.stats}
    missing = [f"{name} {needs.stats[name]}, it is {most}" for name, most in maxima.items() if most < needs.stats[name]]
    if needs.any_stat and len(missing) < len(needs.stats):
        missing = []
    if needs.any_stat and missing:
        missing = [" or ".join(missing)]
    yield from [f"needs maximum {each}" for each in missing]
    if not skills:
        return
    for skill_id in needs.skills:
        if not is_trained(character, skill_id):
            yield f"needs training in {skill_id}"
    if needs.combat_skill and not any(is_trained(character, one) for one in COMBAT_SKILLS):
        yield "needs training in a combat skill"


def assignments() -> Iterator[tuple[int, ...]]:
    """Every way to give out the starting values, each once."""
    yield from dict.fromkeys(permutations(ARRAY))


def possible(draft: Draft, every: Iterable[Needs], given: dict[Stat, int] | None = None) -> bool:
    """Whether some way to give out the starting values meets every requirement."""
    wanted = list(every)
    for assigned in assignments():
        if any(assigned[STATS.index(name)] != value for name, value in (given or {}).items()):
            continue
        character = draft.character(assigned)
        if not any(list(unmet(needs, character, draft.library, skills=False)) for needs in wanted):
            return True
    return False


def all_needs(draft: Draft) -> list[Needs]:
    """What the archetype and its talents require."""
    needs = [draft.archetype.needs] if draft.archetype else []
    return needs + [draft.library.get(Talent, id_).needs for id_ in draft.talents]


# ---------------------------------------------------------------------- the steps


@process(rules=["mars.character.creation"])
async def create(
    game: Live,
    name: Annotated[str, Param("the character's name")] = "Nobody",
    motivation: Annotated[str, Param("what drives the character; without it one is asked for")] = "",
    trait: Annotated[str, Param("a trait in your own words; without it one is asked for")] = "",
) -> MarsCharacter:
    """Make a character: ancestry, background, archetype, trait, starting stats, motivation, equipment."""
    library: Library = game.scene.library
    draft = await _ancestry(Draft(library, name))
    draft = await _background(draft)
    draft = await _archetype(draft)
    draft = await _maneuvers(draft)
    own = await _trait(draft, trait)
    character = (await _starting_stats(draft)).changed(traits=(own,))
    character = character.changed(motivation=motivation or await _motivation(draft))
    return await _equipment(character, library)


async def _ancestry(draft: Draft) -> Draft:
    library, rule = draft.library, "mars.character.ancestry"
    offers = [Offer(entry.id, entry.name, rule=rule, value=entry) for entry in library.of(Ancestry)]
    ancestry: Ancestry = (await pick(ANCESTRY, "which ancestry?", offers)).value
    draft = replace(draft, ancestry=ancestry, size=ancestry.sizes[0])
    if len(ancestry.sizes) > 1:
        sizes = [Offer(size, size.replace("_", " ").title(), rule="mars.stat.size") for size in ancestry.sizes]
        draft = replace(draft, size=(await pick(ANCESTRY, "which size?", sizes, shown=draft.shown())).id)
    for _ in range(ancestry.choose_stats):
        taken = draft.ancestry_stats
        closed = [Closed(name, "has its +1 already", rule) for name in taken]
        stats = [Offer(name, f"{name} +1", rule=rule, value=name) for name in STATS]
        chosen = await pick(ANCESTRY, "which stat gets +1?", stats, closed=closed, shown=draft.shown())
        draft = replace(draft, ancestry_stats=(*taken, chosen.value))
    draft = replace(draft, native=ancestry.languages)
    for _ in range(ancestry.choose_languages):
        closed = [Closed(name, "is known already", "mars.skill.languages") for name in draft.native]
        languages = [Offer(name, name.title(), rule="mars.skill.languages") for name in languages_of(library)]
        chosen = await pick(ANCESTRY, "which other language?", languages, closed=closed, shown=draft.shown())
        draft = replace(draft, native=(*draft.native, chosen.id))
    return draft


def languages_of(library: Library) -> tuple[str, ...]:
    """The languages that the content names."""
    return tuple(dict.fromkeys([name for entry in library.of(Ancestry) for name in entry.languages]))


async def _background(draft: Draft) -> Draft:
    library, rule = draft.library, "mars.character.background"
    offers = [Offer(entry.id, entry.name, rule=rule, value=entry) for entry in library.of(Background)]
    background: Background = (await pick(BACKGROUND, "which background?", offers, shown=draft.shown())).value
    draft = replace(draft, background=background)
    for _ in range(background.choose):
        closed = [Closed(name, "has its +1 already", rule) for name in draft.background_skills]
        skills = [Offer(one.id, f"{one.name} +1", rule=rule) for one in among(background, library)]
        chosen = await pick(BACKGROUND, "which skill gets +1?", skills, closed=closed, shown=draft.shown())
        draft = replace(draft, background_skills=(*draft.background_skills, chosen.id))
    if draft.ancestry and any(isinstance(grant, SkillChoiceGrant) for grant in draft.ancestry.grants):
        taken = from_background(background, draft.background_skills)
        closed = [Closed(name, "has a bonus from the background", "mars.character.ancestry") for name in taken]
        every = [Offer(one.id, f"{one.name} +1") for one in library.of(Skill)]
        question = f"which skill gets +1 from being {draft.ancestry.name}?"
        chosen = await pick(BACKGROUND, question, every, closed=closed, shown=draft.shown())
        draft = replace(draft, ancestry_skill=chosen.id)
    return draft


def among(background: Background, library: Library) -> list[Skill]:
    """The skills that a background lets choose from."""
    return [one for one in library.of(Skill) if one.group in background.among]


def from_background(background: Background, chosen: Iterable[str]) -> tuple[str, ...]:
    """The skills that have a bonus from the background."""
    return tuple(dict.fromkeys([*[name for name, value in background.skills.items() if value], *chosen]))


async def _archetype(draft: Draft) -> Draft:
    library = draft.library
    entries = library.of(Archetype)
    shut = [entry for entry in entries if not possible(draft, [entry.needs])]
    closed = [Closed(entry.id, f"no starting stats reach {_reach(entry.needs)}", NEEDS) for entry in shut]
    offers = [Offer(entry.id, entry.name, rule=NEEDS, value=entry) for entry in entries]
    archetype: Archetype = (await pick(ARCHETYPE, "which archetype?", offers, closed=closed, shown=draft.shown())).value
    draft = replace(draft, archetype=archetype)
    if archetype.custom:
        return await _custom(draft)
    skills: dict[str, int] = {}
    chosen: tuple[str, ...] = ()
    for slot in archetype.skills:
        name = slot.any_of[0]
        if len(slot.any_of) > 1:
            name = (await _slot(draft, slot, skills)).id
            chosen = (*chosen, name)
        skills = {**skills, name: slot.value}
        draft = replace(draft, skills=skills, archetype_skills=chosen)
    return replace(draft, talents=dict(archetype.talents))


def _reach(needs: Needs) -> str:
    word = " or " if needs.any_stat else " and "
    return word.join([f"{name} {needs.stats[name]}" for name in STATS if name in needs.stats])


def _slot(draft: Draft, slot: ArchetypeSkill, known: dict[str, int]) -> Any:
    closed = [Closed(name, "is a starting skill already", NEEDS) for name in known]
    offers = [Offer(name, f"{draft.library.get(Skill, name).name} r{slot.value}", rule=NEEDS) for name in slot.any_of]
    return pick(ARCHETYPE, f"which skill at r{slot.value}?", offers, closed=closed, shown=draft.shown())


async def _custom(draft: Draft) -> Draft:
    assert draft.archetype is not None
    rule = "mars.gap.archetype.custom"
    spreads = {"/".join([f"r{value}" for value in spread]): spread for spread in draft.archetype.spreads}
    taken = await pick(
        ARCHETYPE, "which roll values?", [Offer(name, rule=rule, value=spread) for name, spread in spreads.items()]
    )
    spread: tuple[int, ...] = taken.value
    draft = replace(draft, archetype_spread=spread)
    for at, value in enumerate(spread):
        closed = list(_no_room(draft, len(spread) - at))
        offers = [Offer(one.id, f"{one.name} r{value}", rule=rule) for one in draft.library.of(Skill)]
        chosen = await pick(ARCHETYPE, f"which skill at r{value}?", offers, closed=closed, shown=draft.shown())
        draft = replace(
            draft,
            skills={**draft.skills, chosen.id: value},
            archetype_skills=(*draft.archetype_skills, chosen.id),
        )
    budget = Budget("talent points", CUSTOM_TALENTS, 0, rule)
    while budget.left:
        offers = [Offer(one.id, one.name, one.cost, rule=rule) for one in draft.library.of(Talent)]
        closed = [*_unfit(draft, budget)]
        chosen = await pick(ARCHETYPE, "which talent?", offers, budget=budget, closed=closed, shown=draft.shown())
        budget = budget.spend(chosen.cost)
        draft = replace(
            draft,
            talents={**draft.talents, chosen.id: draft.talents.get(chosen.id, 0) + 1},
            archetype_talents=(*draft.archetype_talents, chosen.id),
        )
    return draft


def _no_room(draft: Draft, left: int) -> Iterator[Closed]:
    """Skills that would leave too few places for the basic and complex ones that are still needed."""
    rule = "mars.gap.archetype.custom"
    groups = [draft.library.get(Skill, name).group for name in draft.skills]
    basic, others = groups.count("basic"), len(groups) - groups.count("basic")
    for one in draft.library.of(Skill):
        more_basic = basic + (one.group == "basic")
        more_others = others + (one.group != "basic")
        if one.id in draft.skills:
            yield Closed(one.id, "is a starting skill already", rule)
        elif max(0, CUSTOM_BASIC - more_basic) + max(0, CUSTOM_COMPLEX - more_others) > left - 1:
            yield Closed(one.id, f"at least {CUSTOM_BASIC} basic and {CUSTOM_COMPLEX} complex skills are needed", rule)


def _unfit(draft: Draft, budget: Budget) -> Iterator[Closed]:
    """The talents that no archetype of one's own can begin with (mars.gap.archetype.custom)."""
    rule = "mars.talent.requirements"
    for one in draft.library.of(Talent):
        skills_missing = [
            text for text in unmet(one.needs, draft.character(), draft.library) if not text.startswith("needs maximum")
        ]
        if one.steps is not None and draft.talents.get(one.id, 0) >= one.steps:
            yield Closed(one.id, "is chosen already", rule)
        elif skills_missing:
            yield Closed(one.id, skills_missing[0], rule)
        elif not possible(draft, [*all_needs(draft), one.needs]):
            yield Closed(one.id, f"no starting stats reach {_reach(one.needs)} as well", rule)


# ---------------------------------------------------------------------- maneuvers


def slots_of(skills: dict[str, int], talents: dict[str, int], library: Library) -> list[tuple[str, ...]]:
    """For every maneuver that may be known the combat skills it may be learned with."""
    slots: list[tuple[str, ...]] = []
    for one in COMBAT_SKILLS:
        slots += [(one,)] * maneuvers_of_skill(skills.get(one, 0))
    trained = tuple([one for one in COMBAT_SKILLS if skills.get(one, 0) >= 4])
    for id_, steps in talents.items():
        for grant in library.get(Talent, id_).grants:
            if isinstance(grant, ManeuversGrant):
                slots += [trained] * (grant.number * steps)
    return slots


async def _maneuvers(draft: Draft) -> Draft:
    rule = "mars.maneuver.number_known"
    slots = slots_of(draft.skills, draft.talents, draft.library)
    for at, able in enumerate(slots):
        words = " or ".join(able)
        offers, closed = [], []
        for one in draft.library.of(Maneuver):
            if one.id in draft.maneuvers:
                closed.append(Closed(one.id, "is known already", rule))
            elif not set(able) & set(one.skills):
                closed.append(Closed(one.id, f"is learned with {', '.join(one.skills)}", "mars.maneuver.overview"))
            else:
                offers.append(Offer(one.id, one.name, note=f"{one.stamina} stamina, {one.speed}", rule=rule))
        if not offers:  # everything is known
            break
        left = Budget("maneuvers", len(slots), at, rule)
        question = f"which maneuver of {words}?"
        chosen = await pick(ARCHETYPE, question, offers, closed=closed, budget=left, shown=draft.shown())
        draft = replace(draft, maneuvers=(*draft.maneuvers, chosen.id))
    return draft


# ---------------------------------------------------------------------- trait, stats, motivation


async def _trait(draft: Draft, text: str) -> OwnTrait:
    if text:
        return OwnTrait(name="Trait", text=text)
    rule = "mars.character.trait"
    offers = [Offer(one.id, one.name, note=one.text, rule=rule) for one in draft.library.of(Trait)]
    chosen = await pick(TRAIT, "which trait?", offers, shown=draft.shown(), own_words=True)
    if draft.library.has(Trait, chosen.id):
        return OwnTrait(id=chosen.id)
    return OwnTrait(name="Trait", text=chosen.id)


async def _starting_stats(draft: Draft) -> MarsCharacter:
    rule = "mars.character.starting_stats"
    given: dict[Stat, int] = {}
    for value in (max(ARRAY), min(ARRAY)):
        closed = [Closed(name, "is assigned already", rule) for name in given]
        closed += [
            Closed(name, _why_not(draft), NEEDS)
            for name in STATS
            if name not in given and not possible(draft, all_needs(draft), {**given, name: value})
        ]
        offers = [Offer(name, f"{name} r{value}", rule=rule, value=name) for name in STATS]
        question = f"which stat starts at r{value}?"
        shown = draft.shown() | {str(name): f"r{known}" for name, known in given.items()}
        chosen = await pick(STARTING_STATS, question, offers, closed=closed, shown=shown)
        given = {**given, chosen.value: value}
    middle = sorted(ARRAY)[1]
    return draft.character([given.get(name, middle) for name in STATS])


def _why_not(draft: Draft) -> str:
    reach = [_reach(needs) for needs in all_needs(draft) if needs.stats]
    return f"{draft.archetype.name if draft.archetype else 'it'} needs {', '.join(dict.fromkeys(reach))}"


async def _motivation(draft: Draft) -> str:
    rule = "mars.character.motivation"
    offers = [Offer(id_, text, rule=rule, value=text) for id_, text in MOTIVATIONS.items()]
    chosen = await pick(MOTIVATION, "what drives the character?", offers, shown=draft.shown(), own_words=True)
    text: str = chosen.value
    return text


# ---------------------------------------------------------------------- equipment


def starting_kit(library: Library) -> Belongings:
    """What every character has for nothing."""
    kit: Belongings = ()
    for one in library.of(Gear):
        if one.free:
            place = WORN if one.id in ("clothes", "belt", "boots", "gloves") else PACK
            kit = add(kit, one.id, one.free, place, rule="mars.gap.equipment.starting_kit")
    return kit


def on_sale(library: Library) -> list[tuple[Item, int]]:
    """What can be bought, with its price in tenths of a unit of money; ammunition comes in bundles."""
    return [(one, int(one.price * TENTHS)) for one in items(library).values() if one.price]


async def _equipment(character: MarsCharacter, library: Library) -> MarsCharacter:
    rule = "mars.equipment.starting_money"
    money = Budget("tenths of money", STARTING_MONEY * TENTHS, 0, rule)
    belongings: Belongings = ()
    while True:
        offers = [_for_sale(one, price) for one, price in on_sale(library)]
        shown = {"belongings": [str(carried) for carried in belongings]}
        chosen = await pick(EQUIPMENT, "buy what?", [*offers, DONE], budget=money, shown=shown)
        if chosen is DONE:
            break
        money = money.spend(chosen.cost)
        belongings = acquired(belongings, chosen.id, library)
    belongings = (*belongings, *starting_kit(library))
    return character.changed(belongings=belongings, money=Fraction(money.left, TENTHS))


def _for_sale(one: Item, price: int) -> Offer:
    label = f"{one.name} ({one.bundle})" if one.bundle > 1 else one.name
    note = f"{in_figures(Fraction(price, TENTHS))} money"
    return Offer(one.id, label, price, note, rule="mars.equipment.availability")


def acquired(belongings: Belongings, item_id: str, library: Library, count: int | None = None) -> Belongings:
    """With something new among the belongings, worn or in hand where there is room for it."""
    found = item(item_id, library)
    number = found.bundle if count is None else count
    holds = _held_when_new(found)
    for _ in range(number if number <= 2 else 0):
        belongings = add(belongings, item_id, 1, natural_place(belongings, found, library), left=holds)
    return add(belongings, item_id, number, PACK, left=holds) if number > 2 else belongings


def _held_when_new(found: Item) -> int | None:
    """A shield is whole, a weapon that must be loaded is empty."""
    if isinstance(found, Armour):
        return found.durability
    return 0 if isinstance(found, Weapon) and found.features.reload else None
