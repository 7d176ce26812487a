"""Sayings of throws: what each is for, and which dice advantage and disadvantage rerolled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tablewright.game.narration.draft import EntryDraft
from tablewright.game.narration.entry import DiceThrow, Face
from tablewright.game.narration.sayings import Fact
from tablewright.systems.mars.mechanics.dice import DieOrder, reroll_order
from tablewright.systems.mars.mechanics.harm import Blow, Scaling, taken
from tablewright.systems.mars.narration.words import sayings
from tablewright.systems.mars.values import RollValue, Shown

BY_CHOICE = "mars.rerolled_by_choice"
_ROLLED = {
    "mars.check": ("roll_value",),
    "mars.roll": ("roll_value",),
    "mars.opposed": ("roll_value", "against"),
    "mars.contest": ("a", "b"),
    "mars.to_hit": ("attack", "defence", "resist"),
    "mars.attack": ("attack",),
    "mars.defend": ("defence", "resist"),
    "mars.resist": ("roll_value",),
    "mars.damage": ("roll_value",),
    "mars.initiative": ("roll_value",),
    "mars.dying_check": ("fortitude",),
    "mars.sickness_check": ("fortitude",),
    "mars.stabilise": ("medicine",),
    "mars.concentration": ("willpower",),
    "mars.awareness": ("perception",),
    "mars.fall": ("agility",),
}
"""Roll values of a mechanic, in the order in which they are thrown."""
_KEPT = re.compile(r"(?P<dice>[^,]*?)(?P<plus>[+-]\d+)?, one die rerolled .* and the (?P<keep>better|worse) face kept")


class _Thrown(NamedTuple):
    """One throw of a trace with all its rerolls; ``total`` is None where the step itself holds it."""

    step: Fact
    trace: Fact
    faces: tuple[Face, ...] = ()
    plus: int = 0
    total: int | None = None
    keep: str = ""

    def told(self, draft: EntryDraft, whole: Fact, what: str, against: object = "") -> DiceThrow:
        """The throw as the quiet line has it."""
        thrown = draft.make_throw(self.step, whole, what, against=against)
        if not self.keep:
            return thrown
        total = thrown.total if self.total is None else self.total
        came = "with advantage" if self.keep == "better" else "with disadvantage"
        return thrown._replace(faces=self.faces, total=total, plus=self.plus, came=came)


def throws_of(trace: Fact) -> Iterator[_Thrown]:
    """Throws of a trace in order, each with the dice that were rerolled by advantage or disadvantage."""
    values = [str(trace["arguments"][name]) for name in _rolled_by(trace) if trace["arguments"].get(name) is not None]
    number = 0
    for step in trace.get("steps", ()):
        if step.get("mechanic") == BY_CHOICE:
            chosen = _by_choice(step, trace, values[number] if number < len(values) else "")
            yield from [chosen] if chosen else []
        elif "mechanic" in step:
            yield from throws_of(step)
        elif "roll" in step:
            yield _by_rule(step, {"mechanic": step["of"], "arguments": {}} if "of" in step else trace)
        number += "mechanic" in step or "roll" in step


def _rolled_by(trace: Fact) -> Sequence[str]:
    return _ROLLED.get(str(trace["mechanic"]), ()) if isinstance(trace.get("arguments"), Mapping) else ()


def _by_choice(step: Fact, trace: Fact, value: str) -> _Thrown | None:
    """A throw with rerolls by choice; None before the first dice."""
    keep, lying, was = str(step["arguments"]["keep"]), list[Shown](), list[int | None]()
    picked: Shown | None = None
    thrown: Fact | None = None
    for one in step["steps"]:
        if "choice" in one:
            picked = Shown.parse(one["option"])
        elif "roll" in one and thrown is None:
            thrown = one
            lying = [Shown(*pair) for pair in zip(step["arguments"]["dice"], one["faces"], strict=True)]
            was = [None] * len(lying)
        elif "roll" in one:
            alike = [die for die in lying if one["roll"] == f"d{die.sides}"]
            die = picked if picked in lying else max(alike)  # the only die that could be rerolled
            _reroll(lying, was, lying.index(die), int(one["faces"][0]), keep)
            picked = None
    if thrown is None:
        return None
    plus = RollValue.parse(value).modifier if value else 0
    return _Thrown(thrown, trace, _faces(lying, was), plus, sum([die.face for die in lying]) + plus, keep)


def _by_rule(step: Fact, trace: Fact) -> _Thrown:
    """A throw whose rerolled dice a fixed rule chose, or one without rerolls."""
    rerolled = _KEPT.fullmatch(str(step["roll"]))
    if rerolled is None:
        return _Thrown(step, trace)
    keep, arguments = rerolled["keep"], trace.get("arguments", {})
    sides = [int(one) for one in re.findall(r"d(\d+)", rerolled["dice"])]
    order: DieOrder = "greatest_more_sides"
    if keep == "better":
        order = "lowest_die" if arguments.get("advantage_die_choice") == "lowest_die" else "max_gain"
    elif arguments.get("disadvantage_tie") == "fewer_sides":
        order = "greatest_fewer_sides"
    turn = reroll_order(order, frozenset(sides))
    lying = [Shown(*pair) for pair in zip(sides, step["faces"], strict=False)]
    was: list[int | None] = [None] * len(lying)
    for face in step["faces"][len(sides) :]:
        at = min(range(len(lying)), key=lambda place: turn[lying[place]])
        _reroll(lying, was, at, int(face), keep)
    return _Thrown(step, trace, _faces(lying, was), int(rerolled["plus"] or 0), None, keep)


def _reroll(lying: list[Shown], was: list[int | None], at: int, face: int, keep: str) -> None:
    """Put the kept face of a rerolled die on the table and remember the first one."""
    die = lying[at]
    kept = (max if keep == "better" else min)(die.face, face)
    if kept != die.face:
        was[at] = die.face if was[at] is None else was[at]
        lying[at] = Shown(die.sides, kept)


def _faces(lying: Sequence[Shown], was: Sequence[int | None]) -> tuple[Face, ...]:
    return tuple([Face(die.face, was=before) for die, before in zip(lying, was, strict=True)])


# ---------------------------------------------------------------------- sayings


_TRIED = ("mars.check", "mars.contest", "mars.contest_of_several", "mars.group_action")
"""Mechanics whose throws are named by the skill."""


@sayings.rolled(*_ROLLED, "mars.contest_of_several", "mars.group_action", "mars.reroll")
def _rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name every throw by its mechanic."""
    outer = str(trace["mechanic"])
    skills = {str(one["what"]).partition(",")[0].partition(":")[0] for one in draft.events("Checked")}
    for thrown in throws_of(trace):
        own = str(thrown.trace["mechanic"])
        what = draft.label(own if own in sayings.labels else outer)
        if outer == "mars.fall" and own == "mars.check":
            what = "Agility"
        if outer == "mars.roll" and draft.events("AttackDeclared"):
            what = "who is struck"
        if len(skills) == 1 and outer in _TRIED:
            what = draft.voice.term(next(iter(skills)))
        draft.throw(thrown.told(draft, trace, what, trace["arguments"].get("difficulty") if outer in _TRIED else ""))


@sayings.rolled("mars.to_hit")
def _to_hit(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of an attack: to hit, and the defence."""
    _hit_throws(draft, trace, trace)


def _hit_throws(draft: EntryDraft, part: Fact, whole: Fact) -> None:
    """Name the throws of the part of an attack that decides whether it hits."""
    names = ["to hit", str(draft.told.get("defence") or "defence"), "resist"]
    for name, thrown in zip(names[part["mechanic"] == "mars.defend" :], throws_of(part), strict=False):
        draft.throw(thrown.told(draft, whole, name))


@sayings.rolled("mars.attack", "mars.landed")
def _attack_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of a whole attack by its parts."""
    for part in trace.get("steps", ()):
        if part.get("mechanic") in ("mars.to_hit", "mars.defend"):
            _hit_throws(draft, part, trace)
        elif part.get("mechanic") == "mars.damage":
            _damage_throw(draft, part, trace)
        elif "roll" in part or part.get("mechanic") == BY_CHOICE:  # rolled before the defence is declared
            for thrown in throws_of({**trace, "steps": [part]}):
                draft.throw(thrown.told(draft, trace, "to hit"))


@sayings.rolled("mars.initiative", acts=False)
def _initiative_rolled(draft: EntryDraft, trace: Fact) -> None:
    for thrown in throws_of(trace):
        told = thrown.told(draft, trace, "initiative")
        draft.throw(told._replace(whose=str(draft.voice.name(draft.who)) if draft.who else told.whose))
    draft.who = ""


@sayings.rolled("mars.damage", acts=False)
def _damage_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throw of damage and its effect on the target."""
    _damage_throw(draft, trace, trace)


def _damage_throw(draft: EntryDraft, trace: Fact, whole: Fact) -> None:
    """Name a throw of damage, and what armour, shield or a critical hit make of it."""
    total = None
    for thrown in throws_of(trace):
        told = thrown.told(draft, whole, "damage")
        total = told.total
        draft.throw(told)
    result = trace.get("result")
    if total is None or not isinstance(result, Mapping):
        return
    body, shield = int(result.get("character") or 0), int(result.get("shield") or 0)
    draft.told["rolled damage"] = total
    if shield:
        lost = min(shield, int(trace["arguments"].get("durability") or shield))
        draft.note(f"{body or 'none'} of it to the body, {lost} to the shield")
    elif body > total:
        critical = trace["arguments"].get("degree") == "critical"
        draft.note(f"critical +{body - total}" if critical else f"a hit does at least {body}")
    elif trace["arguments"].get("degree") == "graze":
        stopped = _stopped(trace, total)
        draft.note(f"armour stops {stopped}, the graze halves the rest" if stopped else "halved by the graze")
    elif body < total:
        draft.note(f"armour stops {total - body}")


def _stopped(trace: Fact, total: int) -> int:
    """Damage that armour stops, or 0 if the armour is hidden."""
    seen = {name: trace["arguments"].get(name) for name in ("reduction", "category", "reduced")}
    if None in seen.values():
        return 0
    armour = Blow(reduction=seen["reduction"], category=seen["category"])
    return total - taken(total, armour, Scaling(seen["reduced"])).character


@sayings.rolled("mars.dying_check", acts=False)
def _dying_rolled(draft: EntryDraft, trace: Fact) -> None:
    health = trace["arguments"].get("health")
    if health is not None:
        draft.told["health"] = health
    for thrown in throws_of(trace):
        draft.throw(thrown.told(draft, trace, "Fortitude", "" if health is None else -health))
