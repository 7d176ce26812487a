"""Sayings of turn order, movement, gear in hand and powers."""

from __future__ import annotations

from tablewright.game.narration.common_sayings import COMMON, moves_of, tell_order, tell_way
from tablewright.game.narration.draft import EntryDraft, rolls_of
from tablewright.game.narration.phrases import and_list, article, count
from tablewright.game.narration.sayings import Fact
from tablewright.systems.renaissance.narration.words import sayings, spend_luck

# ---------------------------------------------------------------------- order


@sayings.rolled("renaissance.initiative", acts=False)
def _initiative_thrown(draft: EntryDraft, trace: Fact) -> None:
    for step, _ in rolls_of(trace):
        thrown = draft.make_throw(step, trace, "initiative")
        plus = int(trace.get("arguments", {}).get("modifier") or 0)
        total = None if thrown.total is None else thrown.total + plus
        name = str(draft.voice.name(draft.who)) if draft.who else thrown.whose
        again = any(one.what == "initiative" and one.whose == name for one in draft.throws)
        draft.throw(thrown._replace(what="tie-break" if again else "initiative", whose=name, plus=plus, total=total))
    draft.who = ""


sayings.say(
    "InitiativeRolled",
    "{who} rolls {total} for initiative.",
    first=lambda draft, fact: spend_luck(draft, fact["who"], fact.get("luck")),
    entry="order",
    lead=True,
)


@sayings.on("OrderSet", "order", entry="order")
def _order_set(draft: EntryDraft, fact: Fact) -> None:
    totals = {one["who"]: one["total"] for one in draft.events("InitiativeRolled")}
    if totals:
        tell_order(draft, fact["order"], totals)
    else:
        COMMON.events["OrderSet"][0].tell(draft, fact)


@sayings.on("TurnOrderSet")
def _turn_order_set(draft: EntryDraft, fact: Fact) -> None:
    allotted = fact.get("allotment")
    if not allotted:
        draft.say("Turn order ends.")
        return
    kinds = [(int(allotted[kind]), f"{kind} action") for kind in ("standard", "quick")]
    parts = [count(number, word) for number, word in kinds if number]
    if allotted["minutes"]:
        parts.append(f"{count(int(allotted['minutes']), 'minute')} of a task")
    draft.say("Everyone acts in turn: {parts:text} each.", parts=and_list(parts) or "nothing")


# ---------------------------------------------------------------------- movement

_WALKS = {
    "": "moves",
    "quickly": "rushes",
    "charging": "charges",
    "crawling": "crawls",
    "weaving": "weaves",
    "stunt": "vaults across",
}


@sayings.on("Walked", "who", actor="who")
def _walked(draft: EntryDraft, fact: Fact) -> None:
    how, walks = str(fact.get("how") or ""), moves_of(draft, fact)
    if not walks:
        return
    if how == "a stunt that fails":
        draft.say("{who} tries a stunt and fails.", fact)
    elif how == "jump":
        far = sum([int(draft.about(one).get("far", 0)) for one in walks])
        how_far = f" {count(far, 'metre', words=far <= 12)} away" if far else " elsewhere"
        draft.say(f"{{who}} vanishes and reappears{how_far}.", fact)
    else:
        tell_way(draft, fact, walks, _WALKS.get(how, "moves"), up_to="" if how == "charging" else " up to")


sayings.say("Answered", "{by} meets {who}'s charge.")
sayings.say("Stopped", "{by} stops {who}'s charge.")

# ---------------------------------------------------------------------- gear, powers and other acts

_MAGIC = {"holds": "conjures"}


@sayings.on("HandsChanged", "who", "what", actor="who")
def _hands_changed(draft: EntryDraft, fact: Fact) -> None:
    what = str(fact["what"])
    if what == "lets it explode":
        draft.lead("{who} lets the fire explode, and nobody is hurt.", fact)
        return
    verb, _, thing = what.partition(" ")
    thing = draft.voice.words.get(thing.lower(), thing.lower())
    shown = f"the {thing}" if verb in ("drops", "stows", "dismisses", "coats") else article(thing)
    draft.say("{who} {verb:text} {shown:text}.", fact, verb=_MAGIC.get(verb, verb), shown=shown)


sayings.match(
    "BelongingsChanged",
    "what",
    (r".+ goes out", "{who}'s {what:text}."),
    (r"picks up (?P<thing>.+)", "{who} picks up {thing:low a}."),
    actor="who",
)


@sayings.on("SustainChanged", "who", "what", actor="who")
def _sustain_changed(draft: EntryDraft, fact: Fact) -> None:
    spend_luck(draft, fact["who"], fact.get("luck"))
    verb, _, rest = str(fact["what"]).partition(" ")
    name, _, came = str(fact["what"]).partition(": ")
    if verb == "begins":
        draft.say("{who} begins to sustain {power:term}.", fact, power=rest.replace(" ", "_"))
    elif verb == "ends":
        draft.say("{who} lets {power:term} go.", fact, power=rest.replace(" ", "_"))
    elif verb == "sustains":
        draft.say("{who} sustains nothing any more.", fact)
    elif came:
        ends = "improves {power:term}" if came == "better" else "cannot improve {power:term}"
        draft.say(f"{{who}} {ends}.", fact, power=name.replace(" ", "_"))


@sayings.on("Acted", "who", "what", actor="who")
def _acted(draft: EntryDraft, fact: Fact) -> None:
    if fact.get("whom"):
        draft.lead("{who} tries to intimidate {whom:name}.", fact)
    else:
        draft.say("{who} {what:text}.", fact)
