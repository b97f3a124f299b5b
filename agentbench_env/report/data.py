"""What a report shows: the statistics of its runs and their episodes, as many of them in full as was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from agentbench_env.market import market_codes
from agentbench_env.registry import contract
from agentbench_env.report.compare import compare
from agentbench_env.report.episode import view_of
from agentbench_env.report.reading import read_chosen, read_result
from agentbench_env.report.tally import Episode, RunResult, clauses_of, group_of, groups_by, parts_of, steps_of

TITLE = "Agentbench report"
Place = tuple[int, int]
"""Which run, and which of its episodes."""


def report_data(paths: Sequence[Path], most: int) -> dict[str, Any]:
    """Return the data of a report.

    Args:
        paths: directories of runs, or files with the episodes of one run each.
        most: how many episodes are shown in full; the others are only in the table.

    Raises:
        StoreFault: a directory holds no run, a file those of several, or a record that was changed or cannot be read.
    """
    runs = named_results(paths)
    chosen = {place: number for number, place in enumerate(_chosen(runs, most))}
    views: list[Any] = [None] * len(chosen)
    for run, path in enumerate(paths):
        wanted = {episode for which, episode in chosen if which == run}
        for episode, one in read_chosen(path, wanted):
            views[chosen[run, episode]] = view_of(one)
    tasks = sorted({one.task for run in runs for one in run.episodes})
    clauses = _Clauses(runs)
    comparisons, refused = compare(runs)
    return {
        "title": TITLE,
        "domains": {contract(task).domain: contract(task).domain_title or contract(task).domain for task in tasks},
        "tasks": {task: contract(task).domain for task in tasks},
        "markets": [code for code in market_codes() if any(one.market == code for run in runs for one in run.episodes)],
        "clauses": clauses.listed,
        "runs": [_run(run, clauses) for run in runs],
        "comparisons": msgspec.to_builtins(comparisons),
        "incomparable": [[one.first, one.second, one.why] for one in refused],
        "episodes": [
            _row(place, one, clauses, chosen.get(place))
            for run, result in enumerate(runs)
            for place, one in (((run, number), one) for number, one in enumerate(result.episodes))
        ],
        "views": views,
        "left_out": sum(len(run.episodes) for run in runs) - len(chosen),
    }


def named_results(paths: Sequence[Path]) -> list[RunResult]:
    """Read runs; those whose directories have one name are named by their paths."""
    runs = [read_result(path) for path in paths]
    names = Counter(run.name for run in runs)
    for run, path in zip(runs, paths, strict=True):
        run.name = run.name if names[run.name] == 1 else str(path)
    return runs


class _Clauses:
    """Every clause of the runs' tasks, named by its number."""

    def __init__(self, runs: Sequence[RunResult]) -> None:
        sentences = {key: sentence for run in runs for key, sentence in run.sentences.items()}
        broken = {(one.task, id) for run in runs for one in run.episodes for id in one.broken}
        self._numbers = {key: number for number, key in enumerate(sentences)}
        self.listed = [
            {"task": task, "id": id, "sentence": sentence, "broken": (task, id) in broken}
            for (task, id), sentence in sentences.items()
        ]

    def number(self, task: str, id: str) -> int:
        return self._numbers[task, id]


def _chosen(runs: Sequence[RunResult], most: int) -> list[Place]:
    """Choose the episodes to be shown in full: the first of each run, task, market and outcome, then the second ones.

    They come in the order of the table.
    """
    seen: Counter[tuple[Any, ...]] = Counter()
    ranked: list[tuple[int, Place]] = []
    for run, result in enumerate(runs):
        for number, one in enumerate(result.episodes):
            kind = (run, one.task, one.market, one.outcome)
            ranked.append((seen[kind], (run, number)))
            seen[kind] += 1
    return sorted(place for _, place in sorted(ranked)[:most])


def _run(run: RunResult, clauses: _Clauses) -> dict[str, Any]:
    episodes = run.episodes
    cells = {(one.domain, one.market): None for one in episodes}
    found = {
        "name": run.name,
        "policy": run.policy,
        "release": run.release,
        "settings": run.settings_text,
        "total": group_of("all", episodes),
        "parts": parts_of(episodes),
        "domains": groups_by(lambda one: one.domain, episodes),
        "markets": groups_by(lambda one: one.market, episodes),
        "tasks": groups_by(lambda one: one.task, episodes),
        "cells": [
            {"domain": domain, "market": market, "group": group_of("", [o for o in episodes if _in(o, domain, market)])}
            for domain, market in cells
        ],
        "clauses": [
            {"clause": clauses.number(one.task, one.id), "judged": one.judged, "broken": one.broken}
            for one in clauses_of(episodes)
        ],
        "steps": steps_of(episodes),
    }
    return msgspec.to_builtins(found)


def _in(one: Episode, domain: str, market: str) -> bool:
    return one.domain == domain and one.market == market


def _row(place: Place, one: Episode, clauses: _Clauses, view: int | None) -> list[Any]:
    broken = [clauses.number(one.task, id) for id in one.broken]
    return [
        place[0],
        one.task,
        one.market,
        one.seed,
        one.trial,
        one.outcome,
        one.steps,
        one.time_s,
        one.cost_usd,
        broken,
        view,
    ]
