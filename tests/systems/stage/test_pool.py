"""Dice pools, helpers and flat bonuses of The Stage."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import pytest

from systems.playing import go
from systems.stage.fights import duel, fighter
from systems.stage.people import alone, library, somebody
from tablewright.engine.tally import Part
from tablewright.errors import InvalidInputError
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.modifiers import MUNDANE, PENALTY, SPECIAL, rolled
from tablewright.systems.stage.now import arms, pool
from tablewright.systems.stage.options import AssistCapHolder, StageOptions
from tablewright.systems.stage.values import assist_cap, assist_dice

LEDGER = Ledger.load("stage")


def parts(kind: str, values: Iterable[int]) -> list[Part]:
    """Modifiers of one kind, each from somewhere else."""
    return [Part(f"{kind} {number}", value, "stage.modifier.forms", kind) for number, value in enumerate(values)]


def dice_pool(
    level: int, mundane: Iterable[int] = (), special: Iterable[int] = (), penalties: Iterable[int] = ()
) -> int:
    """The dice that a character of this level rolls in play."""
    less = parts(PENALTY, [-one for one in penalties])
    dice = [*parts(MUNDANE, mundane), *parts(SPECIAL, special), *less]
    return rolled(alone(somebody(level)), "athletics.climb", dice=dice).dice.total


def special_flat(bonuses: Iterable[int], level: int, **options: Any) -> int:
    """Total of special flat bonuses in play, with all skills at one level."""
    subject = alone(somebody(level), StageOptions(**options))
    return rolled(subject, "athletics.climb", flat=parts(SPECIAL, bonuses)).flat.total


@pytest.mark.rule("stage.check.dice_pool", "stage.modifier.forms", "stage.modifier.special_dice")
@pytest.mark.rule("stage.modifier.mundane")
def test_the_pool_is_the_level_with_all_mundane_dice_and_the_best_special_ones() -> None:
    for example in LEDGER["stage.check.dice_pool"].examples:
        given = example["given"]
        dice, _, flat = example["expect"]["pool"].partition("d")
        assert dice_pool(given["level"], given.get("mundane_dice", ())) == int(dice)
        assert int(flat or 0) == -given.get("flat_penalty", 0)  # a flat modifier leaves the dice alone
    assert dice_pool(0, [1], penalties=[2]) == 1
    (example,) = LEDGER["stage.modifier.special_dice"].examples
    given = example["given"]
    assert dice_pool(2, given["mundane_dice"], given["special_dice"]) == 2 + example["expect"]["bonus_dice"]
    assert dice_pool(1, [1, 1, 2]) == 5


@pytest.mark.rule("stage.check.minimum", "stage.modifier.penalties")
def test_penalties_stack_and_leave_a_die() -> None:
    given = LEDGER["stage.check.minimum"].examples[0]["given"]
    assert dice_pool(given["level"], penalties=[given["penalty_dice"]]) == 1
    assert dice_pool(9, penalties=[1, 2, 3]) == 3


@pytest.mark.rule("stage.modifier.special_flat")
def test_special_flat_bonuses_stack_up_to_the_level() -> None:
    body = [figures(somebody(level), StageOptions(), library()).body for level in (1, 2, 5)]
    assert [special_flat([20, 30], level) for level in (1, 2, 5)] == body
    assert len(set(body)) == 3
    assert special_flat([1, 1], 5) == 2
    assert special_flat([20, 30], 1, body_bonus_cap="none") == 50


@pytest.mark.rule("stage.power_effect.assist_cap", "stage.check.assist")
def test_helpers_give_a_die_each_up_to_the_best_cap() -> None:
    for example in LEDGER["stage.power_effect.assist_cap"].examples:
        given, expected = example["given"], example["expect"]
        assert assist_dice(given["helpers"], given["best_cap"]) == expected["assist_dice"]
    assert (assist_dice(5), assist_dice(0)) == (LEDGER["stage.check.assist"].data["base_cap_dice"], 0)
    caps = {holder: assist_cap(3, [None, 2], holder) for holder in get_args(AssistCapHolder)}
    assert caps == {"any_participant": 3, "helper": 2, "assisted": 3}
    assert [assist_cap(None, [None], holder) for holder in get_args(AssistCapHolder)] == [1, 1, 1]


@pytest.mark.rule("stage.check.gm_modifiers", "stage.check.dice_pool")
@pytest.mark.parametrize(
    ("what", "key", "dice", "flat"),
    [
        ("attack", "close_combat.attack", 3, -2),
        ("attack dice", "close_combat.attack", 1, 0),
        ("attack", "close_combat.parry", 2, 0),
        ("defence", "close_combat.parry", 2, -2),
        ("defence", "agility.dodge", 1, -2),
        ("initiative", "agility.initiative", 1, -2),
        ("close_combat", "close_combat.parry", 2, -2),
    ],
)
def test_a_ruling_counts_for_the_rolls_it_names(what: str, key: str, dice: int, flat: int) -> None:
    session = duel(fighter(), fighter())
    go(session, "table.modify", what=what, value=-2, reason="rain", who="ann")
    spear = arms(session.scene, "ann")[0].weapon
    made = pool(session.scene, "ann", key, weapon=spear)
    assert (made.dice.total, made.flat.total) == (dice, flat)


@pytest.mark.rule("stage.check.gm_modifiers", "stage.terrain.cover")
def test_a_ruling_that_no_rule_reads_is_refused() -> None:
    session = duel(fighter(), fighter())
    with pytest.raises(InvalidInputError, match=r'no rule reads a modifier of "atack".*did you mean "attack"'):
        session.do("table.modify", what="atack", value=1, reason="luck", who="ann")
    with pytest.raises(InvalidInputError, match=r'no rule reads the fact "covr".*did you mean "cover"'):
        session.do("table.set_fact", who="ann", fact="covr", value="1/2")
