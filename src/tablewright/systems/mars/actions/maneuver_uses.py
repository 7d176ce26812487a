"""Uses of maneuvers: targets, costs and reasons why one is closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tablewright.game.content.library import Library
from tablewright.game.narration.phrases import weapon_phrase
from tablewright.game.play.actions import ActionUse, Refusal, each_use
from tablewright.game.play.targeting import within_reach
from tablewright.game.scene.caching import cached_on_scene
from tablewright.game.scene.scene import Scene
from tablewright.systems.mars.actions.attack import (
    in_range,
    reaches,
    shots,
    targets,
    why_not_usable,
    why_out_of_range,
    wielded_in,
)
from tablewright.systems.mars.actions.requirements import cost_words, time_needed, why_no_stamina, why_no_time
from tablewright.systems.mars.character.gear import Wielded
from tablewright.systems.mars.content import AttackStep, CheckStep, InterceptStep, Maneuver, ManeuverStep
from tablewright.systems.mars.mechanics.attack import IMPROVISED_STAMINA, SLOWER
from tablewright.systems.mars.now import Now, now
from tablewright.systems.mars.status import Status
from tablewright.systems.mars.values import Manner, RollValue

LIMIT, IMPROVISE, RESIST = "mars.maneuver.use_limit", "mars.maneuver.improvise", "mars.maneuver.resist"
OVERVIEW, CROSS, LIST = "mars.maneuver.overview", "mars.maneuver.cross_skill", "mars.gap.maneuver.list"
BOOSTED, WEAPON = "mars.gap.maneuver.boost", "mars.gap.weapon.list"
BOOST = "+"


class Way(NamedTuple):
    """A maneuver as named by a use: its id, whether it is boosted, and its weapon."""

    maneuver: str
    boosted: bool
    arm: str

    @staticmethod
    def parse(detail: str) -> Way:
        """The maneuver that a use names.

        >>> Way.parse("heavy_strike+/club")
        Way(maneuver='heavy_strike', boosted=True, arm='club')
        """
        return _way(detail)

    def __str__(self) -> str:
        name = f"{self.maneuver}{BOOST if self.boosted else ''}"
        return f"{name}/{self.arm}" if self.arm else name


@lru_cache(maxsize=4_096)
def _way(detail: str) -> Way:
    name, _, arm = detail.partition("/")
    return Way(name.removesuffix(BOOST), name.endswith(BOOST), arm)


def steps_of(maneuver: Maneuver, boosted: bool) -> tuple[ManeuverStep, ...]:
    """Steps of a maneuver, plain or boosted."""
    return maneuver.boost.steps if boosted and maneuver.boost is not None else maneuver.steps


def stamina_of(maneuver: Maneuver, boosted: bool, improvised: bool) -> int:
    """Stamina cost of a maneuver."""
    more = maneuver.boost.stamina if boosted and maneuver.boost is not None else 0
    return maneuver.stamina + more + (IMPROVISED_STAMINA if improvised else 0)


def speed_of(maneuver: Maneuver, improvised: bool) -> str:
    """Action speed of a maneuver; improvised it is one speed slower, but reactions stay reactions."""
    return SLOWER.get(maneuver.speed, maneuver.speed) if improvised else maneuver.speed


def attack_step(steps: Sequence[ManeuverStep]) -> AttackStep | None:
    """The attack of a maneuver, if it has one."""
    return next((step for step in steps if isinstance(step, AttackStep)), None)


def check_step(steps: Sequence[ManeuverStep]) -> CheckStep | None:
    """The skill check of a maneuver, if it has one."""
    return next((step for step in steps if isinstance(step, CheckStep)), None)


def of_use(scene: Scene, detail: str | None) -> tuple[Maneuver, Way]:
    """The maneuver that a use names, and in which form."""
    way = Way.parse(detail or "")
    library: Library = scene.library
    return library.get(Maneuver, way.maneuver), way


# ---------------------------------------------------------------------- ways to use one


class Form(NamedTuple):
    """One form of a maneuver: its id in a use, its name, and the weapon."""

    detail: str
    name: str
    wielded: Wielded | None = None
    manner: Manner = "melee"
    aimed: bool = False


def forms(scene: Scene, who: str, maneuver: Maneuver, *, improvised: bool) -> tuple[Form, ...]:
    """Every form of a maneuver: plain and boosted, with each weapon in hand that it goes with; remembered."""
    me = now(scene, who)
    return me.remember(("forms", maneuver.id, improvised), lambda: tuple(_forms(me, maneuver, improvised)))


def _forms(me: Now, maneuver: Maneuver, improvised: bool) -> Iterator[Form]:
    for boosted in (False, True) if maneuver.boost is not None and not improvised else (False,):
        steps = steps_of(maneuver, boosted)
        name = f"{maneuver.name}{', boosted' if boosted else ''}"
        attack = attack_step(steps)
        if attack is None:
            check = check_step(steps)
            aimed = check is not None and not check.observers
            yield Form(str(Way(maneuver.id, boosted, "")), name, aimed=aimed)
            continue
        for arm, (wielded, manner) in me.arms.items():
            if goes_with(me, maneuver, wielded, manner, attack, improvised):
                thrown = "thrown " if manner == "thrown" else ""
                arms = weapon_phrase("Unarmed" if wielded.bare else f"{thrown}{wielded.weapon.name}")
                label = f"{name} {arms}"
                yield Form(str(Way(maneuver.id, boosted, arm)), label, wielded, manner, True)


def ways(scene: Scene, who: str, maneuver: Maneuver, action: str, *, improvised: bool) -> Iterator[ActionUse]:
    """Every way to use a maneuver: in each of its forms, on each foe."""
    foes = targets(scene, who)
    hasty = _unaffordable(scene, who, maneuver, improvised)
    for form in forms(scene, who, maneuver, improvised=improvised):
        if not form.aimed:
            yield ActionUse(action, None, form.detail, form.name)
        elif form.wielded is None:
            awake = [foe for foe in foes if foe.status.conscious]
            for foe in awake[:1] if hasty else awake:
                yield ActionUse(action, foe.id, form.detail, f"{form.name} on {scene.display_name(foe.id)}")
        else:
            for foe in foes[:1] if hasty else in_range(scene, who, form.wielded, form.manner, foes):
                yield ActionUse(action, foe.id, form.detail, f"{form.name} on {scene.display_name(foe.id)}")
        if hasty:  # one way is enough to be told why not
            return


def _unaffordable(scene: Scene, who: str, maneuver: Maneuver, improvised: bool) -> bool:
    """True if time, stamina or the limit of one use forbid a maneuver against any target."""
    status: Status = scene[who].status
    return (
        maneuver.id in status.turn.maneuvers
        or status.stamina < stamina_of(maneuver, False, improvised)
        or (maneuver.trigger is None and why_no_time(scene, who, speed_of(maneuver, improvised)) is not None)
    )


def goes_with(
    me: Now, maneuver: Maneuver, wielded: Wielded, manner: Manner, step: AttackStep, improvised: bool
) -> bool:
    """True if a maneuver can be done with a weapon: by a skill that could learn it, near or far as it says."""
    if step.melee and manner != "melee":
        return False
    ranged_only = maneuver.skills == ("ranged",)
    if ranged_only and manner == "melee":
        return False
    if improvised:
        skills = ("finesse", "martial", "ranged", "unarmed") if wielded.weapon.basic else wielded.weapon.skills
        return any(one in maneuver.skills for one in skills)
    return me.skill_for(maneuver, wielded.weapon) is not None


def known_uses(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Every use of the known maneuvers, except reactions."""
    for maneuver in now(scene, who).maneuvers:
        if maneuver.trigger is None:
            yield from ways(scene, who, maneuver, "maneuver", improvised=False)


class Usable(NamedTuple):
    """A form of a known maneuver against which nothing speaks in the actor."""

    form: Form
    maneuver: Maneuver
    way: Way


def legal_uses(scene: Scene, who: str) -> Iterator[ActionUse]:
    """The uses of the known maneuvers that meet every requirement."""
    for one in usable(scene, who):
        yield from uses_of(scene, who, one)


def usable(scene: Scene, who: str) -> tuple[Usable, ...]:
    """The forms of known maneuvers that can be used now; remembered by all that decides."""
    status: Status = scene[who].status
    turn = status.turn
    me = now(scene, who)
    stamina = min(status.stamina, me.remember(stamina_of, lambda: _dearest(me)))
    state = (Usable, turn.maneuvers, turn.reacting, turn.free, turn.seconds, stamina)
    return me.remember(state, lambda: tuple(_usable_forms(scene, who)))


def _dearest(me: Now) -> int:
    """Stamina with which every known maneuver can be paid for."""
    return max([stamina_of(one, True, False) for one in me.maneuvers], default=0)


def _usable_forms(scene: Scene, who: str) -> Iterator[Usable]:
    """The forms of known maneuvers against which nothing speaks in the actor; figures and turn decide."""
    for maneuver in now(scene, who).maneuvers:
        if maneuver.trigger is None and not _unaffordable(scene, who, maneuver, False):
            for form in forms(scene, who, maneuver, improvised=False):
                if _why_never(scene, who, form.detail, improvised=False) is None:
                    yield Usable(form, maneuver, Way.parse(form.detail))


def uses_of(scene: Scene, who: str, one: Usable) -> Iterator[ActionUse]:
    """The uses of a form that can be used now: on each foe that it reaches."""
    form, maneuver, way = one
    if not form.aimed:
        yield ActionUse("maneuver", None, form.detail, form.name)
    elif form.wielded is None:
        for foe in targets(scene, who):
            if foe.status.conscious:
                use = maneuver_on(scene, who, form, foe.id)
                if _why_far(scene, who, maneuver, way, use) is None:
                    yield use
    else:
        foes = next((reach.foes for reach in reaches(scene, who) if reach.detail == way.arm), ())
        if foes and _why_few(scene, who, maneuver, way) is None:
            for foe in foes:
                yield maneuver_on(scene, who, form, foe.id)


def maneuver_on(scene: Scene, who: str, form: Form, foe: str) -> ActionUse:
    """The use of a form of a maneuver on a foe; remembered."""
    known: dict[tuple[str, str, str], ActionUse] = now(scene, who).remember(maneuver_on, dict)
    key = (form.detail, foe, scene.display_name(foe))
    use = known.get(key)
    if use is None:
        use = known[key] = ActionUse("maneuver", foe, form.detail, f"{form.name} on {key[2]}")
    return use


def intercept_step(maneuver: Maneuver) -> InterceptStep:
    """The step of a maneuver by which an attacked ally is replaced."""
    return next(step for step in maneuver.steps if isinstance(step, InterceptStep))


def every_maneuver(scene: Scene) -> tuple[Maneuver, ...]:
    """All maneuvers there are."""
    library: Library = scene.library
    return library.of(Maneuver)


def improvisable(scene: Scene, who: str) -> Iterator[ActionUse]:
    """Every way to improvise a maneuver that is not known and can be paid for now."""
    known = scene[who].character.maneuvers
    for maneuver in every_maneuver(scene):
        if maneuver.id in known or maneuver.trigger is not None or _unaffordable(scene, who, maneuver, True):
            continue
        for use in ways(scene, who, maneuver, "improvising", improvised=True):
            if why_not(scene, who, use, improvised=True) is None:
                yield use


# ---------------------------------------------------------------------- requirements


def why_not(scene: Scene, who: str, use: ActionUse, *, improvised: bool) -> Refusal | None:
    """Reason against a use of a maneuver, with the rule; None if it is allowed."""
    detail = use.detail or ""
    reason = _why_never(scene, who, detail, improvised=improvised)
    if reason is not None:
        return reason
    maneuver, way = of_use(scene, detail)
    return _why_far(scene, who, maneuver, way, use) or _why_unready(scene, who, detail)


@cached_on_scene
def _why_never(scene: Scene, who: str, detail: str, *, improvised: bool) -> Refusal | None:
    """Reason against a form of a maneuver that depends on the actor alone: it holds for every target."""
    maneuver, way = of_use(scene, detail)
    for check in (_why_used, _why_unlearned, _why_slow, _why_tired, _why_prone):
        reason = check(scene, who, maneuver, way, improvised)
        if reason is not None:
            return reason
    return None


@cached_on_scene
def _why_unready(scene: Scene, who: str, detail: str) -> Refusal | None:
    """Reason against a form of a maneuver by its weapon: it cannot be used now, or not on so many."""
    maneuver, way = of_use(scene, detail)
    found = wielded_in(scene, who, way.arm)
    reason = why_not_usable(scene, who, *found) if found is not None else None
    return _why_few(scene, who, maneuver, way) if reason is None else Refusal(reason, WEAPON)


def _why_used(scene: Scene, who: str, maneuver: Maneuver, way: Way, improvised: bool) -> Refusal | None:
    used = scene[who].status.turn.maneuvers
    if scene.options.maneuver_limit == "one_per_round" and used:
        return Refusal("one maneuver a round", LIMIT)
    return Refusal("used in this round already", LIMIT) if maneuver.id in used else None


def _why_unlearned(scene: Scene, who: str, maneuver: Maneuver, way: Way, improvised: bool) -> Refusal | None:
    if improvised:
        return None
    me = now(scene, who)
    found = wielded_in(scene, who, way.arm) if way.arm else None
    if way.arm and found is None:
        return Refusal("not wielded", WEAPON)
    skill = me.skill_for(maneuver, found[0].weapon if found else None, way.boosted)
    if skill is None:
        return Refusal(f"needs {' or '.join(maneuver.skills)}", CROSS)
    boost = maneuver.boost if way.boosted else None
    if boost is not None and me.character.skills.get(skill, RollValue(0)).n < boost.at:
        return Refusal(f"needs {skill} r{boost.at}", BOOSTED)
    return None


def _why_slow(scene: Scene, who: str, maneuver: Maneuver, way: Way, improvised: bool) -> Refusal | None:
    if maneuver.trigger is not None:
        return None
    reason = why_no_time(scene, who, speed_of(maneuver, improvised))
    return None if reason is None else Refusal(reason, "mars.action.speeds")


def _why_tired(scene: Scene, who: str, maneuver: Maneuver, way: Way, improvised: bool) -> Refusal | None:
    reason = why_no_stamina(scene, who, stamina_of(maneuver, way.boosted, improvised))
    return None if reason is None else Refusal(reason, LIMIT)


def _why_prone(scene: Scene, who: str, maneuver: Maneuver, way: Way, improvised: bool) -> Refusal | None:
    return Refusal("not while prone", LIST) if maneuver.not_prone and scene[who].status.has("prone") else None


def _why_far(scene: Scene, who: str, maneuver: Maneuver, way: Way, use: ActionUse) -> Refusal | None:
    if use.target is None:
        return None
    if maneuver.trigger == "ally_attacked":
        near = within_reach(scene, who, use.target, intercept_step(maneuver).metres)
        return None if near else Refusal("too far away", LIST)
    if way.arm:
        found = wielded_in(scene, who, way.arm)
        if found is None:
            return Refusal("not wielded", WEAPON)
        reason = why_out_of_range(scene, who, *found, use.target)
        return None if reason is None else Refusal(reason, WEAPON)
    check = check_step(steps_of(maneuver, way.boosted))
    if check is not None and check.melee and not within_reach(scene, who, use.target, now(scene, who).reach):
        return Refusal("not in melee range", "mars.gap.weapon.reach")
    return None


def _why_few(scene: Scene, who: str, maneuver: Maneuver, way: Way) -> Refusal | None:
    """An attack on several needs as many targets, and something to shoot or throw at each."""
    step, found = attack_step(steps_of(maneuver, way.boosted)), wielded_in(scene, who, way.arm)
    if step is None or step.targets < 2 or found is None:
        return None
    able, left = len(reached(scene, who, *found)), shots(scene, who, *found)
    if able < step.targets:
        return Refusal(f"needs {step.targets} targets, there is {able or 'none'}", LIST)
    enough = left is None or left >= step.targets
    return None if enough else Refusal(f"needs {step.targets} shots, there is {left or 'none'}", LIST)


def reached(scene: Scene, who: str, wielded: Wielded, manner: Manner) -> list[str]:
    """The foes that a weapon reaches."""
    foes = [one.id for one in targets(scene, who)]
    return [foe for foe in foes if why_out_of_range(scene, who, wielded, manner, foe) is None]


def _usable(scene: Scene, who: str, use: ActionUse) -> Refusal | None:
    """Refuse a maneuver by the rule that forbids it; unknown reactions are improvised."""
    maneuver, _ = of_use(scene, use.detail)
    improvised = maneuver.trigger is not None and maneuver.id not in scene[who].character.maneuvers
    return why_not(scene, who, use, improvised=improvised)


USABLE = each_use(_usable, LIMIT)


def cost_of(scene: Scene, who: str, use: ActionUse, *, improvised: bool = False) -> str:
    """Cost of a maneuver in words."""
    maneuver, way = of_use(scene, use.detail)
    seconds, free = time_needed(scene[who].status, speed_of(maneuver, improvised))
    return cost_words(
        seconds, stamina_of(maneuver, way.boosted, improvised), free=free, reaction=maneuver.speed == "reaction"
    )
