"""Vocabulary of Märchen Engine: degrees, aspects, costs and throws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tablewright.game.narration.common_sayings import COMMON, tell_checked
from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.entry import DiceThrow, Sentence
from tablewright.game.narration.phrases import plain, small
from tablewright.game.narration.sayings import ConditionWords, Fact, Sayings
from tablewright.systems.marchen.mechanics.dice import MODIFIER_SCALE, Measure, measure_of
from tablewright.systems.marchen.values import ASPECT_NAMES

sayings = Sayings(COMMON, system="marchen", unit="metre")
sayings.promises |= {"harm": ""}  # it also counts who is felled, which stands beside it
sayings.orders |= {"EnteredTheFray"}
sayings.resources |= {
    "significant": "significant action|{n} significant actions",
    "minor": "minor action|{n} minor actions",
}
sayings.conditions |= {"guarded": ConditionWords("Attacks on {who} are at -1 until {who}'s next turn.", "on guard", "")}
sayings.words |= {"sleight_of_hand": "Sleight of Hand"}

DEGREES = {
    "catastrophic": "a catastrophe",
    "costly": "a costly failure",
    "fail": "a failure",
    "minor_fail": "a minor failure",
    "fail_in_style": "a failure in style",
    "tie": "a tie",
    "succeed": "a success",
    "succeed_in_style": "a success in style",
    "critical": "a critical success",
    "serendipitous": "a serendipitous success",
    "failure": "a failure",
    "success": "a success",
}
BY_FAR = 6
"""The least margin of a clash that is won by far."""

SIGMAS = {"succeed": 1, "succeed_in_style": 2, "critical": 3, "serendipitous": 4}
SUCCEEDED = ("tie", "succeed", "succeed_in_style", "critical", "serendipitous")
sayings.name_throws(
    {
        "check": "check group automatic",
        "roll": "opposed",
        "enter the fray": "enter_the_fray",
        "healing": "day_of_rest",
        "treatment": "treat",
        "face the end": "face",
        "endure": "suffer",
        "damage": "hazard",
        "battle": "battle",
        "magic": "cast",
        "price": "pay_the_price",
        "withstand": "withstand",
        "passive check": "passive",
        "task": "task_chain task_pool",
        "fire": "burning",
        "score": "rolled_score",
        "duration": "duration",
        "time": "take_time",
        "lead": "lead",
        "order of the tasks": "order_tasks",
        "core": "which_core",
    }
)


sayings.words_under = lambda options: dict(ASPECT_NAMES[options.aspect_names].items())


def aspect_word(draft: EntryDraft, aspect: object) -> str:
    """An aspect as this table calls it: "physical", "fitness"."""
    return draft.voice.word(str(aspect)).lower()


def degree(word: object) -> str:
    """A degree of effect as a noun: "a success in style"."""
    return DEGREES.get(str(word), plain(str(word)))


_MANNERS = {
    "catastrophic": "catastrophically",
    "costly": "at a cost",
    "fail_in_style": "in style",
    "succeed_in_style": "in style",
    "critical": "critically",
    "serendipitous": "serendipitously",
}


def manner(word: object) -> str:
    """A degree of effect as an adverb: "serendipitously"; empty for a plain success or failure."""
    return _MANNERS.get(str(word), "")


@sayings.on("Checked", "who", "what", "result")
def _told(draft: EntryDraft, fact: Fact) -> None:
    """Tell a check by its degree; the results of groups and pools are those of all members."""
    stored = str(fact["result"])
    name, _, way = str(fact["what"]).partition(", ")
    if way == "together":
        _tell_group(draft, fact)
        return
    if way == "pooled":
        draft.kind = "check"
        draft.actor(fact["who"])
        draft.say("{who} tries {name:term}: the pool holds {held:text}.", fact, name=name, held=stored)
        return
    found = dict([part.split(" ", 1) for part in stored.split(", ") if " " in part])
    word = found.get("degree", stored)
    if word not in DEGREES or fact.get("against"):
        tell_checked(draft, fact)
        return
    draft.kind = "check"
    draft.actor(fact["who"])
    if name == "skill":  # any skill by its name, which the tally has
        trace = draft.trace("marchen.check", "marchen.aided") or {}
        name = id_of_label(str(trace.get("tallies", {}).get("modifier", {}).get("label") or "skill"))
    told = went(word).replace("{name:term}", "{name:term}, with help") if way == "aided" else went(word)
    draft.say(f"{{who}} {told}.", fact, name=name)


sayings.on("Checked", "who", "what")(tell_checked)


def _tell_group(draft: EntryDraft, fact: Fact) -> None:
    """Tell a check of a group once: how many succeeded, and whether that is enough."""
    draft.kind = "check"
    those = draft.events("Checked")
    if fact is not those[-1]:
        return
    success, result = str(fact["result"]) == "success", draft.told.get("group")
    people = [draft.voice.name(one["who"]) for one in those]
    several = len(people) > 1
    draft.who = "" if several else draft.who
    does = ("make" if several else "makes") if success else f"{'do' if several else 'does'} not make"
    counted = ""
    if isinstance(result, Mapping) and isinstance(result.get("successes"), int):
        number, of = result["successes"], small(len(people))
        succeed = f"{small(number) if number else 'none'} of {of} {'succeeds' if number == 1 else 'succeed'}"
        counted = f": {succeed}, and {'half is enough' if success else 'it takes half'}"
    draft.say(f"{{people}} {does} it together{counted}.", people=Sentence(draft.voice.list_of(people)))


def arms(draft: EntryDraft, id_: object) -> str:
    """The arms of an attack as a noun: "thrown spear", "fright"."""
    kind, _, manner = str(id_).partition("/")
    if kind == "unarmed":
        return "bare hands"
    name = draft.voice.thing(kind)
    return f"{manner} {name}" if manner else name


def throws_of(trace: Fact, inside: tuple[str, ...] = ()) -> Iterator[tuple[Fact, Fact, tuple[str, ...]]]:
    """Rolls of a trace in order, each with its check (empty for plain dice) and the mechanics around it."""
    names = (*inside, str(trace["mechanic"]))
    for step in trace.get("steps", ()):
        if "mechanic" in step:
            yield from throws_of(step, names)
        elif "roll" in step:
            yield step, trace if names[-1] == "marchen.check" else {}, names


def check_throw(draft: EntryDraft, step: Fact, trace: Fact, check: Fact, what: str) -> DiceThrow:
    """A throw of a check with everything that was added to it, or of plain dice."""
    thrown = draft.make_throw(step, trace, what)
    given, result = check.get("arguments", {}), check.get("result")
    plus, core = given.get("modifier"), given.get("core")
    if not isinstance(plus, int) or core not in MODIFIER_SCALE or thrown.total is None:
        return thrown
    plus *= MODIFIER_SCALE[core]
    measure = target_of(given)
    if measure is not None:
        plus += measure.dm + int(given.get("dm") or 0)
    if isinstance(result, Mapping) and measure is not None:
        plus = int(result["effect"]) + measure.target - thrown.total
    return thrown._replace(plus=plus, total=thrown.total + plus)


def target_of(given: Fact) -> Measure | None:
    """The target and the difficulty of a check, if the viewer may know all that they depend on."""
    names = ("core", "difficulty", "target_rule", "d20_scale", "degree_method")
    if any(given.get(name) is None for name in names):
        return None
    return measure_of(*[given[name] for name in names])


def tell_blow(draft: EntryDraft, trace: Fact, own: str) -> None:
    """Name the throws of a blow: the attack, its damage, how the damage is endured and the end is faced."""
    draft.actor(str(draft.about(trace).get("actor", "") or ""))
    contested = rolls_of_clash(trace)
    checks = ["endure", "facing the end"] if contested else [own, "endure", "facing the end"]
    for at, (step, check, _) in enumerate(throws_of(trace)):
        if at < contested:
            plus = trace["arguments"].get("foe_modifier" if at % 2 else "modifier")
            draft.throw(_with_plus(draft.make_throw(step, trace, "clash"), _scaled(plus, trace)))
        elif not is_check(step, check):
            draft.throw(_with_bonus(draft.make_throw(step, trace, "damage"), trace))
        else:
            what = checks.pop(0) if len(checks) > 1 else checks[0]
            attack = what == own and not contested
            thrown = check_throw(draft, step, trace, check, what)
            if not check:  # the modifiers of others are hidden
                known = _scaled(trace["arguments"].get("modifier"), trace) if attack else None
                thrown = _with_plus(thrown, known) if attack else thrown._replace(total=None)
            draft.throw(thrown._replace(came=_endured(check)) if what == "endure" else thrown)


def is_check(step: Fact, check: Fact) -> bool:
    """True if a roll is a check; its arguments may be hidden from the viewer."""
    return bool(check) or step.get("of") == "marchen.check"


CLASHES = ("marchen.clash", "marchen.met")


def rolls_of_clash(trace: Fact) -> int:
    """Number of the first rolls of a trace that contest a clash: two, and two more for each tie rolled again."""
    if str(trace["mechanic"]) not in CLASHES:
        return 0
    given, made = trace["arguments"], [step["outcome"] for step, _, _ in throws_of(trace)]
    mine, theirs = given.get("modifier"), given.get("foe_modifier")
    again = given.get("ahead") == 0 and given.get("opposed_tie") == "characteristic"
    at = 2
    while again and mine is not None and theirs is not None and len(made) >= at:
        if made[at - 2] + mine != made[at - 1] + theirs:
            break
        at += 2
    return at


def _purpose(own: str, is_check: bool, inside: tuple[str, ...]) -> str:
    if "marchen.face" in inside:
        return "facing the end"
    if "marchen.suffer" in inside:
        return "endure"
    return own if is_check else "damage"


def _with_plus(thrown: DiceThrow, plus: object) -> DiceThrow:
    if not isinstance(plus, int) or not plus or thrown.total is None:
        return thrown
    return thrown._replace(plus=plus, total=thrown.total + plus)


def _with_bonus(thrown: DiceThrow, trace: Fact) -> DiceThrow:
    """The dice of damage with their bonus and the armour, as far as the viewer may know them."""
    given, result = trace["arguments"], trace.get("result")
    if not isinstance(result, Mapping) or given.get("damage_bonus") != "sigma" or thrown.total is None:
        return thrown
    word = str(result.get("degree"))
    back = result.get("winner") == "b" or word in ("costly", "catastrophic")
    sigma = int(result["sigma"]) if "winner" in result else SIGMAS.get(word, 0)
    plus = given.get("back_plus", 0) if back else given.get("plus")
    thrown = _with_plus(thrown, plus + 2 * max(0, sigma) if isinstance(plus, int) else None)
    armour = given.get("own_armour" if back else "armour")
    stopped = min(armour, thrown.total or 0) if isinstance(armour, int) else 0
    return thrown._replace(came=f"armour stops {stopped}") if stopped else thrown


def _endured(check: Fact) -> str:
    result = check.get("result")
    return "failed" if isinstance(result, Mapping) and result.get("success") is False else ""


@sayings.rolled("marchen.enter_the_fray", acts=False)
def _entered(draft: EntryDraft, trace: Fact) -> None:
    for step, check, _ in throws_of(trace):
        thrown = check_throw(draft, step, trace, check, "")
        name = thrown.whose or str(draft.voice.name(draft.who))
        draft.throw(thrown._replace(what=name, whose=""))
    draft.who = ""


@sayings.rolled("marchen.check", "marchen.reroll")
def _checked(draft: EntryDraft, trace: Fact) -> None:
    checked = draft.events("Checked")
    plain_check = bool(checked)
    for step, check, _ in throws_of(trace):
        measure = target_of(check.get("arguments", {}))
        result = check.get("result")
        thrown = check_throw(draft, step, trace, check, _label(draft, checked))
        if plain_check and measure is not None and isinstance(result, Mapping):
            came = f"effect {int(result['effect']):+d}".replace("+0", "0")
            thrown = thrown._replace(against=str(measure.target), came=came)
        draft.throw(thrown)
    _lead_with_check(draft, trace)


def _lead_with_check(draft: EntryDraft, trace: Fact) -> None:
    """Tell how a check went if nothing else is told of it."""
    result, name = trace.get("result"), trace.get("tallies", {}).get("modifier", {}).get("label")
    if isinstance(result, Mapping) and str(result.get("degree")) in DEGREES and name:
        told = f"{{actor:name}} {went(str(result['degree']))}."
        draft.lead(told, actor=draft.who or None, name=id_of_label(str(name)))


def id_of_label(label: str) -> str:
    """The id of a skill or score by the label of its tally: "drive_ride_pilot"."""
    return label.lower().replace(" / ", "_").replace(" ", "_")


def went(word: str) -> str:
    """A template for the result of a check: "succeeds in style at {name:term}"."""
    verb, how = "succeeds" if word in SUCCEEDED else "fails", manner(word)
    more = f": {DEGREES[word]}" if word in ("tie", "minor_fail") else ""
    return f"{verb}{f' {how}' if how else ''} at {{name:term}}{more}"


def _label(draft: EntryDraft, checked: Sequence[Fact]) -> str:
    """The label of a check: none for the only one of an action, otherwise its name."""
    if len(checked) <= 1:
        return "" if checked else "check"
    at = draft.told["checks"] = draft.told.get("checks", -1) + 1
    name = str(checked[min(at, len(checked) - 1)]["what"]).partition(", ")[0]
    return draft.voice.term(name)


@sayings.rolled("marchen.treat", "marchen.withstand", "marchen.cast")
def _tried(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of a rule that begins with a check of its own."""
    for at, (step, check, inside) in enumerate(throws_of(trace)):
        what = _purpose(draft.label(str(trace["mechanic"])), not at, inside)
        thrown = check_throw(draft, step, trace, check, what)
        if not check and is_check(step, check):
            plus = _scaled(trace["arguments"].get("modifier"), trace)
            thrown = thrown._replace(what="endure", total=None) if at else _with_plus(thrown, plus)
        draft.throw(thrown)
    if str(trace["mechanic"]) == "marchen.withstand" and trace.get("result") == 0:
        draft.lead("It holds: nothing is damaged.")


@sayings.rolled("marchen.hazard", "marchen.suffer", "marchen.face", "marchen.pay_the_price")
def _harmed(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of harm: the damage, how it is endured, and how the end is faced."""
    for step, check, inside in throws_of(trace):
        if check or not is_check(step, check):
            what = _purpose("check", bool(check), inside)
            thrown = check_throw(draft, step, trace, check, what)
        else:
            what = "facing the end" if "endure" in [one.what for one in draft.throws] else "endure"
            thrown = draft.make_throw(step, trace, what)._replace(total=None)
        draft.throw(thrown._replace(came=_endured(check)) if what == "endure" else thrown)


@sayings.rolled("marchen.battle")
def _battle(draft: EntryDraft, trace: Fact) -> None:
    for at, (step, _, _) in enumerate(throws_of(trace)):
        plus = trace["arguments"].get("foe_modifier" if at % 2 else "modifier")
        draft.throw(_with_plus(draft.make_throw(step, trace, "battle"), _scaled(plus, trace)))


def _scaled(plus: object, trace: Fact) -> int | None:
    scale = MODIFIER_SCALE.get(trace["arguments"].get("core"), 1)
    return plus * scale if isinstance(plus, int) else None


@sayings.rolled("marchen.aided")
def _aided(draft: EntryDraft, trace: Fact) -> None:
    found = list(throws_of(trace))
    for at, (step, check, _) in enumerate(found):
        what = "help" if at < len(found) - 1 else "check"
        draft.throw(check_throw(draft, step, trace, check or trace, what)._replace(whose=""))


@sayings.rolled("marchen.group")
def _grouped(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of a group by its members, in the order in which they are listed."""
    members = [str(draft.voice.name(one["who"])) for one in draft.events("Checked")]
    draft.told["group"] = trace.get("result")
    for at, (step, check, _) in enumerate(throws_of(trace)):
        thrown = check_throw(draft, step, trace, check, members[at] if at < len(members) else "check")
        draft.throw(thrown._replace(whose=""))
    result = trace.get("result")
    if not members and isinstance(result, Mapping):
        draft.say("The month on the road goes well." if result.get("success") else "The month on the road goes badly.")


@sayings.rolled("marchen.opposed")
def _opposed(draft: EntryDraft, trace: Fact) -> None:
    given = trace["arguments"]
    for at, (step, _, _) in enumerate(throws_of(trace)):
        thrown = draft.make_throw(step, trace, "roll")
        draft.throw(_with_plus(thrown, _scaled(given.get("b_modifier" if at % 2 else "a_modifier"), trace)))


@sayings.rolled("marchen.strike", "marchen.struck")
def _struck(draft: EntryDraft, trace: Fact) -> None:
    landed = draft.events("Struck")
    tell_blow(draft, trace, arms(draft, landed[-1]["arms"]) if landed else "attack")


@sayings.rolled("marchen.clash", "marchen.met")
def _met(draft: EntryDraft, trace: Fact) -> None:
    tell_blow(draft, trace, "clash")
    totals = [one.total for one in draft.throws if one.what == "clash" and one.total is not None][-2:]
    draft.told["margin"] = max(totals) - min(totals) if len(totals) > 1 else 0
