"""Situations of narration samples with typed dice: one action in the middle of a scene, a process, or a fight's start.

- ``act guard-1 charge:torvald:spear``: this participant takes this action, on its turn in round 1 of the scene
- ``dice 6 5 | 3 3``: the faces of one roll after the other; nothing is left to a seed
- ``choose how to defend=parry | block=block``: answers by the key of the question, else the default is taken
- ``set torvald stamina=1 beside=guard-1``: fields of a participant's status before it begins; ``at=2,2`` is its place
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from systems.playing import with_perform
from tablewright.engine import Choice, Roll
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.scene import Scene
from tablewright.game.session.opening import begin_encounter, open_session
from tablewright.game.session.session import Session, SessionHeader
from tablewright.systems.mars.status import Fight, Turn


def play_typed_sample(given: list[str], scene: str) -> Session:
    """Play what a sample says with its dice, until they are used up and nothing but the next action is asked."""
    said = [line.partition(" ")[::2] for line in given]
    rolls = [[int(face) for face in roll.split()] for word, rest in said if word == "dice" for roll in rest.split("|")]
    answers = [_pair(one) for word, rest in said if word == "choose" for one in rest.split("|")]
    word, rest = next((word, rest) for word, rest in said if word in ("act", "do", "fight"))
    asks = next((rest.rpartition(" ")[0] for word, rest in said if word == "asks"), None)
    session = open_session(load_scenario(rest.split()[0] if word == "fight" else scene), seed=1)
    changed = session.scene
    for _, who, fields in [(word, *rest.partition(" ")[::2]) for word, rest in said if word == "set"]:
        fields_of = dict(map(_pair, fields.split()))
        if "at" in fields_of:
            there = changed.ground.parse(fields_of.pop("at"))
            changed = changed.with_participant(replace(changed[who], position=there))
        changed = changed.with_status(who, **{name: _value(value) for name, value in fields_of.items()})
    if word == "fight":
        begin_encounter(session)
    else:
        actor, _, use = rest.partition(" ")
        if word == "act":
            order = tuple([one.id for one in changed.participants])
            changed = _on_turn(replace(changed, round=1, order=order, turn=actor), actor)
        system = scene.partition(":")[0]
        session = Session(SessionHeader(system, session.header.version, changed, 1), with_perform(system))
        arguments = {"who": actor, "use": use} if word == "act" else dict(map(_pair, use.split()))
        session.do(f"{system}.perform" if word == "act" else actor, **arguments)
    while (question := session.question) is not None:
        if isinstance(question, Roll):
            if not rolls and word == "fight":
                return session
            assert rolls, f"a roll is not typed: {question}"
            session.type_in(rolls.pop(0))
            continue
        assert isinstance(question, Choice)
        if asks == question.key and not rolls:
            return session
        at = next((at for at, (key, _) in enumerate(answers) if key == question.key), None)
        if at is None and not rolls and word == "fight":
            return session
        session.choose(question.ids[question.default] if at is None else answers.pop(at)[1])
    assert not rolls, f"{rolls} were not asked for"
    assert not answers, f"{answers} were not asked for"
    return session


def _on_turn(scene: Scene, who: str) -> Scene:
    """The scene at the start of a turn; MARS keeps the seconds that are left in the status."""
    if scene.system != "mars":
        return scene
    begun = scene.with_status(who, turn=Turn.begun(0), earlier=Turn())
    return replace(begun, system_state=Fight(begun=True, order=scene.order))


def _pair(text: str) -> tuple[str, str]:
    key, _, value = text.strip().partition("=")
    return key, value


def _value(text: str) -> Any:
    if text.lstrip("-").isdigit():
        return int(text)
    return tuple(text.split(","))
