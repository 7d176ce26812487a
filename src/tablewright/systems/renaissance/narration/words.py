"""Vocabulary of Renaissance: resources, throws, strikes, conditions and grades."""

from __future__ import annotations

import re

from tablewright.game.narration.common_sayings import COMMON
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.phrases import count
from tablewright.game.narration.sayings import ConditionWords, Fact, Sayings
from tablewright.game.narration.voice import Voice

sayings = Sayings(COMMON, system="renaissance", unit="metre")
sayings.alike |= {"TookHold": ("what",)}
sayings.walks |= {"Walked"}
sayings.moves |= {"Walked"}
sayings.orders |= {"InitiativeRolled"}
sayings.resources |= {
    "standard": "standard action|standard actions",
    "quick": "quick action|quick actions",
    "task": "task action|task actions",
    "luck": "Luck",
}
sayings.words |= {
    "unarmed": "bare hands",
    "fray": "Fray",
    "armor_gap": "strike at an armour gap",
    "standard_action": "standard action",
    "dur_lost": "lost Durability",
    "renaissance.attack.target": "Target of the attack",
    "renaissance.attack.defences": "Target of the defence",
    "renaissance.clash.target": "Target of the attack",
    "DUR": "Durability",
    "STR": "Strength",
}
sayings.promises |= {
    "renaissance.attack.worth": "{n} by damage, wounds and Luck",
    "felled": "brings down {n}",
    "no_defeat": "",
}
sayings.name_throws(
    {
        "roll": "common_knowledge",
        "initiative": "initiative",
        "attack": "attack clash met two_weapons",
        "damage": "hurt landed amount",
        "footing": "keep_up",
        "scatter": "scatter",
        "stress": "stress",
        "resist": "resist",
        "check": "check margin success_margin simple_check lucky_check lucky_margin lucky_simple "
        "gifted_check opposed opposed_margin ordered variable two_rolls "
        "lucky_contest rolled_contest turned_contest",
        "binding": "bind",
        "task": "task",
    }
)

STRIKES = {
    "called_shot": "Called Shot",
    "knock_down": "Knock Down",
    "maim": "Maim",
    "mighty_blow": "Mighty Blow",
    "armor_gap": "Armour Gap",
}
"""Names of strikes."""

GRADES = {
    "critical_failure": "{who} fails critically at {what:term}",
    "exceptional_failure": "{who} fails badly at {what:term}",
    "normal_failure": "{who} fails at {what:term}",
    "normal_success": "{who} succeeds at {what:term}",
    "exceptional_success": "{who} succeeds exceptionally at {what:term}",
    "critical_success": "{who} succeeds critically at {what:term}",
}
"""Sentences for the grades of a check."""

sayings.conditions |= {
    "prone": ConditionWords("{who} goes down, prone.", "prone", "{who} gets up."),
    "grabbed": ConditionWords("[{by} holds on to {who}.|{who} is held.]", "grabbed", "{who} is free."),
    "stunned": ConditionWords("{who} is stunned.", "stunned", "{who} is clear-headed again."),
    "bleeding": ConditionWords("{who} is bleeding.", "bleeding", "{who} stops bleeding."),
    "burning": ConditionWords("{who} is on fire.", "burning", "The fire on {who} is out."),
    "hurried": ConditionWords("", "hurried", ""),
    "guarded": ConditionWords("{who} goes on full defence: +{degree} until {who}'s next turn.", "on full defence", ""),
    "braced": ConditionWords("{who} braces against a charge.", "braced", ""),
    "feinted": ConditionWords("", "off guard", ""),
    "weaving": ConditionWords("{who} weaves and is harder to hit.", "weaving", ""),
    "unaware": ConditionWords("{who} suspects nothing.", "unaware", "{who} is on the alert."),
    "assisted": ConditionWords("[{by} helps {who}.]", "assisted", ""),
    "rival": ConditionWords("{who} singles out [{by}] as a rival.", "rival", ""),
    "chemical": ConditionWords("", "under the influence", ""),
    "disease": ConditionWords("", "ill", ""),
    "covered": ConditionWords("{who} stands in the smoke.", "in smoke", "{who} is out of the smoke."),
    "unconscious": ConditionWords("{who} falls unconscious.", "unconscious", "{who} comes to."),
    "charmed": ConditionWords("{who} is charmed[ by {by}].", "charmed", "{who} shakes off the charm."),
    "cowed": ConditionWords("{who} is cowed.", "cowed", "{who} takes heart again."),
}

_MISSILES = {"bow": "arrow", "crossbow": "bolt", "sling": "stone"}


def plain_id(word: str) -> str:
    """Id of a thing without the hand that holds it and the skill that it is used with.

    >>> plain_id("throwing_knife@off~thrown_weapons")
    'throwing_knife'
    """
    return re.split("[@~]", word, maxsplit=1)[0]


def weapon_noun(voice: Voice, weapon: str) -> str:
    """A weapon as a noun: "halberd", "bite", "bare hands"."""
    return voice.thing(plain_id(weapon))


def missile(noun: str) -> str:
    """The subject of a hit: the missile of a weapon that shoots, otherwise the weapon itself.

    >>> missile("long bow"), missile("halberd")
    ('arrow', 'halberd')
    """
    return _MISSILES.get(noun.rpartition(" ")[2], noun)


def is_many(noun: str) -> bool:
    """True if a noun takes the verb of the plural: "claws", "bare hands"."""
    last = noun.rpartition(" ")[2]
    return last in ("claws", "hands", "talons", "teeth", "fists")


def harm_list(damage: int, wounds: int) -> list[str]:
    """Damage and wounds as members of a list.

    >>> harm_list(12, 1), harm_list(3, 0)
    (['12 damage', '1 wound'], ['3 damage'])
    """
    return [f"{damage} damage"] * bool(damage) + [count(wounds, "wound")] * bool(wounds)


def spend_luck(draft: EntryDraft, who: str, points: object) -> None:
    """Add spent Luck to the quiet line."""
    if isinstance(points, int) and points:
        draft.price(who, {"luck": points})


def degree_of(fact: Fact) -> int:
    """Degree of the effect of a fact."""
    return int(fact["what"].get("degree") or 0)
