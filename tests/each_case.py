"""One test for many small cases: a test item of its own for each of thousands would cost more than what it checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeAlias

from _pytest.mark import ParameterSet

Check: TypeAlias = Callable[..., None]


def each_case(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Check], Check]:
    """Call a test for each case, as ``pytest.mark.parametrize`` would, and name every case that fails.

    All cases share the fixtures, so none may change them.
    """
    words = tuple([name.strip() for name in names.split(",")]) if isinstance(names, str) else names
    rows = [_values(case, alone=len(words) == 1) for case in cases]
    assert rows, "no case is no test"

    def decorate(test: Check) -> Check:
        @wraps(test)
        def called(**fixtures: Any) -> None:
            failures: list[Exception] = []
            for row in rows:
                try:
                    test(**fixtures, **dict(zip(words, row, strict=True)))
                except Exception as error:
                    told = ", ".join([f"{name}={value!r}" for name, value in zip(words, row, strict=True)])
                    error.add_note(f"in the case {told}")
                    failures.append(error)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(rows)} cases fail", failures)

        kept = [one for name, one in inspect.signature(test).parameters.items() if name not in words]
        called.__signature__ = inspect.Signature(kept)  # type: ignore[attr-defined]
        return called

    return decorate


def _values(case: Any, *, alone: bool) -> tuple[Any, ...]:
    if isinstance(case, ParameterSet):
        assert not case.marks, "a case with a mark of its own is a test of its own"
        return tuple(case.values)
    return (case,) if alone else tuple(case)
