"""The proof that one house is meant: reads what houses publish as any careful guest could, with rules of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations
from typing import TypeVar, cast

import msgspec

from agentbench_env.market import load_country
from agentbench_env.world import Record
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.texts import Stated
from agentbench_tasks.reservations.domain.places import Mark, Place
from agentbench_tasks.reservations.domain.registry import Certificate
from agentbench_tasks.reservations.domain.surface import Surface
from agentbench_tasks.reservations.domain.tables import Custom, SeatingBlock, Table

R = TypeVar("R", bound=Record)
Facts = dict[str, object]
_KINDS: tuple[type[Record], ...] = (Certificate, Custom, Mark, Page, Place, SeatingBlock, Section, Surface, Table)
_FAR = 900
_STAY_S, _SLOT_S = 2 * 3600, 1800
_HASTE = 30
_SEASON = re.compile(r"\.(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$")


class Asked(msgspec.Struct, frozen=True):
    """What the user asks for; `ceiling` in minor units, 0 for none."""

    landmark_id: str
    day: str
    today: str
    earliest: str
    latest: str
    party: int
    need: str
    ceiling: int
    tables_only: bool


class Goal(msgspec.Struct, frozen=True):
    """What is right: the one house, what stops the booking there (`none` where it can be held), and what proves it."""

    venue_id: str
    step: str
    proof_ids: tuple[str, ...]


def prove(asked: Asked, records: Sequence[Record]) -> Goal:
    """Find the one house that fits; raise NoFit if there is not exactly one."""
    town = _Town(asked, records)
    fitting = [Goal(id, town.step(id), ids) for id, ids in town.proven() if town.fits(id)]
    found = [goal for goal in fitting if goal.step == "none"] or fitting
    if len(found) != 1:
        raise NoFit
    return found[0]


class _Town:
    """What is published in a town, and who sits where."""

    def __init__(self, asked: Asked, records: Sequence[Record]) -> None:
        self._asked = asked
        self._kinds: dict[type[Record], list[Record]] = {kind: [] for kind in _KINDS}
        for record in records:
            if (kind := type(record)) in self._kinds:
                self._kinds[kind].append(record)
        self._places = {place.id: place for place in self._all(Place)}
        replaced = {page.supersedes for page in self._all(Page)}
        self._pages = [page for page in self._all(Page) if page.id not in replaced]
        self._sections: dict[str, list[Section]] = {}
        for section in self._all(Section):
            self._sections.setdefault(section.page_id, []).append(section)
        self._facts: dict[str, Facts] = {}

    def _all(self, kind: type[R]) -> list[R]:
        return cast(list[R], self._kinds[kind])

    # --- the need

    def proven(self) -> list[tuple[str, tuple[str, ...]]]:
        """The outlets whose own pages prove the need for the evening, with what proves it."""
        prefix = f"diet.{self._asked.need}."
        rows = {
            (fact.key, fact.value): row
            for row in self._all(Certificate)
            for fact in row.stated
            if fact.key.startswith(prefix) and self._is_valid(row)
        }
        found: dict[str, tuple[str, ...]] = {}
        for page in self._pages:
            if page.kind != "diet":
                continue
            for fact in self._stated_on(page):
                if fact.key != prefix + page.publisher:
                    continue
                row, value = rows.get((fact.key, fact.value)), str(fact.value)
                if row if value.startswith("certified") else self._is_declared(value):
                    found[page.publisher] = (page.id, row.id) if row else (page.id,)
        return list(found.items())

    def _stated_on(self, page: Page) -> Iterator[Stated]:
        return (fact for section in self._sections[page.id] for fact in section.stated)

    def _is_valid(self, row: Certificate) -> bool:
        until = row.valid_from <= self._asked.day <= row.valid_to
        return row.status == "valid" and row.scope != "named_menu" and until

    def _is_declared(self, value: str) -> bool:
        _, _, limit = value.partition(":")
        kind, _, bound = limit.partition(":")
        asked = self._asked
        match kind:
            case "":
                return True
            case "course":
                return date.fromisoformat(asked.today) + timedelta(int(bound)) <= date.fromisoformat(asked.day)
            case "from":
                return bound <= asked.day
            case _:
                return False

    # --- everything else

    def fits(self, id: str) -> bool:
        """Whether an outlet is near, affordable and open, and has room where its tables are sold on the web."""
        self._facts[id] = self._read(id)
        if not (self._is_near(id) and self._is_affordable(id) and self._is_open(id)):
            return False
        return self._route(id)[0] not in ("instant", "request") or self._has_room(id)

    def step(self, id: str) -> str:
        """What stops the party at an outlet."""
        self._facts.setdefault(id, self._read(id))
        return self._route(id)[1]

    def _read(self, id: str) -> Facts:
        facts = [fact for page in self._pages if page.publisher == id for fact in self._stated_on(page)]
        facts += [fact for surface in self._all(Surface) if surface.venue_id == id for fact in surface.stated]
        return {fact.key: fact.value for fact in facts}

    def _is_near(self, id: str) -> bool:
        mark = next(mark for mark in self._all(Mark) if mark.id == self._asked.landmark_id)
        east, north = (a - b for a, b in zip(self._places[id].point, mark.point, strict=True))
        return east * east + north * north <= _FAR * _FAR

    def _is_affordable(self, id: str) -> bool:
        if not self._asked.ceiling:
            return True
        mode, *rates = str(self._facts[id][f"charge_rule.{id}"]).split(":")
        service, fee, tax = (Fraction(int(rate), 100) for rate in rates)
        added = 1 + service + fee
        factor = {"final": Fraction(1), "each_on_net": added + tax}.get(mode, added * (1 + tax))
        return int(str(self._facts[id][f"price.{id}"])) * factor <= self._asked.ceiling

    def _route(self, id: str) -> tuple[str, str]:
        """How the party books, and which step stops it."""
        facts = self._facts[id]
        for key, mode in facts.items():
            found = re.fullmatch(rf"route\.{id}\.(\d+)-(\d+)", key)
            if found and int(found[1]) <= self._asked.party <= (int(found[2]) or self._asked.party):
                return str(mode), str(facts[key.replace("route", "step", 1)])
        raise NoFit

    # --- when it is open

    def _is_open(self, id: str) -> bool:
        asked, facts = self._asked, self._facts[id]
        scopes = {
            scope
            for key, scope in facts.items()
            if key.startswith("notice.") and _within(key.removeprefix(f"notice.{id}."), asked.day)
        }
        if scopes & {"all", "dinner"}:
            return False
        rows = {key: clock for key, clock in facts.items() if key.startswith(f"hours.{id}.dinner.")}
        seasons = {key.rpartition(".")[0] for key in rows if self._in_season(key)}
        regular = {key.rpartition(".")[0] for key in rows if not _SEASON.search(key.rpartition(".")[0])}
        if not seasons and self._has_day_off(id):
            return False
        last = _minutes(asked.latest) + _HASTE
        return any(
            str(rows[f"{row}.open"]) <= asked.earliest and last <= _minutes(str(rows[f"{row}.last_order_food"]))
            for row in seasons or regular
        )

    def _in_season(self, key: str) -> bool:
        found = _SEASON.search(key.rpartition(".")[0])
        return bool(found) and found[1] <= self._asked.day <= found[2]

    def _has_day_off(self, id: str) -> bool:
        day = date.fromisoformat(self._asked.day)
        country = self._places[id].country
        rules = {
            key.rpartition(".")[2]: str(value)
            for key, value in self._facts[id].items()
            if key.startswith(f"closed.{id}.") and value is not True
        }
        return any(_closes(kind, value, day, country) for kind, value in rules.items())

    # --- room

    def _has_room(self, id: str) -> bool:
        asked, zone = self._asked, self._places[id].zone
        customs = [one for one in self._all(Custom) if one.venue_id == id]
        if any(asked.day not in one.settled for one in customs):
            raise NoFit
        tables = [
            one
            for one in self._all(Table)
            if one.venue_id == id and one.online and (one.seating == "table" or not asked.tables_only)
        ]
        known = {one.id for one in tables}
        blocks = [one for one in self._all(SeatingBlock) if one.table_id in known]
        first, last = (to_instant(f"{asked.day}T{clock}", zone) for clock in (asked.earliest, asked.latest))
        return any(self._seats(tables, blocks, start) for start in range(first, last + 1, _SLOT_S))

    def _seats(self, tables: Sequence[Table], blocks: Sequence[SeatingBlock], start: int) -> bool:
        blocked = {one.table_id for one in blocks if one.start < start + _STAY_S and start < one.end}
        free = [one for one in tables if one.id not in blocked]
        return any(self._fit(group) for size in (1, 2, 3) for group in combinations(free, size))

    def _fit(self, group: tuple[Table, ...]) -> bool:
        party, most = self._asked.party, sum(table.seats_max for table in group)
        if len(group) == 1:
            return group[0].seats_min <= party <= most
        return party <= most and all(
            two.id in one.combinable_with for one in group for two in group if one.id != two.id
        )


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def _within(span: str, day: str) -> bool:
    first, _, last = span.partition("..")
    return first <= day <= last


def _closes(kind: str, value: str, day: date, country: str) -> bool:
    """Whether a rule, as a page of hours states it, closes a house on a day."""
    match kind:
        case "on_holidays":
            return day.isoformat() in value.split(",")
        case "period":
            return _within(value, day.isoformat())
        case "nth_weekday":
            weeks, weekdays = value.split(".")
            return _stands_in(day.isoweekday(), weekdays) and _stands_in((day.day - 1) // 7 + 1, weeks)
        case "weekly":
            weekdays, _, opens = value.partition(".")
            return _stands_in(day.isoweekday(), weekdays) and not (opens and _is_holiday(day, country))
        case _:
            before = day - timedelta(1)
            shifted = _stands_in(before.isoweekday(), value) and _is_holiday(before, country)
            return shifted or (_stands_in(day.isoweekday(), value) and not _is_holiday(day, country))


def _stands_in(number: int, numbers: str) -> bool:
    return str(number) in numbers.split(",")


def _is_holiday(day: date, country: str) -> bool:
    rows = load_country(country).holidays(day, day)
    return any(row.status == "confirmed" and "private" in row.applies_to for row in rows)
