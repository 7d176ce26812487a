"""Connections, patrons, standing, holdings and heirs.

The functions give the character that follows; the processes here are for free play, and a season's activities use the
same functions.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tablewright.engine import Param, process
from tablewright.errors import IllegalActionError, InvalidInputError, refuse_if
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.time_passage import Who
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.marchen.character.figures import limits, modifier_of, scale_of, score
from tablewright.systems.marchen.character.record import MOST_NAME, Change, Holding, MarchenCharacter
from tablewright.systems.marchen.mechanics.checks import CheckResult
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.status import chronicle
from tablewright.systems.marchen.tasks import Alive, alive, rolled, takes_time
from tablewright.systems.marchen.values import CONNECTION_LABELS, Aspect, meant_by

STANDING_COST, SUPPORT_PART = 12, 6
TITLE = "marchen.sojourn.receive_title"
RANKS, SCORES = "marchen.connection.ranks", "marchen.aspect.current_and_maximum"
HEIR, EPILOGUE, STANDING = "marchen.season.name_an_heir", "marchen.season.epilogue", "marchen.sojourn.raise_standing"
COMPEL = ("persuasion", "deception", "intimidation")
SPOUSE_RANK = 3

Person = Annotated[str, Param("name of the person")]


def became(game: Game, who: str, what: str, character: MarchenCharacter, *, cause: str) -> None:
    """Record a permanent change of a character, if there is one."""
    if character != game[who].character:
        game.emit(CharacterChanged(who=who, what=what, character=character, cause=cause))


# ---------------------------------------------------------------------- aspects that rise and fall


def gained(
    character: MarchenCharacter, aspect: Aspect, options: MarchenOptions, *, beyond: bool = False
) -> MarchenCharacter:
    """A plain gain of 1: the current score rises, but not above the maximum unless it may go ``beyond``."""
    most = score(character, aspect, options).total
    now = character.current.get(aspect, most)
    if now >= most and not beyond:
        return character
    return _now(character, aspect, now + 1, options)


def lost(character: MarchenCharacter, aspect: Aspect, options: MarchenOptions) -> MarchenCharacter:
    """The current score falls by 1; the maximum stays."""
    most = score(character, aspect, options).total
    return _now(character, aspect, character.current.get(aspect, most) - 1, options)


def _now(character: MarchenCharacter, aspect: Aspect, now: int, options: MarchenOptions) -> MarchenCharacter:
    current = {name: value for name, value in character.current.items() if name != aspect}
    if now != score(character, aspect, options).total:
        current[aspect] = now
    return character.changed(current=current)


def permanently(
    character: MarchenCharacter, name: str, value: int, source: str, options: MarchenOptions
) -> MarchenCharacter:
    """A permanent change of a score: maximum and current alike, within the limits of the scale."""
    low, high = limits(character, options)
    total = score(character, name, options).total  # type: ignore[arg-type]
    change = min(max(total + value, low), high) - total
    if change == 0:
        return character
    changed = character.changed(changes=(*character.changes, Change(what=name, value=change, source=source)))
    if name in character.current:
        changed = changed.changed(current=changed.current.put(name, changed.current[name] + change))
    return changed


# ---------------------------------------------------------------------- connections


@process(rules=["marchen.connection.make", "marchen.connection.ranks"])
async def make_connection(game: Game, who: Alive, person: Person) -> None:
    """Seek out someone unknown, or attend to someone indifferent: they are connected from now on."""
    character, person = game[who].character, _name(person)
    refuse_if(is_connected(character, person), f"{person} is known already", rule="marchen.connection.make")
    became(game, who, f"{person} is connected", character.connected(person), cause="marchen.connection.make")


def is_connected(character: MarchenCharacter, person: str) -> bool:
    """True if there is a connection, good or bad; with the indifferent it can still be made."""
    return bool(character.connection(person))


def _name(text: str) -> str:
    if not 1 <= len(text.strip()) <= MOST_NAME:
        raise InvalidInputError(f"a name has 1 to {MOST_NAME} letters")
    return text.strip()


def _known(character: MarchenCharacter, person: str) -> int:
    rank = character.connection(person)
    if rank is None:
        raise IllegalActionError(f"{person} is unknown; make a connection first", rule=RANKS)
    return rank


def _change(game: Game, who: str, person: str, change: int, cause: str) -> None:
    alive(game, who)
    _known(game[who].character, person)
    changed = game[who].character.with_connection(person, change)
    rank = changed.connections[person]
    became(game, who, f"{person} is {CONNECTION_LABELS[rank].lower()} ({rank:+d})", changed, cause=cause)


@process(rules=["marchen.connection.forge_bond"])
async def forge_bond(game: Game, who: Who, person: Person) -> None:
    """Forge a bond with a connection: its rank rises by 1."""
    _change(game, who, person, 1, "marchen.connection.forge_bond")


@process(rules=["marchen.connection.aid"])
async def aid_connection(game: Game, who: Who, person: Person) -> None:
    """Act in direct support of a connection: its rank rises by 2."""
    _change(game, who, person, 2, "marchen.connection.aid")


@process(rules=["marchen.connection.compel"])
async def compel_connection(
    game: Game,
    who: Alive,
    person: Person,
    skill: Annotated[Literal["persuasion", "deception", "intimidation"], Param("skill used")] = "persuasion",
) -> CheckResult:
    """Persuade a connection: it does what is asked, or its rank drops by 2. The rank is the DM."""
    rule = "marchen.connection.compel"
    result = await rolled(game, who, skill, ("connection", _known(game[who].character, person), rule))
    if not result.success:
        _change(game, who, person, -2, rule)
    return result


@process(rules=["marchen.connection.test"])
async def test_connection(
    game: Game,
    who: Alive,
    person: Person,
    skill: Annotated[str, Param("aspect, characteristic or skill to check")] = "social",  # noqa: PT028 - no test but a trial
) -> CheckResult:
    """Test a bond: it survives a success; a failure costs as many ranks as its sigma is below 0."""
    rule = "marchen.connection.test"
    _known(game[who].character, person)
    meant = meant_by(skill)
    result = await rolled(game, who, meant.what, specialization=meant.rest or meant.specialization)
    if not result.success:
        _change(game, who, person, result.sigma, rule)
    return result


# ---------------------------------------------------------------------- patrons, standing, holdings


@process(rules=["marchen.resource.tracks"])
async def take_patron(game: Game, who: Alive, person: Person) -> None:
    """Gain a person of power as a patron."""
    character, person = game[who].character, _name(person)
    refuse_if(person in character.patrons, f"{person} is a patron already", rule="marchen.resource.tracks")
    changed = character.changed(patrons=(*character.patrons, person))
    became(game, who, f"{person} is a patron", changed, cause="marchen.resource.tracks")


def standing_cost(character: MarchenCharacter, options: MarchenOptions) -> int:
    """Treasure for the next point of social standing, less the discount that was won."""
    new = score(character, "social", options).total + 1
    return max(0, STANDING_COST * max(1, new) - character.discount)  # marchen.sojourn.raise_standing


def support_cost(character: MarchenCharacter, options: MarchenOptions, culture: str = "") -> int:
    """Treasure for a point of standing in one matter: a sixth of the price in that culture, rounded up."""
    full = STANDING_COST * max(1, counted_standing(character, culture, options) + 1)
    return -(-full // SUPPORT_PART)  # marchen.sojourn.drum_up_support


def counted_standing(character: MarchenCharacter, culture: str, options: MarchenOptions) -> int:
    """The social score in a culture: abroad it counts only with a title; no name means home."""
    own = score(character, "social", options).total
    at_home = culture in ("", character.culture, *character.titles)
    return own if at_home else min(0, own)  # marchen.sojourn.receive_title


def strangeness(character: MarchenCharacter, scene: Scene) -> tuple[str, int, str]:
    """The part of a foreigner's standing that does not count here, as a DM.

    What raises it for a time or in this society counts here too.
    """
    options, here = scene.options, chronicle(scene).culture
    own = character.current.get("social", score(character, "social", options).total)
    added = modifier_of(own, scale_of(character, options))
    abroad = here not in ("", character.culture, *character.titles)
    return "a stranger here", -max(0, added) if abroad else 0, TITLE  # marchen.sojourn.receive_title


@process(rules=["marchen.sojourn.raise_standing", "marchen.gap.advancement.standing"])
async def raise_standing(game: Game, who: Alive) -> None:
    """Raise the social score for good with Treasure, at home."""
    options = game.scene.options
    character: MarchenCharacter = game[who].character
    takes_time(game)
    game.refuse_if(chronicle(game.scene).culture not in ("", character.culture), who, "is not at home", STANDING)
    cost = standing_cost(character, options)
    refuse_if(
        cost > character.treasure,
        f"that costs {cost} and {character.name} has {character.treasure} Treasure",
        rule=STANDING,
    )
    raised = permanently(character, "social", 1, "standing", options)
    refuse_if(raised == character, "the social score is as high as it can be", rule=SCORES)
    paid = raised.changed(treasure=character.treasure - cost, discount=0)
    became(
        game, who, f"social standing {score(paid, 'social', options).total} for {cost} Treasure", paid, cause=STANDING
    )


@process(rules=["marchen.resource.tracks"])
async def gain_holding(
    game: Game,
    who: Who,
    name: Annotated[str, Param("name of the holding")],
    specialty: Annotated[str, Param("the specialty that helps to tend it")] = "",
) -> None:
    """Gain a house, a mill or a piece of land."""
    character, name = game[who].character, _name(name)
    if name in [one.name for one in character.holdings]:
        raise IllegalActionError(f"{name} is held already", rule="marchen.resource.tracks")
    held = Holding(name=name, culture=character.culture, specialty=specialty[:MOST_NAME])
    changed = character.changed(holdings=(*character.holdings, held))
    became(game, who, f"holds {name}", changed, cause="marchen.resource.tracks")


# ---------------------------------------------------------------------- heirs


def with_heir(character: MarchenCharacter, heir: str, options: MarchenOptions) -> MarchenCharacter:
    """A character with an heir: named once in a lifetime, for one more Spiritual."""
    refuse_if(character.heir, f"{character.heir} is the heir already; an heir is named only once", rule=HEIR)
    return permanently(character.changed(heir=heir), "spiritual", 1, "heir", options)


@process(rules=["marchen.season.name_an_heir"])
async def name_heir(game: Game, who: Alive, heir: Person) -> None:
    """Choose an heir, once in a lifetime; the spiritual score rises by 1 for good."""
    heir = _name(heir)
    became(game, who, f"{heir} is the heir", with_heir(game[who].character, heir, game.scene.options), cause=HEIR)


@process(rules=["marchen.season.epilogue"])
async def write_epilogue(
    game: Game,
    who: Alive,
    role: Annotated[Literal["patron", "sage", "person of renown"], Param("role after retiring")] = "sage",
) -> None:
    """Retire as a person of renown; the player goes on with the heir, who must have been named."""
    character = game[who].character
    became(game, who, f"retires as a {role}", retired(character, role), cause=EPILOGUE)
    for one in game.scene.present:
        if one.id != who and one.name == character.heir:
            became(game, one.id, f"{character.name} is a patron", heir_of(game.scene, one), cause=EPILOGUE)


def heir_of(scene: Scene, heir: Participant) -> MarchenCharacter:
    """An heir with the patrons that it inherits: those who retired as a patron and named it."""
    mine: MarchenCharacter = heir.character
    those = [
        one.character.name
        for one in scene.participants
        if one.character.retired == "patron" and one.character.heir == mine.name and one.id != heir.id
    ]
    new = [name for name in those if name not in mine.patrons]
    return mine.changed(patrons=(*mine.patrons, *new)) if new else mine


def arrive(scene: Scene, who: str) -> Scene:
    """The scene after an arrival: heirs get their patrons, in whatever order the two come."""
    if not any(one.character.retired for one in scene.participants):
        return scene
    for one in scene.participants:
        found = heir_of(scene, one)
        if found is not one.character:
            scene = scene.with_participant(evolve(one, character=found))
    return scene


def retired(character: MarchenCharacter, role: str) -> MarchenCharacter:
    """A character who has retired into a role; refused without an heir."""
    refuse_if(not character.heir, "an epilogue needs an heir; name one first", rule=EPILOGUE)
    refuse_if(character.retired, f"{character.name} is retired already", rule=EPILOGUE)
    return character.changed(retired=role)


def married(character: MarchenCharacter, spouse: str) -> MarchenCharacter:
    """A character with a spouse: a connection of rank 3 or more."""
    refuse_if(character.spouse, f"{character.spouse} is the spouse already", rule="marchen.season.court_a_spouse")
    rank = max(SPOUSE_RANK, character.connection(spouse) or 0)
    return character.changed(spouse=spouse, connections=character.connections.put(spouse, rank))


PROCESSES: tuple[Any, ...] = (
    make_connection,
    forge_bond,
    aid_connection,
    compel_connection,
    test_connection,
    take_patron,
    raise_standing,
    gain_holding,
    name_heir,
    write_epilogue,
)
