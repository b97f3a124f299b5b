"""The answer about the current file of a thread."""

from __future__ import annotations

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer

MESSAGES = "at most six; ids of messages, of attachments that were read, or of contacts."


class FileClaim(Part):
    """A file with the records that show it to be the current one."""

    value: str = Field(default="", description="Id of an attachment with the current content.")
    sources: list[str] = Field(
        default=[],
        description="Ids of records read in earlier results that state that it is the current version or bring it, "
        f"{MESSAGES}",
    )


class DateClaim(Part):
    """A day with the records that show it."""

    value: str = Field(default="", description="The day, YYYY-MM-DD, in the user's zone.")
    sources: list[str] = Field(
        default=[], description=f"The message that first brought the content, with others if need be; {MESSAGES}"
    )


class SenderClaim(Part):
    """A person with the records that show who it is."""

    value: str = Field(default="", description="Id of the sender's contact card.")
    sources: list[str] = Field(
        default=[], description=f"The message that first brought the content, with others if need be; {MESSAGES}"
    )


class CurrentFile(Part):
    """The current file."""

    attachment: FileClaim = Field(
        description="The file. Of several attachments with the same content, any may be named."
    )
    filename: str = Field(description="The file name of that attachment.")
    sent_on: DateClaim = Field(description="When the message was sent that first brought this content to the thread.")
    sender: SenderClaim = Field(description="Who sent the message that first brought this content to the thread.")


class LatestAttachment(Answer):
    """Deliver what was found. This ends the episode."""

    current: CurrentFile = Field(description="The current version of the document.")
    superseded: list[str] = Field(
        description="Ids of attachments, one for each earlier version of the same document in the thread: each content "
        "once, by any attachment that has it. A file that was withdrawn as sent by mistake, or that the document's "
        "owner turned down, may be left out.",
        max_length=40,
    )
