"""Reasons why an option is closed, as sentences about the person asked."""

from __future__ import annotations

import re
from typing import TypeAlias

Patterns: TypeAlias = tuple[tuple[re.Pattern[str], str], ...]
"""Reasons as rules state them, with the sentence for each.

``{who}`` is the name, ``\\1`` a part of the reason, and ``{1}`` the same part in lower case.
"""


def patterns(*pairs: tuple[str, str]) -> Patterns:
    """Compile patterns of whole reasons."""
    return tuple([(re.compile(pattern), told) for pattern, told in pairs])


_STATES = (
    r"prone|raging|stopped|grabbed|held|lying|burning|concentrating|unconscious|stunned|surprised|busy|mounted|hidden|"
    r"adjacent to|next to|in a bad spot|in control|in plain sight|in hand|unable|asleep|blind|engaged"
)
OF_ANYONE = patterns(
    (r"((?:is|has|cannot|can|may|must|was|does|needs|holds|knows|wears|carries) (?!be |to be ).+)", r"{who} \1"),
    (r"not burning", "{who} is not burning"),
    (r"((?:not )?(?:prone|concentrating|mounted|hidden|hurt|trained|able|raging)\b.*)", r"{who} is \1"),
    (rf"((?:{_STATES}).*)", r"{who} is \1"),
    (r"(?:delayed|waited) (.+)", r"{who} has waited \1"),
    (r"used in (.+) already", r"{who} did it once in \1 already"),
    (r"on their feet already", "{who} is standing already"),
    (r"no hand is free for (.+)", "{who} has no hand free for the {1}"),
    (r"no hand is free", "{who} has no hand free"),
    (r"no ([\w ]+) (?:is|are) left", r"{who} has no \1 left"),
    (r"no ([\w ]+) left", r"{who} has no \1 left"),
    (r"(no such .+)", r"{who} has \1"),
    (r"further attacks are left", "{who} has further attacks left"),
    (r"every declared action is used up", "{who} has taken every declared action"),
    (r"(nothing (?:in hand|else|to) .+), and not (.+)", r"{who} has \1, and has not \2"),
    (r"(nothing (?:in hand|else|to) .+)", r"{who} has \1"),
    (r"nothing can be (\w+)d now", r"{who} can \1 nothing now"),
    (r"costs (.+), 0 left", r"it costs \1, and {who} has none left"),
    (r"costs (.+), (\d+) left", r"it costs \1, and {who} has \2 left"),
    (r"takes (.+), no time is left", r"it takes \1, and {who} has no time left"),
    (r"takes (.+), (.+) are left", r"it takes \1, and {who} has \2 left"),
    (r"once a (round|turn|fight)", r"{who} may do this only once a \1"),
    (r"one (movement action .+)", r"{who} may take only one \1"),
    (r"(.+) has them (on the ground.*)", r"\1 has {who} \2"),
    (r"out of reach(.*)", r"the target is out of reach\1"),
)


def about(who: str, reason: str, own: Patterns = ()) -> str:
    """A reason with the name of its subject; the reason itself where it already names one.

    >>> about("Ann", "not prone"), about("Ann", "no arrow left"), about("Ann", "costs 2 stamina, 1 left")
    ('Ann is not prone', 'Ann has no arrow left', 'it costs 2 stamina, and Ann has 1 left')
    >>> about("Ann", "Guard 1 is too far away")
    'Guard 1 is too far away'
    """
    for pattern, told in (*own, *OF_ANYONE):
        found = pattern.fullmatch(reason)
        if found is not None:
            lowered = [str(part or "").lower() for part in found.groups()]
            return found.expand(told).format("", *lowered, who=who)
    return reason
