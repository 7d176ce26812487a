"""``tablewright do``: run a process by its name on characters, and write what it made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablewright.cli.choosing import Chooser
from tablewright.cli.failing import note
from tablewright.cli.keeping import Changed, tell_changes, write_back
from tablewright.cli.people import Person, ids_of, mention, person_of
from tablewright.cli.problems import line_by_line
from tablewright.cli.screen import print_json
from tablewright.cli.switches import Answers, AsJson, Faces, Options, Packs, Seed
from tablewright.cli.taking import Command
from tablewright.cli.words import check_words, faces_of, seed_or_drawn
from tablewright.dice import Typed
from tablewright.engine import Choose, Process, Roll
from tablewright.errors import BadInput, ManyProblems, TablewrightError, nearest
from tablewright.game.registry import load_system, system_ids

if TYPE_CHECKING:
    from tablewright.game.session import Session
    from tablewright.game.system import System

MOST_ANSWERS = 100_000
TABLE = "table"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SYSTEM.PROCESS FILE key=value", help="A process, characters, arguments; SYSTEM alone lists them."
        ),
    ] = None,
    *,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the changed character here.")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Write changed characters back to their own files.")] = False,
    seed: Seed = None,
    faces: Faces = None,
    choose: Answers = None,
    option: Options = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """Rest, advance, buy: whatever a system does outside fights."""
    named = check_words(words or ())
    if not named:
        raise BadInput(f"name SYSTEM.PROCESS, a character's file and arguments; systems: {', '.join(system_ids())}")
    if len(named) == 1 and "." not in named[0]:
        _list(load_system(named[0][:100]), as_json)
        return
    if output is not None and write:
        raise BadInput("-o and --write cannot be used together: one writes a new file, the other the old ones")
    if faces is not None and seed is not None:
        raise BadInput("--faces and --seed cannot be used together: dice are either typed or drawn")
    typed = None if faces is None else Typed(faces_of(faces))
    number = seed_or_drawn(seed)
    with line_by_line(as_json=as_json):
        people = _people([word for word in named[1:] if not _is_argument(word)], option or (), pack or ())
        system = people[0].setting.system
        process = _process(named[0], system)
        ids = ids_of(people)
        given = _arguments([word for word in named[1:] if _is_argument(word)], process, ids, people)
        if output is not None and len(people) > 1:
            raise BadInput("-o takes one character; --write writes each back to its own file")
        if write and any(person.path is None for person in people):
            raise BadInput("--write is for files; somebody of the content has none")
        session = _opened(people, ids, pack or (), number)
        chooser = Chooser(choose or (), may_ask=not as_json)
        session.do(process.name, **given)
        rolled = _play(session, typed, chooser)
        changed = [
            Changed(id_, person.path, person.character, session.book.leave(session.scene, id_))
            for id_, person in zip(ids, people, strict=True)
        ]
        written = _write(changed, output, write)
    for person in people:
        mention(person.messages)
    drawn = number if rolled and typed is None else None
    if as_json:
        print_json(
            {"process": process.name, "arguments": given, "seed": drawn}
            | {"facts": session.facts, "choices": [made._asdict() for made in chooser.made]}
            | {"unasked": list(chooser.unasked), "characters": [one.to_json() for one in changed]}
            | {"written": written}
        )
    else:
        _tell(session, changed, chooser, drawn, written)


def _is_argument(word: str) -> bool:
    key, equals, _ = word.partition("=")
    return bool(equals) and key.strip().replace("-", "_").isidentifier()


def _people(words: Sequence[str], options: Sequence[str], packs: Sequence[str]) -> list[Person]:
    """Everybody who takes part; they must be of one system."""
    if not words:
        raise BadInput("name at least one character's file, or SYSTEM:ID")
    people: list[Person] = []
    problems: list[str] = []
    for word in words:
        try:
            people.append(person_of(word, options, packs))
        except ManyProblems as wrong:
            problems += wrong.problems
        except BadInput as wrong:
            problems.append(str(wrong))
    if problems:
        raise ManyProblems(problems)
    systems = dict.fromkeys([person.setting.system.id for person in people])
    if len(systems) > 1:
        raise BadInput(f"the characters are of different systems: {', '.join(systems)}")
    return people


def _opened(people: Sequence[Person], ids: Sequence[str], packs: Sequence[str], seed: int) -> Session:
    """A scene of these characters together, with the options and the content that were typed."""
    from tablewright.game.opening import open_session  # noqa: PLC0415
    from tablewright.game.scenario import read_scenario  # noqa: PLC0415

    setting = people[0].setting
    together = [
        {"id": id_, "side": "party", "character": person.character.to_json()}
        for id_, person in zip(ids, people, strict=True)
    ]
    plain: dict[str, Any] = {"title": "together", "system": setting.system.id, "participants": together}
    plain |= {"options": setting.options.changed(), "packs": [str(Path(pack).absolute()) for pack in packs]}
    return open_session(read_scenario(plain, folder=Path("/")), seed=seed)


def processes_of(system: System) -> dict[str, Process[..., Any]]:
    """What can be done by name; making a character and fighting have commands of their own."""
    book = system.book
    own = (book.create.name, book.encounter.name)
    return {name: process for name, process in book.process_by_name.items() if name not in own}


def _process(name: str, system: System) -> Process[..., Any]:
    book, known = system.book, processes_of(system)
    for process, instead in ((book.create, "new"), (book.encounter, "fight")):
        if name == process.name:
            raise BadInput(f"{name} is what `tablewright {instead}` does")
    first, dot, _ = name.partition(".")
    if dot and first not in (system.id, TABLE):
        raise BadInput(f'the characters are of the system "{system.id}", so "{name:.60}" cannot be done with them')
    full = name if dot else f"{system.id}.{name}"
    if full not in known:
        raise BadInput(f'there is no process "{full:.60}"; there are: {", ".join(known)}{nearest(full, known)}')
    return known[full]


def _arguments(
    words: Sequence[str], process: Process[..., Any], ids: Sequence[str], people: Sequence[Person]
) -> dict[str, str]:
    """The ``key=value`` words; ``who`` is the only character where there is one, and may be a name or a file."""
    given: dict[str, str] = {}
    for word in words:
        key, _, value = word.partition("=")
        key = key.strip().replace("-", "_")
        if key in given:
            raise BadInput(f"{process.name}: {key:.60} is given twice", field=key)
        given[key] = value
    if len(ids) == 1 and "who" not in given and any(parameter.name == "who" for parameter in process.params):
        given["who"] = ids[0]
    for key, value in given.items():
        for id_, person in zip(ids, people, strict=True):
            if value in (person.word, person.character.name) and value not in ids:
                given[key] = id_
    return given


def _play(session: Session, typed: Typed | None, chooser: Chooser) -> bool:
    """Answer whatever is asked; whether anything was rolled."""
    rolled = False
    for _ in range(MOST_ANSWERS):
        question = session.question
        if question is None:
            if typed is not None:
                typed.finish()
            return rolled
        if isinstance(question, Choose):
            session.choose(question.ids[chooser(question)])
        else:
            rolled = True
            _roll(session, question, typed)
    raise TablewrightError(f"it does not end: {MOST_ANSWERS:,} answers were given")


def _roll(session: Session, question: Roll[Any], typed: Typed | None) -> None:
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
    """Write the changed characters; gives the names of the files."""
    from tablewright.game.character import write_character  # noqa: PLC0415

    if output is not None:
        write_character(Path(output), changed[0].after)
        return [output]
    return write_back(changed) if write else []


def _tell(
    session: Session, changed: Sequence[Changed], chooser: Chooser, seed: int | None, written: Sequence[str]
) -> None:
    from rich.text import Text  # noqa: PLC0415  (loads rich)

    from tablewright.cli.heard import hear  # noqa: PLC0415
    from tablewright.cli.paper import QUIET, paper  # noqa: PLC0415
    from tablewright.game.common import TimePassed  # noqa: PLC0415
    from tablewright.game.events import GAME_MASTER  # noqa: PLC0415

    console = paper()
    ticks = 0
    for number, line in enumerate(session.log):
        if isinstance(line, TimePassed):  # said once, for all of it
            ticks += line.amount
            continue
        told = hear(session, number, GAME_MASTER)
        if told is not None and told.kind != "choice":
            console.print(Text(told.text, style=QUIET if told.kind == "rule" else ""))
    if ticks:
        console.print(Text(f"time passed: {session.book.calendar_of(session.scene.options).show(ticks)}", style=QUIET))
    tell_changes(console, changed)
    for question, option in dict.fromkeys(
        [(made.question, made.option) for made in chooser.made if made.by == "default"]
    ):
        said = f'nobody was asked "{question}": {option} by default (--choose "{question}=...")'
        console.print(Text(said, style=QUIET))
    ending = [f"seed {seed}"] if seed is not None else []
    ending += [f"written to {', '.join(written)}"] if written else []
    if not written and any(one.lines for one in changed):
        ending.append("not written: -o FILE or --write does")
    if ending:
        console.print(Text("; ".join(ending), style=QUIET))
    for unasked in chooser.unasked:
        note(f'nobody asked "{unasked}"')


def _list(system: System, as_json: bool) -> None:
    """Every process with its parameters."""
    told = []
    for name, process in processes_of(system).items():
        try:
            parameters = process.params
        except TypeError as problem:  # a declaration that cannot be read is said, and hides no other
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

    from tablewright.cli.paper import NAME, heading, indented, paper  # noqa: PLC0415
    from tablewright.cli.situations import describe  # noqa: PLC0415

    console = paper()
    console.print(heading(system.title, f"{len(told)} processes"))
    for process, parameters in told:
        console.print(Text(process.name, style=NAME))
        console.print(indented(process.summary))
        for one in parameters:
            console.print(indented(f"{one.name}  {describe(one)}", 4))
