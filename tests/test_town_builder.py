"""The town builder: a shared background, and houses of the plot that show what they keep."""

from __future__ import annotations

import msgspec
import pytest
from commons_kit import do

from agentbench_env.draw import Draw, Split
from agentbench_env.market import load_market, market_codes
from agentbench_env.task import DIFFICULTIES, Difficulty, Setting
from agentbench_env.world import Start, World
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.pages import Page, sections_of
from agentbench_tasks.commons.texts import body_of, render, title_of
from agentbench_tasks.reservations.domain.build_town import IN_REACH, Town, TownBuilder
from agentbench_tasks.reservations.domain.guests import REVIEWS
from agentbench_tasks.reservations.domain.house import PAGES
from agentbench_tasks.reservations.domain.opening import open_town
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.places import Listing, Place, Review, metres_between
from agentbench_tasks.reservations.domain.queue import Board, QueueGetBoard, queue_key
from agentbench_tasks.reservations.domain.surface import Route, Surface, notices_of, route_on
from agentbench_tasks.reservations.domain.tables import Table, free_tables
from agentbench_tasks.reservations.domain.terms import Occasion, deposit_total, terms_for
from agentbench_tasks.reservations.domain.venue import effective_service

SPLITS: tuple[Split, ...] = ("train", "dev", "test")


def builder(code: str, seed: int, difficulty: Difficulty = "standard", split: Split = "train") -> TownBuilder:
    market = load_market(code)
    setting = Setting(market, split, difficulty, market.languages[0])
    return TownBuilder(Draw("town", seed, split=split), setting, to_instant("2026-10-09T10:00", market.zone))


def world_of(town: Town) -> World:
    return open_town(Draw("world"), town)


def near(town: Town, world: World) -> list[Place]:
    quarter = town.quarters[0]
    return [
        place
        for place in world.all(Place)
        if metres_between(place.point, quarter.landmark.point) <= 900 and place.district == quarter.area.id
    ]


@pytest.mark.parametrize("code", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_towns_have_as_many_houses_pages_and_reviews_as_the_difficulty_says(code: str, difficulty: Difficulty) -> None:
    for split in SPLITS:
        build = builder(code, 1, difficulty, split)
        houses = [build.house() for _ in range(5)]
        town = build.close()
        world = world_of(town)
        least, most = IN_REACH[difficulty]
        assert least <= len(near(town, world)) <= most
        assert len({record.id for record in town.records}) == len(town.records)
        assert world.settings["account"] == town.user.account
        replaced = {page.supersedes for page in world.all(Page)} - {""}
        assert bool(replaced) == (difficulty != "easy")
        for place in world.all(Place):
            pages = [page for page in world.where(Page, "publisher", place.id) if page.id not in replaced]
            assert PAGES[difficulty][0] <= len(pages) <= PAGES[difficulty][1]
            assert len(world.where(Listing, "venue_id", place.id)) == 1
            assert len(world.where(Surface, "venue_id", place.id)) == 1
            assert len(world.where(Board, "venue_id", place.id)) == 1
            assert world.where(Table, "venue_id", place.id)
            assert REVIEWS[difficulty][0] <= len(world.where(Review, "venue_id", place.id)) <= REVIEWS[difficulty][1]
        assert {house.place.id for house in houses} <= {place.id for place in world.all(Place)}


@pytest.mark.parametrize("code", market_codes())
def test_everything_that_a_town_shows_can_be_read(code: str) -> None:
    for split in SPLITS:
        world = world_of(builder(code, 2, "hard", split).close())
        names = [place.full_name for place in world.all(Place)]
        assert len(set(names)) == len(names)
        for page in world.all(Page):
            assert title_of(page.title)
            for section in sections_of(world, page.id):
                body = render(section.text).body
                assert body
                assert "{" not in body
        for listing in world.all(Listing):
            assert body_of(listing.from_venue.text)
        for review in world.all(Review):
            assert body_of(review.text)
            assert review.visited_on <= review.posted_on
        for surface in world.all(Surface):
            assert all(notices_of(surface.routes, surface.remarks))
            assert body_of(surface.window_text)
        for board in world.all(Board):
            assert body_of(board.text)


@pytest.mark.parametrize("code", market_codes())
def test_engines_ask_for_a_deposit_where_terms_do(code: str) -> None:
    market = load_market(code)
    world = world_of(builder(code, 3).close())
    asked = 0
    for surface in world.all(Surface):
        for day in ("2026-10-17", "2026-10-21"):
            for hours in effective_service(world, surface.venue_id, day):
                for party in range(1, 12):
                    route = route_on(world, surface, party, day, hours.service)
                    start = to_instant(f"{day}T{hours.open}", market.zone)
                    terms = terms_for(world, surface.venue_id, Occasion(party, start, market.zone, market.currency))
                    assert route is not None
                    assert terms is not None
                    kinds = {"card_hold": "hold", "deposit": "charged"}
                    steps = [kinds[step] for step in route.steps if step in kinds]
                    assert terms.deposit.kind == (steps[0] if steps else "none")
                    asked += deposit_total(terms, Occasion(party, start, market.zone, market.currency)).minor > 0
    assert asked


def test_a_house_that_is_changed_shows_what_it_keeps_and_the_rest_stays_shared() -> None:
    build = builder("JP", 4)
    house, other = build.house(), build.house()
    mode = "phone" if house.routes[0][0].mode != "phone" else "in_person"
    house.take_bookings(Route(mode, "", PartyRange()))
    town = build.close()
    world = world_of(town)
    surface = world.where(Surface, "venue_id", house.place.id)[0]
    assert [route.mode for route in surface.routes] == [mode]
    first = house.first
    assert first is not None
    assert other.first is not None
    pages = {page.kind: page for page in world.where(Page, "publisher", house.place.id)}
    shared = {record.id: record for thing in first.shown.values() for record in thing}
    assert pages["hours"] is shared[pages["hours"].id]
    assert pages["booking"] is not shared[pages["booking"].id]
    assert {id(record) for record in other.records() if not isinstance(record, Table)} & {
        id(record) for records in other.first.shown.values() for record in records
    }
    assert first.routes != house.routes


def test_the_same_seed_gives_the_same_town_and_another_one_another() -> None:
    assert builder("TH", 5).close().records == builder("TH", 5).close().records
    assert builder("TH", 5).close().records != builder("TH", 6).close().records


def test_custom_takes_tables_on_days_that_nothing_settles() -> None:
    build = builder("SG", 7)
    house = build.house()
    house.furnishing.settle("2026-10-16")
    house.furnishing.percent = 100
    world = world_of(build.close())
    zone = house.place.zone
    assert free_tables(world, house.place.id, to_instant("2026-10-16T19:00", zone), 2, 120)
    assert not free_tables(world, house.place.id, to_instant("2026-10-17T19:00", zone), 2, 120)
    house.furnishing.take(house.furnishing.tables, "2026-10-16", "18:00", "21:00")
    world = World(Start(house.records()), build.now, zone, "en", "key")
    assert not free_tables(world, house.place.id, to_instant("2026-10-16T19:00", zone), 2, 120)
    assert free_tables(world, house.place.id, to_instant("2026-10-16T21:00", zone), 2, 120)


def test_a_board_of_the_background_stands_as_it_is_read() -> None:
    build = builder("JP", 8)
    house = build.house()
    assert house.board.as_of == 0
    world = world_of(build.close())
    result = do(world, QueueGetBoard, venue_id=house.place.id).result
    assert result.as_of.local == "2026-10-09T10:00"


def test_a_house_whose_app_alone_gives_numbers_says_so_on_board_and_page() -> None:
    build = builder("JP", 9)
    house = build.house()
    house.board = msgspec.structs.replace(house.board, mode="remote_app", accepting=True, remote_join=True)
    house.on_site = False
    if "walk_in" not in house.pages:
        house.pages.append("walk_in")
    world = world_of(build.close())
    key = queue_key(house.place.id, "on_site")
    assert world.where(Board, "venue_id", house.place.id)[0].facts(world)[key] is False
    assert world.get(Page, house.page_id("walk_in")).facts(world)[key] is False


def test_no_two_houses_have_one_telephone_number() -> None:
    for code in market_codes():
        numbers = [place.phone for place in world_of(builder(code, 1, "hard").close()).all(Place)]
        assert len(set(numbers)) == len(numbers)


def test_addresses_of_houses_have_letters_without_accents() -> None:
    for seed in range(6):
        world = world_of(builder("TH", seed, "hard").close())
        assert all(reach.address.isascii() for place in world.all(Place) for reach in place.reaches)
