"""Sayings for the order of acting and for turns: movement, stances, waiting, loading."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.entry import Named, Sentence
from tablewright.game.narration.phrases import count, plural, small
from tablewright.game.narration.sayings import Fact
from tablewright.systems.opend6.narration.throws import spend
from tablewright.systems.opend6.narration.words import sayings


@sayings.on("InitiativeRolled", "who", "total", entry="order")
def _initiative_rolled(draft: EntryDraft, fact: Fact) -> None:
    spend(draft, fact["who"], fact.get("points"), 0)
    draft.told.setdefault("initiative", {})[fact["who"]] = fact["total"]
    draft.lead("{who} rolls {total} for initiative.", fact)


@sayings.on("OrderSet", "order", entry="order")
def _order_set(draft: EntryDraft, fact: Fact) -> None:
    totals = draft.told.get("initiative", {})
    known = [who for who in fact["order"] if draft.voice.has(who)]
    totals = totals if all(who in totals for who in known) else {}
    runs = _runs(draft, known, totals)
    told = [Sentence((name, f" ({totals[who]})" if who in totals else "")) for name, who in runs]
    if len(told) > 1:
        rest: list[Any] = []
        for at, one in enumerate(told[1:]):
            rest += [" and " if at and at == len(told) - 2 else ", " if at else "", *one.parts]
        acts = "acts" if runs[0][0] == draft.voice.name(known[0]) else "act"
        draft.say(f"{{first}} {acts} first, then {{rest}}.", first=told[0], rest=Sentence(tuple(rest)))


_NUMBERED = re.compile(r"(?P<name>.+) (?P<number>\d+)\Z")


def _runs(draft: EntryDraft, order: Sequence[str], totals: Mapping[str, int]) -> list[tuple[Named, str]]:
    """Names in order; those of one kind who follow each other with one total are told together."""
    found: list[tuple[Named, str]] = []
    first = last = 0
    for who in order:
        name = draft.voice.name(who)
        match = _NUMBERED.match(name.text)
        before = _NUMBERED.match(found[-1][0].text) if found else None
        joins = (
            match is not None
            and before is not None
            and int(match["number"]) == last + 1
            and before["name"]
            in (match["name"], *[f"{plural(match['name'])} {first} {word}" for word in ("and", "to")])
            and totals.get(found[-1][1]) == totals.get(who)
        )
        if match is not None and joins:
            last += 1
            between = "and" if last == first + 1 else "to"
            found[-1] = Named(f"{plural(match['name'])} {first} {between} {last}", found[-1][1]), found[-1][1]
        else:
            first = last = int(match["number"]) if match else 0
            found.append((name, who))
    return found


@sayings.on("Declared", "who", "actions", actor="who")
def _declared(draft: EntryDraft, fact: Fact) -> None:
    actions = fact["actions"]
    if fact.get("moved_up"):
        draft.say("{who} acts at once.", fact)
    if actions > 1:
        draft.say(f"{{who}} takes {small(actions)} actions this round.", fact)


@sayings.on("WasSurprised", "who")
def _was_surprised(draft: EntryDraft, fact: Fact) -> None:
    shared = draft.shared(fact)
    if shared is not None:
        draft.say(f"{{names:text}} {'are' if shared[1] else 'is'} surprised.", names=shared[0])


sayings.say("Quickened", "{who} reacts faster than the others and has one more action.")
sayings.say("FateBurned", "{who} calls on fate: a Fate Point, for the whole round.")


@sayings.on("Taken", "who", "on", actor="who")
def _taken(draft: EntryDraft, fact: Fact) -> None:
    on = str(fact["on"])
    if on.startswith("takes up "):
        if not draft.events("BelongingsChanged"):
            draft.lead("{who} takes up {what:a}.", fact, what=on.removeprefix("takes up ").replace(" ", "_"))
    elif on == "loses hold of it" and draft.events("Dropped"):
        return
    elif not (on.startswith("uses ") and draft.events("Checked")):
        draft.say("{who} {on:text}.", fact)


@sayings.on("CameBetween", "who")
def _came_between(draft: EntryDraft, fact: Fact) -> None:
    if not fact.get("over"):
        draft.lead("{who} has waited for this.", fact)


@sayings.on("Said", "who", "what", actor="who")
def _said(draft: EntryDraft, fact: Fact) -> None:
    if not draft.events("Checked"):
        draft.say("{who} {what:text}.", fact)


_WAYS = {
    "opend6.gap.movement.swimming": "swims",
    "opend6.gap.movement.climbing": "climbs",
    "opend6.gap.movement.jumping": "jumps",
}


@sayings.on("Walked", "who")
def _walked(draft: EntryDraft, fact: Fact) -> None:
    who = fact["who"]
    draft.actor(who)
    steps = [one for one in draft.events("Walked") if one["who"] == who]
    if fact is not steps[-1]:
        return
    if all(one.get("still") for one in steps):
        draft.lead("{who} gets nowhere.", fact)
        return
    ways = [draft.about(one) for one in steps]
    far = sum([int(way.get("far", 0)) for way in ways])
    verb = _WAYS.get(str(fact.get("cause")), "runs" if any(one.get("fast") for one in steps) else "")
    aim = {name: next((way[name] for way in reversed(ways) if name in way), None) for name in ("toward", "reached")}
    how_far = f" {count(far, 'metre', words=far <= 12)}" if far else ""
    if aim["reached"]:
        draft.lead(f"{{who}} {verb or 'moves'} up to {{reached:name}}.", fact, **aim)
    elif aim["toward"]:
        draft.lead(f"{{who}} {verb or 'advances'}{how_far} toward {{toward:name}}.", fact, **aim)
    else:
        draft.lead(f"{{who}} {verb or 'moves'}{how_far or ' away'}.", fact)


_STANCES = {"standing": "{who} stands up.", "crouched": "{who} crouches.", "prone": "{who} drops to the ground."}


@sayings.on("Stood", "who", "posture", actor="who")
def _stood(draft: EntryDraft, fact: Fact) -> None:
    draft.after(fact["who"], "state", str(fact["posture"]))
    draft.say(_STANCES.get(fact["posture"], "{who} is {posture} now."), fact)


@sayings.on("Aimed", "who", "at", "rounds", actor="who")
def _aimed(draft: EntryDraft, fact: Fact) -> None:
    if not fact["rounds"]:
        return
    whom = " at {at:name}" if draft.voice.has(fact["at"]) else ""
    again = f" for the {('second', 'third')[min(fact['rounds'], 3) - 2]} round" if fact["rounds"] > 1 else ""
    draft.note(f"+{min(3, fact['rounds'])}D on the shot")
    draft.say(f"{{who}} takes aim{whom}{again}.", fact)


sayings.say("Prepared", "{who} prepares for what comes next.")


@sayings.on("Readied", "who", "item", actor="who")
def _readied(draft: EntryDraft, fact: Fact) -> None:
    item = str(fact["item"])
    if draft.events("BelongingsChanged"):
        return
    if item.endswith("bow") and "cross" not in item:
        draft.say("{who} nocks another arrow.", fact)
    else:
        draft.say("{who} makes {item:the} ready again.", fact)
