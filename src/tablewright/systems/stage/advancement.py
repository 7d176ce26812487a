"""Advancement: Character Points for a session, and the levels and powers that they buy."""

from __future__ import annotations

from typing import Annotated, Literal

from tablewright.engine import Closed, Param, Tally, choose, process
from tablewright.errors import BadInput, RulesSayNo, nearest
from tablewright.game.advancing import buy_step_by_step
from tablewright.game.common import CharacterChanged
from tablewright.game.content import Library
from tablewright.game.creation import Offer
from tablewright.game.scene import Live, Scene
from tablewright.game.trading import Who
from tablewright.systems.stage.character import costs
from tablewright.systems.stage.character.record import Advance, StageCharacter
from tablewright.systems.stage.content import Skill
from tablewright.systems.stage.options import StageOptions
from tablewright.systems.stage.powers import Power

SESSION, CHALLENGE = 20, 5  # stage.gap.advancement.awards
AWARD = "stage.advancement.award"
Kind = Annotated[Literal["skill", "power"], Param("what is bought: a level in a skill, or a power")]
Name = Annotated[str, Param("which skill or power, by its id")]
Choice = Annotated[str, Param("what is chosen with a power that wants a choice: a track, an item, an ability")]


def session_award(challenges: int, bonus: int = 0) -> Tally:
    """What everybody gets for a session.

    >>> session_award(2).total
    30
    """
    rule = "stage.gap.advancement.awards"
    tally = Tally.of("session", SESSION, rule).add("major challenges", CHALLENGE * challenges, rule)
    return tally.add("bonus", bonus, "stage.advancement.award")


@process(rules=["stage.advancement.award", "stage.gap.advancement.awards"])
async def award(
    game: Live,
    challenges: Annotated[int, Param("how many major challenges were met", 0, 100)] = 0,
    bonus: Annotated[int, Param("what the game master adds", -20, 1_000)] = 0,
    who: Annotated[tuple[str, ...], Param("the ids of those who get it; empty for every character")] = (),
) -> None:
    """Character Points for a session, and for every major challenge."""
    amount = max(0, session_award(challenges, bonus).total)
    named = who or tuple([one.id for one in game.scene.participants if not one.character.is_creature])
    for one in dict.fromkeys([game[each].id for each in named]):
        character: StageCharacter = game[one].character
        gained = character.changed(awarded=character.awarded + amount)
        game.emit(CharacterChanged(who=one, what=f"{amount} Character Points", character=gained, cause=AWARD))


# ---------------------------------------------------------------------- buying


def cost_of(character: StageCharacter, what: str, name: str, library: Library) -> Tally:
    """What the next level of a skill, or a power, costs somebody."""
    if what == "power":
        return costs.power_cost(library.get(Power, name), character, library)
    level = character.level(name) + 1
    return Tally.of(f"{library.get(Skill, name).name} {level}", costs.level_cost(level), "stage.character.skill_cost")


def refusal(
    character: StageCharacter, what: str, name: str, options: StageOptions, library: Library
) -> tuple[str, str] | None:
    """Why something cannot be bought now: the reason and its rule; None if it can."""
    if what == "skill":
        known = tuple([one.id for one in costs.skills_of(options, library)])
        if name not in known:
            return f'there is no skill "{name:.40}"{nearest(name, known)}', "stage.skill.attributes"
        most = costs.highest_level(options)
        if most is not None and character.level(name) >= most:
            return f"{most} is the highest level", "stage.character.skill_cost"
    else:
        known = library.ids(Power)
        if name not in known:
            return f'there is no power "{name:.40}"{nearest(name, known)}', "stage.power.vocabulary"
        no = costs.refused(library.get(Power, name), character, options, library)
        if no is not None:
            return no
    cost, left = cost_of(character, what, name, library).total, costs.points_left(character, library)
    return (f"costs {cost}, there are {left}", AWARD) if cost > left else None


def bought(character: StageCharacter, what: str, name: str, cost: int, choice: str = "") -> StageCharacter:
    """The character with one more level or power."""
    advance = Advance(what=what, name=name, cost=cost, choice=choice)  # type: ignore[arg-type]
    advances = (*character.advances, advance)
    if what == "skill":
        return character.changed(skills=character.skills.put(name, character.level(name) + 1), advances=advances)
    choices = character.choices
    if choice:
        choices = choices.put(name, (*choices.get(name, ()), choice))
    return character.changed(powers=(*character.powers, name), choices=choices, advances=advances)


def demand_choice(power: Power, choice: str, library: Library) -> None:
    """Refuse a power without the choice that belongs to it, or with a wrong one."""
    allowed = costs.choices_for(power, library)
    if allowed is None:
        if choice:
            raise BadInput(f"nothing is chosen with {power.name}", field="choice")
    elif not choice or (choice not in allowed and not costs.is_free_choice(power)):
        shown = ", ".join(allowed[:12])
        hint = nearest(choice, allowed) if choice else ""
        raise BadInput(f"{power.name} is for one of {shown}; say choice=...{hint}", field="choice")


@process(rules=["stage.advancement.award", "stage.character.skill_cost", "stage.power.prerequisites"])
async def advance(game: Live, who: Who, what: Kind, name: Name, choice: Choice = "") -> None:
    """Buy a skill level or a power at the prices of creation; not inside an Encounter."""
    who = game[who].id
    _demand_peace(game.scene)
    options, library = game.scene.options, game.scene.library
    no = refusal(game[who].character, what, name, options, library)
    if no is not None:
        raise RulesSayNo(f"{name}: {no[0]}", rule=no[1])
    if what == "power":
        demand_choice(library.get(Power, name), choice, library)
    cost = cost_of(game[who].character, what, name, library)
    raised = bought(game[who].character, what, name, cost.total, choice)
    words = f"{library.get(Power, name).name}" if what == "power" else f"{name} {raised.level(name)}"
    told = f"{words} for {cost.total} Character Points"
    game.emit(CharacterChanged(who=who, what=told, character=raised, cause=cost.rules[0]))


def _demand_peace(scene: Scene) -> None:
    if scene.round and scene.ended is None:
        raise RulesSayNo("Character Points are not spent inside an Encounter", rule=AWARD)


@process(rules=["stage.advancement.award"])
async def step_back(game: Live, who: Who) -> None:
    """Take back the last thing that was bought."""
    who = game[who].id
    _demand_peace(game.scene)
    character: StageCharacter = game[who].character
    if not character.advances:
        raise RulesSayNo(f"{game.scene.called(who)} has bought nothing since creation", rule=AWARD)
    last = character.advances[-1]
    lowered = lowered_by(character, last)
    missing = [
        power.name
        for power in [
            game.scene.library.get(Power, id_) for id_ in lowered.powers if game.scene.library.has(Power, id_)
        ]
        if any(costs.unmet(power, lowered, game.scene.options, game.scene.library))
    ]
    if missing:
        raise RulesSayNo(f"{missing[0]} needs {last.name}", rule="stage.power.prerequisites")
    told = f"{last.name} taken back, {last.cost} points returned"
    game.emit(CharacterChanged(who=who, what=told, character=lowered, cause=AWARD))


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


def purchases(scene: Scene, who: str) -> list[Offer | Closed]:
    """Everything that can be bought with its cost, and why the rest cannot."""
    character: StageCharacter = scene[who].character
    options, library = scene.options, scene.library
    every = [("skill", one.id, one.name) for one in costs.skills_of(options, library)]
    every += [("power", one.id, one.name) for one in library.of(Power)]
    found: list[Offer | Closed] = []
    for what, name, label in every:
        no = refusal(character, what, name, options, library)
        if no is not None:
            found.append(Closed(f"{what}:{name}", *no))
            continue
        cost = cost_of(character, what, name, library)
        to = f"{label} {character.level(name) + 1}" if what == "skill" else label
        found.append(Offer(f"{what}:{name}", to, cost.total, rule=cost.rule))
    return found


@process(rules=["stage.advancement.award"])
async def spend(game: Live, who: Who) -> None:
    """Spend Character Points step by step: everything that can be bought is shown, the rest with the reason."""
    who = game[who].id

    async def buy(taken: Offer) -> None:
        what, _, name = taken.id.partition(":")
        library, choice = game.scene.library, ""
        allowed = costs.choices_for(library.get(Power, name), library) if what == "power" else None
        if allowed is not None:
            had = game[who].character.choices.get(name, ())
            offers = [Offer(one, one.replace("_", " ")) for one in allowed if one not in had]
            choice = (await choose(game.seat(who), f"what is {name} for?", offers, about={"who": who})).id
        await advance.function(game, who, what, name, choice)

    await buy_step_by_step(
        game,
        who,
        lambda: f"{costs.points_left(game[who].character, game.scene.library)} Character Points",
        lambda: purchases(game.scene, who),
        buy,
    )


PROCESSES = (award, advance, step_back, spend)
