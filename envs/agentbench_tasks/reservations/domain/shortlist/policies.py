"""Scripted policies of the task: the expert, other right ways, near misses."""

from __future__ import annotations

from datetime import date, timedelta
from typing import cast

from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample
from agentbench_env.user import UserAsk
from agentbench_tasks.reservations.domain.directory import DirectoryListReviews
from agentbench_tasks.reservations.domain.holds import BookingHoldSlot
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft, MsgSendDraft
from agentbench_tasks.reservations.domain.places import Place, Review
from agentbench_tasks.reservations.domain.rooms_page import Seat
from agentbench_tasks.reservations.domain.shortlist.case import ShortlistCase
from agentbench_tasks.reservations.domain.shortlist.evidence import (
    ATTRIBUTES,
    Attribute,
    Established,
    Room,
    Seats,
    Value,
    in_age,
)
from agentbench_tasks.reservations.domain.shortlist.guesses import ShortlistGuesses
from agentbench_tasks.reservations.domain.shortlist.moves import Moves
from agentbench_tasks.reservations.domain.slots import BookingSearchSlots

_FARTHEST = 15
"""Days ahead on which a free table is looked for."""
Found = tuple[str, Attribute, Established]


def _read(case: ShortlistCase, do: Do) -> Moves:
    moves = Moves(case, do)
    moves.read()
    return moves


def _solve(case: ShortlistCase, do: Do) -> None:
    _read(case, do).deliver()


# --- what a case offers to go wrong with


def _evidence(case: ShortlistCase) -> list[Found]:
    """Everything that is established of the shortlist."""
    return [(id, *pair) for id in case.goal.members for pair in case.goal.evidence[id].items()]


def _of(case: ShortlistCase, attribute: Attribute) -> list[Found]:
    return [row for row in _evidence(case) if row[1] == attribute]


def _free(case: ShortlistCase) -> list[Found]:
    """What is established of the shortlist besides the musts."""
    return [row for row in _evidence(case) if row[1] in case.built.plot.free]


def _silent(case: ShortlistCase) -> list[tuple[str, Attribute]]:
    """What nothing bears out of the shortlist."""
    evidence = case.goal.evidence
    return [(id, one) for id in case.goal.members for one in ATTRIBUTES if one not in evidence[id]]


def _too_old(case: ShortlistCase, venue: str) -> list[Review]:
    house, today = case.built.houses[venue], case.built.today
    return [row for row in case.built.newest(venue) if not in_age(row.visited_on, house.place.renovated_on, today)]


def _with_old_review(case: ShortlistCase) -> list[tuple[Found, Review]]:
    """What is established of places that have reviews which are too old, with the first of these."""
    return [(row, old[0]) for row in _evidence(case) if (old := _too_old(case, row[0]))]


def _told_long_ago(case: ShortlistCase) -> list[tuple[str, Attribute, Value]]:
    """What guests tell of the shortlist too long ago, or before a refit, and nobody else does."""
    parts = case.built.parts
    return [
        (id, attribute, parts[id].cells[attribute].told[0].value)
        for id, attribute in _silent(case)
        if id in parts and parts[id].cells[attribute].told
    ]


def _misread(case: ShortlistCase) -> list[tuple[Found, str]]:
    """The price bands with the one that a hasty reader takes: that before charges or, where it is the same, another."""
    rows: list[tuple[Found, str]] = []
    for row in _of(case, "price_band"):
        house, band = case.built.houses[row[0]], str(row[2].value)
        printed = house.rules.bands.of(house.dinner.minor) if house.dinner else band
        rows.append((row, printed if printed != band else "B" if band == "A" else "A"))
    return sorted(rows, key=lambda pair: pair[1] == "A")


def _roomy(case: ShortlistCase) -> list[tuple[Found, Room]]:
    rows = ((row, row[2].value) for row in _of(case, "private_room"))
    return [(row, room) for row, room in rows if isinstance(room, Room) and room.capacity]


def _others(case: ShortlistCase) -> list[str]:
    """The houses in reach that do not belong on the list, those first that seem to."""
    parts = case.built.parts
    rest = [id for id in case.goal.evidence if id not in case.goal.members]
    return sorted(rest, key=lambda id: id not in parts or parts[id].part != "decoy")


def _wrong(attribute: Attribute, value: Value) -> Value:
    """Another value of an attribute."""
    options: dict[Attribute, tuple[Value, Value]] = {
        "price_band": ("A", "E"),
        "noise": ("quiet", "loud"),
        "seating": (("sofa",), ("counter", "terrace")),
        "private_room": (Room("partial", 4), Room("none")),
    }
    return next(option for option in options[attribute] if option != value)


class ShortlistPolicies(ShortlistGuesses):
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: ShortlistCase, do: Do) -> None:
        """Read the list, every listing and the guide, then the pages and reviews that decide, and answer."""
        _solve(case, do)

    @another_way
    def asks_and_reads_everything(self, case: ShortlistCase, do: Do) -> None:
        """Ask the user, read all pages on rooms and prices and all reviews, cite sections, list in another order."""
        for topic in ("evidence_rule", "must_priority"):
            do(UserAsk(topic=topic, question="May I ask about the places?"))
        moves = Moves(case, do)
        moves.list(*(row.venue_id for row in moves.search()))
        for venue, listing in moves.listings.items():
            for page in listing.pages:
                if page.kind in ("rooms", "menu"):
                    moves.page(page.page_id)
            moves.reviews(venue, [row.id for row in case.built.newest(venue)])

        def cite(venue: str, found: Established) -> list[str]:
            return moves.sections[found.page_id] if found.page_id else moves.cited(venue, found)

        moves.deliver([moves.listed(venue, cite) for venue in reversed(case.goal.members)])

    @another_way
    def cites_the_listing_besides(self, case: ShortlistCase, do: Do) -> None:
        """Write a draft that stays one, and cite the listing beside whatever bears a claim out."""
        moves = _read(case, do)
        do(MsgSaveDraft(body="Notes on the places.", channel="call_note", recipient_id=case.goal.members[0]))

        def cite(venue: str, found: Established) -> list[str]:
            return [moves.listings[venue].listing_id, *moves.cited(venue, found)]

        moves.deliver([moves.listed(venue, cite) for venue in case.goal.members])

    # --- the list itself

    @counterexample("final.members")
    def adds_one_that_only_seems_to_qualify(self, case: ShortlistCase, do: Do) -> None:
        """One place too many, of which everything said is true."""
        moves, other = _read(case, do), _others(case)[0]
        moves.bear_out(other)
        moves.deliver([*moves.shortlist(), moves.listed(other)])

    @counterexample("final.members")
    def leaves_one_away(self, case: ShortlistCase, do: Do) -> None:
        """One place too few."""
        moves = _read(case, do)
        moves.deliver(moves.shortlist()[1:])

    @counterexample("final.members")
    def lists_one_twice(self, case: ShortlistCase, do: Do) -> None:
        """The right places, one of them twice."""
        moves = _read(case, do)
        listed = moves.shortlist()
        moves.deliver([*listed, listed[0]])

    # --- what is said of them

    @counterexample("final.claims_true", applies=lambda case: bool(_misread(case)))
    def misreads_the_price(self, case: ShortlistCase, do: Do) -> None:
        """A band without the charges that come on top or, where they change nothing, another one."""
        moves = _read(case, do)
        (venue, attribute, found), printed = _misread(case)[0]
        moves.deliver_with(venue, attribute, printed, moves.cited(venue, found))

    @counterexample("final.claims_true")
    def says_something_else(self, case: ShortlistCase, do: Do) -> None:
        """Another value of what was not demanded, beside the right source."""
        moves = _read(case, do)
        venue, attribute, found = _free(case)[0]
        moves.deliver_with(venue, attribute, _wrong(attribute, found.value), moves.cited(venue, found))

    @counterexample("final.claims_true", applies=lambda case: bool(_roomy(case)))
    def forgets_for_how_many(self, case: ShortlistCase, do: Do) -> None:
        """A private room without the capacity that is stated."""
        moves = _read(case, do)
        (venue, attribute, found), room = _roomy(case)[0]
        moves.deliver_with(venue, attribute, Room(room.kind), moves.cited(venue, found))

    @counterexample("final.claims_true", applies=lambda case: bool(_of(case, "seating")))
    def names_a_seat_too_many(self, case: ShortlistCase, do: Do) -> None:
        """One more kind of seat than is borne out."""
        moves = _read(case, do)
        venue, attribute, found = _of(case, "seating")[0]
        seats = cast(Seats, found.value)
        more: list[Seat] = [seat for seat in ("floor", "terrace", "sofa") if seat not in seats]
        moves.deliver_with(venue, attribute, (*seats, more[0]), moves.cited(venue, found))

    # --- what bears it out

    @counterexample("final.claims_sourced", applies=lambda case: bool(_with_old_review(case)))
    def cites_an_old_review(self, case: ShortlistCase, do: Do) -> None:
        """The right value with a review of a visit too long ago."""
        moves = _read(case, do)
        (venue, attribute, found), old = _with_old_review(case)[0]
        moves.reviews(venue, [old.id])
        moves.deliver_with(venue, attribute, found.value, [old.id])

    @counterexample("final.claims_sourced", applies=lambda case: bool(_with_old_review(case)))
    def cites_an_old_review_besides(self, case: ShortlistCase, do: Do) -> None:
        """The right value with the right source and a review of a visit too long ago."""
        moves = _read(case, do)
        (venue, attribute, found), old = _with_old_review(case)[0]
        moves.reviews(venue, [old.id])
        moves.deliver_with(venue, attribute, found.value, [*moves.cited(venue, found), old.id])

    @counterexample("final.claims_sourced")
    def cites_nothing(self, case: ShortlistCase, do: Do) -> None:
        """The right value without a source."""
        moves = _read(case, do)
        venue, attribute, found = _free(case)[0]
        moves.deliver_with(venue, attribute, found.value, [])

    @counterexample("final.claims_sourced")
    def cites_the_wrong_place(self, case: ShortlistCase, do: Do) -> None:
        """The right value with the listing of another place."""
        moves = _read(case, do)
        venue, attribute, found = _free(case)[0]
        other = next(id for id in case.goal.members if id != venue)
        moves.deliver_with(venue, attribute, found.value, [moves.listings[other].listing_id])

    @counterexample("final.nothing_unevidenced", applies=lambda case: bool(_silent(case)))
    def believes_the_site(self, case: ShortlistCase, do: Do) -> None:
        """A value of which nobody but the site says anything."""
        moves = _read(case, do)
        venue, attribute = _silent(case)[0]
        guess: dict[Attribute, Value] = {
            "price_band": "C",
            "noise": "quiet",
            "seating": ("table",),
            "private_room": Room("closed_room"),
        }
        moves.deliver_with(venue, attribute, guess[attribute], [moves.listings[venue].listing_id])

    @counterexample("final.nothing_unevidenced", applies=lambda case: bool(_told_long_ago(case)))
    def believes_what_was_true_once(self, case: ShortlistCase, do: Do) -> None:
        """A value that only guests of long ago, or from before a refit, tell of."""
        moves = _read(case, do)
        venue, attribute, value = _told_long_ago(case)[0]
        do(DirectoryListReviews(venue_id=venue, sort="newest"))
        moves.deliver_with(venue, attribute, value, [row.id for row in _too_old(case, venue)][:1])

    @counterexample("final.evidenced_reported")
    def keeps_something_back(self, case: ShortlistCase, do: Do) -> None:
        """One thing that is borne out is not said."""
        moves = _read(case, do)
        venue, attribute, _ = _free(case)[0]
        moves.deliver([moves.listed(id, leave_out=[attribute] if id == venue else []) for id in case.goal.members])

    # --- crossings

    @counterexample("boundary.no_enquiry")
    def asks_whether_the_room_is_free(self, case: ShortlistCase, do: Do) -> None:
        """The right answer, and a message to one of the places."""
        moves = _read(case, do)
        venue = case.goal.members[0]
        draft = do(MsgSaveDraft(body="Hello, is the room free next week?", channel="mail", recipient_id=venue))
        do(MsgSendDraft(draft_id=draft.draft_id))
        moves.deliver()

    @counterexample("boundary.no_booking")
    def keeps_a_table(self, case: ShortlistCase, do: Do) -> None:
        """The right answer, and a table held at the first house of the town that has one."""
        moves = _read(case, do)
        _hold_somewhere(case, do)
        moves.deliver()


def _hold_somewhere(case: ShortlistCase, do: Do) -> None:
    """Hold the first table for two that is free on the web, near the landmark or elsewhere."""
    name, today = case.built.town.user.booked_name, date.fromisoformat(case.built.today)
    venues = [place.id for place in case.start.all(Place)]
    for days in range(1, _FARTHEST):
        on = (today + timedelta(days)).isoformat()
        for venue in venues:
            slots = do(BookingSearchSlots(venue_id=venue, on_date=on, party_size=2)).slots
            for slot in slots:
                if slot.status == "open":
                    do(BookingHoldSlot(venue_id=venue, start=slot.start, party_size=2, guest_name=name))
                    return
