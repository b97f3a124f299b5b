"""What the web says of entry rules: authorities, missions and airports, older versions, drafts, agencies and forums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.texts import DateSlot
from agentbench_tasks.travel.domain.entry import lines
from agentbench_tasks.travel.domain.entry.lines import FILE, Line, Tail, country_name, section_text
from agentbench_tasks.travel.domain.entry.plot import Plot, Stop, other_values
from agentbench_tasks.travel.domain.entry.rules import Country, Item, Requirement, Value, country, plain_kind
from agentbench_tasks.travel.domain.geography import city_name, points, static_id
from agentbench_tasks.travel.domain.publishing import language_at
from agentbench_tasks.travel.domain.records import name_in

ENTRY: tuple[Requirement, ...] = ("visa_or_stay", "passport_validity")
ARRIVAL: tuple[Requirement, ...] = ("prearrival",)


class Traps(msgspec.Struct, frozen=True):
    """The settled items of which some page that does not count says something else."""

    superseded: Item | None = None
    stale_language: Item | None = None
    draft: Item | None = None
    mission_yields: Item | None = None


class Publisher(msgspec.Struct, frozen=True, gc=False):
    """Who publishes a page."""

    id: str
    name: str
    kind: str
    official: bool = True


class Library:
    """Publishes everything about the stops of a plot into `records`; a proof reads it back."""

    def __init__(self, draw: Draw, setting: Setting, plot: Plot, traps: Traps) -> None:
        self._draw, self._ids, self._setting, self._plot, self._traps = draw, draw.stream("ids"), setting, plot, traps
        self.records: list[Record] = []
        for stop in plot.stops:
            self._stop(stop, country(stop.country))

    def _stop(self, stop: Stop, here: Country) -> None:
        tails = self._tails(stop)
        revised = self._revisions(stop)
        self._official(here, ENTRY, "entry_rules", self._of(here, ENTRY, tails, revised), stop)
        if stop.passage != "airside":
            exempt = Line("arrival", "airside_exempt", tails["prearrival"])
            rules = self._of(here, ARRIVAL, tails, revised)
            needed = any(line.value.rule == "needed" for line in rules)
            self._official(here, ARRIVAL, "pre_arrival", [*rules, exempt] if needed else rules, stop)
            self._mission(stop, here, tails)
        if stop.leaves_from:
            self._transit(stop, here, tails["transit_permission"], revised)
        self._hearsay(stop)

    # --- what applies

    def _tails(self, stop: Stop) -> dict[Requirement, Tail]:
        """To which documents each requirement's rules apply."""
        found: dict[Requirement, Tail] = {}
        for requirement in (*ENTRY, *ARRIVAL, "transit_permission"):
            ordinary = self._draw.chance(0.5) and self._plot.document == "ordinary"
            if self._plot.gap(Item(stop.country, requirement)) == "silent":
                ordinary = True
            found[requirement] = "scope_ordinary" if ordinary else "scope_all"
        return found

    def _revisions(self, stop: Stop) -> dict[Requirement, date]:
        """From which day requirements change: before the traveller arrives where that is the gap, else long after."""
        found: dict[Requirement, date] = {}
        for item in stop.items:
            gap = self._plot.gap(item)
            if gap == "under_revision":
                room = (stop.arrival_day - self._plot.today).days
                found[item.requirement] = self._plot.today + timedelta(self._draw.int(4, room - 3))
            elif gap is None and not self._plot.rule(item)[2] and self._draw.chance(0.12):
                found[item.requirement] = stop.last_day + timedelta(self._draw.int(20, 120))
        return found

    def _of(
        self,
        here: Country,
        requirements: Sequence[Requirement],
        tails: dict[Requirement, Tail],
        revised: dict[Requirement, date],
    ) -> list[Line]:
        """The lines in force on some requirements."""
        found: list[Line] = []
        for requirement in requirements:
            item = Item(here.code, requirement)
            if self._plot.gap(item) == "discretion":
                found.append(lines.discretion(item, tails[requirement]))
                continue
            found += [
                lines.of_row(here, row, tails[requirement]) for row in here.rows if row.requirement == requirement
            ]
            if requirement in revised:
                found.append(lines.revision(item, revised[requirement].isoformat(), tails[requirement]))
        return found

    def _instead(self, here: Country, requirements: Sequence[Requirement], trap: Item | None, tail: Tail) -> list[Line]:
        """The lines of a version that is not in force: every rule without its limits, another value for the trap."""
        found: list[Line] = []
        for row in here.rows:
            if row.requirement not in requirements:
                continue
            item = Item(here.code, row.requirement)
            value = row.value
            if item == trap and row == here.row(item, self._plot.nationality):
                value = self._draw.choice(other_values(row.kind, value))
            kind = plain_kind(value, row.kind)
            found.append(lines.of_row(here, msgspec.structs.replace(row, kind=kind, value=value, until=""), tail))
        return found

    # --- who publishes it

    def _official(
        self, here: Country, requirements: Sequence[Requirement], kind: str, in_force: list[Line], stop: Stop
    ) -> None:
        """An authority's page in its own language and in English, the version that it replaced, and drafts."""
        draw, local, traps = self._draw, language_at(here.code), self._traps
        authority = Publisher(static_id("org", "entry", here.code), here.authority[local], "authority")
        published, updated = self._dates(40, 500)
        old_day = published - timedelta(draw.int(200, 700))
        old = ""
        if stop.passage != "airside":
            trap = traps.superseded if traps.superseded and traps.superseded.requirement in requirements else None
            former = self._instead(here, requirements, trap, "scope_all")
            mark = "replaced" if draw.chance(0.6) else ""
            dates = (old_day, old_day, published)
            old = self._page(authority, kind, here.code, local, former, dates, mark=mark)
        page = self._page(authority, kind, here.code, local, in_force, (published, updated, None), supersedes=old)
        draft = traps.draft
        if draft and draft.place == here.code and draft.requirement in requirements:
            coming = self._instead(here, requirements, draft, "scope_all")
            later = self._plot.today - timedelta(draw.int(2, 30))
            self._page(authority, kind, here.code, local, coming, (later, later, None), mark="draft")
        stale = traps.stale_language
        is_stale = bool(stale and stale.place == here.code and stale.requirement in requirements)
        if local == "en" or (self._setting.difficulty == "hard" and not is_stale and draw.chance(0.5)):
            return
        english = msgspec.structs.replace(authority, name=here.authority["en"])
        if is_stale:
            in_force = self._instead(here, requirements, stale, "yields")
            updated = old_day + timedelta(draw.int(0, 60))
            published = old_day
        self._page(english, kind, here.code, "en", in_force, (published, updated, None), twin_of=page)

    def _transit(self, stop: Stop, here: Country, tail: Tail, revised: dict[Requirement, date]) -> None:
        """What the airport says of transit."""
        item, local, point = Item(here.code, "transit_permission"), language_at(here.code), points()[stop.lands_at]
        found = [lines.free_transit(item, here.transit_hours, self._plot.rule(item)[1], tail)]
        if self._plot.gap(item) == "discretion":
            found = [lines.discretion(item, tail)]
        elif "transit_permission" in revised:
            found.append(lines.revision(item, revised["transit_permission"].isoformat(), tail))
        found.append(Line("transit", "transit_landside", tail))
        dates = (*self._dates(40, 500), None)
        first = ""
        for language in dict.fromkeys((local, "en")):
            airport = Publisher(static_id("org", stop.lands_at), name_in(point.names, language), "authority")
            first = first or self._page(airport, "transit_rules", here.code, local, found, dates)
            if language != local:
                self._page(airport, "transit_rules", here.code, language, found, dates, twin_of=first)

    def _mission(self, stop: Stop, here: Country, tails: dict[Requirement, Tail]) -> None:
        """What the country's mission says at the traveller's home, in the traveller's language."""
        plot, language, found = self._plot, self._setting.language, list[Line]()
        for item in stop.items:
            gap, (kind, value, until) = plot.gap(item), plot.rule(item)
            tail = tails[item.requirement]
            if gap == "conflict":
                other = self._draw.choice(other_values(kind, value))
                found.append(lines.of_value(item, plain_kind(other, kind), other, plot.nationality, tail))
            elif item == self._traps.mission_yields:
                other = self._draw.choice(other_values(kind, value))
                found.append(lines.of_value(item, plain_kind(other, kind), other, plot.nationality, "yields"))
            elif gap is None and self._draw.chance(0.5):
                found.append(lines.of_value(item, kind, value, plot.nationality, tail, until))
        if found:
            names = shared_table(f"text/{language}/{FILE}")["names"]
            city = city_name(points()[plot.home.airports[0]].city, language)
            name = names["mission"].replace("{country}", country_name(here.code, language)).replace("{city}", city)
            mission = Publisher(static_id("org", "mission", here.code, plot.home.code), name, "mission")
            self._page(mission, "entry_rules", here.code, language, found, (*self._dates(20, 700), None))

    def _hearsay(self, stop: Stop) -> None:
        """Agencies and forums: confident about what the authorities leave open, now and then wrong about the rest."""
        plot, draw, language = self._plot, self._draw, self._setting.language
        open_items = [item for item in stop.items if plot.gap(item)]
        names = shared_table(f"text/{language}/{FILE}")["names"]
        for kind, name in (("commercial", "commercial_a"), ("commercial", "commercial_b"), ("forum", "forum")):
            if name == "commercial_b" and draw.chance(0.5):
                continue
            item = draw.choice(open_items if open_items and kind == "commercial" else stop.items)
            said, value, _ = plot.rule(item)
            others = other_values(said, value)
            if item not in open_items and others and draw.chance(0.5):
                value = draw.choice(others)
            line = self._plain(item, said, value, kind)
            org = Publisher(static_id("org", name), names[name], kind, official=False)
            kinds = {"commercial": "travel_tips", "forum": "forum_post"}
            self._page(org, kinds[kind], item.place, language, [line], (*self._dates(5, 900), None))

    def _plain(self, item: Item, said: str, value: Value, page: str) -> Line:
        line = lines.of_value(item, plain_kind(value, said), value, self._plot.nationality, "scope_all", page=page)
        hours = country(item.place).transit_hours
        return msgspec.structs.replace(line, hours=hours, stated=line.stated[:1])

    # --- printing

    def _dates(self, least: int, most: int) -> tuple[date, date]:
        age = self._draw.int(least, most)
        published = self._plot.today - timedelta(age)
        return published, published + timedelta(self._draw.int(0, min(300, age - 2)))

    def _page(
        self,
        publisher: Publisher,
        kind: str,
        place: str,
        language: str,
        content: list[Line],
        dates: tuple[date, date, date | None],
        mark: str = "",
        supersedes: str = "",
        twin_of: str = "",
    ) -> str:
        draw = self._draw
        published, updated, ended = dates
        asof = DateSlot(updated.isoformat(), draw.choice(_styles_with_year(language)))
        number = draw.variant((0, 1, 2, 3))
        texts = [section_text(line, place, language, (number, draw.variant((0, 1, 2, 3))), asof) for line in content]
        page = Page(
            self._ids.id("pg"),
            publisher.id,
            publisher.name,
            publisher.kind,  # type: ignore[arg-type]
            kind,
            "",
            language,
            texts[0],
            f"{updated.year}.{draw.int(1, 9)}",
            published.isoformat(),
            updated.isoformat(),
            "" if mark == "draft" else published.isoformat(),
            ended.isoformat() if ended else "",
            supersedes,
            twin_of,
            mark,
            official=publisher.official,
        )
        self.records.append(page)
        for no, (text, line) in enumerate(zip(texts, content, strict=True), 1):
            self.records.append(Section(self._ids.id("sec"), page.id, no, text, line.stated))
        return page.id


@cache
def _styles_with_year(language: str) -> tuple[str, ...]:
    patterns: Mapping[str, str] = shared_table(f"writing/{language}")["date"]
    return tuple(style for style, pattern in patterns.items() if "{year}" in pattern or "{era_y" in pattern)
