"""What a house of the plot keeps on calling tables off: its ways of booking, and terms that say the same."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.commons.service_time import add_days
from agentbench_tasks.reservations.domain.booking_records import MadeVia
from agentbench_tasks.reservations.domain.cancellation.market import Counted, Habits, Limit, Loss
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.publishing import Publication
from agentbench_tasks.reservations.domain.surface import Route, RouteMode, Step
from agentbench_tasks.reservations.domain.terms import FREE, Charge, DepositRule, NoShow, Terms, Tier
from agentbench_tasks.reservations.domain.terms_page import terms_parts, terms_title
from agentbench_tasks.reservations.domain.usual import ASKED, contact_of, site_name

LATE_MINUTES = 15
OLDER_DAYS = (120, 500)
"""How many days before the page in force the one that it replaces was published."""
_STEPS: dict[str, tuple[Step, ...]] = {"deposit": ("deposit",), "hold": ("card_hold",)}
_OFF_THE_WEB: dict[MadeVia, tuple[RouteMode, ...]] = {
    "phone": ("phone",),
    "messenger": ("messenger",),
    "mail": ("phone", "messenger"),
}


class Block(msgspec.Struct, frozen=True):
    """What holds for parties of some sizes."""

    party: PartyRange
    limit: Limit
    loss: Loss


def draw_blocks(draw: Draw, habits: Habits, party_size: int, on_the_web: bool, mixed: bool) -> tuple[Block, ...]:
    """Draw what a house keeps for parties of all sizes, or for small and for larger ones apart.

    Where it is `mixed`, the limit of the ones is counted in hours and that of the others in days.
    """
    if not mixed:
        return (Block(PartyRange(), habits.limit(draw), habits.loss(draw, on_the_web)),)
    split = draw.choice((party_size, party_size - 1))
    hours, days = (Block(PartyRange(), habits.limit(draw, way), habits.loss(draw, on_the_web)) for way in _WAYS)
    small, large = draw.shuffled((hours, days))
    return (
        msgspec.structs.replace(small, party=PartyRange(1, split)),
        msgspec.structs.replace(large, party=PartyRange(split + 1)),
    )


_WAYS: tuple[Counted, ...] = ("hours", "days")


def block_for(blocks: tuple[Block, ...], party_size: int) -> Block:
    """Return what holds for a party."""
    return next(block for block in blocks if block.party.holds(party_size))


def keep(house: House, blocks: tuple[Block, ...], made_via: MadeVia, on_the_web: bool, most: int) -> None:
    """Let a house keep and print these terms, and take bookings on the web up to `most` guests or not at all."""
    house.routes = [(route, ASKED) for route in _routes(house, blocks, made_via, on_the_web, most)]
    house.terms = [_terms(house, block) for block in blocks]


def replace_older(house: House, blocks: tuple[Block, ...], habits: Habits) -> None:
    """Let the page of a house's terms replace an older one that states other limits and can still be read."""
    draw, rules = house.draw, house.rules
    older = [_terms(house, msgspec.structs.replace(block, limit=habits.other(draw, block.limit))) for block in blocks]
    messenger = site_name(rules.site.messenger, house.language)
    parts = terms_parts(older, house.place.currency, house.language, house.variant, messenger=messenger)
    published = add_days(house.published, -draw.int(*OLDER_DAYS))
    page_id = house.ids.id("pg")
    page = Publication("terms", house.language, terms_title(house.language, house.variant), parts, published)
    house.more_pages.append((page_id, page))
    house.supersedes["terms"] = page_id


def _routes(house: House, blocks: tuple[Block, ...], made_via: MadeVia, on_the_web: bool, most: int) -> list[Route]:
    if not on_the_web:
        # No hours: whoever calls a table off in time must find somebody there.
        mode = house.draw.choice(_OFF_THE_WEB[made_via])
        return [Route(mode, "", PartyRange(), contact=contact_of(house.place, mode))]
    routes = [
        Route("instant", "", PartyRange(block.party.min, block.party.max or most), steps=_steps(block))
        for block in blocks
        if block.party.min <= most
    ]
    larger = Route(
        "phone", "", PartyRange(most + 1), steps=_steps(blocks[-1]), contact=contact_of(house.place, "phone")
    )
    return [*routes, larger]


def _steps(block: Block) -> tuple[Step, ...]:
    return _STEPS.get(block.loss.form, ())


def _terms(house: House, block: Block) -> Terms:
    limit, loss = block.limit, block.loss
    tiers = [Tier(limit.until, FREE)]
    if limit.half:
        tiers.append(Tier(limit.half, _charge(loss, 2)))
    with_average = loss.form == "average_spend" and house.dinner is not None
    return Terms(
        house.ids.id("trm"),
        house.place.id,
        house.page_id("terms"),
        _deposit(loss),
        tuple(tiers),
        NoShow(_charge(loss, 1)),
        block.party,
        late_minutes=LATE_MINUTES,
        average_spend=house.dinner.minor if with_average and house.dinner else 0,
        charges=house.charges,
    )


def _deposit(loss: Loss) -> DepositRule:
    match loss.form:
        case "deposit":
            return DepositRule("charged", "per_head", loss.amount)
        case "hold":
            return DepositRule("hold", "per_head", loss.amount, credited=False)
        case "per_head" | "average_spend":
            return DepositRule()


def _charge(loss: Loss, part: int) -> Charge:
    """What is charged: the whole loss, or half of it."""
    match loss.form:
        case "per_head":
            return Charge("per_head", loss.amount // part)
        case "average_spend":
            return Charge("pct", loss.amount // part, "average_spend")
        case "deposit" | "hold":
            return Charge("pct", 100 // part, "deposit")
