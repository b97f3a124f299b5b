"""What a careful assistant works out from what the tools printed: when three people can meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from agentbench_tasks.calendar_mail.domain.reschedule.plot import Window
from agentbench_tasks.commons.contacts import Card

_STEP = timedelta(minutes=30)


class Reading:
    """Cards, days off, offsets, offers and busy times as they were read; times are kept in UTC without zone.

    Args:
        offsets: by zone, the offset from UTC that holds in the days allowed.
    """

    def __init__(self, offsets: dict[str, str]) -> None:
        self._offsets = {zone: _offset(text) for zone, text in offsets.items()}
        self.cards: list[Card] = []
        self.days_off: dict[str, set[str]] = {}
        self.busy: list[tuple[datetime, datetime]] = []
        self.offers: dict[str, list[Window]] = {}

    def utc(self, local: str, zone: str) -> datetime:
        """Return the UTC reading of a local one."""
        return datetime.fromisoformat(local) - self._offsets[zone]

    def local(self, utc: datetime, zone: str) -> str:
        """Return the local reading of a UTC one."""
        return (utc + self._offsets[zone]).isoformat()[:16]

    def first_start(self, days: Sequence[date], zone: str, minutes: int) -> str:
        """Return the first local start at which everybody can meet for so long, "" if there is none."""
        for day in days:
            at = self.utc(f"{day.isoformat()}T00:00", zone)
            for _ in range(48):
                if self._suits(at, at + timedelta(minutes=minutes)):
                    return self.local(at, zone)
                at += _STEP
        return ""

    def _suits(self, start: datetime, end: datetime) -> bool:
        if any(first < end and start < last for first, last in self.busy):
            return False
        return all(self._can_meet(card, start, end) for card in self.cards)

    def _can_meet(self, card: Card, start: datetime, end: datetime) -> bool:
        first, last = start + self._offsets[card.zone], end + self._offsets[card.zone]
        day, clocks = first.date().isoformat(), (first.isoformat()[11:16], last.isoformat()[11:16])
        if last.date() != first.date() or day in self.days_off[card.country]:
            return False
        spans = [
            tuple(hours.split("-"))
            for row in card.meeting_hours
            if row.weekday == first.strftime("%a")
            for hours in row.hours
        ]
        offered = self.offers.get(card.emails[0])
        in_hours = _inside(clocks, spans)
        if offered is None:
            return in_hours
        return in_hours and _inside(clocks, [(one.start, one.end) for one in offered if one.day == day])


def _inside(clocks: tuple[str, str], spans: Iterable[Sequence[str]]) -> bool:
    return any(first <= clocks[0] and clocks[1] <= last for first, last in spans)


def _offset(text: str) -> timedelta:
    minutes = int(text[1:3]) * 60 + int(text[4:])
    return timedelta(minutes=-minutes if text[0] == "-" else minutes)
