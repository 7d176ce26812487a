"""Five open tabletop role-playing rule books as one library: exact odds, characters, fights and simulations.

Every name below is loaded when it is first used.

>>> import tablewright as tw
>>> tw.odds("4d6kh3")
<Odds 4d6kh3: 3 to 18, mean 12.24>
>>> tw.odds("mars.check", "r16", difficulty=14) >= "graze"
65.00%
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as typing has it, which takes longer to import than all of this
if TYPE_CHECKING:
    from typing import Any

    from tablewright import marchen as marchen
    from tablewright import mars as mars
    from tablewright import opend6 as opend6
    from tablewright import renaissance as renaissance
    from tablewright import stage as stage
    from tablewright.api.advice import Advice, advise
    from tablewright.api.character import Character, Check
    from tablewright.api.fight import Fight
    from tablewright.api.live import connect, connect_async
    from tablewright.api.odds import Odds, odds
    from tablewright.api.odds_tables import compare, odds_table
    from tablewright.api.option import Option
    from tablewright.api.results import Chance, Table
    from tablewright.api.rolls import Played, replay, roll
    from tablewright.api.rules import rule, rules, system, system_ids
    from tablewright.api.simulation import Balance, Change, Simulation, Sweep, balance, simulate, sweep, what_if
    from tablewright.api.turn import Policy, Turn, policy
    from tablewright.engine.choice import choose
    from tablewright.engine.mechanic import Call, Mechanic, mechanic
    from tablewright.engine.options import Role
    from tablewright.engine.request import d
    from tablewright.errors import IllegalActionError as RulesSayNo
    from tablewright.errors import InvalidInputError as BadInput
    from tablewright.errors import TablewrightError
    from tablewright.errors import TooLargeError as TooMuch
    from tablewright.lab.fights.intervals import Interval
    from tablewright.version import __version__ as __version__

__all__ = [
    "Advice",
    "BadInput",
    "Balance",
    "Call",
    "Chance",
    "Change",
    "Character",
    "Check",
    "Fight",
    "Interval",
    "Mechanic",
    "Odds",
    "Option",
    "Played",
    "Policy",
    "Role",
    "RulesSayNo",
    "Simulation",
    "Sweep",
    "Table",
    "TablewrightError",
    "TooMuch",
    "Turn",
    "advise",
    "balance",
    "choose",
    "compare",
    "connect",
    "connect_async",
    "d",
    "mechanic",
    "odds",
    "odds_table",
    "policy",
    "replay",
    "roll",
    "rule",
    "rules",
    "simulate",
    "sweep",
    "system",
    "system_ids",
    "what_if",
]

_MODULES = {
    "api.advice": ("Advice", "advise"),
    "api.character": ("Character", "Check"),
    "api.fight": ("Fight",),
    "api.live": ("connect", "connect_async"),
    "api.odds": ("Odds", "odds"),
    "api.odds_tables": ("compare", "odds_table"),
    "api.results": ("Chance", "Table"),
    "api.rolls": ("Played", "replay", "roll"),
    "api.rules": ("rule", "rules", "system", "system_ids"),
    "api.simulation": ("Balance", "Change", "Simulation", "Sweep", "balance", "simulate", "sweep", "what_if"),
    "api.option": ("Option",),
    "api.turn": ("Policy", "Turn", "policy"),
    "engine.choice": ("choose",),
    "engine.mechanic": ("Call", "Mechanic", "mechanic"),
    "engine.options": ("Role",),
    "engine.request": ("d",),
    "errors": ("TablewrightError",),
    "lab.fights.intervals": ("Interval",),
    "version": ("__version__",),
}
_RENAMED = {"BadInput": "InvalidInputError", "RulesSayNo": "IllegalActionError", "TooMuch": "TooLargeError"}
_WHERE = {name: module for module, names in _MODULES.items() for name in names} | dict.fromkeys(_RENAMED, "errors")


if not TYPE_CHECKING:  # a type checker would take every misspelt name for a public one

    def __getattr__(name: str) -> Any:
        """Load a public name, or the mechanics of an installed system, on first use."""
        if name in _WHERE:
            found = getattr(import_module(f"{__name__}.{_WHERE[name]}"), _RENAMED.get(name, name))
            globals()[name] = found
            return found
        if not name.startswith("_"):
            from tablewright.game.rules.entry_points import system_ids  # noqa: PLC0415 - reads metadata of packages

            if name in system_ids():
                from tablewright.api.mechanics import system_module  # noqa: PLC0415

                return _own_module(name) or system_module(name)
        from tablewright.errors import did_you_mean  # noqa: PLC0415 - needed only on failure

        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{did_you_mean(name, __all__)}")


def _own_module(name: str) -> Any:
    """The module of a system that comes with this package; None for a system of others."""
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        return None


def __dir__() -> list[str]:
    """Public names and installed systems."""
    from tablewright.game.rules.entry_points import system_ids  # noqa: PLC0415

    return sorted([*__all__, *system_ids(), "__version__"])
