"""Questions of The Stage in words."""

from __future__ import annotations

import re
from collections import Counter

from tablewright.game.narration.draft import rolls_of
from tablewright.game.narration.entry import Sentence
from tablewright.game.narration.phrases import article, count
from tablewright.game.narration.question import QuestionDraft
from tablewright.game.narration.reasons import patterns
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.narration.throws import ATTACKS, TO_HIT
from tablewright.systems.stage.narration.words import sayings

# ---------------------------------------------------------------------- questions

sayings.headings |= {
    "where to?": "Where does {who} go?",
    "run?": "Does {who} run?",
    "land?": "Does {who} try to land well?",
    "assist?": "Does {who} help?",
    "another target?": "Does {who} take another target?",
    "next to whom?": "Next to whom does {who} step?",
    "which thing?": "Which thing does {who} take?",
    "move after the dodge?": "Does {who} move after the dodge?",
    "resist with what?": "What does {who} resist with?",
    "announce a power": "Does {who} announce a power for this attack?",
    "roll to hit again": "The attack missed. Does {who} roll to hit again?",
    "roll the damage again": "Does {who} roll the damage again?",
    "roll again": "Does {who} roll again?",
    "roll it again": "Does {who} roll it again?",
    "flat bonuses on the first roll": "How much of the bonus does {who} put into hitting? The rest is damage.",
}

sayings.reason_patterns = patterns(
    (r"adjacent already(.*)", r"the target is adjacent already\1"),
    (r"(there is no way to go)", r"\1"),
)


@sayings.asked("")
def _throws(asked: QuestionDraft) -> None:
    """The purpose of an open roll of an attack, by whose it is and what was rolled before it."""
    under_way = asked.so_far
    if asked.seen["kind"] != "roll" or under_way.get("mechanic") not in ATTACKS:
        return
    has_hit = any(inner["mechanic"] in TO_HIT for _, inner in rolls_of(under_way))
    if asked.who and asked.who == asked.opponent:
        asked.purpose = "to block" if has_hit else "to defend"
    else:
        asked.purpose = "damage" if has_hit else "to hit"


@sayings.asked("what now?")
def _what_now(asked: QuestionDraft) -> None:
    left = asked.about.get("left")
    asked.stakes = f"{left} left" if left else ""


def _attack_under_way(asked: QuestionDraft) -> Sentence:
    """Attacker and target, from the seats of the rule under way."""
    what = str(asked.event("AttackDeclared").get("what", ""))
    weapon = asked.voice.words.get(what, article(what)) if what and "(" not in what else what
    if weapon and asked.who == asked.actor and asked.uses.get(asked.actor, "").endswith("@throw"):
        return asked.attack(asked.actor, asked.opponent, weapon, "throws {weapon:text} at {target}")
    return asked.attack(asked.actor, asked.opponent, weapon)


@sayings.asked("interrupt?")
def _interrupt(asked: QuestionDraft) -> None:
    when, deed = next(((when, str(asked.about[when])) for when in ("before", "after") if when in asked.about), ("", ""))
    name, _, said = deed.partition(": ")
    happens = {"before": "is about to act", "after": "has acted"}.get(when)
    asked.stakes = said
    asked.say("[{name:text} {happens:text}. ]Does {who} interrupt?", name=name[:1].upper() + name[1:], happens=happens)


@sayings.asked("announce a power?")
def _announce_a_power(asked: QuestionDraft) -> None:
    what = str(asked.about.get("for") or "")
    if "initiative" in what:
        asked.say("{who} rolls initiative. Use a power?")
    else:
        asked.say("[{who} rolls {what:text}. ]Use a power?", what=what)
    for option in asked.options:
        option.label = "No" if option.id == "pass" else option.label.removeprefix("Announce ")


def _split_costs(asked: QuestionDraft) -> None:
    """Tell the dice that an option gives from the points that it costs."""
    for option in asked.options:
        parts = [part.strip() for part in option.costs.split(",") if part.strip()]
        given = [part for part in parts if re.search(r"\b(?:dice|die|at most)\b", part)]
        option.gives = ", ".join(given).replace("at most", "up to")
        option.costs = ", ".join([part for part in parts if part not in given])


@sayings.asked("how to defend")
def _how_to_defend(asked: QuestionDraft) -> None:
    _say_defence(asked, "How does {who} defend?")


@sayings.asked("defend your neighbour")
def _defend_your_neighbour(asked: QuestionDraft) -> None:
    _say_defence(asked, "Does {who} step in?")


def _say_defence(asked: QuestionDraft, question: str) -> None:
    """The attack that is met, its dice, and the defences in words."""
    dice, harm = asked.about.get("to hit"), asked.about.get("damage")
    asked.stakes = ", ".join([f"{what} {of}" for what, of in ((dice, "to hit"), (harm, "of damage")) if what])
    asked.say("[{attack}. ]" + question, attack=_attack_under_way(asked))
    _split_costs(asked)
    for option in asked.options:
        if option.id == "nothing":
            option.label = "Do not defend"
        else:
            option.label = _defence_label(asked, option.id)


def _defence_label(asked: QuestionDraft, way: str) -> str:
    """A defence by what it is made with; of two ways to parry both say so."""
    kind, *means = way.split("+")
    other = {"weapon": "bare_hands", "bare_hands": "weapon"}
    if kind == "parry" and not {*means} & {*other}:
        every = {part for option in asked.options for part in option.id.split("+")}
        means = [*[other[one] for one in other if one in every], *means]
    words = [{"weapon": "the weapon", "bare_hands": "bare hands"}.get(one) or asked.voice.term(one) for one in means]
    return f"{kind.capitalize()} with {' and '.join(words)}" if words else kind.capitalize()


@sayings.asked("block")
def _block(asked: QuestionDraft) -> None:
    damage = asked.about.get("damage")
    what = str(asked.event("AttackDeclared").get("what", "")).partition(" (")[0]
    noun = asked.voice.words.get(what, what) or "attack"
    gets = "get" if noun.endswith("hands") else "gets"
    told = f"The {{noun:text}} {gets} through: {{damage}} damage unless {{who}} blocks."
    if not asked.say(told, noun=noun, damage=damage):
        asked.say("Does {who} block?")
    _split_costs(asked)
    for option in asked.options:
        if option.id == "no":
            option.label = f"Take {damage}" if damage else "Do not block"
        else:
            way, _, power = option.id.partition("+")
            option.label = f"Block with {asked.voice.term(power)}" if power else way.capitalize()


@sayings.asked("deflect")
def _deflect(asked: QuestionDraft) -> None:
    damage = asked.about.get("damage")
    asked.say("[{attack}. ]Does {who} deflect it?", attack=_attack_under_way(asked))
    _split_costs(asked)
    for option in asked.options:
        powers = option.id.split("+")[1:]
        with_powers = f" with {' and '.join([asked.voice.term(one) for one in powers])}" if powers else ""
        option.label = f"Let {damage or 'it'} through" if option.id == "no" else f"Deflect{with_powers}"


@sayings.asked("how to attack")
def _how_to_attack(asked: QuestionDraft) -> None:
    asked.say("[{attack}. Use a power?|Does {who} use a power?]", attack=_attack_under_way(asked))
    _split_costs(asked)
    for option in asked.options:
        option.label = "No power" if option.id == "plain" else _powers(asked, option.id)
        option.costs = _cost_of(asked, option.id) or option.costs


def _powers(asked: QuestionDraft, form: str) -> str:
    return " and ".join([asked.voice.term(one) for one in form.split("+")])


def _cost_of(asked: QuestionDraft, form: str) -> str:
    """The price of the powers of a form, by their tracks; empty if one of them is no power."""
    library, total = asked.scene.library, Counter[str]()
    for one in form.split("+"):
        if not library.has(Power, one) or library.get(Power, one).special:
            return ""
        total.update(library.get(Power, one).cost)
    return ", ".join([f"{points} {asked.voice.term(track)}" for track, points in total.items()])


@sayings.asked("dice for the first roll")
def _dice_for_the_first_roll(asked: QuestionDraft) -> None:
    pool, needed = asked.about.get("pool"), asked.about.get("hit difficulty")
    if isinstance(pool, int):
        asked.say(
            "{who} has {pool:text}[ and hits on {needed} or more]. How many to hit with? The others are damage.",
            pool=count(pool, "die"),
            needed=needed,
        )
        for option in asked.options:
            if option.id.isdigit():
                rest = pool - int(option.id)
                option.label = f"{option.id} to hit, {f'{rest} damage' if rest else 'damage is 1'}"
    else:
        asked.say("How many dice does {who} roll to hit with?")
