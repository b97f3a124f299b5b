"""From choices to calls: a table is to be changed, and every argument is pointed at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

from learn.reading import CHANGE, DRAFT, FIND, PAGE, Reading, stems

QUOTE, ASK, CANCEL, SEND, FINISH = (
    "booking_quote_change",
    "user_request_approval",
    "booking_cancel_reservation",
    "msg_send_draft",
    "task_finish",
)
TOOLS = (FIND, PAGE, QUOTE, ASK, CHANGE, DRAFT, CANCEL, SEND, FINISH)
"""What the policy chooses from: what the errand needs, and two calls that break the boundary."""
CHANNELS = {
    "mail": "mail",
    "messenger": "any chat app",
    "web_form": "web form",
    "sms": "sms",
    "call_note": "a text for the user's own eyes to read out on the telephone",
}
"""What a draft can be for, each as the tool describes it."""
OUTCOMES = ("updated", "routed")
SOUGHT = stems("The last moment at which cancelling the reservation is free of charge under its terms")
"""From the description of the answer's cut-off."""
SHARED = "shared"
"""A word in common with what is sought: one feature, whatever is chosen, so that pointing is learnt once for all."""


class Option(NamedTuple):
    """Something to point at: the value, and what speaks of it."""

    value: Any
    features: list[str]


Choose = Callable[[str, Sequence[Option]], Any]
"""Takes what is chosen (`tool`, `booking`, ...) and the options, and returns the value of one."""


class Errand:
    """Asks for choices and makes calls of them.

    Args:
        reading: what the episode has shown; the caller keeps it up to date.
        choose: the policy.
    """

    def __init__(self, reading: Reading, choose: Choose) -> None:
        self._reading, self._ask = reading, choose
        self._id = ""
        self._wish: dict[str, Any] = {}

    def next_call(self) -> dict[str, Any]:
        """Return the next call, choosing what it needs."""
        if self._reading.bookings and not self._id:
            self._point()
        known = self._known()
        offered = [Option(tool, [f"{tool}|{fact}" for fact in known]) for tool in TOOLS if self._can(tool)]
        tool = self._choose("tool", offered)
        return {"tool": tool, "arguments": getattr(self, f"_{tool}")()}

    # --- what is meant: pointed at once, when the bookings are first seen

    def _point(self) -> None:
        reading = self._reading
        bookings = [Option(id, self._signs(row)) for id, row in reading.bookings.items()]
        self._id = self._choose("booking", bookings)
        own_day, own_clock = self._booking["start"]["local"].split("T")
        for kind, own, said in (
            ("day", own_day, reading.days),
            ("clock", own_clock, reading.clocks),
            ("people", self._booking["party_size"], reading.people),
        ):
            values = dict.fromkeys([own, *said])
            options = [Option(value, ["as it is" if value == own else SHARED]) for value in values]
            self._wish[kind] = self._choose(kind, options)

    def _signs(self, row: dict[str, Any]) -> list[str]:
        """What speaks of a booking: what it shares with the request, and whether it is past."""
        reading = self._reading
        day, clock = row["start"]["local"].split("T")
        meal = "lunch" if clock < "16" else "dinner"
        signs = [SHARED] * ((day in reading.days) + (meal in reading.request) + (row["venue"] in reading.request))
        signs += ["past" if row["start"]["local"] < reading.now else "to come"]
        return [*signs, "size as said" if row["party_size"] in reading.people else "other size"]

    @property
    def _booking(self) -> dict[str, Any]:
        return self._reading.bookings[self._id]

    # --- what can be done

    def _can(self, tool: str) -> bool:
        """Whether all that a call needs has been seen."""
        if tool == FIND:
            return True
        if tool == SEND:
            return bool(self._reading.draft_id)
        return bool(self._id)

    def _known(self) -> list[str]:
        return ["", *self._reading.facts(self._booking if self._id else None)]

    def _choose(self, kind: str, options: Sequence[Option]) -> Any:
        if len(options) == 1:
            return options[0].value
        named = [
            Option(one.value, [sign if sign == SHARED else f"{kind}|{sign}" for sign in one.features])
            for one in options
        ]
        return self._ask(kind, named)

    # --- the arguments of each tool

    def _booking_find_reservations(self) -> dict[str, Any]:
        return {}

    def _venue_get_page(self) -> dict[str, Any]:
        return {"page_id": self._booking["terms_page_id"]}

    def _booking_quote_change(self) -> dict[str, Any]:
        return self._change()

    def _booking_change_reservation(self) -> dict[str, Any]:
        return self._change()

    def _user_request_approval(self) -> dict[str, Any]:
        return {"tool": CHANGE, "arguments": self._change(), "summary": "May I make exactly this change?"}

    def _booking_cancel_reservation(self) -> dict[str, Any]:
        return {"reservation_id": self._id}

    def _msg_send_draft(self) -> dict[str, Any]:
        return {"draft_id": self._reading.draft_id}

    def _msg_save_draft(self) -> dict[str, Any]:
        said = stems(self._reading.contact(self._booking))
        options = [
            Option(one, [SHARED] * len(said & stems(what)) + [f"{one}|{word}" for word in ("", *sorted(said))])
            for one, what in CHANNELS.items()
        ]
        channel = self._choose("channel", options)
        return {"channel": channel, "recipient_id": self._booking["venue_id"], "body": self._letter()}

    def _task_finish(self) -> dict[str, Any]:
        row = self._booking
        signs = [
            Option(
                one.moment,
                [SHARED] * len(SOUGHT & stems(one.sentence))
                + ["fits" if one.fits else "does not fit"]
                + sorted(stems(one.sentence)),
            )
            for one in self._reading.deadlines(row)
        ]
        known = self._known()
        moment = self._choose("deadline", signs) if signs else ""
        outcome = self._choose("outcome", [Option(one, [f"{one}|{fact}" for fact in known]) for one in OUTCOMES])
        value = {"local": moment, "zone": row["start"]["zone"]}
        cutoff = {"value": value, "sources": [row["terms_page_id"]]}
        draft_id = self._reading.draft_id
        return {"reservation": self._id, "outcome": outcome, "cutoff": cutoff, "draft_id": draft_id}

    def _change(self) -> dict[str, Any]:
        """The change that is meant: what stays as it is, is left out."""
        day, clock = self._booking["start"]["local"].split("T")
        moved = (self._wish["day"], self._wish["clock"]) != (day, clock)
        start = f"{self._wish['day']}T{self._wish['clock']}" if moved else ""
        size = 0 if self._wish["people"] == self._booking["party_size"] else self._wish["people"]
        return {"reservation_id": self._id, "start": start, "party_size": size}

    def _letter(self) -> str:
        """The draft to the restaurant: its form is given, its facts are those of the booking and the wish."""
        row, wish = self._booking, self._wish
        day, clock = row["start"]["local"].split("T")
        new = [_said(wish["day"]) if wish["day"] != day else "", wish["clock"] if wish["clock"] != clock else ""]
        new += [f"{wish['people']} people" if wish["people"] != row["party_size"] else ""]
        return (
            f"Dear restaurant team, our table is booked under {row['guest_name']} for {_said(day)} at {clock}, "
            f"{row['party_size']} people, reference {row['reference']}. Could you please change it to "
            f"{', '.join(filter(None, new)) or 'what we asked for'}? Please let us know if this would cost anything. "
            "Thank you and kind regards."
        )


def _said(day: str) -> str:
    return f"{date.fromisoformat(day):%a %-d %b %Y}"
