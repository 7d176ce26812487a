"""Attacks of The Stage: hits, misses, defences and blocks."""

from __future__ import annotations

from typing import Any

from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.phrases import article, tries_again
from tablewright.game.narration.sayings import Fact
from tablewright.systems.stage.narration.words import sayings

# ---------------------------------------------------------------------- attacks

_VERBS = {"parry": "parries", "dodge": "dodges", "counter": "counters", "block": "blocks", "catch": "catches"}
_ELEMENTS = {"fire": "fiery", "cold": "icy", "ice": "icy", "electricity": "crackling", "acid": "searing"}
_STRIKES = {
    "spear": ("strikes", "pierces", "finds"),
    "bow": ("strikes", "hits", "finds"),
    "bare hands": ("strike", "hit", "find"),
    "Flare": ("burns", "scorches", "sears"),
}


def _with(draft: EntryDraft, fact: Fact) -> str:
    """The weapon as the subject of a sentence: ammunition, the thing itself, a power."""
    what = str(fact["what"])
    for changed in draft.events("BelongingsChanged"):
        done = str(changed.get("what", ""))
        if done.startswith("uses up "):
            return draft.voice.thing(done.removeprefix("uses up ").replace(" ", "_"))
    name, _, kind = what.partition(" (")
    if kind:
        element = kind.rstrip(")")
        return f"{_ELEMENTS.get(element, element)} {name}"
    if draft.chosen()[2].endswith("@throw"):
        return f"thrown {what}"
    return draft.voice.words.get(what, what)


def _strikes(draft: EntryDraft, noun: str) -> str:
    known = next((verbs for name, verbs in _STRIKES.items() if name in noun), ("strikes", "hits", "catches"))
    return draft.pick(*known)


@sayings.on("AttackDeclared", "who", "by", "what", actor="by")
def _declared(draft: EntryDraft, fact: Fact) -> None:
    draft.told["again"] = 0 if _way(draft) else draft.about(fact).get("again", 0)
    draft.lead("{by} attacks {who} with {weapon:text} ...", fact, weapon=article(_with(draft, fact)))


@sayings.on("Attacked", "who", "by", "what", "hit")
def _attacked(draft: EntryDraft, fact: Fact) -> None:
    trap = fact["by"] == fact["who"]
    if not trap:
        draft.actor(fact["by"])
    noun = _with(draft, fact)
    values: dict[str, Any] = {"noun": noun, "weapon": "the {noun}" if trap else "{by}'s {noun}"}
    values["defence"] = defence_word(fact.get("defence"))
    form = str(fact.get("form") or "").partition("+")[0]
    if form and form != "plain":
        draft.note(draft.voice.term(form))
    for whose, paid in (("by", "spent"), ("who", "paid"), ("ally", "lent")):
        draft.price(str(fact.get(whose, "")), fact.get(paid))
    if not fact["hit"]:
        _missed(draft, fact, values)
    else:
        _hit(draft, fact, values)
    if fact.get("survived"):
        draft.say("{power:text} keeps {who} alive by a last point.", fact, power=draft.voice.term(fact["survived"]))
    fallen(draft, fact)


def defence_word(word: Any) -> str:
    """A defence without its powers; empty for none."""
    word = str(word or "").partition("+")[0]
    return "" if word == "nothing" else word


def _way(draft: EntryDraft) -> str:
    """The attack's special form: a charge, a snipe, or none."""
    return draft.chosen()[0] if draft.chosen()[0] in ("charge", "snipe") else ""


def _missed(draft: EntryDraft, fact: Fact, values: dict[str, Any]) -> None:
    defence, way = values["defence"], _way(draft)
    weapon = values["weapon"].replace("{noun}", values["noun"])
    saver = "{ally:name}" if fact.get("ally") and draft.voice.has(fact["ally"]) else "{who}"
    if fact.get("botch"):
        goes = "go" if values["noun"].endswith("hands") else "goes"
        draft.say(f"{{by}} botches: {_the(values['noun'])} {goes} wide of {{who}}.", fact)
        draft.say("The game master says what goes wrong.")
    elif defence:
        verb = _VERBS.get(defence, f"answers with {draft.voice.word(defence)}:")
        whose = _the(values["noun"]) if way == "charge" else weapon
        if defence not in _VERBS:
            draft.say(f"{saver} wards off {weapon} with {draft.voice.term(defence)}.", fact)
        elif way == "charge":
            whom = "" if saver == "{who}" else " {who}"
            draft.say(f"{{by}} charges{whom}, and {saver} {verb} {whose}.", fact)
        elif way == "snipe":
            draft.say(f"{{by}} snipes at {{who}}, and {saver} {verb} {_the(values['noun'])}.", fact)
        elif draft.told.get("again"):
            for_whom = "" if saver == "{who}" else " for {who}"
            draft.say(f"{{by}} {tries_again(draft.told['again'])}, and {saver} {verb}{for_whom}.", fact)
        else:
            draft.say(f"{saver} {verb} {whose}{'' if saver == '{who}' else ' for {who}'}.", fact)
    elif way == "snipe":
        draft.say(f"{{by}} snipes at {{who}}: {_the(values['noun'])} goes wide.", fact)
    elif way == "charge":
        draft.say(f"{{by}} charges {{who}}, but {_the(values['noun'])} {_misses(values['noun'])}.", fact)
    else:
        draft.say(f"{weapon} {_misses(values['noun'])} {{who}}.", fact)


def _the(noun: str) -> str:
    """A weapon with its article; bare hands have none.

    >>> _the("spear"), _the("bare hands")
    ('the spear', 'bare hands')
    """
    return noun if noun == "bare hands" else f"the {noun}"


def _misses(noun: str) -> str:
    return "miss" if noun.endswith("hands") else "misses"


def _hit(draft: EntryDraft, fact: Fact, values: dict[str, Any]) -> None:
    defence, way, noun = values["defence"], _way(draft), values["noun"]
    damage, attribute = int(fact.get("damage", 0)), str(fact.get("attribute", "body")).title()
    lead = {"snipe": "{by} snipes at {who}: ", "charge": "{by} charges: "}.get(way)
    weapon = f"{lead}{_the(noun)}" if lead else values["weapon"].replace("{noun}", noun)
    many = noun.endswith("hands")
    past = f"get{'' if many else 's'} past {{who}}'s {draft.voice.word(defence).lower()}" if defence else ""
    block = str(fact.get("block") or "").partition("+")[0]
    whom = "" if way == "snipe" else " {who}"
    if damage:
        draft.after(fact["who"], "harm", f"{damage} {attribute}", damage)
    if draft.chosen()[0] == "grapple":
        draft.say("{by} grapples with {who}.", fact)
        if damage:
            draft.say(f"{{who}} loses {damage} {attribute}.", fact)
        return
    if block:
        arrives = past or f"{'strike' if many else 'strikes'} home"
        stopped = draft.told.get("stopped", 0)
        saves = f"{{who}} {_VERBS.get(block, 'stops')}"
        if block == "deflect":
            saves = "{ally:name} deflects" if draft.voice.has(fact.get("ally")) else "an ally deflects"
        if not damage and draft.told.get("again") and not past:
            it = "" if block in _VERBS else " it"
            draft.say(f"{{by}} {tries_again(draft.told['again'])}, and {saves}{it}.", fact)
            return
        if not damage:
            draft.say(f"{weapon} {arrives}, but {saves} it.", fact)
            return
        of = f" {stopped} of {stopped + damage}" if stopped else " part of it"
        if block == "deflect":
            draft.say(f"{weapon} {arrives}; {saves}{of}.", fact)
        else:
            draft.say(f"{weapon} {arrives}; the {draft.voice.word(block)} stops{of}.", fact)
        draft.say(f"{{who}} loses {damage} {attribute}.", fact)
    elif not damage:
        strikes = f"{weapon} {'strike' if many else 'strikes'}{whom or ' home'}"
        draft.say(f"{strikes}, and the armour turns {'them' if many else 'it'}.", fact)
    elif past:
        draft.say(f"{weapon} {past} for {damage} {attribute}.", fact)
    else:
        draft.say(f"{weapon} {_strikes(draft, noun)}{whom or ' home'} for {damage} {attribute}.", fact)


def fallen(draft: EntryDraft, fact: Fact) -> None:
    """Tell who is dead, unconscious or comatose now."""
    words = str(fact.get("fallen") or "")
    for told in [one.strip() for one in words.split(",") if one.strip()]:
        ends = told.replace(" is dead", " dies").replace(" is unconscious", " falls unconscious")
        draft.say("{told:text}.", told=ends)
    if words:
        draft.after(fact["who"], "out", "out of the fight")
