"""Watch a policy play one episode, step by step, and read the verdict."""

from __future__ import annotations

import argparse
import json
from typing import Any

import gymnasium as gym
from rich.console import Console
from rich.text import Text

import agentbench_env
from agentbench_env.policies import load_policy

gym.register_envs(agentbench_env)

COLOURS = {"read": "cyan", "draft": "blue", "user": "magenta", "finish": "bold", "": "red"}
"""Colours of effect classes; every other class reaches or binds something and is yellow."""
MARGIN = " " * 10
WIDTH = 160
"""Where the output is no terminal."""


class Watched(gym.Wrapper):
    """Prints every step as it is made."""

    def __init__(self, env: gym.Env, console: Console) -> None:
        super().__init__(env)
        self._console = console
        self._width = console.width if console.is_terminal else WIDTH
        self.info: dict[str, Any] = {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Carry out one action and print it with its result."""
        observation, reward, terminated, truncated, self.info = self.env.step(action)
        lineage = self.env.unwrapped.lineage
        entry = lineage[len(lineage) - 1]
        self._print(
            f"{self.info['time']['elapsed_s']:6.1f} s  ",
            entry.tool or "no tool",
            COLOURS.get(entry.effect, "yellow"),
            entry.arguments,
        )
        self._print(MARGIN, "refused" if entry.error else "", "red", observation["content"])
        return observation, float(reward), terminated, truncated, self.info

    def _print(self, margin: str, name: str, colour: str, content: str) -> None:
        line = Text(margin)
        line.append(f"{name}  " if name else "", colour)
        line.append(in_words(json.loads(content)), "dim")
        line.truncate(self._width, overflow="ellipsis")
        self._console.print(line)


def in_words(value: Any) -> str:
    """Write a JSON value on one line, without what is empty."""
    if isinstance(value, dict):
        if value.keys() == {"amount", "currency"}:
            return f"{value['amount']} {value['currency']}"
        if value.keys() == {"local", "zone"}:
            return value["local"]
        return ", ".join(f"{key} {in_words(child)}" for key, child in value.items() if child not in ("", [], {}))
    if isinstance(value, list):
        return f"[{' | '.join(map(in_words, value))}]"
    return " ".join(str(value).split())


def print_verdict(console: Console, info: dict[str, Any]) -> None:
    """Print every clause, and what the episode took."""
    verdict, time, usd = info["verdict"], info["time"], info["cost"]["total_usd"]
    console.print(Text(f"\n{verdict.outcome}", "bold green" if verdict.success else "bold red"))
    for clause in verdict.clauses:
        mark, colour = ("held", "green") if clause.held else ("BROKEN", "red")
        console.print(Text.assemble("  ", (f"{mark:8}", colour), clause.id, (f"  {clause.sentence}", "dim")))
        if not clause.held:
            console.print(Text(f"{MARGIN}expected {clause.expected}\n{MARGIN}observed {clause.observed}"))
    cost = "unknown, the policy did not report it" if usd is None else f"{usd:.4f} USD"
    console.print(f"time {time['elapsed_s']:.1f} s of {time['limit_s']:.0f} s, cost {cost}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("env_id", nargs="?", default="Agentbench/ta-two-leg-itinerary-SG")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--policy", default="expert", help="as for agentbench rollout")
    parser.add_argument("--language", default="en", choices=("en", "local"))
    chosen = parser.parse_args()

    console = Console(highlight=False, soft_wrap=True)
    env = Watched(gym.make(chosen.env_id, prompt_language=chosen.language), console)
    observation, _ = env.reset(seed=chosen.seed)
    brief = json.loads(observation["content"])
    console.print(Text(f"{chosen.env_id}, seed {chosen.seed}, policy {chosen.policy}\n", "bold"))
    console.print(Text(f"{brief['request']}\n\n{brief['boundary']}\n"))
    load_policy(chosen.policy).run(env, observation)
    print_verdict(console, env.info)


if __name__ == "__main__":
    main()
