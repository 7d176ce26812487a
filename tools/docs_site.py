"""Build the documentation site into `build/site`, without a network: `make docs`.

The pages of `docs/` are copied to `build/docs` with their links to other files redirected. Pages written from the
program itself are added: the rules, the mechanics, the library reference and the command line. mkdocs then builds the
site by `mkdocs.yml` and stops at a broken link.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType

from rules_pages import SYSTEMS, linked, write_rules

from tablewright.cli.program import run

ROOT = Path(__file__).parents[1]
PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "README.md",
    "bench/RESULTS.md": "measurements.md",
    "examples/bot.py": "examples/bot.md",
    "LICENSE": "licence.md",
    "NOTICE": "licence.md",
    **{f"src/tablewright/systems/{system}/README.md": f"systems/{system}-rulings.md" for system in SYSTEMS},
}
"""Files outside `docs/` that have a page of the site."""

COPIED = ("CHANGELOG.md", "CONTRIBUTING.md", "bench/RESULTS.md", *(name for name in PAGES if name.startswith("src/")))
LIBRARY = ("tablewright.engine", "tablewright.dice")
"""Further modules of the library reference; each documents the names in its `__all__`."""

SUBJECTS = {
    "Odds": (
        "odds",
        "Odds",
        "Chance",
        "roll",
        "Played",
        "replay",
        "advise",
        "Advice",
        "odds_table",
        "compare",
        "Table",
    ),
    "Characters": ("Character", "Check"),
    "Fights": ("Fight", "Option", "Turn", "policy", "Policy", "connect", "connect_async"),
    "Simulation": (
        "simulate",
        "Simulation",
        "Interval",
        "what_if",
        "Change",
        "balance",
        "Balance",
        "sweep",
        "Sweep",
    ),
    "Rules": ("rules", "rule", "system", "system_ids", "mechanic", "Mechanic", "Call", "d", "choose", "Role"),
    "Errors": ("TablewrightError", "BadInput", "RulesSayNo", "TooMuch"),
}
"""Public names of `tablewright` by subject, the most used first."""

LANDING = "---\nhide: [navigation]\n---\n\n"
"""Front matter of the first page."""

_LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")
_PIPE = re.compile(r"`[^`\n]*\\\|[^`\n]*`")
"""Code in a table with an escaped pipe, which Python-Markdown takes literally."""
_BLOCK = re.compile(r"^(```.*?^```$|    .*?$)", re.MULTILINE | re.DOTALL)


def redirect(text: str, origin: Path, page: Path) -> str:
    """Point the links of a file of the repository at pages of the site; a link to any other file becomes its text."""

    def link(found: re.Match[str]) -> str:
        target, mark, anchor = found["target"].partition("#")
        if "://" in target or not target:
            return found[0]
        path = Path(os.path.normpath(origin.parent / target)).as_posix()
        if path.startswith("docs/"):
            there = path.removeprefix("docs/")
        elif path in PAGES:
            there, mark, anchor = PAGES[path], "", ""
        else:
            return found["text"]
        return f"[{found['text']}]({os.path.relpath(there, page.parent)}{mark}{anchor})"

    return _PIPE.sub(lambda found: found[0].replace("\\|", "|"), _LINK.sub(link, text))


def outside_code(text: str, change: Mapping[str, str], *, up: str) -> str:
    """Link the ids of rules everywhere but in code blocks and headings."""
    parts = _BLOCK.split(text)
    lines = []
    for part in parts:
        if part.startswith(("```", "    ")):
            lines.append(part)
        else:
            lines.append(
                "\n".join([line if line.startswith("#") else linked(line, change, up=up) for line in part.split("\n")])
            )
    return "".join(lines)


def write_pages(folder: Path) -> None:
    """Write the sources of the whole site into an empty folder."""
    shutil.copytree(ROOT / "docs", folder)
    addresses = write_rules(folder)
    for origin in [*(ROOT / "docs").rglob("*.md"), *[ROOT / name for name in COPIED]]:
        inside = origin.relative_to(ROOT)
        page = Path(PAGES[str(inside)]) if str(inside) in PAGES else inside.relative_to("docs")
        text = redirect(origin.read_text(encoding="utf-8"), inside, page)
        text = outside_code(text, addresses, up="../" * (len(page.parts) - 1))
        _write(folder / page, LANDING + text if page.name == "README.md" else text)
    for name, text in _generated():
        _write(folder / name, text)
    shutil.copy(ROOT / "web" / "public" / "icon.svg", folder / "icon.svg")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _generated() -> Iterator[tuple[str, str]]:
    yield "reference/library.md", library_page()
    yield "reference/command-line.md", command_line_page()
    bot = (ROOT / "examples" / "bot.py").read_text(encoding="utf-8")
    yield "examples/bot.md", f"# A bot\n\n`examples/bot.py` plays a seat of a table.\n\n```python\n{bot}```\n"
    notice, licence = [(ROOT / name).read_text(encoding="utf-8") for name in ("NOTICE", "LICENSE")]
    yield "licence.md", f"# Licences\n\n```text\n{notice}```\n\n## Code\n\n```text\n{licence}```\n"


def library_page() -> str:
    """Reference of the public names of the library, taken from the modules themselves."""
    library = importlib.import_module("tablewright")
    lines = ["# Library reference", "", "`import tablewright as tw` loads each of these names on first use.", ""]
    lines += ["| subject | names |", "|---|---|"]
    for subject, names in SUBJECTS.items():
        links = ", ".join([f"[`{name}`](#{anchor(library, name)})" for name in names])
        lines.append(f"| [{subject}](#{subject.lower()}) | {links} |")
    lines += ["| [Inside](#tablewrightengine) | dice and the engine, for those who write rules |", ""]
    for subject, names in SUBJECTS.items():
        lines += [f"## {subject}", "", *_described(library, names)]
    for name in LIBRARY:
        module = importlib.import_module(name)
        summary = (module.__doc__ or "").strip().partition("\n")[0]
        lines += [f"## {name}", "", summary, "", *_described(module, sorted(public_names(module), key=str.casefold))]
    return "\n".join(lines)


def _described(module: ModuleType, names: Sequence[str]) -> Iterator[str]:
    """Lines that let mkdocstrings describe names of a module."""
    for name in names:
        where = defined_at(module, name)
        known = where.rpartition(".")[2]
        if known != name:
            yield from (f"### {name} {{#{module.__name__}.{name}}}", "", f"Name of `{known}` in the library.", "")
        yield from (f"::: {where}", "    options:", f"      heading_level: {3 if known == name else 4}", "")


def anchor(module: ModuleType, name: str) -> str:
    """Anchor of a name on the page of the library reference."""
    where = defined_at(module, name)
    return where if where.rpartition(".")[2] == name else f"{module.__name__}.{name}"


def public_names(module: ModuleType) -> list[str]:
    """Names that a module exports."""
    return [name for name in getattr(module, "__all__", ()) if not name.startswith("__")]


def defined_at(module: ModuleType, name: str) -> str:
    """Full name of an object at the place where it is defined; a plain value keeps the module that exports it."""
    value = getattr(module, name)
    where, called = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if isinstance(where, str) and isinstance(called, str) and where.startswith("tablewright"):
        return f"{where}.{called}"
    return f"{module.__name__}.{name}"


def command_line_page() -> str:
    """The help of every command."""
    os.environ |= {"COLUMNS": "88", "NO_COLOR": "1", "TERM": "dumb"}

    def told(*words: str) -> str:
        with redirect_stdout(StringIO()) as out:
            assert run([*words, "--help"]) == 0
        return out.getvalue().strip()

    overview = told()
    names = re.findall(r"^  (\w+)  ", overview.partition("Commands:")[2], re.MULTILINE)
    lines = ["# Command line", "", f"```text\n{overview}\n```", ""]
    for name in names:
        lines += [f"## {name}", "", f"```text\n{told(name)}\n```", ""]
    return "\n".join(lines)


def build(sources: Path, site: Path) -> None:
    """Build the site from sources that are written already; stop at a broken link."""
    config = ROOT / "mkdocs.yml"
    text = f"INHERIT: {config}\ndocs_dir: {sources}\nsite_dir: {site}\n"
    place = sources.with_name("mkdocs.yml")
    place.write_text(text, encoding="utf-8")
    environment = os.environ | {
        "NO_MKDOCS_2_WARNING": "true",
        "PYTHONPATH": f"{ROOT / 'tools'}{os.pathsep}{ROOT / 'src'}",
    }
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(place)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Build the site."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site", help="folder of the site")
    given = parser.parse_args(argv)
    site = given.output.resolve()
    sources = site.with_name("docs")
    shutil.rmtree(sources, ignore_errors=True)
    write_pages(sources)
    try:
        build(sources, site)
    except subprocess.CalledProcessError:
        return 1
    sys.stdout.write(f"the documentation is in {site}; to read it: python3 -m http.server --directory {site}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
