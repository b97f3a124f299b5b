"""OpenEnv's own client plays episodes on a server in another process."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("openenv", reason="tests/stacks/run.py makes the environment of this stack")
from openenv.core.generic_client import GenericEnvClient
from recording import found
from stack_kit import HARD_TEST, KR, SG, expert_calls
from starlette.testclient import TestClient

from agentbench_env.adapters.openenv import create_app
from agentbench_env.adapters.session import FAULT, EpisodeSession
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import EnvironmentFault
from agentbench_env.rollout.trajectory import Trajectory, read_line

pytestmark = pytest.mark.stacks
EXAMPLE = Path(__file__).parents[2] / "examples" / "stacks" / "openenv_server.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    file = tmp_path_factory.mktemp("openenv") / "episodes.jsonl"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, str(EXAMPLE), str(file), str(port)])
    try:
        yield f"http://127.0.0.1:{port}", file
    finally:
        process.terminate()
        process.wait(10)


def connect(url: str):
    for _ in range(600):
        try:
            return GenericEnvClient(base_url=url).sync().__enter__()
        except Exception:  # the server is starting
            time.sleep(0.2)
    raise AssertionError(f"{url} does not answer")


def written(file: Path) -> list[Trajectory]:
    return [read_line(line) for line in file.read_bytes().splitlines()]


def play(url: str, env_id: str, seed: int, calls: list[dict]) -> tuple[list, dict]:
    env = connect(url)
    try:
        begun = env.reset(env_id=env_id, seed=seed)
        assert json.loads(begun.observation["content"])["request"]
        assert {tool["function"]["name"] for tool in begun.observation["tools"]} >= {"task_finish"}
        return [env.step(call) for call in calls], env.state()
    finally:
        env.close()


def test_several_clients_play_at_once(server):
    url, file = server
    wanted = [(SG, 0), (KR, 1), (SG, 2), (KR, 3)]
    with ThreadPoolExecutor(4) as pool:
        played = list(pool.map(lambda key: play(url, *key, expert_calls(*key)), wanted))
    for results, state in played:
        assert [result.reward for result in results[:-1]] == [None] * (len(results) - 1)
        assert (results[-1].reward, results[-1].done) == (1.0, True)
        assert all(clause["held"] for clause in state["verdict"]["clauses"])
    episodes = written(file)
    assert {(one.env_id, one.seed, one.outcome) for one in episodes} >= {(*key, "success") for key in wanted}
    assert all(found(one) == [] for one in episodes)


def test_a_client_that_leaves_abandons_its_episode(server):
    url, file = server
    _, state = play(url, SG, 7, [{"tool": "wallet_list_cards", "arguments": "{}"}, {"tool": "nonsense"}])
    assert (state["outcome"], state["verdict"], state["step_count"]) == ("", None, 2)
    for _ in range(50):
        if left := [one.outcome for one in written(file) if one.seed == 7]:
            break
        time.sleep(0.1)
    assert left == ["abandoned"]


@pytest.fixture(scope="module")
def http():
    with TestClient(create_app([SG, KR], seeds=range(10, 15)), raise_server_exceptions=False) as client:
        yield client


def test_a_step_without_a_websocket_says_what_is_needed(http):
    answer = http.post("/step", json={"action": {"tool": "wallet_list_cards", "arguments": {}}})
    assert answer.status_code == 409
    assert "websocket" in answer.json()["detail"]
    assert http.post("/reset", json={"seed": 3}).json()["observation"]["content"]
    wrong = http.post("/reset", json={"difficulty": "medium"})
    assert (wrong.status_code, "easy, standard, hard" in wrong.text) == (422, True)


def test_tasks_are_listed_and_can_be_played(http):
    splits = [one["name"] for one in http.get("/agentbench/splits").json()]
    assert splits == ["train", "dev", "test"]
    assert http.post("/agentbench/num_tasks", json={"split": "dev"}).json() == {"num_tasks": 10}
    task = http.post("/agentbench/task", json={"split": "dev", "index": 6}).json()["task"]
    assert (task["env_id"], task["seed"], task["split"]) == (KR, 11, "dev")
    assert http.post("/agentbench/task", json={"split": "dev", "index": 10}).status_code == 400
    with http.websocket_connect("/ws") as socket:
        socket.send_json({"type": "reset", "data": {"split": "dev", "index": 6}})
        assert "observation" in socket.receive_json()["data"]
        socket.send_json({"type": "state"})
        state = socket.receive_json()["data"]
        assert (state["env_id"], state["seed"]) == (KR, 11)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"user": "subprocess:Popen"}, "option is 'user'; it must be one of: split, difficulty"),
        ({"reference": "/etc/hostname"}, "option is 'reference'"),
        ({"salt": "s"}, "option is 'salt'"),
        ({"sink": "print"}, "option is 'sink'"),
        ({"policy": "expert"}, "option is 'policy'"),
        ({"split": "private"}, "train, dev, test"),
        ({"max_steps": "many"}, "max_steps is 'many'"),
        ({"index": "1"}, "index is '1'"),
        ({"seed": ""}, "seed is ''"),
    ],
)
def test_a_client_chooses_data_and_a_refused_reset_ends_the_episode(http, given, said):
    with http.websocket_connect("/ws") as socket:
        for data, key, expected in (({}, "observation", "request"), (given, "message", said)):
            socket.send_json({"type": "reset", "data": data})
            assert expected in str(socket.receive_json()["data"][key])
        socket.send_json({"type": "step", "data": {"tool": "wallet_list_cards", "arguments": {}}})
        assert "a reset first" in socket.receive_json()["data"]["message"]


def test_a_reset_takes_a_sample():
    kept: list[Trajectory] = []
    with TestClient(create_app([SG], sink=kept.append)) as client, client.websocket_connect("/ws") as socket:
        socket.send_json({"type": "reset", "data": HARD_TEST._asdict()})
        assert "observation" in socket.receive_json()["data"]
        socket.send_json({"type": "reset", "data": {}})
        socket.receive_json()
    assert (kept[0].env_id, kept[0].seed) == (SG, HARD_TEST.seed)
    assert kept[0].kwargs.items() >= {"difficulty": "hard", "split": "test"}.items()


def test_the_reward_is_paid_once(http):
    calls = expert_calls(SG, 10)
    with http.websocket_connect("/ws") as socket:
        socket.send_json({"type": "reset", "data": {"seed": 10, "difficulty": "easy"}})
        socket.receive_json()
        paid = []
        for call in (*calls, calls[-1]):
            socket.send_json({"type": "step", "data": call})
            paid.append(socket.receive_json()["data"])
    assert [one["reward"] for one in paid[-3:]] == [None, 1.0, 0.0]
    assert [one["done"] for one in paid[-3:]] == [False, True, True]


def test_a_record_that_cannot_be_kept_costs_the_client_nothing(caplog):
    def full(_: Trajectory) -> None:
        raise OSError("/operator/records: disk full")

    with TestClient(create_app([SG], sink=full)) as client, client.websocket_connect("/ws") as socket:
        socket.send_json({"type": "reset", "data": {"seed": 10, "difficulty": "easy"}})
        socket.receive_json()
        for call in expert_calls(SG, 10):
            socket.send_json({"type": "step", "data": call})
            last = socket.receive_json()["data"]
        assert (last["reward"], last["done"]) == (1.0, True)
        socket.send_json({"type": "state"})
        state = socket.receive_json()["data"]
        assert (state["outcome"], state["verdict"]["outcome"]) == ("success", "success")
        for seed in (11, 12):
            socket.send_json({"type": "reset", "data": {"seed": seed}})
            assert "request" in socket.receive_json()["data"]["observation"]["content"]
        assert caplog.text.count("OSError: /operator/records: disk full") == 2


@pytest.mark.parametrize("place", ["reset", "step"])
def test_a_fault_of_the_suite_tells_the_client_nothing(http, monkeypatch, caplog, place):
    def failing(*_, **__):
        raise EnvironmentFault("secret_goal")

    asked = {"step": {"tool": "wallet_list_cards", "arguments": {}}, "reset": {"seed": 11}}
    with http.websocket_connect("/ws") as socket:
        socket.send_json({"type": "reset", "data": {}})
        socket.receive_json()
        with monkeypatch.context() as broken:
            broken.setattr(AgentbenchEnv, place, failing)
            socket.send_json({"type": place, "data": asked[place]})
            answer = socket.receive_json()
            status = http.post("/reset", json={}).status_code
        assert (answer["type"], answer["data"]["message"]) == ("error", f"500: {FAULT}")
        assert "secret_goal" not in str(answer)
        assert "secret_goal" in caplog.text
        socket.send_json({"type": "step", "data": asked["step"]})
        after = socket.receive_json()["data"]
    if place == "reset":
        assert (status, "a reset first" in after["message"]) == (500, True)
    else:
        assert (after["reward"], after["done"], "episode_over" in after["observation"]["content"]) == (None, True, True)


@pytest.mark.parametrize("error", [OSError, ValueError])
def test_an_episode_that_cannot_be_left_tells_the_client_nothing(http, monkeypatch, caplog, error):
    def failing(*_):
        raise error("/operator/secret/path: disk full")

    with http.websocket_connect("/ws") as socket:
        socket.send_json({"type": "reset", "data": {}})
        socket.receive_json()
        with monkeypatch.context() as broken:
            broken.setattr(EpisodeSession, "close_now", failing)
            socket.send_json({"type": "reset", "data": {}})
            assert socket.receive_json()["data"]["message"] == f"500: {FAULT}"
        assert "/operator/secret/path" in caplog.text
        socket.send_json({"type": "step", "data": {"tool": "wallet_list_cards", "arguments": {}}})
        assert "a reset first" in socket.receive_json()["data"]["message"]


def test_a_client_that_falls_silent_is_left():
    left: list[Trajectory] = []
    with (
        TestClient(create_app([SG], sink=left.append, idle_s=0.1)) as client,
        client.websocket_connect("/ws") as socket,
    ):
        socket.send_json({"type": "reset", "data": {}})
        socket.receive_json()
        for _ in range(100):
            if left:
                break
            time.sleep(0.1)
        assert [(one.outcome, one.reward) for one in left] == [("abandoned", 0.0)]
        socket.send_json({"type": "step", "data": {"tool": "wallet_list_cards", "arguments": {}}})
        late = socket.receive_json()["data"]
        assert (late["reward"], late["done"], "episode_over" in late["observation"]["content"]) == (0.0, True, True)


def test_what_cannot_be_served_is_said():
    with pytest.raises(ValueError, match="easy, standard, hard"):
        create_app([SG], difficulty="medium")
    with pytest.raises(ValueError, match="at least one"):
        create_app([])
    with pytest.raises(ValueError, match="session_timeout"):
        create_app([SG], idle_s=0)
