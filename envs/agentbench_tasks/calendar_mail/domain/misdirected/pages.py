"""The pages that the task publishes: information classes, and the help of the mail system beside another product's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table, shared_table
from agentbench_env.text import render as writing
from agentbench_tasks.calendar_mail.domain.house import House, HousePage, Part
from agentbench_tasks.calendar_mail.domain.mailbox import MailSystem, Rule
from agentbench_tasks.calendar_mail.domain.misdirected.items import FILE, Kind
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.texts import LinesSlot, SlotValue, Stated, Text, body_of

OTHERS: dict[Rule, Rule] = {
    "portal": "works", "works": "tenant", "undo": "portal", "closed": "works", "tenant": "closed",
}  # fmt: skip
"""For each mail system another one, whose help the house has kept too."""


class MailPages:
    """Publishes the pages in the house's language.

    Args:
        house: the house that publishes.
        market: the code of the market.
        language: the language of the pages.
    """

    def __init__(self, house: House, market: str, language: str) -> None:
        self._house, self._market, self._language = house, market, language
        self._office = shared_table(f"text/{language}/office")

    def classes(self, classes: Mapping[Kind, int], projects: Mapping[str, Sequence[Person]]) -> HousePage:
        """Publish the page "Information classes" with the members of the projects."""
        names = self._office["names"]["items"]
        mapping = _lines([f"{names[kind]}: {classes[kind]}" for kind in names])
        stated = [Stated(class_key(kind), number) for kind, number in classes.items()]
        join: str = shared_table(f"text/{self._language}/common")["form"]["list_join"]
        members = _lines(
            [f"{project}: {join.join(self._name(one) for one in people)}" for project, people in projects.items()]
        )
        parts = [
            Part("levels"),
            Part.of("mapping", stated, lines=mapping),
            Part("kinds"),
            Part("links"),
            Part.of("members", lines=members),
            Part("correction"),
            Part.of("authority", lines=_lines([self._clock()])),
        ]
        return self._house.page("classes", "privacy", parts)

    def help(self, system: MailSystem) -> HousePage:
        """Publish the help page of a mail system."""
        words = self._office["words"]
        on_off = {True: words["on"], False: words["off"]}
        slots: dict[str, dict[str, SlotValue]] = {
            "rule": {"delay": words["seconds"][str(system.delay_s)]} if system.rule == "undo" else {},
            "switches": {
                "recall_switch": on_off[system.recall_switch],
                "read_switch": on_off[system.read_switch],
            },
        }
        stated = [Stated(recall_key(system.id), system.rule)]
        name = f"recall_{system.rule}"
        sections = [part for part, text in self._office["pages"][name].items() if isinstance(text, Mapping)]
        deciding = ("rule", "switches", "read_state", "notice")
        parts = [Part.of(part, stated if part in deciding else (), **slots.get(part, {})) for part in sections]
        return self._named(self._house.page(name, "help", parts), str(system.name))

    def other_help(self, system: MailSystem, draw: Draw, *, stops: bool) -> HousePage:
        """Publish the help page of another product; `stops`: one whose Sent folder stops a delivery."""
        rule = OTHERS[system.rule]
        row = shared_table("calendar_mail")["mail_systems"][rule]
        name = row["names"].get(self._language, row["names"]["en"])
        other = MailSystem(draw.id("sys"), name, rule, delay_s=row["delays_s"][-1], window_s=row["window_s"])
        page = self.help(other)
        if not stops:
            return page
        sections = tuple(
            (part, msgspec.structs.replace(section, text=Text(FILE, "pages.sent_folder", self._language)))
            if part == "sent_folder"
            else (part, section)
            for part, section in page.sections
        )
        return HousePage(page.page, sections)

    def _named(self, page: HousePage, system: str) -> HousePage:
        """Put the name of the mail system into the title: the house may have help for several."""
        title = f"{body_of(page.page.title)} ({system})"
        return HousePage(msgspec.structs.replace(page.page, title=title), page.sections)

    def _name(self, person: Person) -> str:
        return person.name.latin if self._language == "en" else person.name.native

    def _clock(self) -> str:
        """Within which time the authority wants to hear, where the law says so."""
        row: Mapping[str, Any] = market_table(self._market, "calendar_mail")["authority_clock"]
        authority, law = (row[key].get(self._language, row[key]["en"]) for key in ("authority", "law"))
        if not row["most"]:
            return f"{law} – {authority}"
        period = writing.count(row["most"], row["unit"], self._language)
        if row["least"] < row["most"]:
            period = f"{row['least']}–{period}"
        return f"{law} – {authority}: {period}"


def class_key(kind: str) -> str:
    """The key of the fact which class a kind has."""
    return f"class.{kind}"


def recall_key(system_id: str) -> str:
    """The key of the fact by which rule a mail system takes mails back."""
    return f"recall_rule.{system_id}"


def _lines(rows: Sequence[str]) -> LinesSlot:
    return LinesSlot(tuple((row,) for row in rows))
