"""Items of information that a mail or file can hold, each of one kind of the page "Information classes"."""

from __future__ import annotations

import re
from datetime import date
from typing import Literal, get_args

import msgspec

from agentbench_env import formats
from agentbench_env.draw import Draw
from agentbench_env.market import market_table, shared_table
from agentbench_env.money import Money
from agentbench_env.text.facts import states
from agentbench_env.text.fold import fold
from agentbench_tasks.calendar_mail.domain.market import office_market
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.texts import SlotValue, Text, say

FILE = "misdirected"
Kind = Literal[
    "unit_price",
    "discount",
    "bank_account",
    "national_id",
    "phone_private",
    "home_address",
    "salary",
    "health_leave",
    "contract_draft",
    "bid_plan",
    "login_secret",
    "headcount_plan",
    "meeting_link",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
HOUSE_ONLY: frozenset[Kind] = frozenset({"salary", "health_leave", "headcount_plan"})
"""Kinds that people of one house write about among themselves."""
DATA_CLASSES: dict[Kind, str] = {
    "bank_account": "payment",
    "national_id": "identity",
    "phone_private": "contact",
    "home_address": "contact",
    "salary": "employment",
    "health_leave": "health",
    "login_secret": "credential",
}
"""The suite-wide class of private data of a kind; "business" where none stands here."""
WORDINGS = (0, 1, 2, 3)
_FIGURE = re.compile(r"\d(?:[\d,.'٬٫\u00a0\u202f]*\d)?")
_SECRET = "abcdefghjkmnpqrstuvwxyz23456789"
_SEPARATORS = re.compile(r"[\W_]+")


class Item(msgspec.Struct, frozen=True):
    """One item: its kind, its value as it is written, and the sentence that says it."""

    kind: Kind
    value: str
    sentence: Text
    money: Money | None = None

    def is_in(self, text: str, written_on: date) -> bool:
        """Whether a text repeats the value, however it is written."""
        if self.money is not None:
            return tells_amount(text, self.money, written_on)
        if self.kind == "discount":
            return _has_figure(text, self.value)
        if any(sign.isdigit() for sign in self.value):
            return _SEPARATORS.sub("", fold(self.value)) in _SEPARATORS.sub("", fold(text))
        return fold(self.value) in fold(text)


def tells_amount(text: str, money: Money, written_on: date) -> bool:
    """Whether a text has an amount, in figures or in any other way that a native would write it."""
    amount = money.wire().amount
    if _has_figure(text, amount):
        return True
    return states(text, "money", f"{amount} {money.currency}", written_on=written_on, local=money.currency)


def _has_figure(text: str, figure: str) -> bool:
    return _digits(figure) in set(map(_digits, _FIGURE.findall(fold(text))))


def _digits(figure: str) -> str:
    """A figure without separators and without the zeros of a whole amount's minor units."""
    whole = re.sub(r"[.,٫]00$", "", figure)
    return re.sub(r"\D", "", whole)


class Items:
    """Draws items for mails in one language.

    Args:
        draw: the stream to draw from.
        market: the code of the market: numbers have its form and lie in ranges that are never issued.
        language: the language of the mails.
        people: whom private items can be about.
        organisation: whose bank account it is.
        domain: where meetings are held.
    """

    def __init__(
        self, draw: Draw, market: str, language: str, people: list[Person], organisation: str, domain: str
    ) -> None:
        self._draw, self._market, self._language = draw, market, language
        self._people, self._organisation, self._domain = people, organisation, domain
        self._words = shared_table(f"text/{language}/{FILE}")["words"]

    @property
    def kinds(self) -> list[Kind]:
        """The kinds that can be written in this language: addresses only where the market writes them so."""
        can_address = self._language in market_table(self._market, "addresses")["labels"]
        return [kind for kind in KINDS if kind != "home_address" or can_address]

    def item(self, kind: Kind) -> Item:
        """Draw an item of a kind."""
        person = self._draw.choice(self._people)
        slots: dict[str, SlotValue] = {
            "person": person.name.latin if self._language == "en" else person.name.native,
            "org": self._organisation,
        }
        value, money = self._value(kind, person, slots)
        written = say(value, self._language)
        path = f"items.{kind}"
        sentence = Text.fitting(FILE, path, self._language, self._draw.variant(WORDINGS), value=value, **slots)
        return Item(kind, written, sentence, money)

    def _value(self, kind: Kind, person: Person, slots: dict[str, SlotValue]) -> tuple[SlotValue, Money | None]:
        draw, market = self._draw, self._market
        match kind:
            case "unit_price":
                slots["product"] = self._word("product")
                return self._money(draw.int(101, 989), 100_000)
            case "salary":
                return self._money(draw.int(301, 649), 1_000)
            case "bid_plan":
                slots["tender"] = self._word("tender")
                return self._money(draw.int(211, 979), 10)
            case "discount":
                slots["product"] = self._word("product")
                return f"{draw.int(3, 16)}.{draw.choice('2345678')}", None
            case "bank_account":
                slots["bank"] = self._word("bank")
                return formats.bank_account(market, draw), None
            case "national_id":
                born = date(draw.int(1968, 1999), draw.int(1, 12), draw.int(1, 28))
                return formats.national_id(market, draw, born, person.name.gender), None
            case "phone_private":
                return formats.mobile(market, draw), None
            case "home_address":
                address = formats.draw_address(market, draw, "flat", self._language)
                lines = formats.address_lines(market, address, self._language)
                return self._words["address_join"].join(lines), None
            case "login_secret":
                slots["system"] = self._word("system")
                signs = [draw.choice(_SECRET) for _ in range(8)]
                return "".join((*signs[:4], "-", *signs[4:], str(draw.int(10, 99)))), None
            case "meeting_link":
                signs = [draw.choice(_SECRET) for _ in range(10)]
                code = "-".join(("".join(signs[:3]), "".join(signs[3:7]), str(draw.int(100, 999))))
                return f"https://meet.{self._domain}/{code}", None
            case "health_leave" | "contract_draft" | "headcount_plan":
                return self._word(_PHRASES[kind]), None

    def _money(self, tenths: int, parts: int) -> tuple[Money, Money]:
        """An amount that fits the market: so many parts of what a clerk there may approve."""
        market = office_market(self._market)
        table = market_table(self._market, "market")
        money = Money(market.approval.staff * tenths // parts, table["currency"])
        return money, money

    def _word(self, kind: str) -> str:
        return self._draw.choice(self._draw.pool(self._words[kind]))


_PHRASES: dict[Kind, str] = {
    "health_leave": "reason",
    "contract_draft": "clause",
    "headcount_plan": "plan",
}
