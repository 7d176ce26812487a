"""YAML and JSON documents with the line and column of every value, for error messages.

YAML is read as in `rules.yaml_compiler` (YAML 1.2 scalars, keys are text as written). Aliases, anchors, tags and
duplicate keys are refused. Size, depth and number of values are bounded. The error for a file lists all problems at
once.

>>> document = parse_document("name: Ann\\nskills:\\n  climb: four\\n", "ann.yaml")
>>> document.value
{'name': 'Ann', 'skills': {'climb': 'four'}}
>>> document.at(("skills", "climb"))
'ann.yaml:3'
>>> document.place(("skills", "climb"))
Place(line=3, column=10)
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias

from tablewright.errors import InvalidInputError, ProblemListError

MOST_BYTES = 4 * 1024 * 1024
MOST_DEPTH = 40
MOST_VALUES = 200_000
MOST_PROBLEMS = 50
MOST_DIGITS = 300

Format: TypeAlias = Literal["yaml", "json"]
Step: TypeAlias = str | int
SUFFIXES: dict[str, Format] = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_BROKEN = re.compile(r"[-+]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)\Z")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "~": None, "": None}


class Place(NamedTuple):
    """Line and column in a file, both counted from 1."""

    line: int
    column: int


class _Node:
    """Place of a value and, for a mapping or list, of the values inside."""

    __slots__ = ("inside", "place")

    def __init__(self, place: Place, inside: dict[str, _Node] | list[_Node] | None = None) -> None:
        self.place = place
        self.inside = inside


class Document:
    """Content of a file as plain data, with the place of every value.

    `place` returns the start of a value, or of its key if the value starts on a later line. For a path that does not
    exist it returns the place of the nearest existing parent, which is where a missing field is reported.
    """

    __slots__ = ("_root", "name", "value")

    def __init__(self, name: str, value: Any, root: _Node | None = None) -> None:
        self.name = name
        self.value = value
        self._root = root

    def with_value(self, value: Any) -> Document:
        """Copy with changed content and the same places."""
        return Document(self.name, value, self._root)

    def place(self, path: Iterable[Step]) -> Place:
        """Line and column of the value at a path."""
        node = self._root or _Node(Place(1, 1))
        for step in path:
            inside = node.inside
            if isinstance(inside, dict) and str(step) in inside:
                node = inside[str(step)]
            elif isinstance(inside, list) and isinstance(step, int) and 0 <= step < len(inside):
                node = inside[step]
            # skip steps that a validator adds to a path, such as the branch of a union
        return node.place

    def at(self, path: Iterable[Step]) -> str:
        """The place as text for a message; the bare name if the content comes from no file."""
        return f"{self.name}:{self.place(path).line}" if self._root else self.name

    def __repr__(self) -> str:
        return f"<Document {self.name}>"


def format_of(path: Path) -> Format:
    """Format of a file, by its suffix.

    >>> format_of(Path("ann.txt"))
    Traceback (most recent call last):
    tablewright.errors.InvalidInputError: ann.txt: a file name ends in .yaml, .yml or .json
    """
    try:
        return SUFFIXES[path.suffix.lower()]
    except KeyError:
        raise InvalidInputError(f"{path.name}: a file name ends in .yaml, .yml or .json") from None


def read_document(path: Path, *, most_bytes: int = MOST_BYTES) -> Document:
    """Read a YAML or JSON file; the suffix decides the format."""
    kind = format_of(path)
    try:
        if not path.is_file():  # reading a device or a pipe would never end
            raise InvalidInputError(f"{path}: there is no such file" if not path.exists() else f"{path} is not a file")
        with path.open("rb") as file:
            written = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return parse_document(written, str(path), kind, most_bytes=most_bytes)


def parse_document(
    written: str | bytes, name: str = "text", kind: Format = "yaml", *, most_bytes: int = MOST_BYTES
) -> Document:
    """Parse YAML or JSON text; `name` begins every message.

    >>> parse_document("a: 1\\na: &x 2\\nb: *x\\n", "pack.yaml")
    Traceback (most recent call last):
    tablewright.errors.ProblemListError: pack.yaml:2: key "a" is given twice
    pack.yaml:2: anchors (&x) are not allowed
    pack.yaml:3: aliases (*x) are not allowed
    """
    if len(written) > most_bytes:
        raise InvalidInputError(f"{name}: larger than {most_bytes:,} bytes")
    raw = written if isinstance(written, bytes) else written.encode(errors="surrogatepass")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{name}: not UTF-8 text: {error.reason} at byte {error.start}") from None
    reader = _YamlReader(name) if kind == "yaml" else _JsonReader(name)
    value, root = reader.read(text.removeprefix("\ufeff"))
    if reader.problems:
        raise ProblemListError(reader.problems)
    return Document(name, value, root)


def parse_value(text: str, name: str = "text") -> Any:
    """Value of JSON text that a program wrote: what `parse_document` reads, many times faster and without the places.

    Text that may be refused is left to `parse_document`, which words the problem.

    >>> parse_value('{"grit": 4, "luck": [0.5, null]}')
    {'grit': 4, 'luck': [0.5, None]}
    >>> parse_value('{"grit": 4, "grit": 5}', "ann.json")
    Traceback (most recent call last):
    tablewright.errors.ProblemListError: ann.json:1: key "grit" is given twice
    """
    if len(text) <= MOST_BYTES and not _DOUBTFUL.search(text) and sum(map(text.count, ",[{")) < MOST_VALUES:
        with suppress(ValueError, RecursionError):
            value = json.loads(text, object_pairs_hook=_unique, parse_float=_finite, parse_constant=_finite)
            if not _is_deeper(value, MOST_DEPTH):
                return value
    return parse_document(text, name, "json").value


_DOUBTFUL = re.compile(rf"\\ud|[\ud800-\udfff]|[0-9]{{{MOST_DIGITS}}}", re.IGNORECASE)
"""Halves of surrogate pairs, which are no characters, and numbers that may be too long."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a ValueError where a key is given twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _finite(text: str) -> float:
    """A number; a ValueError where it is too large for one, or none."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def _is_deeper(value: Any, most: int) -> bool:
    """Tell whether values are nested deeper than allowed."""
    level = [value]
    for _ in range(most):
        inside: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                inside += one.values()
            elif isinstance(one, list):
                inside += one
        if not inside:
            return False
        level = inside
    return True


class _Reader:
    """Problems and bounds, shared by both formats."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[str] = []
        self.values = 0

    def read(self, text: str) -> tuple[Any, _Node]:
        raise NotImplementedError

    def note(self, place: Place, problem: str) -> None:
        """Record a problem and go on; stop after too many."""
        self.problems.append(f"{self.name}:{place.line}: {problem}")
        if len(self.problems) >= MOST_PROBLEMS:
            raise ProblemListError([*self.problems, f"{self.name}: and perhaps more"])

    def stop(self, place: Place, problem: str) -> NoReturn:
        """Report a problem after which reading cannot go on."""
        raise ProblemListError([*self.problems, f"{self.name}:{place.line}: {problem}"])

    def count(self, place: Place, depth: int) -> None:
        """Count a value and check the bounds."""
        self.values += 1
        if self.values > MOST_VALUES:
            self.stop(place, f"more than {MOST_VALUES:,} values")
        if depth > MOST_DEPTH:
            self.stop(place, f"nested more than {MOST_DEPTH} deep")

    def number(self, text: str, place: Place) -> int | float:
        """Parse a number of bounded size that JSON can hold."""
        if _WHOLE.match(text):
            if len(text) > MOST_DIGITS:
                self.note(place, f"a number of {len(text)} digits is too long")
                return 0
            return int(text)
        number = float(text)
        if not math.isfinite(number):
            self.note(place, f"{text[:40]} is too large")
            return 0.0
        return number


class _YamlReader(_Reader):
    """Builds data and places from the events of the YAML parser, without recursion."""

    def read(self, text: str) -> tuple[Any, _Node]:
        import yaml  # noqa: PLC0415  (slow to import)

        top: list[Any] = []
        root: list[_Node] = []
        frames: list[_Frame] = [_Frame(top, root)]
        documents = 0
        parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            for event in yaml.parse(text, Loader=parser):
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    if documents > 1:
                        self.stop(_place(event), "a second document begins; a file holds one")
                elif isinstance(event, yaml.CollectionEndEvent):
                    frames.pop()
                elif isinstance(event, yaml.NodeEvent):
                    self._node(event, frames)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)
            self.stop(place, str(error.problem or error.context))
        except yaml.reader.ReaderError as error:  # this error has a position in the text but no line
            line = text.count("\n", 0, error.position if isinstance(error.position, int) else 0) + 1
            self.stop(Place(line, 1), str(error.reason))
        return (top[0], root[0]) if top else (None, _Node(Place(1, 1)))

    def _node(self, event: Any, frames: list[_Frame]) -> None:
        import yaml  # noqa: PLC0415

        place = _place(event)
        self.count(place, len(frames))
        if isinstance(event, yaml.AliasEvent):
            self.note(place, f"aliases (*{event.anchor}) are not allowed")
            frames[-1].put(None, _Node(place), self)
            return
        if event.anchor:
            self.note(place, f"anchors (&{event.anchor}) are not allowed")
        if event.tag:
            self.note(place, f"tags ({event.tag}) are not allowed")
        if isinstance(event, yaml.ScalarEvent):
            plain = not event.style and not frames[-1].wants_key
            value = self._scalar(event.value, place) if plain else event.value
            frames[-1].put(value, _Node(place), self)
            return
        if frames[-1].wants_key:
            self.stop(place, "a key must be one word or number")
        content: Any
        inside: Any
        if isinstance(event, yaml.MappingStartEvent):
            content, inside = {}, {}
        else:
            content, inside = [], []
        frames[-1].put(content, _Node(place, inside), self)
        frames.append(_Frame(content, inside))

    def _scalar(self, text: str, place: Place) -> Any:
        if text in _WORDS:
            return _WORDS[text]
        return self.number(text, place) if _WHOLE.match(text) or _BROKEN.match(text) else text


class _Frame:
    """A mapping or list being read."""

    __slots__ = ("content", "inside", "key")

    def __init__(self, content: Any, inside: Any) -> None:
        self.content = content
        self.inside = inside
        self.key: tuple[str, Place] | None = None

    @property
    def wants_key(self) -> bool:
        return isinstance(self.content, dict) and self.key is None

    def put(self, value: Any, node: _Node, reader: _Reader) -> None:
        if isinstance(self.content, list):
            self.content.append(value)
            self.inside.append(node)
        elif self.key is None:
            self.key = (str(value), node.place)
            if value in self.content:
                reader.note(node.place, f'key "{value:.60}" is given twice')
        else:
            name, place = self.key
            self.key = None
            node.place = node.place if node.place.line == place.line else place
            self.content[name] = value
            self.inside[name] = node


def _place(event: Any) -> Place:
    return Place(event.start_mark.line + 1, event.start_mark.column + 1)


class _JsonReader(_Reader):
    """JSON reader with places; strings are left to the standard library."""

    _space = re.compile(r"[ \t\r\n]*")
    _number = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")

    def read(self, text: str) -> tuple[Any, _Node]:
        self.text = text
        self.starts = [0, *[found.end() for found in re.finditer("\n", text)]]
        self.line = 0
        value, node, end = self._value(self._skip(0), 1)
        end = self._skip(end)
        if end < len(text):
            self.stop(self._at(end), "something stands after the end of the JSON value")
        return value, node

    def _at(self, position: int) -> Place:
        """Place of a position; positions must not decrease, which makes all calls together linear."""
        while self.line + 1 < len(self.starts) and self.starts[self.line + 1] <= position:
            self.line += 1
        return Place(self.line + 1, position - self.starts[self.line] + 1)

    def _skip(self, position: int) -> int:
        found = self._space.match(self.text, position)
        return found.end() if found else position

    def _value(self, start: int, depth: int) -> tuple[Any, _Node, int]:
        place = self._at(start)
        self.count(place, depth)
        first = self.text[start : start + 1]
        if first == "{":
            return self._object(start, place, depth)
        if first == "[":
            return self._array(start, place, depth)
        if first == '"':
            value, end = self._text(start)
            return value, _Node(place), end
        for word, constant in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, start):
                return constant, _Node(place), start + len(word)
        number = self._number.match(self.text, start)
        if number is None:
            self.stop(place, f"a JSON value is expected, not {self.text[start : start + 20]!r}" if first else "it ends")
        return self.number(number.group(), place), _Node(place), number.end()

    def _text(self, start: int) -> tuple[str, int]:
        place = self._at(start)
        try:
            value, end = json.JSONDecoder().raw_decode(self.text, start)
            value.encode()
        except json.JSONDecodeError as error:
            self.stop(place, error.msg)
        except UnicodeError:
            self.stop(place, "half of a surrogate pair is not a character")
        return value, end

    def _object(self, start: int, place: Place, depth: int) -> tuple[Any, _Node, int]:
        value: dict[str, Any] = {}
        inside: dict[str, _Node] = {}
        end = self._skip(start + 1)
        while not self._closed(end, "}", bool(value)):
            if value:
                end = self._skip(end + 1)
            if self.text[end : end + 1] != '"':
                self.stop(self._at(end), "a key in quotation marks is expected")
            key_place = self._at(end)
            key, end = self._text(end)
            if key in value:
                self.note(key_place, f'key "{key:.60}" is given twice')
            end = self._skip(end)
            if self.text[end : end + 1] != ":":
                self.stop(self._at(end), 'a ":" is expected')
            value[key], node, end = self._value(self._skip(end + 1), depth + 1)
            node.place = node.place if node.place.line == key_place.line else key_place
            inside[key] = node
            end = self._skip(end)
        return value, _Node(place, inside), end + 1

    def _array(self, start: int, place: Place, depth: int) -> tuple[Any, _Node, int]:
        value: list[Any] = []
        inside: list[_Node] = []
        end = self._skip(start + 1)
        while not self._closed(end, "]", bool(value)):
            item, node, end = self._value(self._skip(end + 1) if value else end, depth + 1)
            value.append(item)
            inside.append(node)
            end = self._skip(end)
        return value, _Node(place, inside), end + 1

    def _closed(self, position: int, closing: str, begun: bool) -> bool:
        here = self.text[position : position + 1]
        if here == closing:
            return True
        if begun and here != ",":
            self.stop(self._at(position), f'a "," or "{closing}" is expected')
        return False


# ---------------------------------------------------------------------- writing


def dump_document(value: Any, kind: Format) -> str:
    """Dump plain data as text that reads back as the same data in the same order.

    >>> print(dump_document({"name": "Ann", "code": "1e5", "skills": {"climb": 4}}, "yaml"), end="")
    name: Ann
    code: "1e5"
    skills:
      climb: 4
    """
    if kind == "json":
        return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    import yaml  # noqa: PLC0415

    class Dumper(yaml.SafeDumper):
        """Dumper that quotes text which would read back as another type, and never writes an alias."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            super().increase_indent(flow, False)

    def text(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
        style = None
        if "\n" in data and _is_block(data):
            style = "|"
        elif data in _WORDS or _WHOLE.match(data) or _BROKEN.match(data) or not data.isprintable():
            style = '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)

    Dumper.add_representer(str, text)
    return yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100)


def _is_block(text: str) -> bool:
    """True if text can be a literal block below its key."""
    return text[0] not in " \n" and all(line == line.strip() and line.isprintable() for line in text.split("\n"))


# ---------------------------------------------------------------------- values in messages


def quote(value: object) -> str:
    """Short form of a value for a message; for a mapping or list only the type.

    >>> quote("four"), quote(4), quote(None), quote([1, 2])
    ('"four"', '4', 'nothing', 'a list')
    >>> print(quote("two" + chr(133) + "lines"))
    "two\\u0085lines"
    """
    if isinstance(value, str):
        quoted = json.dumps(value if len(value) <= 60 else value[:57] + "...", ensure_ascii=False)
        return "".join([sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in quoted])
    if value is None:
        return "nothing"
    if isinstance(value, bool | int | float):
        text = json.dumps(value)
        return text if len(text) <= 60 else text[:57] + "..."
    return {"dict": "a mapping", "list": "a list"}.get(type(value).__name__, f"a {type(value).__name__}")


def dotted(path: Sequence[Step]) -> str:
    """Format a path for people.

    >>> dotted(("belongings", 0, "count"))
    'belongings[0].count'
    """
    return "".join(_steps(path))


def _steps(path: Sequence[Step]) -> Iterator[str]:
    for position, step in enumerate(path):
        if isinstance(step, int):
            yield f"[{step}]"
        else:
            yield f".{step}" if position else step
