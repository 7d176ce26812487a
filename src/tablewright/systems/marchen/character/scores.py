"""The sixteen scores of a new character, by the method of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import permutations, product

from tablewright.engine import ClosedOption, Request, d
from tablewright.game.character.creation import DONE, Budget, CreationOption, Step, choose_step
from tablewright.game.character.legality import Found, forbidden, not_all_spent, out_of_range, wrong_number
from tablewright.systems.marchen.character.record import MarchenCharacter, Scores
from tablewright.systems.marchen.mechanics.tasks import ROLLED, rolled_score
from tablewright.systems.marchen.options import MarchenOptions
from tablewright.systems.marchen.values import ASPECTS, CHARACTERISTIC_OF, CHARACTERISTICS, SCORES, SKILL_NAMES

SCORE_STEP = Step("scores", "Scores")
ARRAY = (3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -2)  # marchen.gap.generation.array
POINTS, LOWERED, LOWEST, HIGHEST = 13, 4, -2, 3  # marchen.gap.generation.points
EVERYBODY = 1  # marchen.gap.generation.narrative: what the other twelve scores are
LESS, MORE = 2, 3
CEPHEUS_DICE, CEPHEUS_NORMAL = (2, 6), 7

METHOD = "marchen.gap.generation.method"
BY_ARRAY, BY_ROLL = "marchen.gap.generation.array", "marchen.gap.generation.roll"
BY_STORY, BY_POINTS = "marchen.gap.generation.narrative", "marchen.gap.generation.points"
CEPHEUS = "marchen.gap.generation.cepheus"


async def generate(options: MarchenOptions) -> MarchenCharacter:
    """A character that has its scores and nothing else."""
    made = MarchenCharacter(name="Nobody", generation=options.generation)
    if options.score_scale == "cepheus":
        return await _cepheus(made.changed(scale="cepheus"), options)
    if options.generation == "roll":
        rolled = [await rolled_score() for _ in SCORES]
        scores = await _placed(sorted(rolled, reverse=True), BY_ROLL)
        return made.changed(scores=Scores(**scores), rolled=tuple(rolled))
    if options.generation == "array":
        scores = await _placed([value for value in ARRAY if value != EVERYBODY], BY_ARRAY)
        return made.changed(scores=Scores(**(dict.fromkeys(SCORES, EVERYBODY) | scores)))
    if options.generation == "narrative":
        return made.changed(scores=Scores(**await _narrative()))
    if options.generation == "points":
        return made.changed(scores=Scores(**await _points()))
    return made  # marchen.gap.generation.npc


async def _cepheus(made: MarchenCharacter, options: MarchenOptions) -> MarchenCharacter:
    """Two dice for each characteristic in order; an NPC is normal in all."""
    scores: dict[str, int] = dict.fromkeys(CHARACTERISTICS, CEPHEUS_NORMAL)
    if options.generation != "npc":
        count, sides = CEPHEUS_DICE
        for name in CHARACTERISTICS:
            scores[name] = await d(sides, count)
    return made.changed(scores=Scores(**scores))


def _which(question: str, names: Iterable[str], taken: Mapping[str, int], rule: str) -> Request[CreationOption]:
    closed = [ClosedOption(name, f"is {value:+d} already", rule, name.title()) for name, value in taken.items()]
    offers = [CreationOption(name, name.title(), note=_counts_for(name), rule=rule) for name in names]
    return choose_step(SCORE_STEP, question, offers, closed=closed, shown=dict(taken))


def _counts_for(name: str) -> str:
    """The skills that a score counts for."""
    if name in ASPECTS:
        return f"all nine {name} skills"
    return ", ".join([SKILL_NAMES[skill] for skill, own in CHARACTERISTIC_OF.items() if own == name])


async def _placed(values: Iterable[int], rule: str) -> dict[str, int]:
    """Place every value on a score of the player's choice."""
    placed: dict[str, int] = {}
    given = list(values)
    best = {max(given): "your best (%+d)", min(given): "your worst (%+d)"} if len(set(given)) > 1 else {}
    for value in given:
        chosen = await _which(f"which score is {best.get(value, '%+d') % value}?", SCORES, placed, rule)
        placed[chosen.id] = value
    return placed


async def _narrative() -> dict[str, int]:
    placed: dict[str, int] = {}
    for value, names in ((3, ASPECTS), (2, CHARACTERISTICS), (-2, ASPECTS), (-1, CHARACTERISTICS)):
        chosen = await _which(f"which one is {value:+d}?", names, placed, BY_STORY)
        placed[chosen.id] = value
    scores: dict[str, int] = dict.fromkeys(SCORES, EVERYBODY) | placed
    for change, number in ((-1, LESS), (1, MORE)):
        touched: list[str] = []
        for _ in range(number):
            closed = [ClosedOption(name, "is changed already", BY_STORY) for name in touched]
            closed += [
                ClosedOption(name, "is at its limit", BY_STORY)
                for name in SCORES
                if not -4 <= scores[name] + change <= 4
            ]
            offers = [
                CreationOption(name, f"{name.title()} to {scores[name] + change:+d}", rule=BY_STORY) for name in SCORES
            ]
            question = "which score is lower by 1?" if change < 0 else "which score is higher by 1?"
            chosen = await choose_step(SCORE_STEP, question, offers, closed=closed, shown=scores)
            touched.append(chosen.id)
            scores[chosen.id] += change
    return scores


async def _points() -> dict[str, int]:
    scores: dict[str, int] = dict.fromkeys(SCORES, 0)
    while True:
        lowered = [name for name in SCORES if scores[name] < 0]
        gained = -sum([scores[name] for name in lowered])
        budget = Budget("points", POINTS + gained, sum([max(0, value) for value in scores.values()]), BY_POINTS)
        offers, closed = [], []
        for name, value in scores.items():
            up, down = f"{name}+", f"{name}-"
            if value < 0:
                closed.append(ClosedOption(up, "was lowered", BY_POINTS))
            elif value >= HIGHEST:
                closed.append(ClosedOption(up, f"{HIGHEST} is the most", BY_POINTS))
            else:
                offers.append(
                    CreationOption(up, f"{name.title()} to {value + 1:+d}", 1, rule=BY_POINTS, value=(name, 1))
                )
            if value > 0:
                closed.append(ClosedOption(down, "was raised", BY_POINTS))
            elif value <= LOWEST:
                closed.append(ClosedOption(down, f"{LOWEST} is the least", BY_POINTS))
            elif value == 0 and len(lowered) >= LOWERED:
                closed.append(ClosedOption(down, f"{LOWERED} scores are lowered already", BY_POINTS))
            else:
                offers.append(
                    CreationOption(down, f"{name.title()} to {value - 1:+d}", -1, rule=BY_POINTS, value=(name, -1))
                )
        done = [DONE] if budget.left == 0 else []
        chosen = await choose_step(
            SCORE_STEP, "change which score?", [*offers, *done], closed=closed, budget=budget, shown=scores
        )
        if chosen is DONE:
            return scores
        name, by = chosen.value
        scores[name] += by


# ---------------------------------------------------------------------- legality


def problems(character: MarchenCharacter, options: MarchenOptions) -> Found:
    """Problems with the scores as they were made."""
    scores: dict[str, int] = {name: getattr(character.scores, name) for name in SCORES}
    if (character.scale or options.score_scale) == "cepheus":
        found: Found = ()
        for name in CHARACTERISTICS:
            low, high = (CEPHEUS_NORMAL, CEPHEUS_NORMAL) if character.generation == "npc" else (2, 12)
            found += out_of_range(f"scores.{name}", scores[name], low, high, rule=CEPHEUS)
        return found
    if character.generation != options.generation:
        made = f"made by {character.generation}, this table makes characters by {options.generation}"
        return forbidden("generation", made, rule=METHOD)
    return _FITS[character.generation](character, scores)


def _same(scores: dict[str, int], wanted: Iterable[int], rule: str) -> Found:
    given, allowed = sorted(scores.values(), reverse=True), sorted(wanted, reverse=True)
    if given == allowed:
        return ()
    return forbidden("scores", f"{_listed(given)} is not {_listed(allowed)}", rule=rule)


def _listed(values: Iterable[int]) -> str:
    return ", ".join([str(value) for value in values])


def _fits_roll(character: MarchenCharacter, scores: dict[str, int]) -> Found:
    found = wrong_number("rolled", character.rolled, len(SCORES), what="rolls", rule=BY_ROLL)
    known = {score for _, score in ROLLED}
    for value in character.rolled:
        if value not in known:
            found += forbidden("rolled", f"{value} cannot be rolled", rule=BY_ROLL)
    return found or _same(scores, character.rolled, BY_ROLL)


def _fits_narrative(character: MarchenCharacter, scores: dict[str, int]) -> Found:
    for (best, worst), (good, bad) in product(permutations(ASPECTS, 2), permutations(CHARACTERISTICS, 2)):
        first = dict.fromkeys(SCORES, EVERYBODY) | {best: 3, worst: -2, good: 2, bad: -1}
        changes = [scores[name] - first[name] for name in SCORES]
        more, less = changes.count(1), changes.count(-1)
        if set(changes) <= {-1, 0, 1} and more - less == MORE - LESS and more <= MORE:
            return ()
    return forbidden("scores", "no choices of the story lead to these scores", rule=BY_STORY)


def _fits_points(character: MarchenCharacter, scores: dict[str, int]) -> Found:
    found: Found = ()
    for name, value in scores.items():
        found += out_of_range(f"scores.{name}", value, LOWEST, HIGHEST, rule=BY_POINTS)
    lowered = [value for value in scores.values() if value < 0]
    found += wrong_number("scores", lowered, 0, LOWERED, what="scores below 0", rule=BY_POINTS)
    return found + not_all_spent("scores", sum(scores.values()), POINTS, rule=BY_POINTS)


_FITS: dict[str, Callable[[MarchenCharacter, dict[str, int]], Found]] = {
    "array": lambda _, scores: _same(scores, ARRAY, BY_ARRAY),
    "roll": _fits_roll,
    "narrative": _fits_narrative,
    "points": _fits_points,
    "npc": lambda character, scores: (),
}
