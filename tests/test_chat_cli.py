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
    ("status", "hint"),
    [(401, "check the key in the variable OPENAI_API_KEY"), (403, "may use this model"), (404, "the model's name")],
)
def test_an_endpoint_that_refuses_every_episode_ends_the_run_which_goes_on_later(tmp_path, status, hint):
    with endpoint(in_turn(FINISH, FINISH, refused(status, "not sk-secret"))) as fake:
        rollout = ("rollout", ENV_ID, "--policy", "chat:m", "--base-url", fake.url, "--seeds", "0:9", "-o", tmp_path)
        said = run(*rollout, "--concurrency", 1, status=1).stderr
        assert len(fake.requests) == 3
        assert f"stopped after 2 of 9 episodes: {fake.url} refuses the model 'm': status {status}: " in said
        assert (hint in said, "go on with the same command and --resume" in said, "sk-" in said) == (True, True, False)
        fake.script = in_turn(FINISH)
        assert data(*rollout, "--resume")["total"]["episodes"] == 9
        assert len(fake.requests) == 3 + 7


def test_a_run_that_came_to_nothing_is_not_in_the_way_of_another_model(tmp_path):
    refuses = refused(404, "no such model")
    with endpoint(lambda asked: FINISH if asked["model"] == "right" else refuses) as fake:
        rest = ("--base-url", fake.url, "--seeds", "0:2", "-o", tmp_path)
        run("rollout", ENV_ID, "--policy", "chat:wrong", *rest, status=1)
        assert data("rollout", ENV_ID, "--policy", "chat:right", *rest)["total"]["episodes"] == 2


@pytest.mark.parametrize(("most", "played"), [(3, 5), (0, 9)])
def test_faults_in_a_row_end_the_run(tmp_path, most, played):
    down = refused(500, "down")
    with endpoint(in_turn(down, FINISH, down)) as fake:
        options = ("--base-url", fake.url, "--policy-option", "retries=0", "--retries", 0, "--concurrency", 1)
        given = (*options, "--give-up-after", most, "--seeds", "0:9", "-o", tmp_path)
        said = run("rollout", ENV_ID, "--policy", "chat:m", *given, status=1).stderr
    assert len(fake.requests) == played
    assert ("3 episodes in a row ended outside the score, the last by: " in said) == bool(most)
    assert len((tmp_path / "episodes-00000.jsonl").read_bytes().splitlines()) == played


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
