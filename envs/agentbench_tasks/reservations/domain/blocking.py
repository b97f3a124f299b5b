"""The steps that stop an assistant short of a booking, and what the user does then."""

from __future__ import annotations

from typing import Literal

from agentbench_tasks.reservations.domain.surface import Route, RouteMode, Step

BlockingStep = Literal[
    "none",
    "phone_call_required",
    "messenger_contact_required",
    "card_hold_required",
    "deposit_payment_required",
    "verification_code_required",
    "membership_required",
    "introduction_required",
    "concierge_required",
    "in_person_required",
    "call_back_required",
    "ownership_unconfirmed",
    "cutoff_passed",
]
NextStep = Literal[
    "none",
    "call_venue",
    "message_venue_from_own_account",
    "enter_own_card",
    "pay_deposit_self",
    "enter_own_code",
    "book_as_member",
    "ask_introducer",
    "ask_own_concierge",
    "go_in_person",
    "await_call_back",
    "find_confirmation",
    "decide_with_charge",
]
ChannelKind = Literal[
    "none",
    "phone",
    "messenger",
    "booking_page",
    "member_site",
    "introducer",
    "concierge",
    "door",
    "incoming_call",
]
MEANING: dict[BlockingStep, tuple[NextStep, ChannelKind, str]] = {
    "none": ("none", "none", "nothing stops the booking"),
    "phone_call_required": ("call_venue", "phone", "bookings by telephone only"),
    "messenger_contact_required": (
        "message_venue_from_own_account",
        "messenger",
        "booked by chat from the guest's own account",
    ),
    "card_hold_required": ("enter_own_card", "booking_page", "a card guarantee before the table is kept"),
    "deposit_payment_required": (
        "pay_deposit_self",
        "booking_page",
        "a deposit or prepaid course before the table is kept",
    ),
    "verification_code_required": (
        "enter_own_code",
        "booking_page",
        "a code sent to a telephone number, or an identity app",
    ),
    "membership_required": ("book_as_member", "member_site", "members, hotel guests or residents sign in"),
    "introduction_required": ("ask_introducer", "introducer", "new guests only with a regular"),
    "concierge_required": ("ask_own_concierge", "concierge", "through a hotel or card concierge only"),
    "in_person_required": ("go_in_person", "door", "names are taken at the door, tickets at the counter"),
    "call_back_required": ("await_call_back", "incoming_call", "the venue rings the guest, and unanswered is void"),
    "ownership_unconfirmed": ("find_confirmation", "none", "nothing shows that the booking is the user's"),
    "cutoff_passed": ("decide_with_charge", "none", "cancelling would now cost something"),
}
"""What each step has the user do, in which channel, and what it says."""
_BY_MODE: dict[RouteMode, BlockingStep] = {
    "phone": "phone_call_required",
    "messenger": "messenger_contact_required",
    "members": "membership_required",
    "introduction": "introduction_required",
    "concierge": "concierge_required",
    "in_person": "in_person_required",
}
_BY_STEP: dict[Step, BlockingStep] = {
    "card_hold": "card_hold_required",
    "deposit": "deposit_payment_required",
    "prepay": "deposit_payment_required",
    "sms_code": "verification_code_required",
    "identity_code": "verification_code_required",
    "call_back": "call_back_required",
}


def blocking_step(route: Route) -> BlockingStep:
    """Return what stops an assistant on a route: its channel, else the first of its steps that blocks."""
    if route.mode in _BY_MODE:
        return _BY_MODE[route.mode]
    blocking: list[BlockingStep] = [_BY_STEP[step] for step in route.steps if step in _BY_STEP]
    return blocking[0] if blocking else "none"
