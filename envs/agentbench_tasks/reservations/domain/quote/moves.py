"""How a careful assistant goes about an enquiry: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.text.names import Gender
from agentbench_env.tool import Tool
from agentbench_env.user import UserAsk, UserRequestApproval
from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.papers import PaperHead, PapersGet, PapersList
from agentbench_tasks.commons.texts import LinesSlot, Text, body_of
from agentbench_tasks.reservations.domain.directory import (
    DirectoryGetListing,
    DirectorySearchPlaces,
    ListingText,
    PlaceRow,
)
from agentbench_tasks.reservations.domain.firm import Firm
from agentbench_tasks.reservations.domain.guides import guide_title
from agentbench_tasks.reservations.domain.household import paper_title
from agentbench_tasks.reservations.domain.market import in_language
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft, MsgSendDraft
from agentbench_tasks.reservations.domain.person import letter_names
from agentbench_tasks.reservations.domain.profile import ProfileGetCard
from agentbench_tasks.reservations.domain.quote.answer import QuoteAnswer
from agentbench_tasks.reservations.domain.quote.build import FILE
from agentbench_tasks.reservations.domain.quote.case import QuoteCase
from agentbench_tasks.reservations.domain.quote.goal import Goal
from agentbench_tasks.reservations.domain.quote_facts import TEXTS, QuoteFact, fact_line, fact_words
from agentbench_tasks.reservations.domain.quote_page import named
from agentbench_tasks.reservations.domain.shop_letters import enquiry
from agentbench_tasks.reservations.domain.venue import VenueGetPage

_ALWAYS_READ = ("dwelling", "building_rule")
_THING_KINDS = ("asset", "photo_label", "invoice", "note")


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be written, and to whom."""

    firm_id: str
    channel: Channel
    language: str
    facts: tuple[QuoteFact, ...]
    slot: QuoteFact
    gender: Gender
    variant: int = 0
    careless: bool = False
    """Whether in a tone in which nobody writes to a firm."""


class Moves:
    """Finds the firm, reads what it asks, looks it up at home, writes, answers."""

    def __init__(self, case: QuoteCase, do: Do) -> None:
        self.case, self.do = case, do
        self.built = case.built
        self.setting = case.built.town.setting

    # --- reading

    def search(self) -> list[PlaceRow]:
        """Read the user's card, and search for firms of the trade that come to the district."""
        self.do(ProfileGetCard())
        trade = named("trades", (self.built.plot.trade,), self.setting.language)
        near = in_language(self.built.quarter.district.names, self.setting.language)
        return self.do(DirectorySearchPlaces(kind="home_service", near=near, trade=trade)).places

    def read_firms(self, rows: Iterable[PlaceRow]) -> None:
        """Read the listings of firms, and their pages on quotes."""
        for row in rows:
            for page in self.listing(row.venue_id).pages:
                self.do(VenueGetPage(page_id=page.page_id))

    def listing(self, firm_id: str) -> ListingText:
        """Read the listing of a firm."""
        return self.do(DirectoryGetListing(venue_id=firm_id))

    def read_papers(self) -> None:
        """Read the papers on homes, and those on what the firm comes for; each says whether it still holds."""
        language, trade = self.setting.language, self.built.plot.trade
        wanted = {paper_title(kind, trade, language) for kind in _THING_KINDS}
        for head in self.papers():
            if head.kind in _ALWAYS_READ or head.title in wanted:
                self.do(PapersGet(paper_id=head.paper_id))

    def papers(self) -> list[PaperHead]:
        """List all papers."""
        heads = self.do(PapersList())
        papers = [*heads.papers]
        while token := heads.next_page_token:
            heads = self.do(PapersList(page_token=token))
            papers += heads.papers
        return papers

    def ask_what_is_missing(self) -> None:
        """Ask the user what no paper has."""
        if asked := self.built.estate.asked:
            self.do(UserAsk(topic=asked.key, question="The papers do not say. Do you know?"))

    def read_guide(self) -> None:
        """Read how one writes to firms here."""
        heads = self.do(PagesSearch(query=guide_title("writing", self.setting.language), kind="writing_guide")).pages
        self.do(PagesGet(page_id=heads[0].page_id))

    def read(self) -> None:
        """Read everything."""
        self.read_firms(self.search())
        self.read_papers()
        self.ask_what_is_missing()
        self.read_guide()

    # --- writing

    def letter(self, firm: Firm | None = None) -> Letter:
        """The enquiry as it should be; to another firm of the trade, as that one would want it."""
        goal: Goal = self.built.goal_of(firm) if firm else self.case.goal
        return Letter(
            firm_id=goal.firm_id,
            channel=goal.channel,
            language=goal.languages[0],
            facts=goal.facts,
            slot=goal.slot,
            gender=self.built.user.gender,
        )

    def body(self, letter: Letter) -> str:
        """Write an enquiry."""
        trade, sender = self.built.plot.trade, self.sender(letter.language)
        if letter.careless:
            service: str = shared_table(f"text/{letter.language}/{TEXTS}")["services"][trade]
            facts = LinesSlot(tuple((fact_line(fact, letter.language),) for fact in letter.facts))
            slot = fact_words(letter.slot, letter.language)
            return body_of(Text.of(FILE, "careless", letter.language, 0, service=service, facts=facts, slot=slot))
        return enquiry(
            trade,
            letter.facts,
            letter.slot,
            language=letter.language,
            variant=letter.variant,
            gender=letter.gender,
            sender=sender,
        )

    def sender(self, language: str) -> str:
        """The name under an enquiry."""
        user = self.built.user
        at_home = language == self.setting.language
        return letter_names(user.name, self.setting.market.code, language)[0] if at_home else user.name.latin

    def save(self, letter: Letter, draft_id: str = "") -> str:
        """Keep an enquiry as a draft; return its id."""
        call = MsgSaveDraft(
            body=self.body(letter), channel=letter.channel, recipient_id=letter.firm_id, draft_id=draft_id
        )
        return self.do(call).draft_id

    def ask(self, call: Tool, summary: str) -> bool:
        """Ask for leave for a call; return whether it was granted."""
        arguments = json.dumps(call.model_dump(mode="json"))
        return self.do(UserRequestApproval(tool=call.name, arguments=arguments, summary=summary)).decision == "granted"

    def send(self, draft_id: str) -> str:
        """Send an enquiry; return the id of the message."""
        return self.do(MsgSendDraft(draft_id=draft_id)).message_id

    def finish(self, draft_id: str, *, open_points: Sequence[str] | None = None, firm_id: str = "") -> None:
        """Deliver the answer."""
        goal = self.case.goal
        points = sorted(goal.open_keys) if open_points is None else list(open_points)
        self.do(QuoteAnswer(draft_id=draft_id, firm=firm_id or goal.firm_id, open_points=points))  # type: ignore[arg-type]

    def solve(self, change: Callable[[Letter], Letter] = lambda letter: letter) -> None:
        """Do everything; the enquiry is written with a change."""
        self.read()
        self.finish(self.save(change(self.letter())))
