"""Writing and sending mail: two calls, so that an approval binds to the content that is sent."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, World, content_digest
from agentbench_tasks.commons.messages import Address, Message, enclosed, find_mail
from agentbench_tasks.commons.outbound import recipient_at, send_out
from agentbench_tasks.commons.values import Done, Prose

_ADDRESS = re.compile(r"[^@\s,;<>]+@[^@\s,;<>]+\.[^@\s,;<>.]+")
LONGEST_BODY = 5_000
MOST_ADDRESSES = 10
Addresses = Annotated[list[Annotated[str, Field(max_length=120)]], Field(max_length=MOST_ADDRESSES)]


class Draft(Record, frozen=True, gc=False):
    """A mail that is not sent yet."""

    to: tuple[str, ...]
    cc: tuple[str, ...]
    bcc: tuple[str, ...]
    subject: str
    body: str
    in_reply_to: str
    attachment_ids: tuple[str, ...]
    made_by: Literal["user", "assistant"] = "assistant"

    binds: ClassVar[bool] = True


class DraftSaved(msgspec.Struct, frozen=True):
    """What saving a draft returns."""

    draft_id: str
    digest: str


class MailWriting(Tool):
    """Base of the two tools that write a draft."""

    effect: ClassVar[Effect] = "draft"

    to: Addresses = Field(description="Addresses of the recipients, at most 10.")
    subject: Prose = Field(description="Subject.", max_length=300)
    body: Prose = Field(description="Text, at most 5,000 characters.", max_length=LONGEST_BODY)
    cc: Addresses = Field(default=[], description="Addresses that get a copy.")
    bcc: Addresses = Field(default=[], description="Addresses that get a copy unseen by the others.")
    in_reply_to: str = Field(default="", description="Id of the message that this one answers.")
    attachment_ids: list[str] = Field(
        default=[], description="Ids of attachments or of the user's documents.", max_length=MOST_ADDRESSES
    )

    def save(self, call: Call, id: str, made_by: Literal["user", "assistant"]) -> DraftSaved:
        """Check the content and keep it as the draft `id`, a new one for ""."""
        world = call.world
        for field, addresses in (("to", self.to), ("cc", self.cc), ("bcc", self.bcc)):
            check_addresses(addresses, field)
        if self.in_reply_to:
            find_mail(world, self.in_reply_to, "in_reply_to")
        attachment_ids = tuple(self.attachment_ids)
        enclosed(world, attachment_ids)
        to, cc, bcc = tuple(self.to), tuple(self.cc), tuple(self.bcc)
        id = id or world.new_id("drf")
        draft = world.put(Draft(id, to, cc, bcc, self.subject, self.body, self.in_reply_to, attachment_ids, made_by))
        call.show(draft.id)
        return DraftSaved(draft.id, content_digest(draft))


def check_addresses(addresses: list[str], field: str) -> None:
    """Refuse the call with `bad_address` unless all are addresses."""
    for number, address in enumerate(addresses):
        if not _ADDRESS.fullmatch(address):
            raise ToolError("bad_address", field=f"{field}.{number}", hint="name@organisation.example")


class MailCreateDraft(MailWriting):
    """Write a mail and keep it as a draft. It reaches nobody."""

    latency_s: ClassVar[float] = 0.5

    def run(self, call: Call) -> DraftSaved:
        return self.save(call, "", "assistant")


class MailUpdateDraft(MailWriting):
    """Replace the whole content of a draft. It reaches nobody."""

    latency_s: ClassVar[float] = 0.4

    draft_id: str = Field(description="Id of the draft.")

    def run(self, call: Call) -> DraftSaved:
        return self.save(call, self.draft_id, find_draft(call.world, self.draft_id).made_by)


class MailDiscardDraft(Tool):
    """Throw a draft away."""

    effect: ClassVar[Effect] = "draft"
    latency_s: ClassVar[float] = 0.3

    draft_id: str = Field(description="Id of the draft.")

    def run(self, call: Call) -> Done:
        call.world.remove(find_draft(call.world, self.draft_id))
        return Done()


class Sent(msgspec.Struct, frozen=True):
    """What `mail_send_draft` returns."""

    message_id: str
    delivered_to: list[str]


class MailSendDraft(Tool):
    """Send a draft: it reaches every address in to, cc and bcc at once."""

    effect: ClassVar[Effect] = "send"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 1.2

    draft_id: str = Field(description="Id of the draft.")

    def run(self, call: Call) -> Sent:
        world = call.world
        draft = find_draft(world, self.draft_id)
        everybody = list(dict.fromkeys((*draft.to, *draft.cc, *draft.bcc)))
        if not everybody:
            raise ToolError("empty_recipients", field="draft_id", hint="a draft with an address in to, cc or bcc")
        message = world.put(_message(draft, world))
        world.remove(draft)
        enclosures = enclosed(world, draft.attachment_ids)
        for address in everybody:
            send_out(
                call,
                "mail",
                **msgspec.structs.asdict(recipient_at(world, address)),
                subject_id=message.id,
                content=f"{draft.subject}\n{draft.body}",
                enclosures=enclosures,
            )
        call.show(message.id)
        return Sent(message.id, everybody)


def find_draft(world: World, id: str) -> Draft:
    """Return the draft with this id; refuse the call with `not_a_draft` if there is none, or none any more."""
    draft = world.find(id)
    if not isinstance(draft, Draft):
        raise ToolError("not_a_draft", field="draft_id", hint="the draft_id of a draft that was not sent or discarded")
    return draft


def _message(draft: Draft, world: World) -> Message:
    """The draft as the mail in the folder of sent mail; `settings["mailbox"]` is the user's own address."""
    answered = world.find(draft.in_reply_to)
    to, cc, bcc = (tuple(Address(address) for address in group) for group in (draft.to, draft.cc, draft.bcc))
    return Message(
        world.new_id("msg"),
        answered.thread_id if isinstance(answered, Message) else world.new_id("thr"),
        "sent",
        world.settings["mailbox"],
        to,
        world.now,
        world.zone,
        draft.subject,
        draft.body,
        cc,
        bcc,
        in_reply_to=draft.in_reply_to,
        attachment_ids=draft.attachment_ids,
    )
