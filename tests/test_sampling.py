"""Samplers: what they draw, that they are repeated and resumed, that splits stay apart, and what a curriculum does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from itertools import islice

import gymnasium as gym
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import agentbench_env as ab
from agentbench_env.draw import Draw
from agentbench_env.errors import NothingSelected
from agentbench_env.sampling import RANGES, Curriculum, Sample, SamplerFault, TaskSampler

TASK = "ta-two-leg-itinerary"
ENV_ID = f"Agentbench/{TASK}-SG"

arguments = st.fixed_dictionaries(
    {
        "ids": st.sampled_from([TASK, "ta-*-SG", ["ec-*-KR", ENV_ID]]),
        "difficulties": st.sampled_from([("easy",), ("hard", "easy"), ("easy", "standard", "hard")]),
        "split": st.sampled_from(["train", "dev", "test"]),
        "group_size": st.integers(1, 5),
        "seed": st.integers(0, 2**40),
        "seeds": st.sampled_from([range(1), range(7), range(3, 40, 4), range(2**31)]),
        "curriculum": st.none() | st.builds(Curriculum, target=st.floats(0.1, 0.9), explore=st.floats(0.05, 0.5)),
    }
)


def play(sampler: TaskSampler, count: int, learns: bool) -> list[Sample]:
    """Draw, and report a reward that depends on the sample."""
    played = []
    for sample in islice(sampler, count):
        played.append(sample)
        if learns:
            sampler.report(sample, Draw("reward", *sample).int(0, 1))
    return played


# --- what is drawn


@given(arguments, st.integers(0, 60), st.integers(0, 60))
@settings(max_examples=15, deadline=None)
def test_going_on_from_a_state_is_going_on(given, first, then):
    learns = given["curriculum"] is not None
    straight = TaskSampler(**given)
    stopped = TaskSampler(**given)
    expected = play(straight, first + then, learns)
    begun = play(stopped, first, learns)
    resumed = TaskSampler.from_state(json.loads(json.dumps(stopped.state())))
    assert begun + play(resumed, then, learns) == expected
    assert resumed.state() == straight.state()


@given(arguments)
@settings(max_examples=15, deadline=None)
def test_groups_are_of_one_instance_and_all_of_the_split(given):
    size = given["group_size"]
    samples = play(TaskSampler(**given), 6 * size, learns=False)
    assert {sample.split for sample in samples} == {given["split"]}
    assert {sample.difficulty for sample in samples} <= set(given["difficulties"])
    for start in range(0, len(samples), size):
        group = samples[start : start + size]
        assert len({sample[:4] for sample in group}) == 1
        assert [sample.trial for sample in group] == list(range(size))


def test_draws_are_the_same_in_another_process():
    code = (
        "from itertools import islice; from agentbench_env.sampling import *\n"
        "sampler = TaskSampler('ta-*', difficulties=('easy', 'hard'), seed=3, group_size=2)\n"
        "print([list(sample) for sample in islice(sampler, 40)])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    here = TaskSampler("ta-*", difficulties=("easy", "hard"), seed=3, group_size=2)
    assert told.strip() == str([list(sample) for sample in islice(here, 40)])


def test_a_round_has_every_cell_and_every_seed_once():
    sampler = TaskSampler("ta-*-SG", difficulties=("easy", "hard"), seeds=range(5), seed=1)
    samples = list(islice(sampler, 20 * 5))
    assert len(set(samples)) == len(samples)
    assert Counter(sample.seed for sample in samples) == dict.fromkeys(range(5), 20)
    first = [(sample.env_id, sample.difficulty) for sample in samples[:20]]
    second = [(sample.env_id, sample.difficulty) for sample in samples[20:40]]
    assert sorted(first) == sorted(second)
    assert first != second


def test_samplers_with_other_seeds_draw_other_instances():
    drawn = [{sample.seed for sample in islice(TaskSampler(TASK, seed=seed), 60)} for seed in (0, 1)]
    assert len(drawn[0]) == len(drawn[1]) == 60
    assert not drawn[0] & drawn[1]


def test_instances_of_different_splits_differ_even_where_seeds_agree():
    digests: dict[str, set[str]] = {}
    for split in ("train", "dev", "test"):
        for sample in islice(TaskSampler(ENV_ID, difficulties=("easy",), split=split, seeds=range(4)), 4):
            env = sample.make()
            env.reset(seed=sample.seed)
            digests.setdefault(split, set()).add(env.unwrapped.instance_digest)
    assert [len(one) for one in digests.values()] == [4, 4, 4]
    assert len(set.union(*digests.values())) == 12


def test_a_sample_makes_its_environment():
    sample = Sample(ENV_ID, 3, "easy", "dev", 0)
    env = sample.make(max_steps=5)
    env.reset(seed=sample.seed)
    assert (env.unwrapped.task.id, env.unwrapped.instance_seed) == (TASK, 3)
    twin = gym.make(ENV_ID, split="dev", difficulty="easy")
    twin.reset(seed=3)
    assert twin.unwrapped.instance_digest == env.unwrapped.instance_digest
    assert json.loads(json.dumps(sample._asdict()))["env_id"] == ENV_ID


def test_domains_and_markets_narrow():
    sampler = TaskSampler(domains=["travel"], markets=["SG", "JP"])
    assert {env_id.rpartition("-")[2] for env_id, _ in sampler.weights()} == {"SG", "JP"}
    assert {env_id.partition("/")[2][:3] for env_id, _ in sampler.weights()} == {"ta-"}
    built = {env_id for one in ab.contracts().values() if ab.is_built(one) for env_id in one.env_ids}
    assert built <= {env_id for env_id, _ in TaskSampler().weights()}


# --- what is refused


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"split": "private"}, ab.WrongArgument, "train, dev, test"),
        ({"difficulties": ("simple",)}, ab.WrongArgument, "easy, standard, hard"),
        ({"difficulties": ()}, SamplerFault, "difficulties is empty"),
        ({"ids": "ta-two-legs"}, ab.WrongArgument, TASK),
        ({"ids": "zz-*"}, NothingSelected, "no id matches"),
        ({"seeds": range(0)}, SamplerFault, "seeds"),
        ({"seeds": range(-3, 4)}, SamplerFault, "from 0"),
        ({"group_size": 0}, SamplerFault, "whole number from 1"),
        ({"group_size": 2.5}, SamplerFault, "whole number from 1"),
    ],
)
def test_wrong_arguments_are_told(given, error, told):
    with pytest.raises(error, match=told):
        TaskSampler(**({"ids": TASK} | given))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", 1.0),
        ("explore", 0.0),
        ("sharpness", -1.0),
        ("sharpness", float("inf")),
        ("sharpness", float("nan")),
        ("sharpness", "4"),
        ("memory", 0.5),
        ("prior", 0.0),
        ("prior", 1e-320),
    ],
)
def test_wrong_settings_of_a_curriculum_are_told(name, value):
    with pytest.raises(SamplerFault, match=name):
        Curriculum(**{name: value})


def test_reports_must_be_of_the_samplers_own():
    sample = next(TaskSampler(TASK))
    with pytest.raises(SamplerFault, match="curriculum=Curriculum"):
        TaskSampler(TASK).report(sample, 1.0)
    learning = TaskSampler(TASK, curriculum=Curriculum())
    learning.report(sample, 1.0)
    for other in (sample._replace(split="test"), sample._replace(difficulty="easy")):
        with pytest.raises(SamplerFault, match="none of this sampler's"):
            learning.report(other, 1.0)
    with pytest.raises(SamplerFault, match="from 0 to 1"):
        learning.report(sample, 2.0)


def test_a_state_of_another_release_or_none_at_all_is_refused():
    state = TaskSampler(TASK).state()
    with pytest.raises(SamplerFault, match=r"release 1999\.1"):
        TaskSampler.from_state(state | {"release": "1999.1"})
    with pytest.raises(SamplerFault, match="no state"):
        TaskSampler.from_state({"seed": 3})


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"split": "private"}, "train, dev, test"),
        ({"group_size": 0}, "whole number from 1"),
        ({"seeds": [0, 0, 1]}, "from 0"),
        ({"seeds": [-3, 4, 1]}, "from 0"),
        ({"seeds": [0, 4, 0]}, "zero"),
        ({"cells": []}, "at least one"),
        ({"cells": [{"env_id": ENV_ID, "difficulty": "easy"}] * 2}, "once at each difficulty"),
        ({"cells": [{"env_id": ENV_ID, "difficulty": "simple"}]}, "simple"),
        ({"cells": [{"env_id": ENV_ID, "difficulty": "easy", "drawn": -1}]}, "below 0"),
        ({"cells": [{"env_id": ENV_ID, "difficulty": "easy", "results": 1, "successes": 2}]}, "successes"),
        ({"cells": [{"env_id": "Agentbench/ta-two-legs-SG", "difficulty": "easy"}]}, TASK),
        ({"cells": [{"env_id": "ta-*-SG", "difficulty": "easy"}]}, "environment id"),
        ({"group": [7, 3], "trial": 1}, "a cell or a seed"),
        ({"group": [0, -1], "trial": 1}, "a cell or a seed"),
        ({"trial": 3}, "trial 3"),
        ({"groups": -1}, "groups"),
        ({"curriculum": {"sharpness": -1}}, "sharpness"),
    ],
)
def test_a_state_is_checked_as_arguments_are(changed, told):
    state = TaskSampler(ENV_ID, group_size=2).state()
    with pytest.raises((SamplerFault, ab.WrongArgument), match=told):
        TaskSampler.from_state(state | changed)


def test_a_state_of_an_environment_that_is_not_built_is_refused():
    unbuilt = next(one for one in ab.contracts().values() if not ab.is_built(one))
    state = TaskSampler(TASK).state() | {"cells": [{"env_id": unbuilt.env_ids[0], "difficulty": "easy"}]}
    with pytest.raises(ab.TaskNotBuilt):
        TaskSampler.from_state(state)


# --- the curriculum


@given(st.floats(0.05, 0.95), st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_weights_fall_with_the_distance_from_the_target(target, one, other):
    curriculum = Curriculum(target=target)
    assert curriculum.weight(target) == pytest.approx(1)
    if target <= one <= other or target >= one >= other:
        assert curriculum.weight(one) >= curriculum.weight(other) - 1e-9


def test_groups_of_half_successes_weigh_as_their_variance():
    curriculum = Curriculum(target=0.5, sharpness=2)
    for rate in (0.1, 0.25, 0.5, 0.9):
        assert curriculum.weight(rate) == pytest.approx(4 * rate * (1 - rate))


extreme = {
    name: st.sampled_from(RANGES[name]) | st.floats(*RANGES[name])
    for name in ("target", "sharpness", "explore", "prior")
}


@given(st.builds(Curriculum, **extreme), st.integers(0, 60), st.floats(0, 1))
@example(Curriculum(sharpness=1e6), 50, 1.0)
@example(Curriculum(sharpness=200, prior=1e-9), 50, 1.0)
@settings(max_examples=60, deadline=None)
def test_weights_are_positive_and_add_up_whatever_came_back(curriculum, count, reward):
    sampler = TaskSampler(ENV_ID, difficulties=("easy", "hard"), curriculum=curriculum)
    for sample in islice(sampler, count):
        sampler.report(sample, reward)
    weights = sampler.weights()
    assert sum(weights.values()) == pytest.approx(1)
    assert min(weights.values()) > 0
    assert next(sampler).env_id == ENV_ID


def test_untried_cells_weigh_most_and_none_is_ever_left_out():
    sampler = TaskSampler("ta-*-SG", curriculum=Curriculum(explore=0.1))
    tried = next(sampler)
    for _ in range(50):
        sampler.report(tried, 0.0)
    weights = sampler.weights()
    assert sum(weights.values()) == pytest.approx(1)
    assert min(weights, key=weights.__getitem__) == (tried.env_id, tried.difficulty)
    assert 0.01 <= min(weights.values()) < 0.02
    assert sampler.rates()[tried.env_id, tried.difficulty] == 0


def test_a_learner_is_led_along_its_frontier():
    """Success falls with the distance between a difficulty's level and the learner's skill, which successes at the
    frontier raise: the sampler must follow from easy to hard, and beat even draws in doing so."""
    levels = {"easy": 1.0, "standard": 3.0, "hard": 5.0}

    def learn(curriculum: Curriculum | None) -> tuple[float, list[str]]:
        skill, seen = 0.0, []
        chance = Draw("a learner")
        sampler = TaskSampler(TASK, markets=["SG"], difficulties=tuple(levels), curriculum=curriculum)
        for sample in islice(sampler, 900):
            rate = 1 / (1 + 2.718281828 ** (2.5 * (levels[sample.difficulty] - 1 - skill)))
            reward = float(chance.chance(rate))
            skill += 0.05 * rate * (1 - rate)
            seen.append(sample.difficulty)
            if curriculum:
                sampler.report(sample, reward)
        return skill, seen

    skill, seen = learn(Curriculum(memory=40))
    even, _ = learn(None)
    assert Counter(seen[:120]).most_common(1)[0][0] == "easy"
    assert Counter(seen[-120:]).most_common(1)[0][0] == "hard"
    assert skill > even
