"""The office that the tasks of mail and calendar share: people, cards, mailbox, calendars, house pages."""

from __future__ import annotations

from datetime import date
from typing import cast

import pytest
from commons_kit import do

from agentbench_env.draw import Draw, Split
from agentbench_env.market import load_market, market_codes
from agentbench_env.task import Difficulty, Setting
from agentbench_env.text.language import language_of
from agentbench_env.world import World
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.cal_read import CalQueryFreeBusy
from agentbench_tasks.calendar_mail.domain.office import MESSAGES, Desk, Office
from agentbench_tasks.calendar_mail.domain.opening import open_world
from agentbench_tasks.commons.contacts import Contact, ContactsSearch
from agentbench_tasks.commons.events import busy
from agentbench_tasks.commons.messages import MailGetMessage, Message
from agentbench_tasks.commons.pages import PagesGet, PagesSearch

LANGUAGES = [(code, language) for code in market_codes() for language in load_market(code).prompt_languages]


def opened(
    code: str, language: str = "", seed: int = 0, split: Split = "train", difficulty: Difficulty = "standard"
) -> tuple[Desk, Office, World]:
    market = load_market(code)
    draw = Draw("office", code, seed, split=split)
    setting = Setting(market, split, difficulty, language or market.prompt_language)
    desk = Desk(draw.stream("office"), setting, to_instant("2026-10-20T09:10", market.zone))
    desk.cast.outsider("client", place="GB-ENG")
    desk.cast.superior()
    desk.routine()
    office = desk.close()
    return desk, office, open_world(draw, office, ())


@pytest.mark.parametrize(("code", "language"), LANGUAGES)
def test_everything_can_be_read_in_the_language_of_its_writer(code: str, language: str) -> None:
    _, office, world = opened(code, language)
    own = 0
    for mail in world.all(Message):
        body = do(world, MailGetMessage, message_id=mail.id).result.body
        assert "{" not in body
        own += language_of(body) == language
    assert own >= 0.7 * len(world.all(Message))
    hits = do(world, PagesSearch, query="", publisher=office.company.id).result
    assert hits.total == len(office.pages) + 3
    for hit in hits.pages:
        page = do(world, PagesGet, page_id=hit.page_id).result
        assert page.sections
        assert all(section.text for section in page.sections)


@pytest.mark.parametrize("split", ["train", "dev", "test"])
@pytest.mark.parametrize("code", market_codes())
def test_people_are_distinct_and_their_cards_whole(code: str, split: str) -> None:
    for seed in range(5):
        _, office, world = opened(code, seed=seed, split=cast(Split, split))
        cards = world.all(Contact)
        assert len({card.address for card in cards}) == len({card.display_name for card in cards}) == len(cards)
        for card in cards:
            assert all((card.address_forms, card.register_due, card.working_week, card.meeting_hours))
            assert card.is_internal == (card.org_id == office.company.id)
            assert card.is_internal or card.title
        assert {card.country for card in cards} >= {"GB-ENG", code}
        assert sum(card.relation == "self" for card in cards) == 1


@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
def test_the_mailbox_is_as_full_as_its_difficulty_says(difficulty: str) -> None:
    low, high = MESSAGES[difficulty]
    counts = {
        len(opened("SG", seed=seed, difficulty=cast(Difficulty, difficulty))[2].all(Message)) for seed in range(8)
    }
    assert all(low <= count <= high for count in counts)
    assert len(counts) > 3


def test_the_calendars_of_all_colleagues_and_of_nobody_outside_can_be_seen() -> None:
    _, office, world = opened("SG")
    for person in office.people:
        [row] = do(
            world, CalQueryFreeBusy, addresses=[person.address], from_at="2026-10-26", to_at="2026-10-30"
        ).result.calendars
        assert (row.calendar == "shared") == person.contact.is_internal


@pytest.mark.parametrize("code", market_codes())
def test_the_spans_counted_while_drawing_are_those_that_tools_find(code: str) -> None:
    desk, office, world = opened(code)
    first = to_instant(f"{desk.today}T00:00", world.zone)
    last = first + 70 * 86_400
    for address, spans in office.busy.items():
        found = busy(world, address, first, last)
        counted = {tick for start, end in spans for tick in range(max(start, first), min(end, last), 300)}
        assert counted == {tick for start, end in found for tick in range(start, end, 300)}


@pytest.mark.parametrize("code", market_codes())
def test_no_two_people_share_a_name_where_names_are_left(code: str) -> None:
    for seed in range(20):
        _, office, _ = opened(code, seed=seed, split="test")
        for names in zip(*((one.name.family_latin, one.name.given_latin) for one in office.people), strict=True):
            assert len(set(names)) == len(names)


def test_a_name_like_another_shares_the_family_name_alone() -> None:
    for code in market_codes():
        desk, _, _ = opened(code)
        first = desk.cast.outsider("client", languages=(load_market(code).prompt_language,))
        twin = desk.cast.outsider("client", like=first)
        assert twin.name.family_latin == first.name.family_latin
        assert twin.name.given_latin != first.name.given_latin
        assert twin.address != first.address


def test_contacts_are_found_in_any_script_by_title_and_by_address() -> None:
    _, office, world = opened("KR")
    boss = next(person for person in office.people if person.contact.relation == "superior")
    for query in (boss.name.native, boss.name.latin.upper(), boss.address, boss.contact.title, office.company.name):
        found = do(world, ContactsSearch, query=query).result.contacts
        assert boss.id in {card.contact_id for card in found}
    assert do(world, ContactsSearch, query="nobody of that name").result.total == 0


def test_mails_of_the_office_are_older_than_its_present() -> None:
    _, office, world = opened("JP")
    assert all(mail.sent_at < office.now for mail in world.all(Message))
    assert date.fromisoformat(world.today) == date(2026, 10, 20)
