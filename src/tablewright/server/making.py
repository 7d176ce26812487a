"""A character in the making, step by step: whoever asks sends all answers so far, and gets the next question.

A process remembers the makings that went on last, so that one more answer is one more step and not all of them again.
What is remembered says nothing else than the answers do: without it the same comes out, later.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.dice import Dice
from tablewright.engine.offering import option_id
from tablewright.errors import BadInput
from tablewright.game.creation import Creating, Offer
from tablewright.game.setting import Setting

MOST_REMEMBERED = 12
_IS_ID = re.compile(r"^[a-z0-9_]+$")
_PARTS = re.compile(r"^(.*?)(\+\d+)?$", re.DOTALL)
_INSIDE_ID = re.compile(r"(?<=[a-z])[_.](?=[a-z])")
_lately: OrderedDict[str, Making] = OrderedDict()


class Making:
    """A making with its answers, each with its step and in words, and what every option so far was called."""

    def __init__(self, setting: Setting, body: Mapping[str, Any], name: str) -> None:
        self.setting = setting
        self.creating: Creating[Any] = Creating(setting.start_creation(body["arguments"], name), Dice(body["seed"]))
        self.answers: list[Any] = []
        self.taken: list[dict[str, Any]] = []
        self.labels: dict[str, str] = {}

    def answer(self, answer: str | list[int]) -> None:
        """One more answer; what is refused says why."""
        creating, place = self.creating, len(self.answers)
        if creating.is_done:
            raise BadInput("the character was made before this answer", field=f"answers.{place}")
        step, question = creating.step, getattr(creating.question, "question", "")
        labels = self._offered()
        if isinstance(answer, str):
            creating.answer(answer)
        else:
            creating.type_in(answer)
        self.labels |= labels
        self.answers.append(answer)
        told = labels.get(answer, answer) if isinstance(answer, str) else " ".join(map(str, answer))
        self.taken.append({"step": step.title if step else "", "question": question, "id": answer, "label": told})

    def to_json(self) -> dict[str, Any]:
        """What is asked now; ``taken`` are the answers in words, and what is closed has a name too."""
        told = self.creating.to_json()
        labels = {shut.id: shut.label for shut in self.creating.closed if shut.label}
        offered = self._offered()
        for option in told.get("options", ()):
            option |= {"label": offered.get(option["id"], option["label"]), "note": _plain(option.get("note", ""))}
        for shut in told.get("closed", ()):
            called = labels.get(shut["id"]) or self.labels.get(shut["id"]) or self._name(shut["id"])
            shut |= {"label": called, "reason": _plain(shut["reason"])}
        told["history"] = [str(happened) for happened in self.creating.history]
        told["taken"] = list(self.taken)
        return told

    def _offered(self) -> dict[str, str]:
        """What the options are called, by their ids; one that has no more than an id as the content has it."""
        found = {option_id(option): _title(option) for option in self.creating.options}
        return {id_: self._name(id_) if title == id_ else title for id_, title in found.items()}

    def _name(self, id_: str) -> str:
        """What an id stands for: a name of the content, or its words; by how much something is raised stays there."""
        bare, amount = _PARTS.match(id_).groups()  # type: ignore[union-attr]
        what, colon, subject = bare.partition(": ")
        named = f"{self._word(what)}{colon}{subject}"
        return f"{named} {amount}" if amount else named

    def _word(self, id_: str) -> str:
        bare = id_.rpartition(":")[2]
        if not _IS_ID.match(bare):
            return bare
        for kind, _ in self.setting.library.kinds:
            for entry in self.setting.library.of(kind):
                if entry.id == bare and entry.name:
                    return entry.name
        plain = bare.replace("_", " ")
        return f"{plain[:1].upper()}{plain[1:]}"


def making_of(setting: Setting, body: Mapping[str, Any], name: str) -> Making:
    """The making that the answers lead to: the one that went on lately, or from the beginning."""
    given: Sequence[Any] = body["answers"]
    same = [body[what] for what in ("system", "options", "packs", "arguments", "seed")]
    key = json.dumps([*same, name], sort_keys=True)
    found = _lately.pop(key, None)
    if found is None or found.answers != given[: len(found.answers)]:
        found = Making(setting, body, name)
    for answer in given[len(found.answers) :]:
        found.answer(answer)  # where it is refused, nothing is remembered
    _lately[key] = found
    if len(_lately) > MOST_REMEMBERED:
        _lately.popitem(last=False)
    return found


def _plain(text: str) -> str:
    """What is said of an option, with ids in it as words.

    >>> _plain("+1d guile.sneak, up to close_combat level. No more")
    '+1d guile sneak, up to close combat level. No more'
    """
    return _INSIDE_ID.sub(" ", text)


def _title(option: Any) -> str:
    return option.title if isinstance(option, Offer) else option_id(option)
