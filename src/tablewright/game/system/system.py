"""A rule book as software: id, title, mechanics and rule options."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, get_args

from tablewright.errors import IllegalActionError, InvalidInputError, did_you_mean
from tablewright.game.rules.ledger import Ledger
from tablewright.game.rules.options import RuleOptions

if TYPE_CHECKING:
    from tablewright.engine import Mechanic
    from tablewright.game.system.rulebook import Rulebook

Status = Literal["building", "finished"]


@dataclass(frozen=True, kw_only=True)
class System:
    """One rule book: its id and names, its mechanics and its rule options.

    `package` is the package that holds `ledger.yaml`, usually `__name__`. `status` says whether the whole rule book is
    implemented. The title is defined only here; everything else refers to a system by its id. `rulebook_module` names
    the module that declares the rest (characters, actions, encounters) as `rulebook`; it is imported on first use.
    """

    id: str
    title: str
    summary: str
    version: str
    package: str
    status: Status = "building"
    mechanics: tuple[Mechanic[..., Any], ...] = ()
    options: type[RuleOptions] = RuleOptions
    rulebook_module: str | None = None
    _by_name: dict[str, Mechanic[..., Any]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not re.match(r"[a-z][a-z0-9_]*\Z", self.id):
            raise InvalidInputError(
                f'"{self.id}" cannot be the id of a system: lower-case letters, digits and underscores'
            )
        if self.status not in get_args(Status):
            raise InvalidInputError(f'{self.id}: status is "{self.status}", allowed are {", ".join(get_args(Status))}')
        by_name: dict[str, Mechanic[..., Any]] = {}
        for mechanic in self.mechanics:
            if not mechanic.name.startswith(f"{self.id}."):
                raise InvalidInputError(
                    f'{self.id}: the name of mechanic "{mechanic.name}" must begin with "{self.id}."'
                )
            if mechanic.name in by_name:
                raise InvalidInputError(f'{self.id}: two mechanics are called "{mechanic.name}"')
            by_name[mechanic.name] = mechanic
        object.__setattr__(self, "_by_name", by_name)

    @property
    def ledger(self) -> Ledger:
        """The rules of the book, read on first use."""
        return Ledger.load(self.package)

    @property
    def rulebook(self) -> Rulebook:
        """Characters, checks, actions, encounters and content; imported on first use, refused if there are none yet."""
        if self.rulebook_module is None:
            raise IllegalActionError(f"{self.title} is still being built: it has no characters and encounters yet")
        try:
            loaded: Rulebook = import_module(self.rulebook_module).rulebook
        except Exception as error:
            from tablewright.game.system.load_errors import fault, is_ours  # noqa: PLC0415 - needed only on failure

            if is_ours(self.package):
                raise
            said = fault(error, self.package)
            raise InvalidInputError(f'the system "{self.id}" cannot be loaded: {said}') from error
        return loaded

    @property
    def is_finished(self) -> bool:
        """True if every rule of the ledger is implemented and proven."""
        return self.status == "finished"

    def mechanic(self, name: str) -> Mechanic[..., Any]:
        """Find a mechanic by public name, with or without the system's id in front."""
        full = name if name.startswith(f"{self.id}.") else f"{self.id}.{name}"
        try:
            return self._by_name[full]
        except KeyError:
            raise InvalidInputError(
                f'{self.title} has no mechanic "{full}"{did_you_mean(full, self._by_name)}'
            ) from None
