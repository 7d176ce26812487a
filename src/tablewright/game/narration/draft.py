"""Draft of an entry: sayings add sentences, throws, consequences and costs to it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from tablewright.game.narration.entry import (
    Consequence,
    DiceThrow,
    Entry,
    Expense,
    Face,
    Named,
    Reason,
    Sentence,
    joined,
)
from tablewright.game.narration.phrases import and_list, dice_words, plain, sentence, spaced, together
from tablewright.game.narration.sayings import Fact, Sayings
from tablewright.game.narration.voice import Voice, finished
from tablewright.game.scene.visibility import GAME_MASTER

_SUM = re.compile(r"(?:\d*d\d+\+)*\d*d\d+(?P<plus>[+-]\d+)?\Z")
_BEST_OF = re.compile(r"(?P<which>best|worst) of (?P<times>\d+) x ")
_RAW = re.compile(r"->|_|\b(?:True|False|None)\b|\bsomebody:|\w=\w")


class LineSeen(NamedTuple):
    """One line of the log as a viewer may see it.

    ``act`` numbers the action that it belongs to; 0 for none. ``text`` is the line's own narration, for events without
    a saying. ``about`` is what the scene adds to the fact: the ids behind the seats of a trace, the way of a move.
    """

    number: int
    act: int
    fact: Fact
    text: str = ""
    about: Mapping[str, Any] = {}
    people: Collection[str] = ()

    @property
    def kind(self) -> str:
        """Kind of the event, or empty for a trace or a choice."""
        return str(self.fact.get("event", ""))


def _with_secret_results(lines: Sequence[LineSeen]) -> tuple[Sequence[LineSeen], bool]:
    """Lines whose secret checks have the result of the trace before them, if it is seen; True if there is one.

    A check that is told to nobody has an empty result. A viewer who may not see the trace hears of no result at all.
    """
    checks = [line for line in lines if line.kind == "Checked"]
    if not checks or any(line.fact.get("result") != "" for line in checks):
        return lines, False
    found: list[LineSeen] = []
    result: dict[str, str] = {}
    is_seen = False
    for line in lines:
        if "mechanic" in line.fact:
            result = {"result": _stored(line.fact["result"])} if "result" in line.fact else {}
        if line.kind == "Checked":
            bare = {name: value for name, value in line.fact.items() if name != "result"}
            line = line._replace(fact=bare | result)  # noqa: PLW2901
            is_seen = is_seen or bool(result)
        found.append(line)
    return found, is_seen


def _stored(result: Any) -> str:
    """The result of a trace in the form in which checks store theirs."""
    if isinstance(result, Mapping):
        return ", ".join([f"{name} {value}" for name, value in result.items()])
    return ("yes" if result else "no") if isinstance(result, bool) else str(result)


class EntryDraft:
    """An entry in the making.

    :meth:`say` adds a main sentence. :meth:`lead` adds one that is told only if nothing else was said, such as the
    declaration of an attack whose result is not known yet.
    """

    def __init__(self, lines: Sequence[LineSeen], voice: Voice, sayings: Sayings, scene: str = "") -> None:
        self.lines, self._is_secret = _with_secret_results(lines)
        self.voice = voice
        self.sayings = sayings
        self.kind = "action"
        self.who = ""
        self.line = self.lines[0]
        self.scene = scene
        self.told: dict[str, Any] = {}
        """Free notes between the sayings of one entry."""
        self._said: list[Sentence] = []
        self._leads: list[Sentence] = []
        self._throws: list[DiceThrow] = []
        self._after: list[Consequence] = []
        self._costs: list[Expense] = []
        self._spent: dict[tuple[str, str], Any] = {}
        blind = any(line.kind == "Checked" and line.fact.get("to") == GAME_MASTER for line in self.lines)
        heard = "only the game master hears of this" if blind else "the players do not hear how it went"
        self._notes: list[str] = [heard] if self._is_secret else []

    # ------------------------------------------------------------------ reading

    def events(self, *kinds: str) -> list[Fact]:
        """Facts of these kinds in the entry, in order."""
        return [line.fact for line in self.lines if line.kind in kinds]

    def trace(self, *mechanics: str, before: Fact | None = None) -> Fact | None:
        """The last trace of one of these mechanics in the entry, or of those ``before`` a fact of the entry."""
        found: Fact | None = None
        for line in self.lines:
            if line.fact is before:
                break
            found = line.fact if line.fact.get("mechanic") in mechanics else found
        return found

    def about(self, fact: Fact) -> Mapping[str, Any]:
        """Additions of the scene to a fact of the entry."""
        return next((line.about for line in self.lines if line.fact is fact), {})

    def chosen(self) -> tuple[str, ...]:
        """Parts of the id of the use that the entry pays for or chose: action, target, detail."""
        for line in self.lines:
            use = line.fact.get("use") if line.kind == "Paid" else line.fact.get("option")
            if isinstance(use, str) and use:
                return (*use.split(":"), "", "")[:3]
        return ("", "", "")

    # ------------------------------------------------------------------ telling

    def fill(self, template: str, fact: Fact | None = None, **more: Any) -> Sentence | None:
        """Fill a template from a fact and further values."""
        people = self.line.people if fact is None or fact is self.line.fact else self._people(fact)
        return self.voice.fill(template, {**(fact or {}), **more}, people)

    def _people(self, fact: Fact) -> Collection[str]:
        return next((line.people for line in self.lines if line.fact is fact), ())

    def say(self, template: str, fact: Fact | None = None, **more: Any) -> None:
        """Add a sentence to the headline."""
        self._add(self._said, template, fact, more)

    def lead(self, template: str, fact: Fact | None = None, **more: Any) -> None:
        """Add a sentence that is told only if no other is."""
        self._add(self._leads, template, fact, more)

    def say_first(self, templates: Iterable[str], fact: Fact, *, lead: bool = False, **more: Any) -> None:
        """Add the sentence of the first template whose fields are there."""
        filled = next((filled for one in templates if (filled := self.fill(one, fact, **more)) is not None), None)
        if filled is not None:
            self._keep(self._leads if lead else self._said, filled)

    def _add(self, to: list[Sentence], template: str, fact: Fact | None, more: Mapping[str, Any]) -> None:
        filled = self.fill(template, fact, **more)
        if filled is not None:
            self._keep(to, filled)

    @staticmethod
    def _keep(to: list[Sentence], filled: Sentence) -> None:
        if filled:
            parts = [part if isinstance(part, Named) else spaced(part) for part in filled.parts]
            to.append(finished(Sentence(tuple(parts))))

    @property
    def is_told(self) -> bool:
        """True if the headline has a main sentence already."""
        return bool(self._said)

    def head(self, text: str | Named) -> None:
        """Set a headline that is not a sentence, such as the round or the turn."""
        self._said.append(Sentence((text,)))

    def actor(self, who: Any) -> None:
        """Set the actor, unless one is set already."""
        if not self.who and self.voice.has(who):
            self.who = who

    def pick(self, *words: str) -> str:
        """One of several words, by the facts of the entry: a replay says the same, and nothing hidden counts."""
        facts = repr([line.fact for line in self.lines])
        return words[crc32(facts.encode()) % len(words)]

    def name_unless_actor(self, who: str | None) -> str:
        """Display name of a participant; empty for the actor."""
        return "" if not who or who == self.who else str(self.voice.name(who))

    def throw(self, throw: DiceThrow | None) -> None:
        """Add a throw."""
        if throw is not None:
            self._throws.append(throw)

    def change(self, throw: DiceThrow, **more: Any) -> None:
        """Change a throw of the entry."""
        self._throws[self._throws.index(throw)] = throw._replace(**more)

    def shared(self, fact: Fact) -> tuple[str, bool] | None:
        """Names of all to whom an event of this kind happens, and True if they are several.

        None before the last of these events: they are told together.
        """
        kind = str(fact["event"])
        fields = self.sayings.alike.get(kind, ())
        alike = [one for one in self.events(kind) if all(one.get(name) == fact.get(name) for name in fields)]
        if fact is not alike[-1]:
            return None
        names = list(dict.fromkeys([str(self.voice.name(one["who"])) for one in alike]))
        return and_list(together(names)), len(names) > 1

    def is_out(self, who: str) -> bool:
        """True if the entry tells that a participant is out of the fight."""
        return any(one.who == who and one.sort == "out" for one in self._after)

    def after(self, who: str, sort: str, text: str, amount: int | None = None) -> None:
        """Add a consequence."""
        self._after.append(Consequence(who, str(self.voice.name(who)), sort, spaced(text), amount))

    def cost(self, who: str, text: str) -> None:
        """Add something spent."""
        if text:
            self._costs.append(Expense(who, "", spaced(text)))

    def price(self, who: str, amounts: Any) -> None:
        """Add an amount of each resource, by the system's words."""
        if isinstance(amounts, Mapping):
            for name, amount in amounts.items():
                self._spent[who, name] = self._spent.get((who, name), 0) + amount

    def resource(self, name: str, amount: Any) -> str:
        """An amount of a resource in words: "2 AP"."""
        return self.sayings.amount(name, amount)

    def note(self, text: str) -> None:
        """Add a remark to the quiet line."""
        text = spaced(text)
        if text and text not in self._notes:
            self._notes.append(text)

    # ------------------------------------------------------------------ dice

    @property
    def throws(self) -> Sequence[DiceThrow]:
        """Throws so far."""
        return self._throws

    def whose(self, step: Fact, trace: Fact) -> str:
        """Id of the participant who threw the dice of a step; empty if unknown."""
        about = self.about(trace)
        seat = step.get("seat")
        own = getattr(seat, "who", None)
        if own:
            return str(own)
        if seat is not None and seat == trace.get("opponent"):  # before the actor: one seat may play both
            return str(about.get("opponent", "") or "")
        return str(about.get("actor", "") or "") if seat is None or seat == trace.get("actor") else ""

    def make_throw(self, step: Fact, trace: Fact, what: str, *, against: object = "", came: str = "") -> DiceThrow:
        """A throw from a roll step of a trace."""
        faces = _kept(str(step["roll"]), step["faces"])
        outcome = step["outcome"]
        total = outcome if isinstance(outcome, int) and not isinstance(outcome, bool) else None
        if isinstance(outcome, Mapping) and isinstance(outcome.get("total"), int):
            total = outcome["total"]
        simple = _SUM.match(str(step["roll"]))
        plus = int(simple["plus"] or 0) if simple else 0
        who = self.whose(step, trace)
        self.actor(who)
        return DiceThrow(
            what,
            faces,
            total,
            self.name_unless_actor(who),
            dice_words(str(step["roll"])),
            plus,
            "" if against is None else str(against),
            came,
        )

    def label(self, mechanic: str) -> str:
        """The system's word for the throws of a mechanic."""
        return self.sayings.labels.get(mechanic, plain(mechanic.rpartition(".")[2]))

    # ------------------------------------------------------------------ finishing

    def tell(self) -> Entry | None:
        """Let the sayings tell every line, and return the entry; None if there is nothing to say."""
        for line in self.lines:
            self.line = line
            fact = line.fact
            if "event" in fact:
                self._tell_event(line)
            elif "mechanic" in fact:
                teller = self.sayings.throws.get(fact["mechanic"])
                (teller or tell_throws)(self, fact)
            elif "set" in fact:
                self.kind = "ruling"
                self.say(f"The game master decides a roll: {fact['outcome']}. Reason: {fact['reason']}")
        headline = joined(_without_repeats(self._said or self._leads))
        return self._entry(headline) if headline else None

    def under_way(self) -> Entry:
        """The entry of a rule that is not finished, for its dice and reasons; it may lack a headline."""
        return self.tell() or self._entry(Sentence())

    def _entry(self, headline: Sentence) -> Entry:
        return Entry(
            self.kind,
            (self.lines[0].number, self.lines[-1].number),
            self.who,
            headline,
            tuple(self._named_throws()),
            tuple(self._after),
            tuple(self._all_costs()),
            tuple(self._notes),
            self._reason(),
            self.scene,
        )

    def _named_throws(self) -> list[DiceThrow]:
        """The throws; where several people roll for one thing and none of them acts, the first is named as well."""
        others = {throw.what for throw in self._throws if throw.whose}
        if self.kind not in ("check", "order") or not self.voice.has(self.who):
            return self._throws
        name = str(self.voice.name(self.who))
        return [
            throw._replace(whose=name) if throw.what in others and throw.what and not throw.whose else throw
            for throw in self._throws
        ]

    def _tell_event(self, line: LineSeen) -> None:
        form = self.sayings.form_for(line.kind, line.fact)
        if form is not None:
            form.tell(self, line.fact)
        elif line.text and not _RAW.search(line.text):
            self.actor(line.fact.get("who"))
            self._said.append(Sentence((sentence(line.text),)))

    def _all_costs(self) -> Iterator[Expense]:
        spent = [(who, self.resource(name, amount)) for (who, name), amount in self._spent.items() if amount]
        for who, text in (*spent, *[(one.who, one.text) for one in self._costs]):
            yield Expense(who, self.name_unless_actor(who), text)

    def _reason(self) -> Reason | None:
        people = {who for line in self.lines if line.fact.get("tallies") and (who := line.about.get("actor"))}
        own: list[Reason] = []
        for line in self.lines:
            whose = self.voice.name(line.about["actor"]) if len(people) > 1 and "actor" in line.about else ""
            for reason in reasons_of(line.fact, self):
                named = f"{whose}'s {reason.text[:1].lower()}{reason.text[1:]}" if whose else reason.text
                own.append(reason._replace(text=named))
        if not own:
            return None
        return own[0] if len(own) == 1 else Reason("", parts=tuple(own))


def _kept(roll: str, values: Sequence[int]) -> tuple[Face, ...]:
    """Faces of a roll; of dice that are rolled several times, those that do not count are dropped.

    >>> [face.value for face in _kept("worst of 2 x (2d6)", [6, 2, 5, 2]) if not face.dropped]
    [5, 2]
    """
    found = _BEST_OF.match(roll)
    if found is None or not values or len(values) % int(found["times"]):
        return tuple([Face(value) for value in values])
    size = len(values) // int(found["times"])
    groups = [values[at : at + size] for at in range(0, len(values), size)]
    best = groups.index((max if found["which"] == "best" else min)(groups, key=sum))
    return tuple([Face(value, dropped=at != best) for at, group in enumerate(groups) for value in group])


def _without_repeats(sentences: Sequence[Sentence]) -> list[Sentence]:
    return list({str(one): one for one in sentences}.values())


def rolls_of(trace: Fact) -> Iterator[tuple[Fact, Fact]]:
    """Roll steps of a trace in order, each with the innermost trace that holds it."""
    for step in trace.get("steps", ()):
        if "mechanic" in step:
            yield from rolls_of(step)
        elif "roll" in step:
            yield step, {"mechanic": step["of"], "arguments": {}, "steps": ()} if "of" in step else trace


def choices_of(trace: Fact) -> dict[str, str]:
    """Options chosen inside a trace, by question."""
    found: dict[str, str] = {}
    for step in trace.get("steps", ()):
        if "mechanic" in step:
            found |= choices_of(step)
        elif "choice" in step:
            found[step["choice"]] = step["option"]
    return found


def tell_throws(draft: EntryDraft, trace: Fact) -> None:
    """Name every throw of a trace by its mechanic; used for mechanics without a saying."""
    draft.actor(draft.about(trace).get("actor"))
    outer = str(trace["mechanic"])
    for step, inner in rolls_of(trace):
        own = str(inner["mechanic"])
        what = draft.label(own if own in draft.sayings.labels or outer not in draft.sayings.labels else outer)
        draft.throw(draft.make_throw(step, trace, what))


def _part_of(part: Mapping[str, Any], amount: str, draft: EntryDraft) -> Reason:
    """The base of a tally or one of its parts as a reason."""
    text, shown = draft.sayings.part_words(str(part["label"]), int(amount)) or (str(part["label"]), amount)
    return Reason(text, shown, part.get("rule"), draft.voice.title(part.get("rule") or ""))


def reasons_of(fact: Fact, draft: EntryDraft) -> Iterator[Reason]:
    """The tallies of a trace as reasons."""
    for name, tally in fact.get("tallies", {}).items():
        parts = [part for part in tally.get("parts", ()) if part.get("counts", True)]
        if not parts and not tally.get("base"):
            continue
        base, *more = [
            _part_of(part, amount, draft)
            for part, amount in [(tally, str(tally["base"])), *[(part, f"{part['changed']:+d}") for part in parts]]
        ]
        total = tally.get("reads") or tally.get("total")
        known = draft.voice.words.get(f"{fact['mechanic']}.{name}") or draft.voice.words.get(name) or plain(name)
        yield Reason(
            known[:1].upper() + known[1:],
            "" if total is None else str(total),
            parts=(base, *more),
        )


__all__ = ["EntryDraft", "LineSeen", "Named", "choices_of", "rolls_of", "tell_throws"]
