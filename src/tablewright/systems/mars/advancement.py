"""Advancement: awards, purchases with experience, and stepping back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from tablewright.engine import ClosedOption, Param, Tally, choose, process
from tablewright.errors import IllegalActionError, did_you_mean, refuse, refuse_if
from tablewright.game.character.creation import CreationOption
from tablewright.game.content.library import Library
from tablewright.game.narration.formatting import as_meant
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.purchases import Advancement, purchasing
from tablewright.game.play.time_passage import AtLeisure, Who, each_named
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.systems.mars.character import costs
from tablewright.systems.mars.character.costs import What
from tablewright.systems.mars.character.record import Advance, MarsCharacter
from tablewright.systems.mars.content import STATS, Maneuver, Skill, Stat, Talent
from tablewright.systems.mars.creation import languages_of
from tablewright.systems.mars.events.recovery import change
from tablewright.systems.mars.legality import advanced, beyond, learnable, slots_for

SESSION, MOTIVATION, MAJOR_GOAL = 3, 1, 3  # mars.advancement.session_xp
AWARD, SPENDING, TRACKING = "mars.advancement.session_xp", "mars.advancement.spending", "mars.advancement.tracking"
GATE, CHECKPOINTS = "mars.advancement.story_gate", "mars.advancement.checkpoints"

Kind = Annotated[What, Param("kind of advance")]
Name = Annotated[str, Param("which stat, skill, language or talent, by its id")]


def session_experience(motivations: int, *, major_goal: bool, bonus: int = 0) -> Tally:
    """Experience that every character gets for a session.

    >>> session_experience(2, major_goal=False).total
    5
    """
    tally = Tally.of("session", SESSION, AWARD).add("motivations met", MOTIVATION * motivations, AWARD)
    return tally.add("major goal", MAJOR_GOAL if major_goal else 0, AWARD).add("bonus", bonus, AWARD)


@process(rules=["mars.advancement.session_xp"])
async def award(
    game: Game,
    motivations: Annotated[int, Param("number of players who met their character's motivation", 0, 100)] = 0,
    bonus: Annotated[int, Param("bonus from the game master", 0, 1000)] = 0,
    who: Annotated[tuple[str, ...], Param("the ids of those who get it; empty for every character")] = (),
    major_goal: Annotated[bool, Param("whether a major goal of the adventure was met")] = False,
) -> None:
    """End a session: every character gets experience, and the time between sessions begins."""
    amount = session_experience(motivations, major_goal=major_goal, bonus=bonus).total
    for one in each_named(game, who, lambda one: not one.character.is_creature):
        character: MarsCharacter = game[one].character
        gained = character.changed(experience=character.experience + amount, opportunity=character.opportunity + 1)
        told = f"{amount} experience{_reminder(gained)}"
        game.emit(CharacterChanged(who=one, what=told, character=gained, cause=AWARD))


def _reminder(character: MarsCharacter) -> str:
    return "; a checkpoint is due" if costs.checkpoints_due(character) else ""


@process(rules=["mars.advancement.session_xp"])
async def reward(game: Game, who: Who, experience: Annotated[int, Param("amount of experience", 1, 1000)]) -> None:
    """The game master gives one character more experience."""
    character: MarsCharacter = game[who].character
    gained = character.changed(experience=character.experience + experience)
    told = f"{experience} experience{_reminder(gained)}"
    game.emit(CharacterChanged(who=who, what=told, character=gained, cause=AWARD))


# ---------------------------------------------------------------------- buying


def refusal(scene: Scene, who: str, what: What, name: str) -> tuple[str, str] | None:
    """Reason against an advance, with its rule; None if it is allowed."""
    character: MarsCharacter = scene[who].character
    name = called(character, what, name)
    library: Library = scene.library
    problem = _unknown(what, name, library)
    if problem:
        return problem, SPENDING
    if character.opportunity == 0:
        name = scene.display_name(who)
        return f"{name} can spend experience after a session; mars.award ends one", SPENDING
    for known in character.advances:
        if (known.opportunity, known.what, known.name) == (character.opportunity, what, name):
            return f"{_shown(what, name, library)} was advanced already since the last session", SPENDING
    for reason, rule in beyond(character, what, name, scene.options, library):
        return reason, rule
    if what == "talent" and _teaches_nothing(character, name, library):
        return "no maneuver is left to learn", "mars.maneuver.number_known"
    cost = costs.price(character, what, name, library).cost.total
    if cost > character.available:
        shown, spender = _shown(what, name, library), scene.display_name(who)
        return f"{shown} costs {cost} experience and {spender} has {character.available}", TRACKING
    return None


def _shown(what: What, name: str, library: Library) -> str:
    """The display name of something that can be advanced."""
    if what == "skill":
        return library.get(Skill, name).name
    if what == "talent":
        return library.get(Talent, name).name
    return name.capitalize() if what == "language" else name


def _teaches_nothing(character: MarsCharacter, name: str, library: Library) -> bool:
    """True if a talent gives room for a maneuver and none is left that could be learned."""
    after = advanced(character, Advance(what="talent", name=name, cost=0))
    more = len(slots_for(after, library)) > len(slots_for(character, library))
    return more and not learnable(after, library)


def called(character: MarsCharacter, what: What, name: str) -> str:
    """The advanced thing as the character spells it; a language is the same however it is written."""
    if what != "language":
        return name
    said = as_meant(name)
    known = [*character.native, *character.languages]
    return next((one for one in known if as_meant(one) == said), said)


def _unknown(what: What, name: str, library: Library) -> str:
    known: Iterable[str] = ()
    if what == "stat":
        known = STATS
    elif what == "skill":
        known = library.ids(Skill)
    elif what == "talent":
        known = library.ids(Talent)
    elif not name.strip() or len(name) > 60:
        return "a language has a name"
    names = tuple(known)
    return "" if what == "language" or name in names else f'there is no {what} "{name:.40}"{did_you_mean(name, names)}'


@process(rules=["mars.advancement.spending", "mars.advancement.skill_limit", "mars.talent.repeat_cost"])
async def advance(game: Game, who: AtLeisure, what: Kind, name: Name) -> None:
    """Buy one step of a stat, skill, language or talent with experience."""
    name = called(game[who].character, what, name)
    refuse(refusal(game.scene, who, what, name))
    if game.scene.options.advancement_story_gate:
        answer = await choose(GAME_MASTER, f"may {who} advance {name}?", ["yes", "no"], details={"rule": GATE})
        refuse_if(
            answer == "no",
            f"the game master does not agree that {game.scene.display_name(who)} advances {name}",
            rule=GATE,
        )
    maneuver = await _learn(game, who, _bought(game, who, what, name), name if what == "skill" else "")
    refuse(refusal(game.scene, who, what, name))  # the character may have changed while the question was open
    price = costs.price(game[who].character, what, name, game.scene.library)
    raised = _bought(game, who, what, name, maneuver)
    bought = raised.advances[-1]
    step = "step " if what == "talent" else "r"
    was = f" from {step}{price.was}" if price.was else ""
    change(game, who, f"{name}{was} to {step}{price.value} for {bought.cost}", raised, cause=price.cost.rules[-1])


def _bought(game: Game, who: str, what: What, name: str, maneuver: str = "") -> MarsCharacter:
    """The character with one more step, and with the maneuver that it taught."""
    character: MarsCharacter = game[who].character
    price = costs.price(character, what, name, game.scene.library)
    bought = Advance(what=what, name=name, cost=price.cost.total, opportunity=character.opportunity, maneuver=maneuver)
    raised = advanced(character, bought)
    known = (*raised.maneuvers, maneuver) if maneuver else raised.maneuvers
    return raised.changed(advances=(*character.advances, bought), maneuvers=known)


async def _learn(game: Game, who: str, character: MarsCharacter, skill_id: str) -> str:
    """A combat skill or a talent may give a new maneuver: which one is asked. A skill gives one of its own."""
    library: Library = game.scene.library
    able = learnable(character, library)
    able = [one for one in able if skill_id in one.skills] or able
    if not able:
        return ""
    offers = [CreationOption(one.id, one.name, note=f"{one.stamina} stamina, {one.speed}") for one in able]
    closed = []
    for one in library.of(Maneuver):
        if one.id in character.maneuvers:
            closed.append(ClosedOption(one.id, "is known already", "mars.maneuver.number_known", one.name))
        elif one not in able:
            skills = ", ".join([library.get(Skill, name).name for name in one.skills])
            closed.append(ClosedOption(one.id, f"is learned with {skills}", "mars.maneuver.overview", one.name))
    taken = await choose(game.seat(who), "which maneuver is learned?", offers, closed=closed, details={"who": who})
    return taken.id


def lowered_by(character: MarsCharacter, last: Advance) -> MarsCharacter:
    """The character as it was before the last thing was bought."""
    changes: dict[str, object] = {"advances": character.advances[:-1]}
    if last.maneuver:
        changes["maneuvers"] = tuple([id_ for id_ in character.maneuvers if id_ != last.maneuver])
    if last.what == "stat":
        value = getattr(character.stats, last.name)
        changes["stats"] = character.stats.changed(**{last.name: value._replace(n=value.n - costs.STEP)})
    elif last.what == "talent":
        owned = character.talents[last.name] - 1
        changes["talents"] = character.talents.put(last.name, owned) if owned else character.talents.drop(last.name)
    else:
        field = "skills" if last.what == "skill" else "languages"
        known = getattr(character, field)
        value = known[last.name]
        lower = value.n - costs.STEP
        first = lower < costs.FIRST
        changes[field] = known.drop(last.name) if first else known.put(last.name, value._replace(n=lower))
    return character.changed(**changes)


# ---------------------------------------------------------------------- checkpoints


@process(rules=["mars.advancement.checkpoints"])
async def checkpoint(game: Game, who: AtLeisure, stat: Annotated[Stat, Param("the stat that gets +1")]) -> None:
    """For every 50 points of experience gained, one stat gets +1 for good; each stat at most twice."""
    character: MarsCharacter = game[who].character
    taken = len(character.checkpoints)
    if not costs.checkpoints_due(character):
        needed = (taken + 1) * costs.EVERY
        called_so = game.scene.display_name(who)
        message = f"{called_so} has {character.experience} experience; the next checkpoint is at {needed}"
        raise IllegalActionError(
            message if taken < 4 * costs.PER_STAT else f"{called_so} has had every checkpoint", rule=CHECKPOINTS
        )
    if character.checkpoints.count(stat) >= costs.PER_STAT:
        raise IllegalActionError(f"{stat} was chosen {costs.PER_STAT} times already", rule=CHECKPOINTS)
    raised = character.changed(checkpoints=(*character.checkpoints, stat))
    change(game, who, f"{stat} +1", raised, cause=CHECKPOINTS)


# ---------------------------------------------------------------------- everything that can be bought


def purchases(scene: Scene, who: str) -> list[CreationOption | ClosedOption]:
    """Purchases with their costs, and closed ones with their reasons."""
    character: MarsCharacter = scene[who].character
    library: Library = scene.library
    every: list[tuple[What, str, str]] = [("stat", name, name) for name in STATS]
    every += [("skill", one.id, one.name) for one in library.of(Skill)]
    foreign = [name for name in languages_of(library) if name not in character.native]
    every += [("language", name, name.title()) for name in dict.fromkeys([*character.languages, *foreign])]
    every += [("talent", one.id, one.name) for one in library.of(Talent)]
    found: list[CreationOption | ClosedOption] = _checkpoints(character)
    for what, name, label in every:
        refused = refusal(scene, who, what, name)
        if refused is not None:
            found.append(ClosedOption(f"{what}:{name}", *refused, label))
            continue
        price = costs.price(character, what, name, library)
        to = f"r{price.value}" if what != "talent" else f"step {price.value}"
        found.append(CreationOption(f"{what}:{name}", f"{label} to {to}", price.cost.total, rule=price.cost.rules[-1]))
    return found


def _checkpoints(character: MarsCharacter) -> list[CreationOption | ClosedOption]:
    """The stats that a checkpoint raises, as long as one is due."""
    if not costs.checkpoints_due(character):
        return []
    full = [name for name in STATS if character.checkpoints.count(name) >= costs.PER_STAT]
    reason = f"was chosen {costs.PER_STAT} times already"
    return [
        ClosedOption(f"checkpoint:{name}", reason, CHECKPOINTS, f"{name}, a checkpoint")
        if name in full
        else CreationOption(f"checkpoint:{name}", f"{name} +1, a checkpoint", rule=CHECKPOINTS)
        for name in STATS
    ]


async def _buy(game: Game, who: str, taken: CreationOption) -> None:
    what, _, name = taken.id.partition(":")
    if what == "checkpoint":
        await checkpoint.function(game, who, name)
    else:
        await advance.function(game, who, what, name)


ADVANCEMENT = Advancement(
    rule=SPENDING,
    rules=(CHECKPOINTS,),
    points="experience",
    returned="experience",
    left=lambda scene, who: scene[who].character.available,
    offers=purchases,
    buy=_buy,
    lower=lambda scene, character, last: lowered_by(character, last),
    period="session",
    record=change,
)
step_back, spend = purchasing(ADVANCEMENT)
PROCESSES = (award, reward, advance, step_back, checkpoint, spend)
