"""The matters that lie in the mailbox: each a thread with a reference, who asked, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.diary import Guest
from agentbench_tasks.calendar_mail.domain.handover.amounts import Price
from agentbench_tasks.calendar_mail.domain.handover.plot import Fate
from agentbench_tasks.calendar_mail.domain.letters import form_for, particles
from agentbench_tasks.calendar_mail.domain.market import office_market
from agentbench_tasks.calendar_mail.domain.office import Desk, later
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.events import When
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import DateSlot, SlotValue, Stated, Text

FILE = "handover"
WORDINGS = (0, 1, 2, 3)
NO_SLOTS: Mapping[str, SlotValue] = {}
_OLDEST, _PER_DAY = 13, 16
"""How many working days back matters go, and how many half-hours of each are taken."""
_CODES = ("PO-26-{:04}", "Q-{:04}", "K-{:03}", "EX-{:04}", "RQ-26-{:03}")


class Matter(msgspec.Struct, frozen=True):
    """A matter of the mailbox."""

    code: str
    object: str
    """What it is about, in the language of who asked."""
    fate: Fate
    requester: Person
    thread_id: str
    owner: Person | None
    """Who decides it during the absence; None where it does not wait for the user."""
    price: Price | None

    @property
    def awaited(self) -> bool:
        """Whether it waits for the user's decision."""
        return self.owner is not None

    @property
    def subject(self) -> str:
        """The subject of its thread."""
        return f"[{self.code}] {self.object}"


def draw_codes(draw: Draw, count: int) -> list[str]:
    """Draw references, no two of one number."""
    return [draw.choice(_CODES).format(number) for number in _distinct(draw, 101, 998, count)]


class Correspondence:
    """Writes the threads of matters.

    Args:
        draw: the stream for wordings and times.
        desk: where the mails go.
        heads: who decides besides the user: superiors, to whom some matters are put.
    """

    def __init__(self, draw: Draw, desk: Desk, heads: Sequence[Person]) -> None:
        self._draw, self._desk, self._heads = draw, desk, heads
        self._slots = _slots(desk)
        self._places: list[int] = []
        self._code, self._object = "", ""
        self._before: Price | None = None
        self._last: Message | None = None
        self._others: dict[str, list[str]] = {}

    def write(
        self,
        code: str,
        fate: Fate,
        requester: Person,
        price: Price | None,
        other: Person | None = None,
        before: Price | None = None,
    ) -> tuple[str, str]:
        """Write the thread of a matter; return its id and what it is about.

        Args:
            code: its reference.
            fate: what became of it.
            requester: who asks or informs.
            price: the amount, if there is one.
            other: who was asked to take it over.
            before: the amount that was asked for before it was revised.
        """
        self._code, self._last, self._before = code, None, before
        self._object = self._objects(requester.language)
        count = {"asked": 1, "own_request": 1, "limit": 1, "not_mine": 1, "not_mine_either": 1, "fyi": 1, "fyi_done": 1}
        self._times(count.get(fate, 3))
        getattr(self, f"_{fate}")(requester, price, other)
        assert self._last is not None
        return self._last.thread_id, self._object

    # --- fates

    def _asked(self, requester: Person, price: Price | None, other: Person | None) -> None:
        self._ask(requester, price)

    _own_request = _limit = _asked

    def _discussed(self, requester: Person, price: Price | None, other: Person | None) -> None:
        self._ask(requester, price)
        wording = self._draw.variant(WORDINGS)
        self._say(self._desk.user, [requester], "question", wording=wording)
        stated = [Stated(f"ask.{self._code}", self._desk.user.id)]
        self._say(requester, [self._desk.user], "again", stated, wording=wording)

    def _declined(self, requester: Person, price: Price | None, other: Person | None) -> None:
        assert other is not None
        self._ask(requester, price)
        self._hand_over(other)
        self._say(other, [self._desk.user], "refuses", [Stated(f"refuses.{self._code}", other.id)])

    def _reassigned(self, requester: Person, price: Price | None, other: Person | None) -> None:
        assert other is not None
        self._ask(requester, price)
        self._hand_over(other)
        self._say(other, [self._desk.user], "agrees", [Stated(f"agrees.{self._code}", other.id)])

    def _reopened(self, requester: Person, price: Price | None, other: Person | None) -> None:
        assert price is not None
        self._ask(requester, self._before)
        self._decide(requester, price)
        stated = [Stated(f"ask.{self._code}", self._desk.user.id), *self._priced(price)]
        self._say(requester, [self._desk.user], "revised", stated, _money(price))

    def _answered(self, requester: Person, price: Price | None, other: Person | None) -> None:
        self._ask(requester, price)
        self._decide(requester, price)
        if self._draw.chance(0.5):
            self._say(requester, [self._desk.user], "thanks")

    def _elsewhere(self, requester: Person, price: Price | None, other: Person | None) -> None:
        asked = self._ask(requester, price)
        text = self._text(self._desk.user, "elsewhere", {"code": self._code})
        stated = [Stated(f"decided.{self._code}", self._desk.user.id)]
        self._desk.post.mail(self._desk.user, [requester], self._places.pop(), text, [text], stated=stated)
        self._last = asked

    def _by_invite(self, requester: Person, price: Price | None, other: Person | None) -> None:
        assert price is not None
        desk = self._desk
        calendar, zone = working_days(desk.setting.market.code), desk.setting.market.zone
        # No leave begins so soon, so that the meeting tells nothing of the days off.
        day = calendar.add_open(desk.today, self._draw.choice((1, 2)))
        start = When(f"{day}T{self._draw.choice(('10:00', '10:30', '11:00'))}", zone)
        meeting = DateSlot(day.isoformat(), "month_day")
        mail = self._say(
            requester, [desk.user], "ask_by_invite",
            [Stated(f"ask.{self._code}", desk.user.id), *self._priced(price)],
            {"meeting": meeting, **_money(price)},
        )  # fmt: skip
        desk.diary.event(
            desk.calendar_of(requester), requester.address, f"[{self._code}] {self._object}", start, later(start, 30),
            [Guest(requester), Guest(desk.user)], age_days=1 + (desk.now - mail.sent_at) // 86_400,
            stated=[Stated(f"decided.{self._code}", desk.user.id)],
        )  # fmt: skip

    def _not_mine(self, requester: Person, price: Price | None, other: Person | None) -> None:
        head = self._draw.choice(self._heads)
        self._say(requester, [head], "review", [Stated(f"ask.{self._code}", head.id)], cc=[self._desk.user])

    def _not_mine_either(self, requester: Person, price: Price | None, other: Person | None) -> None:
        assert price is not None
        head = self._draw.choice(self._heads)
        stated = [Stated(f"ask.{self._code}", head.id), *self._priced(price)]
        decider = form_for(head, requester)
        self._say(requester, [self._desk.user, head], "ask_other", stated, {"decider": decider, **_money(price)})

    def _fyi(self, requester: Person, price: Price | None, other: Person | None) -> None:
        self._say(requester, [self._desk.user], "fyi")

    def _fyi_done(self, requester: Person, price: Price | None, other: Person | None) -> None:
        assert price is not None
        head = self._draw.choice(self._heads)
        stated = [*self._priced(price), Stated(f"decided.{self._code}", head.id)]
        decider = form_for(head, requester)
        self._say(requester, [self._desk.user], "fyi_done", stated, {"decider": decider, **_money(price)})

    # --- mails

    def _ask(self, requester: Person, price: Price | None) -> Message:
        stated = [Stated(f"ask.{self._code}", self._desk.user.id)]
        if price is None:
            return self._say(requester, [self._desk.user], "choose", stated)
        return self._say(requester, [self._desk.user], "approve", [*stated, *self._priced(price)], _money(price))

    def _decide(self, requester: Person, price: Price | None) -> None:
        kind = self._draw.choice(("approved", "approved", "not_approved")) if price else "chosen"
        self._say(self._desk.user, [requester], kind, [Stated(f"decided.{self._code}", self._desk.user.id)])

    def _hand_over(self, other: Person) -> None:
        self._say(self._desk.user, [other], "hand_over", [Stated(f"handed.{self._code}", other.id)])

    def _priced(self, price: Price) -> list[Stated]:
        return [
            Stated(f"amount.{self._code}", price.amount.minor),
            Stated(f"includes_tax.{self._code}", price.includes_tax),
        ]

    def _say(
        self,
        writer: Person,
        readers: Sequence[Person],
        kind: str,
        stated: Sequence[Stated] = (),
        slots: Mapping[str, SlotValue] = NO_SLOTS,
        cc: Sequence[Person] = (),
        wording: int | None = None,
    ) -> Message:
        last = self._last
        mail = self._desk.post.mail(
            writer,
            readers,
            self._places.pop(),
            "" if last else f"[{self._code}] {self._object}",
            [self._text(writer, kind, slots, wording)],
            cc=cc,
            answers=last,
            quotes=last if last and self._draw.chance(0.6) else None,
            stated=stated,
        )
        self._last = mail
        return mail

    def _text(self, writer: Person, kind: str, slots: Mapping[str, SlotValue], wording: int | None = None) -> Text:
        language = writer.language
        offered = {**particles(writer), "object": self._object, **slots}
        if "includes_tax" in slots:
            kinds = office_market(self._desk.setting.market.code).approval.words
            words = kinds["included" if slots["includes_tax"] else "excluded"]
            offered["tax"] = words.get(language, words["en"])
        variant = self._draw.variant(WORDINGS) if wording is None else wording
        return Text.fitting(FILE, f"mails.{kind}", language, variant, **offered)

    # --- objects and times

    def _objects(self, language: str) -> str:
        """What a matter is about: none of an instance is told twice."""
        if language not in self._others:
            self._others[language] = self._draw.shuffled(shared_table(f"text/{language}/{FILE}")["objects"])
        return self._others[language].pop()

    def _times(self, count: int) -> None:
        """Draw `count` instants of the last weeks, the earliest to be taken first."""
        places = sorted(_distinct(self._draw, 0, len(self._slots) - 1, count), reverse=True)
        self._places = [self._slots[place] + 60 * self._draw.int(0, 24) for place in places]


def _distinct(draw: Draw, low: int, high: int, count: int) -> list[int]:
    """Draw `count` different numbers."""
    found: dict[int, None] = {}
    while len(found) < count:
        found[draw.int(low, high)] = None
    return list(found)


def _money(price: Price) -> dict[str, SlotValue]:
    return {"amount": price.amount, "includes_tax": int(price.includes_tax)}


def _slots(desk: Desk) -> list[int]:
    """The half-hours of the last working days at which mails are written, all before now."""
    calendar, zone = working_days(desk.setting.market.code), desk.setting.market.zone
    slots: list[int] = []
    day = calendar.add_open(desk.today, -_OLDEST)
    while day <= desk.today:
        first = to_instant(f"{day}T09:00", zone)
        slots += [slot for n in range(_PER_DAY) if (slot := first + 1800 * n) < desk.now - 3600]
        day = calendar.add_open(day, 1)
    if len(slots) < 3:
        raise NoFit("no time to write in")
    return slots
