"""Situations of a check in the words of the book, and their difficulties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

from tablewright.engine import Parameter, Tally
from tablewright.engine.parameter_types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    NotationType,
    OptionalType,
    TextType,
)
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean, refuse_if
from tablewright.game.content.library import Library
from tablewright.game.play.checks import Subject
from tablewright.game.play.named_values import name_of, number_named
from tablewright.game.play.trade import in_figures
from tablewright.game.rules.ledger import Ledger
from tablewright.systems.stage.character.costs import levels_to_learn, may_learn
from tablewright.systems.stage.character.figures import attribute_level, figures, items, load
from tablewright.systems.stage.content import Application, Enchantment, Item, Lock, Spell, Task, Trap
from tablewright.systems.stage.modifiers import CAPACITY, belongings_of
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.values import Track, titled

LOWEST, HIGHEST = 1, 250
TABLE = "stage.check.difficulty_table"
PER_UNIT = 3  # stage.athletics.jump


class DifficultyValue(NamedTuple):
    """A Difficulty by the name of its band, such as average, or as a number.

    >>> DifficultyValue.parse("Very difficult"), str(DifficultyValue(9)), DifficultyValue.parse("12").value
    (DifficultyValue(value=15), 'difficult', 12)
    """

    value: int

    @staticmethod
    def parse(text: str) -> DifficultyValue:
        """Read a name of the table of Difficulties, or a whole number."""
        return DifficultyValue(number_named(text, bands(), LOWEST, HIGHEST, what="Difficulty", rule=TABLE))

    def json_text(self) -> str:
        """The name where it has one, else the number."""
        return str(self)

    def __str__(self) -> str:
        return name_of(self.value, bands())


class Metres(NamedTuple):
    """A length as people write it: in metres, whole or not.

    >>> Metres.parse("2.5"), str(Metres.parse("4 m")), str(Metres.parse("1/3"))
    (Metres(amount=Fraction(5, 2)), '4', '1/3')
    """

    amount: Fraction

    @staticmethod
    def parse(text: str) -> Metres:
        """Read `4`, `2.5`, `1/4` or `4 m`."""
        found = _LENGTH.match(text.lower())
        if found is None:
            raise InvalidInputError(f'"{text:.40}" is not a length in metres; write 4, 2.5 or 1/4')
        return Metres(Fraction(found[1]))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return in_figures(self.amount)


_LENGTH = re.compile(r"\s*([0-9]{1,6}(?:\.[0-9]{1,6}|/[1-9][0-9]{0,3})?)\s*(?:m|metres?)?\s*\Z")


class Days(NamedTuple):
    """An age in days, whole or not.

    >>> Days.parse("0.5"), str(Days.parse("2 days")), str(Days.parse("1/3"))
    (Days(amount=Fraction(1, 2)), '2', '1/3')
    """

    amount: Fraction

    @staticmethod
    def parse(text: str) -> Days:
        """Read `2`, `0.5`, `1/2` or `2 days`."""
        found = _AGE.match(text.lower())
        if found is None or Fraction(found[1]) > MOST_DAYS:
            raise InvalidInputError(f'"{text:.40}" is not an age of at most {MOST_DAYS} days; write 2, 0.5 or 1/2')
        return Days(Fraction(found[1]))

    def json_text(self) -> str:
        """The notation."""
        return str(self)

    def __str__(self) -> str:
        return in_figures(self.amount)


MOST_DAYS = 250
_AGE = re.compile(r"\s*([0-9]{1,3}(?:\.[0-9]{1,6}|/[1-9][0-9]{0,3})?)\s*(?:days?)?\s*\Z")


@lru_cache(maxsize=1)
def bands() -> dict[str, int]:
    """The named bands with what they are without a number of the Game Master: the middle, rounded down."""
    table = Ledger.load("stage")["stage.check.difficulty_table"].data
    return {row["task"]: (row["from"] + row["to"]) // 2 if row["to"] else row["from"] for row in table}


def band_of(difficulty: int) -> str:
    """The word for a Difficulty; 3 is simple.

    >>> [band_of(number) for number in (1, 3, 4, 12, 13, 99)]
    ['simple', 'simple', 'average', 'difficult', 'very_difficult', 'impossible']
    """
    for row in Ledger.load("stage")["stage.check.difficulty_table"].data:
        if row["to"] is None or difficulty <= row["to"]:
            return str(row["task"])
    raise AssertionError("the table has no end")


# ---------------------------------------------------------------------- by the rule of an application


def difficulty_of(
    application: Application, subject: Subject, given: Mapping[str, Any], target: Subject | None = None
) -> Tally:
    """The Difficulty of an application in a situation; the Game Master's number or a task comes before its rule."""
    if given.get("difficulty") is not None:
        number = given["difficulty"].value
        word = band_of(number).replace("_", " ")
        return Tally.of(f"Difficulty ({word})", number, "stage.check.difficulty").limit(LOWEST)
    if given.get("task"):
        return _of_task(application, given["task"], subject.library)
    rule = application.rule
    found: Tally | None = _BY_RULE[application.difficulty](application, subject, given, target)
    if found is None:
        raise InvalidInputError(
            f"{titled(application.key)}: say how difficult it is: {_WORDS[application.difficulty]}", rule=rule
        )
    return found.limit(LOWEST, rule="stage.check.minimum")


def _of_task(application: Application, name: str, library: Library) -> Tally:
    task = library.get(Task, name)
    if task.application != application.key:
        message = f"{task.name} is a task of {titled(task.application)}, not of {titled(application.key)}"
        raise IllegalActionError(message, rule=application.rule)
    return Tally.of(task.name, task.difficulty, f"{application.rule}_tasks")


class Thing(NamedTuple):
    """An item with a Size and a Complexity."""

    name: str
    size: int
    complexity: int


def thing_of(name: str, library: Library) -> Thing:
    """An item, a lock or a trap, by its id."""
    known: dict[str, Item | Lock | Trap] = {one.id: one for one in library.of(Trap)}
    known |= {one.id: one for one in library.of(Lock)}
    known |= items(library)
    if name not in known:
        raise InvalidInputError(f'there is nothing called "{name:.60}"{did_you_mean(name, known)}', field="thing")
    found = known[name]
    if found.complexity is None or found.size is None:
        raise IllegalActionError(f"{found.name} cannot be worked on", rule="stage.trap.table")
    return Thing(found.name, found.size, found.complexity)


def _complexity(one: Application, subject: Subject, given: Mapping[str, Any], target: Any) -> Tally | None:
    if given.get("thing"):
        thing = thing_of(given["thing"], subject.library)
        return Tally.of(f"Complexity of {thing.name}", thing.complexity, one.rule)
    complexity = given.get("complexity")
    return None if complexity is None else Tally.of("Complexity", complexity, one.rule)


def _size_complexity(one: Application, subject: Subject, given: Mapping[str, Any], target: Any) -> Tally | None:
    size = given.get("size")
    if given.get("thing"):
        size = thing_of(given["thing"], subject.library).size
    found = _complexity(one, subject, given, target)
    return None if found is None else found.add("Size", size or 0, one.rule)


def _encumbrance(one: Application, subject: Subject, given: Mapping[str, Any], target: Any) -> Tally | None:
    weighs = given.get("encumbrance")
    if weighs is None:
        return None
    body = attribute_level(subject.character, "body", subject.options, subject.library).total
    refuse_if(weighs <= body, f"Encumbrance {weighs} is within Body level {body}: no check is needed", rule=one.rule)
    return Tally.of("Encumbrance", weighs, one.rule)


def jump_difficulty(carried: Fraction, metres: Fraction, *, high: bool = False, factor: Fraction = Fraction(1)) -> int:
    """Difficulty of a jump: the load, and 3 for every metre, or third of a metre upwards, beyond the first.

    >>> jump_difficulty(Fraction(2), Fraction(4)), jump_difficulty(Fraction(2), Fraction(1), high=True)
    (11, 8)
    """
    distance = metres / factor
    units = ceil(3 * distance) if high else ceil(distance)
    return max(LOWEST, ceil(carried) + PER_UNIT * max(0, units - 1))


def _jump(one: Application, subject: Subject, given: Mapping[str, Any], target: Any) -> Tally | None:
    if given.get("metres") is None:
        return None
    carried = load(subject.character, subject.options, subject.library, belongings_of(subject))
    if given.get("gravity") == "zero":
        raise IllegalActionError(
            "nothing falls back in zero gravity: no check is needed", rule="stage.environment.gravity"
        )
    factor = CAPACITY.get(given.get("gravity") or "normal", Fraction(1))
    total = jump_difficulty(carried, given["metres"].amount, high=given["high"], factor=factor)
    tally = Tally.of("Encumbrance", ceil(carried), one.rule)
    return tally.add("distance", total - ceil(carried), one.rule)


def left_on(subject: Subject, track: Track, options: StageOptions | None = None) -> int:
    """Points left on a track, or its maximum under the option ``pair_difficulty``."""
    most: int = getattr(figures(subject.character, subject.options, subject.library), track)
    now = subject.character.wounds if subject.status is None else subject.status
    left: int | None = getattr(now, track)
    if left is None or (options is not None and options.pair_difficulty == "maximum"):
        return most
    return min(left, most) if options is not None else left


def _pair(one: Application, target: Subject, tracks: tuple[Track, Track]) -> Tally:
    options = target.options
    tally = Tally.of(tracks[0].title(), left_on(target, tracks[0], options), one.rule)
    return tally.add(tracks[1].title(), left_on(target, tracks[1], options), one.rule)


def _mind_sanity(one: Application, subject: Subject, given: Any, target: Subject | None) -> Tally | None:
    if target is None:
        return None
    if target.options.analysis_pair == "intellect":
        return _pair(one, target, ("intellect", "sanity"))
    level = attribute_level(target.character, "mind", target.options, target.library).total
    return Tally.of("Mind level", level, one.rule).add("Sanity", left_on(target, "sanity", target.options), one.rule)


def _lost(track: Track) -> Any:
    def lost(one: Application, subject: Subject, given: Any, target: Subject | None) -> Tally | None:
        if target is None:
            return None
        most = getattr(figures(target.character, target.options, target.library), track)
        gone = most - left_on(target, track)
        if gone <= 0:  # stage.medicine.treatment, stage.medicine.surgery
            raise IllegalActionError(f"no {track.title()} is lost: there is nothing to treat", rule=one.rule)
        return Tally.of(f"{track.title()} lost", gone, one.rule)

    return lost


def _number(name: str, label: str) -> Any:
    def numbered(one: Application, subject: Subject, given: Mapping[str, Any], target: Any) -> Tally | None:
        return None if given.get(name) is None else Tally.of(label, given[name], one.rule)

    return numbered


def _days(one: Application, subject: Subject, given: Mapping[str, Any], target: Any) -> Tally | None:
    """The age of tracks: a part of a day counts as a whole one, as results are whole (stage.survival.track)."""
    return None if given.get("days") is None else Tally.of("days old", ceil(given["days"].amount), one.rule)


def _circle(one: Application, subject: Subject, given: Mapping[str, Any], target: Any) -> Tally | None:
    if given.get("circle") is None:
        return None
    tally = Tally.of("circle", given["circle"], one.rule)  # stage.magic.app_detect
    return tally.scale(Fraction(3), "to identify it", one.rule) if given["identify"] else tally


def _circle_3(one: Application, subject: Subject, given: Mapping[str, Any], target: Any) -> Tally | None:
    circle = given.get("circle")
    if given.get("spell"):
        spell = subject.library.get(Spell, given["spell"])
        circle = spell.circle
        if not may_learn(spell, subject.character):
            raise IllegalActionError(f"{spell.name} needs {levels_to_learn(spell)}", rule="stage.magic.learn_limit")
    return None if circle is None else Tally.of("3 times the circle", 3 * circle, one.rule)


def _enchant(one: Application, subject: Subject, given: Mapping[str, Any], target: Any) -> Tally | None:
    circle, core, complexity = given.get("circle"), given.get("core"), given.get("complexity")
    if given.get("enchantment"):
        found = subject.library.get(Enchantment, given["enchantment"])
        circle, core = found.circle, found.core if core is None else core
    if given.get("thing"):
        complexity = thing_of(given["thing"], subject.library).complexity
    if circle is None or core is None or complexity is None:
        return None
    held = core + given["already"]
    if held > complexity:
        message = f"Complexity {complexity} holds no {held} core points"
        raise IllegalActionError(message, rule=one.rule)
    tally = Tally.of("circle", circle, one.rule).add("sacrificed core points", core, one.rule)
    return tally.add("Complexity", complexity, one.rule)


def _hit(one: Application, subject: Subject, given: Mapping[str, Any], target: Subject | None) -> Tally | None:
    size = given.get("size")
    if target is not None:
        size = figures(target.character, target.options, target.library).size
    if size is None:
        return None
    return Tally.of("nobody defends", 0, "stage.attack.hit_difficulty").add(
        "Size", 10 - size, "stage.attack.size_table"
    )


def _nothing(one: Application, subject: Subject, given: Any, target: Any) -> Tally | None:
    return Tally.of("Difficulty", one.fixed, one.rule) if one.fixed else None


_BY_RULE: dict[str, Any] = {
    "set": _nothing,
    "opposed": _nothing,
    "highest": _nothing,
    "none": _nothing,
    "fixed": _nothing,
    "hit": _hit,
    "complexity": _complexity,
    "size_complexity": _size_complexity,
    "encumbrance": _encumbrance,
    "jump": _jump,
    "mind_sanity": _mind_sanity,
    "will_spirit": lambda one, subject, given, target: (
        None if target is None else _pair(one, target, ("will", "spirit"))
    ),
    "vitality_lost": _lost("vitality"),
    "stamina_lost": _lost("stamina"),
    "rounds_dead": _number("rounds", "rounds since death"),
    "level": _number("level", "level of the ailment"),
    "days": _days,
    "circle": _circle,
    "circle_3": _circle_3,
    "enchant": _enchant,
}
_WORDS = {
    "set": "difficulty=average, or a task",
    "opposed": "difficulty=8; in a contest the opponent's check sets it",
    "highest": "difficulty=8; others' results set it",
    "none": "",
    "fixed": "",
    "hit": "difficulty=3, size=7 or a target",
    "complexity": "thing=good_lock, or complexity=8",
    "size_complexity": "thing=good_lock, or size=2 complexity=8",
    "encumbrance": "encumbrance=9",
    "jump": "metres=4",
    "mind_sanity": "target=guard, or difficulty=6",
    "will_spirit": "target=wolf, or difficulty=6",
    "vitality_lost": "target=brynh, or difficulty=3",
    "stamina_lost": "target=brynh, or difficulty=3",
    "rounds_dead": "rounds=4",
    "level": "level=2, or a task",
    "days": "days=2",
    "circle": "circle=1",
    "circle_3": "spell=flare, or circle=1",
    "enchant": "enchantment=keen_edge thing=dagger, or circle, core and complexity",
}


_NUMBER = OptionalType(IntType(0, 250))
COMMON: tuple[Parameter, ...] = (
    Parameter(
        "difficulty",
        OptionalType(NotationType(DifficultyValue)),
        "how hard it is: a name such as average, or a number",
        None,
    ),
    Parameter("target", OptionalType(TextType()), "whom it is done to, by id", None),
    Parameter("helpers", IntType(0, 20), "how many others help", 0),
    Parameter("cap", OptionalType(IntType(1, 10)), "the highest limit on helpers' dice that one of them knows", None),
    Parameter("helped_by", ListType(TextType()), "who of those present helps, by id", ()),
    Parameter("powers", ListType(TextType()), "powers that are announced for it, by id", ()),
    Parameter("item", TextType(), "what it is done with, by id", ""),
    Parameter("art", TextType(), "which kind of art it is", ""),
    Parameter("improvised", BoolType(), "whether tools are improvised", False),
    Parameter("dice", IntType(-20, 20), "dice more or less by circumstances", 0),
    Parameter("modifier", IntType(-60, 60), "what else is added to the result", 0),
)
BY_DIFFICULTY: dict[str, tuple[Parameter, ...]] = {
    "complexity": (
        Parameter("thing", OptionalType(TextType()), "the item, lock or trap, by id", None),
        Parameter("complexity", _NUMBER, "its Complexity", None),
    ),
    "size_complexity": (
        Parameter("thing", OptionalType(TextType()), "the item, lock or trap, by id", None),
        Parameter("size", _NUMBER, "its Size category", None),
        Parameter("complexity", _NUMBER, "its Complexity", None),
    ),
    "encumbrance": (Parameter("encumbrance", _NUMBER, "its Encumbrance", None),),
    "jump": (
        Parameter("metres", OptionalType(NotationType(Metres)), "how far, in metres", None),
        Parameter("high", BoolType(), "whether it is upwards", False),
        Parameter(
            "gravity",
            EnumType(tuple([(word, word) for word in ("very_high", "high", "normal", "low", "very_low", "zero")])),
            "the gravity",
            "normal",
        ),
    ),
    "rounds_dead": (Parameter("rounds", _NUMBER, "rounds since death", None),),
    "level": (Parameter("level", _NUMBER, "the level of the ailment", None),),
    "days": (Parameter("days", OptionalType(NotationType(Days)), "how old the tracks are, in days", None),),
    "circle": (
        Parameter("circle", _NUMBER, "the circle of the effect", None),
        Parameter("identify", BoolType(), "whether it shall be identified too", False),
    ),
    "circle_3": (
        Parameter("spell", OptionalType(TextType()), "the spell, by id", None),
        Parameter("circle", _NUMBER, "its circle", None),
    ),
    "enchant": (
        Parameter("enchantment", OptionalType(TextType()), "the enchantment, by id", None),
        Parameter("thing", OptionalType(TextType()), "the item, by id", None),
        Parameter("circle", _NUMBER, "the circle", None),
        Parameter("core", _NUMBER, "core points of the sacrifice", None),
        Parameter("complexity", _NUMBER, "the item's Complexity", None),
        Parameter("already", IntType(0, 100), "core points that are in the item already", 0),
    ),
    "hit": (Parameter("size", _NUMBER, "the target's Size category", None),),
}
BY_NUMBER = {
    "distance": Parameter("distance", IntType(0, 1_000), "cubes between the two", 0),
    "size": Parameter("size", OptionalType(IntType(1, 30)), "the Size category of the thing", None),
    "characters": Parameter("characters", IntType(0, 10_000), "how many are tracked", 0),
}
TASK = Parameter("task", OptionalType(TextType()), "an example of the tables, by id", None)
SPELL = Parameter("spell", OptionalType(TextType()), "the spell, by id", None)


def situation_of(application: Application) -> tuple[Parameter, ...]:
    """The words in which the situation of an application can be told."""
    own = list(COMMON)
    if application.difficulty in ("set", "level", "mind_sanity", "size_complexity"):
        own.append(TASK)
    if application.check == "spell":
        own.append(SPELL)
    own += [one for one in BY_DIFFICULTY.get(application.difficulty, ()) if one.name not in [p.name for p in own]]
    for one in application.circumstances:
        if one.by is not None and BY_NUMBER[one.by].name not in [p.name for p in own]:
            own.append(BY_NUMBER[one.by])
    said = [one.name for one in application.circumstances if one.by is None]
    if said:
        words = ListType(EnumType(tuple([(name, name) for name in said])))
        own.append(Parameter("when", words, f"circumstances: {', '.join(said)}", ()))
    return tuple(own)
