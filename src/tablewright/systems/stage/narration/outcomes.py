"""Checks, harm, healing, order and conditions of The Stage."""

from __future__ import annotations

import re

from tablewright.game.narration.common_sayings import COMMON, moves_of, tell_checked, tell_price, tell_way, went
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.phrases import and_list, article, together
from tablewright.game.narration.sayings import ConditionWords, Fact
from tablewright.systems.stage.narration.attacks import defence_word, fallen
from tablewright.systems.stage.narration.words import sayings

# ---------------------------------------------------------------------- other things tried

_TRIED = {
    "intimidate.bully": ("{by} bullies {who} into submission", "{who} stands up to {by}'s bullying"),
    "manipulation.insult": ("{by}'s insult stings {who}", "{who} shrugs off {by}'s insult"),
    "manipulation.distract": ("{by} distracts {who}", "{who} is not distracted by {by}"),
    "guile.bluff": ("{by} feints, and {who} falls for it", "{who} sees through {by}'s feint"),
    "disarm": ("{by} disarms {who}", "{who} holds on to the weapon against {by}"),
    "trip": ("{by} brings {who} down", "{who} keeps standing against {by}"),
    "push": ("{by} pushes {who} back", "{who} stands firm against {by}"),
    "medicine.surgery": ("{by} operates on {who} with success", "{by}'s operation on {who} fails"),
    "medicine.treatment": ("{by} treats {who}", "{by}'s treatment of {who} does not help"),
    "medicine.first_aid": ("{by} gives {who} first aid", "{by}'s first aid does not help {who}"),
    "medicine.reanimate": ("{by} brings {who} back to life", "{by} cannot bring {who} back"),
    "perception.detect": ("{by} notices the trap in time", "{by} notices nothing"),
    "guile.disable": ("{by} disarms the trap", "{by} cannot disarm the trap"),
    "survival.ride": ("{by} keeps {who} under control", "{who} does not obey {by}"),
    "operate.control": ("{by} keeps control of {who}", "{by} cannot control {who}"),
    "athletics.pursue": ("{by} catches up with {who}", "{who} gets away from {by}"),
    "athletics.run": ("{by} catches up with {who}", "{who} gets away from {by}"),
    "athletics.race": ("{by} catches up with {who}", "{who} gets away from {by}"),
}


@sayings.on("Tried", "who", "by", "what", "success", actor="by")
def _tried(draft: EntryDraft, fact: Fact) -> None:
    for whose, paid in (("by", "spent"), ("who", "paid"), ("ally", "lent")):
        draft.price(str(fact.get(whose, "")), fact.get(paid))
    works, fails = _TRIED.get(str(fact["what"]), _TRIED.get(str(fact["what"]).lower(), ("", "")))
    if fact["what"] == "Ward":
        around = "" if fact["by"] == fact["who"] else " around {who}"
        works, fails = f"{{by}} raises a Ward{around}", "{by}'s Ward collapses at once"
    if not works:
        what = draft.voice.term(str(fact["what"]).rpartition(".")[2])
        own = fact["by"] == fact["who"]
        verb = "casts" if str(fact.get("cause", "")).startswith("stage.magic") else "uses"
        works = f"{{by}} {verb} {what}" if own else f"{{by}} {verb} {what} on {{who}}"
        defence = defence_word(fact.get("defence"))
        fails = f"{{by}} tries {what} and fails" if own else f"{{who}} withstands {{by}}'s {what}"
        fails += f" with {draft.voice.term(defence)}" if defence and not own else ""
    draft.say(f"{works if fact['success'] else fails}.", fact)
    fallen(draft, fact)


_TRAVEL = {"walk": "walks", "run": "runs", "sprint": "sprints"}
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_ENDED = {
    "it is too dark": "It is too dark, and {who}'s {what:text} comes to nothing.",
    "it comes to nothing": "{who}'s {what:text} comes to nothing.",
    "it does not go off": "The {what:text} does not go off.",
    "something small moves": "{who} moves something small by thought.",
    "there is no magic to end": "{who} finds no magic to dispel.",
    "something goes wrong": "{who} is out of control, and something goes wrong.",
    "used": "{who} uses {power:text}.",
    "cast": "{who} casts {power:text}.",
    "fails": "{who}'s {power:text} fails.",
}
_DAMAGE = re.compile(r"(?P<points>\d+) damage(?: of (?P<whole>\d+) Integrity Points)?")


@sayings.on("Checked", "who", "what", "result", actor="who")
def _checked(draft: EntryDraft, fact: Fact) -> None:
    """Tell a check with a result of its own: a journey, a place, what was found or broken."""
    what, result = str(fact["what"]), str(fact["result"] or "")
    damage = _DAMAGE.fullmatch(result)
    if what in _TRAVEL and result.endswith(" km"):
        draft.say("{who} {goes:text} {result}.", fact, goes=_TRAVEL[what])
    elif result.startswith("place "):
        place = int(result.removeprefix("place "))
        known = _PLACES[place - 1] if place <= len(_PLACES) else f"number {place}"
        draft.say("{who} wins." if place == 1 else "{who} comes {known:text}.", fact, known=known)
    elif what.endswith(".detect") and draft.events("Checked") and fact.get("cause") == "stage.magic.app_detect":
        school = what.partition(".")[0].title()
        found = "none" if result == "nothing" else result
        draft.say(
            "{who} reaches out for {school:text} magic and senses {found:text}.", fact, school=school, found=found
        )
    elif what == "athletics.pursue" and fact.get("against"):
        if fact is draft.events("Checked")[0]:  # the pursuer's; the other one says the same
            gains = went(result).startswith("{who} succeeds")
            draft.say("{who} gains on {against:name}." if gains else "{against:name} draws away from {who}.", fact)
    elif damage is not None:
        _damaged(draft, fact, what, damage)
    elif result in _ENDED:
        draft.say(_ENDED[result], {**fact, "what": what[:1].lower() + what[1:]}, power=draft.voice.term(what))
    elif what.startswith("a message to "):
        draft.say("{who} sends {what:text} by thought, {result}.", fact)
    elif " on " in what and fact.get("cause") == "stage.power_effect.reveal_tracks":
        whom = what.rpartition(" on ")[2]
        draft.say("{who} reads {whom:text}: {numbers:text}.", fact, whom=whom, numbers=result.title())
    else:
        tell_checked(draft, fact)


def _damaged(draft: EntryDraft, fact: Fact, what: str, damage: re.Match[str]) -> None:
    """Tell damage to a thing, with a weapon or by sabotage."""
    weapon, _, thing = what.rpartition(" on ")
    points, whole = damage["points"], damage["whole"]
    share = f"{points} of {whole}" if whole else points
    does = (
        "does the {thing:text} no harm" if points == "0" else f"takes {share} Integrity Points from the {{thing:text}}"
    )
    who = f"{{who}}'s {weapon.lower()}" if weapon else "{who}"
    draft.say(f"{who} {does}.", fact, thing=thing.lower())


@sayings.on("Checked", "who", "what")
def _behaved(draft: EntryDraft, fact: Fact) -> None:
    """Tell how a mount or craft behaves, or a check whose result is not open."""
    if fact.get("cause") == "stage.mount.control":
        draft.say("{who} {what:text}.", fact)
    else:
        tell_checked(draft, fact)


_EARNED = re.compile(r"-?\d+ Character Points")


@sayings.on("CharacterChanged", "who", "what", actor="who")
def _character_changed(draft: EntryDraft, fact: Fact) -> None:
    what = str(fact["what"])
    if _EARNED.fullmatch(what):
        draft.say("{who} earns {what:text}.", fact)
    elif " for " in what and what.endswith("Character Points"):
        name, _, cost = what.rpartition(" for ")
        bought = " ".join([word.capitalize() for word in name.replace("_", " ").split()])
        draft.say("{who} buys {bought:text} for {cost:text}.", fact, bought=bought, cost=cost)
    elif what.split(" ", maxsplit=1)[0] in ("prepares", "learns", "practises"):
        draft.say("{who} {what:text}.", fact)
    elif fact.get("cause") == "stage.power_effect.item_bonus":
        item, _, power = what.rpartition(" for ")
        draft.say("{who} gets used to {item:text} ({power:text}).", fact, item=article(item.lower()), power=power)
    else:
        draft.lead("{who}: {what:text}.", fact)


_FOOD, _WATER = "{food:count day of food}", "{water:count day of water}"
sayings.match(  # what the check behind it does not tell
    "BelongingsChanged",
    "what",
    (
        r"(?P<thing>.+) loses (?P<points>\d+) Integrity Points",
        "{who}'s {thing:low} loses {points:count Integrity Point}.",
    ),
    (r"(?P<thing>.+) is not harmed", "{who}'s {thing:low} is not harmed."),
    (
        r"uses food for (?:0|(?P<food>\d+)) and water for (?:0|(?P<water>\d+)) days(?P<hot> in the heat)?",
        f"{{who}} uses up [{_FOOD} and {_WATER}|{_FOOD}|{_WATER}|nothing][{{hot:text}}].",
    ),
    (r"repairs (?P<thing>.+)", "{who} repairs the {thing:low}."),
    (r"makes (?P<thing>\D.*)", "{who} makes {thing:low a}."),
    (r"(?P<verb>finds|makes) (?P<thing>.+)", "{who} {verb:text} {thing:text}."),
    (r"wastes material for (?P<thing>.+)", "{who} wastes material for {thing:low a}."),
)
sayings.on("Spent", "who", "price")(tell_price)
sayings.quiet("CameBeside", "DayChanged", "Paced", "Used")


_BEGUN = {
    "insult": "insult",
    "bully": "bully",
    "distract": "distract",
    "grapple": "grapple with",
    "treat": "treat",
    "first_aid": "bind the wounds of",
    "reanimate": "reanimate",
    "pursue": "pursue",
}


@sayings.on("Begun", "who", "use", "ap", actor="who")
def _begun(draft: EntryDraft, fact: Fact) -> None:
    action, target, _ = (*str(fact["use"]).split(":"), "", "")[:3]
    whom = " on {target:name}" if draft.voice.has(target) else ""
    if action in _BEGUN and draft.voice.has(target):
        draft.say(f"{{who}} starts to {_BEGUN[action]} {{target:name}}.", fact, target=target)
    else:
        draft.say(f"{{who}} starts to use {{action:term}}{whom}.", fact, action=action, target=target)
    draft.note(f"{fact['ap']} AP so far; the rest next turn")


@sayings.on("ApChanged", "who", "amount")
def _ap_changed(draft: EntryDraft, fact: Fact) -> None:
    verb = "gains" if fact["amount"] > 0 else "loses"
    draft.say(f"{{who}} {verb} {abs(fact['amount'])} AP.", fact)


# ---------------------------------------------------------------------- harm and healing


@sayings.on("Hurt", "who", "damage", actor="who")
def _hurt(draft: EntryDraft, fact: Fact) -> None:
    source, damage = str(fact.get("source", "")), fact["damage"]
    attribute = str(fact.get("attribute", "body")).title()
    if source and "fall" not in source:
        same = [one for one in draft.events("Hurt") if one.get("source") == source and one["who"] == fact["who"]]
        same = [one for one in same if one.get("attribute") == fact.get("attribute")]
        if fact is not same[0]:
            return
        damage = sum([one["damage"] for one in same])
    if source.startswith("a fall of "):
        ends = f"takes {damage} {attribute} damage" if damage else "lands unhurt"
        draft.say("{who} falls {far:text} and {ends:text}.", fact, far=source[10:].replace(" m", " metres"), ends=ends)
    elif damage and source:
        values = {"attribute": attribute, "points": damage}
        draft.say("{source:text} does {points} {attribute:text} damage to {who}.", fact, **values)
    elif damage:
        draft.say("{who} takes {damage} {attribute:text} damage.", fact, attribute=attribute)
    elif source:
        draft.say("{source:text} does {who} no harm.", fact)
    if damage:
        draft.after(fact["who"], "harm", f"{damage} {attribute}", damage)
    fallen(draft, fact)


sayings.say(
    "Restored",
    "[{amount:if}{who} recovers {amount} {track:term}.]",
    reads=["who", "track", "amount"],
    after=("heal", "{amount} {track:term}", "amount"),
)
sayings.say(
    "Rested",
    "{who} sleeps for 8 hours. Stamina, Intellect and Will are full.",
    actor="who",
    after=("heal", "rested"),
)
sayings.say("Refreshed", "{who} has {amount} temporary {track:term}.")
sayings.say("FirstAidGiven", "{who}'s wounds are bound and do not hamper for now.")
sayings.say("Reanimated", "{who} lives again.")


@sayings.on("Left", "who", "how", actor="who")
def _left(draft: EntryDraft, fact: Fact) -> None:
    """Tell a flight for lack of courage in its own words."""
    if fact.get("cause") == "stage.gap.encounter.flight":
        draft.after(fact["who"], "out", "out of the fight")
        draft.say("{who}'s nerve breaks.", fact)
        draft.say("{who} runs.", fact)
    else:
        COMMON.events["Left"][0].tell(draft, fact)


sayings.say("Braced", "{who} wavers, and stays.")


@sayings.on("FellUnconscious", "who")
def _fell_unconscious(draft: EntryDraft, fact: Fact) -> None:
    how = str(fact.get("how") or "")
    ends = f" in the {how}" if how.endswith(("cold", "heat")) else f": {how}" if how else ""
    draft.say(
        "{who} is knocked out." if how == "knocked out" else "{who} loses consciousness{ends:text}.", fact, ends=ends
    )


sayings.say("Woke", "{who} comes to.")
sayings.say("Released", "{who} recovers from {what}.", "{who} is better.")
sayings.say("TurnLost", "{who} lies still and will miss the next turn.")


sayings.say("Infected", "{who} carries {sickness.ailment:thing}, level {sickness.level}.")
sayings.say(
    "SicknessChanged",
    "{gone:if}{who} is cured of {sickness.ailment:thing}.",
    "[{what:if}{sickness.ailment:the}: {what} for {who}.]",
    reads=["who", "sickness"],
)


# ---------------------------------------------------------------------- stance, order, water, mounts


@sayings.on("Moved", "who")
def _moved(draft: EntryDraft, fact: Fact) -> None:
    """Tell all moves of an entry at once; only those who come beside a character have moved up to them."""
    draft.actor(fact["who"])
    if moves := moves_of(draft, fact):
        came, last = draft.events("CameBeside"), draft.about(moves[-1])
        beside = [one["others"][0] for one in came if one["who"] == fact["who"] and one.get("others")]
        reached = beside[-1] if beside and draft.voice.has(beside[-1]) else None
        toward = last.get("toward") or last.get("reached")
        tell_way(draft, fact, moves, "moves", advances="advances", toward=toward, reached=reached)


_STANCES = {"standing": "{who} stands up.", "crouching": "{who} crouches.", "prone": "{who} drops prone."}


@sayings.on("StanceChanged", "who", "stance")
def _stance_changed(draft: EntryDraft, fact: Fact) -> None:
    draft.after(fact["who"], "state", str(fact["stance"]))
    if any(str(one["what"]).lower() == "trip" and one.get("success") for one in draft.events("Tried")):
        return  # the trip has told it
    draft.say(_STANCES.get(fact["stance"], "{who} is {stance}."), fact)


@sayings.on("InitiativeRolled", "who", "side", "total", entry="order")
def _initiative_rolled(draft: EntryDraft, fact: Fact) -> None:
    rolled = draft.events("InitiativeRolled")
    if fact is not rolled[-1]:
        return
    first, *others = sorted(rolled, key=lambda one: -int(one["total"]))
    side, best = draft.voice.side(first["side"]), first["total"]
    who = draft.voice.name(first["who"])
    if not others:
        draft.say("{who} rolls {best} for initiative.", who=who, best=best)
        return
    against = ", ".join([str(one["total"]) for one in others])
    if int(others[0]["total"]) == int(best):
        draft.say("Both sides roll {best} for initiative: a tie.", best=best)
        return
    is_alone = str(who) == side
    for_whom = "" if is_alone else f" for {side}"
    verb = "go" if side.startswith("the ") and side.endswith("s") else "goes"
    draft.say(f"{{who}} wins initiative{for_whom}, {best} to {against}.", who=who)
    if not is_alone:
        draft.say("{side:text} {verb:text} first.", side=side, verb=verb)


@sayings.on("LiesInWait", "who", "now")
def _lies_in_wait(draft: EntryDraft, fact: Fact) -> None:
    waiting = [one["who"] for one in draft.events("LiesInWait") if one.get("now")]
    if waiting and fact is draft.events("LiesInWait")[-1]:
        verb = "lies" if len(waiting) == 1 else "lie"
        names = and_list(together([str(draft.voice.name(who)) for who in waiting]))
        draft.say("{names:text} {verb:text} in ambush.", names=names, verb=verb)


sayings.say("Slipped", "[{failures:if}{who} slips: {failures:words failure} in a row.]", reads=["who", "failures"])
sayings.say("WentUnder", "{who} is under water for round {rounds}.")
sayings.say("Mounted", "{who} [mounts {mount:name}|dismounts].")


# ---------------------------------------------------------------------- conditions

sayings.conditions |= {
    "intimidated": ConditionWords("{who} is intimidated.", "intimidated", "{who} takes heart again."),
    "provoked": ConditionWords("{who} is provoked.", "provoked", "{who} calms down."),
    "distracted": ConditionWords("{who} is distracted.", "distracted", "{who} is alert again."),
    "bluffed": ConditionWords("{who} is off guard.", "off guard", "{who} is on guard again."),
    "held": ConditionWords("{who} is held.", "held", "{who} is free."),
    "tumbling": ConditionWords("{who} tumbles.", "tumbling", ""),
    "prepared": ConditionWords("{who} waits for the right moment.", "prepared", ""),
    "stationary": ConditionWords("{who} holds the ground.", "holding ground", ""),
    "controlled": ConditionWords("{who} obeys the rider.", "under control", ""),
    "stands_by": ConditionWords("{who} stands by to help.", "standing by", ""),
    "ward": ConditionWords("", "Ward", "{who}'s Ward fades."),
}
