"""The container file and the compose file: they name what is there, and their commands run without a container."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import yaml

from forked import Forked
from patience import LIMIT, wait_until
from server.serving import NO_CERTIFICATES, free_port
from table.postgres import Databases

ROOT = Path(__file__).parents[2]
CONTAINER = ROOT / "container" / "Containerfile"
COMPOSE = ROOT / "container" / "compose.yaml"
PAGE = (ROOT / "docs" / "internet.md").read_text(encoding="utf-8")
ADDRESS = "https://table.example.org"


def steps() -> list[tuple[str, str]]:
    """The instructions of the container file, each with what follows it on one line."""
    text = re.sub(r"^#.*\n", "", CONTAINER.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line.strip() for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in lines]


def step(name: str) -> str:
    """The instruction with a name, which stands there once."""
    (found,) = [rest for other, rest in steps() if other == name]
    return found


def compose() -> dict[str, Any]:
    """The compose file."""
    read: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return read


def names_a_host(image: str) -> bool:
    """True if the name of an image begins with the host of a registry."""
    first, slash, _ = image.partition("/")
    return bool(slash) and ("." in first or ":" in first or first == "localhost")


def test_no_host_is_pinned() -> None:
    assert names_a_host("registry.example.org/python:3.12")
    assert names_a_host("localhost:5000/python")
    services = compose()["services"]
    images = [step("FROM"), *[one["image"] for one in services.values() if "image" in one]]
    assert len(images) == 2
    for image in images:
        assert not names_a_host(image), image
        assert re.fullmatch(r"[a-z]+:[0-9.]+(-slim)?", image), "a name and a version"
    text = CONTAINER.read_text(encoding="utf-8") + COMPOSE.read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://([\w.-]+)", text))
    assert addresses <= {"127.0.0.1", "table.example.org"}
    assert not re.search(r"--(extra-)?index-url|--trusted-host|--find-links", text)


def test_every_file_that_is_named_exists() -> None:
    *sources, target = step("COPY").split()
    assert target == "/tmp/install/"
    assert sources == ["requirements/run.lock", "dist/*.whl"]
    assert (ROOT / sources[0]).is_file()
    assert "make release" in PAGE, "which leaves the wheel in dist/"
    build = compose()["services"]["table"]["build"]
    context = (COMPOSE.parent / build["context"]).resolve()
    assert context == ROOT
    assert context / build["dockerfile"] == CONTAINER


def test_the_pins_are_those_of_the_lock() -> None:
    """The first command of the container file, run by a shell: a constraint for each package of the lock, no hash."""
    command = step("RUN").partition("&&")[0].partition(">")[0].replace("/tmp/install/", f"{ROOT}/requirements/")
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    pins = [line.partition(";")[0].strip() for line in done.stdout.splitlines()]
    locked = (ROOT / "requirements" / "run.lock").read_text(encoding="utf-8")
    assert pins == re.findall(r"^([a-z0-9][^ ;\\]*==[^ ;\\]+)", locked, re.MULTILINE)
    assert {pin.partition("==")[0] for pin in pins} >= {"fastapi", "psycopg", "pillow", "uvicorn"}
    assert "hash" not in done.stdout


def test_the_parts_fit_each_other() -> None:
    table, database = compose()["services"]["table"], compose()["services"]["database"]
    port = step("EXPOSE")
    assert f"127.0.0.1:{port}/health" in step("HEALTHCHECK")
    assert table["ports"] == [f"127.0.0.1:{port}:{port}"], "the loopback alone; the proxy stands in front"
    assert table["depends_on"] == {"database": {"condition": "service_healthy"}}
    (network,) = compose()["networks"]["default"]["ipam"]["config"]
    assert table["environment"]["TABLE_PROXY"] == network["gateway"]
    user, secret, host, name = re.fullmatch(  # type: ignore[union-attr]
        r"postgresql://(\w+):(\$\{[^}]+\})@(\w+)/(\w+)", table["environment"]["TABLEWRIGHT_DB"]
    ).groups()
    own = database["environment"]
    assert (user, secret, name) == (own["POSTGRES_USER"], own["POSTGRES_PASSWORD"], own["POSTGRES_DB"])
    assert host in compose()["services"]
    wanted = set(re.findall(r"\$\{(\w+)", COMPOSE.read_text(encoding="utf-8")))
    assert wanted == {"POSTGRES_PASSWORD", "TABLE_ADDRESS"}
    assert all(f"export {one}=" in PAGE for one in wanted), "the page says what to set"
    (volume,) = database["volumes"]
    assert volume.partition(":")[0] in compose()["volumes"]
    used = set(re.findall(r"\$(\w+)", step("CMD")))
    assert used <= set(re.findall(r"(\w+)=", step("ENV"))), "each has a default"
    assert step("USER") != "root"


def test_its_command_serves_from_postgresql(databases: Databases, tmp_path: Path) -> None:
    """The command of the container, its health check and the commands of the page, with a PostgreSQL that is here."""
    port = free_port()
    command: list[str] = json.loads(step("CMD"))
    check: list[str] = json.loads(step("HEALTHCHECK").partition("CMD ")[2])
    command[-1] = command[-1].replace("tablewright serve", f"tablewright serve --port {port}")
    check[-1] = check[-1].replace(step("EXPOSE"), str(port))
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python").symlink_to(sys.executable)
    tablewright = programs / "tablewright"
    tablewright.write_text(f'#!/bin/sh\nexec {sys.executable} -m tablewright.cli "$@"\n', encoding="utf-8")
    tablewright.chmod(0o755)
    shell = Path(shutil.which("sh") or "/bin/sh").parent
    with databases.empty() as where:
        given = {"TABLEWRIGHT_DB": where, "TABLE_ADDRESS": ADDRESS, "TABLE_PROXY": "10.89.41.1"}
        here = {"PATH": f"{programs}{os.pathsep}{shell}", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "src")}

        def run(*words: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(words, env=here | given, cwd=tmp_path, capture_output=True, text=True, check=False)

        def printed(*words: str) -> str:
            """Run a command of the page beside the server; its output."""
            with (tmp_path / "printed").open("w") as file, Path(os.devnull).open() as nothing:
                streams = (nothing.fileno(), file.fileno(), 2)
                assert Forked(words, streams=streams, env=here | given, folder=tmp_path).wait() == 0
            return (tmp_path / "printed").read_text(encoding="utf-8")

        running = subprocess.Popen(command, env=here | given, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        assert running.stdout is not None
        try:
            said: list[str] = []
            for line in running.stdout:
                said.append(line)
                if line.startswith("stop with"):
                    break
            assert any(line.startswith("host ") and f"{ADDRESS}/#" in line for line in said), said
            wait_until(lambda: run(*check).returncode == 0, "the health check passes")
            page = httpx.get(
                f"http://127.0.0.1:{port}/", headers={"Host": ADDRESS.partition("://")[2]}, verify=NO_CERTIFICATES
            )
            assert page.status_code == 200
            printed("backup", "copy.db")
            assert (tmp_path / "copy.db").stat().st_size > 100_000
            assert printed("link", "--role", "host", "--address", ADDRESS).startswith(f"{ADDRESS}#")
            for words in ("tablewright backup", "tablewright link --role host --address"):
                assert words in PAGE
        finally:
            running.terminate()
            assert running.wait(LIMIT) == 0
            running.stdout.close()
        assert run(*check).returncode != 0, "nobody answers any more"
