"""Questions of OpenD6 in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.game.narration.phrases import article, count
from tablewright.game.narration.question import QuestionDraft
from tablewright.game.narration.reasons import patterns
from tablewright.systems.opend6.narration.words import plural_verb, sayings

sayings.headings |= {
    "where to?": "Where does {who} go?",
    "aim at what?": "What does {who} aim at?",
    "how many times your Move?": "How many times the Move does {who} go?",
    "how many halves of your Move further?": "How many halves of the Move further does {who} climb?",
    "how many metres further?": "How many metres further does {who} jump?",
    "react how?": "How does {who} react?",
    "act now?": "{who} has waited. Act now?",
    "move your turn up and hold on to it?": "Does {who} act at once and hold on to it?",
    "Character Points on initiative": "How many Character Points does {who} spend on initiative?",
    "Character Points before the roll": "How many Character Points does {who} spend before the roll?",
    "Fate Points before the roll": "How many Fate Points does {who} spend before the roll?",
    "Fate Points on the resistance": "How many Fate Points does {who} spend to resist?",
    "spend points before the attack": "Does {who} spend points before the attack roll?",
    "spend points before the damage": "Does {who} spend a Fate Point on the damage?",
    "spend points before the roll": "Does {who} spend points before the roll?",
    "spend another Character Point": "Does {who} spend another Character Point?",
    "what the Critical Failure does": "The Wild Die shows 1: what does the Critical Failure do?",
    "does the Fate Point come back?": "Does {who}'s Fate Point come back?",
    "how many rounds of preparation": "How many rounds does {who} prepare?",
    "how many actions": "How many actions does {who} take?",
    "how to defend": "How does {who} defend?",
    "against whom?": "Against whom does {who} use it?",
    "what do you hold?": "What of {target} does {who} hold?",
    "resist with what?": "What does {who} resist with?",
    "a Fate Point on this roll": "Does {who} spend a Fate Point on this roll?",
}

sayings.reason_patterns = patterns(
    (r"(\d+D\S*) is left of (.+)", r"{who} has \1 left of \2"),
    (r"((?:[Ll]ong|[Ss]hort|[Cc]ross).*) has to be readied first", "the {1} has to be readied first"),
    (r"there is an active defence already", "{who} has an active defence already"),
    (r"it takes the whole round, and something was done already", "it takes the whole round, and {who} has acted"),
    (r"it takes the whole round, and some of it went into moving", "it takes the whole round, and {who} has moved"),
)


_TO_DO = {
    "to hit": "to hit",
    "damage": "for the damage",
    "Resistance": "to resist the damage",
    "initiative": "for initiative",
    "Character Point": "for a Character Point",
    "natural healing": "for natural healing",
    "Body Points": "for Body Points",
}


@sayings.asked("")
def _throws(asked: QuestionDraft) -> None:
    """An open roll: who rolls which dice, and what for."""
    if asked.seen["kind"] != "roll":
        return
    inner, under_way = asked.so_far, asked.so_far
    while inner.get("steps") and "mechanic" in inner["steps"][-1] and "result" not in inner["steps"][-1]:
        inner = inner["steps"][-1]
    named = f"for {asked.purpose}" if asked.purpose else ""
    asked.purpose = asked.purpose or asked.sayings.labels.get(str(inner.get("mechanic", "")), "roll")
    purpose = named or _TO_DO.get(asked.purpose, "")
    damage = under_way.get("arguments", {}).get("damage")
    if asked.purpose == "Resistance" and isinstance(damage, int):
        purpose = f"to resist {damage} damage"
    foe, attacker = asked.opponent, asked.actor
    if asked.purpose == "Resistance" and under_way.get("mechanic") == "opend6.attack" and asked.voice.has(attacker):
        rolled = [throw.total for throw in asked.throws() if throw.what == "damage"]
        hurt = f" for {rolled[-1]}" if rolled and rolled[-1] is not None else ""
        asked.say(f"{_blow(asked, attacker)}{hurt}.", attacker=attacker)
    whom = " {foe:name}" if asked.purpose == "to hit" and asked.voice.has(foe) else ""
    dice, wild, _ = str(asked.seen["dice"]).partition(" with the Wild Die first")
    first = ", Wild Die first" if wild and not dice.startswith("1D") else ""
    asked.say(f"{{who}} rolls {dice}{f' {purpose}' if purpose else ''}{whom}{first}.", foe=foe)


def _blow(asked: QuestionDraft, attacker: str) -> str:
    """An attack that hits, with its weapon where it is known: the template of a sentence."""
    action, _, detail = f"{asked.uses.get(attacker, '')}::".split(":")[:3]
    weapon = detail.partition("/")[0] or str(asked.event("Swung").get("how", "")).partition(",")[0].replace(" ", "_")
    if not weapon:
        return "{attacker:name} hits {who:name}"
    thing = asked.voice.thing(weapon)
    if action == "shoot":
        return f"{{attacker:name}} shoots {{who:name}} with {article(thing)}"
    thrown = "thrown " if action == "throw" else ""
    return f"{{attacker:name}}'s {thrown}{thing} {plural_verb(thing, 'hits')} {{who:name}}"


@sayings.asked("what now?")
def _what_now(asked: QuestionDraft) -> None:
    left, lacking = asked.about.get("left"), asked.about.get("each roll at")
    if isinstance(left, int):
        asked.stakes = f"{count(left, 'action')} left" + (f", {lacking} on each roll" if lacking else "")


@sayings.asked("aim at what?")
def _aim_at_what(asked: QuestionDraft) -> None:
    """Sizes of a target with their unit."""
    for option in asked.options:
        if option.id.endswith("cm"):
            option.label = f"A target of {option.id[:-2]} cm"


@sayings.asked("interrupt it?")
def _interrupt(asked: QuestionDraft) -> None:
    swung: Mapping[str, Any] = next(
        (fact for fact in reversed(asked.happened) if fact.get("event") == "Swung" and fact.get("how")), {}
    )
    if asked.voice.has(swung.get("target")):
        weapon = article(asked.voice.thing(str(swung["how"]).partition(",")[0].replace(" ", "_")))
        asked.say(
            "{actor} attacks {target} with {weapon:text}. Does {who} interrupt?", target=swung["target"], weapon=weapon
        )
    else:
        asked.say("{actor} has rolled. Does {who} act before it is told how it went?")


@sayings.asked("how many actions this round?")
def _how_many_actions(asked: QuestionDraft) -> None:
    asked.say("How many actions does {who} take this round? Each beyond the first takes 1D from every roll.")
    for option in asked.options:
        if option.id.isdigit():
            option.label = count(int(option.id), "action", words=True).capitalize()


_SHORT = {
    "another Character Point": ("behind", "{who} is behind by {short}."),
    "another Character Point on the attack": ("missing", "The attack misses by {short}."),
    "another Character Point on the damage": ("damage", "The damage is {short}."),
    "a Character Point on the damage": ("damage", "The damage is {short}."),
    "another Character Point on the resistance": ("hurt by", "The damage exceeds {who}'s Resistance by {short}."),
    "a Character Point on the resistance": ("hurt by", "The damage exceeds {who}'s Resistance by {short}."),
}
sayings.option_labels |= {
    "aim at what?": {"tiny": "A tiny target"},
    **{key: {"yes": "Spend a Character Point", "no": "Leave it"} for key in _SHORT},
    "a Fate Point on the resistance": {"yes": "Spend a Fate Point", "no": "Leave it"},
    "a Fate Point for the whole round?": {"yes": "Spend a Fate Point", "no": "Leave it"},
}


@sayings.asked(*_SHORT)
def _another_point(asked: QuestionDraft) -> None:
    name, words = _SHORT[asked.key]
    short = asked.about.get(name, asked.about.get("missing"))
    if isinstance(short, int):
        asked.say(words if name in asked.about else "The roll is {short} short.", short=short)
    asked.say("Does {who} spend a Character Point for another die?")


@sayings.asked("a Fate Point on the resistance")
def _fate_on_resistance(asked: QuestionDraft) -> None:
    damage, code = asked.about.get("damage"), asked.about.get("resistance")
    asked.say("{damage} damage against {who}'s Resistance of {code:text}.", damage=damage, code=code)
    asked.say("Does {who} spend a Fate Point to double it?")


@sayings.asked("how hard is it?")
def _how_hard(asked: QuestionDraft) -> None:
    asked.say("{who} tries {skill:term}. How hard is it?", skill=str(asked.about.get("on") or "it"))


@sayings.asked("a Fate Point for the whole round?")
def _fate_for_the_round(asked: QuestionDraft) -> None:
    if asked.voice.has(asked.about.get("by")):
        asked.say("{by:name} attacks {who:name}.", by=asked.about["by"])
    asked.say("Does {who} spend a Fate Point to double every roll of this round?")
