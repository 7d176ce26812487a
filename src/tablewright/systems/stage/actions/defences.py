"""Defences that a participant has at this moment, with their costs.

An attack is decided inside one mechanic; here is what goes into it, and how its answer is read back: by the name of the
way that was chosen, its price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

from tablewright.engine.tally import Part
from tablewright.game.play.costs import Cost
from tablewright.game.play.effects import Effect
from tablewright.game.scene.scene import Scene
from tablewright.game.values import Frozen
from tablewright.systems.stage import now
from tablewright.systems.stage.content import Weapon
from tablewright.systems.stage.effects import Adjust, Substitute, Usable
from tablewright.systems.stage.effects import Price as OtherPrice
from tablewright.systems.stage.mechanics.forms import MOST_REROLLS, Defence, Form
from tablewright.systems.stage.modifiers import Rolled, assistance, can_assist, words_of
from tablewright.systems.stage.now import announced as announced_price
from tablewright.systems.stage.status import Status, stands

DODGE, CLOSE_PARRY, BRAWL_PARRY = "agility.dodge", "close_combat.parry", "brawl.parry"
OPPOSED = ("opposed",)
ADDS_UP = "skill_level_flat"
_NO_PRICE = Cost()
MOST_WAYS = 14
"""Upper bound for the defences, blocks or forms offered for one attack."""


class Answering(NamedTuple):
    """A defence by its check: the defender, the application, effects that it uses up, and helpers with their AP."""

    who: str
    key: str
    once: tuple[Effect, ...] = ()
    skill: str = ""
    helpers: tuple[str, ...] = ()
    ap: int = 0

    @property
    def kind(self) -> str:
        """A dodge, a parry or a counter."""
        return self.key.partition(".")[2]


class Defending(NamedTuple):
    """The defences that can be chosen, with their prices; ``ally`` is who could defend for the target.

    ``answers`` says by the name of a defence who makes which check; what only adds cover, or is a craft's, has none.
    """

    ways: tuple[Defence, ...] = ()
    prices: Frozen[Cost] = Frozen()
    ally: str = ""
    answers: Frozen[Answering] = Frozen()


class _Offers(NamedTuple):
    """Defences as they are gathered."""

    ways: list[Defence]
    prices: dict[str, Cost]
    answers: dict[str, Answering]

    def add(
        self,
        way: Defence,
        price: Cost,
        who: str = "",
        key: str = "",
        made: Rolled | None = None,
        helpers: tuple[str, ...] = (),
    ) -> None:
        """One more, who makes which check for it, and who helps."""
        self.ways.append(way)
        self.prices[way.name] = price
        if made is not None:
            self.answers[way.name] = Answering(who, key, made.once, made.skill, helpers, price["ap"])


def defence(name: str, made: Rolled, price: Cost) -> Defence:
    """A defence by a check, for its price."""
    ap, points, others = points_of(price)
    return Defence(name, made.dice.total, made.flat.total, ap, points, others, untrained=made.untrained)


class Once(NamedTuple):
    """The forms of a check in one roll, besides the plain one, with what the announced powers cost."""

    forms: tuple[Form, ...] = ()
    prices: Frozen[Cost] = Frozen()


def points_of(price: Cost) -> tuple[int, int, int]:
    """AP, points of the Body and points of other tracks."""
    ap = body = others = 0
    for purse, amount in price.amounts:
        if purse == "ap":
            ap += amount
        elif purse in ("stamina", "vitality"):
            body += amount
        else:
            others += amount
    return ap, body, others


def helping(scene: Scene, who: str, key: str, skill: str = "") -> list[Usable]:
    """The powers that can be announced for a check of an application and add to it (stage.power.announce).

    ``skill`` is rolled in the place of its own: then what adds to that one helps.
    """
    counts = words_of(key, skill)
    found = []
    for one in now.powers(scene, who).values():
        if one.power.when != "announced" or not now.affordable(scene, who, now.price_of(one.power)):
            continue
        if any(isinstance(each, Adjust) and each.op == "add" and counts.intersection(each.on) for each in one.effects):
            found.append(one)
    return found


Make: TypeAlias = Callable[[tuple[Usable, ...]], Rolled]
"""Function from announced powers to a dice pool."""


def announcing(
    scene: Scene, who: str, key: str, made: Make, price: Cost, opposed: Make | None = None, skill: str = ""
) -> Once:
    """A check in one roll with each power that could be announced for it, besides a price that is paid anyway.

    ``opposed`` is the same where a character defends; ``skill`` is rolled in the place of the application's own.
    """
    forms: list[Form] = []
    prices = {"plain": Cost()}
    others = [
        (one, effect.use)
        for one, effect in now.effects(scene, who, Substitute)
        if key in effect.uses_for and now.affordable(scene, who, now.price_of(one.power))
    ]
    for bundle in [*bundles(helping(scene, who, key, skill)), *by_other_skills(scene, who, key, others)]:
        cost = announced_price(bundle)
        if len(forms) < MOST_WAYS and now.affordable(scene, who, price + cost):
            rolled = made(bundle)
            name = "+".join([one.id for one in bundle])
            points = sum([amount for _, amount in cost.amounts])
            form = Form(name, rolled.dice.total, first=rolled.flat.total, points=points, untrained=rolled.untrained)
            forms.append(form if opposed is None else once_opposed(form, rolled, opposed(bundle)))
            prices[name] = cost
    return Once(tuple(forms), Frozen(prices))


def substituted(key: str, bundle: tuple[Usable, ...]) -> str:
    """The skill that is rolled for an application by a power among those announced; empty for its own."""
    every = [effect for one in bundle for effect in one.effects if isinstance(effect, Substitute)]
    return next((effect.use for effect in every if key in effect.uses_for), "")


def minds_opposition(scene: Scene, who: str, target: str) -> bool:
    """True if something has hold of a character that counts in opposed checks alone, with this one or with anyone."""
    return any(
        "opposed" in gift.on or (gift.against == target and "opposed_against_user" in gift.on)
        for _, gift in now.gifts(scene[who].status)
    )


def once_opposed(form: Form, plain: Rolled, opposed: Rolled) -> Form:
    """A form that is rolled otherwise once the target defends (stage.opposed.basic)."""
    dice, flat = opposed.dice.total - plain.dice.total, opposed.flat.total - plain.flat.total
    return form._replace(opposed=dice, opposed_flat=flat) if dice or flat else form


def bundles(found: list[Usable]) -> list[tuple[Usable, ...]]:
    """Powers that can be announced together: each alone, then two of different kinds, or flat bonuses of two skills.

    (stage.power.reuse, stage.modifier.special_flat: special flat bonuses add up.)
    """
    pairs = [
        (one, other)
        for one, other in combinations(found, 2)
        if one.power.type != other.power.type or one.power.type == ADDS_UP
    ]
    return [*[(one,) for one in found], *pairs]


def by_other_skills(
    scene: Scene, who: str, key: str, others: Iterable[tuple[Usable, str]], more: Iterable[Usable] = ()
) -> list[tuple[Usable, ...]]:
    """Powers that let another skill do it: each alone, then with what adds to that skill, or changes it otherwise.

    (stage.power_effect.substitute_skill)
    """
    every = list(others)
    found: list[tuple[Usable, ...]] = [(one,) for one, _ in every]
    for one, skill in every:
        found += [(one, helper) for helper in (*helping(scene, who, key, skill), *more)]
    return found


# ---------------------------------------------------------------------- defending


def defences(
    scene: Scene,
    who: str,
    by: str,
    *,
    melee: bool,
    school: str = "",
    ambush: bool = False,
    more: int = 0,
    cover: int = 0,
    helpers: tuple[str, ...] = (),
) -> Defending:
    """Every way to set Hit Difficulty against an attack: dodge, parry, counter, with powers; or an ally's.

    ``helpers`` are those who have agreed to assist, as far as they can.
    An Ambush advantage rules all of them out, but for powers that answer it.
    (stage.attack.ambush, stage.initiative.ambush_defence)
    """
    status: Status = scene[who].status
    if not status.able:
        return Defending()
    offers = _Offers([], {}, {})
    tumbled = status.tumbled if scene.options.tumble_stacking == "highest" else 0  # stage.agility.tumble

    found: dict[str, tuple[int, Defence, Cost, str, Rolled | None]] = {}

    def offer(
        name: str, made: Rolled | None, price: Cost, key: str = "", *, flat: int = 0, bare: bool = False, more: int = 0
    ) -> None:
        if name in found or not now.affordable(scene, who, price):
            return
        if made is None:  # it only adds to the Difficulty
            ap, points, others = points_of(price)
            way = Defence(name, 0, flat, ap, points, others, bare=bare)
        else:
            way = defence(name, made, price)
            reroll = rerollpoints_of(scene, who, made.skill)
            way = way._replace(flat=way.flat + flat, least=tumbled, reroll=reroll, bare=bare)
            way = _seen(scene, who, way)
        found[name] = more, way, price, key, made

    doubling = [
        one
        for one, effect in now.effects(scene, who, Adjust)
        if cover and one.power.when == "reaction" and "cover" in effect.on
    ]
    if status.integrity is not None:
        return _steered(scene, who, by, ambush=ambush)
    creature = scene[who].character.is_creature
    for kind, key, price, weapon in _answers(scene, who, melee=melee, school=school):
        bare = kind == "counter" and not scene.options.size_on_counter
        for means, cost, penalty in _permitted(
            scene, who, key, ambush=ambush, missile=not melee and kind.startswith("parry")
        ):
            extra = Part("special attack", more, "stage.attack.disarm", "mundane")
            against = Part("against an ambush", -penalty, "stage.power_effect.answer_ambush", "penalty")
            own = price + cost
            name = "+".join([kind, *means])
            base: tuple[Part, ...] = (extra, against)
            if creature:
                base = (*base, reined(scene, who, key.partition(".")[0]))
            arguments = {"weapon": weapon, "against": by, "words": OPPOSED}
            lent = lent_dice(scene, who, helpers, key.partition(".")[0], own["ap"])
            plain = now.pool(scene, who, key, dice=(*base, *lent), **arguments)  # type: ignore[arg-type]
            offer(name, plain, own, key, bare=bare)
            others = [
                (one, other.use)
                for one, other in now.effects(scene, who, Substitute)
                if key in other.uses_for and one.power.when == "announced"
            ]
            for bundle in [*bundles(helping(scene, who, key)), *by_other_skills(scene, who, key, others)]:
                used = substituted(key, bundle)
                lent = lent_dice(scene, who, helpers, used or key.partition(".")[0], own["ap"])
                with_them = {**arguments, "announced": bundle, "dice": (*base, *lent)}
                made = now.pool(scene, who, key, skill=used, **with_them)  # type: ignore[arg-type]
                named = "+".join([name, *[one.id for one in bundle]])
                offer(named, made, own + announced_price(bundle), key, bare=bare, more=len(bundle))
            for one, other in now.other_prices(scene, who, key):
                offer(f"{name}+{one.id}", plain, otherwise(own, one, other), key, bare=bare, more=1)
            for one in doubling:
                offer(f"{name}+{one.id}", plain, own + now.price_of(one.power), key, flat=cover, bare=bare, more=1)
    for one in doubling:
        offer(f"cover+{one.id}", None, now.price_of(one.power), flat=cover)  # stage.power_effect.double_cover
    fewest = sorted(found, key=lambda name: found[name][0])[:MOST_WAYS]  # what is plain is never crowded out
    for name in [name for name in found if name in fewest]:
        _, way, price, key, rolled = found[name]
        skill = rolled.skill if rolled is not None else ""
        offers.add(way, price, who, key, rolled, able_helpers(scene, helpers, skill, price["ap"]))
    ally = "" if ambush else _defender(scene, who, by, melee=melee, offers=offers)
    return Defending(tuple(offers.ways), Frozen(offers.prices), ally, Frozen(offers.answers))


def able_helpers(scene: Scene, helpers: tuple[str, ...], skill: str, ap: int) -> tuple[str, ...]:
    """Helpers who know a skill and have the AP of the assisted action (stage.check.assist)."""
    return tuple(
        [
            one
            for one in helpers
            if scene[one].status.ap >= ap and can_assist(scene[one].character, skill, scene.options, scene.library)
        ]
    )


def lent_dice(scene: Scene, who: str, helpers: tuple[str, ...], skill: str, ap: int) -> tuple[Part, ...]:
    """The dice of those who assist a check that is a Reaction (stage.check.assist)."""
    able = able_helpers(scene, helpers, skill, ap) if helpers else ()
    return (assistance(now.subject(scene, who), skill, [scene[one].character for one in able]),) if able else ()


def _seen(scene: Scene, who: str, way: Defence) -> Defence:
    """A defence as a character makes it who may stand in darkness (stage.environment.darkness)."""
    dark = bool(scene.facts.entries) and bool(scene.facts.get("darkness", who))
    return way._replace(dark=True) if dark else way


def rerolling(scene: Scene, who: str, skill: str) -> Usable | None:
    """The power by which a check of a skill can be rolled again (stage.power_effect.reroll)."""
    return next((one for one, trigger in now.triggers(scene, who, "rolled") if skill in trigger.of), None)


def rerollpoints_of(scene: Scene, who: str, skill: str) -> int:
    """Price of rolling a check of a skill again; 0 without a power for it."""
    one = rerolling(scene, who, skill)
    return 0 if one is None else int(sum(one.power.cost.values()))


def rerolls_left(scene: Scene, who: str, skill: str, price: Cost = _NO_PRICE) -> int:
    """Number of affordable rerolls of a skill's check, after a price that is paid anyway."""
    one, times = rerolling(scene, who, skill), 0
    if one is None:
        return 0
    while times < MOST_REROLLS and now.affordable(scene, who, price + now.price_of(one.power)):
        price += now.price_of(one.power)
        times += 1
    return times


def reined(scene: Scene, mount: str, skill: str) -> Part:
    """A ridden animal defends with at most as many dice, before bonuses, as its rider's Survival level.

    (stage.mount.defend)
    """
    rider = next((one for one in scene.participants if one.status.rides == mount), None)
    over = 0 if rider is None else scene[mount].character.level(skill) - rider.character.level("survival")
    return Part("rider's Survival", -max(0, over), "stage.mount.defend", "penalty")


def otherwise(price: Cost, power: Usable, other: OtherPrice) -> Cost:
    """A price that a power changes: other AP, or AP in the place of points; the power's own cost comes on top."""
    amounts = {name: max(0, amount - other.instead_of.get(name, 0)) for name, amount in price.amounts}
    return Cost.of(**{name: amount for name, amount in amounts.items() if amount} | {"ap": other.ap}) + now.price_of(
        power.power
    )


def _answers(scene: Scene, who: str, *, melee: bool, school: str) -> Iterator[tuple[str, str, Cost, Weapon | None]]:
    """Possible answers to an attack before permits are checked: kind, application, price, weapon.

    Of two ways to parry the one of the higher skill comes first; an untrained Brawl is no way beside a weapon.
    """
    status: Status = scene[who].status
    if status.held("held") is None:
        yield "dodge", DODGE, now.price_in_fight(scene, DODGE), None
    can_parry = melee or now.permits(scene, who, "parry_ranged")
    if can_parry and (melee or not school):
        weapon = now.parrying_weapon(scene, who)
        brawl, close = scene[who].character.level("brawl"), scene[who].character.level("close_combat")
        armed = weapon is not None and close >= brawl
        if armed:
            yield "parry", CLOSE_PARRY, now.price_in_fight(scene, CLOSE_PARRY), weapon
        if brawl or not armed:
            yield "parry+bare_hands" if armed else "parry", BRAWL_PARRY, now.price_in_fight(scene, BRAWL_PARRY), None
        if weapon is not None and not armed:
            yield "parry+weapon", CLOSE_PARRY, now.price_in_fight(scene, CLOSE_PARRY), weapon
    if school:
        yield "counter", f"{school}.counter", now.price_in_fight(scene, f"{school}.counter"), None


def _permitted(
    scene: Scene, who: str, key: str, *, ambush: bool, missile: bool
) -> Iterator[tuple[tuple[str, ...], Cost, int]]:
    """Under which powers an answer is allowed, what they cost, and the dice they take."""
    if not ambush and not missile:
        yield (), Cost(), 0
        return
    missiles: list[tuple[tuple[str, ...], Cost, int]] = [((), Cost(), 0)]
    if missile:
        missiles = [
            ((one.id,), now.price_of(one.power), 0)
            for one, permit in now.permits(scene, who, "parry_ranged")
            if permit.application == key
        ]
    if not ambush:
        yield from missiles
        return
    for one, permit in now.permits(scene, who, "answer_ambush"):
        if permit.application == key:
            for names, price, penalty in missiles:
                yield (one.id, *names), price + now.price_of(one.power), penalty + permit.penalty_dice


def _steered(scene: Scene, craft: str, by: str, *, ambush: bool) -> Defending:
    """A craft dodges by who is at the controls, with Operate in the place of Agility and the operator's AP."""
    operator = next((one.id for one in scene.participants if one.status.rides == craft and stands(one)), "")
    if not operator or ambush or scene[operator].status.ap < 1:
        return Defending()
    made = now.pool(scene, operator, DODGE, skill="operate", against=by, words=OPPOSED)  # stage.mount.defend
    way = Defence(CRAFT, made.dice.total, made.flat.total, ap=1, ally=True, untrained=made.untrained)
    return Defending((_seen(scene, operator, way),), Frozen({CRAFT: Cost.of(ap=1)}), operator)


CRAFT = "dodge+craft"


def _defender(scene: Scene, who: str, by: str, *, melee: bool, offers: _Offers) -> str:
    """The participant that could defend for the target: its mount, or the first adjacent ally with a power for it.

    (stage.mount.defend, stage.power_effect.defend_other)
    """
    mount: str = scene[who].status.rides
    if mount and mount in scene and stands(scene[mount]):
        able = _mount_defends(scene, mount, by, melee=melee, offers=offers)
        if able:
            return able
    side = scene[who].side
    for ally in now.neighbours(scene, who):
        if ally.side != side or ally.id == mount or not ally.character.powers:
            continue
        for one, permit in now.permits(scene, ally.id, "defend_neighbour"):
            if permit.application != DODGE and not melee:
                continue
            own = Cost.of(stamina=1) if permit.application != DODGE else Cost()
            price = now.price_of(one.power) + Cost.of(ap=one.power.ap or 0) + own
            if not now.affordable(scene, ally.id, price):
                continue
            weapon = now.parrying_weapon(scene, ally.id) if permit.application == CLOSE_PARRY else None
            if permit.application == CLOSE_PARRY and weapon is None:
                continue
            made = now.pool(scene, ally.id, permit.application, weapon=weapon, against=by, words=OPPOSED)
            name = f"{'dodge' if permit.application == DODGE else 'parry'}+{one.id}"
            way = defence(name, made, price)._replace(ally=True, untrained=False)
            times = rerolls_left(scene, ally.id, made.skill, price)
            if times:  # stage.power_effect.reroll
                way = way._replace(reroll=rerollpoints_of(scene, ally.id, made.skill), rerolls=times)
            offers.add(_seen(scene, ally.id, way), price, ally.id, permit.application, made)
            return ally.id
    return ""


def _mount_defends(scene: Scene, mount: str, by: str, *, melee: bool, offers: _Offers) -> str:
    """A mount dodges for 1 AP of its own or parries for 1 Stamina; a craft is swerved by its operator."""
    if scene[mount].status.integrity is not None:
        steered = _steered(scene, mount, by, ambush=False)
        for way in steered.ways:
            offers.add(way._replace(ally=False), steered.prices[way.name])
        return ""
    answers = [("dodge", DODGE, now.price_in_fight(scene, DODGE))]
    if melee:
        answers.append(("parry", BRAWL_PARRY, now.price_in_fight(scene, BRAWL_PARRY)))
    able = False
    for kind, key, price in answers:
        if now.affordable(scene, mount, price):
            reins = reined(scene, mount, key.partition(".")[0])
            made = now.pool(scene, mount, key, dice=(reins,), against=by, words=OPPOSED)
            way = defence(f"{kind}+mount", made, price)._replace(ally=True, untrained=False)
            offers.add(_seen(scene, mount, way), price, mount, key, made)
            able = True
    return mount if able else ""
