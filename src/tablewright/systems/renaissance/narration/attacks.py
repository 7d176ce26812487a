"""Sayings of attacks: throws, hits, misses, strikes and areas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tablewright.game.narration.draft import EntryDraft, choices_of, rolls_of
from tablewright.game.narration.entry import DiceThrow
from tablewright.game.narration.phrases import and_list, article, plain
from tablewright.game.narration.sayings import Fact
from tablewright.systems.renaissance.mechanics.harm import Strike
from tablewright.systems.renaissance.narration.words import (
    STRIKES,
    harm_list,
    is_many,
    missile,
    plain_id,
    sayings,
    spend_luck,
    weapon_noun,
)
from tablewright.systems.renaissance.values import limited

_EVADES = {"fray", "athletics", "freerunning", "ride", "swim", "climb", "flight"}
"""Defences that are skills of movement; the others are things to parry with."""

_VERBS = {
    "arrow": ("strikes", "hits", "pierces"),
    "dagger": ("strikes", "stabs", "cuts"),
    "sword": ("strikes", "cuts", "slashes"),
    "sabre": ("strikes", "cuts", "slashes"),
    "spear": ("strikes", "pierces", "catches"),
    "javelin": ("strikes", "pierces", "hits"),
    "claws": ("rake", "tear", "catch"),
    "talons": ("rake", "tear", "catch"),
    "teeth": ("sink into", "catch", "tear"),
    "bite": ("wounds", "catches", "gets"),
    "hands": ("hit", "strike", "catch"),
}
_USUAL = ("strikes", "hits", "catches")


def _verb(draft: EntryDraft, noun: str) -> str:
    return draft.pick(*_VERBS.get(noun.rpartition(" ")[2], _USUAL))


# ---------------------------------------------------------------------- throws


def _damage_parts(trace: Fact) -> Iterator[Fact]:
    """Traces of damage inside a trace, as far as they are seen."""
    for step in trace.get("steps", ()):
        if step.get("mechanic") == "renaissance.hurt":
            yield step
        elif "mechanic" in step:
            yield from _damage_parts(step)


@sayings.rolled("renaissance.attack", "renaissance.clash", "renaissance.two_weapons", "renaissance.hurt")
def _attack_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of an attack: attack, defence, damage, and the check to stay upright."""
    arguments, chosen = trace.get("arguments", {}), choices_of(trace)
    goal = _declared_goal(arguments)
    defences = [str(one) for one in arguments.get("defences", ())]
    name = chosen.get("how to defend", defences[0] if defences else "").partition(":")[0]
    draft.told["defence"] = ""
    thrown: list[DiceThrow] = []
    for step, inner in rolls_of(trace):
        mechanic = str(inner["mechanic"])
        if mechanic == "renaissance.keep_up":
            needed = inner.get("arguments", {}).get("target", "")
            thrown.append(draft.make_throw(step, trace, "footing", against=needed))
        elif mechanic in ("renaissance.hurt", "renaissance.landed"):
            thrown.append(_damage(draft, step, trace, inner))
        elif thrown and "seat" in step:
            draft.told["defence"] = name or "defence"
            thrown.append(draft.make_throw(step, trace, "defence", against=_goal_of(defences, name)))
        else:
            thrown.append(draft.make_throw(step, trace, "attack", against="" if goal is None else limited(goal)))
    for throw in _with_luck(thrown, chosen):
        draft.throw(throw)
    for harm in _damage_parts(trace):
        rolled = [one.total for one in thrown if one.what == "damage" and one.total is not None]
        taken = (harm.get("result") or {}).get("damage")
        if rolled and isinstance(taken, int) and 0 <= taken < rolled[-1] and not harm["arguments"].get("vulnerability"):
            draft.note(f"armour stops {rolled[-1] - taken}")


def _declared_goal(arguments: Fact) -> int | None:
    """Target of an attack with the strike and the Luck that were declared before the roll; None if it is hidden."""
    goal = arguments.get("target")
    strikes: Sequence[object] = arguments.get("strikes") or ()
    if not isinstance(goal, int):
        return None
    if arguments.get("ignoring"):
        goal += int(arguments.get("penalties") or 0)
    elif len(strikes) == 1 and not arguments.get("plain"):
        goal += Strike.parse(str(strikes[0])).penalty
    return goal + (int(arguments.get("daring") or 0) if arguments.get("dares") else 0)


def _goal_of(defences: list[str], name: str) -> str:
    """Target of a defence in the notation "fray:60"; empty if it is not known."""
    found = [one.split(":")[1] for one in defences if one.partition(":")[0] == name and ":" in one]
    number = found[0].partition("-")[0].partition("+")[0] if found else ""
    return number if number.isdigit() else ""


def _damage(draft: EntryDraft, step: Fact, trace: Fact, inner: Fact) -> DiceThrow:
    """The throw of damage with the flat bonus of its DV; without a total where the bonus is not known."""
    thrown = draft.make_throw(step, trace, "damage")
    if "dv" not in inner.get("arguments", {}):
        return thrown._replace(total=None)
    dice, _, plus = str(inner.get("arguments", {}).get("dv", "")).partition("+")
    bonus = int(plus) if plus.isdigit() else 0
    if not bonus or thrown.total is None or "d" not in dice:
        return thrown
    return thrown._replace(plus=bonus, total=thrown.total + bonus)


def _with_luck(thrown: list[DiceThrow], chosen: Mapping[str, str]) -> list[DiceThrow]:
    """The throws, the last attack roll marked where Luck has changed it."""
    use = chosen.get("spend Luck on the attack", "")
    flips = "flip" in use or chosen.get("flip the failed roll") == "yes"
    places = [at for at, one in enumerate(thrown) if one.what == "attack"]
    if places and (flips or "upgrade" in use):
        last = thrown[places[-1]]
        value = last.faces[0].value
        marks = [f"flipped to {value % 10 * 10 + value // 10}"] * flips + ["upgraded"] * ("upgrade" in use)
        thrown[places[-1]] = last._replace(came=" and ".join(marks))
    return thrown


# ---------------------------------------------------------------------- declared


@sayings.on("Declared", "who", "against", "what", actor="who")
def _declared(draft: EntryDraft, fact: Fact) -> None:
    what = str(fact["what"])
    if what.startswith("attack with "):
        noun, _, strike = what.removeprefix("attack with ").partition(" (")
        noun = draft.voice.words.get(noun, noun)
        tried = f", trying a {strike.rstrip(')')}" if strike else ""
        draft.lead(f"{{who}} attacks {{against}} with {article(noun)}{tried} ...", fact)
    else:
        draft.lead("{who} tries {what:term} on {against} ...", fact)


@sayings.on("Volley", "who", "weapons")
def _volley(draft: EntryDraft, fact: Fact) -> None:
    nouns = [weapon_noun(draft.voice, str(one)) for one in fact["weapons"]]
    if nouns:
        draft.actor(fact["who"])
        draft.note(f"attacks with {and_list(list(dict.fromkeys(nouns)))}")
        draft.lead("{who} attacks with {nouns:text}.", fact, nouns=and_list(nouns))


# ---------------------------------------------------------------------- attacks


@sayings.on("Attacked", "who", "by", "weapon", "result", actor="by")
def _attacked(draft: EntryDraft, fact: Fact) -> None:
    spend_luck(draft, fact["by"], fact.get("luck"))
    spend_luck(draft, fact["who"], fact.get("their_luck"))
    noun = weapon_noun(draft.voice, str(fact["weapon"]))
    if fact["result"] == "miss":
        _missed(draft, fact, noun)
    elif draft.trace("renaissance.attack") is None and draft.trace("renaissance.clash") is not None:
        _burst(draft, fact, noun)
    else:
        _hit(draft, fact, noun)


def _missed(draft: EntryDraft, fact: Fact, noun: str) -> None:
    defence, many = str(draft.told.get("defence") or ""), is_many(noun)
    strike = STRIKES.get(str(fact.get("strike") or ""))
    if strike:
        draft.note(strike)
    what = f"{{by}}'s {missile(noun)}"
    if not defence:
        verb = draft.pick(*(("miss", "find only air") if many else ("misses", "goes wide of")))
        draft.say(f"{what} {verb}." if verb == "find only air" else f"{what} {verb} {{who}}.", fact)
    elif defence in _EVADES or defence == "defence":
        draft.say(f"{{who}} {draft.pick('evades', 'dodges', 'keeps clear of')} {what}.", fact)
    else:
        item = weapon_noun(draft.voice, defence)
        with_it = "" if item == noun else f" with {item}" if item == "bare hands" else f" with the {item}"
        told = [f"{{who}} parries {what}{with_it}", f"{{who}} turns {what} aside{with_it}"]
        draft.say(f"{draft.pick(*told)}.", fact)


def _burst(draft: EntryDraft, fact: Fact, noun: str) -> None:
    """An attack on an area: where it lands; the harm follows in events of its own."""
    verb = draft.pick("goes astray", "lands wide of the mark")
    if fact["result"] == "scatters":
        draft.say(f"{{by}}'s {noun} {verb}.", fact)
    else:
        draft.say(f"{{by}}'s {noun} lands right by {{who}}.", fact)


def _hit(draft: EntryDraft, fact: Fact, noun: str) -> None:
    damage, wounds = int(fact.get("damage") or 0), int(fact.get("wounds") or 0)
    if damage:
        draft.after(fact["who"], "harm", f"{damage} damage", damage)
    harm = harm_list(damage, wounds)
    if fact.get("prone") and not fact.get("felled") and not fact.get("dead"):
        harm.append("knocked prone")
        draft.after(fact["who"], "state", "prone")
    subject, strike = missile(noun), str(fact.get("strike") or "")
    lead = "A critical hit. " if fact.get("critical") else ""
    deed = _deed(draft, fact, subject, strike)
    ends = f": {', '.join(harm)}" if harm else ", and the armour stops it"
    draft.say(f"{lead}{{by}}'s {subject} {deed}{ends}.", fact)
    if fact.get("poisoned"):
        draft.say("The {poison:thing} gets into the blood.", poison=plain_id(str(fact["poisoned"])))
    if fact.get("lost") and not fact.get("dead"):
        draft.after(fact["who"], "state", f"{plain(str(fact['lost']))} useless")
        draft.say("The {part:text} is useless.", part=plain(str(fact["lost"])))
    if fact.get("dead"):
        draft.after(fact["who"], "out", "dead")
        draft.say("{who} dies.", fact)
    elif fact.get("felled"):
        draft.after(fact["who"], "out", "disabled")
        draft.say("{who} is disabled and out of the fight.", fact)


def _deed(draft: EntryDraft, fact: Fact, subject: str, strike: str) -> str:
    """Verb and object of a hit, with the strike that was tried."""
    many, part = is_many(subject), plain(str(fact.get("part") or ""))
    if strike and fact.get("effect"):
        return {
            "mighty_blow": f"{'land' if many else 'lands'} a Mighty Blow on {{who}}",
            "armor_gap": f"{'find' if many else 'finds'} a gap in {{who}}'s armour",
            "knock_down": f"{'hit' if many else 'hits'} {{who}} with the force of a Knock Down",
            "maim": f"{'maim' if many else 'maims'} {{who}}'s {part or 'limb'}",
            "called_shot": f"{'hit' if many else 'hits'} {{who}} in the {part or 'chosen spot'}",
        }.get(strike, f"{_verb(draft, subject)} {{who}} ({plain(strike)})")
    hard = " hard" if fact.get("special") and not fact.get("critical") else ""
    deed = f"{_verb(draft, subject)} {{who}}{hard}"
    does = "do" if many else "does"
    missed = {
        "mighty_blow": ", without the Mighty Blow",
        "armor_gap": f" but {'find' if many else 'finds'} no gap in the armour",
        "knock_down": "" if fact.get("prone") else f" but {does} not knock {{who}} down",
        "maim": f" but {does} not maim the {part or 'limb'}",
        "called_shot": f", though not in the {part or 'chosen spot'}",
    }
    return deed + missed.get(strike, "")


# ---------------------------------------------------------------------- contests

_CONTESTS = {
    "feint": ("{against} falls for {who}'s feint", "{against} sees through {who}'s feint"),
    "trip": ("{who} trips {against}", "{against} keeps upright when {who} tries to trip"),
    "grab": ("{who} grabs {against} and holds on", "{against} slips out of {who}'s grasp"),
    "disarm": ("{who} disarms {against}", "{against} keeps hold of the weapon when {who} tries to disarm"),
    "break free": ("{who} breaks free of {against}", "{who} struggles, but {against} holds on"),
    "intimidate": ("{who} cows {against} with a look", "{against} is not impressed by {who}"),
    "touch": ("{who} touches {against}", "{against} avoids {who}'s touch"),
    "point at": ("{who} points at {against} and has the aim", "{against} gets out of {who}'s line of sight"),
    "charm": ("{who} charms {against}", "{against} resists {who}'s charm"),
}
_STEALTH = {
    "unnoticed": "{who} gets by {against} unnoticed",
    "noticed": "{against} notices {who}",
    "something is amiss": "{against} senses that something is amiss",
}


def escaped(draft: EntryDraft) -> list[str]:
    """Names of those who got clear of an explosion."""
    lost = [one for one in draft.events("Contested") if one["what"] == "explosion" and one["result"] == "lost"]
    return [str(draft.voice.name(one["against"])) for one in lost]


def _explosion(draft: EntryDraft, fact: Fact) -> None:
    """An explosion that hurts no one; otherwise the harm tells of it."""
    met = [one for one in draft.events("Contested") if one["what"] == "explosion"]
    if fact is met[-1] and not draft.events("Hurt"):
        clear = escaped(draft)
        gets = "gets" if len(clear) == 1 else "get"
        draft.say(f"{{who}} lets the fire explode, but {{clear:text}} {gets} clear.", fact, clear=and_list(clear))


@sayings.on("Contested", "who", "against", "what", "result", actor="who")
def _contested(draft: EntryDraft, fact: Fact) -> None:
    spend_luck(draft, fact["who"], fact.get("luck"))
    spend_luck(draft, fact["against"], fact.get("their_luck"))
    what, result = str(fact["what"]), str(fact["result"])
    if what == "explosion":
        _explosion(draft, fact)
        return
    if what == "stealth":
        draft.say(f"{_STEALTH.get(result, '{who} sneaks past {against}')}.", fact)
        return
    works, fails = _CONTESTS.get(
        what, ("{who} succeeds with {what:term} against {against}", "{against} withstands {who}'s {what:term}")
    )
    draft.told["contest"] = what
    draft.say(f"{works if result == 'won' else fails}.", fact)
