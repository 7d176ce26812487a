"""Every power that works in a fight, by its kind: using it changes a scene, or what is rolled, by what its data say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from each_case import each_case
from systems.playing import answer, events, go, status
from systems.stage.fights import (
    BOOK,
    ONE,
    TWO,
    act,
    asked,
    closed,
    duel,
    fighter,
    held_by,
    next_round,
    offered,
    place,
    session_with,
)
from systems.stage.people import OPTIONS, library, refused, somebody
from tablewright.engine import Choice, Process
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import ItemStack
from tablewright.game.ground.facts import Facts
from tablewright.game.play.effects import Duration, Effect
from tablewright.game.scene.game import Game
from tablewright.game.session.session import Session
from tablewright.systems.stage.actions.aim import blocks, forms
from tablewright.systems.stage.actions.defences import BRAWL_PARRY, DODGE, Answering, defences
from tablewright.systems.stage.actions.strike import after_defence
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.now import arms, hit_difficulty, most_defense_points, pool, resistance_of
from tablewright.systems.stage.values import SCHOOLS, SKILLS


def of_type(kind: str, *, magic: bool | None = None) -> list[str]:
    """The powers of a type, by id."""
    found = [one for one in library().of(Power) if one.type == kind]
    return [one.id for one in found if magic is None or one.magic is magic]


def power(name: str) -> Power:
    return library().get(Power, name)


def able(*powers: str, level: int = 3, has: Any = ("spear@hand",), **fields: Any) -> Any:
    """A character with every skill at a level and some powers."""
    return somebody(level, powers=powers, has=list(has), **fields)


def cost(name: str) -> int:
    return sum(power(name).cost.values())


# ---------------------------------------------------------------------- harder to hit


@pytest.mark.rule("stage.power_effect.hd_from_check")
@each_case("name", of_type("hd_from_check"))
@each_case(("how", "bonus"), [("result", 11), ("half", 5)])
def test_a_check_makes_harder_to_hit(name: str, how: str, bonus: int) -> None:
    session = duel(able(name), able(), options=OPTIONS.put("hd_from_check", how))
    act(session, f"power::{name}", faces=[[6, 4, 1]])
    assert hit_difficulty(session.scene, "ann", "bob").tally.total == 3 + bonus
    assert status(session).ap == 1
    assert sum([24 - getattr(status(session), track) for track in ("stamina", "intellect", "will")]) == 1


@pytest.mark.rule("stage.power_effect.deny_hd_bonuses")
@pytest.mark.parametrize("name", of_type("deny_hd_bonuses"))
def test_one_target_loses_its_bonuses(name: str) -> None:
    session = duel(able(name), able(), facts=Facts().set("cover", "bob", "3/4"))
    assert hit_difficulty(session.scene, "bob", "ann").tally.total == 9
    act(session, f"power:bob:{name}")
    assert hit_difficulty(session.scene, "bob", "ann").tally.total == 0
    assert status(session).ap == 2


@pytest.mark.rule("stage.power_effect.double_cover")
@pytest.mark.parametrize("name", of_type("double_cover"))
def test_cover_counts_double_for_one_attack(name: str) -> None:
    session = duel(able(), able(name), facts=Facts().set("cover", "bob", "1/2"))
    found = {way.name: way for way in defences(session.scene, "bob", "ann", melee=True, cover=3).ways}
    assert found[f"cover+{name}"].flat == 3
    assert found[f"dodge+{name}"].flat == 3
    assert f"cover+{name}" not in {way.name for way in defences(session.scene, "bob", "ann", melee=True).ways}


# ---------------------------------------------------------------------- answering attacks


@pytest.mark.rule("stage.power_effect.answer_ambush")
@pytest.mark.parametrize("name", of_type("answer_ambush"))
def test_an_ambush_can_be_answered(name: str) -> None:
    character = able(name, has=() if "fighter" in name else ("spear@hand",))
    session = duel(able(), character)
    found = defences(session.scene, "bob", "ann", melee=True, ambush=True).ways
    assert len(found) == 1
    permit = power(name).effects[0]
    assert found[0].dice == 3 - getattr(permit, "penalty_dice", 0)
    assert name in found[0].name


@pytest.mark.rule("stage.power_effect.parry_ranged")
@pytest.mark.parametrize(("name", "has"), [("deflective_stance", ()), ("deflect_projectile", ("spear@hand",))])
def test_missiles_are_parried_for_a_point_more(name: str, has: Any) -> None:
    session = duel(able(), able(name, has=has))
    found = {way.name: way.points for way in defences(session.scene, "bob", "ann", melee=False).ways}
    assert found[f"parry+{name}"] == 2
    assert not [
        way
        for way in defences(session.scene, "bob", "ann", melee=False, school="projection").ways
        if "parry" in way.name
    ]


@pytest.mark.rule("stage.power_effect.defend_other")
@pytest.mark.parametrize("name", of_type("defend_other"))
def test_a_neighbour_is_defended(name: str) -> None:
    people = [
        place(able(), "foes", who="bob"),
        place(able(), "party", who="ann"),
        place(able(name), "party", who="amy"),
    ]
    session = session_with(people)
    found = defences(session.scene, "ann", "bob", melee=True)
    own = [way for way in found.ways if way.ally]
    assert (found.ally, own[0].dice, own[0].ap, own[0].points) == ("amy", 3, 1, 1 if name == "interference" else 2)
    choices = {**TWO, "how to defend": "nothing", "defend your neighbour": own[0].name}
    act(session, "attack:ann:spear", who="bob", faces=[[6, 6, 6], [1, 1]], choices=choices)
    assert status(session, "amy").ap == 2
    assert not events(session, "Attacked")[0].hit


@pytest.mark.rule("stage.power_effect.dodge_extra")
def test_retreat_goes_further_and_counter_strikes_back() -> None:
    session = duel(able(), able("retreat"), apart=0, mine={"beside": ("bob",)}, theirs={"beside": ("ann",)})
    choices = {**ONE, "how to defend": "dodge", "move after the dodge?": "retreat::6,5"}
    act(session, "attack:bob:spear", faces=[[6, 6, 6], [1]], choices=choices)
    assert str(session.scene["bob"].position) == "6,5"
    assert status(session, "bob").stamina == 23
    back = duel(able(), able("counter"))
    answers: dict[str, str | list[str]] = {
        "dice for the first roll": ["1", "2"],
        "how to defend": ["dodge", "nothing"],
        "move after": "strike_back:ann",
    }
    act(back, "attack:bob:spear", faces=[[6, 6, 6], [1], [6, 6], [1, 1]], choices=answers)
    assert [one.by for one in events(back, "Attacked")] == ["ann", "bob"]
    assert status(back, "bob").stamina == 22


def brawling(session: Session, who: str) -> tuple[int, int]:
    """The dice and the flat bonus of a character's attack with bare hands."""
    made = pool(session.scene, who, "brawl.attack")
    return made.dice.total, made.flat.total


@pytest.mark.rule("stage.power_effect.on_defend")
@each_case(
    ("name", "kind", "school", "faces", "check"),
    [
        ("flank", "dodge", "", [], lambda s: brawling(s, "bob") == (3, 2)),
        ("redirect_momentum", "parry", "", [], lambda s: brawling(s, "bob") == (3, 1)),
        ("turnaround", "parry", "", [[4]], lambda s: status(s).stamina == 20),
        ("bolstering_counter", "counter", "animation", [], lambda s: brawling(s, "bob") == (4, 0)),
        ("stunting_counter", "counter", "animation", [], lambda s: brawling(s, "ann") == (2, 0)),
        ("soul_syphon", "counter", "animism", [[5]], lambda s: status(s, "bob").temporary["will"] == 5),
        ("spiritual_recoil", "counter", "animism", [[5]], lambda s: status(s).will == 19),
        ("feedback", "counter", "infusion", [[5]], lambda s: status(s).stamina == 19),
        ("syphon_energy", "counter", "infusion", [[5]], lambda s: status(s, "bob").temporary["stamina"] == 5),
        ("short_blink", "counter", "apportation", [], lambda s: status(s, "bob").beside == ()),
        ("forced_blink", "counter", "apportation", [], lambda s: status(s).beside == ()),
    ],
)
def test_a_successful_defence_has_its_effect(name: str, kind: str, school: str, faces: Any, check: Any) -> None:
    async def defended(game: Game) -> None:
        """A character has defended with success."""
        answered = Answering("bob", {"dodge": DODGE, "parry": BRAWL_PARRY}.get(kind, f"{school}.counter"))
        await after_defence(game, "bob", "ann", answered, success=True, school=school)

    has = ("spear@hand",) if kind != "parry" else ()
    session = duel(able(has=has), able(name, has=has), apart=0, mine={"beside": ("bob",)}, theirs={"beside": ("ann",)})
    book = replace(BOOK, processes=(*BOOK.processes, Process("stage.defended", defended, ())))
    session = Session(session.header, book)
    choices: dict[str, str] = {power(name).name: f"power:ann:{name}"} if power(name).cost else {}
    if kind == "dodge":
        choices["move after the dodge?"] = "stay"
    go(session, "stage.defended", faces=faces, choices=choices)
    assert check(session)


@pytest.mark.rule("stage.power_effect.absorb_damage")
@pytest.mark.parametrize(
    ("name", "attribute"), [("risk_minimization", "body"), ("slippery_soul", "soul"), ("slippery_mind", "mind")]
)
def test_damage_is_shrugged_off_up_to_the_level(name: str, attribute: Any) -> None:
    session = duel(able(), able(name))
    found = blocks(session.scene, "bob", attribute).absorptions
    assert [(one.name, one.absorbs) for one in found] == [(name, 3)]
    others = [kind for kind in ("body", "mind", "soul") if kind != attribute]
    assert not any(blocks(session.scene, "bob", kind).absorptions for kind in others)  # type: ignore[arg-type]
    if attribute == "body":
        act(
            session,
            "attack:bob:spear",
            faces=[[6, 6], [3, 3]],
            choices={**TWO, "how to defend": "nothing", "absorb it": name},
        )
        assert (status(session, "bob").stamina, status(session, "bob").intellect) == (21, 23)


@pytest.mark.rule("stage.power_effect.armour_use")
def test_a_second_block_and_an_allys_armour() -> None:
    mail = ("spear@hand", "mail_shirt@worn")
    session = duel(able(), able("fortify", has=mail))
    found = {one.name: one for one in blocks(session.scene, "bob", "body").blocks}
    assert (found["block+fortify"].times, found["block+fortify"].points, found["block"].points) == (2, 4, 1)
    amy = place(able(has=("plate_harness@worn",)), "foes", who="amy")
    link = duel(able(), able("the_strongest_link", has=("padded_coat@worn",)), amy)
    linked = {one.name: one for one in blocks(link.scene, "bob", "body").blocks}
    assert (linked["block"].most, linked["block+the_strongest_link"].most) == (3, 9)


@pytest.mark.rule("stage.power_effect.survive")
@pytest.mark.parametrize("name", of_type("survive"))
def test_once_a_day_the_last_point_stays(name: str) -> None:
    core = "sanity" if name == "stability" else "vitality"
    attack = "cast:bob:daze" if core == "sanity" else "attack:bob:spear"
    surface = "intellect" if core == "sanity" else "stamina"
    session = duel(able(spells=("daze",)), able(name, level=1), theirs={core: 1, surface: 0, "ap": 0})
    faces = [[6, 6, 6], [6]]
    choices = {} if core == "sanity" else {"dice for": "3", "how to defend": "nothing"}
    act(session, attack, faces=faces, choices=choices)
    assert getattr(status(session, "bob"), core) == 1
    go(session, "table.rule", who="ann", field="ap", value="3", reason="again")
    act(session, attack, faces=faces, choices=choices)
    assert getattr(status(session, "bob"), core) == 0


# ---------------------------------------------------------------------- attacking


@pytest.mark.rule("stage.power_effect.extra_damage")
@pytest.mark.parametrize("name", of_type("extra_damage"))
def test_more_dice_of_damage(name: str) -> None:
    session = duel(able(name, has=()), able())
    arm = arms(session.scene, "ann")[0]
    every = ("hit", "charge_hit", "ambush_hit", "snipe_hit")
    before = forms(duel(able(has=()), able()).scene, "ann", arm, "bob", moments=every).forms
    after = forms(session.scene, "ann", arm, "bob", moments=every).forms
    assert max([form.extra + form.other for form in after]) == max([form.extra + form.other for form in before]) + 1


@pytest.mark.rule("stage.power_effect.extra_damage")
def test_sources_of_damage_add_up() -> None:
    session = duel(able("cloak_and_dagger", "assassin"), able(), mine={"ambush": True})
    act(session, "attack:bob:spear", faces=[[6, 6], [1, 1], [5, 6]], choices=TWO)
    assert events(session, "Attacked")[0].damage == 13


@pytest.mark.rule("stage.power_effect.ignore_armour")
@pytest.mark.parametrize("name", of_type("ignore_armour"))
def test_an_attack_ignores_armour(name: str) -> None:
    session = duel(able(name), able())
    arm = arms(session.scene, "ann")[0]
    found = {form.name: form for form in forms(session.scene, "ann", arm, "bob").forms}
    assert (found[name].ignores, found[name].points, found["plain"].ignores) == (3, 2, 0)


@pytest.mark.rule("stage.power_effect.attack_form")
def test_forms_of_attack() -> None:
    lunge = duel(able("lunge"), able())
    found = {form.name: form for form in forms(lunge.scene, "ann", arms(lunge.scene, "ann")[0], "bob").forms}
    assert found["lunge"].no_parry
    two = duel(able("two_weapon_fighting", has=("dagger@hand", "short_sword@hand")), able())
    act(
        two,
        "attack:bob:dagger+two_weapon_fighting",
        faces=[[6, 6], [1, 1]],
        choices={**TWO, "how to defend": "nothing"},
    )
    assert status(two).ap == 2  # 3 levels and the sword's die
    with pytest.raises(IllegalActionError, match="no second weapon"):
        act(duel(able("two_weapon_fighting", has=("dagger@hand",)), able()), "attack:bob:dagger+two_weapon_fighting")
    shame = duel(able("embarrass"), able())
    act(shame, "attack:bob:spear+embarrass=soul", faces=[[6, 6], [1, 1]], choices={**TWO, "how to defend": "nothing"})
    assert (status(shame, "bob").will, status(shame, "bob").stamina) == (22, 24)
    whirl = duel(able("whirlwind_attack"), able(), place(able(), "foes", who="cat"))
    choices = {"dice for": "2", "how to defend": ["nothing", "dodge"]}
    act(whirl, "attack:bob:spear+whirlwind_attack", faces=[[3, 1, 1], [4, 3], [2, 5]], choices=choices)
    assert [one.hit for one in events(whirl, "Attacked")] == [True, False]  # 7 against 3, and against 3 and 5
    assert [status(whirl, who).stamina for who in ("bob", "cat")] == [17, 24]
    assert (status(whirl).ap, status(whirl).stamina, status(whirl, "cat").ap) == (1, 23, 2)


@pytest.mark.rule("stage.power_effect.ap_strip")
@pytest.mark.parametrize("name", of_type("ap_strip"))
def test_ap_are_taken(name: str) -> None:
    session = duel(able(name, has=() if name == "stunning_attack" else ("spear@hand",)), able())
    if name == "infuriate":
        act(session, "power:bob:infuriate", faces=[[1, 1, 1], [1, 1, 1]])
    else:
        arm = "unarmed" if name == "stunning_attack" else "spear"
        dice = [[6, 6], [1]] if arm == "unarmed" else [[6, 6], [1, 1]]
        act(session, f"attack:bob:{arm}+{name}", faces=dice, choices={**TWO, "how to defend": "nothing"})
    assert (status(session, "bob").ap, status(session).ap) == (0, 1)


@pytest.mark.rule("stage.power_effect.area_damage")
@pytest.mark.parametrize("name", of_type("area_damage"))
def test_several_are_hurt_who_lose(name: str) -> None:
    session = duel(able(name), able(), place(able(), "foes", who="cat"))
    detail = f"{name}=soul" if name == "disturbia" else name
    act(session, f"power::{detail}", faces=[[1, 1, 1], [6, 6, 6], [2, 2, 2], [4]])  # one check against both
    assert (status(session, "bob").will, status(session, "cat").will) == (20, 24)
    assert [event.success for event in events(session, "Tried")] == [True, False]


# ---------------------------------------------------------------------- for a time


@pytest.mark.rule("stage.power_effect.ally_cube_bonus")
@each_case("name", of_type("ally_cube_bonus"))
@each_case("how", ["die", "skill_level_flat"])
def test_allies_in_the_cube_are_better(name: str, how: str) -> None:
    options = OPTIONS.put("ally_bonus", how)
    skill = power(name).skill
    ann, amy = able(name, level=2, **{skill: 3}), place(able(level=2), "party", who="amy", options=options)
    session = act(duel(ann, able(), amy, options=options), f"power::{name}")
    key = next(one.key for one in library().of("applications") if one.skill == skill)  # type: ignore[attr-defined]
    better = pool(session.scene, "amy", key)
    assert (better.dice.total, better.flat.total) == ((3, 0) if how == "die" else (2, 3))
    assert [pool(session.scene, who, key).dice.total for who in ("ann", "bob")] == [3, 3]


def with_a_friend(name: str) -> Session:
    """Ann with a power and Amy beside her, against Bob."""
    return duel(able(name), able(), place(able(), "party", who="amy"))


@pytest.mark.rule("stage.power_effect.group_bonus")
@pytest.mark.parametrize(
    ("name", "key"), [("inspiring_art", "brawl.attack"), ("inspire_heroism", "close_combat.attack")]
)
def test_several_are_inspired(name: str, key: str) -> None:
    session = with_a_friend(name)
    detail = name if name == "inspiring_art" else f"{name}=close_combat"
    use = next(one for one in offered(session) if one.endswith(f":{detail}"))
    act(session, use)
    assert pool(session.scene, "amy", key).flat.total == 3
    if name == "inspire_heroism":
        assert pool(session.scene, "amy", "brawl.attack").flat.total == 0


@pytest.mark.rule("stage.power_effect.target_penalty")
@pytest.mark.parametrize(
    ("name", "use", "dice", "flat"),
    [
        ("bring_it_on", "power::bring_it_on", -1, 0),
        ("terrorize", "power:bob:terrorize", 0, -3),
        ("discourage", "power:bob:discourage=close_combat", -1, 0),
        ("rebuke", "power:bob:rebuke", -1, 0),
        ("aggravate", "power:bob:aggravate", 0, -3),
    ],
)
def test_a_target_is_worse_off(name: str, use: str, dice: int, flat: int) -> None:
    session = act(duel(able(name), able()), use)
    worse = pool(session.scene, "bob", "close_combat.attack", against="ann", words=("opposed",))
    assert (worse.dice.total, worse.flat.total) == (3 + dice, flat)
    assert cost(name) + sum([getattr(status(session), track) for track in ("stamina", "intellect", "will")]) == 72


@pytest.mark.rule("stage.power_effect.dice_per_resource")
@pytest.mark.parametrize(("name", "track"), [("strategic_observation", "intellect"), ("braggadocio", "will")])
def test_dice_for_points(name: str, track: str) -> None:
    session = duel(able(name), able())
    assert f"power::{name}=4" not in offered(session)
    act(session, f"power::{name}=3")
    assert (getattr(status(session), track), status(session).ap) == (21, 0)
    assert pool(session.scene, "ann", "brawl.attack", words=("opposed",)).dice.total == 6


@pytest.mark.rule("stage.power_effect.extra_ap")
@pytest.mark.parametrize(
    ("name", "who"), [("strategic_deployment", "ann"), ("strain", "ann"), ("stimulating_art", "amy")]
)
def test_one_ap_more(name: str, who: str) -> None:
    session = with_a_friend(name)
    act(session, f"power:{'' if who == 'ann' else who}:{name}")
    assert status(session, who).ap == 4


@pytest.mark.rule("stage.power_effect.convert_disability", "stage.power_effect.ignore_disability")
@pytest.mark.parametrize(("powers", "before"), [((), 1), (("athletes_constitution",), 3)])
def test_counters_become_dice(powers: tuple[str, ...], before: int) -> None:
    session = duel(able("last_stand"), able(), place(able(*powers), "party", who="amy", vitality=22))
    assert pool(session.scene, "amy", "brawl.attack").dice.total == before
    act(session, "power:amy:last_stand")
    assert pool(session.scene, "amy", "brawl.attack").dice.total == 5, "also those that were ignored, and those once"


@pytest.mark.rule("stage.power_effect.war_cry")
def test_war_cry_suppresses_restores_and_frightens() -> None:
    session = duel(able("war_cry"), able(), mine={"vitality": 23, "stamina": 10})
    act(session, "power::war_cry", faces=[[4]])
    assert pool(session.scene, "ann", "brawl.attack").dice.total == 3
    assert (status(session).stamina, status(session).will, status(session).ap) == (14, 21, 1)
    assert pool(session.scene, "bob", "brawl.attack", against="ann", words=("opposed",)).flat.total == -3


@pytest.mark.rule("stage.power_effect.enhance_item")
@pytest.mark.parametrize("what", ["any_check", "resistance", "max_defense_points"])
def test_an_item_is_strengthened(what: str) -> None:
    session = duel(able("strengthen", has=("spear@hand", "padded_coat@worn")), able())
    act(session, f"power::strengthen={what}")
    scene = session.scene
    now = (
        pool(scene, "ann", "brawl.attack").flat.total,
        resistance_of(scene, "ann", "body"),
        most_defense_points(scene, "ann"),
    )
    assert now == {"any_check": (1, 0, 3), "resistance": (0, 1, 3), "max_defense_points": (0, 0, 5)}[what]


@pytest.mark.rule("stage.power_effect.restore", "stage.power_effect.recovery")
def test_points_are_given_back() -> None:
    session = duel(able("restoring_art", "second_wind"), able(), mine={"intellect": 20, "will": 20})
    act(session, "power:ann:restoring_art=intellect", faces=[[3]])
    assert (status(session).intellect, status(session).will) == (23, 18)
    go(session, "table.rule", who="ann", field="ap", value="3", reason="on")
    act(session, "power::second_wind=will")
    assert (status(session).will, status(session).ap) == (24, 0)
    go(session, "table.rule", who="ann", field="ap", value="3", reason="on")
    refused("used up", act, session, "power::second_wind=will")


@pytest.mark.rule(
    "stage.power_effect.free_step",
    "stage.power_effect.telekinesis",
    "stage.power_effect.reveal_tracks",
)
def test_small_things_that_happen_at_once() -> None:
    session = duel(able("short_sprint", "minor_telekinesis", "spirit_ken"), able(), apart=0)
    act(session, "power::short_sprint", choices={"next to whom?": "bob"})
    assert (status(session).beside, status(session).ap, status(session).stamina) == (("bob",), 3, 23)
    act(session, "power:bob:spirit_ken")
    told = events(session, "Checked")[-2]
    assert (told.to, "stamina 24" in told.result) == ("ann", True)
    go(session, "table.rule", who="ann", field="ap", value="3", reason="on")
    act(session, "power::minor_telekinesis")
    assert (status(session).will, status(session).ap) == (23, 0)


@pytest.mark.rule("stage.power_effect.hide_in_plain_sight")
@pytest.mark.parametrize("name", of_type("hide_in_plain_sight"))
def test_hiding_in_plain_sight(name: str) -> None:
    session = duel(able(name), able())
    assert closed(duel(able(), able()), "hide") == ("in plain sight of Somebody 2", "stage.guile.sneak")
    penalty = power(name).effects[0].penalty_dice  # type: ignore[union-attr]
    act(session, f"hide::{name}", faces=[[6] * (3 - penalty), [1, 1, 1]])
    assert session.scene["ann"].hidden
    assert status(session).ambush
    seen = act(duel(able(name), able()), f"hide::{name}", faces=[[1] * (3 - penalty), [6, 6, 6]])
    assert not seen.scene["ann"].hidden


# ---------------------------------------------------------------------- spells


@pytest.mark.rule("stage.magic.concentration", "stage.power_effect.spell_modifier")
@pytest.mark.parametrize(("powers", "ap"), [((), 2), (("battle_meditation",), 1), (("battle_mage",), 0)])
def test_a_spell_is_kept_up_for_ap(powers: Any, ap: int) -> None:
    session = act(duel(able(*powers, spells=("ward",)), able()), "cast:ann:ward", faces=[[6, 6, 6]])
    assert hit_difficulty(session.scene, "ann", "bob").tally.total == 6
    go(session, "table.rule", who="", field="round", value="2", reason="the next turn")
    go(session, "table.rule", who="ann", field="ap", value="3", reason="the next turn")
    act(session, "concentrate:ann:ward" + ("" if ap else f"+{powers[0]}"))
    assert status(session).ap == 3 - ap
    held = held_by(session, "ward")
    assert held.until.round == 3


@pytest.mark.rule("stage.power_effect.spell_modifier")
def test_spells_cheaper_longer_further_and_ended() -> None:
    cheap = act(duel(able("cantrips", spells=("flare",)), able()), "power::cantrips")
    go(cheap, "table.rule", who="ann", field="ap", value="3", reason="on")
    act(cheap, "cast:bob:flare=fire", faces=[[1, 1, 1], [1, 1, 1]], choices={"how to defend": "dodge"})
    assert status(cheap).intellect == 23
    free = act(duel(able("cantrips", spells=("ward",)), able()), "power::cantrips")
    later = act(next_round(free), "cast:ann:ward", faces=[[6, 6, 6]])
    assert status(later).intellect == 24, "a spell of one point costs nothing"
    long = duel(able("extend_spell", spells=("stoneskin",)), able())
    act(long, "cast:ann:stoneskin+extend_spell", faces=[[6, 6, 6]])
    held = held_by(long, "stoneskin")
    assert (held.until.round, status(long).stamina) == (5, 21)
    far = duel(able("expand_spell", spells=("flare",)), able(), apart=8)
    refused("out of reach", act, far, "cast:bob:flare=fire")
    act(far, "cast:bob:flare=fire+expand_spell", faces=[[1, 1, 1], [1, 1, 1]], choices={"how to defend": "dodge"})
    assert status(far).intellect == 21
    ended = duel(able("dispel"), able(spells=("stoneskin",)))
    act(ended, "cast:bob:stoneskin", who="bob", faces=[[6, 6, 6]])
    assert resistance_of(ended.scene, "bob", "body") == 2
    act(ended, "power:bob:dispel", faces=[[2, 2, 2]])
    assert resistance_of(ended.scene, "bob", "body") == 0


@pytest.mark.rule("stage.magic.freedom")
def test_a_bound_character_casts_nothing_but_by_a_power_out_of_a_focus() -> None:
    caster = able("mind_sign", spells=("stoneskin",), prepared=("stoneskin",), focus="wand", has=("wand@hand",))
    session = duel(caster, able(), facts=Facts().set("bound", "ann", 1))
    assert (
        closed(duel(able(spells=("stoneskin",)), able(), facts=Facts().set("bound", "ann", 1)), "cast")[1]
        == "stage.magic.freedom"
    )
    act(session, "cast:ann:stoneskin+mind_sign", faces=[[6, 6, 6, 6]])
    assert status(session).stamina == 21


@pytest.mark.rule("stage.magic.visibility")
def test_an_invisible_spell_out_of_hiding_cannot_be_answered() -> None:
    aware, dodge = able("uncanny_awareness"), "dodge+uncanny_awareness"
    session = duel(able(spells=("soul_sting",)), aware, mine={"hidden": True})
    act(session, "cast:bob:soul_sting", faces=[[6, 6, 6], [2]])
    assert (status(session, "bob").will, status(session, "bob").ap) == (22, 3)
    for spell, mine, defence in (("soul_sting", {}, "counter"), ("flare=fire", {"hidden": True}, dodge)):
        seen = duel(able(spells=("soul_sting", "flare")), aware, mine=mine)
        act(seen, f"cast:bob:{spell}", faces=[[1, 1, 1], [1, 1, 1]], choices={"how to defend": defence})
        assert status(seen, "bob").ap == 2


# ---------------------------------------------------------------------- assisting


@pytest.mark.rule("stage.check.assist", "stage.power_effect.assist_equipment")
@pytest.mark.parametrize(("powers", "detail", "dice"), [((), "", 5), (("double_attack",), ":double_attack", 6)])
def test_a_bystander_lends_a_die_and_perhaps_the_weapon(powers: Any, detail: str, dice: int) -> None:
    session = duel(able(), able(), place(able(*powers), "party", who="amy"))
    act(session, "stand_by:ann", who="amy")
    choices = {"assist?": f"assist:ann{detail}", **ONE, "how to defend": "nothing"}
    act(session, "attack:bob:spear", faces=[[3], [1] * (dice - 1)], choices=choices)
    assert events(session, "Attacked")[0].damage == dice - 1
    assert (status(session, "amy").ap, status(session, "amy").stamina) == (2, 24 - len(powers))
    act(session, "stand_by::no_more", who="amy")
    assert status(session, "amy").held("stands_by") is None


# ---------------------------------------------------------------------- powers used again


@pytest.mark.rule("stage.power_effect.dice_per_resource")
def test_dice_that_were_bought_again_lapse_in_their_own_time() -> None:
    braggart = somebody(manipulation=5, agility=1, academics=1, powers=("braggadocio",))
    session = act(duel(braggart, fighter(), mine={"will": 9}), "power::braggadocio=4")
    later = next_round(session)
    act(later, "power::braggadocio=2")
    assert [(one.until.round, one.data.dice) for one in status(later).lasting] == [(2, 4), (3, 2)]
    assert pool(later.scene, "ann", "agility.tumble").dice.total == 1 + 4  # of special dice the best count
    go(later, "table.rule", who="ann", field="ap", value="1", reason="a moment later")
    act(later, "bluff:bob", faces=[[1], [1] * 4])
    assert not status(later).lasting  # one check is the next one for both


@pytest.mark.rule("stage.power_effect.dice_per_resource", "stage.resource.spend")
@pytest.mark.parametrize(("value", "most"), [("allow", 2), ("forbid", 1)])
def test_the_last_point_may_be_spent_on_dice_where_the_table_allows_it(value: str, most: int) -> None:
    options = OPTIONS.put("spend_last_core", value)
    braggart = somebody(manipulation=5, agility=1, academics=1, powers=("braggadocio",))
    session = duel(braggart, fighter(), options=options, mine={"will": 0, "spirit": 2})
    assert [one for one in offered(session) if one.startswith("power:")] == [
        f"power::braggadocio={number}" for number in range(1, most + 1)
    ]


@pytest.mark.rule("stage.power_effect.hd_from_check")
def test_a_new_stance_replaces_the_old_one_even_in_the_same_turn() -> None:
    shelled = somebody(defense=2, perception=1, academics=1, has=["padded_coat@worn"], powers=("shell",))
    session = act(duel(shelled, fighter(), mine={"ap": 6}), "power::shell", faces=[[6, 6]])
    act(session, "power::shell", faces=[[1, 1]])
    assert hit_difficulty(session.scene, "ann", "bob").tally.total == 2 + 3


@pytest.mark.rule("stage.power_effect.war_cry", "stage.power_effect.convert_disability")
def test_core_damage_ends_a_war_cry_and_neither_a_last_stand_nor_what_hinders() -> None:
    hero = somebody(creativity=6, intimidate=6, agility=6, academics=1, powers=("war_cry", "last_stand"))
    crier = duel(hero, fighter(), mine={"stamina": 0, "vitality": 4, "ap": 5})
    act(crier, "power::war_cry", faces=[[1]])
    act(crier, "power:ann:last_stand")
    both, hindered = status(crier).lasting, status(crier, "bob").lasting
    assert {"war_cry", "last_stand"} <= {one.id for one in both}
    for lasting, target, left in ((both, hero, "last_stand"), (hindered, fighter(athletics=6), "war_cry")):
        session = duel(fighter(), target, theirs={"stamina": 0, "vitality": 4, "ap": 0, "lasting": lasting})
        act(session, "attack:bob:spear", faces=[[6], [1, 1]], choices={**ONE, "how to defend": "nothing"})
        assert status(session, "bob").vitality == 2
        assert {one.id for one in status(session, "bob").lasting} & {"war_cry", "last_stand"} == {left}


@pytest.mark.rule("stage.brawl.grapple", "stage.power_effect.free_step", "stage.power_effect.hd_from_check")
def test_a_held_character_does_not_move_by_a_power() -> None:
    quick = somebody(athletics=3, guile=2, perception=1, academics=1, powers=("short_sprint", "catstep"))
    for held in ((), (Effect("held", Duration(2, "ann"), by="bob"),)):
        people = [
            place(quick, "party", (5, 5), who="ann", beside=("bob",), lasting=held),
            place(fighter(), "foes", (5, 5), who="bob", beside=("ann",)),
        ]
        session = session_with(people)
        able = [] if held else ["power::short_sprint", "power::catstep"]
        assert [one for one in offered(session) if one.startswith("power:")] == able


@pytest.mark.rule("stage.power_effect.recovery", "stage.healing.recompose")
def test_second_wind_is_for_a_track_that_has_lost_something() -> None:
    session = duel(somebody(2, powers=("second_wind",)), fighter(), mine={"will": 3})
    assert [one for one in offered(session) if one.startswith("power:")] == ["power::second_wind=will"]


# ---------------------------------------------------------------------- powers beside each other


@pytest.mark.rule("stage.power_effect.war_cry", "stage.power_effect.ignore_disability")
@pytest.mark.parametrize(("lost", "before"), [(2, 3), (5, 1), (9, 1)])
def test_counters_that_are_ignored_anyway_are_not_given_back_twice(lost: int, before: int) -> None:
    ann = somebody(3, powers=("war_cry", "athletes_constitution"))
    session = duel(ann, somebody(3), mine={"vitality": 24 - lost})
    assert pool(session.scene, "ann", "brawl.attack").dice.total == before
    act(session, "power::war_cry", faces=[[1]])
    assert pool(session.scene, "ann", "brawl.attack").dice.total == 3


@pytest.mark.rule("stage.power_effect.low_load_bonus")
def test_lightweight_adds_the_agility_level_to_agility_under_a_light_load() -> None:
    ann = somebody(agility=2, guile=1, perception=1, academics=1, powers=("lightweight",))
    laden = ann.changed(belongings=(ItemStack("plate_harness", place="worn"),))
    assert closed(duel(laden, somebody(1)), "power") == ("too much load", "stage.power.reuse")
    session = act(duel(ann, somebody(1)), "power::lightweight")
    assert [pool(session.scene, "ann", key).flat.total for key in ("agility.dodge", "brawl.parry")] == [2, 0]
    heavy = session.scene.with_status("ann", belongings=laden.belongings)
    assert pool(heavy, "ann", "agility.dodge").flat.total == -3  # the load alone


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.opposed.basic")
def test_two_users_of_a_power_each_hinder_against_themselves() -> None:
    loud = somebody(3, powers=("bring_it_on",))
    session = duel(loud, somebody(3), place(loud, "party", who="amy"))
    for who in ("ann", "amy", "ann"):
        act(session, "power::bring_it_on", who=who)
    for who in ("ann", "amy"):
        against = pool(session.scene, "bob", "perception.intuition", against=who, words=("opposed",))
        assert against.dice.total == 2
    assert pool(session.scene, "bob", "perception.intuition").dice.total == 3


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.power_effect.group_bonus")
def test_any_skill_can_be_named_and_several_one_after_the_other() -> None:
    session = duel(somebody(3, powers=("discourage",)), somebody(3))
    uses = [use for use in offered(session) if use.startswith("power:bob:discourage=")]
    assert {use.partition("=")[2] for use in uses} == set(SKILLS)
    for skill in ("brawl", "survival", "brawl"):
        act(session, f"power:bob:discourage={skill}")
    pools = [pool(session.scene, "bob", key).dice.total for key in ("brawl.attack", "survival.track", "agility.dodge")]
    assert pools == [2, 2, 3]
    dull = duel(somebody(3, powers=("discourage",)), somebody(3), options=OPTIONS.put("magic", "off"))
    named = {use.partition("=")[2] for use in offered(dull) if use.startswith("power:bob:discourage=")}
    assert named == set(SKILLS) - set(SCHOOLS)


@pytest.mark.rule("stage.power_effect.more_targets", "stage.power_effect.target_penalty")
def test_inspire_fear_reaches_more_in_the_cube_than_the_level() -> None:
    ann = somebody(1, intimidate=2, powers=("bring_it_on", "inspire_fear"))
    session = session_with([place(ann, "party", who="ann"), *[place(somebody(1), "foes", who=f) for f in "bcd"]])
    will = status(session).will
    act(session, "power::bring_it_on", choices={"who is reached?": ["b", "d"], "another target?": "c"})
    assert [status(session, foe).held("bring_it_on") is not None for foe in "bcd"] == [True, True, True]
    assert will - status(session).will == 2


@pytest.mark.rule("stage.power_effect.area_damage", "stage.check.botch")
def test_a_botched_outburst_fails_against_everybody() -> None:
    options = OPTIONS.put("power_prerequisites", "none")
    ann = somebody(creativity=1, agility=1, academics=1, powers=("rage",))
    session = duel(ann, somebody(1), options=options)
    act(session, "power::rage", faces=[[1], [1]])  # a 1 reaches 1, but it is a botch
    assert status(session, "bob").will == 8


# ---------------------------------------------------------------------- several targets


def band(leader: Any, *foes: str, **mine: Any) -> Any:
    """Ann with bob, cat and dan beside her, against some foes."""
    people = [place(leader, "party", who="ann", **mine)]
    people += [place(fighter(), "party", who=who, stamina=0) for who in ("bob", "cat", "dan")]
    return session_with([*people, *[place(fighter(), "foes", who=who) for who in foes]])


def under(session: Any, power: str) -> list[str]:
    """Participants under a power's effect."""
    everybody = session.scene.participants
    return [one.id for one in everybody if any(held.source.startswith(power) for held in one.status.lasting)]


@pytest.mark.rule("stage.power_effect.group_bonus")
@pytest.mark.parametrize("power", ["inspiring_art", "inspire_heroism"])
def test_inspiration_reaches_one_who_was_named_then_whom_the_user_chooses_one_cube_far(power: str) -> None:
    ann = somebody(creativity=2, perception=1, agility=1, powers=(power,))
    session = band(ann, "foe")
    detail = power if power == "inspiring_art" else f"{power}=brawl"
    act(session, f"power:dan:{detail}", choices={"who is reached?": "bob"})
    assert under(session, power) == ["bob", "dan"]
    for apart, open_ in ((1, True), (2, False)):
        people = [place(ann, "party", (5, 5), who="ann"), place(fighter(), "party", (5 + apart, 5), who="bob")]
        far = session_with([*people, place(fighter(), "foes", (9, 9), who="foe")])
        assert (f"power:bob:{detail}" in offered(far)) is open_


@pytest.mark.rule("stage.power_effect.target_penalty", "stage.power_effect.area_damage")
def test_a_character_who_has_more_foes_than_levels_chooses_among_them() -> None:
    loud = somebody(intimidate=2, perception=1, agility=1, powers=("bring_it_on",))
    for foes, choices in ((("eve", "fay", "gus"), {"who is reached?": ["gus", "eve"]}), (("eve", "gus"), {})):
        session = act(band(loud, *foes), "power::bring_it_on", choices=choices)
        assert under(session, "bring_it_on") == ["eve", "gus"]
    rage = band(somebody(3, intimidate=1, powers=("rage",)), "eve", "fay")  # the level of the power's own skill
    act(rage, "power::rage", faces=[[1], [6], [2]], choices={"who is reached?": "fay"})
    assert [event.who for event in events(rage, "Attacked")] == ["fay"]


@pytest.mark.rule("stage.power_effect.bestow", "stage.resource.spend")
def test_war_song_asks_with_whom_and_shares_all_of_it() -> None:
    singer = somebody(intimidate=6, agility=4, academics=1, powers=("war_cry", "war_song"))
    session = band(singer, "foe", will=5, stamina=0)
    session.do("stage.perform", who="ann", use="power::war_cry")
    assert (asked(session).ids, asked(session).details["costs"]) == (("enough", "bob", "cat", "dan"), "1 will")
    answer(session, "cat", "enough", [3], [1])
    assert [status(session, who).stamina for who in ("ann", "bob", "cat", "dan")] == [3, 0, 1, 0]
    assert status(session).will == 1
    against = [held.data.against for held in status(session, "foe").lasting]
    assert against == ["ann", "cat"]
    assert [held.data.flat for held in status(session, "foe").lasting] == [-6, -6]


@pytest.mark.rule("stage.power_effect.bestow", "stage.resource.spend")
def test_nobody_shares_a_power_to_the_last_point_unasked() -> None:
    singer = somebody(intimidate=6, agility=1, academics=1, powers=("war_cry", "war_song"))
    session = band(singer, "foe", will=3, spirit=1)
    session.do("stage.perform", who="ann", use="power::war_cry")
    assert asked(session).details["costs"] == "1 spirit, the last of it"
    session.choose("enough")
    assert (status(session).will, status(session).spirit) == (0, 1)
    session = band(singer, "foe", will=3, spirit=1)
    session.do("stage.perform", who="ann", use="power::war_cry")
    session.choose("dan")
    assert status(session).comatose
    assert not isinstance(session.question, Choice)
