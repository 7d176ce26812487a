"""What people do for a season, a month or a week: each activity with its rule, where it can be done, and what it gives.

Activities are actions of a longer scale: offered with reasons where they are closed, refused by the same requirements.
What an activity is about (a skill, a person, an item) is the detail of its use.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias, cast

from tablewright.errors import RulesSayNo
from tablewright.game import belongings as goods
from tablewright.game.actions import Action, Actions, Refused, Requirement, Use
from tablewright.game.common import BelongingsChanged
from tablewright.game.scene import Live, Scene
from tablewright.systems.marchen import advancement, life
from tablewright.systems.marchen.belongings import better
from tablewright.systems.marchen.character import MarchenCharacter, score
from tablewright.systems.marchen.character.figures import limits
from tablewright.systems.marchen.character.record import Boon, Holding, Raise
from tablewright.systems.marchen.content import Trait, find_item
from tablewright.systems.marchen.events import ConditionLost, Healed
from tablewright.systems.marchen.harm import change, harm, rolled
from tablewright.systems.marchen.mechanics import CheckResult
from tablewright.systems.marchen.outside import Followed
from tablewright.systems.marchen.status import Status, chronicle
from tablewright.systems.marchen.suffering import FAILED_BADLY, Grade, grade_of, levels_of_success, word_of
from tablewright.systems.marchen.values import Aspect, alias_of

Scale: TypeAlias = Literal["season", "month", "week"]
Perform: TypeAlias = Callable[[Live, str, str], Awaitable[None]]
Holds: TypeAlias = Callable[[Scene, str, str], "str | Refused | None"]
Details: TypeAlias = Callable[[Scene, str], Iterable[str]]
MOST_SUPPLY = 5
TRACKS, SCORES = "marchen.resource.tracks", "marchen.aspect.current_and_maximum"
HEALED_BY_SONG = {Grade.FAILURE: 0, Grade.SUCCESS: 2, Grade.GREAT_SUCCESS: 4, Grade.EXTRAORDINARY_SUCCESS: 6}
HONOURED = {Grade.FAILURE: 0, Grade.SUCCESS: 3, Grade.GREAT_SUCCESS: 6, Grade.EXTRAORDINARY_SUCCESS: 9}
DISCOUNTS = {Grade.FAILURE: 0, Grade.SUCCESS: 3, Grade.GREAT_SUCCESS: 6, Grade.EXTRAORDINARY_SUCCESS: 12}
SPARRED = {Grade.FAILURE: 0, Grade.SUCCESS: 1, Grade.GREAT_SUCCESS: 2, Grade.EXTRAORDINARY_SUCCESS: 3}
PHASES, PERMANENT_PHASES = 2, 100
ARTIFICER_COST, LIVING_MONTHS = 6, 3


class Activity(NamedTuple):
    """One thing to do for a season, a month or a week."""

    id: str
    title: str
    rule: str
    scale: Scale
    group: str
    perform: Perform
    requires: tuple[tuple[str, Holds], ...] = ()
    details: Details | None = None

    def action(self) -> Action:
        """The same as an action, to be offered and refused like all others."""

        async def perform(game: Live, who: str, use: Use) -> None:
            await self.perform(game, who, use.detail or "")

        def uses(scene: Scene, who: str) -> Iterator[Use]:
            if self.details is None:
                yield Use(self.id, label=self.title)
                return
            for detail in self.details(scene, who):
                yield Use(self.id, detail=detail, label=f"{self.title}: {detail}")

        def of(holds: Holds) -> Callable[[Scene, str, Use], str | Refused | None]:
            return lambda scene, who, use: holds(scene, who, use.detail or "")

        requires = tuple([Requirement(rule, of(holds)) for rule, holds in self.requires])
        return Action(self.id, self.title, (self.rule,), perform, requires, uses)


# ---------------------------------------------------------------------- where and when


def _character(scene: Scene, who: str) -> MarchenCharacter:
    found: MarchenCharacter = scene[who].character
    return found


def _at_home(scene: Scene, who: str, detail: str) -> str | None:
    culture = chronicle(scene).culture
    return None if culture in ("", _character(scene, who).culture) else f"{who} is not at home"


def _abroad(scene: Scene, who: str, detail: str) -> str | None:
    culture, character = chronicle(scene).culture, _character(scene, who)
    if culture == character.culture:
        return f"{who} is at home and needs no title"
    return f"{culture} has given a title already" if culture and culture in character.titles else None


def _with(feature: str) -> Holds:
    def holds(scene: Scene, who: str, detail: str) -> str | None:
        here = chronicle(scene)
        if not here.place or feature in here.features:
            return None
        return f"{here.place} has no {feature.replace('_', ' ')}"

    return holds


def _sanctuary(scene: Scene, who: str, detail: str) -> str | None:
    here = chronicle(scene)
    return None if not here.place or in_sanctuary(scene) else f"{here.place} is no sanctuary"


def in_sanctuary(scene: Scene) -> bool:
    """Whether the company is in a place that is a sanctuary."""
    here = chronicle(scene)
    return bool(here.place) and here.place in here.sanctuaries


def _named(scene: Scene, who: str, detail: str) -> str | None:
    return None if detail.strip() else "say what or whom"


# ---------------------------------------------------------------------- small things that many give


def told(game: Live, who: str, what: str, cause: str) -> None:
    """Say what came of something."""
    game.emit(Followed(who=who, what=what, cause=cause))


def heal(game: Live, who: str, aspect: Aspect, amount: int, cause: str) -> None:
    """Damage of an aspect falls, not below 0."""
    amount = min(amount, getattr(game[who].status, aspect))
    if amount > 0:
        game.emit(Healed(who=who, aspect=aspect, amount=amount, cause=cause))


def lose_condition(game: Live, who: str, aspects: tuple[Aspect, ...], cause: str) -> None:
    """One condition of these aspects is gone, if there is any that is not there for good."""
    status: Status = game[who].status
    for one in status.conditions:
        if one.aspect in aspects and not one.permanent:
            game.emit(ConditionLost(who=who, condition=one, cause=cause))
            return


def add_supply(game: Live, who: str, amount: int, cause: str) -> None:
    """Supply comes in, up to five."""
    supply = min(MOST_SUPPLY, max(0, _character(game.scene, who).supply + amount))
    change(game, who, f"supply {supply}", cause, supply=supply)


def add_treasure(game: Live, who: str, amount: int, cause: str) -> None:
    """Treasure comes in or goes."""
    treasure = max(0, _character(game.scene, who).treasure + amount)
    change(game, who, f"treasure {treasure}", cause, treasure=treasure)


def add_boon(game: Live, who: str, boon: Boon, cause: str) -> None:
    """Somebody has a stored help; more of the same is added up."""
    boons = _character(game.scene, who).boons
    same = next((one for one in boons if one.name == boon.name), None)
    if same is not None:
        boon = boon.changed(uses=boon.uses + same.uses)
    others = tuple([one for one in boons if one.name != boon.name])
    change(game, who, f"{boon.name}: {boon.uses} uses", cause, boons=(*others, boon))


def add_raise(game: Live, who: str, raised: Raise, cause: str) -> None:
    """An aspect is higher for a time; the same from the same source does not add up."""
    others = tuple([one for one in _character(game.scene, who).raises if (one.source, one.issue) != (raised.source, raised.issue)])
    matter = f" in {raised.issue}" if raised.issue else ""
    change(game, who, f"{raised.aspect} {raised.value:+d}{matter}", cause, raises=(*others, raised))


def trait_boon(trait: str, cause: str) -> Perform:
    """The benefit of a trait for the time until the next season: one use, two for who has the trait already."""

    async def perform(game: Live, who: str, detail: str) -> None:
        found = game.scene.library.get(Trait, trait)
        owned = found.name in _character(game.scene, who).traits
        boon = Boon(name=found.name, uses=2 if owned else 1, skills=found.skills, aspect=found.aspect)
        add_boon(game, who, boon, cause)

    return perform


# ---------------------------------------------------------------------- base activities


def _trainable(scene: Scene, who: str) -> Iterator[str]:
    character = _character(scene, who)
    for skill, level in character.skills.items():
        if level < 1:
            yield skill
    for one in character.specializations:
        if one.level < (6 if scene.options.mythic_levels else 4):
            yield f"{one.skill}/{one.name}"


def _can_train(scene: Scene, who: str, detail: str) -> str | Refused | None:
    skill, _, special = detail.partition("/")
    try:
        meant = alias_of(skill).skill
        if meant is None:
            return f"{skill} is no skill"
        advancement.trained(_character(scene, who), meant, special, scene.options)
    except RulesSayNo as error:
        return Refused(error.message, error.rule or "marchen.season.training")
    return None


async def _train(game: Live, who: str, detail: str) -> None:
    skill, _, special = detail.partition("/")
    await advancement.train(game, who, skill, special)


def _no_heir_yet(scene: Scene, who: str, detail: str) -> str | None:
    heir = _character(scene, who).heir
    return f"{heir} is the heir already" if heir else None


async def _name_heir(game: Live, who: str, detail: str) -> None:
    await life.name_heir(game, who, detail)


def _has_heir(scene: Scene, who: str, detail: str) -> str | None:
    return None if _character(scene, who).heir else "an heir must be named first"


async def _epilogue(game: Live, who: str, detail: str) -> None:
    await life.write_epilogue(game, who, detail)


def _unmarried(scene: Scene, who: str, detail: str) -> str | None:
    spouse = _character(scene, who).spouse
    return f"{spouse} is the spouse already" if spouse else None


async def _court(game: Live, who: str, detail: str) -> None:
    changed = life.married(_character(game.scene, who), detail)
    life.became(game, who, f"marries {detail}", changed, cause="marchen.season.court_a_spouse")


# ---------------------------------------------------------------------- sojourn


async def _gain_trait(game: Live, who: str, detail: str) -> None:
    old, arrow, new = detail.rpartition(">")
    traits = [one for one in _character(game.scene, who).traits if not arrow or one != old.strip()]
    cause = "marchen.sojourn.gain_trait"
    if not arrow and traits:
        traits = traits[1:]  # an old trait makes room for the new one
    change(game, who, f"trait: {new.strip()}", cause, traits=(*traits, new.strip()))


def _has_patron(scene: Scene, who: str, detail: str) -> str | None:
    patrons = _character(scene, who).patrons
    return None if detail in patrons else f"{detail or 'nobody'} is no patron of {who}"


async def _meet_patron(game: Live, who: str, detail: str) -> None:
    add_boon(game, who, Boon(name=f"counsel of {detail}"[:60]), "marchen.sojourn.meet_patron")


async def _influence_patron(game: Live, who: str, detail: str) -> None:
    result = await rolled(game, who, "persuasion")
    acts = "acts" if result.success else "does nothing about it"
    told(game, who, f"{detail} {acts}", "marchen.sojourn.influence_patron")


async def _receive_title(game: Live, who: str, detail: str) -> None:
    character = _character(game.scene, who)
    culture = chronicle(game.scene).culture or detail
    held = Holding(name=f"house in {culture}"[:60], culture=culture)
    cause = "marchen.sojourn.receive_title"
    change(
        game,
        who,
        f"a title and a house in {culture}",
        cause,
        titles=(*character.titles, culture),
        holdings=(*character.holdings, held),
    )


def _can_live(scene: Scene, who: str, detail: str) -> str | None:
    if detail not in ("1", "2"):
        return "1 or 2 Treasure a month"
    cost = LIVING_MONTHS * int(detail)
    return None if _character(scene, who).treasure >= cost else f"{cost} Treasure are needed"


async def _live_well(game: Live, who: str, detail: str) -> None:
    """Paid month by month and felt from the start; at the end nothing more happens."""


def _can_rise(scene: Scene, who: str, detail: str) -> str | None:
    character = _character(scene, who)
    cost = life.standing_cost(character, scene.options)
    return None if character.treasure >= cost else f"{cost} Treasure are needed"


async def _rise(game: Live, who: str, detail: str) -> None:
    await life.raise_standing(game, who)


async def _research(game: Live, who: str, detail: str) -> None:
    result = await rolled(game, who, "social_sciences")
    told(game, who, f"{levels_of_success(result)} facts about {detail}", "marchen.sojourn.research_lore")


def _can_drum(scene: Scene, who: str, detail: str) -> str | None:
    character = _character(scene, who)
    cost = life.support_cost(character, scene.options)
    return None if character.treasure >= cost else f"{cost} Treasure are needed"


async def _drum(game: Live, who: str, detail: str) -> None:
    cause = "marchen.sojourn.drum_up_support"
    add_treasure(game, who, -life.support_cost(_character(game.scene, who), game.scene.options), cause)
    raised = Raise(aspect="social", value=1, phases=PHASES, issue=detail[:60], source="support")
    add_raise(game, who, raised, cause)


def _owns(scene: Scene, who: str, detail: str) -> str | None:
    item = detail.partition("/")[0]
    has = any(one.item == item for one in scene[who].status.belongings)
    return None if has else f"{who} has no {item or 'such thing'}"


def _things(scene: Scene, who: str) -> Iterator[str]:
    yield from dict.fromkeys([one.item for one in scene[who].status.belongings])


async def _loremaster(game: Live, who: str, detail: str) -> None:
    told(game, who, f"the lore-master reveals what {detail} hides", "marchen.sojourn.loremaster")


def _holds(scene: Scene, who: str, detail: str) -> str | None:
    held = [one.name for one in _character(scene, who).holdings]
    return None if detail in held else f"{who} does not hold {detail or 'anything'}"


async def _tend(game: Live, who: str, detail: str) -> None:
    cause = "marchen.sojourn.tend_holding"
    result = await rolled(game, who, "bureaucracy", advantages=1)
    add_treasure(game, who, levels_of_success(result), cause)
    character = _character(game.scene, who)
    held = next(one for one in character.holdings if one.name == detail)
    for one in character.specializations:
        if held.specialty and one.name == held.specialty and one.level < 4:
            await advancement.train(game, who, one.skill, one.name)
            return


async def _treasury(game: Live, who: str, detail: str) -> None:
    cause = "marchen.sojourn.treasury"
    left = goods.take_away(game[who].status.belongings, detail)
    game.emit(BelongingsChanged(who=who, what=f"hands in {detail}", belongings=left, cause=cause))
    changed = life.permanently(_character(game.scene, who), "social", 1, "treasury", game.scene.options)
    life.became(game, who, "social +1 for good", changed, cause=cause)


async def _song(game: Live, who: str, detail: str) -> None:
    songs = _character(game.scene, who).songs
    change(game, who, f"a song: {detail}", "marchen.sojourn.write_song", songs=(*songs, detail[:60]))


def _virtue(cause: str) -> Perform:
    async def perform(game: Live, who: str, detail: str) -> None:
        virtues = _character(game.scene, who).virtues
        change(game, who, f"virtue: {detail}", cause, virtues=(*virtues, detail[:60]))

    return perform


def _new_virtue(scene: Scene, who: str, detail: str) -> str | None:
    return f"{detail} is a virtue of {who} already" if detail in _character(scene, who).virtues else None


async def _sage(game: Live, who: str, detail: str) -> None:
    lore, _, hobby = detail.partition("/")
    if lore == "hobby":
        traits = _character(game.scene, who).traits
        change(game, who, f"trait: {hobby}", "marchen.sojourn.confer_with_sage", traits=(*traits, hobby))
        return
    await advancement.confer_with_sage(game, who, lore)


def _can_fit(scene: Scene, who: str, detail: str) -> str | None:
    item, _, how = detail.partition("/")
    character = _character(scene, who)
    if how not in ("check", "damage"):
        return "say item/check or item/damage"
    if any(one.startswith(f"artificer {item} ") for one in character.done):
        return f"{item} was fitted already"
    if find_item(item, scene.library) is None:
        return f"there is no {item}"
    return None if character.treasure >= ARTIFICER_COST else f"{ARTIFICER_COST} Treasure are needed"


def _fittings(scene: Scene, who: str) -> Iterator[str]:
    for item in _things(scene, who):
        yield f"{item}/check"
        yield f"{item}/damage"


async def _artificer(game: Live, who: str, detail: str) -> None:
    item, _, how = detail.partition("/")
    character, cause = _character(game.scene, who), "marchen.sojourn.artificer"
    done = (*character.done, f"artificer {item} {how}")
    paid = character.treasure - ARTIFICER_COST
    change(game, who, f"{item} is fitted: +1 {how}", cause, done=done, treasure=paid)


async def _guard(game: Live, who: str, detail: str) -> None:
    cause = "marchen.sojourn.guard"
    result = await rolled(game, who, "perception")
    add_treasure(game, who, levels_of_success(result), cause)
    if word_of(result) in FAILED_BADLY:
        await harm(game, who, "physical", 1, cause=cause)


# ---------------------------------------------------------------------- social


def _unknown(scene: Scene, who: str, detail: str) -> str | None:
    known = _character(scene, who).connection(detail) is not None
    return f"{detail} is known already" if known else None


def _known(scene: Scene, who: str, detail: str) -> str | None:
    known = _character(scene, who).connection(detail.partition("/")[0]) is not None
    return None if known else f"{detail or 'nobody'} is unknown"


def _people(scene: Scene, who: str) -> Iterator[str]:
    yield from _character(scene, who).connections


async def _make(game: Live, who: str, detail: str) -> None:
    await life.make_connection(game, who, detail)


async def _bond(game: Live, who: str, detail: str) -> None:
    await life.forge_bond(game, who, detail)


async def _aid(game: Live, who: str, detail: str) -> None:
    await life.aid_connection(game, who, detail)


async def _compel(game: Live, who: str, detail: str) -> None:
    person, _, skill = detail.partition("/")
    await life.compel_connection(game, who, person, cast("Literal['persuasion']", skill or "persuasion"))


async def _test(game: Live, who: str, detail: str) -> None:
    person, _, skill = detail.partition("/")
    await life.test_connection(game, who, person, skill or "social")


async def _hearten(game: Live, who: str, detail: str) -> None:
    cause = "marchen.recover.hearten"
    heal(game, who, "social", game[who].status.social, cause)
    lose_condition(game, who, ("social",), cause)


# ---------------------------------------------------------------------- recover


async def _recovery(game: Live, who: str, detail: str) -> None:
    cause = "marchen.recover.recovery"
    heal(game, who, "physical", game[who].status.physical, cause)
    heal(game, who, "mental", game[who].status.mental, cause)
    lose_condition(game, who, ("physical", "mental"), cause)


async def _resupply(game: Live, who: str, detail: str) -> None:
    result = await rolled(game, who, "social")
    add_supply(game, who, levels_of_success(result), "marchen.recover.resupply")


def _is_worn(scene: Scene, who: str, detail: str) -> str | None:
    worn = any(one.item == detail and one.left is not None for one in scene[who].status.belongings)
    return None if worn else f"{detail or 'nothing'} needs no repair"


def _worn_things(scene: Scene, who: str) -> Iterator[str]:
    yield from dict.fromkeys([one.item for one in scene[who].status.belongings if one.left is not None])


async def _repair(game: Live, who: str, detail: str) -> None:
    cause = "marchen.recover.repair"
    result = await rolled(game, who, game.scene.options.repair_check)
    levels = levels_of_success(result)
    if levels:
        mended = better(game[who].status.belongings, detail, levels)
        game.emit(BelongingsChanged(who=who, what=f"repairs {detail}", belongings=mended, cause=cause))


async def _corruption(game: Live, who: str, detail: str) -> None:
    cause = "marchen.recover.heal_corruption"
    for _ in range(2 if in_sanctuary(game.scene) else 1):
        result = await rolled(game, who, detail or "performance")
        grade = grade_of(result)
        heal(game, who, "spiritual", HEALED_BY_SONG[grade], cause)
        if grade in (Grade.GREAT_SUCCESS, Grade.EXTRAORDINARY_SUCCESS):
            lose_condition(game, who, ("spiritual",), cause)


def _can_burn(scene: Scene, who: str, detail: str) -> str | None:
    lowest = limits(scene.options)[0]
    now = score(_character(scene, who), "spiritual", scene.options).total
    return None if now > lowest else f"the spiritual score is at {lowest}, the least"


async def _there_and_back(game: Live, who: str, detail: str) -> None:
    cause = "marchen.recover.there_and_back_again"
    for aspect in ("physical", "mental", "social", "spiritual"):
        heal(game, who, cast("Aspect", aspect), getattr(game[who].status, aspect), cause)
    changed = life.permanently(_character(game.scene, who), "spiritual", -1, "there and back again", game.scene.options)
    life.became(game, who, "spiritual -1 for good", changed, cause=cause)


# ---------------------------------------------------------------------- months


async def _information(game: Live, who: str, detail: str) -> None:
    result = await rolled(game, who, "investigation")
    told(game, who, f"{levels_of_success(result)} clues about {detail or 'the matter'}", "marchen.month.gather_information")


async def _herbs(game: Live, who: str, detail: str) -> None:
    cause = "marchen.month.collect_herbs"
    result = await rolled(game, who, "life_sciences")
    doses = levels_of_success(result)
    if doses:
        has = goods.add(game[who].status.belongings, "herbs", doses)
        game.emit(BelongingsChanged(who=who, what=f"{doses} doses of herbs", belongings=has, cause=cause))


async def _heroes(game: Live, who: str, detail: str) -> None:
    meant = alias_of(detail or "Athletics").skill
    result = await rolled(game, who, str(meant))
    best = max(_character(game.scene, who).discount, DISCOUNTS[grade_of(result)])
    change(game, who, f"{best} off the next raise of standing", "marchen.month.field_of_heroes", discount=best)


async def _hunt(game: Live, who: str, detail: str) -> None:
    cause = "marchen.month.go_hunting"
    result = await rolled(game, who, "physical_sciences_survival")
    add_supply(game, who, levels_of_success(result), cause)
    if word_of(result) == "catastrophic":
        await harm(game, who, "physical", 1, cause=cause)


def _for_sale(scene: Scene, who: str, detail: str) -> str | None:
    found = find_item(detail, scene.library)
    if found is None or found.price is None:
        return f"{detail or 'nothing'} is not for sale"
    return None if _character(scene, who).treasure >= found.price else f"{found.price} Treasure are needed"


async def _market(game: Live, who: str, detail: str) -> None:
    found = find_item(detail, game.scene.library)
    assert found is not None
    price = found.price or 0
    has = goods.add(game[who].status.belongings, detail)
    left = _character(game.scene, who).treasure - price
    event = BelongingsChanged(
        who=who,
        what=f"buys {found.name}",
        belongings=has,
        money=left,
        purse="treasure",
        cause="marchen.month.go_to_market",
    )
    game.emit(event)


async def _climb(game: Live, who: str, detail: str) -> None:
    cause = "marchen.month.climb_mountains"
    result = await rolled(game, who, "athletics")
    if result.success:
        add_boon(game, who, Boon(name="a view", skills=("physical_sciences_survival",)), cause)
    elif word_of(result) in FAILED_BADLY:
        await harm(game, who, "physical", 2, cause=cause)


def _first_delve(scene: Scene, who: str, detail: str) -> str | None:
    if detail not in ("gain", "heal"):
        return "say gain or heal"
    return "only the first time" if "delve" in _character(scene, who).done else None


async def _delve(game: Live, who: str, detail: str) -> None:
    cause = "marchen.month.delve"
    character = _character(game.scene, who)
    change(game, who, "delves into the depths", cause, done=(*character.done, "delve"))
    if detail == "heal":
        heal(game, who, "spiritual", 2, cause)
        return
    changed = life.gained(_character(game.scene, who), "spiritual", game.scene.options)
    life.became(game, who, "spiritual +1", changed, cause=cause)


async def _ride(game: Live, who: str, detail: str) -> None:
    result = await rolled(game, who, "athletics")
    heal(game, who, "mental", levels_of_success(result), "marchen.month.go_riding")


async def _spar(game: Live, who: str, detail: str) -> None:
    cause = "marchen.month.sparring"
    skill = str(alias_of(detail or "Athletics").skill)
    result = await sparred(game, who, skill)
    gain = SPARRED[grade_of(result)]
    if gain:
        here = chronicle(game.scene).culture or "this society"
        raised = Raise(aspect="social", value=gain, phases=PERMANENT_PHASES, issue=here[:60], source="sparring")
        add_raise(game, who, raised, cause)
        return
    for aspect in ("physical", "mental"):
        await harm(game, who, cast("Aspect", aspect), 0, 1, cause=cause, enduring=False)
    character = _character(game.scene, who)
    change(game, who, "1 experience", cause, experience=character.experience + 1)


async def sparred(game: Live, who: str, skill: str) -> CheckResult:
    """A match: at the difficulty that the table takes it for, or against a plain 18."""
    mode = game.scene.options.sparring_difficulty
    if mode != "literal_18":
        return await rolled(game, who, skill, difficulty=mode)
    from tablewright.systems.marchen.now import how_checked  # noqa: PLC0415

    core, table = how_checked(game.scene.options)
    short = table.measure(core, "average").target - LITERAL
    return await rolled(game, who, skill, ("TN 18", short, "marchen.month.sparring"))


LITERAL = 18


# ---------------------------------------------------------------------- weeks


async def _secure(game: Live, who: str, detail: str) -> None:
    result = await rolled(game, who, str(alias_of(detail or "insight").skill))
    if result.sigma:
        boon = Boon(name="an advantage", dm=result.sigma)
        add_boon(game, who, boon, "marchen.week.secure_advantage")


async def _fallen(game: Live, who: str, detail: str) -> None:
    changed = life.gained(_character(game.scene, who), "spiritual", game.scene.options, beyond=True)
    life.became(game, who, f"spiritual +1, honouring {detail}", changed, cause="marchen.week.honoring_the_fallen")


async def _ancestors(game: Live, who: str, detail: str) -> None:
    result = await rolled(game, who, "performance")
    heal(game, who, "spiritual", HONOURED[grade_of(result)], "marchen.week.honor_your_people")


def acts(activities: Iterable[Activity]) -> Actions:
    """Activities as a set of actions."""
    return Actions([one.action() for one in activities])
