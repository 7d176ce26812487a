"""Warnings before the last creation point is spent: what a new character would miss in play, with the remedies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tablewright.game.character.belongings import Belongings
from tablewright.game.character.creation import CreationOption, CreationWarning
from tablewright.game.content.library import Library
from tablewright.systems.renaissance.character.figures import aptitude, skill_name, skills_in, strength
from tablewright.systems.renaissance.character.gear import items, worn
from tablewright.systems.renaissance.character.record import PACK, RenaissanceCharacter
from tablewright.systems.renaissance.content import Armour, CharacterClass, Item, Power, Skill, Trait, Weapon
from tablewright.systems.renaissance.effects import FigureChange, HeldWeapon

TRAINED = 10
"""Ranks from which on a skill counts as trained: those of a background."""

UNARMED, FRAY = "unarmed_combat", "fray"


def warnings_of(
    made: RenaissanceCharacter, belongings: Belongings, left: int, offers: Iterable[CreationOption], library: Library
) -> tuple[CreationWarning, ...]:
    """Warnings about a character as it is, with some points left; remedies are offers that the points can buy."""
    able = {one.id: one for one in offers if one.cost <= left}
    return (
        *_on_arms(made, belongings, able, library),
        *_on_defence(made, belongings, able, library),
        *_on_load(made, belongings, able, library),
        *_on_powers(made, able, library),
        *_on_points(made, left, able, library),
    )


def _warning(text: str, remedies: Iterable[str], able: Mapping[str, CreationOption]) -> CreationWarning:
    return CreationWarning(text, tuple([one for one in remedies if one in able]))


def _raises(skill: str) -> tuple[str, str]:
    """Ids of the offers that train a skill."""
    return f"skill:{skill}+20", f"skill:{skill}+10"


def _is_trained(made: RenaissanceCharacter, weapon: Weapon) -> bool:
    return any(made.skills.get(one.skill, 0) >= TRAINED for one in weapon.attacks)


# ---------------------------------------------------------------------- arms and defence


def _on_arms(
    made: RenaissanceCharacter, belongings: Belongings, able: Mapping[str, CreationOption], library: Library
) -> Iterator[CreationWarning]:
    known = items(library)
    own = [item for carried in belongings if isinstance(item := known[carried.item], Weapon) and not item.used_up]
    held = [
        library.get(Weapon, effect.weapon)
        for id_ in made.powers
        for effect in library.get(Power, id_).effects
        if isinstance(effect, HeldWeapon)
    ]
    trained = [key for key in skills_in(made, "attack", library) if made.skills[key] >= TRAINED]
    if not trained:
        best = sorted(
            [one.id for one in library.of(Skill) if "attack" in one.categories],
            key=lambda id_: -aptitude(made, library.get(Skill, id_).aptitude, library).total,
        )
        skills = [own[0].attacks[0].skill] if own else best
        yield _warning("You are trained with no weapon.", [_raises(skill)[0] for skill in skills], able)
        return
    if UNARMED not in trained and not any(_is_trained(made, one) for one in (*own, *held)):
        ranks = {id_: max([made.skills.get(way.skill, 0) for way in one.attacks]) for id_, one in _for_sale(known)}
        fitting = [id_ for id_ in ranks if ranks[id_] >= TRAINED]
        fitting.sort(key=lambda id_: -ranks[id_])
        remedies = [f"item:{id_}" for id_ in fitting if f"item:{id_}" in able and not able[f"item:{id_}"].unwise]
        yield _warning("You have no weapon that you are trained with.", remedies, able)
    for weapon in dict.fromkeys([one for one in own if not _is_trained(made, one)]):
        yield _warning(f"You are not trained with the {weapon.name}.", _raises(weapon.attacks[0].skill), able)


def _for_sale(known: Mapping[str, Item]) -> Iterator[tuple[str, Weapon]]:
    """Weapons that last, by id."""
    for id_, item in known.items():
        if isinstance(item, Weapon) and item.price is not None and not item.used_up:
            yield id_, item


def _on_defence(
    made: RenaissanceCharacter, belongings: Belongings, able: Mapping[str, CreationOption], library: Library
) -> Iterator[CreationWarning]:
    parries = [key for key in skills_in(made, "melee_attack", library) if made.skills[key] >= TRAINED]
    if not made.skills.get(FRAY, 0) and not parries:
        yield _warning(f"You have no ranks in {skill_name(FRAY, library)} to dodge with.", _raises(FRAY), able)
    if not worn(belongings, library).armor:
        suits = [one for one in library.of(Armour) if (offer := able.get(f"item:{one.id}")) and not offer.unwise]
        suits.sort(key=lambda one: (-one.penalty, one.heavy, -one.armor))
        yield _warning("You wear no armour.", [f"item:{one.id}" for one in suits], able)


# ---------------------------------------------------------------------- load


def _on_load(
    made: RenaissanceCharacter, belongings: Belongings, able: Mapping[str, CreationOption], library: Library
) -> Iterator[CreationWarning]:
    heavy, strong = worn(belongings, library).heavy, strength(made, library).total
    if heavy > strong // 10:
        gains = {
            f"trait:{one.id}": grant.value
            for one in library.of(Trait)
            for grant in one.grants
            if isinstance(grant, FigureChange) and grant.figure == "STR"
        }
        enough = [id_ for id_, gain in gains.items() if heavy <= (strong + gain) // 10]
        text = f"You carry {heavy} heavy things, and your Strength of {strong} bears {strong // 10} without a penalty."
        yield _warning(text, enough, able)
    for carried in belongings:
        item = items(library)[carried.item]
        if isinstance(item, Armour) and carried.place == PACK:
            what = "you hold one shield at most, in a free hand" if item.shield else "you wear one suit"
            yield _warning(f"The {item.name} stays in your pack: {what}.", (), able)


# ---------------------------------------------------------------------- powers


def _on_powers(
    made: RenaissanceCharacter, able: Mapping[str, CreationOption], library: Library
) -> Iterator[CreationWarning]:
    powers = [library.get(Power, id_) for id_ in made.powers]
    for power in powers:
        for skill, ranks in power.needs.skills.items():
            if made.skills.get(skill, 0) < ranks:
                text = f"You know {power.name} without its skill, {skill_name(skill, library)} {ranks}."
                yield _warning(text, reversed(_raises(skill)), able)
    used = {skill for id_ in made.classes for skill in library.get(CharacterClass, id_).needs.skills}
    for kind in ("spell", "sleight"):
        every = [one for one in library.of(Power) if kind in one.kinds and one.needs.skills]
        skills = set.intersection(*[{*one.needs.skills} for one in every]) if every else set()
        for skill in sorted(skills - used):
            if made.skills.get(skill, 0) >= TRAINED and not any(kind in one.kinds for one in powers):
                text = f"You have {skill_name(skill, library)} and know no {kind}."
                yield _warning(text, [f"power:{one.id}" for one in every if one.action != "none"], able)


# ---------------------------------------------------------------------- points


def _on_points(
    made: RenaissanceCharacter, left: int, able: Mapping[str, CreationOption], library: Library
) -> Iterator[CreationWarning]:
    if not left or not able:
        return
    fights = {*skills_in(made, "combat", library)}
    raises = [one for one in able.values() if one.id.startswith("skill:") and made.skills.get(one.value.name, 0)]
    raises.sort(key=lambda one: (one.value.name in fights, made.skills[one.value.name], one.cost))
    points = "1 creation point is" if left == 1 else f"{left} creation points are"
    yield _warning(f"{points} left, and lost once you are done.", [*[one.id for one in raises[-1:]], "luck"], able)
