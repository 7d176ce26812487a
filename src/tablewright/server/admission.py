"""Routes that check access first, then the size and shape of the body, before decoding it.

FastAPI decodes a body before it checks the caller. Nested lists are expensive to decode for their size, while checking
the shape on the raw bytes is cheap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from tablewright.errors import InvalidInputError
from tablewright.server.context import context_of, host_only, sitter_of
from tablewright.server.middleware import TAKEN, Taken
from tablewright.server.settings import Limits

_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class Route(APIRoute):
    """Route that decodes a body only for callers with access, and only if its shape is within the limits."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, wrapped in the checks."""
        handle = super().get_route_handler()
        needed = _needed_by(self.dependant)
        has_body = self.body_field is not None

        async def checked(request: Request) -> Response:
            context = context_of(request)
            if sitter_of in needed:
                context.queue.check()
                sitter = await sitter_of(request, str(request.path_params["campaign"]))
                context.check_rate(context.requests, sitter)
            if host_only in needed:
                await host_only(request, context)
            if has_body:
                values = check_shape(await request.body(), context.settings.limits)
                taken: Taken = request.scope[TAKEN]
                taken.spend(values * context.settings.limits.value_bytes)
            return await handle(request)

        return checked


def _needed_by(dependant: Dependant) -> set[Any]:
    """All functions that a route depends on, directly or indirectly."""
    found = {one.call for one in dependant.dependencies}
    return found.union(*[_needed_by(one) for one in dependant.dependencies])


def check_shape(body: bytes, limits: Limits) -> int:
    """Refuse JSON with too many values or levels without decoding it; return their number.

    Keys count as values, and an empty list or object counts twice.

    >>> check_shape(b'{"a": [1, "[,,,]"]}', Limits())
    5
    """
    bare = _TEXT.sub(b"0", body)
    values = 1 + sum([bare.count(mark) for mark in (b",", b":", b"[", b"{")])
    if values > limits.body_values:
        raise InvalidInputError(f"a body of {values:,} values; at most {limits.body_values:,} are allowed")
    brackets = bare.translate(None, _ALL_BUT_BRACKETS)
    for _ in range(limits.body_depth):
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    if brackets:
        raise InvalidInputError(f"a body of more than {limits.body_depth} levels, or brackets that do not match")
    return values
