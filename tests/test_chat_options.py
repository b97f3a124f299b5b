"""What a chat policy is asked for."""

from __future__ import annotations

import pytest
from chat_kit import FINISH, play_one, prepare
from fake_endpoint import calls

from agentbench_env.errors import WrongArgument
from agentbench_env.policies import load_policy
from agentbench_env.policies.chat_options import ChatOptions, chat_spec, read_options


@pytest.fixture(autouse=True)
def _prepared(monkeypatch):
    prepare(monkeypatch)


def test_options_are_read_and_written_in_one_order():
    spec = chat_spec("chat:org/a:8b", {"temperature": "0.5", "base_url": "http://localhost:8000/v1", "seed": "3"})
    assert spec == "chat:org/a:8b?base_url=http://localhost:8000/v1&seed=3&temperature=0.5"
    assert chat_spec(spec, {"seed": "4"}) == spec.replace("seed=3", "seed=4")
    options = read_options(spec.removeprefix("chat:"))
    assert options == ChatOptions(model="org/a:8b", base_url="http://localhost:8000/v1", seed=3, temperature=0.5)
    assert options.sampling() == {"seed": 3, "temperature": 0.5}
    body = chat_spec("chat:m", {"extra_body": '{"a": [1, "&"]}'})
    assert read_options(body.removeprefix("chat:")).extra_body == {"a": [1, "&"]}


def test_options_reach_the_endpoint():
    _, requests = play_one(calls(FINISH), temperature=0.5, max_tokens=99, extra_body='{"top_k": 3}')
    assert {key: requests[0][key] for key in ("temperature", "max_tokens", "top_k")} == {
        "temperature": 0.5,
        "max_tokens": 99,
        "top_k": 3,
    }
    assert "seed" not in requests[0]


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("m?temprature=1", "Did you mean 'temperature'"),
        ("m?api_key=sk-1", "Did you mean 'api_key_env'"),
        ("m?temperature=hot", "temperature"),
        ("m?retries=-1", "retries"),
        ("m?extra_body=[1]", "extra_body"),
        ("?seed=1", "no model is named"),
        ("m?base_url=localhost:8000", "must be like http://localhost:8000/v1"),
        ("m?base_url=http://me:secret@host/v1", "would be recorded"),
    ],
)
def test_wrong_options_say_what_would_be_right(rest, message):
    with pytest.raises(ValueError, match=message):
        load_policy(f"chat:{rest}")


def test_addresses_of_the_surroundings_are_checked_too(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:secret@host/v1")
    with pytest.raises(ValueError, match="would be recorded"):
        load_policy("chat:m")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://host:8000/v1")
    assert read_options("m").host == "host"


def test_a_missing_key_names_the_variable(monkeypatch):
    with pytest.raises(ValueError, match=r"variable OPENAI_API_KEY holds no key for https://api\.openai\.com/v1"):
        load_policy("chat:gpt-4o-mini")
    monkeypatch.setenv("OTHER_KEY", "k")
    assert load_policy("chat:gpt-4o-mini?api_key_env=OTHER_KEY").name == "chat:gpt-4o-mini"
    with pytest.raises(WrongArgument):
        load_policy("chat:")
