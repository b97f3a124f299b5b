"""Where near misses of an enquiry apply, and what they write otherwise."""

from __future__ import annotations

from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.reservations.domain.quote.case import QuoteCase
from agentbench_tasks.reservations.domain.quote.keys import any_value
from agentbench_tasks.reservations.domain.quote.when import WINDOW_HOURS, first_window, window
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, kind_of

_CHANNELS: tuple[Channel, ...] = ("messenger", "mail")


# --- where they apply


def has_decoys(case: QuoteCase) -> bool:
    """Whether something else is easily taken for what the firm asks about."""
    return bool(decoys(case))


def is_barred(case: QuoteCase) -> bool:
    """Whether the building bars a window that suits everybody else."""
    return "building_hours" in case.built.plot.traps


def keeps_it(case: QuoteCase) -> bool:
    """Whether the user wants nothing sent."""
    return not case.built.plot.sends


# --- what they write


def decoys(case: QuoteCase) -> tuple[QuoteFact, ...]:
    """Values of what is gone and of other homes, of what the firm asks about and somebody knows."""
    return tuple(
        fact for fact in case.goal.wrong if kind_of(fact.key) != "yes_no" and fact.key not in case.goal.open_keys
    )


def made_up(case: QuoteCase) -> tuple[QuoteFact, ...]:
    """A value for what nobody knows or, where all is known, the opposite of something; nothing if there is none."""
    plot = case.built.plot
    if plot.unknown:
        return (any_value(case.built.town.setting.market.code, plot.trade, plot.unknown)[0],)
    return tuple(fact for fact in case.goal.wrong if kind_of(fact.key) == "yes_no")[:1]


def other_language(case: QuoteCase) -> str:
    """A language in which the firm does not work: the user's, else English, else Chinese."""
    options = (case.built.town.setting.language, "en", "zh-Hant")
    return next(language for language in options if language not in case.goal.languages)


def elsewhere(case: QuoteCase) -> Channel:
    """A channel that the firm does not want."""
    return next(channel for channel in _CHANNELS if channel != case.goal.channel)


def barred_slot(case: QuoteCase) -> QuoteFact:
    """The first window, whatever the building says."""
    when = case.built.when
    slot = first_window(when.free, None, when.visit_days, when.today)
    assert slot is not None
    return slot


def other_days(case: QuoteCase) -> tuple[QuoteFact, ...]:
    """Windows on the other days on which the user is free."""
    day = str(case.goal.slot.value)[:10]
    rest = [one for one in case.built.when.free if one.day.isoformat() != day]
    return tuple(window(one.day, one.opens, one.opens + WINDOW_HOURS) for one in rest)
