"""Packs: ten mistakes give ten errors with their lines, hostile files are refused, libraries add and replace."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, field_validator

from each_case import each_case
from patience import at_most_calls
from tablewright.errors import InvalidInputError, ProblemListError
from tablewright.game.content.diff import diff
from tablewright.game.content.entries import Amount, ContentEntry, EntryPart, Kinds, Refers
from tablewright.game.content.library import Library, Pack
from tablewright.game.content.packs import load_pack, load_shipped_pack, read_pack
from tablewright.game.rules.yaml_compiler import compile_file, compiled_path
from tablewright.game.values import Frozen

MOST_CALLS = 100_000
"""A bound on the work of reading a pack, far above what any of these takes."""


class Bonus(EntryPart):
    type: Literal["bonus"]
    to: Literal["strike", "dodge"]
    amount: int = Field(ge=-9, le=9)


class Condition(EntryPart):
    type: Literal["condition"]
    condition: str
    rounds: int = Field(default=1, ge=1)


Effect = Annotated[Bonus | Condition, Field(discriminator="type")]


class Item(ContentEntry):
    price: Amount = Fraction(0)
    weight: Amount | None = None


class Weapon(Item):
    damage: int = Field(ge=0, le=12)
    grip: Literal["one", "two"] = "one"
    ammunition: Annotated[str, Refers("items")] | None = None
    effects: tuple[Effect, ...] = ()

    @field_validator("name")
    @classmethod
    def capital(cls, name: str) -> str:
        if not name[0].isupper():
            raise ValueError("a name begins with a capital letter")
        return name


class Creature(ContentEntry):
    skills: Frozen[int] = Frozen()
    weapons: tuple[Annotated[str, Refers("weapons")], ...] = ()


KINDS: Kinds = {"items": Item, "weapons": Weapon, "creatures": Creature}

GOOD = """
pack: {id: harbour, title: Harbour gear, version: "1", origin: house}
system: coinfolk
source: our own table
licence: CC0
items:
  - {id: arrow, name: Arrow, price: 0.5, weight: 1/20}
  - {id: rope, name: Rope, price: 3, origin: seed}
weapons:
  - id: gaff
    name: Gaff
    damage: 3
    effects:
      - {type: bonus, to: strike, amount: 1}
      - {type: condition, condition: prone}
  - {id: bow, name: Bow, damage: 4, grip: two, ammunition: arrow}
creatures:
  - {id: gull, name: Gull, skills: {dive: 3, cry: 1}, weapons: [gaff]}
"""


def problems_with(text: str, kinds: Kinds = KINDS, base: Library | None = None) -> list[str]:
    with pytest.raises(InvalidInputError) as refusal:
        read_pack(text, kinds, base, name="p.yaml")
    message = str(refusal.value)
    assert all(len(line) < 400 for line in message.splitlines())
    return message.splitlines()


def test_a_pack_is_read_into_frozen_typed_entries() -> None:
    pack = read_pack(GOOD, KINDS)
    assert (pack.id, pack.title, pack.version, pack.system) == ("harbour", "Harbour gear", "1", "coinfolk")
    assert (pack.source, pack.licence, len(pack)) == ("our own table", "CC0", 5)
    arrow, rope = pack.of("items")
    assert isinstance(arrow, Item)
    assert (arrow.price, arrow.weight, arrow.origin, rope.origin) == (Fraction(1, 2), Fraction(1, 20), "house", "seed")
    gaff = pack.by_id["weapons", "gaff"]
    assert isinstance(gaff, Weapon)
    assert gaff.effects == (
        Bonus(type="bonus", to="strike", amount=1),
        Condition(type="condition", condition="prone"),
    )
    gull = pack.by_id["creatures", "gull"]
    assert isinstance(gull, Creature)
    assert gull.skills["dive"] == 3
    assert len({arrow, rope, gaff, gull, arrow}) == 4
    with pytest.raises(ValueError, match="frozen"):
        setattr(gaff, "damage", 5)  # noqa: B010


def test_a_pack_goes_through_json_unchanged() -> None:
    pack = read_pack(GOOD, KINDS)
    assert read_pack(json.dumps(pack.to_json()), KINDS) == pack


TWELVE_MISTAKES = """\
pack: {id: harbour, title: Harbour gear, version: "1", origin: house}
system: coinfolk
weapns: []
weapons:
  - id: gaff
    name: Gaff
    damage: thirteen
  - id: Big Bow
    name: Bow
    damage: 13
    grip: too
    effects:
      - {type: bonsu, to: strike, amount: 1}
      - {type: bonus, to: strike, amuont: 1, amount: 1}
  - {id: sling, name: sling, damage: 1, ammunition: aroww}
  - {id: gaff, name: Other gaff, damage: 2}
  - {id: club, damage: 2}
items:
  - {id: arrow, name: Arrow, price: cheap}
"""


AN_ID = "a lower-case letter, then letters, digits and underscores, at most 60 in all"
ALLOWED = "is not allowed, allowed is bonus, condition"


def test_twelve_mistakes_give_twelve_errors_each_with_its_place() -> None:
    assert problems_with(TWELVE_MISTAKES) == [
        'p.yaml:3:9: weapns: unknown field; did you mean "weapons"?',
        'p.yaml:7:13: weapons[0].damage: "thirteen" is not a whole number',
        f'p.yaml:8:9: weapons[1].id: "Big Bow" is not an id: {AN_ID}',
        "p.yaml:10:13: weapons[1].damage: 13 is not allowed, allowed is 12 or less",
        'p.yaml:11:11: weapons[1].grip: "too" is not allowed, allowed is one or two; did you mean "two"?',
        f'p.yaml:13:16: weapons[1].effects[0].type: "bonsu" {ALLOWED}; did you mean "bonus"?',
        'p.yaml:14:43: weapons[1].effects[1].amuont: unknown field; did you mean "amount"?',
        'p.yaml:15:23: weapons[2].name: "sling": a name begins with a capital letter',
        'p.yaml:15:53: weapons[2].ammunition: no items "aroww"; did you mean "arrow"?',
        'p.yaml:16:10: weapons[3].id: "gaff" is given twice, first at p.yaml:5:9',
        "p.yaml:17:5: weapons[4].name: missing",
        'p.yaml:19:37: items[0].price: "cheap" is not a number such as 0.5 or 1/2',
    ]


START = "pack: {id: a, title: A, version: '1', origin: house}\nsystem: x\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "p.yaml:1:1: nothing is not a mapping"),
        ("[]", "p.yaml:1:1: a list is not a mapping"),
        ("pack: 7\nsystem: x", "p.yaml:1:7: pack: 7 is not a mapping"),
        ("system: x", "p.yaml:1:1: pack: missing"),
        ("pack: {id: a, title: A, version: 1}\nsystem: x", "p.yaml:1:34: pack.version: 1 is not text"),
        ("pack: {id: a, title: A, version: '1', origin: hous}\nsystem: x", 'did you mean "house"?'),
        (START + "weapons: {}", "p.yaml:3:10: weapons: a mapping is not a list"),
        (START + "weapons: [7]", "p.yaml:3:11: weapons[0]: 7 is not a mapping"),
        (START + "items: [{id: a, name: A, weight: true}]", "true is not a number"),
    ],
)
def test_wrong_shapes(text: str, complaint: str) -> None:
    assert any(complaint in line for line in problems_with(text))


def test_an_entry_needs_an_origin_of_its_own_or_of_its_pack() -> None:
    text = GOOD.replace(", origin: house}", "}")
    assert [line.rpartition(": ")[0] for line in problems_with(text)] == [
        "p.yaml:7:5: items[0].origin",
        "p.yaml:10:5: weapons[0].origin",
        "p.yaml:16:5: weapons[1].origin",
        "p.yaml:18:5: creatures[0].origin",
    ]


# ---------------------------------------------------------------- hostile files

HEAD = 'pack: {id: a, title: A, version: "1", origin: house}\nsystem: coinfolk\n'


@each_case(
    ("text", "complaint"),
    [
        (HEAD + "items:\n  - &a {id: a, name: A}\n  - *a\n", "p.yaml:4: anchors (&a) are not allowed"),
        (HEAD + "items: !!python/object/apply:os.system ['true']\n", "tags"),
        (HEAD + "items: !!set {a}\n", "tags"),
        (HEAD + "items: !own [a]\n", "tags"),
        (HEAD + "items:\n  - {id: a, id: b, name: A}\n", 'p.yaml:4: key "id" is given twice'),
        (HEAD + "items: []\nitems: []\n", 'p.yaml:4: key "items" is given twice'),
        (HEAD + "items: " + "[" * 5_000 + "]" * 5_000, "deep"),
        (HEAD + "? {a: b}\n: c\n", "a key must be one word or number"),
        (HEAD + "items: [\x00]\n", "p.yaml"),
        (HEAD + "---\na: b\n", "p.yaml:3: a second document begins"),
        (HEAD + "items: [}\n", "p.yaml:3"),
        (HEAD + "items: [{id: a, name: A, price: 1e999}]\n", "too large"),
        (HEAD + "items: [{id: a, name: A, price: " + "9" * 5_000 + "}]\n", "too long"),
        (HEAD + "items: [{id: a, name: " + "A" * 100_000 + "}]\n", "80 characters or fewer"),
        (HEAD + "<<: {system: other}\n", "unknown field"),
    ],
)
def test_hostile_yaml_is_refused_quickly(text: str, complaint: str) -> None:
    with at_most_calls(MOST_CALLS):
        found = problems_with(text)
    assert any(complaint in line for line in found)


def test_a_billion_laughs_are_no_joke() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]" for a, b in zip("abcdefghi", "bcdefghij", strict=True)]
    assert any("aliases" in line for line in problems_with(HEAD + "\n".join(lines)))


def test_bytes_that_are_no_text_and_files_that_are_too_large(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_bytes(HEAD.encode() + b"items: [\xff\xfe]\n")
    with pytest.raises(InvalidInputError, match="not UTF-8"):
        load_pack(file, KINDS)
    file.write_bytes(HEAD.encode("utf-16"))
    with pytest.raises(InvalidInputError, match="not UTF-8"):
        load_pack(file, KINDS)
    file.write_bytes(b"#" * (5 * 1024 * 1024))
    with pytest.raises(InvalidInputError, match="larger than"):
        load_pack(file, KINDS)
    with pytest.raises(InvalidInputError, match="no such file"):
        load_pack(tmp_path / "none.yaml", KINDS)
    with pytest.raises(InvalidInputError, match="ends in"):
        load_pack(tmp_path / "none.txt", KINDS)


def test_counts_are_bounded() -> None:
    many = HEAD + "items:\n" + "".join(f"- {{id: i{n}, name: N}}\n" for n in range(5_001))
    assert problems_with(many) == ["p.yaml:3:1: items: a list is not allowed, allowed is 5000 entries or fewer"]
    wrong = HEAD + "items:\n" + "".join(f"- {{id: i{n}}}\n" for n in range(300))
    assert len(problems_with(wrong)) <= 52


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "name", "type", "x"]), inner),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["pack", "system", "items", "weapons", "creatures", "x"]), values))
def test_nonsense_is_refused_in_words(nonsense: dict[str, Any]) -> None:
    lines = problems_with(json.dumps(nonsense))
    assert all(line.startswith(("p.yaml:", "and ")) for line in lines)


# ---------------------------------------------------------------- folders, compiled packs, libraries


def folder_pack(folder: Path) -> Path:
    folder.mkdir()
    (folder / "pack.yaml").write_text(HEAD)
    (folder / "items.yaml").write_text("items:\n  - {id: arrow, name: Arrow}\n")
    (folder / "weapons.json").write_text(
        '{"weapons": [{"id": "bow", "name": "Bow", "damage": 4, "ammunition": "arrow"}]}'
    )
    (folder / "notes.txt").write_text("not read")
    return folder


def test_a_folder_is_one_pack(tmp_path: Path) -> None:
    pack = load_pack(folder_pack(tmp_path / "mine"), KINDS)
    assert [(kind, entry.id) for kind, entries in pack.entries for entry in entries] == [
        ("items", "arrow"),
        ("weapons", "bow"),
    ]


def test_all_files_of_a_folder_are_checked_at_once(tmp_path: Path) -> None:
    folder = folder_pack(tmp_path / "mine")
    (folder / "broken.yaml").write_text("items: [")
    (folder / "more.yaml").write_text("items:\n  - {id: arrow, name: Arrow}\nsystem: coinfolk\n")
    (folder / "weapons.json").write_text('{"weapons": [\n {"id": "bow", "name": "Bow", "damage": "4"}]}')
    with pytest.raises(ProblemListError) as refusal:
        load_pack(folder, KINDS)
    found = [line.removeprefix(f"{folder}/") for line in refusal.value.problems]
    assert found[0].startswith("broken.yaml:")
    assert found[1:] == [
        f'more.yaml:2:10: items[0].id: "arrow" is given twice, first at {folder}/items.yaml:2:10',
        "more.yaml:3:9: system: unknown field (allowed: items, weapons, creatures)",
        'weapons.json:2:41: weapons[0].damage: "4" is not a whole number',
    ]


def test_a_folder_needs_a_header(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"one file pack\.yaml"):
        load_pack(tmp_path, KINDS)
    (tmp_path / "pack.yaml").write_text("[")
    with pytest.raises(InvalidInputError, match=r"pack\.yaml:"):
        load_pack(tmp_path, KINDS)


def test_a_shipped_pack_is_read_from_its_compiled_form(tmp_path: Path) -> None:
    folder = folder_pack(tmp_path / "mine")
    (folder / "weapons.json").unlink()
    compile_file(folder / "pack.yaml")
    compile_file(folder / "items.yaml")
    assert load_shipped_pack(folder, KINDS) == load_pack(folder, KINDS)
    compiled = compiled_path(folder / "items.yaml")
    compiled.write_text(compiled.read_text().replace("Arrow", "Bolt"))
    assert load_shipped_pack(folder, KINDS).of("items")[0].name == "Bolt"
    (folder / "items.yaml").write_text("items:\n  - {id: arrow, nam: Arrow}\n")
    with pytest.raises(ProblemListError, match=r'items.yaml:2:\d+: items\[0\].nam: unknown field; did you mean "name"'):
        load_shipped_pack(folder, KINDS)


def starter() -> Library:
    return Library("coinfolk", tuple(KINDS.items())).with_pack(read_pack(GOOD, KINDS))


OWN = """
pack: {id: mine, title: Mine, version: "2", origin: house}
system: coinfolk
weapons:
  - {id: gaff, name: Long gaff, damage: 5, effects: [{type: bonus, to: strike, amount: 1}]}
  - {id: crossbow, name: Crossbow, damage: 6, ammunition: arrow}
"""


def test_a_pack_of_your_own_adds_and_replaces() -> None:
    library = starter()
    more = library.with_pack(read_pack(OWN, KINDS, library))
    assert [entry.id for entry in more.of("weapons")] == ["gaff", "bow", "crossbow"]
    assert more.get(Weapon, "gaff").damage == 5
    assert library.get(Weapon, "gaff").damage == 3
    assert more.get("weapons", "gaff") is more.get(Weapon, "gaff")
    assert more.pack_of("weapons", "gaff").id == "mine"
    assert more.pack_of(Weapon, "bow").id == "harbour"
    assert more.find("arrow") == (("items", more.get(Item, "arrow")),)
    assert more.has(Weapon, "crossbow")
    assert not library.has(Weapon, "crossbow")
    assert hash(more) != hash(library)


def test_unknown_names_are_refused_with_the_nearest() -> None:
    library = starter()
    asked: list[tuple[Any, str, str]] = [
        ("weapons", "gafff", 'there is no "gafff" among the weapons; did you mean "gaff"?'),
        (Weapon, "arrow", 'there is no "arrow" among the weapons'),
        ("weapon", "gaff", 'there is no kind of content "weapon"; did you mean "weapons"?'),
        (ContentEntry, "gaff", 'there is no kind of content "ContentEntry"'),
    ]
    for kind, id_, complaint in asked:
        with pytest.raises(InvalidInputError) as refusal:
            library.get(kind, id_)
        assert str(refusal.value).startswith(complaint)
    with pytest.raises(InvalidInputError, match='two packs "harbour"'):
        library.with_pack(read_pack(GOOD, KINDS))


def test_an_entry_is_offered_by_its_name_too() -> None:
    pack = read_pack(HEAD + "items:\n  - {id: x1, name: Grappling Hook}\n", KINDS)
    library = Library("coinfolk", tuple(KINDS.items())).with_pack(pack)
    with pytest.raises(InvalidInputError, match='did you mean "x1"'):
        library.get("items", "grapling hook")


def test_a_pack_for_another_system_is_refused() -> None:
    assert problems_with(OWN.replace("coinfolk", "otherfolk"), base=starter()) == [
        'p.yaml:3:9: system: "otherfolk" is another system, allowed is coinfolk'
    ]
    with pytest.raises(InvalidInputError, match="for the system"):
        starter().with_pack(Pack("x", "X", "1", "otherfolk"))


def test_references_reach_into_the_base_and_not_beyond() -> None:
    assert problems_with(OWN) == ['p.yaml:6:59: weapons[1].ammunition: no items "arrow"']
    assert read_pack(OWN, KINDS, starter()).of("weapons")


def test_differences() -> None:
    library = starter()
    more = library.with_pack(read_pack(OWN, KINDS, library))
    found = diff(library, more)
    assert found.added == (("weapons", "crossbow"),)
    assert found.removed == ()
    assert [(change.id, change.field) for change in found.changed] == [
        ("gaff", "damage"),
        ("gaff", "effects"),
        ("gaff", "name"),
    ]
    assert "weapons gaff: damage: 3 > 5" in str(found)
    assert diff(more, library).removed == (("weapons", "crossbow"),)
    assert not diff(library, starter())
    assert json.loads(json.dumps(found.to_json()))["changed"][0]["before"] == 3


@pytest.mark.parametrize("name", ["pack", "system", "copy", "model_dump", "two words"])
def test_a_kind_cannot_have_every_name(name: str) -> None:
    with pytest.raises(TypeError, match="cannot be the name of a kind"):
        read_pack(HEAD, {name: Item})
