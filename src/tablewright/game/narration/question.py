"""Questions as people read them: what is happening, what is at stake, and what each option gives and costs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewright.game.narration.draft import EntryDraft, LineSeen, choices_of
from tablewright.game.narration.entries import chosen_uses, lines_seen
from tablewright.game.narration.entry import DiceThrow, Sentence, joined
from tablewright.game.narration.phrases import dice_words, option_words, plain, sentence, spaced
from tablewright.game.narration.reasons import about
from tablewright.game.narration.sayings import Sayings
from tablewright.game.narration.voice import Voice, finished
from tablewright.game.narration.voices import sayings_of, voice_for
from tablewright.game.scene.game import Game
from tablewright.game.scene.scene import ActingSeat, Scene
from tablewright.game.system.rulebook import Rulebook


@dataclass(slots=True)
class OptionWords:
    """An option in words; ``chance`` is filled in where odds can be computed."""

    id: str
    label: str
    gives: str = ""
    costs: str = ""
    chance: str = ""
    group: str = ""


@dataclass(slots=True)
class ClosedWords:
    """An option that cannot be taken, with the reason as a sentence and the title of its rule."""

    id: str
    label: str
    sentence: str
    title: str = ""


@dataclass(slots=True)
class QuestionDraft:
    """A question in the making.

    ``seen`` is the question as its seat may see it, ``about`` its details and ``so_far`` the trace of the rule under
    way. ``who`` is the participant who is asked.
    """

    key: str
    seen: Mapping[str, Any]
    scene: Scene
    voice: Voice
    sayings: Sayings
    who: str = ""
    heading: Sentence = field(default_factory=Sentence)
    stakes: str = ""
    purpose: str = ""
    options: list[OptionWords] = field(default_factory=list)
    closed: list[ClosedWords] = field(default_factory=list)
    happened: list[Mapping[str, Any]] = field(default_factory=list)
    """Facts of the action under way, as far as they are seen: what was declared, what was rolled."""
    uses: Mapping[str, str] = field(default_factory=dict)
    """Ids of the options with a target that were chosen in the action under way, by participant."""

    def event(self, *kinds: str) -> Mapping[str, Any]:
        """The last fact of one of these kinds in the action under way; empty if there is none."""
        found = [fact for fact in self.happened if fact.get("event") in kinds]
        return found[-1] if found else {}

    @property
    def about(self) -> Mapping[str, Any]:
        """Details of the question."""
        found: Mapping[str, Any] = self.seen.get("about", {})
        return found

    @property
    def so_far(self) -> Mapping[str, Any]:
        """Trace of the rule under way, as far as it is seen; empty if there is none."""
        found: Mapping[str, Any] = self.seen.get("so_far") or {}
        return found

    @property
    def actor(self) -> str:
        """Id of the participant who acts in the rule under way; empty if there is none."""
        return getattr(self.so_far.get("actor"), "who", None) or ""

    @property
    def opponent(self) -> str:
        """Id of the opponent in the rule under way; empty if there is none."""
        return getattr(self.so_far.get("opponent"), "who", None) or ""

    @property
    def arguments(self) -> Mapping[str, Any]:
        """Arguments of the rule under way, as far as they are seen."""
        found: Mapping[str, Any] = self.so_far.get("arguments", {})
        return found

    @property
    def chosen(self) -> dict[str, str]:
        """Options chosen so far inside the rule under way, by question."""
        return choices_of(self.so_far) if self.so_far else {}

    def throws(self) -> tuple[DiceThrow, ...]:
        """Dice of the rule under way, as far as they are seen."""
        people = {"actor": self.actor, "opponent": self.opponent}
        about = {role: who for role, who in people.items() if self.voice.has(who)}
        return EntryDraft([LineSeen(0, 0, self.so_far, "", about)], self.voice, self.sayings).under_way().dice

    def attack(
        self, by: str, target: str, weapon: str | None, how: str = "attacks {target}[ with {weapon:text}]"
    ) -> Sentence:
        """The attack of a participant on another as a clause; empty if one of both is not seen."""
        if not self.voice.has(by) or not self.voice.has(target):
            return Sentence()
        values = {"by": by, "target": target, "weapon": weapon}
        return self.voice.fill(f"{{by}} {how}", values, ["by", "target"]) or Sentence()

    def say(self, template: str, **more: Any) -> bool:
        """Add a sentence to the heading; False if one of its fields is not there."""
        values = {**self.about, "who": self.who or None, **more}
        people = [name for name, value in values.items() if self.voice.has(value)]
        filled = self.voice.fill(template, values, people)
        if filled:
            self.heading = joined([self.heading, finished(filled)])
        return bool(filled)

    def option(self, id_: str) -> OptionWords | None:
        """An option by its id; None if it is not offered."""
        return next((one for one in self.options if one.id == id_), None)

    def to_json(self) -> dict[str, Any]:
        """Question with its words, as the protocol has it."""
        words = dict(self.seen) | {"heading": self.heading.to_json(), "stakes": self.stakes}
        if self.seen["kind"] == "roll":
            return words | {"purpose": self.purpose}
        told = {one.id: one for one in self.options}
        words["options"] = [
            raw
            | {
                "label": told[raw["id"]].label,
                "gives": told[raw["id"]].gives,
                "costs": told[raw["id"]].costs,
                "chance": told[raw["id"]].chance,
                "group": told[raw["id"]].group,
            }
            for raw in self.seen["options"]
        ]
        shut = {one.id: one for one in self.closed}
        words["closed"] = [
            raw | {"label": shut[raw["id"]].label, "sentence": shut[raw["id"]].sentence, "title": shut[raw["id"]].title}
            for raw in self.seen["closed"]
        ]
        return words


def word_question(
    key: str, seen: Mapping[str, Any], scene: Scene, book: Rulebook, viewer: str, *, game: Game | None = None
) -> QuestionDraft:
    """Word a question that a viewer may answer.

    ``key`` is the name under which logs store it, ``seen`` its projection. With ``game`` the words can tell what has
    happened in the action under way.
    """
    sayings = sayings_of(scene.system)
    draft = QuestionDraft(key, seen, scene, voice_for(scene, book, viewer), sayings)
    if game is not None and game.acting:
        start = len(game.log)
        while start and game.act_of(start - 1) == game.acting[-1]:
            start -= 1
        draft.happened = [line.fact for line in lines_seen(game, book, viewer, start)]
        draft.uses = chosen_uses(game, game.acting[-1], len(game.log))
    asked = seen.get("about", {}).get("who")
    seat = seen["seat"]
    draft.who = asked if asked in scene else seat.who if isinstance(seat, ActingSeat) else _alone(scene, seat)
    if game is not None and draft.who != getattr(draft.so_far.get("opponent"), "who", None):
        draft.purpose = game.purpose
    if seen["kind"] == "choice":
        draft.options = [
            OptionWords(one["id"], _label(one["label"]), costs=_costs(str(one["cost"] or ""), sayings))
            for one in seen["options"]
        ]
        draft.closed = [
            ClosedWords(
                one["id"],
                _label(one["label"] or one["id"]),
                _reason(draft, one),
                draft.voice.title(one["rule"]) if one["rule"] else "",
            )
            for one in seen["closed"]
        ]
    teller = sayings.questions.get(key)
    if teller is not None:
        teller(draft)
    for option in draft.options:
        option.label = sayings.option_labels.get(key, {}).get(option.id, option.label)
    if not draft.heading:
        _usual_heading(draft)
    if not draft.stakes and draft.so_far:
        draft.stakes = " · ".join([throw.text() for throw in draft.throws()])
    return draft


def word_creation(asked: dict[str, Any], sayings: Sayings) -> None:
    """Add ``heading`` to a question of character creation, and a ``sentence`` to each of its closed options."""
    question = str(asked.get("question", ""))
    heading = sayings.headings.get(question, "{who}")
    asked["heading"] = question[:1].upper() + question[1:] if "{who}" in heading else heading
    for closed in asked.get("closed", ()):
        label = _label(str(closed.get("label") or closed["id"]))
        reason = sayings.reasons.get(closed["reason"], "{who}")
        plain_reason = str(closed["reason"])
        told = f"{label} {plain_reason}" if plain_reason.startswith(_ABOUT_IT) else plain_reason
        closed["sentence"] = sentence(told) if "{who}" in reason else reason.format(label=label)


_ABOUT_IT = ("is ", "has ")
"""Beginnings of a reason whose subject is the closed option itself."""
_AMOUNT = re.compile(r"\b(\d+) ([a-z_]+)( actions?)?\b")


def _costs(text: str, sayings: Sayings) -> str:
    """The cost of an option in the system's words."""
    if text == "nothing":
        return ""

    def named(found: re.Match[str]) -> str:
        if found[2] not in sayings.resources:
            return found[0]
        told = sayings.amount(found[2], int(found[1]))
        return told if "action" in told else told + (found[3] or "")

    return _AMOUNT.sub(named, spaced(text))


def _alone(scene: Scene, seat: str) -> str:
    """The one participant of a seat; empty if there are several."""
    own = [one.id for one in scene.present if one.seat == seat]
    return own[0] if len(own) == 1 else ""


def _label(text: str) -> str:
    shown = "nothing" if text == "none" else option_words(text)
    return shown[:1].upper() + shown[1:]


def _reason(draft: QuestionDraft, closed: Mapping[str, Any]) -> str:
    template = draft.sayings.reasons.get(closed["reason"]) or draft.sayings.reasons.get(closed["rule"] or "")
    values = {"who": draft.who, "reason": closed["reason"], "label": _label(closed["label"])}
    filled = draft.voice.fill(template, values, ["who"]) if template and draft.who else None
    if filled:
        return str(finished(filled))
    if not draft.who:
        return sentence(closed["reason"])
    return sentence(about(str(draft.voice.name(draft.who)), closed["reason"], draft.sayings.reason_patterns))


def _usual_heading(draft: QuestionDraft) -> None:
    """Heading by the table of headings; otherwise the name and the question."""
    template = draft.sayings.headings.get(draft.key)
    if template is not None and draft.say(template):
        return
    if draft.seen["kind"] == "roll":
        draft.purpose = draft.purpose or _purpose(draft)
        for_it = f" for {draft.purpose}" if draft.purpose not in ("", "roll") else ""
        for_it = f" {draft.purpose}" if draft.purpose.startswith("to ") else for_it
        dice = dice_words(str(draft.seen["dice"]))
        if not draft.say(f"{{who}} rolls {dice}{for_it}."):
            draft.say(f"Roll {dice}{for_it}.")
        return
    asked = str(draft.seen["question"]).rstrip("?")
    asked = f"{asked[:1].upper()}{asked[1:]}?"
    if not draft.say("{who}: {asked:text}", asked=asked):
        draft.say("{asked:text}", asked=asked)


def _purpose(draft: QuestionDraft) -> str:
    """The purpose of an open roll: the word for the innermost mechanic under way."""
    inner = draft.so_far
    while inner and inner.get("steps") and "mechanic" in inner["steps"][-1] and "result" not in inner["steps"][-1]:
        inner = inner["steps"][-1]
    name = str(inner.get("mechanic", ""))
    labels = draft.sayings.labels
    if draft.who and draft.who == getattr(draft.so_far.get("opponent"), "who", None):
        name = f"{name}.opponent" if f"{name}.opponent" in labels else name
    return labels.get(name, plain(name.rpartition(".")[2]))
