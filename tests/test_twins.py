"""Each fast path beside a slow, obvious twin that must give the same."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple
from showcase import MARKETS, TASK_ID, core, episode, expert_actions, make, run, solve
from travel_kit import Desk

import agentbench_env as ab
from agentbench_env.claims import MOST_SOURCES, Fact, sources_fault
from agentbench_env.draw import SPLITS, Draw, opaque_id
from agentbench_env.episode import Episode
from agentbench_env.errors import ToolError
from agentbench_env.instance import build_instance
from agentbench_env.money import Money, convert, digits, minor_text
from agentbench_env.world import Record, Start, World
from agentbench_tasks.commons.texts import Text, render
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.geography import points, rate_levels
from agentbench_tasks.travel.domain.prices import quote_lines
from agentbench_tasks.travel.domain.records import Bag, Charge, Fare, Tariff
from agentbench_tasks.travel.domain.two_leg.rules import fits_alone, pair_failures, single_failures

# --- the world: indexes over the start and an overlay, beside a plain dict of all records


class Cup(Record, frozen=True, gc=False):
    shelf: int
    colour: str


class Plate(Record, frozen=True, gc=False):
    shelf: int


CUPS = [Cup(f"cup_{n}", n % 3, "red" if n % 2 else "blue") for n in range(6)]
PLATES = [Plate(f"plt_{n}", n % 2) for n in range(3)]
RECORDS: dict[str, Record] = {record.id: record for record in (*CUPS[:3], *PLATES, *CUPS[3:])}


@dataclass
class PlainWorld:
    """Copies everything on every change."""

    states: list[dict[str, Record]] = field(default_factory=lambda: [dict(RECORDS)])

    @property
    def records(self) -> dict[str, Record]:
        return self.states[-1]

    def put(self, record: Record) -> None:
        self.states.append({**self.records, record.id: record})

    def remove(self, record: Record) -> None:
        self.states.append({id: other for id, other in self.records.items() if id != record.id})

    def of(self, kind: type[Record], **wanted: object) -> dict[str, Record]:
        return {
            id: record
            for id, record in self.records.items()
            if type(record) is kind and all(getattr(record, name) == value for name, value in wanted.items())
        }


NEW = st.builds(Cup, st.sampled_from(["cup_0", "cup_4", "cup_new"]), st.integers(0, 3), st.just("red"))
ACTS = st.lists(st.tuples(st.sampled_from(["put", "remove", "undo", "copy"]), NEW, st.integers(1, 4)), max_size=10)


@settings(max_examples=300)
@given(ACTS)
def test_the_world_answers_like_a_dict_of_all_records(acts: list[tuple[str, Cup, int]]) -> None:
    world = World(Start(RECORDS.values()), 0, "Asia/Seoul", "en", "key")
    plain = PlainWorld()
    for act, cup, back in acts:
        if act == "put":
            world.put(cup)
            plain.put(cup)
        elif act == "remove" and cup.id in plain.records:
            world.remove(cup)
            plain.remove(cup)
        elif act == "undo":
            mark = max(0, len(world.journal) - back)
            world.undo(mark)
            del plain.states[mark + 1 :]
        elif act == "copy":
            earlier, world = world, world.copy()
            earlier.put(Cup("cup_elsewhere", 0, "green"))
        assert {record.id: record for record in world.records()} == plain.records
        for kind in (Cup, Plate):
            assert {record.id: record for record in world.all(kind)} == plain.of(kind)
            for shelf in range(4):
                assert {record.id: record for record in world.where(kind, "shelf", shelf)} == plain.of(
                    kind, shelf=shelf
                )
        for id in (*RECORDS, "cup_new", "cup_elsewhere"):
            assert world.find(id) == plain.records.get(id)
        differing = {id for id in {*RECORDS, *plain.records} if RECORDS.get(id) != plain.records.get(id)}
        assert {change.id for change in world.diff()} == differing
        assert all(change.after == plain.records.get(change.id) for change in world.diff())


@pytest.mark.parametrize("market", MARKETS)
def test_tables_and_indexes_are_scans_of_the_start(market: str) -> None:
    start = build_instance(TASK_ID, market, "train", "standard", 1).world.start
    for kind in {type(record) for record in start.records.values()}:
        rows = [record for record in start.records.values() if type(record) is kind]
        assert list(start.table(kind)) == rows
        for name in kind.__struct_fields__:
            values = {getattr(record, name) for record in rows}
            expected = {value: tuple(r for r in rows if getattr(r, name) == value) for value in values}
            assert start.index(kind, name) == expected
    assert start.table(Plate) == ()


# --- an episode: what is kept step by step, beside what its lineage says


@cache
def solved(market: str) -> Episode:
    """The expert's episode."""
    env = make(market, 3)
    assert solve(env)["reward"] == 1
    return episode(env)


@pytest.mark.parametrize("market", MARKETS)
def test_what_was_shown_is_what_the_lineage_says(market: str) -> None:
    ep = solved(market)
    brief = ep.instance.brief("en", "stated").shown
    shown: dict[str, set[str] | None] = dict.fromkeys(brief)
    for row in (row for entry in ep.lineage for row in entry.shown):
        known = shown.setdefault(row.id, set())
        shown[row.id] = {*known, *row.keys} if known is not None and row.keys else None
    assert ep.shown == shown
    assert ep.seen_ids == [*brief, *(row.id for entry in ep.lineage for row in entry.shown)]
    assert ep.world.journal == [change for entry in ep.lineage for change in entry.changes]


@pytest.mark.parametrize("market", MARKETS)
def test_a_restored_or_forked_episode_is_the_same_calls_made_again(market: str) -> None:
    calls = expert_actions(market, 3)
    env, again = core(make(market, 3)), core(make(market, 3))
    run(again, calls)
    run(env, calls[:4])
    state, early, fork = env.snapshot(), env.lineage.head, env.fork()
    run(env, calls[4:])
    assert env.lineage.head == again.lineage.head
    env.restore(state)
    assert env.lineage.head == early == fork.lineage.head
    for other in (env, fork):
        run(other, calls[4:])
        assert other.lineage.export() == again.lineage.export()
        assert episode(other).world.digest() == episode(again).world.digest()
        assert other.verdict == again.verdict


def plain_sources_fault(ep: Episode, sources: Sequence[str], needs: Sequence[Fact], barred: Collection[str]) -> str:
    """Looks every fact up again for each source."""
    cited = list(dict.fromkeys(sources))
    most = max(MOST_SOURCES, len(needs) + 2)
    if len(cited) > most:
        return f"{len(cited)} sources, more than {most}"
    for source in cited:
        if source not in ep.shown:
            return f"what {source} says was never shown"
    for key, value in needs:
        if not any(source not in barred and ep.carries(source, key, value) for source in cited):
            stating = [source for source in cited if source not in barred and ep.stated(source, key) == value]
            unread = f", {stating[0]} only in a part that was never opened" if stating else ""
            return f"no source carries {key} = {value}{unread}"
    for source in cited:
        older = any(source in record.replaces(ep.world) for record in map(ep.record, cited) if record is not None)
        for key, value in needs:
            stated = ep.stated(source, key)
            if source not in barred and not older and stated is not None and stated != value:
                return f"{source} states {key} = {stated}, not {value}"
    return ""


class Notice(Record, frozen=True, gc=False):
    stated: tuple[Fact, ...]
    older: tuple[str, ...]

    def facts(self, world: World) -> dict[str, object]:
        return dict(self.stated)

    def replaces(self, world: World) -> tuple[str, ...]:
        return self.older


KEYS = st.sampled_from(["fee", "day"])
FACTS = st.tuples(KEYS, st.sampled_from([1, "1"]))
IDS = st.sampled_from(["one", "two", "gone"])
STATED = st.lists(FACTS, min_size=1, max_size=2).map(tuple)
NOTICES = st.lists(st.builds(Notice, IDS, STATED, st.lists(IDS, max_size=1).map(tuple)), max_size=4)
SHOWN = st.dictionaries(IDS, st.none() | st.sets(KEYS), min_size=2)
FEW_IDS = st.lists(IDS, max_size=4)


NEW_FEE, OLD_FEE = Notice("one", (("fee", 1),), ("two",)), Notice("two", (("fee", 2),), ())


@settings(max_examples=300)
@example([NEW_FEE, OLD_FEE], {"one": None, "two": None}, ["one", "two"], [("fee", 1)], [])
@example([NEW_FEE, OLD_FEE], {"one": None, "two": None}, ["one", "two"], [("fee", 2)], [])
@given(NOTICES, SHOWN, FEW_IDS, st.lists(FACTS, max_size=2), st.lists(IDS, max_size=1))
def test_sources_are_judged_as_fact_by_fact(
    notices: list[Notice], shown: dict[str, set[str] | None], sources: list[str], needs: list[Fact], barred: list[str]
) -> None:
    ep = Desk(*notices).ep
    ep.shown = shown
    assert sources_fault(ep, sources, needs, barred) == plain_sources_fault(ep, sources, needs, barred)


# --- prices


MONEY = st.integers(0, 10**9)
FARES = st.builds(
    Fare,
    id=st.just("fare_1"),
    service_id=st.just("svc_1"),
    carrier=st.just("L2J"),
    brand=st.just("Basic"),
    cabin=st.just("economy"),
    base=st.builds(Money, MONEY, st.just("SGD")),
    charges=st.lists(
        st.builds(Charge, st.just("tax"), st.just(()), MONEY, st.sampled_from([0, 2, 12])), max_size=3
    ).map(tuple),
    bag_pieces=st.integers(0, 2),
    bag_kg=st.sampled_from([0, 20, 23, 30]),
    refundable=st.booleans(),
    seats=st.just(9),
)
TARIFFS = st.builds(
    Tariff,
    id=st.just("trf_1"),
    carrier=st.just("L2J"),
    currency=st.just("SGD"),
    bags=st.sampled_from([(), ((15, 2000), (25, 4500)), ((20, 3000),)]),
    card_fee=st.integers(0, 2000),
    lock_fee=st.just(0),
    child_percent=st.sampled_from([50, 67, 75, 100]),
    hold_hours=st.just(24),
)


@given(
    FARES,
    TARIFFS,
    st.integers(1, 9),
    st.lists(st.integers(2, 11), max_size=8),
    st.lists(st.builds(Bag, st.integers(1, 30), st.integers(1, 4)), max_size=2),
    st.sampled_from(["none", "credit", "debit", "prepaid", "transfer"]),
)
def test_a_quote_is_the_sum_of_what_each_person_and_bag_costs(
    fare: Fare, tariff: Tariff, adults: int, child_ages: list[int], bags: list[Bag], card_type: str
) -> None:
    each = [Decimal(fare.base.minor)] * adults
    share = Decimal(tariff.child_percent) / 100
    each += [(fare.base.minor * share).quantize(Decimal(1), ROUND_HALF_UP) for _ in child_ages]
    total = sum(each, Decimal())
    for age in [99] * adults + child_ages:
        total += sum(charge.minor for charge in fare.charges if age >= charge.min_age)
        total += tariff.card_fee if card_type in ("credit", "debit", "prepaid") else 0
    free = fare.bag_pieces * (adults + len(child_ages))
    heavy = False
    for kg in (bag.kg for bag in bags for _ in range(bag.pieces)):
        if free and kg <= fare.bag_kg:
            free -= 1
        elif any(kg <= limit for limit, _ in tariff.bags):
            total += min(minor for limit, minor in tariff.bags if kg <= limit)
        else:
            heavy = True
    if heavy:
        with pytest.raises(ToolError, match="bag_too_heavy"):
            quote_lines(fare, tariff, adults, child_ages, bags, card_type)
    else:
        lines, sum_of_lines = quote_lines(fare, tariff, adults, child_ages, bags, card_type)
        assert sum_of_lines == Money(int(total), "SGD")
        assert sum(line.minor for line in lines) == total


@pytest.mark.parametrize("market", MARKETS)
@given(usd=st.floats(0.5, 20_000), step=st.sampled_from([1, 10, 50, 100, 1000]))
def test_prices_from_dollars_are_those_of_decimal_arithmetic(market: str, usd: float, step: int) -> None:
    home, levels = ab.load_market(market).currency, rate_levels(market)
    rates = Rates(Draw("rates", market), market, home)
    for currency in (home, *levels):
        per_usd = levels["USD"][0]
        if currency != home:
            level, unit, _ = levels[currency]
            per_usd = per_usd * unit / level
        price = Money.of((per_usd * Decimal(str(round(usd, 4)))).quantize(Decimal(1)), currency)
        assert rates.from_usd(usd, currency, step) == max(step, round(price.minor / step) * step)


@given(st.integers(-(10**12), 10**12), st.integers(0, 3))
def test_minor_units_are_written_as_decimal_writes_them(minor: int, places: int) -> None:
    assert minor_text(minor, places) == f"{Decimal(minor).scaleb(-places):.{places}f}"


@given(
    MONEY, st.decimals("0.0001", "2000", places=4), st.sampled_from([1, 100]), st.sampled_from(["KRW", "SGD", "KWD"])
)
def test_conversion_rounds_the_exact_product_once(minor: int, rate: Decimal, unit: int, currency: str) -> None:
    exact = Decimal(minor) / 100 * rate / unit * 10 ** digits(currency)
    assert convert(Money(minor, "SGD"), rate, unit, currency).minor == exact.quantize(Decimal(1), ROUND_HALF_UP)


# --- draws and instances


@given(st.dates(date(2026, 1, 1), date(2026, 12, 31)), st.integers(28, 200), st.sampled_from(SPLITS), st.integers())
def test_days_are_drawn_from_the_weeks_of_the_split(first: date, length: int, split: Any, key: int) -> None:
    quarters = {"train": (0, 1), "dev": (2,), "test": (3,), "private": (3,)}[split]
    days = [first + timedelta(n) for n in range(length + 1)]
    own = [day for day in days if day.toordinal() // 7 % 4 in quarters]
    for _ in range(2):
        drawn = Draw(key, split=split).day(first, days[-1])
        assert drawn == own[int(Draw(key, split=split).random() * len(own))]


@given(st.integers(0, 2**60))
def test_ids_are_base_32_digits_of_the_low_40_bits(number: int) -> None:
    letters = "abcdefghijkmnpqrstuvwxyz23456789"
    pairs = [number >> shift & 1023 for shift in (0, 10, 20, 30)]
    assert opaque_id("msg", number) == "msg_" + "".join(letters[pair >> 5] + letters[pair & 31] for pair in pairs)


@pytest.mark.parametrize("market", MARKETS)
@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
def test_the_proof_finds_the_pairs_that_brute_force_finds(market: str, difficulty: Any) -> None:
    for seed in range(3):
        built = build_instance(TASK_ID, market, "train", difficulty, seed).case.built
        options, wish, now = built.inventory.options, built.wish, built.plot.now
        for option in options:
            assert fits_alone(option, wish, now) is (not single_failures(option, wish, now))
        right = {
            (one.fare.id, two.fare.id)
            for one in options
            for two in options
            if (one.leg, two.leg) == (1, 2)
            and not single_failures(one, wish, now)
            | single_failures(two, wish, now)
            | pair_failures(one, two, wish, points())
        }
        assert built.right == right
        for option in options:
            assert option == built.inventory.price(option.leg, option.service, option.fare)


@pytest.mark.parametrize("market", MARKETS)
def test_texts_read_the_same_from_the_cache(market: str) -> None:
    records = build_instance(TASK_ID, market, "train", "standard", 1).world.records()
    texts = {value for record in records for value in astuple(record) if isinstance(value, Text)}
    assert texts
    for text in texts:
        assert render(text) == render(text) == render.__wrapped__(text)


def test_a_kept_instance_is_the_one_that_is_drawn_again() -> None:
    first = build_instance(TASK_ID, MARKETS[0], "train", "standard", 5)
    assert build_instance(TASK_ID, MARKETS[0], "train", "standard", 5) is first
    build_instance.cache_clear()
    again = build_instance(TASK_ID, MARKETS[0], "train", "standard", 5)
    assert again is not first
    assert again.digest == first.digest
