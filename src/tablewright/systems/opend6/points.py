"""Character Points and Fate Points of a character: spending and gaining them, the moral code, the end of a session."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from tablewright.engine import Param, choose, process
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game.actions import Refused
from tablewright.game.belongings import Belongings
from tablewright.game.common import BelongingsChanged, common
from tablewright.game.events import GAME_MASTER, OWNER, Apply, Event, shown
from tablewright.game.scene import Live, Scene, replaced
from tablewright.systems.opend6.character.record import FateSpent, OpenD6Character, Stance
from tablewright.systems.opend6.content import Skill
from tablewright.systems.opend6.options import OpenD6Options
from tablewright.systems.opend6.status import Moment, Status, fight

LIMITS, MORAL, RETURN = "opend6.points.limits", "opend6.fate.moral_code", "opend6.fate.loss_and_return"
CLIMACTIC, REPEATED, RESTRICTED = (
    "opend6.fate.climactic",
    "opend6.fate.climax_repeat",
    "opend6.fate.experience_restrictions",
)
PER_ROLL, STACKING, SPENT = "opend6.fate.per_roll_limit", "opend6.fate.extra_on_one_roll", "opend6.cp.spent_and_earned"
MODERATE_DICE, HIGH_DICE = 6, 9  # opend6.fate.experience_restrictions
RETURNED, EXTRA = 1, 1  # opend6.fate.loss_and_return
MOST_AT_ONCE = 10

Who: TypeAlias = Annotated[str, Param("the id of whose")]
Reason: TypeAlias = Annotated[str, Param("the reason, in words")]


# ---------------------------------------------------------------------- events


@dataclass(frozen=True, kw_only=True)
class PointsSpent(Event):
    """Somebody spent points on something; Fate Points are remembered until the session ends."""

    words = "{who} spends[ {character_points} Character Points][ {fate_points} Fate Points][ on {on}]"
    who: str = shown()
    character_points: int = shown(default=0)
    fate_points: int = shown(default=0)
    on: str = shown(default="")


@dataclass(frozen=True, kw_only=True)
class PointsGained(Event):
    """Somebody gains points, or loses some: none is the least, there is no most. [opend6.gap.creation.point_limit]"""

    words = "{who}'s points change[, Character Points {character_points}][, Fate Points {fate_points}][: {reason}]"
    who: str = shown()
    reason: str = shown(OWNER)
    character_points: int = shown(OWNER, default=0)
    fate_points: int = shown(OWNER, default=0)


@dataclass(frozen=True, kw_only=True)
class FateJudged(Event):
    """The game master has judged a deed that a Fate Point served."""

    words = "{who}: the deed is judged by the moral code, {stance}[: {lost} Fate Points more are lost]"
    who: str = shown()
    place: int = shown(OWNER)
    stance: Stance = shown(OWNER)
    lost: int = shown(OWNER, default=0)


@dataclass(frozen=True, kw_only=True)
class SessionEnded(Event):
    """A session is over for somebody: Fate Points come back, and what was spent is forgotten."""

    words = "{who}: the session ends[, {returned} Fate Points come back]"
    who: str = shown()
    returned: int = shown(OWNER, default=0)


@dataclass(frozen=True, kw_only=True)
class AdventureEnded(Event):
    """An adventure is over for somebody: what was used in it is counted, and abilities of once an adventure return."""

    words = "{who}: the adventure is over"
    who: str = shown()


@dataclass(frozen=True, kw_only=True)
class SkillUsed(Event):
    """Somebody has used a skill, so that it can be improved later."""

    words = "{who} has used {skill}"
    who: str = shown()
    skill: str = shown(OWNER)


@dataclass(frozen=True, kw_only=True)
class MomentSet(Event):
    """The game master says what the scene is about."""

    words = "the game master: this is {moment}"
    about = ()
    moment: Moment = shown()


apply: Apply[Scene] = Apply(common)


@apply.on(MomentSet)
def _moment(scene: Scene, event: MomentSet) -> Scene:
    return replaced(scene, extra=replaced(fight(scene), moment=event.moment))


@apply.on(PointsSpent)
def _spent(scene: Scene, event: PointsSpent) -> Scene:
    status: Status = scene[event.who].status
    noted = tuple([FateSpent(on=event.on) for _ in range(event.fate_points)])
    return scene.change(
        event.who,
        character_points=status.character_points - event.character_points,
        fate_points=status.fate_points - event.fate_points,
        fate_spent=status.fate_spent + noted,
    )


@apply.on(PointsGained)
def _gained(scene: Scene, event: PointsGained) -> Scene:
    status: Status = scene[event.who].status
    return scene.change(
        event.who,
        character_points=max(0, status.character_points + event.character_points),
        fate_points=max(0, status.fate_points + event.fate_points),
    )


@apply.on(FateJudged)
def _judged(scene: Scene, event: FateJudged) -> Scene:
    status: Status = scene[event.who].status
    spent = list(status.fate_spent)
    spent[event.place] = spent[event.place].changed(stance=event.stance)
    left = max(0, status.fate_points - event.lost)
    return scene.change(event.who, fate_spent=tuple(spent), fate_points=left)


@apply.on(SessionEnded)
def _ended(scene: Scene, event: SessionEnded) -> Scene:
    fate = scene[event.who].status.fate_points + event.returned
    return scene.change(event.who, fate_spent=(), climactic_used=False, fate_points=fate)


@apply.on(AdventureEnded)
def _over(scene: Scene, event: AdventureEnded) -> Scene:
    return scene.change(event.who, used=(), fast_reactions_used=0)


@apply.on(SkillUsed)
def _used(scene: Scene, event: SkillUsed) -> Scene:
    return scene.change(event.who, used=(*scene[event.who].status.used, event.skill))


@apply.on(BelongingsChanged, instead=True)
def _belongings(scene: Scene, event: BelongingsChanged) -> Scene:
    """As usual; whoever has got or lost something is no longer as they were made."""
    had, has = _owned(scene[event.who].belongings), _owned(event.belongings)
    scene = common(scene, event)
    participant = scene[event.who]
    if participant.character.traded or (had == has and event.money is None):
        return scene
    return scene.with_participant(replaced(participant, character=participant.character.changed(traded=True)))


def _owned(belongings: Belongings) -> Counter[str]:
    owned: Counter[str] = Counter()
    for one in belongings:
        owned[one.item] += one.count
    return owned


def note_use(game: Live, who: str, name: str) -> None:
    """Remember that somebody has used a skill since the last adventure."""
    is_new = name not in game[who].status.used and game.scene.library.has(Skill, name)
    if is_new and not game[who].character.is_creature:
        game.emit(SkillUsed(who=who, skill=name, cause="opend6.gap.advancement.needs"))


# ---------------------------------------------------------------------- whether points may be spent


def experience(character: OpenD6Character, options: OpenD6Options) -> Literal["", "moderate", "high"]:
    """How experienced a character is: by whole dice in several skills."""
    for name, dice in (("high", HIGH_DICE), ("moderate", MODERATE_DICE)):
        if len([one for one in character.skills.values() if one.dice >= dice]) >= options.several_skills:
            return "high" if name == "high" else "moderate"
    return ""


def fate_refused(
    character: OpenD6Character, owned: int, options: OpenD6Options, fate_points: int = 1, moment: Moment = "ordinary"
) -> Refused | None:
    """Why somebody may not put so many Fate Points on a roll; None where nothing stands against it."""
    if fate_points > owned:
        return Refused(f"{fate_points} Fate Points are needed, there are {owned}", LIMITS)
    if fate_points > 1 and not options.allow_stacking:
        return Refused("only one Fate Point may go on one roll", PER_ROLL)
    if not options.experience_restriction:
        return None
    tier = experience(character, options)
    if tier == "high" and moment != "climactic":
        return Refused("somebody so experienced spends Fate Points only at climactic moments", RESTRICTED)
    if tier == "moderate" and moment == "ordinary":
        return Refused("somebody this experienced spends Fate Points only on the story line", RESTRICTED)
    return None


def fate_of(scene: Scene, who: str) -> int:
    """The Fate Points that somebody may be asked for in a fight: none where the moment does not allow it."""
    one = scene[who]
    owned: int = one.status.fate
    if owned and fate_refused(one.character, owned, scene.options, 1, fight(scene).moment) is not None:
        return 0
    return owned


def climactic_refused(
    character: OpenD6Character, status: Status, options: OpenD6Options, *, moment: Moment = "story"
) -> Refused | None:
    """Why somebody may not spend a Fate Point for all rolls of a round: once a session, freely in the climax."""
    climax = moment == "climactic"
    refused = fate_refused(character, status.fate_points, options, moment=moment)
    if refused is not None:
        return refused
    if status.climactic:
        return Refused("all rolls of this round are doubled already", CLIMACTIC)
    if status.climactic_used and not (climax and options.unlimited_in_climax):
        return Refused("a Fate Point was spent climactically in this session already", CLIMACTIC)
    return None


# ---------------------------------------------------------------------- the moral code


@process(rules=["opend6.fate.moral_code"])
async def moral_deed(
    game: Live,
    who: Who,
    deed: Annotated[Literal["by_the_code", "against_the_code"], Param("whether it was in line with the moral code")],
    reason: Reason,
    amount: Annotated[int | None, Param("how many Fate Points, where the game master says so", 0, MOST_AT_ONCE)] = None,
) -> None:
    """Acting for one's moral code earns Fate Points, violating it loses them: as many as the game master says."""
    who = game[who].id
    if game.scene.options.award_per_event == "one_point":
        amount = 1 if amount is None else amount
    if amount is None:
        about = {"who": who, "rule": MORAL, "deed": deed, "reason": reason}
        question = f"how many Fate Points for {game.scene.called(who)}?"
        amount = await choose(GAME_MASTER, question, range(MOST_AT_ONCE + 1), about=about)
    signed = amount if deed == "by_the_code" else -min(amount, game[who].status.fate_points)
    if signed:
        game.emit(PointsGained(who=who, reason=reason, fate_points=signed, cause=MORAL))


@process(rules=["opend6.fate.loss_and_return"])
async def judge_fate(
    game: Live,
    who: Who,
    stance: Annotated[Literal["supports", "neutral", "against"], Param("what the deed was to the moral code")],
    place: Annotated[int | None, Param("which expenditure, counted from 1; none for the last", 1, 1_000)] = None,
) -> None:
    """The game master judges what a Fate Point was spent on; one spent against the code costs another."""
    who = game[who].id
    spent = game[who].status.fate_spent
    at = len(spent) if place is None else place
    if not 1 <= at <= len(spent):
        told = f"{game.scene.called(who)} has spent {len(spent)} Fate Points in this session"
        raise BadInput(told, field="place")
    if spent[at - 1].stance != "unjudged":
        raise RulesSayNo(f"it was judged already: {spent[at - 1].stance}", rule=RETURN)
    lost = min(EXTRA, game[who].status.fate_points) if stance == "against" else 0
    game.emit(FateJudged(who=who, place=at - 1, stance=stance, lost=lost, cause=RETURN))


@process(rules=[RESTRICTED, REPEATED])
async def set_moment(
    game: Live, moment: Annotated[Moment, Param("what the scene is about: nothing special, the story line, a climax")]
) -> None:
    """The game master says what a scene is about; experienced people may spend Fate Points only where it matters."""
    game.emit(MomentSet(moment=moment, cause=RESTRICTED))


@process(rules=["opend6.fate.loss_and_return", "opend6.fate.climactic"])
async def end_session(game: Live, who: Who) -> None:
    """A session ends: each Fate Point that served the moral code comes back if the game master confirms it."""
    who = game[who].id
    returned = 0
    for place, spent in enumerate(game[who].status.fate_spent):
        if spent.stance == "supports":
            about = {"who": who, "rule": RETURN, "on": spent.on, "place": place + 1}
            answer = await choose(GAME_MASTER, "does the Fate Point come back?", ["yes", "no"], about=about)
            returned += RETURNED if answer == "yes" else 0
    game.emit(SessionEnded(who=who, returned=returned, cause=RETURN))


PROCESSES = (moral_deed, judge_fate, set_moment, end_session)
