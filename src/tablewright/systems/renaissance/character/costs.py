"""Costs of growth, and how far each step goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import Tally
from tablewright.game.content.library import Library
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.renaissance.character.figures import luck_stat, skill_name, skills_in, split
from tablewright.systems.renaissance.character.gear import items
from tablewright.systems.renaissance.character.record import Advance, RenaissanceCharacter
from tablewright.systems.renaissance.content import Background, Needs, Power, Skill, Trait

RANKS_RULE = "renaissance.gap.creation.points"
COMMON = "language:common"


@lru_cache(maxsize=1)
def prices() -> Mapping[str, Any]:
    """The price list of creation points, which is that of Rez points too."""
    found: Mapping[str, Any] = Ledger.load("renaissance")["renaissance.gap.creation.points"].data
    return found


def rank_cost(ranks: int, free: int = 0) -> int:
    """Cost of raising ranks from one number to another.

    >>> [rank_cost(50, free) for free in (0, 10, 20)]
    [70, 60, 50]
    """
    cheap = int(prices()["cheap_ranks"])
    low = max(0, min(ranks, cheap) - free)
    high = max(0, ranks - max(cheap, free))
    return low * int(prices()["rank"]) + high * int(prices()["dear_rank"])


def item_cost(item: str, library: Library) -> int | None:
    """Creation points of a thing; None if it cannot be bought."""
    found = items(library).get(item)
    return None if found is None or found.price is None else int(prices()["items"][found.price])


def trait_cost(trait: Trait) -> int:
    """Cost of a trait; a negative one gives points."""
    name = {"positive": "trait", "negative": "negative_trait", "neutral": "neutral_trait"}[trait.nature]
    return int(prices()[name])


def native_key(character: RenaissanceCharacter) -> str:
    """The native language as a skill."""
    return f"language:{character.native}" if character.native else ""


def free_luck(character: RenaissanceCharacter) -> int:
    """The Luck that costs nothing: 1 for those who have any."""
    return 1 if character.kind in ("character", "major_npc") else 0


def background_of(character: RenaissanceCharacter, library: Library) -> Background | None:
    """The background, where the content knows it (renaissance.character.background)."""
    return library.get(Background, character.background) if library.has(Background, character.background) else None


def free_ranks(character: RenaissanceCharacter, library: Library) -> dict[str, int]:
    """Ranks that cost nothing: the languages that all characters have, and those of the background."""
    free: dict[str, int] = {}
    if not character.is_creature:
        if character.native:
            free[native_key(character)] = 60  # renaissance.gap.creation.free
        free[COMMON] = free.get(COMMON, 0) + 10
    background = background_of(character, library)
    if background is not None:
        for key, ranks in background.skills.items():
            free[key] = free.get(key, 0) + ranks
        each = [choice.ranks for choice in background.choices for _ in range(choice.number)]
        for key, ranks in zip(character.background_skills, each, strict=False):
            free[key] = free.get(key, 0) + ranks
    return free


def is_combat(key: str, library: Library) -> bool:
    """True if a skill is of the Combat category."""
    return _in(key, "combat", library)


def _in(key: str, category: str, library: Library) -> bool:
    name = split(key)[0]
    return library.has(Skill, name) and library.get(Skill, name).is_in(category)


def spent_on(character: RenaissanceCharacter, library: Library, category: str, *, others: bool = False) -> int:
    """The creation points that went into skills of a category and their specializations, or into all other skills."""
    free = free_ranks(character, library)
    total = 0
    for key, ranks in character.skills.items():
        if _in(key, category, library) is not others:
            total += rank_cost(ranks, free.get(key, 0))
    for key in character.specializations:
        if _in(key, category, library) is not others:
            total += int(prices()["specialization"])
    return total


def reckoning(character: RenaissanceCharacter, library: Library) -> Tally:
    """The creation points that a new character has spent, one by one."""
    tally = Tally.of("creation points", 0, RANKS_RULE)
    free = free_ranks(character, library)
    for key, ranks in character.skills.items():
        tally = tally.add(f"{skill_name(key, library)} {ranks}", rank_cost(ranks, free.get(key, 0)), RANKS_RULE)
    for key, name in character.specializations.items():
        label = f"{skill_name(key, library)} [{name}]"
        tally = tally.add(label, int(prices()["specialization"]), "renaissance.modifier.specialization")
    return tally.add_all(_others(character, library))


def _others(character: RenaissanceCharacter, library: Library) -> Iterator[tuple[str, int, str]]:
    background = background_of(character, library)
    given_traits = background.traits if background else ()
    given_classes = background.classes if background else ()
    for id_ in character.traits:
        if id_ not in given_traits and library.has(Trait, id_):
            trait = library.get(Trait, id_)
            yield trait.name, trait_cost(trait), "renaissance.gap.trait.list"
    for id_ in character.classes:
        if id_ not in given_classes:
            yield id_.replace("_", " ").title(), int(prices()["class"]), "renaissance.gap.class.list"
    for id_ in character.powers:
        if id_ != character.background_power and not is_granted(id_, library):
            yield id_.replace("_", " ").title(), int(prices()["power"]), "renaissance.gap.power.list"
    yield "Luck", int(prices()["luck"]) * max(0, character.luck - free_luck(character)), "renaissance.luck.stat"
    for item, count in character.bought.items():
        yield f"{item} ({count})" if count > 1 else item, (item_cost(item, library) or 0) * count, RANKS_RULE


def is_granted(power: str, library: Library) -> bool:
    """True if a power is a boon of a spirit, which no one buys."""
    return library.has(Power, power) and library.get(Power, power).granted_by is not None


# ---------------------------------------------------------------------- what must be there first


def unmet(needs: Needs, character: RenaissanceCharacter, library: Library) -> list[str]:
    """Requirements of a power or a class that the character does not meet."""
    missing = [
        f"needs {skill_name(key, library)} {ranks}, it is {character.skills.get(key, 0)}"
        for key, ranks in needs.skills.items()
        if character.skills.get(key, 0) < ranks
    ]
    for name, ranks in needs.any_field.items():
        if not any(split(key)[0] == name and has >= ranks for key, has in character.skills.items()):
            missing.append(f"needs a field of {skill_name(name, library)} at {ranks}")
    for need in needs.categories:
        able = [key for key in skills_in(character, need.category, library) if character.skills[key] >= need.ranks]
        if len(able) < need.number:
            kind = need.category.replace("_", " ")
            missing.append(f"needs {need.number} {kind} skills at {need.ranks}, there are {len(able)}")
    missing += [f"needs {library.get(Power, id_).name}" for id_ in needs.powers if id_ not in character.powers]
    if needs.of_kind is not None:
        known = [id_ for id_ in character.powers if library.has(Power, id_)]
        count = sum([needs.of_kind in library.get(Power, id_).kinds for id_ in known])
        if count < needs.number:
            missing.append(f"needs {needs.number} powers of the kind {needs.of_kind}, there are {count}")
    if needs.luck:
        luck = luck_stat(character, library).total
        if luck < needs.luck:
            missing.append(f"needs Luck {needs.luck}, it is {luck}")
    return missing


# ---------------------------------------------------------------------- with Rez points


def without(character: RenaissanceCharacter, last: Advance) -> RenaissanceCharacter:
    """The character as it was before the last thing was bought."""
    changes: dict[str, Any] = {"advances": character.advances[:-1]}
    if last.what == "skill":
        ranks = character.skills[last.name] - last.ranks
        changes["skills"] = character.skills.put(last.name, ranks) if ranks else character.skills.drop(last.name)
        if not ranks and last.name in character.exotic:
            changes["exotic"] = character.exotic.drop(last.name)
    elif last.what == "specialization":
        changes["specializations"] = character.specializations.drop(last.name)
    elif last.what == "trait":
        changes["traits"] = character.traits.drop(last.name)
    elif last.what == "buy_off":
        changes["traits"] = character.traits.put(last.name, last.detail)
    elif last.what == "luck":
        changes["luck"] = character.luck - 1
    else:
        field = "classes" if last.what == "class" else "powers"
        changes[field] = tuple([id_ for id_ in getattr(character, field) if id_ != last.name])
    return character.changed(**changes)


def has_bought(character: RenaissanceCharacter, last: Advance) -> bool:
    """True if the character shows what was bought last."""
    if last.what == "skill":
        return character.skills.get(last.name, 0) >= last.ranks > 0
    if last.what == "luck":
        return character.luck > 0
    if last.what == "buy_off":
        return last.name not in character.traits
    owned: dict[str, Iterable[str]] = {
        "specialization": character.specializations,
        "trait": character.traits,
        "class": character.classes,
        "power": character.powers,
    }
    return last.name in owned[last.what]


class StepBack(NamedTuple):
    """A purchase, its number, and the character before it; None if it is gone."""

    number: int
    advance: Advance
    before: RenaissanceCharacter | None


def steps_back(character: RenaissanceCharacter) -> Iterator[StepBack]:
    """Everything that was bought with Rez points, the last first."""
    now = character.changed(advances=()) if character.advances else character
    for number, last in reversed(list(enumerate(character.advances))):
        if has_bought(now, last):
            now = without(now, last)
            yield StepBack(number, last, now)
        else:
            yield StepBack(number, last, None)


def before_all(character: RenaissanceCharacter, steps: Sequence[StepBack]) -> RenaissanceCharacter:
    """The character before the first of the steps back that could be taken."""
    return next((step.before for step in reversed(steps) if step.before is not None), character)
