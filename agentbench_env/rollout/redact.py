"""Redaction: a record without what a policy was told and what it thought, which is verified as any other.

Re-execution needs the actions; what was said around them is the policy's own. A redacted record has its own digest, and
names the digest of the whole one, so that whoever holds that can show that the two belong together.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from agentbench_env.fresh import whole
from agentbench_env.policies.chat_options import public_spec
from agentbench_env.rollout import RunWriter
from agentbench_env.rollout.episodes import read_episodes
from agentbench_env.rollout.store import read_run
from agentbench_env.rollout.trajectory import Redacted, Trajectory
from agentbench_env.world import canonical

MARK = "[redacted]"
"""What stands where a text was."""
_OWN_FILE = re.compile(r"[/\\.~]|[A-Za-z]:[/\\]")


def redact(one: Trajectory) -> Trajectory:
    """Return a record without the private parts of its policy, sealed anew; a redacted one comes back as it is.

    Removed are the texts of system messages, what the assistant said beside its calls (reasoning and content), whatever
    else its messages held, the message of a failure of the policy or its endpoint, why the policy stopped, and what
    `public_policy` leaves out. A text that was itself the action stays, as do calls, results and usage.
    """
    messages, removed = _without_private_parts(one)
    failure = one.failure
    if failure is not None and failure.whose != "environment" and failure.message != MARK:
        failure = msgspec.structs.replace(failure, message=MARK)
        removed.add("failure")
    stopped = MARK if one.stopped else ""
    if stopped != one.stopped:
        removed.add("stopped")
    policy = public_policy(one.policy)
    if policy != one.policy:
        removed.add("policy")
    if one.redacted is not None and not removed:
        return one
    note = Redacted(one.digest, tuple(sorted(removed)))
    kept = {"messages": messages, "failure": failure, "stopped": stopped, "policy": policy}
    return msgspec.structs.replace(one, **kept, redacted=note).sealed()


def public_policy(policy: str) -> str:
    """Return a policy's name without addresses, files, folders and modules of whoever ran it.

    Of `chat:MODEL?...` the model stays and how it was sampled, of `replay:FILE` the file's name, of
    `python:MODULE:ATTRIBUTE` the attribute.
    """
    kind, colon, rest = policy.partition(":")
    if kind == "chat":
        kind, colon, rest = public_spec(policy).partition(":")
        model, mark, options = rest.partition("?")
        # A model's name may have a slash; a model's file begins with one.
        return f"{kind}{colon}{_file_name(model) if _OWN_FILE.match(model) else model}{mark}{options}"
    if kind == "python":
        return f"{kind}{colon}{rest.rpartition(':')[2]}"
    return f"{kind}{colon}{_file_name(rest)}" if kind == "replay" else policy


def write_redacted(directory: Path, output: Path) -> int:
    """Write a run anew with its records redacted; return how many.

    Raises:
        FileExistsError: `output` exists.
        StoreFault: the directory holds no run, or a record that was changed or cannot be read.
    """
    number = 0
    run = read_run(directory)
    run = msgspec.structs.replace(run, policy=public_policy(run.policy))
    with whole(output) as part, RunWriter(part, run) as writer:
        for one in read_episodes(directory):
            writer.write(redact(one))
            number += 1
    return number


def _file_name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _without_private_parts(one: Trajectory) -> tuple[tuple[dict[str, Any], ...], set[str]]:
    messages: list[dict[str, Any]] = []
    removed: set[str] = set()
    answers = -1  # The first message of the user is the brief; every other answer is a step's.
    for message in one.messages:
        if message["role"] in ("user", "tool"):
            answers += 1
            kept = message
        elif message["role"] == "system":
            kept = {"role": "system", "content": MARK}
        elif message.get("tool_calls"):
            kept = {"role": "assistant", "content": None, "tool_calls": [_call(call) for call in message["tool_calls"]]}
        else:
            text, acted = message.get("content"), one.steps[answers : answers + 1]
            is_action = any(text in (step.action, canonical(step.action).decode()) for step in acted)
            kept = {"role": "assistant", "content": text if is_action else MARK}
        messages.append(kept)
        removed |= {_called(message, key) for key in message if message[key] != kept.get(key)}
    return tuple(messages), removed


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = {key: call["function"][key] for key in ("name", "arguments")}
    return {"id": call["id"], "type": "function", "function": function}


def _called(message: dict[str, Any], key: str) -> str:
    """What a removed part of a message is called in the record."""
    return "system" if message["role"] == "system" else f"assistant.{key}"
