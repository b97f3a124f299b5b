"""The PettingZoo environment in tests: made, its user played, what its agents see."""

from __future__ import annotations

import json
from typing import Any

import pettingzoo
from showcase import TASK_ID

import agentbench_env as ab
from agentbench_env.adapters.pettingzoo import ASSISTANT, USER, AgentbenchAEC
from agentbench_env.user import RuleUser

ASK = {"tool": "user_ask", "arguments": {"topic": "bag", "question": "How heavy is it?"}}
MAIL = {"to": ["desk@example.com"], "subject": "Seats", "body": "Please keep two seats."}


class Absent(RuleUser):
    """Never answers."""

    def decide(self, proposal, script):
        return ab.Decision(False, answered=False)

    def reply(self, topic, question, script):
        return ""


def pz(market: str = "SG", seed: int | None = None, task: str = TASK_ID, **kwargs: Any) -> AgentbenchAEC:
    env = pettingzoo.make("aec", f"Agentbench/{task}-{market}", **kwargs)
    assert isinstance(env, AgentbenchAEC)
    if seed is not None:
        env.reset(seed=seed)
    return env


def act(name: str, **arguments: str) -> dict[str, Any]:
    return {"tool": name, "arguments": arguments}


def seen(env: AgentbenchAEC, agent: str) -> Any:
    return json.loads(env.observe(agent)["content"])


def propose(env: AgentbenchAEC) -> str:
    """Let the assistant draft a mail and ask for leave to send it; return the id of the draft."""
    env.step({"tool": "mail_create_draft", "arguments": MAIL})
    draft = seen(env, ASSISTANT)["draft_id"]
    arguments = {"tool": "mail_send_draft", "arguments": {"draft_id": draft}, "summary": "Send the mail."}
    env.step({"tool": "user_request_approval", "arguments": arguments})
    assert env.agent_selection == USER
    return draft


def decisions(lineage: ab.Lineage) -> list[str]:
    found = (json.loads(lineage.content(e.index)) for e in lineage if e.tool == "user_request_approval" and e.ok)
    return [answer["decision"] for answer in found]
