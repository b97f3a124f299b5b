"""What is written in the world of an accessible stay besides the listings: profiles, a care note, mail, a standard."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.formats import mobile
from agentbench_env.market import market_table, shared_table
from agentbench_env.task import Setting
from agentbench_env.text.names import draw_name
from agentbench_tasks.commons.cards import cards
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import SlotValue, Text
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.travel.domain.accessible.build import Built
from agentbench_tasks.travel.domain.accessible.site import Site
from agentbench_tasks.travel.domain.accessible.statements import FILE, PER_UNIT, market_units, measure
from agentbench_tasks.travel.domain.geography import names_of, static_id
from agentbench_tasks.travel.domain.household import Traveller, travellers
from agentbench_tasks.travel.domain.publishing import Press
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_stays import ListingSection

DIAGNOSES = ("diagnosis_a", "diagnosis_b", "diagnosis_c", "diagnosis_d")


class Papers:
    """Writes the user's side and the public pages: `records` is all of it; `traveller` asks and has `card`."""

    def __init__(self, draw: Draw, setting: Setting, built: Built) -> None:
        self._setting, self._built, self._draw = setting, built, draw
        self._press = Press(draw, built.plot.today, FILE)
        self._ids, self.records = self._press.ids, self._press.records
        self.traveller = self._people()
        self.private = self._care_note()
        made = cards(draw.stream("cards"), self._ids, setting, built.plot.today)
        self.card: PaymentMethod = next(card for card in made if card.kind == "credit")
        self.records += made
        self._standard()
        self._mail()
        self.replies = {site.listing.address: self._reply(site) for site in built.sites}

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.traveller.name.latin.split()[0].lower()}@home.example"

    def _people(self) -> Traveller:
        draw, party = self._draw.stream("people"), self._built.plot.party
        ages = [draw.int(24, 68) for _ in range(party.adults)] + list(party.child_ages)
        home = name_in(self._built.plot.home.names, self._setting.language)
        people = list(travellers(draw, self._ids, self._setting, self._built.plot.today, ages, home))
        self.records += [paper for _, paper in people]
        return people[0][0]

    def _care_note(self) -> tuple[PrivateString, ...]:
        """Write down what no house needs to know; return it with the names and the birth date."""
        draw, language = self._draw.stream("care"), self._setting.language
        labels = shared_table(f"text/{language}/{FILE}")["papers"]
        name, me = self.traveller.name, self.traveller.paper_id
        diagnosis: str = labels[draw.variant(DIAGNOSES)]
        phone = mobile(self._setting.market.code, draw)
        note = Paper(
            self._ids.id("ppr"),
            "care_note",
            labels["care_note"],
            "",
            name.native,
            form="copy",
            language=language,
            fields=((labels["diagnosis"], diagnosis), (labels["phone"], phone)),
            data_classes=("health", "contact"),
        )
        self.records.append(note)
        return (
            *(PrivateString(text, "contact", me) for text in dict.fromkeys((name.native, name.latin, phone))),
            PrivateString(self.traveller.birth_date, "identity", me),
            PrivateString(diagnosis, "health", me),
        )

    def _standard(self) -> None:
        row = market_table(self._setting.market.code, FILE)["standard"]
        language = self._setting.language
        unit = market_units(self._setting.market.code)[0][0]
        width = measure(row["door_cm"] * PER_UNIT["cm"], unit, language)
        self._press.page(
            static_id("org", row["authority"]["en"]),
            name_in(names_of(row["authority"]), language),
            "authority",
            "standard",
            language,
            [("standard", {"measure": width}, ())],
            True,
        )

    def _mail(self) -> None:
        draw, setting, plot = self._draw.stream("mail"), self._setting, self._built.plot
        friend = draw_name(setting.market.code, setting.split, draw)
        city = name_in(plot.city.names, setting.language)
        sender = f"{friend.latin.split()[-1].lower()}@post.example"
        self._letter("travel", "trip_chat", sender, {"friend": friend.native, "dest": city})
        if setting.injections:
            house = name_in(self._built.sold_out.house.record.names, setting.language)
            self._letter("travel", "hostile_approval", "desk@stays.example", {"carrier": house})

    def _letter(self, file: str, kind: str, sender: str, slots: dict[str, SlotValue]) -> None:
        draw, plot = self._draw.stream(kind), self._built.plot
        text = Text(file, f"mails.{kind}", self._setting.language, draw.variant((0, 1, 2, 3)), tuple(slots.items()))
        self.records.append(self._message(text, sender, plot.now - draw.int(2, 20 * 24) * 3600))

    def _message(self, text: Text, sender: str, at: int) -> Message:
        ids, zone = self._ids, self._setting.market.zone
        return Message(
            ids.id("msg"), ids.id("thr"), "inbox", Address(sender), (Address(self.mailbox),), at, zone, text, text
        )

    def _reply(self, site: Site) -> tuple[Message, ListingSection | None]:
        """What a house does when it is written to: it answers, and may add to its listing."""
        answer = self._built.answer if site is self._built.target else None
        states_all = site.role not in ("decoy", "filler")
        kind = "reply_adds" if answer else "reply_points" if states_all else "reply_believes"
        language = site.listing.language
        variant = self._draw.stream("replies").variant((0, 1, 2, 3))
        text = Text.of(FILE, f"mails.{kind}", language, variant, name=name_in(site.house.record.names, language))
        return self._message(text, site.listing.address, self._built.plot.now), answer
