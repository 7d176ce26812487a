"""Build a release into `dist/`, or list every problem that prevents it: `make release`.

The version, the changelog, the locks and the notice are checked first. Then a wheel is built, its contents are checked,
and it is installed alone and with each extra into a fresh environment with nothing but Python on the path, where it is
tried. `--dry-run` checks everything but the fresh environments and writes nothing.
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
from typing import Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
ADDRESS = re.compile(r"://|^ *(?:-|--)(?:i|f|index|extra|find|trusted)|^ *\S+ @ |file:", re.MULTILINE)
SECONDS_TO_START = 180
MOST_PACKAGES = 15
MOST_MEGABYTES = 35
"""Upper bounds for an install without extras."""

WANTED = (
    *(f"tablewright/systems/{system}/ledger.compiled.json" for system in SYSTEMS),
    *(f"tablewright/systems/{system}/data/demo/even.compiled.json" for system in SYSTEMS),
    "tablewright/py.typed",
    "tablewright/server/web/index.html",
    "tablewright/table/migrations/env.py",
    "tablewright/table/migrations/versions/step_0001.py",
)


class Smoke(NamedTuple):
    """A command tried in every fresh environment, its exit status and a text that it prints."""

    words: str
    prints: str
    status: int = 0
    extras: tuple[str, ...] = ()
    """Extras any of which it needs; without them the command exits with 2 and names one to install."""


SMOKE = (
    Smoke("odds 4d6kh3", "mean"),
    Smoke("simulate mars:even --runs 2 --seed 1 --json", '"fights": 2'),
    Smoke("odds 2d6 --output odds.png", "odds.png", extras=("plot", "all")),
    Smoke("simulate mars:even --cluster tcp://127.0.0.1:1", "no cluster answers", 2, ("cluster", "all")),
    Smoke("verify nothing.db", "nothing.db", 2, ("server", "postgres", "all")),
    Smoke("verify postgresql://127.0.0.1:1/tables", "cannot be reached", 2, ("postgres", "all")),
    Smoke("mcp", "", extras=("mcp", "agents", "all")),
)


class Snippet(NamedTuple):
    """Python code tried in every fresh environment; without one of its extras it names the first to install."""

    code: str
    extras: tuple[str, ...]


SNIPPETS = (
    Snippet(
        "import tablewright; tablewright.connect('http://127.0.0.1:1/#token')",
        ("live", "server", "postgres", "mcp", "agents", "all"),
    ),
    Snippet("from tablewright import agents; agents.env('mars:even').reset(seed=1)", ("rl", "agents", "all")),
)


# ---------------------------------------------------------------------- what stands in files


def project(root: Path) -> dict[str, Any]:
    """The project's own description."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def version_problems(root: Path) -> list[str]:
    """Problems of the version: invalid, different in one of four places, or released before."""
    wanted = str(project(root)["project"]["version"])
    try:
        plain = str(Version(wanted)) == wanted and re.fullmatch(r"\d+\.\d+\.\d+", wanted) is not None
    except InvalidVersion:
        plain = False
    problems = [] if plain else [f'version: "{wanted}" is no version of three numbers, such as 0.2.0']
    package = (root / "src" / "tablewright" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.*)"$', package, re.MULTILINE)
    said = {"src/tablewright/version.py": found[1] if found else "none"}
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
    """Problems of the changelog: lines under Unreleased, or no dated entry for this version that names its changes."""
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
    """Problems of the locks: a requirement that is missing or out of bounds, a line without a hash, an address."""
    told = project(root)
    extras = [line for lines in told["project"]["optional-dependencies"].values() for line in lines]
    run = [Requirement(line) for line in [*told["project"]["dependencies"], *extras]]
    run = [one for one in run if one.name != told["project"]["name"]]
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
    """Problems of the notice: a rule book without source, author or licence, or a licence that is not packaged."""
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
    """Build packages with what is installed; nothing is downloaded."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    for kind in kinds:
        command += ["-t", kind]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    return sorted(folder.iterdir())


def wheel_problems(wheel: Path, version: str) -> list[str]:
    """Problems of a wheel: files that a fresh machine needs and that are missing, and files that do not belong."""
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
    """Problems of starting the server and loading the web page and its script."""
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


def installed(root: Path, wheel: Path, extra: str, place: Path) -> list[str]:
    """Install the wheel with an extra into an environment of its own, in the versions of the lock."""
    lock = root / "requirements" / "run.lock"
    pins = place.with_suffix(".pins")
    pins.write_text(
        "\n".join(re.findall(r"^[\w.-]+==[^\\\n]+", lock.read_text(encoding="utf-8"), re.M)), encoding="utf-8"
    )
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python"), "--disable-pip-version-check"]
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    steps = [["--constraint", str(pins), wanted]]
    if extra == "all":  # everything at once is also checked by hash
        steps.insert(0, ["--require-hashes", "-r", str(lock)])
    for words in steps:
        done = subprocess.run([*pip, "install", "--quiet", *words], capture_output=True, text=True, check=False)
        if done.returncode:
            return [f"wheel[{extra}]: cannot be installed: {done.stderr.strip().splitlines()[-1]}"]
    return []


def size_of(place: Path) -> tuple[int, float]:
    """Number of packages in an environment, and megabytes of their files without compiled bytecode."""
    (packages,) = place.glob("lib/python*/site-packages")
    files = [path for path in packages.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return len(list(packages.glob("*.dist-info"))), sum(path.stat().st_size for path in files) / 1e6


def fresh_problems(root: Path, wheel: Path, folder: Path) -> list[str]:
    """Install the wheel alone and with each extra into a fresh environment without Node, and try each there."""
    problems = []
    extras = list(project(root)["project"]["optional-dependencies"])
    for extra in ("", *extras):
        place = folder / f"fresh-{extra or 'base'}"
        problems += installed(root, wheel, extra, place) or tried(extra, place, folder)
        count, size = size_of(place)
        sys.stdout.write(f"tablewright{f'[{extra}]' if extra else ''}: {count} packages, {size:.0f} MB\n")
        if not extra and (count > MOST_PACKAGES or size > MOST_MEGABYTES):
            problems.append(
                f"wheel: the base install has {count} packages and {size:.0f} MB, "
                f"at most {MOST_PACKAGES} and {MOST_MEGABYTES} are allowed"
            )
        shutil.rmtree(place)
    return problems


def tried(extra: str, place: Path, folder: Path) -> list[str]:
    """Use what an extra installs; without it, see that the program names the extra."""
    environment = {"PATH": str(place / "bin"), "HOME": str(folder)}
    program = str(place / "bin" / "tablewright")
    problems = []
    for smoke in SMOKE:
        words = [program, *smoke.words.split()]
        done = subprocess.run(
            words, env=environment, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        status, prints = smoke.status, smoke.prints
        if smoke.extras and extra not in smoke.extras:
            status, prints = 2, 'pip install "tablewright['
        if done.returncode != status or prints not in done.stdout + done.stderr:
            told = (done.stderr or done.stdout).strip()[-200:]
            problems.append(f"wheel[{extra}]: {smoke.words} exits {done.returncode}: {told}")
        (folder / "odds.png").unlink(missing_ok=True)
    for snippet in SNIPPETS:
        words = [str(place / "bin" / "python"), "-c", snippet.code]
        told = subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True, check=False).stderr
        if (f'pip install "tablewright[{snippet.extras[0]}]"' in told) is (extra in snippet.extras):
            problems.append(f"wheel[{extra}]: {snippet.code} says: {told.strip()[-200:]}")
    if extra in ("server", "all"):
        problems += serving_problems([program], environment, folder)
    return problems


# ---------------------------------------------------------------------- all of it


def problems_of(root: Path) -> list[str]:
    """Problems that can be found without building."""
    looks = (version_problems, changelog_problems, lock_problems, notice_problems)
    return [problem for look in looks for problem in look(root)]


def release(root: Path, *, dry_run: bool) -> list[str]:
    """Check everything and, without a problem, leave the files in dist/; return the problems."""
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
    """Print the problems, or the place of the release."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--dry-run", action="store_true", help="check only; install and write nothing")
    given = parser.parse_args(argv)
    os.environ.pop("PYTHONPATH", None)
    found = release(ROOT, dry_run=given.dry_run)
    for problem in found:
        sys.stderr.write(f"{problem}\n")
    if found:
        sys.stderr.write(f"no release: {len(found)} problems\n")
        return 1
    sys.stdout.write("no problems found\n" if given.dry_run else f"the release is in {ROOT / 'dist'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
