"""What the providers of the town have alike: their sentences, and the rows of what reached them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentbench_env.episode import Call
from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.text.fold import fold
from agentbench_env.text.template import fill
from agentbench_tasks.commons.outbound import Enclosure, OutboundKind, send_out
from agentbench_tasks.reservations.domain.places import Place

_NOT_DIGITS = re.compile(r"\D")


def sentence(language: str, kind: str, **slots: str) -> str:
    """Return a provider's sentence of a kind in a language, its slots filled."""
    return fill(shared_table(f"text/{language}/venue_desk")["sentences"][kind], slots)[0]


def digits_of(number: str) -> str:
    """Return the digits of a telephone number, however it is written."""
    return _NOT_DIGITS.sub("", fold(number))


def reach_venue(
    call: Call,
    kind: OutboundKind,
    venue_id: str,
    subject_id: str,
    *,
    subkind: str = "",
    content: str = "",
    enclosures: Sequence[Enclosure] = (),
    amount: Money | None = None,
) -> None:
    """Record that the call reached a venue or firm."""
    place = call.world.get(Place, venue_id)
    send_out(
        call,
        kind,
        recipient_org_id=place.id,
        relation="provider",
        jurisdiction=place.country,
        subkind=subkind,
        subject_id=subject_id,
        content=content,
        enclosures=enclosures,
        amount=amount,
    )
