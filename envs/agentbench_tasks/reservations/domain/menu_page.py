"""What a house prints of its prices and menus, and what a party pays in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.world import Record
from agentbench_tasks.commons.texts import CountSlot, LinesSlot, SentencesSlot, SlotValue, Stated, Text, TimeSlot, Words
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.guides import FILE as NAMES
from agentbench_tasks.reservations.domain.market import Band, PriceBands
from agentbench_tasks.reservations.domain.menus import Dish, SetMenu
from agentbench_tasks.reservations.domain.publishing import Part

FILE = "menu_page"


class DinnerPrice(Record, frozen=True, gc=False):
    """What dinner costs a head on average as it is printed, drinks not counted."""

    venue_id: str
    page_id: str
    price: Money
    charges: ChargeRule


def price_key(owner_id: str) -> str:
    """Key of a printed price a head, of a set menu or of a house's dinner."""
    return f"price.{owner_id}"


def charge_rule_key(owner_id: str) -> str:
    """Key of what comes on top of a printed price."""
    return f"charge_rule.{owner_id}"


def band_key(venue_id: str) -> str:
    """Key of the price band of a house."""
    return f"band.{venue_id}"


def deadline_key(menu_id: str) -> str:
    """Key of the rule by which a menu must be ordered ahead."""
    return f"deadline.{menu_id}"


def charge_value(charges: ChargeRule) -> str:
    """A rule of charges as claims compare it."""
    return f"{charges.mode}:{charges.service_pct}:{charges.fee_pct}:{charges.tax_pct}"


def deadline_value(menu: SetMenu) -> str:
    """A deadline as claims compare it."""
    rule = menu.deadline
    return f"{rule.kind}:{rule.n}:{rule.at}:{menu.closed_shift}"


def all_in(price: Money, charges: ChargeRule, heads: int = 1) -> Money:
    """Return what so many guests pay at a price a head: reckoned and rounded once, on their bill."""
    return charges.paid(Money(price.minor * heads, price.currency))


def price_band(bands: PriceBands, price: Money, charges: ChargeRule) -> Band:
    """Return the band of a printed price a head, all charges in it."""
    return bands.of(all_in(price, charges).minor)


# --- texts


@cache
def menu_title(language: str, variant: int) -> Text:
    """The title of the page, and what it begins with."""
    return Text.of(FILE, "intro", language, variant)


@cache
def charge_text(charges: ChargeRule, language: str, variant: int) -> Text:
    """What is written behind a price: what is in it, or what comes on top."""
    kind = charges.mode
    if kind == "on_service":
        kind = "plus_plus" if charges.tax_pct else "service"
    return Text.fitting(
        FILE,
        f"charge.{kind}",
        language,
        variant,
        service=charges.service_pct,
        fee=charges.fee_pct,
        tax=charges.tax_pct,
    )


@cache
def deadline_text(rule: CutoffRule, shifted: bool, language: str, variant: int) -> Text:
    """Until when a menu must be ordered; `shifted`: on a closing day, the open day before."""
    slots: dict[str, SlotValue] = {
        "hours": CountSlot(rule.n, "hour"),
        "days": CountSlot(rule.n, "day"),
        "time": TimeSlot(rule.at, _form("time", language)),
    }
    text = Text.fitting(FILE, f"deadline.{rule.kind}", language, variant, **slots)
    return _notes((text, Text.of(FILE, "shift", language, variant)), language) if shifted else text


def rules_text(menu: SetMenu, kid: SetMenu | None, language: str, variant: int) -> Words:
    """The rules of a set menu for a table and for children, "" for none."""
    rules: list[Text] = []
    if menu.most_different_mains:
        rules.append(Text.of(FILE, "mains", language, variant, most=menu.most_different_mains))
    if kid and menu.kid:
        charges = charge_text(kid.charges, language, variant)
        slots: dict[str, SlotValue] = {"menu": kid.name, "price": kid.price, "charge": charges}
        rules.append(Text.of(FILE, "kid", language, variant, age=menu.kid.up_to_age, **slots))
    return _notes(rules, language) if rules else ""


def _notes(sentences: Sequence[Text], language: str) -> Text:
    return Text.of(FILE, "notes", language, 0, notes=SentencesSlot(tuple(sentences)))


@cache
def _form(name: str, language: str) -> str:
    return shared_table(f"text/{language}/{FILE}")["form"][name]


@cache
def allergens(codes: tuple[str, ...], language: str) -> str:
    """Name allergens in a row."""
    names: Mapping[str, str] = shared_table(f"text/{language}/{NAMES}")["names"]["allergens"]
    return _form("list", language).join(names[code] for code in codes)


@cache
def course_name(course: str, language: str) -> str:
    """Name a course."""
    return shared_table(f"text/{language}/{NAMES}")["names"]["courses"][course]


@cache
def _marks(diets: tuple[str, ...], language: str) -> str:
    marks: Mapping[str, str] = shared_table(f"text/{language}/{FILE}")["marks"]
    return _form("list", language).join(marks[diet] for diet in diets)


# --- the page


def average_part(dinner: DinnerPrice, bands: PriceBands, language: str, variant: int) -> Part:
    """What dinner costs a head, with the charges."""
    charges, venue_id = dinner.charges, dinner.venue_id
    text = Text.of(
        FILE, "average", language, variant, price=dinner.price, charge=charge_text(charges, language, variant)
    )
    return Part(
        text,
        (
            Stated(price_key(venue_id), dinner.price.minor, "price"),
            Stated(charge_rule_key(venue_id), charge_value(charges), "charge"),
            Stated(band_key(venue_id), price_band(bands, dinner.price, charges)),
        ),
    )


def set_part(
    menu: SetMenu, dishes: Mapping[str, Dish], language: str, variant: int, bands: PriceBands | None = None
) -> Part:
    """A set menu: price and charges, party, courses, rules and deadline.

    Args:
        menu: the set menu.
        dishes: by id, those of its courses.
        language: language of the page.
        variant: which of the four wordings.
        bands: the market's, where the set is what dinner costs at the house.
    """
    colon, bar = _form("colon", language), _form("bar", language)
    lines: list[tuple[SlotValue, ...]] = []
    for course in menu.courses:
        pieces: list[SlotValue] = [course.course, colon]
        for number, dish_id in enumerate(course.dish_ids):
            pieces += (
                (bar, *_dish(dishes[dish_id], menu, language)) if number else _dish(dishes[dish_id], menu, language)
            )
        lines.append(tuple(pieces))
    if menu.rules_text:
        lines.append((menu.rules_text,))
    text = Text.of(
        FILE,
        "set",
        language,
        variant,
        menu=menu.name,
        price=menu.price,
        charge=charge_text(menu.charges, language, variant),
        least=CountSlot(max(menu.party.min, 1), "person"),
        courses=LinesSlot(tuple(lines)),
        deadline=menu.deadline_text,
    )
    stated = [
        Stated(price_key(menu.id), menu.price.minor, "price"),
        Stated(charge_rule_key(menu.id), charge_value(menu.charges), "charge"),
        Stated(deadline_key(menu.id), deadline_value(menu), "deadline"),
    ]
    if bands:
        stated.append(Stated(band_key(menu.venue_id), price_band(bands, menu.price, menu.charges)))
    return Part(text, tuple(stated))


def _dish(dish: Dish, menu: SetMenu, language: str) -> list[SlotValue]:
    if not dish.supplement:
        return [dish.name]
    opening, closing = _form("supplement", language).split("{amount}")
    return [dish.name, opening, Money(dish.supplement, menu.price.currency), closing]


def dishes_part(dishes: Sequence[Dish], language: str, variant: int) -> Part:
    """The table of allergens: what each dish contains and may contain, and its diet marks."""
    stated = [
        Stated(f"{key}.{dish.id}", ",".join(codes), "lines")
        for dish in dishes
        for key, codes in (("contains", dish.contains), ("may_contain", dish.may_contain), ("diets", dish.diets))
    ]
    lines = tuple(
        (_allergen_line(dish.name, dish.contains, dish.may_contain, dish.diets, language),) for dish in dishes
    )
    return Part(Text.of(FILE, "dishes", language, variant, lines=LinesSlot(lines)), tuple(stated))


@cache
def _allergen_line(
    name: Words, contains: tuple[str, ...], traces: tuple[str, ...], diets: tuple[str, ...], language: str
) -> Text:
    if diets:
        name = Text.of(FILE, "lines.marked", language, 0, dish=name, marks=_marks(diets, language))
    kind = {(True, True): "both", (True, False): "contains", (False, True): "traces", (False, False): "neither"}
    return Text.fitting(
        FILE,
        f"lines.{kind[bool(contains), bool(traces)]}",
        language,
        0,
        dish=name,
        contains=allergens(contains, language),
        traces=allergens(traces, language),
    )


def menu_parts(
    language: str,
    variant: int,
    bands: PriceBands,
    *,
    dinner: DinnerPrice | None = None,
    menus: Sequence[SetMenu] = (),
    dishes: Sequence[Dish] = (),
) -> tuple[Part, ...]:
    """Return the parts of a page of prices and menus; without an average price, the first set is what dinner costs.

    Args:
        language: language of the page.
        variant: which of the four wordings.
        bands: the market's price bands.
        dinner: the average price.
        menus: set menus for grown-ups; a children's menu stands in the rules of its own.
        dishes: all dishes of these menus.
    """
    known = {dish.id: dish for dish in dishes}
    parts = [Part(menu_title(language, variant))]
    if dinner:
        parts.append(average_part(dinner, bands, language, variant))
    for number, menu in enumerate(menus):
        parts.append(set_part(menu, known, language, variant, None if dinner or number else bands))
    if dishes:
        parts.append(dishes_part(dishes, language, variant))
    return tuple(parts)
