"""Sayings for the events that all systems share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.entry import Named, Sentence
from tablewright.game.narration.phrases import and_list, article, count, plain, small, spaced
from tablewright.game.narration.sayings import ConditionWords, Fact, Sayings
from tablewright.game.play.trade import in_figures
from tablewright.game.scene.scene import capitalised

COMMON = Sayings()
"""Sayings that every system starts from."""

COMMON.quiet("Scheduled", "Cancelled", "TurnEnded")
COMMON.walks |= {"Moved"}
COMMON.moves |= {"Moved", "Paid"}
COMMON.orders |= {"OrderSet"}
COMMON.headings |= {"what now?": "What does {who} do?"}
COMMON.promises |= {"hit": "hits {n}", "success": "succeeds {n}", "win": "wins {n}", "critical": "critical {n}"}

_LEAVING = {
    "left": "{who} leaves.",
    "fled": "{who} flees.",
    "flees": "{who} flees.",
    "runs away": "{who} runs away.",
    "yielded": "{who} yields.",
    "yields": "{who} yields.",
    "carried off": "{who} is carried off.",
}


@COMMON.on("RoundStarted", "number", entry="round")
def _round_started(draft: EntryDraft, fact: Fact) -> None:
    draft.head(f"Round {fact['number']}")


@COMMON.on("TurnStarted", "who", actor="who", entry="turn")
def _turn_started(draft: EntryDraft, fact: Fact) -> None:
    draft.head(draft.voice.name(fact["who"]))


@COMMON.on("OrderSet", "order", entry="order")
def _order_set(draft: EntryDraft, fact: Fact) -> None:
    order = [draft.voice.name(who) for who in fact["order"]]
    draft.told["order"] = fact["order"]
    if len(order) > 1:
        rest = Sentence(draft.voice.list_of(order[1:]))
        draft.lead("{first} acts first, then {rest}.", first=order[0], rest=rest)


def tell_order(draft: EntryDraft, order: Sequence[str], totals: Mapping[str, int], ends: str = "") -> None:
    """Tell an order of acting with the totals of initiative, as far as they are known."""
    if len(order) > 1:
        rest = [f"{draft.voice.name(who)}{f' ({totals[who]})' if who in totals else ''}" for who in order[1:]]
        first, total = draft.voice.name(order[0]), totals.get(order[0])
        told = f"{{first}} acts first[ with {{total}}], then {{rest:text}}.{ends}"
        draft.say(told, first=first, total=total, rest=and_list(rest))


@COMMON.on("Paid", "who", "price", actor="who")
def tell_price(draft: EntryDraft, fact: Fact) -> None:
    """Add a price to the quiet line."""
    draft.price(fact["who"], fact["price"])


@COMMON.on("Paid", "who", actor="who")
def _paid_unseen(draft: EntryDraft, fact: Fact) -> None:
    """Name only who acts: the price is not seen."""


@COMMON.on("Joined", "name")
def _joined(draft: EntryDraft, fact: Fact) -> None:
    draft.say("{called:text} joins[ {side:side}].", fact, called=capitalised(fact["name"]))


COMMON.say("ChangedSides", "{who} goes over to {side:side}.")
COMMON.say("Hid", "{who} slips out of sight.")
COMMON.say("Revealed", "{who} comes into view.")


@COMMON.on("Left", "who", "how", actor="who")
def _left(draft: EntryDraft, fact: Fact) -> None:
    draft.after(fact["who"], "out", "gone")
    draft.say(_LEAVING.get(fact["how"], "{who} leaves: {how:text}."), fact)


@COMMON.on("Moved", "who")
def _moved(draft: EntryDraft, fact: Fact) -> None:
    draft.actor(fact["who"])
    if moves := moves_of(draft, fact):
        tell_way(draft, fact, moves, "moves", advances="advances")


def moves_of(draft: EntryDraft, fact: Fact) -> list[Fact]:
    """Moves of a participant in the entry, which are told with the last of them; none before that."""
    moves = [one for one in draft.events(str(fact["event"])) if one["who"] == fact["who"]]
    return moves if fact is moves[-1] else []


def tell_way(
    draft: EntryDraft,
    fact: Fact,
    moves: Sequence[Fact],
    verb: str,
    *,
    advances: str = "",
    up_to: str = " up to",
    least: int = 0,
    **way: Any,
) -> None:
    """Tell the length and the goal of some moves; ``advances`` is the verb of a move that does not reach its goal.

    ``least`` is the length where the scene does not know it. ``way`` may name the goal instead of the last move.
    """
    ways = [draft.about(one) for one in moves]
    goal = {"toward": ways[-1].get("toward"), "reached": ways[-1].get("reached")} | way
    far, unit = sum([int(one.get("far", 0)) for one in ways]) or least, draft.sayings.unit
    how_far = f" {count(far, unit, words=far <= 12)}" if far and unit else ""
    if goal["reached"]:
        draft.lead(f"{{who}} {verb}{up_to} {{reached:name}}.", fact, **goal)
    elif goal["toward"]:
        draft.lead(f"{{who}} {advances or verb}{how_far} toward {{toward:name}}.", fact, **goal)
    else:
        draft.lead(f"{{who}} {verb}{how_far or ' away'}.", fact)


@COMMON.on("TimePassed", "amount")
def _time_passed(draft: EntryDraft, fact: Fact) -> None:
    passed = draft.events("TimePassed")
    if fact is not passed[-1]:
        return
    span = draft.voice.span(sum([one["amount"] for one in passed]))
    if draft.told.get("span"):  # the headline says how long it took
        return
    if draft.is_told:
        draft.note(span)
    else:
        draft.kind = "time"
        verb = "passes" if span.startswith(("1 ", "1/")) and span.count(" ") == 1 else "pass"
        draft.lead("{span:text} {verb:text}.", span=spelled(span), verb=verb)


def spelled(span: str) -> str:
    """A span of time with small numbers in words.

    >>> spelled("3 days"), spelled("1 hour 30 minutes")
    ('three days', 'one hour and 30 minutes')
    """
    words = span.split()
    pairs = [
        f"{small(int(number)) if number.isdigit() else number} {unit}"
        for number, unit in zip(words[::2], words[1::2], strict=False)
    ]
    return and_list(pairs) if len(words) % 2 == 0 else span


@COMMON.on("OptionsChanged", "name", "value", "reason", entry="ruling")
def _options_changed(draft: EntryDraft, fact: Fact) -> None:
    shown = in_words(draft, fact["value"])
    draft.say("The rules change: {name} is now {shown:text}. Reason: {reason:text}", fact, shown=shown)


@COMMON.on("FactSet", "who", "fact", entry="ruling")
def _fact_set(draft: EntryDraft, fact: Fact) -> None:
    whom = " for {who}" + (" against {other:name}" if fact.get("other") else "")
    value = fact.get("value")
    if value is None or value is False:
        draft.say(f"The game master takes back {{fact}}{whom}.", fact)
    else:
        draft.say(f"The game master sets {{fact}}{'' if value is True else ' to {value}'}{whom}.", fact)


COMMON.say(
    "Modified",
    "The game master gives [{who:name}|everyone] {value:signed} on {what:term}: {reason:clause}.",
    entry="ruling",
)
COMMON.say(
    "Unmodified",
    "The game master takes back [{who:name}'s|the] modifier on {what:term} ({reason:clause}).",
    entry="ruling",
)


@COMMON.on("Ruled", "field", "value", "reason", entry="ruling")
def _ruled(draft: EntryDraft, fact: Fact) -> None:
    shown = in_words(draft, fact["value"])
    draft.say("The game master sets [{who:name}'s ]{field} to {shown:text}: {reason:clause}.", fact, shown=shown)


def in_words(draft: EntryDraft, value: Any) -> str:
    """A value that a game master has set, in words."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return and_list([in_words(draft, one) for one in value]) or "none"
    if isinstance(value, str):
        return str(draft.voice.name(value)) if draft.voice.has(value) else draft.voice.word(value)
    return "nothing" if value is None else str(value)


COMMON.say("Ruled", "The game master makes a ruling on {who:name}.", entry="ruling")


COMMON.say(
    "Spared",
    "The game master lets none of the damage to {who} count.",
    reads=("who",),
    cases=("part", {"half": "The game master lets half of the damage to {who} count."}),
)


@COMMON.on("Checked", "who", "what")
def tell_checked(draft: EntryDraft, fact: Fact) -> None:
    """Tell a check by its result as stored, or only that it was made."""
    if tell_contest(draft, fact):
        return
    draft.kind = "check"
    draft.actor(fact["who"])
    against = " against {against:name}" if fact.get("against") else ""
    result = str(fact.get("result") or "")
    if not result:
        thrown = draft.throws[0].total if draft.throws else None
        rolls = f" and rolls {thrown}. How it went, only the game master knows" if thrown is not None else ""
        draft.say(f"{{who}} tries {{what}}{against}{rolls}.", fact)
        return
    draft.say(f"{went(result)}{against}.", fact)


_WON, _LOST = ("won", "wins", "success"), ("lost", "loses", "failure")


def tell_contest(draft: EntryDraft, fact: Fact) -> bool:
    """Tell a contest of two in one sentence, with the second of their checks; False if the fact is part of none."""
    sides = {fact["who"], fact.get("against")}
    pair = [one for one in draft.events("Checked") if {one["who"], one.get("against")} == sides and one.get("result")]
    won = [one for one in pair if one["result"] in _WON]
    if len(pair) != 2 or len(won) != 1 or not any(one["result"] in _LOST for one in pair):
        return False
    draft.kind = "check"
    draft.actor(pair[0]["who"])
    if fact is pair[1]:
        for throw in [one for one in draft.throws if one.what.startswith("to ")]:  # "to resist" belongs to no name
            draft.change(throw, what="roll", whose=throw.whose or str(draft.voice.name(draft.who)))
        (lost,) = [one for one in pair if one is not won[0]]
        people: dict[str, Any] = {
            "who": draft.voice.name(won[0]["who"]),
            "other": draft.voice.name(lost["who"]),
        }
        skill, against = draft.voice.term(str(won[0]["what"])), draft.voice.term(str(lost["what"]))
        if skill == against:
            draft.say("{who} beats {other} at {skill:text}.", skill=skill, **people)
        else:
            draft.say("{who}'s {skill:text} beats {other}'s {against:text}.", skill=skill, against=against, **people)
    return True


_PAIR = re.compile(r"(\w+) (\S+)")
_TRUE = {"True": True, "yes": True, "False": False, "no": False, "success": True, "failure": False}


def went(result: str) -> str:
    """A template for how a check went, from its result as stored.

    >>> went("yes"), went("success False, botch True"), went("result 5, botch no"), went("graze")
    ('{who} succeeds at {what}', '{who} botches {what}', '{who} rolls 5 for {what}', '{who} tries {what}: graze')
    """
    found = {found[1]: found[2] for part in result.split(", ") if (found := _PAIR.fullmatch(part))}
    if result in _TRUE:
        return "{who} succeeds at {what}" if _TRUE[result] else "{who} fails at {what}"
    if "success" in found:
        if _TRUE.get(found["success"]):
            return "{who} succeeds at {what}"
        return "{who} botches {what}" if _TRUE.get(found.get("botch", "")) else "{who} fails at {what}"
    if "result" in found:
        return f"{{who}} rolls {found['result']} for {{what}}"
    known = found.get("degree") or found.get("level") or ("" if found else result)
    return f"{{who}} tries {{what}}: {spaced(known)}" if known else "{who} tries {what}"


COMMON.say("CharacterChanged", "{who}: {what:text}.", actor="who", lead=True)
_HANDED = re.compile(r"(?P<verb>gives|gets) (?:(?P<number>\d+) )?(?P<thing>.+) (?:to|from) (?P<other>\S+)")


@COMMON.on("BelongingsChanged", "who", "what")
def _belongings_changed(draft: EntryDraft, fact: Fact) -> None:
    """Ammunition is a cost; what is thrown is part of the throw; everything else is told by its verb."""
    who, what = fact["who"], str(fact["what"])
    draft.actor(who)
    for used in ("uses up ", "shoots "):
        if what.startswith(used):
            draft.cost(who, article(draft.voice.thing(what.removeprefix(used).casefold().replace(" ", "_"))))
            return
    if what.startswith("throws "):
        return
    if (handed := _HANDED.fullmatch(what)) and draft.voice.has(handed["other"]):
        gives = [one for one in draft.events("BelongingsChanged") if str(one["what"]).startswith("gives ")]
        number, noun = handed["number"], str(handed["thing"]).lower()
        thing = count(int(number), noun, words=True) if number else article(noun)
        if handed["verb"] == "gives":
            draft.lead("{who} gives {other:name} {thing:text}.", fact, other=handed["other"], thing=thing)
        elif not gives:
            draft.lead("{who} gets {thing:text} from {other:name}.", fact, other=handed["other"], thing=thing)
        return
    verb, _, thing = what.partition(" ")
    if thing.startswith("up "):
        verb, thing = f"{verb} up", thing.removeprefix("up ")
    shown = article(thing.lower()) if thing and not thing[:1].isdigit() and "," not in thing else thing
    draft.lead(f"{{who}} {{verb:text}}[ {{thing:text}}]{_price(fact, verb)}.", fact, verb=verb, thing=shown)


def _price(fact: Fact, verb: str) -> str:
    """Price of something bought or sold, and the money left, where the viewer sees them."""
    paid, left = _money(fact.get("paid")), _money(fact.get("money"))
    if verb not in ("buys", "sells") or not paid or left is None:
        return ""
    purse = plain(str(fact.get("purse") or "money"))
    unit = "" if purse == "money" else f" {purse}"
    return f" for {in_figures(abs(paid))}{unit}; {in_figures(left)} left"


def _money(value: Any) -> Fraction | None:
    """An amount of money as a fact has it; None if it has none."""
    try:
        return None if value is None else Fraction(value)
    except (TypeError, ValueError):
        return None


# ---------------------------------------------------------------------- conditions


def condition_of(draft: EntryDraft, fact: Fact) -> tuple[ConditionWords | None, dict[str, Any]]:
    """The words for the effect of a fact, and the values that they may use."""
    what = fact["what"]
    known = draft.sayings.conditions.get(what["id"])
    values = {
        "who": Named(str(draft.voice.name(fact["who"])), fact["who"]),
        "degree": what.get("degree", 1),
        "term": draft.voice.term(what["id"]),
        "by": draft.voice.name(what["by"]) if draft.voice.has(what.get("by")) else None,
    }
    return known, values


@COMMON.on("TookHold", "who", "what")
def _took_hold(draft: EntryDraft, fact: Fact) -> None:
    known, values = condition_of(draft, fact)
    what = fact["what"]
    if known is not None:
        if known.lasts:
            draft.after(fact["who"], "state", known.lasts.format(degree=what.get("degree", 1)))
        if known.begins:
            draft.say(known.begins, **values)
        return
    draft.after(fact["who"], "state", str(values["term"]))
    draft.lead("{term:text} takes hold of {who}.", **values)


@COMMON.on("WoreOff", "who", "what")
def _wore_off(draft: EntryDraft, fact: Fact) -> None:
    known, values = condition_of(draft, fact)
    if known is None:
        draft.lead("{term:text} on {who} ends.", **values)
    elif known.ends:
        draft.say(known.ends, **values)


# ---------------------------------------------------------------------- the end


def wins(side: str) -> str:
    """A side and its victory: "the party wins", "the raiders win".

    >>> wins("the party"), wins("the raiders"), wins("Torvald")
    ('the party wins', 'the raiders win', 'Torvald wins')
    """
    return f"{side} {'win' if side.startswith('the ') and side.endswith('s') else 'wins'}"


@COMMON.on("SceneEnded", "outcome", entry="end")
def _scene_ended(draft: EntryDraft, fact: Fact) -> None:
    outcome = str(fact["outcome"])
    reason = str(fact.get("reason", ""))
    winner = fact.get("winner") or (outcome.removesuffix(" win") if outcome.endswith(" win") else None)
    if winner is not None and fact.get("how") == "ruled":
        told = wins(draft.voice.side(winner))
        draft.say("The game master ends the scene: {told:text}[ ({reason:text})].", told=told, reason=reason)
    elif winner is not None:
        draft.say("{told:text}.", told=wins(draft.voice.side(winner)))
    elif outcome == "draw":
        rounds = reason.removesuffix(" have passed")
        rounds = "one round" if rounds == "1 rounds" else rounds
        draft.say("Nobody has won[ after {rounds:text}]: a draw.", rounds=rounds)
    elif outcome == "nobody stands":
        draft.say("Nobody is left standing.")
    elif outcome.endswith(" is out of it"):
        draft.say("{outcome:text}, and that ends it.", outcome=outcome)
    elif fact.get("how") == "ruled":
        draft.say("The game master ends the scene: {outcome:text}[ ({reason:text})].", outcome=outcome, reason=reason)
    else:
        draft.say("The scene ends: {outcome:text}[. {reason:text}].", outcome=plain(outcome), reason=reason)
