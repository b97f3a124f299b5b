"""Notes, wallet, holds and prepared requests."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from commons_kit import (
    NOW,
    ZONE,
    do,
    every_page,
    office_world,
    refused,
    world_of,
)
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Money
from agentbench_env.world import World, content_digest
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.holds import Hold
from agentbench_tasks.commons.notes import Note, NotesSave
from agentbench_tasks.commons.outbound import (
    Outbound,
)
from agentbench_tasks.commons.requests import (
    DiscardRequest,
    GetRequest,
    PreparedRequest,
    SaveRequest,
    SubmitRequest,
)
from agentbench_tasks.commons.texts import (
    Stated,
)
from agentbench_tasks.commons.wallet import (
    Charge,
    PaymentMethod,
    Rate,
    WalletGetRates,
    WalletListCards,
    WalletListCharges,
    rate_key,
)


@pytest.fixture
def office() -> World:
    return office_world()


# --- notes


def line(**fields: Any) -> dict[str, Any]:
    return {"key": "deadline", "value": "2026-10-01", "status": "met", "record_id": "", "sources": ["sec_1"], **fields}


def test_a_note_keeps_its_id_over_versions_and_the_journal_keeps_them_all() -> None:
    world = world_of()
    outcome = do(world, NotesSave, kind="checklist", title="Before acting", language="en", lines=[line()])
    first = outcome.result
    assert (first.version, outcome.effect, outcome.shown) == (1, "draft", {first.note_id: ()})
    second = do(world, NotesSave, kind="checklist", title="Again", language="en", note_id=first.note_id).result
    note = world.get(Note, first.note_id)
    assert (second.note_id, second.version, note.title, note.lines) == (first.note_id, 2, "Again", ())
    assert second.digest == content_digest(note) != first.digest
    assert [change.after.version for change in world.journal] == [1, 2]  # type: ignore[union-attr]
    assert note.binds


def test_notes_refuse_what_they_cannot_keep() -> None:
    class ChecklistSave(NotesSave):
        """Save the checklist."""

        keys: ClassVar[Any] = {"checklist": ("deadline", "fee")}

    world = world_of()
    good = {"kind": "checklist", "title": "T", "language": "en"}
    assert ChecklistSave.name == "checklist_save"
    error = refused(world, ChecklistSave, **good, lines=[line(), line(key="price")])
    assert (error.code, error.field, error.hint) == ("unknown_key", "lines.1.key", "one of: deadline, fee")
    do(world, ChecklistSave, **{**good, "kind": "report"}, lines=[line(key="price")])
    assert refused(world, NotesSave, **good, body="x" * 4001).code == "too_long"
    assert refused(world, NotesSave, **good, note_id="nte_none").code == "unknown_id"
    assert refused(world, NotesSave, **good, as_of="today").field == "as_of"
    assert refused(world, NotesSave, **good, body="a\x00b").field == "body"


# --- wallet


@pytest.fixture
def purse() -> World:
    def charge(id: str, made: str, method: str = "pm_1", descriptor: str = "KOPI HOUSE", **more: Any) -> Charge:
        return Charge(id, method, to_instant(made, ZONE), ZONE, Money.of("4.50", "SGD"), descriptor, **more)

    return world_of(
        PaymentMethod(
            "pm_1", "credit", "Visa", "Everyday", "0123", "SG", "SGD", stated=(Stated("pm_1.kind", "credit"),)
        ),
        PaymentMethod("pm_2", "cash", "", "Cash", "", "SG", "SGD"),
        charge("chg_1", "2026-09-01T08:00"),
        charge("chg_2", "2026-09-03T23:59", descriptor="LUMEN JET", original_amount=Money.of("520", "JPY")),
        charge("chg_3", "2026-09-02T08:00", "pm_2", merchant_ref="R-77"),
        Rate("rate_1", "JPY", "SGD", 100, "0.866", "2026-09-08", "09:00"),
        Rate("rate_2", "JPY", "SGD", 100, "0.88", "2026-09-08", "09:00", "card"),
        Rate("rate_3", "JPY", "SGD", 100, "0.87", "2026-09-07", "09:00"),
        rounding_note="Multiply, then round once.",
    )


def test_cards_are_listed_with_what_they_state(purse: World) -> None:
    outcome = do(purse, WalletListCards)
    assert [(card.method_id, card.last4) for card in outcome.result.cards] == [("pm_1", "0123"), ("pm_2", "")]
    assert outcome.shown == {"pm_1": (), "pm_2": ()}
    assert purse.get(PaymentMethod, "pm_1").facts(purse) == {"pm_1.kind": "credit"}


def test_charges_are_listed_newest_first_and_filtered(purse: World) -> None:
    def charges(**arguments: Any) -> list[str]:
        period = {"from_date": "2026-09-01", "to_date": "2026-09-03", **arguments}
        return [row.charge_id for row in do(purse, WalletListCharges, **period).result.charges]

    assert charges() == ["chg_2", "chg_3", "chg_1"]
    assert charges(method_id="pm_1") == ["chg_2", "chg_1"]
    assert charges(to_date="2026-09-02") == ["chg_3", "chg_1"]
    assert charges(text="r-77") == ["chg_3"]
    (row,) = do(purse, WalletListCharges, from_date="2026-09-01", to_date="2026-09-03", text="lumen").result.charges
    assert (row.amount.amount, row.original_amount.amount, row.original_amount.currency) == ("4.50", "520", "JPY")
    assert refused(purse, WalletListCharges, from_date="2025-01-01", to_date="2026-09-03").code == "range_too_long"
    assert (
        refused(purse, WalletListCharges, from_date="2026-09-01", to_date="2026-09-03", method_id="x").code
        == "unknown_id"
    )


def test_charges_come_twenty_a_page() -> None:
    rows = (Charge(f"chg_{n:02}", "pm_1", NOW - n, ZONE, Money(1, "SGD"), "SHOP") for n in range(22))
    world = world_of(*rows)
    pages = every_page(world, WalletListCharges, lambda r: r.charges, from_date="2026-09-08", to_date="2026-09-08")
    assert [len(page) for page in pages] == [20, 2]


def test_rates_are_those_of_the_day(purse: World) -> None:
    outcome = do(purse, WalletGetRates)
    assert [(row.rate_id, row.value, row.kind) for row in outcome.result.rates] == [
        ("rate_1", "0.866", "official"),
        ("rate_2", "0.88", "card"),
    ]
    assert (outcome.result.on_date, outcome.result.rounding_note) == ("2026-09-08", "Multiply, then round once.")
    assert outcome.shown == {"rate_1": (), "rate_2": ()}
    assert purse.get(Rate, "rate_1").facts(purse) == {"rate.JPY.SGD.2026-09-08": "0.866"}
    assert purse.get(Rate, "rate_2").facts(purse) == {rate_key("JPY", "SGD", "2026-09-08", "card"): "0.88"}
    assert [row.rate_id for row in do(purse, WalletGetRates, on_date="2026-09-07").result.rates] == ["rate_3"]
    assert refused(purse, WalletGetRates, on_date="2026-09-06").code == "not_published"
    assert refused(purse, WalletGetRates, on_date="yesterday").field == "on_date"


# --- holds


def test_a_hold_expires_by_the_clock_unless_it_has_ended() -> None:
    hold = Hold("hld_1", "fare_1", Money(100, "SGD"), (), Money(0, "SGD"), NOW, NOW + 60)
    assert [hold.state(at) for at in (NOW, NOW + 59, NOW + 60)] == ["active", "active", "expired"]
    assert hold.ended("converted").state(NOW + 600) == "converted"


# --- prepared requests


class Claim(PreparedRequest, frozen=True, gc=False):
    """A claim against a carrier."""

    booking_id: str = ""
    paper_ids: tuple[str, ...] = ()

    def enclosure_ids(self) -> tuple[str, ...]:
        return self.paper_ids


class ClaimSave(SaveRequest):
    """Save a claim."""

    record = Claim
    required = ("booking_id", "paper_ids")

    addressee_id: str = Field(description="Whom it is addressed to.")
    booking_id: str = Field(default="", description="The booking.")
    paper_ids: list[str] = Field(default=[], description="Documents.")


class ClaimGet(GetRequest):
    """Read a claim."""

    record = Claim


class ClaimDiscard(DiscardRequest):
    """Drop a claim."""

    record = Claim


class ClaimFile(SubmitRequest):
    """File a claim."""

    record = Claim
    effect: ClassVar[Any] = "commit"
    outbound = "claim"

    def refuse(self, request: PreparedRequest, call: Call) -> None:
        if not request.enclosure_ids():
            raise ToolError("incomplete", field="request_id")


def test_a_request_is_saved_overwritten_read_and_submitted_once(office: World) -> None:
    first = do(office, ClaimSave, addressee_id="org_l2j").result
    assert (first.revision, first.empty_fields) == (1, ["booking_id", "paper_ids"])
    assert refused(office, ClaimFile, request_id=first.request_id).code == "incomplete"
    second = do(
        office,
        ClaimSave,
        request_id=first.request_id,
        addressee_id="org_l2j",
        booking_id="K1234567X",
        paper_ids=["ppr_pass"],
    ).result
    assert (second.request_id, second.revision, second.empty_fields) == (first.request_id, 2, [])
    outcome = do(office, ClaimFile, request_id=first.request_id)
    assert outcome.result.received_at.local == "2026-09-08T10:00"
    (row,) = office.all(Outbound)
    assert (row.kind, row.recipient_org_id, row.subject_id) == ("claim", "org_l2j", first.request_id)
    assert row.data_classes == ("travel_document",)
    read = do(office, ClaimGet, request_id=first.request_id).result
    assert (read.state, read.reference) == ("submitted", outcome.result.reference)
    assert read.fields == {"addressee_id": "org_l2j", "booking_id": "K1234567X", "paper_ids": ["ppr_pass"]}
    assert refused(office, ClaimFile, request_id=first.request_id).code == "not_a_draft"
    assert refused(office, ClaimSave, request_id=first.request_id, addressee_id="x").code == "not_a_draft"
    assert refused(office, ClaimDiscard, request_id=first.request_id).code == "not_a_draft"


def test_a_request_can_be_dropped_and_refuses_what_it_cannot_hold(office: World) -> None:
    id = do(office, ClaimSave, addressee_id="org_l2j").result.request_id
    assert do(office, ClaimDiscard, request_id=id).result.status == "ok"
    assert do(office, ClaimGet, request_id=id).result.state == "discarded"
    assert refused(office, ClaimGet, request_id="req_none").code == "unknown_id"
    assert refused(office, ClaimSave, addressee_id="a", paper_ids=["ppr_none"]).code == "attachment_not_found"
    assert refused(office, ClaimSave, addressee_id="a" * 20_000).code == "too_long"
    assert office.all(Outbound) == []
