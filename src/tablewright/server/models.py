"""What may be sent: every size and count is bounded, nothing unknown is taken along."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from tablewright.table.commands import AnyCommand, bounded

Word = Annotated[str, Field(min_length=1, max_length=120)]
Short = Annotated[str, Field(max_length=500)]
Long = Annotated[str, Field(max_length=200_000)]
Data = Annotated[dict[str, Any], AfterValidator(bounded)]
Scalar = Annotated[str, Field(max_length=2_000)] | int | bool | None
Given = Annotated[dict[Word, Annotated[Any, AfterValidator(bounded)]], Field(max_length=100)]
Options = Annotated[dict[Word, Scalar], Field(max_length=300)]
Seed = Annotated[int, Field(ge=0, le=2**53)]


class Model(BaseModel):
    """What all have in common."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class OddsAsked(Model):
    """The odds of a mechanic with its arguments, or of dice in notation.

    ``after`` and ``most`` ask for a page of the outcomes: so many, after the first so many.
    """

    mechanic: Word | None = None
    arguments: Given = Field(default_factory=dict)
    dice: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    objective: Word | None = None
    after: Annotated[int, Field(ge=0, le=2**53)] = 0
    most: Annotated[int, Field(ge=1, le=100_000)] | None = None


class Beside(Model):
    """Another mechanic, or other arguments, to be set beside the first."""

    mechanic: Word | None = None
    arguments: Given = Field(default_factory=dict)


class TableAsked(Model):
    """The odds over ranges of arguments (``"5..30"``), beside others or beside other values of an option."""

    mechanic: Word
    arguments: Given = Field(default_factory=dict)
    objective: Word | None = None
    view: Literal["auto", "exactly", "at_least", "at_most", "expected"] = "auto"
    of: Word | None = None
    beside: Annotated[list[Beside], Field(max_length=8)] = Field(default_factory=list)
    option: Word | None = None
    values: Annotated[list[Word], Field(max_length=20)] = Field(default_factory=list)


class AdviceAsked(Model):
    """What to choose in a mechanic; a range is something unknown, with weights if they are known."""

    mechanic: Word
    arguments: Given = Field(default_factory=dict)
    objective: Word | None = None
    weights: Annotated[str, Field(max_length=500)] | None = None


class InSetting(Model):
    """A system with options and packs of one's own."""

    system: Word
    options: Options = Field(default_factory=dict)
    packs: Annotated[list[Long], Field(max_length=4)] = Field(default_factory=list)


class CharacterAsked(InSetting):
    """A character: a file's content as data or text, or the id of a template."""

    character: Data | None = None
    text: Long | None = None
    template: Word | None = None


class CheckAsked(CharacterAsked):
    """A check of a character in a situation: its tally and its odds."""

    check: Word
    situation: Given = Field(default_factory=dict)


class RandomAsked(InSetting):
    """A character made at random: with the same seed the same one."""

    seed: Seed
    name: Word | None = None
    arguments: Given = Field(default_factory=dict)


class MakingAsked(InSetting):
    """A character in the making: the answers so far. Without the last one it is a step back."""

    seed: Seed
    name: Word | None = None
    arguments: Given = Field(default_factory=dict)
    answers: Annotated[
        list[Annotated[str, Field(max_length=500)] | Annotated[list[int], Field(max_length=100)]],
        Field(max_length=2_000),
    ] = Field(default_factory=list)


class PackAsked(Model):
    """A pack of one's own, to be checked."""

    system: Word
    pack: Long


class Entering(Model):
    """The token of a link, and how somebody is called who comes by an invitation."""

    token: Annotated[str, Field(min_length=10, max_length=200)]
    name: Annotated[str, Field(max_length=60)] | None = None


class Acting(Model):
    """A command, and the cursor of what was seen before it."""

    command: AnyCommand
    expected: Annotated[int, Field(ge=0, le=2**53)] | None = None


class Previewing(Model):
    """The command whose effect is to be shown."""

    command: AnyCommand


class Inviting(Model):
    """Who is invited: somebody by name, or whoever comes."""

    role: Literal["gm", "player", "spectator"] = "player"
    name: Annotated[str, Field(min_length=1, max_length=60)] | None = None


class Whose(Model):
    """Whose links are meant; nobody's are those for whoever comes."""

    seat: Annotated[str, Field(max_length=60)] = ""


class CheckAt(Model):
    """A check of somebody at the table, before it is rolled."""

    who: Word
    check: Word
    situation: Given = Field(default_factory=dict)
    plus: Annotated[int, Field(ge=-1000, le=1000)] = 0


class Simulating(Model):
    """A simulation: a scenario by its name or as data, how often, by which policies.

    With ``before`` it is fought in pairs, with and without what has changed since, and the difference is told.
    """

    scenario: Word | Data
    runs: Annotated[int, Field(ge=1, le=20_000)] = 1_000
    seed: Seed = 1
    policies: Annotated[dict[Word, Word], Field(max_length=100)] = Field(default_factory=dict)
    options: Options = Field(default_factory=dict)
    until: Annotated[float, Field(gt=0, lt=1)] | None = None
    anyway: bool = False
    before: Word | Data | None = None


class Meeting(Model):
    """Two sides before they meet; ``known`` are those who were looked at already."""

    scenario: Word | Data
    known: Annotated[list[Word], Field(max_length=200)] = Field(default_factory=list)


class Titled(Model):
    """What a campaign is to be called, or what the one is called that is meant."""

    title: Annotated[str, Field(min_length=1, max_length=200)]


class NewCampaign(Model):
    """A new campaign of a system."""

    title: Annotated[str, Field(min_length=1, max_length=60)]
    system: Word
    game_master: Annotated[str, Field(min_length=1, max_length=60)] = "Game Master"
    options: Options = Field(default_factory=dict)
