"""NeMo-Gym's server answers a client that calls it as NeMo-Gym's agents do."""

from __future__ import annotations

import json
import shutil
import time
from unittest.mock import MagicMock

import pytest

pytest.importorskip("nemo_gym", reason="tests/stacks/run.py makes the environment of this stack")
from fastapi.testclient import TestClient
from nemo_gym.openai_utils import NeMoGymResponseCreateParamsNonStreaming
from nemo_gym.server_utils import ServerClient
from stack_kit import HARD_TEST, HARMLESS, KR, SENSELESS, SG, example, expert_calls, hasty_calls, sample

from agentbench_env.adapters.nemo_gym import AgentbenchServer, AgentbenchServerConfig, rows
from agentbench_env.adapters.session import FAULT, EpisodeSession
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import EnvironmentFault
from agentbench_env.rollout.trajectory import read_line

pytestmark = pytest.mark.stacks
RESPONSE = {
    "id": "resp_1",
    "created_at": 0,
    "model": "scripted",
    "object": "response",
    "output": [],
    "parallel_tool_calls": False,
    "tool_choice": "auto",
    "tools": [],
}


def application(**config):
    said = AgentbenchServerConfig(host="127.0.0.1", port=8080, entrypoint="", name="agentbench", **config)
    server = AgentbenchServer(config=said, server_client=MagicMock(spec=ServerClient))
    app = server.setup_webserver()
    # As `run_webserver` does: what a route raises would be told as it is.
    server.setup_exception_middleware(app)
    return app


@pytest.fixture(scope="module")
def app():
    return application()


def begin(app, env_id, seed):
    (row,) = rows([sample(env_id, seed)])
    client = TestClient(app)
    assert client.post("/seed_session", json=row).status_code == 200
    return client, row


def play(client, calls):
    return [client.post(f"/{call['tool']}", json=call["arguments"]).json() for call in calls]


def verify(client, row):
    answer = client.post("/verify", json={**row, "response": RESPONSE})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_expert_succeeds_and_the_hasty_fails(app):
    for env_id in (SG, KR):
        client, row = begin(app, env_id, 3)
        NeMoGymResponseCreateParamsNonStreaming.model_validate(row["responses_create_params"])
        assert "error" not in play(client, expert_calls(env_id, 3))[-1]
        found = verify(client, row)
        assert (found["reward"], found["outcome"]) == (1.0, "success")
        assert all(clause["held"] for clause in found["info"]["verdict"]["clauses"])
    client, row = begin(app, SG, 4)
    play(client, hasty_calls(SG, 4))
    assert verify(client, row)["reward"] == 0.0
    client, row = begin(app, SG, 5)
    play(client, [HARMLESS])
    assert verify(client, row)["outcome"] == "abandoned"


def test_what_makes_no_sense_is_answered_by_an_error(app):
    client, row = begin(app, SG, 0)
    assert client.post("/wallet_list_cards").json()["cards"]
    assert [result["error"] for result in play(client, SENSELESS)] == ["unknown_tool", "invalid_argument"]
    for body in ("[1]", "{cut", "7"):
        assert client.post("/wallet_list_cards", content=body).json()["error"].startswith("invalid_a")
    verify(client, row)
    late = client.post("/wallet_list_cards", json={})
    assert (late.status_code, "/seed_session" in late.json()["detail"]) == (409, True)
    wrong = client.post("/seed_session", json={**row, "difficulty": "medium"})
    assert (wrong.status_code, "easy, standard, hard" in json.dumps(wrong.json())) == (422, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"user": "subprocess:Popen"}, "must be one of: split, difficulty"),
        ({"dificulty": "hard"}, "Did you mean 'difficulty'"),
        ({"options": {"difficulty": "hard"}}, "option is 'options'"),
        ({"reference": "/etc/hostname"}, "option is 'reference'"),
        ({"sink": "print"}, "option is 'sink'"),
        ({"split": "private"}, "train, dev, test"),
        ({"faults": "often"}, "faults is 'often'"),
    ],
)
def test_a_row_chooses_data_alone(app, options, said):
    answer = TestClient(app).post("/seed_session", json={"env_id": SG, "seed": 0, **options})
    assert answer.status_code == 422
    assert said in answer.json()["detail"]
    if "split" not in options:
        with pytest.raises(ValueError, match=said):
            rows([HARD_TEST], **options)


def test_a_row_is_the_sample_beside_what_the_collector_adds(tmp_path):
    file = tmp_path / "episodes.jsonl"
    (row, same) = rows([HARD_TEST, HARD_TEST._replace(trial=2)], max_steps=7)
    assert row == same
    added = {"agent_ref": {"name": "agent"}, "_ng_task_index": 0, "_ng_rollout_index": 1}
    client = TestClient(application(episodes=file))
    assert client.post("/seed_session", json={**row, **added, **HARD_TEST._asdict()}).status_code == 200
    verify(client, row)
    (begun,) = map(read_line, file.read_bytes().splitlines())
    assert begun.seed == HARD_TEST.seed
    assert begun.kwargs.items() >= {"difficulty": "hard", "split": "test", "max_steps": 7}.items()


def failing(*_, **__):
    raise EnvironmentFault("secret_goal")


def test_a_fault_of_the_suite_is_no_reward_of_0_and_tells_nothing(app, monkeypatch, caplog):
    client, row = begin(app, SG, 0)
    monkeypatch.setattr(AgentbenchEnv, "step", failing)
    answer = client.post("/wallet_list_cards", json={})
    assert (answer.status_code, answer.json()) == (500, {"detail": FAULT})
    assert "secret_goal" in caplog.text
    answer = client.post("/verify", json={**row, "response": RESPONSE})
    assert (answer.status_code, answer.json()) == (500, {"detail": FAULT})
    monkeypatch.setattr(AgentbenchEnv, "reset", failing)
    answer = client.post("/seed_session", json=row)
    assert (answer.status_code, answer.json()) == (500, {"detail": FAULT})
    assert client.post("/wallet_list_cards", json={}).status_code == 409


def test_an_episode_that_cannot_be_left_tells_the_client_nothing(app, monkeypatch, caplog):
    client, row = begin(app, SG, 0)

    def unable(*_):
        raise ValueError("/operator/secret/path")

    with monkeypatch.context() as broken:
        broken.setattr(EpisodeSession, "close_now", unable)
        answer = client.post("/seed_session", json=row)
    assert (answer.status_code, answer.json()) == (500, {"detail": FAULT})
    assert "/operator/secret/path" in caplog.text


def test_a_session_that_falls_silent_is_left(tmp_path):
    file = tmp_path / "episodes.jsonl"
    (row,) = rows([sample(SG, 6)])
    with TestClient(application(idle_s=0.4, episodes=file)) as client:
        client.post("/seed_session", json=row)
        for _ in range(6):
            time.sleep(0.1)
            assert client.post("/wallet_list_cards", json={}).status_code == 200
        assert not file.read_bytes()
        for _ in range(100):
            if file.read_bytes():
                break
            time.sleep(0.05)
        late = client.post("/wallet_list_cards", json={})
        assert (late.status_code, "0.4 s of silence" in late.json()["detail"]) == (409, True)
        client.post("/seed_session", json={**row, "seed": 7})
    episodes = [read_line(line) for line in file.read_bytes().splitlines()]
    assert [(one.seed, one.outcome, one.reward, len(one.steps)) for one in episodes] == [
        (6, "abandoned", 0.0, 6),
        (7, "abandoned", 0.0, 0),
    ]
    assert {one.stopped for one in episodes} == {"the client went away"}


def test_a_record_that_cannot_be_kept_costs_the_client_nothing(tmp_path, caplog):
    folder = tmp_path / "records"
    folder.mkdir()
    app = application(episodes=folder / "episodes.jsonl")
    shutil.rmtree(folder)
    client, row = begin(app, SG, 3)
    play(client, expert_calls(SG, 3))
    found = verify(client, row)
    assert (found["reward"], found["outcome"], found["info"]["verdict"]["outcome"]) == (1.0, "success", "success")
    client, row = begin(app, SG, 5)
    play(client, [HARMLESS])
    found = verify(client, row)
    assert (found["reward"], found["outcome"]) == (0.0, "abandoned")
    assert caplog.text.count("FileNotFoundError") == 2


def test_what_cannot_be_served_is_said(tmp_path):
    with pytest.raises(ValueError, match="in a folder that exists"):
        application(episodes=tmp_path / "missing" / "episodes.jsonl")
    with pytest.raises(ValueError, match="a file that can be written"):
        application(episodes=tmp_path)
    with pytest.raises(ValueError, match="num_workers is 2"):
        application(num_workers=2)
    with pytest.raises(ValueError, match="idle_s"):
        application(idle_s=0)


def test_episodes_at_once_do_not_mix(app):
    (first, one), (second, other) = begin(app, SG, 5), begin(app, SG, 6)
    calls = expert_calls(SG, 5)
    play(first, calls[:4])
    play(second, expert_calls(SG, 6))
    play(first, calls[4:])
    assert verify(first, one)["reward"] == 1.0
    assert verify(second, other)["reward"] == 1.0


def test_the_example(tmp_path):
    assert "8 rows" in example("nemo_gym_rows.py", tmp_path / "train.jsonl")
