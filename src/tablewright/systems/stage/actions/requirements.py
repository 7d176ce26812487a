"""Requirements and costs that several actions share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from tablewright.game.play.action_kinds import ActionKind
from tablewright.game.play.actions import Action, ActionUse, Requirement, each_use
from tablewright.game.play.common_events import Revealed
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Duration, Effect, EffectEnded, until_turn_of
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.stage.now import out_of_sight
from tablewright.systems.stage.status import PURSES, Status, adjacent, ap_of, stands


@lru_cache(maxsize=64)
def of_ap(ap: int) -> Cost:
    """A price in AP alone."""
    return Cost.of(ap=ap)


def _able(scene: Scene, who: str, use: ActionUse) -> str | None:
    status: Status = scene[who].status
    if status.able:
        return None
    if status.dead:
        return "dead"
    return "comatose" if status.comatose else "unconscious"


def _in_the_way_of_arms(scene: Scene, who: str, use: ActionUse) -> str | None:
    target = str(use.target)
    return None if stands(scene[target]) else f"{scene.display_name(target)} is out of it"


def _alive_to_hit(scene: Scene, who: str, use: ActionUse) -> str | None:
    target = scene[str(use.target)]
    gone = not target.present or target.status.dead or target.status.integrity == 0
    return f"{scene.display_name(target.id)} is out of it" if gone else None


def next_to(scene: Scene, who: str, use: ActionUse) -> str | None:
    """Refuse a target, if there is one, that is not adjacent."""
    near = use.target in (None, who) or adjacent(scene, who, str(use.target))
    return None if near else f"{scene.display_name(str(use.target))} is not adjacent"


def _to_be_hit(scene: Scene, who: str, use: ActionUse) -> str | None:
    if use.target is None or not out_of_sight(scene, use.target, who):
        return None
    return f"{scene.display_name(use.target)} is behind full cover"


def _alive(scene: Scene, who: str, use: ActionUse) -> str | None:
    thing = use.target is not None and scene[use.target].status.integrity is not None
    return f"{scene.display_name(str(use.target))} is a thing" if thing else None


ABLE = Requirement("stage.encounter.flow", _able, always=True)
STANDS = each_use(_in_the_way_of_arms, "stage.attack.procedure")
TO_BE_HIT = each_use(_alive_to_hit, "stage.attack.procedure")
ADJACENT = each_use(next_to, "stage.movement.cubes")
EXPOSED = each_use(_to_be_hit, "stage.terrain.cover")
LIVING = each_use(_alive, "stage.mount.properties")
AP = "stage.action.ap"
able, beside = ActionKind((ABLE,)), ActionKind((ABLE, STANDS, LIVING, ADJACENT, EXPOSED), price_rule=AP)
one_ap = ActionKind((ABLE,), cost_text="1 AP", cost=Cost.of(ap=1))
two_ap = ActionKind((ABLE,), cost_text="2 AP", cost=Cost.of(ap=2), price_rule=AP)
"""Kinds of actions: of the able, at what is beside them, and for a price in AP."""


@cached_on_scene
def foes(scene: Scene, who: str) -> list[Participant]:
    """Foes that a character knows of and that stand."""
    side = scene[who].side
    return [one for one in scene.participants if one.side != side and not one.hidden and stands(one)]


@cached_on_scene
def fallen(scene: Scene, who: str) -> list[Participant]:
    """Fallen but living foes: they can be hit, with modifiers for Size and cover only.

    (stage.attack.hit_difficulty)
    """
    side = scene[who].side
    lying = [one for one in scene.participants if one.side != side and one.present and not one.status.able]
    return [one for one in lying if not one.hidden and not one.status.dead and one.status.integrity is None]


@cached_on_scene
def foes_beside(scene: Scene, who: str) -> list[Participant]:
    """The foes that are adjacent; where no one is, one who is not, to say why not."""
    known = foes(scene, who)
    return [foe for foe in known if adjacent(scene, who, foe.id)] or known[:1]


def friends(scene: Scene, who: str) -> list[Participant]:
    """Members of the own side who are present and alive, the character included."""
    side = scene[who].side
    return [one for one in scene.participants if one.side == side and one.present and not one.status.dead]


def end_of_next_turn(scene: Scene, who: str, rounds: int = 1) -> Duration:
    """The end of a character's next turn, or of the one so many rounds on (stage.encounter.flow)."""
    return until_turn_of(scene, who, rounds, edge="end")


def ambushes(scene: Scene, who: str, target: str) -> bool:
    """True if a character has an Ambush advantage over another: hidden, or lying in wait for who is unaware of it."""
    one = scene[who]
    return one.hidden or (one.status.ambush and target not in one.status.seen_by)


def show_up(game: Game, who: str, cause: str) -> None:
    """Reveal a hidden attacker."""
    if game[who].hidden:
        game.emit(Revealed(who=who, cause=cause))


def use_up(game: Game, who: str, once: Iterable[Effect], cause: str) -> None:
    """End effects that counted for one check only."""
    for held in once:
        if held in game[who].status.lasting:
            game.emit(EffectEnded(who=who, what=held, cause=cause))


RULE = "stage.action.multi_turn"


def _has_begun(scene: Scene, who: str, use: ActionUse) -> int:
    """AP that went into the same use before."""
    begun = scene[who].status.progress
    return 0 if begun is None or begun.use != use.id else int(begun.ap)


def continued(action: Action) -> Action:
    """An action that can be finished for the AP that are missing, once it was begun."""
    whole = action.cost

    def price(scene: Scene, who: str, use: ActionUse) -> Cost:
        found, paid = action.price_of(scene, who, use), _has_begun(scene, who, use)
        return found.instead(ap=max(0, found["ap"] - paid)) if paid else found

    def words(scene: Scene, who: str, use: ActionUse) -> str:
        if not action.cost_text or _has_begun(scene, who, use):
            return PURSES.words_for(scene, who, price(scene, who, use))
        return action.cost_text if isinstance(action.cost_text, str) else action.cost_text(scene, who, use)

    if not isinstance(whole, Cost):
        return replace(action, cost=price, cost_text=words)

    def short(scene: Scene, who: str, use: ActionUse) -> str | None:
        begun, left = scene[who].status.progress, ap_of(scene, who)
        goes_on = begun is not None and begun.use.partition(":")[0] == action.id
        return None if goes_on or left >= whole["ap"] else f"costs {whole['ap']} AP, {left} left"

    enough = Requirement(action.price_rule, short, once=True)
    return replace(action, cost=price, cost_text=words, requires=(*action.requires, enough))
