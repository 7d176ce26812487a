"""Resolution of one attack on one target: defences, rolls and costs."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from tablewright.engine import Call, Request, Role, Tally
from tablewright.engine.request import OPPOSING_DICE
from tablewright.game.play.costs import Cost
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.stage.actions.aim import BARDING, Blocking, blocks
from tablewright.systems.stage.actions.defences import Answering, Defending, Once, rerolling
from tablewright.systems.stage.actions.requirements import use_up
from tablewright.systems.stage.events.fight import AttackDeclared, Attacked, Spent, Tried, emit_harm
from tablewright.systems.stage.mechanics.attack import (
    Answer,
    Maneuver,
    Opposition,
    Payer,
    Protection,
    Purse,
    Target,
    attack,
    deflecting,
    maneuver,
    meeting,
)
from tablewright.systems.stage.mechanics.checks import botches_any
from tablewright.systems.stage.mechanics.forms import MOST_REROLLS, Block, Blow, Defence, Form, Shield, is_opposed
from tablewright.systems.stage.mechanics.harm import Attack, SoFar
from tablewright.systems.stage.modifiers import Rolled
from tablewright.systems.stage.now import HitDifficulty, check_rules, price_of, resistance_of, used_up
from tablewright.systems.stage.values import ATTRIBUTE_OF, Attribute

T = TypeVar("T")


class Met(NamedTuple):
    """The target's side of an attack: Hit Difficulty, possible defences, possible blocks, and Resistance."""

    hard: HitDifficulty
    defending: Defending
    blocking: Blocking = Blocking()
    resistance: int = 0

    @property
    def helper(self) -> str:
        """The one ally who may come between: who defends is asked rather than who deflects."""
        return self.defending.ally or self.blocking.ally

    @property
    def ways(self) -> tuple[Defence, ...]:
        """Ways to set Hit Difficulty."""
        if not self.blocking.ally or self.defending.ally in ("", self.blocking.ally):
            return self.defending.ways
        return tuple([way for way in self.defending.ways if not way.ally])

    @property
    def target(self) -> Target:
        """Hit Difficulty, and the ways to raise it."""
        return Target(self.hard.tally.total, self.hard.bonuses, self.ways)

    @property
    def deflections(self) -> tuple[Block, ...]:
        """Ways of that ally to deflect."""
        same = self.defending.ally in ("", self.blocking.ally)
        return self.blocking.deflections if same else ()

    def left(self, scene: Scene, target: str) -> int:
        """Points that the target has left to pay with, up to a bound."""
        most = 1 + _dearest(self.ways) + _dearest(self.blocking.blocks + self.blocking.absorptions)
        return min(int(scene[target].status.left("body")), most, COUNTED)

    def shield(self, scene: Scene, target: str, answer: Answer) -> Shield:
        """The armour of the target after it has paid for its defence."""
        shield = Shield(
            self.resistance,
            self.blocking.blocks,
            self.deflections,
            self.blocking.absorptions,
            self.left(scene, target),
            scene.options.spend_last_core == "allow",
            *self.purses(scene, target),
            botches_any(scene.options.botch_fails, scene.options.botch_scope),
        )
        chosen = [way for way in self.ways if way.name == answer.defence]
        for way in chosen:
            shield = shield.after_ally(way) if way.ally else shield.after(way)
        return shield

    def purses(self, scene: Scene, target: str) -> tuple[int, int, int]:
        """AP and points of another attribute that the target has left, and the AP of an ally, where they matter."""
        stopping = (*self.blocking.blocks, *self.blocking.absorptions)
        ap = scene[target].status.ap if any(way.ap for way in stopping) else PLENTY
        ally_ap = scene[self.helper].status.ap if any(way.ap for way in self.deflections) else PLENTY
        return ap, self._others(scene, target) if any(way.others for way in stopping) else PLENTY, ally_ap

    def _others(self, scene: Scene, target: str) -> int:
        """Points left of the attribute besides Body that the target could pay from."""
        lent = {*[way.name for way in self.deflections], *[way.name for way in self.ways if way.ally]}
        prices = {**self.defending.prices, **self.blocking.prices}
        paid_from = {
            ATTRIBUTE_OF[purse]
            for name, price in prices.items()
            if name not in lent
            for purse, _ in price.amounts
            if purse != "ap"
        } - {"body"}
        return min(PLENTY, scene[target].status.left(*paid_from)) if len(paid_from) == 1 else PLENTY

    def payer(self, target: str, answer: Answer) -> str:
        """The payer of the chosen defence: the target, or the defending ally."""
        lent = any(way.ally and way.name == answer.defence for way in self.ways)
        return self.helper if lent else target

    def price(self, scene: Scene, target: str, answer: Answer) -> Cost:
        """Price of the chosen defence, rerolls included."""
        price = self.defending.prices.get(answer.defence, Cost())
        return price + self.luck(scene, answer.defence, answer.rerolled)[0]

    def luck(self, scene: Scene, defence: str, times: int) -> tuple[Cost, str]:
        """Price of a defence's rerolls, and the power behind them (stage.power_effect.reroll)."""
        answering = self.defending.answers.get(defence)
        one = rerolling(scene, answering.who, answering.skill) if times and answering is not None else None
        price = Cost()
        for _ in range(times if one is not None else 0):
            price += price_of(one.power)  # type: ignore[union-attr]
        return price, "" if one is None else one.id

    def by(
        self, call: Call[T], scene: Scene, seat: str, target: str, *own: str, tells: bool = False, **tallies: Tally
    ) -> Request[T]:
        """A call made against the target, whom an ally may help; what the target has left to pay with is its own.

        The result of a call that ``tells`` how high Hit Difficulty is goes with the dice that set it.
        """
        closed = closed_dice(scene, target)
        return call.by(
            seat,
            scene[target].seat,
            against_ally=scene[self.helper].seat if self.helper else None,
            tallies={**tallies, "difficulty": self.hard.tally},
            private=dict.fromkeys(("left", *own, *closed), Role.OPPONENT),
            hide=("left",) if tells and closed else (),
        )


def closed_dice(scene: Scene, target: str) -> tuple[str, ...]:
    """The dice of a target that only its seat sees: who the game master plays defends and blocks unseen by players.

    (stage.check.difficulty, stage.attack.example_armour, stage.attack.example_parry)
    """
    one = scene[target]
    masters = one.character.is_creature or one.seat == GAME_MASTER
    return (OPPOSING_DICE,) if masters and scene.options.reveal_difficulty == "hidden" else ()


def declare(game: Game, who: str, target: str, what: str, cause: str) -> None:
    """An attack is announced before anyone answers it (stage.action.reaction)."""
    game.emit(AttackDeclared(who=target, by=who, what=what, cause=cause))


async def meet(game: Game, seat: str, target: str, blow: Blow, met: Met) -> Answer:
    """Let one of several targets of a swing set its Hit Difficulty."""
    scene = game.scene
    call = meeting(
        blow, met.target, Payer(met.left(scene, target), scene.options.spend_last_core == "allow"), check_rules(scene)
    )
    return await met.by(call, scene, seat, target, tells=True)


class Resolved(NamedTuple):
    """A resolved attack: its result, and the prices that target, ally and attacker paid.

    The powers by which a character rolled again are added to the names of the form and the defence. ``answered`` is who
    defended by which check, ``blocked_with`` who has helped with a block.
    """

    result: Attack
    paid: Cost = Cost()
    lent: Cost = Cost()
    ally: str = ""
    again: Cost = Cost()
    answered: Answering | None = None
    blocked_with: tuple[str, ...] = ()

    def attacked(self, who: str, by: str, what: str, cause: str, **more: Any) -> Attacked:
        """The event of the attack, with what its target and the target's ally paid; ``more`` are further fields."""
        said: dict[str, Any] = {"hit": self.result.hit, "damage": self.result.damage, "block": self.stopped}
        given = {"who": who, "by": by, "what": what, "ally": self.ally, "paid": self.paid, "lent": self.lent}
        return Attacked(cause=cause, **(said | given | more))

    @property
    def announced(self) -> str:
        """The name of the form that was chosen, without what was rolled again by."""
        parts = self.result.form.split("+")
        return "+".join(parts[:-1] if self.again.amounts else parts)

    @property
    def stopped(self) -> str:
        """Everything that stood between the hit and the target."""
        return "+".join([word for word in (self.result.deflected, self.result.block, self.result.absorbed) if word])


async def resolve(
    game: Game, seat: str, target: str, forms: tuple[Form, ...], met: Met, *, by: str = "", skill: str = ""
) -> Resolved:
    """Ask and roll one attack; ``by`` and ``skill`` are whose power it could be rolled again with."""
    scene = game.scene
    call = attack(
        forms,
        met.target,
        Protection(met.resistance, met.blocking.blocks, met.deflections, met.blocking.absorptions),
        Purse(met.left(scene, target), scene.options.spend_last_core == "allow", *met.purses(scene, target)),
        check_rules(scene),
    )
    result = await met.by(call, scene, seat, target, "others")
    return read_back(scene, result, met, by=by, skill=skill)


def read_back(scene: Scene, result: Attack, met: Met, *, by: str = "", skill: str = "") -> Resolved:
    """Prices of the chosen ways, by payer."""
    prices, stopping = met.defending.prices, met.blocking.prices
    paid, lent = Cost(), stopping.get(result.deflected, Cost())
    for name in (result.block, result.absorbed):
        paid += stopping.get(name, Cost())
    defence, answered = prices.get(result.defence, Cost()), met.defending.answers.get(result.defence)
    price, power = met.luck(scene, result.defence, result.rerolled)
    if any(way.ally and way.name == result.defence for way in met.ways):
        lent += defence + price
    else:
        paid += defence + price
    if power:
        result = result._replace(defence=f"{result.defence}+{power}")
    again, luck = Cost(), rerolling(scene, by, skill) if by and result.own_rerolls else None
    if luck is not None:
        for _ in range(result.own_rerolls):
            again += price_of(luck.power)
        result = result._replace(form=f"{result.form}+{luck.id}")
    helpers = met.blocking.helpers if result.block else ()
    return Resolved(result, paid, lent, met.helper if lent.amounts else "", again, answered, helpers)


def pay_helpers(game: Game, helpers: tuple[str, ...], who: str, ap: int) -> None:
    """Charge helpers of a Reaction the AP that it took (stage.check.assist)."""
    for helper in helpers:
        on = f"assisting {game.scene.display_name(who)}"
        game.emit(Spent(who=helper, price=Cost.of(ap=ap), on=on, cause="stage.check.assist"))


def use_up_answers(game: Game, target: str, resolved: Resolved, cause: str) -> None:
    """End one-check effects of defence, block and deflection, and charge their helpers."""
    answered = resolved.answered
    if answered is not None:
        use_up(game, answered.who, answered.once, cause)
        pay_helpers(game, answered.helpers, answered.who, answered.ap)
    if resolved.result.block:
        pay_helpers(game, resolved.blocked_with, target, 0)
        use_up(game, target, used_up(game.scene, target, "defense.block"), cause)
    if resolved.result.deflected:
        key = "defense.block" if resolved.result.deflected == BARDING else "defense.deflect"
        use_up(game, resolved.ally, used_up(game.scene, resolved.ally, key), cause)


async def attempt(
    game: Game, who: str, target: str, what: str, made: Rolled, opposed: Rolled, once: Once, met: Met, cause: str
) -> Maneuver:
    """Reach a character with one roll, a special attack or a spell; one event says what came of it and what it cost.

    ``opposed`` is what is rolled once the target defends.
    """
    scene = game.scene
    left = min(max(MOST_LEFT, 1 + _dearest(met.ways)), scene[target].status.left("body"), COUNTED)
    call = maneuver(
        made.dice.total,
        made.flat.total,
        met.target,
        Payer(left, scene.options.spend_last_core == "allow"),
        made.untrained,
        check_rules(scene),
        once.forms,
        Opposition(opposed.dice.total - made.dice.total, opposed.flat.total - made.flat.total),
    )
    result = await met.by(call, scene, scene[who].seat, target, dice=made.dice, modifier=made.flat)
    price = met.defending.prices.get(result.defence, Cost())
    again, luck = met.luck(scene, result.defence, result.rerolled)
    price += again
    lent = any(way.ally and way.name == result.defence for way in met.ways)
    tried = Tried(
        who=target,
        by=who,
        what=what,
        success=result.success,
        defence="" if result.defence == "nothing" else "+".join([each for each in (result.defence, luck) if each]),
        ally=met.helper if lent else "",
        paid=Cost() if lent else price,
        lent=price if lent else Cost(),
        spent=once.prices.get(result.form, Cost()),
        cause=cause,
    )
    emit_harm(game, tried)
    answered = met.defending.answers.get(result.defence)
    if answered is not None:
        use_up(game, answered.who, answered.once, cause)
        pay_helpers(game, answered.helpers, answered.who, answered.ap)
    use_up(game, who, (opposed if is_opposed(result.defence) else made).once, cause)
    return result


_UNHURT = Attack(False)
COUNTED = 99
"""The most points that are counted out in an attack."""
MOST_LEFT = PLENTY = 9
"""Bound for a target's points: more of them do not change its defence."""


def _dearest(ways: tuple[Defence | Block, ...]) -> int:
    """The most points that one of some ways costs; what a target has beyond that makes no difference."""
    return max([way.points + MOST_REROLLS * getattr(way, "reroll", 0) for way in ways], default=0)


async def suffer(
    game: Game, seat: str, target: str, dealt: int, attribute: Attribute, after: Attack = _UNHURT, ambush: bool = False
) -> Resolved:
    """Damage that comes without an attack roll: Resistance, blocks and an ally's deflection stop it as usual.

    Where it comes besides other damage (``after``), whatever has stopped that does not do so again: once per attack.
    """
    scene = game.scene
    nothing = HitDifficulty(Tally.of("no defence", 0, "stage.attack.hit_difficulty"), 0, 0)
    found = blocks(scene, target, attribute, ambush=ambush)
    found = found._replace(
        blocks=() if after.block else found.blocks,
        deflections=() if after.deflected else found.deflections,
        absorptions=() if after.absorbed else found.absorptions,
    )
    met = Met(nothing, Defending(), found, resistance_of(scene, target, attribute))
    helper = game.seat(met.helper) if met.helper else None
    call = deflecting(dealt, 0, met.shield(scene, target, Answer(0, "", 0, 0)), SoFar(True))
    private = dict.fromkeys(closed_dice(scene, target), Role.OPPONENT)
    result: Attack = await call.by(seat, game.seat(target), against_ally=helper, private=private)
    return read_back(scene, result, met)
