"""Application: request guard, routes, error responses, and startup and shutdown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from tablewright.dice.notation import parse_dice
from tablewright.errors import TablewrightError
from tablewright.game.files.validation import problem_words
from tablewright.server import websocket
from tablewright.server.context import Context, HostOnly
from tablewright.server.hub import Hub
from tablewright.server.middleware import RequestGuard
from tablewright.server.problems import answer, details, plain
from tablewright.server.routes import analysis as asking
from tablewright.server.routes import campaigns, lobby, pictures
from tablewright.server.routes import reference as reading
from tablewright.server.routes import simulations as job_routes
from tablewright.server.settings import Settings
from tablewright.server.simulations import SimulationJobs
from tablewright.server.static import add_pages
from tablewright.server.worker_pool import RefusedTask, WorkerPool
from tablewright.table import Store, StoreFullError

ABOUT = """Five open tabletop role-playing rule books as one engine.

Everything that changes something takes a header `Idempotency-Key`; what is refused is `application/problem+json` with
the path of the value in `field` and the rule that forbids it in `rule`."""


def make_app(store: Store, settings: Settings | None = None) -> FastAPI:
    """Create the application for a store; the caller closes the store after the application has ended."""
    chosen = settings or Settings()
    workers, rooms = WorkerPool(chosen.workers, chosen.limits), Hub(store, chosen.limits)
    jobs = SimulationJobs(chosen.limits)
    context = Context(store, chosen, workers, rooms, jobs, _host_token(store))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        workers.start()
        await context.in_thread(lambda: parse_dice("2d6"))  # load the dice grammar now, not on the first throw
        try:
            yield
        finally:
            jobs.stop()
            workers.stop()
            context.stop()
            with suppress(TablewrightError):  # the disk may be full
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
    for part in (reading, asking, job_routes, lobby, campaigns, pictures, websocket):
        app.include_router(part.router, prefix="/v1")

    @app.get("/health", tags=["watching"])
    async def health() -> dict[str, Any]:
        """True if the server and its database respond."""
        await context.in_thread(store.campaigns)
        return {"status": "well", "version": version("tablewright")}

    @app.get("/metrics", tags=["watching"], response_class=PlainTextResponse, dependencies=[HostOnly])
    async def metrics() -> str:
        """Counters for the host only, because the amount of work would reveal hidden activity to players.

        They contain no names, campaigns or seats.
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
    app.add_middleware(RequestGuard, settings=chosen)
    return app


def _host_token(store: Store) -> str:
    """Token of the host's link; empty if the disk is full and the database is read-only."""
    try:
        return store.host_link()
    except StoreFullError:
        return ""


def refusals(app: FastAPI) -> None:
    """Register handlers that return every error as problem details."""

    @app.exception_handler(TablewrightError)
    async def refused(request: Request, problem: TablewrightError) -> JSONResponse:
        told = problem.told if isinstance(problem, RefusedTask) else details(problem)
        return answer(told, quiet=request.query_params.get("quiet") == "1")

    @app.exception_handler(RequestValidationError)
    async def not_understood(_: Request, problem: RequestValidationError) -> JSONResponse:
        found = [(".".join(map(str, one["loc"][1:])), problem_words(one, one["loc"])) for one in problem.errors()]
        told = plain(422, "not understood", "; ".join([f"{where}: {what}" for where, what in found[:20]]))
        return answer(told | {"field": found[0][0], "problems": [f"{where}: {what}" for where, what in found[:20]]})

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, __: ClientDisconnect) -> JSONResponse:
        return answer(plain(499, "closed by the client", "the request was closed before its body had arrived"))

    @app.exception_handler(HTTPException)
    async def http(_: Request, problem: HTTPException) -> JSONResponse:
        response = answer(plain(problem.status_code, str(problem.detail).lower(), str(problem.detail)))
        response.headers.update(problem.headers or {})
        return response

    @app.exception_handler(Exception)
    async def unforeseen(_: Request, __: Exception) -> JSONResponse:
        return answer(
            plain(500, "a fault of the program", "something went wrong on the server; nothing was changed, try again")
        )
