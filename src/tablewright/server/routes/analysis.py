"""Routes for exact answers: odds, tables of odds, advice and checks; also for validating characters and packs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from tablewright.server import schemas as models
from tablewright.server.admission import Route
from tablewright.server.context import Here, ask

router = APIRouter(route_class=Route, tags=["asking"])


@router.post("/odds", response_model=dict[str, Any])
async def odds(body: models.OddsRequest, request: Request, here: Here) -> Response:
    """Exact odds of a mechanic or of dice."""
    return await ask(here, request, "odds", body.model_dump())


@router.post("/odds/table", response_model=dict[str, Any])
async def odds_table(body: models.OddsTableRequest, request: Request, here: Here) -> Response:
    """Odds over ranges of arguments, side by side with others."""
    return await ask(here, request, "odds_table", body.model_dump())


@router.post("/advice", response_model=dict[str, Any])
async def advice(body: models.AdviceRequest, request: Request, here: Here) -> Response:
    """The value of every option of every choice in a mechanic."""
    return await ask(here, request, "advice", body.model_dump())


@router.post("/checks", response_model=dict[str, Any])
async def check(body: models.CheckRequest, request: Request, here: Here) -> Response:
    """Tally and odds of a character's check."""
    return await ask(here, request, "check", body.model_dump())


@router.post("/meetings", response_model=dict[str, Any])
async def meetings(body: models.EncounterForecastRequest, request: Request, here: Here) -> Response:
    """Exact odds of two sides hitting each other; repeat with the finished ones in ``known`` to get the rest."""
    here.jobs.warm(body.scenario)  # a simulation of this encounter usually follows
    return await ask(here, request, "meetings", body.model_dump())


@router.post("/characters", response_model=dict[str, Any])
async def character(body: models.CharacterRequest, request: Request, here: Here) -> Response:
    """Validate a character: its sheet, and everything that breaks the rules."""
    return await ask(here, request, "character", body.model_dump())


@router.post("/characters/random", response_model=dict[str, Any])
async def random_character(body: models.RandomCharacterRequest, request: Request, here: Here) -> Response:
    """Create a random character."""
    return await ask(here, request, "random_character", body.model_dump())


@router.post("/characters/making", response_model=dict[str, Any])
async def making(body: models.CreationRequest, request: Request, here: Here) -> Response:
    """Create a character step by step: send the answers so far, get the next question or the character."""
    return await ask(here, request, "making", body.model_dump())


@router.post("/packs", response_model=dict[str, Any])
async def pack(body: models.PackRequest, request: Request, here: Here) -> Response:
    """Validate a content pack."""
    return await ask(here, request, "pack", body.model_dump())
