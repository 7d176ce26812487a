"""What the working processes answer: plain data in, plain data out, in the words of ``--json`` on the command line.

Nothing here knows about the network. Input is untrusted and bounded before it comes here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tablewright.dice import Dice
from tablewright.dice.notation import parse
from tablewright.engine import Choose, advise
from tablewright.engine.reporting import Page, answer_for, answer_for_dice, odds_json
from tablewright.errors import BadInput
from tablewright.game.actions import Use
from tablewright.game.character import read_character
from tablewright.game.checks import Subject
from tablewright.game.content import library_of, read_pack
from tablewright.game.creation import at_random
from tablewright.game.events import GAME_MASTER
from tablewright.game.registry import find_mechanic, load_system, system_ids
from tablewright.game.scenario import Scenario, load_scenario, read_scenario, scenario_names
from tablewright.game.setting import Setting
from tablewright.game.sheet import sheet_json, sheet_markdown
from tablewright.game.telling import tell
from tablewright.game.typical import typical_odds
from tablewright.lab.deadline import Deadline
from tablewright.server.making import making_of
from tablewright.table.weighing import Asked, advice_on, session_for

TABLE_SHARE = 0.8
TURN_SHARE = 0.7
MEETING_SHARE = 0.12
"""Parts of the time allowed for a question after which a table is refused, and a turn or a meeting is told in part."""

MOST_CHARACTERS = 1_000_000
"""Longest text of the exact fractions of one answer; more comes by pages."""


def deadline_of(body: Mapping[str, Any], share: float) -> Deadline:
    """Make the deadline of an answer from the time that its question may take."""
    seconds: float | None = body["seconds"]
    return Deadline(None if seconds is None else seconds * share)


def odds(body: Mapping[str, Any]) -> dict[str, Any]:
    """The exact odds of one call or of dice."""
    if (body["mechanic"] is None) == (body["dice"] is None):
        raise BadInput("name a mechanic or dice, one of the two", field="mechanic")
    page = Page(body.get("after", 0), body.get("most"), MOST_CHARACTERS)
    if body["dice"] is not None:
        return odds_json(answer_for_dice(parse(body["dice"])), page=page)
    mechanic = find_mechanic(body["mechanic"])
    return odds_json(answer_for(mechanic.read(body["arguments"]), body["objective"]), page=page)


def odds_table(body: Mapping[str, Any]) -> dict[str, Any]:
    """The odds over ranges, side by side where that is asked for."""
    from tablewright.lab.comparing import beside, option_cases  # noqa: PLC0415  (loaded when it is needed)
    from tablewright.lab.ranges import read_ranges  # noqa: PLC0415
    from tablewright.lab.tables import View, case_of, tabulate  # noqa: PLC0415

    mechanic = find_mechanic(body["mechanic"])
    view = View(None if body["view"] == "auto" else body["view"], of=body["of"], objective=body["objective"])
    read = read_ranges(mechanic, body["arguments"])
    if body["option"] is not None and body["beside"]:
        raise BadInput("either an option or other arguments stand beside the first, not both", field="option")
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
    """What each option of each choice is worth; over a range of something unknown as a curve."""
    from tablewright.lab import advice_curve  # noqa: PLC0415
    from tablewright.lab.ranges import read_ranges  # noqa: PLC0415

    mechanic = find_mechanic(body["mechanic"])
    read = read_ranges(mechanic, body["arguments"])
    if not read.axes:
        return advise(mechanic.read(body["arguments"]), body["objective"]).to_json()
    deadline = deadline_of(body, TABLE_SHARE)
    curve = advice_curve(mechanic, body["arguments"], body["objective"], weights=body["weights"], deadline=deadline)
    return curve.to_json()


# ---------------------------------------------------------------------- characters


def setting_of(body: Mapping[str, Any]) -> Setting:
    """The system with the options and packs that were sent."""
    system = load_system(body["system"])
    library = library_of(system)
    for number, text in enumerate(body["packs"]):
        library = library.with_pack(read_pack(text, dict(library.kinds), library, name=f"packs.{number}"))
    return Setting(system, system.options.from_mapping(body["options"]), library)


def character(body: Mapping[str, Any]) -> dict[str, Any]:
    """A character with its sheet and everything that is not within the rules."""
    setting = setting_of(body)
    found, messages = _character(setting, body)
    return _told(setting, found, messages)


def _character(setting: Setting, body: Mapping[str, Any]) -> tuple[Any, tuple[str, ...]]:
    given = [name for name in ("character", "text", "template") if body[name] is not None]
    if len(given) != 1:
        raise BadInput("send one of character, text and template", field="character")
    if body["template"] is not None:
        return setting.book.character_of(body["template"], setting.library), ()
    loaded = read_character(body["character"] or body["text"], setting.book.character)
    return loaded.character, loaded.messages


def _told(setting: Setting, found: Any, messages: tuple[str, ...] = ()) -> dict[str, Any]:
    sheet = setting.book.sheet(found, setting.options, setting.library)
    return {
        "system": setting.system.id,
        "character": found.to_json(),
        "legality": setting.book.legality(found, setting.options, setting.library).to_json(),
        "messages": list(messages),
        "sheet": sheet_json(sheet),
        "markdown": sheet_markdown(sheet),
    }


def random_character(body: Mapping[str, Any]) -> dict[str, Any]:
    """A character made at random; without a name it gets one."""
    setting = setting_of(body)
    name = _name(setting, body)
    made = at_random(setting.start_creation(body["arguments"], name), Dice(body["seed"]), {})
    if "name" not in body["arguments"] and made.name != name:
        made = made.changed(name=name)
    return _told(setting, made)


def _name(setting: Setting, body: Mapping[str, Any]) -> str:
    """What a character is called that is made: as was asked, or otherwise than anybody who is ready."""
    given: str | None = body["name"]
    return given if given is not None else setting.name_for(body["seed"])


def making(body: Mapping[str, Any]) -> dict[str, Any]:
    """A character in the making: what is asked after the answers so far, or the character that they make."""
    setting = setting_of(body)
    found = making_of(setting, body, _name(setting, body))
    told = found.to_json()
    if found.creating.is_done:
        told["made"] = _told(setting, found.creating.result)
    return told


def check(body: Mapping[str, Any]) -> dict[str, Any]:
    """The tally and the odds of a character's check, before anything is rolled."""
    setting = setting_of(body)
    found, _ = _character(setting, body)
    asked = setting.book.check(body["check"])
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
    """Check a pack; everything that is wrong with it is said at once, with line and value."""
    system = load_system(body["system"])
    library = library_of(system)
    return read_pack(body["pack"], dict(library.kinds), library).to_json()


def options(body: Mapping[str, Any]) -> dict[str, Any]:
    """Every option of a system, and what each of its values makes of a typical check."""
    system = load_system(body["system"])
    fields = [(one, typical_odds(system, one)) for one in system.options.describe()]
    return {
        "id": system.id,
        "options": [one.to_json() | {"typical": [value.to_json() for value in values]} for one, values in fields],
    }


# ---------------------------------------------------------------------- at a table


def advice_at_table(body: Mapping[str, Any]) -> dict[str, Any]:
    """What each option of a table's open question is worth, from what the one who is asked may know."""
    asked: Asked = body["asked"]
    session = session_for(asked)
    question = session.question
    if isinstance(question, Choose) and any(isinstance(option, Use) for option in question.options):
        from tablewright.lab.prospects import weigh_turn  # noqa: PLC0415  (loaded when it is needed)

        seat = None if asked.all_seeing else session.seat
        told = weigh_turn(session, seat=seat, deadline=deadline_of(body, TURN_SHARE)).to_json()
        offered = {name: asked.told(told[name]) for name in ("options", "left_out")}
        return {"id": asked.id} | told | offered
    return advice_on(asked)


# ---------------------------------------------------------------------- simulation


def job(body: Mapping[str, Any]) -> dict[str, Any]:
    """A simulation as one text that can be fought piece by piece; whatever is wrong with it is refused here."""
    from tablewright.lab.jobs import Job, job_of  # noqa: PLC0415

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
        raise BadInput("what is compared has the same system and the same sides", field="before")
    return told | {"before": before.to_text()}


def scenario_of(given: str | Mapping[str, Any], where: str = "scenario") -> Scenario:
    """A scenario by its name, or as data."""
    if not isinstance(given, str):
        return read_scenario(given)
    system, _, name = given.partition(":")
    if system not in system_ids() or name not in scenario_names(system):
        raise BadInput(f'there is no scenario "{given:.60}"; name one as SYSTEM:NAME', field=where)
    return load_scenario(given)


def warm(body: Mapping[str, Any]) -> dict[str, Any]:
    """Fight a scenario once as it is usually asked for, so that everything is loaded that the next one needs."""
    from tablewright.lab.jobs import fight_some, job_of  # noqa: PLC0415

    fight_some(job_of(scenario_of(body["scenario"]), runs=1_000, seed=1).to_text(), range(1))
    return {}


def fights(body: Mapping[str, Any]) -> dict[str, Any]:
    """Fight some of the fights of a simulation."""
    from tablewright.lab.jobs import fight_some  # noqa: PLC0415

    return {"counts": fight_some(body["text"], body["numbers"])}


def pairs(body: Mapping[str, Any]) -> dict[str, Any]:
    """Fight some of a simulation's fights with and without a change, number by number, with the same dice."""
    from tablewright.lab.pairs import pair_some  # noqa: PLC0415

    return {"pairs": pair_some(body["before"], body["text"], body["numbers"])}


def fought(body: Mapping[str, Any]) -> dict[str, Any]:
    """One fight of a simulation again, told from beginning to end, with the traces of its rules."""
    from tablewright.lab.jobs import Job  # noqa: PLC0415
    from tablewright.lab.looking import look_at  # noqa: PLC0415

    seen = look_at(Job.from_text(body["text"]), body["number"])
    lines: list[dict[str, Any]] = []
    for line in seen.trial.log:
        words = tell(line, seen.trial.scene, GAME_MASTER, by_name=True)
        if words is not None:
            lines.append({"number": len(lines) + 1, "kind": words.kind, "text": words.text, "fact": line.to_json()})
    return {"number": seen.number, "winner": seen.winner or None, "rounds": seen.rounds, "lines": lines}


def meetings(body: Mapping[str, Any]) -> dict[str, Any]:
    """How well two sides hit each other before anything is fought: exact, a few people at a time."""
    from tablewright.lab.prospects import meet  # noqa: PLC0415

    deadline = deadline_of(body, MEETING_SHARE)
    found, complete = meet(scenario_of(body["scenario"]), body["known"], deadline=deadline)
    return {"people": [one.to_json() for one in found], "complete": complete}


QUESTIONS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "advice": advice,
    "advice_at_table": advice_at_table,
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
    "random_character": random_character,
    "warm": warm,
}
