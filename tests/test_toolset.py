"""The tools of a whole domain, as TRL and verl call them."""

from __future__ import annotations

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
