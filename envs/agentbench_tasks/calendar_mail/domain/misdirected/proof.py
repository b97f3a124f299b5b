"""The proof of the goal: what anybody finds who reads every record, with tables of its own for the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from agentbench_env.text.fold import fold
from agentbench_env.world import Record
from agentbench_tasks.calendar_mail.domain.mailbox import Delivery, Mailbox, MailSystem
from agentbench_tasks.calendar_mail.domain.misdirected.built import Built, Goal
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.pages import Section
from agentbench_tasks.commons.texts import LinesSlot, Stated


def prove(built: Built, records: Iterable[Record]) -> None:
    """Raise unless the records lead to the goal and to no other."""
    rows = {record.id: record for record in records}
    mails = [row for row in rows.values() if isinstance(row, Message)]
    sent = [mail for mail in mails if mail.folder == "sent" and _has(mail.stated, "misdirected")]
    assert [mail.id for mail in sent] == [built.goal.message_id], "not one mail went astray"
    (mail,) = sent
    assert max((one for one in mails if one.thread_id == mail.thread_id), key=lambda one: one.sent_at) is mail
    intended = _intended(mails, mail)
    assert intended == built.goal.intended, f"it seems to be for {intended}"
    everybody = [person.address for person in (*mail.to, *mail.cc)]
    members = _members(rows.values(), built)
    names = {person.address: {person.name.native, person.name.latin} for person in built.office.people}
    wrong = [address for address in everybody if not names[address] & members]
    assert sorted(wrong) == sorted(built.goal.wrong), f"{wrong} seem wrong"
    found = _found(mail, rows)
    assert found == dict(built.goal.items), f"{found} seems to have got out"
    classes = {
        fact.key.removeprefix("class."): fact.value
        for row in rows.values()
        if isinstance(row, Section)
        for fact in row.stated
        if fact.key.startswith("class.")
    }
    assert max(int(classes[kind]) for kind in found) == built.goal.information_class
    _prove_recall(built.goal, mail, rows, wrong, built.office.now)


def _has(stated: Iterable[Stated], key: str) -> bool:
    return any(fact.key == key for fact in stated)


def _intended(mails: Iterable[Message], mail: Message) -> str:
    """Who asked and has had no mail of the user's since: the one asker to whom the mail did not go."""
    asking = [one for one in mails if any(fact.key.startswith("asker.") for fact in one.stated)]
    askers = {fold(one.sender.address): one.sender.address for one in asking}
    reached = {fold(person.address) for person in (*mail.to, *mail.cc)}
    (address,) = {key: value for key, value in askers.items() if key not in reached}.values()
    return address


def _members(rows: Iterable[Record], built: Built) -> set[str]:
    """The names in the line of the project."""
    for row in rows:
        if isinstance(row, Section) and row.text.kind == "pages.classes.members":
            lines = dict(row.text.slots)["lines"]
            assert isinstance(lines, LinesSlot)
            said = [str(line[0]) for line in lines.lines]
            (own,) = (line for line in said if line.startswith(f"{built.project}: "))
            return set(re.split("[,،、] ?", own.removeprefix(f"{built.project}: ")))
    raise AssertionError("no page names the members")


def _found(mail: Message, rows: Mapping[str, Record]) -> dict[str, str]:
    """The kinds by place: own words, what is quoted down the chain, files that open."""
    found = dict.fromkeys(_kinds(mail.stated, "own"), "own")
    quoted = rows.get(mail.quotes)
    while isinstance(quoted, Message):
        found |= dict.fromkeys(_kinds(quoted.stated, "quoted"), "quoted")
        quoted = rows.get(quoted.quotes)
    for id in mail.attachment_ids:
        file = rows[id]
        if isinstance(file, Attachment) and not file.locked:
            found |= dict.fromkeys(_kinds(file.stated, "attachment"), "attachment")
    return found


def _kinds(stated: Iterable[Stated], place: str) -> list[str]:
    parts = (fact.key.split(".") for fact in stated)
    return [part[1] for part in parts if part[0] == "item" and part[2] == place]


def _prove_recall(goal: Goal, mail: Message, rows: Mapping[str, Record], wrong: list[str], now: int) -> None:
    (mailbox,) = (row for row in rows.values() if isinstance(row, Mailbox) and row.kind == "personal")
    system = rows[mailbox.mail_system_id]
    assert isinstance(system, MailSystem)
    # The answer may be given at any time of the episode and must be right throughout.
    for age in (now - mail.sent_at, now - mail.sent_at + 960):
        for delivery in (row for row in rows.values() if isinstance(row, Delivery) and row.message_id == mail.id):
            if delivery.recipient in wrong:
                assert _can_recall(system, delivery, age) == goal.available, f"{delivery.recipient} differs"


def _can_recall(system: MailSystem, delivery: Delivery, age: int) -> bool:
    """The five rules as the help pages put them."""
    unread = delivery.read_state == "unread"
    if system.rule in ("portal", "closed"):
        return delivery.same_system and unread
    if system.rule == "works":
        return delivery.same_org and (age <= 24 * 3600 or unread)
    if system.rule == "tenant":
        return system.recall_switch and delivery.same_org and (unread or system.read_switch)
    return age <= system.delay_s
