"""``tablewright do``: run a process on characters and write the changed ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from tablewright.cli.arguments.answers import Chooser
from tablewright.cli.arguments.characters import ids_of, mention, person_of
from tablewright.cli.arguments.flags import Answers, AsJson, Faces, Options, Packs, Seed
from tablewright.cli.arguments.processes import demand_known
from tablewright.cli.arguments.text import AGAINST, faces_of, seed_or_drawn, validate_words
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.errors import note
from tablewright.cli.output.problems import report_problems
from tablewright.cli.output.streams import print_json
from tablewright.cli.views.changes import Changed, tell_changes, write_back
from tablewright.dice import TypedDice
from tablewright.engine import Choice, Process, Roll
from tablewright.errors import InvalidInputError, ProblemListError, TablewrightError
from tablewright.game.narration.phrases import and_list
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.system.registry import load_system

if TYPE_CHECKING:
    from tablewright.game.scenario.cast import NamedCharacter
    from tablewright.game.session.session import Session
    from tablewright.game.system.system import System

MOST_ANSWERS = 100_000
TABLE = "table"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SYSTEM.PROCESS FILE key=value",
            help="A process, characters (two sides: FILES vs FILES) and arguments; SYSTEM alone lists the processes.",
        ),
    ] = None,
    *,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the changed character to this file.")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Save changed characters to their own files.")] = False,
    campaign: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Keep place, time and everything else about the scene in this file, from one do to the next.",
        ),
    ] = None,
    seed: Seed = None,
    faces: Faces = None,
    choose: Answers = None,
    option: Options = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """Run a process outside fights: rest, advance, buy."""
    named = validate_words(words or ())
    if not named:
        raise InvalidInputError(
            f"name SYSTEM.PROCESS, a character's file and arguments; systems: {', '.join(system_ids())}"
        )
    if len(named) == 1 and "." not in named[0]:
        _list(load_system(named[0][:100]), as_json)
        return
    if output is not None and write:
        raise InvalidInputError("-o and --write cannot be used together: one writes a new file, the other the old ones")
    if faces is not None and seed is not None:
        raise InvalidInputError("--faces and --seed cannot be used together: dice are either typed or drawn")
    typed = None if faces is None else TypedDice(faces_of(faces))
    number = seed_or_drawn(seed)
    with report_problems(as_json=as_json):
        files, sides = _sides([word for word in named[1:] if not _is_argument(word)])
        kept = None if campaign is None else Path(campaign)
        if kept is not None and kept.exists():
            people, session = [], _continued(kept, files, option or (), pack or (), seed)
            number, first = session.header.seed, len(session.log)
            cast = _cast(session)
        else:
            people = _people(files, option or (), pack or ())
            ids = ids_of(people)
            session, first = _opened(people, tuple(zip(ids, sides, strict=True)), pack or (), number), 0
            cast = {id_: _Known(one.word, one.path, one.character) for id_, one in zip(ids, people, strict=True)}
        process = _process(named[0], load_system(session.header.system))
        given = _arguments([word for word in named[1:] if _is_argument(word)], process, cast)
        if output is not None and len(cast) > 1:
            raise InvalidInputError("-o takes one character; --write writes each back to its own file")
        if write and any(one.path is None for one in cast.values()):
            raise InvalidInputError("--write needs a file; a character of the content has none")
        chooser = Chooser(choose or (), may_ask=not as_json)
        session.do(process.name, **given)
        rolled = _play(session, typed, chooser)
        changed = [
            Changed(id_, one.path, one.character, session.rulebook.export_character(session.scene, id_))
            for id_, one in cast.items()
        ]
        since = _since_written(changed, session) if write and kept is not None else changed
        written = _write(since, output, write)
        if kept is not None:
            session.save(kept)
            written.append(str(kept))
    for person in people:
        mention(person.messages)
    drawn = number if rolled and typed is None else None
    if as_json:
        print_json(
            {"process": process.name, "arguments": given, "seed": drawn}
            | {"facts": session.facts[first:], "choices": [made._asdict() for made in chooser.made]}
            | {"unasked": list(chooser.unasked), "characters": [one.to_json() for one in changed]}
            | {"written": written}
        )
    else:
        _tell(session, changed, chooser, drawn, written, since=first)


def _is_argument(word: str) -> bool:
    key, equals, _ = word.partition("=")
    return bool(equals) and key.strip().replace("-", "_").isidentifier()


def _sides(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Characters and the side of each; `vs` starts another side."""
    from tablewright.game.scenario.cast import SIDES  # noqa: PLC0415  (loads pydantic)

    files: list[str] = []
    sides: list[str] = []
    left = list(SIDES)
    for number, word in enumerate(words):
        if word != AGAINST:
            files.append(word)
            sides.append(left[0])
        elif len(left) == 1 or not sides or sides[-1] != left[0] or number == len(words) - 1:
            raise InvalidInputError("name at least one character on every side: FILES vs FILES")
        else:
            del left[0]
    return files, sides


def _people(words: Sequence[str], options: Sequence[str], packs: Sequence[str]) -> list[NamedCharacter]:
    """Load all participants; they must share one system."""
    if not words:
        raise InvalidInputError("name at least one character's file, or SYSTEM:ID")
    people: list[NamedCharacter] = []
    problems: list[str] = []
    for word in words:
        try:
            people.append(person_of(word, options, packs))
        except ProblemListError as wrong:
            problems += wrong.problems
        except InvalidInputError as wrong:
            problems.append(str(wrong))
    if problems:
        raise ProblemListError(problems)
    systems = dict.fromkeys([person.ruleset.system.id for person in people])
    if len(systems) > 1:
        raise InvalidInputError(f"the characters are of different systems: {', '.join(systems)}")
    return people


class _Known(NamedTuple):
    """A character in the scene: the word that named it, its file if it has one, and itself before the process."""

    word: str
    path: Path | None
    character: Any


def _cast(session: Session) -> dict[str, _Known]:
    """The characters of a campaign as they are now, with the files that they came from."""
    files, book = session.header.source.get("files", {}), session.rulebook
    return {
        one.id: _Known(
            files.get(one.id, ""),
            Path(files[one.id]) if one.id in files else None,
            book.export_character(session.scene, one.id),
        )
        for one in session.scene.participants
    }


def _continued(
    path: Path, files: Sequence[str], options: Sequence[str], packs: Sequence[str], seed: str | None
) -> Session:
    """The session that a campaign's file holds; everything that belongs to its beginning is refused."""
    from tablewright.game.session.opening import resume_session  # noqa: PLC0415  (loads pydantic)

    given = {"--option": bool(options), "--pack": bool(packs), "--seed": seed is not None}
    if late := [name for name, there in given.items() if there]:
        raise InvalidInputError(f"{late[0]} is for the first command of a campaign; {path} has begun already")
    session = resume_session(path)
    if files:
        there = and_list([one.name for one in session.scene.participants])
        raise InvalidInputError(f"{path} has its characters already, {there}; leave out {files[0]:.60}")
    if session.question is not None:
        raise InvalidInputError(f"a question is open in {path}; go on with: tablewright fight --resume {path}")
    return session


def _since_written(changed: Sequence[Changed], session: Session) -> list[Changed]:
    """The changes since each file was written; a file with a state that the campaign never had is refused."""
    from tablewright.game.character.character import read_character  # noqa: PLC0415

    book, scenes, found = session.rulebook, list(_scenes(session)), []
    for one in changed:
        assert one.path is not None  # --write is refused otherwise
        written = read_character(one.path, book.character).character
        states = [session.header.scene[one.id].character, *[book.export_character(scene, one.id) for scene in scenes]]
        if written.to_json() not in [state.to_json() for state in states]:
            raise InvalidInputError(f"{one.path} has changed since the campaign began; it is not overwritten")
        found.append(one._replace(before=written))
    return found


def _scenes(session: Session) -> Iterator[Any]:
    """The scene of a campaign after each command."""
    from tablewright.game.session.session import Session  # noqa: PLC0415  (loads pydantic)

    again = Session(session.header, session.rulebook)
    for entry in session.entries:
        again.enter(entry)
        if again.question is None:
            yield again.scene


def _opened(
    people: Sequence[NamedCharacter], entrants: Sequence[tuple[str, str]], packs: Sequence[str], seed: int
) -> Session:
    """Open a scene with these characters and the typed rule options and packs."""
    from tablewright.game.scenario.loader import read_scenario  # noqa: PLC0415
    from tablewright.game.session.opening import open_session  # noqa: PLC0415

    setting = people[0].ruleset
    together = [
        {"id": id_, "side": side, "character": person.character.to_json()}
        for (id_, side), person in zip(entrants, people, strict=True)
    ]
    plain: dict[str, Any] = {"title": "together", "system": setting.system.id, "participants": together}
    plain |= {"options": setting.options.changed(), "packs": [str(Path(pack).absolute()) for pack in packs]}
    files = {
        id_: str(one.path.absolute()) for (id_, _), one in zip(entrants, people, strict=True) if one.path is not None
    }
    return open_session(read_scenario(plain, folder=Path("/")), seed=seed, files=files)


def processes_of(system: System) -> dict[str, Process[..., Any]]:
    """Processes by name, without creation and encounters, which have their own commands."""
    from tablewright.game.session.processes import processes_by_name  # noqa: PLC0415  (loads pydantic)

    book = system.rulebook
    own = (book.create.name, book.encounter.name)
    return {name: process for name, process in processes_by_name(book).items() if name not in own}


def _process(name: str, system: System) -> Process[..., Any]:
    book, known = system.rulebook, processes_of(system)
    for process, instead in ((book.create, "new"), (book.encounter, "fight")):
        if name == process.name:
            raise InvalidInputError(f"{name} is what `tablewright {instead}` does")
    first, dot, _ = name.partition(".")
    if dot and first not in (system.id, TABLE):
        raise InvalidInputError(f'the characters play by {system.title}, so "{name:.60}" cannot be done with them')
    full = name if dot else f"{system.id}.{name}"
    if full not in known:
        from tablewright.game.session.processes import unknown_process  # noqa: PLC0415  (loads pydantic)

        raise InvalidInputError(f"{unknown_process(full, known)} (`tablewright do {system.id}` lists all)")
    return known[full]


def _arguments(words: Sequence[str], process: Process[..., Any], cast: Mapping[str, _Known]) -> dict[str, str]:
    """Parse ``key=value`` words.

    ``who`` defaults to the only character, and may be a name or a file.
    """
    given: dict[str, str] = {}
    ids = list(cast)
    for word in words:
        key, _, value = word.partition("=")
        key = key.strip().replace("-", "_")
        if key in given:
            raise InvalidInputError(f"{process.name}: {key:.60} is given twice", field=key)
        given[key] = value
    if len(ids) == 1 and "who" not in given and any(parameter.name == "who" for parameter in process.params):
        given["who"] = ids[0]
    demand_known(given, process, ids)
    for key, value in given.items():
        for id_, one in cast.items():
            if value in (one.word, one.character.name) and value not in ids:
                given[key] = id_
    return given


def _play(session: Session, typed: TypedDice | None, chooser: Chooser) -> bool:
    """Answer all requests; return whether anything was rolled."""
    rolled = False
    for _ in range(MOST_ANSWERS):
        question = session.question
        if question is None:
            if typed is not None:
                typed.finish()
            return rolled
        if isinstance(question, Choice):
            session.choose(question.id_at(chooser(question)))
        else:
            rolled = True
            _roll(session, question, typed)
    raise TablewrightError(f"it does not end: {MOST_ANSWERS:,} answers were given")


def _roll(session: Session, question: Roll[Any], typed: TypedDice | None) -> None:
    if typed is None:
        session.roll()
        return
    taken: list[int] = []

    def take(die: Any) -> int:
        taken.append(typed.face(die))
        return taken[-1]

    question.dice.read(take)
    session.type_in(taken)


def _write(changed: Sequence[Changed], output: str | None, write: bool) -> list[str]:
    """Write the changed characters; return the file names."""
    from tablewright.game.character.character import write_character  # noqa: PLC0415

    if output is not None:
        write_character(Path(output), changed[0].after)
        return [output]
    return write_back(changed) if write else []


def _tell(
    session: Session,
    changed: Sequence[Changed],
    chooser: Chooser,
    seed: int | None,
    written: Sequence[str],
    *,
    since: int,
) -> None:
    """Print the entries from line ``since`` of the log on, the changes of the characters and the files written."""
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.output.console import QUIET, make_console  # noqa: PLC0415
    from tablewright.cli.views.story import draw_entries  # noqa: PLC0415
    from tablewright.game.narration.entries import entries  # noqa: PLC0415
    from tablewright.game.scene.visibility import GAME_MASTER  # noqa: PLC0415

    console = make_console()
    draw_entries(console, entries(session.live, session.rulebook, GAME_MASTER, since))
    tell_changes(console, changed, session)
    for line in chooser.defaults:
        console.print(Text(line, style=QUIET))
    ending = [f"Written to {', '.join(written)}."] if written else []
    if not written and any(one.lines for one in changed):
        ending.append("This was a rehearsal. Add --write to keep it, or -o FILE.")
    ending += [f"Seed {seed}."] if seed is not None else []
    if ending:
        console.print(Text(" ".join(ending), style=QUIET))
    for unasked in chooser.unasked:
        note(f'nobody asked "{unasked}"')


def _list(system: System, as_json: bool) -> None:
    """Print every process with its parameters."""
    told = []
    for name, process in processes_of(system).items():
        try:
            parameters = process.params
        except TypeError as problem:  # report an invalid declaration and list the others
            note(f"{name} cannot be used: {problem}")
            continue
        told.append((process, parameters))
    if as_json:
        print_json(
            {
                "system": system.id,
                "processes": [
                    {
                        "name": process.name,
                        "summary": process.summary,
                        "rules": list(process.rules),
                        "parameters": [
                            {"name": one.name, "required": one.required, "allowed": one.kind.allowed()} | one.schema()
                            for one in parameters
                        ],
                    }
                    for process, parameters in told
                ],
            }
        )
        return
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.output.console import NAME, heading, indented, make_console  # noqa: PLC0415
    from tablewright.cli.views.check import describe  # noqa: PLC0415

    console = make_console()
    console.print(heading(system.title, f"{len(told)} processes"))
    for process, parameters in told:
        console.print(Text(process.name, style=NAME))
        console.print(indented(process.summary))
        for one in parameters:
            console.print(indented(f"{one.name}  {describe(one)}", 4))
