"""Whether memory says what the log says: the whole log is folded from its first line, and every scene replayed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tablewright.game.session import Session, entry_from_json
from tablewright.table import scenes
from tablewright.table.campaign import Campaign, Play, apply, apply_play, to_snapshot
from tablewright.table.database import rows
from tablewright.table.database.rows import Row
from tablewright.table.events import Entered
from tablewright.table.sitting import Sitting, are_same_facts


def same_as_log(sitting: Sitting) -> bool:
    """Whether a sitting is what its log says."""
    return next(differences(sitting), None) is None


def differences(sitting: Sitting) -> Iterator[str]:
    """What memory says otherwise than the log."""
    with rows.reading(sitting.engine) as connection:
        everything = rows.rows_between(connection, sitting.id, 1, sitting.campaign.last, told=True)
    by_seq = {row.line.seq: row for row in everything}
    if list(by_seq) != list(range(1, sitting.campaign.last + 1)):
        yield "lines are missing"
        return

    def play_at(head: int) -> Play:
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


def chain_of(by_seq: dict[int, Row], head: int) -> list[Row]:
    """The played lines that lead to a head, from the first."""
    chain: list[Row] = []
    while head:
        chain.append(by_seq[head])
        head = by_seq[head].line.parent or 0
    return chain[::-1]


def _scene(sitting: Sitting, campaign: Campaign, by_seq: dict[int, Row]) -> Iterator[str]:
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
