"""Growing: what a step costs in experience, how it is taken back, and whether all that was learned is paid for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tablewright.engine import Tally
from tablewright.errors import RulesSayNo
from tablewright.game.legality import Violation, forbidden, unless
from tablewright.systems.marchen.character.figures import score
from tablewright.systems.marchen.character.record import Advance, MarchenCharacter, Scored
from tablewright.systems.marchen.character.studying import with_specialization
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import ASPECTS, CHARACTERISTICS

NEW_SKILL, SKILL_TO_ONE, PER_LEVEL, PER_SCORE = 2, 4, 4, 10
COSTS = "marchen.gap.advancement.costs"
BOUGHT = "advancement"


def cost_of(character: MarchenCharacter, what: str, name: str, skill: str, options: MarchenOptions) -> Tally:
    """What the next step of something costs in experience."""
    if what == "skill":
        level = character.level(name)  # type: ignore[arg-type]
        return Tally.of(
            "a new skill" if level is None else "level 1", NEW_SKILL if level is None else SKILL_TO_ONE, COSTS
        )
    if what == "specialization":
        known = character.specialization(skill, name)  # type: ignore[arg-type]
        new = (known.level if known else 0) + 1
        return Tally.of(f"level {new}", PER_LEVEL * new, COSTS)
    new = score(character, scored(what, name), options).total + 1
    tally = Tally.of(f"score {new}", PER_SCORE * max(1, new + 1), COSTS)
    return tally.add("an aspect costs twice as much", tally.total, COSTS) if what == "aspect" else tally


def scored(what: str, name: str) -> Scored:
    """An aspect or a characteristic by its name."""
    known: tuple[Scored, ...] = ASPECTS if what == "aspect" else CHARACTERISTICS
    for one in known:
        if one == name.strip().casefold():
            return one
    raise RulesSayNo(f'"{name:.40}" is no {what}; there are {", ".join(known)}', rule=COSTS)


def price(
    character: MarchenCharacter,
    what: str,
    name: str,
    skill: str,
    how: Literal["experience", "training", "sage"],
    options: MarchenOptions,
) -> int:
    """What the next step of something costs: nothing with a trainer, with a sage half, rounded up."""
    if how == "training":
        return 0
    cost = cost_of(character, what, name, skill, options).total
    return -(-cost // 2) if how == "sage" else cost  # marchen.sojourn.confer_with_sage


def lowered_by(character: MarchenCharacter, last: Advance, options: MarchenOptions) -> MarchenCharacter:
    """The character as it was before the last step."""
    character = character.changed(advances=character.advances[:-1]) if character.advances else character
    if last.what == "skill":
        level = character.skills[last.name]
        skills = character.skills.put(last.name, 0) if level else character.skills.drop(last.name)
        return character.changed(skills=skills)
    if last.what == "specialization":
        known = character.specialization(last.skill, last.name)  # type: ignore[arg-type]
        assert known is not None  # what was learned is there
        return with_specialization(character, known.changed(level=known.level - 1), options)
    at = _bought_at(character, last)
    assert at is not None  # what was bought is there
    changes = (*character.changes[:at], *character.changes[at + 1 :])
    current = character.current
    if last.name in current:
        current = current.put(last.name, current[last.name] - 1)
    return character.changed(changes=changes, current=current)


# ---------------------------------------------------------------------- buying everything again


def problems(character: MarchenCharacter, options: MarchenOptions) -> Iterator[Violation]:
    """Take back everything that was learned, the last first, and compare what was paid with what it costs."""
    moved = {change.what for change in character.changes}
    advances = character.advances
    character = character.changed(advances=()) if advances else character
    for number, last in reversed(list(enumerate(advances))):
        where = f"advances[{number}]"
        if last.what == "skill" and last.name in moved:
            continue  # a deity has moved it since
        if not _is_there(character, last):
            yield from forbidden(where, f"{last.name} is not there as it was learned", rule=COSTS)
            return
        later = character.changes[_bought_at(character, last) :] if last.what in ("characteristic", "aspect") else ()
        before = character.changed(changes=character.changes[: -len(later)]) if later else None
        character = lowered_by(character, last, options)
        before = before or character  # what changed a score later on has not changed its price
        cost = price(before, last.what, last.name, last.skill, last.how, options)
        yield from unless(cost == last.cost, where, f"{last.name} costs {cost}, {last.cost} were paid", rule=COSTS)


def _is_there(character: MarchenCharacter, last: Advance) -> bool:
    if last.what == "skill":
        return last.name in character.skills
    if last.what == "specialization":
        known = character.specialization(last.skill, last.name)  # type: ignore[arg-type]
        return known is not None and known.level >= 1
    known_scores: tuple[str, ...] = ASPECTS if last.what == "aspect" else CHARACTERISTICS
    return last.name in known_scores and _bought_at(character, last) is not None


def _bought_at(character: MarchenCharacter, last: Advance) -> int | None:
    """Where among the changes of scores the last bought one of a name is."""
    found = [at for at, one in enumerate(character.changes) if (one.what, one.source) == (last.name, BOUGHT)]
    return max(found, default=None)
