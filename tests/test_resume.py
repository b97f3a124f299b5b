"""Runs that are stopped, by whatever, and gone on with."""

from __future__ import annotations

import errno
import os
import random
import resource
import signal
import time
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import pytest
from commandline import data, run
from toy import ENV_ID, install_toy

from agentbench_env.cli.output import INTERRUPTED
from agentbench_env.policies import load_policy
from agentbench_env.rollout import RunWriter, Trajectory
from agentbench_env.rollout.engine import jobs_of, run_jobs
from agentbench_env.rollout.store import Run, Selection, StoreFault, WriteFault, describe_run, read_lines, read_run
from agentbench_env.rollout.trajectory import read_line
from agentbench_env.rollout.verify import verify_selection

KILLS = 50
fork = get_context("fork")


@pytest.fixture(autouse=True)
def _toy():
    install_toy()


def described(seeds: int = 3, policy: str = "expert", **changes) -> Run:
    settings = {"split": "train", "difficulty": "easy", **changes}
    return describe_run(policy, Selection((ENV_ID,), tuple(range(seeds)), settings))


def play(directory: Path, run: Run, workers: int = 1) -> None:
    with RunWriter(directory, run, resume=True) as writer:
        for one in run_jobs(jobs_of(run.selection, run.policy, done=writer.done), workers):
            writer.write(one)


def episodes(directory: Path) -> list[Trajectory]:
    return [read_line(line.raw) for line in read_lines(directory)]


def shards(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.glob("episodes-*")}


# --- killed


def play_till_killed(directory: Path, run: Run, workers: int, most: int) -> None:
    """Play a few more episodes of a run and wait for the end."""
    with RunWriter(directory, run, resume=True) as writer:
        jobs = jobs_of(run.selection, run.policy, done=writer.done)
        for one in islice(run_jobs(jobs, workers), most):
            writer.write(one)
        signal.pause()


def seconds_for(number: int, directory: Path) -> float:
    """Play some episodes undisturbed, the second time with all that is kept from one to the next."""
    started = 0.0
    for name in ("cold", "warm"):
        started = time.monotonic()
        play(directory / name, described(number))
    return time.monotonic() - started


def killed_again_and_again(directory: Path, run: Run, workers: int, kills: int, most: int) -> int:
    """Play a run in processes that are killed at random moments; return how many were killed before the end."""
    chance, killed, longest = random.Random(7), 0, 2 * seconds_for(most, directory.with_name("undisturbed"))
    for _ in range(kills):
        child = fork.Process(target=play_till_killed, args=(directory, run, workers, most))
        child.start()
        time.sleep(chance.uniform(0.0, longest))
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        killed += child.exitcode == -signal.SIGKILL
    return killed


def test_a_run_that_is_killed_fifty_times_is_what_it_would_have_been(tmp_path, monkeypatch):
    monkeypatch.setattr("agentbench_env.rollout.writer.EPISODES_A_SHARD", 40)
    run = described(400)
    assert killed_again_and_again(tmp_path / "killed", run, 1, KILLS, 7) == KILLS
    there = len(list(read_lines(tmp_path / "killed")))
    play(tmp_path / "killed", run)
    play(tmp_path / "whole", run)
    assert 0 < there < 400
    assert shards(tmp_path / "killed") == shards(tmp_path / "whole")
    assert len(shards(tmp_path / "whole")) == 10
    assert list(verify_selection(tmp_path / "killed", episodes(tmp_path / "killed"))) == []
    assert read_run(tmp_path / "killed").differences(run) == []


def test_killing_a_run_of_several_processes_leaves_the_directory_free(tmp_path):
    run = described(60)
    killed_again_and_again(tmp_path / "killed", run, 2, 4, 14)
    play(tmp_path / "killed", run, 2)
    assert [one.seed for one in episodes(tmp_path / "killed")] == list(range(60))


@pytest.mark.parametrize("cut", [1, 2, 1000])
def test_a_line_that_was_not_written_whole_is_cut_off(tmp_path, cut):
    play(tmp_path, described())
    whole = shards(tmp_path)
    (name,) = whole
    (tmp_path / name).write_bytes(whole[name][:-cut])
    with RunWriter(tmp_path, described(), resume=True) as writer:
        assert {seed for _, seed, _ in writer.done} == {0, 1}
    assert whole[name].startswith((tmp_path / name).read_bytes())
    play(tmp_path, described())
    assert shards(tmp_path) == whole


def test_a_line_that_was_changed_elsewhere_is_no_torn_one(tmp_path):
    play(tmp_path, described())
    (shard,) = tmp_path.glob("episodes-*")
    first, second, third = shard.read_bytes().splitlines(keepends=True)
    shard.write_bytes(first + b"{}\n" + third)
    with pytest.raises(StoreFault, match=r"episodes-00000.jsonl:2 is no record .* something else has changed the file"):
        play(tmp_path, described())
    assert shard.read_bytes() == first + b"{}\n" + third
    assert second != third


# --- the same run, one writer


def test_only_the_same_run_is_resumed(tmp_path):
    play(tmp_path, described())
    for other, difference in (
        (described(policy="random"), "policy: expert, now random"),
        (described(4), r"seeds: \[0,1,2\], now \[0,1,2,3\]"),
        (described(faults=0.1), r'arguments: {"difficulty":"easy","split":"train"}, now .*"faults":0.1'),
    ):
        with pytest.raises(StoreFault, match=f"another run, which this cannot resume: {difference}"):
            RunWriter(tmp_path, other, resume=True)
    RunWriter(tmp_path, described(), resume=True).close()


def test_episodes_without_a_description_are_not_written_to(tmp_path):
    play(tmp_path, described())
    (tmp_path / "run.json").unlink()
    with pytest.raises(StoreFault, match=r"holds episodes-00000.jsonl but no run.json"):
        play(tmp_path, described())


def hold(directory: Path, connection) -> None:
    with RunWriter(directory, described()):
        connection.send("held")
        connection.recv()


def test_a_second_process_is_refused_until_the_first_ends(tmp_path):
    here, there = fork.Pipe()
    child = fork.Process(target=hold, args=(tmp_path, there))
    child.start()
    assert here.recv() == "held"
    with pytest.raises(StoreFault, match=f"has another writer: process {child.pid};"):
        RunWriter(tmp_path, described(), resume=True)
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    RunWriter(tmp_path, described(), resume=True).close()


# --- a disk that is full or fails


def test_a_disk_that_takes_half_a_line_leaves_whole_ones(tmp_path):
    run = described(4)
    zero, one, *_ = whole = list(run_jobs(jobs_of(run.selection, "expert")))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with RunWriter(tmp_path, run) as writer:
        writer.write(zero)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(zero.line()) + 1000, hard))
        try:
            with pytest.raises(WriteFault, match=r"cannot be written: File too large. .* go on with --resume"):
                writer.write(one)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        with pytest.raises(WriteFault, match="resume the run with a new writer"):
            writer.write(one)
    assert episodes(tmp_path) == [zero]
    play(tmp_path, run)
    assert episodes(tmp_path) == whole


def test_a_full_disk_is_said_in_one_line(tmp_path, monkeypatch):
    synced = []

    def sync(file: int) -> None:
        synced.append(file)
        if len(synced) > 6:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    rollout = ("rollout", ENV_ID, "--seeds", "0:9", "-o", tmp_path / "run")
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", sync)
        stopped = run(*rollout, status=1)
    assert stopped.stderr.startswith(f"agentbench: {tmp_path / 'run'} cannot be written: No space left on device.")
    there = len(episodes(tmp_path / "run"))
    assert 0 < there < 9
    plan = data(*rollout, "--resume", "--dry-run")
    assert (plan["episodes"], plan["there"], plan["to_run"]) == (9, there, 9 - there)
    assert data(*rollout, "--resume")["total"]["episodes"] == 9


# --- infrastructure


class Shaky:
    """An expert whose endpoint fails at the first `down` episodes."""

    name = "shaky"
    down = 0
    calls = 0

    def run(self, env, observation):
        Shaky.calls += 1
        if Shaky.calls <= Shaky.down:
            raise ConnectionError("no answer")
        load_policy("expert").run(env, observation)


SHAKY = ("rollout", ENV_ID, "--policy", "python:test_resume:Shaky", "--seeds", "0:2")


def fail_first(monkeypatch, episodes: int) -> None:
    monkeypatch.setattr(Shaky, "down", episodes)
    monkeypatch.setattr(Shaky, "calls", 0)


def test_infrastructure_outcomes_are_retried(monkeypatch):
    fail_first(monkeypatch, 2)
    total = data(*SHAKY, "--retries", 2)["total"]
    assert (total["success"], total["infrastructure"], Shaky.calls) == (2, 0, 4)


def test_what_failed_to_the_last_is_recorded_apart_and_run_again_on_resume(monkeypatch, tmp_path):
    fail_first(monkeypatch, 3)
    rollout = (*SHAKY, "-o", tmp_path / "run")
    total = data(*rollout, "--retries", 2, status=1)["total"]
    assert (total["episodes"], total["scored"], total["rate"], total["infrastructure"]) == (2, 1, 1.0, 1)
    assert [one.reward for one in episodes(tmp_path / "run")] == [None, 1.0]
    assert data(*rollout, "--resume", "--dry-run")["to_run"] == 1
    total = data(*rollout, "--resume")["total"]
    assert (total["episodes"], total["success"], Shaky.calls) == (2, 2, 5)
    assert [(one.seed, one.reward) for one in episodes(tmp_path / "run")] == [(1, 1.0), (0, 1.0)]
    run("verify", tmp_path / "run")


# --- the command


def test_ctrl_c_ends_cleanly(tmp_path, monkeypatch):
    def interrupted(jobs, workers, retries):
        for number, one in enumerate(run_jobs(jobs, workers, retries)):
            if number == 2:
                raise KeyboardInterrupt
            yield one

    rollout = ("rollout", ENV_ID, "--seeds", "0:5", "-k", 2, "-o", tmp_path / "run")
    with monkeypatch.context() as patch:
        patch.setattr("agentbench_env.rollout.engine.run_jobs", interrupted)
        stopped = run(*rollout, status=INTERRUPTED)
    said = "stopped after 2 of 10 episodes: interrupted; go on with the same command and --resume"
    assert stopped.stderr == f"agentbench: {said}\n"
    assert "already holds a run" in run(*rollout, status=2).stderr
    run(*rollout, "--resume")
    assert [(one.seed, one.trial) for one in episodes(tmp_path / "run")] == [(s, t) for s in range(5) for t in range(2)]


def test_a_run_that_is_complete_is_only_summed_up_again(tmp_path):
    rollout = ("rollout", ENV_ID, "--seeds", "0:3", "-o", tmp_path / "run", "--resume")
    first = data(*rollout)
    before = shards(tmp_path / "run")
    assert data(*rollout) == first
    assert shards(tmp_path / "run") == before
    assert "--resume needs --output" in run("rollout", ENV_ID, "--resume", status=2).stderr
