"""The form of documents: titles, labels and facts in the user's language, one paper at a time."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text import render as writing
from agentbench_env.text.names import PersonName
from agentbench_env.zones import to_local
from agentbench_tasks.commons.papers import Form, Paper
from agentbench_tasks.commons.texts import Stated, Text
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.refund_claim.plot import Plot


class Person(msgspec.Struct, frozen=True, gc=False):
    """Somebody with papers: as documents print them, and their profile paper ("" for a stranger)."""

    id: str
    name: PersonName
    profile_id: str
    birth_date: str


class Need(msgspec.Struct, frozen=True, gc=False):
    """One line of the list of asked-for papers: any of `papers` will do, none means that it is missing."""

    requirement: str
    person: str
    papers: tuple[str, ...]


class Writer:
    """Writes papers and keeps the lists about them.

    `needs` is the true list of what is asked for, `foreign` what belongs to other people or trips, `near` what looks
    like a missing paper (requirement, person, paper).
    """

    def __init__(self, draw: Draw, ids: Draw, setting: Setting, plot: Plot) -> None:
        self._draw, self._ids, self._setting, self._plot = draw, ids, setting, plot
        table = shared_table(f"text/{setting.language}/refund_claim")
        self._labels: dict[str, str] = table["labels"]
        self._titles: dict[str, str] = table["titles"]
        self._shops: dict[str, str] = table["shops"]
        self._receipt_date: str = table["form"]["receipt_date"]
        self._carrier = name_in(plot.carrier.names, setting.language)
        self.papers: list[Paper] = []
        self.needs: list[Need] = []
        self.foreign: set[str] = set()
        self.near: list[tuple[str, str, str]] = []

    def _add(
        self,
        kind: str,
        title: str,
        holder: Person,
        issuer: str,
        issued_on: str,
        fields: list[tuple[str, str]],
        *,
        form: Form = "digital",
        text: Text | None = None,
        valid_from: str = "",
        valid_to: str = "",
        signed: bool = False,
        private: tuple[str, ...] = ("identity",),
        stated: tuple[Stated, ...] = (),
        foreign: bool = False,
        id: str = "",
    ) -> str:
        paper = Paper(
            id or self._ids.id("ppr"),
            kind,
            self._titles[title],
            holder.id,
            holder.name.native,
            issuer,
            issued_on,
            valid_from,
            valid_to,
            form,
            self._setting.language,
            tuple((self._labels.get(name, name), value) for name, value in fields),
            text or "",
            signed,
            data_classes=private,
            stated=stated,
        )
        self.papers.append(paper)
        if foreign:
            self.foreign.add(paper.id)
        return paper.id

    def _need(self, requirement: str, paper_ids: tuple[str, ...], person: str = "") -> None:
        if requirement in self._plot.versions.governing.asks:
            self.needs.append(Need(requirement, person, paper_ids))

    def _day(self, iso: str) -> str:
        return writing.date(iso, self._setting.language)

    def _money(self, money: Money) -> str:
        return writing.money(money.minor, money.currency, self._setting.language)

    def _day_of(self, instant: int) -> str:
        """Return the date of an instant in the market's zone."""
        return to_local(instant, self._setting.market.zone)[:10]
