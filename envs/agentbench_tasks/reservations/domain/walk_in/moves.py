"""How a careful person finds places to walk into: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from agentbench_env.policies.expert import Do
from agentbench_env.world import Record
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.service_time import service_clock, service_minutes
from agentbench_tasks.reservations.domain.diet_page import diet_key
from agentbench_tasks.reservations.domain.directory import (
    DirectoryGetListing,
    DirectorySearchPlaces,
    ListingText,
    PlaceRow,
)
from agentbench_tasks.reservations.domain.geo import METRES_PER_MINUTE, GeoGetWalk, WalkText
from agentbench_tasks.reservations.domain.guides import guide_title
from agentbench_tasks.reservations.domain.hours_page import hours_key
from agentbench_tasks.reservations.domain.menu_page import band_key
from agentbench_tasks.reservations.domain.places import Mark
from agentbench_tasks.reservations.domain.queue import BoardText, QueueGetBoard, queue_key
from agentbench_tasks.reservations.domain.venue import HoursRule, VenueGetPage
from agentbench_tasks.reservations.domain.walk_in.answer import (
    BandClaim,
    BoundClaim,
    Item,
    NeedMet,
    Queue,
    ServiceMoment,
    WaitClaim,
    WalkClaim,
    WalkInAnswer,
)
from agentbench_tasks.reservations.domain.walk_in.case import WalkInCase
from agentbench_tasks.reservations.domain.walk_in.goal import BEFORE_LAST_ORDER
from agentbench_tasks.reservations.domain.walk_in.plot import WANTED

Facts = dict[str, object]


class Visit(msgspec.Struct):
    """What was found out about a house; each of the sources is the id of a record that was read."""

    venue_id: str
    metres: int
    board: BoardText
    listing: ListingText | None = None
    walk: WalkText | None = None
    band: str = ""
    band_source: str = ""
    need_source: str = ""
    last_order: int = -1
    hours_source: str = ""
    shut: bool = False

    @property
    def wait(self) -> int:
        """Minutes that one waits, as the board has them."""
        board = self.board
        return board.est_wait_min if board.est_wait_min >= 0 else board.groups_waiting * board.minutes_per_group

    @property
    def minutes(self) -> int:
        """Minutes from the request to the seat; until the walk is known, at least so many."""
        walk = self.walk.minutes if self.walk else -(-self.metres // METRES_PER_MINUTE)
        return walk + self.wait

    @property
    def rank(self) -> tuple[int, int]:
        """Its place in a list."""
        return self.minutes, self.walk.minutes if self.walk else 0


class Moves:
    """Looks at boards, walks, pages, and writes the answer."""

    def __init__(self, case: WalkInCase, do: Do) -> None:
        self.case, self.do = case, do
        self.wish = case.wish
        self.landmark = case.start.get(Mark, case.wish.origin_id).name.local
        self.band = ""
        """The price band of the houses that are full."""
        self.band_source = ""
        self.visits: dict[str, Visit] = {}

    # --- looking

    def learn_band(self) -> None:
        """Find out what the houses that are full cost, after the city's guide."""
        name = self.case.built.full[0].name.local
        rows = self.do(DirectorySearchPlaces(kind="restaurant", near=self.landmark, query=name)).places
        full = self.case.built.full[0].id
        row = next(row for row in rows if row.venue_id == full)
        title = guide_title("labels", self.case.start.language)
        guides = self.do(PagesSearch(query=title, kind="labels_guide")).pages
        self.do(PagesGet(page_id=guides[0].page_id))
        listing = self.do(DirectoryGetListing(venue_id=row.venue_id))
        self.band, self.band_source = self._price(listing)

    def search(self) -> list[PlaceRow]:
        """List the houses that may be within the walk, without those that are full."""
        rows: list[PlaceRow] = []
        token = ""
        radius = self.wish.limit * METRES_PER_MINUTE
        while True:
            found = self.do(
                DirectorySearchPlaces(kind="restaurant", near=self.landmark, radius_m=radius, page_token=token)
            )
            rows += found.places
            token = found.next_page_token
            if not token:
                break
        full = {place.id for place in self.case.built.full}
        return [row for row in rows if row.venue_id not in full]

    def look(self, venue_id: str, metres: int = 0) -> Visit:
        """Read the board of a house."""
        visit = Visit(venue_id, metres, self.do(QueueGetBoard(venue_id=venue_id)))
        self.visits[venue_id] = visit
        return visit

    def find(self) -> list[Visit]:
        """Return the best houses: the boards of all, then whatever else those need that may be among the best."""
        self.learn_band()
        looked = [self.look(row.venue_id, row.metres) for row in self.search()]
        found: list[Visit] = []
        for visit in sorted(filter(self._takes_us, looked), key=lambda visit: visit.minutes):
            best = sorted(found, key=lambda one: one.rank)
            if len(best) >= WANTED and visit.minutes > best[WANTED - 1].minutes:
                break
            if self._will_do(visit):
                found.append(visit)
        return sorted(found, key=lambda visit: visit.rank)[:WANTED]

    def visit(self, venue_id: str) -> Visit:
        """Read everything about a house, whether it will do or not."""
        visit = self.visits.get(venue_id) or self.look(venue_id)
        for step in (self._diet, self._way, self._opening, self._cost):
            step(visit)
        return visit

    def _takes_us(self, visit: Visit) -> bool:
        """Whether the board lets such a party in from the door."""
        board = visit.board
        on_site = self._facts(board.board_id).get(queue_key(visit.venue_id, "on_site"))
        seats = any(seat != "counter" for seat in board.seating)
        return board.accepting and on_site is True and board.walk_in.holds(self.wish.party) and seats

    def _will_do(self, visit: Visit) -> bool:
        """Look further until something is wrong with a house."""
        if not self._diet(visit).need_source:
            return False
        walk = self._way(visit)
        cutoff = visit.board.ticket_cutoff.time
        if walk.minutes > self.wish.limit:
            return False
        if cutoff and service_minutes(cutoff) <= self.wish.minute + walk.minutes:
            return False
        self._opening(visit)
        if visit.shut or self.wish.minute + visit.minutes > visit.last_order - BEFORE_LAST_ORDER:
            return False
        self._cost(visit)
        return visit.band == self.band

    # --- reading

    def _facts(self, id: str) -> Facts:
        """What a record says; only of records that were just read."""
        record = self.case.start.find(id)
        return dict(record.facts(self.case.start)) if isinstance(record, Record) else {}

    def page(self, listing: ListingText, kind: str) -> str:
        """Read the latest page of a kind and return its id, "" if there is none."""
        pages = [page for page in listing.pages if page.kind == kind]
        if not pages:
            return ""
        found = max(pages, key=lambda page: page.published).page_id
        self.do(VenueGetPage(page_id=found))
        return found

    def _listing(self, visit: Visit) -> ListingText:
        if visit.listing is None:
            visit.listing = self.do(DirectoryGetListing(venue_id=visit.venue_id))
        return visit.listing

    def _diet(self, visit: Visit) -> Visit:
        """Look for what proves the diet: in the owner's part of the listing, then on the page."""
        listing, key = self._listing(visit), diet_key(visit.venue_id, self.wish.need)
        if key in self._facts(listing.listing_id):
            visit.need_source = listing.listing_id
        elif page := self.page(listing, "diet"):
            visit.need_source = page if key in self._facts(page) else ""
        return visit

    def _way(self, visit: Visit) -> WalkText:
        visit.walk = self.do(GeoGetWalk(from_id=self.wish.origin_id, to_id=visit.venue_id))
        return visit.walk

    def _opening(self, visit: Visit) -> None:
        """Read notices and hours."""
        listing = self._listing(visit)
        for page in listing.pages:
            if page.kind == "notice":
                self.do(VenueGetPage(page_id=page.page_id))
                visit.shut = visit.shut or self._shuts_today(self._facts(page.page_id))
        visit.hours_source = self.page(listing, "hours")
        visit.last_order = service_minutes(self.last_order_of(visit.venue_id, visit.hours_source))

    def last_order_of(self, venue_id: str, page_id: str) -> str:
        """The last order of the evening on a page of hours that was read."""
        facts = self._facts(page_id)
        rules = self.case.start.where(HoursRule, "venue_id", venue_id)
        return max(str(facts[hours_key(rule, "last_order_food")]) for rule in rules)

    def _shuts_today(self, facts: Facts) -> bool:
        spans = (key.split(".", 2)[2].split("..") for key in facts)
        return any(first <= self.wish.today <= last for first, last in spans)

    def _cost(self, visit: Visit) -> None:
        visit.band, visit.band_source = self._price(self._listing(visit))

    def _price(self, listing: ListingText) -> tuple[str, str]:
        """The price band of a house with its source: what the owner says in the listing, else the menu."""
        key = band_key(listing.venue_id)
        source = listing.listing_id
        if key not in self._facts(source):
            source = self.page(listing, "menu")
        return str(self._facts(source)[key]), source

    # --- the answer

    def item(self, visit: Visit) -> Item:
        """Write down a house that was visited."""
        assert visit.walk is not None
        board = visit.board
        cutoff = board.ticket_cutoff.time
        together = board.walk_in.holds(self.wish.party) and any(seat != "counter" for seat in board.seating)
        return Item(
            venue=visit.venue_id,
            seat_time=self.moment(self.wish.minute + visit.minutes),
            walk=WalkClaim(value=visit.walk.minutes, sources=[visit.walk.walk_id]),
            band=BandClaim(value=visit.band, sources=[visit.band_source]),  # type: ignore[arg-type]
            needs=[
                NeedMet(code="seated_together", met=together, sources=[board.board_id]),
                self.diet(bool(visit.need_source), *filter(None, [visit.need_source])),
            ],
            queue=Queue(
                mode=board.mode,  # type: ignore[arg-type]
                wait_min=WaitClaim(value=visit.wait, sources=[board.board_id]),
                bound=self.bound(cutoff, board.board_id)
                if cutoff
                else self.bound(service_clock(visit.last_order), visit.hours_source),
            ),
        )

    def diet(self, met: bool, *sources: str) -> NeedMet:
        """Say whether the diet is kept."""
        return NeedMet(code=self.wish.need, met=met, sources=list(sources))  # type: ignore[arg-type]

    def bound(self, clock: str, *sources: str) -> BoundClaim:
        """Say until when a queue can be joined."""
        return BoundClaim(value=self.moment(service_minutes(clock)), sources=list(sources))

    def moment(self, minutes: int) -> ServiceMoment:
        """A minute of the service day."""
        return ServiceMoment(service_date=self.wish.today, time=service_clock(minutes), zone=self.case.start.zone)

    def items(self, visits: Iterable[Visit]) -> list[Item]:
        """Write down houses."""
        return [self.item(visit) for visit in visits]

    def deliver(self, items: Sequence[Item], **changed: object) -> None:
        """End the episode with a list, or with some fields of the answer changed."""
        wanted = BandClaim(value=self.band, sources=[self.band_source])  # type: ignore[arg-type]
        outcome = "list" if items else "none_viable"
        answer = WalkInAnswer(outcome=outcome, wanted_band=wanted, items=list(items))
        self.do(answer.model_copy(update=changed))

    def altered(self, items: Sequence[Item], change: Callable[[Item], Item]) -> list[Item]:
        """The items with something changed in each, in the order that follows from it."""
        changed = [self.timed(change(item)) for item in items]
        return sorted(changed, key=lambda item: (item.walk.value + item.queue.wait_min.value, item.walk.value))

    def timed(self, item: Item) -> Item:
        """The item with the seat that follows from its own walk and wait."""
        minutes = self.wish.minute + item.walk.value + item.queue.wait_min.value
        return item.model_copy(update={"seat_time": self.moment(minutes)})
