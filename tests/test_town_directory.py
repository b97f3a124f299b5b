"""The discovery site, venues' pages, certificates, walks, the profile, queues and the telephone relay."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from commons_kit import do, every_page, flat, refused
from town_kit import (
    BY_PHONE,
    DINNER,
    INSTANT,
    MARKS,
    NOW,
    WEEK,
    at,
    card,
    hours,
    listing,
    place,
    profile,
    reached,
    surface,
    town,
    venue,
)

from agentbench_env.world import World
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import Stated, Text
from agentbench_tasks.commons.values import ROW
from agentbench_tasks.reservations.domain.directory import (
    DirectoryGetListing,
    DirectoryListReviews,
    DirectoryPostRequest,
    DirectorySearchPlaces,
    OpenRequest,
)
from agentbench_tasks.reservations.domain.geo import GeoGetWalk, Walk, walk_key
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.phone import PhoneCall, PhonePlaceCall
from agentbench_tasks.reservations.domain.places import Listing, Names, Review
from agentbench_tasks.reservations.domain.profile import ProfileGetCard
from agentbench_tasks.reservations.domain.queue import Board, QueueGetBoard, QueueJoinWaitlist, WaitlistEntry
from agentbench_tasks.reservations.domain.registry import Certificate, RegistryCheckCertificate
from agentbench_tasks.reservations.domain.surface import ContactSpan, RouteContact
from agentbench_tasks.reservations.domain.terms import Terms
from agentbench_tasks.reservations.domain.venue import VenueGetPage

# --- searching


def street(**settings: Any) -> World:
    near = place("ven_near", point=(30, 40), name=Names("月待", "Tsukimachi"), cuisine="そば", group_id="grp")
    far = place(
        "ven_far", point=(900, 1200), name=Names("青磁", "Seiji"), group_id="grp", branch=Names("別邸", "Bettei")
    )
    firm = place(
        "ven_firm",
        kind="home_service",
        district="plc_other",
        covers=("plc_ginza",),
        trades=("エアコン清掃",),
        point=(5_000, 0),
    )
    other = MARKS[0]
    return town(
        *venue(),
        near,
        far,
        firm,
        msgspec.structs.replace(other, id="plc_other", name=Names("浅草", "Asakusa"), point=(5_000, 0)),
        listing("ven_near", popularity=9, price_symbol="¥¥¥", tags=("アレルギー対応",), tables_tonight="2名様"),
        listing("ven_far", popularity=50, price_symbol="¥"),
        listing("ven_firm", popularity=3),
        **settings,
    )


def found(world: World, **arguments: Any) -> list[str]:
    usual = {"kind": "restaurant", "near": "銀座駅"}
    return [row.venue_id for row in do(world, DirectorySearchPlaces, **{**usual, **arguments}).result.places]


def test_places_are_found_near_a_mark_in_either_script_or_by_id() -> None:
    world = street()
    assert found(world) == found(world, near="ginza station") == found(world, near="plc_station")
    assert found(world) == ["ven_near", "ven_a", "ven_far"]
    assert found(world, radius_m=500) == ["ven_near", "ven_a"]
    assert found(world, radius_m=499) == ["ven_near"]
    assert found(world, near="銀座") == ["ven_near", "ven_a", "ven_far"]
    assert found(world, near="浅草") == []
    assert refused(world, DirectorySearchPlaces, kind="restaurant", near="大阪").code == "unknown_place"


def test_places_are_filtered_and_sorted_by_what_the_site_says() -> None:
    world = street()
    assert found(world, sort="popularity") == ["ven_far", "ven_near", "ven_a"]
    assert found(world, sort="price") == ["ven_a", "ven_far", "ven_near"]
    assert found(world, cuisine="そば") == ["ven_near"]
    assert found(world, tag="アレルギー対応") == ["ven_near"]
    assert found(world, query="seiji bettei") == ["ven_far"]
    assert found(world, kind="home_service", near="銀座", trade="エアコン清掃") == ["ven_firm"]
    assert found(world, kind="home_service", near="銀座", trade="引越し") == []


def test_a_row_prints_the_sites_word_and_shows_no_fact() -> None:
    call = do(street(), DirectorySearchPlaces, kind="restaurant", near="銀座駅", radius_m=100)
    (row,) = call.result.places
    assert (row.name, row.latin_name, row.branch, row.district) == ("月待", "Tsukimachi", "銀座店", "銀座")
    assert (row.metres, row.price_symbol, row.site_tags, row.tables_tonight) == (
        50,
        "¥¥¥",
        ("アレルギー対応",),
        "2名様",
    )
    assert call.shown == {"ven_near": (ROW,)}


def test_ten_places_come_at_a_time() -> None:
    places = [place(f"ven_{n:02}", point=(n, 0)) for n in range(23)]
    world = town(*MARKS, *places, *(listing(one.id) for one in places))
    pages = every_page(
        world, DirectorySearchPlaces, lambda r: [row.venue_id for row in r.places], kind="restaurant", near="銀座駅"
    )
    assert [len(rows) for rows in pages] == [10, 10, 3]
    assert flat(pages) == [one.id for one in places]


# --- listings and reviews


def page(id: str = "pg_hours", publisher: str = "ven_a", **fields: Any) -> Page:
    rest: dict[str, Any] = {"publisher_kind": "provider", "kind": "hours", "topic": "", "language": "en", **fields}
    return Page(id, publisher, "縞しま", title="Hours", published="2026-05-01", **rest)


FEES = Text.of("travel", "pages.payment_fees", "en", 0, fee="x")
SECTION = Section("sec_1", "pg_hours", 1, FEES, (Stated("hours", "17:30"),))


def test_a_listing_tells_its_two_parts_pages_and_branches_apart() -> None:
    stated = (Stated("diet.ven_near", "declared"),)
    world = street()
    world.put(msgspec.structs.replace(listing("ven_near", tags=("静か",)), stated=stated))
    for record in (page(publisher="ven_near"), SECTION, surface()):
        world.put(record)
    call = do(world, DirectoryGetListing, venue_id="ven_near")
    shown = call.result
    assert shown.from_venue.text == "旬の素材を使った懐石料理です。"
    assert [(field.name, field.value) for field in shown.from_venue.fields] == [("席", "テーブル")]
    assert shown.from_site.tags == ("静か",)
    assert [(line.page_id, line.kind, line.published) for line in shown.pages] == [("pg_hours", "hours", "2026-05-01")]
    assert [branch.venue_id for branch in shown.other_branches] == ["ven_far"]
    assert (shown.surface_id, shown.landmark_id, shown.phone) == ("", "plc_station", "03-0000-4417")
    assert call.shown == {"lst_ven_near": (), "ven_near": (), "pg_hours": (ROW,)}
    assert world.get(Listing, "lst_ven_near").facts(world) == {"diet.ven_near": "declared"}
    assert do(world, DirectoryGetListing, venue_id="ven_a").result.surface_id == "srf_a"
    assert refused(world, DirectoryGetListing, venue_id="ven_x").code == "unknown_id"


def review(n: int, posted: str, helpful: int = 0) -> Review:
    stated = (Stated("noise.ven_a", "quiet"),)
    return Review(f"rev_{n}", "ven_a", "neko", posted, posted, 2, 4, f"text {n}", "en", helpful, stated)


def test_reviews_come_five_at_a_time_the_most_helpful_first() -> None:
    reviews = [review(n, f"2026-0{n}-01", helpful=n % 4) for n in range(1, 8)]
    world = town(*venue(), *reviews)
    ids = lambda r: [row.review_id for row in r.reviews]
    popular = every_page(world, DirectoryListReviews, ids, venue_id="ven_a")
    assert popular == [["rev_3", "rev_7", "rev_2", "rev_6", "rev_1"], ["rev_5", "rev_4"]]
    newest = flat(every_page(world, DirectoryListReviews, ids, venue_id="ven_a", sort="newest"))
    assert newest == [f"rev_{n}" for n in range(7, 0, -1)]
    call = do(world, DirectoryListReviews, venue_id="ven_a", sort="newest", from_date="2026-06-01")
    assert ids(call.result) == ["rev_7", "rev_6"]
    assert call.shown == {"rev_7": (), "rev_6": ()}
    assert reviews[0].facts(world) == {"noise.ven_a": "quiet"}
    assert refused(world, DirectoryListReviews, venue_id="ven_a", from_date="June").code == "invalid_argument"
    assert refused(world, DirectoryListReviews, venue_id="ven_x").code == "unknown_id"


def test_a_request_goes_to_firms_of_the_trade_that_serve_the_district() -> None:
    world = street()
    more = [place(f"ven_f{n}", kind="home_service", trades=("エアコン清掃",)) for n in range(3)]
    for n, firm in enumerate(more):
        world.put(firm)
        world.put(listing(firm.id, popularity=10 + n))
    wish = {
        "trade": "エアコン清掃",
        "district": "銀座",
        "text": "エアコン二台の清掃をお願いしたく、お見積もりをいただけますでしょうか。平日の午前を希望します。",
    }
    posted = do(world, DirectoryPostRequest, **wish, max_providers=3)
    assert (posted.effect, posted.result.sent_to) == ("send", ("ven_f2", "ven_f1", "ven_f0"))
    assert reached(world) == [("open_request", "", id) for id in posted.result.sent_to]
    assert world.get(OpenRequest, posted.result.request_id).firm_ids == posted.result.sent_to
    assert do(world, DirectoryPostRequest, **wish, max_providers=5).result.sent_to[-1] == "ven_firm"
    assert (
        refused(world, DirectoryPostRequest, **{**wish, "text": "いくら？"}, max_providers=1).code == "text_too_short"
    )
    assert (
        refused(world, DirectoryPostRequest, **{**wish, "district": "銀座駅"}, max_providers=1).code == "unknown_place"
    )
    assert refused(world, DirectoryPostRequest, **wish, max_providers=6).code == "invalid_argument"


def test_a_venues_page_is_read_through_the_venue_only() -> None:
    guide = page("pg_guide", "org_city", publisher_kind="authority")
    older = page("pg_old")
    newer = page(supersedes="pg_old", effective_from="2026-10-01")
    world = town(*venue(newer, older, guide, SECTION))
    call = do(world, VenueGetPage, page_id="pg_hours")
    assert (call.result.supersedes, call.result.page.effective_from) == ("pg_old", "2026-10-01")
    assert call.shown == {"pg_hours": ("hours",), "sec_1": ()}
    assert refused(world, VenueGetPage, page_id="pg_guide").code == "unknown_id"
    assert refused(world, VenueGetPage, page_id="pg_x").code == "unknown_id"


# --- certificates


def certificate(id: str, outlet: str, **fields: Any) -> Certificate:
    rest: dict[str, Any] = {
        "scheme": "halal",
        "body": "Council",
        "number": f"ZZ-0000-{id[-1]}",
        "holder": "Lantern & Rye Pte Ltd",
        "outlet_address": "00 Example Rd",
        "scope": "whole_outlet",
        "valid_from": "2025-01-01",
        "valid_to": "2026-12-31",
        "status": "valid",
        **fields,
    }
    return Certificate(id, outlet_name=outlet, **rest)


def test_certificates_are_found_by_number_or_outlet_the_dead_ones_too() -> None:
    rows = (
        certificate("cer_1", "Lantern (Bugis)", stated=(Stated("diet", "certified"),)),
        certificate("cer_2", "Lantern (Katong)", status="expired", valid_to="2026-03-31"),
        certificate("cer_3", "Siti's", holder="Siti"),
    )
    world = town(*rows)

    def look(**arguments: Any) -> list[str]:
        return [c.certificate_id for c in do(world, RegistryCheckCertificate, **arguments).result.certificates]

    assert look(scheme="halal", number="zz 00002") == ["cer_2"]
    assert look(scheme="halal", outlet_name="LANTERN") == ["cer_1", "cer_2"]
    assert look(scheme="halal", outlet_name="lantern", number="ZZ-0000-3") == []
    assert rows[0].facts(world) == {"diet": "certified"}
    assert refused(world, RegistryCheckCertificate, scheme="vegan", number="1").code == "unknown_scheme"
    assert refused(world, RegistryCheckCertificate, scheme="kosher", number="1").code == "invalid_argument"
    assert refused(world, RegistryCheckCertificate, scheme="halal", number=" - ").code == "invalid_argument"


def test_at_most_ten_certificates_are_shown() -> None:
    world = town(*(certificate(f"cer_{n:02}", f"Outlet {n:02}") for n in range(12)))
    call = do(world, RegistryCheckCertificate, scheme="halal", outlet_name="outlet")
    assert (len(call.result.certificates), call.result.total, len(call.shown)) == (10, 12, 10)


# --- walks and the profile


def test_a_walk_follows_the_streets_unless_the_world_knows_better() -> None:
    world = town(*venue(), place("ven_b", point=(80, 0)), Walk("wlk_1", "plc_station", "ven_b", 1_000))
    walk = do(world, GeoGetWalk, from_id="ven_a", to_id="plc_station")
    assert (walk.result.metres, walk.result.minutes) == (700, 9)
    assert walk.shown == {walk.result.walk_id: ()}
    assert do(world, GeoGetWalk, from_id="plc_station", to_id="ven_a").result.walk_id == walk.result.walk_id
    facts = world.get(Walk, walk.result.walk_id).facts(world)
    assert facts[walk_key("plc_station", "ven_a")] == facts[walk_key("ven_a", "plc_station")] == 9
    known = do(world, GeoGetWalk, from_id="ven_b", to_id="plc_station").result
    assert (known.walk_id, known.metres, known.minutes) == ("wlk_1", 1_000, 13)
    error = refused(world, GeoGetWalk, from_id="ven_a", to_id="ppr_x")
    assert (error.code, error.field) == ("unknown_id", "to_id")


def test_the_profile_shows_cards_memberships_and_the_note() -> None:
    note = Paper("ppr_note", "delegation_note", "Note", "per_d", "Dana Lim", text="No calls, no cards.")
    club = Paper("ppr_club", "membership", "Club", "per_d", "Dana Lim", "Grand", fields=(("Number", "M-1001"),))
    lapsed = Paper("ppr_old", "membership", "Old club", "per_d", "Dana Lim", status="superseded")
    world = town(profile(), note, club, lapsed, card(), card("pm_bank", kind="iban"))
    call = do(world, ProfileGetCard)
    assert [field.value for field in call.result.fields] == ["Dana Lim", "090-0000-0417", "dana@home.example"]
    assert (call.result.zone, call.result.language) == ("Asia/Tokyo", "ja")
    assert [(one.card_id, one.last4) for one in call.result.cards] == [("pm_visa", "4242")]
    assert [(one.paper_id, one.fields[0].value) for one in call.result.memberships] == [("ppr_club", "M-1001")]
    assert (call.result.delegation.paper_id, call.result.delegation.text) == ("ppr_note", "No calls, no cards.")
    assert set(call.shown) == {"ppr_me", "ppr_note", "ppr_club", "pm_visa"}
    assert do(town(profile()), ProfileGetCard).result.delegation.paper_id == ""


# --- queues


def board(**fields: Any) -> Board:
    rest: dict[str, Any] = {
        "as_of": at(NOW),
        "mode": "kiosk_number",
        "accepting": True,
        "walk_in": PartyRange(1, 4),
        "seating": ("table", "counter"),
        "text": "ただいま8組待ち。",
        "groups_waiting": 8,
        "minutes_per_group": 6,
        "ticket_cutoff": "19:30",
        "remote_join": True,
        **fields,
    }
    return Board("brd_a", "ven_a", **rest)


def test_a_board_shows_how_one_gets_in_and_how_long_one_waits() -> None:
    world = town(*venue(board()))
    call = do(world, QueueGetBoard, venue_id="ven_a")
    shown = call.result
    assert (shown.mode, shown.groups_waiting, shown.minutes_per_group, shown.est_wait_min) == ("kiosk_number", 8, 6, -1)
    assert (shown.ticket_cutoff.service_date, shown.ticket_cutoff.time) == ("2026-10-09", "19:30")
    assert call.shown == {"brd_a": ()}
    facts = world.get(Board, "brd_a").facts(world)
    assert (facts["queue.ven_a.wait_min"], facts["queue.ven_a.ticket_cutoff"]) == (48, "19:30")
    told = board(est_wait_min=50, ticket_cutoff="", stated=(Stated("x", 1),))
    assert (told.wait_min, told.facts(world)["x"]) == (50, 1)
    assert do(town(*venue(told)), QueueGetBoard, venue_id="ven_a").result.ticket_cutoff.time == ""
    assert refused(town(*venue()), QueueGetBoard, venue_id="ven_a").code == "no_board"
    assert refused(town(*venue()), QueueGetBoard, venue_id="ven_x").code == "unknown_id"


def join(world: World, party_size: int = 4) -> dict[str, Any]:
    return {"venue_id": "ven_a", "party_size": party_size, "guest_name": "Dana", "phone": "090-0000-0417"}


def test_joining_from_afar_writes_a_name_down() -> None:
    world = town(*venue(board()))
    joined = do(world, QueueJoinWaitlist, **join(world))
    assert (joined.effect, joined.result.ticket) == ("commit", "9")
    assert [entry.party_size for entry in world.all(WaitlistEntry)] == [4]
    assert reached(world) == [("booking", "waitlist", "ven_a")]
    assert do(world, QueueJoinWaitlist, **join(world)).result.ticket == "10"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"accepting": False}, "not_accepting"),
        ({"mode": "none"}, "not_accepting"),
        ({"walk_in": PartyRange(1, 2)}, "not_accepting"),
        ({"ticket_cutoff": "09:30"}, "not_accepting"),
        ({"remote_join": False}, "on_site_only"),
    ],
)
def test_a_list_may_be_closed_or_taken_on_site_only(fields: dict[str, Any], code: str) -> None:
    world = town(*venue(board(**fields)))
    assert refused(world, QueueJoinWaitlist, **join(world)).code == code


def test_there_is_no_list_without_a_board() -> None:
    world = town(*venue())
    assert refused(world, QueueJoinWaitlist, **join(world)).code == "no_board"


# --- the telephone relay


def ring(number: str = "03-0000-4417") -> dict[str, str]:
    return {"number": number, "script": "本日のご予約は可能でしょうか。"}


def test_the_relay_rings_a_venue_in_its_hours() -> None:
    world = town(*venue(), now="2026-10-09T18:00")
    rung = do(world, PhonePlaceCall, **ring("０３ 0000 4417"))
    assert (rung.effect, rung.result.venue_id) == ("send", "ven_a")
    assert "縞しま 銀座店" in rung.result.report
    assert [call.number for call in world.all(PhoneCall)] == ["0300004417"]
    assert reached(world) == [("call", "", "ven_a")]
    assert refused(town(*venue()), PhonePlaceCall, **ring()).code == "closed_now"
    assert refused(world, PhonePlaceCall, **ring("03-0000-0000")).code == "unknown_id"
    assert refused(world, PhonePlaceCall, **ring("-")).code == "unknown_id"


def test_a_contact_of_its_own_is_rung_in_its_own_hours() -> None:
    line = RouteContact("phone", "03-0000-4418", (ContactSpan(WEEK, "14:00", "17:00"),))
    house = surface(INSTANT, msgspec.structs.replace(BY_PHONE, contact=line))
    for now, answered in (("2026-10-09T14:00", True), ("2026-10-09T18:00", False)):
        world = town(*venue(house), now=now)
        if answered:
            assert do(world, PhonePlaceCall, **ring("03-0000-4418")).result.venue_id == "ven_a"
        else:
            assert refused(world, PhonePlaceCall, **ring("03-0000-4418")).code == "closed_now"


def test_the_contact_of_the_terms_can_be_rung() -> None:
    terms = Terms("trm", "ven_a", "pg_terms", contact=RouteContact("phone", "03-0000-4420"))
    world = town(*venue(terms))
    assert do(world, PhonePlaceCall, **ring("03-0000-4420")).result.venue_id == "ven_a"


def test_who_prints_no_hours_always_answers() -> None:
    firm = place("ven_f", kind="home_service", phone="03-0000-9999")
    world = town(*MARKS, firm)
    assert do(world, PhonePlaceCall, **ring("03-0000-9999")).result.venue_id == "ven_f"
    keeps = town(*MARKS, firm, hours("hrs_f", DINNER, venue_id="ven_f"))
    assert refused(keeps, PhonePlaceCall, **ring("03-0000-9999")).code == "closed_now"
