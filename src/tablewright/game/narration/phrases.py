"""English for all systems: articles, lists, plurals, signed numbers, distances, time and percent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_IRREGULAR = {
    "die": "dice",
    "foot": "feet",
    "knife": "knives",
    "half": "halves",
    "wolf": "wolves",
    "werewolf": "werewolves",
}
_IRREGULAR |= {"elf": "elves", "thief": "thieves", "dwarf": "dwarves", "mouse": "mice", "wife": "wives"}
_WITHOUT_NUMBER = ("armour", "armor", "mail", "clothing", "leather")
_VOWEL = re.compile(r"(?:[aeio]|u(?!ni|se|su|ti))|hour|honou?r|heir", re.IGNORECASE)


def weapon_phrase(name: str) -> str:
    """A weapon by its display name, as a tool.

    >>> weapon_phrase("Long Bow"), weapon_phrase("Unarmed")
    ('with the long bow', 'with bare hands')
    """
    return "with bare hands" if name == "Unarmed" else f"with the {name.lower()}"


def and_list(words: Iterable[str], last: str = "and") -> str:
    """Join words as a sentence does.

    >>> and_list(["a", "b", "c"]), and_list(["a", "b"]), and_list(["a"]), and_list([])
    ('a, b and c', 'a and b', 'a', '')
    """
    *first, end = list(words) or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


def small(number: int) -> str:
    """A small count in words.

    >>> small(2), small(12), small(13)
    ('two', 'twelve', '13')
    """
    return _WORDS[number] if 0 <= number < len(_WORDS) else f"{number:,}"


def plural(word: str) -> str:
    """Plural of a noun.

    >>> [plural(word) for word in ("arrow", "die", "torch", "arrow of fire", "battery", "day", "Wolf", "woodsman")]
    ['arrows', 'dice', 'torches', 'arrows of fire', 'batteries', 'days', 'Wolves', 'woodsmen']
    """
    head, of, rest = word.partition(" of ")
    before, _, last = head.rpartition(" ")
    if last.lower() in _IRREGULAR:
        last = last[:1] + _IRREGULAR[last.lower()][1:]
    elif re.search(r"(?<!hu|er)(?<!sha)man$", last.lower()):
        last = f"{last[:-2]}en"
    elif re.search(r"(?:s|x|z|ch|sh)$", last):
        last += "es"
    elif re.search(r"[^aeiou]y$", last):
        last = f"{last[:-1]}ies"
    else:
        last += "s"
    return f"{before} {last}".strip() + of + rest


_NUMBERED = re.compile(r"(?P<kind>.+) (?P<number>\d+)\Z")


def together(names: Iterable[str]) -> list[str]:
    """Names in order, with those of one kind and with following numbers told as one.

    >>> together(["Guard 1", "Guard 2", "Guard 3", "Priest", "Wolf 1", "Wolf 3"])
    ['Guards 1 to 3', 'Priest', 'Wolf 1', 'Wolf 3']
    """
    runs: list[tuple[str, list[int]]] = []
    for name in names:
        found = _NUMBERED.match(name)
        kind, number = (found["kind"], int(found["number"])) if found else (name, 0)
        if found and runs and runs[-1][0] == kind and runs[-1][1][-1:] == [number - 1]:
            runs[-1][1].append(number)
        else:
            runs.append((kind, [number] if found else []))
    return [
        f"{plural(kind)} {run[0]} {'and' if len(run) == 2 else 'to'} {run[-1]}"
        if len(run) > 1
        else f"{kind} {run[0]}"
        if run
        else kind
        for kind, run in runs
    ]


def count(number: int, word: str, many: str = "", *, words: bool = False) -> str:
    """A number with its noun.

    >>> count(1, "arrow"), count(3, "arrow"), count(2, "die"), count(2, "guard", words=True)
    ('1 arrow', '3 arrows', '2 dice', 'two guards')
    """
    noun = word if abs(number) == 1 else many or plural(word)
    return f"{small(number) if words else f'{number:,}'} {noun}"


def article(noun: str) -> str:
    """A noun with its indefinite article.

    >>> article("arrow"), article("spear"), article("hour"), article("unicorn"), article("bare hands")
    ('an arrow', 'a spear', 'an hour', 'a unicorn', 'bare hands')
    >>> article("chain mail")
    'chain mail'
    """
    last = noun.rpartition(" ")[2]
    if not noun or last in _WITHOUT_NUMBER or (last.endswith("s") and not last.endswith("ss")):
        return noun
    return f"an {noun}" if _VOWEL.match(noun) else f"a {noun}"


def the(noun: str) -> str:
    """A noun with its definite article.

    >>> the("spear")
    'the spear'
    """
    return f"the {noun}" if noun else noun


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def tries_again(times: int) -> str:
    """Predicate of an attempt that was made some times before.

    >>> tries_again(1), tries_again(2)
    ('tries again', 'tries a third time')
    """
    return "tries again" if times == 1 or times >= len(_ORDINALS) else f"tries a {_ORDINALS[times]} time"


def signed(number: int | Fraction) -> str:
    """A number with its sign.

    >>> signed(3), signed(-2), signed(0)
    ('+3', '-2', '+0')
    """
    return f"{number:+d}" if isinstance(number, int) else f"{'+' if number >= 0 else '-'}{abs(number)}"


def percent(chance: Fraction | float) -> str:
    """A chance in whole percent; 0% and 100% only where it is certain.

    >>> percent(Fraction(35, 100)), percent(Fraction(1, 1000)), percent(Fraction(999, 1000)), percent(Fraction(1))
    ('35%', 'under 1%', 'over 99%', '100%')
    """
    if chance in (0, 1):
        return f"{int(chance) * 100}%"
    if chance < Fraction(1, 100):
        return "under 1%"
    if chance > Fraction(99, 100):
        return "over 99%"
    return f"{int(chance * 100 + Fraction(1, 2))}%"


def percents(chances: Sequence[Fraction]) -> list[str]:
    """Whole percents that add up to 100, by the largest remainder.

    >>> percents([Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)])
    ['34%', '33%', '33%']
    """
    whole = [int(chance * 100) for chance in chances]
    order = sorted(range(len(chances)), key=lambda at: whole[at] - chances[at] * 100)
    for at in order[: max(0, round(float(sum(chances) * 100)) - sum(whole))]:
        whole[at] += 1
    rounded = zip(chances, whole, strict=True)
    return [percent(chance) if share in (0, 100) else f"{share}%" for chance, share in rounded]


def average(value: Fraction | float) -> str:
    """An average: one decimal below ten, none above.

    >>> average(2.14), average(15.4), average(Fraction(-3, 4)), average(3), average(0.04)
    ('2.1', '15', '-0.8', '3', 'under 0.1')
    """
    number = float(value)
    if 0 < number < 0.05:
        return "under 0.1"
    shown = f"{number:.1f}" if abs(number) < 9.95 else f"{number:.0f}"
    shown = shown.removesuffix(".0")
    return "0" if shown == "-0" else shown


def sentence(text: str) -> str:
    """A text with a capital at the start and a full stop at the end.

    >>> sentence("the spear misses"), sentence("Wait ...")
    ('The spear misses.', 'Wait ...')
    """
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!:)" else ".")


def plain(id_: str) -> str:
    """Words of an id, where no display name is known.

    >>> plain("long_bow"), plain("guard-1"), plain("melee_expert")
    ('long bow', 'guard 1', 'melee expert')
    """
    return re.sub(r"[_\-]+", " ", id_).strip()


_TRUTH = {"True": "yes", "False": "no", "None": "nothing"}
_JOINED = re.compile(r"(?<=[a-z])\+(?=[a-z])")


def option_words(id_: str) -> str:
    """Words of an option's id, where the option has no label.

    >>> option_words("parry+bare_hands"), option_words("True"), option_words("4D+1")
    ('parry with bare hands', 'yes', '4D+1')
    """
    return _TRUTH.get(id_) or _JOINED.sub(" with ", spaced(id_))


_DICE_WORDS = (
    (re.compile(r", one die rerolled once and the better face kept"), " with advantage"),
    (re.compile(r", one die rerolled once and the worse face kept"), " with disadvantage"),
    (re.compile(r", one die rerolled (\d+) times and the better face kept"), r" with advantage (\1 times)"),
    (re.compile(r", one die rerolled (\d+) times and the worse face kept"), r" with disadvantage (\1 times)"),
    (re.compile(r"\bbest of 2 x \(?([^()]+)\)?"), r"\1 twice, the better kept"),
    (re.compile(r"\bworst of 2 x \(?([^()]+)\)?"), r"\1 twice, the worse kept"),
    (re.compile(r" with the Wild Die first"), ""),
    (re.compile(r" with any 1\b"), ""),
    (re.compile(r"\bd0\.\.99\b"), "d100"),
)


def dice_words(notation: str) -> str:
    """Dice as people call them.

    >>> dice_words("4D with the Wild Die first"), dice_words("d0..99"), dice_words("worst of 2 x (2d6)")
    ('4D', 'd100', '2d6 twice, the worse kept')
    """
    for pattern, words in _DICE_WORDS:
        notation = pattern.sub(words, notation)
    return notation


def spaced(text: str) -> str:
    """A text without the underscores of ids.

    >>> spaced("a long_bow")
    'a long bow'
    """
    return re.sub(r"(?<=\w)_+(?=\w)", " ", text)


def title_case(id_: str) -> str:
    """Words of an id as the book's own term.

    >>> title_case("melee_expert"), title_case("guard-1")
    ('Melee Expert', 'Guard 1')
    """
    return " ".join([word[:1].upper() + word[1:] for word in plain(id_).split()])
