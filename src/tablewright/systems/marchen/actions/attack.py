"""Attack actions: declaration, reactions, the roll and its consequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from tablewright.engine import Call, Role, Tally, choose
from tablewright.engine.odds import expected_value
from tablewright.game.character.belongings import remove_item
from tablewright.game.play.actions import Action, ActionUse, Requirement, each_use, of_target
from tablewright.game.play.common_events import BelongingsChanged, ParticipantLeft, Revealed
from tablewright.game.play.costs import CostPaid
from tablewright.game.play.foresight import DecisiveCall
from tablewright.game.scene.caching import cached_by_identity, cached_on_scene
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import LooseItem, Scene
from tablewright.game.system.rulebook import Rulebook
from tablewright.systems.marchen.actions.requirements import (
    AS_SIGNIFICANT,
    BAD_SPOT,
    IN_CONTROL,
    TIDE_DM,
    Ways,
    foes_by_name,
    significant,
)
from tablewright.systems.marchen.character.figures import PUSHED, score
from tablewright.systems.marchen.character.gear import worse
from tablewright.systems.marchen.character.record import HAND
from tablewright.systems.marchen.checks import use_boons
from tablewright.systems.marchen.events.fight import BlowAnnounced, Struck, TideTurned
from tablewright.systems.marchen.events.recovery import Followed
from tablewright.systems.marchen.harm import aftermath
from tablewright.systems.marchen.mechanics.attack import (
    OUT_WORTH,
    OUTS,
    Back,
    Blow,
    Out,
    Own,
    Reaction,
    Swing,
    mean_harm,
    reactions,
    struck,
)
from tablewright.systems.marchen.mechanics.checks import Attempt, check
from tablewright.systems.marchen.mechanics.clash import Answer, Clashed, Crossing, Said, met
from tablewright.systems.marchen.mechanics.dice import Advantage, strong_hit
from tablewright.systems.marchen.mechanics.harm import BAD_SPOT as SPOILED
from tablewright.systems.marchen.mechanics.harm import FAILED_BADLY, SUCCEEDED, Body, Suffered
from tablewright.systems.marchen.now import (
    Arms,
    advantage_now,
    arms_of,
    attack_dm,
    attack_tally,
    body,
    clash_table,
    dice_of_damage,
    fight_table,
    how_checked,
    hurt_anywhere,
    is_hurt,
    kept,
    metres_to,
    moment_dm,
    own_body,
    prepared,
    range_dm,
    shield_parry,
    skill_total,
    strikes_back,
)
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.status import Status, UnderWay, chronicle, stands
from tablewright.systems.marchen.values import CHARACTERISTIC_OF, Aspect, Characteristic, several

STRIKE, CLASH = "marchen.ounces.strike", "marchen.ounces.clash"
TIDE, END = "marchen.ounces.turn_the_tide", "marchen.puncti.end_the_fight"
VERBS = {
    "strike": "Strike",
    "clash": "Clash against",
    "end_the_fight": "End the fight against",
    "turn_the_tide": "Turn the tide against",
}
"""Attacks as they stand in a list, in the order of their actions."""

CAUSES = {"strike": STRIKE, "clash": CLASH, "turn_the_tide": TIDE, "end_the_fight": END}
REACTIONS, FRAY = "marchen.gap.fight.reactions", "marchen.puncti.enter_the_fray"
SUPPOSED = Own.of(Body(armour=2))
"""The body that a target supposes the attacker to have."""

RANGE, RELOAD = "marchen.gap.range.bands", "marchen.gap.fight.minor_actions"
PRIVATE = {
    "endure": Role.OPPONENT,
    "taken": Role.OPPONENT,
    "threshold": Role.OPPONENT,
    "face_modifier": Role.OPPONENT,
    "own_endure": Role.ACTOR,
    "own_taken": Role.ACTOR,
    "own_threshold": Role.ACTOR,
    "own_face": Role.ACTOR,
}


def reactions_to(scene: Scene, blow: UnderWay, arms: Arms) -> tuple[int, int]:
    """DMs that dodging and parrying put on an attack; 0 for a reaction that cannot be taken."""
    target = blow.target
    foe: Status = scene[target].status
    if arms.aspect != "physical" or foe.down or foe.surprised or blow.unseen:
        return 0, 0
    dodge = 2 if scene.facts.entries and scene.facts.get("cover_near", target) else 1
    if foe.stance == "prone":
        dodge = 0
    if not arms.parries:
        return dodge, 0
    level = scene[target].character.level("melee_combat")
    if level is None or not any(one.parries and one.skill == "melee_combat" for one in arms_of(scene, target).values()):
        return dodge, 0
    return dodge, max(0, level + shield_parry(foe.belongings, scene.library))


def strike_call(
    scene: Scene,
    who: str,
    target: str,
    arms: Arms,
    modifier: int,
    reaction: Reaction = "none",
    out: Out = "",
    *,
    tide: bool = False,
) -> Call[Blow]:
    """The call of a strike as it stands now."""
    back = strikes_back(scene, target, who)
    answer = Back(0 if back is None else dice_of_damage(scene, back), own_body(scene, who, "physical"))
    dice, luck = dice_of_damage(scene, arms), advantage_now(scene, who, arms)
    swing = kept(Swing(modifier, dice, arms.plus, luck, reaction, out, tide))
    return struck(swing, body(scene, target, arms.aspect), answer, fight_table(scene.options))


@cached_on_scene
def answering(
    scene: Scene, who: str, target: str, aspect: Aspect
) -> tuple[Arms | None, int, Advantage, Characteristic]:
    """The answer to a clash: arms, modifier, advantage, and the characteristic that decides ties.

    Against words and curses one answers in kind, or resists; who cannot reach the other gets out of the way.
    """
    if aspect == "physical":
        back = strikes_back(scene, who, target)
    else:
        back = next((arms for arms in arms_of(scene, who).values() if arms.aspect == aspect), None)
    if back is not None:
        dm = attack_dm(scene, who, target, back)
        return back, dm, advantage_now(scene, who, back), CHARACTERISTIC_OF[back.skill]
    one = scene[who]
    luck: Advantage = "disadvantage" if one.status.hindered else "none"
    if aspect == "physical":
        return None, skill_total(scene, who, "acrobatics"), luck, "agility"
    pushed = PUSHED[aspect]
    hurt = -int(is_hurt(scene, one, aspect))  # marchen.gap.threshold.hurt: it is a check, and nothing is endured yet
    return None, body(scene, who, aspect).bearing.endure + hurt + moment_dm(scene, one, pushed), luck, pushed


def answers_with(back: Arms | None, aspect: Aspect) -> str:
    """The skill or characteristic of the check that answers a clash."""
    if back is not None:
        return back.skill
    return "acrobatics" if aspect == "physical" else PUSHED[aspect]


def clash_call(scene: Scene, who: str, target: str, arms: Arms, modifier: int, out: Out = "") -> Call[Clashed]:
    """The call of a clash as it stands now."""
    options: MarchenOptions = scene.options
    crossing, answer, theirs = crossing_with(scene, who, target, arms, modifier)
    mine = score(scene[who].character, CHARACTERISTIC_OF[arms.skill], options).total
    said = Said(mine - score(scene[target].character, theirs, options).total, out)
    return met(crossing, said, body(scene, target, arms.aspect), answer, clash_table(options))


def crossing_with(
    scene: Scene, who: str, target: str, arms: Arms, modifier: int
) -> tuple[Crossing, Answer, Characteristic]:
    """Both sides of a clash, the arms that answer, and the characteristic by which the target wins ties."""
    answer, foe_modifier, foe_luck, theirs = answer_of(scene, target, who, arms.aspect)
    dice, luck = dice_of_damage(scene, arms), advantage_now(scene, who, arms)
    return kept(Crossing(modifier, foe_modifier, dice, arms.plus, luck, foe_luck)), answer, theirs


@cached_on_scene
def answer_of(scene: Scene, who: str, target: str, aspect: Aspect) -> tuple[Answer, int, Advantage, Characteristic]:
    """The answer to a clash against an attacker: what it does, modifier, advantage, and what decides ties."""
    back, modifier, luck, theirs = answering(scene, who, target, aspect)
    if back is None:
        return Answer(0, 0, own_body(scene, target, "physical")), modifier, luck, theirs
    own = own_body(scene, target, back.aspect)
    return Answer(dice_of_damage(scene, back), back.plus, own), modifier, luck, theirs


async def struck_at(game: Game, who: str, target: str, arms: Arms, how: str) -> None:
    """Attack a target; the attack is announced before anyone is asked or rolls."""
    blow = UnderWay(who, target, arms.id, how, unseen=game[who].hidden)
    if blow.unseen:
        game.emit(Revealed(who=who, cause=CAUSES[how]))
    if how == "turn_the_tide":
        game.emit(TideTurned(who=who, foe=target, cause=TIDE))
    game.emit(BlowAnnounced(by=who, target=target, blow=blow, cause=CAUSES[how]))
    await go_on(game)


def fights_back(scene: Scene, blow: UnderWay) -> bool:
    """True if both sides roll: a clash, and whatever is done from a bad spot to end a fight."""
    return blow.how == "clash" or (blow.how == "end_the_fight" and not scene[blow.by].status.in_control)


def outs_by(aspect: Aspect) -> tuple[Out, ...]:
    """Fates of a foe to choose from, the likeliest first: weapons fell, and words make people give up."""
    return OUTS if aspect == "physical" else (*OUTS[1:], OUTS[0])


async def go_on(game: Game) -> None:
    """A blow that was announced: what it is to end in, what the other does about it, and then it lands."""
    asked: UnderWay | None = None
    reaction: Reaction = "none"
    while (blow := chronicle(game.scene).blow) is not None:
        arms = arms_of(game.scene, blow.by).get(blow.arms)
        if arms is None or not (stands(game[blow.by]) and stands(game[blow.target])):
            game.emit(BlowAnnounced(by=blow.by, target=blow.target, blow=None, cause=CAUSES[blow.how]))
        elif blow.how == "end_the_fight" and not blow.fate:
            outs, about = outs_by(arms.aspect), {"who": blow.by}
            fate: Out = await choose(
                game.seat(blow.by), "what becomes of the foe?", outs, details=about, leads_to=OUT_WORTH.__getitem__
            )
            if chronicle(game.scene).blow == blow:
                decided = blow._replace(fate=fate)
                game.emit(BlowAnnounced(by=blow.by, target=blow.target, blow=decided, cause=CAUSES[blow.how]))
        elif asked != blow and not fights_back(game.scene, blow):
            asked, reaction = blow, await _met_with(game, blow, arms)
        else:
            await _land(game, blow, reaction)


async def _met_with(game: Game, blow: UnderWay, arms: Arms) -> Reaction:
    """The reaction of the target, chosen before anything is rolled; each reaction costs a DM.

    The target does not know the attacker's body, and supposes that it is an average one.
    """
    less = _less(game.scene, blow, arms)
    if len(less) == 1:
        return "none"
    about = {"who": blow.target, "by": blow.by, "with": arms.name, "kind": "window", "open": True}
    about |= {way: f"-{off}" for way, off in less.items() if off}
    about["either_costs"] = "-1 on your own checks until your next turn"
    worth = worth_of_reactions(game.scene, blow, arms)
    reaction: Reaction = await choose(
        game.seat(blow.target), "react?", tuple(less), details=about, leads_to=worth, lapse="none"
    )
    return reaction


def worth_of_reactions(scene: Scene, blow: UnderWay, arms: Arms) -> Callable[[Reaction], Fraction]:
    """Values of the reactions for the target."""
    tide, less = blow.how == "turn_the_tide", _less(scene, blow, arms)
    modifier = attack_dm(scene, blow.by, blow.target, arms) + (TIDE_DM if tide else 0)
    swing, foe, back, table = strike_call(scene, blow.by, blow.target, arms, modifier, tide=tide).arguments
    supposed = back._replace(own=SUPPOSED)

    def worth(way: Reaction) -> Fraction:
        return -mean_harm(swing._replace(modifier=modifier - less[way], reaction=way), foe, supposed, table)

    return worth


def hit_chances(scene: Scene, blow: UnderWay) -> dict[str, Fraction]:
    """The chance that a blow hits after each reaction to it; empty if it cannot be reacted to."""
    arms = arms_of(scene, blow.by).get(blow.arms)
    if arms is None or fights_back(scene, blow):
        return {}
    core, table = how_checked(scene.options)
    tide = TIDE_DM if blow.how == "turn_the_tide" else 0
    modifier, luck = attack_dm(scene, blow.by, blow.target, arms) + tide, advantage_now(scene, blow.by, arms)
    return {
        way: expected_value(check(core, Attempt("average", modifier - less, luck), table), "success")
        for way, less in _less(scene, blow, arms).items()
    }


def _less(scene: Scene, blow: UnderWay, arms: Arms) -> dict[Reaction, int]:
    """DMs that each reaction puts on the attack."""
    return reactions(*reactions_to(scene, blow, arms))


class Came(NamedTuple):
    """Result of a blow, by strike or by clash."""

    degree: str
    reaction: Reaction
    out: str
    hurt: Suffered
    back: Suffered
    back_aspect: Aspect
    control: bool
    hit: bool


def ready(scene: Scene, blow: UnderWay, reaction: Reaction) -> tuple[Call[Any], Tally]:
    """A blow as it is rolled now, and where its modifier comes from."""
    who, target, _, how, fate, _ = blow
    arms, tide = arms_of(scene, who)[blow.arms], how == "turn_the_tide"
    more = (("turning the tide", TIDE_DM, TIDE),) if tide else ()
    tally: Tally = attack_tally(scene, who, target, arms, *more)
    if fights_back(scene, blow):
        return clash_call(scene, who, target, arms, tally.total, fate), tally  # type: ignore[arg-type]
    if reaction != "none":
        tally = tally.add(reaction, -_less(scene, blow, arms)[reaction], REACTIONS)
    return strike_call(scene, who, target, arms, tally.total, reaction, fate, tide=tide), tally  # type: ignore[arg-type]


def came_of(blow: UnderWay, aspect: Aspect, result: Blow | Clashed) -> Came:
    """The result of a blow from the result of its rule."""
    decisive = blow.how == "end_the_fight"
    if isinstance(result, Clashed):
        won = result.winner == "a"
        degree = "won" if won else "lost" if result.winner == "b" else "nobody wins"
        control = won and (not decisive or strong_hit(result.sigma))
        return Came(degree, "none", result.out, result.hurt, result.back, aspect, control, won)
    degree, reaction, out, hurt, back = result
    control = degree not in SPOILED and not (decisive and not out)
    hit = degree in SUCCEEDED
    return Came(degree, reaction, out, hurt, back, "physical", control, hit)  # type: ignore[arg-type]


async def _land(game: Game, blow: UnderWay, reaction: Reaction) -> None:
    """The dice of a blow, and all that comes of it."""
    scene = game.scene
    call, tally = ready(scene, blow, reaction)
    seats = scene[blow.by].seat, scene[blow.target].seat
    result = await call.by(*seats, tallies={"modifier": tally}, private=PRIVATE)
    happens(game, blow, came_of(blow, arms_of(scene, blow.by)[blow.arms].aspect, result))


def happens(game: Game, blow: UnderWay, came: Came) -> None:
    """All that comes of a blow, to both."""
    who, target, how = blow.by, blow.target, blow.how
    cause, arms = CAUSES[how], arms_of(game.scene, who)[blow.arms]
    answered, falling = fights_back(game.scene, blow), game[target].status.falling
    answer = _answer(game.scene, blow, arms) if answered or came.degree in FAILED_BADLY else None
    used = {who: prepared(game[who], arms.skill)}
    if answered:
        used[target] = prepared(game[target], answers_with(answer, arms.aspect))
    struck = Struck(
        who=target,
        by=who,
        arms=arms.id,
        how=how,
        aspect=arms.aspect,
        unloads=arms.reload,
        answered=answered,
        answer="" if answer is None else answer.id,
        answer_unloads=answer is not None and answer.reload,
        cause=cause,
        **came._asdict(),
    )
    game.emit(struck)
    for one, boons in used.items():
        use_boons(game, one, boons)
    if game[target].status.falling != falling:
        game.emit(Followed(who=target, what="acts at the same moment, and falls then", cause=FRAY))
    if came.degree == "catastrophic" and arms.item:
        damage_item(game, who, arms.item, cause)
    if arms.thrown:
        _leaves_the_hand(game, who, target, arms)
    if came.hurt.face:
        aftermath(game, target, arms.aspect, came.hurt)
    if came.back.face:
        aftermath(game, who, came.back_aspect, came.back)
    if came.out in ("yields", "flees") and game[target].present and not game[target].status.down:
        game.emit(ParticipantLeft(who=target, how=came.out, cause=END))


def _answer(scene: Scene, blow: UnderWay, arms: Arms) -> Arms | None:
    """The arms that strike back: in a clash, or after a strike that went badly wrong."""
    if fights_back(scene, blow):
        return answering(scene, blow.target, blow.by, arms.aspect)[0]
    return strikes_back(scene, blow.target, blow.by)


def _leaves_the_hand(game: Game, who: str, target: str, arms: Arms) -> None:
    belongings = game[who].status.belongings
    thrown = next((one for one in belongings if one.item == arms.item and one.place == HAND), None)
    if thrown is None:
        return  # it is in pieces
    lies = LooseItem(arms.item, who, thrown.left, game[target].position)
    left = remove_item(belongings, arms.item, place=HAND)
    event = BelongingsChanged(who=who, what=f"throws {arms.item}", belongings=left, laid_down=(lies,), cause=RANGE)
    game.emit(event)


def damage_item(game: Game, who: str, item: str, cause: str, conditions: int = 1) -> None:
    """An item in hand takes conditions; with its fourth it is destroyed. What is part of a body takes none."""
    mine = game[who].status.belongings
    if any(one.item == item for one in mine):
        worn = worse(mine, item, conditions, HAND)
        what = f"{item}: {several(conditions, 'condition')}"
        game.emit(BelongingsChanged(who=who, what=what, belongings=worn, cause=cause))


# ---------------------------------------------------------------------- looking ahead


def decisive_blow(book: Rulebook, scene: Scene, who: str, use: ActionUse) -> DecisiveCall | None:
    """The dice of an attack after the reaction to expect; None for any other action.

    Most of the hundreds of results make the same scene: the degree is told, but only the harm stays.
    """
    arms = arms_of(scene, who).get(str(use.detail))
    if use.action not in CAUSES or arms is None:
        return None
    action = book.actions.by_id[use.action]
    game = Game(scene, book)
    game.emit(CostPaid(who=who, use=use.id, price=action.price_of(scene, who, use), cause=action.price_rule))
    fate = outs_by(arms.aspect)[0] if use.action == "end_the_fight" else ""
    blow = UnderWay(who, str(use.target), arms.id, use.action, fate, game[who].hidden)
    if blow.unseen:
        game.emit(Revealed(who=who, cause=CAUSES[use.action]))
    call, _ = ready(game.scene, blow, _likely(game.scene, blow, arms))

    def read(result: Blow | Clashed) -> Came:
        came = came_of(blow, arms.aspect, result)
        return came if came.degree in FAILED_BADLY else came._replace(degree="")

    async def land(after: Game, came: Came) -> None:
        happens(after, blow, came)

    return DecisiveCall(game.scene, call, land, read)


def _likely(scene: Scene, blow: UnderWay, arms: Arms) -> Reaction:
    """The reaction to expect from a target: the best one by what it can know."""
    ways = tuple(_less(scene, blow, arms))
    if fights_back(scene, blow) or len(ways) == 1:
        return "none"
    return max(ways, key=worth_of_reactions(scene, blow, arms))


# ---------------------------------------------------------------------- ways and requirements


def ways(action: str, *, hurt: bool = False) -> Ways:
    """Uses of an attack: every foe with all that reaches it; where none is open, one that is refused with its reason.

    An attack that is for the ``hurt`` alone has uses against them only.
    """
    reaching = legal_ways(action)

    def uses(scene: Scene, who: str) -> Sequence[ActionUse]:
        found = reaching(scene, who)
        if not found:
            pairs = zip(foes_by_name(scene, who)[:1], _arms_by_name(arms_of(scene, who)), strict=False)
            found = _named_uses(action, tuple(pairs))
        if not hurt:
            return found
        return [use for use in found if hurt_anywhere(scene, str(use.target))] or found[:1]

    return uses


def legal_ways(action: str, *, hurt: bool = False) -> Callable[[Scene, str], Sequence[ActionUse]]:
    """Uses of an attack that meet every requirement of a use: what is loaded and reaches its foe."""

    def uses(scene: Scene, who: str) -> Sequence[ActionUse]:
        pairs, known = _reached(scene, who)
        found = known.get(action)
        if found is None:
            found = known[action] = _named_uses(action, pairs)
        return [use for use in found if hurt_anywhere(scene, str(use.target))] if hurt else found

    return uses


def _named_uses(action: str, pairs: Pairs) -> tuple[ActionUse, ...]:
    return tuple(
        [
            ActionUse(action, foe, weapon, f"{VERBS[action]} {name} {its_name}", AS_SIGNIFICANT)
            for (foe, name), (weapon, its_name) in pairs
        ]
    )


Named: TypeAlias = tuple[str, str]
"""Id and name of a foe or of arms."""

Pairs: TypeAlias = tuple[tuple[Named, Named], ...]
"""Foes with the arms that reach them."""


@cached_by_identity
def _arms_by_name(found: dict[str, Arms]) -> tuple[Named, ...]:
    return tuple([(one.id, one.means) for one in found.values()])


@cached_on_scene
def _reached(scene: Scene, who: str) -> tuple[Pairs, dict[str, tuple[ActionUse, ...]]]:
    """Every foe with everything loaded that reaches it, and the uses of attacks that were made of these pairs."""
    arms, unloaded, foes = arms_of(scene, who), scene[who].status.unloaded, foes_by_name(scene, who)
    named = [(one, arms[one[0]]) for one in _arms_by_name(arms) if one[0] not in unloaded]
    found = []
    for foe in foes:
        metres = metres_to(scene, who, foe[0])
        found += [(foe, weapon) for weapon, one in named if range_dm(one, metres) is not None]
    pairs = tuple(found)
    return pairs, _uses_of(pairs) if pairs else {}


@lru_cache(maxsize=512)
def _uses_of(pairs: Pairs) -> dict[str, tuple[ActionUse, ...]]:
    """Uses of attacks by action, filled as they are asked for; the same pairs come up turn after turn."""
    return {}


def use_of(action: str, foe: Named, weapon: str, arms: dict[str, Arms]) -> ActionUse:
    """The use of an attack on a foe with some arms."""
    name = next(name for id_, name in _arms_by_name(arms) if id_ == weapon)
    return _named_uses(action, ((foe, (weapon, name)),))[0]


def in_range(scene: Scene, who: str, use: ActionUse) -> str | None:
    """The requirement that what is attacked with reaches so far."""
    arms = arms_of(scene, who).get(str(use.detail))
    if arms is None:
        return f"{use.detail} is not at hand"
    if range_dm(arms, metres_to(scene, who, str(use.target))) is None:
        return f"{scene.display_name(str(use.target))} is out of range"
    return None


def loaded(scene: Scene, who: str, use: ActionUse) -> str | None:
    """The requirement that what is attacked with is loaded."""
    return f"{use.detail} is not loaded" if use.detail in scene[who].status.unloaded else None


IN_RANGE, LOADED = each_use(in_range, RANGE), each_use(loaded, RELOAD)


def attack(how: str) -> Any:
    """The performance of an attack action."""

    async def perform(game: Game, who: str, use: ActionUse) -> None:
        arms = arms_of(game.scene, who)[str(use.detail)]
        await struck_at(game, who, str(use.target), arms, how)

    return perform


def _attack(id_: str, title: str, rules: str | tuple[str, ...], when: Requirement) -> Action:
    hurt = id_ == "end_the_fight"
    declare = significant(
        title, rules, (when, IN_RANGE, LOADED), ways(id_, hurt=hurt), id=id_, legal=legal_ways(id_, hurt=hurt)
    )
    return declare(attack(id_))


ATTACKS = (
    _attack("strike", "Strike", (STRIKE, "marchen.attack.is_skill_check"), IN_CONTROL),
    _attack("clash", "Clash", CLASH, BAD_SPOT),
    _attack("end_the_fight", "End the fight", END, of_target(hurt_anywhere, "{} is not hurt yet")),
)
