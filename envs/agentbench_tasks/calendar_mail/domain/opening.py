"""How an episode of mail and calendar opens: the world at its beginning, and the brief with the user's own card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Brief
from agentbench_env.text.fold import fold
from agentbench_env.world import Record, Start, World
from agentbench_tasks.calendar_mail.domain.office import Office
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.briefs import Wording
from agentbench_tasks.commons.contacts import hours_of
from agentbench_tasks.commons.outbound import Recipient


def open_world(draw: Draw, office: Office, records: Iterable[Record], **more: Any) -> World:
    """Return the world of an office with a task's own records; `more`: further settings of the task's own.

    `draw` names the world: ids made in an episode derive from it.
    """
    setting, user = office.setting, office.user
    settings = {
        "mailbox": user.header,
        "mailbox_id": office.mailbox.id,
        "calendar_id": office.calendar.id,
        "address_book": {fold(person.address): _recipient(person) for person in office.people},
        **more,
    }
    name = "|".join(map(str, draw.key))
    start = Start((*office.records, *records))
    return World(start, office.now, user.contact.zone, setting.language, name, settings)


def _recipient(person: Person) -> Recipient:
    card = person.contact
    return Recipient(card.id, card.org_id, card.relation, card.is_internal, card.country[:2])


def brief_of(words: Wording, office: Office, language: str, *, current_zone: str = "") -> Brief:
    """Return the brief in a language: the request, the boundary, and the user's own card.

    `current_zone`: where the user is now, if not at home.
    """
    user = office.user
    card = user.contact
    profile = {
        "contact_id": card.id,
        "name": card.display_name,
        "gender": user.name.gender,
        "organisation": card.organisation,
        "department": card.department,
        "title": card.title,
        "address": card.address,
        "mailbox_id": office.mailbox.id,
        "calendar_id": office.calendar.id,
        "team_calendar_id": office.team_calendar.id,
        "home_zone": card.zone,
        "current_zone": current_zone or card.zone,
        "working_week": msgspec.to_builtins(hours_of(card.working_week)),
        "meeting_hours": msgspec.to_builtins(hours_of(card.meeting_hours)),
    }
    return Brief(words.request(), words.boundary(), language, office.place(language), profile, (card.id,))
