"""Blows: strike in control, clash from a bad spot, turn the tide, end the fight. One rule, one event."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from tablewright.engine import Call, Seat, Tally, choose
from tablewright.game.actions import Action, Requirement, Use
from tablewright.game.belongings import take_away
from tablewright.game.common import BelongingsChanged, Left, Revealed
from tablewright.game.lying import Lying
from tablewright.game.remembering import MOST_REMEMBERED
from tablewright.game.scene import Live, Scene
from tablewright.game.standing import distance
from tablewright.systems.marchen.actions.common import (
    AS_SIGNIFICANT,
    BAD_SPOT,
    FIGHTING,
    IN_CONTROL,
    SIGNIFICANT,
    TIDE_DM,
    UP,
    foes_of,
)
from tablewright.systems.marchen.belongings import worse
from tablewright.systems.marchen.blows import (
    OUT_WORTH,
    OUTS,
    REACTION_WORTH,
    Blow,
    Out,
    Reaction,
    mean_harm,
    reactions,
    struck,
)
from tablewright.systems.marchen.character import HAND, PUSHED, score
from tablewright.systems.marchen.checks import use_boons
from tablewright.systems.marchen.clashes import Clashed, met
from tablewright.systems.marchen.degrees import strong_hit
from tablewright.systems.marchen.events import BlowAnnounced, Struck
from tablewright.systems.marchen.harm import aftermath
from tablewright.systems.marchen.mechanics import Table
from tablewright.systems.marchen.now import (
    Arms,
    advantage_now,
    arms_of,
    attack_dm,
    attack_tally,
    body,
    dice_of_damage,
    how_checked,
    hurt_anywhere,
    is_hurt,
    moment_dm,
    prepared,
    range_dm,
    shield_parry,
    skill_total,
    strikes_back,
)
from tablewright.systems.marchen.options import Core, DamageBonus, DamageModel, MarchenOptions
from tablewright.systems.marchen.outside import Followed
from tablewright.systems.marchen.status import Status, UnderWay, chronicle, stands
from tablewright.systems.marchen.suffering import BAD_SPOT as SPOILED
from tablewright.systems.marchen.suffering import FAILED_BADLY, SUCCEEDED, Body, Suffered
from tablewright.systems.marchen.tables import Advantage
from tablewright.systems.marchen.values import CHARACTERISTIC_OF, Aspect, several

STRIKE, CLASH = "marchen.ounces.strike", "marchen.ounces.clash"
TIDE, END = "marchen.ounces.turn_the_tide", "marchen.puncti.end_the_fight"
CAUSES = {"strike": STRIKE, "clash": CLASH, "turn_the_tide": TIDE, "end_the_fight": END}
REACTIONS, FRAY = "marchen.gap.fight.reactions", "marchen.puncti.enter_the_fray"
SUPPOSED = Body(2, 0, 0, 0, 14, 0)
"""What somebody takes a foe's body for."""

RANGE, RELOAD = "marchen.gap.range.bands", "marchen.gap.fight.minor_actions"
PRIVATE = {
    "endure": Seat.OPPONENT,
    "taken": Seat.OPPONENT,
    "threshold": Seat.OPPONENT,
    "face_modifier": Seat.OPPONENT,
    "own_endure": Seat.ACTOR,
    "own_taken": Seat.ACTOR,
    "own_threshold": Seat.ACTOR,
    "own_face": Seat.ACTOR,
}


def reactions_to(scene: Scene, blow: UnderWay, arms: Arms) -> tuple[int, int]:
    """What dodging and parrying would take off an attack; 0 where it cannot be done."""
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


class Striking(NamedTuple):
    """A strike as it stands now, but for its modifier and how it is met."""

    dice: int
    plus: int
    advantage: Advantage
    tide: bool
    body: Body
    back_dice: int
    own: Body
    core: Core
    damage_bonus: DamageBonus
    damage_model: DamageModel
    table: Table

    def call(self, modifier: int, reaction: Reaction, out: Out) -> Call[Blow]:
        """The strike that nothing can be done about any more."""
        one = self
        bodies = (*one.body, one.back_dice, *one.own, one.core, one.damage_bonus, one.damage_model, *one.table)
        return struck(modifier, one.dice, one.plus, one.advantage, reaction, out, one.tide, *bodies)


def striking(scene: Scene, who: str, target: str, arms: Arms, *, tide: bool = False) -> Striking:
    """A strike at somebody as it stands now."""
    options: MarchenOptions = scene.options
    core, table = how_checked(options)
    back = strikes_back(scene, target, who)
    return Striking(
        dice_of_damage(scene, arms),
        arms.plus,
        advantage_now(scene, who, arms),
        tide,
        body(scene, target, arms.aspect),
        0 if back is None else dice_of_damage(scene, back),
        body(scene, who, "physical"),
        core,
        options.damage_bonus,
        options.damage_model,
        table,
    )


def answering(scene: Scene, who: str, target: str, aspect: Aspect) -> tuple[Arms | None, int, Advantage, str]:
    """How somebody meets a clash: with what, how well, with what luck, and by which characteristic ties go.

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
    return None, body(scene, who, aspect).endure + hurt + moment_dm(scene, one, pushed), luck, pushed


def answers_with(back: Arms | None, aspect: Aspect) -> str:
    """What the check is of by which a clash is met."""
    if back is not None:
        return back.skill
    return "acrobatics" if aspect == "physical" else PUSHED[aspect]


def clash_call(scene: Scene, who: str, target: str, arms: Arms, modifier: int, out: Out = "") -> Call[Clashed]:
    """A clash with somebody as it stands now, after all that could be said about it beforehand."""
    options: MarchenOptions = scene.options
    core, table = how_checked(options)
    back, foe_modifier, foe_luck, theirs = answering(scene, target, who, arms.aspect)
    mine = score(scene[who].character, CHARACTERISTIC_OF[arms.skill], options).total
    return met(
        modifier,
        foe_modifier,
        dice_of_damage(scene, arms),
        arms.plus,
        advantage_now(scene, who, arms),
        foe_luck,
        mine - score(scene[target].character, theirs, options).total,  # type: ignore[arg-type]
        out,
        *body(scene, target, arms.aspect),
        0 if back is None else dice_of_damage(scene, back),
        0 if back is None else back.plus,
        *body(scene, who, "physical" if back is None else back.aspect),
        core,
        options.damage_bonus,
        options.damage_model,
        options.opposed_tie,
        *table,
    )


async def struck_at(game: Live, who: str, target: str, arms: Arms, how: str) -> None:
    """Attack somebody in one of the ways. Everybody hears of it before anybody is asked or rolls."""
    blow = UnderWay(who, target, arms.id, how, unseen=game[who].hidden)
    if blow.unseen:
        game.emit(Revealed(who=who, cause=CAUSES[how]))
    game.emit(BlowAnnounced(by=who, target=target, blow=blow, cause=CAUSES[how]))
    await go_on(game)


def fights_back(scene: Scene, blow: UnderWay) -> bool:
    """Whether both sides roll: a clash, and whatever is done from a bad spot to end a fight."""
    return blow.how == "clash" or (blow.how == "end_the_fight" and not scene[blow.by].status.in_control)


def outs_by(aspect: Aspect) -> tuple[Out, ...]:
    """What may become of a foe, the likeliest first: weapons fell, and words make people give up."""
    return OUTS if aspect == "physical" else (*OUTS[1:], OUTS[0])


async def go_on(game: Live) -> None:
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
                game.seat(blow.by), "what becomes of the foe?", outs, about=about, leads_to=OUT_WORTH.__getitem__
            )
            if chronicle(game.scene).blow == blow:
                decided = blow._replace(fate=fate)
                game.emit(BlowAnnounced(by=blow.by, target=blow.target, blow=decided, cause=CAUSES[blow.how]))
        elif asked != blow and not fights_back(game.scene, blow):
            asked, reaction = blow, await _met_with(game, blow, arms)
        else:
            await _land(game, blow, reaction)


async def _met_with(game: Live, blow: UnderWay, arms: Arms) -> Reaction:
    """What the one who is attacked does about it, before anything is rolled; each reaction costs a DM.

    Of the attacker's own body the one attacked knows nothing, and supposes that it is like one's own.
    """
    less = _less(game.scene, blow, arms)
    if len(less) == 1:
        return "none"
    about = {"who": blow.target, "by": blow.by, "with": arms.name, "kind": "window", "open": True}
    about |= {way: f"-{off}" for way, off in less.items() if off}
    about["either_costs"] = "-1 on one's own checks until one's next turn"
    worth = worth_of_reactions(game.scene, blow, arms)
    reaction: Reaction = await choose(
        game.seat(blow.target), "react?", tuple(less), about=about, leads_to=worth, lapse="none"
    )
    return reaction


def worth_of_reactions(scene: Scene, blow: UnderWay, arms: Arms) -> Callable[[Reaction], Fraction]:
    """What a reaction is worth to the one who is attacked."""
    tide, less = blow.how == "turn_the_tide", _less(scene, blow, arms)
    supposed = striking(scene, blow.by, blow.target, arms, tide=tide)._replace(own=SUPPOSED)
    modifier = attack_dm(scene, blow.by, blow.target, arms) + (TIDE_DM if tide else 0)

    def worth(way: Reaction) -> Fraction:
        return -mean_harm(modifier - less[way], *supposed) - REACTION_WORTH * (way != "none")

    return worth


def _less(scene: Scene, blow: UnderWay, arms: Arms) -> dict[Reaction, int]:
    """What each reaction takes off an attack."""
    return reactions(*reactions_to(scene, blow, arms))


class Came(NamedTuple):
    """What came of a blow, whichever way it was struck."""

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
    strike = striking(scene, who, target, arms, tide=tide)
    return strike.call(tally.total, reaction, fate), tally  # type: ignore[arg-type]


def came_of(blow: UnderWay, aspect: Aspect, result: Blow | Clashed) -> Came:
    """What the dice of a blow come to."""
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


async def _land(game: Live, blow: UnderWay, reaction: Reaction) -> None:
    """The dice of a blow, and all that comes of it."""
    scene = game.scene
    call, tally = ready(scene, blow, reaction)
    seats = scene[blow.by].seat, scene[blow.target].seat
    result = await call.by(*seats, tallies={"modifier": tally}, private=PRIVATE)
    happens(game, blow, came_of(blow, arms_of(scene, blow.by)[blow.arms].aspect, result))


def happens(game: Live, blow: UnderWay, came: Came) -> None:
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
        game.emit(Left(who=target, how=came.out, cause=END))


def _answer(scene: Scene, blow: UnderWay, arms: Arms) -> Arms | None:
    """What the other one strikes back with: in a clash, or because a strike went badly wrong."""
    if fights_back(scene, blow):
        return answering(scene, blow.target, blow.by, arms.aspect)[0]
    return strikes_back(scene, blow.target, blow.by)


def _leaves_the_hand(game: Live, who: str, target: str, arms: Arms) -> None:
    belongings = game[who].status.belongings
    thrown = next((one for one in belongings if one.item == arms.item and one.place == HAND), None)
    if thrown is None:
        return  # it is in pieces
    lies = Lying(arms.item, who, thrown.left, game[target].position)
    left = take_away(belongings, arms.item, place=HAND)
    event = BelongingsChanged(who=who, what=f"throws {arms.item}", belongings=left, laid_down=(lies,), cause=RANGE)
    game.emit(event)


def damage_item(game: Live, who: str, item: str, cause: str, conditions: int = 1) -> None:
    """An item in hand takes conditions; with its fourth it is destroyed. What is part of a body takes none."""
    mine = game[who].status.belongings
    if any(one.item == item for one in mine):
        worn = worse(mine, item, conditions, HAND)
        what = f"{item}: {several(conditions, 'condition')}"
        game.emit(BelongingsChanged(who=who, what=what, belongings=worn, cause=cause))


# ---------------------------------------------------------------------- ways and requirements


def ways(action: str, verb: str) -> Any:
    """Every foe with everything that somebody could attack with."""

    def uses(scene: Scene, who: str) -> list[Use]:
        arms = [
            (one.id, one.name if one.aspect == "physical" else f"{one.name} ({one.aspect})")
            for one in arms_of(scene, who).values()
        ]
        named = [(foe.id, scene.called(foe.id)) for foe in foes_of(scene, who)]
        return [_use(action, verb, *foe, *weapon) for foe in named for weapon in arms]

    return uses


@lru_cache(maxsize=MOST_REMEMBERED)
def _use(action: str, verb: str, foe: str, name: str, weapon: str, its_name: str) -> Use:
    return Use(action, foe, weapon, f"{verb} {name} with {its_name}", AS_SIGNIFICANT)


def in_range(scene: Scene, who: str, use: Use) -> str | None:
    """The requirement that what is attacked with reaches so far."""
    arms = arms_of(scene, who).get(str(use.detail))
    if arms is None:
        return f"{use.detail} is not at hand"
    if range_dm(arms, distance(scene, who, str(use.target))) is None:
        return f"{scene.called(str(use.target))} is out of range"
    return None


def loaded(scene: Scene, who: str, use: Use) -> str | None:
    """The requirement that what is attacked with is loaded."""
    return f"{use.detail} is not loaded" if use.detail in scene[who].status.unloaded else None


def _is_hurt(scene: Scene, who: str, use: Use) -> str | None:
    target = str(use.target)
    return None if hurt_anywhere(scene, scene[target]) else f"{scene.called(target)} is not hurt yet"


IN_RANGE, LOADED = Requirement(RANGE, in_range), Requirement(RELOAD, loaded)


def attack(how: str) -> Any:
    """What happens when somebody attacks in one of the ways."""

    async def perform(game: Live, who: str, use: Use) -> None:
        arms = arms_of(game.scene, who)[str(use.detail)]
        await struck_at(game, who, str(use.target), arms, how)

    return perform


ATTACKS = (
    Action(
        "strike",
        "Strike",
        (STRIKE, "marchen.attack.is_skill_check"),
        attack("strike"),
        (UP, FIGHTING, IN_CONTROL, IN_RANGE, LOADED),
        ways("strike", "Strike"),
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule="marchen.time.combat_actions",
    ),
    Action(
        "clash",
        "Clash",
        (CLASH,),
        attack("clash"),
        (UP, FIGHTING, BAD_SPOT, IN_RANGE, LOADED),
        ways("clash", "Clash against"),
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule="marchen.time.combat_actions",
    ),
    Action(
        "end_the_fight",
        "End the fight",
        (END,),
        attack("end_the_fight"),
        (UP, FIGHTING, Requirement(END, _is_hurt), IN_RANGE, LOADED),
        ways("end_the_fight", "End the fight against"),
        cost=AS_SIGNIFICANT,
        price=SIGNIFICANT,
        price_rule="marchen.time.combat_actions",
    ),
)
