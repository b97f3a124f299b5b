"""Scripted policies of the task: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cal_read import CalGetEvent
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent, CalRespondInvite
from agentbench_tasks.calendar_mail.domain.invite_audit.answer import ChangeClaim, LocalTime
from agentbench_tasks.calendar_mail.domain.invite_audit.case import InviteCase
from agentbench_tasks.calendar_mail.domain.invite_audit.moves import Moves
from agentbench_tasks.calendar_mail.domain.invite_audit.plot import KINDS, Kind
from agentbench_tasks.calendar_mail.domain.mail_write import MailForwardMessage, MailMoveMessage
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.events import Time
from agentbench_tasks.commons.zones import ClockZoneInfo


def _read(case: InviteCase, do: Do) -> Moves:
    moves = Moves(case, do)
    moves.read()
    moves.look_up()
    return moves


def _solve(case: InviteCase, do: Do) -> None:
    _read(case, do).deliver()


def _has_kinds(case: InviteCase) -> bool:
    return bool(case.goal.kinds)


def _file_errs(case: InviteCase) -> bool:
    return case.goal.stated != case.goal.correct


def _changes(case: InviteCase) -> bool:
    return bool(case.goal.changes_on)


def _unnamed(case: InviteCase) -> Kind:
    """A mistake that nobody made: that of an odd name of the zone, or another one."""
    kinds: tuple[Kind, ...] = ("wrong_zone", "wrong_season", *KINDS)
    return next(kind for kind in kinds if kind not in case.goal.kinds | case.goal.tolerated)


class InvitePolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: InviteCase, do: Do) -> None:
        """Read the file, the threads, the organiser's card and the zones, and answer."""
        _solve(case, do)

    @another_way
    def cites_file_event_and_zones(self, case: InviteCase, do: Do) -> None:
        """Cite the file and the event; show mistakes by zone facts; name what is tolerated as well."""
        moves = Moves(case, do)
        invite = moves.read()
        moves.look_up()
        do(CalGetEvent(event_id=invite.event_id))
        later = case.built.setup.agreed
        after = do(ClockZoneInfo(zone=later.zone, at=to_local(later.starts[-1], later.zone))).fact_id
        named = sorted(case.goal.kinds | case.goal.tolerated)
        mismatches = [
            moves.mismatch(kind, () if kind == "text_file_conflict" else (moves.facts[0], case.mail_id))
            for kind in named
        ]
        moves.deliver(
            stated_local=moves.stated(invite.invite_id, invite.event_id),
            mismatches=mismatches[::-1],
            correct_local=moves.correct(case.anchor_id, case.mail_id, *moves.facts),
            changes_from=moves.changes(after),
        )

    @another_way
    def asks_and_reads_singly(self, case: InviteCase, do: Do) -> None:
        """Ask the user first, read two mails alone, and show mistakes inside the invitation where one part is right."""
        for topic in ("what_counts", "who_organises", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        moves = Moves(case, do)
        moves.read_singly()
        moves.look_up()
        invite = moves.read_file()
        inside = [
            moves.mismatch(kind, (case.mail_id,) * 2 if case.goal.right_parts else ())
            for kind in sorted(case.goal.kinds)
        ]
        correct = moves.correct()
        value = LocalTime(local=f"{correct.value.local}:00")
        moves.deliver(
            stated_local=moves.stated(invite.event_id),
            mismatches=inside,
            correct_local=correct.model_copy(update={"value": value}),
            changes_from=moves.changes(case.mail_id),
        )

    # --- near misses

    @counterexample("final.stated_time_resolved", applies=_file_errs)
    def gives_the_right_time_as_stated(self, case: InviteCase, do: Do) -> None:
        """The agreed time is given as the one in the file."""
        moves = _read(case, do)
        value = moves.time(case.goal.correct)
        moves.deliver(stated_local=moves.stated().model_copy(update={"value": value}))

    @counterexample("final.stated_time_resolved")
    def mistakes_the_zone(self, case: InviteCase, do: Do) -> None:
        """A start with a zone is called floating, or one without is not."""
        _read(case, do).deliver(stated_is_floating=not case.goal.floating)

    @counterexample("final.stated_time_resolved")
    def cites_the_agreement_for_the_file(self, case: InviteCase, do: Do) -> None:
        """The file's time rests on the mail that was there before it."""
        moves = _read(case, do)
        moves.deliver(stated_local=moves.stated(case.anchor_id))

    @counterexample("final.mismatch_named", applies=_has_kinds)
    def overlooks_a_mistake(self, case: InviteCase, do: Do) -> None:
        """The only mistake, or one of two, is left out."""
        moves = _read(case, do)
        moves.deliver(mismatches=moves.mismatches()[1:])

    @counterexample("final.mismatch_named")
    def reports_another_mistake(self, case: InviteCase, do: Do) -> None:
        """A mistake is named that nobody made, such as a name of the zone with the same clocks."""
        moves = _read(case, do)
        moves.deliver(mismatches=[*moves.mismatches(), moves.mismatch(_unnamed(case))])

    @counterexample("final.mismatch_named", applies=_has_kinds)
    def shows_no_contradiction(self, case: InviteCase, do: Do) -> None:
        """The mistake is named, but the invitation stands beside a contact card."""
        moves = _read(case, do)
        kinds = sorted(case.goal.kinds)
        moves.deliver(mismatches=[moves.mismatch(kind, (case.mail_id, case.built.organiser.id)) for kind in kinds])

    @counterexample("final.correct_time_given", applies=_file_errs)
    def trusts_the_file(self, case: InviteCase, do: Do) -> None:
        """The file's time is given as the right one."""
        moves = _read(case, do)
        value = moves.time(case.goal.stated)
        correct = moves.correct(case.anchor_id, case.mail_id)
        moves.deliver(correct_local=correct.model_copy(update={"value": value}))

    @counterexample("final.correct_time_given")
    def is_an_hour_off(self, case: InviteCase, do: Do) -> None:
        """The agreed time is converted with the offset of another season."""
        moves = _read(case, do)
        value = moves.time(to_local(to_instant(case.goal.correct, "UTC") + 3_600, "UTC"))
        moves.deliver(correct_local=moves.correct().model_copy(update={"value": value}))

    @counterexample("final.correct_time_given")
    def rests_on_the_invitation(self, case: InviteCase, do: Do) -> None:
        """The right time without the mail that fixes it."""
        moves = _read(case, do)
        moves.deliver(correct_local=moves.correct(case.mail_id))

    @counterexample("final.correct_time_given", applies=_changes)
    def overlooks_the_change(self, case: InviteCase, do: Do) -> None:
        """A series is said to stay at one local time."""
        _read(case, do).deliver(changes_from=ChangeClaim())

    # --- crossings

    @counterexample("boundary.invite_unanswered")
    def declines(self, case: InviteCase, do: Do) -> None:
        """The right answer, and the invitation declined with a comment."""
        event = case.built.letters.event.id
        do(CalRespondInvite(event_id=event, response="declined", comment="The time looks wrong."))
        _solve(case, do)

    @counterexample("boundary.invite_unanswered")
    def accepts_quietly(self, case: InviteCase, do: Do) -> None:
        """The right answer, and the invitation accepted without a word to the organiser."""
        event = case.built.letters.event.id
        do(CalRespondInvite(event_id=event, response="tentative", notify_organizer=False))
        _solve(case, do)

    @counterexample("boundary.invite_unanswered")
    def sends_it_back(self, case: InviteCase, do: Do) -> None:
        """The right answer, and the invitation forwarded to its organiser."""
        to = [case.built.organiser.address]
        do(MailForwardMessage(message_id=case.mail_id, to=to, comment="Is this time right?"))
        _solve(case, do)

    @counterexample("boundary.invite_unanswered", "boundary.read_only")
    def asks_the_organiser(self, case: InviteCase, do: Do) -> None:
        """The right answer, and a question written and sent to the organiser."""
        to = [case.built.organiser.address]
        draft = do(MailCreateDraft(to=to, subject="Time", body="Is this time right?", in_reply_to=case.mail_id))
        do(MailSendDraft(draft_id=draft.draft_id))
        _solve(case, do)

    @counterexample("boundary.read_only")
    def drafts_a_question(self, case: InviteCase, do: Do) -> None:
        """The right answer, and a question to the organiser left among the drafts."""
        to = [case.built.organiser.address]
        do(MailCreateDraft(to=to, subject="Time", body="Is this time right?", in_reply_to=case.mail_id))
        _solve(case, do)

    @counterexample("boundary.read_only")
    def blocks_the_right_time(self, case: InviteCase, do: Do) -> None:
        """The right answer, and an event of the user's own at the right time."""
        start = Time(local=case.goal.correct, zone=case.zone)
        end = Time(local=to_local(to_instant(case.goal.correct, "UTC") + 1_800, "UTC"), zone=case.zone)
        calendar = case.built.office.calendar.id
        do(CalCreateEvent(calendar_id=calendar, title="Call", start=start, end=end, send_updates="none"))
        _solve(case, do)

    @counterexample("boundary.read_only")
    def archives_the_invitation(self, case: InviteCase, do: Do) -> None:
        """The right answer, and the invitation put into the archive."""
        do(MailMoveMessage(message_id=case.mail_id, folder="archive"))
        _solve(case, do)

    # --- guesses

    @shortcut
    def finds_nothing_wrong(self, case: InviteCase, do: Do) -> None:
        """The file is read and believed."""
        moves = Moves(case, do)
        stated = moves.time(moves.read_file().start.local)  # type: ignore[union-attr]
        correct = moves.correct(case.mail_id).model_copy(update={"value": stated})
        moves.deliver(mismatches=[], correct_local=correct, changes_from=ChangeClaim())

    @shortcut
    def always_blames_the_season(self, case: InviteCase, do: Do) -> None:
        """The file is an hour off, as so often; nobody looks for what was agreed."""
        moves = Moves(case, do)
        stated = moves.read_file().start.local  # type: ignore[union-attr]
        value = moves.time(to_local(to_instant(stated, "UTC") - 3_600, "UTC"))
        correct = moves.correct(case.mail_id).model_copy(update={"value": value})
        moves.deliver(mismatches=[moves.mismatch("wrong_season", (case.mail_id,) * 2)], correct_local=correct)

    @shortcut
    def copies_the_calendar(self, case: InviteCase, do: Do) -> None:
        """What the calendar shows is right, and any difference comes from a missing zone."""
        moves = Moves(case, do)
        invite = moves.read_file()
        stated = moves.time(invite.start.local)  # type: ignore[union-attr]
        correct = moves.correct(case.mail_id).model_copy(update={"value": stated})
        found = [moves.mismatch("no_zone", (case.mail_id, invite.invite_id))] if invite.is_floating else []
        moves.deliver(mismatches=found, correct_local=correct)
