"""Sayings of attacks: strikes, clashes and what they do to both sides."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.sayings import Fact
from tablewright.systems.marchen.narration.outcomes import faced, is_down, suffer
from tablewright.systems.marchen.narration.words import BY_FAR, SUCCEEDED, arms, aspect_word, degree, sayings

_VERBS = {
    "fright": ("frightens", "frighten"),
    "terror": ("terrifies", "terrify"),
    "psychic assault": ("assaults the mind of", "assault the mind of"),
    "snub": ("snubs", "snub"),
    "public insult": ("publicly insults", "insult"),
    "scandal": ("brings scandal on", "bring scandal on"),
    "minor curse": ("curses", "curse"),
    "curse": ("curses", "curse"),
    "damnation": ("damns", "damn"),
}
"""Attacks on the mind, the standing or the soul: the verb itself tells them."""


@sayings.on("BlowAnnounced", "by", "target", "blow", actor="by")
def _announced(draft: EntryDraft, fact: Fact) -> None:
    blow = fact["blow"]
    if not isinstance(blow, Mapping):
        draft.lead("Nothing comes of {by}'s attack.", fact)
        return
    verb = "clashes with" if blow["how"] == "clash" else "attacks"
    draft.lead(f"{{by}} {verb} {{target:name}} with {with_arms(arms(draft, blow['arms']))} ...", fact)


def with_arms(noun: str) -> str:
    """Arms after "with": "the sword", "bare hands"."""
    return noun if noun == "bare hands" else f"a {noun}" if noun in _VERBS else f"the {noun}"


@sayings.on("Struck", "who", "by", "arms", "degree", actor="by")
def _struck(draft: EntryDraft, fact: Fact) -> None:
    back = fact.get("back")
    loses = fact.get("control") is False and not _is_down(back)
    if loses:
        draft.after(fact["by"], "state", "in a bad spot")
    word = str(fact["degree"])
    if fact.get("answered") or word in ("won", "lost", "nobody wins"):
        _clash(draft, fact, loses)
    elif word in SUCCEEDED:
        _landed(draft, fact, loses)
    else:
        _failed(draft, fact, loses)


def _harm(draft: EntryDraft, fact: Fact) -> str:
    """The damage in words, noted as a consequence: "6 mental damage"."""
    hurt, aspect = _suffered(fact, "hurt"), aspect_word(draft, fact.get("aspect", "physical"))
    damage = int(hurt.get("damage") or 0)
    _note_endurance(draft, int(hurt.get("soaked") or 0) + damage)
    if damage:
        draft.after(fact["who"], "harm", f"{damage} {aspect}", damage)
    return f"{damage or 'no'} {aspect} damage"


def _note_endurance(draft: EntryDraft, known: int) -> None:
    """Add to the throw of endurance how much of the damage it stops, beside what armour does."""
    rolled = [throw for throw in draft.throws if throw.what == "damage" and throw.total is not None]
    if not rolled or draft.events("Spared"):
        return
    armour = re.search(r"armour stops (\d+)", rolled[-1].came)
    stops = int(rolled[-1].total or 0) - int(armour[1] if armour else 0) - known
    for throw in draft.throws:
        if throw.what == "endure" and not throw.came and stops > 0:
            draft.change(throw, came=f"stops {stops}")


def _landed(draft: EntryDraft, fact: Fact, loses: bool) -> None:
    noun, how, harm = arms(draft, fact["arms"]), degree(fact["degree"]), _harm(draft, fact)
    reaction = str(fact.get("reaction") or "none")
    strikes = "strike" if noun == "bare hands" else draft.pick("strikes", "hits", "finds")
    breaks = "break through" if noun == "bare hands" else draft.pick("breaks through", "beats", "gets past")
    blow = f"{strikes} {{who}}" if reaction == "none" else f"{breaks} {{who}}'s {reaction}"
    if fact.get("out"):
        falls = ", and {who} falls" if str(fact["out"]) == "felled" and not _faces(fact) else ""
        if noun in _VERBS:
            draft.say(f"{{by}} ends it with a {noun} against {{who}}: {how}, {harm}{falls}.", fact)
        else:
            draft.say(f"{{by}} ends it: {with_arms(noun)} {blow}, {how}.", fact)
            draft.say(f"{harm[:1].upper()}{harm[1:]}{falls}.", fact)
        if falls:
            draft.after(fact["who"], "out", "felled")
    elif str(fact.get("how")) == "end_the_fight":
        draft.say(f"{{by}} tries to end it with {with_arms(noun)} against {{who}}: only {how}, {harm}.", fact)
    elif noun in _VERBS:
        draft.say(f"{{by}} {_VERBS[noun][0]} {{who}}: {how}, {harm}.", fact)
    else:
        draft.say(f"{{by}}'s {noun} {blow}: {how}, {harm}.", fact)
    _aftermath(draft, fact)
    if loses:
        draft.say("{by} is in a bad spot.", fact)


def _faces(fact: Fact) -> bool:
    return bool(_suffered(fact, "hurt").get("face"))


def _suffered(fact: Fact, name: str) -> Mapping[str, Any]:
    """The harm to one of the two, as far as the viewer sees it."""
    found = fact.get(name)
    return found if isinstance(found, Mapping) else {}


def _aftermath(draft: EntryDraft, fact: Fact) -> None:
    hurt = _suffered(fact, "hurt")
    if hurt.get("soaked"):
        draft.note(f"armour stops {hurt['soaked']}")
    if hurt.get("condition"):
        draft.after(fact["who"], "state", "a condition")
        draft.say("{who} suffers a condition.", fact)
    if hurt.get("face"):
        falls = str(fact.get("out")) == "felled" and not _is_down(hurt)
        but = ", but falls all the same" if falls else ""
        draft.say(faced("{who}", str(hurt["face"]), str(fact.get("aspect", "physical")), but=but), fact)
        if falls or _is_down(hurt):
            draft.after(fact["who"], "out", "felled" if falls else "down")


def _failed(draft: EntryDraft, fact: Fact, loses: bool) -> None:
    noun, word = arms(draft, fact["arms"]), str(fact["degree"])
    reaction = str(fact.get("reaction") or "none")
    lead = "A catastrophe: " if word == "catastrophic" else ""
    spot = ", and {by} is in a bad spot" if loses else ""
    broken = any("condition" in str(one.get("what")) for one in draft.events("BelongingsChanged"))
    if noun in _VERBS:
        draft.say(f"{lead}{{by}} fails to {_VERBS[noun][1]} {{who}}{', and is in a bad spot' if loses else ''}.", fact)
    elif word == "catastrophic":
        damaged = " and is damaged" if broken else ""
        draft.say(f"{lead}{{by}}'s {noun} {'go' if noun == 'bare hands' else 'goes'} wide of {{who}}{damaged}.", fact)
        if loses:
            draft.say("{by} is in a bad spot.", fact)
    elif reaction in ("parry", "dodge"):
        verb = {"parry": "parries", "dodge": "dodges"}[reaction]
        draft.say(f"{{who}} {verb} {{by}}'s {noun}{spot}.", fact)
    else:
        misses = "miss" if noun == "bare hands" else "misses"
        draft.say(f"{{by}}'s {noun} {misses} {{who}}{spot}.", fact)
    if word not in ("fail", "catastrophic"):
        draft.note(degree(word))
    _struck_back(draft, fact)


def _struck_back(draft: EntryDraft, fact: Fact) -> None:
    """Tell the blow that a costly failure brings on the attacker."""
    back = _suffered(fact, "back")
    damage, aspect = int(back.get("damage") or 0), str(fact.get("back_aspect", "physical"))
    if not damage:
        if _counts(back):
            suffer(draft, fact["by"], back, aspect)
        return
    draft.after(fact["by"], "harm", f"{damage} {aspect_word(draft, aspect)}", damage)
    draft.say(f"{{who}} strikes back for {damage} {aspect_word(draft, aspect)} damage.", fact)
    if back.get("condition"):
        draft.say("{by} suffers a condition.", fact)
    if back.get("face"):
        draft.say(faced("{by}", str(back["face"]), aspect), fact)
        if _is_down(back):
            draft.after(fact["by"], "out", "down")


def _clash(draft: EntryDraft, fact: Fact, loses: bool) -> None:
    noun, word = arms(draft, fact["arms"]), str(fact["degree"])
    begins = "{by} and {who} clash"
    if str(fact.get("how")) == "end_the_fight":
        begins = f"{{by}} {'ends it' if fact.get('out') else 'tries to end it'} in a clash with {{who}}"
    far = " by far" if int(draft.told.get("margin") or 0) >= BY_FAR else ""
    if word == "won":
        harm = _harm(draft, fact)
        draft.say(f"{begins}; {{by}}'s {noun} {'win' if noun == 'bare hands' else 'wins'}{far}.", fact)
        falls = " and falls" if str(fact.get("out")) == "felled" and not _faces(fact) else ""
        draft.say(f"{{who}} takes {harm}{falls}.", fact)
        if falls:
            draft.after(fact["who"], "out", "felled")
        _aftermath(draft, fact)
    elif word == "lost":
        draft.say(f"{begins}; {{who}} wins{far}.", fact)
        back = _suffered(fact, "back")
        if _counts(back):
            suffer(draft, fact["by"], back, str(fact.get("back_aspect", "physical")))
    else:
        draft.say(f"{begins}; neither gives way.", fact)
    if loses and word == "won":
        draft.say("{by} is in a bad spot.", fact)


def _counts(suffered: Mapping[str, Any]) -> bool:
    return bool(suffered.get("damage") or suffered.get("condition") or suffered.get("face"))


def _is_down(suffered: object) -> bool:
    return isinstance(suffered, Mapping) and is_down(suffered.get("face"))
