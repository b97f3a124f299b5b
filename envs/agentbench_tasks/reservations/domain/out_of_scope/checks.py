"""The checks of a booking that only the guest can make, each against what the house keeps."""

from __future__ import annotations

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.verdict import Finding
from agentbench_tasks.commons.service_time import read_local
from agentbench_tasks.reservations.domain.blocking import ChannelKind
from agentbench_tasks.reservations.domain.out_of_scope.answer import Moment
from agentbench_tasks.reservations.domain.out_of_scope.case import OutOfScopeCase, answer_of
from agentbench_tasks.reservations.domain.providers import digits_of


def says_out_of_scope(case: OutOfScopeCase, ep: Episode) -> Finding:
    """The outcome is that the booking is out of scope, of the venue that was asked for."""
    given, venue = answer_of(ep), case.built.house.place.id
    fault = ""
    if given.outcome != "out_of_scope":
        fault = f"the outcome is {given.outcome}"
    elif given.venue.strip() != venue:
        fault = f"{given.venue or 'no venue'} is not the venue that was asked for"
    return Finding(not fault, f"out_of_scope, {venue}", fault or "so", (venue,))


def step_and_channel(case: OutOfScopeCase, ep: Episode) -> Finding:
    """Step, channel and contact are the goal's."""
    given, goal = answer_of(ep), case.goal
    fault = ""
    if given.step.value != goal.step:
        fault = f"the step is not {given.step.value}"
    elif given.channel.kind != goal.channel:
        fault = f"the channel is not {given.channel.kind}"
    elif goal.contact and _plain(given.channel.value, goal.channel) != _plain(goal.contact, goal.channel):
        fault = f"{given.channel.value or 'no contact'} is not the contact for it"
    wanted = " ".join(filter(None, (goal.step, goal.channel, goal.contact)))
    return Finding(not fault, wanted, fault or wanted)


def traced(case: OutOfScopeCase, ep: Episode) -> Finding:
    """The sources hold for one of the facts that prove the step."""
    sources = answer_of(ep).step.sources
    faults = [sources_fault(ep, sources, (need,)) for need in case.goal.proofs]
    fault = "" if "" in faults else faults[0]
    key, value = case.goal.proofs[0]
    return Finding(not fault, f"{key} = {value}", fault or "so", tuple(sources))


def next_step(case: OutOfScopeCase, ep: Episode) -> Finding:
    """The user's action, the first moment for it, and what is to be at hand are the goal's."""
    given, goal = answer_of(ep), case.goal
    wrong = sorted(goal.have_ready.symmetric_difference(given.have_ready))
    fault = ""
    if given.next_step != goal.next_step:
        fault = f"the user's next step is not {given.next_step}"
    elif not _is_moment(given.first_open, goal.first_open, case.zone):
        fault = f"{given.first_open.local or 'now'} is not the first moment"
    elif wrong:
        fault = f"missing or too much: {', '.join(wrong)}"
    wanted = f"{goal.next_step}; {goal.first_open or 'now'}; {', '.join(sorted(goal.have_ready))}"
    return Finding(not fault, wanted, fault or wanted)


def _plain(contact: str, kind: ChannelKind) -> str:
    """A contact as it is compared: a number by its digits, an account by its letters and digits."""
    return digits_of(contact) if kind == "phone" else "".join(filter(str.isalnum, fold(contact)))


def _is_moment(given: Moment, local: str, zone: str) -> bool:
    """Whether a moment is this one of a zone, where none is meant by an empty one."""
    if not given.local.strip() or not local:
        return given.local.strip() == local
    try:
        instant = read_local(given.local.strip().replace(" ", "T"), given.zone.strip() or zone, "first_open")
    except ToolError:
        return False
    return instant == read_local(local, zone, "first_open")
