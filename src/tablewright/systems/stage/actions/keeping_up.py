"""Spells that are kept up by concentrating on them, and how magic is detected."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.game.actions import Action, Use
from tablewright.game.common import Checked
from tablewright.game.lasting import Lasting, TookHold
from tablewright.game.prices import Price
from tablewright.game.scene import Live, Participant, Scene
from tablewright.systems.stage.actions.assisting import assisted
from tablewright.systems.stage.actions.checking import once_for_all, plainly, with_powers
from tablewright.systems.stage.actions.common import (
    ABLE,
    end_of_next_turn,
)
from tablewright.systems.stage.character.figures import enchantments_in, surface_of
from tablewright.systems.stage.content import Enchantment, Spell
from tablewright.systems.stage.now import (
    effects,
    powers,
    price_of,
)
from tablewright.systems.stage.powers import Price as OtherPrice
from tablewright.systems.stage.status import same_cube
from tablewright.systems.stage.values import SCHOOLS, SURFACE

UPKEEP = 2  # stage.magic.concentration
SPELL = "spell:"
"""What the source of an effect begins with that a spell keeps up."""


# ---------------------------------------------------------------------- keeping up


def _kept_up(scene: Scene, who: str) -> list[tuple[str, Lasting]]:
    return [
        (one.id, held)
        for one in scene.participants
        for held in one.status.lasting
        if held.by == who and held.source.startswith(SPELL) and held.until.round == scene.round
    ]


def _concentrations(scene: Scene, who: str) -> Iterator[Use]:
    for target, held in _kept_up(scene, who):
        label = f"Keep up {held.id.replace('_', ' ')} on {scene.called(target)}"
        yield Use("concentrate", target, held.id, label=label)
        for power in upkeeps(scene, who, held.id):
            if power:
                name = powers(scene, who)[power].power.name
                yield Use("concentrate", target, f"{held.id}+{power}", label=f"{label}: {name}")


def upkeeps(scene: Scene, who: str, spell: str) -> dict[str, Price]:
    """2 AP, or 1 by a power; and by another none, for a point a turn, as the caster likes (stage.magic.concentration).

    The price without a name is the one that takes no points; those are of the spell's own surface track.
    """
    known = [(one, price) for one, price in effects(scene, who, OtherPrice) if "concentrate" in price.actions]
    plain = [price.ap for one, price in known if one.power.special != "upkeep"]
    found = {"": Price.of(ap=min([UPKEEP, *plain]))}
    for one, price in known:
        if one.power.special == "upkeep":
            surface = surface_of(scene.library.get(Spell, spell).schools[0], scene.library)
            found[one.id] = Price.of(ap=price.ap, **{surface: 1})
    return found


def _upkeep_price(scene: Scene, who: str, use: Use) -> Price:
    spell, _, power = str(use.detail).partition("+")
    return upkeeps(scene, who, spell).get(power, Price.of(ap=UPKEEP))


async def _concentrate(game: Live, who: str, use: Use) -> None:
    for target, held in _kept_up(game.scene, who):
        if target == use.target and held.id == str(use.detail).partition("+")[0]:
            longer = Lasting(
                held.id, end_of_next_turn(game.scene, who), held.degree, by=who, source=held.source, data=held.data
            )
            game.emit(TookHold(who=target, what=longer, cause="stage.magic.concentration"))


# ---------------------------------------------------------------------- detecting


def _detections(scene: Scene, who: str) -> Iterator[Use]:
    if scene.options.magic == "off":
        return
    for school in SCHOOLS:  # who has no level rolls the minimum die (stage.check.minimum)
        yield Use("detect", detail=school, label=f"Detect magic: {school.title()}")
        for one, price in effects(scene, who, OtherPrice):
            if f"{school}.detect" in price.actions:
                yield Use("detect", detail=f"{school}+{one.id}", label=f"Detect magic: {one.power.name}")


def _detect_price(scene: Scene, who: str, use: Use) -> Price:
    school, _, power = str(use.detail).partition("+")
    surface = SURFACE[scene.library.get("skills", school).attribute]
    found = powers(scene, who).get(power)
    if found is None:
        return Price.of(ap=3, **{surface: 1})
    return Price.of(**{surface: 1}) + price_of(found.power)


async def _detect(game: Live, who: str, use: Use) -> None:
    """One roll: the circle to find an effect of the skill in one's cube, three times the circle to know it."""
    rule = "stage.magic.app_detect"
    school = str(use.detail).partition("+")[0]
    key = f"{school}.detect"
    lent, _ = await assisted(game, who, key, _detect_price(game.scene, who, use)["ap"])
    made = await with_powers(game, who, key, plainly(game, who, key, dice=lent))
    rolled = await once_for_all(game, who, made)
    found: list[str] = []
    for one in game.scene.participants:
        if not one.present or not same_cube(game.scene, who, one.id):
            continue
        if one.hidden and one.side != game[who].side:
            continue  # nobody is betrayed by what is on them before they are seen
        for name, circle, schools in _magic_on(game.scene, one):
            own = school in schools or game.scene.options.detect_scope == "all_magic"
            if own and rolled.reaches(circle):
                what = name if rolled.reaches(3 * circle) else "magic"
                found.append(f"{what} on {game.scene.called(one.id)}")
    result = ", ".join(dict.fromkeys(found)) or "nothing"
    game.emit(Checked(who=who, what=key, result=result, cause=rule))


def _magic_on(scene: Scene, one: Participant) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """The magic on somebody: spells that last, and enchantments in what they carry; name, circle and skills."""
    for held in one.status.lasting:
        if scene.library.has(Spell, held.id):
            spell = scene.library.get(Spell, held.id)
            yield spell.name, spell.circle, spell.schools
    for carried in one.status.belongings:
        for id_ in enchantments_in(carried):
            if scene.library.has(Enchantment, id_):
                found = scene.library.get(Enchantment, id_)
                yield f"{found.name} in {carried.item.replace('_', ' ')}", found.circle, (found.school,)


KEEPING_UP = (
    Action(
        "concentrate",
        "Keep up a spell",
        ("stage.magic.concentration",),
        _concentrate,
        (ABLE,),
        _concentrations,
        price=_upkeep_price,
        price_rule="stage.magic.concentration",
    ),
    Action(
        "detect",
        "Detect magic",
        ("stage.magic.app_detect",),
        _detect,
        (ABLE,),
        _detections,
        price=_detect_price,
        price_rule="stage.magic.app_detect",
    ),
)
