"""The benchmarks at tiny sizes: the floor is what it says, the report has its shape, and nothing grows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from agentbench_env.errors import WrongArgument
from benchmarks import run
from benchmarks.floor import CALL, RECORDS, ROWS, Floor
from benchmarks.timing import Row, Sizes, alternating, percentile, time_rows, timed

TINY = Sizes(steps=200, seeds=2, long=400, copies=50, envs=12, stored=6, processes=1, tasks=("ta-two-leg-itinerary",))


def test_the_floor_does_the_work_of_a_step() -> None:
    floor, again = Floor(1), Floor(1)
    assert len(floor.records) == RECORDS
    before = floor.head
    content = floor.step(CALL)
    assert 1_500 < len(content) < 3_000
    rows = json.loads(content)["offers"]
    assert len(rows) == ROWS
    assert set(floor.changed) < {row["offer_id"] for row in rows}
    assert before != floor.head == (again.step(CALL), again.head)[1]
    assert floor.snapshot()[1] == floor.entries
    with pytest.raises(ValueError, match="adults"):
        floor.step(CALL | {"adults": 10})


def test_time_is_this_threads_own() -> None:
    short, long = alternating([lambda: sum(range(10)), lambda: sum(range(100_000))], 20)
    assert len(short) == len(long) == 20
    assert 0 < sorted(short)[10] < sorted(long)[10]
    assert timed(sum, [1, 2, 3]) > 0
    assert percentile([3, 1, 2], 0.99) == 3
    median, p99, over = time_rows("a step", [1_000, 3_000, 2_000], "us", 2, 2, [1_000], 3)
    assert (median.value, median.verdict) == (2, "ok")
    assert (p99.value, p99.verdict) == (3, "short")
    assert (over.value, over.unit, over.verdict) == (2, "x", "ok")


@pytest.fixture(scope="module")
def report() -> list[Row]:
    return run.measure(TINY, list(run.GROUPS))


def value(report: list[Row], group: str, figure: str) -> float:
    (row,) = (row for row in report if row.group == group and row.figure == figure)
    return row.value


def test_every_goal_is_reported(report: list[Row]) -> None:
    assert all(row.value > 0 for row in report)
    assert len({(row.group, row.figure) for row in report}) == len(report)
    goals = {(row.figure, row.goal, row.unit) for row in report if row.goal is not None}
    assert goals == {
        ("stored over bare", 1.25, "x"),
        ("the episode's over the other's", 100, "us"),
        ("median", 45, "us"),
        ("99th percentile", 250, "us"),
        ("median over the floor's", 3, "x"),
        ("median over the usual", 1.2, "x"),
        ("median over step 10", 1.2, "x"),
        ("median", 3, "ms"),
        ("99th percentile", 15, "ms"),
        ("median", 6, "ms"),
        ("median", 300, "us"),
        ("median", 10, "us"),
        ("median", 20, "us"),
        ("median", 60, "us"),
        ("memory of each", 300, "kB"),
        ("memory of the process", 500, "MB"),
        ("median", 0.25, "s"),
        ("median", 0.7, "s"),
    }


def test_costs_stay_in_proportion_to_the_floor(report: list[Row]) -> None:
    # Far above what is usual, so that a busy machine does not matter and a cost that grows does.
    step = value(report, "step, read tool: the floor", "median")
    assert value(report, "step, read tool, gym.make", "median over the floor's") < 6
    assert value(report, "step, read tool, 10 x the records", "median over the usual") < 2
    assert value(report, "step, read tool, step 400", "median over step 10") < 2
    assert value(report, "reset to a new seed, ta-two-leg-itinerary", "median over the floor's") < 15
    assert value(report, "expert's episode on a new seed, ta-two-leg-itinerary", "median over the floor's") < 15
    assert value(report, "verdict, ta-two-leg-itinerary", "median") < 60 * step
    assert value(report, "snapshot", "median") < 4 * step
    assert value(report, "restore", "median") < 4 * step
    assert value(report, "fork", "median") < 8 * step
    assert value(report, "12 live environments", "memory of each") < 1_000


def test_the_report_is_printed_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [Row("step", "median", 40, "us", 45), Row("step", "99th percentile", 3_000, "us", 250)]
    monkeypatch.setattr(run, "GROUPS", {"steps": lambda sizes: rows})
    monkeypatch.setattr(run, "pin", lambda: None)
    file = tmp_path / "figures.json"
    run.main(["--json", str(file), "steps"])
    text = capsys.readouterr().out
    for word in ("step", "99th percentile", "3,000 us", "<= 250 us", "short", "ok", "peer not installed"):
        assert word in text
    written = json.loads(file.read_text(encoding="utf-8"))
    assert [row["verdict"] for row in written["rows"]] == ["ok", "short"]
    assert written["machine"]["python"]
    with pytest.raises(SystemExit) as ended:
        run.main(["--strict"])
    assert ended.value.code == 1
    with pytest.raises(SystemExit):
        run.main(["speed"])
    assert "there is no group 'speed'" in capsys.readouterr().err
    with pytest.raises(WrongArgument, match="ta-two-leg-itinerary"):
        run.main(["--task", "ta-two-legs-itinerary"])


def test_a_report_without_goals_has_no_verdicts() -> None:
    console = Console(record=True, width=120)
    run.show([Row("step", "median", 0.5, "ms")], console)
    text = console.export_text()
    assert "0.5 ms" in text
    assert "ok" not in text
