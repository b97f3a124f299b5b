"""The proof of an instance: amounts, papers and last day worked out again from the records alone."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from agentbench_env.market import Market
from agentbench_env.market.calendars import Calendar
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.pages import Page, sections_of
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.records import Booking, EventLog, Service
from agentbench_tasks.travel.domain.refund_claim.goal import Goal


class Proof:
    """Reads what an assistant can read and derives the outcome by code of its own."""

    def __init__(self, world: World, goal: Goal, market: Market, children: int) -> None:
        self._world, self._goal, self._market, self._children = world, goal, market, children
        self._booking = world.get(Booking, goal.booking)
        self._facts = self._governing()
        self._services = [world.get(Service, item.object_id) for item in self._booking.items]
        self._state = {item.object_id: item.status for item in self._booking.items}

    def check(self) -> None:
        """Raise NoFit unless the goal is what the records come to."""
        if self._heads() != self._goal.heads:
            raise NoFit
        if self._last_day() != self._goal.deadline:
            raise NoFit
        if sorted({need.requirement for need in self._goal.evidence}) != sorted(self._facts_of("asks").split(",")):
            raise NoFit
        if not any(not need.papers for need in self._goal.evidence):
            raise NoFit

    def _governing(self) -> dict[str, object]:
        """The facts of the version that governs, by the dates that the versions print."""
        org = next(id for id in sorted(self._goal.addressees) if self._world.where(Page, "publisher", id))
        pages = [page for page in self._world.where(Page, "publisher", org) if sections_of(self._world, page.id)]
        self._org = org
        basis = pages[0].facts(self._world)[f"{org}.basis"]
        zone = self._market.zone
        if basis == "policy":
            day = self._world.get(Paper, self._goal.policy).issued_on
        elif basis == "booked":
            day = to_local(self._booking.booked_at, zone)[:10]
        else:
            day = min(self._world.get(Service, id).dep_local[:10] for id in self._goal.events)
        valid = [p for p in pages if p.effective_from <= day and (not p.effective_to or day <= p.effective_to)]
        if len(valid) != 1 or valid[0].id in self._goal.barred:
            raise NoFit
        return valid[0].facts(self._world)

    def _facts_of(self, name: str, default: str = "") -> str:
        return str(self._facts.get(f"{self._org}.{name}", default))

    def _number(self, name: str) -> int:
        return int(self._facts_of(name, "0"))

    def _log(self, service: Service) -> EventLog:
        return self._world.where(EventLog, "service_id", service.id)[0]

    # --- amounts

    def _heads(self) -> dict[str, int]:
        event = [s for s in self._services if self._state[s.id] in ("cancelled", "missed") or s.id in self._goal.events]
        used = [s for s in self._services if self._state[s.id] == "replacement"] or [
            s for s in event if self._state[s.id] == "used"
        ]
        first = min(event, key=lambda service: service.departs)
        cause = self._log(first).cause_code
        late = 0
        if used:
            due, last = max(event, key=lambda s: s.arrives), used[-1]
            if self._facts_of("measured", "arrival") == "arrival":
                late = self._log(last).arrived - due.arrives
            else:
                begun = first if self._state[first.id] == "used" else last
                late = self._log(begun).departed - first.departs
        barred = cause in self._facts_of("excluded").split(",")
        found = {
            "compensation": 0 if barred or not used else self._for_delay(late // 60, first),
            "expenses": self._spent(),
            "unused_refund": 0 if used or self._facts_of("refund") != "full" else self._leg("fare", "fuel", "airport"),
        }
        if barred and self._facts_of("spares") == "no":
            found["expenses"] = 0
        return {kind: minor for kind, minor in found.items() if minor}

    def _leg(self, *kinds: str) -> int:
        event_first = next(i for i, s in enumerate(self._services) if s.id in self._goal.events)
        leg = 2 if event_first and self._state[self._services[0].id] == "used" and event_first == 1 else 1
        paid = dict(self._booking.stated)
        return sum(int(paid[f"{self._booking.id}.{kind}.{leg}"]) for kind in kinds)

    def _for_delay(self, minutes: int, first: Service) -> int:
        persons = self._booking.items[0].party
        if size := self._number("block"):
            full, children = minutes // size, self._children
            adult = min(full * self._number("block.adult"), self._number("block.cap_adult"))
            child = min(full * self._number("block.child"), self._number("block.cap_child"))
            return adult * (persons - children) + child * children
        best = (-1, 0, 0)
        km = self._number(f"km.{'-'.join(sorted((first.origin, first.dest)))}")
        for key, value in self._facts.items():
            parts = key.removeprefix(f"{self._org}.").split(".")
            if parts[0] == "tier":
                start, limit = int(parts[1]), int(parts[2]) or 10**6
                if minutes > start and km <= limit:
                    best = max(best, (start, -limit, int(str(value))))
        if km:
            return best[2] * persons
        return int((Decimal(self._leg("fare") * best[2]) / 100).quantize(Decimal(1), ROUND_HALF_UP))

    def _spent(self) -> int:
        if not any(key.startswith(f"{self._org}.ceiling") for key in self._facts):
            return 0
        first = min(self._world.get(Service, id).dep_local[:10] for id in self._goal.events)
        papers = self._world.all(Paper)
        party = {paper.holder_id for paper in papers if paper.kind == "traveller_profile"}
        total = 0
        for paper in papers:
            amount = int(str(paper.facts(self._world).get(f"{paper.id}.amount", 0)))
            if paper.kind == "payment_notice" and self._facts_of("deducts") == "yes":
                total -= amount
            named = paper.holder and paper.holder_id in party
            if paper.kind == "receipt" and named and paper.form == "original" and paper.issued_on >= first:
                total += min(amount, self._ceiling(paper))
        return max(0, total)

    def _ceiling(self, paper: Paper) -> int:
        names = {self._issuer(kind): kind for kind in ("meal", "hotel", "transport")}
        return self._number(f"ceiling.{names[paper.issuer]}")

    def _issuer(self, kind: str) -> str:
        return self._world.settings["shops"][kind]

    # --- the last day

    def _last_day(self) -> str:
        anchor, zone = self._facts_of("anchor"), self._market.zone
        first = min((s for s in self._services if s.id in self._goal.events), key=lambda s: s.departs)
        arrivals = [(self._log(s).arrived, s) for s in self._services if self._state[s.id] in ("used", "replacement")]
        if anchor == "scheduled":
            start = first.dep_local[:10]
        elif anchor == "notice":
            mails = self._world.all(Message)
            notice = next(m for m in mails if any(fact.key.startswith(f"{first.id}.") for fact in m.stated))
            start = to_local(notice.sent_at, zone)[:10]
        elif anchor == "return":
            start = to_local(max(arrivals, key=lambda row: row[0])[0], zone)[:10]
        else:
            due = max((s for s in self._services if s.id in self._goal.events), key=lambda s: s.arrives)
            start = to_local(next(at for at, s in reversed(arrivals) if s.dest == due.dest), zone)[:10]
        days, unit = self._facts_of("deadline").split()
        begin = date.fromisoformat(start)
        if unit == "working":
            return Calendar(self._market, "private").add_open(begin, int(days)).isoformat()
        return (begin + timedelta(int(days))).isoformat()
