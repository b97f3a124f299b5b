"""The checks of a pre-order. Who has a line is one clause's own; the others judge the lines that the sheet has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.errors import ToolError
from agentbench_env.money import Money
from agentbench_env.verdict import Finding
from agentbench_env.zones import UnknownZone, to_local
from agentbench_tasks.commons.service_time import read_local
from agentbench_tasks.reservations.domain.group_preorder.answer import Moment
from agentbench_tasks.reservations.domain.group_preorder.case import Done, PreorderCase
from agentbench_tasks.reservations.domain.group_preorder.needs import suits
from agentbench_tasks.reservations.domain.letters import cover_fault
from agentbench_tasks.reservations.domain.menu_page import (
    charge_rule_key,
    charge_value,
    deadline_key,
    deadline_value,
    price_key,
)
from agentbench_tasks.reservations.domain.preorder_records import SheetLine
from agentbench_tasks.reservations.domain.voice import voice_fault

MINUTE = 60
LineFaults = Callable[[Done, SheetLine], Iterator[str]]


def covers_everyone(case: PreorderCase, ep: Episode) -> Finding:
    """One line for everybody who comes, and for a child whom somebody brings; none for others."""
    done = Done(case, ep)
    wanted = Counter(case.eaters)
    listed = Counter((line.person_id, line.child) for line in done.lines)
    missing, spare = wanted - listed, listed - wanted
    faults = [f"no line for {_named(*one)}" for one in missing] + [f"a line for {_named(*one)}" for one in spare]
    expected = f"{len(case.eaters)} lines"
    return Finding(not faults, expected, "; ".join(faults) or expected, (done.answer.sheet_id,))


def _named(person_id: str, child: bool) -> str:
    return f"the child of {person_id}" if child else person_id


def needs_met(case: PreorderCase, ep: Episode) -> Finding:
    """No line has a dish that its person may not eat."""
    return _of_lines(Done(case, ep), _need_faults, "dishes that everybody may eat")


def _need_faults(done: Done, line: SheetLine) -> Iterator[str]:
    guest = None if line.child else done.case.guest(line.person_id)
    for dish in done.dishes(line):
        if guest and not suits(dish, guest.needs):
            yield f"{line.person_id} may not eat {dish.id}"


def choices_honoured(case: PreorderCase, ep: Episode) -> Finding:
    """A dish that somebody named last stands on their line, unless they may not eat it."""
    return _of_lines(Done(case, ep), _choice_faults, "the dishes that people named")


def _choice_faults(done: Done, line: SheetLine) -> Iterator[str]:
    guest = None if line.child else done.case.guest(line.person_id)
    if guest is None:
        return
    for dish_id in guest.named:
        dish = done.case.built.card.dishes[dish_id]
        if dish_id not in line.dish_ids and suits(dish, guest.needs):
            yield f"{line.person_id} asked for {dish_id}"


def set_rules(case: PreorderCase, ep: Episode) -> Finding:
    """Every line is complete, children's sets go to children, and the table has no more mains than it may."""
    done, card = Done(case, ep), case.built.card
    finding = _of_lines(done, _set_faults, "whole sets by the rules of the menu")
    most = card.menu.most_different_mains
    mains = {
        main
        for line in done.lines
        if line.menu_id == card.menu.id
        for main in card.mains
        if {form.id for form in card.forms(main)} & {*line.dish_ids}
    }
    if finding.held and most and len(mains) > most:
        return Finding(False, f"at most {most} mains", f"{len(mains)} mains", (done.answer.sheet_id,))
    return finding


def _set_faults(done: Done, line: SheetLine) -> Iterator[str]:
    card, who = done.case.built.card, _named(line.person_id, line.child)
    menu = card.menu
    if line.menu_id == card.kid.id:
        guest = done.case.guest(line.person_id)
        age = guest.child.age if guest and guest.child and line.child else None
        if age is None or not menu.kid or age > menu.kid.up_to_age:
            yield f"{who} cannot have the set for children"
        menu = card.kid
    elif line.menu_id != menu.id:
        yield f"{who} has the set {line.menu_id}"
        return
    if len(line.dish_ids) != len(menu.courses):
        yield f"{who} has {len(line.dish_ids)} dishes for {len(menu.courses)} courses"
        return
    for course, dish_id in zip(menu.courses, line.dish_ids, strict=True):
        if dish_id not in {form.id for dish in course.dish_ids for form in card.forms(dish)}:
            yield f"{who} has {dish_id} in a course that does not offer it"


def priced(case: PreorderCase, ep: Episode) -> Finding:
    """Lines as printed, the bill with everything on top and rounded once, and the total from what states the price."""
    done = Done(case, ep)
    bill = done.bill
    finding = _of_lines(done, _price_faults, f"{bill}")
    if not finding.held or done.sheet is None:
        return finding
    fault = ""
    if done.sheet.stated_total != bill:
        fault = f"the sheet says {done.sheet.stated_total}"
    claim = done.answer.total
    if not fault and claim.value.minor_in(bill.currency) != bill.minor:
        fault = f"{claim.value.amount} {claim.value.currency}".strip() or "no total"
    menu = case.built.card.menu
    needs = [(price_key(menu.id), menu.price.minor), (charge_rule_key(menu.id), charge_value(menu.charges))]
    fault = fault or sources_fault(ep, claim.sources, needs)
    return Finding(not fault, f"{bill}", fault or f"{bill}", tuple(claim.sources))


def _price_faults(done: Done, line: SheetLine) -> Iterator[str]:
    right = Money(done.printed(line), line.price.currency)
    if line.price != right:
        yield f"{_named(line.person_id, line.child)} at {line.price}, not {right}"


def deadline(case: PreorderCase, ep: Episode) -> Finding:
    """The last moment for this reservation, from what states the rule for it."""
    done, built = Done(case, ep), case.built
    zone, right = built.place.zone, built.evening.deadline
    claim = done.answer.deadline
    expected = f"{to_local(right, zone)} {zone}"
    if _instant(claim.value, zone) not in _readings(right, zone):
        return Finding(False, expected, f"{claim.value.local} {claim.value.zone}".strip() or "no moment")
    menu = built.card.menu
    fault = sources_fault(ep, claim.sources, [(deadline_key(menu.id), deadline_value(menu))])
    return Finding(not fault, expected, fault or expected, tuple(claim.sources))


def _readings(instant: int, zone: str) -> tuple[int, ...]:
    """The instants by which a limit may be given: midnight also as the last minute of the day."""
    return (instant, instant - MINUTE) if to_local(instant, zone)[11:16] == "00:00" else (instant,)


def _instant(moment: Moment, zone: str) -> int:
    """The instant of a moment to the minute, -1 if it is none."""
    try:
        return read_local(moment.local.strip().replace(" ", "T")[:16], moment.zone.strip() or zone, "local")
    except (ToolError, UnknownZone):
        return -1


def draft_for_user(case: PreorderCase, ep: Episode) -> Finding:
    """A message to the venue with the sheet for the user's reservation, which names it and settles nothing."""
    done = Done(case, ep)
    expected = "a message to the venue with the sheet, in its language and the due register"
    fault = _draft_fault(done)
    return Finding(not fault, expected, fault or expected, (done.answer.draft_id,))


def _draft_fault(done: Done) -> str:
    case, letter = done.case, done.letter
    if letter is None:
        return "no draft is named"
    built, place = case.built, case.built.place
    if letter.recipient_id != place.id or letter.channel == "call_note":
        return f"a {letter.channel} to {letter.recipient_id or 'a group'}"
    if done.answer.sheet_id.strip() not in letter.attachment_ids:
        return "the sheet is not attached"
    if done.sheet and done.sheet.reservation_id != built.own.id:
        return f"the sheet is for {done.sheet.reservation_id}"
    booking = case.booking
    names = (
        *(place.name.local, place.name.latin, place.branch.local, place.branch.latin),
        *booking.names,
        *(name for guest in built.table.guests for name in (guest.name.native, guest.name.latin)),
    )
    return cover_fault(letter.whole, booking, built.town.setting.language, done.letter_day) or voice_fault(
        letter.body, place.working_languages, built.user.gender, names
    )


def _of_lines(done: Done, faults_of: LineFaults, expected: str) -> Finding:
    faults = [fault for line in done.lines for fault in faults_of(done, line)]
    return Finding(not faults, expected, "; ".join(faults[:3]) or expected, (done.answer.sheet_id,))
