"""Sayings of questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.game.narration.phrases import dice_words, percent
from tablewright.game.narration.question import QuestionDraft
from tablewright.game.narration.reasons import patterns
from tablewright.systems.marchen.actions.attack import hit_chances
from tablewright.systems.marchen.narration.attacks import with_arms
from tablewright.systems.marchen.narration.words import CLASHES, rolls_of_clash, sayings
from tablewright.systems.marchen.status import UnderWay

sayings.headings |= {
    "where to?": "Where does {who} go?",
    "take which arms?": "Which arms does {who} take?",
    "burn a point for a success?": "Does {who} burn a point for a success?",
    "which aspect heals?": "Which aspect of {who} heals?",
    "which condition goes?": "Which condition does {who} get rid of?",
    "what do you do this season?": "What does {who} do this season?",
    "what does the journey cost?": "What does the journey cost?",
    "which trait makes room?": "Which trait makes room?",
    "what else is repaired?": "What else is repaired?",
    "which of these as well?": "Which of these as well?",
    "who is the heir?": "Who is {who}'s heir?",
    "what is the song called?": "What is the song called?",
}

sayings.reason_patterns = patterns(
    (r"no room for (.+) in hand: .*", "{who} has no hand free for the {1}"),
)


@sayings.asked("react?")
def _react(asked: QuestionDraft) -> None:
    blow = getattr(asked.scene.system_state, "blow", None)
    if blow is not None and asked.voice.has(blow.by) and asked.voice.has(blow.target):
        verb = "attacks" if blow.how != "turn_the_tide" else "turns the tide on"
        noun = with_arms(_noun(asked, blow))
        asked.say(f"{{by:name}} {verb} {{target:name}} with {noun}.", by=blow.by, target=blow.target)
    asked.say("Does {who} react?")
    hits = _chances_of_reactions(asked, blow)
    whose = asked.voice.name(asked.who) if asked.who else "its"
    for option in asked.options:
        option.label = "Stand firm" if option.id == "none" else option.id.capitalize()
        option.gives = hits.get(option.id, "")
        if option.id != "none":
            option.costs = f"-1 on {whose}'s checks until {whose}'s next turn"


def _noun(asked: QuestionDraft, blow: UnderWay) -> str:
    kind, _, manner = str(blow.arms).partition("/")
    return "bare hands" if kind == "unarmed" else f"{manner} {asked.voice.thing(kind)}".strip()


def _chances_of_reactions(asked: QuestionDraft, blow: UnderWay | None) -> dict[str, str]:
    """The chance that the blow hits after each reaction: "hit 58%"."""
    found = {} if blow is None else hit_chances(asked.scene, blow)
    return {way: f"hit {percent(chance)}" for way, chance in found.items()}


@sayings.asked("what becomes of the foe?")
def _fate(asked: QuestionDraft) -> None:
    blow = getattr(asked.scene.system_state, "blow", None)
    if blow is None or not asked.voice.has(blow.target):
        asked.say("If {who}'s blow is strong enough to end it, the foe ...")
    else:
        asked.say("If {who}'s blow is strong enough to end it, {target:name} ...", target=blow.target)
    for option in asked.options:
        option.label = "falls" if option.id == "felled" else option.id


_OTHER_PURPOSES = {
    "marchen.enter_the_fray": "to enter the fray",
    "marchen.check": "the check",
    "marchen.aided": "the check",
    "marchen.group": "the check of the group",
    "marchen.opposed": "the contest",
    "marchen.suffer": "to endure it",
    "marchen.face": "to face the end",
    "marchen.hazard": "the harm",
    "marchen.battle": "the battle",
    "marchen.cast": "the deed",
    "marchen.treat": "the treatment",
    "marchen.day_of_rest": "the day's healing",
    "marchen.withstand": "to withstand the damage",
    "marchen.rolled_score": "a score",
    "marchen.duration": "the time it takes",
}
_STAGES = ("for the attack", "for the damage", "to endure it", "to face the end")
"""The rolls of a strike in their order; damage by tiers needs no dice."""


@sayings.asked("")
def _throws(asked: QuestionDraft) -> None:
    """Word an open roll: whose dice, and what for."""
    if asked.seen["kind"] != "roll":
        return
    outer = str(asked.so_far.get("mechanic", ""))
    if outer not in ("marchen.strike", "marchen.struck", *CLASHES):
        asked.purpose = asked.purpose or _OTHER_PURPOSES.get(outer, "")
        return
    asked.purpose = _stage(asked.so_far, clash=outer in CLASHES)
    blow = getattr(asked.scene.system_state, "blow", None)
    dice = dice_words(str(asked.seen["dice"]))
    if asked.purpose != "to endure it" or not asked.who:
        if not asked.say(f"{{who}} rolls {dice} {asked.purpose}."):
            asked.say(f"Roll {dice} {asked.purpose}.")
        return
    if blow is not None and asked.who == blow.target and asked.voice.has(blow.by):
        noun = _noun(asked, blow)
        hits = "strike" if noun == "bare hands" else "strikes"
        asked.say(f"{{by:name}}'s {noun} {hits} {{who}}.", by=blow.by)
    elif blow is not None and asked.voice.has(blow.target):
        asked.say("{target:name} strikes back.", target=blow.target)
    asked.say(f"Roll {dice} for {{who}} to endure it.")


def _stage(trace: Mapping[str, Any], *, clash: bool) -> str:
    """The purpose of the next roll of a blow, by the rolls that were made for it."""
    made = [step for step in trace.get("steps", ()) if "roll" in step]
    given = trace.get("arguments", {})
    if clash:
        contested = rolls_of_clash(trace)
        if len(made) < contested:
            return "for the clash"
        made = made[contested - 1 :]
    stage = len(made) + (given.get("damage_model") == "tiers" and bool(made))
    return _STAGES[min(stage, len(_STAGES) - 1)]
