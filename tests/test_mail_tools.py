"""The mail tools of the office: threads, deliveries, mailboxes, forwarding, moving, deleting, recall, saved copies."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from commons_kit import NOW, ZONE, do, every_page, flat, mail, refused, world_of

from agentbench_env.episode import error_message
from agentbench_env.text.own import own_text
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.files import FilesSaveCopy, SavedFile
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetDelivery, MailGetMailbox, MailGetThread
from agentbench_tasks.calendar_mail.domain.mail_write import (
    MailDeleteMessage,
    MailForwardMessage,
    MailMoveMessage,
    MailSetAutoreply,
)
from agentbench_tasks.calendar_mail.domain.mailbox import Autoreply, Delivery, Mailbox, MailSystem, SharedFolder
from agentbench_tasks.calendar_mail.domain.recall import MailRecallMessage, recall_of
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.events import When
from agentbench_tasks.commons.messages import (
    Address,
    Attachment,
    FilesReadAttachment,
    MailGetMessage,
    MailSearchMessages,
    Message,
)
from agentbench_tasks.commons.outbound import Outbound, PrivateString, Recipient

DANA = Address("dana@home.example", "Dana Lim")
HOUR = 3600


def contact(id: str, name: str, address: str, **fields: Any) -> Contact:
    rest: dict[str, Any] = {
        "native_name": name,
        "latin_name": name,
        "organisation": "",
        "department": "",
        "title": "",
        "emails": (address,),
        "languages": ("en",),
        "relation": "peer",
        "register_due": ("friendly",),
        "address_forms": (name,),
        "zone": ZONE,
        "country": "SG",
        "working_week": (),
        "meeting_hours": (),
        "is_internal": False,
        **fields,
    }
    return Contact(id, name, **rest)


CONTACTS = (
    contact("ctc_jun", "Jun Lim", "jun@home.example", is_internal=True, mail_system="Tembusu Mail"),
    contact("ctc_ria", "Ria Tan", "ria@home.example", is_internal=True, mail_system="Other Mail"),
    contact("ctc_leo", "Leo Feld", "leo@guest.example", mail_system="Tembusu Mail"),
    contact("ctc_mei", "Mei Tan", "mei@friends.example", mail_system="Far Mail", relation="client"),
)
FILE = Attachment("att_1", "offer.pdf", "application/pdf", 1234, "Offer", "Price: 12.00", data_classes=("business",))


def sent_at(age_s: int) -> str:
    return to_local(NOW - age_s, ZONE)


def office(rule: str = "works", *more: Any, **switches: Any) -> World:
    return world_of(
        MailSystem(
            "mls_1", "Tembusu Mail", rule, **{"delay_s": 10, "window_s": 24 * HOUR, "help_page_id": "pg_1", **switches}
        ),
        Mailbox("mbx_team", "team@home.example", "shared", ZONE, "mls_1", "en", "The team"),
        Mailbox("mbx_1", "dana@home.example", "personal", ZONE, "mls_1", "en", "Dana Lim\nTembusu Fixtures"),
        Mailbox("mbx_jun", "jun@home.example", "personal", ZONE, "mls_1", "en"),
        SharedFolder("fld_1", "Project", "Everybody in the project", ("jun@home.example", "mei@friends.example")),
        SharedFolder("fld_2", "My files", "Only you"),
        FILE,
        mail("msg_1", "2026-09-01T09:00", thread_id="thr_1", body="Offer below", attachment_ids=("att_1",)),
        mail("msg_2", "2026-09-02T09:00", thread_id="thr_1", subject="Re: Hello", quotes="msg_1", is_read=False),
        mail("msg_3", "2026-09-03T09:00", thread_id="thr_1", folder="", body="Never had"),
        *CONTACTS,
        *more,
        mailbox_id="mbx_1",
        address_book={
            card.address: Recipient(card.id, f"org_{card.id}", card.relation, card.is_internal) for card in CONTACTS
        },
        private_strings=(PrivateString("offer below", "health", "per_d"),),
    )


def own_mail(id: str, *to: str, age_s: int = 2 * HOUR, **fields: Any) -> Message:
    people = tuple(Address(address) for address in to)
    return mail(id, sent_at(age_s), **{"folder": "sent", "sender": DANA, "to": people, **fields})


def outbound(world: World) -> list[tuple[str, str, str]]:
    return [(row.kind, row.recipient_id, row.subject_id) for row in world.all(Outbound)]


# --- threads


def test_a_thread_is_read_in_full_from_its_oldest_mail_and_stays_unread() -> None:
    world = office()
    outcome = do(world, MailGetThread, thread_id="thr_1")
    assert outcome.shown == {"msg_1": (), "msg_2": ()}
    assert (outcome.result.subject, outcome.result.total) == ("Hello", 2)
    first, second = outcome.result.messages
    assert [file.filename for file in first.attachments] == ["offer.pdf"]
    assert second == do(world, MailGetMessage, message_id="msg_2").result
    assert second.body.endswith("wrote:\nOffer below")
    assert (second.is_read, world.get(Message, "msg_2").is_read) == (False, False)
    for wrong in ("thr_none", "msg_1"):
        assert refused(world, MailGetThread, thread_id=wrong).code == "unknown_id"


def test_a_thread_comes_ten_mails_a_page_or_as_many_as_fit() -> None:
    rows = [mail(f"msg_{n:02}", f"2026-09-{n + 1:02}T09:00", thread_id="thr_9") for n in range(23)]
    pages = every_page(office("works", *reversed(rows)), MailGetThread, lambda r: r.messages, thread_id="thr_9")
    assert [len(page) for page in pages] == [10, 10, 3]
    assert [row.message_id for row in flat(pages)] == [row.id for row in rows]
    long = [mail(f"msg_{n:02}", f"2026-09-{n + 1:02}T09:00", thread_id="thr_9", body="x" * 9000) for n in range(4)]
    pages = every_page(office("works", *long), MailGetThread, lambda r: r.messages, thread_id="thr_9")
    assert [len(page) for page in pages] == [1, 1, 1, 1]
    assert refused(office("works", *rows), MailGetThread, thread_id="thr_9", page_token="p99").field == "page_token"


# --- deliveries


def test_deliveries_state_where_a_mail_went_and_whether_it_was_read() -> None:
    read = Delivery("dlv_1", "msg_9", "JUN@home.example", "Tembusu Mail", True, True, NOW - HOUR, "read", NOW - 60)
    world = office("works", own_mail("msg_9", "jun@home.example", age_s=HOUR), read)
    outcome = do(world, MailGetDelivery, message_id="msg_9")
    (row,) = outcome.result.deliveries
    assert outcome.shown == {"dlv_1": ()}
    assert (row.recipient, row.read_state, row.same_org, row.same_system) == ("JUN@home.example", "read", True, True)
    assert (row.delivered_at, row.read_at) == ("2026-09-08T09:00:00+08:00", "2026-09-08T09:59:00+08:00")
    assert read.facts(world) == {
        "read_state.msg_9.JUN@home.example": "read",
        "same_system.msg_9.JUN@home.example": True,
        "same_org.msg_9.JUN@home.example": True,
        "delivered_at.msg_9.JUN@home.example": NOW - HOUR,
    }


def test_a_mail_sent_just_now_has_deliveries_by_the_address_book() -> None:
    world = office()
    to = ["jun@home.example", "ria@home.example", "LEO@guest.example", "mei@friends.example", "who@where.example"]
    draft = do(world, MailCreateDraft, to=to[:3], cc=to[3:], bcc=to[:1], subject="Hi", body="All well").result.draft_id
    id = do(world, MailSendDraft, draft_id=draft).result.message_id
    mark = len(world.journal)
    outcome = do(world, MailGetDelivery, message_id=id)
    rows = outcome.result.deliveries
    assert [(row.recipient, row.recipient_system, row.same_org, row.same_system, row.read_state) for row in rows] == [
        ("jun@home.example", "Tembusu Mail", True, True, "unread"),
        ("ria@home.example", "Other Mail", True, False, "unknown"),
        ("LEO@guest.example", "Tembusu Mail", False, True, "unread"),
        ("mei@friends.example", "Far Mail", False, False, "unknown"),
        ("who@where.example", "", False, False, "unknown"),
    ]
    assert {row.read_at for row in rows} == {""}
    record = world.find(rows[0].delivery_id)
    assert record is not None
    assert record.facts(world)[f"read_state.{id}.jun@home.example"] == "unread"
    assert outcome.shown == {row.delivery_id: () for row in rows}
    assert do(world, MailGetDelivery, message_id=id).result == outcome.result
    assert len(world.journal) == mark


def test_only_own_mails_have_deliveries() -> None:
    world = office("works", own_mail("msg_9", "jun@home.example", folder="archive"))
    for tool in (MailGetDelivery, MailRecallMessage):
        assert refused(world, tool, message_id="msg_1").code == "not_own_message"
        assert refused(world, tool, message_id="msg_3").code == "unknown_id"
        assert refused(world, tool, message_id="dlv_9").code == "unknown_id"
    assert do(world, MailGetDelivery, message_id="msg_9").result.deliveries[0].read_state == "unread"


# --- mailboxes


def test_own_and_shared_mailboxes_are_open_and_those_of_others_are_not() -> None:
    world = office()
    outcome = do(world, MailGetMailbox)
    assert outcome.shown == {"mbx_team": (), "mbx_1": ()}
    shared, own = outcome.result.mailboxes
    assert (shared.kind, own.kind, own.address, own.mail_system) == (
        "shared",
        "personal",
        "dana@home.example",
        "Tembusu Mail",
    )
    assert own.signature == "Dana Lim\nTembusu Fixtures"
    assert do(world, MailGetMailbox, mailbox_id="mbx_1").result.mailboxes == [own]
    assert refused(world, MailGetMailbox, mailbox_id="mbx_jun").code == "no_access"
    assert refused(world, MailGetMailbox, mailbox_id="mls_1").code == "unknown_id"
    assert world.get(Mailbox, "mbx_1").facts(world)["mailbox.mbx_1.mail_system"] == "mls_1"


# --- automatic replies


ABSENT: dict[str, Any] = {
    "mailbox_id": "mbx_1",
    "status": "scheduled",
    "start": {"local": "2026-09-17T09:00", "zone": "Asia/Tokyo"},
    "end": {"local": "2026-09-24T09:00", "zone": "Asia/Singapore"},
    "internal_subject": "Away",
    "internal_body": "Back on 24 September.",
    "external_body": "Dear Sir or Madam, I am away.",
    "external_audience": "all",
}


def test_an_automatic_reply_is_stored_as_it_is_given() -> None:
    world = office()
    outcome = do(world, MailSetAutoreply, **ABSENT)
    start, end = When("2026-09-17T09:00", "Asia/Tokyo"), When("2026-09-24T09:00", "Asia/Singapore")
    texts = ("Away", "Back on 24 September.", "", "Dear Sir or Madam, I am away.")
    assert world.get(Mailbox, "mbx_1").autoreply == Autoreply("scheduled", start, end, *texts, "all")
    assert (outcome.effect, outcome.shown, outbound(world)) == ("own", {"mbx_1": ()}, [])
    assert [change.id for change in world.diff()] == ["mbx_1"]
    (own,) = do(world, MailGetMailbox, mailbox_id="mbx_1").result.mailboxes
    assert own.autoreply == outcome.result
    assert (own.autoreply.start.local, own.autoreply.start.zone) == ("2026-09-17T09:00", "Asia/Tokyo")
    do(world, MailSetAutoreply, mailbox_id="mbx_1", status="disabled")
    assert world.diff() == []
    days = {"start": {"date": "2026-09-17"}, "end": {"local": "2026-09-24T09:00"}}
    shown = do(world, MailSetAutoreply, **{**ABSENT, "mailbox_id": "mbx_team", **days}).result
    assert (shown.start, shown.end.zone) == ("2026-09-17", "")
    assert world.get(Mailbox, "mbx_team").autoreply.start == When("2026-09-17")


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"end": {"local": "2026-09-17T08:00", "zone": "Asia/Singapore"}}, "end_before_start", "end"),
        ({"end": {"date": "2026-09-17"}}, "end_before_start", "end"),
        ({"mailbox_id": "mbx_jun"}, "no_access", "mailbox_id"),
        ({"mailbox_id": "msg_1"}, "unknown_id", "mailbox_id"),
        ({"start": {}}, "invalid_argument", "start"),
        ({"end": {}}, "invalid_argument", "end"),
        ({"start": {"local": "tomorrow", "zone": "Asia/Tokyo"}}, "invalid_argument", "start.local"),
        ({"start": {"local": "2026-09-17T09:00", "zone": "JST"}}, "unknown_zone", "start.zone"),
        ({"status": "on"}, "invalid_argument", "status"),
        ({"external_audience": "everybody"}, "invalid_argument", "external_audience"),
        ({"internal_body": '"' * 2000, "external_body": "x" * 10}, "too_long", "external_body"),
        ({"internal_body": "x" * 2001}, "invalid_argument", "internal_body"),
    ],
)
def test_an_automatic_reply_that_makes_no_sense_is_refused(more: dict[str, Any], code: str, field: str) -> None:
    world = office()
    error = refused(world, MailSetAutoreply, **{**ABSENT, **more})
    assert (error.code, error.field) == (code, field)
    assert world.journal == []


# --- forwarding, moving, deleting


def test_forwarding_sends_the_whole_mail_with_its_files() -> None:
    world = office()
    to = ["mei@friends.example", "jun@home.example", "mei@friends.example"]
    outcome = do(world, MailForwardMessage, message_id="msg_1", to=to, comment="See below.")
    id = outcome.result.message_id
    sent = do(world, MailGetMessage, message_id=id).result
    assert (outcome.effect, sent.folder, sent.kind, sent.subject) == ("send", "sent", "forward", "Fwd: Hello")
    assert [person.address for person in sent.to] == ["mei@friends.example", "jun@home.example"]
    assert own_text(sent.body) == "See below."
    assert sent.body.endswith("\nTo: Dana Lim <dana@home.example>\n\nOffer below")
    assert [file.attachment_id for file in sent.attachments] == ["att_1"]
    assert (sent.thread_id, sent.in_reply_to) == ("thr_1", "msg_1")
    assert outbound(world) == [("forward", "ctc_mei", id), ("forward", "ctc_jun", id)]
    assert {row.data_classes for row in world.all(Outbound)} == {("health", "business")}
    assert do(world, MailGetThread, thread_id="thr_1").result.messages[-1] == sent


def test_forwarding_refuses_what_it_cannot_send() -> None:
    world = office()
    for wrong in ({"to": ["mei"]}, {"to": ["mei@friends.example", "a b@x.example"]}):
        assert refused(world, MailForwardMessage, message_id="msg_1", **wrong).code == "bad_address"
    assert refused(world, MailForwardMessage, message_id="msg_1", to=[]).code == "empty_recipients"
    assert refused(world, MailForwardMessage, message_id="msg_3", to=["mei@friends.example"]).code == "unknown_id"
    assert refused(world, MailForwardMessage, message_id="msg_1", to=["a@b.example"], comment="\x07").field == "comment"
    assert world.journal == []


def test_the_longest_mail_can_be_forwarded_again_and_again() -> None:
    world, id = office(), "msg_1"
    for _ in range(6):
        arguments = {"message_id": id, "to": [f"{'n' * 105}{n:02}@x.example" for n in range(10)]}
        id = do(world, MailForwardMessage, **arguments, comment='"\n' * 2500).result.message_id
    assert do(world, MailGetMessage, message_id=id).result.body.endswith("\n[…]")
    assert len(every_page(world, MailGetThread, lambda r: r.messages, thread_id="thr_1")) == 6


def test_mails_are_moved_between_the_users_folders() -> None:
    world = office()
    outcome = do(world, MailMoveMessage, message_id="msg_1", folder="archive")
    assert (outcome.effect, world.get(Message, "msg_1").folder) == ("own", "archive")
    mark = len(world.journal)
    assert do(world, MailMoveMessage, message_id="msg_1", folder="archive").effect == "read"
    assert len(world.journal) == mark
    assert refused(world, MailMoveMessage, message_id="msg_1", folder="sent").code == "invalid_argument"
    assert refused(world, MailMoveMessage, message_id="msg_3", folder="inbox").code == "unknown_id"
    assert outbound(world) == []


def test_a_deleted_mail_is_gone_though_others_still_quote_it() -> None:
    world = office()
    before = do(world, MailGetMessage, message_id="msg_2").result
    assert do(world, MailDeleteMessage, message_id="msg_1").effect == "commit"
    assert [change.id for change in world.diff()] == ["msg_1"]
    for tool, more in (
        (MailGetMessage, {}),
        (MailDeleteMessage, {}),
        (MailMoveMessage, {"folder": "inbox"}),
        (MailForwardMessage, {"to": ["mei@friends.example"]}),
        (MailGetDelivery, {}),
        (MailRecallMessage, {}),
    ):
        assert refused(world, tool, message_id="msg_1", **more).code == "unknown_id"
    good = {"to": ["mei@friends.example"], "subject": "Hi", "body": "All well"}
    assert refused(world, MailCreateDraft, **good, in_reply_to="msg_1").code == "unknown_id"
    assert [head.message_id for head in do(world, MailSearchMessages, query="hello").result.messages] == ["msg_2"]
    assert do(world, MailGetMessage, message_id="msg_2").result == before


# --- recall

OUTSIDE, AWAY, READ = "recipient_external", "other_system", "already_read"


def delivery(same_org: bool, same_system: bool, read_state: Any) -> Delivery:
    return Delivery("dlv_1", "msg_9", "x@y.example", "", same_system, same_org, NOW, read_state)


def expected(rule: str, org: bool, system: bool, state: str, late: bool, switch: bool, on: bool) -> set[str]:
    """The true reasons by the words of the help pages, those that end in _ok if the mail can be recalled."""
    unread = state == "unread"
    if rule in ("portal", "closed"):
        if system and unread:
            return {"unread_ok"}
        faults = set() if system else {AWAY} | (set() if org else {OUTSIDE})
        return faults | ({READ} if state == "read" else set())
    if rule == "works":
        if org and (not late or unread):
            return {"same_org_ok"} | (set() if late else {"within_window_ok"}) | ({"unread_ok"} if unread else set())
        faults = set() if org else {OUTSIDE}
        if late and not unread:
            faults |= {"window_passed"} | ({READ} if state == "read" else set())
        return faults
    if rule == "undo":
        return {"window_passed", "not_offered"} if late else {"within_window_ok"}
    if org and on and (switch or state != "read"):
        return {"same_org_ok"} | ({"unread_ok"} if unread else set())
    faults = set() if org else {OUTSIDE}
    if state == "read" and not switch:
        faults |= {READ, "disabled_by_admin"}
    return faults if on else faults | {"disabled_by_admin", "not_offered"}


@pytest.mark.parametrize("rule", ["portal", "works", "undo", "closed", "tenant"])
def test_recall_follows_the_rule_of_the_mail_system(rule: Any) -> None:
    edge = 10 if rule == "undo" else 24 * HOUR
    for org, same, switch, on in product((True, False), repeat=4):
        system = MailSystem("mls_1", "Mail", rule, switch, on, 10, 24 * HOUR)
        for state in ("read", "unread") if same else ("unknown",):
            for age in (edge - 1800, edge, edge + 1, edge + 1800):
                recall = recall_of(system, delivery(org, same, state), age)
                reasons = expected(rule, org, same, state, age > edge, switch, on)
                assert set(recall.reasons) == reasons, (org, same, state, age, switch, on)
                assert recall.available == all(reason.endswith("_ok") for reason in reasons)
                assert len(recall.reasons) == len(reasons) > 0


@pytest.mark.parametrize(
    ("rule", "org", "system", "state", "hours", "available", "reason"),
    [
        ("works", True, True, "read", 6.6, True, "within_window_ok"),
        ("works", True, True, "read", 23, True, "within_window_ok"),
        ("works", True, True, "read", 25, False, "window_passed"),
        ("works", True, True, "unread", 25, True, "unread_ok"),
        ("works", False, False, "unknown", 1, False, OUTSIDE),
        ("portal", True, True, "read", 6.6, False, READ),
        ("portal", True, True, "unread", 100, True, "unread_ok"),
        ("portal", False, True, "unread", 1, True, "unread_ok"),
        ("portal", True, False, "unknown", 1, False, AWAY),
        ("portal", False, False, "unknown", 1, False, OUTSIDE),
        ("closed", True, True, "unread", 1, True, "unread_ok"),
        ("closed", False, False, "unknown", 1, False, OUTSIDE),
        ("undo", True, True, "unread", 1, False, "window_passed"),
        ("undo", True, True, "unread", 0.002, True, "within_window_ok"),
        ("tenant", True, True, "read", 100, True, "same_org_ok"),
        ("tenant", False, True, "unread", 1, False, OUTSIDE),
    ],
)
def test_recall_by_example(
    rule: Any, org: bool, system: bool, state: str, hours: float, available: bool, reason: str
) -> None:
    kind = MailSystem("mls_1", "Mail", rule, True, True, 10, 24 * HOUR)
    recall = recall_of(kind, delivery(org, system, state), int(hours * HOUR))
    assert (recall.available, recall.reasons[0]) == (available, reason)


def test_a_recall_ends_apart_for_each_recipient_and_tells_those_outside_where_it_failed() -> None:
    to = ("jun@home.example", "mei@friends.example", "ria@home.example")
    world = office("portal", own_mail("msg_9", *to))
    outcome = do(world, MailRecallMessage, message_id="msg_9")
    rows = [(row.recipient, row.result, row.reason) for row in outcome.result.recipients]
    assert rows == [
        ("jun@home.example", "recalled", "unread_ok"),
        ("mei@friends.example", "failed", OUTSIDE),
        ("ria@home.example", "failed", AWAY),
    ]
    assert outcome.effect == "commit"
    assert outbound(world) == [("recall_notice", "ctc_mei", "msg_9")]
    assert world.get(Message, "msg_9").folder == "sent"
    deliveries = do(world, MailGetDelivery, message_id="msg_9").result.deliveries
    assert [row.recall for row in deliveries] == ["recalled", "failed", "failed"]
    again = do(world, MailRecallMessage, message_id="msg_9", recipients=["JUN@home.example"]).result.recipients
    assert [(row.result, row.reason) for row in again] == [("recalled", "")]
    assert len(outbound(world)) == 1


def test_a_recall_may_name_some_of_the_recipients() -> None:
    world = office("works", own_mail("msg_9", "jun@home.example", cc=(Address("mei@friends.example"),)))
    outcome = do(world, MailRecallMessage, message_id="msg_9", recipients=["jun@home.example", "Jun@home.example"])
    assert [row.recipient for row in outcome.result.recipients] == ["jun@home.example"]
    assert outbound(world) == []
    error = refused(
        world, MailRecallMessage, message_id="msg_9", recipients=["mei@friends.example", "ria@home.example"]
    )
    assert (error.code, error.field) == ("invalid_argument", "recipients.1")


def test_a_system_that_offers_no_recall_refuses_it_and_tells_nobody() -> None:
    for rule, switches in (("undo", {}), ("tenant", {"recall_switch": False})):
        world = office(rule, own_mail("msg_9", "mei@friends.example"), **switches)
        assert refused(world, MailRecallMessage, message_id="msg_9").code == "not_offered"
        assert world.journal == []


def test_a_mail_sent_just_now_can_be_stopped_during_the_delay() -> None:
    world = office("undo")
    draft = do(world, MailCreateDraft, to=["mei@friends.example"], subject="Hi", body="All well").result.draft_id
    id = do(world, MailSendDraft, draft_id=draft).result.message_id
    world.elapsed_ms += 10_000
    assert do(world, MailRecallMessage, message_id=id).result.recipients[0].result == "recalled"
    assert world.all(Delivery)[0].recall == "recalled"
    world.elapsed_ms += 1_000
    assert refused(world, MailRecallMessage, message_id=id).code == "not_offered"


# --- files


def test_a_saved_copy_reaches_everybody_who_can_open_the_folder() -> None:
    world = office()
    outcome = do(world, FilesSaveCopy, attachment_id="att_1", folder_id="fld_1")
    saved = outcome.result
    assert (saved.folder, saved.audience, outcome.effect) == ("Project", "Everybody in the project", "send")
    assert world.get(SavedFile, saved.file_id).attachment_id == "att_1"
    assert outbound(world) == [("share", "ctc_jun", saved.file_id), ("share", "ctc_mei", saved.file_id)]
    assert {row.data_classes for row in world.all(Outbound)} == {("business",)}
    assert do(world, FilesSaveCopy, attachment_id="att_1", folder_id="fld_2").effect == "own"
    assert len(outbound(world)) == 2
    assert refused(world, FilesSaveCopy, attachment_id="att_1", folder_id="fld_9").code == "folder_not_found"
    assert refused(world, FilesSaveCopy, attachment_id="msg_1", folder_id="fld_1").code == "unknown_id"


def test_equal_contents_have_equal_hashes_whatever_the_file_is_called() -> None:
    other = Attachment("att_2", "final.pdf", "application/pdf", 1234, "Offer", "Price: 12.00", document="offer 1")
    newer = Attachment("att_3", "offer.pdf", "application/pdf", 1234, "Offer", "Price: 13.00", document="offer 2")
    world = office("works", other, newer, mail("msg_9", attachment_ids=("att_1", "att_2", "att_3")))
    first, same, changed = do(world, MailGetMessage, message_id="msg_9").result.attachments
    assert first.content_hash == same.content_hash != changed.content_hash
    assert do(world, FilesReadAttachment, attachment_id="att_2").result.text == "Price: 12.00"


@pytest.mark.parametrize(
    ("tool", "effect", "latency"),
    [
        (MailGetThread, "read", 0.8),
        (MailGetDelivery, "read", 0.5),
        (MailGetMailbox, "read", 0.4),
        (MailForwardMessage, "send", 1.2),
        (MailMoveMessage, "own", 0.3),
        (MailDeleteMessage, "commit", 0.3),
        (MailSetAutoreply, "own", 0.6),
        (MailRecallMessage, "commit", 2.0),
        (FilesSaveCopy, "send", 0.9),
    ],
)
def test_every_tool_has_its_class_and_its_latency(tool: Any, effect: str, latency: float) -> None:
    assert (tool.effect, tool.latency_s, tool.fee_usd) == (effect, latency, 0.0)


@pytest.mark.parametrize("language", ["ko", "ja", "zh-Hant", "th", "ar", "en"])
def test_every_refusal_has_a_sentence_in_every_language(language: str) -> None:
    own = ("not_own_message", "not_offered", "no_access", "end_before_start", "folder_not_found", "no_invite")
    calendar = ("bad_rrule", "not_organizer", "not_invited", "range_too_long")
    sentences = {error_message(code, language, "") for code in (*own, *calendar, "unknown_id", "bad_address")}
    assert "" not in sentences
    assert len(sentences) == 12
