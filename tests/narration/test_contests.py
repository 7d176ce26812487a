"""A contest of two is one sentence, and names who rolled what, also where one seat plays both."""

from __future__ import annotations

import json

import pytest

from narration.samples import lines_of, play_on
from tablewright.game.narration.draft import LineSeen
from tablewright.game.narration.entries import entries, lines_seen, tell
from tablewright.game.narration.voices import sayings_of, voice_for
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.opening import open_session
from tablewright.game.session.session import Session

CONTESTS = {
    "marchen": ("roland", "athletics", "agnes", "", "beats Agnes at Athletics."),
    "mars": ("aldith", "athletics", "corin", "", "beats Corin at Athletics, 10 to 8."),
    "opend6": ("mirre", "stealth", "hedda", "", "beats Mirre at Stealth."),
    "renaissance": ("pip", "athletics", "veyra", "", "beats Pip at Athletics."),
    "stage": ("arlef", "perception.intuition", "brynh", "guile.bluff", "beats Brynh's Guile (bluff)."),
}
"""Contests: both sides with their skills, and the end of the sentence."""


def contested(system: str) -> Session:
    """A session in which a contest was made."""
    who, what, against, with_what, _ = CONTESTS[system]
    session = open_session(load_scenario(f"{system}:together"), seed=1)
    session.do("table.contest", who=who, what=what, against=against, with_what=with_what)
    play_on(session)
    return session


@pytest.mark.parametrize("system", CONTESTS)
def test_a_contest_is_one_sentence_with_both_names_beside_the_dice(system: str) -> None:
    session = contested(system)
    headline, quiet = lines_of(entries(session.live, session.rulebook, GAME_MASTER))
    assert headline.endswith(CONTESTS[system][-1])
    assert quiet.count("'s ") == 2


@pytest.mark.parametrize("system", CONTESTS)
def test_dice_belong_to_their_owners_where_one_seat_plays_both(system: str) -> None:
    session = contested(system)
    book, who, against = session.rulebook, CONTESTS[system][0], CONTESTS[system][2]
    lines: list[LineSeen] = []
    for line in lines_seen(session.live, book, GAME_MASTER):
        plain = json.dumps(line.fact).replace(f'"seat": "{against}"', '"seat": "gm"').replace(f'"seat": "{who}"', "")
        fact = json.loads(plain.replace(', "}', "}"))
        lines.append(line._replace(fact=fact | ({"actor": "gm", "opponent": "gm"} if "mechanic" in fact else {})))
    voice = voice_for(session.scene, book, GAME_MASTER)
    (told,) = tell(lines, voice, sayings_of(system))
    assert told.quiet == entries(session.live, book, GAME_MASTER)[0].quiet
