"""The proof that one table, one limit and one charge are meant: reads the records as anybody could."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.world import Record
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.reservations.domain.blocking import BlockingStep
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.proof_days import closes
from agentbench_tasks.reservations.domain.terms import Charge, Terms
from agentbench_tasks.reservations.domain.venue import ClosureRule

_DAY = timedelta(1)
_READ = frozenset({Place, Reservation, Message, Terms, ClosureRule})
"""The kinds of records that the proof rests on; a town has many others."""


class Goal(msgspec.Struct, frozen=True):
    """What is to be done."""

    reservation_id: str
    """"" where nothing ties one to the user."""
    stop: BlockingStep
    """What stops the assistant, none if nothing does."""
    cutoff: int
    charge: int
    """What calling off costs now, in minor units."""


class Said(msgspec.Struct, frozen=True):
    """What the user says, and who the user is."""

    account_id: str
    addresses: tuple[str, ...]
    venue: str
    day: str
    now: int


def prove(said: Said, records: Sequence[Record]) -> Goal:
    """Find the one table that is the user's, its limit and what it costs now; raise NoFit if one is not certain."""
    places: list[Place] = []
    booked: list[Reservation] = []
    messages: list[Message] = []
    kept: dict[str, Terms] = {}
    closures: list[ClosureRule] = []
    for one in records:
        if type(one) not in _READ:
            continue
        match one:
            case Place():
                places += [one] if one.full_name == said.venue else []
            case Reservation():
                booked.append(one)
            case Message():
                messages.append(one)
            case Terms():
                kept[one.id] = one
            case ClosureRule():
                closures.append(one)
            case _:
                pass
    if len(places) != 1:
        raise NoFit
    place = places[0]
    tied = set(_tied(said, booked, messages))
    rows = [
        row
        for row in booked
        if (row.venue_id, row.status) == (place.id, "confirmed") and to_local(row.start, place.zone)[:10] == said.day
    ]
    own = [row for row in rows if row.id in tied]
    if len(own) > 1 or len(own) == len(rows):
        raise NoFit
    if not own:
        return Goal("", "ownership_unconfirmed", 0, 0)
    row = own[0]
    terms = kept[row.terms_id]
    closures = [rule for rule in closures if rule.venue_id == place.id]
    limits = [(_instant(tier.until, row.start, place, closures), tier.charge) for tier in terms.tiers]
    cutoff = max(at for at, charge in limits if not charge.amount)
    left = [charge for at, charge in limits if said.now <= at]
    cost = _cost((left or [terms.no_show.charge])[0], terms, row)
    return Goal(row.id, "cutoff_passed" if said.now > cutoff else "none", cutoff, cost)


def _tied(said: Said, booked: Iterable[Reservation], messages: Iterable[Message]) -> Iterable[str]:
    """The reservations that an account or a message to the user ties to the user."""
    yield from (row.id for row in booked if row.account_id == said.account_id)
    for message in messages:
        if any(reader.address in said.addresses for reader in message.to):
            for fact in message.stated:
                kind, id, name = fact.key.split(".")
                if (kind, name, fact.value) == ("reservation", "account", said.account_id):
                    yield id


def _instant(rule: CutoffRule, start: int, place: Place, closures: Sequence[ClosureRule]) -> int:
    """A limit, counted back on the calendar."""
    if rule.kind == "hours_before":
        return start - rule.n * 3600
    day, left = date.fromisoformat(to_local(start, place.zone)[:10]), rule.n
    while left:
        day -= _DAY
        if rule.kind != "business_days_before_at" or not _closed(day, place.country, closures):
            left -= 1
    return to_instant(f"{day.isoformat()}T{rule.at or '00:00'}", place.zone)


def _closed(day: date, country: str, closures: Sequence[ClosureRule]) -> bool:
    return any(closes(rule, day, country) for rule in closures)


def _cost(charge: Charge, terms: Terms, row: Reservation) -> int:
    """What a party is charged."""
    if charge.basis == "per_head":
        return charge.amount * row.party_size
    whole = row.deposit.amount.minor if charge.base == "deposit" else terms.average_spend * row.party_size
    cost, rest = divmod(whole * charge.amount, 100) if charge.amount else (0, 0)
    if rest:
        raise NoFit
    return cost
