"""Character and Fate Points in play."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, TypeAlias

from tablewright.engine import Param, choose, process
from tablewright.errors import InvalidInputError, refuse_if
from tablewright.game.character.belongings import Belongings
from tablewright.game.play.actions import Refusal
from tablewright.game.play.common_apply import common_reducer
from tablewright.game.play.common_events import BelongingsChanged
from tablewright.game.play.time_passage import Who
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.events import Event, ParticipantEvent, Reducer
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER, OWNER, visible
from tablewright.systems.opend6.character.record import FateSpent, OpenD6Character, Stance
from tablewright.systems.opend6.content import Skill
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.status import Moment, Status, fight
from tablewright.systems.opend6.values import points_in_words, too_few

LIMITS, MORAL, RETURN = "opend6.points.limits", "opend6.fate.moral_code", "opend6.fate.loss_and_return"
CLIMACTIC, REPEATED, RESTRICTED = (
    "opend6.fate.climactic",
    "opend6.fate.climax_repeat",
    "opend6.fate.experience_restrictions",
)
PER_ROLL, SPENT = "opend6.fate.per_roll_limit", "opend6.cp.spent_and_earned"
MODERATE_DICE, HIGH_DICE = 6, 9  # opend6.fate.experience_restrictions
RETURNED, EXTRA = 1, 1  # opend6.fate.loss_and_return
MOST_AT_ONCE = 10

Reason: TypeAlias = Annotated[str, Param("the reason, in words")]


# ---------------------------------------------------------------------- events

apply: Reducer[Scene] = Reducer(common_reducer)


class PointsSpent(ParticipantEvent):
    """A character spent points on something; Fate Points are remembered until the session ends."""

    character_points: int = visible(default=0)
    fate_points: int = visible(default=0)
    on: str = visible(default="")


@apply.sets(
    character_points=lambda status, event: max(0, status.character_points + event.character_points),
    fate_points=lambda status, event: max(0, status.fate_points + event.fate_points),
)
class PointsGained(ParticipantEvent):
    """Points gained or lost, never below none and without an upper limit. [opend6.gap.creation.point_limit]"""

    reason: str = visible(OWNER)
    character_points: int = visible(OWNER, default=0)
    fate_points: int = visible(OWNER, default=0)


class FateJudged(ParticipantEvent):
    """The game master has judged a deed that a Fate Point served."""

    place: int = visible(OWNER)
    stance: Stance = visible(OWNER)
    lost: int = visible(OWNER, default=0)


@apply.sets(fate_spent=(), climactic_used=False, fate_points=lambda status, event: status.fate_points + event.returned)
class SessionEnded(ParticipantEvent):
    """A session ended for a character: its Fate Points return, and its record of spending is cleared."""

    returned: int = visible(OWNER, default=0)


@apply.sets(used=(), fast_reactions_used=0)
class AdventureEnded(ParticipantEvent):
    """The end of an adventure: skills used in it are noted, and abilities limited per adventure return."""


@apply.sets(used=lambda status, event: (*status.used, event.skill))
class SkillUsed(ParticipantEvent):
    """A character has used a skill, so that it can be improved later."""

    skill: str = visible(OWNER)


@apply.by(lambda scene, event: evolve(scene, system_state=evolve(fight(scene), moment=event.moment)))
class MomentSet(Event):
    """The theme of the scene was set by the game master."""

    mentions = ()
    moment: Moment = visible()


@apply.on(PointsSpent)
def _spent(scene: Scene, event: PointsSpent) -> Scene:
    status: Status = scene[event.who].status
    noted = tuple([FateSpent(on=event.on) for _ in range(event.fate_points)])
    return scene.with_status(
        event.who,
        character_points=status.character_points - event.character_points,
        fate_points=status.fate_points - event.fate_points,
        fate_spent=status.fate_spent + noted,
    )


@apply.on(FateJudged)
def _judged(scene: Scene, event: FateJudged) -> Scene:
    status: Status = scene[event.who].status
    spent = list(status.fate_spent)
    spent[event.place] = spent[event.place].changed(stance=event.stance)
    left = max(0, status.fate_points - event.lost)
    return scene.with_status(event.who, fate_spent=tuple(spent), fate_points=left)


@apply.on(BelongingsChanged, instead=True)
def _belongings(scene: Scene, event: BelongingsChanged) -> Scene:
    """Apply a change of belongings; the character no longer counts as newly created."""
    had, has = _owned(scene[event.who].belongings), _owned(event.belongings)
    scene = common_reducer(scene, event)
    participant = scene[event.who]
    if participant.character.traded or (had == has and event.money is None):
        return scene
    return scene.with_participant(evolve(participant, character=_after_trade(participant.character)))


@cached_by_identity
def _after_trade(character: OpenD6Character) -> OpenD6Character:
    return character.changed(traded=True)


def _owned(belongings: Belongings) -> Counter[str]:
    owned: Counter[str] = Counter()
    for one in belongings:
        owned[one.item] += one.count
    return owned


def note_use(game: Game, who: str, name: str) -> None:
    """Remember that a character has used a skill since the last adventure."""
    is_new = name not in game[who].status.used and game.scene.library.has(Skill, name)
    if is_new and not game[who].character.is_creature:
        game.emit(SkillUsed(who=who, skill=name, cause="opend6.gap.advancement.needs"))


# ---------------------------------------------------------------------- whether points may be spent


def experience(character: OpenD6Character, options: OpenD6Options) -> Literal["", "moderate", "high"]:
    """Experience of a character by whole dice in several skills."""
    for name, dice in (("high", HIGH_DICE), ("moderate", MODERATE_DICE)):
        if len([one for one in character.skills.values() if one.dice >= dice]) >= options.several_skills:
            return "high" if name == "high" else "moderate"
    return ""


def fate_refused(
    character: OpenD6Character, owned: int, options: OpenD6Options, fate_points: int = 1, moment: Moment = "ordinary"
) -> Refusal | None:
    """Reason why a character may not put this many Fate Points on a roll; None if it may."""
    if fate_points > owned:
        return Refusal(too_few(points_in_words(0, fate_points), owned), LIMITS)
    if fate_points > 1 and not options.allow_stacking:
        return Refusal("only one Fate Point may go on one roll", PER_ROLL)
    if not options.experience_restriction:
        return None
    tier = experience(character, options)
    if tier == "high" and moment != "climactic":
        return Refusal("so experienced a character spends Fate Points only at climactic moments", RESTRICTED)
    if tier == "moderate" and moment == "ordinary":
        return Refusal("so experienced a character spends Fate Points only on the story line", RESTRICTED)
    return None


def fate_of(scene: Scene, who: str) -> int:
    """The Fate Points that a character may be asked for in a fight: none where the moment does not allow it."""
    one = scene[who]
    owned: int = one.status.fate
    if owned and fate_refused(one.character, owned, scene.options, 1, fight(scene).moment) is not None:
        return 0
    return owned


def climactic_refused(
    character: OpenD6Character, status: Status, options: OpenD6Options, *, moment: Moment = "story"
) -> Refusal | None:
    """Reason why a character may not spend a Fate Point for a whole round: once a session, freely in the climax."""
    climax = moment == "climactic"
    refused = fate_refused(character, status.fate_points, options, moment=moment)
    if refused is not None:
        return refused
    if status.climactic:
        return Refusal("all rolls of this round are doubled already", CLIMACTIC)
    if status.climactic_used and not (climax and options.unlimited_in_climax):
        return Refusal("a Fate Point was spent climactically in this session already", CLIMACTIC)
    return None


# ---------------------------------------------------------------------- the moral code


@process(rules=["opend6.fate.moral_code"])
async def moral_deed(
    game: Game,
    who: Who,
    deed: Annotated[Literal["by_the_code", "against_the_code"], Param("whether it was in line with the moral code")],
    reason: Reason,
    amount: Annotated[int | None, Param("how many Fate Points, where the game master says so", 0, MOST_AT_ONCE)] = None,
) -> None:
    """Acting for one's moral code earns Fate Points, violating it loses them: as many as the game master says."""
    if game.scene.options.award_per_event == "one_point":
        amount = 1 if amount is None else amount
    if amount is None:
        about = {"who": who, "rule": MORAL, "deed": deed, "reason": reason}
        question = f"how many Fate Points for {game.scene.display_name(who)}?"
        amount = await choose(GAME_MASTER, question, range(MOST_AT_ONCE + 1), details=about)
    signed = amount if deed == "by_the_code" else -min(amount, game[who].status.fate_points)
    if signed:
        game.emit(PointsGained(who=who, reason=reason, fate_points=signed, cause=MORAL))


@process(rules=["opend6.fate.loss_and_return"])
async def judge_fate(
    game: Game,
    who: Who,
    stance: Annotated[Literal["supports", "neutral", "against"], Param("what the deed was to the moral code")],
    place: Annotated[int | None, Param("which expenditure, counted from 1; none for the last", 1, 1_000)] = None,
) -> None:
    """Judge the use of a Fate Point; one spent against the code costs another."""
    spent = game[who].status.fate_spent
    at = len(spent) if place is None else place
    if not 1 <= at <= len(spent):
        told = f"{game.scene.display_name(who)} has spent {len(spent)} Fate Points in this session"
        raise InvalidInputError(told, field="place")
    refuse_if(spent[at - 1].stance != "unjudged", f"it was judged already: {spent[at - 1].stance}", rule=RETURN)
    lost = min(EXTRA, game[who].status.fate_points) if stance == "against" else 0
    game.emit(FateJudged(who=who, place=at - 1, stance=stance, lost=lost, cause=RETURN))


@process(rules=[RESTRICTED, REPEATED])
async def set_moment(
    game: Game, moment: Annotated[Moment, Param("what the scene is about: nothing special, the story line, a climax")]
) -> None:
    """Set the theme of a scene; experienced characters may spend Fate Points only where it matters."""
    game.emit(MomentSet(moment=moment, cause=RESTRICTED))


@process(rules=["opend6.fate.loss_and_return", "opend6.fate.climactic"])
async def end_session(game: Game, who: Who) -> None:
    """A session ends: each Fate Point that served the moral code comes back if the game master confirms it."""
    returned = 0
    for place, spent in enumerate(game[who].status.fate_spent):
        if spent.stance == "supports":
            about = {"who": who, "rule": RETURN, "on": spent.on, "place": place + 1}
            answer = await choose(GAME_MASTER, "does the Fate Point come back?", ["yes", "no"], details=about)
            returned += RETURNED if answer == "yes" else 0
    game.emit(SessionEnded(who=who, returned=returned, cause=RETURN))


PROCESSES = (moral_deed, judge_fate, set_moment, end_session)
