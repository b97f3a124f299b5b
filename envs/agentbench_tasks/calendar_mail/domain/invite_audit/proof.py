"""The proof of an invitation's times: reads the file as text and reckons with the zone table by itself."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from agentbench_env.market import shared_table
from agentbench_tasks.calendar_mail.domain.invite_audit.agreement import Agreement
from agentbench_tasks.calendar_mail.domain.invite_audit.goal import Goal
from agentbench_tasks.calendar_mail.domain.invite_audit.invitation import Wording
from agentbench_tasks.calendar_mail.domain.invite_audit.plot import Kind, Plot
from agentbench_tasks.calendar_mail.domain.invites import Invite, ics_text
from agentbench_tasks.commons.attempts import NoFit

_START = re.compile(r'^DTSTART(?:;TZID=(?:"([^"]+)"|([^:]+)))?:(\d{8}T\d{6})(Z?)$', re.M)
_OFFSET = re.compile(r"^TZOFFSETTO:([+-])(\d{2})(\d{2})$", re.M)
_COUNT = re.compile(r"^RRULE:FREQ=WEEKLY;COUNT=(\d+)$", re.M)
_WEEK = timedelta(7)


def prove(plot: Plot, agreed: Agreement, invite: Invite, words: Wording, goal: Goal, here: str) -> None:
    """Raise NoFit unless the goal follows from the agreement, the text of the file and the words of the mail."""
    anchors = _weekly(datetime.fromisoformat(agreed.local), agreed.zone, agreed.weeks)
    file, floating = _file_starts(ics_text(invite), here)
    first = datetime.fromisoformat(words.local)
    named = [first - timedelta(minutes=words.offset)]
    if agreed.weeks > 1:
        named = _weekly(first, agreed.zone, agreed.weeks)
    promised = _weekly(datetime.fromisoformat(words.noted), here, agreed.weeks) if words.noted else anchors
    if bool(goal.kinds) != any(stated != anchors for stated in (file, named, promised)):
        raise NoFit
    season = {_other_offset(agreed.zone, anchors[0])} if plot.place else set[timedelta]()
    found: set[Kind] = set()
    if promised != anchors:
        found.add("series_shift" if promised[0] == anchors[0] else "date_shift")
    if named != anchors:
        found.add("wrong_season" if words.abbreviation else "text_file_conflict")
    if file != anchors:
        found.add(_why(floating, invite, agreed, file[0] - anchors[0], season))
    shown = [_format(start + _offset(here, start)) for start in anchors]
    moved = [local for local in shown if local[11:] != shown[0][11:]]
    change = moved[0] if moved else ""
    proven = (_format(file[0] + _offset(here, file[0])), floating, shown[0], change[:10], change[11:])
    if frozenset(found) != goal.kinds or proven != (
        goal.stated, goal.floating, goal.correct, goal.changes_on, goal.changes_to
    ):  # fmt: skip
        raise NoFit


def _why(floating: bool, invite: Invite, agreed: Agreement, gap: timedelta, season: set[timedelta]) -> Kind:
    """Which mistake makes the file differ from the agreement."""
    if floating:
        return "no_zone"
    if invite.start.local == agreed.local and _zone_of(invite.start.tzid):
        return "wrong_zone"
    return "wrong_season" if gap in season else "text_file_conflict"


def _file_starts(text: str, here: str) -> tuple[list[datetime], bool]:
    """The instants of a file's starts, and whether it names no zone."""
    event = text.partition("BEGIN:VEVENT")[2]
    found = _START.search(event)
    if found is None:
        raise NoFit
    tzid, digits = found[1] or found[2] or "", found[3]
    first = datetime.strptime(digits, "%Y%m%dT%H%M%S")
    count = _COUNT.search(event)
    weeks = int(count[1]) if count else 1
    if found[4]:
        return [first + week * _WEEK for week in range(weeks)], False
    if not tzid:
        return _weekly(first, here, weeks), True
    zone = _zone_of(tzid)
    if zone:
        return _weekly(first, zone, weeks), False
    offsets = _OFFSET.findall(text)
    if len(offsets) != 1:
        raise NoFit
    sign, hours, minutes = offsets[0]
    ahead = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    return [first + week * _WEEK - ahead for week in range(weeks)], False


def _zone_of(tzid: str) -> str:
    """The zone that a TZID means, "" if it is none that the table knows."""
    zones = shared_table("zones")["zones"]
    if tzid in zones:
        return tzid
    return next((name for name, row in zones.items() if row["windows"] == tzid), "")


def _weekly(first: datetime, zone: str, weeks: int) -> list[datetime]:
    """The instants of a local time, in UTC, week by week."""
    return [_utc(first + week * _WEEK, zone) for week in range(weeks)]


def _utc(local: datetime, zone: str) -> datetime:
    """The one instant at which clocks of a zone show a time."""
    offsets = {timedelta(minutes=row[1]) for row in shared_table("zones")["zones"][zone]["rows"]}
    found = [local - offset for offset in offsets if _offset(zone, local - offset) == offset]
    if len(found) != 1:
        raise NoFit
    return found[0]


def _offset(zone: str, at: datetime) -> timedelta:
    rows = [row for row in shared_table("zones")["zones"][zone]["rows"] if datetime.fromisoformat(row[0]) <= at]
    return timedelta(minutes=rows[-1][1])


def _other_offset(zone: str, at: datetime) -> timedelta:
    """How far a reading moves when it is read with the offset of the other season."""
    offsets = {timedelta(minutes=row[1]) for row in shared_table("zones")["zones"][zone]["rows"]}
    return next(_offset(zone, at) - other for other in offsets if other != _offset(zone, at))


def _format(local: datetime) -> str:
    return local.isoformat(timespec="minutes")
