"""Arguments for the checks and processes of Märchen Engine, for plays that see everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from conformance.drawing import Below, one_of
from conformance.extents import Arguments
from systems.marchen.casts import CONDITIONS
from systems.marchen.people import library
from tablewright.game.play.actions import ActionUse
from tablewright.game.scene.scene import Participant
from tablewright.game.session.session import Session
from tablewright.systems.marchen.advancement import TAUGHT_BY_SAGES
from tablewright.systems.marchen.book import rulebook
from tablewright.systems.marchen.chapters.magic import too_far, why_not
from tablewright.systems.marchen.chapters.seasons.catalogue import SCALES, SEASONAL
from tablewright.systems.marchen.character.record import Specialization
from tablewright.systems.marchen.content import Depth
from tablewright.systems.marchen.mechanics.dice import DIFFICULTIES
from tablewright.systems.marchen.mechanics.turn import FRAMES
from tablewright.systems.marchen.values import ASPECTS, CHARACTERISTICS, SKILLS, SPIRITUAL

# ---------------------------------------------------------------------- how checks are made


def _check(check: str) -> Arguments:
    """Arguments of a check in one of the situations that fit it."""

    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        words = {
            "difficulty": one_of((*DIFFICULTIES, "-3", "2"), below),
            "helps": str(below(3)),
            "hampers": str(below(3)),
            "things": str(1 + below(3)),
            "advantage": str(below(2)),
            "disadvantage": str(below(2)),
            "steps": str(below(5) - 2),
            "law": str(below(12)),
            "helpers": "2",
            "carried": str(below(9) - 4),
            "passive": one_of(("yes", "no"), below),
            "automatic": one_of(("success", "failure"), below),
        }
        told = [f"{name}={value}" for name, value in words.items() if not below(4)]
        if not below(3):
            told += [f"frame={one_of(FRAMES[2:7], below)}", f"rows={below(5) - 2}"]
        if check == "skill":
            told.append(f"name={one_of(('Gambling', 'Streetwise', 'Lore', 'Strength'), below)}")
        return {"situation": told}

    return arguments


CHECKS: Mapping[str, Arguments] = {check.id: _check(check.id) for check in rulebook.checks}

# ---------------------------------------------------------------------- how processes are called


def _up(session: Session) -> tuple[Participant, ...]:
    return tuple([one for one in session.scene.present if not one.status.down])


def _alive(session: Session) -> tuple[Participant, ...]:
    return tuple([one for one in session.scene.present if not one.status.fate])


def _one(session: Session, below: Below, able: Iterable[Participant] = ()) -> str:
    """The id of one who is able to, or of anyone if no one is."""
    return one_of(tuple(able) or session.scene.participants, below).id


def _two(session: Session, below: Below) -> tuple[str, str]:
    first = _one(session, below, _up(session))
    aware = [one for one in _alive(session) if one.id != first and one.status.conscious]
    return first, _one(session, below, aware)


def _somebody(**more: Any) -> Arguments:
    """Anyone who is alive, with some fixed arguments."""
    return lambda session, below: {"who": _one(session, below, _alive(session)), **more}


def _negotiate(session: Session, below: Below) -> Mapping[str, Any]:
    who, against = _two(session, below)
    return {"who": who, "against": against}


def _sides(session: Session, below: Below) -> Mapping[str, Any]:
    """Two sides for a battle, each with someone on their feet."""
    standing = list(dict.fromkeys([one.side for one in _up(session)]))
    first = one_of(standing or session.scene.sides, below)
    others = [side for side in standing if side != first] or [first]
    return {"side": first, "against": one_of(others, below)}


def _cast(session: Session, below: Below) -> Mapping[str, Any]:
    able = [
        (one.id, skill, depth)
        for one in _up(session)
        for skill in SPIRITUAL
        for depth in library().of(Depth)
        if why_not(one.character, skill, depth) is None
    ]
    deep = [one for one in able if one[2].depth > 2]
    usual = (session.scene.participants[0].id, "arcana", library().get(Depth, "sense"))
    who, skill, depth = one_of((deep if deep and below(2) else able) or [usual], below)
    purpose = one_of(("harm", "heal", "other"), below)
    near = [one for one in _alive(session) if not too_far(session.scene, who, one.id)]
    target = _one(session, below, near)
    return {"who": who, "skill": skill, "depth": depth.id, "purpose": purpose, "target": target}


def _owner(session: Session, below: Below) -> tuple[str, str]:
    owned = [(one.id, carried.item) for one in session.scene.present for carried in one.status.belongings]
    return one_of(owned or [(session.scene.participants[0].id, "rope")], below)


def _withstand(session: Session, below: Below) -> Mapping[str, Any]:
    who, item = _owner(session, below)
    return {"who": who, "item": item, "vehicle": bool(below(2))}


def _sing(session: Session, below: Below) -> Mapping[str, Any]:
    songs = [(one.id, song) for one in session.scene.present for song in one.character.songs]
    who, song = one_of(songs or [(session.scene.participants[0].id, "none")], below)
    return {"who": who, "song": song}


def _patient(condition: str) -> Arguments:
    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        sick = [one for one in _alive(session) if getattr(one.status, condition)]
        herbs = [one for one in _up(session) if any(it.item == "herbs" for it in one.status.belongings)]
        healer = _one(session, below, (herbs if below(2) else ()) or _up(session))
        with_herbs = healer in [one.id for one in herbs] and bool(below(2))
        return {"who": healer, "patient": _one(session, below, sick), "herbs": with_herbs}

    return arguments


def _camp(session: Session, below: Below) -> Mapping[str, Any]:
    return {"payer": _one(session, below, [one for one in session.scene.present if one.character.supply])}


def _pool(session: Session, below: Below) -> Mapping[str, Any]:
    aspect = one_of(("social", "spiritual"), below)
    return {
        "who": _one(session, below, [one for one in _alive(session) if getattr(one.status, aspect)]),
        "aspect": aspect,
    }


def _hurt(session: Session, below: Below) -> Mapping[str, Any]:
    return {
        "who": _one(session, below, _up(session)),
        "dice": below(4),
        "aspect": one_of(ASPECTS, below),
        "plus": below(9),
    }


def _face(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _one(session, below, _up(session)), "aspect": one_of(ASPECTS, below)}


def _afflict(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _one(session, below, _alive(session)), "condition": one_of(CONDITIONS, below).id}


def _relieve(session: Session, below: Below) -> Mapping[str, Any]:
    held = [
        (one.id, kind.id)
        for one in session.scene.present
        for condition in one.status.conditions
        for kind in CONDITIONS
        if kind.name == condition.name and not condition.permanent
    ]
    who, condition = one_of(held or [(session.scene.participants[0].id, "wounded")], below)
    return {"who": who, "condition": condition}


def _plans(scale: str) -> Arguments:
    """Plans for everyone who can do one of the activities that are open to them."""

    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        there = _alive(session) if scale == "season" else _up(session)
        able = [one.id for one in there if not one.character.is_creature and not one.character.retired]
        return {"plans": [f"{who}={_plan(session, who, scale, below)}" for who in able]}

    return arguments


SELDOM = tuple([one.id for one in SEASONAL if one.requires])
"""Acts that not everyone can do at all times."""
RARE = ("meet_patron", "influence_patron", "tend_holding", "epilogue")
"""Acts that take a patron, a holding or a whole life."""


def _plan(session: Session, who: str, scale: str, below: Below) -> str:
    offers = [use for use in SCALES[scale].options(session.scene, who) if isinstance(use, ActionUse)]
    open_to = tuple(dict.fromkeys([use.action for use in offers]))
    for few in (RARE, SELDOM):
        able = tuple([one for one in open_to if one in few])
        open_to = able if able and below(2) else open_to
    activity = one_of(open_to, below)
    use = one_of([use for use in offers if use.action == activity], below)
    return str(use.action) if use.detail is None else f"{use.action}:{use.detail}"


def _undertake(session: Session, below: Below) -> Mapping[str, Any]:
    able = [one for one in _alive(session) if not one.character.is_creature and not one.character.retired]
    who = _one(session, below, able)
    return {"who": who, "plan": _plan(session, who, "season", below)}


FEATURES = (
    "market",
    "guards",
    "games",
    "mountains",
    "caves",
    "lord",
    "trainer",
    "wildland",
    "forest",
    "fields",
    "tombs",
)


def _arrive(session: Session, below: Below) -> Mapping[str, Any]:
    return {
        "place": one_of(("Köln", "Brabant"), below),
        "culture": one_of(("", "Rhineland", "Brabant"), below),
        "features": [*FEATURES, "hunting_grounds"],
        "sanctuary": bool(below(2)),
    }


def _several(session: Session, below: Below) -> Mapping[str, Any]:
    """Members for a joint task: those who know most of it; a pool is established by a master."""
    skill = one_of(("life_sciences", "melee_combat", "leadership", *SPIRITUAL), below)
    known = [one for one in _up(session) if one.character.level(skill) is not None]
    special = next((one.name for who in known for one in who.character.specializations if one.skill == skill), "")
    level = {
        who.id: max([one.level for one in who.character.specializations if one.skill == skill] or [0]) for who in known
    }
    those = sorted(level, key=lambda who: -level[who])[:3] or [one.id for one in _up(session)][:2]
    return {"who": those, "what": skill, "difficulty": one_of(DIFFICULTIES[2:8], below), "specialization": special}


def _chain(session: Session, below: Below) -> Mapping[str, Any]:
    masters = [(one.id, skill) for one in _up(session) for skill, level in one.character.skills.items() if level >= 3]
    who, skill = one_of(masters or [(session.scene.participants[0].id, "muscle")], below)
    second = _one(session, below, _up(session))
    return {"tasks": [f"{who}:{skill}:{one_of(DIFFICULTIES, below)}", f"{second}:athletics"]}


def _work(session: Session, below: Below) -> Mapping[str, Any]:
    what = one_of((*SKILLS, *CHARACTERISTICS, *ASPECTS), below)
    return {
        "who": _one(session, below, _up(session)),
        "what": what,
        "frame": one_of(FRAMES[:7], below),
        "rows": below(3) - 1,
    }


def _attempt(session: Session, below: Below) -> Mapping[str, Any]:
    return {
        "who": _one(session, below, _up(session)),
        "what": one_of((*SKILLS, *CHARACTERISTICS), below),
        "obstacle": one_of(("the gate", "the river", "the clerk"), below),
        "situation": [f"difficulty={one_of(DIFFICULTIES, below)}"],
        "repeatable": bool(below(2)),
    }


def _known(session: Session, below: Below) -> Mapping[str, Any]:
    known = [(one.id, person) for one in session.scene.present for person in one.character.connections]
    who, person = one_of(known or [(session.scene.participants[0].id, "nobody")], below)
    return {"who": who, "person": person}


def _rich(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": max(session.scene.present, key=lambda one: int(one.character.treasure)).id}


def _heir(session: Session, below: Below) -> Mapping[str, Any]:
    return {
        "who": _one(session, below, [one for one in session.scene.present if not one.character.heir]),
        "heir": "Oliver",
    }


def _epilogue(session: Session, below: Below) -> Mapping[str, Any]:
    able = [one for one in session.scene.present if one.character.heir and not one.character.retired]
    return {"who": _one(session, below, able), "role": one_of(("patron", "sage", "person of renown"), below)}


def _advance(session: Session, below: Below) -> Mapping[str, Any]:
    who = max(session.scene.present, key=lambda one: int(one.character.available))
    special = one_of(
        who.character.specializations or [Specialization(skill="athletics", name="Running", level=1)], below
    )
    what, name, skill = one_of(
        (
            ("skill", one_of(SKILLS, below), ""),
            ("specialization", special.name, special.skill),
            ("characteristic", one_of(CHARACTERISTICS, below), ""),
            ("aspect", one_of(ASPECTS, below), ""),
        ),
        below,
    )
    return {"who": who.id, "what": what, "name": name, "skill": skill}


def _step_back(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _one(session, below, [one for one in session.scene.present if one.character.advances])}


def _train(session: Session, below: Below) -> Mapping[str, Any]:
    who = _one(session, below, _alive(session))
    low = [skill for skill, level in session.scene[who].character.skills.items() if level == 0]
    return {"who": who, "skill": one_of(low or ["style"], below)}


def _sage(session: Session, below: Below) -> Mapping[str, Any]:
    who = max(session.scene.present, key=lambda one: int(one.character.available))
    return {"who": who.id, "lore": one_of(tuple(TAUGHT_BY_SAGES), below)}


def _burn(session: Session, below: Below) -> Mapping[str, Any]:
    gods = [
        (one.id, skill) for one in session.scene.present for skill, level in one.character.skills.items() if level >= 5
    ]
    who, skill = one_of(gods or [(session.scene.participants[0].id, "arcana")], below)
    return {"who": who, "score_name": one_of(CHARACTERISTICS, below), "skill": skill}


def _move_level(session: Session, below: Below) -> Mapping[str, Any]:
    gods = [
        (one.id, skill) for one in session.scene.present for skill, level in one.character.skills.items() if level >= 6
    ]
    who, skill = one_of(gods or [(session.scene.participants[0].id, "arcana")], below)
    target = _one(session, below, session.scene.present)
    return {"who": who, "target": target, "skill": skill, "score_name": one_of(CHARACTERISTICS, below), "points": 1}


def _trade(session: Session, below: Below) -> Mapping[str, Any]:
    rich = max(session.scene.present, key=lambda one: int(one.character.treasure))
    return {"who": rich.id, "item": one_of(("rope", "dagger", "herbs", "padded"), below)}


def _carried(session: Session, below: Below) -> Mapping[str, Any]:
    who, item = _owner(session, below)
    return {"who": who, "item": item}


def _money(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _rich(session, below)["who"], "amount": str(1 + below(3))}


def _give(session: Session, below: Below) -> Mapping[str, Any]:
    who, item = _owner(session, below)
    return {
        "who": who,
        "to": _one(session, below, [one for one in session.scene.present if one.id != who]),
        "item": item,
    }


def _take_up(session: Session, below: Below) -> Mapping[str, Any]:
    lying = [one.item for one in session.scene.loose_items] or ["rope"]
    return {"who": _one(session, below, _up(session)), "item": one_of(lying, below)}


def _loot(session: Session, below: Below) -> Mapping[str, Any]:
    fallen = [
        one for one in session.scene.participants if (one.status.down or not one.present) and one.status.belongings
    ]
    return {"who": _one(session, below, _up(session)), "fallen": _one(session, below, fallen)}


def _in(place: str) -> Arguments:
    def arguments(session: Session, below: Below) -> Mapping[str, Any]:
        found = [
            (one.id, carried.item)
            for one in session.scene.present
            for carried in one.status.belongings
            if carried.place == place
        ]
        who, item = one_of(found or [(session.scene.participants[0].id, "sword")], below)
        return {"who": who, "item": item}

    return arguments


def _supply(session: Session, below: Below) -> Mapping[str, Any]:
    return {"who": _one(session, below, _alive(session)), "change": below(3)}


CALLS: Mapping[str, Arguments] = {
    "marchen.cast_deed": _cast,
    "marchen.negotiate": _negotiate,
    "marchen.compel": _negotiate,
    "marchen.withstand_damage": _withstand,
    "marchen.fight_battle": _sides,
    "marchen.sing": _sing,
    "marchen.first_aid": _patient("physical"),
    "marchen.triage": _patient("dying"),
    "marchen.make_camp": _camp,
    "marchen.use_pool": _pool,
    "marchen.hurt": _hurt,
    "marchen.face_the_end": _face,
    "marchen.afflict": _afflict,
    "marchen.relieve": _relieve,
    "marchen.season": _plans("season"),
    "marchen.undertake": _undertake,
    "marchen.month": _plans("month"),
    "marchen.week": _plans("week"),
    "marchen.arrive": _arrive,
    "marchen.aid": _several,
    "marchen.group_check": _several,
    "marchen.pool": _several,
    "marchen.chain": _chain,
    "marchen.work": _work,
    "marchen.attempt": _attempt,
    "marchen.make_connection": _somebody(person="A stranger"),
    "marchen.forge_bond": _known,
    "marchen.aid_connection": _known,
    "marchen.compel_connection": _known,
    "marchen.test_connection": _known,
    "marchen.take_patron": _somebody(person="A bishop"),
    "marchen.raise_standing": _rich,
    "marchen.gain_holding": _somebody(name="A vineyard"),
    "marchen.name_heir": _heir,
    "marchen.write_epilogue": _epilogue,
    "marchen.advance": _advance,
    "marchen.step_back": _step_back,
    "marchen.train": _train,
    "marchen.confer_with_sage": _sage,
    "marchen.burn": _burn,
    "marchen.move_level": _move_level,
    "marchen.buy": _trade,
    "marchen.gain": _trade,
    "marchen.sell": _carried,
    "marchen.lose": _carried,
    "marchen.drop": _carried,
    "marchen.damage_item": _carried,
    "marchen.earn": _money,
    "marchen.pay": _money,
    "marchen.give": _give,
    "marchen.take_up": _take_up,
    "marchen.loot": _loot,
    "marchen.draw": _in("pack"),
    "marchen.stow": _in("hand"),
    "marchen.wear": _in("pack"),
    "marchen.supply": _supply,
}
