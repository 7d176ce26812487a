"""The switches that several commands have, each declared once."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Options: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="Set an option of the system.")
]
Packs: TypeAlias = Annotated[list[str] | None, typer.Option(metavar="PATH", help="Use content of one's own as well.")]
Seed: TypeAlias = Annotated[str | None, typer.Option(metavar="N", help="Repeat what this seed gave.")]
Faces: TypeAlias = Annotated[str | None, typer.Option(metavar="3,5", help="The faces of real dice, in order.")]
Answers: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="QUESTION=OPTION", help="Answer a question; the beginning of a question is enough."),
]
Outputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write it: .png, .svg, .csv or .json; again for more."),
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace files that are there already.")]
Policies: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="SIDE=POLICY", help="How a side or somebody plays: random, aggressive, careful, best."),
]
Cast: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="NAME=FILE", help="Put a character's file in somebody's place.")
]
Rounds: TypeAlias = Annotated[str | None, typer.Option(metavar="N", help="A draw after so many rounds.")]
Anyway: TypeAlias = Annotated[bool, typer.Option("--anyway", help="Also with characters outside the rules.")]
Workers: TypeAlias = Annotated[str | None, typer.Option(metavar="N", help="So many processes; all cores by default.")]
Cluster: TypeAlias = Annotated[str | None, typer.Option(metavar="ADDRESS", help="On a Dask cluster: tcp://...")]
Database: TypeAlias = Annotated[
    str | None, typer.Option(metavar="PATH", help="The database: a file, or an address of PostgreSQL.")
]
