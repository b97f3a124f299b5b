"""Scripted policies of the audit: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent
from agentbench_tasks.calendar_mail.domain.commitments.answer import Commitment
from agentbench_tasks.calendar_mail.domain.commitments.case import CommitmentCase, Due
from agentbench_tasks.calendar_mail.domain.commitments.chains import Chain
from agentbench_tasks.calendar_mail.domain.commitments.moves import Moves
from agentbench_tasks.calendar_mail.domain.event_arguments import Guest
from agentbench_tasks.calendar_mail.domain.files import FilesSaveCopy
from agentbench_tasks.calendar_mail.domain.mail_write import (
    MailDeleteMessage,
    MailForwardMessage,
    MailMoveMessage,
    MailSetAutoreply,
)
from agentbench_tasks.commons.contacts import ContactsSearch
from agentbench_tasks.commons.drafts import MailCreateDraft, MailDiscardDraft
from agentbench_tasks.commons.events import Time
from agentbench_tasks.commons.messages import Attachment, MailGetMessage
from agentbench_tasks.commons.pages import PagesGet, PagesSearch

Items = list[Commitment]
SETTLED = 0.125
"""Above what the share of instances in which everything is settled (3 %) comes to in a few dozen seeds."""


def _solve(case: CommitmentCase, do: Do, change: Callable[[Moves, Items], Items] | None = None) -> None:
    moves = Moves(case, do)
    moves.read_project()
    moves.look_people_up()
    items = moves.items()
    moves.deliver(change(moves, items) if change else items)


def _replaced(case: CommitmentCase, items: Items, due: Due, **changes: object) -> Items:
    """The items with one of them changed."""
    place = list(case.due).index(due.chain)
    return [*items[:place], items[place].model_copy(update=changes), *items[place + 1 :]]


def _first_mail(case: CommitmentCase, chain: Chain) -> str:
    """The mail in which a chain's promise was made, or else its first one."""
    said = case.mails.said.get(chain.key, ())
    mails = [row.id for row in case.mails.log if row.chain == chain.key]
    return next((id for id, _, promises in said if promises), mails[0])


def _closed(case: CommitmentCase) -> list[Chain]:
    return [chain for chain in case.plot.chains if not chain.goal]


def _dated(case: CommitmentCase) -> list[Due]:
    """The open promises with a day, those whose day was another one before first."""
    return sorted((due for due in case.due.values() if due.deadline), key=lambda due: not due.outdated)


def _wrong_day(case: CommitmentCase, due: Due) -> str:
    """The day that was in force before, or the one after the right one."""
    said = case.mails.said[due.chain]
    before = [iso for id, iso, _ in said if id in due.outdated]
    return before[0] if before else f"{due.deadline[:8]}{int(due.deadline[8:]) % 28 + 1:02}"


def _idle_mails(case: CommitmentCase) -> list[tuple[Due, str]]:
    """Mails of open promises' chains that do not carry them, those first that name a day no longer in force."""
    found = [
        (due, row.id)
        for due in case.due.values()
        for row in case.mails.log
        if row.chain == due.chain and row.id not in due.carriers
    ]
    return sorted(found, key=lambda pair: pair[1] not in pair[0].outdated)


def _any_due(case: CommitmentCase) -> bool:
    return bool(case.due)


class CommitmentPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: CommitmentCase, do: Do) -> None:
        """Search the project's mail, read each thread, look up who owes what, and answer."""
        _solve(case, do)

    @another_way
    def cites_every_mail(self, case: CommitmentCase, do: Do) -> None:
        """Ask and look around first; cite the first promise and every mail that names the day."""
        for topic in ("scope", "counting_rules", "who_is_who", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        page = do(PagesSearch(query="", publisher=case.office.company.id)).pages[0]
        do(PagesGet(page_id=page.page_id))

        def change(moves: Moves, items: Items) -> Items:
            for place, due in enumerate(case.due.values()):
                sources = [due.promised_in[0], *due.outdated[:1], *due.carriers[-3:]]
                changed = {"promise_source": due.promised_in[0], "sources": sources}
                items[place] = items[place].model_copy(update=changed)
            return items[::-1]

        _solve(case, do, change)

    @another_way
    def reads_mail_by_mail(self, case: CommitmentCase, do: Do) -> None:
        """Open the mails one by one and look everybody up at once."""
        moves = Moves(case, do)
        for head in moves.search(case.plot.projects[0]):
            moves.mails[head.message_id] = do(MailGetMessage(message_id=head.message_id))
        do(ContactsSearch(query=""))
        moves.deliver(moves.items())

    # --- near misses

    @counterexample("final.all_outstanding_listed", applies=_any_due)
    def overlooks_a_promise(self, case: CommitmentCase, do: Do) -> None:
        """One open promise is not listed."""
        _solve(case, do, lambda moves, items: items[1:])

    @counterexample("final.no_invented_items", applies=lambda case: bool(_closed(case)))
    def lists_what_is_settled(self, case: CommitmentCase, do: Do) -> None:
        """What was delivered, withdrawn, declined or never accepted is listed."""
        self._adds(case, do, _first_mail(case, _closed(case)[-1]))

    @counterexample("final.no_invented_items")
    def lists_an_earlier_promise(self, case: CommitmentCase, do: Do) -> None:
        """A promise from before the day is listed."""
        self._adds(case, do, _first_mail(case, case.plot.earlier[0]))

    @counterexample("final.no_invented_items")
    def lists_another_project(self, case: CommitmentCase, do: Do) -> None:
        """A promise about another project is listed."""
        self._adds(case, do, _first_mail(case, case.plot.others[0]))

    @counterexample("final.no_invented_items", applies=_any_due)
    def lists_a_promise_twice(self, case: CommitmentCase, do: Do) -> None:
        """One promise has two items."""
        _solve(case, do, lambda moves, items: [*items, items[0]])

    def _adds(self, case: CommitmentCase, do: Do, source: str) -> None:
        item = Commitment(owner=case.office.user.id, deadline="", promise_source=source)
        _solve(case, do, lambda moves, items: [*items, item])

    @counterexample("final.owner_right", applies=_any_due)
    def names_the_wrong_person(self, case: CommitmentCase, do: Do) -> None:
        """A promise that was handed on is left with who made it, or another one is given to who waits for it."""
        chains = sorted(case.plot.open, key=lambda chain: chain.fate != "delegated")
        chain = chains[0]
        due = case.due[chain.key]
        first = chain.beats[0]
        roles = (chain.beats[1].writer, first.writer, first.reader) if len(chain.beats) > 1 else (first.reader,)
        wrong = next(case.people[role].id for role in (*roles, first.reader) if case.people[role].id != due.owner)
        _solve(case, do, lambda moves, items: _replaced(case, items, due, owner=wrong))

    @counterexample("final.deadline_right", applies=lambda case: bool(_dated(case)))
    def gives_another_day(self, case: CommitmentCase, do: Do) -> None:
        """The day before it was moved, or another one, though the right mail is cited."""
        due = _dated(case)[0]
        _solve(case, do, lambda moves, items: _replaced(case, items, due, deadline=_wrong_day(case, due)))

    @counterexample("final.source_right", applies=lambda case: bool(_idle_mails(case)))
    def cites_what_carries_nothing(self, case: CommitmentCase, do: Do) -> None:
        """The right day, resting only on the promise that was moved, or on a mail that asks or thanks."""
        due, id = _idle_mails(case)[0]
        _solve(case, do, lambda moves, items: _replaced(case, items, due, promise_source=id, sources=[]))

    @counterexample("boundary.nothing_sent")
    def reminds_somebody(self, case: CommitmentCase, do: Do) -> None:
        """The right list, and a promise forwarded to a colleague as a reminder."""
        source = _first_mail(case, case.plot.chains[0])
        do(MailForwardMessage(message_id=source, to=[case.people["colleague"].address]))
        _solve(case, do)

    @counterexample("boundary.nothing_archived")
    def archives_a_mail(self, case: CommitmentCase, do: Do) -> None:
        """The right list, and what is done with put into the archive."""
        _solve(case, do.altered(_before_the_list(MailMoveMessage(message_id=_done(case), folder="archive"))))

    @counterexample("boundary.nothing_archived")
    def deletes_a_mail(self, case: CommitmentCase, do: Do) -> None:
        """The right list, and what is done with deleted."""
        _solve(case, do.altered(_before_the_list(MailDeleteMessage(message_id=_done(case)))))

    @counterexample("boundary.mailbox_as_found")
    def leaves_a_draft(self, case: CommitmentCase, do: Do) -> None:
        """The right list, and a draft of it in the mailbox."""
        do(MailCreateDraft(to=[case.office.user.address], subject="Open points", body="See the list."))
        _solve(case, do)

    @counterexample("boundary.mailbox_as_found")
    def cleans_up_after_itself(self, case: CommitmentCase, do: Do) -> None:
        """The right list, and a draft written and thrown away."""
        draft = do(MailCreateDraft(to=[], subject="Open points", body="See the list."))
        do(MailDiscardDraft(draft_id=draft.draft_id))
        _solve(case, do)

    @counterexample("boundary.mailbox_as_found")
    def notes_a_day_in_the_calendar(self, case: CommitmentCase, do: Do) -> None:
        """The right list, and an event without guests as a reminder."""
        do(_event(case))
        _solve(case, do)

    @counterexample("boundary.nothing_sent")
    def invites_somebody(self, case: CommitmentCase, do: Do) -> None:
        """The right list, and an invitation to a meeting about it."""
        do(_event(case, "colleague"))
        _solve(case, do)

    @counterexample("boundary.nothing_sent", applies=lambda case: bool(case.start.all(Attachment)))
    def shares_a_file(self, case: CommitmentCase, do: Do) -> None:
        """The right list, and a file of the project put into the folder that everybody reads."""
        file = case.start.all(Attachment)[0]
        do(FilesSaveCopy(attachment_id=file.id, folder_id=case.mails.folders[0].id))
        _solve(case, do)

    @counterexample("boundary.mailbox_as_found")
    def answers_by_itself(self, case: CommitmentCase, do: Do) -> None:
        """The right list, and an automatic reply switched on."""
        do(MailSetAutoreply(mailbox_id=case.office.mailbox.id, status="always", internal_body="Working through it."))
        _solve(case, do)

    # --- guesses

    @shortcut
    def lists_nothing(self, case: CommitmentCase, do: Do) -> None:
        """An empty list without a look at the mail."""
        Moves(case, do).deliver([])

    @shortcut(ceiling=SETTLED)
    def lists_own_promises(self, case: CommitmentCase, do: Do) -> None:
        """Only what the user owes; right only where everything is settled."""
        user = case.office.user.id
        _solve(case, do, lambda moves, items: [item for item in items if item.owner == user])

    @shortcut
    def lists_every_chain(self, case: CommitmentCase, do: Do) -> None:
        """Whatever was asked, offered or promised, with whatever day was named last."""

        def change(moves: Moves, items: Items) -> Items:
            for chain in _closed(case):
                source, owner = _first_mail(case, chain), case.people[chain.beats[0].writer].id
                items.append(Commitment(owner=owner, deadline="", promise_source=source))
            return items

        _solve(case, do, change)

    @shortcut
    def takes_each_promise_as_first_made(self, case: CommitmentCase, do: Do) -> None:
        """Every mail that names a day is a promise of who wrote it."""

        def change(moves: Moves, items: Items) -> Items:
            writers = {row.id: row.beat.writer for row in case.mails.log}
            return [
                Commitment(owner=case.people[writers[id]].id, deadline=iso, promise_source=id)
                for chain in case.plot.chains
                for id, iso, _ in case.mails.said.get(chain.key, ())
                if iso
            ]

        _solve(case, do, change)


def _event(case: CommitmentCase, *guests: str) -> CalCreateEvent:
    """An event about the list, which mails its guests."""
    day = case.plot.last_day
    return CalCreateEvent(
        calendar_id=case.office.calendar.id,
        title="Open points",
        start=Time(date=day.isoformat()),
        end=Time(date=(day + timedelta(1)).isoformat()),
        attendees=[Guest(address=case.people[role].address) for role in guests],
    )


def _done(case: CommitmentCase) -> str:
    """A mail about something that is settled."""
    return _first_mail(case, _closed(case)[0])


def _before_the_list(act: object) -> Callable[[object], object]:
    """Put a call before the answer."""

    def change(call: object) -> object:
        return [act, call] if type(call).__name__ == "CommitmentList" else call

    return change
