"""Situations of a check in the words of the book, and their difficulties."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import Annotated, NamedTuple

from tablewright.engine import Param, process
from tablewright.errors import InvalidInputError
from tablewright.game.content.library import Library
from tablewright.game.rules.ledger import Ledger
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.game import Game
from tablewright.systems.marchen.content import Skill
from tablewright.systems.marchen.events.recovery import TasksFound
from tablewright.systems.marchen.mechanics.dice import DIFFICULTIES, Difficulty, by_targets, measure_of
from tablewright.systems.marchen.options import MarchenOptions

TASKS, DESCRIPTORS = "marchen.skill.task_tables", "marchen.difficulty.descriptors"
MOST_FOUND = 12
_COMMON = frozenset(
    {
        "a",
        "an",
        "and",
        "are",
        "at",
        "by",
        "do",
        "does",
        "difficult",
        "difficulty",
        "for",
        "from",
        "hard",
        "how",
        "i",
        "in",
        "into",
        "is",
        "it",
        "of",
        "on",
        "one",
        "or",
        "over",
        "than",
        "that",
        "the",
        "through",
        "to",
        "what",
        "which",
        "with",
    }
)


class SampleTask(NamedTuple):
    """A task of the tables: what is done, with which skill, how hard it is."""

    skill: str
    name: str
    difficulty: Difficulty
    task: str
    ruling: str = ""
    same_as: str = ""

    def line(self, options: MarchenOptions) -> str:
        """The task in one line; where it is the same as another one, that is told as well."""
        like = f" ({self.same_as})" if self.same_as else ""
        return f"{how_hard(self.difficulty, options)}: {self.task}{like}, with {self.name}"


def how_hard(difficulty: Difficulty, options: MarchenOptions) -> str:
    """A rating with what it is at this table: a DM, or a target (marchen.difficulty.d20_scale)."""
    core, scale, method = options.core, options.d20_scale, options.degree_method
    measure = measure_of(core, difficulty, options.target_rule, scale, method)
    is_ = f"target {measure.target}" if by_targets(core, scale, method) else f"{measure.dm:+d}"
    return f"{difficulty.replace('_', ' ').title()} ({is_})"


def stems(text: str) -> tuple[str, ...]:
    """The significant words of a text, each without its ending.

    >>> stems("What difficulty is climbing a sheer wall?")
    ('climb', 'sheer', 'wall')
    """
    words = re.findall(r"[a-z0-9]+", text.casefold().replace("'s", ""))
    return tuple(dict.fromkeys([_stem(word) for word in words if word not in _COMMON]))


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            found = word[: -len(ending)] + ("y" if ending == "ies" else "")
            return found[:-1] if len(found) > 3 and found[-1] == found[-2] and ending == "ing" else found
    return word


@cached_by_identity
def every_task(library: Library) -> tuple[tuple[SampleTask, frozenset[str]], ...]:
    """All sample tasks of the content with their words, in the order of the skills, the easiest first."""
    found = []
    for skill in library.of(Skill):
        before = ""
        for difficulty in DIFFICULTIES:
            for task in skill.tasks.get(difficulty, ()):
                same_as = before if task.startswith("the same ") else ""
                sample = SampleTask(skill.id, skill.name, difficulty, task, skill.ruling, same_as)
                before = task
                found.append((sample, frozenset([*stems(task), *stems(skill.name)])))
    return tuple(found)


def find_tasks(words: str, library: Library, skill: str = "") -> tuple[SampleTask, ...]:
    """The tasks that fit some words, the best first: rare words count more, and words that were not asked for less."""
    wanted = stems(words)
    every = [(task, known) for task, known in every_task(library) if skill in ("", task.skill)]
    counted = Counter([word for _, known in every for word in known])
    ranked: list[tuple[Fraction, int, int, SampleTask]] = []
    for place, (task, known) in enumerate(every):
        score = sum([Fraction(1, counted[word]) for word in wanted if word in known], Fraction(0))
        if score:
            ranked.append((-score, len(known.difference(wanted)), place, task))
    ranked.sort(key=lambda entry: entry[:3])
    return tuple([task for score, _, _, task in ranked if 2 * score <= ranked[0][0]])[:MOST_FOUND]


def task_of(words: str, skill: str, library: Library) -> SampleTask:
    """The one task of a skill that fits some words best; refused where none does, or several that are not as hard."""
    name, found = library.get(Skill, skill).name, find_tasks(words, library, skill)
    if not found:
        raise InvalidInputError(
            f'{name} has no sample task like "{words:.60}"; name a difficulty', field="task", rule=TASKS
        )
    wanted, best = frozenset(stems(words)), found[0]
    said = wanted.intersection([*stems(best.task), *stems(name)])
    like = [one for one in found if said.issubset([*stems(one.task), *stems(name)])]
    if len({one.difficulty for one in like}) > 1 and wanted != frozenset(stems(best.task)):
        several = "; ".join([f"{one.difficulty.replace('_', ' ')}: {one.task}" for one in like])
        raise InvalidInputError(
            f'{name}: "{words:.60}" fits several tasks: {several}; say more', field="task", rule=TASKS
        )
    return best


def descriptor(difficulty: Difficulty) -> str:
    """The meaning of a difficulty where a skill has no task of its own."""
    return str(Ledger.load("marchen")[DESCRIPTORS].data[difficulty])


@process(rules=["marchen.skill.task_tables", "marchen.difficulty.descriptors"])
async def look_up(game: Game, words: Annotated[str, Param("task in words, such as climb a sheer wall")]) -> None:
    """Find sample tasks that fit some words, with their skill, difficulty and DM."""
    options: MarchenOptions = game.scene.options
    found = find_tasks(words, game.scene.library)
    lines = [task.line(options) for task in found]
    lines += [f"ruling: {text}" for text in dict.fromkeys([task.ruling for task in found if task.ruling])]
    if not found:
        lines = [f"{how_hard(rating, options)}: {descriptor(rating)}" for rating in DIFFICULTIES]
    game.emit(TasksFound(asked=words, found=tuple(lines), cause=TASKS))
