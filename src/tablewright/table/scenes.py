"""Conversion between a campaign and sessions of the game layer: open, continue and close scenes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import Choice, Roll
from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.character.character import read_character
from tablewright.game.content.library import Library, Pack
from tablewright.game.content.packs import read_pack
from tablewright.game.ground.bands import HERE, Bands, Together, spot
from tablewright.game.ground.position import Ground, Position
from tablewright.game.narration.common_sayings import wins
from tablewright.game.play.costs import CostPaid
from tablewright.game.scenario.loader import load_scenario, read_scenario, scenario_names
from tablewright.game.scenario.scenario import Entrant, Scenario
from tablewright.game.scenario.schema import MOST_SIDES, policy_names
from tablewright.game.scene.events import Event
from tablewright.game.scene.scene import Scene, side_apart
from tablewright.game.scene.visibility import GAME_MASTER, hidden_numbers
from tablewright.game.session.opening import open_scene
from tablewright.game.session.record import Entry
from tablewright.game.session.session import Session, SessionHeader
from tablewright.game.system.registry import load_system
from tablewright.game.system.shipped_content import shipped_library
from tablewright.game.system.system import System
from tablewright.game.values import freeze
from tablewright.table.campaign import PUBLIC, Campaign, CampaignCharacter, OpenScene, PackInUse, PlayState
from tablewright.table.events import Plain, SceneBegan, SceneClosed
from tablewright.table.tokens import slug, unguessable_id

BOT = "bot:"
"""Prefix of the seats that a policy answers for; no person's seat has it."""

_MOST_DOUBLINGS = 8
"""Upper bound for doublings of the search distance for a free position."""

MOST_ENTRIES = 20_000
"""Upper bound for the lines of one scene; play continues in a new one."""


# ---------------------------------------------------------------------- content and characters


def library_for(system: System, packs: Sequence[PackInUse]) -> Library:
    """Content library of a campaign: the system's content, and then its own packs."""
    return _library_of(system.id, tuple([Same(pack.content) for pack in packs]))


class Same:
    """Cache key that compares a value by identity; large values are slow to hash and compare."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value


@lru_cache(maxsize=64)
def _library_of(system_id: str, packs: tuple[Same, ...]) -> Library:
    return _library(system_id, tuple([json.dumps(pack.value) for pack in packs]))


@lru_cache(maxsize=64)
def _library(system_id: str, packs: tuple[str, ...]) -> Library:
    system = load_system(system_id)
    library = shipped_library(system)
    for text in packs:
        library = library.with_pack(read_pack(text, dict(library.kinds), library))
    return library


def library_without(system: System, packs: Sequence[PackInUse], owned: frozenset[str]) -> Library:
    """Content library as a player knows it: of unknown packs, only the entries that the player owns.

    ``owned`` are the ids in the player's own characters. Entries of the same pack that these refer to are included.
    """
    library = library_for(system, packs)
    secret = frozenset([pack.id for pack in packs if not pack.known])
    there = [id_ for pack in library.packs if pack.id in secret for _, id_ in pack.by_id]
    return library if not secret else _cut(Same(library), secret, owned.intersection(there))


@lru_cache(maxsize=64)
def _cut(same: Same, packs: frozenset[str], owned: frozenset[str]) -> Library:
    library: Library = same.value
    cut: list[Pack] = []
    for pack in library.packs:
        if pack.id not in packs:
            cut.append(pack)
            continue
        by_id: dict[str, set[str]] = {}
        for (_, id_), entry in pack.by_id.items():
            by_id.setdefault(id_, set()).update(texts_in(entry.to_json()))
        kept: set[str] = set()
        found = set(owned & by_id.keys())
        while found:
            kept |= found
            found = {text for id_ in found for text in by_id[id_] if text in by_id} - kept
        entries = [(kind, tuple([one for one in some if one.id in kept])) for kind, some in pack.entries]
        cut.append(replace(pack, entries=tuple(entries)))
    return replace(library, packs=tuple(cut))


def texts_in(given: Any) -> list[str]:
    """All keys and single values in plain data, as texts."""
    found: list[str] = []
    stack = [given]
    while stack:
        one = stack.pop()
        if isinstance(one, Mapping):
            stack += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple):
            stack += one
        else:
            found.append(str(one))
    return found


def character_from(system: System, library: Library, given: str | Mapping[str, Any]) -> Any:
    """Create a character from the content of a file, or from the id of a template."""
    if isinstance(given, str):
        return system.rulebook.character_of(given, library)
    return read_character(given, system.rulebook.character).character


def new_id(campaign: Campaign, base: str, to: str, taken: Collection[str]) -> str:
    """Id for an object that only some viewers see; it reveals nothing about other objects."""
    viewer = PUBLIC if to == EVERYONE else to
    return unguessable_id(base, campaign.seed, f"{base}|{viewer}|{campaign.counts.get(viewer, 0)}", taken)


# ---------------------------------------------------------------------- beginning of a scene


class Beginning(NamedTuple):
    """Request of a game master to begin a scene.

    ``scenario`` is a whole scenario, or the name of one of the system's. An entrant with the id of a campaign character
    becomes that character. ``who`` are further characters of the campaign; without a scenario and without names, all of
    them take part. ``bots`` maps sides or participants to policies.
    """

    form: str
    title: str = ""
    scenario: str | Mapping[str, Any] | None = None
    who: tuple[str, ...] = ()
    side: str = "party"
    bots: Mapping[str, str] = {}


def scene_began(campaign: Campaign, wanted: Beginning, seed: str) -> SceneBegan:
    """Event that begins a scene; it copies all its data, and later changes do not affect it."""
    system, play = load_system(campaign.system), campaign.play
    library = library_for(system, play.packs)
    scenario = _scenario(campaign, wanted, library)
    _check_bots(scenario, wanted.bots)
    bots = {
        one.id: wanted.bots.get(one.id) or wanted.bots[one.side]
        for one in scenario.entrants
        if one.id not in play.characters and (one.id in wanted.bots or one.side in wanted.bots)
    }
    sides = {one.id: one.side for one in scenario.entrants}
    seats = {who: f"{BOT}{side}" if who in bots else campaign.owner(who) for who, side in sides.items()}
    policies = {f"{BOT}{sides[who]}": policy for who, policy in bots.items()}
    opened = open_scene(system, scenario, seats)
    source = replace(scenario, packs=()).to_json() | {"options": scenario.options.to_mapping()}
    for given, participant in zip(source["participants"], opened.participants, strict=True):
        given["character"] = participant.character.to_json()
        given.pop("seat", None)
        given.pop("policy", None)
    read_scenario(source)  # refuse a scene that could not be reopened, before writing
    number = len(play.chapters) + 1
    return SceneBegan(
        scene=f"scene-{number}",
        form=wanted.form,
        title=scenario.title,
        source=source,
        seats=seats,
        seed=seed,
        bots=policies,
    )


def _scenario(campaign: Campaign, wanted: Beginning, library: Library) -> Scenario:
    """Scenario with the campaign's characters, options, content and clock."""
    play = campaign.play
    others = [hero for who in _named(campaign, wanted) for hero in [play.characters[who]]]
    if wanted.scenario is None:
        if not others:
            raise InvalidInputError("nobody takes part in the scene; name characters of the campaign", field="who")
        plain: Plain = {
            "title": wanted.title or "free play",
            "system": campaign.system,
            "ends": "game_master",
            "participants": [_participant(hero, wanted.side) for hero in others],
        }
        scenario = read_scenario(plain)
    else:
        scenario = _told(campaign, wanted.scenario, library)
        known = {entrant.id for entrant in scenario.entrants}
        entrants = [_cast(one, play.characters.get(one.id)) for one in scenario.entrants]
        for hero in others:
            if hero.id not in known:
                at = _free_place(scenario.ground, entrants, wanted.side)
                entrants.append(_entrant(hero, wanted.side, at))
        scenario = replace(scenario, entrants=tuple(entrants))
    scenario = _apart(campaign, scenario)
    options = load_system(campaign.system).options.from_mapping(play.options | scenario.options.changed())
    title = wanted.title or scenario.title
    return replace(scenario, title=title, options=options, library=library, now=max(play.now, scenario.now))


def _named(campaign: Campaign, wanted: Beginning) -> Iterable[str]:
    known = campaign.play.characters
    for who in wanted.who:
        if who not in known:
            raise InvalidInputError(
                f'no character of the campaign is called "{who:.40}"{did_you_mean(who, known)}', field="who"
            )
    return wanted.who or (known if wanted.scenario is None else ())


def check_scenario(campaign: Campaign, given: Mapping[str, Any]) -> None:
    """Refuse a scenario that cannot be played in the campaign."""
    _told(campaign, given, library_for(load_system(campaign.system), campaign.play.packs))


def _told(campaign: Campaign, given: str | Mapping[str, Any], library: Library) -> Scenario:
    if isinstance(given, str):
        name = given.rpartition(":")[2]
        names = scenario_names(campaign.system)
        if name not in names or given not in (name, f"{campaign.system}:{name}"):
            raise InvalidInputError(
                f'there is no scenario "{given:.60}"; there are: {", ".join(names)}{did_you_mean(name, names)}',
                field="scenario",
            )
        return load_scenario(f"{campaign.system}:{name}")
    people = [dict(one) if isinstance(one, Mapping) else one for one in given.get("participants", ())]
    taken = [str(one.get("id")) for one in people if isinstance(one, dict)]
    for one in people:
        if isinstance(one, dict) and isinstance(one.get("character"), str):
            who = one["character"]
            hero = campaign.play.characters.get(who)
            found = load_system(campaign.system).rulebook.character_of(who, library) if hero is None else None
            one["character"] = found.to_json() if found is not None else hero.character if hero is not None else who
            if hero is not None:
                one.setdefault("id", hero.id)
                one.setdefault("hidden", not hero.known)
        if isinstance(one, dict) and one.get("hidden") is True and not one.get("id"):
            name = one.get("name") or (one["character"].get("name") if isinstance(one.get("character"), dict) else "")
            one["id"] = new_id(campaign, slug(str(name)), GAME_MASTER, taken)  # must not shift the others' numbers
            taken.append(one["id"])
    told = {"title": "a scene", **given, "system": campaign.system, "participants": people}
    if told.pop("packs", None):
        raise InvalidInputError("a scene plays with the packs of its campaign; it names none of its own", field="packs")
    return read_scenario(told)


def _participant(hero: CampaignCharacter, side: str) -> Plain:
    plain = {"id": hero.id, "name": hero.name, "side": side, "character": hero.character}
    return plain if hero.known else plain | {"hidden": True}


def _entrant(hero: CampaignCharacter, side: str, at: Position | None) -> Entrant:
    character = freeze(hero.character)
    return Entrant(id=hero.id, side=side, character=character, name=hero.name, position=at, hidden=not hero.known)


def _free_place(ground: Ground, entrants: Sequence[Entrant], side: str) -> Position:
    """Free position for one more participant of a side, near its other members."""
    if isinstance(ground, Together):
        return HERE
    friends = [one for one in entrants if one.side == side] or entrants
    if isinstance(ground, Bands):
        return next((one.position for one in friends if one.side == side and one.position), spot(side))
    taken = {one.position for one in entrants}
    for budget in (0, *[2**power for power in range(_MOST_DOUBLINGS)]):
        for friend in friends:
            near = {} if friend.position is None else ground.reachable(friend.position, budget)
            for at in near:
                if ground.shares or at not in taken:
                    return at
    raise InvalidInputError(
        "there is no free place for one more in this scenario; give everybody a position", field="who"
    )


def side_of(campaign: Campaign, who: str, side: str, sides: Iterable[tuple[str, str]]) -> str:
    """Side of a character in a scene, given the (id, side) pairs of the others.

    Hidden participants are visible to their own side. A character that the players do not know therefore gets a side of
    its own if campaign characters would share its side.
    """
    heroes = campaign.play.characters
    if who not in heroes or heroes[who].known:
        return side
    return side_apart(who) if any(its == side and other in heroes and other != who for other, its in sides) else side


def _apart(campaign: Campaign, scenario: Scenario) -> Scenario:
    """Scenario with hidden characters moved to sides of their own where players would see them."""
    sides = [(one.id, one.side) for one in scenario.entrants]
    entrants = [
        replace(one, side=side_of(campaign, one.id, one.side, sides)) if one.hidden else one
        for one in scenario.entrants
    ]
    here = dict.fromkeys([one.side for one in entrants])
    named = [side for side in scenario.sides if side in here]
    listed = tuple(dict.fromkeys([*named, *here]))
    return replace(scenario, entrants=tuple(entrants), sides=listed if len(listed) <= MOST_SIDES else ())


def _cast(entrant: Entrant, hero: CampaignCharacter | None) -> Entrant:
    if hero is None:
        return entrant
    return replace(entrant, character=freeze(hero.character), name=hero.name, document=None)


def _check_bots(scenario: Scenario, bots: Mapping[str, str]) -> None:
    known = {one.id for one in scenario.entrants} | {one.side for one in scenario.entrants}
    policies = policy_names()
    for whom, policy in bots.items():
        if whom not in known:
            raise InvalidInputError(f'nobody here is called "{whom:.40}"{did_you_mean(whom, known)}', field="bots")
        if policy not in policies:
            allowed = f"allowed are {', '.join(policies)}{did_you_mean(policy, policies)}"
            raise InvalidInputError(f'"{policy:.40}" is not a policy; {allowed}', field="bots")


def opening_entry(session: Session) -> tuple[str, Plain]:
    """Process that begins an encounter, and its arguments."""
    encounter, rounds = session.rulebook.encounter, session.scene.setup.rounds
    takes = [parameter for parameter in encounter.params if parameter.name == "rounds"]
    return encounter.name, {"rounds": rounds} if takes and takes[0].kind.accepts(rounds) else {}


# ---------------------------------------------------------------------- session of an open scene


def header_of(campaign: Campaign, scene: OpenScene, play: PlayState) -> SessionHeader:
    """Session header of a scene."""
    system = load_system(campaign.system)
    scenario = replace(read_scenario(scene.source), library=library_for(system, play.packs))
    return SessionHeader(system.id, system.version, open_scene(system, scenario, scene.seats), int(scene.seed, 16))


def session_of(campaign: Campaign, entries: Iterable[Entry] = ()) -> Session:
    """Session of the open scene after some entries of its record."""
    scene = campaign.play.scene
    if scene is None:
        raise IllegalActionError("no scene is open; begin one first")
    remembered = {key: [tuple(faces) for faces in rolls] for key, rolls in campaign.remembered.items()}
    header = header_of(campaign, scene, campaign.play)
    book = load_system(campaign.system).rulebook
    return Session(header, book, entries, branch=campaign.branch, remembered=remembered)


def asked(session: Session) -> str:
    """Identity of the open question for replays: seat, question key and mechanic, without the options."""
    question, playing = session.question, session.playing
    if question is None or playing is None:
        return ""
    rule = playing.calls[-1].mechanic.name if playing.calls else ""
    if isinstance(question, Roll):
        return f"{playing.seat}|roll|{question.dice}|{rule}"
    assert isinstance(question, Choice)
    return f"{playing.seat}|choice|{question.key}|{question.details.get('who', '')}|{rule}"


def asked_in_words(session: Session) -> str:
    """Text of the open question; empty if there is none."""
    question = session.question
    return question.question if isinstance(question, Choice) else str(question.dice) if question is not None else ""


def harms(before: Scene, session: Session, new: Sequence[Any], seat: str) -> bool:
    """True if a participant who is not acting lost health, or had a hidden number changed.

    The acting participant is the one whose turn it is, or outside turns any that the seat plays. Paid costs do not
    count.
    """
    after, vigour = session.scene, session.rulebook.vitals.health_points
    concerned = {
        who for line in new if isinstance(line, Event) and not isinstance(line, CostPaid) for who in line.participants()
    }
    for who in concerned:
        if who not in before or who not in after or after[who].status is before[who].status:
            continue
        if who == before.turn or (before.turn is None and before[who].seat == seat):
            continue
        if vigour(after[who]) < vigour(before[who]):
            return True
        was, now = before[who].status, after[who].status
        if any(getattr(now, name) != getattr(was, name) for name in hidden_numbers(was)):
            return True
    return False


# ---------------------------------------------------------------------- end of a scene


def scene_closed(campaign: Campaign, session: Session, outcome: str) -> SceneClosed:
    """Event that ends a scene, with the clock and the campaign's characters in their current state."""
    scene, open_ = session.scene, campaign.play.scene
    assert open_ is not None
    kept = {
        who: session.rulebook.export_character(scene, who).to_json() for who in campaign.play.characters if who in scene
    }
    before = session.header.scene.options.to_mapping()
    changed = {name: value for name, value in scene.options.to_mapping().items() if before[name] != value}
    return SceneClosed(
        scene=open_.id,
        outcome=outcome or ending(scene),
        now=scene.clock.now,
        characters=kept,
        options=campaign.play.options | changed,
    )


def ending(scene: Scene) -> str:
    """Words for the end of a fight that everyone may read; empty if they would name one person.

    >>> from tablewright.game.scene.scene import Scene
    >>> ending(Scene("demo", (), ended="party win")), ending(Scene("demo", (), ended="a win"))
    ('the party wins', '')
    """
    ended = scene.ended or ""
    side = ended.removesuffix(" win")
    if side == ended:
        return ended
    named = dict(scene.setup.side_names).get(side)
    if named is None and (len(side) == 1 or side in scene):
        return ""
    return wins(named or f"the {side.replace('_', ' ')}")


def together(campaign: Campaign, who: Iterable[str] | None = None) -> Session:
    """Session with all or some characters of the campaign in one unseen scene, for actions between scenes."""
    heroes = campaign.play.characters
    wanted = [*heroes] if who is None else [*who]
    characters = [{"id": one, "side": "party", "character": heroes[one].character} for one in wanted]
    if not characters:
        raise IllegalActionError("the campaign has no characters yet; add one first")
    system = load_system(campaign.system)
    plain = {
        "title": "between scenes",
        "system": campaign.system,
        "options": campaign.play.options,
        "now": campaign.play.now,
        "participants": characters,
    }
    scenario = replace(read_scenario(plain), library=library_for(system, campaign.play.packs))
    scene = open_scene(system, scenario, {one: campaign.owner(one) for one in wanted})
    return Session(SessionHeader(system.id, system.version, scene, 0), system.rulebook)
