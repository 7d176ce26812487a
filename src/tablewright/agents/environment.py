"""Fights as a learning environment: PettingZoo's AEC interface for every scenario of every system."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from tablewright.agents.menu import SLOTS, ActionMenu, ActionSlot, menu_of, slot_rows
from tablewright.api.fight import Bots, Side, read_bots, scenario_of, session_policy, turn_of
from tablewright.api.session_question import heading_of, narration
from tablewright.api.turn import Turn
from tablewright.engine import Choice, Playthrough, Roll
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean
from tablewright.extras import needs_extra
from tablewright.game.narration.projection import as_offered, secret_words
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.scenario.loader import scenario_names
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import open_session, rounds_argument
from tablewright.game.session.policies import Policy, careful
from tablewright.game.session.record import StartEntry
from tablewright.game.session.session import SessionHeader
from tablewright.lab.fights.option_features import WIDTH, Looks, OptionFeatures
from tablewright.lab.fights.trial import Trial, winner_of

with needs_extra("rl"):
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_ANSWERS = 100_000
"""Upper bound for answers and rolls of one fight."""

RENDER_MODES = ("ansi",)


def scenario_ids() -> tuple[str, ...]:
    """Every scenario of every installed system, as :func:`env` takes it."""
    return tuple([f"{system}:{name}" for system in system_ids() for name in scenario_names(system)])


class SteppedFight(Trial):
    """A fight that stops at every choice of an agent, and keeps no more than replay and narration need."""

    _bots: Mapping[str, Policy]

    def begin(self, bots: Mapping[str, Policy]) -> None:
        """Start the encounter; ``bots`` answer for participants by id."""
        process, arguments = self.rulebook.encounter, rounds_argument(self.rulebook, self.scene)
        self._bots = bots
        self._sides = {participant.side for participant in self.scene.participants}
        self._stack = [Playthrough(process.read(self.live, arguments), self.live.log)]
        self._start_entry = StartEntry(process.name, arguments)
        self._go_on()

    def answer(self, index: int) -> None:
        """Take an option of the open choice, then let dice and bots go on."""
        self._stack[-1].choose(index)
        self._go_on()

    def _go_on(self) -> None:
        (playing,) = self._stack
        for _ in range(MOST_ANSWERS):
            question = playing.question
            if question is None:
                self.entries = [self._start_entry, *playing.record]
                self._stack = []
                return
            if isinstance(question, Roll):
                playing.roll(self._drawn("roll"))
                continue
            bot = self._bot_for(question)
            if bot is None:
                return
            playing.choose(bot(self, question))
        raise TablewrightError(
            f"the fight does not end: {MOST_ANSWERS:,} answers were given (round {self.scene.round})"
        )

    def _bot_for(self, question: Choice[Any]) -> Policy | None:
        """Policy that answers a choice; None for an agent.

        The game master's seat, with whatever enters the scene later, answers as careful bots do.
        """
        if self.seat not in self._sides:
            return careful
        people = [participant.id for participant in self.scene.participants if participant.seat == self.seat]
        who = question.details.get("who")
        return self._bots.get(who if isinstance(who, str) and who in people else people[0])


class FightEnv(AECEnv):  # type: ignore[misc]
    """A fight in which each side is an agent; sides with bots are part of the environment.

    Agents are called after their side, such as ``party_0``. The reward comes with the end: 1 for the side that wins, -1
    for the others, and 0 for a draw.
    """

    metadata = {"name": "tablewright_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": False}

    def __init__(
        self,
        *who: Side,
        bots: Bots | None = None,
        options: Mapping[str, object] | None = None,
        rounds: int | None = None,
        odds: bool = True,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InvalidInputError(
                f'render_mode is "{render_mode!s:.40}"; allowed are {", ".join(RENDER_MODES)}'
                f"{did_you_mean(str(render_mode), RENDER_MODES)}"
            )
        scenario = scenario_of(who, options=options, rounds=rounds).scenario
        if scenario.ends == "game_master":
            raise InvalidInputError("this scenario ends only by a ruling of the game master, and nobody rules here")
        entrants = [(entrant.id, entrant.side, entrant.name) for entrant in scenario.entrants]
        given = read_bots(bots, entrants)
        self.render_mode = render_mode
        self._bots = {name: session_policy(how) for name, how in given.items()}
        self._odds = odds
        plain = replace(scenario, entrants=tuple([replace(entrant, policy="") for entrant in scenario.entrants]))
        self._opened = open_session(plain, seed=0, seats={entrant.id: entrant.side for entrant in scenario.entrants})
        self.sides = tuple(dict.fromkeys([side for name, side, _ in entrants if name not in self._bots]))
        if not self.sides:
            raise InvalidInputError("every participant has a bot; leave at least one to an agent")
        self.possible_agents = [f"{side}_{number}" for number, side in enumerate(self.sides)]
        self._agent_of = dict(zip(self.sides, self.possible_agents, strict=True))
        self.agents: list[str] = []
        observed = spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (SLOTS, WIDTH), np.float32),
                "action_mask": spaces.Box(0, 1, (SLOTS,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observed)
        self.action_spaces = {agent: spaces.Discrete(SLOTS) for agent in self.possible_agents}
        self.fight: SteppedFight

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Space of observations: features of each slot, and the mask of the slots that are open."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Space of an agent's actions: the slots."""
        return self.action_spaces[agent]

    # ------------------------------------------------------------------ playing

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a new fight; the same seed and actions give the same fight."""
        if seed is not None and (isinstance(seed, bool) or not 0 <= int(seed) < 2**128):
            raise InvalidInputError(f"the seed is {seed!r:.40}; allowed are 0 to 2**128 - 1", field="seed")
        drawn = secrets.randbits(32) if seed is None else int(seed)
        old = self._opened.header
        self.fight = SteppedFight(
            SessionHeader(old.system, old.version, old.scene, drawn, old.source), self._opened.rulebook
        )
        self._looks = Looks.at_start(self.fight)
        self._told = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.fight.begin(self._bots)
        self._ask()

    def step(self, action: int | None) -> None:
        """Take the slot of an action: answer the choice, or open the menu behind the slot."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        slot = self._slot(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if slot.is_group:
            self._show(self._menu.opened(slot))
        else:
            name = self._question.ids[slot.options[0]]
            question = self.fight.question
            assert isinstance(question, Choice)
            self.fight.answer(question.ids.index(name))
            self._ask()
        self._accumulate_rewards()

    def _slot(self, action: int | None) -> ActionSlot:
        slots = self._menu.slots
        if action is None or isinstance(action, bool) or not 0 <= int(action) < len(slots):
            raise InvalidInputError(f"{action!r:.40} is not an open slot; open are 0 to {len(slots) - 1}")
        return slots[int(action)]

    def _ask(self) -> None:
        """Take up the open choice of the fight, or its end."""
        fight = self.fight
        question = fight.question
        if question is None:
            self._end()
            return
        assert isinstance(question, Choice)
        assert fight.seat is not None
        self._question = as_offered(question, secret_words(fight.scene, fight.seat)) or question
        self.agent_selection = self._agent_of[str(fight.seat)]
        self._show(menu_of(self._question.options))

    def _show(self, menu: ActionMenu) -> None:
        self._menu = menu
        self._seen: dict[str, NDArray[Any]] | None = None
        ids = self._question.ids
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = {
            "question": self._question.question,
            "options": tuple([f"{slot.action}:..." if slot.is_group else ids[slot.options[0]] for slot in menu.slots]),
        }

    def _end(self) -> None:
        winner = winner_of(self.fight.scene, self.fight.rulebook)
        for side, agent in self._agent_of.items():
            self.rewards[agent] = 0.0 if not winner else 1.0 if side == winner else -1.0
        self._menu, self._seen = ActionMenu(()), None
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"winner": winner, "ended": self.fight.scene.ended} for agent in self.agents}
        self.agent_selection = self.agents[0]

    # ------------------------------------------------------------------ seeing

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Observation of an agent; nothing is open to one that is not asked."""
        if agent != self.agent_selection or not self._menu.slots:
            return {"observation": np.zeros((SLOTS, WIDTH), np.float32), "action_mask": np.zeros(SLOTS, np.int8)}
        if self._seen is None:
            described = OptionFeatures(self.fight, self._question, self._looks, odds=self._odds)
            rows = slot_rows(described, self._menu)
            seen, mask = np.zeros((SLOTS, WIDTH), np.float32), np.zeros(SLOTS, np.int8)
            seen[: len(rows)] = rows
            mask[: len(rows)] = 1
            self._seen = {"observation": seen, "action_mask": mask}
        return {name: part.copy() for name, part in self._seen.items()}

    @property
    def turn(self) -> Turn:
        """The open choice as policies get it; refused at the end of the fight."""
        if self.fight.question is None:
            raise InvalidInputError("the fight is over; reset the environment")
        return turn_of(self.fight)

    def render(self) -> str | None:
        """Narration since the last call, and the open question; None without a render mode."""
        if self.render_mode is None:
            return None
        told = narration(self.fight, GAME_MASTER, self._told)
        self._told = len(self.fight.log)
        asked = heading_of(self.fight, str(self.fight.seat)) if self.fight.question is not None else ""
        return "\n".join([part for part in (told, asked) if part])

    def close(self) -> None:
        """Release nothing: a fight holds no resources."""


def env(
    *who: Side,
    bots: Bots | None = None,
    options: Mapping[str, object] | None = None,
    rounds: int | None = None,
    odds: bool = True,
    render_mode: Literal["ansi"] | None = None,
) -> AECEnv:
    """A fight as a PettingZoo environment: ``env("stage:together")``, or two sides as a ``Fight`` takes them.

    Sides in ``bots`` are played by policies and are no agents. ``odds=False`` leaves the chances out of the features,
    which is several times as fast. An action is the number of a slot; the mask says which are open, and ``info`` what
    is in them.
    """
    made = FightEnv(*who, bots=bots, options=options, rounds=rounds, odds=odds, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))
