"""What skills bring outside fights: animals that learn, food that is found, things that are spoilt, chases."""

from __future__ import annotations

from typing import Annotated

from tablewright.engine import Param, process
from tablewright.errors import BadInput, RulesSayNo
from tablewright.game import belongings as goods
from tablewright.game.common import CharacterChanged
from tablewright.game.passing import demand_peace
from tablewright.game.scene import Live
from tablewright.game.table_processes import check, contest
from tablewright.game.trading import ItemId, Who
from tablewright.systems.stage.belongings import TRADE, damage_to, damaged, item_of
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Gear

Situation = Annotated[tuple[str, ...], Param("words of the situation, each as name=value")]


@process(rules=["stage.survival.train"])
async def train(
    game: Live,
    who: Who,
    animal: Annotated[str, Param("the id of the animal")],
    trick: Annotated[str, Param("what it shall learn, in a word or two")],
    situation: Situation = (),
) -> bool:
    """Teach an animal a trick: Survival (train) against its Will and Spirit; it learns as many as its Soul level."""
    demand_peace(game.scene, "stage.survival.train")
    who, animal = game[who].id, game[animal].id
    if not trick.strip():
        raise BadInput("a trick has a name", field="trick")
    if trick in game[animal].character.tricks:
        raise RulesSayNo(f"{game.scene.called(animal)} knows {trick} already", rule="stage.survival.train")
    result = await check(game, who, "survival.train", (f"target={animal}", *situation))
    if result.success:
        pupil: StageCharacter = game[animal].character
        taught = pupil.changed(tricks=(*pupil.tricks, trick))
        words = f"learns {trick}"
        game.emit(CharacterChanged(who=animal, what=words, character=taught, cause="stage.survival.train"))
    return bool(result.success)


@process(rules=["stage.survival.forage_gather_hunt"])
async def forage(
    game: Live,
    who: Who,
    situation: Annotated[tuple[str, ...], Param("words of the situation: difficulty=average, task=..., when=...")],
) -> bool:
    """Find food and water for one person for a day."""
    demand_peace(game.scene, "stage.survival.forage_gather_hunt")
    who, library = game[who].id, game.scene.library
    result = await check(game, who, "survival.forage_gather_hunt", situation)
    if result.success:
        got = game[who].belongings
        for what in ("food", "water"):
            found = next(one for one in library.of(Gear) if getattr(one, what) == 1)
            got = goods.add(got, found.id)
        TRADE.change(game, who, "finds food and water for a day", got, cause="stage.survival.forage_gather_hunt")
    return bool(result.success)


@process(rules=["stage.crafts.sabotage"])
async def sabotage(
    game: Live,
    who: Who,
    owner: Annotated[str, Param("the id of whose thing it is")],
    item: ItemId,
    situation: Situation = (),
) -> int:
    """Spoil something of somebody's: the second roll is damage that bypasses Resistance; gives the points it lost."""
    demand_peace(game.scene, "stage.crafts.sabotage")
    who, owner, library = game[who].id, game[owner].id, game.scene.library
    found = item_of(item, library)
    damaged(game[owner].belongings, item, 0, library)  # refuses what is not there or cannot be damaged
    result = await check(game, who, "crafts.sabotage", (f"thing={item}", *situation))
    lost = damage_to(found, result.effect, None, bypass=True)
    if lost:
        spoilt = damaged(game[owner].belongings, item, lost, library)
        words = f"{found.name} loses {lost} Integrity Points"
        TRADE.change(game, owner, words, spoilt, cause="stage.crafts.sabotage")
    return lost


@process(rules=["stage.athletics.pursue"])
async def pursue(
    game: Live,
    who: Who,
    pursued: Annotated[str, Param("the id of who runs away")],
    cubes: Annotated[int, Param("how far apart they are, in cubes", 0, 1_000)],
    situation: Situation = (),
    other_situation: Annotated[tuple[str, ...], Param("words of the situation of who runs away")] = (),
) -> int:
    """One stretch of a chase: the winner gains cubes equal to their speed; gives how far apart they are then."""
    demand_peace(game.scene, "stage.athletics.pursue")
    who, pursued = game[who].id, game[pursued].id
    key = "athletics.pursue"
    result = await contest(game, who, key, pursued, situation=situation, other_situation=other_situation)
    options, library = game.scene.options, game.scene.library
    winner = who if result.success else pursued
    gained = figures(game[winner].character, options, library).speed
    return max(0, cubes - gained) if result.success else cubes + gained


PROCESSES = (train, forage, sabotage, pursue)
