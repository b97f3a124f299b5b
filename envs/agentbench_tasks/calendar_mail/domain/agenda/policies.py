"""Scripted policies of the task: the expert, other right ways, near misses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentbench_env.claims import TextClaim
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample
from agentbench_env.user import UserAsk
from agentbench_tasks.calendar_mail.domain.agenda.answer import MeetingBrief
from agentbench_tasks.calendar_mail.domain.agenda.case import AgendaCase
from agentbench_tasks.calendar_mail.domain.agenda.goal import Goal
from agentbench_tasks.calendar_mail.domain.agenda.guesses import AgendaGuesses
from agentbench_tasks.calendar_mail.domain.agenda.moves import Moves
from agentbench_tasks.calendar_mail.domain.agenda.plot import Trap
from agentbench_tasks.calendar_mail.domain.cal_write import CalDeleteEvent, CalRespondInvite
from agentbench_tasks.calendar_mail.domain.files import FilesSaveCopy
from agentbench_tasks.calendar_mail.domain.mail_write import MailForwardMessage, MailMoveMessage
from agentbench_tasks.commons.drafts import MailCreateDraft
from agentbench_tasks.commons.messages import MailGetMessage

Items = list[MeetingBrief]


def _read(case: AgendaCase, do: Do) -> Moves:
    moves = Moves(case, do)
    moves.read()
    return moves


def _place(items: Items, goal: Goal) -> int:
    """Where the items have a meeting."""
    return next(place for place, item in enumerate(items) if item.event_id == goal.event_id)


def _changed(items: Items, goal: Goal, **changed: TextClaim) -> Items:
    """The items with something else said about one meeting."""
    place = _place(items, goal)
    return [*items[:place], items[place].model_copy(update=changed), *items[place + 1 :]]


def _trapped(case: AgendaCase, *traps: Trap) -> Goal:
    """The meeting on which the first of some traps lies, the last meeting if none of them does."""
    pairs = list(zip(case.built.plot.meetings, case.goals, strict=True))
    return next((goal for trap in traps for meeting, goal in pairs if meeting.has(trap)), case.goals[-1])


def _answered(goal: Goal) -> str:
    """The kind of a question that was answered, the one asked last if it can be."""
    return [kind for kind in goal.sentences if kind != goal.open][-1]


def _with_other_files(case: AgendaCase) -> list[Goal]:
    """The meetings whose threads have other files than the one to read."""
    return [goal for goal in case.goals if len(goal.files) > 1]


class AgendaPolicies(AgendaGuesses):
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: AgendaCase, do: Do) -> None:
        """Read the calendar and the mail behind each meeting, and answer."""
        moves = _read(case, do)
        moves.deliver(moves.items())

    @another_way
    def names_series_and_asks_first(self, case: AgendaCase, do: Do) -> None:
        """Ask the user first, go backwards, and name series by their own id."""
        for topic in ("which_zone", "include_all_day", "what_is_preread", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        moves = Moves(case, do)
        moves.read(backwards=True)
        moves.deliver([one.model_copy(update={"event_id": one.event_id.partition("@")[0]}) for one in moves.items()])

    @another_way
    def quotes_most_of_the_sentence(self, case: AgendaCase, do: Do) -> None:
        """Leave out the end of each question's sentence, and open each mail that asks once more."""
        moves = _read(case, do)
        items = moves.items()
        for place, one in enumerate(items):
            text, sources = one.open_question.value, one.open_question.sources
            do(MailGetMessage(message_id=sources[0]))
            shorter = TextClaim(value=text[: len(text) * 4 // 5], sources=sources)
            items[place] = one.model_copy(update={"open_question": shorter})
        moves.deliver(items)

    @another_way
    def cites_more_mails(self, case: AgendaCase, do: Do) -> None:
        """Cite the first and the last mail of a thread as well, and name a later copy of the file to read."""
        moves = _read(case, do)
        items = moves.items()
        for place, found in enumerate(moves.found):
            ends = [found.thread.mails[0].message_id, found.thread.mails[-1].message_id]
            hashed = found.told_by.attachments[0].content_hash
            files = [file for mail in found.thread.mails for file in mail.attachments]
            copies = [file.attachment_id for file in files if file.content_hash == hashed]
            one = items[place]
            items[place] = one.model_copy(
                update={
                    "thread": TextClaim(value=one.thread.value, sources=ends),
                    "open_question": TextClaim(
                        value=f" {one.open_question.value}\n", sources=[*one.open_question.sources, *ends]
                    ),
                    "read_first": TextClaim(value=copies[-1], sources=[*one.read_first.sources, *ends]),
                }
            )
        moves.deliver(items)

    # --- near misses

    @counterexample("final.every_meeting_covered")
    def omits_a_meeting(self, case: AgendaCase, do: Do) -> None:
        """The meeting that is printed under another date, the moved instance or else the last one is left out."""
        moves = _read(case, do)
        items = moves.items()
        place = _place(items, _trapped(case, "zone_edge", "moved_instance"))
        moves.deliver([*items[:place], *items[place + 1 :]])

    @counterexample("final.every_meeting_covered")
    def adds_the_declined_one(self, case: AgendaCase, do: Do) -> None:
        """The declined invitation is covered too."""
        self._adds(case, do, case.built.others[0].event.id)

    @counterexample("final.every_meeting_covered")
    def adds_the_one_of_another_day(self, case: AgendaCase, do: Do) -> None:
        """A meeting is covered that is tomorrow only by the date printed, or else one that was cancelled or moved."""
        self._adds(case, do, case.built.others[-1].event.id)

    @counterexample("final.every_meeting_covered")
    def covers_one_twice(self, case: AgendaCase, do: Do) -> None:
        """One meeting has two items."""
        moves = _read(case, do)
        items = moves.items()
        moves.deliver([*items, items[0]])

    def _adds(self, case: AgendaCase, do: Do, event_id: str) -> None:
        moves = _read(case, do)
        items = moves.items()
        moves.deliver([*items, items[0].model_copy(update={"event_id": event_id})])

    @counterexample("final.thread_paired")
    def takes_the_thread_of_the_same_name(self, case: AgendaCase, do: Do) -> None:
        """A meeting is paired with the earlier thread of its subject, or with a new one that is called as it is.

        Where no thread is called as a meeting is, the thread of another event is taken.
        """
        moves = _read(case, do)
        goal = next((goal for goal in case.goals if goal.lookalike), case.goals[0])
        thread = goal.lookalike or case.built.decoys[0]
        mails = moves.read_thread(thread).mails
        claim = TextClaim(value=thread, sources=[mails[0].message_id])
        moves.deliver(_changed(moves.items(), goal, thread=claim))

    @counterexample("final.thread_paired")
    def takes_the_thread_of_another_meeting(self, case: AgendaCase, do: Do) -> None:
        """The first meeting is paired with the thread of the second."""
        moves = _read(case, do)
        items = moves.items()
        moves.deliver([items[0].model_copy(update={"thread": items[1].thread}), *items[1:]])

    @counterexample("final.open_question_right")
    def quotes_an_answered_question(self, case: AgendaCase, do: Do) -> None:
        """A question is quoted that was answered, in another thread where one was."""
        pairs = list(zip(case.built.plot.meetings, case.goals, strict=True))
        meeting, goal = next((pair for pair in pairs if pair[0].elsewhere), pairs[0])
        self._quotes(case, do, goal, meeting.elsewhere or _answered(goal))

    @counterexample("final.open_question_right")
    def quotes_the_loudest_question(self, case: AgendaCase, do: Do) -> None:
        """A question is quoted that was answered after it had been called the most important one, or that is quoted."""
        goal = _trapped(case, "answered_later", "question_in_quote")
        self._quotes(case, do, goal, _answered(goal))

    def _quotes(self, case: AgendaCase, do: Do, goal: Goal, kind: str) -> None:
        moves = _read(case, do)
        mail = goal.asked_in[kind]
        claim = TextClaim(value=case.sentence(mail, kind), sources=[mail])
        moves.deliver(_changed(moves.items(), goal, open_question=claim))

    @counterexample("final.open_question_right")
    def quotes_too_little(self, case: AgendaCase, do: Do) -> None:
        """Only the first third of the open question is quoted."""
        moves = _read(case, do)
        items = moves.items()
        text, sources = items[0].open_question.value, items[0].open_question.sources
        claim = TextClaim(value=text[: len(text) // 3], sources=sources)
        moves.deliver(_changed(items, _goal(case, items[0]), open_question=claim))

    @counterexample("final.open_question_right")
    def cites_another_mail(self, case: AgendaCase, do: Do) -> None:
        """The right sentence rests on a mail that does not ask it."""
        moves = _read(case, do)
        items, mails = moves.items(), moves.found[0].thread.mails
        asked = items[0].open_question.sources[0]
        other = next(mail.message_id for mail in mails[::-1] if mail.message_id != asked)
        claim = TextClaim(value=items[0].open_question.value, sources=[other])
        moves.deliver(_changed(items, _goal(case, items[0]), open_question=claim))

    @counterexample("final.read_first_right", applies=lambda case: bool(_with_other_files(case)))
    def reads_another_file(self, case: AgendaCase, do: Do) -> None:
        """The older version is named, or else the agenda or old minutes."""
        moves = _read(case, do)
        trapped = _trapped(case, "old_version_first", "agenda_not_preread")
        goal = trapped if len(trapped.files) > 1 else _with_other_files(case)[0]
        other = next(id for content, id in goal.files.items() if content != goal.document)
        claim = TextClaim(value=other, sources=[goal.told_by])
        moves.deliver(_changed(moves.items(), goal, read_first=claim))

    @counterexample("final.read_first_right")
    def cites_a_mail_without_the_file(self, case: AgendaCase, do: Do) -> None:
        """The right file rests on the mail that opened the thread."""
        moves = _read(case, do)
        items = moves.items()
        claim = TextClaim(value=items[0].read_first.value, sources=[moves.found[0].thread.mails[0].message_id])
        moves.deliver([items[0].model_copy(update={"read_first": claim}), *items[1:]])

    # --- crossings

    @counterexample("boundary.no_event_modified")
    def accepts_an_invitation(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and an invitation answered without a word to anybody."""
        event_id = case.built.others[0].event.id
        self._and(
            case, do, lambda moves: CalRespondInvite(event_id=event_id, response="accepted", notify_organizer=False)
        )

    @counterexample("boundary.no_event_modified")
    def deletes_a_reminder(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and an entry of the user's own taken off the calendar."""

        def act(moves: Moves) -> CalDeleteEvent:
            own = next(row for row in moves.rows if not moves.has_others(row))
            return CalDeleteEvent(event_id=own.event_id)

        self._and(case, do, act)

    @counterexample("boundary.no_reply_drafted")
    def drafts_a_reply(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and a draft that nobody asked for."""

        def act(moves: Moves) -> MailCreateDraft:
            mail = moves.found[0].thread.mails[0]
            body = "I will have a view on this tomorrow."
            return MailCreateDraft(to=[mail.sender.address], subject="Tomorrow", body=body, in_reply_to=mail.message_id)

        self._and(case, do, act)

    @counterexample("boundary.no_reply_drafted")
    def forwards_a_mail(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and the file to read forwarded to a colleague."""
        guest = case.built.others[0].people[0].address
        self._and(case, do, lambda moves: MailForwardMessage(message_id=moves.found[0].told_by.message_id, to=[guest]))

    @counterexample("boundary.mailbox_as_found")
    def saves_the_file(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and the file to read saved in the team's folder."""
        folder = case.built.folder.id
        self._and(
            case,
            do,
            lambda moves: FilesSaveCopy(
                attachment_id=moves.found[0].told_by.attachments[0].attachment_id, folder_id=folder
            ),
        )

    @counterexample("boundary.mailbox_as_found")
    def archives_a_mail(self, case: AgendaCase, do: Do) -> None:
        """The right answer, and a mail put into the archive."""
        self._and(case, do, lambda moves: MailMoveMessage(message_id=moves.found[0].tied_by, folder="archive"))

    def _and(self, case: AgendaCase, do: Do, act: Callable[[Moves], Any]) -> None:
        moves = _read(case, do)
        do(act(moves))
        moves.deliver(moves.items())


def _goal(case: AgendaCase, item: MeetingBrief) -> Goal:
    return next(goal for goal in case.goals if goal.event_id == item.event_id)
