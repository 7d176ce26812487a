"""Five open tabletop role-playing rule books as one engine: play them, know the odds, balance the fight."""

__version__ = "0.1.0"
