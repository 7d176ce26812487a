"""Sayings of entering a fight, other actions of a turn, journeys and seasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablewright.game.narration.common_sayings import wins
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.phrases import and_list, count, plain, together
from tablewright.game.narration.sayings import Fact
from tablewright.systems.marchen.chapters.magic import PRICE
from tablewright.systems.marchen.chapters.seasons.catalogue import SCALES
from tablewright.systems.marchen.narration.words import SUCCEEDED, arms, degree, manner, sayings

# ---------------------------------------------------------------------- the fight


@sayings.on("EnteredTheFray", "who", "control", entry="order")
def _entered(draft: EntryDraft, fact: Fact) -> None:
    draft.who = ""
    entered = draft.events("EnteredTheFray")
    if fact is not entered[-1]:
        return
    late = [one for one in entered if one.get("loses_round")]
    caught = [one for one in late if one.get("surprised")]
    slow = [one for one in late if not one.get("surprised")]
    there = [
        _are(draft, those, f"{{}} {spot}")
        for those, spot in (
            ([one for one in entered if one["control"]], "in control"),
            ([one for one in entered if not one["control"] and one not in late], "in a bad spot"),
        )
        if those
    ]
    if there:
        draft.say("{there:text}.", there="; ".join(there))
    if slow:
        loses = "lose" if len(slow) > 1 else "loses"
        draft.say("{slow:text}.", slow=_are(draft, slow, f"{{}} caught in a bad spot and {loses} the first round"))
    if caught:
        loses = "lose" if len(caught) > 1 else "loses"
        draft.say("{caught:text}.", caught=_are(draft, caught, f"{{}} taken by surprise and {loses} the first round"))


def _are(draft: EntryDraft, those: Sequence[Fact], state: str) -> str:
    """Names with a state: "Roland and Agnes are in control"."""
    names = and_list(together([str(draft.voice.name(one["who"])) for one in those]))
    return f"{names} {state.format('are' if len(those) > 1 else 'is')}"


sayings.quiet("FightOver")
_MANEUVERS = {
    "gains ground": ("gains ground", "fails to gain ground"),
    "secures an advantage": ("secures an advantage", "is outwitted"),
    "takes a defensive action": ("is on the defensive", "fails to set up a defence"),
    "reacts under fire": ("gets out of danger", "does not get out of danger"),
    "turns the tide": ("turns the tide", "fails to turn the tide"),
}
"""Maneuvers by the words that logs store: success and failure."""

_DEEDS = {"Sense": "senses by", "Shape": "shapes", "Weave": "weaves", "Govern": "governs"}


@sayings.on("Maneuvered", "who", "what", "degree", actor="who")
def _maneuvered(draft: EntryDraft, fact: Fact) -> None:
    what, word = str(fact["what"]), str(fact["degree"])
    success, helps = word in SUCCEEDED, draft.events("HelpGained")
    given = helps[0] if helps and helps[0].get("dm") is not None else None
    depth, _, skill = what.partition(" by ")
    if skill and depth in _DEEDS:
        tell_deed(draft, fact, depth, skill, word)
        return
    if what == "aids an ally":
        _tell_aid(draft, fact, given, success)
        return
    verb = _MANEUVERS.get(what, (what, f"{what} in vain"))[0 if success else 1]
    style = f", {manner(word)}," if success and manner(word) else ""
    gives = ""
    if given is not None:
        draft.told["help"] = given
        gives = f": {given['dm']:+d} on {{whose:name}}'s next check"
    spot = _new_spot(draft, fact)
    draft.say(
        f"{{who}} {verb}{style if spot or not gives else style.rstrip(',')}{spot}{gives}.".replace(",.", "."),
        fact,
        whose=given["who"] if given is not None else None,
    )
    if not success and word != "fail":
        draft.note(degree(word))


def _new_spot(draft: EntryDraft, fact: Fact) -> str:
    """The position of a character where the maneuver has changed it: " and is in control"."""
    control = bool(fact.get("control"))
    draft.after(fact["who"], "state", "in control" if control else "in a bad spot")
    if draft.events("TideTurned") or str(fact["what"]) == "turns the tide":
        return "" if control else " and is in a bad spot"
    return " and is in control" if control and str(fact["what"]) == "reacts under fire" else ""


def _tell_aid(draft: EntryDraft, fact: Fact, given: Fact | None, success: bool) -> None:
    """Tell help for an ally together with what it is worth."""
    if given is None:
        draft.say("{who} helps an ally." if success else "{who} fails to help an ally.", fact)
        return
    draft.told["help"] = given
    well = {"serendipitous": ", serendipitously well", "critical": ", critically well"}.get(str(fact["degree"]), "")
    well = ", in style" if str(fact["degree"]) == "succeed_in_style" else well
    does = f"helps {{whose:name}}{well}" if success else "gets in {whose:name}'s way"
    draft.say(f"{{who}} {does}: {given['dm']:+d} on {{whose:name}}'s next check.", fact, whose=given["who"])


def tell_deed(draft: EntryDraft, fact: Fact, depth: str, skill: str, word: str) -> None:
    """Tell a deed of the spirit: "Agnes shapes Theurgy against Witch: a serendipitous success."."""
    harmed = [one for one in draft.events("Harmed") if one.get("cause") != PRICE and one["who"] != fact["who"]]
    healed = [one for one in draft.events("Healed") if one["who"] != fact["who"]]
    at = " against {target:name}" if harmed else " for {target:name}" if healed else ""
    target = (harmed or healed or [fact])[0]["who"]
    if harmed:
        draft.told["deed_at"] = harmed[0]
    draft.say(f"{{who}} {_DEEDS[depth]} {skill}{at}: {degree(word)}.", fact, target=target)


@sayings.on("TideTurned", "who", actor="who")
def _tide_turned(draft: EntryDraft, fact: Fact) -> None:
    if fact.get("foe") is None:
        draft.say("{who} turns the tide.", fact)
        return
    draft.after(fact["foe"], "state", "in a bad spot")
    draft.say("{who} turns the tide and takes the initiative from {foe:name}.", fact)


@sayings.on("Aimed", "who", "aim", actor="who")
def _aimed(draft: EntryDraft, fact: Fact) -> None:
    if fact["aim"]:
        draft.say(f"{{who}} takes aim: +{fact['aim']}.", fact)
    elif draft.events("Moved"):
        draft.note("the aim is lost")
    else:
        draft.say("{who} loses the aim.", fact)


_STANCES = {"standing": "{who} stands up.", "crouched": "{who} crouches.", "prone": "{who} drops prone."}


sayings.say("StanceChanged", "{who} is now {stance}.", cases=("stance", _STANCES))


@sayings.on("Reloaded", "who", "arms", actor="who")
def _reloaded(draft: EntryDraft, fact: Fact) -> None:
    draft.say(f"{{who}} loads the {arms(draft, fact['arms'])}.", fact)


@sayings.on("ObjectiveChanged", "objective")
def _objective_changed(draft: EntryDraft, fact: Fact) -> None:
    one = fact["objective"]
    if not isinstance(one, Mapping):
        draft.say("There is no objective any more.")
        return
    name = str(one.get("name") or "the objective")
    taken = one.get("taken_by")
    if taken:
        side = draft.voice.side(taken)
        takes = "take" if side.startswith("the ") and side.endswith("s") else "takes"
        draft.say("{side:text} {verb:text} {name:text}.", side=side, verb=takes, name=name)
        return
    lost = and_list([draft.voice.side(side) for side in one.get("lost_by") or ()])
    if lost:
        draft.say("{name:text} is lost to {lost:text}.", name=name, lost=lost)
        return
    steps = and_list([f"{draft.voice.side(side)} {done} of {one['steps']}" for side, done in one.get("progress") or ()])
    draft.say("{name:text}: {steps:text}.", name=name, steps=steps or count(int(one["steps"]), "step"))


# ---------------------------------------------------------------------- tasks, journeys and seasons


@sayings.on("TasksFound", "asked", "found")
def _tasks_found(draft: EntryDraft, fact: Fact) -> None:
    draft.say("{asked:text}: {found:text}", asked=fact["asked"], found="; ".join(map(str, fact["found"])))


_OWN_VERBS = ("comes ", "fails", "acts ", "is ", "does ", "gets ", "retires ", "holds ")


@sayings.on("Followed", "who", "what", actor="who")
def _followed(draft: EntryDraft, fact: Fact) -> None:
    what = str(fact["what"])
    deed, _, word = what.partition(": ")
    depth, _, skill = deed.partition(" by ")
    if skill and depth in _DEEDS:
        tell_deed(draft, fact, depth, skill, word.replace(" ", "_"))
    elif deed == "faces the end":
        draft.say("{who} faces the end and has nothing to recover from.", fact)
    elif what.endswith(" win the battle"):
        draft.say("{told:text} the battle.", told=wins(draft.voice.side(what.removesuffix(" win the battle"))))
    elif what.endswith((" is there", " is not there")):
        item, _, found = what.partition(" is ")
        draft.say("{who} looks for {item:text}: it is {found:text}.", fact, item=item, found=found)
    elif what.startswith(_OWN_VERBS):
        draft.say("{who} {what:text}.", fact)
    elif what.startswith("the ") or what[:1].isupper():
        draft.say("{what:text}.", fact)
    else:
        draft.say("{who}: {what:text}.", fact)


_OBSTACLES = {"solved": "is overcome", "shut": "cannot be tried again"}


@sayings.on("ObstacleMet", "who", "obstacle", "state", actor="who")
def _obstacle_met(draft: EntryDraft, fact: Fact) -> None:
    stands = _OBSTACLES.get(str(fact["state"]), "is still in the way")
    draft.say(f"{{obstacle:text}} {stands}.", fact)
    if fact.get("what"):
        draft.say("{what:text}.", fact)


@sayings.on("Undertook", "who", "plan")
def _undertook(draft: EntryDraft, fact: Fact) -> None:
    if not draft.events("SeasonEnded"):
        draft.say("{who} chooses {plan:text} for the season.", fact, plan=plan_words(draft, fact["plan"]))


sayings.say("Undertook", "{who} has a plan for the season.")


@sayings.on("Spent", "who", "scale", "plan")
def _spent(draft: EntryDraft, fact: Fact) -> None:
    draft.say("{who} chooses {plan:text} for the {scale:text}.", fact, plan=plan_words(draft, fact["plan"]))


def plan_words(draft: EntryDraft, plan: object) -> str:
    """A plan by the name of its activity: "Training (Athletics)"."""
    name, _, detail = str(plan).partition(":")
    known = [actions.by_id[name].title for actions in SCALES.values() if name in actions.by_id]
    title = known[0] if known else "nothing in particular" if name == "rest" else plain(name)
    parts = [draft.voice.term(word) if word == word.lower() and " " not in word else word for word in detail.split("/")]
    return f"{title} ({', '.join(parts)})" if detail else title


sayings.say("SeasonBegan", "Season {number} begins.", unless="SeasonEnded")


@sayings.on("SeasonEnded", "number", "people", "plans")
def _season_ended(draft: EntryDraft, fact: Fact) -> None:
    draft.say("Season {number} is over.", fact)
    if len(fact["people"]) == len(fact["plans"]):  # the plans of the unseen stay unseen
        for who, plan in zip(fact["people"], fact["plans"], strict=True):
            draft.say("{whom:name} chose {plan:text}.", whom=who, plan=plan_words(draft, plan))


sayings.say("SeasonEnded", "Season {number} is over.")
sayings.say("SanctuaryOpened", "{place:text} is a sanctuary now.")
sayings.say("Arrived", "The company is in {place:text}[ ({culture:text})].")
sayings.say("Camped", "{who} has camped.")
sayings.say("PoolChanged", "The company's pool holds {points}.")


@sayings.on("OddsMoved", "before", "after", entry="ruling")
def _odds_moved(draft: EntryDraft, fact: Fact) -> None:
    moved = [
        f"{plain(str(what))} {round(old / 10)}% to {round(new / 10)}%" for what, old, new in fact.get("moved") or ()
    ]
    if draft.events("OptionsChanged"):
        draft.say("The dice are now {after:text} instead of {before:text}.", fact, after=fact["after"])
    else:
        draft.say("Typical checks with {after:text} instead of {before:text}:", fact, after=fact["after"])
    draft.note("; ".join(moved))


@sayings.on("Travelled")
def _travelled(draft: EntryDraft, fact: Fact) -> None:
    journey = fact.get("journey")
    if fact.get("arrived"):
        draft.say("The journey to {to:text} is over.", to=fact["arrived"])
    elif isinstance(journey, Mapping):
        far = f"{journey.get('gone', 0)} of {count(int(journey.get('miles', 0)), 'mile')}"
        draft.say("The company is on the way to {to:text}: {far:text}.", to=journey["to"], far=far)
    else:
        draft.say("The company covers {far:text}.", far=count(int(fact.get("covered") or 0), "mile"))


sayings.say("Sung", "{who} is heartened by {song:text}.")
