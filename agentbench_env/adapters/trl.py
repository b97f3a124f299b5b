"""Environments for TRL's `environment_factory`: one class a domain, whose methods are the domain's tools.

TRL reads a class's methods, their signatures and docstrings as tools, and logs one reward for each class; so a class
serves all tasks of a domain, and each row of the data names the task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from inspect import Parameter, Signature
from typing import Any, Literal

from agentbench_env.adapters.client_options import asked_episode, sample_columns
from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.adapters.toolset import call_shared, domain_of, domain_tools, task_brief
from agentbench_env.errors import ResetNeeded, WrongArgument
from agentbench_env.sampling import Sample

_OWN = ("prompt", "environment")
"""The columns of a row that TRL reads."""
_TYPES: dict[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}


class TRLEnvironment:
    """What the classes of all domains share; `environment_class` adds the tools.

    An instance plays one episode after another; its public methods besides `reset` and `get_reward` are its tools.
    """

    _domain = ""
    _options: dict[str, Any] = {}
    _session: EpisodeSession | None = None

    def reset(self, **row: Any) -> str:
        """Begin the episode that a row of the data names.

        Args:
            **row: `env_id`, `seed` and any of `CLIENT_OPTIONS`, which go before the class's own options. `trial` and
                TRL's own columns are not looked at, every other one is refused.

        Returns:
            The user's brief, with the schemas of the tools that are this task's own; TRL puts it into the prompt.

        Raises:
            WrongArgument: an id, column or value that does not exist, or an environment of another domain.
            TaskNotBuilt: the contract's task does not exist in this release.
            ValueError: there is no `env_id` or no `seed`, or a seed or value is out of range.
        """
        if self._session is not None:
            self._session.close_now()
            self._session = None
        asked = asked_episode(row, _OWN)
        domain = domain_of(asked["env_id"])
        if domain != self._domain:
            raise WrongArgument(f"domain of {asked['env_id']}", domain, [self._domain])
        self._session = EpisodeSession(**{**self._options, **asked})
        return task_brief(self._session)

    def get_reward(self) -> float | None:
        """Return 1.0 or 0.0; an episode that still runs is abandoned. None, which TRL leaves out: the suite failed.

        Raises:
            ResetNeeded: no episode has begun.
        """
        session = self._running()
        session.close_now()
        return session.reward

    def _running(self) -> EpisodeSession:
        if self._session is None:
            raise ResetNeeded("call reset() first")
        return self._session


@cache
def environment_class(domain: str, **options: Any) -> type[TRLEnvironment]:
    """Return the class for a domain; the same one for the same arguments.

    Args:
        domain: the prefix of its contracts' ids, e.g. `ta`.
        **options: arguments of the environments, see `AgentbenchEnv`.

    Raises:
        WrongArgument: no contract of such a domain is built.
    """
    tools = {name: _method(function) for name, function in domain_tools(domain).items()}
    return type(f"Agentbench_{domain}", (TRLEnvironment,), {**tools, "_domain": domain, "_options": options})


def _method(function: dict[str, Any]) -> Callable[..., str]:
    """Make the method whose signature and docstring say what a function's schema says."""

    def method(self: TRLEnvironment, **arguments: Any) -> str:
        # It becomes one of the class's own methods, and TRL takes every public one for a tool.
        session = self._running()  # pyright: ignore[reportPrivateUsage]
        return call_shared(session, function["name"], arguments)

    schema = function["parameters"]
    parameters = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            annotation=Literal[*one["enum"]] if "enum" in one else _TYPES[one["type"]],
            default=Parameter.empty if name in schema["required"] else one.get("default", ""),
        )
        for name, one in schema["properties"].items()
    ]
    described = "\n".join(f"    {name}: {one['description']}" for name, one in schema["properties"].items())
    method.__name__ = method.__qualname__ = function["name"]
    method.__doc__ = f"{function['description']}\n\nArgs:\n{described}" if described else function["description"]
    method.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": str}
    receiver = Parameter("self", Parameter.POSITIONAL_ONLY)
    method.__signature__ = Signature([receiver, *parameters], return_annotation=str)  # pyright: ignore[reportFunctionMemberAccess]
    return method


def rows(samples: Iterable[Sample], **options: Any) -> list[dict[str, Any]]:
    """Return rows of data for `GRPOTrainer`: one for each sample.

    The column `environment` names the domain, for a trainer with several classes. The prompt is empty, as `reset` fills
    it; a text of one's own there should end with a line break.

    Args:
        samples: what to play, e.g. `islice(TaskSampler(...), 1000)`. The trainer repeats each row `num_generations`
            times, so the sampler's groups are of one.
        **options: further arguments of the environments, of those in `CLIENT_OPTIONS`.

    Raises:
        WrongArgument: an id or option that does not exist.
        ValueError: a value of another type.
    """
    return [
        {
            "prompt": [{"role": "user", "content": ""}],
            "environment": domain_of(sample.env_id),
            **sample_columns(sample, options),
        }
        for sample in samples
    ]
