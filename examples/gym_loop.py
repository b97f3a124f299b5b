"""A plain Gymnasium loop: calls drawn at random from the action space until the episode ends."""

from __future__ import annotations

import json

import gymnasium as gym

import agentbench_env

gym.register_envs(agentbench_env)  # importing the package is enough; this line only says so


def main() -> None:
    env = gym.make("Agentbench/ta-two-leg-itinerary-SG", difficulty="easy", max_steps=40)
    observation, info = env.reset(seed=7)
    brief = json.loads(observation["content"])
    print(f"{observation['now']}  {brief['request']}\n{brief['boundary']}\n")

    env.action_space.seed(7)
    terminated = truncated = False
    while not (terminated or truncated):
        action = env.action_space.sample()
        observation, reward, terminated, truncated, info = env.step(action)
        answer = "refused" if observation["is_error"] else "done"
        print(f"{observation['step']:3}  {info['time']['elapsed_s']:6.1f} s  {observation['tool']}: {answer}")

    print(f"\nreward {reward}, outcome {info['outcome']}")
    print(f"time {info['time']}")
    print(f"cost {info['cost']}")
    print(f"broken clauses: {', '.join(info['verdict'].broken)}")
    env.close()


if __name__ == "__main__":
    main()
