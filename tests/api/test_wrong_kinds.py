"""Arguments of a wrong type: each is refused with an error of the library, never with one from inside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tablewright as tw
from each_case import each_case

ANN = tw.Character.load("mars:fighter")
FIGHT = tw.Fight("mars:fighter", "mars:goblin", seed=0)
CHECK, DIE = tw.odds("mars.check", "r16", 14), tw.odds("1d6")
TABLE = tw.odds_table("mars.check", "r16", difficulty="8..9")
ADVICE = tw.advise("stage.leveled", dice=6, difficulty=10)
MANY = tw.simulate("coinfolk:together", runs=1)

QUESTIONS: dict[str, Callable[[Any], object]] = {
    "odds": tw.odds,
    "odds by place": lambda x: tw.odds("mars.check", x, 14),
    "objective": lambda x: tw.odds("mars.check", "r16", 14, objective=x),
    "call": lambda x: tw.mars.check("r16", x),
    "outcome": lambda x: CHECK[x],
    "comparison": lambda x: x <= CHECK,
    "comparison of numbers": lambda x: x < DIE,
    "sum": lambda x: DIE + x,
    "times": lambda x: x @ DIE,
    "part": CHECK.of,
    "quantile": DIE.quantile,
    "map": DIE.map,
    "given": DIE.given,
    "csv": DIE.to_csv,
    "picture": DIE.save_plot,
    "frame": DIE.to_frame,
    "column": TABLE.column,
    "roll": tw.roll,
    "seed": lambda x: tw.roll("2d6", seed=x),
    "faces": lambda x: tw.roll("2d6", faces=x),
    "choose": lambda x: tw.roll("stage.leveled", 6, 10, choose=x),
    "replay": lambda x: tw.replay("2d6", record=x),
    "advise": tw.advise,
    "advice": lambda x: ADVICE[x],
    "range": lambda x: tw.odds_table("mars.check", "r16", difficulty=x),
    "view": lambda x: tw.odds_table("mars.check", "r16", difficulty="8..9", view=x),
    "other arguments": lambda x: tw.compare("mars.check", x, roll_value="r16", difficulty=14),
    "option": lambda x: tw.compare("mars.contest", a="r16", b="r10", option=x),
    "rules": tw.rules,
    "rule": tw.rule,
    "system": tw.system,
    "character": tw.Character.load,
    "packs": lambda x: tw.Character.load("mars:fighter", packs=x),
    "options": lambda x: tw.Character.load("mars:fighter", options=x),
    "random": tw.Character.random,
    "name": lambda x: tw.Character.random("mars", 1, name=x),
    "make": lambda x: tw.Character.make("mars", name=x),
    "changed": lambda x: ANN.changed(name=x),
    "check": ANN.check,
    "situation": lambda x: ANN.check("athletics", difficulty=x),
    "why": ANN.why,
    "fight": tw.Fight,
    "side": lambda x: tw.Fight("mars:fighter", x),
    "bots": lambda x: tw.Fight("mars:fighter", "mars:goblin", bots=x, rounds=1),
    "bot": lambda x: tw.Fight("mars:fighter", "mars:goblin", bots={"party": x}, rounds=1),
    "rounds": lambda x: tw.Fight("mars:fighter", "mars:goblin", rounds=x),
    "dice": lambda x: tw.Fight("mars:fighter", "mars:goblin", dice=x),
    "answer": lambda x: FIGHT.copy().choose(x),
    "odds of an option": FIGHT.odds,
    "undo": FIGHT.undo,
    "viewer": lambda x: FIGHT.narrate(viewer=x),
    "since": lambda x: FIGHT.narrate(since=x),
    "seat": FIGHT.seen_by,
    "load": tw.Fight.load,
    "runs": lambda x: tw.simulate("coinfolk:together", runs=x),
    "workers": lambda x: tw.simulate("coinfolk:together", runs=1, workers=x),
    "until": lambda x: tw.simulate("coinfolk:together", runs=1, until=x),
    "progress": lambda x: tw.simulate("coinfolk:together", runs=1, progress=x),
    "change": lambda x: tw.what_if("coinfolk:together", change=x, runs=1),
    "side to balance": lambda x: tw.balance("coinfolk:together", side=x, runs=1, rounds=1),
    "like": lambda x: tw.balance("coinfolk:together", like=x, runs=1, rounds=1),
    "by": lambda x: tw.balance("coinfolk:together", by=x, runs=1, rounds=1),
    "axes": lambda x: tw.sweep("coinfolk:together", axes=x, runs=1),
    "one of many": MANY.fight,
    "winner": MANY.won,
    "policy": tw.policy,
    "link": tw.connect,
}
WRONG: tuple[Any, ...] = (None, -1, 1.5, True, "", "x" * 300, b"x", [1], {"a": 1}, {1}, object(), float("nan"))


@each_case("asked", QUESTIONS)
def test_a_wrong_kind_is_refused_by_an_error_of_the_program(
    asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = 0
    for wrong in WRONG:
        try:
            QUESTIONS[asked](wrong)
        except tw.TablewrightError:
            refused += 1
    assert refused >= 5, "most of these are wrong"
