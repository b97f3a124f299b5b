"""One core, two facades: what is played with PettingZoo is what is played with Gymnasium."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import gymnasium as gym
import pytest
from agents_kit import ASK, Absent, decisions, pz
from gymnasium.utils.env_checker import check_env
from showcase import MARKETS, TASK_ID, core, holds_free, make, seed_of, wants_holds

import agentbench_env as ab
from agentbench_env.adapters.pettingzoo import ASSISTANT, USER, AssistantSide, RulePolicy
from agentbench_env.instance import build_instance
from agentbench_env.policies import load_policy
from agentbench_env.policies.expert import run_script
from agentbench_env.registry import contracts, is_built, load_task
from agentbench_env.user import RuleUser

BUILT = [one.id for one in contracts().values() if is_built(one)]


class Sparing(RuleUser):
    """Wants the first and every second thing otherwise that the task's own user would grant."""

    def __init__(self) -> None:
        self.granted = 0

    def decide(self, proposal, script):
        decision = script.decide(proposal)
        self.granted += decision.granted
        return ab.Decision(False, "Rather another one, please.") if self.granted % 2 else decision


class Watched:
    """An environment that keeps what its steps return."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self.unwrapped, self.env, self.results = env.unwrapped, env, list[Any]()

    def step(self, action: Any) -> Any:
        self.results.append(self.env.step(action))
        return self.results[-1]


def both(task: str, seed: int, script: Any, user: Any = None, market: str = "SG", **kwargs: Any) -> Any:
    """Play a script on both facades, prove them equal, and return the lineage."""
    made = gym.make(f"Agentbench/{task}-{market}", user=user and user(), **kwargs)
    env = pz(market, task=task, **kwargs)
    side = AssistantSide(env, RulePolicy(env, user and user()))
    assert made.reset(seed=seed) == side.reset(seed=seed)
    one, other = Watched(made), Watched(side)
    for watched in (one, other):
        run_script(script, watched)
    assert one.results == other.results
    assert core(made).lineage.export() == env.lineage.export()
    assert core(made).verdict == env.verdict
    assert env.lineage.verify()
    return env.lineage


def reacts(case: Any, reaction: str) -> bool:
    """Whether the user wants holds, and reacts so to a proposal of one."""
    return (case.wish.mode, case.wish.reaction) == ("hold", reaction)


@pytest.mark.parametrize("task", BUILT)
def test_experts_play_the_same_episodes_on_both_facades(task):
    for seed in range(3):
        lineage = both(task, seed, load_task(task).expert)
        assert lineage[len(lineage) - 1].tool == "task_finish"


@pytest.mark.parametrize("market", MARKETS)
def test_every_reaction_is_the_same_on_both_facades(market):
    met: list[str] = []
    for reaction in ("yes", "no", "change", "silence"):
        seed = seed_of(lambda case, to=reaction: holds_free(case, 1) and reacts(case, to), market)
        met += decisions(both(TASK_ID, seed, load_task(TASK_ID).expert, market=market, prompt_language="local"))
    assert {"granted", "denied", "no_answer"} <= set(met)


@pytest.mark.parametrize("user", [Sparing, Absent])
@pytest.mark.parametrize("task", ["ta-two-leg-itinerary", "rl-party-reservation", "ec-reschedule-three-party"])
def test_other_users_are_the_same_on_both_facades(task, user):
    met = [decision for seed in range(4) for decision in decisions(both(task, seed, load_task(task).expert, user))]
    assert ("denied" if user is Sparing else "no_answer") in met
    assert user is Sparing or "granted" not in met


def test_scripts_that_fail_or_cross_are_the_same_on_both_facades():
    seed, crossed = seed_of(wants_holds), 0
    case = build_instance(TASK_ID, "SG", "train", "standard", seed).case
    for script, clauses, applies in load_task(TASK_ID).counterexamples.values():
        if applies(case):
            both(TASK_ID, seed, partial(script, load_task(TASK_ID)), on_violation="terminate")
            crossed += clauses[0].startswith("boundary.")
    assert crossed > 2


def test_passing_faults_and_usage_are_the_same_on_both_facades():
    def script(case: Any, do: Any) -> None:
        do(ab.user.UserAsk(topic="other", question="What now?"))
        load_task(TASK_ID).expert(case, do)

    lineage = both(TASK_ID, 0, script, faults=0.2)
    assert {entry.error for entry in lineage} & {"rate_limited", "temporarily_unavailable"}
    env, made = pz(seed=0), make("SG", 0)
    env.step({**ASK, "usage": {"usd": 0.5, "latency_s": 3.0}})
    assert env.infos[ASSISTANT]["time"]["elapsed_s"] == 18.0
    env.step(RulePolicy(env)(env.observe(USER)))
    assert env.infos[ASSISTANT] == made.step({**ASK, "usage": {"usd": 0.5, "latency_s": 3.0}})[4]


def test_gymnasiums_checker_passes_on_the_assistants_side():
    env = pz()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*is different from the unwrapped version")
        check_env(AssistantSide(env, RulePolicy(env)), skip_render_check=True)


def test_any_policy_may_have_the_assistants_side():
    env = pz()
    side = AssistantSide(env, RulePolicy(env))
    observation, _ = side.reset(seed=4)
    load_policy("random").run(side, observation)
    made = make("SG")
    observation, _ = made.reset(seed=4)
    load_policy("random").run(made, observation)
    assert env.lineage.export() == core(made).lineage.export()
