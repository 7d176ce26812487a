"""Helping with another's check: whoever stands by an ally is asked when it comes to it, and pays the same AP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tablewright.engine import choose
from tablewright.engine.tally import Part
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.lasting import OPEN_END, Lasting, TookHold, WoreOff
from tablewright.game.prices import Price
from tablewright.game.scene import Live, Scene
from tablewright.systems.stage.actions.common import ABLE, friends
from tablewright.systems.stage.events.fighting import Spent
from tablewright.systems.stage.now import Arm, affordable, arms, effects, powers, price_of, subject
from tablewright.systems.stage.powers import Permit
from tablewright.systems.stage.rolling import assistance, can_assist, helpers_of
from tablewright.systems.stage.status import Status, adjacent, stands

STANDS_BY = "stands_by"
RULE = "stage.check.assist"


def _allies(scene: Scene, who: str) -> Iterator[Use]:
    mine = scene[who].status.held(STANDS_BY)
    if mine is not None:
        yield Use("stand_by", detail="no_more", label=f"Stand by {scene.called(mine.source)} no more")
        return
    for one in friends(scene, who):
        if one.id != who:
            yield Use("stand_by", one.id, label=f"Stand by {scene.called(one.id)}, to assist")


def _near(scene: Scene, who: str, use: Use) -> str | None:
    return (
        None
        if use.target is None or adjacent(scene, who, use.target)
        else f"{scene.called(use.target)} is not adjacent"
    )


async def _stand_by(game: Live, who: str, use: Use) -> None:
    held = game[who].status.held(STANDS_BY)
    if use.target is None:
        if held is not None:
            game.emit(WoreOff(who=who, what=held, cause=RULE))
        return
    game.emit(TookHold(who=who, what=Lasting(STANDS_BY, OPEN_END, source=use.target), cause=RULE))


async def assisted(
    game: Live, who: str, key: str, ap: int, target: str = "", *, skill: str = ""
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The dice and flat bonuses that those who stand by lend to a check (stage.check.assist).

    Each pays as many AP as the whole action takes. With a target, where weapons count, a power adds the bonus of the
    helper's own one; ``skill`` is rolled in the place of the application's own.
    """
    dice: list[Part] = []
    flat: list[Part] = []
    helping: list[str] = []
    skill = skill or key.partition(".")[0]
    for helper in [one.id for one in game.scene.participants if one.status.lasting]:
        if not _ready(game.scene, helper, who, skill, ap):
            continue
        lends = _lends(game.scene, helper, target, key) if target else None
        if lends is None and not _adds(game.scene, who, skill, helping, helper):
            continue
        name = game.scene.called(who)
        options = [Use("pass", label="Let it be"), Use("assist", who, label=f"Assist {name}")]
        if lends is not None and affordable(game.scene, helper, lends[1] + Price.of(ap=ap)):
            options.append(Use("assist", who, lends[2], label=f"Assist {name} with {lends[0].label}"))
        told = {"who": helper, "kind": "window"}
        taken = await choose(game.seat(helper), "assist?", options, about=told)
        if taken.action != "assist":
            continue
        price = Price.of(ap=ap)
        if taken.detail is not None and lends is not None:
            price += lends[1]
            weapon = _weapon(game.scene, helper, key)
            if weapon is not None:
                bonus, rule = weapon.weapon.bonus, "stage.power_effect.assist_equipment"
                dice.append(Part(lends[0].label, bonus.dice, rule, "mundane"))
                flat.append(Part(lends[0].label, bonus.flat, rule, "mundane"))
        with_what = "" if taken.detail is None else f" ({powers(game.scene, helper)[taken.detail].power.name})"
        game.emit(Spent(who=helper, price=price, on=f"assisting {name}{with_what}", cause=RULE))
        helping.append(helper)
    if helping:
        dice.append(assistance(subject(game.scene, who), skill, [game[one].character for one in helping]))
    return tuple(dice), tuple(flat)


async def backing(game: Live, target: str, school: str = "") -> tuple[str, ...]:
    """Those who stand by the target of an attack and help it to defend itself: each is asked before any die falls.

    What they pay follows from what the target then does (stage.check.assist, stage.action.reaction).
    """
    status: Status = game[target].status
    if not status.able or status.integrity is not None:
        return ()
    skills = (*DEFENDING, school) if school else DEFENDING
    found: list[str] = []
    for helper in [one.id for one in game.scene.participants if one.status.lasting]:
        known = [skill for skill in skills if _ready(game.scene, helper, target, skill, 0)]
        if not any(_adds(game.scene, target, skill, found, helper) for skill in known):
            continue
        help_ = Use("assist", target, label=f"Assist {game.scene.called(target)} in defence", cost="the same AP")
        options = [Use("pass", label="Let it be"), help_]
        if await choose(game.seat(helper), "assist?", options, about={"who": helper, "kind": "window"}) == help_:
            found.append(helper)
    return tuple(found)


DEFENDING = ("agility", "brawl", "close_combat", "defense")
"""The skills that attacks are answered with (stage.attack.defensive)."""


def helped(scene: Scene, who: str, key: str, names: Iterable[str]) -> tuple[Part, ...]:
    """The dice of those who are named as helpers of a check that takes time rather than AP (stage.check.assist)."""
    helpers = helpers_of(subject(scene, who), key.partition(".")[0], names)
    return (assistance(subject(scene, who), key.partition(".")[0], helpers),) if helpers else ()


def _ready(scene: Scene, helper: str, who: str, skill: str, ap: int) -> bool:
    one = scene[helper]
    held = one.status.held(STANDS_BY)
    if held is None or held.source != who or not stands(one) or not adjacent(scene, helper, who):
        return False
    return one.status.ap >= ap and can_assist(one.character, skill, scene.options, scene.library)


def _adds(scene: Scene, who: str, skill: str, helping: list[str], helper: str) -> bool:
    """Whether one more helper makes a difference: beyond their limit nobody is asked to pay for nothing."""
    me, those = subject(scene, who), [scene[one].character for one in helping]
    more = assistance(me, skill, [*those, scene[helper].character]).changed
    return more > assistance(me, skill, those).changed


def _weapon(scene: Scene, helper: str, key: str) -> Arm | None:
    return next((one for one in arms(scene, helper) if one.key == key and one.carried is not None), None)


def _lends(scene: Scene, helper: str, target: str, key: str) -> tuple[Part, Price, str] | None:
    """The power by which a helper's weapon counts too, where it is ready and reaches the same target."""
    weapon = _weapon(scene, helper, key)
    if weapon is None or (weapon.melee and not adjacent(scene, helper, target)):
        return None
    for one, permit in effects(scene, helper, Permit):
        if permit.what == "lend_weapon_bonus" and permit.application == key:
            return Part(weapon.weapon.name, 0), price_of(one.power), one.id
    return None


ASSISTING = (Action("stand_by", "Stand by", (RULE,), _stand_by, (ABLE, Requirement(RULE, _near)), _allies, "nothing"),)
