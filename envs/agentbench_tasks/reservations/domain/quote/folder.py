"""The papers of the household: what they say of homes, machines and things, the true ones and those that mislead."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.household import Folder, Home, HomeKind, Machine
from agentbench_tasks.reservations.domain.outlets import address_of
from agentbench_tasks.reservations.domain.quote.estate import Estate, Values, draw_machine
from agentbench_tasks.reservations.domain.quote.keys import COUNTS, MACHINES, OF_MODEL, PLATE
from agentbench_tasks.reservations.domain.quote.plot import Plot
from agentbench_tasks.reservations.domain.quote.when import Rule, When
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact

_NOTED = (date(2025, 9, 1), date(2026, 1, 20))
"""When papers that hold today were written."""
_SPRING = (date(2025, 3, 1), date(2025, 5, 31))
_BEFORE = (date(2024, 2, 1), date(2025, 2, 10))
_OF_OTHERS = {"previous": (date(2018, 3, 1), date(2021, 9, 1)), "relative": (date(2023, 3, 1), date(2026, 1, 25))}


class Papers:
    """Lays out the papers of one household."""

    def __init__(self, draw: Draw, town: TownBuilder, plot: Plot, estate: Estate, when: When) -> None:
        self._draw, self._town, self._plot, self._estate, self._when = draw, town, plot, estate, when
        self._code = town.setting.market.code
        user = town.user
        self._folder = Folder(town.ids, user.person_id, user.name.native, town.setting.language, town.variant)
        self._home = self._place("home", user.home, estate.home)
        self.papers: list[Paper] = []

    def lay(self) -> list[Paper]:
        """Return the papers in the order in which a folder has them, which tells nothing."""
        folder, estate, put = self._folder, self._estate, self.papers.append
        put(folder.dwelling(self._home, self._day(_NOTED)))
        if estate.new:
            put(folder.dwelling(self._place("new", self._address(estate.new), estate.new), self._recent()))
        self._rules(self._home, self._when.rule, self._when.older)
        for trade in MACHINES:
            if trade == self._plot.trade:
                self._machine()
            else:
                self._bystander(trade)
        if estate.things:
            self._list()
        if estate.other:
            self._elsewhere()
        put(folder.private(f"#{self._draw.int(1000, 9999)}", self._day(_NOTED)))
        return self._draw.shuffled(self.papers)

    def _machine(self) -> None:
        """The machine that the firm comes for: the list of appliances, its plate, what it was bought with."""
        folder, estate, trade = self._folder, self._estate, self._plot.trade
        machine = self._of(self._home, estate.machine, trade)
        rest = {key: value for key, value in estate.machine.items() if key not in PLATE or key == "maker"}
        self.papers.append(folder.asset(self._part(machine, rest), self._day(_NOTED)))
        self.papers.append(folder.photo_label(machine, PLATE, self._day(_NOTED)))
        shop = str(estate.machine["maker"])
        if estate.replaced:
            self._bought(self._of(self._home, {**estate.replaced, **estate.earlier}, trade), shop)
            models = str(estate.replaced["model"]), str(estate.machine["model"])
            self.papers.append(folder.replaced(*models, self._day(_BEFORE), trade))
        elif estate.earlier or "made_year" in estate.machine:
            # Otherwise the day on which it was bought would hint at the year that nobody knows.
            self._bought(self._part(machine, {**estate.machine, **estate.earlier}), shop)
        if estate.earlier:
            gone = str(estate.replaced.get("model") or estate.machine["model"])
            self.papers.append(folder.disposed(gone, self._day(_SPRING), trade))

    def _bought(self, machine: Machine, shop: str) -> None:
        """The invoice of a machine, from the year in which it was made."""
        year = next((int(fact.value) for fact in machine.facts if fact.key == "made_year"), 0)
        first = date(year, 6, 1) if year else _BEFORE[0]
        day = self._day((first, first + timedelta(200)))
        self.papers.append(self._folder.invoice(machine, (*OF_MODEL, *COUNTS), day, shop))

    def _bystander(self, trade: str) -> None:
        """A machine of the home that has nothing to do with the errand."""
        values = draw_machine(self._draw, self._code, trade)
        machine = self._of(self._home, values, trade)
        rest = {key: value for key, value in values.items() if key not in PLATE}
        self.papers.append(self._folder.asset(self._part(machine, rest), self._day(_NOTED)))
        self.papers.append(self._folder.photo_label(machine, PLATE, self._day(_NOTED)))

    def _list(self) -> None:
        """The list of what is to be moved or taken away and, where something went since, the one before."""
        folder, estate, trade = self._folder, self._estate, self._plot.trade
        older = None
        if estate.earlier:
            before = self._of(self._home, estate.earlier, trade)
            older = folder.inventory(before, self._day(_SPRING), status="superseded")
            self.papers.append(older)
        now = self._of(self._home, estate.things, trade)
        self.papers.append(folder.inventory(now, self._recent(), supersedes=older.id if older else ""))

    def _elsewhere(self) -> None:
        """Another home: its particulars, its machine and, where it is a trap, all there is of it."""
        folder, estate = self._folder, self._estate
        home = self._place(estate.other_kind, self._address(estate.other), estate.other)
        span = _OF_OTHERS[estate.other_kind]
        self.papers.append(folder.dwelling(home, self._day(span)))
        trade = self._plot.trade if estate.other_machine else MACHINES[0]
        machine = self._of(home, estate.other_machine or draw_machine(self._draw, self._code, trade), trade)
        self.papers.append(folder.asset(machine, self._day(span)))
        if "other_home" in self._plot.traps:
            self.papers.append(folder.photo_label(machine, PLATE, self._day(span)))
            self._rules(home, self._when.rule if self._when.older is None else self._when.older, None)

    def _rules(self, home: Home, rule: Rule, older: Rule | None) -> None:
        """The notice of the building and, where it replaced one last month, the one before."""
        folder, today = self._folder, self._when.today
        if older is None:
            span = _OF_OTHERS.get(home.kind, _BEFORE)
            self.papers.append(folder.building_rule(home, rule.hours, rule.notice_days, self._day(span)))
            return
        before = folder.building_rule(home, older.hours, older.notice_days, self._day(_BEFORE), status="superseded")
        changed = (today - timedelta(self._draw.int(22, 35))).isoformat()
        self.papers.append(before)
        self.papers.append(folder.building_rule(home, rule.hours, rule.notice_days, changed, supersedes=before.id))

    def _place(self, kind: HomeKind, address: str, values: Values) -> Home:
        return Home(self._town.ids.id("dwl"), kind, address, _facts(values))

    def _address(self, values: Values) -> str:
        quarter = self._draw.choice(self._town.quarters)
        language = self._town.setting.language
        return address_of(quarter, self._draw, self._code, language, int(values["floor"]))

    def _of(self, home: Home, values: Values, thing: str) -> Machine:
        return Machine(self._town.ids.id("ast"), home, _facts(values), thing)

    def _part(self, machine: Machine, values: Values) -> Machine:
        return msgspec.structs.replace(machine, facts=_facts(values))

    def _day(self, span: tuple[date, date]) -> str:
        return (span[0] + timedelta(self._draw.int(0, (span[1] - span[0]).days))).isoformat()

    def _recent(self) -> str:
        return (self._when.today - timedelta(self._draw.int(3, 12))).isoformat()


def _facts(values: Values) -> tuple[QuoteFact, ...]:
    return tuple(QuoteFact(key, value) for key, value in values.items())
