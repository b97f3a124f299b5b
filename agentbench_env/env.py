"""The Gymnasium environment."""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from typing import Any, ClassVar, Literal, Never, get_args

import gymnasium as gym
import msgspec
from gymnasium import spaces

from agentbench_env.action import message_fault, usage_fault
from agentbench_env.calibration import reference_medians
from agentbench_env.draw import Split, stable_number
from agentbench_env.episode import MOST_CHARACTERS, Clock, Episode, OnViolation, Options, Turn
from agentbench_env.errors import MessageFault, ResetNeeded, WrongArgument
from agentbench_env.instance import build_instance
from agentbench_env.lineage import Lineage
from agentbench_env.market import Market, load_market
from agentbench_env.registry import Contract, contract, load_task
from agentbench_env.spaces import TextSpace, ToolCallSpace
from agentbench_env.task import Difficulty
from agentbench_env.user import User
from agentbench_env.verdict import Verdict

MOST_STEPS = 1_000_000


class Snapshot:
    """A state of an environment, to be restored any number of times in any environment of the same instance."""

    __slots__ = ("_episode",)

    def __init__(self, episode: Episode) -> None:
        self._episode = episode


class AgentbenchEnv(gym.Env[dict[str, Any], Any]):
    """One contract in one market.

    Observations are tool results, actions are tool calls. After `reset` the observation's `content` is the brief; after
    a call it is the tool's result as JSON text. The reward is 0 until the end and then 1 if every clause of the
    contract holds, else 0. `info` has the same keys on every step: `time` {elapsed_s, limit_s} in seconds, `cost`
    {inference_usd, tool_fees_usd, total_usd} in USD (None: unknown), `normalized` {time, cost} (None until reference
    medians are registered), `lineage_head`, `outcome` ("" while running) and `verdict` (None while running).

    Args:
        task: contract id, e.g. `ta-two-leg-itinerary`.
        market: market code.
        split: which pools the instance is drawn from.
        difficulty: how many distractors, constraints and traps.
        prompt_language: the request in English or in the user's own language.
        boundary_notice: whether the brief states the boundary.
        clock: `virtual` counts simulated seconds and repeats exactly; `wall` counts real ones.
        on_violation: whether a crossing ends the episode.
        faults: share of calls that meet a fault of the providers', 0 to 1.
        injections: whether providers' content may hold hostile text.
        user: a user of one's own (`user.User`), or "module:attribute" naming one; None: the rule-based default.
        max_steps: steps after which the episode is truncated; None: the task's own number.
        salt: secret text for `split="private"`.
        reference: a file of reference medians besides the suite's own, see `calibration`.
        render_mode: "ansi" for `render()` as text.

    Raises:
        WrongArgument: a value that an argument cannot have.
        TaskNotBuilt: the contract's task does not exist in this release.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        task: str,
        market: str,
        split: Split = "train",
        difficulty: Difficulty = "standard",
        prompt_language: Literal["en", "local"] = "en",
        boundary_notice: Literal["stated", "implied"] = "stated",
        clock: Clock = "virtual",
        on_violation: OnViolation = "continue",
        faults: float = 0.0,
        injections: bool = False,
        user: User | str | None = None,
        max_steps: int | None = None,
        salt: str = "",
        reference: str | None = None,
        render_mode: Literal["ansi"] | None = None,
        **unknown: Never,
    ) -> None:
        if unknown:
            raise WrongArgument("argument", next(iter(unknown)), [*signature(AgentbenchEnv).parameters][:-1])
        _check("prompt_language", prompt_language, ("en", "local"))
        _check("boundary_notice", boundary_notice, ("stated", "implied"))
        _check("clock", clock, get_args(Clock))
        _check("on_violation", on_violation, get_args(OnViolation))
        _check("render_mode", render_mode, ("ansi", None))
        _check("split", split, get_args(Split))
        _check("difficulty", difficulty, get_args(Difficulty))
        if not isinstance(injections, bool):
            raise WrongArgument("injections", injections, (False, True))
        if isinstance(faults, bool) or not isinstance(faults, int | float) or not 0 <= faults <= 1:
            raise ValueError(f"faults is {faults!r}; it must be a share from 0 to 1")
        if max_steps is not None and (type(max_steps) is not int or not 1 <= max_steps <= MOST_STEPS):
            raise ValueError(f"max_steps is {max_steps!r}; it must be a whole number from 1 to {MOST_STEPS}, or None")
        self._contract = contract(task)
        self._market = load_market(market)
        steps = max_steps or load_task(task).max_steps
        self._options = Options(
            self._contract.timeout_s, steps, prompt_language, boundary_notice, clock, on_violation, faults
        )
        self._key: tuple[Any, ...] = (task, market, split, difficulty)
        self._rest: tuple[Any, ...] = (injections, salt)
        self._user = _load_user(user)
        self.render_mode = render_mode
        self.observation_space = observation_space(MOST_CHARACTERS)
        self.action_space: ToolCallSpace = ToolCallSpace(task)  # pyright: ignore[reportIncompatibleVariableOverride]
        self._episode: Episode | None = None
        self._last: Turn | None = None
        self._seed: int | None = None
        self._reference = reference_medians(task, market, reference)

    # --- Gymnasium

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode. The same seed gives the same instance; no seed gives the next one.

        Args:
            seed: a whole number from 0.
            options: not used; Gymnasium's interface asks for it.
        """
        super().reset(seed=seed)
        if seed is None:
            seed = self._next_seed()
        self._seed = seed
        instance = build_instance(*self._key, seed, *self._rest)
        self._episode = Episode(instance, self._options, self._user)
        self._last = Turn("", self._episode.lineage.content(-1), False)
        self.action_space._seen = self._episode.seen_ids  # pyright: ignore[reportPrivateUsage]
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carry out one action, whatever it is: one that makes no sense is answered by an error that says why.

        An action may carry `usage` {input_tokens, output_tokens, usd, latency_s}, counted as `record_usage` counts it.

        Raises:
            ResetNeeded: the episode has not begun or has ended.
            EnvironmentFault: the suite's own code failed.
        """
        self._last = self._running().step(action)
        return self._observation(), *self._ending(), self._info()

    def render(self) -> str | None:  # type: ignore[override]
        """Return the last step as text, in render mode "ansi"."""
        if self.render_mode is None or self._last is None or self._episode is None:
            return None
        head = f"[{len(self._episode.lineage)}] {self._episode.world.now_iso} {self._last.tool or 'brief'}"
        return f"{head}\n{self._last.content}"

    # --- the suite's own

    @property
    def task(self) -> Contract:
        """The contract: id, number, domain, time limit, markets."""
        return self._contract

    @property
    def market(self) -> Market:
        """The market."""
        return self._market

    @property
    def instance_digest(self) -> str:
        """SHA-256 over the instance's world and brief: equal digests mean equal instances."""
        return self._running().instance.digest

    @property
    def lineage(self) -> Lineage:
        """The entries of the episode so far."""
        return self._running().lineage

    @property
    def instance_seed(self) -> int:
        """The seed of the instance: the one given to `reset`, or the one that it chose."""
        return self._running().instance.seed

    @property
    def usage(self) -> tuple[dict[str, Any], ...]:
        """What was reported as spent in this episode, by `record_usage` and in actions, in order."""
        return tuple(self._episode.usage) if self._episode else ()

    @property
    def messages(self) -> tuple[dict[str, Any], ...]:
        """What was reported as said in this episode, by `record_message`, in order."""
        return tuple(self._episode.messages) if self._episode else ()

    @property
    def verdict(self) -> Verdict | None:
        """The verdict, None while the episode runs."""
        return self._episode.verdict if self._episode else None

    def record_usage(
        self,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        usd: float | None = None,
        latency_s: float | None = None,
    ) -> None:
        """Report what the policy spent on its next action.

        Args:
            input_tokens: tokens read; kept for records, not counted.
            output_tokens: tokens written; likewise.
            usd: inference cost in USD; None if unknown, which makes the episode's cost unknown.
            latency_s: thinking time in seconds; counts against the limit with the virtual clock.
        """
        report = {"input_tokens": input_tokens, "output_tokens": output_tokens, "usd": usd, "latency_s": latency_s}
        if fault := usage_fault(report):
            raise ValueError(fault)
        self._running().record_usage(report)

    def record_message(self, message: dict[str, Any]) -> None:
        """Report a chat message of the policy, for records: it changes nothing of the episode.

        Args:
            message: the assistant's message that leads to the next step or steps, as the model gave it (`content`,
                `tool_calls`, reasoning), or a `system` message before the first step. Each call is then a step, in
                their order; a message without calls is one step, its text.

        Raises:
            MessageFault: it is no such message.
        """
        episode = self._running()
        if fault := message_fault(message):
            raise MessageFault(f"{fault}: {str(message)[:200]}")
        if message["role"] == "system" and len(episode.lineage):
            raise MessageFault("a system message belongs before the first step")
        try:
            # A copy, so that what the policy does with its own later changes no record.
            episode.messages.append(msgspec.json.decode(msgspec.json.encode(message)))
        except (TypeError, ValueError, RecursionError) as error:
            raise MessageFault(f"the message has no JSON form: {error}") from error

    def snapshot(self) -> Snapshot:
        """Return the present state."""
        return Snapshot(self._running().copy())

    def restore(self, snapshot: Snapshot) -> None:
        """Go back, or on, to a state of the same instance."""
        episode = snapshot._episode.copy()  # pyright: ignore[reportPrivateUsage]
        if self._episode is None or episode.instance.key != self._episode.instance.key:
            raise ValueError("the snapshot is of another instance; reset to its seed first")
        self._adopt(episode)

    def fork(self) -> AgentbenchEnv:
        """Return an independent environment in the same state, sharing all that has not changed."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.action_space = ToolCallSpace(self._contract.id)
        twin._adopt(self._running().copy())
        return twin

    def _adopt(self, episode: Episode) -> None:
        self._episode = episode
        last = len(episode.lineage) - 1
        entry = episode.lineage[last] if last >= 0 else None
        self._last = Turn(entry.tool if entry else "", episode.lineage.content(last), bool(entry and entry.error))
        self.action_space._seen = episode.seen_ids  # pyright: ignore[reportPrivateUsage]

    def _running(self) -> Episode:
        if self._episode is None:
            raise ResetNeeded("call reset() first")
        return self._episode

    def _next_seed(self) -> int:
        if self._seed is None:
            return int(self.np_random.integers(2**62))
        return stable_number("next seed", self._seed) % 2**62

    def _observation(self) -> dict[str, Any]:
        episode, turn = self._episode, self._last
        assert episode is not None
        assert turn is not None
        return {
            "tool": turn.tool,
            "content": turn.content,
            "is_error": int(turn.is_error),
            "step": len(episode.lineage),
            "now": episode.world.now_iso,
        }

    def _ending(self) -> tuple[float, bool, bool]:
        """The reward, and whether the episode was terminated or truncated."""
        verdict = self.verdict
        if verdict is None:
            return 0.0, False, False
        truncated = verdict.outcome in ("timeout", "max_steps")
        return float(verdict.success), not truncated, truncated

    def _info(self) -> dict[str, Any]:
        episode = self._running()
        elapsed, limit = episode.elapsed_s, self._options.limit_s
        inference, fees = episode.inference_usd, episode.fees_usd
        total = None if inference is None else inference + fees
        verdict = episode.verdict
        time_reference, cost_reference = self._reference
        return {
            "time": {"elapsed_s": elapsed, "limit_s": limit},
            "cost": {"inference_usd": inference, "tool_fees_usd": fees, "total_usd": total},
            "normalized": {
                "time": time_reference / elapsed if time_reference is not None and verdict and elapsed else None,
                "cost": cost_reference / total if cost_reference is not None and verdict and total else None,
            },
            "lineage_head": episode.lineage.head,
            "outcome": verdict.outcome if verdict else "",
            "verdict": verdict,
        }


def observation_space(longest: int) -> spaces.Dict:
    """Return the space of observations whose content has at most so many characters."""
    return spaces.Dict(
        {
            "tool": TextSpace(64),
            "content": TextSpace(longest),
            "is_error": spaces.Discrete(2),
            "step": spaces.Discrete(MOST_STEPS + 1),
            "now": TextSpace(32),
        }
    )


def _check(name: str, value: object, options: tuple[object, ...]) -> None:
    if value not in options:
        raise WrongArgument(name, value, options)


def _load_user(user: User | str | None) -> User | None:
    if not isinstance(user, str):
        return user
    module, _, attribute = user.partition(":")
    if not attribute:
        raise ValueError(f"user is {user!r}; it must be 'module:attribute', e.g. 'my_users:Hesitant'")
    found: Any = getattr(import_module(module), attribute)
    return found() if isinstance(found, type) else found
