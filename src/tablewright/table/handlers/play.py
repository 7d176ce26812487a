"""Handlers for play: answers, processes, arrivals, proposals, dice and scenes."""

from __future__ import annotations

from tablewright.dice import Die, SeededDice, TypedDice
from tablewright.dice.notation import parse_dice
from tablewright.engine import Roll, SetOutcome
from tablewright.engine.request import EVERYONE
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.game.scene.scene import Scene
from tablewright.game.scene.visibility import GAME_MASTER
from tablewright.game.session.record import Entry, JoinEntry, ReducedEntry, StartEntry, entry_from_json
from tablewright.game.session.session import JOINED
from tablewright.game.session.session import entrant as read_entrant
from tablewright.table import commands as given
from tablewright.table import events as happened
from tablewright.table import scenes
from tablewright.table.campaign import (
    Proposal,
    Seat,
)
from tablewright.table.errors import ForbiddenError
from tablewright.table.handlers.registry import handles
from tablewright.table.handlers.settings import setting
from tablewright.table.loaded_campaign import LoadedCampaign, scene_seed
from tablewright.table.secrecy import as_far_as_known, check_named, check_offered
from tablewright.table.tokens import slug


@handles(given.Answer, "player")
def _answer(sitting: LoadedCampaign, seat: Seat, command: given.Answer) -> None:
    session = sitting.session if sitting.has_scene else None
    if session is None or session.question is None:
        raise IllegalActionError("nothing is asked now; wait until a question is open")
    if seat.role != "gm" and sitting.asked != seat.viewer:
        raise ForbiddenError("it is not your question; wait for your turn")
    if sitting.campaign.proposal is not None:
        raise IllegalActionError("a proposal is open; answer when the game master has accepted or discarded it")
    if command.option is not None:
        check_offered(sitting, seat, command.option)
    sitting.take(entry_of(command, sitting, seat), seat.id)
    sitting.go_on()


def entry_of(command: given.Answered, sitting: LoadedCampaign, seat: Seat) -> Entry:
    """Record entry for an answer to the open question."""
    if command.set is not None:
        if seat.role != "gm":
            raise ForbiddenError("only the game master may set the outcome of dice")
        if not command.reason.strip():
            raise InvalidInputError("a ruling names its reason; none was given", field="reason")
        return SetOutcome(command.set, command.reason)
    if command.roll:
        if not isinstance(sitting.session.question, Roll):
            raise InvalidInputError("no roll is asked for now; choose an option", field="roll")
        return sitting.session.faces()
    if command.faces is not None:
        return tuple(command.faces)
    assert command.option is not None
    return command.option


def _check_start(sitting: LoadedCampaign, seat: Seat, command: given.Start) -> None:
    """Refuse a process that players may not start, that is for others' characters, or that names hidden ones."""
    _demand_scene(sitting)
    if command.process not in setting(sitting.campaign, "players_start"):
        raise ForbiddenError(f'"{command.process:.60}" may be started by the game master only')
    if sitting.session.question is not None:
        raise IllegalActionError("a question is open; try again when it is answered")
    scene = sitting.session.scene
    own = [participant.id for participant in scene.participants if participant.seat == seat.id]
    who = command.arguments.get("who")
    named = who if isinstance(who, list) else [who]
    if not named or any(one not in own for one in named):
        raise ForbiddenError(f"name a character of your own: {', '.join(own) or 'you have none here'}")
    if command.arguments.get("secret"):
        raise ForbiddenError("only the game master keeps a difficulty secret")
    if command.arguments.get("plus"):
        raise ForbiddenError("only the game master adds something to a roll")

    def tried(known: Scene) -> None:
        check_named(sitting.session.rulebook, known, command.process, command.arguments)

    as_far_as_known(sitting, seat, scene.visible_to(seat.viewer), command.arguments, tried)


@handles(given.Start, "player", check=_check_start)
def _start(sitting: LoadedCampaign, seat: Seat, command: given.Start) -> None:
    _demand_scene(sitting)
    started = StartEntry(command.process, command.arguments)
    if seat.role == "gm":
        sitting.enter(started, seat.id)
    else:
        sitting.take(started, seat.id)
    sitting.go_on()


def _demand_scene(sitting: LoadedCampaign) -> None:
    if not sitting.has_scene:
        raise IllegalActionError("no scene is open; the game master begins one")


@handles(given.Join, "gm")
def _join(sitting: LoadedCampaign, seat: Seat, command: given.Join) -> None:
    if not sitting.has_scene:
        raise IllegalActionError("no scene is open; begin one first")
    entrant = dict(command.entrant)
    hero = sitting.campaign.play.characters.get(str(entrant.get("character")))
    if hero is not None:
        entrant |= {"character": hero.character, "id": hero.id}
        entrant.setdefault("hidden", not hero.known)
        if entrant["hidden"]:
            sides = [(participant.id, participant.side) for participant in sitting.session.scene.participants]
            side = str(entrant.get("side", JOINED))
            entrant["side"] = scenes.side_of(sitting.campaign, hero.id, side, sides)
    entrant["seat"] = sitting.campaign.owner(hero.id) if hero is not None else GAME_MASTER
    if not entrant.get("id"):
        came = read_entrant(sitting.session.rulebook, sitting.session.scene, entrant)
        to = GAME_MASTER if came.hidden else EVERYONE
        here = [participant.id for participant in sitting.session.scene.participants]
        entrant["id"] = scenes.new_id(sitting.campaign, slug(came.name), to, here)
    sitting.enter(JoinEntry(entrant), seat.id)
    sitting.go_on()


@handles(given.ApplyProposal, "gm")
def _apply_proposal(sitting: LoadedCampaign, seat: Seat, command: given.ApplyProposal) -> None:
    proposal = _proposal(sitting)
    entry = entry_from_json(proposal.entry)
    if command.harm != "all" and not isinstance(entry, JoinEntry | ReducedEntry):
        entry = ReducedEntry(entry, command.harm)
    sitting.enter(entry, proposal.by, unasked=proposal.unasked)
    sitting.go_on()


@handles(given.DismissProposal, "gm")
def _dismiss_proposal(sitting: LoadedCampaign, seat: Seat, command: given.DismissProposal) -> None:
    _proposal(sitting)
    remembered = dict(sitting.campaign.remembered)
    for key, faces in sitting.proposed_faces().items():
        if remembered.get(key, [None])[0] != faces:
            remembered[key] = [faces, *remembered.get(key, [])]
    sitting.add(happened.Dismissed(by=seat.id, reason=command.reason, remembered=remembered), seat.id)
    sitting.rebuild(sitting.entries())


def _proposal(sitting: LoadedCampaign) -> Proposal:
    proposal = sitting.campaign.proposal
    if proposal is None or not sitting.has_scene:
        raise IllegalActionError("nothing is proposed any more; the table shows how it was decided")
    return proposal


@handles(given.GoOn, "gm")
def _go_on(sitting: LoadedCampaign, seat: Seat, command: given.GoOn) -> None:
    sitting.go_on()


@handles(given.Throw, "player")
def throw(sitting: LoadedCampaign, seat: Seat, command: given.Throw) -> None:
    """Throw dice outside the game for an audience."""
    dice = parse_dice(command.dice)
    to = {"public": EVERYONE, "blind": GAME_MASTER}.get(command.audience, seat.viewer)
    stream = "table" if to == EVERYONE else f"to:{to}"
    campaign = sitting.campaign
    source: SeededDice | TypedDice
    if command.faces is not None:
        source = TypedDice(command.faces)
    else:
        source = SeededDice(int(campaign.seed, 16), stream, 0, campaign.thrown.get(stream, 0))
    faces: list[int] = []

    def keep(die: Die) -> int:
        faces.append(source.face(die))
        return faces[-1]

    outcome = dice.read(keep)
    if isinstance(source, TypedDice):
        source.finish()
    sitting.add(
        happened.Thrown(
            by=seat.id,
            dice=str(dice),
            faces=tuple(faces),
            outcome=outcome,
            audience=command.audience,
            stream=stream,
            to=to,
        ),
        seat.id,
    )


@handles(given.BeginScene, "gm")
def _begin_scene(sitting: LoadedCampaign, seat: Seat, command: given.BeginScene) -> None:
    if sitting.has_scene:
        _close(sitting, seat, "")
    wanted = scenes.Beginning(
        command.form, command.title, command.scenario, tuple(command.who), command.side, command.bots
    )
    if command.form == "encounter" and command.scenario is None:
        raise InvalidInputError("an encounter needs a scenario", field="scenario")
    seed = scene_seed(sitting.campaign.seed, sitting.campaign.last + 1)
    sitting.add(scenes.scene_began(sitting.campaign, wanted, seed), seat.id)
    if command.form == "encounter":
        process, arguments = scenes.opening_entry(sitting.session)
        sitting.enter(StartEntry(process, arguments), seat.id)
        sitting.go_on()


@handles(given.EndScene, "gm")
def _end_scene(sitting: LoadedCampaign, seat: Seat, command: given.EndScene) -> None:
    if not sitting.has_scene:
        raise IllegalActionError("no scene is open; begin one first")
    _close(sitting, seat, command.outcome, anyway=command.anyway)


def _close(sitting: LoadedCampaign, seat: Seat, outcome: str, *, anyway: bool = False) -> None:
    if sitting.session.question is not None and not anyway:
        raise IllegalActionError("a question is open in this scene; have it answered, or end the scene anyway")
    sitting.add(scenes.scene_closed(sitting.campaign, sitting.session, outcome), seat.id)
