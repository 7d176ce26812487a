"""Figures derived from a character, each as a tally.

All are pure functions of the character, the content and its ``active`` powers, potions and diseases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from tablewright.engine import Tally
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.character.belongings import Belongings
from tablewright.game.content.entries import ContentEntry
from tablewright.game.content.library import Library
from tablewright.game.play.effects import Effect
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.caching import cached_by_identity, cached_by_value
from tablewright.systems.renaissance import content, effects
from tablewright.systems.renaissance.character.gear import Worn, worn
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.values import Formula

CHEMICAL, DISEASE, HALF = "chemical", "disease", "half"
"""The ids of what lasts: its `source` is the id of the chemical or the disease; half of it where it was resisted."""


@dataclass(frozen=True, slots=True)
class Sustained:
    """One sustained action: a power by its id, or anything else in words.

    ``choice`` is the figure that a power raises, ``better`` whether its check was won.
    """

    what: str
    power: bool = True
    choice: str = ""
    better: bool = False


Sustaining = tuple[Sustained, ...]


@cached_by_value
def active(key: tuple[Sustaining, tuple[Effect, ...], int], library: Library) -> tuple[Given, ...]:
    """Everything that sustained powers, chemicals and diseases give now; the key is what is sustained, what lasts, and
    what a wasting disease has taken."""
    sustaining, lasting, dur_lost = key
    found = [*_sustained(sustaining, library), *_lasting(lasting, library), *lost_durability(dur_lost)]
    return tuple(found)


def _sustained(sustaining: Sustaining, library: Library) -> Iterator[Given]:
    rule = "renaissance.character.powers"
    for one in sustaining:
        if not one.power or not library.has(content.Power, one.what):
            continue
        power = library.get(content.Power, one.what)
        for effect in power.effects:
            if isinstance(effect, effects.While):
                grant: Any = effect.gives
                if one.better and isinstance(grant, effects.FastHealing) and grant.better:
                    grant = grant.model_copy(update={"amount": grant.better})
                yield Given(grant, power.name, rule)
            elif isinstance(effect, effects.Raise) and one.choice in effect.of:
                yield Given(
                    effects.FigureChange.model_validate(
                        {"grant": "figure", "figure": one.choice, "value": effect.value}
                    ),
                    power.name,
                    rule,
                )


def _lasting(lasting: tuple[Effect, ...], library: Library) -> Iterator[Given]:
    for held in lasting:
        if held.id == CHEMICAL and library.has(content.Chemical, held.source):
            chemical = library.get(content.Chemical, held.source)
            for grant in chemical.grants:
                given = halved(grant) if held.data == HALF else grant
                if given is not None:
                    yield Given(given, chemical.name, "renaissance.chemical.framework")
        elif held.id == DISEASE and library.has(content.Disease, held.source):
            disease = library.get(content.Disease, held.source)
            if disease.penalty:
                sick = effects.Bonus(grant="bonus", what="any", value=disease.penalty)
                yield Given(sick, disease.name, "renaissance.disease.framework")


def halved(grant: Any) -> Any:
    """A grant after a passed resistance check: half of its figure, rounded towards zero.

    What has no figure stays as it is; None where nothing is left (renaissance.chemical.framework).
    """
    for field in ("value", "number", "amount"):
        figure = getattr(grant, field, None)
        if isinstance(figure, int):
            half = abs(figure) // 2 * (1 if figure > 0 else -1)
            return grant.model_copy(update={field: half}) if half else None
    return grant


def active_for(character: RenaissanceCharacter, status: Any, library: Library) -> tuple[Given, ...]:
    """Active grants of a character in a scene, or between scenes as far as they are carried along."""
    if status is None:
        return active(((), (), character.harm.dur_lost), library)
    taken: tuple[Effect, ...] = status.lasting
    if taken:
        taken = tuple([held for held in taken if held.id in (CHEMICAL, DISEASE)])
    if not taken and not status.sustained and not status.dur_lost:
        return ()
    return active((status.sustained, taken, status.dur_lost), library)


class Given(NamedTuple):
    """One grant, what it comes from, the rule of its source, and the detail that the sheet has of it."""

    grant: Any
    source: str
    rule: str
    detail: str = ""


Active: TypeAlias = tuple[Given, ...]

LOWEST, HIGHEST = 5, 40  # renaissance.character.aptitudes
MOST_BODY, MOST_LUCK = 50, 10  # renaissance.gap.creation.global_limits


# ---------------------------------------------------------------------- skills by name


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, str]:
    """Every word that means another, as ids; First Aid is Medicine (renaissance.character.skills_named)."""
    rows = Ledger.load("renaissance")["renaissance.core.synonyms"].data["synonyms"]
    found = {_id(other): _id(word) for word, others in rows.items() for other in others}
    return found | {"first_aid": "medicine"}


def _id(word: str) -> str:
    return word.strip().lower().replace(" ", "_").replace("-", "_")


def meant(word: str) -> str:
    """Id for a word of the book: several words stand for one thing, and the first is used.

    >>> meant("Polearms"), meant("First Aid"), meant("Stealth")
    ('pole_arms', 'medicine', 'stealth')
    """
    id_ = _id(word)
    return _synonyms().get(id_, id_)


def key_of(skill: str, field: str = "") -> str:
    """A skill with its field, as characters have it.

    >>> key_of("knowledge", "Theology"), key_of("Unarmed"), key_of("knowledge:law")
    ('knowledge:theology', 'unarmed_combat', 'knowledge:law')
    """
    name, _, own = skill.partition(":")
    field = field.strip() or own
    return f"{meant(name)}:{_id(field)}" if field else meant(name)


def split(key: str) -> tuple[str, str]:
    """The skill and the field of a key."""
    skill, _, field = key.partition(":")
    return skill, field


def skill_of(key: str, library: Library) -> content.Skill:
    """The content's entry of a skill; one with fields needs one, others take none."""
    name, field = split(key)
    skill = library.get(content.Skill, name)
    if skill.field and not field:
        examples = f", such as {key_of(name, skill.fields[0])}" if skill.fields else ""
        raise InvalidInputError(f"{skill.name} is one skill for each field: say which{examples}", field="field")
    if field and not skill.field:
        raise InvalidInputError(f"{skill.name} has no fields", field="field")
    return skill


def skill_name(key: str, library: Library) -> str:
    """A skill for people to read."""
    name, field = split(key)
    if not library.has(content.Skill, name):
        return key
    shown = library.get(content.Skill, name).name
    return f"{shown}: {field_name(name, field, library)}" if field else shown


def field_name(skill: str, field: str, library: Library) -> str:
    """A field of a skill for people to read; languages have names of their own."""
    if skill == "language" and library.has(content.Language, field):
        return library.get(content.Language, field).name
    return field.replace("_", " ").title()


def linked_aptitude(character: RenaissanceCharacter, key: str, library: Library) -> content.Aptitude:
    """The aptitude that a skill goes with; exotic ones are linked as the character has them."""
    return character.exotic.get(key) or skill_of(key, library).aptitude


def skills_in(character: RenaissanceCharacter, category: content.Category | str, library: Library) -> list[str]:
    """Skills of a category in which a character has ranks."""
    named = [(key, split(key)[0]) for key in character.skills]
    return [
        key
        for key, name in named
        if library.has(content.Skill, name) and library.get(content.Skill, name).is_in(category)
    ]


# ---------------------------------------------------------------------- aptitudes and the body


def _changes(
    tally: Tally, figure: str, character: RenaissanceCharacter, library: Library, active: Iterable[Given]
) -> Tally:
    for change, one in of_kind(effects.FigureChange, given(character, library), active):
        if change.figure == figure:
            tally = tally.add(one.source, change.value, one.rule)
    return tally


def aptitude(character: RenaissanceCharacter, name: str, library: Library, active: Active = ()) -> Tally:
    """An aptitude: as it was set, with race, tweak points, traits and whatever is active; at most 40."""
    tally = Tally.of(name, getattr(character.aptitudes, name), "renaissance.gap.creation.aptitudes")
    race = race_of(character, library)
    if race is not None:
        tally = tally.add(race.name, race.aptitudes.get(name, 0), "renaissance.character.race")
    tally = tally.add("tweak points", character.tweaks.get(name, 0), "renaissance.gap.creation.tweak_points")
    tally = tally.add("lowered", -character.lowered.get(name, 0), "renaissance.gap.creation.aptitude_method")
    tally = _changes(tally, name, character, library, active)
    return tally.limit(0 if character.is_creature else LOWEST, HIGHEST, rule="renaissance.character.aptitudes")


def _body(name: str, character: RenaissanceCharacter, library: Library, active: Active, rule: str) -> Tally:
    race = race_of(character, library)
    tally = Tally.of(race.name if race else "body", getattr(race, name) if race else 0, rule)
    tally = tally.add("tweak points", character.tweaks.get(name, 0), "renaissance.gap.creation.tweak_points")
    tally = _changes(tally, name, character, library, active)
    return tally.limit(0, None if character.is_creature else MOST_BODY, rule="renaissance.gap.creation.global_limits")


def durability(character: RenaissanceCharacter, library: Library, active: Active = ()) -> Tally:
    """Durability: by race, changed by tweak points, traits and effects."""
    return _body("DUR", character, library, active, "renaissance.vital.durability")


def strength(character: RenaissanceCharacter, library: Library, active: Active = ()) -> Tally:
    """Strength: by race, changed by tweak points, traits and effects."""
    return _body("STR", character, library, active, "renaissance.character.race")


def luck_stat(character: RenaissanceCharacter, library: Library, active: Active = ()) -> Tally:
    """The Luck stat: the most Luck points that a character can have."""
    tally = Tally.of("Luck", character.luck, "renaissance.vital.luck")
    return _changes(tally, "LUCK", character, library, active).limit(0, MOST_LUCK, rule="renaissance.luck.stat")


# ---------------------------------------------------------------------- vital statistics


def _fifth(label: str, total: int, rule: str) -> Tally:
    tally = Tally.of(label, total, rule).scale(Fraction(1, 5), "a fifth", "renaissance.core.rounding")
    return tally.limit(1, rule="renaissance.gap.state.thresholds")


def _twice(label: str, total: int, rule: str) -> Tally:
    return Tally.of(label, total, rule).scale(Fraction(2), "twice", rule)


def wound_threshold(character: RenaissanceCharacter, library: Library, active: Active = ()) -> Tally:
    """A fifth of Durability, rounded down; at least 1."""
    return _fifth("DUR", durability(character, library, active).total, "renaissance.vital.wound_threshold")


def death_rating(character: RenaissanceCharacter, library: Library, active: Active = ()) -> Tally:
    """Twice Durability."""
    return _twice("DUR", durability(character, library, active).total, "renaissance.vital.death_rating")


def lucidity(character: RenaissanceCharacter, library: Library, active: Active = ()) -> Tally:
    """Twice Willpower."""
    return _twice("WIL", aptitude(character, "WIL", library, active).total, "renaissance.vital.lucidity")


def trauma_threshold(character: RenaissanceCharacter, library: Library, active: Active = ()) -> Tally:
    """A fifth of Lucidity, rounded down; at least 1."""
    return _fifth("LUC", lucidity(character, library, active).total, "renaissance.vital.trauma_threshold")


def insanity_rating(character: RenaissanceCharacter, library: Library, active: Active = ()) -> Tally:
    """Twice Lucidity."""
    return _twice("LUC", lucidity(character, library, active).total, "renaissance.vital.insanity_rating")


def initiative(
    character: RenaissanceCharacter, library: Library, active: Active = (), belongings: Belongings | None = None
) -> Tally:
    """The initiative score in combat: a fifth of Intuition and Reflexes together, rounded down; plate slows."""
    rule = "renaissance.vital.initiative"
    tally = Tally.of("INT", aptitude(character, "INT", library, active).total, rule)
    tally = tally.add("REF", aptitude(character, "REF", library, active).total, rule)
    tally = tally.scale(Fraction(1, 5), "a fifth", "renaissance.core.rounding")
    wears = worn(character.belongings if belongings is None else belongings, library)
    tally = tally.add_all([(name, value, "renaissance.gap.armor.list") for name, value in wears.initiative])
    return _changes(tally, "INIT", character, library, active)


def damage_bonus(character: RenaissanceCharacter, library: Library, active: Active = ()) -> Tally:
    """A tenth of Somatics and Strength together, rounded down."""
    rule = "renaissance.vital.damage_bonus"
    tally = Tally.of("SOM", aptitude(character, "SOM", library, active).total, rule)
    tally = tally.add("STR", strength(character, library, active).total, rule)
    return tally.scale(Fraction(1, 10), "a tenth", "renaissance.core.rounding")


VITAL = {
    "DUR": durability,
    "STR": strength,
    "WT": wound_threshold,
    "DR": death_rating,
    "LUC": lucidity,
    "TT": trauma_threshold,
    "IR": insanity_rating,
    "INIT": initiative,
    "DB": damage_bonus,
    "LUCK": luck_stat,
}
"""The vital statistics by their short names."""


def figure(character: RenaissanceCharacter, name: str, library: Library, active: Active = ()) -> Tally:
    """An aptitude or a vital statistic by its short name."""
    if name in content.APTITUDES:
        return aptitude(character, name, library, active)
    if name in VITAL:
        return VITAL[name](character, library, active)
    known = [*content.APTITUDES, *VITAL]
    raise InvalidInputError(f'there is no figure "{name:.20}"{did_you_mean(name, known)}')


# ---------------------------------------------------------------------- targets


def formula(
    character: RenaissanceCharacter, label: str, made_of: Formula, library: Library, active: Active = ()
) -> Tally:
    """The target that a combination of figures gives."""
    rule = "renaissance.check.target_sources"
    tally = Tally.of(label, 0, rule)
    for name, times in made_of.terms:
        value = figure(character, name, library, active).total
        tally = tally.add(name if times == 1 else f"{name}, {times} times", value * times, rule)
    return tally


def skill(character: RenaissanceCharacter, key: str, library: Library, active: Active = ()) -> Tally:
    """A skill by itself: the linked aptitude and the ranks; without ranks the aptitude alone, or what a class gives."""
    rule = "renaissance.check.skill_target"
    linked = linked_aptitude(character, key, library)
    tally = Tally.of(linked, aptitude(character, linked, library, active).total, rule)
    ranks = character.skills.get(key, 0)
    if ranks:
        return tally.add("ranks", ranks, rule)
    other = stand_in(character, key, library, active)
    return tally if other is None else max(tally, other[0], key=lambda one: one.total)


def stand_in(
    character: RenaissanceCharacter, key: str, library: Library, active: Active = ()
) -> tuple[Tally, effects.Instead] | None:
    """Stand-in of a class for a skill without ranks."""
    if character.skills.get(key, 0):
        return None
    known = skill_of(key, library)
    for instead, one in of_kind(effects.Instead, given(character, library), active):
        if known.is_in(instead.category):
            return formula(character, one.source, instead.formula, library, active), instead
    return None


# ---------------------------------------------------------------------- body and movement


def size(character: RenaissanceCharacter, library: Library, *, ranged: bool = False) -> content.Size:
    """Size of a character; against ranged attacks some count as another size."""
    if ranged:
        for counts, _ in of_kind(effects.CountsAs, given(character, library)):
            return counts.size
    race = race_of(character, library)
    return race.size if race else "medium"


def movement(character: RenaissanceCharacter, library: Library) -> dict[str, content.Movement]:
    """Every way to move with its two rates."""
    race = race_of(character, library)
    ways = dict(race.movement) if race else {}
    for feature in features_of(character, library):
        ways |= dict(feature.movement)
        if feature.full_and_base and "foot" in ways:
            foot = ways["foot"]
            ways["foot"] = content.Movement(base=foot.base, full=foot.full + foot.base)
    return ways


def senses(character: RenaissanceCharacter, library: Library) -> tuple[str, ...]:
    """The senses beyond the usual ones."""
    race = race_of(character, library)
    found: list[str] = list(race.senses) if race else []
    for feature in features_of(character, library):
        found += feature.senses
    return tuple(dict.fromkeys(found))


def natural_weapons(character: RenaissanceCharacter, library: Library) -> tuple[content.Weapon, ...]:
    """Natural weapons; characters without any strike unarmed (renaissance.gap.race.natural)."""
    race = race_of(character, library)
    ids = list(race.weapons) if race else []
    for feature in features_of(character, library):
        ids += feature.weapons
    found = [library.get(content.Weapon, id_) for id_ in ids]
    return tuple(found) or ((library.get(content.Weapon, "unarmed"),) if library.has(content.Weapon, "unarmed") else ())


def armor(
    character: RenaissanceCharacter, library: Library, active: Active = (), belongings: Belongings | None = None
) -> Tally:
    """All Armor, worn and natural, added up."""
    wears = worn(character.belongings if belongings is None else belongings, library)
    tally = Tally.of("Armor", 0, "renaissance.armor.damage")
    for grant, one in of_kind(effects.Armor, given(character, library), active):
        tally = tally.add(one.source, grant.value, one.rule)
    return tally.add_all([(name, value, "renaissance.gap.armor.list") for name, value in wears.armor])


# ---------------------------------------------------------------------- all numbers at once


class Numbers:
    """The plain numbers of a character as it is armed and affected now; skills are worked out when they are asked for.

    ``negated_wounds`` and ``negated_traumas`` are how many give no penalty, ``resists`` counts resistances by tag
    (vulnerabilities are negative), ``fast_healing`` is the damage that heals each turn.
    """

    def __init__(self, character: RenaissanceCharacter, library: Library, belongings: Belongings, active: Active):
        self.aptitudes: dict[str, int] = {
            name: aptitude(character, name, library, active).total for name in content.APTITUDES
        }
        self.DUR = durability(character, library, active).total
        self.STR = strength(character, library, active).total
        self.WT = wound_threshold(character, library, active).total
        self.DR = self.DUR * 2
        self.LUC = self.aptitudes["WIL"] * 2
        self.TT = trauma_threshold(character, library, active).total
        self.IR = self.LUC * 2
        self.INIT = initiative(character, library, active, belongings).total
        self.DB = (self.aptitudes["SOM"] + self.STR) // 10
        self.luck = luck_stat(character, library, active).total
        self.armor = armor(character, library, active, belongings).total
        self.size = size(character, library)
        self.size_at_range = size(character, library, ranged=True)
        self.movement = movement(character, library)
        self.worn: Worn = worn(belongings, library)
        sources = (given(character, library), active)
        self.negated_wounds = sum([one.number for one, _ in of_kind(effects.Negate, *sources) if one.what == "wound"])
        self.negated_traumas = sum([one.number for one, _ in of_kind(effects.Negate, *sources) if one.what == "trauma"])
        self.fast_healing = sum([one.amount for one, _ in of_kind(effects.FastHealing, *sources) if not one.buried])
        self.ambidextrous = any(True for _ in of_kind(effects.Ambidextrous, *sources))
        self.alert = frozenset([one.skill for one, _ in of_kind(effects.Alert, *sources)])
        self.immune = frozenset([name for one, _ in of_kind(effects.Immune, *sources) for name in one.to])
        self.resists: dict[str, int] = {}
        for one, _ in of_kind(effects.Resists, *sources):
            self.resists[one.tag] = self.resists.get(one.tag, 0) + (-1 if one.vulnerable else 1)
        self._of = (character, library, active)
        self._skills: dict[str, int] = {}

    def skill(self, key: str) -> int:
        """The linked aptitude and the ranks of a skill, without any modifier."""
        known = self._skills.get(key)
        if known is None:
            character, library, active = self._of
            known = self._skills[key] = skill(character, key, library, active).total
        return known

    def figure(self, name: str) -> int:
        """An aptitude, DUR, STR or LUCK, for formulas."""
        found: Any = self.luck if name == "LUCK" else self.aptitudes.get(name)
        return int(getattr(self, name) if found is None else found)

    @property
    def base(self) -> int:
        """Metres of a walk."""
        return self.movement["foot"].base if "foot" in self.movement else 0

    @property
    def full(self) -> int:
        """Metres of a run."""
        return self.movement["foot"].full if "foot" in self.movement else 0


@cached_by_identity
def numbers(character: RenaissanceCharacter, library: Library, belongings: Belongings, active: Active) -> Numbers:
    """The numbers of a character with these belongings while this is active; remembered."""
    return Numbers(character, library, belongings, active)


G = TypeVar("G")

RACE, TRAITS, CLASSES = "renaissance.character.race", "renaissance.character.traits", "renaissance.character.classes"


def race_of(character: RenaissanceCharacter, library: Library) -> content.Race | None:
    """Race of a character; None if the content does not know it."""
    return library.get(content.Race, character.race) if library.has(content.Race, character.race) else None


def features_of(character: RenaissanceCharacter, library: Library) -> list[content.FormFeature]:
    """Features of the hybrid form, while it is worn."""
    if character.form != "hybrid":
        return []
    return [
        library.get(content.FormFeature, id_) for id_ in character.features if library.has(content.FormFeature, id_)
    ]


@cached_by_identity
def given(character: RenaissanceCharacter, library: Library) -> tuple[Given, ...]:
    """Everything that race, form, traits and classes give for good."""
    return tuple(_given(character, library))


def _given(character: RenaissanceCharacter, library: Library) -> Iterator[Given]:
    race = race_of(character, library)
    if race is not None:
        for grant in race.grants:
            yield Given(grant, race.name, RACE)
    for feature in features_of(character, library):
        for grant in feature.grants:
            yield Given(grant, feature.name, "renaissance.gap.race.shifter")
    for id_, detail in character.traits.items():
        yield from _from(library, content.Trait, id_, TRAITS, detail)
    for id_ in character.classes:
        yield from _from(library, content.CharacterClass, id_, CLASSES, "")


def _from(library: Library, kind: type[ContentEntry], id_: str, rule: str, detail: str) -> Iterator[Given]:
    if library.has(kind, id_):
        entry: Any = library.get(kind, id_)
        for grant in entry.grants:
            yield Given(grant, entry.name, rule, detail)


def of_kind(kind: type[G], *sources: Iterable[Given]) -> Iterator[tuple[G, Given]]:
    """The grants of one kind from several sources, each with where it comes from."""
    for source in sources:
        for one in source:
            if isinstance(one.grant, kind):
                yield one.grant, one


def has_grant(kind: type[Any], character: RenaissanceCharacter, library: Library) -> bool:
    """True if a character has a grant of a kind."""
    return any(isinstance(one.grant, kind) for one in given(character, library))


def lost_durability(amount: int) -> tuple[Given, ...]:
    """Loss of Durability by a wasting disease, as a grant."""
    if not amount:
        return ()
    change = effects.FigureChange(grant="figure", figure="DUR", value=-amount)
    return (Given(change, "wasting disease", "renaissance.disease.raking_cough"),)
