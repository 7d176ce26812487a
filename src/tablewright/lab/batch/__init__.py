"""Fights in lock step: from tables that are made by running the real rules and watching what they read."""

from __future__ import annotations

from dataclasses import replace

from tablewright.errors import BadInput
from tablewright.lab.jobs import Job, batch_of

ENOUGH_RUNS = 5_000
"""With fewer fights than this tables are not worth making."""


def on_path(job: Job, path: str) -> tuple[Job, str]:
    """The job on the path that is wanted, and why it is that one. ``auto`` takes the batch path where it pays.

    Whether it does is found out by a trial of always the same fights, so that the same job takes the same path
    everywhere. Nothing is said where it was clear from the beginning: few fights are played.
    """
    if path == "played":
        return job, "as it was asked for"
    if path == "auto" and job.runs < ENOUGH_RUNS:
        return job, ""
    from tablewright.lab.batch.running import CannotFollow, why_not  # noqa: PLC0415 - numpy is loaded where it is needed

    reason = why_not(job.ring())
    if reason and path == "batch":
        raise BadInput(f"the batch path cannot be used here: {reason}", field="path")
    if reason:
        return job, reason
    batch = replace(job, path="batch")
    if path == "batch":
        return batch, "as it was asked for"
    try:
        if not batch_of(batch.to_text()).is_worth_it():
            return job, "its scenes are too wide: what happens in them is seldom what has happened before"
    except CannotFollow as problem:
        return job, str(problem)
    return batch, "everybody is within reach, and most of what happens has happened before"
