"""What the terms of a venue state as facts: keys and values, alike on every page that states them."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from agentbench_tasks.commons.texts import Stated
from agentbench_tasks.reservations.domain.conditions import scope_of
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.terms import Charge, Terms, Tier

_VENUE = "{venue}"
"""What stands for the venue in a key that serves for all."""


def deposit_key(venue_id: str, scope: str) -> str:
    """Key of the deposit rule of the bookings of a scope."""
    return f"deposit.{venue_id}.{scope}"


def cutoff_key(venue_id: str, scope: str) -> str:
    """Key of the last moment at which cancelling is free."""
    return f"cutoff.{venue_id}.{scope}"


def no_show_key(venue_id: str, scope: str) -> str:
    """Key of what is charged if nobody comes."""
    return f"no_show.{venue_id}.{scope}"


def headcount_key(venue_id: str, scope: str) -> str:
    """Key of what fewer guests cost."""
    return f"headcount_rule.{venue_id}.{scope}"


def change_key(venue_id: str, scope: str) -> str:
    """Key of what another time costs."""
    return f"change_rule.{venue_id}.{scope}"


def change_contact_key(venue_id: str, scope: str) -> str:
    """Key of where changes and cancellations go."""
    return f"change_contact.{venue_id}.{scope}"


def terms_scope(terms: Terms) -> str:
    """Return for which bookings terms are, as their keys name it."""
    narrowed = [word for word in (terms.booked, *terms.course_ids, terms.room) if word != "any"]
    return scope_of(terms.party, terms.weekdays, terms.services, terms.dates, *narrowed)


def terms_facts(terms: Terms) -> tuple[Stated, ...]:
    """Return what the part of terms states, each with its slot in the text."""
    venue = terms.venue_id
    rows = _rows(msgspec.structs.replace(terms, id="", venue_id="", page_id=""))
    return tuple(Stated(key.replace(_VENUE, venue), value, slot) for key, value, slot in rows)


@lru_cache(maxsize=8192)
def _rows(terms: Terms) -> tuple[tuple[str, str, str], ...]:
    """The key, value and slot of each fact, whichever venue has the terms."""
    scope = terms_scope(terms)
    rows = [
        (deposit_key(_VENUE, scope), deposit_value(terms), "deposit"),
        (cutoff_key(_VENUE, scope), cutoff_value(terms), "cutoff"),
        (no_show_key(_VENUE, scope), no_show_value(terms), "no_show"),
    ]
    if terms.headcount:
        rows.append((headcount_key(_VENUE, scope), headcount_value(terms), "more"))
    if terms.change:
        rows.append((change_key(_VENUE, scope), change_value(terms), "more"))
    if terms.contact and terms.contact.value:
        rows.append((change_contact_key(_VENUE, scope), f"{terms.contact.kind}/{terms.contact.value}", "contact"))
    return tuple(rows)


def cutoff_value(terms: Terms) -> str:
    """Return until when cancelling is free as a fact: a rule such as "days_before_at/2/21:00", "always" or "never"."""
    if is_free(terms):
        return "always"
    rule = free_rule(terms)
    return _rule_value(rule) if rule else "never"


def deposit_value(terms: Terms) -> str:
    """Return the deposit rule as a fact, e.g. "charged/per_head/3000/credited"; "none" where none is asked.

    What becomes of it after a no-show is part of the fact of the no-show.
    """
    rule = terms.deposit
    if rule.kind == "none" or (rule.kind == "charged" and not rule.amount):
        return "none"
    credited = ["credited"] if rule.kind == "charged" and rule.credited else []
    return "/".join((rule.kind, rule.basis, str(rule.amount), *credited))


def no_show_value(terms: Terms) -> str:
    """Return what a no-show costs as a fact, e.g. "pct/40/total/pct40/deposit_counts/returned"; "0" for nothing."""
    rule = terms.no_show
    if not charges_no_show(terms):
        said = ["0"]
    else:
        said = [_charge_value(rule.charge)]
        cap = cap_of(terms)
        said += [] if cap == "none" else ["deposit" if cap == "deposit" else f"pct{rule.cap_pct}"]
    if is_paid(terms):
        returned = terms.deposit.surplus_returned and rule.offset == "deposit_counts"
        said += [rule.offset] + ["returned"] * returned
    return "/".join(said)


def headcount_value(terms: Terms) -> str:
    """Return what fewer guests cost as a fact, "" where nothing is said of it."""
    if terms.headcount is None:
        return ""
    steps = ";".join(f"{step.fewer}:{_rule_value(step.until)}" for step in terms.headcount.steps)
    return f"{steps}={_charge_value(terms.headcount.charge)}"


def change_value(terms: Terms) -> str:
    """Return what another time costs as a fact, "" where nothing is said of it."""
    rule = terms.change
    return f"{rule.free_moves}:{_rule_value(rule.until)}={_charge_value(rule.charge)}" if rule else ""


def _rule_value(rule: CutoffRule) -> str:
    return "/".join(filter(None, (rule.kind, str(rule.n), rule.at)))


def _charge_value(charge: Charge) -> str:
    if not charge.amount:
        return "0"
    base = [charge.base] if charge.basis == "pct" else []
    return "/".join((charge.basis, str(charge.amount), *base, *["added"] * charge.charges_added))


def free_rule(terms: Terms) -> CutoffRule | None:
    """Return the rule of the last tier that costs nothing, None if each of them costs something."""
    return next((tier.until for tier in reversed(terms.tiers) if not costs(tier, terms)), None)


def costs(tier: Tier, terms: Terms) -> bool:
    """Whether cancelling within a tier costs something."""
    return bool(tier.charge.amount) or (tier.keeps_deposit and is_paid(terms))


def is_paid(terms: Terms) -> bool:
    """Whether money is left beforehand."""
    return terms.deposit.kind == "charged" and bool(terms.deposit.amount)


def charges_no_show(terms: Terms) -> bool:
    """Whether something is charged if nobody comes, before a deposit is set off."""
    rule, has_deposit = terms.no_show, terms.deposit.kind != "none" and bool(terms.deposit.amount)
    takes_of_deposit = rule.cap == "deposit" or (rule.charge.basis == "pct" and rule.charge.base == "deposit")
    return bool(rule.charge.amount) and (has_deposit or not takes_of_deposit)


def is_free(terms: Terms) -> bool:
    """Whether cancelling costs nothing up to the start, as `terms.free_until` reckons it."""
    if charges_no_show(terms) or any(costs(tier, terms) for tier in terms.tiers):
        return False
    returned = terms.deposit.surplus_returned and terms.no_show.offset == "deposit_counts"
    return returned or not is_paid(terms)


def cap_of(terms: Terms) -> Literal["none", "deposit", "pct"]:
    """Return what the charge for a no-show is capped by; a cap that it never reaches is none."""
    rule, charge = terms.no_show, terms.no_show.charge
    base = {"none": "", "deposit": "deposit", "pct": "total"}[rule.cap]
    most = rule.cap_pct if rule.cap == "pct" else 100
    return "none" if charge.basis == "pct" and charge.base == base and charge.amount <= most else rule.cap


def keeps_deposit(terms: Terms) -> bool:
    """Whether a no-show costs the deposit that was paid, neither more nor less."""
    rule = terms.no_show
    whole = (rule.charge.basis, rule.charge.base, rule.charge.amount) == ("pct", "deposit", 100)
    return is_paid(terms) and rule.offset == "deposit_counts" and whole
