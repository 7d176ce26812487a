"""A bot that plays one seat of a table, written from docs/protocol.md alone; it knows no system and no rule.

    python examples/bot.py 'http://127.0.0.1:8000/#...'

It opens the link that the game master gave it, keeps the cookie beside it (so that it can be started again), follows
the table live and answers whatever its seat is asked: by the advice of the server where there is one, else the first
option that does something to a foe, else the default. What was sent and not answered before a connection was lost is
sent again under its old key, so that it happens once. It ends when the scene does. Needs Python and `websockets`.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.error
import urllib.request
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

GONE = 4404
TRIES, MOST_REFUSED = 8, 20


class Bot:
    """One seat of one table."""

    def __init__(self, link: str, kept: Path | None = None) -> None:
        parts = urlsplit(link)
        self.address = f"{parts.scheme}://{parts.netloc}"
        self.cookie = ""
        self.cursor = 0
        self.lines: list[dict[str, Any]] = []
        self.answered = self.refused = 0
        self.sent: dict[str, Any] | None = None
        self.enter(parts.fragment, kept)

    # ------------------------------------------------------------------ over HTTP

    def request(self, method: str, path: str, body: Any = None, **more: str) -> tuple[Any, Any]:
        """Ask once; a refusal comes as an HTTPError."""
        headers = {"Content-Type": "application/json", **more}
        if self.cookie:
            headers["Cookie"] = f"tablewright_seat={self.cookie}"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"{self.address}{path}", data, headers, method=method)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.load(answer), answer.headers

    def enter(self, token: str, kept: Path | None) -> None:
        """Exchange the link for a cookie, or use the one that was kept when the link was used before."""
        if kept is not None and kept.exists():
            self.campaign, self.cookie = kept.read_text(encoding="utf-8").split()
        else:
            me, headers = self.request("POST", "/v1/enter", {"token": token})
            self.campaign, self.cookie = me["id"], SimpleCookie(headers["Set-Cookie"])["tablewright_seat"].value
            if kept is not None:
                kept.write_text(f"{self.campaign} {self.cookie}", encoding="utf-8")
        self.table = f"/v1/campaigns/{self.campaign}"
        while not self.request("GET", f"{self.table}/seat")[0]["approved"]:
            time.sleep(2)

    def advice(self, question: str) -> str | None:
        """The option of a question that is worth most, where the server can say so."""
        try:
            told, _ = self.request("GET", f"{self.table}/advice")
        except urllib.error.HTTPError:
            return None
        options = told["options"] if told["id"] == question else ()
        return next((option["id"] for option in options if option["best"]), None)

    # ------------------------------------------------------------------ deciding

    def answer(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """The command that answers what this seat is asked; None where it is asked nothing."""
        question = view["question"]
        if question is None or question.get("seat") != view["you"]["seat"] or "id" not in question:
            return None
        command = {"do": "answer", "question": question["id"]}
        if question["kind"] == "roll":
            return command | {"roll": True}
        return command | {"option": self.choose(view, question)}

    def choose(self, view: dict[str, Any], question: dict[str, Any]) -> str:
        """By advice, at a foe, or whatever is done by default."""
        options = [option["id"] for option in question["options"]]
        advised = self.advice(question["id"])
        if advised in options:
            return str(advised)
        people = (view["scene"] or {}).get("participants", ())
        mine = {one["side"] for one in people if one["id"] in view["you"]["characters"]}
        foes = [one["id"] for one in people if one["side"] not in mine and one["present"]]
        at_foes = [option for option in options if any(f":{foe}" in option for foe in foes)]
        return str((at_foes or [question["default"]])[0])

    # ------------------------------------------------------------------ playing

    def play(self) -> str:
        """Follow the table until the scene has ended; gives how it did."""
        for attempt in range(TRIES):
            try:
                return self.follow()
            except InvalidStatus as refused:
                return f"not let in: {refused}"
            except (ConnectionClosed, OSError) as lost:
                if isinstance(lost, ConnectionClosed) and lost.rcvd is not None and lost.rcvd.code == GONE:
                    return "the seat is gone"
                time.sleep(min(10.0, 0.3 * 2**attempt))
        return "the connection is lost"

    def follow(self) -> str:
        """One connection: whatever comes, from the cursor on."""
        address = f"{self.address.replace('http', 'ws', 1)}{self.table}/live?after={self.cursor}"
        with connect(address, additional_headers={"Cookie": f"tablewright_seat={self.cookie}"}, max_size=None) as line:
            if self.sent is not None:
                line.send(json.dumps(self.sent))
            reached, view = 0, {}
            while True:
                message = json.loads(line.recv())
                if message["type"] == "view":
                    view = message
                    self.saw(view)
                elif message["type"] == "problem":
                    self.refused += 1
                    self.sent = None
                    time.sleep(message["problem"].get("after", 0))
                elif message["type"] == "answer":
                    self.answered += 1
                    self.sent, reached = None, message["cursor"]
                if not view or self.sent is not None or view["cursor"] < max(view["last"], reached):
                    continue  # what was seen is not yet what is so
                scene = view["scene"]
                if scene is not None and scene["ended"] is not None:
                    return str(scene["ended"])
                if self.refused > MOST_REFUSED:
                    return "refused too often"
                command = self.answer(view)
                if command is not None:
                    key = str(uuid4())
                    self.sent = {"type": "act", "id": key, "key": key, "command": command}
                    line.send(json.dumps(self.sent))

    def saw(self, view: dict[str, Any]) -> None:
        """Take what is new; nothing comes twice after the cursor."""
        self.lines += [one for one in view["lines"] if one["number"] > self.cursor]
        self.cursor = max(self.cursor, view["cursor"])


def main() -> None:
    """Play the seat that a link opens."""
    if len(sys.argv) != 2 or "#" not in sys.argv[1]:
        raise SystemExit(__doc__)
    bot = Bot(sys.argv[1], Path("bot.cookie"))
    ended = bot.play()
    sys.stdout.write("".join([f"{line['text']}\n" for line in bot.lines if "text" in line]))
    sys.stdout.write(f"{ended}; {bot.answered} answers given\n")


if __name__ == "__main__":
    main()
