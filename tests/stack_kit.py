"""What the tests of several training stacks share: environments, and turns as a model would write them."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from agentbench_env.adapters.toolset import domain_of, domain_tools, takes_text
from agentbench_env.rollout.engine import Job, run_job
from agentbench_env.sampling import Sample

SG, KR = "Agentbench/ta-two-leg-itinerary-SG", "Agentbench/ta-two-leg-itinerary-KR"
EXAMPLES = Path(__file__).parents[1] / "examples" / "stacks"
OPTIONS = {"split": "train", "difficulty": "easy"}
HARMLESS = {"tool": "wallet_list_cards", "arguments": {}}
SENSELESS = ({"tool": "nonsense", "arguments": {}}, {"tool": "carrier_get_service", "arguments": {"colour": 7}})
CALLS_ON_TEXT = ("I would book it.", "<tool_call>{no JSON</tool_call>", "<tool_call>[1]</tool_call>", "", "null")
"""Turns of a text stack that hold no call, or none that makes sense."""


def sample(env_id: str, seed: int, trial: int = 0) -> Sample:
    """One episode as `OPTIONS` have it."""
    return Sample(env_id, seed, "easy", "train", trial)


HARD_TEST = Sample(SG, 3, "hard", "test", 1)
"""A sample that differs from what stacks begin by default in everything but the environment."""


@cache
def expert_calls(env_id: str, seed: int) -> list[dict[str, Any]]:
    return [step.action for step in run_job(Job(env_id, seed, 0, OPTIONS, "expert")).steps]


def hasty_calls(env_id: str, seed: int) -> list[dict[str, Any]]:
    """Finish at once: the expert's last call, without anything that it rests on."""
    return expert_calls(env_id, seed)[-1:]


def turn(call: dict[str, Any]) -> str:
    """Write a call as a model does on a text stack."""
    written = {"name": call["tool"], "arguments": call["arguments"]}
    return f"<tool_call>\n{json.dumps(written)}\n</tool_call>"


def in_shared_form(env_id: str, call: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Write a call as a stack does whose tools are those of a domain."""
    by_text = takes_text(domain_tools(domain_of(env_id))[call["tool"]])
    return call["tool"], {"arguments": json.dumps(call["arguments"])} if by_text else call["arguments"]


def example(name: str, *arguments: object) -> str:
    """Run an example of a stack and return what it prints."""
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
