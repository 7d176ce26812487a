"""Sayings of turn order, movement and other actions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tablewright.game.narration.common_sayings import COMMON, moves_of, tell_order, tell_way
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.phrases import and_list, article, count, plain
from tablewright.game.narration.sayings import Fact
from tablewright.systems.mars.narration.words import pay, sayings

sayings.say("InitiativeRolled", "{who} rolls {total} for initiative.", entry="order", lead=True)


@sayings.on("TieDecided", "order", entry="order")
def _tie_decided(draft: EntryDraft, fact: Fact) -> None:
    first, *others = [str(draft.voice.name(who)) for who in fact["order"]]
    draft.lead("{first:text} goes before {others:text}.", fact, first=first, others=" and ".join(others))


@sayings.on("OrderDecided", "order", entry="order")
def _order_decided(draft: EntryDraft, fact: Fact) -> None:
    totals = {one["who"]: int(one["total"]) for one in draft.events("InitiativeRolled")}
    order = list(fact["order"])
    if fact.get("surprise") and not draft.events("WasSurprised"):
        draft.say("Surprise: those who were unaware do not act yet.")
    known = [totals[who] for who in order if who in totals]
    tell_order(draft, order, totals, "" if known == sorted(known, reverse=True) else " The sides take turns.")


sayings.share("WasSurprised", "is surprised and does not act yet", "are surprised and do not act yet")
sayings.say("SurpriseOver", "The surprise is over; now everyone acts.", reads=["order"], entry="order")


@sayings.on("TurnBegan", "who")
def _turn_began(draft: EntryDraft, fact: Fact) -> None:
    if fact.get("stuns"):
        draft.actor(fact["who"])
        times = fact["stuns"] if fact["stuns"] > 1 else None
        draft.say("{who} begins the turn stunned[ {times:count time}].", fact, times=times)


sayings.say("Delayed", "{who} waits for {after:name} to act.")


@sayings.on("Walked", "who")
def _walked(draft: EntryDraft, fact: Fact) -> None:
    pay(draft, fact)
    if fact.get("sets_out"):
        draft.lead("{who} sets out.", fact)
        return
    if walks := moves_of(draft, fact):
        verb = "runs" if len(walks) > 1 or any(one.get("stamina") for one in walks) else "moves"
        tell_way(draft, fact, walks, verb, least=sum([int(one.get("metres") or 0) for one in walks]))


sayings.say("Stopped", "{who} is stopped and moves no further.")

_ACTED = {
    "drop_prone": "{who} drops prone.",
    "rise": "{who} gets up.",
    "seek_cover": "{who} seeks cover.",
    "stand_up": "{who} gets up.",
    "put_out": "{who} puts out the fire.",
    "extinguish": "{who} puts out the fire.",
    "step": "{who} takes a step.",
}


@sayings.on("Acted", "who", "action")
def _acted(draft: EntryDraft, fact: Fact) -> None:
    pay(draft, fact)
    action = str(fact["action"])
    detail = draft.voice.term(fact["detail"]) if fact.get("detail") else ""
    if action == "stabilise" and fact.get("target"):
        if not draft.events("Stabilised"):
            draft.lead("{who} works on {target:name}'s wounds; it is not enough yet.", fact)
    elif action == "use_skill" and fact.get("detail"):
        draft.lead("{who} tries {detail:term}.", fact)
    elif action in _ACTED:
        draft.lead(_ACTED[action], fact)
    elif fact.get("target"):
        draft.lead(f"{{who}} uses {detail or '{action:term}'} on {{target:name}}.", fact)
    else:
        draft.lead(f"{{who}} uses {detail or '{action:term}'}.", fact)


sayings.say("ManeuverUsed", "{who} uses {maneuver:term}[ on {target:name}].", first=pay, lead=True)


def _held(thing: str) -> str:
    noun, both, _ = thing.partition(" in both hands")
    return thing if noun == "nothing" else article(plain(noun).lower()) + both


@sayings.on("HandsChanged", "who", "what")
def _hands_changed(draft: EntryDraft, fact: Fact) -> None:
    pay(draft, fact)
    verb, _, thing = str(fact["what"]).partition(" ")
    shown = and_list([_held(one) for one in thing.replace(" and ", ", ").split(", ") if one])
    draft.say("{who} {verb:text}[ {thing:text}].", fact, verb=verb, thing=shown)


_TRIGGERS = {
    "attacked": "when attacked",
    "attacks": "when an enemy attacks",
    "appears": "when an enemy comes into view",
    "enters_reach": "when an enemy comes into reach",
    "other": "at the right moment",
    "moves": "when an enemy moves",
}


@sayings.on("GotReady", "who", "trigger", "action")
def _got_ready(draft: EntryDraft, fact: Fact) -> None:
    pay(draft, fact)
    when = _TRIGGERS.get(str(fact["trigger"]), f"when {plain(str(fact['trigger']))}")
    when = f'for "{fact["words"]}"' if fact.get("words") else when
    action = plain(str(fact["action"]).partition(":")[0])
    draft.say("{who} gets ready to {action:text} {when:text}.", fact, action=action, when=when)


sayings.say("GotReady", "{who} waits for the right moment.", first=pay)
sayings.say("ReadyTaken", "[{over:if}|{who} was waiting for this.]", reads=["who"])


@sayings.on("WorkedOn", "who")
def _worked_on(draft: EntryDraft, fact: Fact) -> None:
    pay(draft, fact)
    work = fact.get("work")
    if isinstance(work, Mapping):
        what = draft.voice.term(work["detail"])
        begins = "begins to use" if work["done"] == fact.get("seconds") else "keeps at"
        draft.say(f"{{who}} {begins} {what}: {work['done']} of {work['needed']} seconds.", fact)
    elif fact.get("given_up"):
        draft.say("{who} breaks off.", fact)
    else:
        draft.lead("{who} is done.", fact)


sayings.say(
    "CaughtBreath",
    "{who} gets a second wind[: {endurance} endurance back].",
    first=pay,
    after=("heal", "{endurance} endurance", "endurance"),
)
sayings.say("FlewIntoRage", "{who} flies into a rage.", first=pay, after=("state", "raging"))


sayings.say("TollPaid", "{who}'s rage burns on.", reads=["who", "stamina"], first=pay, lead=True)


@sayings.on("Gathered")
def _gathered(draft: EntryDraft, fact: Fact) -> None:
    things = and_list([draft.voice.thing(str(item).partition("#")[0]) for item in fact.get("items") or ()])
    draft.say("Everyone [gathers their gear: {things:text}|catches their breath].", things=things)


@sayings.on("SceneEnded", "outcome")
def _scene_ended(draft: EntryDraft, fact: Fact) -> None:
    """Tell the end of a complex challenge by its turns; other ends as usual."""
    turns = re.fullmatch(r"after (\d+) turns", str(fact.get("reason", "")))
    ends = {"all is done": "Everything is done", "time is up": "Time is up"}
    if turns is None or fact["outcome"] not in ends:
        COMMON.events["SceneEnded"][0].tell(draft, fact)
        return
    draft.kind = "end"
    draft.say(f"{ends[fact['outcome']]} after {count(int(turns[1]), 'turn', words=True)}.")


@sayings.on("TaskDone", "who", "task")
def _task_done(draft: EntryDraft, fact: Fact) -> None:
    """A task is written as skill and difficulty; the check before it has told the skill."""
    left = [one for one in draft.events("TaskDone") if one["who"] == fact["who"]]
    if fact is left[-1]:
        draft.say("{who} gets {tasks:text} done.", fact, tasks="a task" if len(left) == 1 else count(len(left), "task"))
