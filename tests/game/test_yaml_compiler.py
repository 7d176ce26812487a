"""Compiled files equal their YAML, and are ignored once the YAML has changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from each_case import each_case
from tablewright.game.rules import yaml_compiler
from tablewright.game.rules.yaml_compiler import (
    YamlError,
    compile_file,
    compile_tree,
    compiled_path,
    parse_yaml,
    read_data,
)

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
SYSTEMS = Path(yaml_compiler.__file__).parents[2] / "systems"
SOURCES = sorted([*SYSTEMS.glob("*/ledger.yaml"), *SYSTEMS.glob("*/data/**/*.yaml")])


def with_text_keys(value: object) -> object:
    """Data as PyYAML reads it, with keys as in JSON."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else json.dumps(key): with_text_keys(item) for key, item in value.items()}
    return [with_text_keys(item) for item in value] if isinstance(value, list) else value


@each_case("source", SOURCES)
def test_the_compiled_form_equals_the_yaml(source: Path) -> None:
    compiled = json.loads(compiled_path(source).read_bytes())["content"]
    assert compiled == parse_yaml(source.read_bytes(), source.name)
    assert compiled == with_text_keys(yaml.load(source.read_text(encoding="utf-8"), Loader=LOADER))


def test_five_ledgers_are_shipped() -> None:
    ledgers = {source.parent.name for source in SOURCES if source.name == "ledger.yaml"}
    assert {"marchen", "mars", "opend6", "renaissance", "stage"} <= ledgers


def test_words_that_other_readers_take_for_booleans_stay_words() -> None:
    text = "{yes: no, on: off, y: n, true: false, True: Yes, null: ~}"
    assert parse_yaml(text, "x") == {
        "yes": "no", "on": "off", "y": "n", "true": False, "True": "Yes", "null": None,
    }  # fmt: skip


def test_number_keys_are_kept_as_written() -> None:
    assert list(parse_yaml("{4: a, -1: b, 0.50: c, 007: d, 1e3: e, 3d6: f}", "x")) == [
        "4", "-1", "0.50", "007", "1e3", "3d6",
    ]  # fmt: skip


def test_values_that_look_like_dates_or_base_60_stay_text() -> None:
    assert parse_yaml("[2024-01-02, 1:30, 0o17, 017, 0x1F, 1_000, +3, -4, .5, 2.0, 1.5e2]", "x") == [
        "2024-01-02", "1:30", "0o17", "017", "0x1F", "1_000", 3, -4, 0.5, 2.0, 150.0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: 1\nb: 2\na: 3\n", 'weapons.yaml:3: key "a" is given twice'),
        ("1: x\n'1': y\n", 'weapons.yaml:2: key "1" is given twice'),
        ("? [1, 2]\n: x\n", "weapons.yaml:1: a key must be one word or number"),
        ("a: [1, 2\nb: 3\n", "weapons.yaml:"),
        ("a: 1.0e999\n", "weapons.yaml:1: 1.0e999 is too large"),
        ("a: !!python/object:os.system {}\n", "weapons.yaml:1: could not determine a constructor"),
        ("a: 1\n---\nb: 2\n", "weapons.yaml:2: but found another document"),
        ("a: \x07\n", "weapons.yaml"),
    ],
)
def test_bad_yaml_is_refused_with_file_and_line(text: str, complaint: str) -> None:
    with pytest.raises(YamlError) as refusal:
        parse_yaml(text, "weapons.yaml")
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_edited_source_is_read_instead_of_its_old_compiled_form(tmp_path: Path) -> None:
    source = tmp_path / "ledger.yaml"
    source.write_text("a: 1")
    assert compile_file(source)
    source.write_text("a: 2")
    assert read_data(source) == {"a": 2}
    assert compile_file(source)
    assert not compile_file(source)
    assert read_data(source) == {"a": 2}


def test_the_compiled_form_is_what_is_read(tmp_path: Path) -> None:
    source = tmp_path / "ledger.yaml"
    source.write_text("a: 1")
    compile_file(source)
    compiled = compiled_path(source)
    compiled.write_text(compiled.read_text().replace('"a":1', '"a":5'))
    assert read_data(source) == {"a": 5}


@pytest.mark.parametrize("damage", ["", "{", "[]", "7", '{"source":"x"}', "\udcff"])
def test_a_damaged_compiled_form_is_ignored(tmp_path: Path, damage: str) -> None:
    source = tmp_path / "ledger.yaml"
    source.write_text("a: 1")
    compiled_path(source).write_bytes(damage.encode("utf-8", "surrogateescape"))
    assert read_data(source) == {"a": 1}


def test_a_tree_is_compiled_the_same_way_twice_and_leaves_nothing_behind(tmp_path: Path) -> None:
    data = tmp_path / "coinfolk" / "data" / "demo"
    data.mkdir(parents=True)
    (tmp_path / "coinfolk" / "ledger.yaml").write_text("b: 1\na: {2: x}\n")
    (data / "party.yaml").write_text("- Zoë\n")
    (data / "gone.compiled.json").write_text("{}")
    written = compile_tree(tmp_path)
    assert [path.name for path in written] == ["party.compiled.json", "ledger.compiled.json"]
    first = [path.read_bytes() for path in written]
    assert compile_tree(tmp_path) == []
    for path in written:
        path.unlink()
    assert [path.read_bytes() for path in compile_tree(tmp_path)] == first
    assert sorted(path.name for path in data.iterdir()) == ["party.compiled.json", "party.yaml"]


TEXT = st.text(st.characters(min_codepoint=0xA0, max_codepoint=0xD7FF) | st.characters(max_codepoint=0x7E), max_size=40)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
        lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
        max_leaves=20,
    )
)
def test_json_is_read_as_what_it_is(value: object) -> None:
    assert parse_yaml(json.dumps(value, ensure_ascii=True), "x") == value
