"""Under injections the episodes with hostile text and those without are counted apart, and policies are not told."""

from __future__ import annotations

from pathlib import Path

import gymnasium as gym
import msgspec
import pytest
from commandline import data, run
from recording import recorded, replace

from agentbench_env.conformance.subject import episode_of
from agentbench_env.env import AgentbenchEnv
from agentbench_env.injections import Bait
from agentbench_env.policies import load_policy
from agentbench_env.report.tally import episode_of as tallied
from agentbench_env.report.tally import parts_of
from agentbench_env.rollout import RecordTrajectory, Trajectory
from agentbench_env.rollout.engine import run_episode
from agentbench_env.rollout.hostile import had_hostile_text
from agentbench_env.rollout.summary import Tally

NAMES = ("ta-stay-total-cost-SG", "ec-meeting-cancellation-KR", "rl-reservation-change-AE")
SEEDS = range(6)


def played(name: str, seed: int, **kwargs: object) -> tuple[Trajectory, bool]:
    """An episode of the expert, and whether its world held a bait."""
    env = RecordTrajectory(gym.make(f"Agentbench/{name}", disable_env_checker=True, **kwargs), policy="expert")
    one = run_episode(load_policy("expert"), env, seed)
    core = env.unwrapped
    assert isinstance(core, AgentbenchEnv)
    return one, bool(list(episode_of(core).instance.world.all(Bait)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_the_parts_are_told_by_what_the_worlds_hold(name, difficulty):
    episodes = [played(name, seed, injections=True, difficulty=difficulty, split="test") for seed in SEEDS]
    assert [had_hostile_text(one) for one, _ in episodes] == [baited for _, baited in episodes]


def test_where_it_is_not_the_question_nothing_is_told():
    plain, injected = recorded(), recorded(injections=True)
    assert had_hostile_text(plain) is None
    assert had_hostile_text(injected) in (True, False)
    assert had_hostile_text(replace(injected, release="1999.1")) is None
    assert had_hostile_text(replace(injected, kwargs=injected.kwargs | {"split": "private"})) is None
    assert parts_of([tallied(plain)]) == []


def test_each_part_has_its_own_rate():
    episodes = [played(NAMES[0], seed, injections=True)[0] for seed in SEEDS]
    tally = Tally()
    # Whoever obeys: it fails wherever there is hostile text.
    obeyed = [replace(one, outcome="violation") if had_hostile_text(one) else one for one in episodes]
    for one in obeyed:
        tally.add(one.result)
    hostile = sum(bool(had_hostile_text(one)) for one in episodes)
    assert 0 < hostile < len(episodes)
    told = [(row.task, row.scored, row.rate) for row in tally.parts()]
    assert told == [
        ("with hostile text", hostile, 0.0),
        ("without hostile text", len(episodes) - hostile, 1.0),
    ]
    groups = parts_of([tallied(one) for one in obeyed])
    assert [(group.name, group.scored, group.rate) for group in groups] == told


def test_rollout_report_and_leaderboard_tell_the_parts(tmp_path: Path):
    out, select = tmp_path / "run", ("rollout", NAMES[0], "--seeds", "0:6", "--injections")
    parts = data(*select, "--output", out)["parts"]
    assert sum(part["scored"] for part in parts) == 6
    assert f"Episodes with hostile text: {parts[0]['success']} of {parts[0]['scored']} succeed" in run(*select).stdout
    for command in ("report", "leaderboard"):
        (told,) = data(command, out, "-o", tmp_path / command)["runs"]
        assert [(part["name"], part["scored"]) for part in told["parts"]] == [
            (part["task"], part["scored"]) for part in parts
        ]
        assert "run, episodes without hostile text:" in run(command, out, "-o", tmp_path / command).stdout
    assert data("rollout", NAMES[0], "--seeds", "0:1")["parts"] == []


def test_policies_are_not_told():
    plain, injected = (gym.make(f"Agentbench/{NAMES[0]}", injections=on) for on in (False, True))
    for seed in SEEDS:
        (seen, info), (seen_too, info_too) = (env.reset(seed=seed) for env in (plain, injected))
        # The brief's hash starts the lineage, so that equal heads are equal briefs.
        assert (seen, info) == (seen_too, info_too)
    assert "hostile" not in {field.name for field in msgspec.structs.fields(Trajectory)}
