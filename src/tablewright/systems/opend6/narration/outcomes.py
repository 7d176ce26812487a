"""Sayings for wounds, healing, checks and points."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.game.narration.common_sayings import spelled, tell_contest
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.phrases import article, count, small
from tablewright.game.narration.sayings import ConditionWords, Fact
from tablewright.systems.opend6.narration.throws import spend
from tablewright.systems.opend6.narration.words import ROUND_SECONDS, sayings
from tablewright.systems.opend6.values import lower_first

# ---------------------------------------------------------------------- wounds and healing


@sayings.on("Endured", "who", "awake")
def _endured(draft: EntryDraft, fact: Fact) -> None:
    if not fact["awake"]:
        draft.after(fact["who"], "out", "unconscious")
    if any(one["who"] == fact["who"] and one.get("harm") for one in draft.events("Struck", "Hurt")):
        return
    draft.say("{who} stays awake." if fact["awake"] else "{who} loses consciousness.", fact)


sayings.say("SenselessFor", "{who} will be out for {minutes:count minute}.", "{who} is out cold.")
sayings.share("DyingWentOn", "lies dying", "lie dying", actor="who")


@sayings.on("TimePassed", "amount")
def _time_passed(draft: EntryDraft, fact: Fact) -> None:
    """Tell passing time: a rest, the minutes of the dying, or time alone."""
    passed = draft.events("TimePassed")
    if fact is not passed[-1]:
        return
    ticks = sum([one["amount"] for one in passed])
    if ticks == ROUND_SECONDS:
        return  # the next round says it
    span = spelled(draft.voice.span(ticks))
    dying = draft.events("DyingWentOn")
    resting = [one for one in draft.events("Scheduled") if one.get("what") == "rested"]
    draft.kind = "action" if dying or resting else "time"
    if dying and not draft.events("Died"):
        draft.say("After {span:text} {who:name} is still alive.", span=_singly(span), who=dying[-1]["who"])
    elif resting:
        if not draft.is_told:
            draft.say("{who:name} rests for {span:text}.", span=_singly(span), who=resting[-1]["who"])
        _next_roll(draft)
    elif not dying:
        one = span.startswith("one ") and " and " not in span
        draft.lead("{span:text} {verb:text}.", span=span, verb="passes" if one else "pass")


def _singly(span: str) -> str:
    """A span with its article in the place of the number one.

    >>> _singly("one day"), _singly("one week and two days"), _singly("three days")
    ('a day', 'one week and two days', 'three days')
    """
    if not span.startswith("one ") or " and " in span:
        return span
    return article(span.removeprefix("one "))


def _next_roll(draft: EntryDraft) -> None:
    """Time of the next healing roll, if one is scheduled."""
    left = 0
    for line in draft.lines:
        fact = line.fact
        if line.kind == "Scheduled" and fact.get("what") == "heals" and fact.get("data") != "stunned":
            left = fact.get("after", 0)
        elif line.kind == "TimePassed":
            left -= fact.get("amount", 0)
    if left > 0:
        draft.say("The next healing roll is due in {left:text}.", left=_singly(spelled(draft.voice.span(left))))


sayings.say("Died", "{who} dies.")
sayings.say("CameTo", "{who} comes to.")


@sayings.on("Healed", "who", "level", "body_points")
def _healed(draft: EntryDraft, fact: Fact) -> None:
    now = fact["level"]
    treated = [one for one in draft.events("Treated") if one["who"] == fact["who"] and one.get("by")]
    rolled = draft.trace("opend6.natural_healing")
    before = fact.get("was") or (rolled["arguments"].get("wound") if rolled is not None else None)
    if now is None:
        left, had = fact["body_points"], fact.get("had")
        state = "has all Body Points back" if left is None else f"has {count(left, 'Body Point')}"
        draft.after(fact["who"], "heal", state)
        of = "" if had is None else f", up from {had}"
        lead = "{by:name} treats {who:name}, who" if treated else "{who}"
        draft.say(f"{lead} now {state}{of}.", fact, by=treated[-1]["by"] if treated else None)
        return
    draft.after(fact["who"], "heal", draft.voice.word(now))
    if treated:
        change = ": from {before} to {level}" if before and before != now else ", who is now {level}"
        draft.say(f"{{by:name}} treats {{who:name}}{change}.", fact, by=treated[-1]["by"], before=before)
    elif before and before != now:
        worse = _RANKS.index(now) > _RANKS.index(before)
        verb = "wounds fester" if worse else "wounds heal"
        draft.say(f"{_after(draft, fact)}{{who}}'s {verb}: from {{before}} to {{level}}.", fact, before=before)
    else:
        draft.say("{who} is now {level}.", fact)


def _after(draft: EntryDraft, fact: Fact) -> str:
    """The time that has passed in this action before something happened, as the beginning of a sentence."""
    ticks = 0
    for line in draft.lines:
        if line.fact is fact:
            break
        ticks += line.fact.get("amount", 0) if line.kind == "TimePassed" else 0
    return f"after {_singly(spelled(draft.voice.span(ticks)))} " if ticks > ROUND_SECONDS else ""


_RANKS = ("healthy", "stunned", "wounded", "severely_wounded", "incapacitated", "mortally_wounded", "dead")
sayings.say("Healed", "{who}'s wounds change.")


@sayings.on("Treated", "who", "by")
def _treated(draft: EntryDraft, fact: Fact) -> None:
    if draft.voice.has(fact["by"]):
        draft.actor(fact["by"])
        for changed in draft.events("BelongingsChanged"):
            if str(changed.get("what", "")).startswith("uses "):
                draft.cost(fact["by"], _use_of(changed))
        if not draft.events("Healed", "Rescued"):
            draft.say("{by} treats {who}, and it does not help.", fact)


def _use_of(changed: Fact) -> str:
    """One use of a tool with limited uses."""
    name = lower_first(str(changed["what"]).removeprefix("uses "))
    left = [one.get("left") for one in changed.get("belongings") or () if one.get("left") is not None]
    return f"one use of the {name}" + (f", {left[0]} left" if len(left) == 1 else "")


sayings.say("Rescued", "{who} is out of danger[, but {dice}D weaker for good].", after=("heal", "out of danger"))
sayings.conditions |= {
    "stunned": ConditionWords("{who} is stunned.", "stunned", "{who} shakes off the stun."),
    "shaken": ConditionWords("{who} is shaken.", "shaken", "{who} is composed again."),
}


# ---------------------------------------------------------------------- checks and points

_DEGREES = {
    "minimal": "barely succeeds",
    "solid": "succeeds solidly",
    "good": "succeeds well",
    "superior": "succeeds superbly",
    "spectacular": "succeeds spectacularly",
    "incredible": "succeeds incredibly",
    "success": "succeeds",
    "failure": "fails",
}


@sayings.on("Checked", "who", "what", actor="who", entry="check")
def _checked(draft: EntryDraft, fact: Fact) -> None:
    what = str(fact["what"]).removesuffix(", in a group")
    if draft.events("Treated") or tell_contest(draft, fact):
        return
    against = " against {against:name}" if draft.voice.has(fact.get("against")) else ""
    values = {"skill": draft.voice.term(what)}
    result = str(fact.get("result") or "")
    found = draft.trace("opend6.check", "opend6.attempt", "opend6.improved_check", "opend6.success", before=fact)
    known = _degree(result, found)
    if result.isdigit() and any(one.get("deed") == "glance" for one in draft.events("Said")):
        draft.say(f"{{who}} looks around and rolls {result}.", fact)
        return
    total = result if result.isdigit() else draft.told.get("total")
    if known:
        draft.say(f"{{who}} {known} at {{skill:text}}{against}.", fact, **values)
    elif result and not result.isdigit():
        draft.say(f"{{who}} tries {{skill:text}}{against}: {{result}}.", fact, **values)
    elif total is not None:
        secret = "" if "result" in fact else " How it went, only the game master knows."
        draft.say(f"{{who}} tries {{skill:text}}{against} and rolls {total}.{secret}", fact, **values)
    else:
        draft.say(f"{{who}} tries {{skill:text}}{against}.", fact, **values)


def _degree(result: str, trace: Fact | None) -> str:
    """Result of a check as a predicate; empty if nothing is known."""
    if result in _DEGREES:
        return _DEGREES[result]
    outcome = trace.get("result") if result and trace is not None else None
    if not isinstance(outcome, Mapping):
        return ""
    level = outcome.get("level")
    return _DEGREES.get(str(level), _DEGREES["success" if outcome.get("success") else "failure"])


@sayings.on("PointsSpent", "who")
def _points_spent(draft: EntryDraft, fact: Fact) -> None:
    spend(draft, fact["who"], fact.get("character_points"), fact.get("fate_points"))
    spent = [
        count(fact[name], word)
        for name, word in (("character_points", "Character Point"), ("fate_points", "Fate Point"))
        if fact.get(name)
    ]
    if spent:
        draft.lead("{who} spends {spent:text}.", fact, spent=" and ".join(spent))


@sayings.on("PointsGained", "who", "character_points", "fate_points", "reason", actor="who")
def _points_gained(draft: EntryDraft, fact: Fact) -> None:
    amounts = ((fact["character_points"], "Character Point"), (fact["fate_points"], "Fate Point"))
    for verb, sign in (("gains", 1), ("loses", -1)):
        told = [count(abs(amount), word) for amount, word in amounts if amount * sign > 0]
        if told and draft.events("CharacterChanged"):
            draft.note(f"{verb} {' and '.join(told)}")
        elif told:
            draft.say("{who} {verb:text} {told:text}[: {reason:text}].", fact, verb=verb, told=" and ".join(told))


_STANCE_WORDS = {
    "supports": "The deed served {who}'s moral code.",
    "neutral": "The deed meant nothing to {who}'s moral code.",
    "against": "The deed went against {who}'s moral code[, and costs {more:text}].",
}


@sayings.on("FateJudged", "who", "stance", "lost", entry="ruling")
def _fate_judged(draft: EntryDraft, fact: Fact) -> None:
    lost = fact["lost"]
    more = "another Fate Point" if lost == 1 else f"{small(lost)} more Fate Points" if lost else None
    draft.say(_STANCE_WORDS.get(fact["stance"], "The deed of {who} is not judged yet."), fact, more=more)


sayings.say("SessionEnded", "{who} ends the session[ and gets {returned:count Fate Point} back].")
sayings.say("AdventureEnded", "{who}'s adventure is over.")
_MOMENTS = {
    "ordinary": "Nothing special is at stake now.",
    "story": "What happens now matters to the story.",
    "climactic": "This is the climax.",
}


sayings.say("MomentSet", "The moment is {moment}.", cases=("moment", _MOMENTS), entry="ruling")
