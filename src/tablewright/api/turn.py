"""A turn as its seat sees it, and policies: functions from a turn to an option."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from tablewright.api.option import Option
from tablewright.errors import InvalidInputError, did_you_mean, unknown_option
from tablewright.lab.deadline import FIRST_SECONDS

if TYPE_CHECKING:
    from tablewright.api.advice import Advice
    from tablewright.api.odds import Odds
    from tablewright.engine.options import ClosedOption
    from tablewright.lab.fights.option_features import DescribedOptions

Policy: TypeAlias = "Callable[[Turn], Option | str]"
"""Function that answers for a bot: it gets its turn and returns an option, or the id of one."""

P = TypeVar("P", bound=Policy)


class TurnSource(Protocol):
    """Place where a turn is played: a fight in this program, or a seat at a live table."""

    def scene(self) -> Mapping[str, Any]:
        """The scene as the seat may see it."""

    def heading(self) -> str:
        """The question in sentences, for people."""

    def closed(self) -> tuple[ClosedOption, ...]:
        """Options that cannot be taken, with the reasons that the seat may know."""

    def odds(self, option: str) -> Odds[Any]:
        """Odds of the rule behind an option."""

    def advice(self, seconds: float) -> Advice[Any]:
        """Values of all options."""

    def features(self, *, odds: bool) -> DescribedOptions:
        """Numbers that describe all options."""


class Turn:
    """An open choice as its seat sees it: nothing hidden from the seat is in it.

    ``who`` is the participant that the choice concerns, empty if it concerns none. With ``own_words`` the options are
    suggestions: any other text is an answer too.

    >>> import tablewright as tw
    >>> fight = tw.Fight("mars:fighter", "mars:goblin", seed=1, bots={"foes": "careful"})
    >>> turn = fight.seen_by("aldith")
    >>> turn, turn.me["name"], turn.round
    (<Turn of aldith: what now? 13 options>, 'Aldith', 1)
    """

    def __init__(
        self,
        *,
        seat: str,
        who: str,
        question: str,
        options: tuple[Option, ...],
        default: str,
        at: TurnSource,
        own_words: bool = False,
    ) -> None:
        self.seat = seat
        self.who = who
        self.question = question
        self.options = options
        self.own_words = own_words
        self._default = default
        self._at = at

    @property
    def default(self) -> Option:
        """The usual answer."""
        return next((option for option in self.options if option.id == self._default), self.options[0])

    @cached_property
    def scene(self) -> Mapping[str, Any]:
        """The scene as plain data: round, turn, participants, ground and more."""
        return self._at.scene()

    @property
    def round(self) -> int:
        """Number of the round."""
        return int(self.scene["round"])

    @property
    def people(self) -> tuple[Mapping[str, Any], ...]:
        """Participants that the seat can see: id, name, side, position, health in a word, and what else is open."""
        return tuple(self.scene["participants"])

    @property
    def me(self) -> Mapping[str, Any]:
        """The participant that the choice concerns."""
        return self.person(self.who)

    def person(self, who: str) -> Mapping[str, Any]:
        """A participant by id; an unknown id is refused with the nearest one."""
        for one in self.people:
            if one["id"] == who:
                return one
        known = [str(one["id"]) for one in self.people]
        raise InvalidInputError(
            f'nobody here is called "{who:.40}"; here are: {", ".join(known)}{did_you_mean(who, known)}'
        )

    @property
    def heading(self) -> str:
        """The question in a sentence or two, for people: what happens, and what is asked."""
        return self._at.heading()

    @property
    def closed(self) -> tuple[ClosedOption, ...]:
        """Options that cannot be taken now, with reason and rule."""
        return self._at.closed()

    def option(self, name: str) -> Option:
        """An option by its id; an unknown id is refused with the nearest one, unless it may be in own words."""
        return find_option(name, self.options, own_words=self.own_words)

    def odds(self, option: Option | str) -> Odds[Any]:
        """Exact odds of the first rule that an option leads to, by what the seat may know."""
        return self._at.odds(self.option(_id_of(option)).id)

    def advice(self, seconds: float = FIRST_SECONDS) -> Advice[Any]:
        """Values of all options, by what the seat may know; after ``seconds`` of processor time quick ratings instead.

        Asked again, it goes on, and gives the exact values once all are there.
        """
        return self._at.advice(seconds)

    def features(self, *, odds: bool = True) -> DescribedOptions:
        """Numbers that describe each option, by what the seat may know; learned policies weigh them."""
        return self._at.features(odds=odds)

    def __repr__(self) -> str:
        return f"<Turn of {self.who or self.seat}: {self.question} {len(self.options)} options>"


def find_option(name: str, options: tuple[Option, ...], *, own_words: bool = False) -> Option:
    """An option by its id, or by its label if only one has it; with ``own_words`` any other text is one too."""
    for option in options:
        if option.id == name:
            return option
    labelled = [option for option in options if option.label.casefold() == name.casefold()]
    if len(labelled) == 1:
        return labelled[0]
    if own_words:
        return Option(name, name)
    raise unknown_option(name, [option.id for option in options])


def _id_of(answer: object) -> str:
    if isinstance(answer, Option):
        return answer.id
    if isinstance(answer, str):
        return answer
    raise InvalidInputError(f"{answer!r:.60} is not an option; give an option of the turn or its id")


def answer_of(policy: Policy, turn: Turn) -> str:
    """Id of the option that a policy takes; an answer that is no option is refused with the policy's name."""
    answer = policy(turn)
    try:
        return turn.option(_id_of(answer)).id
    except InvalidInputError as problem:
        raise InvalidInputError(f"the policy {name_of(policy)}: {problem.message}") from None


def policy(function: P) -> P:
    """Declare a function as a policy; the function stays as it is.

    A policy gets a :class:`Turn` and returns one of its options, or the id of one.

    >>> import tablewright as tw
    >>> @tw.policy
    ... def patient(turn: tw.Turn) -> tw.Option:
    ...     "Take the usual answer."
    ...     return turn.default
    >>> tw.Fight("stage:together", seed=1, bots=patient, rounds=1).over
    True
    """
    if not callable(function):
        raise InvalidInputError(f"{function!r:.60} is not a policy; a policy is a function of a turn")
    return function


def name_of(how: Policy | str) -> str:
    """Name of a policy."""
    return how if isinstance(how, str) else str(getattr(how, "__name__", type(how).__name__))
