"""Skills outside fights: training animals, practice, foraging, sabotage, chases, rankings.

A check whose result is itself a Difficulty, or points, is rolled against nothing. Every application that has an
opponent can be rolled as a contest; the one who hides sets the Difficulty, so that a tie favours the observer.
"""

from __future__ import annotations

from typing import Annotated, Literal

from tablewright.engine import Param, process
from tablewright.errors import InvalidInputError
from tablewright.game.character import belongings as goods
from tablewright.game.play.common_events import CharacterChanged, Checked
from tablewright.game.play.time_passage import AtPeace, advance_time
from tablewright.game.play.trade import ItemId
from tablewright.game.scene.game import Game
from tablewright.game.session.processes import check, contest
from tablewright.systems.stage import now
from tablewright.systems.stage.actions.checks import result_of
from tablewright.systems.stage.belongings import TRADE, damage_to, damaged
from tablewright.systems.stage.chapters.riding import craft
from tablewright.systems.stage.character.figures import figures
from tablewright.systems.stage.character.gear import item_of
from tablewright.systems.stage.character.record import StageCharacter
from tablewright.systems.stage.content import Gear
from tablewright.systems.stage.harm import Ready
from tablewright.systems.stage.modifiers import applications
from tablewright.systems.stage.status import demand_able, handling_of
from tablewright.systems.stage.values import HOUR

# ---------------------------------------------------------------------- several at once


@process(rules=["stage.athletics.compete", "stage.speechcraft.discuss"])
async def ranking(
    game: Game,
    who: Annotated[tuple[str, ...], Param("the ids of the competitors")],
    what: Annotated[Literal["athletics.compete", "speechcraft.discuss"], Param("the contest")] = "athletics.compete",
) -> tuple[str, ...]:
    """Several compete: all roll, the highest result wins, ties are rolled again among the tied."""
    competitors = tuple(dict.fromkeys([game[one].id for one in who]))
    if len(competitors) < 2:
        named = " and ".join([game.scene.display_name(one) for one in competitors]) or "nobody"
        others = ", ".join([one.id for one in game.scene.present if one.status.able and one.id not in competitors])
        raise InvalidInputError(
            f"{named} cannot compete alone; name at least two, with {others or 'nobody'}", field="who"
        )
    rule = applications(game.scene.library)[what].rule
    for one in competitors:
        demand_able(game.scene, one)
    order = await _ranked(game, competitors, what)
    for place, one in enumerate(order, 1):
        game.emit(Checked(who=one, what=what, result=f"place {place}", cause=rule))
    return order


async def _ranked(game: Game, who: tuple[str, ...], what: str) -> tuple[str, ...]:
    results: dict[str, int] = {}
    for one in who:
        made = await result_of(game, one, now.pool(game.scene, one, what, words=("opposed",)))
        results[one] = made.result
    order: list[str] = []
    for result in sorted(set(results.values()), reverse=True):
        tied = tuple([one for one in who if results[one] == result])
        order += await _ranked(game, tied, what) if len(tied) > 1 else tied
    return tuple(order)


Situation = Annotated[tuple[str, ...], Param("words of the situation, each as name=value")]


@process(rules=["stage.survival.train"])
async def train(
    game: Game,
    who: AtPeace,
    animal: Annotated[str, Param("the id of the animal")],
    trick: Annotated[str, Param("the trick, in a word or two")],
    situation: Situation = (),
) -> bool:
    """Teach an animal a trick: Survival (train) against its Will and Spirit; it learns as many as its Soul level."""
    if not trick.strip():
        raise InvalidInputError(f'"{trick:.40}" names no trick; write a word or two, such as fetch', field="trick")
    game.refuse_if(trick in game[animal].character.tricks, animal, f"knows {trick} already", "stage.survival.train")
    result = await check(game, who, "survival.train", (f"target={animal}", *situation))
    if result.success:
        pupil: StageCharacter = game[animal].character
        taught = pupil.changed(tricks=(*pupil.tricks, trick))
        words = f"learns {trick}"
        game.emit(CharacterChanged(who=animal, what=words, character=taught, cause="stage.survival.train"))
    return bool(result.success)


@process(rules=["stage.mount.properties"])
async def practise(
    game: Game,
    who: Ready,
    mount: Annotated[str, Param("the id of the mount or craft")],
    hours: Annotated[int, Param("the hours of practice", 1, 1_000)],
) -> int:
    """Practise with a mount or craft that asks for it; gives the hours of practice with its kind so far."""
    rule = "stage.mount.properties"
    if craft(game.scene, mount) is None and not game[mount].character.is_creature:
        raise game.scene.cannot(mount, "is neither mount nor craft", rule)
    await advance_time(game, hours * HOUR, cause=rule)
    pupil: StageCharacter = game[who].character
    kind = handling_of(game.scene, mount).kind
    total = pupil.practised.get(kind, 0) + hours
    practised = pupil.changed(practised=pupil.practised.put(kind, total))
    words = f"practises with {game.scene.display_name(mount)}, {total} hours so far"
    game.emit(CharacterChanged(who=who, what=words, character=practised, cause=rule))
    return total


@process(rules=["stage.survival.forage_gather_hunt"])
async def forage(
    game: Game,
    who: AtPeace,
    situation: Annotated[tuple[str, ...], Param("words of the situation: difficulty=average, task=..., when=...")],
) -> bool:
    """Find food and water for one person for a day."""
    library = game.scene.library
    result = await check(game, who, "survival.forage_gather_hunt", situation)
    if result.success:
        got = game[who].belongings
        for what in ("food", "water"):
            found = next(one for one in library.of(Gear) if getattr(one, what) == 1)
            got = goods.add_item(got, found.id)
        TRADE.change(game, who, "finds food and water for a day", got, cause="stage.survival.forage_gather_hunt")
    return bool(result.success)


@process(rules=["stage.crafts.sabotage"])
async def sabotage(
    game: Game,
    who: AtPeace,
    owner: Annotated[str, Param("the id of the owner")],
    item: ItemId,
    situation: Situation = (),
) -> int:
    """Sabotage an item: the second roll is damage that bypasses Resistance; gives the points it lost."""
    library = game.scene.library
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
    game: Game,
    who: AtPeace,
    pursued: Annotated[str, Param("the id of the pursued")],
    cubes: Annotated[int, Param("the distance in cubes", 0, 1_000)],
    situation: Situation = (),
    other_situation: Annotated[tuple[str, ...], Param("the same for the pursued")] = (),
) -> int:
    """Run one stretch of a chase: the winner gains cubes equal to the speed score; gives the distance afterwards."""
    key = "athletics.pursue"
    result = await contest(game, who, key, pursued, situation=situation, other_situation=other_situation)
    options, library = game.scene.options, game.scene.library
    winner = who if result.success else pursued
    gained = figures(game[winner].character, options, library).speed
    return max(0, cubes - gained) if result.success else cubes + gained


PROCESSES = (train, practise, forage, sabotage, pursue)
