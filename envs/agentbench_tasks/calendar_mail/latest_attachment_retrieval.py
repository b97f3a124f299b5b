"""Contract 01.09: which file of a long thread is the current one."""

from __future__ import annotations

import agentbench_env as ab
from agentbench_tasks.calendar_mail.domain.files import FilesSaveCopy
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetMailbox, MailGetThread
from agentbench_tasks.calendar_mail.domain.mail_write import (
    MailDeleteMessage,
    MailForwardMessage,
    MailMoveMessage,
    MailSetAutoreply,
)
from agentbench_tasks.calendar_mail.domain.read_only import Untouched
from agentbench_tasks.calendar_mail.domain.surface import LOOK_UP, MOVE_MAIL, WRITE_MAIL
from agentbench_tasks.calendar_mail.domain.versions import checks
from agentbench_tasks.calendar_mail.domain.versions.answer import LatestAttachment
from agentbench_tasks.calendar_mail.domain.versions.case import VersionsCase
from agentbench_tasks.calendar_mail.domain.versions.policies import VersionPolicies
from agentbench_tasks.calendar_mail.domain.versions.user import decide
from agentbench_tasks.calendar_mail.domain.versions.world import brief_of, draw_case
from agentbench_tasks.commons.drafts import MailCreateDraft, MailDiscardDraft, MailSendDraft, MailUpdateDraft
from agentbench_tasks.commons.errand import Errand
from agentbench_tasks.commons.messages import FilesReadAttachment, MailGetMessage, MailSearchMessages


class LatestAttachmentRetrieval(VersionPolicies, Errand[VersionsCase]):
    """Which file is current in a long thread: name it, its mail's date and sender, and what it replaces."""

    tools = (
        MailSearchMessages,
        MailGetMessage,
        MailGetThread,
        MailGetMailbox,
        *WRITE_MAIL,
        *MOVE_MAIL,
        MailDeleteMessage,
        MailSetAutoreply,
        FilesReadAttachment,
        FilesSaveCopy,
        *LOOK_UP,
    )
    topics = {
        "which_document": "which of the documents in the thread is meant",
        "which_thread": "which thread is meant",
    }
    boundary = (
        Untouched(
            "boundary.nothing_forwarded_or_replied",
            "No mail went out, and no draft was written.",
            tools=(MailForwardMessage, MailCreateDraft, MailUpdateDraft, MailDiscardDraft, MailSendDraft),
        ),
        Untouched(
            "boundary.nothing_saved_to_shared",
            "No copy of a file was saved.",
            tools=(FilesSaveCopy,),
        ),
        Untouched(
            "boundary.mailbox_as_found",
            "Nothing was moved, deleted or set.",
            tools=(MailMoveMessage, MailDeleteMessage, MailSetAutoreply),
            effects=("own", "draft", "hold", "send", "commit", "credential"),
        ),
    )
    Answer = LatestAttachment

    def case(self, draw: ab.Draw, setting: ab.Setting) -> VersionsCase:
        return draw_case(draw, setting)

    def brief(self, case: VersionsCase, language: str) -> ab.Brief:
        return brief_of(case, language)

    def wishes(self, case: VersionsCase, call: ab.Tool, ep: ab.Episode) -> ab.Decision:
        return decide(case, call, ep)

    @ab.final("final.current_attachment_named")
    def current_attachment_named(self, case: VersionsCase, ep: ab.Episode) -> ab.Finding:
        """The attachment given has the current content of the asked document, and its file name."""
        return checks.current_attachment_named(case, ep)

    @ab.final("final.message_date_and_sender_right")
    def message_date_and_sender_right(self, case: VersionsCase, ep: ab.Episode) -> ab.Finding:
        """Date and sender are those of the message that first brought that content, cited."""
        return checks.message_date_and_sender_right(case, ep)

    @ab.final("final.superseded_complete")
    def superseded_complete(self, case: VersionsCase, ep: ab.Episode) -> ab.Finding:
        """Every earlier distinct version in the thread is listed once."""
        return checks.superseded_complete(case, ep)

    @ab.final("final.superseded_no_extras")
    def superseded_no_extras(self, case: VersionsCase, ep: ab.Episode) -> ab.Finding:
        """Nothing else is listed: no other document, no duplicate content, not the current one."""
        return checks.superseded_no_extras(case, ep)
