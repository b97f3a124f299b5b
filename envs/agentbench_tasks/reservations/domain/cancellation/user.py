"""How the user of a table to be called off decides on a proposed call. Only what the user wishes counts."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.text.phrases import says
from agentbench_env.tool import Tool
from agentbench_tasks.reservations.domain.amendments import BookingCancelReservation, settle_cancellation
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.cancellation.case import CancellationCase
from agentbench_tasks.reservations.domain.guest_book import day_of
from agentbench_tasks.reservations.domain.messages import MessageDraft, MsgSendDraft


def decide(case: CancellationCase, call: Tool, ep: Episode) -> Decision:
    """Grant calling off a table at that house and on that day that costs nothing, if the user wants it done at all."""
    kind = _objection(case, call, ep)
    granted = "grant_send" if isinstance(call, MsgSendDraft) else "grant_cancel"
    return Decision(not kind, case.words[ep.language].decision(kind or granted))


def _objection(case: CancellationCase, call: Tool, ep: Episode) -> str:
    built, world = case.built, ep.world
    if isinstance(call, BookingCancelReservation):
        row = world.find(call.reservation_id)
        if not isinstance(row, Reservation) or (row.venue_id, day_of(row, world)) != (built.place.id, built.day):
            return "deny_other_table"
        if settle_cancellation(world, row, world.now).charge.minor:
            return "deny_charge"
        return "" if built.plot.executes else "deny_myself"
    if isinstance(call, MsgSendDraft):
        draft = world.find(call.draft_id)
        if not isinstance(draft, MessageDraft) or draft.recipient_id != built.place.id:
            return "deny_other_reader"
        if not built.thread_id or draft.thread_id != built.thread_id:
            return "deny_elsewhere"
        if not says(f"{draft.subject}\n{draft.body}", "shop_phrases.cancel"):
            return "deny_not_mine"
        if built.goal.charge:
            return "deny_charge"
        return "" if built.plot.executes else "deny_myself"
    return "deny_not_mine"
