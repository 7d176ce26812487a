"""Make a release, or say everything that is against it: `make release`.

Looked at are the version, the changelog, the locks and the notice; then a wheel is built, looked into, installed into a
fresh environment from the lock alone, and asked to serve the web page there, with nothing but Python on the path. Only
a wheel that does so is left in `dist/`. `--dry-run` looks at everything but the fresh environment, and leaves nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
ADDRESS = re.compile(r"://|^ *(?:-|--)(?:i|f|index|extra|find|trusted)|^ *\S+ @ |file:", re.MULTILINE)
SECONDS_TO_START = 180
WANTED = (
    *(f"tablewright/systems/{system}/ledger.compiled.json" for system in SYSTEMS),
    *(f"tablewright/systems/{system}/data/demo/even.compiled.json" for system in SYSTEMS),
    "tablewright/py.typed",
    "tablewright/server/web/index.html",
    "tablewright/table/migrations/env.py",
    "tablewright/table/migrations/versions/step_0001.py",
)


# ---------------------------------------------------------------------- what stands in files


def project(root: Path) -> dict[str, Any]:
    """The project's own description."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def version_problems(root: Path) -> list[str]:
    """The version stands in four places, is a version, and was not released before."""
    wanted = str(project(root)["project"]["version"])
    try:
        plain = str(Version(wanted)) == wanted and re.fullmatch(r"\d+\.\d+\.\d+", wanted) is not None
    except InvalidVersion:
        plain = False
    problems = [] if plain else [f'version: "{wanted}" is no version of three numbers, such as 0.2.0']
    package = (root / "src" / "tablewright" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.*)"$', package, re.MULTILINE)
    said = {"src/tablewright/__init__.py": found[1] if found else "none"}
    for name in ("package.json", "package-lock.json"):
        said[f"web/{name}"] = json.loads((root / "web" / name).read_text(encoding="utf-8")).get("version", "none")
    problems += [
        f"version: pyproject.toml says {wanted}, {name} says {other}" for name, other in said.items() if other != wanted
    ]
    if (root / ".git").exists():
        tagged = subprocess.run(["git", "tag", "--list", f"v{wanted}"], cwd=root, capture_output=True, check=False)
        problems += [f"version: {wanted} was released already (tag v{wanted})"] if tagged.stdout.strip() else []
    return problems


def changelog_problems(root: Path) -> list[str]:
    """The newest entry is this version's, dated, with what it does to recorded games; nothing is left unreleased."""
    wanted = str(project(root)["project"]["version"])
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    entries = {part.partition("\n")[0].strip(): part.partition("\n")[2] for part in parts}
    problems = []
    unreleased = entries.pop("Unreleased", "")
    if re.search(r"^- ", unreleased, re.MULTILINE):
        problems.append(f"changelog: there are lines under Unreleased; give them the heading {wanted} (year-month-day)")
    newest = next(iter(entries), "")
    if re.fullmatch(rf"{re.escape(wanted)} \(\d{{4}}-\d\d-\d\d\)", newest) is None:
        problems.append(f'changelog: the newest heading is "{newest or "none"}", not "{wanted} (year-month-day)"')
    elif not re.search(r"^Changes recorded games: (yes|no)", entries[newest], re.MULTILINE):
        problems.append(f'changelog: {wanted} does not say "Changes recorded games: yes" or "no"')
    elif not re.search(r"^- ", entries[newest], re.MULTILINE):
        problems.append(f"changelog: {wanted} names no change")
    return problems


def lock_problems(root: Path) -> list[str]:
    """Whatever the project asks for is pinned within its bounds, by hash and without an address."""
    told = project(root)
    run = [Requirement(line) for line in told["project"]["dependencies"]]
    dev = [Requirement(line) for line in told["dependency-groups"]["dev"]]
    problems: list[str] = []
    for name, wanted in (("run.lock", run), ("dev.lock", [*run, *dev])):
        text = (root / "requirements" / name).read_text(encoding="utf-8")
        pinned = {canonicalize_name(one): Version(at) for one, at in re.findall(r"^([\w.-]+)==([^\s;\\]+)", text, re.M)}
        if ADDRESS.search(text):
            problems.append(f"lock: requirements/{name} names an address")
        if text.count("==") and len(re.findall(r"^[\w.-]+==", text, re.M)) > len(re.findall(r"--hash=sha256:", text)):
            problems.append(f"lock: requirements/{name} has lines without a hash")
        for one in wanted:
            at = pinned.get(canonicalize_name(one.name))
            if at is None:
                problems.append(f"lock: requirements/{name} lacks {one.name}; make lock")
            elif at not in one.specifier:
                problems.append(f"lock: requirements/{name} has {one.name} {at}, wanted is {one.specifier}; make lock")
    return problems + _web_lock_problems(root)


def _web_lock_problems(root: Path) -> list[str]:
    asked = json.loads((root / "web" / "package.json").read_text(encoding="utf-8"))
    text = (root / "web" / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    problems = ["lock: web/package-lock.json names an address"] if '"resolved"' in text else []
    problems += [
        f"lock: web/package.json and its lock differ in {kind}; npm install --package-lock-only"
        for kind in ("dependencies", "devDependencies")
        if asked.get(kind, {}) != packages[""].get(kind, {})
    ]
    unsure = [name for name, one in packages.items() if name and not one.get("link") and "integrity" not in one]
    return problems + [f"lock: web/package-lock.json has {name} without a hash" for name in unsure]


def notice_problems(root: Path) -> list[str]:
    """The notice names every rule book with its source, author and licence; the licence is there and both go along."""
    text = (root / "NOTICE").read_text(encoding="utf-8")
    systems = list(project(root)["project"]["entry-points"]["tablewright.systems"])
    problems = []
    for system in systems:
        part = re.search(rf"^{system}\n((?:  .*\n?|\n(?=  ))+)", text, re.MULTILINE)
        missing = [word for word in ("Source:", "Author:", "Licence:") if part is None or word not in part[1]]
        problems += [f"notice: NOTICE does not say of {system} its {word.lower().rstrip(':')}" for word in missing]
    if not (root / "LICENSE").is_file():
        problems.append("notice: LICENSE is missing")
    if sorted(project(root)["project"].get("license-files", [])) != ["LICENSE", "NOTICE"]:
        problems.append("notice: LICENSE and NOTICE do not go into the wheel (license-files)")
    return problems


# ---------------------------------------------------------------------- the wheel


def build(root: Path, folder: Path, *kinds: str) -> list[Path]:
    """Build with what is in the environment already; nothing is downloaded."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    for kind in kinds:
        command += ["-t", kind]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    return sorted(folder.iterdir())


def wheel_problems(wheel: Path, version: str) -> list[str]:
    """Whether everything is inside that a fresh machine needs, and nothing that it does not."""
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        problems = [f"wheel: {name} is missing" for name in WANTED if name not in names]
        if "tablewright/server/web/index.html" in names:
            page = opened.read("tablewright/server/web/index.html").decode()
            asked = re.findall(r'(?:src|href)="/([^"]+)"', page)
            lost = [name for name in asked if f"tablewright/server/web/{name}" not in names]
            problems += [f"wheel: the page asks for {name}, which is missing" for name in lost]
            if not any(name.endswith(".js") for name in asked):
                problems.append("wheel: the page has no script")
    info = f"tablewright-{version}.dist-info"
    problems += [
        f"wheel: {name} is missing" for name in ("LICENSE", "NOTICE") if f"{info}/licenses/{name}" not in names
    ]
    strangers = [name for name in names if not name.startswith(("tablewright/", f"{info}/"))]
    return problems + [f"wheel: {name} does not belong there" for name in strangers[:5]]


def serving_problems(program: Sequence[str], environment: dict[str, str], folder: Path, *more: str) -> list[str]:
    """Start the program as a newcomer would, and open the page and its script."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*program, "serve", "--db", str(folder / "tables.db"), "--port", str(port), *more]
    with (folder / "errors").open("wb") as errors:
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=environment, cwd=folder)
        try:
            return _page_problems(f"http://127.0.0.1:{port}", running, folder / "errors")
        finally:
            running.send_signal(signal.SIGINT)
            try:
                running.wait(20)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()


def _page_problems(address: str, running: subprocess.Popen[bytes], errors: Path) -> list[str]:
    deadline = time.monotonic() + SECONDS_TO_START
    kind, page = "", ""
    while not kind:
        try:
            kind, page = _got(f"{address}/")
        except (urllib.error.URLError, ConnectionError):
            if running.poll() is not None or time.monotonic() > deadline:
                said = errors.read_text(errors="replace").strip().splitlines()
                return [f"wheel: the server does not start: {said[-1] if said else 'it says nothing'}"]
            time.sleep(0.2)
    scripts = re.findall(r'<script[^>]*src="(/[^"]+)"', page)
    if "html" not in kind or not scripts:
        return ["wheel: the server does not serve the web page; make web builds it before the wheel"]
    problems = []
    for script in scripts:
        try:
            kind, text = _got(f"{address}{script}")
        except urllib.error.HTTPError as refused:
            kind, text = str(refused.code), ""
        if "javascript" not in kind or not text:
            problems.append(f"wheel: the page's script {script} is not served")
    systems = [one["id"] for one in json.loads(_got(f"{address}/v1/systems")[1])["systems"]]
    if sorted(systems) != sorted(SYSTEMS):
        problems.append(f"wheel: the systems are {', '.join(systems)}")
    return problems


def _got(address: str) -> tuple[str, str]:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return str(answer.headers.get_content_type()), answer.read().decode()


def fresh_problems(root: Path, wheel: Path, folder: Path) -> list[str]:
    """Install the wheel into an environment of its own, from the lock alone, and serve there without Node."""
    place = folder / "fresh"
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for words in (["--require-hashes", "-r", str(root / "requirements" / "run.lock")], ["--no-deps", str(wheel)]):
        done = subprocess.run([*pip, *words], capture_output=True, text=True, check=False)
        if done.returncode:
            return [f"wheel: it cannot be installed: {done.stderr.strip().splitlines()[-1]}"]
    environment = {"PATH": str(place / "bin"), "HOME": str(folder)}
    if shutil.which("node", path=environment["PATH"]):
        return ["wheel: there is a Node in the fresh environment"]
    return serving_problems([str(place / "bin" / "tablewright")], environment, folder)


# ---------------------------------------------------------------------- all of it


def problems_of(root: Path) -> list[str]:
    """Everything that can be seen without building."""
    looks = (version_problems, changelog_problems, lock_problems, notice_problems)
    return [problem for look in looks for problem in look(root)]


def release(root: Path, *, dry_run: bool) -> list[str]:
    """Look at everything and, where nothing is against it, leave the files in dist/."""
    found = problems_of(root)
    version = str(project(root)["project"]["version"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = build(root, folder / "dist", "wheel", "sdist")
        wheel = next(path for path in built if path.suffix == ".whl")
        found += wheel_problems(wheel, version)
        if found or dry_run:
            return found
        found += fresh_problems(root, wheel, folder)
        if not found:
            (root / "dist").mkdir(exist_ok=True)
            for path in built:
                shutil.copy2(path, root / "dist" / path.name)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Say what is against it, or where the release lies."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--dry-run", action="store_true", help="look, install nothing and leave nothing")
    given = parser.parse_args(argv)
    os.environ.pop("PYTHONPATH", None)
    found = release(ROOT, dry_run=given.dry_run)
    for problem in found:
        sys.stderr.write(f"{problem}\n")
    if found:
        sys.stderr.write(f"no release: {len(found)} against it\n")
        return 1
    sys.stdout.write("nothing is against it\n" if given.dry_run else f"the release lies in {ROOT / 'dist'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
