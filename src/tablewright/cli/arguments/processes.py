"""Arguments of processes as people type them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.engine import Process
from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.narration.phrases import and_list

_PEOPLE = ("who", "healer", "patient", "against", "other", "target")


def demand_known(given: Mapping[str, str], process: Process[..., Any], ids: Sequence[str]) -> None:
    """Refuse names that a process does not take, and say what it still needs."""
    known = {one.name: one for one in process.params}
    for key in given:
        if key not in known:
            takes = [f"{name}=..." for name, one in known.items() if one.required]
            more = [f"{name}=..." for name, one in known.items() if not one.required]
            both = and_list(takes) + (f" (and {and_list(more, 'or')})" if takes and more else and_list(more, "or"))
            close = did_you_mean(key, list(known))
            raise InvalidInputError(
                f'"{key:.60}" means nothing here: {process.name} takes {both or "nothing"}{close}', field=key
            )
    for name, one in known.items():
        if one.required and name not in given:
            people = f", such as {name}={ids[0]}" if name in _PEOPLE and ids else ""
            about = f" ({one.about})" if one.about else ""
            raise InvalidInputError(f"add {name}=...{about}{people}", field=name)
