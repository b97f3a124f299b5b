"""A venue that is being built: what it keeps and what it says, drawn as usual here until a task settles otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import get_args

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import Market
from agentbench_env.money import Money
from agentbench_env.task import Difficulty
from agentbench_env.world import Record
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.board_page import Absence, Absent
from agentbench_tasks.reservations.domain.booking_page import HaveReady, Remark
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.diet_page import DietStatement
from agentbench_tasks.reservations.domain.frontage import records_of
from agentbench_tasks.reservations.domain.furnishing import Furnishing
from agentbench_tasks.reservations.domain.guests import draw_reviews
from agentbench_tasks.reservations.domain.hours_page import hours_parts, page_title
from agentbench_tasks.reservations.domain.kitchen import Offer, Writer, build_menu
from agentbench_tasks.reservations.domain.listing_text import price_symbol
from agentbench_tasks.reservations.domain.market import ReservationMarket, reservation_market
from agentbench_tasks.reservations.domain.openings import EVERY_DAY, draw_closure, draw_reason, draw_services
from agentbench_tasks.reservations.domain.outlets import Brand, Quarter
from agentbench_tasks.reservations.domain.places import Place, Review, SiteSection
from agentbench_tasks.reservations.domain.publishing import PageKind, Part, Publication
from agentbench_tasks.reservations.domain.queue import Board
from agentbench_tasks.reservations.domain.registry import Certificate
from agentbench_tasks.reservations.domain.surface import Route
from agentbench_tasks.reservations.domain.terms import Terms
from agentbench_tasks.reservations.domain.venue import (
    ClosureRule,
    HoursRule,
    Notice,
    NoticeReason,
    NoticeScope,
    Opening,
    SeasonHours,
    Service,
    ServiceHours,
)

_ABSENT: tuple[Absent, ...] = get_args(Absent)
_LISTS = (
    *("pages", "more_pages", "hours", "closures", "notices", "seasons", "routes", "remarks"),
    *("offers", "terms", "diets", "certificates", "alike", "foreign", "owner_parts", "reviews"),
)
_DICTS = ("supersedes", "_page_ids")
"""The attributes of which a house that is taken has copies, lists and dictionaries."""
WORDINGS = (0, 1, 2, 3)
"""The wordings of each text; a split has some of them."""
FIRST_PUBLISHED = date(2025, 3, 1)
LATEST_PUBLISHED = date(2026, 1, 31)
DEADLINE = CutoffRule("days_before_at", 3, "17:00")
PAGES = {"easy": (4, 4), "standard": (5, 6), "hard": (6, 8)}
"""How many pages a house has, besides notices and pages that were replaced."""
CORE: tuple[PageKind, ...] = ("hours", "booking", "terms", "menu")
FURTHER: tuple[PageKind, ...] = ("rooms", "walk_in", "diet", "home")


class Habits(msgspec.Struct, frozen=True):
    """What all houses of a town have in common."""

    market: Market
    language: str
    difficulty: Difficulty
    pages: tuple[PageKind, ...] = ()
    """The pages that every house has besides the usual four."""


class House:
    """A venue that is being built.

    What is drawn here may be changed until `records` is called: times by the methods below, everything else by its
    attribute. A house says on its pages and its surface exactly what it keeps.

    Args:
        draw: the stream to draw from.
        ids: the stream of which ids are drawn.
        place: where it is.
        brand: whose outlet it is.
        quarter: the quarter of the place.
        habits: what all houses of the town have in common.
    """

    def __init__(self, draw: Draw, ids: Draw, place: Place, brand: Brand, quarter: Quarter, habits: Habits) -> None:
        self.first: House | None = None
        """The house of the neighbourhood that it was taken from."""
        self.shown: dict[str, tuple[Record, ...]] = {}
        """By name, the records of what it shows, once they are made."""
        self.draw, self.ids, self.habits = draw, ids, habits
        self.place, self.brand, self.quarter = place, brand, quarter
        self.rules: ReservationMarket = reservation_market(habits.market.code)
        self.language, self.variant = habits.language, draw.variant(WORDINGS)
        self._page_ids: dict[PageKind, str] = {}
        self.published = (
            FIRST_PUBLISHED + timedelta(draw.int(0, (LATEST_PUBLISHED - FIRST_PUBLISHED).days))
        ).isoformat()
        self.pages = self._choose_pages()
        self.more_pages: list[tuple[str, Publication]] = []
        """Further pages by id, such as those that were replaced."""
        self.supersedes: dict[PageKind, str] = {}
        """By kind, the id of the page that a page replaces; then the page is in force from its day on."""

        self.hours: list[HoursRule] = []
        self.closures: list[ClosureRule] = []
        self.notices: list[tuple[Notice, str]] = []
        """Each with the day on which it was put up."""
        self.seasons: list[SeasonHours] = []
        self.open_for(draw_services(draw, self.rules.hours))
        self.keep_closure()
        self._season()
        self.furnishing = Furnishing(draw, ids, place)

        self.operator = usual.draw_operator(draw, self.rules, habits.language)
        self.routes: list[tuple[Route, tuple[HaveReady, ...]]] = [
            (route, usual.ASKED) for route in usual.draw_routes(draw, self.rules, place)
        ]
        self.window = usual.draw_window(draw, self.rules)
        self.remarks: list[Remark] = draw.sample(usual.REMARKS, draw.int(1, 2))

        self.charges: ChargeRule = usual.draw_charges(draw, self.rules)
        self.dinner: Money | None = usual.draw_dinner(draw, self.rules, brand.cuisine.bands, place.currency)
        """What dinner costs a head on average as it is printed; None where sets alone have a price."""
        self.dinner_id = ids.id("prc")
        self.offers: list[Offer] = []
        self.rooms = usual.draw_rooms(draw, place, ids.id("rms"), self.page_id("rooms"), self.furnishing.seats)
        self.terms: list[Terms] = []
        self.keep_usual_terms()

        self.diets: list[DietStatement] = []
        self.certificates: list[Certificate] = []
        self.alike: list[str] = usual.draw_alike(draw, self.rules) if "diet" in habits.pages else []
        """Needs of which it only says what sounds like a proof."""
        self.foreign: list[tuple[Place, Certificate]] = []
        """Certificates of other outlets that it boasts of."""
        self.board_id = ids.id("brd")
        self.draw_board(draw)
        self.on_site = True
        """Whether one can join the queue of its app at the door too."""
        self.absence = Absence(draw.choice(_ABSENT), draw.choice((3, 5, 10)))
        self.site: SiteSection = usual.draw_site(
            draw, self.rules, habits.language, self.variant, max(rule.hours.close for rule in self.hours), self.dinner
        )
        self.owner_parts: list[Part] = []
        """What its owner states in the listing."""
        self.reviews: list[Review] = draw_reviews(
            draw, ids, place, self.rooms, habits.difficulty, habits.language, self.variant
        )

    def taken(self, draw: Draw, ids: Draw) -> House:
        """Return a house that keeps all that this one keeps, to be changed; it shows the same as long as that is."""
        house, kept = House.__new__(House), vars(self)
        # Each plot takes a dozen houses: `copy` would be the dearest thing about most of them.
        vars(house).update(kept, first=self, draw=draw, ids=ids, shown={}, furnishing=self.furnishing.taken(ids))
        vars(house).update({name: [*kept[name]] for name in _LISTS}, **{name: kept[name].copy() for name in _DICTS})
        return house

    def keep_still(self) -> None:
        """Become a house that is only taken from: its lists are tuples, and it has no streams to draw from.

        Thousands of such houses live on, and what the garbage collector sees of them, it looks at again and again.
        """
        vars(self).update({name: tuple(vars(self)[name]) for name in _LISTS})
        del self.draw, self.ids
        self.furnishing.keep_still()

    def _choose_pages(self) -> list[PageKind]:
        count = self.draw.int(*PAGES[self.habits.difficulty]) - len(CORE) - len(self.habits.pages)
        rest: list[PageKind] = [kind for kind in FURTHER if kind not in self.habits.pages]
        return [*CORE, *self.habits.pages, *self.draw.sample(rest, max(0, count))]

    def page_id(self, kind: PageKind) -> str:
        """Return the id of its page of a kind; notices and pages that were replaced have ids of their own."""
        if kind not in self._page_ids:
            self._page_ids[kind] = self.ids.id("pg")
        return self._page_ids[kind]

    @property
    def landmark(self) -> str:
        """The name of the nearest landmark, as the house writes it."""
        names = self.quarter.landmark.name
        return names.latin if self.language == "en" else names.local

    # --- opening

    def open_for(self, services: Sequence[ServiceHours], weekdays: tuple[int, ...] = EVERY_DAY) -> None:
        """Keep these services on these weekdays, and no others."""
        page = self.page_id("hours")
        self.hours = [HoursRule(self.ids.id("hrs"), self.place.id, page, weekdays, hours) for hours in services]

    def service(self, kind: Service) -> ServiceHours:
        """Return the regular hours of a service."""
        return next(rule.hours for rule in self.hours if rule.hours.service == kind)

    @property
    def last_order(self) -> str:
        """The last order of food of the last service of an ordinary day."""
        return max(rule.hours.last_order_food for rule in self.hours)

    def keep_closure(self, *kinds: str) -> None:
        """Keep one closing rule, of one of these kinds if any are named."""
        rule = draw_closure(self.draw, self.rules, self.place.id, self.page_id("hours"), self.ids.id("cls"), kinds)
        self.closures = [rule]

    def announce(
        self, posted: str, first: str, last: str = "", scope: NoticeScope = "all", reasons: Sequence[NoticeReason] = ()
    ) -> Notice:
        """Put up a notice on a page of its own on the day `posted`: closed from one day to another."""
        reason = draw_reason(self.draw, self.rules.notices, reasons)
        notice = Notice(self.ids.id("ntc"), self.place.id, self.ids.id("pg"), first, last or first, scope, reason)
        self.notices.append((notice, posted))
        return notice

    def leave_hours(self, hours: Sequence[HoursRule], closures: Sequence[ClosureRule], days: int) -> str:
        """Leave up the page of hours that the present one replaced, published so many days before; return its id."""
        season = self.rules.seasons[0].name if self.seasons else ""
        opening = Opening(self.place.country, hours, closures, (), self.seasons)
        parts = hours_parts(opening, self.language, self.variant, season)
        published = (date.fromisoformat(self.published) - timedelta(days)).isoformat()
        title = page_title("hours", self.language, self.variant)
        page_id = self.ids.id("pg")
        self.more_pages.append((page_id, Publication("hours", self.language, title, parts, published)))
        self.supersedes["hours"] = page_id
        return page_id

    def _season(self) -> None:
        """Keep the season's hours, where the market has a season."""
        for row in self.rules.seasons:
            hours = usual.season_hours(row)
            self.seasons.append(
                SeasonHours(
                    self.ids.id("hrs"),
                    self.place.id,
                    self.page_id("hours"),
                    row.from_date,
                    row.to_date,
                    EVERY_DAY,
                    hours,
                )
            )

    @property
    def opening(self) -> Opening:
        """Everything that decides when it is open, as it stands."""
        notices = [notice for notice, _ in self.notices]
        return Opening(self.place.country, self.hours, self.closures, notices, self.seasons)

    # --- booking, prices, terms

    def draw_board(self, draw: Draw) -> None:
        """Draw how it keeps its queue, and how it stands; one that books at the door alone has a queue."""
        at_door = all(route.mode == "in_person" for route, _ in self.routes)
        self.board: Board = usual.draw_board(draw, self.rules, self.place, self.board_id, self.last_order, at_door)

    def ask(self, dinner: Money) -> None:
        """Ask so much a head for dinner on average, as it is printed; the site's symbol goes by it."""
        self.dinner = dinner
        symbol = price_symbol(self.rules.bands, dinner, self.language)
        self.site = msgspec.structs.replace(self.site, price_symbol=symbol)

    def take_bookings(self, *routes: Route, asked: tuple[HaveReady, ...] = usual.ASKED) -> None:
        """Take bookings in these ways and no others, and keep the usual terms for each."""
        self.routes = [(route, asked) for route in routes]
        self.keep_usual_terms()

    def keep_usual_terms(self) -> None:
        """Draw terms after a pattern of the market for the parties of each way of booking."""
        pattern = usual.draw_pattern(self.draw, self.rules)
        page, spend = self.page_id("terms"), self.dinner.minor if self.dinner else 0
        self.terms = [
            usual.terms_after(
                self.rules,
                pattern,
                self.draw,
                self.ids.id("trm"),
                self.place,
                page,
                route,
                with_room=self.rooms.room != "none",
                average_spend=spend,
                charges=self.charges,
            )
            for route, _ in self.routes
        ]

    def add_menu(self, deadline: CutoffRule = DEADLINE, **more: object) -> Offer:
        """Draw a set menu; `more`: what `build_menu` can be told."""
        writer = Writer(self.language, self.variant)
        cuisine, page = self.brand.cuisine, self.page_id("menu")
        offer = build_menu(
            self.draw,
            self.place,
            page,
            cuisine,
            writer,
            charges=self.charges,
            deadline=deadline,
            **more,  # type: ignore[arg-type]
        )
        self.offers.append(offer)
        return offer

    # --- closing

    def records(self) -> list[Record]:
        """Return everything that the world keeps of it."""
        return records_of(self)
