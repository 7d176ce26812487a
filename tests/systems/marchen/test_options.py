"""Rule options: the odds beside them, and the core of the dice that a campaign changes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from golden.runner import run_here
from systems.marchen.acts import ann
from systems.marchen.people import SYSTEM, book, data, options, plan, somebody, template, together, total
from systems.playing import last
from tablewright.errors import IllegalActionError
from tablewright.game.narration.entries import entries
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.system.option_impact import OptionImpact, typical_odds
from tablewright.systems.marchen.chapters.cores import TYPICAL, OddsMoved, chance
from tablewright.systems.marchen.options import Core, MarchenOptions

BRAVE = somebody(
    physical=2, agility=1, muscle=1, skills={"athletics": 1}, specials=[("athletics", "Climbing", 1)], social=0
)


def impacts(name: str) -> dict[object, OptionImpact]:
    """The values of an option with their figures."""
    return {one.value: one for one in typical_odds(SYSTEM, SYSTEM.options.field(name))}


def words(line: str) -> dict[str, str]:
    """The arguments of a check as typed."""
    return dict([word.split("=") for word in line.split()[1:]])


def success(modifier: int) -> Fraction:
    """The chance of 8 or more with 2d6 and a modifier, face by face."""
    faces = list(product(range(1, 7), repeat=2))
    return Fraction(sum([sum(pair) + modifier >= 8 for pair in faces]), len(faces))


BY_LINE = ("law_level_mode", "characteristic_check_adds_aspect", "check_stack", "circumstance_stack", "repair_check")


@pytest.mark.rule("marchen.option.index")
@pytest.mark.parametrize("name", [*BY_LINE, "sparring_difficulty"])
def test_figures_are_those_of_the_checks_beside_them(name: str) -> None:
    status, out, err = run_here(["rules", "marchen", "--options"], "")
    assert status == 0, err
    told = " ".join(out.split())
    level = {"average": 0, "difficult": -2, "very_difficult": -4}
    for one in impacts(name).values():
        given = words(one.line)
        total = int(given["modifier"]) + int(given.get("dm", 0)) + level[given.get("difficulty", "average")]
        assert one.expected == success(total)
        shown = f"{float(success(total) * 100):.2f}".removesuffix(".00") if success(total) else "0"
        assert f"{shown}% with" in told


def modifier(name: str, value: object) -> int:
    """The modifier of the check that the figures of an option's value are for."""
    return int(words(impacts(name)[value].line)["modifier"])


@pytest.mark.rule("marchen.check.characteristic", "marchen.check.skill", "marchen.modifier.circumstance")
def test_the_checks_are_those_of_one_character_under_each_value() -> None:
    strong = somebody(physical=1, muscle=1, skills={"athletics": 1}, specials=[("athletics", "Climbing", 1)])
    for name, one, what, situation in (
        ("characteristic_check_adds_aspect", BRAVE, "agility", {}),
        ("check_stack", strong, "athletics", {"specialization": "Climbing"}),
        ("circumstance_stack", somebody(), "agility", {"helps": 3}),
    ):
        for value in impacts(name):
            assert total(one, what, options(**{name: value}), **situation) == modifier(name, value)


@pytest.mark.rule("marchen.modifier.law_level", "marchen.modifier.law_level_mode")
@pytest.mark.parametrize("mode", ["add", "base"])
def test_the_law_of_the_land_adds_to_the_difficulty_or_is_it(mode: str) -> None:
    given = {"dm": "0"} | words(impacts("law_level_mode")[mode].line)
    ready = plan(somebody(agility=3), "agility", options(law_level_mode=mode), law=5, difficulty="difficult")
    found = ready.call.named_arguments()
    assert {name: str(found[name]) for name in ("difficulty", "modifier", "dm")} == {
        name: given[name].removeprefix("+") for name in ("difficulty", "modifier", "dm")
    }


@pytest.mark.rule("marchen.option.index")
def test_every_option_of_the_ledger_is_an_option() -> None:
    described = {field.name: field for field in MarchenOptions.describe()}
    for name, row in data("marchen.option.index").items():
        field = described[name]
        assert (field.default, field.rule) == (row["default"], row["rule"])
        if name != "max_helpers":
            assert set(field.choices) == set(row["values"])
    assert (described["max_helpers"].low, described["max_helpers"].or_none) == (0, True)


@pytest.mark.rule("marchen.core.selection")
@pytest.mark.parametrize("core", ["D10", "D20", "D100", "3d6", "4d7", "8D4"])
def test_a_campaign_changes_its_core_and_sees_the_odds_move(core: Core) -> None:
    session = together(template("soldier").changed(name="Ann"))
    before = ann(session)
    session.do("marchen.change_core", core=core)
    assert (session.scene.options.core, ann(session)) == (core, before)
    assert book().legality(before, session.scene.options, session.scene.library).violations == ()
    moved = last(session, OddsMoved).moved
    assert len(moved) == len(TYPICAL)
    for (difficulty, modifier), (_, old, new) in zip(TYPICAL, moved, strict=True):
        assert old == round(1_000 * chance("2d6", difficulty, modifier, MarchenOptions()))
        assert new == round(1_000 * chance(core, difficulty, modifier, MarchenOptions()))
    session.undo()
    assert session.scene.options.core == "2d6"
    session.do("marchen.compare_core", core="D20")  # changes nothing
    assert session.scene.options.core == "2d6"
    [entry] = entries(session.live, session.rulebook, GAME_MASTER)
    assert entry.quiet.startswith("average +0 42% to 50%")


@pytest.mark.rule("marchen.gap.generation.method", "marchen.aspect.list", "marchen.option.mythic_levels")
def test_options_of_creation_and_what_a_character_needs_cannot_change_in_a_game() -> None:
    session = together(template("wolf"))
    for name, value in (("score_scale", "cepheus"), ("generation", "points")):
        with pytest.raises(IllegalActionError, match="cannot change once a game has begun"):
            session.do("table.set_option", name=name, value=value, reason="why not")
    demigod = somebody("Ann", skills={"stealth": 2}, specials=[("stealth", "Shadowing", 5)])
    mythic = together(demigod, mythic_levels=True)
    with pytest.raises(IllegalActionError, match=r"marchen\.specialization\.cap"):
        mythic.do("table.set_option", name="mythic_levels", value="false", reason="enough of them")
