"""Character creation as a process: named steps, budgets, and options with their cost or the reason they are closed.

A system writes ``async def create(...)``, which asks with :func:`choose_step` and returns a character. The same process
serves every way to create one: step by step with undo (:class:`CharacterCreation`), at random (:func:`at_random`), or
by prepared answers (:meth:`CharacterCreation.follow`). A file needs no process (:func:`from_file`).

>>> stats = Step("stats", "Stats")
>>> async def create() -> tuple[str, ...]:
...     budget, chosen = Budget("points", 5), ()
...     offers = [CreationOption("brawn", cost=2), CreationOption("wits", cost=3), DONE]
...     while (taken := await choose_step(stats, "raise what?", offers, budget=budget)) is not DONE:
...         budget, chosen = budget.spend(taken.cost), (*chosen, taken.id)
...     return chosen
>>> making = CharacterCreation(create)
>>> making.answer("wits")
>>> making.step, str(making.budget), [offer.id for offer in making.options]
(Step(id='stats', title='Stats'), 'points: 2 of 5 left', ['brawn', 'done'])
>>> making.closed
(ClosedOption(id='wits', reason='costs 3, 1 more than is left', rule=None, label=''),)
>>> making.back()
>>> making.budget.left
5
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from tablewright.dice import Die, SeededDice
from tablewright.engine import Answer, Choice, ClosedOption, Playthrough, Role, Roll
from tablewright.engine.options import option_id
from tablewright.engine.request import RunningRule
from tablewright.errors import IllegalActionError, InvalidInputError, TablewrightError, did_you_mean
from tablewright.game.character.legality import Found, not_all_spent, out_of_range, overspent
from tablewright.game.free_text import FreeTextChoice

if TYPE_CHECKING:
    from tablewright.engine.trace import Step as Happened
    from tablewright.game.character.character import C, LoadedCharacter

R = TypeVar("R")

MOST_ANSWERS = 10_000
"""Upper bound for the answers of one creation."""

NAMES = (
    *("Adela", "Albrecht", "Alina", "Anselm", "Arvid", "Asta", "Balder", "Barbe", "Bertil", "Birke", "Bodo", "Brida"),
    *("Caspar", "Cilia", "Clemens", "Dagny", "Darian", "Dorle", "Edda", "Eike", "Elfrun", "Emmerich", "Enno", "Erlin"),
    *("Falk", "Fenja", "Florin", "Frida", "Gerlind", "Gesine", "Gisbert", "Gudrun", "Hanno", "Hartmut", "Heike"),
    *("Helma", "Hinrich", "Ida", "Ilka", "Ingolf", "Irmel", "Jarne", "Jasper", "Jelka", "Jorun", "Karsten", "Katla"),
    *("Kerstin", "Konrad", "Lasse", "Leif", "Lioba", "Lorenz", "Ludmila", "Malte", "Marit", "Matthis", "Meinolf"),
    *("Merle", "Nele", "Nils", "Norwin", "Oda", "Olin", "Ortrun", "Oswin", "Pavel", "Petrin", "Quentin", "Ragna"),
    *("Reimar", "Rika", "Runa", "Sander", "Selma", "Severin", "Sigrun", "Solveig", "Swantje", "Tamme", "Thea", "Tilo"),
    *("Trude", "Ulla", "Ulrik", "Valda", "Veit", "Vigga", "Volkmar", "Wanja", "Wibke", "Wolfram", "Yorick", "Zita"),
)
"""Names for characters without one."""

Start: TypeAlias = Callable[[], RunningRule[R]]
"""Starts the process from the beginning. Every undo calls it again, so it must not share state between calls."""


@dataclass(frozen=True, slots=True)
class Step:
    """Named step of creation."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Budget:
    """Points to spend: the total, the amount spent and the rule behind it.

    With `parts` the points are parts of a unit, such as tenths of a coin, and are shown in units.

    >>> str(Budget("money", 500, 25, parts=10))
    'money: 47.5 of 50 left'
    """

    label: str
    total: int
    spent: int = 0
    rule: str | None = None
    parts: int = 1

    @property
    def left(self) -> int:
        """Amount not spent yet."""
        return self.total - self.spent

    def spend(self, cost: int) -> Budget:
        """Spend `cost` more; refuse more than the remaining amount. A negative cost refunds."""
        if cost > self.left:
            raise IllegalActionError(f"{self.label}: {self.too_dear(cost)}", rule=self.rule)
        return replace(self, spent=self.spent + cost)

    def too_dear(self, cost: int) -> str:
        """Say by how much a cost exceeds the remaining amount.

        >>> Budget("money", 500, 25, parts=10).too_dear(650)
        'costs 65, 17.5 more than is left'
        """
        return f"costs {self._in_units(cost)}, {self._in_units(cost - self.left)} more than is left"

    def _in_units(self, amount: int) -> float:
        """An amount in units, as an int if it is whole."""
        return amount // self.parts if amount % self.parts == 0 else amount / self.parts

    def to_json(self) -> dict[str, Any]:
        """The budget as JSON, in units."""
        amounts = {"total": self.total, "spent": self.spent, "left": self.left}
        shown = {name: self._in_units(amount) for name, amount in amounts.items()}
        return {"label": self.label, **shown, "rule": self.rule}

    def __str__(self) -> str:
        return f"{self.label}: {self._in_units(self.left)} of {self._in_units(self.total)} left"


@dataclass(frozen=True, slots=True)
class CreationWarning:
    """Reason against an option in a sentence, with the ids of better ones; None means all that are not unwise."""

    text: str
    remedies: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CreationOption:
    """Option of creation with its label, cost and note.

    `value` is the process's own data, returned with the option. `unwise` marks what the rules allow and few would
    want, such as more armour than can be worn: it is not drawn at random while there is anything else. `warnings` say
    what the player may have forgotten.
    """

    id: str
    label: str = ""
    cost: int = 0
    note: str = ""
    rule: str | None = None
    value: Any = None
    unwise: bool = False
    warnings: tuple[CreationWarning, ...] = ()

    @property
    def title(self) -> str:
        """Label for people."""
        return self.label or self.id

    def to_json(self) -> dict[str, Any]:
        """The option as JSON."""
        return {"id": self.id, "label": self.title, "cost": self.cost, "note": self.note, "rule": self.rule}


DONE = CreationOption("done", "Done", note="go on to the next step")
"""The option that ends a step with several choices."""


def choose_step(
    step: Step,
    question: str,
    options: Iterable[CreationOption],
    *,
    budget: Budget | None = None,
    closed: Iterable[ClosedOption] = (),
    note: str = "",
    seat: Role | str = Role.ACTOR,
    shown: Mapping[str, Any] | None = None,
    own_words: bool = False,
) -> Choice[CreationOption]:
    """Request one option of a creation step.

    Options that cost more than the remaining budget are closed; `closed` lists options closed for other reasons.
    `shown` is JSON to display with the question, such as the character so far. With `own_words` the options are
    suggestions: any other text becomes an option with that text as its id and `value`.
    """
    shut = {entry.id: entry for entry in closed}
    offers = [offer for offer in options if offer.id not in shut]
    if budget is not None:
        for offer in offers:
            if offer.cost > budget.left:
                shut[offer.id] = ClosedOption(offer.id, budget.too_dear(offer.cost), budget.rule, offer.label)
    details: dict[str, Any] = {"step": step, "budget": budget, "note": note, "shown": dict(shown or {})}
    able = [offer for offer in offers if offer.id not in shut]
    if own_words:
        return FreeTextChoice(
            seat,
            question,
            able,
            in_words=lambda said: CreationOption(said, value=said),
            closed=shut.values(),
            details=details,
        )
    return Choice(seat, question, able, closed=shut.values(), details=details)


# ---------------------------------------------------------------------- points over ranks


def _one_each(name: str, rank: int) -> int:
    return 1


def _as_number(_: str, rank: int) -> int:
    return rank


@dataclass(frozen=True, slots=True)
class Spread:
    """Points to spend on named ranks: one declaration for :func:`spread` and for legality (:meth:`problems`).

    Ranks range from ``least`` to ``most``. ``cost(name, rank)`` is the cost of the step up to a rank. Ranks up to
    ``free`` cost nothing, and lower ones refund points. Points may remain unless ``all_spent``. ``steps`` are the
    amounts by which a rank can rise at once, for books with many points. ``show(name, rank)`` is the figure that stands
    on a sheet for a rank, ``part`` the part of the sheet with these figures.

    >>> stats = Spread("points", 7, "demo.creation.points", least=1, most=4, free=1, cost=lambda name, rank: rank)
    >>> stats.price("wit", 3), stats.spent({"wit": 3, "grit": 2})
    (5, 7)
    >>> [str(found) for found in stats.problems("stats", {"wit": 5, "grit": 0})]
    ['stats.wit: 5 is out of range, allowed are 1 to 4 [demo.creation.points]', \
'stats.grit: 0 is out of range, allowed are 1 to 4 [demo.creation.points]', \
'stats: 13 spent, there are 7: 6 too many [demo.creation.points]']
    """

    label: str
    total: int
    rule: str
    least: int = 0
    most: int = 100
    free: int = 0
    cost: Callable[[str, int], int] = _one_each
    all_spent: bool = True
    steps: tuple[int, ...] = (1,)
    show: Callable[[str, int], int | str] = _as_number
    part: str = ""

    def price(self, name: str, rank: int) -> int:
        """Total cost of a rank."""
        low, high = min(rank, self.free), max(rank, self.free)
        price = sum([self.cost(name, step) for step in range(low + 1, high + 1)])
        return price if rank > self.free else -price

    def spent(self, ranks: Mapping[str, int]) -> int:
        """Total cost of several ranks."""
        return sum([self.price(name, rank) for name, rank in ranks.items()])

    def problems(self, where: str, ranks: Mapping[str, int], later: int = 0) -> Found:
        """Violations of finished ranks; ``later`` points were added after creation."""
        found: Found = ()
        for name, rank in ranks.items():
            found += out_of_range(f"{where}.{name}", rank, self.least, self.most + later, rule=self.rule)
        check = not_all_spent if self.all_spent else overspent
        return found + check(where, self.spent(ranks) - later, self.total, rule=self.rule)


async def spread(step: Step, question: str, names: Iterable[str], points: Spread) -> dict[str, int]:
    """Request ranks until no affordable raise is left or the player takes ``DONE``."""
    ranks = dict.fromkeys(names, points.least)
    while True:
        budget = Budget(points.label, points.total, points.spent(ranks), points.rule)
        offers, full = [], []
        for name, rank in ranks.items():
            for by in points.steps:
                id_ = name if points.steps == (1,) else f"{name}+{by}"
                if rank + by > points.most:
                    full.append(ClosedOption(id_, f"{points.most} is the most", points.rule))
                    continue
                cost = points.price(name, rank + by) - points.price(name, rank)
                offers.append(CreationOption(id_, cost=cost, note=f"now {points.show(name, rank)}", value=(name, by)))
        if all(offer.cost > budget.left for offer in offers):
            return ranks
        done = [] if points.all_spent else [DONE]
        figures = {name: points.show(name, rank) for name, rank in ranks.items()}
        shown = {points.part: figures} if points.part else figures
        taken = await choose_step(step, question, [*offers, *done], budget=budget, closed=full, shown=shown)
        if taken is DONE:
            return ranks
        name, by = taken.value
        ranks[name] += by


class CharacterCreation(Generic[R]):
    """A character creation under way: the open question, its answers, and undo.

    With `dice` every roll is thrown at once; otherwise a roll waits for :meth:`type_in`. A roll repeated after an undo
    shows the same faces, so undo cannot be used to reroll. `record` resumes another `CharacterCreation` of the same
    process.
    """

    def __init__(self, start: Start[R], dice: SeededDice | None = None, record: Iterable[Answer] = ()) -> None:
        self._start = start
        self._dice = dice
        self._playing = self._played(tuple(record))
        self._throw()

    # ------------------------------------------------------------------ question

    @property
    def question(self) -> Choice[Any] | Roll[Any] | None:
        """The open question; None when the character is finished."""
        return self._playing.question

    @property
    def step(self) -> Step | None:
        """Step of the open question; None if it has none."""
        found = self._about("step")
        return found if isinstance(found, Step) else None

    @property
    def budget(self) -> Budget | None:
        """Budget of the current step; None if it has none."""
        found = self._about("budget")
        return found if isinstance(found, Budget) else None

    @property
    def options(self) -> tuple[Any, ...]:
        """Open options."""
        return tuple(self.question.options) if isinstance(self.question, Choice) else ()

    @property
    def closed(self) -> tuple[ClosedOption, ...]:
        """Closed options with their reasons."""
        return self.question.closed if isinstance(self.question, Choice) else ()

    @property
    def is_done(self) -> bool:
        """True if the character is finished."""
        return self.question is None

    @property
    def result(self) -> R:
        """The finished character; raises an error while a question is open."""
        return self._playing.result

    @property
    def history(self) -> tuple[Happened, ...]:
        """Choices and rolls so far, with their questions."""
        return tuple(self._playing.steps)

    def _about(self, name: str) -> Any:
        return self.question.details.get(name) if isinstance(self.question, Choice) else None

    # ------------------------------------------------------------------ answers

    def answer(self, option: str) -> None:
        """Take an option by id; a closed or unknown one is refused with the reason and changes nothing."""
        if not isinstance(self.question, Choice):
            raise InvalidInputError("no choice is asked for now")
        self.question.option(option)  # raises for closed and unknown options
        self._answer(option)
        self._throw()

    def type_in(self, faces: Iterable[int]) -> None:
        """Answer a roll with the faces of real dice."""
        if not isinstance(self.question, Roll):
            now = "the character is finished" if self.question is None else "choose an option"
            raise InvalidInputError(f"no roll is asked for now; {now}")
        self._answer(tuple(faces))
        self._throw()

    def back(self) -> None:
        """Undo the last answer and the rolls thrown since."""
        record = list(self._playing.record)
        while record:
            dropped = record.pop()
            if self._dice is None or isinstance(dropped, str):
                self._playing = self._played(record)
                return
        raise IllegalActionError("this is the first step; there is nothing to take back")

    def follow(self, answers: Mapping[str, str | Sequence[str]]) -> None:
        """Give prepared answers in order until a question has none.

        `answers` maps step ids or questions to one or several option ids: ``{"stats": ["brawn", "wits"]}``. Answers
        that no question used are refused.
        """
        waiting = {name: [given] if isinstance(given, str) else list(given) for name, given in answers.items()}
        asked: dict[str, None] = {}
        while isinstance(self.question, Choice):
            names = [self.step.id] if self.step else []
            names.append(self.question.question)
            asked.update(dict.fromkeys(names))
            name = next((name for name in names if waiting.get(name)), None)
            if name is None:
                break
            self.answer(waiting[name].pop(0))
        for name, unused in waiting.items():
            if unused:
                left = ", ".join([f'"{option:.40}"' for option in unused])
                raise InvalidInputError(
                    f"{name:.40}: {left} was never asked for{did_you_mean(name, asked)}", field=name
                )

    def _answer(self, answer: Answer) -> None:
        if len(self._playing.record) >= MOST_ANSWERS:
            raise TablewrightError(f"the making of a character does not end: more than {MOST_ANSWERS:,} answers")
        before = self.draft_record
        try:
            self._playing.answer(answer)
        except TablewrightError:  # the process may refuse the answer itself, which ends it
            self._playing = self._played(before)
            raise

    def _throw(self) -> None:
        """Throw all pending rolls if there are dice; the k-th roll has dice of its own."""
        while self._dice is not None and isinstance(self.question, Roll):
            rolls = sum([not isinstance(answer, str) for answer in self._playing.record])
            stream = f"{self._dice.stream}/roll/{self.question.dice}"
            self._playing.roll(SeededDice(self._dice.seed, stream, self._dice.branch, rolls))

    def _played(self, record: Iterable[Answer]) -> Playthrough[R]:
        playing = Playthrough(self._start())
        for position, answer in enumerate(record):
            if position >= MOST_ANSWERS:
                raise InvalidInputError(f"a record of a character's making has at most {MOST_ANSWERS:,} answers")
            if playing.question is None:
                raise InvalidInputError("the record goes on after the character is made")
            playing.answer(answer)
        return playing

    # ------------------------------------------------------------------ saving

    @property
    def draft_record(self) -> tuple[Answer, ...]:
        """Answers so far; replaying them on the same process restores the state."""
        return tuple(self._playing.record)

    def to_json(self) -> dict[str, Any]:
        """The open question as JSON, for a client that knows no system."""
        asked = self.question
        plain: dict[str, Any] = {"answers": len(self._playing.record), "done": asked is None}
        if isinstance(asked, Roll):
            plain |= {"roll": str(asked.dice)}
        elif isinstance(asked, Choice):
            plain |= {
                "question": asked.question,
                "seat": self._playing.seat,
                "step": {"id": self.step.id, "title": self.step.title} if self.step else None,
                "budget": self.budget.to_json() if self.budget else None,
                "note": asked.details.get("note", ""),
                "shown": asked.details.get("shown", {}),
                "options": [_option_json(option) for option in asked.options],
                "closed": [
                    {"id": shut.id, "reason": shut.reason, "rule": shut.rule}
                    | ({"label": shut.label} if shut.label else {})
                    for shut in asked.closed
                ],
            }
            plain |= {"own_words": True} if asked.details.get("own_words") else {}
        return plain


def at_random(start: Start[R], dice: SeededDice, answers: Mapping[str, str | Sequence[str]] | None = None) -> R:
    """Create a character by even draws among the open options that are not unwise; equal dice, equal characters.

    `answers` are given first, as in :meth:`CharacterCreation.follow`; the rest is drawn.
    """
    making = CharacterCreation(start, dice)
    if answers:
        making.follow(answers)
    draws = dice.fork(f"{dice.stream}/choices")
    while isinstance(making.question, Choice):
        offered = zip(making.question.ids, making.question.options, strict=True)
        wise = [id_ for id_, option in offered if not getattr(option, "unwise", False)] or making.question.ids
        making.answer(wise[draws.below(len(wise))])
    return making.result


def from_file(path: Path, character_type: type[C]) -> LoadedCharacter[C]:
    """Read a character from its file."""
    from tablewright.game.character.character import read_character  # noqa: PLC0415

    return read_character(path, character_type)


def _option_json(option: Any) -> dict[str, Any]:
    return (
        option.to_json()
        if isinstance(option, CreationOption)
        else {"id": option_id(option), "label": option_id(option)}
    )


def name_for(seed: int, taken: Collection[str]) -> str:
    """Pick a name that is not taken, if one is left; deterministic for a seed.

    >>> name_for(3, []) == name_for(3, []), name_for(3, [name_for(3, [])]) == name_for(3, [])
    (True, False)
    """
    free = [name for name in NAMES if name not in taken] or list(NAMES)
    return free[SeededDice(seed, "name").face(Die(len(free))) - 1]
