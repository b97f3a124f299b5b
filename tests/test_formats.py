"""Numbers and addresses have the right shape and lie in ranges that are never issued."""

import re
from datetime import date

import phonenumbers
import pytest

from agentbench_env import formats
from agentbench_env.draw import Draw
from agentbench_env.errors import WrongArgument
from agentbench_env.market import market_codes, market_table

BIRTHS = (date(1987, 4, 12), date(2004, 12, 31))
NATIONAL_IDS = {
    "KR": (r"\d\d13\d\d-[1-4]\d{6}", "resident_number", True),
    "JP": (r"\d{4}-\d{4}-\d{4}", "individual_number", False),
    "SG": (r"X\d{7}[A-Z]", "nric", False),
    "TW": (r"[A-Z][12]\d{8}", "identity_card", False),
    "TH": (r"1-\d{4}-\d{5}-\d\d-\d", "pin", False),
    "AE": (r"784-0000-\d{7}-\d", "luhn", True),
}
MOBILES = {
    "KR": r"010-0000-\d{4}",
    "JP": r"090-0000-\d{4}",
    "SG": r"\+65 8000 0\d{3}",
    "TW": r"0900-000-\d{3}",
    "TH": r"090-000-\d{4}",
    "AE": r"\+971 50 000 \d{4}",
}
BANK_CODES = {"KR": "999", "JP": "0999", "SG": "9999", "TW": "999", "TH": "999", "AE": "999"}


@pytest.mark.parametrize("market", market_codes())
def test_phones_have_the_shape_of_the_country(market: str) -> None:
    draw = Draw("phones", market)
    for _ in range(50):
        mobile = formats.mobile(market, draw)
        assert re.fullmatch(MOBILES[market], mobile)
        for number in (mobile, formats.landline(market, draw)):
            parsed = phonenumbers.parse(number, market)
            assert phonenumbers.is_possible_number(parsed), number
            assert parsed.country_code == phonenumbers.country_code_for_region(market)


@pytest.mark.parametrize("market", market_codes())
def test_national_ids_are_well_formed_and_never_issued(market: str) -> None:
    pattern, scheme, checks = NATIONAL_IDS[market]
    draw = Draw("ids", market)
    for birth in BIRTHS:
        for gender in ("female", "male"):
            for _ in range(50):
                number = formats.national_id(market, draw, birth, gender)
                assert re.fullmatch(pattern, number)
                assert formats.is_valid(scheme, number) is checks


def test_national_ids_agree_with_the_person() -> None:
    draw = Draw("ids")
    assert formats.national_id("KR", draw, BIRTHS[0], "female").startswith("871312-2")
    assert formats.national_id("KR", draw, BIRTHS[1], "male").startswith("041331-3")
    assert formats.national_id("TW", draw, BIRTHS[1], "female")[1] == "2"


@pytest.mark.parametrize(
    ("market", "scheme"),
    [
        ("KR", "registration_number"),
        ("JP", "corporate_number"),
        ("TW", "unified_number"),
        ("TH", "pin"),
    ],
)
def test_business_ids_carry_a_wrong_check_digit(market: str, scheme: str) -> None:
    draw = Draw("businesses", market)
    assert not any(formats.is_valid(scheme, formats.business_id(market, draw)) for _ in range(100))


def test_business_ids_without_a_check_lie_outside_the_register() -> None:
    assert re.fullmatch(r"0000\d{5}[A-Z]", formats.business_id("SG", Draw("b")))
    assert re.fullmatch(r"000-\d{4}-\d{4}-\d{4}", formats.business_id("AE", Draw("b")))


@pytest.mark.parametrize("market", market_codes())
def test_bank_accounts_name_a_bank_that_does_not_exist(market: str) -> None:
    assert formats.bank_code(market) == BANK_CODES[market]
    account = formats.bank_account(market, Draw("accounts", market))
    if account.startswith("AE"):
        assert formats.is_valid("iban", account)
        assert account[5:8] == BANK_CODES[market]
        assert len(account.replace(" ", "")) == 23
    else:
        assert account.startswith(f"{BANK_CODES[market]}-")


def test_cards_begin_with_nine_and_pass_luhn() -> None:
    draw = Draw("cards")
    for _ in range(100):
        number = formats.card_number(draw)
        assert re.fullmatch(r"9\d{15}", number)
        assert formats.is_valid("luhn", number)


@pytest.mark.parametrize(
    ("scheme", "number"),
    [
        ("resident_number", "971013-9019902"),
        ("registration_number", "123-45-67891"),
        ("individual_number", "1234 5678 9018"),
        ("corporate_number", "7-1234-5678-9012"),
        ("nric", "S1234567D"),
        ("nric", "T1234567J"),
        ("nric", "F1234567N"),
        ("nric", "G1234567X"),
        ("nric", "M1234567K"),
        ("identity_card", "A123456789"),
        ("unified_number", "12345675"),
        ("pin", "1-2345-67890-12-1"),
        ("luhn", "4111 1111 1111 1111"),
        ("iban", "AE07 0331 2345 6789 0123 456"),
    ],
)
def test_known_numbers_are_valid_and_near_ones_are_not(scheme: str, number: str) -> None:
    assert formats.is_valid(scheme, number)
    place = next(i for i, character in enumerate(number) if character == "1")
    assert not formats.is_valid(scheme, f"{number[:place]}4{number[place + 1 :]}")


def test_seven_in_the_seventh_place_has_two_readings() -> None:
    assert sum(formats.is_valid("unified_number", f"1234567{digit}") for digit in range(10)) == 4
    assert sum(formats.is_valid("unified_number", f"1234566{digit}") for digit in range(10)) == 2


def test_unknown_scheme_is_named() -> None:
    with pytest.raises(WrongArgument, match=r"scheme is 'luhm'.*Did you mean 'luhn'"):
        formats.is_valid("luhm", "1")


@pytest.mark.parametrize("market", market_codes())
def test_rows_of_addresses_are_sound(market: str) -> None:
    table = market_table(market, "addresses")
    assert len(table["rows"]) >= 20
    assert not set(table["keys"]) & set(table["forbidden"])
    rows = [tuple(str(value) for value in row.values()) for row in table["rows"]]
    assert len(set(rows)) == len(rows)
    assert all(set(row) <= set(table["keys"]) for row in table["rows"])
    one_of = table.get("required_one_of")
    if one_of:
        outside = [row for row in table["rows"] if row["admin1"] != one_of["outside"]]
        assert all(any(row.get(key) for key in one_of["keys"]) for row in outside)


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("kind", ["flat", "house"])
def test_addresses_are_complete_and_print_whole_labels(market: str, kind: str) -> None:
    table = market_table(market, "addresses")
    draw = Draw("addresses", market, kind)
    for language in table["labels"]:
        for _ in range(60):
            address = formats.draw_address(market, draw, kind, language)
            assert set(table["required"][kind]) - {"recipient_phone"} <= set(address)
            assert not set(table["forbidden"]) & set(address)
            if "postcode" in table:
                assert re.fullmatch(table["postcode"], address["postal_code"])
            lines = formats.address_lines(market, address, language, name="NAME", phone="PHONE")
            text = "\n".join(lines)
            assert all(value in text for value in address.values())
            assert "NAME" in text
            assert "PHONE" in text
            assert not set("{}[]|*%") & set(text)
            assert all(line == " ".join(line.split()) for line in lines)


def test_labels_stand_in_the_order_of_the_country() -> None:
    flat = {
        "postal_code": "63219",
        "admin1": "제주특별자치도",
        "admin2": "제주시",
        "street": "중앙로",
        "building_no": "917",
        "legal_area": "이도일동",
        "building_name": "솔내음타운",
        "unit_building": "103",
        "unit_no": "1203",
    }
    assert formats.address_lines("KR", flat, name="한서윤", phone="010-0000-0001") == (
        "(63219)",
        "제주특별자치도 제주시 중앙로 917, 103동 1203호 (이도일동, 솔내음타운)",
        "한서윤 010-0000-0001",
    )
    block = {"building_no": "12A", "street": "Tampines Street 21", "unit_floor": "05", "unit_no": "123"}
    assert formats.address_lines("SG", {**block, "postal_code": "520000"}) == (
        "Blk 12A Tampines Street 21 #05-123",
        "Singapore 520000",
    )
    taipei = {
        "postal_code": "231001",
        "admin1": "新北市",
        "admin2": "新店區",
        "street": "中正路",
        "building_no": "268號",
    }
    assert formats.address_lines("TW", {**taipei, "unit_floor": "7樓", "unit_no": "之2"}) == (
        "231001 新北市新店區中正路268號7樓之2",
    )
    tower = {"unit_no": "1203", "building_name": "برج المثال", "admin2": "النهدة", "admin1": "الشارقة"}
    assert formats.address_lines("AE", tower, "ar") == (
        "شقة 1203، برج المثال، النهدة",
        "الشارقة، الإمارات العربية المتحدة",
    )
    with pytest.raises(WrongArgument, match="language of an address is 'th'"):
        formats.address_lines("AE", tower, "th")


def test_same_names_stand_in_different_places() -> None:
    def places(market: str, key: str, value: str) -> set[str]:
        rows = market_table(market, "addresses")["rows"]
        return {str(row["admin1"]) + str(row.get("admin2")) for row in rows if str(row.get(key)) == value}

    assert len(places("KR", "street", "중앙로")) >= 3
    assert len(places("JP", "admin2", "府中市")) == 2
    assert len(places("JP", "admin2", "伊達市")) == 2
    assert len(places("TW", "street", "中正路")) >= 3
    assert len(places("TH", "admin3", "ตำบลในเมือง")) == 3
