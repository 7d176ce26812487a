"""Finding and reading scenarios: by the word `SYSTEM:NAME`, from a file, from text or plain data."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tablewright.errors import BadInput, ManyProblems, TablewrightError, nearest
from tablewright.game.compiling import BadYaml, read_data
from tablewright.game.content import Library, library_of
from tablewright.game.content.problems import Lined, few, in_words
from tablewright.game.content.reading import package_folder
from tablewright.game.frozen import Frozen, freeze, thaw
from tablewright.game.ground import (
    ANYONE,
    HERE,
    Bands,
    Facts,
    Ground,
    Position,
    Together,
    WrongGround,
    read_ground,
    spot,
)
from tablewright.game.options import Options
from tablewright.game.registry import load_system, package_of, system_ids
from tablewright.game.scenario.schema import MOST_PARTICIPANTS, POLICIES, FactFile, ParticipantFile, ScenarioFile
from tablewright.game.scenario.values import Entrant, Scenario
from tablewright.game.system import System
from tablewright.game.yaml_lines import SUFFIXES, Document, Place, Step, dotted, parse_document, read_document, shown

DEMO_FOLDER = "data/demo"
_WORD = re.compile(r"(?P<system>[a-zA-Z][a-zA-Z0-9_]*):(?P<name>[a-zA-Z0-9_-]{1,60})\Z")
_ID = re.compile(r"[^\W_][\w-]{0,59}\Z")


def scenario_names(system_id: str) -> tuple[str, ...]:
    """The names of the scenarios that come with a system, sorted; `SYSTEM:NAME` loads one."""
    return tuple(sorted(_shipped(system_id)))


def find_scenario(word: str) -> Path:
    """The file that a word names: `SYSTEM:NAME`, or a path."""
    named = _WORD.match(word)
    if named is None or _exists(Path(word)):
        if Path(word).suffix.lower() not in SUFFIXES:
            raise BadInput(
                f'"{word:.60}" is no scenario: allowed are SYSTEM:NAME and files (.yaml, .json){_offer(word)}'
            )
        return Path(word)
    found = _shipped(named["system"])
    try:
        return found[named["name"]]
    except KeyError:
        known = f"scenarios: {', '.join(sorted(found))}" if found else "it has none yet"
        close = nearest(named["name"], found)
        raise BadInput(f'{named["system"]} has no scenario "{named["name"]}"{close} ({known})') from None


def load_scenario(word: str | Path, *, policies: Collection[str] = POLICIES) -> Scenario:
    """Read and check a scenario: by its word `SYSTEM:NAME`, or a file."""
    path = find_scenario(word) if isinstance(word, str) else word
    name = str(word)
    if isinstance(word, str) and _WORD.match(word) and path != Path(word):
        try:
            return _Reading(_merged(path, shipped=True), path.parent, name, policies, shipped=True).scenario()
        except (BadYaml, BadInput):
            pass  # read once more, for the lines
    return _Reading(_merged(path), path.parent, name, policies).scenario()


def read_scenario(
    given: str | bytes | Mapping[str, Any], *, folder: Path | None = None, policies: Collection[str] = POLICIES
) -> Scenario:
    """Read and check a scenario that is given as YAML text or plain data.

    Files are looked for in the folder, and absolute ones must lie below it; without a folder it may name no files.
    """
    if isinstance(given, Mapping):
        try:
            text = json.dumps(thaw(given), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise BadInput(f"this is no plain data: {error}") from None
        document = Document("scenario", parse_document(text, "scenario", "json").value)
    else:
        document = parse_document(given, "scenario")
    return _Reading(document, folder, "scenario", policies).scenario()


def _shipped(system_id: str) -> dict[str, Path]:
    return _demos(load_system(system_id).package)


def _demos(package: str) -> dict[str, Path]:
    try:
        folder = package_folder(package) / DEMO_FOLDER
    except BadInput:
        return {}
    return {file.stem: file for file in sorted(folder.glob("*.yaml"))} if folder.is_dir() else {}


def _offer(word: str) -> str:
    """Scenarios with a name like the word, whichever system they belong to."""
    words = [f"{system}:{name}" for system in system_ids() for name in _demos(package_of(system) or "")]
    return nearest(word, words) or (f"; try {', '.join(words[:8])}" if words else "")


class _Merged(Document):
    """A scenario and the one that it is like: whatever the first does not say, the second does."""

    __slots__ = ("_base", "_own")

    def __init__(self, own: Document, base: Document) -> None:
        super().__init__(own.name, {**base.value, **{key: own.value[key] for key in own.value if key != "like"}})
        self._own = own
        self._base = base

    def _one(self, path: Sequence[Step]) -> Document:
        return self._base if path and path[0] not in self._own.value and path[0] in self._base.value else self._own

    def place(self, path: Iterable[Step]) -> Place:
        """Where the value at a path stands in its own file."""
        steps = tuple(path)
        return self._one(steps).place(steps)

    def at(self, path: Iterable[Step]) -> str:
        """The file and line of a path."""
        steps = tuple(path)
        one = self._one(steps)
        found = one.at(steps)
        return found if found == one.name else "{}:{}:{}".format(one.name, *one.place(steps))


def _merged(path: Path, *, shipped: bool = False) -> Document:
    """The document of a scenario file, together with the one it is like."""

    def read(file: Path) -> Document:
        return Document(str(file), read_data(file)) if shipped else read_document(file)

    own = read(path)
    if not isinstance(own.value, dict) or "like" not in own.value:
        return own
    at = Lined(own, own.value).at(("like",))
    like = own.value["like"]
    others = {file.stem: file for file in sorted(path.parent.iterdir()) if file.suffix in SUFFIXES and file != path}
    if not isinstance(like, str) or like not in others:
        close = nearest(like, others) if isinstance(like, str) else ""
        raise BadInput(f"{at}: like: {shown(like)} is no other scenario of this folder{close}")
    base = read(others[like])
    if not isinstance(base.value, dict) or "like" in base.value:
        raise BadInput(f"{at}: like: {shown(like)} is itself like another one; name that")
    return _Merged(own, base)


class _Reading:
    """One scenario being read: what was wrong so far, and what its parts turned out to be."""

    def __init__(
        self,
        document: Document,
        folder: Path | None,
        name: str,
        policies: Collection[str],
        *,
        shipped: bool = False,
    ) -> None:
        self.document = document if isinstance(document, _Merged) else Lined(document, document.value)
        self.folder = folder
        self.name = name
        self.policies = policies
        self.shipped = shipped
        self.people: tuple[str, ...] = ()
        self.problems: list[str] = []

    def wrong(self, path: Sequence[Step], message: str) -> None:
        self.problems.append(f"{self.document.at(path)}: {dotted(path)}: {message}")

    def scenario(self) -> Scenario:
        try:
            file = ScenarioFile.model_validate_json(json.dumps(self.document.value))
        except ValidationError as error:
            self.problems += in_words(self.document, error, ScenarioFile)
            raise ManyProblems(few(self.problems)) from None
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
            raise ManyProblems(few(self.problems))
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
        )

    def _system(self, system_id: str) -> System | None:
        try:
            return load_system(system_id)
        except BadInput as problem:
            self.wrong(("system",), problem.message)
            return None

    def _options(self, system: System | None, given: Mapping[str, Any]) -> Options | None:
        if system is None:
            return None
        before = len(self.problems)
        for name, value in given.items():
            try:
                system.options.from_mapping({name: value})
            except BadInput as problem:
                self.wrong(("options", name), problem.message)
        if len(self.problems) > before:
            return None
        try:
            return system.options.from_mapping(given)
        except BadInput as problem:
            self.wrong(("options",), problem.message)
            return None

    def _pack(self, number: int, given: str) -> str | None:
        path = self._file(("packs", number), given)
        return str(path.absolute()) if path else None

    def _file(self, path: Sequence[Step], given: str) -> Path | None:
        """A file beside the scenario: relative to its folder, so that a scenario means the same for everybody."""
        if self.folder is None:
            self.wrong(path, f"{shown(given)} is a file, which cannot be named here")
        elif Path(given).is_absolute() and not Path(given).resolve().is_relative_to(self.folder.resolve()):
            self.wrong(path, f"{shown(given)} must be a path relative to the scenario")
        elif not _exists(found := self.folder / given):
            self.wrong(path, f"there is no {found}")
        else:
            return found
        return None

    def _library(self, system: System | None, packs: Sequence[str]) -> Library | None:
        if system is None or system.rulebook is None:
            return None
        try:
            self.people = system.book.people
            return library_of(system, [Path(pack) for pack in packs])
        except ManyProblems as problem:
            self.problems += problem.problems
        except TablewrightError as problem:
            self.problems.append(problem.message)
        return None

    def _ground(self, given: Any) -> Ground | None:
        try:
            return read_ground(given)
        except WrongGround as refusal:
            for path, message in refusal.placed:
                self.wrong(("ground", *path), message)
            return None

    def _sides(self, file: ScenarioFile, entrants: Sequence[Entrant]) -> tuple[str, ...]:
        for number, side in enumerate(file.sides):
            if side in file.sides[:number]:
                self.wrong(("sides", number), f'"{side}" is given twice')
            elif entrants and not any(entrant.side == side for entrant in entrants):
                self.wrong(("sides", number), f'nobody is on the side "{side}"')
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
                allowed = f"allowed are {', '.join(file.sides)}{nearest(given.side, file.sides)}"
                self.wrong((*path, "side"), f'there is no side "{given.side}"; {allowed}')
            if given.policy and given.policy not in self.policies:
                allowed = f"allowed are {', '.join(self.policies)}{nearest(given.policy, self.policies)}"
                self.wrong((*path, "policy"), f'there is no policy "{given.policy}"; {allowed}')
            character, document = self._character((*path, "character"), given.character, library)
            name = given.name or _name(given.character, character, _people(library, self.people))
            for copy in range(given.count):
                own_name = f"{name} {copy + 1}" if given.count > 1 else name
                who = given.id or _free(own_name, taken)
                if given.id and given.count > 1:
                    who = f"{given.id}-{copy + 1}"
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
            self.wrong(path, f'nobody is called "{given:.60}"{nearest(given, known)}; a file ends in .yaml or .json')
        elif not _ID.match(given):
            self.wrong(path, f'"{given:.60}" is neither an id nor a file that ends in .yaml or .json')
        return given, None

    def _character_file(self, path: tuple[Step, ...], given: str) -> tuple[str | Frozen[Any], Document | None]:
        found = self._file(path, given)
        if found is None:
            return given, None
        try:
            document = Document(str(found), read_data(found)) if self.shipped else read_document(found)
        except ManyProblems as problem:
            self.problems += problem.problems
        except BadInput as problem:
            self.problems.append(problem.message)
        else:
            if isinstance(document.value, dict):
                return freeze(document.value), document
            self.problems.append(f"{found}: a character is a mapping, not {shown(document.value)}")
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
        except BadInput as problem:
            if copy == 0 or isinstance(given.position, list):
                self.wrong(path, problem.message)
            return None
        if at in places and not ground.shares:
            self.wrong(path, f'"{at}" is taken, see {places[at]}')
        places.setdefault(at, dotted(path))
        return at

    def _who(self, path: Sequence[Step], word: str, entrants: Sequence[Entrant]) -> list[str]:
        """The ids that a word stands for: an entrant, or everybody of a side."""
        found = [entrant.id for entrant in entrants if word in (entrant.id, entrant.side)]
        if not found:
            known = [*dict.fromkeys([entrant.side for entrant in entrants]), *[entrant.id for entrant in entrants]]
            self.wrong(path, f'nobody is called "{word}"{nearest(word, known)} (known: {", ".join(known[:20])})')
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
            except BadInput as problem:
                self.wrong(path, problem.message)
        return facts


def _people(library: Library | None, kinds: Sequence[str]) -> dict[str, str]:
    """The ids and names of whoever the content knows as a character."""
    if library is None:
        return {}
    return {entry.id: entry.name for kind in kinds for entry in library.of(kind)}


def _name(given: Any, character: str | Frozen[Any], people: Mapping[str, str]) -> str:
    """What somebody is called who was given no name: as the character's file says, or as the content does."""
    if isinstance(character, Frozen):
        name = character.get("name")
        if isinstance(name, str) and name:
            return name[:60]
        return Path(given).stem if isinstance(given, str) else "somebody"
    return people.get(character) or character.replace("_", " ").replace("-", " ").capitalize()


def _free(name: str, taken: set[str]) -> str:
    """An id made of a name, with a number where somebody has it already."""
    words = "".join([letter if letter.isalnum() else " " for letter in name.casefold()]).split()
    base = "-".join(words)[:56] or "somebody"
    free, number = base, 1
    while free in taken:
        number += 1
        free = f"{base}-{number}"
    taken.add(free)
    return free


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False
