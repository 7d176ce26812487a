"""The Stage: a check and a whole attack against icepool and dyce, and its even fight from one end to the other.

`python bench/stage_rows.py` measures these rows alone and writes nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import icepool
from dyce import H, expand
from dyce.lifecycle import ExperimentalWarning
from fighting import tell
from mars_rows import by_name
from measure import Row

from tablewright.engine import Choice, odds
from tablewright.engine.results import steady
from tablewright.systems.stage.mechanics.attack import attack
from tablewright.systems.stage.mechanics.checks import leveled_split
from tablewright.systems.stage.mechanics.forms import Block, Defence, Form

warnings.simplefilter("ignore", ExperimentalWarning)

FIRST, SECOND, DIFFICULTY = 3, 2, 10
STRIKING, HARMING, DODGING, HIT_DIFFICULTY, RESISTANCE, BLOCKING, MOST = 2, 2, 2, 3, 1, 2, 9
FIGHT = "stage:even"


# ---------------------------------------------------------------------- a check in two rolls


def our_check() -> Any:
    call = leveled_split(FIRST, SECOND, 0, 0, DIFFICULTY)
    return odds(call).map(lambda result: (result.success, result.effect))


def icepool_check() -> Any:
    effect = (SECOND @ icepool.d6).map(lambda size: icepool.tupleize(True, size))
    return (FIRST @ icepool.d6).map(lambda total: effect if total >= DIFFICULTY else icepool.tupleize(False, 0))


def dyce_check() -> Any:
    effect = SECOND @ H(6)

    def split(total: Any) -> Any:
        return effect.apply(lambda size: (True, size)) if total.outcome >= DIFFICULTY else (False, 0)

    return expand(split, FIRST @ H(6))


# ---------------------------------------------------------------------- an attack that is dodged, and blocked


@steady
def second_option(_question: Choice[Any]) -> int:
    """The dodge, the block: whatever is offered besides doing nothing."""
    return 1


def our_attack() -> Any:
    """The split, the dodge and the block are fixed, as a policy would have it: the peers choose nothing."""
    form, dodge = Form("plain", STRIKING, own_second=HARMING), Defence("dodge", DODGING, ap=1)
    blocks = (Block("block", BLOCKING, most=MOST),)
    call = attack((form,), HIT_DIFFICULTY, HIT_DIFFICULTY, (dodge,), RESISTANCE, blocks)
    exact = odds(call, policy=second_option)
    return exact.map(lambda result: (result.hit, result.damage))


def _through(damage: int, stopped: int) -> int:
    past = max(0, damage - RESISTANCE)
    return max(0, past - min(stopped, MOST)) if past else 0


def icepool_attack() -> Any:
    apart = STRIKING @ icepool.d6 - DODGING @ icepool.d6
    dealt = icepool.map(_through, HARMING @ icepool.d6, BLOCKING @ icepool.d6)
    harm = dealt.map(lambda damage: icepool.tupleize(True, damage))
    return apart.map(lambda margin: harm if margin >= HIT_DIFFICULTY else icepool.tupleize(False, 0))


def dyce_attack() -> Any:
    apart = STRIKING @ H(6) - DODGING @ H(6)

    def harmed(damage: Any, stopped: Any) -> Any:
        return _through(damage.outcome, stopped.outcome)

    harm = expand(harmed, HARMING @ H(6), BLOCKING @ H(6))

    def hit(margin: Any) -> Any:
        return harm.apply(lambda dealt: (True, dealt)) if margin.outcome >= HIT_DIFFICULTY else (False, 0)

    return expand(hit, apart)


def rows() -> Iterator[Row]:
    """What the peers can be asked as well."""
    yield Row(
        f"The Stage check, {FIRST}d against {DIFFICULTY}, then {SECOND}d", our_check, icepool_check, dyce_check, by_name
    )
    yield Row(
        f"The Stage attack, {STRIKING}d and {HARMING}d, dodged with {DODGING}d and blocked with {BLOCKING}d",
        our_attack,
        icepool_attack,
        dyce_attack,
        by_name,
        "the rule has every form, split, defence and block as a choice, with what each costs.",
    )


if __name__ == "__main__":
    tell(rows(), FIGHT)
