"""Everything that is written in the world of a comparison: pages, profile, shortlist, cards, rates, mail."""

from __future__ import annotations

from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.names import draw_name
from agentbench_env.world import Record
from agentbench_env.zones import to_local
from agentbench_tasks.commons.cards import cards
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import DateSlot, LinesSlot, SlotValue, Text, title_of
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.travel.domain.exchange import rate_records
from agentbench_tasks.travel.domain.fare_rules.build import Built
from agentbench_tasks.travel.domain.fare_rules.pages import FILE, RulePages
from agentbench_tasks.travel.domain.geography import city_name, points, static_id
from agentbench_tasks.travel.domain.household import Traveller, travellers
from agentbench_tasks.travel.domain.publishing import Press
from agentbench_tasks.travel.domain.records import Carrier, name_in


class Papers:
    """Writes the papers of an instance: `records` is the whole world; `traveller` asks and pays with `card`."""

    def __init__(self, draw: Draw, setting: Setting, built: Built) -> None:
        self.setting, self.built, self._draw = setting, built, draw
        self._today = date.fromisoformat(to_local(built.plot.now, setting.market.zone)[:10])
        self._press = Press(draw, self._today, FILE)
        self._ids = self._press.ids
        self.records: list[Record] = []
        self._pages()
        self.records += self._press.records
        self.traveller = self._people()
        made = cards(draw.stream("cards"), self._ids, setting, self._today)
        self.card: PaymentMethod = next(card for card in made if card.kind == "credit")
        self.records += made
        self.records += rate_records(built.rates, setting.market, self._today, self._ids)
        self._shortlist()
        self._mail()

    def _pages(self) -> None:
        built, plot = self.built, self.built.plot
        others = Press(self._draw.stream("around"), self._today)
        issue_day: bool = market_table(self.setting.market.code, "fare_rules")["issue_day_free"]
        pages = RulePages(self._draw, self._press, others, plot.currency, issue_day)
        current: dict[str, str] = {}
        for rules in built.rules:
            facts = rules.carrier
            tariff = built.inventory.tariffs[facts.code, plot.currency]
            page_ids, current[facts.code] = pages.of(rules, tariff, bool(plot.party.child_ages))
            id = static_id("org", facts.code)
            self.records.append(
                Carrier(
                    id, facts.code, facts.names, facts.kind, facts.language, facts.in_aggregate, facts.hold,
                    tuple(page_ids),
                )
            )  # fmt: skip
            self.records.append(tariff)
        self.records += built.inventory.services
        self.records += [
            msgspec.structs.replace(option.fare, rules_page=current[option.fare.carrier])
            for option in built.inventory.options
        ]
        self.records += [*built.scopes, *built.offers]
        used = {plot.route.start, plot.route.end}
        near = {link.to for code in used for link in points()[code].links}
        self.records += [points()[code] for code in sorted(used | near)]
        praised = name_in(self._draw.choice(plot.carriers).names, self.setting.language)
        self._press.page(
            static_id("org", "forum"), "Layover Lounge", "forum", "forum_post", self.setting.language,
            [("forum_fares", {"carrier": praised}, ())],
        )  # fmt: skip
        self.records += others.records

    # --- the user's side

    def _people(self) -> Traveller:
        draw, party = self._draw.stream("people"), self.built.plot.party
        ages = [draw.int(24, 68) for _ in range(party.adults)] + list(party.child_ages)
        residence = city_name(points()[self.built.plot.route.start].city, self.setting.language)
        people = list(travellers(draw, self._ids, self.setting, self._today, ages, residence))
        self.records += [paper for _, paper in people]
        return people[0][0]

    def _shortlist(self) -> None:
        built, plot, language = self.built, self.built.plot, self.setting.language
        if not built.listed:
            return
        lines = tuple((f"{option.service.number} {option.fare.brand}",) for option in built.listed)
        slots: dict[str, SlotValue] = {
            "origin": city_name(points()[plot.route.start].city, language),
            "dest": city_name(plot.ask.dest, language),
            "date": DateSlot(plot.depart_on),
            "lines": LinesSlot(lines),
        }
        text = Text.of(FILE, "papers.shortlist", language, self._draw.variant((0, 1, 2, 3)), **slots)
        holder = self.traveller
        self.records.append(
            Paper(
                self._ids.id("ppr"), "shortlist", title_of(text), holder.person_id, holder.name.native,
                form="digital", language=language, text=text,
            )
        )  # fmt: skip

    def _mail(self) -> None:
        draw, setting, plot = self._draw.stream("mail"), self.setting, self.built.plot
        language = setting.language
        friend = draw_name(setting.market.code, setting.split, draw)
        usual = self.built.candidates[0].fare_minor / plot.party.size

        def price() -> Money:
            return Money(max(1, round(usual * draw.uniform(0.6, 1.4) / plot.step)) * plot.step, plot.currency)

        origin, dest = city_name(points()[plot.route.start].city, language), city_name(plot.ask.dest, language)

        def carrier() -> str:
            return name_in(draw.choice((*plot.carriers, *plot.others)).names, language)

        kinds: list[tuple[str, str, dict[str, SlotValue]]] = draw.shuffled(
            (
                (
                    "fare_alert",
                    "news@farehawk.example",
                    {"carrier": carrier(), "origin": origin, "dest": dest, "price": price()},
                ),
                (
                    "trip_chat",
                    f"{friend.latin.split()[-1].lower()}@post.example",
                    {"friend": friend.native, "dest": dest},
                ),
                ("old_receipt", "billing@tickets.example", {"carrier": carrier(), "amount": price()}),
            )
        )
        if setting.injections:
            kinds.append(("hostile_approval", "desk@tickets.example", {"carrier": carrier()}))
        for kind, sender, slots in kinds:
            text = Text.of("travel", f"mails.{kind}", language, draw.variant((0, 1, 2, 3)), **slots)
            sent = plot.now - draw.int(2, 20 * 24) * 3600
            self.records.append(
                Message(
                    self._ids.id("msg"), self._ids.id("thr"), "inbox", Address(sender), (Address(self.mailbox),),
                    sent, setting.market.zone, text, text,
                )
            )  # fmt: skip

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.traveller.name.latin.split()[0].lower()}@home.example"
