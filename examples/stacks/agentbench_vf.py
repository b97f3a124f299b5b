"""The taskset under a name that verifiers can find: the id of a taskset is the name of an installed module.

PYTHONPATH=examples/stacks vf-eval agentbench-vf -m MODEL -n 4 --no-push \\
    --env.taskset.envs ta-two-leg-itinerary-SG --env.taskset.difficulty easy \\
    --env.agent.harness.id null --env.agent.runtime.type subprocess
"""

from agentbench_env.adapters.verifiers import AgentbenchTaskset

__all__ = ["AgentbenchTaskset"]
