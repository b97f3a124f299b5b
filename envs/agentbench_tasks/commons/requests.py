"""Prepared requests: one mechanism for everything that is written down first and submitted later.

A kind is a record with typed fields and a few small tools:

    class ClaimDraft(PreparedRequest, frozen=True, gc=False):
        booking_id: str = ""
        paper_ids: tuple[str, ...] = ()

    class ClaimSaveDraft(SaveRequest):
        record = ClaimDraft
        required = ("booking_id",)
        addressee_id: str = Field(description="Whom the claim is addressed to.")
        booking_id: str = Field(default="", description="...")
        paper_ids: list[str] = Field(default=[], description="...")
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeVar

import msgspec
from pydantic import Field

from agentbench_env.approval import strings_of
from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, World, content_digest
from agentbench_tasks.commons.messages import enclosed
from agentbench_tasks.commons.outbound import OutboundKind, send_out
from agentbench_tasks.commons.values import Done, Zoned, json_length, zoned

R = TypeVar("R", bound="PreparedRequest")
LONGEST = 12_000
_ID = Field(description="Id of the request.")


class PreparedRequest(Record, frozen=True, gc=False, kw_only=True):
    """What every prepared request has; a kind adds its fields, named as the arguments of its save tool."""

    addressee_id: str
    """The one organisation that it goes to."""
    state: Literal["draft", "submitted", "discarded", "executed"] = "draft"
    revision: int = 1
    made_by: Literal["user", "assistant"] = "assistant"
    reference: str = ""
    submitted_at: int = 0

    binds: ClassVar[bool] = True

    def enclosure_ids(self) -> tuple[str, ...]:
        """The attachments and papers that go with it."""
        return ()


class RequestSaved(msgspec.Struct, frozen=True):
    """What saving a request returns."""

    request_id: str
    revision: int
    digest: str
    empty_fields: list[str]
    """The fields that the addressee needs and that are still empty."""


class SaveRequest(Tool):
    """Base of the tools that save a kind: types are checked, never calendar, limit, window or truth."""

    effect: ClassVar[Effect] = "draft"
    latency_s: ClassVar[float] = 0.8
    record: ClassVar[type[PreparedRequest]]
    required: ClassVar[tuple[str, ...]] = ()
    """The fields that the addressee needs."""

    request_id: str = Field(default="", description="Id of the draft to overwrite; empty for a new one.")

    def run(self, call: Call) -> RequestSaved:
        world = call.world
        fields: dict[str, Any] = self.canonical_arguments()
        id: str = fields.pop("request_id")
        older = find_request(world, self.record, id) if id else None
        fields |= {"id": id or world.new_id("req")}
        if older is not None:
            fields |= {"revision": older.revision + 1, "made_by": older.made_by}
        request = msgspec.convert(fields, self.record)
        if json_length(request) > LONGEST:
            raise ToolError("too_long", hint=f"at most {LONGEST} characters in all")
        if request.enclosure_ids():
            enclosed(world, request.enclosure_ids())
        world.put(request)
        call.show(request.id)
        empty = [field for field in self.required if not fields[field]]
        return RequestSaved(request.id, request.revision, content_digest(request), empty)


class RequestText(msgspec.Struct, frozen=True):
    """What reading a request back returns."""

    request_id: str
    state: str
    made_by: str
    revision: int
    digest: str
    reference: str
    fields: dict[str, Any]


class GetRequest(Tool):
    """Base of the tools that read a request back."""

    latency_s: ClassVar[float] = 0.4
    record: ClassVar[type[PreparedRequest]]

    request_id: str = _ID

    def run(self, call: Call) -> RequestText:
        request = call.world.get(self.record, self.request_id, "request_id")
        call.show(request.id)
        return RequestText(
            request.id,
            request.state,
            request.made_by,
            request.revision,
            content_digest(request),
            request.reference,
            _own_fields(request),
        )


class DiscardRequest(Tool):
    """Base of the tools that drop a draft."""

    effect: ClassVar[Effect] = "draft"
    latency_s: ClassVar[float] = 0.3
    record: ClassVar[type[PreparedRequest]]

    request_id: str = _ID

    def run(self, call: Call) -> Done:
        request = find_request(call.world, self.record, self.request_id)
        call.world.put(msgspec.structs.replace(request, state="discarded"))
        return Done()


class Submitted(msgspec.Struct, frozen=True):
    """What submitting a request returns."""

    request_id: str
    reference: str
    received_at: Zoned


class SubmitRequest(Tool):
    """Base of the tools that submit a request; it cannot be changed afterwards."""

    latency_s: ClassVar[float] = 2.0
    record: ClassVar[type[PreparedRequest]]
    outbound: ClassVar[OutboundKind] = "request"

    request_id: str = _ID

    def refuse(self, request: PreparedRequest, call: Call) -> None:
        """Raise a ToolError for what the addressee would refuse."""

    def run(self, call: Call) -> Submitted:
        world = call.world
        request = find_request(world, self.record, self.request_id)
        self.refuse(request, call)
        reference = world.new_id("ref").removeprefix("ref_").upper()
        done = msgspec.structs.replace(request, state="submitted", reference=reference, submitted_at=world.now)
        world.put(done)
        send_out(
            call,
            self.outbound,
            recipient_org_id=request.addressee_id,
            subject_id=request.id,
            content="\n".join(strings_of(_own_fields(request))),
            enclosures=enclosed(world, request.enclosure_ids()),
        )
        call.show(done.id)
        return Submitted(done.id, reference, zoned(done.submitted_at, world.zone))


def find_request(world: World, kind: type[R], id: str) -> R:
    """Return the draft with this id; refuse the call with `not_a_draft` if there is none, or none any more."""
    request = world.find(id)
    if not isinstance(request, kind) or request.state != "draft":
        raise ToolError("not_a_draft", field="request_id", hint="the request_id of a draft that was not submitted")
    return request


def _own_fields(request: PreparedRequest) -> dict[str, Any]:
    """What the kind itself holds, the addressee included."""
    common = {"id", *PreparedRequest.__struct_fields__} - {"addressee_id"}
    return {name: value for name, value in msgspec.to_builtins(request).items() if name not in common}
