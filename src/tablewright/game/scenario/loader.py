"""Loader of scenarios: by the name `SYSTEM:NAME`, from a file, from text or plain data."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tablewright.errors import InvalidInputError, ProblemListError, TablewrightError, did_you_mean
from tablewright.game.content.library import Library
from tablewright.game.content.packs import package_folder
from tablewright.game.content.problems import Lined, few, in_words
from tablewright.game.files.atomic import exists
from tablewright.game.files.documents import (
    SUFFIXES,
    Document,
    Place,
    Step,
    dotted,
    parse_document,
    parse_value,
    quote,
    read_document,
)
from tablewright.game.ground.bands import HERE, Bands, Together, spot
from tablewright.game.ground.facts import ANYONE, Facts
from tablewright.game.ground.parser import read_ground
from tablewright.game.ground.position import Ground, Position, WrongGroundError
from tablewright.game.ids import free_id
from tablewright.game.rules.entry_points import package_of, system_ids
from tablewright.game.rules.options import RuleOptions
from tablewright.game.rules.yaml_compiler import YamlError, read_data
from tablewright.game.scenario.scenario import Entrant, Scenario
from tablewright.game.scenario.schema import MOST_PARTICIPANTS, FactFile, ParticipantFile, ScenarioFile, policy_names
from tablewright.game.system.registry import load_system
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.system.system import System
from tablewright.game.values import Frozen, freeze, thaw

DEMO_FOLDER = "data/demo"
_WORD = re.compile(r"(?P<system>[a-zA-Z][a-zA-Z0-9_]*):(?P<name>[a-zA-Z0-9_-]{1,60})\Z")
_ID = re.compile(r"[^\W_][\w-]{0,59}\Z")


def scenario_names(system_id: str) -> tuple[str, ...]:
    """Sorted names of the scenarios shipped with a system; `SYSTEM:NAME` loads one."""
    return tuple(sorted(_shipped(system_id)))


def find_scenario(word: str) -> Path:
    """The file of a scenario given as `SYSTEM:NAME` or as a path."""
    named = _WORD.match(word)
    if named is None or exists(Path(word)):
        if Path(word).suffix.lower() not in SUFFIXES:
            raise InvalidInputError(
                f'"{word:.60}" is not a scenario: allowed are SYSTEM:NAME and files (.yaml, .json){_offer(word)}'
            )
        return Path(word)
    found = _shipped(named["system"])
    try:
        return found[named["name"]]
    except KeyError:
        known = f"scenarios: {', '.join(sorted(found))}" if found else "it has none yet"
        close = did_you_mean(named["name"], found)
        title = load_system(named["system"]).title
        raise InvalidInputError(f'{title} has no scenario "{named["name"]}"{close} ({known})') from None


def load_scenario(word: str | Path, *, policies: Collection[str] | None = None) -> Scenario:
    """Read and validate a scenario given as `SYSTEM:NAME` or as a path."""
    path = find_scenario(word) if isinstance(word, str) else word
    name = str(word)
    if isinstance(word, str) and _WORD.match(word) and path != Path(word):
        try:
            return _ScenarioParser(_merged(path, shipped=True), path.parent, name, policies, shipped=True).scenario()
        except (YamlError, InvalidInputError):
            pass  # read again with line numbers for the error messages
    return _ScenarioParser(_merged(path), path.parent, name, policies).scenario()


def read_scenario(
    given: str | bytes | Mapping[str, Any], *, folder: Path | None = None, policies: Collection[str] | None = None
) -> Scenario:
    """Read and validate a scenario given as YAML text or plain data.

    Files are resolved against ``folder``, and absolute paths must lie below it. Without a folder all files are refused.
    """
    if isinstance(given, Mapping):
        try:
            text = json.dumps(thaw(given), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInputError(f"this is not plain data: {error}") from None
        document = Document("scenario", parse_value(text, "scenario"))
    else:
        document = parse_document(given, "scenario")
    return _ScenarioParser(document, folder, "scenario", policies).scenario()


def _shipped(system_id: str) -> dict[str, Path]:
    return _demos(load_system(system_id).package)


def _demos(package: str) -> dict[str, Path]:
    try:
        folder = package_folder(package) / DEMO_FOLDER
    except InvalidInputError:
        return {}
    return {file.stem: file for file in sorted(folder.glob("*.yaml"))} if folder.is_dir() else {}


def _offer(word: str) -> str:
    """Suggest scenarios with a similar name, across all systems."""
    words = [f"{system}:{name}" for system in system_ids() for name in _demos(package_of(system) or "")]
    return did_you_mean(word, words) or (f"; try {', '.join(words[:8])}" if words else "")


class _Merged(Document):
    """A scenario merged with the one it is ``like``, which supplies the missing keys."""

    __slots__ = ("_base", "_own")

    def __init__(self, own: Document, base: Document) -> None:
        super().__init__(own.name, {**base.value, **{key: own.value[key] for key in own.value if key != "like"}})
        self._own = own
        self._base = base

    def _one(self, path: Sequence[Step]) -> Document:
        return self._base if path and path[0] not in self._own.value and path[0] in self._base.value else self._own

    def place(self, path: Iterable[Step]) -> Place:
        """Line and column of a path in the file it comes from."""
        steps = tuple(path)
        return self._one(steps).place(steps)

    def at(self, path: Iterable[Step]) -> str:
        """File and line of a path."""
        steps = tuple(path)
        one = self._one(steps)
        found = one.at(steps)
        return found if found == one.name else "{}:{}:{}".format(one.name, *one.place(steps))


def _merged(path: Path, *, shipped: bool = False) -> Document:
    """The document of a scenario file, merged with the one it is like."""

    def read(file: Path) -> Document:
        return Document(str(file), read_data(file)) if shipped else read_document(file)

    own = read(path)
    if not isinstance(own.value, dict) or "like" not in own.value:
        return own
    at = Lined(own, own.value).at(("like",))
    like = own.value["like"]
    others = {file.stem: file for file in sorted(path.parent.iterdir()) if file.suffix in SUFFIXES and file != path}
    if not isinstance(like, str) or like not in others:
        close = did_you_mean(like, others) if isinstance(like, str) else ""
        raise InvalidInputError(f"{at}: like: {quote(like)} is not another scenario of this folder{close}")
    base = read(others[like])
    if not isinstance(base.value, dict) or "like" in base.value:
        raise InvalidInputError(f"{at}: like: {quote(like)} is itself like another one; name that")
    return _Merged(own, base)


class _ScenarioParser:
    """One scenario being read, with the problems found so far."""

    def __init__(
        self,
        document: Document,
        folder: Path | None,
        name: str,
        policies: Collection[str] | None,
        *,
        shipped: bool = False,
    ) -> None:
        self.document = document if isinstance(document, _Merged) else Lined(document, document.value)
        self.folder = folder
        self.name = name
        self._policies = policies
        self.shipped = shipped
        self.people: tuple[str, ...] = ()
        self.problems: list[str] = []

    def wrong(self, path: Sequence[Step], message: str) -> None:
        self.problems.append(f"{self.document.at(path)}: {dotted(path)}: {message}")

    def _check_policy(self, path: Sequence[Step], policy: str) -> None:
        known = policy_names() if self._policies is None else self._policies
        if policy not in known:
            allowed = f"allowed are {', '.join(known)}{did_you_mean(policy, known)}"
            self.wrong(path, f'there is no policy "{policy}"; {allowed}')

    def scenario(self) -> Scenario:
        try:
            file = ScenarioFile.model_validate_json(json.dumps(self.document.value))
        except ValidationError as error:
            self.problems += in_words(self.document, error, ScenarioFile)
            raise ProblemListError(few(self.problems)) from None
        system = self._system(file.system)
        options = self._options(system, file.options)
        packs = tuple([path for path in map(self._pack, range(len(file.packs)), file.packs) if path])
        library = self._library(system, packs)
        ground = self._ground(file.ground)
        entrants = tuple(self._entrants(file, ground, library))
        if not file.participants:
            self.wrong(("participants",), "nobody takes part; at least one does")
        sides = self._sides(file, entrants)
        surprised = [
            who for number, word in enumerate(file.surprise) for who in self._who(("surprise", number), word, entrants)
        ]
        facts = self._facts(file.facts, entrants)
        if self.problems or options is None or ground is None or system is None:
            raise ProblemListError(few(self.problems))
        return Scenario(
            title=file.title,
            system=file.system,
            options=options,
            ground=ground,
            sides=sides,
            entrants=entrants,
            surprised=tuple(dict.fromkeys(surprised)),
            facts=facts,
            start=freeze(file.start),
            rounds=file.rounds,
            ends=file.ends,
            now=file.now,
            about=file.about,
            packs=packs,
            library=library,
            name=self.name,
            side_names=Frozen(file.side_names),
        )

    def _system(self, system_id: str) -> System | None:
        try:
            return load_system(system_id)
        except InvalidInputError as problem:
            self.wrong(("system",), problem.message)
            return None

    def _options(self, system: System | None, given: Mapping[str, Any]) -> RuleOptions | None:
        if system is None:
            return None
        before = len(self.problems)
        for name, value in given.items():
            try:
                system.options.from_mapping({name: value})
            except InvalidInputError as problem:
                self.wrong(("options", name), problem.message)
        if len(self.problems) > before:
            return None
        try:
            return system.options.from_mapping(given)
        except InvalidInputError as problem:
            self.wrong(("options",), problem.message)
            return None

    def _pack(self, number: int, given: str) -> str | None:
        path = self._file(("packs", number), given)
        return str(path.absolute()) if path else None

    def _file(self, path: Sequence[Step], given: str) -> Path | None:
        """A file relative to the scenario's folder, or None with a problem; so that scenarios work on every machine."""
        if self.folder is None:
            self.wrong(path, f"{quote(given)} is a file, which cannot be named here")
        elif Path(given).is_absolute() and not Path(given).resolve().is_relative_to(self.folder.resolve()):
            self.wrong(path, f"{quote(given)} must be a path relative to the scenario")
        elif not exists(found := self.folder / given):
            self.wrong(path, f"there is no {found}")
        else:
            return found
        return None

    def _library(self, system: System | None, packs: Sequence[str]) -> Library | None:
        if system is None or system.rulebook_module is None:
            return None
        try:
            self.people = system.rulebook.character_kinds
            return shipped_library(system, [Path(pack) for pack in packs])
        except ProblemListError as problem:
            self.problems += problem.problems
        except TablewrightError as problem:
            self.problems.append(problem.message)
        return None

    def _ground(self, given: Any) -> Ground | None:
        try:
            return read_ground(given)
        except WrongGroundError as refusal:
            for path, message in refusal.placed:
                self.wrong(("ground", *path), message)
            return None

    def _sides(self, file: ScenarioFile, entrants: Sequence[Entrant]) -> tuple[str, ...]:
        for number, side in enumerate(file.sides):
            if side in file.sides[:number]:
                self.wrong(("sides", number), f'"{side}" is given twice')
            elif entrants and not any(entrant.side == side for entrant in entrants):
                self.wrong(("sides", number), f'nobody is on the side "{side}"')
        known = file.sides or tuple(dict.fromkeys([entrant.side for entrant in entrants]))
        for side in file.side_names:
            if side not in known:
                self.wrong(("side_names", side), f'there is no side "{side}"{did_you_mean(side, known)}')
        return file.sides or tuple(dict.fromkeys([entrant.side for entrant in entrants]))

    def _entrants(self, file: ScenarioFile, ground: Ground | None, library: Library | None) -> Iterator[Entrant]:
        taken = {given.id for given in file.participants if given.id}
        seen: set[str] = set()
        places: dict[Position, str] = {}
        total = 0
        for number, given in enumerate(file.participants):
            path = ("participants", number)
            total += given.count
            if total > MOST_PARTICIPANTS:
                self.wrong(path, f"more than {MOST_PARTICIPANTS} participants")
                return
            if file.sides and given.side not in file.sides:
                allowed = f"allowed are {', '.join(file.sides)}{did_you_mean(given.side, file.sides)}"
                self.wrong((*path, "side"), f'there is no side "{given.side}"; {allowed}')
            if given.policy:
                self._check_policy((*path, "policy"), given.policy)
            character, document = self._character((*path, "character"), given.character, library)
            name = given.name or _name(given.character, character, _people(library, self.people))
            for copy in range(given.count):
                own_name = f"{name} {copy + 1}" if given.count > 1 else name
                if given.id:
                    who = f"{given.id}-{copy + 1}" if given.count > 1 else given.id
                else:
                    who = free_id(own_name, taken)
                    taken.add(who)
                if who in seen:
                    self.wrong((*path, "id"), f'"{who}" is given twice')
                seen.add(who)
                yield Entrant(
                    id=who,
                    side=given.side,
                    character=character,
                    name=own_name,
                    seat=given.seat or "",
                    position=self._position((*path, "position"), given, copy, ground, places),
                    hidden=given.hidden,
                    policy=given.policy or "",
                    document=document,
                    at=self.document.at(path),
                )

    def _character(
        self, path: tuple[Step, ...], given: Any, library: Library | None
    ) -> tuple[str | Frozen[Any], Document | None]:
        if isinstance(given, dict):
            return freeze(given), Lined(self.document, given, path)
        if Path(given).suffix.lower() in SUFFIXES:
            return self._character_file(path, given)
        known = _people(library, self.people)
        if library is not None and given not in known:
            self.wrong(
                path, f'nobody is called "{given:.60}"{did_you_mean(given, known)}; a file ends in .yaml or .json'
            )
        elif not _ID.match(given):
            self.wrong(path, f'"{given:.60}" is neither an id nor a file that ends in .yaml or .json')
        return given, None

    def _character_file(self, path: tuple[Step, ...], given: str) -> tuple[str | Frozen[Any], Document | None]:
        found = self._file(path, given)
        if found is None:
            return given, None
        try:
            document = Document(str(found), read_data(found)) if self.shipped else read_document(found)
        except ProblemListError as problem:
            self.problems += problem.problems
        except InvalidInputError as problem:
            self.problems.append(problem.message)
        else:
            if isinstance(document.value, dict):
                return freeze(document.value), document
            self.problems.append(f"{found}: a character is a mapping, not {quote(document.value)}")
        return given, None

    def _position(
        self,
        path: tuple[Step, ...],
        given: ParticipantFile,
        copy: int,
        ground: Ground | None,
        places: dict[Position, str],
    ) -> Position | None:
        if ground is None or isinstance(ground, Together):
            return HERE
        text = given.position
        if isinstance(text, list):
            if len(text) != given.count:
                if copy == 0:
                    self.wrong(path, f"{len(text)} positions for {given.count} participants")
                return None
            path, text = (*path, copy), text[copy]
        if not text:
            if isinstance(ground, Bands):
                return spot(given.side)
            if copy == 0:
                self.wrong(path, f"missing; the ground is a {ground.kind}")
            return None
        try:
            at = ground.parse(text)
        except InvalidInputError as problem:
            if copy == 0 or isinstance(given.position, list):
                self.wrong(path, problem.message)
            return None
        if at in places and not ground.shares:
            self.wrong(path, f'"{at}" is taken, see {places[at]}')
        places.setdefault(at, dotted(path))
        return at

    def _who(self, path: Sequence[Step], word: str, entrants: Sequence[Entrant]) -> list[str]:
        """The ids that a word stands for: one entrant or all of a side; none is a problem."""
        found = [entrant.id for entrant in entrants if word in (entrant.id, entrant.side)]
        if not found:
            known = [*dict.fromkeys([entrant.side for entrant in entrants]), *[entrant.id for entrant in entrants]]
            self.wrong(path, f'nobody is called "{word}"{did_you_mean(word, known)} (known: {", ".join(known[:20])})')
        return found

    def _facts(self, given: Sequence[FactFile], entrants: Sequence[Entrant]) -> Facts:
        facts = Facts()
        for number, fact in enumerate(given):
            path: tuple[Step, ...] = ("facts", number)
            who = [ANYONE] if fact.who == ANYONE else self._who((*path, "who"), fact.who, entrants)
            against = [ANYONE] if fact.against == ANYONE else self._who((*path, "against"), fact.against, entrants)
            try:
                for one in who:
                    for other in against:
                        facts = facts.set(fact.what, one, fact.value, other)
            except InvalidInputError as problem:
                self.wrong(path, problem.message)
        return facts


def _people(library: Library | None, kinds: Sequence[str]) -> dict[str, str]:
    """Names by id of all characters in the content."""
    if library is None:
        return {}
    return {entry.id: entry.name for kind in kinds for entry in library.of(kind)}


def _name(given: Any, character: str | Frozen[Any], people: Mapping[str, str]) -> str:
    """Default name of an entrant: from the character's data, its file name, or the content."""
    if isinstance(character, Frozen):
        name = character.get("name")
        if isinstance(name, str) and name:
            return name[:60]
        return Path(given).stem if isinstance(given, str) else "somebody"
    return people.get(character) or character.replace("_", " ").replace("-", " ").capitalize()
