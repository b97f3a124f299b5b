"""How a venue says by which way a party gets a table: the texts of its routes, and its page of kind `booking`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal

from agentbench_env.market import shared_table
from agentbench_tasks.commons.texts import CountSlot, DurationSlot, SentencesSlot, SlotValue, Stated, Text
from agentbench_tasks.reservations.domain.blocking import blocking_step
from agentbench_tasks.reservations.domain.conditions import (
    conditions,
    days_in_words,
    joined,
    phrase,
    scope_of,
    time_of,
)
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.surface import ONLINE, BookingWindow, ContactSpan, Route, RouteMode, Step

FILE = "town_booking"
HOUSE = "house"
"""The operator of a surface that a venue runs itself."""
HaveReady = Literal[
    "name",
    "party_size",
    "date",
    "time",
    "phone_number",
    "allergy",
    "introducer_name",
    "member_number",
    "course",
    "card",
]
Remark = Literal["card_at_till", "points", "news", "lost_property", "late_call"]


def route_key(venue_id: str, scope: str) -> str:
    """Key of the mode in which the parties of a scope book."""
    return f"route.{venue_id}.{scope}"


def step_key(venue_id: str, scope: str) -> str:
    """Key of what stops an assistant on a route, a `BlockingStep`."""
    return f"step.{venue_id}.{scope}"


def contact_key(venue_id: str, scope: str) -> str:
    """Key of the contact to which a route leads."""
    return f"contact.{venue_id}.{scope}"


def contact_hours_key(venue_id: str, scope: str) -> str:
    """Key of the hours of that contact, "" for any time."""
    return f"contact_hours.{venue_id}.{scope}"


def have_ready_key(venue_id: str, scope: str) -> str:
    """Key of what a guest has to state on a route."""
    return f"have_ready.{venue_id}.{scope}"


def window_key(venue_id: str) -> str:
    """Key of the time in which a venue takes bookings for a day."""
    return f"window.{venue_id}"


def route_scope(route: Route) -> str:
    """Return for whom a route is, as its keys name it."""
    return scope_of(route.party, route.weekdays, route.services, route.dates)


@lru_cache(maxsize=4096)
def hours_value(spans: tuple[ContactSpan, ...]) -> str:
    """Return the hours of a contact as a fact, e.g. "2345 14:00-17:00"."""
    return ";".join(f"{''.join(map(str, span.weekdays))} {span.opens}-{span.closes}" for span in spans)


def window_value(window: BookingWindow) -> str:
    """Return a booking window as a fact, "" for none."""
    ahead = f"{window.days_ahead}d@{window.opens_at}" if window.days_ahead else ""
    if window.months_ahead:
        ahead = f"{window.months_ahead}m/{window.month_day}@{window.opens_at}"
    return "/".join(filter(None, (ahead, f"{window.lead_minutes}min" if window.lead_minutes else "")))


def route_text(
    route: Route, operator: str, messenger: str, language: str, variant: int, have_ready: Sequence[HaveReady] = ()
) -> Text:
    """Say how the parties of a route book. The surface shows it as it stands on the page.

    Args:
        route: the route; what its own text says is not read.
        operator: name of the engine, or "house".
        messenger: name of the messenger in which the venue chats.
        language: language of the page.
        variant: which of the four wordings.
        have_ready: what a guest has to state.
    """
    who = conditions(language, route.party, route.weekdays, route.services, route.dates)
    contact = route.contact
    value: list[SlotValue] = []
    if contact and contact.value:
        kind = contact.kind if contact.kind in ("phone", "messenger") else "other"
        value = [_text(f"contact.{kind}", language, variant, value=contact.value)]
    hours = [hours_text(contact.hours, language, variant)] if contact and contact.hours else []
    return _text(
        "route",
        language,
        variant,
        how=_how(route.mode, who, operator, messenger, language, variant),
        contact=_after(value),
        hours=_after(hours),
        steps=_after([_step(step, language, variant) for step in route.steps]),
        ready=_ready(tuple(have_ready), language, variant) if have_ready else "",
    )


@lru_cache(maxsize=4096)
def _how(mode: RouteMode, who: SlotValue, operator: str, messenger: str, language: str, variant: int) -> Text:
    where: dict[str, SlotValue] = {}
    if mode in ONLINE:
        where["engine"] = phrase("contact.own_page", language) if operator == HOUSE else operator
    if mode == "messenger":
        where["messenger"] = messenger
    return _text(f"how.{mode}", language, variant, who=who, **where)


@cache
def _step(step: Step, language: str, variant: int) -> Text:
    return _text(f"steps.{step}", language, variant)


@cache
def _ready(have_ready: tuple[HaveReady, ...], language: str, variant: int) -> SlotValue:
    items = joined([phrase(f"items.{item}", language) for item in have_ready], language)
    return _after([_text("have_ready", language, variant, items=items)])


@cache
def _ready_value(have_ready: tuple[HaveReady, ...]) -> str:
    return ",".join(sorted(have_ready))


def route_facts(venue_id: str, route: Route, have_ready: Sequence[HaveReady] = ()) -> tuple[Stated, ...]:
    """Return what the text of a route states, each with its slot in it."""
    scope, step = route_scope(route), blocking_step(route)
    by_step = route.mode in ONLINE and step != "none"
    facts = [
        Stated(route_key(venue_id, scope), route.mode, "how"),
        Stated(step_key(venue_id, scope), step, "steps" if by_step else "how"),
    ]
    if route.contact and route.contact.value:
        facts.append(Stated(contact_key(venue_id, scope), route.contact.value, "contact"))
    if route.contact and route.contact.hours:
        facts.append(Stated(contact_hours_key(venue_id, scope), hours_value(route.contact.hours), "hours"))
    if have_ready:
        facts.append(Stated(have_ready_key(venue_id, scope), _ready_value(tuple(have_ready)), "ready"))
    return tuple(facts)


@cache
def window_text(window: BookingWindow, language: str, variant: int) -> Text:
    """Say from when to when a venue takes bookings for a day."""
    opens = time_of(window.opens_at, language)
    if window.months_ahead:
        month = phrase(f"months.m{window.months_ahead}", language)
        first = _text("window.months", language, variant, day=window.month_day, time=opens, month=month)
    elif not window.days_ahead:
        first = _text("window.open", language, variant)
    elif window.opens_at == "00:00":
        first = _text("window.days", language, variant, days=CountSlot(window.days_ahead, "day"))
    else:
        first = _text("window.days_at", language, variant, days=CountSlot(window.days_ahead, "day"), time=opens)
    lead: list[SlotValue] = []
    if window.lead_minutes:
        lead = [_text("window.lead", language, variant, lead=DurationSlot(window.lead_minutes))]
    return _text("when", language, variant, opens=first, closes=_after(lead))


@lru_cache(maxsize=4096)
def remark_text(remark: Remark, language: str, variant: int, value: str = "") -> Text:
    """Say something that blocks no booking: cards at the till, points, news, lost property, a call to who is late.

    `value` is the telephone number for lost property, or the name of the messenger with news.
    """
    slots: dict[str, SlotValue] = {"value": value} if remark in ("lost_property", "news") else {}
    return _text(f"remarks.{remark}", language, variant, **slots)


def booking_parts(
    venue_id: str,
    routes: Sequence[tuple[Route, Sequence[HaveReady]]],
    window: BookingWindow,
    remarks: Sequence[Text],
    operator: str,
    messenger: str,
    language: str,
    variant: int,
) -> tuple[Part, ...]:
    """Return the parts of a page of kind `booking`: its routes, its window, and its remarks."""
    parts = [
        Part(route_text(route, operator, messenger, language, variant, ready), route_facts(venue_id, route, ready))
        for route, ready in routes
    ]
    if any(route.mode != "in_person" for route, _ in routes):
        stated = (Stated(window_key(venue_id), window_value(window)),)
        parts.append(Part(window_text(window, language, variant), stated))
    if remarks:
        parts.append(Part(_text("remark_list", language, variant, remarks=SentencesSlot(tuple(remarks)))))
    return tuple(parts)


def surface_facts(
    venue_id: str, routes: Sequence[tuple[Route, Sequence[HaveReady]]], window: BookingWindow
) -> tuple[Stated, ...]:
    """Return what a surface states with the texts of its routes and its window, under the keys of the page."""
    facts = [fact for route, ready in routes for fact in route_facts(venue_id, route, ready)]
    return (*(Stated(fact.key, fact.value) for fact in facts), Stated(window_key(venue_id), window_value(window)))


def booking_title(language: str, variant: int) -> str:
    """Return the title of the page."""
    return titles(FILE, language)[variant]


@cache
def titles(file: str, language: str) -> tuple[str, ...]:
    """Return the four titles of the page of a file of texts."""
    table: Mapping[str, Any] = shared_table(f"text/{language}/{file}")
    return tuple(table["title"]["variants"])


@cache
def hours_text(spans: tuple[ContactSpan, ...], language: str, variant: int) -> Text:
    """Say when a contact answers."""
    said = [
        phrase(
            "contact.span",
            language,
            days=days_in_words(span.weekdays, language),
            opens=time_of(span.opens, language),
            closes=time_of(span.closes, language),
        )
        for span in spans
    ]
    return _text("contact.hours", language, variant, hours=joined(said, language))


def _text(kind: str, language: str, variant: int, **slots: SlotValue) -> Text:
    return Text.of(FILE, kind, language, variant, **slots)


def _after(sentences: Sequence[SlotValue]) -> SlotValue:
    """Sentences that follow another one, joined to it as the language does, or nothing."""
    return SentencesSlot(("", *sentences)) if sentences else ""
