"""Values as people read them, wherever they are shown."""

from __future__ import annotations

from tablewright.dice.dist import show_outcome


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
