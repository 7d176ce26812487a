"""Characters and their checks as values."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablewright.api.arguments import Packs, checked, paths_of
from tablewright.api.odds import Odds, odds_of_call
from tablewright.api.rolls import Played, roll
from tablewright.api.subject import checked_seed
from tablewright.dice import SeededDice
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.character.character import Character as CharacterFile
from tablewright.game.character.character import read_character, write_character
from tablewright.game.character.creation import CharacterCreation, at_random
from tablewright.game.character.sheet import Sheet, sheet_markdown, sheet_text
from tablewright.game.play.checks import CheckPlan, Subject, find_check
from tablewright.game.scenario.cast import find_character, ruleset_of
from tablewright.game.system.registry import load_system
from tablewright.game.system.ruleset import Ruleset

if TYPE_CHECKING:
    from tablewright.engine import Tally
    from tablewright.game.character.legality import Violation
    from tablewright.game.play.checks import Check as CheckKind

SHEET_WIDTH = 100


class Character:
    """A character under the rules of its system: frozen, hashable and picklable.

    >>> import tablewright as tw
    >>> ann = tw.Character.load("mars:fighter").changed(name="Ann")
    >>> ann, ann.problems
    (<Character Ann of mars>, ())
    """

    def __init__(self, value: CharacterFile, ruleset: Ruleset, packs: Packs = ()) -> None:
        self.__dict__.update(value=value, ruleset=ruleset, packs=tuple([str(pack) for pack in paths_of(packs)]))

    value: CharacterFile
    """The character as its file holds it."""
    ruleset: Ruleset
    """The system with the rule options and content that the character is read under."""
    packs: tuple[str, ...]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a character is immutable; use changed({name}=...)")

    # ------------------------------------------------------------------ making

    @staticmethod
    @checked
    def load(word: str | Path, *, packs: Packs = (), options: Mapping[str, object] | None = None) -> Character:
        """Load a character from a file, or by ``SYSTEM:ID`` from the content of a system."""
        own = paths_of(packs)
        found = find_character(str(word), options, own)
        return Character(found.character, found.ruleset, own)

    @staticmethod
    @checked
    def random(
        system: str,
        seed: int | None = None,
        *,
        name: str | None = None,
        packs: Packs = (),
        options: Mapping[str, object] | None = None,
        **answers: str,
    ) -> Character:
        """Create a character with every choice at random, except the ``answers`` by step."""
        own = paths_of(packs)
        ruleset = ruleset_of(load_system(system), options, own)
        drawn = secrets.randbits(32) if seed is None else checked_seed(seed)
        start = ruleset.start_creation({}, name or ruleset.name_for(drawn))
        made = at_random(start, SeededDice(drawn), answers)
        return Character(made if name is None or made.name == name else made.changed(name=name), ruleset, own)

    @staticmethod
    @checked
    def make(
        system: str,
        *,
        packs: Packs = (),
        options: Mapping[str, object] | None = None,
        **fields: Any,
    ) -> Character:
        """Create a character from its fields, as a file holds them; the error lists all problems at once."""
        own = paths_of(packs)
        ruleset = ruleset_of(load_system(system), options, own)
        kind = ruleset.rulebook.character
        known = [*kind.model_fields]
        strange = [name for name in fields if name not in known]
        if strange:
            raise InvalidInputError(
                f'a character of {system} has no "{strange[0]:.40}"; there are {", ".join(known)}'
                f"{did_you_mean(strange[0], known)}",
                field=strange[0],
            )
        whole = {"system": system, "rules": kind.model_fields["rules"].get_default()} | fields
        return Character(read_character(whole, kind).character, ruleset, own)

    @staticmethod
    @checked
    def making(
        system: str,
        seed: int | None = None,
        *,
        name: str | None = None,
        packs: Packs = (),
        options: Mapping[str, object] | None = None,
    ) -> CharacterCreation[Any]:
        """Create a character step by step: ``question``, ``options``, ``answer(id)``, ``back()``, ``result``."""
        ruleset = ruleset_of(load_system(system), options, paths_of(packs))
        drawn = secrets.randbits(32) if seed is None else checked_seed(seed)
        return CharacterCreation(ruleset.start_creation({}, name), SeededDice(drawn))

    def changed(self, **fields: Any) -> Character:
        """Copy with some fields changed and validated; unknown fields are refused."""
        return Character(self.value.changed(**fields), self.ruleset, self.packs)

    @checked
    def save(self, path: str | Path) -> None:
        """Write the character to a file, as YAML or JSON by its suffix."""
        write_character(Path(path), self.value)

    # ------------------------------------------------------------------ reading

    @property
    def name(self) -> str:
        """Name of the character."""
        return self.value.name

    @property
    def system(self) -> str:
        """Id of the system."""
        return self.ruleset.system.id

    @cached_property
    def sheet(self) -> Sheet:
        """The sheet: sections of labelled values, each with its tally."""
        return self.ruleset.rulebook.sheet(self.value, self.ruleset.options, self.ruleset.library)

    @checked
    def why(self, label: str) -> str:
        """Explain one value of the sheet; an unknown label is refused with the nearest one."""
        return self.sheet.why(label)

    @property
    def problems(self) -> tuple[Violation, ...]:
        """Rules of creation that the character breaks; empty if it is legal."""
        return tuple(self.ruleset.rulebook.legality(self.value, self.ruleset.options, self.ruleset.library).violations)

    @property
    def checks(self) -> tuple[str, ...]:
        """Ids of all checks that the system knows."""
        return tuple([check.id for check in self.ruleset.rulebook.checks])

    @checked
    def check(self, name: str, **situation: object) -> Check:
        """A check of the character in a situation, ready to roll; id or title name it."""
        kind = find_check(name, self.ruleset.rulebook.checks)
        subject = Subject(self.value, self.ruleset.options, self.ruleset.library)
        return Check(self.name, kind, kind.read(subject, {key: _word(value) for key, value in situation.items()}))

    def to_dict(self) -> dict[str, Any]:
        """The character as plain data, as its file holds it."""
        return self.value.to_json()

    def __getattr__(self, name: str) -> Any:
        """A field of the character's file."""
        value = self.__dict__.get("value")
        if value is None or name.startswith("_") or name not in type(value).model_fields:
            known = () if value is None else type(value).model_fields
            raise AttributeError(f"a character has no {name!r}{did_you_mean(name, known)}")
        return getattr(value, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Character):
            return NotImplemented
        return self.value == other.value and self.ruleset.options == other.ruleset.options

    def __hash__(self) -> int:
        return hash(self.value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.system, self.ruleset.options.changed(), self.packs, self.to_dict())

    def __repr__(self) -> str:
        return f"<Character {self.name} of {self.system}>"

    def __str__(self) -> str:
        return sheet_text(self.sheet, SHEET_WIDTH)

    def _repr_markdown_(self) -> str:
        return sheet_markdown(self.sheet)


def _restored(system: str, options: Mapping[str, object], packs: tuple[str, ...], fields: dict[str, Any]) -> Character:
    """A character from its pickled parts."""
    ruleset = ruleset_of(load_system(system), options, packs)
    return Character(read_character(fields, ruleset.rulebook.character).character, ruleset, packs)


def _word(value: object) -> object:
    """A value of a situation as the command line would have it: a number stands for its text."""
    return str(value) if type(value) is int else value


class Check:
    """A character's check in a situation: its tallies, its exact odds, and the roll.

    >>> import tablewright as tw
    >>> climb = tw.Character.load("mars:fighter").check("athletics", difficulty=14)
    >>> climb.odds >= "graze", climb.roll(seed=1).result.value
    (87.50%, 'failure')
    """

    def __init__(self, character: str, kind: CheckKind, plan: CheckPlan) -> None:
        self.__dict__.update(character=character, kind=kind, plan=plan)

    character: str
    kind: CheckKind
    plan: CheckPlan

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a check is immutable; {name} cannot be set")

    @cached_property
    def odds(self) -> Odds[Any]:
        """Exact odds of the check."""
        return odds_of_call(self.plan.call)

    @property
    def tallies(self) -> dict[str, Tally]:
        """Numbers of the check with their named parts, by argument."""
        return dict(self.plan.tallies)

    def roll(self, seed: int | None = None, faces: Iterable[int] | None = None) -> Played[Any]:
        """Roll the check."""
        return roll(self.plan.call, seed=seed, faces=None if faces is None else list(faces))

    def __str__(self) -> str:
        tallies = "; ".join([_tally_words(tally) for tally in self.plan.tallies.values()])
        return f"{self.character}, {self.kind.title.lower()}{': ' if tallies else ''}{tallies}"

    def __repr__(self) -> str:
        return f"<Check {self}>"


def _tally_words(tally: Tally) -> str:
    parts = [f"{part.label} {part.changed:+d}" for part in tally.parts if part.counts]
    return " ".join([f"{tally.reads or tally.total} =", f"{tally.label} {tally.base}", *parts])
