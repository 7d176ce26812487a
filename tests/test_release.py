"""A release is refused for each thing that can be wrong with it, and only for that."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import zipfile
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FILES = (
    *("pyproject.toml", "NOTICE", "LICENSE", "src/tablewright/version.py", "web/package.json"),
    *("web/package-lock.json", "requirements/run.lock", "requirements/dev.lock"),
)


def loaded() -> Any:
    """The release program."""
    spec = spec_from_file_location("release", ROOT / "tools" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release = loaded()
VERSION = str(release.project(ROOT)["project"]["version"])
CHANGELOG = f"# Changelog\n\n## Unreleased\n\n## {VERSION} (2026-01-02)\n\nChanges recorded games: no\n\n- Something.\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files that are looked at, as they would be in a release."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    return tmp_path


def changed(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Replace something in a file."""

    def change(tree: Path) -> None:
        text = (tree / name).read_text(encoding="utf-8")
        assert old in text
        (tree / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def test_every_package_that_is_installed_is_in_the_notice() -> None:
    locked = (ROOT / "requirements" / "run.lock").read_text(encoding="utf-8")
    lines = [line for line in locked.splitlines() if "== 'win32'" not in line and "== 'emscripten'" not in line]
    names = {line.partition("==")[0] for line in lines if "==" in line[:60] and line[0].isalpha()}
    assert {"fastapi", "uvloop", "numpy"} <= names
    listed = (ROOT / "NOTICE").read_text(encoding="utf-8").partition("Python packages")[2]
    assert names - {*re.findall(r"[a-z0-9-]+", listed)} == set()


def test_nothing_is_against_a_tree_as_it_should_be(tree: Path) -> None:
    assert release.problems_of(tree) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (changed("src/tablewright/version.py", VERSION, "9.9.9"), "version.py says 9.9.9"),
        (changed("web/package.json", f'"{VERSION}"', '"9.9.9"'), "web/package.json says 9.9.9"),
        (changed("pyproject.toml", f'version = "{VERSION}"', 'version = "next"'), "no version of three numbers"),
        (changed("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n- More.\n"), "lines under Unreleased"),
        (changed("CHANGELOG.md", f"## {VERSION} (2026-01-02)", "## 0.0.1 (2025-01-02)"), "the newest heading is"),
        (changed("CHANGELOG.md", " (2026-01-02)", ""), "the newest heading is"),
        (changed("CHANGELOG.md", "Changes recorded games: no", ""), "Changes recorded games"),
        (changed("CHANGELOG.md", "- Something.", ""), "names no change"),
        (changed("requirements/run.lock", "fastapi==", "slowapi=="), "run.lock lacks fastapi"),
        (changed("pyproject.toml", '"typer>=0.15"', '"typer>=99"'), "wanted is >=99"),
        (changed("requirements/dev.lock", "\n", "\n--index-url https://elsewhere.example\n"), "names an address"),
        (changed("web/package.json", '"uplot": "', '"uplot": "9'), "differ in devDependencies"),
        (changed("web/package-lock.json", '"integrity":', '"resolved":'), "without a hash"),
        (changed("NOTICE", "\nstage\n", "\nscene\n"), "NOTICE does not say of stage its source"),
        (lambda tree: (tree / "LICENSE").unlink(), "LICENSE is missing"),
        (changed("pyproject.toml", '"LICENSE", "NOTICE"', '"LICENSE"'), "do not go into the wheel"),
    ],
)
def test_each_wrong_thing_is_refused(tree: Path, change: Callable[[Path], None], told: str) -> None:
    change(tree)
    problems = release.problems_of(tree)
    assert any(told in problem for problem in problems), problems
    assert len({problem.partition(":")[0] for problem in problems}) <= 2, problems


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree, with a page in it where none is built."""
    built = release.build(ROOT, tmp_path_factory.mktemp("dist"), "wheel")
    assert len(built) == 1
    path: Path = built[0]
    return path


def without(wheel: Path, folder: Path, *lost: str) -> Path:
    """A wheel without some of its files."""
    made = folder / wheel.name
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(made, "w") as less:
        for name in whole.namelist():
            if not any(part in name for part in lost):
                less.writestr(name, whole.read(name))
    return made


def test_a_wheel_has_everything_or_is_refused(wheel: Path, tmp_path: Path) -> None:
    assert release.wheel_problems(wheel, VERSION) == []
    for lost in (
        "server/web/index.html",
        "server/web/assets/",
        "mars/ledger.compiled",
        "migrations/versions",
        "NOTICE",
    ):
        problems = release.wheel_problems(without(wheel, tmp_path, lost), VERSION)
        assert problems, lost
        assert all("missing" in problem for problem in problems)
    with zipfile.ZipFile(without(wheel, tmp_path, "nothing"), "a") as more:
        more.writestr("tests/secret.py", "")
    assert release.wheel_problems(tmp_path / wheel.name, VERSION) == ["wheel: tests/secret.py does not belong there"]


def take_bytecode(unpacked: Path) -> None:
    """Put the bytecode of this tree beside the same modules, as far as it is there: to compile all takes a second."""
    for module in (unpacked / "tablewright").rglob("*.py"):
        source = ROOT / "src" / module.relative_to(unpacked)
        shutil.copystat(source, module)
        for compiled in source.parent.glob(f"__pycache__/{source.stem}.{sys.implementation.cache_tag}.pyc"):
            (module.parent / "__pycache__").mkdir(exist_ok=True)
            shutil.copy(compiled, module.parent / "__pycache__")


def test_a_wheel_is_taken_if_it_serves_the_page_and_refused_if_not(wheel: Path, tmp_path: Path) -> None:
    """The wheel is unpacked once, and loses its page and then its server."""
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path / "unpacked")
    take_bytecode(tmp_path / "unpacked")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(tmp_path / "unpacked")}
    server = tmp_path / "unpacked" / "tablewright" / "server"

    def problems(place: str) -> list[str]:
        (tmp_path / place).mkdir()
        program = [sys.executable, "-m", "tablewright.cli"]
        found: list[str] = release.serving_problems(program, environment, tmp_path / place, "--no-demo")
        return found

    assert problems("whole") == []
    shutil.rmtree(server / "web")
    (told,) = problems("without-page")
    assert "does not serve the web page" in told
    (server / "app.py").unlink()
    (told,) = problems("without-server")
    assert "the server does not start" in told


def test_the_page_of_the_wheel_is_of_the_locked_version() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["version"] == lock["packages"][""]["version"] == VERSION
