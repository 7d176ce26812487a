"""Encounters: awareness, turn order, rounds, turns and the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

from tablewright.engine import ClosedOption, Param, choose, process
from tablewright.errors import InvalidInputError, did_you_mean, parse_whole_number
from tablewright.game.play.actions import ActionUse
from tablewright.game.play.common_events import Checked, SceneEnded
from tablewright.game.play.time_passage import advance_time
from tablewright.game.play.turns import (
    MOST_TIES,
    Causes,
    add_newcomers,
    ask_order,
    play_rounds,
    take_turn,
    winning_side,
)
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.mars.actions.aim import is_alert
from tablewright.systems.mars.actions.attack import resolve
from tablewright.systems.mars.actions.index import IDLE
from tablewright.systems.mars.actions.turn import later, set_off, set_off_by_word
from tablewright.systems.mars.character.figures import can_use
from tablewright.systems.mars.content import Skill, When
from tablewright.systems.mars.events.encounter import (
    InitiativeRolled,
    OrderDecided,
    SurpriseOver,
    TieDecided,
    TurnBegan,
    WasSurprised,
)
from tablewright.systems.mars.events.turn import Gathered, TaskDone
from tablewright.systems.mars.harm import (
    as_rolled,
    burn,
    calm_down,
    dice_rules,
    end_of_round,
    end_of_turn,
    expire,
    expire_overdue,
    seen_by,
    struggle,
    tested,
    waits,
)
from tablewright.systems.mars.mechanics.attack import TURN_SECONDS
from tablewright.systems.mars.mechanics.checks import roll
from tablewright.systems.mars.mechanics.harm import initiative
from tablewright.systems.mars.mechanics.turn import awareness
from tablewright.systems.mars.now import now, of_participant, rulings
from tablewright.systems.mars.status import Status, fight, stands
from tablewright.systems.mars.values import RollValue, Throw

SEQUENCE, ROUND, TURN = "mars.encounter.sequence", "mars.time.round", "mars.action.speeds"
SURPRISE, INITIATIVE, TEAMS = "mars.surprise.who_acts", "mars.initiative.roll", "mars.initiative.teams"
TIES = "mars.initiative.ties"
CHALLENGE, GATE = "mars.encounter.complex_challenge", "mars.skill.complex_gate"


# ---------------------------------------------------------------------- order


def is_player_team(scene: Scene, side: str) -> bool:
    """True if a side has a participant that is not a creature."""
    return any(one.side == side and not one.character.is_creature for one in scene.participants)


def order_of_acting(scene: Scene, acting: Iterable[str]) -> tuple[str, ...]:
    """Turn order: teams alternate by initiative, and hidden participants change nothing for the others."""
    members = [scene[who] for who in acting]
    order = _ordered(scene, [one for one in members if not one.hidden])
    for one in sorted([one for one in members if one.hidden], key=lambda one: _rank(scene, one)):
        order = _slipped_in(order, one)
    return tuple([one.id for one in order])


def _rank(scene: Scene, one: Participant) -> tuple[int, int, int]:
    """Sort key: the higher initiative, then the agreement of a team, then the order of listing."""
    return -_initiative(one), one.status.tied, _places(scene)[one.id]


@cached_on_scene
def _places(scene: Scene) -> dict[str, int]:
    """The places of participants in the order of listing."""
    return {one.id: place for place, one in enumerate(scene.participants)}


def _initiative(one: Participant) -> int:
    """Initiative of a participant; 0 before the roll."""
    return one.status.initiative or 0


def _rank_among_teams(scene: Scene, one: Participant) -> tuple[int, ...]:
    """Rank in the turn order among equal results of other teams."""
    initiative, *agreed = _rank(scene, one)
    return initiative, _tie(scene, one), *agreed


def _ordered(scene: Scene, members: Sequence[Participant]) -> list[Participant]:
    teams: dict[str, list[Participant]] = {}
    for one in sorted(members, key=lambda one: _rank(scene, one)):
        teams.setdefault(one.side, []).append(one)
    if len(teams) < 2 or scene.options.initiative_mode == "individual":
        return sorted(members, key=lambda one: _rank_among_teams(scene, one))
    listed = _places(scene)
    ranked = sorted(
        teams.values(),
        key=lambda team: (-_initiative(team[0]), _tie(scene, team[0]), min([listed[one.id] for one in team])),
    )
    order: list[Participant] = []
    for number in range(max(map(len, ranked))):
        order += [team[number] for team in ranked if number < len(team)]
    return order


def _tie(scene: Scene, one: Participant) -> int:
    """Sort key for equal results of teams, by the table's option."""
    if scene.options.initiative_tie == "higher_max":
        return -of_participant(scene, one).roll("INIT").value.maximum
    return int(not is_player_team(scene, one.side))


def _slipped_in(order: list[Participant], hidden: Participant) -> list[Participant]:
    """Just before the first of the own team who is slower, or at the end."""
    for at, one in enumerate(order):
        if one.side == hidden.side and _initiative(one) < _initiative(hidden):
            return [*order[:at], hidden, *order[at:]]
    return [*order, hidden]


async def roll_initiative(game: Game, who: str) -> None:
    """Roll initiative; a hidden participant rolls unseen."""
    participant = game[who]
    throw = as_rolled(game.scene, who, now(game.scene, who).roll("INIT"))
    throw = throw.with_parts([*rulings(game.scene, "initiative", who), *rulings(game.scene, "INIT", who)])
    call = initiative(throw.value, throw.advantage, throw.disadvantage, dice_rules(game.scene))
    audience = seen_by(participant)
    total = await call.by(participant.seat, audience=audience, tallies=throw.tallies("roll_value"))
    game.emit(InitiativeRolled(who=who, total=total, to=audience, cause=INITIATIVE))


async def _settle_ties(game: Game) -> None:
    """Reroll ties between teams where the table says so (mars.initiative.ties): the best of each team roll again."""
    if game.scene.options.initiative_tie != "reroll":
        return
    for _ in range(MOST_TIES):
        best: dict[str, Participant] = {}
        for one in [one for one in game.scene.present if not one.hidden]:
            known = best.get(one.side)
            if known is None or _initiative(one) > _initiative(known):
                best[one.side] = one
        results = [one.status.initiative for one in best.values()]
        tied = [one for one in best.values() if results.count(one.status.initiative) > 1]
        if not tied:
            return
        for one in tied:
            await roll_initiative(game, one.id)


async def _agree_on_ties(game: Game) -> None:
    """Players of one team with equal results decide who of them goes first."""
    for side in game.scene.sides:
        if not is_player_team(game.scene, side):
            continue
        team = [one for one in game.scene.present if one.side == side and not one.hidden and not one.status.dead]
        for total in sorted({_initiative(one) for one in team}, reverse=True):
            tied = [one for one in team if _initiative(one) == total]
            if len(tied) > 1 and not all(one.status.tied for one in tied):
                game.emit(TieDecided(order=await _agreed(game, [one.id for one in tied]), cause=TIES))


async def _agreed(game: Game, tied: list[str]) -> tuple[str, ...]:
    """The order on which those with equal results agree; the first one listed speaks for them."""
    return await ask_order(
        game.seat(tied[0]),
        "who goes first?",
        tied,
        {"who": tied[0]},
        lambda who: ActionUse("goes_first", who, label=game.scene.display_name(who)),
    )


# ---------------------------------------------------------------------- the beginning


async def begin(game: Game, sneaking: str) -> None:
    """Everyone rolls initiative; then it turns out who is aware of the others."""
    if sneaking and not any(one.side == sneaking for one in game.scene.present):
        raise InvalidInputError(
            f'nobody is on the side "{sneaking:.40}"; sides: {", ".join(game.scene.sides)}'
            f"{did_you_mean(sneaking, game.scene.sides)}",
            field="sneaking",
        )
    for one in game.scene.present:
        if one.status.initiative is None and not one.status.dead:
            await roll_initiative(game, one.id)
    await _settle_ties(game)
    await _find_out_who_is_aware(game, sneaking)
    await _agree_on_ties(game)
    scene = game.scene
    able = [one for one in scene.present if not one.status.dead]
    surprised = [one.id for one in able if one.status.surprised]
    aware = [one.id for one in able if not one.status.surprised]
    surprise = bool(surprised) and bool(aware)
    acting = aware if surprise else [one.id for one in able]
    game.emit(OrderDecided(order=order_of_acting(scene, acting), surprise=surprise, cause=SEQUENCE))


async def _find_out_who_is_aware(game: Game, sneaking: str) -> None:
    scene = game.scene
    named = [who for who in scene.setup.surprised if who in scene]
    if sneaking:
        named += await _unnoticed(game, sneaking)
    for one in game.scene.present:
        foes = game.scene.enemies(one.id)
        unaware = one.id in named or (bool(foes) and all(foe.hidden for foe in foes))
        if unaware and not (is_alert(game.scene, one.id) and one.status.conscious):
            game.emit(WasSurprised(who=one.id, cause=SURPRISE))


async def _unnoticed(game: Game, sneaking: str) -> list[str]:
    """Observers who do not notice a sneaking side: its worst Agility total against the Perception of each.

    A hidden character already is not noticed, and changes nothing for the others.
    """
    scene = game.scene
    sneaks = [one for one in scene.present if one.side == sneaking and not one.hidden]
    observers = [one for one in scene.present if one.side != sneaking and stands(one)]
    if not sneaks:
        return []
    worst = RollValue(0, min([await _sneak(game, one) for one in sneaks]))
    found: list[str] = []
    for one in observers:
        throw = _thrown(game.scene, one.id, "perception", "hidden_things")
        call = awareness(throw.value, (worst,), throw.advantage, throw.disadvantage, dice_rules(game.scene))
        other = one.seat if one.hidden else sneaks[0].seat  # no one learns that there is one more to notice them
        if not await call.by(one.seat, other, audience=seen_by(one), tallies=throw.tallies("perception")):
            found.append(one.id)
    return found


async def _sneak(game: Game, one: Participant) -> int:
    """Agility total of one sneaking participant, rolled once against all observers."""
    throw = _thrown(game.scene, one.id, "agility", "silent_movement")
    call = roll(throw.value, throw.advantage, throw.disadvantage, dice_rules(game.scene))
    return await call.by(one.seat, audience=seen_by(one), tallies=throw.tallies("roll_value"))


def _thrown(scene: Scene, who: str, skill: str, when: When) -> Throw:
    """Roll of a skill with the game master's rulings."""
    me = now(scene, who)
    pros = me.teamwork(skill) if when == "silent_movement" else ()
    return as_rolled(scene, who, me.skill(skill, (when,)).with_parts(rulings(scene, skill, who), pros))


# ---------------------------------------------------------------------- turns


async def turn(game: Game, who: str) -> None:
    """Run one turn: effects at its start, then actions until its time is used up."""
    status: Status = game[who].status
    if status.earlier is None:
        settled = waits(game.scene, who)  # mars.action.delay: what waits for the start comes once
        if settled and not await _begins(game, who):
            return
        expire(game, who)
        stun = game[who].status.effect("stunned")
        game.emit(TurnBegan(who=who, stuns=stun.degree if stun is not None else 0, settled=settled, cause=TURN))
        await burn(game, who)
        await struggle(game, who)
        await set_off_by_word(game, who)
    await take_turn(game, who, goes_on=_goes_on, about=_left)
    await set_off_by_word(game, who)
    if game.scene.turn == who and who in game.scene and game.scene.ended is None:
        await end_of_turn(game, who)


def _left(scene: Scene, who: str) -> dict[str, str]:
    """Time left in a turn, as details of the question."""
    turn = scene[who].status.turn
    return {"left": f"{turn.seconds} s{' and a free action' if turn.free else ''}"}


def _goes_on(scene: Scene, who: str) -> bool:
    if scene.turn != who or scene.ended is not None or not stands(scene[who]):
        return False
    return outcome(scene) is None


async def _begins(game: Game, who: str) -> bool:
    """Ask whether a turn begins now or later in the round, where something waits for its start.

    No one is asked for the sake of hidden participants alone: the question would reveal that they act later.
    """
    actions, scene = game.rulebook.actions, game.scene
    offers = actions.options(scene, who, among=("delay",))
    able = [use for use in offers if isinstance(use, ActionUse)]
    if not able or not any(scene[who].hidden or not scene[other].hidden for other in later(scene, who)):
        return True
    begin_now = ActionUse("begin_turn", label="Begin the turn")
    taken = await choose(game.seat(who), "begin the turn?", [begin_now, *able], details={"who": who})
    if taken.action == "begin_turn":
        return True
    await actions.perform(game, who, taken)
    return False


# ---------------------------------------------------------------------- the whole


def outcome(scene: Scene) -> str | None:
    """Outcome of the encounter; None while it goes on (mars.gap.fight.end)."""
    return winning_side(scene, stands)


def _may_act(scene: Scene, who: str) -> bool:
    """True for the living; in a surprise round for those alone who are aware."""
    status: Status = scene[who].status
    return not status.dead and not (fight(scene).surprise and status.surprised)


@process(rules=[SEQUENCE, ROUND, TEAMS, SURPRISE])
async def encounter(
    game: Game,
    sneaking: Annotated[str, Param("the side that sneaks up on the others, who may notice it; empty for none")] = "",
) -> None:
    """Run an encounter from wherever it stands to its end: initiative, awareness, a surprise round, rounds of turns."""
    if not fight(game.scene).begun:
        more = dict(game.scene.setup.more) if game.scene.setup.more else {}
        await begin(game, sneaking or str(more.get("sneaking", "")))
    await play_rounds(
        game,
        turn,
        outcome,
        cause=Causes(TURN, ROUND, SEQUENCE),
        length=TURN_SECONDS,
        round_begins=_round_begins,
        round_began=_round_began,
        round_ends=end_of_round,
        may_act=_may_act,
        go_on=_go_on,
    )
    if fight(game.scene).begun:
        calm_down(game)
        items = tuple([one.item for one in game.scene.loose_items])
        game.emit(Gathered(items=items, cause=SEQUENCE))


async def _go_on(game: Game) -> None:
    """Blows that are under way are finished first."""
    while fight(game.scene).incoming and game.scene.ended is None:
        await resolve(game)


async def _round_begins(game: Game) -> None:
    """Set the order of the next round: newcomers roll initiative, a surprise ends, delays are forgotten."""
    number = game.scene.round
    for one in game.scene.present:
        if one.status.initiative is None and not one.status.dead:
            await roll_initiative(game, one.id)  # who has just come
            await _agree_on_ties(game)
    able = [one.id for one in game.scene.present if not one.status.dead]
    if number and fight(game.scene).surprise:
        game.emit(SurpriseOver(order=order_of_acting(game.scene, able), cause=SURPRISE))
    elif number and not game.scene.options.delay_persists:
        order = order_of_acting(game.scene, able)
        before = [who for who in fight(game.scene).order if who in able]
        seen = tuple([who for who in order if not game[who].hidden])
        if [who for who in before if not game[who].hidden] != list(seen):
            game.emit(OrderDecided(order=seen, cause=TEAMS))
        if before != list(order) and seen != order:
            game.emit(OrderDecided(order=order, to=GAME_MASTER, cause=TEAMS))
    elif number:
        await add_newcomers(game, TEAMS)


async def _round_began(game: Game) -> None:
    """End overdue effects, and let participants who came into view set off readied actions."""
    expire_overdue(game)
    for one in game.scene.present:
        if not one.hidden and one.status.initiative is not None and one.id not in game.scene.order:
            await set_off(game, "appears", one.id)


# ---------------------------------------------------------------------- complex challenges


@process(rules=[CHALLENGE, GATE])
async def complex_challenge(
    game: Game,
    tasks: Annotated[tuple[str, ...], Param("tasks as skill:difficulty, such as sleight:14")],
    turns: Annotated[int, Param("number of turns", 1, 1_000)] = 10,
    seconds: Annotated[int, Param("length of a turn in seconds", 1, 86_400)] = 60,
) -> str:
    """Run a task against time: in each turn everyone makes one check at a remaining task, until time is up."""
    for task in tasks:
        _task(game.scene, task)
    for number in range(turns):
        for who in [one.id for one in game.scene.present if stands(one)]:
            left = Counter(tasks) - Counter(fight(game.scene).done)  # each as often as it was named
            if not left:
                break
            options, closed = _tasks(game.scene, who, list(left))
            taken = await choose(game.seat(who), "which task?", options, closed=closed, details={"who": who})
            if taken.action == "task":
                await _try_task(game, who, str(taken.detail))
        await advance_time(game, seconds, cause=CHALLENGE)
        if not Counter(tasks) - Counter(fight(game.scene).done):
            game.emit(SceneEnded(outcome="all is done", reason=f"after {number + 1} turns", cause=CHALLENGE))
            return "done"
    game.emit(SceneEnded(outcome="time is up", reason=f"after {turns} turns", cause=CHALLENGE))
    return "time is up"


def _tasks(scene: Scene, who: str, left: Sequence[str]) -> tuple[list[ActionUse], list[ClosedOption]]:
    """Remaining tasks that a participant can try, and the closed ones; complex skills need training here as well."""
    able: list[ActionUse] = []
    closed: list[ClosedOption] = []
    for task in left:
        use = ActionUse("task", detail=task, label=task.replace(":", " against "))
        skill, _ = _task(scene, task)
        if scene.library.get(Skill, skill).group == "combat" or can_use(scene[who].character, skill, scene.library):
            able.append(use)
        else:
            closed.append(ClosedOption(use.id, f"not trained in {skill.replace('_', ' ')}", GATE, use.label))
    return [*able, ActionUse(IDLE, label="Do nothing")], closed


def _task(scene: Scene, text: str) -> tuple[str, int]:
    skill, _, said = text.partition(":")
    difficulty = parse_whole_number(said)
    if difficulty is None:
        raise InvalidInputError(
            f'"{text:.40}" is not a task; write skill:difficulty, such as sleight:14', field="tasks"
        )
    scene.library.get(Skill, skill)
    return skill, difficulty


async def _try_task(game: Game, who: str, task: str) -> None:
    skill, difficulty = _task(game.scene, task)
    throw = now(game.scene, who).skill(skill).with_parts(rulings(game.scene, skill, who))
    degree = await tested(game, who, throw, difficulty)
    game.emit(Checked(who=who, what=task, result=degree.value, cause=CHALLENGE))
    if degree.succeeds:
        game.emit(TaskDone(who=who, task=task, cause=CHALLENGE))
