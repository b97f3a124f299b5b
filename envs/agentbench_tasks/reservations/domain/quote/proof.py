"""The proof of an enquiry: reads the hidden records by itself and derives the firm, the values and the window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.quote.goal import Goal
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact
from agentbench_tasks.reservations.domain.quote_page import QuoteGuide

_MOVE = {"from_floor": (0, "floor"), "from_lift": (0, "lift"), "to_floor": (1, "floor"), "to_lift": (1, "lift")}
_FARTHEST = 40


class Said(msgspec.Struct, frozen=True):
    """What the user says, when asked too."""

    trade: str
    district_id: str
    skill: str
    free: tuple[tuple[date, int, int], ...]
    today: date
    values: Mapping[str, str | int | bool]
    language: str


def prove(said: Said, records: Iterable[Record]) -> Goal:
    """Return what the records lead to; raise NoFit if that is not one thing alone."""
    places: dict[str, Place] = {}
    guides: list[QuoteGuide] = []
    papers: list[Paper] = []
    for record in records:
        match record:
            case Place():
                places[record.id] = record
            case QuoteGuide():
                guides.append(record)
            case Paper():
                papers.append(record)
            case _:
                pass
    fitting = [
        guide
        for guide in guides
        if guide.trade == said.trade
        and said.skill in guide.capabilities
        and said.district_id in places[guide.firm_id].covers
    ]
    if len(fitting) != 1:
        raise NoFit
    guide = fitting[0]
    active = [paper for paper in papers if paper.status == "active"]
    values = _values(said, active)
    asked = [key for key in guide.keys if key != "visit_slot"]
    return Goal(
        guide.firm_id,
        guide.channel,
        places[guide.firm_id].working_languages,
        tuple(QuoteFact(key, values[key]) for key in asked if key in values),
        frozenset(key for key in asked if key not in values),
        _window(said, active, guide.visit_days),
    )


def _values(said: Said, active: Sequence[Paper]) -> dict[str, str | int | bool]:
    """What each key is today: of several papers on a machine, those of the machine that the list of appliances has."""
    values: dict[str, str | int | bool] = {}
    homes = sorted((paper for paper in active if paper.kind == "dwelling"), key=lambda paper: paper.issued_on)
    noted = [{fact.key.split(".")[2]: fact.value for fact in paper.stated} for paper in homes]
    for row in noted[:1]:
        values.update({key: _plain(value) for key, value in row.items()})
    for key, (number, name) in _MOVE.items():
        if number < len(noted) and name in noted[number]:
            values[key] = _plain(noted[number][name])
    thing: str = shared_table(f"text/{said.language}/household")["things"][said.trade]
    mine = [paper for paper in active if thing in paper.title]
    of_today = {fact.key.split(".")[1] for paper in mine for fact in paper.stated if paper.kind in ("asset", "note")}
    if len(of_today) > 1:
        raise NoFit
    # Newer papers last: what an old invoice counts has changed since.
    for paper in sorted(mine, key=lambda paper: paper.issued_on):
        for fact in paper.stated:
            _, machine, key = fact.key.split(".")
            if machine in of_today:
                values[key] = _plain(fact.value)
    rule = next(paper for paper in active if paper.kind == "building_rule")
    hours = [str(fact.value) for fact in rule.stated if fact.key.split(".")[2] == "hours"]
    values["office_hours"] = hours[0]
    return {**values, **said.values}


def _window(said: Said, active: Sequence[Paper], visit_days: Sequence[int]) -> QuoteFact:
    """Try one hour after another."""
    rule = next(paper for paper in active if paper.kind == "building_rule")
    told = {fact.key.split(".", 2)[2]: fact.value for fact in rule.stated}
    notice = told["notice_days"]
    assert isinstance(notice, int)
    for ahead in range(notice, _FARTHEST):
        day = said.today + timedelta(ahead)
        work = _hours(str(told[f"hours.{day.isoweekday()}"]))
        own = {hour for free, opens, closes in said.free if free == day for hour in range(opens, closes)}
        both = work & own if day.isoweekday() in visit_days else set[int]()
        for hour in sorted(both):
            if hour + 1 in both:
                return QuoteFact("visit_slot", f"{day.isoformat()}T{hour:02}:00/{hour + 2:02}:00")
    raise NoFit


def _hours(text: str) -> set[int]:
    spans = (span.split("-") for span in text.split(",") if span)
    return {hour for opens, closes in spans for hour in range(int(opens[:2]), int(closes[:2]))}


def _plain(value: object) -> str | int | bool:
    assert isinstance(value, str | int | bool)
    return value
