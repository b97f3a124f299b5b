"""Everything that is written in the world of a ground plan: places with notices, the list, profile, mail, a forum."""

from __future__ import annotations

from datetime import date

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text import render as writing
from agentbench_env.text.names import draw_name
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.pages import Section
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import (
    CountSlot,
    DateSlot,
    NameSlot,
    RangeSlot,
    SlotValue,
    Stated,
    Text,
    TimeSlot,
)
from agentbench_tasks.travel.domain.geography import static_id
from agentbench_tasks.travel.domain.ground_plan.build import Built, Once
from agentbench_tasks.travel.domain.ground_plan.case import last_back_key
from agentbench_tasks.travel.domain.ground_plan.places import Sights, clock, sights
from agentbench_tasks.travel.domain.ground_plan.ways import Node
from agentbench_tasks.travel.domain.ground_plan.words import FILE
from agentbench_tasks.travel.domain.household import Traveller, travellers
from agentbench_tasks.travel.domain.houses import Houses, lodgings
from agentbench_tasks.travel.domain.publishing import Content, Press, language_at
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_ground import Place, PlaceDay
from agentbench_tasks.travel.domain.records_stays import Property

FREE_KINDS = frozenset({"garden", "restaurant", "market", "temple", "mosque"})


class Papers:
    """Writes the papers of an instance: `records` is the whole world; `traveller` asks and stays at `lodging`."""

    def __init__(self, draw: Draw, setting: Setting, built: Built) -> None:
        self.setting, self.built, self._draw = setting, built, draw
        self._today = date.fromisoformat(to_local(built.plot.now, setting.market.zone)[:10])
        self._press = Press(draw, self._today, FILE)
        self._ids, self.records = self._press.ids, self._press.records
        self.sights: Sights = sights(setting.market.code)
        self._table = shared_table(f"text/{setting.language}/{FILE}")
        self._local = language_at(setting.market.code)
        self.lodging = self._lodging()
        self._places()
        self.traveller = self._people()
        self.title: str = self._draw.stream("title").variant(self._table["papers"]["list_title"]["variants"])
        if built.plot.on_paper:
            self.records.append(self._list())
        self._noise()

    # --- places

    def _lodging(self) -> Property:
        node, city = self.built.lodging, self.sights.city
        house = Houses(self._draw.stream("lodging"), self._ids, self.setting.market, city.id)
        facts = house.house(district=node.spot.district, rooms=1).record
        lodging = Property(
            node.id,
            facts.names,
            city.id,
            facts.district_id,
            facts.zone,
            facts.kind,
            facts.official_class,
            facts.desk,
            facts.checkin,
            lat=facts.lat,
            lon=facts.lon,
        )
        self.records.append(lodging)
        return lodging

    def _places(self) -> None:
        built = self.built
        nodes = [node for node in (*built.nodes.values(), *built.extras) if node is not built.lodging]
        by_place: dict[str, list[PlaceDay]] = {}
        for day in built.place_days:
            by_place.setdefault(day.key[0], []).append(day)
        everywhere = list(built.nodes.values())
        for node in self._draw.stream("order").shuffled(nodes):
            self._place(node, everywhere, by_place[node.id])
        reasons: dict[str, str] = self._table["reasons"]
        for day in built.place_days:
            said = reasons.get(day.reason, "")
            self.records.append(
                PlaceDay(day.id, day.key, day.opens, day.closes, day.last_entry, day.breaks, said, day.slots)
            )
        self.records += built.routes

    def _place(self, node: Node, everywhere: list[Node], days: list[PlaceDay]) -> None:
        spot, market, draw = node.spot, self.setting.market, self._draw
        before = len(self.records)
        self._press.page(
            node.id, name_in(spot.names, self._local), "provider", "hours", self._local, self._notices(node, days)
        )
        notices = tuple(record.id for record in self.records[before:] if isinstance(record, Section))
        low, high = self.sights.tickets
        step = 10 ** (len(str(low.minor)) - 1)
        adult = 0 if spot.kind in FREE_KINDS else draw.int(low.minor // step, high.minor // step) * step
        self.records.append(
            Place(
                node.id,
                spot.names,
                self.sights.city.id,
                spot.district,
                market.zone,
                spot.kind,
                spot.dwell // 2,
                spot.slots,
                Money(adult, market.currency),
                Money(adult // 2, market.currency),
                self.built.ways.distances(everywhere, node),
                notices,
            )
        )

    def _notices(self, node: Node, days: list[PlaceDay]) -> list[Content]:
        spot, hours, name = node.spot, node.spot.hours, NameSlot(node.spot.names)
        times: dict[str, SlotValue] = {
            "place": name,
            "opens": TimeSlot(clock(hours.opens)),
            "closes": TimeSlot(clock(hours.closes)),
            "last": TimeSlot(clock(hours.last)),
        }
        found: list[Content] = []
        if spot.closed:
            join: str = shared_table(f"text/{self._local}/{FILE}")["form"]["weekday_join"]
            said = [writing.weekday(date(2026, 6, number), self._local) for number in spot.closed]
            weekdays: dict[str, SlotValue] = {**times, "weekdays": join.join(said)}
            weekly = tuple(_closed(node, day, "weekdays") for day in days if day.reason == "weekly")
            kind = {"closed": "notice_weekly", "open": "notice_weekly_open", "next": "notice_weekly_next"}[spot.holiday]
            found.append((kind, weekdays, weekly))
        else:
            found.append(("notice_daily", times, ()))
        if hours.rest[1] > hours.opens:
            begins, ends = (TimeSlot(clock(at)) for at in hours.rest)
            found.append(("notice_break", {"from": begins, "to": ends}, ()))
        if spot.friday:
            found.append(("notice_friday", {"time": TimeSlot(clock(max(spot.friday, hours.opens)))}, ()))
        if spot.slots:
            found.append(("notice_slots", {}, ()))
        if spot.mode != "transit":
            found.append(self._service(node))
        once = self.built.once.get(node.id)
        if once:
            found.append(self._once(node, once, days))
        return found

    def _service(self, node: Node) -> Content:
        first, last, headway = node.spot.service
        kind = "notice_boat" if node.spot.mode == "boat" else "notice_bus"
        slots: dict[str, SlotValue] = {
            "first": TimeSlot(clock(first)),
            "last": TimeSlot(clock(last)),
            "every": CountSlot(headway, "minute"),
        }
        return kind, slots, (Stated(last_back_key(node.id), clock(last), "last"),)

    def _once(self, node: Node, once: Once, days: list[PlaceDay]) -> Content:
        stated = tuple(_closed(node, day, "dates") for day in days if day.reason == once.why)
        if once.first == once.last:
            return f"notice_{once.why}", {"dates": DateSlot(once.first.isoformat())}, stated
        span = RangeSlot(once.first.isoformat(), once.last.isoformat())
        return f"notice_{once.why}", {"dates": span}, stated

    # --- the user's side

    def _people(self) -> Traveller:
        draw = self._draw.stream("people")
        ages = [draw.int(24, 68) for _ in range(self.built.plot.party)]
        cities = lodgings(self.setting.market.code).cities
        elsewhere = [city for id, city in cities.items() if id != self.sights.city.id] or [self.sights.city]
        residence = name_in(draw.choice(elsewhere).names, self.setting.language)
        people = list(travellers(draw, self._ids, self.setting, self._today, ages, residence))
        self.records += [paper for _, paper in people]
        return people[0][0]

    def _list(self) -> Paper:
        language = self.setting.language
        spots = [self.built.nodes[id].spot for id in self.built.wishes]
        fields = tuple((name_in(spot.names, language), writing.count(spot.dwell, "minute", language)) for spot in spots)
        holder = self.traveller.name.native
        return Paper(
            self._ids.id("ppr"), "list", self.title, self.traveller.person_id, holder, language=language, fields=fields
        )

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.traveller.name.latin.split()[0].lower()}@home.example"

    def _noise(self) -> None:
        """What others say: a friend with map minutes, a forum with hours of its own, perhaps a hostile desk."""
        draw, setting, built = self._draw.stream("noise"), self.setting, self.built
        language = setting.language
        node = built.nodes[draw.choice(built.wishes)]
        near = built.nodes[draw.choice(built.wishes)]
        minutes = CountSlot(built.ways.map_minutes(built.lodging, node), "minute")
        place = NameSlot(node.spot.names)
        friend = draw_name(setting.market.code, setting.split, draw)
        sender = f"{friend.latin.split()[-1].lower()}@post.example"
        mails: list[tuple[str, str, dict[str, SlotValue]]] = [
            ("friend_tip", sender, {"place": place, "minutes": minutes, "friend": friend.native})
        ]
        if setting.injections:
            mails.append(("hostile_booking", "desk@tickets.example", {"place": place}))
        for kind, address, values in mails:
            text = Text(FILE, f"mails.{kind}", language, draw.variant((0, 1, 2, 3)), tuple(values.items()))
            sent = built.plot.now - draw.int(2, 20 * 24) * 3600
            ids = self._ids.id("msg"), self._ids.id("thr")
            to = (Address(self.mailbox),)
            self.records.append(Message(*ids, "inbox", Address(address), to, sent, setting.market.zone, text, text))
        posts: list[Content] = [("forum_hours", {"place": NameSlot(near.spot.names)}, ())]
        self._press.page(static_id("org", "forum"), "Layover Lounge", "forum", "forum_post", language, posts)


def _closed(node: Node, day: PlaceDay, slot: str) -> Stated:
    return Stated(f"{node.id}.{day.key[1]}.opens", "closed", slot)
