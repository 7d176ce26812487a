"""Creation as a process: named steps, budgets with what is left, options with what they cost or why they are closed.

A system writes ``async def create(...)`` that asks with :func:`pick` and gives a character in the end. The same process
serves every way to make one: step by step and back again (:class:`Creating`), at random (:func:`at_random`), by answers
named beforehand (:meth:`Creating.follow`); a template or a file needs no process (:func:`from_template`,
:func:`from_file`).

>>> stats = Step("stats", "Stats")
>>> async def create() -> tuple[str, ...]:
...     budget, chosen = Budget("points", 5), ()
...     while (taken := await pick(stats, "raise what?", [Offer("brawn", cost=2), Offer("wits", cost=3), DONE],
...                                budget=budget)) is not DONE:
...         budget, chosen = budget.spend(taken.cost), (*chosen, taken.id)
...     return chosen
>>> making = Creating(create)
>>> making.answer("wits")
>>> making.step, str(making.budget), [offer.id for offer in making.options]
(Step(id='stats', title='Stats'), 'points: 2 of 5 left', ['brawn', 'done'])
>>> making.closed
(Closed(id='wits', reason='costs 3, 2 left', rule=None, label=''),)
>>> making.back()
>>> making.budget.left
5
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from tablewright.dice import Dice
from tablewright.engine import Answer, Choose, Closed, Playing, Roll, Seat
from tablewright.engine.asks import Rule
from tablewright.engine.offering import option_id
from tablewright.errors import BadInput, RulesSayNo, TablewrightError, nearest
from tablewright.game.legality import Found, not_all_spent, out_of_range, overspent

if TYPE_CHECKING:
    from tablewright.engine.trace import Step as Happened
    from tablewright.game.character import C, Loaded

R = TypeVar("R")

FORMAT = 1
MOST_WORDS = 200
"""How long an answer in one's own words may be."""
MOST_ANSWERS = 10_000
"""How many answers the making of one character may take."""

Start: TypeAlias = Callable[[], Rule[R]]
"""Starts the process from its beginning; called again for every step back, so it must begin with a fresh game."""


@dataclass(frozen=True, slots=True)
class Step:
    """A named step of creation."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Budget:
    """Something to spend: how much there is, how much is gone, and the rule that says so."""

    label: str
    total: int
    spent: int = 0
    rule: str | None = None

    @property
    def left(self) -> int:
        """What is not spent yet."""
        return self.total - self.spent

    def spend(self, cost: int) -> Budget:
        """With so much more spent; more than there is is refused. A negative cost gives back."""
        if cost > self.left:
            raise RulesSayNo(f"{self.label}: costs {cost}, {self.left} left", rule=self.rule)
        return replace(self, spent=self.spent + cost)

    def to_json(self) -> dict[str, Any]:
        """The budget as JSON."""
        return {"label": self.label, "total": self.total, "spent": self.spent, "left": self.left, "rule": self.rule}

    def __str__(self) -> str:
        return f"{self.label}: {self.left} of {self.total} left"


@dataclass(frozen=True, slots=True)
class Offer:
    """An option of creation: what it is called, what it costs and what there is to know about it.

    `value` is whatever the process wants to have back with it.
    """

    id: str
    label: str = ""
    cost: int = 0
    note: str = ""
    rule: str | None = None
    value: Any = None

    @property
    def title(self) -> str:
        """What people read."""
        return self.label or self.id

    def to_json(self) -> dict[str, Any]:
        """The option as JSON."""
        return {"id": self.id, "label": self.title, "cost": self.cost, "note": self.note, "rule": self.rule}


DONE = Offer("done", "Done", note="go on to the next step")
"""The option that ends a step with several choices."""


def pick(
    step: Step,
    question: str,
    options: Iterable[Offer],
    *,
    budget: Budget | None = None,
    closed: Iterable[Closed] = (),
    note: str = "",
    seat: Seat | str = Seat.ACTOR,
    shown: Mapping[str, Any] | None = None,
    own_words: bool = False,
) -> Choose[Offer]:
    """Ask for one option of a step of creation.

    What costs more than the budget has left is closed and says so; other reasons to close an option are in `closed`.
    `shown` is anything else that people should see with the question, as JSON: the character so far. With `own_words`
    the options are suggestions; whatever else is said becomes an option whose id and `value` it is.
    """
    shut = {entry.id: entry for entry in closed}
    offers = [offer for offer in options if offer.id not in shut]
    if budget is not None:
        for offer in offers:
            if offer.cost > budget.left:
                shut[offer.id] = Closed(offer.id, f"costs {offer.cost}, {budget.left} left", budget.rule)
    about: dict[str, Any] = {"step": step, "budget": budget, "note": note, "shown": dict(shown or {})}
    about |= {"own_words": True} if own_words else {}
    ask = _InOwnWords if own_words else Choose
    able = [offer for offer in offers if offer.id not in shut]
    return ask(seat, question, able, closed=shut.values(), about=about, even_alone=own_words)


class _InOwnWords(Choose[Offer]):
    """A question that may be answered with any text; what is called like an option but for its case is that option."""

    __slots__ = ()

    def option(self, name: str) -> Offer:
        known = [*self.ids, *[closed.id for closed in self.closed]]
        if name not in known:
            if not name.strip() or len(name) > MOST_WORDS:
                raise BadInput(f'"{self.question}" is answered with 1 to {MOST_WORDS} letters, or with an option')
            alike = [one for one in known if one.casefold() == name.strip().casefold()]
            if alike:
                return super().option(alike[0])
            self.options = (*self.options, Offer(name, value=name))
            self._ids = None
        return super().option(name)


# ---------------------------------------------------------------------- points over ranks


def _one_each(name: str, rank: int) -> int:
    return 1


@dataclass(frozen=True, slots=True)
class Spread:
    """Points to spend on named ranks: one declaration for asking (:func:`spread`) and for legality (:meth:`problems`).

    Every rank is from ``least`` to ``most``; ``cost(name, rank)`` is what the step up to a rank costs, and ranks up to
    ``free`` cost nothing (below it they give back). Where not ``all_spent``, points may be left over. ``steps`` are by
    how much a rank can be raised at once, for books with many points.

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

    def price(self, name: str, rank: int) -> int:
        """What a rank costs altogether."""
        low, high = min(rank, self.free), max(rank, self.free)
        price = sum([self.cost(name, step) for step in range(low + 1, high + 1)])
        return price if rank > self.free else -price

    def spent(self, ranks: Mapping[str, int]) -> int:
        """What some ranks cost together."""
        return sum([self.price(name, rank) for name, rank in ranks.items()])

    def problems(self, where: str, ranks: Mapping[str, int], later: int = 0) -> Found:
        """Whatever is wrong with finished ranks; ``later`` points were added to them after creation."""
        found: Found = ()
        for name, rank in ranks.items():
            found += out_of_range(f"{where}.{name}", rank, self.least, self.most + later, rule=self.rule)
        check = not_all_spent if self.all_spent else overspent
        return found + check(where, self.spent(ranks) - later, self.total, rule=self.rule)


async def spread(step: Step, question: str, names: Iterable[str], points: Spread) -> dict[str, int]:
    """Ask for ranks until all points are spent, nothing can be raised any more, or whoever is asked is done."""
    ranks = dict.fromkeys(names, points.least)
    while True:
        budget = Budget(points.label, points.total, points.spent(ranks), points.rule)
        offers, full = [], []
        for name, rank in ranks.items():
            for by in points.steps:
                id_ = name if points.steps == (1,) else f"{name}+{by}"
                if rank + by > points.most:
                    full.append(Closed(id_, f"{points.most} is the most", points.rule))
                    continue
                cost = points.price(name, rank + by) - points.price(name, rank)
                offers.append(Offer(id_, cost=cost, note=f"now {rank}", value=(name, by)))
        if all(offer.cost > budget.left for offer in offers):
            return ranks
        done = [] if points.all_spent else [DONE]
        taken = await pick(step, question, [*offers, *done], budget=budget, closed=full, shown=ranks)
        if taken is DONE:
            return ranks
        name, by = taken.value
        ranks[name] += by


class Creating(Generic[R]):
    """A character in the making: what is asked now, answers, and the way back.

    With `dice` every roll is thrown at once; without them a roll waits for :meth:`type_in`. The same rolls asked again
    after a step back show the same faces, so that going back and forth changes no luck. `record` resumes where another
    `Creating` of the same process stood.
    """

    def __init__(self, start: Start[R], dice: Dice | None = None, record: Iterable[Answer] = ()) -> None:
        self._start = start
        self._dice = dice
        self._playing = self._played(tuple(record))
        self._throw()

    # ------------------------------------------------------------------ what is asked

    @property
    def question(self) -> Choose[Any] | Roll[Any] | None:
        """What is asked now; None when the character is made."""
        return self._playing.question

    @property
    def step(self) -> Step | None:
        """The step that the question belongs to."""
        found = self._about("step")
        return found if isinstance(found, Step) else None

    @property
    def budget(self) -> Budget | None:
        """What there is to spend in this step."""
        found = self._about("budget")
        return found if isinstance(found, Budget) else None

    @property
    def options(self) -> tuple[Any, ...]:
        """The options that can be taken."""
        return tuple(self.question.options) if isinstance(self.question, Choose) else ()

    @property
    def closed(self) -> tuple[Closed, ...]:
        """The options that cannot be taken now, with the reason."""
        return self.question.closed if isinstance(self.question, Choose) else ()

    @property
    def is_done(self) -> bool:
        """Whether the character is made."""
        return self.question is None

    @property
    def result(self) -> R:
        """The character; an error while something is still asked."""
        return self._playing.result

    @property
    def history(self) -> tuple[Happened, ...]:
        """The choices and rolls so far, with their questions."""
        return tuple(self._playing.steps)

    def _about(self, name: str) -> Any:
        return self.question.about.get(name) if isinstance(self.question, Choose) else None

    # ------------------------------------------------------------------ answers

    def answer(self, option: str) -> None:
        """Take an option by its id; a closed or unknown one is refused with the reason and changes nothing."""
        if not isinstance(self.question, Choose):
            raise BadInput("no choice is asked for now")
        asked = self.question
        taken = asked.option(option)  # refuses with the reason
        self._answer(asked.ids[asked.options.index(taken)])
        self._throw()

    def type_in(self, faces: Iterable[int]) -> None:
        """Answer a roll with the faces of real dice."""
        if not isinstance(self.question, Roll):
            raise BadInput("no roll is asked for now")
        self._answer(tuple(faces))
        self._throw()

    def back(self) -> None:
        """Take back the last answer, and the rolls that were thrown since: the same state as before it."""
        record = list(self._playing.record)
        while record:
            dropped = record.pop()
            if self._dice is None or isinstance(dropped, str):
                self._playing = self._played(record)
                return
        raise RulesSayNo("this is the first step; there is nothing to take back")

    def follow(self, answers: Mapping[str, str | Sequence[str]]) -> None:
        """Answer by what was named beforehand for each step, in order, until something is asked that was not named.

        `answers` has step ids, or questions, with one option id or several: ``{"stats": ["brawn", "wits"]}``. Answers
        that were never asked for are refused.
        """
        waiting = {name: [given] if isinstance(given, str) else list(given) for name, given in answers.items()}
        asked: dict[str, None] = {}
        while isinstance(self.question, Choose):
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
                raise BadInput(f"{name:.40}: {left} was never asked for{nearest(name, asked)}", field=name)

    def _answer(self, answer: Answer) -> None:
        if len(self._playing.record) >= MOST_ANSWERS:
            raise TablewrightError(f"the making of a character does not end: more than {MOST_ANSWERS:,} answers")
        before = self.draft_record
        try:
            self._playing.answer(answer)
        except TablewrightError:  # the process itself may refuse, and has ended then
            self._playing = self._played(before)
            raise

    def _throw(self) -> None:
        """Throw every roll that is waited for, where there are dice; the k-th roll has dice of its own."""
        while self._dice is not None and isinstance(self.question, Roll):
            rolls = sum([not isinstance(answer, str) for answer in self._playing.record])
            stream = f"{self._dice.stream}/roll/{self.question.dice}"
            self._playing.roll(Dice(self._dice.seed, stream, self._dice.branch, rolls))

    def _played(self, record: Iterable[Answer]) -> Playing[R]:
        playing = Playing(self._start())
        for position, answer in enumerate(record):
            if position >= MOST_ANSWERS:
                raise BadInput(f"a record of a character's making has at most {MOST_ANSWERS:,} answers")
            if playing.question is None:
                raise BadInput("the record goes on after the character is made")
            playing.answer(answer)
        return playing

    # ------------------------------------------------------------------ saving

    @property
    def draft_record(self) -> tuple[Answer, ...]:
        """The answers so far: with the same process they bring about the same state."""
        return tuple(self._playing.record)

    def draft_json(self) -> str:
        """The answers so far as JSON text, for a file."""
        return json.dumps({"format": FORMAT, "answers": self.draft_record}, ensure_ascii=False)

    @classmethod
    def resume(cls, start: Start[R], draft: str, dice: Dice | None = None) -> Creating[R]:
        """Go on from :meth:`draft_json`. Where the rules have changed since, the answer that fits no more is named."""
        return cls(start, dice, read_draft(draft))

    def to_json(self) -> dict[str, Any]:
        """What is asked now, for a screen that knows no system."""
        asked = self.question
        plain: dict[str, Any] = {"answers": len(self._playing.record), "done": asked is None}
        if isinstance(asked, Roll):
            plain |= {"roll": str(asked.dice)}
        elif isinstance(asked, Choose):
            plain |= {
                "question": asked.question,
                "seat": self._playing.seat,
                "step": {"id": self.step.id, "title": self.step.title} if self.step else None,
                "budget": self.budget.to_json() if self.budget else None,
                "note": asked.about.get("note", ""),
                "shown": asked.about.get("shown", {}),
                "options": [_option_json(option) for option in asked.options],
                "closed": [{"id": shut.id, "reason": shut.reason, "rule": shut.rule} for shut in asked.closed],
            }
            plain |= {"own_words": True} if asked.about.get("own_words") else {}
        return plain


def read_draft(text: str) -> tuple[Answer, ...]:
    """The answers in the text of a draft; anything else is refused."""
    if len(text) > 100 * MOST_ANSWERS:
        raise BadInput("the draft is too long")
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("the draft is no JSON") from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT or not isinstance(plain.get("answers"), list):
        raise BadInput(f'this is no draft of a character: {{"format": {FORMAT}, "answers": [...]}} is expected')
    answers: list[Answer] = []
    for position, answer in enumerate(plain["answers"]):
        if isinstance(answer, str):
            answers.append(answer)
        elif isinstance(answer, list) and all(type(face) is int for face in answer):
            answers.append(tuple(answer))
        else:
            raise BadInput(f"answers[{position}] is neither an option nor the faces of a roll")
    return tuple(answers)


def at_random(start: Start[R], dice: Dice, answers: Mapping[str, str | Sequence[str]] | None = None) -> R:
    """A character whose every choice is drawn evenly among the open options: the same dice give the same one.

    `answers` are made as in :meth:`Creating.follow` first; the rest is drawn.
    """
    making = Creating(start, dice)
    if answers:
        making.follow(answers)
    draws = dice.fork(f"{dice.stream}/choices")
    while isinstance(making.question, Choose):
        making.answer(making.question.ids[draws.below(len(making.question.ids))])
    return making.result


def from_template(
    template: Mapping[str, Any], character_type: type[C], changes: Mapping[str, Any] | None = None
) -> Loaded[C]:
    """A character from a template: its file's content as plain data, with some fields (the name) changed."""
    from tablewright.game.character import read_character  # noqa: PLC0415  (brings in pydantic)

    return read_character({**template, **(changes or {})}, character_type)


def from_file(path: Path, character_type: type[C]) -> Loaded[C]:
    """A character from its file."""
    from tablewright.game.character import read_character  # noqa: PLC0415

    return read_character(path, character_type)


def _option_json(option: Any) -> dict[str, Any]:
    return option.to_json() if isinstance(option, Offer) else {"id": option_id(option), "label": option_id(option)}
