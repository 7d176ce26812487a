"""The mutation tool changes figures and comparisons and nothing else, knows their rules, and finds what is untested."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import mutate
import pytest
from mutants import Code, Site, data_sites

from patience import LIMIT

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools"

SOURCE = '''"""A module with 3 figures in its text."""

from demo import Param, Rulebook, Tally

MOST_ROUNDS = 100
TURN, STRIDE = "demo.fight.turn", 2
DAZED = Requirement("demo.fight.daze", lambda who: who.harm >= 3)


def harm(hits: Annotated[int, Param("hits", 0, 12)], edge: int = 1) -> int:
    """Add 1 to a hit."""
    if hits > 0 and edge < 4:
        return max(hits + edge, 0)
    return Tally.of("harm 7", 5, "demo.fight.harm").total


def step(here: int) -> int:
    return here + STRIDE


async def turn(game: object) -> None:
    game.emit(step(0), cause=TURN)


def rate(scene: object) -> int:
    return guess(scene) + 1


def guess(scene: object) -> int:
    return 17


rulebook = Rulebook(rate=rate, turn=turn)
'''

DATA = """# 3 comments
weapons:
  - {id: knife, name: Knife 3, edge: 1, hands: one, rule: demo.fight.harm, melee: true}
  - {id: sword, name: Sword, edge: 2, hands: two, rule: demo.fight.harm, melee: true}
  - {id: spoon, name: Spoon, edge: 0, hands: one, note: "4", melee: false}
  - {id: glaive, name: Glaive, edge: -3, hands: two, melee: true}
"""


@pytest.fixture
def code(tmp_path: Path) -> list[Site]:
    (tmp_path / "demo.py").write_text(SOURCE, encoding="utf-8")
    return list(Code(tmp_path, [tmp_path / "demo.py"], "demo.").sites())


@pytest.fixture
def data(tmp_path: Path) -> list[Site]:
    (tmp_path / "pack.yaml").write_text(DATA, encoding="utf-8")
    return list(data_sites(tmp_path, [tmp_path / "pack.yaml"], "demo."))


def test_figures_and_comparisons_of_code_are_found_and_nothing_else(code: list[Site]) -> None:
    lines = SOURCE.splitlines()
    found = {(lines[site.line - 1].strip()[:24], site.before) for site in code}
    assert found == {
        ('TURN, STRIDE = "demo.fig', "2"),
        ('DAZED = Requirement("dem', ">="),
        ('DAZED = Requirement("dem', "3"),
        ("def harm(hits: Annotated", "1"),
        ("if hits > 0 and edge < 4", ">"),
        ("if hits > 0 and edge < 4", "0"),
        ("if hits > 0 and edge < 4", "and"),
        ("if hits > 0 and edge < 4", "<"),
        ("if hits > 0 and edge < 4", "4"),
        ("return max(hits + edge, ", "max"),
        ("return max(hits + edge, ", "+"),
        ("return max(hits + edge, ", "0"),
        ('return Tally.of("harm 7"', "5"),
        ("return here + STRIDE", "+"),
        ("game.emit(step(0), cause", "0"),
    }


def test_every_change_is_one_place_of_valid_code(code: list[Site]) -> None:
    written = SOURCE.encode()
    for site in code:
        for choice in range(len(site.after)):
            changed = site.mutated(written, choice)
            assert changed != written
            assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(written))
            assert changed.count(b"\n") == written.count(b"\n")


def test_a_figure_is_about_the_rules_of_its_function_or_of_what_uses_it(code: list[Site]) -> None:
    rules = {(site.line, site.before): site.rules for site in code}
    assert rules[6, "2"] == ("demo.fight.turn",), "STRIDE is used by step, which turn uses"
    assert rules[7, "3"] == ("demo.fight.daze",)
    assert rules[12, "4"] == ("demo.fight.harm",)
    assert rules[18, "+"] == ("demo.fight.turn",)


def test_figures_and_closed_words_of_data_are_found(data: list[Site]) -> None:
    found = [(site.line, site.before, site.after) for site in data]
    assert found == [
        (3, "1", ("2", "0")),
        (3, "one", ("two",)),
        (3, "true", ("false",)),
        (4, "2", ("3", "1")),
        (4, "two", ("one",)),
        (4, "true", ("false",)),
        (5, "0", ("1",)),
        (5, "one", ("two",)),
        (5, "false", ("true",)),
        (6, "-3", ("-2", "-4")),
        (6, "two", ("one",)),
        (6, "true", ("false",)),
    ]
    assert data[0].rules == ("demo.fight.harm",)
    assert data[-1].rules == ()
    assert data[0].mutated(DATA.encode(), 0).decode().splitlines()[2].count("edge: 2") == 1


def said_by(*arguments: str) -> str:
    """Output of the command, run in this process."""
    with redirect_stdout(StringIO()) as said:
        assert mutate.main(arguments) == 0
    return said.getvalue()


def listed(*arguments: str) -> list[str]:
    """The mutants that would be tried."""
    return said_by(*arguments, "--list").splitlines()


def started(*arguments: str, path: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own that finds what a folder has."""
    return subprocess.run(
        [sys.executable, str(TOOLS / "mutate.py"), *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


def heads_miscounted(places: list[str]) -> tuple[str, ...]:
    """Arguments to try the mutant of the rule that counts heads."""
    number = next(line.split()[0] for line in places if "__init__.py" in line and ": >= -> >" in line)
    return "--n", "400", "--only", number, "--jobs", "1"


def test_the_same_seed_draws_the_same_mutants() -> None:
    once = listed("coinfolk", "--n", "20", "--seed", "5")
    assert once == listed("coinfolk", "--n", "20", "--seed", "5")
    assert once != listed("coinfolk", "--n", "20", "--seed", "6")
    assert len(once) == 20
    assert listed("coinfolk", "--n", "20", "--seed", "5", "--from", "18") == once[17:]


def test_a_mutant_is_tried_in_a_copy_and_noticed() -> None:
    """The mutant of the rule that counts heads is noticed by the one test with its mark."""
    book = ROOT / "tests" / "sixth" / "coinfolk" / "__init__.py"
    before = book.stat().st_mtime_ns, book.read_bytes()
    told = said_by("coinfolk", *heads_miscounted(listed("coinfolk", "--n", "400")))
    assert "noticed" in told
    assert "1 mutant of seed 1: 1 noticed" in told
    assert "1 test of coinfolk.coins.check" in told
    assert (book.stat().st_mtime_ns, book.read_bytes()) == before


def test_a_reader_may_have_seen_enough() -> None:
    shell = f"{sys.executable} {TOOLS / 'mutate.py'} coinfolk --n 900 --list | head -n 1"
    done = subprocess.run(["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=True)
    assert done.stderr == ""


@pytest.fixture
def third_party(tmp_path: Path) -> Path:
    """A folder with a third party's system: coinfolk by another name, with few tests."""
    sixth = ROOT / "tests" / "sixth"
    for source in [*(sixth / "coinfolk").rglob("*.py"), *(sixth / "coinfolk").rglob("*.yaml")]:
        target = tmp_path / "pebbles" / source.relative_to(sixth / "coinfolk")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source.read_text(encoding="utf-8").replace("coinfolk", "pebbles"), encoding="utf-8")
    info = tmp_path / "pebbles-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tablewright.systems]\npebbles = pebbles:system\n")
    (tmp_path / "tests").mkdir()
    return tmp_path


UNMARKED = """from pebbles import check
from tablewright.engine import odds


def test_a_check() -> None:
    assert odds(check(1, 1))[True] * 2 == 1
"""


def test_a_third_partys_system_is_found_and_its_mutants_noticed(third_party: Path) -> None:
    marked = UNMARKED.replace("def ", '@pytest.mark.rule("pebbles.coins.check")\ndef ')
    (third_party / "tests" / "test_pebbles.py").write_text(f"import pytest\n{marked}")
    named = "--package", str(third_party / "pebbles"), "--tests", str(third_party / "tests")
    done = started("pebbles", *heads_miscounted(listed("pebbles", *named, "--n", "400")), path=third_party)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 test of pebbles.coins.check" in done.stdout
    assert "1 mutant of seed 1: 1 noticed" in done.stdout


def test_tests_without_a_mark_stop_it_with_a_reason(third_party: Path) -> None:
    (third_party / "tests" / "test_pebbles.py").write_text(UNMARKED)
    named = "--package", str(third_party / "pebbles"), "--tests", str(third_party / "tests")
    with pytest.raises(SystemExit, match=r"none is marked with a rule of pebbles (.|\n)*--tests FOLDER"):
        mutate.main(["pebbles", *named, "--n", "1", "--jobs", "1"])
    with pytest.raises(SystemExit, match="no tests of pebbles are found"):
        listed("pebbles", "--package", str(third_party / "pebbles"))
    with pytest.raises(SystemExit, match="no package"):
        listed("pebbles")
