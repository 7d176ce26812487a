"""Audit of a loaded campaign: fold the whole log from its first line and replay the open scene."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tablewright.game.session.record import entry_from_json
from tablewright.game.session.session import Session
from tablewright.table import scenes
from tablewright.table.campaign import Campaign, PlayState, apply, apply_play, to_snapshot
from tablewright.table.database import queries as rows
from tablewright.table.database.queries import LineRow
from tablewright.table.events import Entered
from tablewright.table.loaded_campaign import LoadedCampaign, are_same_facts


def same_as_log(sitting: LoadedCampaign) -> bool:
    """True if a loaded campaign equals its log."""
    return next(differences(sitting), None) is None


def differences(sitting: LoadedCampaign) -> Iterator[str]:
    """Differences between memory and the log, as texts; empty if there are none."""
    with rows.reading(sitting.engine) as connection:
        everything = rows.rows_between(connection, sitting.id, 1, sitting.campaign.last, told=True)
    by_seq = {row.line.seq: row for row in everything}
    if list(by_seq) != list(range(1, sitting.campaign.last + 1)):
        yield "lines are missing"
        return

    def play_at(head: int) -> PlayState:
        chain = chain_of(by_seq, head)
        play = apply(Campaign(sitting.id), by_seq[1].line, play_at).play
        for row in chain:
            play = apply_play(play, row.line)
        return play

    campaign = Campaign(sitting.id)
    for row in everything:
        campaign = apply(campaign, row.line, play_at)
    same = replace(campaign, counts={}), replace(sitting.campaign, counts={})
    if to_snapshot(same[0]) != to_snapshot(same[1]):
        yield "the campaign differs"
    if campaign.play.scene is not None:
        yield from _scene(sitting, campaign, by_seq)


def chain_of(by_seq: dict[int, LineRow], head: int) -> list[LineRow]:
    """The played lines that lead to a head, oldest first."""
    chain: list[LineRow] = []
    while head:
        chain.append(by_seq[head])
        head = by_seq[head].line.parent or 0
    return chain[::-1]


def _scene(sitting: LoadedCampaign, campaign: Campaign, by_seq: dict[int, LineRow]) -> Iterator[str]:
    assert campaign.play.scene is not None
    began = campaign.play.scene.began
    session: Session = scenes.session_of(campaign)
    facts: list[dict[str, Any]] = []
    for row in chain_of(by_seq, campaign.head):
        event = row.line.event
        if row.line.seq > began and isinstance(event, Entered):
            session.enter(entry_from_json(event.entry))
            facts += [body["fact"] for body in row.bodies[: event.facts]]
    if json.dumps(session.facts) != json.dumps(sitting.session.facts):
        yield "the scene differs from its replay"
    if not are_same_facts(session.facts, facts):
        yield "the scene differs from its facts"
    if session.scene != sitting.session.scene:
        yield "the scene's state differs"
