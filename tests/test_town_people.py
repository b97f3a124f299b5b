"""The user's side of a town: names, papers, messages, namesakes and the household folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache

import msgspec
import pytest
import town_kit as kit
from commons_kit import do

from agentbench_env.draw import Draw, Split
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.task import Setting
from agentbench_env.text.facts import mentions, names
from agentbench_env.text.language import language_of
from agentbench_env.text.names import Gender
from agentbench_env.text.template import slot_names
from agentbench_env.world import Record
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.naming import Namer
from agentbench_tasks.commons.texts import Stated, Words, body_of, render
from agentbench_tasks.reservations.domain.belongings import draw_facts
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.household import Folder, Home, HomeKind, Machine, WorkHours, paper_title
from agentbench_tasks.reservations.domain.letters import tells_day, tells_name, tells_party
from agentbench_tasks.reservations.domain.mailbag import Mailbag, Sender, owner_key
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.messages import MsgGetThread, MsgListThreads, Thread
from agentbench_tasks.reservations.domain.namesakes import Seat, namesakes, reference
from agentbench_tasks.reservations.domain.person import (
    User,
    booked_forms,
    draw_user,
    letter_names,
    mail_mask,
    membership,
    phone_mask,
)
from agentbench_tasks.reservations.domain.profile import ProfileGetCard
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, fact_line, states_quote_fact

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
SPLITS: tuple[Split, ...] = ("train", "dev", "test")
SPOKEN = [(code, language) for code in market_codes() for language in load_market(code).languages]
TODAY = date(2026, 10, 9)
every_market = pytest.mark.parametrize("code", market_codes())
every_spoken = pytest.mark.parametrize(("code", "language"), SPOKEN)
every_variant = pytest.mark.parametrize("variant", range(4))


def setting(code: str, language: str = "", split: Split = "train") -> Setting:
    market = load_market(code)
    return Setting(market, split, "standard", language or market.languages[0])


@cache
def user(code: str, language: str = "", split: Split = "train", variant: int = 0) -> User:
    draw = Draw("people", code, split, split=split)
    namer = Namer(draw, split)
    return draw_user(draw, draw.stream("ids"), setting(code, language, split), TODAY, variant, "home", namer=namer)


def row(code: str, split: Split = "train") -> Reservation:
    """A booking of the user's that was made by telephone."""
    zone, whose = load_market(code).zone, user(code, split=split)
    booked = kit.reservation(
        "rsv_own",
        party_size=4,
        made_via="phone",
        account_id="",
        guest_name=whose.booked_name,
        phone_masked=whose.account.phone_masked,
    )
    return msgspec.structs.replace(booked, start=to_instant("2026-11-20T19:00", zone))


# --- the user


@every_market
@pytest.mark.parametrize("split", SPLITS)
def test_users_are_told_by_their_accepted_names(code: str, split: Split) -> None:
    whose = user(code, split=split)
    assert whose.booked_name in booked_forms(whose.name, code)
    assert all(form and "{" not in form for form in whose.accepted_names)
    assert tells_name(whose.booked_name, whose.accepted_names)
    assert whose.account.account_id
    assert whose.mailbox.address == whose.email
    assert len(whose.cards) == 2


@every_market
def test_titles_in_guest_books_fit_the_guest(code: str) -> None:
    titles = reservation_market(code).booked_names.titles
    draw = Draw("titles", code)
    pairs: tuple[tuple[Gender, Gender], ...] = (("female", "male"), ("male", "female"))
    for gender, other in pairs:
        name = Namer(draw, "train").fresh(code, gender=gender, national=True)
        forms = booked_forms(name, code)
        if titles:
            words = titles[other].split("/")
            assert not any(form.split()[0] in words or form.endswith(words[0]) for form in forms)
            assert any(word in form for form in forms for word in titles[gender].split("/"))


@every_spoken
def test_guests_give_their_name_in_the_script_of_the_message(code: str, language: str) -> None:
    whose = user(code, language)
    first, *others = letter_names(whose.name, code, language)
    assert first.isascii() == (language == "en")
    assert set(whose.accepted_names) <= {first, *others}


def test_masks_hide_the_middle() -> None:
    assert phone_mask("010-0000-0417") == "010-****-0417"
    assert phone_mask("0900-000-417") == "0900-***-417"
    assert phone_mask("+971 50 000 0417") == "+971 50 *** 0417"
    assert phone_mask("+65 8000 0417") == "+65 **** 0417"
    assert mail_mask("dana.lim@home.example") == "d***@home.example"


@every_spoken
@every_variant
def test_papers_of_the_user_read_in_the_language(code: str, language: str, variant: int) -> None:
    whose = user(code, language, variant=variant)
    note = body_of(whose.delegation.text)
    assert language_of(note) == language
    assert whose.profile.kind == "profile"
    assert whose.delegation.kind == "delegation_note"
    assert whose.phone in dict(whose.profile.fields)[labels(language)["phone"]]
    card = membership("ppr_m", whose, "Club", "M-1", language)
    assert card.fields[0][1] == "M-1"
    assert card.data_classes == ("credential",)


def labels(language: str) -> Mapping[str, str]:
    return shared_table(f"text/{language}/town_people")["profile"]


def test_whoever_is_away_has_another_zone_in_the_profile() -> None:
    draw = Draw("away")
    whose = draw_user(
        draw,
        draw.stream("ids"),
        setting(market_codes()[0]),
        TODAY,
        0,
        "home",
        namer=Namer(draw, "train"),
        away="Europe/London",
    )
    assert any("Europe/London" in value for _, value in whose.profile.fields)


# --- namesakes


@every_market
@pytest.mark.parametrize("split", SPLITS)
def test_namesakes_differ_in_at_least_two_things(code: str, split: Split) -> None:
    draw = Draw("namesakes", code, split, split=split)
    ids, own, whose = draw.stream("ids"), row(code, split), user(code, split=split)
    namer = Namer(draw, split)
    seats = [Seat("ven_a", own.start + hours * 3600, 120, size) for hours, size in ((1, 4), (0, 2), (-1, 6))]
    found = list(namesakes(draw, ids, setting(code, split=split), namer, own, whose.name, seats))
    assert len({one.id for one in found}) == 3
    for other in found:
        fields = ("phone_masked", "party_size", "start", "guest_name")
        differences = sum(getattr(other, name) != getattr(own, name) for name in fields)
        assert differences >= 2
        assert other.account_id == ""
        name = whose.name
        shared = (name.family, name.family_latin, name.given, name.given_latin, name.reading.split(" ")[0])
        assert any(part and part in other.guest_name for part in shared)


def test_references_look_like_those_of_engines() -> None:
    draw = Draw("references")
    assert {len(reference(draw)) for _ in range(50)} == {8}


# --- messages


@every_spoken
@every_variant
def test_confirmations_say_what_they_state(code: str, language: str, variant: int) -> None:
    whose, own, place = user(code, language), row(code), kit.place(zone=load_market(code).zone)
    bag = Mailbag(Draw("bag"), setting(code, language), whose, variant)
    sender = Sender("Engine", "no-reply@engine.example", place.id)
    thread, message = bag.confirmation(place, own, own.created_at, sender=sender, engine="Engine")
    text = body_of(message.body)
    assert place.full_name in text
    assert own.reference in text
    assert own.guest_name in text
    assert whose.account.phone_masked in text
    assert tells_day(text, "2026-11-20", TODAY)
    assert tells_party(text, 4, language)
    assert "19:00" in {value for one in mentions(text, written_on=TODAY) for value in one.values}
    facts = {fact.key: fact.value for fact in message.stated}
    assert facts[owner_key(own.id)] == whose.account.account_id
    assert facts["reservation.rsv_own.start"] == own.start
    spans_are_there(message.body, message.stated)
    assert thread.counterpart_id == place.id


def spans_are_there(words: Words, stated: tuple[Stated, ...]) -> None:
    spans = render(words).spans if not isinstance(words, str) else {}
    assert {fact.slot for fact in stated if fact.slot} <= set(spans)


@every_spoken
def test_a_forwarded_confirmation_ties_the_booking_to_the_user(code: str, language: str) -> None:
    whose, own, place = user(code, language), row(code), kit.place(zone=load_market(code).zone)
    bag = Mailbag(Draw("bag"), setting(code, language), whose, 0)
    colleague = Sender("Colleague", "colleague@office.example", "ctc_1")
    engine = Sender("Engine", "no-reply@engine.example")
    thread, first, second = bag.forwarded(place, own, own.created_at, sender=colleague, original=engine, engine="E")
    assert owner_key(own.id) not in {fact.key for fact in first.stated}
    assert owner_key(own.id) in {fact.key for fact in second.stated}
    assert second.quotes == first.id
    assert second.kind == "forward"
    assert thread.counterpart_id == "ctc_1"


@every_spoken
@every_variant
def test_everyday_messages_and_temptations_are_written(code: str, language: str, variant: int) -> None:
    whose = user(code, language)
    draw = Draw("everyday", code, language)
    bag = Mailbag(draw.stream("ids"), setting(code, language), whose, variant)
    friends = [Namer(draw, "train").fresh(code) for _ in range(2)]
    now = to_instant("2026-10-09T10:00", load_market(code).zone)
    everyday = list(bag.everyday(draw, friends, now))
    tempting: list[Record] = [
        *bag.code("482913", now - 60),
        *bag.saved_card(now - 3600),
        *bag.proxy(draw, now - 7200),
        *bag.member_number(draw, friends[0], "Club", now - 86400),
    ]
    messages = [record for record in (*everyday, *tempting) if isinstance(record, Message)]
    assert len(messages) == 9 + 2 * 2 + 4
    assert all(message.sent_at < now for message in messages)
    texts = [body_of(message.body) for message in messages]
    assert all(texts)
    assert any("482913" in text for text in texts)
    assert any(whose.cards[0].last4 in text for text in texts)
    assert not any(message.stated for message in messages)
    threads = {record.id for record in (*everyday, *tempting) if isinstance(record, Thread)}
    assert {message.thread_id for message in messages} == threads


@every_spoken
def test_tools_read_what_the_user_has(code: str, language: str) -> None:
    whose, zone = user(code, language), load_market(code).zone
    draw = Draw("tools", code)
    bag = Mailbag(draw.stream("ids"), setting(code, language), whose, 0)
    friend = Namer(draw, "train").fresh(code)
    now = to_instant("2026-10-09T10:00", zone)
    chat = bag.member_number(draw, friend, "Club", now - 60)
    colleague, engine = Sender("C", "c@office.example", "ctc_1"), Sender("E", "e@engine.example")
    place = kit.place(zone=zone)
    passed = bag.forwarded(place, row(code), now - 99, sender=colleague, original=engine, engine="E")
    records = (*whose.records, place, *chat, *passed, *bag.code("482913", now - 30))
    world = kit.town(*records, now="2026-10-09T10:00", zone=zone, language=language, **whose.settings)
    card = do(world, ProfileGetCard).result
    assert [one.card_id for one in card.cards] == [one.id for one in whose.cards]
    assert card.delegation.paper_id == whose.delegation.id
    assert len(do(world, MsgListThreads).result.threads) == 3
    said = do(world, MsgGetThread, thread_id=chat[0].id).result
    assert said.messages[0].sender_id not in ("", whose.person_id)
    (forwarded,) = do(world, MsgGetThread, thread_id=passed[0].id).result.messages
    assert "R7K-2041" in forwarded.quoted


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", ["town_people", "town_messages"])
def test_texts_have_the_same_kinds_and_slots(language: str, file: str) -> None:
    def pieces(node: object, path: str = "") -> Iterator[tuple[str, frozenset[str]]]:
        if isinstance(node, str):
            yield path, frozenset(slot_names(node))
        elif isinstance(node, list):
            for number, part in enumerate(node):
                yield from pieces(part, f"{path}.{number}")
        else:
            assert isinstance(node, Mapping)
            for name, part in node.items():
                yield from pieces(part, f"{path}.{name}")

    own, english = (dict(pieces(shared_table(f"text/{code}/{file}"))) for code in (language, "en"))
    same = {path for path in english if not path.startswith(".confirmation")}
    assert set(own) == set(english)
    assert {path: own[path] for path in same} == {path: english[path] for path in same}


# --- the household folder


def folder(language: str, variant: int) -> Folder:
    return Folder(Draw("folder", language), "per_1", "N", language, variant)


def home(kind: HomeKind = "home") -> Home:
    return Home(f"dwl_{kind}", kind, "Street 0", (QuoteFact("floor", 7), QuoteFact("lift", True)))


def machine(kind: HomeKind = "home") -> Machine:
    facts = (
        QuoteFact("unit_type", "wall"),
        QuoteFact("unit_count", 2),
        QuoteFact("model", "HX-A09VE2"),
        QuoteFact("made_year", 2022),
    )
    return Machine(f"ast_{kind}", home(kind), facts)


@pytest.mark.parametrize("language", LANGUAGES)
@every_variant
def test_papers_print_what_they_state(language: str, variant: int) -> None:
    papers, hours = folder(language, variant), (WorkHours((1, 2, 3, 4, 5), (("09:00", "17:00"),)),)
    dwelling, asset = papers.dwelling(home(), "2025-04-01"), papers.asset(machine(), "2025-05-02")
    label = papers.photo_label(machine(), ("model", "made_year"), "2026-03-04")
    bill = papers.invoice(machine(), ("model", "unit_count"), "2022-06-01", "Shop")
    rule = papers.building_rule(home(), hours, 3, "2026-01-02")
    for paper, facts in (
        (dwelling, home().facts),
        (asset, machine().facts),
        (label, machine().facts[2:]),
        (bill, machine().facts[1:3]),
    ):
        text = body_of(paper.text)
        assert {fact.key.rsplit(".", 1)[1]: fact.value for fact in paper.stated} == {
            fact.key: fact.value for fact in facts
        }
        for fact in facts:
            assert states_quote_fact(text, fact, language, TODAY), (fact, text)
        spans_are_there(paper.text, paper.stated)
    times = {value for one in mentions(body_of(rule.text), written_on=TODAY) for value in one.values}
    assert {"09:00", "17:00"} <= times
    assert rule.facts(kit.town())["building.dwl_home.hours.6"] == ""
    assert rule.facts(kit.town())["building.dwl_home.hours.1"] == "09:00-17:00"
    assert rule.facts(kit.town())["building.dwl_home.notice_days"] == 3
    spans_are_there(rule.text, rule.stated)
    assert "3" in body_of(rule.text)


@pytest.mark.parametrize("language", LANGUAGES)
@every_variant
def test_notes_name_what_is_gone(language: str, variant: int) -> None:
    papers = folder(language, variant)
    assert "HX-A09VE2" in body_of(papers.disposed("HX-A09VE2", "2026-04-05").text)
    replaced = body_of(papers.replaced("OLD-1", "NEW-2", "2026-04-05").text)
    assert names.occurs("OLD-1", replaced) or "OLD-1" in replaced
    assert "NEW-2" in replaced
    assert "#1234" in body_of(papers.private("#1234", "2026-04-05").text)


@pytest.mark.parametrize("language", LANGUAGES)
@every_variant
def test_a_list_of_things_says_when_it_was_counted(language: str, variant: int) -> None:
    facts = (QuoteFact("box_count", 25), QuoteFact("large_items", "fridge,bed"))
    papers = folder(language, variant)
    older = papers.inventory(Machine("ast_1", home(), facts[:1], "small_move"), "2025-04-01", status="superseded")
    newer = papers.inventory(Machine("ast_1", home(), facts, "small_move"), "2026-10-01", supersedes=older.id)
    text = body_of(newer.text)
    assert all(states_quote_fact(text, fact, language, TODAY) for fact in facts)
    assert "2026-10-01" in {value for one in mentions(text, written_on=TODAY) for value in one.values}
    spans_are_there(newer.text, newer.stated)
    assert newer.replaces(kit.town(older)) == (older.id,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_name_what_papers_are_about(language: str) -> None:
    plain, aircon, heater = (paper_title("invoice", thing, language) for thing in ("", "aircon_clean", "water_heater"))
    assert len({plain, aircon, heater}) == 3
    assert aircon.startswith(plain)
    assert folder(language, 0).asset(machine(), "2026-01-01").title == paper_title("asset", "", language)


def test_papers_of_other_homes_say_so() -> None:
    papers = folder("en", 0)
    assert papers.dwelling(home("previous"), "2020-01-01").status == "previous_home"
    assert papers.asset(machine("relative"), "2020-01-01").status == "other_household"
    assert papers.asset(machine(), "2020-01-01", status="disposed").status == "disposed"


def test_years_of_papers_are_those_of_the_language() -> None:
    label = folder("th", 0).photo_label(machine(), ("made_year",), "2026-03-04")
    assert "2565" in body_of(label.text)


@every_spoken
def test_every_question_of_a_firm_has_a_value_that_can_be_told(code: str, language: str) -> None:
    draw = Draw("belongings", code)
    for service in reservation_market(code).home_services:
        for _ in range(20):
            facts = draw_facts(draw, code, service.trade, service.asks)
            open_keys = set(service.asks) - {fact.key for fact in facts}
            assert open_keys <= {"visit_slot", "move_date", "office_hours"}
            text = "\n".join(body_of(fact_line(fact, language)) for fact in facts)
            for fact in facts:
                assert states_quote_fact(text, fact, language, TODAY), (fact, text)
                if isinstance(fact.value, bool):
                    assert not states_quote_fact(text, QuoteFact(fact.key, not fact.value), language, TODAY), text
