"""Coinfolk's characters, actions, fights, rest and advancement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Annotated, Any, Literal

from coinfolk import CoinfolkOptions, Strike, check, strike
from tablewright.engine import Param, Role, Tally, process
from tablewright.engine.parameter_types import IntType
from tablewright.engine.parameters import Parameter
from tablewright.errors import IllegalActionError
from tablewright.game.character.belongings import Belongings, add_item
from tablewright.game.character.character import Character, Field, Frozen
from tablewright.game.character.creation import DONE, Budget, CreationOption, Spread, Step, choose_step, spread
from tablewright.game.character.legality import Legality, unknown_ids
from tablewright.game.character.sheet import Section, Sheet
from tablewright.game.character.sheet import SheetEntry as Line
from tablewright.game.content.entries import ContentEntry as Content
from tablewright.game.play.action_kinds import ActionKind, action, on_each
from tablewright.game.play.actions import Actions, ActionUse, Refusal, each_use, needs
from tablewright.game.play.checks import Check, CheckPlan, Contender, Subject
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import CharacterChanged, Moved, OrderSet
from tablewright.game.play.effects import Effect, EffectGained, total_strength, until_turn_of
from tablewright.game.play.targeting import targets, within_reach
from tablewright.game.play.time_passage import advance_time
from tablewright.game.play.tracks import describe_level
from tablewright.game.play.trade import Trade, trading
from tablewright.game.play.turns import play_rounds, take_turn, winning_side
from tablewright.game.play.vitals import Attribution, Vitals
from tablewright.game.scene.events import ParticipantEvent, Reducer
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.game.session.ratings import distance_to_nearest_enemy, expected, rating_table, side_value
from tablewright.game.system.rulebook import Rating, Rulebook
from tablewright.game.time.calendar import Calendar, Unit

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
    """Status of a coinling in a scene. Others see its health only as a word."""

    health: int = visible(OWNER)
    breath: int = visible()
    luck: int = visible(OWNER)
    belongings: Belongings = visible(OWNER, default=())
    dazed: bool = visible(default=False)
    lasting: tuple[Effect, ...] = visible(default=())


def enter(subject: Subject) -> Status:
    """Well, with all breath and a piece of luck."""
    who: Coinling = subject.character
    return Status(most_health(who).total, who.wit, 1, who.belongings)


TRADE = Trade(
    find=lambda item, library: library.get(Weapon, item),
    price=lambda weapon, count: weapon.price * count,
    purse="pennies",
    keeps=lambda one: Refusal(f"{one.name} is up and keeps it", GEAR_RULE) if up(one) else None,
    owning=GEAR_RULE,
    prices=GEAR_RULE,
)
STATS, GEAR = Step("stats", "Stats"), Step("gear", "Gear")


@process(rules=["coinfolk.creation.points", "coinfolk.creation.gear"])
async def create(game: Game, name: Annotated[str, Param("the coinling's name")] = "Nobody") -> Coinling:
    """Six points on grit and wit, at least one each; then perhaps a weapon."""
    stats = await spread(STATS, "raise which stat?", ("grit", "wit"), POINTS)
    made = Coinling(name=name).changed(**stats)
    weapons = [CreationOption(entry.id, entry.name, entry.price) for entry in game.scene.library.of(Weapon)]
    money = Budget("pennies", PENNIES, 0, GEAR_RULE)
    taken = await choose_step(GEAR, "buy a weapon?", [*weapons, DONE], budget=money)
    if taken is DONE:
        return made
    bought = add_item((), taken.id, place="hand")
    return made.changed(belongings=bought, pennies=money.spend(taken.cost).left)


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


def _plan(stat: str, subject: Subject, difficulty: int, helpers: int) -> CheckPlan:
    coins = Tally.of(stat, getattr(subject.character, stat), CHECK)
    coins = subject.with_rulings(coins.add("helpers", helpers, CHECK), stat).limit(0, 12)
    return CheckPlan(check(coins.total, difficulty), {"coins": coins})


def _against(one: Contender, other: Contender) -> CheckPlan:
    """Beat the other's stat in heads."""
    return _plan(one.what, one.subject, getattr(other.subject.character, other.what), one.situation["helpers"])


SITUATION = (
    Parameter("difficulty", IntType(0, 12), "heads needed", 1),
    Parameter("helpers", IntType(0, 3), "friends who lend a coin", 0),
)
CHECKS = (
    Check("grit", "Grit", SITUATION, partial(_plan, "grit"), (CHECK,), ("difficulty",), _against),
    Check("wit", "Wit", SITUATION, partial(_plan, "wit"), (CHECK,), ("difficulty",), _against),
)


class Struck(ParticipantEvent):
    """A strike: the damage, and the coins both spent."""

    mentions = ("who", "by")
    template = "{by} strikes {who}: {harm} harm[, luck {luck}][, breath {breath}]"
    by: str = visible()
    harm: int = visible()
    luck: int = visible()
    breath: int = visible()


class Recovered(ParticipantEvent):
    """A recovery."""

    template = "{who}: recovered[, health {health}]"
    health: int = visible(OWNER)


apply: Reducer[Scene] = Reducer(common_reducer)


@apply.on(Struck)
def _struck(scene: Scene, event: Struck) -> Scene:
    hurt, by = scene[event.who].status, scene[event.by].status
    scene = scene.with_status(event.by, luck=by.luck - event.luck)
    return scene.with_status(
        event.who,
        health=hurt.health - event.harm,
        breath=hurt.breath - event.breath,
        dazed=hurt.dazed or event.harm >= 3,
    )


@apply.on(Recovered)
def _recovered(scene: Scene, event: Recovered) -> Scene:
    return scene.with_status(event.who, health=event.health, breath=scene[event.who].character.wit, dazed=False)


@apply.sets(dazed=False)
class Shook(ParticipantEvent):
    """A catch of breath."""

    template = "{who} catches breath"


def up(participant: Participant) -> bool:
    """Tell whether a character still stands."""
    return participant.present and participant.status.health > 0


def _steps(scene: Scene, who: str) -> Iterator[ActionUse]:
    here = scene[who].position
    if here is not None:
        for there in scene.ground.reachable(here, STRIDE):
            yield ActionUse("walk", detail=str(there), label=f"Walk to {there}")


def _in_reach(scene: Scene, who: str, use: ActionUse) -> str | None:
    return None if within_reach(scene, who, str(use.target), REACH) else f"{use.target} is out of reach"


whole_turn = ActionKind(
    (needs(lambda scene, who: not scene[who].status.dazed, "dazed", "coinfolk.fight.daze"),), cost_text="the turn"
)


@whole_turn(
    "Strike",
    STRIKE,
    (each_use(_in_reach, "coinfolk.fight.reach"),),
    on_each(lambda scene, who: targets(scene, who, up), "Strike {}"),
)
async def _strike(game: Game, who: str, use: ActionUse) -> None:
    me, foe = game[who], game[str(use.target)]
    coins = Tally.of("grit", me.character.grit, STRIKE).add(
        "winded", -total_strength(me.status.lasting, "winded"), WINDED
    )
    coins = game.scene.apply_rulings(coins, "strike", who).limit(0, 12)
    dodge = foe.character.wit if foe.status.breath > 0 and game.scene.options.ducking == "after" else 0
    edges = [game.scene.library.get(Weapon, carried.item).edge for carried in me.belongings]
    call = strike(coins.total, max(edges, default=0), me.status.luck, dodge)
    result: Strike = await call.by(me.seat, foe.seat, tallies={"coins": coins}, private={"luck": Role.ACTOR})
    game.emit(Struck(who=foe.id, by=who, cause=STRIKE, **result._asdict()))
    if result.breath:
        winded = Effect("winded", until_turn_of(game.scene, foe.id, edge="end"))
        game.emit(EffectGained(who=foe.id, what=winded, cause=WINDED))


@whole_turn("Walk", "coinfolk.fight.walk", uses=_steps)
async def _walk(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Moved(who=who, position=game.scene.ground.parse(str(use.detail)), cause="coinfolk.fight.walk"))


@action("Catch your breath", TURN, cost_text="the turn")
async def _wait(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Shook(who=who, cause="coinfolk.fight.daze"))


ACTIONS = Actions((_strike, _walk, _wait))


@process(rules=[TURN])
async def encounter(game: Game) -> None:
    """Give turns in the order of wit, round after round, until one side stands."""
    if not game.scene.order:
        by_wit = sorted(game.scene.present, key=lambda one: -one.character.wit)
        game.emit(OrderSet(order=tuple([one.id for one in by_wit]), cause=TURN))
    await play_rounds(game, turn, lambda scene: winning_side(scene, up), cause=TURN)


async def turn(game: Game, who: str) -> None:
    """One action, and the turn is over."""
    await take_turn(game, who, goes_on=lambda scene, who: up(scene[who]), most=1)


@process(rules=["coinfolk.rest.heal"])
async def rest(game: Game, who: Who, hours: Annotated[int, Param("how long", 1, 1000)] = 8) -> None:
    """One health for every four hours, all breath and a clear head at once."""
    most = most_health(game[who].character).total
    await advance_time(game, hours, cause="coinfolk.rest.heal")
    game.emit(Recovered(who=who, health=min(most, game[who].status.health + hours // 4), cause="coinfolk.rest.heal"))


@process(rules=["coinfolk.advancement.marks"])
async def award(game: Game, who: Who, marks: Annotated[int, Param("marks earned", 1, 9)]) -> None:
    """Marks for a deed."""
    changed = game[who].character.changed(marks=game[who].character.marks + marks)
    game.emit(CharacterChanged(who=who, what=f"{marks} marks", character=changed, cause="coinfolk.advancement.marks"))


@process(rules=["coinfolk.advancement.raise"])
async def advance(game: Game, who: Who, stat: Annotated[Literal["grit", "wit"], Param("what is raised")]) -> None:
    """Raise a stat for as many marks as its new value."""
    character: Coinling = game[who].character
    new = getattr(character, stat) + 1
    if new > 9 or character.marks < new:
        raise IllegalActionError(
            f"{stat} {new} costs {new} marks, not {character.marks}", rule="coinfolk.advancement.raise"
        )
    raised = character.changed(**{stat: new, "marks": character.marks - new, "raised": character.raised + 1})
    game.emit(CharacterChanged(who=who, what=f"{stat} {new}", character=raised, cause="coinfolk.advancement.raise"))


def _gap(scene: Scene, one: Participant) -> Fraction:
    return Fraction(distance_to_nearest_enemy(scene, one.id, up), 9)


def _walking(scene: Scene, who: str, use: ActionUse) -> Rating:
    return Rating(harm=1 - Fraction(distance_to_nearest_enemy(scene, who, up, scene.ground.parse(str(use.detail))), 9))


value = side_value(lambda one: 2 * max(0, one.status.health) + one.status.luck + one.status.breath, apart=_gap)
rate = rating_table(
    {
        "strike": lambda scene, who, use: Rating(harm=1 + expected(strike(scene[who].character.grit), "harm")),
        "walk": _walking,
        "wait": lambda scene, who, use: Rating(safety=int(scene[who].status.dazed)),
    }
)


def health(participant: Participant) -> str:
    """Health of a coinling as others see it."""
    most = most_health(participant.character).total
    return describe_level(participant.status.health, most, {0: "down", Fraction(1, 2): "hurt"}, "well")


RECKONING = Vitals(
    is_standing=up,
    dead=lambda one: False,  # the folk get up again
    health_points=lambda one: one.status.health,
    harm="harm",
    left={name: attrgetter(f"status.{name}") for name in ("health", "breath", "luck")},
    damage_events={
        Struck: lambda scene, event: Attribution(event.by, ", ".join([one.item for one in scene[event.by].belongings]))
    },
)


rulebook = Rulebook(
    character=Coinling,
    create=create,
    legality=legality,
    sheet=sheet,
    make_status=enter,
    encounter=encounter,
    actions=ACTIONS,
    calendar=Calendar((Unit("hour", 1), Unit("day", 24))),
    apply=apply,
    kinds={"weapons": Weapon, "folk": Folk},
    character_kinds=("folk",),
    pass_action="wait",
    checks=CHECKS,
    processes=(rest, award, advance, *trading(TRADE)),
    score_scene=value,
    rate_use=rate,
    health=health,
    vitals=RECKONING,
)
