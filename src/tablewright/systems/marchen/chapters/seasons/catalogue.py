"""The catalogue of activities by kind and length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from tablewright.engine import Process
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.marchen.chapters import life
from tablewright.systems.marchen.chapters.seasons import activities as do
from tablewright.systems.marchen.chapters.seasons import pastimes
from tablewright.systems.marchen.chapters.seasons import requirements as need
from tablewright.systems.marchen.chapters.seasons.activities import (
    Activity,
    Details,
    Holds,
    Perform,
    acts,
    having,
    named,
)
from tablewright.systems.marchen.status import chronicle


def _words(*words: str) -> Details:
    return lambda scene, who: words


def _patrons(scene: Scene, who: str) -> Iterator[str]:
    yield from do.character_of(scene, who).patrons


def _holdings(scene: Scene, who: str) -> Iterator[str]:
    yield from [one.name for one in do.character_of(scene, who).holdings]


async def _nothing(game: Game, who: str, detail: str, cause: str) -> None:
    """Do nothing: the end of the season tells whether all have done it, and good living is paid by the month."""


async def _raise_standing(game: Game, who: str, detail: str, cause: str) -> None:
    await life.raise_standing(game, who)


def _named(process: Process[[str, str], None]) -> Perform:
    """A process for someone and a name."""
    return lambda game, who, name, _: process(game, who, name)


def _kind(time: Literal["season", "month", "week"], group: str, topic: str) -> Callable[..., Activity]:
    """A function that declares activities of one kind, each by the rule of its own name, or by ``rule``."""

    def activity(
        id_: str, title: str, perform: Perform, *requires: Holds, about: Details | None = None, rule: str = ""
    ) -> Activity:
        cited = f"marchen.{topic}.{rule or id_}"
        return Activity(id_, title, cited, time, group, perform, tuple([(cited, one) for one in requires]), about)

    return activity


_base, _sojourn = _kind("season", "base", "season"), _kind("season", "sojourn", "sojourn")
_social, _recover = _kind("season", "social", "connection"), _kind("season", "recover", "recover")
_month, _week = _kind("month", "monthly", "month"), _kind("week", "weekly", "week")
SEASONAL: tuple[Activity, ...] = (
    _base("training", "Training", do.train_up, having("trainer"), do.can_train, about=do.trainable),
    _base(
        "name_an_heir", "Name an Heir", _named(life.name_heir), named, do.no_heir_yet, about=_words("a young relative")
    ),
    _base("court_a_spouse", "Court a Spouse", do.court_spouse, named, do.unmarried, about=_words("a sweetheart")),
    _base(
        "epilogue",
        "Write your Epilogue",
        do.epilogue,
        do.has_heir,
        need.OneOf(*need.ROLES, usual=False),
        about=_words(*need.ROLES),
    ),
    _sojourn("gain_trait", "Gain a new Trait", do.gain_trait, named, need.new_trait, about=_words("well travelled")),
    _sojourn("meet_patron", "Meet Patron", do.meet_patron, do.has_patron, about=_patrons),
    _sojourn("open_sanctuary", "Open New Sanctuary", _nothing),
    _sojourn(
        "receive_title",
        "Receive Title",
        do.receive_title,
        need.abroad,
        about=lambda scene, who: [chronicle(scene).culture or "a foreign court"],
    ),
    _sojourn(
        "standard_of_living",
        "Raise Standard of Living",
        _nothing,
        do.can_live,
        about=_words("1", "2"),
        rule="raise_standard_of_living",
    ),
    _sojourn("raise_standing", "Raise Standing", _raise_standing, do.at_home, do.can_rise),
    _sojourn("research_lore", "Research Lore", do.research, about=_words("this place")),
    _sojourn("drum_up_support", "Drumming up Support", do.drum_up, named, do.can_drum, about=_words("one issue")),
    _sojourn("loremaster", "Go See a Lore-master", do.loremaster, do.has_item, about=do.things_of),
    _sojourn("tend_holding", "Tend to a Holding", do.tend_holding, do.at_home, do.has_holding, about=_holdings),
    _sojourn(
        "treasury",
        "Visit the Treasury of your Folk",
        do.treasury,
        do.at_home,
        do.has_item,
        do.below_the_top,
        about=do.things_of,
    ),
    _sojourn("write_song", "Write a Song", do.write_song, named, do.new_song, about=_words("a new song")),
    _sojourn("gain_virtue", "Gain a Virtue", do.gain_virtue, named, do.new_virtue, about=_words("hospitality")),
    _sojourn(
        "gain_cultural_virtue",
        "Gain a Cultural Virtue",
        do.gain_virtue,
        named,
        do.at_home,
        do.new_virtue,
        about=_words("steadfastness"),
    ),
    _sojourn("influence_patron", "Influence Patron", do.influence_patron, do.has_patron, about=_patrons),
    _sojourn("confer_with_sage", "Confer with a Sage", do.confer, do.can_confer, about=do.lessons),
    _sojourn("artificer", "Visit the Artificer", do.artificer, do.has_item, do.can_fit, about=do.fittings),
    _sojourn("guard", "Guard", do.stand_guard, having("guards")),
    _sojourn("patrol_wild", "Patrol the Wild", do.trait_boon("wilderness_lore"), having("wildland")),
    _social(
        "make_connection",
        "Make a Connection",
        _named(life.make_connection),
        named,
        do.is_unknown,
        about=_words("a new acquaintance"),
        rule="make",
    ),
    _social("forge_bond", "Forge a Bond", _named(life.forge_bond), do.is_known, about=do.connections_of),
    _social(
        "aid_connection",
        "Aid a Connection",
        _named(life.aid_connection),
        do.is_known,
        about=do.connections_of,
        rule="aid",
    ),
    _social(
        "compel_connection",
        "Compel a Connection",
        do.compel_connection,
        do.is_known,
        need.by_words,
        about=do.ways_to_compel,
        rule="compel",
    ),
    _social(
        "test_connection",
        "Test your Connection",
        do.try_connection,
        do.is_known,
        need.by_a_check,
        about=do.connections_of,
        rule="test",
    ),
    _recover("recovery", "Recovery", pastimes.recovery),
    # marchen.connection.hearten: it stands among the social activities once more, and is the same
    _recover("hearten", "Hearten", pastimes.hearten),
    _recover("resupply", "Resupply", pastimes.resupply),
    _recover("repair", "Repair", pastimes.mend, pastimes.is_worn, about=pastimes.worn_things),
    _recover(
        "heal_corruption", "Heal Corruption", pastimes.corruption, need.OneOf(*need.ARTS), about=_words(*need.ARTS[:2])
    ),
    _recover("there_and_back_again", "There and Back Again", pastimes.there_and_back, do.at_home, pastimes.can_burn),
)
_CHOICE = _words("gain", "heal")
MONTHLY: tuple[Activity, ...] = (
    _month("gather_information", "Gather Information", pastimes.information, about=_words("the matter")),
    _month("collect_herbs", "Collect Herbs", pastimes.herbs),
    _month(
        "field_of_heroes",
        "Compete on the Field of Heroes",
        pastimes.heroes,
        having("games"),
        need.OneOf(*need.EVENTS),
        about=_words(*need.EVENTS),
    ),
    _month("gather_firewood", "Gather Firewood", do.trait_boon("firemaking"), having("forest")),
    _month(
        "go_hunting",
        "Go Hunting",
        pastimes.hunt,
        having("hunting_grounds"),
        pastimes.fits_hunting,
        about=pastimes.hunting_boons,
    ),
    _month(
        "go_to_market",
        "Go to Market",
        pastimes.market,
        having("market"),
        pastimes.for_sale,
        about=_words("rope", "herbs"),
    ),
    _month("climb_mountains", "Climb the Mountains", pastimes.climb, having("mountains")),
    _month("delve", "Delve into the Depths", pastimes.delve, having("caves"), pastimes.first_delve, about=_CHOICE),
    _month("go_riding", "Go Riding", pastimes.ride, having("fields")),
    _month(
        "sparring",
        "Sparring / Dueling",
        pastimes.spar,
        having("guards"),
        need.OneOf(*need.MATCHES),
        about=_words(*need.MATCHES),
    ),
)
WEEKLY: tuple[Activity, ...] = (
    _week(
        "secure_advantage",
        "Secure an Advantage",
        pastimes.secure,
        need.prepares,
        about=_words("insight", "investigation", "leadership"),
    ),
    _week(
        "honoring_the_fallen",
        "Honoring the Fallen",
        pastimes.fallen,
        named,
        pastimes.not_honoured,
        about=_words("a friend"),
    ),
    _week("honor_your_people", "Honor your people", pastimes.ancestors, having("tombs")),
    _week("feast_with_lord", "Feast with the Lord", do.trait_boon("merry"), do.needs_sanctuary, having("lord")),
)

OWN_WORDS = {
    "training": "which specialization?",
    "name_an_heir": "who is the heir?",
    "court_a_spouse": "who is it?",
    "gain_trait": "which trait?",
    "research_lore": "lore about what?",
    "drum_up_support": "support in which matter?",
    "write_song": "what is the song called?",
    "gain_virtue": "which virtue?",
    "gain_cultural_virtue": "which virtue?",
    "make_connection": "who is it?",
}
"""Questions about the subject of a season; the options are suggestions."""

SCALES = {"season": acts(SEASONAL), "month": acts(MONTHLY), "week": acts(WEEKLY)}
GROUPS = {one.id: one.group for one in SEASONAL}
