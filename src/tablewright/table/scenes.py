"""From a campaign to the sessions of the game layer and back: scenes are opened, gone on with, and closed."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import Choose, Roll
from tablewright.engine.asks import EVERYONE
from tablewright.errors import BadInput, RulesSayNo, nearest
from tablewright.game.character import read_character
from tablewright.game.content import Library, Pack, library_of, read_pack
from tablewright.game.events import GAME_MASTER, Event, hidden_numbers
from tablewright.game.frozen import freeze
from tablewright.game.ground import HERE, Bands, Ground, Position, Together, spot
from tablewright.game.opening import open_scene
from tablewright.game.policies import POLICIES
from tablewright.game.prices import Paid
from tablewright.game.registry import load_system
from tablewright.game.scenario import Entrant, Scenario, load_scenario, read_scenario, scenario_names
from tablewright.game.scenario.schema import MOST_SIDES
from tablewright.game.scene import Scene, side_apart
from tablewright.game.session import Entry, Header, Session
from tablewright.game.system import System
from tablewright.table.campaign import PUBLIC, Campaign, Hero, OpenScene, PackInUse, Play
from tablewright.table.events import Plain, SceneBegan, SceneClosed
from tablewright.table.seats import slug, unguessable_id

BOT = "bot:"
"""How the seats begin whose questions a policy answers; no person's seat is called so."""

_MOST_DOUBLINGS = 8
"""How often the distance is doubled within which a free place is looked for."""

MOST_ENTRIES = 20_000
"""How many lines one scene may have; a longer one is ended, and play goes on in another."""


# ---------------------------------------------------------------------- content and characters


def library_for(system: System, packs: Sequence[PackInUse]) -> Library:
    """The content that a campaign plays with: what comes with the system, and packs of its own after it."""
    return _library_of(system.id, tuple([Same(pack.content) for pack in packs]))


class Same:
    """A value that is found by its identity: what is large takes long to hash and to compare."""

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
    library = library_of(system)
    for text in packs:
        library = library.with_pack(read_pack(text, dict(library.kinds), library))
    return library


def library_without(system: System, packs: Sequence[PackInUse], owned: frozenset[str]) -> Library:
    """The content of a campaign as a player knows it: of packs that are not known only the entries that are owned.

    ``owned`` are the ids in the player's own characters; whatever such an entry refers to in its pack belongs to it.
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
    """Every single value in plain data as text, the names of values too."""
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
    """The character that a file's content or the id of a template stands for."""
    if isinstance(given, str):
        return system.book.character_of(given, library)
    return read_character(given, system.book.character).character


def new_id(campaign: Campaign, base: str, to: str, taken: Collection[str]) -> str:
    """An id for something that some viewers are told of: it tells them nothing of what others are told of."""
    viewer = PUBLIC if to == EVERYONE else to
    return unguessable_id(base, campaign.seed, f"{base}|{viewer}|{campaign.counts.get(viewer, 0)}", taken)


# ---------------------------------------------------------------------- beginning a scene


class Beginning(NamedTuple):
    """What a game master asks for when a scene begins.

    ``scenario`` is the name of one that comes with the system, or a whole one; whoever in it has the id of a character
    of the campaign is that character. ``who`` are further characters of the campaign; everybody, where a stretch of
    time begins and nothing is said. ``bots`` lets policies answer for those sides or participants.
    """

    form: str
    title: str = ""
    scenario: str | Mapping[str, Any] | None = None
    who: tuple[str, ...] = ()
    side: str = "party"
    bots: Mapping[str, str] = {}


def scene_began(campaign: Campaign, wanted: Beginning, seed: str) -> SceneBegan:
    """The line with which a scene begins; everything in it is as it is now, whatever changes later."""
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
    read_scenario(source)  # a scene that could not be opened again is refused before anything is written
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
    """The scenario with the campaign's own people, options, content and clock."""
    play = campaign.play
    others = [hero for who in _named(campaign, wanted) for hero in [play.characters[who]]]
    if wanted.scenario is None:
        if not others:
            raise BadInput("nobody takes part in the scene; name characters of the campaign", field="who")
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
            raise BadInput(f'no character of the campaign is called "{who:.40}"{nearest(who, known)}', field="who")
    return wanted.who or (known if wanted.scenario is None else ())


def check_scenario(campaign: Campaign, given: Mapping[str, Any]) -> None:
    """Refuse a scenario that could not be played in a campaign."""
    _told(campaign, given, library_for(load_system(campaign.system), campaign.play.packs))


def _told(campaign: Campaign, given: str | Mapping[str, Any], library: Library) -> Scenario:
    if isinstance(given, str):
        name = given.rpartition(":")[2]
        names = scenario_names(campaign.system)
        if name not in names or given not in (name, f"{campaign.system}:{name}"):
            raise BadInput(
                f'there is no scenario "{given:.60}"; there are: {", ".join(names)}{nearest(name, names)}',
                field="scenario",
            )
        return load_scenario(f"{campaign.system}:{name}")
    people = [dict(one) if isinstance(one, Mapping) else one for one in given.get("participants", ())]
    taken = [str(one.get("id")) for one in people if isinstance(one, dict)]
    for one in people:
        if isinstance(one, dict) and isinstance(one.get("character"), str):
            who = one["character"]
            hero = campaign.play.characters.get(who)
            found = load_system(campaign.system).book.character_of(who, library) if hero is None else None
            one["character"] = found.to_json() if found is not None else hero.character if hero is not None else who
            if hero is not None:
                one.setdefault("id", hero.id)
                one.setdefault("hidden", not hero.known)
        if isinstance(one, dict) and one.get("hidden") is True and not one.get("id"):
            name = one.get("name") or (one["character"].get("name") if isinstance(one.get("character"), dict) else "")
            one["id"] = new_id(campaign, slug(str(name)), GAME_MASTER, taken)  # the others are numbered without it
            taken.append(one["id"])
    told = {"title": "a scene", **given, "system": campaign.system, "participants": people}
    if told.pop("packs", None):
        raise BadInput("a scene plays with the packs of its campaign; it names none of its own", field="packs")
    return read_scenario(told)


def _participant(hero: Hero, side: str) -> Plain:
    plain = {"id": hero.id, "name": hero.name, "side": side, "character": hero.character}
    return plain if hero.known else plain | {"hidden": True}


def _entrant(hero: Hero, side: str, at: Position | None) -> Entrant:
    character = freeze(hero.character)
    return Entrant(id=hero.id, side=side, character=character, name=hero.name, position=at, hidden=not hero.known)


def _free_place(ground: Ground, entrants: Sequence[Entrant], side: str) -> Position:
    """A place for one more of a side: with the others of that side, or beside them where places are not shared."""
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
    raise BadInput("there is no free place for one more in this scenario; give everybody a position", field="who")


def side_of(campaign: Campaign, who: str, side: str, sides: Iterable[tuple[str, str]]) -> str:
    """The side of a character in a scene where others are on sides (pairs of id and side).

    Hidden participants are known to their own side. A character that the players do not know of is therefore on a side
    of its own where characters that they play, or may be handed, would be on the same.
    """
    heroes = campaign.play.characters
    if who not in heroes or heroes[who].known:
        return side
    return side_apart(who) if any(its == side and other in heroes and other != who for other, its in sides) else side


def _apart(campaign: Campaign, scenario: Scenario) -> Scenario:
    """The scenario with hidden characters on sides from which players do not see them."""
    sides = [(one.id, one.side) for one in scenario.entrants]
    entrants = [
        replace(one, side=side_of(campaign, one.id, one.side, sides)) if one.hidden else one
        for one in scenario.entrants
    ]
    here = dict.fromkeys([one.side for one in entrants])
    named = [side for side in scenario.sides if side in here]
    listed = tuple(dict.fromkeys([*named, *here]))
    return replace(scenario, entrants=tuple(entrants), sides=listed if len(listed) <= MOST_SIDES else ())


def _cast(entrant: Entrant, hero: Hero | None) -> Entrant:
    if hero is None:
        return entrant
    return replace(entrant, character=freeze(hero.character), name=hero.name, document=None)


def _check_bots(scenario: Scenario, bots: Mapping[str, str]) -> None:
    known = {one.id for one in scenario.entrants} | {one.side for one in scenario.entrants}
    for whom, policy in bots.items():
        if whom not in known:
            raise BadInput(f'nobody here is called "{whom:.40}"{nearest(whom, known)}', field="bots")
        if policy not in POLICIES:
            allowed = f"allowed are {', '.join(POLICIES)}{nearest(policy, POLICIES)}"
            raise BadInput(f'"{policy:.40}" is no policy; {allowed}', field="bots")


def opening_entry(session: Session) -> tuple[str, Plain]:
    """The process with which an encounter begins, and its arguments."""
    encounter, rounds = session.book.encounter, session.scene.start.rounds
    takes = [parameter for parameter in encounter.params if parameter.name == "rounds"]
    return encounter.name, {"rounds": rounds} if takes and takes[0].kind.accepts(rounds) else {}


# ---------------------------------------------------------------------- a session of an open scene


def header_of(campaign: Campaign, scene: OpenScene, play: Play) -> Header:
    """What the session of a scene starts from."""
    system = load_system(campaign.system)
    scenario = replace(read_scenario(scene.source), library=library_for(system, play.packs))
    return Header(system.id, system.version, open_scene(system, scenario, scene.seats), int(scene.seed, 16))


def session_of(campaign: Campaign, entries: Iterable[Entry] = ()) -> Session:
    """The session of the open scene, with some entries of its record."""
    scene = campaign.play.scene
    if scene is None:
        raise RulesSayNo("no scene is open")
    remembered = {key: [tuple(faces) for faces in rolls] for key, rolls in campaign.remembered.items()}
    header = header_of(campaign, scene, campaign.play)
    book = load_system(campaign.system).book
    return Session(header, book, entries, branch=campaign.branch, remembered=remembered)


def asked(session: Session) -> str:
    """What makes a question the same when a record is run again: who is asked, and what; not the options."""
    question, playing = session.question, session.playing
    if question is None or playing is None:
        return ""
    rule = playing.calls[-1].mechanic.name if playing.calls else ""
    if isinstance(question, Roll):
        return f"{playing.seat}|roll|{question.dice}|{rule}"
    assert isinstance(question, Choose)
    return f"{playing.seat}|choice|{question.question}|{question.about.get('who', '')}|{rule}"


def asked_in_words(session: Session) -> str:
    """The question as people read it."""
    question = session.question
    return question.question if isinstance(question, Choose) else str(question.dice) if question is not None else ""


def harms(before: Scene, session: Session, new: Sequence[Any], seat: str) -> bool:
    """Whether somebody who does not act is worse off, or has other numbers that are not for everybody's eyes.

    Who acts is whose turn it is, or outside turns whom the seat plays. What somebody pays for what they do is no harm.
    """
    after, vigour = session.scene, session.book.reckoning.vigour
    concerned = {
        who for line in new if isinstance(line, Event) and not isinstance(line, Paid) for who in line.participants()
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


# ---------------------------------------------------------------------- ending a scene


def scene_closed(campaign: Campaign, session: Session, outcome: str) -> SceneClosed:
    """The line with which a scene is over: the clock, and everybody of the campaign as they go out of it."""
    scene, open_ = session.scene, campaign.play.scene
    assert open_ is not None
    kept = {who: session.book.leave(scene, who).to_json() for who in campaign.play.characters if who in scene}
    before = session.header.scene.options.to_mapping()
    changed = {name: value for name, value in scene.options.to_mapping().items() if before[name] != value}
    return SceneClosed(
        scene=open_.id,
        outcome=outcome or scene.ended or "",
        now=scene.clock.now,
        characters=kept,
        options=campaign.play.options | changed,
    )


def together(campaign: Campaign, who: Iterable[str] | None = None) -> Session:
    """Characters of the campaign, all or some, in one scene that nobody sees, for what is done between scenes."""
    heroes = campaign.play.characters
    wanted = [*heroes] if who is None else [*who]
    characters = [{"id": one, "side": "party", "character": heroes[one].character} for one in wanted]
    if not characters:
        raise RulesSayNo("the campaign has no characters yet")
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
    return Session(Header(system.id, system.version, scene, 0), system.book)
