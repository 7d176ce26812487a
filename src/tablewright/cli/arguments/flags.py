"""Options shared by several commands."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Options: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="Set a rule option of the system.")
]
Packs: TypeAlias = Annotated[list[str] | None, typer.Option(metavar="PATH", help="Load an additional content pack.")]
Seed: TypeAlias = Annotated[
    str | None, typer.Option(metavar="N", help="Seed of the dice; the same seed repeats the same result.")
]
Faces: TypeAlias = Annotated[str | None, typer.Option(metavar="3,5", help="Faces of real dice, in order.")]
Answers: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="QUESTION=OPTION", help="Answer a question; its first words are enough."),
]
Outputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to a .png, .svg, .csv or .json file; repeat for more."),
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace existing files.")]
Policies: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SIDE=POLICY",
        help="Policy of a side or participant: random, aggressive, careful, best, the name of an installed one, or "
        "module:function.",
    ),
]
Cast: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="NAME=FILE", help="Replace a participant by a character's file.")
]
Rounds: TypeAlias = Annotated[str | None, typer.Option(metavar="N", help="End in a draw after N rounds.")]
Anyway: TypeAlias = Annotated[bool, typer.Option("--anyway", help="Allow characters that break the creation rules.")]
Workers: TypeAlias = Annotated[
    str | None, typer.Option(metavar="N", help="Number of processes (default: one per core).")
]
Cluster: TypeAlias = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Run on a Dask cluster: tcp://...")]
Database: TypeAlias = Annotated[str | None, typer.Option(metavar="PATH", help="Database: a file, or a PostgreSQL URL.")]
