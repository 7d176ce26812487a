"""Follow-up questions: the choices that an option leads to before any dice, asked of the player who took it.

A page shows them beside the option, so that an attack with a choice of form is still one click. Nothing happens at the
table: the option is tried on a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tablewright.engine import Choice, Playthrough
from tablewright.engine.advice import advise_open_choice, value_options
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.narration.projection import as_offered, project_question
from tablewright.game.narration.question import word_question
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.session import Session
from tablewright.table.advice import OpenQuestion, session_for
from tablewright.table.view import passing

MOST_FOLLOWED = 3
"""Upper bound for follow-up questions of one option."""

MOST_AT_ONCE = 12
"""Upper bound for options in one request."""


class _Tried(NamedTuple):
    """An option that was taken on a copy: the rule that goes on, its scene, and the session if there is one."""

    playing: Playthrough[Any] | None
    game: Game | None
    session: Session | None

    @property
    def scene(self) -> Scene:
        """The scene of the copy."""
        where = self.game or self.session
        assert where is not None
        return where.scene

    def choose(self, at: int) -> _Tried:
        """Answer the question of the copy."""
        assert self.playing is not None
        if self.session is not None:
            question = self.session.question
            assert isinstance(question, Choice)
            self.session.choose(question.ids[at])
            return self._replace(playing=self.session.playing)
        self.playing.choose(at)
        return self


def follow_ups(
    wanted: OpenQuestion, options: list[str], weigh: Callable[[Session], dict[str, Any]] | None = None
) -> dict[str, Any]:
    """The follow-up questions of options of the open question, by option, with the advised answer as ``best``.

    A question with actions, such as the turn that begins after a declaration, ends the list. ``weigh`` computes its
    advice.
    """
    session = session_for(wanted)
    question = session.question
    if not isinstance(question, Choice):
        raise InvalidInputError("nobody has to choose now; ask again when a choice is open")
    if len(options) > MOST_AT_ONCE:
        raise InvalidInputError(f"at most {MOST_AT_ONCE} options can be requested together", field="options")
    offered = as_offered(question, wanted.secret)
    known = () if offered is None else offered.ids
    unknown = [option for option in options if option not in known]
    if unknown:
        raise InvalidInputError(
            f'"{unknown[0]:.60}" is not offered now; look at the open question again', field="options"
        )
    found: dict[str, list[dict[str, Any]]] = {}
    for option in options:
        try:
            steps = _follow(wanted, session, question, option, weigh)
        except TablewrightError:
            continue  # the table itself says why, when the option is taken
        if steps:
            found[option] = steps
    return {"id": wanted.id, "next": found}


def _follow(
    wanted: OpenQuestion,
    session: Session,
    question: Choice[Any],
    option: str,
    weigh: Callable[[Session], dict[str, Any]] | None,
) -> list[dict[str, Any]]:
    asked, begun = session.seat, question.details.get("who")
    eyes = None if wanted.all_seeing else asked
    tried = _take(session, question, option)
    found: list[dict[str, Any]] = []
    for _ in range(MOST_FOLLOWED):
        playing = tried.playing
        ask = None if playing is None else playing.question
        if playing is None or not isinstance(ask, Choice) or playing.seat != asked:
            break
        if ask.details.get("kind") == "window" or ask.details.get("who", begun) != begun:
            break
        viewer = GAME_MASTER if wanted.all_seeing else str(asked)
        shown = project_question(playing, tried.scene, viewer, wanted.secret)
        if shown is None or "waiting" in shown:
            break
        shown.pop("so_far", None)
        shown = word_question(ask.key, shown, tried.scene, session.rulebook, viewer).to_json() | passing(
            session.rulebook, shown
        )
        if any(isinstance(one, ActionUse) for one in ask.options):
            if tried.session is not None:
                advice = {} if weigh is None else weigh(tried.session)
                found.append(shown | {"advice": wanted.told(advice.get("options", []))})
            break
        best = _best(playing, ask, eyes)
        found.append(shown | ({} if best is None else {"best": ask.ids[best]}))
        tried = tried.choose(ask.default if best is None else best)
    return found


def _take(session: Session, question: Choice[Any], option: str) -> _Tried:
    """Take an option on a copy: an action on the bare scene, anything else in a session of its own."""
    use, who = question.options[question.ids.index(option)], question.details.get("who")
    if isinstance(use, ActionUse) and use.action in session.rulebook.actions.by_id and isinstance(who, str):
        game = Game(session.scene, session.rulebook)
        return _Tried(Playthrough(session.rulebook.actions.perform(game, who, use), game.log), game, None)
    apart = Session(session.header, session.rulebook, session.entries, branch=session.branch)
    apart.choose(option)
    return _Tried(apart.playing, None, apart)


def _best(playing: Playthrough[Any], ask: Choice[Any], eyes: str | None) -> int | None:
    """Place of the advised option, or None if there is no advice."""
    try:
        point = advise_open_choice(playing, seat=eyes).choices[0] if playing.calls else value_options(ask, eyes)
    except (TablewrightError, IndexError):
        return None
    if point is None:
        return None
    return next((at for at, one in enumerate(point.options) if one.best), None)
