"""The MCP server: each tool answers with text for people and models, and with the same as structured content.

Every refusal is a tool error whose text says what was wrong, what is allowed and what comes nearest. No tool reads or
writes a file, and no tool imports a module by name: a model may only name what is installed or what it made here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import signature
from typing import Annotated, Any, TypeVar

from pydantic import Field, ValidationError

from tablewright.agents.mcp.games import MOST_WAIT, Games, GameView, LocalGame, TableGame, turn_advice, turn_odds
from tablewright.agents.mcp.games import demand_turn as demand_turn_of
from tablewright.agents.mcp.pages import find_group, option_json, option_line, page_of
from tablewright.api.advice import Advice, advise
from tablewright.api.character import Character
from tablewright.api.fight import Fight
from tablewright.api.live import connect
from tablewright.api.odds import Odds, odds
from tablewright.api.rules import rule, rules, system
from tablewright.engine.parameters import Parameter
from tablewright.errors import InvalidInputError, TablewrightError, did_you_mean
from tablewright.extras import needs_extra
from tablewright.game.narration.formatting import label_of
from tablewright.game.rules.entry_points import system_ids
from tablewright.game.rules.ledger import Rule
from tablewright.game.scenario.loader import load_scenario, scenario_names
from tablewright.game.scenario.schema import policy_names
from tablewright.game.system.registry import load_system
from tablewright.game.system.shipped_content import shipped_library
from tablewright.version import __version__

with needs_extra("mcp"):
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
    from mcp.types import CallToolResult, TextContent

INSTRUCTIONS = """Tablewright knows five open tabletop role-playing rule books exactly. Look rules up with search_rules,
compute chances with odds, and play: start_fight begins a fight against bots, join_table takes a seat at a live table.
Both give the id of a game; then look, options, option_odds, advice and choose play it. Ids stand in backquotes."""

MOST_OUTCOMES = 40
MOST_DIGITS = 24
"""Length of an exact chance; longer ones are given in percent alone."""
MOST_CHARACTERS = 200
MOST_ABOUT = 2_400
"""Length of the descriptions of all parameters of a mechanic."""
MOST_MISFITS = 5
MOST_LINK_SECONDS = 30.0
_NAME = re.compile(r"[a-z0-9_]+:[a-z0-9_-]+(\*[0-9]{1,2})?\Z")

F = TypeVar("F", bound=Callable[..., CallToolResult])
Page = Annotated[int, Field(description="Page of the list, from 1.", ge=1)]
GameId = Annotated[str, Field(description="Id that start_fight or join_table gave.")]
SystemId = Annotated[str, Field(description="Id of a game system, such as mars; list_games has all.")]
Arguments = Annotated[
    dict[str, Any] | None, Field(description='Arguments of the mechanic by name, such as {"difficulty": 14}.')
]


def answer(text: str, data: Mapping[str, Any]) -> CallToolResult:
    """Result of a tool: text, and the same as plain data."""
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=dict(data))


def refusing(function: F) -> F:
    """Turn every error of this program into a tool error, whose text the model reads."""

    @wraps(function)
    def call(*args: Any, **named: Any) -> CallToolResult:
        try:
            return function(*args, **named)
        except TablewrightError as problem:
            raise ToolError(str(problem)) from None

    return call  # type: ignore[return-value]


class Toolbox:
    """Tools of one server, with the games and characters that were made through it."""

    def __init__(self) -> None:
        self.games = Games()
        self.characters: dict[str, Character] = {}

    # ------------------------------------------------------------------ books

    def list_games(self) -> CallToolResult:
        """List the installed game systems with their scenarios for start_fight."""
        found = [
            {"id": id_, "title": system(id_).title, "scenarios": [f"{id_}:{name}" for name in scenario_names(id_)]}
            for id_ in system_ids()
        ]
        rows = [f"- `{one['id']}` {one['title']}: {', '.join(map(str, one['scenarios']))}" for one in found]
        return answer("\n".join(rows), {"systems": found, "policies": list(policy_names())})

    def search_rules(
        self,
        words: Annotated[str, Field(description="Words that the rule holds, such as: falling damage.")],
        system: Annotated[str | None, Field(description="Id of one system; all without it.")] = None,
        page: Page = 1,
    ) -> CallToolResult:
        """Search the rules of the books; read_rule gives one whole."""
        found = page_of(rules(words, system), page, size=8)
        rows = [f"`{item.id}` {item.title}: {_short(item.text, 220)}" for item in found.items]
        text = "\n".join([*rows, found.more]).strip() or f'No rule holds all of "{words}"; try fewer words.'
        return answer(text, found.to_json("rules", lambda one: {"id": one.id, "title": one.title}))

    def read_rule(self, id: Annotated[str, Field(description="Id of the rule.")]) -> CallToolResult:  # noqa: A002
        """Read one rule of a book, with its figures and its source."""
        found = rule(id)
        return answer(rule_text(found), {"id": found.id, "title": found.title, "text": found.text, "kind": found.kind})

    def mechanics(
        self,
        system: SystemId,
        name: Annotated[str | None, Field(description="One mechanic, such as mars.check, with its parameters.")] = None,
        page: Page = 1,
    ) -> CallToolResult:
        """List the mechanics of a system, or the parameters of one."""
        book = load_system(system)
        if name is not None:
            one = book.mechanic(name.removeprefix(f"{system}."))
            most = MOST_ABOUT // max(1, len(one.params))
            taken = {part.name: _takes(part, most) for part in one.params}
            needed = [part.name for part in one.params if part.required]
            rows = [f"- {name}: {takes}{'' if name in needed else ' (optional)'}" for name, takes in taken.items()]
            data = {"name": one.name, "summary": one.summary, "parameters": taken, "required": needed}
            return answer("\n".join([f"`{one.name}` {one.summary}", *rows]), data)
        found = page_of(book.mechanics, page, size=12)
        rows = [
            f"- `{item.name}`({', '.join([part.name for part in item.params])}) {item.summary}" for item in found.items
        ]
        listed = found.to_json("mechanics", lambda one: {"name": one.name, "summary": one.summary})
        return answer("\n".join([*rows, found.more]).strip(), listed)

    def odds(
        self,
        what: Annotated[str, Field(description="Dice such as 4d6kh3, or a mechanic such as mars.check.")],
        arguments: Arguments = None,
        objective: Annotated[str | None, Field(description="Objective of the mechanic's choices.")] = None,
    ) -> CallToolResult:
        """Compute exact odds of dice or of a mechanic."""
        found = odds(what, objective=objective, **(arguments or {})) if arguments or objective else odds(what)
        return odds_answer(found)

    def advise(
        self,
        mechanic: Annotated[str, Field(description="A mechanic with a choice in it, such as stage.leveled.")],
        arguments: Arguments = None,
        objective: Annotated[str | None, Field(description="What to aim at.")] = None,
    ) -> CallToolResult:
        """Find the best first choice inside a mechanic, and the value of each option."""
        return advice_answer(advise(mechanic, objective=objective, **(arguments or {})))

    # ------------------------------------------------------------------ characters

    def list_characters(self, system: SystemId, page: Page = 1) -> CallToolResult:
        """List the ready-made characters and creatures of a system, for start_fight and read_character."""
        book = load_system(system)
        library = shipped_library(book)
        entries = [entry for kind in book.rulebook.character_kinds for entry in library.of(kind)]
        own = [name for name, one in self.characters.items() if one.ruleset.system.id == system]
        names = [*own, *dict.fromkeys([f"{system}:{entry.id}" for entry in entries])]
        found = page_of(names, page, size=60)
        return answer("\n".join([", ".join(found.items), found.more]).strip(), found.to_json("characters"))

    def make_character(
        self,
        system: SystemId,
        name: Annotated[str | None, Field(description="Name of the character.")] = None,
        seed: Annotated[int | None, Field(description="The same seed makes the same character.", ge=0)] = None,
        answers: Annotated[
            dict[str, str] | None, Field(description="Answers to steps of creation by name; the rest is random.")
        ] = None,
    ) -> CallToolResult:
        """Make a legal character at random, except for the given answers; the id can be used in start_fight."""
        if len(self.characters) >= MOST_CHARACTERS:
            raise InvalidInputError(f"{MOST_CHARACTERS} characters were made already")
        given: dict[str, Any] = dict(answers or {})
        if taken := [step for step in given if step in ("system", "seed", "name", "packs", "options")]:
            raise InvalidInputError(f'"{taken[0]}" is not a step of creation', field="answers")
        made = Character.random(system, seed, name=name, **given)
        number = len(self.characters) + 1
        id_ = f"character-{number}"
        self.characters[id_] = made
        return answer(f"Made `{id_}`.\n\n{made}", {"id": id_} | _character_json(made))

    def read_character(
        self, character: Annotated[str, Field(description="Id of a made character, or SYSTEM:ID such as mars:fighter.")]
    ) -> CallToolResult:
        """Read the sheet of a character."""
        found = self._character(character)
        problems = [str(problem) for problem in found.problems]
        return answer(str(found), {"id": character} | _character_json(found) | {"problems": problems})

    def check_odds(
        self,
        character: Annotated[str, Field(description="Id of a made character, or SYSTEM:ID.")],
        check: Annotated[str, Field(description="Name of a skill or check, such as athletics.")],
        situation: Annotated[
            dict[str, str] | None, Field(description='Situation by name, such as {"difficulty": "hard"}.')
        ] = None,
    ) -> CallToolResult:
        """Compute the exact odds of a character's check."""
        return odds_answer(self._character(character).check(check, **(situation or {})).odds)

    def _character(self, name: str) -> Character:
        if name in self.characters:
            return self.characters[name]
        _demand_name(name, self.characters)
        return Character.load(name)

    # ------------------------------------------------------------------ playing

    def start_fight(
        self,
        *,
        scenario: Annotated[
            str | None, Field(description="A scenario such as mars:even; or give party and foes.")
        ] = None,
        party: Annotated[list[str] | None, Field(description="Characters: made ids or SYSTEM:ID.")] = None,
        foes: Annotated[list[str] | None, Field(description="Foes, such as mars:goblin*2.")] = None,
        side: Annotated[str | None, Field(description="Side to play; the first one without it.")] = None,
        bots: Annotated[str, Field(description="Policy of the other sides: random, aggressive, careful, best.")] = (
            "careful"
        ),
        seed: Annotated[int | None, Field(description="The same seed and choices repeat a fight.", ge=0)] = None,
        rounds: Annotated[int | None, Field(description="End in a draw after so many rounds.", ge=1)] = None,
    ) -> CallToolResult:
        """Start a fight and play one side of it; bots play the others. Answers with the game and its first choice."""
        if bots not in policy_names():
            known = policy_names()
            raise InvalidInputError(
                f'"{bots:.40}" is not a policy; allowed are {", ".join(known)}{did_you_mean(bots, known)}'
            )
        if (scenario is None) == (not party or not foes):
            raise InvalidInputError("give either a scenario, or both party and foes")
        who: list[Any]
        if scenario is not None:
            _demand_name(scenario, ())
            who = [scenario]
            sides = list(dict.fromkeys([one.side for one in load_scenario(scenario).entrants]))
        else:
            who = [[self._fighter(one) for one in row] for row in (party or [], foes or [])]
            sides = ["party", "foes"]
        own = side or sides[0]
        if own not in sides:
            raise InvalidInputError(
                f'no side is called "{own:.40}"; sides are {", ".join(sides)}{did_you_mean(own, sides)}'
            )
        others = {one: bots for one in sides if one != own}
        game = LocalGame(Fight(*who, seed=seed, bots=others, rounds=rounds), own)
        self.games.add(game)
        return self._view(game)

    def _fighter(self, name: str) -> Character | str:
        if name in self.characters:
            return self.characters[name]
        _demand_name(name, self.characters)
        return name

    def join_table(
        self,
        link: Annotated[str, Field(description="Link to a seat, as the game master gave it away; it works once.")],
        name: Annotated[str | None, Field(description="Name to enter under, for open invitations.")] = None,
    ) -> CallToolResult:
        """Take a seat at a live table. The seat's rights are all that these tools have there."""
        seat = connect(link, name=name, patience=MOST_LINK_SECONDS)
        seat.enter(wait=False)
        game = TableGame(seat)
        self.games.add(game)
        with game.lock:
            game.wait(1.0)
            return self._view(game)

    def look(self, game: GameId) -> CallToolResult:
        """Look at a game: participants, the open choice and its options, in groups if they are many."""
        found = self.games.find(game)
        with found.lock:
            return self._view(found, since=found.mark)

    def story(self, game: GameId, page: Page = 1) -> CallToolResult:
        """Read the whole story of a game in sentences, in pages."""
        found = self.games.find(game)
        with found.lock:
            told = page_of(found.lines(), page, size=30)
        return answer("\n".join([*told.items, told.more]).strip(), told.to_json("told"))

    def options(
        self,
        game: GameId,
        group: Annotated[str | None, Field(description="Action whose options are listed; all without it.")] = None,
        page: Page = 1,
    ) -> CallToolResult:
        """List the options of the open choice, or of one group, in pages; also those that are closed, with reasons."""
        found = self.games.find(game)
        with found.lock:
            turn = demand_turn_of(found)
            listed = page_of(turn.options if group is None else find_group(group, turn.options).options, page)
            closed = [one for one in turn.closed if group is None or one.id.partition(":")[0] == group][:8]
        rows = [option_line(item) for item in listed.items]
        rows += [f"- closed: {one.label or one.id}: {one.reason}" for one in closed]
        data = listed.to_json("options", option_json)
        data["closed"] = [{"id": one.id, "label": one.label, "reason": one.reason} for one in closed]
        return answer("\n".join([*rows, listed.more]).strip(), data)

    def option_odds(
        self, game: GameId, option: Annotated[str, Field(description="Id of an option.")]
    ) -> CallToolResult:
        """Compute the exact odds of the roll behind an option, by what this seat may know."""
        found = self.games.find(game)
        with found.lock:
            return odds_answer(turn_odds(found, option))

    def advice(self, game: GameId) -> CallToolResult:
        """Get the value of each option of the open choice, by what this seat may know."""
        found = self.games.find(game)
        with found.lock:
            return advice_answer(turn_advice(found))

    def choose(
        self, game: GameId, option: Annotated[str, Field(description="Id of the option to take.")]
    ) -> CallToolResult:
        """Take an option. Answers with what happened until this seat is asked again, and the next choice."""
        found = self.games.find(game)
        with found.lock:
            before = found.mark
            found.choose(option)
            return self._view(found, since=before)

    def wait(
        self,
        game: GameId,
        seconds: Annotated[float, Field(description="Longest wait in seconds.", ge=0, le=MOST_WAIT)] = 20.0,
    ) -> CallToolResult:
        """Wait at a live table until this seat is asked or the scene ends."""
        found = self.games.find(game)
        with found.lock:
            before = found.mark
            found.wait(seconds)
            return self._view(found, since=before)

    def leave(self, game: GameId) -> CallToolResult:
        """Leave a game; a seat at a live table stays there, but its link is used up."""
        self.games.drop(game)
        return answer("You have left the game.", {"game": game, "state": "left"})

    def _view(self, game: LocalGame | TableGame | Any, since: int = 0) -> CallToolResult:
        view = GameView(game, since)
        return answer(view.text, view.data)


TOOLS = (
    "list_games",
    "search_rules",
    "read_rule",
    "mechanics",
    "odds",
    "advise",
    "list_characters",
    "make_character",
    "read_character",
    "check_odds",
    "start_fight",
    "join_table",
    "look",
    "story",
    "options",
    "option_odds",
    "advice",
    "choose",
    "wait",
    "leave",
)
"""Tools in the order in which clients list them."""


class ToolServer(MCPServer[Any]):
    """An MCP server whose refusals are sentences without the names of classes and libraries."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Any:
        """Call a tool; a refusal says what is wrong and what the tool takes."""
        if name not in TOOLS:
            raise ToolError(f'there is no tool "{name:.40}"{did_you_mean(name, TOOLS)}; there are {", ".join(TOOLS)}')
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as problem:
            if isinstance(problem.__cause__, ValidationError):
                raise ToolError(_misfit(name, problem.__cause__)) from None
            raise ToolError(str(problem).removeprefix(f"Error executing tool {name}: ")) from None


def _misfit(name: str, problem: ValidationError) -> str:
    """The arguments that do not fit a tool, and those that it takes."""
    found = []
    for error in problem.errors()[:MOST_MISFITS]:
        where = ".".join([str(part) for part in error["loc"]])
        given = error["input"]
        missing = error["type"] == "missing"
        found.append(f"{name} needs {where}" if missing else f"{where}={given!r:.40}: {error['msg']}")
    takes = [parameter for parameter in signature(getattr(Toolbox, name)).parameters if parameter != "self"]
    return f"{'; '.join(found)} (it takes {', '.join(takes)})"


def make_server() -> MCPServer[Any]:
    """A server with games and characters of its own; its ``run`` serves standard input or HTTP."""
    server = ToolServer(
        "tablewright", title="Tablewright", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    toolbox = Toolbox()
    for name in TOOLS:
        server.tool(name=name)(refusing(getattr(toolbox, name)))

    @server.resource("rule://{id}", name="rule", description="One rule of a book, by its id.", mime_type="text/plain")
    def read(id: str) -> str:  # noqa: A002 - the word of the ledger
        try:
            return rule_text(rule(id))
        except TablewrightError as problem:
            raise ToolError(str(problem)) from None

    return server


def rule_text(found: Rule) -> str:
    """A rule as text: title, text, ruling, figures and source."""
    parts = [f"{found.title} (`{found.id}`)", found.text]
    if found.ruling:
        parts.append(f"Ruling: {found.ruling}")
    if found.data is not None:
        parts.append(f"Figures: {_short(str(found.data), 1_500)}")
    return "\n\n".join([*parts, found.citation])


def odds_answer(found: Odds[Any]) -> CallToolResult:
    """Odds as a chart, and as outcomes with exact and rounded chances; many outcomes are summed up."""
    items = found.items()
    shown = [
        {"outcome": label_of(outcome), "percent": str(chance)}
        | ({"chance": exact} if len(exact := str(chance.exact)) <= MOST_DIGITS else {})
        for outcome, chance in items[:MOST_OUTCOMES]
    ]
    data: dict[str, Any] = {"label": found.label, "outcomes": shown, "total": len(items)}
    if found.numeric:
        data["mean"] = round(float(found.mean), 4)
    text = found.chart() if len(items) <= MOST_OUTCOMES else f"{found!r}"
    return answer(text, data)


def advice_answer(found: Advice[Any]) -> CallToolResult:
    """Advice with the value of each option, the best first."""
    rows = sorted(found.options.items(), key=lambda row: -row[1])
    data = {"best": found.best.id, "values": [{"option": name, "value": value} for name, value in rows[:MOST_OUTCOMES]]}
    lines = [f"- `{name}` {value:g}" for name, value in rows[:12]]
    more = [f"and {len(rows) - 12} more"] if len(rows) > 12 else []
    return answer("\n".join([f"Best: `{found.best.id}` {found.best.label}", *lines, *more]), data)


def _takes(parameter: Parameter, most: int) -> str:
    """Meaning of a parameter and its allowed values in words, in at most ``most`` characters."""
    return _short(": ".join([part for part in (parameter.about, parameter.kind.allowed()) if part]), most)


def _character_json(made: Character) -> dict[str, Any]:
    return {"name": made.name, "system": made.ruleset.system.id, "sheet": str(made)}


def _demand_name(word: str, made: Mapping[str, Any] | Sequence[str]) -> None:
    """Refuse everything but SYSTEM:ID: no tool opens files."""
    if not _NAME.match(word):
        known = ", ".join([*made][:8])
        raise InvalidInputError(
            f'"{word:.60}" is neither SYSTEM:ID, such as mars:fighter, nor a character made here'
            f"{f' ({known})' if known else ''}"
        )


def _short(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 3]}..."
