"""The lists of activities: base, sojourn, social and recover for a season; what is done for a month and for a week."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablewright.game.scene import Live, Scene
from tablewright.systems.marchen import activities as do
from tablewright.systems.marchen import pastimes as past
from tablewright.systems.marchen import recuperating as rec
from tablewright.systems.marchen import requiring as need
from tablewright.systems.marchen.activities import Activity, Details, Holds, Perform, acts, having, named
from tablewright.systems.marchen.status import chronicle


def _words(*words: str) -> Details:
    return lambda scene, who: words


def _patrons(scene: Scene, who: str) -> Iterator[str]:
    yield from do.character_of(scene, who).patrons


def _holdings(scene: Scene, who: str) -> Iterator[str]:
    yield from [one.name for one in do.character_of(scene, who).holdings]


async def _nothing(game: Live, who: str, detail: str) -> None:
    """What counts is that everybody does it; the season's end says what comes of it."""


def _season(group: str, id_: str, title: str, rule: str, perform: Perform, *more: Any) -> Activity:
    requires = tuple([(rule, holds) for holds in more if not isinstance(holds, _Choices)])
    details = next((holds.details for holds in more if isinstance(holds, _Choices)), None)
    return Activity(id_, title, rule, "season", group, perform, requires, details)


class _Choices:
    """What an activity can be about, as it is offered."""

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
        do.train_up,
        having("trainer"),
        do.can_train,
        _Choices(do.trainable),
    ),
    _season(
        "base",
        "name_an_heir",
        "Name an Heir",
        "marchen.season.name_an_heir",
        do.name_heir,
        named,
        do.no_heir_yet,
        _of("a young relative"),
    ),
    _season(
        "base",
        "court_a_spouse",
        "Court a Spouse",
        "marchen.season.court_a_spouse",
        do.court_spouse,
        named,
        do.unmarried,
        _of("a sweetheart"),
    ),
    _season(
        "base",
        "epilogue",
        "Write your Epilogue",
        "marchen.season.epilogue",
        do.epilogue,
        do.has_heir,
        need.OneOf(*need.ROLES, usual=False),
        _of(*need.ROLES),
    ),
    _season(
        "sojourn",
        "gain_trait",
        "Gain a new Trait",
        "marchen.sojourn.gain_trait",
        do.gain_trait,
        named,
        need.new_trait,
        _of("well travelled"),
    ),
    _season(
        "sojourn",
        "meet_patron",
        "Meet Patron",
        "marchen.sojourn.meet_patron",
        do.meet_patron,
        do.has_patron,
        _Choices(_patrons),
    ),
    _season("sojourn", "open_sanctuary", "Open New Sanctuary", "marchen.sojourn.open_sanctuary", _nothing),
    _season(
        "sojourn",
        "receive_title",
        "Receive Title",
        "marchen.sojourn.receive_title",
        do.receive_title,
        need.abroad,
        _Choices(lambda scene, who: [chronicle(scene).culture or "a foreign court"]),
    ),
    _season(
        "sojourn",
        "standard_of_living",
        "Raise Standard of Living",
        "marchen.sojourn.raise_standard_of_living",
        do.live_well,
        do.can_live,
        _of("1", "2"),
    ),
    _season(
        "sojourn",
        "raise_standing",
        "Raise Standing",
        "marchen.sojourn.raise_standing",
        do.raise_standing,
        do.at_home,
        do.can_rise,
    ),
    _season(
        "sojourn",
        "research_lore",
        "Research Lore",
        "marchen.sojourn.research_lore",
        do.research,
        _of("this place"),
    ),
    _season(
        "sojourn",
        "drum_up_support",
        "Drumming up Support",
        "marchen.sojourn.drum_up_support",
        do.drum_up,
        named,
        do.can_drum,
        _of("one issue"),
    ),
    _season(
        "sojourn",
        "loremaster",
        "Go See a Lore-master",
        "marchen.sojourn.loremaster",
        do.loremaster,
        do.has_item,
        _Choices(do.things_of),
    ),
    _season(
        "sojourn",
        "tend_holding",
        "Tend to a Holding",
        "marchen.sojourn.tend_holding",
        do.tend_holding,
        do.at_home,
        do.has_holding,
        _Choices(_holdings),
    ),
    _season(
        "sojourn",
        "treasury",
        "Visit the Treasury of your Folk",
        "marchen.sojourn.treasury",
        do.treasury,
        do.at_home,
        do.has_item,
        _Choices(do.things_of),
    ),
    _season(
        "sojourn",
        "write_song",
        "Write a Song",
        "marchen.sojourn.write_song",
        do.write_song,
        named,
        do.new_song,
        _of("a new song"),
    ),
    _season(
        "sojourn",
        "gain_virtue",
        "Gain a Virtue",
        "marchen.sojourn.gain_virtue",
        do.gain_virtue("marchen.sojourn.gain_virtue"),
        named,
        do.new_virtue,
        _of("hospitality"),
    ),
    _season(
        "sojourn",
        "gain_cultural_virtue",
        "Gain a Cultural Virtue",
        "marchen.sojourn.gain_cultural_virtue",
        do.gain_virtue("marchen.sojourn.gain_cultural_virtue"),
        named,
        do.at_home,
        do.new_virtue,
        _of("steadfastness"),
    ),
    _season(
        "sojourn",
        "influence_patron",
        "Influence Patron",
        "marchen.sojourn.influence_patron",
        do.influence_patron,
        do.has_patron,
        _Choices(_patrons),
    ),
    _season(
        "sojourn",
        "confer_with_sage",
        "Confer with a Sage",
        "marchen.sojourn.confer_with_sage",
        do.confer,
        do.can_confer,
        _Choices(do.lessons),
    ),
    _season(
        "sojourn",
        "artificer",
        "Visit the Artificer",
        "marchen.sojourn.artificer",
        do.artificer,
        do.has_item,
        do.can_fit,
        _Choices(do.fittings),
    ),
    _season("sojourn", "guard", "Guard", "marchen.sojourn.guard", do.stand_guard, having("guards")),
    _season(
        "sojourn",
        "patrol_wild",
        "Patrol the Wild",
        "marchen.sojourn.patrol_wild",
        do.trait_boon("wilderness_lore", "marchen.sojourn.patrol_wild"),
        having("wildland"),
    ),
    _season(
        "social",
        "make_connection",
        "Make a Connection",
        "marchen.connection.make",
        do.make_connection,
        named,
        do.is_unknown,
        _of("a new acquaintance"),
    ),
    _season(
        "social",
        "forge_bond",
        "Forge a Bond",
        "marchen.connection.forge_bond",
        do.forge_bond,
        do.is_known,
        _Choices(do.connections_of),
    ),
    _season(
        "social",
        "aid_connection",
        "Aid a Connection",
        "marchen.connection.aid",
        do.aid_connection,
        do.is_known,
        _Choices(do.connections_of),
    ),
    _season(
        "social",
        "compel_connection",
        "Compel a Connection",
        "marchen.connection.compel",
        do.compel_connection,
        do.is_known,
        need.by_words,
        _Choices(do.ways_to_compel),
    ),
    _season(
        "social",
        "test_connection",
        "Test your Connection",
        "marchen.connection.test",
        do.try_connection,
        do.is_known,
        need.by_a_check,
        _Choices(do.connections_of),
    ),
    _season("recover", "recovery", "Recovery", "marchen.recover.recovery", rec.recovery),
    # marchen.connection.hearten: it stands among the social activities once more, and is the same
    _season("recover", "hearten", "Hearten", "marchen.recover.hearten", rec.hearten),
    _season("recover", "resupply", "Resupply", "marchen.recover.resupply", rec.resupply),
    _season("recover", "repair", "Repair", "marchen.recover.repair", rec.mend, rec.is_worn, _Choices(rec.worn_things)),
    _season(
        "recover",
        "heal_corruption",
        "Heal Corruption",
        "marchen.recover.heal_corruption",
        rec.corruption,
        need.OneOf(*need.ARTS),
        _of(*need.ARTS[:2]),
    ),
    _season(
        "recover",
        "there_and_back_again",
        "There and Back Again",
        "marchen.recover.there_and_back_again",
        rec.there_and_back,
        do.at_home,
        rec.can_burn,
    ),
)


def _month(id_: str, title: str, perform: Perform, *requires: Holds, about: Details | None = None) -> Activity:
    rule = f"marchen.month.{id_}"
    return Activity(id_, title, rule, "month", "monthly", perform, tuple([(rule, one) for one in requires]), about)


_FIREWOOD = do.trait_boon("firemaking", "marchen.month.gather_firewood")
_CHOICE = _words("gain", "heal")
MONTHLY: tuple[Activity, ...] = (
    _month("gather_information", "Gather Information", past.information, about=_words("the matter")),
    _month("collect_herbs", "Collect Herbs", past.herbs),
    _month(
        "field_of_heroes",
        "Compete on the Field of Heroes",
        past.heroes,
        having("games"),
        need.OneOf(*need.EVENTS),
        about=_words(*need.EVENTS),
    ),
    _month("gather_firewood", "Gather Firewood", _FIREWOOD, having("forest")),
    _month(
        "go_hunting",
        "Go Hunting",
        past.hunt,
        having("hunting_grounds"),
        past.fits_hunting,
        about=past.hunting_boons,
    ),
    _month("go_to_market", "Go to Market", past.market, having("market"), past.for_sale, about=_words("rope", "herbs")),
    _month("climb_mountains", "Climb the Mountains", past.climb, having("mountains")),
    _month("delve", "Delve into the Depths", past.delve, having("caves"), past.first_delve, about=_CHOICE),
    _month("go_riding", "Go Riding", past.ride, having("fields")),
    _month(
        "sparring",
        "Sparring / Dueling",
        past.spar,
        having("guards"),
        need.OneOf(*need.MATCHES),
        about=_words(*need.MATCHES),
    ),
)


def _week(id_: str, title: str, perform: Perform, *requires: Holds, about: Details | None = None) -> Activity:
    rule = f"marchen.week.{id_}"
    return Activity(id_, title, rule, "week", "weekly", perform, tuple([(rule, one) for one in requires]), about)


WEEKLY: tuple[Activity, ...] = (
    _week(
        "secure_advantage",
        "Secure an Advantage",
        past.secure,
        need.prepares,
        about=_words("insight", "investigation", "leadership"),
    ),
    _week(
        "honoring_the_fallen", "Honoring the Fallen", past.fallen, named, past.not_honoured, about=_words("a friend")
    ),
    _week("honor_your_people", "Honor your people", past.ancestors, having("tombs")),
    _week(
        "feast_with_lord",
        "Feast with the Lord",
        do.trait_boon("merry", "marchen.week.feast_with_lord"),
        do.needs_sanctuary,
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
"""What is asked where somebody may name what a season is about; what is offered is a suggestion."""

SCALES = {"season": acts(SEASONAL), "month": acts(MONTHLY), "week": acts(WEEKLY)}
GROUPS = {one.id: one.group for one in SEASONAL}
