"""The settings that this rule book leaves to the game master."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablewright.game.options import option
from tablewright.systems.renaissance.fight_options import FightOptions

ExceptionalBoundary: TypeAlias = Literal["over", "at_least"]
DowngradeCritical: TypeAlias = Literal["to_exceptional", "to_normal"]
RegradeLimit: TypeAlias = Literal["one_each_cancel", "one_total"]
OrderedFirstFailure: TypeAlias = Literal["lose", "reroll"]
RelatedSkill25: TypeAlias = Literal["higher", "lower"]
RetryPenalty: TypeAlias = Literal["cumulative", "flat"]
Untrained: TypeAlias = Literal["aptitude", "related_skill"]
AptitudeMethod: TypeAlias = Literal["transfer_and_tweak", "plus20_minus5"]
SocialAnimal: TypeAlias = Literal["luck_reroll", "off"]
ReadyTrait: TypeAlias = Literal["luck_reroll", "best_of_two", "head_of_order"]


@dataclass(frozen=True, kw_only=True)
class RenaissanceOptions(FightOptions):
    """The settings of a table; the first value of each is the default."""

    exceptional_boundary: ExceptionalBoundary = option(
        "over",
        rule="renaissance.grade.exceptional_boundary",
        about="whether a margin of exactly 30 is exceptional",
        typical="renaissance.lucky_check target=60 luck=0 --objective exceptional",
    )
    critical_counts_as_exceptional: bool = option(
        True,
        rule="renaissance.grade.critical_counts_as_exceptional",
        about="whether a critical result serves where an exceptional one is asked for",
        typical=(
            "renaissance.attack target=60 dv=2d10+6 defences=fray:50 armor=6 ap=2 wound_threshold=6 balance=60"
            " --objective damage"
        ),
    )
    downgrade_critical: DowngradeCritical = option(
        "to_exceptional",
        rule="renaissance.regrade.downgrade_critical",
        about="where a downgraded critical success lands",
        typical="renaissance.check target=60 regrade=downgrade --objective grade",
    )
    regrade_limit: RegradeLimit = option(
        "one_each_cancel",
        rule="renaissance.regrade.limit_option",
        about="what an upgrade and a downgrade on the same check do",
        typical="renaissance.check target=60 regrade=upgrade_then_downgrade --objective grade",
    )
    ordered_first_failure: OrderedFirstFailure = option(
        "lose",
        rule="renaissance.opposed.ordered_first_failure",
        about="what a failed first roll of an ordered check means",
        typical="renaissance.ordered a=60 b=50",
    )
    luck_per_check: Literal[1] | None = option(
        None,
        rule="renaissance.luck.limit",
        about="how many Luck points one check may take",
        typical="renaissance.lucky_check target=40 luck=3 penalties=20",
    )
    retry_penalty: RetryPenalty = option(
        "cumulative",
        rule="renaissance.modifier.retry_penalty",
        about="whether the penalty for trying again grows with every attempt",
        typical={"cumulative": "renaissance.check target=40", "flat": "renaissance.check target=50"},
    )
    related_skill_25: RelatedSkill25 = option(
        "higher",
        rule="renaissance.modifier.related_skill_25",
        about="what a related skill with exactly 25 ranks adds",
        typical={"higher": "renaissance.check target=70", "lower": "renaissance.check target=60"},
    )
    untrained: Untrained = option(
        "aptitude",
        rule="renaissance.gap.skill.untrained",
        about="what a skill without ranks is rolled with: the aptitude alone, or a related skill at -30",
        typical={"aptitude": "renaissance.check target=20", "related_skill": "renaissance.check target=40"},
    )
    armor_penalty: bool = option(
        True,
        rule="renaissance.armor.penalty_option",
        about="whether worn armor and shields take their penalty from skills",
        typical={True: "renaissance.check target=50", False: "renaissance.check target=60"},
    )
    aptitude_method: AptitudeMethod = option(
        "transfer_and_tweak",
        rule="renaissance.gap.creation.aptitude_method",
        about="how aptitudes are set when a character is made, and how its points are spread",
        changes="between_scenes",
    )
    social_animal: SocialAnimal = option(
        "luck_reroll",
        rule="renaissance.gap.race.social_animal",
        about="whether a Human may roll a social check again for a Luck point",
        typical={
            "luck_reroll": "renaissance.gifted_check target=50 luck=1 second_roll=true",
            "off": "renaissance.lucky_check target=50 luck=1",
        },
    )
    ready_trait: ReadyTrait = option(
        "luck_reroll",
        rule="renaissance.gap.trait.ready",
        about="what the trait Ready does for initiative",
    )
    buy_off_traits: bool = option(
        True,
        rule="renaissance.gap.advancement.buy_off",
        about="whether a negative trait can be bought off with Rez points",
    )
