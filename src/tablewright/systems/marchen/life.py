"""What a character is to others and leaves behind: connections, patrons, standing, holdings, heirs.

The functions give the character that follows; the processes here are for free play, and a season's activities use the
same functions.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tablewright.engine import Param, process
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.common import CharacterChanged
from tablewright.game.scene import Live, Scene
from tablewright.game.trading import Who
from tablewright.systems.marchen.character.figures import limits, modifier_of, score
from tablewright.systems.marchen.character.record import MOST_NAME, Change, Holding, MarchenCharacter
from tablewright.systems.marchen.mechanics import CheckResult
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.status import chronicle
from tablewright.systems.marchen.trying import alive, rolled, takes_time
from tablewright.systems.marchen.values import CONNECTION_LABELS, Aspect, meant_by

STANDING_COST, SUPPORT_PART = 12, 6
TITLE = "marchen.sojourn.receive_title"
RANKS, SCORES = "marchen.connection.ranks", "marchen.aspect.current_and_maximum"
HEIR, EPILOGUE, STANDING = "marchen.season.name_an_heir", "marchen.season.epilogue", "marchen.sojourn.raise_standing"
COMPEL = ("persuasion", "deception", "intimidation")
SPOUSE_RANK = 3

Person = Annotated[str, Param("who it is, by name")]


def became(game: Live, who: str, what: str, character: MarchenCharacter, *, cause: str) -> None:
    """Say that somebody has changed for good, where anything has."""
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
    low, high = limits(options)
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
async def make_connection(game: Live, who: Who, person: Person) -> None:
    """Seek out somebody unknown: they are connected from now on."""
    who, character, person = game[who].id, game[who].character, _name(person)
    alive(game, who)
    if character.connection(person) is not None:
        raise RulesSayNo(f"{person} is known already", rule="marchen.connection.make")
    became(game, who, f"{person} is connected", character.connected(person), cause="marchen.connection.make")


def _name(text: str) -> str:
    if not 1 <= len(text.strip()) <= MOST_NAME:
        raise BadInput(f"a name has 1 to {MOST_NAME} letters")
    return text.strip()


def _known(character: MarchenCharacter, person: str) -> int:
    rank = character.connection(person)
    if rank is None:
        raise RulesSayNo(f"{person} is unknown; make a connection first", rule=RANKS)
    return rank


def _change(game: Live, who: str, person: str, change: int, cause: str) -> None:
    alive(game, who)
    _known(game[who].character, person)
    changed = game[who].character.with_connection(person, change)
    rank = changed.connections[person]
    became(game, who, f"{person} is {CONNECTION_LABELS[rank].lower()} ({rank:+d})", changed, cause=cause)


@process(rules=["marchen.connection.forge_bond"])
async def forge_bond(game: Live, who: Who, person: Person) -> None:
    """A relationship is ready to evolve: its rank rises by 1."""
    _change(game, game[who].id, person, 1, "marchen.connection.forge_bond")


@process(rules=["marchen.connection.aid"])
async def aid_connection(game: Live, who: Who, person: Person) -> None:
    """Act in direct support of a connection: its rank rises by 2."""
    _change(game, game[who].id, person, 2, "marchen.connection.aid")


@process(rules=["marchen.connection.compel"])
async def compel_connection(
    game: Live,
    who: Who,
    person: Person,
    skill: Annotated[Literal["persuasion", "deception", "intimidation"], Param("how it is done")] = "persuasion",
) -> CheckResult:
    """Persuade a connection: it does what is asked, or its rank drops by 2. The rank is the DM."""
    who, rule = game[who].id, "marchen.connection.compel"
    alive(game, who)
    result = await rolled(game, who, skill, ("connection", _known(game[who].character, person), rule))
    if not result.success:
        _change(game, who, person, -2, rule)
    return result


@process(rules=["marchen.connection.test"])
async def test_connection(
    game: Live,
    who: Who,
    person: Person,
    skill: Annotated[str, Param("what is checked")] = "social",  # noqa: PT028 - no test but a trial
) -> CheckResult:
    """A bond is tested: it survives a success; a failure costs as many ranks as its sigma is below 0."""
    who, rule = game[who].id, "marchen.connection.test"
    alive(game, who)
    _known(game[who].character, person)
    meant = meant_by(skill)
    result = await rolled(game, who, meant.what, specialization=meant.rest or meant.specialization)
    if not result.success:
        _change(game, who, person, result.sigma, rule)
    return result


# ---------------------------------------------------------------------- patrons, standing, holdings


@process(rules=["marchen.resource.tracks"])
async def take_patron(game: Live, who: Who, person: Person) -> None:
    """Somebody of power becomes one's patron."""
    who, character, person = game[who].id, game[who].character, _name(person)
    alive(game, who)
    if person in character.patrons:
        raise RulesSayNo(f"{person} is a patron already", rule="marchen.resource.tracks")
    changed = character.changed(patrons=(*character.patrons, person))
    became(game, who, f"{person} is a patron", changed, cause="marchen.resource.tracks")


def standing_cost(character: MarchenCharacter, options: MarchenOptions) -> int:
    """What the next point of social standing costs in Treasure, less the discount that was won."""
    new = score(character, "social", options).total + 1
    return max(0, STANDING_COST * max(1, new) - character.discount)  # marchen.sojourn.raise_standing


def support_cost(character: MarchenCharacter, options: MarchenOptions, culture: str = "") -> int:
    """What a point of standing in one single matter costs in a culture: a sixth of what counts there, rounded up."""
    full = STANDING_COST * max(1, counted_standing(character, culture, options) + 1)
    return -(-full // SUPPORT_PART)  # marchen.sojourn.drum_up_support


def counted_standing(character: MarchenCharacter, culture: str, options: MarchenOptions) -> int:
    """The social score in a culture: a foreigner's counts only where a title was received; no name is one's own."""
    own = score(character, "social", options).total
    at_home = culture in ("", character.culture, *character.titles)
    return own if at_home else min(0, own)  # marchen.sojourn.receive_title


def strangeness(character: MarchenCharacter, scene: Scene) -> tuple[str, int, str]:
    """What a stranger's standing is not worth, where an activity goes by it: what it adds at home and not here.

    What raises it for a time or in this society counts here too.
    """
    options, here = scene.options, chronicle(scene).culture
    own = character.current.get("social", score(character, "social", options).total)
    added = modifier_of(own, options.score_scale)
    abroad = here not in ("", character.culture, *character.titles)
    return "a stranger here", -max(0, added) if abroad else 0, TITLE  # marchen.sojourn.receive_title


@process(rules=["marchen.sojourn.raise_standing", "marchen.gap.advancement.standing"])
async def raise_standing(game: Live, who: Who) -> None:
    """At home, Treasure raises the social score for good."""
    who, options = game[who].id, game.scene.options
    character: MarchenCharacter = game[who].character
    alive(game, who)
    takes_time(game)
    if chronicle(game.scene).culture not in ("", character.culture):
        raise RulesSayNo(f"{game.scene.called(who)} is not at home", rule=STANDING)
    cost = standing_cost(character, options)
    if cost > character.treasure:
        raise RulesSayNo(f"it costs {cost} Treasure, there are {character.treasure}", rule=STANDING)
    raised = permanently(character, "social", 1, "standing", options)
    if raised == character:
        raise RulesSayNo("the social score is as high as it can be", rule=SCORES)
    paid = raised.changed(treasure=character.treasure - cost, discount=0)
    became(
        game, who, f"social standing {score(paid, 'social', options).total} for {cost} Treasure", paid, cause=STANDING
    )


@process(rules=["marchen.resource.tracks"])
async def gain_holding(
    game: Live,
    who: Who,
    name: Annotated[str, Param("what it is called")],
    specialty: Annotated[str, Param("the specialty that helps to tend it")] = "",
) -> None:
    """A house, a mill, a piece of land is one's own from now on."""
    who, character, name = game[who].id, game[who].character, _name(name)
    if name in [one.name for one in character.holdings]:
        raise RulesSayNo(f"{name} is held already", rule="marchen.resource.tracks")
    held = Holding(name=name, culture=character.culture, specialty=specialty[:MOST_NAME])
    changed = character.changed(holdings=(*character.holdings, held))
    became(game, who, f"holds {name}", changed, cause="marchen.resource.tracks")


# ---------------------------------------------------------------------- heirs


def with_heir(character: MarchenCharacter, heir: str, options: MarchenOptions) -> MarchenCharacter:
    """Somebody who has named an heir: once in a lifetime, for one more Spiritual."""
    if character.heir:
        raise RulesSayNo(f"{character.heir} is the heir already; it is named but once", rule=HEIR)
    return permanently(character.changed(heir=heir), "spiritual", 1, "heir", options)


@process(rules=["marchen.season.name_an_heir"])
async def name_heir(game: Live, who: Who, heir: Person) -> None:
    """Choose an heir, once in a lifetime; the spiritual score rises by 1 for good."""
    who, heir = game[who].id, _name(heir)
    alive(game, who)
    became(game, who, f"{heir} is the heir", with_heir(game[who].character, heir, game.scene.options), cause=HEIR)


@process(rules=["marchen.season.epilogue"])
async def write_epilogue(
    game: Live,
    who: Who,
    role: Annotated[Literal["patron", "sage", "person of renown"], Param("what becomes of the character")] = "sage",
) -> None:
    """Retire as a person of renown; the player goes on with the heir, who must have been named."""
    who, character = game[who].id, game[who].character
    alive(game, who)
    became(game, who, f"retires as a {role}", retired(character, role), cause=EPILOGUE)


def retired(character: MarchenCharacter, role: str) -> MarchenCharacter:
    """Somebody who has retired into a role; refused without an heir."""
    if not character.heir:
        raise RulesSayNo("an epilogue needs an heir; name one first", rule=EPILOGUE)
    if character.retired:
        raise RulesSayNo(f"{character.name} is retired already", rule=EPILOGUE)
    return character.changed(retired=role)


def married(character: MarchenCharacter, spouse: str) -> MarchenCharacter:
    """Somebody who has courted a spouse: a connection of rank 3, or of more where there was more."""
    if character.spouse:
        raise RulesSayNo(f"{character.spouse} is the spouse already", rule="marchen.season.court_a_spouse")
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
