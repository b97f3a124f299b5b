"""Guesses at a brief: what stands last, what is called the same, what the list prints."""

from __future__ import annotations

from agentbench_env.claims import TextClaim
from agentbench_env.policies.expert import Do
from agentbench_env.task import shortcut
from agentbench_env.text.subject import subject_root
from agentbench_tasks.calendar_mail.domain.agenda.answer import MeetingBrief
from agentbench_tasks.calendar_mail.domain.agenda.case import AgendaCase
from agentbench_tasks.calendar_mail.domain.agenda.moves import Found, Moves
from agentbench_tasks.commons.messages import MailText


def last_file(mails: list[MailText]) -> TextClaim:
    """The file that came last, by the mail that brought it."""
    files = [(mail, file) for mail in mails for file in mail.attachments]
    if not files:
        return TextClaim()
    mail, file = files[-1]
    return TextClaim(value=file.attachment_id, sources=[mail.message_id])


def last_question(case: AgendaCase, mails: list[MailText]) -> TextClaim:
    """The question that was asked last, by the mail that asked it."""
    asked = [(mail, said) for mail in mails for said in case.said(mail.message_id) if said.act == "asks"]
    if not asked:
        return TextClaim()
    mail, said = asked[-1]
    return TextClaim(value=case.sentence(mail.message_id, said.about), sources=[mail.message_id])


def same_subject(moves: Moves, title: str) -> list[MailText]:
    """The thread of the newest mail that is called as the event is, [] if none is."""
    for head in moves.search(title):
        if subject_root(head.subject) == title:
            return moves.read_thread(head.thread_id).mails
    return []


def by_subject(moves: Moves, found: Found) -> TextClaim:
    """The thread whose newest mail is called as the event is."""
    mails = same_subject(moves, found.row.title)
    return TextClaim(value=mails[0].thread_id, sources=[mails[-1].message_id]) if mails else TextClaim()


class AgendaGuesses:
    """Policies that look at places and names, not at what mails say; what they do not guess at is right."""

    @shortcut(ceiling=0.20)
    def takes_the_last_attachment(self, case: AgendaCase, do: Do) -> None:
        """The file that came last in each thread is the one to read."""
        moves = _read(case, do)
        moves.deliver([_with(moves, one, read_first=last_file(one.thread.mails)) for one in moves.found])

    @shortcut(ceiling=0.20)
    def quotes_the_last_question(self, case: AgendaCase, do: Do) -> None:
        """The question that was asked last in each thread is open."""
        moves = _read(case, do)
        moves.deliver([_with(moves, one, open_question=last_question(case, one.thread.mails)) for one in moves.found])

    @shortcut
    def takes_what_is_called_the_same(self, case: AgendaCase, do: Do) -> None:
        """The thread called as the event is, the last question and the last file of it."""
        moves = _read(case, do)
        items: list[MeetingBrief] = []
        for one in moves.found:
            mails = same_subject(moves, one.row.title)
            question, file = last_question(case, mails), last_file(mails)
            items.append(_with(moves, one, thread=by_subject(moves, one), open_question=question, read_first=file))
        moves.deliver(items)

    @shortcut
    def lists_whatever_has_guests(self, case: AgendaCase, do: Do) -> None:
        """Everything with other people that is printed under tomorrow's date, with what is known of the meetings."""
        moves = _read(case, do)
        known = {item.event_id: item for item in moves.items()}
        day = case.built.day
        rows = [row for row in moves.rows if moves.has_others(row) and str(_local(row.start)).startswith(day)]
        moves.deliver([known.get(row.event_id, MeetingBrief(event_id=row.event_id, **_NOTHING)) for row in rows])

    @shortcut
    def looks_at_the_calendar_alone(self, case: AgendaCase, do: Do) -> None:
        """The right meetings, and not a word about any."""
        moves = Moves(case, do)
        moves.list_events()
        meetings = [row for row in moves.rows if moves.is_tomorrow(row) and moves.has_others(row)]
        moves.deliver([MeetingBrief(event_id=row.event_id, **_NOTHING) for row in meetings])


_NOTHING = {"thread": TextClaim(), "open_question": TextClaim(), "read_first": TextClaim()}


def _local(start: object) -> object:
    return getattr(start, "local", start)


def _read(case: AgendaCase, do: Do) -> Moves:
    moves = Moves(case, do)
    moves.read()
    return moves


def _with(moves: Moves, found: Found, **changed: TextClaim) -> MeetingBrief:
    return moves.item(found).model_copy(update=changed)
