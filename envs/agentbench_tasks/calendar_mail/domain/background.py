"""The mail that arrives every day: newsletters, notices of systems, small talk. No task needs any of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import pairwise

from agentbench_env.draw import Draw, Split, pool_of
from agentbench_env.market import shared_table
from agentbench_env.world import Record
from agentbench_tasks.calendar_mail.domain.letters import FILE, WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.post import Post
from agentbench_tasks.calendar_mail.domain.slots import Span
from agentbench_tasks.calendar_mail.domain.working_times import at_work
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.texts import DateSlot, SlotValue, Text, wording_slots

_DAY = 86_400
_LEAST_AGE_S, _MORNING_S, _NIGHT_S = 1_800, 7_200, 6 * 3_600
OLDEST_DAYS = 45
_ROBOTS: dict[str, str] = {
    "newsletter": "news",
    "expense": "expenses",
    "calendar_notice": "calendar",
    "system": "it-desk",
    "training": "learning",
    "parcel": "mailroom",
    "survey": "survey",
    "facility": "facility",
    "press": "digest",
    "ticket": "support",
}
"""Kinds of automatic mail, and the mailbox at the company that sends them."""
_NONE: Mapping[str, SlotValue] = {}
_PEOPLE = ("small_talk", "thanks", "lunch", "birthday")


class Background:
    """Fills a mailbox with what nobody needs.

    Args:
        draw: the stream to draw from.
        post: where the mails go.
        colleagues: who may write, the user left out.
        user: the owner of the mailbox.
        language: the company's language.
        domain: the company's mail domain.
        names: the names of firms that the news may speak of.
        amount: an amount of money as the company would write it.
    """

    def __init__(
        self,
        draw: Draw,
        post: Post,
        colleagues: Sequence[Person],
        user: Person,
        language: str,
        domain: str,
        names: Sequence[str],
        amount: Callable[[Draw], SlotValue],
    ) -> None:
        self._draw, self._post, self._user = draw, post, user
        self._colleagues, self._language = colleagues, language
        self._names, self._amount = names, amount
        self._robots = {kind: Address(f"{robot}@{domain}") for kind, robot in _ROBOTS.items()}
        self._words = _words(language, draw.split)

    def fill(self, count: int, now: int) -> list[Record]:
        """Add `count` mails of the weeks before `now`."""
        draw = self._draw
        kinds = (*_ROBOTS, *_PEOPLE)
        hours, mornings = _at_work(self._user.contact, now)
        for _ in range(count):
            kind = draw.choice(kinds)
            start, end = draw.choice(mornings if kind == "lunch" else hours)
            at = draw.int(start, end - 1)
            writer = draw.choice(self._colleagues)
            if kind in _PEOPLE and self._is_near(writer):
                text = self._text(kind, at, writer)
                self._post.mail(writer, (self._user,), at, text, (text,))
            else:
                self._automatic(kind if kind in _ROBOTS else "calendar_notice", at)
        return self._post.records

    def _is_near(self, writer: Person) -> bool:
        """Whether somebody chats with the user: in the company's language, which the words are in, and next door."""
        return writer.language == self._language and writer.contact.country == self._user.contact.country

    def _automatic(self, kind: str, at: int) -> None:
        self._post.notice(self._robots[kind], at, self._text(kind, at))

    def _text(self, kind: str, at: int, writer: Person | None = None) -> Text:
        path, variant = f"background.{kind}", self._draw.variant(WORDINGS)
        names = wording_slots(FILE, path, self._language, variant)
        known = particles(writer) if writer else _NONE
        slots = [(name, known[name] if name in known else self._slot(name, kind, at, writer)) for name in names]
        return Text(FILE, path, self._language, variant, tuple(slots))

    def _slot(self, name: str, kind: str, at: int, writer: Person | None) -> SlotValue:
        draw, words = self._draw, self._words
        match name:
            case "name":
                others = [person for person in self._colleagues if person is not writer]
                return draw.choice(others).shown_name
            case "org":
                return draw.choice(self._names)
            case "number":
                return str(draw.int(100, 999))
            case "date":
                day = date.fromordinal(at // _DAY + _EPOCH + draw.int(2, 12))
                return DateSlot(day.isoformat(), "month_day")
            case "amount":
                return self._amount(draw)
            case "title":
                return draw.choice(words["meeting"])
            case "topic":
                return draw.choice(words["market" if kind == "press" else "errand"])
            case "place":
                return draw.choice(words[_PLACES.get(kind, "desk")])
            case _:
                return draw.choice(words[name])


@cache
def _words(language: str, split: Split) -> Mapping[str, Sequence[str]]:
    """Return the words of each kind that belong to a split."""
    table = shared_table(f"text/{language}/office_words")
    return {kind: pool_of(rows, split) for kind, rows in table.items() if isinstance(rows, list)}


def _at_work(card: Contact, now: int) -> tuple[list[Span], list[Span]]:
    """Return the hours at work of somebody over the last weeks, and the first two of each day."""
    spans, latest = at_work(card), now - _LEAST_AGE_S
    first, last = bisect_left(spans, (now - OLDEST_DAYS * _DAY, 0)), bisect_left(spans, (latest, 0))
    start, end = spans[last - 1]
    hours = [*spans[first : last - 1], (start, min(end, latest))]
    mornings = [
        (start, min(end, start + _MORNING_S))
        for (_, evening), (start, end) in pairwise(hours)
        if start - evening > _NIGHT_S
    ]
    return hours, mornings


_EPOCH = date(1970, 1, 1).toordinal()
_PLACES = {"facility": "part", "small_talk": "eatery", "lunch": "eatery"}
