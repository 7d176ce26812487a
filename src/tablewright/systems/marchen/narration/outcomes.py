"""Sayings of harm, facing the end, recovery, conditions and help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.game.narration.common_sayings import spelled
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.sayings import Fact
from tablewright.systems.marchen.narration.words import aspect_word, sayings

_FACES = {
    "catastrophic": "faces the end and is lost",
    "costly": "faces the end, fails at a cost and is down",
    "fail": "faces the end, fails and is down",
    "minor_fail": "faces the end, fails and is down",
    "fail_in_style": "faces the end, fails in style and is down",
    "tie": "faces the end and stays up, by a tie",
    "succeed": "faces the end and stays up",
    "succeed_in_style": "faces the end and rallies",
    "critical": "faces the end and rallies",
    "serendipitous": "faces the end and comes back stronger",
}
_LOST = {
    "physical": "faces the end and dies",
    "mental": "faces the end, and the mind gives way",
    "social": "faces the end and is an outcast",
    "spiritual": "faces the end and loses the soul",
}
_DOWN = ("catastrophic", "costly", "fail", "minor_fail", "fail_in_style")


def face_words(word: str, aspect: str) -> str:
    """Words for facing the end: "faces the end, fails and is down"."""
    if word == "catastrophic":
        return _LOST.get(aspect, _FACES["catastrophic"])
    dying = ", dying" if aspect == "physical" and word in ("costly", "fail", "minor_fail") else ""
    return _FACES.get(word, "faces the end") + dying


def is_down(word: object) -> bool:
    """True if the end was faced and not survived."""
    return str(word or "") in _DOWN


def faced(whom: str, word: str, aspect: str, *, but: str = "") -> str:
    """A sentence on facing the end; ``but`` follows for those who stay up."""
    told = f"{whom} {face_words(word, aspect)}"
    return f"It is too much: {told}." if is_down(word) else f"{told}{but}."


def suffer(draft: EntryDraft, who: str, suffered: Mapping[str, Any], aspect: str) -> None:
    """Tell what a participant suffers outside the main sentence."""
    damage = int(suffered.get("damage") or 0)
    if damage:
        draft.after(who, "harm", f"{damage} {aspect_word(draft, aspect)}", damage)
        draft.say(f"{{whom:name}} takes {damage} {aspect_word(draft, aspect)} damage.", whom=who)
    elif not suffered.get("face") and not suffered.get("condition"):
        draft.say(f"{{whom:name}} takes no {aspect_word(draft, aspect)} damage.", whom=who)
    if suffered.get("soaked"):
        draft.note(f"armour stops {suffered['soaked']}")
    if suffered.get("condition"):
        draft.after(who, "state", "a condition")
        draft.say("{whom:name} suffers a condition.", whom=who)
    if suffered.get("face"):
        draft.say(f"{{whom:name}} {face_words(str(suffered['face']), aspect)}.", whom=who)


@sayings.on("Harmed", "who", "aspect", "suffered", actor="who")
def _harmed(draft: EntryDraft, fact: Fact) -> None:
    if fact is draft.told.get("deed_at") and int(fact["suffered"].get("damage") or 0):
        _deed_harms(draft, fact)
        return
    suffer(draft, fact["who"], fact["suffered"], str(fact["aspect"]))


def _deed_harms(draft: EntryDraft, fact: Fact) -> None:
    """Tell the harm of a deed after the sentence that names its target."""
    suffered, aspect = fact["suffered"], str(fact["aspect"])
    damage, condition = int(suffered["damage"]), " and a condition" if suffered.get("condition") else ""
    draft.after(fact["who"], "harm", f"{damage} {aspect_word(draft, aspect)}", damage)
    draft.say(f"{damage} {aspect_word(draft, aspect)} damage{condition}.", fact)
    if suffered.get("face"):
        draft.say(faced("{who}", str(suffered["face"]), aspect), fact)


sayings.say("Ended", "{who} dies.", after=("out", "dead"))


REST = "marchen.gap.healing.rest"


@sayings.on("Healed", "who", "aspect", "amount", actor="who")
def _healed(draft: EntryDraft, fact: Fact) -> None:
    """Tell everything that heals for a character in one action in one sentence."""
    own = [one for one in draft.events("Healed") if one["who"] == fact["who"]]
    draft.after(fact["who"], "heal", f"{fact['amount']} {aspect_word(draft, fact['aspect'])}", fact["amount"])
    if fact is not own[-1]:
        return
    parts = []
    for aspect in dict.fromkeys([str(one["aspect"]) for one in own]):
        those = [one for one in own if one["aspect"] == aspect]
        left = those[-1].get("left")
        remains = "" if left is None else ", none remains" if left == 0 else f", {left} remains"
        amount = sum([int(one["amount"]) for one in those])
        parts.append(f"{amount} {aspect_word(draft, aspect)} damage{{whose}} heals{remains}")
    days = [int(one["amount"]) for one in draft.events("TimePassed")] if fact.get("cause") == REST else []
    span = spelled(draft.voice.span(sum(days))) if days else ""
    told = "; ".join(parts)
    if span:
        span = f"a {span.removeprefix('one ')}" if span.startswith("one ") and " and " not in span else span
        draft.say(f"{{who}} rests for {span}: {told.replace('{whose}', '')}.", fact)
    else:
        draft.say(f"{told.replace('{whose}', ' of {who}')}.", fact)


@sayings.on("Healed", "who", "aspect", actor="who")
def _healed_unseen(draft: EntryDraft, fact: Fact) -> None:
    draft.say(f"{{who}} recovers from {aspect_word(draft, fact['aspect'])} damage.", fact)


sayings.say("TreatedInVain", "The treatment does not help {who}.")
sayings.say("Stabilised", "{who} is stable.")
sayings.say("ConditionGained", "{who} suffers a condition: {name:text}.", "{who} suffers a condition.")
sayings.say("ConditionLost", "{who} gets rid of a condition: {name:text}.", "{who} gets rid of a condition.")


@sayings.on("HelpGained", "who", "name", "dm")
def _help_gained(draft: EntryDraft, fact: Fact) -> None:
    draft.after(fact["who"], "state", f"{fact['dm']:+d} on the next check")
    if draft.told.get("help") is not fact:
        draft.say(f"{{who}} has {fact['dm']:+d} on the next check: {{name:text}}.", fact)


sayings.quiet("HelpUsed")
sayings.say("MomentumLost", "{who} loses momentum.")


@sayings.on("Compelled", "who", "by", "degree", actor="by")
def _compelled(draft: EntryDraft, fact: Fact) -> None:
    trace = draft.trace("marchen.opposed")
    result = trace.get("result") if trace else None
    margin = abs(int(result.get("margin") or 0)) if isinstance(result, Mapping) else 0
    how = f", by {margin}" if margin else ""
    if str(fact["degree"]) == "success":
        draft.say(f"{{by}} makes {{who}} stand down{how}.", fact)
    else:
        draft.say(f"{{by}} tells {{who}} to stand down. {{who}} does not{how}.", fact)


# ---------------------------------------------------------------------- changes for good

sayings.match(
    "CharacterChanged",
    "what",
    (r"a raise is a season older", ""),
    (r"age (?P<years>\d+)", "{who} turns {years:text}."),
    (r"(?P<name>.+) is the heir", "{who} names {name:text} as heir."),
    (r"(?P<name>.+) is connected", "{who} makes a connection: {name:text}."),
    (r"(?P<name>.+) is a patron", "{name:text} is {who}'s patron now."),
    (r"(?P<name>.+) is dislike \((?P<number>[+-]\d)\)", "{name:text} dislikes {who} ({number:text})."),
    (
        r"(?P<name>.+) is (?P<rank>\w+) \((?P<number>[+-]\d)\)",
        "{name:text} is {rank:text} toward {who} ({number:text}).",
    ),
    (
        r"social standing (?P<number>-?\d+) for (?P<price>.+)",
        "{who} rises to social standing {number:text} for {price:text}.",
    ),
    (r"(?P<number>\d+) experience", "{who} has {number:text} experience."),
    (r"(?P<name>treasure|supply) (?P<number>\d+)", "{who}'s {name:text} is now {number:text}."),
    (r"trait: (?P<name>.+)", "{who} gains a trait: {name:text}."),
    (r"virtue: (?P<name>.+)", "{who} gains a virtue: {name:text}."),
    (r"a song: (?P<name>.+)", "{who} writes a song: {name:text}."),
    (r"trained: (?P<what>.+)", "{who} has trained: {what:text}."),
    (r"(?P<what>.+) taken back", "{who} takes back a step: {what:text}."),
    (r"outcast: .+", "{who} is an outcast: the social score falls by 2 for good."),
    (r"(?P<name>\w+) (?P<number>[+-]\d) for good", "{who}'s {name:text} score changes by {number:text} for good."),
    (r"(?P<what>(?:retires|holds|marries|hands|delves|burns|gives) .+)", "{who} {what:text}."),
    actor="who",
    lead=True,
)
