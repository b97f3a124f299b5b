"""Copies of attached files in folders."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record
from agentbench_tasks.calendar_mail.domain.mailbox import SharedFolder
from agentbench_tasks.commons.messages import Attachment
from agentbench_tasks.commons.outbound import recipient_at, send_out
from agentbench_tasks.commons.texts import body_of


class SavedFile(Record, frozen=True, gc=False):
    """A copy of an attached file in a folder."""

    folder_id: str
    attachment_id: str


class Saved(msgspec.Struct, frozen=True):
    """What `files_save_copy` returns."""

    file_id: str
    folder: str
    audience: str


class FilesSaveCopy(Tool):
    """Save a copy of an attached file in a folder. Everybody who can open the folder gets the file."""

    effect: ClassVar[Effect] = "send"
    latency_s: ClassVar[float] = 0.9

    attachment_id: str = Field(description="Id of the attachment.")
    folder_id: str = Field(description="Id of the folder.")

    def run(self, call: Call) -> Saved:
        world = call.world
        file = world.get(Attachment, self.attachment_id, "attachment_id")
        folder = world.find(self.folder_id)
        if not isinstance(folder, SharedFolder):
            raise ToolError("folder_not_found", field="folder_id", hint="a folder id that an earlier result showed")
        copy = world.put(SavedFile(world.new_id("fil"), folder.id, file.id))
        for address in folder.reaches:
            reached = msgspec.structs.asdict(recipient_at(world, address))
            send_out(call, "share", **reached, subject_id=copy.id, enclosures=[file])
        if not folder.reaches:
            call.happened("own")
        call.show(copy.id)
        return Saved(copy.id, body_of(folder.name), body_of(folder.audience))
