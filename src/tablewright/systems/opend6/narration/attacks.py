"""Sayings for attacks, manoeuvres, defences and grips."""

from __future__ import annotations

from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.phrases import article, count, tries_again
from tablewright.game.narration.sayings import Fact
from tablewright.systems.opend6.narration.throws import spend
from tablewright.systems.opend6.narration.words import plural_verb, sayings

_INJURIES = {
    "stunned": "stuns {who}",
    "wounded": "wounds {who}",
    "severely_wounded": "wounds {who} severely",
    "incapacitated": "leaves {who} incapacitated",
    "mortally_wounded": "wounds {who} mortally",
    "dead": "kills {who}",
}
_ANNOUNCED = {
    "all_out": "{by} attacks all out: ",
    "sweep": "{by} sweeps wide: ",
    "lunge": "{by} lunges: ",
}
_WRESTLING = {
    "hold": ("grabs", "grab"),
    "choke": ("seizes", "choke"),
    "flip": ("flips", "flip"),
    "tackle": ("tackles", "tackle"),
    "pin": ("pins down", "pin down"),
    "pin_part": ("pins", "pin"),
    "push": ("pushes", "push"),
    "knockdown": ("trips", "trip"),
    "disarm": ("strikes at the hand of", "disarm"),
    "entangle": ("entangles", "entangle"),
}


def _weapon(draft: EntryDraft, fact: Fact) -> str:
    """The weapon as the subject of a sentence: the missile if one was shot, otherwise the thing itself."""
    for changed in draft.events("BelongingsChanged"):
        done = str(changed.get("what", ""))
        if done.startswith("shoots "):
            return draft.voice.thing(done.removeprefix("shoots ").replace(" ", "_"))
    return draft.voice.thing(str(fact.get("weapon") or "unarmed"))


def _target(draft: EntryDraft, at: str) -> str:
    """The part or size that a called shot aims at, as an object of "aims at"."""
    if at.endswith("cm"):
        return f"a {at[:-2]} cm target on {{who}}"
    return "a tiny target on {who}" if at == "tiny" else f"{{who}}'s {draft.voice.thing(at)}"


@sayings.on("Struck", "who", "by", "hit", "level", actor="by")
def _struck(draft: EntryDraft, fact: Fact) -> None:
    for whose, points, fate in (("by", "points", "fate"), ("who", "their_points", "their_fate")):
        spend(draft, fact[whose], fact.get(points, 0), fact.get(fate, 0))
    manoeuvre, at = str(fact.get("manoeuvre") or ""), str(fact.get("at") or "")
    noun = _weapon(draft, fact)
    if manoeuvre in _WRESTLING:
        _wrestled(draft, fact, manoeuvre, noun)
    elif manoeuvre == "called" and at:
        _called(draft, fact, at, noun)
    elif not manoeuvre and draft.about(fact).get("again") and not injury(draft, fact):
        end = "does no harm" if fact["hit"] else "misses"
        draft.say(f"{{by}} {tries_again(draft.about(fact)['again'])}, and the {noun} {plural_verb(noun, end)}.", fact)
    else:
        flat = manoeuvre == "flat"
        lead = _ANNOUNCED.get(manoeuvre, "")
        subject = f"{lead}the {noun}" if lead else f"the flat of {{by}}'s {noun}" if flat else f"{{by}}'s {noun}"
        draft.say(f"{subject} {_effect(draft, fact, noun)}.", fact)
    _note_harm(draft, fact)


def _effect(draft: EntryDraft, fact: Fact, noun: str) -> str:
    """Predicate of an attack: it misses, does no harm, or hurts."""
    if not fact["hit"]:
        return plural_verb(noun, draft.pick("misses {who}", "goes wide of {who}"))
    hurt = injury(draft, fact)
    if hurt:
        return plural_verb(noun, hurt)
    many = plural_verb(noun, "strikes") == "strike"
    ends = draft.pick("without harm", "to no effect", f"and {'do' if many else 'does'} no harm")
    return f"{'strike' if many else 'strikes'} {{who}} {ends}"


def injury(draft: EntryDraft, fact: Fact) -> str:
    """Effect of a hit as a predicate; empty if it does no harm."""
    if fact.get("stunned"):
        return f"knocks {{who}} out for {count(fact['stunned'], 'minute')}"
    if fact.get("loss"):
        return f"hits {{who}} for {count(fact['loss'], 'Body Point')}"
    if not fact.get("harm"):
        return ""
    told = _INJURIES.get(fact["level"], "hits {who}")
    falls = [one for one in draft.events("Endured") if one["who"] == fact["who"]]
    if fact["level"] == "incapacitated" and falls:
        told += " but still awake" if falls[-1].get("awake") else " and out cold"
    return told


def _wrestled(draft: EntryDraft, fact: Fact, manoeuvre: str, noun: str) -> None:
    does, verb = _WRESTLING[manoeuvre]
    if not fact["hit"]:
        draft.say(f"{{by}} tries to {verb} {{who}} and fails.", fact)
        return
    hurt = injury(draft, fact)
    if hurt and noun != "bare hands":
        draft.say(f"{{by}}'s {noun} {plural_verb(noun, hurt)}.", fact)
    elif hurt:
        draft.say(f"{{by}} {does} {{who}} and {hurt.replace('{who}', 'the victim')}.", fact)
    elif not draft.events("Gripped", "Tangled", "Dropped", "Taken"):
        weapon = fact.get("weapon") if manoeuvre in ("disarm", "pin_part", "entangle") else None
        draft.say(f"{{by}} {does} {{who}}[ with {{weapon:the}}].", fact, weapon=weapon)


def _called(draft: EntryDraft, fact: Fact, at: str, noun: str) -> None:
    if not fact["hit"]:
        draft.say(f"{{by}} aims at {_target(draft, at)} and misses.", fact)
        return
    hurt = injury(draft, fact)
    if hurt:
        draft.say(f"{{by}} aims at {_target(draft, at)}: the {noun} {plural_verb(noun, hurt)}.", fact)
    else:
        draft.say(f"{{by}} aims at {_target(draft, at)} and hits it, without harm.", fact)


def _note_harm(draft: EntryDraft, fact: Fact) -> None:
    """The consequence of an injury, for chips."""
    who = fact["who"]
    if fact.get("stunned"):
        draft.after(who, "out", f"out for {count(fact['stunned'], 'minute')}")
    elif fact.get("loss"):
        draft.after(who, "harm", count(fact["loss"], "Body Point"), fact["loss"])
    elif fact.get("harm"):
        draft.after(who, "out" if fact["level"] == "dead" else "harm", draft.voice.word(fact["level"]))


@sayings.on("Swung", "who", actor="who")
def _swung(draft: EntryDraft, fact: Fact) -> None:
    spend(draft, fact["who"], fact.get("points"), fact.get("fate"))
    if not draft.voice.has(fact.get("target")):
        return
    if fact.get("how"):
        weapon = draft.voice.thing(str(fact["how"]).partition(",")[0].replace(" ", "_"))
        draft.lead("{who} attacks {target:name} with {weapon:text} ...", fact, weapon=article(weapon))
    elif not draft.events("Struck") and "swing" in fact and fact["swing"] is None:
        draft.say("{who}'s attack on {target:name} comes to nothing.", fact)


@sayings.on("RangeRolled", "who", "metres")
def _range_rolled(draft: EntryDraft, fact: Fact) -> None:
    draft.note(f"the throw goes {count(fact['metres'], 'metre')}")


@sayings.on("Hurt", "who", "by", "level")
def _hurt(draft: EntryDraft, fact: Fact) -> None:
    spend(draft, fact["who"], fact.get("points"), fact.get("fate"))
    by, hurt = str(fact["by"]), injury(draft, fact)
    if draft.voice.has(by):
        draft.actor(by)
        draft.say(f"{{by:name}}'s grip {hurt or 'does {who} no harm'}.", fact)
    else:
        draft.actor(fact["who"])
        noun = draft.voice.words.get(by) or draft.voice.content(by) or article(draft.voice.thing(by))
        noun = noun if by in draft.voice.words or _is_hazard(noun) else f"the {draft.voice.thing(by)}"
        draft.say(f"{{noun:text}} {hurt or 'does {who} no harm'}.", fact, noun=noun)
    _note_harm(draft, fact)


def _is_hazard(noun: str) -> bool:
    """True if a noun brings its article along, or needs none."""
    return noun.startswith(("A ", "The ", "Extreme ", "Strong ", "Botulism", "Nightshade"))


_DEFENDS = {"dodge": "dodges", "fighting": "blocks", "melee_combat": "parries"}


@sayings.on("Defended", "who", "defence", actor="who")
def _defended(draft: EntryDraft, fact: Fact) -> None:
    spend(draft, fact["who"], fact.get("points"), fact.get("fate"))
    defence = fact["defence"]
    verb = _DEFENDS.get(defence["skill"], "defends")
    whole = " with all actions" if defence.get("full") else ""
    draft.after(fact["who"], "state", f"hit on {defence['total']} or more")
    draft.say(f"{{who}} {verb}{whole}: only {defence['total']} or more will hit.", fact)


_GRIPS = {
    "held": "{by} grabs {who}[ by the {part:text}] and holds on.",
    "choked": "{by} has {who} by the neck and chokes.",
    "tackled": "{by} brings {who} to the ground and holds on.",
    "pinned": "{by} pins {who}[ by the {part:text}].",
}


sayings.say(
    "Gripped",
    "{by} has hold of {who}.",
    reads=["who", "by"],
    cases=("how", _GRIPS),
    after=("state", "{how:text}"),
    actor="by",
)
sayings.say(
    "Unbalanced",
    "{down:if}{who} goes down[: -{dice}D on the next Agility roll].",
    "[{dice:if}{who} staggers: -{dice}D on the next Agility roll.]",
    reads=["who", "dice"],
)


@sayings.on("Released", "who", "by")
def _released(draft: EntryDraft, fact: Fact) -> None:
    if draft.voice.has(fact["by"]):
        draft.say("{by:name} lets go of {who}.", fact)
    else:
        draft.say("{who} breaks free." if draft.throws else "{who} is free.", fact)


sayings.say("Released", "{who} is free.")
sayings.say("Tangled", "{who} is entangled: it takes {strength} to get free.", "{who} is entangled.")


@sayings.on("Dropped", "who", "item")
def _dropped(draft: EntryDraft, fact: Fact) -> None:
    draft.after(fact["who"], "state", "disarmed")
    struck = [one for one in draft.events("Struck") if one["who"] == fact["who"] and one.get("manoeuvre") == "disarm"]
    if struck:
        draft.say("{by:name} knocks {item:the} out of {who:name}'s hand.", fact, by=struck[-1]["by"])
    else:
        draft.say("{who} loses hold of {item:the}.", fact)


sayings.say(
    "Complicated", "Something goes wrong for {who}: a {severity} complication.", "Something goes wrong for {who}."
)
sayings.quiet("SkillUsed", "PointsAsked")
