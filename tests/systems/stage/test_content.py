"""Packs of one's own: what they add can be used like what is there."""

from __future__ import annotations

import pytest

from systems.stage.people import OPTIONS, library, numbers, somebody
from tablewright.errors import InvalidInputError
from tablewright.game.content.packs import read_pack
from tablewright.game.play.checks import Subject
from tablewright.systems.stage.book import rulebook
from tablewright.systems.stage.content import KINDS


@pytest.mark.rule("stage.skill.description_fields")
def test_an_application_of_another_pack_can_be_rolled() -> None:
    text = """
pack: {id: fair, title: The fair, version: "1", origin: house}
system: stage
applications:
  - id: guile_juggle
    name: Guile (juggle)
    skill: guile
    application: juggle
    check: flat
    ap: 2
    difficulty: set
    circumstances: [{name: knives, dice: -1}]
    rule: stage.guile.bluff
"""
    fair = library().with_pack(read_pack(text, KINDS, library()))
    check, juggler = rulebook.check("application"), Subject(somebody(3), OPTIONS, fair)
    planned = check.read(juggler, {"of": "guile.juggle", "difficulty": "9", "when": "knives"})
    assert numbers(planned) == ("flat", 2, 0, 9)
    with pytest.raises(InvalidInputError, match=r'no application "guile\.juggl"; did you mean "guile\.juggle"'):
        check.read(juggler, {"of": "guile.juggl", "difficulty": "9"})
    with pytest.raises(InvalidInputError, match='knows no circumstance "balls"'):
        check.read(juggler, {"of": "guile.juggle", "difficulty": "9", "when": "balls"})
