"""Policies for the tests, named as module:function or registered by an entry point."""

from __future__ import annotations

import tablewright as tw


def brawler(turn: tw.Turn) -> tw.Option:
    """Strike or attack where that is possible."""
    return next((option for option in turn.options if option.id.startswith(("attack", "strike"))), turn.default)


def passive(turn: tw.Turn) -> str:
    """Take the last option."""
    return turn.options[-1].id


def broken(turn: tw.Turn) -> str:
    """Fail."""
    raise RuntimeError("out of order")
