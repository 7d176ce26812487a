"""Names of the shared rooms: nouns, one meaning each, and documented in the vocabulary."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import tablewright
from each_case import each_case

SOURCES = Path(tablewright.__file__).parent
TESTS = Path(__file__).parent
VOCABULARY = SOURCES.parents[1] / "docs" / "vocabulary.md"
MODULES = sorted([path for path in SOURCES.rglob("*.py") if path.relative_to(SOURCES).parts[0] != "systems"])
NOUNS = {"caching", "formatting", "opening", "ranking", "targeting"}
MOST_MODULES = 22
PRESENTED = {"Advice", "Balance", "Change", "Character", "Check", "Odds", "Table"}
"""Words that the Python surface shares with a class of another room, whose meaning it presents."""
RIDDLES = re.compile(r"(What|Who|Whom|Whose|Where|Which|How|Why|Whoever|Whatever|Something|Somebody|So)\b")

QUOTED_RIDDLE = re.compile(rf"[\"'\\]\s*{RIDDLES.pattern}")
"""Such a word behind a quotation mark, or behind a mark and a line that is continued."""


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCES))


def test_no_module_is_called_by_a_gerund() -> None:
    assert {path.stem for path in MODULES if path.stem.endswith("ing")} == NOUNS


def test_no_folder_is_too_full_to_be_looked_over() -> None:
    folders: dict[Path, int] = defaultdict(int)
    for path in MODULES:
        folders[path.parent] += 1
    assert {name_of(folder): count for folder, count in folders.items() if count > MOST_MODULES} == {}


def test_no_class_name_has_two_meanings() -> None:
    classes: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for name in re.findall(r"^ *class (\w+)[(:]", path.read_text(encoding="utf-8"), re.MULTILINE):
            classes[name].append(name_of(path))
    shared = {name: places for name, places in classes.items() if len(places) > 1}
    assert shared.keys() == PRESENTED
    assert all(len(places) == 2 and places[0].startswith("api/") for places in shared.values())


@each_case("path", [*MODULES, *sorted(TESTS.rglob("*.py"))])
def test_docstrings_begin_with_a_noun_or_a_verb(path: Path) -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source if QUOTED_RIDDLE.search(source) else "")  # most files have no such text at all
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    texts = [ast.get_docstring(node) or "" for node in nodes]
    assert [text.partition("\n")[0] for text in texts if RIDDLES.match(text)] == []


def test_every_word_of_the_vocabulary_is_a_name_in_its_module() -> None:
    rows = re.findall(r"^\| `(\w+)` \|(.*)\| `([\w.]+)` \|$", VOCABULARY.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 50
    missing = [
        f"{module}.{word}" for word, _, module in rows if not hasattr(import_module(f"tablewright.{module}"), word)
    ]
    assert missing == []


def test_no_test_is_named_by_a_riddle() -> None:
    riddle = re.compile(
        r"^ *(?:async )?def (test_(?:what|who|whom|whose|whoever|how|where|those|somebody)_\w+)", re.MULTILINE
    )
    found = [
        name for path in sorted(TESTS.rglob("test_*.py")) for name in riddle.findall(path.read_text(encoding="utf-8"))
    ]
    assert found == []
