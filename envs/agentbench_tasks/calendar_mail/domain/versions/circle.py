"""Who writes in a thread."""

from __future__ import annotations

from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.calendar_mail.domain.cast import Cast
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.working_times import late_evening

_PLACES = ("US", "US", "GB-ENG")

ABROAD = 0.35
"""How often one of the circle works abroad where no trap asks for it."""


class Circle(msgspec.Struct, frozen=True):
    """The people of a thread."""

    user: Person
    owner: Person
    editors: tuple[Person, ...]
    """Those who propose changes and write besides; the first is of the other side than the owner."""
    abroad: Person | None

    @property
    def everybody(self) -> tuple[Person, ...]:
        """All who read the thread, the user first."""
        return (self.user, self.owner, *self.editors)


def draw_circle(draw: Draw, cast: Cast, language: str, *, edge: bool, owner_abroad: bool) -> Circle:
    """Draw the circle; with `edge` somebody of it works so far away that their evening is the user's next day."""
    languages = (language,)
    abroad = None
    if edge or draw.chance(ABROAD):
        abroad = cast.posted(draw.choice(_PLACES), languages)
        if edge and not late_evening(abroad, date(2026, 6, 3), cast.user.contact.zone, "17:30"):
            abroad = cast.posted("US", languages)
    other = cast.outsider(draw.choice(("client", "vendor")), languages=languages)
    firm = next(firm for firm in cast.organisations if firm.id == other.contact.org_id)
    second = cast.outsider(other.contact.relation, organisation=firm, languages=languages)
    insiders = [cast.colleague(languages=languages) for _ in range(2)]
    if abroad is not None:
        insiders[-1] = abroad
    owner = abroad if owner_abroad and abroad else draw.choice((insiders[0], other))
    rest = [person for person in (other, second, *insiders) if person is not owner]
    if owner is other:
        rest = [insiders[0], second, insiders[1]]
    return Circle(cast.user, owner, tuple(rest), abroad)
