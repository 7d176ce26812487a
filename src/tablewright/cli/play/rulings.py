"""Commands of a game master at the terminal: rulings, secret checks, modifiers and other processes."""

from __future__ import annotations

from tablewright.errors import InvalidInputError, did_you_mean
from tablewright.game.scenario.cast import participants_named
from tablewright.game.session.session import Session

HELP = (
    ("Enter", "go on to the next round"),
    ("rule WHO FIELD VALUE because REASON", "set a value by a ruling: rule torvald stamina 3 because luck"),
    ("check WHO WHAT [secret|blind]", "call for a check; secret hides how it went, blind hides everything"),
    ("bonus WHO WHAT +2 because REASON", "add a number to a roll from now on; nobonus takes it back"),
    ("hide WHO, reveal WHO", "hide a participant from the other sides, or show them"),
    ("end HOW because REASON", "end the scene"),
    ("do PROCESS NAME=VALUE ...", "anything else that the rules know"),
)
WORDS = ("rule", "check", "bonus", "nobonus", "hide", "reveal", "end", "do")


def obey(session: Session, typed: str) -> bool:
    """Carry out a game master's command; return False if the line is none."""
    word, _, rest = typed.partition(" ")
    told, _, reason = rest.partition(" because ")
    words, reason = told.split(), reason.strip()
    match word.casefold():
        case "rule":
            who, field, *value = _demand(words, 3, "rule WHO FIELD VALUE because REASON")
            session.do("table.rule", who=_who(session, who), field=field, value=" ".join(value), reason=reason)
        case "check":
            who, what, *how = _demand(words, 2, "check WHO WHAT [secret|blind]")
            unknown = [one for one in how if one not in ("secret", "blind") and "=" not in one]
            if unknown:
                raise InvalidInputError(f'"{unknown[0]:.40}" means nothing here. A check may be secret or blind.')
            audience = "blind" if "blind" in how else "public"
            given = {"who": _who(session, who), "what": what, "situation": tuple([one for one in how if "=" in one])}
            session.do("table.check", **given, secret="secret" in how, audience=audience)
        case "bonus" | "nobonus":
            who, what, *value = _demand(words, 3 if word == "bonus" else 2, "bonus WHO WHAT +2 because REASON")
            about = {"who": _who(session, who), "what": what, "reason": reason}
            if word == "bonus":
                session.do("table.modify", **about, value=value[0].removeprefix("+"))
            else:
                session.do("table.unmodify", **about)
        case "hide" | "reveal":
            (who,) = _demand(words, 1, f"{word} WHO")[:1]
            session.do(f"table.{word}", who=_who(session, who))
        case "end":
            session.do("table.end", outcome=told or "over", reason=reason)
        case "do":
            process, *given_words = _demand(rest.split(), 1, "do PROCESS NAME=VALUE ...")
            session.do(process, **dict([_pair(one) for one in given_words]))
        case _:
            return False
    return True


def _demand(words: list[str], count: int, usage: str) -> list[str]:
    if len(words) < count:
        raise InvalidInputError(f"Write: {usage}")
    return words


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise InvalidInputError(f'"{word:.40}" is not of the form NAME=VALUE.')
    return name, value


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
