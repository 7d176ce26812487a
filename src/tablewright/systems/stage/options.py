"""What the rule book leaves to the Game Master, as far as checks are concerned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.game.options import Options, option

AssistCapHolder = Literal["any_participant", "helper", "assisted"]
BodyBonusCap = Literal["body_level", "none"]
BotchScope = Literal["versus_difficulty", "any_check"]
EmptySecondRoll = Literal["fixed_one", "one_plus_flat"]
FlatPenaltyRoll = Literal["first", "second", "player"]


@dataclass(frozen=True, kw_only=True)
class StageOptions(Options):
    """The named variants of The Stage."""

    assist_cap_holder: AssistCapHolder = option(
        "any_participant", rule="stage.check.assist", about="whose power to raise the limit on helpers counts"
    )
    body_bonus_cap: BodyBonusCap = option(
        "body_level",
        rule="stage.modifier.special_flat",
        about="limit of special flat bonuses on Body",
    )
    botch_fails: bool = option(
        True,
        rule="stage.check.botch",
        about="whether a botch is a failure whatever the total",
        typical="stage.flat dice=3 difficulty=8 untrained=yes",
    )
    botch_scope: BotchScope = option(
        "versus_difficulty",
        rule="stage.check.botch",
        about="which checks can be botched",
        typical="stage.opposed dice=3 opposing=3 opposing_untrained=yes",
    )
    empty_second_roll: EmptySecondRoll = option(
        "fixed_one",
        rule="stage.check.leveled",
        about="what a second roll without dice gives",
        typical="stage.leveled dice=1 difficulty=3 second=2",
    )
    flat_penalty_roll: FlatPenaltyRoll = option(
        "first",
        rule="stage.check.distribution",
        about="where free flat penalties of a leveled check go",
        typical="stage.leveled dice=5 difficulty=10 penalties=2",
    )
