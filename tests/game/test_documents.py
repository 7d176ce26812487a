"""YAML and JSON documents: positions in error messages, limits and hostile input."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_case import each_case
from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.files import documents
from tablewright.game.files.documents import (
    Format,
    Place,
    dotted,
    dump_document,
    format_of,
    parse_document,
    parse_value,
    quote,
    read_document,
)
from tablewright.game.rules.yaml_compiler import parse_yaml

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
tricky = st.sampled_from(
    ["1e5", "1.5e5", "yes", "no", "on", "true", "null", "~", "", "0x1F", "0o7", "1_000", "12:30:45", "2024-01-01", ".5",
     "+3", "-", "- a", "a: b", "#x", "&a", "*a", "!t", "{", "[", "%", "@", "|", ">", "'", '"', "<<", "=", "a\nb", "a\n",
     "\na", " a", "a ", "a\n\n  b\n", "\t", "\x85", "\u2028", "\ufeff", "\x00", "\x7f", "007", "1.", "NaN", ".inf"]
)  # fmt: skip
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text | tricky
plain = st.recursive(
    scalars,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(text | tricky, inside, max_size=4),
    max_leaves=20,
)


@given(plain, st.sampled_from(["yaml", "json"]))
def test_written_values_read_back_exactly(value: Any, kind: Format) -> None:
    back = parse_document(dump_document(value, kind), "x", kind).value
    assert back == value
    assert json.dumps(back) == json.dumps(value)


@given(plain)
def test_values_are_parsed_fast_or_with_places_alike(value: Any) -> None:
    for written in (json.dumps(value), dump_document(value, "json")):
        assert json.dumps(parse_value(written)) == json.dumps(value)


@given(plain)
def test_yaml_is_understood_as_the_ledgers_are(value: Any) -> None:
    written = dump_document(value, "yaml")
    assert parse_document(written).value == parse_yaml(written, "x")


@each_case("scalar", ["1e5", "yes", "0o17", "1_000", "12:30", "2024-01-01", "007", "+3", ".5", "~", "Null"])
def test_bare_words_are_understood_as_the_ledgers_are(scalar: str) -> None:
    written = f"{scalar}: {scalar}\n"
    assert parse_document(written).value == parse_yaml(written, "x")


@given(plain)
def test_every_value_of_a_json_file_has_its_line(value: Any) -> None:
    written = json.dumps({"first": 1, "value": value}, indent=1)
    document = parse_document(written, "x", "json")
    lines = written.splitlines()

    def walk(value: Any, path: tuple[str | int, ...]) -> None:
        line = lines[document.place(path).line - 1].strip()
        if path and isinstance(path[-1], str):
            assert line.startswith(json.dumps(path[-1]))
        if isinstance(value, dict):
            for name, part in value.items():
                walk(part, (*path, name))
        elif isinstance(value, list):
            for position, part in enumerate(value):
                walk(part, (*path, position))

    walk({"first": 1, "value": value}, ())


def test_places_of_yaml() -> None:
    document = parse_document(
        "name: Ann\nbelongings:\n  - item: rope\n    count: 0\n  - {item: hat}\nnotes: |\n  a\n", "a.yaml"
    )
    assert document.place(()) == Place(1, 1)
    assert document.place(("name",)) == Place(1, 7)
    assert document.place(("belongings",)) == Place(2, 1)  # its value begins on a later line
    assert document.place(("belongings", 0, "count")) == Place(4, 12)
    assert document.place(("belongings", 1, "item")) == Place(5, 12)
    assert document.place(("notes",)).line == 6
    assert document.at(("belongings", 1, "nothing", "there")) == "a.yaml:5"
    assert document.place(("belongings", "union branch", 0, "count")) == Place(4, 12)
    assert document.with_value({}).at(("name",)) == "a.yaml:1"


def test_places_of_json() -> None:
    document = parse_document('{"a":\n  1, "b": [\n 2], "c": 3}', "a.json", "json")
    assert document.place(("a",)) == Place(1, 2)  # its value begins on a later line
    assert document.place(("b",)) == Place(2, 11)
    assert document.place(("b", 0)) == Place(3, 2)
    assert document.place(("c",)) == Place(3, 11)


@each_case(
    ("written", "kind", "problem"),
    [
        ("a: 1\nb: [1\n", "yaml", "x:3: "),
        ("a: 1\na: 2\n", "yaml", 'x:2: key "a" is given twice'),
        ("1: 1\n'1': 2\n", "yaml", 'x:2: key "1" is given twice'),
        (
            "a: !!python/object/apply:os.system [x]\n",
            "yaml",
            "x:1: tags (tag:yaml.org,2002:python/object/apply:os.system)",
        ),
        ("a: !!str 4\n", "yaml", "x:1: tags (tag:yaml.org,2002:str) are not allowed"),
        ("a: &b 1\n", "yaml", "x:1: anchors (&b) are not allowed"),
        ("a: *b\n", "yaml", "x:1: aliases (*b) are not allowed"),
        ("*b : 1\n", "yaml", "x:1: aliases (*b) are not allowed"),
        ("? [a]\n: 1\n", "yaml", "x:1: a key must be one word or number"),
        ("a: 1\n---\nb: 1\n", "yaml", "x:2: a second document begins"),
        ("a: 1e999\n", "yaml", "x:1: 1e999 is too large"),
        ("a: \x07\n", "yaml", "x:1: "),
        ("a: " + "[" * 50 + "]" * 50, "yaml", "x:1: nested more than 40 deep"),
        ("a: " + "9" * 400, "yaml", "x:1: a number of 400 digits is too long"),
        ("", "json", "x:1: it ends"),
        ('{"a": 1, "a": 2}', "json", 'x:1: key "a" is given twice'),
        ('{"a": 1,\n}', "json", "x:2: a key in quotation marks is expected"),
        ('{"a" 1}', "json", 'x:1: a ":" is expected'),
        ('{"a": 1 "b": 2}', "json", 'x:1: a "," or "}" is expected'),
        ("[1, 2", "json", 'x:1: a "," or "]" is expected'),
        ("[1,\n2,]", "json", "x:2: a JSON value is expected, not ']'"),
        ("[NaN]", "json", "x:1: a JSON value is expected, not 'NaN]'"),
        ("[1e999]", "json", "x:1: 1e999 is too large"),
        ("[" + "9" * 400 + "]", "json", "x:1: a number of 400 digits"),
        ("[01]", "json", 'x:1: a "," or "]" is expected'),
        ('["a\nb"]', "json", "x:1: Invalid control character at"),
        ('["\\ud800"]', "json", "x:1: half of a surrogate pair"),
        ('["\ud800"]', "json", "x: not UTF-8 text"),
        ("[" * 41 + "1" + "]" * 41, "json", "x:1: nested more than 40 deep"),
        ("[1] 2", "json", "x:1: something stands after the end"),
        ("[" * 100_000, "json", "x:1: nested more than 40 deep"),
    ],
)
def test_hostile_files_are_refused_with_their_line(written: str, kind: Format, problem: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        parse_document(written, "x", kind)
    assert str(refusal.value).startswith(problem)
    if kind == "json":
        with pytest.raises(InvalidInputError, match=f"^{re.escape(str(refusal.value))}$"):
            parse_value(written, "x")


def test_all_problems_come_at_once() -> None:
    with pytest.raises(ProblemListError) as refusal:
        parse_document("a: &x 1\nb: *x\na: !t 2\nc: [\n", "x")
    lines = [problem.split(":")[1] for problem in refusal.value.problems]
    assert lines == ["1", "2", "3", "3", "5"]


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInputError, match="x: larger than 10 bytes"):
        parse_document("a: 1234567890", "x", most_bytes=10)
    monkeypatch.setattr(documents, "MOST_VALUES", 20)
    kind: Format
    for kind in ("yaml", "json"):
        with pytest.raises(InvalidInputError, match="more than 20 values"):
            parse_document(json.dumps(list(range(30))), "x", kind)
    with pytest.raises(InvalidInputError, match="x:1: more than 20 values"):
        parse_value(json.dumps(list(range(30))), "x")
    with pytest.raises(ProblemListError) as refusal:
        parse_document("\n".join(["- &a"] * 15 + ["- &b 1"] * 60), "x")
    assert len(refusal.value.problems) <= documents.MOST_PROBLEMS + 1


def test_the_deepest_and_longest_values_are_read() -> None:
    deep, long = "[" * 39 + "1" + "]" * 39, f"[{'9' * 300}, {'9' * 299}, 1e300]"
    for written in (deep, long, '"\\ud83d\\ude00"'):
        assert parse_value(written) == parse_document(written, "x", "json").value == json.loads(written)


def test_a_laughing_bomb_is_refused_at_once() -> None:
    bomb = 'a: &a ["l","l"]\n' + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)},*{chr(97 + n)}]\n" for n in range(20)
    )
    with pytest.raises(InvalidInputError, match="anchors"):
        parse_document(bomb)


@given(st.text(max_size=60) | st.binary(max_size=60), st.sampled_from(["yaml", "json"]))
def test_text_and_bytes_raise_nothing_but_bad_input(written: str | bytes, kind: Format) -> None:
    with suppress(InvalidInputError):
        json.dumps(parse_document(written, "x", kind).value)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a.YML"
    path.write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert read_document(path).value == {"a": 1}
    for name, problem in [("b.yaml", "there is no such file"), ("c.txt", "ends in .yaml, .yml or .json")]:
        with pytest.raises(InvalidInputError, match=problem):
            read_document(tmp_path / name)
    (tmp_path / "d.yaml").mkdir()
    with pytest.raises(InvalidInputError, match="is not a file"):
        read_document(tmp_path / "d.yaml")
    with pytest.raises(InvalidInputError, match=r"cannot be read|no such file"):
        read_document(tmp_path / "a\0.yaml")
    (tmp_path / "e.yaml").write_bytes(b"a: \xff\n")
    with pytest.raises(InvalidInputError, match="not UTF-8 text"):
        read_document(tmp_path / "e.yaml")
    assert format_of(Path("x.JSON")) == "json"


def test_words_for_messages() -> None:
    assert quote("x" * 100) == '"' + "x" * 57 + '..."'
    values: list[object] = [True, 10**80, {}, 1.5]
    assert [quote(value) for value in values] == ["true", "1" + "0" * 56 + "...", "a mapping", "1.5"]
    assert dotted(()) == ""
    assert dotted((0, "a", "b", 1)) == "[0].a.b[1]"


def test_an_empty_file_says_nothing() -> None:
    assert parse_document("").value is None
    assert parse_document("# only a remark\n").at(("a",)) == "text:1"
