"""The data of powers that are used in encounters, row by row against the ledger: every word and every number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import pytest

from systems.stage.people import library
from systems.stage.test_powers import ROWS, id_of, of_type
from tablewright.game.ledger import Ledger
from tablewright.systems.stage.powers import TYPES, Power

LEDGER = Ledger.load("stage")
Row: TypeAlias = Mapping[str, Any]

NEXT = "until=users_next_turn"
PENALTY, SPECIAL = "stack=penalty", "stack=special"


def leaves(data: Any, key: str = "") -> Iterator[str]:
    """Every plain value of some data as ``key=value``."""
    if isinstance(data, dict):
        for name, inside in data.items():
            yield from leaves(inside, name)
    elif isinstance(data, list):
        for inside in data:
            yield from leaves(inside, key)
    else:
        yield f"{key}={data}"


def told(power: Power) -> Counter[str]:
    """What a power's effects say."""
    return Counter(
        [leaf for one in power.effects for leaf in leaves(one.model_dump(mode="json", exclude_defaults=True))]
    )


def _on_defend(effect: Row, row: Row) -> list[str]:
    gives = effect["gives"]
    at = {"dodge": "dodged", "parry": "parried", "counter": "countered"}[effect["trigger"]]
    words = [f"at={at}", *[f"of={effect[name]}" for name in ("application", "school") if name in effect]]
    words += ["to=attacker"] if effect["to"] != "self" else []
    if "damage" in gives:
        return [*words, "what=damage", f"of={gives['damage']}", f"dice={gives['dice']}"]
    if "temporary" in gives:
        return [*words, "what=temporary", f"of={gives['temporary']}", f"dice={gives['dice']}"]
    if "teleport" in gives:
        return [*words, "what=teleport"]
    words.append(NEXT)
    if "flat" in gives:
        once = ["once=True", "accumulates=True"] if gives["on"] == "next attack" else []
        return [*words, "on=attack", f"flat={gives['flat']}", *once]
    return [*words, "on=body_skills", f"dice={gives['dice']}", "once=True", *([PENALTY] if gives["dice"] < 0 else [])]


def _extra_damage(effect: Row, row: Row) -> list[str]:
    moments = {"attack": "hit", "charge or power attack": "charge_hit", "ambush attack": "ambush_hit"}
    words = [
        f"at={moments[effect['when'].removesuffix(' hits')]}",
        "what=damage",
        "to=target",
        f"dice={effect['dice']}",
    ]
    application = effect.get("application", "any attack")
    words += [f"of={application}"] if application != "any attack" else []
    return [*words, *[f"of={kind}" for kind in effect["damage"]]]


def _attack_form(effect: Row, row: Row) -> list[str]:
    if effect["op"] == "unparryable":
        return ["what=parry", f"application={effect['application']}"]
    if effect["op"] == "all_in_reach":
        return ["what=attack_all_in_reach", f"application={effect['application']}"]
    if effect["op"] == "two_weapons":
        return ["what=two_weapons", *([f"penalty_flat={effect['penalty_flat']}"] if effect["penalty_flat"] else [])]
    return ["what=damage_type", *[f"of={kind}" for kind in effect["damage"]]]


def _target_penalty(effect: Row, row: Row) -> list[str]:
    on = {
        "opposed checks against you": "opposed_against_user",
        "one named skill": "one_skill",
        "next check": "any_check",
    }
    words = [f"on={on[effect['on']]}", PENALTY]
    words += [f"dice={-effect['dice']}"] if "dice" in effect else []
    words += [f"level_of={effect['flat_level_of']}"] if "flat_level_of" in effect else []
    words += ["to=foes_in_cube", f"level_of={row['skill']}"] if effect["targets"] == "multiple" else ["to=target"]
    if effect["on"] == "next check":
        return [*words, "until=targets_next_turn", "once=True"]
    if "rounds_level_of" in effect:
        return [*words, "until=level_rounds", f"level_of={effect['rounds_level_of']}"]
    return [*words, NEXT]


def _group_bonus(effect: Row, row: Row) -> list[str]:
    level = effect["amount_level_of"]
    words = ["to=targets", SPECIAL, f"level_of={level}", f"level_of={level}", "cubes=1"]
    if effect["on"] == "next check":
        return [*words, "on=any_check", "until=targets_next_turn", "once=True"]
    return [*words, "on=one_skill", "until=level_rounds"]


def _ap_strip(effect: Row, row: Row) -> list[str]:
    if effect["needs"] == "hit":
        return ["at=hit", f"of={effect['application']}", "what=lose_ap", "to=target"]
    return ["what=lose_ap", "to=target", "check=manipulation.insult"]


def _spell_modifier(effect: Row, row: Row) -> list[str]:
    return {
        "concentrate": lambda: ["actions=concentrate", f"ap={effect['ap']}"],
        "cheapen": lambda: [NEXT, "on=spell_cost", f"flat={-effect['amount']}", "once=True"],
        "dispel": lambda: ["what=dispel", "to=target", "check=counter"],
        "extend": lambda: ["op=extend"],
        "expand": lambda: ["op=expand"],
    }[effect["op"]]()


def _recovery(effect: Row, row: Row) -> list[str]:
    return {
        "meditate": ["what=rest"],
        "recompose_extra": ["on=recompose_per_day", f"flat={effect.get('per_day')}"],
        "recompose_in_encounter": ["what=recompose"],
    }[effect["op"]]


def _restore(effect: Row, row: Row) -> list[str]:
    amount = "dice=1" if effect["amount"] == "1d" else f"flat={effect['amount']}"
    return ["what=restore", "to=target", amount, *[f"of={track}" for track in effect["tracks"]]]


EXPECTED: dict[str, Callable[[Row, Row], list[str]]] = {
    "ally_cube_bonus": lambda e, r: [
        "to=allies_in_cube",
        NEXT,
        f"on={e['skill']}",
        f"dice={e['dice']}",
        f"instead_level_of={e['skill']}",
    ],
    "low_load_bonus": lambda e, r: [NEXT, f"on={e['skill']}", f"level_of={e['skill']}", SPECIAL, "when=light_load"],
    "hd_from_check": lambda e, r: [NEXT, "on=hit_difficulty", f"check={e['application']}", f"when={e['mode']}"],
    "deny_hd_bonuses": lambda e, r: ["to=target", NEXT, "what=hit_difficulty_bonuses"],
    "double_cover": lambda e, r: ["on=cover", "op=times", "factor=2"],
    "defend_other": lambda e, r: ["what=defend_neighbour", f"application={e['application']}"],
    "answer_ambush": lambda e, r: [
        "what=answer_ambush",
        f"application={e['application']}",
        *([f"penalty_dice={e['penalty_dice']}"] if e["penalty_dice"] else []),
    ],
    "parry_ranged": lambda e, r: ["what=parry_ranged", f"application={e['application']}"],
    "on_defend": _on_defend,
    "dodge_extra": lambda e, r: ["at=dodging", f"what={e['op']}"],
    "absorb_damage": lambda e, r: [
        "at=damaged",
        f"of={e['damage']}",
        f"on=damage.{e['damage']}",
        "op=ignore",
        f"level_of={e['amount_level_of']}",
    ],
    "ignore_armour": lambda e, r: ["on=target_armour", "op=ignore", f"level_of={e['amount_level_of']}"],
    "survive": lambda e, r: [
        "at=would_reach_zero",
        *[f"of={track}" for track in e["tracks"]],
        *[f"on={track}" for track in e["tracks"]],
        "op=at_least",
        "flat=1",
        f"per_day={e['per_day']}",
    ],
    "extra_ap": lambda e, r: ["what=gain_ap", f"flat={e['amount']}", *(["to=other"] if e["target"] == "other" else [])],
    "ap_strip": _ap_strip,
    "extra_damage": _extra_damage,
    "attack_form": _attack_form,
    "area_damage": lambda e, r: [
        "what=damage",
        "to=foes_in_cube",
        f"dice={e['dice']}",
        *[f"of={kind}" for kind in e["damage"]],
        f"check={e['application']}",
        f"level_of={r['skill']}",
    ],
    "target_penalty": _target_penalty,
    "group_bonus": _group_bonus,
    "dice_per_resource": lambda e, r: [
        NEXT,
        f"on={'opposed' if 'opposed' in e['on'] else 'any_check'}",
        SPECIAL,
        "dice=1",
        f"per={e['resource']}",
        f"most_level_of={r['skill']}",
        "once=True",
    ],
    "armour_use": lambda e, r: [f"what={e['op']}"],
    "free_step": lambda e, r: ["what=move"],
    "hide_in_plain_sight": lambda e, r: [
        "what=hide_in_plain_sight",
        "application=guile.sneak",
        f"penalty_dice={e['penalty_dice']}",
    ],
    "spell_modifier": _spell_modifier,
    "recovery": _recovery,
    "restore": _restore,
    "convert_disability": lambda e, r: [
        "to=target",
        "until=targets_next_turn",
        "on=disability",
        "op=ignore",
        "on=any_check",
        SPECIAL,
        "dice=1",
        "per=disability",
        "most_level_of=creativity",
    ],
    "enhance_item": lambda e, r: [
        "to=item",
        "until=level_rounds",
        f"level_of={e['rounds_level_of']}",
        "choose=True",
        "on=any_check",
        "flat=1",
        "on=resistance",
        "flat=1",
        "on=max_defense_points",
        "flat=2",
    ],
    "assist_equipment": lambda e, r: ["what=lend_weapon_bonus", f"application={e['application']}"],
    "reveal_tracks": lambda e, r: ["what=reveal", "to=target"],
    "telekinesis": lambda e, r: ["what=telekinesis"],
    "reroll": lambda e, r: ["at=rolled", f"of={e['skill']}", "what=reroll"],
    "war_cry": lambda e, r: [
        "until=end_of_encounter",
        "on=disability",
        "op=ignore",
        "what=restore",
        "of=stamina",
        "dice=1",
        "to=foes_in_cube",
        NEXT,
        "on=opposed_against_user",
        PENALTY,
        "level_of=intimidate",
    ],
}


@pytest.mark.rule("stage.power.vocabulary")
@pytest.mark.parametrize("name", [name for kind in EXPECTED for name in of_type(kind)])
def test_every_word_of_a_power_is_the_ledgers(name: str) -> None:
    row = ROWS[name]
    expected = Counter(EXPECTED[row["effect"]["type"]](row["effect"], row))
    assert told(library().get(Power, id_of(name))) == expected


USED: dict[str, str] = {
    **dict.fromkeys(["absorb_damage", "answer_ambush", "armour_use", "defend_other", "dodge_extra"], "reaction"),
    **dict.fromkeys(["double_cover", "parry_ranged", "reroll"], "reaction"),
    **dict.fromkeys(["ally_cube_bonus", "area_damage", "convert_disability", "deny_hd_bonuses"], "action"),
    **dict.fromkeys(["dice_per_resource", "enhance_item", "extra_ap", "free_step", "group_bonus"], "action"),
    **dict.fromkeys(["hd_from_check", "hide_in_plain_sight", "low_load_bonus", "restore"], "action"),
    **dict.fromkeys(["reveal_tracks", "target_penalty", "telekinesis", "war_cry"], "action"),
    **dict.fromkeys(["ap_cost", "ap_strip", "assist_equipment", "attack_form", "ignore_armour"], "announced"),
    **dict.fromkeys(["skill_die", "skill_level_flat", "substitute_skill", "swap_cost"], "announced"),
    "spell_modifier": "announced",
}
"""When powers of a type are used; those of other types always work."""

OTHERWISE = {
    "Quick Draw": "always",
    "Infuriate": "action",
    "Two-Weapon Fighting": "always",
    "Concussive Attack": "announced",
    "Insult to Injury": "announced",
    "Turnaround": "reaction",
    "Cantrips": "action",
    "Dispel": "action",
    "Battle Meditation": "always",
    "Battle Mage": "always",
    "Meditation": "action",
    "Second Wind": "action",
}


@pytest.mark.rule("stage.power.announce", "stage.power.format")
def test_when_every_power_is_used() -> None:
    for one in library().of(Power):
        unbound = one.type == "focus" and "cast_unbound" in str(one.effects)
        usual = "announced" if unbound else USED.get(one.type, "always")
        assert one.when == OTHERWISE.get(one.name, usual), one.name


@pytest.mark.rule("stage.option.magic")
def test_which_powers_are_magic() -> None:
    schools = {"animation", "animism", "apportation", "infusion", "projection", "psionics"}
    general = {"Focus", "Greater Focus", "Battle Meditation", "Cantrips", "Dispel", "Extend Spell", "Battle Mage"}
    for one in library().of(Power):
        assert one.magic is (one.skill in schools or one.name in {*general, "Expand Spell"})


@pytest.mark.rule("stage.power.format")
def test_what_special_costs_are() -> None:
    special = {one.name: one.special for one in library().of(Power) if one.special}
    assert set(special) == {name for name, row in ROWS.items() if row["cost"] == "special"}
    assert {special.pop(name) for name in of_type("share_power")} == {"as_borrowed"}
    assert special == {
        "Strategic Observation": "points",
        "Braggadocio": "points",
        "War Song": "each",
        "Pump-Up": "each",
        "Inspire Fear": "each",
        "Chorus": "each",
        "Dispel": "circle",
        "Extend Spell": "per_round",
        "Meditation": "once_a_day",
        "Battle Mage": "upkeep",
        "Expand Spell": "per_circle",
    }
    assert {one.name: one.hours for one in library().of(Power) if one.hours} == {"Meditation": 1, "Magnum Opus": 8}


@pytest.mark.rule("stage.gap.power.patterned", "stage.gap.power.ranged_combat")
def test_the_words_of_the_powers_of_the_gaps() -> None:
    for skill, names in LEDGER["stage.gap.power.patterned"].data.items():
        row = {"skill": skill, "dice": 1}
        assert told(library().get(Power, names[3])) == Counter(EXPECTED["ally_cube_bonus"](row, row))
        assert library().get(Power, names[3]).ap == 1
    shot = {"sniper": ["at=snipe_hit", "what=damage", "to=target", "dice=1", "of=body"]}
    shot["unerring_shot"] = ["what=dodge", "application=ranged_combat.attack"]
    shot["rapid_fire"] = ["actions=ranged_combat.attack", "ap=0"]
    for id_, words in shot.items():
        assert told(library().get(Power, id_)) == Counter(words)
    costs = {id_: dict(library().get(Power, id_).cost) for id_ in shot}
    assert costs == {"sniper": {}, "unerring_shot": {"intellect": 3}, "rapid_fire": {"intellect": 3}}


@pytest.mark.rule("stage.power.vocabulary")
def test_a_type_of_power_is_one_that_the_rules_know() -> None:

    assert set(TYPES) == {rule.id for rule in LEDGER.rules if rule.id.startswith("stage.power_effect.")}
    given = library().get(Power, "thief").model_dump()
    with pytest.raises(ValueError, match="is no type of power"):
        Power.model_validate({**given, "type": "luck"})
