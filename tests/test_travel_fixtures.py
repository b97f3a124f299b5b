import re
import tomllib
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1] / "fixtures" / "agentbench_markets"
MARKETS = ("kr", "jp", "sg", "tw", "th", "ae")
LANGUAGES = {"en", "ja", "ko", "zh-Hant", "th", "ar"}
HOLDS = {"free", "paid", "none"}
FLYING = {"full", "budget"}


def load(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / f"{name}.toml").read_text(encoding="utf-8"))


GEOGRAPHY = load("shared/airports")
AIRPORTS, STATIONS = GEOGRAPHY["airports"], GEOGRAPHY["stations"]
CITIES, COUNTRIES = GEOGRAPHY["cities"], GEOGRAPHY["countries"]
POINTS = AIRPORTS | STATIONS
CARRIERS = load("shared/carriers")["carriers"]
ROUTES = load("shared/routes")["routes"]
CHARGES = load("shared/departure_charges")
CORRIDORS = [(market, row) for market in MARKETS for row in load(f"{market}/travel")["corridors"]]
every_corridor = pytest.mark.parametrize(
    "corridor", [row for _, row in CORRIDORS], ids=[f"{market}-{row['id']}" for market, row in CORRIDORS]
)


def is_domestic(route: dict[str, Any]) -> bool:
    return POINTS[route["from"]]["country"] == POINTS[route["to"]]["country"]


def routes_of(leg: dict[str, list[str]]) -> list[dict[str, Any]]:
    return [route for route in ROUTES if route["from"] in leg["from"] and route["to"] in leg["to"]]


def carriers_of(leg: dict[str, list[str]]) -> set[str]:
    return {code for route in routes_of(leg) for code in route["carriers"]}


def points_of(corridor: dict[str, Any]) -> set[str]:
    return {point for leg in ("leg1", "leg2") for side in ("from", "to") for point in corridor[leg][side]}


def in_search(code: str, leg: dict[str, list[str]]) -> bool:
    carrier = CARRIERS[code]
    return carrier["in_aggregate"] or bool(set(carrier.get("aggregate_airports", ())) & {*leg["from"], *leg["to"]})


def charges_on(origin: str, destination: str, day: str, age: int) -> list[dict[str, Any]]:
    scope = "domestic" if is_domestic({"from": origin, "to": destination}) else "international"
    band = CHARGES["bands"].get(destination, "")
    return [
        row
        for row in CHARGES["charges"]
        if origin in row["airports"]
        and row["scope"] == scope
        and row["from_date"] <= day <= (row["to_date"] or "9999")
        and row["band"] in ("", band)
        and age >= row["min_age"]
    ]


@pytest.mark.parametrize("table", [AIRPORTS, STATIONS, CITIES, CARRIERS], ids=["airport", "station", "city", "carrier"])
def test_names_stand_in_six_languages(table: dict[str, Any]) -> None:
    assert all(set(row["names"]) == LANGUAGES and all(row["names"].values()) for row in table.values())


def test_local_names_are_in_their_script() -> None:
    scripts = {"ko": r"[가-힣]", "ja": r"[ぁ-ヿ一-鿿]", "zh-Hant": r"[一-鿿]", "th": r"[ก-๛]", "ar": r"[؀-ۿ]"}
    for key, row in (POINTS | CITIES).items():
        for language, pattern in scripts.items():
            assert re.search(pattern, row["names"][language]), (key, language)


def test_points_stand_in_their_city_and_zone() -> None:
    zones = load("shared/zones")["zones"]
    assert {point: city for city, row in CITIES.items() for point in row["points"]} == {
        point: row["city"] for point, row in POINTS.items()
    }
    assert all(row["zone"] in zones and row["country"] in COUNTRIES for row in POINTS.values())


def test_links_resolve_and_run_both_ways() -> None:
    pairs = {(point, link["to"]) for point, row in POINTS.items() for link in row["links"]}
    assert all(there in POINTS and (there, here) in pairs for here, there in pairs)
    for row in POINTS.values():
        assert all(link["minutes"] > 0 and link["first"] < link["last"] for link in row["links"])


def test_connection_minima_grow_with_distance_and_separate_tickets() -> None:
    for row in AIRPORTS.values():
        mct = row["mct"]
        assert 0 < mct["protected_same"] <= mct["protected_other"] <= mct["separate_other"]
        assert mct["protected_same"] < mct["separate_same"] <= mct["separate_other"]


def test_carriers_are_well_formed() -> None:
    for code, carrier in CARRIERS.items():
        assert re.fullmatch(r"(?=.*\d)[A-Z0-9]{3}", code)
        assert carrier["hold"] in HOLDS
        assert carrier["bag"] in {"extra", "included"}
        assert carrier["site_lang"] in LANGUAGES
        assert carrier["home"] in COUNTRIES
        assert {"standard"} <= set(carrier["brands"]) <= {"basic", "standard", "flex"}
        assert 2 <= len(carrier["brands"]) <= 3
        assert not (carrier["home"] == "KR" and carrier["card_fee"])
        assert carrier["in_aggregate"] == (carrier["kind"] == "full")
        assert carrier["kind"] != "full" or carrier["hold"] == "free"
    assert {carrier["hold"] for carrier in CARRIERS.values() if carrier["kind"] == "budget"} == HOLDS


def test_names_of_carriers_are_unique() -> None:
    for language in LANGUAGES:
        names = [carrier["names"][language] for carrier in CARRIERS.values()]
        assert len(names) == len(set(names))


def test_terminals_exist_and_cover_every_route() -> None:
    for carrier in CARRIERS.values():
        for terminals in (carrier["terminals"], carrier.get("domestic_terminals", {})):
            assert all(terminal in AIRPORTS[airport]["terminals"] for airport, terminal in terminals.items())
    for route in ROUTES:
        ends = {point for point in (route["from"], route["to"]) if point in AIRPORTS}
        assert all(ends <= set(CARRIERS[code]["terminals"]) for code in route["carriers"])


def test_routes_run_both_ways_with_the_same_carriers() -> None:
    lines = {(route["from"], route["to"], *sorted(route["carriers"])) for route in ROUTES}
    assert len(lines) == len(ROUTES)
    assert all((there, here, *codes) in lines for here, there, *codes in lines)


def test_routes_suit_their_points_and_carriers() -> None:
    for route in ROUTES:
        low, high = route["usd"]
        assert 0 < low < high
        assert route["minutes"] > 0
        flies = route["from"] in AIRPORTS
        assert flies == (route["to"] in AIRPORTS)
        assert all((CARRIERS[code]["kind"] in FLYING) == flies for code in route["carriers"])
        homes = {CARRIERS[code]["home"] for code in route["carriers"]}
        assert not (flies and is_domestic(route)) or homes == {POINTS[route["from"]]["country"]}


def test_every_carrier_and_point_is_used() -> None:
    assert {code for route in ROUTES for code in route["carriers"]} == set(CARRIERS)
    assert {route["from"] for route in ROUTES} == set(POINTS) - {"ITM"}


@every_corridor
def test_corridor_can_be_travelled(corridor: dict[str, Any]) -> None:
    for number, least in ((1, 4), (2, 3)):
        leg = corridor[f"leg{number}"]
        codes = carriers_of(leg)
        outside = {code for code in codes if not in_search(code, leg)}
        ground = {code for code in codes if CARRIERS[code]["kind"] not in FLYING}
        assert len(codes) >= least, codes
        assert any(CARRIERS[code]["hold"] == "free" for code in outside), "no outsider can be held free of charge"
        assert ground == (codes if corridor["sells_in"] == number else set())
        if not ground:
            assert len(codes - outside) >= 2
        served = {route[side] for route in routes_of(leg) for side in ("from", "to")}
        assert served == {*leg["from"], *leg["to"]}


@every_corridor
def test_corridor_points_lie_in_its_cities_and_are_linked(corridor: dict[str, Any]) -> None:
    first, second = corridor["leg1"], corridor["leg2"]
    for city, points in (
        ("origin_city", first["from"]),
        ("via_city", [*first["to"], *second["from"]]),
        ("dest_city", second["to"]),
    ):
        assert {POINTS[point]["city"] for point in points} == {corridor[city]}
    for arrival in first["to"]:
        links = {link["to"] for link in POINTS[arrival]["links"]}
        assert set(second["from"]) <= links | {arrival}


def test_every_market_has_the_three_features() -> None:
    for market in MARKETS:
        rows = [row for name, row in CORRIDORS if name == market]
        assert {row["feature"] for row in rows} == {"date_line", "sale_rule", "summer_time"}
        assert len({row["id"] for row in rows}) == len(rows)
        assert all(bool(row["sells_in"]) == (row["feature"] == "sale_rule") for row in rows)


def test_clock_changes_stand_in_the_zone_table() -> None:
    zones = load("shared/zones")["zones"]
    for _, corridor in CORRIDORS:
        crossed = {POINTS[point]["zone"] for point in points_of(corridor)}
        moves = [datetime.fromisoformat(row[0]).date() for zone in crossed for row in zones[zone]["rows"]]
        for change in map(date.fromisoformat, corridor["changes"]):
            assert any(abs(change - move) <= timedelta(days=1) for move in moves)


def test_charges_are_sound() -> None:
    for row in CHARGES["charges"]:
        assert Decimal(row["amount"]) > 0
        assert re.fullmatch(r"[A-Z0-9]{2}", row["code"])
        assert set(row["labels"]) == LANGUAGES
        assert {COUNTRIES[AIRPORTS[airport]["country"]]["currency"] for airport in row["airports"]} == {row["currency"]}
        assert row["scope"] in {"domestic", "international"}
        assert row["band"] in {"", *CHARGES["bands"].values()}
    assert set(CHARGES["bands"]) == set(AIRPORTS) - {"SIN"}


def test_every_flight_abroad_is_charged() -> None:
    flights = [route for route in ROUTES if route["from"] in AIRPORTS and not is_domestic(route)]
    assert all(charges_on(route["from"], route["to"], "2026-10-12", 30) for route in flights)


@pytest.mark.parametrize(
    ("origin", "destination", "day", "age", "total"),
    [
        ("SIN", "NRT", "2026-09-30", 30, "65.20"),
        ("SIN", "NRT", "2026-10-12", 30, "68.00"),
        ("NRT", "HNL", "2026-06-30", 30, "4690"),
        ("NRT", "HNL", "2026-10-12", 30, "6690"),
        ("BKK", "ICN", "2026-06-19", 30, "765"),
        ("BKK", "ICN", "2026-06-20", 30, "1155"),
        ("ICN", "NRT", "2026-10-12", 12, "24000"),
        ("ICN", "NRT", "2026-10-12", 11, "17000"),
        ("CJU", "GMP", "2026-10-23", 30, "4000"),
        ("KNH", "TSA", "2026-10-23", 30, "0"),
    ],
)
def test_departure_charges_of_known_days(origin: str, destination: str, day: str, age: int, total: str) -> None:
    assert sum(Decimal(row["amount"]) for row in charges_on(origin, destination, day, age)) == Decimal(total)


@pytest.mark.parametrize("market", MARKETS)
def test_rates_cover_every_currency_of_the_corridors(market: str) -> None:
    money = load(f"{market}/money")
    rates = money["rates"]
    assert rates["home"] == load(f"{market}/market")["currency"]
    points = set().union(*(points_of(row) for name, row in CORRIDORS if name == market))
    needed = {COUNTRIES[POINTS[point]["country"]]["currency"] for point in points} - {rates["home"]}
    assert needed <= {row["base"] for row in rates["rows"]}
    for row in rates["rows"]:
        level = Decimal(row["level"])
        assert level > 0
        assert row["unit"] in {1, 100}
        assert -level.as_tuple().exponent == row["digits"]
    assert Decimal(money["consumption_tax"][0]["pct"]) > 0
    assert money["card"]["surcharge"]["allowed"] == (market != "kr")


@pytest.mark.parametrize("market", MARKETS)
def test_every_ground_operator_has_one_sale_rule(market: str) -> None:
    rules = load(f"{market}/rail")["sale_rules"]
    legs = [row[f"leg{row['sells_in']}"] for name, row in CORRIDORS if name == market and row["sells_in"]]
    assert sorted(rule["carrier"] for rule in rules) == sorted(set().union(*map(carriers_of, legs)))


@pytest.mark.parametrize("market", MARKETS)
def test_sale_rules_open_before_the_travel_day(market: str) -> None:
    needs = {"months_before": "months", "days_before": "days", "block": "blocks", "run_share": "shares"}
    for rule in load(f"{market}/rail")["sale_rules"]:
        assert rule[needs[rule["kind"]]]
        assert rule["kind"] != "months_before" or rule["missing_day"] in {"first_of_month", "last_of_month"}
        periods = [*rule.get("blocks", ()), *rule.get("holiday_periods", ())]
        assert all(row["opens_at"][:10] < row["from_date"] <= row["to_date"] for row in periods)
        for earlier, later in pairwise(rule.get("blocks", ())):
            assert date.fromisoformat(later["from_date"]) - date.fromisoformat(earlier["to_date"]) == timedelta(days=1)
            assert earlier["opens_at"] < later["opens_at"]


def test_blocks_cover_the_world_window() -> None:
    blocks = [rule["blocks"] for rule in load("sg/rail")["sale_rules"] if rule["kind"] == "block"]
    assert blocks
    assert all(rows[0]["from_date"] <= "2026-05-11" and rows[-1]["to_date"] >= "2026-12-31" for rows in blocks)


@pytest.mark.parametrize(("start", "days"), [("TH-KTA", 30), ("TH-HLP", 90)])
def test_run_share_depends_on_the_whole_run(start: str, days: int) -> None:
    rule = next(rule for rule in load("th/rail")["sale_rules"] if rule["kind"] == "run_share")
    route = next(row for row in ROUTES if (row["from"], row["to"]) == (start, "TH-NSW"))
    assert next(ahead for below, ahead in rule["shares"] if route["km"] / route["run_km"] < below) == days


def rows_with_status(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, dict):
        own = [node] if isinstance(node.get("status"), str) else []
        return own + [row for value in node.values() for row in rows_with_status(value)]
    return [row for value in node for row in rows_with_status(value)] if isinstance(node, list) else []


RULES = ["shared/airports", "shared/departure_charges", *(f"{m}/{f}" for m in MARKETS for f in ("money", "rail"))]


@pytest.mark.parametrize("name", RULES)
def test_verified_rows_name_their_source(name: str) -> None:
    rows = rows_with_status(load(name))
    assert rows
    assert all(row["status"] in {"V", "P", "W"} for row in rows)
    assert all(row["source"] and row["as_of"] for row in rows if row["status"] == "V")


@pytest.mark.parametrize(
    "name", sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.toml"))
)
def test_plausible_rows_name_a_source_or_say_what_they_are(name: str) -> None:
    rows = [row for row in rows_with_status(load(name)) if row["status"] == "P"]
    assert all(row.get("source") or row.get("note") for row in rows)
