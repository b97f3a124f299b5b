"""The proof of a booking's goal: reads the house's ways by itself and tries one moment after another."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from agentbench_env.market import load_market
from agentbench_env.zones import to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.out_of_scope.goal import Errand, Goal
from agentbench_tasks.reservations.domain.surface import Route
from agentbench_tasks.reservations.domain.venue import ClosureRule

_ALONE = {
    "phone": ("phone_call_required", "phone", "call_venue"),
    "messenger": ("messenger_contact_required", "messenger", "message_venue_from_own_account"),
    "members": ("membership_required", "member_site", "book_as_member"),
    "introduction": ("introduction_required", "introducer", "ask_introducer"),
    "concierge": ("concierge_required", "concierge", "ask_own_concierge"),
    "in_person": ("in_person_required", "door", "go_in_person"),
    "card_hold": ("card_hold_required", "booking_page", "enter_own_card"),
    "deposit": ("deposit_payment_required", "booking_page", "pay_deposit_self"),
    "sms_code": ("verification_code_required", "booking_page", "enter_own_code"),
    "identity_code": ("verification_code_required", "booking_page", "enter_own_code"),
    "call_back": ("call_back_required", "incoming_call", "await_call_back"),
}
_STEP = timedelta(minutes=1)
_GUARD = 16
_FARTHEST = timedelta(days=130)


def prove(house: House, errand: Errand, goal: Goal) -> None:
    """Raise NoFit unless what the house keeps leads to this goal alone, and no edge lies near the beginning."""
    fitting = [(route, asked) for route, asked in house.routes if _is_for(route, errand)]
    named = [pair for pair in fitting if errand.day in pair[0].dates] or fitting
    if len(named) != 1:
        raise NoFit
    route, asked = named[0]
    reasons = [_ALONE[word] for word in (route.mode, *route.steps) if word in _ALONE]
    if reasons != [(goal.step, goal.channel, goal.next_step)] or frozenset(asked) != goal.have_ready:
        raise NoFit
    contact = route.contact
    if goal.contact != (contact.value if contact and contact.kind in ("phone", "messenger") else ""):
        raise NoFit
    now = datetime.fromisoformat(to_local(errand.now, house.place.zone))
    if _first(house, route, errand, now) != goal.first_open:
        raise NoFit
    states = {_serves(house, route, errand, now + number * _STEP) for number in range(_GUARD + 1)}
    if len(states) != 1:
        raise NoFit


def _is_for(route: Route, errand: Errand) -> bool:
    party = route.party.min <= errand.party and (not route.party.max or errand.party <= route.party.max)
    return party and (not route.dates or errand.day in route.dates) and not route.weekdays and not route.services


def _first(house: House, route: Route, errand: Errand, now: datetime) -> str:
    """When the way can first be taken, "" if it can now."""
    if _serves(house, route, errand, now):
        return ""
    spans = route.contact.hours if route.contact else ()
    clocks = {span.opens for span in spans} | {house.window.opens_at}
    day = now.date()
    while day - now.date() < _FARTHEST:
        for clock in sorted(clocks):
            at = datetime.fromisoformat(f"{day.isoformat()}T{clock}")
            if at > now and _serves(house, route, errand, at):
                return at.isoformat(timespec="minutes")
        day += timedelta(1)
    raise NoFit


def _serves(house: House, route: Route, errand: Errand, at: datetime) -> bool:
    """Whether the way can be taken at a local time."""
    window, wanted = house.window, date.fromisoformat(errand.day)
    opens = wanted - timedelta(window.days_ahead) if window.days_ahead else date.min
    if window.months_ahead:
        months = wanted.year * 12 + wanted.month - 1 - window.months_ahead
        opens = date(months // 12, months % 12 + 1, window.month_day)
    clock = at.isoformat(timespec="minutes")[11:]
    if (at.date(), clock) < (opens, window.opens_at):
        return False
    spans = route.contact.hours if route.contact else ()
    hours = [span for span in spans if at.isoweekday() in span.weekdays and span.opens <= clock < span.closes]
    return not spans or (bool(hours) and not _is_shut(house, at.date()))


def _is_shut(house: House, day: date) -> bool:
    """Whether the house is closed all day."""
    named = any(n.scope == "all" and n.from_date <= day.isoformat() <= n.to_date for n, _ in house.notices)
    return named or any(_falls_on(rule, day, house) for rule in house.closures)


def _falls_on(rule: ClosureRule, day: date, house: House) -> bool:
    weekly = day.isoweekday() in rule.weekdays
    free = _is_holiday(day, house)
    match rule.kind:
        case "weekly":
            return weekly and not (rule.open_on_holidays and free)
        case "weekly_shifted":
            before = day - timedelta(1)
            return (weekly and not free) or (before.isoweekday() in rule.weekdays and _is_holiday(before, house))
        case "nth_weekday":
            return weekly and (day.day - 1) // 7 + 1 in rule.nth
        case "on_holidays":
            return day.isoformat() in rule.dates
        case "period":
            return rule.from_date <= day.isoformat() <= rule.to_date


def _is_holiday(day: date, house: House) -> bool:
    rows = load_market(house.place.country).holidays(day, day)
    return any(row.status == "confirmed" and "private" in row.applies_to for row in rows)
