"""Chat policies from the command line: recorded without secrets, verified, and refused with what would be right."""

from __future__ import annotations

import json
import sys

import pytest
from commandline import data, run
from fake_endpoint import calls, endpoint, in_turn, refused
from toy import ENV_ID, TASK_ID, install_toy

pytest.importorskip("openai", reason="chat policies need the extra agentbench-env[chat]")

FINISH = calls(("task_finish", {"outcome": "handed_back", "offer_id": "", "total": {}}))


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    install_toy()
    monkeypatch.setattr("agentbench_env.policies.endpoint.FIRST_PAUSE_S", 0.01)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def test_a_model_is_run_recorded_and_verified(tmp_path):
    with endpoint(in_turn(FINISH)) as fake:
        options = ("--base-url", fake.url, "--policy-option", "temperature=0.5", "--concurrency", 4)
        shown = data("rollout", ENV_ID, "--policy", "chat:m", *options, "--seeds", "0:6", "-o", tmp_path / "run")
    assert shown["total"]["episodes"] == 6
    written = "".join(file.read_text(encoding="utf-8") for file in (tmp_path / "run").iterdir())
    assert "sk-secret" not in written
    policy = f"chat:m?base_url={fake.url}&temperature=0.5"
    assert json.loads((tmp_path / "run" / "run.json").read_text())["policy"] == policy
    run("verify", tmp_path / "run")


def test_an_endpoint_that_is_down_is_told_apart():
    with endpoint(in_turn(refused(500, "down"))) as fake:
        options = ("--base-url", fake.url, "--policy-option", "retries=1")
        result = run("rollout", ENV_ID, "--policy", "chat:m", *options, "--seeds", "0:1", status=1)
    assert "outside the score, the endpoint failed" in result.stderr
    assert "status 500: " in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--policy", "chat:m", "--policy-option", "temprature=1"), "Did you mean 'temperature'?"),
        (("--policy", "chat:m", "--policy-option", "temperature"), "it must be like temperature=VALUE"),
        (("--policy", "chat:m", "--policy-option", "api_key=x"), "Did you mean 'api_key_env'?"),
        (("--policy", "chat:m", "--policy-option", "system_file=nowhere.txt"), "nowhere.txt"),
        (("--policy", "chat:m", "--base-url", "localhost"), "must be like http://localhost:8000/v1"),
        (("--policy", "chat:m", "--workers", "2"), "use --concurrency"),
        (("--policy", "expert", "--concurrency", "2"), "use --workers"),
        (("--policy", "expert", "--base-url", "http://localhost/v1"), "belong to chat:MODEL"),
        (("--policy", "chat:m", "--policy-option", "api_key_env=NOT_SET"), "variable NOT_SET holds no key"),
    ],
)
def test_wrong_use_says_what_would_be_right(arguments, message):
    assert message in run("rollout", TASK_ID, *arguments, status=2).stderr


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.delitem(sys.modules, "agentbench_env.policies.endpoint", raising=False)
    monkeypatch.delitem(sys.modules, "agentbench_env.policies.chat", raising=False)
    monkeypatch.setitem(sys.modules, "openai", None)
    said = run("rollout", TASK_ID, "--policy", "chat:m", status=2).stderr
    assert "pip install 'agentbench-env[chat]'" in said
