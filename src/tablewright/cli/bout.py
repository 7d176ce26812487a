"""A fight under way at the terminal: bots answer for themselves, a person is asked, and nothing typed is lost."""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Literal, Self

import typer
from rich.text import Text

from tablewright.cli.arena import ME, policies_of, start
from tablewright.cli.failing import INTERRUPTED
from tablewright.cli.ground_map import map_lines, marks_of
from tablewright.cli.heard import closed_to, hear, may_see_dice, spoken, what_for, who_is_asked
from tablewright.cli.keyboard import Ended, Keyboard, called, closed_by, not_an_answer
from tablewright.cli.menu import Menu, Row, menu_of
from tablewright.cli.paper import BAR, GOOD, HEAD, QUIET, definitions, heading, indented, paper
from tablewright.cli.past import Past
from tablewright.cli.screen import counted
from tablewright.cli.words import faces_of
from tablewright.dice import Die, Rollable
from tablewright.engine import Choose, Roll
from tablewright.errors import BadInput, RulesSayNo, TablewrightError, nearest
from tablewright.game.events import GAME_MASTER
from tablewright.game.policies import careful
from tablewright.game.projection import project_question, project_scene
from tablewright.game.scene import SeatOf
from tablewright.game.session import Session
from tablewright.game.telling import Told, names_in, status_words, steps_line, value_words

MOST_ANSWERS = 200_000
_LOOKED_BACK = 6
_PATIENCE = 0.2
"""Seconds after which bots that take long are heard of before they are done."""
_NOT_TOLD = ("who", "kind", "open")
"""What a question says about itself that is not for reading: whom it is about, and how it may be shown."""
_STYLES = {"round": HEAD, "turn": BAR, "rule": QUIET, "choice": QUIET, "end": f"{HEAD} {GOOD}"}
WORDS = ("all", "odds", "why", "advise", "look", "undo", "save", "quit", "help")
_AT_OPTIONS = ("all",)
"""What is no command where dice are asked for."""
HINT = "type a number, an id or the words of an option; ? lists what else there is"
HELP = (
    ("N or N.M", "take an option: the number of its line, or of the line and of the way in it; N alone shows the ways"),
    ("words", "take the option that they mean{example}: all it is called, or as much as is enough; its id too"),
    ("all", "every option one below the other, and why others are closed"),
    ("odds N", "the exact odds of an option or a line; odds: of all options, a line each"),
    ("why", "how the roll came about; why N or NAME: the rules of an option, why it is closed"),
    ("advise", "what the options are worth"),
    ("look", "who is here, where, and how they are"),
    ("undo", "back to before my last answer; undo N: my last N answers"),
    ("throw", "at dice: let the program throw them, where faces of real dice are asked for"),
    ("save FILE", "keep the fight in a file, from now on after every answer"),
    ("quit", "save and leave; so does Ctrl-C"),
)


class Leaving(Exception):
    """The person goes; the fight can be resumed."""


class Interrupts:
    """Ctrl-C and SIGTERM stop at once while a question is open; while an answer is computed, right after it.

    A signal that is ignored stays ignored.
    """

    def __init__(self) -> None:
        self.asking = False
        self.heard = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()
        return False

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        if self.asking or self.heard:
            raise KeyboardInterrupt
        self.heard = True


class Bout:
    """One fight at one terminal."""

    def __init__(
        self, session: Session, *, dice: str, kept: Path | None, quiet: bool = False, resumed: bool = False
    ) -> None:
        self.session = session
        self.dice = dice
        self.kept = kept
        self.quiet = quiet
        self.resumed = resumed
        self.played = any(one.seat == ME for one in session.scene.participants)
        self.viewer = ME if self.played and session.scene.ended is None else GAME_MASTER
        self.console = paper()
        self.keyboard = Keyboard()
        self._policies = policies_of(session)
        self._told = 0
        self._told_at = 0.0
        self._past = Past(session)
        self._interrupts = Interrupts()

    # ------------------------------------------------------------------ playing

    def run(self) -> None:
        """Play to the end, or until the person leaves."""
        title = self.session.header.source["scenario"]["title"]
        more = "" if self.played else f"seed {self.session.header.seed}"
        self.console.print(heading(title, f"{self.session.header.system}  {more}".strip()))
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
        """Play without a word until the end, or until a person would be asked."""
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
                self._tell_new()
            question = self.session.question
            if question is None:
                return
            self._past.note()
            if self.session.seat == ME:
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
                self.session.choose(question.ids[self._policy_for(question)(self.session, question)])
        raise TablewrightError(f"the fight does not end: {MOST_ANSWERS:,} answers were given")

    def _policy_for(self, question: Choose[Any]) -> Any:
        """The policy of whoever the question is about, or else of the first one with that seat."""
        who = question.about.get("who")
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
        """Throw dice, or take the faces that were typed."""
        asks = self.dice == "typed" or (self.dice == "ask" and mine)
        if self.quiet or not asks or not may_see_dice(self.session, self.viewer):
            self.session.roll()
            return
        self._tell_new()
        purpose = what_for(self.session, self.viewer)
        rolls = f"{who_is_asked(self.session, self.viewer)} rolls {question.dice}{': ' if purpose else ''}{purpose}"
        throws = "throw" if self.dice == "typed" else ""
        given = len(self.session.entries)
        while True:
            typed = self._line(f"{rolls} ({'faces, or throw' if throws else 'Enter throws'}): ")
            try:
                if not typed and throws:
                    raise BadInput("type the faces that the dice on the table show; throw lets the program throw them")
                if self._command(typed):
                    if self.session.question is not question or len(self.session.entries) != given:
                        return
                    continue
                if typed and typed.casefold() != "throw":
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

    def _all_faces(self, question: Roll[Any], typed: Sequence[int]) -> list[int] | None:
        """The faces typed so far and those that turn out to be needed: a die is rerolled, or thrown once more.

        None where the person would rather begin anew.
        """
        faces = list(typed)
        while (die := missing_die(question.dice, faces)) is not None:
            more = self._line(f"  {' '.join(map(str, faces))}, and then a {die} (Enter begins anew): ")
            if not more:
                return None
            faces += faces_of(more, hint=self._dice_hint(more))
        return faces

    def _dice_hint(self, typed: str) -> str:
        """What can be typed where dice are asked for, to somebody who typed something else."""
        throws = "throw lets the program throw them" if self.dice == "typed" else "Enter throws them"
        close = nearest(typed, [word for word in (*WORDS, "throw") if word not in _AT_OPTIONS])
        return f"type what the dice show, such as 3 5; {throws}; ? lists what else there is{close}"

    def _ask(self, question: Choose[Any]) -> None:
        """Ask the person until an option is taken, or something else has changed the question."""
        menu = menu_of(self.session, question)
        self._draw(menu)
        row: Row | None = None
        given = len(self.session.entries)
        while True:
            typed = self._line(f"which of {menu.rows.index(row) + 1}? > " if row else "> ")
            try:
                if not typed:
                    row = None
                    continue
                place: int | Row | None
                if row is not None and typed.isascii() and typed.isdigit():
                    place = menu.of_row(row, typed)
                else:
                    row, place = None, self._understood(typed, menu, question)
                if place is None:
                    if self.session.question is not question or len(self.session.entries) != given:
                        return
                    continue
                if isinstance(place, Row):
                    row = place
                    menu.draw_row(self.console, row)
                    continue
                self.session.choose(menu.ids[place])
            except TablewrightError as problem:
                self.keyboard.refuse(problem)
                continue
            self._answered()
            return

    def _understood(self, typed: str, menu: Menu, question: Choose[Any]) -> int | Row | None:
        """The option or the line of options that is meant; None where it was a command, which has been done."""
        if typed.casefold() == "all":
            self._all(menu)
            return None
        place = None if typed.casefold() in WORDS else menu.exactly(typed)
        if place is not None:
            return place
        if self._command(typed):
            return None
        shut = closed_by(typed, closed_to(self.session, self.viewer))
        if shut is not None:
            raise RulesSayNo(f"{called(shut)} cannot be chosen: {shut.reason}", rule=shut.rule)
        place = menu.meant(typed)
        if place is None:
            raise not_an_answer(typed, [*menu.ids, *menu.labels], question.question, WORDS, menu.numbers)
        if not isinstance(place, Row):
            self.say(f"  {menu.labels[place]}")
        return place

    def _all(self, menu: Menu) -> None:
        asked = project_question(self.session.playing, self.session.scene, self.viewer)
        assert asked is not None
        menu.draw_all(self.console, asked["closed"])
        self.keyboard.accept()

    def _answered(self) -> None:
        """What was typed is in the record, and in the file, before anything is shown of what came of it."""
        self.keyboard.accept()
        self._past.typed()
        self._keep()

    def _draw(self, menu: Menu) -> None:
        """The question: what is known, the options with what they cost, and those that are closed."""
        console, session = self.console, self.session
        asked = project_question(session.playing, session.scene, self.viewer)
        assert asked is not None
        who = asked["about"].get("who")
        if who is None and isinstance(asked["seat"], SeatOf):
            who = asked["seat"].who
        so_far = self._so_far()
        if so_far:
            console.print(indented(f"so far: {so_far}", style=QUIET))
        if asked["about"].get("who") in session.scene:
            own = {one["id"]: one for one in project_scene(session.scene, session.book, self.viewer)["participants"]}
            here = f" at {own[who]['position']}" if own[who]["position"] not in (None, "", "here") else ""
            words = self._status_words(own[who]) or own[who]["health"]
            console.print(Text(f"{session.scene.called(who)}{here}: {words}", style=QUIET))
        more = ", ".join(
            [f"{spoken(key)} {self._in_words(value)}" for key, value in asked["about"].items() if key not in _NOT_TOLD]
        )
        line = Text(f"{session.scene.called(who)}: {asked['question']}" if who else asked["question"], style=HEAD)
        console.print(line.append(f"  ({more})" if more else "", style=QUIET))
        menu.draw(console, asked["closed"])

    def _in_words(self, value: Any) -> str:
        """Something that is said of a question: people by their names."""
        return self.session.scene.called(value) if isinstance(value, str) else value_words(value)

    def _so_far(self) -> str:
        """What has happened in the rule that asks, as far as the asked one may see it."""
        playing = self.session.playing
        if playing is None or not playing.calls or self._hides() or not may_see_dice(self.session, self.viewer):
            return ""
        return steps_line([step.to_json() for step in playing.steps], names_in(self.session.scene, viewer=self.viewer))

    def _hides(self) -> bool:
        """Whether the rule that waits has something in it that this viewer may not know."""
        context = self.session.playing.context if self.session.playing else None
        return self.viewer != GAME_MASTER and context is not None and bool(context.hide)

    # ------------------------------------------------------------------ what else can be typed

    def _command(self, typed: str) -> bool:
        """Whether a line is a command; if so it has been done."""
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
                from tablewright.cli import explaining  # noqa: PLC0415

                getattr(explaining, what)(self.session, self.viewer, rest)
            case _:
                return False
        self.keyboard.accept()
        return True

    def _help(self) -> None:
        """What can be typed, with words of an option that is open now."""
        question = self.session.question
        example = ""
        if isinstance(question, Choose) and question.ids:
            menu = menu_of(self.session, question)
            words = [label.casefold() for label in menu.labels]
            taken = [one for one in words if isinstance(menu.exactly(one), int)]
            example = f", such as {taken[0]}" if taken else ""
        definitions(self.console, [(name, meaning.replace("{example}", example)) for name, meaning in HELP])

    def _undo(self, count: str) -> None:
        from tablewright.cli.words import whole_number  # noqa: PLC0415

        mine = self._past.mine(ME)
        if not mine:
            raise BadInput("you have answered nothing yet that could be undone")
        wanted = whole_number(count, "undo", 1, len(mine)) if count else 1
        self._past.take_back(mine[-wanted])
        start(self.session)
        self._told = len(self.session.log)
        self._keep()
        self.say(f"undone: back to before your answer {len(mine) - wanted + 1}")

    def _save_as(self, name: str) -> None:
        if name:
            path = Path(name)
            if path.exists() and (self.kept is None or path.resolve() != self.kept.resolve()):
                raise BadInput(f"{path} is there already; name another file")
            self._write(path)
            self.kept = path
        elif self.kept is None:
            self.kept = self._write_somewhere()
        else:
            self._keep()
        self.say(f"saved to {self.kept}, and from now on after every answer")

    def _look(self) -> None:
        scene = project_scene(self.session.scene, self.session.book, self.viewer)
        people = scene["participants"]
        order = ", ".join(map(self.session.scene.called, scene["order"]))
        self.console.print(heading(f"round {scene['round']}", order))
        sides = {one["side"] for one in people if one["seat"] == self.viewer}
        marks = marks_of(people, next(iter(sides)) if len(sides) == 1 else None)
        drawn = map_lines(self.session.scene.ground, people, marks, self.console.width)
        for line in drawn:
            self.console.print(Text(line), soft_wrap=True)
        self._draw_people(people, marks if drawn else {})

    # ------------------------------------------------------------------ telling

    def say(self, text: str) -> None:
        """Something about the fight that is no part of it."""
        if not self.quiet:
            self.console.print(Text(text, style=QUIET))

    def tell_all(self) -> None:
        """The whole log."""
        title = self.session.header.source["scenario"]["title"]
        self.console.print(heading(title, self.session.header.system))
        self._tell_new(own=True)
        if self.session.scene.ended is not None:
            self._tell_end()

    def _tell_new(self, *, own: bool = False) -> None:
        """The lines that were added since, as far as they may be seen."""
        log = self.session.log
        if self.quiet:
            self._told = len(log)
        heard = []
        while self._told < len(log):
            told = hear(self.session, self._told, self.viewer)
            self._told += 1
            if told is not None and (own or self.viewer == GAME_MASTER or told.kind != "choice"):
                heard.append(told)
        self._print(heard)
        self._told_at = time.monotonic()

    def _print(self, heard: Sequence[Told]) -> None:
        """Write lines of the log, all at once."""
        lines: list[Text] = []
        for told in heard:
            if told.kind == "round":
                lines.append(Text())
            depth = 0 if told.kind in ("round", "turn", "end") else 2
            text = Text(told.text, style=_STYLES.get(told.kind, ""))
            width = max(10, self.console.width - depth)
            for line in text.wrap(self.console, width) if text.cell_len > width else [text]:
                line.rstrip()
                lines.append(Text(" " * depth).append_text(line))
        if lines:
            self.console.print(Text("\n").join(lines), soft_wrap=True)

    def _catch_up(self) -> None:
        """The last lines before the fight was left."""
        log = self.session.log
        shown = [told for number in range(len(log)) if (told := hear(self.session, number, self.viewer)) is not None]
        entries, times = len(self.session.entries), len(self.session.undone)
        undone = f", undone {'once' if times == 1 else counted(times, 'time')}" if times else ""
        self.say(f"{'1 entry' if entries == 1 else f'{entries} entries'} so far{undone}")
        self._print(shown[-_LOOKED_BACK:])
        self._told = len(log)

    def _tell_end(self) -> None:
        scene = project_scene(self.session.scene, self.session.book, self.viewer)
        if scene["ended"] is None:
            self.say("nothing more is asked, but the scene has not ended")
        self.console.print()
        self.console.print(heading(scene["ended"] or "not ended", f"round {scene['round']}"))
        self._draw_people(scene["participants"])
        if self.kept is not None:
            self.say(f"kept in {self.kept}")

    def _draw_people(self, people: list[dict[str, Any]], marks: Mapping[str, str] | None = None) -> None:
        rows = []
        for one in people:
            place = f"at {one['position']}" if one["position"] not in (None, "", "here") else ""
            gone = "" if one["present"] else "gone"
            status = [word for word in self._status_words(one).split(", ") if word != one["health"]]
            parts = [one["side"], gone, one["health"], place, *status]
            mark = f"{marks[one['id']]} " if marks else ""
            rows.append((f"{mark}{self.session.scene.called(one['id'])}", ", ".join([part for part in parts if part])))
        definitions(self.console, rows)

    def _status_words(self, one: Mapping[str, Any]) -> str:
        scene = self.session.scene
        return status_words(one["status"], type(scene[one["id"]].status), scene.called)

    # ------------------------------------------------------------------ keeping

    def _keep(self) -> None:
        if self.kept is not None:
            self._write(self.kept)

    def _write(self, path: Path) -> None:
        try:
            self.session.save(path)
        except (OSError, ValueError) as problem:
            raise BadInput(f"{path} cannot be written: {getattr(problem, 'strerror', None) or problem}") from None

    def _write_somewhere(self) -> Path:
        """A file of a new name here, or where temporary files are if nothing can be written here."""
        title = str(self.session.header.source["scenario"]["title"])
        words = "".join([letter if letter.isalnum() else " " for letter in title.casefold()]).split()
        base = "-".join(words)[:40] or "fight"
        for folder in (Path(), Path(tempfile.gettempdir())):
            number = 1
            while (path := folder / f"{base}{'' if number == 1 else f'-{number}'}.json").exists():
                number += 1
            try:
                self._write(path)
            except BadInput:
                continue
            return path
        raise BadInput("the fight cannot be saved, neither here nor where temporary files are; use --save FILE")

    def _leave(self, *, interrupted: bool) -> None:
        if self.kept is None:
            self.kept = self._write_somewhere()
        else:
            self._keep()
        if interrupted:
            typer.echo()
        entries = len(self.session.entries)
        self.say(f"saved to {self.kept} after {'1 entry' if entries == 1 else f'{entries} entries'}")
        self.console.print(Text(f"tablewright fight --resume {self.kept}"), soft_wrap=True)
        if interrupted:
            raise typer.Exit(INTERRUPTED)


class _Missing(Exception):
    """A roll goes on after the last face that was typed."""


def missing_die(dice: Rollable[Any], faces: Sequence[int]) -> Die | None:
    """The die that must be thrown next, if the faces are not all; None too where one of them cannot be right.

    >>> from tablewright.dice import Sum
    >>> str(missing_die(Sum.of(6, 6), [3])), missing_die(Sum.of(6, 6), [3, 9])
    ('d6', None)
    """
    left = list(faces)

    def take(die: Die) -> int:
        if not left:
            raise _Missing(die)
        face = die.read(left.pop(0))
        if face is None:
            raise ValueError
        return face

    try:
        dice.read(take)
    except _Missing as missing:
        (die,) = missing.args
        return die if isinstance(die, Die) else None
    except ValueError:
        return None
    return None
