"""Sayings of attacks: hits, misses and defences."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.phrases import article, tries_again
from tablewright.game.narration.sayings import Fact
from tablewright.game.narration.voice import Voice
from tablewright.systems.mars.narration.words import COSTS, pay, sayings

_WARDS = {"evade": "evades", "parry": "parries"}
_SHOTS = ("bow", "sling", "gun", "rifle", "pistol")


def weapon_noun(voice: Voice, kind: str) -> str:
    """The noun for a weapon; bare hands strike with a fist."""
    return "fist" if kind == "unarmed" else voice.thing(kind)


def _weapon(draft: EntryDraft, fact: Fact) -> str:
    """The weapon of an attack as a noun: "straight sword", "second dagger"."""
    kind, _, number = str(fact["weapon"]).partition("#")
    name = weapon_noun(draft.voice, kind)
    return f"second {name}" if number == "2" else f"third {name}" if number == "3" else name


def _maneuver(draft: EntryDraft, fact: Fact) -> str:
    return draft.voice.term(fact["maneuver"]) if fact.get("maneuver") else ""


@sayings.on("AttackDeclared", "who", "target", "weapon")
def _declared(draft: EntryDraft, fact: Fact) -> None:
    pay(draft, fact)
    noun, by = _weapon(draft, fact), _maneuver(draft, fact)
    draft.told["again"] = 0 if by else draft.about(fact).get("again", 0)
    stray = bool((fact.get("blow") or {}).get("stray")) if isinstance(fact.get("blow"), Mapping) else False
    for earlier in ("ally", "defence", "with"):  # of the blow that went astray
        draft.told.pop(earlier, None)
    draft.told.update(noun=noun, maneuver=by, manner=fact.get("manner", "melee"), stray=stray, attacker=fact["who"])
    tried = {"shot": "shoots at {target:name} with", "thrown": "throws"}.get(
        str(fact.get("manner")), "attacks {target:name} with"
    )
    goal = " at {target:name}" if fact.get("manner") == "thrown" else ""
    how = f" ({by})" if by else ""
    draft.lead(f"{{who}} {tried} {article(noun)}{goal}{how} ...", fact)


sayings.quiet("AttackRolled", "AimedAnew", "WouldHit")


def _charge(draft: EntryDraft, fact: Fact) -> None:
    """Add the cost of a defence to the quiet line."""
    draft.price(fact["who"], {name: fact[name] for name in COSTS if fact.get(name)})


@sayings.on("Defended", "who", "how")
def _defended(draft: EntryDraft, fact: Fact) -> None:
    _charge(draft, fact)
    draft.told["defence"] = fact["how"]
    draft.told["with"] = fact.get("item", "")


sayings.on("Blocked", "who", "item")(_charge)


@sayings.on("Intercepted", "who", "ally")
def _intercepted(draft: EntryDraft, fact: Fact) -> None:
    _charge(draft, fact)
    if fact.get("reaction"):
        draft.cost(fact["who"], "reaction")
    draft.told["ally"] = fact["ally"]
    draft.lead("{who} steps in for {ally:name}.", fact)


def _weapon_of(draft: EntryDraft, fact: Fact) -> str:
    """The weapon with its owner: "Goblin's crude shortbow"."""
    noun = draft.told.get("noun")
    if not noun:
        return "{by}'s attack"
    if draft.told.get("stray"):
        return (
            f"{{by}}'s stray {'arrow' if 'bow' in noun else 'shot' if any(word in noun for word in _SHOTS) else noun}"
        )
    if draft.told.get("manner") == "thrown":
        return f"{{by}}'s thrown {noun}"
    return f"{{by}}'s {noun}"


@sayings.on("Missed", "who", "by", actor="by")
def _missed(draft: EntryDraft, fact: Fact) -> None:
    weapon, defence = _weapon_of(draft, fact), draft.told.get("defence")
    reason = str(fact.get("reason") or "")
    draft.note(draft.told.get("maneuver", ""))
    if reason:
        draft.say(f"{weapon} comes to nothing: {{reason:text}}.", fact, reason=reason)
    elif draft.told.get("ally"):
        how = f"and {_WARDS[defence]} {weapon}" if defence in _WARDS else f"and {weapon} misses"
        comma = "" if defence in _WARDS else ","
        draft.say(f"{{who}} steps in for {{ally:name}}{comma} {how}.", fact, ally=draft.told["ally"])
    elif draft.told.get("stray"):
        draft.say(f"{weapon} nearly hits {{who}}.", fact)
    elif defence in _WARDS and draft.told.get("again"):
        draft.say(f"{{by}} {tries_again(draft.told['again'])}, and {{who}} {_WARDS[defence]}.", fact)
    elif defence in _WARDS:
        draft.say(f"{{who}} {_WARDS[defence]} {weapon}.", fact)
    else:
        draft.say(f"{weapon} {draft.pick('misses', 'glances off', 'fails to reach')} {{who}}.", fact)


@sayings.on("Hit", "who", "by", "degree", "damage", actor="by")
def _hit(draft: EntryDraft, fact: Fact) -> None:
    damage, degree = int(fact["damage"]), str(fact["degree"])
    weapon, noun = _weapon_of(draft, fact), draft.told.get("noun") or "blow"
    if damage:
        draft.after(fact["who"], "harm", f"{damage} damage", damage)
    by = draft.told.get("maneuver")
    if draft.told.get("ally"):
        what = f"{{by}}'s {by}" if by else weapon
        how = "a critical hit, " if degree == "critical" else "a graze, " if degree == "graze" else ""
        harm = f"{how}{damage} damage" if damage else f"{how}and the armour stops it" if how else "the armour stops it"
        draft.say(f"{{who}} steps between {{ally:name}} and {what}: {harm}.", fact, ally=draft.told["ally"])
        return
    draft.note(by or "")
    if fact.get("item") and fact.get("shield"):
        shield = draft.voice.thing(fact["item"])
        beats = f"beats {{who}}'s {draft.told['defence']}" if draft.told.get("defence") == "parry" else "gets through"
        ends = "stops the blow" if not damage else f"takes {fact['shield']} of it: {damage} damage"
        draft.say(f"{{by}} {beats}, but the {shield} {ends}.", fact)
    elif degree == "critical":
        draft.say(f"{{by}} lands a critical hit on {{who}} with {article(noun)}: {damage} damage.", fact)
    elif not damage:
        draft.say(f"{weapon} hits {{who}}, and the armour stops it.", fact)
    elif degree == "graze":
        draft.say(f"{weapon} grazes {{who}} for {damage}.", fact)
    else:
        draft.say(f"{weapon} {draft.pick('hits', 'strikes', 'catches')} {{who}} for {damage}.", fact)
