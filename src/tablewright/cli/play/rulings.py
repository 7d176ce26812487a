"""Commands of a game master at the terminal: rulings, secret checks, modifiers, time and other processes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass

from tablewright.cli.arguments.processes import demand_known
from tablewright.errors import MOST_NAMED, InvalidInputError, did_you_mean
from tablewright.game.narration.phrases import and_list, plain
from tablewright.game.scenario.cast import participants_named
from tablewright.game.session.processes import processes_by_name
from tablewright.game.session.session import Session

HELP = (
    ("Enter", "go on to the next round"),
    ("rule WHO FIELD VALUE because REASON", "set a value by a ruling: rule torvald stamina 3 because luck"),
    ("check WHO WHAT [secret|blind]", "call for a check; secret hides how it went, blind hides everything"),
    ("bonus WHO WHAT +2 because REASON", "add a number to a roll from now on; nobonus WHO WHAT takes it back"),
    ("hide WHO, reveal WHO", "hide a participant from the other sides, or show them"),
    ("pass TIME", "let time pass: pass 10 minutes"),
    ("end HOW because REASON", "end the scene: the side that wins, or how it ends in your words"),
    ("do PROCESS NAME=VALUE ...", "anything else that the rules know"),
)
WORDS = ("rule", "check", "bonus", "nobonus", "hide", "reveal", "pass", "end", "do")


def obey(session: Session, typed: str) -> bool:
    """Carry out a game master's command; return False if the line is none."""
    word, _, rest = typed.partition(" ")
    told, _, reason = f" {rest}".partition(" because ")
    words, reason = told.split(), reason.strip()
    match word.casefold():
        case "rule":
            who, name, *value = _demand(words, 3, "rule WHO FIELD VALUE because REASON")
            one = _who(session, who)
            given = {"who": one, "field": _field(session, one, name), "value": " ".join(value)}
            session.do("table.rule", **given, reason=_reasoned(reason))
        case "check":
            _check(session, _demand(words, 2, "check WHO WHAT [secret|blind]"))
        case "bonus":
            who, what, value_, *_ = _demand(words, 3, "bonus WHO WHAT +2 because REASON")
            given = {"who": _who(session, who), "what": _modifier(session, what), "value": value_.removeprefix("+")}
            session.do("table.modify", **given, reason=_reasoned(reason))
        case "nobonus":
            who, what, *_ = _demand(words, 2, "nobonus WHO WHAT")
            _take_back(session, _who(session, who), _modifier(session, what))
        case "hide" | "reveal" as how:
            (who,) = _demand(words, 1, f"{how} WHO")[:1]
            session.do(f"table.{how}", who=_who(session, who))
        case "pass":
            _demand(words, 1, "pass TIME, such as pass 10 minutes")
            session.do("table.pass_time", amount=" ".join(words))
        case "end":
            session.do("table.end", outcome=_outcome(session, told.strip()), reason=reason)
        case "do":
            _do(session, rest)
        case _:
            return False
    return True


def _check(session: Session, words: Sequence[str]) -> None:
    who, what, *how = words
    unknown = [one for one in how if one not in ("secret", "blind") and "=" not in one]
    if unknown:
        raise InvalidInputError(f'"{unknown[0]:.40}" means nothing here. A check may be secret or blind.')
    known = {one.id: one.title for one in session.rulebook.checks}
    given = {"who": _who(session, who), "what": _meant(what, known, "There is no check", "there are")}
    situation = tuple([one for one in how if "=" in one])
    audience = "blind" if "blind" in how else "public"
    session.do("table.check", **given, situation=situation, secret="secret" in how, audience=audience)


def _take_back(session: Session, who: str, what: str) -> None:
    """Remove every modifier of a participant's rolls under a name."""
    name = session.scene.display_name
    mine = [one for one in session.scene.modifiers if one.who == who]
    taken = [one for one in mine if one.what == what]
    if not taken:
        left = and_list([f"{one.value:+d} on {plain(one.what)} ({one.reason})" for one in mine])
        raise InvalidInputError(
            f"Nothing was added to {plain(what)} for {name(who)}" + (f"; there is {left}." if left else ".")
        )
    for one in taken:
        session.do("table.unmodify", who=who, what=what, reason=one.reason)


def _do(session: Session, rest: str) -> None:
    try:
        process, *words = _demand(shlex.split(rest), 1, "do PROCESS NAME=VALUE ...")
    except ValueError:
        raise InvalidInputError("A quotation mark is missing.") from None
    given = dict([_pair(one) for one in words])
    known = processes_by_name(session.rulebook)
    if process in known:
        demand_known(given, known[process], [one.id for one in session.scene.participants])
    session.do(process, **given)


def _demand(words: list[str], count: int, usage: str) -> list[str]:
    if len(words) < count:
        raise InvalidInputError(f"Write: {usage}")
    return words


def _reasoned(reason: str) -> str:
    if not reason:
        raise InvalidInputError("A ruling names its reason: add because and why.")
    return reason


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise InvalidInputError(f'"{word:.40}" is not of the form NAME=VALUE.')
    return name, value


def _outcome(session: Session, told: str) -> str:
    """Outcome of a scene: a side that wins, or the game master's own words."""
    sides = {one.side.casefold(): one.side for one in session.scene.participants}
    side = sides.get(told.casefold().removesuffix(" wins").removesuffix(" win"))
    return f"{side} win" if side is not None else told or "over"


def _field(session: Session, who: str, name: str) -> str:
    """Field of a participant that a word means; those that are numbers or yes and no are suggested."""
    status = session.scene[who].status
    every = [one.name for one in fields(status)] if is_dataclass(status) else []
    simple = [one for one in every if isinstance(getattr(status, one), int)]
    known = {one: plain(one) for one in (*every, "name", "side", "seat", "position", "hidden", "present")}
    return _meant(name, known, "There is nothing called", "a ruling can set", [*simple, "side", "position", "hidden"])


def _modifier(session: Session, name: str) -> str:
    """Name of a roll that a word means; a system that does not list its names takes any."""
    names, titles = session.rulebook.modifier_names, {one.id: one.title for one in session.rulebook.checks}
    if names is None:
        return next((one for one, title in titles.items() if _bare(name) in (_bare(one), _bare(title))), name)
    known = {one: titles.get(one, plain(one)) for one in names(session.scene)}
    return _meant(name, known, "No roll is called", "there are")


def _meant(
    word: str, known: Mapping[str, str], refused: str, there: str, suggested: Sequence[str] | None = None
) -> str:
    """Id that a word means: the id itself or its title, in capitals or not, with a hyphen in the place of a space."""
    for one, title in known.items():
        if _bare(word) in (_bare(one), _bare(title)):
            return one
    names = [known[one] for one in suggested or known]
    alike = [name for name in names if _bare(word) in _bare(name)] or names
    few = alike if len(alike) <= MOST_NAMED else [*alike[:MOST_NAMED], f"{len(alike) - MOST_NAMED} more"]
    raise InvalidInputError(f'{refused} "{word:.40}"; {there} {and_list(few)}{did_you_mean(word, names)}')


def _bare(word: str) -> str:
    return plain(word).casefold()


def _who(session: Session, word: str) -> str:
    """The participant that a word means: an id or a display name."""
    scene = session.scene
    names = {scene.display_name(one.id).casefold().replace(" ", "-"): one.id for one in scene.participants}
    found = participants_named(word, [(one.id, "", one.name) for one in scene.participants])
    if len(found) == 1:
        return found[0]
    if word.casefold() in names:
        return names[word.casefold()]
    known = [*names, *[one.id for one in scene.participants]]
    raise InvalidInputError(f'Nobody here is called "{word:.40}"{did_you_mean(word, known)}.')
