"""Names that files and databases hold: they may gain entries, but none may change or go.

``python tests/test_pins.py`` writes the list again after an addition; review its diff.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablewright.dice.rollable import BestOf, Sum
from tablewright.dice.source import Die, SeededDice
from tablewright.engine.options import Role
from tablewright.engine.request import EVERYONE, Roll, d
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.processes import TABLE_PROCESSES
from tablewright.game.system.registry import load_system
from tablewright.table.events import KINDS

PINS = Path(__file__).parent / "pins.json"
SYSTEMS = ("marchen", "mars", "opend6", "renaissance", "stage")
STREAMS = ("scene", "to:game master", "to:ann", "choice:ann", "bot:ann", "table", "trial:7", "scene/roll/d20")
REQUESTS = (d(20), d(6, 3, 2), Roll(Sum((Die(6), Die(10)))), Roll(BestOf(Sum((Die(6),)), 2)))


def signatures(rules: Any) -> list[str]:
    """Rules with the names of their parameters; the order of these is stored nowhere."""
    return sorted([f"{rule.name}({', '.join(sorted([param.name for param in rule.params]))})" for rule in rules])


def pins() -> dict[str, Any]:
    """Every stored name, as the program has it now."""
    systems = {name: load_system(name) for name in SYSTEMS}
    faces = {stream: SeededDice(7, stream) for stream in STREAMS}
    return {
        "event kinds": {
            "table": sorted(KINDS),
            **{name: sorted(system.rulebook.apply.kinds) for name, system in systems.items()},
        },
        "processes": {
            "table": signatures(TABLE_PROCESSES),
            **{
                name: signatures([system.rulebook.create, system.rulebook.encounter, *system.rulebook.processes])
                for name, system in systems.items()
            },
        },
        "mechanics": {name: signatures(system.mechanics) for name, system in systems.items()},
        "rule options": {
            name: [*[option.name for option in system.options.describe()], *sorted(system.options.retired)]
            for name, system in systems.items()
        },
        "seats": [EVERYONE, GAME_MASTER, *[role.value for role in Role]],
        "faces": {stream: " ".join([str(dice.face(Die(20))) for _ in range(10)]) for stream, dice in faces.items()},
        "reprs": [repr(request) for request in REQUESTS],
    }


@pytest.mark.parametrize("group", ["event kinds", "processes", "mechanics", "rule options", "seats", "faces", "reprs"])
def test_stored_names_stay(group: str) -> None:
    pinned = json.loads(PINS.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(pins()[group])) == pinned[group], "run python tests/test_pins.py and review the diff"


if __name__ == "__main__":
    PINS.write_text(json.dumps(pins(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
