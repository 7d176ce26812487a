"""Activities of a season, a month or a week, each with its rule and its effect.

Activities are actions of a longer scale: offered with reasons where they are closed, refused by the same requirements.
What an activity is about (a skill, a person, an item) is the detail of its use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, cast

from tablewright.engine import Process, choose
from tablewright.errors import IllegalActionError
from tablewright.game.character import belongings as goods
from tablewright.game.play.actions import Refusal
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.marchen import advancement
from tablewright.systems.marchen.chapters import life
from tablewright.systems.marchen.chapters.seasons.requirements import (
    ROLES,
    Kind,
    OneOf,
    Perform,
    abroad,
    at_home,
    by_a_check,
    by_words,
    character_of,
    exchangeable,
    having,
    named,
    new_trait,
    one_of,
)
from tablewright.systems.marchen.character.costs import cost_of
from tablewright.systems.marchen.character.record import MOST_NAME, Boon, Holding, Raise
from tablewright.systems.marchen.content import Trait, Weapon, find_item, item_of
from tablewright.systems.marchen.events.fight import ConditionLost, Healed
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.harm import change, harm
from tablewright.systems.marchen.mechanics.harm import FAILED_BADLY, levels_of_success, word_of
from tablewright.systems.marchen.status import Status, chronicle
from tablewright.systems.marchen.tasks import rolled
from tablewright.systems.marchen.values import SKILLS, Aspect, alias_of, cap, several

MOST_SUPPLY, ANOTHER = 5, "another"
SCORES = "marchen.aspect.current_and_maximum"
PHASES = 2
ON_THE_WAY = "a journey"
"""The matter of journeys (marchen.month.climb_mountains)."""

ARTIFICER_COST, LIVING_MONTHS = 6, 3

base, sojourn = Kind("season", "base", "season"), Kind("season", "sojourn", "sojourn")
social = Kind("season", "social", "connection")


async def nothing(game: Game, who: str, detail: str, cause: str) -> None:
    """Do nothing: the end of the season tells whether all have done it, and good living is paid by the month."""


def by_name(process: Process[[str, str], None]) -> Perform:
    """A process for someone and a name."""
    return lambda game, who, name, _: process(game, who, name)


# ---------------------------------------------------------------------- small things that many give


def told(game: Game, who: str, what: str, cause: str) -> None:
    """Say what came of something."""
    game.emit(Followed(who=who, what=what, cause=cause))


def heal(game: Game, who: str, aspect: Aspect, amount: int, cause: str) -> None:
    """Heal damage of an aspect, not below 0."""
    damage = getattr(game[who].status, aspect)
    amount = min(amount, damage)
    if amount > 0:
        game.emit(Healed(who=who, aspect=aspect, amount=amount, left=damage - amount, cause=cause))


async def lose_condition(game: Game, who: str, aspects: tuple[Aspect, ...], cause: str) -> None:
    """Remove one condition of these aspects, by the player's choice; permanent ones stay."""
    status: Status = game[who].status
    found = {one.name: one for one in status.conditions if one.aspect in aspects and not one.permanent}
    if not found:
        return
    name = await choose(game.seat(who), "which condition goes?", list(found), details={"who": who})
    if found[name] in game[who].status.conditions:
        game.emit(ConditionLost(who=who, condition=found[name], name=name, cause=cause))


def add_supply(game: Game, who: str, amount: int, cause: str) -> None:
    """Supply comes in, up to five."""
    supply = min(MOST_SUPPLY, max(0, character_of(game.scene, who).supply + amount))
    change(game, who, f"supply {supply}", cause, supply=supply)


def add_treasure(game: Game, who: str, amount: int, cause: str) -> None:
    """Treasure comes in or goes."""
    treasure = max(0, character_of(game.scene, who).treasure + amount)
    change(game, who, f"treasure {treasure}", cause, treasure=treasure)


def add_boon(game: Game, who: str, boon: Boon, cause: str) -> None:
    """Add a stored help; equal ones add up, but in one matter only the last counts."""
    boons = character_of(game.scene, who).boons
    same = next((one for one in boons if one.name == boon.name), None)
    if same is not None and not boon.matter:
        boon = boon.changed(uses=boon.uses + same.uses)
    others = tuple([one for one in boons if one.name != boon.name])
    change(game, who, f"{boon.name}: {several(boon.uses, 'use')}", cause, boons=(*others, boon))


def add_raise(game: Game, who: str, raised: Raise, cause: str) -> None:
    """An aspect is higher for a time; of the same from the same source the most counts, as long as it lasts."""
    known = character_of(game.scene, who).raises
    others = tuple([one for one in known if not _outdone(one, raised)])
    matter = f" in {raised.issue}" if raised.issue else ""
    change(game, who, f"{raised.aspect} {raised.value:+d}{matter}", cause, raises=(*others, raised))


def _outdone(one: Raise, by: Raise) -> bool:
    same = (one.aspect, one.source, one.issue) == (by.aspect, by.source, by.issue)
    return same and one.value <= by.value and one.phases <= by.phases


def trait_boon(trait: str) -> Perform:
    """The benefit of a trait for the time until the next season: one use, two for who has the trait already.

    (marchen.sojourn.patrol_wild, marchen.month.gather_firewood, marchen.week.feast_with_lord)
    """

    async def perform(game: Game, who: str, detail: str, cause: str) -> None:
        found = game.scene.library.get(Trait, trait)
        owned = found.name in character_of(game.scene, who).traits
        boon = Boon(name=found.name, uses=2 if owned else 1, skills=found.skills, aspect=found.aspect)
        add_boon(game, who, boon, cause)

    return perform


# ---------------------------------------------------------------------- base activities


def trainable(scene: Scene, who: str) -> Iterator[str]:
    """Next steps of training: skills up to level 1, then their specializations, also new ones."""
    character = character_of(scene, who)
    for skill in SKILLS:
        if (character.level(skill) or 0) < 1:
            yield skill
    for one in character.specializations:
        if one.level < cap(scene.options.mythic_levels):
            yield f"{one.skill}/{one.name}"
    for skill in SKILLS:
        if (character.level(skill) or 0) >= 1:
            yield f"{skill}/{ANOTHER}"


def can_train(scene: Scene, who: str, detail: str) -> str | Refusal | None:
    """The requirement that there is a next step."""
    skill, _, special = detail.partition("/")
    try:
        meant = alias_of(skill).skill
        if meant is None:
            return f"{skill} is not a skill"
        advancement.trained(character_of(scene, who), meant, special, scene.options)
    except IllegalActionError as error:
        return Refusal(error.message, error.rule or "marchen.season.training")
    return None


@base("Training", having("trainer"), can_train, about=trainable, asks="which specialization?")
async def training(game: Game, who: str, detail: str, cause: str) -> None:
    """A season with a trainer."""
    skill, _, special = detail.partition("/")
    await advancement.train(game, who, skill, special)


def no_heir_yet(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that no heir was named."""
    heir = character_of(scene, who).heir
    return f"{heir} is the heir already" if heir else None


base("Name an Heir", named, no_heir_yet, about=("a young relative",), asks="who is the heir?", id_="name_an_heir")(
    by_name(life.name_heir)
)


def unmarried(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that there is no spouse."""
    spouse = character_of(scene, who).spouse
    return f"{spouse} is the spouse already" if spouse else None


@base("Court a Spouse", named, unmarried, about=("a sweetheart",), asks="who is it?")
async def court_a_spouse(game: Game, who: str, detail: str, cause: str) -> None:
    """Court a spouse (marchen.season.court_a_spouse)."""
    changed = life.married(character_of(game.scene, who), detail)
    life.became(game, who, f"marries {detail}", changed, cause=cause)


def has_heir(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that an heir was named."""
    return None if character_of(scene, who).heir else "an heir must be named first"


@base("Write your Epilogue", has_heir, OneOf(*ROLES, usual=False), about=ROLES)
async def epilogue(game: Game, who: str, detail: str, cause: str) -> None:
    """Retire into a role (marchen.season.epilogue)."""
    await life.write_epilogue(game, who, cast("Literal['sage']", detail))


# ---------------------------------------------------------------------- sojourn


@sojourn("Gain a new Trait", named, new_trait, about=("well travelled",), asks="which trait?")
async def gain_trait(game: Game, who: str, detail: str, cause: str) -> None:
    """A new trait takes the place of an old one; written old>new, or new alone (marchen.sojourn.gain_trait)."""
    old, _, new = [word.strip() for word in detail.rpartition(">")]
    able = [old] if old else exchangeable(character_of(game.scene, who))
    if len(able) > 1:
        able = [await choose(game.seat(who), "which trait makes room?", able, details={"who": who})]
    traits = [one for one in character_of(game.scene, who).traits if one not in able]
    change(game, who, f"trait: {new}", cause, traits=(*traits, new[:MOST_NAME]))


def has_patron(scene: Scene, who: str, detail: str) -> str | None:
    """Require a patron by this name."""
    return one_of(character_of(scene, who).patrons, detail, f"{scene.display_name(who)} has no patron")


def patrons(scene: Scene, who: str) -> Iterable[str]:
    """Patrons of a participant."""
    return character_of(scene, who).patrons


@sojourn("Meet Patron", has_patron, about=patrons)
async def meet_patron(game: Game, who: str, detail: str, cause: str) -> None:
    """A patron's counsel helps one check (marchen.sojourn.meet_patron)."""
    add_boon(game, who, Boon(name=f"counsel of {detail}"[:60], circumstance=True), cause)


sojourn("Open New Sanctuary", id_="open_sanctuary")(nothing)


@sojourn("Receive Title", abroad, about=lambda scene, who: [chronicle(scene).culture or "a foreign court"])
async def receive_title(game: Game, who: str, detail: str, cause: str) -> None:
    """A foreigner's standing counts from now on, and there is a house (marchen.sojourn.receive_title)."""
    character = character_of(game.scene, who)
    culture = chronicle(game.scene).culture or detail
    held = Holding(name=f"house in {culture}"[:60], culture=culture)
    titles, holdings = (*character.titles, culture), (*character.holdings, held)
    change(game, who, f"a title and a house in {culture}", cause, titles=titles, holdings=holdings)


def can_live(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that three months can be paid."""
    if detail not in ("1", "2"):
        return "1 or 2 Treasure a month"
    if chronicle(scene).running and scene[who].status.plan == f"standard_of_living:{detail}":
        return None  # it is lived already, and paid by the month
    cost = LIVING_MONTHS * int(detail)
    return None if character_of(scene, who).treasure >= cost else f"{cost} Treasure are needed"


sojourn(
    "Raise Standard of Living", can_live, about=("1", "2"), id_="standard_of_living", rule="raise_standard_of_living"
)(nothing)


def below_the_top(scene: Scene, who: str, detail: str) -> str | Refusal | None:
    """The requirement that there is a higher standing."""
    character = character_of(scene, who)
    if life.permanently(character, "social", 1, "standing", scene.options) == character:
        return Refusal("the social score is as high as it can be", SCORES)
    return None


def can_rise(scene: Scene, who: str, detail: str) -> str | Refusal | None:
    """The requirement that there is a higher standing, and that it can be paid."""
    if refused := below_the_top(scene, who, detail):
        return refused
    character = character_of(scene, who)
    cost = life.standing_cost(character, scene.options)
    return None if character.treasure >= cost else f"{cost} Treasure are needed"


@sojourn("Raise Standing", at_home, can_rise)
async def raise_standing(game: Game, who: str, detail: str, cause: str) -> None:
    """Raise the standing for its price (marchen.sojourn.raise_standing)."""
    await life.raise_standing(game, who)


@sojourn("Research Lore", about=("this place",), asks="lore about what?")
async def research_lore(game: Game, who: str, detail: str, cause: str) -> None:
    """Learn as many facts as there are levels of success (marchen.sojourn.research_lore)."""
    result = await rolled(game, who, "social_sciences")
    facts = several(levels_of_success(result), "fact")
    told(game, who, f"{facts} about {detail or 'this place'}", cause)


def can_drum(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that it can be paid."""
    character = character_of(scene, who)
    cost = life.support_cost(character, scene.options, chronicle(scene).culture)
    return None if character.treasure >= cost else f"{cost} Treasure are needed"


@sojourn("Drumming up Support", named, can_drum, about=("one issue",), asks="support in which matter?")
async def drum_up_support(game: Game, who: str, detail: str, cause: str) -> None:
    """Standing in a single matter, at a sixth of the price (marchen.sojourn.drum_up_support)."""
    here = chronicle(game.scene).culture
    add_treasure(game, who, -life.support_cost(character_of(game.scene, who), game.scene.options, here), cause)
    raised = Raise(aspect="social", value=1, phases=PHASES, issue=detail[:60], source="support")
    add_raise(game, who, raised, cause)


def has_item(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement to own something."""
    owned = [one.item for one in scene[who].status.belongings]
    return one_of(owned, detail.partition("/")[0], f"{scene.display_name(who)} has no thing")


def things_of(scene: Scene, who: str) -> Iterator[str]:
    """Items of a participant."""
    yield from dict.fromkeys([one.item for one in scene[who].status.belongings])


@sojourn("Go See a Lore-master", has_item, about=things_of)
async def loremaster(game: Game, who: str, detail: str, cause: str) -> None:
    """Learn a thing's banes and its next hidden quality (marchen.sojourn.loremaster, marchen.gap.quality.revealing)."""
    character = character_of(game.scene, who)
    found = item_of(detail, game.scene.library)
    hidden = [one.name for one in found.qualities if not one.bane][character.revealed.get(detail, 0) :]
    banes = [f"the bane {one.name}" for one in found.qualities if one.bane]
    news = [*hidden[:1], *banes]
    told(game, who, f"{found.name} hides {' and '.join(news) if news else 'nothing more'}", cause)
    if hidden:
        revealed = character.revealed.put(detail, character.revealed.get(detail, 0) + 1)
        change(game, who, f"{found.name}: {hidden[0]} is revealed", cause, revealed=revealed)


def has_holding(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement to hold something."""
    held = [one.name for one in character_of(scene, who).holdings]
    return one_of(held, detail, f"{scene.display_name(who)} has no holding")


def holdings(scene: Scene, who: str) -> Iterator[str]:
    """Holdings of a participant."""
    yield from [one.name for one in character_of(scene, who).holdings]


@sojourn("Tend to a Holding", at_home, has_holding, about=holdings)
async def tend_holding(game: Game, who: str, detail: str, cause: str) -> None:
    """A holding yields Treasure; with its specialty one learns as well (marchen.sojourn.tend_holding)."""
    result = await rolled(game, who, "bureaucracy", advantages=1)
    add_treasure(game, who, levels_of_success(result), cause)
    character = character_of(game.scene, who)
    held = next(one for one in character.holdings if one.name == detail)
    for one in character.specializations:
        fits = held.specialty and one.name.casefold() == held.specialty.casefold()
        if fits and one.level < cap(game.scene.options.mythic_levels):
            await advancement.train(game, who, one.skill, one.name)
            return


@sojourn("Visit the Treasury of your Folk", at_home, has_item, below_the_top, about=things_of)
async def treasury(game: Game, who: str, detail: str, cause: str) -> None:
    """Hand in an item for standing; all of the folk know what it can do from now on (marchen.sojourn.treasury)."""
    left = goods.remove_item(game[who].status.belongings, detail)
    game.emit(BelongingsChanged(who=who, what=f"hands in {detail}", belongings=left, cause=cause))
    changed = life.permanently(character_of(game.scene, who), "social", 1, "treasury", game.scene.options)
    life.became(game, who, "social +1 for good", changed, cause=cause)
    item = item_of(detail, game.scene.library)
    qualities = len([one for one in item.qualities if not one.bane])
    for one in game.scene.present if qualities else ():
        own = character_of(game.scene, one.id)
        if own.culture == character_of(game.scene, who).culture:
            change(game, one.id, f"{item.name}: all is revealed", cause, revealed=own.revealed.put(detail, qualities))


def new_song(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that the company has no such song yet: each is sung once in a phase."""
    side = scene[who].side
    known = [song for one in scene.present if one.side == side for song in character_of(scene, one.id).songs]
    return f"the company has a song {detail} already" if detail in known else None


@sojourn("Write a Song", named, new_song, about=("a new song",), asks="what is the song called?")
async def write_song(game: Game, who: str, detail: str, cause: str) -> None:
    """A song more in the company's list (marchen.sojourn.write_song)."""
    songs = character_of(game.scene, who).songs
    change(game, who, f"a song: {detail}", cause, songs=(*songs, detail[:60]))


def new_virtue(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that it is a new virtue."""
    known = detail in character_of(scene, who).virtues
    return f"{detail} is a virtue of {scene.display_name(who)} already" if known else None


@sojourn("Gain a Virtue", named, new_virtue, about=("hospitality",), asks="which virtue?")
async def gain_virtue(game: Game, who: str, detail: str, cause: str) -> None:
    """Gain a virtue (marchen.sojourn.gain_virtue, marchen.sojourn.gain_cultural_virtue)."""
    virtues = character_of(game.scene, who).virtues
    change(game, who, f"virtue: {detail}", cause, virtues=(*virtues, detail[:60]))


sojourn(
    "Gain a Cultural Virtue",
    named,
    at_home,
    new_virtue,
    about=("steadfastness",),
    asks="which virtue?",
    id_="gain_cultural_virtue",
)(gain_virtue)


@sojourn("Influence Patron", has_patron, about=patrons)
async def influence_patron(game: Game, who: str, detail: str, cause: str) -> None:
    """Persuade a patron to act (marchen.sojourn.influence_patron)."""
    result = await rolled(game, who, "persuasion")
    acts = "acts" if result.success else "does nothing about it"
    told(game, who, f"{detail} {acts}", cause)


def can_confer(scene: Scene, who: str, detail: str) -> str | Refusal | None:
    """The requirement that sages teach it and that it can be paid."""
    lore, _, rest = detail.partition("/")
    if lore == "hobby":
        known = rest in character_of(scene, who).traits
        return (
            f"{rest} is a trait of {scene.display_name(who)} already" if known else None if rest else "say which hobby"
        )
    if lore.title() not in advancement.TAUGHT_BY_SAGES:
        return f"sages teach {', '.join(advancement.TAUGHT_BY_SAGES)}"
    character = character_of(scene, who)
    try:
        advancement.stepped(character, *advancement.lesson(character, lore, rest), scene.options)
    except IllegalActionError as error:
        return Refusal(error.message, error.rule or "marchen.sojourn.confer_with_sage")
    cost = -(-cost_of(character, *advancement.lesson(character, lore, rest), scene.options).total // 2)
    return None if character.available >= cost else f"{cost} experience are needed"


def lessons(scene: Scene, who: str) -> Iterator[str]:
    """Lessons of sages, including the lore that was begun already."""
    skill = alias_of("Lore").skill
    begun = [f"Lore/{one.name}" for one in character_of(scene, who).specializations if one.skill == skill]
    yield from ("Lore", *begun, "Travel", "Explore", "hobby/stargazing")


@sojourn("Confer with a Sage", can_confer, about=lessons)
async def confer_with_sage(game: Game, who: str, detail: str, cause: str) -> None:
    """A sage teaches at half the price, or shares a hobby."""
    lore, _, rest = detail.partition("/")
    if lore == "hobby":
        traits = character_of(game.scene, who).traits
        change(game, who, f"trait: {rest}", cause, traits=(*traits, rest))
        return
    await advancement.confer_with_sage(game, who, lore, rest)


def can_fit(scene: Scene, who: str, detail: str) -> str | None:
    """The requirement that an item can be fitted and paid."""
    item, _, how = detail.partition("/")
    character = character_of(scene, who)
    if how not in ("check", "damage"):
        return "say item/check or item/damage"
    if how == "damage" and not isinstance(find_item(item, scene.library), Weapon):
        return f"{item} is not a weapon, and does no damage"
    if any(one.startswith(f"artificer {item} ") for one in character.done):
        return f"{item} was fitted already"
    if find_item(item, scene.library) is None:
        return f"there is no {item}"
    return None if character.treasure >= ARTIFICER_COST else f"{ARTIFICER_COST} Treasure are needed"


def fittings(scene: Scene, who: str) -> Iterator[str]:
    """Items that can be fitted, and the ways to fit them."""
    for item in things_of(scene, who):
        yield f"{item}/check"
        if isinstance(find_item(item, scene.library), Weapon):
            yield f"{item}/damage"


@sojourn("Visit the Artificer", has_item, can_fit, about=fittings)
async def artificer(game: Game, who: str, detail: str, cause: str) -> None:
    """Have an item fitted: one better on checks, or in damage (marchen.sojourn.artificer)."""
    item, _, how = detail.partition("/")
    character = character_of(game.scene, who)
    done = (*character.done, f"artificer {item} {how}")
    paid = character.treasure - ARTIFICER_COST
    change(game, who, f"{item} is fitted: +1 {how}", cause, done=done, treasure=paid)


@sojourn("Guard", having("guards"))
async def guard(game: Game, who: str, detail: str, cause: str) -> None:
    """Guard for Treasure, at a risk (marchen.sojourn.guard)."""
    result = await rolled(game, who, "perception")
    add_treasure(game, who, levels_of_success(result), cause)
    if word_of(result) in FAILED_BADLY:
        await harm(game, who, "physical", 1, cause=cause)


sojourn("Patrol the Wild", having("wildland"), id_="patrol_wild")(trait_boon("wilderness_lore"))


# ---------------------------------------------------------------------- social


def is_unknown(scene: Scene, who: str, detail: str) -> str | None:
    """Require a person without a connection to the character."""
    return f"{detail} is known already" if life.is_connected(character_of(scene, who), detail) else None


def is_known(scene: Scene, who: str, detail: str) -> str | None:
    """Require a known connection."""
    person = detail.partition("/")[0]
    return one_of(character_of(scene, who).connections, person, f"{scene.display_name(who)} has no connection")


def ways_to_compel(scene: Scene, who: str) -> Iterator[str]:
    """Connections of a participant, each with the ways to compel it."""
    for person in character_of(scene, who).connections:
        for skill in life.COMPEL:
            yield f"{person}/{skill}"


def connections_of(scene: Scene, who: str) -> Iterable[str]:
    """Connections of a participant."""
    return character_of(scene, who).connections


social(
    "Make a Connection",
    named,
    is_unknown,
    about=("a new acquaintance",),
    asks="who is it?",
    id_="make_connection",
    rule="make",
)(by_name(life.make_connection))
social("Forge a Bond", is_known, about=connections_of, id_="forge_bond")(by_name(life.forge_bond))
social("Aid a Connection", is_known, about=connections_of, id_="aid_connection", rule="aid")(
    by_name(life.aid_connection)
)


@social("Compel a Connection", is_known, by_words, about=ways_to_compel, rule="compel")
async def compel_connection(game: Game, who: str, detail: str, cause: str) -> None:
    """Make a connection do something, at a risk (marchen.connection.compel)."""
    person, _, skill = detail.partition("/")
    await life.compel_connection(game, who, person, cast("Literal['persuasion']", skill or "persuasion"))


@social("Test your Connection", is_known, by_a_check, about=connections_of, rule="test")
async def test_connection(game: Game, who: str, detail: str, cause: str) -> None:
    """A bond is tested (marchen.connection.test)."""
    person, _, skill = detail.partition("/")
    await life.test_connection(game, who, person, skill or "social")
