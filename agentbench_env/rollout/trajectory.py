"""The record of one episode: a line of canonical JSON, sealed by a digest over everything in it.

The actions are what re-execution needs; all else is there to be read, and to be compared with what re-execution gives.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from agentbench_env.verdict import Verdict
from agentbench_env.world import canonical

FORMAT = 2
OUTCOMES = ("success", "failure", "violation", "timeout", "max_steps", "abandoned", "infrastructure")
Numbers = dict[str, float | None]
Key = tuple[str, int, int]
"""Environment, seed and trial: which episode of a run it is."""


class Usage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a policy reported by `record_usage` before a step; None: not known."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None
    latency_s: float | None = None


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One action and what came back; `lineage_head` is the hash of the lineage after it."""

    action: Any
    usage: tuple[Usage, ...]
    tool: str
    content: str
    content_sha256: str
    is_error: bool
    now: str
    reward: float
    terminated: bool
    truncated: bool
    elapsed_s: float
    lineage_head: str


class Failure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why an episode is outside the score: who failed (`environment`, `policy` or `endpoint`), and at which action."""

    whose: str
    message: str
    action: Any = None
    usage: tuple[Usage, ...] = ()


class Redacted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was taken out of a record after it was made.

    `of` is the digest of the whole record, `removed` says which parts: `system`, `assistant.content` and the like,
    `failure`, `stopped`, `policy`.
    """

    of: str
    removed: tuple[str, ...]


class Result(msgspec.Struct, frozen=True):
    """What an episode came to, without what happened in it: small enough to be kept of every episode.

    `trial` counts the repetitions of one environment and seed; the three are an episode's `key`. `kwargs` are the
    environment's arguments apart from secrets. `outcome` is the verdict's, or `abandoned` where the policy stopped
    before the end (reward 0, `stopped` says why if it is known), or `infrastructure` where code or an endpoint failed
    (no reward, `failure` says why).
    """

    format: int
    release: str
    env_id: str
    seed: int
    trial: int
    kwargs: dict[str, Any]
    policy: str
    reward: float | None
    outcome: str
    time: Numbers
    cost: Numbers
    failure: Failure | None
    stopped: str

    @property
    def key(self) -> Key:
        """Environment, seed and trial."""
        return self.env_id, self.seed, self.trial

    @property
    def scored(self) -> bool:
        """Whether the episode counts: an infrastructure outcome never does."""
        return self.reward is not None


class Trajectory(Result, frozen=True, forbid_unknown_fields=True, dict=True):
    """One recorded episode.

    `tools` are the OpenAI schemas that the policy was shown, `messages` the conversation as OpenAI chat messages,
    `lineage` its entries in plain values.
    """

    instance_digest: str
    brief: str
    tools: tuple[dict[str, Any], ...]
    messages: tuple[dict[str, Any], ...]
    steps: tuple[Step, ...]
    lineage: tuple[dict[str, Any], ...]
    lineage_head: str
    verdict: Verdict | None
    redacted: Redacted | None = None
    digest: str = ""

    @property
    def result(self) -> Result:
        """What the episode came to."""
        return Result(*(getattr(self, field) for field in Result.__struct_fields__))

    def seal(self) -> str:
        """Return the SHA-256 over the record's line with an empty digest."""
        return sha256(canonical(msgspec.structs.replace(self, digest=""))).hexdigest()

    def sealed(self) -> Trajectory:
        """Return the trajectory with its digest."""
        unsealed = canonical(msgspec.structs.replace(self, digest=""))
        digest = sha256(unsealed).hexdigest()
        sealed = msgspec.structs.replace(self, digest=digest)
        # A record is encoded once: before the digest's key stand only a text, whose quotes are escaped, and numbers.
        vars(sealed)["_line"] = unsealed.replace(b'"digest":""', f'"digest":"{digest}"'.encode("ascii"), 1)
        return sealed

    def line(self) -> bytes:
        """Return the record as one line of canonical JSON, without the line break."""
        return vars(self).get("_line") or canonical(self)


def read_line(line: bytes) -> Trajectory:
    """Read a record; raise `msgspec.DecodeError` (a ValueError) saying what is wrong with it."""
    return msgspec.json.decode(line, type=Trajectory)


def read_result(line: bytes) -> Result:
    """Read of a record only what its episode came to; raise `msgspec.DecodeError` (a ValueError) if it is no record."""
    return msgspec.json.decode(line, type=Result)


def content_sha256(content: str) -> str:
    """Hash a result's text, as the lineage does."""
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
