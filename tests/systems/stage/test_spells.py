"""Every spell and every enchantment of the starter pack, used: what its data say happens, by the amount they say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from systems.playing import events, go, status, words
from systems.stage.fights import (
    act,
    asked,
    closed,
    duel,
    fighter,
    held_by,
    next_round,
    offered,
    place,
    playing,
    session_with,
)
from systems.stage.people import OPTIONS, library, session_of, somebody
from tablewright.engine import Choice, Roll
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.effects import OPEN_END, Duration, Effect, expired_effects
from tablewright.game.session.session import Session
from tablewright.game.values import freeze
from tablewright.systems.stage.actions.requirements import EXPOSED
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.chapters.spells import casting_of, upkeeps
from tablewright.systems.stage.content import Spell
from tablewright.systems.stage.now import hit_difficulty, resistance_of
from tablewright.systems.stage.status import most
from tablewright.systems.stage.values import SCHOOLS

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


@pytest.mark.rule("stage.gap.magic.spells", "stage.magic.app_cast", "stage.magic.spell_flare")
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


@pytest.mark.rule("stage.gap.magic.spells", "stage.magic.focus", "stage.magic.spell_healing_touch")
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
def test_a_ward_is_kept_up_and_stoneskin_lasts_three_rounds() -> None:
    warded, stony = cast("ward", "ann"), cast("stoneskin", "ann")
    assert hit_difficulty(warded.scene, "ann", "bob").tally.total == 6
    assert held_by(warded, "ward").until == Duration(2, "ann", "end")
    assert resistance_of(stony.scene, "ann", "body") == 2
    assert held_by(stony, "stoneskin").until.round == 4


@pytest.mark.rule("stage.gap.magic.spells", "stage.power_effect.spell_modifier")
@pytest.mark.parametrize(
    ("face", "power", "rounds"), [(6, "", 3), (6, "+extend_spell", 4), (5, "", 0)], ids=["cast", "extended", "failed"]
)
def test_a_spirit_guardian_joins_for_three_rounds_at_difficulty_six(face: int, power: str, rounds: int) -> None:
    session = duel(caster("spirit_guardian", powers=("extend_spell",)), somebody(3))
    act(session, f"cast::spirit_guardian{power}", faces=[[face - 2, 1, 1]])
    assert status(session).will == 24 - 2 - (rounds == 4)
    joined = [one for one in session.scene.participants if one.side == "party" and one.id != "ann"]
    assert [one.character.skills.get("brawl") for one in joined] == [3] * bool(rounds)
    for guardian in joined:
        held = guardian.status.held("spirit_guardian")
        assert held is not None
        assert held.until == Duration(1 + rounds, "ann", "end")


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


@pytest.mark.rule("stage.magic.app_detect")
@pytest.mark.parametrize(
    ("scope", "school", "faces", "found"),
    [
        ("own_type", "animation", [1, 1, 1], "magic on Somebody 2"),  # its circle is reached, three times that is not
        ("own_type", "animation", [2, 2, 2], "Stoneskin on Somebody 2"),
        ("own_type", "animism", ROLL, "nothing"),
        ("all_magic", "animism", ROLL, "Stoneskin on Somebody 2"),
    ],
)
def test_magic_is_detected_by_its_circle_and_by_its_own_skill(
    scope: str, school: str, faces: list[int], found: str
) -> None:
    options = OPTIONS.put("detect_scope", scope)
    people = [place(somebody(3), "party", who="cat", options=options), *cast("stoneskin", "ann").scene.participants]
    seeing = session_with(people, options=options)
    before = status(seeing, "cat")
    act(seeing, f"detect::{school}", who="cat", faces=[faces])
    assert events(seeing, "Checked")[0].result == found
    after = status(seeing, "cat")
    assert (after.ap, before.stamina + before.will - after.stamina - after.will) == (0, 1)


@pytest.mark.rule("stage.magic.app_detect", "stage.check.minimum")
def test_the_lowest_result_still_finds_magic_of_the_first_circle() -> None:
    people = [place(somebody(3), "party", who="cat"), *cast("ward", "ann").scene.participants]
    seeing = session_with(people)
    go(seeing, "table.modify", what="projection.detect", value=-9, reason="fog in the head", who="cat")
    act(seeing, "detect::projection", who="cat", faces=[[1, 1, 1]])
    assert events(seeing, "Checked")[0].result == "magic on Somebody 2"


def enchanted(item: str, *names: str, place: str = "hand") -> ItemStack:
    return ItemStack(item, place=place, more=freeze({"enchantments": list(names), "energy": {}}))


def wielding(*things: ItemStack) -> Session:
    return duel(somebody(3).changed(belongings=things), somebody(3), apart=1)


@pytest.mark.rule("stage.gap.magic.enchantments", "stage.magic.enchantment_types")
def test_warding_is_called_on_for_an_ap_and_a_point() -> None:
    session = act(wielding(enchanted("wand", "warding")), "activate::wand=warding")
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


@pytest.mark.rule("stage.magic.app_cast", "stage.magic.target_ranged")
def test_a_spell_is_aimed_at_foes_who_are_there_alive_and_seen() -> None:
    foes: dict[str, dict[str, Any]] = {"bob": {}, "cid": {"vitality": 0}, "dan": {}, "eve": {"hidden": True}}
    people = [
        place(caster("flare"), "party", (5, 5), who="ann"),
        place(somebody(3), "party", (7, 9), who="flo"),
        *[place(somebody(3), "foes", (7, 5 + at), who=who, **foes[who]) for at, who in enumerate(foes)],
    ]
    session = session_with([replace(one, present=one.id != "dan") for one in people])
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


@pytest.mark.rule("stage.gap.magic.enchantments", "stage.magic.enchantment_types")
def test_vigour_comes_and_goes_with_the_thing_in_hand() -> None:
    more = freeze({"enchantments": ["vigour"], "energy": {"vitality": 2}})
    ann = somebody(agility=3, perception=1, academics=1).changed(belongings=(ItemStack("wand", more=more),))
    session = session_of({"ann": ann})
    assert (status(session).stamina, status(session).vitality) == (3, 3)
    go(session, "stage.draw", who="ann", item="wand")
    assert (status(session).stamina, most(session.scene, "ann").stamina) == (5, 5)
    go(session, "stage.stow", who="ann", item="wand")
    assert (status(session).stamina, most(session.scene, "ann").stamina) == (3, 3)
    assert rulebook.export_character(session.scene, "ann").wounds == ann.wounds
    spent = session_of({"ann": ann})
    go(spent, "table.rule", who="ann", field="stamina", value="1", reason="a run")
    go(spent, "stage.draw", who="ann", item="wand")
    assert status(spent).stamina == 3
    go(spent, "stage.stow", who="ann", item="wand")
    assert status(spent).stamina == 1


@pytest.mark.rule("stage.power_effect.spell_modifier")
def test_dispel_says_that_there_is_nothing_to_end_and_helps_your_own() -> None:
    mage = somebody(4, powers=("dispel",))
    session = act(duel(mage, fighter()), "power:bob:dispel")
    assert "ann checks Dispel: there is no magic to end" in words(session)
    warded = Effect("ward", Duration(3, "bob"), by="bob", source="spell:ward")
    own = act(duel(mage, fighter(), mine={"lasting": (warded,)}), "power:ann:dispel", faces=[[6] * 4])
    assert not status(own).lasting


@pytest.mark.rule("stage.encounter.flow", "stage.gap.magic.spells", "stage.power_effect.spell_modifier")
def test_a_guardian_stays_to_the_end_of_the_third_turn_or_until_it_is_dispelled() -> None:
    caller = somebody(6, spells=("spirit_guardian",))
    session = duel(caller, somebody(4, powers=("dispel",)))
    act(session, "cast::spirit_guardian", faces=[[1] * 6])
    guardian = session.scene.participants[-1].id
    third = replace(session.scene, round=4, turn="ann", acted=())
    assert [who for who, _ in expired_effects(third, "ann", "start")] == []
    assert [who for who, _ in expired_effects(third, "ann", "end")] == [guardian]
    other = playing(replace(session.scene, turn="bob"))
    act(other, f"power:{guardian}:dispel", who="bob", faces=[[6] * 4])
    assert not other.scene[guardian].present


@pytest.mark.rule("stage.magic.app_cast")
def test_a_power_changes_a_spell_of_every_element() -> None:
    mage = somebody(6, spells=("flare",), powers=("quick_flame",))
    quick = [use for use in offered(duel(mage, fighter())) if use.endswith("+quick_flame")]
    elements = {one.name for one in library().get(Spell, "flare").elements}
    assert {use.partition("=")[2].partition("+")[0] for use in quick} == elements
    assert len(elements) == 3


@pytest.mark.rule("stage.magic.concentration", "stage.power_effect.spell_modifier")
@pytest.mark.parametrize(
    ("own", "prices"),
    [
        ((), {"": {"ap": 2}}),
        (("battle_meditation",), {"": {"ap": 1}}),
        (("battle_mage",), {"": {"ap": 2}, "battle_mage": {"intellect": 1}}),
        (("battle_meditation", "battle_mage"), {"": {"ap": 1}, "battle_mage": {"intellect": 1}}),
    ],
)
def test_a_spell_is_kept_up_for_ap_or_for_a_point_as_the_caster_likes(own: Any, prices: dict[str, Any]) -> None:
    session = cast("ward", "ann", fields={"powers": own})
    assert {name: dict(price.amounts) for name, price in upkeeps(session.scene, "ann", "ward").items()} == prices
    later = next_round(session)
    uses = [use for use in offered(later) if use.startswith("concentrate")]
    assert uses == [f"concentrate:ann:ward{'+' if name else ''}{name}" for name in prices]


@pytest.mark.rule("stage.magic.cast_skill")
def test_a_spell_of_two_skills_is_cast_with_either() -> None:
    spell = next(one for one in library().of(Spell) if len(one.schools) > 1)
    better, other = spell.schools
    mage = somebody(**{better: 5, other: 4}, perception=1, spells=(spell.id,))
    session = duel(mage, fighter(), mine={"stamina": 1})
    casts = [use for use in offered(session) if use.startswith("cast")]
    assert any(f"{spell.id}@{other}" in use for use in casts)
    assert not any(f"{spell.id}@{better}" in use for use in casts)
    for use in casts:
        target, detail = use.split(":")[1:3]
        casting = casting_of(session.scene, "ann", ActionUse("cast", target or None, detail))
        assert casting is not None
        assert casting.school == (other if "@" in detail else better)


@pytest.mark.rule("stage.power_effect.focus", "stage.magic.freedom")
@pytest.mark.parametrize("fact", ["bound", "mute"])
def test_a_character_who_is_bound_or_mute_casts_out_of_the_focus(fact: str) -> None:
    powers = ("focus", "mantra")
    ann = somebody(6, spells=("soul_sting",), powers=powers, prepared=("soul_sting",), focus="wand", has=["wand@hand"])
    session = duel(ann, somebody(1), facts=Facts().set(fact, "ann", True))
    assert [use for use in offered(session) if use.startswith("cast")] == ["cast:bob:soul_sting+mantra"]


@pytest.mark.rule("stage.power_effect.focus", "stage.gap.magic.focus", "stage.magic.focus")
@pytest.mark.parametrize(
    ("at", "knows", "focus"), [("hand", (), True), ("hand", ("flare",), True), ("pack", ("flare",), False)]
)
def test_a_spell_is_cast_out_of_an_allys_focus_that_is_in_hand(at: str, knows: tuple[str, ...], focus: bool) -> None:
    ann = somebody(3, spells=knows, powers=("shared_flame",))
    amy = somebody(3, spells=("flare",), prepared=("flare",), focus="wand", powers=("focus",), has=[f"wand@{at}"])
    session: Any = duel(ann, somebody(1), place(amy, "party", who="amy"))
    use = next(one for one in session.rulebook.actions.options(session.scene, "ann") if one.id == "cast:bob:flare=fire")
    casting = casting_of(session.scene, "ann", use)
    assert casting is not None
    assert casting.focus is focus
    stowed = duel(somebody(3, powers=("shared_flame",)), somebody(1), place(amy, "party", who="amy"))
    assert ("cast:bob:flare=fire" in offered(stowed)) is focus


@pytest.mark.rule("stage.gap.magic.spells", "stage.equipment.integrity")
@pytest.mark.parametrize(("thing", "face", "left"), [("club", 1, (4, 1)), ("great_sword", 1, (1, 1))])
def test_the_caster_chooses_what_is_mended_and_its_complexity_counts(thing: str, face: int, left: Any) -> None:
    broken = (ItemStack("club", place="pack", left=1), ItemStack("great_sword", place="pack", left=1))
    mage = somebody(3, spells=("mend_object",))
    session = duel(mage.changed(belongings=broken), somebody(1))
    faces = [[face] * 3, *([[3]] if thing == "club" else [])]  # 3 reaches 1 and not 8
    act(session, "cast::mend_object", faces=faces, choices={"which thing?": thing})
    now = {one.item: one.left for one in status(session).belongings}
    assert (now["club"] or 4, now["great_sword"]) == left
    one = act(duel(mage.changed(belongings=broken[:1]), somebody(1)), "cast::mend_object", faces=[[1] * 3, [2]])
    assert status(one).belongings[0].left == 3, "there is nothing to choose"
    assert closed(duel(mage, somebody(1)), "cast") == ("nothing is damaged", "stage.gap.magic.spells")


@pytest.mark.rule("stage.power.reuse", "stage.power.announce")
def test_two_powers_can_be_announced_for_a_spell() -> None:
    mage = somebody(4, spells=("soul_sting",), powers=("twisted_verse", "soul_channeler"))
    session = duel(mage, somebody(1), options=OPTIONS)
    choices = {"how to attack": "twisted_verse+soul_channeler", "how to defend": "nothing"}
    act(session, "cast:bob:soul_sting", faces=[[1] * 5, [4]], choices=choices)
    assert status(session).will == 32 - 1 - 2
    assert status(session, "bob").will == 4


def mage(**fields: Any) -> Any:
    """A character who casts Flare with three dice."""
    return somebody(**{"projection": 3, "perception": 1, "agility": 1, "spells": ("flare",), **fields})


@pytest.mark.rule("stage.terrain.cover", "stage.magic.freedom", "stage.magic.app_cast")
@pytest.mark.parametrize(("cover", "open_", "difficulty"), [("full", False, 12), ("7/8", True, 12), ("3/4", True, 9)])
def test_no_spell_reaches_through_full_cover(cover: str, open_: bool, difficulty: int) -> None:
    session = duel(mage(), fighter(), facts=Facts().set("cover", "bob", cover))
    assert ("cast:bob:flare=fire" in offered(session)) is open_
    if not open_:
        assert closed(session, "cast") == ("Somebody 2 is behind full cover", EXPOSED.rule)
    assert hit_difficulty(session.scene, "bob", "ann").tally.total == difficulty


@pytest.mark.rule("stage.terrain.cover")
def test_full_cover_does_not_keep_a_spell_from_oneself_nor_one_without_a_target() -> None:
    healer = somebody(3, spells=("healing_touch", "spirit_guardian"))
    facts = Facts().set("cover", "ann", "full")
    session = duel(healer, fighter(), mine={"stamina": 0}, facts=facts)
    casts = [use for use in offered(session) if use.startswith("cast")]
    assert {use.split(":")[1] for use in casts} == {"ann", ""}


@pytest.mark.rule("stage.power.announce", "stage.magic.focus", "stage.modifier.mundane")
@pytest.mark.parametrize(
    ("way", "faces", "paid"), [("plain", [[1, 1, 1, 1], [4]], 2), ("blaze", [[1, 1, 1, 1, 1], [4]], 3)]
)
def test_a_power_for_a_spell_is_paid_besides_it_and_the_focus_counts_all_the_same(
    way: str, faces: list[list[int]], paid: int
) -> None:
    own = mage(powers=("blaze", "focus"), focus="dagger", prepared=("flare",), has=["dagger@hand"])
    session = duel(own, fighter(), apart=2)
    before = status(session)
    act(session, "cast:bob:flare=lightning", faces=faces, choices={"how to attack": way, "how to defend": "nothing"})
    lost = sum([getattr(before, track) - getattr(status(session), track) for track in ("stamina", "intellect", "will")])
    assert (lost, status(session).ap) == (paid, 1)


@pytest.mark.rule("stage.power.announce", "stage.resource.spend")
@pytest.mark.parametrize(("left", "is_asked"), [(4, True), (3, False)])
def test_a_power_for_a_spell_must_be_payable_after_the_spell(left: int, is_asked: bool) -> None:
    """Flare takes two points and Blaze one: the last core point is not among them where the table keeps it."""
    options = OPTIONS.put("spend_last_core", "forbid")
    own = mage(powers=("blaze",))
    session = duel(own, fighter(), apart=2, options=options, mine={"intellect": left - 1, "sanity": 1})
    session.do("stage.perform", who="ann", use="cast:bob:flare=lightning")
    assert (asked(session).question == "how to attack") is is_asked


@pytest.mark.rule("stage.magic.app_detect", "stage.check.minimum", "stage.check.botch")
@pytest.mark.parametrize(("face", "fails", "found"), [(1, True, "nothing"), (1, False, "magic"), (3, True, "Ward")])
def test_magic_is_detected_without_a_level_too(face: int, fails: bool, found: str) -> None:
    options = OPTIONS.put("botch_fails", fails)
    ward = (Effect("ward", OPEN_END, by="bob", source="spell:ward"),)
    ann = somebody(agility=1, perception=1, academics=1)
    session = duel(ann, somebody(1), options=options, theirs={"lasting": ward})
    assert {f"detect::{school}" for school in SCHOOLS} <= set(offered(session))
    act(session, "detect::projection", faces=[[face]])
    assert events(session, "Checked")[-1].result.partition(" on ")[0] == found
    assert not [use for use in offered(duel(ann, ann, options=OPTIONS.put("magic", "off"))) if "detect" in use]


@pytest.mark.rule("stage.magic.app_detect")
def test_enchantments_are_magic_as_well() -> None:
    more = freeze({"enchantments": ["keen_edge"], "energy": {"vitality": 1}})
    bob = somebody(1).changed(belongings=(ItemStack("dagger", place="pack", more=more),))
    session = act(duel(somebody(1), bob), "detect::animation", faces=[[3]])
    assert events(session, "Checked")[-1].result == "Keen Edge in dagger on Somebody 2"
    act(duel(somebody(1), bob), "detect::psionics", faces=[[3]])


@pytest.mark.rule("stage.power_effect.spell_modifier")
def test_effects_can_be_extended_and_their_reach_expanded() -> None:
    spells = ("healing_touch", "flare", "ward", "stoneskin", "spirit_guardian")
    session = duel(somebody(6, spells=spells, powers=("extend_spell", "expand_spell")), somebody(1))
    details = [use.rpartition(":")[2] for use in offered(session) if "+" in use and use.startswith("cast")]
    changed = {(one.partition("+")[0].partition("=")[0], one.partition("+")[2]) for one in details}
    longer = {(spell, "extend_spell") for spell in ("ward", "stoneskin", "spirit_guardian")}
    assert changed == longer | {("flare", "expand_spell")}


@pytest.mark.rule("stage.power_effect.spell_modifier", "stage.magic.concentration")
@pytest.mark.parametrize(("spell", "track"), [("ward", "intellect"), ("stoneskin", "stamina"), ("shove", "will")])
def test_battle_mages_pay_from_the_track_of_the_spell(spell: str, track: str) -> None:
    session = duel(somebody(6, powers=("battle_mage",)), somebody(1))
    assert dict(upkeeps(session.scene, "ann", spell)["battle_mage"].amounts) == {track: 1}
