"""Recording episodes in a run's directory, and verifying them by re-execution."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import gymnasium as gym

import agentbench_env
from agentbench_env.policies import load_policy
from agentbench_env.rollout import RecordTrajectory, RunWriter
from agentbench_env.rollout.store import Selection, describe_run, read_lines
from agentbench_env.rollout.verify import verify_lines

gym.register_envs(agentbench_env)

ENV_ID = "Agentbench/ta-two-leg-itinerary-KR"
KWARGS = {"split": "train", "difficulty": "easy"}
SEEDS = (0, 1, 2)


def record(directory: Path) -> None:
    """Play three episodes and write each as a line when it ends."""
    policy = load_policy("expert")
    with RunWriter(directory, describe_run(policy.name, Selection((ENV_ID,), SEEDS, KWARGS))) as run:
        env = RecordTrajectory(gym.make(ENV_ID, **KWARGS), sink=run.write, policy=policy.name)
        for seed in SEEDS:
            observation, _ = env.reset(seed=seed)
            policy.run(env, observation)
        env.close()


def report(title: str, path: Path) -> None:
    """Re-execute every line of a run or a file and print what differs."""
    print(title)
    for checked in verify_lines(read_lines(path)):
        print(f"  {checked.place}: {'sound' if not checked.differences else 'not what it says'}")
        for difference in checked.differences:
            print(f"    {difference.field}: recorded {difference.recorded[:40]}, found {difference.found[:40]}")


def main() -> None:
    with TemporaryDirectory() as folder:
        directory = Path(folder) / "run"
        record(directory)
        print(f"written: {', '.join(sorted(path.name for path in directory.iterdir()))}")
        report("as recorded", directory)
        forged = Path(folder) / "forged.jsonl"
        first = next(read_lines(directory)).raw
        forged.write_bytes(first.replace(b'"elapsed_s":', b'"elapsed_s":1', 1))
        report("with a digit added to a time", forged)


if __name__ == "__main__":
    main()
