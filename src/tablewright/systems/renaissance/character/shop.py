"""Purchases with creation points and Rez points: cost or reason for refusal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from tablewright.engine import ClosedOption
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.character.creation import CreationOption, Step, choose_step
from tablewright.game.content.library import Library
from tablewright.game.scene.caching import cached_by_identity
from tablewright.systems.renaissance.character import costs
from tablewright.systems.renaissance.character.figures import luck_stat, skill_name, skill_of, split
from tablewright.systems.renaissance.character.gear import items
from tablewright.systems.renaissance.character.record import RenaissanceCharacter, What
from tablewright.systems.renaissance.content import CharacterClass, Language, Power, Skill, Trait, Weapon
from tablewright.systems.renaissance.effects import FigureChange

STEPS = (20, 10, 5, 1)
NEW_FIELD = 10
CREATION_RANKS, MOST_RANKS, MOST_LUCK = 50, 70, 10  # renaissance.gap.creation.limits, global_limits
POINTS, SPENDING = "renaissance.gap.creation.points", "renaissance.gap.advancement.rez_points"
LIMITS, GLOBAL = "renaissance.gap.creation.limits", "renaissance.gap.creation.global_limits"

FieldOf = Callable[..., Awaitable[str]]


@dataclass(frozen=True, slots=True)
class PointPurchase:
    """One thing to buy: what it is, its name, what has to be said about it, how many ranks."""

    what: str
    name: str = ""
    detail: str = ""
    ranks: int = 0
    linked: str = ""

    def toward(self, library: Library, method: str) -> str:
        """True if it counts as spent on Combat skills, on the others that are needed, or on neither."""
        if self.what not in ("skill", "specialization"):
            return ""
        if costs.is_combat(self.name, library):
            return "combat"
        name = split(self.name)[0]
        knowledge = library.has(Skill, name) and "knowledge" in library.get(Skill, name).categories
        return "other" if method == "transfer_and_tweak" or knowledge else ""


def purchases(
    character: RenaissanceCharacter, library: Library, *, creation: bool = True, buy_off: bool = False
) -> Iterator[CreationOption | ClosedOption]:
    """Everything that can be bought with its cost, and why the rest cannot; things only at creation."""
    yield from _skills(character, library, CREATION_RANKS if creation else MOST_RANKS, LIMITS if creation else GLOBAL)
    yield from _specializations(character, library)
    yield from _traits(character, library, buy_off=buy_off)
    yield from _features(character, library)
    yield from _luck(character)
    if creation:
        yield from _things(library)


@cached_by_identity
def _things(library: Library) -> tuple[CreationOption, ...]:
    """Options for all things with a price."""
    priced = [(id_, item.name, costs.item_cost(id_, library)) for id_, item in items(library).items()]
    return tuple(
        [
            CreationOption(f"item:{id_}", name, cost, rule=POINTS, value=PointPurchase("item", id_))
            for id_, name, cost in priced
            if cost is not None
        ]
    )


def _skills(
    character: RenaissanceCharacter, library: Library, most: int, rule: str
) -> Iterator[CreationOption | ClosedOption]:
    with_fields: dict[str, list[str]] = {}
    for key in character.skills:
        with_fields.setdefault(split(key)[0], []).append(key)
    for skill in library.of(Skill):
        for key in with_fields.get(skill.id, ()) if skill.field else (skill.id,):
            if key != costs.native_key(character) or most != CREATION_RANKS:
                yield from _more_ranks(key, skill_name(key, library), character.skills.get(key, 0), most, rule)
        if skill.field and all(f"{skill.id}:{name}" in character.skills for name in suggested_fields(skill, library)):
            yield ClosedOption(f"skill:{skill.id}", "every field that the content names is known", POINTS)
        elif skill.field:
            value = PointPurchase("skill", skill.id, ranks=NEW_FIELD)
            label = f"{skill.name}, a new field +{NEW_FIELD}"
            yield CreationOption(f"skill:{skill.id}", label, costs.rank_cost(NEW_FIELD), rule=POINTS, value=value)


@lru_cache(maxsize=4_096)
def _more_ranks(key: str, name: str, has: int, most: int, rule: str) -> tuple[CreationOption | ClosedOption, ...]:
    """Options for more ranks of a skill, one for each step."""
    found: list[CreationOption | ClosedOption] = []
    for by in STEPS:
        id_ = f"skill:{key}+{by}"
        if has + by > most:
            found.append(ClosedOption(id_, f"{most} ranks are the most", rule))
        else:
            value, cost = PointPurchase("skill", key, ranks=by), costs.rank_cost(has + by, has)
            found.append(CreationOption(id_, f"{name} +{by}", cost, f"now {has}", POINTS, value))
    return tuple(found)


def suggested_fields(skill: Skill, library: Library) -> tuple[str, ...]:
    """The fields of a skill that the content names; a language is one of its languages."""
    return library.ids(Language) if skill.id == "language" else skill.fields


def _specializations(character: RenaissanceCharacter, library: Library) -> Iterator[CreationOption | ClosedOption]:
    rule, least = "renaissance.modifier.specialization", int(costs.prices()["specialization_ranks"])
    for key, ranks in character.skills.items():
        id_ = f"special:{key}"
        if key in character.specializations:
            yield ClosedOption(id_, "one specialization is the most", rule)
        elif ranks < least:
            yield ClosedOption(id_, f"needs {least} ranks", rule)
        else:
            label = f"Specialization in {skill_name(key, library)}"
            yield CreationOption(
                id_, label, int(costs.prices()["specialization"]), rule=rule, value=PointPurchase("specialization", key)
            )


def _traits(
    character: RenaissanceCharacter, library: Library, *, buy_off: bool
) -> Iterator[CreationOption | ClosedOption]:
    rule = "renaissance.gap.trait.list"
    for trait in library.of(Trait):
        id_ = f"trait:{trait.id}"
        excluded = [other for other in trait.excludes if other in character.traits]
        if trait.id in character.traits:
            yield ClosedOption(id_, "is there already", rule)
            if buy_off and trait.nature == "negative":
                why, value = "renaissance.gap.advancement.buy_off", PointPurchase("buy_off", trait.id)
                yield CreationOption(
                    f"buy_off:{trait.id}", f"Buy off {trait.name}", -costs.trait_cost(trait), rule=why, value=value
                )
        elif excluded:
            yield ClosedOption(id_, f"goes not with {library.get(Trait, excluded[0]).name}", rule)
        elif _costs_luck(trait, character, library):
            yield ClosedOption(id_, "needs a point of Luck to lose", rule)
        else:
            yield CreationOption(
                id_, trait.name, costs.trait_cost(trait), trait.nature, rule, PointPurchase("trait", trait.id)
            )


def _costs_luck(trait: Trait, character: RenaissanceCharacter, library: Library) -> bool:
    """True if a trait would take Luck that is not there, or that a class needs."""
    loss = -sum([grant.value for grant in trait.grants if isinstance(grant, FigureChange) and grant.figure == "LUCK"])
    needed = [library.get(CharacterClass, id_).needs.luck for id_ in character.classes]
    return loss > 0 and luck_stat(character, library).total - loss < max(needed, default=0)


def _features(character: RenaissanceCharacter, library: Library) -> Iterator[CreationOption | ClosedOption]:
    known: tuple[tuple[str, Any, tuple[str, ...], str], ...] = (
        ("class", CharacterClass, character.classes, "renaissance.gap.class.list"),
        ("power", Power, character.powers, "renaissance.gap.power.requirements"),
    )
    for what, kind, owned, rule in known:
        for entry in library.of(kind):
            id_, missing = f"{what}:{entry.id}", costs.unmet(entry.needs, character, library)
            if entry.id in owned:
                yield ClosedOption(id_, "is there already", rule)
            elif getattr(entry, "granted_by", None) is not None:
                yield ClosedOption(id_, "is granted by a spirit", rule)
            elif missing:
                yield ClosedOption(id_, missing[0], rule)
            else:
                yield CreationOption(
                    id_, entry.name, int(costs.prices()[what]), rule=rule, value=PointPurchase(what, entry.id)
                )


def _luck(character: RenaissanceCharacter) -> Iterator[CreationOption | ClosedOption]:
    if character.kind != "character":
        yield ClosedOption("luck", "only players' characters buy Luck", "renaissance.gap.creation.npcs")
    elif character.luck >= MOST_LUCK:
        yield ClosedOption("luck", f"{MOST_LUCK} is the most", GLOBAL)
    else:
        yield CreationOption(
            "luck", "Luck +1", int(costs.prices()["luck"]), f"now {character.luck}", POINTS, PointPurchase("luck")
        )


_IDS: dict[What, str] = {"specialization": "special"}


def offered(
    character: RenaissanceCharacter, what: What, name: str, ranks: int, library: Library, *, buy_off: bool
) -> CreationOption:
    """Offer of a purchase with Rez points; refused with the rule if it cannot be had."""
    if what == "skill":
        return _ranks(character, name, ranks, library)
    if what == "buy_off" and not buy_off:
        raise IllegalActionError("negative traits stay", rule="renaissance.gap.advancement.buy_off")
    every = list(_of_a_kind(character, what, library))
    id_ = "luck" if what == "luck" else f"{_IDS.get(what, what)}:{name}"
    found = next((one for one in every if one.id == id_), None)
    if found is None:
        known = [one.id.partition(":")[2] for one in every]
        raise InvalidInputError(f'there is no {what} "{name:.40}" to buy{did_you_mean(name, known)}', field="name")
    if isinstance(found, ClosedOption):
        raise IllegalActionError(f"{name or what}: {found.reason}", rule=found.rule)
    return found


def _of_a_kind(
    character: RenaissanceCharacter, what: What, library: Library
) -> Iterator[CreationOption | ClosedOption]:
    if what == "specialization":
        return _specializations(character, library)
    if what in ("trait", "buy_off"):
        return _traits(character, library, buy_off=True)
    return _luck(character) if what == "luck" else _features(character, library)


def _ranks(character: RenaissanceCharacter, key: str, ranks: int, library: Library) -> CreationOption:
    skill_of(key, library)
    has = character.skills.get(key, 0)
    if has + ranks > MOST_RANKS:
        raise IllegalActionError(f"{key}: {MOST_RANKS} ranks are the most, it has {has}", rule=GLOBAL)
    cost = costs.rank_cost(has + ranks, has)
    return CreationOption(
        f"skill:{key}+{ranks}", cost=cost, rule=SPENDING, value=PointPurchase("skill", key, ranks=ranks)
    )


async def detail_of(
    step: Step, purchase: PointPurchase, character: RenaissanceCharacter, library: Library, field_of: FieldOf
) -> PointPurchase:
    """A purchase with what has to be said about it: the field of a skill, a specialization, what a trait is about."""
    if purchase.what == "skill":
        key = await field_of(step, purchase.name, library, character.skills)
        purchase = replace(purchase, name=key)
        skill = library.get(Skill, split(key)[0])
        if skill.aptitudes and key not in character.exotic:
            offers = [CreationOption(name, name, rule="renaissance.gap.skill.list") for name in skill.aptitudes]
            linked = await choose_step(step, f"which aptitude goes with {skill_name(key, library)}?", offers)
            purchase = replace(purchase, linked=linked.id)
    elif purchase.what == "specialization" and not purchase.detail:
        rule = "renaissance.modifier.specialization"
        offers = [CreationOption(word, rule=rule) for word in _suggested(purchase.name, library)]
        question = f"specialized in what of {skill_name(purchase.name, library)}?"
        purchase = replace(purchase, detail=(await choose_step(step, question, offers, own_words=True)).id)
    elif purchase.what == "trait" and not purchase.detail:
        trait = library.get(Trait, purchase.name)
        if trait.detail:
            rule = "renaissance.gap.trait.list"
            offers = [CreationOption(word, rule=rule) for word in ("the supernatural", "grave injury", "the law")]
            said = await choose_step(step, f"{trait.name}: {trait.detail}?", offers, own_words=True)
            purchase = replace(purchase, detail=said.id)
    return purchase


def _suggested(key: str, library: Library) -> list[str]:
    weapons = [one.name for one in library.of(Weapon) if one.price and any(way.skill == key for way in one.attacks)]
    return weapons or ["at night", "in towns", "under pressure"]


def apply_purchase(character: RenaissanceCharacter, bought: PointPurchase) -> RenaissanceCharacter:
    """The character with what was bought."""
    name = bought.name
    changes: dict[str, Any]
    if bought.what == "skill":
        changes = {"skills": character.skills.put(name, character.skills.get(name, 0) + bought.ranks)}
        if bought.linked:
            changes["exotic"] = character.exotic.put(name, bought.linked)  # type: ignore[arg-type]
    elif bought.what == "specialization":
        changes = {"specializations": character.specializations.put(name, bought.detail)}
    elif bought.what == "trait":
        changes = {"traits": character.traits.put(name, bought.detail)}
    elif bought.what == "buy_off":
        changes = {"traits": character.traits.drop(name)}
    elif bought.what == "class":
        changes = {"classes": (*character.classes, name)}
    elif bought.what == "power":
        changes = {"powers": (*character.powers, name)}
    elif bought.what == "luck":
        changes = {"luck": character.luck + 1}
    else:
        changes = {"bought": character.bought.put(name, character.bought.get(name, 0) + 1)}
    return character.changed(**changes)
