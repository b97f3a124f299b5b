"""What common mistakes would claim: the amounts that the traps of an instance lead to."""

from __future__ import annotations

import msgspec

from agentbench_tasks.travel.domain.refund_claim.plot import Plot
from agentbench_tasks.travel.domain.refund_claim.terms import Happened, HeadKind, Terms, heads_of


def mistakes(plot: Plot) -> dict[str, dict[HeadKind, int]]:
    """Return the heads that each mistake leads to, where they differ from the right ones."""
    terms, event = plot.versions.governing, plot.happened
    right = heads_of(terms, event)
    swapped = msgspec.structs.replace(event, departure=max(0, event.arrival), arrival=event.departure)
    everybody = msgspec.structs.replace(event, adults=event.adults + event.children, children=0)
    everything = msgspec.structs.replace(
        event, receipts=tuple((receipt.kind, receipt.minor) for receipt in plot.receipts)
    )
    found = {
        "other_end": heads_of(terms, swapped if event.travelled else event),
        "other_version": heads_of(plot.versions.other, event),
        "block_begun": heads_of(terms, _rounded_up(terms, event.arrival, event.departure, plot)),
        "price_for_fare": heads_of(terms, msgspec.structs.replace(event, leg_fare=event.leg_price)),
        "children_as_adults": heads_of(terms, everybody),
        "no_limit": heads_of(_unlimited(terms), event),
        "every_receipt": heads_of(terms, everything),
        "cause_ignored": heads_of(msgspec.structs.replace(terms, excluded=()), event),
        "nothing_deducted": heads_of(msgspec.structs.replace(terms, deducts=False), event),
        "highest_step": heads_of(terms, _longest(terms, plot)),
    }
    return {name: heads for name, heads in found.items() if heads != right}


def _rounded_up(terms: Terms, arrival: int, departure: int, plot: Plot) -> Happened:
    size = terms.block.minutes
    if not size or arrival < 0:
        return plot.happened
    return msgspec.structs.replace(
        plot.happened, arrival=-(-arrival // size) * size, departure=-(-departure // size) * size
    )


def _unlimited(terms: Terms) -> Terms:
    big = 10**12
    block = msgspec.structs.replace(terms.block, cap_adult=big, cap_child=big)
    return msgspec.structs.replace(terms, block=block, ceilings=tuple((kind, big) for kind, _ in terms.ceilings))


def _longest(terms: Terms, plot: Plot) -> Happened:
    """The event as if it had been as late as could be, without an excuse, everything spent to the ceilings."""
    event = plot.happened
    receipts = tuple((kind, ceiling) for kind, ceiling in terms.ceilings) or event.receipts
    return msgspec.structs.replace(
        event, arrival=100_000, departure=100_000, cause="", adults=event.adults + event.children, children=0,
        km=10**6, receipts=receipts,
    )  # fmt: skip
