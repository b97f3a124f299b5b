"""Scripted policies of the handover: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from agentbench_env.market.calendars import working_days
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.calendar_mail.domain.cal_write import CalRespondInvite
from agentbench_tasks.calendar_mail.domain.handover.answer import HandoverAnswer
from agentbench_tasks.calendar_mail.domain.handover.case import HandoverCase
from agentbench_tasks.calendar_mail.domain.handover.leave import Leave, work_begins
from agentbench_tasks.calendar_mail.domain.handover.matters import Matter
from agentbench_tasks.calendar_mail.domain.handover.moves import Moves
from agentbench_tasks.calendar_mail.domain.handover.plot import Fate, Trap
from agentbench_tasks.calendar_mail.domain.mail_write import MailMoveMessage, MailSetAutoreply
from agentbench_tasks.calendar_mail.domain.market import office_hours
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.events import Time
from agentbench_tasks.commons.messages import Message

UNANSWERED: tuple[Fate, ...] = ("elsewhere", "by_invite", "not_mine_either", "fyi_done", "not_mine", "fyi")
"""What looks open although it does not wait for the user, the likeliest first: nobody answered in its thread."""
_LOOSE: tuple[Trap, ...] = ("half_day", "holiday_tail", "prompt_vs_hr", "travel_zone")
_DAY = timedelta(1)


def _with_reply(case: HandoverCase, do: Do, **fields: Any) -> None:
    """Solve, with the automatic reply set otherwise."""

    def change(call: Any) -> Any:
        return call.model_copy(update=fields) if isinstance(call, MailSetAutoreply) else call

    Moves(case, do.altered(change)).solve()


def _with_note(case: HandoverCase, do: Do, change: Callable[[MailCreateDraft], Any]) -> None:
    """Solve, with the note written otherwise."""
    Moves(case, do.altered(lambda call: change(call) if isinstance(call, MailCreateDraft) else call)).solve()


def _with_items(case: HandoverCase, do: Do, items: list[str]) -> None:
    _with_note(case, do, lambda call: call.model_copy(update={"body": Moves(case, do).note(items).body}))


def _before_the_end(case: HandoverCase, do: Do, *calls: Any) -> None:
    """Solve, and make some calls before the answer."""
    Moves(case, do.altered(lambda call: [*calls, call] if isinstance(call, HandoverAnswer) else call)).solve()


def _has(*traps: Trap) -> Callable[[HandoverCase], bool]:
    return lambda case: any(trap in case.built.plot.traps for trap in traps)


def _loose_window(case: HandoverCase) -> dict[str, Time]:
    """Start or end as somebody sets it who overlooks the trap."""
    plot, office = case.built.plot, case.built.office
    start, end, working = plot.absence.start, plot.absence.end, office.user.contact.working_week
    if "half_day" in plot.traps:
        return {"start": Time(local=f"{plot.leave.first}T{work_begins(working, plot.leave.first)}", zone=start.zone)}
    if "travel_zone" in plot.traps:
        zone = plot.current_zone
        return {"start": Time(local=start.local, zone=zone), "end": Time(local=end.local, zone=zone)}
    last = plot.told.last if "prompt_vs_hr" in plot.traps else plot.leave.last
    calendar = working_days(office.setting.market.code)
    back = calendar.add_open(last, 1) if "prompt_vs_hr" in plot.traps else last + _DAY
    return {"end": Time(local=f"{back}{end.local[10:]}", zone=end.zone)}


def _others_decide(case: HandoverCase) -> bool:
    return any(matter.owner is not case.built.colleague for matter in case.built.awaited)


def _returns_later(case: HandoverCase) -> bool:
    return case.built.plot.leave.last + _DAY != case.built.plot.absence.back


class HandoverPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: HandoverCase, do: Do) -> None:
        """Look the leave up, set the reply, read what waits, draft the note."""
        Moves(case, do).solve()

    @another_way
    def reads_everything_and_writes_a_table(self, case: HandoverCase, do: Do) -> None:
        """Every thread is read and every topic asked first; the note is a table, and comes before the reply."""
        moves = Moves(case, do)
        for topic in ("dates", "owner_conflict", "reason", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        for matter in case.built.matters:
            moves.try_to_read(matter.thread_id)
        moves.look_up_leave()
        rows = [
            f"| {matter.code} | {matter.owner.name.latin} |" for matter in reversed(case.built.awaited) if matter.owner
        ]
        draft = do(moves.note(["| | |", "|---|---|", *rows], language="en"))
        do(moves.autoreply())
        do(HandoverAnswer(handover_draft_id=draft.draft_id))

    @another_way
    def asks_and_sends_the_note(self, case: HandoverCase, do: Do) -> None:
        """The note is put to the user, changed as wished, and sent where that is granted."""
        moves = Moves(case, do)
        moves.look_up_leave()
        moves.look_up_matters()
        draft = do(moves.note())
        id = moves.ask_and_send(draft.draft_id)
        do(moves.autoreply())
        do(HandoverAnswer(handover_draft_id=id))

    @another_way
    def sets_the_reply_twice_in_both_languages(self, case: HandoverCase, do: Do) -> None:
        """Under each owner stand their matters; the reply says the same in every language that may be used."""
        moves = Moves(case, do)
        do(moves.autoreply().model_copy(update={"external_audience": "contacts"}))
        back, languages = case.built.plot.absence.back, case.built.office.setting.market.prompt_languages
        texts = {
            field: "\n\n".join(moves.reply_text(kind, language, back) for language in languages)
            for field, kind in (("internal_body", "inside"), ("external_body", "outside"))
        }
        do(moves.autoreply().model_copy(update=texts))
        rows: list[str] = []
        for owner in dict.fromkeys(matter.owner for matter in case.built.awaited if matter.owner):
            rows += [f"{owner.contact.display_name}:"]
            rows += [f"  - {matter.subject}" for matter in case.built.awaited if matter.owner is owner]
        draft = do(moves.note(rows))
        do(HandoverAnswer(handover_draft_id=draft.draft_id))

    # --- near misses: the reply

    @counterexample("final.autoreply_window_exact", applies=_returns_later)
    def ends_on_the_day_after(self, case: HandoverCase, do: Do) -> None:
        """The reply ends on the day after the last day of leave."""
        end = case.built.plot.absence.end
        _with_reply(case, do, end=Time(local=f"{case.built.plot.leave.last + _DAY}{end.local[10:]}", zone=end.zone))

    @counterexample("final.autoreply_window_exact")
    def begins_at_midnight(self, case: HandoverCase, do: Do) -> None:
        """The reply runs for whole days."""
        start = case.built.plot.absence.start
        _with_reply(case, do, start=Time(local=f"{start.local[:10]}T00:00", zone=start.zone))

    @counterexample("final.autoreply_window_exact")
    def leaves_the_zone_out(self, case: HandoverCase, do: Do) -> None:
        """The times are floating."""
        absence = case.built.plot.absence
        _with_reply(case, do, start=Time(local=absence.start.local), end=Time(local=absence.end.local))

    @counterexample("final.autoreply_window_exact", applies=_has(*_LOOSE))
    def overlooks_what_changes_the_window(self, case: HandoverCase, do: Do) -> None:
        """The half-day, the holidays, the change by the personnel office, or the home zone is not heeded."""
        _with_reply(case, do, **_loose_window(case))

    @counterexample("final.autoreply_language_register")
    def chats_with_outsiders(self, case: HandoverCase, do: Do) -> None:
        """People outside get a text as between friends."""
        _with_reply(case, do, external_body=Moves(case, do).careless_text())

    @counterexample("final.autoreply_language_register")
    def writes_to_outsiders_in_another_language(self, case: HandoverCase, do: Do) -> None:
        """People outside get an English text alone, or a Japanese one where English is due."""
        language = "ja" if case.built.office.setting.market.prompt_language == "en" else "en"
        text = Moves(case, do).reply_text("outside", language, case.built.plot.absence.back)
        _with_reply(case, do, external_body=text)

    @counterexample("final.autoreply_language_register")
    def leaves_outsiders_out(self, case: HandoverCase, do: Do) -> None:
        """Nobody outside gets a reply."""
        _with_reply(case, do, external_audience="none")

    @counterexample("final.autoreply_states_return")
    def says_back_too_early(self, case: HandoverCase, do: Do) -> None:
        """The text for people outside has the user back on the last day of leave."""
        language = case.built.office.setting.market.prompt_language
        text = Moves(case, do).reply_text("outside", language, case.built.plot.leave.last)
        _with_reply(case, do, external_body=text)

    @counterexample("final.autoreply_states_return")
    def promises_another_day(self, case: HandoverCase, do: Do) -> None:
        """The text for colleagues names a day after the return."""
        body = Moves(case, do).autoreply().internal_body
        later = case.built.plot.absence.back + 3 * _DAY
        _with_reply(case, do, internal_body=f"{body}\n{later}")

    # --- near misses: the note

    @counterexample("final.note_to_named_colleague")
    def addresses_the_superior(self, case: HandoverCase, do: Do) -> None:
        """The note goes to the head of the department."""
        _with_note(case, do, lambda call: call.model_copy(update={"to": [case.built.owners[1].address]}))

    @counterexample("final.note_to_named_colleague")
    def copies_the_superior(self, case: HandoverCase, do: Do) -> None:
        """The head of the department gets a copy."""
        _with_note(case, do, lambda call: call.model_copy(update={"cc": [case.built.owners[1].address]}))

    @counterexample("final.note_lists_pending")
    def lists_an_answered_one(self, case: HandoverCase, do: Do) -> None:
        """A matter that the user has decided is listed for information."""
        moves = Moves(case, do)
        listed = [*case.built.awaited, case.built.having("answered")[0]]
        _with_items(case, do, [moves.item(matter) for matter in listed])

    @counterexample("final.note_lists_pending")
    def lists_an_unanswered_one(self, case: HandoverCase, do: Do) -> None:
        """A matter that nobody answered in its thread, but that does not wait for the user, is listed."""
        moves = Moves(case, do)
        extra = min(
            (one for one in case.built.matters if one.fate in UNANSWERED), key=lambda one: UNANSWERED.index(one.fate)
        )
        _with_items(case, do, [moves.item(matter) for matter in (*case.built.awaited, extra)])

    @counterexample("final.note_lists_pending")
    def leaves_one_out(self, case: HandoverCase, do: Do) -> None:
        """One matter is missing."""
        moves = Moves(case, do)
        _with_items(case, do, [moves.item(matter) for matter in case.built.awaited[1:]])

    @counterexample("final.note_names_owner", applies=_others_decide)
    def names_the_colleague_for_all(self, case: HandoverCase, do: Do) -> None:
        """The colleague is named for every matter."""
        moves = Moves(case, do)
        _with_items(case, do, [moves.item(matter, case.built.colleague) for matter in case.built.awaited])

    @counterexample("final.note_names_owner")
    def names_two_for_one(self, case: HandoverCase, do: Do) -> None:
        """One matter has two names."""
        moves = Moves(case, do)
        first, *rest = case.built.awaited
        other = next(one for one in case.built.owners if one not in (first.owner, first.requester))
        item = f"{moves.item(first)} ({other.contact.display_name})"
        _with_items(case, do, [item, *map(moves.item, rest)])

    # --- near misses: the boundary

    @counterexample("boundary.autoreply_own_account_only")
    def sets_the_shared_one_too(self, case: HandoverCase, do: Do) -> None:
        """The reply of the shared mailbox is set as well."""
        call = Moves(case, do).autoreply()
        _before_the_end(case, do, call.model_copy(update={"mailbox_id": case.built.office.team_mailbox.id}))

    @counterexample("boundary.note_not_sent_unapproved")
    def sends_the_note(self, case: HandoverCase, do: Do) -> None:
        """The note is sent without asking."""

        def change(call: Any) -> Any:
            return [MailSendDraft(draft_id=call.handover_draft_id), call] if isinstance(call, HandoverAnswer) else call

        Moves(case, do.altered(change)).solve()

    @counterexample("boundary.nothing_else_touched")
    def tidies_up(self, case: HandoverCase, do: Do) -> None:
        """A mail is put into the archive."""
        mail = next(one for one in case.start.all(Message) if one.folder == "inbox" and one.kind == "auto")
        _before_the_end(case, do, MailMoveMessage(message_id=mail.id, folder="archive"))

    @counterexample("boundary.nothing_else_touched")
    def declines_a_meeting(self, case: HandoverCase, do: Do) -> None:
        """The first meeting from the leave on is declined, without telling anybody."""
        first, user = case.built.plot.leave.first, case.built.office.user.address
        found = do(CalListEvents(from_at=first.isoformat(), to_at=(first + 14 * _DAY).isoformat())).events
        meeting = next(row for row in found if user in row.guests)
        _before_the_end(
            case, do, CalRespondInvite(event_id=meeting.event_id, response="declined", notify_organizer=False)
        )

    # --- guesses

    @shortcut
    def takes_the_prompts_dates_and_the_colleague(self, case: HandoverCase, do: Do) -> None:
        """The dates of the request as they stand, whatever is unanswered, and the colleague for everything."""
        listed = [one for one in case.built.matters if one.awaited or one.fate in UNANSWERED]
        _guess(case, do, case.built.plot.told, listed)

    @shortcut
    def lists_all_unanswered(self, case: HandoverCase, do: Do) -> None:
        """The right days, and everything that nobody answered in its thread."""
        moves = Moves(case, do)
        listed = [one for one in case.built.matters if one.awaited or one.fate in UNANSWERED]
        do(moves.autoreply())
        draft = do(moves.note([moves.item(matter) for matter in listed]))
        do(HandoverAnswer(handover_draft_id=draft.draft_id))

    @shortcut
    def lists_everything(self, case: HandoverCase, do: Do) -> None:
        """Every reference of the mailbox, each for the colleague."""
        _guess(case, do, case.built.plot.leave, list(case.built.matters))


def _guess(case: HandoverCase, do: Do, leave: Leave, listed: list[Matter]) -> None:
    moves, office = Moves(case, do), case.built.office
    market = office.setting.market
    start, end = leave.first, leave.last + _DAY
    begins = work_begins(office_hours(market.code).working, start)
    call = moves.autoreply()
    call = call.model_copy(
        update={
            "start": Time(local=f"{start}T{begins}", zone=market.zone),
            "end": Time(local=f"{end}T{begins}", zone=market.zone),
            "internal_body": moves.reply_text("inside", market.prompt_language, end),
            "external_body": moves.reply_text("outside", market.prompt_language, end),
        }
    )
    do(call)
    draft = do(moves.note([moves.item(matter, case.built.colleague) for matter in listed]))
    do(HandoverAnswer(handover_draft_id=draft.draft_id))
