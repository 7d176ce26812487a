"""Checks by name, from a character and a situation in words.

Gear, load and conditions of a character come from `now`; the situation adds help, further attempts, related skills,
specializations, difficulty, time, light and whatever else the game master sees fit. Everything adds up
(renaissance.core.stacking) but for the few things that say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, get_args

from tablewright.engine import Parameter, Role, Tally
from tablewright.engine.parameter_types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    NotationType,
    OptionalType,
    TextType,
)
from tablewright.errors import IllegalActionError, InvalidInputError, refuse_if
from tablewright.game.play.checks import Check, CheckPlan, Contender, Subject
from tablewright.game.play.named_values import name_of, number_named
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.game import Game
from tablewright.systems.renaissance.character import figures
from tablewright.systems.renaissance.character.record import RenaissanceCharacter
from tablewright.systems.renaissance.content import Language, SpecialNumber
from tablewright.systems.renaissance.effects import ANY, Alert, Assist, Shape, When
from tablewright.systems.renaissance.events.fight import LuckChanged
from tablewright.systems.renaissance.mechanics.checks import check, common_knowledge, lucky_check, simple_check
from tablewright.systems.renaissance.mechanics.luck import Contest, gifted_check, lucky_contest, lucky_simple
from tablewright.systems.renaissance.mechanics.turn import retry_penalty
from tablewright.systems.renaissance.now import Now, in_words, light_penalty, now_of, now_with, sees_in
from tablewright.systems.renaissance.options import RenaissanceOptions
from tablewright.systems.renaissance.status import BLEEDING, conditions_of, enter, stands
from tablewright.systems.renaissance.values import Formula, Variable

PER_ASSISTANT, MOST_ASSISTED, ASSISTANT_RANKS = 10, 30, 10  # renaissance.modifier.assist
SPECIALIZED = 10  # renaissance.modifier.specialization
SLOWER, FASTER = 10, -10  # renaissance.modifier.taking_time, renaissance.modifier.rushing
PASSIVE = -20  # renaissance.modifier.passive
DEFAULTING = -30  # renaissance.gap.skill.untrained


class Difficulty(NamedTuple):
    """A difficulty by its name, such as very_hard, or as a number from -30 to 30.

    >>> Difficulty.parse("Very Hard"), str(Difficulty(-20)), Difficulty.parse("-15").value
    (Difficulty(value=-30), 'hard', -15)
    """

    value: int

    @staticmethod
    def parse(text: str) -> Difficulty:
        """Read a name or a whole number."""
        names = difficulties()
        low, high = min(names.values()), max(names.values())
        return Difficulty(
            number_named(text, names, low, high, what="difficulty", rule="renaissance.modifier.difficulty")
        )

    def json_text(self) -> str:
        """The name where it has one, else the number."""
        return str(self)

    def __str__(self) -> str:
        return name_of(self.value, difficulties())


def difficulties() -> dict[str, int]:
    """The named difficulties."""
    names = Ledger.load("renaissance")["renaissance.gap.check.difficulty_names"].data
    return {str(name): int(value) for name, value in names.items()}


_WHEN = ListType(EnumType(tuple([(word, word) for word in get_args(When)])))
_LIGHT = EnumType((("bright", "bright"), ("dim", "dim"), ("dark", "dark")))
_WAY = EnumType((("opposed", "opposed"), ("ordered", "ordered"), ("variable", "variable")))
SITUATION: tuple[Parameter, ...] = (
    Parameter(
        "difficulty", NotationType(Difficulty), "how hard it is: a name such as hard, or -30 to 30", Difficulty(0)
    ),
    Parameter("helpers", IntType(0, 20), "number of assistants, each with 10 ranks in a useful skill", 0),
    Parameter("assistants", ListType(TextType()), "assistants in the scene, as id or id=skill", ()),
    Parameter("attempt", IntType(1, 20), "number of the attempt, 1 for the first", 1),
    Parameter("related", OptionalType(TextType()), "one related skill of the same character", None),
    Parameter("specialized", BoolType(), "whether the specialization in the skill applies", False),
    Parameter("minutes", IntType(0, 1_000_000), "timeframe of the task or job, if it is one", 0),
    Parameter("slower", IntType(0, 3), "halves of the time added", 0),
    Parameter("faster", IntType(0, 3), "quarters of the time saved", 0),
    Parameter("tools", OptionalType(TextType()), "the tools that are used, by their id", None),
    Parameter("light", _LIGHT, "the light, where the check needs sight", "bright"),
    Parameter("warm", BoolType(), "whether the target is warm", False),
    Parameter("when", _WHEN, "circumstances: sight, hearing, smell, spoken and the like", ()),
    Parameter("against", OptionalType(TextType()), "the source of stress", None),
    Parameter("follows", OptionalType(TextType()), "the participant to follow, by id; blood shows the way", None),
    Parameter("modifier", IntType(-200, 200), "further modifier of the situation", 0),
    Parameter("passive", BoolType(), "whether the game master rolls for the player", False),
    Parameter("simple", BoolType(), "whether success is assumed and only its quality is rolled", False),
    Parameter("common", BoolType(), "whether it is common knowledge of the skill", False),
    Parameter("luck", OptionalType(IntType(0, 20)), "Luck points that may be spent; none for all there are", None),
    Parameter("way", _WAY, "how a contest is compared", "opposed"),
)
FIELD = Parameter("field", TextType(), "the field of the skill")
NAMED = Parameter("name", TextType(), "the skill, with its field where it has one")
MADE_OF = Parameter("formula", NotationType(Formula), "what the target is made of, such as WIL*3 or STR+SOM")


def standing(subject: Subject) -> Now:
    """A character at this moment, in a scene or outside of one."""
    if subject.scene is not None and subject.who:
        return now_of(subject.scene, subject.scene[subject.who])
    status = enter(subject) if subject.status is None else subject.status
    return now_with(subject.character, status, subject.options, subject.library)


# ---------------------------------------------------------------------- what the situation adds


class Asked(NamedTuple):
    """Subject of a check: a skill by its key, or a combination of figures with its words for bonuses."""

    key: str = ""
    formula: Formula | None = None
    title: str = ""
    words: tuple[str, ...] = ()


def _situation(subject: Subject, asked: Asked, given_: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    """The parts that the situation adds to a target, one by one."""
    yield from _help(subject, asked, given_)
    if given_["attempt"] > 1:
        less = retry_penalty(given_["attempt"], subject.options.retry_penalty)
        yield "trying again", less, "renaissance.modifier.retry"
    yield from _own_skill(subject, asked, given_)
    yield str(given_["difficulty"]).replace("_", " "), given_["difficulty"].value, "renaissance.modifier.difficulty"
    yield from _time(given_)
    yield from _tools(subject, asked, given_["tools"])
    yield from _senses(subject, asked, given_)
    yield from _trail(subject, asked, given_["follows"])
    if given_["passive"] and asked.key not in _alert(subject):
        yield "passive", PASSIVE, "renaissance.modifier.passive"
    yield "circumstances", given_["modifier"], "renaissance.modifier.situational"


def _help(subject: Subject, asked: Asked, given_: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    rule = "renaissance.modifier.assist"
    named = [_assistant(subject, asked, one) for one in given_["assistants"]]
    if len({one.partition("=")[0] for one in given_["assistants"]}) < len(named):
        raise IllegalActionError("everybody assists once", rule=rule)
    helpers = given_["helpers"] + len(named)
    if not helpers:
        return
    if asked.key and "attack" in figures.skill_of(asked.key, subject.library).categories:
        soldiers = [one for one in named if figures.has_grant(Assist, one, subject.library)]
        refuse_if(len(soldiers) < helpers, "attacks are not assisted, unless by a Soldier", rule=rule)
    yield "assisted", min(MOST_ASSISTED, PER_ASSISTANT * helpers), rule


def _assistant(subject: Subject, asked: Asked, text: str) -> RenaissanceCharacter:
    """A participant who can assist; 10 ranks in something useful are needed."""
    rule = "renaissance.modifier.assist"
    who, _, useful = text.partition("=")
    if subject.scene is None:
        raise InvalidInputError("assistants are named in a scene; say how many helpers there are", field="assistants")
    called = subject.scene.display_name(who)
    refuse_if(who == subject.who, f"{called} cannot assist {called}", rule=rule)
    refuse_if(not stands(subject.scene[who]), f"{called} cannot act", rule="renaissance.injury.damage_track")
    one: RenaissanceCharacter = subject.scene[who].character
    key = figures.key_of(useful) if useful else asked.key
    if not key or one.skills.get(key, 0) < ASSISTANT_RANKS:
        what = figures.skill_name(key, subject.library) if key else "something useful"
        raise IllegalActionError(f"{called} needs {ASSISTANT_RANKS} ranks in {what} to assist", rule=rule)
    return one


def related_bonus(ranks: int, options: RenaissanceOptions) -> int:
    """Bonus of ranks in a related skill.

    >>> [related_bonus(ranks, RenaissanceOptions()) for ranks in (9, 10, 24, 25, 40, 41)]
    [0, 10, 10, 20, 20, 30]
    """
    if ranks == 25 and options.related_skill_25 == "lower":  # renaissance.modifier.related_skill_25
        return 10
    for row in reversed(Ledger.load("renaissance")["renaissance.modifier.related_skill"].data["bands_default"]):
        if ranks >= row["min"]:
            return int(row["bonus"])
    return 0


def _own_skill(subject: Subject, asked: Asked, given_: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    character: RenaissanceCharacter = subject.character
    related = _related(given_)
    if related is not None and not _defaults(subject, asked):
        rule = "renaissance.modifier.related_skill"
        figures.skill_of(related, subject.library)
        refuse_if(related == asked.key, "a skill is not related to itself", rule=rule)
        bonus = related_bonus(character.skills.get(related, 0), subject.options)
        yield figures.skill_name(related, subject.library), bonus, rule
    if given_["specialized"]:
        field = bool(figures.split(asked.key)[1])
        rule = "renaissance.modifier.field_specialization" if field else "renaissance.modifier.specialization"
        special = character.specializations.get(asked.key)
        if special is None:
            raise IllegalActionError(f"{character.name} has no specialization in {asked.key or asked.title}", rule=rule)
        yield f"[{special}]", SPECIALIZED, rule


def _related(given_: Mapping[str, Any]) -> str | None:
    return None if given_["related"] is None else figures.key_of(given_["related"])


def _time(given_: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    slower, faster = given_["slower"], given_["faster"]
    rule = "renaissance.modifier.rushing" if faster else "renaissance.modifier.taking_time"
    if (slower or faster) and not given_["minutes"]:
        raise IllegalActionError("only tasks and jobs take more or less time; say how many minutes", rule=rule)
    refuse_if(slower and faster, "a check is either slower or faster, not both", rule=rule)
    if slower:
        yield "taking time", SLOWER * slower, "renaissance.modifier.taking_time"
    if faster:
        yield "rushing", FASTER * faster, "renaissance.modifier.rushing"


def _tools(subject: Subject, asked: Asked, tools: str | None) -> Iterator[tuple[str, int, str]]:
    if tools is None:
        return
    rule = "renaissance.gap.money.crafting"
    belongings = subject.character.belongings if subject.status is None else subject.status.belongings
    if not any(carried.item == tools for carried in belongings):
        raise IllegalActionError(f"{subject.character.name} has no {tools}", rule=rule)
    wears = standing(subject).numbers.worn
    found = subject.library.get("gear", tools)
    able = (asked.key, figures.split(asked.key)[0])
    fits = [bonus for name, skill, bonus in wears.tools if name == found.name and skill in able]
    refuse_if(not fits, f"{found.name} is not a tool for {asked.key or asked.title}", rule=rule)
    yield found.name, fits[0], rule


def _senses(subject: Subject, asked: Asked, given_: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    rule = "renaissance.gap.race.senses"
    has = figures.senses(subject.character, subject.library)
    light = given_["light"]
    if light != "bright" and not sees_in(light, has, warm=given_["warm"]):
        yield in_words(light), light_penalty(light), rule
    if "smell" in given_["when"] and "scent" in has:
        yield "scent", int(Ledger.load("renaissance")[rule].data["scent"]), rule
    yield from _speech(subject, asked, given_)
    if "stress" in asked.words and given_["against"]:
        for piece in standing(subject).hardened(given_["against"]):
            yield piece.label, piece.value, piece.rule


def _speech(subject: Subject, asked: Asked, given_: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    """Speaking a language: only those that the race can pronounce, a Shifter in the form that has the tongue for it."""
    name, field = figures.split(asked.key)
    if name != "language" or "spoken" not in given_["when"] or not subject.library.has(Language, field):
        return
    character: RenaissanceCharacter = subject.character
    language, race = subject.library.get(Language, field), figures.race_of(character, subject.library)
    groups = race.groups if race is not None else ()
    if figures.has_grant(Shape, character, subject.library):
        groups = groups[1:] if character.form else groups[:1]
    if groups and language.group not in ("common", *groups):
        reason = f"{character.name} cannot pronounce {language.name}, only understand and write it"
        raise IllegalActionError(reason, rule="renaissance.gap.language.groups")
    yield language.name, language.spoken, "renaissance.gap.language.spoken_common"


def _trail(subject: Subject, asked: Asked, whom: str | None) -> Iterator[tuple[str, int, str]]:
    """Bonus for following a quarry that bleeds."""
    if whom is None:
        return
    rule = "renaissance.condition.bleeding"
    data = Ledger.load("renaissance")[rule].data
    if subject.scene is None:
        raise InvalidInputError("following needs a scene; outside of one use a modifier", field="follows")
    if asked.key not in [figures.meant(name) for name in data["tracking_skills"]]:
        return
    for one in conditions_of(subject.scene[whom].status, subject.scene.library):
        if one.tracking:
            yield "a trail of blood" if one.id == BLEEDING else one.name.lower(), one.tracking, rule


def _alert(subject: Subject) -> set[str]:
    return {grant.skill for grant, _ in figures.of_kind(Alert, figures.given(subject.character, subject.library))}


# ---------------------------------------------------------------------- the target


def _defaults(subject: Subject, asked: Asked) -> bool:
    """True if a check is made with a related skill in the place of one without ranks."""
    untrained = bool(asked.key) and not subject.character.skills.get(asked.key, 0)
    return untrained and subject.options.untrained == "related_skill" and stand_in_for(subject, asked) is None


def stand_in_for(subject: Subject, asked: Asked) -> Any:
    """Stand-in of a class for a skill without ranks, if it is better than the aptitude."""
    if not asked.key:
        return None
    found = figures.stand_in(subject.character, asked.key, subject.library)
    if found is None:
        return None
    linked = standing(subject).numbers.aptitudes[_linked(subject, asked.key)]
    return found if found[0].total > linked or subject.options.untrained == "related_skill" else None


def _linked(subject: Subject, key: str) -> str:
    return subject.character.exotic.get(key) or figures.skill_of(key, subject.library).aptitude


def target(subject: Subject, asked: Asked, given_: Mapping[str, Any]) -> Tally:
    """The target of a check with everything that counts, before its limits."""
    now, when = standing(subject), given_["when"]
    if not asked.key:
        assert asked.formula is not None
        certain = [word for word in asked.words if word in now.numbers.immune]
        if certain:
            reason = f"{subject.character.name} needs no check: {certain[0]} does nothing here"
            raise IllegalActionError(reason, rule="renaissance.check.waive")
        tally = now.number(str(asked.formula), *asked.words, *when).tally()
        words = [*asked.words, ANY]
    elif _defaults(subject, asked):
        rule, related = "renaissance.gap.skill.untrained", _related(given_)
        if related is None or not subject.character.skills.get(related, 0):
            name = figures.skill_name(asked.key, subject.library)
            raise IllegalActionError(
                f"{subject.character.name} has no ranks in {name}; name a related skill", rule=rule
            )
        tally = now.skill(related, *when).tally().add("in place of it", DEFAULTING, rule)
        words = [asked.key, figures.split(asked.key)[0], ANY]
    else:
        tally = now.skill(asked.key, *when).tally()
        known = figures.skill_of(asked.key, subject.library)
        words = [asked.key, known.id, *known.categories, ANY]
    tally = tally.add_all(_situation(subject, asked, given_))
    for word in dict.fromkeys(words):
        tally = subject.with_rulings(tally, word)
    return tally


def penalties_of(tally: Tally) -> int:
    """Sum of the negative modifiers, which Luck can ignore (renaissance.luck.ignore_penalties)."""
    return -sum([part.changed for part in tally.parts if part.counts and part.changed < 0])


def luck_of(subject: Subject, given_: Mapping[str, Any]) -> int:
    """The Luck points that may go into a check: those there are in a scene, or as many as are named."""
    if given_["passive"]:
        return 0
    here = standing(subject).felt.luck
    asked: int | None = given_["luck"]
    if asked is None:
        return 0 if subject.scene is None else here
    if asked > here:
        name = subject.character.name
        raise IllegalActionError(f"{name} has {here} Luck points, not {asked}", rule="renaissance.luck.stat")
    return asked


def _planned(subject: Subject, asked: Asked, given_: Mapping[str, Any]) -> CheckPlan:
    if given_["common"]:
        return CheckPlan(common_knowledge(subject.character.skills.get(asked.key, 0)))
    tally = target(subject, asked, given_)
    tallies = {"target": tally}
    options: RenaissanceOptions = subject.options
    luck, minus = luck_of(subject, given_), min(500, penalties_of(tally))
    found = stand_in_for(subject, asked)
    graded = found is None or found[1].graded
    me = standing(subject)
    daring = me.daring if luck else 0
    second = bool(luck) and me.rolls_twice(asked.key)
    private = {"luck": Role.ACTOR}
    if given_["simple"]:
        if not luck:
            return CheckPlan(simple_check(tally.total), tallies)
        simply = lucky_simple(tally.total, luck, minus, daring, second, options.luck_per_check)
        return CheckPlan(simply, tallies, private=private, then=_pay)
    grading = {
        "exceptional_boundary": options.exceptional_boundary,
        "regrade_limit": options.regrade_limit,
        "downgrade_critical": options.downgrade_critical,
    }
    if not luck and graded:
        return CheckPlan(check(tally.total, **grading), tallies)
    shared: dict[str, Any] = {"luck_per_check": options.luck_per_check, **grading}
    if graded and not daring and not second:
        call: Any = lucky_check(tally.total, luck, minus, **shared)
    else:
        gifts = {"daring": daring, "second_roll": second, "graded": graded}
        call = gifted_check(tally.total, luck, minus, **gifts, **shared)
    return CheckPlan(call, tallies, private=private, then=_pay)


async def _pay(game: Game, who: str, result: Any) -> None:
    _paid(game, who, result.spent)


def _paid(game: Game, who: str, points: int) -> None:
    if points:
        game.emit(LuckChanged(who=who, change=-points, why="a check", cause="renaissance.luck.stat"))


# ---------------------------------------------------------------------- kinds of checks


def _skill_plan(name: str, subject: Subject, **given_: Any) -> CheckPlan:
    key = figures.key_of(name, given_.pop("field", ""))
    return _planned(subject, Asked(key, title=figures.skill_name(key, subject.library)), given_)


def _any_skill(subject: Subject, **given_: Any) -> CheckPlan:
    return _skill_plan(given_.pop("name"), subject, **given_)


def _number_plan(name: str, subject: Subject, **given_: Any) -> CheckPlan:
    return _planned(subject, _number_asked(name, subject), given_)


def _number_asked(name: str, subject: Subject) -> Asked:
    number = subject.library.get(SpecialNumber, name)
    return Asked(formula=number.formula, title=number.name, words=(name, *number.words))


def _formula_plan(subject: Subject, **given_: Any) -> CheckPlan:
    made_of: Formula = given_.pop("formula")
    return _planned(subject, Asked(formula=made_of, title=str(made_of)), given_)


def _asked_by(one: Contender) -> tuple[Asked, dict[str, Any]]:
    """Check of one side of a contest, and its situation."""
    given_ = dict(one.situation)
    subject = one.subject
    if "formula" in given_:
        made_of: Formula = given_.pop("formula")
        return Asked(formula=made_of, title=str(made_of)), given_
    name = given_.pop("name", one.what)
    if subject.library.has(SpecialNumber, name):
        return _number_asked(name, subject), given_
    key = figures.key_of(name, given_.pop("field", ""))
    return Asked(key, title=figures.skill_name(key, subject.library)), given_


def _opposed(one: Contender, other: Contender) -> CheckPlan:
    """Two checks against each other, with Luck on both sides; they may be different ones."""
    (mine, here), (theirs, there) = _asked_by(one), _asked_by(other)
    a, b = target(one.subject, mine, here), target(other.subject, theirs, there)
    options: RenaissanceOptions = one.subject.options
    call = lucky_contest(
        limited_before(a.total),
        limited_before(b.total),
        a_luck=luck_of(one.subject, here),
        b_luck=luck_of(other.subject, there),
        a_penalties=min(500, penalties_of(a)),
        b_penalties=min(500, penalties_of(b)),
        way=here["way"],
        luck_per_check=options.luck_per_check,
        ordered_first_failure=options.ordered_first_failure,
        a_daring=standing(one.subject).daring,
        b_daring=standing(other.subject).daring,
        a_again=standing(one.subject).rolls_twice(mine.key),
        b_again=standing(other.subject).rolls_twice(theirs.key),
    )

    async def pay(game: Game, who: str, result: Contest) -> None:
        _paid(game, who, result.a_spent)
        _paid(game, other.subject.who, result.b_spent)

    private = {"a_luck": Role.ACTOR, "b_luck": Role.OPPONENT}
    return CheckPlan(call, {"a": a, "b": b}, private=private, then=pay, each=_each)


def limited_before(total: int) -> int:
    """A target as a mechanic takes it; its limits come later, after Luck has taken penalties away."""
    return max(-500, min(500, total))


def _each(result: Contest) -> tuple[str, str]:
    if result.result is Variable.BOTH_PARTIAL:
        return "partial success", "partial success"
    return ("wins", "loses") if result.result is Variable.A_WINS else ("loses", "wins")


SKILL_RULES = ("renaissance.check.skill_target", "renaissance.opposed.different_skills")
NUMBER_RULES = ("renaissance.check.target_sources", "renaissance.gap.check.special_numbers")
HIDDEN, GIVEN_AWAY_BY = ("difficulty",), ("target", "penalties")
"""Parts of a check that would give a secret difficulty away."""
FIELD_SKILLS = ("art", "craft", "exotic_skill", "knowledge", "language", "profession", "sport")


def _skills() -> list[str]:
    return [str(name) for name in Ledger.load("renaissance")["renaissance.gap.skill.list"].data]


def _titled(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _check(id_: str, title: str, plan: Callable[..., CheckPlan], rules: tuple[str, ...], *first: Parameter) -> Check:
    return Check(id_, title, (*first, *SITUATION), plan, rules, HIDDEN, _opposed, GIVEN_AWAY_BY)


NUMBERS = (
    "resist_intimidation",
    "overcome_fear",
    "resist_social_manipulation",
    "recall_experience",
    "take_a_chance",
    "guess",
    "logic_puzzle",
    "feat_of_strength",
    "feat_of_endurance",
    "react_quickly",
    "catch",
    "realize",
    "resist_stress",
    "stay_on_feet",
    "keep_balance",
    "keep_calm",
    "break_free",
    "touch",
    "indicate",
    "resist_disease",
    "resist_plague",
)
CHECKS: tuple[Check, ...] = (
    *[
        _check(name, _titled(name), partial(_skill_plan, name), SKILL_RULES, *([FIELD] if name in FIELD_SKILLS else []))
        for name in _skills()
    ],
    *[_check(name, _titled(name), partial(_number_plan, name), NUMBER_RULES) for name in NUMBERS],
    _check("skill", "Any skill by its name", _any_skill, SKILL_RULES, NAMED),
    _check("aptitudes", "Any combination of figures", _formula_plan, NUMBER_RULES[:1], MADE_OF),
)
