"""The proof of an instance: reads the mails one after the other and comes to the same open promises.

It goes by what each mail does, from a table of its own, counts days by itself, and shares nothing with the drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.market import load_country
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.commitments.case import Due
from agentbench_tasks.calendar_mail.domain.commitments.chains import Chain
from agentbench_tasks.calendar_mail.domain.commitments.mails import Logged, Mails
from agentbench_tasks.calendar_mail.domain.commitments.plot import USER, Plot
from agentbench_tasks.calendar_mail.domain.people import Person

_BINDS = {"promise", "accept", "takeover"}
_ENDS = {"deliver", "withdraw"}
_IDLE = {"soft", "decline", "remind", "thank", "cond_wait", "delegate"}
_WEEKEND = (6, 7)


class _State(msgspec.Struct):
    """What is known of a chain after some of its mails."""

    owed_by: str = ""
    offered_by: str = ""
    """Who has promised on a condition that is still open."""
    day: str = ""
    carriers: tuple[str, ...] = ()
    """The mails that name the day."""


def prove(plot: Plot, mails: Mails, people: Mapping[str, Person], due: Mapping[str, Due]) -> None:
    """Raise AssertionError unless the mails come to exactly the open promises, each beyond doubt in or out of scope."""
    country = people[USER].contact.country
    ends: dict[str, _State] = {}
    before: dict[str, int] = {}
    for mail in mails.log:
        state = ends.setdefault(mail.chain, _State())
        assert before.get(mail.chain, 0) < mail.at < plot.now, f"{mail.id} is out of order"
        before[mail.chain] = mail.at
        _read(state, mail, people, country)
    chains = {chain.key: chain for chain in (*plot.chains, *plot.earlier, *plot.others)}
    since = to_instant(f"{plot.since.isoformat()}T00:00", "UTC")
    inside: set[str] = set()
    outside: set[str] = set()
    for mail in mails.log:
        (inside if _in_scope(mail, chains[mail.chain], since, plot) else outside).add(mail.chain)
    assert not inside & outside, f"{inside & outside} lie on both sides of the scope"
    found = {chain: state for chain, state in ends.items() if chain in inside and state.owed_by}
    assert found.keys() == due.keys(), f"open are {sorted(found)}, not {sorted(due)}"
    for chain, state in found.items():
        right = due[chain]
        assert (people[state.owed_by].id, state.day) == (right.owner, right.deadline), f"{chain} stands at {state}"
        assert right.carriers, f"nothing carries {chain}"
        assert not state.day or set(state.carriers) == set(right.dated_by), f"{chain} rests on {state.carriers}"


def _read(state: _State, mail: Logged, people: Mapping[str, Person], country: str) -> None:
    beat = mail.beat
    named = _day(mail, country)
    if named and named != state.day:
        state.day, state.carriers = named, ()
    if named or (beat.kind == "accept" and state.day):
        state.carriers = (*state.carriers, mail.id)
    if beat.kind in _BINDS:
        state.owed_by = beat.writer
    elif beat.kind == "conditional":
        state.offered_by = beat.writer
    elif beat.kind == "cond_true":
        state.owed_by = state.offered_by
    elif beat.kind in _ENDS:
        state.owed_by = ""
    elif beat.kind in ("move", "restate"):
        assert state.owed_by == beat.writer, f"{mail.id} speaks of what its writer does not owe"
    else:
        assert beat.kind in _IDLE or beat.kind == "request", f"{mail.id} does something unknown"
    assert beat.kind != "move" or named, f"{mail.id} moves to no day"


def _day(mail: Logged, country: str) -> str:
    """The day that a mail names, counted from the day on which it was written where its writer was."""
    term = mail.beat.term
    if term.form == "none":
        return ""
    written = date.fromisoformat(to_local(mail.at, mail.zone)[:10])
    ahead = {"tomorrow": 1, "day_after": 2}
    day = date.fromisoformat(term.iso)
    if term.form in ahead:
        day = written + timedelta(ahead[term.form])
    elif term.form == "weekday":
        day = next(d for d in _after(written) if d.isoweekday() == term.number)
        assert day.isocalendar()[:2] == written.isocalendar()[:2], "the weekday is over"
    elif term.form == "next_monday":
        day = next(d for d in _after(written) if d.isoweekday() == 1)
    elif term.form == "month_end":
        day = next(d for d in _after(written) if (d + timedelta(1)).day == 1)
    elif term.form == "working":
        day = [d for d in _after(written) if _works(d, country)][term.number - 1]
    assert day.isoformat() == term.iso, f"{mail.id} means {day}, not {term.iso}"
    return term.iso


def _after(day: date) -> Sequence[date]:
    return [day + timedelta(n) for n in range(1, 40)]


def _works(day: date, country: str) -> bool:
    rows = load_country(country).holidays(day, day)
    closed = any(row.status == "confirmed" and "private" in row.applies_to for row in rows)
    return day.isoweekday() not in _WEEKEND and not closed


def _in_scope(mail: Logged, chain: Chain, since: int, plot: Plot) -> bool:
    """Whether a mail names the project and was written since the day that is asked."""
    assert abs(mail.at - since) > 86_400, f"{mail.id} lies at the edge of the scope"
    named = [chain.project] if mail.names_project else [name for name in plot.projects if name in mail.subject]
    assert named == [chain.project], f"{mail.id} names {named}"
    return named[0] == plot.projects[0] and mail.at > since
