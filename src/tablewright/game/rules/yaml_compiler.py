"""Compiler from the YAML of ledgers and data to JSON, which is faster to read.

`ledger.yaml` becomes `ledger.compiled.json` beside it, and so does every YAML file below a system's `data` folder. A
compiled file carries the digest of its source. If the digest differs or the compiled file is missing, `read_data` reads
the YAML itself; an edited ledger is never read in an old state.

YAML is read in a form that JSON can hold:

- the scalars of YAML 1.2: `true` and `false` are the only booleans (`yes`, `no`, `on`, `off` are text), there are no
  dates, no octal and no base-60 numbers;
- a key is always text, exactly as written: `4:` is "4", `0.5:` is "0.5", `true:` is "true", `on:` is "on";
- a key given twice, a key that is a list or a mapping, and a number that JSON cannot hold are errors with file and
  line.

>>> parse_yaml("{4: x, on: yes, true: 1.50}", "example")
{'4': 'x', 'on': 'yes', 'true': 1.5}

The build also runs this module on its own, so it imports nothing of the package.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

COMPILED_SUFFIX = ".compiled.json"
LEDGER_FILE = "ledger.yaml"


class YamlError(ValueError):
    """Unreadable data file; the message begins with file and line."""


def read_data(source: Path) -> Any:
    """Content of a YAML file, from its compiled form if that is up to date."""
    written = source.read_bytes()
    try:
        compiled = json.loads(compiled_path(source).read_bytes())
    except (FileNotFoundError, ValueError):
        compiled = None
    if isinstance(compiled, dict) and compiled.get("source") == _digest(written):
        return compiled["content"]
    return parse_yaml(written, str(source))


def compiled_path(source: Path) -> Path:
    """Path of the compiled form of `source`.

    >>> compiled_path(Path("mars/ledger.yaml")).name
    'ledger.compiled.json'
    """
    return source.with_name(source.stem + COMPILED_SUFFIX)


def compile_tree(systems: Path) -> list[Path]:
    """Compile changed files below the folder of systems, delete outputs without a source, return the files written."""
    sources = [*systems.glob(f"*/{LEDGER_FILE}"), *systems.glob("*/data/**/*.yaml")]
    wanted = {compiled_path(source) for source in sources}
    for left_over in systems.rglob(f"*{COMPILED_SUFFIX}"):
        if left_over not in wanted:
            left_over.unlink()
    return [compiled_path(source) for source in sorted(sources) if compile_file(source)]


def compile_file(source: Path) -> bool:
    """Compile one YAML file unless its output is up to date; return True if it was written."""
    written = source.read_bytes()
    target = compiled_path(source)
    digest = _digest(written)
    if target.exists() and target.read_bytes().startswith(f'{{"source":"{digest}",'.encode()):
        return False
    content = parse_yaml(written, str(source))
    compact = json.dumps(
        {"source": digest, "content": content}, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    _write_atomically(target, compact.encode())
    return True


def parse_yaml(text: str | bytes, name: str) -> Any:
    """Parse one YAML document by the rules of this module; `name` begins the error messages."""
    import yaml  # noqa: PLC0415  (costs more than reading all compiled ledgers)

    loader = _loader()(text)
    try:
        return loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise YamlError(f"{name}{line}: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError) as error:
        raise YamlError(f"{name}: {' '.join(str(error).split())}") from None
    finally:
        loader.dispose()


def _digest(written: bytes) -> str:
    return blake2b(written, digest_size=16).hexdigest()


def _write_atomically(target: Path, content: bytes) -> None:
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@cache
def _loader() -> type[yaml.SafeLoader]:
    import yaml  # noqa: PLC0415

    fast: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class PlainLoader(fast):  # type: ignore[valid-type, misc]
        """YAML 1.2 scalars, text keys, no duplicates."""

        yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}

    def construct_map(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key must be one word or number", problem_mark=key.start_mark)
            if key.value in result:
                raise yaml.MarkedYAMLError(problem=f'key "{key.value}" is given twice', problem_mark=key.start_mark)
            result[key.value] = loader.construct_object(value, deep=True)
        return result

    def construct_list(loader: yaml.SafeLoader, node: yaml.SequenceNode) -> list[Any]:
        return [loader.construct_object(item, deep=True) for item in node.value]

    def construct_float(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> float:
        number = float(node.value)
        if not math.isfinite(number):
            raise yaml.MarkedYAMLError(problem=f"{node.value} is too large", problem_mark=node.start_mark)
        return number

    tag = "tag:yaml.org,2002:"
    for name, pattern, first in (
        ("bool", r"true|false", "tf"),
        ("null", r"~|null|", ["~", "n", ""]),
        ("int", r"[-+]?(?:0|[1-9][0-9]{0,300})", "-+0123456789"),
        ("float", r"[-+]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)", "-+.0123456789"),
    ):
        PlainLoader.add_implicit_resolver(tag + name, re.compile(rf"(?:{pattern})\Z"), list(first))
    PlainLoader.add_constructor(tag + "map", construct_map)
    PlainLoader.add_constructor(tag + "seq", construct_list)
    PlainLoader.add_constructor(tag + "float", construct_float)
    return PlainLoader


def main() -> int:
    """Compile the systems of this installation: `python -m tablewright.game.rules.yaml_compiler`."""
    systems = Path(__file__).parents[2] / "systems"
    try:
        compile_tree(systems)
    except YamlError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
