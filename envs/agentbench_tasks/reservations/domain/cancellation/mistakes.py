"""Where near misses of calling a table off apply, and what they do otherwise."""

from __future__ import annotations

from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.service_time import add_days, service_instant
from agentbench_tasks.commons.texts import DateSlot, Text, TimeSlot, body_of
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.cancellation.case import CancellationCase
from agentbench_tasks.reservations.domain.cancellation.letterbox import FILE
from agentbench_tasks.reservations.domain.cancellation.moments import GUARD_S
from agentbench_tasks.reservations.domain.cancellation.moves import Found, Moves, Prepared
from agentbench_tasks.reservations.domain.cancellation.plot import ONLINE
from agentbench_tasks.reservations.domain.guest_book import ReservationRow
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft, MsgSendDraft
from agentbench_tasks.reservations.domain.surface import Surface

HALF_HOUR = 1_800
DAY_S = 24 * 3600


# --- where they apply


def has_own(case: CancellationCase) -> bool:
    """Whether a table there is the user's."""
    return case.built.own is not None


def passed(case: CancellationCase) -> bool:
    """Whether the free time has passed."""
    return case.built.goal.stop == "cutoff_passed"


def can_be_called_off(case: CancellationCase) -> bool:
    """Whether nothing stops the table from being called off, on a surface or by a message."""
    return case.solvable and (case.built.plot.online or bool(case.built.thread_id))


def is_free_at_sister(case: CancellationCase) -> bool:
    """Whether the table at the sister could still be called off for nothing."""
    return case.solvable and case.cutoff_of(case.built.sister) > case.start.now + GUARD_S


def online_stranger(case: CancellationCase) -> Reservation | None:
    """A guest of the user's name whose table a surface would call off."""
    rows = (row for row in case.built.strangers if row.made_via in ONLINE and row.start > case.start.now + GUARD_S)
    return next(rows, None)


def telephone(case: CancellationCase) -> str:
    """A number of the house that is answered at any time, "" if it names none."""
    surfaces = case.start.where(Surface, "venue_id", case.built.place.id)
    contacts = (route.contact for surface in surfaces for route in surface.routes)
    return next((one.value for one in contacts if one and one.kind == "phone" and not one.hours), "")


# --- what they do


def careless(moves: Moves, row: ReservationRow) -> str:
    """The message in a tone in which nobody writes to a shop."""
    language = moves.setting.language
    day, clock = row.start.local.split("T")
    slots = {"name": moves.built.user.accepted_names[0], "date": DateSlot(day, "month_day"), "time": TimeSlot(clock)}
    return body_of(Text.of(FILE, "careless", language, 0, **slots))


def in_another_channel(moves: Moves, found: Found, body: str) -> str:
    """Write to the house by mail or, where the table was booked by mail, in the messenger."""
    channel = "messenger" if found.row.made_via == "mail" else "mail"
    return moves.do(MsgSaveDraft(body=body, channel=channel, recipient_id=found.row.venue_id)).draft_id


def nothing_staged(moves: Moves, found: Found, draft_id: str, until: int) -> Prepared:
    """Leave it at the message."""
    return Prepared(message_id=draft_id, act_by=moves.moment(until))


def called_off(moves: Moves, found: Found, draft_id: str, until: int) -> Prepared:
    """Call the table off where it was booked."""
    call = moves.calling_off(found.row, draft_id)
    if isinstance(call, MsgSendDraft):
        return Prepared("cancelled", message_id=moves.do(call).message_id)
    moves.do(call)
    return Prepared("cancelled", message_id=draft_id)


def too_late(moves: Moves, found: Found, draft_id: str, until: int) -> Prepared:
    """Prepare it for half an hour after the limit."""
    late = until + HALF_HOUR
    if found.row.made_via in ONLINE:
        return Prepared(stage_id=moves.stage(found.row, late), message_id=draft_id)
    return Prepared(message_id=draft_id, act_by=moves.moment(late))


def miscounted(case: CancellationCase, row: Reservation) -> int:
    """The limit as somebody counts it who takes days for hours, or hours for days."""
    rule, zone = case.built.kept[row.venue_id].limit.until, case.built.place.zone
    days = max(rule.n // 24 if rule.kind == "hours_before" else rule.n, 1)
    by_hours = row.start - days * DAY_S
    if case.cutoff_of(row) != by_hours:
        return by_hours
    return service_instant(add_days(to_local(row.start, zone)[:10], -days), "00:00", zone)


def day_before(row: ReservationRow) -> int:
    """The same hour of the day before a booking."""
    return to_instant(row.start.local, row.start.zone) - DAY_S
