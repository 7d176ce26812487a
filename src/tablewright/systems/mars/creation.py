"""Steps of character creation.

A character made so from beginning to end: mars.gap.character.reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations
from typing import Annotated, Any

from tablewright.engine import ClosedOption, Param, process
from tablewright.game.character.belongings import Belongings, add_item
from tablewright.game.character.character import Frozen
from tablewright.game.character.creation import DONE, Budget, CreationOption, CreationWarning, Step, choose_step
from tablewright.game.content.library import Library
from tablewright.game.play.trade import in_figures
from tablewright.game.scene.game import Game
from tablewright.game.values import Ranks
from tablewright.systems.mars import content
from tablewright.systems.mars.character import figures
from tablewright.systems.mars.character.gear import item, items, natural_place
from tablewright.systems.mars.character.record import PACK, WORN, MarsCharacter, OwnTrait, Stats
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
    """A character in the making: the choices so far."""

    library: Library
    name: str
    ancestry: content.Ancestry | None = None
    size: str = "medium"
    ancestry_stats: tuple[content.Stat, ...] = ()
    ancestry_skill: str = ""
    native: tuple[str, ...] = ()
    background: content.Background | None = None
    background_skills: tuple[str, ...] = ()
    archetype: content.Archetype | None = None
    archetype_skills: tuple[str, ...] = ()
    archetype_spread: tuple[int, ...] = ()
    archetype_talents: tuple[str, ...] = ()
    skills: dict[str, int] = field(default_factory=dict)
    talents: dict[str, int] = field(default_factory=dict)
    maneuvers: tuple[str, ...] = ()

    def shown(self) -> dict[str, Any]:
        """The character so far, as details of a question."""
        chosen = {"ancestry": self.ancestry, "background": self.background, "archetype": self.archetype}
        plain: dict[str, Any] = {name: entry.name for name, entry in chosen.items() if entry}
        if self.ancestry:
            plain["size"] = self.size.replace("_", " ")
            plain["languages"] = [name.title() for name in self.native]
            bonuses = {name: bonus for name in content.STATS if (bonus := self.bonus_on(name))}
            plain["stats"] = {name: f"{bonus:+d}" for name, bonus in bonuses.items()}
        if self.skills:
            plain["skills"] = {name: f"r{value}" for name, value in self.skills.items()}
        if self.maneuvers:
            plain["maneuvers"] = list(self.maneuvers)
        return plain

    def bonus_on(self, name: content.Stat) -> int:
        """Bonus of ancestry and size to a stat."""
        return sum(value for _, value, _ in figures.stat_parts(self.character(), name, self.library))

    def character(self, assigned: Sequence[int] = ARRAY) -> MarsCharacter:
        """The character with the starting stats assigned in the order STR, DEX, INT, RES."""
        stats = dict(zip(content.STATS, [RollValue(value) for value in assigned], strict=True))
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


def unmet(needs: content.Needs, character: MarsCharacter, library: Library, *, skills: bool = True) -> Iterator[str]:
    """Unmet parts of a requirement in words."""
    maxima = {name: figures.stat(character, name, library).maximum for name in content.STATS if name in needs.stats}
    missing = [f"{name} {needs.stats[name]}, it is {most}" for name, most in maxima.items() if most < needs.stats[name]]
    if needs.any_stat and len(missing) < len(needs.stats):
        missing = []
    if needs.any_stat and missing:
        missing = [" or ".join(missing)]
    yield from [f"needs maximum {each}" for each in missing]
    if not skills:
        return
    for skill_id in needs.skills:
        if not figures.is_trained(character, skill_id):
            yield f"needs training in {skill_id}"
    if needs.combat_skill and not any(figures.is_trained(character, one) for one in content.COMBAT_SKILLS):
        yield "needs training in a combat skill"


def assignments() -> Iterator[tuple[int, ...]]:
    """Every way to give out the starting values, each once."""
    yield from dict.fromkeys(permutations(ARRAY))


def possible(draft: Draft, every: Iterable[content.Needs], given: dict[content.Stat, int] | None = None) -> bool:
    """True if some way to give out the starting values meets every requirement."""
    wanted = list(every)
    for assigned in assignments():
        if any(assigned[content.STATS.index(name)] != value for name, value in (given or {}).items()):
            continue
        character = draft.character(assigned)
        if not any(list(unmet(needs, character, draft.library, skills=False)) for needs in wanted):
            return True
    return False


def all_needs(draft: Draft) -> list[content.Needs]:
    """Requirements of the archetype and its talents."""
    needs = [draft.archetype.needs] if draft.archetype else []
    return needs + [draft.library.get(content.Talent, id_).needs for id_ in draft.talents]


# ---------------------------------------------------------------------- the steps


@process(rules=["mars.character.creation"])
async def create(
    game: Game,
    name: Annotated[str, Param("the character's name")] = "Nobody",
    motivation: Annotated[str, Param("motivation of the character; asked for if empty")] = "",
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
    character = character.changed(motivation=motivation or await _motivation(draft, character))
    return await _equipment(character, library)


async def _ancestry(draft: Draft) -> Draft:
    library, rule = draft.library, "mars.character.ancestry"
    offers = [
        CreationOption(entry.id, entry.name, note=figures.born_with(entry, library), rule=rule, value=entry)
        for entry in library.of(content.Ancestry)
    ]
    ancestry: content.Ancestry = (await choose_step(ANCESTRY, "which ancestry?", offers)).value
    draft = replace(draft, ancestry=ancestry, size=ancestry.sizes[0])
    if len(ancestry.sizes) > 1:
        sizes = [
            CreationOption(size, size.replace("_", " ").title(), note=figures.size_words(size), rule="mars.stat.size")
            for size in ancestry.sizes
        ]
        draft = replace(draft, size=(await choose_step(ANCESTRY, "which size?", sizes, shown=draft.shown())).id)
    for _ in range(ancestry.choose_stats):
        taken = draft.ancestry_stats
        closed = [ClosedOption(name, "has its +1 already", rule) for name in taken]
        stats = [CreationOption(name, f"{name} +1", rule=rule, value=name) for name in content.STATS]
        chosen = await choose_step(ANCESTRY, "which stat gets +1?", stats, closed=closed, shown=draft.shown())
        draft = replace(draft, ancestry_stats=(*taken, chosen.value))
    draft = replace(draft, native=ancestry.languages)
    for _ in range(ancestry.choose_languages):
        closed = [ClosedOption(name, "is known already", "mars.skill.languages") for name in draft.native]
        languages = [CreationOption(name, name.title(), rule="mars.skill.languages") for name in languages_of(library)]
        chosen = await choose_step(ANCESTRY, "which other language?", languages, closed=closed, shown=draft.shown())
        draft = replace(draft, native=(*draft.native, chosen.id))
    return draft


def languages_of(library: Library) -> tuple[str, ...]:
    """The languages that the content names."""
    return tuple(dict.fromkeys([name for entry in library.of(content.Ancestry) for name in entry.languages]))


async def _background(draft: Draft) -> Draft:
    library, rule = draft.library, "mars.character.background"
    offers = [
        CreationOption(entry.id, entry.name, note=content.practised_in(entry, library), rule=rule, value=entry)
        for entry in library.of(content.Background)
    ]
    background: content.Background = (
        await choose_step(BACKGROUND, "which background?", offers, shown=draft.shown())
    ).value
    draft = replace(draft, background=background)
    for _ in range(background.choose):
        closed = [ClosedOption(name, "has its +1 already", rule) for name in draft.background_skills]
        skills = [CreationOption(one.id, f"{one.name} +1", rule=rule) for one in among(background, library)]
        chosen = await choose_step(BACKGROUND, "which skill gets +1?", skills, closed=closed, shown=draft.shown())
        draft = replace(draft, background_skills=(*draft.background_skills, chosen.id))
    if draft.ancestry and any(isinstance(grant, content.SkillChoiceGrant) for grant in draft.ancestry.grants):
        taken = from_background(background, draft.background_skills)
        closed = [ClosedOption(name, "has a bonus from the background", "mars.character.ancestry") for name in taken]
        every = [CreationOption(one.id, f"{one.name} +1") for one in library.of(content.Skill)]
        question = f"which skill gets +1 from being {draft.ancestry.name}?"
        chosen = await choose_step(BACKGROUND, question, every, closed=closed, shown=draft.shown())
        draft = replace(draft, ancestry_skill=chosen.id)
    return draft


def among(background: content.Background, library: Library) -> list[content.Skill]:
    """The skills that a background lets choose from."""
    return [one for one in library.of(content.Skill) if one.group in background.among]


def from_background(background: content.Background, chosen: Iterable[str]) -> tuple[str, ...]:
    """The skills that have a bonus from the background."""
    return tuple(dict.fromkeys([*[name for name, value in background.skills.items() if value], *chosen]))


async def _archetype(draft: Draft) -> Draft:
    library = draft.library
    entries = library.of(content.Archetype)
    shut = [entry for entry in entries if not possible(draft, [entry.needs])]
    closed = [ClosedOption(entry.id, f"no starting stats reach {_reach(entry.needs)}", NEEDS) for entry in shut]
    offers = [
        CreationOption(entry.id, entry.name, note=content.learned_from(entry, library), rule=NEEDS, value=entry)
        for entry in entries
    ]
    archetype: content.Archetype = (
        await choose_step(ARCHETYPE, "which archetype?", offers, closed=closed, shown=draft.shown())
    ).value
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


def _reach(needs: content.Needs) -> str:
    word = " or " if needs.any_stat else " and "
    return word.join([f"{name} {needs.stats[name]}" for name in content.STATS if name in needs.stats])


def _slot(draft: Draft, slot: content.ArchetypeSkill, known: dict[str, int]) -> Any:
    closed = [ClosedOption(name, "is a starting skill already", NEEDS) for name in known]
    offers = [
        CreationOption(name, f"{draft.library.get(content.Skill, name).name} r{slot.value}", rule=NEEDS)
        for name in slot.any_of
    ]
    return choose_step(ARCHETYPE, f"which skill at r{slot.value}?", offers, closed=closed, shown=draft.shown())


async def _custom(draft: Draft) -> Draft:
    assert draft.archetype is not None
    rule = "mars.gap.archetype.custom"
    spreads = {"/".join([f"r{value}" for value in spread]): spread for spread in draft.archetype.spreads}
    taken = await choose_step(
        ARCHETYPE,
        "which roll values?",
        [CreationOption(name, rule=rule, value=spread) for name, spread in spreads.items()],
    )
    spread: tuple[int, ...] = taken.value
    draft = replace(draft, archetype_spread=spread)
    for at, value in enumerate(spread):
        closed = list(_no_room(draft, len(spread) - at))
        offers = [CreationOption(one.id, f"{one.name} r{value}", rule=rule) for one in draft.library.of(content.Skill)]
        chosen = await choose_step(ARCHETYPE, f"which skill at r{value}?", offers, closed=closed, shown=draft.shown())
        draft = replace(
            draft, skills={**draft.skills, chosen.id: value}, archetype_skills=(*draft.archetype_skills, chosen.id)
        )
    budget = Budget("talent points", CUSTOM_TALENTS, 0, rule)
    while budget.left:
        offers = [CreationOption(one.id, one.name, one.cost, rule=rule) for one in draft.library.of(content.Talent)]
        closed = list(_unfit(draft))
        chosen = await choose_step(
            ARCHETYPE, "which talent?", offers, budget=budget, closed=closed, shown=draft.shown()
        )
        budget = budget.spend(chosen.cost)
        draft = replace(
            draft,
            talents={**draft.talents, chosen.id: draft.talents.get(chosen.id, 0) + 1},
            archetype_talents=(*draft.archetype_talents, chosen.id),
        )
    return draft


def _no_room(draft: Draft, left: int) -> Iterator[ClosedOption]:
    """Skills that would leave too few places for the basic and complex ones that are still needed."""
    rule = "mars.gap.archetype.custom"
    groups = [draft.library.get(content.Skill, name).group for name in draft.skills]
    basic, others = groups.count("basic"), len(groups) - groups.count("basic")
    for one in draft.library.of(content.Skill):
        more_basic = basic + (one.group == "basic")
        more_others = others + (one.group != "basic")
        if one.id in draft.skills:
            yield ClosedOption(one.id, "is a starting skill already", rule)
        elif max(0, CUSTOM_BASIC - more_basic) + max(0, CUSTOM_COMPLEX - more_others) > left - 1:
            yield ClosedOption(
                one.id, f"at least {CUSTOM_BASIC} basic and {CUSTOM_COMPLEX} complex skills are needed", rule
            )


def _unfit(draft: Draft) -> Iterator[ClosedOption]:
    """Talents that a custom archetype cannot begin with (mars.gap.archetype.custom)."""
    rule = "mars.talent.requirements"
    for one in draft.library.of(content.Talent):
        skills_missing = [
            text for text in unmet(one.needs, draft.character(), draft.library) if not text.startswith("needs maximum")
        ]
        if one.steps is not None and draft.talents.get(one.id, 0) >= one.steps:
            yield ClosedOption(one.id, "is chosen already", rule)
        elif skills_missing:
            yield ClosedOption(one.id, skills_missing[0], rule)
        elif not possible(draft, [*all_needs(draft), one.needs]):
            yield ClosedOption(one.id, f"no starting stats reach {_reach(one.needs)} as well", rule)


# ---------------------------------------------------------------------- maneuvers


def slots_of(skills: dict[str, int], talents: dict[str, int], library: Library) -> list[tuple[str, ...]]:
    """For every maneuver that may be known the combat skills it may be learned with."""
    slots: list[tuple[str, ...]] = []
    for one in content.COMBAT_SKILLS:
        slots += [(one,)] * figures.maneuvers_of_skill(skills.get(one, 0))
    trained = tuple([one for one in content.COMBAT_SKILLS if skills.get(one, 0) >= 4])
    for id_, steps in talents.items():
        for grant in library.get(content.Talent, id_).grants:
            if isinstance(grant, content.ManeuversGrant):
                slots += [trained] * (grant.number * steps)
    return slots


async def _maneuvers(draft: Draft) -> Draft:
    rule = "mars.maneuver.number_known"
    slots = slots_of(draft.skills, draft.talents, draft.library)
    for at, able in enumerate(slots):
        words = " or ".join(able)
        offers, closed = [], []
        for one in draft.library.of(content.Maneuver):
            if one.id in draft.maneuvers:
                closed.append(ClosedOption(one.id, "is known already", rule))
            elif not set(able) & set(one.skills):
                skills = ", ".join([draft.library.get(content.Skill, name).name for name in one.skills])
                closed.append(ClosedOption(one.id, f"is learned with {skills}", "mars.maneuver.overview"))
            else:
                offers.append(CreationOption(one.id, one.name, note=f"{one.stamina} stamina, {one.speed}", rule=rule))
        if not offers:  # everything is known
            break
        left = Budget("maneuvers", len(slots), at, rule)
        question = f"which maneuver of {words}?"
        chosen = await choose_step(ARCHETYPE, question, offers, closed=closed, budget=left, shown=draft.shown())
        draft = replace(draft, maneuvers=(*draft.maneuvers, chosen.id))
    return draft


# ---------------------------------------------------------------------- trait, stats, motivation


async def _trait(draft: Draft, text: str) -> OwnTrait:
    if text:
        return OwnTrait(name="Trait", text=text)
    rule = "mars.character.trait"
    offers = [CreationOption(one.id, one.name, note=one.text, rule=rule) for one in draft.library.of(content.Trait)]
    chosen = await choose_step(TRAIT, "which trait?", offers, shown=draft.shown(), own_words=True)
    if draft.library.has(content.Trait, chosen.id):
        return OwnTrait(id=chosen.id)
    return OwnTrait(name="Trait", text=chosen.id)


async def _starting_stats(draft: Draft) -> MarsCharacter:
    rule = "mars.character.starting_stats"
    given: dict[content.Stat, int] = {}
    for value in (max(ARRAY), min(ARRAY)):
        closed = [ClosedOption(name, "is assigned already", rule) for name in given]
        closed += [
            ClosedOption(name, _why_not(draft), NEEDS)
            for name in content.STATS
            if name not in given and not possible(draft, all_needs(draft), {**given, name: value})
        ]
        served = {name: ", ".join(figures.served_by(name, draft.library)) for name in content.STATS}
        offers = [
            CreationOption(name, f"{name} r{value}", note=served[name], rule=rule, value=name) for name in content.STATS
        ]
        question = f"which stat starts at r{value}?"
        shown = draft.shown()
        shown["stats"] |= {name: str(RollValue(known, draft.bonus_on(name))) for name, known in given.items()}
        chosen = await choose_step(STARTING_STATS, question, offers, closed=closed, shown=shown)
        given = {**given, chosen.value: value}
    middle = sorted(ARRAY)[1]
    return draft.character([given.get(name, middle) for name in content.STATS])


def _why_not(draft: Draft) -> str:
    reach = [_reach(needs) for needs in all_needs(draft) if needs.stats]
    return f"{draft.archetype.name if draft.archetype else 'it'} needs {', '.join(dict.fromkeys(reach))}"


async def _motivation(draft: Draft, character: MarsCharacter) -> str:
    rule = "mars.character.motivation"
    offers = [CreationOption(id_, text, rule=rule, value=text) for id_, text in MOTIVATIONS.items()]
    shown = draft.shown() | {
        "stats": {name: str(figures.stat(character, name, draft.library).value) for name in content.STATS}
    }
    shown["resources"] = {
        name: figures.maximum(character, name, draft.library).total for name in figures.RESOURCE_STATS
    }
    chosen = await choose_step(MOTIVATION, "what drives the character?", offers, shown=shown, own_words=True)
    text: str = chosen.value
    return text


# ---------------------------------------------------------------------- equipment


def starting_kit(library: Library) -> Belongings:
    """Free starting kit of every character."""
    kit: Belongings = ()
    for one in library.of(content.Gear):
        if one.free:
            place = WORN if one.id in ("clothes", "belt", "boots", "gloves") else PACK
            kit = add_item(kit, one.id, one.free, place, rule="mars.gap.equipment.starting_kit")
    return kit


def on_sale(library: Library) -> list[tuple[content.Item, int]]:
    """Items for sale with prices in tenths of a unit of money; ammunition comes in bundles."""
    return [(one, int(one.price * TENTHS)) for one in items(library).values() if one.price]


async def _equipment(character: MarsCharacter, library: Library) -> MarsCharacter:
    rule = "mars.equipment.starting_money"
    money = Budget("money", STARTING_MONEY * TENTHS, 0, rule, parts=TENTHS)
    belongings: Belongings = ()
    while True:
        room = (
            figures.capacity(character, library).total
            - figures.load_carried((*belongings, *starting_kit(library)), library).total
        )
        shopping = _Shopping(character, library, belongings, money.left, room)
        offers = [_for_sale(one, price, unwise=not shopping.is_wise(one, price)) for one, price in on_sale(library)]
        done = replace(DONE, unwise=not shopping.is_armed, warnings=shopping.warnings)
        shown = {"belongings": [carried.told(item(carried.item, library).name) for carried in belongings]}
        chosen = await choose_step(EQUIPMENT, "buy what?", [*offers, done], budget=money, shown=shown)
        if chosen.id == DONE.id:
            break
        money = money.spend(chosen.cost)
        belongings = acquired(belongings, chosen.id, library)
    belongings = (*belongings, *starting_kit(library))
    return character.changed(belongings=belongings, money=Fraction(money.left, TENTHS))


def _for_sale(one: content.Item, price: int, *, unwise: bool = False) -> CreationOption:
    label = f"{one.name} ({one.bundle})" if one.bundle > 1 else one.name
    note = f"{in_figures(Fraction(price, TENTHS))} money"
    return CreationOption(one.id, label, price, note, rule="mars.equipment.availability", unwise=unwise)


@dataclass(frozen=True, slots=True)
class _Shopping:
    """A character with some money left; it sensibly buys a weapon of its own skill and ammunition first."""

    character: MarsCharacter
    library: Library
    belongings: Belongings
    left: int
    room: int  # grams that can still be carried easily

    @property
    def _skills(self) -> set[str]:
        return {skill for skill in content.COMBAT_SKILLS if figures.is_trained(self.character, skill)}

    @property
    def _weapons(self) -> list[content.Weapon]:
        owned = [item(carried.item, self.library) for carried in self.belongings]
        return [one for one in owned if isinstance(one, content.Weapon)]

    @property
    def _ammunition_missing(self) -> list[str]:
        owned = [carried.item for carried in self.belongings]
        return [one.ammunition for one in self._weapons if one.ammunition and one.ammunition not in owned]

    @property
    def is_armed(self) -> bool:
        """True if the character has a weapon of a skill that it is trained in, with ammunition."""
        own = self._skills
        trained = any(own & set(one.skills) for one in self._weapons)
        return not self._ammunition_missing and (trained or not own or "unarmed" in own)

    @property
    def warnings(self) -> tuple[CreationWarning, ...]:
        """Reasons not to end the purchases yet; none if the character is armed."""
        missing = [item(one, self.library).name.lower() for one in self._ammunition_missing]
        if missing:
            return (CreationWarning(f"You have nothing to shoot: no {missing[0]}."),)
        return () if self.is_armed else (CreationWarning("You have no weapon that you are trained with."),)

    def is_wise(self, one: content.Item, price: int) -> bool:
        """True if the character can use an item well, and carry it."""
        if figures.grams(one.id, self.library) * one.bundle > self.room:
            return False
        if self._ammunition_missing:
            return one.id in self._ammunition_missing
        if isinstance(one, content.Weapon):
            return self._is_wise_weapon(one, price)
        if isinstance(one, content.Ammunition) or not self.is_armed:
            return False
        if isinstance(one, content.Armour):
            strong = figures.stat(self.character, "STR", self.library).maximum >= one.strength
            return strong and natural_place(self.belongings, one, self.library) != PACK
        return not (isinstance(one, content.Gear) and one.free) and all(
            known.item != one.id for known in self.belongings
        )

    def _is_wise_weapon(self, one: content.Weapon, price: int) -> bool:
        owned = [carried.item for carried in self.belongings]
        ammunition = item(one.ammunition, self.library).price if one.ammunition and one.ammunition not in owned else 0
        if price + int((ammunition or 0) * TENTHS) > self.left:
            return False
        suits = bool(self._skills & set(one.skills))
        if not self.is_armed or one.id in owned:
            return suits and not self.is_armed
        return (suits or one.basic) and natural_place(self.belongings, one, self.library) != PACK


def acquired(belongings: Belongings, item_id: str, library: Library, count: int | None = None) -> Belongings:
    """With something new among the belongings, worn or in hand where there is room for it."""
    found = item(item_id, library)
    number = found.bundle if count is None else count
    holds = _held_when_new(found)
    for _ in range(number if number <= 2 else 0):
        belongings = add_item(belongings, item_id, 1, natural_place(belongings, found, library), left=holds)
    return add_item(belongings, item_id, number, PACK, left=holds) if number > 2 else belongings


def _held_when_new(found: content.Item) -> int | None:
    """A shield is whole, a weapon that must be loaded is empty."""
    if isinstance(found, content.Armour):
        return found.durability
    return 0 if isinstance(found, content.Weapon) and found.features.reload else None
