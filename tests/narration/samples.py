"""Golden samples of narration: text files with a situation each, and the text as it should read.

A sample begins with ``==``, its number in the plan and its title. Then come the situation, one instruction a line, and
the wanted lines behind ``>``. The wanted lines must follow each other in what is told.

- ``fight stage:even --seed 7``: bots play the scenario to its end
- ``do stage.fall who=torvald metres=12 --seed 1``: a process in the scenario ``SYSTEM:together``; ``in stage:even``
  before it names another one, or a file beside the samples, such as ``opend6/mill.yaml``
- ``names guard-1=Guard 1, torvald=Torvald`` and ``fact {...}``: facts as a viewer sees them, all of one action
- ``then 6,4 strike:knight:sword none 3,3`` after it: options and faces, in order, instead of bots
- ``as arlef``: told to this seat instead of the game master
- ``answers 1, slash:b:short_sword, dice 3 3 4 2`` before it: answers instead of bots, options and faces of dice
- ``asks how to defend torvald``: plays on until this participant is asked this, and tells the question; ``asks roll``
  tells the open roll
- ``act``, ``dice``, ``choose`` and ``set``: the same with typed dice, see :mod:`narration.typed`
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narration.typed import play_typed_sample
from systems.playing import answer
from tablewright.engine import Choice, Roll
from tablewright.game.narration.draft import LineSeen
from tablewright.game.narration.entries import entries, people_in, tell
from tablewright.game.narration.entry import Entry
from tablewright.game.narration.projection import project_question
from tablewright.game.narration.question import word_question
from tablewright.game.narration.voice import Voice
from tablewright.game.narration.voices import sayings_of, voice_for
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.scene import ActingSeat
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.game.session.policies import careful
from tablewright.game.session.promises import promises
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system

FOLDER = Path(__file__).parent / "samples"
_SEED = re.compile(r"\s--seed (\d+)")
_MOST_ANSWERS = 5_000
TYPED = ("act", "dice", "choose", "set")


@dataclass
class Sample:
    """One situation and the lines that it should be told in."""

    system: str
    title: str
    line: int
    given: list[str] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)


def read_samples(path: Path) -> list[Sample]:
    """Samples of a file; lines that begin with ``#`` are remarks."""
    found: list[Sample] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("== "):
            found.append(Sample(path.stem, line[3:].strip(), number))
        elif line.startswith(">"):
            found[-1].wanted.append(line[1:].removeprefix(" ").rstrip())
        elif line.strip() and not line.startswith("#"):
            found[-1].given.append(line.strip())
    return found


def told(sample: Sample) -> list[str]:
    """Everything that is told of a sample's situation, line by line."""
    words = dict.fromkeys(("in", "as", "names", "answers"), "")
    facts: list[dict[str, Any]] = []
    session: Session | None = None
    asks, following = "", list[str]()
    typed = any(line.startswith(("act ", "dice ", "set ")) for line in sample.given)
    open_ended = any(line.startswith("then ") for line in sample.given)
    for given in sample.given:
        word, _, rest = given.partition(" ")
        if word in TYPED or (typed and word in ("do", "fight")):
            continue
        if word in words:
            words[word] = rest
        elif word == "fact":
            facts.append(json.loads(rest))
        elif word in ("fight", "do"):
            scene = words["in"] or f"{sample.system}:together"
            session = _played(word, rest, scene, words["answers"], open_ended=open_ended)
        elif word == "then":
            following += rest.split()
        elif word == "asks":
            asks = rest
        else:
            raise ValueError(f"{sample.title}: nobody knows what {word!r} means")
    viewer = words["as"] or GAME_MASTER
    if typed:
        session = play_typed_sample(sample.given, words["in"] or f"{sample.system}:together")
    if facts:
        return _of_facts(sample.system, facts, words["names"])
    assert session is not None, f"{sample.title}: no situation is given"
    for one in following:
        if one.replace(",", "").isdigit():
            session.type_in([int(face) for face in one.split(",")])
        else:
            session.choose(one)
    if asks:
        return _question(session, asks, viewer)
    return lines_of(entries(session.live, session.rulebook, viewer))


def lines_of(found: list[Entry]) -> list[str]:
    """Headlines and quiet lines of entries."""
    lines: list[str] = []
    for entry in found:
        lines.append(str(entry.headline))
        if entry.quiet:
            lines.append(f"  {entry.quiet}")
    return lines


def _played(word: str, rest: str, scene: str, answers: str = "", *, open_ended: bool = False) -> Session:
    seed = _SEED.search(rest)
    plain = _SEED.sub("", rest).split()
    named = plain[0] if word == "fight" else scene
    scenario = load_scenario(FOLDER / named if named.endswith(".yaml") else named)
    session = open_session(scenario, seed=int(seed[1]) if seed else 1)
    if word == "fight":
        begin_encounter(session)
        if len(plain) > 1 and plain[1] == "--open":
            return session
    else:
        session.do(plain[0], **dict(one.split("=", 1) for one in plain[1:]))
    if answers:
        return answer(session, *[_answer(one.strip()) for one in answers.split(",")])
    if not open_ended:
        play_on(session)
    return session


def _answer(text: str) -> str | list[int]:
    faces = text.removeprefix("dice ").split()
    return [int(one) for one in faces] if text.startswith("dice ") else text


def play_on(session: Session, until: Any = None) -> None:
    """Let bots answer until nothing is asked, or until a condition on the session holds."""
    for _ in range(_MOST_ANSWERS):
        question = session.question
        if question is None or (until is not None and until(session)):
            return
        if isinstance(question, Roll):
            session.roll()
        else:
            session.choose(question.ids[careful(session, question)])
    raise AssertionError("it does not end")


def _of_facts(system: str, facts: list[dict[str, Any]], names: str) -> list[str]:
    called = dict([one.strip().split("=", 1) for one in names.split(",")]) if names else {}
    book, sayings = load_system(system).rulebook, sayings_of(system)
    unknown = [fact["event"] for fact in facts if "event" in fact and fact["event"] not in book.apply.kinds]
    assert not unknown, f"there are no such events: {unknown}"
    lines = [
        LineSeen(number, 1, fact, people=people_in(str(fact.get("event", "")), book))
        for number, fact in enumerate(facts)
    ]
    together = voice_for(open_session(load_scenario(f"{system}:together"), seed=1).scene, book, GAME_MASTER)
    voice = Voice(called, together.content, {}, sayings.words, together.span, together.title)
    return lines_of(tell(lines, voice, sayings))


def _question(session: Session, asks: str, viewer: str) -> list[str]:
    if asks == "roll":
        assert isinstance(session.question, Roll)
        seen = project_question(session.playing, session.scene, session.seat or viewer)
        assert seen is not None
        asked = word_question("", seen, session.scene, session.rulebook, session.seat or viewer, game=session.live)
        return [str(asked.heading)]
    key, _, who = asks.rpartition(" ")

    def is_asked(now: Session) -> bool:
        if not isinstance(now.question, Choice) or now.question.key != key:
            return False
        seat = now.seat
        asked = now.question.details.get("who") or (seat.who if isinstance(seat, ActingSeat) else seat)
        return bool(asked == who)

    play_on(session, is_asked)
    question = session.question
    assert isinstance(question, Choice), f"{who} is never asked {key}"
    seen = project_question(session.playing, session.scene, session.seat or viewer)
    assert seen is not None
    worded = word_question(key, seen, session.scene, session.rulebook, session.seat or viewer, game=session.live)
    chances = promises(session, session.seat or viewer, worded.sayings)
    lines = [str(worded.heading) + (f" ({worded.stakes})" if worded.stakes else "")]
    for number, one in enumerate(worded.options, 1):
        parts = [f"{number}  {one.label}", one.gives, chances.get(one.id, ""), one.costs]
        lines.append("  ".join([part for part in parts if part]))
    return lines
