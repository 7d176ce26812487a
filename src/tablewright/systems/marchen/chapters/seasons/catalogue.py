"""The catalogue of activities by kind and length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.marchen.chapters.seasons import activities, pastimes, requirements
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
    yield from activities.character_of(scene, who).patrons


def _holdings(scene: Scene, who: str) -> Iterator[str]:
    yield from [one.name for one in activities.character_of(scene, who).holdings]


async def _nothing(game: Game, who: str, detail: str) -> None:
    """Do nothing: the end of the season tells whether all have done it."""


def _season(group: str, id_: str, title: str, rule: str, perform: Perform, *more: Any) -> Activity:
    requires = tuple([(rule, holds) for holds in more if not isinstance(holds, _Choices)])
    details = next((holds.details for holds in more if isinstance(holds, _Choices)), None)
    return Activity(id_, title, rule, "season", group, perform, requires, details)


class _Choices:
    """Details of an activity, as offered."""

    def __init__(self, details: Details) -> None:
        self.details = details


def _of(*words: str) -> _Choices:
    return _Choices(_words(*words))


SEASONAL: tuple[Activity, ...] = (
    _season(
        "base",
        "training",
        "Training",
        "marchen.season.training",
        activities.train_up,
        having("trainer"),
        activities.can_train,
        _Choices(activities.trainable),
    ),
    _season(
        "base",
        "name_an_heir",
        "Name an Heir",
        "marchen.season.name_an_heir",
        activities.name_heir,
        named,
        activities.no_heir_yet,
        _of("a young relative"),
    ),
    _season(
        "base",
        "court_a_spouse",
        "Court a Spouse",
        "marchen.season.court_a_spouse",
        activities.court_spouse,
        named,
        activities.unmarried,
        _of("a sweetheart"),
    ),
    _season(
        "base",
        "epilogue",
        "Write your Epilogue",
        "marchen.season.epilogue",
        activities.epilogue,
        activities.has_heir,
        requirements.OneOf(*requirements.ROLES, usual=False),
        _of(*requirements.ROLES),
    ),
    _season(
        "sojourn",
        "gain_trait",
        "Gain a new Trait",
        "marchen.sojourn.gain_trait",
        activities.gain_trait,
        named,
        requirements.new_trait,
        _of("well travelled"),
    ),
    _season(
        "sojourn",
        "meet_patron",
        "Meet Patron",
        "marchen.sojourn.meet_patron",
        activities.meet_patron,
        activities.has_patron,
        _Choices(_patrons),
    ),
    _season("sojourn", "open_sanctuary", "Open New Sanctuary", "marchen.sojourn.open_sanctuary", _nothing),
    _season(
        "sojourn",
        "receive_title",
        "Receive Title",
        "marchen.sojourn.receive_title",
        activities.receive_title,
        requirements.abroad,
        _Choices(lambda scene, who: [chronicle(scene).culture or "a foreign court"]),
    ),
    _season(
        "sojourn",
        "standard_of_living",
        "Raise Standard of Living",
        "marchen.sojourn.raise_standard_of_living",
        activities.live_well,
        activities.can_live,
        _of("1", "2"),
    ),
    _season(
        "sojourn",
        "raise_standing",
        "Raise Standing",
        "marchen.sojourn.raise_standing",
        activities.raise_standing,
        activities.at_home,
        activities.can_rise,
    ),
    _season(
        "sojourn",
        "research_lore",
        "Research Lore",
        "marchen.sojourn.research_lore",
        activities.research,
        _of("this place"),
    ),
    _season(
        "sojourn",
        "drum_up_support",
        "Drumming up Support",
        "marchen.sojourn.drum_up_support",
        activities.drum_up,
        named,
        activities.can_drum,
        _of("one issue"),
    ),
    _season(
        "sojourn",
        "loremaster",
        "Go See a Lore-master",
        "marchen.sojourn.loremaster",
        activities.loremaster,
        activities.has_item,
        _Choices(activities.things_of),
    ),
    _season(
        "sojourn",
        "tend_holding",
        "Tend to a Holding",
        "marchen.sojourn.tend_holding",
        activities.tend_holding,
        activities.at_home,
        activities.has_holding,
        _Choices(_holdings),
    ),
    _season(
        "sojourn",
        "treasury",
        "Visit the Treasury of your Folk",
        "marchen.sojourn.treasury",
        activities.treasury,
        activities.at_home,
        activities.has_item,
        activities.below_the_top,
        _Choices(activities.things_of),
    ),
    _season(
        "sojourn",
        "write_song",
        "Write a Song",
        "marchen.sojourn.write_song",
        activities.write_song,
        named,
        activities.new_song,
        _of("a new song"),
    ),
    _season(
        "sojourn",
        "gain_virtue",
        "Gain a Virtue",
        "marchen.sojourn.gain_virtue",
        activities.gain_virtue("marchen.sojourn.gain_virtue"),
        named,
        activities.new_virtue,
        _of("hospitality"),
    ),
    _season(
        "sojourn",
        "gain_cultural_virtue",
        "Gain a Cultural Virtue",
        "marchen.sojourn.gain_cultural_virtue",
        activities.gain_virtue("marchen.sojourn.gain_cultural_virtue"),
        named,
        activities.at_home,
        activities.new_virtue,
        _of("steadfastness"),
    ),
    _season(
        "sojourn",
        "influence_patron",
        "Influence Patron",
        "marchen.sojourn.influence_patron",
        activities.influence_patron,
        activities.has_patron,
        _Choices(_patrons),
    ),
    _season(
        "sojourn",
        "confer_with_sage",
        "Confer with a Sage",
        "marchen.sojourn.confer_with_sage",
        activities.confer,
        activities.can_confer,
        _Choices(activities.lessons),
    ),
    _season(
        "sojourn",
        "artificer",
        "Visit the Artificer",
        "marchen.sojourn.artificer",
        activities.artificer,
        activities.has_item,
        activities.can_fit,
        _Choices(activities.fittings),
    ),
    _season("sojourn", "guard", "Guard", "marchen.sojourn.guard", activities.stand_guard, having("guards")),
    _season(
        "sojourn",
        "patrol_wild",
        "Patrol the Wild",
        "marchen.sojourn.patrol_wild",
        activities.trait_boon("wilderness_lore", "marchen.sojourn.patrol_wild"),
        having("wildland"),
    ),
    _season(
        "social",
        "make_connection",
        "Make a Connection",
        "marchen.connection.make",
        activities.make_connection,
        named,
        activities.is_unknown,
        _of("a new acquaintance"),
    ),
    _season(
        "social",
        "forge_bond",
        "Forge a Bond",
        "marchen.connection.forge_bond",
        activities.forge_bond,
        activities.is_known,
        _Choices(activities.connections_of),
    ),
    _season(
        "social",
        "aid_connection",
        "Aid a Connection",
        "marchen.connection.aid",
        activities.aid_connection,
        activities.is_known,
        _Choices(activities.connections_of),
    ),
    _season(
        "social",
        "compel_connection",
        "Compel a Connection",
        "marchen.connection.compel",
        activities.compel_connection,
        activities.is_known,
        requirements.by_words,
        _Choices(activities.ways_to_compel),
    ),
    _season(
        "social",
        "test_connection",
        "Test your Connection",
        "marchen.connection.test",
        activities.try_connection,
        activities.is_known,
        requirements.by_a_check,
        _Choices(activities.connections_of),
    ),
    _season("recover", "recovery", "Recovery", "marchen.recover.recovery", pastimes.recovery),
    # marchen.connection.hearten: it stands among the social activities once more, and is the same
    _season("recover", "hearten", "Hearten", "marchen.recover.hearten", pastimes.hearten),
    _season("recover", "resupply", "Resupply", "marchen.recover.resupply", pastimes.resupply),
    _season(
        "recover",
        "repair",
        "Repair",
        "marchen.recover.repair",
        pastimes.mend,
        pastimes.is_worn,
        _Choices(pastimes.worn_things),
    ),
    _season(
        "recover",
        "heal_corruption",
        "Heal Corruption",
        "marchen.recover.heal_corruption",
        pastimes.corruption,
        requirements.OneOf(*requirements.ARTS),
        _of(*requirements.ARTS[:2]),
    ),
    _season(
        "recover",
        "there_and_back_again",
        "There and Back Again",
        "marchen.recover.there_and_back_again",
        pastimes.there_and_back,
        activities.at_home,
        pastimes.can_burn,
    ),
)


def _month(id_: str, title: str, perform: Perform, *requires: Holds, about: Details | None = None) -> Activity:
    rule = f"marchen.month.{id_}"
    return Activity(id_, title, rule, "month", "monthly", perform, tuple([(rule, one) for one in requires]), about)


_FIREWOOD = activities.trait_boon("firemaking", "marchen.month.gather_firewood")
_CHOICE = _words("gain", "heal")
MONTHLY: tuple[Activity, ...] = (
    _month("gather_information", "Gather Information", pastimes.information, about=_words("the matter")),
    _month("collect_herbs", "Collect Herbs", pastimes.herbs),
    _month(
        "field_of_heroes",
        "Compete on the Field of Heroes",
        pastimes.heroes,
        having("games"),
        requirements.OneOf(*requirements.EVENTS),
        about=_words(*requirements.EVENTS),
    ),
    _month("gather_firewood", "Gather Firewood", _FIREWOOD, having("forest")),
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
        requirements.OneOf(*requirements.MATCHES),
        about=_words(*requirements.MATCHES),
    ),
)


def _week(id_: str, title: str, perform: Perform, *requires: Holds, about: Details | None = None) -> Activity:
    rule = f"marchen.week.{id_}"
    return Activity(id_, title, rule, "week", "weekly", perform, tuple([(rule, one) for one in requires]), about)


WEEKLY: tuple[Activity, ...] = (
    _week(
        "secure_advantage",
        "Secure an Advantage",
        pastimes.secure,
        requirements.prepares,
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
    _week(
        "feast_with_lord",
        "Feast with the Lord",
        activities.trait_boon("merry", "marchen.week.feast_with_lord"),
        activities.needs_sanctuary,
        having("lord"),
    ),
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
