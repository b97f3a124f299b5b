"""Any client of the Model Context Protocol plays: in memory, over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.request import Request, urlopen

import gymnasium as gym
import pytest
from commandline import data, run
from recording import recorded, replace
from toy import ENV_ID, ShopErrand, install_toy, installed

import agentbench_env as ab
from agentbench_env.adapters.session import FAULT, EpisodeSession
from agentbench_env.cli.mcp import _Episodes
from agentbench_env.policies import load_policy
from agentbench_env.rollout import RecordTrajectory, Trajectory
from agentbench_env.rollout.engine import run_episode
from agentbench_env.rollout.episode_file import EpisodeFile
from agentbench_env.rollout.store import Selection, StoreFault, WriteFault, describe_run
from agentbench_env.rollout.trajectory import read_line

pytest.importorskip("mcp", reason="serving MCP needs the extra agentbench-env[mcp]")
from mcp import Client, MCPError, StdioServerParameters

from agentbench_env.adapters.mcp import HttpServer, NoMoreEpisodes, session_server, sessions_server

COMMAND = [sys.executable, "-c", "from agentbench_env.cli import main; main()"]
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT}
TOY = ENV_ID.partition("/")[2]


@pytest.fixture(autouse=True)
def toy() -> None:
    install_toy()


def expert_calls(seed: int) -> list[tuple[str, dict[str, Any]]]:
    return [(step.action["tool"], step.action["arguments"]) for step in recorded("expert", seed).steps]


async def play(client: Client, seed: int) -> list[Any]:
    return [await client.call_tool(tool, arguments) for tool, arguments in expert_calls(seed)]


def texts(results: list[Any]) -> list[str]:
    return [block.text for result in results for block in result.content]


def episodes(directory: Path) -> list[Trajectory]:
    return [read_line(line) for line in (directory / "episodes-00000.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_in_memory_plays_to_the_verdict(mode):
    session = EpisodeSession(ENV_ID, 2)

    async def main() -> None:
        async with Client(session_server(session), mode=mode) as client:
            assert client.instructions == session.brief
            tools = (await client.list_tools()).tools
            shown = [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]
            assert [one["function"]["name"] for one in session.tools] == [tool.name for tool in tools]
            assert shown[0]["inputSchema"] == session.tools[0]["function"]["parameters"]
            wrong = await client.call_tool("shop_list_offers", {"colour": "red"})
            unknown = await client.call_tool("shop_buy_all", {})
            assert wrong.is_error
            assert unknown.is_error
            assert json.loads(texts([wrong])[0])["field"] == "item"
            results = await play(client, 2)
            assert not any(result.is_error for result in results)
            late = await client.call_tool("shop_get_rules", {})
            assert late.is_error
            assert not any(clause["id"] in "".join(texts([*results, late])) for clause in session.verdict["clauses"])

    asyncio.run(main())
    assert (session.outcome, session.steps) == ("success", 2 + len(expert_calls(2)))


REAL = {"ta-two-leg-itinerary-JP": 1, "ec-meeting-cancellation-AE": 2, "rl-reservation-change-KR": 3}
"""Environments with a seed each, one of each domain."""


def test_sessions_in_memory_play_real_tasks_at_once():
    """Call by call in turn, of one server, and each episode is what it would be alone."""
    alone: dict[str, Trajectory] = {}
    for name, seed in REAL.items():
        env = RecordTrajectory(gym.make(f"Agentbench/{name}"), policy="expert")
        alone[name] = run_episode(load_policy("expert"), env, seed)
    sessions: list[EpisodeSession] = []
    waiting = iter(REAL.items())

    def open_session() -> EpisodeSession:
        name, seed = next(waiting)
        sessions.append(EpisodeSession(f"Agentbench/{name}", seed))
        return sessions[-1]

    async def main() -> None:
        server = sessions_server(open_session)
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Client(server, mode="legacy")) for _ in REAL]
            players = list(zip(clients, alone.values(), strict=True))
            for client, one in players:
                assert client.instructions == one.brief
                shown = {tool.name for tool in (await client.list_tools()).tools}
                assert shown == {tool["function"]["name"] for tool in one.tools}
            for number in range(max(len(one.steps) for one in alone.values())):
                for client, one in players:
                    if number < len(one.steps):
                        action = one.steps[number].action
                        result = await client.call_tool(action["tool"], action["arguments"])
                        assert texts([result]) == [one.steps[number].content]

    asyncio.run(main())
    for session, one in zip(sessions, alone.values(), strict=True):
        assert session.outcome == one.outcome == "success"
        assert session.trajectory().lineage_head == one.lineage_head


class Broken(ShopErrand):
    """A task whose boundary cannot be judged."""

    boundary = (ab.Gated("boundary.any", "Any.", effects=("send",), allowed=lambda case: case.secret_goal),)


def test_a_fault_of_the_suite_tells_the_client_nothing(caplog):
    async def main(session: EpisodeSession) -> Any:
        async with Client(session_server(session)) as client:
            return await client.call_tool("shop_join_newsletter", {})

    with installed({"toy-mcp-broken": Broken}):
        session = EpisodeSession("toy-mcp-broken-SG", on_violation="terminate")
        result = asyncio.run(main(session))
    assert (result.is_error, texts([result])) == (True, [FAULT])
    assert session.outcome == "infrastructure"
    assert "secret_goal" in caplog.text


def test_an_episode_that_cannot_begin_tells_the_client_nothing_and_ends_the_server(caplog):
    ended: list[bool] = []
    episodes = _Episodes(Selection((ENV_ID,), (0,), {}, 1), {"faults": "secret_goal"}, "mcp", None, False)
    episodes.finished = lambda: ended.append(True)

    async def main() -> None:
        async with Client(sessions_server(episodes.open, episodes.close), mode="legacy"):
            pass

    with pytest.raises(ExceptionGroup) as caught:
        asyncio.run(main())
    assert caught.group_contains(MCPError, match=FAULT)
    assert "secret_goal" not in repr(caught.value.exceptions)
    assert "an episode cannot begin" in caplog.text
    assert ended == [True]


def test_the_protocol_without_sessions_is_refused():
    async def main() -> None:
        async with Client(sessions_server(lambda: EpisodeSession(ENV_ID)), mode="2026-07-28") as client:
            with pytest.raises(MCPError, match="initialize handshake"):
                await client.call_tool("shop_get_rules", {})

    asyncio.run(main())


@asynccontextmanager
async def served(seeds: Iterator[int], **options: Any) -> AsyncIterator[tuple[HttpServer, list[EpisodeSession]]]:
    """An HTTP server in this process, and the sessions that have been closed."""
    closed: list[EpisodeSession] = []

    def open_session() -> EpisodeSession:
        for seed in seeds:
            return EpisodeSession(ENV_ID, seed)
        raise NoMoreEpisodes("all episodes are taken")

    def close(session: EpisodeSession) -> None:
        session.close_now("gone")
        closed.append(session)

    server = HttpServer(open_session, close, **options)
    task = asyncio.create_task(server.serve())
    await asyncio.sleep(0.1)
    try:
        yield server, closed
    finally:
        server.stop()
        await task


def test_several_sessions_over_http_have_episodes_of_their_own():
    async def client_of(url: str, begun: asyncio.Barrier) -> str:
        async with Client(url) as client:
            await begun.wait()
            seed = next(n for n in range(4) if EpisodeSession(ENV_ID, n).brief == client.instructions)
            results = await play(client, seed)
            assert not any(result.is_error for result in results)
            return f"{seed}"

    async def main() -> None:
        async with served(iter(range(4))) as (server, closed):
            begun = asyncio.Barrier(4)
            assert sorted(await asyncio.gather(*(client_of(server.url, begun) for _ in range(4)))) == list("0123")
            with pytest.raises(ExceptionGroup) as caught:
                async with Client(server.url):
                    pass
            assert caught.group_contains(MCPError, match="taken")
        assert {session.seed: session.outcome for session in closed} == dict.fromkeys(range(4), "success")

    asyncio.run(main())


def test_answers_over_http_do_not_wait_for_acknowledgements():
    async def main() -> None:
        async with served(iter(range(1))) as (server, _), Client(server.url) as client:
            times: list[float] = []
            for _ in range(20):
                start = perf_counter()
                await client.call_tool("shop_get_rules", {})
                times.append(perf_counter() - start)
        # One that waits takes 40 ms each time, a busy machine only now and then.
        assert min(times) < 0.035

    asyncio.run(main())


def test_a_client_that_falls_silent_is_left():
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

    async def main() -> None:
        async with served(iter(range(1)), idle_s=0.3) as (server, closed):
            request = Request(server.url, json.dumps(INITIALIZE).encode(), headers)
            with await asyncio.to_thread(urlopen, request) as answer:
                assert answer.headers["mcp-session-id"]
            for _ in range(100):
                await asyncio.sleep(0.05)
                if closed:
                    break
            assert [session.outcome for session in closed] == ["abandoned"]

    asyncio.run(main())


def server_parameters(*arguments: str) -> StdioServerParameters:
    return StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "mcp", *arguments], env=dict(os.environ))


def test_over_stdio_the_record_is_a_run(tmp_path):
    out = tmp_path / "run"

    async def main(seed: int) -> None:
        options = ("--seed", "3", "--sessions", "2", "--out", str(out), "--resume", "--name", "script")
        async with Client(server_parameters(TOY, *options)) as client:
            if seed == 3:
                assert texts(await play(client, seed))
            else:
                await client.call_tool("shop_get_rules", {})

    asyncio.run(main(3))
    asyncio.run(main(4))
    assert [(one.seed, one.outcome, one.policy) for one in episodes(out)] == [
        (3, "success", "script"),
        (4, "abandoned", "script"),
    ]
    assert data("verify", out)["verified"]
    text = run("mcp", TOY, "--seed", "3", "--sessions", "2", "--out", out, "--resume", "--name", "script", status=2)
    assert "all 2 episodes" in text.output
    assert "already holds a run" in run("mcp", TOY, "--out", out, status=2).output


def call_once(*options: object) -> None:
    """A client that makes one call of the command's server over stdio and leaves."""

    async def main() -> None:
        async with Client(server_parameters(TOY, *map(str, options))) as client:
            await client.call_tool("shop_get_rules", {})

    asyncio.run(main())


@pytest.mark.parametrize("name", ["ep.json", "deep/ep.jsonl"])
def test_the_record_may_be_one_file(tmp_path, name):
    out = tmp_path / name
    call_once("--seed", 3, "--out", out)
    (line,) = out.read_bytes().splitlines()
    one = read_line(line)
    assert (one.seed, one.outcome, one.policy) == (3, "abandoned", "mcp")
    assert data("verify", out)["verified"]
    assert data("replay", out)["differences"] == []
    assert data("export", out, "--to", "chat", "-o", tmp_path / "sft.jsonl")["episodes"] == 1
    assert data("report", out, "-o", tmp_path / "page")["runs"][0]["total"]["episodes"] == 1
    assert "a run's directory" in run("leaderboard", out, "-o", tmp_path / "site", status=2).output


def test_several_sessions_fill_one_file(tmp_path):
    out = tmp_path / "ep.json"
    several = ("--seed", 3, "--sessions", 2, "--out", out)
    call_once(*several)
    assert "exists already" in run("mcp", TOY, *several, status=2).output
    out.write_bytes(out.read_bytes() + b'{"brief":"torn')
    call_once(*several, "--resume")
    assert [read_line(line).seed for line in out.read_bytes().splitlines()] == [3, 4]
    assert data("verify", out)["verified"]
    assert "all 2 episodes" in run("mcp", TOY, *several, "--resume", status=2).output
    whole = out.read_bytes()
    for other, why in (
        (("--name", "other"), "policy: mcp, now other"),
        (("--seed", 4), "seed 3 trial 0, which is not of this run"),
        (("--difficulty", "easy"), "arguments"),
    ):
        assert why in " ".join(run("mcp", TOY, *several, *other, "--resume", status=2).output.split())
    assert out.read_bytes() == whole


def test_a_file_that_is_none_of_episodes_is_left_as_it_is(tmp_path):
    folder, file = tmp_path / "run.json", tmp_path / "package.json"
    folder.mkdir()
    file.write_text('{"name": "mine"}\n', encoding="utf-8")
    assert "is a directory" in run("mcp", TOY, "--out", folder, status=2).output
    assert "exists already" in run("mcp", TOY, "--out", file, status=2).output
    assert "no whole episode" in run("mcp", TOY, "--out", file, "--resume", status=2).output
    assert file.read_text(encoding="utf-8") == '{"name": "mine"}\n'


def test_a_file_has_one_writer_and_repeats_what_failed(tmp_path):
    out, scored = tmp_path / "ep.json", recorded("expert", 0)
    described = describe_run("expert", Selection((ENV_ID,), (0, 1), scored.kwargs))
    with EpisodeFile(out, described) as writer:
        writer.write(scored)
        writer.write(replace(recorded("expert", 1), reward=None, outcome="infrastructure").sealed())
        with pytest.raises(StoreFault, match="another writer: this process"):
            EpisodeFile(out, described, resume=True)
    with EpisodeFile(out, described, resume=True) as writer:
        assert writer.done == {(ENV_ID, 0, 0)}
    assert out.read_bytes() == scored.line() + b"\n"


def test_over_http_the_command_ends_with_its_last_session(tmp_path):
    out = tmp_path / "run"
    options = ["--sessions", "2", "--same-seed", "--seed", "5", "--http", "--json", "--out", str(out)]
    process = subprocess.Popen([*COMMAND, "mcp", TOY, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    url = json.loads(process.stdout.readline())["url"]

    async def main() -> None:
        async with Client(url) as one, Client(url) as two:
            await play(one, 5)
            await two.call_tool("shop_get_rules", {})

    asyncio.run(main())
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    told = [json.loads(line) for line in errors.decode().splitlines()]
    assert {(one["seed"], one["trial"], one["outcome"]) for one in told} == {(5, 0, "success"), (5, 1, "abandoned")}
    assert data("verify", out)["verified"]


@pytest.mark.parametrize("heard", [True, False])
def test_a_killed_server_keeps_the_episode_and_ends(tmp_path, heard):
    out = tmp_path / "run"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*COMMAND, "mcp", TOY, "--out", str(out)], **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"]["instructions"]
        if not heard:
            process.stderr.close()
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(30) == 128 + signal.SIGTERM
        finally:
            process.kill()
        assert not heard or b"abandoned" in process.stderr.read()
    assert [one.outcome for one in episodes(out)] == ["abandoned"]


def test_an_interrupted_server_says_what_is_missing(tmp_path):
    command = [*COMMAND, "mcp", TOY, "--sessions", "3", "--http", "--json", "--out", str(tmp_path / "run")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    url = json.loads(process.stdout.readline())["url"]
    with urlopen(Request(url, json.dumps(INITIALIZE).encode(), headers)):
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, b"2 of 3 episodes were not begun" in errors) == (130, True)
    assert [one.outcome for one in episodes(tmp_path / "run")] == ["abandoned"]


class FullDisk:
    """A writer that has no room for an episode."""

    done: tuple[Any, ...] = ()

    def write(self, episode: Trajectory) -> None:
        raise WriteFault("the disk is full")


def test_nothing_more_is_played_once_a_record_cannot_be_kept(capsys):
    ended: list[bool] = []
    episodes = _Episodes(Selection((ENV_ID,), (0, 1, 2), {}, 1), {}, "mcp", FullDisk(), False)
    episodes.finished = lambda: ended.append(True)
    one, other = episodes.open(), episodes.open()
    episodes.close(one)
    assert (str(episodes.fault), ended) == ("the disk is full", [])
    with pytest.raises(NoMoreEpisodes):
        episodes.open()
    episodes.close(other)
    assert ended == [True]
    assert "the disk is full" in capsys.readouterr().err


def test_wrong_use_is_said():
    assert "Did you mean" in run("mcp", "ta-two-leg-itinerary-SX", status=2).output
    assert "--resume needs --out" in run("mcp", TOY, "--resume", status=2).output
    assert "easy, standard, hard" in run("mcp", TOY, "--difficulty", "medium", status=2).output
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = run("mcp", TOY, "--http", "--port", port, status=2).output
        assert f"cannot listen on 127.0.0.1, port {port}" in said
