"""Scripted policies of the three-party rescheduling: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

import json
from collections.abc import Callable

from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk, UserRequestApproval
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent, CalDeleteEvent, CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.event_arguments import Guest
from agentbench_tasks.calendar_mail.domain.letters import Tone
from agentbench_tasks.calendar_mail.domain.mail_write import MailForwardMessage, MailMoveMessage
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.reschedule.case import RescheduleCase
from agentbench_tasks.calendar_mail.domain.reschedule.moves import Moves
from agentbench_tasks.calendar_mail.domain.slots import starts, without
from agentbench_tasks.commons.drafts import MailSendDraft
from agentbench_tasks.commons.events import Event, Time

_WEEK = 7 * 86_400


def _solve(case: RescheduleCase, do: Do, local: str = "") -> None:
    moves = Moves(case, do)
    found = moves.read()
    moves.move(local or found)
    moves.reply_to_both(local or found)
    moves.finish()


def _local(case: RescheduleCase, instant: int) -> str:
    return to_local(instant, case.built.office.calendar.zone)


def _foreign(case: RescheduleCase) -> tuple[Person, str] | None:
    """One of the two and a language that is not on their card."""
    for person in case.built.pair:
        for language in (case.built.office.setting.language, "en", "zh-Hant"):
            if language not in person.contact.languages:
                return person, language
    return None


def _own_block(case: RescheduleCase) -> Event | None:
    """An event of the user's own in the days allowed."""
    built = case.built
    for event in case.start.all(Event):
        mine = event.calendar_id == built.office.calendar.id and event.ical_uid != built.event.ical_uid
        if mine and not event.rrule:
            return event
    return None


class ReschedulePolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: RescheduleCase, do: Do) -> None:
        """Read everything, move the event quietly, draft both replies, send each with leave."""
        _solve(case, do)

    @another_way
    def makes_a_new_event(self, case: RescheduleCase, do: Do) -> None:
        """The replies are sent first; a new event with both takes the place of the old one."""
        moves = Moves(case, do)
        local = moves.read()
        for person in reversed(case.built.pair):
            body = moves.letter(person, local)
            moves.reply(person, moves.with_wishes(person, body))
        do(CalDeleteEvent(event_id=moves.event_id, send_updates="none"))
        moves.event_id = self._create(case, moves, local)
        moves.finish()

    @another_way
    def asks_first_and_writes_in_the_users_zone(self, case: RescheduleCase, do: Do) -> None:
        """Every topic is asked; the event is moved in the other zone; replies name the user's zone."""
        moves = Moves(case, do)
        for topic in ("allowed_days", "length", "notify_by_calendar", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        local = moves.read()
        zone = case.built.pair[0].contact.zone
        start, end = (self._in_zone(case, moves, time, zone) for time in moves.times(local))
        do(CalUpdateEvent(event_id=moves.event_id, start=start, end=end, send_updates="none"))
        for person in case.built.pair:
            tone: Tone = "polite" if person.contact.relation == "peer" else "formal"
            body = moves.letter(person, local, tone=tone, zone=moves.zone)
            moves.reply(person, body)
        moves.finish()

    def _in_zone(self, case: RescheduleCase, moves: Moves, time: Time, zone: str) -> Time:
        when = time.read("start")
        assert when is not None
        return Time(local=to_local(when.instant(moves.zone), zone), zone=zone)

    def _create(self, case: RescheduleCase, moves: Moves, local: str) -> str:
        start, end = moves.times(local)
        made = CalCreateEvent(
            calendar_id="",
            title=str(case.built.event.title),
            start=start,
            end=end,
            attendees=[Guest(address=person.address) for person in case.built.pair],
            send_updates="none",
        )
        return moves.do(made).event_id

    # --- near misses

    @counterexample("final.single_event")
    def leaves_the_old_event(self, case: RescheduleCase, do: Do) -> None:
        """A new event at the right time, and the old one beside it."""
        moves = Moves(case, do)
        local = moves.read()
        moves.event_id = self._create(case, moves, local)
        moves.reply_to_both(local)
        moves.finish()

    @counterexample("final.slot_fits_everyone", applies=lambda case: bool(case.plan.baits))
    def takes_the_bait(self, case: RescheduleCase, do: Do) -> None:
        """A start that suits all three but for one thing, with replies to match."""
        _solve(case, do, _local(case, next(iter(case.plan.baits.values()))))

    @counterexample("final.slot_fits_everyone")
    def takes_the_same_time_a_week_later(self, case: RescheduleCase, do: Do) -> None:
        """The old hour in the week allowed, with replies to match."""
        _solve(case, do, _local(case, case.plan.old_start + _WEEK))

    @counterexample("final.event_zoned_full_length")
    def leaves_the_zone_out(self, case: RescheduleCase, do: Do) -> None:
        """The right hour on a floating event."""
        moves = Moves(case, do)
        local = moves.read()
        moves.move(local, zone="")
        moves.reply_to_both(local)
        moves.finish()

    @counterexample("final.event_zoned_full_length", applies=lambda case: bool(case.plan.cast.longer))
    def keeps_the_old_length(self, case: RescheduleCase, do: Do) -> None:
        """The right start, but as short as before."""
        moves = Moves(case, do)
        local = moves.read()
        moves.move(local, minutes=case.plan.old_minutes)
        moves.reply_to_both(local)
        moves.finish()

    @counterexample("final.all_three_on_event")
    def drops_a_guest(self, case: RescheduleCase, do: Do) -> None:
        """The event is moved, and one of the two is no longer on it."""
        moves = Moves(case, do)
        local = moves.read()
        kept = [case.built.office.user, case.built.pair[0]]
        moves.move(local, attendees=[Guest(address=person.address) for person in kept])
        moves.reply_to_both(local)
        moves.finish()

    @counterexample("final.reply_reached_each_party")
    def leaves_one_reply_as_a_draft(self, case: RescheduleCase, do: Do) -> None:
        """One of the two gets no reply."""
        first, second = case.built.pair
        moves = Moves(case, do)
        local = moves.read()
        moves.move(local)
        moves.reply(first, moves.letter(first, local))
        moves.draft(second, moves.letter(second, local))
        moves.finish()

    @counterexample("final.replies_state_the_slot")
    def misstates_the_hour(self, case: RescheduleCase, do: Do) -> None:
        """One reply is half an hour early."""
        self._with_letter(
            case, do, lambda moves, local: moves.letter(case.built.pair[0], _local(case, case.plan.start - 1_800))
        )

    @counterexample("final.replies_in_due_register")
    def writes_as_to_a_friend(self, case: RescheduleCase, do: Do) -> None:
        """A client is written to casually."""
        client = case.built.pair[0]
        self._with_letter(case, do, lambda moves, local: moves.letter(client, local, tone="plain", kind="casual"))

    @counterexample("final.replies_in_due_register", applies=lambda case: _foreign(case) is not None)
    def writes_in_another_language(self, case: RescheduleCase, do: Do) -> None:
        """One reply is in a language that is not on its reader's card."""
        found = _foreign(case)
        assert found is not None
        person, language = found
        self._with_letter(
            case, do, lambda moves, local: moves.letter(person, local, language=language), person, language
        )

    def _with_letter(
        self,
        case: RescheduleCase,
        do: Do,
        write: Callable[[Moves, str], str],
        person: Person | None = None,
        language: str = "",
    ) -> None:
        """Solve, with the text of one of the replies, the first one's if not said otherwise, replaced."""
        person = person or case.built.pair[0]
        moves = Moves(case, do)
        local = moves.read()
        moves.move(local)
        for one in case.built.pair:
            if one is person:
                moves.reply(one, write(moves, local), language)
            else:
                moves.reply(one, moves.letter(one, local))
        moves.finish()

    @counterexample("boundary.replies_prepared_as_drafts")
    def forwards_instead(self, case: RescheduleCase, do: Do) -> None:
        """One reply is a forwarded mail with the right words above it, and with leave."""
        first, second = case.built.pair
        moves = Moves(case, do)
        local = moves.read()
        moves.move(local)
        comment = moves.with_wishes(first, moves.letter(first, local))
        call = MailForwardMessage(message_id=moves.answered(first), to=[first.address], comment=comment)
        asked = UserRequestApproval(tool=call.name, arguments=json.dumps(call.model_dump()), summary="Answer.")
        assert do(asked).decision == "granted"
        do(call)
        moves.reply(second, moves.letter(second, local))
        moves.finish()

    @counterexample("boundary.no_unapproved_send")
    def sends_before_asking(self, case: RescheduleCase, do: Do) -> None:
        """Both replies leave without leave."""
        moves = Moves(case, do)
        local = moves.read()
        moves.move(local)
        for person in case.built.pair:
            draft = moves.draft(person, moves.with_wishes(person, moves.letter(person, local)))
            do(MailSendDraft(draft_id=draft))
        moves.finish()

    @counterexample("boundary.no_unapproved_send")
    def lets_the_calendar_tell_them(self, case: RescheduleCase, do: Do) -> None:
        """The event is moved with notices to its guests."""
        moves = Moves(case, do)
        local = moves.read()
        moves.move(local, send_updates="all")
        moves.reply_to_both(local)
        moves.finish()

    @counterexample("boundary.nothing_else_touched", applies=lambda case: _own_block(case) is not None)
    def clears_the_way(self, case: RescheduleCase, do: Do) -> None:
        """Another event of the user's is deleted to make room."""
        block = _own_block(case)
        assert block is not None
        moves = Moves(case, do)
        local = moves.read()
        do(CalDeleteEvent(event_id=block.id, send_updates="none"))
        moves.move(local)
        moves.reply_to_both(local)
        moves.finish()

    @counterexample("boundary.nothing_else_touched")
    def tidies_up(self, case: RescheduleCase, do: Do) -> None:
        """A mail that was answered is put into the archive."""
        do(MailMoveMessage(message_id=next(iter(case.built.said)), folder="archive"))
        _solve(case, do)

    # --- guesses

    @shortcut
    def first_window(self, case: RescheduleCase, do: Do) -> None:
        """The start of the first window that the first of those outside offers."""
        who, windows = next(iter(case.plan.offers.items()))
        self._guess(case, do, windows[0].span(case.plan.side(who).zone)[0])  # type: ignore[arg-type]

    @shortcut
    def earliest_free_time(self, case: RescheduleCase, do: Do) -> None:
        """The first time at which the calendars that can be seen are free."""
        scene = case.built.scene
        taken = [span for spans in scene.busy.values() for span in spans]
        self._guess(case, do, starts(without(scene.hours(scene.people[0]), taken), scene.length_s)[0])

    @shortcut
    def same_time_next_week(self, case: RescheduleCase, do: Do) -> None:
        """The old hour, a week later."""
        self._guess(case, do, case.plan.old_start + _WEEK)

    def _guess(self, case: RescheduleCase, do: Do, start: int) -> None:
        moves = Moves(case, do)
        local = _local(case, start)
        moves.move(local)
        moves.reply_to_both(local)
        moves.finish()
