from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
from commandline import data, run
from toy import ENV_ID, TASK_ID, install_toy, installed

from agentbench_env.cli.output import WrongUse
from agentbench_env.cli.selection import parse_seeds, parse_settings, select
from agentbench_env.errors import TaskNotBuilt, WrongArgument
from agentbench_env.registry import RELEASE, contracts, is_built

COMMANDS = ("list", "show", "play", "rollout", "calibrate", "verify", "replay", "export", "validate", "new")
UNBUILT = next(one for one in reversed(contracts().values()) if not is_built(one))
"""Whichever contract is built last."""


@pytest.fixture(autouse=True)
def _toy():
    install_toy()


@pytest.fixture
def recorded(tmp_path):
    run("rollout", TASK_ID, "--market", "SG", "--seeds", "0:3", "-o", tmp_path / "run")
    return tmp_path / "run"


# --- all commands


def test_the_version_is_the_release():
    assert run("--version").stdout.strip() == RELEASE


def test_the_command_works_as_a_program():
    code = "from agentbench_env.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "show", "ta-tow-leg-itinerary"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "Did you mean 'ta-two-leg-itinerary'?" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command):
    if command == "new":
        texts = [run("new", kind, "--help").stdout for kind in ("task", "domain", "market")]
    else:
        texts = [run(command, "--help").stdout]
    for text in texts:
        assert f"Example: agentbench {command}" in text
        assert "--json" in text
        assert "--plain" in text


@pytest.mark.parametrize("arguments", [(), ("lst",), ("list", "--jsn"), ("list", "--json", "--plain")])
def test_wrong_usage_has_status_2(arguments):
    run(*arguments, status=2)


# --- list and show


def test_list_counts_what_is_built():
    shown = data("list")
    assert shown["counts"]["suite"]["contracts"] == 100
    assert shown["counts"]["suite"]["environments"] == 600
    built = data("list", "--built")["contracts"]
    assert all(one["built"] for one in built)
    ours = [one for one in built if one["id"] in contracts()]
    assert len(ours) == shown["counts"]["suite"]["contracts_built"]
    assert sum(len(one["env_ids"]) for one in ours) == shown["counts"]["suite"]["environments_built"]


def test_list_narrows_by_domain_and_market():
    shown = data("list", "--domain", "shopping", "--market", "SG,KR")["contracts"]
    assert len(shown) == 10
    assert shown[0]["env_ids"] == ["Agentbench/sd-constrained-basket-KR", "Agentbench/sd-constrained-basket-SG"]
    assert data("list", "--domain", "sd", "--market", "SG", "--market", "KR")["contracts"] == shown
    text = run("list", "--domain", "sd").stdout
    assert "02.01   sd-constrained-basket" in text
    assert "10 listed." in text
    assert "of 600 environments." in text


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("list", "--domain", "shoping"), "Did you mean 'shopping'?"),
        (("list", "--market", "SGP"), "Did you mean 'SG'?"),
        (("list", "sd-constraned-basket"), "Did you mean 'sd-constrained-basket'?"),
        (("list", "xx-*"), "no id matches 'xx-*'"),
        (("show", "toy-shop-erand"), "Did you mean 'toy-shop-errand'?"),
        (("play", "toy-shop-errand-GS"), "Did you mean 'toy-shop-errand-SG'?"),
        (("rollout", TASK_ID, "--policy", "expret"), "Did you mean 'expert'?"),
        (("rollout", TASK_ID, "--policy", "python:nowhere:at_all"), "No module named 'nowhere'"),
        (("rollout", TASK_ID, "--difficulty", "hrad"), "Did you mean 'hard'?"),
        (("rollout", TASK_ID, "--split", "tset"), "Did you mean 'test'?"),
        (("rollout", TASK_ID, "--seeds", "a"), "it must be like 0:50 or 1,2,5"),
        (("rollout", TASK_ID, "--with", "fault=1"), "Did you mean 'faults'?"),
        (("rollout", TASK_ID, "--with", "faults=7"), "a share from 0 to 1"),
        (("rollout", TASK_ID, "--split", "private"), "needs --salt-file"),
        (("rollout",), "say which environments"),
        (("rollout", UNBUILT.id), "its task is not built"),
        (("rollout", f"{UNBUILT.id}-*"), "nothing that was selected is built"),
        (("validate", TASK_ID, "--proof", "experts"), "Did you mean 'expert'?"),
        (("validate", UNBUILT.id), "its task is not built"),
        (("verify", "nowhere"), "does not exist"),
        (("new", "task", "ta-two-leg-itinery"), "Did you mean 'ta-two-leg-itinerary'?"),
        (("new", "domain", "shoping"), "Did you mean 'shopping'?"),
        (("new", "market", "SG"), "has the market SG already"),
    ],
)
def test_errors_name_what_would_be_right(arguments, hint):
    result = run(*arguments, status=2)
    assert hint in result.stderr
    assert result.stdout == ""


def test_show_says_what_the_contract_is():
    shown = data("show", TASK_ID, "--full")
    assert shown["title"].startswith("The cheapest offer of an item")
    assert shown["accuracy"]["final"][0]["id"] == "final.outcome_fits"
    assert shown["accuracy"]["boundary"][0]["id"] == "boundary.orders_as_approved"
    point = {"needs_leave": ["shop_send_order"], "never": ["shop_close_account"], "only_as": []}
    assert shown["approval_point"] == point
    assert len(shown["sample_request"]) > 20
    assert {tool["name"]: tool["effect"] for tool in shown["tools"]}["shop_send_order"] == "commit"
    assert shown["topics"] == {"budget": "how much may be spent"}
    assert shown["reference"] == {"KR": None, "SG": None}
    assert shown["scripts"]["counterexamples"]["does_not_ask"] == ["boundary.orders_as_approved"]
    text = run("show", ENV_ID, "--full").stdout
    for part in (
        "600 s",
        "final.one_draft: What was",
        "only with the user's",
        "  does_not_ask: boundary",
        "Evidence",
        "none registered",
    ):
        assert part.lower() in text.lower()
    assert "does_not_ask" not in run("show", TASK_ID).stdout


def test_show_knows_what_never_changes_of_an_unbuilt_contract():
    assert "Not built in this release" in run("show", UNBUILT.id).stdout
    shown = data("show", UNBUILT.id)
    assert (shown["number"], shown["built"], shown["timeout_s"]) == (UNBUILT.number, False, UNBUILT.timeout_s)


# --- what is selected


def test_ids_globs_and_filters_select_built_environments():
    both = [f"Agentbench/{TASK_ID}-KR", ENV_ID]
    assert select([TASK_ID], None, None) == both
    assert select(["toy-*"], None, ["SG"]) == [ENV_ID]
    assert select([ENV_ID], None, None) == [ENV_ID]
    assert select([f"{TASK_ID}-??"], ["toy"], None) == both
    with pytest.raises(TaskNotBuilt):
        select([f"{UNBUILT.id}-SG", TASK_ID], None, None)
    with pytest.raises(WrongArgument):
        select(["toy-shop-errand-JP"], None, None)


@pytest.mark.parametrize(
    ("text", "seeds"),
    [("0:3", (0, 1, 2)), ("1,2,5", (1, 2, 5)), ("0:2,7", (0, 1, 7)), ("4", (4,)), ("1,0:3", (1, 0, 2))],
)
def test_seeds(text, seeds):
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize("text", ["", "a", "3:1", "1:", "-1", "0:9999999", "1,,2"])
def test_seeds_that_are_none(text):
    with pytest.raises(WrongUse):
        parse_seeds(text)


def test_settings_are_json_or_text():
    assert parse_settings("dev", "hard", ["faults=0.1", "injections=true", "prompt_language=local"]) == {
        "split": "dev",
        "difficulty": "hard",
        "faults": 0.1,
        "injections": True,
        "prompt_language": "local",
    }
    assert parse_settings("train", "easy", None, 0.2, True) == {
        "split": "train",
        "difficulty": "easy",
        "faults": 0.2,
        "injections": True,
    }
    with pytest.raises(WrongUse, match="faults is given twice"):
        parse_settings("dev", "hard", ["faults=0.1"], 0.2)
    for hidden in ("salt=x", "task=x", "faults"):
        with pytest.raises((WrongArgument, WrongUse)):
            parse_settings("dev", "hard", [hidden])


# --- rollout, verify, replay, calibrate


def test_rollout_reports_by_task_and_market():
    shown = data("rollout", TASK_ID, "--seeds", "0:4", "--workers", 2)
    assert [(row["market"], row["success"], row["rate"]) for row in shown["results"]] == [
        ("KR", 4, 1.0),
        ("SG", 4, 1.0),
    ]
    assert (shown["total"]["episodes"], shown["total"]["success"]) == (8, 8)
    assert shown["total"]["low"] == pytest.approx(0.6756, abs=1e-4)
    text = run("rollout", TASK_ID, "--seeds", "0:4", "--policy", "shortcut:first").stdout
    assert "0/4" in text
    assert "0.0 to 49.0" in text
    assert text.splitlines()[3].startswith("all")


def test_a_dry_run_runs_nothing(tmp_path):
    assert "10 episodes would be run" in run("rollout", ENV_ID, "--dry-run", "-o", tmp_path / "run").stdout
    assert data("rollout", ENV_ID, "--dry-run", "--seeds", "1,2")["episodes"] == 2
    assert not (tmp_path / "run").exists()


def test_rollout_keeps_an_existing_run(recorded):
    assert "already holds a run" in run("rollout", ENV_ID, "-o", recorded, status=2).stderr


class Fails:
    name = "fails"

    def run(self, env, observation):
        raise ConnectionError("the model does not answer")


def test_infrastructure_outcomes_fail_the_command_and_are_not_scored(tmp_path):
    result = run(
        "rollout", ENV_ID, "--policy", "python:test_cli:Fails", "--seeds", "0:2", "-o", tmp_path / "run", status=1
    )
    assert "seed 1: outside the score, the policy's code failed: ConnectionError" in result.stderr
    assert "0/0" in result.stdout
    assert "(2 outside the score: infrastructure)" in run("verify", tmp_path / "run").stdout


def test_verify_passes_what_is_true_and_names_what_is_not(recorded):
    assert run("verify", recorded, "--workers", 2).stdout == "3 of 3 episodes are what they say they are.\n"
    shard = recorded / "episodes-00000.jsonl"
    lines = shard.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"reward":1.0', b'"reward":0.0', 1)
    shard.write_bytes(b"".join(lines))
    result = run("verify", recorded, status=1)
    assert f"episodes-00000.jsonl:2 {ENV_ID} seed 1: reward: recorded 0.0, found 1.0" in result.stdout
    (shown,) = data("verify", shard, status=1)["runs"]
    assert (shown["episodes"], shown["sound"]) == (3, 2)
    assert {one["field"] for one in shown["differences"]} == {"digest", "reward"}
    shard.write_bytes(lines[0] + lines[2])
    assert "seed 1: episodes: recorded 1, found 0" in run("verify", recorded, status=1).stdout


def test_replay_shows_an_episode_step_by_step(recorded):
    text = run("replay", recorded, "--episode", 1).stdout
    assert f"{ENV_ID} seed 1" in text
    assert "outcome success, reward 1" in text
    assert text.endswith("Re-execution gives the same, step by step.\n")
    assert data("replay", recorded)["differences"] == []
    assert "counted from 0" in run("replay", recorded, "--episode", 3, status=2).stderr
    shard = recorded / "episodes-00000.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"kettle", b"mettle"))
    assert "step 0: content" in run("replay", recorded, status=1).stdout


def test_calibrate_registers_medians_by_task_and_market(recorded, tmp_path):
    file = tmp_path / "medians.toml"
    shown = data("calibrate", recorded, "--file", file)
    entry = shown["registered"][TASK_ID]["SG"]
    assert (entry["n"], entry["episodes"], entry["policy"], entry["release"]) == (3, 3, "expert", RELEASE)
    assert "SG" in run("calibrate", recorded, "--file", file).stdout
    assert data("show", TASK_ID, "--reference", file)["reference"]["SG"] == entry
    assert f"SG {entry['time_s']:.1f} s (n = 3); none for KR" in run("show", TASK_ID, "--reference", file).stdout
    rolled = data("rollout", ENV_ID, "--seeds", "0:3", "--reference", file)["results"][0]
    assert rolled["normalized_time"] == 1.0


def test_calibrate_refuses_what_is_no_pilot(recorded, tmp_path):
    file = tmp_path / "medians.toml"
    run("rollout", ENV_ID, "--policy", "shortcut:first", "--seeds", "0:2", "-o", tmp_path / "bad")
    assert "no successful episode" in run("calibrate", tmp_path / "bad", "--file", file, status=2).stderr
    assert "mixes policy" in run("calibrate", tmp_path / "bad", recorded, "--file", file, status=2).stderr
    shard = recorded / "episodes-00000.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b'"elapsed_s":0.5', b'"elapsed_s":0.4', 1))
    assert "was changed after it was recorded" in run("calibrate", recorded, "--file", file, status=2).stderr
    assert not file.exists()


# --- validate


def test_validate_proves_the_toy():
    few = ("--market", "SG", "--difficulty", "easy", "--seeds", "0:2", "--proof", "expert", "--proof", "metadata")
    assert "All that was proved holds." in run("validate", TASK_ID, *few).stdout
    assert data("validate", ENV_ID, *few)["ok"]
    assert "expert" in data("validate", "--list-proofs")


# --- new


def test_a_new_task_can_be_imported_and_fails_until_it_is_filled_in(tmp_path, monkeypatch):
    written = data("new", "task", "toy-unfinished-errand", "--to", tmp_path)
    assert written["written"] == [str(tmp_path / "unfinished_errand.py")]
    monkeypatch.syspath_prepend(tmp_path)
    task = import_module("unfinished_errand").UnfinishedErrand
    with installed({"toy-unfinished-errand": task}):
        arguments = ("validate", "toy-unfinished-errand", "--seeds", "0:1", "--difficulty", "easy")
        result = run(*arguments, "--proof", "expert", status=1)
    assert "unfinished_errand.py is not filled in yet: case()" in result.stdout
    assert "agentbench validate toy-unfinished-errand --market KR --difficulty easy" in result.stdout
    assert "exists already" in run("new", "task", "toy-unfinished-errand", "--to", tmp_path, status=2).stderr


def test_new_files_go_to_their_place_in_the_source_tree(tmp_path):
    assert "no source tree" in run("new", "task", "sd-constrained-basket", "--root", tmp_path, status=2).stderr
    (tmp_path / "envs/agentbench_tasks").mkdir(parents=True)
    (tmp_path / "fixtures/agentbench_markets").mkdir(parents=True)
    run("new", "domain", "shopping", "--root", tmp_path)
    run("new", "task", "sd-constrained-basket", "--root", tmp_path)
    run("new", "market", "VN", "--root", tmp_path)
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*") if path.is_file())
    assert files == [
        "envs/agentbench_tasks/shopping/__init__.py",
        "envs/agentbench_tasks/shopping/constrained_basket.py",
        "envs/agentbench_tasks/shopping/domain/__init__.py",
        "envs/agentbench_tasks/shopping/domain/generate.py",
        "envs/agentbench_tasks/shopping/domain/moves.py",
        "envs/agentbench_tasks/shopping/domain/tools.py",
        "envs/agentbench_tasks/shopping/domain/world.py",
        "fixtures/agentbench_markets/vn/calendars.toml",
        "fixtures/agentbench_markets/vn/holidays.toml",
        "fixtures/agentbench_markets/vn/market.toml",
    ]
    for file in files:
        text = (tmp_path / file).read_text()
        assert "$" not in text
        if file.endswith(".py"):
            compile(text, file, "exec")
    assert "class ConstrainedBasket(ab.Task[Case])" in (tmp_path / files[1]).read_text()
    assert "lower-case words" in run("new", "task", "Not An Id", status=2).stderr
    assert "two capital letters" in run("new", "market", "vn", status=2).stderr
