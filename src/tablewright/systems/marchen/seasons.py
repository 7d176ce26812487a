"""Seasons, months and weeks: everybody says what they do, time passes, and what comes of it is seen at the end.

What somebody plans for a season is their own secret until it is over. A plan stands in the status, so that a season can
be interrupted and gone on with; whoever has to face the end in it does not complete it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tablewright.engine import Closed, Param, choose, process
from tablewright.errors import BadInput, RulesSayNo, nearest
from tablewright.game import belongings as goods
from tablewright.game.actions import Use
from tablewright.game.clock import Due
from tablewright.game.common import BelongingsChanged
from tablewright.game.creation import Offer, Step, pick
from tablewright.game.events import OWNER, Event, shown
from tablewright.game.passing import let_time_pass
from tablewright.game.scene import Live, Participant, Scene, replaced
from tablewright.systems.marchen import life
from tablewright.systems.marchen.activities import ANOTHER, PHASES, add_raise, add_supply, add_treasure, told
from tablewright.systems.marchen.catalogue import OWN_WORDS, SCALES
from tablewright.systems.marchen.character import MarchenCharacter
from tablewright.systems.marchen.character.record import FOR_GOOD, MOST_NAME, Raise
from tablewright.systems.marchen.content import Skill
from tablewright.systems.marchen.events import apply, with_chronicle
from tablewright.systems.marchen.harm import change
from tablewright.systems.marchen.outside import Followed
from tablewright.systems.marchen.status import Status, chronicle, company, lives, with_people
from tablewright.systems.marchen.suffering import levels_of_success
from tablewright.systems.marchen.timing import SEASONS_PER_YEAR, month_ticks, season_ticks, ticks_of
from tablewright.systems.marchen.trying import OUTCOMES, alive, rolled, takes_time

SEASON, LIVING, SANCTUARY = (
    "marchen.season.sojourn",
    "marchen.sojourn.raise_standard_of_living",
    "marchen.sojourn.open_sanctuary",
)
MONTH_DUE, SEASON_DUE = "month", "season"
DESTROYED, INTERRUPTED = "marchen.interrupted.overcome_destruction", "marchen.interrupted.trigger"
NAMING = Step("season", "Season")
IDLE = Use("rest", label="Nothing in particular")
Plans = Annotated[tuple[str, ...], Param("what people do, each as who=activity or who=activity:detail")]


# ---------------------------------------------------------------------- events


def in_brief(plan: str) -> str:
    """A plan in words.

    >>> in_brief("court_a_spouse:Hilde"), in_brief("rest")
    ('court a spouse (Hilde)', 'rest')
    """
    name, _, detail = plan.replace("_", " ").partition(":")
    return f"{name} ({detail})" if detail else name


@dataclass(frozen=True, kw_only=True)
class Undertook(Event):
    """Somebody has decided what to do for a season; nobody else knows yet."""

    words = "{who} has a plan[: {plan}]"
    who: str = shown()
    plan: str = shown(OWNER)


@dataclass(frozen=True, kw_only=True)
class Spent(Event):
    """Somebody spends a month or a week on something."""

    who: str = shown()
    scale: str = shown()
    plan: str = shown()

    def in_words(self) -> str:
        """What for."""
        return f"{self.who} spends a {self.scale}: {in_brief(self.plan)}"


@dataclass(frozen=True, kw_only=True)
class SeasonBegan(Event):
    """A season begins; stored helps of the time before are gone."""

    about = ()
    words = "season {number} begins"
    number: int = shown()


@dataclass(frozen=True, kw_only=True)
class SeasonEnded(Event):
    """A season is over, and everybody sees what the others did."""

    about = ()
    number: int = shown()
    people: tuple[str, ...] = shown(default=())
    plans: tuple[str, ...] = shown()

    def in_words(self) -> str:
        """Who did what."""
        known = len(self.people) == len(self.plans)  # whoever nobody knows of is not told of
        whose = zip(self.people, self.plans, strict=True) if known else ()
        did = "; ".join([f"{who}: {in_brief(plan)}" for who, plan in whose])
        return f"season {self.number} is over" + (f": {did}" if did else "")


@dataclass(frozen=True, kw_only=True)
class SanctuaryOpened(Event):
    """A place is a sanctuary of the company from now on."""

    about = ()
    words = "{place} is a sanctuary now"
    place: str = shown()


@dataclass(frozen=True, kw_only=True)
class Arrived(Event):
    """The company is somewhere: whose land it is and what there is."""

    about = ()
    words = "the company is in {place}[ ({culture})]"
    place: str = shown()
    culture: str = shown()
    features: tuple[str, ...] = shown()


@apply.on(Undertook)
def _undertook(scene: Scene, event: Undertook) -> Scene:
    return scene.change(event.who, plan=event.plan)


@apply.on(Spent)
def _spent(scene: Scene, event: Spent) -> Scene:
    return scene


@apply.on(SeasonBegan)
def _season_began(scene: Scene, event: SeasonBegan) -> Scene:
    clock = scene.clock.schedule(MONTH_DUE, after=month_ticks(scene.options), every=month_ticks(scene.options))
    clock = clock.schedule(SEASON_DUE, after=season_ticks(scene.options), rank=1)
    for one in scene.participants:
        if one.status.interrupted:
            scene = scene.change(one.id, interrupted=False)
        if one.character.boons or one.character.sung:
            rested = one.character.changed(boons=(), sung=())
            scene = scene.with_participant(replaced(scene[one.id], character=rested))
    return with_chronicle(replaced(scene, clock=clock), season=event.number, running=True)


@apply.on(SeasonEnded)
def _season_ended(scene: Scene, event: SeasonEnded) -> Scene:
    for one in scene.participants:
        scene = scene.change(one.id, plan="", interrupted=False)
    scene = with_people(scene, scene.present, lambda one: {"seasons": (one.seasons + 1) % SEASONS_PER_YEAR})
    clock = scene.clock.cancel(MONTH_DUE)
    return with_chronicle(replaced(scene, clock=clock), running=False)


@apply.on(SanctuaryOpened)
def _sanctuary_opened(scene: Scene, event: SanctuaryOpened) -> Scene:
    place = event.place[:MOST_NAME]
    return with_people(
        scene, company(scene), lambda one: {"sanctuaries": tuple(dict.fromkeys([*one.sanctuaries, place]))}
    )


@apply.on(Arrived)
def _arrived(scene: Scene, event: Arrived) -> Scene:
    return with_chronicle(scene, place=event.place, culture=event.culture, features=event.features)


# ---------------------------------------------------------------------- plans


def read_plan(scene: Scene, plan: str, scale: str) -> tuple[str, Use]:
    """Who does what, from ``who=activity:detail``; what is not allowed is refused with its rule."""
    who, sign, rest = plan.partition("=")
    if not sign:
        raise BadInput(f'"{plan:.60}" is not of the form who=activity or who=activity:detail', field="plans")
    return scene[who.strip()].id, use_of(scene, scene[who.strip()].id, rest, scale)


def use_of(scene: Scene, who: str, text: str, scale: str) -> Use:
    """An activity with its detail, checked."""
    name, _, detail = text.strip().partition(":")
    actions = SCALES[scale]
    if name == IDLE.action:
        return IDLE
    if name not in actions.by_id:
        raise BadInput(f'there is no activity "{name:.40}" for a {scale}{nearest(name, actions.by_id)}', field="plans")
    if not lives(scene[who]) or (scale != "season" and scene[who].status.down):
        raise RulesSayNo(f"{scene.called(who)} is {scene[who].status.fate or 'down'}", rule=OUTCOMES)
    if scene[who].character.retired:
        raise RulesSayNo(f"{scene.called(who)} has retired", rule="marchen.season.epilogue")
    use = Use(name, detail=detail.strip() or None)
    refused = actions.by_id[name].refusal(scene, who, use)
    if refused is not None:
        raise RulesSayNo(f"{name}: {refused.reason}", rule=refused.rule)
    return use


def use_from(plan: str) -> Use:
    """A plan as it stands in a status."""
    name, _, detail = plan.partition(":")
    return Use(name, detail=detail or None)


def plan_of(use: Use) -> str:
    """A use as it stands in a status."""
    return use.action if use.detail is None else f"{use.action}:{use.detail}"


def takes_part(one: Participant) -> bool:
    """Whether somebody has a season of their own: a character who is up and not retired."""
    status: Status = one.status
    character: MarchenCharacter = one.character
    return one.present and not status.fate and not character.is_creature and not character.retired


def undecided(scene: Scene) -> list[str]:
    """Those who have not said yet what they do this season."""
    return [one.id for one in scene.participants if takes_part(one) and not one.status.plan]


def _undertake(game: Live, who: str, use: Use) -> None:
    game.emit(Undertook(who=who, plan=plan_of(use), to=game.seat(who), cause=SEASON))


@process(rules=["marchen.season.sojourn", "marchen.season.recover", "marchen.action.scales", "marchen.recover.sojourn"])
async def season(game: Live, plans: Plans = ()) -> int:
    """A season: everybody chooses one activity unseen, three months pass, and what comes of it is seen at the end."""
    takes_time(game)
    for plan in plans:
        who, use = read_plan(game.scene, plan, "season")
        _undertake(game, who, use)
    if not chronicle(game.scene).running:
        game.emit(SeasonBegan(number=chronicle(game.scene).season + 1, cause=SEASON))
    while left := undecided(game.scene):
        who = left[0]

        def find(who: str = who) -> list[Use | Closed]:
            return [IDLE, *SCALES["season"].offers(game.scene, who)]

        use = await choose(game.seat(who), "what do you do this season?", find, about={"who": who}, default=IDLE)
        _undertake(game, who, await _named(game, who, use))
    for one in game.scene.present:
        _begin_to_live(game, one)
    ahead = game.scene.clock.left(SEASON_DUE)
    if ahead:
        await let_time_pass(game, ahead, cause=SEASON)
    return chronicle(game.scene).season


async def _named(game: Live, who: str, use: Use) -> Use:
    """An activity with what it is about in one's own words, where these can be chosen."""
    question, detail = OWN_WORDS.get(use.action), str(use.detail)
    skill, stroke, name = detail.partition("/")
    if question is None or (use.action == "training" and name != ANOTHER):
        return use
    names = list(game.scene.library.get(Skill, skill).named) if stroke else [detail]
    known = [one.name for one in game[who].character.specializations if one.skill == skill]
    offers = [Offer(word, rule=SEASON) for word in names if word not in known]
    while True:
        said = (await pick(NAMING, question, offers, seat=game.seat(who), own_words=True)).id.strip()[:MOST_NAME]
        meant = Use(use.action, detail=f"{skill}/{said}" if stroke else said)
        refused = SCALES["season"].by_id[use.action].refusal(game.scene, who, meant)
        if refused is None:
            return meant
        what = f"{said}: {refused.reason}"
        game.emit(Followed(who=who, what=what, to=game.seat(who), cause=refused.rule))  # plans are secret


def _begin_to_live(game: Live, one: Participant) -> None:
    """Whoever lives better does so from the start, through this season and the next."""
    use = use_from(one.status.plan)
    if use.action == "standard_of_living":
        raised = Raise(aspect="social", value=int(use.detail or 1), phases=PHASES, source="standard of living")
        add_raise(game, one.id, raised, LIVING)


@process(rules=["marchen.season.sojourn", "marchen.season.recover"])
async def undertake(
    game: Live,
    who: Annotated[str, Param("whose plan")],
    plan: Annotated[str, Param("the activity, or activity:detail")],
) -> None:
    """Say beforehand what one does this season; the season itself then asks only the others."""
    who = game[who].id
    _undertake(game, who, use_of(game.scene, who, plan, "season"))


async def month_passed(game: Live) -> None:
    """What is paid month by month (marchen.sojourn.raise_standard_of_living)."""
    for one in game.scene.present:
        use = use_from(one.status.plan)
        if use.action == "standard_of_living":
            add_treasure(game, one.id, -int(use.detail or 1), LIVING)


async def season_passed(game: Live) -> None:
    """A season is over: what people did bears fruit, unless they were interrupted."""
    before = game.scene
    plans = tuple([(one.id, one.status.plan) for one in before.present if one.status.plan])
    company = [one for one in before.present if takes_part(one)]
    if company and all(one.status.plan == "open_sanctuary" for one in company):
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
        if refused is not None:
            told(game, who, f"{action.title} comes to nothing: {refused.reason}", refused.rule)
        else:
            await action.perform(game, who, use)
    number = chronicle(game.scene).season
    for one in game.scene.present:
        _season_wears_off(game, one.id)
    people, what = tuple([who for who, _ in plans]), tuple([plan for _, plan in plans])
    game.emit(SeasonEnded(number=number, people=people, plans=what, cause=SEASON))


def _season_wears_off(game: Live, who: str) -> None:
    """What lasts for seasons is a season nearer to its end; after four seasons everybody is a year older."""
    character: MarchenCharacter = game[who].character
    left = tuple([_worn(one) for one in character.raises if one.phases > 1])
    if left != character.raises:
        change(game, who, "a raise is a season older", "marchen.aspect.current_and_maximum", raises=left)
    if character.seasons + 1 == SEASONS_PER_YEAR:
        change(game, who, f"age {character.age + 1}", "marchen.time.frames", age=character.age + 1)


def _worn(raised: Raise) -> Raise:
    return raised if raised.phases == FOR_GOOD else raised.changed(phases=raised.phases - 1)


async def fall_due(game: Live, due: Due) -> None:
    """What falls due by the season."""
    if due.what == MONTH_DUE:
        await month_passed(game)
    elif due.what == SEASON_DUE:
        await season_passed(game)


# ---------------------------------------------------------------------- months and weeks


async def _spend(game: Live, plans: tuple[str, ...], scale: str, cause: str) -> None:
    takes_time(game)
    if not plans:
        raise BadInput("nobody does anything; name who=activity", field="plans")
    doing = [read_plan(game.scene, plan, scale) for plan in plans]
    named = [who for who, _ in doing]
    if len(set(named)) < len(named):
        raise RulesSayNo(f"one action of a {scale} for each", rule="marchen.action.scales")
    for who, use in doing:
        action = SCALES[scale].by_id.get(use.action)
        game.emit(Spent(who=who, scale=scale, plan=plan_of(use), cause=action.rules[0] if action else cause))
        if action is not None:
            await action.perform(game, who, use)
    await let_time_pass(game, ticks_of(scale, 1, game.scene.options.month_days), cause=cause)


@process(rules=["marchen.action.scales"])
async def month(game: Live, plans: Plans) -> None:
    """A month: each of those named does one of the monthly things, and the month passes."""
    await _spend(game, plans, "month", "marchen.action.scales")


@process(rules=["marchen.action.scales"])
async def week(game: Live, plans: Plans) -> None:
    """A week: each of those named does one of the weekly things, and the week passes."""
    await _spend(game, plans, "week", "marchen.action.scales")


@process(rules=["marchen.sojourn.open_sanctuary", "marchen.sojourn.receive_title"])
async def arrive(
    game: Live,
    place: Annotated[str, Param("where the company is")],
    culture: Annotated[str, Param("whose land it is; empty for one's own")] = "",
    features: Annotated[
        tuple[str, ...], Param("what there is: market, guards, games, mountains, caves, lord ...")
    ] = (),
    sanctuary: Annotated[bool, Param("whether it is a sanctuary")] = False,
) -> None:
    """The Referee says where the company is and what there is."""
    game.emit(Arrived(place=place, culture=culture, features=features, cause="marchen.action.scales"))
    if sanctuary:
        game.emit(SanctuaryOpened(place=place, cause=SANCTUARY))


@process(rules=["marchen.interrupted.overcome_destruction"])
async def overcome_destruction(game: Live, who: Annotated[str, Param("who has lost everything")]) -> None:
    """A season to start again from nothing: basic gear, and supply by the standing one has."""
    who = game[who].id
    alive(game, who)
    takes_time(game)
    await let_time_pass(game, season_ticks(game.scene.options), cause=DESTROYED)
    result = await rolled(game, who, "social", life.strangeness(game[who].character, game.scene))
    levels = levels_of_success(result)
    supply = 1 + levels if result.success else 0
    add_supply(game, who, supply - game[who].character.supply, DESTROYED)
    basic = goods.add((), "clothing", place="worn")
    game.emit(BelongingsChanged(who=who, what="basic gear", belongings=basic, cause=DESTROYED))


PROCESSES = (season, undertake, month, week, arrive, overcome_destruction)
