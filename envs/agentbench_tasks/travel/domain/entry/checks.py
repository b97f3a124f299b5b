"""The checks of an entry check, each judging its own element of the items; what is open is the business of one."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal, InvalidOperation

from agentbench_env.claims import quote_fault, sources_fault, squash
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.commons.pages import Page, Section, body, fact_span, sections_of
from agentbench_tasks.travel.domain.entry.answer import EntryItem, RuleValue
from agentbench_tasks.travel.domain.entry.build import day_of
from agentbench_tasks.travel.domain.entry.case import EntryCase, given_items, judged, opened_on, page_of
from agentbench_tasks.travel.domain.entry.proof import Finding as Found
from agentbench_tasks.travel.domain.entry.rules import Item, Value


def every_requirement_listed(case: EntryCase, ep: Episode) -> Finding:
    """Each requirement of the way once, and nothing else."""
    given = Counter(item for item, _ in given_items(ep))
    expected = set(case.built.findings)
    wrong = [f"missing {item.place} {item.requirement}" for item in sorted(expected - set(given))]
    wrong += [f"not asked {item.place} {item.requirement}" for item in sorted(set(given) - expected)]
    wrong += [f"twice {item.place} {item.requirement}" for item, times in sorted(given.items()) if times > 1]
    listed = ", ".join(f"{item.place} {item.requirement}" for item in sorted(expected))
    return Finding(not wrong, listed, "; ".join(wrong) or "each once")


def official_and_current(case: EntryCase, ep: Episode) -> Finding:
    """Each settled item cites an official page in force that states it."""
    for item, given in judged(case, ep):
        key, value = item.key(case.built.plot.nationality), str(case.built.findings[item].value)
        counting = {id for pair in case.built.findings[item].stating for id in pair}
        barred = [source for source in given.sources if source not in counting]
        fault = sources_fault(ep, given.sources, [(key, value)], barred)
        if fault:
            return _broken(item, "an official page in force that states it", fault, given)
    return Finding(True, "official pages in force", "official pages in force")


def right_for_this_traveller(case: EntryCase, ep: Episode) -> Finding:
    """Each settled value is what the page states for this traveller."""
    for item, given in judged(case, ep):
        right = case.built.findings[item].value
        assert right is not None
        met = case.built.plot.met(item)
        if not _same(given.value, right, met):
            seen = f"{given.value.rule} {given.value.number} {given.value.form} met={given.value.met}"
            expected = f"{right.rule} {right.number} {right.form}" + ("" if met is None else f" met={met}")
            return _broken(item, expected, seen, given)
    return Finding(True, "the values for this traveller", "the values for this traveller")


def _same(given: RuleValue, right: Value, met: bool | None) -> bool:
    if given.rule != right.rule or (met is not None and given.met != met):
        return False
    if right.rule in ("not_needed", "visa_required", "whole_stay"):
        return True
    same_form = not right.form or squash(given.form).casefold() == right.form.casefold()
    return same_form and _number(given.number) == _number(right.number)


def _number(text: str) -> Decimal:
    """The number that a text is; nothing counts as 0, what is no number as one that nobody prints."""
    try:
        return Decimal(text.strip() or "0")
    except InvalidOperation:
        return Decimal(-1)


def quoted(case: EntryCase, ep: Episode) -> Finding:
    """Each settled item quotes a passage that states the rule for this nationality."""
    for item, given in judged(case, ep):
        fault = _quote_fault(ep, given, item.key(case.built.plot.nationality))
        if fault:
            return _broken(item, "the passage that states it", fault, given)
    return Finding(True, "passages that state the rules", "passages that state the rules")


def _quote_fault(ep: Episode, given: EntryItem, key: str) -> str:
    record = ep.record(given.quote.section_id)
    sections = [record] if isinstance(record, Section) else []
    if isinstance(record, Page):
        sections = sections_of(ep.world, record.id)
    fault = "the passage names no section that was shown"
    for section in sections:
        if section.id not in ep.shown:
            continue
        if key not in {fact.key for fact in section.stated}:
            fault = "the section does not state the rule for this nationality"
            continue
        fault = quote_fault(given.quote, body(section), *fact_span(section, key))
        if not fault:
            return ""
    return fault


def date_checked(case: EntryCase, ep: Episode) -> Finding:
    """Each item carries the date on which a page that it cites was opened."""
    opened = opened_on(ep)
    for item, given in given_items(ep):
        if item not in case.built.findings:
            continue
        cited = {page_of(ep, id) for id in (*given.sources, given.quote.section_id)}
        dates = {day for page in cited for day in opened.get(page, ())} or {ep.world.today}
        day = day_of(given.checked_on)
        if day is None or day.isoformat() not in dates:
            return _broken(item, " or ".join(sorted(dates)), given.checked_on or "no date", given)
    return Finding(True, "the dates on which pages were opened", "the dates on which pages were opened")


def unsettled_flagged(case: EntryCase, ep: Episode) -> Finding:
    """Exactly what is open is flagged, with its gap and an official page that leaves it open."""
    gaps = {item: finding for item, finding in case.built.findings.items() if finding.gap}
    flagged = [(item, given) for item, given in given_items(ep) if given.status == "unresolved"]
    expected = ", ".join(f"{item.place} {item.requirement} {found.gap}" for item, found in gaps.items()) or "nothing"
    for item, given in flagged:
        if item in case.built.findings:
            fault = _flag_fault(ep, given, case.built.findings[item])
            if fault:
                return _broken(item, expected, fault, given)
    missing = gaps.keys() - {item for item, _ in flagged}
    observed = ", ".join(f"{item.place} {item.requirement} is not flagged" for item in sorted(missing))
    return Finding(not missing, expected, observed or "as expected")


def _flag_fault(ep: Episode, given: EntryItem, found: Found) -> str:
    if given.gap != found.gap:
        return f"the gap is {found.gap}, not {given.gap}" if found.gap else "the official pages settle it"
    if given.value.rule != "none" or given.quote.text:
        return "an unresolved item carries no value and no quote"
    opened = opened_on(ep)
    for group in found.bearing:
        if not any(id in group and id in ep.shown and page_of(ep, id) in opened for id in given.sources):
            return "no official page that leaves it open is cited" if found.gap != "conflict" else "not both are cited"
    return ""


def _broken(item: Item, expected: str, observed: str, given: EntryItem) -> Finding:
    return Finding(False, expected, f"{item.place} {item.requirement}: {observed}", tuple(given.sources))
