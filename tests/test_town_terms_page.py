"""Pages of terms: they print what the rules say, in every language and wording, and where each fact says it stands."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from town_kit import place, town
from town_pages import LANGUAGES, MARKETS, VARIANTS, Figures, figures

from agentbench_env.claims import QuoteText, quote_fault
from agentbench_env.draw import Draw
from agentbench_env.money import digits
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.pages import Page, body, fact_span, sections_of
from agentbench_tasks.commons.texts import body_of, render, span_of
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.market import MissingPattern, TermsPattern, reservation_market
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.publishing import Publication, publish
from agentbench_tasks.reservations.domain.surface import ContactSpan, RouteContact
from agentbench_tasks.reservations.domain.terms import (
    ChangeRule,
    Charge,
    DepositRule,
    HeadcountRule,
    HeadcountStep,
    NoShow,
    Occasion,
    Terms,
    Tier,
    free_until,
)
from agentbench_tasks.reservations.domain.terms_facts import (
    change_key,
    cutoff_key,
    cutoff_value,
    deposit_key,
    deposit_value,
    free_rule,
    headcount_key,
    no_show_key,
    no_show_value,
    terms_facts,
    terms_scope,
)
from agentbench_tasks.reservations.domain.terms_page import terms_part, terms_parts, terms_title

LONGEST_QUOTE = 400
DAY_ENDS_AT_24 = ("ko", "ja")
"""Languages in which the end of a day is written 24:00."""
SERVICE = ChargeRule(10, 0, 0, "on_service", "floor")
PLUS_PLUS = ChargeRule(10, 0, 9, "on_service")


def terms(**fields: Any) -> Terms:
    return Terms("trm_a", "ven_a", "pg_terms", **fields)


def business(n: int) -> CutoffRule:
    return CutoffRule("business_days_before_at", n, "21:00")


def days(n: int, at: str = "21:00") -> CutoffRule:
    return CutoffRule("days_before_at", n, at)


def hours(n: int) -> CutoffRule:
    return CutoffRule("hours_before", n)


HALF = Charge("pct", 50, "course")
WHOLE = Charge("pct", 100, "course")
ALL_DEPOSIT = NoShow(Charge("pct", 100, "deposit"), "deposit")
CHAT = RouteContact("messenger", "@baan", (ContactSpan((1, 2, 3, 4, 5), "10:00", "17:30"),))
WORKED: list[tuple[str, Terms]] = [
    (
        "JPY",
        terms(
            party=PartyRange(5, 0),
            booked="course",
            room="room",
            tiers=(Tier(business(5)), Tier(business(3), HALF)),
            no_show=NoShow(Charge("pct", 100, "course_plus_room")),
            room_fee=5500,
            room_fee_served=False,
            charges=SERVICE,
            late_minutes=30,
        ),
    ),
    (
        "JPY",
        terms(
            party=PartyRange(8, 0),
            tiers=(Tier(days(3, "17:00")),),
            no_show=NoShow(WHOLE),
            headcount=HeadcountRule((HeadcountStep(4, days(3, "17:00")), HeadcountStep(1, days(1, "17:00"))), HALF),
        ),
    ),
    ("JPY", terms(deposit=DepositRule("hold"), tiers=(Tier(hours(72)), Tier(hours(12), HALF)), no_show=NoShow(WHOLE))),
    (
        "KRW",
        terms(
            deposit=DepositRule("charged", "per_head", 50_000, surplus_returned=True),
            tiers=(Tier(days(2)), Tier(days(1), Charge("pct", 50, "deposit"))),
            no_show=NoShow(Charge("pct", 40, "total"), "deposit"),
            late_minutes=15,
        ),
    ),
    (
        "SGD",
        terms(
            deposit=DepositRule("charged", "per_head", 3000),
            booked="course",
            tiers=(Tier(hours(48)),),
            no_show=NoShow(Charge("pct", 100, "course", charges_added=True)),
            charges=PLUS_PLUS,
        ),
    ),
    (
        "TWD",
        terms(
            deposit=DepositRule("hold", "per_head", 500, credited=False),
            tiers=(Tier(CutoffRule("day_start", 1)), Tier(CutoffRule("day_start", 0), Charge("pct", 50, "deposit"))),
            no_show=ALL_DEPOSIT,
            late_minutes=10,
        ),
    ),
    (
        "THB",
        terms(
            deposit=DepositRule("charged", "per_head", 50_000),
            no_show=ALL_DEPOSIT,
            change=ChangeRule(hours(24), Charge("pct", 100, "deposit"), free_moves=1),
            contact=CHAT,
        ),
    ),
    ("THB", terms()),
    (
        "AED",
        terms(
            deposit=DepositRule("charged", "pct_of_course", 50),
            services=("lunch",),
            weekdays=(6, 7),
            tiers=(Tier(hours(48)),),
            no_show=NoShow(Charge("per_head", 20_000), offset="in_addition"),
        ),
    ),
]
"""The worked examples of the tasks."""
FURTHER: list[tuple[str, Terms]] = [
    (
        "SGD",
        terms(
            deposit=DepositRule("charged", "per_table", 20_000, credited=False),
            tiers=(
                Tier(days(7), keeps_deposit=False),
                Tier(days(3), Charge("flat", 5000), keeps_deposit=True),
                Tier(days(1), keeps_deposit=True),
                Tier(CutoffRule("days_before_at", 0, "10:00"), Charge("per_table", 9900)),
            ),
            no_show=NoShow(Charge("pct", 80, "average_spend"), "pct", 60),
            booked="seat_only",
            room="no_room",
            average_spend=8800,
            headcount=HeadcountRule((HeadcountStep(2, business(1)), HeadcountStep(1, hours(20))), Charge("flat", 700)),
            change=ChangeRule(days(4), Charge("per_head", 1100)),
            contact=RouteContact("phone", "+65 6000-0123"),
            charges=PLUS_PLUS,
        ),
    ),
    ("KRW", terms(deposit=DepositRule("charged", "flat", 100_000), tiers=(Tier(days(1)),))),
    ("KRW", terms(deposit=DepositRule("charged", "flat", 100_000, surplus_returned=True))),
    ("AED", terms(no_show=NoShow(Charge("flat", 30_000)), contact=RouteContact("booking_page", "maqaad.example"))),
    ("TWD", terms(tiers=(Tier(hours(24), Charge("per_head", 200)),), no_show=NoShow(Charge("per_head", 400)))),
]
"""Rules that no market has, so that every sentence is read."""


def of_pattern(pattern: TermsPattern, charges: ChargeRule) -> Terms:
    amount = pattern.deposit.amounts[-1]
    missing = pattern.missing or MissingPattern("per_head", (100,))
    charge = Charge(missing.basis, missing.amounts[0])
    move = pattern.change
    return terms(
        deposit=DepositRule(pattern.deposit.kind, pattern.deposit.basis, amount, pattern.deposit.credited),
        tiers=pattern.tiers,
        no_show=pattern.no_show,
        party=pattern.party,
        headcount=HeadcountRule(pattern.headcount, charge) if pattern.headcount else None,
        change=ChangeRule(move.until, Charge(), move.free_moves) if move else None,
        late_minutes=pattern.late_minutes[-1],
        charges=charges,
    )


def market_terms() -> Iterator[tuple[str, Terms]]:
    for code, currency in MARKETS.items():
        market = reservation_market(code)
        for row in market.charges:
            rule = ChargeRule(row.service_pct, row.fee_pct, row.tax_pct, row.mode, row.rounding)
            yield from ((currency, of_pattern(pattern, rule)) for pattern in market.terms)


CASES = [*WORKED, *FURTHER, *market_terms()]


def expected(terms: Terms, currency: str, language: str) -> Figures:
    """What the page of terms has to say in figures, by the rules alone."""
    amounts: set[int] = set()
    numbers: set[int] = set()
    times: set[str] = set()
    charges = terms.charges
    rates = {rate for rate in (charges.service_pct, charges.fee_pct, charges.tax_pct) if rate}
    if charges.mode == "final":
        rates = set()

    def charge(one: Charge) -> None:
        (numbers if one.basis == "pct" else amounts).add(one.amount)
        if one.basis == "pct" and one.base != "deposit":
            numbers.update(rates)

    def rule(one: CutoffRule) -> None:
        times.update({one.at} - {""})
        if one.kind == "hours_before":
            numbers.add(one.n)
        elif one.kind == "day_start":
            numbers.update({one.n + 1} if one.n else ())
            times.update({"00:00"} if language in DAY_ENDS_AT_24 else ())
        elif one.n > 1:
            numbers.add(one.n)

    deposit, no_show = terms.deposit, terms.no_show
    if deposit.kind != "none" and deposit.amount:
        (numbers if deposit.basis == "pct_of_course" else amounts).add(deposit.amount)
    for tier in terms.tiers:
        rule(tier.until)
        if tier.charge.amount:
            charge(tier.charge)
    keeps = deposit.kind == "charged" and (no_show.charge.base, no_show.charge.amount) == ("deposit", 100)
    if no_show.charge.amount and not keeps:
        charge(no_show.charge)
    if no_show.cap == "pct" and (no_show.charge.base, no_show.charge.amount) != ("total", no_show.cap_pct):
        charge(Charge("pct", no_show.cap_pct, "total"))
    if terms.headcount:
        fewer = sorted(step.fewer for step in terms.headcount.steps)
        numbers.update(fewer, (more - 1 for more in fewer[1:]))
        for step in terms.headcount.steps:
            rule(step.until)
        charge(terms.headcount.charge)
    if terms.change:
        rule(terms.change.until)
        numbers.update({terms.change.free_moves} - {0})
        if terms.change.charge.amount:
            charge(terms.change.charge)
    numbers.update({terms.late_minutes} - {0})
    amounts.update({terms.room_fee, terms.average_spend} - {0})
    if terms.room_fee and not terms.room_fee_served:
        numbers.update(rates)
    if terms.party != PartyRange():
        numbers.update({terms.party.min, terms.party.max} - {0})
    for span in terms.contact.hours if terms.contact else ():
        times.update((span.opens, span.closes))
    return Figures(
        frozenset(Decimal(amount).scaleb(-digits(currency)) for amount in amounts),
        frozenset(times),
        frozenset(numbers),
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_printed_is_what_the_rules_say(language: str, variant: int) -> None:
    for currency, rules in CASES:
        text = body_of(terms_part(rules, currency, language, variant, {}, "Rinq").text)
        assert figures(text, language) == expected(rules, currency, language), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_fact_stands_in_its_slot(language: str, variant: int) -> None:
    for currency, rules in CASES:
        part = terms_part(rules, currency, language, variant, {}, "Rinq")
        text = body_of(part.text)
        said = {fact.key.split(".")[0]: text[slice(*span_of(part.text, fact))] for fact in part.stated}
        assert all(said.values())
        assert all(len(said[key]) <= LONGEST_QUOTE for key in ("deposit", "cutoff", "no_show")), text
        rule, deposit = free_rule(rules), rules.deposit
        if rule and cutoff_value(rules) not in ("always", "never"):
            alone = expected(terms(tiers=(Tier(rule),)), currency, language)
            assert figures(said["cutoff"], language)[1:3] == alone[1:3], text
        if deposit_value(rules) != "none":
            alone = expected(terms(deposit=deposit), currency, language)
            assert figures(said["deposit"], language) == alone, text
        charge = rules.no_show.charge
        if charge.amount and charge.basis != "pct":
            assert Decimal(charge.amount).scaleb(-digits(currency)) in figures(said["no_show"], language)[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_different_rules_read_differently(language: str, variant: int) -> None:
    texts = [body_of(terms_part(rules, currency, language, variant).text) for currency, rules in WORKED]
    assert len(set(texts)) == len(WORKED)
    base = WORKED[3][1]
    offsets = [
        base,
        msgspec.structs.replace(base, no_show=NoShow(base.no_show.charge, "deposit", offset="in_addition")),
        msgspec.structs.replace(base, no_show=NoShow(base.no_show.charge)),
        msgspec.structs.replace(base, no_show=NoShow()),
        msgspec.structs.replace(base, no_show=NoShow(), deposit=DepositRule("charged", "per_head", 50_000)),
        msgspec.structs.replace(base, no_show=ALL_DEPOSIT, deposit=DepositRule("charged", "per_head", 50_000)),
        msgspec.structs.replace(base, deposit=DepositRule("charged", "per_head", 50_000)),
        msgspec.structs.replace(base, deposit=DepositRule("hold", "per_head", 50_000)),
        msgspec.structs.replace(base, deposit=DepositRule("charged", "per_head", 50_000, credited=False)),
        msgspec.structs.replace(base, deposit=DepositRule("charged", "flat", 50_000)),
        msgspec.structs.replace(base, deposit=DepositRule("charged", "per_table", 50_000)),
    ]
    texts = [body_of(terms_part(rules, "KRW", language, variant).text) for rules in offsets]
    assert len(set(texts)) == len(offsets)
    values = [(deposit_value(rules), no_show_value(rules)) for rules in offsets]
    assert len(set(values)) == len(offsets)


def test_the_free_cutoff_is_that_of_the_terms() -> None:
    start = to_instant("2026-10-16T19:00", "Asia/Tokyo")
    for currency, rules in CASES:
        occasion = Occasion(6, start, "Asia/Tokyo", currency)
        # Without a course a percentage is of the average spend.
        spent = msgspec.structs.replace(rules, average_spend=rules.average_spend or 10_000)
        until = free_until(spent, occasion, lambda day: True)
        value = cutoff_value(rules)
        if value in ("always", "never"):
            assert until == (start if value == "always" else None)
        else:
            rule = free_rule(rules)
            assert rule is not None
            assert until == rule.instant(start, "Asia/Tokyo", lambda day: True)


def test_keys_name_what_the_terms_are_for() -> None:
    rules = WORKED[0][1]
    assert terms_scope(rules) == "5-0/course/room"
    assert terms_scope(terms(weekdays=(6, 7), services=("lunch",), course_ids=("mnu_a",))) == "1-0/67/lunch/mnu_a"
    assert [fact.key for fact in terms_facts(rules)] == [
        deposit_key("ven_a", "5-0/course/room"),
        cutoff_key("ven_a", "5-0/course/room"),
        no_show_key("ven_a", "5-0/course/room"),
    ]
    keys = {fact.key: fact.value for fact in terms_facts(WORKED[1][1]) + terms_facts(WORKED[6][1])}
    assert keys[headcount_key("ven_a", "8-0")] == "4:days_before_at/3/17:00;1:days_before_at/1/17:00=pct/50/course"
    assert keys[change_key("ven_a", "1-0")] == "1:hours_before/24=pct/100/deposit"
    assert keys[cutoff_key("ven_a", "1-0")] == "never"
    older = msgspec.structs.replace(rules, id="trm_old", page_id="pg_old", tiers=(Tier(business(3)),))
    assert [fact.key for fact in terms_facts(older)] == [fact.key for fact in terms_facts(rules)]
    assert cutoff_value(older) != cutoff_value(rules)


def test_a_page_has_a_part_for_each_block_and_names_its_courses() -> None:
    blocks = [WORKED[0][1], terms(course_ids=("mnu_a",), dates=("2026-12-24",))]
    parts = terms_parts(blocks, "JPY", "ja", 0, {"mnu_a": "月のコース"})
    assert len(parts) == 2
    assert body_of(parts[1].text).startswith("【12月24日(木)・月のコースのご予約】")
    assert render(parts[0].text).heading == "予約金とキャンセル"
    assert len({terms_title("ja", variant) for variant in VARIANTS}) == 4


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_published_page_can_be_quoted(variant: int) -> None:
    page = Publication("terms", "ja", terms_title("ja", variant), terms_parts([WORKED[0][1]], "JPY", "ja", variant), "")
    world = town(*publish(Draw("terms"), place(), page, "pg_terms"))
    section = sections_of(world, "pg_terms")[0]
    text = body(section)
    for key in (deposit_key, cutoff_key, no_show_key):
        start, end = fact_span(section, key("ven_a", "5-0/course/room"))
        assert not quote_fault(QuoteText(text=text[start:end]), text, start, end)
        assert quote_fault(QuoteText(text=text[: start + 1]), text, start, end)
    assert world.get(Page, "pg_terms").facts(world)[cutoff_key("ven_a", "5-0/course/room")] == cutoff_value(
        WORKED[0][1]
    )
