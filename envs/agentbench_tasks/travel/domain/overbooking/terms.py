"""What terms owe when a house cannot honour a booking: one engine, used by the generator and the tests."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Literal

import msgspec

from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.travel.domain.stay_bills import rounded

Code = Literal[
    "rehouse",
    "difference_share",
    "difference_cap",
    "transport",
    "transport_cap",
    "refund",
    "refund_only",
    "share",
    "weekday",
    "weekend",
    "once",
    "thrice",
    "cancel_charge",
]
"""A duty as terms write it."""
Kind = Literal[
    "rehouse_comparable",
    "pay_difference",
    "transport",
    "refund_full",
    "compensation",
    "compensation_equal_to_cancel_charge",
]
Condition = Literal["report_within", "keep_receipts"]
Cause = Literal["double_booking", "oversold", "storm", "outage"]
KINDS: dict[Code, Kind] = {
    "rehouse": "rehouse_comparable",
    "difference_share": "pay_difference",
    "difference_cap": "pay_difference",
    "transport": "transport",
    "transport_cap": "transport",
    "refund": "refund_full",
    "refund_only": "refund_full",
    "share": "compensation",
    "weekday": "compensation",
    "weekend": "compensation",
    "once": "compensation",
    "thrice": "compensation",
    "cancel_charge": "compensation_equal_to_cancel_charge",
}
TIMES = {"once": 1, "thrice": 3}
BEYOND_CONTROL: tuple[Cause, ...] = ("storm", "outage")
REFUND_ONLY: Code = "refund_only"


class Duty(msgspec.Struct, frozen=True, gc=False):
    """A duty: `value` is a percentage for shares, minor units for amounts, and 0 where the words say it all."""

    code: Code
    value: int = 0


class Annex(msgspec.Struct, frozen=True, gc=False):
    """What a house keeps of a stay that the guest cancels, in percent of the amount for the first night."""

    no_show: int
    today: int
    before: int


class Terms(msgspec.Struct, frozen=True, gc=False):
    """One version of somebody's terms; a report is due within `hours`, or by the end of `days` after the message."""

    duties: tuple[Duty, ...]
    annex: Annex | None = None
    hours: int = 0
    days: int = 0


class Event(msgspec.Struct, frozen=True, gc=False):
    """What happened: money in minor units, whether the first night is one of the weekend, the cause, the message."""

    total: int
    first_night: int
    weekend: bool
    cause: Cause
    told_at: int
    zone: str


class Owed(msgspec.Struct, frozen=True, gc=False):
    """An item owed: an amount or a ceiling in minor units where there is one, what keeps it, and by when."""

    code: Code
    amount: int | None = None
    cap: int | None = None
    conditions: tuple[Condition, ...] = ()
    by: str = ""
    """Local date and time, "" where nothing is due by a time."""

    @property
    def kind(self) -> Kind:
        """What kind of item it is."""
        return KINDS[self.code]


def owed(terms: Terms, event: Event) -> tuple[Owed, ...]:
    """Return everything that terms owe for an event."""
    if event.cause in BEYOND_CONTROL:
        return (Owed(REFUND_ONLY, amount=event.total),)
    return tuple(_item(terms, duty, event) for duty in terms.duties if _applies(duty, event))


def _applies(duty: Duty, event: Event) -> bool:
    meets = {
        "weekday": not event.weekend,
        "weekend": event.weekend,
        "once": event.cause != "oversold",
        "thrice": event.cause == "oversold",
    }
    return meets.get(duty.code, True)


def _item(terms: Terms, duty: Duty, event: Event) -> Owed:
    amount, cap = None, None
    match duty.code:
        case "difference_share":
            cap = _percent(event.total, duty.value)
        case "difference_cap" | "transport_cap":
            cap = duty.value
        case "refund":
            amount = event.total
        case "share" | "weekday" | "weekend":
            amount = _percent(event.total, duty.value)
        case "once" | "thrice":
            amount = event.total * TIMES[duty.code]
        case "cancel_charge":
            assert terms.annex is not None
            amount = _percent(event.first_night, terms.annex.today)
        case _:
            pass
    by = report_by(terms, event) if duty.code != "refund" else ""
    conditions: tuple[Condition, ...] = ("report_within",) if by else ()
    if KINDS[duty.code] == "transport":
        conditions = (*conditions, "keep_receipts")
    return Owed(duty.code, amount, cap, conditions, by)


def report_by(terms: Terms, event: Event) -> str:
    """Return until when a report keeps a claim, "" where none is asked for."""
    if terms.hours:
        return to_local(event.told_at + terms.hours * 3600, event.zone)[:16]
    if terms.days:
        day = date.fromisoformat(to_local(event.told_at, event.zone)[:10]) + timedelta(terms.days)
        return f"{day.isoformat()}T23:59"
    return ""


def same_moment(given: str, local: str, zone: str) -> bool:
    """Whether an ISO time is this local one; the end of a day may be written as the beginning of the next."""
    try:
        read = datetime.fromisoformat(given.strip())
    except ValueError:
        return False
    clock = read.isoformat(timespec="minutes")
    moment = int(read.timestamp()) // 60 * 60 if read.tzinfo else to_instant(clock, zone)
    wanted = to_instant(local, zone)
    return moment == wanted or (local.endswith("T23:59") and moment == wanted + 60)


def _percent(amount: int, percent: int) -> int:
    return rounded(Fraction(amount * percent, 100))
