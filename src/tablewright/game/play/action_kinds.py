"""Kinds of actions: decorators that declare an action on the function that performs it, and the uses it offers.

>>> from tablewright.game.play.actions import needs
>>> swift = ActionKind(last=(needs(lambda scene, who: False, "no time is left", "demo.time"),), cost_text="2 s")
>>> @swift("Drop", "demo.action.drop", uses=with_each(lambda scene, who: ["hand_axe", "hand_axe"], "Drop the {}"))
... async def _drop(game: Game, who: str, use: ActionUse) -> None: ...
>>> _drop.id, _drop.title, _drop.cost_text, [one.rule for one in _drop.requires]
('drop', 'Drop', '2 s', ['demo.time'])
>>> [(use.id, use.label) for use in _drop.uses_for(Scene("demo"), "ann")]
[('drop::hand_axe', 'Drop the hand axe')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tablewright.game.play.actions import Action, ActionUse, Performed, Requirement
from tablewright.game.play.costs import Cost
from tablewright.game.scene.scene import Participant, Scene

Candidates: TypeAlias = Callable[[Scene, str], Iterable[ActionUse]]


class Each(NamedTuple):
    """Uses of an action by target, detail and name; ``{}`` in the words stands for the name."""

    found: Callable[[Scene, str], Iterable[tuple[str | None, str | None, str]]]
    words: str

    def of(self, action: str, cost: str) -> Candidates:
        """The candidates of an action."""
        found, words = self

        def uses(scene: Scene, who: str) -> Iterator[ActionUse]:
            for target, detail, name in found(scene, who):
                yield ActionUse(action, target, detail, words.format(name), cost)

        return uses


def on_each(targets: Callable[[Scene, str], Iterable[Participant]], words: str) -> Each:
    """Offer an action on each of some participants."""
    return Each(lambda scene, who: [(one.id, None, scene.display_name(one.id)) for one in targets(scene, who)], words)


def with_each(things: Callable[[Scene, str], Iterable[str | tuple[str, str]]], words: str) -> Each:
    """Offer an action with each of some things, each once: ids, or ids with their names."""

    def found(scene: Scene, who: str) -> Iterator[tuple[None, str, str]]:
        for one in dict.fromkeys(things(scene, who)):
            yield (None, one, one.replace("_", " ")) if isinstance(one, str) else (None, *one)

    return Each(found, words)


def only_if(holds: Callable[[Scene, str], object], words: str) -> Each:
    """Offer an action as a whole where something holds."""
    return Each(lambda scene, who: [(None, None, "")] if holds(scene, who) else [], words)


@dataclass(frozen=True, slots=True)
class ActionKind:
    """Everything that the actions of one kind share; as a decorator it turns the function that performs one into it.

    The id of the action is the name of the function without its underscore. The action demands ``first``, then what
    it ``needs`` itself, then ``last``; its own rules come before those of the kind.
    """

    first: tuple[Requirement, ...] = ()
    last: tuple[Requirement, ...] = ()
    rules: tuple[str, ...] = ()
    cost_text: str = ""
    cost: Cost | None = None
    price_rule: str = ""
    reaction: bool = False

    def __call__(
        self,
        title: str,
        rules: str | tuple[str, ...],
        needs: tuple[Requirement, ...] = (),
        uses: Candidates | Each | None = None,
        cost_text: Callable[[Scene, str, ActionUse], str] | str = "",
        *,
        cost: Cost | Callable[[Scene, str, ActionUse], Cost] | None = None,
        price_rule: str = "",
        id: str = "",  # noqa: A002 - as the field of an action
        legal: Candidates | None = None,
    ) -> Callable[[Performed], Action]:
        """Declare an action on the function that performs it; a cost of its own takes the place of the kind's."""
        cited = (*((rules,) if isinstance(rules, str) else rules), *self.rules)
        told = cost_text or self.cost_text

        def declare(perform: Performed) -> Action:
            name = id or str(getattr(perform, "__name__", "")).removeprefix("_")
            found = uses.of(name, told if isinstance(told, str) else "") if isinstance(uses, Each) else uses
            return Action(
                name,
                title,
                cited,
                perform,
                (*self.first, *needs, *self.last),
                found,
                told,
                self.reaction,
                self.cost if cost is None else cost,
                price_rule or self.price_rule,
                legal,
            )

        return declare


action = ActionKind()
"""Declare an action that shares nothing with others."""
