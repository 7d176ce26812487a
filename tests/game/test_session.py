"""A session stands whatever happens in it: questions that lapse, rules that fail, and what bots make of a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import pytest
from coinfolk import heads, strike
from coinfolk.book import Struck

from each_case import each_case
from tablewright.engine import (
    Choice,
    Param,
    Process,
    Role,
    Roll,
    SetOutcome,
    TooComplexError,
    Trace,
    choose,
    process,
    replay,
)
from tablewright.engine.advice import advise_open_choice
from tablewright.errors import InvalidInputError, TablewrightError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import UnknownParticipantError
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import POLICIES, at_random, play_to_end
from tablewright.game.session.session import Session

RULE = "coinfolk.fight.strike"


def table(*processes: Process[..., Any]) -> Session:
    plain = open_session(load_scenario("coinfolk:together"), seed=2)
    return Session(plain.header, replace(plain.rulebook, processes=(*plain.rulebook.processes, *processes)))


def wounded(game: Game) -> list[str]:
    return [one.id for one in game.scene.participants if one.status.health < 9]


@process(rules=[RULE])
async def pity(game: Game, lapses: Annotated[bool, Param("whether it lapses")]) -> str:
    """Help one who is hurt, then say what was done."""
    if lapses:
        whom = await choose("ann", "help whom?", lambda: wounded(game), lapse="nobody")
    else:
        whom = await choose("ann", "help whom?", lambda: wounded(game))
    await choose("ann", "and then?", ["go on", "wait"])
    return f"helped {whom}"


def hurt(session: Session) -> Session:
    """The rat is wounded, and Ann may help it."""
    session.do("table.rule", who="rat", field="health", value="5", reason="a test")
    session.do("table.rule", who="cat", field="health", value="5", reason="a test")
    return session


def heal(session: Session, *who: str) -> None:
    for one in who:
        session.do("table.rule", who=one, field="health", value="9", reason="a test")


def offered(session: Session) -> list[str]:
    assert isinstance(session.question, Choice)
    return list(session.question.ids)


def state(session: Session) -> tuple[Any, ...]:
    question = session.question
    return session.scene, len(session.log), list(session.entries), session.seat, repr(question), session.result


def test_a_question_lapses_when_a_ruling_leaves_nothing_to_choose() -> None:
    session = hurt(table(pity))
    session.do("coinfolk.pity", lapses=True)
    assert offered(session) == ["rat", "cat"]
    heal(session, "rat", "cat")
    assert offered(session) == ["go on", "wait"]
    session.choose("wait")
    assert session.result == "helped nobody"
    again = table(pity)
    again.resume(session.to_json())
    assert state(again) == state(session)
    session.undo(2)
    assert offered(session) == ["cat"]


def test_an_entry_that_leaves_an_impossible_question_is_taken_back() -> None:
    session = hurt(table(pity))
    session.do("coinfolk.pity", lapses=False)
    heal(session, "rat")
    before = state(session)
    with pytest.raises(TablewrightError, match='"help whom\\?" offers no option'):
        heal(session, "cat")
    assert state(session) == before
    session.choose("cat")
    session.choose("wait")
    assert session.result == "helped cat"
    session.undo(3)
    assert offered(session) == ["rat", "cat"]


@process(rules=[RULE])
async def stumble(game: Game, at_once: Annotated[bool, Param("whether it fails before asking anything")]) -> None:
    """A rule with a fault in it: it divides by zero when the second coin shows tails."""
    game.emit(Struck(who="rat", by="ann", harm=1, luck=0, breath=0, cause=RULE))
    if at_once:
        raise ZeroDivisionError("on purpose")
    await heads(1).by("ann")
    game.emit(Struck(who="rat", by="ann", harm=1, luck=0, breath=0, cause=RULE))
    1 // await heads(1).by("ann")


@pytest.mark.parametrize(
    "answer", [lambda session: session.type_in([1]), lambda session: session.set_outcome("0", "x")]
)
def test_a_plain_error_inside_a_rule_leaves_the_session_as_it_was(answer: Callable[[Session], None]) -> None:
    session = table(stumble)
    session.do("coinfolk.stumble", at_once=False)
    session.type_in([2])
    before = state(session)
    with pytest.raises(ZeroDivisionError):
        answer(session)
    assert state(session) == before
    session.type_in([2])
    assert session.question is None


def test_a_plain_error_at_the_start_of_a_process_leaves_the_session_as_it_was() -> None:
    session = table(stumble)
    before = state(session)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        session.do("coinfolk.stumble", at_once=True)
    assert state(session) == before


def test_a_roll_that_fails_after_undo_keeps_its_dice() -> None:
    session = table(stumble)
    session.do("coinfolk.stumble", at_once=False)
    session.type_in([2])
    session.type_in([2])
    session.undo(1)
    session._forgotten = {key: [(1,)] for key in session._forgotten}  # as if tails had been undone
    with pytest.raises(ZeroDivisionError):
        session.roll()
    assert list(session._forgotten.values()) == [[(1,)]]


def test_a_set_roll_stands_in_the_record_of_the_rule() -> None:
    session = table()
    session.do("table.check", who="ann", what="wit")
    session.set_outcome("1", "a draught")
    assert session.entries[-1] == SetOutcome("1", "a draught")
    trace = next(line for line in session.log if isinstance(line, Trace))
    assert replay(trace.call.mechanic(*trace.call.arguments), [SetOutcome("1", "a draught")]).result == trace.result


# ---------------------------------------------------------------------- bots


@process(rules=[RULE])
async def brawl(game: Game, seat: Annotated[str, Param("who decides")]) -> int:
    """Choose how many coins strike the rat."""

    def leads_to(coins: int) -> Any:
        call = strike(coins)
        return call if seat == "ann" else call.by_opponent()

    return await choose(seat, "how many coins?", [2, 4, 1], leads_to=leads_to, objective="harm")


@pytest.mark.parametrize("policy", ["aggressive", "careful", "best"])
def test_bots_take_what_leads_to_the_best_for_their_side(policy: str) -> None:
    for seat, expected in (("ann", 4), ("vermin", 1)):
        session = table(brawl)
        session.do("coinfolk.brawl", seat=seat)
        play_to_end(session, {}, otherwise=POLICIES[policy])
        assert session.result == expected


def test_bots_ignore_what_they_may_not_know() -> None:
    """Bob ducks or not by what he sees: the cat's luck, which is its own, makes no difference to him."""

    @process(rules=[RULE])
    async def struck(game: Game, luck: Annotated[int, Param("luck of the cat", 0, 5)]) -> int:
        """The cat strikes Bob."""
        call = strike(3, 0, luck, 2)
        return (await call.by("vermin", "bob", private={"luck": Role.ACTOR})).breath

    chosen = []
    for luck in (0, 1, 5):
        session = table(struck)
        session.do("coinfolk.struck", luck=luck)
        session.type_in([2, 1, 1])
        if luck:
            assert session.seat == "vermin"
            session.choose("no")
        assert session.seat == "bob"
        assert session.playing is not None
        assert isinstance(session.question, Choice)
        advice = advise_open_choice(session.playing, seat="bob").choices[0].options
        chosen.append((POLICIES["best"](session, session.question), advice))
    assert chosen[1:] == chosen[:1] * 2


@pytest.mark.parametrize("told", [False, True])
def test_a_bot_takes_the_default_where_what_follows_cannot_be_weighed(told: bool) -> None:
    """And does not hide what a rule has declared wrongly."""

    def too_much(option: str) -> Any:
        raise TooComplexError("far too much")

    @process(rules=[RULE])
    async def odd(game: Game) -> str:
        """Leads nowhere."""
        leads_to = (lambda _: heads(1).map(int)) if told else too_much
        return await choose("ann", "how?", ["a", "b"], default="b", leads_to=leads_to)

    session = table(odd)
    session.do("coinfolk.odd")
    assert isinstance(session.question, Choice)
    if told:
        with pytest.raises(TablewrightError, match="can lead only to a call or a worth"):
            POLICIES["careful"](session, session.question)
    else:
        assert POLICIES["careful"](session, session.question) == 1
    assert at_random(session, session.question) in (0, 1)


def test_a_record_that_is_kept_elsewhere_goes_on_with_its_dice_remembered() -> None:
    """Undo like a table: a new session of a shorter record, with the rolls that were dropped and another branch."""
    first = table()
    first.do("coinfolk.encounter")
    while not isinstance(first.question, Roll):
        assert isinstance(first.question, Choice)
        first.choose(first.question.ids[0])
    entries, key = list(first.entries), first.roll_key
    assert key is not None
    shown = first.faces()
    assert first.faces() == shown, "asking changes nothing"
    assert first.entries == entries
    first.roll()
    assert first.entries[-1] == shown
    again = Session(first.header, first.rulebook, entries, branch=1, remembered={key: [shown]})
    assert (again.branch, again.remembered, again.faces()) == (1, {key: [shown]}, shown)
    again.forget(key)
    assert again.remembered == {}
    others = [Session(first.header, first.rulebook, entries, branch=number).faces() for number in range(1, 20)]
    assert len(set(others)) > 1, "another branch, other dice"


def test_an_unknown_participant_is_named_with_those_present() -> None:
    with pytest.raises(UnknownParticipantError, match="here are: ") as refused:
        table().scene["nobody"]
    assert refused.value.who == "nobody"


RECORDS = {
    "mars": "belongings",
    "opend6": "belongings",
    "renaissance": "coated",
    "marchen": "conditions",
    "stage": "sicknesses",
}


@each_case(("system", "field"), RECORDS.items())
@each_case("value", ['["x"]', '[["x"]]', "[1]"])
def test_a_ruling_puts_no_words_where_records_belong(system: str, field: str, value: str) -> None:
    session = open_session(load_scenario(f"{system}:even"), seed=1)
    who = session.scene.participants[0].id
    with pytest.raises(
        InvalidInputError, match=f"{field} is only emptied by a ruling: |a ruling sets whole numbers, words"
    ):
        session.do("table.rule", who=who, field=field, value=value, reason="a test")
    session.do("table.rule", who=who, field=field, value="[]", reason="a test")
    assert getattr(session.scene[who].status, field) == ()


def test_a_ruling_sets_lists_of_words_that_a_field_can_hold() -> None:
    session = open_session(load_scenario("stage:even"), seed=1)
    who, other = [one.id for one in session.scene.participants[:2]]
    session.do("table.rule", who=who, field="beside", value=f'["{other}"]', reason="a test")
    assert session.scene[who].status.beside == (other,)
    with pytest.raises(InvalidInputError, match=r"beside is a list of words, not \[1\]"):
        session.do("table.rule", who=who, field="beside", value="[1]", reason="a test")
