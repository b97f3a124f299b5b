"""Mail, drafts, and the table of everything that reached somebody."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from commons_kit import (
    CHAT,
    do,
    every_page,
    flat,
    mail,
    office_world,
    refused,
    world_of,
)

from agentbench_env.episode import Call
from agentbench_env.money import Money
from agentbench_env.world import World, content_digest
from agentbench_tasks.commons.drafts import (
    Draft,
    MailCreateDraft,
    MailDiscardDraft,
    MailSendDraft,
    MailUpdateDraft,
)
from agentbench_tasks.commons.messages import (
    Address,
    FilesReadAttachment,
    MailGetMessage,
    MailSearchMessages,
    Message,
)
from agentbench_tasks.commons.outbound import (
    Outbound,
    approval_of,
    private_strings_in,
    send_out,
)
from agentbench_tasks.commons.texts import (
    render,
)
from agentbench_tasks.commons.wallet import (
    WalletListCards,
)


@pytest.fixture
def office() -> World:
    return office_world()


# --- mail


def mails(world: World, **arguments: Any) -> list[str]:
    return [head.message_id for head in do(world, MailSearchMessages, **arguments).result.messages]


def test_mail_is_searched_newest_first_by_words_folders_people_days_and_files(office: World) -> None:
    assert mails(office) == ["msg_5", "msg_4", "msg_2", "msg_1"]
    assert mails(office, folder="trash") == ["msg_3"]
    assert mails(office, query="HONOLULU mei") == ["msg_1"]
    assert mails(office, query="zürich") == ["msg_2"]
    assert mails(office, query="ticket.pdf") == ["msg_2"]
    assert mails(office, query="honolulu zürich") == []
    assert mails(office, sender="LUMEN") == ["msg_5"]
    assert mails(office, recipient="boss@") == ["msg_5"]
    assert mails(office, after_date="2026-09-02", before_date="2026-09-04") == ["msg_4", "msg_2"]
    assert mails(office, has_attachment="yes") == ["msg_2"]
    assert mails(office, has_attachment="no", folder="inbox") == ["msg_5", "msg_1"]
    assert refused(office, MailSearchMessages, after_date="May").field == "after_date"


def test_a_mail_row_shows_head_and_snippet_only(office: World) -> None:
    outcome = do(office, MailSearchMessages, query="honolulu")
    (head,) = outcome.result.messages
    assert outcome.shown == {"msg_1": ("id",)}
    assert (head.subject, head.snippet) == ("Your trip!", " ".join(render(CHAT).body.split())[:90])
    assert (head.sent_at, head.is_read) == ("2026-09-01T09:00:00+08:00", False)


def test_mail_comes_twenty_a_page() -> None:
    world = world_of(*(mail(f"msg_{n:02}") for n in range(25)))
    pages = every_page(world, MailSearchMessages, lambda r: [head.message_id for head in r.messages])
    assert [len(rows) for rows in pages] == [20, 5]
    assert flat(pages) == [f"msg_{n:02}" for n in range(25)]


def test_a_mail_is_read_in_full_and_stays_unread(office: World) -> None:
    outcome = do(office, MailGetMessage, message_id="msg_1")
    assert (outcome.result.body, outcome.result.is_read) == (render(CHAT).body, False)
    assert outcome.shown == {"msg_1": ()}
    assert office.get(Message, "msg_1").facts(office) == {"trip.dest": "HNL"}
    (file,) = do(office, MailGetMessage, message_id="msg_2").result.attachments
    assert (file.attachment_id, file.filename, file.size) == ("att_1", "ticket.pdf", 1234)
    for wrong in ("msg_none", "msg_chat", "att_1"):
        assert refused(office, MailGetMessage, message_id=wrong).code == "unknown_id"


def test_a_mail_has_kind_flags_and_hidden_recipients_and_one_text() -> None:
    world = world_of(
        mail("msg_1", folder="", body="First"),
        mail("msg_2", kind="auto", flags=("important",), bcc=(Address("boss@work.example"),), quotes="msg_1"),
    )
    read = do(world, MailGetMessage, message_id="msg_2").result
    assert (read.kind, read.flags, read.bcc) == ("auto", ("important",), (Address("boss@work.example"),))
    assert read.body.startswith("See you\n\nOn Tue, 1 Sep 2026")
    assert read.body.endswith("wrote:\nFirst")
    assert refused(world, MailGetMessage, message_id="msg_1").code == "unknown_id"
    assert mails(world, query="first") == mails(world) == ["msg_2"]
    assert mails(world, folder="any", query="see 2026") == ["msg_2"]


def test_an_attachment_is_read_by_pages_of_its_text(office: World) -> None:
    pages = every_page(office, FilesReadAttachment, lambda r: [r.text], attachment_id="att_1")
    assert [len(text) for (text,) in pages] == [6000, 2100]
    assert refused(office, FilesReadAttachment, attachment_id="att_2").code == "password_required"
    assert refused(office, FilesReadAttachment, attachment_id="att_9").code == "unknown_id"


def draft_of(world: World, **arguments: Any) -> str:
    good = {"to": ["mei@friends.example"], "subject": "Hi", "body": "All well", **arguments}
    return do(world, MailCreateDraft, **good).result.draft_id


def test_drafts_are_written_replaced_and_thrown_away_without_reaching_anybody(office: World) -> None:
    id = draft_of(office, cc=["boss@work.example"], attachment_ids=["att_1", "ppr_pass"], in_reply_to="msg_1")
    first = office.get(Draft, id)
    assert (first.cc, first.attachment_ids, first.binds) == (("boss@work.example",), ("att_1", "ppr_pass"), True)
    updated = do(office, MailUpdateDraft, draft_id=id, to=[], subject="New", body="").result
    assert (updated.draft_id, office.get(Draft, id).cc) == (id, ())
    assert updated.digest == content_digest(office.get(Draft, id)) != content_digest(first)
    assert do(office, MailDiscardDraft, draft_id=id).result.status == "ok"
    assert office.find(id) is None
    assert office.all(Outbound) == []
    assert office.diff() == []


def test_drafts_refuse_what_cannot_be_sent(office: World) -> None:
    good = {"to": ["mei@friends.example"], "subject": "Hi", "body": "All well"}
    for wrong in ("mei", "mei@", "@x.example", "a b@x.example", "a@x", "a@x.example, b@y.example"):
        error = refused(office, MailCreateDraft, **{**good, "to": ["mei@friends.example", wrong]})
        assert (error.code, error.field) == ("bad_address", "to.1")
    assert refused(office, MailCreateDraft, **good, attachment_ids=["msg_1"]).code == "attachment_not_found"
    assert refused(office, MailCreateDraft, **good, in_reply_to="msg_none").code == "unknown_id"
    assert refused(office, MailCreateDraft, **{**good, "body": "\x07"}).field == "body"
    assert refused(office, MailCreateDraft, **{**good, "body": "x" * 5001}).field == "body"
    assert refused(office, MailUpdateDraft, draft_id="msg_1", **good).code == "not_a_draft"
    assert refused(office, MailDiscardDraft, draft_id="drf_none").code == "not_a_draft"
    assert refused(office, MailSendDraft, draft_id="msg_1").code == "not_a_draft"
    assert refused(office, MailSendDraft, draft_id=draft_of(office, to=[])).code == "empty_recipients"
    assert office.all(Outbound) == []


def test_sending_writes_the_sent_mail_and_one_outbound_row_an_addressee(office: World) -> None:
    id = draft_of(
        office,
        to=["Mei@friends.example", "who@where.example"],
        bcc=["desk@lumen.example", "who@where.example"],
        in_reply_to="msg_1",
        body="Ring me on +65 8000 0123",
        attachment_ids=["ppr_pass"],
    )
    outcome = do(office, MailSendDraft, draft_id=id)
    sent = office.get(Message, outcome.result.message_id)
    assert outcome.effect == "send"
    assert outcome.result.delivered_to == ["Mei@friends.example", "who@where.example", "desk@lumen.example"]
    assert (sent.folder, sent.thread_id, sent.sender.address) == ("sent", "thr_msg_1", "dana@home.example")
    assert office.find(id) is None
    rows = office.all(Outbound)
    assert [(row.recipient_id, row.recipient_org_id, row.relation) for row in rows] == [
        ("ctc_mei", "", "friend"),
        ("who@where.example", "", ""),
        ("ctc_desk", "org_l2j", "provider"),
    ]
    for row in rows:
        assert (row.kind, row.tool, row.cause_step, row.subject_id) == ("mail", "mail_send_draft", 7, sent.id)
        assert row.data_classes == ("contact", "travel_document")
    assert len({row.content_digest for row in rows}) == 1
    assert mails(office, folder="sent")[0] == sent.id
    (file,) = do(office, MailGetMessage, message_id=sent.id).result.attachments
    assert (file.attachment_id, file.filename) == ("ppr_pass", "Passport.pdf")
    assert refused(office, MailSendDraft, draft_id=id).code == "not_a_draft"


def test_the_longest_mails_can_be_sent_read_and_listed(office: World) -> None:
    addresses = [f"{'n' * 105}{n:02}@x.example" for n in range(10)]
    everybody = {"to": addresses, "cc": addresses, "bcc": addresses}
    for _ in range(12):
        id = draft_of(office, **everybody, subject='"' * 300, body='"\n' * 2500, attachment_ids=["att_1"] * 10)
        do(office, MailGetMessage, message_id=do(office, MailSendDraft, draft_id=id).result.message_id)
    pages = every_page(office, MailSearchMessages, lambda r: r.messages, folder="sent")
    assert len(flat(pages)) == 13
    assert len(pages) > 1


# --- outbound and private data


def test_private_strings_are_found_however_they_are_written(office: World) -> None:
    def classes(text: str) -> list[str]:
        return [string.data_class for string in private_strings_in(office, text)]

    assert classes("call ８０００ ０１２３ or k-1234567-x") == ["contact", "travel_document"]
    assert classes("His ASTHMA is better") == ["health"]
    assert classes("80000 12, as th ma") == []
    assert classes("") == []


def test_a_row_names_the_approval_through_the_step_that_wrote_it() -> None:
    world = world_of()
    call = Call(SimpleNamespace(world=world, lineage=[SimpleNamespace(approval="")]), WalletListCards())  # type: ignore[arg-type]
    row = send_out(call, "payment", recipient_org_id="org_a", subject_id="bkg_1", amount=Money(100, "SGD"))
    assert (row.tool, row.cause_step, row.amount, row.data_classes) == ("wallet_list_cards", 1, Money(100, "SGD"), ())
    assert world.all(Outbound) == [row]
    episode = SimpleNamespace(lineage=[SimpleNamespace(approval=""), SimpleNamespace(approval="apr_1")])
    assert approval_of(episode, row) == "apr_1"  # type: ignore[arg-type]
