"""People of MARS and scenes outside fights, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from systems.playing import in_one_place, of_starter, outside_fights, starter
from tablewright.dice import SeededDice
from tablewright.engine import Choice, Roll
from tablewright.game.character.belongings import ItemStack
from tablewright.game.character.character import read_character
from tablewright.game.character.creation import CharacterCreation, at_random
from tablewright.game.content.library import Library
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.session.session import Session
from tablewright.systems.mars.book import rulebook
from tablewright.systems.mars.character.record import MarsCharacter, OwnTrait, Stats, Wounds
from tablewright.systems.mars.content import RESOURCES
from tablewright.systems.mars.creation import create
from tablewright.systems.mars.options import MarsOptions
from tablewright.systems.mars.status import leave
from tablewright.systems.mars.values import RollValue

OPTIONS = MarsOptions(advantage_die_choice="max_gain")
"""A table that asks for no die, so that all dice of a roll are typed at once."""

LEDGER = Ledger.load("mars")

SPENT = Wounds(health=2, endurance=0, stamina=0, focus=0)


def library() -> Library:
    """The starter pack."""
    return starter("mars")


def person(name: str, **changes: Any) -> MarsCharacter:
    """A character of the starter pack, with some fields changed."""
    return of_starter("mars", MarsCharacter, name, **changes)


def somebody(name: str = "Somebody", **fields: Any) -> MarsCharacter:
    """A creature with the stats given by their names, such as STR="r12+1", and usual ones otherwise."""
    stats = Stats(**{key: RollValue.parse(fields.pop(key)) for key in ("STR", "DEX", "INT", "RES") if key in fields})
    return MarsCharacter(**{"name": name, "kind": "creature", "stats": stats, **fields})


def veteran(experience: int = 100, name: str = "fighter", **changes: Any) -> MarsCharacter:
    """A character between two sessions."""
    return person(name, **{"experience": experience, "opportunity": 1, **changes})


def weary(**changes: Any) -> MarsCharacter:
    """The reference character, worn out."""
    return person("fighter", **{"traits": (OwnTrait(id="necrovisitation"),), "wounds": SPENT, **changes})


def scene_of(people: Mapping[str, MarsCharacter], options: MarsOptions = OPTIONS) -> Scene:
    """People together in one place."""
    return in_one_place("mars", people, options)


def session_of(people: Mapping[str, MarsCharacter], options: MarsOptions = OPTIONS, seed: int = 1) -> Session:
    """A session of people who do things outside fights."""
    return outside_fights("mars", people, options, seed)


def alone(character: MarsCharacter, options: MarsOptions = OPTIONS) -> Session:
    """A session of one, who is called `ann`."""
    return session_of({"ann": character}, options)


def do(
    session: Session,
    process: str,
    *,
    faces: Iterable[Sequence[int]] = (),
    choices: Iterable[str] = (),
    **arguments: Any,
) -> Session:
    """Run a process to its end with typed dice and named choices; all of them must be used up."""
    rolls, options = list(faces), list(choices)
    session.do(process, **arguments)
    while session.question is not None:
        if isinstance(session.question, Roll):
            if rolls:
                session.type_in(rolls.pop(0))
            else:
                raise AssertionError(f"{process} asks for a roll that was not typed: {session.question}")
        else:
            assert isinstance(session.question, Choice)
            session.choose(options.pop(0))
    assert not rolls, f"{len(rolls)} rolls were not asked for"
    assert not options, f"{options} were not asked for"
    return session


def character(session: Session, who: str = "ann") -> MarsCharacter:
    """The character of a participant in the scene."""
    found = session.scene[who].character
    assert isinstance(found, MarsCharacter)
    return found


def resources(session: Session, who: str = "ann") -> tuple[int, ...]:
    """Health, endurance, stamina and focus of a participant."""
    return tuple([getattr(session.scene[who].status, name) for name in RESOURCES])


def left(session: Session, who: str = "ann") -> MarsCharacter:
    """The character of a participant as it leaves the scene."""
    return leave(session.scene, who)


def _game() -> Game:
    return Game(Scene("mars", options=OPTIONS, library=library()), rulebook)


def making(**arguments: Any) -> CharacterCreation[MarsCharacter]:
    """A character in the making."""
    return CharacterCreation(lambda: create(_game(), **arguments))


def random_character(seed: int) -> MarsCharacter:
    """A character made at random."""
    return at_random(lambda: create(_game(), name="Nobody"), SeededDice(seed, "making"))


def from_text(text: str) -> MarsCharacter:
    """A character from the text of a file."""
    return read_character(text, MarsCharacter).character


def wearing(*items: str, place: str = "worn", **fields: Any) -> MarsCharacter:
    """A character who wears or carries these items."""
    return somebody(belongings=tuple([ItemStack(item, place=place) for item in items]), **fields)


def flat(number: int) -> RollValue:
    """A roll value that always comes to a number."""
    return RollValue(0, number)


def rolled(text: str) -> RollValue:
    """A roll value as it is written."""
    return RollValue.parse(text)


def only(dist: Any) -> Any:
    """The one outcome of a call that is certain."""
    (outcome,) = dist.outcomes
    return outcome
