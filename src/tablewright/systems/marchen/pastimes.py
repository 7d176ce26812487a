"""What people do for a month or a week: hunting, sparring, markets, mountains, feasts."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.errors import RulesSayNo, nearest
from tablewright.game import belongings as goods
from tablewright.game.actions import Refused
from tablewright.game.common import BelongingsChanged
from tablewright.game.scene import Live, Scene
from tablewright.systems.marchen import life
from tablewright.systems.marchen.activities import ON_THE_WAY, add_boon, add_raise, add_supply, character_of, heal, told
from tablewright.systems.marchen.character.record import FOR_GOOD, MOST_NAME, Boon, Raise
from tablewright.systems.marchen.content import Armour, Gear, Weapon, find_item
from tablewright.systems.marchen.degrees import Grade
from tablewright.systems.marchen.harm import change, harm
from tablewright.systems.marchen.helping import boon_named
from tablewright.systems.marchen.mechanics import CheckResult, Table
from tablewright.systems.marchen.now import how_checked, subject_of
from tablewright.systems.marchen.options import Core
from tablewright.systems.marchen.status import society
from tablewright.systems.marchen.suffering import FAILED_BADLY, grade_of, levels_of_success, word_of
from tablewright.systems.marchen.trying import rolled
from tablewright.systems.marchen.values import SKILL_NAMES, Aspect, Meant, meant_by, several

HONOURED = {Grade.FAILURE: 0, Grade.SUCCESS: 3, Grade.GREAT_SUCCESS: 6, Grade.EXTRAORDINARY_SUCCESS: 9}
DISCOUNTS = {Grade.FAILURE: 0, Grade.SUCCESS: 3, Grade.GREAT_SUCCESS: 6, Grade.EXTRAORDINARY_SUCCESS: 12}
SPARRED = {Grade.FAILURE: 0, Grade.SUCCESS: 1, Grade.GREAT_SUCCESS: 2, Grade.EXTRAORDINARY_SUCCESS: 3}
LITERAL, MOST_RAISE = 18, 10
BRUISED: tuple[Aspect, ...] = ("physical", "mental")


# ---------------------------------------------------------------------- months


async def information(game: Live, who: str, detail: str) -> None:
    """Search for clues."""
    result = await rolled(game, who, "investigation")
    clues = f"{several(levels_of_success(result), 'clue')} about {detail or 'the matter'}"
    told(game, who, clues, "marchen.month.gather_information")


async def herbs(game: Live, who: str, detail: str) -> None:
    """Gather herbs: a dose for each level of success."""
    cause = "marchen.month.collect_herbs"
    result = await rolled(game, who, "life_sciences")
    doses = levels_of_success(result)
    if doses:
        has = goods.add(game[who].status.belongings, "herbs", doses)
        game.emit(BelongingsChanged(who=who, what=f"{several(doses, 'dose')} of herbs", belongings=has, cause=cause))


async def heroes(game: Live, who: str, detail: str) -> None:
    """Compete on the Field of Heroes: the next raise of standing is cheaper."""
    meant = meant_by(detail or "Athletics")
    result = await rolled(game, who, meant.what, specialization=meant.specialization)
    best = max(character_of(game.scene, who).discount, DISCOUNTS[grade_of(result)])
    change(game, who, f"{best} off the next raise of standing", "marchen.month.field_of_heroes", discount=best)


async def hunt(game: Live, who: str, detail: str) -> None:
    """Go hunting for supply; a boon may be used up for it."""
    cause = "marchen.month.go_hunting"
    meant = meant_by("Hunting")
    result = await rolled(game, who, meant.what, specialization=meant.specialization, boon=detail)
    add_supply(game, who, levels_of_success(result), cause)
    if word_of(result) == "catastrophic":
        await harm(game, who, "physical", 1, cause=cause)


def fits_hunting(scene: Scene, who: str, detail: str) -> Refused | None:
    """The requirement that a boon that is named is one's own and fits."""
    try:
        boon_named(subject_of(scene, who), meant_by("Hunting").what, detail, "")
    except RulesSayNo as error:
        return Refused(error.message, error.rule or "marchen.month.go_hunting")
    return None


def hunting_boons(scene: Scene, who: str) -> Iterator[str]:
    """Nothing, and the boons that could be used up for hunting."""
    yield ""
    for boon in character_of(scene, who).boons:
        if fits_hunting(scene, who, boon.name) is None:
            yield boon.name


def for_sale(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that something can be bought and paid for."""
    found = find_item(detail, scene.library)
    if found is None or found.price is None:
        sold = [one.id for kind in (Weapon, Armour, Gear) for one in scene.library.of(kind) if one.price is not None]
        return f"{detail} is not for sale{nearest(detail, sold)}" if detail else "say what"
    return None if character_of(scene, who).treasure >= found.price else f"{found.price} Treasure are needed"


async def market(game: Live, who: str, detail: str) -> None:
    """Buy something named."""
    found = find_item(detail, game.scene.library)
    assert found is not None
    price = found.price or 0
    has = goods.add(game[who].status.belongings, detail)
    left = character_of(game.scene, who).treasure - price
    event = BelongingsChanged(
        who=who,
        what=f"buys {found.name}",
        belongings=has,
        money=left,
        purse="treasure",
        cause="marchen.month.go_to_market",
    )
    game.emit(event)


async def climb(game: Live, who: str, detail: str) -> None:
    """Climb the mountains for a view, at a risk."""
    cause = "marchen.month.climb_mountains"
    result = await rolled(game, who, "athletics")
    if result.success:
        add_boon(game, who, Boon(name="a view", matter=ON_THE_WAY), cause)
    elif word_of(result) in FAILED_BADLY:
        await harm(game, who, "physical", 2, cause=cause)


def first_delve(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that it is the first time."""
    if detail not in ("gain", "heal"):
        return "say gain or heal"
    return "only the first time" if "delve" in character_of(scene, who).done else None


async def delve(game: Live, who: str, detail: str) -> None:
    """Delve into the depths, once in a life."""
    cause = "marchen.month.delve"
    character = character_of(game.scene, who)
    change(game, who, "delves into the depths", cause, done=(*character.done, "delve"))
    if detail == "heal":
        heal(game, who, "spiritual", 2, cause)
        return
    changed = life.gained(character_of(game.scene, who), "spiritual", game.scene.options)
    life.became(game, who, "spiritual +1", changed, cause=cause)


async def ride(game: Live, who: str, detail: str) -> None:
    """Go riding: it clears the mind."""
    result = await rolled(game, who, "athletics")
    heal(game, who, "mental", levels_of_success(result), "marchen.month.go_riding")


async def spar(game: Live, who: str, detail: str) -> None:
    """Spar or duel: standing in this society, or bruises and experience."""
    cause = "marchen.month.sparring"
    result = await sparred(game, who, meant_by(detail or "Athletics"))
    gain = SPARRED[grade_of(result)]
    if gain:
        here = society(game.scene)
        known = [one for one in character_of(game.scene, who).raises if (one.source, one.issue) == ("sparring", here)]
        most = min(MOST_RAISE, gain + sum([one.value for one in known]))
        raised = Raise(aspect="social", value=most, phases=FOR_GOOD, issue=here, source="sparring")
        add_raise(game, who, raised, cause)
        return
    for aspect in BRUISED:
        await harm(game, who, aspect, 0, 1, cause=cause, enduring=False)
    character = character_of(game.scene, who)
    change(game, who, "1 experience", cause, experience=character.experience + 1)


def passes(core: Core, table: Table) -> int:
    """The least total that succeeds at an average task; by sigma there is no target (marchen.degree.sigma_method)."""
    measure = table.measure(core, "average")
    return next(total for total in range(LITERAL * LITERAL) if table.judge(total, core, measure).success)


async def sparred(game: Live, who: str, meant: Meant) -> CheckResult:
    """A match: at the difficulty that the table takes it for, or against a plain 18."""
    mode, special = game.scene.options.sparring_difficulty, meant.specialization
    if mode != "literal_18":
        return await rolled(game, who, meant.what, specialization=special, difficulty=mode)
    core, table = how_checked(game.scene.options)
    short = passes(core, table) - LITERAL
    return await rolled(game, who, meant.what, specialization=special, dm=short)


# ---------------------------------------------------------------------- weeks


async def secure(game: Live, who: str, detail: str) -> None:
    """Make preparations: the sigma is the DM of the next check in the matter, for better or worse.

    What the matter is may be said after a stroke; where it is not, it is whatever the same skill is about.
    """
    what, special, matter = meant_by(detail or "insight")
    matter = matter or SKILL_NAMES.get(what, what)  # type: ignore[call-overload]
    result = await rolled(game, who, what, specialization=special, matter=matter)
    if result.sigma:
        boon = Boon(name=f"an advantage in {matter}"[:60], dm=result.sigma, matter=matter[:60])
        add_boon(game, who, boon, "marchen.week.secure_advantage")


def not_honoured(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that somebody who has fallen was not honoured yet: it follows on a death, once."""
    done = _honoured(detail) in character_of(scene, who).done
    return f"{scene.called(who)} has honoured {detail} already" if done else None


def _honoured(name: str) -> str:
    return f"honoured {name.strip().casefold()}"[:MOST_NAME]


async def fallen(game: Live, who: str, detail: str) -> None:
    """Honour the fallen: the spirit may rise above its maximum."""
    character = character_of(game.scene, who)
    changed = life.gained(character, "spiritual", game.scene.options, beyond=True)
    changed = changed.changed(done=(*character.done, _honoured(detail)))
    life.became(game, who, f"spiritual +1, honouring {detail}", changed, cause="marchen.week.honoring_the_fallen")


async def ancestors(game: Live, who: str, detail: str) -> None:
    """Sing for the ancestors."""
    result = await rolled(game, who, "performance")
    heal(game, who, "spiritual", HONOURED[grade_of(result)], "marchen.week.honor_your_people")
