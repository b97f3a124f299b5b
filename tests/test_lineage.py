"""The lineage: chained, tamper-evident, exportable, and able to say where a value came from."""

from __future__ import annotations

import copy
import json
import pickle
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from showcase import MARKETS, core, episode, expert_actions, make, seed_of, solve, wants_holds
from toy_shop import Offer

from agentbench_env.lineage import Entry, Lineage, Shown
from agentbench_env.world import Change

TEXTS = st.text(max_size=12)


def solved(market: str = "SG") -> Lineage:
    env = make(market, 0)
    solve(env)
    return core(env).lineage


def chain(contents: list[str]) -> Lineage:
    lineage = Lineage("brief")
    for index, content in enumerate(contents):
        digest = sha256(content.encode()).hexdigest()
        entry = Entry(index, index, "assistant", "tool", "{}", "", "read", digest, (), (), "", lineage.head)
        lineage._append(entry, content)
    return lineage


@pytest.mark.parametrize("market", MARKETS)
def test_entries_are_chained(market):
    lineage = solved(market)
    assert lineage.verify()
    previous = sha256(lineage.content(-1).encode()).hexdigest()
    for index, entry in enumerate(lineage):
        assert (entry.index, entry.previous, entry.actor) == (index, previous, "assistant")
        assert entry.digest == sha256(lineage.content(index).encode()).hexdigest()
        previous = entry.hash
    assert lineage.head == previous
    assert [entry.at for entry in lineage] == sorted(entry.at for entry in lineage)


OTHER: dict[str, Any] = {
    "index": 99,
    "at": 1,
    "actor": "user",
    "tool": "booking_get",
    "arguments": '{"x":1}',
    "error": "unknown_id",
    "effect": "commit",
    "digest": "0" * 64,
    "shown": (Shown("page_22222222", ()),),
    "changes": (Change("Offer", "x", None, Offer("x", "lamp", 1, "SGD", True)),),
    "approval": "apr_22222222",
    "previous": "0" * 64,
    "hash": "0" * 64,
}


@pytest.mark.parametrize("field", Entry.__struct_fields__)
def test_a_change_of_any_field_is_detected(field):
    for index in (0, -1):
        lineage = solved()
        entry = lineage[index]
        assert getattr(entry, field) != OTHER[field]
        lineage._entries[index] = msgspec.structs.replace(entry, **{field: OTHER[field]})
        assert not lineage.verify()


def test_sealing_a_changed_entry_anew_is_detected_by_the_next():
    lineage = solved()
    lineage._entries[3] = msgspec.structs.replace(lineage[3], tool="booking_get", hash="").sealed()
    assert not lineage.verify()


def test_changed_results_and_briefs_are_detected():
    for place in (0, 4, -1):
        lineage = solved()
        lineage._contents[place] += " "
        assert not lineage.verify()


@settings(max_examples=30, deadline=None)
@given(st.lists(TEXTS, min_size=2, max_size=8), st.data())
def test_dropped_doubled_and_moved_entries_are_detected(contents, data):
    lineage = chain(contents)
    assert lineage.verify()
    index = data.draw(st.integers(0, len(contents) - 1))
    for change in ("drop", "double", "swap"):
        twin = lineage._copy()
        if change == "drop":
            del twin._entries[index]
        elif change == "double":
            twin._entries.insert(index, twin._entries[index])
            twin._contents.insert(index + 1, twin._contents[index + 1])
        else:
            other = (index + 1) % len(contents)
            twin._entries[index], twin._entries[other] = twin._entries[other], twin._entries[index]
        assert not twin.verify()
    assert lineage.verify()


def test_copies_grow_apart():
    lineage = chain(["a", "b"])
    for twin in (lineage._copy(), copy.deepcopy(lineage), pickle.loads(pickle.dumps(lineage))):
        assert twin.head == lineage.head
        digest = sha256(b"c").hexdigest()
        twin._append(Entry(2, 2, "assistant", "tool", "{}", "", "", digest, (), (), "", twin.head), "c")
        assert twin.verify()
        assert (len(twin), len(lineage)) == (3, 2)


def test_a_policy_cannot_write_into_it():
    lineage = solved()
    with pytest.raises(TypeError):
        lineage[0] = lineage[1]  # type: ignore[index]
    with pytest.raises(AttributeError):
        lineage.entries = []  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        lineage[0].tool = "x"  # type: ignore[misc]


def test_an_export_is_plain_json():
    lineage = solved()
    rows = json.loads(json.dumps(lineage.export()))
    assert len(rows) == len(lineage)
    assert rows[0].keys() == set(Entry.__struct_fields__)
    assert [row["hash"] for row in rows] == [entry.hash for entry in lineage]
    assert rows[-1]["tool"] == "task_finish"


def test_what_an_entry_says():
    env = make("SG", seed_of(wants_holds))
    solve(env)
    lineage = core(env).lineage
    holds = [entry for entry in lineage if entry.tool == "booking_hold"]
    asked = [entry for entry in lineage if entry.tool == "user_request_approval"]
    assert [entry.effect for entry in holds] == ["hold", "hold"]
    assert [entry.approval for entry in holds] == [
        json.loads(lineage.content(entry.index))["approval_id"] for entry in asked
    ]
    for entry in holds:
        ((change,), (shown,)) = entry.changes, entry.shown
        assert (change.table, change.before) == ("FareHold", None)
        assert change.id == shown.id == json.loads(lineage.content(entry.index))["hold_id"]
    assert all(entry.changes == () for entry in lineage if entry.effect == "read")
    assert all(entry.ok for entry in lineage)


def test_refused_and_malformed_calls_are_entries_too():
    env = make("SG", 0)
    actions = ["talk", {"tool": "papers_get", "arguments": {"paper_id": "x"}}, {"tool": "papers_get", "arguments": {}}]
    for action in [*actions, "x" * 5000]:
        env.step(action)
    first, refused, missing, long = core(env).lineage
    assert (first.tool, refused.tool, missing.tool, long.tool) == ("", "papers_get", "papers_get", "")
    assert (first.error, refused.error, missing.error) == ("invalid_action", "unknown_id", "invalid_argument")
    assert json.loads(refused.arguments)["paper_id"] == "x"
    assert json.loads(missing.arguments) == actions[2]
    assert json.loads(long.arguments) == {"sha256": sha256(b"x" * 5000).hexdigest()}
    assert not any(entry.ok or entry.effect or entry.changes or entry.shown for entry in core(env).lineage)
    assert core(env).lineage.verify()


# --- provenance


def test_provenance_says_where_values_were_first_seen():
    env = make("SG", 0)
    for action in expert_actions("SG", 0):
        env.step(action)
    lineage = core(env).lineage
    quotes = [entry for entry in lineage if entry.tool == "booking_quote"]
    for quote in quotes:
        place = lineage.provenance(quote.index)["object_id"]
        first = int(place.removeprefix("step "))
        fare_id = json.loads(quote.arguments)["object_id"]
        assert fare_id in lineage.content(first)
        assert not any(fare_id in lineage.content(index) for index in range(-1, first))
    answer = lineage.provenance(len(lineage) - 1)
    saved = next(entry.index for entry in lineage if entry.tool == "plan_save")
    assert answer["plan_id"] == f"step {saved}"
    assert {place for path, place in answer.items() if ".sources." in path} <= {f"step {n}" for n in range(saved)}


def test_provenance_of_what_was_made_up():
    env = make("SG", 0)
    paper = json.loads(core(env).lineage.content(-1))["profile"]["paper_id"]
    env.step({"tool": "papers_get", "arguments": {"paper_id": paper}})
    env.step({"tool": "papers_get", "arguments": {"paper_id": paper[:-1]}})
    env.step({"tool": "user_ask", "arguments": {"topic": "other", "question": "Surely zebras?"}})
    lineage = core(env).lineage
    assert lineage.provenance(0)["paper_id"] == "brief"
    assert lineage.provenance(1)["paper_id"] == "nowhere"
    assert lineage.provenance(2)["question"] == "nowhere"


@settings(max_examples=80, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=10), TEXTS, TEXTS)
def test_provenance_finds_any_text_in_a_result(value, before, after):
    lineage = Lineage("{}")
    content = json.dumps([before, value, after], ensure_ascii=False)
    digest = sha256(content.encode()).hexdigest()
    lineage._append(Entry(0, 0, "assistant", "t", "{}", "", "", digest, (), (), "", lineage.head), content)
    arguments = json.dumps({"a": {"b": [value]}})
    lineage._append(Entry(1, 0, "assistant", "t", arguments, "", "", digest, (), (), "", lineage.head), content)
    assert lineage.provenance(1) == {"a.b.0": "step 0"} or value in "{}"


def test_the_lineage_of_an_episode_is_its_own():
    env = make("SG", 0)
    env.step({"tool": "papers_list"})
    old = core(env).lineage
    env.reset(seed=0)
    assert len(old) == 1
    assert len(core(env).lineage) == 0
    assert core(env).lineage.head == sha256(core(env).lineage.content(-1).encode()).hexdigest()
    assert episode(env).lineage is core(env).lineage
