"""``tablewright fight``: bots against bots, or a person at the keyboard; saved, resumed, undone, replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablewright.cli.keeping import keep as keep_everybody
from tablewright.cli.keeping import tell_kept
from tablewright.cli.problems import line_by_line
from tablewright.cli.screen import print_json
from tablewright.cli.switches import Options, Policies, Rounds, Seed
from tablewright.cli.taking import Command
from tablewright.cli.words import check_words, rounds_given, seed_given, whole_number
from tablewright.errors import BadInput, ManyProblems, nearest

if TYPE_CHECKING:
    from tablewright.game.session import Session

MOST_UNDONE = 1_000_000
DICE = ("ask", "typed", "auto")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=Command)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="SCENARIO | FILES vs FILES", help="SYSTEM:NAME, a scenario's file, or characters."),
    ] = None,
    *,
    policy: Policies = None,
    seat: Annotated[list[str] | None, typer.Option(metavar="NAME=me", help="Play somebody or a side oneself.")] = None,
    cast: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="Put a character's file in somebody's place in the scenario."),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Write those from files back to them as they are after the fight.")
    ] = False,
    dice: Annotated[
        str,
        typer.Option(
            metavar="WHICH", help="ask: Enter throws mine, or I type faces; typed: I type all open dice; auto: none."
        ),
    ] = "ask",
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep the fight in this file, after every answer.")
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Go on with a fight that was saved.")] = None,
    replay: Annotated[
        str | None, typer.Option(metavar="FILE", help="Show a saved fight from its record, and compare every fact.")
    ] = None,
    undo: Annotated[
        str | None, typer.Option(metavar="N", help="Take back the last N entries of --resume or --replay.")
    ] = None,
    rounds: Rounds = None,
    seed: Seed = None,
    option: Options = None,
    pack: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="Use content of one's own, for FILES vs FILES.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON: the facts and the outcome.")] = False,
) -> None:
    """Fight, against bots or among them."""
    named = check_words(words or ())
    if dice not in DICE:
        raise BadInput(f'--dice is "{dice:.40}"; allowed are {", ".join(DICE)}{nearest(dice, DICE)}')
    number = seed_given(seed)
    limit = rounds_given(rounds)
    taken_back = 0 if undo is None else whole_number(undo, "--undo", 1, MOST_UNDONE)
    at_start: dict[str, object] = {
        "--seat": seat,
        "--seed": seed,
        "--rounds": rounds,
        "--option": option,
        "--pack": pack,
    }
    at_start |= {"--cast": cast, "--keep": keep}
    going_on = {"--save": save, "--policy": policy}
    _refuse_misplaced(named, at_start, going_on, resume=resume, replay=replay, undo=undo)
    with line_by_line(as_json=as_json):
        from tablewright.cli import arena  # noqa: PLC0415  (brings in pydantic)

        if replay is not None:
            _replay(Path(replay), taken_back, as_json)
            return
        kept = _kept(save, resume)
        if resume is not None:
            session = _resumed(Path(resume), policy or (), taken_back)
        else:
            session = arena.open_fight(
                named,
                seats=seat or (),
                policies=policy or (),
                options=option or (),
                packs=pack or (),
                cast=cast or (),
                keeps=keep,
                rounds=limit,
                seed=number,
            )
        _fight(session, dice, kept, resumed=resume is not None, as_json=as_json)


def _refuse_misplaced(
    named: Sequence[str],
    at_start: Mapping[str, object],
    going_on: Mapping[str, object],
    *,
    resume: str | None,
    replay: str | None,
    undo: str | None,
) -> None:
    """Refuse what means nothing for this fight: a new one, one that goes on, or one that is only looked at."""
    if resume is not None and replay is not None:
        raise BadInput("--resume and --replay cannot be used together: one goes on, the other looks back")
    if resume is None and replay is None:
        if undo is not None:
            raise BadInput("--undo is for --resume or --replay; in a fight under way type undo")
        return
    given = [*[name for name, value in at_start.items() if value], *named]
    if given:
        raise BadInput(f"{given[0]:.60} is for a new fight, not for {'--replay' if resume is None else '--resume'}")
    given = [name for name, value in going_on.items() if value]
    if replay is not None and given:
        raise BadInput(f"{given[0]} is for a fight that goes on, not for --replay")


def _resumed(path: Path, policies: Sequence[str], taken_back: int) -> Session:
    """A fight that was saved, with the last entries taken back where that is wanted."""
    from tablewright.cli import arena  # noqa: PLC0415  (brings in pydantic)

    session = arena.resume_fight(path, policies)
    if taken_back:
        session.undo(taken_back)
        arena.start(session)
    return session


def _fight(session: Session, dice: str, kept: Path | None, *, resumed: bool, as_json: bool) -> None:
    """Fight to the end, or as far as the person goes; then those who came from files go back to them."""
    from tablewright.cli.bout import Bout  # noqa: PLC0415  (loads rich)

    bout = Bout(session, dice=dice, kept=kept, quiet=as_json, resumed=resumed)
    if as_json:
        bout.run_bots()
        written = keep_everybody(session)
        told = outcome_json(session, bout.viewer) | {"saved": str(kept) if kept else None}
        if written.changed:
            told |= {"characters": [one.to_json() for one in written.changed], "written": list(written.written)}
        print_json(told)
    else:
        bout.run()
        written = keep_everybody(session)
        tell_kept(written)
    if written.problems:
        raise ManyProblems(written.problems)


def _kept(save: str | None, resume: str | None) -> Path | None:
    """Where the fight is kept; a file with anything else in it is never replaced."""
    if save is None:
        return None if resume is None else Path(resume)
    path = Path(save)
    if not path.absolute().parent.is_dir():
        raise BadInput(f"--save: there is no folder {path.absolute().parent}")
    if path.is_dir():
        raise BadInput(f"--save: {path} is a folder")
    if path.exists() and (resume is None or path.resolve() != Path(resume).resolve()):
        raise BadInput(f"--save: {path} is there already; go on with it by --resume {path}, or name another file")
    return path


def _replay(path: Path, taken_back: int, as_json: bool) -> None:
    import json  # noqa: PLC0415

    from tablewright.game.opening import resume_session  # noqa: PLC0415

    session = resume_session(path)
    played = json.loads(path.read_text(encoding="utf-8"))["facts"]
    now, then = (json.dumps(facts, ensure_ascii=False).encode() for facts in (session.facts, played))
    same = now == then
    if taken_back:
        session.undo(taken_back)
    if as_json:
        print_json(outcome_json(session, None) | {"same": same, "bytes": len(now)})
        return
    from tablewright.cli.bout import Bout  # noqa: PLC0415  (loads rich)

    bout = Bout(session, dice="auto", kept=None, resumed=True)
    bout.tell_all()
    lines = len(played)
    bout.say(f"{lines} lines, {len(now):,} bytes: {'the same as when they were played' if same else 'not the same'}")


def outcome_json(session: Session, viewer: str | None) -> dict[str, Any]:
    """The end, or the state so far, as JSON; to a player's eyes only what that seat may see."""
    from tablewright.game.events import GAME_MASTER  # noqa: PLC0415
    from tablewright.game.projection import project_log, project_question, project_scene  # noqa: PLC0415

    eyes = viewer or GAME_MASTER
    scene = project_scene(session.scene, session.book, eyes)
    told: dict[str, Any] = {
        "title": session.header.source["scenario"]["title"],
        "system": session.header.system,
        "version": session.header.version,
        "outcome": session.scene.ended,
        "rounds": session.scene.round,
        "entries": len(session.entries),
        "undone": len(session.undone),
        "participants": scene["participants"],
        "question": project_question(session.playing, session.scene, eyes),
    }
    if eyes == GAME_MASTER:
        return told | {"seed": session.header.seed, "facts": session.facts}
    return told | {"facts": project_log(session, eyes)}
