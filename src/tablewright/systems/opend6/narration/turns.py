"""Sayings for the order of acting and for turns: movement, stances, waiting, loading."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.game.narration.common_sayings import moves_of, tell_way
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.entry import Named, Sentence
from tablewright.game.narration.phrases import plural, small
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


sayings.share("WasSurprised", "is surprised", "are surprised")
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


sayings.say("CameBetween", "[{over:if}|{who} has waited for this.]", reads=["who"], lead=True)
sayings.say("Said", "{who} {what:text}.", actor="who", unless="Checked")
_WAYS = {
    "opend6.gap.movement.swimming": "swims",
    "opend6.gap.movement.climbing": "climbs",
    "opend6.gap.movement.jumping": "jumps",
}


@sayings.on("Walked", "who")
def _walked(draft: EntryDraft, fact: Fact) -> None:
    draft.actor(fact["who"])
    steps = moves_of(draft, fact)
    if all(one.get("still") for one in steps):
        if steps:
            draft.lead("{who} gets nowhere.", fact)
        return
    verb = _WAYS.get(str(fact.get("cause")), "runs" if any(one.get("fast") for one in steps) else "")
    ways = [draft.about(one) for one in reversed(steps)]
    goal: dict[str, Any] = {
        name: next((way[name] for way in ways if name in way), None) for name in ("toward", "reached")
    }
    tell_way(draft, fact, steps, verb or "moves", advances=verb or "advances", **goal)


_STANCES = {"standing": "{who} stands up.", "crouched": "{who} crouches.", "prone": "{who} drops to the ground."}


sayings.say(
    "Stood", "{who} is {posture} now.", cases=("posture", _STANCES), after=("state", "{posture:text}"), actor="who"
)


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
