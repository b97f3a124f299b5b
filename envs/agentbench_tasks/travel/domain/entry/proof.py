"""What the pages of a world really say of a traveller's journey: read from the pages alone, for comparison."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from agentbench_env.world import Record
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.travel.domain.entry.plot import Plot
from agentbench_tasks.travel.domain.entry.rules import AIRSIDE, BORDER, Gap, Item, parse_value
from agentbench_tasks.travel.domain.entry.rules import Value as RuleValue
from agentbench_tasks.travel.domain.geography import country_of


class Finding(msgspec.Struct, frozen=True):
    """What the official pages in force say of an item: a value, or a gap; and where.

    `stating` are the ids of pages and sections that state the traveller's value, `bearing` groups of ids of pages and
    sections that leave the point open, of each of which one must be cited.
    """

    value: RuleValue | None
    gap: Gap | None
    stating: tuple[tuple[str, str], ...] = ()
    bearing: tuple[tuple[str, ...], ...] = ()


def prove(records: Sequence[Record], plot: Plot) -> dict[Item, Finding]:
    """Find what is to be answered from the flights, and what the pages say of it."""
    pages = {record.id: record for record in records if isinstance(record, Page)}
    sections = [record for record in records if isinstance(record, Section)]
    replaced = {page.supersedes for page in pages.values()}
    today = plot.today.isoformat()
    in_force = {
        id
        for id, page in pages.items()
        if page.official and not page.mark and id not in replaced and page.effective_from <= today
        if not page.effective_to or page.effective_to > today
    }
    standing = [section for section in sections if section.page_id in in_force]
    found: dict[Item, Finding] = {}
    for number, flight in enumerate(plot.flights):
        onward = plot.flights[number + 1] if number + 1 < len(plot.flights) else None
        stays_in = onward is not None and onward.ticket == flight.ticket and onward.start == flight.end
        arrival = next(stop.arrival_day for stop in plot.stops if stop.country == country_of(flight.end))
        for requirement in AIRSIDE if stays_in else BORDER:
            item = Item(country_of(flight.end), requirement)
            found[item] = _judge(item, plot, standing, pages, arrival)
    return found


def _judge(item: Item, plot: Plot, standing: list[Section], pages: dict[str, Page], arrival: date) -> Finding:
    key = item.key(plot.nationality)
    about = [(s, {fact.key: fact.value for fact in s.stated}) for s in standing]
    about = [(s, facts) for s, facts in about if any(name.startswith(f"{item.about}.") for name in facts)]
    firm = [(s, facts) for s, facts in about if f"{item.about}.yields" not in facts]
    stating = [(s, facts) for s, facts in firm if key in facts]
    gaps: list[Gap] = []
    if any(f"{item.about}.open" in facts for _, facts in firm):
        gaps.append("discretion")
    if any(str(facts.get(f"{item.about}.revised", "9999")) <= arrival.isoformat() for _, facts in firm):
        gaps.append("under_revision")
    covered = [facts for _, facts in stating if facts[f"{item.about}.covers"] == "emergency"]
    if stating and plot.document == "emergency" and not covered:
        gaps.append("silent")
    if any(str(facts.get(f"{key}.until", "9999")) < arrival.isoformat() for _, facts in stating):
        gaps.append("expires_before_travel")
    values = {str(facts[key]) for _, facts in stating}
    if len(values) > 1:
        gaps.append("conflict")
    if len(gaps) > 1 or (not gaps and len(values) != 1):
        raise ValueError(f"{item} is open in more ways than one or not at all: {gaps}, {values}")
    value = parse_value(values.pop()) if not gaps else None
    places = tuple((s.page_id, s.id) for s, facts in about if value and facts.get(key) == str(value))
    return Finding(
        value, gaps[0] if gaps else None, places, _bearing(firm, pages, bool(gaps) and gaps[0] == "conflict")
    )


def _bearing(
    firm: Sequence[tuple[Section, object]], pages: dict[str, Page], apart: bool
) -> tuple[tuple[str, ...], ...]:
    """Group what bears on an item: all together, or by publisher where publishers differ."""
    groups: dict[str, list[str]] = {}
    for section, _ in firm:
        groups.setdefault(pages[section.page_id].publisher if apart else "", []).extend((section.page_id, section.id))
    return tuple(tuple(dict.fromkeys(ids)) for ids in groups.values())
