"""How a careful assistant goes about a claim: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from typing import Literal

from agentbench_env.claims import MoneyClaim, MoneyValue, TextClaim
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do
from agentbench_tasks.commons.messages import MailGetMessage, MailSearchMessages
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.papers import PapersGet, PapersList
from agentbench_tasks.travel.domain.booking import BookingGet
from agentbench_tasks.travel.domain.carriers import CarrierGetService
from agentbench_tasks.travel.domain.claims import ClaimSaveDraft, HeadWish
from agentbench_tasks.travel.domain.refund_claim.answer import ClaimAnswer, EvidenceRow, HeadRow
from agentbench_tasks.travel.domain.refund_claim.case import ClaimCase
from agentbench_tasks.travel.domain.refund_claim.terms import HeadKind


class Moves:
    """Reads what a claim rests on, saves the draft, and writes the answer; `heads` may be those of a mistake."""

    def __init__(self, case: ClaimCase, do: Do, heads: dict[HeadKind, int] | None = None) -> None:
        self.case, self.do, self.goal = case, do, case.goal
        self.heads: dict[HeadKind, int] = dict(case.goal.heads if heads is None else heads)
        self.request_id = ""

    def read(self) -> None:
        """Mail, booking, services, documents, terms."""
        case, do = self.case, self.do
        do(MailSearchMessages())
        do(MailGetMessage(message_id=case.papers.notice.id))
        booking = do(BookingGet(locator=case.papers.bookings.main.locator))
        for item in booking.items:
            do(CarrierGetService(carrier_code=case.plot.carrier.code, service_id=item.object_id))
        self.papers()
        do(PagesSearch(query="", publisher=case.papers.org))
        do(PagesGet(page_id=case.papers.pages.governing))

    def papers(self) -> None:
        """List the documents and open those that amounts come from."""
        token = ""
        while True:
            page = self.do(PapersList(page_token=token))
            token = page.next_page_token
            if not token:
                break
        cited = self.goal.sources.get("expenses", ())
        for id in cited:
            if id.startswith("ppr_"):
                self.do(PapersGet(paper_id=id))

    def amount(self, minor: int) -> str:
        """Write an amount in major units."""
        return Money(minor, self.case.currency).wire().amount

    def basis(self, kind: HeadKind) -> str:
        """A section that the head rests on; for a head that the terms do not give, the first one there is."""
        found = self.goal.sources.get(kind) or self.goal.period_sources
        return found[0]

    def held(self) -> list[str]:
        """Every document that is held, one copy each."""
        return [need.papers[0] for need in self.goal.evidence if need.papers]

    def save(self) -> None:
        """Save the draft."""
        goal, case = self.goal, self.case
        event = next(log.service.id for log in case.plot.logs if log.service.id in goal.events)
        saved = self.do(
            ClaimSaveDraft(
                addressee_id=case.papers.org,
                booking_id=goal.booking,
                policy_id=goal.policy,
                event_service_id=event,
                heads=[
                    HeadWish(
                        kind=kind,
                        amount=self.amount(minor),
                        currency=case.currency,
                        basis_section_id=self.basis(kind),
                    )
                    for kind, minor in self.heads.items()
                ],
                paper_ids=self.held(),
                missing=[need.requirement for need in goal.evidence if not need.papers],
            )
        )
        self.request_id = saved.request_id

    def rows(self) -> list[HeadRow]:
        """The heads with their sources."""
        return [HeadRow(kind=kind, amount=self._claim(kind, minor)) for kind, minor in self.heads.items()]

    def _claim(self, kind: HeadKind, minor: int) -> MoneyClaim:
        value = MoneyValue(amount=self.amount(minor), currency=self.case.currency)
        return MoneyClaim(value=value, sources=list(self.goal.sources.get(kind, ())))

    def evidence(self) -> list[EvidenceRow]:
        """The list of papers."""
        rows: list[EvidenceRow] = []
        for need in self.goal.evidence:
            status: Literal["held", "missing"] = "held" if need.papers else "missing"
            rows.append(
                EvidenceRow(
                    requirement=need.requirement,  # type: ignore[arg-type]
                    status=status,
                    traveller_id=need.person,
                    paper_id=need.papers[0] if need.papers else "",
                )
            )
        return rows

    def answer(self) -> ClaimAnswer:
        """The answer."""
        return ClaimAnswer(
            addressee_id=self.case.papers.org,
            request_id=self.request_id,
            heads=self.rows(),
            total=MoneyValue(amount=self.amount(sum(self.heads.values())), currency=self.case.currency),
            evidence=self.evidence(),
            deadline=TextClaim(value=self.goal.deadline, sources=list(self.goal.period_sources)),
        )

    def deliver(self) -> None:
        """Read, save, answer."""
        self.read()
        self.save()
        self.do(self.answer())
