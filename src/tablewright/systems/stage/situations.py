"""The words that the situation of an application can be told in: common ones, and what its Difficulty needs."""

from __future__ import annotations

from tablewright.engine import Parameter
from tablewright.engine.parameters import Flag, Notated, OrNothing, Several, Text, Whole, Word
from tablewright.systems.stage.content import Application
from tablewright.systems.stage.difficulty import DifficultyValue, Metres

_NUMBER = OrNothing(Whole(0, 250))
COMMON: tuple[Parameter, ...] = (
    Parameter(
        "difficulty", OrNothing(Notated(DifficultyValue)), "how hard it is: a name such as average, or a number", None
    ),
    Parameter("target", OrNothing(Text()), "whom it is done to, by id", None),
    Parameter("helpers", Whole(0, 20), "how many others help", 0),
    Parameter("cap", OrNothing(Whole(1, 10)), "the highest limit on helpers' dice that one of them knows", None),
    Parameter("helped_by", Several(Text()), "who of those present helps, by id", ()),
    Parameter("powers", Several(Text()), "powers that are announced for it, by id", ()),
    Parameter("item", Text(), "what it is done with, by id", ""),
    Parameter("art", Text(), "which kind of art it is", ""),
    Parameter("improvised", Flag(), "whether tools are improvised", False),
    Parameter("dice", Whole(-20, 20), "dice more or less by circumstances", 0),
    Parameter("modifier", Whole(-60, 60), "what else is added to the result", 0),
)
BY_DIFFICULTY: dict[str, tuple[Parameter, ...]] = {
    "complexity": (
        Parameter("thing", OrNothing(Text()), "the item, lock or trap, by id", None),
        Parameter("complexity", _NUMBER, "its Complexity", None),
    ),
    "size_complexity": (
        Parameter("thing", OrNothing(Text()), "the item, lock or trap, by id", None),
        Parameter("size", _NUMBER, "its Size category", None),
        Parameter("complexity", _NUMBER, "its Complexity", None),
    ),
    "encumbrance": (Parameter("encumbrance", _NUMBER, "its Encumbrance", None),),
    "jump": (
        Parameter("metres", OrNothing(Notated(Metres)), "how far, in metres", None),
        Parameter("high", Flag(), "whether it is upwards", False),
        Parameter(
            "gravity",
            Word(tuple([(word, word) for word in ("very_high", "high", "normal", "low", "very_low", "zero")])),
            "the gravity",
            "normal",
        ),
    ),
    "rounds_dead": (Parameter("rounds", _NUMBER, "rounds since death", None),),
    "level": (Parameter("level", _NUMBER, "the level of the ailment", None),),
    "days": (Parameter("days", _NUMBER, "how old the tracks are", None),),
    "circle": (
        Parameter("circle", _NUMBER, "the circle of the effect", None),
        Parameter("identify", Flag(), "whether it shall be identified too", False),
    ),
    "circle_3": (
        Parameter("spell", OrNothing(Text()), "the spell, by id", None),
        Parameter("circle", _NUMBER, "its circle", None),
    ),
    "enchant": (
        Parameter("enchantment", OrNothing(Text()), "the enchantment, by id", None),
        Parameter("thing", OrNothing(Text()), "the item, by id", None),
        Parameter("circle", _NUMBER, "the circle", None),
        Parameter("core", _NUMBER, "core points of the sacrifice", None),
        Parameter("complexity", _NUMBER, "the item's Complexity", None),
        Parameter("already", Whole(0, 100), "core points that are in the item already", 0),
    ),
    "hit": (Parameter("size", _NUMBER, "the target's Size category", None),),
}
BY_NUMBER = {
    "distance": Parameter("distance", Whole(0, 1_000), "cubes between the two", 0),
    "size": Parameter("size", OrNothing(Whole(1, 30)), "the Size category of the thing", None),
    "characters": Parameter("characters", Whole(0, 10_000), "how many are tracked", 0),
}
TASK = Parameter("task", OrNothing(Text()), "an example of the tables, by id", None)
SPELL = Parameter("spell", OrNothing(Text()), "the spell, by id", None)


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
        words = Several(Word(tuple([(name, name) for name in said])))
        own.append(Parameter("when", words, f"circumstances: {', '.join(said)}", ()))
    return tuple(own)
