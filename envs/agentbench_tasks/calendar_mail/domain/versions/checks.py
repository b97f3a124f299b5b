"""The checks of a current file: one compares it with the goal; day and sender follow from the file that is named."""

from __future__ import annotations

from agentbench_env.claims import sources_fault, squash
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.calendar_mail.domain.versions.case import VersionsCase, answer_of
from agentbench_tasks.commons.messages import Attachment


def current_attachment_named(case: VersionsCase, ep: Episode) -> Finding:
    """The attachment has the current content, its name is given, and a source says so or brings it."""
    given, goal = answer_of(ep).current, case.goal
    file = case.built.files[goal.current]
    content, fault = case.content(given.attachment.value), ""
    named = ep.world.find(given.attachment.value)
    if content != goal.current:
        fault = f"{given.attachment.value or 'nothing'} has {content or 'no'} content of the thread"
    elif isinstance(named, Attachment) and squash(given.filename) != squash(named.filename):
        fault = f"{given.filename!r} is not the file name {named.filename!r}"
    else:
        sources = case.opened(given.attachment.sources, ep)
        needs = ((f"version.{content}", int(content.rpartition(".")[2])), (f"brought.{content}", True))
        faults = [sources_fault(ep, sources, (need,)) for need in needs]
        fault = "" if "" in faults else faults[0]
    return Finding(not fault, f"{goal.current}, {file.filename}", fault or content, (given.attachment.value,))


def message_date_and_sender_right(case: VersionsCase, ep: Episode) -> Finding:
    """Day and sender are those of the mail that first brought the content of the file named, cited."""
    given, goal = answer_of(ep).current, case.goal
    content = case.content(given.attachment.value)
    content = content if content in goal.origins else goal.current
    origin, days = goal.origins[content], goal.days(content)
    fault = ""
    if given.sent_on.value.strip() not in days:
        fault = f"{given.sent_on.value or 'no day'} is not {' or '.join(dict.fromkeys(days))}"
    elif given.sender.value != origin.sender_id:
        fault = f"{given.sender.value or 'nobody'} is not {origin.sender_id}"
    else:
        for claim in (given.sent_on, given.sender):
            fault = fault or sources_fault(ep, case.listed(claim.sources, ep), ((f"brought.{content}", True),))
    wanted = f"{days[0]}, {origin.sender_id}, from {origin.message_id}"
    return Finding(not fault, wanted, fault or wanted, (origin.message_id,))


def superseded_complete(case: VersionsCase, ep: Episode) -> Finding:
    """Every earlier version is listed."""
    given = {case.content(id) for id in answer_of(ep).superseded}
    missing = sorted(case.goal.replaced - given)
    observed = f"missing: {', '.join(missing) or 'none'}"
    return Finding(not missing, ", ".join(sorted(case.goal.replaced)), observed, tuple(missing))


def superseded_no_extras(case: VersionsCase, ep: Episode) -> Finding:
    """Nothing is listed but versions of the document that are not the current one, none of them twice."""
    given = answer_of(ep).superseded
    contents = [case.content(id) for id in given]
    allowed = case.goal.replaced | case.goal.aside
    extra = [
        id for place, (id, content) in enumerate(zip(given, contents, strict=True))
        if content not in allowed or content in contents[:place]
    ]  # fmt: skip
    return Finding(not extra, "no other file", f"too many: {', '.join(extra) or 'none'}", tuple(extra))
