"""What a note to a guest says, judged on its text: which meeting, whose voice, which reason, which new date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from agentbench_env.market import shared_table
from agentbench_env.text.address import address_form_ok
from agentbench_env.text.facts import mentions
from agentbench_env.text.facts.masks import masked
from agentbench_env.text.facts.moments import conflicting, states_moment
from agentbench_env.text.facts.plain import plain
from agentbench_env.text.facts.weekdays import day_words
from agentbench_env.text.fold import fold
from agentbench_env.text.language import language_of
from agentbench_env.text.own import own_text
from agentbench_env.text.phrases import announces_secret, reason_in
from agentbench_env.text.registers import register_of
from agentbench_env.zones import to_local
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.written import other_particle, tone_fault, without

FORMAL = ("formal", "keigo", "respectful")
"""The registers of a formal letter."""
TAIL = 160
"""Characters at the end of a note among which its closing stands."""


def names_meeting(text: str, title: str, instant: int, zones: Sequence[str], written_on: date) -> bool:
    """Whether a note names the meeting: by its title, or by its day in one of the zones, be it only as a weekday."""
    if fold(title) in fold(text):
        return True
    own = own_text(text)
    days = {to_local(instant, zone)[:10] for zone in zones}
    if any(one.kind == "date" and not days.isdisjoint(one.values) for one in mentions(own, written_on=written_on)):
        return True
    weekdays = {date.fromisoformat(day).weekday() for day in days}
    field = masked(plain(re.sub(r"['’]s\b", "", own)).text)
    return any(word.weekday in weekdays for word in day_words(field, written_on))


def voice_fault(text: str, reader: Contact, others: Sequence[Contact], writer: Contact, gender: str, title: str) -> str:
    """Say how a note fails what is owed to its reader, "" if it does not."""
    # A title or a name in another script is no change of language.
    foreign = (title, writer.display_name, writer.native_name, writer.latin_name, reader.native_name, reader.latin_name)
    language = language_of(text)
    bare = text if language in reader.languages else without(text, foreign)
    if fault := tone_fault(bare, reader.languages, reader.register_due):
        return fault
    if not address_form_ok(text, reader.address_forms, [one.address_forms for one in others], third_person=True):
        return f"does not address its reader alone by one of {', '.join(reader.address_forms)}"
    language = language_of(bare)
    if _is_formal(reader, register_of(bare, language)) and not _closes(text, language):
        return "has no closing, which the guide asks of a formal letter"
    if slip := other_particle(text, language, gender):
        return f"has {slip}, which is not the writer's own"
    return ""


def _is_formal(reader: Contact, register: str) -> bool:
    """Whether a note in this register is a formal letter: to people for whom nothing less is due."""
    return reader.relation in ("client", "official", "superior") and register in FORMAL


def _closes(text: str, language: str) -> bool:
    return _closings(language).search(own_text(text).rstrip()[-TAIL:]) is not None


@cache
def _closings(language: str) -> re.Pattern[str]:
    words: list[str] = shared_table("lexicons/closings")[language]
    return re.compile("|".join(words), re.IGNORECASE)


def reason_fault(text: str, reader: Contact, pair: str, title: str) -> str:
    """Say how a note fails to give the reason that this reader may be told, "" if it does not."""
    text = without(text, (title,))
    found = reason_in(text, pair)
    if reader.is_internal:
        return "" if found["inside"] or found["outside"] else "gives no reason"
    if tells_too_much(text, reader, pair):
        return "gives or hints at the reason that nobody outside may learn"
    return "" if found["outside"] else "gives no reason that may be told outside"


def tells_too_much(text: str, reader: Contact, pair: str) -> bool:
    """Whether a note to somebody outside gives a confidential reason away: by naming, denying or announcing it."""
    if reader.is_internal or not confidential(pair):
        return False
    return reason_in(text, pair, denied=True)["inside"] or announces_secret(text)


def confidential(pair: str) -> bool:
    """Whether a reason has a wording of its own for people outside."""
    return any("outside" in row for row in shared_table("lexicons/reasons")[pair].values())


def offer_fault(
    text: str, reader: Contact, home: str, meeting: int, offer: int, written_on: date, length_s: int = 0
) -> str:
    """Say how a note fails to offer the new date, or to offer none (0), "" if it does not.

    The end of what lasts `length_s` may be told as well.
    """
    allowed = {meeting, meeting + length_s} | ({offer, offer + length_s} if offer else set[int]())
    odd = conflicting(text, allowed, written_on=written_on, reader_zone=reader.zone, writer_zone=home)
    if odd:
        return f"states {own_text(text)[odd[0].start : odd[0].end]!r}, which is neither the meeting nor the offer"
    if not offer:
        return ""
    apart = to_local(offer, home) != to_local(offer, reader.zone)
    stated = states_moment(
        text, offer, written_on=written_on, reader_zone=reader.zone, writer_zone=home, zone_word=apart, standing=True
    )
    return "" if stated else f"does not offer {to_local(offer, home)} {home}{', with its zone' if apart else ''}"
