"""The public surface: its names, loaded on first use, with modules of mechanics beside them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from stubs import stubs

import tablewright as tw
from tablewright.extras import EXTRAS
from tablewright.game.system.registry import find_mechanic, load_all

ROOT = Path(__file__).parents[2]


def run(code: str) -> str:
    """Output of a program in a process of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_every_public_name_is_there() -> None:
    assert len(tw.__all__) == 43
    assert sorted(tw.__all__) == tw.__all__
    assert all(getattr(tw, name) is not None for name in tw.__all__)
    assert {*tw.__all__, "mars", "coinfolk"} <= set(dir(tw))


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match='did you mean "simulate"'):
        tw.simulte  # type: ignore[attr-defined]  # noqa: B018


def test_importing_loads_no_room() -> None:
    loaded = run("import sys, tablewright; print([name for name in sys.modules if name.startswith('tablewright')])")
    assert loaded == "['tablewright']\n"


def test_odds_of_dice_load_neither_the_lab_nor_pydantic() -> None:
    code = "import sys, tablewright as tw; tw.odds('4d6kh3'); tw.odds('mars.check', 'r16', 14); print(*sys.modules)"
    loaded = run(code).split()
    assert "tablewright.dice" in loaded
    heavy = ("pydantic", "yaml", "matplotlib", "numpy", "tablewright.lab", "tablewright.table", "tablewright.cli")
    assert [name for name in heavy if name in loaded] == []


def test_mechanics_are_functions_of_a_module() -> None:
    assert tw.mars.check is find_mechanic("mars.check")
    assert "check" in dir(tw.mars)
    with pytest.raises(AttributeError, match=r'did you mean "mars\.check"'):
        tw.mars.chekc  # type: ignore[attr-defined]  # noqa: B018
    assert run("from tablewright.mars import check; print(check('r16', 14))").startswith("mars.check(r16, 14")


def test_systems_of_others_have_their_module_too() -> None:
    names = dir(tw.coinfolk)  # type: ignore[attr-defined]
    assert names
    assert getattr(tw.coinfolk, names[0]) is find_mechanic(f"coinfolk.{names[0]}")  # type: ignore[attr-defined]


def test_the_stubs_are_current() -> None:
    written = {path: path.read_text(encoding="utf-8") for path in stubs()}
    assert len(written) == 5
    assert written == stubs(), "run: make compile"


def test_calls_and_mechanics_are_pickled_by_name() -> None:
    whole = [mechanic for system in load_all().systems for mechanic in system.mechanics]
    assert len(whole) > 100
    assert all(pickle.loads(pickle.dumps(mechanic)) is mechanic for mechanic in whole)
    call = tw.mars.check("r16", 14)
    assert pickle.loads(pickle.dumps(call)) == call

    @tw.mechanic(rules=["demo.light.inner"])
    async def inner() -> int:
        """A rule that no module holds."""
        return 1

    with pytest.raises(TypeError, match=r"demo\.inner cannot be pickled"):
        pickle.dumps(inner)


@pytest.mark.parametrize(
    ("extra", "package", "code"),
    [
        ("plot", "matplotlib", "tw.odds('2d6').plot()"),
        ("live", "websockets", "tw.connect('http://127.0.0.1:9/#token')._receive()"),
        ("rl", "pettingzoo", "from tablewright.agents import env"),
    ],
)
def test_a_missing_extra_names_itself(extra: str, package: str, code: str) -> None:
    without = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            raise ModuleNotFoundError("No module", name=name)

sys.meta_path.insert(0, Missing())
import tablewright as tw
try:
    {code}
except tw.TablewrightError as problem:
    print(problem)
"""
    assert run(without) == f'{EXTRAS[extra][0]} is not installed; run: pip install "tablewright[{extra}]"\n'


def test_rules_are_found_by_words_and_by_id() -> None:
    found = tw.rules("falling damage", "mars")
    assert [rule.id for rule in found] == ["mars.gap.fight.falling"]
    assert tw.rule(found[0].id) is found[0]
    with pytest.raises(tw.BadInput, match='did you mean "mars"'):
        tw.rules("falling", "mrs")
    with pytest.raises(tw.BadInput, match="did you mean"):
        tw.rule("mars.check.outcome")
    with pytest.raises(tw.BadInput, match="1 to 200 characters"):
        tw.rules("  ")
