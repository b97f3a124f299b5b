"""Draws: the same for the same key for ever, independent by name, and cut by split."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbench_env.draw import SPLITS, Draw, opaque_id, stable_number

KEYS = st.lists(st.text(max_size=8) | st.integers(), min_size=1, max_size=4)
OPTIONS = list(range(40))


def test_sequences_are_for_ever():
    draw = Draw("2026.1", "task", 7)
    assert [draw.int(0, 999) for _ in range(6)] == [801, 0, 218, 844, 338, 563]
    assert Draw("2026.1", "task", 7).stream("ids").id("msg") == "msg_ft5rssch"
    assert stable_number("a", 1) % 10**9 == 401943796


@settings(deadline=None)
@given(KEYS)
def test_it_draws_the_sequence_that_the_standard_library_documents(key):
    draw, twin = Draw(*key), random.Random(stable_number(*key))
    assert [draw.random() for _ in range(5)] == [twin.random() for _ in range(5)]


def test_a_draw_can_be_sent_before_and_after_its_first_draw():
    draw, twin = Draw("k"), random.Random(stable_number("k"))
    for _ in range(2):
        sent = pickle.loads(pickle.dumps(draw))
        assert sent.random() == draw.random() == twin.random()
    with pytest.raises(AttributeError, match="a Draw has no dice"):
        getattr(draw, "dice")  # noqa: B009


def test_nothing_global_matters():
    first = [Draw("k").random() for _ in range(3)]
    random.seed(1)
    np.random.seed(1)
    assert [Draw("k").random() for _ in range(3)] == first
    state = random.getstate()
    Draw("k").shuffled(OPTIONS)
    assert random.getstate() == state


@given(KEYS)
def test_the_same_key_draws_the_same(key):
    one, two = Draw(*key), Draw(*key)
    assert [one.random() for _ in range(5)] == [two.random() for _ in range(5)]
    assert one.shuffled(OPTIONS) == two.shuffled(OPTIONS)


def test_other_keys_and_streams_draw_otherwise():
    draws = [Draw("a", 1), Draw("a", 2), Draw("b", 1), Draw("a"), Draw("a", 1).stream("x"), Draw("a", 1).stream("y")]
    assert len({tuple(draw.int(0, 9) for _ in range(20)) for draw in draws}) == len(draws)


def test_a_stream_does_not_depend_on_what_was_drawn_before():
    one, two = Draw("k"), Draw("k")
    two.shuffled(OPTIONS)
    assert one.stream("x").random() == two.stream("x").random()
    assert one.stream("x").random() == one.stream("x").random()


@given(st.text(), st.integers(-100, 100), st.integers(0, 100))
def test_whole_numbers_stay_between_their_bounds(key, low, width):
    draw = Draw(key)
    assert all(low <= draw.int(low, low + width) <= low + width for _ in range(20))
    assert low <= draw.uniform(low, low + width) <= low + width


def test_every_option_can_be_drawn():
    draw = Draw("k")
    assert {draw.choice("abc") for _ in range(100)} == set("abc")
    assert {draw.int(1, 3) for _ in range(100)} == {1, 2, 3}
    assert {draw.chance(0.5) for _ in range(100)} == {True, False}
    assert not any(draw.chance(0) for _ in range(100))
    assert all(draw.chance(1) for _ in range(100))


def test_weights_are_kept():
    draw = Draw("k")
    counts = Counter(draw.weighted({"often": 0.9, "seldom": 0.1, "never": 0.0}) for _ in range(2000))
    assert 1700 < counts["often"] < 1900
    assert counts["never"] == 0


@given(st.text(), st.lists(st.integers(), max_size=12))
def test_shuffling_keeps_the_members(key, options):
    kept = list(options)
    assert sorted(Draw(key).shuffled(options)) == sorted(options)
    assert options == kept
    assert len(Draw(key).sample(options, 3)) == min(3, len(options))


def test_orders_are_drawn_evenly():
    counts = Counter(tuple(Draw(n).shuffled("abc")) for n in range(3000))
    assert len(counts) == 6
    assert all(400 < count < 600 for count in counts.values())


def test_ids_are_opaque_and_never_drawn_twice():
    draw = Draw("k")
    ids = [draw.id("msg") for _ in range(3000)]
    assert len(set(ids)) == len(ids)
    assert ids != sorted(ids)
    assert all(id.startswith("msg_") and len(id) == 12 and not set(id[4:]) & set("lo01") for id in ids)
    assert opaque_id("x", 0) == "x_aaaaaaaa"
    assert opaque_id("x", 2**40 + 5) == opaque_id("x", 5)


def test_pools_of_splits_are_disjoint_and_cover_everything():
    pools = {split: set(Draw("k", split=split).pool(OPTIONS)) for split in SPLITS}
    assert pools["train"] | pools["dev"] | pools["test"] == set(OPTIONS)
    assert sum(len(pools[split]) for split in ("train", "dev", "test")) == len(OPTIONS)
    assert pools["private"] == pools["test"]
    for split in SPLITS:
        assert {Draw(n, split=split).variant((0, 1, 2, 3)) for n in range(60)} <= pools[split]
        assert Draw("k", split=split).stream("x").split == split


def test_days_of_splits_are_of_other_weeks():
    first, last = date(2026, 1, 1), date(2026, 12, 31)
    weeks = {
        split: {Draw(n, split=split).day(first, last).toordinal() // 7 for n in range(200)}
        for split in ("train", "dev", "test")
    }
    assert weeks["train"].isdisjoint(weeks["dev"])
    assert weeks["train"].isdisjoint(weeks["test"])
    assert weeks["dev"].isdisjoint(weeks["test"])
    assert all(first <= Draw(n).day(first, last) <= last for n in range(50))


def test_numbers_depend_on_all_parts_and_their_borders():
    assert len({stable_number("ab"), stable_number("a", "b"), stable_number("b", "a"), stable_number("a")}) == 4
    assert stable_number(1) == stable_number("1")
