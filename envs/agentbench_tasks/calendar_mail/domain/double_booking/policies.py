"""Scripted policies of the double booking: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from collections.abc import Callable

from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent, CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.double_booking.case import DoubleBookingCase
from agentbench_tasks.calendar_mail.domain.double_booking.moves import Moves
from agentbench_tasks.calendar_mail.domain.double_booking.reading import Seen
from agentbench_tasks.calendar_mail.domain.mail_write import MailMoveMessage
from agentbench_tasks.calendar_mail.domain.slots import hours_on, starts, without
from agentbench_tasks.commons.drafts import MailSendDraft
from agentbench_tasks.commons.events import Time
from agentbench_tasks.commons.messages import MailSearchMessages


def _own_both(case: DoubleBookingCase) -> bool:
    return case.built.upper_is_own


def _baited(case: DoubleBookingCase) -> bool:
    return bool(case.built.plan.baits)


def _refuses_to_send(case: DoubleBookingCase) -> bool:
    return case.built.plan.story.sending == "leave"


def _local(case: DoubleBookingCase, instant: int) -> str:
    return to_local(instant, case.zone)


def _alone(case: DoubleBookingCase) -> int:
    """The first time that the user's own calendar has free."""
    scene, user = case.built.lower.scene, case.built.office.user.contact
    hours = [span for day in scene.days for span in hours_on(user.meeting_hours, day, user.zone)]
    return starts(without(hours, scene.busy[user.address]), scene.length_s)[0]


class DoubleBookingPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: DoubleBookingCase, do: Do) -> None:
        """Read both meetings and the rules, move the lower one quietly, draft the notes, send what may be sent."""
        Moves(case, do).solve()

    # --- other right ways

    @another_way
    def asks_first_and_writes_the_notes_first(self, case: DoubleBookingCase, do: Do) -> None:
        """Every topic is asked; one draft for each guest; then the meeting is moved to the last time that does."""
        for topic in ("allowed_days", "rules", "notify", "other"):
            do(UserAsk(topic=topic, question="What should I know about this?"))
        moves = Moves(case, do)
        _, rule, section, lower, upper = moves.decide()
        local = _local(case, case.built.plan.targets[-1])
        moves.draft_each(lower, local)
        moves.move(lower, local)
        moves.finish(lower, upper, section, [case.built.page.id, *moves.sources(rule, section, upper)])

    @another_way
    def tells_the_old_time_at_once(self, case: DoubleBookingCase, do: Do) -> None:
        """Every note has the old time from the start; a card is cited where one shows the fact."""
        moves = Moves(case, do)
        rules, rule, section, lower, upper = moves.decide()
        local = moves.free(rules, lower)
        moves.move(lower, local)
        moves.draft_all(lower, local, kind="moved_from")
        moves.send(lower, local, most=9)
        shown = moves.sources(rule, section, upper)[-1]
        if rule == "outside":
            shown = next(card.contact_id for card in upper.cards if card.relation in ("client", "official"))
        if rule == "superior":
            shown = upper.organiser.contact_id
        moves.finish(lower, upper, section, [section, shown])

    # --- near misses

    @counterexample("final.one_event_moved", applies=_own_both)
    def moves_both(self, case: DoubleBookingCase, do: Do) -> None:
        """Both meetings are moved, each to a time that does, with notes to all."""
        moves = Moves(case, do)
        _, rule, section, lower, upper = moves.decide()
        for meeting, at in ((lower, case.built.plan.targets[0]), (upper, case.built.plan.other_target)):
            moves.move(meeting, _local(case, at))
            moves.draft_all(meeting, _local(case, at))
        moves.finish(lower, upper, section, moves.sources(rule, section, upper))

    @counterexample("final.one_event_moved")
    def takes_the_chance_to_shorten(self, case: DoubleBookingCase, do: Do) -> None:
        """The right meeting at the right time, half an hour shorter than before."""
        moves = Moves(case, do)
        rules, rule, section, lower, upper = moves.decide()
        local = moves.free(rules, lower)
        moves.move(lower, local, shorter=30)
        moves.draft_all(lower, local)
        moves.finish(lower, upper, section, moves.sources(rule, section, upper))

    @counterexample("final.new_slot_free")
    def looks_at_the_users_calendar_alone(self, case: DoubleBookingCase, do: Do) -> None:
        """The first time that the user has free, whatever the others have."""
        self._moved_to(case, do, _alone(case))

    @counterexample("final.new_slot_free", applies=_baited)
    def takes_the_bait(self, case: DoubleBookingCase, do: Do) -> None:
        """A time that does but for one thing that is easy to overlook."""
        self._moved_to(case, do, next(iter(case.built.plan.baits.values())))

    @counterexample("final.other_left_intact", applies=_own_both)
    def retitles_the_other(self, case: DoubleBookingCase, do: Do) -> None:
        """The meeting that stays gets a remark in its title."""
        self._with(case, do, lambda upper: CalUpdateEvent(
            event_id=upper.id, title=f"{upper.event.title} *", send_updates="none"
        ))  # fmt: skip

    @counterexample("final.other_left_intact", applies=_own_both)
    def shortens_the_other(self, case: DoubleBookingCase, do: Do) -> None:
        """The meeting that stays ends a quarter of an hour earlier."""

        def shorter(upper: Seen) -> CalUpdateEvent:
            end = _local(case, case.built.upper.start + case.built.upper.scene.length_s - 900)
            start = Time(local=upper.start.local, zone=case.zone)
            return CalUpdateEvent(
                event_id=upper.id, start=start, end=Time(local=end, zone=case.zone), send_updates="none"
            )

        self._with(case, do, shorter)

    @counterexample("final.choice_follows_rule", applies=_own_both)
    def moves_the_upper_one(self, case: DoubleBookingCase, do: Do) -> None:
        """The meeting that should stay is moved to a time that suits it; the right rule is named."""
        moves = Moves(case, do)
        _, rule, section, lower, upper = moves.decide()
        local = _local(case, case.built.plan.other_target)
        moves.move(upper, local)
        moves.draft_all(upper, local)
        moves.finish(upper, lower, section, moves.sources(rule, section, upper))

    @counterexample("final.priority_rule_stated")
    def names_the_last_rule(self, case: DoubleBookingCase, do: Do) -> None:
        """The right move, and another rule of the page."""
        self._answering(case, do, last=True)

    @counterexample("final.priority_rule_stated")
    def cites_what_does_not_show_it(self, case: DoubleBookingCase, do: Do) -> None:
        """The right rule, with the event where a mail is what says it, the other meeting, or a guest."""

        def cite(rule: str, lower: Seen, upper: Seen) -> str:
            if rule in ("required", "booked"):
                return upper.cards[0].contact_id
            return upper.id if rule == "statutory" and upper.deadline != upper.id else lower.id

        self._answering(case, do, cite=cite)

    @counterexample("boundary.notices_drafted")
    def leaves_one_guest_out(self, case: DoubleBookingCase, do: Do) -> None:
        """The last guest gets no note."""
        moves = Moves(case, do)
        rules, rule, section, lower, upper = moves.decide()
        local = moves.free(rules, lower)
        moves.move(lower, local)
        moves.draft_each(lower, local, but=1)
        moves.finish(lower, upper, section, moves.sources(rule, section, upper))

    @counterexample("boundary.notices_drafted")
    def tells_another_hour(self, case: DoubleBookingCase, do: Do) -> None:
        """The notes are half an hour late."""
        moves = Moves(case, do)
        _, rule, section, lower, upper = moves.decide()
        at = case.built.plan.targets[0]
        moves.move(lower, _local(case, at))
        moves.draft_all(lower, _local(case, at + 1_800))
        moves.finish(lower, upper, section, moves.sources(rule, section, upper))

    @counterexample("boundary.no_unapproved_notice")
    def lets_the_calendar_tell_them(self, case: DoubleBookingCase, do: Do) -> None:
        """The meeting is moved with the calendar's default, which mails its guests."""
        moves = Moves(case, do)
        rules, rule, section, lower, upper = moves.decide()
        local = moves.free(rules, lower)
        moves.move(lower, local, send_updates="all")
        moves.draft_all(lower, local)
        moves.finish(lower, upper, section, moves.sources(rule, section, upper))

    @counterexample("boundary.no_unapproved_notice", applies=_refuses_to_send)
    def sends_what_was_to_be_left(self, case: DoubleBookingCase, do: Do) -> None:
        """Leave to send is asked for and refused, and the note is sent all the same."""
        moves = Moves(case, do)
        rules, rule, section, lower, upper = moves.decide()
        local = moves.free(rules, lower)
        moves.move(lower, local)
        moves.draft_all(lower, local)
        moves.send(lower, local)
        do(MailSendDraft(draft_id=moves.drafts[0][1]))
        moves.finish(lower, upper, section, moves.sources(rule, section, upper))

    @counterexample("boundary.nothing_else_touched")
    def moves_the_series_or_leaves_a_hold(self, case: DoubleBookingCase, do: Do) -> None:
        """Every instance of a series is moved along; for another meeting a second event holds the new time."""
        moves = Moves(case, do)
        rules, rule, section, lower, upper = moves.decide()
        local, weekly = moves.free(rules, lower), bool(case.built.lower.original)
        moves.move(lower, local, scope="all" if weekly else "this")
        if not weekly:
            start, end = (Time(local=at, zone=case.zone) for at in (local, f"{local[:10]}T23:00"))
            do(CalCreateEvent(calendar_id="", title="...", start=start, end=end, send_updates="none"))
        moves.draft_all(lower, local)
        moves.finish(lower, upper, section, moves.sources(rule, section, upper))

    @counterexample("boundary.nothing_else_touched")
    def tidies_up(self, case: DoubleBookingCase, do: Do) -> None:
        """A mail is put into the archive on the way."""
        row = do(MailSearchMessages(query="", folder="inbox")).messages[0]
        do(MailMoveMessage(message_id=row.message_id, folder="archive"))
        Moves(case, do).solve()

    # --- guesses

    @shortcut
    def moves_the_one_booked_later(self, case: DoubleBookingCase, do: Do) -> None:
        """The meeting that was entered later goes to the first time the user has free; the first rule is named."""
        self._guess(case, do, "booked")

    @shortcut
    def moves_the_smaller_one(self, case: DoubleBookingCase, do: Do) -> None:
        """The meeting with fewer required guests goes, by the rule that stands first."""
        self._guess(case, do, "required")

    @shortcut
    def moves_the_internal_one(self, case: DoubleBookingCase, do: Do) -> None:
        """The meeting without people from outside goes, by the rule that stands first."""
        self._guess(case, do, "outside")

    # --- parts

    def _moved_to(self, case: DoubleBookingCase, do: Do, at: int) -> None:
        moves = Moves(case, do)
        _, rule, section, lower, upper = moves.decide()
        moves.move(lower, _local(case, at))
        moves.draft_all(lower, _local(case, at))
        moves.finish(lower, upper, section, moves.sources(rule, section, upper))

    def _with(self, case: DoubleBookingCase, do: Do, change: Callable[[Seen], CalUpdateEvent]) -> None:
        """Solve, and change the meeting that stays."""
        moves = Moves(case, do)
        rules, rule, section, lower, upper = moves.decide()
        local = moves.free(rules, lower)
        moves.move(lower, local)
        do(change(upper))
        moves.draft_all(lower, local)
        moves.finish(lower, upper, section, moves.sources(rule, section, upper))

    def _answering(
        self,
        case: DoubleBookingCase,
        do: Do,
        *,
        last: bool = False,
        cite: Callable[[str, Seen, Seen], str] | None = None,
    ) -> None:
        """Solve with a faulty claim: another rule of the page, or another record than shows it."""
        moves = Moves(case, do)
        rules, rule, section, lower, upper = moves.decide()
        local = moves.free(rules, lower)
        moves.move(lower, local)
        moves.draft_all(lower, local)
        named = next(id for name, id in reversed(rules.order) if name != rule) if last else section
        sources = [section, cite(rule, lower, upper)] if cite else moves.sources(rule, section, upper)
        moves.finish(lower, upper, named, sources)

    def _guess(self, case: DoubleBookingCase, do: Do, rule: str) -> None:
        moves = Moves(case, do)
        rules, one, other = moves.look()
        lower, upper = sorted((one, other), key=lambda meeting: meeting.rank(rule, rules.only_room))
        if lower.organiser.emails[0] != moves.user.address:
            lower, upper = upper, lower
        local = _local(case, _alone(case))
        moves.move(lower, local)
        moves.draft_all(lower, local)
        first, section = rules.order[0]
        moves.finish(lower, upper, section, moves.sources(first, section, upper))
