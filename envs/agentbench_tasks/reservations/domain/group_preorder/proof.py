"""The proof that there is an order for everybody and one deadline: reads the records as anybody could."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import combinations

import msgspec

from agentbench_env.world import Record
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.group_preorder.guests import Table
from agentbench_tasks.reservations.domain.menus import Dish, SetMenu
from agentbench_tasks.reservations.domain.messages import Thread
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.proof_days import closes
from agentbench_tasks.reservations.domain.venue import ClosureRule, SeasonHours

_DAY = timedelta(1)
_READ = frozenset({Place, Reservation, Message, Thread, SetMenu, Dish, ClosureRule, SeasonHours})
"""The kinds of records that the proof rests on; a town has many others."""
_FLESH = {"beef", "chicken", "pork"}


class Heard(msgspec.Struct):
    """What somebody said last of each thing."""

    needs: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    choices: dict[int, str] = msgspec.field(default_factory=dict[int, str])
    comes: bool = True
    child: int | None = None
    """The age of the child whom they bring, -1 where they do not say it."""


def prove(
    venue_id: str, menu_id: str, own: Reservation, table: Table, deadline: int, records: Sequence[Record]
) -> None:
    """Show that the records say what the story says; raise NoFit if what is to be ordered is not certain."""
    known = [record for record in records if type(record) in _READ]
    by_id = {record.id: record for record in known}
    menu, place = by_id[menu_id], by_id[venue_id]
    assert isinstance(menu, SetMenu)
    assert isinstance(place, Place)
    heard = _heard(known, [guest.person_id for guest in table.guests])
    _same_as_told(heard, table)
    dishes = {record.id: record for record in known if isinstance(record, Dish)}
    severe = {(guest.person_id, need.code) for guest in table.guests for need in guest.needs if need.severe}
    _orders(heard, severe, menu, dishes)
    if _deadline(menu, own.start, place, known) != deadline:
        raise AssertionError(f"the records give another deadline than {deadline}")
    rows = [row for row in known if isinstance(row, Reservation) and row.venue_id == venue_id]
    if [row.id for row in rows if row.account_id == own.account_id] != [own.id]:
        raise NoFit


def _heard(records: Sequence[Record], people: Sequence[str]) -> dict[str, Heard]:
    """Read the messages in their order; the last word on a thing counts."""
    heard = {person: Heard() for person in people}
    messages = [record for record in records if isinstance(record, Message)]
    for message in sorted(messages, key=lambda one: (one.sent_at, one.id)):
        for fact in message.stated:
            kind, *rest = fact.key.split(".")
            match kind, rest, fact.value:
                case "need", [person, code], str() as value:
                    heard[person].needs[code] = value
                case "choice", [person, place], str() as value:
                    heard[person].choices[int(place)] = value
                case "coming", [person], bool() as value:
                    heard[person].comes = value
                case "child", [person], int() as value:
                    heard[person].child = value
                case _:
                    pass
    return heard


def _same_as_told(heard: dict[str, Heard], table: Table) -> None:
    """Check what was said against the story that the verdict judges by."""
    for guest in table.guests:
        found = heard[guest.person_id]
        codes = {code for code, value in found.needs.items() if value != "none"}
        severe = {code for code, value in found.needs.items() if value == "severe"}
        told = {need.code for need in guest.needs if need.severe and guest.person_id != table.severe_id}
        child = (guest.child.age if guest.child.told else -1) if guest.child else None
        same = (
            codes == {need.code for need in guest.needs}
            and severe == told
            and set(found.choices.values()) == set(guest.named)
            and found.comes == guest.coming
            and found.child == child
        )
        if not same:
            raise AssertionError(f"the messages say otherwise than the story of {guest.person_id}: {found}")


def _orders(heard: dict[str, Heard], severe: set[tuple[str, str]], menu: SetMenu, dishes: dict[str, Dish]) -> None:
    """Show that all who come can be served, that one of them has hardly a choice, and that one plate is not for all."""
    coming = {person: one for person, one in heard.items() if one.comes}
    eats: dict[str, list[set[str]]] = {}
    for person, one in coming.items():
        codes = {code: (person, code) in severe for code, value in one.needs.items() if value != "none"}
        eats[person] = [
            {plate for plate in _plates(course.dish_ids, dishes) if _eatable(dishes[plate], codes)}
            for course in menu.courses
        ]
    if not any(sum(len(course) == 1 for course in courses) > 1 for courses in eats.values()):
        raise NoFit
    honoured = {
        person: {place: dish for place, dish in coming[person].choices.items() if dish in eats[person][place]}
        for person in coming
    }
    for person, courses in eats.items():
        if not all(courses):
            raise NoFit
        if any(dish not in courses[place] for place, dish in honoured[person].items()):
            raise NoFit
    if not _fits_the_rule(honoured, eats, menu, dishes):
        raise NoFit
    # No single plate in the main course is right for all.
    if len({named[menu.main_course] for named in honoured.values() if menu.main_course in named}) < 2:
        raise NoFit


def _fits_the_rule(
    honoured: dict[str, dict[int, str]], eats: dict[str, list[set[str]]], menu: SetMenu, dishes: dict[str, Dish]
) -> bool:
    """Whether some mains, as many as the rule allows, serve everybody."""
    mains, at = menu.courses[menu.main_course].dish_ids, menu.main_course
    most = menu.most_different_mains or len(mains)
    named = {choice[at] for choice in honoured.values() if at in choice}
    return any(
        named <= {*some} and all(courses[at] & {*_plates(some, dishes)} for courses in eats.values())
        for some in combinations(mains, min(most, len(mains)))
    )


def _plates(dish_ids: Sequence[str], dishes: dict[str, Dish]) -> Iterator[str]:
    for dish_id in dish_ids:
        yield dish_id
        yield from (variant.dish_id for variant in dishes[dish_id].variants)


def _eatable(dish: Dish, codes: Mapping[str, bool]) -> bool:
    """Whether somebody can eat a dish; of each need, whether traces are too much."""
    marks, inside = {*dish.diets}, {*dish.contains}
    for code, severe in codes.items():
        if code in ("vegan", "vegetarian_ovo_lacto", "no_pungent", "halal_meat", "alcohol"):
            bad = {
                "vegan": "vegan" not in marks,
                "vegetarian_ovo_lacto": marks.isdisjoint(("vegan", "vegetarian_ovo_lacto")),
                "no_pungent": len(marks & {"vegan", "no_pungent"}) < 2,
                "halal_meat": "alcohol" in marks
                or "pork" in inside
                or ("halal_meat" not in marks and not inside.isdisjoint(_FLESH)),
                "alcohol": "alcohol" in marks,
            }[code]
        else:
            bad = code in inside or (severe and code in dish.may_contain)
        if bad:
            return False
    return True


def _deadline(menu: SetMenu, start: int, place: Place, records: Sequence[Record]) -> int:
    """Count the deadline back on the calendar of the house."""
    rules = [one for one in records if isinstance(one, ClosureRule) and one.venue_id == place.id]
    seasons = [one for one in records if isinstance(one, SeasonHours) and one.venue_id == place.id]

    def closed(day: date) -> bool:
        text = day.isoformat()
        if any(season.from_date <= text <= season.to_date for season in seasons):
            return False
        return any(closes(rule, day, place.country) for rule in rules)

    rule = menu.deadline
    day = date.fromisoformat(to_local(start, place.zone)[:10])
    clock = rule.at or to_local(start, place.zone)[11:]
    left = rule.n // 24 if rule.kind == "hours_before" else rule.n
    while left:
        day -= _DAY
        if rule.kind != "business_days_before_at" or not closed(day):
            left -= 1
    while menu.closed_shift == "previous_open" and closed(day):
        day -= _DAY
    if menu.closed_shift == "none" and closed(day):
        raise NoFit
    return to_instant(f"{day.isoformat()}T{clock}", place.zone)
