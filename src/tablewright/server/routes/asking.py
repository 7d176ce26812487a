"""Questions with exact answers: odds, tables of odds, advice, checks; characters and packs are checked here too."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from tablewright.server import models
from tablewright.server.admitting import Route
from tablewright.server.context import Here, ask

router = APIRouter(route_class=Route, tags=["asking"])


@router.post("/odds", response_model=dict[str, Any])
async def odds(body: models.OddsAsked, request: Request, here: Here) -> Response:
    """The exact odds of a mechanic or of dice."""
    return await ask(here, request, "odds", body.model_dump())


@router.post("/odds/table", response_model=dict[str, Any])
async def odds_table(body: models.TableAsked, request: Request, here: Here) -> Response:
    """The odds over ranges of arguments, side by side with others."""
    return await ask(here, request, "odds_table", body.model_dump())


@router.post("/advice", response_model=dict[str, Any])
async def advice(body: models.AdviceAsked, request: Request, here: Here) -> Response:
    """What every option of every choice in a mechanic is worth."""
    return await ask(here, request, "advice", body.model_dump())


@router.post("/checks", response_model=dict[str, Any])
async def check(body: models.CheckAsked, request: Request, here: Here) -> Response:
    """The tally and the odds of a character's check."""
    return await ask(here, request, "check", body.model_dump())


@router.post("/meetings", response_model=dict[str, Any])
async def meetings(body: models.Meeting, request: Request, here: Here) -> Response:
    """How well two sides hit each other, exactly; asked again with those who are ``known``, the others follow."""
    here.jobs.warm(body.scenario)  # whoever prepares an encounter will want it fought
    return await ask(here, request, "meetings", body.model_dump())


@router.post("/characters", response_model=dict[str, Any])
async def character(body: models.CharacterAsked, request: Request, here: Here) -> Response:
    """Check a character: its sheet, and everything that is not within the rules."""
    return await ask(here, request, "character", body.model_dump())


@router.post("/characters/random", response_model=dict[str, Any])
async def random_character(body: models.RandomAsked, request: Request, here: Here) -> Response:
    """Make a character at random."""
    return await ask(here, request, "random_character", body.model_dump())


@router.post("/characters/making", response_model=dict[str, Any])
async def making(body: models.MakingAsked, request: Request, here: Here) -> Response:
    """Make a character step by step: send the answers so far, get what is asked next, or the character."""
    return await ask(here, request, "making", body.model_dump())


@router.post("/packs", response_model=dict[str, Any])
async def pack(body: models.PackAsked, request: Request, here: Here) -> Response:
    """Check a pack of content of one's own."""
    return await ask(here, request, "pack", body.model_dump())
