"""Claims: a value with the records that carry it, and the rule that says when its sources hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from agentbench_env.money import Money

if TYPE_CHECKING:
    from agentbench_env.episode import Episode

Fact = tuple[str, object]
"""A fact key and its canonical value."""

MOST_SOURCES = 6


class Part(BaseModel):
    """Base of the objects inside an answer or an argument."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True, allow_inf_nan=False)


class MoneyValue(Part):
    """Money as a decimal string in major units."""

    amount: str = Field(default="", description="Decimal number in major units, e.g. 1234.50.")
    currency: str = Field(default="", description="ISO code, e.g. SGD.")

    def minor_in(self, currency: str) -> int | None:
        """Return the amount in minor units of `currency`, 0 if none is given; None if it is no amount of it."""
        if self.currency.strip().upper() not in ("", currency):
            return None
        try:
            return Money.of(self.amount.strip() or "0", currency).minor
        except ValueError:
            return None


class TextClaim(Part):
    """A value with the records that state it."""

    value: str = Field(default="", description="The value.")
    sources: list[str] = Field(
        default=[], description="Ids of records read in earlier results that state the value, at most six."
    )


class MoneyClaim(Part):
    """An amount with the records that state it, or, if it was computed, every input of it."""

    value: MoneyValue = Field(default=MoneyValue(), description="The amount.")
    sources: list[str] = Field(
        default=[],
        description="Ids of records read in earlier results that state the amount or, for a computed one, each of its "
        "inputs; at most six.",
    )


class QuoteText(Part):
    """A verbatim passage of a section."""

    text: str = Field(default="", description="The passage, word for word.", max_length=400)
    section_id: str = Field(default="", description="Id of the section it stands in.")


def sources_fault(ep: Episode, sources: Sequence[str], needs: Sequence[Fact], barred: Collection[str] = ()) -> str:
    """Say why the sources of a claim do not hold, "" if they do.

    They hold when every source was really shown, each needed fact is carried by one that showed it, none states
    another value of a needed fact without being replaced by another cited record, and there are at most six of them,
    or two more than the claim needs where that is more. Records in `barred` carry nothing.
    """
    cited = list(dict.fromkeys(sources))
    most = max(MOST_SOURCES, len(needs) + 2)
    if len(cited) > most:
        return f"{len(cited)} sources, more than {most}"
    for source in cited:
        if source not in ep.shown:
            return f"what {source} says was never shown"
    facts = {source: ep.facts(source) for source in cited if source not in barred}
    for key, value in needs:
        stating = [source for source, known in facts.items() if known.get(key) == value]
        if not any(ep.printed(source, key) for source in stating):
            unread = f", {stating[0]} only in a part that was never opened" if stating else ""
            return f"no source carries {key} = {value}{unread}"
    records = (record for source in cited if (record := ep.record(source)) is not None)
    replaced = {id for record in records for id in record.replaces(ep.world)}
    for source, known in facts.items():
        if source in replaced:
            continue
        for key, value in needs:
            stated = known.get(key)
            if stated is not None and stated != value:
                return f"{source} states {key} = {stated}, not {value}"
    return ""


def squash(text: str) -> str:
    """Fold compatibility forms (NFKC) and white space: how quotes are compared."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def quote_fault(quote: QuoteText, section: str, start: int, end: int) -> str:
    """Say why a passage is not a verbatim quote that covers `section[start:end]`, "" if it is one."""
    passage, whole = squash(quote.text), squash(section)
    if not passage or passage not in whole:
        return "the passage does not stand in the section"
    if squash(section[start:end]) not in passage:
        return "the passage leaves out the fact"
    return ""
