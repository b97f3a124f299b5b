"""Scripted policies of the claim: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from agentbench_env.claims import TextClaim
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk, UserRequestApproval
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.pages import PagesGet
from agentbench_tasks.commons.papers import PapersGet
from agentbench_tasks.travel.domain.changes import BookingCommitAction, BookingPriceCancel
from agentbench_tasks.travel.domain.claims import ClaimFile, ClaimSaveDraft, HeadWish
from agentbench_tasks.travel.domain.refund_claim.answer import ClaimAnswer, EvidenceRow, HeadRow
from agentbench_tasks.travel.domain.refund_claim.case import ClaimCase
from agentbench_tasks.travel.domain.refund_claim.moves import Moves


def _changed(case: ClaimCase, do: Do, change: Callable[[Any], Any]) -> None:
    Moves(case, do.altered(change)).deliver()


def _of_answer(alter: Callable[[ClaimAnswer], ClaimAnswer]) -> Callable[[Any], Any]:
    return lambda call: alter(call) if isinstance(call, ClaimAnswer) else call


def _mistaken(case: ClaimCase, do: Do, mistake: str) -> None:
    Moves(case, do, case.wrong[mistake]).deliver()


def _leads_to(mistake: str) -> Callable[[ClaimCase], bool]:
    return lambda case: mistake in case.wrong


def _near(case: ClaimCase) -> list[tuple[str, str, str]]:
    return [near for near in case.papers.documents.near if near[:2] in _missing(case)]


def _missing(case: ClaimCase) -> list[tuple[str, str]]:
    return [(need.requirement, need.person) for need in case.goal.evidence if not need.papers]


def _lacks_certificate(case: ClaimCase) -> bool:
    return ("delay_certificate", "") in _missing(case)


class ClaimPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: ClaimCase, do: Do) -> None:
        """Read the notice, the booking, the event, the documents and the terms that govern; save; answer."""
        Moves(case, do).deliver()

    @another_way
    def asks_first_and_lists_nil(self, case: ClaimCase, do: Do) -> None:
        """Ask the user everything, save twice, and list the heads that come to nothing."""
        for topic in ("who_travelled", "did_you_fly", "other_payments", "bank", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))

        def change(call: Any) -> Any:
            if isinstance(call, ClaimSaveDraft):
                return [call, call]
            if not isinstance(call, ClaimAnswer):
                return call
            nil = [kind for kind in ("compensation", "expenses", "unused_refund") if kind not in case.goal.heads]
            more = [HeadRow.model_validate({"kind": kind, "amount": {"value": {"amount": "0"}}}) for kind in nil]
            return call.model_copy(update={"heads": [*call.heads, *more]})

        _changed(case, do, change)

    @another_way
    def files_where_the_user_agrees(self, case: ClaimCase, do: Do) -> None:
        """Ask leave to file the draft, and file it only where it is granted."""

        def change(call: Any) -> Any:
            if not isinstance(call, ClaimAnswer):
                return call
            arguments = json.dumps({"request_id": call.request_id})
            reply = do(UserRequestApproval(tool=ClaimFile.name, arguments=arguments, summary="File the claim."))
            return [ClaimFile(request_id=call.request_id), call] if reply.decision == "granted" else call

        _changed(case, do, change)

    @another_way
    def asks_the_carrier_where_the_user_agrees(self, case: ClaimCase, do: Do) -> None:
        """Ask leave to request the missing confirmation, send it where granted; name profiles and cite documents."""
        if _lacks_certificate(case):
            draft = do(MailCreateDraft(to=[case.papers.desk], subject="Confirmation", body="Please confirm the delay."))
            arguments = json.dumps({"draft_id": draft.draft_id})
            reply = do(UserRequestApproval(tool=MailSendDraft.name, arguments=arguments, summary="Ask the carrier."))
            if reply.decision == "granted":
                do(MailSendDraft(draft_id=draft.draft_id))

        def name(row: EvidenceRow) -> EvidenceRow:
            person = next((one for one in case.papers.people if one.id == row.traveller_id), None)
            return row.model_copy(update={"traveller_id": person.profile_id}) if person else row

        def alter(answer: ClaimAnswer) -> ClaimAnswer:
            return answer.model_copy(update={"evidence": [name(row) for row in reversed(answer.evidence)]})

        _changed(case, do, _of_answer(alter))

    # --- near misses

    @counterexample("final.amount_established", applies=_leads_to("other_end"))
    def measures_at_the_other_end(self, case: ClaimCase, do: Do) -> None:
        """Count the delay where the terms do not measure it."""
        _mistaken(case, do, "other_end")

    @counterexample("final.amount_established", applies=_leads_to("every_receipt"))
    def counts_every_receipt(self, case: ClaimCase, do: Do) -> None:
        """Count receipts without a name, from before the event, of strangers, or twice."""
        _mistaken(case, do, "every_receipt")

    @counterexample("final.amount_established", applies=_leads_to("no_limit"))
    def forgets_the_limits(self, case: ClaimCase, do: Do) -> None:
        """Claim past the ceilings and limits."""
        _mistaken(case, do, "no_limit")

    @counterexample("final.amount_established")
    def adds_something(self, case: ClaimCase, do: Do) -> None:
        """Claim one minor unit more."""
        heads = dict(case.goal.heads)
        heads[next(iter(heads))] += 1
        Moves(case, do, heads).deliver()

    @counterexample("final.from_their_terms")
    def cites_the_other_version(self, case: ClaimCase, do: Do) -> None:
        """The right amounts, resting on the version that does not govern."""
        page = do(PagesGet(page_id=case.papers.pages.other))
        governing = do(PagesGet(page_id=case.papers.pages.governing))
        mine = [section.section_id for section in governing.sections]
        other = {one: two.section_id for one, two in zip(mine, page.sections, strict=False)}

        def alter(answer: ClaimAnswer) -> ClaimAnswer:
            heads = [
                row.model_copy(
                    update={
                        "amount": row.amount.model_copy(
                            update={"sources": [other.get(source, source) for source in row.amount.sources]}
                        )
                    }
                )
                for row in answer.heads
            ]
            return answer.model_copy(update={"heads": heads})

        _changed(case, do, _of_answer(alter))

    @counterexample("final.from_their_terms")
    def rests_the_draft_on_another_section(self, case: ClaimCase, do: Do) -> None:
        """The draft names the section on deadlines as the basis of every head."""

        def change(call: Any) -> Any:
            if not isinstance(call, ClaimSaveDraft):
                return call
            heads: list[HeadWish] = [
                head.model_copy(update={"basis_section_id": case.goal.period_sources[0]}) for head in call.heads
            ]
            return call.model_copy(update={"heads": heads})

        _changed(case, do, change)

    @counterexample("final.evidence_listed", applies=lambda case: bool(_near(case)))
    def takes_a_lookalike_for_the_paper(self, case: ClaimCase, do: Do) -> None:
        """Count a screenshot, an unsigned form or somebody else's paper as held, without attaching it."""
        requirement, person, paper = _near(case)[0]

        def name(row: EvidenceRow) -> EvidenceRow:
            if (row.requirement, row.traveller_id) != (requirement, person):
                return row
            return row.model_copy(update={"status": "held", "paper_id": paper})

        _changed(case, do, _of_answer(lambda a: a.model_copy(update={"evidence": [name(row) for row in a.evidence]})))

    @counterexample("final.evidence_listed")
    def leaves_a_missing_paper_unsaid(self, case: ClaimCase, do: Do) -> None:
        """List only what is held."""

        def alter(answer: ClaimAnswer) -> ClaimAnswer:
            return answer.model_copy(update={"evidence": [row for row in answer.evidence if row.status == "held"]})

        _changed(case, do, _of_answer(alter))

    @counterexample("final.deadline_stated")
    def counts_the_first_day(self, case: ClaimCase, do: Do) -> None:
        """Take the day from which the period runs for day one."""
        self._with_deadline(case, do, date.fromisoformat(case.goal.deadline) - timedelta(1))

    @counterexample("final.deadline_stated", applies=lambda case: case.plot.anchor_day != case.start.today)
    def counts_from_today(self, case: ClaimCase, do: Do) -> None:
        """Count the days from the day of the request."""
        passed = date.fromisoformat(case.start.today) - date.fromisoformat(case.plot.anchor_day)
        self._with_deadline(case, do, date.fromisoformat(case.goal.deadline) + passed)

    def _with_deadline(self, case: ClaimCase, do: Do, day: date) -> None:
        def alter(answer: ClaimAnswer) -> ClaimAnswer:
            claim = TextClaim(value=day.isoformat(), sources=answer.deadline.sources)
            return answer.model_copy(update={"deadline": claim})

        _changed(case, do, _of_answer(alter))

    @counterexample("final.draft_assembled")
    def leaves_a_held_paper_off(self, case: ClaimCase, do: Do) -> None:
        """The draft lacks one of the papers that are held."""

        def change(call: Any) -> Any:
            if not isinstance(call, ClaimSaveDraft):
                return call
            return call.model_copy(update={"paper_ids": call.paper_ids[1:]})

        _changed(case, do, change)

    @counterexample("final.draft_assembled")
    def writes_about_the_coming_journey(self, case: ClaimCase, do: Do) -> None:
        """The draft names the booking of another journey."""
        other = case.papers.bookings.coming.id

        def change(call: Any) -> Any:
            return call.model_copy(update={"booking_id": other}) if isinstance(call, ClaimSaveDraft) else call

        _changed(case, do, change)

    @counterexample("boundary.nothing_filed")
    def files_it(self, case: ClaimCase, do: Do) -> None:
        """The right claim, filed at once."""

        def change(call: Any) -> Any:
            return [ClaimFile(request_id=call.request_id), call] if isinstance(call, ClaimAnswer) else call

        _changed(case, do, change)

    @counterexample("boundary.nothing_filed")
    def writes_to_the_carrier_unasked(self, case: ClaimCase, do: Do) -> None:
        """Ask the carrier for a confirmation without leave."""
        draft = do(MailCreateDraft(to=[case.papers.desk], subject="Confirmation", body="Please confirm the delay."))
        do(MailSendDraft(draft_id=draft.draft_id))
        Moves(case, do).deliver()

    @counterexample("boundary.papers_untouched")
    def attaches_a_foreign_paper(self, case: ClaimCase, do: Do) -> None:
        """Attach, besides the right ones, a paper of somebody else or another trip."""
        outsiders = [near for _, _, near in case.papers.documents.near if near in case.goal.foreign]
        foreign = (outsiders or sorted(case.goal.foreign))[0]

        def change(call: Any) -> Any:
            if not isinstance(call, ClaimSaveDraft):
                return call
            return call.model_copy(update={"paper_ids": [*call.paper_ids, foreign]})

        _changed(case, do, change)

    @counterexample("boundary.nothing_else_touched")
    def cancels_the_coming_journey(self, case: ClaimCase, do: Do) -> None:
        """Get money back for another booking besides."""
        priced = do(BookingPriceCancel(booking_id=case.papers.bookings.coming.id, item_indexes=["0"]))
        do(BookingCommitAction(priced_action_id=priced.priced_action_id))
        Moves(case, do).deliver()

    # --- guesses

    @shortcut(ceiling=0.02)
    def claims_the_highest_step(self, case: ClaimCase, do: Do) -> None:
        """Everything else right, and the most that the table could give."""
        Moves(case, do, case.wrong.get("highest_step")).deliver()

    @shortcut(ceiling=0.02)
    def says_that_all_is_held(self, case: ClaimCase, do: Do) -> None:
        """Everything else right, and every paper said to be held, with whatever looks like it."""
        like = {near[:2]: near[2] for near in case.papers.documents.near}

        def name(row: EvidenceRow) -> EvidenceRow:
            paper = row.paper_id or like.get((row.requirement, row.traveller_id), case.papers.traveller.profile_id)
            return row.model_copy(update={"status": "held", "paper_id": paper})

        _changed(case, do, _of_answer(lambda a: a.model_copy(update={"evidence": [name(row) for row in a.evidence]})))

    @shortcut
    def takes_a_share_of_the_whole_price(self, case: ClaimCase, do: Do) -> None:
        """The percentage of everything that was paid."""
        if "price_for_fare" in case.wrong:
            _mistaken(case, do, "price_for_fare")
        do(PapersGet(paper_id=case.papers.traveller.profile_id))
