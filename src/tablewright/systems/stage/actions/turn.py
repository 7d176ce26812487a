"""Other actions of a turn: wait, ready, help, use a skill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tablewright.engine import choose
from tablewright.engine.request import EVERYONE
from tablewright.engine.tally import Part
from tablewright.game.play.actions import ActionUse, each_use
from tablewright.game.play.common_events import ParticipantHidden
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import OPEN_END, Effect, EffectEnded, EffectGained
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Participant, Scene
from tablewright.systems.stage.actions.checks import against, plainly, result_of, with_powers
from tablewright.systems.stage.actions.defences import OPPOSED
from tablewright.systems.stage.actions.requirements import AP, able, foes, friends, next_to, show_up
from tablewright.systems.stage.events.fight import Spent
from tablewright.systems.stage.events.turn import LiesInWait
from tablewright.systems.stage.modifiers import Rolled, assistance, can_assist, helpers_of
from tablewright.systems.stage.now import Arm, affordable, arms, distance, permits, pool, powers, price_of, subject
from tablewright.systems.stage.status import Status, adjacent, stands

STANDS_BY = "stands_by"
ASSIST = "stage.check.assist"


def _allies(scene: Scene, who: str) -> Iterator[ActionUse]:
    mine = scene[who].status.held(STANDS_BY)
    if mine is not None:
        yield ActionUse("stand_by", detail="no_more", label=f"Stand by {scene.display_name(mine.source)} no more")
        return
    for one in friends(scene, who):
        if one.id != who:
            yield ActionUse("stand_by", one.id, label=f"Stand by {scene.display_name(one.id)}, to assist")


@able("Stand by", ASSIST, (each_use(next_to),), _allies, "nothing")
async def _stand_by(game: Game, who: str, use: ActionUse) -> None:
    held = game[who].status.held(STANDS_BY)
    if use.target is None:
        if held is not None:
            game.emit(EffectEnded(who=who, what=held, cause=ASSIST))
        return
    game.emit(EffectGained(who=who, what=Effect(STANDS_BY, OPEN_END, source=use.target), cause=ASSIST))


async def assisted(
    game: Game, who: str, key: str, ap: int, target: str = "", *, skill: str = ""
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
        name = game.scene.display_name(who)
        options = [ActionUse("pass", label="Let it be"), ActionUse("assist", who, label=f"Assist {name}")]
        if lends is not None and affordable(game.scene, helper, lends[1] + Cost.of(ap=ap)):
            options.append(ActionUse("assist", who, lends[2], label=f"Assist {name} with {lends[0].label}"))
        told = {"who": helper, "kind": "window"}
        taken = await choose(game.seat(helper), "assist?", options, details=told)
        if taken.action != "assist":
            continue
        price = Cost.of(ap=ap)
        if taken.detail is not None and lends is not None:
            price += lends[1]
            weapon = _weapon(game.scene, helper, key)
            if weapon is not None:
                bonus, rule = weapon.weapon.bonus, "stage.power_effect.assist_equipment"
                dice.append(Part(lends[0].label, bonus.dice, rule, "mundane"))
                flat.append(Part(lends[0].label, bonus.flat, rule, "mundane"))
        with_what = "" if taken.detail is None else f" ({powers(game.scene, helper)[taken.detail].power.name})"
        game.emit(Spent(who=helper, price=price, on=f"assisting {name}{with_what}", cause=ASSIST))
        helping.append(helper)
    if helping:
        dice.append(assistance(subject(game.scene, who), skill, [game[one].character for one in helping]))
    return tuple(dice), tuple(flat)


async def backing(game: Game, target: str, school: str = "") -> tuple[str, ...]:
    """Allies who help the target of an attack to defend; each is asked before any die falls.

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
        help_ = ActionUse(
            "assist", target, label=f"Assist {game.scene.display_name(target)} in defence", cost="the same AP"
        )
        options = [ActionUse("pass", label="Let it be"), help_]
        if await choose(game.seat(helper), "assist?", options, details={"who": helper, "kind": "window"}) == help_:
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
    """True if one more helper makes a difference: beyond their limit no one is asked to pay for nothing."""
    me, those = subject(scene, who), [scene[one].character for one in helping]
    more = assistance(me, skill, [*those, scene[helper].character]).changed
    return more > assistance(me, skill, those).changed


def _weapon(scene: Scene, helper: str, key: str) -> Arm | None:
    return next((one for one in arms(scene, helper) if one.key == key and one.carried is not None), None)


def _lends(scene: Scene, helper: str, target: str, key: str) -> tuple[Part, Cost, str] | None:
    """The power by which a helper's weapon counts too, where it is ready and reaches the same target."""
    weapon = _weapon(scene, helper, key)
    if weapon is None or (weapon.melee and not adjacent(scene, helper, target)):
        return None
    for one, permit in permits(scene, helper, "lend_weapon_bonus"):
        if permit.application == key:
            return Part(weapon.weapon.name, 0), price_of(one.power), one.id
    return None


ASSISTING = (_stand_by,)


KEY, SNEAK = "guile.sneak", "stage.guile.sneak"
PLAIN_SIGHT = "stage.power_effect.hide_in_plain_sight"
GAME_MASTER = "game master"


def _unseen(scene: Scene, who: str, use: ActionUse) -> str | None:
    """No one hides in plain sight, but by a power: cover, darkness or distance must help."""
    if scene[who].hidden:
        return "hidden already"
    if use.detail:
        return None
    watching = [foe for foe in foes(scene, who) if not _looks_away(foe, who)]
    for foe in watching:
        if not scene.facts.get("cover", who, foe.id) and not scene.facts.get("darkness", foe.id):
            return f"in plain sight of {scene.display_name(foe.id)}"
    return None


def _looks_away(foe: Participant, who: str) -> bool:
    """True if a foe is distracted, and by another: the one who distracts is watched (stage.manipulation.distract)."""
    held = foe.status.held("distracted")
    return held is not None and held.by != who


def _hidings(scene: Scene, who: str) -> Iterator[ActionUse]:
    if scene[who].character.level("guile") or scene.facts.entries:
        yield ActionUse("hide", label="Hide")
    for one, _ in permits(scene, who, "hide_in_plain_sight"):
        yield ActionUse("hide", detail=one.id, label=f"Hide: {one.power.name}")


def _hide_price(scene: Scene, who: str, use: ActionUse) -> Cost:
    power = powers(scene, who).get(use.detail or "")
    if power is None:
        return Cost.of(ap=1)
    return Cost.of(ap=power.power.ap or 0) + price_of(power.power)


@able("Hide", (SNEAK, PLAIN_SIGHT), (each_use(_unseen),), _hidings, cost=_hide_price, price_rule=AP)
async def _hide(game: Game, who: str, use: ActionUse) -> None:
    """Hide: unnoticed by all, one is hidden; the Ambush advantage counts against everyone who failed to notice."""
    allowed = [each for one, each in permits(game.scene, who, "hide_in_plain_sight") if one.id == use.detail]
    plain = Part("in plain sight", -sum([each.penalty_dice for each in allowed]), PLAIN_SIGHT, "penalty")
    lent, _ = await assisted(game, who, KEY, _hide_price(game.scene, who, use)["ap"])
    dice = (plain, _visibility(game.scene, who), *lent)
    made = await with_powers(game, who, KEY, plainly(game, who, KEY, words=OPPOSED, dice=dice))
    seen_by = await _noticed(game, who, made)
    if not seen_by:
        game.emit(ParticipantHidden(who=who, cause=SNEAK))
    if not seen_by or len(seen_by) < len(foes(game.scene, who)):
        game.emit(LiesInWait(who=who, seen_by=seen_by, to=game.seat(who), cause=SNEAK))


async def stays_hidden(game: Game, who: str) -> None:
    """Sneak while moving in hiding: one roll against every observer; being noticed reveals to all."""
    made = pool(game.scene, who, KEY, words=OPPOSED, dice=(_visibility(game.scene, who),))
    if await _noticed(game, who, made, secretly=True):
        show_up(game, who, SNEAK)
        game.emit(LiesInWait(who=who, now=False, cause=SNEAK))


async def _noticed(game: Game, who: str, made: Rolled, *, secretly: bool = False) -> tuple[str, ...]:
    """Observers who notice: one Guile (sneak) roll against each Perception (detect) with distance."""
    hidden = await result_of(game, who, made, audience=game.seat(who) if secretly else EVERYONE)
    seen: list[str] = []
    for foe in [one.id for one in foes(game.scene, who)]:
        if _looks_away(game[foe], who):
            continue
        theirs = pool(game.scene, foe, "perception.detect", against=who, words=OPPOSED)
        needed = hidden.result + distance(game.scene, who, foe)
        told = GAME_MASTER if secretly else EVERYONE
        if (await against(game, foe, theirs, needed, secret=True, audience=told)).success:
            seen.append(foe)
    return tuple(seen)


def _visibility(scene: Scene, who: str) -> Part:
    """+1d in bad, -1d in good visibility (stage.guile.sneak)."""
    return Part("visibility", {"bad": 1, "good": -1}.get(str(scene.facts.get("visibility", who)), 0), SNEAK, "mundane")


SNEAKING = (_hide,)
