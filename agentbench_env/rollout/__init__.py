"""Rollouts: run policies over many episodes, record every episode as one JSON line, verify records, sum them up."""

from agentbench_env.rollout.record import RecordTrajectory
from agentbench_env.rollout.trajectory import Trajectory
from agentbench_env.rollout.writer import RunWriter

__all__ = ["RecordTrajectory", "RunWriter", "Trajectory"]
