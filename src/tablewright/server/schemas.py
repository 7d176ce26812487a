"""Request bodies: all sizes and counts are bounded, and unknown fields are refused."""

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
    """Base class of all request bodies."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class OddsRequest(Model):
    """Odds of a mechanic with its arguments, or of dice in notation.

    ``after`` and ``most`` select a page of the outcomes: at most ``most``, after skipping ``after``.
    """

    mechanic: Word | None = None
    arguments: Given = Field(default_factory=dict)
    dice: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    objective: Word | None = None
    after: Annotated[int, Field(ge=0, le=2**53)] = 0
    most: Annotated[int, Field(ge=1, le=100_000)] | None = None


class Beside(Model):
    """Another mechanic, or other arguments, to compare with the first."""

    mechanic: Word | None = None
    arguments: Given = Field(default_factory=dict)


class OddsTableRequest(Model):
    """Odds over ranges of arguments (``"5..30"``), compared with others or with other values of an option."""

    mechanic: Word
    arguments: Given = Field(default_factory=dict)
    objective: Word | None = None
    view: Literal["auto", "exactly", "at_least", "at_most", "expected"] = "auto"
    of: Word | None = None
    beside: Annotated[list[Beside], Field(max_length=8)] = Field(default_factory=list)
    option: Word | None = None
    values: Annotated[list[Word], Field(max_length=20)] = Field(default_factory=list)


class AdviceRequest(Model):
    """Advice for the choices in a mechanic; a range is an unknown argument, with optional weights."""

    mechanic: Word
    arguments: Given = Field(default_factory=dict)
    objective: Word | None = None
    weights: Annotated[str, Field(max_length=500)] | None = None


class InSetting(Model):
    """A system with chosen options and own packs."""

    system: Word
    options: Options = Field(default_factory=dict)
    packs: Annotated[list[Long], Field(max_length=4)] = Field(default_factory=list)


class CharacterRequest(InSetting):
    """A character: the content of a file as data or text, or the id of a template."""

    character: Data | None = None
    text: Long | None = None
    template: Word | None = None


class CheckRequest(CharacterRequest):
    """A check of a character in a situation."""

    check: Word
    situation: Given = Field(default_factory=dict)


class RandomCharacterRequest(InSetting):
    """A random character; the same seed gives the same character."""

    seed: Seed
    name: Word | None = None
    arguments: Given = Field(default_factory=dict)


class CreationRequest(InSetting):
    """A character creation with the answers so far. Leave out the last answer to go one step back.

    With ``previews`` the response tells for each open option what it would change.
    """

    previews: bool = False
    seed: Seed
    name: Word | None = None
    arguments: Given = Field(default_factory=dict)
    answers: Annotated[
        list[Annotated[str, Field(max_length=500)] | Annotated[list[int], Field(max_length=100)]],
        Field(max_length=2_000),
    ] = Field(default_factory=list)


class PackRequest(Model):
    """A content pack to validate."""

    system: Word
    pack: Long


class EnterRequest(Model):
    """The token of a link; for an open invitation also a name for the seat, and the free character that it wants."""

    token: Annotated[str, Field(min_length=10, max_length=200)]
    name: Annotated[str, Field(max_length=60)] | None = None
    character: Word | None = None


class LinkRequest(Model):
    """The token of a link to look at before it is opened."""

    token: Annotated[str, Field(min_length=10, max_length=200)]


class DemoRequest(Model):
    """A fight to try: a system, and one of its scenarios by name."""

    system: Word
    scenario: Word = "even"


class ActRequest(Model):
    """A command, and the cursor that the seat has seen."""

    command: AnyCommand
    expected: Annotated[int, Field(ge=0, le=2**53)] | None = None


class PreviewRequest(Model):
    """A command to preview."""

    command: AnyCommand


class InviteRequest(Model):
    """An invitation: for a named person, or open if there is no name."""

    role: Literal["gm", "player", "spectator"] = "player"
    name: Annotated[str, Field(min_length=1, max_length=60)] | None = None


class Whose(Model):
    """The seat whose links to revoke or renew; empty for open invitations."""

    seat: Annotated[str, Field(max_length=60)] = ""


class CheckAt(Model):
    """A check of a character at the table, before it is rolled."""

    who: Word
    check: Word
    situation: Given = Field(default_factory=dict)
    plus: Annotated[int, Field(ge=-1000, le=1000)] = 0


class OptionsAhead(Model):
    """Options of the open question whose follow-up questions are wanted."""

    options: Annotated[list[Word], Field(min_length=1, max_length=12)]


class SimulationRequest(Model):
    """A simulation: a scenario by its name or as data, the number of runs, and the policies.

    With ``before``, each fight is run with both scenarios, and the result includes the difference.
    """

    scenario: Word | Data
    runs: Annotated[int, Field(ge=1, le=20_000)] = 1_000
    seed: Seed = 1
    policies: Annotated[dict[Word, Word], Field(max_length=100)] = Field(default_factory=dict)
    options: Options = Field(default_factory=dict)
    until: Annotated[float, Field(gt=0, lt=1)] | None = None
    anyway: bool = False
    before: Word | Data | None = None


class EncounterForecastRequest(Model):
    """Two sides before an encounter; ``known`` are the participants that are already evaluated."""

    scenario: Word | Data
    known: Annotated[list[Word], Field(max_length=200)] = Field(default_factory=list)


class Titled(Model):
    """The new title of a campaign, or the current title as a confirmation."""

    title: Annotated[str, Field(min_length=1, max_length=200)]


class NewCampaign(Model):
    """A new campaign of a system."""

    title: Annotated[str, Field(min_length=1, max_length=60)]
    system: Word
    game_master: Annotated[str, Field(min_length=1, max_length=60)] = "Game Master"
    options: Options = Field(default_factory=dict)
