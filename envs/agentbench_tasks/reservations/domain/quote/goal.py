"""What is right: the firm, what it wants to know, the value of each, the window, and what must not be said."""

from __future__ import annotations

import msgspec

from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.reservations.domain.quote.estate import Estate, Values
from agentbench_tasks.reservations.domain.quote.keys import RULE_KEY, SIDES, VISIT, any_value, pool, with_keys
from agentbench_tasks.reservations.domain.quote.plot import Plot
from agentbench_tasks.reservations.domain.quote.when import Rule, When
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, kind_of
from agentbench_tasks.reservations.domain.quote_page import QuoteGuide


class Goal(msgspec.Struct, frozen=True):
    """What an enquiry to a firm has to be."""

    firm_id: str
    channel: Channel
    languages: tuple[str, ...]
    facts: tuple[QuoteFact, ...]
    """What the firm asks and somebody knows."""
    open_keys: frozenset[str]
    """What the firm asks and nobody knows."""
    slot: QuoteFact
    wrong: tuple[QuoteFact, ...] = ()
    """Values that must not be said of what the firm asks."""


class Known(msgspec.Struct, frozen=True):
    """What is to be said of a household to firms of the trade, whichever it is."""

    facts: tuple[QuoteFact, ...]
    wrong: tuple[QuoteFact, ...]
    """Values that must not be said: of what is gone, of other homes, and any of what nobody knows."""

    def goal(self, guide: QuoteGuide, languages: tuple[str, ...], slot: QuoteFact) -> Goal:
        """What an enquiry to a firm has to be."""
        facts = with_keys(self.facts, guide.keys)
        return Goal(
            guide.firm_id,
            guide.channel,
            languages,
            facts,
            frozenset(guide.keys) - {fact.key for fact in facts} - {VISIT},
            slot,
            with_keys(self.wrong, guide.keys),
        )


def known_of(code: str, plot: Plot, estate: Estate, when: When) -> Known:
    """Gather what is known and what misleads."""
    keys = pool(code, plot.trade)
    facts = estate.facts(keys, _hours(when.rule))
    decoys: list[Values] = [estate.replaced, estate.earlier, estate.other, estate.other_machine]
    if when.older:
        decoys.append({RULE_KEY: _hours(when.older)})
    wrong = [QuoteFact(key, value) for key in keys for row in decoys for value in _values(row, key)]
    wrong += [QuoteFact(fact.key, not fact.value) for fact in facts if kind_of(fact.key) == "yes_no"]
    if plot.unknown:
        wrong += any_value(code, plot.trade, plot.unknown)
    true = set(facts)
    return Known(facts, tuple(dict.fromkeys(fact for fact in wrong if fact not in true)))


def _values(row: Values, key: str) -> list[str | int | bool]:
    """The value that a decoy has for a key; another home may be taken for either of a move."""
    noted = SIDES[key][1] if key in SIDES else key
    return [row[noted]] if noted in row else []


def _hours(rule: Rule) -> str:
    """The hours of an ordinary day in which work may be done."""
    return ",".join(f"{opens}-{closes}" for opens, closes in rule.hours[0].spans)
