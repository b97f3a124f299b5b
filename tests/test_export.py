"""Each format is read back with the library that its readers use."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from commandline import data, run
from recording import recorded, replace
from toy import ENV_ID, install_toy, toy_env

from agentbench_env.errors import WrongArgument
from agentbench_env.export import FORMATS, ExportFault, load_writer
from agentbench_env.export.messages import answered_messages, plain_message
from agentbench_env.extras import MissingExtra, need
from agentbench_env.fresh import whole
from agentbench_env.rollout import RecordTrajectory, RunWriter, Trajectory
from agentbench_env.rollout.engine import jobs_of, run_jobs
from agentbench_env.rollout.store import Selection, describe_run


@pytest.fixture(autouse=True)
def _toy():
    install_toy()


def call(id: str, tool: str, arguments: str) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": tool, "arguments": arguments}, "index": 0}


def talked() -> Trajectory:
    """An episode of a policy that reports what its model said: a text, two calls at once, broken arguments."""
    env = RecordTrajectory(toy_env(), policy="chat:small")
    env.reset(seed=0)
    core: Any = env.unwrapped
    core.record_message({"role": "system", "content": "Be brief."})
    core.record_message({"role": "assistant", "content": "Hello! 안녕", "refusal": None})
    core.record_usage(input_tokens=100, output_tokens=5, usd=0.001, latency_s=0.5)
    env.step("Hello! 안녕")
    lists = [call("a", "shop_list_offers", '{"item": "kettle"}'), call("b", "shop_get_rules", "{}")]
    said = {"role": "assistant", "content": None, "reasoning": "Look first.", "tool_calls": lists}
    core.record_message(said)
    core.record_usage(input_tokens=200, output_tokens=10, usd=None, latency_s=0.5)
    env.step({"tool": "shop_list_offers", "arguments": {"item": "kettle"}})
    env.step({"tool": "shop_get_rules", "arguments": {}})
    core.record_message({"role": "assistant", "content": "", "tool_calls": [call("c", "shop_get_rules", '{"x":')]})
    env.step({"tool": "shop_get_rules", "arguments": '{"x":'})
    env.close()
    assert env.trajectory is not None
    return env.trajectory


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory) -> Path:
    """A run of three experts' episodes and three random ones."""
    install_toy()
    folder = tmp_path_factory.mktemp("run")
    for policy in ("expert", "random"):
        chosen = Selection((ENV_ID,), (0, 1, 2), {"split": "train", "difficulty": "standard"})
        with RunWriter(folder / policy, describe_run(policy, chosen)) as writer:
            for one in run_jobs(jobs_of(chosen, policy)):
                writer.write(one)
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# --- what all formats share


def test_messages_keep_what_is_said_and_nothing_of_the_endpoint():
    message = {
        "role": "assistant",
        "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
        "reasoning": "why",
        "tool_calls": [call("1", "t", '{"k": [1, "2"]}')],
        "audio": None,
    }
    assert plain_message(message) == {
        "role": "assistant",
        "content": "ab",
        "reasoning_content": "why",
        "tool_calls": [{"id": "1", "type": "function", "function": {"name": "t", "arguments": '{"k": [1, "2"]}'}}],
    }


def test_calls_that_were_never_carried_out_are_left_out():
    user = {"role": "user", "content": "u"}
    two = {"role": "assistant", "content": "", "tool_calls": [call("a", "t", "{}"), call("a", "t", "{}")]}
    answer = {"role": "tool", "tool_call_id": "a", "content": "r"}
    one = plain_message(two | {"tool_calls": two["tool_calls"][:1]})
    text = plain_message(two | {"content": "Wait.", "tool_calls": []})
    for messages, kept in (
        ([user, two, answer, answer], [user, plain_message(two), answer, answer]),
        ([user, two, answer, two, answer], [user, one, answer, one, answer]),
        ([user, two], [user]),
        ([user, two | {"content": "Wait."}, two, answer], [user, text, one, answer]),
    ):
        assert answered_messages(messages) == kept


def test_an_export_that_fails_leaves_nothing_and_overwrites_nothing(tmp_path):
    def failing():
        yield recorded()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_writer("chat")(failing(), tmp_path / "deep" / "a.jsonl")
    assert list((tmp_path / "deep").iterdir()) == []
    (tmp_path / "kept").write_text("mine")
    with pytest.raises(FileExistsError, match="exists already"), whole(tmp_path / "kept"):
        pass
    assert (tmp_path / "kept").read_text() == "mine"


def test_what_is_missing_is_named_with_its_extra():
    with pytest.raises(MissingExtra, match=r"no_such_library .* pip install 'agentbench-env\[parquet\]'"):
        need("no_such_library", "parquet")
    with pytest.raises(WrongArgument, match="must be one of: chat, parquet, atif, minari"):
        load_writer("csv")


# --- the command


def test_the_command_filters_by_outcome_and_environment(run_folder, tmp_path):
    both = (run_folder / "expert", run_folder / "random")
    shown = data("export", *both, "--to", "chat", "-o", tmp_path / "all.jsonl")
    assert (shown["episodes"], shown["left_out"]) == (6, 0)
    assert run("export", *both, "--to", "chat", "--outcome", "success", "-o", tmp_path / "good.jsonl").stdout == (
        f"3 of 6 episodes written to {tmp_path / 'good.jsonl'}.\n"
    )
    assert {row["policy"] for row in lines(tmp_path / "good.jsonl")} == {"expert"}
    none = data("export", *both, "--to", "chat", "--env", "*-KR", "-o", tmp_path / "none.jsonl")
    assert (none["episodes"], (tmp_path / "none.jsonl").read_bytes()) == (0, b"")


def test_wrong_use_is_said(run_folder, tmp_path):
    expert = run_folder / "expert"
    for arguments, hint in (
        (("--to", "csv", "-o", tmp_path / "x"), "must be one of: chat"),
        (("--to", "chat", "--outcome", "succes", "-o", tmp_path / "x"), "Did you mean 'success'"),
        (("--to", "chat", "-o", tmp_path), "exists already"),
    ):
        assert hint in run("export", expert, *arguments, status=2).stderr
    shard = tmp_path / "episodes.jsonl"
    changed = (expert / "episodes-00000.jsonl").read_bytes().replace(b'"reward":1.0', b'"reward":0.0')
    shard.write_bytes(changed)
    result = run("export", shard, "--to", "chat", "-o", tmp_path / "x", status=2)
    assert "episodes.jsonl:1 was changed after it was recorded" in result.stderr
    assert not (tmp_path / "x").exists()


def test_memory_does_not_grow_with_the_run(tmp_path):
    one = recorded()
    write = load_writer("chat")

    def peak(number: int) -> int:
        tracemalloc.start()
        write((replace(one, seed=seed) for seed in range(number)), tmp_path / f"{number}.jsonl")
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(400) < 1.2 * peak(40)


# --- plain, hardened and test episodes


HARD = {"split": "test", "difficulty": "hard", "faults": 0.2, "injections": True}
PLAIN = {"split": "train", "difficulty": "standard", "faults": 0.0, "injections": False}


def test_every_format_tells_hardened_and_test_episodes_from_plain_ones(tmp_path, monkeypatch):
    episodes = [recorded(), recorded(**HARD)]

    def told(found: dict[str, Any]) -> dict[str, Any]:
        return {name: found[name] for name in PLAIN}

    load_writer("chat")(episodes, tmp_path / "sft.jsonl")
    assert [told(row) for row in lines(tmp_path / "sft.jsonl")] == [PLAIN, HARD]
    pq = pytest.importorskip("pyarrow.parquet", reason="needs agentbench-env[parquet]")
    load_writer("parquet")(episodes, tmp_path / "run.parquet")
    assert [told(row) for row in pq.read_table(tmp_path / "run.parquet").to_pylist()] == [PLAIN, HARD]
    pytest.importorskip("atif", reason="needs agentbench-env[atif]")
    minari = pytest.importorskip("minari", reason="needs agentbench-env[minari]")
    for name, one, expected in zip(("plain", "hard"), episodes, (PLAIN, HARD), strict=True):
        load_writer("atif")([one], tmp_path / "atif" / name)
        (file,) = (tmp_path / "atif" / name).rglob("*.json")
        assert told(json.loads(file.read_text(encoding="utf-8"))["extra"]) == expected
        load_writer("minari")([one], tmp_path / "minari" / name)
        monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari" / name))
        dataset = minari.load_dataset(f"{ENV_ID}/expert-v0")
        assert told(next(iter(dataset.storage.get_episode_metadata([0])))) == expected


# --- chat


def test_chat_rows_are_ready_for_fine_tuning(tmp_path):
    assert load_writer("chat")([recorded(), talked()], tmp_path / "sft.jsonl") == 2
    expert, model = lines(tmp_path / "sft.jsonl")
    assert [message["role"] for message in expert["messages"][:3]] == ["user", "assistant", "tool"]
    for row in (expert, model):
        names = {tool["function"]["name"] for tool in json.loads(row["tools"])}
        answered: set[str] = set()
        for message in row["messages"]:
            for made in message.get("tool_calls", ()):
                assert made["function"]["name"] in names
                assert isinstance(made["function"]["arguments"], str)
                answered.add(made["id"])
            if message["role"] == "tool":
                assert message["tool_call_id"] in answered
    assert [message["role"] for message in model["messages"]] == [
        *("system", "user", "assistant", "user", "assistant", "tool", "tool", "assistant", "tool")
    ]
    assert model["messages"][4]["reasoning_content"] == "Look first."
    assert (expert["outcome"], expert["reward"], model["outcome"]) == ("success", 1.0, "abandoned")


def test_datasets_reads_chat_lines_of_different_tasks(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed: pip install 'agentbench-env[test]'")
    episodes = [recorded(), talked()]
    load_writer("chat")(episodes, tmp_path / "sft.jsonl")
    read = datasets.load_dataset(
        "json", data_files=str(tmp_path / "sft.jsonl"), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert len(read) == 2
    for row, one in zip(read, episodes, strict=True):
        assert json.loads(row["tools"]) == list(one.tools)
        assert same_messages(row["messages"], one)


def same_messages(read: Any, one: Trajectory) -> bool:
    """Whether messages that were read are the episode's, apart from empty fields that a reader fills in."""
    kept = [{key: value for key, value in message.items() if value is not None} for message in read]
    return kept == [plain_message(message) for message in one.messages]


# --- Parquet


def test_parquet_is_read_by_pyarrow_and_datasets(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    pq = pytest.importorskip(
        "pyarrow.parquet", reason="pyarrow is not installed: pip install 'agentbench-env[parquet]'"
    )
    episodes = [recorded(), talked(), *(recorded(seed=seed) for seed in range(1, 70))]
    file = tmp_path / "run.parquet"
    assert load_writer("parquet")(iter(episodes), file) == len(episodes)
    assert pq.ParquetFile(file).num_row_groups == 2
    rows = pq.read_table(file).to_pylist()
    assert len(rows) == len(episodes)
    for row, one in zip(rows, episodes, strict=True):
        assert (row["env_id"], row["seed"], row["trial"], row["reward"]) == (*one.key, one.reward)
        assert same_messages(row["messages"], one)
        assert [json.loads(step["action"]) for step in row["steps"]] == [step.action for step in one.steps]
        assert json.loads(row["lineage"]) == list(one.lineage)
        assert row["cost"] == one.cost
    calls = [made for message in rows[1]["messages"] for made in message["tool_calls"] or ()]
    assert [made["function"]["arguments"] for made in calls] == ['{"item": "kettle"}', "{}", '{"x":']
    datasets = pytest.importorskip("datasets", reason="datasets is not installed: pip install 'agentbench-env[test]'")
    read = datasets.load_dataset("parquet", data_files=str(file), split="train", cache_dir=str(tmp_path / "cache"))
    assert same_messages(read[1]["messages"], episodes[1])


# --- ATIF


def test_atif_documents_are_valid_and_say_the_same(tmp_path):
    atif = pytest.importorskip("atif", reason="atif is not installed: pip install 'agentbench-env[atif]'")
    folder = tmp_path / "atif"
    assert load_writer("atif")([recorded(), replace(talked(), trial=1)], folder) == 2
    files = sorted(folder.rglob("*.json"))
    assert [str(file.relative_to(folder)) for file in files] == [
        "toy-shop-errand-SG/seed-0-trial-0.json",
        "toy-shop-errand-SG/seed-0-trial-1.json",
    ]
    expert, model = (atif.Trajectory.model_validate_json(file.read_bytes()) for file in files)
    assert expert.schema_version == "ATIF-v1.8"
    assert expert.final_metrics.extra["outcome"] == "success"
    agent = [step for step in expert.steps if step.source == "agent"]
    assert all(step.llm_call_count == 0 and step.metrics is None for step in agent)
    assert [step.tool_calls[0].function_name for step in agent][-1] == "task_finish"
    assert [step.observation.results[0].content for step in agent] == [step.content for step in recorded().steps]
    assert [step.source for step in model.steps] == ["system", "user", "agent", "agent", "agent"]
    text, pair, broken = model.steps[2:]
    assert (text.message, text.metrics.prompt_tokens, text.metrics.cost_usd) == ("Hello! 안녕", 100, 0.001)
    assert (pair.reasoning_content, pair.metrics.cost_usd) == ("Look first.", None)
    assert [result.source_call_id for result in pair.observation.results] == ["a", "b"]
    assert (broken.tool_calls[0].arguments, broken.tool_calls[0].extra) == ({}, {"arguments": '{"x":'})
    with pytest.raises(ExportFault, match="stands twice"):
        load_writer("atif")([recorded(), recorded()], tmp_path / "twice")


# --- Minari


def test_minari_loads_the_datasets_and_recovers_the_environment(tmp_path, monkeypatch):
    minari = pytest.importorskip("minari", reason="minari is not installed: pip install 'agentbench-env[minari]'")
    pytest.importorskip("h5py", reason="h5py is not installed: pip install 'agentbench-env[minari]'")
    pytest.importorskip("PIL", reason="pillow is not installed: pip install 'agentbench-env[minari]'")
    episodes = [recorded(seed=seed, difficulty="hard") for seed in range(70)]
    other = talked()
    assert load_writer("minari")(iter([*episodes, other]), tmp_path / "minari") == 71
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    assert set(minari.list_local_datasets()) == {f"{ENV_ID}/expert-v0", f"{ENV_ID}/chat_small-v0"}
    dataset = minari.load_dataset(f"{ENV_ID}/expert-v0")
    assert (dataset.total_episodes, dataset.total_steps) == (70, sum(len(one.steps) for one in episodes))
    for read, one in zip(dataset.iterate_episodes(), episodes, strict=True):
        assert read.observations["content"] == [one.brief, *(step.content for step in one.steps)]
        assert read.rewards.sum() == one.reward
        assert bool(read.terminations[-1]) is one.steps[-1].terminated
    metadata = list(dataset.storage.get_episode_metadata([0, 69]))
    assert [(each["seed"], each["outcome"], each["trial"]) for each in metadata] == [
        (0, "success", 0),
        (69, "success", 0),
    ]
    # The actions of a dataset, given to the environment that it recovers, repeat the episode.
    env = dataset.recover_environment()
    env.reset(seed=metadata[1]["seed"])
    for action in dataset[69].actions:
        *_, info = env.step(action)
    assert info["lineage_head"] == episodes[69].lineage_head
    model = minari.load_dataset(f"{ENV_ID}/chat_small-v0")
    assert json.loads(model[0].actions[0]) == "Hello! 안녕"


def test_minari_refuses_one_environment_with_different_arguments(tmp_path):
    pytest.importorskip("minari", reason="minari is not installed: pip install 'agentbench-env[minari]'")
    pytest.importorskip("h5py", reason="h5py is not installed: pip install 'agentbench-env[minari]'")
    with pytest.raises(ExportFault, match="one by one"):
        load_writer("minari")([recorded(), recorded(difficulty="easy")], tmp_path / "minari")


def test_every_format_has_a_writer():
    for name in FORMATS:
        assert callable(load_writer(name))
