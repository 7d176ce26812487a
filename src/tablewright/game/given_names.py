"""Names for those who were given none: a character that is made for somebody is called something."""

from __future__ import annotations

from collections.abc import Collection

from tablewright.dice import Dice, Die

NAMES = (
    *("Adela", "Albrecht", "Alina", "Anselm", "Arvid", "Asta", "Balder", "Barbe", "Bertil", "Birke", "Bodo", "Brida"),
    *("Caspar", "Cilia", "Clemens", "Dagny", "Darian", "Dorle", "Edda", "Eike", "Elfrun", "Emmerich", "Enno", "Erlin"),
    *("Falk", "Fenja", "Florin", "Frida", "Gerlind", "Gesine", "Gisbert", "Gudrun", "Hanno", "Hartmut", "Heike"),
    *("Helma", "Hinrich", "Ida", "Ilka", "Ingolf", "Irmel", "Jarne", "Jasper", "Jelka", "Jorun", "Karsten", "Katla"),
    *("Kerstin", "Konrad", "Lasse", "Leif", "Lioba", "Lorenz", "Ludmila", "Malte", "Marit", "Matthis", "Meinolf"),
    *("Merle", "Nele", "Nils", "Norwin", "Oda", "Olin", "Ortrun", "Oswin", "Pavel", "Petrin", "Quentin", "Ragna"),
    *("Reimar", "Rika", "Runa", "Sander", "Selma", "Severin", "Sigrun", "Solveig", "Swantje", "Tamme", "Thea", "Tilo"),
    *("Trude", "Ulla", "Ulrik", "Valda", "Veit", "Vigga", "Volkmar", "Wanja", "Wibke", "Wolfram", "Yorick", "Zita"),
)


def name_for(seed: int, taken: Collection[str]) -> str:
    """A name that none of some others has, with the same seed the same one.

    >>> name_for(3, []) == name_for(3, []), name_for(3, [name_for(3, [])]) == name_for(3, [])
    (True, False)
    """
    free = [name for name in NAMES if name not in taken] or list(NAMES)
    return free[Dice(seed, "name").face(Die(len(free))) - 1]
