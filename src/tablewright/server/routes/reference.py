"""Reference routes: systems, rules, mechanics, options, content and scenarios. The same for all callers."""

from __future__ import annotations

import gzip
import json
from functools import cache, lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from tablewright.engine import Mechanic
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.rules.excerpts import snippet_of, terms_in
from tablewright.game.rules.ledger import Ledger, Rule
from tablewright.game.rules.options import RuleOption, Value
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.session.policies import usable_policies
from tablewright.game.session.processes import processes_by_name
from tablewright.game.system.option_impact import typical_call, typical_values
from tablewright.game.system.registry import find_mechanic, load_all, load_system
from tablewright.game.system.rule_index import usages_of
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.system.system import System
from tablewright.server.admission import Route
from tablewright.server.context import Here, ask
from tablewright.server.static import accepted_encodings
from tablewright.table import NotFoundError

router = APIRouter(route_class=Route, tags=["looking up"])

SystemId = Annotated[str, Path(max_length=60)]
Name = Annotated[str, Path(max_length=120)]
MOST_FOUND = 50


def system_json(system: Any) -> dict[str, Any]:
    """Summary of a system."""
    return {
        "id": system.id,
        "title": system.title,
        "summary": system.summary,
        "version": system.version,
        "finished": system.is_finished,
        "rules": len(system.ledger.rules),
        "mechanics": [mechanic.name for mechanic in system.mechanics],
        "scenarios": list(scenario_names(system.id)),
    }


@router.get("/systems")
def systems() -> dict[str, Any]:
    """List every system."""
    return {"systems": [system_json(system) for system in load_all().systems]}


@router.get("/systems/{system}", response_model=dict[str, Any])
def one_system(system: SystemId, request: Request) -> Response:
    """A system: its processes, checks, kinds of content and character templates."""
    plain, packed = _system_text(_system(system).id)
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in accepted_encodings(request.headers.get("accept-encoding", "")):
        return Response(packed, media_type="application/json", headers=headers | {"Content-Encoding": "gzip"})
    return Response(plain, media_type="application/json", headers=headers)


@lru_cache(maxsize=16)
def _system_text(system: str) -> tuple[bytes, bytes]:
    """A system as JSON, plain and compressed; it never changes while the server runs, and every page asks for it."""
    plain = json.dumps(_described(load_system(system)), ensure_ascii=False, separators=(",", ":")).encode()
    return plain, gzip.compress(plain, mtime=0)


def _described(found: System) -> dict[str, Any]:
    book = found.rulebook
    library = shipped_library(found)
    people = [(kind, entry) for kind in book.character_kinds for entry in library.of(kind)]
    return system_json(found) | {
        "creation": [parameter.schema() | {"name": parameter.name} for parameter in book.create.params],
        "checks": [
            {
                "id": check.id,
                "title": check.title,
                "rules": list(check.rules),
                "situation": [
                    word.schema() | {"name": word.name, "required": word.required} for word in check.situation
                ],
            }
            for check in book.checks
        ],
        "processes": [
            {
                "name": process.name,
                "about": (process.function.__doc__ or "").strip(),
                "rules": list(process.rules),
                "parameters": [
                    parameter.schema() | {"name": parameter.name, "required": parameter.required}
                    for parameter in process.params
                ],
            }
            for process in processes_by_name(book).values()
        ],
        "kinds": [kind for kind, _ in library.kinds],
        "policies": {name: (policy.__doc__ or "").strip() for name, policy in usable_policies().items()},
        "templates": [{"kind": kind, "id": entry.id, "name": entry.name} for kind, entry in people],
        "rolls": [
            {"name": one.name, "title": mechanic_title(one.name), "about": first_sentence(one.documentation)}
            for one in found.mechanics
        ],
    }


def mechanic_title(name: str) -> str:
    """Name of a mechanic for people: its last words.

    >>> mechanic_title("mars.extended_check")
    'Extended check'
    """
    plain = name.partition(".")[2].replace(".", " ").replace("_", " ")
    return f"{plain[:1].upper()}{plain[1:]}"


def first_sentence(text: str) -> str:
    """First sentence of a description, on one line.

    >>> first_sentence("Roll a pool.\\nThen count.")
    'Roll a pool.'
    """
    plain = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    end = plain.find(". ")
    return plain if end < 0 else plain[: end + 1]


@router.get("/systems/{system}/options", response_model=dict[str, Any])
async def options(system: SystemId, request: Request, here: Here) -> Response:
    """Every option with its values, its rule, and the effect of each value on a typical check."""
    _system(system)
    return await ask(here, request, "options", {"system": system})


@router.get("/systems/{system}/titles")
def titles(system: SystemId) -> dict[str, Any]:
    """Title of every rule of a system, by its id."""
    return {"titles": {rule.id: rule.title for rule in _system(system).ledger.rules}}


@router.get("/systems/{system}/content/{kind}")
def content(system: SystemId, kind: Name) -> dict[str, Any]:
    """Every entry of one kind of content."""
    library = shipped_library(_system(system))
    if kind not in dict(library.kinds):
        raise NotFoundError(f'there is no content of the kind "{kind}"')
    return {"kind": kind, "entries": [entry.to_json() for entry in library.of(kind)]}


@router.get("/systems/{system}/scenarios")
def scenarios(system: SystemId) -> dict[str, Any]:
    """Every scenario of a system: its title, what it is about, and its sides."""
    _system(system)
    found = [(name, load_scenario(f"{system}:{name}")) for name in scenario_names(system)]
    return {
        "scenarios": [
            {
                "name": name,
                "title": one.title,
                "about": one.about,
                "sides": [{"side": side, "count": len(one.on(side))} for side in one.sides],
            }
            for name, one in found
        ]
    }


@router.get("/systems/{system}/scenarios/{name}")
def scenario(system: SystemId, name: Name) -> dict[str, Any]:
    """A scenario of a system."""
    _system(system)
    if name not in scenario_names(system):
        raise NotFoundError(f'there is no scenario "{name}"')
    return load_scenario(f"{system}:{name}").to_json()


@router.get("/mechanics/{name}")
def mechanic(name: Name) -> dict[str, Any]:
    """A mechanic: its parameters as JSON schema, its objectives, its rules, and arguments to begin with."""
    found = _mechanic(name)
    return found.schema() | {"typical": _typical_arguments(found)}


@router.get("/mechanics/{name}/options")
def house_rules(name: Name) -> dict[str, Any]:
    """Every option of a mechanic's system: the parameter it sets here, and a typical check that it affects."""
    found = _mechanic(name)
    system = load_system(found.system)
    taken = {parameter.name for parameter in found.params}
    return {
        "mechanic": found.name,
        "options": [
            field.to_json()
            | {
                "parameter": field.attribute if field.attribute in taken else None,
                "typical": [_typical(system, field, value) for value in typical_values(field) if field.typical],
            }
            for field in system.options.describe()
        ],
    }


@cache
def _typical_arguments(mechanic: Mechanic[..., Any]) -> dict[str, Any]:
    """Arguments whose odds tell something, from the typical checks of the system's options; empty if they have none.

    A parameter without a default that no check of this mechanic names takes the value of another one's.
    """
    system = load_system(mechanic.system)
    checks = [typical_call(system, field, field.default) for field in system.options.describe() if field.typical]
    checks.sort(key=lambda check: len(check[1]))
    own = next((given for each, given, _ in checks if each is mechanic), {})
    others = {name: value for _, given, _ in reversed(checks) for name, value in given.items()}
    needed = {param.name: others[param.name] for param in mechanic.params if param.required and param.name in others}
    try:
        return mechanic.arguments_json(mechanic.read(needed | own))
    except TablewrightError:
        return {}


def _typical(system: System, field: RuleOption, value: Value) -> dict[str, Any]:
    mechanic, given, objective = typical_call(system, field, value)
    told = {"value": value, "mechanic": mechanic.name}
    try:
        return told | {"arguments": mechanic.arguments_json(mechanic.read(given)), "objective": objective}
    except TablewrightError as refusal:
        return told | {"refused": refusal.message}


@router.get("/rules")
def rules(
    words: Annotated[str, Query(min_length=1, max_length=200)],
    system: Annotated[str | None, Query(max_length=60)] = None,
) -> dict[str, Any]:
    """Search the rules of one system, or of all."""
    if system is not None:
        _system(system)
    every = {one: Ledger.load(one).search(words) for one in system_ids()}
    return {
        "words": words,
        "counts": {one: len(found) for one, found in every.items()},
        "rules": [
            {
                "id": rule.id,
                "title": rule.title,
                "system": one,
                "citation": rule.citation,
                "section": rule.section,
                "kind": rule.kind,
                "snippet": snippet_of(rule, words),
            }
            for one, found in every.items()
            for rule in (found[:MOST_FOUND] if system in (None, one) else ())
        ],
    }


@router.get("/rules/{rule}")
def one_rule(rule: Name) -> dict[str, Any]:
    """One rule in full: its text, figures, examples and ruling, and the code that implements it."""
    found = _rule(rule)
    owner = found.id.partition(".")[0]
    users = [user._asdict() for user in usages_of(load_system(owner), found.id)]
    terms = [
        {"text": text, "rule": other.id, "title": other.title, "about": snippet_of(other, "")}
        for text, other in terms_in(Ledger.load(owner), found)
    ]
    return found.to_json() | {"citation": found.citation, "users": users, "terms": terms}


def _mechanic(name: str) -> Mechanic[..., Any]:
    try:
        return find_mechanic(name)
    except InvalidInputError as problem:
        raise NotFoundError(problem.message) from None


def _rule(name: str) -> Rule:
    owner = name.partition(".")[0]
    if owner in system_ids() and name in Ledger.load(owner):
        return Ledger.load(owner)[name]
    raise NotFoundError(f'there is no rule "{name}"')


def _system(name: str) -> Any:
    if name not in system_ids():
        raise NotFoundError(f'there is no system "{name}"; there are {", ".join(system_ids())}')
    return load_system(name)
