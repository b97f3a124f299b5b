"""Clients over the network choose data, never code, files or secrets."""

from __future__ import annotations

import pytest

from agentbench_env.adapters.client_options import CLIENT_OPTIONS, asked_episode, client_options, sample_columns
from agentbench_env.errors import WrongArgument
from agentbench_env.rollout.record import environment_arguments
from agentbench_env.sampling import Sample


def test_what_a_client_may_choose_are_arguments_of_the_environment():
    left = environment_arguments().keys() - CLIENT_OPTIONS.keys()
    assert left == {"user", "salt", "reference", "render_mode"}
    given = {"split": "dev", "faults": 0, "injections": True, "max_steps": None, "clock": "wall"}
    assert client_options(given) == given


@pytest.mark.parametrize("name", ["user", "salt", "reference", "render_mode", "sink", "policy", "trial", "profile"])
def test_what_loads_code_reads_files_or_is_secret_is_refused(name):
    with pytest.raises(WrongArgument, match=f"option is '{name}'; it must be one of: split, difficulty, .*max_steps"):
        client_options({name: "subprocess:Popen"})


def test_the_private_split_is_refused():
    with pytest.raises(WrongArgument, match="train, dev, test"):
        client_options({"split": "private"})


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("faults", "0.5", "float"),
        ("max_steps", "many", "int"),
        ("max_steps", 2.5, "int"),
        ("injections", "no", "bool"),
        ("split", ["train"], "str"),
        ("difficulty", None, "str"),
    ],
)
def test_a_value_of_another_type_is_named(name, value, expected):
    with pytest.raises(ValueError, match=f"{name} is .*{expected}"):
        client_options({name: value})


SAMPLE = Sample("Agentbench/ta-two-leg-itinerary-SG", 3, "hard", "test", 1)
NAMED = {"env_id": SAMPLE.env_id, "seed": 3, "difficulty": "hard", "split": "test"}


def test_a_sample_is_a_row_and_asks_for_its_own_episode():
    columns = sample_columns(SAMPLE, {"max_steps": 7})
    assert columns == {**NAMED, "max_steps": 7}
    assert asked_episode(columns) == columns
    assert asked_episode(SAMPLE._asdict()) == NAMED
    assert asked_episode({**NAMED, "prompt": [], "trial": "any"}, own=("prompt",)) == NAMED


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"dificulty": "easy"}, "option is 'dificulty'.* Did you mean 'difficulty'"),
        ({"user": "subprocess:Popen"}, "option is 'user'"),
        ({"split": "private"}, "train, dev, test"),
        ({"difficulty": None}, "difficulty is None"),
        ({"prompt": []}, "option is 'prompt'"),
    ],
)
def test_a_column_that_says_nothing_known_is_refused(change, said):
    with pytest.raises(ValueError, match=said):
        asked_episode({**NAMED, **change})


def test_a_row_without_an_episode_is_refused():
    with pytest.raises(ValueError, match="no env_id and no seed"):
        asked_episode({"split": "test"})
    with pytest.raises(WrongArgument, match="train, dev, test"):
        sample_columns(SAMPLE._replace(split="private"), {})
