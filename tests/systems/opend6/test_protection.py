"""Protection from damage: shields, suits in layers, the most dice that resist, size, and what Fate does not double."""

from __future__ import annotations

from fractions import Fraction

import pytest

from each_case import each_case
from systems.opend6.fights import FOE, HERO, begin, fact, meeting, needed, person, plan, pool
from systems.opend6.people import LEDGER, C, do, library, planned, session_of, somebody
from systems.playing import answer
from tablewright.dice import OrMore
from tablewright.engine import Call, odds
from tablewright.engine.request import Attributed
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.systems.opend6.book import rulebook
from tablewright.systems.opend6.character.figures import hampered
from tablewright.systems.opend6.content import Armour
from tablewright.systems.opend6.mechanics.attack import attack
from tablewright.systems.opend6.mechanics.harm import resist
from tablewright.systems.opend6.now import armour_of, resistance_of, resisted
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.status import Grip

SHIELDED = person(FOE, belongings=[{"item": "large_shield", "place": "hand"}, {"item": "hides", "place": "worn"}])


@pytest.mark.rule("opend6.gap.armour.shields")
def test_a_shield_protects_nobody_who_is_attacked_from_behind() -> None:
    session = begin(HERO, SHIELDED)
    assert plan(session, "short_sword").protection.armour == C("3D+1")  # 2D+2 and 0D+2
    fact(session, "a", "from_behind", "yes", "b")
    assert plan(session, "short_sword").protection.armour == C("0D+2")


@pytest.mark.rule("opend6.gap.armour.shields")
def test_a_shield_helps_against_no_fall_and_no_hand_at_the_throat() -> None:
    falling = meeting(HERO, SHIELDED)
    falling.do("opend6.hazard", who="b", what="fall", metres=3)
    choked = begin(HERO, SHIELDED, statuses={"b": {"grip": Grip("a", "choked", "neck")}})
    for session in (falling, choked):
        assert pool(answer(session, [3, 3])) == "3D"  # Physique alone; the hides are pips


@pytest.mark.rule("opend6.gap.resistance.max", "opend6.gap.resistance.body_points")
@pytest.mark.parametrize(
    ("limited", "system", "physique", "items", "left"),
    [
        (False, "wounds", "5D", ["plate_mail"], ("5D", "3D")),
        (True, "wounds", "3D", ["plate_mail"], ("3D", "3D")),
        (True, "wounds", "4D+2", ["plate_mail"], ("4D+2", "1D+1")),  # pips count among the six dice
        (True, "wounds", "6D+1", ["plate_mail"], ("6D", "0D")),
        (True, "wounds", "5D", ["plate_mail", "large_shield"], ("5D", "1D")),
        (True, "body_points", "5D", ["plate_mail", "large_shield"], ("5D", "5D+2")),  # Physique does not resist here
        (True, "body_points_with_levels", "5D", ["plate_mail", "large_shield"], ("5D", "5D+2")),
    ],
)
def test_at_most_six_dice_resist(
    limited: bool, system: str, physique: str, items: list[str], left: tuple[str, str]
) -> None:
    armoured = [{"item": item, "place": place} for item, place in zip(items, ("worn", "hand"), strict=False)]
    foe = person(FOE, attributes={"physique": physique}, body_points=30, belongings=armoured)
    session = begin(HERO, foe, options={"resistance.max": limited, "injury.system": system})
    found = plan(session, "short_sword").protection
    assert (str(found.resistance), str(found.armour)) == left


@pytest.mark.rule("opend6.gap.resistance.negative")
@pytest.mark.parametrize(
    ("value", "worn", "less"),
    [
        ("zero", [], 0),
        ("add_to_all_difficulties", [], 4),
        ("add_to_all_difficulties", ["padded_leather"], 0),  # a die of armour keeps the total above zero
    ],
)
def test_a_resistance_below_zero_may_burden_everything(value: str, worn: list[str], less: int) -> None:
    clothed = [{"item": "short_sword", "place": "hand"}, *[{"item": one, "place": "worn"} for one in worn]]
    session = begin(person(belongings=clothed), FOE, options={"resistance.negative": value})
    session.do("table.modify", what="resistance", value=-4, reason="cursed", who="a")
    assert plan(session, "short_sword").throw.plain == -less


# ---------------------------------------------------------------------- armour in layers


SUITS = {one.id: one for one in library().of(Armour) if not one.shield}
LAYERS = OpenD6Options(armour_layering="layers")


@pytest.mark.rule("opend6.gap.armour.layering")
@each_case("name", list(SUITS))
def test_which_suits_go_together(name: str) -> None:
    rows = LEDGER["opend6.gap.armour.layering"].data["layers"]
    (kind,) = [layer for layer, suits in rows.items() if name in suits]
    assert SUITS[name].layer == kind
    for other in SUITS:
        session = session_of({"ann": somebody("Ann", belongings=suits((name, "worn"), (other, "pack")))}, LAYERS)
        both = somebody(kind="creature", belongings=suits((name, "worn"), (other, "worn")))
        wrong = {one.rule for one in rulebook.legality(both, LAYERS, library()).violations}
        if other in rows[kind]:
            assert wrong == {"opend6.gap.armour.layering"}
            with pytest.raises(IllegalActionError, match="does not go together"):
                do(session, "wear", who="ann", item=other)
        else:
            assert wrong == set()
            do(session, "wear", who="ann", item=other)
            pips = {one: SUITS[one].value.in_pips for one in (name, other)}
            thin = [pips[one] for one in pips if SUITS[one].layer in ("hide", "fabric")]
            worn = armour_of(session.scene["ann"].belongings, library()).in_pips
            assert worn == sum(pips.values()) - (min(thin) - 1 if thin else 0)
        assert rulebook.legality(both, OpenD6Options(), library()).violations


def suits(*things: tuple[str, str]) -> tuple[ItemStack, ...]:
    """Suits with their places."""
    return tuple([ItemStack(item, place=place) for item, place in things])


@pytest.mark.rule("opend6.gap.armour.layering")
def test_layers_make_agility_harder() -> None:
    worn = [{"item": one, "place": "worn"} for one in ("soft_leather", "chain_mail", "hides")]
    sword = [{"item": "short_sword", "place": "hand"}]
    for count, harder in [(0, 0), (1, 0), (2, 4), (3, 8)]:
        session = begin(person(belongings=[*sword, *worn[:count]]), FOE, options={"armour.layering": "layers"})
        assert hampered(session.scene["a"].belongings, library()) == harder
        assert needed(session, "short_sword") == 5 + harder
        answer(session, "1", "dodge", [5, 4, 4, 4])
        assert session.scene["a"].status.defence.total == 17 - harder
    two = suits(("soft_leather", "worn"), ("chain_mail", "worn"))
    ann = somebody(agility="3D", climbing="4D", search="4D", belongings=two)
    rows: list[tuple[str, OpenD6Options, dict[str, str], int]] = [
        ("climbing", LAYERS, {}, 14),
        ("climbing", LAYERS, {"use": "distance"}, 10),  # Physique
        ("search", LAYERS, {}, 10),
        ("climbing", OpenD6Options(), {}, 10),
    ]
    for skill, options, words, hard in rows:
        assert planned(ann, skill, options, difficulty=10, **words).tallies["difficulty"].total == hard


@pytest.mark.rule("opend6.gap.attack.scale", "opend6.fate.external_not_doubled")
def test_fate_doubles_no_size() -> None:
    small = person(FOE, scale=-4)
    session = answer(begin(person(fate_points=1), small), "1", "burn_fate")
    found = plan(session, "short_sword", "b", "a")
    assert (found.protection.resistance_bonus, found.protection.resistance_plain) == (0, 4)
    doubled = odds(resist(20, C("2D"), resistance_plain=4, doubled=True))
    assert doubled == odds(resist(16, C("4D")))
    whole = {"code": C("4D"), "damage": C("4D"), "resistance": C("2D"), "difficulty": 3}
    assert odds(attack(**whole, resistance_plain=4, their_doubled=True)) == odds(
        attack(**whole | {"resistance": C("4D")}, damage_plain=-4)
    )


def test_damage_beyond_the_end_of_its_table_is_resisted_as_the_least_of_it() -> None:
    """Advice on an attack with many dice was refused: the last line of exact damage is "60 or more"."""
    session = begin(HERO, FOE)
    rule = resisted(session.live, "b", OrMore(60, Fraction(63)), resistance_of(session.scene, "b"))
    asked = rule.send(None)
    rule.close()
    assert isinstance(asked, Attributed)
    assert isinstance(asked.ask, Call)
    assert asked.ask.arguments[0] == 60
