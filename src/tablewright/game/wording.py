"""Values as people read them, wherever they are shown."""

from __future__ import annotations

import re

from tablewright.dice.dist import show_outcome

_WRITTEN = {"True": "yes", "False": "no", "None": "nothing"}


def said(written: str) -> str:
    """A result that was written down, as people say it.

    >>> said("success True, critical_failure None")
    'success yes, critical failure nothing'
    """
    return re.sub(r"\b(True|False|None)\b", lambda found: _WRITTEN[found[0]], written).replace("_", " ")


def shown(value: object) -> str:
    """A value as people read it.

    >>> shown(True), shown(None), shown((3, False))
    ('yes', 'nothing', '(3, no)')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    notation = getattr(value, "json_text", None)
    if notation is not None:
        return str(notation())
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        if names is None:
            return "(" + ", ".join(map(shown, value)) + ")"
        return ", ".join([f"{name} {shown(part)}" for name, part in zip(names, value, strict=True)])
    return show_outcome(value)


def as_meant(text: str) -> str:
    """What somebody wrote as it is meant, however it is written: to be compared, not to be shown.

    >>> as_meant(" Old  Elven")
    'old elven'
    """
    return " ".join(text.split()).casefold()
