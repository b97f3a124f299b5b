"""The checks of an invitation's times, each against instants that were computed when the instance was drawn."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.calendar_mail.domain.invite_audit.answer import LocalTime, Mismatch
from agentbench_tasks.calendar_mail.domain.invite_audit.case import InviteCase, answer_of
from agentbench_tasks.calendar_mail.domain.invite_audit.letters import AGREED_START, FILE_START, WEEKLY
from agentbench_tasks.calendar_mail.domain.invite_audit.plot import Kind, Part
from agentbench_tasks.commons.zones import ZoneFact, offset_fact


def stated_time_resolved(case: InviteCase, ep: Episode) -> Finding:
    """The file's start in the user's zone is right and cites the invitation, and so is whether it has a zone."""
    given, goal = answer_of(ep), case.goal
    fault = _time_fault(case, given.stated_local.value, goal.stated)
    if not fault and given.stated_is_floating != goal.floating:
        fault = f"is {'' if given.stated_is_floating else 'not '}called floating"
    if not fault:
        need = (FILE_START, case.built.file.instants[0])
        fault = sources_fault(ep, _by_file(case, ep, given.stated_local.sources), (need,))
    wanted = f"{goal.stated} {case.zone}, {'floating' if goal.floating else 'not floating'}"
    return Finding(not fault, wanted, fault or wanted, (case.mail_id,))


def mismatch_named(case: InviteCase, ep: Episode) -> Finding:
    """The kinds are the goal's, tolerated ones aside, and each names two records that disagree."""
    given, goal = answer_of(ep).mismatches, case.goal
    kinds = {one.kind for one in given}
    missing, extra = sorted(goal.kinds - kinds), sorted(kinds - goal.kinds - goal.tolerated)
    fault = f"missing: {', '.join(missing)}" if missing else f"too many: {', '.join(extra)}" if extra else ""
    for one in given:
        fault = fault or _pair_fault(case, ep, one)
    wanted = ", ".join(sorted(goal.kinds)) or "no mismatch"
    return Finding(not fault, wanted, fault or wanted, (case.mail_id, case.anchor_id))


def correct_time_given(case: InviteCase, ep: Episode) -> Finding:
    """The agreed start in the user's zone rests on the mail that fixes it; so does what changes in a series."""
    given, goal = answer_of(ep), case.goal
    fault = _time_fault(case, given.correct_local.value, goal.correct)
    if not fault:
        fault = sources_fault(ep, given.correct_local.sources, ((AGREED_START, case.built.setup.agreed.start),))
    change = given.changes_from
    if not fault and (change.value.date.strip(), _clock(change.value.local_time)) != (goal.changes_on, goal.changes_to):
        said = f"{change.value.date} {change.value.local_time}".strip() or "no change"
        fault = f"{said}, not {f'{goal.changes_on} {goal.changes_to}'.strip() or 'no change'}"
    if not fault and goal.changes_on:
        sources = _by_file(case, ep, change.sources)
        after = offset_fact(case.built.setup.agreed.zone, case.built.setup.agreed.starts[-1])
        faults = [sources_fault(ep, sources, (need,)) for need in ((WEEKLY, True), after)]
        fault = "" if "" in faults else faults[0]
    wanted = f"{goal.correct} {case.zone}; from {goal.changes_on} at {goal.changes_to}"
    return Finding(not fault, wanted if goal.changes_on else wanted.partition(";")[0], fault or "so", (case.anchor_id,))


def _time_fault(case: InviteCase, given: LocalTime, local: str) -> str:
    """Say how a time given is not this one in the user's zone, "" if it is."""
    said = given.local.strip().replace(" ", "T").removesuffix(":00") if given.local.count(":") > 1 else given.local
    if said.strip().replace(" ", "T") != local:
        return f"{given.local or 'no time'} is not {local}"
    if given.zone.strip() not in ("", case.zone):
        return f"{given.zone} is not the user's zone, {case.zone}"
    return ""


def _clock(text: str) -> str:
    """A time of day as HH:MM, with seconds left out."""
    clock = text.strip()
    return clock.removesuffix(":00") if clock.count(":") > 1 else clock


def _by_file(case: InviteCase, ep: Episode, sources: Sequence[str]) -> list[str]:
    """Sources in which the invitation's mail and event stand for the file that came with it, where that was read."""
    told = case.built.letters
    if told.invite.id not in ep.shown:
        return list(sources)
    return [told.invite.id if source in (case.mail_id, told.event.id) else source for source in sources]


def _pair_fault(case: InviteCase, ep: Episode, given: Mismatch) -> str:
    """Say why two records do not show a mismatch, "" if they do."""
    if len(given.between) != 2:
        return f"{given.kind}: {len(given.between)} records, not two"
    unseen = [id for id in given.between if id not in ep.shown]
    if unseen:
        return f"{given.kind}: {unseen[0]} was never shown"
    one, other = given.between
    parts = case.goal.erring(given.kind, case.built.plot)
    for wrong, right in ((one, other), (other, one)):
        if wrong in _ids(case, ep, parts) and (
            right in _ids(case, ep, case.goal.right_parts) or _is_right(case, ep, given.kind, right)
        ):
            return ""
    return f"{given.kind}: {one} and {other} are not a wrong and a right statement about it"


def _ids(case: InviteCase, ep: Episode, parts: frozenset[Part]) -> set[str]:
    """The ids under which parts of the invitation were shown."""
    ids: set[str] = set()
    if "body" in parts:
        ids.add(case.mail_id)
    if "file" in parts:
        event = case.built.letters.event.id
        ids |= {case.built.letters.invite.id, event, *(id for id in ep.shown if id.partition("@")[0] == event)}
        if case.built.letters.invite.id in ep.shown:
            ids.add(case.mail_id)
    return ids


def _is_right(case: InviteCase, ep: Episode, kind: Kind, id: str) -> bool:
    """Whether a record outside the invitation is right about a mistake."""
    if id == case.anchor_id:
        return True
    zones = {case.zone, case.built.setup.agreed.zone, case.built.file_zone}
    record = ep.record(id)
    return kind != "text_file_conflict" and isinstance(record, ZoneFact) and record.zone in zones
