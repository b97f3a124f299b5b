"""The answer of an entry check."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part, QuoteText
from agentbench_env.task import Answer


class RuleValue(Part):
    """What the authority requires, in one flat object."""

    rule: Literal[
        "none",
        "not_required",
        "on_arrival",
        "visa_required",
        "months_after_arrival",
        "whole_stay",
        "needed",
        "not_needed",
    ] = Field(
        default="none",
        description="none: the item is unresolved. For visa_or_stay: not_required (no visa), on_arrival (the visa is "
        "issued on arrival), visa_required (a visa must be obtained before departure). For passport_validity: "
        "months_after_arrival (valid for some months counted from the day of arrival), whole_stay (valid until the "
        "last day of the stay). For prearrival: needed or not_needed (an electronic authorisation or arrival card that "
        "must be filed before arrival; an optional service is not_needed). For transit_permission: needed or "
        "not_needed.",
    )
    number: str = Field(
        default="",
        description="visa_or_stay: the days of stay that the page states, empty where it leaves them to the officer "
        "or a visa is required. passport_validity with months_after_arrival: the months. prearrival needed: the days "
        "that the page states for filing it. Otherwise empty.",
    )
    met: bool = Field(
        default=False,
        description="passport_validity: whether this passport meets the rule at this border. visa_or_stay with a "
        "number: whether the planned stay there, days of arrival and leaving included, is within the number. "
        "Otherwise false.",
    )
    form: str = Field(
        default="",
        description="prearrival needed: code of the form or authorisation as the page prints it, else empty.",
    )


class EntryItem(Part):
    """One requirement at one place."""

    place: str = Field(
        description="The country by its two-letter code; the code of an airport there stands for it as well."
    )
    requirement: Literal["visa_or_stay", "passport_validity", "prearrival", "transit_permission"] = Field(
        description="For each country whose border is crossed on the way out, landside transits included: visa_or_stay "
        "(visa and length of stay), passport_validity (how long the passport must be valid) and prearrival (an "
        "authorisation or arrival card before arrival). For each transit that stays airside: transit_permission alone."
    )
    status: Literal["settled", "unresolved"] = Field(
        description="settled: the official pages in force settle it for this traveller; unresolved: they leave it open."
    )
    value: RuleValue = Field(default=RuleValue(), description="What is required; left empty for an unresolved item.")
    quote: QuoteText = Field(
        default=QuoteText(),
        description="The whole sentence that states the rule for this nationality, word for word, at most 400 "
        "characters, and the id of the section; left empty for an unresolved item.",
    )
    sources: list[str] = Field(
        default=[],
        description="Ids of the official pages you opened, or of their sections, that state the rule; of an unresolved "
        "item those that leave it open, both pages for a conflict. An excerpt in a search result does not count as "
        "opened. At most six.",
    )
    checked_on: str = Field(
        default="", description="ISO date on which the cited page was opened, local in the user's home zone."
    )
    gap: Literal["none", "silent", "conflict", "expires_before_travel", "discretion", "under_revision"] = Field(
        default="none",
        description="none: settled. silent: the official pages do not deal with this kind of passport. conflict: two "
        "official pages in force differ and neither says that it gives way; an older date alone does not make it so. "
        "expires_before_travel: the measure that "
        "applies to this traveller ends before arrival and nothing is said of what follows. discretion: the officer "
        "decides whether it is required. under_revision: the rule is replaced from a day before arrival by provisions "
        "that are not published.",
    )


class EntryAnswer(Answer):
    """Deliver the requirements of the way out, each settled with its passage or flagged. This ends the episode."""

    items: list[EntryItem] = Field(description="Every requirement once.", max_length=40)
