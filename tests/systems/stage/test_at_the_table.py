"""Texts in a fight: dice and costs of options, stakes, the fallen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from systems.playing import answer, events, status
from systems.stage.fights import asked, duel, place, session_with, strike
from systems.stage.people import person, somebody
from tablewright.engine.trace import Trace
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.costs import Cost
from tablewright.game.session.preview import preview_rule
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.index import ACTIONS
from tablewright.systems.stage.mechanics.attack import attack
from tablewright.systems.stage.mechanics.forms import Block, Blow, Defence, Form
from tablewright.systems.stage.status import PURSES


def told(session: Session) -> dict[str, tuple[str, str]]:
    """The options of the open question: what each is called, and what it is made with and costs."""
    question = asked(session)
    return {
        name: (question.label(option), question.cost_text(option))
        for name, option in zip(question.ids, question.options, strict=True)
    }


def labels(session: Session, who: str = "ann") -> dict[str, str]:
    """Options with their costs."""
    return {use.label: use.cost_text for use in ACTIONS.options(session.scene, who) if isinstance(use, ActionUse)}


def fought(session: Session) -> Session:
    """The fight from here to the first question of what to do."""
    session.do("stage.encounter")
    return session


@pytest.mark.rule("stage.attack.procedure", "stage.power.announce", "stage.attack.defensive")
def test_both_sides_of_an_attack_see_what_it_is_made_with_and_what_it_costs() -> None:
    session = fought(duel(person("torvald"), person("torvald")))
    answer(session, "attack:bob:short_sword")
    assert told(session)["melee_expert"] == ("melee expert", "4 dice, 1 point")
    answer(session, "plain")
    assert asked(session).details == {"pool": 3, "Hit Difficulty": "3"}
    answer(session, "2")
    assert session.seat == "bob"
    assert asked(session).details == {"to hit": "2 dice", "damage": "1 die", "Hit Difficulty": "3"}
    assert told(session) == {
        "nothing": ("nothing", ""),
        "dodge": ("dodge", "1 die, 1 AP"),
        "parry": ("parry", "2 dice +1, 1 Stamina"),
        "parry+melee_expert": ("parry with melee expert", "3 dice +1, 2 Stamina"),
    }


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (Form.parse("plain/1d"), "1 die"),
        (
            Form.parse("all/3d/b1/b2/p1/f2/x1/o2/i3/c2/no_parry/no_dodge"),
            "3 dice +4, 1 die more damage, 2 dice of other damage, ignores 3 of armour, no parry, no dodge, 2 points",
        ),
        (Defence.parse("parry/2d/f-1/c1"), "2 dice -1, 1 Stamina"),
        (Defence.parse("dodge/2d/l5/ap1/o1/bare"), "2 dice, at least 5, Size and cover do not count, 1 AP, 1 point"),
        (Defence.parse("cover/f3/c2"), "+3, 2 Stamina"),
        (Block.parse("block/2d/f1/m9/t2"), "2 dice +1, twice, at most 9, 1 Stamina"),
        (Block.parse("deflect/1d/m6/r1/ap1/c0/o3"), "1 die, at most 6, Resistance 1, 1 AP, 3 points"),
        (Block.parse("endure/a3/c0"), "stops 3"),
    ],
    ids=str,
)
@pytest.mark.rule("stage.power.announce", "stage.attack.defensive", "stage.defense.block")
def test_a_way_says_what_it_is_made_with_and_costs(way: Form | Defence | Block, words: str) -> None:
    assert way.cost == words


@pytest.mark.parametrize(
    ("blow", "hit", "damage"),
    [
        (Blow(Form("plain", 3), 2, 1), "2 dice", "1 die"),
        (Blow(Form("plain", 3, extra=1), 3, 0, first=-1), "3 dice -1", "1 and 1 die"),
        (Blow(Form("plain", 4), 1, 3, second=2), "1 die", "3 dice +2"),
    ],
)
@pytest.mark.rule("stage.attack.procedure")
def test_a_character_who_defends_sees_both_rolls(blow: Blow, hit: str, damage: str) -> None:
    assert blow.words == {"to hit": hit, "damage": damage}


@pytest.mark.rule("stage.resource.death", "stage.resource.spend")
def test_a_block_that_takes_the_last_point_says_so_and_who_died_of_it_is_told() -> None:
    dying = {"stamina": 0, "vitality": 1, "ap": 0}
    session = fought(duel(person("guard"), person("torvald"), theirs=dying))
    answer(session, "attack:bob:spear", "2", "nothing", [3, 3], [4])
    assert asked(session).details == {"damage": 4, "left before death": "1"}
    answer(session, "block", [4])
    (struck,) = events(session, "Attacked")
    assert status(session, "bob").dead
    assert (struck.damage, struck.fallen) == (0, "Torvald is dead")
    (result,) = [line.result for line in session.log if isinstance(line, Trace) and line.call.mechanic is attack]
    assert (result.points, result.last) == (1, "paid")  # what was paid is told, not what it was worth
    assert struck.narrate() == "ann hits bob with spear; block: no damage; Torvald is dead"


@pytest.mark.rule("stage.resource.spend")
def test_a_block_that_leaves_a_point_says_nothing_of_death() -> None:
    session = fought(duel(person("guard"), person("torvald"), theirs={"stamina": 1, "vitality": 5, "ap": 0}))
    answer(session, "attack:bob:spear", "2", "nothing", [3, 3], [4])
    assert asked(session).details == {"damage": 4}


@pytest.mark.parametrize(
    ("vitality", "dice", "fallen"), [(6, [6], ""), (5, [6], "Somebody is dead")], ids=["a point is left", "none is"]
)
@pytest.mark.rule("stage.resource.death", "stage.resource.damage_overflow")
def test_a_blow_tells_who_falls_by_it(vitality: int, dice: list[int], fallen: str) -> None:
    bare = somebody(close_combat=1)
    session = duel(person("guard"), bare, theirs={"stamina": 1, "vitality": vitality, "ap": 0})
    strike(session, [3, 3], dice)
    assert [one.fallen for one in events(session, "Attacked")] == [fallen]


@pytest.mark.parametrize(
    ("stamina", "vitality", "words"),
    [(2, 3, "2 AP, 1 stamina"), (0, 3, "2 AP, 1 vitality"), (0, 1, "2 AP, 1 vitality, the last of it")],
)
@pytest.mark.rule("stage.resource.spend")
def test_a_price_says_from_which_track_it_would_be_paid(stamina: int, vitality: int, words: str) -> None:
    session = duel(person("torvald"), person("guard"), mine={"stamina": stamina, "vitality": vitality})
    assert labels(session)["Tumble"] == words


@pytest.mark.rule("stage.resource.spend")
def test_a_price_that_runs_over_names_both_tracks() -> None:
    session = duel(person("torvald"), person("guard"), mine={"stamina": 1, "vitality": 3})
    assert PURSES.words_for(session.scene, "ann", Cost.of(ap=1, stamina=2, will=1)) == (
        "1 AP, 1 stamina, 1 vitality, 1 will"
    )


@pytest.mark.rule("stage.athletics.throw")
def test_a_spear_that_is_thrown_is_not_a_spear_that_is_thrust() -> None:
    session = duel(person("brynh"), person("guard"))
    assert {"Attack Guard with the spear", "Attack Guard with the spear, thrown"} <= set(labels(session))


@pytest.mark.rule("stage.gap.magic.spells", "stage.magic.app_cast")
def test_an_element_belongs_to_the_name_of_its_spell() -> None:
    session = duel(person("ysolt"), person("guard"))
    assert {"Flare (fire) on Guard", "Flare (cold) on Guard", "Healing Touch on Ysolt"} <= set(labels(session))


@pytest.mark.rule("stage.action.multi_turn")
def test_an_action_begun_says_how_much_is_paid_now() -> None:
    session = duel(person("torvald"), person("guard"), mine={"ap": 2})
    assert labels(session)["Begin: Grapple Guard"] == "2 of 3 AP"


@pytest.mark.rule("stage.action.interruption", "stage.action.prepare_interruption")
def test_an_interrupter_is_told_the_action_and_its_odds_beforehand() -> None:
    people = [
        place(person("torvald"), "party", who="ann"),
        place(person("brynh"), "party", who="cid"),
        place(person("guard"), "foes", who="bob", stamina=9),
    ]
    session = fought(session_with(people))
    answer(session, "prepare")
    assert asked(session).details == {"who": "ann", "left": "0 AP and 1 prepared"}
    answer(session, "end_turn")
    use = asked(session).option("attack:bob:spear")
    assert preview_rule(session, "cid", use, "cid").subject.mechanic.name == "stage.attack"
    answer(session, "attack:bob:spear")
    assert session.seat == "ann"
    assert asked(session).details == {"who": "ann", "kind": "window", "before": "Brynh: Attack Guard with the spear"}
    answer(session, "pass", "1", "nothing", [1])
    assert asked(session).details == {"who": "ann", "kind": "window", "after": "Brynh: Attack Guard with the spear"}


@pytest.mark.rule("stage.action.interruption")
def test_odds_are_told_though_a_companion_of_the_same_seat_could_interrupt() -> None:
    mine = [
        replace(place(person(name), "party", who=who), seat="me")
        for who, name in (("ann", "torvald"), ("cid", "brynh"))
    ]
    session = fought(session_with([*mine, place(person("guard"), "foes", who="bob")]))
    answer(session, "prepare", "end_turn")
    use = asked(session).option("attack:bob:spear")
    assert preview_rule(session, "cid", use, "me").subject.mechanic.name == "stage.attack"


@pytest.mark.rule("stage.action.interruption", "stage.magic.visibility")
def test_an_interruption_does_not_know_which_spell_is_coming() -> None:
    session = fought(duel(person("torvald"), person("ysolt")))
    answer(session, "prepare", "end_turn", "cast:ann:flare=fire")
    assert asked(session).details["before"] == "Ysolt: a spell"


@pytest.mark.rule("stage.injury.disability")
def test_the_counters_that_take_dice_stand_beside_the_question() -> None:
    session = fought(duel(person("torvald"), person("guard"), mine={"vitality": 3}))
    assert asked(session).details == {"who": "ann", "left": "3 AP", "disability counters": 2}
