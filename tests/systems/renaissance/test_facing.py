"""Two who face each other: what is remembered of earlier scenes is what a fresh look finds."""

from __future__ import annotations

from conformance.places import at_length
from each_case import each_case
from systems.renaissance.fights import duel, fighter, with_status
from tablewright.engine import OptionList
from tablewright.game.play.actions import ActionUse
from tablewright.game.scenario.loader import load_scenario
from tablewright.game.scene.evolve import evolve
from tablewright.game.scene.scene import Modifier, Scene
from tablewright.lab.fights.job import job_of
from tablewright.lab.fights.trial import Trial, TrialGame
from tablewright.systems.renaissance.actions.aim import facing, find_facing
from tablewright.systems.renaissance.actions.requirements import victims
from tablewright.systems.renaissance.now import Arm, now


def arms_in(scene: Scene, who: str) -> list[tuple[str, Arm]]:
    return [(foe.id, arm) for foe in victims(scene, who) for arm in now(scene, who).arms]


class Faced(TrialGame):
    """A scene under way in which a fresh look is taken in every turn."""

    def legal_uses(self, who: str) -> OptionList[ActionUse]:
        scene = self.state
        for foe, arm in arms_in(scene, who):
            assert facing(scene, who, foe, arm, 0) == find_facing(scene, who, scene[foe], arm, 0)
        return super().legal_uses(who)


class Facing(Trial):
    def _begin(self) -> None:
        super()._begin()
        self.live = Faced(self.header.scene, self.rulebook)


@each_case("policy", ["careful", "random"])
def test_fighters_in_the_same_stance_are_faced_alike(policy: str) -> None:
    fight = load_scenario("renaissance:even")
    rounds = None if at_length() else 4
    ring = job_of(fight, policies={entrant.id: policy for entrant in fight.entrants}, rounds=rounds).ring()
    assert [ring.play(number, Facing).scene.ended for number in ((1, 2) if at_length() else (2,))]


def test_damage_and_rulings_count_at_once() -> None:
    scene = duel(fighter("Ann", ("short_sword", "main")), fighter("Bob"))
    arm = next(arm for _, arm in arms_in(scene, "ann"))
    fresh = facing(scene, "ann", "bob", arm, 0)
    hurt = facing(with_status(scene, "bob", damage=7), "ann", "bob", arm, 0)
    assert hurt.body.left == fresh.body.left - 7
    assert hurt.attempt == fresh.attempt
    ruled = evolve(scene, modifiers=(Modifier("attack", 10, "from above"),))
    assert facing(ruled, "ann", "bob", arm, 0).attempt.target == fresh.attempt.target + 10
    assert not facing(with_status(scene, "bob", damage=30), "ann", "bob", arm, 0).attempt.defences
