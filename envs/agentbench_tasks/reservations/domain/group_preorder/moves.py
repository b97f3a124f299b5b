"""How a careful assistant goes about a pre-order: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from agentbench_env.claims import MoneyValue
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do
from agentbench_env.user import UserAsk
from agentbench_env.zones import to_local
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.reservations.domain.directory import DirectoryGetListing, ListingText
from agentbench_tasks.reservations.domain.group_preorder.answer import (
    DeadlineClaim,
    Moment,
    PreorderAnswer,
    TotalClaim,
)
from agentbench_tasks.reservations.domain.group_preorder.case import PreorderCase
from agentbench_tasks.reservations.domain.group_preorder.orders import Offered, Serving
from agentbench_tasks.reservations.domain.guest_book import BookingFindReservations, ReservationRow
from agentbench_tasks.reservations.domain.guides import guide_title
from agentbench_tasks.reservations.domain.messages import MsgGetThread, MsgListThreads, MsgSaveDraft
from agentbench_tasks.reservations.domain.preorder import PreorderGetMenu, PreorderSaveSheet
from agentbench_tasks.reservations.domain.profile import ProfileGetCard
from agentbench_tasks.reservations.domain.shop_letters import preorder_cover
from agentbench_tasks.reservations.domain.venue import VenueGetPage

Change = Callable[[PreorderAnswer], PreorderAnswer]
OrderChange = Callable[["Moves", list[Serving]], list[Serving]]


class Moves:
    """Finds the table, reads what people want, reads the menu, puts the order together, writes, answers."""

    def __init__(self, case: PreorderCase, do: Do, offered: type[Offered] = Offered) -> None:
        self.case, self.do, self._offered = case, do, offered
        self.built, self.table = case.built, case.built.table
        self.zone, self.setting = case.built.place.zone, case.built.town.setting
        self.row: ReservationRow
        self.listing: ListingText
        self.offered: Offered
        self.menu_page_id = ""

    # --- reading

    def find(self) -> None:
        """Find the table among those of the account."""
        rows = self.do(BookingFindReservations()).reservations
        venue, day = self.built.place.full_name, self.built.evening.day
        self.row = next(row for row in rows if row.venue == venue and row.start.local[:10] == day)

    def read_chat(self) -> None:
        """Read the conversation of the group to its end, and what somebody wrote to the user alone."""
        head = next(
            one for one in self.do(MsgListThreads(query=self.built.title)).threads if one.title == self.built.title
        )
        thread = self.do(MsgGetThread(thread_id=head.thread_id))
        while thread.next_page_token:
            thread = self.do(MsgGetThread(thread_id=head.thread_id, page_token=thread.next_page_token))
        for guest in self.table.guests:
            if guest.private:
                heads = self.do(MsgListThreads(query=guest.name.native)).threads
                for one in heads:
                    if one.title == guest.name.native:
                        self.do(MsgGetThread(thread_id=one.thread_id))

    def ask_what_is_open(self) -> None:
        """Ask what the conversation leaves to the user."""
        if self.table.severe_id:
            self.do(UserAsk(topic="severity_of_x", question="How severe is the allergy?"))
        if any(guest.child and not guest.child.told for guest in self.table.coming):
            self.do(UserAsk(topic="kid_age", question="How old is the child?"))

    def read_menu(self) -> None:
        """Read pages and sets of the house; the set for children only where a child comes."""
        self.listing = self.do(DirectoryGetListing(venue_id=self.row.venue_id))
        hours = next(page for page in self.listing.pages if page.kind == "hours")
        self.do(VenueGetPage(page_id=hours.page_id))
        heads = self.do(PreorderGetMenu(venue_id=self.row.venue_id)).menus
        name = self.built.card.menu.name
        head = next(one for one in heads if one.name == name)
        self.menu_page_id = head.page_id
        menu = self.do(PreorderGetMenu(venue_id=self.row.venue_id, menu_id=head.menu_id))
        child = any(guest.child for guest in self.table.coming)
        kid = self.do(PreorderGetMenu(venue_id=self.row.venue_id, menu_id=head.kid_menu_id)) if child else None
        self.offered = self._offered(menu, kid, self.built.card.menu.main_course)

    def read_guide(self) -> None:
        """Read how one writes to shops here."""
        heads = self.do(PagesSearch(query=guide_title("writing", self.setting.language), kind="writing_guide")).pages
        self.do(PagesGet(page_id=heads[0].page_id))

    # --- preparing

    def order(self) -> list[Serving]:
        """The cheapest order that is right for everybody, by the rules that the menu prints."""
        head = self.offered.head
        return self.offered.servings(self.table, self.built.card.menu.most_different_mains, head.kid_up_to_age)

    def save(self, servings: Sequence[Serving], total: Money, reservation_id: str = "") -> str:
        """Write the sheet; return its id."""
        return self.do(
            PreorderSaveSheet(
                reservation_id=reservation_id or self.row.reservation_id,
                lines=self.offered.lines(servings),
                stated_total=total.wire().amount,
            )
        ).sheet_id

    def letter(self, variant: int = 0, later_s: int = 0) -> str:
        """The message that goes with the sheet, with the hour of a booking so much later."""
        booking, user = self.case.booking, self.built.user
        if later_s:
            later = to_local(self.built.evening.start + later_s, self.zone)[11:16]
            booking = msgspec.structs.replace(booking, clock=later)
        return preorder_cover(
            booking,
            language=self.setting.language,
            variant=variant,
            gender=user.gender,
            sender=booking.names[0],
        )

    def draft(self, body: str, sheet_id: str) -> str:
        """Write the message to the house with the sheet; return the id of the draft."""
        call = MsgSaveDraft(body=body, channel="mail", recipient_id=self.row.venue_id, attachment_ids=[sheet_id])
        return self.do(call).draft_id

    # --- answering

    def moment(self, instant: int) -> Moment:
        """An instant as the venue's clock shows it."""
        return Moment(local=to_local(instant, self.zone), zone=self.zone)

    def answer(self, sheet_id: str, draft_id: str, total: Money) -> PreorderAnswer:
        """The answer, with the set as the record that states price and deadline."""
        amount, sources = total.wire(), [self.offered.head.menu_id]
        return PreorderAnswer(
            sheet_id=sheet_id,
            draft_id=draft_id,
            total=TotalClaim(value=MoneyValue(amount=amount.amount, currency=amount.currency), sources=sources),
            deadline=DeadlineClaim(value=self.moment(self.built.evening.deadline), sources=sources),
        )

    def solve(
        self,
        change: Change = lambda answer: answer,
        *,
        order: OrderChange = lambda moves, servings: servings,
        total: Callable[[Moves, Sequence[Serving]], Money] | None = None,
        body: Callable[[Moves], str] | None = None,
        draft: Callable[[Moves, str, str], str] | None = None,
    ) -> None:
        """Do everything; each argument does one part otherwise."""
        self.do(ProfileGetCard())
        self.find()
        self.read_chat()
        self.read_menu()
        self.ask_what_is_open()
        self.read_guide()
        servings = order(self, self.order())
        amount = total(self, servings) if total else self.offered.total(servings)
        sheet_id = self.save(servings, amount)
        text = body(self) if body else self.letter()
        draft_id = (draft or Moves.draft)(self, text, sheet_id)
        self.do(change(self.answer(sheet_id, draft_id, amount)))
