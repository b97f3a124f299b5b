"""From draws to a proven instance: the story, what is published about it, and what follows for the traveller."""

from __future__ import annotations

from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.entry.library import Library, Traps
from agentbench_tasks.travel.domain.entry.plot import Plot, draw_plan, draw_plot, other_values
from agentbench_tasks.travel.domain.entry.proof import Finding, prove
from agentbench_tasks.travel.domain.entry.rules import Item, add_months, country
from agentbench_tasks.travel.domain.publishing import language_at

ATTEMPTS = 64
TRAP_COUNT = {"easy": 1, "standard": 2, "hard": 3}


class Built(msgspec.Struct, frozen=True):
    """A proven instance: the plot, the names of the traps that bite, the published records, and the findings."""

    plot: Plot
    traps: tuple[str, ...]
    records: tuple[Record, ...]
    findings: dict[Item, Finding]

    @property
    def settled(self) -> tuple[Item, ...]:
        """The items that the official pages settle."""
        return tuple(item for item, finding in self.findings.items() if finding.gap is None)


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until a story fits and its pages say what was planned."""
    plan = draw_plan(draw.stream("plan"), setting)
    for attempt in range(ATTEMPTS):
        stream = draw.stream(f"attempt {attempt}")
        try:
            plot = draw_plot(stream.stream("plot"), setting, plan)
        except NoFit:
            continue
        traps = _draw_traps(stream.stream("traps"), setting, plot)
        library = Library(stream.stream("library"), setting, plot, traps)
        findings = prove(library.records, plot)
        _compare(plot, findings)
        return Built(plot, (*_planted(traps), *_natural(plot)), tuple(library.records), findings)
    raise NoFit(f"no story fits in {ATTEMPTS} attempts")


def _compare(plot: Plot, findings: dict[Item, Finding]) -> None:
    """Raise where the pages say something else than the fixtures and the plan."""
    if tuple(findings) != plot.items:
        raise AssertionError(f"the flights ask for {tuple(findings)}, the plan for {plot.items}")
    for item, finding in findings.items():
        gap = plot.gap(item)
        expected = None if gap else plot.rule(item)[1]
        if (finding.gap, finding.value) != (gap, expected):
            raise AssertionError(f"{item}: the pages say {finding}, the plan {gap or expected}")


def _draw_traps(draw: Draw, setting: Setting, plot: Plot) -> Traps:
    """Draw which pages that do not count say something else, and of which settled item."""
    if plot.benign:
        return Traps()
    found: dict[str, Item] = {}
    apart = {item.place for item, gap in plot.gaps if gap == "conflict"}
    for name in draw.shuffled(("superseded", "stale_language", "draft", "mission_yields")):
        items = [
            item
            for stop in plot.stops
            for item in stop.items
            if stop.passage != "airside" and not plot.gap(item) and other_values(*plot.rule(item)[:2])
            if name != "stale_language" or language_at(item.place) != "en"
            # A page that gives way cannot stand against another one at the same time.
            if name != "mission_yields" or item.place not in apart
        ]
        if items and len(found) < TRAP_COUNT[setting.difficulty]:
            found[name] = draw.choice(items)
    return Traps(**found)


def _planted(traps: Traps) -> tuple[str, ...]:
    return tuple(name for name, item in msgspec.structs.asdict(traps).items() if item)


def _natural(plot: Plot) -> tuple[str, ...]:
    """The traps that lie in the story itself."""
    names: list[str] = []
    passages = {stop.passage for stop in plot.stops}
    if passages & {"separate", "change"}:
        names.append("airside_rule")
    if "change" in passages:
        names.append("airport_change")
    for item in plot.items:
        months = plot.rule(item)[1].number
        unmet = item.requirement == "passport_validity" and months and not plot.met(item)
        if unmet and plot.expires >= add_months(plot.today, int(months)):
            names.append("validity_from_today")
        if item.requirement == "visa_or_stay" and not plot.gap(item) and _has_neighbours(item, plot):
            names.append("neighbour_list")
    return tuple(dict.fromkeys(names))


def _has_neighbours(item: Item, plot: Plot) -> bool:
    numbers = {row.value.number for row in country(item.place).rows if row.requirement == item.requirement}
    return len(numbers) > 1 and bool(plot.rule(item)[1].number)


def day_of(text: str) -> date | None:
    """Read the day of an ISO date or time, None if it is none."""
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
