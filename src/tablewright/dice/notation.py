"""Parser for dice notation; expressions can be rolled, weighed and printed back in canonical form.

==================  ====================================================================================================
``4d6``, ``d%``     dice added up; ``d%`` is ``d100`` with faces 1 to 100; ``D`` may be written for ``d`` before sides
``kh3 kl dl dh2``   keep or drop the highest or lowest dice, one if no number is given; printed back as ``kh`` or ``kl``
``r1 r<2 r>=5``     reroll a die while it shows such a face, without limit; several may follow: ``r1r3``
``ro1 ro<3``        reroll a die once, then keep the new face
``!``  ``!>=5``     explode: a die that shows its highest (or such a) face adds an extra die, at most 20 of them; the
                    chance that this cap cut a chain short is the expression's ``remainder``
``+ - * ( )``       arithmetic; ``*`` binds tighter
``[fire] "fire"``   a label for the dice, number or parenthesis it follows
``4D+1``            an OpenD6 die code: four d6, one of them the Wild Die, which explodes on 6, plus one pip. A 1 on it
                    counts 1; critical failures belong to the ``opend6`` system
``r14+1``           a MARS roll value: d10 and d4, plus one
``3d-2``            The Stage: three six-sided dice less two, printed back as ``3d6-2``
==================  ====================================================================================================

Modifiers must follow the order reroll, explode, keep. Ambiguous text is refused; the error names both readings.

>>> parse_dice("4d6dl1")
Pool(count=4, sides=6, rerolls=(), once=False, explode=None, keep=3, highest=True)
>>> str(parse_dice("4d6dl1 + 2"))
'4d6kh3+2'
>>> parse_dice("4d6k3")
Traceback (most recent call last):
    ...
tablewright.dice.notation.NotationError: "4d6k3", column 4: "k3" has two readings: kh3 keeps the highest, kl3 the lowest
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod
from typing import Any

from tablewright.dice.expression import (
    MOST_NUMBER,
    Condition,
    DieCode,
    Expression,
    Labelled,
    Number,
    Pool,
    Product,
    RollValue,
    Total,
    roll_value_dice,
)
from tablewright.dice.rollable import MOST_DICE
from tablewright.errors import InvalidInputError

MOST_CHARACTERS = 500
MOST_DEPTH = 50

GRAMMAR = r"""
start: sum
sum: SIGN? product (SIGN product)*
product: term ("*" term)*
term: atom LABEL?
?atom: NUMBER           -> number
     | ROLL_VALUE       -> roll_value
     | DICE (REROLL | EXPLODE | KEEP)*  -> dice
     | "(" sum ")"      -> group

DICE.2: /[0-9]*[dD]([0-9]+|%)?/
ROLL_VALUE: /[rR][0-9]+/
NUMBER: /[0-9]+/
REROLL: /[rR][oO]?(<=|>=|<|>|=)?[0-9]+/
EXPLODE: /!((<=|>=|<|>|=)?[0-9]+)?/
KEEP: /([kK][hHlL]|[dD][hHlL])[0-9]*/
SIGN: /[+-]/
LABEL: /\[[^\[\]]*\]|"[^"]*"/
%ignore /[ \t\r\n]+/
"""

_LABEL = re.compile(r'\[[^\[\]]*\]|"[^"]*"')
_DICE = re.compile(r"(?<![A-Za-z0-9!<>=])([0-9]*)([dD])([0-9]+|%)?(?![hHlL])")
_CONDITION = re.compile(r"(<=|>=|<|>|=)?([0-9]+)")
_LOOK_ALIKES = str.maketrans("‐‑‒–—−×·∗÷“”„≤≥", '------***/"""<>')


class NotationError(InvalidInputError):
    """Invalid dice notation; ``column`` is the position of the error, counted from 1."""

    def __init__(self, reason: str, text: str, position: int) -> None:
        self.text = text
        self.column = position + 1
        self.reason = reason
        super().__init__(f'"{_excerpt(text, position)}", column {self.column}: {reason}')


def _excerpt(text: str, position: int) -> str:
    start = max(0, position - 30)
    shown = text[start : position + 30]
    printable = "".join([letter if letter.isprintable() else "?" for letter in shown])
    return ("..." if start else "") + printable + ("..." if position + 30 < len(text) else "")


class _Misfit(Exception):
    """Refusal by the builder, with its position in the text."""

    def __init__(self, reason: str, position: int) -> None:
        self.reason = reason
        self.position = position


@lru_cache(maxsize=1_024)
def _parsed(text: str) -> Expression:
    _check_text(text)
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken  # noqa: PLC0415

    try:
        expression: Expression = _parser().parse(text)
    except _Misfit as misfit:
        raise NotationError(misfit.reason, text, misfit.position) from None
    except UnexpectedInput as failure:
        position: int = len(text)
        if isinstance(failure, UnexpectedCharacters):
            position = int(str(failure.pos_in_stream))  # typed as None by lark
        elif isinstance(failure, UnexpectedToken) and failure.token.type != "$END":
            position = failure.token.start_pos or 0
        raise NotationError(_why(text, position), text, position) from None
    _check_whole(text, expression)
    return expression


def parse_dice(text: str) -> Expression:
    """Parse dice notation.

    >>> parse_dice("r14+1").weigh().mean
    Fraction(9, 1)
    >>> parse_dice("2d6 [fire] + 1d4 [cold]").weigh().mean
    Fraction(19, 2)
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"dice notation is text, not {type(text).__name__}")
    if len(text) > MOST_CHARACTERS:
        raise InvalidInputError(f"dice notation has at most {MOST_CHARACTERS} characters, not {len(text):,}")
    return _parsed(text)


@lru_cache(maxsize=1)
def _parser() -> Any:
    from lark import Lark  # noqa: PLC0415  # deferred: slow to import

    return Lark(GRAMMAR, parser="lalr", lexer="contextual", transformer=_Builder())


# ---------------------------------------------------------------------- building


class _Builder:
    """Lark transformer that builds expressions bottom-up, without recursion."""

    def start(self, children: list[Any]) -> Expression:
        expression: Expression = children[0]
        return expression

    def group(self, children: list[Any]) -> Expression:
        expression: Expression = children[0]
        return expression

    def number(self, children: list[Any]) -> Expression:
        return Number(_whole(children[0], children[0].start_pos))

    def roll_value(self, children: list[Any]) -> Expression:
        token = children[0]
        return _made(token.start_pos, RollValue, _whole(token[1:], token.start_pos + 1))

    def sum(self, children: list[Any]) -> Expression:
        if not isinstance(children[0], str):
            children = ["+", *children]
        signed = zip(children[::2], children[1::2], strict=True)
        terms = tuple([(1 if sign == "+" else -1, part) for sign, part in signed])
        return terms[0][1] if len(terms) == 1 and terms[0][0] > 0 else Total(terms)

    def product(self, children: list[Any]) -> Expression:
        expression: Expression = children[0] if len(children) == 1 else Product(tuple(children))
        return expression

    def term(self, children: list[Any]) -> Expression:
        expression: Expression = children[0]
        if len(children) == 1:
            return expression
        return _made(children[1].start_pos, Labelled, expression, children[1][1:-1].strip())

    def dice(self, children: list[Any]) -> Expression:
        token, *modifiers = children
        position = token.start_pos
        count, _, sides = re.split("([dD])", token)
        number = _whole(count, position) if count else 1
        if not sides:
            return _bare_dice(token, number, modifiers)
        size = 100 if sides == "%" else _whole(sides, position + len(count) + 1)
        if size == 0:
            raise _Misfit("a die has at least one side; d% or d100 is the percentile die", position)
        return _made(position, Pool, number, size, **_modified(token, number, size, modifiers))


def _made(position: int, kind: Any, *arguments: Any, **named: Any) -> Expression:
    try:
        expression: Expression = kind(*arguments, **named)
    except InvalidInputError as error:
        raise _Misfit(error.message, position) from None
    return expression


def _whole(digits: str, position: int) -> int:
    if len(digits.lstrip("0")) > len(str(MOST_NUMBER)) or int(digits) > MOST_NUMBER:
        shown = digits if len(digits) <= 20 else f"{digits[:8]}... ({len(digits)} digits)"
        raise _Misfit(f"{shown} is too large; numbers up to {MOST_NUMBER:,} can be written", position)
    return int(digits)


def _bare_dice(token: Any, count: int, modifiers: list[Any]) -> Expression:
    """Build ``ND`` or ``Nd`` without sides."""
    position = token.start_pos
    if len(token) == 1:
        raise _Misfit(f'"{token}" needs a number: d6 is one six-sided die, 3d three of them, 3D a die code', position)
    if modifiers:
        sided = f"{count}d6{modifiers[0]}"
        raise _Misfit(f'"{token}" without sides takes no modifiers; write {sided}', modifiers[0].start_pos)
    if token[-1] == "D":
        return _made(position, DieCode, count)
    return _made(position, Pool, count, 6)


_ORDER = ("REROLL", "EXPLODE", "KEEP")


def _modified(dice: Any, count: int, size: int, modifiers: list[Any]) -> dict[str, Any]:
    """Return the pool fields that modifiers set; refuse ambiguous modifiers."""
    fields: dict[str, Any] = {}
    rerolls: list[Condition] = []
    previous = dice
    for modifier in modifiers:
        kind, position = modifier.type, modifier.start_pos
        body = modifier.lower()
        if kind == "REROLL":
            if position > previous.end_pos:
                readings = f"{dice}{body} throws dice again, {dice} + {body} adds a roll value"
                if not body[1].isdigit():
                    raise _Misfit(f"no blank before {body}: {dice}{body}", position)
                raise _Misfit(f'"{modifier}" after a blank has two readings: {readings}', position)
            once = body[1] == "o"
            if rerolls and (once or fields["once"]):
                raise _Misfit("once and again do not mix: one ro, or any number of r", position)
            fields["once"] = once
            rerolls.append(_condition(body[2 if once else 1 :], position))
        if previous is not dice and kind == previous.type != "REROLL":
            raise _Misfit(f'"{modifier}" follows "{previous}"; only one of the kind can be given', position)
        if previous is not dice and _ORDER.index(kind) < _ORDER.index(previous.type):
            raise _Misfit(_wrong_order(dice, previous, modifier), position)
        if kind == "EXPLODE":
            fields["explode"] = _explosion(body, size, position)
        if kind == "KEEP":
            if "explode" in fields:
                raise _Misfit(
                    f'"{modifier}" after an explosion has two readings: each die together with its extra dice, or '
                    "every extra die by itself; neither can be kept or dropped here",
                    position,
                )
            number = _whole(body[2:], position + 2) if body[2:] else 1
            if number > count:
                verb = "kept" if body[0] == "k" else "dropped"
                raise _Misfit(f"{number} of {count} dice cannot be {verb}; at most {count} can", position)
            fields["keep"] = number if body[0] == "k" else count - number
            fields["highest"] = body[:2] in ("kh", "dl")
        previous = modifier
    return fields | {"rerolls": tuple(rerolls)}


def _condition(text: str, position: int) -> Condition:
    relation, number = _CONDITION.fullmatch(text).groups()  # type: ignore[union-attr]
    return Condition(relation or "=", _whole(number, position))


def _explosion(body: str, size: int, position: int) -> Condition:
    if len(body) == 1:
        return Condition("=", size)
    condition = _condition(body[1:], position)
    if body[1].isdigit() and condition.number != size:
        readings = f"!={body[1:]} for this face only, !>={body[1:]} for this and more"
        raise _Misfit(f'"{body}" has two readings: {readings}', position)
    if condition == Condition(">=", size):
        return Condition("=", size)
    return condition


def _wrong_order(dice: Any, first: Any, second: Any) -> str:
    turned = f"{dice}{second}{first}".lower()
    if first.type == "KEEP":
        return (
            f'"{second}" after "{first}" has two readings: every die (write {turned}), '
            "or only the dice kept, which cannot be written"
        )
    return (
        f'"{second}" after "{first}" has two readings: every single throw (write {turned}), '
        "or the total of an explosion, which cannot be written"
    )


# ---------------------------------------------------------------------- checks outside the grammar


def _check_text(text: str) -> None:
    """Run the checks that need no grammar; the caller has checked the length."""
    if not text.strip():
        raise InvalidInputError("dice notation is empty; write for example 4d6kh3, d%, 4D+1 or r14+1")
    bare = _without_labels(text)
    for position, letter in enumerate(bare):
        if not letter.isascii():
            raise NotationError(_foreign(letter), text, position)
        if letter in '["':
            raise NotationError(f"the label that begins with {letter} is not closed", text, position)
    depth = 0
    for position, letter in enumerate(bare):
        if letter == "(":
            depth += 1
            if depth > MOST_DEPTH:
                raise NotationError(f"parentheses nest more than {MOST_DEPTH} deep", text, position)
        elif letter == ")":
            depth -= 1
            if depth < 0:
                raise NotationError('")" closes nothing', text, position)
    if depth:
        raise NotationError(f"{depth} closing parenthes{'is is' if depth == 1 else 'es are'} missing", text, len(text))


def _without_labels(text: str) -> str:
    return _LABEL.sub(lambda label: " " * len(label[0]), text)


def _foreign(letter: str) -> str:
    from unicodedata import name, normalize  # noqa: PLC0415  # deferred: one megabyte, needed only for errors

    plain = normalize("NFKC", letter).translate(_LOOK_ALIKES)
    offered = f'; did you mean "{plain}"?' if plain.isascii() and plain.isprintable() and plain.strip() else ""
    shown = f'"{letter}" ' if letter.isprintable() else ""
    named = name(letter, f"U+{ord(letter):04X}")
    return f"{shown}({named}) is not understood; outside labels only ASCII characters are{offered}"


def _check_whole(text: str, expression: Expression) -> None:
    """Run the checks that need the whole expression: the number of dice, and mixes of native forms."""
    if expression.dice > MOST_DICE:
        raise InvalidInputError(f"{expression.dice:,} dice are too many; 0 to {MOST_DICE:,} dice can be rolled at once")
    written = list(_DICE.finditer(_without_labels(text)))
    codes = [found for found in written if found[2] == "D" and not found[3]]
    others = [found for found in written if not found[3] and found[2] == "d"]
    others += [found for found in written if found[3] and found[2] == "D"]
    if codes and others:
        raise NotationError(
            f'"{codes[0][0]}" beside "{others[0][0]}" has two readings: {codes[0][1]}D with a Wild Die, or '
            f"{codes[0][1]}d6 without; write other dice with a small d and their sides",
            text,
            codes[0].start(),
        )
    _check_sums(text, expression)


def _check_sums(text: str, expression: Expression) -> None:
    if isinstance(expression, Total):
        natives = _added(expression)
        for kind in (DieCode, RollValue):
            alike = [(sign, part) for sign, part in natives if isinstance(part, kind)]
            if len(alike) > 1:
                position = text.lower().rfind(str(alike[1][1]).lower())
                raise NotationError(_two_natives(alike[0], alike[1]), text, max(position, 0))
    for part in expression.parts:
        _check_sums(text, part)


def _added(expression: Expression, sign: int = 1) -> list[tuple[int, Expression]]:
    """Signed terms of a sum, looking through parentheses and labels."""
    if isinstance(expression, Labelled):
        return _added(expression.inner, sign)
    if isinstance(expression, Total):
        return [found for own, part in expression.terms for found in _added(part, sign * own)]
    return [(sign, expression)]


def _two_natives(first: tuple[int, Expression], second: tuple[int, Expression]) -> str:
    (sign, one), (other_sign, two) = first, second
    mark = "+" if sign == other_sign else "-"
    merged = _size(one) + (_size(two) if sign == other_sign else -_size(two))
    if isinstance(one, DieCode):
        together = f"{merged}D with one Wild Die" if merged > 0 else "fewer dice"
        regular = f"{_size(two) - 1}d6{mark}" if _size(two) > 1 else ""
        apart = f"{one}{mark}{regular}d6! with two"
    else:
        together = f"r{merged}, merged" if merged >= 0 else "a smaller roll value"
        dice = [f"+{die}" for die in roll_value_dice(_size(one))]
        dice += [f"{mark}{die}" for die in roll_value_dice(_size(two))]
        apart = f"{''.join(dice).lstrip('+') or '0'}, each for itself"
    return f'"{one}{mark}{two}" has two readings: {together}, or {apart}'


def _size(native: Expression) -> int:
    return native.count if isinstance(native, DieCode) else native.value if isinstance(native, RollValue) else 0


# ---------------------------------------------------------------------- error explanations

_HINTS: tuple[tuple[str, str, str], ...] = (
    # (regex for the end of the text before, regex for the start of the text after, message)
    (
        r"(?P<n>(?<![\w.])[0-9]+)\s*$",
        r"(?P<g>\([^()]*\))",
        "{n}{g} has two readings: {n}*{g} multiplies, {g}+{g} rolls again",
    ),
    (r"[\w%\)\]!]\s*$", r"\(", "no sign before the parenthesis: write * to multiply or + to add"),
    (r"\)\s*$", r"[0-9rRdD]", "no sign after the parenthesis: write * to multiply or + to add"),
    (
        r"(?<!\w)(?P<n>[0-9]+)\s*$",
        r"[rR](?P<v>[0-9]+)",
        "{n}r{v} has two readings: {n}*r{v} multiplies, r{product} is what {n} roll values merge into",
    ),
    (r"(?<!\w)(?P<n>[0-9]+)\s+$", r"(?P<d>[dD][0-9%]+)", "{n} {d} has two readings: {n}{d} is {n} dice, {n}+{d} adds"),
    (
        r"(?P<a>[0-9]*[dD][0-9%]+)\S*\s*$",
        r"[dD](?P<n>[0-9]+)",
        "d{n} after dice has two readings: dl{n} drops the {n} lowest, + d{n} adds a die",
    ),
    (r"[dD][0-9%]+\S*\s*$", r"[kK](?P<n>[0-9]*)", '"k{n}" has two readings: kh{n} keeps the highest, kl{n} the lowest'),
    (r"[dD][0-9%]+\S*\s*$", r"[xX](?P<n>[0-9]*)", '"x{n}" has two readings: *{n} multiplies, ! explodes'),
    (r"[0-9)\]]\s*$", r"[xX]", "write * to multiply"),
    (r"[0-9]*[dD]$", r"[lLhH]", "dice need their sides before they are dropped: for example 4d6dl1"),
    (r"!\s*$", r"!", "one ! is enough: extra dice explode too and count with their die"),
    (r"!\s*$", r"[pP]", "only plain explosions are known: !, !>=5, !=5"),
    (r"[dD]\s*$", r"(\(|[-+])", "the sides of a die are a number from 1 up, as in d6, or %"),
    (r"[-+*]\s*$", r"[-+*]", "two signs in a row; put a negative part into parentheses: (-2)"),
    (r"", r"/", "there is no division; weigh the dice and change the result, or multiply"),
    (r"", r"[.,][0-9]*", "only whole numbers can be written, without points or commas"),
    (r"[rR][oO]?\s*$|![=<>]*\s*$", r"", "a number must follow, as in r<2, ro1 or !>=5"),
    (
        r"",
        r"[=<>]+",
        "a comparison belongs to r, ro or !, as in 4d6r<2; the odds show every chance of at least so much",
    ),
    (r"[dD][0-9%]+\S*\s*$", r"[rR][oO]?([=<>]*)$|[rR][oO]?[=<>]*[^0-9=<>oO]", "r needs a face, as in r1, r<2 or ro1"),
    (r"[dD]\s+$", r"[0-9]", "no blank between d and its sides"),
    (r"[kKdD][hHlL]\s+$", r"[0-9]", "no blank inside a modifier: kh3"),
    (r"[\]\"]\s*$", r"[\[\"]", "one label is enough; put the labelled part into parentheses to label it again"),
)


def _why(text: str, position: int) -> str:
    before, after = text[:position], text[position:]
    for ending, beginning, hint in _HINTS:
        left = re.search(ending + r"\Z", before) if ending else re.search("", before)
        right = re.match(beginning, after) if left else None
        if left and right:
            found = left.groupdict() | right.groupdict()
            return hint.format(**found, product=prod([int(found.get(name) or 1) for name in "nv"]))
    if re.search(r"[0-9%)\]\"!hHlL]\s*\Z", before):
        allowed = "a sign + - *, a label"
        if re.search(r"[dD][0-9%]+[^\s+*()-]*\s*\Z", before):
            allowed += ", or kh kl dh dl ! r ro after dice"
    else:
        allowed = "a number, dice such as d6, 4D or r14, or a parenthesis"
    if not after:
        return f"the text ends too early; expected {allowed}"
    word = re.match(r"[A-Za-z]+|\S|\s", after)
    shown = word[0] if word else after[0]
    return f'"{shown if shown.isprintable() else "?"}" is not understood here; expected {allowed}'
