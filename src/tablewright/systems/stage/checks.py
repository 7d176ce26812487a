"""Checks by name, from a character and a situation in words.

A check whose result is itself a Difficulty, or points, is rolled against nothing. Every application that has an
opponent can be rolled as a contest; the one who hides sets the Difficulty, so that a tie favours the observer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from importlib.resources import files
from math import ceil
from typing import Any, NamedTuple

from tablewright.engine import Call, Parameter, Role
from tablewright.engine.parameter_types import ListType, TextType
from tablewright.engine.tally import Part
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean, refuse_if
from tablewright.game.play.checks import Check, CheckPlan, Contender, Own, Subject
from tablewright.game.play.costs import Cost, CostPaid
from tablewright.game.play.effects import EffectEnded
from tablewright.game.play.time_passage import advance_time
from tablewright.game.rules.yaml_compiler import read_data
from tablewright.game.scene.game import Game
from tablewright.systems.stage import modifiers, now
from tablewright.systems.stage.character.figures import (
    attribute_of,
    factor_of,
    figures,
    given,
    ignored,
    items,
    surface_of,
)
from tablewright.systems.stage.content import Application, Circumstance, Spell
from tablewright.systems.stage.effects import Power, Substitute, Trigger, Usable, powers_of
from tablewright.systems.stage.effects import Price as OtherPrice
from tablewright.systems.stage.mechanics.checks import (
    Botches,
    compete,
    flat,
    leveled,
    opposed,
    set_difficulty,
    unnoticed,
)
from tablewright.systems.stage.mechanics.forms import MOST_REROLLS
from tablewright.systems.stage.mechanics.rerolls import (
    Luck,
    compete_again,
    flat_again,
    opposed_again,
    set_again,
    unnoticed_again,
)
from tablewright.systems.stage.situations import (
    BY_DIFFICULTY,
    BY_NUMBER,
    COMMON,
    SPELL,
    TASK,
    DifficultyValue,
    difficulty_of,
    situation_of,
)
from tablewright.systems.stage.values import ATTRIBUTE_OF, CORE, HOUR, SCHOOLS, titled

# ---------------------------------------------------------------------- modifiers of the situation


def circumstances(
    application: Application, given: Mapping[str, Any], *, defends: bool = False
) -> Iterator[Circumstance]:
    """The circumstances that count, each as it counts here; of one group only the worst."""
    said = given.get("when", ())
    worst: dict[str, Circumstance] = {}
    for one in application.circumstances:
        times = 1
        if one.by is not None:
            number = given.get(one.by)
            if number is None:
                continue
            times = int(number <= one.at) if one.at is not None else max(0, number - one.over) // one.per
        elif one.name not in said and not (one.defends and defends):
            continue
        if times:
            counted = one.model_copy(update={"dice": one.dice * times, "flat": one.flat * times})
            key = one.group or one.name
            if key not in worst or (counted.dice, counted.flat) < (worst[key].dice, worst[key].flat):
                worst[key] = counted
    yield from worst.values()


def announced_powers(subject: Subject, names: Iterable[str]) -> tuple[Usable, ...]:
    """The powers that are announced for a check: among those that a character can use."""
    if subject.scene is not None:
        able = now.powers(subject.scene, subject.who)
    else:
        own = powers_of(subject.character.powers, subject.library, subject.options.power_typos)
        able = {one.id: one for one in own}
    found = []
    for name in dict.fromkeys(names):
        if name not in able:
            known = (
                f"{subject.character.name} has no power" if subject.library.has(Power, name) else "there is no power"
            )
            raise IllegalActionError(f'{known} "{name:.40}"{did_you_mean(name, able)}', rule="stage.power.announce")
        if able[name].power.when == "always":
            raise IllegalActionError(f"{able[name].power.name} works by itself", rule="stage.power.announce")
        if able[name].power.magic and subject.options.magic == "off":
            raise IllegalActionError("there is no magic", rule="stage.option.magic")
        found.append(able[name])
    return tuple(found)


def _helps(one: Usable, application: Application, skill: str, subject: Subject) -> bool:
    """True if an announced power changes a check at all: its numbers, its skill, its price, or by a second roll."""
    key = application.key
    words = modifiers.words_of(key, skill, attribute_of(skill, subject.library, subject.options.skill_attribute_source))
    if any(words.intersection(adjust.on) for adjust in modifiers.announced_adjustments(one)):
        return True
    if rerolling([one], skill) is not None or replaced_by_ap(key, [one]) is not None:
        return True
    return any(isinstance(effect, Substitute) and key in effect.uses_for for effect in one.effects)


def skill_for(application: Application, announced: Iterable[Usable]) -> str:
    """The skill that is rolled: another one where an announced power says so (stage.power_effect.substitute_skill)."""
    for one in announced:
        for effect in one.effects:
            if isinstance(effect, Substitute) and application.key in effect.uses_for:
                return effect.use
    return ""


def roll_of(
    application: Application,
    subject: Subject,
    given: Mapping[str, Any],
    *,
    words: tuple[str, ...] = (),
    against: str = "",
    defends: bool = False,
) -> modifiers.Rolled:
    """The dice pool of an application in a situation, with every modifier by name."""
    key, character, library = application.key, subject.character, subject.library
    if application.skill in SCHOOLS and subject.options.magic == "off":
        raise IllegalActionError("there is no magic", rule="stage.option.magic")
    if subject.scene is not None and not subject.scene[subject.who].status.able:
        raise subject.scene.cannot(subject.who, "can do nothing", "stage.encounter.flow")
    announced = announced_powers(subject, given["powers"])
    used = skill_for(application, announced)
    for one in announced:
        if not _helps(one, application, used or application.skill, subject):
            raise IllegalActionError(f"{one.power.name} does nothing for {titled(key)}", rule="stage.power.announce")
    dice = [Part("circumstances", given["dice"], "stage.check.gm_modifiers", modifiers.MUNDANE)]
    flats = [Part("circumstances", given["modifier"], "stage.check.gm_modifiers", modifiers.MUNDANE)]
    spared = ignored("improvising", character, subject.options, library)
    for part in circumstances(application, given, defends=defends):
        name = part.name.replace("_", " ")
        if part.name == "improvising" and spared is None:
            continue  # stage.power_effect.no_penalty
        dice.append(Part(name, part.dice, application.rule, modifiers.MUNDANE if part.dice > 0 else "penalty"))
        flats.append(Part(name, part.flat, application.rule, modifiers.MUNDANE if part.flat > 0 else "penalty"))
    flats += modifiers.tool_parts(application, subject, given["improvised"])
    helpers = modifiers.helpers_of(subject, used or application.skill, given["helped_by"])
    dice.append(modifiers.assistance(subject, used or application.skill, helpers, given["helpers"], given["cap"]))
    flats += modifiers.chosen_parts(subject, key, used, item=given["item"], art=given["art"])
    if subject.scene is not None:
        return now.pool(
            subject.scene,
            subject.who,
            key,
            skill=used,
            announced=announced,
            against=against,
            words=words,
            dice=tuple(dice),
            flat=tuple(flats),
        )
    return modifiers.rolled(subject, key, skill=used, words=words, announced=announced, dice=dice, flat=flats)


def target_of(application: Application, subject: Subject, name: str | None) -> Subject | None:
    """Target of the check."""
    if name is None:
        return None
    if subject.scene is None:
        raise InvalidInputError(f'"{name:.40}" is not here; say difficulty=...', field="target")
    one = subject.scene[name]
    if one.id == subject.who and not application.on_oneself:
        who = subject.scene.display_name(one.id)
        message = f"{titled(application.key)} needs another target than {who}, who makes the check"
        raise IllegalActionError(message, rule=application.rule)
    return Subject(one.character, subject.options, subject.library, one.status, subject.scene, one.id)


# ---------------------------------------------------------------------- cost and time


def cost_of(application: Application, subject: Subject, announced: Iterable[Usable] = (), core: int = 0) -> Cost:
    """Price of an application in points, with its announced powers (stage.power.format).

    Enchanting costs a point for every core point of the sacrifice.
    """
    price = Cost.of(**dict(application.cost))
    surface = application.surface_cost or (core if application.difficulty == "enchant" else 0)
    if surface:
        price += Cost.of(**{surface_of(application.skill, subject.library): surface})
    for one in announced:
        price += Cost.of(**dict(one.power.cost))
    return price


def demand_payable(subject: Subject, price: Cost, rule: str) -> None:
    """Refuse what a character cannot pay."""
    short = short_of(subject, price)
    if short is not None:
        raise IllegalActionError(short, rule=rule)


def short_of(subject: Subject, price: Cost) -> str | None:
    """Reason against a payment: a cost goes from the surface track on to the core (stage.resource.spend)."""
    most = figures(subject.character, subject.options, subject.library)
    kept = subject.character.wounds if subject.status is None else subject.status
    for track, amount in price.amounts:
        core = CORE[ATTRIBUTE_OF[track]]
        left = [getattr(kept, name) for name in (track, core)]
        surface, deep = [
            getattr(most, name) if has is None else has for name, has in zip((track, core), left, strict=True)
        ]
        spare = getattr(subject.status, "temporary", {}).get(track, 0)
        least = 1 if subject.options.spend_last_core == "forbid" else 0
        if amount > surface + spare + max(0, deep - least):
            return f"costs {amount} {track}, {surface + spare} left"
    return None


def time_factor(subject: Subject, key: str, helpers: Iterable[Any] = ()) -> Fraction:
    """Factor for the time of an application: powers halve it, also those of helpers; two halvings multiply."""
    factor = factor_of(f"time.{key}", subject.character, subject.options, subject.library)
    for helper in helpers:
        for one in given(helper, subject.options, subject.library):
            if one.adjust.op == "times" and one.adjust.when == "assisting" and one.concerns(f"time.{key}"):
                factor *= one.adjust.factor
    return factor


def hours_of(application: Application, factor: Fraction = Fraction(1), effect: int = 0) -> Fraction:
    """Hours of an application: its time, shortened by powers, less the second roll, at least one.

    A failed attempt has no second roll and takes all of it.
    """
    time = application.time
    if time is None:
        return Fraction(0)
    hours = time.hours * factor - (effect if time.less_second_roll else 0)
    return max(Fraction(time.least), hours)


def replaced_by_ap(key: str, announced: Iterable[Usable]) -> int | None:
    """The AP that an application takes instead of its own time, where an announced power says so."""
    for one in announced:
        for effect in one.effects:
            if isinstance(effect, OtherPrice) and key in effect.actions and not effect.instead_of:
                return effect.ap
    return None


# ---------------------------------------------------------------------- plans


def _plan(key: str, subject: Subject, **given: Any) -> CheckPlan:
    application = modifiers.applications(subject.library)[key]
    target = target_of(application, subject, given["target"])
    _limits(application, subject, given, target)
    throw = roll_of(application, subject, given, against=given["target"] or "")
    options = subject.options
    announced = announced_powers(subject, given["powers"])
    again = rerolling(announced, throw.skill)
    announced = tuple([one for one in announced if one is not again])
    price = cost_of(application, subject, announced, given.get("core") or 0)
    kind = application.check
    if kind == "spell":
        spell = _spell(subject, application, given)
        kind, price = spell.check, Cost.of(**dict(spell.cost)) + cost_of(application, subject, announced)
        if spell.difficulty is not None and given["difficulty"] is None:
            given = {**given, "difficulty": DifficultyValue(spell.difficulty)}
    demand_payable(subject, price, application.rule)
    factor = time_factor(subject, key, modifiers.helpers_of(subject, throw.skill, given["helped_by"]))
    names = "+".join([key, *[one.id for one in announced]])
    then = partial(_afterwards, application, price, factor, replaced_by_ap(key, announced), again=again, use=names)
    rerolls = 0 if again is None else affordable_rerolls(subject, price, again)
    if application.difficulty == "none":
        numbers = (throw.dice.total, throw.flat.total, throw.untrained, options.botch_fails, options.botch_scope)
        call: Call[Any] = set_again(*numbers, rerolls) if rerolls else set_difficulty(*numbers)
        return CheckPlan(call, throw.tallies, private=_OWN_REROLLS if rerolls else {}, then=then)
    difficulty = difficulty_of(application, subject, given, target)
    if kind == "flat":
        rolls = (throw.dice.total, difficulty.total, throw.flat.total, throw.untrained, options.botch_fails)
        call = flat_again(*rolls, rerolls) if rerolls else flat(*rolls)
        tallies = throw.tallies
    else:
        call = leveled(
            throw.dice.total,
            difficulty.total,
            bonuses=throw.bonuses,
            penalties=throw.penalties,
            untrained=throw.untrained,
            botch_fails=options.botch_fails,
            empty_second_roll=options.empty_second_roll,
            flat_penalty_roll=options.flat_penalty_roll,
        )
        tallies = {"dice": throw.dice, "flat": throw.flat}
    unseen = {"difficulty": Role.GAME_MASTER} if options.reveal_difficulty == "hidden" else {}  # stage.check.difficulty
    private = {**unseen, **(_OWN_REROLLS if rerolls and kind == "flat" else {})}
    return CheckPlan(call, {**tallies, "difficulty": difficulty}, private=private, then=then)


_OWN_REROLLS = {"rerolls": Role.ACTOR}


def rerolling(announced: Iterable[Usable], skill: str) -> Usable | None:
    """The power among those announced by which a check of a skill can be rolled again (stage.power_effect.reroll)."""
    for one in announced:
        for effect in one.effects:
            if isinstance(effect, Trigger) and effect.at == "rolled" and skill in effect.of:
                return one
    return None


def affordable_rerolls(subject: Subject, price: Cost, again: Usable) -> int:
    """Number of rerolls that the points left after the check itself can pay (stage.power.payment)."""
    once = Cost.of(**dict(again.power.cost))
    able = 0
    while able < MOST_REROLLS and short_of(subject, price + once) is None:
        price += once
        able += 1
    return able


def _limits(application: Application, subject: Subject, given: Mapping[str, Any], target: Subject | None) -> None:
    """Refuse impossible uses of an application."""
    rule = application.rule
    if application.smaller and given.get("size") is not None:
        most = figures(subject.character, subject.options, subject.library).size - application.smaller
        refuse_if(given["size"] > most, f"Size {given['size']} is too large to pick: at most {most}", rule=rule)
    if application.tricks and target is not None:
        most = figures(target.character, target.options, target.library).soul
        if len(target.character.tricks) >= most:
            name = target.character.name if target.scene is None else target.scene.display_name(target.who)
            raise IllegalActionError(f"{name} knows {most} tricks and learns no more", rule=rule)
    if given["item"] and given["item"] not in items(subject.library):
        raise InvalidInputError(
            f'there is no item "{given["item"]:.40}"{did_you_mean(given["item"], items(subject.library))}'
        )


def _spell(subject: Subject, application: Application, given: Mapping[str, Any]) -> Spell:
    if not given["spell"]:
        known = ", ".join(subject.character.spells) or "no spell is known"
        raise InvalidInputError(f"{titled(application.key)}: name the spell as spell=...: {known}", field="spell")
    spell: Spell = subject.library.get(Spell, given["spell"])
    if application.skill not in spell.schools:
        words = " or ".join([titled(school) for school in spell.schools])
        raise IllegalActionError(
            f"{spell.name} is cast with {words}, not {titled(application.skill)}", rule="stage.magic.cast_skill"
        )
    if spell.id not in subject.character.spells:
        known = ", ".join([subject.library.get(Spell, one).name for one in subject.character.spells]) or "no spell"
        message = f"{subject.character.name} does not know {spell.name}, but {known}"
        raise IllegalActionError(message, rule="stage.magic.app_cast")
    return spell


async def _afterwards(
    application: Application,
    price: Cost,
    factor: Fraction,
    ap: int | None,
    game: Game,
    who: str,
    result: Any,
    *,
    again: Usable | None = None,
    use: str = "",
    against: str = "",
    words: tuple[str, ...] = (),
    passes: bool = True,
    rerolls: str = "rerolls",
) -> None:
    """Pay the price of a check, successful or not; outside an Encounter let its time pass."""
    for _ in range(getattr(result, rerolls, 0) if again is not None else 0):
        assert again is not None
        price += Cost.of(**dict(again.power.cost))
    if price.amounts:
        game.emit(CostPaid(who=who, use=use or application.key, price=price, cause="stage.skill.description_fields"))
    for held in now.used_up(game.scene, who, application.key, against, words):
        game.emit(EffectEnded(who=who, what=held, cause="stage.power.announce"))
    if passes and application.time is not None and ap is None and game.scene.round == 0:
        hours = hours_of(application, factor, getattr(result, "effect", 0))
        await advance_time(game, ceil(hours * HOUR), cause=application.rule)


# ---------------------------------------------------------------------- against a character


def _against(one: Contender, other: Contender) -> CheckPlan:
    """One's check against another's: who hides sets the Difficulty, else the other does; equals compete."""
    mine, theirs = (modifiers.applications(each.subject.library)[each.what] for each in (one, other))
    if theirs.key not in mine.opposed_by:
        able = ", ".join([titled(each) for each in mine.opposed_by])
        message = f"{titled(mine.key)} is opposed by {able}, not by {titled(theirs.key)}"
        raise IllegalActionError(message, rule=mine.rule)
    a = roll_of(mine, one.subject, one.situation, words=("opposed",), against=other.subject.who)
    b = roll_of(theirs, other.subject, other.situation, words=("opposed",), against=one.subject.who, defends=True)
    options = one.subject.options
    numbers = (a.dice.total, b.dice.total, a.flat.total, b.flat.total)
    tallies = {"dice": a.dice, "modifier": a.flat, "opposing": b.dice, "opposing_modifier": b.flat}
    sides = _side(mine, one, a, other), _side(theirs, other, b, one)
    then = partial(_after_both, sides[0].then, sides[1].then, other.subject.who)
    botches = Botches(a.untrained, b.untrained, options.botch_fails, options.botch_scope)
    rerolls = sides[0].rerolls, sides[1].rerolls
    if any(rerolls):  # stage.power_effect.reroll
        kind = compete_again if mine.difficulty == "highest" else unnoticed_again if mine.sets else opposed_again
        seats = {"rerolls": Role.ACTOR, "opposing_rerolls": Role.OPPONENT}
        call: Call[Any] = kind(*numbers, botches, Luck(*rerolls))
        return CheckPlan(call, tallies, private=seats, then=then, each=lambda result: _words(result.success))
    if mine.difficulty == "highest":
        return CheckPlan(compete(*numbers, botches), tallies, then=then, each=_words)
    call = unnoticed(*numbers, botches) if mine.sets else opposed(*numbers, 0, botches)
    return CheckPlan(call, tallies, then=then, each=lambda result: _words(result.success))


class _Side(NamedTuple):
    """One side of a contest: how often it can roll again, and what follows for it."""

    rerolls: int
    then: Callable[..., Any]


def _side(application: Application, one: Contender, throw: modifiers.Rolled, other: Contender) -> _Side:
    """Price and used-up effects of one side of a contest; refused if it cannot be paid."""
    announced = announced_powers(one.subject, one.situation["powers"])
    again = rerolling(announced, throw.skill)
    announced = tuple([power for power in announced if power is not again])
    price = cost_of(application, one.subject, announced)
    demand_payable(one.subject, price, application.rule)
    factor, names = time_factor(one.subject, application.key), "+".join([application.key, *[p.id for p in announced]])
    rerolls = 0 if again is None else affordable_rerolls(one.subject, price, again)
    then = partial(_afterwards, application, price, factor, None, again=again, use=names)
    return _Side(rerolls, partial(then, against=other.subject.who, words=("opposed",)))


async def _after_both(mine: Callable[..., Any], theirs: Callable[..., Any], other: str, *happened: Any) -> None:
    """Both sides pay, no matter who has won."""
    game, who, result = happened
    await mine(game, who, result)
    await theirs(game, other, result, passes=False, rerolls="opposing_rerolls")


def _words(won: bool) -> tuple[str, str]:
    return ("success", "failure") if won else ("failure", "success")


# ---------------------------------------------------------------------- all of them


def _arts(subject: Subject, key: str) -> list[str]:
    """The kinds of art that a character has chosen with a power."""
    every = given(subject.character, subject.options, subject.library)
    return [art for one in every if one.adjust.when == "chosen_art" for art in one.chosen]


_EITHER = ("difficulty", "task")
_OWN: dict[str, Own] = {"art": _arts}


def _all() -> tuple[Check, ...]:
    """A check for every application of the starter pack, and one for those of other packs."""
    written = read_data(files(__package__) / "data" / "pack" / "skills.yaml")  # type: ignore[arg-type]
    found = []
    for row in written["applications"]:
        one = Application.model_validate_json(_json(row))
        opposes = _against if one.opposed_by and one.difficulty not in ("hit",) and one.check != "spell" else None
        rules = (one.rule, "stage.check.flat" if one.check == "flat" else "stage.check.leveled")
        hidden = () if one.difficulty == "none" else ("difficulty",)
        words, plan = situation_of(one), partial(_plan, one.key)
        found.append(Check(one.key, one.name, words, plan, rules, hidden, opposes, either=_EITHER, own=_OWN))
    return (*found, _of_a_pack())


def _of_a_pack() -> Check:
    """The check for whatever application a pack adds, told in all words that applications know."""
    words: dict[str, Parameter] = {
        "of": Parameter("of", TextType(), "the application, as a pack writes it, such as guile.juggle")
    }
    told = (*COMMON, TASK, SPELL, *[one for own in BY_DIFFICULTY.values() for one in own], *BY_NUMBER.values())
    for one in told:
        words.setdefault(one.name, one)
    words["when"] = Parameter("when", ListType(TextType()), "circumstances of the application, by name", ())
    rules = ("stage.skill.description_fields", "stage.check.basic")
    told_in, hidden = tuple(words.values()), ("difficulty",)
    return Check("application", "Another application", told_in, _plan_of, rules, hidden, either=_EITHER, own=_OWN)


def _plan_of(subject: Subject, *, of: str, **given: Any) -> CheckPlan:
    known = modifiers.applications(subject.library)
    if of not in known:
        raise InvalidInputError(f'there is no application "{of:.40}"{did_you_mean(of, known)}', field="of")
    named = [one.name for one in known[of].circumstances]
    for word in given["when"]:
        if word not in named:
            raise InvalidInputError(f'{of} knows no circumstance "{word:.40}"{did_you_mean(word, named)}', field="when")
    return _plan(of, subject, **given)


def _json(row: Mapping[str, Any]) -> str:
    import json  # noqa: PLC0415 - only here

    return json.dumps({"origin": "house", **row})


CHECKS = _all()
