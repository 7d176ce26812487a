"""Sayings of damage, dying, recovery and effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.game.narration.common_sayings import COMMON, spelled, tell_checked
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.phrases import and_list, count, plain, small, the
from tablewright.game.narration.sayings import Fact
from tablewright.systems.mars.content import STATS
from tablewright.systems.mars.mechanics.harm import DYING_COUNT
from tablewright.systems.mars.narration.words import sayings


@sayings.on("Hurt", "who", "damage", actor="who")
def _hurt(draft: EntryDraft, fact: Fact) -> None:
    damage, source = int(fact["damage"]), plain(str(fact.get("by") or ""))
    if damage:
        draft.after(fact["who"], "harm", f"{damage} damage", damage)
    harm = ("The {source:text} does {damage} damage to {who}.", "The {source:text} does {who} no harm.")
    if source in ("burning", "fire"):
        harm = ("{who} burns: {damage} damage.", "The fire does {who} no harm.")
    elif source.startswith("a fall") or source == "fall":
        harm = ("{who} falls and takes {damage} damage.", "{who} falls and lands unhurt.")
    elif not source:
        harm = ("{who} takes {damage} damage.", "{who} is unharmed.")
    draft.say(harm[not damage], fact, source=source)
    if damage and fact.get("had"):
        losses = dict(zip(("endurance", "health"), (fact.get("endurance"), fact.get("health")), strict=True))
        draft.note(_from_to({name: -(lost or 0) for name, lost in losses.items()}, fact["had"]))


@sayings.on("HealthLost", "who", "amount")
def _health_lost(draft: EntryDraft, fact: Fact) -> None:
    draft.after(fact["who"], "harm", f"{fact['amount']} health", fact["amount"])
    why = plain(str(fact.get("why") or ""))
    if "health" in draft.told:
        draft.told["health"] -= int(fact["amount"])
        if fact is draft.events("HealthLost")[-1]:
            draft.say("Health falls to {left:text}.", fact, left=str(draft.told["health"]))
    elif why == "dying":
        shared = draft.shared(fact)
        if shared is not None:
            names, many = shared
            each = " each" if many else ""
            are = "are" if many else "is"
            draft.say(f"{{names:text}} {are} bleeding out: {{amount}} health lost{each}.", fact, names=names)
    else:
        draft.say(f"{{who}} loses {{amount}} health{f' ({why})' if why else ''}.", fact)


sayings.say("Tolerated", "[{spared:if}{who} fights on and does not feel the rest.]", reads=["who", "spared"])


_FATES = {
    "dying": "{who} falls, unconscious and dying.",
    "unconscious": "{who} falls unconscious.",
    "dead": "{who} is dead.",
    "down": "{who} goes down.",
}


@sayings.on("Fell", "who", "fate")
def _fell(draft: EntryDraft, fact: Fact) -> None:
    fate = str(fact["fate"])
    draft.after(fact["who"], "out", f"falls, {fate}" if fate != "dead" else "dead")
    if fact.get("awake"):
        draft.say("{who} goes down, dying but awake." if fate == "dying" else "{who} goes down, still awake.", fact)
    else:
        draft.say(_FATES.get(fate, f"{{who}} is {plain(fate)}."), fact)


@sayings.on("DyingChecked", "who", "successes", "failures", actor="who")
def _dying_checked(draft: EntryDraft, fact: Fact) -> None:
    won, lost = fact.get("all_successes"), fact.get("all_failures")
    if lost is not None and lost >= DYING_COUNT and draft.events("Died"):
        draft.lead("{who}'s third failure.", fact)
        return
    if won is not None and won >= DYING_COUNT and draft.events("Stabilised"):
        return
    how = "holds on"
    if fact["failures"]:
        how = "is slipping away"
    elif fact["successes"]:
        how = "rallies"
    if won is None or lost is None:  # lines of version 0.1.0 have no sums
        draft.say(f"{{who}} {how}.", fact)
    else:
        draft.say(f"{{who}} {how}: {_of_three(lost, 'failure')}, {_of_three(won, 'success')}.", fact)


def _of_three(number: int, word: str) -> str:
    many = "failures" if word == "failure" else "successes"
    if number >= DYING_COUNT:
        return f"three {many}"
    return f"no {many}" if not number else f"{small(number)} {word if number == 1 else many} of three"


sayings.say("Stabilised", "{who} stops bleeding out: stable, still unconscious.")


@sayings.on("Died", "who")
def _died(draft: EntryDraft, fact: Fact) -> None:
    draft.after(fact["who"], "out", "dead")
    third = [one for one in draft.events("DyingChecked") if (one.get("all_failures") or 0) >= DYING_COUNT]
    draft.say("{who}'s third failure. {who} is dead." if third else "{who} is dead.", fact)


sayings.say("Woke", "{who} comes to.")


_RESOURCES = ("health", "endurance", "stamina", "focus")


@sayings.on("Recovered", "who", actor="who")
def _recovered(draft: EntryDraft, fact: Fact) -> None:
    gains = {name: int(fact.get(name) or 0) for name in _RESOURCES}
    for name, amount in gains.items():
        if amount > 0:
            draft.after(fact["who"], "heal", f"{amount} {name}", amount)
    sums = draft.told.setdefault("recovered", {}).setdefault(fact["who"], dict.fromkeys(_RESOURCES, 0))
    for name, amount in gains.items():
        sums[name] += max(0, amount)
    draft.told.setdefault("had", {}).setdefault(fact["who"], tuple(fact.get("had") or ()))
    if not _rests(draft, fact["who"]) and any(sums.values()):
        draft.say("{who} recovers {more:text}.", fact, more=_amounts(sums))
    less = {name: -amount for name, amount in gains.items() if amount < 0}
    if less:
        draft.say("{who} loses {less:text}.", fact, less=_amounts(less))


def _amounts(amounts: Mapping[str, int]) -> str:
    return and_list([f"{amount} {name}" for name, amount in amounts.items() if amount])


def _from_to(gains: Mapping[str, int], had: Sequence[int]) -> str:
    """Resources before and after a gain: "health 7 to 10, endurance 0 to 15"."""
    known = zip(gains.items(), had, strict=False)
    return ", ".join([f"{name} {before} to {before + amount}" for (name, amount), before in known if amount])


_RESTS = {
    "short rest": "takes a short rest",
    "long rest": "takes a long rest",
    "half a long rest": "sleeps half the night",
}


def _rests(draft: EntryDraft, who: str) -> list[Fact]:
    """Rests of a participant in this entry."""
    return [one for one in draft.events("DayWentOn") if one["who"] == who and one["what"] in _RESTS]


@sayings.on("DayWentOn", "who", "what", actor="who")
def _day_went_on(draft: EntryDraft, fact: Fact) -> None:
    what, rests = str(fact["what"]), _rests(draft, fact["who"])
    if what in _RESTS:
        if fact is rests[-1]:
            _rested(draft, fact, len(rests))
    elif what.startswith("wounds treated by "):
        draft.say("{healer:text} treats {who}'s wounds.", fact, healer=what.removeprefix("wounds treated by "))
    elif what == "a broken rest is forgotten":
        draft.lead("{who} starts over after a broken rest.", fact)
    elif what in ("a day has passed", "eats and drinks"):
        draft.lead("A day passes for {who}." if what == "a day has passed" else "{who} eats and drinks.", fact)
    elif what == "nothing to eat":
        draft.say("{who} has nothing to eat or drink.", fact)
    else:
        draft.say("{who} eats and drinks: {meals:text}.", fact, meals=what.replace(", ", " and "))


def _rested(draft: EntryDraft, fact: Fact, times: int) -> None:
    """Tell a rest, or several in a row, with everything that was recovered."""
    sums, had = [draft.told.get(name, {}).get(fact["who"]) for name in ("recovered", "had")]
    gain = ""
    if sums is not None and not any(sums.values()):
        gain = "; nothing needed mending"
    elif sums is not None:
        gain = f": {_from_to(sums, had)}" if had else f" and recovers {_amounts(sums)}"
    passed = sum([int(one["amount"]) for one in draft.events("TimePassed")])
    if times > 1:
        span = spelled(draft.voice.span(passed)) if passed else None
        draft.told["span"] = span
        draft.say(f"{{who}} rests[ for {{span:text}}]{gain}.", fact, span=span)
        return
    draft.say(f"{{who}} {_RESTS[str(fact['what'])]}{gain}.", fact)
    day = fact.get("day")
    if fact["what"] == "short rest" and isinstance(day, Mapping) and day.get("short_rests"):
        draft.note("the first of the day" if day["short_rests"] == 1 else "the second of the day")


sayings.say("AbilitiesRestored", "{who} can use every ability again.")
sayings.say("AbilityUsed", "{who} uses {talent:term}.")


sayings.say(
    "SicknessChanged",
    "{degree:if}The [{source:thing}|sickness] of {who} is now of degree {degree}.",
    "{who} gets over the [{source:thing}|sickness].",
    reads=["who", "source", "degree"],
)
sayings.say(
    "FatigueChanged",
    "{degree:if}{who} suffers from [{source:plain}|fatigue], degree {degree}.",
    "{who} has recovered from [{source:plain}|fatigue].",
    reads=["who", "source", "degree"],
)


_BEGINS = {
    "prone": "{who} is knocked prone.",
    "cover": "{who} takes cover.",
    "unconscious": "{who} falls unconscious.",
    "burning": "{who} catches fire[: degree {degree}].",
    "stunned": "{who} is stunned[ {times:text}].",
    "sickness": "{who} falls ill: {term:text}[ {degree}][, for {lasting:text}].",
    "fatigue": "{who} is worn out[: degree {degree}].",
    "blind": "{who} is blinded.",
    "deaf": "{who} is deafened.",
    "grappled": "{who} is grappled.",
    "restrained": "{who} is restrained.",
    "dying": "{who} is dying.",
    "rage": "{who} rages.",
}
_WILLINGLY = ("mars.action.drop_prone", "mars.defence.evade")
_LUCK = {"debilitation": "disadvantage", "enhancement": "advantage"}
_ENDS = {
    "prone": "{who} gets up.",
    "cover": "{who} leaves cover.",
    "burning": "The fire on {who} is out.",
    "stunned": "{who} is clear-headed again.",
    "sickness": "{who} is well again.",
    "blind": "{who} can see again.",
    "deaf": "{who} can hear again.",
    "grappled": "{who} is free.",
    "restrained": "{who} is free.",
    "rage": "{who}'s rage is over.",
    "unconscious": "{who} comes to.",
}


@sayings.on("EffectGained", "who", "effect", actor="who")
def _effect_gained(draft: EntryDraft, fact: Fact) -> None:
    effect, other = fact["effect"], fact.get("other")
    kind, degree = str(effect["kind"]), int(effect.get("degree") or 0)
    stat, value = effect.get("stat"), int(effect.get("value") or 0)
    if kind == "unsighted" and other:
        draft.say("{who} loses sight of {other:name}.", fact)
    elif kind == "opening" and other:
        _opening(draft, fact)
    elif kind == "rating":
        draft.after(fact["who"], "state", f"armour rating {value:+d}")
        how = "exposed" if value < 0 else "on guard"
        draft.say(f"{{who}} is {how}: armour rating {value:+d}.", fact)
    elif kind == "rally":
        cries = draft.events("ManeuverUsed")
        source = f"{{by:name}}'s {draft.voice.term(cries[-1]['maneuver'])}" if cries else "The cry"
        draft.say(f"{source} rallies {{who}}: {value:+d}.", fact, by=cries[-1]["who"] if cries else None)
    elif kind == "stat_change" and stat:
        draft.after(fact["who"], "state", f"{stat} {value:+d}")
        lasts = "for now" if effect.get("until") is not None or effect.get("left") is not None else "for good"
        draft.say(f"{{who}} has {value:+d} {stat} {lasts}.", fact)
    elif kind in ("debilitation", "enhancement") and stat:
        draft.after(fact["who"], "state", f"{stat} {_LUCK[kind]}")
        draft.say(f"{{who}} rolls {stat} with {_LUCK[kind]}.", fact)
    else:
        words = _BEGINS.get(kind, "{term:text} takes hold of {who}.")
        if kind == "prone" and fact.get("cause") in _WILLINGLY:
            words = "{who} drops prone."
        draft.after(fact["who"], "state", plain(kind))
        term = plain(str(effect.get("source") or kind)) if kind == "sickness" else draft.voice.term(kind)
        more = {"degree": degree if degree > 1 else None, "times": count(degree, "time") if degree > 1 else None}
        left = effect.get("left")
        more["lasting"] = _span(draft, left) if kind == "sickness" and left else None
        draft.say(words, fact, term=term, **more)


def _span(draft: EntryDraft, ticks: int) -> str:
    """A span of time; a week is said as one."""
    span = spelled(draft.voice.span(ticks))
    return "a week" if span == "seven days" else span


def _opening(draft: EntryDraft, fact: Fact) -> None:
    feints = draft.events("ManeuverUsed")
    if feints and feints[-1].get("target") == fact.get("other") and feints[-1]["maneuver"] == "feint":
        draft.say("{who} feints, and {other:name} falls for it: {who} has an opening.", fact)
    else:
        draft.say("{who} has an opening against {other:name}.", fact)


@sayings.on("EffectEnded", "who", "effect", actor="who")
def _effect_ended(draft: EntryDraft, fact: Fact) -> None:
    kind, value = str(fact["effect"]), int(fact.get("value") or 0)
    if kind == "rating":
        draft.say("{who} is no longer exposed." if value <= 0 else "{who} is no longer on guard.", fact)
    elif kind in _ENDS:
        draft.say(_ENDS[kind], fact)
    elif kind in ("rally", "opening", "unsighted", "stat_change"):
        return
    else:
        draft.lead("{term:text} on {who} ends.", fact, term=draft.voice.term(kind))


sayings.say("BurnedDown", "The fire on {who} burns down.")


@sayings.on("ConcentrationChanged", "who", actor="who")
def _concentration_changed(draft: EntryDraft, fact: Fact) -> None:
    if not fact.get("on"):
        is_rage = fact.get("cause") == "mars.gap.talent.rage"
        draft.say("{who}'s rage is over." if is_rage else "{who} loses concentration.", fact)
    elif not draft.events("FlewIntoRage"):
        draft.lead("{who} concentrates on {on:term}.", fact)


# ---------------------------------------------------------------------- checks

_DEGREES = {
    "failure": ("fails", "fail"),
    "graze": ("manages a graze", "manage a graze"),
    "success": ("succeeds", "succeed"),
    "critical": ("succeeds critically", "succeed critically"),
}


_CARE = ("mars.gap.recovery.stabilise", "mars.rest.treatment")


@sayings.on("Checked", "who", "what", "result", actor="who", entry="check")
def _checked(draft: EntryDraft, fact: Fact) -> None:
    skill, _, together = str(fact["what"]).partition(", ")
    skill, _, _ = skill.partition(":")
    verbs, against = _DEGREES.get(str(fact["result"])), " against {against:name}" if fact.get("against") else ""
    group = draft.events("Checked")
    if fact.get("cause") in _CARE and against:
        draft.say("{who} works on {against:name}'s wounds; it is not enough yet.", fact)
    elif verbs is None:
        draft.say(f"{{who}} tries {{skill:term}}{against}: {{result}}.", fact, skill=skill)
    elif draft.trace("mars.contest", "mars.contest_of_several") is not None and len(group) > 1:
        if fact is group[-1]:
            _contest(draft, group)
    elif together:
        if fact is group[-1]:
            names = and_list([str(draft.voice.name(one["who"])) for one in group])
            draft.say(f"Together, {{names:text}} {verbs[len(group) > 1]} at {{skill:term}}.", names=names, skill=skill)
    else:
        draft.say(f"{{who}} {verbs[0]} at {{skill:term}}{against}.", fact, skill=skill)


def _contest(draft: EntryDraft, group: Sequence[Fact]) -> None:
    """Tell who beats whom, with the totals of the last throws."""
    won = [one for one in group if one["result"] in ("success", "critical")]
    totals = dict(zip([one["who"] for one in group], [one.total for one in draft.throws[-len(group) :]], strict=False))
    skills = {str(one["what"]) for one in group}
    at = f" at {draft.voice.term(skills.pop())}" if len(skills) == 1 else ""
    everyone = [draft.voice.name(one["who"]) for one in group]
    if not won:
        draft.say("Nobody wins{at:text}: {names:text} are level.", at=at, names=and_list(map(str, everyone)))
        return
    winner = won[0]["who"]
    others = [one["who"] for one in group if one["who"] != winner]
    score = ""
    if all(total is not None for total in totals.values()) and len(totals) == len(group):
        score = f", {totals[winner]} to {and_list([str(totals[one]) for one in others])}"
    names = and_list([str(draft.voice.name(one)) for one in others])
    clearly = " clearly" if won[0]["result"] == "critical" else ""
    words: dict[str, Any] = {"who": draft.voice.name(winner), "names": names, "at": at, "score": score}
    draft.say(f"{{who}}{clearly} beats {{names:text}}{{at:text}}{{score:text}}.", None, **words)


@sayings.on("Checked", "who", "what")
def _checked_in_secret(draft: EntryDraft, fact: Fact) -> None:
    tell_checked(draft, {**fact, "what": str(fact["what"]).partition(", ")[0].partition(":")[0]})


# ---------------------------------------------------------------------- growing and belongings

sayings.match(
    "CharacterChanged",
    "what",
    (
        r"(?P<gained>\d+) experience(?P<due>; a checkpoint is due)?",
        "{who} gains {gained:text} experience[{due:if}, and a checkpoint is due].",
    ),
    (
        r"(?P<name>.+?)(?P<was> from (?:r|step )\d+)? to (?P<to>r\d+|step \d+) for (?P<cost>\d+)",
        "{who} raises {name:term}[{was:text}] to {to:text} for {cost:text} experience[; {left:text} left].",
    ),
    (
        r"(?P<name>.+) taken back, (?P<back>\d+) experience returned",
        "{who} takes back {name:term} and has {back:text} experience more to spend.",
    ),
    (rf"(?P<stat>{'|'.join(STATS)}) \+1", "{who} gets +1 {stat:text} for good."),
    actor="who",
    more=lambda fact: {"left": _available(fact)},
)


def _available(fact: Fact) -> str | None:
    """Experience that is left after a purchase, where the viewer may see it."""
    character = fact.get("character")
    if not isinstance(character, Mapping) or "experience" not in character:
        return None
    return str(int(character["experience"]) - sum([int(one["cost"]) for one in character.get("advances", ())]))


@sayings.on("BelongingsChanged", "who", "what")
def _belongings_changed(draft: EntryDraft, fact: Fact) -> None:
    what = str(fact["what"])
    if what.startswith("takes off "):
        draft.actor(fact["who"])
        draft.say("{who} takes off {thing:text}.", fact, thing=the(what.removeprefix("takes off ").lower()))
    elif what == "uses provisions":
        draft.lead("{who} eats and drinks.", fact)
    else:
        COMMON.events["BelongingsChanged"][0].tell(draft, fact)
