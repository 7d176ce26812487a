"""Which forms an attack can take now: plain, and with the powers that can be announced for it, each with its cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tablewright.engine.tally import Part
from tablewright.game.frozen import Frozen
from tablewright.game.prices import Price
from tablewright.game.scene import Scene
from tablewright.systems.stage.blows import Form
from tablewright.systems.stage.now import Arm, affordable, effects, pool, powers, price_of
from tablewright.systems.stage.now import announced as announced_price
from tablewright.systems.stage.powers import Adjust, Do, Forbid, Substitute, Trigger, Usable
from tablewright.systems.stage.rolling import Rolled
from tablewright.systems.stage.ways import (
    MOST_WAYS,
    OPPOSED,
    bundles,
    by_other_skills,
    helping,
    minds_opposition,
    once_opposed,
    rerollpoints_of,
    rerolls_left,
)

_NO_PRICE = Price()


class Forming(NamedTuple):
    """The forms of an attack that can be chosen, with the powers announced in each.

    ``rolled`` is the plain one as it is rolled, ``opposed`` as it is once the target defends.
    """

    forms: tuple[Form, ...]
    powers: Frozen[tuple[Usable, ...]]
    rolled: Rolled
    opposed: Rolled


def forms(
    scene: Scene,
    who: str,
    arm: Arm,
    target: str,
    *,
    dice: tuple[Part, ...] = (),
    flat: tuple[Part, ...] = (),
    moments: tuple[str, ...] = ("hit",),
    bonus: bool = True,
    skill: str = "",
) -> Forming:
    """Every form of an attack: plain, and with each power that can be announced for it, alone or two together.

    ``moments`` are when powers add damage by themselves: on a hit, a charge, a snipe, an ambush. ``bonus`` says whether
    the weapon's bonus counts.
    """
    weapon = arm.weapon if bonus else None
    extra = _extra(scene, who, moments, always=True)
    minds = minds_opposition(scene, who, target)

    def rolls(used: str = skill, bundle: tuple[Usable, ...] = (), words: tuple[str, ...] = ()) -> Rolled:
        with_what = {"weapon": weapon, "announced": bundle, "dice": dice, "flat": flat}
        return pool(scene, who, arm.key, skill=used, against=target, words=words, **with_what)  # type: ignore[arg-type]

    plain = rolls()
    opposed = rolls(words=OPPOSED) if minds else plain
    found = [again(once_opposed(_form("plain", plain, extra), plain, opposed), scene, who, plain.skill)]
    chosen: dict[str, tuple[Usable, ...]] = {"plain": ()}
    changing = [one for one in _changing(scene, who, arm.key) if affordable(scene, who, price_of(one.power))]
    others = [(one, use) for one in changing for use in _instead(one)]
    rest = [one for one in changing if not _instead(one)]
    every = bundles([*helping(scene, who, arm.key, skill), *rest])
    every += by_other_skills(scene, who, arm.key, others, rest)
    for bundle in sorted(every, key=len):
        price = announced_price(bundle)
        if len(found) >= MOST_WAYS or not affordable(scene, who, price):
            continue
        used = next((use for one in bundle for use in _instead(one)), skill)
        made = rolls(used, bundle)
        name = "+".join([one.id for one in bundle])
        form = _with(_form(name, made, extra), scene, who, bundle, arm.key)
        if minds:
            form = once_opposed(form, made, rolls(used, bundle, OPPOSED))
        found.append(again(form, scene, who, made.skill, price))
        chosen[name] = bundle
    return Forming(tuple(found), Frozen(chosen), plain, opposed)


def _form(name: str, made: Rolled, extra: int) -> Form:
    return Form(
        name,
        made.dice.total,
        bonuses=made.bonuses,
        penalties=made.penalties,
        extra=extra,
        untrained=made.untrained,
    )


def again(form: Form, scene: Scene, who: str, skill: str, price: Price = _NO_PRICE) -> Form:
    """A form that can be rolled again where a power of the skill that is rolled allows it."""
    times = rerolls_left(scene, who, skill, price)
    return form._replace(reroll=rerollpoints_of(scene, who, skill), rerolls=times) if times else form


def _changing(scene: Scene, who: str, key: str) -> Iterator[Usable]:
    """Announced powers that change an attack otherwise: armour ignored, no parry, another skill, more damage."""
    for one in powers(scene, who).values():
        if one.power.when != "announced" or one.power.ap is not None:
            continue
        for effect in one.effects:
            if _changes(effect, key):
                yield one
                break


def _instead(one: Usable) -> list[str]:
    """The skill that a power puts in the place of an attack's own, if it does."""
    return [effect.use for effect in one.effects if isinstance(effect, Substitute)]


def _changes(effect: object, key: str) -> bool:
    if isinstance(effect, Adjust):
        return "target_armour" in effect.on
    if isinstance(effect, Forbid):
        return effect.what in ("parry", "dodge") and effect.application in ("", key)
    if isinstance(effect, Substitute):
        return "attack" in effect.uses_for
    return isinstance(effect, Trigger) and effect.at == "hit" and (not effect.of or key in effect.of)


def _with(form: Form, scene: Scene, who: str, bundle: tuple[Usable, ...], key: str) -> Form:
    """A form with what the announced powers do besides adding to the pool."""
    points = sum([sum(one.power.cost.values()) for one in bundle])
    ignores = other = 0
    no_parry = no_dodge = False
    for one in bundle:
        for effect in one.effects:
            if isinstance(effect, Adjust) and "target_armour" in effect.on:
                ignores += scene[who].character.level(effect.amount.level_of or "")
            elif isinstance(effect, Forbid) and effect.application in ("", key):
                no_parry, no_dodge = no_parry or effect.what == "parry", no_dodge or effect.what == "dodge"
            elif isinstance(effect, Trigger) and effect.at == "hit":
                other += sum(
                    [each.amount.dice for each in effect.then if isinstance(each, Do) and each.what == "damage"]
                )
    return form._replace(points=points, ignores=ignores, other=other, no_parry=no_parry, no_dodge=no_dodge)


def _extra(scene: Scene, who: str, moments: tuple[str, ...], *, always: bool) -> int:
    """Dice of Body damage that powers add by themselves at a moment (stage.power_effect.extra_damage)."""
    total = 0
    for one, trigger in effects(scene, who, Trigger):
        if trigger.at in moments and (one.power.when == "always") is always:
            total += sum([each.amount.dice for each in trigger.then if isinstance(each, Do) and "body" in each.of])
    return total
