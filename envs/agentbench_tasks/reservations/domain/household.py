"""The household folder: what the user's papers say of homes, of the machines in them and of the building's rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_env.text.template import fill
from agentbench_tasks.commons.papers import Form, Paper, Status
from agentbench_tasks.commons.texts import CountSlot, DateSlot, LinesSlot, SlotValue, Stated, Text
from agentbench_tasks.reservations.domain.quote_facts import TEXTS, QuoteFact, fact_line, span_text

HomeKind = Literal["home", "new", "previous", "relative"]
_STATUS: dict[HomeKind, Status] = {
    "home": "active",
    "new": "active",
    "previous": "previous_home",
    "relative": "other_household",
}
_MONDAY = date(2026, 1, 5)


class Home(msgspec.Struct, frozen=True):
    """A dwelling: the user's own, the one that is moved to, the one before, or somebody else's."""

    id: str
    kind: HomeKind
    address: str
    facts: tuple[QuoteFact, ...]


class Machine(msgspec.Struct, frozen=True):
    """Something in a home that firms come for."""

    id: str
    home: Home
    facts: tuple[QuoteFact, ...]
    thing: str = ""
    """Trade of the firms that come for it, which titles name; "" where it is the only one."""


class WorkHours(msgspec.Struct, frozen=True):
    """When work may be done on some weekdays (ISO numbers)."""

    weekdays: tuple[int, ...]
    spans: tuple[tuple[str, str], ...]


def dwelling_key(home_id: str, key: str) -> str:
    """Return the key of a fact of a dwelling."""
    return f"dwelling.{home_id}.{key}"


def asset_key(machine_id: str, key: str) -> str:
    """Return the key of a fact of a machine; the one that replaced it has a key of its own."""
    return f"asset.{machine_id}.{key}"


def work_hours_key(home_id: str, weekday: int) -> str:
    """Return the key of the hours in which work may be done on a weekday, "09:00-17:00", "" for none."""
    return f"building.{home_id}.hours.{weekday}"


def notice_key(home_id: str) -> str:
    """Return the key of how many days before work must be announced."""
    return f"building.{home_id}.notice_days"


@cache
def paper_title(kind: str, thing: str, language: str) -> str:
    """Return the title of a paper of a kind; `thing`: the trade for whose firms it is, "" for any."""
    table = shared_table(f"text/{language}/{TEXTS}")
    title: str = table["kinds"][kind]
    return fill(table["lines"]["titled"], {"kind": title, "thing": table["things"][thing]})[0] if thing else title


class Folder:
    """Makes the papers of a household.

    Args:
        ids: the stream of ids.
        holder_id: id of the user.
        holder: name of the user.
        language: the language of the papers.
        variant: the wording.
    """

    def __init__(self, ids: Draw, holder_id: str, holder: str, language: str, variant: int) -> None:
        self._ids, self._holder_id, self._holder = ids, holder_id, holder
        self._language, self._variant = language, variant

    def dwelling(self, home: Home, issued_on: str) -> Paper:
        """Return what is noted of a home."""
        stated = (Stated(dwelling_key(home.id, fact.key), fact.value, "lines") for fact in home.facts)
        return self._paper(
            "dwelling",
            issued_on,
            stated,
            status=_STATUS[home.kind],
            home=self._home(home),
            address=home.address,
            lines=self._lines(home.facts),
        )

    def asset(self, machine: Machine, issued_on: str, *, status: Status = "active", supersedes: str = "") -> Paper:
        """Return what is noted of a machine; `status` disposed or superseded for one that is gone."""
        return self._paper(
            "asset",
            issued_on,
            self._stated(machine, machine.facts),
            thing=machine.thing,
            status=self._of_home(machine, status),
            supersedes=supersedes,
            home=self._home(machine.home),
            lines=self._lines(machine.facts),
        )

    def photo_label(self, machine: Machine, keys: Sequence[str], issued_on: str, *, status: Status = "active") -> Paper:
        """Return the photograph of a machine's rating plate, which prints some of its facts."""
        facts = self._some(machine, keys)
        return self._paper(
            "photo_label",
            issued_on,
            self._stated(machine, facts),
            thing=machine.thing,
            form="photo",
            status=self._of_home(machine, status),
            lines=self._lines(facts),
        )

    def invoice(
        self, machine: Machine, keys: Sequence[str], issued_on: str, shop: str, *, status: Status = "active"
    ) -> Paper:
        """Return the invoice of a machine, which prints some of its facts."""
        facts = self._some(machine, keys)
        return self._paper(
            "invoice",
            issued_on,
            self._stated(machine, facts),
            thing=machine.thing,
            form="scan",
            status=self._of_home(machine, status),
            issuer=shop,
            date=DateSlot(issued_on),
            shop=shop,
            lines=self._lines(facts),
        )

    def building_rule(
        self,
        home: Home,
        hours: Sequence[WorkHours],
        notice_days: int,
        issued_on: str,
        *,
        status: Status = "active",
        supersedes: str = "",
    ) -> Paper:
        """Return the notice that says when work may be done in the building, and how long before it is announced."""
        by_day = {day: row.spans for row in hours for day in row.weekdays}
        stated = [
            Stated(work_hours_key(home.id, day), spans_value(by_day.get(day, ())), "hours") for day in range(1, 8)
        ]
        stated.append(Stated(notice_key(home.id), notice_days, "notice"))
        return self._paper(
            "building_rule",
            issued_on,
            stated,
            form="digital",
            status=status if home.kind == "home" else _STATUS[home.kind],
            issuer=shared_table(f"text/{self._language}/{TEXTS}")["subjects"]["building"],
            supersedes=supersedes,
            hours=LinesSlot(tuple(_hours_line(row, self._language) for row in hours)),
            notice=CountSlot(notice_days, "day"),
        )

    def disposed(self, model: str, day: str, thing: str = "") -> Paper:
        """Return the note that one machine of a model is gone."""
        return self._paper("note", day, (), thing=thing, wording="disposed", date=DateSlot(day), model=model)

    def replaced(self, old: str, new: str, day: str, thing: str = "") -> Paper:
        """Return the note that one model took the place of another."""
        return self._paper("note", day, (), thing=thing, wording="replaced", date=DateSlot(day), old=old, new=new)

    def inventory(self, things: Machine, day: str, *, status: Status = "active", supersedes: str = "") -> Paper:
        """Return the list of what is to be moved or taken away, as it was counted on a day."""
        return self._paper(
            "note",
            day,
            self._stated(things, things.facts),
            thing=things.thing,
            wording="inventory",
            status=status,
            supersedes=supersedes,
            date=DateSlot(day),
            lines=self._lines(things.facts),
        )

    def private(self, code: str, day: str) -> Paper:
        """Return a note that concerns nobody outside: the code of the door."""
        return self._paper("note", day, (), wording="private", classes=("credential",), code=code)

    def _paper(
        self,
        kind: str,
        issued_on: str,
        stated: Iterable[Stated],
        *,
        thing: str = "",
        wording: str = "",
        form: Form = "original",
        status: Status = "active",
        issuer: str = "",
        supersedes: str = "",
        classes: tuple[str, ...] = (),
        **slots: SlotValue,
    ) -> Paper:
        title = paper_title(kind, thing, self._language)
        return Paper(
            self._ids.id("ppr"),
            kind,
            title,
            self._holder_id,
            self._holder,
            issuer,
            issued_on,
            form=form,
            language=self._language,
            text=Text.of(TEXTS, f"papers.{wording or kind}", self._language, self._variant, **slots),
            status=status,
            supersedes=supersedes,
            data_classes=classes,
            stated=tuple(stated),
        )

    def _lines(self, facts: Iterable[QuoteFact]) -> LinesSlot:
        return LinesSlot(tuple((fact_line(fact, self._language),) for fact in facts))

    def _home(self, home: Home) -> str:
        return shared_table(f"text/{self._language}/{TEXTS}")["subjects"][home.kind]

    def _of_home(self, machine: Machine, status: Status) -> Status:
        """The status of a paper of a machine: that of its home, if that is not the user's own."""
        return status if machine.home.kind == "home" else _STATUS[machine.home.kind]

    def _some(self, machine: Machine, keys: Sequence[str]) -> tuple[QuoteFact, ...]:
        return tuple(fact for fact in machine.facts if fact.key in keys)

    def _stated(self, machine: Machine, facts: Iterable[QuoteFact]) -> Iterable[Stated]:
        return (Stated(asset_key(machine.id, fact.key), fact.value, "lines") for fact in facts)


def spans_value(spans: Iterable[tuple[str, str]]) -> str:
    """Write spans as the value of a fact."""
    return ",".join(f"{start}-{end}" for start, end in spans)


@cache
def _hours_line(row: WorkHours, language: str) -> tuple[SlotValue, ...]:
    """A line of the hours of work: the weekdays, and their spans."""
    join: str = shared_table(f"text/{language}/{TEXTS}")["lines"]["join"]
    pieces: list[SlotValue] = [_weekdays(row.weekdays, language), " "]
    for place, (start, end) in enumerate(row.spans):
        pieces += (join if place else "", span_text(start, end, language))
    return tuple(pieces)


def _weekdays(weekdays: tuple[int, ...], language: str) -> SlotValue:
    """Weekdays that follow each other, from the first to the last."""
    first, last = (writing.weekday(_MONDAY + timedelta(day - 1), language) for day in (weekdays[0], weekdays[-1]))
    return first if first == last else Text.of(TEXTS, "lines.days", language, first=first, last=last)
