"""Who is in the story: for whom the mail was, who got it, who may have it, and the members of the projects."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.calendar_mail.domain.misdirected.plot import Plot
from agentbench_tasks.calendar_mail.domain.misdirected.situation import Seat
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.contacts import Relation

PROJECTS = (
    "Lumen", "Cobalt", "Heron", "Mistral", "Quartz", "Saffron", "Willow", "Tundra",
    "Beacon", "Cedar", "Falcon", "Garnet", "Harbor", "Juniper", "Meridian", "Nimbus",
)  # fmt: skip
"""Code names, the same in every language, as firms use them."""
FOR: dict[Relation, float] = {"client": 40, "vendor": 20, "superior": 20, "peer": 20}
ABROAD = 0.25
_PLACES = ("GB-ENG", "DE-BE", "US", "AU-NSW")


class Parties:
    """Draws the people of the story into the office.

    Args:
        draw: the stream to draw from.
        setting: what the instance is drawn for.
        desk: the office.
        plot: the story.
    """

    def __init__(self, draw: Draw, setting: Setting, desk: Desk, plot: Plot) -> None:
        self._draw, self._setting, self._desk, self._plot = draw, setting, desk, plot
        self._home = setting.market.code
        self.project, *self._others = draw.sample(draw.pool(PROJECTS), 3)
        self.intended = self._intended()
        self.staff = [desk.cast.colleague() for _ in range(4)]
        """Colleagues whom the story needs besides: members of projects, people spoken of."""
        seat = plot.situation.seat
        self.wrong = [self._wrong(seat)]
        if plot.has("two_wrong"):
            # The copy goes to somebody for whom a recall turns on the same things.
            self.wrong.append(self._stranger(seat))
        self.entitled: list[Person] = [self.staff[0]] if plot.has("already_authorised") else []

    def projects(self) -> dict[str, list[Person]]:
        """Return the members of the projects; whoever is wrong here may well be a member of another one."""
        user, staff = self._desk.user, self.staff
        own = [user, *staff[:2]]
        if self.intended.contact.is_internal:
            own.insert(1, self.intended)
        inside = [person for person in self.wrong if person.contact.is_internal]
        members = {self.project: own, self._others[0]: [user, staff[2], *inside], self._others[1]: staff[1:]}
        return {name: members[name] for name in self._draw.stream("order").shuffled(list(members))}

    def _intended(self) -> Person:
        relation = self._draw.weighted(FOR)
        cast = self._desk.cast
        if relation == "superior":
            return cast.superior()
        if relation == "peer":
            return cast.colleague()
        place = self._draw.choice(_PLACES) if self._draw.chance(ABROAD) else ""
        return cast.outsider(relation, place=place)

    def _wrong(self, seat: Seat) -> Person:
        """Who is taken for the intended person: a namesake where that can be, as address fields fill themselves in."""
        intended, cast = self.intended, self._desk.cast
        place = intended.contact.country
        fitting = bool(intended.name.family) and (seat != "inside" or place == self._home)
        if self._plot.slip not in ("alike", "with_copy") or not fitting or (seat == "near" and place != self._home):
            return self._stranger(seat)
        if seat == "inside":
            return cast.colleague(department=self._other_department(), like=intended)
        firm = cast.organisation("clients", place, same_system=seat == "near")
        return cast.outsider("client", organisation=firm, like=intended)

    def _stranger(self, seat: Seat) -> Person:
        draw, cast = self._draw, self._desk.cast
        if seat == "inside":
            return cast.colleague(draw.choice(("peer", "peer", "subordinate")), department=self._other_department())
        relation: Relation = draw.choice(("client", "vendor"))
        place = self._home if seat == "near" or draw.chance(1 - ABROAD) else draw.choice(_PLACES)
        kind = "vendors" if relation == "vendor" else "clients"
        firm = cast.organisation(kind, place, same_system=seat == "near")
        return cast.outsider(relation, organisation=firm)

    def _other_department(self) -> str:
        departments = self._desk.cast.departments
        own = self._desk.user.contact.department
        return self._draw.choice([one for one in departments if one != own])
