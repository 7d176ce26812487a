"""Routes of simulations: start, progress, replay and cancel."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from tablewright.server import schemas as models
from tablewright.server.admission import Route
from tablewright.server.context import Here, NeededKey, ask, asker_of, hashed

router = APIRouter(route_class=Route, tags=["simulations"])

JobId = Annotated[str, Path(max_length=60)]


@router.post("/jobs", status_code=202)
async def begin(body: models.SimulationRequest, request: Request, key: NeededKey, here: Here) -> dict[str, Any]:
    """Start a simulation; invalid input is refused before the first fight."""
    asker = await asker_of(request)

    async def start() -> dict[str, Any]:
        begun = await here.jobs.start(asker, body.model_dump(exclude={"until"}), body.until)
        return {"id": begun.id}

    return await here.repeats.once(asker.id, key, hashed(body.model_dump_json()), start)


@router.get("/jobs/{job}")
async def look(job: JobId, request: Request, here: Here) -> dict[str, Any]:
    """Progress of a simulation, with the figures so far and their intervals."""
    return here.jobs.get(await asker_of(request), job).to_json()


@router.get("/jobs/{job}/fights/{number}", response_model=dict[str, Any])
async def fought(job: JobId, number: Annotated[int, Path(ge=0, le=20_000)], request: Request, here: Here) -> Response:
    """Replay one fight of a simulation turn by turn; ``examples`` of its result lists numbers by winner."""
    found = here.jobs.get(await asker_of(request), job)
    return await ask(here, request, "fought", {"text": found.text, "number": number})


@router.delete("/jobs/{job}")
async def cancel(job: JobId, request: Request, here: Here) -> dict[str, Any]:
    """Cancel a simulation and answer when it has ended; its results so far are kept."""
    found = here.jobs.get(await asker_of(request), job)
    await here.jobs.cancel(found)
    return found.to_json()
