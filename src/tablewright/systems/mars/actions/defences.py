"""Defences that a participant has at this moment, with their costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tablewright.engine import ClosedOption, choose
from tablewright.game.content.library import Library
from tablewright.game.ground.position import Position
from tablewright.game.play.action_kinds import ActionKind
from tablewright.game.play.actions import ActionUse, Performed, Requirement, each_use, needs, once
from tablewright.game.play.common_events import Moved
from tablewright.game.play.movement import ask_destination, has_place
from tablewright.game.play.reactions import open_reaction_window
from tablewright.game.play.targeting import free_neighbours, within_reach
from tablewright.game.scene.caching import cached_by_identity
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.actions.aim import PARRY
from tablewright.systems.mars.actions.requirements import (
    FREE_REACTION,
    OWN_TURN,
    UNDER_ATTACK,
    reacting,
    why_no_reaction,
    why_no_stamina,
)
from tablewright.systems.mars.character.gear import Shield
from tablewright.systems.mars.character.record import MarsEffect
from tablewright.systems.mars.content import InterceptStep, Maneuver
from tablewright.systems.mars.events.attack import Blocked, Defended
from tablewright.systems.mars.harm import take_hold
from tablewright.systems.mars.now import now
from tablewright.systems.mars.status import Incoming, Status, fight, stands

EVADE, BLOCK = "mars.defence.evade", "mars.defence.block"
DEFENCES = ("deflect", "evade", "parry")
BLOCKS = ("take_blow", "block")
STEP, DROP = "step", "drop"
costless_reaction = ActionKind(cost_text="nothing", reaction=True)


# ---------------------------------------------------------------------- declaring a defence


def can_defend(scene: Scene, blow: Incoming) -> bool:
    """True if there is any choice about the defence."""
    status: Status = scene[blow.target].status
    return status.conscious and status.stamina >= price(blow) and not status.has("stunned")


async def declare(game: Game) -> None:
    """The target of the blow under way says how it defends."""
    blow = fight(game.scene).blow
    assert blow is not None
    if not can_defend(game.scene, blow):
        return
    who = blow.target
    actions = game.rulebook.actions
    about = {"who": who, "attacker": blow.attacker, "attack": str(blow.attack)}
    use = await choose(
        game.seat(who),
        "how to defend?",
        lambda: actions.legal_uses(game.scene, who, reactions=True, among=DEFENCES),
        details=about,
    )
    await actions.perform(game, who, use)


def price(blow: Incoming | None) -> int:
    """The stamina that parrying or blocking costs; who has stepped in does one of the two for nothing."""
    return 0 if blow is not None and blow.cost_free and blow.defence != "parry" else 1


def _stamina(scene: Scene, who: str, use: ActionUse) -> str | None:
    return why_no_stamina(scene, who, price(fight(scene).blow))


def _then_possible(scene: Scene, who: str, use: ActionUse) -> str | None:
    """Reason against a step or a drop after the evasion; a step needs room and the reaction."""
    if use.detail == DROP:
        return "prone already" if scene[who].status.has("prone") else None
    if use.detail != STEP:
        return None
    if not has_place(scene, who):
        return "there is nowhere to go"
    if now(scene, who).metres == 0:
        return "cannot move at all"
    return why_no_reaction(scene, who, free=False)


def _not_asked_yet(scene: Scene, who: str, use: ActionUse) -> str | None:
    blow = fight(scene).blow
    return None if blow is not None and blow.defence is None else "a defence was declared already"


def _would_hit(scene: Scene, who: str, use: ActionUse) -> str | None:
    blow = fight(scene).blow
    return None if blow is not None and blow.degree is not None else "nothing has hit yet"


def _from_the_front(scene: Scene, who: str, use: ActionUse) -> str | None:
    blow = fight(scene).blow
    if blow is None or not scene.facts.entries:
        return None
    return "the attack comes from behind" if scene.facts.get("behind", blow.attacker, who) is not None else None


def _shield(scene: Scene, who: str, use: ActionUse) -> str | None:
    me = now(scene, who)
    if me.blocking is not None:
        return None
    return "the shield is broken" if me.shields else "no shield in hand"


_HAS_PARRY = needs(lambda scene, who: now(scene, who).parries, "nothing to parry with")


NOT_DECLARED = Requirement("mars.attack.procedure", _not_asked_yet, always=True)
WOULD_HIT = Requirement("mars.attack.procedure", _would_hit, always=True)


def _evade_uses(scene: Scene, who: str) -> Sequence[ActionUse]:
    """Evasions: with a choice to drop prone after the dice, with a step, or without either.

    Saved fights hold the id of the plain evasion, so it stays.
    """
    return _EVASIONS_LYING if scene[who].status.has("prone") else _EVASIONS_STANDING


_EVASION_WITH_STEP = ActionUse("evade", detail=STEP, label="Evade, then step 1 m", cost="reaction, 1 stamina")
_EVASIONS_STANDING = (
    ActionUse("evade", detail=DROP, label="Evade", cost="1 stamina"),
    _EVASION_WITH_STEP,
    ActionUse("evade", label="Evade and stay standing", cost="1 stamina"),
)
_EVASIONS_LYING = (
    ActionUse("evade", label="Evade", cost="1 stamina"),
    _EVASION_WITH_STEP,
    ActionUse("evade", detail=DROP, label="Evade, then drop prone", cost="1 stamina"),
)


def _parry_uses(scene: Scene, who: str) -> Sequence[ActionUse]:
    me = now(scene, who)

    def make() -> Sequence[ActionUse]:
        named = [(item, f"Parry with {item.replace('_', ' ')} {value}") for item, value in me.parries]
        return [ActionUse("parry", detail=item, label=label, cost="1 stamina") for item, label in named] or [
            ActionUse("parry", label="Parry", cost="1 stamina")
        ]

    return me.remember(_parry_uses, make)


@costless_reaction("Deflect", "mars.defence.deflection_default", (UNDER_ATTACK, NOT_DECLARED))
async def _deflect(game: Game, who: str, use: ActionUse) -> None:
    """Do nothing before the dice: deflection is free and is no action."""


@reacting(
    "Evade",
    EVADE,
    (
        UNDER_ATTACK,
        NOT_DECLARED,
        FREE_REACTION,
        OWN_TURN,
        once(lambda scene, who, use: why_no_stamina(scene, who, 1)),
        each_use(_then_possible),
    ),
    _evade_uses,
    lambda scene, who, use: use.cost_text,
)
async def _evade(game: Game, who: str, use: ActionUse) -> None:
    game.emit(
        Defended(who=who, how="evade", then=use.detail or "", stamina=1, reaction=use.detail == STEP, cause=EVADE)
    )


@reacting(
    "Parry",
    PARRY,
    (UNDER_ATTACK, NOT_DECLARED, FREE_REACTION, OWN_TURN, once(_stamina), _HAS_PARRY),
    _parry_uses,
    "1 stamina",
)
async def _parry(game: Game, who: str, use: ActionUse) -> None:
    cost = price(fight(game.scene).blow)
    game.emit(Defended(who=who, how="parry", item=str(use.detail), stamina=cost, cause=PARRY))


async def afterwards(game: Game, blow: Incoming) -> None:
    """Offer to drop prone or step aside after an evasion, successful or not."""
    who = blow.target
    if blow.defence != "evade" or not stands(game[who]):
        return
    stay = ActionUse("stay", label="Stay")
    if blow.then != STEP:
        if blow.then == DROP and not game[who].status.has("prone"):
            down = ActionUse("drop_down", label="Drop prone")
            if await choose(game.seat(who), "drop prone?", [stay, down], details={"who": who}) == down:
                await take_hold(game, who, MarsEffect("prone"), cause=EVADE)
        return
    squares = free_neighbours(game.scene, who, stands)
    there = await ask_destination(game, who, lambda: squares, question="step where?", label="Step to {}", stay=stay)
    if there is not None:
        game.emit(Moved(who=who, position=there, cause=EVADE))


# ---------------------------------------------------------------------- blocking


def may_block(scene: Scene, blow: Incoming) -> bool:
    """True if a shield could come between a blow that hits and its target."""
    return (
        can_defend(scene, blow)
        and now(scene, blow.target).blocking is not None
        and why_no_reaction(scene, blow.target, free=True) is None
        and (scene.turn != blow.target or scene.options.own_turn_defence)
    )


async def ask_to_block(game: Game) -> None:
    """The target may hold its shield against a blow that would hit."""
    blow = fight(game.scene).blow
    assert blow is not None
    who, actions = blow.target, game.rulebook.actions
    about = {"who": who, "attacker": blow.attacker, "degree": blow.degree.value if blow.degree else ""}
    use = await choose(
        game.seat(who),
        "block?",
        lambda: actions.legal_uses(game.scene, who, reactions=True, among=BLOCKS),
        details=about,
    )
    await actions.perform(game, who, use)


def blocking(scene: Scene, blow: Incoming) -> Shield | None:
    """The shield that takes the blow."""
    if not blow.block:
        return None
    return next((one for one in now(scene, blow.target).shields if one.item == blow.block), None)


@costless_reaction("Take the blow", BLOCK, (UNDER_ATTACK, WOULD_HIT))
async def _take_blow(game: Game, who: str, use: ActionUse) -> None:
    """Nothing comes between."""


@reacting(
    "Block",
    (BLOCK, "mars.defence.block_damage", "mars.defence.block_overflow"),
    (
        UNDER_ATTACK,
        WOULD_HIT,
        FREE_REACTION,
        OWN_TURN,
        once(_shield),
        once(_from_the_front, "mars.gap.fight.facing"),
        once(_stamina),
    ),
    cost_text="1 stamina",
)
async def _block(game: Game, who: str, use: ActionUse) -> None:
    shield = now(game.scene, who).blocking
    assert shield is not None
    game.emit(Blocked(who=who, item=shield.item, stamina=price(fight(game.scene).blow), cause=BLOCK))


# ---------------------------------------------------------------------- stepping in


_LET_BE = ActionUse("let_be")


async def step_in(game: Game) -> None:
    """An ally near the target may change places with it and take the blow."""
    blow = fight(game.scene).blow
    assert blow is not None
    target = blow.target
    reach = _intercept_reach(game.scene.library)

    def allies(scene: Scene) -> list[str]:
        now_under_way = fight(scene).blow
        if now_under_way is None or now_under_way.intercepted:
            return []
        side = scene[target].side
        return [
            one.id
            for one in scene.participants
            if one.side == side and one.id not in (target, blow.attacker) and within_reach(scene, one.id, target, reach)
        ]

    await offer_reaction(game, allies, "intercept", about={"attacked": target, "attacker": blow.attacker})


@cached_by_identity
def _intercept_reach(library: Library) -> int:
    """Metres within which any maneuver lets an ally step in."""
    steps = [step for one in library.of(Maneuver) for step in one.steps if isinstance(step, InterceptStep)]
    return max([step.metres for step in steps], default=0)


class Lookahead(NamedTuple):
    """A place on a way that the walker has not reached yet; ``arrive`` takes the walker there.

    Hidden participants are asked for their reactions before the walk: it is one event for those who do not see them,
    unless they react.
    """

    walker: str
    place: Position
    arrive: Callable[[], object]

    def scene(self, scene: Scene) -> Scene:
        """The scene as if the walker stood at the place."""
        there = scene.with_participant(evolve(scene[self.walker], position=self.place))
        return evolve(there, system_state=evolve(fight(scene), mover=self.walker))

    def before(self, perform: Performed) -> Performed:
        """Perform a reaction after the walker has arrived."""

        async def react(game: Game, who: str, use: ActionUse) -> None:
            self.arrive()
            await perform(game, who, use)

        return react


async def offer_reaction(
    game: Game,
    asked: Callable[[Scene], Iterable[str]],
    reaction: str,
    *,
    about: dict[str, str],
    ahead: Lookahead | None = None,
) -> None:
    """Offer the maneuver of a trigger to everyone who can react."""
    actions, among = game.rulebook.actions, (_LET_BE.action, reaction)

    def offers(scene: Scene, who: str) -> list[ActionUse | ClosedOption]:
        there = scene if ahead is None else ahead.scene(scene)
        return actions.options(there, who, reactions=True, among=among) if _can_react(there, who) else []

    perform = actions.perform if ahead is None else ahead.before(actions.perform)
    await open_reaction_window(game, "react?", asked, offers, idle=_LET_BE, perform=perform, about=about)


def _can_react(scene: Scene, who: str) -> bool:
    status: Status = scene[who].status
    if not stands(scene[who]) or not status.turn.reaction or status.stamina < 1 or scene.turn == who:
        return False
    return why_no_reaction(scene, who, free=False) is None


@costless_reaction("Let it be", "mars.action.reaction")
async def _let_be(game: Game, who: str, use: ActionUse) -> None:
    """Do not react."""


DEFENDING = (_let_be, _deflect, _evade, _parry, _take_blow, _block)
