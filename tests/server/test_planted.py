"""A hunt: words are planted in every kind of secret, and looked for in all that a player and a spectator can get."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from server.serving import Person, Served, heard, serving
from server.test_twins import LOOKS
from table.test_secret_packs import entries, secret_pack, sheet_of
from table.test_secrets import SYSTEMS
from tablewright.engine import Choice
from tablewright.errors import InvalidInputError
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.session.opening import open_session
from tablewright.game.session.policies import POLICIES, aggressive
from tablewright.game.session.session import Session
from tablewright.game.system.registry import load_system
from tablewright.table import Table

HERO = "hero"
WORDS = {
    "an unknown character": "quorvane",
    "its id": "npc-zhelk",
    "somebody hidden": "drumvik",
    "their id": "ostrafel",
    "a place": "cellarium",
    "a note": "wyrdmoot",
    "a note of another player": "tollkirk",
    "a prepared encounter": "fenmarch",
    "a pack": "vexqua",
    "somebody at the door": "ysgawen",
    "a status": "glimmrot",
    "why a hidden die is rolled": "pranksome",
}
"""A word for every kind of secret; none is in any rule book."""

TURNS = 3
"""The number of answers the player gives."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of its own."""
    with serving(tmp_path_factory.mktemp("planted")) as running:
        yield running


def stay_away(session: Session, ask: Choice[Any]) -> int:
    """The aggressive answer, unless it leads to the secret place: whoever is seen to go there shows that it exists."""
    chosen = aggressive(session, ask)
    return chosen if WORDS["a place"] not in ask.ids[chosen] else ask.default


@pytest.fixture(autouse=True)
def _bots_stay_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES, "aggressive", stay_away)


def scenario(system: str) -> dict[str, Any]:
    """A fight on ground with range bands, in which a lurker hides at a place of its own."""
    people = open_session(load_scenario(f"{system}:together"), seed=1).scene.participants
    sides = list(dict.fromkeys([one.side for one in people]))
    told = [
        {"id": one.id, "name": one.name, "side": one.side, "character": one.character.to_json()}
        | {"position": f"spot:{('table', 'stove')[sides.index(one.side) > 0]}"}
        for one in people
    ]
    lurker = {"name": f"Old {WORDS['somebody hidden']}", "id": WORDS["their id"], "hidden": True}
    hidden = told[-1] | lurker | {"position": f"spot:{WORDS['a place']}"}
    hero = {"character": HERO, "side": sides[0], "position": "spot:table"}
    places = ("stove", WORDS["a place"])
    ground = {
        "kind": "bands",
        "bands": [{"name": "near", "limit": 2}, {"name": "far", "limit": 30}],
        "between": [{"spots": ["table", place], "band": "near"} for place in places],
    }
    return {"title": "Hunt", "ground": ground, "participants": [hero, told[1], told[-1], hidden]}


class Hunt:
    """A table of a system at which everything is planted, and its viewers."""

    def __init__(self, served: Served, system: str) -> None:
        self.served, self.system = served, system
        made = served.store.make_campaign("A hunt", system, seed=3, game_master="Gwen")
        cookie, (self.table, self.gm) = served.store.exchange(made.invitation.token)
        self.cookies = {self.gm: cookie}
        self.player, self.other = self._invited("Anna", "player"), self._invited("Ben", "player")
        self.watcher = self._invited("Walt", "spectator")

    def _invited(self, name: str, role: str) -> str:
        cookie, entry = self.served.store.exchange(self.table.invite(self.gm, name=name, role=role).token)
        self.cookies[entry.seat] = cookie
        return entry.seat

    def act(self, do: str, seat: str | None = None, /, **more: Any) -> None:
        self.table.act(seat or self.gm, {"do": do, **more})

    def start(self, process: str, **given: Any) -> None:
        self.act("start", process=process, **{"with": given})

    def person(self, seat: str) -> Person:
        return self.served.person(self.cookies[seat], self.table.id)

    def plant(self) -> None:
        """One secret of every kind before and in a scene."""
        sheet = sheet_of(self.system)
        self.act("character.add", character=sheet, id=HERO, seat=self.player)
        unknown = sheet | {"name": f"Lord {WORDS['an unknown character']}"}
        self.act("character.add", character=unknown, id=WORDS["its id"], known=False)
        self.act("pack.add", pack=secret_pack(self.system))
        self.act("note.write", text=f"the {WORDS['a note']} is near", to="self")
        self.act("note.write", self.other, text=f"I saw the {WORDS['a note of another player']}", to="gm")
        self.served.store.exchange(self.table.invite(self.gm).token, name=WORDS["somebody at the door"].title())
        told = scenario(self.system)
        kept = told | {"participants": [one for one in told["participants"] if one.get("id") != WORDS["their id"]]}
        self.act("encounter.keep", title=f"The {WORDS['a prepared encounter']}", scenario=kept)

    def fight(self) -> None:
        """Begin a fight with a hidden character, and play a few turns of it."""
        told = scenario(self.system)
        bots = {
            one["id"]: "aggressive" for one in told["participants"] if one.get("id") not in (None, WORDS["their id"])
        }
        self.act("scene.end", anyway=True)
        self.act("scene.begin", scenario=told, who=[WORDS["its id"]], bots=bots)
        status = {"what": "attack", "value": "1", "reason": WORDS["a status"], "who": WORDS["their id"]}
        self.start("table.modify", **status)
        self.act("note.write", text="something for everybody")
        self.act("throw", dice="3d6", audience="blind")
        self.play()

    def play(self) -> None:
        """Go on for a few turns: the player's first options, everyone else's by themselves."""
        for _ in range(TURNS * 4):
            sitting = self.table._sitting
            assert sitting is not None
            if not sitting.has_scene or sitting.session.question is None:
                return
            asked = self.table.view(self.player, 10**9)["question"]
            if isinstance(sitting.session.question, Choice) and "options" in asked:
                options = [one["id"] for one in asked["options"]]
                self.act("answer", self.player, option=options[len(options) // 2])
            elif isinstance(sitting.session.question, Choice):
                self.act("answer", option=self._quietly(sitting.session.question))
            else:
                self.act("answer", roll=True)

    def _quietly(self, question: Choice[Any]) -> str:
        """Answer for hidden participants: do nothing, where that is offered."""
        idle = load_system(self.system).rulebook.pass_action
        return idle if idle in question.ids else question.ids[question.default]

    def check_secretly(self) -> list[dict[str, Any]]:
        """Checks that the game master keeps in part or whole, in a quiet scene; what the player sees of them."""
        self.act("scene.begin", form="time")
        check = next(one for one in load_system(self.system).rulebook.checks if "difficulty" in one.hidden)
        before = self.table.cursor(self.player)
        blind = {"audience": "blind", "because": WORDS["why a hidden die is rolled"]}
        for words in ("hard", "difficult", "20"):
            given = {"what": check.id, "situation": [f"difficulty={words}"]}
            with suppress(InvalidInputError):
                self.start("table.call_for_check", who=[HERO], secret=True, **given)
                self.play()
                self.start("table.check", who=HERO, **blind, **given)
                break
        self.play()
        return self.table.lines(self.player, before)

    def asked(self, seat: str, *, whole: bool = True) -> Iterator[bytes]:
        """All that a seat gets over every address, and when it asks for what it may not know, or a part of it."""
        person = self.person(seat)
        secret = [*WORDS.values(), *entries(self.system)[-1:]]
        paths = [*LOOKS, f"/sheets/{HERO}", "/sheets/qq", "/encounters/qq"]
        for path in paths:
            yield person.client.get(f"{person.base}{path}").content
        posts: list[tuple[str, dict[str, Any]]] = [("odds", {"who": HERO, "check": "qq"}), ("invite", {}), ("link", {})]
        commands: list[dict[str, Any]] = [
            {"do": "character.add", "character": "qq"},
            {"do": "answer", "option": "qq"},
            {"do": "pack.remove", "pack": "qq"},
            {"do": "start", "process": "table.check", "with": {"who": "qq", "what": "qq"}},
            {"do": "start", "process": "table.check", "with": {"who": HERO, "what": "qq"}},
            {"do": "scene.begin", "scenario": "qq"},
            {"do": "take_back"},
        ]
        posts += [("preview", {"command": commands[-1]}), *[("act", {"command": one}) for one in commands]]
        for path, body in posts:
            said = json.dumps(body).casefold()
            answer = person.post(path, body).content
            yield answer if not any(word in said for word in secret) else b""
        for word in secret if whole else ():
            told = [person.client.get(f"{person.base}/sheets/{word}")]
            told.append(person.post("act", {"command": {"do": "character.add", "character": word}}))
            for one in told:
                yield one.content.replace(word.encode(), b"")  # what they said themselves is repeated to them


def drained(line: ClientConnection, until: str) -> str:
    """Every frame that came, up to the one that tells of something."""
    found: list[str] = []
    while not found or until not in found[-1]:
        found.append(json.dumps(heard(line, "view", "presence")))
    return "".join(found)


def keys_in(given: Any) -> Iterator[str]:
    """Every name of a value in plain data."""
    if isinstance(given, dict):
        yield from given
        for part in given.values():
            yield from keys_in(part)
    elif isinstance(given, list):
        for part in given:
            yield from keys_in(part)


def found_in(text: str) -> list[str]:
    """The secrets that are in a text, each with what is around it."""
    low = text.casefold()
    return [f"{kind}: ...{text[max(0, low.index(word) - 80) :][:160]}" for kind, word in WORDS.items() if word in low]


@pytest.mark.parametrize("system", [one for one in SYSTEMS if one != "coinfolk"])
def test_no_planted_word_reaches_another_seat(served: Served, system: str) -> None:
    hunt = Hunt(served, system)
    with hunt.person(hunt.player).live() as hers, hunt.person(hunt.watcher).live() as his:
        hunt.plant()
        lines = hunt.check_secretly()
        quiet = list(hunt.asked(hunt.player, whole=False))
        hunt.fight()
        hunt.act("throw", dice="4d20")
        frames = [drained(line, "4d20") for line in (hers, his)]
    assert not {"difficulty", "dm"} & set(keys_in([line for line in lines if line["kind"] != "table"]))
    assert any(line["kind"] != "table" for line in lines), "that something was rolled is seen"
    for answer in [*quiet, *hunt.asked(hunt.player), *hunt.asked(hunt.watcher, whole=False)]:
        assert found_in(answer.decode()) == []
    for told in frames:
        assert found_in(told) == []
    whole = whole_of(hunt.table, hunt.gm)
    assert [kind for kind, word in WORDS.items() if word not in whole] == [], "the game master has all of it"


def whole_of(table: Table, gm: str) -> str:
    """Everything that the game master can read."""
    found, after = [json.dumps(table.view(gm))], 0
    while more := table.lines(gm, after):
        after = more[-1]["number"]
        found.append(json.dumps(more))
    return "".join(found).casefold()
