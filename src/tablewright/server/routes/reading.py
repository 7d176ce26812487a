"""What can be looked up: systems, rules, mechanics, options, content and scenarios. The same for everybody."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from tablewright.engine import Mechanic
from tablewright.errors import BadInput, TablewrightError
from tablewright.game.content import library_of
from tablewright.game.ledger import Ledger, Rule
from tablewright.game.options import OptionField, Value
from tablewright.game.policies import POLICIES
from tablewright.game.registry import find_mechanic, load_all, load_system, system_ids
from tablewright.game.rule_users import users_of
from tablewright.game.scenario import load_scenario, scenario_names
from tablewright.game.system import System
from tablewright.game.typical import typical_call, typical_values
from tablewright.server.admitting import Route
from tablewright.server.context import Here, ask
from tablewright.table import NotFound

router = APIRouter(route_class=Route, tags=["looking up"])

SystemId = Annotated[str, Path(max_length=60)]
Name = Annotated[str, Path(max_length=120)]
MOST_FOUND = 50


def system_json(system: Any) -> dict[str, Any]:
    """A system in short."""
    return {
        "id": system.id,
        "title": system.title,
        "version": system.version,
        "finished": system.is_finished,
        "rules": len(system.ledger.rules),
        "mechanics": [mechanic.name for mechanic in system.mechanics],
        "scenarios": list(scenario_names(system.id)),
    }


@router.get("/systems")
def systems() -> dict[str, Any]:
    """Every system."""
    return {"systems": [system_json(system) for system in load_all().systems]}


@router.get("/systems/{system}")
def one_system(system: SystemId) -> dict[str, Any]:
    """A system: its processes, checks, kinds of content, and the people who can be templates."""
    found = _system(system)
    book = found.book
    library = library_of(found)
    people = [(kind, entry) for kind in book.people for entry in library.of(kind)]
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
            for process in book.process_by_name.values()
        ],
        "kinds": [kind for kind, _ in library.kinds],
        "policies": {name: (policy.__doc__ or "").strip() for name, policy in POLICIES.items()},
        "templates": [{"kind": kind, "id": entry.id, "name": entry.name} for kind, entry in people],
    }


@router.get("/systems/{system}/options", response_model=dict[str, Any])
async def options(system: SystemId, request: Request, here: Here) -> Response:
    """Every option with its values, its rule, and what each value makes of a typical check."""
    _system(system)
    return await ask(here, request, "options", {"system": system})


@router.get("/systems/{system}/content/{kind}")
def content(system: SystemId, kind: Name) -> dict[str, Any]:
    """Every entry of one kind of content."""
    library = library_of(_system(system))
    if kind not in dict(library.kinds):
        raise NotFound(f'there is no content of the kind "{kind}"')
    return {"kind": kind, "entries": [entry.to_json() for entry in library.of(kind)]}


@router.get("/systems/{system}/scenarios/{name}")
def scenario(system: SystemId, name: Name) -> dict[str, Any]:
    """A scenario that comes with a system."""
    _system(system)
    if name not in scenario_names(system):
        raise NotFound(f'there is no scenario "{name}"')
    return load_scenario(f"{system}:{name}").to_json()


@router.get("/mechanics/{name}")
def mechanic(name: Name) -> dict[str, Any]:
    """All about a mechanic: its parameters as JSON schema, its objectives and its rules."""
    return _mechanic(name).schema()


@router.get("/mechanics/{name}/options")
def house_rules(name: Name) -> dict[str, Any]:
    """Every option of a mechanic's system: the parameter it sets here, and a typical check that it changes."""
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


def _typical(system: System, field: OptionField, value: Value) -> dict[str, Any]:
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
    wanted = system_ids() if system is None else [_system(system).id]
    found = [(ledger, rule) for ledger in map(Ledger.load, wanted) for rule in ledger.search(words)[:MOST_FOUND]]
    return {
        "words": words,
        "rules": [
            {"id": rule.id, "title": rule.title, "system": ledger.system, "citation": rule.citation, "kind": rule.kind}
            for ledger, rule in found
        ],
    }


@router.get("/rules/{rule}")
def one_rule(rule: Name) -> dict[str, Any]:
    """One rule in full: its words, figures, examples, ruling, and what follows it."""
    found = _rule(rule)
    users = [user._asdict() for user in users_of(load_system(found.id.partition(".")[0]), found.id)]
    return found.to_json() | {"citation": found.citation, "users": users}


def _mechanic(name: str) -> Mechanic[..., Any]:
    try:
        return find_mechanic(name)
    except BadInput as problem:
        raise NotFound(problem.message) from None


def _rule(name: str) -> Rule:
    owner = name.partition(".")[0]
    if owner in system_ids() and name in Ledger.load(owner):
        return Ledger.load(owner)[name]
    raise NotFound(f'there is no rule "{name}"')


def _system(name: str) -> Any:
    if name not in system_ids():
        raise NotFound(f'there is no system "{name}"; there are {", ".join(system_ids())}')
    return load_system(name)
