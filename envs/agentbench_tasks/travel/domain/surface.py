"""The tools that travel tasks mount, in groups."""

from __future__ import annotations

from agentbench_env.tool import Tool
from agentbench_tasks.commons.calc import CalcEvaluate
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.messages import MailGetMessage, MailSearchMessages
from agentbench_tasks.commons.notes import NotesSave
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.papers import PapersGet, PapersList
from agentbench_tasks.commons.zones import ClockZoneInfo

COMMONS: tuple[type[Tool], ...] = (
    PagesSearch,
    PagesGet,
    PapersList,
    PapersGet,
    HolidaysListDays,
    ClockZoneInfo,
    CalcEvaluate,
    NotesSave,
    MailSearchMessages,
    MailGetMessage,
    MailCreateDraft,
    MailSendDraft,
)
