"""Tasks of the worker processes: plain data in, plain data out, in the format of ``--json`` on the command line.

The tasks are independent of the network. Input is untrusted and bounded before it arrives here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import thread_time
from typing import Any

from tablewright.dice import SeededDice
from tablewright.dice.notation import parse_dice
from tablewright.engine import Choice, advise
from tablewright.engine.report import Page, answer_for, answer_for_dice, odds_json
from tablewright.errors import InvalidInputError
from tablewright.game.character.character import read_character
from tablewright.game.character.creation import at_random
from tablewright.game.character.sheet import sheet_json, sheet_markdown
from tablewright.game.content.packs import read_pack
from tablewright.game.narration.entries import entries
from tablewright.game.narration.narrator import narrate_line
from tablewright.game.narration.voices import sayings_of
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.checks import Subject
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.scenario.loader import load_scenario, read_scenario, scenario_names
from tablewright.game.scenario.scenario import Scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.promises import promises
from tablewright.game.session.session import Session
from tablewright.game.system.option_impact import typical_odds
from tablewright.game.system.registry import find_mechanic, load_system
from tablewright.game.system.ruleset import Ruleset
from tablewright.game.system.shipped_content import shipped_library
from tablewright.lab.deadline import FIRST_SECONDS, Deadline
from tablewright.server.creation import PREVIEW_SECONDS, making_of, previews_of
from tablewright.server.growth import growth, things_of
from tablewright.table.advice import OpenQuestion, advice_on, session_for
from tablewright.table.follow_ups import follow_ups
from tablewright.table.pictures import encode_picture

TABLE_SHARE = 0.8
TURN_SHARE = 0.7
MEETING_SHARE = 0.12
PREVIEW_SHARE = 0.2
"""Shares of a question's time limit after which a table is refused, and a turn, a meeting or previews are cut short.

The promises of a turn are put into words until the time of a table.
"""

FIRST_PROMISES = FIRST_SECONDS + 0.2
"""Processor seconds until which the promises of a first answer are put into words."""

MOST_CHARACTERS = 1_000_000
"""Upper bound for the text length of the exact fractions in one answer; the rest comes in pages."""


def deadline_of(body: Mapping[str, Any], share: float) -> Deadline:
    """Deadline of an answer: a share of its question's time limit."""
    seconds: float | None = body["seconds"]
    return Deadline(None if seconds is None else seconds * share)


def odds(body: Mapping[str, Any]) -> dict[str, Any]:
    """Exact odds of one call or of dice."""
    if (body["mechanic"] is None) == (body["dice"] is None):
        raise InvalidInputError("give either a mechanic or dice", field="mechanic")
    page = Page(body.get("after", 0), body.get("most"), MOST_CHARACTERS)
    if body["dice"] is not None:
        return odds_json(answer_for_dice(parse_dice(body["dice"])), page=page)
    mechanic = find_mechanic(body["mechanic"])
    return odds_json(answer_for(mechanic.read(body["arguments"]), body["objective"]), page=page)


def odds_table(body: Mapping[str, Any]) -> dict[str, Any]:
    """Odds over ranges, with comparisons if requested."""
    from tablewright.lab.odds.comparison import beside, option_cases  # noqa: PLC0415  (loaded on demand)
    from tablewright.lab.odds.ranges import read_ranges  # noqa: PLC0415
    from tablewright.lab.odds.table import View, case_of, tabulate  # noqa: PLC0415

    mechanic = find_mechanic(body["mechanic"])
    view = View(None if body["view"] == "auto" else body["view"], of=body["of"], objective=body["objective"])
    read = read_ranges(mechanic, body["arguments"])
    if body["option"] is not None and body["beside"]:
        raise InvalidInputError("compare with an option or with other arguments, not with both", field="option")
    if body["option"] is not None:
        cases = option_cases(read, body["option"], body["values"])
    else:
        others = [
            (find_mechanic(one["mechanic"]) if one["mechanic"] else mechanic, one["arguments"])
            for one in body["beside"]
        ]
        cases = beside(read, others) if others else [case_of(read)]
    return tabulate(cases, read.axes, view, deadline=deadline_of(body, TABLE_SHARE)).to_json()


def advice(body: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each option of each choice; a curve if an argument is a range."""
    from tablewright.lab import advice_curve  # noqa: PLC0415
    from tablewright.lab.odds.ranges import read_ranges  # noqa: PLC0415

    mechanic = find_mechanic(body["mechanic"])
    read = read_ranges(mechanic, body["arguments"])
    if not read.axes:
        return advise(mechanic.read(body["arguments"]), body["objective"]).to_json()
    deadline = deadline_of(body, TABLE_SHARE)
    curve = advice_curve(mechanic, body["arguments"], body["objective"], weights=body["weights"], deadline=deadline)
    return curve.to_json()


# ---------------------------------------------------------------------- characters


def setting_of(body: Mapping[str, Any]) -> Ruleset:
    """Ruleset with the system, options and packs of a request."""
    system = load_system(body["system"])
    library = shipped_library(system)
    for number, text in enumerate(body["packs"]):
        library = library.with_pack(read_pack(text, dict(library.kinds), library, name=f"packs.{number}"))
    return Ruleset(system, system.options.from_mapping(body["options"]), library)


def character(body: Mapping[str, Any]) -> dict[str, Any]:
    """A character with its sheet and everything that breaks the rules."""
    setting = setting_of(body)
    found, messages = _character(setting, body)
    return _told(setting, found, messages)


def _character(setting: Ruleset, body: Mapping[str, Any]) -> tuple[Any, tuple[str, ...]]:
    given = [name for name in ("character", "text", "template") if body[name] is not None]
    if len(given) != 1:
        raise InvalidInputError("send one of character, text and template", field="character")
    if body["template"] is not None:
        return setting.rulebook.character_of(body["template"], setting.library), ()
    loaded = read_character(body["character"] or body["text"], setting.rulebook.character)
    return loaded.character, loaded.messages


def _told(setting: Ruleset, found: Any, messages: tuple[str, ...] = ()) -> dict[str, Any]:
    sheet = setting.rulebook.sheet(found, setting.options, setting.library)
    return {
        "system": setting.system.id,
        "character": found.to_json(),
        "legality": setting.rulebook.legality(found, setting.options, setting.library).to_json(),
        "messages": list(messages),
        "sheet": sheet_json(sheet),
        "markdown": sheet_markdown(sheet),
    }


def random_character(body: Mapping[str, Any]) -> dict[str, Any]:
    """A random character; a missing name is generated."""
    setting = setting_of(body)
    name = _name(setting, body)
    made = at_random(setting.start_creation(body["arguments"], name), SeededDice(body["seed"]), {})
    if "name" not in body["arguments"] and made.name != name:
        made = made.changed(name=name)
    return _told(setting, made)


def _name(setting: Ruleset, body: Mapping[str, Any]) -> str:
    """Name of a new character: the requested one, or a generated one."""
    given: str | None = body["name"]
    return given if given is not None else setting.name_for(body["seed"])


def making(body: Mapping[str, Any]) -> dict[str, Any]:
    """The next question of a character creation after the given answers, or the finished character."""
    setting = setting_of(body)
    name = _name(setting, body)
    found = making_of(setting, body, name)
    told = found.to_json()
    if body.get("previews"):
        worked = Deadline(PREVIEW_SECONDS, clock=thread_time)
        told["things"] = things_of(setting, body, name, found, worked)
        told["previews"] = previews_of(setting, body, name, found, deadline_of(body, PREVIEW_SHARE))
    if found.creating.is_done:
        told["made"] = _told(setting, found.creating.result)
    return told


def check(body: Mapping[str, Any]) -> dict[str, Any]:
    """Tally and odds of a character's check, without rolling."""
    setting = setting_of(body)
    found, _ = _character(setting, body)
    asked = setting.rulebook.check(body["check"])
    plan = asked.read(Subject(found, setting.options, setting.library), body["situation"])
    return {
        "character": found.name,
        "check": asked.id,
        "title": asked.title,
        "rules": list(asked.rules),
        "tallies": {name: tally.to_json() for name, tally in plan.tallies.items()},
        "odds": odds_json(answer_for(plan.call)),
        "hint": plan.hint,
    }


def pack(body: Mapping[str, Any]) -> dict[str, Any]:
    """Validate a content pack; the error lists all problems with line and value."""
    system = load_system(body["system"])
    library = shipped_library(system)
    return read_pack(body["pack"], dict(library.kinds), library).to_json()


def options(body: Mapping[str, Any]) -> dict[str, Any]:
    """Every option of a system, and the effect of each value on a typical check."""
    system = load_system(body["system"])
    fields = [(one, typical_odds(system, one)) for one in system.options.describe()]
    return {
        "id": system.id,
        "options": [one.to_json() | {"typical": [value.to_json() for value in values]} for one, values in fields],
    }


# ---------------------------------------------------------------------- at a table


def advice_at_table(body: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each option of a table's open question, from what the deciding seat may know."""
    asked: OpenQuestion = body["asked"]
    session = session_for(asked)
    question = session.question
    if isinstance(question, Choice) and any(isinstance(option, ActionUse) for option in question.options):
        if body["first"]:
            times = Deadline(FIRST_SECONDS, clock=thread_time), Deadline(FIRST_PROMISES, clock=thread_time)
        else:
            times = deadline_of(body, TURN_SHARE), deadline_of(body, TABLE_SHARE)
        told = _weighed_turn(asked, session, *times)
        offered = {name: asked.told(told[name]) for name in ("options", "left_out")}
        return {"id": asked.id} | told | offered
    return advice_on(asked)


def features_at_table(body: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers that describe each option of a table's open question, from what the deciding seat may know."""
    from tablewright.lab.fights.option_features import features_of  # noqa: PLC0415  (loaded on demand)

    asked: OpenQuestion = body["asked"]
    return {"id": asked.id} | features_of(session_for(asked), asked.secret, odds=body["odds"]).to_json()


def _weighed_turn(asked: OpenQuestion, session: Session, deadline: Deadline, last: Deadline) -> dict[str, Any]:
    """Forecasts of the actions of a turn, each with its promise in words as ``chance`` if that is known by ``last``."""
    from tablewright.lab.fights.forecast import weigh_turn  # noqa: PLC0415  (loaded on demand)

    seat = None if asked.all_seeing else session.seat
    found = weigh_turn(session, seat=seat, deadline=deadline)
    words = promises(session, seat or GAME_MASTER, sayings_of(session.scene.system), lambda: not last.passed)
    told = found.to_json()
    told["options"] = [one | {"chance": words.get(one["id"], "")} for one in told["options"]]
    return told


def follow_ups_at_table(body: Mapping[str, Any]) -> dict[str, Any]:
    """The follow-up questions of options of a table's open question."""
    asked: OpenQuestion = body["asked"]
    times = deadline_of(body, TURN_SHARE), deadline_of(body, TABLE_SHARE)
    return follow_ups(asked, body["options"], lambda session: _weighed_turn(asked, session, *times))


def growth_at_table(body: Mapping[str, Any]) -> dict[str, Any]:
    """The changes that the purchases of a table's open question make to the sheet."""
    return growth(body["asked"], deadline_of(body, TURN_SHARE))


# ---------------------------------------------------------------------- simulation


def job(body: Mapping[str, Any]) -> dict[str, Any]:
    """A simulation as one text that can be run in chunks; invalid input is refused here."""
    from tablewright.lab.fights.job import Job, job_of  # noqa: PLC0415

    def made_of(given: str | Mapping[str, Any], where: str) -> Job:
        return job_of(
            scenario_of(given, where),
            runs=body["runs"],
            seed=body["seed"],
            policies=body["policies"],
            options=body["options"] or None,
            anyway=body["anyway"],
        )

    made = made_of(body["scenario"], "scenario")
    told = {"text": made.to_text(), "title": made.title, "chunks": made.chunks, "id": made.id}
    if body["before"] is None:
        return told
    before = made_of(body["before"], "before")
    if before.system != made.system or before.sides != made.sides:
        raise InvalidInputError("fights to compare must have the same system and the same sides", field="before")
    return told | {"before": before.to_text()}


def scenario_of(given: str | Mapping[str, Any], where: str = "scenario") -> Scenario:
    """Load a scenario by its name, or read it from data."""
    if not isinstance(given, str):
        return read_scenario(given)
    system, _, name = given.partition(":")
    if system not in system_ids() or name not in scenario_names(system):
        raise InvalidInputError(f'there is no scenario "{given:.60}"; name one as SYSTEM:NAME', field=where)
    return load_scenario(given)


def warm(body: Mapping[str, Any]) -> dict[str, Any]:
    """Run one fight of a scenario with the usual settings, to load everything that the next one needs."""
    from tablewright.lab.fights.job import fight_some, job_of  # noqa: PLC0415

    fight_some(job_of(scenario_of(body["scenario"]), runs=1_000, seed=1).to_text(), range(1))
    return {}


def fights(body: Mapping[str, Any]) -> dict[str, Any]:
    """Run some fights of a simulation."""
    from tablewright.lab.fights.job import fight_some  # noqa: PLC0415

    return {"counts": fight_some(body["text"], body["numbers"])}


def pairs(body: Mapping[str, Any]) -> dict[str, Any]:
    """Run some fights of a simulation with and without a change, pair by pair with the same dice."""
    from tablewright.lab.fights.paired import pair_some  # noqa: PLC0415

    return {"pairs": pair_some(body["before"], body["text"], body["numbers"])}


def fought(body: Mapping[str, Any]) -> dict[str, Any]:
    """Replay one fight of a simulation with full narration and the traces of its rules."""
    from tablewright.lab.fights.job import Job  # noqa: PLC0415
    from tablewright.lab.fights.replay import replay_fight  # noqa: PLC0415

    seen = replay_fight(Job.from_text(body["text"]), body["number"])
    lines: list[dict[str, Any]] = []
    for line in seen.trial.log:
        words = narrate_line(line, seen.trial.scene, GAME_MASTER, by_name=True)
        if words is not None:
            lines.append({"number": len(lines) + 1, "kind": words.kind, "text": words.text, "fact": line.to_json()})
    told = [entry.to_json() for entry in entries(seen.trial.live, seen.trial.rulebook, GAME_MASTER)]
    about = {"number": seen.number, "winner": seen.winner or None, "rounds": seen.rounds}
    return about | {"lines": lines, "entries": told}


def meetings(body: Mapping[str, Any]) -> dict[str, Any]:
    """Exact odds of two sides hitting each other, a few participants per request."""
    from tablewright.lab.fights.forecast import meet  # noqa: PLC0415

    deadline = deadline_of(body, MEETING_SHARE)
    found, complete = meet(scenario_of(body["scenario"]), body["known"], deadline=deadline)
    return {"people": [one.to_json() for one in found], "complete": complete}


def picture(body: Mapping[str, Any]) -> dict[str, Any]:
    """An uploaded picture, encoded again without anything but its pixels."""
    return encode_picture(body["data"], body["use"])._asdict()


QUESTIONS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "advice": advice,
    "advice_at_table": advice_at_table,
    "features_at_table": features_at_table,
    "follow_ups_at_table": follow_ups_at_table,
    "growth_at_table": growth_at_table,
    "character": character,
    "check": check,
    "fights": fights,
    "fought": fought,
    "job": job,
    "making": making,
    "meetings": meetings,
    "odds": odds,
    "odds_table": odds_table,
    "options": options,
    "pack": pack,
    "pairs": pairs,
    "picture": picture,
    "random_character": random_character,
    "warm": warm,
}
