"""What a block of terms comes to for an occasion: deposit, end of free cancelling, no-show charge, whole loss."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.money import Money
from agentbench_tasks.reservations.domain.cutoffs import OpenDay
from agentbench_tasks.reservations.domain.menu_page import price_key
from agentbench_tasks.reservations.domain.terms import (
    DepositBasis,
    Occasion,
    Terms,
    deposit_total,
    exposure,
    free_until,
    no_show_total,
)
from agentbench_tasks.reservations.domain.terms_facts import (
    cutoff_key,
    cutoff_value,
    deposit_key,
    deposit_value,
    no_show_key,
    no_show_value,
    terms_scope,
)

_OF_MENUS = ("course", "course_plus_room", "total")


class Goal(msgspec.Struct, frozen=True):
    """What is right."""

    kind: Literal["none", "hold", "charged"]
    """A card that is kept without an amount is no deposit."""
    basis: DepositBasis | Literal["none"]
    deposit: Money
    free_until: int | None
    """The last instant at which cancelling is free, None if it never is."""
    no_show: Money
    exposure: Money


class Facts(msgspec.Struct, frozen=True):
    """The facts that each value rests on, the term itself first."""

    deposit: tuple[Fact, ...]
    cutoff: tuple[Fact, ...]
    no_show: tuple[Fact, ...]
    exposure: tuple[Fact, ...]


def goal_of(terms: Terms, occasion: Occasion, is_open: OpenDay) -> Goal:
    """Return what terms come to for an occasion."""
    deposit = deposit_total(terms, occasion)
    return Goal(
        terms.deposit.kind if deposit.minor else "none",
        terms.deposit.basis if deposit.minor else "none",
        deposit,
        free_until(terms, occasion, is_open),
        no_show_total(terms, occasion),
        exposure(terms, occasion),
    )


def facts_of(terms: Terms, occasion: Occasion) -> Facts:
    """Return what the values of a goal rest on: the terms and, where they take a share of menus, their price."""
    venue, scope, course = terms.venue_id, terms_scope(terms), occasion.course
    price: tuple[Fact, ...] = ((price_key(course.id), course.price.minor),) if course else ()
    deposit: tuple[Fact, ...] = ((deposit_key(venue, scope), deposit_value(terms)),)
    if terms.deposit.basis == "pct_of_course" and terms.deposit.kind != "none":
        deposit += price
    rule = terms.no_show
    of_menus = rule.charge.basis == "pct" and rule.charge.base in _OF_MENUS
    no_show: tuple[Fact, ...] = ((no_show_key(venue, scope), no_show_value(terms)),)
    if of_menus or rule.cap == "pct":
        no_show += price
    if "deposit" in (rule.charge.base, rule.cap):
        no_show = tuple(dict.fromkeys((*no_show, *deposit)))
    return Facts(
        deposit,
        ((cutoff_key(venue, scope), cutoff_value(terms)),),
        no_show,
        tuple(dict.fromkeys((*no_show, *deposit))),
    )
