"""How a careful assistant goes about calling a table off: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain

import msgspec

from agentbench_env.claims import MoneyValue
from agentbench_env.policies.expert import Do
from agentbench_env.tool import Tool
from agentbench_env.user import UserRequestApproval
from agentbench_env.zones import to_local
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.service_time import service_instant, service_time
from agentbench_tasks.reservations.domain.amendments import (
    BookingCancelReservation,
    BookingQuoteChange,
    BookingStageCancellation,
    settle_cancellation,
)
from agentbench_tasks.reservations.domain.blocking import MEANING, BlockingStep
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.cancellation.answer import (
    CancellationAnswer,
    CutoffClaim,
    Handback,
    Moment,
    OwnershipClaim,
)
from agentbench_tasks.reservations.domain.cancellation.case import CancellationCase
from agentbench_tasks.reservations.domain.cancellation.plot import ONLINE
from agentbench_tasks.reservations.domain.directory import DirectoryGetListing, ListingText
from agentbench_tasks.reservations.domain.guest_book import BookingFindReservations, ReservationRow
from agentbench_tasks.reservations.domain.guides import guide_title
from agentbench_tasks.reservations.domain.letters import Booking
from agentbench_tasks.reservations.domain.messages import (
    MessageRow,
    MessageSent,
    MsgGetThread,
    MsgListThreads,
    MsgSaveDraft,
    MsgSendDraft,
    ThreadText,
)
from agentbench_tasks.reservations.domain.person import letter_names
from agentbench_tasks.reservations.domain.profile import ProfileGetCard
from agentbench_tasks.reservations.domain.shop_letters import cancellation
from agentbench_tasks.reservations.domain.venue import VenueGetPage

Change = Callable[[CancellationAnswer], CancellationAnswer]


class Found(msgspec.Struct, frozen=True):
    """A table that is shown to be the user's."""

    row: ReservationRow
    ties: tuple[str, ...]
    """The records that tie it to the user."""
    thread: ThreadText | None
    """The conversation with its confirmation."""


class Prepared(msgspec.Struct, frozen=True):
    """What stands ready or was done."""

    outcome: str = "prepared"
    stage_id: str = ""
    message_id: str = ""
    act_by: Moment = Moment()


class Moves:
    """Finds the table, ties it to the user, reads its limit, prepares, asks, answers."""

    def __init__(self, case: CancellationCase, do: Do) -> None:
        self.case, self.do = case, do
        self.built = case.built
        self.zone, self.setting = case.built.place.zone, case.built.town.setting
        self.listing: ListingText | None = None
        self.account: list[ReservationRow] = []
        self.alike: list[ReservationRow] = []
        """The tables of that evening that were found under the user's name, whoever's they are."""

    # --- whose it is

    def find(self, venue: str = "", day: str = "") -> Found | None:
        """Find the user's own table at a house on a day: in the account, and by what was sent to the user."""
        venue, day = venue or self.built.place.full_name, day or self.built.day
        self.do(ProfileGetCard())
        self.account = self.do(BookingFindReservations()).reservations
        threads = self.threads(venue)
        for rows in chain([self.account], (self.named(day, word) for word in self.words)):
            self.alike += [row for row in rows if _is_meant(row, venue, day)]
            for row in rows:
                told = [(thread, note) for thread in threads for note in thread.messages if _tells(note, row)]
                ties = [*([row.reservation_id] if row.in_account else []), *(note.message_id for _, note in told)]
                if _is_meant(row, venue, day) and row.status == "confirmed" and ties:
                    return Found(row, tuple(ties), told[0][0] if told else None)
        return None

    def threads(self, venue: str) -> list[ThreadText]:
        """Read the conversations that name a house."""
        heads = self.do(MsgListThreads(query=venue)).threads
        return [self.do(MsgGetThread(thread_id=head.thread_id)) for head in heads]

    @property
    def words(self) -> tuple[str, ...]:
        """The names under which the user may stand in a guest book, as confirmations and the profile have them."""
        name = self.built.user.name
        parts = (name.family, name.family_latin, name.reading, name.given, name.given_latin)
        return tuple(dict.fromkeys(word for part in parts for word in part.split()))

    def named(self, day: str, word: str) -> list[ReservationRow]:
        """Read the guest books of a day for a name."""
        return self.do(BookingFindReservations(on_date=day, surname=word)).reservations

    # --- until when

    def read_limit(self, row: ReservationRow) -> int:
        """Read the listing, the terms and the hours of the house; return the limit, counted as the terms say."""
        self.listing = self.do(DirectoryGetListing(venue_id=row.venue_id))
        self.do(VenueGetPage(page_id=row.terms_page_id))
        hours = next(page for page in self.listing.pages if page.kind == "hours")
        self.do(VenueGetPage(page_id=hours.page_id))
        return self.built.kept[row.venue_id].until(_start(row), self.zone)

    def charge_now(self, row: ReservationRow) -> MoneyValue:
        """What calling off costs now: as the surface quotes it, or as the terms have it."""
        if row.made_via in ONLINE:
            quote = self.do(BookingQuoteChange(reservation_id=row.reservation_id, cancel=True))
            return MoneyValue(amount=quote.charge.amount, currency=quote.charge.currency)
        start = self.case.start
        charge = settle_cancellation(start, start.get(Reservation, row.reservation_id), start.now).charge.wire()
        return MoneyValue(amount=charge.amount, currency=charge.currency)

    # --- the message

    def read_guide(self) -> None:
        """Read how one writes to shops here."""
        heads = self.do(PagesSearch(query=guide_title("writing", self.setting.language), kind="writing_guide")).pages
        self.do(PagesGet(page_id=heads[0].page_id))

    def letter(self, row: ReservationRow, variant: int = 0, later_s: int = 0) -> str:
        """The message that calls a table off, or what is to be read out for one by telephone.

        With the hour of one so much later.
        """
        user, language = self.built.user, self.setting.language
        when = service_time(_start(row) + later_s, self.zone)
        names = letter_names(user.name, self.setting.market.code, language)
        booking = Booking(names, when.service_date, when.time, row.party_size, row.reference)
        return cancellation(
            booking,
            language=language,
            variant=variant,
            gender=user.gender,
            sender=names[0],
            spoken=row.made_via == "phone",
        )

    def draft(self, found: Found, body: str) -> str:
        """Write the message where it belongs; return the id of the draft."""
        row = found.row
        if row.made_via in ("messenger", "mail"):
            assert found.thread is not None
            return self.do(MsgSaveDraft(body=body, thread_id=found.thread.thread_id)).draft_id
        channel = "call_note" if row.made_via == "phone" else "mail"
        return self.do(MsgSaveDraft(body=body, channel=channel, recipient_id=row.venue_id)).draft_id

    # --- preparing

    def ask(self, call: Tool, summary: str) -> bool:
        """Ask for leave for a call; return whether it was granted."""
        arguments = json.dumps(call.model_dump(mode="json"))
        return self.do(UserRequestApproval(tool=call.name, arguments=arguments, summary=summary)).decision == "granted"

    def stage(self, row: ReservationRow, before: int) -> str:
        """Stage the cancellation; return the id of the stage."""
        call = BookingStageCancellation(reservation_id=row.reservation_id, execute_before=to_local(before, self.zone))
        return self.do(call).stage_id

    def carry_out(self, found: Found, draft_id: str, until: int) -> Prepared:
        """Do what the user agrees to, and leave the rest ready."""
        row = found.row
        if row.made_via != "phone":
            call = self.calling_off(row, draft_id)
            if self.ask(call, "Call the table off; it costs nothing now."):
                sent = self.do(call)
                return Prepared("cancelled", message_id=sent.message_id if isinstance(sent, MessageSent) else draft_id)
        if row.made_via in ONLINE:
            return Prepared(stage_id=self.stage(row, until), message_id=draft_id)
        return Prepared(message_id=draft_id, act_by=self.moment(until))

    def calling_off(self, row: ReservationRow, draft_id: str) -> BookingCancelReservation | MsgSendDraft:
        """The call by which a table is called off that was booked on a surface or in writing."""
        if row.made_via in ONLINE:
            return BookingCancelReservation(reservation_id=row.reservation_id)
        return MsgSendDraft(draft_id=draft_id)

    # --- answering

    def moment(self, instant: int) -> Moment:
        """An instant as the venue's clock shows it."""
        return Moment(local=to_local(instant, self.zone), zone=self.zone)

    def answer(self, found: Found, until: int, done: Prepared) -> CancellationAnswer:
        """The answer about a table of the user's."""
        row = found.row
        return CancellationAnswer(
            outcome=done.outcome,  # type: ignore[arg-type]
            reservation=row.reservation_id,
            ownership=OwnershipClaim(value=True, sources=[*found.ties[:2]]),
            channel=row.made_via,  # type: ignore[arg-type]
            stage_id=done.stage_id,
            message_draft_id=done.message_id,
            cutoff=CutoffClaim(value=self.moment(until), sources=[row.terms_page_id]),
            act_by=done.act_by,
        )

    def handback(self, step: BlockingStep, evidence: list[str]) -> Handback:
        """What stopped the errand."""
        return Handback(step=step, evidence=evidence, next_step=MEANING[step][0])

    def disown(self) -> CancellationAnswer:
        """The answer where nothing ties a table to the user: handed back with the tables of the account, which are
        others, and the rows that bear the name.
        """
        evidence = [row.reservation_id for row in (*self.account[:2], *self.alike[:2])]
        return CancellationAnswer(outcome="handed_back", handback=self.handback("ownership_unconfirmed", evidence))

    def solve(
        self,
        change: Change = lambda answer: answer,
        *,
        find: Callable[[Moves], Found | None] | None = None,
        write: Callable[[Moves, Found, str], str] | None = None,
        body: Callable[[Moves, ReservationRow], str] | None = None,
        carry_out: Callable[[Moves, Found, str, int], Prepared] | None = None,
    ) -> None:
        """Do everything; each argument does one part otherwise."""
        found = find(self) if find else self.find()
        if found is None:
            self.do(change(self.disown()))
            return
        until = self.read_limit(found.row)
        now_charge = self.charge_now(found.row)
        self.read_guide()
        text = body(self, found.row) if body else self.letter(found.row)
        draft_id = (write or Moves.draft)(self, found, text)
        if now_charge.minor_in(self.built.place.currency):
            answer = self.answer(found, until, Prepared("handed_back", message_id=draft_id))
            stop = self.handback("cutoff_passed", [found.row.terms_page_id])
            self.do(change(answer.model_copy(update={"handback": stop, "charge": now_charge})))
            return
        done = (carry_out or Moves.carry_out)(self, found, draft_id, until)
        self.do(change(self.answer(found, until, done)))


def _is_meant(row: ReservationRow, venue: str, day: str) -> bool:
    return row.venue == venue and row.start.local[:10] == day


def _tells(note: MessageRow, row: ReservationRow) -> bool:
    """Whether a message tells of a table, by its reference."""
    return row.reference in note.text or row.reference in note.quoted


def _start(row: ReservationRow) -> int:
    day, clock = row.start.local.split("T")
    return service_instant(day, clock, row.start.zone)
