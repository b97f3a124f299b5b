"""A leaderboard: a static site of runs that were verified, in the order that their comparison allows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from agentbench_env.report.compare import compare, ranks, why_not
from agentbench_env.report.data import named_results, report_data
from agentbench_env.report.page import LEADERBOARD, REPORT, render
from agentbench_env.report.tally import RunResult, group_of, parts_of

TITLE = "Agentbench leaderboard"


class NotAccepted(ValueError):
    """A run cannot stand on a leaderboard; the message says why and what would be right."""


def build_site(paths: Sequence[Path], site: Path, most: int) -> dict[str, Any]:
    """Write the site of runs that were verified, and return the data of its first page.

    Args:
        paths: directories of runs.
        site: the directory to write to: `index.html`, and in `runs` a report of each.
        most: how many episodes of a run its report shows in full.

    Raises:
        NotAccepted: the runs are not over the same instances, or one has an episode outside the score.
        StoreFault: a directory holds no run, or a record that was changed or cannot be read.
    """
    results = named_results(paths)
    _accept(results)
    comparisons, _ = compare(results)
    pages = [f"runs/{number}-{_slug(result.name)}.html" for number, result in enumerate(results, 1)]
    rows = [
        {
            "rank": rank,
            "name": result.name,
            "policy": result.policy,
            "release": result.release,
            "settings": result.settings_text,
            "page": page,
            "total": msgspec.to_builtins(group_of("all", result.episodes)),
            "parts": msgspec.to_builtins(parts_of(result.episodes)),
        }
        for rank, result, page in zip(ranks(len(results), comparisons), results, pages, strict=True)
    ]
    data = {"title": TITLE, "runs": rows, "comparisons": msgspec.to_builtins(comparisons), "incomparable": []}
    (site / "runs").mkdir(parents=True, exist_ok=True)
    for path, page in zip(paths, pages, strict=True):
        (site / page).write_text(render(REPORT, report_data([path], most)), encoding="utf-8")
    (site / "index.html").write_text(render(LEADERBOARD, data), encoding="utf-8")
    return data


def _accept(results: Sequence[RunResult]) -> None:
    for result in results:
        apart = sum(not one.scored for one in result.episodes)
        if apart:
            raise NotAccepted(
                f"{result.name}: {apart} of {len(result.episodes)} episodes are outside the score (infrastructure); "
                "a run on a leaderboard has none: run those again"
            )
    first = results[0]
    instances = {one.instance for one in first.episodes}
    for other in results[1:]:
        if why := why_not(first, other):
            raise NotAccepted(f"{first.name} and {other.name} cannot stand on one leaderboard: {why}")
        if differing := instances ^ {one.instance for one in other.episodes}:
            task, market, seed = min(differing)
            raise NotAccepted(
                f"{first.name} and {other.name} are not over the same instances: {len(differing)} are in one of them "
                f"only, the first is {task}-{market} seed {seed}; run both over the same selection"
            )


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "run"
