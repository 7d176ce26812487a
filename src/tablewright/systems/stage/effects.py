"""Effects that content can have, as closed sets of typed data.

A power never knows another one's code. What changes other powers is data too (:class:`ChangePower`), and is folded in
by :func:`usable` before anything is offered or tallied: whose a power is, whom it reaches, what each more costs.

Words in ``on`` are the names of numbers: skills (``guile``: every application), applications (``guile.sneak``), groups
of applications (``attack``, ``parry``), tracks, and the numbers listed in :data:`NUMBERS`; some have a second part
(``assist_cap.guile``, ``time.crafts.repair``). An ``ignore`` without an amount ignores all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from tablewright.game.content.entries import Amount as Exact
from tablewright.game.content.entries import ContentEntry, EntryPart, ForPeople, wrong
from tablewright.game.content.library import Library
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.values import Frozen
from tablewright.systems.stage.options import PowerTypos
from tablewright.systems.stage.values import SKILLS, TRACKS, Attribute, School, SkillId, Track

GROUPS: dict[str, tuple[str, ...]] = {
    "attack": ("brawl.attack", "brawl.grapple", "close_combat.attack", "ranged_combat.attack", "athletics.throw"),
    "melee_attack": ("brawl.attack", "brawl.grapple", "close_combat.attack"),
    "parry": ("brawl.parry", "close_combat.parry"),
    "defensive": ("agility.dodge", "brawl.parry", "close_combat.parry", "defense.block", "defense.deflect"),
}
"""Groups of applications by the words of the power tables (stage.power.vocabulary)."""

OTHER_CHECKS = ("any_check", "body_skills", "one_skill", "opposed", "opposed_against_user", "object_attack", "disarm")
NUMBERS = (
    "charge_cubes",
    "carrying_level",
    "cover",
    "damage",
    "disability",
    "first_increment",
    "hit_difficulty",
    "improvising",
    "max_defense_points",
    "recompose_per_day",
    "resistance",
    "spell_cost",
    "target_armour",
)
OF_SOMETHING = ("assist_cap", "damage", "encumbrance", "focus_slots", "move_cost", "sacrifice", "time")
WORDS = frozenset((*SKILLS, *TRACKS, *GROUPS, *OTHER_CHECKS, *NUMBERS))


def _word(text: str) -> str:
    first, _, second = text.partition(".")
    if text in WORDS or (second and (first in OF_SOMETHING or first in SKILLS)):
        return text
    raise wrong(f'"{text}" is not a number that an effect can change')


Number: TypeAlias = Annotated[str, AfterValidator(_word)]
When: TypeAlias = Literal[
    "light_load", "moving", "stationary", "chosen_item", "chosen_art", "assisting", "thrown", "ranged_weapon"
]
Until: TypeAlias = Literal[
    "users_next_turn",  # the end of it
    "targets_next_turn",
    "rounds",
    "level_rounds",
    "end_of_encounter",
    "maintained",
]
To: TypeAlias = Literal[
    "self", "target", "attacker", "other", "ally", "allies_in_cube", "foes_in_cube", "targets", "item"
]
Deed: TypeAlias = Literal[
    "gain_ap",
    "lose_ap",
    "damage",
    "restore",
    "temporary",
    "move",
    "attack",
    "teleport",
    "reroll",
    "reveal",
    "dispel",
    "rest",
    "recompose",
    "telekinesis",
    "restore_integrity",
    "shove",
    "summon",
    "message",
    "return_item",
    "halve_soul_damage",
]
Permitted: TypeAlias = Literal[
    "assist_untrained",
    "lend_weapon_bonus",
    "defend_neighbour",
    "answer_ambush",
    "parry_ranged",
    "attack_all_in_reach",
    "two_weapons",
    "damage_type",
    "second_block",
    "ally_maximum",
    "hide_in_plain_sight",
    "share_focus",
    "cast_unbound",
]
At: TypeAlias = Literal[
    "hit",
    "ambush_hit",
    "charge_hit",
    "snipe_hit",
    "dodging",
    "dodged",
    "parried",
    "countered",
    "damaged",
    "rolled",
    "would_reach_zero",
]


class Amount(EntryPart):
    """An amount: a number, dice, a skill level or the result of a check; the second roll of a leveled spell is added.

    With ``per`` it counts for each point of a track that is spent, or for each Disability Counter, at most as often as
    the level in ``most_level_of``. ``instead_level_of`` is the flat bonus in the place of the dice under the option
    ``ally_bonus: skill_level_flat``.
    """

    flat: int = Field(default=0, ge=-20, le=20)
    dice: int = Field(default=0, ge=-10, le=10)
    level_of: SkillId | None = None
    check: str = Field(default="", max_length=40)
    per: Track | Literal["disability"] | None = None
    most_level_of: SkillId | None = None
    instead_level_of: SkillId | None = None

    @property
    def is_all(self) -> bool:
        """True if no amount is given: all of it."""
        return self == NO_AMOUNT


NO_AMOUNT = Amount()


class Adjust(EntryPart):
    """A number changes: ``add`` is a part of its tally, ``at_least``, ``times`` and ``ignore`` change the whole."""

    effect: Literal["adjust"] = "adjust"
    on: tuple[Number, ...] = Field(min_length=1)
    op: Literal["add", "at_least", "times", "ignore"] = "add"
    amount: Amount = NO_AMOUNT
    factor: Exact = Field(default=1)  # type: ignore[assignment]
    stack: Literal["mundane", "special", "penalty"] = "mundane"
    when: When | None = None
    choose: bool = False  # one of the numbers in ``on``, or one item, was chosen when it was bought


class Price(EntryPart):
    """Actions cost other AP, or AP in the place of points. ``hours`` of an application are replaced as well."""

    effect: Literal["price"] = "price"
    actions: tuple[str, ...] = Field(min_length=1)
    ap: int = Field(ge=0, le=3)
    instead_of: Frozen[int] = Frozen()


class Substitute(EntryPart):
    """One skill is rolled for the applications of others."""

    effect: Literal["substitute"] = "substitute"
    use: SkillId
    uses_for: tuple[str, ...] = Field(min_length=1)


class Permit(EntryPart):
    """Permission for an act that is otherwise forbidden, perhaps at a penalty."""

    effect: Literal["permit"] = "permit"
    what: Permitted
    application: str = Field(default="", max_length=40)
    school: School | None = None
    penalty_dice: int = Field(default=0, ge=0, le=10)
    penalty_flat: int = Field(default=0, ge=0, le=10)
    of: tuple[Attribute, ...] = ()


class Forbid(EntryPart):
    """Others may not do something against this one's attack, or do without something."""

    effect: Literal["forbid"] = "forbid"
    what: Literal["parry", "dodge", "hit_difficulty_bonuses"]
    application: str = Field(default="", max_length=40)


class Lasting(EntryPart):
    """Adjustments and prohibitions that hold for a time on a character.

    ``once``: the first check that it counts for uses it up. ``level_of`` says how many rounds or targets there are.
    ``cubes`` is how far it reaches. ``choose``: one of what it gives, named when it is used.
    """

    effect: Literal["lasting"] = "lasting"
    to: To = "self"
    until: Until
    rounds: int = Field(default=0, ge=0, le=100)
    gives: tuple[Annotated[Adjust | Forbid, Field(discriminator="effect")], ...] = Field(min_length=1)
    once: bool = False
    accumulates: bool = False
    level_of: SkillId | None = None
    cubes: int = Field(default=0, ge=0, le=100)
    choose: bool = False


class Do(EntryPart):
    """An immediate effect. ``of`` are the tracks or kinds of damage to choose from; ``check`` decides it."""

    effect: Literal["do"] = "do"
    what: Deed
    to: To = "self"
    amount: Amount = NO_AMOUNT
    of: tuple[str, ...] = ()
    check: str = Field(default="", max_length=40)
    level_of: SkillId | None = None  # as many targets as this level
    cubes: int = Field(default=0, ge=0, le=100)
    ignores_resistance: bool = False


class Trigger(EntryPart):
    """When something happens to or through the holder, something follows; ``of`` narrows it to an application,
    a school, a skill, tracks or a kind of damage."""

    effect: Literal["trigger"] = "trigger"
    at: At
    of: tuple[str, ...] = ()
    then: tuple[Annotated[Adjust | Lasting | Do, Field(discriminator="effect")], ...] = Field(min_length=1)
    per_day: int = Field(default=0, ge=0, le=10)


class ChangePower(EntryPart):
    """Other powers are different for the holder: borrowed, given to others, with more targets, past the cap."""

    effect: Literal["change_power"] = "change_power"
    powers: tuple[str, ...] = Field(min_length=1)
    change: Literal["borrow", "give_instead", "give_also", "more_targets", "cap", "replaces"]
    amount: int = Field(default=0, ge=0, le=10)
    each: Frozen[int] = Frozen()


class ChangeSpell(EntryPart):
    """A cast spell lasts longer or reaches further."""

    effect: Literal["change_spell"] = "change_spell"
    op: Literal["extend", "expand"]


class Ability(EntryPart):
    """An ability that is chosen when the power is bought."""

    effect: Literal["ability"] = "ability"
    of: tuple[str, ...] = Field(min_length=1)


Effect: TypeAlias = Annotated[
    Adjust | Price | Substitute | Permit | Forbid | Lasting | Do | Trigger | ChangePower | ChangeSpell | Ability,
    Field(discriminator="effect"),
]
SpecialCost: TypeAlias = Literal[
    "as_borrowed",  # what the borrowed power costs
    "points",  # as many points as one likes
    "each",  # for each further target or ally
    "circle",  # the spell's circle, from its surface track
    "per_round",  # a point of the spell's surface track for each round added
    "per_circle",  # a point of the spell's surface track for each circle
    "upkeep",  # a point of the spell's surface track each turn
    "once_a_day",
]


def types() -> tuple[str, ...]:
    """Types of powers: the last words of the rules that say what powers of a type do."""
    return tuple([rule.id.rpartition(".")[2] for rule in Ledger.load("stage").under("stage.power_effect")])


def _type(text: str) -> str:
    if text not in (known := types()):
        raise wrong(f'"{text}" is not a type of power; allowed are {", ".join(known)}')
    return text


class Power(ContentEntry):
    """A learned ability: its skill and tier, what using it costs, when it is used and what it does.

    ``type`` names the effect entry of the ledger (``stage.power_effect.<type>``). ``printed`` are the effects under the
    option ``power_typos: printed``; ``magic`` ones are gone where there is no magic.
    """

    skill: SkillId | Literal["general"]
    tier: int = Field(ge=1, le=6)
    type: Annotated[str, AfterValidator(_type)]
    when: Literal["always", "announced", "action", "reaction"]
    cost: Frozen[int] = Frozen()
    special: SpecialCost | None = None
    ap: int | None = Field(default=None, ge=0, le=3)
    hours: int | None = Field(default=None, ge=0, le=100)
    effects: tuple[Effect, ...] = Field(min_length=1)
    printed: tuple[Effect, ...] = ()
    requires: tuple[str, ...] = ()
    requires_any: tuple[str, ...] = ()
    again: bool = False  # may be bought more than once
    magic: bool = False
    does: Annotated[str, ForPeople()] = Field(default="", max_length=200)

    @property
    def rule(self) -> str:
        """The rule of the ledger that says what powers of this type do."""
        return f"stage.power_effect.{self.type}"


# ---------------------------------------------------------------------- powers that change powers


_NOTHING: Frozen[int] = Frozen()


@dataclass(frozen=True, slots=True)
class Usable:
    """A power as a character can use it now: after everything that other powers make of it.

    ``lender`` is whose power it is where it is borrowed, ``via`` the power that makes it so. ``instead`` are those who
    may have its benefit rather than the user, ``also`` says that allies have it too, for ``each`` one; ``more`` is what
    every further target costs. ``cap`` is by how much its bonuses may pass their limit.
    """

    power: Power
    effects: tuple[Effect, ...]
    lender: str = ""
    via: str = ""
    instead: bool = False
    also: bool = False
    each: Frozen[int] = _NOTHING
    more: Frozen[int] | None = None
    cap: int = 0

    @property
    def id(self) -> str:
        """The power's id."""
        return self.power.id


def effects_of(power: Power, typos: PowerTypos) -> tuple[Effect, ...]:
    """Effects of a power; five powers have others as printed (stage.power.typos)."""
    return power.printed if power.printed and typos == "printed" else power.effects


def deeds(effects: Iterable[object], *what: Deed) -> list[Do]:
    """The immediate effects of some kinds."""
    return [one for one in effects if isinstance(one, Do) and one.what in what]


def owned(powers: Iterable[str], library: Library) -> Iterator[Power]:
    """The powers by their ids, each once; what the content does not have is left out."""
    for id_ in dict.fromkeys(powers):
        if library.has(Power, id_):
            yield library.get(Power, id_)


def usable(
    powers: tuple[str, ...],
    library: Library,
    typos: PowerTypos = "corrected",
    lenders: Iterable[tuple[str, tuple[str, ...]]] = (),
) -> dict[str, Usable]:
    """Every power that a character can use, by its id: one's own and borrowed ones, changed by others that one has.

    ``lenders`` are the allies one could borrow from, each with their powers.
    """
    found = {power.id: Usable(power, effects_of(power, typos)) for power in owned(powers, library)}
    changes = [
        (one, effect) for one in list(found.values()) for effect in one.effects if isinstance(effect, ChangePower)
    ]
    for by, change in changes:
        if change.change == "borrow":
            for power, lender in _lent(change.powers, lenders, library):
                if power.id not in found:
                    effects = effects_of(power, typos)
                    found[power.id] = Usable(power, effects, lender=lender, via=by.id)
    for by, change in changes:
        for id_ in change.powers:
            if id_ in found:
                found[id_] = _changed(found[id_], by, change)
        if change.change == "replaces":
            found = {id_: one for id_, one in found.items() if id_ not in change.powers}
    return found


def _lent(
    wanted: tuple[str, ...], lenders: Iterable[tuple[str, tuple[str, ...]]], library: Library
) -> Iterator[tuple[Power, str]]:
    for lender, powers in lenders:
        for id_ in wanted:
            if id_ in powers and library.has(Power, id_):
                yield library.get(Power, id_), lender


def _changed(one: Usable, by: Usable, change: ChangePower) -> Usable:
    if change.change == "give_instead":
        return replace(one, instead=True, via=by.id)
    if change.change == "give_also":
        return replace(one, also=True, each=change.each, via=by.id)
    if change.change == "more_targets":
        return replace(one, more=change.each, via=by.id)
    if change.change == "cap":
        return replace(one, cap=max(one.cap, change.amount), via=by.id)  # stage.power_effect.bonus_cap_up
    return one


@cached_by_identity
def powers_of(powers: tuple[str, ...], library: Library, typos: PowerTypos) -> tuple[Usable, ...]:
    """The powers that a character has by themselves, remembered."""
    return tuple(usable(powers, library, typos).values())
