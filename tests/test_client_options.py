"""Clients over the network choose data, never code, files or secrets."""

from __future__ import annotations

import pytest

from agentbench_env.adapters.client_options import CLIENT_OPTIONS, client_options
from agentbench_env.errors import WrongArgument
from agentbench_env.rollout.record import environment_arguments


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
