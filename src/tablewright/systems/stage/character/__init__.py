"""Characters: what they are, every figure that follows, how they are made, whether they are legal, their sheet.

The interface for the rest of the system, in short:

- ``StageCharacter`` (record.py) is frozen and holds what was decided, never what follows from it. ``wounds`` is what is
  carried between scenes: the six tracks (None: at the maximum), Disability Counters of ailments (``counters``),
  ``first_aid``, sicknesses; ``day`` are uses and needs of the day, ``pending`` what falls due.
- A scene's ``Status`` has the six tracks as whole numbers, ``counters``, ``first_aid`` and ``belongings``:
  ``rolling.py`` reads these.
- ``Carried.place`` is ``pack``, ``belt`` (easy reach), ``worn``, ``hand`` or ``hands``. ``Carried.left`` are the
  Integrity Points that are left (None: whole, 0: destroyed); ``Carried.more`` has ``enchantments`` and ``energy``.
- Figures (figures.py) take ``(character, ..., options, library)`` and give a ``Tally``; ``figures`` has the plain
  numbers, remembered. ``given`` is everything that always works; ``at_least``, ``ignored``, ``factor_of`` and
  ``added`` read it by the words of ``powers.py``.
- What a check rolls is in ``rolling.py``: ``rolled(subject, "guile.sneak", announced=..., dice=..., flat=...)``.
"""
