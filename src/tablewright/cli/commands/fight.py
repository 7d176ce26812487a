"""``tablewright fight``: fights of bots or with a person at the keyboard; saved, resumed, undone, replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablewright.cli.arguments.flags import Options, Policies, Rounds, Seed
from tablewright.cli.arguments.text import rounds_given, seed_given, validate_words, whole_number
from tablewright.cli.arguments.typed_values import TextCommand
from tablewright.cli.output.problems import report_problems
from tablewright.cli.output.streams import print_json
from tablewright.cli.views.changes import keep as keep_everybody
from tablewright.cli.views.changes import tell_kept
from tablewright.errors import InvalidInputError, ProblemListError, did_you_mean

if TYPE_CHECKING:
    from tablewright.game.session.session import Session

MOST_UNDONE = 1_000_000
DICE = ("ask", "typed", "auto")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(cls=TextCommand)
def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENARIO | FILES vs FILES", help="SYSTEM:NAME, a scenario's file, or characters' files."
        ),
    ] = None,
    *,
    policy: Policies = None,
    seat: Annotated[
        list[str] | None, typer.Option(metavar="NAME=me", help="Play a participant or a side yourself.")
    ] = None,
    cast: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="Replace a participant of the scenario by a character's file."),
    ] = None,
    ambush: Annotated[
        str | None, typer.Option(metavar="SIDE", help="Let a side ambush the others, who are surprised.")
    ] = None,
    opens: Annotated[
        str | None, typer.Option(metavar="NAME", help="Let a side or participant open hostilities (The Stage).")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Save characters to their files after the fight.")] = False,
    dice: Annotated[
        str,
        typer.Option(
            metavar="WHICH",
            help="ask: Enter rolls your dice, or type faces; typed: type all open dice; auto: roll all.",
        ),
    ] = "ask",
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the fight to this file after every answer.")
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Resume a saved fight.")] = None,
    replay: Annotated[
        str | None, typer.Option(metavar="FILE", help="Replay a saved fight and verify every event.")
    ] = None,
    undo: Annotated[
        str | None, typer.Option(metavar="N", help="Undo the last N entries of --resume or --replay.")
    ] = None,
    rounds: Rounds = None,
    seed: Seed = None,
    option: Options = None,
    pack: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="Load an additional content pack, for FILES vs FILES.")
    ] = None,
    brief: Annotated[bool, typer.Option("--brief", help="Tell only what happens, without dice and costs.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: the events and the outcome.")] = False,
) -> None:
    """Fight against bots, or let bots fight."""
    named = validate_words(words or ())
    if dice not in DICE:
        raise InvalidInputError(f'--dice is "{dice:.40}"; allowed are {", ".join(DICE)}{did_you_mean(dice, DICE)}')
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
    at_start |= {"--cast": cast, "--keep": keep, "--ambush": ambush, "--opens": opens}
    going_on = {"--save": save, "--policy": policy}
    _refuse_misplaced(named, at_start, going_on, resume=resume, replay=replay, undo=undo)
    with report_problems(as_json=as_json):
        from tablewright.cli.arguments import scenarios as arena  # noqa: PLC0415  (brings in pydantic)

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
                ambush=ambush,
                opens=opens,
            )
        _fight(session, dice, kept, resumed=resume is not None, brief=brief, as_json=as_json)


def _refuse_misplaced(
    named: Sequence[str],
    at_start: Mapping[str, object],
    going_on: Mapping[str, object],
    *,
    resume: str | None,
    replay: str | None,
    undo: str | None,
) -> None:
    """Refuse arguments that do not apply to a new, a resumed or a replayed fight."""
    if resume is not None and replay is not None:
        raise InvalidInputError("--resume and --replay cannot be used together: one goes on, the other looks back")
    if resume is None and replay is None:
        if undo is not None:
            raise InvalidInputError("--undo is for --resume or --replay; in a fight under way type undo")
        return
    given = [*[name for name, value in at_start.items() if value], *named]
    if given:
        raise InvalidInputError(
            f"{given[0]:.60} is for a new fight, not for {'--replay' if resume is None else '--resume'}"
        )
    given = [name for name, value in going_on.items() if value]
    if replay is not None and given:
        raise InvalidInputError(f"{given[0]} is for a fight that goes on, not for --replay")


def _resumed(path: Path, policies: Sequence[str], taken_back: int) -> Session:
    """Load a saved fight and undo its last entries if requested."""
    from tablewright.cli.arguments import scenarios as arena  # noqa: PLC0415  (brings in pydantic)
    from tablewright.game.session.opening import begin_encounter  # noqa: PLC0415

    session = arena.resume_fight(path, policies)
    if taken_back:
        session.undo(taken_back)
    begin_encounter(session)
    return session


def _fight(session: Session, dice: str, kept: Path | None, *, resumed: bool, brief: bool, as_json: bool) -> None:
    """Play until the end or until the person leaves, then write characters back to their files."""
    from tablewright.cli.play.fight import TerminalFight  # noqa: PLC0415  (loads rich)

    bout = TerminalFight(session, dice=dice, kept=kept, quiet=as_json, resumed=resumed, brief=brief)
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
        tell_kept(written, session)
    if written.problems:
        raise ProblemListError(written.problems)


def _kept(save: str | None, resume: str | None) -> Path | None:
    """Path to save the fight to, or None; an existing file is refused unless it is the resumed one."""
    if save is None:
        return None if resume is None else Path(resume)
    path = Path(save)
    if not path.absolute().parent.is_dir():
        raise InvalidInputError(f"--save: there is no folder {path.absolute().parent}")
    if path.is_dir():
        raise InvalidInputError(f"--save: {path} is a folder")
    if path.exists() and (resume is None or path.resolve() != Path(resume).resolve()):
        raise InvalidInputError(
            f"--save: {path} is there already; go on with it by --resume {path}, or name another file"
        )
    return path


def _replay(path: Path, taken_back: int, as_json: bool) -> None:
    import json  # noqa: PLC0415

    from tablewright.game.session.opening import resume_session  # noqa: PLC0415

    session = resume_session(path)
    played = json.loads(path.read_text(encoding="utf-8"))["facts"]
    now, then = (json.dumps(facts, ensure_ascii=False).encode() for facts in (session.facts, played))
    same = now == then
    if taken_back:
        session.undo(taken_back)
    if as_json:
        print_json(outcome_json(session, None) | {"same": same, "bytes": len(now)})
        return
    from tablewright.cli.play.fight import TerminalFight  # noqa: PLC0415  (loads rich)

    bout = TerminalFight(session, dice="auto", kept=None, resumed=True)
    bout.tell_all()
    lines = len(played)
    told = "the same as when they were played" if same else "not the same as when they were played"
    bout.say(f"{lines} lines, {len(now):,} bytes: {told}.")


def outcome_json(session: Session, viewer: str | None) -> dict[str, Any]:
    """The result or present state as JSON; for a player only what that seat may see."""
    from tablewright.game.narration.projection import project_question, project_scene  # noqa: PLC0415
    from tablewright.game.scene.visibility import GAME_MASTER  # noqa: PLC0415
    from tablewright.game.session.views import project_log  # noqa: PLC0415

    eyes = viewer or GAME_MASTER
    scene = project_scene(session.scene, session.rulebook, eyes)
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
