"""The application: guard, routes, refusals and what has to be started and stopped."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from tablewright.dice.notation import parse
from tablewright.errors import TablewrightError
from tablewright.game.field_problems import problem_words
from tablewright.server import live
from tablewright.server.context import Context, HostOnly
from tablewright.server.guarding import Guard
from tablewright.server.jobs import Jobs
from tablewright.server.live import Rooms
from tablewright.server.pages import add_pages
from tablewright.server.problems import answer, details, plain
from tablewright.server.routes import asking, campaigns, reading
from tablewright.server.routes import jobs as job_routes
from tablewright.server.settings import Settings
from tablewright.server.working import Refused, Workers
from tablewright.table import Store, StoreFull

ABOUT = """Five open tabletop role-playing rule books as one engine.

Everything that changes something takes a header `Idempotency-Key`; what is refused is `application/problem+json` with
the path of the value in `field` and the rule that forbids it in `rule`."""


def make_app(store: Store, settings: Settings | None = None) -> FastAPI:
    """The application over a store; whoever makes it closes the store when the application has ended."""
    chosen = settings or Settings()
    workers, rooms = Workers(chosen.workers, chosen.limits), Rooms()
    jobs = Jobs(chosen.limits)
    context = Context(store, chosen, workers, rooms, jobs, _host_token(store))
    rooms.context = context

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        workers.start()
        await context.in_thread(lambda: parse("2d6"))  # whoever throws first does not wait for the grammar
        try:
            yield
        finally:
            jobs.stop()
            workers.stop()
            context.stop()
            with suppress(TablewrightError):  # a disk may be full
                await context.in_thread(lambda: store.leave(context.host_token))

    app = FastAPI(
        title="Tablewright",
        version=version("tablewright"),
        description=ABOUT,
        lifespan=lifespan,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses={
            422: {"description": "Not understood", "content": {"application/problem+json": {}}},
            429: {"description": "Too much at once", "content": {"application/problem+json": {}}},
        },
    )
    app.state.context = context
    for part in (reading, asking, job_routes, campaigns, live):
        app.include_router(part.router, prefix="/v1")

    @app.get("/health", tags=["watching"])
    async def health() -> dict[str, Any]:
        """Whether the server and its database answer."""
        await context.in_thread(store.campaigns)
        return {"status": "well", "version": version("tablewright")}

    @app.get("/metrics", tags=["watching"], response_class=PlainTextResponse, dependencies=[HostOnly])
    async def metrics() -> str:
        """Counts for the host, who watches over the server: how much is done would tell players of what is hidden.

        There is no name in it, no campaign and no seat.
        """
        counts = {
            "tablewright_connections": rooms.count,
            "tablewright_jobs": jobs.running,
            "tablewright_acts_total": context.counts.get("acts", 0),
            "tablewright_shed_total": context.queue.shed,
            "tablewright_questions_total": workers.asked,
            "tablewright_questions_stopped_total": workers.stopped,
        }
        return "".join([f"{name} {value}\n" for name, value in counts.items()])

    add_pages(app)
    refusals(app)
    app.add_middleware(Guard, settings=chosen)
    return app


def _host_token(store: Store) -> str:
    """The token of the host's link; none where the disk is full, and everything can only be read."""
    try:
        return store.host_link()
    except StoreFull:
        return ""


def refusals(app: FastAPI) -> None:
    """Answer everything that is refused as problem details."""

    @app.exception_handler(TablewrightError)
    async def refused(_: Request, problem: TablewrightError) -> JSONResponse:
        return answer(problem.told if isinstance(problem, Refused) else details(problem))

    @app.exception_handler(RequestValidationError)
    async def not_understood(_: Request, problem: RequestValidationError) -> JSONResponse:
        found = [(".".join(map(str, one["loc"][1:])), problem_words(one, one["loc"])) for one in problem.errors()]
        told = plain(422, "not understood", "; ".join([f"{where}: {what}" for where, what in found[:20]]))
        return answer(told | {"field": found[0][0], "problems": [f"{where}: {what}" for where, what in found[:20]]})

    @app.exception_handler(HTTPException)
    async def http(_: Request, problem: HTTPException) -> JSONResponse:
        response = answer(plain(problem.status_code, str(problem.detail).lower(), str(problem.detail)))
        response.headers.update(problem.headers or {})
        return response

    @app.exception_handler(Exception)
    async def unforeseen(_: Request, __: Exception) -> JSONResponse:
        return answer(plain(500, "a fault of the program", "something went wrong here; nothing was changed"))
