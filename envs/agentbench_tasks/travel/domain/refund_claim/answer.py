"""The answer of a claim."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import MoneyClaim, MoneyValue, Part, TextClaim
from agentbench_env.task import Answer

Head = Literal["compensation", "expenses", "unused_refund"]
Requirement = Literal[
    "boarding_pass",
    "delay_certificate",
    "itinerary",
    "receipts",
    "policy_number",
    "bank_details_form",
    "id_copy",
    "police_or_carrier_report",
]


class HeadRow(Part):
    """A head of the claim with its amount."""

    kind: Head = Field(
        description="compensation: what the terms pay for the delay itself. expenses: what was spent, as far as it is "
        "paid back. unused_refund: the price of a leg that was not travelled."
    )
    amount: MoneyClaim = Field(
        description="The amount for the whole party, in the currency of the terms. Sources: the sections of the terms "
        "that it follows from, and the records of every other input: times, fare lines of the booking, receipts."
    )


class EvidenceRow(Part):
    """A paper that the terms ask for."""

    requirement: Requirement = Field(
        description="boarding_pass: boarding pass or ticket, one row for each traveller. delay_certificate: the "
        "carrier's confirmation of the delay or cancellation. itinerary: itinerary receipt. receipts: one row for each "
        "receipt that counts. policy_number: certificate of insurance. bank_details_form: the addressee's form. "
        "id_copy: identity document of the claimant. police_or_carrier_report: report of the incident."
    )
    status: Literal["held", "missing"] = Field(
        description="held: the user has a document that meets the terms. missing: none that does."
    )
    traveller_id: str = Field(
        default="",
        description="For boarding_pass: whose it is, the holder_id that documents print or the id of the profile; "
        "empty for the others.",
    )
    paper_id: str = Field(default="", description="Id of the document that is held; empty if it is missing.")


class ClaimAnswer(Answer):
    """Deliver what can be claimed, the papers, the last day and the draft. This ends the episode."""

    addressee_id: str = Field(description="Id of the organisation that the claim is against, as in the draft.")
    request_id: str = Field(description="Id of the saved claim draft.")
    heads: list[HeadRow] = Field(
        description="One row for each head; a head that comes to nothing may be left out.", max_length=6
    )
    total: MoneyValue = Field(description="All heads together.")
    evidence: list[EvidenceRow] = Field(
        description="Every paper on the list of papers in the governing terms, held or missing, and nothing else.",
        max_length=40,
    )
    deadline: TextClaim = Field(
        description="Last day for filing, an ISO date. Sources: the section that sets the period, and a record of the "
        "day from which it runs."
    )
