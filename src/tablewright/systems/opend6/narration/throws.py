"""Throws of OpenD6: the Wild Die, dice that drop out, and the purpose of each throw."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.game.narration.draft import EntryDraft, choices_of, rolls_of
from tablewright.game.narration.entry import DiceThrow, Face
from tablewright.game.narration.sayings import Fact
from tablewright.systems.opend6.mechanics.dice import fifth_bonus
from tablewright.systems.opend6.narration.words import sayings
from tablewright.systems.opend6.values import DifficultyLevel

sayings.name_throws(
    {
        "roll": "check roll total result_points opposed improved_check attempt assisted contested skill_roll "
        "success several_actions several choose_defence taken prepare_or_act fate_now_or_later",
        "Wild Die": "wild_die_only",
        "Character Point": "after_roll afterwards caught_up missing damaged hurt mend mended deepen deepened ease",
        "roll of the group": "group_roll",
        "Body Points": "body_points new_die points_of",
        "upper limit": "upper_limit",
        "level of difficulty": "difficulty_level",
        "to hit": "attack striking aim",
        "damage": "damaging damage_roll deal injure break_object",
        "Resistance": "resistance_roll resist",
        "initiative": "initiative",
        "lot": "lot",
        "natural healing": "natural_healing",
        "healing": "regained",
    }
)
_WILD = re.compile(r"(?P<dice>\d+)D with the Wild Die first(?: and (?P<bought>\d+)D of Character Points)?\Z")
_BOUGHT = re.compile(r"(?P<bought>\d+)D of Character Points\Z")
_PLUS_OF_CODE = ("code", "acumen", "physique", "damage")


def faces_of(roll: str, shown: Sequence[int], dropped: bool, keeps_one: bool = False) -> tuple[Face, ...]:
    """Faces of a roll with their marks: the Wild Die, sixes thrown again, dice that a Critical Failure drops.

    >>> faces_of("3D with the Wild Die first", [6, 5, 1, 2], False)[1]
    Face(value=5, dropped=False, again=True, wild=True, was=None)
    >>> [face.dropped for face in faces_of("3D with the Wild Die first", [1, 3, 4], True)]
    [True, False, True]
    """
    wild, bought = _WILD.match(roll), _BOUGHT.match(roll)
    if wild is None and bought is None:
        return tuple([Face(value) for value in shown])
    regular = int(wild["dice"]) - 1 if wild else 0
    left, faces = list(shown), list[Face]()
    if wild:
        faces += _open_ended(left)
    plain = [Face(left.pop(0)) for _ in range(min(regular, len(left)))]
    if dropped and faces and faces[0].value == 1:
        highest = max([face.value for face in plain], default=0)
        at = next((at for at, face in enumerate(plain) if face.value == highest), None)
        if at is not None:
            plain[at] = plain[at]._replace(dropped=True)
        faces[0] = faces[0]._replace(dropped=not (keeps_one and plain))
    faces += plain
    while left:
        faces += _open_ended(left)
    return tuple(faces)


def _open_ended(left: list[int]) -> list[Face]:
    """One Wild Die with all its sixes, taken from the faces that are left."""
    found = [Face(left.pop(0), wild=True)]
    while found[-1].value == 6 and left:
        found.append(Face(left.pop(0), wild=True, again=True))
    return found


def throw_of(draft: EntryDraft, step: Fact, trace: Fact, what: str, *, plus: int = 0, against: Any = "") -> DiceThrow:
    """A throw as the book reads it: with the dice that a Critical Failure drops, and the number on the total."""
    thrown = draft.make_throw(step, trace, what, against=against)
    outcome, cancels = step["outcome"], _cancels(trace)
    failed = isinstance(outcome, Mapping) and bool(outcome.get("critical_failure"))
    total, came = thrown.total, ""
    keeps_one = trace["arguments"].get("cancel_scope") == "highest_only"
    faces = faces_of(str(step["roll"]), step["faces"], failed and cancels, keeps_one)
    if failed and isinstance(outcome, Mapping):
        total = outcome["with_dice_dropped"] if cancels else outcome["total"]
        came = dropped_in_words([face.value for face in faces if face.dropped]) if cancels else "a Critical Failure"
    return thrown._replace(faces=faces, plus=plus, total=None if total is None else total + plus, came=came)


POINT = "Character Point"


def throw(draft: EntryDraft, thrown: DiceThrow) -> None:
    """Add a throw; the dice of several Character Points in a row are told as one throw."""
    last = draft.throws[-1] if draft.throws else None
    bought = last is not None and last.what.startswith(POINT) and last.whose == thrown.whose
    if thrown.what != POINT or not bought or last is None:
        draft.throw(thrown)
        return
    sums = None if last.total is None or thrown.total is None else last.total + thrown.total
    draft.change(last, what=f"{POINT}s", faces=(*last.faces, *thrown.faces), total=sums)


def dropped_in_words(values: Sequence[int]) -> str:
    """The dice that a Critical Failure drops, in words.

    >>> dropped_in_words([1, 4]), dropped_in_words([1, 1]), dropped_in_words([1])
    ('the 1 and the 4 drop out', 'both 1s drop out', 'the 1 drops out')
    """
    if len(values) > 1:
        return "both 1s drop out" if set(values) == {1} else f"the {values[0]} and the {values[1]} drop out"
    return f"the {values[0]} drops out" if values else ""


def _cancels(trace: Fact) -> bool:
    arguments = trace["arguments"]
    alone = arguments.get("simplification") == "wild_die_only"
    rule = arguments.get("critical_failure", "cancel")
    if rule == "ask":
        return choices_of(trace).get("what the Critical Failure does", "cancel") == "cancel"
    return rule == "cancel" and not alone


def _plus(arguments: Mapping[str, Any], *, fate: int = 0) -> int:
    """The number on the total of a roll: pips of its codes, and plain numbers."""
    factor = 1 + max(fate, int(bool(arguments.get("doubled"))))
    own = next((arguments[name] for name in _PLUS_OF_CODE if name in arguments), None)
    plus = _pips(own) * factor + _pips(arguments.get("bonus")) + number(arguments.get("bonus"))
    return plus + number(arguments.get("plain")) + number(arguments.get("own_bonus")) * factor


_PIPS = re.compile(r"-?[0-9]+D(?P<pips>[+-][0-9]+)?\Z")


def _pips(code: Any) -> int:
    """Pips of a die code as it is written; the dice of one that takes dice away may be negative.

    >>> _pips("3D+2"), _pips("-3D+1"), _pips("4D"), _pips(7)
    (2, 1, 0, 0)
    """
    found = _PIPS.match(code) if isinstance(code, str) else None
    return int(found["pips"] or 0) if found else 0


def number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _is_simplified(trace: Fact) -> bool:
    return bool(trace["arguments"].get("simplification", "none") != "none")


def _fate_in(trace: Fact) -> int:
    chosen = [option for asked, option in choices_of(trace).items() if asked.startswith("spend points before the")]
    return int(any("fate" in option for option in chosen))


@sayings.rolled("opend6.attack", "opend6.aim", "opend6.deal", "opend6.resist", "opend6.injure")
def _attack_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of an attack: to hit, the damage, the Resistance, and dice bought with Character Points."""
    arguments, mechanic = trace["arguments"], str(trace["mechanic"])
    over, aimed = 0, False
    for step, inner in rolls_of(trace):
        what = draft.label(str(inner["mechanic"]))
        what = "damage" if what == "to hit" and aimed else what  # rolled, and not dealt
        aimed = aimed or what == "to hit"
        plus, against = 0, ""
        if what == "to hit" and not _is_simplified(trace):
            plus = _plus(arguments, fate=_fate_in(trace))
            against = _difficulty(arguments)
        elif what == "damage" and mechanic in ("opend6.attack", "opend6.deal") and not _is_simplified(trace):
            plus = _damage_plus(arguments) + over
        elif what == "Resistance" and not _is_simplified(trace):
            plus = _resistance_plus(trace)
        thrown = throw_of(draft, step, trace, what, plus=plus, against=against)
        if what == "to hit" and against and thrown.total is not None and arguments.get("fifth", True):
            over = fifth_bonus(thrown.total - int(against))
        throw(draft, thrown)


def _difficulty(arguments: Mapping[str, Any]) -> str:
    if arguments.get("harder") or arguments.get("easier"):
        return ""
    known = arguments.get("difficulty", arguments.get("assumed"))
    return "" if known is None else str(max(3, known))


def _damage_plus(arguments: Mapping[str, Any]) -> int:
    factor = 1 + bool(arguments.get("doubled"))
    pips = _pips(arguments.get("damage")) * factor + _pips(arguments.get("weapon"))
    plain = number(arguments.get("damage_plain", arguments.get("plain") if "code" not in arguments else 0))
    return pips + plain + number(arguments.get("strength_bonus")) * factor


def _resistance_plus(trace: Fact) -> int:
    """The number on a Resistance total: pips of Physique and armour, abilities, size."""
    arguments = trace["arguments"]
    doubled = arguments.get("their_doubled", "code" not in arguments and arguments.get("doubled"))
    chosen = choices_of(trace).get("a Fate Point on the resistance") == "yes"
    factor = 1 + max(int(bool(doubled)), int(chosen))
    counts = arguments.get("injury", "wounds") == "wounds" or bool(arguments.get("stun"))
    own = _pips(arguments.get("resistance")) * (factor if counts else factor - 1)
    plain = number(arguments.get("resistance_bonus")) * factor + number(arguments.get("resistance_plain"))
    return own + _pips(arguments.get("armour")) + plain


_PURPOSES = {
    "Endured": "stay awake",
    "DyingWentOn": "stay alive",
    "Died": "stay alive",
    "RangeRolled": "throw",
    "Healed": "natural healing",
}
_BY_CAUSE = {
    "opend6.gap.movement.running": "Running",
    "opend6.gap.movement.swimming": "Swimming",
    "opend6.gap.movement.climbing": "Climbing",
    "opend6.gap.movement.jumping": "Jumping",
    "opend6.action.move": "Running",
    "opend6.gap.encounter.fleeing": "Running",
    "opend6.action.catch": "Throwing",
    "opend6.gap.movement.vehicles": "control",
    "opend6.gap.manoeuvre.escape": "get free",
    "opend6.gap.manoeuvre.entangle": "get free",
    "opend6.gap.manoeuvre.pinning": "get free",
}
_DEFENCES = {"dodge": "dodge", "fighting": "block", "melee_combat": "parry"}


def _purpose(draft: EntryDraft, trace: Fact) -> str:
    """The word for a roll of a skill, from the events that follow it."""
    at = next((at for at, line in enumerate(draft.lines) if line.fact is trace), 0)
    for line in draft.lines[at + 1 :]:
        fact = line.fact
        if line.kind in _PURPOSES:
            return _PURPOSES[line.kind]
        if line.kind == "Defended":
            return _DEFENCES.get(fact["defence"]["skill"], "defence")
        if line.kind in ("SkillUsed", "Checked"):
            named = fact.get("skill") or fact.get("what")
            return draft.voice.term(str(named).removesuffix(", in a group")) if named else "roll"
        if fact.get("cause") in _BY_CAUSE:
            return _BY_CAUSE[fact["cause"]]
        if "mechanic" in fact:
            break
    return "stay alive" if draft.events("DyingWentOn") else "roll"


@sayings.rolled("opend6.skill_roll", "opend6.success", "opend6.check", "opend6.attempt", "opend6.improved_check")
@sayings.rolled("opend6.result_points", "opend6.group_roll")
def _skill_rolled(draft: EntryDraft, trace: Fact) -> None:
    draft.actor(_roller(draft, trace))
    purpose, arguments = _purpose(draft, trace), trace["arguments"]
    for step, inner in rolls_of(trace):
        bought = draft.label(str(inner["mechanic"])) == "Character Point"
        plus = 0 if bought or _is_simplified(trace) else _plus(arguments, fate=_fate_in(trace))
        against = "" if bought else _with_level(arguments.get("difficulty"), trace)
        thrown = throw_of(draft, step, trace, "Character Point" if bought else purpose, plus=plus, against=against)
        if trace["mechanic"] == "opend6.success" and "result" in trace:
            failed = "" if trace["result"] else "failed"
            thrown = thrown._replace(came=", ".join([part for part in (thrown.came, failed) if part]))
        throw(draft, thrown)
        if thrown.total is not None:
            draft.told["total"] = thrown.total


def _roller(draft: EntryDraft, trace: Fact) -> Any:
    """The participant whose action a roll belongs to: for related skills and help, the one who makes the check."""
    served = draft.events("Checked")
    if trace["mechanic"] == "opend6.result_points" and served:
        return served[-1].get("who")
    return draft.about(trace).get("actor")


def _with_level(difficulty: Any, trace: Fact) -> str:
    """A difficulty with the name of its level, where the roll is a check. [opend6.difficulty.standard]"""
    if not isinstance(difficulty, int):
        return ""
    checked = trace["mechanic"] in ("opend6.check", "opend6.attempt", "opend6.improved_check", "opend6.result_points")
    return f"{difficulty} ({DifficultyLevel.of(difficulty).value})" if checked else str(difficulty)


@sayings.rolled("opend6.initiative", "opend6.total", "opend6.roll", "opend6.natural_healing", "opend6.regained")
def _plainly_rolled(draft: EntryDraft, trace: Fact) -> None:
    purposes = {"SenselessFor": "minutes", "Hurt": "damage"}
    purpose = next((purposes[line.kind] for line in draft.lines if line.kind in purposes), "")
    for step, _ in rolls_of(trace):
        what = purpose if purpose and trace["mechanic"] == "opend6.total" else draft.label(str(trace["mechanic"]))
        plus = 0 if _is_simplified(trace) else _plus(trace["arguments"])
        thrown = throw_of(draft, step, trace, what, plus=plus)
        if what == "initiative" and draft.voice.has(draft.whose(step, trace)):
            thrown = thrown._replace(whose=str(draft.voice.name(draft.whose(step, trace))))
        throw(draft, thrown)


@sayings.rolled("opend6.break_object")
def _thing_struck(draft: EntryDraft, trace: Fact) -> None:
    """A thing that is struck rolls its toughness, and breaks or holds."""
    names = ["damage", "toughness"]
    for (step, inner), name in zip(rolls_of(trace), names, strict=False):
        draft.throw(throw_of(draft, step, inner, name, plus=_pips(inner["arguments"].get("code"))))
    if "result" in trace:
        draft.say("The thing is destroyed." if trace["result"] else "The thing holds.")


@sayings.rolled("opend6.mend", "opend6.deepen", "opend6.ease", "opend6.opposed", "opend6.contested")
def _simply_rolled(draft: EntryDraft, trace: Fact) -> None:
    for step, inner in rolls_of(trace):
        throw(draft, throw_of(draft, step, trace, draft.label(str(inner["mechanic"]))))


def spend(draft: EntryDraft, who: str, points: Any, fate: Any) -> None:
    """Add points spent on a roll to the costs."""
    draft.price(who, {"character_points": number(points), "fate_points": number(fate)})
