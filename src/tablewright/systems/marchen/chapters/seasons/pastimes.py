"""Activities of a month or a week, and recovery for a season."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.engine import choose
from tablewright.errors import IllegalActionError, did_you_mean
from tablewright.game.character import belongings as goods
from tablewright.game.play.actions import Refusal
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.marchen.belongings import better, conditions_of
from tablewright.systems.marchen.chapters import life
from tablewright.systems.marchen.chapters.seasons import activities
from tablewright.systems.marchen.chapters.seasons.requirements import (
    ARTS,
    EVENTS,
    MATCHES,
    Kind,
    OneOf,
    at_home,
    character_of,
    having,
    in_sanctuary,
    named,
    needs_sanctuary,
    one_of,
    prepares,
)
from tablewright.systems.marchen.character.figures import limits, score
from tablewright.systems.marchen.character.record import FOR_GOOD, MOST_NAME, Boon, Raise
from tablewright.systems.marchen.content import Armour, Gear, Weapon, find_item
from tablewright.systems.marchen.harm import change, harm
from tablewright.systems.marchen.mechanics.checks import CheckResult, Table
from tablewright.systems.marchen.mechanics.dice import Grade
from tablewright.systems.marchen.mechanics.harm import FAILED_BADLY, grade_of, levels_of_success, word_of
from tablewright.systems.marchen.modifiers import boon_named
from tablewright.systems.marchen.now import how_checked, subject_of
from tablewright.systems.marchen.options import Core
from tablewright.systems.marchen.status import society
from tablewright.systems.marchen.tasks import rolled
from tablewright.systems.marchen.values import ASPECTS, SKILL_NAMES, Aspect, Meant, meant_by, several

HONOURED = {Grade.FAILURE: 0, Grade.SUCCESS: 3, Grade.GREAT_SUCCESS: 6, Grade.EXTRAORDINARY_SUCCESS: 9}
DISCOUNTS = {Grade.FAILURE: 0, Grade.SUCCESS: 3, Grade.GREAT_SUCCESS: 6, Grade.EXTRAORDINARY_SUCCESS: 12}
SPARRED = {Grade.FAILURE: 0, Grade.SUCCESS: 1, Grade.GREAT_SUCCESS: 2, Grade.EXTRAORDINARY_SUCCESS: 3}
LITERAL, MOST_RAISE = 18, 10
BRUISED: tuple[Aspect, ...] = ("physical", "mental")
recover = Kind("season", "recover", "recover")
monthly, weekly = Kind("month", "monthly", "month"), Kind("week", "weekly", "week")


# ---------------------------------------------------------------------- months


@monthly("Gather Information", about=("the matter",))
async def gather_information(game: Game, who: str, detail: str, cause: str) -> None:
    """Search for clues (marchen.month.gather_information)."""
    result = await rolled(game, who, "investigation")
    clues = f"{several(levels_of_success(result), 'clue')} about {detail or 'the matter'}"
    activities.told(game, who, clues, cause)


@monthly("Collect Herbs")
async def collect_herbs(game: Game, who: str, detail: str, cause: str) -> None:
    """Gather herbs: a dose for each level of success (marchen.month.collect_herbs)."""
    result = await rolled(game, who, "life_sciences")
    doses = levels_of_success(result)
    if doses:
        has = goods.add_item(game[who].status.belongings, "herbs", doses)
        game.emit(BelongingsChanged(who=who, what=f"{several(doses, 'dose')} of herbs", belongings=has, cause=cause))


@monthly("Compete on the Field of Heroes", having("games"), OneOf(*EVENTS), about=EVENTS)
async def field_of_heroes(game: Game, who: str, detail: str, cause: str) -> None:
    """Compete on the Field of Heroes: the next raise of standing is cheaper (marchen.month.field_of_heroes)."""
    meant = meant_by(detail or "Athletics")
    result = await rolled(game, who, meant.what, specialization=meant.specialization)
    best = max(character_of(game.scene, who).discount, DISCOUNTS[grade_of(result)])
    change(game, who, f"{best} off the next raise of standing", cause, discount=best)


def fits_hunting(scene: Scene, who: str, detail: str) -> Refusal | None:
    """Require a boon of the character's own that fits."""
    try:
        boon_named(subject_of(scene, who), meant_by("Hunting").what, detail, "")
    except IllegalActionError as error:
        return Refusal(error.message, error.rule or "marchen.month.go_hunting")
    return None


def hunting_boons(scene: Scene, who: str) -> Iterator[str]:
    """Nothing, and the boons that could be used up for hunting."""
    yield ""
    for boon in character_of(scene, who).boons:
        if fits_hunting(scene, who, boon.name) is None:
            yield boon.name


monthly("Gather Firewood", having("forest"), id_="gather_firewood")(activities.trait_boon("firemaking"))


@monthly("Go Hunting", having("hunting_grounds"), fits_hunting, about=hunting_boons)
async def go_hunting(game: Game, who: str, detail: str, cause: str) -> None:
    """Go hunting for supply; a boon may be used up for it."""
    meant = meant_by("Hunting")
    result = await rolled(game, who, meant.what, specialization=meant.specialization, boon=detail)
    activities.add_supply(game, who, levels_of_success(result), cause)
    if word_of(result) == "catastrophic":
        await harm(game, who, "physical", 1, cause=cause)


def for_sale(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that something can be bought and paid for."""
    found = find_item(detail, scene.library)
    if found is None or found.price is None:
        sold = [one.id for kind in (Weapon, Armour, Gear) for one in scene.library.of(kind) if one.price is not None]
        return f"{detail} is not for sale{did_you_mean(detail, sold)}" if detail else "say what"
    return None if character_of(scene, who).treasure >= found.price else f"{found.price} Treasure are needed"


@monthly("Go to Market", having("market"), for_sale, about=("rope", "herbs"))
async def go_to_market(game: Game, who: str, detail: str, cause: str) -> None:
    """Buy something named (marchen.month.go_to_market)."""
    found = find_item(detail, game.scene.library)
    assert found is not None
    has = goods.add_item(game[who].status.belongings, detail)
    left = character_of(game.scene, who).treasure - (found.price or 0)
    what = f"buys {found.name}"
    game.emit(BelongingsChanged(who=who, what=what, belongings=has, money=left, purse="treasure", cause=cause))


@monthly("Climb the Mountains", having("mountains"))
async def climb_mountains(game: Game, who: str, detail: str, cause: str) -> None:
    """Climb the mountains for a view, at a risk (marchen.month.climb_mountains)."""
    result = await rolled(game, who, "athletics")
    if result.success:
        activities.add_boon(game, who, Boon(name="a view", matter=activities.ON_THE_WAY), cause)
    elif word_of(result) in FAILED_BADLY:
        await harm(game, who, "physical", 2, cause=cause)


def first_delve(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that it is the first time."""
    if detail not in ("gain", "heal"):
        return "say gain or heal"
    return "only the first time" if "delve" in character_of(scene, who).done else None


@monthly("Delve into the Depths", having("caves"), first_delve, about=("gain", "heal"))
async def delve(game: Game, who: str, detail: str, cause: str) -> None:
    """Delve into the depths, once in a life (marchen.month.delve)."""
    character = character_of(game.scene, who)
    change(game, who, "delves into the depths", cause, done=(*character.done, "delve"))
    if detail == "heal":
        activities.heal(game, who, "spiritual", 2, cause)
        return
    changed = life.gained(character_of(game.scene, who), "spiritual", game.scene.options)
    life.became(game, who, "spiritual +1", changed, cause=cause)


@monthly("Go Riding", having("fields"))
async def go_riding(game: Game, who: str, detail: str, cause: str) -> None:
    """Go riding: it clears the mind (marchen.month.go_riding)."""
    result = await rolled(game, who, "athletics")
    activities.heal(game, who, "mental", levels_of_success(result), cause)


@monthly("Sparring / Dueling", having("guards"), OneOf(*MATCHES), about=MATCHES)
async def sparring(game: Game, who: str, detail: str, cause: str) -> None:
    """Spar or duel: standing in this society, or bruises and experience (marchen.month.sparring)."""
    result = await sparred(game, who, meant_by(detail or "Athletics"))
    gain = SPARRED[grade_of(result)]
    if gain:
        here = society(game.scene)
        known = [one for one in character_of(game.scene, who).raises if (one.source, one.issue) == ("sparring", here)]
        most = min(MOST_RAISE, gain + sum([one.value for one in known]))
        raised = Raise(aspect="social", value=most, phases=FOR_GOOD, issue=here, source="sparring")
        activities.add_raise(game, who, raised, cause)
        return
    for aspect in BRUISED:
        await harm(game, who, aspect, 0, 1, cause=cause, enduring=False)
    character = character_of(game.scene, who)
    change(game, who, "1 experience", cause, experience=character.experience + 1)


def passes(core: Core, table: Table) -> int:
    """The least total that succeeds at an average task; by sigma there is no target (marchen.degree.sigma_method)."""
    measure = table.measure(core, "average")
    return next(total for total in range(LITERAL * LITERAL) if table.judge(total, core, measure).success)


async def sparred(game: Game, who: str, meant: Meant) -> CheckResult:
    """A match: at the difficulty that the table takes it for, or against a plain 18."""
    mode, special = game.scene.options.sparring_difficulty, meant.specialization
    if mode != "literal_18":
        return await rolled(game, who, meant.what, specialization=special, difficulty=mode)
    core, table = how_checked(game.scene.options)
    short = passes(core, table) - LITERAL
    return await rolled(game, who, meant.what, specialization=special, dm=short)


# ---------------------------------------------------------------------- weeks


@weekly("Secure an Advantage", prepares, about=("insight", "investigation", "leadership"))
async def secure_advantage(game: Game, who: str, detail: str, cause: str) -> None:
    """Make preparations: the sigma is the DM of the next check in the matter, for better or worse.

    What the matter is may be said after a stroke; where it is not, it is whatever the same skill is about.
    """
    what, special, matter = meant_by(detail or "insight")
    matter = matter or SKILL_NAMES.get(what, what)  # type: ignore[call-overload]
    result = await rolled(game, who, what, specialization=special, matter=matter)
    if result.sigma:
        boon = Boon(name=f"an advantage in {matter}"[:60], dm=result.sigma, matter=matter[:60])
        activities.add_boon(game, who, boon, cause)


def not_honoured(scene: Scene, who: str, detail: str) -> str | None:
    """Require a fallen companion who has not been honoured yet."""
    done = _honoured(detail) in character_of(scene, who).done
    return f"{scene.display_name(who)} has honoured {detail} already" if done else None


def _honoured(name: str) -> str:
    return f"honoured {name.strip().casefold()}"[:MOST_NAME]


@weekly("Honoring the Fallen", named, not_honoured, about=("a friend",))
async def honoring_the_fallen(game: Game, who: str, detail: str, cause: str) -> None:
    """Honour the fallen: the spirit may rise above its maximum (marchen.week.honoring_the_fallen)."""
    character = character_of(game.scene, who)
    changed = life.gained(character, "spiritual", game.scene.options, beyond=True)
    changed = changed.changed(done=(*character.done, _honoured(detail)))
    life.became(game, who, f"spiritual +1, honouring {detail}", changed, cause=cause)


@weekly("Honor your people", having("tombs"))
async def honor_your_people(game: Game, who: str, detail: str, cause: str) -> None:
    """Sing for the ancestors (marchen.week.honor_your_people)."""
    result = await rolled(game, who, "performance")
    activities.heal(game, who, "spiritual", HONOURED[grade_of(result)], cause)


weekly("Feast with the Lord", needs_sanctuary, having("lord"), id_="feast_with_lord")(activities.trait_boon("merry"))


# ---------------------------------------------------------------------- recovery for a season


HEALED_BY_SONG = {Grade.FAILURE: 0, Grade.SUCCESS: 2, Grade.GREAT_SUCCESS: 4, Grade.EXTRAORDINARY_SUCCESS: 6}


@recover("Recovery")
async def recovery(game: Game, who: str, detail: str, cause: str) -> None:
    """Physical and mental damage are gone, and one such condition (marchen.recover.recovery)."""
    activities.heal(game, who, "physical", game[who].status.physical, cause)
    activities.heal(game, who, "mental", game[who].status.mental, cause)
    await activities.lose_condition(game, who, ("physical", "mental"), cause)


# marchen.connection.hearten: it stands among the social activities once more, and is the same
@recover("Hearten")
async def hearten(game: Game, who: str, detail: str, cause: str) -> None:
    """Social damage is gone, and a social condition (marchen.recover.hearten)."""
    activities.heal(game, who, "social", game[who].status.social, cause)
    await activities.lose_condition(game, who, ("social",), cause)


@recover("Resupply")
async def resupply(game: Game, who: str, detail: str, cause: str) -> None:
    """Supply for each level of success (marchen.recover.resupply)."""
    result = await rolled(game, who, "social", life.strangeness(character_of(game.scene, who), game.scene))
    activities.add_supply(game, who, levels_of_success(result), cause)


def is_worn(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that something needs repair."""
    return one_of(worn_things(scene, who), detail, f"{scene.display_name(who)} has nothing to repair:", owns="worn are")


def worn_things(scene: Scene, who: str) -> Iterator[str]:
    """Items in need of repair."""
    yield from dict.fromkeys([one.item for one in scene[who].status.belongings if one.left is not None])


@recover("Repair", is_worn, about=worn_things)
async def repair(game: Game, who: str, detail: str, cause: str) -> None:
    """Things lose a condition for each level of success: the one that was meant, then others."""
    result = await rolled(game, who, game.scene.options.repair_check)
    left = levels_of_success(result)
    while left and (worn := _worn(game, who)):
        meant = [detail] if detail in worn else worn
        item = await choose(game.seat(who), "what else is repaired?", meant, details={"who": who})
        mine = game[who].status.belongings
        spent = min(left, conditions_of(mine, item))
        if spent:
            mended = better(mine, item, spent)
            game.emit(BelongingsChanged(who=who, what=f"repairs {item}", belongings=mended, cause=cause))
            left -= spent


def _worn(game: Game, who: str) -> list[str]:
    mine = game[who].status.belongings
    return [item for item in worn_things(game.scene, who) if conditions_of(mine, item)]


@recover("Heal Corruption", OneOf(*ARTS), about=ARTS[:2])
async def heal_corruption(game: Game, who: str, detail: str, cause: str) -> None:
    """Reduce spiritual damage by song or craft, with two tries in a sanctuary (marchen.recover.heal_corruption)."""
    for _ in range(2 if in_sanctuary(game.scene) else 1):
        result = await rolled(game, who, meant_by(detail or "Song").what)
        grade = grade_of(result)
        activities.heal(game, who, "spiritual", HEALED_BY_SONG[grade], cause)
        if grade in (Grade.GREAT_SUCCESS, Grade.EXTRAORDINARY_SUCCESS):
            await activities.lose_condition(game, who, ("spiritual",), cause)


def can_burn(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that there is a point of the spirit to burn."""
    lowest = limits(character_of(scene, who), scene.options)[0]
    now = score(character_of(scene, who), "spiritual", scene.options).total
    return None if now > lowest else f"the spiritual score is at {lowest}, the least"


@recover("There and Back Again", at_home, can_burn)
async def there_and_back_again(game: Game, who: str, detail: str, cause: str) -> None:
    """All damage is gone, for a point of the spirit (marchen.recover.there_and_back_again)."""
    for aspect in ASPECTS:
        activities.heal(game, who, aspect, getattr(game[who].status, aspect), cause)
    changed = life.permanently(
        character_of(game.scene, who), "spiritual", -1, "there and back again", game.scene.options
    )
    life.became(game, who, "spiritual -1 for good", changed, cause=cause)
