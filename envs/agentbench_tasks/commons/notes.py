"""Private notes, reports and checklists with typed lines; nobody else sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, content_digest
from agentbench_tasks.commons.values import Prose, read_date

LONGEST_BODY = 4_000


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line of a note."""

    key: str
    value: str
    status: str
    record_id: str
    sources: tuple[str, ...]


class Note(Record, frozen=True, gc=False):
    """The last version of a note; earlier ones stand in the journal."""

    kind: str
    title: str
    subject_id: str
    as_of: str
    language: str
    body: str
    lines: tuple[Line, ...]
    version: int

    binds: ClassVar[bool] = True


class NoteLine(Part):
    """A line as it is saved; an empty text means that there is none."""

    key: str = Field(default="", description="What the line is about.")
    value: str = Field(default="", description="What it says.")
    status: str = Field(default="", description="How the matter stands.")
    record_id: str = Field(default="", description="Id of the record that the line is about.")
    sources: list[str] = Field(default=[], description="Ids of records read in earlier results that state it.")


class Saved(msgspec.Struct, frozen=True):
    """What `notes_save` returns."""

    note_id: str
    version: int
    digest: str


class NotesSave(Tool):
    """Save a private note with typed lines. With a note_id it replaces the whole content of that note."""

    name: ClassVar[str] = "notes_save"
    effect: ClassVar[Effect] = "draft"
    keys: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The keys that the lines of a kind may have; a kind that is not named takes any. A task's own tool sets it."""

    kind: str = Field(description="Kind of note, e.g. report, checklist, statement.")
    title: str = Field(description="Title.")
    subject_id: str = Field(default="", description="Id of what the note is about.")
    as_of: str = Field(default="", description="The day whose state it describes, YYYY-MM-DD.")
    language: Literal["ko", "ja", "zh-Hant", "th", "ar", "en"] = Field(
        description="Language of the note: ko Korean, ja Japanese, zh-Hant Traditional Chinese, th Thai, ar Arabic, "
        "en English."
    )
    body: Prose = Field(default="", description="Text, at most 4,000 characters.")
    lines: list[NoteLine] = Field(default=[], description="Lines.")
    note_id: str = Field(default="", description="Id of the note to replace; empty for a new one.")

    def run(self, call: Call) -> Saved:
        world = call.world
        if len(self.body) > LONGEST_BODY:
            raise ToolError("too_long", field="body", hint=f"at most {LONGEST_BODY} characters")
        if self.as_of:
            read_date(self.as_of, "as_of")
        known = self.keys.get(self.kind)
        for number, line in enumerate(self.lines):
            if known is not None and line.key not in known:
                raise ToolError("unknown_key", field=f"lines.{number}.key", hint=f"one of: {', '.join(known)}")
        version = world.get(Note, self.note_id, "note_id").version + 1 if self.note_id else 1
        note = Note(
            self.note_id or world.new_id("nte"),
            self.kind,
            self.title,
            self.subject_id,
            self.as_of,
            self.language,
            self.body,
            tuple(Line(line.key, line.value, line.status, line.record_id, tuple(line.sources)) for line in self.lines),
            version,
        )
        world.put(note)
        call.show(note.id)
        return Saved(note.id, version, content_digest(note))
