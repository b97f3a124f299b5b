"""The user of a town: name and its forms, numbers, papers, cards, and the account that bookings are made with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.formats import mobile
from agentbench_env.market import shared_table
from agentbench_env.task import Setting
from agentbench_env.text.names import Gender, PersonName
from agentbench_env.text.template import slot_names
from agentbench_env.world import Record
from agentbench_tasks.commons.cards import cards
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.naming import Namer, mailbox_name
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import Text
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.reservations.domain.booking_records import Account
from agentbench_tasks.reservations.domain.market import Both, reservation_market

FILE = "town_people"
MAIL_DOMAIN = "post.example"
_GROUP = re.compile(r"\d+(?=[- ]\d+$)")


class User(msgspec.Struct, frozen=True):
    """Who asks."""

    name: PersonName
    person_id: str
    phone: str
    email: str
    account: Account
    booked_name: str
    """The name as guest books write it."""
    accepted_names: tuple[str, ...]
    """The forms in which a message may name the guest, the usual one first."""
    home: str
    """The address, as the profile prints it."""
    profile: Paper
    delegation: Paper
    cards: tuple[PaymentMethod, ...]

    @property
    def gender(self) -> Gender:
        """The user's gender, which some languages show."""
        return self.name.gender

    @property
    def mailbox(self) -> Address:
        """The user's mail address with the name beside it."""
        return Address(self.email, self.name.native)

    @property
    def records(self) -> tuple[Record, ...]:
        """Papers and cards."""
        return (self.profile, self.delegation, *self.cards)

    @property
    def settings(self) -> dict[str, Any]:
        """What the tools read of the user: the account of the engines, the mailbox, the private strings."""
        private = (
            PrivateString(self.phone, "contact", self.person_id),
            PrivateString(self.email, "contact", self.person_id),
        )
        return {"account": self.account, "mailbox": self.mailbox, "private_strings": private}


def draw_user(
    draw: Draw, ids: Draw, setting: Setting, today: date, variant: int, home: str, *, namer: Namer, away: str = ""
) -> User:
    """Draw the user.

    Args:
        draw: the stream of which the user is drawn.
        ids: the stream of ids.
        setting: market, split and language.
        today: the in-world date.
        variant: the wording of the delegation note.
        home: where they live, as the profile prints it.
        namer: draws the names of this world.
        away: the zone in which they are now, "" for the market's own.
    """
    code = setting.market.code
    name = namer.fresh(code, national=True)
    number = mobile(code, draw)
    email = f"{mailbox_name(name)}@{MAIL_DOMAIN}"
    booked = booked_forms(name, code)
    person_id = ids.id("per")
    profile = _profile(ids.id("ppr"), person_id, name, number, email, home, setting, away)
    return User(
        name,
        person_id,
        number,
        email,
        Account(ids.id("acc"), phone_mask(number), mail_mask(email)),
        draw.choice(booked),
        accepted_forms(name, code),
        home,
        profile,
        _delegation(ids.id("ppr"), person_id, name, setting.language, variant),
        tuple(cards(draw, ids, setting, today)),
    )


def _profile(
    paper_id: str, person_id: str, name: PersonName, number: str, email: str, home: str, setting: Setting, away: str
) -> Paper:
    table = shared_table(f"text/{setting.language}/{FILE}")
    labels: Mapping[str, str] = table["profile"]
    zone = labels["away"].replace("{zone}", away) if away else setting.market.zone
    fields = (
        (labels["name"], name.native if name.native == name.latin else f"{name.native} ({name.latin})"),
        (labels["gender"], table["genders"][name.gender]),
        (labels["phone"], f"{number} ({setting.market.code})"),
        (labels["email"], email),
        (labels["home"], home),
        (labels["zone"], zone),
        (labels["languages"], setting.language),
    )
    return Paper(
        paper_id,
        "profile",
        labels["title"],
        person_id,
        name.native,
        form="digital",
        language=setting.language,
        fields=fields,
        data_classes=("identity", "contact"),
    )


def _delegation(paper_id: str, person_id: str, name: PersonName, language: str, variant: int) -> Paper:
    title: str = shared_table(f"text/{language}/{FILE}")["delegation"]["title"]
    return Paper(
        paper_id,
        "delegation_note",
        title,
        person_id,
        name.native,
        form="digital",
        language=language,
        text=Text(FILE, "delegation", language, variant),
    )


def membership(paper_id: str, user: User, issuer: str, number: str, language: str) -> Paper:
    """Return the user's membership card of a club, an engine or a house."""
    labels: Mapping[str, str] = shared_table(f"text/{language}/{FILE}")["membership"]
    return Paper(
        paper_id,
        "membership",
        labels["title"].replace("{issuer}", issuer),
        user.person_id,
        user.name.native,
        issuer,
        form="digital",
        language=language,
        fields=((labels["number"], number),),
        data_classes=("credential",),
    )


@lru_cache(maxsize=512)
def booked_forms(name: PersonName, code: str) -> tuple[str, ...]:
    """Return the ways in which the guest books of a market write a name."""
    return _forms(reservation_market(code).booked_names.forms, name, code)


@lru_cache(maxsize=512)
def accepted_forms(name: PersonName, code: str) -> tuple[str, ...]:
    """Return the forms in which a message may give a name, the usual one first."""
    return _forms(reservation_market(code).booked_names.accepted, name, code)


@lru_cache(maxsize=512)
def letter_names(name: PersonName, code: str, language: str) -> tuple[str, ...]:
    """Return the name as the guest gives it in a message of a language, and behind it every other accepted form."""
    own: str = shared_table(f"text/{language}/shop_letters")["self"]["name"]
    return tuple(dict.fromkeys((*_forms((own,), name, code), *accepted_forms(name, code))))


def _forms(patterns: tuple[str, ...], name: PersonName, code: str) -> tuple[str, ...]:
    title = Both.read(reservation_market(code).booked_names.titles.get(name.gender, ""))
    slots = {
        "family": name.family,
        "given": name.given,
        "native": name.native,
        "latin": name.latin,
        "surname": name.family_latin,
        "given_latin": name.given_latin,
        "kana": name.reading,
        "title": title.local,
        "title_latin": title.latin,
    }
    # Some people have no family name; a form that needs one is not theirs.
    forms = (pattern.format_map(slots) for pattern in patterns if all(slots[slot] for slot in slot_names(pattern)))
    return tuple(dict.fromkeys(forms)) or (name.native,)


def phone_mask(number: str) -> str:
    """Mask a telephone number as guest books do: all but the ends."""
    return _GROUP.sub(lambda match: "*" * len(match[0]), number)


def mail_mask(address: str) -> str:
    """Mask a mail address as guest books do: all but the first letter and the domain."""
    local, _, domain = address.partition("@")
    return f"{local[:1]}***@{domain}"
