"""From the story to a town: the house and its sister, who booked there, what the user was sent, and the proof."""

from __future__ import annotations

from datetime import date
from itertools import count

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.commons.service_time import add_days, service_instant
from agentbench_tasks.reservations.domain.booking_records import Deposit, MadeVia, Reservation
from agentbench_tasks.reservations.domain.build_town import Town, TownBuilder
from agentbench_tasks.reservations.domain.cancellation.letterbox import Letterbox
from agentbench_tasks.reservations.domain.cancellation.market import Limit, habits_of
from agentbench_tasks.reservations.domain.cancellation.moments import (
    LAST,
    draw_clock,
    draw_keeping,
    draw_when,
)
from agentbench_tasks.reservations.domain.cancellation.plot import IN_WRITING, ONLINE, Plot, draw_plot
from agentbench_tasks.reservations.domain.cancellation.proof import Goal, Said, prove
from agentbench_tasks.reservations.domain.cancellation.rules import (
    block_for,
    draw_blocks,
    keep,
    replace_older,
)
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.namesakes import Seat, namesakes, reference
from agentbench_tasks.reservations.domain.person import User
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.terms import Occasion, Terms, cancel_charge, deposit_total, free_until
from agentbench_tasks.reservations.domain.usual import site_name
from agentbench_tasks.reservations.domain.venue import Opening

TURN_MINUTES = 120
DAY = 24 * 3600
WITHIN = (0, 900)
"""Metres from the landmark at which the house lies."""
LATER_DAYS = (2, 12)
"""After how many days the user has a table at the sister, where it is not the same evening."""
WITH_OLDER_TERMS: tuple[Difficulty, ...] = ("standard", "hard")
"""Where the terms in force have taken the place of others."""
EARLIER = 0.7
"""How often the first guest of the user's name comes before the user."""
_OFFSETS = (-90, -60, 60, 90)


class Kept(msgspec.Struct, frozen=True):
    """A limit, and the opening days on which it may be counted."""

    limit: Limit
    opening: Opening

    def until(self, start: int, zone: str) -> int:
        """The last instant at which a table for this start is called off for nothing."""
        return self.limit.until.instant(start, zone, self.opening.is_open)


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plot: Plot
    town: Town
    place: Place
    """The house that the user speaks of."""
    day: str
    kept: dict[str, Kept]
    """By the id of the house, what decides until when its table is called off for nothing."""
    own: Reservation | None
    """The table that is meant, None where nothing ties one to the user."""
    thread_id: str
    """The conversation in which it was booked, "" where it was not booked in writing."""
    sister: Reservation
    """Another table of the user's own, at the sister."""
    cancelled: Reservation | None
    """A table of the user's own for the same evening that was called off before."""
    strangers: tuple[Reservation, ...]
    """Guests of the user's name that evening."""
    goal: Goal

    @property
    def user(self) -> User:
        """Who asks."""
        return self.town.user

    @property
    def own_ids(self) -> frozenset[str]:
        """The ids of all reservations that are the user's own."""
        return frozenset(row.id for row in (self.own, self.sister, self.cancelled) if row)


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven; raise RuntimeError if none of 64 is."""
    plot = draw_plot(draw.stream("plot"), setting)
    return first_fit(draw, lambda stream: Build(stream, setting, plot).finish())


class Build:
    """One attempt."""

    def __init__(self, draw: Draw, setting: Setting, plot: Plot) -> None:
        self._draw, self._setting, self._plot = draw, setting, plot
        habits = habits_of(setting.market.code)
        mixed = "cutoff_hours_vs_days" in plot.traps
        self._blocks = draw_blocks(draw.stream("terms"), habits, plot.party_size, plot.on_the_web, mixed)
        self._block = block_for(self._blocks, plot.party_size)
        self._when = draw_when(draw.stream("when"), setting, plot, self._block.limit)
        self._town = TownBuilder(draw.stream("town"), setting, self._when.now, away=plot.away)
        self._rows = draw.stream("rows")
        self._letters = Letterbox(self._town, draw.stream("letters"))
        self._house = self._town.house(metres=WITHIN)
        self._second = self._town.sister(self._house)

    def finish(self) -> Built:
        """Put everything in place and prove what is to be done."""
        plot, town, when = self._plot, self._town, self._when
        self._open()
        meant = self._meant()
        own = meant if plot.kind != "not_tied" else None
        cancelled = self._called_off(meant) if "already_cancelled_twin" in plot.traps else None
        strangers = tuple(self._strangers(meant))
        sister = self._at_sister()
        town.records += [row for row in (own, cancelled, sister, *strangers) if row]
        thread_id = ""
        if own:
            thread = self._letters.of_own(self._house, own, plot)
            thread_id = thread.id if plot.made_via in IN_WRITING else ""
            if cancelled:
                self._letters.of_cancelled(self._house, cancelled, thread)
        self._letters.of_engine(self._second, sister)
        hostile = self._draw.stream("injections")
        if self._setting.injections:
            self._letters.hostile(hostile)
        built = town.close()
        goal = self._goal(own)
        place = self._house.place
        kept = {
            house.place.id: Kept(block.limit, house.opening)
            for house, block in ((self._house, self._block), (self._second, self._others[0]))
        }
        said = Said(
            town.user.account.account_id, (town.user.email, town.user.phone), place.full_name, when.day, when.now
        )
        if prove(said, built.records) != goal:
            raise AssertionError(f"the records say otherwise than the story: {goal}")
        return Built(
            plot,
            built,
            place,
            when.day,
            kept,
            own,
            thread_id,
            sister,
            cancelled,
            strangers,
            goal,
        )

    def _goal(self, own: Reservation | None) -> Goal:
        """What follows from what the house keeps."""
        if own is None:
            return Goal("", "ownership_unconfirmed", 0, 0)
        place = self._house.place
        terms = next(terms for terms in self._house.terms if terms.id == own.terms_id)
        occasion = Occasion(own.party_size, own.start, place.zone, place.currency)
        is_open, now = self._house.opening.is_open, self._when.now
        until = free_until(terms, occasion, is_open)
        assert until is not None
        if now <= until:
            return Goal(own.id, "none", until, 0)
        return Goal(own.id, "cutoff_passed", until, cancel_charge(terms, occasion, now, is_open).minor)

    # --- houses

    def _open(self) -> None:
        """Settle when both houses are open, how they take bookings and what they keep on calling tables off."""
        plot, when, house = self._plot, self._when, self._house
        when.keeping.give_to(house)
        self._on_engine(house)
        keep(house, self._blocks, plot.made_via, plot.on_the_web, self._most(house))
        limits = {
            block.limit.until.instant(when.start, house.place.zone, house.opening.is_open) for block in self._blocks
        }
        services = house.opening.services(when.day)
        if len(limits) < len(self._blocks):
            raise NoFit
        if not any(hours.holds(when.clock) and when.clock <= hours.last_start for hours in services):
            raise NoFit
        draw, other = self._draw.stream("sister"), self._second
        draw_keeping(draw, self._setting).give_to(other)
        self._on_engine(other)
        habits = habits_of(self._setting.market.code)
        if self._setting.difficulty in WITH_OLDER_TERMS:
            replace_older(house, self._blocks, habits)
        self._others = draw_blocks(draw, habits, plot.party_size, True, False)
        keep(other, self._others, "engine", True, self._most(other))

    def _on_engine(self, house: House) -> None:
        house.operator = site_name(house.rules.site.engine, house.language)

    def _most(self, house: House) -> int:
        """Up to how many guests a house takes on the web: never fewer than the user's party and those like it."""
        return max(self._plot.party_size + 2, self._rows.choice(house.rules.routes.online_max))

    # --- reservations

    def _meant(self) -> Reservation:
        """The table that the user speaks of; where nothing ties one to the user, it is in nobody's book."""
        plot, when, town = self._plot, self._when, self._town
        account = town.user.account
        colleague = self._letters.colleague if plot.kind == "made_by_colleague" else None
        masks = colleague.masks if colleague else (account.phone_masked, account.email_masked)
        account_id = town.ids.id("acc") if colleague else account.account_id if plot.in_account else ""
        created = when.now - self._rows.int(3, 18) * DAY - self._rows.int(0, 90) * 60
        return self._row(self._house, plot.made_via, account_id, masks, plot.party_size, when.start, created)

    def _row(
        self,
        house: House,
        made_via: MadeVia,
        account_id: str,
        masks: tuple[str, str],
        party_size: int,
        start: int,
        created_at: int,
    ) -> Reservation:
        place = house.place
        terms = next(one for one in house.terms if one.party.holds(party_size))
        return Reservation(
            self._town.ids.id("rsv"),
            reference(self._rows),
            place.id,
            made_via,
            account_id,
            self._town.user.booked_name,
            *masks,
            party_size,
            start,
            "any",
            "",
            "confirmed",
            _left(terms, party_size, place.currency),
            terms.id,
            terms.page_id,
            created_at,
            card_on_file=terms.deposit.kind == "hold",
            end=start + TURN_MINUTES * 60,
        )

    def _called_off(self, meant: Reservation) -> Reservation:
        """An earlier table of the user's for the same evening, which was called off before the other was taken."""
        plot, account = self._plot, self._town.user.account
        made_via: MadeVia = "engine" if plot.on_the_web else plot.made_via
        masks = account.phone_masked, account.email_masked
        account_id = account.account_id if made_via in ONLINE else ""
        start = self._shifted(meant)
        created = meant.created_at - self._rows.int(1, 4) * DAY
        row = self._row(self._house, made_via, account_id, masks, self._other_size(meant), start, created)
        return msgspec.structs.replace(row, status="cancelled")

    def _strangers(self, meant: Reservation) -> list[Reservation]:
        """Guests of the user's name that evening: one much like the user if that is the trap, others less so."""
        seats = [self._seat(meant, number) for number in range(self._plot.namesakes)]
        town = self._town
        rows = list(namesakes(self._rows, town.ids, self._setting, town.namer, meant, town.user.name, seats))
        return [self._under_terms(row, number) for number, row in enumerate(rows)]

    def _seat(self, meant: Reservation, number: int) -> Seat:
        house = self._house.place.id
        if not number and "same_surname" in self._plot.traps and self._rows.chance(0.4):
            return Seat(house, meant.start, TURN_MINUTES, self._other_size(meant))
        like_user = not number and "same_surname" in self._plot.traps
        # Books list the early guests first; whoever takes the first of the name mostly takes a stranger.
        start = self._shifted(meant, earlier=not number and self._rows.chance(EARLIER))
        return Seat(house, start, TURN_MINUTES, meant.party_size if like_user else self._other_size(meant))

    def _under_terms(self, row: Reservation, number: int) -> Reservation:
        """A stranger's row as the house keeps it."""
        terms = next(one for one in self._house.terms if one.party.holds(row.party_size))
        made_via = row.made_via if self._plot.on_the_web else self._plot.made_via
        if not number and self._plot.on_the_web:
            made_via = "engine"
        return msgspec.structs.replace(
            row,
            made_via=made_via,
            terms_id=terms.id,
            terms_page_id=terms.page_id,
            deposit=_left(terms, row.party_size, self._house.place.currency),
            card_on_file=terms.deposit.kind == "hold",
        )

    def _shifted(self, meant: Reservation, earlier: bool = False) -> int:
        """Another hour of the same evening, an earlier one if there is any and that is wanted."""
        opens = self._house.opening.services(self._when.day)[-1].open
        first = service_instant(self._when.day, opens, self._house.place.zone)
        starts = [meant.start + minutes * 60 for minutes in _OFFSETS if meant.start + minutes * 60 >= first]
        before = [start for start in starts if start < meant.start]
        return self._rows.choice(before if earlier and before else starts)

    def _other_size(self, meant: Reservation) -> int:
        return self._rows.choice([size for size in range(2, meant.party_size + 3) if size != meant.party_size])

    def _at_sister(self) -> Reservation:
        """The user's table at the sister: the same evening if that is the trap, else on a later day."""
        when, town, other = self._when, self._town, self._second
        day = when.day
        if "sister_branch" not in self._plot.traps:
            days = (add_days(when.day, self._rows.int(*LATER_DAYS)) for _ in count())
            day = next(day for day in days if other.opening.is_open(day))
        if date.fromisoformat(day) > LAST:
            raise NoFit
        start = service_instant(day, draw_clock(self._rows, other.opening.services(day)), other.place.zone)
        account = town.user.account
        masks = account.phone_masked, account.email_masked
        created = when.now - self._rows.int(2, 15) * DAY - self._rows.int(0, 90) * 60
        return self._row(other, "engine", account.account_id, masks, self._rows.int(2, 6), start, created)


def _left(terms: Terms, party_size: int, currency: str) -> Deposit:
    """What such a party left beforehand."""
    return Deposit(terms.deposit.kind, deposit_total(terms, Occasion(party_size, 0, "", currency)))
