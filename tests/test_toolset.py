"""The tools of a whole domain, as TRL and verl call them."""

from __future__ import annotations

import json

from agentbench_env.adapters.session import FAULT, EpisodeSession
from agentbench_env.adapters.toolset import call_shared
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import EnvironmentFault


def test_a_fault_of_the_suite_tells_the_model_nothing(monkeypatch, caplog):
    session = EpisodeSession("ta-two-leg-itinerary-SG")

    def failing(*_):
        raise EnvironmentFault("secret_goal")

    monkeypatch.setattr(AgentbenchEnv, "step", failing)
    assert call_shared(session, "wallet_list_cards", {}) == FAULT
    assert (session.done, session.reward, session.outcome) == (True, None, "infrastructure")
    assert "secret_goal" in caplog.text


def test_arguments_that_are_no_object_are_answered_by_an_error():
    session = EpisodeSession("ta-two-leg-itinerary-SG")
    for arguments in (7, ["a"], [["a", 1]], "{cut"):
        for name in ("wallet_get_rates", "task_finish"):
            assert json.loads(call_shared(session, name, arguments))["error"].startswith("invalid_a"), arguments
    assert (session.done, session.steps) == (False, 8)
