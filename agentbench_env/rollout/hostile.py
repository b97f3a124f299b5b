"""Which episodes had hostile text: it follows from the instance's key, so that nothing says it while they run.

Of an injections run only a share of the instances holds any, and a rate over all of them hides what it does.
"""

from __future__ import annotations

from agentbench_env.instance import is_hostile, key_draw
from agentbench_env.registry import RELEASE, split_env_id
from agentbench_env.rollout.record import environment_arguments
from agentbench_env.rollout.trajectory import Result

PARTS = {True: "with hostile text", False: "without hostile text"}
"""What the two parts of an injections run are called."""


def had_hostile_text(one: Result) -> bool | None:
    """Whether an episode's instance held hostile text.

    None where that is not the question, as no injections were asked for, or cannot be told: of private seeds without
    their salt, and of other releases.
    """
    kwargs = environment_arguments() | one.kwargs
    if not kwargs["injections"] or kwargs["split"] == "private" or one.release != RELEASE:
        return None
    task, market = split_env_id(one.env_id)
    return is_hostile(key_draw(task, market, kwargs["split"], kwargs["difficulty"], one.seed), kwargs["difficulty"])
