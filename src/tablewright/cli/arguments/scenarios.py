"""Sessions from command-line words: a scenario, or files against files, with seats, policies and dice."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.cli.arguments.characters import (
    command_line,
    kind_of_file,
    lists_problems,
    mention,
    note_outside,
    options_of,
    person_of,
)
from tablewright.cli.arguments.text import AGAINST
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.ground.facts import Facts
from tablewright.game.ids import free_id
from tablewright.game.scenario.cast import (
    EVERYONE,
    NamedCharacter,
    assign,
    nobody_called,
    participants_named,
    scenario_of_sides,
)
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.session.opening import begin_encounter, open_session, resume_session
from tablewright.game.session.policies import USUAL, find_policy, load_policy
from tablewright.game.system.registry import load_system
from tablewright.game.values import freeze

if TYPE_CHECKING:
    from tablewright.game.session.session import Session

ME = "me"
GAME_MASTERS_SEAT = "gm"
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
    ambush: str | None = None,
    opens: str | None = None,
) -> Session:
    """Open and start a fight; without a seed, draw one.

    ``keeps`` records the characters' files, ``ambush`` is the side that surprises the others, ``opens`` the side or
    participant that opens hostilities.
    """
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
    if ambush is not None:
        scenario = replace(scenario, surprised=_surprised_by(ambush, scenario))
        if _encounter_takes("ambush", scenario):
            scenario = replace(scenario, start=freeze({**scenario.start, "ambush": ambush}))
    if opens is not None:
        scenario = replace(scenario, start=freeze({**scenario.start, "opens": _opener(opens, scenario)}))
    masters = [word for word in seats if word == f"{GAME_MASTERS_SEAT}={ME}"]
    mine = _mine([word for word in seats if word not in masters], scenario)
    drawn = secrets.randbits(128 if mine else 32) if seed is None else seed
    session = open_session(
        replace(scenario, entrants=entrants),
        seed=drawn,
        seats=dict.fromkeys(mine, ME),
        files={who: str(path.absolute()) for who, path in files.items()} if keeps else {},
    )
    if masters and isinstance(session.header.source, dict):
        session.header.source[GAME_MASTERS_SEAT] = ME
    own = [entrant.id for entrant in entrants if not isinstance(entrant.character, str)]
    _note_outside(session, own, files, options, packs)
    begin_encounter(session)
    return session


def _encounter_takes(name: str, scenario: Scenario) -> bool:
    return any(one.name == name for one in load_system(scenario.system).rulebook.encounter.params)


def _opener(typed: str, scenario: Scenario) -> str:
    """The side or participant that opens hostilities, by id or name."""
    system = load_system(scenario.system)
    if not _encounter_takes("opens", scenario):
        raise InvalidInputError(f"--opens: {system.title} has no rule about who opens hostilities")
    sides = list(dict.fromkeys([entrant.side for entrant in scenario.entrants]))
    if typed in sides:
        return typed
    return _one("--opens", typed, scenario, [*sides, *[entrant.id for entrant in scenario.entrants]])


def _surprised_by(side: str, scenario: Scenario) -> tuple[str, ...]:
    """Participants that a side ambushes."""
    sides = tuple(dict.fromkeys([entrant.side for entrant in scenario.entrants]))
    if side not in sides:
        raise InvalidInputError(
            f'--ambush: no side is called "{side:.40}". Sides: {", ".join(sides)}{did_you_mean(side, sides)}'
        )
    return tuple([entrant.id for entrant in scenario.entrants if entrant.side != side])


def _note_outside(
    session: Session, own: Sequence[str], files: Mapping[str, Path], options: Sequence[str], packs: Sequence[str]
) -> None:
    """Note which of these participants break the creation rules."""
    scene = session.scene
    for who in own:
        found = session.rulebook.legality(scene[who].character, scene.options, scene.library)
        more = lists_problems(session.header.system, str(files[who]), options, packs) if who in files else ""
        note_outside(scene.display_name(who), found, more)


def resume_fight(path: Path, policies: Sequence[str] = ()) -> Session:
    """Resume a saved fight; typed policies apply from now on."""
    for word in policies:
        load_typed_policy(word.rpartition("=")[2])
    session = resume_session(path)
    participants = session.header.source["scenario"]["participants"]
    everybody = [(given["id"], given["side"], given.get("name") or given["id"]) for given in participants]
    chosen = policies_typed(policies, everybody)
    for given in participants:
        given["policy"] = chosen.get(given["id"], given.get("policy") or USUAL)
    return session


def policies_of(session: Session) -> dict[str, Callable[..., int]]:
    """Policy of each participant, by id."""
    participants = session.header.source["scenario"]["participants"]
    return {given["id"]: find_policy(given.get("policy") or USUAL) for given in participants}


def _may_keep(files: dict[str, Path]) -> None:
    if not files:
        raise InvalidInputError(
            "--keep writes characters back to their files, and nobody here comes from a file; see --cast"
        )
    resolved = [path.resolve() for path in files.values()]
    for path in files.values():
        if resolved.count(path.resolve()) > 1:
            raise InvalidInputError(
                f"--keep: {path} takes part several times, and only one of them could be written back"
            )


def scenario_of(
    words: Sequence[str], packs: Sequence[str], cast: Sequence[str], sides: Sequence[str] = _SIDES
) -> tuple[Scenario, dict[str, Path]]:
    """The scenario and the files of its characters, by participant id.

    ``sides`` names the sides of FILES vs FILES.
    """
    if AGAINST in words:
        if cast:
            raise InvalidInputError("--cast is for a scenario; with FILES vs FILES everybody is named already")
        return _files(words, packs, sides)
    if len(words) != 1:
        said = f"{len(words)} words" if words else "nothing"
        raise InvalidInputError(f"name a scenario (SYSTEM:NAME or a file), or FILES vs FILES; {said} was given")
    if packs:
        raise InvalidInputError("--pack is for FILES vs FILES; a scenario names its packs itself")
    return _cast(_scenario(words[0]), cast)


def _scenario(word: str) -> Scenario:
    """Load a scenario; a character's file gets an error of its own."""
    try:
        return load_scenario(word)
    except InvalidInputError:
        of = kind_of_file(word)
        if of is None or of.kind != "character":
            raise
        told = f"{word:.200} is a character of {of.system}, no scenario"
        sees, fights = command_line("sheet", word), _fights_with(word, of.system)
        raise InvalidInputError(f"{told}; see it: {sees}{f'; let it fight: {fights}' if fights else ''}") from None


def _fights_with(file: str, system_id: str) -> str:
    """Command that casts a character's file in a scenario of its system; empty if there is no scenario."""
    names = scenario_names(system_id)
    if not names:
        return ""
    name = f"{system_id}:{EVEN if EVEN in names else names[0]}"
    return command_line("fight", name, "--cast", f"{load_scenario(name).entrants[0].id}={file}")


def _cast(scenario: Scenario, typed: Sequence[str]) -> tuple[Scenario, dict[str, Path]]:
    """Replace entrants of a scenario by characters from NAME=FILE words."""
    files: dict[str, Path] = {}
    replaced: dict[str, str] = {}
    for word in typed:
        whom, equals, file = word.partition("=")
        if not equals or not file:
            raise InvalidInputError(f'--cast is "{word:.60}"; write --cast NAME=FILE')
        if whom in replaced:
            raise InvalidInputError(f"--cast: {whom:.40} is cast twice")
        whom = _one("--cast", whom, scenario, [entrant.id for entrant in scenario.entrants if entrant.id not in files])
        person = person_of(file, packs=scenario.packs)
        if person.ruleset.system.id != scenario.system:
            raise InvalidInputError(
                f"--cast: {file} is of {person.ruleset.system.id}, the scenario of {scenario.system}"
            )
        mention(person.messages)
        others = [entrant.id for entrant in scenario.entrants if entrant.id != whom]
        who = free_id(person.character.name, others)
        replaced[whom] = who
        scenario = _renamed(scenario, whom, who, person)
        if person.path is not None:
            files[who] = person.path
    return scenario, files


def _renamed(scenario: Scenario, old: str, new: str, person: NamedCharacter) -> Scenario:
    """Replace one entrant and every reference to its id."""
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
    """Scenario from FILES vs FILES: each `vs` starts another side."""
    sides: list[list[str]] = [[]]
    for word in words:
        if word == AGAINST:
            sides.append([])
        else:
            sides[-1].append(word)
    if not all(sides) or len(sides) > len(names):
        raise InvalidInputError("name at least one character on every side: FILES vs FILES")
    cast = scenario_of_sides(sides, packs=packs, names=names, title=" ".join(words))
    mention(cast.messages)
    return cast.scenario, cast.files


def policies_typed(typed: Sequence[str], entrants: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """Policies by participant id, from SIDE=POLICY, NAME=POLICY, or POLICY for everyone.

    ``entrants`` are (id, side, name) triples.
    """
    chosen: dict[str, str] = {}
    for word in typed:
        whom, equals, name = word.rpartition("=")
        load_typed_policy(name)
        chosen |= assign({whom if equals else EVERYONE: name}, entrants, "--policy")
    return chosen


def load_typed_policy(name: str) -> None:
    """Load a typed policy; a ``module:function`` may stand in the current folder."""
    if ":" in name and "" not in sys.path and (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    load_policy(name)


def _one(option: str, typed: str, scenario: Scenario, known: Sequence[str]) -> str:
    """The only participant id matched by id or name; none or several are refused."""
    found = participants_named(typed, [(entrant.id, entrant.id, entrant.name) for entrant in scenario.entrants])
    if not found:
        raise nobody_called(typed, known, option)
    if len(found) > 1:
        raise InvalidInputError(f'{option}: several are called "{typed:.40}"; say which: {", ".join(found)}')
    return found[0]


def _mine(typed: Sequence[str], scenario: Scenario) -> list[str]:
    """Participants played by the person at this terminal."""
    mine: dict[str, None] = {}
    everybody = [(entrant.id, entrant.side, entrant.name) for entrant in scenario.entrants]
    for word in typed:
        whom, equals, seat = word.rpartition("=")
        if not equals or seat != ME:
            raise InvalidInputError(
                f'--seat is "{word:.60}"; write --seat NAME={ME}; everybody else is played by a policy'
            )
        found = participants_named(whom, everybody)
        if not found:
            sides = dict.fromkeys([entrant.side for entrant in scenario.entrants])
            raise nobody_called(whom, [*sides, *[entrant.id for entrant in scenario.entrants]], "--seat")
        mine |= dict.fromkeys(found)
    return list(mine)
