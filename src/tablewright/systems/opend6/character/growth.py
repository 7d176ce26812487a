"""Growth: steps that experience buys, and how each is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from tablewright.engine import Tally
from tablewright.engine.tally import Rounding
from tablewright.errors import IllegalActionError
from tablewright.game.character.legality import Violation, forbidden, unless
from tablewright.game.content.library import Library
from tablewright.game.narration.formatting import as_meant
from tablewright.game.values import Ranks
from tablewright.systems.opend6.character.costs import MOST_DISADVANTAGES, PER_BOUGHT_OFF
from tablewright.systems.opend6.character.figures import code, funds_code, skill, skill_of
from tablewright.systems.opend6.character.record import (
    Advance,
    Attributes,
    Bought,
    OpenD6Character,
    OwnAbility,
    Specialisation,
)
from tablewright.systems.opend6.content import ATTRIBUTES, EXTRANORMAL, Ability, Attribute, Skill, TotalEffect
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.values import DieCode

NEW_SKILL, SKILL, SPECIAL = (
    "opend6.gap.advancement.new_skill",
    "opend6.gap.advancement.skill",
    "opend6.gap.advancement.specialisation",
)
DOUBLE, ATTRIBUTE, LIMIT = (
    "opend6.gap.advancement.extranormal",
    "opend6.gap.advancement.attribute",
    "opend6.gap.advancement.upper_limit",
)
NEEDS, NOT_BOTH = "opend6.gap.advancement.needs", "opend6.gap.advancement.not_both"
ADVANTAGE, DISADVANTAGE, ABILITY, INCREASED = (
    "opend6.gap.advancement.advantage",
    "opend6.gap.advancement.disadvantage",
    "opend6.gap.advancement.ability",
    "opend6.gap.advancement.increased_attribute",
)
SPENDING = "opend6.cp.spent_and_earned"
PER_DIE, PER_ADVANTAGE, GIVES, PER_ABILITY, PER_INCREASED = 10, 5, 3, 5, 4
SKILL_TEST_FROM, SKILL_TEST = DieCode(8), DieCode(7)
_HALF, _TWICE = Fraction(1, 2), Fraction(2)


class Price(NamedTuple):
    """Cost of a step, and the code or rank that it leads to."""

    cost: Tally
    to: str
    test: DieCode | None = None
    """Code of the upper-limit test, where there is one."""


def code_of(character: OpenD6Character, name: str, library: Library, subject: str = "") -> DieCode:
    return code(skill(character, name, library, subject=subject))


def _written(character: OpenD6Character, name: str, library: Library, subject: str = "") -> DieCode:
    """A skill's code as bought; losses from a late rescue come off when it is rolled."""
    whole = character.changed(wounds=character.wounds.changed(weakened=0))
    return code_of(whole, name, library, subject)


def price(
    character: OpenD6Character,
    what: Bought,
    name: str,
    library: Library,
    options: OpenD6Options,
    *,
    subject: str = "",
    rank: int = 1,
    concerning: tuple[str, ...] = (),
) -> Price:
    """Cost of the next step."""
    if what == "skill":
        return _skill_price(character, name, library, options)
    if what == "specialisation":
        own = _written(character, name, library, subject)
        half = Tally.of(f"whole dice of {own}", own.dice, SPECIAL).scale(_HALF, "half", SPECIAL, Rounding.UP)
        half = half.scale(_TWICE, "Extranormal", DOUBLE) if _is_extranormal(name, library) else half
        return Price(half, str(DieCode.of_pips(own.in_pips + 1)))
    if what == "attribute":
        now = _attribute(character, name)
        cost = Tally.of(f"ten times the dice of {now}", PER_DIE * now.dice, ATTRIBUTE)
        to = DieCode.of_pips(now.in_pips + 1)
        return Price(cost, str(to), to if name in ATTRIBUTES else None)
    if what == "funds":
        funds = funds_code(character, library)
        cost = Tally.of(f"ten times the dice of {funds}", PER_DIE * funds.dice, ATTRIBUTE)
        return Price(cost, str(DieCode.of_pips(funds.in_pips + 1)))
    if what == "ability":
        return _ability_price(character, name, library, concerning)
    if what == "advantage":
        return Price(Tally.of(f"five times rank {rank}", PER_ADVANTAGE * rank, ADVANTAGE), f"rank {rank}")
    if what == "bought_off":
        held = character.disadvantages.get(name, 0)
        return Price(Tally.of(f"ten times rank {held}", PER_BOUGHT_OFF * held, DISADVANTAGE), "nothing")
    return Price(Tally.of(f"gives three times rank {rank}", -GIVES * rank, DISADVANTAGE), f"rank {rank}")


def _skill_price(character: OpenD6Character, name: str, library: Library, options: OpenD6Options) -> Price:
    own, new = _written(character, name, library), name not in character.skills
    rule = NEW_SKILL if new else SKILL
    cost = Tally.of(f"whole dice of {own}", own.dice, rule)
    if _is_extranormal(name, library):
        cost = cost.scale(_TWICE, "Extranormal", DOUBLE)
    to = DieCode.of_pips(own.in_pips + 1)
    tested = options.skill_upper_limit and own.in_pips >= SKILL_TEST_FROM.in_pips
    return Price(cost, str(to), to if tested else None)


def _ability_price(character: OpenD6Character, name: str, library: Library, concerning: tuple[str, ...] = ()) -> Price:
    entry = library.get(Ability, name)
    held = meant(character, name, concerning)
    ranks = held.ranks if held is not None else 0
    named = next((one for one in ATTRIBUTES if one in concerning), None)
    attribute = held.attribute if held is not None else named
    if raises_attribute(entry) and attribute is not None:
        dice = _attribute(character, attribute).dice
        cost = Tally.of(f"four times {dice} dice", PER_INCREASED * dice, INCREASED).add("ranks", ranks, INCREASED)
    else:
        cost = Tally.of(f"five times {entry.cost} and {ranks}", PER_ABILITY * (entry.cost + ranks), ABILITY)
    return Price(cost, f"rank {ranks + 1}")


def meant(character: OpenD6Character, name: str, concerning: tuple[str, ...]) -> OwnAbility | None:
    """Ability of a character by its subject; without a subject the only one that it has."""
    own = [one for one in character.abilities if one.id == name]
    if concerning:
        return next((one for one in own if {one.attribute, *one.skills} - {None} == set(concerning)), None)
    return own[0] if len(own) == 1 else None


def concern_of(character: OpenD6Character, name: str, concerning: tuple[str, ...]) -> str:
    """Subject of an ability that is bought or raised."""
    held = meant(character, name, concerning)
    return ",".join(concerning) if held is None else held.concern


def raises_attribute(entry: Ability) -> bool:
    """True if an ability concerns an attribute."""
    return any(isinstance(effect, TotalEffect) and effect.of == "attribute" for effect in entry.effects)


def _is_extranormal(name: str, library: Library) -> bool:
    return library.has(Skill, name) and library.get(Skill, name).attribute in EXTRANORMAL


def _attribute(character: OpenD6Character, name: str) -> DieCode:
    found: DieCode = getattr(character.attributes, "extranormal" if name in EXTRANORMAL else name)
    return found


# ---------------------------------------------------------------------- one step more, one step less


def raised_by(
    character: OpenD6Character, bought: Advance, library: Library, rank: int, concerning: tuple[str, ...] = ()
) -> OpenD6Character:
    """The character with one more step."""
    name = bought.name
    if bought.what == "skill":
        own = _written(character, name, library)
        return character.changed(skills=character.skills.put(name, DieCode.of_pips(own.in_pips + 1)))
    if bought.what == "specialisation":
        return character.changed(specialisations=_specialised(character, name, bought.subject, 1))
    if bought.what == "attribute":
        more = None if character.body_points is None else character.body_points + bought.body_points
        return _attribute_by(character, name, 1, library).changed(body_points=more)
    if bought.what == "funds":
        return character.changed(funds_adds=DieCode.of_pips(character.funds_adds.in_pips + 1))
    if bought.what == "ability":
        return character.changed(abilities=_abilities(character, name, concerning, library))
    if bought.what == "advantage":
        return character.changed(advantages=Ranks({**character.advantages, name: rank}))
    if bought.what == "disadvantage":
        return character.changed(disadvantages=Ranks({**character.disadvantages, name: rank}))
    return character.changed(disadvantages=character.disadvantages.drop(name))


def _specialised(character: OpenD6Character, name: str, subject: str, by: int) -> tuple[Specialisation, ...]:
    wanted = (name, as_meant(subject))
    found = [one for one in character.specialisations if (one.skill, as_meant(one.subject)) == wanted]
    others = [one for one in character.specialisations if (one.skill, as_meant(one.subject)) != wanted]
    pips = sum([one.adds.in_pips for one in found]) + by
    own = [Specialisation(skill=name, subject=subject, adds=DieCode.of_pips(pips))] if pips else []
    return (*others, *own)


def _attribute_by(character: OpenD6Character, name: str, by: int, library: Library) -> OpenD6Character:
    """An attribute a pip higher or lower, and every skill above it with it: adds stay adds."""
    field = "extranormal" if name in EXTRANORMAL else name
    changed = {field: DieCode.of_pips(_attribute(character, name).in_pips + by)}
    attributes: Attributes = character.attributes.changed(**changed)
    skills = character.skills
    for one, own in character.skills.items():
        if library.has(Skill, one) and library.get(Skill, one).attribute == name:
            skills = skills.put(one, DieCode.of_pips(own.in_pips + by))
    return character.changed(attributes=attributes, skills=skills)


def _abilities(
    character: OpenD6Character, name: str, concerning: tuple[str, ...], library: Library
) -> tuple[OwnAbility, ...]:
    held = meant(character, name, concerning)
    if held is not None:
        return tuple([one.changed(ranks=one.ranks + 1) if one is held else one for one in character.abilities])
    attribute: Attribute | None = next((one for one in ATTRIBUTES if one in concerning), None)
    skills = tuple([one for one in concerning if one not in ATTRIBUTES])
    wanted = [effect for effect in library.get(Ability, name).effects if isinstance(effect, TotalEffect)]
    if raises_attribute(library.get(Ability, name)) != (attribute is not None):
        raise IllegalActionError(f"{name}: names an attribute it concerns, or none", rule="opend6.gap.ability.cost")
    if len(skills) != sum([effect.skills for effect in wanted]):
        number = sum([effect.skills for effect in wanted])
        raise IllegalActionError(f"{name}: concerns {number} skills, not {len(skills)}", rule="opend6.gap.ability.cost")
    for one in skills:
        skill_of(one, library)
    return (*character.abilities, OwnAbility(id=name, attribute=attribute, skills=skills))


def lowered_by(character: OpenD6Character, last: Advance, library: Library) -> OpenD6Character:
    """The character as it was before the last thing was bought."""
    name = last.name
    if last.what == "skill":
        own = DieCode.of_pips(character.skills[name].in_pips - 1)
        base = _attribute(character, library.get(Skill, name).attribute)
        skills = character.skills.drop(name) if own == base else character.skills.put(name, own)
        return character.changed(skills=skills)
    if last.what == "specialisation":
        return character.changed(specialisations=_specialised(character, name, last.subject, -1))
    if last.what == "attribute":
        return _attribute_by(character, name, -1, library)
    if last.what == "funds":
        return character.changed(funds_adds=DieCode.of_pips(character.funds_adds.in_pips - 1))
    if last.what == "ability":
        held = meant(character, name, named("ability", last.subject))
        fewer = [
            one.changed(ranks=one.ranks - 1) if one is held else one
            for one in character.abilities
            if one is not held or one.ranks > 1
        ]
        return character.changed(abilities=tuple(fewer))
    if last.what == "advantage":
        return character.changed(advantages=character.advantages.drop(name))
    if last.what == "disadvantage":
        return character.changed(disadvantages=character.disadvantages.drop(name))
    rank = last.cost // PER_BOUGHT_OFF
    return character.changed(disadvantages=Ranks({**character.disadvantages, name: rank}))


def room_for_disadvantages(character: OpenD6Character) -> int:
    """Ranks of disadvantages that a character can still gain. [opend6.gap.advancement.disadvantage]"""
    return max(0, MOST_DISADVANTAGES - sum(character.disadvantages.values()))


def named(what: str, subject: str) -> tuple[str, ...]:
    """Subject of an ability that is shown with it."""
    return tuple(subject.split(",")) if what == "ability" and subject else ()


# ---------------------------------------------------------------------- buying everything again


def problems(character: OpenD6Character, options: OpenD6Options, library: Library) -> Iterator[Violation]:
    """Take back every purchase, the last first, and compare each with its cost."""
    yield from _too_often(character)
    now = character.changed(advances=()) if character.advances else character
    for number, last in reversed(list(enumerate(character.advances))):
        where = f"advances[{number}]"
        in_time = 1 <= last.interval <= character.interval
        yield from unless(in_time, where, f"there was no time {last.interval} between adventures", rule=SPENDING)
        if last.pips and not _is_there(now, last, library):
            yield from forbidden(where, f"{last.name} is not there as it was bought", rule=SPENDING)
            return
        rank = _rank(now, last)
        now = lowered_by(now, last, library) if last.pips else now
        concerning = named(last.what, last.subject)
        paid = price(
            now, last.what, last.name, library, options, subject=last.subject, rank=rank, concerning=concerning
        )
        whole = paid.cost.total
        cost = whole if last.pips else whole - whole // 2
        wrong = f"{last.name} costs {cost}, {last.cost} were paid"
        yield from unless(cost == last.cost, where, wrong, rule=paid.cost.rule or SPENDING)


def _too_often(character: OpenD6Character) -> Iterator[Violation]:
    """One step of a thing between two adventures; a skill or its specialisations, not both; one disadvantage."""
    seen: set[tuple[int, str, str, str]] = set()
    gained: set[int] = set()
    for number, one in enumerate(character.advances):
        where, key = f"advances[{number}]", (one.interval, one.what, one.name, as_meant(one.subject))
        twice = f"{one.name} was improved before in the same time"
        yield from unless(key not in seen, where, twice, rule=SKILL)
        seen.add(key)
        other = {"skill": "specialisation", "specialisation": "skill"}.get(one.what)
        both = any((each[0], each[1], each[2]) == (one.interval, other, one.name) for each in seen)
        yield from unless(not both, where, f"{one.name} and a specialisation were both improved", rule=NOT_BOTH)
        if one.what == "disadvantage":
            more = "another disadvantage was gained in the same time"
            yield from unless(one.interval not in gained, where, more, rule=DISADVANTAGE)
            gained.add(one.interval)


def _is_there(character: OpenD6Character, last: Advance, library: Library) -> bool:
    """True if the character still has the last purchase."""
    name = last.name
    if last.what == "skill":
        known = library.has(Skill, name) and name in character.skills
        return (
            known and character.skills[name].in_pips > _attribute(character, skill_of(name, library).attribute).in_pips
        )
    if last.what == "specialisation":
        wanted = (name, as_meant(last.subject))
        own = [one for one in character.specialisations if (one.skill, as_meant(one.subject)) == wanted]
        return library.has(Skill, name) and sum([one.adds.in_pips for one in own]) >= 1
    if last.what == "attribute":
        known = name in ATTRIBUTES or name == character.extranormal
        return known and _attribute(character, name).in_pips >= 1
    if last.what == "funds":
        return character.funds_adds.in_pips >= 1
    if last.what == "ability":
        return library.has(Ability, name) and meant(character, name, named("ability", last.subject)) is not None
    if last.what == "bought_off":
        return name not in character.disadvantages and last.cost >= PER_BOUGHT_OFF
    return name in (character.advantages if last.what == "advantage" else character.disadvantages)


def _rank(character: OpenD6Character, last: Advance) -> int:
    """The rank of an advantage or a disadvantage that was bought."""
    held = character.advantages if last.what == "advantage" else character.disadvantages
    return held.get(last.name, 1)
