"""Output streams: text for any terminal, single-line messages, and JSON."""

from __future__ import annotations

import codecs
import io
import json
import sys
import unicodedata
from typing import Any

MOST_LINE = 1_000
"""Upper bound for characters of an error line; longer ones are cut."""

_PLAIN = {"…": "...", "–": "-", "—": "-", "→": "->", "≥": ">=", "≤": "<=", "≈": "~", "×": "x", "·": "-", "│": "|"}
_PLAIN |= dict.fromkeys("“”„", '"') | dict.fromkeys("‘’", "'") | dict.fromkeys("█▉▊▋▌▍▎▏", "#") | {"─": "-"}


def _plainly(problem: UnicodeError) -> tuple[str, int]:
    """Encoding error handler that substitutes plainer characters."""
    assert isinstance(problem, UnicodeEncodeError)
    written = []
    for character in problem.object[problem.start : problem.end]:
        plain = _PLAIN.get(character) or unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
        written.append(plain or "?")
    return "".join(written), problem.end


codecs.register_error("tablewright.plainly", _plainly)


def prepare_streams() -> None:
    """Install the fallback encoding that keeps writes from failing on any character."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="tablewright.plainly")


def writes_unicode() -> bool:
    """True if the output encoding holds every character."""
    return (sys.stdout.encoding or "ascii").lower().replace("-", "").replace("_", "") in ("utf8", "utf16", "utf32")


def print_json(answer: Any) -> None:
    """Print indented JSON with keys in their given order."""
    text = json.dumps(answer, ensure_ascii=not writes_unicode(), indent=2)
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode()
    sys.stdout.write(text + "\n")


def one_line(text: str) -> str:
    """Text as one line without control characters, cut to ``MOST_LINE``.

    >>> one_line("two\\nlines\\x1b[31m")
    'two lines\\\\x1b[31m'
    """
    joined = " ".join(text[: 4 * MOST_LINE].split())
    shown = "".join([c if c.isprintable() else c.encode("unicode_escape").decode() for c in joined])
    return shown if len(shown) <= MOST_LINE else shown[: MOST_LINE - 3] + "..."


def as_question(text: str) -> str:
    """Text with exactly one question mark at its end.

    >>> as_question("flare?"), as_question("reroll")
    ('flare?', 'reroll?')
    """
    return f"{text.rstrip('?')}?"


def counted(number: int, thing: str) -> str:
    """A number with its noun, in the plural if needed.

    >>> counted(1, "option"), counted(3, "option")
    ('1 option', '3 options')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
