"""Claims and applications: a claim is drafted and filed, an application opened and documents handed in."""

from __future__ import annotations

from typing import Any

import pytest
from travel_kit import Desk
from travel_worlds import bookings, sgd

from agentbench_env.approval import binding_digest
from agentbench_tasks.commons.outbound import Outbound
from agentbench_tasks.travel.domain.claims import ClaimDraft, ClaimFile, ClaimSaveDraft, HeadWish
from agentbench_tasks.travel.domain.portal import PortalStartApplication, PortalUploadDocument
from agentbench_tasks.travel.domain.records_changes import Application, Upload

# --- claims


def claim(**fields: Any) -> ClaimSaveDraft:
    usual: dict[str, Any] = {
        "addressee_id": "L2J",
        "booking_id": "bkg_air",
        "event_service_id": "svc_1",
        "heads": [{"kind": "compensation", "amount": "72.50", "basis_section_id": "sec_terms"}],
        "paper_ids": ["ppr_p"],
        "missing": ["delay_certificate"],
    }
    return ClaimSaveDraft(**usual | fields)


def test_a_claim_is_drafted_replaced_and_filed() -> None:
    desk = Desk(*bookings())
    first = desk.do(claim())
    assert (first.revision, first.empty_fields, desk.last.effect) == (1, [], "draft")
    heads = [HeadWish(kind="expenses", amount="1,000", currency="SGD", basis_section_id="sec_terms")]
    second = desk.do(claim(request_id=first.request_id, heads=heads))
    assert (second.request_id, second.revision) == (first.request_id, 2)
    assert second.digest != first.digest
    draft = desk.world.get(ClaimDraft, first.request_id)
    assert draft.amounts(desk.world) == (sgd("1000.00"),)
    assert not desk.outbound()
    filed = desk.do(ClaimFile(request_id=first.request_id))
    assert desk.last.effect == "commit"
    draft = desk.world.get(ClaimDraft, first.request_id)
    assert (draft.state, draft.reference) == ("submitted", filed.reference)
    (row,) = desk.world.all(Outbound)
    assert (row.kind, row.recipient_org_id, row.subject_id) == ("claim", "L2J", first.request_id)
    assert row.data_classes == ("travel_document",)
    assert desk.refused(ClaimFile(request_id=first.request_id))["error"] == "not_a_draft"
    assert desk.refused(claim(request_id=first.request_id))["error"] == "not_a_draft"


def test_an_approval_of_a_filing_binds_to_the_draft() -> None:
    desk = Desk(*bookings())
    id = desk.do(claim()).request_id
    arguments = ClaimFile(request_id=id).canonical_arguments()
    binding = binding_digest("claim_file", arguments, desk.world)
    desk.do(claim(request_id=id, paper_ids=[]))
    assert binding_digest("claim_file", arguments, desk.world) != binding


def test_a_claim_is_in_the_currency_of_its_booking_unless_it_says_so() -> None:
    desk = Desk(*bookings())
    assert desk.world.get(ClaimDraft, desk.do(claim()).request_id).amounts(desk.world) == (sgd("72.50"),)
    body = desk.refused(claim(booking_id="", policy_id="ppr_p"))
    assert (body["error"], body["field"]) == ("invalid_argument", "heads.0.currency")


@pytest.mark.parametrize("fields", [{"heads": []}, {"booking_id": "", "heads": []}])
def test_an_incomplete_claim_is_saved_and_not_taken(fields: dict[str, Any]) -> None:
    desk = Desk(*bookings())
    saved = desk.do(claim(**fields))
    assert saved.empty_fields == ["heads"]
    body = desk.refused(ClaimFile(request_id=saved.request_id))
    assert body["error"] == "incomplete"
    assert "heads" in body["hint"]
    assert ("booking_id" in body["hint"]) == ("booking_id" in fields)
    assert not desk.outbound()


def head(**fields: str) -> list[dict[str, str]]:
    return [{"kind": "expenses", "amount": "1.00", "currency": "SGD", "basis_section_id": "sec_terms", **fields}]


@pytest.mark.parametrize(
    ("fields", "error", "field"),
    [
        ({"addressee_id": "org_x"}, "unknown_id", "addressee_id"),
        ({"booking_id": "svc_1"}, "unknown_id", "booking_id"),
        ({"policy_id": "ppr_x"}, "unknown_id", "policy_id"),
        ({"event_service_id": "fare_1"}, "unknown_id", "event_service_id"),
        ({"paper_ids": ["ppr_p", "ppr_x"]}, "unknown_id", "paper_ids"),
        ({"request_id": "req_x"}, "not_a_draft", "request_id"),
        ({"heads": head(basis_section_id="pg_terms")}, "unknown_id", "heads.0.basis_section_id"),
        ({"heads": head() + head(currency="THB")}, "invalid_argument", "heads.1.currency"),
        ({"heads": head(amount="1.005")}, "invalid_argument", "heads.0.amount"),
        ({"heads": head(amount="1e999999")}, "invalid_argument", "heads.0.amount"),
        ({"heads": head(amount="-1")}, "invalid_argument", "heads.0.amount"),
    ],
)
def test_a_claim_draft_is_refused(fields: dict[str, Any], error: str, field: str) -> None:
    desk = Desk(*bookings())
    body = desk.refused({"tool": "claim_save_draft", "arguments": claim().canonical_arguments() | fields})
    assert (body["error"], body["field"]) == (error, field)


def test_claims_go_to_whoever_sells_or_publishes() -> None:
    desk = Desk(*bookings())
    for addressee in ("B2J", "org_agency", "prp_1", "L2J"):
        assert desk.do(claim(addressee_id=addressee)).revision == 1


# --- portals


def test_an_application_and_an_upload_really_happen() -> None:
    desk = Desk(*bookings())
    started = desk.do(PortalStartApplication(form="SGAC", traveller_id="ppr_t"))
    assert (desk.last.effect, started.status) == ("commit", "started")
    assert desk.world.get(Application, started.application_id).traveller_id == "ppr_t"
    uploaded = desk.do(PortalUploadDocument(application_id=started.application_id, paper_id="ppr_p"))
    assert desk.last.effect == "credential"
    assert desk.world.get(Upload, uploaded.upload_id).paper_id == "ppr_p"
    filing, upload = desk.world.all(Outbound)
    assert [(row.kind, row.recipient_org_id, row.jurisdiction, row.subkind) for row in (filing, upload)] == [
        ("filing", "org_immigration", "SG", "SGAC"),
        ("upload", "org_immigration", "SG", "SGAC"),
    ]
    assert upload.data_classes == ("travel_document",)
    assert not desk.ledger()


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("portal_start_application", {"form": "XXX", "traveller_id": "ppr_t"}, "form"),
        ("portal_start_application", {"form": "SGAC", "traveller_id": "ppr_x"}, "traveller_id"),
        ("portal_start_application", {"form": "SGAC", "traveller_id": "ppr_p"}, "traveller_id"),
        ("portal_upload_document", {"application_id": "app_x", "paper_id": "ppr_p"}, "application_id"),
    ],
)
def test_portals_refuse(tool: str, arguments: dict[str, str], field: str) -> None:
    body = Desk(*bookings()).refused({"tool": tool, "arguments": arguments})
    assert (body["error"], body["field"]) == ("unknown_id", field)


def test_an_upload_needs_a_paper_of_the_user() -> None:
    desk = Desk(*bookings())
    id = desk.do(PortalStartApplication(form="SGAC", traveller_id="ppr_t")).application_id
    assert desk.refused(PortalUploadDocument(application_id=id, paper_id="pm_1"))["field"] == "paper_id"
