"""Small worlds for the tests of the shared providers, and calls on them without an episode."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from agentbench_env.episode import MOST_CHARACTERS, Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Money
from agentbench_env.tool import Tool, decode_result, parse_arguments
from agentbench_env.world import Record, Start, World
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.messages import (
    Address,
    Attachment,
    Message,
)
from agentbench_tasks.commons.outbound import (
    PrivateString,
    Recipient,
)
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import (
    Stated,
    Text,
)

ZONE = "Asia/Singapore"
NOW = to_instant("2026-09-08T10:00", ZONE)


def world_of(*records: Record, **settings_: Any) -> World:
    mailbox = {"mailbox": Address("dana@home.example", "Dana Lim")}
    return World(Start(records), NOW, ZONE, "en", "key", {**mailbox, **settings_})


class Outcome(SimpleNamespace):
    result: Any
    shown: dict[str, tuple[str, ...]]
    effect: str


def do(world: World, tool: type[Tool], **arguments: Any) -> Outcome:
    """Carry out a call as an episode would: refused calls are undone, results are read back from their text."""
    typed = parse_arguments(tool, arguments)
    call = Call(SimpleNamespace(world=world, lineage=[None] * 7), typed)  # type: ignore[arg-type]
    mark = len(world.journal)
    try:
        result = typed.run(call)
    except ToolError:
        assert len(world.journal) == mark, "a refused call had changed something"
        raise
    if tool.effect == "read":
        assert len(world.journal) == mark, "a read changed something"
    content = msgspec.json.encode(result).decode()
    assert len(content) <= MOST_CHARACTERS
    return Outcome(result=decode_result(tool, content), shown=call.shown, effect=call.effect)


def refused(world: World, tool: type[Tool], **arguments: Any) -> ToolError:
    with pytest.raises(ToolError) as caught:
        do(world, tool, **arguments)
    return caught.value


def every_page(world: World, tool: type[Tool], rows: Callable[[Any], list[Any]], **arguments: Any) -> list[list[Any]]:
    pages: list[list[Any]] = []
    token = ""
    while True:
        result = do(world, tool, page_token=token, **arguments).result
        pages.append(rows(result))
        token = result.next_page_token
        if not token:
            return pages


def flat(pages: list[list[Any]]) -> list[Any]:
    return [row for rows in pages for row in rows]


def fees(amount: str = "12.00", variant: int = 0, language: str = "en", **more: Any) -> Text:
    return Text.of("travel", "pages.payment_fees", language, variant, fee=Money.of(amount, "SGD"), **more)


def paper(id: str, **fields: Any) -> Paper:
    rest: dict[str, Any] = {"kind": "profile", "title": "Profile", "holder_id": "per_d", "holder": "Dana Lim", **fields}
    return Paper(id, **rest)


def mail(id: str, sent: str = "2026-09-01T09:00", **fields: Any) -> Message:
    rest: dict[str, Any] = {
        "folder": "inbox",
        "sender": Address("mei@friends.example", "Mei Tan"),
        "to": (Address("dana@home.example", "Dana Lim"),),
        "zone": ZONE,
        "subject": "Hello",
        "body": "See you",
        **fields,
    }
    return Message(id, rest.pop("thread_id", f"thr_{id}"), sent_at=to_instant(sent, ZONE), **rest)


CHAT = Text.of("travel", "mails.trip_chat", "en", 0, dest="Honolulu", friend="Mei")


def office_world() -> World:
    """A mailbox with mails, files, a passport, private strings and an address book."""
    return world_of(
        mail("msg_1", body=CHAT, subject=CHAT, stated=(Stated("trip.dest", "HNL", "dest"),), is_read=False),
        mail("msg_2", "2026-09-02T23:30", attachment_ids=("att_1",), quotes="msg_away"),
        mail("msg_away", "2026-08-31T09:00", folder="", body="See you in Zürich", subject="On Monday"),
        mail("msg_3", "2026-09-03T00:30", folder="trash"),
        mail("msg_4", "2026-09-04T08:00", folder="sent", sender=Address("dana@home.example", "Dana Lim")),
        mail("msg_5", "2026-09-05T08:00", sender=Address("no-reply@lumen.example"), cc=(Address("boss@work.example"),)),
        mail("msg_chat", "2026-09-06T08:00", channel="sms"),
        Attachment("att_1", "ticket.pdf", "application/pdf", 1234, "Ticket", "Seat 12A " * 900),
        Attachment("att_2", "locked.pdf", "application/pdf", 99, "Locked", "x", locked=True),
        paper("ppr_pass", kind="passport", title="Passport", data_classes=("travel_document",)),
        private_strings=(
            PrivateString("8000-0123", "contact", "per_d"),
            PrivateString("K1234567X", "travel_document", "per_d"),
            PrivateString("asthma", "health", "per_d"),
        ),
        address_book={
            "mei@friends.example": Recipient("ctc_mei", relation="friend", jurisdiction="SG"),
            "desk@lumen.example": Recipient("ctc_desk", "org_l2j", "provider", False, "SG"),
        },
    )
