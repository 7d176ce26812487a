"""Checks by name, from a character and a situation in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple, get_args

from tablewright.engine import Call, Parameter, Tally
from tablewright.engine.parameter_types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    NotationType,
    OptionalType,
    TextType,
)
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.play.checks import Check, CheckPlan, Contender, Own, Subject
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.scene.game import Game
from tablewright.systems.marchen import modifiers, values
from tablewright.systems.marchen.character.figures import current, score
from tablewright.systems.marchen.character.record import MarchenCharacter, Scored
from tablewright.systems.marchen.content import Skill
from tablewright.systems.marchen.mechanics.checks import (
    AidedTask,
    Attempt,
    LeaderLuck,
    OpposedResult,
    Rivals,
    RivalShifts,
    Table,
    Winner,
    aided,
    check,
    opposed,
    passive,
)
from tablewright.systems.marchen.mechanics.dice import (
    DIFFICULTIES,
    Difficulty,
    advantage_of,
    law_difficulty,
    multiple_actions,
    rated_dm,
    under_law,
)
from tablewright.systems.marchen.mechanics.tasks import automatic
from tablewright.systems.marchen.mechanics.turn import Increment, shifted
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.situations import task_of

MOST_DM = 200


GATE = "marchen.skill.level_gates"


class Rating(NamedTuple):
    """A difficulty: one of the eleven ratings, or a DM that the Referee names (marchen.difficulty.table).

    >>> Rating.parse("Very difficult"), str(Rating.parse("-3"))
    (Rating(rating='very_difficult', dm=0), '-3')
    """

    rating: Difficulty = "average"
    dm: int = 0

    @staticmethod
    def parse(text: str) -> Rating:
        """Read a rating, or a whole number."""
        word = text.strip().casefold().replace(" ", "_")
        for rating in DIFFICULTIES:
            if word == rating:
                return Rating(rating)
        if re.fullmatch(r"[+-]?[0-9]{1,3}", word) and abs(int(word)) <= MOST_DM:
            return Rating("average", int(word))
        allowed = f"allowed are {', '.join(DIFFICULTIES)} and DMs from -{MOST_DM} to {MOST_DM}"
        message = f'"{text:.40}" is not a difficulty; {allowed}{did_you_mean(word, DIFFICULTIES)}'
        raise InvalidInputError(message, rule="marchen.difficulty.table")

    def json_text(self) -> str:
        """The rating, or the DM."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.dm:+d}" if self.dm else self.rating


def _words(words: tuple[str, ...]) -> OptionalType:
    return OptionalType(EnumType(tuple([(word, word) for word in words])))


_ANY: tuple[Parameter, ...] = (
    Parameter(
        "difficulty", OptionalType(NotationType(Rating)), "how hard it is: a rating, or a DM; average unless said", None
    ),
    Parameter("dm", IntType(-200, 200), "a further DM that counts as it is on every core", 0),
    Parameter("helps", IntType(0, 20), "reasons of help: good tools, competent aides, circumstances", 0),
    Parameter("hampers", IntType(0, 20), "reasons of hindrance: bad tools, bad circumstances", 0),
    Parameter("tools", TextType(), "a thing that is carried and used, by its id", ""),
    Parameter("trait", TextType(), "a trait or virtue of the character that fits: one reason of help", ""),
    Parameter("helper_modifiers", ListType(IntType(-60, 60)), "of those who roll the same check first, to help", ()),
    Parameter("things", IntType(1, 20), "how many things are done at once", 1),
    Parameter("law", OptionalType(IntType(0, 40)), "the local law level, where laws touch the task", None),
    Parameter("frame", _words(get_args(Increment)), "the time that the task usually takes", None),
    Parameter("rows", IntType(-9, 9), "rows of the time table slower (or, below 0, faster)", 0),
    Parameter("carried", IntType(-4, 4), "the sigma of the task before, in a task chain", 0),
    Parameter("advantage", IntType(0, 20), "sources of advantage", 0),  # marchen.advantage.source
    Parameter("disadvantage", IntType(0, 20), "sources of disadvantage", 0),
    Parameter("steps", ListType(IntType(-20, 20)), "steps up (or down) the dice chain", ()),  # marchen.dice_chain.use
    Parameter("learned", BoolType(), "whether something was learned about it before", False),
    Parameter("boon", TextType(), "a boon of the character to use up, by its name", ""),
    Parameter("issue", TextType(), "the matter it is about, where there is support or preparation for one", ""),
    Parameter("modifier", IntType(-50, 50), "what else is added", 0),
    Parameter("contest", BoolType(), "whether another party made the difficulty", False),
    Parameter("passive", BoolType(), "whether no dice are rolled: the average stands in for them", False),
    Parameter("automatic", _words(("success", "failure")), "decision of the Referee without a roll", None),
)
_WORDS_OF_ANY = frozenset([word.name for word in _ANY])
_TECHNOLOGY = Parameter("tl", OptionalType(IntType(0, 33)), "the technology level of what is used", None)
_SKILLED: tuple[Parameter, ...] = (
    *_ANY,
    _TECHNOLOGY,
    Parameter("specialization", TextType(), "the specialization that is used, by its name", ""),
    Parameter("task", TextType(), "a sample task in a few words, which brings its difficulty with it", ""),
    Parameter("with_aspect", _words(values.ASPECTS), "another aspect than the skill's own", None),
    Parameter(
        "with_characteristic", _words(values.CHARACTERISTICS), "another characteristic than the skill's own", None
    ),
)


_DOING: dict[values.Privilege, str] = {
    "aid_another": "aid another",
    "start_task_chain": "start a task chain",
    "establish_task_pool": "establish a task pool",
}


def may(
    character: MarchenCharacter, what: values.Privilege, skill: str, specialization: str, options: MarchenOptions
) -> None:
    """Refuse to aid, to start a chain or to establish a pool below the level that it takes."""
    if not options.level_gates or skill not in values.SKILLS:
        return
    level = character.level(skill)
    special = character.specialization(skill, specialization) if specialization else None
    best = max(level or 0, special.level if special else 0)
    if best < values.GATES[what]:
        known = f"level {best} in {values.SKILL_NAMES[skill]}"
        raise IllegalActionError(
            f"{character.name} has {known}; to {_DOING[what]} takes level {values.GATES[what]}", rule=GATE
        )


class Prepared(NamedTuple):
    """A check made ready: all that its mechanic takes."""

    tally: Tally
    difficulty: Difficulty
    dms: Tally
    advantage: Any
    steps: int
    boons: tuple[str, ...]

    @property
    def dm(self) -> int:
        """The DMs that count as they are on every core."""
        return self.dms.total


def prepare(subject: Subject, what: str, given: Mapping[str, Any]) -> Prepared:
    """The tally of a check in a situation, its difficulty, and what changes the dice."""
    character: MarchenCharacter = subject.character
    options: MarchenOptions = subject.options
    special = given.get("specialization", "")
    tally = modifiers.modifier_tally(
        subject,
        what,
        specialization=special,
        with_aspect=given.get("with_aspect"),
        with_characteristic=given.get("with_characteristic"),
        issue=given["issue"],
    )
    reasons, worn = modifiers.tools_used(subject, what, given["tools"])
    reasons += modifiers.speaks_for(subject, what, given["trait"])
    waits = modifiers.helped(subject, what, given["boon"], given["issue"])
    dm = modifiers.circumstance(given["helps"] + reasons + waits.reasons, given["hampers"], options.circumstance_stack)
    tally = tally.add("circumstances", dm, modifiers.CIRCUMSTANCE).add_all([part for part in worn if part[1]])
    tally = tally.add("several things at once", multiple_actions(given["things"]), "marchen.modifier.multiple_actions")
    if given["rows"]:
        moved = shifted(given["frame"] or "", given["rows"], options.bell_row)
        tally = tally.add(f"done in a {moved.frame}", moved.dm, "marchen.time.shift")
    if given.get("tl") is not None:
        learned = character.specialization(what, special) if special else None  # type: ignore[arg-type]
        # marchen.tech.skill_tl, marchen.specialization.tech_level, marchen.skill.what_it_is
        own = character.home_tl if learned is None else learned.tl
        tally = tally.add("technology", values.tech_difference(own, given["tl"]), "marchen.tech.difference_dm")
    tally = tally.add("the task before", given["carried"], "marchen.chain.dm")
    tally = tally.add("learned before", int(given["learned"]), "marchen.degree.succeed_in_style")
    tally = tally.add_all(waits.parts).add("situation", given["modifier"])
    tally = subject.with_rulings(tally, what)
    difficulty, dms = _hardness(subject, what, given)
    dms = dms.add("further", given["dm"])
    now = character.wounds if subject.status is None else subject.status
    hindered = int(now.hindered)  # marchen.ounces.lose_momentum
    advantage = advantage_of(given["advantage"], given["disadvantage"] + hindered)
    steps = sum(given["steps"])  # marchen.dice_chain.multiple: all sources together
    return Prepared(tally, difficulty, dms, advantage, steps, waits.boons)


def _hardness(subject: Subject, what: str, given: Mapping[str, Any]) -> tuple[Difficulty, Tally]:
    """The difficulty of a task, and the DMs that come of it besides: one that was named, that of the law level."""
    options: MarchenOptions = subject.options
    hard: Rating | None = given["difficulty"]
    named = None if hard is None or hard.dm else hard.rating
    dm = 0 if hard is None else hard.dm
    if given.get("task"):
        named = task_of(given["task"], what, subject.library).difficulty
    law, mode, scale = given["law"], options.law_level_mode, (options.d20_scale, options.degree_method)
    difficulty: Difficulty = named or "average"  # marchen.difficulty.default
    of_law = 0
    if law is not None and mode == "base" and dm and dm < rated_dm(options.core, law_difficulty(law), *scale):
        law = None  # marchen.modifier.law_level_mode: the DM that was named is the harder of the two
    if law is not None:
        difficulty, of_law = under_law(options.core, law, named, mode, *scale)
        dm = 0 if mode == "base" else dm
    dms = Tally.of("as it is on every core", 0, "marchen.core.d100_scale")
    dms = dms.add("difficulty", dm, "marchen.difficulty.modifies_result")
    return difficulty, dms.add("law level", of_law, "marchen.modifier.law_level")


def _call(subject: Subject, ready: Prepared, given: Mapping[str, Any], table: Table) -> Call[Any]:
    options: MarchenOptions = subject.options
    modifier, mode = ready.tally.total, options.dice_chain_mode
    core = options.core
    if given["automatic"] is not None:
        return automatic(given["automatic"], core)
    if given["passive"]:
        return passive(core, ready.difficulty, modifier, ready.dm, table, options.passive_base, given["contest"])
    leader = LeaderLuck(ready.advantage, ready.steps, ready.dm, given["contest"])
    if given["helper_modifiers"]:
        task = AidedTask(ready.difficulty, modifier, options.max_helpers)
        return aided(given["helper_modifiers"], core, task, table, leader, mode)
    return check(core, Attempt(ready.difficulty, modifier, *leader), table, mode)


def _plan(what: str, subject: Subject, **given: Any) -> CheckPlan:
    ready = prepare(subject, what, given)
    table = modifiers.table_of(subject.options)
    call = _call(subject, ready, given, table)
    veiled = table._replace(trivial="veiled") if table.trivial == "auto" else table  # dice that tell nothing
    names = [parameter.name for parameter in call.mechanic.params]
    tallies = {"modifier": ready.tally} if "modifier" in names else {}
    if ready.dm and "dm" in names:
        tallies["dm"] = ready.dms
    counted = ready.boons and given["automatic"] is None  # marchen.play.basic_process: what is decided needs no help
    then = partial(_use_boons, {subject.who: ready.boons}) if counted else None
    return CheckPlan(call, tallies, then=then, secretly=_call(subject, ready, given, veiled))


async def _use_boons(used: Mapping[str, tuple[str, ...]], game: Game, who: str, result: Any) -> None:
    for one, names in used.items():
        use_boons(game, one, names)


def use_boons(game: Game, who: str, names: tuple[str, ...]) -> None:
    """Use up the boons that counted for a check."""
    if names:
        changed = modifiers.used_up(game[who].character, names)
        what = f"uses {', '.join(names)}"
        game.emit(CharacterChanged(who=who, what=what, character=changed, cause=modifiers.BENEFIT))


def _named_plan(subject: Subject, **given: Any) -> CheckPlan:
    what, own = _by_name(subject, given)
    return _plan(what, subject, **own)


def _by_name(subject: Subject, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The check behind a name, and the words of the situation that are for it."""
    aspect = values.aspect_named(given["name"])
    meant = values.alias_of(given["name"]) if aspect is None else values.Alias()
    if nature := aspect or meant.characteristic:
        return nature, {key: value for key, value in given.items() if key in _WORDS_OF_ANY}
    own = {key: value for key, value in given.items() if key != "name"}
    special = given["specialization"] or meant.specialization
    known = [one.name.casefold() for one in subject.character.specializations if one.skill == meant.skill]
    if special == meant.specialization and special.casefold() not in known:
        special = ""  # a specialization that no one has does not count
    return str(meant.skill), {**own, "specialization": special}


# ---------------------------------------------------------------------- contests


def relevant(what: str, given: Mapping[str, Any]) -> values.Characteristic | values.Aspect:
    """The score that decides a contest with equal effects."""
    if what in values.ASPECTS or what in values.CHARACTERISTICS:
        return what
    own: values.Characteristic | None = given.get("with_characteristic")
    return own or values.CHARACTERISTIC_OF[what]  # type: ignore[index]


def _score(subject: Subject, name: Scored) -> int:
    character, options = subject.character, subject.options
    return (current(character, name, options) if name in values.ASPECTS else score(character, name, options)).total


_ALONE = ("helper_modifiers", "contest", "passive", "automatic")
"""Words that make no sense where two roll against each other."""


def _contending(contender: Contender) -> tuple[str, Mapping[str, Any], Prepared]:
    """Check, situation and plan of one side of a contest."""
    subject, what, situation = contender
    for word in _ALONE:
        if situation[word]:
            raise InvalidInputError(f"{word} is nothing for a contest: both roll for themselves", field=word)
    if "name" in situation:
        what, situation = _by_name(subject, situation)
    return what, situation, prepare(subject, what, situation)


def _opposed(one: Contender, other: Contender) -> CheckPlan:
    """Two checks against each other: the higher effect wins."""
    (mine, here, a), (theirs, there, b) = _contending(one), _contending(other)
    options: MarchenOptions = one.subject.options
    rivals = Rivals(
        a.tally.total,
        b.tally.total,
        a.difficulty,
        b.difficulty,
        _score(one.subject, relevant(mine, here)),
        _score(other.subject, relevant(theirs, there)),
        a.advantage,
        b.advantage,
    )
    shifts = RivalShifts(a.steps, b.steps, a.dm, b.dm)
    mode, method = options.dice_chain_mode, options.degree_method
    call = opposed(options.core, rivals, modifiers.rival_table_of(options), shifts, mode, method)
    used = {side.subject.who: ready.boons for side, ready in ((one, a), (other, b))}
    tallies = {"a_modifier": a.tally, "b_modifier": b.tally}
    return CheckPlan(call, tallies, then=partial(_use_boons, used) if any(used.values()) else None, each=_each)


def _each(result: OpposedResult) -> tuple[str, str]:
    if result.winner is Winner.NOBODY:
        return "fail in style", "fail in style"
    return ("won", "lost") if result.winner is Winner.A else ("lost", "won")


def _titled(name: str) -> str:
    return name.replace("_", " ").title()


_HIDDEN, _EITHER = ("difficulty", "dm"), ("difficulty", "task")


def _issues(subject: Subject, what: str) -> list[str]:
    character: MarchenCharacter = subject.character
    return [*[one.issue for one in character.raises], *[one.matter for one in character.boons]]


def _specializations(subject: Subject, what: str) -> list[str]:
    """Specializations of a skill: studied ones, and all others at level 0 (marchen.specialization.unlock)."""
    meant = values.alias_of(what)
    own = [one.name for one in subject.character.specializations if one.skill == meant.skill]
    listed = [one for one in subject.library.of(Skill) if one.id == meant.skill]
    return [*own, meant.specialization, *[name for one in listed for name in (*one.specializations, *one.suggested)]]


_ISSUE: dict[str, Own] = {"issue": _issues}
_OWN: dict[str, Own] = {**_ISSUE, "specialization": _specializations}


def _of_skill(id_: str, title: str, plan: Any, rules: tuple[str, ...], *first: Parameter) -> Check:
    return Check(id_, title, (*first, *_SKILLED), plan, rules, _HIDDEN, _opposed, either=_EITHER, own=_OWN)


def _of_nature(name: str, rule: str, *more: Parameter) -> Check:
    words = (*_ANY, *more)
    also = tuple([one.casefold() for one in values.other_names(name)[1:]]) if name in values.ASPECTS else ()
    plan = partial(_plan, name)
    return Check(name, _titled(name), words, plan, (rule,), _HIDDEN, _opposed, own=_ISSUE, aliases=also)


CHECKS: tuple[Check, ...] = (  # marchen.check.types
    *[
        _of_skill(name, values.SKILL_NAMES[name], partial(_plan, name), (modifiers.SKILL, f"marchen.skill.{name}"))
        for name in values.SKILLS
    ],
    *[_of_nature(name, modifiers.CHARACTERISTIC, _TECHNOLOGY) for name in values.CHARACTERISTICS],
    *[_of_nature(name, modifiers.ASPECT) for name in values.ASPECTS],
    _of_skill(
        "skill",
        "A skill by any name",
        _named_plan,
        ("marchen.skill.aliases",),
        Parameter("name", TextType(), "the name, such as Gambling or Streetwise"),
    ),
)
