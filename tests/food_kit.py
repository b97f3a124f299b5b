"""What the tests of food and rooms share: markets with the languages of their pages, and readers of rendered texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pytest
from town_kit import place

from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.money import Money
from agentbench_env.text.facts import mentions
from agentbench_env.text.template import slot_names
from agentbench_tasks.commons.texts import body_of, span_of, title_of
from agentbench_tasks.reservations.domain.market import Both
from agentbench_tasks.reservations.domain.places import Names, Place
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.town import town

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
VARIANTS = (0, 1, 2, 3)
WRITTEN_ON = date(2026, 10, 1)
HOUSES = [
    (code, language)
    for code in market_codes()
    for language in load_market(code).languages
    if language != "en" or load_market(code).languages[0] in ("en", "ar")
]
"""Markets with the languages in which houses publish: the market's own, in the Emirates English as well."""
every_house = pytest.mark.parametrize(
    ("code", "language", "variant"), [(*house, variant) for house in HOUSES for variant in VARIANTS]
)


def wordings(file: str, language: str) -> dict[str, list[Any]]:
    """By kind, the wordings of a file."""
    found: dict[str, list[Any]] = {}

    def walk(node: Mapping[str, Any], path: str) -> None:
        for key, value in node.items():
            kind = f"{path}.{key}" if path else key
            if isinstance(value, str):
                found[kind] = [value]
            elif set(value) == {"variants"}:
                found[kind] = value["variants"]
            else:
                walk(value, kind)

    walk(shared_table(f"text/{language}/{file}"), "")
    return found


def slots(wording: Any) -> tuple[str, ...]:
    return tuple(sorted(slot_names(wording["text"] if isinstance(wording, Mapping) else wording)))


def house(code: str, id: str = "ven_a", **fields: Any) -> Place:
    """A house of a market, with a name and a branch of its tables."""
    city = town(code)
    name, district = Both.read(city.heads[len(id)]), city.districts[0]
    native = load_market(code).languages[0]
    branch = Both.read(city.branches[0])
    local, latin = district.names[native], district.names["en"]
    return place(
        id,
        name=Names(name.local, name.latin),
        branch=Names(branch.local.replace("{district}", local), branch.latin.replace("{district}", latin)),
        currency=load_market(code).currency,
        country=code,
        **fields,
    )


def read(text: str, kind: str, currency: str = "") -> set[str]:
    """All values of a kind that a text mentions."""
    found = mentions(text, written_on=WRITTEN_ON, local=currency)
    return {value for mention in found if mention.kind == kind for value in mention.values}


def amount(money: Money) -> str:
    """Money as mentions have it."""
    return f"{money.decimal.normalize():f} {money.currency}"


def check_parts(parts: Sequence[Part], language: str) -> None:
    """Every fact stands where its part says, and every text renders in its language."""
    assert title_of(parts[0].text)
    for part in parts:
        body = body_of(part.text)
        assert body == body.strip()
        assert "{" not in body
        assert part.text.language == language
        for fact in part.stated:
            start, end = span_of(part.text, fact)
            assert body[start:end].strip(), fact
        assert len({fact.key for fact in part.stated}) == len(part.stated)
