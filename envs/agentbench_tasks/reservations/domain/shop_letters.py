"""What a good customer writes to venues and firms: enquiries, requests for a change, cancellations, covers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal

from agentbench_env.market import shared_table
from agentbench_env.text.names import Gender
from agentbench_tasks.commons.texts import (
    CountSlot,
    DateSlot,
    LinesSlot,
    ServiceSlot,
    SlotValue,
    Text,
    TimeSlot,
    render,
    say,
)
from agentbench_tasks.reservations.domain.letters import Booking
from agentbench_tasks.reservations.domain.quote_facts import TEXTS, QuoteFact, fact_line, fact_words

FILE = "shop_letters"
LetterKind = Literal["enquiry", "change", "cancellation", "call_note", "cover"]
MIDNIGHT = "24:00"


def enquiry(
    trade: str,
    facts: Iterable[QuoteFact],
    slot: QuoteFact,
    *,
    language: str,
    variant: int,
    gender: Gender,
    sender: str,
) -> str:
    """Write an enquiry with these facts that offers a visit window."""
    service: str = shared_table(f"text/{language}/{TEXTS}")["services"][trade]
    lines = LinesSlot(tuple((fact_line(fact, language),) for fact in facts))
    return _letter(
        "enquiry",
        language,
        variant,
        gender,
        service=service,
        facts=lines,
        slot=fact_words(slot, language),
        sender=sender,
    )


def change_request(
    booking: Booking, wanted: Booking, *, language: str, variant: int, gender: Gender, sender: str
) -> str:
    """Write a request to change a booking into what is wanted of it."""
    wish: dict[str, SlotValue] = {}
    if wanted.day != booking.day:
        wish["day"] = Text.of(FILE, "wish.day", language, date=_day(wanted.day, language))
    if wanted.clock != booking.clock:
        wish["time"] = Text.of(FILE, "wish.time", language, time=_clock(wanted.clock, language))
    if wanted.party_size != booking.party_size:
        wish["party"] = Text.of(FILE, "wish.party", language, party=CountSlot(wanted.party_size, "person"))
    join: str = shared_table(f"text/{language}/{FILE}")["wish"]["join"]
    wishes = join.join(say(piece, language) for piece in wish.values())
    return _of_booking("change", booking, language, variant, gender, sender, wish=wishes)


def cancellation(
    booking: Booking, *, language: str, variant: int, gender: Gender, sender: str, spoken: bool = False
) -> str:
    """Write a message that calls a booking off or, if it is `spoken`, a note to read out on the telephone."""
    return _of_booking("call_note" if spoken else "cancellation", booking, language, variant, gender, sender)


def preorder_cover(booking: Booking, *, language: str, variant: int, gender: Gender, sender: str) -> str:
    """Write the message with which a pre-order is sent for a first look."""
    return _of_booking("cover", booking, language, variant, gender, sender)


def _of_booking(
    kind: LetterKind, booking: Booking, language: str, variant: int, gender: Gender, sender: str, **more: SlotValue
) -> str:
    return _letter(
        kind,
        language,
        variant,
        gender,
        name=booking.names[0],
        date=_day(booking.day, language),
        time=_clock(booking.clock, language),
        party=CountSlot(booking.party_size, "person"),
        reference=booking.reference,
        sender=sender,
        **more,
    )


def _letter(kind: LetterKind, language: str, variant: int, gender: Gender, **offered: SlotValue) -> str:
    particles = _particles(language, gender)
    return render(Text.fitting(FILE, kind, language, variant, **particles, **offered)).body


@cache
def _particles(language: str, gender: Gender) -> dict[str, str]:
    """The particles of a statement and of a question, where the language has them."""
    table = shared_table(f"writing/{language}").get("particles")
    return {"p": table["statement"][gender], "q": table["question"][gender]} if table else {}


def _day(day: str, language: str) -> DateSlot:
    return DateSlot(day, shared_table(f"text/{language}/{FILE}")["form"]["date"])


def _clock(clock: str, language: str) -> SlotValue:
    """A time in the letters' form; past midnight as houses of the language print it."""
    if clock >= MIDNIGHT:
        return ServiceSlot(clock)
    return TimeSlot(clock, shared_table(f"text/{language}/{FILE}")["form"]["time"])
