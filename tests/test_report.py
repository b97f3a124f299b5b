"""The statistics of reports: groups, clauses, steps, comparison and ranks, and what is refused."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import msgspec
import pytest
from commandline import data, run
from recording import write_run
from reporting import DIARY, STAY, TRIP, played, result

from agentbench_env.report.compare import Comparison, compare, ranks, why_not
from agentbench_env.report.episode import view_of
from agentbench_env.report.page import embedded
from agentbench_env.report.tally import clauses_of, group_of, steps_of

replace = msgspec.structs.replace


# --- groups


def test_a_group_counts_infrastructure_apart():
    group = group_of("all", result("a", ["ss", "sf", "si", "vt"]).episodes)
    assert (group.episodes, group.scored, group.instances) == (8, 7, 4)
    assert group.outcomes == {
        "success": 4, "failure": 1, "violation": 1, "timeout": 1, "max_steps": 0, "abandoned": 0, "infrastructure": 1
    }  # fmt: skip
    assert group.rate == pytest.approx(4 / 7)
    assert group.low < 4 / 7 < group.high
    assert group.pass_hat == pytest.approx(((1 + 0.5 + 1 + 0) / 4, 1 / 3))
    assert group.pass_at == pytest.approx(((1 + 0.5 + 1 + 0) / 4, 2 / 3))


def test_a_group_of_nothing_scored_knows_nothing():
    group = group_of("all", result("a", ["i", "i"]).episodes)
    assert (group.rate, group.low, group.high, group.median_time_s, group.noise_floor) == (None, 0, 1, None, None)


def test_trials_of_one_instance_do_not_narrow_the_interval_as_instances_do():
    trials = group_of("", result("a", ["ssss", "ffff"] * 5).episodes)
    instances = group_of("", result("a", ["s", "f"] * 20).episodes)
    assert trials.rate == instances.rate
    assert trials.high - trials.low > 1.5 * (instances.high - instances.low)


def test_clauses_are_counted_where_there_was_an_answer():
    episodes = result("a", ["s", "f", "v", "t", "i"]).episodes
    judged = [replace(one, clauses=("x", "y"), broken=() if one.outcome == "success" else ("y",)) for one in episodes]
    assert [(one.id, one.broken, one.judged) for one in clauses_of(judged)] == [("y", 2, 3), ("x", 0, 3)]


@pytest.mark.parametrize("numbers", [[3], [3, 9], list(range(100)), [1, 1000]])
def test_every_scored_episode_is_in_one_bin_of_steps(numbers):
    first = result("a", ["s"]).episodes[0]
    bins = steps_of([replace(first, steps=number) for number in numbers])
    assert len(bins) <= 24
    assert (bins[0].first, bins[-1].last) == (min(numbers), max(numbers))
    assert all(one.last + 1 == other.first for one, other in pairwise(bins))
    for one in bins:
        assert sum(one.outcomes.values()) == sum(one.first <= number <= one.last for number in numbers)


# --- comparison


def test_what_differs_enough_is_ordered_and_what_does_not_is_not():
    good, same, bad = result("good", ["s"] * 60), result("same", ["s"] * 57 + ["f"] * 3), result("bad", ["f"] * 60)
    found, refused = compare([good, same, bad])
    assert refused == []
    assert [(one.first, one.second, one.winner) for one in found] == [(0, 1, None), (0, 2, 0), (1, 2, 1)]
    assert (found[0].better, found[0].worse, found[0].difference) == (3, 0, pytest.approx(0.05))
    assert ranks(3, found) == [1, 1, 3]


@pytest.mark.parametrize(
    ("wins", "expected"),
    [
        ([], [1, 1, 1]),
        ([(0, 2), (1, 2)], [1, 1, 3]),
        ([(0, 1), (1, 2)], [1, 2, 3]),
        ([(0, 1), (1, 2), (0, 2)], [1, 2, 3]),
        ([(2, 0)], [2, 1, 1]),
    ],
)
def test_ranks_never_join_what_is_separated(wins, expected):
    found = [Comparison(a, b, 9, 9, 0, 1.0, 1.0, 1.0, 0.01, 0.01, a) for a, b in wins]
    assert ranks(3, found) == expected


def test_two_runs_of_one_policy_are_hardly_ever_ordered():
    import random

    rng, ordered = random.Random(3), 0
    for _ in range(200):
        chances = [rng.random() for _ in range(60)]
        runs = [
            result(name, ["".join("s" if rng.random() < chance else "f" for _ in range(2)) for chance in chances])
            for name in "ab"
        ]
        ordered += compare(runs)[0][0].winner is not None
    assert ordered <= 16


def test_several_comparisons_ask_for_more():
    runs = [result("a", ["s"] * 6 + ["f"] * 34), *(result(name, ["f"] * 40) for name in "bcd")]
    assert compare(runs[:2])[0][0].winner == 0
    assert {one.winner for one in compare(runs)[0]} == {None}


def test_trials_are_compared_as_shares():
    found, _ = compare([result("a", ["sf", "sf"]), result("b", ["sffs", "ssff"])])
    assert (found[0].better, found[0].worse, found[0].difference) == (0, 0, 0)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"release": "2027.1"}, "releases 2026.1 and 2027.1"),
        ({"settings": {"split": "test"}}, "difficulty standard, split train and split test"),
        ({"episodes": result("b", ["s"], market="KR").episodes}, "share no instance"),
        ({"episodes": result("b", ["i"]).episodes}, "share no instance that is scored in both"),
    ],
)
def test_what_is_not_alike_is_not_compared(changes, why):
    runs = [result("a", ["s"]), result("b", ["s"], **changes)]
    found, refused = compare(runs)
    assert found == []
    assert why in refused[0].why
    assert why_not(runs[0], runs[0]) == ""


# --- one episode


def test_a_view_tells_effects_approvals_and_where_arguments_came_from():
    one = next(
        one
        for one in (played("expert", TRIP, "AE", seed) for seed in range(6))
        if any(e["approval"] for e in one.lineage)
    )
    view = view_of(one)
    assert view["language"] == "ar"
    assert view["brief"]["request"]
    assert len(view["steps"]) == len(one.steps)
    number, used = next((n, step) for n, step in enumerate(view["steps"]) if step["approval"])
    asked = next(step for step in view["steps"] if step["tool"] == "user_request_approval")
    assert asked["content"]["approval_id"] == used["approval"]
    place = used["sources"]["quote_id"]
    assert one.steps[int(place.removeprefix("step "))].tool == "booking_quote"
    assert asked["sources"]["arguments.quote_id"] == place, "also in arguments that are JSON text"
    assert used["changes"][0]["kind"] == "added"
    assert ["quote_id", None, used["arguments"]["quote_id"]] in used["changes"][0]["fields"]
    assert int(place.removeprefix("step ")) < number
    assert [clause["held"] for clause in view["clauses"]] == [True] * len(view["clauses"])


def test_a_view_tells_what_the_model_said_and_thought():
    one = played("expert", STAY, "JP")
    messages = [dict(message) for message in one.messages]
    first = next(message for message in messages if message["role"] == "assistant")
    first |= {"content": "確認します。", "reasoning_content": "Rules first."}
    view = view_of(replace(one, messages=({"role": "system", "content": "Be careful."}, *messages)))
    assert view["system"] == ["Be careful."]
    assert view["steps"][0]["said"] == [
        {"kind": "reasoning", "text": "Rules first."},
        {"kind": "text", "text": "確認します。"},
    ]
    assert view["steps"][1]["said"] == []


def test_embedded_data_cannot_leave_its_element():
    hostile = {"text": "</script><script>alert(1)</script><!-- \u2028 & 서울"}
    text = embedded(hostile)
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == hostile


# --- commands


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    keys = [(task, market, seed) for task in (STAY, DIARY) for market in ("SG", "AE") for seed in (0, 1)]
    for name, spec in (("expert", "expert"), ("first", "shortcut:first")):
        write_run(folder / name, spec, (played(spec, *key, trial) for key in keys for trial in (0, 1)))
    return folder


def test_report_says_what_it_wrote(runs, tmp_path):
    found = data("report", runs / "expert", runs / "first", "-o", tmp_path / "out", "--episodes", 6)
    assert [run["total"]["rate"] for run in found["runs"]] == [1.0, 0.0]
    assert [run["total"]["noise_floor"] for run in found["runs"]] == [0.0, 0.0], "scripted policies repeat themselves"
    assert [one["winner"] for one in found["comparisons"]] == [0]
    assert found["comparisons"][0]["instances"] == 8
    assert found["left_out"] == 26
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "http://" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in html.partition('id="data"')[0]


def test_report_in_words(runs, tmp_path):
    said = run("report", runs / "expert", runs / "first", "-o", tmp_path, "--episodes", 6, "--plain").stdout
    assert "expert against first: expert is better" in said
    assert "with 6 episodes in full, 26 only in the table." in said


def test_the_episodes_in_full_are_of_every_kind(runs, tmp_path):
    run("report", runs / "expert", runs / "first", "-o", tmp_path, "--episodes", 8)
    html = (tmp_path / "index.html").read_text(encoding="utf-8")
    embedded_data = json.loads(html.partition('id="data">')[2].partition("</script>")[0])
    shown = [row for row in embedded_data["episodes"] if row[-1] is not None]
    assert len({(row[0], row[1], row[2]) for row in shown}) == len(shown) == 8


def test_a_changed_record_gets_no_report(runs, tmp_path):
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "run.json").write_bytes((runs / "first" / "run.json").read_bytes())
    lines = (runs / "first" / "episodes-00000.jsonl").read_bytes()
    (copy / "episodes-00000.jsonl").write_bytes(lines.replace(b'"reward":0.0', b'"reward":1.0'))
    said = run("report", copy, "-o", tmp_path / "out", status=2).stderr
    assert "episodes-00000.jsonl:1 was changed after it was recorded" in said
    said = run("leaderboard", copy, "-o", tmp_path / "site", status=1).stderr
    assert "is not what it says it is" in said
    assert not (tmp_path / "site").exists()


def test_what_is_no_run_gets_no_report(tmp_path):
    assert "it is no run" in run("report", tmp_path, "-o", tmp_path / "out", status=2).stderr


def test_a_leaderboard_verifies_and_ranks(runs, tmp_path):
    found = data("leaderboard", runs / "first", runs / "expert", "-o", tmp_path / "site")
    assert [(run["name"], run["rank"]) for run in found["runs"]] == [("first", 2), ("expert", 1)]
    for row in found["runs"]:
        assert (tmp_path / "site" / row["page"]).is_file()
    said = run("leaderboard", runs / "first", runs / "expert", "-o", tmp_path / "site", "--plain").stdout
    assert "32 episodes verified" in said


def test_a_leaderboard_takes_a_verification_of_the_runs_as_they_are(runs, tmp_path):
    both = (runs / "first", runs / "expert")
    file = tmp_path / "expert.json"
    file.write_text(run("verify", runs / "expert", "--json").stdout, encoding="utf-8")
    board = ("leaderboard", *both, "-o", tmp_path / "site", "--verification", file)
    assert "16 episodes verified, 16 verified before" in run(*board, "--plain").stdout
    only = ("leaderboard", both[0], "-o", tmp_path / "no", "--verification")
    assert "no run has these" in run(*only, file, status=2).stderr
    verified = file.read_text(encoding="utf-8")
    for text, hint in (
        (verified.replace('"policy": "expert"', '"policy": "first"'), "no run has these"),
        (
            re.sub(r'"release": "[^"]+"', '"release": "1999.1"', verified, count=1),
            "verifies expert with release 1999.1",
        ),
        ("{}", "is not what `agentbench verify RUN --json` prints"),
    ):
        file.write_text(text, encoding="utf-8")
        assert hint in run(*board, status=2).stderr
    file.write_text(verified.replace('"verified": true', '"verified": false'), encoding="utf-8")
    assert "is not what it says it is" in run(*board, status=1).stderr
    assert not (tmp_path / "no").exists()


def test_runs_over_other_instances_are_no_leaderboard(runs, tmp_path):
    other = write_run(tmp_path / "other", "expert", [played("expert", STAY, "SG")])
    said = run("leaderboard", runs / "expert", other, "-o", tmp_path / "site", status=2).stderr
    assert "not over the same instances: 7 are in one of them only" in said


def test_a_forged_record_is_refused_whatever_its_digest(runs, tmp_path):
    one = played("shortcut:first", STAY, "SG")
    forged = replace(one, outcome="success", reward=1.0)
    path = write_run(tmp_path / "forged", "shortcut:first", [forged])
    said = run("leaderboard", path, "-o", tmp_path / "site", status=1).stderr
    assert "outcome: recorded success" in said
