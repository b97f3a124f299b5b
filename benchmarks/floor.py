"""The floor: the same work as a step, a reset, an episode and a snapshot, with nothing around it.

A step validates a call, finds some offers by an index, writes a record, prints a page of rows as JSON of about 2 kB,
and chains a SHA-256 over the call and the result. There are no tools, tasks, users, boundaries, clocks or spaces.
"""

from __future__ import annotations

import random
from hashlib import sha256
from typing import Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field

RECORDS = 300
ROWS = 8
CALL = {"origin": "AAA", "destination": "BBB", "depart_on": "2026-06-01", "adults": 2, "children": 1}

encode = msgspec.json.Encoder(order="sorted").encode


class Search(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    origin: str
    destination: str
    depart_on: str
    adults: int = Field(ge=1, le=9)
    children: int = Field(default=0, ge=0, le=8)
    cabin: Literal["economy", "business"] = "economy"
    max_stops: int = -1
    sort: Literal["price", "time"] = "price"
    page_token: str = ""


class Offer(msgspec.Struct, frozen=True, gc=False):
    id: str
    carrier: str
    number: str
    cities: tuple[str, str, str]
    dep: str
    arr: str
    stops: int
    minor: int
    as_of: str
    reads: int = 0


class Price(msgspec.Struct, frozen=True, gc=False):
    amount: str
    currency: str


class Stamp(msgspec.Struct, frozen=True, gc=False):
    local: str
    zone: str


class Row(msgspec.Struct, frozen=True):
    carrier_code: str
    carrier: str
    service_no: str
    origin: str
    to: str
    dep: str
    arr: str
    stops: int
    shown_price: Price
    shown_excludes: list[str]
    price_as_of: Stamp
    offer_id: str
    fare_id: str


class Entry(msgspec.Struct, frozen=True, gc=False):
    index: int
    arguments: bytes
    digest: str
    shown: tuple[str, ...]
    changes: tuple[Offer, ...]
    previous: str


class Floor:
    """A world of 300 small records and a hash chain."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed).random
        self.records: dict[str, Offer] = {}
        self.index: dict[tuple[str, str, str], list[str]] = {}
        for n in range(RECORDS):
            hour, minute, code = int(draw() * 20), int(draw() * 60), f"C{int(draw() * 9)}L"
            cities = ("AAA", "BBB", f"2026-06-{1 + n // ROWS:02}")
            offer = Offer(
                f"off_{int(draw() * 2**40):010x}",
                code,
                f"{code} {int(draw() * 900) + 100}",
                cities,
                f"{hour:02}:{minute:02}",
                f"{hour + 3:02}:{minute:02}",
                int(draw() * 2),
                int(draw() * 90_000) + 10_000,
                f"2026-05-01T{hour:02}:{minute:02}",
            )
            self.records[offer.id] = offer
            self.index.setdefault(cities, []).append(offer.id)
        self.changed: dict[str, Offer] = {}
        self.entries: list[Entry] = []
        self.contents: list[str] = []
        self.head = ""

    def step(self, arguments: dict[str, Any]) -> str:
        """Carry out one search."""
        call = Search.model_validate(arguments)
        canonical = encode(call.model_dump(mode="json"))
        found = self.index[call.origin, call.destination, call.depart_on]
        offers = [self.changed.get(id) or self.records[id] for id in found]
        offers.sort(key=lambda offer: (offer.minor, offer.id))
        first = offers[0]
        self.changed[first.id] = msgspec.structs.replace(first, reads=first.reads + 1)
        content = encode({"offers": [_row(offer) for offer in offers], "total": len(offers)}).decode()
        digest = sha256(content.encode()).hexdigest()
        shown = tuple(offer.id for offer in offers)
        entry = Entry(len(self.entries), canonical, digest, shown, (first,), self.head)
        self.head = sha256(encode(entry)).hexdigest()
        self.entries.append(entry)
        self.contents.append(content)
        return content

    def snapshot(self) -> tuple[Any, ...]:
        """Copy what may change."""
        return self.changed.copy(), self.entries.copy(), self.contents.copy(), self.head


def _row(offer: Offer) -> Row:
    origin, dest, _ = offer.cities
    whole, part = divmod(offer.minor, 100)
    return Row(
        offer.carrier,
        f"Carrier {offer.carrier}",
        offer.number,
        origin,
        dest,
        offer.dep,
        offer.arr,
        offer.stops,
        Price(f"{whole}.{part:02}", "XTS"),
        ["taxes", "bag", "card"],
        Stamp(offer.as_of, "Etc/UTC"),
        offer.id,
        f"fare_{offer.id[4:]}",
    )
