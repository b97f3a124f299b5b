"""The people between whom the promises are made."""

from __future__ import annotations

from agentbench_tasks.calendar_mail.domain.commitments.plot import (
    CLIENT,
    CLIENT_TWO,
    COLLEAGUE,
    FOREIGN,
    SECOND,
    US,
    USER,
    VENDOR,
)
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person


def cast_people(desk: Desk) -> dict[str, Person]:
    """Draw who plays the roles of the story."""
    cast, own = desk.cast, (desk.setting.language,)
    client = cast.outsider("client")
    firm = next(firm for firm in cast.organisations if firm.id == client.contact.org_id)
    return {
        USER: desk.user,
        COLLEAGUE: cast.colleague(languages=own),
        SECOND: cast.colleague(languages=own),
        CLIENT: client,
        CLIENT_TWO: cast.outsider("client", organisation=firm),
        VENDOR: cast.outsider("vendor"),
        FOREIGN: cast.outsider("vendor", place=US),
    }
