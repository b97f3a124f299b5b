"""The world: records, journal, undo, copies, digests and the clock."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from toy_shop import Account, Draft, Offer, Order

from agentbench_env.errors import ToolError
from agentbench_env.world import Change, Start, World, canonical, content_digest
from agentbench_env.zones import to_instant

NOW = to_instant("2026-05-04T09:30", "Asia/Tokyo")


def offers(*prices: int) -> list[Offer]:
    return [Offer(f"ofr_{n}", "lamp" if n % 2 else "kettle", price, "SGD", True) for n, price in enumerate(prices)]


def world_of(*records) -> World:
    return World(Start(records), NOW, "Asia/Tokyo", "en", "key", {"page_size": 3})


def test_records_are_found():
    one, two, three = offers(1, 2, 3)
    world = world_of(one, Account("acc", False), two, three)
    assert world.find("ofr_1") is two
    assert world.find("no such") is None
    assert world.get(Offer, "ofr_1") is two
    assert world.all(Offer) == [one, two, three]
    assert world.where(Offer, "item", "kettle") == [one, three]
    assert world.where(Offer, "item", "chair") == []
    assert world.all(Order) == []
    assert world.records() == [one, Account("acc", False), two, three]


@pytest.mark.parametrize("id", ["no such", "acc"])
def test_an_unknown_id_or_another_kind_is_refused(id):
    with pytest.raises(ToolError) as caught:
        world_of(*offers(1), Account("acc", False)).get(Offer, id, "offer_id")
    assert (caught.value.code, caught.value.field) == ("unknown_id", "offer_id")
    assert caught.value.hint


def test_changes_are_journalled_and_seen():
    one, two = offers(1, 2)
    world = world_of(one, two)
    dearer = msgspec.structs.replace(one, price=9)
    draft = Draft("drf", one.id, 2)
    world.put(dearer)
    world.remove(two)
    assert world.put(draft) is draft
    assert world.journal == [
        Change("Offer", one.id, one, dearer),
        Change("Offer", two.id, two, None),
        Change("Draft", draft.id, None, draft),
    ]
    assert world.all(Offer) == [dearer]
    assert world.where(Offer, "price", 9) == [dearer]
    assert world.where(Offer, "price", 1) == []
    assert (world.find(two.id), world.find(draft.id)) == (None, draft)
    assert world.start.records == {one.id: one, two.id: two}


def test_undo_takes_back_the_last_changes():
    one, two = offers(1, 2)
    world = world_of(one, two)
    start = world.digest()
    world.put(msgspec.structs.replace(one, price=9))
    middle, mark = world.digest(), len(world.journal)
    world.put(msgspec.structs.replace(one, price=10))
    world.remove(two)
    world.put(Draft("drf", one.id, 1))
    world.remove(Draft("drf", one.id, 1))
    world.undo(mark)
    assert world.digest() == middle
    assert (world.get(Offer, one.id).price, len(world.journal)) == (9, mark)
    world.undo(0)
    assert (world.digest(), world.journal) == (start, [])
    assert world.all(Offer) == [one, two]


def test_a_difference_is_told_once_a_record():
    one, two, three = offers(1, 2, 3)
    world = world_of(one, two, three)
    for price in (5, 6, 7):
        world.put(msgspec.structs.replace(one, price=price))
    world.put(msgspec.structs.replace(two, price=8))
    world.put(two)
    world.put(Draft("drf", one.id, 1))
    world.remove(Draft("drf", one.id, 1))
    world.remove(three)
    assert world.diff() == [
        Change("Offer", one.id, one, msgspec.structs.replace(one, price=7)),
        Change("Offer", three.id, three, None),
    ]


def test_stamps_are_no_change():
    world = world_of(*offers(1))
    before = world.digest()
    note = world.stamp(Draft("ans", "", 0))
    assert world.find("ans") is note
    assert (world.digest(), world.journal) == (before, [])


def test_copies_share_records_and_nothing_else():
    one, two = offers(1, 2)
    world = world_of(one, two)
    world.put(msgspec.structs.replace(one, price=5))
    world.new_id("drf")
    for twin in (world.copy(), copy.deepcopy(world), pickle.loads(pickle.dumps(world))):
        assert twin.digest() == world.digest()
        assert twin.new_id("drf") == world.copy().new_id("drf")
        before = world.digest()
        twin.put(Draft("drf", two.id, 1))
        twin.elapsed_ms += 5000
        twin.stamp(Draft("ans", "", 0))
        assert (world.digest(), world.now, world.find("ans"), len(world.journal)) == (before, NOW, None, 1)
    assert world.copy().find(two.id) is two


def test_restoring_takes_over_the_state_of_another():
    world = world_of(*offers(1, 2))
    saved = world.copy()
    world.remove(world.all(Offer)[0])
    world.elapsed_ms = 90_000
    first = world.new_id("drf")
    world.restore(saved)
    assert (world.digest(), world.now, world.journal) == (saved.digest(), NOW, [])
    assert world.new_id("drf") == first


def test_ids_depend_on_the_world_and_what_they_are_for():
    world, other = world_of(), World(Start([]), NOW, "Asia/Tokyo", "en", "another key")
    ids = [world.new_id("drf") for _ in range(50)]
    assert len(set(ids)) == 50
    assert ids != sorted(ids)
    assert set(ids).isdisjoint(other.new_id("drf") for _ in range(50))
    assert world.stamp_id("ans", "bag", 1) == world.copy().stamp_id("ans", "bag", 1)
    assert world.stamp_id("ans", "bag", 1) not in {
        world.stamp_id("ans", "bag", 2),
        other.stamp_id("ans", "bag", 1),
        world.stamp_id("apr", "bag", 1),
    }


def test_the_clock_is_the_users():
    world = world_of()
    assert (world.now, world.now_iso, world.today) == (NOW, "2026-05-04T09:30:00+09:00", "2026-05-04")
    world.elapsed_ms = 61_999
    assert (world.now, world.now_iso) == (NOW + 61, "2026-05-04T09:31:01+09:00")
    world.elapsed_ms = 15 * 3600 * 1000
    assert world.today == "2026-05-05"


def test_digests_and_canonical_bytes():
    one, two = offers(1, 2)
    assert world_of(one, two).digest() == world_of(two, one).digest()
    assert world_of(one, two).digest() != world_of(one).digest()
    assert canonical({"b": 1, "a": [True, None, "ä"]}) == '{"a":[true,null,"ä"],"b":1}'.encode()
    assert content_digest(Draft("x", "y", 1)) != content_digest(Order("x", "y", 1))
    assert content_digest(one) != content_digest(msgspec.structs.replace(one, price=7))
    with pytest.raises(AttributeError):
        one.price = 2  # type: ignore[misc]


class Worlds(RuleBasedStateMachine):
    """A world beside the obvious thing: a dict, and a list of older dicts to go back to."""

    def __init__(self) -> None:
        super().__init__()
        records = offers(1, 2, 3, 4)
        self.world = world_of(*records)
        self.rows: dict[str, Offer] = {record.id: record for record in records}
        self.marks = [(0, dict(self.rows))]

    @rule(number=st.integers(0, 7), price=st.integers(0, 3))
    def put(self, number, price):
        record = Offer(f"ofr_{number}", "lamp", price, "SGD", True)
        self.world.put(record)
        self.rows[record.id] = record

    @rule(data=st.data())
    def remove(self, data):
        if self.rows:
            id = data.draw(st.sampled_from(sorted(self.rows)))
            self.world.remove(self.rows.pop(id))

    @rule()
    def mark(self):
        self.marks.append((len(self.world.journal), dict(self.rows)))

    @rule()
    def undo(self):
        mark, rows = self.marks[-1]
        self.world.undo(mark)
        self.rows = dict(rows)

    @rule()
    def go_on_in_a_copy(self):
        self.world = self.world.copy()

    @invariant()
    def same_records(self):
        found = {record.id: record for record in self.world.all(Offer)}
        assert found == self.rows
        assert {record.id for record in self.world.records()} == self.rows.keys()
        for price in range(4):
            wanted = {id for id, record in self.rows.items() if record.price == price}
            assert {record.id for record in self.world.where(Offer, "price", price)} == wanted
        assert self.world.digest() == world_of(*self.rows.values()).digest()
        changed = {change.id for change in self.world.diff()}
        start = self.world.start.records
        assert changed == {id for id in start.keys() | self.rows if start.get(id) != self.rows.get(id)}


Worlds.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestWorlds = Worlds.TestCase
