"""Checks by name, from a character and a situation in words.

A roll is put together in the order of the book: the own code, doubled by Fate, less penalty dice, with bonus dice from
outside; plain numbers go on the total, everything that makes it harder or easier on the difficulty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import takewhile
from typing import Any

from tablewright.engine import Mechanic, Parameter, Role, Tally
from tablewright.engine.parameter_types import TextType
from tablewright.engine.tally import Part
from tablewright.errors import IllegalActionError, InvalidInputError, refuse, refuse_if
from tablewright.game.character.belongings import Belongings, spend_charges
from tablewright.game.play.checks import Check, CheckPlan, Contender, Own, Subject
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.game import Game
from tablewright.systems.opend6 import content
from tablewright.systems.opend6.chapters.points import PointsSpent, fate_refused, note_use
from tablewright.systems.opend6.character.figures import (
    attribute,
    code,
    hampered,
    is_trained,
    skill,
    skill_of,
    titled,
    tool_for,
    total_bonus,
)
from tablewright.systems.opend6.character.record import OpenD6Character
from tablewright.systems.opend6.events.attack import Unbalanced
from tablewright.systems.opend6.mechanics.checks import MOST_POINTS as MOST_ON_A_ROLL
from tablewright.systems.opend6.mechanics.checks import (
    Allowance,
    Side,
    attempt,
    check,
    opposed,
    result_points,
    wild_die_only,
)
from tablewright.systems.opend6.mechanics.contests import Contested, Reserves, contested
from tablewright.systems.opend6.mechanics.dice import (
    RUSH_SECONDS,
    NotPossible,
    demanded,
    half_bonus,
    penalty_dice,
    prepared_dice,
    related_modifier,
    rushed_difficulty,
    suggests_wild_die_only,
)
from tablewright.systems.opend6.mechanics.rolls import How, real_code
from tablewright.systems.opend6.now import Pool, complicate, how_of
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.situations import LIFTING, SITUATION, USUAL, DifficultyValue, lifting_difficulty
from tablewright.systems.opend6.status import is_here, lost_dice
from tablewright.systems.opend6.values import (
    Attempted,
    CriticalFailure,
    DieCode,
    Fortune,
    Pointed,
    most_character_points,
    points_in_words,
    too_few,
)

SKILL_CHECK, ASSEMBLY, STANDARD = "opend6.check.skill_check", "opend6.check.roll_assembly", "opend6.difficulty.standard"
UNSKILLED, CLOSED = "opend6.untrained.modifier", "opend6.untrained.impossible"
OTHER, DERIVED, GENERIC = "opend6.skill.alternate_attribute", "opend6.special.derived", "opend6.modifier.generic"
PLAYING, RELATED, HELP = "opend6.modifier.roleplaying", "opend6.related.modifier", "opend6.related.assist"
HALF, PREPARED, RUSHED = "opend6.result.half_bonus", "opend6.prepare.bonus", "opend6.rush.difficulty"
LAYERING, OFF_BALANCE = "opend6.gap.armour.layering", "opend6.gap.manoeuvre.list"
LONG_TASKS, RETRY, BONUS_DICE = "opend6.map.long_tasks", "opend6.retry.consequences", "opend6.dice.bonus_die_code"
BONUS, TOOLS, WILD_ONLY = "opend6.dice.bonus_number", "opend6.gap.equipment.tools", "opend6.special.wild_die_only"
MOST_USUALLY = 20
MIXING, LIMITS, MOST_POINTS = "opend6.points.no_mixing", "opend6.points.limits", "opend6.cp.max_per_roll"
READING, SPEAKING = "opend6.gap.skill.reading", "opend6.gap.skill.speaking"
FLOOR, INTERACTION = "opend6.gap.difficulty.floor", "opend6.gap.difficulty.interaction"
HIDING = "opend6.gap.difficulty.hiding"
UNTRAINED = {"simple": 1, "complex": 10}  # opend6.untrained.modifier; typical is the table's option
FULL_DEFENCE = 10  # opend6.gap.difficulty.interaction


# ---------------------------------------------------------------------- the pool


def pool(subject: Subject, name: str, **given: Any) -> Pool:
    """The pool of a skill or an attribute in a situation; parameters that are not given have their defaults."""
    return _pool(subject, name, USUAL | given)


def _pool(subject: Subject, name: str, given: Mapping[str, Any]) -> Pool:
    character: OpenD6Character = subject.character
    lost = Tally.of("lost dice", 0, "opend6.map.penalty").add_parts(lost_dice(subject))
    if subject.status is not None and _takes_agility(subject, name, given):
        lost = lost.add("off balance", subject.status.unbalanced, OFF_BALANCE)
    lost = lost.add("several tasks at once", penalty_dice(given["actions"]), LONG_TASKS)
    outside = Tally.of("dice from outside", 0, BONUS_DICE)
    outside = outside.add("prepared", prepared_dice(given["time"].factor), PREPARED)
    outside = outside.add("bonus dice", given["bonus_dice"].dice, BONUS_DICE)
    bonus = Tally.of("bonus", 0, BONUS)
    bonus = bonus.add("pips of a bonus", given["bonus_dice"].pips, BONUS_DICE).add("bonus", given["bonus"], BONUS)
    tool = _tool(subject, name, given)
    if tool is not None:
        outside = outside.add(tool.name, tool.bonus.dice, TOOLS)
        bonus = bonus.add(tool.name, tool.bonus.pips, TOOLS)
    for results, label, rule in (("related", "related skill", RELATED), ("helper_points", "help", HELP)):
        for points in given[results]:
            bonus = bonus.add(label, related_modifier(points), rule)
    if given["earlier"]:
        refuse_if(not subject.options.half_bonus, "result points help no other roll at this table", rule=HALF)
        bonus = bonus.add("an earlier success", half_bonus(given["earlier"]), HALF)
    abilities = total_bonus(character, name, subject.library, base=_other_base(subject, name, given))
    return Pool(_own(subject, name, given), lost, outside, subject.with_rulings(bonus, name), abilities)


def _own(subject: Subject, name: str, given: Mapping[str, Any]) -> Tally:
    """The own code: the attribute, or the skill, perhaps based on another attribute."""
    character: OpenD6Character = subject.character
    if name in content.ATTRIBUTES or name in content.EXTRANORMAL:
        governing: content.Governing = name
        return attribute(character, governing)
    base = _other_base(subject, name, given)
    return skill(character, name, subject.library, base=base, subject=given["specialisation"])


def _other_base(subject: Subject, name: str, given: Mapping[str, Any]) -> content.Attribute | None:
    """Attribute that replaces the skill's usual one in this situation, or None."""
    if name in content.ATTRIBUTES or name in content.EXTRANORMAL:
        return None
    return other_attribute(skill_of(name, subject.library), given["use"], given["attribute"], subject.options)


def other_attribute(
    entry: content.Skill, use: content.UseOf | None, asked: content.Attribute | None, options: OpenD6Options
) -> content.Attribute | None:
    """The attribute that takes the place of the usual one: the one asked for, or the one that fits the use."""
    if asked is not None and not options.alternate_attributes and asked != entry.attribute:
        raise IllegalActionError(f"{entry.name} is always based on {titled(entry.attribute)} at this table", rule=OTHER)
    fits = asked or (entry.alternates.get(use) if use and options.alternate_attributes else None)
    return None if fits == entry.attribute else fits


def _tool(subject: Subject, name: str, given: Mapping[str, Any]) -> content.Gear | None:
    if not given["tools"]:
        return None
    trained = name in content.ATTRIBUTES or is_trained(
        subject.character, name, subject.library, given["specialisation"]
    )
    return tool_for(_belongings(subject), name, subject.library, trained=trained, use=given["use"])


def _belongings(subject: Subject) -> Belongings:
    owned: Belongings = getattr(subject.status, "belongings", subject.character.belongings)
    return owned


# ---------------------------------------------------------------------- the difficulty


def _modifiers(subject: Subject, name: str, given: Mapping[str, Any]) -> Iterator[Part]:
    """Modifiers of a check by its situation."""
    task = _task(subject, name, given["task"])
    yield from unskilled(subject, name, given, closed=task is not None and task.trained_only)
    yield from _in_a_hurry(given, task)
    for word in given["circumstances"]:
        found = subject.library.get(content.Circumstance, word)
        if found.skills and name not in found.skills:
            raise IllegalActionError(f"{found.name} has nothing to do with {name}", rule=GENERIC)
        if found.skills and not found.several and given["circumstances"].count(word) > 1:
            raise IllegalActionError(f"{found.name} counts only once; name it once", rule=found.rule or GENERIC)
        yield Part(found.name, found.value, found.rule or GENERIC)
    yield Part("circumstances", given["modifier"], GENERIC)
    played = subject.options.roleplaying if given["roleplaying"] is None else given["roleplaying"]
    yield Part("good roleplaying", played, PLAYING)
    yield Part("tried before", given["tries"] * subject.options.difficulty_step, RETRY)
    if subject.options.armour_layering == "layers" and _takes_agility(subject, name, given):
        yield Part("layers of armour", hampered(_belongings(subject), subject.library), LAYERING)


def _takes_agility(subject: Subject, name: str, given: Mapping[str, Any]) -> bool:
    """True if a check rests on Agility."""
    if name in content.ATTRIBUTES or name in content.EXTRANORMAL:
        return name == "agility"
    return (_other_base(subject, name, given) or skill_of(name, subject.library).attribute) == "agility"


def unskilled(subject: Subject, name: str, given: Mapping[str, Any], *, closed: bool = False) -> Iterator[Part]:
    """Addition for characters without the skill; some tasks are closed to them."""
    if name in content.ATTRIBUTES or name in content.EXTRANORMAL:
        return
    entry = skill_of(name, subject.library)
    if is_trained(subject.character, name, subject.library, given["specialisation"]):
        return
    if closed or given["trained_only"] or subject.options.trained_only:
        raise IllegalActionError(f"{entry.name}: the task is closed to those without the skill", rule=CLOSED)
    refuse_if(entry.needs_adds, f"{subject.character.name} can neither read nor write", rule=READING)
    if given["use"] is not None and (given["use"] == "offered" or given["use"] in entry.exempt):
        return  # opend6.untrained.exempt
    if given["against"] is not None:
        return  # opend6.special.derived
    yield Part("unskilled", UNTRAINED.get(given["unskilled"], subject.options.untrained_modifier), UNSKILLED)


def _in_a_hurry(given: Mapping[str, Any], task: content.Task | None) -> Iterator[Part]:
    """Addition for haste, also to a longer task that is forced into one round. [opend6.action.use_ability]"""
    factor = given["time"].factor
    if factor >= 1:
        return
    seconds = given["seconds"] or (task.seconds if task is not None else None)
    if seconds is not None and seconds < RUSH_SECONDS:
        raise IllegalActionError("what takes less than two rounds cannot be rushed", rule=RUSHED)
    if not given["can_be_rushed"] or (task is not None and not task.can_be_rushed):
        raise IllegalActionError("this cannot be rushed", rule="opend6.rush.limits")
    harder = rushed_difficulty(factor)
    if isinstance(harder, NotPossible):
        raise IllegalActionError(harder.reason, rule=harder.rule)
    yield Part("rushed", harder, RUSHED)


def _task(subject: Subject, name: str, wanted: str | None) -> content.Task | None:
    if wanted is None:
        return None
    found: content.Task = subject.library.get(content.Task, wanted)
    if found.skills and name not in found.skills:
        raise IllegalActionError(
            f"{found.name} takes {' or '.join(found.skills)}, not {name}", rule="opend6.difficulty.choice"
        )
    return found


def difficulty_of(subject: Subject, name: str, given: Mapping[str, Any]) -> Tally:
    """The difficulty: derived from a target, that of a task, or a level or number, with everything that changes it."""
    task = _task(subject, name, given["task"])
    against: DieCode | None = given["against"]
    if against is not None:
        base = Tally.of(f"derived from {against}", against.derived_difficulty, DERIVED)
    elif given["kilograms"] is not None:
        base = Tally.of(f"{given['kilograms']} kg", lifting_difficulty(given["kilograms"]), LIFTING)
    elif task is not None:
        base = Tally.of(task.name, task.difficulty, "opend6.difficulty.choice")
    else:
        value: DifficultyValue = given["difficulty"]
        base = Tally.of(value.level.replace("_", " ") or "difficulty", value.of(subject.options), STANDARD)
    refuse_if(base.total <= 0, "automatic: it succeeds without a roll", rule=STANDARD)
    parts = _modifiers(subject, name, given)
    return subject.with_rulings(base.add_parts(parts), "difficulty").limit(subject.options.floor, rule=FLOOR)


# ---------------------------------------------------------------------- plans


def plan(subject: Subject, name: str, **given: Any) -> CheckPlan:
    """A check of a skill or an attribute, ready to be rolled."""
    return _plan(name, subject, **(USUAL | given))


def _plan(name: str, subject: Subject, **given: Any) -> CheckPlan:
    _needed(subject, name, given)
    options: OpenD6Options = subject.options
    if given["wild_die_only"]:
        demanded(_pool(subject, name, given).rolled(options, _climactic(subject)))
        difficulty_of(subject, name, given)
        return replace(_wild_die_only(subject, given), then=partial(_then, subject, name, given))
    if given["spend"]:
        return _with_choices(subject, name, given)
    made = _put_together(check, subject, name, given)
    rolled = made.call.named_arguments()
    code, difficulty, bonus = rolled["code"], rolled["difficulty"], rolled["bonus"]
    easy = options.wild_die_only != "off" and suggests_wild_die_only(code, difficulty - bonus)
    hint = f"any usual roll reaches {difficulty}: wild_die_only=yes rolls the Wild Die alone" if easy else ""
    return replace(made, hint=hint)


def for_points(subject: Subject, name: str, **given: Any) -> CheckPlan:
    """The same roll for its result points, with the points that were spent on it before."""
    given = USUAL | given
    if given["wild_die_only"]:
        raise IllegalActionError("the Wild Die alone gives no result points, and this roll needs them", rule=WILD_ONLY)
    return _put_together(result_points, subject, name, given)


def _put_together(mechanic: Mechanic[..., Any], subject: Subject, name: str, given: Mapping[str, Any]) -> CheckPlan:
    """A roll with the points that were put in before it."""
    options: OpenD6Options = subject.options
    made, difficulty = _pool(subject, name, given), difficulty_of(subject, name, given)
    fate = _fate(subject, given)
    _affordable(subject, given, fate)
    rolled, bonus = demanded(made.rolled(options, fate)), made.added(options, fate).total
    how = how_of(subject, given["critical_failure"], given["ought_to_succeed"])
    tallies = made.tallies(fate, options) | {"difficulty": difficulty}
    call = mechanic(rolled, difficulty.total, bonus, given["character_points"], how)
    return CheckPlan(call, tallies, then=partial(_then, subject, name, given))


def _with_choices(subject: Subject, name: str, given: Mapping[str, Any]) -> CheckPlan:
    """The same with all points by choice."""
    if given["fate_points"] or given["character_points"]:
        raise InvalidInputError("give the points beforehand, or let spend ask for them, not both", field="situation")
    options: OpenD6Options = subject.options
    made, difficulty = _pool(subject, name, given), difficulty_of(subject, name, given)
    how = how_of(subject, given["critical_failure"], given["ought_to_succeed"])
    climactic = _climactic(subject)
    owned = points_owned(subject)
    most = owned.fate_points if options.allow_stacking else min(1, owned.fate_points)
    if climactic and not options.allow_stacking:
        most = 0
    if fate_refused(subject.character, owned.fate_points, options, 1, given["moment"]) is not None:
        most = 0
    fated = [made.rolled(options, points + climactic) for points in range(1, most + 1)]
    plain = made.rolled(options, climactic)
    if isinstance(plain, NotPossible) and all(isinstance(one, NotPossible) for one in fated):
        raise IllegalActionError(plain.reason, rule=plain.rule)
    codes = [one for one in takewhile(lambda one: isinstance(one, DieCode), fated) if isinstance(one, DieCode)]
    call = attempt(
        None if isinstance(plain, NotPossible) else plain,
        difficulty.total,
        tuple(codes),
        Allowance(
            0 if climactic and not options.allow_mixing else min(owned.character_points, most_asked(options)),
            options.challenge_level,
            options.allow_mixing,
        ),
        given["assumed"],
        made.added(options, climactic).total,
        tuple([made.added(options, points + climactic).total for points in range(1, len(codes) + 1)]),
        how,
    )
    tallies = made.tallies(climactic, options) | {"difficulty": difficulty}
    then = partial(_then, subject, name, given)
    return CheckPlan(call, tallies, private={"character_points": Role.ACTOR}, then=then)


def most_asked(options: OpenD6Options) -> int:
    """Character Points that one roll is asked for at most; more only where the table sets no limit at all."""
    return MOST_ON_A_ROLL if options.challenge_level == "universe_shaking" else MOST_USUALLY  # opend6.cp.max_per_roll


def points_owned(subject: Subject) -> Any:
    """Status or character with the points that a character has: here, or on the sheet outside of a scene."""
    return subject.character if subject.status is None else subject.status


def _climactic(subject: Subject) -> int:
    """1 in a round in which a Fate Point was spent for all of its rolls."""
    return int(subject.status is not None and subject.status.climactic)


def _fate(subject: Subject, given: Mapping[str, Any]) -> int:
    """The Fate Points that count on the roll; refused where they may not be spent."""
    wanted, climactic = given["fate_points"], _climactic(subject)
    if wanted:
        counted = wanted + climactic
        options: OpenD6Options = subject.options
        owned = points_owned(subject).fate_points + climactic
        refuse(fate_refused(subject.character, owned, options, counted, given["moment"]))
    return int(wanted) + climactic


def _affordable(subject: Subject, given: Mapping[str, Any], fate: int) -> None:
    """Character Points may not be more than there are, than the challenge level allows, nor beside a Fate Point."""
    wanted, options = given["character_points"], subject.options
    if not wanted:
        return
    owned = points_owned(subject).character_points
    if wanted > owned:
        raise IllegalActionError(too_few(points_in_words(wanted, 0), owned), rule=LIMITS)
    most = most_character_points(owned, options.challenge_level)
    refuse_if(wanted > most, f"at most {most} Character Points may go on one roll", rule=MOST_POINTS)
    if fate and not options.allow_mixing:
        raise IllegalActionError("Character Points and Fate Points may not go on the same roll", rule=MIXING)


def _wild_die_only(subject: Subject, given: Mapping[str, Any]) -> CheckPlan:
    refuse_if(subject.options.wild_die_only == "off", "the Wild Die is not rolled alone at this table", rule=WILD_ONLY)
    if given["fate_points"] or given["character_points"] or given["spend"]:
        raise IllegalActionError("no points may be spent on the Wild Die alone", rule=WILD_ONLY)
    return CheckPlan(wild_die_only())


def _needed(subject: Subject, name: str, given: Mapping[str, Any]) -> None:
    """Refuse a check that needs no roll: a language that the character speaks."""
    if name == "speaking" and given["specialisation"]:
        known = [one.casefold() for one in ("trade speech", *subject.character.languages)]
        if given["specialisation"].casefold() in known:
            raise IllegalActionError(f"{given['specialisation']} is spoken without a roll", rule=SPEAKING)


async def _then(subject: Subject, name: str, given: Mapping[str, Any], game: Game, who: str, result: Any) -> None:
    """Pay the spent points, use up the tool, and record the use of the skill."""
    points, fate = given["character_points"], given["fate_points"]
    if isinstance(result, Attempted):
        points, fate = result.character_points, result.fate_points
    if points or fate:
        cause = "opend6.cp.spent_and_earned"
        game.emit(PointsSpent(who=who, on=name, cause=cause, character_points=points, fate_points=fate))
    tool = _tool(game.rulebook.subject(game[who], game.scene), name, given)
    if tool is not None and tool.uses is not None:
        left = used_once(game[who].belongings, tool)
        game.emit(BelongingsChanged(who=who, what=f"uses {tool.name}", belongings=left, cause=TOOLS))
    note_use(game, who, name)
    if _complicated(result):
        await complicate(game, who, _result_points(result))
    if not is_here(game.scene, who):
        return
    if game[who].status.unbalanced and _takes_agility(subject, name, given):
        game.emit(Unbalanced(who=who, cause=OFF_BALANCE))


def _complicated(result: Any) -> bool:
    """True if a roll also brings a complication. [opend6.wild.cf_complication]"""
    return result is Fortune.COMPLICATION or getattr(result, "critical_failure", None) is CriticalFailure.COMPLICATION


def _result_points(result: Any) -> int | None:
    """The result points that say how much a complication weighs, as far as they are known."""
    if isinstance(result, Pointed):
        return result.result_points
    return 0 if result is Fortune.COMPLICATION or result.success else None


def used_once(belongings: Belongings, tool: content.Gear) -> Belongings:
    """Belongings after one use of a tool with limited uses; an empty tool is removed."""
    if all(one.left is None for one in belongings if one.item == tool.id):
        belongings = tuple(
            [replace(one, left=tool.uses) if one.item == tool.id and one.left is None else one for one in belongings]
        )
    return spend_charges(belongings, tool.id, gone_when_empty=True, rule=TOOLS)


# ---------------------------------------------------------------------- contests


def _against(one: Contender, other: Contender) -> CheckPlan:
    """An opposed roll: what makes it harder for the initiator goes on the resister's total, and the other way round.

    A resister who has neither waited nor prepared is a derived difficulty, or rolls freely, as the table has it.
    """
    subject, options = one.subject, one.subject.options
    what, with_what = _name(one), _name(other)
    other = _resisting(other, what)
    mine, theirs = _pool(subject, what, one.situation), _pool(other.subject, with_what, other.situation)
    if not other.situation["ready"] and options.opposed_fallback == "derived":
        given = {name: value for name, value in one.situation.items() if name != "name"}
        derived = _plan(what, subject, **given | {"against": code(theirs.own)})
        return replace(derived, each=_each)
    harder = sum([part.changed for part in _modifiers(subject, what, one.situation)])
    easier = sum([part.changed for part in _modifiers(other.subject, with_what, other.situation)])
    full = FULL_DEFENCE if other.situation["full_defence"] else 0
    if full and with_what not in ("mettle", "charisma"):
        raise IllegalActionError("a full mental defence takes mettle or Charisma", rule=INTERACTION)
    fates = _fate(subject, one.situation), _fate(other.subject, other.situation)
    _affordable(subject, one.situation, fates[0])
    _affordable(other.subject, other.situation, fates[1])
    bonuses = (
        mine.added(options, fates[0]).add("the other's circumstances", easier, GENERIC),
        theirs.added(options, fates[1])
        .add("the initiator's circumstances", harder, GENERIC)
        .add("full defence", full, INTERACTION),
    )
    codes = demanded(mine.rolled(options, fates[0])), demanded(theirs.rolled(options, fates[1]))
    codes, how = _converted(one, other, codes)
    put_in = one.situation["character_points"], other.situation["character_points"]
    tallies = {"initiator": mine.own, "resister": theirs.own}
    tallies |= {"initiator_bonus": bonuses[0], "resister_bonus": bonuses[1]}
    then = partial(_after_contest, one, other)
    if one.situation["spend"] or other.situation["spend"]:
        left = _left(one, fates[0]), _left(other, fates[1])
        after = contested(*codes, bonuses[0].total, bonuses[1].total, Reserves(*left), *put_in, how)
        private = {"points": Role.ACTOR, "their_points": Role.OPPONENT}
        return CheckPlan(after, tallies, private=private, then=then, each=_each)
    call = opposed(*codes, bonuses[0].total, bonuses[1].total, how, *put_in)
    return CheckPlan(call, tallies, then=then, each=_each)


def _converted(one: Contender, other: Contender, codes: tuple[DieCode, DieCode]) -> tuple[tuple[DieCode, DieCode], How]:
    """The codes of both sides of a contest, and how they are rolled: a code that is converted quickly is a number.

    [opend6.simplify.quick]
    """
    asked = one.situation["critical_failure"]
    hows = [how_of(each.subject, asked, each.situation["ought_to_succeed"]) for each in (one, other)]
    if hows[0] == hows[1] or all(how.simplification != "quick" for how in hows):
        return codes, hows[0]
    found = [
        DieCode(0, real_code(code, how)[1]) if how.simplification == "quick" else code
        for code, how in zip(codes, hows, strict=True)
    ]
    return (found[0], found[1]), hows[0]._replace(simplification="none", bare_pips=True)


def _resisting(other: Contender, what: str) -> Contender:
    """Contender who resists an interaction skill by mettle, without need of training. [opend6.untrained.exempt]"""
    library = other.subject.library
    sways = library.has(content.Skill, what) and library.get(content.Skill, what).interaction
    if not sways or _name(other) != "mettle" or other.situation["use"] is not None:
        return other
    return other._replace(situation={**other.situation, "use": "resisting"})


def _left(contender: Contender, fate: int) -> int:
    """Character Points that a contender who asked for it may spend after an opposed roll. [opend6.cp.max_per_roll]"""
    options, given = contender.subject.options, contender.situation
    if not given["spend"] or (fate and not options.allow_mixing):
        return 0
    owned = min(points_owned(contender.subject).character_points, most_asked(contender.subject.options))
    return most_character_points(owned, options.challenge_level) - int(given["character_points"])


def _name(contender: Contender) -> str:
    return str(contender.situation.get("name") or contender.what)


def _each(result: Any) -> tuple[str, str]:
    """Result of a contest in words for both; a derived difficulty reads as a check of one."""
    if isinstance(result, Contested):
        result = result.winner
    won = result is Side.INITIATOR if isinstance(result, Side) else result.success
    return ("success", "failure") if won else ("failure", "success")


async def _after_contest(one: Contender, other: Contender, game: Game, who: str, result: Any) -> None:
    after = (result.points, result.their_points) if isinstance(result, Contested) else (0, 0)
    for contender, spent in zip((one, other), after, strict=True):
        whose, given = contender.subject.who, contender.situation
        if whose:
            given = {**given, "character_points": given["character_points"] + spent}
            await _then(contender.subject, _name(contender), given, game, whose, result)


# ---------------------------------------------------------------------- the list


def _subjects(subject: Subject, name: str) -> list[str] | None:
    known = [one.subject for one in subject.character.specialisations if one.skill == name]
    return None if name == "speaking" else known  # any language may be named


_EITHER = ("difficulty", "task", "kilograms", "against")
_OWN: dict[str, Own] = {"specialisation": _subjects}


def _check(name: str, title: str, plan: Any, rules: tuple[str, ...], *first: Parameter) -> Check:
    base = _bases().get(name)
    usual = [replace(one, default=DifficultyValue(base)) if one.name == "difficulty" else one for one in SITUATION]
    words = (*first, *(SITUATION if base is None else usual))
    return Check(name, title, words, plan, rules, ("difficulty",), _against, either=_EITHER, own=_OWN)


@cache
def _bases() -> Mapping[str, int]:
    """Default difficulty of a skill that has its own in the book."""
    ledger = Ledger.load("opend6")
    swaying, hiding = ledger[INTERACTION].data["base"], ledger[HIDING].data["base"]
    sways = dict.fromkeys(ledger["opend6.gap.skill.interaction"].data["interaction"], swaying)
    return {**sways, "hide": hiding, "stealth": hiding}


def _listed() -> Iterator[Check]:
    listed = Ledger.load("opend6")
    skills: Mapping[str, tuple[str, ...]] = listed["opend6.gap.skill.list"].data
    others: Mapping[str, tuple[str, ...]] = listed["opend6.gap.skill.extranormal"].data
    for names in (*skills.values(), *others.values()):
        for name in names:
            yield _check(name, titled(name), partial(_plan, name), (SKILL_CHECK, ASSEMBLY, "opend6.gap.skill.list"))
    for name in (*content.ATTRIBUTES, *content.EXTRANORMAL):
        yield _check(name, titled(name), partial(_plan, name), (SKILL_CHECK, ASSEMBLY, "opend6.gap.skill.attributes"))
    named = Parameter("name", TextType(), "which one, by its id")
    yield _check("skill", "Any skill by its name", plan, (SKILL_CHECK,), named)


CHECKS: tuple[Check, ...] = tuple(_listed())
