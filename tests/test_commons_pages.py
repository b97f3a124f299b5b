"""Published pages and papers: ranking, paging, versions, what a result shows, quotes."""

from __future__ import annotations

from typing import Any

import pytest
from commons_kit import (
    do,
    every_page,
    fees,
    flat,
    paper,
    refused,
    world_of,
)

from agentbench_env.claims import QuoteText, quote_fault, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_tasks.commons.pages import Page, PagesGet, PagesSearch, Section, body, fact_span
from agentbench_tasks.commons.papers import Paper, PapersGet, PapersList
from agentbench_tasks.commons.texts import (
    CountSlot,
    Stated,
    Text,
    render,
)

# --- pages


def page(id: str, publisher: str = "org_a", title: str = "Terms", **fields: Any) -> Page:
    rest: dict[str, Any] = {"publisher_kind": "provider", "kind": "terms", "language": "en", **fields}
    return Page(id, publisher, "Lumen Jet", topic="", title=title, **rest)


def section(id: str, page_id: str, no: int, text: Text, *stated: Stated) -> Section:
    return Section(id, page_id, no, text, stated)


def fee_fact(amount: str) -> Stated:
    return Stated("L2J.card_fee", f"{amount} SGD", "fee")


@pytest.fixture
def library() -> World:
    return world_of(
        page("pg_old", title="Payment", kind="fee_schedule", version="1", effective_to="2026-08-31"),
        section("sec_old", "pg_old", 1, fees("10.00"), fee_fact("10.00")),
        page("pg_new", title="Payment", kind="fee_schedule", version="2", supersedes="pg_old", published="2026-09-01"),
        section("sec_new", "pg_new", 1, fees("12.00", 1), fee_fact("12.00")),
        section(
            "sec_bags",
            "pg_new",
            2,
            Text.of("travel", "pages.baggage_included", "en", kg=CountSlot(20, "kg")),
            Stated("L2J.bag_kg", 20, "kg"),
        ),
        page("pg_ko", title="결제", language="ko", twin_of="pg_new", dating="text", effective_from="2026-09-01"),
        section("sec_ko", "pg_ko", 1, fees("12.00", language="ko"), fee_fact("12.00")),
        page("pg_gone", publisher="org_b", title="Closed", publisher_kind="forum", gone=True),
        section("sec_gone", "pg_gone", 1, fees("1.00", 2)),
    )


def hits(world: World, query: str = "", **arguments: Any) -> list[str]:
    return [hit.page_id for hit in do(world, PagesSearch, query=query, **arguments).result.pages]


def test_title_counts_three_heading_two_text_one_and_ties_go_by_id() -> None:
    world = world_of(
        page("pg_a", title="Refunds"),
        section("sec_a", "pg_a", 1, fees()),  # heading "Card payments", text with "handling fee"
        page("pg_b", title="Card payments abroad"),
        section("sec_b", "pg_b", 1, fees(variant=1)),  # heading "Fees by method", text with "card"
        page("pg_d", title="Nothing"),
        section("sec_d", "pg_d", 1, fees(variant=1)),
        page("pg_c", title="Nothing"),
        section("sec_c", "pg_c", 1, fees(variant=1)),
    )
    assert hits(world, "CARD") == ["pg_b", "pg_a", "pg_c", "pg_d"]  # 3 + 1, 2 + 1, 1, 1
    assert hits(world, "payments card refunds") == ["pg_a", "pg_b", "pg_c", "pg_d"]  # 3 + 3 + 2, 4 + 3, 1, 1
    assert hits(world, "fees card") == ["pg_b", "pg_a", "pg_c", "pg_d"]  # 4 + 2, 3, 1 + 2, 1 + 2
    assert hits(world, "zeppelin") == []


def test_a_long_word_without_spaces_is_found_by_its_pairs_of_characters(library: World) -> None:
    assert hits(library, "결제수수료") == ["pg_ko"]  # the page writes it with a space
    assert hits(library, "무관한단어들") == []
    assert hits(library, "paymentsurcharge") == []  # Latin words are not cut


def test_search_filters_by_publisher_kind_and_language(library: World) -> None:
    assert hits(library, publisher="org_a") == ["pg_ko", "pg_new", "pg_old"]
    assert hits(library, publisher="org_b") == ["pg_gone"]
    assert hits(library, "fee", publisher_kind="forum") == ["pg_gone"]
    assert hits(library, "fee", kind="fee_schedule", publisher="org_a") == ["pg_new", "pg_old"]
    assert hits(library, "수수료", language="ko") == ["pg_ko"]
    assert hits(library, "수수료", language="en") == []


def test_search_rows_carry_no_fact_and_print_dates_only_of_pages_that_have_them_as_fields(library: World) -> None:
    outcome = do(library, PagesSearch, query="", publisher="org_a")
    assert outcome.shown == {"pg_ko": ("id",), "pg_new": ("id",), "pg_old": ("id",)}
    by_id = {hit.page_id: hit for hit in outcome.result.pages}
    assert by_id["pg_old"].effective_to == "2026-08-31"
    assert by_id["pg_ko"].effective_from == ""
    assert by_id["pg_new"].excerpt == render(fees("12.00", 1)).body[:140]


def test_search_refuses_an_empty_query_an_unknown_publisher_and_a_wrong_token(library: World) -> None:
    assert (refused(library, PagesSearch, query=" ").code, refused(library, PagesSearch, query=" ").field) == (
        "invalid_argument",
        "query",
    )
    assert refused(library, PagesSearch, query="fee", publisher="org_zz").code == "unknown_publisher"
    assert refused(library, PagesSearch, query="fee", page_token="p3").field == "page_token"
    assert refused(library, PagesSearch, query="fee", publisher_kind="blog").field == "publisher_kind"


def test_search_pages_by_ten() -> None:
    world = world_of(*(page(f"pg_{n:02}") for n in range(23)))
    pages = every_page(world, PagesSearch, lambda r: [hit.page_id for hit in r.pages], query="terms")
    assert [len(rows) for rows in pages] == [10, 10, 3]
    assert flat(pages) == [f"pg_{n:02}" for n in range(23)]
    assert do(world, PagesSearch, query="terms").result.total == 23


def test_a_page_shows_its_sections_and_itself_as_carriers(library: World) -> None:
    outcome = do(library, PagesGet, page_id="pg_new")
    result = outcome.result
    assert outcome.shown == {"pg_new": ("L2J.card_fee", "L2J.bag_kg"), "sec_new": (), "sec_bags": ()}
    assert [(row.section_id, row.no) for row in result.sections] == [("sec_new", 1), ("sec_bags", 2)]
    assert (result.supersedes, result.other_languages, result.page.version) == ("pg_old", ["pg_ko"], "2")
    assert do(library, PagesGet, page_id="pg_ko").result.other_languages == ["pg_new"]


def test_one_section_shows_no_more_than_it_prints(library: World) -> None:
    outcome = do(library, PagesGet, page_id="pg_new", section_id="sec_bags")
    assert outcome.shown == {"pg_new": ("L2J.bag_kg",), "sec_bags": ()}
    assert [row.section_id for row in outcome.result.sections] == ["sec_bags"]


def test_pages_refuse_unknown_and_removed_ones(library: World) -> None:
    assert refused(library, PagesGet, page_id="pg_none").field == "page_id"
    assert refused(library, PagesGet, page_id="sec_new").code == "unknown_id"
    assert refused(library, PagesGet, page_id="pg_new", section_id="sec_old").field == "section_id"
    assert refused(library, PagesGet, page_id="pg_gone").code == "page_gone"
    assert refused(library, PagesGet, page_id="pg_new", page_token="p2").field == "page_token"


def test_a_long_page_comes_by_section_and_a_later_section_is_shown_only_with_its_page() -> None:
    def long(n: int) -> Text:
        return Text.of("travel", "pages.payment_fees", "en", fee="x" * 4000 + str(n))

    world = world_of(
        page("pg_l"), *(section(f"sec_{n}", "pg_l", n, long(n), Stated(f"k{n}", n, "fee")) for n in range(7))
    )
    pages = every_page(world, PagesGet, lambda r: [row.section_id for row in r.sections], page_id="pg_l")
    assert pages == [["sec_0", "sec_1", "sec_2"], ["sec_3", "sec_4", "sec_5"], ["sec_6"]]
    assert do(world, PagesGet, page_id="pg_l", page_token="p6").shown == {"pg_l": ("k6",), "sec_6": ()}


def test_facts_versions_and_spans(library: World) -> None:
    new, old = library.get(Page, "pg_new"), library.get(Section, "sec_old")
    assert new.facts(library) == {"L2J.card_fee": "12.00 SGD", "L2J.bag_kg": 20}
    assert old.facts(library) == {"L2J.card_fee": "10.00 SGD"}
    assert new.replaces(library) == ("pg_old", "sec_old")
    assert library.get(Section, "sec_bags").replaces(library) == ("pg_old", "sec_old")
    assert old.replaces(library) == ()


def test_an_older_version_beside_the_one_in_force_does_no_harm_and_alone_carries_nothing(library: World) -> None:
    episode = object.__new__(Episode)
    episode.world = library
    episode.shown = dict.fromkeys(("pg_old", "sec_old", "sec_new", "sec_bags"))
    needs = [("L2J.card_fee", "12.00 SGD")]
    assert sources_fault(episode, ["sec_new"], needs) == ""
    assert sources_fault(episode, ["sec_new", "sec_old", "pg_old"], needs) == ""
    assert sources_fault(episode, ["sec_old"], needs).startswith("no source carries")
    assert sources_fault(episode, ["pg_new"], needs) == "what pg_new says was never shown"
    assert sources_fault(episode, ["sec_old", "sec_new"], [("L2J.card_fee", "10.00 SGD")]).startswith("sec_new states")


def test_a_quote_has_to_cover_the_span_of_the_fact(library: World) -> None:
    it = library.get(Section, "sec_new")
    start, end = fact_span(it, "L2J.card_fee")
    whole = body(it)
    assert whole[start:end] == "S$12"
    assert quote_fault(QuoteText(text="Card: S$12 for each passenger"), whole, start, end) == ""
    assert quote_fault(QuoteText(text="Bank transfer: no fee."), whole, start, end) == "the passage leaves out the fact"
    with pytest.raises(KeyError, match="bag_kg"):
        fact_span(it, "L2J.bag_kg")


def test_a_fact_of_the_whole_text_spans_all_of_it() -> None:
    it = section("sec_n", "pg_n", 1, Text.of("travel", "pages.payment_fees_none", "en"), Stated("fee", "0"))
    assert fact_span(it, "fee") == (0, len(body(it)))


# --- papers


@pytest.fixture
def drawer() -> World:
    policy = Text.of("travel", "pages.payment_fees", "en", fee="y" * 7000)
    return world_of(
        paper("ppr_p", fields=(("Nationality", "Singapore"),), stated=(Stated("dana.nationality", "SG"),)),
        paper("ppr_pass", kind="passport", title="Passport", issuer="Immigration", supersedes="ppr_oldpass"),
        paper("ppr_oldpass", kind="passport", title="Passport", status="superseded"),
        paper("ppr_son", kind="passport", title="Passport", holder_id="per_s", holder="Ben Lim"),
        paper(
            "ppr_long", kind="policy", title="Cover", text=policy, stated=(Stated("limit", 5, "fee"), Stated("no", "9"))
        ),
    )


def test_papers_are_listed_by_kind_holder_and_words(drawer: World) -> None:
    def found(**arguments: Any) -> list[str]:
        return [head.paper_id for head in do(drawer, PapersList, **arguments).result.papers]

    assert found() == ["ppr_p", "ppr_pass", "ppr_oldpass", "ppr_son", "ppr_long"]
    assert found(kind="passport", holder_id="per_d") == ["ppr_pass", "ppr_oldpass"]
    assert found(query="immigration PASS") == ["ppr_pass"]
    assert do(drawer, PapersList, kind="profile").shown == {"ppr_p": ("id",)}


def test_papers_are_listed_twenty_at_a_time() -> None:
    world = world_of(*(paper(f"ppr_{n}") for n in range(41)))
    assert [len(rows) for rows in every_page(world, PapersList, lambda r: r.papers)] == [20, 20, 1]


def test_a_paper_is_read_in_full(drawer: World) -> None:
    outcome = do(drawer, PapersGet, paper_id="ppr_p")
    assert [(field.name, field.value) for field in outcome.result.fields] == [("Nationality", "Singapore")]
    assert outcome.shown == {"ppr_p": ("dana.nationality",)}
    assert refused(drawer, PapersGet, paper_id="ppr_none").code == "unknown_id"
    assert drawer.get(Paper, "ppr_pass").replaces(drawer) == ("ppr_oldpass",)


def test_a_long_paper_shows_a_fact_with_the_page_on_which_its_statement_ends(drawer: World) -> None:
    first = do(drawer, PapersGet, paper_id="ppr_long")
    assert (len(first.result.text), first.result.next_page_token) == (6000, "p6000")
    assert first.shown == {"ppr_long": ("no",)}
    second = do(drawer, PapersGet, paper_id="ppr_long", page_token="p6000")
    assert second.shown == {"ppr_long": ("limit",)}
    assert first.result.text + second.result.text == render(drawer.get(Paper, "ppr_long").text).body  # type: ignore[arg-type]
    assert second.result.next_page_token == ""
    for wrong in ("p99999", "6000", "p", "p0", "p-1"):
        assert refused(drawer, PapersGet, paper_id="ppr_long", page_token=wrong).field == "page_token"
