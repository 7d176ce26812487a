"""Contrast of the design tokens, in every game, dark and light: text at 4.5 to 1, controls and rings at 3 to 1."""

from __future__ import annotations

import math
import re
from functools import cache

import pytest

from web.browsing import SOURCES

STYLES = SOURCES / "src" / "styles"
GAMES = ("", "marchen", "mars", "opend6", "renaissance", "stage")
MODES = ("dark", "light")
SURFACES = ("--bg", "--s-1", "--s-2", "--s-3")
TEXTS = ("--tx", "--tx-2", "--tx-3", "--accent-tx", "--us-tx", "--foe-tx")
CONTROLS = ("--field", "--accent", "--us", "--foe", "--warn", "--bad", "--good")
"""Borders of fields, the focus, and the rings of health."""
MAP_TRACK = "oklch(0.15 0.01 250)"
"""The dark part of a ring on the map, in either mode."""

Colour = tuple[float, float, float]


@cache
def blocks() -> list[tuple[str, dict[str, str]]]:
    """Rules of the style sheets of tokens: selector and custom properties."""
    text = "".join([(STYLES / name).read_text(encoding="utf-8") for name in ("tokens.css", "games.css")])
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return [
        (" ".join(selector.split()), dict(re.findall(r"(--[\w-]+):\s*([^;]+);", body)))
        for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text)
    ]


def tokens(game: str, mode: str) -> dict[str, str]:
    """Custom properties of a game in a mode, as a browser lays them over each other."""
    found: dict[str, str] = {}
    for selector, told in blocks():
        parts = [part.strip() for part in selector.split(",")]
        if parts == [":root"] or f'[data-mode="{mode}"]' in parts or parts == [f'[data-game="{game}"]']:
            found |= told
    return found


def linear(text: str, known: dict[str, str]) -> Colour:
    """Linear red, green and blue of a colour in OKLCH, cut to what a screen shows.

    >>> [round(part, 3) for part in linear("oklch(1 0 0)", {})]
    [1.0, 1.0, 1.0]
    """
    while "var(" in text:
        text = re.sub(r"var\((--[\w-]+)\)", lambda found: known[found[1]], text)
    text = re.sub(r"calc\(([\d.]+) \* ([\d.]+)\)", lambda found: str(float(found[1]) * float(found[2])), text)
    light, chroma, hue = [float(part) for part in text.removeprefix("oklch(").rstrip(")").split()[:3]]
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
    first, second, third = [min(1.0, max(0.0, part)) for part in (red, green, blue)]
    return first, second, third


def contrast(one: Colour, other: Colour) -> float:
    """Contrast of two colours as WCAG reckons it."""
    lights = sorted([0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (one, other)])
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", GAMES)
def test_text_controls_and_rings_stand_out(game: str, mode: str) -> None:
    known = tokens(game, mode)
    wanted = [(text, surface, 4.5) for text in TEXTS for surface in SURFACES]
    wanted += [(text, "--s-4", 4.5) for text in ("--tx", "--tx-2")]
    wanted += [("--on-accent", "--accent", 4.5), ("--on-accent", "--accent-hi", 4.5)]
    wanted += [(control, surface, 3.0) for control in CONTROLS for surface in SURFACES]
    wanted += [
        (ring, "--s-4", 3.0) for ring in ("--us", "--foe", "--warn", "--bad")
    ]  # what is left against what is lost
    weak = {}
    for front, back, least in wanted:
        found = contrast(linear(known[front], known), linear(known[back], known))
        if found < least:
            weak[f"{front} on {back}"] = round(found, 2)
    for ring in ("--us", "--foe", "--warn", "--bad"):
        found = contrast(linear(known[ring], known), linear(MAP_TRACK, known))
        if found < 3:
            weak[f"{ring} on the map"] = round(found, 2)
    assert weak == {}


def test_the_reckoning_is_that_of_the_standard() -> None:
    white, black, grey = (linear(text, {}) for text in ("oklch(1 0 0)", "oklch(0 0 0)", "oklch(0.5999 0 0)"))
    assert round(contrast(white, black), 1) == 21
    assert round(contrast(grey, white), 2) == 3.95  # #808080
