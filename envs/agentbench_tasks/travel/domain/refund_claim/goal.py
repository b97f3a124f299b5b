"""What is right: heads with the facts and records that they rest on, the list of papers, the last day."""

from __future__ import annotations

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.world import World
from agentbench_tasks.commons.pages import sections_of
from agentbench_tasks.travel.domain.records import EventLog, Service
from agentbench_tasks.travel.domain.refund_claim.bookings import day_key, line_key
from agentbench_tasks.travel.domain.refund_claim.document_writer import Need
from agentbench_tasks.travel.domain.refund_claim.pages import deadline_value, tier_key
from agentbench_tasks.travel.domain.refund_claim.papers import Papers
from agentbench_tasks.travel.domain.refund_claim.plot import Plot
from agentbench_tasks.travel.domain.refund_claim.terms import HeadKind, heads_of, tier_of

Rests = tuple[tuple[Fact, ...], tuple[Fact, ...], tuple[str, ...]]
"""What a head rests on in the terms, what besides, and records of the latter."""


class Goal(msgspec.Struct, frozen=True):
    """The right outcome of an instance."""

    heads: dict[HeadKind, int]
    """Every head that is not nil, in minor units of the market's currency."""
    terms: dict[HeadKind, tuple[Fact, ...]]
    """What each head rests on in the terms."""
    rest: dict[HeadKind, tuple[Fact, ...]]
    """What it rests on besides."""
    sources: dict[HeadKind, tuple[str, ...]]
    """Records that state all of it."""
    evidence: tuple[Need, ...]
    deadline: str
    period: tuple[tuple[Fact, ...], ...]
    """What the last day rests on in the terms and outside them; any of these will do."""
    period_sources: tuple[str, ...]
    addressees: frozenset[str]
    """The ids by which the addressee may be named."""
    booking: str
    policy: str
    events: frozenset[str]
    """The departures that may be named as the event."""
    barred: frozenset[str]
    """The version of the terms that does not govern, with its sections."""
    foreign: frozenset[str]
    """Papers of other people or other trips."""

    def needs(self, kind: HeadKind) -> list[Fact]:
        """Everything that a head rests on."""
        return [*self.terms[kind], *self.rest[kind]]


class Derivation:
    """Puts the goal together from the plot and the records that were written from it."""

    def __init__(self, plot: Plot, papers: Papers, world: World) -> None:
        self._plot, self._papers, self._world = plot, papers, world
        self._org, self._terms = papers.org, plot.versions.governing
        self._sections = sections_of(world, papers.pages.governing)

    def goal(self) -> Goal:
        """Return the goal."""
        plot, papers = self._plot, self._papers
        heads = heads_of(self._terms, plot.happened)
        found: dict[HeadKind, Rests] = {kind: getattr(self, f"_{kind}")() for kind in heads}
        period, period_sources = self._period()
        insurer = plot.addressee == "insurer"
        late = [log.service.id for log in plot.logs if log.status in ("delayed", "cancelled")]
        missed = [plot.planned[1].id] if len(plot.planned) > 1 else []
        other = papers.pages.other
        return Goal(
            heads,
            {kind: terms for kind, (terms, _, _) in found.items()},
            {kind: rest for kind, (_, rest, _) in found.items()},
            {kind: self._carriers(terms, records) for kind, (terms, _, records) in found.items()},
            tuple(papers.documents.needs),
            plot.deadline,
            period,
            period_sources,
            frozenset((papers.org,) if insurer else (papers.org, plot.carrier.code)),
            papers.bookings.main.id,
            papers.documents.policy_id,
            frozenset((*late, *missed)),
            frozenset((other, *(section.id for section in sections_of(self._world, other)))),
            frozenset(papers.documents.foreign),
        )

    def _carriers(self, terms: tuple[Fact, ...], records: tuple[str, ...]) -> tuple[str, ...]:
        """The sections that state facts of the terms, then other records."""
        keys = {key for key, _ in terms}
        sections = (s.id for s in self._sections if keys & s.facts(self._world).keys())
        return tuple(dict.fromkeys((*sections, *records)))

    # --- heads

    def _compensation(self) -> Rests:
        plot, terms, org = self._plot, self._terms, self._org
        facts: list[Fact] = [(f"{org}.measured", terms.measured)]
        delay = plot.delays.arrival if terms.measured == "arrival" else plot.delays.departure
        if terms.model == "block":
            facts += [(f"{org}.block", terms.block.minutes), (f"{org}.block.adult", terms.block.adult)]
            facts += [(f"{org}.block.child", terms.block.child)] if plot.child_ages else []
        else:
            tier = tier_of(terms, delay, plot.km)
            assert tier is not None
            facts.append((tier_key(org, tier), tier.value))
        rest, records = self._lateness()
        if terms.model == "share":
            booking, leg = self._papers.bookings.main.id, self._papers.bookings.event_leg
            rest = (*rest, (line_key(booking, "fare", leg), plot.leg.fare))
            records = (*records, booking)
        return tuple(facts), rest, records

    def _lateness(self) -> tuple[tuple[Fact, ...], tuple[str, ...]]:
        """Scheduled and actual time at the end that counts, and the records that carry them."""
        plot = self._plot
        if self._terms.measured == "arrival":
            due, real = plot.planned[-1], plot.used[-1]
            facts = (f"{due.id}.arr", due.arrives), (f"{real.id}.act_arr", self._log(real).arrived)
        else:
            due, real = plot.planned[0], plot.used[0]
            facts = (f"{due.id}.dep", due.departs), (f"{real.id}.act_dep", self._log(real).departed)
        return facts, (due.id, self._log(real).id)

    def _log(self, service: Service) -> EventLog:
        return self._papers.logs[service.id]

    def _expenses(self) -> Rests:
        plot, org, documents = self._plot, self._org, self._papers.documents
        counted = [
            (receipt, id) for receipt, id in zip(plot.receipts, documents.receipt_ids, strict=True) if not receipt.flaw
        ]
        ceilings = dict(self._terms.ceilings)
        kinds = dict.fromkeys(receipt.kind for receipt, _ in counted)
        facts: list[Fact] = [(f"{org}.ceiling.{kind}", ceilings[kind]) for kind in kinds]
        ids = [id for _, id in counted]
        if plot.paid_by_others:
            facts.append((f"{org}.deducts", "yes" if self._terms.deducts else "no"))
        if plot.paid_by_others and self._terms.deducts:
            ids.append(documents.notice_id)
        rest: list[Fact] = []
        for id in ids:
            stated = self._world.find(id)
            assert stated is not None
            rest.append((f"{id}.amount", stated.facts(self._world)[f"{id}.amount"]))
        return tuple(facts), tuple(rest), tuple(ids)

    def _unused_refund(self) -> Rests:
        booking, leg, money = self._papers.bookings.main.id, self._papers.bookings.event_leg, self._plot.leg
        rows = (("fare", money.fare), ("fuel", money.fuel), ("airport", money.airport))
        rest = tuple((line_key(booking, kind, leg), minor) for kind, minor in rows)
        return ((f"{self._org}.refund", "full"),), rest, (booking,)

    # --- the last day

    def _period(self) -> tuple[tuple[tuple[Fact, ...], ...], tuple[str, ...]]:
        plot, terms, org = self._plot, self._terms, self._org
        facts: tuple[Fact, ...] = (f"{org}.deadline", deadline_value(terms)), (f"{org}.anchor", terms.anchor)
        section = self._carriers(facts, ())
        first, other = plot.planned[0], plot.other_leg
        if terms.anchor == "scheduled":
            instant, day = (f"{first.id}.dep", first.departs), (day_key(first.id), plot.anchor_day)
            return ((*facts, instant), (*facts, day)), (*section, first.id)
        if terms.anchor == "notice":
            id = self._papers.notice.id
            return ((*facts, (f"{id}.sent", plot.anchor_day)),), (*section, id)
        home = plot.used[-1] if terms.anchor == "arrival" or plot.homebound or other is None else other
        log = self._log(home)
        return ((*facts, (f"{home.id}.act_arr", log.arrived)),), (*section, log.id)
