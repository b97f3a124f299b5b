"""Vector environments: several episodes side by side, in one process and in several."""

from __future__ import annotations

import gymnasium as gym
from gymnasium.vector import AutoresetMode

import agentbench_env

gym.register_envs(agentbench_env)

ENV_ID = "Agentbench/ta-two-leg-itinerary-TW"
CALLS = (
    {"tool": "wallet_list_cards", "arguments": {}},
    {"tool": "wallet_get_rates", "arguments": {}},
    {"tool": "no_such_tool", "arguments": {}},
)


def play(mode: str) -> list[tuple[str, ...]]:
    """Make the same calls in three episodes and return what they showed."""
    # With autoreset off, an episode that has ended waits; the next one begins when it is asked for.
    vector_kwargs = {"autoreset_mode": AutoresetMode.DISABLED}
    envs = gym.make_vec(ENV_ID, num_envs=3, vectorization_mode=mode, vector_kwargs=vector_kwargs)
    observations, _ = envs.reset(seed=[11, 12, 13])
    seen = [observations["content"]]
    for call in CALLS:
        observations, *_, info = envs.step([call] * 3)
        seen.append(observations["content"])
        print(f"{mode:5}  {call['tool']:18} errors {observations['is_error']}  seconds {info['time']['elapsed_s']}")
    envs.close()
    return seen


def main() -> None:
    same = play("sync") == play("async")
    print(f"both show the same: {same}")


if __name__ == "__main__":
    main()
