"""A fight at the terminal: bots answer for themselves, a person is asked, and every answer is saved."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from tablewright.cli.arguments.scenarios import GAME_MASTERS_SEAT, ME, policies_of
from tablewright.cli.arguments.text import faces_of
from tablewright.cli.output.console import HEAD, QUIET, definitions, heading, indented, make_console
from tablewright.cli.output.errors import INTERRUPTED
from tablewright.cli.output.streams import counted
from tablewright.cli.play import rulings
from tablewright.cli.play.faces import missing_die
from tablewright.cli.play.interrupts import Interrupts
from tablewright.cli.play.keyboard import Ended, Keyboard, called, closed_by, not_an_answer
from tablewright.cli.play.log import closed_to, may_see_dice, who_is_asked
from tablewright.cli.play.menu import FEW, Menu, MenuRow, MenuShape, menu_of, turn_of
from tablewright.cli.views.map import map_lines, marks_of
from tablewright.cli.views.story import Story, draw_entries, draw_fates, health_words
from tablewright.engine import Choice, Roll
from tablewright.errors import IllegalActionError, InvalidInputError, TablewrightError, did_you_mean
from tablewright.game.narration.narrator import status_words
from tablewright.game.narration.phrases import dice_words, sentence
from tablewright.game.narration.projection import project_question, project_scene
from tablewright.game.narration.question import QuestionDraft, word_question
from tablewright.game.narration.voices import sayings_of, voice_for
from tablewright.game.play.common_events import SceneEnded
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.history import Past
from tablewright.game.session.opening import begin_encounter
from tablewright.game.session.policies import careful
from tablewright.game.session.promises import promises
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.lab.deadline import Deadline

MOST_ANSWERS = 200_000
_LOOKED_BACK = 6
_PATIENCE = 0.2
"""Seconds without output after which new log lines are printed while bots are still playing."""
_MOST_SECONDS_OF_CHANCES = 1.5
"""Upper bound, in processor time, for working out the chances beside the options of one question."""
WORDS = ("all", "odds", "why", "advise", "look", "undo", "save", "quit", "help")
_AT_OPTIONS = ("all",)
"""Commands that are not available while dice are requested."""
HINT = "Type a number or the words of an option; ? lists what else there is."
HELP = (
    ("N or N.M", "take an option: line N, or way M of line N; N alone shows the ways of a line"),
    ("words", "take the option with these words{example}; their beginnings are enough"),
    ("all", "every option one below the other, and why others are closed"),
    ("odds N", "the exact odds of an option or a line; odds: of all options, a line each"),
    ("why", "how the roll came about; why N or NAME: the rules of an option, why it is closed"),
    ("advise", "which option is best, and how the others compare"),
    ("look", "who is here, where, and how they are"),
    ("undo", "back to before my last answer; undo N: my last N answers"),
    ("roll", "at dice: let the program roll them, where faces of real dice are asked for"),
    ("save FILE", "keep the fight in a file, from now on after every answer"),
    ("quit", "save and leave; so does Ctrl-C"),
)


class Leaving(Exception):
    """Raised when the person leaves; the fight can be resumed."""


class TerminalFight:
    """One fight at one terminal."""

    def __init__(
        self,
        session: Session,
        *,
        dice: str,
        kept: Path | None,
        quiet: bool = False,
        resumed: bool = False,
        brief: bool = False,
    ) -> None:
        self.session = session
        self.dice = dice
        self.kept = kept
        self.quiet = quiet
        self.resumed = resumed
        self.played = any(one.seat == ME for one in session.scene.participants)
        self.is_master = session.header.source.get(GAME_MASTERS_SEAT) == ME
        is_player = self.played and session.scene.ended is None and not self.is_master
        self.viewer = ME if is_player else GAME_MASTER
        self._paused_in = 0
        self._paused_at: Any = None
        self.console = make_console()
        self.keyboard = Keyboard()
        self._policies = policies_of(session)
        self._story = Story(session, self.viewer, self.console, brief=brief)
        self._told_at = 0.0
        self._past = Past(session)
        self._shape: MenuShape | None = None
        self._interrupts = Interrupts()

    @property
    def eyes(self) -> str:
        """The seat by whose knowledge a question is asked: the player's own, also where a game master plays."""
        return ME if self.session.seat == ME and self._paused_at is not self.session.playing else self.viewer

    # ------------------------------------------------------------------ playing

    def run(self) -> None:
        """Play to the end, or until the person leaves."""
        title = self.session.header.source["scenario"]["title"]
        more = "" if self.played else f"seed {self.session.header.seed}"
        self.console.print(heading(title, f"{self._system_title()}  {more}".strip()))
        if self.resumed:
            self._catch_up()
        if self.played and self.session.question is not None:
            self.say(HINT)
        self._keep()
        with self._interrupts:
            try:
                self._loop(asks=True)
            except (KeyboardInterrupt, Ended, Leaving) as why:
                self._interrupts.asking = self._interrupts.heard = False
                self._leave(interrupted=isinstance(why, KeyboardInterrupt))
                return
        self._keep()
        self._tell_new()
        self._tell_end()

    def run_bots(self) -> None:
        """Play silently until the end, or until a person would have to answer."""
        try:
            with self._interrupts:
                self._loop(asks=False)
        finally:
            self._keep()

    def _loop(self, *, asks: bool) -> None:
        for _ in range(MOST_ANSWERS):
            if self._interrupts.heard:
                raise KeyboardInterrupt
            if time.monotonic() - self._told_at > _PATIENCE:
                self._tell_new(is_settled=False)
            question = self.session.question
            if question is None:
                return
            self._past.note()
            if self.is_master and asks and self._is_pause_due():
                self._pause()
                continue
            if self._is_closed():
                self._let_go(question)
            elif self.session.seat == ME or (self.is_master and self.session.seat == GAME_MASTER):
                if not asks:
                    return
                self._tell_new()
                if isinstance(question, Roll):
                    self._roll(question, mine=True)
                else:
                    self._ask(question)
            elif isinstance(question, Roll):
                self._roll(question, mine=False)
            else:
                self.session.choose(question.id_at(self._policy_for(question)(self.session, question)))
        raise TablewrightError(f"the fight does not end: {MOST_ANSWERS:,} answers were given")

    def _is_closed(self) -> bool:
        """True if the game master has ended the scene: nobody is asked what is still under way."""
        if self.session.scene.ended is None:
            return False
        ends = [line for line in self.session.log if isinstance(line, SceneEnded)]
        return bool(ends) and ends[-1].how == "ruled"

    def _let_go(self, question: Roll[Any] | Choice[Any]) -> None:
        """Answer a question as usual, without asking anyone."""
        if isinstance(question, Roll):
            self.session.roll()
        else:
            self.session.choose(question.ids[question.default])

    def _is_pause_due(self) -> bool:
        """True if the game master is to act: a round has begun, and nothing that they started is under way."""
        playing, scene = self.session.playing, self.session.scene
        return scene.ended is None and scene.round > self._paused_in and self._paused_at in (None, playing)

    def _pause(self) -> None:
        """Let the game master act at the start of a round."""
        self._tell_new()
        self._paused_at = self.session.playing
        given = len(self.session.entries)
        while True:
            typed = self._line("Game master (Enter goes on, ? lists what you can do) > ")
            if not typed:
                self._paused_in, self._paused_at = self.session.scene.round, None
                return
            try:
                if not self._command(typed):
                    close = did_you_mean(typed, [*WORDS, *rulings.WORDS])
                    raise InvalidInputError(
                        f'I do not know "{typed:.40}". Press Enter to go on, or type ? for help{close}.'
                    )
                if len(self.session.entries) != given:
                    return
            except TablewrightError as problem:
                self.keyboard.refuse(problem)

    def _policy_for(self, question: Choice[Any]) -> Any:
        """Policy of the participant that a choice concerns, else of the first participant with that seat."""
        who = question.details.get("who")
        if who in self._policies:
            return self._policies[who]
        for one in self.session.scene.participants:
            if one.seat == self.session.seat and one.id in self._policies:
                return self._policies[one.id]
        return careful

    # ------------------------------------------------------------------ asking

    def _line(self, prompt: str) -> str:
        self._interrupts.asking = True
        try:
            if self._interrupts.heard:
                raise KeyboardInterrupt
            return self.keyboard.line(prompt)
        finally:
            self._interrupts.asking = False

    def _roll(self, question: Roll[Any], *, mine: bool) -> None:
        """Roll dice, or take typed faces."""
        asks = self.dice == "typed" or (self.dice == "ask" and mine)
        if self.quiet or not asks or not may_see_dice(self.session, self.eyes):
            self.session.roll()
            return
        self._tell_new()
        rolls = self._roll_heading(question)
        throws = "roll" if self.dice == "typed" else ""
        given = len(self.session.entries)
        while True:
            typed = self._line(f"{rolls} ({'type the dice, or roll' if throws else 'Enter rolls; or type the dice'}): ")
            try:
                if not typed and throws:
                    raise InvalidInputError(
                        "Type what the dice on the table show; or roll, and the program rolls them."
                    )
                if self._command(typed):
                    if self.session.question is not question or len(self.session.entries) != given:
                        return
                    continue
                if typed and typed.casefold() not in ("roll", "throw"):
                    faces = self._all_faces(question, faces_of(typed, hint=self._dice_hint(typed)))
                    if faces is None:
                        continue
                    self.session.type_in(faces)
                else:
                    self.session.roll()
                    (thrown,) = self.session.entries[-1:]
                    self.say(f"  {' '.join(map(str, thrown))}" if isinstance(thrown, tuple) else "")
            except TablewrightError as problem:
                self.keyboard.refuse(problem)
                continue
            self._answered()
            return

    def _roll_heading(self, question: Roll[Any]) -> str:
        """The open roll in words; another seat's roll names who rolls what."""
        if self.eyes in (self.session.seat, GAME_MASTER):
            return str(self._worded().heading)
        return f"{who_is_asked(self.session, self.eyes)} rolls {dice_words(str(question.dice))}."

    def _all_faces(self, question: Roll[Any], typed: Sequence[int]) -> list[int] | None:
        """Typed faces, completed by asking for rerolled and extra dice.

        None if the person starts over.
        """
        faces = list(typed)
        while (die := missing_die(question.dice, faces)) is not None:
            more = self._line(f"  {' '.join(map(str, faces))}, and then a {die} (Enter starts over): ")
            if not more:
                return None
            faces += faces_of(more, hint="type the faces that are missing, or Enter to start over")
        return faces

    def _dice_hint(self, typed: str) -> str:
        """Hint for invalid input at a request for dice."""
        rolls = "roll lets the program roll them" if self.dice == "typed" else "Enter rolls them"
        close = did_you_mean(typed, [word for word in (*WORDS, "roll") if word not in _AT_OPTIONS])
        return f"type what the dice show, such as 3 5; {rolls}; ? lists what else there is{close}"

    def _ask(self, question: Choice[Any]) -> None:
        """Ask until an option is chosen, or a command has changed the question."""
        worded = self._worded()
        menu = menu_of(self.session, question, worded, self._shape)
        if question.key == "what now?":
            self._shape = menu.shape_in(turn_of(self.session))
        self._draw(menu, worded)
        row: MenuRow | None = None
        given = len(self.session.entries)
        while True:
            typed = self._line(f"which of {menu.rows.index(row) + 1}? > " if row else "> ")
            try:
                if not typed:
                    row = None
                    continue
                place: int | str | MenuRow | None
                if row is not None and typed.isascii() and typed.isdigit():
                    place = menu.of_row(row, typed)
                else:
                    row, place = None, self._understood(typed, menu, question)
                if place is None:
                    if self.session.question is not question or len(self.session.entries) != given:
                        return
                    continue
                if isinstance(place, MenuRow):
                    row = place
                    menu.draw_row(self.console, row)
                    continue
                self.session.choose(place if isinstance(place, str) else menu.ids[place])
            except TablewrightError as problem:
                self.keyboard.refuse(problem)
                continue
            self._answered()
            return

    def _understood(self, typed: str, menu: Menu, question: Choice[Any]) -> int | str | MenuRow | None:
        """The selected option or menu row, or an answer in the player's own words where these are accepted.

        None after a command, which has been executed.
        """
        if typed.casefold() == "all":
            self._all(menu)
            return None
        place = None if typed.casefold() in WORDS else menu.exactly(typed)
        if place is not None:
            return place
        if self._command(typed):
            return None
        shut = closed_by(typed, closed_to(self.session, self.eyes))
        if shut is not None:
            raise IllegalActionError(f"{called(shut)}: {sentence(shut.reason)}", rule=shut.rule)
        place = menu.meant(typed)
        if place is None:
            if question.details.get("own_words"):
                return typed
            raise not_an_answer(typed, [*menu.ids, *menu.labels], WORDS, menu.numbers)
        if not isinstance(place, MenuRow):
            self.say(f"  {menu.labels[place]}")
        return place

    def _all(self, menu: Menu) -> None:
        menu.draw_all(self.console, self._worded().to_json()["closed"])
        self.keyboard.accept()

    def _answered(self) -> None:
        """Save the answer before showing its result."""
        self.keyboard.accept()
        self._past.typed()
        self._keep()

    def _worded(self) -> QuestionDraft:
        """The open question in words, with the chances of its options."""
        session, question = self.session, self.session.question
        asked = project_question(session.playing, session.scene, self.eyes)
        assert asked is not None
        key = question.key if isinstance(question, Choice) else ""
        draft = word_question(key, asked, session.scene, session.rulebook, self.eyes, game=session.live)
        if isinstance(question, Choice) and len(question.ids) <= FEW:
            limit = Deadline(_MOST_SECONDS_OF_CHANCES, clock=time.process_time)  # the same chances on a busy machine
            chances = promises(session, self.eyes, draft.sayings, lambda: not limit.passed)
            for option in draft.options:
                option.chance = chances.get(option.id, "")
        return draft

    def _draw(self, menu: Menu, worded: QuestionDraft) -> None:
        """Print the choice: what is happening, what is at stake, the options and the closed ones."""
        session, who = self.session, worded.who
        self.console.print()
        if worded.about.get("who") in session.scene:
            people = project_scene(session.scene, session.rulebook, self.eyes)["participants"]
            own = next((one for one in people if one["id"] == who), None)
            status = (self._status_words(own) or own["health"]) if own is not None else ""
            status = ", ".join(
                [word for word in status.split(", ") if " ".join(word.split()[::-1]) not in worded.stakes]
            )
            parts = [part for part in (worded.stakes, status) if part]
            if parts:
                name = session.scene.display_name(who)
                self.console.print(Text(f"{name}: {' · '.join(parts)}", style=QUIET))
            stakes = ""
        else:
            stakes = worded.stakes
        line = Text(str(worded.heading), style=HEAD)
        self.console.print(line.append(f"  ({stakes})" if stakes else "", style=QUIET))
        menu.draw(self.console, worded.to_json()["closed"])
        if worded.about.get("own_words"):
            self.console.print(indented("Or say it in your own words.", style=QUIET))

    # ------------------------------------------------------------------ what else can be typed

    def _command(self, typed: str) -> bool:
        """Execute a command; return False if the line is not one."""
        word, _, rest = typed.partition(" ")
        rest = rest.strip()
        match word.casefold():
            case "?" | "help":
                self._help()
            case "q" | "quit":
                raise Leaving
            case "undo":
                self._undo(rest)
            case "save":
                self._save_as(rest)
            case "look":
                self._look()
            case "odds" | "why" | "advise" as what:
                from tablewright.cli.play import explain as explaining  # noqa: PLC0415

                getattr(explaining, what)(self.session, self.eyes, rest)
            case _:
                if not self.is_master or not rulings.obey(self.session, typed):
                    return False
                self._answered()
        self.keyboard.accept()
        return True

    def _help(self) -> None:
        """Print the commands, with an example from the open options."""
        question = self.session.question
        example = ""
        if isinstance(question, Choice) and question.ids:
            menu = menu_of(self.session, question, self._worded())
            words = [label.casefold() for label in menu.labels]
            taken = [one for one in words if isinstance(menu.exactly(one), int)]
            example = f", such as {taken[0]}" if taken else ""
        definitions(self.console, [(name, meaning.replace("{example}", example)) for name, meaning in HELP])
        if self.is_master:
            definitions(self.console, rulings.HELP)

    def _undo(self, count: str) -> None:
        from tablewright.cli.arguments.text import whole_number  # noqa: PLC0415

        mine = self._past.mine(ME)
        if not mine:
            raise InvalidInputError("Nothing to undo yet.")
        wanted = whole_number(count, "undo", 1, len(mine)) if count else 1
        self._past.take_back(mine[-wanted])
        begin_encounter(self.session)
        self._story.skip()
        self._keep()
        self.say(f"Undone: back to before your answer {len(mine) - wanted + 1}.")

    def _save_as(self, name: str) -> None:
        if name:
            path = Path(name)
            if path.exists() and (self.kept is None or path.resolve() != self.kept.resolve()):
                raise InvalidInputError(f"{path} is there already; name another file")
            self._write(path)
            self.kept = path
        elif self.kept is None:
            self.kept = self._write_somewhere()
        else:
            self._keep()
        self.say(f"Saved to {self.kept}, and from now on after every answer.")

    def _look(self) -> None:
        scene = project_scene(self.session.scene, self.session.rulebook, self.eyes)
        people = scene["participants"]
        order = ", ".join(map(self.session.scene.display_name, scene["order"]))
        self.console.print(heading(f"Round {scene['round']}" if scene["round"] else "Before round 1", order))
        sides = {one["side"] for one in people if one["seat"] == self.eyes}
        marks = marks_of(people, next(iter(sides)) if len(sides) == 1 else None)
        drawn = map_lines(self.session.scene.ground, people, marks, self.console.width)
        for line in drawn:
            self.console.print(Text(line), soft_wrap=True)
        self._draw_people(people, marks if drawn else {})

    # ------------------------------------------------------------------ telling

    def say(self, text: str) -> None:
        """Print a remark that does not belong to the log."""
        if not self.quiet:
            self.console.print(Text(text, style=QUIET), soft_wrap=True)

    def _system_title(self) -> str:
        return load_system(self.session.header.system).title

    def tell_all(self) -> None:
        """Print the whole log."""
        title = self.session.header.source["scenario"]["title"]
        self.console.print(heading(title, self._system_title()))
        self._tell_new()
        if self.session.scene.ended is not None:
            self._tell_end()

    def _tell_new(self, *, is_settled: bool = True) -> None:
        """Print what is new in the log, as far as the viewer may see it."""
        if self.quiet:
            self._story.skip()
        else:
            self._story.tell(is_settled=is_settled)
        self._told_at = time.monotonic()

    def _catch_up(self) -> None:
        """Print the last entries before the fight was left."""
        times = len(self.session.undone)
        undone = f", undone {'once' if times == 1 else counted(times, 'time')}" if times else ""
        self.say(f"Back in round {self.session.scene.round}, after {answers(len(self.session.entries))}{undone}.")
        draw_entries(self.console, self._story.last(_LOOKED_BACK), brief=self._story.brief)
        self._story.skip()

    def _tell_end(self) -> None:
        if self.session.scene.ended is None:
            self.say("Nothing more is asked, but the scene has not ended.")
        draw_fates(self.console, self.session, self.viewer)
        if self.kept is not None:
            self.say(f"Saved in {self.kept}.")

    def _draw_people(self, people: list[dict[str, Any]], marks: Mapping[str, str] | None = None) -> None:
        rows = []
        for one in people:
            place = f"at {one['position']}" if one["position"] not in (None, "", "here") else ""
            away = ["" if one["present"] else "gone", "hidden" if self.session.scene[one["id"]].hidden else ""]
            status = [word for word in self._status_words(one).split(", ") if word != one["health"]]
            health = health_words(one["health"], self.session)
            parts = [one["side"], *away, health, place, *status]
            mark = f"{marks[one['id']]} " if marks else ""
            rows.append(
                (f"{mark}{self.session.scene.display_name(one['id'])}", ", ".join([part for part in parts if part]))
            )
        definitions(self.console, rows)

    def _status_words(self, one: Mapping[str, Any]) -> str:
        scene = self.session.scene
        words = sayings_of(scene.system).status_words
        voice = voice_for(scene, self.session.rulebook, self.eyes)

        def called(id_: str) -> str:
            return scene.display_name(id_) if id_ in scene else voice.thing(id_)

        return status_words(one["status"], type(scene[one["id"]].status), called, words)

    # ------------------------------------------------------------------ keeping

    def _keep(self) -> None:
        if self.kept is not None:
            self._write(self.kept)

    def _write(self, path: Path) -> None:
        try:
            self.session.save(path)
        except (OSError, ValueError) as problem:
            raise InvalidInputError(
                f"{path} cannot be written: {getattr(problem, 'strerror', None) or problem}"
            ) from None

    def _write_somewhere(self) -> Path:
        """Save to a new file in the working directory, else in the temporary directory."""
        title = str(self.session.header.source["scenario"]["title"])
        words = "".join([letter if letter.isalnum() else " " for letter in title.casefold()]).split()
        base = "-".join(words)[:40] or "fight"
        for folder in (Path(), Path(tempfile.gettempdir())):
            number = 1
            while (path := folder / f"{base}{'' if number == 1 else f'-{number}'}.json").exists():
                number += 1
            try:
                self._write(path)
            except InvalidInputError:
                continue
            return path
        raise InvalidInputError(
            "the fight cannot be saved, neither here nor where temporary files are; use --save FILE"
        )

    def _leave(self, *, interrupted: bool) -> None:
        if self.kept is None:
            self.kept = self._write_somewhere()
        else:
            self._keep()
        if interrupted:
            typer.echo()
        self.say(f"Saved in round {self.session.scene.round}. To go on:")
        self.console.print(Text(f"tablewright fight --resume {self.kept}"), soft_wrap=True)
        if interrupted:
            raise typer.Exit(INTERRUPTED)


def answers(number: int) -> str:
    """A number of answers.

    >>> answers(1), answers(20)
    ('1 answer', '20 answers')
    """
    return "1 answer" if number == 1 else f"{number:,} answers"
