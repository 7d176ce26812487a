"""Formatting of values for people."""

from __future__ import annotations

from tablewright.dice.outcomes import format_outcome


def format_value(value: object) -> str:
    """Format a value for display.

    >>> format_value(True), format_value(None), format_value((3, False))
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
            return "(" + ", ".join(map(format_value, value)) + ")"
        return ", ".join([f"{name} {format_value(part)}" for name, part in zip(names, value, strict=True)])
    return format_outcome(value)


def as_meant(text: str) -> str:
    """Normalise case and spaces of a text for comparison, not for display.

    >>> as_meant(" Old  Elven")
    'old elven'
    """
    return " ".join(text.split()).casefold()


def label_of(value: object) -> str:
    """Format a value the way a user would type it.

    >>> label_of(True), label_of(None), label_of((1, 2))
    ('yes', 'none', '1,2')
    """
    if type(value) is tuple:
        return ",".join(map(label_of, value))
    return "none" if value is None else format_value(value)
