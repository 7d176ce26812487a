"""The powers: all 288 of the tables and 63 of the gaps, row by row, and what those that always work do."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from each_case import each_case
from systems.stage.people import OPTIONS, alone, library, numbers, person, plan, refused, scene_of, somebody
from tablewright.errors import InvalidInputError
from tablewright.game.character.character import Frozen
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.stage.character.figures import (
    added,
    armour_set,
    at_least,
    factor_of,
    figures,
    ignored,
    is_literate,
    load,
)
from tablewright.systems.stage.checks import announced_powers, cost_of, hours_of, replaced_by_ap, time_factor
from tablewright.systems.stage.effects import GROUPS, Power, Price, Substitute, effects_of, usable
from tablewright.systems.stage.legality import focus_slots
from tablewright.systems.stage.modifiers import applications, assistance, can_assist, rolled
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import ATTRIBUTE_OF, SCHOOLS, SKILLS

LEDGER = Ledger.load("stage")
ROWS = {row["name"]: row for rule in LEDGER.under("stage.power") if ".table_" in rule.id for row in rule.data}


def id_of(name: str) -> str:
    """The id of a power by its name."""
    return re.sub(r"_+", "_", re.sub(r"[^a-z0-9]+", "_", name.lower().replace("'", ""))).strip("_")


def of_type(kind: str) -> list[str]:
    """The names of the powers of one effect type."""
    return [name for name, row in ROWS.items() if row["effect"]["type"] == kind]


def power(name: str) -> Power:
    return library().get(Power, id_of(name))


# ---------------------------------------------------------------------- the tables


@pytest.mark.rule("stage.power.table_academics", "stage.power.table_agility", "stage.power.table_animation")
@pytest.mark.rule("stage.power.table_animism", "stage.power.table_apportation", "stage.power.table_athletics")
@pytest.mark.rule("stage.power.table_brawl", "stage.power.table_close_combat", "stage.power.table_crafts")
@pytest.mark.rule("stage.power.table_creativity", "stage.power.table_defense", "stage.power.table_general")
@pytest.mark.rule("stage.power.table_guile", "stage.power.table_infusion", "stage.power.table_intimidate")
@pytest.mark.rule("stage.power.table_manipulation")
@each_case(
    ("skill", "row"),
    [
        (one.id.partition("table_")[2], row)
        for one in LEDGER.under("stage.power")
        if ".table_" in one.id
        for row in one.data
    ],
)
def test_every_row_of_a_table_is_a_power(skill: str, row: Any) -> None:
    found = power(row["name"])
    assert (found.name, found.skill) == (row["name"], skill)
    assert (found.tier, found.type) == (row["tier"], row["effect"]["type"])
    assert dict(found.cost) == ({} if row["cost"] == "special" else dict(row["cost"]))
    assert found.requires == tuple([id_of(name) for name in row.get("requires", ())])


@pytest.mark.rule("stage.power.vocabulary", "stage.power.concept")
def test_the_vocabulary_counts_288_powers() -> None:
    listed = dict(LEDGER["stage.power.vocabulary"].data)
    shipped = [one for one in library().of(Power) if one.origin == "seed"]
    assert Counter([one.type for one in shipped]) == listed
    assert len(shipped) == 288
    for kind in listed:
        named = LEDGER[f"stage.power_effect.{kind}"].data["powers"]
        assert sorted([id_of(name) for name in named]) == sorted([one.id for one in shipped if one.type == kind])


# ---------------------------------------------------------------------- the gaps


@pytest.mark.rule("stage.gap.power.patterned")
@pytest.mark.parametrize("skill", list(LEDGER["stage.gap.power.patterned"].data))
def test_five_powers_of_each_skill_without_a_table(skill: str) -> None:
    names = LEDGER["stage.gap.power.patterned"].data[skill]
    found = [library().get(Power, id_) for id_ in names]
    kinds = ["assist_cap", "skill_die", "assist_cap", "ally_cube_bonus", "assist_cap"]
    assert [(one.skill, one.tier, one.type) for one in found] == [
        (skill, tier, kind) for tier, kind in enumerate(kinds, 1)
    ]
    caps = [at_least(f"assist_cap.{skill}", somebody(powers=(id_,)), OPTIONS, library()) for id_ in names[::2]]
    assert caps == [2, 3, 4]
    assert assistance(alone(somebody(1, powers=names[::2])), skill, others=9).changed == 4
    announced = usable((names[1],), library()).values()
    assert rolled(alone(somebody(2, powers=(names[1],))), f"{skill}.any", announced=announced).dice.total == 3


@pytest.mark.rule("stage.gap.power.magic_patterns")
@pytest.mark.parametrize("skill", ["projection", "psionics"])
def test_seven_patterns_of_magic(skill: str) -> None:
    rows = LEDGER["stage.gap.power.magic_patterns"].data[skill]
    names = ("Infuser's Sense", "Infuser's Focus", "Holy Symbol", "Power Symbol")
    for id_, name in zip(rows, (*names, "Bloodletter", "Instant Symbol", "Voiding Symbol"), strict=True):
        mine, model = library().get(Power, id_), power(name)
        assert (mine.tier, mine.type, mine.ap, mine.requires) == (rows[id_], model.type, model.ap, model.requires)
        assert list(mine.cost.values()) == list(model.cost.values())
        assert str(mine.effects) == str(model.effects).replace("infusion", skill)


@pytest.mark.rule("stage.gap.power.ranged_combat", "stage.power_effect.range_double")
def test_further_powers_of_ranged_combat() -> None:
    rows = LEDGER["stage.gap.power.ranged_combat"].data
    for id_, tier in rows.items():
        assert (library().get(Power, id_).skill, library().get(Power, id_).tier) == ("ranged_combat", tier)
    archer = somebody(1, powers=("far_shot",))
    assert factor_of("first_increment", archer, OPTIONS, library(), "ranged_weapon") == 2
    assert factor_of("first_increment", archer, OPTIONS, library(), "thrown") == 1
    thrower = somebody(1, powers=("far_throw",))
    assert factor_of("first_increment", thrower, OPTIONS, library(), "thrown") == 2
    assert factor_of("first_increment", thrower, OPTIONS, library(), "ranged_weapon") == 1
    assert "'parry'" not in str(library().get(Power, "unerring_shot").effects)
    assert "dodge" in str(library().get(Power, "unerring_shot").effects)


# ---------------------------------------------------------------------- dice and flat bonuses


@pytest.mark.rule("stage.power_effect.skill_die", "stage.power.announce")
@pytest.mark.parametrize("name", of_type("skill_die"))
def test_a_die_more_on_one_check(name: str) -> None:
    effect, id_ = ROWS[name]["effect"], id_of(name)
    holder = somebody(2, powers=(id_, "thief", "acrobat"))
    announced = announced_powers(alone(holder), [id_])
    key = f"{effect['skill']}.any"
    assert rolled(alone(holder), key).dice.total == 2  # only where it is announced
    assert rolled(alone(holder), key, announced=announced).dice.total == 2 + effect["dice"]
    other = "guile.any" if effect["skill"] != "guile" else "agility.any"
    assert rolled(alone(holder), other, announced=announced).dice.total == 2
    refused("has no power", announced_powers, alone(somebody(2)), [id_])
    application = next(one for one in applications(library()).values() if one.skill == effect["skill"])
    own, total = (cost_of(application, alone(holder), powers).to_json() for powers in ((), announced))
    for track, amount in dict(ROWS[name]["cost"]).items():
        assert total[track] == own.get(track, 0) + amount


@pytest.mark.rule("stage.power_effect.skill_level_flat", "stage.modifier.special_flat")
@pytest.mark.parametrize("name", of_type("skill_level_flat"))
def test_a_level_is_added_to_another_check(name: str) -> None:
    effect, id_ = ROWS[name]["effect"], id_of(name)
    word = effect["on"][0].replace(" ", "_")
    key = GROUPS[word][0] if word in GROUPS else f"{word}.any"
    rolled_skill = key.partition(".")[0]
    holder = somebody(1, **{effect["source"]: 5}, powers=(id_,))
    announced = announced_powers(alone(holder), [id_])
    attribute = library().get("skills", rolled_skill).attribute  # type: ignore[attr-defined]
    cap = figures(holder, OPTIONS, library()).level(attribute)
    assert rolled(alone(holder), key, announced=announced).flat.total == min(5, cap)
    assert rolled(alone(holder), key).flat.total == 0
    few = somebody(**{effect["source"]: 5, rolled_skill: 1}, powers=(id_,))
    limit = figures(few, OPTIONS, library()).level(attribute)
    assert rolled(alone(few), key, announced=announced_powers(alone(few), [id_])).flat.total == min(5, limit)


@pytest.mark.rule("stage.power_effect.skill_level_flat", "stage.modifier.special_flat")
def test_finesse_with_a_bow_is_limited_by_the_mind() -> None:
    (example,) = LEDGER["stage.power_effect.skill_level_flat"].examples
    given = example["given"]
    holder = somebody(agility=given["agility"], ranged_combat=1, academics=given["mind_level"] - 1, powers=("finesse",))
    finesse = announced_powers(alone(holder), ["finesse"])
    assert rolled(alone(holder), "ranged_combat.attack", announced=finesse).flat.total == example["expect"]["bonus"]
    bodily = somebody(agility=5, powers=("finesse",))
    assert rolled(alone(bodily), "brawl.attack", announced=announced_powers(alone(bodily), ["finesse"])).flat.total == 5
    small = somebody(agility=5, brawl=1, powers=("finesse", "surprise_attack"), guile=5)
    both = announced_powers(alone(small), ["finesse", "surprise_attack"])
    for cap, total in (("body_level", 10), ("none", 10)):
        options = StageOptions(body_bonus_cap=cap)  # type: ignore[arg-type]
        assert rolled(alone(small, options), "brawl.attack", announced=both).flat.total == total
    three = announced_powers(alone(small), ["finesse", "surprise_attack"]) + both
    assert rolled(alone(small), "brawl.attack", announced=three).flat.total == 11  # Body level
    free = alone(small, StageOptions(body_bonus_cap="none"))
    assert rolled(free, "brawl.attack", announced=three).flat.total == 20


@pytest.mark.rule("stage.power_effect.item_bonus")
@pytest.mark.parametrize("name", of_type("item_bonus"))
def test_a_bonus_with_what_was_chosen(name: str) -> None:
    effect, id_ = ROWS[name]["effect"], id_of(name)
    art = effect["scope"] == "one kind of art"
    replaced = id_of(effect["replaces"]) if "replaces" in effect else ""
    powers = (replaced, id_) if replaced else (id_,)
    choice = "song" if art else "lockpicks"
    holder = somebody(2, powers=powers, choices={powers[0]: [choice]})
    key = "guile.disable" if effect["skill"] == "any" else f"{effect['skill']}.any"

    def flat(with_what: str, check: str = key) -> int:
        item, kind = ("", with_what) if art else (with_what, "")
        return rolled(alone(holder), check, item=item, art=kind).flat.total

    assert flat(choice) == effect["amount"]
    scene = scene_of({"ann": holder})
    word = {"art": choice} if art else {"item": choice}
    check = {"any": "guile.sneak", "creativity": "creativity.perform", "intimidate": "intimidate.bully"}[
        effect["skill"]
    ]
    for where in (None, scene):
        assert numbers(plan(holder, check, scene=where, difficulty=5, **word))[2] == effect["amount"]
    assert flat("dance" if art else "dagger") == 0
    assert flat("") == 0
    if art:
        with pytest.raises(InvalidInputError, match=r'"sing" counts for nothing.*known are song; did you mean "song"'):
            plan(holder, check, difficulty=5, art="sing")
    if effect["skill"] != "any":
        assert flat(choice, "survival.track") == 0


# ---------------------------------------------------------------------- helpers


@pytest.mark.rule("stage.power_effect.assist_cap", "stage.check.assist")
@each_case("name", of_type("assist_cap"))
def test_more_helpers_count(name: str) -> None:
    effect, id_ = ROWS[name]["effect"], id_of(name)
    holder, skill = somebody(2, powers=(id_,)), effect["skill"]
    plain = somebody(2)
    assert assistance(alone(plain), skill, others=5).changed == 1
    assert assistance(alone(holder), skill, others=5).changed == effect["max_dice"]
    assert assistance(alone(plain), skill, [holder, plain, plain, plain, plain]).changed == effect["max_dice"]
    other = next(each for each in SKILLS if each != skill)
    assert assistance(alone(holder), other, others=5).changed == 1
    helper_only = alone(holder, StageOptions(assist_cap_holder="helper"))
    assert assistance(helper_only, skill, [plain] * 5).changed == 1
    assert assistance(alone(plain, StageOptions(assist_cap_holder="assisted")), skill, [holder] * 5).changed == 1


@pytest.mark.rule("stage.power_effect.assist_untrained", "stage.check.assist")
def test_possible_helpers() -> None:
    (name,) = of_type("assist_untrained")
    assert can_assist(somebody(guile=1), "guile", OPTIONS, library())
    assert not can_assist(somebody(agility=1), "guile", OPTIONS, library())
    assert can_assist(somebody(academics=2, powers=(id_of(name),)), "guile", OPTIONS, library())
    scene = scene_of(
        {"ann": somebody(2, name="Ann"), "bob": somebody(guile=1, name="Bob"), "cy": somebody(1, name="Cy")}
    )
    ann = scene["ann"].character
    helped = plan(ann, "agility.balance", scene=scene, difficulty=5, helped_by="cy")
    assert numbers(helped)[1] == 3
    refused("Bob does not know Agility", plan, ann, "agility.balance", scene=scene, difficulty=5, helped_by="bob")


# ---------------------------------------------------------------------- figures


@pytest.mark.rule("stage.power_effect.stat_bonus")
@pytest.mark.parametrize("name", of_type("stat_bonus"))
def test_a_value_is_raised(name: str) -> None:
    effect, id_ = ROWS[name]["effect"], id_of(name)
    plain = somebody(2, defense=3, has=["mail_shirt@worn"])
    holder = plain.changed(powers=(id_,))
    stat, amount = effect["stat"], effect.get("amount", 3)
    before, after = [figures(one, OPTIONS, library()) for one in (plain, holder)]
    if stat == "max_defense_points":
        assert armour_set(holder, OPTIONS, library()).total == armour_set(plain, OPTIONS, library()).total + amount
        assert armour_set(holder.changed(belongings=()), OPTIONS, library()).total == 0
    elif stat == "encumbrance_body_level":
        more = [new - old for new, old in zip(after.limits, before.limits, strict=True)]
        assert more == [amount, 2 * amount, 3 * amount]
    elif stat == "charge_cubes":
        assert sum([part.changed for part in added("charge_cubes", holder, OPTIONS, library())]) == amount
    else:
        for track in (stat,) if isinstance(stat, str) else stat:
            choices = {} if isinstance(stat, str) else {id_: (track,)}
            chosen = figures(holder.changed(choices=Frozen(choices)), OPTIONS, library())
            raised = {each: getattr(chosen, each) - getattr(before, each) for each in ATTRIBUTE_OF}
            assert raised == {each: amount if each == track else 0 for each in ATTRIBUTE_OF}


@pytest.mark.rule("stage.power_effect.ignore_encumbrance")
@pytest.mark.parametrize("name", of_type("ignore_encumbrance"))
def test_things_weigh_less(name: str) -> None:
    effect, id_ = ROWS[name]["effect"], id_of(name)
    things = ["mail_shirt@worn", "long_sword@hand", "rope", "rope"]
    weighs = {"all objects": 3 + 2 + 1 + 1, "melee weapons": 2, "armour": 3}[effect["category"]]
    for level in (1, 6):
        plain = somebody(**{effect["amount_level_of"]: level}, has=things)
        assert load(plain, OPTIONS, library()) == 7
        assert load(plain.changed(powers=(id_,)), OPTIONS, library()) == 7 - min(level, weighs)
    light = somebody(**{effect["amount_level_of"]: 6}, has=["dagger"], powers=(id_,))
    assert load(light, OPTIONS, library()) == (Fraction(1, 2) if effect["category"] == "armour" else 0)


@pytest.mark.rule("stage.power_effect.ignore_disability", "stage.injury.disability")
def test_counters_are_ignored_up_to_a_level() -> None:
    (example,) = LEDGER["stage.injury.disability"].examples
    lost = example["given"]["vitality_max"] - example["given"]["vitality"]
    assert lost == example["expect"]["disability_counters"]
    for name in of_type("ignore_disability"):
        skill = ROWS[name]["effect"]["amount_level_of"]
        for powers, ignores in (((), 0), ((id_of(name),), 2)):
            one = somebody(**{skill: 2, "guile": 4}, powers=powers)
            hurt = one.changed(wounds=one.wounds.changed(vitality=6 - lost, counters=1))
            assert rolled(alone(hurt), "guile.sneak").dice.total == max(1, 4 - lost - 1 + ignores)
    both = somebody(athletics=1, brawl=1, guile=4, powers=tuple([id_of(name) for name in of_type("ignore_disability")]))
    hurt = both.changed(wounds=both.wounds.changed(vitality=3))
    assert rolled(alone(hurt), "guile.sneak").dice.total == 4 - 3 + 2


@pytest.mark.rule("stage.power_effect.normal_move_cost")
@pytest.mark.parametrize("name", of_type("normal_move_cost"))
def test_movement_does_not_cost_double(name: str) -> None:
    holder = somebody(2, powers=(id_of(name),))
    for mode in ROWS[name]["effect"]["modes"]:
        assert ignored(f"move_cost.{mode}", holder, OPTIONS, library()) is None
        assert ignored(f"move_cost.{mode}", somebody(2), OPTIONS, library()) == 0
        assert applications(library())[mode].move_factor == 2


@pytest.mark.rule("stage.power_effect.time_factor")
@pytest.mark.parametrize("name", of_type("time_factor"))
def test_half_the_time(name: str) -> None:
    effect = ROWS[name]["effect"]
    holder, plain = somebody(2, powers=(id_of(name),)), somebody(2)
    for key in effect["applications"]:
        application = applications(library())[key]
        base = 8 if key != "crafts.sabotage" else 1
        mine, helped = time_factor(alone(holder), key), time_factor(alone(plain), key, [holder])
        half, whole = Fraction(1, 2), Fraction(1)
        assert (mine, helped) == ((whole, half) if effect.get("when") else (half, whole))
        assert hours_of(application, Fraction(1, 2)) == Fraction(base, 2)
    (example,) = LEDGER["stage.power_effect.time_factor"].examples
    research = applications(library())["academics.research"]
    second = example["given"]["second_roll"]
    assert hours_of(research, Fraction(example["given"]["factor"]), second) == example["expect"]["hours"]
    assert hours_of(research, Fraction(1, 4), 9) == 1


@pytest.mark.rule("stage.power_effect.no_penalty", "stage.creativity.perform")
def test_improvising_costs_a_die() -> None:
    (name,) = of_type("no_penalty")
    for powers, dice in (((), 2), ((id_of(name),), 3)):
        one = somebody(3, powers=powers)
        assert numbers(plan(one, "creativity.perform", difficulty=5, when="improvising"))[1] == dice
    assert numbers(plan(somebody(3), "creativity.perform", difficulty=5))[1] == 3


@pytest.mark.rule("stage.power_effect.grant_ability")
def test_schooling_gives_an_ability() -> None:
    schooled = somebody(guile=1, powers=("schooling",), choices={"schooling": ["literacy"]})
    assert is_literate(schooled, library())
    assert library().get(Power, "schooling").again
    assert [one.id for one in library().of(Power) if one.again] == ["schooling"]


@pytest.mark.rule("stage.power_effect.sacrifice_potency")
@pytest.mark.parametrize("name", of_type("sacrifice_potency"))
def test_a_sacrifice_yields_more(name: str) -> None:
    school = ROWS[name]["effect"]["school"]
    holder = somebody(4, powers=(id_of(name),))
    more = {each: sum([p.changed for p in added(f"sacrifice.{each}", holder, OPTIONS, library())]) for each in SCHOOLS}
    assert more == {each: 2 if each == school else 0 for each in SCHOOLS}


@pytest.mark.rule("stage.power_effect.focus")
@pytest.mark.parametrize("name", [name for name in of_type("focus") if ROWS[name]["effect"]["op"] == "slots"])
def test_slots_of_a_focus(name: str) -> None:
    effect = ROWS[name]["effect"]
    holder = somebody(4, powers=(id_of(name),))
    for school in (*SCHOOLS, "any"):
        slots = effect["slots"] if school == effect["school"] else 0
        assert focus_slots(holder, school, OPTIONS, library()) == slots
        assert focus_slots(holder, school, StageOptions(magic="off"), library()) == 0


# ---------------------------------------------------------------------- other prices and other skills


@pytest.mark.rule("stage.power_effect.ap_cost", "stage.power.format")
@pytest.mark.parametrize("name", of_type("ap_cost"))
def test_an_application_for_other_ap_and_its_cost_on_top(name: str) -> None:
    effect, row = ROWS[name]["effect"], ROWS[name]
    holder = somebody(6, powers=(id_of(name),))
    one = usable(holder.powers, library())[id_of(name)]
    for key in effect["applications"]:
        (price,) = [each for each in one.effects if isinstance(each, Price)]
        assert price.ap == effect["ap"]
        assert replaced_by_ap(key, [one]) == effect["ap"]
        if key in applications(library()):
            total = cost_of(applications(library())[key], alone(holder), [one]).to_json()
            own = cost_of(applications(library())[key], alone(holder)).to_json()
            for track, amount in dict(row["cost"]).items():
                assert total[track] == amount + own.get(track, 0)


@pytest.mark.rule("stage.power.format", "stage.power_effect.ap_cost")
def test_worked_examples_of_costs_on_top() -> None:
    (squire,) = LEDGER["stage.power.format"].examples
    holder = somebody(3, powers=("squire", "animators_sense"))
    announced = announced_powers(alone(holder), ["squire"])
    deflect = applications(library())[squire["given"]["application"]]
    assert cost_of(deflect, alone(holder), announced).to_json() == dict(squire["expect"]["total_cost"])
    assert replaced_by_ap("defense.deflect", announced) == squire["expect"]["ap"]
    (sense,) = LEDGER["stage.power_effect.ap_cost"].examples
    detect = applications(library())[sense["given"]["application"]]
    announced = announced_powers(alone(holder), ["animators_sense"])
    assert cost_of(detect, alone(holder), announced).to_json() == dict(sense["expect"]["total_cost"])


@pytest.mark.rule("stage.power_effect.swap_cost")
@pytest.mark.parametrize("name", of_type("swap_cost"))
def test_ap_in_the_place_of_stamina(name: str) -> None:
    effect = ROWS[name]["effect"]
    (price,) = power(name).effects
    assert isinstance(price, Price)
    assert (price.actions, price.ap, dict(price.instead_of)) == (
        (effect["application"],),
        effect["ap"],
        dict(effect["instead_of"]),
    )
    assert dict(applications(library())[effect["application"]].cost) == dict(effect["instead_of"])


@pytest.mark.rule("stage.power_effect.substitute_skill")
@pytest.mark.parametrize("name", of_type("substitute_skill"))
def test_another_skill_is_rolled(name: str) -> None:
    effect, id_ = ROWS[name]["effect"], id_of(name)
    holder = somebody(1, **{effect["use"]: 5}, powers=(id_,))
    (substitute,) = power(name).effects
    assert isinstance(substitute, Substitute)
    assert substitute.use == effect["use"]
    for key in effect["for"]:
        if key in applications(library()) and applications(library())[key].difficulty != "hit":
            assert numbers(plan(holder, key, powers=id_, difficulty=5))[1] == 5
            assert numbers(plan(holder, key, difficulty=5))[1] == 1
    throw = rolled(alone(holder), "close_combat.attack", skill=effect["use"])
    assert throw.dice.total == 5
    assert not throw.untrained


# ---------------------------------------------------------------------- all of them


@pytest.mark.rule("stage.power.typos")
def test_five_slips_as_meant_and_as_printed() -> None:
    data = LEDGER["stage.power.typos"].data
    slips = {one.name: one for one in library().of(Power) if one.printed}
    assert set(slips) == set(data["corrected"]) == set(data["printed"])
    for name, one in slips.items():
        for reading, typos in (("corrected", "corrected"), ("printed", "printed")):
            word = data[reading][name]
            text = str(effects_of(one, typos))  # type: ignore[arg-type]
            if word.endswith(" AP"):
                assert f"ap={word[0]}" in text
            else:
                assert word in text
    holder = somebody(6, powers=("razor_sharp",))
    for typos, ap in (("corrected", 0), ("printed", 1)):
        announced = announced_powers(alone(holder, StageOptions(power_typos=typos)), ["razor_sharp"])  # type: ignore[arg-type]
        assert replaced_by_ap("manipulation.insult", announced) == ap


@pytest.mark.rule("stage.power.announce")
def test_a_power_that_does_nothing_for_a_check_is_not_announced() -> None:
    arlef = person("arlef")
    refused("works by itself", announced_powers, alone(arlef), ["stalker"])
    refused("there is no power", announced_powers, alone(arlef), ["flying"])
    for name in ("thief", "catstep", "awareness"):
        refused("does nothing for Agility", plan, arlef, "agility.balance", difficulty=4, powers=name)
    caster = somebody(3, powers=("exert",))
    assert numbers(plan(caster, "infusion.detect", circle=1, powers="exert"))[1] == 4
    off = StageOptions(magic="off")
    refused("no magic", plan, somebody(3, powers=("distort",)), "guile.sneak", off, powers="distort")


@pytest.mark.rule("stage.power_effect.low_load_bonus")
def test_lightweight_counts_as_long_as_the_load_is_light() -> None:
    arlef = person("arlef")
    assert numbers(plan(arlef, "agility.balance", difficulty=4, powers="lightweight"))[1:3] == (2, 2)
    assert numbers(plan(arlef, "agility.balance", difficulty=4))[1:3] == (2, 0)
    heavy = arlef.changed(belongings=(*arlef.belongings, *somebody(has=["rope"] * 3).belongings))
    assert numbers(plan(heavy, "agility.balance", difficulty=4, powers="lightweight"))[1:3] == (2, 0)


@pytest.mark.rule("stage.power.reuse", "stage.modifier.special_flat", "stage.modifier.special_dice")
def test_several_powers_on_one_check() -> None:
    holder = somebody(3, powers=("thief", "distort"))
    both = announced_powers(alone(holder), ["thief", "distort"])
    throw = rolled(alone(holder), "guile.sneak", announced=both)
    assert (throw.dice.total, throw.flat.total) == (4, 3)
    assert rolled(alone(holder), "guile.sneak", announced=both) == throw
    assert rolled(alone(holder), "guile.sneak", announced=both[:1] * 2).dice.total == 4, "special dice do not add up"


@pytest.mark.rule("stage.power.vocabulary")
def test_a_type_of_power_is_one_that_the_rules_know() -> None:
    given = library().get(Power, "thief").model_dump()
    for rule in LEDGER.under("stage.power_effect"):
        Power.model_validate({**given, "type": rule.id.rpartition(".")[2]})
    with pytest.raises(ValueError, match=r"is not a type of power; allowed are .*war_cry"):
        Power.model_validate({**given, "type": "luck"})
