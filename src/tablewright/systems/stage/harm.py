"""What harm does: damage runs from surface to core, costs are paid the same way, and a lost core point disables.

Everything here is a pure function of a status; events call it when they are applied.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tablewright.errors import RulesSayNo
from tablewright.game.prices import Price, Purses
from tablewright.game.scene import Participant, Scene
from tablewright.game.tracks import looks
from tablewright.systems.stage.character.figures import Figures, figures
from tablewright.systems.stage.status import Status
from tablewright.systems.stage.values import ATTRIBUTE_OF, CORE, SURFACE, Attribute


def most(scene: Scene, who: str) -> Figures:
    """The maxima of somebody's tracks, and other plain figures."""
    return figures(scene[who].character, scene.options, scene.library)


def demand_able(scene: Scene, who: str) -> None:
    """Refuse what takes somebody who is awake and alive (stage.encounter.flow)."""
    if not scene[who].status.able:
        raise RulesSayNo(f"{scene.called(who)} can do nothing", rule="stage.encounter.flow")


# ---------------------------------------------------------------------- losing


def after_loss(status: Status, attribute: Attribute, amount: int, *, keeps: int = 0, now: int = 0) -> dict[str, Any]:
    """The fields that change when somebody loses points: temporary ones, the surface track, then the core track.

    (stage.resource.damage_overflow)
    No track goes below 0, nothing crosses over to another attribute, and who lacks the attribute loses nothing. The
    core track does not fall below ``keeps``. ``now`` is the moment, for the dead.
    """
    if amount <= 0 or attribute in status.lacks:
        return {}
    surface, core = SURFACE[attribute], CORE[attribute]
    changed: dict[str, Any] = {}
    spare = status.temporary.get(surface, 0)
    if spare:
        taken = min(spare, amount)
        changed["temporary"] = status.temporary.put(surface, spare - taken)
        amount -= taken
    had = getattr(status, surface)
    changed[surface] = had - min(had, amount)
    rest = amount - min(had, amount)
    if rest:
        before = getattr(status, core)
        after = max(min(before, keeps), before - rest)
        changed[core] = after
        if attribute == "body" and before > 0 and after == 0:
            changed["died"] = now
    return changed


def arriving(status: Status, attribute: Attribute, damage: int) -> int:
    """What arrives of damage: half of Soul damage where a Soul Anchor is in force (stage.gap.magic.enchantments)."""
    anchored = attribute == "soul" and status.held(ANCHOR) is not None
    return damage // 2 if anchored else damage


ANCHOR = "soul_anchor"


# ---------------------------------------------------------------------- paying


class Tracks(Purses):
    """Purses of The Stage: AP, and tracks that are paid from the surface first and then from the core."""

    def short(self, scene: Scene, who: str, price: Price) -> str | None:
        """Why somebody cannot pay: too few AP, or the track and its core are too low together."""
        status: Status = scene[who].status
        for purse, amount in price.amounts:
            if purse == "ap":
                if amount > ap_of(scene, who):
                    return f"costs {amount} AP, {ap_of(scene, who)} left"
            elif purse in ATTRIBUTE_OF and not payable(scene, who, ATTRIBUTE_OF[purse], amount):
                return f"costs {amount} {purse}, {status.left(ATTRIBUTE_OF[purse])} left"
        return None

    def words_for(self, scene: Scene, who: str, price: Price) -> str:
        """A price as it would be paid: what the surface track does not have is taken from the core track.

        (stage.resource.spend)
        """
        status: Status = scene[who].status
        if all(purse == "ap" or getattr(status, purse) >= amount for purse, amount in price.amounts):
            return _words(price)
        paid: dict[str, int] = {}
        last = False
        for purse, amount in price.amounts:
            beyond, core = 0, purse
            if purse in ATTRIBUTE_OF:
                core = CORE[ATTRIBUTE_OF[purse]]
                beyond = max(0, amount - status.left(ATTRIBUTE_OF[purse]) + getattr(status, core))
                last = last or beyond == getattr(status, core) > 0
            paid[purse] = paid.get(purse, 0) + amount - beyond
            paid[core] = paid.get(core, 0) + beyond
        return _words(Price.of(**paid)) + (", the last of it" if last else "")

    def paid(self, scene: Scene, who: str, price: Price) -> Scene:
        """The scene after somebody has paid; a cost beyond the surface track takes core points."""
        return pay(scene, who, price.amounts)


def ap_of(scene: Scene, who: str) -> int:
    """The AP that somebody can spend now: those of the turn, or after them the one prepared for an interruption."""
    status: Status = scene[who].status
    if (scene.turn not in (None, who) or not status.ap) and status.held("prepared") is not None:
        return 1  # stage.action.prepare_interruption
    return status.ap


def payable(scene: Scene, who: str, attribute: Attribute, amount: int) -> bool:
    """Whether points can be paid from an attribute; the last core point only where the table allows it."""
    left = scene[who].status.left(attribute)
    return amount <= 0 or amount < left or (amount == left and scene.options.spend_last_core == "allow")


def pay(scene: Scene, who: str, amounts: Iterable[tuple[str, int]]) -> Scene:
    """The scene after somebody has paid AP and points."""
    for purse, amount in amounts:
        status: Status = scene[who].status
        if purse == "ap":
            scene = scene.change(who, ap=max(0, status.ap - amount))
        elif amount:
            changed = after_loss(status, ATTRIBUTE_OF[purse], amount, now=scene.clock.now)
            if changed:
                scene = scene.change(who, **changed)
    return scene


PURSES = Tracks({"ap": "AP"})


@lru_cache(maxsize=256)
def _words(price: Price) -> str:
    return PURSES.words(price)


# ---------------------------------------------------------------------- coming back


def after_restoring(status: Status, figure: Figures, track: str, amount: int) -> dict[str, Any]:
    """The fields that change when points of a track come back: not above its maximum, nor what is held back.

    What cold, thirst and the like have taken stays lost until the cause is gone.
    """
    held_back = sum([lost.get(track, 0) for lost in status.blocked.values()])
    highest = max(getattr(status, track), getattr(figure, track) - held_back)
    return {track: min(highest, getattr(status, track) + max(0, amount))}


def lost(scene: Scene, who: str, track: str) -> int:
    """How many points of a track are missing."""
    return max(0, int(getattr(most(scene, who), track)) - int(getattr(scene[who].status, track)))


def health(one: Participant) -> str:
    """How somebody looks: others see a word and no number."""
    status: Status = one.status
    if status.dead:
        return "dead"
    if status.comatose:
        return "comatose"
    if status.unconscious:
        return "unconscious"
    if status.integrity is not None:
        return "wrecked" if not status.integrity else "well"
    stamina, vitality = status.whole
    if status.vitality < vitality:
        return looks(status.vitality, vitality, {Fraction(1, 2): "badly wounded"}, "wounded")
    return looks(status.stamina, stamina, {Fraction(1, 2): "tired"}, "well")
