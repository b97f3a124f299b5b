"""Other guests in the books of venues who are easily taken for the user."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.formats import mobile
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.names import PersonName
from agentbench_env.text.template import slot_names
from agentbench_tasks.commons.naming import Namer, mailbox_name
from agentbench_tasks.reservations.domain.booking_records import Deposit, MadeVia, Reservation
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.person import MAIL_DOMAIN, booked_forms, mail_mask, phone_mask

_LETTERS = tuple(letter for letter in string.ascii_uppercase if letter not in "IOQ")
MADE_VIA: tuple[MadeVia, ...] = ("engine", "engine", "aggregator", "phone", "messenger")
_FAMILY = frozenset(("family", "surname"))


class Seat(msgspec.Struct, frozen=True):
    """Where and when a namesake may sit: an evening of a venue."""

    venue_id: str
    start: int
    minutes: int
    party_size: int


def reference(draw: Draw) -> str:
    """Draw the reference of a reservation."""
    return f"{draw.choice(_LETTERS)}{draw.int(2, 9)}{draw.choice(_LETTERS)}-{draw.int(0, 9999):04}"


def namesake(draw: Draw, setting: Setting, namer: Namer, name: PersonName) -> PersonName:
    """Draw a name that stands in a guest book much like another: by family name or, where it has none, given name."""
    code = setting.market.code
    if not _FAMILY.isdisjoint(slot_names(reservation_market(code).booked_names.forms[0])) and name.family_latin:
        other = namer.alike(code, name)
        while other.family != name.family:
            # Names that only sound alike stand in a book under other characters.
            other = namer.alike(code, name)
        return other
    other = namer.fresh(code, gender=name.gender, national=True)
    # Books write such a guest by the given name, with or without the rest.
    kept = other if name.family_latin else msgspec.structs.replace(other, family="", family_latin="")
    return msgspec.structs.replace(
        kept,
        native=_renamed(other.native, other.given, name.given),
        latin=_renamed(other.latin, other.given_latin, name.given_latin),
        given=name.given,
        given_latin=name.given_latin,
    )


def _renamed(whole: str, given: str, other: str) -> str:
    return whole.replace(given, other, 1)


def namesakes(
    draw: Draw,
    ids: Draw,
    setting: Setting,
    namer: Namer,
    own: Reservation,
    name: PersonName,
    seats: Sequence[Seat],
    terms: tuple[str, str] = ("", ""),
) -> Iterator[Reservation]:
    """Yield the rows of guests with the user's name, one for each seat.

    Each differs from the user's own row in the telephone number, and in given name, size, hour or branch besides: the
    seats have to see to it where the market's books print no family name.

    Args:
        draw: the stream to draw from.
        ids: the stream of ids.
        setting: market and split.
        namer: draws the names of this world.
        own: the user's row for which they are mistaken.
        name: the user's name.
        seats: one for each guest.
        terms: the ids of the terms and of their page at the venue.
    """
    code = setting.market.code
    for seat in seats:
        other = namesake(draw, setting, namer, name)
        number = phone_mask(mobile(code, draw))
        while number == own.phone_masked:
            number = phone_mask(mobile(code, draw))
        yield Reservation(
            ids.id("rsv"),
            reference(draw),
            seat.venue_id,
            draw.choice(MADE_VIA),
            "",
            draw.choice(booked_forms(other, code)),
            number,
            mail_mask(f"{mailbox_name(other)}@{MAIL_DOMAIN}"),
            seat.party_size,
            seat.start,
            "any",
            "",
            "confirmed",
            Deposit("none", Money(0, setting.market.currency)),
            terms[0],
            terms[1],
            own.created_at - draw.int(1, 10) * 24 * 3600,
            end=seat.start + seat.minutes * 60,
        )
