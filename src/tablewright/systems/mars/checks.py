"""Checks by name, from a character and a situation in words.

Difficulties are named or numbered. Circumstances (`when`) bring in what talents, ancestry and armour have to say about
them; advantage, disadvantage and modifiers are the game master's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args

from tablewright.engine import Param, Parameter, process
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
from tablewright.game.play.common_events import Checked
from tablewright.game.play.named_values import name_of, number_named
from tablewright.game.play.time_passage import each_named
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.processes import contest as in_free_play
from tablewright.systems.mars.character.figures import can_use, language
from tablewright.systems.mars.character.record import MarsCharacter
from tablewright.systems.mars.content import COMBAT_SKILLS, SECONDARY, STATS, Secondary, Skill, Stat, Task, When
from tablewright.systems.mars.mechanics.checks import DiceRules, check, contest, roll
from tablewright.systems.mars.now import Now, now, now_of, rulings
from tablewright.systems.mars.values import Contested, Degree, Part, Throw, degree_of

BASIC = ("agility", "athletics", "charisma", "knowledge", "perception")
COMPLEX = ("contacts", "craft", "medicine", "sleight", "wild_empathy")
SKILL_CHECK, GATE, TASKS = "mars.check.skill_check", "mars.skill.complex_gate", "mars.gap.check.common_tasks"


class DifficultyValue(NamedTuple):
    """A difficulty by its name, such as hard, or as a number.

    >>> DifficultyValue.parse("Hard"), str(DifficultyValue(14)), DifficultyValue.parse("12").value
    (DifficultyValue(value=14), 'hard', 12)
    """

    value: int

    @staticmethod
    def parse(text: str) -> DifficultyValue:
        """Read a name of the table of difficulties, or a whole number."""
        return DifficultyValue(
            number_named(text, difficulties(), -100, 400, what="difficulty", rule="mars.check.difficulties")
        )

    def json_text(self) -> str:
        """The name where it has one, else the number."""
        return str(self)

    def __str__(self) -> str:
        return name_of(self.value, difficulties())


def difficulties() -> dict[str, int]:
    """The named difficulties of the book."""
    return {
        str(name).casefold(): int(value) for name, value in Ledger.load("mars")["mars.check.difficulties"].data.items()
    }


MODERATE = DifficultyValue(10)
_WHEN = ListType(EnumType(tuple([(word, word) for word in get_args(When)])))
SITUATION: tuple[Parameter, ...] = (
    Parameter(
        "difficulty", NotationType(DifficultyValue), "how hard it is: a name such as hard, or a number", MODERATE
    ),
    Parameter("task", OptionalType(TextType()), "a common task by its id, which brings its difficulty with it", None),
    Parameter("when", _WHEN, "circumstances: intimidation, tracking, fear and the like", ()),
    Parameter("advantage", IntType(0, 10), "sources of advantage by circumstances", 0),
    Parameter("disadvantage", IntType(0, 10), "sources of disadvantage by circumstances", 0),
    Parameter("modifier", IntType(-50, 50), "what else is added", 0),
    Parameter("aimed", BoolType(), "whether it is aimed at an enemy", False),
    Parameter("passive", BoolType(), "whether the passive value stands in for the roll", False),
)


def standing(subject: Subject) -> Now:
    """Figures of a subject, in a scene or outside of one."""
    character: MarsCharacter = subject.character
    if subject.status is None:
        return now_of(character, subject.library, subject.options, character.belongings, character.wounds.effects)
    status = subject.status
    return now_of(character, subject.library, subject.options, status.belongings, status.effects)


def _in_circumstances(subject: Subject, throw: Throw, given: Mapping[str, Any]) -> Throw:
    """The throw with the parts of the situation, or its passive value."""
    parts: list[Part] = [("circumstances", given["modifier"], None)] if given["modifier"] else []
    pros = [("circumstances", 1, "mars.advantage.sources")] * given["advantage"]
    cons = [("circumstances", 1, "mars.advantage.sources")] * given["disadvantage"]
    throw = throw.with_parts(parts, pros, cons)
    passive = given["passive"] or (subject.options.passive_rolls == "all_npc" and subject.character.is_creature)
    return throw.passive(subject.options.odd_roll_values) if passive else throw


def _ruled(subject: Subject, throw: Throw, *names: str) -> Throw:
    """The throw with rulings under any of some names."""
    scene = subject.scene
    if scene is None:
        return throw
    return throw.with_parts([part for name in names for part in rulings(scene, name, subject.who)])


def _planned(subject: Subject, throw: Throw, what: str, difficulty: int, given: dict[str, Any]) -> CheckPlan:
    throw = _in_circumstances(subject, _ruled(subject, throw, what), given)
    call = check(throw.value, difficulty, throw.advantage, throw.disadvantage, DiceRules.of(subject.options))
    return CheckPlan(call, throw.tallies("roll_value"))


def _hard(subject: Subject, difficulty: DifficultyValue, task: str | None, what: str) -> tuple[int, tuple[When, ...]]:
    """Difficulty by number or by common task, and the circumstances of the task."""
    if task is None:
        return difficulty.value, ()
    found = subject.library.get(Task, task)
    takes = (*found.skills, "language") if found.language else found.skills
    refuse_if(takes and what not in takes, f"{found.name} takes {' or '.join(takes)}, not {what}", rule=TASKS)
    return found.difficulty, found.when


def skill_throw(subject: Subject, skill: str, when: tuple[When, ...], *, aimed: bool = False) -> Throw:
    """Roll of a skill; a complex one needs training or a bonus of birth, combat skills do not."""
    known = subject.library.get(Skill, skill)
    if skill != "perception":  # a noise may still be heard
        _demand_awake(subject)
    if known.group != "combat" and not can_use(subject.character, skill, subject.library):
        raise IllegalActionError(f"{subject.character.name} is not trained in {known.name}", rule=GATE)
    return standing(subject).skill(skill, when, aimed=aimed)


def _demand_awake(subject: Subject) -> None:
    left = subject.character.wounds if subject.status is None else subject.status
    refuse_if(left.dead, f"{subject.character.name} is dead", rule="mars.effect.dying")
    if any(effect.kind == "unconscious" for effect in left.effects):
        raise IllegalActionError(f"{subject.character.name} is unconscious", rule="mars.effect.unconscious")


def _skill_plan(skill: str, *also: str) -> Any:
    def plan(
        subject: Subject, difficulty: DifficultyValue, task: str | None, when: tuple[When, ...], **given: Any
    ) -> CheckPlan:
        hard, more = _hard(subject, difficulty, task, skill)
        throw = skill_throw(subject, skill, (*when, *more), aimed=given["aimed"])
        return _planned(subject, _ruled(subject, throw, *also), skill, hard, given)

    return plan


def _any_skill(subject: Subject, name: str, **given: Any) -> CheckPlan:
    found: CheckPlan = _skill_plan(name, "skill")(subject, **given)
    return found


def _stat_plan(name: Stat) -> Any:
    def plan(
        subject: Subject, difficulty: DifficultyValue, task: str | None, when: tuple[When, ...], **given: Any
    ) -> CheckPlan:
        hard, _ = _hard(subject, difficulty, task, name)
        return _planned(subject, standing(subject).stat(name), name, hard, given)

    return plan


def _secondary_plan(name: Secondary) -> Any:
    def plan(
        subject: Subject, difficulty: DifficultyValue, task: str | None, when: tuple[When, ...], **given: Any
    ) -> CheckPlan:
        hard, more = _hard(subject, difficulty, task, name)
        return _planned(subject, standing(subject).roll(name, (*when, *more)), name, hard, given)

    return plan


def _language_plan(
    subject: Subject, name: str, difficulty: DifficultyValue, task: str | None, when: tuple[When, ...], **given: Any
) -> CheckPlan:
    _demand_awake(subject)
    here = standing(subject)
    rolled = language(subject.character, name, subject.library, here.effects)
    if rolled is None:
        raise IllegalActionError(
            f"{subject.character.name} speaks {name} like a native; no roll is needed", rule="mars.skill.languages"
        )
    throw = here.stat("INT")
    throw = Throw(rolled, throw.pros, throw.cons).with_parts(here.penalty)
    hard, _ = _hard(subject, difficulty, task, "language")
    return _planned(subject, _ruled(subject, throw, "language"), name, hard, given)


def _opposed(one: Contender, other: Contender) -> CheckPlan:
    """A contest that only one can win: the strictly higher total succeeds."""
    a, b = _contending(one), _contending(other)
    options = one.subject.options
    luck = (a.advantage, a.disadvantage, b.advantage, b.disadvantage)
    call = contest(a.value, b.value, options.contest_tie, *luck, DiceRules.of(options))
    tallies = {**a.tallies("a", "a_"), **b.tallies("b", "b_")}
    return CheckPlan(call, tallies, each=lambda result: (result.a.value, result.b.value))


def _contending(one: Contender) -> Throw:
    subject, what, given = one.subject, one.situation.get("name", one.what), one.situation
    if what in STATS:
        throw = standing(subject).stat(what)
    elif what in SECONDARY:
        throw = standing(subject).roll(what, given["when"])
    else:
        throw = skill_throw(subject, what, given["when"], aimed=given["aimed"])
    return _in_circumstances(subject, _ruled(subject, throw, what), given)


def _titled(name: str) -> str:
    return name.replace("_", " ").title()


_NAMED = Parameter("name", TextType(), "which one, by its id")


def _check(
    id_: str, title: str, plan: Any, *rules: str, first: tuple[Parameter, ...] = (), against: Any = _opposed
) -> Check:
    return Check(id_, title, (*first, *SITUATION), plan, rules, ("difficulty",), against, either=("difficulty", "task"))


CHECKS: tuple[Check, ...] = (
    *[_check(name, _titled(name), _skill_plan(name), SKILL_CHECK, "mars.skill.basic") for name in BASIC],
    *[_check(name, _titled(name), _skill_plan(name), SKILL_CHECK, "mars.skill.complex", GATE) for name in COMPLEX],
    *[_check(name, _titled(name), _skill_plan(name), SKILL_CHECK, "mars.skill.combat") for name in COMBAT_SKILLS],
    *[_check(name, name, _stat_plan(name), "mars.stat.primary") for name in STATS],
    *[_check(name, name, _secondary_plan(name), "mars.stat.rolled_secondary_uses") for name in SECONDARY],
    _check("language", "A foreign language", _language_plan, "mars.skill.languages", first=(_NAMED,), against=None),
    _check("skill", "Any skill by its name", _any_skill, SKILL_CHECK, first=(_NAMED,)),
)
BY_ID = frozenset([one.id for one in CHECKS])


def modifier_names(scene: Scene) -> list[str]:
    """Names under which the game master's modifiers count: every skill, stat and language, and the rolls of a fight."""
    spoken = {name for one in scene.participants for name in one.character.languages}
    skills = [one.id for one in scene.library.of(Skill)]
    return [*skills, *STATS, *SECONDARY, "initiative", "attack", "defence", "damage", "language", *sorted(spoken)]


# ---------------------------------------------------------------------- several at once


@process(rules=["mars.check.group_action"])
async def group_check(
    game: Game,
    who: Annotated[tuple[str, ...], Param("the ids of those who act together")],
    skill: Annotated[str, Param("the skill, by its id")],
    difficulty: Annotated[DifficultyValue, Param("difficulty: a name such as hard, or a number")] = MODERATE,
    mode: Annotated[Literal["best", "worst"], Param("whether one success is enough or everyone must succeed")] = "best",
    when: Annotated[tuple[str, ...], Param("circumstances, such as silent_movement")] = (),
) -> Degree:
    """Several do the same thing together: all roll, and only the best or only the worst result counts."""
    if not who:
        raise InvalidInputError("name at least one member of the group", field="who")
    book = game.rulebook
    plans: list[tuple[str, CheckPlan]] = []
    for one in each_named(game, who):  # refuse before the first dice
        given: dict[str, Any] = {"difficulty": str(difficulty.value), "when": list(when)}
        if now(game.scene, one).teamwork(skill):
            given["advantage"] = 1
        subject = book.subject(game[one], game.scene)
        plans.append((one, book.check("skill").read(subject, {"name": skill, **given})))
    results: list[Degree] = [await plan.call.by(game.seat(one), tallies=plan.tallies) for one, plan in plans]
    pick = max if mode == "best" else min
    result = pick(results, key=lambda degree: degree.rank)
    for one, _ in plans:
        game.emit(Checked(who=one, what=f"{skill}, together", result=result.value, cause="mars.check.group_action"))
    return result


@process(rules=["mars.opposed.contest"])
async def compete(
    game: Game,
    who: Annotated[str, Param("the id of one side")],
    other: Annotated[str, Param("the id of the other side")],
    skill: Annotated[str, Param("the skill that both use, by its id")],
    other_skill: Annotated[str, Param("the skill of the other side, if it is another one")] = "",
) -> Contested:
    """A contest that only one can win: the strictly higher total succeeds."""
    both = [(name, ()) if name in BY_ID else ("skill", (f"name={name}",)) for name in (skill, other_skill or skill)]
    (what, situation), (with_what, other_situation) = both
    result: Contested = await in_free_play(game, who, what, other, with_what, situation, other_situation)
    return result


@process(rules=["mars.opposed.contest"])
async def compete_all(
    game: Game,
    who: Annotated[tuple[str, ...], Param("the ids of those who compete, each for themselves")],
    skill: Annotated[str, Param("the skill that all use, by its id")],
) -> str:
    """A contest of several that only one can win: the one highest total succeeds; where it is tied, nobody wins.

    At tables that roll ties again those who share the highest total do so. The answer is who won, empty for nobody.
    """
    everybody = each_named(game, who)
    if len(everybody) < 2:
        raise InvalidInputError("a contest needs at least two sides", field="who")
    best = everybody
    while True:
        totals = {one: await _total(game, one, skill) for one in best}
        highest, *others = sorted(totals.values(), reverse=True)
        best = [one for one, total in totals.items() if total == highest]
        if len(best) == 1 or game.scene.options.contest_tie == "no_winner":
            break
    winner = best[0] if len(best) == 1 else ""
    for one in everybody:
        degree = degree_of(highest - others[0]) if one == winner else Degree.FAILURE
        game.emit(Checked(who=one, what=skill, result=degree.value, cause="mars.opposed.contest"))
    return winner


async def _total(game: Game, who: str, skill: str) -> int:
    """Roll of one participant among several."""
    what, words = (skill, {}) if skill in BY_ID else ("skill", {"name": skill})
    throw = _contending(game.rulebook.check(what).contender(game.rulebook.subject(game[who], game.scene), words))
    call = roll(throw.value, throw.advantage, throw.disadvantage, DiceRules.of(game.scene.options))
    return await call.by(game.seat(who), tallies=throw.tallies("roll_value"))
