"""Throws of The Stage: the rolls behind an entry, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tablewright.game.narration.draft import EntryDraft, choices_of, rolls_of
from tablewright.game.narration.phrases import plain
from tablewright.game.narration.sayings import Fact
from tablewright.systems.stage.mechanics.forms import Form
from tablewright.systems.stage.narration.words import sayings

# ---------------------------------------------------------------------- dice

sayings.name_throws(
    {
        "initiative": "initiative acts_first",
        "the fall": "falling",
        "illness": "ailment_attacks ailment_course",
        "radiation": "radiation",
        "nerve": "loses_heart",
        "even chance": "even_chance",
        "dice": "dice",
        "roll": "flat flat_again opposed opposed_again compete compete_again maneuver",
        "effect": "leveled leveled_split opposed_leveled opposed_split",
        "to resist": "set_difficulty set_again",
        "to go unnoticed": "unnoticed unnoticed_again",
    }
)
ATTACKS = ("stage.attack", "stage.shooting", "stage.maneuver")
TO_HIT = {"stage.flat", "stage.opposed", "stage.flat_again", "stage.opposed_again"}
_SETS = {"stage.set_difficulty", "stage.set_again"}


@sayings.rolled(*ATTACKS)
def _attack_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of an attack: to hit, against what, the defence, the damage and the block."""
    result = trace.get("result") or {}
    defence, block = [str(result.get(name, "")).partition("+")[0] for name in ("defence", "block")]
    plus, most = _second_flat(trace), _most_stopped(trace)
    hits, others = [], []
    has_hit = False
    for step, inner in rolls_of(trace):
        mechanic = inner["mechanic"]
        if mechanic in _SETS:
            what = plain(block or "block") if has_hit else plain(defence or "defence")
            thrown = _set(draft, step, trace, inner, what)
            if has_hit and most is not None and thrown.total is not None and thrown.total > most:
                thrown = thrown._replace(came=f"at most {most}")
            if has_hit and thrown.total is not None:
                draft.told["stopped"] = thrown.total if most is None else min(thrown.total, most)
            others.append(thrown)
        elif mechanic in TO_HIT:
            has_hit = True
            hits.append(draft.make_throw(step, trace, "to hit", against=_difficulty(inner)))
        else:
            thrown = draft.make_throw(step, trace, "damage" if has_hit else "to hit")
            if has_hit and plus and thrown.total is not None:
                thrown = thrown._replace(plus=plus, total=max(1, thrown.total + plus))
            others.append(thrown)
    for throw in (*hits, *others):
        draft.throw(throw)
    stopped = trace["arguments"].get("resistance", 0) if result.get("hit") else 0
    if stopped:
        draft.note(f"Resistance stops {stopped}")


def _second_flat(trace: Fact) -> int:
    """The flat part of a damage roll, by the form of the attack and by how its bonuses were divided."""
    chosen, arguments = choices_of(trace), trace["arguments"]
    forms = [*arguments.get("forms", ()), *arguments.get("announced", ())]
    name = chosen.get("how to attack") or (trace.get("result") or {}).get("form")
    written = next((one for one in forms if one.partition("/")[0] == name), forms[0] if forms else None)
    if written is None:
        return 0
    form = Form.parse(written)
    to_hit = chosen.get("flat bonuses on the first roll", "")
    return form.second + (sum(form.bonuses) - int(to_hit) if to_hit.isdigit() else 0)


def _most_stopped(trace: Fact) -> int | None:
    """The most damage that the chosen block or deflection stops; None if it is not known."""
    chosen, arguments = choices_of(trace), trace["arguments"]
    for key, ways in (("block", "blocks"), ("deflect", "deflections")):
        for way in arguments.get(ways, ()):
            found = re.search(r"/m(\d+)", way)
            if found and way.partition("/")[0] == chosen.get(key):
                return int(found[1])
    return None


@sayings.rolled("stage.set_difficulty", "stage.set_again")
def _result_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throw of a check that is measured against nothing."""
    for step, inner in rolls_of(trace):
        draft.throw(_set(draft, step, trace, inner, "roll"))


@sayings.rolled("stage.falling", acts=False)
def _fall_rolled(draft: EntryDraft, trace: Fact) -> None:
    """Name the throws of a fall: the damage, and the landing that takes its result off."""
    for number, (step, _) in enumerate(rolls_of(trace)):
        draft.throw(draft.make_throw(step, trace, "landing" if number else "fall"))


def _set(draft: EntryDraft, step: Fact, trace: Fact, inner: Fact, what: str) -> Any:
    thrown = draft.make_throw(step, trace, what)
    plus = inner["arguments"].get("modifier", 0)
    total = None if thrown.total is None else max(1, thrown.total + plus)
    return thrown._replace(plus=plus, total=total)


def _difficulty(inner: Fact) -> str:
    """Hit Difficulty of a roll: a number of its own, or what a defence has set with its bonus."""
    arguments = inner["arguments"]
    if "difficulty" in arguments:
        return str(arguments["difficulty"])
    for step in inner["steps"]:
        if step.get("mechanic") in _SETS and "result" in step:
            result = step["result"]
            total = result.get("difficulty", result.get("result")) if isinstance(result, Mapping) else result
            if isinstance(total, int):
                return str(total + arguments.get("difficulty_bonus", 0))
    return ""
