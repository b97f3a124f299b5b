from __future__ import annotations

import json

import pytest
from commandline import data, run
from pydantic import Field
from recording import recorded
from toy import ENV_ID, TASK_ID, install_toy

from agentbench_env.cli.output import WrongUse
from agentbench_env.cli.play import read_arguments
from agentbench_env.registry import RELEASE
from agentbench_env.tool import Tool


@pytest.fixture(autouse=True)
def _toy():
    install_toy()


class Shelf(Tool):
    """A tool with arguments of several types."""

    text: str = Field(default="", description="A text.")
    count: int = Field(default=0, description="A number.")
    on: bool = Field(default=False, description="A switch.")
    ids: list[str] = Field(default=[], description="Some ids.")


@pytest.mark.parametrize(
    ("typed", "arguments"),
    [
        ("", {}),
        ('{"count": 2}', {"count": 2}),
        ("text=17 count=17 on=true", {"text": "17", "count": 17, "on": True}),
        ("""text='two words' ids='["a", "b"]'""", {"text": "two words", "ids": ["a", "b"]}),
        ("count=many other=x=y", {"count": "many", "other": "x=y"}),
    ],
)
def test_arguments_as_a_person_types_them(typed, arguments):
    assert read_arguments(Shelf, typed) == arguments


@pytest.mark.parametrize("typed", ["{count", "count", "text='open"])
def test_arguments_that_cannot_be_read(typed):
    with pytest.raises(WrongUse):
        read_arguments(Shelf, typed)


def test_a_person_plays_in_the_terminal():
    typed = "\n".join(
        [
            "tools",
            "help",
            "help shop_save_draft",
            "help nothing",
            "nothing",
            "shop_list_offers item=kettle",
            "shop_save_draft offer_id=x count=1",
            "shop_get_rules {broken",
            "brief",
            'task_finish {"outcome": "ordered", "offer_id": "x", "total": {}}',
            "shop_get_rules",
        ]
    )
    text = run("play", ENV_ID, "--seed", 0, input=typed).stdout
    assert text.count("request: Please order the cheapest") == 2
    assert "  count (integer; required): How many." in text
    assert text.count("There is no tool 'nothing'") == 2
    assert '"offer_id": "ofr_' in text
    assert "shop_save_draft (error)" in text
    assert "these arguments are not JSON" in text
    assert "The episode has ended: reward 0" in text
    assert "BROKEN final.offer_is_cheapest" in text
    assert "[4]" not in text


def test_quitting_ends_the_game_without_a_verdict():
    for typed in ("quit\n", ""):
        assert "reward" not in run("play", ENV_ID, input=typed).stdout


def test_any_program_plays_one_call_at_a_time(tmp_path):
    episode = recorded()
    log = tmp_path / "ep.jsonl"
    first = data("play", ENV_ID, "--seed", 0, "--log", log)
    assert first["brief"]["request"].startswith("Please order")
    assert "task_finish" in [tool["tool"] for tool in first["tools"]]
    for step in episode.steps:
        said = data("play", "--log", log, "--do", json.dumps(step.action))
        assert said["observation"]["content"] == step.content
        assert said["info"]["lineage_head"] == step.lineage_head
        assert (said["info"]["verdict"] is not None) == said["terminated"] == step.terminated
    assert said["reward"] == 1.0
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines[0].keys() == {"format", "release", "env_id", "seed", "kwargs", "instance_digest"}
    assert [line.keys() for line in lines[1:]] == [{"action"}] * len(episode.steps)
    assert "outcome: success" in run("play", "--log", log).stdout
    assert "has ended" in run("play", "--log", log, "--do", "{}", status=2).stderr
    assert len(log.read_text().splitlines()) == len(lines)


def test_a_log_of_another_instance_is_refused(tmp_path):
    log = tmp_path / "ep.jsonl"
    run("play", ENV_ID, "--seed", 0, "--log", log)
    header = json.loads(log.read_text())
    log.write_text(json.dumps({**header, "instance_digest": "0" * 64}) + "\n")
    assert "another instance" in run("play", "--log", log, status=2).stderr


def test_the_first_call_may_begin_the_log(tmp_path):
    log = tmp_path / "ep.jsonl"
    text = run("play", ENV_ID, "--log", log, "--do", "this is no call\u2028", "--with", "injections=true").stdout
    assert "invalid_action" in text
    assert "outcome" not in text
    assert data("play", "--log", log)["observation"]["step"] == 1
    assert json.loads(log.read_text().split("\n")[0])["kwargs"]["injections"] is True


def test_play_says_what_is_missing(tmp_path):
    assert "--do needs --log" in run("play", ENV_ID, "--do", "{}", status=2).stderr
    assert "say which environment" in run("play", "--log", tmp_path / "none", status=2).stderr
    assert "say which environment" in run("play", status=2).stderr
    assert "goes with --log" in run("play", ENV_ID, "--json", status=2).stderr
    log = tmp_path / "ep.jsonl"
    run("play", ENV_ID, "--log", log)
    assert "not of Agentbench/toy-shop-errand-KR" in run("play", f"{TASK_ID}-KR", "--log", log, status=2).stderr
    log.write_text(log.read_text().replace(RELEASE, "1999.1"))
    assert "whose instances differ" in run("play", "--log", log, status=2).stderr
    log.write_text("something else\n")
    assert "no log of `agentbench play`" in run("play", "--log", log, status=2).stderr
