"""Coinfolk's characters, actions, fights, rest and advancement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Annotated, Any, Literal

from coinfolk import CoinfolkOptions, Strike, check, strike
from tablewright.engine import Param, Seat, Tally, process
from tablewright.engine.parameters import Parameter, Whole
from tablewright.errors import RulesSayNo
from tablewright.game.actions import Action, Actions, Refused, Requirement, Use
from tablewright.game.belongings import Belongings, buy
from tablewright.game.bots import expected, gap, rated, worth
from tablewright.game.character import Character, Field, Frozen
from tablewright.game.checks import Check, Contender, Plan, Subject
from tablewright.game.clock import Calendar, Unit
from tablewright.game.common import CharacterChanged, Moved, OrderSet, common
from tablewright.game.content import Entry as Content
from tablewright.game.creation import DONE, Budget, Offer, Spread, Step, pick, spread
from tablewright.game.events import OWNER, Apply, Event, shown
from tablewright.game.lasting import Lasting, TookHold, degree, until_turn
from tablewright.game.legality import Legality, unknown_ids
from tablewright.game.passing import let_time_pass
from tablewright.game.reckoning import Blow, Reckoning
from tablewright.game.rounds import act, last_side, play_rounds
from tablewright.game.rulebook import Rating, Rulebook
from tablewright.game.scene import Live, Participant, Scene
from tablewright.game.sheet import Entry as Line
from tablewright.game.sheet import Section, Sheet
from tablewright.game.standing import near, targets
from tablewright.game.tracks import looks
from tablewright.game.trading import Trade, trading

PENNIES, REACH, STRIDE = 3, 1, 2
GEAR_RULE = "coinfolk.creation.gear"
POINTS = Spread("points", 6, "coinfolk.creation.points", least=1, most=5)
TURN, STRIKE, CHECK = "coinfolk.fight.turn", "coinfolk.fight.strike", "coinfolk.coins.check"
WINDED = "coinfolk.fight.winded"
Who = Annotated[str, Param("whose")]


class Coinling(Character):
    """One of the coin folk."""

    system: Literal["coinfolk"] = "coinfolk"
    rules: str = "1.0"
    grit: int = Field(default=1, ge=1, le=9)
    wit: int = Field(default=1, ge=1, le=9)
    marks: int = Field(default=0, ge=0, le=999)
    raised: int = Field(default=0, ge=0, le=16)
    pennies: int = Field(default=PENNIES, ge=0, le=999)


class Weapon(Content):
    edge: int = Field(ge=0, le=3)
    price: int = Field(ge=0, le=99)


class Folk(Content):
    character: Frozen[Any]


def most_health(character: Coinling) -> Tally:
    """Three, and two for each point of grit."""
    return Tally.of("folk", 3, "coinfolk.stat.health").add("grit, twice", 2 * character.grit, "coinfolk.stat.health")


@dataclass(frozen=True, slots=True)
class Status:
    """What becomes of a coinling in a scene. How hurt it is, others see only as a word."""

    health: int = shown(OWNER)
    breath: int = shown()
    luck: int = shown(OWNER)
    belongings: Belongings = shown(OWNER, default=())
    dazed: bool = shown(default=False)
    lasting: tuple[Lasting, ...] = shown(default=())


def enter(subject: Subject) -> Status:
    """Well, with all breath and a piece of luck."""
    who: Coinling = subject.character
    return Status(most_health(who).total, who.wit, 1, who.belongings)


TRADE = Trade(
    find=lambda item, library: library.get(Weapon, item),
    price=lambda weapon, count: weapon.price * count,
    purse="pennies",
    keeps=lambda one: Refused(f"{one.name} is up and keeps it", GEAR_RULE) if up(one) else None,
    owning=GEAR_RULE,
    prices=GEAR_RULE,
)
STATS, GEAR = Step("stats", "Stats"), Step("gear", "Gear")


@process(rules=["coinfolk.creation.points", "coinfolk.creation.gear"])
async def create(game: Live, name: Annotated[str, Param("the coinling's name")] = "Nobody") -> Coinling:
    """Six points on grit and wit, at least one each; then perhaps a weapon."""
    stats = await spread(STATS, "raise which stat?", ("grit", "wit"), POINTS)
    made = Coinling(name=name).changed(**stats)
    weapons = [Offer(entry.id, entry.name, entry.price) for entry in game.scene.library.of(Weapon)]
    money = Budget("pennies", PENNIES, 0, GEAR_RULE)
    taken = await pick(GEAR, "buy a weapon?", [*weapons, DONE], budget=money)
    if taken is DONE:
        return made
    deal = buy((), PENNIES, taken.id, taken.cost, place="hand", rule=GEAR_RULE)
    return made.changed(belongings=deal.belongings, pennies=deal.money)


def legality(character: Coinling, options: CoinfolkOptions, library: Any) -> Legality:
    """Points and belongings against the rules."""
    weapons, owned = [entry.id for entry in library.of(Weapon)], [carried.item for carried in character.belongings]
    return Legality.of(
        POINTS.problems("stats", {"grit": character.grit, "wit": character.wit}, character.raised),
        unknown_ids("belongings", owned, weapons, rule=GEAR_RULE),
    )


def sheet(character: Coinling, options: CoinfolkOptions, library: Any) -> Sheet:
    """One section of figures, one of belongings."""
    health, pennies = Line("Health", tally=most_health(character)), Line("Pennies", character.pennies)
    figures = (Line("Grit", character.grit), Line("Wit", character.wit), health, pennies)
    owned = [Line(carried.item, carried.count) for carried in character.belongings]
    return Sheet(character.name, "coin folk", (Section("Figures", figures), Section("Belongings", tuple(owned))))


def _plan(stat: str, subject: Subject, difficulty: int, helpers: int) -> Plan:
    coins = Tally.of(stat, getattr(subject.character, stat), CHECK)
    coins = subject.with_rulings(coins.add("helpers", helpers, CHECK), stat).limit(0, 12)
    return Plan(check(coins.total, difficulty), {"coins": coins})


def _against(one: Contender, other: Contender) -> Plan:
    """As many heads as the other's stat."""
    return _plan(one.what, one.subject, getattr(other.subject.character, other.what), one.situation["helpers"])


SITUATION = (
    Parameter("difficulty", Whole(0, 12), "heads needed", 1),
    Parameter("helpers", Whole(0, 3), "friends who lend a coin", 0),
)
CHECKS = (
    Check("grit", "Grit", SITUATION, partial(_plan, "grit"), (CHECK,), ("difficulty",), _against),
    Check("wit", "Wit", SITUATION, partial(_plan, "wit"), (CHECK,), ("difficulty",), _against),
)


@dataclass(frozen=True, kw_only=True)
class Struck(Event):
    """Somebody was struck: the harm, and what both spent."""

    about = ("who", "by")
    words = "{by} strikes {who}: {harm} harm[, luck {luck}][, breath {breath}]"
    who: str = shown()
    by: str = shown()
    harm: int = shown()
    luck: int = shown()
    breath: int = shown()


@dataclass(frozen=True, kw_only=True)
class Recovered(Event):
    """Somebody is better."""

    words = "{who}: recovered[, health {health}]"
    who: str = shown()
    health: int = shown(OWNER)


apply: Apply[Scene] = Apply(common)


@apply.on(Struck)
def _struck(scene: Scene, event: Struck) -> Scene:
    hurt, by = scene[event.who].status, scene[event.by].status
    scene = scene.change(event.by, luck=by.luck - event.luck)
    return scene.change(
        event.who,
        health=hurt.health - event.harm,
        breath=hurt.breath - event.breath,
        dazed=hurt.dazed or event.harm >= 3,
    )


@apply.on(Recovered)
def _recovered(scene: Scene, event: Recovered) -> Scene:
    return scene.change(event.who, health=event.health, breath=scene[event.who].character.wit, dazed=False)


@dataclass(frozen=True, kw_only=True)
class Shook(Event):
    words = "{who} catches breath"
    who: str = shown()


@apply.on(Shook)
def _shook(scene: Scene, event: Shook) -> Scene:
    return scene.change(event.who, dazed=False)


def up(participant: Participant) -> bool:
    """Whether somebody still stands."""
    return participant.present and participant.status.health > 0


def _foes(scene: Scene, who: str) -> Iterator[Use]:
    return (Use("strike", foe.id, label=f"Strike {foe.name}") for foe in targets(scene, who, up))


def _steps(scene: Scene, who: str) -> Iterator[Use]:
    here = scene[who].position
    if here is not None:
        for there in scene.ground.reachable(here, STRIDE):
            yield Use("walk", detail=str(there), label=f"Walk to {there}")


def _not_dazed(scene: Scene, who: str, use: Use) -> str | None:
    return "dazed" if scene[who].status.dazed else None


def _in_reach(scene: Scene, who: str, use: Use) -> str | None:
    return None if near(scene, who, str(use.target), REACH) else f"{use.target} is out of reach"


async def _strike(game: Live, who: str, use: Use) -> None:
    me, foe = game[who], game[str(use.target)]
    coins = Tally.of("grit", me.character.grit, STRIKE).add("winded", -degree(me.status.lasting, "winded"), WINDED)
    coins = game.scene.with_rulings(coins, "strike", who).limit(0, 12)
    dodge = foe.character.wit if foe.status.breath > 0 and game.scene.options.ducking == "after" else 0
    edges = [game.scene.library.get(Weapon, carried.item).edge for carried in me.belongings]
    call = strike(coins.total, max(edges, default=0), me.status.luck, dodge)
    result: Strike = await call.by(me.seat, foe.seat, tallies={"coins": coins}, private={"luck": Seat.ACTOR})
    game.emit(Struck(who=foe.id, by=who, cause=STRIKE, **result._asdict()))
    if result.breath:
        winded = Lasting("winded", until_turn(game.scene, foe.id, edge="end"))
        game.emit(TookHold(who=foe.id, what=winded, cause=WINDED))


async def _walk(game: Live, who: str, use: Use) -> None:
    game.emit(Moved(who=who, position=game.scene.ground.parse(str(use.detail)), cause="coinfolk.fight.walk"))


async def _shake(game: Live, who: str, use: Use) -> None:
    game.emit(Shook(who=who, cause="coinfolk.fight.daze"))


DAZED, NEAR = Requirement("coinfolk.fight.daze", _not_dazed), Requirement("coinfolk.fight.reach", _in_reach)
ACTIONS = Actions(
    [
        Action("strike", "Strike", (STRIKE,), _strike, (DAZED, NEAR), _foes, "the turn"),
        Action("walk", "Walk", ("coinfolk.fight.walk",), _walk, (DAZED,), _steps, "the turn"),
        Action("wait", "Catch your breath", (TURN,), _shake, cost="the turn"),
    ]
)


@process(rules=[TURN])
async def encounter(game: Live) -> None:
    """Everybody in the order of wit has a turn, round after round, until one side stands."""
    if not game.scene.order:
        by_wit = sorted(game.scene.present, key=lambda one: -one.character.wit)
        game.emit(OrderSet(order=tuple([one.id for one in by_wit]), cause=TURN))
    await play_rounds(game, turn, lambda scene: last_side(scene, up), cause=TURN)


async def turn(game: Live, who: str) -> None:
    """One action, and the turn is over."""
    await act(game, who, goes_on=lambda scene, who: up(scene[who]), most=1)


@process(rules=["coinfolk.rest.heal"])
async def rest(game: Live, who: Who, hours: Annotated[int, Param("how long", 1, 1000)] = 8) -> None:
    """One health for every four hours, all breath and a clear head at once."""
    most = most_health(game[who].character).total
    await let_time_pass(game, hours, cause="coinfolk.rest.heal")
    game.emit(Recovered(who=who, health=min(most, game[who].status.health + hours // 4), cause="coinfolk.rest.heal"))


@process(rules=["coinfolk.advancement.marks"])
async def award(game: Live, who: Who, marks: Annotated[int, Param("marks earned", 1, 9)]) -> None:
    """Marks for a deed."""
    changed = game[who].character.changed(marks=game[who].character.marks + marks)
    game.emit(CharacterChanged(who=who, what=f"{marks} marks", character=changed, cause="coinfolk.advancement.marks"))


@process(rules=["coinfolk.advancement.raise"])
async def advance(game: Live, who: Who, stat: Annotated[Literal["grit", "wit"], Param("what is raised")]) -> None:
    """Raise a stat for as many marks as its new value."""
    character: Coinling = game[who].character
    new = getattr(character, stat) + 1
    if new > 9 or character.marks < new:
        raise RulesSayNo(f"{stat} {new} costs {new} marks, not {character.marks}", rule="coinfolk.advancement.raise")
    raised = character.changed(**{stat: new, "marks": character.marks - new, "raised": character.raised + 1})
    game.emit(CharacterChanged(who=who, what=f"{stat} {new}", character=raised, cause="coinfolk.advancement.raise"))


def _gap(scene: Scene, one: Participant) -> Fraction:
    return Fraction(gap(scene, one.id, up), 9)


def _walking(scene: Scene, who: str, use: Use) -> Rating:
    return Rating(harm=1 - Fraction(gap(scene, who, up, scene.ground.parse(str(use.detail))), 9))


value = worth(lambda one: 2 * max(0, one.status.health) + one.status.luck + one.status.breath, apart=_gap)
rate = rated(
    {
        "strike": lambda scene, who, use: Rating(harm=1 + expected(strike(scene[who].character.grit), "harm")),
        "walk": _walking,
        "wait": lambda scene, who, use: Rating(safety=int(scene[who].status.dazed)),
    }
)


def health(participant: Participant) -> str:
    """How hurt somebody looks."""
    most = most_health(participant.character).total
    return looks(participant.status.health, most, {0: "down", Fraction(1, 2): "hurt"}, "well")


RECKONING = Reckoning(
    stands=up,
    dead=lambda one: False,  # the folk get up again
    vigour=lambda one: one.status.health,
    harm="harm",
    left={name: attrgetter(f"status.{name}") for name in ("health", "breath", "luck")},
    blows={Struck: lambda scene, event: Blow(event.by, ", ".join([one.item for one in scene[event.by].belongings]))},
)


rulebook = Rulebook(
    character=Coinling,
    create=create,
    legality=legality,
    sheet=sheet,
    enter=enter,
    encounter=encounter,
    actions=ACTIONS,
    calendar=Calendar((Unit("hour", 1), Unit("day", 24))),
    apply=apply,
    kinds={"weapons": Weapon, "folk": Folk},
    people=("folk",),
    idle="wait",
    checks=CHECKS,
    processes=(rest, award, advance, *trading(TRADE)),
    value=value,
    rate=rate,
    health=health,
    reckoning=RECKONING,
)
