"""Steps of character creation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from tablewright.engine import ClosedOption, Param, Role, process
from tablewright.errors import InvalidInputError
from tablewright.game.character.belongings import Belongings
from tablewright.game.character.character import Frozen
from tablewright.game.character.creation import (
    DONE,
    Budget,
    CreationOption,
    CreationWarning,
    Spread,
    Step,
    choose_step,
    spread,
)
from tablewright.game.content.library import Library
from tablewright.game.narration.phrases import article, small
from tablewright.game.play.trade import in_figures
from tablewright.game.scene.game import Game
from tablewright.game.values import Ranks
from tablewright.systems.opend6.character import costs
from tablewright.systems.opend6.character.figures import items, silver_per_week, total_bonus
from tablewright.systems.opend6.character.gear import acquired
from tablewright.systems.opend6.character.record import Attributes, Method, OpenD6Character, OwnAbility, Specialisation
from tablewright.systems.opend6.content import (
    ATTRIBUTES,
    EXTRANORMAL,
    Ability,
    AbilityEffect,
    Armour,
    Attribute,
    Calling,
    Extranormal,
    Gear,
    InitiativeEffect,
    NeverSurprised,
    ResistanceEffect,
    Skill,
    TotalEffect,
    Weapon,
)
from tablewright.systems.opend6.mechanics.checks import body_points
from tablewright.systems.opend6.values import PIPS_PER_DIE, DieCode

DICE, LIMITS = "opend6.gap.creation.attribute_dice", "opend6.gap.creation.attribute_limits"
SKILL_DICE, SPECIAL = "opend6.gap.creation.skill_dice", "opend6.gap.creation.specialisations"
POINTS, ABILITY_COST = "opend6.gap.creation.points", "opend6.gap.ability.cost"
EQUIPMENT, TEMPLATES = "opend6.gap.creation.equipment", "opend6.gap.creation.templates"
DISADVANTAGES, PRICES = "opend6.gap.creation.disadvantages", "opend6.gap.equipment.prices"

CALLING, ATTRIBUTE_STEP = Step("calling", "Calling"), Step("attributes", "Attributes")
OPTIONS, SPECIALISATIONS = Step("options", "Abilities and the like"), Step("specialisations", "Specialisations")
SKILLS, MORAL_CODE = Step("skills", "Skills"), Step("moral_code", "Moral code")
GEAR, PURCHASES = Step("equipment", "Starting equipment"), Step("purchases", "Purchases")
STEPS = (CALLING, ATTRIBUTE_STEP, OPTIONS, SPECIALISATIONS, SKILLS, MORAL_CODE, GEAR, PURCHASES)

LEAST_DICE = len(ATTRIBUTES)
MOST_RANKS = 3
"""Ranks of one ability that are offered; more are for a file and the game master."""
MOST_SPECIAL_DICE = 100
"""Dice for specialisations that are offered to the very experienced; more are for a file and the game master."""
MOST_LETTERS = 60
MOST_RANK = 10
"""The highest rank of an advantage or disadvantage that is offered."""
ADVANTAGES = {"Contacts": 1, "Fame": 1, "Patron": 2, "Wealth": 1}
FLAWS = {"Debt": 1, "Devotion": 1, "Employed": 1, "Enemy": 2}
MORAL_CODES = {
    "heroic": "Protects innocents, brings evildoers to justice, spares life and property.",
    "order": "Obeys the laws of the realm, and makes others obey them.",
    "kin": "Puts family and friends before everything, strangers or law.",
    "coin": "Keeps every contract to the letter, and works for nobody without one.",
    "faith": "Serves the gods of the temple and harms nothing that is sacred to them.",
}
SUBJECTS = {
    "speaking": "Elvish",
    "cultures": "Elves",
    "melee_combat": "swords",
    "marksmanship": "bows",
    "scholar": "legends",
    "crafting": "smithing",
    "trading": "currency exchange",
    "survival": "forest",
    "healing": "herbs",
    "stealth": "crowds",
}
"""Suggestions of subjects; any other will do."""


SPECIAL_STEPS = (9, 3, 1)


class Chosen(NamedTuple):
    """Attributes in pips, and the Extranormal one, if any."""

    pips: dict[str, int]
    extranormal: Extranormal | None


@process(
    rules=[
        "opend6.gap.creation.attribute_dice",
        "opend6.gap.creation.attribute_limits",
        "opend6.gap.creation.skill_dice",
        "opend6.gap.creation.skill_limits",
        "opend6.gap.creation.specialisations",
        "opend6.gap.creation.points",
        "opend6.gap.creation.disadvantages",
        "opend6.gap.creation.equipment",
        "opend6.gap.creation.experienced",
    ]
)
async def create(
    game: Game,
    name: Annotated[str, Param("the character's name")] = "Nobody",
    years: Annotated[int, Param("years of adventuring behind the character", 0, 50)] = 0,
    part_time_years: Annotated[int, Param("the same, part-time", 0, 50)] = 0,
) -> OpenD6Character:
    """Steps: a calling or free attributes; abilities, specialisations, skills; moral code; equipment; Body Points."""
    library, options = game.scene.library, game.scene.options
    method: Method = options.creation_method
    more = costs.experience(OpenD6Character(name=name, years=years, part_time_years=part_time_years))
    calling = await _calling(library)
    dice, flaws = costs.ATTRIBUTE_DICE, Ranks()
    if method == "creation_points":
        limit = costs.offered_disadvantages(years + part_time_years)
        flaws = await _flaws(limit) if calling is None else flaws
        dice = await _attribute_dice(calling, more.skill_dice + sum(flaws.values()))
    chosen = await _attributes(calling, dice)
    left = _dice_left(method, dice, more.skill_dice) + sum(flaws.values())
    made = OpenD6Character(
        name=name,
        occupation=calling.name if calling else "",
        method=method,
        years=years,
        part_time_years=part_time_years,
        extranormal=chosen.extranormal,
        attributes=Attributes(**{one: DieCode.of_pips(pips) for one, pips in chosen.pips.items()}),
        character_points=costs.CHARACTER_POINTS + more.character_points,
        fate_points=costs.FATE_POINTS + more.fate_points,
        languages=("native",),
        disadvantages=flaws,
    )
    made, left = await _options(made, left, library)
    made, left = await _specialisations(made, left, library)
    made = await _skills(made, left, calling, library)
    made = made.changed(moral_code=await _moral_code())
    made = await _equipment(made, library)
    if options.injury_system != "wounds":
        bonus = total_bonus(made, "physique", library).total
        made = made.changed(body_points=await body_points(made.attributes.physique, bonus))
    return made


def _shown(made: OpenD6Character, library: Library) -> dict[str, Any]:
    """Figures of the character so far, by the parts of the sheet; an empty part is left out."""
    codes: dict[str, Any] = {name: getattr(made.attributes, name) for name in ATTRIBUTES}
    codes |= {made.extranormal: made.attributes.extranormal} if made.extranormal else {}
    flaws = {name: f"rank {rank}" for held in (made.advantages, made.disadvantages) for name, rank in held.items()}
    parts: dict[str, Any] = {
        "attributes": {name: str(code) for name, code in codes.items()},
        "abilities": {one.id: f"rank {one.ranks}" for one in made.abilities} | flaws,
        "specialisations": {
            f"{library.get(Skill, one.skill).name}: {one.subject}": f"+{one.adds}" for one in made.specialisations
        },
        "belongings": [items(library)[one.item].name for one in made.belongings],
    }
    return {name: part for name, part in parts.items() if part}


# ---------------------------------------------------------------------- attributes


async def _calling(library: Library) -> Calling | None:
    offers = [
        CreationOption(one.id, one.name, note=_codes(one), rule=TEMPLATES, value=one) for one in library.of(Calling)
    ]
    own = CreationOption("own", "No calling", note="distribute the attribute dice yourself", rule=DICE)
    taken = await choose_step(CALLING, "which calling?", [*offers, own])
    found: Calling | None = taken.value
    return found


def _codes(calling: Calling) -> str:
    names = [one.capitalize() for one in ATTRIBUTES] + [(calling.extranormal or "").capitalize()]
    codes = [str(DieCode.of_pips(pips)) for pips in calling.attributes]
    return ", ".join([f"{name} {code}" for name, code in zip(names, codes, strict=True) if name])


async def _attribute_dice(calling: Calling | None, more: int) -> int:
    """Number of attribute dice bought with creation points, at four points each."""
    if calling is not None:
        return costs.dice_for(sum(calling.attributes))
    budget = Budget("creation points", costs.CREATION_POINTS + more, 0, POINTS)
    most = budget.total // costs.ATTRIBUTE_DIE
    offers = [
        CreationOption(f"{dice}D", cost=dice * costs.ATTRIBUTE_DIE, value=dice) for dice in range(LEAST_DICE, most + 1)
    ]
    taken = await choose_step(ATTRIBUTE_STEP, "how many attribute dice?", offers, budget=budget)
    found: int = taken.value
    return found


def _dice_left(method: Method, attribute_dice: int, more: int) -> int:
    """The dice that are left for skills and the like."""
    if method == "defined_limits":
        return costs.SKILL_DICE + more
    return costs.CREATION_POINTS + more - attribute_dice * costs.ATTRIBUTE_DIE


async def _attributes(calling: Calling | None, dice: int) -> Chosen:
    if calling is not None:
        names = (*ATTRIBUTES, "extranormal")
        return Chosen(dict(zip(names, calling.attributes, strict=True)), calling.extranormal)
    least, most = costs.LEAST_ATTRIBUTE.in_pips, costs.MOST_ATTRIBUTE.in_pips
    spare = (dice - LEAST_DICE) * PIPS_PER_DIE
    over = max(0, dice * PIPS_PER_DIE - most * LEAST_DICE)  # the rest that fits none of the other groups
    none = CreationOption("none", "No Extranormal attribute", rule=LIMITS)
    kinds = [CreationOption(one, one.capitalize(), rule=LIMITS) for one in EXTRANORMAL]
    closed = [ClosedOption(one.id, "no dice are left for it", LIMITS, one.title) for one in kinds if spare <= 0]
    closed += [ClosedOption(none.id, "the other attributes cannot hold all dice", LIMITS, none.title)] if over else []
    taken = await choose_step(ATTRIBUTE_STEP, "which Extranormal attribute?", [none, *kinds], closed=closed)
    special, kind = 0, None
    if taken is not none:
        kind = next(one for one in EXTRANORMAL if one == taken.id)
        codes = [CreationOption(str(DieCode.of_pips(pips)), value=pips) for pips in range(max(1, over), spare + 1)]
        special = (await choose_step(ATTRIBUTE_STEP, f"how much {taken.title}?", codes)).value
    points = Spread(
        "attribute pips",
        dice * PIPS_PER_DIE - special,
        DICE,
        least=least,
        most=most,
        steps=(3, 1),
        show=lambda _, pips: str(DieCode.of_pips(pips)),
        part="attributes",
    )
    pips = await spread(ATTRIBUTE_STEP, "raise which attribute?", ATTRIBUTES, points)
    return Chosen({**pips, "extranormal": special}, kind)


# ---------------------------------------------------------------------- abilities, advantages, disadvantages


async def _flaws(most: int) -> Ranks:
    """Disadvantages whose creation points can go into attributes."""
    flaws = Ranks()
    while sum(flaws.values()) < most:
        room = min(MOST_RANK, most - sum(flaws.values()))
        budget = Budget("ranks of disadvantages", most, sum(flaws.values()), DISADVANTAGES)
        more = CreationOption("more", "A disadvantage", note="gives a creation point for each rank", rule=DISADVANTAGES)
        taken = await choose_step(ATTRIBUTE_STEP, "disadvantages for more points?", [DONE, more], budget=budget)
        if taken is DONE:
            break
        ranks = [CreationOption(str(rank), f"rank {rank}", -rank, rule=DISADVANTAGES) for rank in range(1, room + 1)]
        name, rank = await with_rank(ATTRIBUTE_STEP, "disadvantage", flaws, ranks)
        flaws = Ranks({**flaws, name: rank})
    return flaws


def unused(suggested: Sequence[str], known: Iterable[str]) -> list[str]:
    """Suggestions that a character does not have yet; there is always one.

    >>> unused(["Debt", "Enemy"], ["Debt"]), unused(["Debt"], ["Debt"])
    (['Enemy'], ['Debt 2'])
    """
    had = list(known)
    return [one for one in suggested if one not in had] or [f"{suggested[0]} {len(had) + 1}"]


async def with_rank(
    step: Step, what: str, held: Iterable[str], ranks: Sequence[CreationOption], seat: Role | str = Role.ACTOR
) -> tuple[str, int]:
    """A self-made advantage or disadvantage, and one of its possible ranks."""
    names = list(held)
    rule = DISADVANTAGES
    closed = [ClosedOption(one, "is there already", rule) for one in names]
    words = list(ADVANTAGES if what == "advantage" else FLAWS)
    offers = [CreationOption(one, rule=rule) for one in unused(words, names)]
    name = (await choose_step(step, f"which {what}?", offers, closed=closed, seat=seat, own_words=True)).id
    return _short(name), int((await choose_step(step, "of which rank?", ranks, seat=seat)).id)


async def _options(made: OpenD6Character, left: int, library: Library) -> tuple[OpenD6Character, int]:
    """Special Abilities, advantages and disadvantages, in dice that skills would have."""
    total = left
    while True:
        budget = Budget("skill dice", total, total - left, SKILL_DICE)
        offers, closed = _option_offers(made, library)
        every, shown = [*offers, DONE], _shown(made, library)
        taken = await choose_step(OPTIONS, "which ability?", every, budget=budget, closed=closed, shown=shown)
        if taken is DONE:
            return made, left
        cost = taken.cost
        if taken.id in ("advantage", "disadvantage"):
            made, cost = await _in_own_words(made, taken.id, left)
        else:
            made = await _with_option(made, taken, library)
        total += max(0, -cost)
        left -= cost


def _option_offers(made: OpenD6Character, library: Library) -> tuple[list[CreationOption], list[ClosedOption]]:
    offers: list[CreationOption] = []
    closed: list[ClosedOption] = []
    for ability in library.of(Ability):
        ranks = [one.ranks for one in made.abilities if one.id == ability.id]
        if ranks and not ability.ranked:
            closed.append(ClosedOption(ability.id, "has no ranks", ABILITY_COST, ability.name))
        elif ranks and ranks[0] >= MOST_RANKS:
            enough = f"{MOST_RANKS} ranks are enough for a start"
            closed.append(ClosedOption(ability.id, enough, ABILITY_COST, ability.name))
        else:
            cost = costs.FURTHER_RANK if ranks else ability.cost
            label = f"{ability.name}, rank {sum(ranks) + 1}" if ability.ranked else ability.name
            note = gives(ability)
            offers.append(CreationOption(ability.id, label, cost, note=note, rule=ABILITY_COST))
    room, full = _room(made), f"at most {_most_flaws(made)} ranks of disadvantages"
    for words, kind, sign, held in (
        (ADVANTAGES, "advantage", 1, made.advantages),
        (FLAWS, "disadvantage", -1, made.disadvantages),
    ):
        for name, rank in words.items():
            id_ = f"{kind}:{name}"
            if name in held:
                closed.append(ClosedOption(id_, "is there already", DISADVANTAGES, name))
            elif sign < 0 and rank > room:
                closed.append(ClosedOption(id_, full, DISADVANTAGES, name))
            else:
                told = f"{name}, {article(kind)}" if rank == 1 else f"{name}, {article(kind)} of rank {rank}"
                offers.append(CreationOption(id_, told, sign * rank, rule=DISADVANTAGES, value=rank))
        if sign < 0 and not room:
            closed.append(ClosedOption(kind, full, DISADVANTAGES, f"Another {kind}"))
        else:
            note = "in your own words; the cost is for each rank"
            offers.append(CreationOption(kind, f"Another {kind}", sign, note=note, rule=DISADVANTAGES))
    return offers, closed


def gives(ability: Ability) -> str:
    """Gain from each rank of an ability, in a few words."""
    return ", ".join([words for words in [_effect_words(effect) for effect in ability.effects] if words])


def _effect_words(effect: AbilityEffect) -> str:
    if isinstance(effect, TotalEffect):
        on = "one attribute" if effect.of == "attribute" else f"{small(effect.skills)} skills"
        return f"+{effect.each} on the totals of {on}"
    if isinstance(effect, ResistanceEffect):
        return f"+{effect.each} on damage resistance"
    if isinstance(effect, InitiativeEffect):
        extra = f", {small(effect.times)} times an adventure one more action" if effect.extra_actions else ""
        return f"+{effect.dice}D on initiative{extra}"
    return "never surprised" if isinstance(effect, NeverSurprised) else "acts first where initiative is tied"


def _room(made: OpenD6Character) -> int:
    """Ranks of disadvantages that may still be taken at once."""
    return min(MOST_RANK, max(0, _most_flaws(made) - sum(made.disadvantages.values())))


def _most_flaws(made: OpenD6Character) -> int:
    """Ranks of disadvantages that are offered in all."""
    return costs.offered_disadvantages(made.years + made.part_time_years)


async def _in_own_words(made: OpenD6Character, what: str, left: int) -> tuple[OpenD6Character, int]:
    """Copy of a character with a self-made advantage or disadvantage and its cost."""
    sign, most = (1, min(MOST_RANK, left)) if what == "advantage" else (-1, _room(made))
    held = made.advantages if what == "advantage" else made.disadvantages
    ranks = [CreationOption(str(one), f"rank {one}", sign * one, rule=DISADVANTAGES) for one in range(1, most + 1)]
    name, rank = await with_rank(OPTIONS, what, held, ranks)
    return made.changed(**{f"{what}s": Ranks({**held, name: rank})}), sign * rank


async def _with_option(made: OpenD6Character, taken: CreationOption, library: Library) -> OpenD6Character:
    kind, _, name = taken.id.partition(":")
    if kind == "advantage":
        return made.changed(advantages=Ranks({**made.advantages, name: taken.value}))
    if kind == "disadvantage":
        return made.changed(disadvantages=Ranks({**made.disadvantages, name: taken.value}))
    if [one for one in made.abilities if one.id == taken.id]:
        raised = [one.changed(ranks=one.ranks + 1) if one.id == taken.id else one for one in made.abilities]
        return made.changed(abilities=tuple(raised))
    own = await concerned(OPTIONS, library.get(Ability, taken.id), library)
    return made.changed(abilities=(*made.abilities, own))


async def concerned(step: Step, ability: Ability, library: Library, seat: Role | str = Role.ACTOR) -> OwnAbility:
    """A new ability, with its attribute or skills."""
    wanted: Attribute | None = None
    skills: list[str] = []
    for effect in ability.effects:
        if isinstance(effect, TotalEffect) and effect.of == "attribute":
            offers = [CreationOption(one, one.capitalize()) for one in ATTRIBUTES]
            taken = await choose_step(step, f"which attribute for {ability.name}?", offers, seat=seat)
            wanted = next(one for one in ATTRIBUTES if one == taken.id)
        elif isinstance(effect, TotalEffect):
            for _ in range(effect.skills):
                known = [CreationOption(one.id, one.name) for one in library.of(Skill) if one.attribute in ATTRIBUTES]
                closed = [
                    ClosedOption(one, "is named already", ABILITY_COST, library.get(Skill, one).name) for one in skills
                ]
                question = f"which skill for {ability.name}?"
                skills.append((await choose_step(step, question, known, closed=closed, seat=seat)).id)
    return OwnAbility(id=ability.id, attribute=wanted, skills=tuple(skills))


# ---------------------------------------------------------------------- skills


def _open_skills(made: OpenD6Character, library: Library) -> list[Skill]:
    """The skills that dice may be put in: Extranormal ones need the attribute."""
    return [one for one in library.of(Skill) if one.attribute not in EXTRANORMAL or one.attribute == made.extranormal]


async def _specialisations(made: OpenD6Character, left: int, library: Library) -> tuple[OpenD6Character, int]:
    budget = Budget("skill dice", left, 0, SKILL_DICE)
    most = min(MOST_SPECIAL_DICE, left)
    offers = [
        CreationOption(f"{dice}D", f"{dice} skill dice", dice, rule=SPECIAL, value=dice) for dice in range(most + 1)
    ]
    question, shown = "how many dice for specialisations?", _shown(made, library)
    bought: int = (await choose_step(SPECIALISATIONS, question, offers, budget=budget, shown=shown)).value
    if bought:
        made = made.changed(specialisations=await _spread_specialisations(made, bought, library))
    return made, left - bought


async def _spread_specialisations(made: OpenD6Character, dice: int, library: Library) -> tuple[Specialisation, ...]:
    """Put the dice into specialisations: those that are suggested, and any other."""
    known = {one.id: one.name for one in _open_skills(made, library)}
    most = (costs.EXPERIENCED_ADDS if costs.is_experienced(made) else costs.MOST_SPECIAL_ADDS).in_pips
    pips = {(skill, subject): 0 for skill, subject in SUBJECTS.items() if skill in known}
    new = CreationOption("new", "Another specialisation", rule=SPECIAL)
    while True:
        budget = Budget("specialisation pips", dice * costs.SPECIAL_PIPS, sum(pips.values()), SPECIAL)
        if not budget.left:
            break
        offers, closed = [], []
        for (skill, subject), has in pips.items():
            for by in SPECIAL_STEPS:
                id_ = f"{skill}: {subject}+{by}"
                if has + by > most:
                    closed.append(ClosedOption(id_, f"{most} is the most", SPECIAL))
                else:
                    offers.append(
                        CreationOption(id_, cost=by, note=f"now {has}", rule=SPECIAL, value=((skill, subject), by))
                    )
        question = "raise which specialisation?"
        taken = await choose_step(SPECIALISATIONS, question, [*offers, new], budget=budget, closed=closed)
        if taken is new:
            pips[await _another(known, pips)] = 0
        else:
            key, by = taken.value
            pips[key] += by
    own = [(skill, subject, adds) for (skill, subject), adds in pips.items() if adds]
    return tuple([Specialisation(skill=one, subject=about, adds=DieCode.of_pips(adds)) for one, about, adds in own])


async def _another(known: Mapping[str, str], pips: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """A self-made specialisation: its skill and its subject."""
    skills = [CreationOption(id_, name, rule=SPECIAL) for id_, name in known.items()]
    skill = (await choose_step(SPECIALISATIONS, "of which skill?", skills)).id
    return skill, await subject_of(SPECIALISATIONS, skill, [about for one, about in pips if one == skill])


async def subject_of(step: Step, skill: str, known: Sequence[str], seat: Role | str = Role.ACTOR) -> str:
    """The subject of a new specialisation: a suggested one or any other text."""
    closed = [ClosedOption(one, "is there already", SPECIAL) for one in known]
    offers = [CreationOption(one, rule=SPECIAL) for one in unused([SUBJECTS.get(skill, "at night")], known)]
    words = (await choose_step(step, f"which subject of {skill}?", offers, closed=closed, seat=seat, own_words=True)).id
    return _short(words)


def _short(words: str) -> str:
    """Words as a sheet has them, without spaces too many."""
    text = " ".join(words.split())
    if len(text) > MOST_LETTERS:
        raise InvalidInputError(f"{MOST_LETTERS} letters are the most, these are {len(text)}")
    return text


async def _skills(made: OpenD6Character, left: int, calling: Calling | None, library: Library) -> OpenD6Character:
    known = {one.id: one for one in _open_skills(made, library)}
    usual = [name for name in (calling.skills if calling else ()) if name in known]
    names = dict.fromkeys([*usual, *known])
    most = costs.EXPERIENCED_ADDS if costs.is_experienced(made) else costs.MOST_ADDS

    def code(name: str, pips: int) -> str:
        return str(DieCode.of_pips(_base(made, known[name]).in_pips + pips))

    pips = left * PIPS_PER_DIE
    points = Spread("skill pips", pips, SKILL_DICE, most=most.in_pips, steps=(3, 1), show=code, part="skills")
    adds = await spread(SKILLS, "raise which skill?", names, points)
    skills = {name: DieCode.of_pips(_base(made, known[name]).in_pips + pips) for name, pips in adds.items() if pips}
    return made.changed(skills=Frozen(skills))


def _base(made: OpenD6Character, skill: Skill) -> DieCode:
    field = "extranormal" if skill.attribute in EXTRANORMAL else skill.attribute
    found: DieCode = getattr(made.attributes, field)
    return found


async def _moral_code() -> str:
    offers = [CreationOption(name, name.capitalize(), note=code, value=code) for name, code in MORAL_CODES.items()]
    taken = await choose_step(MORAL_CODE, "which moral code?", offers, own_words=True)
    return str(taken.value)


# ---------------------------------------------------------------------- equipment


async def _equipment(made: OpenD6Character, library: Library) -> OpenD6Character:
    """A small weapon, a little protection and a tool are free; the rest is bought with a week's silver."""
    belongings: Belongings = ()
    default = ("dagger", "soft_leather", "backpack_kit")
    for kind, question in ((Weapon, "which small weapon?"), (Armour, "which protection?"), (Gear, "which tools?")):
        small = [one for one in library.of(kind) if one.small]
        usual = sorted(small, key=lambda one: one.id not in default)
        offers = [CreationOption(one.id, one.name, rule=EQUIPMENT) for one in usual]
        shown = _shown(made.changed(belongings=belongings), library)
        taken = await choose_step(GEAR, question, offers, shown=shown)
        belongings = acquired(belongings, taken.id, library)
    silver = Fraction(silver_per_week(made, library).total)
    return await _purchases(made.changed(belongings=belongings, silver=silver), library)


async def _purchases(made: OpenD6Character, library: Library) -> OpenD6Character:
    start = made.silver
    while True:
        offers = [replace(offer, unwise=_unwise(made, offer, library)) for offer in _for_sale(library)]
        lacking = [items(library)[one].name.lower() for one in _missing(made, library)]
        warnings = (CreationWarning(f"You have nothing to shoot: no {lacking[0]}."),) if lacking else ()
        done = replace(DONE, unwise=bool(lacking), warnings=warnings)
        budget = Budget("silver", int(start * 8), int((start - made.silver) * 8), PRICES, parts=8)
        shown = _shown(made, library)
        taken = await choose_step(PURCHASES, "buy what?", [*offers, done], budget=budget, shown=shown)
        if taken.id == DONE.id:
            return made
        got = acquired(made.belongings, taken.id, library, items(library)[taken.id].bundle)
        made = made.changed(belongings=got, silver=made.silver - Fraction(taken.cost, 8))


MOST_WEAPONS, MOST_OF_A_KIND = 3, 4


def _missing(made: OpenD6Character, library: Library) -> list[str]:
    """The missiles that a character has a weapon for, none of, and the silver to buy."""
    known = items(library)
    weapons = [found for found in [known.get(one.item) for one in made.belongings] if isinstance(found, Weapon)]
    needed = [weapon.ammunition for weapon in weapons if weapon.ammunition]
    lacking = [one for one in needed if not any(carried.item == one for carried in made.belongings)]
    return [one for one in lacking if (price := known[one].price) is not None and price <= made.silver]


def _unwise(made: OpenD6Character, offer: CreationOption, library: Library) -> bool:
    """True if few would buy something: missiles without their weapon, a second suit, one more of what lasts.

    A weapon without its missiles is completed before anything else.
    """
    known = items(library)
    found, owned = known[offer.id], [known[one.item] for one in made.belongings]
    lacking = _missing(made, library)
    if lacking:
        return offer.id not in lacking
    weapons = [one for one in owned if isinstance(one, Weapon)]
    if isinstance(found, Weapon):
        missiles = known[found.ammunition].price if found.ammunition else None
        costs = (found.price or 0) + (missiles or 0)
        return found in owned or len(weapons) >= MOST_WEAPONS or costs > made.silver
    if isinstance(found, Armour):
        return any(isinstance(one, Armour) and one.shield == found.shield for one in owned)
    if isinstance(found, Gear):
        return found in owned
    return (
        not any(weapon.ammunition == found.id for weapon in weapons)
        or sum([one.count for one in made.belongings if one.item == found.id]) > MOST_OF_A_KIND * found.bundle
    )


def _for_sale(library: Library) -> Iterable[CreationOption]:
    for found in items(library).values():
        if found.price is not None:
            yield CreationOption(
                found.id, found.name, int(found.price * 8), note=f"{in_figures(found.price)} silver", rule=PRICES
            )
