"""Sayings of damage, stress, recovery, luck and effects."""

from __future__ import annotations

import re

from tablewright.game.narration.common_sayings import COMMON, tell_checked
from tablewright.game.narration.draft import EntryDraft, choices_of, rolls_of
from tablewright.game.narration.phrases import and_list, count, plain, title_case
from tablewright.game.narration.sayings import Fact
from tablewright.systems.renaissance.narration.attacks import escaped
from tablewright.systems.renaissance.narration.words import (
    GRADES,
    degree_of,
    harm_list,
    sayings,
    spend_luck,
    weapon_noun,
)
from tablewright.systems.renaissance.values import limited

# ---------------------------------------------------------------------- harm

_SOURCES = {
    "a fall": "{who} falls",
    "fall": "{who} falls",
    "bleeding": "{who} loses blood",
    "burning": "{who} burns",
}


@sayings.on("Hurt", "who", "by", "damage")
def _hurt(draft: EntryDraft, fact: Fact) -> None:
    damage = int(fact["damage"])
    if fact.get("doer"):
        draft.actor(fact["doer"])
    draft.actor(fact["who"])
    spend_luck(draft, fact["who"], fact.get("luck"))
    if damage:
        draft.after(fact["who"], "harm", f"{damage} damage", damage)
    if fact.get("dead"):
        draft.after(fact["who"], "out", "dead")
    if fact.get("doer"):
        _of_a_burst(draft, fact)
    elif str(fact["by"]) in _SOURCES:
        ends = _taken(fact)
        draft.say(f"{_SOURCES[str(fact['by'])]}{': ' if ends else ', unhurt'}{ends}.", fact)
    else:
        source = weapon_noun(draft.voice, str(fact["by"]))
        ends = _taken(fact)
        draft.say(f"The {source} {'hurts' if ends else 'does'} {{who}}{f': {ends}' if ends else ' no harm'}.", fact)


def _taken(fact: Fact) -> str:
    harm = harm_list(int(fact["damage"]), int(fact.get("wounds") or 0))
    ends = ["dead"] if fact.get("dead") else ["knocked prone"] if fact.get("prone") else []
    return ", ".join([*harm, *ends])


def _of_a_burst(draft: EntryDraft, fact: Fact) -> None:
    """Everyone hurt by one explosion, in one sentence."""
    hurt = [one for one in draft.events("Hurt") if one.get("doer") == fact["doer"] and one["by"] == fact["by"]]
    if fact is not hurt[-1]:
        return
    noun = weapon_noun(draft.voice, str(fact["by"]))
    clear = escaped(draft)
    told = [_share(draft, one) for one in hurt]
    told += [f"{and_list(clear)} {'gets' if len(clear) == 1 else 'get'} clear"] if clear else []
    what = "It" if draft.events("Attacked") else f"{{doer:name}}'s {noun}"
    draft.say(f"{what} bursts: {'; '.join(told)}.", fact)


def _share(draft: EntryDraft, fact: Fact) -> str:
    harm = harm_list(int(fact["damage"]), int(fact.get("wounds") or 0))
    takes = f"takes {and_list(harm)}" if harm else "is unhurt"
    ends = " and dies" if fact.get("dead") else " and is knocked prone" if fact.get("prone") else ""
    return f"{draft.voice.name(fact['who'])} {takes}{ends}"


@sayings.on("Died", "who", actor="who")
def _died(draft: EntryDraft, fact: Fact) -> None:
    draft.after(fact["who"], "out", "dead")
    fell = str(fact.get("cause") or "").endswith("hazard.falling")
    far = f"falls {count(int(fact['metres']), 'metre')} and dies" if fact.get("metres") else "falls to the death"
    draft.say(f"{{who}} {far}." if fell else "{who} dies.", fact)


@sayings.rolled("renaissance.stress")
def _stress_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of stress: to resist it, its amount, and to keep a clear head after a trauma."""
    names = {"resist": "resist", "nerves": "keep a clear head"}
    which = "resist"
    for step, inner in rolls_of(trace):
        if str(inner["mechanic"]) == "renaissance.keep_up":
            against = inner.get("arguments", {}).get("target", "")
            draft.throw(draft.make_throw(step, trace, names[which], against=against))
        else:
            which = "nerves"
            draft.throw(draft.make_throw(step, trace, "stress"))


@sayings.on("Stressed", "who", "by", "stress", actor="who")
def _stressed(draft: EntryDraft, fact: Fact) -> None:
    spend_luck(draft, fact["who"], fact.get("luck"))
    traumas = int(fact.get("traumas") or 0)
    if fact["stress"]:
        draft.after(fact["who"], "harm", f"{fact['stress']} stress", int(fact["stress"]))
    took = [f"{fact['stress']} stress"] * bool(fact["stress"]) + [count(traumas, "trauma")] * bool(traumas)
    source = draft.voice.thing(str(fact["by"]))
    if took:
        draft.say("{source:text} weighs on {who}: {took:text}.", fact, source=source, took=", ".join(took))
    else:
        draft.say("{who} keeps calm: {source:text} does no harm.", fact, source=source)
    if fact.get("insane"):
        draft.after(fact["who"], "out", "insane")
        draft.say("{who} goes insane.", fact)
    elif fact.get("overwhelmed"):
        draft.after(fact["who"], "out", "overwhelmed")
        draft.say("{who} is overwhelmed.", fact)


# ---------------------------------------------------------------------- effects


@sayings.on("TookHold", "who", "what")
def _took_hold(draft: EntryDraft, fact: Fact) -> None:
    """Told by the table of conditions, but for what the action itself says already."""
    id_, by = fact["what"]["id"], fact["what"].get("by")
    term = draft.voice.term(str(fact["what"].get("source") or id_))
    if id_ == "hurried":
        draft.note(f"{degree_of(fact):+d} on physical skills until the next turn")
    elif id_ == "feinted":
        draft.after(fact["who"], "state", "off guard")
        draft.note(f"defence {degree_of(fact):+d} against the next attack")
    elif id_ == "unaware":
        draft.after(fact["who"], "state", id_)
        shared = draft.shared(fact)
        if shared is not None:
            draft.say(f"{{names:text}} {'suspect' if shared[1] else 'suspects'} nothing.", names=shared[0])
    elif id_ == "chemical":
        draft.after(fact["who"], "state", term)
        draft.say("{who} feels the {term:text}.", fact, term=term.lower())
    elif id_ == "disease":
        draft.after(fact["who"], "state", term)
        draft.say("{who} falls ill with {term:text}.", fact, term=term)
    elif id_ == "assisted" and draft.voice.has(by):
        draft.say("{by:name} helps {who}: {more:text} on the next attack.", fact, by=by, more=f"{degree_of(fact):+d}")
    elif id_ in ("grabbed", "prone", "cowed", "charmed") and draft.told.get("contest"):
        draft.after(fact["who"], "state", sayings.conditions[id_].lasts)
        if id_ == "prone":
            draft.say("{who} lies prone.", fact)
    elif id_ == "prone" and draft.chosen()[0] in ("drop_prone", "fall_prone", "go_prone"):
        draft.say("{who} drops prone.", fact)
    else:
        COMMON.events["TookHold"][0].tell(draft, fact)


@sayings.on("WoreOff", "who", "what")
def _wore_off(draft: EntryDraft, fact: Fact) -> None:
    id_ = fact["what"]["id"]
    term = draft.voice.term(str(fact["what"].get("source") or id_))
    if id_ == "chemical":
        draft.say("The {term:text} wears off {who}.", fact, term=term.lower())
    elif id_ == "disease":
        draft.say("{who} gets over {term:text}.", fact, term=term)
    elif not (
        (id_ == "grabbed" and draft.told.get("contest") == "break free")
        or (id_ == "unaware" and draft.is_out(fact["who"]))
    ):
        COMMON.events["WoreOff"][0].tell(draft, fact)


# ---------------------------------------------------------------------- recovery

_HEALED = {
    "heals": "{who}'s wounds close.",
    "a day of rest": "{who} is better after a day.",
    "a wound is bound": "One of {who}'s wounds is bound.",
    "a wound could not be bound": "The bandage does not hold: {who}'s wound stays open.",
    "soothed": "{who} finds peace in a trance.",
    "finds no peace": "{who} finds no peace in the trance.",
}


@sayings.on("Healed", "who", "why")
def _healed(draft: EntryDraft, fact: Fact) -> None:
    why = str(fact["why"])
    draft.after(fact["who"], "heal", "better")
    left = [
        count(int(fact[name]), word) if word != "damage" else f"{fact[name]} damage"
        for name, word in (("damage", "damage"), ("wounds", "wound"))
        if fact.get(name)
    ]
    draft.say(_HEALED.get(why, "The {why:text} helps {who}."), fact, why=why.lower())
    healed = [one for one in draft.events("Healed") if one["who"] == fact["who"]]
    if left and why in ("heals", "a day of rest") and fact is healed[-1]:
        draft.note(f"{and_list(left)} left")


@sayings.on("Infected", "who", "incubating")
def _infected(draft: EntryDraft, fact: Fact) -> None:
    carried = and_list([draft.voice.term(str(one)) for one in fact["incubating"]])
    if carried:
        draft.say("{who} carries {carried:text}, and nothing shows yet.", fact, carried=carried)


sayings.say("Wasted", "{who} wastes away.")
sayings.quiet("TimeSpent", "TurnBegan")

_PLANS = {"nothing": "{who} makes no plans.", "rest": "{who} rests from now on."}


sayings.say(
    "Planned",
    "{who} spends the days with this: {what:text}.",
    cases=("what", _PLANS),
    actor="who",
    lead=True,
)


@sayings.on("Worked", "who", "what", actor="who")
def _worked(draft: EntryDraft, fact: Fact) -> None:
    draft.say("{who} works: {what:text}.", fact)
    if fact.get("told"):
        draft.note(plain(str(fact["told"])))


_LUCK = {
    "session": "a session begins",
    "motivation": "a motivation is served",
    "roleplaying": "good role-playing",
    "failed motivation": "a motivation is failed",
    "poor roleplaying": "poor role-playing",
}


@sayings.on("LuckChanged", "who", "change", actor="who")
def _luck_changed(draft: EntryDraft, fact: Fact) -> None:
    change, why = int(fact["change"]), str(fact.get("why") or "")
    if why in _LUCK:
        verb = "gains" if change > 0 else "loses"
        draft.say(f"{{who}} {verb} {abs(change)} Luck: {_LUCK[why]}.", fact)
    elif change < 0:
        spend_luck(draft, fact["who"], -change)
    else:
        draft.say("{who} gains {change} Luck.", fact)


# ---------------------------------------------------------------------- experience

_BOUGHT = re.compile(
    r"(?P<name>\S+)(?: (?P<old>\d+) to (?P<new>\d+))? for (?P<cost>\d+) Rez points(?:, (?P<left>\d+) left)?\Z"
)
_RETURNED = re.compile(r"(?P<name>\S+) taken back, (?P<cost>\d+) Rez points returned\Z")


def _purchase(found: re.Match[str]) -> dict[str, str]:
    """Name and cost of something that Rez points buy: "Language: Common", 10."""
    return {"name": title_case(found["name"].replace(":", ": ")), "cost": found["cost"]}


@sayings.on("CharacterChanged", "who", "what", actor="who")
def _character_changed(draft: EntryDraft, fact: Fact) -> None:
    """Rez points earned, spent and returned, boons and shapes; everything else as in all systems."""
    what = str(fact["what"])
    bought, returned = _BOUGHT.match(what), _RETURNED.match(what)
    if what.endswith(" Rez points") and what.split(" ", maxsplit=1)[0].isdigit():
        draft.say("{who} earns {what:text}.", fact)
    elif bought:
        ranks = f" from {bought['old']} to {bought['new']}" if bought["old"] else ""
        left = f"; {bought['left']} left" if bought["left"] else ""
        verb = "raises" if ranks or not left else "buys"
        draft.say(f"{{who}} {verb} {{name:text}}{ranks} for {{cost:text}} Rez points{left}.", fact, **_purchase(bought))
    elif returned:
        draft.say("{who} takes {name:text} back and has {cost:text} Rez points again.", fact, **_purchase(returned))
    elif what.startswith(("changes into ", "is granted ")):
        draft.say("{who} {what:text}.", fact)
    elif what.endswith((" is granted", " is taken back")):
        name, _, verb = what.rpartition(" is ")
        draft.say(
            "{name:text} is {verb:text} to {who}." if verb == "granted" else "{who} loses {name:text}.",
            fact,
            name=name,
            verb=verb,
        )
    else:
        COMMON.events["CharacterChanged"][0].tell(draft, fact)


# ---------------------------------------------------------------------- checks


_GRADE = re.compile("|".join(GRADES))
_QUALITIES = {"excel": "{who} excels at {what:term}", "stumble": "{who} stumbles, but manages {what:term}"}
_CHECKS = ("check", "margin", "lucky_check", "lucky_margin", "gifted_check", "two_rolls", "simple_check")
_HEALING = "renaissance.bind"


@sayings.rolled(*[f"renaissance.{name}" for name in (*_CHECKS, "lucky_simple", "task", "bind", "resist")])
def _check_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of a check with its target: "Athletics [50] against 80"."""
    arguments, chosen = trace.get("arguments", {}), choices_of(trace)
    goal = arguments.get("target")
    if isinstance(goal, int) and chosen.get("ignore the penalties") == "yes":
        goal += int(arguments.get("penalties") or 0)
    if isinstance(goal, int) and any(key.startswith("dare it") and said == "yes" for key, said in chosen.items()):
        goal += int(arguments.get("daring") or 0)
    against: int | str = limited(goal) if isinstance(goal, int) else ""
    label = sayings.labels.get(str(trace["mechanic"]), "check")
    for at, (step, _) in enumerate(rolls_of(trace)):
        healing = at > 0 and trace["mechanic"] == _HEALING
        draft.throw(draft.make_throw(step, trace, "healed" if healing else label, against="" if healing else against))


@sayings.rolled("renaissance.lucky_contest")
def _contest_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of a contest, each with its target where that is known."""
    arguments = trace.get("arguments", {})
    for step, _ in rolls_of(trace):
        goal = arguments.get("b" if "seat" in step else "a")
        against: int | str = limited(goal) if isinstance(goal, int) else ""
        draft.throw(draft.make_throw(step, trace, "check", against=against))


@sayings.on("Checked", "who", "what", "result", actor="who", entry="check")
def _checked(draft: EntryDraft, fact: Fact) -> None:
    result = str(fact["result"])
    against = " against {against:name}" if fact.get("against") else ""
    grade = _GRADE.search(result)
    if grade:
        draft.say(f"{GRADES[grade[0]]}{against}.", fact)
    elif result.rpartition(" ")[2] in _QUALITIES:
        draft.say(f"{_QUALITIES[result.rpartition(' ')[2]]}.", fact)
    elif result in ("won", "lost"):
        verb = "wins with" if result == "won" else "loses with"
        draft.say(f"{{who}} {verb} {{what:term}}{against}.", fact)
    else:
        tell_checked(draft, fact)


sayings.on("Checked", "who", "what")(tell_checked)
