"""The conversation of the party: who says what, in which order, and what each message states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.world import Record
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import DateSlot, SlotValue, Stated, Text, TimeSlot, body_of
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.group_preorder.card import Card
from agentbench_tasks.reservations.domain.group_preorder.guests import Guest, Table
from agentbench_tasks.reservations.domain.group_preorder.moments import Evening
from agentbench_tasks.reservations.domain.group_preorder.needs import Need
from agentbench_tasks.reservations.domain.group_preorder.plot import Plot
from agentbench_tasks.reservations.domain.messages import Participant

FILE = "group_preorder"
TALK = 3
"""How many people say something that is beside the point, each of another kind."""
_BEGUN = (60, 90)
"""How many hours ago the user opened the conversation."""
_GAP_S = (60, 4_800)
_SAME_SPEAKER_S = (15, 90)
"""How soon somebody writes again, with nobody else between."""


class Line(msgspec.Struct, frozen=True):
    """What somebody writes."""

    speaker_id: str
    text: Text
    stated: tuple[Stated, ...] = ()


def need_key(person_id: str, code: str) -> str:
    """Key of whether somebody may eat something."""
    return f"need.{person_id}.{code}"


def choice_key(person_id: str, place: int) -> str:
    """Key of the dish that somebody names in a course."""
    return f"choice.{person_id}.{place}"


def coming_key(person_id: str) -> str:
    """Key of whether somebody comes."""
    return f"coming.{person_id}"


def child_key(person_id: str) -> str:
    """Key of the age of the child whom somebody brings, -1 where they do not say it."""
    return f"child.{person_id}"


class Chat:
    """Writes down what everybody says.

    Args:
        town: the town to which the messages go.
        draw: the stream to draw from.
        card: the menu.
        table: who eats what.
    """

    def __init__(self, town: TownBuilder, draw: Draw, card: Card, table: Table) -> None:
        self._town, self._draw, self._card, self._table = town, draw, card, table
        self._language = town.setting.language
        self._words = shared_table(f"text/{self._language}/{FILE}")
        self._user = self._called()
        self.title = body_of(self._text("title"))

    def write(self, people: Sequence[Participant], evening: Evening, plot: Plot, older_deadline: int) -> None:
        """Put the conversation of the group into the town, and the one of whoever writes to the user alone."""
        user, friends = self._table.guests[0], self._table.guests[1:]
        opening = self._line(
            user,
            "opening",
            menu=body_of(self._card.menu.name),
            date=DateSlot(evening.day, "month_day"),
        )
        turns = [self._at_first(guest) for guest in self._draw.shuffled(friends)]
        turns += [
            [self._line(guest, f"talk_{number}")] for number, guest in enumerate(self._draw.sample(friends, TALK), 1)
        ]
        late = [list(self._later(guest)) for guest in friends]
        if "older_menu" in plot.traps:
            late.append(self._by_the_older_menu(friends, older_deadline))
        said = [[opening], *self._draw.shuffled(turns), *self._draw.shuffled(late), self._own_words(user)]
        asked = self._town.now - self._draw.int(*_BEGUN) * 3600
        told = self._talk(self.title, people, [line for turn in said for line in turn], asked)
        by_id = {person.person_id: person for person in people}
        for guest in friends:
            if guest.private:
                other, at = by_id[guest.person_id], told[guest.person_id] + self._draw.int(*_SAME_SPEAKER_S)
                self._talk(other.name, (people[0], other), self._own_words(guest), at)

    # --- what is said

    def _at_first(self, guest: Guest) -> list[Line]:
        """What somebody says in the first place; what they change comes later."""
        if guest.private:
            return [self._line(guest, "private", user=self._user)]
        if guest.changed == "choice":
            return [self._naming(guest, (guest.before, *guest.named[1:]))]
        if guest.changed == "withdrawn":
            return [self._needing(guest, Need(guest.before))]
        if guest.changed == "added":
            return [self._naming(guest, guest.named)]
        if guest.misled:
            return [self._needing(guest, need) for need in guest.needs]
        return self._own_words(guest)

    def _own_words(self, guest: Guest) -> list[Line]:
        """What somebody may not eat and what they would like."""
        lines = [self._needing(guest, need) for need in guest.needs]
        if guest.named:
            lines.append(self._naming(guest, guest.named))
        return lines or [self._line(guest, self._one_of("free", 2))]

    def _later(self, guest: Guest) -> Iterator[Line]:
        """What somebody says when the others have spoken."""
        match guest.changed:
            case "choice":
                now, was = (self._card.dishes[dish_id].name for dish_id in (guest.named[0], guest.before))
                yield self._line(guest, "instead", self._choices(guest, guest.named[:1]), dish=now, was=was)
            case "withdrawn":
                state = Stated(need_key(guest.person_id, guest.before), "none")
                yield self._line(guest, "withdrawn", (state,), allergen=self._allergen(guest.before))
                yield self._naming(guest, guest.named)
            case "added":
                yield self._line(guest, "remembered")
                yield self._needing(guest, guest.needs[0])
            case "":
                pass
        if not guest.coming:
            yield self._line(guest, "dropout", (Stated(coming_key(guest.person_id), False),))
        if guest.child:
            age = guest.child.age if guest.child.told else -1
            state = Stated(child_key(guest.person_id), age)
            kind = "child" if guest.child.told else "child_of_some_age"
            yield self._line(guest, kind, (state,), age=guest.child.age, user=self._user)
            yield self._line(self._table.guests[0], "child_welcome")

    def _naming(self, guest: Guest, dish_ids: Sequence[str]) -> Line:
        return self._line(
            guest, self._one_of("choice", 3), self._choices(guest, dish_ids), dishes=self._listed(dish_ids)
        )

    def _choices(self, guest: Guest, dish_ids: Sequence[str]) -> tuple[Stated, ...]:
        return tuple(
            Stated(choice_key(guest.person_id, self._card.course_of(dish_id)), dish_id) for dish_id in dish_ids
        )

    def _needing(self, guest: Guest, need: Need) -> Line:
        left_open = guest.person_id == self._table.severe_id
        value = "unsaid" if left_open else "severe" if need.severe else "plain"
        kind = f"need.{need.code}"
        slots: dict[str, SlotValue] = {}
        if need.is_allergy:
            kind = "left_open" if left_open else "severe" if need.severe else self._one_of("allergy", 2)
            slots = {"allergen": self._allergen(need.code), "user": self._user}
        return self._line(guest, kind, (Stated(need_key(guest.person_id, need.code), value),), **slots)

    def _by_the_older_menu(self, friends: Sequence[Guest], older_deadline: int) -> list[Line]:
        """Somebody has found the menu as it once was, and somebody else chooses by it what has changed since."""
        misled = next(guest for guest in friends if guest.misled)
        day, clock = to_local(older_deadline, self._town.setting.market.zone).split("T")
        found = self._line(
            self._draw.choice([guest for guest in friends if guest is not misled]),
            "old_menu",
            menu=body_of(self._card.menu.name),
            price=self._card.older.price,
            date=DateSlot(day, "month_day"),
            time=TimeSlot(clock),
        )
        (dish_id,) = misled.named
        chosen = self._line(
            misled,
            "by_old_menu",
            self._choices(misled, misled.named),
            dish=self._card.dishes[dish_id].name,
            allergen=self._allergen(misled.needs[0].code),
        )
        return [found, chosen]

    # --- words

    def _line(self, guest: Guest, kind: str, stated: tuple[Stated, ...] = (), **slots: SlotValue) -> Line:
        return Line(guest.person_id, self._text(f"chat.{kind}", **slots), stated)

    def _one_of(self, kind: str, ways: int) -> str:
        """One of the ways in which people say something."""
        return f"{kind}_{self._draw.int(1, ways)}"

    def _text(self, kind: str, **slots: SlotValue) -> Text:
        variant = self._draw.variant((0, 1, 2, 3))
        return Text.fitting(FILE, kind, self._language, variant, **slots)

    def _listed(self, dish_ids: Sequence[str]) -> str:
        *names, last = (body_of(self._card.dishes[dish_id].name) for dish_id in dish_ids)
        form: Mapping[str, str] = self._words["form"]
        return form["list"].join(names) + form["last"] + last if names else last

    def _allergen(self, code: str) -> str:
        """What somebody is allergic to, as people say it."""
        return self._words["said"][code]

    def _called(self) -> str:
        """What the others call the user: the full name where somebody else is called the same."""
        called = self._words["form"]["called"]
        user, *others = (called.format(family=one.name.family, given=one.name.given) for one in self._table.guests)
        return self._table.guests[0].name.native if user in others else user

    # --- the records

    def _talk(self, title: str, people: Sequence[Participant], said: Sequence[Line], at: int) -> dict[str, int]:
        """Put a conversation that begins at an instant into the town; return when everybody has written last."""
        town, draw = self._town, self._draw
        lines: list[tuple[str, Text, int]] = []
        for line in said:
            if lines:
                at += draw.int(*(_SAME_SPEAKER_S if lines[-1][0] == line.speaker_id else _GAP_S))
            lines.append((line.speaker_id, line.text, at))
        records = town.mailbag.talk("", title, people, lines)
        town.records.append(records[0])
        told: dict[str, int] = {}
        for record, line in zip(records[1:], said, strict=True):
            assert isinstance(record, Message)
            town.records.append(_stating(record, line))
            told[line.speaker_id] = record.sent_at
        return told


def _stating(message: Message, line: Line) -> Record:
    return msgspec.structs.replace(message, stated=line.stated)


def older_deadline(card: Card, evening: Evening, zone: str) -> int:
    """Until when dishes would have been ordered by the page that was replaced."""
    return card.older.deadline.instant(evening.start, zone, lambda day: True)
