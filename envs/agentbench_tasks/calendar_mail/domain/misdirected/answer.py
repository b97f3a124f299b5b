"""The answer of a misdirected reply."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part, TextClaim
from agentbench_env.task import Answer
from agentbench_tasks.calendar_mail.domain.misdirected.contents import Place
from agentbench_tasks.calendar_mail.domain.misdirected.items import Kind

_OPENED = "opened: an entry of a list of results shows only part of a mail and does not count"
_SOURCES = f"Ids of records that you {_OPENED}; at most six: "


class ReadStateClaim(Part):
    """Whether somebody has read the mail, with the record that says so."""

    value: Literal["read", "unread", "unknown"] = Field(
        description="read or unread as the mail system reports it; unknown: it reports nothing."
    )
    sources: list[str] = Field(default=[], description=f"{_SOURCES}the delivery record of this recipient.")


class WrongRecipient(Part):
    """Somebody who got the mail and should not have it."""

    address: TextClaim = Field(
        description="The mail address, with the mail that went out or its delivery record as source."
    )
    read_state: ReadStateClaim = Field(description="Whether they have read it.")


class DisclosedItem(Part):
    """A kind of information that got out."""

    item: Kind = Field(
        description="The kind, as the page on information classes describes it. unit_price: unit price; discount; "
        "bank_account: bank account; national_id: national ID number; phone_private: private phone number; "
        "home_address: home address; salary; health_leave: health or leave matter; contract_draft: contract draft; "
        "bid_plan: bid plan; login_secret: login secret; headcount_plan: headcount plan; meeting_link: meeting link."
    )
    where: Place = Field(
        description="A place where it stood in the mail that went out. own: in the words that the user wrote; quoted: "
        "in the earlier mails quoted below; attachment: in a file that went with it."
    )
    sources: list[str] = Field(
        default=[],
        description=f"{_SOURCES}the mail that went out (own, quoted), the earlier mail that is quoted, or the file.",
    )


class ClassClaim(Part):
    """An information class, with the records that say so."""

    value: int = Field(description="1 to 4.")
    sources: list[str] = Field(
        default=[], description=f"{_SOURCES}the page, or its section, that gives the class of such a kind."
    )


class OptionClaim(Part):
    """Whether the mail can be recalled, with the records that decide it."""

    value: Literal["available", "unavailable"] = Field(
        description="available: from every wrong recipient, at the time of the answer; unavailable: from none."
    )
    sources: list[str] = Field(
        default=[],
        description=f"{_SOURCES}the help page of the user's own mail system, or a section of it that counts here, and "
        "the delivery record of a wrong recipient.",
    )


class RecallPart(Part):
    """Whether the mail can be taken back, and why."""

    option: OptionClaim = Field(description="Whether it can be recalled.")
    reason: Literal[
        "same_org_ok",
        "unread_ok",
        "within_window_ok",
        "recipient_external",
        "other_system",
        "already_read",
        "window_passed",
        "not_offered",
        "disabled_by_admin",
    ] = Field(
        description="One condition of the rule that decides. If available, one that holds: same_org_ok: the recipient "
        "is in the own organisation; unread_ok: it is unread; within_window_ok: it is recent enough. If unavailable, "
        "one that fails: recipient_external: outside the own organisation; other_system: on another mail system; "
        "already_read: it was read; window_passed: it is too late; not_offered: the system has no such recall; "
        "disabled_by_admin: the administrator has switched it off."
    )


class MisdirectedAnswer(Answer):
    """Report what got out, to whom, and whether it can be recalled. This ends the episode.

    The corrections are judged as they stand: as drafts, or as mails that were sent.
    """

    message_id: str = Field(description="Id of the mail that went to the wrong person.")
    wrong_recipients: list[WrongRecipient] = Field(
        description="Everybody who got the mail and should not have it.", max_length=10
    )
    intended: TextClaim = Field(
        description="Mail address of the person it was for. The source is a mail in which that person asks for it, "
        f"{_OPENED}."
    )
    disclosed: list[DisclosedItem] = Field(
        description="Every kind of information that reached a wrong recipient, each kind once. It claims to be "
        "complete, so every file that went out and can be opened must have been read.",
        max_length=20,
    )
    information_class: ClassClaim = Field(description="The highest class among these kinds.")
    recall: RecallPart = Field(description="Whether the mail can be recalled.")
