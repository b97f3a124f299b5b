"""The checks of an enquiry. To whom it goes is one clause's own; the others judge it by what its reader asks."""

from __future__ import annotations

from datetime import date

from agentbench_env.episode import Episode
from agentbench_env.text.facts import mentions
from agentbench_env.text.own import own_text
from agentbench_env.verdict import Finding
from agentbench_tasks.reservations.domain.letters import Letter, asking_fault, facts_fault, false_facts
from agentbench_tasks.reservations.domain.quote.case import Enquiry, QuoteCase
from agentbench_tasks.reservations.domain.quote.goal import Goal
from agentbench_tasks.reservations.domain.voice import voice_fault

NO_LETTER = Finding(True, observed="there is no message that this clause judges")
_MONTH_AND_DAY = 5
"""Characters at least of a day with its month."""
WRITTEN = ("ko", "ja", "zh-Hant", "th", "ar", "en")
"""The languages whose words for facts are known; a message in another one is judged as one in the firm's own."""


def right_addressee(case: QuoteCase, ep: Episode) -> Finding:
    """One message to a firm: to the right one, where it wants enquiries."""
    enquiry, goal = Enquiry(case, ep), case.goal
    letter = enquiry.letter
    expected = f"one {goal.channel} to {goal.firm_id}"
    fault = _addressee_fault(enquiry, letter, goal)
    return Finding(not fault, expected, fault or expected, (goal.firm_id, letter.id if letter else ""))


def _addressee_fault(enquiry: Enquiry, letter: Letter | None, goal: Goal) -> str:
    if letter is None:
        return "no message is named"
    if (letter.recipient_id, letter.channel) != (goal.firm_id, goal.channel):
        return f"a {letter.channel} to {letter.recipient_id}"
    if enquiry.answer.firm.strip() != goal.firm_id:
        return f"said to be for {enquiry.answer.firm}"
    others = [other.id for other in enquiry.to_firms if other.id != letter.id]
    return f"beside {', '.join(others)} to firms" if others else ""


def language(case: QuoteCase, ep: Episode) -> Finding:
    """A working language of its reader."""
    enquiry = Enquiry(case, ep)
    letter = enquiry.letter
    if letter is None:
        return NO_LETTER
    due, found = enquiry.goal(letter).languages, enquiry.language(letter)
    return Finding(found in due, " or ".join(due), found, (letter.id,))


def register(case: QuoteCase, ep: Episode) -> Finding:
    """The tone and the courtesies of the language it is in."""
    enquiry = Enquiry(case, ep)
    letter = enquiry.letter
    if letter is None:
        return NO_LETTER
    found = enquiry.language(letter)
    if found not in WRITTEN:
        return NO_LETTER
    fault = voice_fault(letter.body, (found,), case.built.user.gender, case.names())
    return Finding(not fault, f"what is due to a shop in {found}", fault, (letter.id,))


def asks_for_quote(case: QuoteCase, ep: Episode) -> Finding:
    """A price for the service, and the first window that suits everybody."""
    enquiry = Enquiry(case, ep)
    letter = enquiry.letter
    if letter is None:
        return NO_LETTER
    slot, day = enquiry.goal(letter).slot, enquiry.day
    expected = f"asks what {case.built.plot.trade} costs and offers {slot.value}"
    spoken = _spoken(enquiry, letter)
    fault = asking_fault(letter.whole, case.built.plot.trade, slot, spoken, day) or _other_days(
        case, letter, slot.value, day
    )
    return Finding(not fault, expected, fault or expected, (letter.id,))


def _other_days(case: QuoteCase, letter: Letter, slot: object, written_on: date) -> str:
    """Say that a message offers another of the days on which the user is free, "" if it does not."""
    wanted = str(slot)[:10]
    barred = {one.day.isoformat() for one in case.built.when.free} - {wanted}
    found = [one for one in mentions(own_text(letter.whole), written_on=written_on) if one.kind == "date"]
    # A number alone may as well be a size: 16号.
    days = [one.values for one in found if one.end - one.start >= _MONTH_AND_DAY and wanted not in one.values]
    offered = sorted(barred.intersection(day for values in days for day in values))
    return f"offers {', '.join(offered)} too" if offered else ""


def quote_facts(case: QuoteCase, ep: Episode) -> Finding:
    """Everything that its reader asks, as far as somebody knows it."""
    enquiry = Enquiry(case, ep)
    letter = enquiry.letter
    if letter is None:
        return NO_LETTER
    facts = enquiry.goal(letter).facts
    fault = facts_fault(letter.whole, facts, _spoken(enquiry, letter), enquiry.day)
    return Finding(
        not fault, ", ".join(f"{fact.key} {fact.value}" for fact in facts), fault or "states all", (letter.id,)
    )


def no_false_facts(case: QuoteCase, ep: Episode) -> Finding:
    """Nothing of what is gone or of another home; what nobody knows is left out and said to be open."""
    enquiry = Enquiry(case, ep)
    letter = enquiry.letter
    if letter is None:
        return NO_LETTER
    goal = enquiry.goal(letter)
    stated = false_facts(letter.whole, goal.wrong, _spoken(enquiry, letter), enquiry.day)
    named = frozenset(enquiry.answer.open_points)
    expected = f"open: {', '.join(sorted(goal.open_keys)) or 'nothing'}"
    if stated:
        return Finding(
            False, expected, "states " + ", ".join(f"{fact.key} {fact.value}" for fact in stated), (letter.id,)
        )
    observed = f"open: {', '.join(sorted(named)) or 'nothing'}"
    return Finding(named == goal.open_keys, expected, observed, (letter.id,))


def _spoken(enquiry: Enquiry, letter: Letter) -> str:
    """The language in whose words the facts of a message are looked for."""
    found = enquiry.language(letter)
    return found if found in WRITTEN else enquiry.goal(letter).languages[0]
