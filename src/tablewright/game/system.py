"""A rule book as software: what the rest of the program sees of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, get_args

from tablewright.errors import BadInput, RulesSayNo, nearest
from tablewright.game.ledger import Ledger
from tablewright.game.options import Options

if TYPE_CHECKING:
    from tablewright.engine import Mechanic
    from tablewright.game.rulebook import Rulebook

Status = Literal["building", "finished"]


@dataclass(frozen=True, kw_only=True)
class System:
    """One rule book: its id and names, its mechanics and its options.

    `package` is the package that holds `ledger.yaml`, usually `__name__`. `status` says whether the whole rule book is
    in the code. The title stands here and nowhere else; everything else refers to a system by its id. `rulebook` names
    the module that declares the rest (characters, actions, encounters) as `rulebook`; it is loaded when first needed.
    """

    id: str
    title: str
    summary: str
    version: str
    package: str
    status: Status = "building"
    mechanics: tuple[Mechanic[..., Any], ...] = ()
    options: type[Options] = Options
    rulebook: str | None = None
    _by_name: dict[str, Mechanic[..., Any]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not re.match(r"[a-z][a-z0-9_]*\Z", self.id):
            raise BadInput(f'"{self.id}" cannot be the id of a system: lower-case letters, digits and underscores')
        if self.status not in get_args(Status):
            raise BadInput(f'{self.id}: status is "{self.status}", allowed are {", ".join(get_args(Status))}')
        by_name: dict[str, Mechanic[..., Any]] = {}
        for mechanic in self.mechanics:
            if not mechanic.name.startswith(f"{self.id}."):
                raise BadInput(f'{self.id}: the name of mechanic "{mechanic.name}" must begin with "{self.id}."')
            if mechanic.name in by_name:
                raise BadInput(f'{self.id}: two mechanics are called "{mechanic.name}"')
            by_name[mechanic.name] = mechanic
        object.__setattr__(self, "_by_name", by_name)

    @property
    def ledger(self) -> Ledger:
        """The rules of the book; read when first asked for."""
        return Ledger.load(self.package)

    @property
    def book(self) -> Rulebook:
        """Everything beyond mechanics: characters, checks, actions, encounters, content; loaded when needed."""
        if self.rulebook is None:
            raise RulesSayNo(f"{self.title} is still being built: it has no characters and encounters yet")
        try:
            loaded: Rulebook = import_module(self.rulebook).rulebook
        except Exception as error:
            from tablewright.game.faults import fault, is_ours  # noqa: PLC0415 - nothing is wrong with it, as a rule

            if is_ours(self.package):
                raise
            said = fault(error, self.package)
            raise BadInput(f'the system "{self.id}" cannot be loaded: {said}') from error
        return loaded

    @property
    def is_finished(self) -> bool:
        """Whether every rule of the ledger is in the code and proven."""
        return self.status == "finished"

    def mechanic(self, name: str) -> Mechanic[..., Any]:
        """The mechanic with this public name; the system's id in front may be left out."""
        full = name if name.startswith(f"{self.id}.") else f"{self.id}.{name}"
        try:
            return self._by_name[full]
        except KeyError:
            raise BadInput(f'{self.title} has no mechanic "{full}"{nearest(full, self._by_name)}') from None
