"""Every example runs as a program, with warnings as errors, and shows what it promises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
PROMISED = {
    "gym_loop.py": ("reward 0.0, outcome ", "broken clauses: final."),
    "mcp_client.py": (" tools, task_finish is one: True", "wallet_list_cards ok", "papers_get error"),
    "offline.py": ("data                    episodes  success  violation", "\nnoisy, reward 1 only "),
    "own_policy.py": ("seed 0: failure, 4 steps, ", "seed 2: failure, 4 steps, "),
    "own_user.py": (
        "  booking_hold of a Quote: yes. ",
        "  booking_hold of a Quote: no. One is enough, thank you.",
        "outcome violation, broken boundary.nothing_else_touched",
    ),
    "read_verdict.py": ("The chain of hashes holds: True", "  object_id: step ", "outcome: success"),
    "record_and_verify.py": (
        "written: episodes-00000.jsonl, run.json",
        "episodes-00000.jsonl:3: sound",
        "forged.jsonl:1: not what it says",
        "    elapsed_s: recorded 1",
    ),
    "trainer_rollout.py": ("reward 0.0, 41 messages, 20 calls",),
    "two_agents.py": (
        "careful   rule-based         100%         0%         0%",
        "eager     careless            45%         0%        55%",
        "gullible  hostile             45%         0%        55%",
    ),
    "vector_envs.py": ("async  no_such_tool       errors [1 1 1]", "both show the same: True"),
    "watch_episode.py": ("  booking_quote  ", "\nsuccess\n", "  held    boundary."),
}


def play(name, *arguments):
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_example(name):
    done = play(name)
    assert done.returncode == 0, done.stderr
    for text in PROMISED[name]:
        assert text in done.stdout, done.stdout


def test_watching_another_policy_in_the_users_language():
    arguments = ("Agentbench/ta-two-leg-itinerary-KR", "--policy", "shortcut:finish_at_once", "--language", "local")
    done = play("watch_episode.py", *arguments)
    assert done.returncode == 0, done.stderr
    assert "\nfailure\n" in done.stdout
    assert "BROKEN  final." in done.stdout
