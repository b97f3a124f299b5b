"""Guesses at the current file: the last one, the one called final, the highest number."""

from __future__ import annotations

import re
from collections.abc import Callable

from agentbench_env.market import shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.task import shortcut
from agentbench_tasks.calendar_mail.domain.matters import FILE
from agentbench_tasks.calendar_mail.domain.versions.answer import CurrentFile, DateClaim, FileClaim, SenderClaim
from agentbench_tasks.calendar_mail.domain.versions.case import VersionsCase
from agentbench_tasks.calendar_mail.domain.versions.moves import Moves
from agentbench_tasks.commons.messages import FileRow, MailText

Found = tuple[MailText, FileRow]


class VersionGuesses:
    """Policies that look at names and places, not at what mails say. They list all other contents that look alike."""

    @shortcut(ceiling=0.10)
    def last_attachment(self, case: VersionsCase, do: Do) -> None:
        """The last file of the thread is current, all others named like it are replaced."""
        _guess(case, do, lambda found: found[-1])

    @shortcut(ceiling=0.10)
    def called_final(self, case: VersionsCase, do: Do) -> None:
        """The last file whose name claims to be final is current."""
        stem = case.built.matter.stem
        patterns = shared_table(f"text/{case.built.matter.language}/{FILE}")["names"]["final"]
        names = {f"{pattern.replace('{stem}', stem)}.docx" for pattern in patterns}
        _guess(case, do, lambda found: next((one for one in found[::-1] if one[1].filename in names), found[0]))

    @shortcut(ceiling=0.20)
    def highest_number(self, case: VersionsCase, do: Do) -> None:
        """The file with the highest number in its name is current."""
        _guess(case, do, lambda found: max(found, key=lambda one: _number(one[1].filename)))

    @shortcut
    def first_attachment(self, case: VersionsCase, do: Do) -> None:
        """The first file of the thread is current."""
        _guess(case, do, lambda found: found[0])


def _number(filename: str) -> int:
    """The number of a version in a file name, 0 if there is none; days are no such numbers."""
    numbers = [int(number) for number in re.findall(r"\d+", filename) if len(number) < 3]
    return max(numbers, default=0)


def _guess(case: VersionsCase, do: Do, choose: Callable[[list[Found]], Found]) -> None:
    moves = Moves(case, do)
    moves.read_thread()
    found = [(mail, file) for mail in moves.mails for file in mail.attachments]
    _, chosen = choose(found)
    alike = {file.content_hash: file for _, file in found[::-1] if _is_alike(file, chosen, case)}
    first = next(mail for mail, file in found if file.content_hash == chosen.content_hash)
    cited = [first.message_id]
    current = CurrentFile(
        attachment=FileClaim(value=chosen.attachment_id, sources=cited),
        filename=chosen.filename,
        sent_on=DateClaim(value=moves.day(first), sources=cited),
        sender=SenderClaim(value=moves.contact(first), sources=cited),
    )
    moves.deliver(current, [file.attachment_id for file in alike.values()])


def _is_alike(file: FileRow, chosen: FileRow, case: VersionsCase) -> bool:
    """Whether a file is taken for another version of the chosen one: the same beginning and kind, no annex."""
    annex = case.built.matter.other_stem("annex")
    names = (file.filename, chosen.filename)
    return (
        file.content_hash != chosen.content_hash
        and file.mime == chosen.mime
        and not any(name.startswith(annex) for name in names)
    )
