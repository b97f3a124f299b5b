"""Taking a sent mail back: the rules of the mail systems, and the tool."""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.tool import Effect, Tool
from agentbench_tasks.calendar_mail.domain.mailbox import (
    Delivery,
    MailSystem,
    deliveries_of,
    find_own_mail,
    own_system,
)
from agentbench_tasks.commons.drafts import Addresses
from agentbench_tasks.commons.outbound import recipient_at, send_out
from agentbench_tasks.commons.texts import title_of

Reason = Literal[
    "same_org_ok",
    "unread_ok",
    "within_window_ok",
    "recipient_external",
    "other_system",
    "already_read",
    "window_passed",
    "not_offered",
    "disabled_by_admin",
]


class Recall(NamedTuple):
    """Whether a mail can be taken back from a recipient, and why."""

    available: bool
    reasons: tuple[Reason, ...]
    """The conditions of the rule that hold if it can, all that fail if it cannot."""


def recall_of(system: MailSystem, delivery: Delivery, age_s: int) -> Recall:
    """Say whether a mail sent `age_s` seconds ago can be taken back from a recipient.

    Args:
        system: the sender's mail system. `portal` and `closed` take an unread mail back from the same system; `works`
            takes one back from the own organisation, after `window_s` only if it is unread; `undo` stops one during
            `delay_s`, later it offers nothing; `tenant` takes one back from the own organisation, a read one only with
            `read_switch`, and offers nothing without `recall_switch`.
        delivery: what became of the mail at the recipient.
        age_s: seconds since the mail was sent.
    """
    failing, holding = _conditions(system, delivery, age_s)
    return Recall(not failing, tuple(failing or holding))


def _conditions(system: MailSystem, delivery: Delivery, age_s: int) -> tuple[list[Reason], list[Reason]]:
    """The conditions of the system's rule that fail, and those that hold."""
    outside = not delivery.same_org
    read, unread = delivery.read_state == "read", delivery.read_state == "unread"
    match system.rule:
        case "portal" | "closed":
            away = not delivery.same_system
            failing = _true((away and outside, "recipient_external"), (away, "other_system"), (read, "already_read"))
            return failing, _true((unread, "unread_ok"))
        case "works":
            late = age_s > system.window_s
            failing = _true(
                (outside, "recipient_external"), (late and not unread, "window_passed"), (late and read, "already_read")
            )
            return failing, _true((not late, "within_window_ok"), (unread, "unread_ok"), (not outside, "same_org_ok"))
        case "undo":
            late = age_s > system.delay_s
            return _true((late, "window_passed"), (late, "not_offered")), _true((not late, "within_window_ok"))
        case "tenant":
            off, barred = not system.recall_switch, read and not system.read_switch
            failing = _true(
                (outside, "recipient_external"),
                (barred, "already_read"),
                (off or barred, "disabled_by_admin"),
                (off, "not_offered"),
            )
            return failing, _true((not outside, "same_org_ok"), (unread, "unread_ok"))


def _true(*conditions: tuple[bool, Reason]) -> list[Reason]:
    return [reason for holds, reason in conditions if holds]


class RecallRow(msgspec.Struct, frozen=True):
    """How the attempt ended at one recipient."""

    recipient: str
    result: Literal["recalled", "failed"]
    reason: str
    """The condition that decided, "" where the mail was recalled before."""


class Recalled(msgspec.Struct, frozen=True):
    """What `mail_recall_message` returns."""

    message_id: str
    recipients: list[RecallRow]


class MailRecallMessage(Tool):
    """Try to take back a mail that the user sent.

    A recipient outside the organisation from whom it cannot be taken back is sent a notice that the user would like to
    recall it.
    """

    effect: ClassVar[Effect] = "commit"
    latency_s: ClassVar[float] = 2.0

    message_id: str = Field(description="Id of a mail that the user sent.")
    recipients: Addresses = Field(default=[], description="Addresses to take it back from; empty for all.")

    def run(self, call: Call) -> Recalled:
        world = call.world
        mail = find_own_mail(world, self.message_id)
        by_address = {fold(delivery.recipient): delivery for delivery in deliveries_of(world, mail)}
        for number, address in enumerate(self.recipients):
            if fold(address) not in by_address:
                hint = "a recipient that mail_get_delivery names"
                raise ToolError("invalid_argument", field=f"recipients.{number}", hint=hint)
        wanted = list(dict.fromkeys(map(fold, self.recipients))) or list(by_address)
        system, age_s = own_system(world), world.now - mail.sent_at
        recalls = {key: recall_of(system, by_address[key], age_s) for key in wanted}
        if any("not_offered" in recall.reasons for recall in recalls.values()):
            raise ToolError("not_offered", field="message_id", hint="see the help page of the mail system")
        subject = title_of(mail.subject)
        rows = [_attempt(call, by_address[key], recall, subject) for key, recall in recalls.items()]
        return Recalled(mail.id, rows)


def _attempt(call: Call, delivery: Delivery, recall: Recall, subject: str) -> RecallRow:
    """Take a mail back from one recipient, or fail to."""
    if delivery.recall == "recalled":
        return RecallRow(delivery.recipient, "recalled", "")
    result = "recalled" if recall.available else "failed"
    call.world.put(msgspec.structs.replace(delivery, recall=result))
    if result == "failed" and not delivery.same_org:
        reached = msgspec.structs.asdict(recipient_at(call.world, delivery.recipient))
        send_out(call, "recall_notice", **reached, subject_id=delivery.message_id, content=subject)
    return RecallRow(delivery.recipient, result, recall.reasons[0])
