"""The firms and offices of a world: the user's own, and those that write to it."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import get_args

import msgspec

from agentbench_env.draw import Draw, Split, pool_of
from agentbench_env.market import market_codes, shared_table
from agentbench_tasks.calendar_mail.domain.abroad import Firm, FirmKind, firms
from agentbench_tasks.calendar_mail.domain.mailbox import MailSystem, Rule
from agentbench_tasks.calendar_mail.domain.market import RecallChances

_OTHER_KINDS: tuple[FirmKind, ...] = ("clients", "vendors", "partners")
SAME_SYSTEM = 0.25
"""Share of outside organisations of the user's market that are on the same mail service as the user's company."""


class Organisation(msgspec.Struct, frozen=True, gc=False):
    """A firm or office of a world."""

    id: str
    name: str
    domain: str
    place: str
    mail_system: str
    """The name of the mail service that it is on, "" if nobody knows."""


def has_firms(draw: Draw, place: str, taken: Collection[str]) -> bool:
    """Whether a place has a firm of this split whose domain is not among `taken`."""
    return any(firm.domain not in taken for kind in _OTHER_KINDS for firm in _pool(place, kind, draw.split))


def draw_organisation(
    draw: Draw, place: str, kind: FirmKind, language: str, system: str, taken: Collection[str]
) -> Organisation:
    """Draw an organisation whose domain is not among `taken`, of another kind where all of this one are.

    Args:
        draw: the stream to draw from.
        place: the code of its market or region abroad.
        kind: clients, vendors, officials, partners or employers.
        language: the language of the world; firms of the place are named in their own where that is not English.
        system: the mail service that it is on.
        taken: the domains of those drawn before.
    """
    pools = (_pool(place, one, draw.split) for one in (kind, *_OTHER_KINDS))
    free = (found for pool in pools if (found := [firm for firm in pool if firm.domain not in taken]))
    firm = draw.choice(next(free))
    return Organisation(draw.id("org"), _name(firm, language), firm.domain, place, system)


@cache
def _pool(place: str, kind: FirmKind, split: Split) -> list[Firm]:
    return pool_of(firms(place, kind), split)


def _name(firm: Firm, language: str) -> str:
    return firm.english if language == "en" or firm.place not in market_codes() else firm.native


def draw_system(draw: Draw, chances: RecallChances, language: str) -> MailSystem:
    """Draw the mail system of the user's company; its help page is added by whoever publishes it."""
    rule = draw.weighted(chances.systems)
    assert rule in get_args(Rule)
    row = shared_table("calendar_mail")["mail_systems"][rule]
    name: str = row["names"].get(language, row["names"]["en"])
    return MailSystem(
        draw.id("sys"),
        name,
        rule,  # type: ignore[arg-type]
        read_switch=draw.choice(chances.read_switch),
        delay_s=draw.choice(row["delays_s"]),
        window_s=row["window_s"],
    )
