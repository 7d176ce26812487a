"""A bot for a live table in ten lines: python examples/live_bot.py LINK, with a link that the game master gave away."""

import sys

import tablewright as tw


def brawler(turn: tw.Turn) -> tw.Option:
    """Attack where there is something to attack; else take the usual answer."""
    return next((option for option in turn.options if option.id.startswith(("attack", "strike"))), turn.default)


with tw.connect(sys.argv[1]) as seat:
    print(seat.play(brawler), "after", seat.answers, "answers")
