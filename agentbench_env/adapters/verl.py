"""A domain's tools for verl's agent loop: their class, the configuration that names it, rows of data and the reward.

verl makes one object of each tool for all rollouts, and calls its `create`, `execute` and `release` for every call. So
an episode belongs to the rollout (`agent_data`); what the rollout hands on (`extra_fields`) is its reward alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from logging import getLogger
from typing import Any
from weakref import WeakKeyDictionary

from agentbench_env.adapters.client_options import asked_episode, sample_columns
from agentbench_env.adapters.session import FAULT, EpisodeSession
from agentbench_env.adapters.toolset import call_shared, domain_of, domain_tools, task_brief
from agentbench_env.extras import need
from agentbench_env.sampling import Sample

_schemas = need("verl.tools.schemas", "verl")
SOURCE = "agentbench"
REWARD = "agentbench_reward"
"""The key of a rollout's extra fields that holds its reward so far."""
_log = getLogger(__name__)
_EPISODES: WeakKeyDictionary[Any, EpisodeSession | None] = WeakKeyDictionary()
"""The rollouts' episodes; None for one that could not begin, which none of the rollout's later calls tries again."""


class AgentbenchTool:
    """One tool of all rollouts, as verl makes it from `tool_config`.

    Args:
        config: the tool's own configuration; nothing in it is used.
        tool_schema: its schema, as verl read it.
    """

    def __init__(self, config: Mapping[str, Any], tool_schema: Any) -> None:
        self.config, self.tool_schema = config, tool_schema
        self.name: str = tool_schema.function.name

    async def create(self, instance_id: str | None = None, **kwargs: Any) -> tuple[str, Any]:
        """Return the row's task, as JSON text, for the name of this call's instance."""
        return instance_id or kwargs["create_kwargs"]["episode"], _schemas.ToolResponse()

    async def execute(self, instance_id: str, parameters: Any, **kwargs: Any) -> tuple[Any, float, Any]:
        """Carry out the call in the rollout's episode, which its first call begins.

        Returns:
            The result, the call's reward (1.0 where it ends an episode well), and no metrics.
        """
        rollout = kwargs["agent_data"]
        if rollout not in _EPISODES:
            _EPISODES[rollout] = _begun(instance_id)
        session = _EPISODES[rollout]
        if session is None:
            return _schemas.ToolResponse(text=FAULT), 0.0, {}
        before = session.reward or 0.0
        result = call_shared(session, self.name, parameters)
        rollout.extra_fields[REWARD] = session.reward or 0.0
        return _schemas.ToolResponse(text=result), rollout.extra_fields[REWARD] - before, {}

    async def release(self, instance_id: str, **kwargs: Any) -> None:
        """Do nothing: the episode goes on until the rollout is gone."""


def _begun(task: str) -> EpisodeSession | None:
    try:
        return EpisodeSession(**asked_episode(json.loads(task)))
    except Exception:
        # Raised, it would reach the model, which verl shows the text of every error.
        _log.exception("no episode can begin: %s", task)
        return None


def tool_config(domain: str) -> str:
    """Return verl's tool configuration of a domain, for `actor_rollout_ref.rollout.multi_turn.tool_config_path`.

    Args:
        domain: the prefix of its contracts' ids, e.g. `ta`.

    Returns:
        JSON, which is YAML as well.

    Raises:
        WrongArgument: no contract of such a domain is built.
    """
    name = f"{AgentbenchTool.__module__}.{AgentbenchTool.__qualname__}"
    tools = [
        {"class_name": name, "config": {"type": "native"}, "tool_schema": {"type": "function", "function": function}}
        for function in domain_tools(domain).values()
    ]
    return json.dumps({"tools": tools}, ensure_ascii=False, indent=2)


def rows(samples: Iterable[Sample], **options: Any) -> list[dict[str, Any]]:
    """Return rows of data: one for each sample, with its brief and its own tools.

    Args:
        samples: what to play, of one domain, e.g. `islice(TaskSampler(domains=["ta"]), 1000)`. The trainer repeats each
            row `rollout.n` times, so the sampler's groups are of one.
        **options: further arguments of the environments, of those in `CLIENT_OPTIONS`.

    Raises:
        WrongArgument: an id, option or value that does not exist.
        TaskNotBuilt: a contract's task does not exist in this release.
        ValueError: a seed or value that is out of range.
    """
    return [_row(sample_columns(sample, options)) for sample in samples]


def _row(columns: dict[str, Any]) -> dict[str, Any]:
    with EpisodeSession(**asked_episode(columns)) as session:
        own = {tool["function"]["name"] for tool in session.tools}
        names = [name for name in domain_tools(domain_of(session.env_id)) if name in own]
        # As JSON text, since a column of Parquet has the same fields in every row.
        task = {"create_kwargs": {"episode": json.dumps(columns)}}
        return {
            "data_source": SOURCE,
            "agent_name": "tool_agent",
            "prompt": [{"role": "user", "content": task_brief(session)}],
            "reward_model": {"style": "rule", "ground_truth": ""},
            "extra_info": {
                "need_tools_kwargs": True,
                "tools_kwargs": dict.fromkeys(names, task),
                "tool_selection": names,
            },
        }


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Mapping[str, Any], **_: Any
) -> float:
    """Return a rollout's reward, for `custom_reward_function`: 1.0 or 0.0; 0.0 where its episode did not end."""
    return float(extra_info.get(REWARD) or 0.0)
