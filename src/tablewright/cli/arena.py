"""From the words of a command line to a session: a scenario, or files against files, with seats, policies and dice."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablewright.cli.people import (
    Person,
    command_line,
    free_id,
    kind_of_file,
    lists_problems,
    mention,
    note_outside,
    options_of,
    person_of,
)
from tablewright.errors import BadInput, ManyProblems, nearest
from tablewright.game.frozen import freeze
from tablewright.game.ground import Facts
from tablewright.game.opening import open_session, resume_session
from tablewright.game.policies import policy_named
from tablewright.game.registry import load_system
from tablewright.game.scenario import Scenario, load_scenario, read_scenario, scenario_names
from tablewright.game.yaml_lines import SUFFIXES

if TYPE_CHECKING:
    from tablewright.game.session import Session

ME = "me"
AGAINST = "vs"
USUAL = "careful"
EVEN = "even"
_SIDES = "abcdefghijklmnopqrstuvwxyz"


def open_fight(
    words: Sequence[str],
    *,
    seats: Sequence[str] = (),
    policies: Sequence[str] = (),
    options: Sequence[str] = (),
    packs: Sequence[str] = (),
    cast: Sequence[str] = (),
    keeps: bool = False,
    rounds: int | None = None,
    seed: int | None = None,
) -> Session:
    """A fight that has just begun; the seed is drawn where none is given. ``keeps`` remembers whose files are whose."""
    scenario, files = scenario_of(words, packs, cast)
    if keeps:
        _may_keep(files)
    if options:
        changed = scenario.options.to_mapping() | options_of(load_system(scenario.system), options).changed()
        scenario = replace(scenario, options=load_system(scenario.system).options.from_mapping(changed))
    if rounds is not None:
        scenario = replace(scenario, rounds=rounds)
    chosen = {entrant.id: entrant.policy or USUAL for entrant in scenario.entrants}
    chosen |= policies_typed(policies, [(entrant.id, entrant.side, entrant.name) for entrant in scenario.entrants])
    entrants = tuple([replace(entrant, policy=chosen[entrant.id]) for entrant in scenario.entrants])
    mine = _mine(seats, scenario)
    drawn = secrets.randbits(128 if mine else 32) if seed is None else seed
    session = open_session(
        replace(scenario, entrants=entrants),
        seed=drawn,
        seats=dict.fromkeys(mine, ME),
        files={who: str(path.absolute()) for who, path in files.items()} if keeps else {},
    )
    own = [entrant.id for entrant in entrants if not isinstance(entrant.character, str)]
    _note_outside(session, own, files, options, packs)
    start(session)
    return session


def _note_outside(
    session: Session, own: Sequence[str], files: Mapping[str, Path], options: Sequence[str], packs: Sequence[str]
) -> None:
    """Say of those who are no plain entries of the content whether they break the rules of making."""
    scene = session.scene
    for who in own:
        found = session.book.legality(scene[who].character, scene.options, scene.library)
        more = lists_problems(session.header.system, str(files[who]), options, packs) if who in files else ""
        note_outside(scene.called(who), found, more)


def resume_fight(path: Path, policies: Sequence[str] = ()) -> Session:
    """A fight that was saved; policies may be changed from here on."""
    session = resume_session(path)
    participants = session.header.source["scenario"]["participants"]
    everybody = [(given["id"], given["side"], given.get("name") or given["id"]) for given in participants]
    chosen = policies_typed(policies, everybody)
    for given in participants:
        given["policy"] = chosen.get(given["id"], given.get("policy") or USUAL)
    return session


def start(session: Session) -> None:
    """Begin the encounter, where nothing has been done yet."""
    if session.entries:
        return
    encounter = session.book.encounter
    rounds = session.scene.start.rounds
    takes = [parameter for parameter in encounter.params if parameter.name == "rounds"]
    arguments = {"rounds": rounds} if takes and takes[0].kind.accepts(rounds) else {}
    session.do(encounter.name, **arguments)


def policies_of(session: Session) -> dict[str, Callable[..., int]]:
    """Who answers for whom: the policy of each participant, by id."""
    participants = session.header.source["scenario"]["participants"]
    return {given["id"]: policy_named(given.get("policy") or USUAL) for given in participants}


def _may_keep(files: dict[str, Path]) -> None:
    if not files:
        raise BadInput("--keep writes characters back to their files, and nobody here comes from a file; see --cast")
    resolved = [path.resolve() for path in files.values()]
    for path in files.values():
        if resolved.count(path.resolve()) > 1:
            raise BadInput(f"--keep: {path} takes part several times, and only one of them could be written back")


def scenario_of(
    words: Sequence[str], packs: Sequence[str], cast: Sequence[str], sides: Sequence[str] = _SIDES
) -> tuple[Scenario, dict[str, Path]]:
    """Who meets whom, and the files of those who come from one. ``sides`` are the names for FILES vs FILES."""
    if AGAINST in words:
        if cast:
            raise BadInput("--cast is for a scenario; with FILES vs FILES everybody is named already")
        return _files(words, packs, sides)
    if len(words) != 1:
        said = f"{len(words)} words" if words else "nothing"
        raise BadInput(f"name a scenario (SYSTEM:NAME or a file), or FILES vs FILES; {said} was given")
    if packs:
        raise BadInput("--pack is for FILES vs FILES; a scenario names its packs itself")
    return _cast(_scenario(words[0]), cast)


def _scenario(word: str) -> Scenario:
    """The scenario that a word names; a character's file is told from one."""
    try:
        return load_scenario(word)
    except BadInput:
        of = kind_of_file(word)
        if of is None or of.kind != "character":
            raise
        told = f"{word:.200} is a character of {of.system}, no scenario"
        sees, fights = command_line("sheet", word), _fights_with(word, of.system)
        raise BadInput(f"{told}; see it: {sees}{f'; let it fight: {fights}' if fights else ''}") from None


def _fights_with(file: str, system_id: str) -> str:
    """A command that puts a character's file into a scenario of its system; empty where there is none."""
    names = scenario_names(system_id)
    if not names:
        return ""
    name = f"{system_id}:{EVEN if EVEN in names else names[0]}"
    return command_line("fight", name, "--cast", f"{load_scenario(name).entrants[0].id}={file}")


def _cast(scenario: Scenario, typed: Sequence[str]) -> tuple[Scenario, dict[str, Path]]:
    """The scenario with characters of one's own in the places of others, from words of the form NAME=FILE."""
    files: dict[str, Path] = {}
    replaced: dict[str, str] = {}
    for word in typed:
        whom, equals, file = word.partition("=")
        if not equals or not file:
            raise BadInput(f'--cast is "{word:.60}"; write --cast NAME=FILE')
        if whom in replaced:
            raise BadInput(f"--cast: {whom:.40} is cast twice")
        whom = _one("--cast", whom, scenario, [entrant.id for entrant in scenario.entrants if entrant.id not in files])
        person = person_of(file, packs=scenario.packs)
        if person.setting.system.id != scenario.system:
            raise BadInput(f"--cast: {file} is of {person.setting.system.id}, the scenario of {scenario.system}")
        mention(person.messages)
        others = [entrant.id for entrant in scenario.entrants if entrant.id != whom]
        who = free_id(person.character.name, others)
        replaced[whom] = who
        scenario = _renamed(scenario, whom, who, person)
        if person.path is not None:
            files[who] = person.path
    return scenario, files


def _renamed(scenario: Scenario, old: str, new: str, person: Person) -> Scenario:
    """The scenario with one entrant replaced; what it says of the one now holds of the other."""
    entrants = [
        replace(
            entrant,
            id=new,
            seat=new if entrant.seat == old else entrant.seat,
            name=person.character.name,
            character=freeze(person.character.to_json()),
            document=None,
        )
        if entrant.id == old
        else entrant
        for entrant in scenario.entrants
    ]
    named = {old: new}
    facts = Facts()
    for fact in scenario.facts.entries:
        who, against = named.get(fact.who, fact.who), named.get(fact.against, fact.against)
        facts = facts.set(fact.what, who, fact.value, against)
    surprised = tuple([named.get(who, who) for who in scenario.surprised])
    return replace(scenario, entrants=tuple(entrants), facts=facts, surprised=surprised)


def _files(words: Sequence[str], packs: Sequence[str], names: Sequence[str]) -> tuple[Scenario, dict[str, Path]]:
    """Everybody before the first `vs` is on the first side, those before the next on the second, and so on."""
    sides: list[list[str]] = [[]]
    for word in words:
        if word == AGAINST:
            sides.append([])
        else:
            sides[-1].append(word)
    if not all(sides) or len(sides) > len(names):
        raise BadInput("name somebody on every side: FILES vs FILES")
    files = [word for side in sides for word in side if Path(word).suffix.lower() in SUFFIXES or ":" in word]
    if not files:
        raise BadInput("name at least one character's file, or SYSTEM:ID; the others may be ids of the content")
    problems: list[str] = []
    people = {}
    for word in dict.fromkeys(files):
        try:
            people[word] = person_of(word, packs=packs)
        except ManyProblems as wrong:
            problems += wrong.problems
        except BadInput as wrong:
            problems.append(str(wrong))
    if problems:
        raise ManyProblems(problems)
    systems = {person.setting.system.id: person for person in people.values()}
    if len(systems) > 1:
        told = ", ".join([f"{person.word} ({system})" for system, person in systems.items()])
        raise BadInput(f"they are of different systems and cannot meet: {told}")
    for person in people.values():
        mention(person.messages)
    participants: list[dict[str, Any]] = [
        {"side": names[place], "character": people[word].character.to_json() if word in people else word}
        for place, side in enumerate(sides)
        for word in side
    ]
    plain = {"title": " ".join(words)[:60], "system": next(iter(systems)), "participants": participants}
    plain["packs"] = [str(Path(pack).absolute()) for pack in packs]
    scenario = read_scenario(plain, folder=Path("/"))
    named = [people.get(word) for side in sides for word in side]
    come = zip(scenario.entrants, named, strict=True)
    return scenario, {entrant.id: one.path for entrant, one in come if one is not None and one.path is not None}


def policies_typed(typed: Sequence[str], entrants: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """Policies by participant, from words of the form SIDE=POLICY, NAME=POLICY, or POLICY for everybody.

    Of everybody the id, the side and the name are given.
    """
    chosen: dict[str, str] = {}
    known = list(dict.fromkeys([side for _, side, _ in entrants] + [who for who, _, _ in entrants]))
    for word in typed:
        whom, equals, name = word.rpartition("=")
        policy_named(name)
        found = named_by(whom, entrants) if equals else [who for who, _, _ in entrants]
        if not found:
            raise _nobody("--policy", whom, known)
        chosen |= dict.fromkeys(found, name)
    return chosen


def named_by(typed: str, entrants: Sequence[tuple[str, str, str]]) -> list[str]:
    """Those whom a word means, by id, side or name: as it is typed, or else in whatever case. Ids and sides come first.

    >>> named_by("rat", [("rat", "vermin", "Ratty"), ("ann", "folk", "Rat")])
    ['rat']
    >>> named_by("RATTY", [("rat", "vermin", "Ratty"), ("ann", "folk", "Rat")])
    ['rat']
    """
    exactly = [who for who, side, _ in entrants if typed in (who, side)]
    if exactly:
        return exactly
    wanted = typed.casefold()
    called = [who for who, side, _ in entrants if wanted in (who.casefold(), side.casefold())]
    return called or [who for who, _, name in entrants if wanted == name.casefold()]


def _one(option: str, typed: str, scenario: Scenario, known: Sequence[str]) -> str:
    """The id of the only one whom a word means, by id or by name."""
    found = named_by(typed, [(entrant.id, entrant.id, entrant.name) for entrant in scenario.entrants])
    if not found:
        raise _nobody(option, typed, known)
    if len(found) > 1:
        raise BadInput(f'{option}: several are called "{typed:.40}"; say which: {", ".join(found)}')
    return found[0]


def _mine(typed: Sequence[str], scenario: Scenario) -> list[str]:
    """The participants that the person at this terminal plays."""
    mine: dict[str, None] = {}
    everybody = [(entrant.id, entrant.side, entrant.name) for entrant in scenario.entrants]
    for word in typed:
        whom, equals, seat = word.rpartition("=")
        if not equals or seat != ME:
            raise BadInput(f'--seat is "{word:.60}"; write --seat NAME={ME}; everybody else is played by a policy')
        found = named_by(whom, everybody)
        if not found:
            sides = dict.fromkeys([entrant.side for entrant in scenario.entrants])
            raise _nobody("--seat", whom, [*sides, *[entrant.id for entrant in scenario.entrants]])
        mine |= dict.fromkeys(found)
    return list(mine)


def _nobody(option: str, whom: str, known: Sequence[str]) -> BadInput:
    return BadInput(f'{option}: nobody is called "{whom:.40}"; there are: {", ".join(known)}{nearest(whom, known)}')
