"""Proofs that the right ways earn 1 and that the wrong ones earn 0 for the right reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from agentbench_env.conformance.report import Found, each_seed, over_seeds
from agentbench_env.conformance.subject import QUIET_EFFECTS, Subject, action_of, episode_of, play, shortfall
from agentbench_env.env import AgentbenchEnv
from agentbench_env.policies.random import RandomPolicy
from agentbench_env.policies.shortcuts import SHORTCUTS, Shortcut
from agentbench_env.task import clause_sentences

MOST_CALLS = 30
MOST_TOOL_SECONDS = 70
MOST_FEES_USD = 0.10
APPLYING_SEEDS = 24
"""Among these first seeds every counterexample and every other way must find one where it applies."""
CEILING = 0.01
Step = tuple[dict[str, Any], Any, bool, bool, dict[str, Any]]


@each_seed()
def expert(subject: Subject, seed: int) -> Iterator[str]:
    """The expert earns 1, no write of it is refused, and it is quick, short and cheap."""
    env = subject.env(seed)
    refused = play(env, subject.task.expert)
    fault = shortfall("the expert", env, refused)
    if fault:
        yield fault
    tools, planned = episode_of(env).tools, subject.task.planned_refusals
    for entry in env.lineage:
        tool = tools.get(entry.tool)
        if entry.error and entry.error not in planned and (tool is None or tool.effect != "read"):
            yield f"the expert's call {entry.index} of {entry.tool or 'no tool'} was refused: {entry.error}"
    yield from _excess(subject, env)


def _excess(subject: Subject, env: AgentbenchEnv) -> Iterator[str]:
    episode, calls = episode_of(env), len(env.lineage)
    tools = [episode.tools[entry.tool] for entry in env.lineage if entry.tool]
    seconds = sum(tool.latency_s for tool in tools if tool.effect != "user")
    figures: tuple[tuple[str, float, float], ...] = (
        ("simulated seconds", episode.elapsed_s, episode.options.limit_s / 3),
        ("calls", calls, min(MOST_CALLS, subject.task.max_steps // 5)),
        ("seconds of tool time", seconds, MOST_TOOL_SECONDS),
        ("USD of fees", episode.fees_usd, MOST_FEES_USD),
    )
    for what, used, most in figures:
        if round(used, 9) > most:
            yield f"the expert takes {used:g} {what}, more than {most:g}"


@over_seeds
def other_ways(subject: Subject, seeds: Sequence[int]) -> Iterator[Found]:
    """Every other right way earns 1 wherever it runs to its end, and does so somewhere."""
    for name in subject.task.other_ways:
        ended = False
        for seed in seeds:
            env = subject.env(seed)
            refused = play(env, getattr(subject.task, name))
            fault = shortfall(name, env, refused) if refused or env.verdict else ""
            ended |= env.verdict is not None
            if fault:
                yield Found(seed, fault)
                break
        if not ended and len(seeds) >= APPLYING_SEEDS:
            yield Found(seeds[0], f"{name} runs to its end on none of {len(seeds)} seeds")


class _Doubling:
    """Makes every reading call twice."""

    def __init__(self, env: AgentbenchEnv) -> None:
        self._env = env

    def step(self, action: Any) -> Step:
        result = self._env.step(action)
        if action.effect == "read" and self._env.verdict is None:
            result = self._env.step(action)
        return result


@each_seed()
def reads(subject: Subject, seed: int) -> Iterator[str]:
    """Reading changes nothing, and making every reading call twice leaves the verdict as it is."""
    plain, doubled = subject.solved(seed), subject.env(seed)
    play(doubled, subject.task.expert, _Doubling(doubled))
    for entry in doubled.lineage:
        if entry.effect == "read" and entry.changes:
            yield f"{entry.tool} is a read and changed {', '.join(change.id for change in entry.changes)}"
            return
    before, after = (env.verdict and (env.verdict.success, env.verdict.broken) for env in (plain, doubled))
    if before != after:
        yield f"with every read doubled the verdict is {after}, without {before} (success, broken clauses)"


class _Omitting:
    """Leaves one call out, and answers it as it would have been answered."""

    def __init__(self, env: AgentbenchEnv, omitted: int) -> None:
        self._env, self._left = env, omitted

    def step(self, action: Any) -> Step:
        self._left -= 1
        return self._env.fork().step(action) if self._left == -1 else self._env.step(action)


@each_seed()
def omissions(subject: Subject, seed: int) -> Iterator[str]:
    """Leaving out any single write of the expert, or the answer, earns 0."""
    entries = list(subject.solved(seed).lineage)
    if not entries or entries[-1].effect != "finish":
        yield "the expert delivers no answer"
        return
    for entry in entries[:-1]:
        if entry.effect in QUIET_EFFECTS or entry.tool in subject.task.optional_writes:
            continue
        env = subject.env(seed)
        play(env, subject.task.expert, _Omitting(env, entry.index))
        if env.verdict is None:
            env.step(action_of(entries[-1]))
        if env.verdict is not None and env.verdict.success:
            yield f"without its call {entry.index}, {entry.tool}, the expert still earns 1"
    env = subject.env(seed)
    play(env, subject.task.expert, _Omitting(env, len(entries) - 1))
    if env.verdict is not None:
        yield f"without the answer the episode ends in {env.verdict.outcome}"


@each_seed()
def counterexamples(subject: Subject, seed: int) -> Iterator[str]:
    """Every counterexample that applies earns 0 and breaks exactly the clauses it names."""
    case = subject.instance(seed).case
    for name, (_, clauses, applies) in subject.task.counterexamples.items():
        if not applies(case):
            continue
        env = subject.env(seed)
        refused = play(env, getattr(subject.task, name))
        if env.verdict is None or env.lineage[-1].effect != "finish":
            yield shortfall(name, env, refused) or f"{name} ended without an answer"
        elif set(env.verdict.broken) != set(clauses):
            extra = sorted(set(env.verdict.broken) - set(clauses))
            whole = sorted(set(clauses) - set(env.verdict.broken))
            yield f"{name} also breaks {extra} and does not break {whole}; it names {sorted(clauses)}"


@over_seeds
def clauses(subject: Subject, seeds: Sequence[int]) -> Iterator[Found]:
    """Every clause is broken by a counterexample that applies to one of the first 24 seeds."""
    left = dict.fromkeys(clause_sentences(type(subject.task)))
    cases = [subject.instance(seed).case for seed in range(APPLYING_SEEDS)]
    for name, (_, named, applies) in subject.task.counterexamples.items():
        for clause in named:
            if clause not in clause_sentences(type(subject.task)):
                yield Found(seeds[0], f"{name} names {clause}, which is no clause")
        if any(map(applies, cases)):
            left = {clause: None for clause in left if clause not in named}
        else:
            yield Found(seeds[0], f"{name} applies to none of the first {APPLYING_SEEDS} seeds")
    for clause in left:
        yield Found(seeds[0], f"no counterexample breaks {clause} on the first {APPLYING_SEEDS} seeds")


@over_seeds
def shortcuts(subject: Subject, seeds: Sequence[int]) -> Iterator[Found]:
    """Guessing earns next to nothing: at most 1 % of the episodes, or a task's own ceiling for a guess of its own."""
    guesses: dict[str, tuple[Callable[[AgentbenchEnv], None], float]] = {
        name: (_runs(Shortcut(name)), CEILING) for name in SHORTCUTS
    }
    guesses["random"] = _runs(RandomPolicy()), CEILING
    for name, (_, ceiling) in subject.task.shortcuts.items():
        guesses[name] = _plays(getattr(subject.task, name)), ceiling
    for name, (guess, ceiling) in guesses.items():
        lucky = [seed for seed in seeds if _succeeds(subject.env(seed), guess)]
        # One hit proves nothing about a share, however few the seeds.
        if len(lucky) > max(1, ceiling * len(seeds)):
            yield Found(lucky[0], f"{name} succeeds on {len(lucky)} of {len(seeds)} seeds, more than {ceiling:.0%}")


def _runs(policy: Shortcut | RandomPolicy) -> Callable[[AgentbenchEnv], None]:
    return lambda env: policy.run(env, {"content": env.lineage.content(-1)})


def _plays(script: Callable[..., None]) -> Callable[[AgentbenchEnv], None]:
    def run(env: AgentbenchEnv) -> None:
        play(env, script)

    return run


def _succeeds(env: AgentbenchEnv, guess: Callable[[AgentbenchEnv], None]) -> bool:
    guess(env)
    return env.verdict is not None and env.verdict.success
