"""Sayings of questions."""

from __future__ import annotations

import re

from tablewright.game.narration.entry import Sentence
from tablewright.game.narration.phrases import article, small
from tablewright.game.narration.question import QuestionDraft
from tablewright.systems.renaissance.narration.words import STRIKES, sayings, weapon_noun
from tablewright.systems.renaissance.values import limited

sayings.headings |= {
    "lower which aptitude to raise another?": "Take points from one aptitude to raise another?",
    "where to?": "Where does {who} go?",
    "towards whom?": "Toward whom does {who} move?",
    "jump where?": "Where does {who} reappear?",
    "who is the rival?": "Whom does {who} single out as a rival?",
    "who is touched?": "Whom does {who} touch?",
    "who is pointed at?": "Whom does {who} point at?",
    "what is maimed?": "Which part of {target:name} does {who} try to maim?",
    "where is the shot called?": "Where does {who} aim at {target:name}?",
    "which figure is raised?": "Which figure does {who} raise?",
    "who acts first of those who tie?": "Initiative is tied. Who acts first?",
    "with which weapons": "Which weapons does {who} attack with?",
    "ignore the penalties": "Does {who} spend Luck to ignore the penalties?",
    "ignore the penalties on the check": "{who} may fall. Spend Luck to ignore the penalties?",
    "roll again": "Does {who} spend Luck to roll again?",
    "dare it, for +20": "Does {who} dare it, for 20 more to roll under?",
    "flip the digits": "Does {who} spend Luck to flip the digits of the roll?",
    "flip the failed check": "{who} is about to fall. Spend Luck to flip the roll?",
    "roll initiative again": "Does {who} spend Luck to roll initiative again?",
}
sayings.reasons |= {
    "nothing burns": "{who} is not on fire",
    "not grabbed": "Nobody holds {who}",
    "everybody is aware": "All of {who}'s allies are alert",
    "only soldiers can": "{who} is not a soldier",
    "only duelists do": "{who} is not a duelist",
    "beasts have no hands": "{who} has no hands",
    "no way to any foe": "No way leads {who} to a foe",
    "no standard action is left": "{who} has no standard action left",
    "no quick action is left": "{who} has no quick action left",
}

_LEFT = re.compile(r"(\d+) (standard|quick)")


@sayings.asked("")
def _throws(asked: QuestionDraft) -> None:
    """Dice of an attack: d100 first, then others for its damage."""
    attack = sayings.labels.get(str(asked.so_far.get("mechanic", ""))) == "attack"
    if asked.seen["kind"] != "roll" or not attack:
        return
    if not str(asked.seen["dice"]).startswith("d0..99"):
        asked.purpose = "damage"
    else:
        asked.purpose = "to defend" if asked.who and asked.who == asked.opponent else "to attack"


@sayings.asked("what now?")
def _what_now(asked: QuestionDraft) -> None:
    left = asked.about.get("left")
    if left == "nothing":
        asked.stakes = "no actions left"
    elif left:
        asked.stakes = f"{actions_left(str(left))} left"


def actions_left(text: str) -> str:
    """Actions left in a turn, in words.

    >>> actions_left("1 standard and 1 quick, or 3 quick")
    'one standard and one quick action, or three quick actions'
    """
    parts = []
    for part in text.split(", or "):
        found = _LEFT.findall(part)
        words = " and ".join([f"{small(int(number))} {kind}" for number, kind in found])
        parts.append(f"{words} action{'' if found and found[-1][0] == '1' else 's'}")
    return ", or ".join(parts)


# ---------------------------------------------------------------------- strikes


@sayings.asked("which strike?")
def _which_strike(asked: QuestionDraft) -> None:
    weapon = str(asked.about.get("weapon", "")).lower()
    noun = asked.voice.words.get(weapon, weapon)
    shot = "bow" in noun
    begins = (
        "{who} draws the {noun:text} on {target:name}." if shot else "{who} attacks {target:name} with {noun:text}."
    )
    asked.say(begins, noun=noun if shot else article(noun))
    asked.say("What kind of shot?" if shot else "What kind of attack?")
    for option in asked.options:
        option.label, option.gives = _strike(asked, option.id, option.label, shot=shot)


_BEFOREHAND = {"ignore_penalties": "without penalty", "dare": "daring it"}


def _strike(asked: QuestionDraft, id_: str, label: str, *, shot: bool) -> tuple[str, str]:
    """The name of a strike with its Luck, and its target."""
    name, *luck = id_.split(":")
    plain_name = "Plain shot" if shot else "Plain attack"
    told = [plain_name if name == "plain" else STRIKES.get(name) or asked.voice.term(name)]
    told += [words for key, words in _BEFOREHAND.items() if key in luck]
    goal = re.search(r" at (-?\d+)", label)
    return ", ".join(told), _target(int(goal[1])) if goal else ""


def _target(number: int) -> str:
    """A target within its limits, and the number that it comes from.

    >>> _target(85), _target(105)
    ('target 85', 'target 98 (105)')
    """
    counts = limited(number)
    return f"target {counts}" + (f" ({number})" if counts != number else "")


@sayings.asked("which Luck before the roll?")
def _which_luck(asked: QuestionDraft) -> None:
    asked.say("{who} aims at {target:name}. Spend Luck before the roll?")
    for option in asked.options:
        option.label, option.gives = _strike(asked, option.id, option.label, shot=False)


# ---------------------------------------------------------------------- defence and Luck


def _under_way(asked: QuestionDraft) -> Sentence:
    """The attack of the rule under way, from its seats and its declaration: "Raptor 1 attacks Pip with a bite"."""
    _, attacks, what = str(asked.event("Declared").get("what", "")).partition("attack with ")
    noun = what.partition(" (")[0]
    weapon = article(asked.voice.words.get(noun, noun)) if attacks else None
    return asked.attack(asked.actor, asked.opponent, weapon)


@sayings.asked("how to defend")
def _how_to_defend(asked: QuestionDraft) -> None:
    asked.say("[{attack}. ]How does {who} defend?", attack=_under_way(asked))
    for option in asked.options:
        name, *luck = option.id.split(":")
        label = "Dodge with Fray" if name == "fray" else f"Parry with {article(weapon_noun(asked.voice, name))}"
        told = [label, *[words for key, words in _BEFOREHAND.items() if key in luck]]
        goal = re.search(r" at (-?\d+)", option.label)
        option.label, option.gives = ", ".join(told), _target(int(goal[1])) if goal else ""


_CAME = {"no hit": " and misses", "a tie": " and ties", "hit": " and hits"}


@sayings.asked("spend Luck on the attack")
def _luck_on_the_attack(asked: QuestionDraft) -> None:
    rolled = _last_roll(asked)
    kept = next((one.label.lower() for one in asked.options if one.id == "keep the result"), "")
    came = next((said for word, said in _CAME.items() if word in kept), "")
    asked.say(
        f"{{who}} rolls {{rolled}}{came}. Spend Luck?" if rolled is not None else "Does {who} spend Luck?",
        rolled=rolled,
    )
    for option in asked.options:
        option.label = _use(option.label, rolled)


@sayings.asked("spend Luck on the result")
def _luck_on_the_result(asked: QuestionDraft) -> None:
    rolled = _last_roll(asked)
    asked.say("{who} rolls {rolled}. Spend Luck?" if rolled is not None else "Does {who} spend Luck?", rolled=rolled)
    for option in asked.options:
        option.label = _use(option.label, rolled)


def _use(label: str, rolled: int | None) -> str:
    """A use of Luck with what comes of it: "Flip to 31: an exceptional hit"."""
    use, _, came = label.partition(": ")
    came = came.partition(" with ")[0]
    turned = f" to {rolled % 10 * 10 + rolled // 10}" if rolled is not None else ""
    told = {
        "keep the result": "Keep it",
        "flip": f"Flip{turned}",
        "upgrade": "Upgrade",
        "flip and upgrade": f"Flip{turned} and upgrade",
    }.get(use.lower(), use)
    if told == "Keep it" and came:
        return f"Keep the {'miss' if came == 'no hit' else came.partition(' ')[2]}"
    if came and told.endswith("pgrade") and came != "no hit":
        return f"{told} to {came}"
    return f"{told}: {came}" if came else told


def _last_roll(asked: QuestionDraft) -> int | None:
    """The last roll of the one who is asked in the rule under way."""
    found = list(_own_rolls(asked.so_far))
    return found[-1] if found else None


def _own_rolls(trace: object) -> list[int]:
    found: list[int] = []
    if isinstance(trace, dict):
        for step in trace.get("steps", ()):
            if "mechanic" in step:
                found += _own_rolls(step)
            elif "roll" in step and "seat" not in step and len(step["faces"]) == 1:
                found.append(int(step["faces"][0]))
    return found


@sayings.asked("flip the failed roll")
def _flip_the_failed_roll(asked: QuestionDraft) -> None:
    rolled = _last_roll(asked)
    if rolled is None:
        asked.say("{who} misses. Spend Luck to flip the roll?")
    else:
        asked.say(f"{{who}} rolls {rolled} and misses. Spend Luck to flip it to {rolled % 10 * 10 + rolled // 10}?")


@sayings.asked("flip the defence")
def _flip_the_defence(asked: QuestionDraft) -> None:
    asked.say("[{attack} and hits. ]Does {who} spend Luck to flip the defence?", attack=_under_way(asked))
