"""The proof that one file is current: reads the mails of the thread in order, as anybody could, and no plot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from agentbench_env.world import Record
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.versions.goal import Goal
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.messages import Attachment, Message


def prove(goal: Goal, records: Iterable[Record], thread_id: str, zone: str) -> None:
    """Raise NoFit unless the mails lead to the goal, and equal contents are equal and different ones differ."""
    kinds: dict[type[Record], list[Any]] = defaultdict(list)
    for record in records:
        kinds[type(record)].append(record)
    files: dict[str, Attachment] = {file.id: file for file in kinds[Attachment]}
    cards: dict[str, str] = {card.address: card.id for card in kinds[Contact]}
    mails: list[Message] = [mail for mail in kinds[Message] if mail.thread_id == thread_id]
    mails.sort(key=lambda mail: mail.sent_at)
    if len({mail.sent_at for mail in mails}) < len(mails) or any(
        mail.folder not in ("inbox", "sent") for mail in mails
    ):
        raise NoFit
    announced: dict[str, int] = {}
    void: set[str] = set()
    brought: dict[str, Message] = {}
    bytes_of: dict[str, tuple[object, ...]] = {}
    asked = goal.current.partition(".")[0]
    for mail in mails:
        for file in (files[id] for id in mail.attachment_ids):
            brought.setdefault(file.document, mail)
            if bytes_of.setdefault(file.document, _bytes(file)) != _bytes(file):
                raise NoFit
        for fact in mail.stated:
            kind, _, content = fact.key.partition(".")
            if kind == "version":
                announced[content] = int(fact.value)
            elif kind == "void":
                void.add(content)
    if len(set(bytes_of.values())) < len(bytes_of) or void & announced.keys():
        raise NoFit
    own = {content for content in brought if content.partition(".")[0] == asked}
    if own != announced.keys() | void or sorted(announced.values()) != list(range(1, len(announced) + 1)):
        raise NoFit
    in_order = sorted(announced, key=lambda content: announced[content])
    times = [brought[content].sent_at for content in in_order]
    if times != sorted(times):
        raise NoFit
    current = in_order[-1]
    if (current, set(in_order[:-1]), void) != (goal.current, set(goal.replaced), set(goal.aside)):
        raise NoFit
    for content, origin in goal.origins.items():
        mail = brought[content]
        here, there = (to_local(mail.sent_at, where)[:10] for where in (zone, mail.zone))
        found = (mail.id, cards[mail.sender.address], here, there)
        if found != (origin.message_id, origin.sender_id, origin.on, origin.on_there):
            raise NoFit
    if goal.only_here and goal.origins[current].on == goal.origins[current].on_there:
        raise NoFit


def _bytes(file: Attachment) -> tuple[object, ...]:
    return file.mime, file.title, file.text
