"""Systems are found by entry point; here third parties are real distributions in a folder on `sys.path`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tablewright.errors import InvalidInputError
from tablewright.game.rules.entry_points import package_of, system_ids
from tablewright.game.system.registry import Broken, find_mechanic, load_all, load_system
from tablewright.game.system.system import System

OWN = ("marchen", "mars", "opend6", "renaissance", "stage")

WORKING = """
from tablewright.game.system.system import System
system = System(id="pebbles", title="Coinfolk", summary="Coins.", version="1", package=__name__)
"""

Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a distribution with one module and one announced system on `sys.path`."""
    monkeypatch.syspath_prepend(tmp_path)

    def installed(module: str, announcement: str, source: str) -> None:
        (tmp_path / f"{module}.py").write_text(source)
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[tablewright.systems]\n{announcement}\n")
        monkeypatch.delitem(sys.modules, module, raising=False)

    return installed


def test_our_systems_are_announced_and_load() -> None:
    assert set(OWN) <= set(system_ids())
    loaded = load_all()
    assert loaded.broken == ()
    assert [system.id for system in loaded.systems] == list(system_ids())
    for system in loaded.systems:
        assert load_system(system.id) is system
        assert system.summary
        assert system.status in ("building", "finished")
        assert package_of(system.id) == system.package


def test_all_five_systems_are_finished() -> None:
    assert {name: load_system(name).status for name in OWN} == dict.fromkeys(OWN, "finished")
    assert len(OWN) == 5


def test_asking_for_ids_imports_no_system_and_no_engine() -> None:
    program = """
import sys
from tablewright.game.rules.entry_points import system_ids
assert "mars" in system_ids()
assert not [name for name in sys.modules if name.startswith(("tablewright.systems", "tablewright.engine"))]
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_third_party_adds_a_system(install: Install) -> None:
    install("pebbles_rules", "pebbles = pebbles_rules:system", WORKING)
    assert "pebbles" in system_ids()
    assert load_system("pebbles").title == "Coinfolk"
    assert "pebbles" in [system.id for system in load_all().systems]


@pytest.mark.parametrize(
    ("announcement", "source", "reason"),
    [
        ("pebbles = bad_rules:system", "raise RuntimeError('no coins')", "RuntimeError: no coins"),
        ("pebbles = bad_rules:system", "import no_such_module", "No module named 'no_such_module'"),
        ("pebbles = bad_rules:system", "def", "SyntaxError"),
        ("pebbles = bad_rules:system", "raise SystemExit(3)", "SystemExit"),
        ("pebbles = bad_rules:system", "", "has no attribute 'system'"),
        ("pebbles = bad_rules:system", "system = 7", "is a int, not a System"),
        ("pebbles = no_such_module:system", "", "No module named"),
        ("pebbles = bad_rules", "", "is a module, not a System"),
        ("pebbles = bad_rules:system", WORKING.replace('"pebbles"', '"other"'), 'calls itself "other"'),
        ("pebbles = bad_rules:system", WORKING.replace('"pebbles"', '"Coin Folk"'), "cannot be the id of a system"),
        ("Pebble.S = bad_rules:system", WORKING, "lower-case letters"),
    ],
)
def test_a_broken_system_is_reported_and_skipped(install: Install, announcement: str, source: str, reason: str) -> None:
    install("bad_rules", announcement, source)
    name = announcement.partition(" ")[0]
    loaded = load_all()
    assert [system.id for system in loaded.systems if system.id != "coinfolk"] == list(OWN)
    assert [broken.id for broken in loaded.broken] == [name]
    assert reason in loaded.broken[0].reason
    with pytest.raises(InvalidInputError, match=f'the system "{name}" cannot be loaded: '):
        load_system(name)


@pytest.mark.parametrize(
    ("book", "said"),
    [
        ("coins = 7\nraise KeyError('edge')\n", "pebbles_book.py line 2: KeyError: 'edge'"),
        ("def strike(:\n", "pebbles_book.py line 1: SyntaxError: invalid syntax"),
        ("coins = 7\n", "AttributeError: module 'pebbles_book' has no attribute 'rulebook'"),
    ],
)
def test_a_fault_in_the_heavy_half_names_the_system_with_file_and_line(install: Install, book: str, said: str) -> None:
    install("pebbles_book", "stones = pebbles_book:system", book)
    source = WORKING.replace("package=__name__", "package='pebbles_book', rulebook_module='pebbles_book'")
    install("pebbles_rules", "pebbles = pebbles_rules:system", source)
    with pytest.raises(InvalidInputError) as refused:
        _ = load_system("pebbles").rulebook
    assert str(refused.value) == f'the system "pebbles" cannot be loaded: {said}'


def test_a_third_party_cannot_replace_a_built_in_system(install: Install) -> None:
    install("aaa_rules", "mars = aaa_rules:system", WORKING)
    loaded = load_all()
    assert load_system("mars").title == "MARS"
    assert loaded.broken == (
        Broken("mars", 'aaa_rules:system is skipped: "mars" is already tablewright.systems.mars:system'),
    )


def test_an_unknown_system_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        InvalidInputError, match=r'there is no system "marz"; did you mean "mars"\? \(known: .*marchen, mars, '
    ):
        load_system("marz")
    with pytest.raises(InvalidInputError, match='there is no system "morse"'):
        find_mechanic("morse.check")
    with pytest.raises(InvalidInputError, match=r'SYSTEM\.MECHANIC, not "check"'):
        find_mechanic("check")
    with pytest.raises(InvalidInputError, match="MARS has no mechanic"):
        find_mechanic("mars.no_such_mechanic")


def named(name: str) -> Any:
    return SimpleNamespace(name=name)


def pebbles(**more: Any) -> System:
    return System(**{"id": "coin", "title": "Coin", "summary": "", "version": "1", "package": "coin"} | more)


def test_mechanics_by_name() -> None:
    toss, spin = named("coin.toss"), named("coin.spin")
    system = pebbles(mechanics=(toss, spin))
    assert system.mechanic("coin.toss") is toss
    assert system.mechanic("spin") is spin
    with pytest.raises(InvalidInputError, match=r'Coin has no mechanic "coin.tos"; did you mean "coin.toss"\?'):
        system.mechanic("tos")


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"mechanics": (named("other.toss"),)}, 'must begin with "coin."'),
        ({"mechanics": (named("coin.toss"), named("coin.toss"))}, 'two mechanics are called "coin.toss"'),
        ({"status": "done"}, "allowed are building, finished"),
        ({"id": "Coin"}, "lower-case"),
    ],
)
def test_a_wrong_system_is_refused(more: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidInputError, match=complaint):
        pebbles(**more)


def test_every_mechanic_cites_rules_of_its_own_ledger() -> None:
    for system in load_all().systems:
        for mechanic in system.mechanics:
            assert mechanic.rules, mechanic.name
            assert set(mechanic.rules) <= set(system.ledger), mechanic.name
        for described in system.options.describe():
            assert described.rule in system.ledger, described.name
