"""Scripted policies of the task: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from datetime import date, timedelta

from agentbench_env.claims import TextClaim
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.calendar_mail.domain.agenda.answer import DailyAgendaBrief, MeetingBrief
from agentbench_tasks.calendar_mail.domain.agenda.case import AgendaCase
from agentbench_tasks.calendar_mail.domain.agenda.thread import Goal
from agentbench_tasks.calendar_mail.domain.cal_write import CalRespondInvite
from agentbench_tasks.calendar_mail.domain.files import FilesSaveCopy
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetThread
from agentbench_tasks.calendar_mail.domain.mail_write import MailMoveMessage
from agentbench_tasks.commons.drafts import MailCreateDraft
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.messages import MailSearchMessages, MailText
from agentbench_tasks.commons.texts import body_of


class _Moves:
    """Reads the calendar and the threads and writes items from them."""

    def __init__(self, case: AgendaCase, do: Do) -> None:
        self.case, self.do = case, do
        self.threads: dict[int, list[MailText]] = {}

    def read(self, *, backwards: bool = False) -> None:
        """Read the calendar around tomorrow and the thread of each meeting."""
        day = date.fromisoformat(self.case.built.day)
        around = [(day + timedelta(step)).isoformat() for step in (-1, 1)]
        self.do(CalListEvents(from_at=around[0], to_at=around[1]))
        for goal in self.case.goals[:: -1 if backwards else 1]:
            self.do(MailSearchMessages(query=goal.title))
            mails: list[MailText] = []
            token = ""
            while True:
                page = self.do(MailGetThread(thread_id=goal.thread_id, page_token=token))
                mails += page.messages
                token = page.next_page_token
                if not token:
                    break
            self.threads[goal.number] = mails

    def item(self, goal: Goal) -> MeetingBrief:
        """The right item."""
        mail = goal.asked_in[goal.open]
        return MeetingBrief(
            event_id=goal.event_id,
            thread=TextClaim(value=goal.thread_id, sources=[self.threads[goal.number][-1].message_id]),
            open_question=TextClaim(value=body_of(goal.sentences[goal.open]), sources=[mail]),
            read_first=TextClaim(value=goal.files[goal.document], sources=[goal.told_by]),
        )

    def items(self) -> list[MeetingBrief]:
        """The right items."""
        return [self.item(goal) for goal in self.case.goals]

    def deliver(self, items: list[MeetingBrief]) -> None:
        """End the episode."""
        self.do(DailyAgendaBrief(meetings=items))


def _read(case: AgendaCase, do: Do) -> _Moves:
    moves = _Moves(case, do)
    moves.read()
    return moves


def _replaced(items: list[MeetingBrief], **changed: TextClaim) -> list[MeetingBrief]:
    """The items with something else said about the first one."""
    return [items[0].model_copy(update=changed), *items[1:]]


class AgendaPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: AgendaCase, do: Do) -> None:
        """Read the calendar and each thread, and answer."""
        moves = _read(case, do)
        moves.deliver(moves.items())

    @another_way
    def names_series_and_asks_first(self, case: AgendaCase, do: Do) -> None:
        """Ask the user first, read backwards, and name series by their own id."""
        for topic in ("which_zone", "include_all_day", "what_is_preread", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        moves = _Moves(case, do)
        moves.read(backwards=True)
        items = [one.model_copy(update={"event_id": one.event_id.partition("@")[0]}) for one in moves.items()]
        moves.deliver(items[::-1])

    @another_way
    def quotes_most_of_the_sentence(self, case: AgendaCase, do: Do) -> None:
        """Leave out the end of each question's sentence."""
        moves = _read(case, do)
        items = moves.items()
        for place, one in enumerate(items):
            text = one.open_question.value
            shorter = TextClaim(value=text[: len(text) * 4 // 5], sources=one.open_question.sources)
            items[place] = one.model_copy(update={"open_question": shorter})
        moves.deliver(items)

    # --- near misses

    @counterexample("final.every_meeting_covered")
    def omits_a_meeting(self, case: AgendaCase, do: Do) -> None:
        """The first meeting, stored in another zone in some instances, is left out."""
        moves = _read(case, do)
        moves.deliver(moves.items()[1:])

    @counterexample("final.every_meeting_covered")
    def adds_the_declined_one(self, case: AgendaCase, do: Do) -> None:
        """The declined invitation is covered too."""
        moves = _read(case, do)
        items = moves.items()
        moves.deliver([*items, items[0].model_copy(update={"event_id": case.built.others[2]})])

    @counterexample("final.thread_paired")
    def takes_another_thread(self, case: AgendaCase, do: Do) -> None:
        """The first meeting is paired with the thread of the second."""
        moves = _read(case, do)
        items = moves.items()
        moves.deliver(_replaced(items, thread=items[1].thread))

    @counterexample("final.open_question_right")
    def quotes_an_answered_question(self, case: AgendaCase, do: Do) -> None:
        """A question that was answered is quoted."""
        moves = _read(case, do)
        goal = case.goals[0]
        kind = next(kind for kind in goal.sentences if kind != goal.open)
        claim = TextClaim(value=body_of(goal.sentences[kind]), sources=[goal.asked_in[kind]])
        moves.deliver(_replaced(moves.items(), open_question=claim))

    @counterexample("final.read_first_right")
    def reads_another_file(self, case: AgendaCase, do: Do) -> None:
        """An older version or the agenda is named."""
        moves = _read(case, do)
        goal = case.goals[0]
        other = next(id for content, id in goal.files.items() if content != goal.document)
        claim = TextClaim(value=other, sources=[goal.told_by])
        moves.deliver(_replaced(moves.items(), read_first=claim))

    # --- crossings

    @counterexample("boundary.no_event_modified")
    def accepts_an_invitation(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and an invitation answered without a word to anybody."""
        moves = _read(case, do)
        do(CalRespondInvite(event_id=case.built.others[2], response="tentative", notify_organizer=False))
        moves.deliver(moves.items())

    @counterexample("boundary.no_reply_drafted")
    def drafts_a_reply(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and a draft that nobody asked for."""
        moves = _read(case, do)
        asker = moves.threads[0][0].sender.address
        do(MailCreateDraft(to=[asker], subject="Tomorrow", body="I will have a view on this tomorrow."))
        moves.deliver(moves.items())

    @counterexample("boundary.mailbox_as_found")
    def saves_the_file(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and the file to read saved in the team's folder."""
        moves = _read(case, do)
        goal = case.goals[0]
        do(FilesSaveCopy(attachment_id=goal.files[goal.document], folder_id=case.built.folder.id))
        moves.deliver(moves.items())

    @counterexample("boundary.mailbox_as_found")
    def archives_a_mail(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and a mail put into the archive."""
        moves = _read(case, do)
        do(MailMoveMessage(message_id=moves.threads[0][0].message_id, folder="archive"))
        moves.deliver(moves.items())

    # --- guesses

    @shortcut
    def last_attachment_and_last_question(self, case: AgendaCase, do: Do) -> None:
        """Each thread's last attachment, and the question that was asked last."""
        moves = _read(case, do)
        items: list[MeetingBrief] = []
        for goal in case.goals:
            mail, file = [(mail, file) for mail in moves.threads[goal.number] for file in mail.attachments][-1]
            kind = list(goal.sentences)[-1]
            claims = {
                "open_question": TextClaim(value=body_of(goal.sentences[kind]), sources=[goal.asked_in[kind]]),
                "read_first": TextClaim(value=file.attachment_id, sources=[mail.message_id]),
            }
            items.append(moves.item(goal).model_copy(update=claims))
        moves.deliver(items)
