"""Extent of random play in The Stage: calls of processes and checks, and participants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from conformance.extents import Extent
from systems.playing import character_in, with_character
from systems.stage.calls import CHECKS, POWERS, PROCESSES
from systems.stage.people import library
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import ANYONE, Facts
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.values import Frozen, Ranks, freeze
from tablewright.systems.stage.character.costs import choices_for
from tablewright.systems.stage.character.record import StageCharacter, Wounds
from tablewright.systems.stage.content import Armour, Enchantment, Gear, Spell, Weapon
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.status import Stance, Status
from tablewright.systems.stage.values import SKILLS

WEAPONS = tuple([one for one in library().of(Weapon) if not one.natural])
ARMOURS = tuple(library().of(Armour))
EACH = 18
"""Number of powers of each gifted character."""

LONGER = 14
"""After so many rounds a play is over: those who can do everything fight for long."""

# ---------------------------------------------------------------------- who meets whom


def _skilled(character: StageCharacter, level: int) -> StageCharacter:
    """As a creature with every skill: whatever its powers are, it can use them."""
    every: dict[str, int] = dict.fromkeys(SKILLS, level)
    return character.changed(kind="creature", race="human", skills=Ranks(every), points=0)


def _with_powers(character: StageCharacter, number: int) -> StageCharacter:
    taken = [POWERS[(number * EACH + place) % len(POWERS)] for place in range(EACH)]
    names = list(dict.fromkeys([one.id for one in taken] + [other for one in taken for other in one.requires]))
    lent = [other for one in taken for effect in one.effects for other in getattr(effect, "powers", ())]
    names += [other for other in dict.fromkeys(lent) if other not in names]
    chosen: dict[str, tuple[str, ...]] = {}
    for name in names:
        able = choices_for(library().get(Power, name), library())
        if able:
            chosen[name] = (able[number % len(able)],)
    return character.changed(powers=tuple(names), choices=Frozen(chosen))


def gifted(scenario: Scenario, number: int) -> Scenario:
    """The same people, skilled in everything, all with the same powers, which come up in turn, and their spells."""
    entrants = []
    for place, entrant in enumerate(scenario.entrants):
        own = _with_powers(_skilled(character_in("stage", entrant), 3 + number % 2), number)
        schools = {library().get(Power, name).skill for name in own.powers}
        spells = tuple([one.id for one in library().of(Spell) if schools.intersection(one.schools)])
        own = own.changed(
            belongings=(*ARMS[(place + number) % len(ARMS)], *_tools()),
            spells=spells,
            focus="wand",
            prepared=spells,
            enchantments=tuple([one.id for one in library().of(Enchantment)]),
            money=200,
        )
        entrants.append(with_character(entrant, own))
    bound = next(one.id for at, one in enumerate(entrants) if (at + number) % len(ARMS) == 0)
    start = freeze({"ambush": scenario.sides[number % 2]}) if number % 3 else scenario.start
    facts = Facts().set("bound", bound, "yes").set("cover", entrants[0].id, "1/2")
    return replace(scenario, entrants=tuple(entrants), rounds=LONGER, start=start, facts=facts)


ARMS: tuple[tuple[ItemStack, ...], ...] = (
    (ItemStack("wand", place="hand"), ItemStack("padded_coat", place="worn")),
    (ItemStack("mail_shirt", place="worn"),),
    (ItemStack("bow", place="hands"), ItemStack("arrow", 20, "belt"), ItemStack("short_sword", place="belt")),
    (ItemStack("spear", place="hand"), ItemStack("large_shield", place="hand"), ItemStack("helmet", place="worn")),
    (
        ItemStack("dagger", place="hand"),
        ItemStack("short_sword", place="hand"),
        ItemStack("leather_armour", place="worn"),
    ),
)


def _held(*items: str) -> tuple[ItemStack, ...]:
    """Things in the hands they take, and what they shoot."""
    found = []
    for item in items:
        weapon = library().get(Weapon, item) if library().has(Weapon, item) else None
        two = weapon is not None and weapon.size > 5
        worn = library().has(Armour, item) and not library().get(Armour, item).is_shield
        found.append(ItemStack(item, place="worn" if worn else "hands" if two else "hand"))
        if weapon is not None and weapon.ammunition is not None:
            found.append(ItemStack(weapon.ammunition, 20, "belt"))
    return tuple(found)


ADEPTS: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = (
    (("mind_sign", "mantra", "static_channel", "power_symbol", "still_flame", "silent_thought"), ("*",), (("wand",),)),
    (
        ("stunning_attack", "deflective_stance", "fighters_awareness", "mobility", "turnaround", "fighting_band"),
        (),
        ((), (), ("bow",), ("crossbow",)),
    ),
    (
        ("deflect_projectile", "double_attack", "whirlwind_attack", "crippling_attack", "full_defense", "lunge"),
        (),
        (("quarterstaff",), ("bow",), ("great_sword",), ("crossbow",)),
    ),
    (
        ("two_weapon_fighting", "imp_two_weapon_fighting", "rapid_attack", "combat_instinct", "retreat", "counter"),
        (),
        (("dagger", "short_sword"), ("hand_axe", "club"), ("battle_axe",)),
    ),
    (("barrage", "power_throw", "the_zone", "far_throw", "platoon"), (), (("javelin",), ("javelin",), ("spear",))),
    (
        ("slippery_mind", "slippery_soul", "sign_of_voiding", "chant_of_annulment", "voiding_thought", "hum"),
        ("daze", "soul_sting", "stoneskin", "spirit_guardian"),
        ((), ("wand",)),
    ),
    (("minor_telekinesis", "thugs", "power_of_the_body", "convoy", "cantrips", "disappearing_act"), (), ((),)),
    (
        ("mechanic", "combat_engineer", "instant_rig", "gangster", "manipulator", "artist", "tactical_perception"),
        (),
        (("club",),),
    ),
    (
        ("fortify", "the_strongest_link", "juggernaut", "extend_spell", "expand_spell", "battle_meditation"),
        ("ward", "stoneskin", "flare"),
        (("mail_shirt",), ("plate_harness", "small_shield"), ("short_sword", "leather_armour")),
    ),
    (("double_attack", "barrage"), (), (("spear",),)),
    (("vanish", "stomp"), (), (("sling",),)),
    (("barrage",), (), (("javelin",),)),
    (("aggravate", "braggadocio", "shared_mind"), ("mend_object",), (("club",),)),
    (("infuriate",), (), ((),)),
)
"""Powers that random play seldom comes to, each with the spells and the arms that lead to them."""


BROKEN = (ItemStack("crossbow", left=1),)
"""Things in the pack to be mended."""


def adepts(scenario: Scenario, number: int) -> Scenario:
    """The same people with a few powers each, and little else to do than to use them."""
    names, known, arms = ADEPTS[number % len(ADEPTS)]
    every = tuple([one.id for one in library().of(Spell)])
    spells = every if known == ("*",) else known
    more = tuple(dict.fromkeys([other for name in names for other in library().get(Power, name).requires]))
    entrants = []
    for place, entrant in enumerate(scenario.entrants):
        own = _skilled(character_in("stage", entrant), 4).changed(
            powers=(*names, *[one for one in more if one not in names]),
            choices=Frozen({}),
            spells=spells,
            focus="wand",
            prepared=spells,
            belongings=(*_held(*arms[place % len(arms)]), *_tools(), *BROKEN),
        )
        entrants.append(with_character(entrant, own))
    facts = Facts().set("bound", ANYONE, "yes") if known == ("*",) else scenario.facts
    start = freeze({"ambush": scenario.sides[1]}) if number % 2 else scenario.start
    return replace(scenario, entrants=tuple(entrants), rounds=LONGER, facts=facts, start=start)


def _tools() -> tuple[ItemStack, ...]:
    return tuple([ItemStack(one.id) for one in library().of(Gear) if one.tools_for and one.bonus == 0])


def _arms(number: int) -> tuple[ItemStack, ...]:
    weapon, armour = WEAPONS[number % len(WEAPONS)], ARMOURS[number % len(ARMOURS)]
    two = weapon.size > 5
    held = [ItemStack(weapon.id, place="hands" if two else "hand")]
    if weapon.ammunition is not None:
        held.append(ItemStack(weapon.ammunition, (20, 2)[number % 2], "belt"))
    if not armour.is_shield:
        held.append(ItemStack(armour.id, place="worn"))
    elif not two:
        held.append(ItemStack(armour.id, place="hand"))
    if not two and not armour.is_shield and number % 2:
        held.append(ItemStack("dagger", place="hand"))
    return tuple(held)


def _enchanted(number: int) -> ItemStack:
    one = library().of(Enchantment)[number % len(library().of(Enchantment))]
    item, place = {"weapon": ("short_sword", "hand"), "armour": ("padded_coat", "worn")}.get(
        one.goes_in, ("spear" if one.id == "returning" else "wand", "hand")
    )
    return ItemStack(item, place=place, more=freeze({"enchantments": [one.id], "energy": {one.energy: 1}}))


def armed(scenario: Scenario, number: int) -> Scenario:
    """The same people with other arms and armour, which come up in turn, or with something enchanted."""
    entrants = []
    for place, entrant in enumerate(scenario.entrants):
        own = character_in("stage", entrant)
        at = number * len(scenario.entrants) + place
        things = (_enchanted(at // 2),) if at % 2 else _arms(at // 2)
        skills = own.skills
        for skill in ("athletics", "ranged_combat", "close_combat", "projection", "medicine", "crafts", "guile"):
            skills = skills.put(skill, max(3, skills.get(skill, 0)))
        spare = (ItemStack("short_sword", place="belt"), ItemStack("ration", 2), ItemStack("water", 2), *_tools())
        own = own.changed(
            kind="creature",
            belongings=(*things, *spare),
            skills=skills,
            spells=("flare", "ward", "mend_object"),
            money=500,
        )
        entrants.append(with_character(entrant, own))
    return replace(scenario, entrants=tuple(entrants), rounds=LONGER)


def riders(scenario: Scenario, number: int) -> Scenario:
    """The same people with nothing but what they know of beasts and crafts, and one of those for almost everyone."""
    names = ("motor_car", "rowboat", "riding_horse", "motor_car")
    entrants = []
    for place, entrant in enumerate(scenario.entrants):
        own = _skilled(character_in("stage", entrant), 0).changed(
            powers=(), choices=Frozen({}), spells=(), belongings=()
        )
        own = own.changed(skills=own.skills.put("operate", 6).put("survival", 6))
        entrants.append(with_character(entrant, own))
        name = names[(number + place) % len(names)]
        entrants.append(replace(entrant, id=f"{name}-{place}", name="", character=name, document=None, hidden=False))
    return replace(scenario, entrants=tuple(entrants), rounds=LONGER)


TROUBLES: tuple[tuple[tuple[str, str], ...], ...] = (
    (("climbing", "9"), ("height", "20")),
    (("swimming", "8"),),
    (("balancing", "10"), ("height", "5")),
    (("darkness", "yes"),),
    (("cover", "1/2"), ("visibility", "bad")),
    (("gravity", "high"),),
    (("between", "yes"), ("high_ground", "yes")),
    (("heat", "yes"), ("bound", "yes")),
)


def troubled(scenario: Scenario, number: int) -> Scenario:
    """The same people on bad ground, in ambush or hidden, hurt, with a mount, a craft and somebody of a third side."""
    first = scenario.sides[number % 2]
    entrants = []
    last = len(scenario.entrants) - 1
    for place, entrant in enumerate(scenario.entrants):
        own = _skilled(character_in("stage", entrant), 2) if number % 2 else character_in("stage", entrant)
        if (number + place) % 4 == 0:
            own = own.changed(wounds=Wounds(stamina=1, vitality=2, sanity=0 if number % 8 == 3 else None))
        if number % 4 == 1:  # a masterpiece restores the mind of the last one
            own = own.changed(powers=("magnum_opus",), wounds=Wounds(sanity=1) if place == last else own.wounds)
        hidden = number % 3 == 2 and entrant.side == first
        side = "strays" if number % 4 == 3 and place == last else entrant.side
        entrants.append(replace(with_character(entrant, own), hidden=hidden, side=side))
    for place, name in enumerate(("riding_horse", ("rowboat", "motor_car", "cart")[number % 3])):
        with_whom = next(one for one in entrants if one.side == first)
        entrants.append(replace(with_whom, id=f"{name}-{place}", name="", character=name, document=None, hidden=False))
    facts = Facts()
    for fact, value in TROUBLES[number % len(TROUBLES)]:
        whom = scenario.entrants[number % len(scenario.entrants)].id if fact in ("bound", "heat") else ANYONE
        facts = facts.set(fact, whom, value)
    sides = tuple(dict.fromkeys([one.side for one in entrants]))
    changed = replace(scenario, entrants=tuple(entrants), facts=facts, sides=sides, rounds=LONGER)
    if number % 3 == 0:
        return replace(changed, start=freeze({"ambush": first}))
    return replace(changed, start=freeze({"opens": first, "ask": True})) if number % 3 == 1 else changed


# ---------------------------------------------------------------------- conditions


def _conditions(status: Status) -> Iterator[str]:
    for name in ("dead", "insane", "comatose"):
        if getattr(status, name):
            yield name
    if status.unconscious:
        yield "unconscious"
    if status.under:
        yield "under water"
    if status.integrity == 0:
        yield "wrecked"
    for held in status.lasting:
        yield held.id


STATES = ("dead", "insane", "comatose", "unconscious", "under water", "wrecked")
TRICKED = ("held", "distracted", "provoked", "intimidated")
OWN = ("prepared", "tumbling", "stands_by", "controlled", "stationary", "soul_anchor")


EXTENT = Extent(
    more_conditions=(*STATES, *TRICKED, *OWN, *[f"stance={one}" for one in get_args(Stance)]),
    conditions=_conditions,
    never_negative=("stamina", "vitality", "intellect", "sanity", "will", "spirit", "ap"),
    checks=CHECKS,
    arguments=PROCESSES,
    casts={"gifted": gifted, "adepts": adepts, "armed": armed, "troubled": troubled, "riders": riders},
)
