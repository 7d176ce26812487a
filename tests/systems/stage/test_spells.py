"""Every spell and every enchantment of the starter pack, used: what its data say happens, by the amount they say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from systems.playing import events, go, status
from systems.stage.fights import act, closed, duel, held_by, offered, place, session_with
from systems.stage.people import OPTIONS, library, somebody
from tablewright.engine import Choice, Roll
from tablewright.game.character.belongings import ItemStack
from tablewright.game.play.effects import Duration
from tablewright.game.session.session import Session
from tablewright.game.values import freeze
from tablewright.systems.stage.content import Enchantment, Spell
from tablewright.systems.stage.now import arms, hit_difficulty, pool, resistance_of

NOTHING = {"how to defend": "nothing"}
ROLL = [6, 6, 6]


def caster(*spells: str, **fields: Any) -> Any:
    return somebody(3, spells=spells, **fields)


def cast(spell: str, on: str = "bob", faces: Any = (), *, detail: str = "", choices: Any = None, **how: Any) -> Session:
    """Ann casts something, with 3 dice."""
    session = duel(caster(spell, **how.pop("fields", {})), somebody(3), **how)
    willing = on in ("ann", "")
    act(
        session,
        f"cast:{on}:{spell}{detail}",
        faces=faces or [ROLL],
        choices={**({} if willing else NOTHING), **(choices or {})},
    )
    return session


def spent(session: Session) -> tuple[int, ...]:
    now = status(session)
    return tuple([24 - getattr(now, track) for track in ("stamina", "intellect", "will")])


@pytest.mark.rule("stage.gap.magic.spells", "stage.magic.app_cast")
@pytest.mark.parametrize(
    ("spell", "detail", "faces", "lost"),
    [
        ("wither", "", [[6, 1], [4]], ("stamina", 4)),
        ("flare", "=fire", [ROLL, [4]], ("stamina", 5)),
        ("flare", "=lightning", [ROLL, [4]], ("stamina", 4)),
        ("soul_sting", "", [ROLL, [4]], ("will", 4)),
        ("daze", "", [ROLL, [4]], ("intellect", 4)),
        ("searing_hand", "", [[6, 1], [4]], ("stamina", 5)),
    ],
)
def test_spells_that_hurt(spell: str, detail: str, faces: Any, lost: tuple[str, int]) -> None:
    split = {"dice for the first roll": "2"} if len(faces[0]) == 2 else {}
    session = cast(spell, faces=faces, detail=detail, choices=split)
    track, points = lost
    assert getattr(status(session, "bob"), track) == 24 - points
    entry = library().get(Spell, spell)
    assert status(session).ap == 3 - entry.ap
    assert dict(zip(("stamina", "intellect", "will"), spent(session), strict=True)) == {
        track: entry.cost.get(track, 0) for track in ("stamina", "intellect", "will")
    }
    assert status(session, "bob").ap == (2 if spell == "daze" else 3)


@pytest.mark.rule("stage.gap.magic.spells")
def test_damage_that_ignores_resistance_or_takes_ap() -> None:
    hide = {"resistance": 2}
    for spell, detail, damage in (("wither", "", 4), ("flare", "=fire", 3), ("flare", "=lightning", 3)):
        faces = [[6, 1], [4]] if spell == "wither" else [ROLL, [4]]
        session = duel(caster(spell), somebody(3, **hide))
        split = {"dice for the first roll": "2"} if spell == "wither" else {}
        act(session, f"cast:bob:{spell}{detail}", faces=faces, choices={**NOTHING, **split})
        assert events(session, "Attacked")[0].damage == damage
    cold = cast("flare", faces=[ROLL, [4]], detail="=cold")
    assert (status(cold, "bob").ap, status(cold, "bob").stamina) == (2, 20)


@pytest.mark.rule("stage.gap.magic.spells", "stage.magic.focus")
@pytest.mark.parametrize(("focus", "stamina"), [("", 4), ("wand", 6)])
def test_healing_touch_gives_stamina_back(focus: str, stamina: int) -> None:
    things = (ItemStack("wand", place="hand"),) if focus else ()
    healer = caster("healing_touch", focus=focus, prepared=("healing_touch",) if focus else ()).changed(
        belongings=things
    )
    session = duel(healer, somebody(3), mine={"stamina": 10})
    act(session, "cast:ann:healing_touch", faces=[ROLL, [4]])
    assert status(session).stamina == 10 - 1 + stamina


@pytest.mark.rule("stage.gap.magic.spells", "stage.healing.core")
def test_mend_flesh_gives_a_point_of_vitality_back() -> None:
    session = cast("mend_flesh", "ann", [[6]], mine={"vitality": 22})  # two counters take two of three dice
    assert (status(session).vitality, status(session).ap) == (23, 0)


@pytest.mark.rule("stage.gap.magic.spells", "stage.magic.concentration")
def test_a_ward_makes_harder_to_hit_as_long_as_it_is_kept_up() -> None:
    session = cast("ward", "ann")
    assert hit_difficulty(session.scene, "ann", "bob").tally.total == 6
    held = held_by(session, "ward")
    assert (held.until.whose, held.until.edge, held.until.round) == ("ann", "end", 2)


@pytest.mark.rule("stage.gap.magic.spells")
def test_stoneskin_adds_resistance_for_three_rounds() -> None:
    session = cast("stoneskin", "ann")
    assert resistance_of(session.scene, "ann", "body") == 2
    held = held_by(session, "stoneskin")
    assert held.until.round == 4


@pytest.mark.rule("stage.gap.magic.spells")
@pytest.mark.parametrize(("face", "left"), [([5, 2, 1], 5), ([3, 2, 1], 1)])
def test_mend_object_restores_integrity_against_complexity(face: list[int], left: int) -> None:
    broken = (ItemStack("long_sword", place="hand", left=1),)  # Complexity 7, 6 Integrity Points
    session = duel(caster("mend_object").changed(belongings=broken), somebody(3))
    act(session, "cast::mend_object", faces=[face, *([[4]] if left > 1 else [])])
    assert session.scene["ann"].status.belongings[0].left == left


@pytest.mark.rule("stage.gap.magic.spells")
@pytest.mark.parametrize("face", [6, 5])
def test_a_spirit_guardian_joins_for_three_rounds_at_difficulty_six(face: int) -> None:
    session = duel(caster("spirit_guardian"), somebody(3))
    act(session, "cast::spirit_guardian", faces=[[face - 2, 1, 1]])
    joined = [one for one in session.scene.participants if one.side == "party" and one.id != "ann"]
    assert bool(joined) is (face == 6)
    if joined:
        assert joined[0].character.skills.get("brawl") == 3
        held = joined[0].status.held("spirit_guardian")
        assert held is not None
        assert held.until == Duration(1 + 3, "ann", "end")


@pytest.mark.rule("stage.gap.magic.spells")
def test_shove_moves_or_trips() -> None:
    session = cast("shove", apart=2, choices={"move or trip?": "move", "where to?": "8,5"})
    assert str(session.scene["bob"].position) == "8,5"
    assert status(cast("shove", choices={"move or trip?": "trip"}), "bob").stance == "prone"


@pytest.mark.rule("stage.gap.magic.spells")
def test_blink_goes_two_cubes_at_difficulty_six() -> None:
    session = cast("blink", "", [[2, 2, 2]], apart=4, choices={"where to?": "7,5"})
    assert (str(session.scene["ann"].position), status(session).ap) == ("7,5", 2)
    assert str(cast("blink", "", [[2, 2, 1]], apart=4).scene["ann"].position) == "5,5"


@pytest.mark.rule("stage.gap.magic.spells")
def test_whisper_says_something_for_a_minute() -> None:
    people = [place(caster("whisper"), "party", who="ann"), place(somebody(3), "party", who="cat")]
    session = session_with([*people, place(somebody(3), "foes", who="bob")])
    act(session, "cast:cat:whisper", faces=[ROLL])
    assert events(session, "Checked")[0].what == "a message to Somebody 2"
    assert (status(session).ap, status(session).intellect) == (2, 23)


def test_every_spell_is_cast_above() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert [one.id for one in library().of(Spell) if f'"{one.id}"' not in text] == []
    assert [one.id for one in library().of(Enchantment) if f'"{one.id}"' not in text] == []


# ---------------------------------------------------------------------- magic that is there


@pytest.mark.rule("stage.magic.app_detect")
@pytest.mark.parametrize(
    ("faces", "found"), [([1, 1, 1], "magic on Somebody 2"), ([2, 2, 2], "Stoneskin on Somebody 2")]
)
def test_magic_is_detected_by_its_circle_and_known_by_three_times_that(faces: list[int], found: str) -> None:
    session = cast("stoneskin", "ann")
    people = [place(somebody(3), "party", who="cat"), *session.scene.participants]
    seeing = session_with(people)
    act(seeing, "detect::animation", who="cat", faces=[faces])
    assert events(seeing, "Checked")[0].result == found
    assert (status(seeing, "cat").ap, status(seeing, "cat").stamina) == (0, 23)


@pytest.mark.rule("stage.magic.app_detect", "stage.check.minimum")
def test_the_lowest_result_still_finds_magic_of_the_first_circle() -> None:
    people = [place(somebody(3), "party", who="cat"), *cast("ward", "ann").scene.participants]
    seeing = session_with(people)
    go(seeing, "table.modify", what="projection.detect", value=-9, reason="fog in the head", who="cat")
    act(seeing, "detect::projection", who="cat", faces=[[1, 1, 1]])
    assert events(seeing, "Checked")[0].result == "magic on Somebody 2"


@pytest.mark.rule("stage.magic.app_detect")
@pytest.mark.parametrize(("scope", "found"), [("own_type", "nothing"), ("all_magic", "Stoneskin on Somebody 2")])
def test_a_skill_detects_its_own_magic_or_all(scope: str, found: str) -> None:

    session = cast("stoneskin", "ann")
    options = OPTIONS.put("detect_scope", scope)
    people = [place(somebody(3), "party", who="cat", options=options), *session.scene.participants]
    seeing = session_with(people, options=options)
    act(seeing, "detect::animism", who="cat", faces=[ROLL])
    assert events(seeing, "Checked")[0].result == found


# ---------------------------------------------------------------------- enchanted things


def enchanted(item: str, *names: str, place: str = "hand") -> ItemStack:
    return ItemStack(item, place=place, more=freeze({"enchantments": list(names), "energy": {}}))


def wielding(*things: ItemStack) -> Session:
    return duel(somebody(3).changed(belongings=things), somebody(3), apart=1)


@pytest.mark.rule("stage.gap.magic.enchantments", "stage.magic.enchantment_types")
@pytest.mark.parametrize(
    ("name", "item"),
    [("keen_edge", "short_sword"), ("hardening", "mail_shirt"), ("vigour", "wand"), ("clear_mind", "wand")],
)
def test_passive_enchantments(name: str, item: str) -> None:
    where = "worn" if item == "mail_shirt" else "hand"
    plain, magic = wielding(ItemStack(item, place=where)), wielding(enchanted(item, name, place=where))

    def numbers(session: Session) -> tuple[int, ...]:
        scene = session.scene
        weapon = arms(scene, "ann")[0]
        return (
            pool(scene, "ann", weapon.key, weapon=weapon.weapon).flat.total,
            resistance_of(scene, "ann", "body"),
            status(session).stamina,
            pool(scene, "ann", "perception.detect").flat.total,
        )

    more = {"keen_edge": (1, 0, 0, 0), "hardening": (0, 1, 0, 0), "vigour": (0, 0, 2, 0), "clear_mind": (0, 0, 0, 1)}
    assert tuple([after - before for before, after in zip(numbers(plain), numbers(magic), strict=True)]) == more[name]


@pytest.mark.rule("stage.gap.magic.enchantments", "stage.magic.enchantment_types")
def test_warding_is_called_on_for_an_ap_and_a_point() -> None:
    session = wielding(enchanted("wand", "warding"))
    act(session, "activate::wand=warding")
    assert hit_difficulty(session.scene, "ann", "bob").tally.total == 6
    assert (status(session).ap, status(session).intellect) == (2, 23)


@pytest.mark.rule("stage.gap.magic.enchantments")
def test_a_returning_spear_comes_back_with_what_is_in_it() -> None:
    session = wielding(enchanted("spear", "returning"))
    assert not [use for use in offered(session) if use.startswith("activate")]
    act(session, "attack:bob:spear@throw", faces=[[1, 1]], choices={"dice for the first roll": "2", **NOTHING})
    assert session.scene["ann"].status.belongings == ()
    assert [one.item for one in session.scene.loose_items] == ["spear"]
    act(session, "activate::spear=returning")
    (back,) = session.scene["ann"].status.belongings
    assert (back.item, back.place, tuple(back.more["enchantments"])) == ("spear", "hand", ("returning",))
    assert (status(session).ap, status(session).will, session.scene.loose_items) == (2, 23, ())


@pytest.mark.rule("stage.gap.magic.enchantments")
def test_a_soul_anchor_halves_the_next_soul_damage_once_a_day() -> None:
    session = duel(somebody(3).changed(belongings=(enchanted("wand", "soul_anchor"),)), caster("soul_sting"))
    act(session, "activate::wand=soul_anchor")
    assert closed(session, "activate") == ("used up for today", "stage.gap.magic.enchantments")
    for left in (24 - 2, 24 - 2 - 5):
        act(session, "cast:ann:soul_sting", who="bob", faces=[ROLL, [5]], choices=NOTHING)
        assert status(session).will == left
        session.do("table.rule", who="bob", field="ap", value="3", reason="a turn")


# ---------------------------------------------------------------------- whom, and with how many dice


@pytest.mark.rule("stage.magic.app_cast", "stage.magic.target_ranged")
def test_a_spell_is_aimed_at_foes_who_are_there_alive_and_seen() -> None:
    places: dict[str, dict[str, Any]] = {
        "bob": {},
        "cid": {"vitality": 0},
        "dan": {},
        "eve": {"hidden": True},
        "flo": {},
    }
    people = [place(caster("flare"), "party", (5, 5), who="ann")]
    people += [
        place(somebody(3), "party" if who == "flo" else "foes", (7, 5 + number), who=who, **how)
        for number, (who, how) in enumerate(places.items())
    ]
    people = [replace(one, present=False) if one.id == "dan" else one for one in people]
    session = session_with(people)
    aimed = [use for use in offered(session) if use.startswith("cast:")]
    assert {use.split(":")[1] for use in aimed} == {"bob"}


@pytest.mark.rule("stage.magic.focus", "stage.magic.app_cast")
@pytest.mark.parametrize(
    ("prepared", "place_", "dice"),
    [((), "hand", "3d6"), (("soul_sting",), "pack", "3d6"), (("soul_sting",), "hand", "4d6")],
)
def test_a_spell_in_the_focus_in_hand_has_a_die_more(prepared: tuple[str, ...], place_: str, dice: str) -> None:
    wand = {"powers": ("focus",), "focus": "wand", "has": [f"wand@{place_}"], "prepared": prepared}
    session = duel(caster("soul_sting", **wand), somebody(3), apart=2)
    session.do("stage.perform", who="ann", use="cast:bob:soul_sting")
    while isinstance(session.question, Choice):
        ids = session.question.ids
        session.choose("nothing" if "nothing" in ids else ids[session.question.default])
    assert isinstance(session.question, Roll)
    assert str(session.question.dice) == dice
