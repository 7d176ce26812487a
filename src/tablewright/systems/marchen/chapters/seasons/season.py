"""Seasons, months and weeks: plans, passing time and results.

A plan for a season is secret until the season is over. It is part of the status, so that a season can be interrupted
and continued; a participant who has to face the end in it does not complete it.
"""

from __future__ import annotations

from typing import Annotated

from tablewright.engine import ClosedOption, Param, choose, process
from tablewright.errors import InvalidInputError, did_you_mean, refuse, refuse_if
from tablewright.game.character import belongings as goods
from tablewright.game.character.creation import CreationOption, Step, choose_step
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import BelongingsChanged, TimePassed
from tablewright.game.play.time_passage import Who, advance_time
from tablewright.game.scene.events import Event, ParticipantEvent, unchanged
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import OWNER, visible
from tablewright.game.time.clock import Timer
from tablewright.systems.marchen.chapters import life
from tablewright.systems.marchen.chapters.seasons.activities import (
    ANOTHER,
    PHASES,
    add_raise,
    add_supply,
    add_treasure,
    told,
)
from tablewright.systems.marchen.chapters.seasons.catalogue import OWN_WORDS, SCALES
from tablewright.systems.marchen.character.record import MOST_NAME, MarchenCharacter, Raise
from tablewright.systems.marchen.content import Skill
from tablewright.systems.marchen.events.fight import apply, relimited, with_chronicle
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.harm import change
from tablewright.systems.marchen.mechanics.harm import levels_of_success
from tablewright.systems.marchen.mechanics.turn import SEASONS_PER_YEAR, month_ticks, season_ticks, ticks_of
from tablewright.systems.marchen.status import FATES, Status, chronicle, company, lives, with_people
from tablewright.systems.marchen.tasks import OUTCOMES, Alive, rolled, takes_time

SEASON, LIVING, SANCTUARY = (
    "marchen.season.sojourn",
    "marchen.sojourn.raise_standard_of_living",
    "marchen.sojourn.open_sanctuary",
)
MONTH_DUE, SEASON_DUE = "month", "season"
DESTROYED, INTERRUPTED = "marchen.interrupted.overcome_destruction", "marchen.interrupted.trigger"
DEAD, TOGETHER = FATES["physical"], "open_sanctuary"
NAMING = Step("season", "Season")
IDLE = ActionUse("rest", label="Nothing in particular")
Plans = Annotated[tuple[str, ...], Param("plans, each as who=activity or who=activity:detail")]


# ---------------------------------------------------------------------- events


@apply.sets("plan")
class Undertook(ParticipantEvent):
    """A participant's secret plan for a season."""

    plan: str = visible(OWNER)


@apply.by(unchanged)
class Spent(ParticipantEvent):
    """A month or a week spent on an activity."""

    scale: str = visible()
    plan: str = visible()


class SeasonBegan(Event):
    """A season begins; stored helps of the time before are gone."""

    mentions = ()
    number: int = visible()


class SeasonEnded(Event):
    """A season is over, and everyone sees what the others did."""

    mentions = ()
    number: int = visible()
    people: tuple[str, ...] = visible(default=())
    plans: tuple[str, ...] = visible()


class SanctuaryOpened(Event):
    """A place is a sanctuary of the company from now on."""

    mentions = ()
    place: str = visible()


@apply.by(lambda scene, event: with_chronicle(scene, place=event.place, culture=event.culture, features=event.features))
class Arrived(Event):
    """The company is somewhere: whose land it is and what there is."""

    mentions = ()
    place: str = visible()
    culture: str = visible()
    features: tuple[str, ...] = visible()


@apply.on(SeasonBegan)
def _season_began(scene: Scene, event: SeasonBegan) -> Scene:
    clock = scene.clock.schedule(MONTH_DUE, after=month_ticks(scene.options), every=month_ticks(scene.options))
    clock = clock.schedule(SEASON_DUE, after=season_ticks(scene.options), rank=1)
    for one in scene.participants:
        if one.status.interrupted:
            scene = scene.with_status(one.id, interrupted=False)
        if one.character.boons or one.character.sung:
            rested = one.character.changed(boons=(), sung=())
            scene = scene.with_participant(evolve(scene[one.id], character=rested))
    return with_chronicle(evolve(scene, clock=clock), season=event.number, running=True)


@apply.on(SeasonEnded)
def _season_ended(scene: Scene, event: SeasonEnded) -> Scene:
    for one in scene.participants:
        scene = scene.with_status(one.id, plan="", interrupted=False, phase=0)
    alive = [one for one in scene.present if one.status.fate != DEAD]
    scene = with_people(scene, alive, lambda one: {"seasons": (one.seasons + 1) % SEASONS_PER_YEAR})
    return with_chronicle(evolve(scene, clock=scene.clock.cancel(MONTH_DUE)), running=False)


@apply.after(TimePassed)
def _time_passed(scene: Scene, event: TimePassed) -> Scene:
    """Outside a season of the company's own the calendar counts: people age, and what lasts for seasons ends.

    The season itself counts for both when it ends.
    """
    if not event.amount or chronicle(scene).running:
        return scene
    long = season_ticks(scene.options)
    for one in scene.present:
        if one.status.fate != DEAD:
            lived, phase = one.status.lived + event.amount, one.status.phase + event.amount
            scene = scene.with_status(one.id, lived=lived % long, phase=phase % long)
            if lived >= long or phase >= long:
                years, rest = divmod(one.character.seasons + lived // long, SEASONS_PER_YEAR)
                grown = one.character.changed(
                    age=one.character.age + years, seasons=rest, raises=one.character.raises_after(phase // long)
                )
                scene = relimited(scene.with_participant(evolve(scene[one.id], character=grown)), one.id)
    return scene


@apply.on(SanctuaryOpened)
def _sanctuary_opened(scene: Scene, event: SanctuaryOpened) -> Scene:
    place = event.place[:MOST_NAME]
    return with_people(
        scene, company(scene), lambda one: {"sanctuaries": tuple(dict.fromkeys([*one.sanctuaries, place]))}
    )


# ---------------------------------------------------------------------- plans


def read_plan(scene: Scene, plan: str, scale: str) -> tuple[str, ActionUse]:
    """Participant and activity of a plan, ``who=activity:detail``; an illegal one is refused with its rule."""
    who, sign, rest = plan.partition("=")
    if not sign:
        raise InvalidInputError(f'"{plan:.60}" is not of the form who=activity or who=activity:detail', field="plans")
    return scene[who.strip()].id, use_of(scene, scene[who.strip()].id, rest, scale)


def use_of(scene: Scene, who: str, text: str, scale: str) -> ActionUse:
    """An activity with its detail, checked."""
    name, _, detail = text.strip().partition(":")
    actions = SCALES[scale]
    if name == IDLE.action:
        return IDLE
    if name not in actions.by_id:
        raise InvalidInputError(
            f'there is no activity "{name:.40}" for a {scale}{did_you_mean(name, actions.by_id)}', field="plans"
        )
    if not lives(scene[who]) or (scale != "season" and scene[who].status.down):
        raise scene.cannot(who, f"is {scene[who].status.fate or 'down'}", OUTCOMES)
    if scene[who].character.retired:
        raise scene.cannot(who, "has retired", "marchen.season.epilogue")
    use = ActionUse(name, detail=detail.strip() or None)
    refuse(actions.by_id[name].refusal(scene, who, use), actions.by_id[name].title)
    return use


def use_from(plan: str) -> ActionUse:
    """A plan as it stands in a status."""
    name, _, detail = plan.partition(":")
    return ActionUse(name, detail=detail or None)


def plan_of(use: ActionUse) -> str:
    """A use as it stands in a status."""
    return use.action if use.detail is None else f"{use.action}:{use.detail}"


def takes_part(one: Participant) -> bool:
    """True if a participant has a season of its own: a living character who has not retired."""
    status: Status = one.status
    character: MarchenCharacter = one.character
    return one.present and not status.fate and not character.is_creature and not character.retired


def undecided(scene: Scene) -> list[str]:
    """Participants without a plan for this season."""
    return [one.id for one in scene.participants if takes_part(one) and not one.status.plan]


def _undertake(game: Game, who: str, use: ActionUse) -> None:
    game.emit(Undertook(who=who, plan=plan_of(use), to=game.seat(who), cause=SEASON))


@process(rules=["marchen.season.sojourn", "marchen.season.recover", "marchen.action.scales", "marchen.recover.sojourn"])
async def season(game: Game, plans: Plans = ()) -> int:
    """Play a season: everyone chooses one activity in secret, three months pass, and the end shows the results."""
    takes_time(game)
    for plan in plans:
        who, use = read_plan(game.scene, plan, "season")
        _undertake(game, who, use)
    if not chronicle(game.scene).running:
        game.emit(SeasonBegan(number=chronicle(game.scene).season + 1, cause=SEASON))
    while left := undecided(game.scene):
        who = left[0]

        def find(who: str = who) -> list[ActionUse | ClosedOption]:
            return [IDLE, *SCALES["season"].options(game.scene, who)]

        use = await choose(game.seat(who), "what do you do this season?", find, details={"who": who}, default=IDLE)
        _undertake(game, who, await _named(game, who, use))
    for one in game.scene.present:
        _begin_to_live(game, one)
    ahead = game.scene.clock.left(SEASON_DUE)
    if ahead:
        await advance_time(game, ahead, cause=SEASON)
    return chronicle(game.scene).season


async def _named(game: Game, who: str, use: ActionUse) -> ActionUse:
    """An activity with its detail in the player's own words, if these can be chosen."""
    question, detail = OWN_WORDS.get(use.action), str(use.detail)
    skill, stroke, name = detail.partition("/")
    if question is None or (use.action == "training" and name != ANOTHER):
        return use
    names = list(game.scene.library.get(Skill, skill).named) if stroke else [detail]
    known = [one.name for one in game[who].character.specializations if one.skill == skill]
    offers = [CreationOption(word, rule=SEASON) for word in names if word not in known]
    while True:
        said = (await choose_step(NAMING, question, offers, seat=game.seat(who), own_words=True)).id.strip()[:MOST_NAME]
        meant = ActionUse(use.action, detail=f"{skill}/{said}" if stroke else said)
        refused = SCALES["season"].by_id[use.action].refusal(game.scene, who, meant)
        if refused is None:
            return meant
        what = f"{said}: {refused.reason}"
        game.emit(Followed(who=who, what=what, to=game.seat(who), cause=refused.rule))  # plans are secret


def _begin_to_live(game: Game, one: Participant) -> None:
    """Raise the social score of those who live better, from the start through the next season."""
    use = use_from(one.status.plan)
    if use.action == "standard_of_living":
        raised = Raise(aspect="social", value=int(use.detail or 1), phases=PHASES, source="standard of living")
        add_raise(game, one.id, raised, LIVING)


@process(rules=["marchen.season.sojourn", "marchen.season.recover"])
async def undertake(
    game: Game,
    who: Who,
    plan: Annotated[str, Param("the activity, or activity:detail")],
) -> None:
    """Choose the activity of a season beforehand; the season then asks only the others."""
    _undertake(game, who, use_of(game.scene, who, plan, "season"))


async def month_passed(game: Game) -> None:
    """Collect the monthly price of better living (marchen.sojourn.raise_standard_of_living)."""
    for one in game.scene.present:
        use = use_from(one.status.plan)
        if use.action == "standard_of_living":
            add_treasure(game, one.id, -int(use.detail or 1), LIVING)


async def season_passed(game: Game) -> None:
    """A season is over: what people did bears fruit, unless they were interrupted."""
    before = game.scene
    plans = tuple([(one.id, one.status.plan) for one in before.present if one.status.plan])
    company = [one for one in before.present if takes_part(one)]
    together = all(one.status.plan == TOGETHER for one in company)
    if company and together:
        place = chronicle(before).place or "this place"
        game.emit(SanctuaryOpened(place=place, cause=SANCTUARY))
    for who, plan in plans:
        use = use_from(plan)
        action = SCALES["season"].by_id.get(use.action)
        if action is None or game[who].status.fate:
            continue
        if game[who].status.interrupted:
            told(game, who, f"{action.title} comes to nothing: the season was interrupted", INTERRUPTED)
            continue
        refused = action.refusal(game.scene, who, use)
        if use.action == TOGETHER and not together:
            told(game, who, f"{action.title} comes to nothing: not all companions have chosen it", SANCTUARY)
        elif refused is not None:
            told(game, who, f"{action.title} comes to nothing: {refused.reason}", refused.rule)
        else:
            await action.perform(game, who, use)
    number = chronicle(game.scene).season
    for one in game.scene.present:
        _season_wears_off(game, one.id)
    people, what = tuple([who for who, _ in plans]), tuple([plan for _, plan in plans])
    game.emit(SeasonEnded(number=number, people=people, plans=what, cause=SEASON))


def _season_wears_off(game: Game, who: str) -> None:
    """Shorten temporary raises by a season, and let characters age after four."""
    character: MarchenCharacter = game[who].character
    left = character.raises_after(1)
    if left != character.raises:
        change(game, who, "a raise is a season older", "marchen.aspect.current_and_maximum", raises=left)
    if character.seasons + 1 == SEASONS_PER_YEAR and game[who].status.fate != DEAD:
        change(game, who, f"age {character.age + 1}", "marchen.time.frames", age=character.age + 1)


async def fall_due(game: Game, due: Timer) -> None:
    """Run the timers of months and seasons."""
    if due.what == MONTH_DUE:
        await month_passed(game)
    elif due.what == SEASON_DUE:
        await season_passed(game)


# ---------------------------------------------------------------------- months and weeks


async def _spend(game: Game, plans: tuple[str, ...], scale: str, cause: str) -> None:
    takes_time(game)
    if not plans:
        raise InvalidInputError("nobody does anything; name who=activity", field="plans")
    doing = [read_plan(game.scene, plan, scale) for plan in plans]
    named = [who for who, _ in doing]
    refuse_if(len(set(named)) < len(named), f"one action of a {scale} for each", rule="marchen.action.scales")
    for who, use in doing:
        action = SCALES[scale].by_id.get(use.action)
        game.emit(Spent(who=who, scale=scale, plan=plan_of(use), cause=action.rules[0] if action else cause))
        if action is not None:
            await action.perform(game, who, use)
    await advance_time(game, ticks_of(scale, 1, game.scene.options.month_days), cause=cause)


@process(rules=["marchen.action.scales"])
async def month(game: Game, plans: Plans) -> None:
    """Play a month: each participant named does one monthly activity, and the month passes."""
    await _spend(game, plans, "month", "marchen.action.scales")


@process(rules=["marchen.action.scales"])
async def week(game: Game, plans: Plans) -> None:
    """Play a week: each participant named does one weekly activity, and the week passes."""
    await _spend(game, plans, "week", "marchen.action.scales")


@process(rules=["marchen.sojourn.open_sanctuary", "marchen.sojourn.receive_title"])
async def arrive(
    game: Game,
    place: Annotated[str, Param("place of the company")],
    culture: Annotated[str, Param("culture of the land; empty for home")] = "",
    features: Annotated[
        tuple[str, ...], Param("features of the place: market, guards, games, mountains, caves, lord ...")
    ] = (),
    sanctuary: Annotated[bool, Param("whether it is a sanctuary")] = False,
) -> None:
    """Set the place of the company and its features, as the Referee."""
    game.emit(Arrived(place=place, culture=culture, features=features, cause="marchen.action.scales"))
    if sanctuary:
        game.emit(SanctuaryOpened(place=place, cause=SANCTUARY))


@process(rules=["marchen.interrupted.overcome_destruction"])
async def overcome_destruction(game: Game, who: Alive) -> None:
    """Spend a season starting again from nothing: basic gear, and supply by social standing."""
    takes_time(game)
    await advance_time(game, season_ticks(game.scene.options), cause=DESTROYED)
    result = await rolled(game, who, "social", life.strangeness(game[who].character, game.scene))
    supply = 1 + levels_of_success(result) if result.success else 0
    add_supply(game, who, supply - game[who].character.supply, DESTROYED)
    basic = goods.add_item((), "clothing", place="worn")
    game.emit(BelongingsChanged(who=who, what="basic gear", belongings=basic, cause=DESTROYED))


PROCESSES = (season, undertake, month, week, arrive, overcome_destruction)
