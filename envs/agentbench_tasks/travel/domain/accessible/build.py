"""Drawing an instance: the right house first, then the houses that miss one thing, then the others, then the proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.travel.domain.accessible.needs import (
    DOORS,
    KINDS,
    MEASURES,
    OF_THE_BED,
    OF_THE_HOUSE,
    Kind,
    Need,
    any_need,
    failing,
    passing,
)
from agentbench_tasks.travel.domain.accessible.plot import Plot, Wish, draw_plot
from agentbench_tasks.travel.domain.accessible.proof import prove
from agentbench_tasks.travel.domain.accessible.selling import Selling
from agentbench_tasks.travel.domain.accessible.site import Role, Site
from agentbench_tasks.travel.domain.accessible.statements import (
    FILE,
    HOUSE_PLACES,
    PLACES,
    Line,
    Listing,
    in_unit,
    market_units,
    slogan,
)
from agentbench_tasks.travel.domain.houses import House, Houses
from agentbench_tasks.travel.domain.records import Names
from agentbench_tasks.travel.domain.records_stays import Channel, ListingSection, Rate, RoomType

ATTEMPTS = 64
HOUSES = {"easy": 9, "standard": 14, "hard": 20}
TRAP_COUNT = {"easy": 2, "standard": 3, "hard": 4}
BESIDE = 3
"""Houses in the neighbouring district, one of which would be right but for where it stands."""
TRAPS = (
    "stated_fail",
    "silent",
    "icon_only",
    "review_only",
    "other_room",
    "superseded",
    "standard_only",
    "frame_not_clear",
    "unit_trap",
)
FLOOR = frozenset({"floor bedding", "futon"})
"""What stands for beds where there are none."""
OTHER_ICONS = ("wifi", "parking", "breakfast", "lift")


class Built(msgspec.Struct, frozen=True):
    """A proven instance: the story, the wish, the records, and which room is right."""

    plot: Plot
    wish: Wish
    records: tuple[Record, ...]
    target: Site
    neighbour: Site
    sold_out: Site
    sites: tuple[Site, ...]
    evidence: Mapping[str, str]
    """For each need the section of the right house that states it."""
    answer: ListingSection | None
    """What the right house adds to its listing once it is asked; None where it states everything."""
    traps: tuple[str, ...]

    @property
    def day_before(self) -> tuple[str, str]:
        """First and last day of a stay that begins a day earlier."""
        first = self.plot.checkin - timedelta(1)
        return first.isoformat(), (first + timedelta(self.plot.nights)).isoformat()

    @property
    def free_holds(self) -> list[str]:
        """The rates of the right room that can be held free of charge."""
        free = {one.id for one in self.records if isinstance(one, Channel) and one.hold == "free"}
        rates = [one for one in self.records if isinstance(one, Rate) and one.room_type_id == self.target.room.id]
        return [
            rate.id for rate in rates if rate.channel_id in free and rate.rooms_left and rate.stay[1:] == self.wish.stay
        ]


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven."""
    return first_fit(draw, lambda attempt: Build(attempt, setting).finish())


def has_bed(room: RoomType) -> bool:
    """Whether guests of a room sleep in a bed, and not on the floor."""
    return room.beds not in FLOOR


class Build:
    """One attempt."""

    def __init__(self, draw: Draw, setting: Setting) -> None:
        self._setting, self._draw = setting, draw.stream("houses")
        self._wording, self._ids = draw.stream("wording"), draw.stream("ids")
        self._order = draw.stream("order")
        self.plot = draw_plot(draw.stream("plot"), setting)
        self._houses = Houses(draw.stream("names"), self._ids, setting.market, self.plot.city.id)
        asked = {need.kind for need in self.plot.needs}
        self._unasked: list[Kind] = [kind for kind in KINDS if kind not in asked]
        self._units, self._odd_units = market_units(setting.market.code)
        self._room_names: Sequence[str] = market_table(setting.market.code, FILE)["rooms"]
        self._answer: ListingSection | None = None
        self._selling = Selling(draw.stream("rates"), self._ids, self._houses, self.plot, setting.market.currency)

    def finish(self) -> Built:
        """Put up every house, price its rooms, and prove that exactly one room is right."""
        plot, difficulty = self.plot, self._setting.difficulty
        target = self._site("target", icon=self._draw.chance(0.35))
        kind, level = target.house.record.kind, target.house.record.official_class
        self._selling.price_target(target)
        sold_out = self._site("sold_out", kind, level, icon=True)
        neighbour = self._site("neighbour", kind, level, icon=self._draw.chance(0.5), beside=True)
        traps: list[str] = []
        if not plot.benign:
            allowed = [trap for trap in TRAPS if trap != "unit_trap" or self._odd_units]
            traps = self._draw.sample(allowed, TRAP_COUNT[difficulty])
        near = [target, sold_out, *(self._decoy(trap, kind, level) for trap in traps)]
        near += [self._site("filler", icon=self._draw.chance(0.5)) for _ in range(HOUSES[difficulty] - len(near))]
        beside = [
            neighbour,
            *(self._site("filler", icon=self._draw.chance(0.5), beside=True) for _ in range(BESIDE - 1)),
        ]
        for site in (*near, *beside):
            self._describe(site)
            if site is not target:
                self._selling.price(site)
        sites = self._in_order(near, beside, target)
        records = self._records(sites)
        wish = Wish(plot.city.id, plot.district.id, plot.stay, plot.party, plot.needs, self._selling.ceiling)
        evidence = prove(wish, records, self._answer, (target.house.record.id, target.room.id))
        return Built(plot, wish, records, target, neighbour, sold_out, sites, evidence, self._answer, tuple(traps))

    # --- houses

    def _site(self, role: Role, kind: str = "", level: int | None = None, *, icon: bool, beside: bool = False) -> Site:
        draw, plot = self._draw, self.plot
        district = plot.neighbour if beside else plot.district
        icons = tuple(sorted(draw.sample(OTHER_ICONS, draw.int(0, 2)) + (["wheelchair"] if icon else [])))
        house = self._houses.house(kind, district.id, level, 2, icons=icons)
        rooms, prices = list(house.rooms), list(house.prices)
        fitting = [room for room in rooms if room.max_guests >= plot.party.size and has_bed(room)]
        if not fitting or draw.chance(0.7):
            room = self._accessible_room(house)
            place = draw.int(1, len(rooms))
            rooms.insert(place, room)
            prices.insert(place, self._houses.rounded(prices[0] * draw.uniform(1.05, 1.35)))
        else:
            room = draw.choice(fitting)
        language = self._setting.language
        others = [code for code in self._setting.market.languages if code != language]
        if others and draw.chance(0.15):
            language = others[0]
        listing = Listing(self._wording, self._ids, house, plot.today, language)
        return Site(role, house, tuple(rooms), tuple(prices), room, listing, icon=icon)

    def _accessible_room(self, house: House) -> RoomType:
        native, latin, beds, guests = self._draw.choice(self._room_names).split("/")
        language = self._setting.market.languages[0]
        names: Names = ((language, native),) if language == "en" else ((language, native), ("en", latin))
        most = max(int(guests), self.plot.party.size)
        return RoomType(self._ids.id("rmt"), house.record.id, names, most, beds)

    def _decoy(self, trap: str, kind: str, level: int) -> Site:
        draw = self._draw
        site = self._site("decoy", kind, level, icon=trap == "icon_only" or draw.chance(0.6))
        fit = list(self.plot.needs)
        if trap == "frame_not_clear":
            fit = [need for need in fit if need.kind in DOORS]
        elif trap == "unit_trap":
            fit = [need for need in fit if need.kind in MEASURES]
        elif trap == "other_room":
            fit = [need for need in fit if need.kind not in OF_THE_HOUSE]
        site.trap, site.missing = trap, draw.choice(fit).kind
        return site

    # --- listings

    def _describe(self, site: Site) -> None:
        draw, listing = self._draw, site.listing
        listing.overview()
        self._praise(site)
        match site.role:
            case "target":
                self._describe_target(site)
            case "decoy":
                self._describe_decoy(site)
            case "filler":
                self._describe_filler(site)
            case _:
                listing.spread([*self._lines(self.plot.needs), *self._extras(site)], site.room, PLACES, 2)
        for _ in range(draw.int(1, 2)):
            listing.review(score=self._score(site))

    def _praise(self, site: Site) -> None:
        """Say things that state nothing of what is needed."""
        draw = self._draw
        lines: list[Line] = []
        if site.trap == "standard_only" or draw.chance(0.3):
            site.conforms = True
            lines.append(slogan("conforms"))
        if site.icon and draw.chance(0.5):
            lines.append(slogan("praise"))
        if lines:
            site.listing.section("access", lines, site.room if draw.chance(0.6) else None)

    def _describe_target(self, site: Site) -> None:
        plot, draw, listing = self.plot, self._draw, site.listing
        needs = list(plot.needs)
        if plot.benign:
            listing.spread(self._lines(needs), site.room, ("access",))
            return
        if plot.by_mail:
            asked = needs.pop(draw.int(0, len(needs) - 1))
            room = None if asked.kind in OF_THE_HOUSE else site.room
            self._answer = listing.draft("qa", self._lines([asked]), room, day=plot.today)
        elif draw.chance(0.25):
            self._renew(site, needs.pop(draw.int(0, len(needs) - 1)), old_meets=False)
        listing.spread([*self._lines(needs), *self._extras(site)], site.room, PLACES, 2)
        listing.review(self._lines([draw.choice(plot.needs)])[0], site.room, self._score(site))

    def _describe_decoy(self, site: Site) -> None:
        draw, listing, plot = self._draw, site.listing, self.plot
        rest = [need for need in plot.needs if need.kind != site.missing]
        need = next(need for need in plot.needs if need.kind == site.missing)
        listing.spread([*self._lines(rest), *self._extras(site)], site.room, PLACES, 2)
        room = None if need.kind in OF_THE_HOUSE else site.room
        place = draw.choice(HOUSE_PLACES if room is None else PLACES)
        good = self._lines([need])[0]
        match site.trap:
            case "stated_fail":
                listing.section(place, [self._line(need, meets=False)], room)
            case "unit_trap":
                listing.section(place, [self._line(need, meets=False, odd=True)], room)
            case "frame_not_clear":
                listing.section(place, [msgspec.structs.replace(good, form="frame")], room)
            case "other_room":
                others = [other for other in site.rooms if other is not site.room]
                if need.kind in OF_THE_BED:
                    others = [other for other in others if has_bed(other)]
                if not others:
                    raise NoFit
                other = draw.choice(others)
                listing.section(place, [good], other)
            case "superseded":
                self._renew(site, need, old_meets=True)
            case "review_only":
                if draw.chance(0.4):
                    listing.section("qa", [good], room, author="guest")
                else:
                    listing.review(good, site.room, self._score(site))
            case _:
                pass

    def _describe_filler(self, site: Site) -> None:
        draw, needs = self._draw, self._draw.shuffled(self.plot.needs)
        least = 1 if self._setting.difficulty == "easy" else 2
        wrong = draw.int(least, len(needs))
        lines = [self._line(need, meets=False) for need in needs[:wrong] if draw.chance(0.5)]
        lines += self._lines([need for need in needs[wrong:] if draw.chance(0.75)])
        site.listing.spread([*lines, *self._extras(site)], site.room, draw.sample(PLACES, 2))
        if draw.chance(0.35):
            site.listing.review(self._lines([draw.choice(needs)])[0], site.room, self._score(site))

    def _renew(self, site: Site, need: Need, *, old_meets: bool) -> None:
        """State a need in a section that replaces an older one, perhaps in another language, which said otherwise."""
        draw, listing = self._draw, site.listing
        languages = [listing.language, *(code for code in self._setting.market.languages if code != listing.language)]
        room = None if need.kind in OF_THE_HOUSE else site.room
        place = draw.choice(HOUSE_PLACES if room is None else ("factsheet", "floor_plan"))
        before = [self._line(need, meets=old_meets)]
        listing.section(place, [self._line(need, meets=not old_meets)], room, older=(before, draw.choice(languages)))

    def _lines(self, needs: Sequence[Need]) -> list[Line]:
        """State that needs are met."""
        return [self._line(need, meets=True) for need in needs]

    def _line(self, need: Need, *, meets: bool, odd: bool = False) -> Line:
        draw = self._draw
        odd = odd or (bool(self._odd_units) and draw.chance(0.1))
        unit = draw.choice(self._odd_units if odd else self._units)
        value = passing(draw, need) if meets else failing(draw, need)
        value, unit = in_unit(value, unit, need, meets)
        return Line(need.kind, value, unit)

    def _extras(self, site: Site) -> list[Line]:
        """State things that nobody asked about; in a house that is nearly right, none that would give a guest pause."""
        draw = self._draw
        kinds = draw.sample(self._unasked, draw.int(0, 2))
        doubtful = site.role == "filler"
        return [self._line(any_need(draw, kind), meets=not doubtful or draw.chance(0.6)) for kind in kinds]

    def _score(self, site: Site) -> int:
        low, high = {"target": (62, 84), "decoy": (80, 95), "sold_out": (85, 95)}.get(site.role, (62, 92))
        return self._draw.int(low, high)

    # --- the whole

    def _in_order(self, near: Sequence[Site], beside: Sequence[Site], target: Site) -> tuple[Site, ...]:
        """Shuffle the houses; the right one never leads a list that tempts."""
        for _ in range(ATTEMPTS):
            sites = self._order.shuffled([*near, *beside])
            mine = [site for site in sites if site.house.record.district_id == self.plot.district.id]
            leaders = [mine, [site for site in mine if site.icon], [site for site in mine if site.conforms]]
            if all(leading[0] is not target for leading in leaders if leading):
                return tuple(sites)
        raise NoFit

    def _records(self, sites: Sequence[Site]) -> tuple[Record, ...]:
        records: list[Record] = [*self._houses.areas, *self._houses.agencies]
        for site in sites:
            records += (site.house.record, *site.rooms, site.house.direct)
            records += self._order.shuffled(site.listing.records)
        return (*records, *self._order.shuffled(self._selling.rates))
