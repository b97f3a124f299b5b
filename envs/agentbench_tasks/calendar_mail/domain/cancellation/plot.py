"""What happens before a meeting is cancelled, drawn before any name: who is invited, when, why, and what is offered."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_codes
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Difficulty, Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.abroad import place_of
from agentbench_tasks.calendar_mail.domain.cancellation.days import WEEK, MeetingDay, clocks, meeting_days
from agentbench_tasks.calendar_mail.domain.market import office_market
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.contacts import Relation

Trap = Literal[
    "series", "confidential_reason", "offer_holiday_chain", "offer_zone", "optional_and_declined_guests",
    "assistant_address", "friend_inside", "same_surname",
]  # fmt: skip
Offer = Literal["none", "week", "common"]
Sending = Literal["all", "inside", "none"]
Answer = Literal["accepted", "declined", "tentative", "needs_action"]

TRAPS: dict[Trap, float] = {
    "series": 3.6,
    "confidential_reason": 2,
    "offer_holiday_chain": 2.2,
    "offer_zone": 1.3,
    "optional_and_declined_guests": 1.3,
    "assistant_address": 1.3,
    "friend_inside": 1.3,
    "same_surname": 1.3,
}
"""How often each trap is drawn, against the others."""
TRAP_COUNT: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
GUESTS: dict[Difficulty, tuple[int, int]] = {"easy": (3, 3), "standard": (4, 6), "hard": (6, 8)}
NOTHING_OFFERED: dict[Difficulty, float] = {"easy": 0.36, "standard": 0.5, "hard": 0.7}
"""Share among instances without a trap in the offer, so that about three in ten of all offer nothing."""
SENDING: dict[Sending, float] = {"all": 0.5, "inside": 0.3, "none": 0.2}
MORE_GUESTS: tuple[Relation, ...] = ("client", "vendor", "peer", "subordinate", "peer", "vendor")
CONFIDENTIAL = ("audit", "speaker", "budget")
OPEN = ("survey", "power")
CHANGING_CLOCKS = ("GB-ENG", "DE-BE", "AU-NSW")
LEAD = (2, 29)
"""How many days ahead the meeting is: every split has a week of its own in there."""


class Invited(msgspec.Struct, frozen=True):
    """A guest before they have a name."""

    relation: Relation
    place: str
    languages: tuple[str, ...] = ()
    """The languages to write in, those of the place if empty."""
    optional: bool = False
    answer: Answer = "accepted"

    @property
    def inside(self) -> bool:
        """Whether they belong to the user's company."""
        return self.relation not in ("client", "vendor")


class Plot(msgspec.Struct, frozen=True):
    """The drawn story."""

    now: int
    day: MeetingDay
    clock: str
    minutes: int
    offer: Offer
    pair: str
    guests: tuple[Invited, ...]
    traps: tuple[Trap, ...]
    sending: Sending

    @property
    def offer_on(self) -> date | None:
        """The day that is offered, None if none is."""
        return {"none": None, "week": self.day.on + WEEK, "common": self.day.offer_on}[self.offer]

    @property
    def confidential(self) -> bool:
        """Whether people outside may not learn the reason."""
        return self.pair in CONFIDENTIAL


def draw_plot(draw: Draw, setting: Setting, traps: tuple[Trap, ...]) -> Plot:
    """Draw a story with these traps; raise NoFit if this attempt leads to none."""
    guests = _guests(draw.stream("guests"), setting, traps)
    home = setting.market.code
    places = tuple(sorted({guest.place for guest in guests} - {home}))
    day, offer = _day_and_offer(draw.stream("day"), home, places, traps, NOTHING_OFFERED[setting.difficulty])
    minutes = draw.choice((30, 60, 60, 90))
    both = (day.on, day.on + WEEK, day.offer_on)
    free = clocks(home, places, both, minutes)
    if not free:
        raise NoFit
    return Plot(
        now=_now(draw.stream("now"), setting, day.on),
        day=day,
        clock=draw.choice(free),
        minutes=minutes,
        offer=offer,
        pair=draw.choice(CONFIDENTIAL if "confidential_reason" in traps else OPEN),
        guests=guests,
        traps=traps,
        sending=draw.weighted(SENDING),
    )


def draw_traps(draw: Draw, difficulty: Difficulty) -> tuple[Trap, ...]:
    """Draw what makes an instance hard, in no order; nothing does in a benign one."""
    if draw.chance(BENIGN[difficulty]):
        return ()
    left, traps = dict(TRAPS), list[Trap]()
    while len(traps) < TRAP_COUNT[difficulty]:
        trap = draw.weighted(left)
        traps.append(trap)
        # One date cannot be hard to find for both reasons.
        for taken in ("offer_holiday_chain", "offer_zone") if trap.startswith("offer_") else (trap,):
            del left[taken]
    return tuple(sorted(traps))


# --- guests


def _guests(draw: Draw, setting: Setting, traps: tuple[Trap, ...]) -> tuple[Invited, ...]:
    home = setting.market.code
    count = draw.int(*GUESTS[setting.difficulty])
    own = {row.write[0] for row in office_market(home).contacts.languages}
    place = draw.choice(CHANGING_CLOCKS) if "offer_zone" in traps else _abroad(draw, home, own)
    guests = [_from(draw, "client", place, own)]
    if own == set(_written(guests[0])):
        guests.append(_from(draw, "vendor", _abroad(draw, home, own), own))
    roles: list[Relation] = ["superior", "peer"]
    roles += draw.shuffled(MORE_GUESTS)
    if len(guests) + len(roles[:2]) > count:
        roles = roles[1:]
    if "friend_inside" in traps:
        place_of_peer = roles.index("peer")
        roles[place_of_peer] = "friend"
        if "same_surname" in traps:
            roles.insert(place_of_peer + 1, "peer")
    guests += [Invited(role, home) for role in roles[: count - len(guests)]]
    if not any(guest.relation == "friend" for guest in guests) and len(guests) > 5 and draw.chance(0.5):
        guests[-1] = _from(draw, "vendor", _abroad(draw, home, own), own)
    return tuple(_answered(draw, guests, "optional_and_declined_guests" in traps))


def _abroad(draw: Draw, home: str, own: set[str]) -> str:
    """A place abroad; where all of the user's own people write English, one where people do not."""
    markets = [code for code in market_codes() if code != home and _first_languages(code) != {"en"}]
    if own == {"en"}:
        return draw.choice([code for code in markets if "en" not in _first_languages(code)])
    return draw.choice(markets) if draw.chance(0.5) else draw.choice(CHANGING_CLOCKS)


def _first_languages(code: str) -> set[str]:
    return {row.write[0] for row in office_market(code).contacts.languages}


def _from(draw: Draw, relation: Relation, place: str, own: set[str]) -> Invited:
    """A guest abroad; some of those whose language is another one are written to in English."""
    if place in market_codes() and "en" not in own and draw.chance(0.3):
        return Invited(relation, place, ("en",))
    return Invited(relation, place)


def _written(guest: Invited) -> tuple[str, ...]:
    if guest.languages or guest.place not in market_codes():
        return guest.languages or (place_of(guest.place).language,)
    return tuple(_first_languages(guest.place))


def _answered(draw: Draw, guests: list[Invited], trap: bool) -> list[Invited]:
    """The guests with their answers; with the trap one is optional and another one has declined."""
    answers: list[Answer] = ["accepted", "accepted", "accepted", "tentative", "needs_action"]
    found = [msgspec.structs.replace(guest, answer=draw.choice(answers)) for guest in guests]
    if trap:
        optional, declined = draw.sample(range(len(found)), 2)
        found[optional] = msgspec.structs.replace(found[optional], optional=True)
        found[declined] = msgspec.structs.replace(found[declined], answer="declined")
    return found


# --- days


def _day_and_offer(
    draw: Draw, home: str, places: tuple[str, ...], traps: tuple[Trap, ...], nothing: float
) -> tuple[MeetingDay, Offer]:
    chained, crosses = "offer_holiday_chain" in traps, "offer_zone" in traps
    if chained:
        offer: Offer = "common"
    elif crosses:
        offer = draw.choice(("week", "common"))
    else:
        # The rule of the next common working day is seldom told where it would move nothing.
        offer = "none" if draw.chance(nothing) else draw.choice(("week", "week", "common"))
    days = [day for day in meeting_days(home, places) if (day.chained, day.crosses) == (chained, crosses)]
    if not days:
        raise NoFit
    return draw.choice(days), offer


def _now(draw: Draw, setting: Setting, meeting: date) -> int:
    home = working_days(setting.market.code)
    for _ in range(20):
        day = draw.day(meeting - timedelta(LEAD[1]), meeting - timedelta(LEAD[0]))
        if home.is_open(day) and day.isoweekday() < 6:
            clock = f"{draw.int(8, 16):02}:{draw.int(0, 11) * 5:02}"
            return to_instant(f"{day.isoformat()}T{clock}", setting.market.zone)
    raise NoFit
