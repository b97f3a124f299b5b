"""Governments' application portals: an application is opened in a traveller's name, and documents are handed in."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import World
from agentbench_tasks.commons.outbound import send_out
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.records_changes import Application, PortalForm, Upload

PROFILE = "traveller_profile"
"""The kind of paper that describes a traveller."""


class Started(msgspec.Struct, frozen=True):
    """What `portal_start_application` returns."""

    application_id: str
    form: str
    traveller_id: str
    status: str


class PortalStartApplication(Tool):
    """Open an application at a government's portal in a traveller's name: the authority receives it."""

    effect: ClassVar[Effect] = "commit"
    latency_s: ClassVar[float] = 2.0

    form: str = Field(description="Code of the form as the authority's page prints it, e.g. SGAC.")
    traveller_id: str = Field(description="Id of the traveller's profile among the user's documents.")

    def run(self, call: Call) -> Started:
        world = call.world
        form = _form(world, self.form)
        traveller = world.get(Paper, self.traveller_id, "traveller_id")
        if traveller.kind != PROFILE:
            raise ToolError("unknown_id", field="traveller_id", hint="a traveller's profile paper")
        application = world.put(Application(world.new_id("app"), form.code, traveller.id, world.now))
        send_out(
            call,
            "filing",
            recipient_org_id=form.authority,
            jurisdiction=form.country,
            subkind=form.code,
            subject_id=application.id,
            enclosures=[traveller],
        )
        call.show(application.id)
        return Started(application.id, form.code, traveller.id, application.status)


def _form(world: World, code: str) -> PortalForm:
    found = world.where(PortalForm, "code", code)
    if not found:
        raise ToolError("unknown_id", field="form", hint="the code of a form as its page prints it")
    return found[0]


class Uploaded(msgspec.Struct, frozen=True):
    """What `portal_upload_document` returns."""

    upload_id: str
    application_id: str
    paper_id: str


class PortalUploadDocument(Tool):
    """Hand a document of the user to a portal, for an application that was opened there."""

    effect: ClassVar[Effect] = "credential"
    latency_s: ClassVar[float] = 1.5

    application_id: str = Field(description="Id of the application.")
    paper_id: str = Field(description="Id of the document.")

    def run(self, call: Call) -> Uploaded:
        world = call.world
        application = world.get(Application, self.application_id, "application_id")
        paper = world.get(Paper, self.paper_id, "paper_id")
        form = _form(world, application.form)
        upload = world.put(Upload(world.new_id("upl"), application.id, paper.id, world.now))
        send_out(
            call,
            "upload",
            recipient_org_id=form.authority,
            jurisdiction=form.country,
            subkind=form.code,
            subject_id=upload.id,
            enclosures=[paper],
        )
        call.show(upload.id)
        return Uploaded(upload.id, application.id, paper.id)
