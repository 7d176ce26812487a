"""Advancement: awards, purchases with experience, and stepping back."""

from __future__ import annotations

from typing import Annotated, Literal

from tablewright.engine import ClosedOption, Param, Tally, process
from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean, refuse_if
from tablewright.game.character.creation import CreationOption, Step
from tablewright.game.content.library import Library
from tablewright.game.play.common_events import CharacterChanged
from tablewright.game.play.purchases import Advancement, purchasing
from tablewright.game.play.time_passage import AtLeisure, each_named
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import Scene
from tablewright.systems.stage.character import costs
from tablewright.systems.stage.character.record import Advance, StageCharacter
from tablewright.systems.stage.content import Skill
from tablewright.systems.stage.creation import choice_for
from tablewright.systems.stage.effects import Power
from tablewright.systems.stage.legality import legality
from tablewright.systems.stage.options import StageOptions

SESSION, CHALLENGE = 20, 5  # stage.gap.advancement.awards
AWARD = "stage.advancement.award"
LEARNING = Step("learning", "Learning")
Kind = Annotated[Literal["skill", "power"], Param("the kind of purchase: a skill level or a power")]
Name = Annotated[str, Param("the id of the skill or power")]
Choice = Annotated[str, Param("the choice of a power that needs one: a track, an item, an ability")]


def session_award(challenges: int, bonus: int = 0) -> Tally:
    """Character Points of a session for each participant.

    >>> session_award(2).total
    30
    """
    rule = "stage.gap.advancement.awards"
    tally = Tally.of("session", SESSION, rule).add("major challenges", CHALLENGE * challenges, rule)
    return tally.add("bonus", bonus, "stage.advancement.award")


@process(rules=["stage.advancement.award", "stage.gap.advancement.awards"])
async def award(
    game: Game,
    challenges: Annotated[int, Param("the number of major challenges met", 0, 100)] = 0,
    bonus: Annotated[int, Param("Character Points that the game master adds", -20, 1_000)] = 0,
    who: Annotated[tuple[str, ...], Param("the ids of the characters; empty for all")] = (),
) -> None:
    """Character Points for a session, and for every major challenge."""
    amount = max(0, session_award(challenges, bonus).total)
    for one in each_named(game, who, lambda one: not one.character.is_creature):
        character: StageCharacter = game[one].character
        gained = character.changed(awarded=character.awarded + amount, opportunity=character.opportunity + 1)
        game.emit(CharacterChanged(who=one, what=f"{amount} Character Points", character=gained, cause=AWARD))


# ---------------------------------------------------------------------- buying


def cost_of(character: StageCharacter, what: str, name: str, library: Library) -> Tally:
    """Price of a character's next level in a skill, or of a power."""
    if what == "power":
        return costs.power_cost(library.get(Power, name), character, library)
    level = character.level(name) + 1
    return Tally.of(f"{library.get(Skill, name).name} {level}", costs.level_cost(level), "stage.character.skill_cost")


def refusal(
    character: StageCharacter, what: str, name: str, options: StageOptions, library: Library, left: int
) -> tuple[str, str] | None:
    """Reason and rule against a purchase with the remaining points, or None."""
    if what == "skill":
        known = tuple([one.id for one in costs.skills_of(options, library)])
        if name not in known:
            return f'there is no skill "{name:.40}"{did_you_mean(name, known)}', "stage.skill.attributes"
        most = costs.highest_level(options)
        if most is not None and character.level(name) >= most:
            return f"{most} is the highest level", "stage.character.skill_cost"
    else:
        known = library.ids(Power)
        if name not in known:
            return f'there is no power "{name:.40}"{did_you_mean(name, known)}', "stage.power.vocabulary"
        no = costs.refused(library.get(Power, name), character, options, library)
        if no is not None:
            return no
    cost = cost_of(character, what, name, library).total
    return (f"costs {cost} Character Points and {character.name} has {left}", AWARD) if cost > left else None


def bought(character: StageCharacter, what: str, name: str, cost: int, choice: str = "") -> StageCharacter:
    """The character with one more level or power."""
    now = character.opportunity
    advance = Advance(what=what, name=name, cost=cost, choice=choice, opportunity=now)  # type: ignore[arg-type]
    advances = (*character.advances, advance)
    if what == "skill":
        return character.changed(skills=character.skills.put(name, character.level(name) + 1), advances=advances)
    choices = character.choices
    if choice:
        choices = choices.put(name, (*choices.get(name, ()), choice))
    return character.changed(powers=(*character.powers, name), choices=choices, advances=advances)


def demand_choice(character: StageCharacter, power: Power, choice: str, library: Library) -> str:
    """The choice that belongs to a power; refused where it is missing, wrong, or was made before."""
    allowed = costs.choices_for(power, library)
    if allowed is None:
        if choice:
            raise InvalidInputError(f"nothing is chosen with {power.name}", field="choice")
        return ""
    had = character.choices.get(power.id, ())
    choice = costs.meant(choice, (*had, *allowed))
    if not choice or (choice not in allowed and not costs.is_free_choice(power)):
        shown = ", ".join(allowed[:12])
        hint = did_you_mean(choice, allowed) if choice else ""
        raise InvalidInputError(f"{power.name} is for one of {shown}; say choice=...{hint}", field="choice")
    refuse_if(choice in had, f"{power.name} was bought for {choice} before", rule="stage.character.power_cost")
    return choice


def _display_name(what: str, name: str, library: Library) -> str:
    """The name of a skill or power; an unknown id as it is, with a colon."""
    known = library.has(Power, name) if what == "power" else library.has(Skill, name)
    if not known:
        return f"{name}:"
    return library.get(Power, name).name if what == "power" else library.get(Skill, name).name


@process(rules=["stage.advancement.award", "stage.character.skill_cost", "stage.power.prerequisites"])
async def advance(game: Game, who: AtLeisure, what: Kind, name: Name, choice: Choice = "") -> None:
    """Buy a skill level or a power at the prices of creation; not inside an Encounter."""
    options, library = game.scene.options, game.scene.library
    left = costs.points_left(game[who].character, library)
    no = refusal(game[who].character, what, name, options, library, left)
    if no is not None:
        called = _display_name(what, name, library)
        raise IllegalActionError(f"{called}{':' if no[0][:1].isdigit() else ''} {no[0]}", rule=no[1])
    if what == "power":
        choice = demand_choice(game[who].character, library.get(Power, name), choice, library)
    cost = cost_of(game[who].character, what, name, library)
    raised = bought(game[who].character, what, name, cost.total, choice)
    words = f"{library.get(Power, name).name}" if what == "power" else f"{name} {raised.level(name)}"
    told = f"{words} for {cost.total} Character Points"
    game.emit(CharacterChanged(who=who, what=told, character=raised, cause=cost.rules[0]))


def _demand_nothing_lost(game: Game, who: str, last: Advance) -> None:
    """Refuse what would leave powers, spells or a load behind that are no longer within the rules."""
    scene, mine, lowered = game.scene, game[who].belongings, lowered_by(game[who].character, last)
    before = legality(scene[who].character.changed(belongings=mine), scene.options, scene.library)
    after = legality(lowered.changed(belongings=mine), scene.options, scene.library)
    known = [(one.rule, one.where) for one in before.violations]
    for one in after.violations:
        refuse_if((one.rule, one.where) not in known, one.message, rule=one.rule)


def lowered_by(character: StageCharacter, last: Advance) -> StageCharacter:
    """The character as it was before the last thing was bought."""
    advances = character.advances[:-1]
    if last.what == "skill":
        level = character.level(last.name) - 1
        skills = character.skills.put(last.name, level) if level else character.skills.drop(last.name)
        return character.changed(skills=skills, advances=advances)
    at = len(character.powers) - 1 - character.powers[::-1].index(last.name)
    powers = (*character.powers[:at], *character.powers[at + 1 :])
    choices = character.choices
    if last.choice:
        rest = choices[last.name][:-1]
        choices = choices.put(last.name, rest) if rest else choices.drop(last.name)
    return character.changed(powers=powers, choices=choices, advances=advances)


# ---------------------------------------------------------------------- everything that can be bought


def purchases(scene: Scene, who: str) -> list[CreationOption | ClosedOption]:
    """Everything that can be bought with its cost, and why the rest cannot."""
    character: StageCharacter = scene[who].character
    options, library = scene.options, scene.library
    every = [("skill", one.id, one.name) for one in costs.skills_of(options, library)]
    every += [("power", one.id, one.name) for one in library.of(Power)]
    left = costs.points_left(character, library)
    found: list[CreationOption | ClosedOption] = []
    for what, name, label in every:
        no = refusal(character, what, name, options, library, left)
        if no is not None:
            found.append(ClosedOption(f"{what}:{name}", *no, label))
            continue
        cost = cost_of(character, what, name, library)
        to = f"{label} {character.level(name) + 1}" if what == "skill" else label
        found.append(CreationOption(f"{what}:{name}", to, cost.total, rule=cost.rule))
    return found


async def _buy(game: Game, who: str, taken: CreationOption) -> None:
    what, _, name = taken.id.partition(":")
    choice, library = "", game.scene.library
    if what == "power":
        choice = await choice_for(game[who].character, library.get(Power, name), library, LEARNING, game.seat(who))
    await advance.function(game, who, what, name, choice)


ADVANCEMENT = Advancement(
    rule=AWARD,
    points="Character Points",
    returned="points",
    left=lambda scene, who: costs.points_left(scene[who].character, scene.library),
    offers=purchases,
    buy=_buy,
    lower=lambda scene, character, last: lowered_by(character, last),
    keeps=_demand_nothing_lost,
)
PROCESSES = (award, advance, *purchasing(ADVANCEMENT))
