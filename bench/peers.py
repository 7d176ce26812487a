"""Engines of others that play whole games, beside whole fights of ours, in one run.

They live in an environment of their own, `build/peers`, which is made at the first call; where that cannot be done the
row says so. `python bench/peers.py` measures them all and writes nothing; with the name of a peer, run by the
environment's own Python, it plays that one alone and prints what came of it. Seconds are those of the processor.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build" / "peers"
PACKAGES = ("open_spiel==2.0.2", "pokerkit==0.7.7", "dnd-5e-core==0.4.5")
SECONDS = 4.0


class Played(NamedTuple):
    """Games and steps of one peer, and the seconds they took."""

    games: int
    steps: int
    seconds: float


# ---------------------------------------------------------------------- the peers, in their own environment


def _for_a_while(game: Callable[[], int]) -> Played:
    """Games one after the other; the first one, which fills the caches, does not count."""
    game()
    began, games, steps = time.process_time(), 0, 0
    while time.process_time() - began < SECONDS:
        steps += game()
        games += 1
    return Played(games, steps, time.process_time() - began)


def kuhn() -> Played:
    """Kuhn poker of open_spiel in its Python version, at random."""
    import pyspiel  # noqa: PLC0415
    from open_spiel.python.games import kuhn_poker  # noqa: F401, PLC0415 - it registers itself

    rules, choose = pyspiel.load_game("python_kuhn_poker"), random.Random(1).choice

    def game() -> int:
        state, steps = rules.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
            steps += 1
        return steps

    return _for_a_while(game)


def holdem() -> Played:
    """A hand of four at no-limit hold'em in pokerkit: everybody checks or calls."""
    from pokerkit import Automation, NoLimitTexasHoldem  # noqa: PLC0415

    automations = tuple([one for one in Automation if one not in (Automation.CARD_BURNING, Automation.HOLE_DEALING)])

    def game() -> int:
        state = NoLimitTexasHoldem.create_state(
            automations, ante_trimming_status=True, raw_antes=0, raw_blinds_or_straddles=(1, 2), min_bet=2,
            raw_starting_stacks=200, player_count=4,
        )  # fmt: skip
        steps = 0
        while state.status:
            if state.can_burn_card():
                state.burn_card()
            elif state.can_deal_hole():
                state.deal_hole()
            elif state.can_deal_board():
                state.deal_board()
            else:
                state.check_or_call()
            steps += 1
        return steps

    return _for_a_while(game)


def goblins() -> Played:
    """A fighter against three goblins in dnd-5e-core, without a grid; a step is a turn."""
    from copy import deepcopy  # noqa: PLC0415

    from dnd_5e_core.combat import CombatSystem  # noqa: PLC0415
    from dnd_5e_core.data import load_monster  # noqa: PLC0415
    from dnd_5e_core.data.loaders import simple_character_generator  # noqa: PLC0415

    random.seed(1)
    fighter = simple_character_generator(level=5, race_name="human", class_name="fighter", name="Fighter")
    goblin, fight = load_monster("goblin"), CombatSystem(verbose=False)

    def game() -> int:
        hero, foes, turns = deepcopy(fighter), [deepcopy(goblin) for _ in range(3)], 0
        for number in range(1, 101):
            standing = [foe for foe in foes if foe.hit_points > 0]
            if not standing or hero.hit_points <= 0:
                break
            fight.character_turn(hero, [hero], standing, [hero])
            turns += 1
            for foe in [foe for foe in standing if foe.hit_points > 0]:
                if hero.hit_points > 0:
                    fight.monster_turn(foe, standing, [hero], [hero], number)
                    turns += 1
        return turns

    return _for_a_while(game)


PEERS: dict[str, Callable[[], Played]] = {"kuhn": kuhn, "holdem": holdem, "goblins": goblins}


# ---------------------------------------------------------------------- ours beside them


def environment() -> Path | None:
    """The Python of the peers' own environment; None where it cannot be made."""
    python = PLACE / "bin" / "python"
    ready = PLACE / "ready"
    if ready.exists() and ready.read_text(encoding="utf-8") == " ".join(PACKAGES):
        return python
    venv.create(PLACE, with_pip=True, clear=True)
    made = subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], check=False, capture_output=True)
    if made.returncode:
        return None
    ready.write_text(" ".join(PACKAGES), encoding="utf-8")
    return python


def played_by(python: Path, peer: str) -> Played | None:
    """What a peer does in its environment; None where it fails."""
    ran = subprocess.run([str(python), __file__, peer], check=False, capture_output=True, text=True)
    return None if ran.returncode else Played(*json.loads(ran.stdout.splitlines()[-1]))


def lines() -> Iterator[str]:
    """Peers beside ours: fights of one of ours against three, and asks of an even fight."""
    from lab_rows import rate_of  # noqa: PLC0415

    from tablewright.cli.arguments.jobs import job_from  # noqa: PLC0415

    def ours(*words: str) -> tuple[float, float]:
        rate = rate_of(job_from(words, {}, runs="1", seed="1", rounds=None, anyway=False).ring(), SECONDS)
        return rate.fights, rate.asks

    small, even = ours("mars:fighter", "mars:goblin*3"), ours("mars:even")
    yield "| peer | games/s | steps/s | ours | games of ours to one | asks of ours to a step |"
    yield "|---|---:|---:|---|---:|---:|"
    python = environment()
    for peer, play in PEERS.items():
        title = (play.__doc__ or "").partition(";")[0].rstrip(".")
        found = None if python is None else played_by(python, peer)
        if found is None:
            yield f"| {title} | | | could not be run here | | |"
            continue
        games, steps = found.games / found.seconds, found.steps / found.seconds
        word, (fights, asks) = ("mars:fighter mars:goblin*3", small) if peer == "goblins" else ("mars:even", even)
        yield f"| {title} | {games:,.0f} | {steps:,.0f} | `{word}` | {fights / games:.3g} | {asks / steps:.3g} |"


if __name__ == "__main__":
    if len(sys.argv) == 2:
        with contextlib.redirect_stdout(io.StringIO()):
            result = PEERS[sys.argv[1]]()
        print(json.dumps(result))
    else:
        print("\n".join(lines()))
