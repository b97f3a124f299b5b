"""Who works where: draws the user, colleagues, organisations and people outside, each with a card."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from agentbench_env.draw import Draw
from agentbench_env.market import load_market, market_codes
from agentbench_env.task import Setting
from agentbench_env.text.names import PersonName
from agentbench_tasks.calendar_mail.domain.abroad import FirmKind, place_of
from agentbench_tasks.calendar_mail.domain.mailbox import MailSystem
from agentbench_tasks.calendar_mail.domain.market import (
    Names,
    OfficeHours,
    Title,
    office_hours,
    office_market,
    official_hours,
)
from agentbench_tasks.calendar_mail.domain.organisations import (
    SAME_SYSTEM,
    Organisation,
    draw_organisation,
    draw_system,
    has_firms,
)
from agentbench_tasks.calendar_mail.domain.people import Person, address_forms, registers_due
from agentbench_tasks.commons.contacts import Contact, Relation, Week
from agentbench_tasks.commons.naming import Namer, mailbox_name

Line = Literal["colleague", "superior"]


class Cast:
    """Draws people into `people`; no two share a family name or a given name unless that is asked for.

    Args:
        draw: the stream to draw from.
        setting: market, split and language of the instance.
    """

    def __init__(self, draw: Draw, setting: Setting) -> None:
        self._draw, self._setting = draw, setting
        self._market = office_market(setting.market.code)
        self._namer = Namer(draw, setting.split)
        self.people: list[Person] = []
        self._addresses: set[str] = set()
        self._domains: set[str] = set()
        self._rung = 0
        """How high up the ladder of titles the user stands."""
        self.organisations: list[Organisation] = []
        self.system: MailSystem = draw_system(draw, self._market.recall, setting.language)
        self.company = self.organisation("employers", setting.market.code)
        departments = draw.sample(sorted(self._market.departments), draw.int(3, 5))
        self.departments = [self._in_house(self._market.departments[key]) for key in departments]
        self.user = self._insider("self", "colleague", self.departments[0], (setting.language,))

    # --- organisations

    def organisation(self, kind: FirmKind, place: str, *, same_system: bool | None = None) -> Organisation:
        """Draw an organisation of a place (a market's code or a region's) that was not drawn before.

        `same_system`: whether it is on the mail service of the user's company, if that is to be fixed.
        """
        if same_system is None:
            near = place == self._setting.market.code and self._draw.chance(SAME_SYSTEM)
            same_system = kind == "employers" or near
        system = str(self.system.name) if same_system else ""
        drawn = draw_organisation(self._draw, place, kind, self._setting.language, system, self._domains)
        self.organisations.append(drawn)
        self._domains.add(drawn.domain)
        return drawn

    def has_firms(self, place: str) -> bool:
        """Whether a place has a firm left that was not drawn before."""
        return has_firms(self._draw, place, self._domains)

    # --- people inside

    def colleague(
        self,
        relation: Relation = "peer",
        *,
        line: Line = "colleague",
        department: str = "",
        languages: Sequence[str] = (),
        approves: Sequence[str] = (),
        like: Person | None = None,
        place: str = "",
    ) -> Person:
        """Draw a colleague; a superior by `line`. `like`: somebody they are easily taken for.

        `place`: where they work, if not where the user does; the code of a region abroad.
        """
        chosen = department or self._draw.choice(self.departments)
        return self._insider(relation, line, chosen, languages, approves, like, place)

    def superior(self) -> Person:
        """Draw somebody above the user."""
        return self._insider("superior", "superior", self.departments[0], ())

    def _insider(
        self,
        relation: Relation,
        line: Line,
        department: str,
        languages: Sequence[str],
        approves: Sequence[str] = (),
        like: Person | None = None,
        place: str = "",
    ) -> Person:
        zone = place_of(place).zone if place else self._setting.market.zone
        place = place or self._setting.market.code
        languages = languages or self._languages(place)
        name = self._name(place, languages, like)
        ladder = self._market.titles.rows
        highest = self._rung if relation == "subordinate" and not approves else len(ladder)
        rungs = [
            one
            for rung, one in enumerate(ladder)
            if one.line == line and rung <= highest and (not approves or one.approves in approves)
        ]
        title = self._draw.choice(rungs)
        if relation == "self":
            self._rung = ladder.index(title)
        return self._add(name, relation, place, zone, languages, title, department, self.company, office_hours(place))

    def posted(self, place: str, languages: Sequence[str] = ()) -> Person:
        """Draw a colleague from home who works at an office abroad, in its zone and hours."""
        home = self._setting.market.code
        languages = languages or self._languages(home)
        title = self._draw.choice([one for one in self._market.titles.rows if one.line == "colleague"])
        zone, hours = place_of(place).zone, office_hours(place)
        department = self._draw.choice(self.departments)
        name = self._name(home, languages, None)
        return self._add(name, "peer", place, zone, languages, title, department, self.company, hours)

    # --- people outside

    def outsider(
        self,
        relation: Relation = "client",
        *,
        place: str = "",
        organisation: Organisation | None = None,
        languages: Sequence[str] = (),
        meeting_hours: Week = (),
        like: Person | None = None,
        note: str = "",
    ) -> Person:
        """Draw somebody of another organisation.

        Args:
            relation: what they are to the user.
            place: the code of the market or region abroad where they are; the user's own market if "".
            organisation: whose they are; a new one if None.
            languages: the languages they write in, their own first; those of the place if empty.
            meeting_hours: when they can meet, if not in the usual hours of the place.
            like: somebody they are easily taken for.
            note: a remark on their card.
        """
        place = organisation.place if organisation else place or self._setting.market.code
        firm = organisation or self.organisation(_KIND_OF.get(relation, "clients"), place)
        at_home = place in market_codes()
        zone = load_market(place).zone if at_home else place_of(place).zone
        hours = official_hours(place) if at_home and relation == "official" else office_hours(place)
        # Firms abroad have the titles that the user's market gives in English.
        title = self._draw.choice(office_market(place if at_home else self._setting.market.code).titles.rows[1:])
        languages = languages or self._languages(place)
        name = self._name(place, languages, like)
        return self._add(name, relation, place, zone, languages, title, "", firm, hours, meeting_hours, note)

    # --- cards

    def _add(
        self,
        name: PersonName,
        relation: Relation,
        place: str,
        zone: str,
        languages: Sequence[str],
        title: Title,
        department: str,
        firm: Organisation,
        hours: OfficeHours,
        meeting: Week = (),
        note: str = "",
    ) -> Person:
        language, written = languages[0], tuple(languages)
        called = title.name(language, name.gender)
        native = name.native if language != "en" else name.latin
        address = self._address(name, firm.domain)
        card = Contact(
            self._draw.id("ctc"),
            native,
            name.native,
            name.latin,
            firm.name,
            department,
            called,
            (address,),
            written,
            relation,
            registers_due(relation, written),
            address_forms(name, relation, called, written),
            zone,
            place,
            hours.working,
            meeting or hours.meeting,
            firm.id == self.company.id,
            firm.mail_system,
            note=note,
            reading=name.reading,
            org_id=firm.id,
        )
        person = Person.of(card, name, language)
        self.people.append(person)
        return person

    def _address(self, name: PersonName, domain: str) -> str:
        local = mailbox_name(name)
        address = f"{local}@{domain}"
        if address in self._addresses:
            address = f"{local}2@{domain}"
        self._addresses.add(address)
        return address

    def _languages(self, place: str) -> tuple[str, ...]:
        if place not in market_codes():
            return ("en",)
        return self._draw.weighted(_languages_of(place))

    def _name(self, place: str, languages: Sequence[str], like: Person | None) -> PersonName:
        if like is not None:
            return self._namer.alike(place, like.name)
        return self._namer.fresh(place, national=languages[0] != "en")

    def _in_house(self, names: Names) -> str:
        return names.get(self._setting.language, names["en"])


@cache
def _languages_of(place: str) -> dict[tuple[str, ...], float]:
    """Return how many people of a market write in which languages."""
    return {row.write: row.weight for row in office_market(place).contacts.languages}


_KIND_OF: dict[Relation, FirmKind] = {"vendor": "vendors", "official": "officials", "friend": "partners"}
