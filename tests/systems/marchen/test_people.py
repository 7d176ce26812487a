"""The people of the starter pack: every creature and template with what is written of them."""

from __future__ import annotations

from typing import Any

import pytest

from systems.marchen.people import library, template
from tablewright.systems.marchen.content import Gear
from tablewright.systems.marchen.values import SCORES

PEOPLE: dict[str, dict[str, Any]] = {
    "soldier": {
        "scores": "3 -1 1 1 2 2 2 1 -1 1 1 1 2 -1 1 -2",
        "skills": (
            "athletics:1 drive_ride_pilot:0 etiquette:0 intimidation:0 leadership:0 life_sciences:0 "
            "melee_combat:1 perception:0 physical_sciences_survival:0 ranged_combat:0 ruggedness:1 stealth:0 "
            "unarmed_combat:0"
        ),
        "specials": ("Broadsword 2 2", "Shield 1 2"),
        "careers": ("soldier 3 2",),
        "has": ("sword (hand)", "shield (hand)", "mail (worn)", "dagger (pack)", "clothing (worn)"),
        "body": ("character", 30, 2, 0, ()),
        "owns": (7, 3, {"old captain": 1}),
    },
    "hunter": {
        "scores": "2 1 -1 1 3 2 1 2 1 2 -1 1 1 -1 -2 1",
        "skills": (
            "acrobatics:0 animal_handling:0 athletics:0 deception:0 engineering:0 insight:0 life_sciences:0 "
            "melee_combat:0 perception:0 physical_sciences_survival:1 ranged_combat:1 ruggedness:0 stealth:1 "
            "unarmed_combat:0"
        ),
        "specials": ("Bow 2 2", "Tracking 1 2"),
        "careers": ("hunter 3 2",),
        "has": ("bow (hand)", "jack (worn)", "dagger (pack)", "spear (pack)", "clothing (worn)", "snares (pack)"),
        "body": ("character", 30, 2, 0, ()),
        "owns": (6, 3, {"forester": 1}),
    },
    "healer": {
        "scores": "-1 2 1 3 -1 1 1 2 1 1 1 1 -1 -2 2 2",
        "skills": (
            "animal_handling:0 etiquette:0 insight:0 life_sciences:1 melee_combat:0 order:0 perception:0 "
            "performance:0 persuasion:0 physical_sciences_survival:0 ruggedness:0 social_sciences:0 "
            "theurgy:1 traditions:0"
        ),
        "specials": ("Healing Rite 2 2", "First Aid 2 2"),
        "careers": ("healer 3 2",),
        "has": (
            "cudgel (hand)",
            "shield (hand)",
            "padded (worn)",
            "clothing (worn)",
            "healers_bag (pack)",
            "2 herbs (pack)",
        ),
        "body": ("character", 30, 2, 0, ()),
        "owns": (6, 3, {"temple sister": 1}),
    },
    "mystic": {
        "scores": "-1 1 1 3 -1 1 1 1 1 2 -2 1 -1 2 2 2",
        "skills": (
            "arcana:1 chaos:0 deception:0 gnosis:0 insight:0 intimidation:0 investigation:0 melee_combat:0 "
            "metaphysics:0 perception:0 social_sciences:0 stealth:0 traditions:0"
        ),
        "specials": ("Fire 3 2", "Wards 2 2"),
        "careers": ("mystic 3 2",),
        "has": ("spear (hand)", "jack (worn)", "clothing (worn)"),
        "body": ("character", 30, 2, 0, ()),
        "owns": (6, 3, {"old master": 1}),
    },
    "courtier": {
        "scores": "-1 1 3 -1 -1 1 1 1 1 2 2 2 2 1 -2 1",
        "skills": (
            "bureaucracy:0 deception:1 drive_ride_pilot:0 etiquette:1 insight:0 intimidation:0 "
            "melee_combat:0 perception:0 performance:0 persuasion:1 social_sciences:0 style:0 traditions:0"
        ),
        "specials": ("Bluff 2 2", "Court 1 2"),
        "careers": ("courtier 3 3",),
        "has": ("dagger (hand)", "fine_clothes (worn)", "clothing (pack)"),
        "body": ("character", 30, 2, 0, ()),
        "owns": (8, 3, {"chamberlain": 1}),
    },
    "rogue": {
        "scores": "2 1 1 -2 1 3 1 1 2 2 -1 2 1 1 -1 -1",
        "skills": (
            "acrobatics:0 athletics:0 deception:1 engineering:0 insight:0 intimidation:0 investigation:0 "
            "melee_combat:0 perception:0 physical_sciences_survival:0 sleight_of_hand:1 stealth:1 "
            "unarmed_combat:0"
        ),
        "specials": ("Lockpicking 2 2", "Shadowing 1 2"),
        "careers": ("rogue 3 1",),
        "has": ("dagger (hand)", "jack (worn)", "clothing (worn)", "lockpicks (pack)"),
        "body": ("character", 30, 2, 0, ()),
        "owns": (8, 3, {"fence": 1}),
    },
    "wolf": {
        "scores": "1 -3 -2 -2 1 2 1 -4 -3 2 -4 -2 0 -4 -2 0",
        "skills": "athletics:1 perception:1 stealth:1 unarmed_combat:1",
        "specials": (),
        "careers": (),
        "has": (),
        "body": ("creature", 4, 0, 1, ("bite",)),
        "owns": (0, 0, {}),
    },
    "bandit": {
        "scores": "1 0 0 0 1 0 1 0 0 0 0 0 0 0 0 0",
        "skills": "intimidation:0 melee_combat:1 ranged_combat:0 stealth:0 unarmed_combat:0",
        "specials": ("Axe/Mace 1 2",),
        "careers": (),
        "has": ("cudgel (hand)", "shield (hand)", "padded (worn)"),
        "body": ("opponent", 24, 2, 0, ()),
        "owns": (1, 1, {}),
    },
    "archer": {
        "scores": "1 0 0 0 1 1 0 0 0 0 0 0 0 0 0 0",
        "skills": "melee_combat:0 perception:0 ranged_combat:1 stealth:1 unarmed_combat:0",
        "specials": ("Bow 1 2",),
        "careers": (),
        "has": ("bow (hand)", "dagger (pack)", "jack (worn)"),
        "body": ("opponent", 24, 2, 0, ()),
        "owns": (1, 2, {}),
    },
    "robber_knight": {
        "scores": "2 0 1 0 2 1 2 0 0 0 0 0 1 0 0 0",
        "skills": "drive_ride_pilot:1 intimidation:1 leadership:1 melee_combat:1 ruggedness:0 unarmed_combat:0",
        "specials": ("Broadsword 2 2",),
        "careers": (),
        "has": ("sword (hand)", "shield (hand)", "plate (worn)"),
        "body": ("opponent", 34, 2, 0, ()),
        "owns": (6, 3, {}),
    },
    "troll": {
        "scores": "4 -3 -3 -1 4 -2 4 -3 -3 -1 -4 -3 1 -3 -1 1",
        "skills": "athletics:1 intimidation:1 unarmed_combat:1",
        "specials": (),
        "careers": (),
        "has": (),
        "body": ("creature", 90, 0, 4, ("crushing_fist",)),
        "owns": (4, 0, {}),
    },
    "witch": {
        "scores": "-1 2 1 3 0 0 -1 1 0 2 0 2 2 1 -2 2",
        "skills": "arcana:1 chaos:1 deception:1 insight:0 life_sciences:1 unarmed_combat:0",
        "specials": ("Mischief 3 2", "Disguise 1 2"),
        "careers": (),
        "has": ("dagger (hand)",),
        "body": ("opponent", 70, 2, 0, ()),
        "owns": (5, 3, {}),
    },
    "ghost": {
        "scores": "-2 1 0 3 -4 2 -2 0 0 1 0 0 3 0 0 3",
        "skills": "intimidation:1 metaphysics:1 stealth:1 unarmed_combat:0",
        "specials": ("Threat 2 2",),
        "careers": (),
        "has": (),
        "body": ("creature", 200, 1, 6, ()),
        "owns": (0, 0, {}),
    },
    "bear": {
        "scores": "3 -3 -2 -1 3 0 3 -4 -3 1 -4 -2 1 -4 -2 0",
        "skills": "athletics:1 intimidation:0 perception:1 unarmed_combat:1",
        "specials": (),
        "careers": (),
        "has": (),
        "body": ("creature", 9, 0, 2, ("claws", "bite")),
        "owns": (0, 0, {}),
    },
}


def test_everybody_is_written_down() -> None:
    assert list(PEOPLE) == [entry.id for kind in ("templates", "creatures") for entry in library().of(kind)]


@pytest.mark.parametrize("id_", list(PEOPLE))
def test_people_are_as_they_are_written_down(id_: str) -> None:
    one, row = template(id_), PEOPLE[id_]
    assert " ".join([str(getattr(one.scores, name)) for name in SCORES]) == row["scores"]
    assert " ".join([f"{skill}:{level}" for skill, level in one.skills.items()]) == row["skills"]
    assert tuple([f"{each.name} {each.level} {each.tl}" for each in one.specializations]) == row["specials"]
    assert tuple([f"{each.career} {each.terms} {each.rank}" for each in one.careers]) == row["careers"]
    assert tuple([str(each) for each in one.belongings]) == row["has"]
    assert (one.kind, one.age, one.home_tl, one.hide, one.natural) == row["body"]
    assert (one.treasure, one.supply, dict(one.connections)) == row["owns"]


def _purses(terms: int, rank: int, connections: int) -> set[int]:
    """What one may have in the end who has served so many terms with such a rank and made so many connections."""
    found = {(0, 3, 0)}  # rank, Treasure, connections
    for _ in range(terms):
        after = set()
        for reached, treasure, known in found:
            after.add((reached, treasure, known))  # a costly term brings nothing
            for now in (reached, reached + 1):  # a plain failure and a success
                after |= {(now, treasure + 2 + now, known), (now, treasure, known + 1)}
        found = after
    return {treasure for reached, treasure, known in found if (reached, known) == (rank, connections)}


@pytest.mark.rule("marchen.gap.career.benefits", "marchen.gap.career.muster_out")
@pytest.mark.parametrize("name", ["soldier", "hunter", "healer", "mystic", "courtier", "rogue"])
def test_templates_own_what_their_careers_can_have_brought(name: str) -> None:
    one = template(name)
    (served,) = one.careers
    gear = [(library().get(Gear, item.item), item.count) for item in one.belongings if library().has(Gear, item.item)]
    spent = sum([(item.price or 0) * count for item, count in gear if item.id != "clothing"])
    assert set(one.connections.values()) == {1}
    assert one.treasure + spent in _purses(served.terms, served.rank, len(one.connections))
