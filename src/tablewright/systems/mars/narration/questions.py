"""Sayings of questions."""

from __future__ import annotations

from tablewright.game.narration.entry import Sentence
from tablewright.game.narration.phrases import article, average
from tablewright.game.narration.question import ClosedWords, OptionWords, QuestionDraft
from tablewright.game.narration.reasons import patterns
from tablewright.game.narration.sayings import Fact
from tablewright.systems.mars.mechanics.dice import gain
from tablewright.systems.mars.narration.attacks import weapon_noun
from tablewright.systems.mars.narration.words import sayings
from tablewright.systems.mars.now import now
from tablewright.systems.mars.values import Shown

sayings.headings |= {
    "begin the turn?": "{who} is up. Act now?",
    "who goes first?": "Equal initiative: who goes first?",
    "act after whom?": "After whom does {who} act?",
    "wait for what?": "Get ready: what does {who} wait for?",
    "is this what they wait for?": "Is this what {who} waits for?",
    "to do what?": "And what does {who} do then?",
    "where to?": "Where does {who} go?",
    "drop prone?": "Does {who} drop prone after that?",
    "step where?": "Where does {who} step?",
    "wield what?": "What does {who} take in hand?",
    "which skill?": "Which skill does {who} use?",
    "how hard is it?": "How hard is it for {who}?",
    "which number?": "Which difficulty does {who} roll against?",
    "against whom?": "Against whom does {who} roll?",
    "resisted with what?": "What does {target} resist with?",
    "which circumstance?": "Which circumstance counts for {who}?",
    "which task?": "Which task does {who} take on?",
    "improvise what?": "Which maneuver does {who} improvise?",
    "concentrate on what?": "What does {who} concentrate on?",
    "pay for the rage with stamina?": "Does {who} pay stamina to keep raging?",
    "stay conscious while dying?": "Does {who} stay conscious while dying?",
    "throw what, and at whom?": "What does {who} throw, and at whom?",
    "what exactly?": "What exactly does {who} do?",
    "who else?": "Who else?",
    "which maneuver is learned?": "Which maneuver does {who} learn?",
    "which die is rerolled": "Which die does {who} roll again?",
}

sayings.reasons |= {
    "nothing to parry with": "{who} holds nothing to parry with.",
    "no shield in hand": "{who} holds no shield.",
    "the shield is broken": "{who}'s shield is broken.",
    "cannot move at all": "{who} cannot move at all.",
    "there is nowhere to go": "There is nowhere to go.",
    "prone already": "{who} is prone already.",
    "unconscious": "{who} is unconscious.",
    "stunned": "{who} is stunned.",
    "surprised": "{who} is surprised.",
    "not trained in medicine": "{who} is not trained in Medicine.",
    "the reaction of this round is used up": "{who} has used the reaction of this round.",
    "has its +1 already": "{label} already has its +1.",
}

sayings.reason_patterns = patterns(
    (r"(.+) away, Unarmed reaches (.+)", r"the target is \1 away, and bare hands reach \2"),
    (r"(.+) away, (.+) reaches (.+)", r"the target is \1 away, and the {2} reaches \3"),
    (r"not within 1 m", "no one to treat is within 1 m"),
    (r"not in melee range", "no foe is in melee range"),
    (r"not within reach", "nothing lies within {who}'s reach"),
    (r"nobody acts later in this round", "no one acts after {who} in this round"),
)


def _attack_under_way(asked: QuestionDraft) -> Sentence:
    """The attack that the question is about: "Orc Raider swings a battleaxe at Aldith"."""
    blow = getattr(asked.scene.system_state, "blow", None)
    if blow is None:
        return Sentence()
    noun = article(weapon_noun(asked.voice, str(blow.weapon).partition("#")[0]))
    ways = {"shot": "shoots at {target} with {weapon:text}", "thrown": "throws {weapon:text} at {target}"}
    return asked.attack(blow.attacker, blow.target, noun, ways.get(blow.manner, "attacks {target} with {weapon:text}"))


@sayings.asked("how to defend?")
def _how_to_defend(asked: QuestionDraft) -> None:
    asked.say("[{attack}. ]How does {who} defend?", attack=_attack_under_way(asked))
    for option in asked.options:
        action, _, item = option.id.partition("::")
        if action == "parry" and item:
            option.label = f"Parry with the {asked.voice.thing(item.partition('#')[0])}"


@sayings.asked("block?")
def _block(asked: QuestionDraft) -> None:
    blow = getattr(asked.scene.system_state, "blow", None)
    if blow is not None and asked.voice.has(blow.attacker):
        noun = weapon_noun(asked.voice, str(blow.weapon).partition("#")[0])
        asked.say("{by:name}'s {noun:text} gets through.", by=blow.attacker, noun=noun)
    shield = now(asked.scene, asked.who).blocking if asked.who in asked.scene else None
    noun = asked.voice.thing(shield.item) if shield else "shield"
    asked.say("Does {who} block it with the {noun:text}?", noun=noun)
    block = asked.option("block")
    if block is not None:
        block.gives = "the shield takes the blow for as long as it lasts"


sayings.option_labels["begin the turn?"] = {"begin_turn": "Act now", "delay": "Wait until after someone else"}


@sayings.asked("is this the moment?")
def _is_this_the_moment(asked: QuestionDraft) -> None:
    if asked.about.get("words"):
        asked.say('{who} waits for "{words:text}". Is this the moment?')
    elif asked.voice.has(asked.about.get("actor")):
        asked.say("{actor:name} acts, and {who} is ready. Is this the moment?")


@sayings.asked("is this what they wait for?")
def _is_this_what_they_wait_for(asked: QuestionDraft) -> None:
    asked.say('[{words:if}{actor:name} acts, and {who} waits for "{words:text}". Has it happened?]')


@sayings.asked("which task?")
def _which_task(asked: QuestionDraft) -> None:
    """Tasks by their skill and difficulty."""
    offered: list[OptionWords | ClosedWords] = [*asked.options, *asked.closed]
    for option in offered:
        action, _, task = option.id.partition("::")
        skill, _, difficulty = task.partition(":")
        if action == "task" and difficulty:
            option.label = f"{asked.voice.term(skill)} against {difficulty}"


@sayings.asked("react?")
def _react(asked: QuestionDraft) -> None:
    asked.say("[{attack}. ]Does {who} step in?", attack=_attack_under_way(asked))
    for option in asked.options:
        if option.id == "let_be":
            option.label = "No"
        elif option.label.startswith("Intercept"):
            improvised = " (improvised)" if "improvis" in option.label else ""
            option.label = f"Step in and take the attack{improvised}"


@sayings.asked("which die is rerolled")
def _which_die(asked: QuestionDraft) -> None:
    """Name each die by what it shows, and say what a better face would add on average."""
    for option in asked.options:
        die = Shown.parse(option.id)
        option.label = f"The d{die.sides} that shows {die.face}"
        if _keeps_better(asked.so_far):
            option.gives = f"+{average(gain(die))} on average"


def _keeps_better(trace: Fact) -> bool:
    """True if the reroll under way keeps the better face."""
    while trace.get("steps") and "mechanic" in trace["steps"][-1]:
        trace = trace["steps"][-1]
    return bool(trace and trace["arguments"].get("keep") == "better")
